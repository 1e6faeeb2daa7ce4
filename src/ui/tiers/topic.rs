//! The tiers question among the others.

use super::{Tiers, TiersState};
use crate::ui::desk::{EditorOps, document};
use crate::ui::questions::QuestionPage;
use crate::ui::told::AnswerStore;
use engine::scenario::tiers;
use leptos::prelude::*;

document!(Tiers, tiers, |a, b| a.model == b.model;
const ROW: &'static str = "tier";
);

impl QuestionPage for TiersState {
    fn desk(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn end_asked(&self) {
        self.answer.end();
    }
}
