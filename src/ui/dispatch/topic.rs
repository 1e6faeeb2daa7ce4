//! The device-or-server question among the others.

use super::{Dispatch, DispatchState};
use crate::ui::desk::{EditorOps, document};
use crate::ui::questions::QuestionPage;
use crate::ui::told::AnswerStore;
use engine::scenario::dispatch;
use leptos::prelude::*;

document!(Dispatch, dispatch, |a, b| a.server.name == b.server.name);

impl QuestionPage for DispatchState {
    fn desk(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.answer.end();
    }
}
