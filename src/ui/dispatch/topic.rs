//! The device-or-server question among the others.

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

    fn words(&self) -> Option<Words> {
        self.teller.now(Told::words).flatten()
    }

    fn told(&self) -> Option<tell::Told> {
        self.teller.now(Told::all).flatten()
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
