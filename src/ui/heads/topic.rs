//! The head-placement question among the others.

use super::{Heads, HeadsState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::heads;
use leptos::prelude::*;

document!(HeadPlacement, heads, |a, b| a.model == b.model);

impl Topic for HeadsState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn answer(&self) -> Option<Told> {
        self.teller.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Heads/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
