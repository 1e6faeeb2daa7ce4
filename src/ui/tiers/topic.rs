//! The tiers question among the others.

use super::answer::QUESTION;
use super::{Tiers, TiersState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::tiers;
use leptos::prelude::*;
use story::Words;

document!(Tiers, tiers, |a, b| a.model == b.model;
const ROW: &'static str = "tier";
);

impl Topic for TiersState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        tell::names::question(engine::scenario::Question::Tiers)
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For serving many requests through a chain of machines."
    }

    fn words(&self) -> Option<Words> {
        self.teller.now(Told::words).flatten()
    }

    fn told(&self) -> Option<tell::Told> {
        self.teller.now(Told::all).flatten()
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s three tiers are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
