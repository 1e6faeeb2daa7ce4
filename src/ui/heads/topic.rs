//! The head-placement question among the others.

use super::answer::QUESTION;
use super::{Heads, HeadsState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::heads;
use job::heads::setting;
use leptos::prelude::*;
use report::Told;
use report::heads::told;
use story::Words;

document!(HeadPlacement, heads, |a, b| a.model == b.model);

impl Topic for HeadsState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Head placement"
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For generating with one layer\u{2019}s heads and caches spread over devices."
    }

    fn words(&self) -> Option<Words> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        Some(shown.words.clone())
    }

    fn told(&self) -> Option<Told> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        let (scenario, planned) = (&*shown.scenario, &shown.planned);
        let drawn_on = setting(scenario, scenario.draws.first_seed as u64).ok();
        self.others.with(|others| {
            let is_own = others.of.as_ref() == Some(&now);
            let others = is_own.then_some(others);
            Some(Told {
                about: told::about(scenario),
                sections: told::sections(&told::Known {
                    scenario,
                    planned,
                    setting: drawn_on.as_ref(),
                    drawn: others.map(|others| &others.drawn),
                    tracks: others.map_or(&[], |others| &others.tracks),
                    instead: others.map_or(&[], |others| &others.instead),
                    layers: others.and_then(|others| others.layers.as_ref()),
                }),
            })
        })
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s 25 devices are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Heads/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_tracks();
    }
}
