//! The tiers question among the others.

use super::{Tiers, TiersState};
use crate::ui::answer_view::AnswerStore;
use crate::ui::questions::QuestionPage;
use crate::ui::scenario_editor::{EditorOps, document};
use engine::scenario::tiers;
use leptos::prelude::*;

document!(Tiers, tiers, |a, b| a.model == b.model;
const ROW: &'static str = "tier";
);

impl QuestionPage for TiersState {
    fn editor(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|store| *store)
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn cancel_requests(&self) {
        self.answer.end();
    }
}
