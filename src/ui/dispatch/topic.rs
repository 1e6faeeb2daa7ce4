//! The device-or-server question among the others.

use super::{Dispatch, DispatchState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::dispatch;
use leptos::prelude::*;

document!(Dispatch, dispatch, |a, b| a.server.name == b.server.name);

impl Topic for DispatchState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn answer(&self) -> Option<Told> {
        self.teller.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
