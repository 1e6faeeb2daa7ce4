//! Published beside ours: the paper's splits, and which reading of the devices' speeds gives them.

use super::TiersState;
use crate::ui::measuring::Measuring;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::{Beside, block, made, notes, source};
use engine::scenario::Question;
use job::tiers_published::{Measure, Measured};
use leptos::prelude::*;
use report::published::section::Part;
use report::published::sections::{TIERS, TIERS_NEED, TIERS_RUNS};

/// The block. It belongs to the paper's own devices whatever the scenario is, so it is computed once, when first answers are in.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let sections = || {
        let splits = Beside::of(&TIERS, Signal::stored(()));
        view! { {splits.unfolded().view()}<Runs/> }.into_any()
    };
    block(
        move || state.teller.of.with(Option::is_some),
        || (),
        sections,
    )
}

/// The folds of measurements.
#[component]
fn Runs() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let parts = TIERS_RUNS.parts.iter().zip(TIERS_NEED);
    let folds = parts.map(|(part, needs)| view! { <Measurement part=part needs=needs/> });
    view! {
        {folds.collect_view()}
        {notes(&TIERS_RUNS, state.measured.into())}
        {source(&TIERS_RUNS)}
    }
}

/// A fold. The runs that it needs are made by the worker when it is first opened.
#[component]
fn Measurement(part: &'static Part<Measured>, needs: Option<Measure>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let is_open = RwSignal::new(false);
    let is_known = Memo::new(move |_| {
        needs.is_none_or(|measure| state.measured.with(|known| known.has(measure)))
    });
    if let Some(measure) = needs {
        // Also when the question is opened again after it was left half way.
        Effect::new(move |_| {
            let is_asked = is_open.get() && state.question.get() == Question::Tiers;
            if is_asked && !is_known.get() {
                state.measure(measure);
            }
        });
    }
    let open = move |event: web_sys::Event| {
        let fold: web_sys::HtmlDetailsElement = event_target(&event);
        is_open.set(is_open.get_untracked() || fold.open());
    };
    let shown = move || match (is_open.get(), is_known.get(), needs) {
        (true, true, _) => made(part, state.measured.into(), Signal::stored(None)),
        (true, false, Some(measure)) => view! { <Going measure=measure/> }.into_any(),
        _ => ().into_any(),
    };
    view! {
        <details class="fold" id=format!("fold-{}", part.id) on:toggle=open>
            <summary><Icon glyph=Glyph::Right/>{part.title}</summary>
            {shown}
        </details>
    }
}

/// How far the runs of a measurement are, and a way to go on where they were stopped.
#[component]
fn Going(measure: Measure) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let going = Memo::new(move |_| {
        state.measuring.with(|all| {
            let found = all.iter().find(|(of, _)| *of == measure);
            found.map(|(_, going)| *going)
        })
    });
    move || {
        match going.get() {
        Some(Measuring { asked, came }) => view! {
            <div class="search">
                <progress max=asked.to_string() value=came.to_string()></progress>
                <span>{format!("Running the paper\u{2019}s requests: {came} of {asked}.")}</span>
            </div>
        }
        .into_any(),
        None => view! {
            <div class="search">
                <span>"Not all runs were made."</span>
                <button class="btn small" on:click=move |_| state.measure(measure)>"Run them"</button>
            </div>
        }
        .into_any(),
    }
    }
}
