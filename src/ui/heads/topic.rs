//! The head-placement question among the others.

use super::{Heads, HeadsState};
use crate::ui::desk::{EditorOps, document};
use crate::ui::questions::QuestionPage;
use crate::ui::told::AnswerStore;
use engine::scenario::heads;
use leptos::prelude::*;

document!(HeadPlacement, heads, |a, b| a.model == b.model);

impl QuestionPage for HeadsState {
    fn desk(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Heads/> }.into_any()
    }

    fn end_asked(&self) {
        self.answer.end();
    }
}
