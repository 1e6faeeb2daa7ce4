//! Ours beside other rules, and every compromise between the slowest stage and a lone request.

use super::TiersState;
use crate::ui::views::held::LinesView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use chart::{Lines, lines_sheet};
use engine::scenario::tiers::{Placed, Scenario};
use job::tiers::Who;
use leptos::prelude::*;
use report::tiers::told::FRONT_CUT;
use report::tiers::{about, charts, comparison, front, split_words, who};
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 264.0;

/// The placement as the scenario keeps a split of the user's: blocks by tier as listed. `None` where tiers change
/// places, which a split by hand cannot say.
pub fn as_split(scenario: &Scenario, placed: &[Placed]) -> Option<Vec<f64>> {
    let in_order = placed.windows(2).all(|pair| pair[0].tier < pair[1].tier);
    let mut split = vec![0.0; scenario.tiers.len()];
    for placed in placed {
        *split.get_mut(placed.tier)? = placed.blocks as f64;
    }
    in_order.then_some(split)
}

/// The comparison block.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |shown| {
            comparison(&shown.scenario, &shown.planned)
        }))
    });
    let tries = move || {
        let shown = state.shown.get()?;
        let others = shown.planned.others.iter().filter_map(|other| {
            let plan = other.plan.as_ref().filter(|plan| plan.mem_ok)?;
            let split = as_split(&shown.scenario, &plan.placed)?;
            Some((split_words(&plan.placed), split))
        });
        let mut seen: Vec<String> = Vec::new();
        let mut buttons = Vec::new();
        for (words, split) in others {
            if seen.contains(&words) {
                continue;
            }
            seen.push(words.clone());
            let put = move |_| {
                let split = split.clone();
                let done = state.edit("", |s| s.split = Some(split));
                if let Err(fault) = done {
                    state.say(format!("Not imported: {fault}."));
                }
            };
            buttons.push(view! { <button class="btn small try" on:click=put>{words}</button> });
        }
        let found = !buttons.is_empty();
        found.then(|| view! { <span class="foot">"Try a split:"</span>{buttons.collect_view()} })
    };
    view! {
        <Section id="comparison" title="Compared with other rules">
            <p class="over">
                "Every split is scored by the same evaluator with the same costs. GPipe and HEFT are the paper\u{2019}s baselines as far \
                 as it describes them; its scheduler for GPipe is not public."
            </p>
            <TableView table=table id="comparison-table"/>
            <div class="row tries">{tries}</div>
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>"What the rules do"</summary>
                <dl class="rules">
                    {Who::ALL
                        .into_iter()
                        .map(|rule| view! { <dt><Explained text=who(rule)/></dt><dd>{about(rule)}</dd> })
                        .collect_view()}
                </dl>
                <p class="foot">
                    "Energy is that of a single request at the nodes’ nameplate power, without idling: an upper bound for the work, and \
                     still an estimate."
                </p>
            </details>
        </Section>
    }
}

fn lines(state: TiersState) -> Lines {
    let shown = state.shown.get();
    shown.map_or_else(Lines::default, |shown| charts::front(&shown.planned))
}

/// The front block: a press on a point loads its split.
#[component]
pub fn Front() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let lines = Memo::new(move |_| Arc::new(lines(state)));
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |shown| front(&shown.planned)))
    });
    let marked = Memo::new(move |_| {
        let shown = state.shown.get()?;
        let plan = shown.planned.plan.as_ref()?;
        shown
            .planned
            .front
            .iter()
            .position(|p| p.placed == plan.placed)
    });
    let pick = Callback::new(move |x: f64| {
        let Some(shown) = state.shown.get_untracked() else {
            return;
        };
        let away = |a: f64| (a - x).abs();
        let points = shown.planned.front.iter();
        let nearest = points.min_by(|a, b| away(a.bottleneck).total_cmp(&away(b.bottleneck)));
        let split = nearest.and_then(|point| as_split(&shown.scenario, &point.placed));
        match split {
            Some(split) => {
                // A front belongs to one scenario; one that has changed since says so by refusing.
                let _ = state.edit("front", |s| s.split = Some(split));
            }
            None => state.say("A split with tiers in another order cannot be set by hand."),
        }
    });
    let picture = Callback::new(move |width| {
        let lines = lines.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let is_there = Memo::new(move |_| lines.with(|lines| !lines.series.is_empty()));
    let cut = move || {
        let cut = state
            .shown
            .get()
            .is_some_and(|shown| shown.planned.front_is_cut);
        cut.then(|| view! { <p class="foot">{FRONT_CUT}</p> })
    };
    move || {
        is_there.get().then(|| {
            view! {
                <Section
                    id="front"
                    title="Single request and slowest stage"
                    fold=Fold::Folded
                    holds="splits that no other beats in both"
                    tools={move || view! { <TakePicture name="front" label="front" picture=picture/> }}
                >
                    <div class="sweep">
                        <LinesView lines=lines id="front-chart" height=HEIGHT_PX on_pick=pick/>
                        <TableView table=table id="front-table" marked=marked capped=true/>
                    </div>
                    <p class="foot">
                        "Each point is a split that no other beats in both; click it, or press Enter, to use it. The slowest stage decides \
                         how many requests a tier of one node can serve, the sum how long a single one takes."
                    </p>
                    {cut}
                </Section>
            }
        })
    }
}
