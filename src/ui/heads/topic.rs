//! The head-placement question among the others.

use super::{Heads, HeadsState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::heads;
use leptos::prelude::*;

document!(HeadPlacement, heads, encode_heads, Self::validate,
    devices: heads::HeadDevice, "device", |a, b| a.model == b.model, Self::follow);

impl Topic for HeadsState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Head placement"
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
