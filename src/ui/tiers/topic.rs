//! The tiers question among the others.

use super::{Tiers, TiersState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::tiers;
use leptos::prelude::*;

document!(Tiers, tiers, encode_tiers, Self::validate,
    tiers: tiers::Tier, "tier", |a, b| a.model == b.model,
    // Another list of tiers leaves no split of the user’s.
    |s, _| s.split = None);

impl Topic for TiersState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Tiers"
    }

    fn instead(&self) -> &'static str {
        "The paper\u{2019}s three tiers are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_runs();
    }
}
