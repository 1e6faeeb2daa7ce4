//! Latency against load: the same requests at several rates through ours and other splits, and the tiers at the
//! scenario's own rate.

use super::TiersState;
use super::state::own_rate;
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::LinesView;
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use chart::{Lines, Series, SeriesRole, lines_sheet};
use engine::scenario::tiers::Requests;
use engine::units::{percent, seconds};
use job::tiers::Runs;
use leptos::prelude::*;
use report::tiers::{load, own_load, split_words, tier_name, utilisation};
use std::sync::Arc;
use story::Table;
use story::quantity::rate;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 280.0;

/// What the chart shows of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Whole,
    First,
}

impl Measure {
    fn mean(self, runs: &Runs) -> Option<f64> {
        match self {
            Self::Whole => Some(runs.quantiles.mean),
            Self::First => runs.first_token.map(|first| first.mean),
        }
    }

    fn p95(self, runs: &Runs) -> Option<f64> {
        match self {
            Self::Whole => Some(runs.quantiles.p95),
            Self::First => runs.first_token.map(|first| first.p95),
        }
    }
}

const ROLES: [SeriesRole; 4] = [
    SeriesRole::Ours,
    SeriesRole::A,
    SeriesRole::B,
    SeriesRole::C,
];

fn lines(state: TiersState, measure: Measure) -> Lines {
    state.load.with(|load| {
        let points = |at: usize, of: &dyn Fn(&Runs) -> Option<f64>| {
            let runs = &load.series[at].runs;
            let pairs = load.rates.iter().zip(runs);
            pairs
                .map(|(rate, runs)| (*rate, runs.as_deref().and_then(of)))
                .collect()
        };
        let mut series: Vec<Series> = Vec::new();
        for (at, line) in load.series.iter().enumerate() {
            let name = if at == 0 {
                "This split, mean".to_owned()
            } else {
                line.name.clone()
            };
            series.push(Series {
                name,
                role: ROLES[at.min(3)],
                points: points(at, &|runs| measure.mean(runs)),
            });
        }
        if !load.series.is_empty() {
            series.push(Series {
                name: "This split, P95".into(),
                role: SeriesRole::D,
                points: points(0, &|runs| measure.p95(runs)),
            });
        }
        let (title, y_title) = match measure {
            Measure::Whole => ("Latency against load", "Whole request"),
            Measure::First => ("First token against load", "First token"),
        };
        Lines {
            title: title.into(),
            x_title: "Requests per second".into(),
            y_title: y_title.into(),
            y_unit: "s".into(),
            decimals: 2,
            now: load.of.as_deref().and_then(own_rate),
            limit: load.full_at.map(|at| (at, format!("saturates, {at:.3}"))),
            series,
        }
    })
}

