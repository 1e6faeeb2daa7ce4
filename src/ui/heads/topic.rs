//! The head-placement question among the others.

use super::{Heads, HeadsState};
use crate::ui::answer_view::AnswerStore;
use crate::ui::questions::QuestionPage;
use crate::ui::scenario_editor::{EditorOps, document};
use engine::scenario::heads;
use leptos::prelude::*;

document!(HeadPlacement, heads, |a, b| a.model == b.model);

impl QuestionPage for HeadsState {
    fn editor(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|store| *store)
    }

    fn view(&self) -> AnyView {
        view! { <Heads/> }.into_any()
    }

    fn cancel_requests(&self) {
        self.answer.end();
    }
}
