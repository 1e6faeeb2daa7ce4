//! The device-or-server question among the others.

use super::answer::QUESTION;
use super::{Dispatch, DispatchState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::dispatch;
use leptos::prelude::*;
use story::Words;

document!(Dispatch, dispatch, |a, b| a.server.name == b.server.name);

impl Topic for DispatchState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        tell::names::question(engine::scenario::Question::Dispatch)
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For an app with a model on the device and a paid server behind it."
    }

    fn words(&self) -> Option<Words> {
        self.teller.now(Told::words).flatten()
    }

    fn told(&self) -> Option<tell::Told> {
        self.teller.now(Told::all).flatten()
    }

    fn instead(&self) -> &'static str {
        "LLaMA-3.1-70b and a Xiaomi 14 are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
