//! The device-or-server question among the others.

use super::{Dispatch, DispatchState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::dispatch;
use leptos::prelude::*;

document!(Dispatch, dispatch, encode_dispatch, Self::validate,
    devices: dispatch::Device, "device", |a, b| a.server.name == b.server.name);

impl Topic for DispatchState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Device or server"
    }

    fn instead(&self) -> &'static str {
        "LLaMA-3.1-70b and a Xiaomi 14 are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_asks();
    }
}