/// The block.
#[component]
pub fn LoadView() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let measure = RwSignal::new(Measure::Whole);
    let lines = Memo::new(move |_| Arc::new(lines(state, measure.get())));
    let choice = move |word: &'static str, value: Measure| {
        let is_on = move || measure.get() == value;
        view! {
            <button role="radio" aria-checked=move || is_on().to_string() on:click=move |_| measure.set(value)>{word}</button>
        }
    };
    let pick = Callback::new(move |rate: f64| {
        let _ = state.edit("load rate", |s| {
            if let Requests::Poisson { rate_per_s, .. } = &mut s.load.requests {
                *rate_per_s = rate;
            }
        });
    });
    let picture = Callback::new(move |width| {
        let lines = lines.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let table = Memo::new(move |_| {
        state.load.with(|all| {
            let mut rows: Vec<(String, Runs)> = Vec::new();
            for line in &all.series {
                let name = format!("{} ({})", line.name, split_words(&line.placed));
                let runs = line.runs.iter().flatten();
                rows.extend(runs.map(|runs| (name.clone(), (**runs).clone())));
            }
            Arc::new(load(&rows))
        })
    });
    let progress = move || {
        let (done, all) = state.load.with(|load| load.done());
        let is_running = state.running.get();
        (is_running && done < all).then(|| {
            view! {
                <div class="search" id="runs-progress">
                    <progress max=all.to_string() value=done.to_string()></progress>
                    <span class="foot">{format!("{done} of {all} runs")}</span>
                    <button class="btn small" id="runs-cancel" on:click=move |_| state.end_runs()>"Cancel"</button>
                </div>
            }
        })
    };
    let resume = move || {
        let (done, all) = state.load.with(|load| load.done());
        (!state.running.get() && done < all).then(|| {
            view! {
                <div class="search">
                    <p>{format!("{done} of {all} runs are done.")}</p>
                    <button class="btn small" id="runs-again" on:click=move |_| state.run_again()>"Run them again"</button>
                </div>
            }
        })
    };
    // Its room is there with the plan, so that nothing moves when the runs come.
    let is_there = Memo::new(move |_| {
        let plan = state
            .shown
            .get()
            .and_then(|shown| shown.planned.plan.clone());
        plan.is_some_and(|plan| plan.mem_ok)
    });
    move || {
        is_there.get().then(|| {
            view! {
                <Section
                    id="load"
                    title="Latency against load"
                    beside={move || view! { <div class="seg small" role="radiogroup" aria-label="Show">
                            {choice("Whole request", Measure::Whole)}
                            {choice("First token", Measure::First)}
                        </div> }}
                    tools={move || view! { <TakePicture name="load" label="chart of the load" picture=picture/> }}
                >
                    {move || faults(state).map(|fault| view! { <p class="fault" id="load-fault" role="status">{fault}</p> })}
                    {progress}
                    {resume}
                    <Slider/>
                    <div class="sweep">
                        <LinesView lines=lines id="load-chart" height=HEIGHT_PX on_pick=pick/>
                        <Own/>
                    </div>
                    <p class="foot" id="load-note">{move || note(state)}</p>
                    <details class="fold">
                        <summary>
                            <crate::ui::views::icons::Icon glyph=crate::ui::views::icons::Glyph::Right/>
                            "All runs as a table"
                        </summary>
                        <TableView table=table id="load-table"/>
                    </details>
                </Section>
            }
        })
    }
}

/// The rate of arrivals as a slider up to a fifth beyond what the plan can take; its figures follow.
#[component]
fn Slider() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let most = move || state.load.with(|load| load.full_at.map(|at| 1.2 * at));
    let now = move || state.scenario.with(|s| own_rate(s));
    let slide = move |event: web_sys::Event| {
        let share: Option<f64> = event_target_value(&event).parse().ok();
        if let Some((share, most)) = share.zip(most()) {
            let rate = super::state::rounded((share / 100.0 * most).max(1e-4));
            let _ = state.edit("load rate", |s| {
                if let Requests::Poisson { rate_per_s, .. } = &mut s.load.requests {
                    *rate_per_s = rate;
                }
            });
            state.forgive("load rate");
        }
    };
    let value = move || {
        let share = now().zip(most()).map(|(now, most)| 100.0 * now / most);
        share.map_or_else(String::new, |share| format!("{share:.1}"))
    };
    let words = move || now().map(rate).unwrap_or_default();
    move || {
        now().is_some().then(|| {
            view! {
                <label class="rate-slider">
                    <span>"Requests arrive"</span>
                    <input
                        class="slider"
                        id="rate-slider"
                        type="range"
                        min="1"
                        max="100"
                        step="0.5"
                        aria-valuetext=words
                        prop:value=value
                        on:input=slide
                    />
                    <span>{words}</span>
                </label>
            }
        })
    }
}

