//! The cold-start question among the others.

use super::State;
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::views::ColdStart;
use engine::scenario::{self, Device};
use leptos::prelude::*;

document!(ColdStart, scenario, encode, |s| s.problem().map(drop),
    devices: Device, "device", |a, b| a.model == b.model;
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
}
