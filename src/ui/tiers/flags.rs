//! Flags to paste for a split over tiers: the plan on show and those of the other rules.

use super::TiersState;
use crate::ui::views::flags::{FlagsView, Plans};
use leptos::prelude::*;
use report::flags::Chain;
use report::tiers::who;
use std::sync::Arc;

/// The block.
#[component]
pub fn TiersFlags() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let plans = Memo::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return Plans::default();
        };
        let ours = shown.planned.plan.iter();
        let ours = ours.map(|plan| ("This split", plan));
        let others = shown.planned.others.iter();
        let others = others.filter_map(|other| Some((who(other.who), other.plan.as_ref()?)));
        let chains = ours.chain(others).filter_map(|(name, plan)| {
            let chain = Chain::of_tiers(&shown.scenario, plan).ok()?;
            Some((name.to_owned(), chain))
        });
        Arc::new(chains.collect())
    });
    view! { <FlagsView plans=plans/> }
}
