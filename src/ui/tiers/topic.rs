//! The tiers question among the others.

use super::answer::QUESTION;
use super::{Tiers, TiersState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::tiers;
use leptos::prelude::*;
use report::Told;
use report::tiers::told;
use story::{Section, Words};

document!(Tiers, tiers, |a, b| a.model == b.model;
const ROW: &'static str = "tier";
);

impl Topic for TiersState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Tiers"
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For serving many requests through a chain of machines."
    }

    fn words(&self) -> Option<Words> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        Some(shown.words.clone())
    }

    fn told(&self) -> Option<Told> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        let load = self.load.get();
        let is_own = load.of.as_ref().is_some_and(|of| *of == shown.scenario);
        let own = load.own.as_deref().filter(|_| is_own);
        Some(Told {
            about: told::about(&shown.scenario),
            sections: told::sections(&told::Known {
                scenario: &shown.scenario,
                planned: &shown.planned,
                load: own.map(Ok),
                timeline: load.timeline.as_deref().filter(|_| is_own),
            }),
        })
    }

    fn further(&self) -> Vec<Section> {
        let shown = self.shown.get();
        let plan = shown
            .as_ref()
            .and_then(|shown| Some((shown, shown.planned.plan.as_ref()?)));
        plan.map_or_else(Vec::new, |(shown, plan)| {
            told::further(&shown.scenario, plan)
        })
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s three tiers are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_runs();
    }
}