/// Which lines have no runs, and why.
fn faults(state: TiersState) -> Option<String> {
    state.load.with(|load| {
        let own = load.fault.as_ref().map(|why| format!("No runs: {why}."));
        let lines = load.series.iter().filter_map(|line| {
            let why = line.fault.as_ref()?;
            Some(format!("{} has no runs: {why}.", line.name))
        });
        let all: Vec<String> = own.into_iter().chain(lines).collect();
        (!all.is_empty()).then(|| all.join(" "))
    })
}

/// What has to be said under the chart.
fn note(state: TiersState) -> Option<String> {
    let shown = state.shown.get()?;
    let plan = shown.planned.plan.as_ref()?;
    let s = &shown.scenario;
    let count = s.load.requests.count();
    Some(format!(
        "Simulated pass by pass: {count} requests per run, {} seeds, the same for every split. The tier {} saturates at {}: \
         beyond that there is no steady average, and points depend on how many requests a run has. Click a point, or drag \
         the line, to set the rate.",
        s.load.seeds,
        tier_name(s, plan.stages[plan.busiest].tier),
        rate(plan.full_at)
    ))
}

/// The tiers at the scenario's own requests.
#[component]
fn Own() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let table = Memo::new(move |_| Arc::new(own_table(state).unwrap_or_default()));
    let summary = move || {
        let load = state.load.get();
        let (of, own) = (load.of?, load.own?);
        let shown = state.shown.get()?;
        let plan = shown.planned.plan.as_ref()?;
        if plan.stages.len() != own.utilisation.len() {
            return None;
        }
        let sentence = own_load(&of, plan, &own);
        Some(view! { <p class="reason" id="own-load"><Spoken sentence=sentence/></p> })
    };
    view! {
        <div class="own-load">
            {summary}
            <TableView table=table id="utilisation"/>
            <UnderLoad/>
        </div>
    }
}

/// The split that is soonest under these requests, looked for by simulation.
#[component]
fn UnderLoad() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let is_searching = Memo::new(move |_| state.load.with(|load| load.is_searching));
    let found = move || {
        let load = state.load.get();
        let (of, own, best) = (load.of?, load.own?, load.best?);
        let words = split_words(&best.placed);
        let same = load
            .series
            .first()
            .is_some_and(|line| line.placed == best.placed);
        let sooner = own.latency.mean - best.runs.latency.mean;
        let text = if same || sooner <= 0.0 {
            format!(
                "Of {} splits tried with these requests, none is faster on average than this one.",
                best.tried
            )
        } else {
            format!(
                "Of {} splits tried with these requests, {words} is the fastest: {} on average, {} ({}) faster. This is a search by \
                 simulation, not a proof.",
                best.tried,
                seconds(best.runs.latency.mean),
                seconds(sooner),
                percent(100.0 * sooner / own.latency.mean, 1)
            )
        };
        let split = super::compare::as_split(&of, &best.placed).filter(|_| !same && sooner > 0.0);
        let button = split.map(|split| {
            let take = move |_| {
                let split = split.clone();
                let _ = state.edit("", |s| s.split = Some(split)); // a scenario that has changed since refuses it
            };
            view! { <button class="btn small" id="under-load-take" on:click=take>"Use it"</button> }
        });
        Some(view! { <p class="foot" id="under-load-found">{text}" "{button}</p> })
    };
    view! {
        <div class="row">
            <button
                class="btn small"
                id="under-load"
                disabled=move || is_searching.get()
                on:click=move |_| state.search_under_load()
            >
                {move || if is_searching.get() { "Searching by simulation" } else { "Find the fastest split under this load" }}
            </button>
            {move || is_searching.get().then(|| view! {
                <button class="btn quiet small" id="under-load-stop" on:click=move |_| state.end_runs()>"Stop"</button>
            })}
        </div>
        {found}
    }
}

fn own_table(state: TiersState) -> Option<Table> {
    let load = state.load.get();
    let (of, own) = (load.of?, load.own?);
    let shown = state.shown.get()?;
    let plan = shown.planned.plan.as_ref()?;
    utilisation(&of, plan, &own)
}
