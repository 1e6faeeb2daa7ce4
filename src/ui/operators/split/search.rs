//! How the searches come nearer to the bound: the chains over their moves, the paper's search over its generations, which is
//! asked for by a press and can be stopped.

use super::state::Found;
use crate::ui::operators::OperatorsState;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::LinesView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use chart::{LineStyle, lines_sheet};
use engine::units::{count, percent};
use job::operators::Island;
use leptos::prelude::*;
use report::operators::{Curve, charts, curve_table, gap, millis};
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 240.0;

fn chains(found: &Found) -> Vec<Curve> {
    charts::chains(found.chains.iter().filter_map(|own| own.so_far.as_deref()))
}

fn islands(found: &Found) -> Vec<Curve> {
    let islands = found.islands.iter().filter_map(|own| own.so_far.as_deref());
    charts::islands(islands)
}

/// The block.
#[component]
pub fn Convergence() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let wants_ga = RwSignal::new(false);
    let bound = Memo::new(move |_| {
        let shown = state.split.shown.get();
        shown.map_or(0.0, |shown| shown.splits.bound_ms)
    });
    let curves = Memo::new(move |_| {
        let is_ga = wants_ga.get();
        state
            .split
            .found
            .with(|found| if is_ga { islands(found) } else { chains(found) })
    });
    let drawn = Memo::new(move |_| {
        let lines = curves.with(|curves| charts::convergence(curves, wants_ga.get(), bound.get()));
        Arc::new(lines)
    });
    let table = Memo::new(move |_| {
        let is_ga = wants_ga.get();
        Arc::new(curves.with(|curves| curve_table(curves, is_ga)))
    });
    let style = Signal::derive(|| LineStyle {
        steps: true,
        log: true,
        even: true,
        thinned: true,
    });
    let picture = Callback::new(move |width| {
        let lines = drawn.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let now = Signal::derive(move || Some(usize::from(wants_ga.get())));
    let choose = Callback::new(move |at: usize| wants_ga.set(at == 1));
    let is_going = Memo::new(move |_| state.split.found.with(Found::is_going));
    let is_evolving = Memo::new(move |_| state.split.found.with(Found::is_evolving));
    let is_ready = Memo::new(move |_| state.split.shown.with(Option::is_some));
    let going = move || {
        is_going.get().then(|| view! {
            <progress max="1" value=move || state.split.share().map(|share| share.to_string()) aria-label="The search for a split"></progress>
            <button class="btn quiet small" id="chains-stop" on:click=move |_| state.end_chains()>"Stop"</button>
        })
    };
    let evolving = move || {
        is_evolving.get().then(|| view! {
            <progress max="1" value=move || evolved(state).map(|share| share.to_string()) aria-label="The paper\u{2019}s search"></progress>
            <button class="btn quiet small" id="ga-stop" on:click=move |_| state.end_evolving()>"Stop"</button>
        })
    };
    let start = move |_| {
        wants_ga.set(true);
        state.evolve();
    };
    let told = move || state.split.found.with(|found| ga_words(found, bound.get()));
    let faults = move || {
        let faults = state.split.found.with(|found| found.faults.clone());
        faults
            .into_iter()
            .map(|fault| view! { <p class="fault" role="alert">{fault}"."</p> })
            .collect_view()
    };
    let is_there = Memo::new(move |_| drawn.with(|lines| !lines.series.is_empty()));
    move || {
        is_ready.get().then(|| view! {
            <Section
                id="convergence"
                title="The search"
                fold=Fold::Folded
                holds="how the split was found"
                tools={move || view! { <OneOf label="Which search" id="search-what" words=vec!["Ours", "The paper\u{2019}s"] now=now choose=choose/>
                        <TakePicture name="convergence" label="search" picture=picture/> }}
            >
                <div class="row tries">
                    {going}
                    <button class="btn small" id="ga" disabled=move || is_evolving.get() on:click=start>
                        "Run the paper\u{2019}s genetic search"
                    </button>
                    {evolving}
                </div>
                <Show when=move || is_there.get() fallback=|| view! { <p class="foot">"This search has found nothing yet."</p> }>
                    <LinesView lines=drawn id="convergence-chart" height=HEIGHT_PX style=style/>
                </Show>
                <p class="foot" id="ga-told" role="status">{told}</p>
                {faults}
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"The curve as a table"<span></span></summary>
                    <TableView table=table id="curve-table" capped=true/>
                </details>
            </Section>
        })
    }
}

/// The share of the paper's search that is done.
fn evolved(state: OperatorsState) -> Option<f64> {
    state.split.found.with(|found| {
        let most = found.of.as_ref()?.split.search.generations;
        let islands = found.islands.iter().map(|own| {
            let generation = own.so_far.as_ref().map_or(0, |island| island.generation);
            f64::from(generation) / most
        });
        let count = found.islands.len().max(1) as f64;
        Some(islands.sum::<f64>() / count)
    })
}

/// What the paper's search has done, in a sentence.
fn ga_words(found: &Found, bound: f64) -> Option<String> {
    let islands: Vec<&Island> = found
        .islands
        .iter()
        .filter_map(|own| own.so_far.as_deref())
        .collect();
    let first = islands.first()?;
    let scored: f64 = islands.iter().map(|island| island.evaluations).sum();
    let generation = islands.iter().map(|island| island.generation).max()?;
    let begin = if found.is_evolving() {
        format!("Generation {generation}")
    } else if islands.iter().all(|island| island.ended) {
        format!("Ended after generation {generation}")
    } else {
        format!("Stopped in generation {generation}")
    };
    let best = match found.ga() {
        Some(best) if best.is_feasible => format!(
            "its best split takes {}, gap {}",
            millis(best.latency_ms),
            percent(100.0 * gap(best.latency_ms, bound), 1)
        ),
        Some(_) => "none of its plans is within the limits".to_owned(),
        None => "its first plans are being scored".to_owned(),
    };
    Some(format!(
        "{begin} on {} islands, {} plans scored: {best}.",
        first.islands,
        count(scored)
    ))
}
