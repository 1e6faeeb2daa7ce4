//! The device-or-server question among the others.

use super::{Dispatch, DispatchState};
use crate::ui::answer_view::AnswerStore;
use crate::ui::questions::QuestionPage;
use crate::ui::scenario_editor::{EditorOps, document};
use engine::scenario::dispatch;
use leptos::prelude::*;

document!(Dispatch, dispatch, |a, b| a.server.name == b.server.name);

impl QuestionPage for DispatchState {
    fn editor(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|store| *store)
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn cancel_requests(&self) {
        self.answer.end();
    }
}
