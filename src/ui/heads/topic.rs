//! The head-placement question among the others.

use super::answer::QUESTION;
use super::{Heads, HeadsState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::heads;
use leptos::prelude::*;
use story::Words;

document!(HeadPlacement, heads, |a, b| a.model == b.model);

impl Topic for HeadsState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        tell::names::question(engine::scenario::Question::HeadPlacement)
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For generating with one layer\u{2019}s heads and caches spread over devices."
    }

    fn words(&self) -> Option<Words> {
        self.teller.now(Told::words).flatten()
    }

    fn told(&self) -> Option<tell::Told> {
        self.teller.now(Told::all).flatten()
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s 25 devices are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Heads/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
