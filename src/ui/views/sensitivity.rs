//! Sensitivity of any question but cold start, which has its own: every change to the machines solved again by the workers, the
//! most helpful first, each with a button that applies it. It starts on a press, because every row is a plan of its own.

use super::gains::Share;
use super::world_query::{Answered, WorldQueryState};
use crate::ui::questions::Questions;
use crate::ui::views::section::{Fold, Section};
use engine::scenario::improve::USUAL_PCT;
use leptos::prelude::*;
use protocol::request_kinds::WorldQuery;

/// The block; `edited` changes with every edit of the scenario.
#[component]
pub fn WhatHelps(#[prop(into)] edited: Signal<()>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let by = RwSignal::new(USUAL_PCT);
    let asking = WorldQueryState::open(questions, edited, WorldQuery::Helps { by_pct: USUAL_PCT });
    // Another share is another list.
    Effect::new(move |before: Option<f64>| {
        let by_pct = by.get();
        asking.wants.set(WorldQuery::Helps { by_pct });
        if before.is_some_and(|before| before != by_pct) && asking.is_active() {
            asking.begin();
        }
        by_pct
    });
    view! {
        <Section id="gains" title="What would help most" fold=Fold::Open holds="each machine and link improved, added or left out" tools={move || view! { <Share by=by/> }}>
            <Answered id="gains" asking=asking labels=["Compute", "Compute again"] begin=move |()| asking.begin()/>
        </Section>
    }
}
