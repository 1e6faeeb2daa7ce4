//! The tiers question among the others.

use super::{Tiers, TiersState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use crate::ui::told::Told;
use engine::scenario::tiers;
use leptos::prelude::*;

document!(Tiers, tiers, |a, b| a.model == b.model;
const ROW: &'static str = "tier";
);

impl Topic for TiersState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn answer(&self) -> Option<Told> {
        self.teller.now(|told| *told)
    }

    fn view(&self) -> AnyView {
        view! { <Tiers/> }.into_any()
    }

    fn end_asked(&self) {
        self.teller.end();
    }
}
