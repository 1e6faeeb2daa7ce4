//! The cold-start question among the others.

use super::State;
use crate::ui::desk::{Steps, document};
use crate::ui::files::Dropped;
use crate::ui::questions::Topic;
use crate::ui::views::ColdStart;
use crate::ui::views::answer::QUESTION;
use crate::ui::views::front::{front_of, of_front};
use crate::ui::views::rules::told_shorter;
use engine::scenario;
use engine::scenario::bring::{self, Answers};
use leptos::prelude::*;
use report::Told;
use report::cold_start::told;
use story::Words;

document!(ColdStart, scenario, |a, b| a.model == b.model;
fn fits(&self) -> Result<(), engine::problem::Invalid> {
    match self.is_empty() {
        true => self.validate_fields(),
        false => self.problem().map(drop),
    }
}

fn settle(&mut self, before: &Self, origin: &Self) -> Vec<String> {
    self.settle_spans(before, origin)
});

impl Topic for State {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Cold start"
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For starting a model from disk on devices that share Wi-Fi: which layers go where."
    }

    fn words(&self) -> Option<Words> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        Some(shown.words.clone())
    }

    fn told(&self) -> Option<Told> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        let front = front_of(*self, &shown);
        let lengths = self.sweep.values.get();
        let points = self.sweep.points.with(|points| {
            let own = lengths.iter().filter(|_| points.is_of(&now));
            own.map(|tokens| (*tokens, points.at(*tokens).cloned()))
                .collect::<Vec<_>>()
        });
        let points: Vec<_> = points
            .iter()
            .map(|(at, found)| (*at, found.as_deref()))
            .collect();
        Some(Told {
            about: told::about(&shown.scenario),
            sections: told::sections(&told::Known {
                scenario: &shown.scenario,
                problem: &shown.problem,
                answer: &shown.answer,
                front: front.as_deref().and_then(of_front),
                shorter: &told_shorter(*self, &shown),
                gains: None,
                sweep: &points,
            }),
        })
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s four devices are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <ColdStart/> }.into_any()
    }

    fn end_asked(&self) {
        self.cancel_sweep();
        self.stop_hunt();
    }

    /// A model of any family is shown here, to be looked at.
    fn takes(&self, file: &Dropped, _is_open: bool) -> Option<Box<dyn FnOnce()>> {
        let is_model = match file {
            Dropped::File(file) => file.name().to_lowercase().ends_with(".gguf"),
            Dropped::Text(name, text) => bring::config(text, name, &Answers::new()).is_ok(),
        };
        let (brought, file) = (self.brought, file.clone());
        is_model.then(|| Box::new(move || brought.set(Some(file))) as Box<dyn FnOnce()>)
    }
}
