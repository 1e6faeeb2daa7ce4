//! The paper's three strategies over the number of requests and the length of answers, at two link rates: the pictures
//! of its Fig. 5, 6, 9 and 10 for the scenario on the desk.

use super::TiersState;
use super::state::{COUNTS, LINKS, TOKENS, strategies};
use crate::ui::views::held::LinesView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use crate::ui::views::table::TableView;
use chart::{Lines, Series, SeriesRole, lines_sheet};
use job::tiers::Runs;
use leptos::prelude::*;
use std::sync::Arc;
use story::{Cell, Column, Table};

/// Height of the charts [px].
const HEIGHT_PX: f64 = 250.0;

const ROLES: [SeriesRole; 3] = [SeriesRole::Ours, SeriesRole::A, SeriesRole::B];

/// A strategy at a link rate, with its runs over the parameter.
type Row = (&'static str, f64, Vec<(f64, Option<Arc<Runs>>)>);

/// All runs over one parameter: numbers of requests, or lengths of answers of a lone one.
fn rows(state: TiersState, over_count: bool) -> Vec<Row> {
    let Some(shown) = state.shown.get() else {
        return Vec::new();
    };
    let load = state.load.get();
    let Some(ours) = load.series.first() else {
        return Vec::new();
    };
    let own_tokens = shown.scenario.out_tokens;
    let mut rows = Vec::new();
    for (name, placed, scheduler) in strategies(&shown, ours) {
        for link in LINKS {
            let at = |count: f64, tokens: f64| {
                let found = load.many.iter().find(|(ask, _)| {
                    ask.placed == placed
                        && ask.scheduler == scheduler
                        && ask.link_mbit_s == Some(link)
                        && ask.count == Some(count)
                        && ask.out_tokens == Some(tokens)
                });
                found.and_then(|(_, runs)| runs.clone())
            };
            let points = if over_count {
                COUNTS.iter().map(|n| (*n, at(*n, own_tokens))).collect()
            } else {
                TOKENS.iter().map(|n| (*n, at(1.0, *n))).collect()
            };
            rows.push((name, link, points));
        }
    }
    rows
}

fn lines(state: TiersState, over_count: bool, link: f64, makespan: bool) -> Lines {
    let all = rows(state, over_count);
    let value = |runs: &Runs| {
        if makespan {
            runs.makespan.mean
        } else {
            runs.latency.mean
        }
    };
    let series = all.iter().filter(|row| row.1 == link).zip(ROLES);
    let (title, x_title) = if over_count {
        ("Latency by number of requests", "Requests")
    } else {
        ("A single request by the length of its answer", "Tokens out")
    };
    Lines {
        title: format!("{title}, {link} Mbit/s"),
        x_title: x_title.into(),
        y_title: if makespan { "Makespan" } else { "Mean latency" }.into(),
        y_unit: "s".into(),
        decimals: 2,
        now: None,
        limit: None,
        series: series
            .map(|((name, _, points), role)| Series {
                name: (*name).into(),
                role,
                points: points
                    .iter()
                    .map(|(x, runs)| (*x, runs.as_deref().map(value)))
                    .collect(),
            })
            .collect(),
    }
}

fn table_of(state: TiersState) -> Table {
    let columns = [
        ("strategy", "strategy", ""),
        ("link_mbit_s", "link", "Mbit/s"),
        ("requests", "requests", ""),
        ("out_tokens", "tokens out", ""),
        ("mean_s", "mean latency", "s"),
        ("spread_s", "\u{b1} 95 % over seeds", "s"),
        ("makespan_s", "makespan", "s"),
    ];
    let own = state.scenario.with(|s| s.out_tokens);
    let mut cells = Vec::new();
    for over_count in [true, false] {
        for (name, link, points) in rows(state, over_count) {
            for (x, runs) in points {
                let Some(runs) = runs else { continue };
                let (count, tokens) = if over_count { (x, own) } else { (1.0, x) };
                cells.push(vec![
                    Cell::text(name),
                    Cell::Number(link, 0),
                    Cell::Number(count, 0),
                    Cell::Number(tokens, 0),
                    Cell::Number(runs.latency.mean, 2),
                    Cell::maybe(runs.latency.confidence, 2),
                    Cell::Number(runs.makespan.mean, 1),
                ]);
            }
        }
    }
    Table {
        name: "strategies",
        title: "Three strategies over requests and tokens".to_owned(),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .into(),
        rows: cells,
    }
}

/// The block.
#[component]
pub fn Many() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let link = RwSignal::new(LINKS[0]);
    let makespan = RwSignal::new(false);
    let over_count = Memo::new(move |_| Arc::new(lines(state, true, link.get(), makespan.get())));
    let over_tokens = Memo::new(move |_| Arc::new(lines(state, false, link.get(), false)));
    let table = Memo::new(move |_| Arc::new(table_of(state)));
    let is_there = Memo::new(move |_| state.load.with(|load| load.of.is_some()));
    let ask = Callback::new(move |()| {
        state.load.track();
        state.ask_many();
    });
    let rate_choice = move |value: f64| {
        let is_on = move || link.get() == value;
        view! {
            <button role="radio" aria-checked=move || is_on().to_string() on:click=move |_| link.set(value)>
                {format!("{value} Mbit/s")}
            </button>
        }
    };
    let measure_choice = move |word: &'static str, value: bool| {
        let is_on = move || makespan.get() == value;
        view! {
            <button role="radio" aria-checked=move || is_on().to_string() on:click=move |_| makespan.set(value)>{word}</button>
        }
    };
    let count_picture =
        Callback::new(move |width| Some(lines_sheet(&over_count.get_untracked(), width)));
    let token_picture =
        Callback::new(move |width| Some(lines_sheet(&over_tokens.get_untracked(), width)));
    view! {
                <Section
                    id="many"
                    title="Three strategies over requests and tokens"
                    fold=Fold::Folded
                    holds="HEFT and GPipe beside this split"
                    beside={move || view! { <div class="seg small" role="radiogroup" aria-label="Link rate">{LINKS.map(rate_choice)}</div> }}
                    is_there=is_there
                >
                    <WhileOpen run=ask/>
                    <div class="halves">
                        <div>
                            <div class="row">
                                <div class="seg small" role="radiogroup" aria-label="Show">
                                    {measure_choice("Mean latency", false)}
                                    {measure_choice("Makespan", true)}
                                </div>
                                <TakePicture name="many" label="chart over requests" picture=count_picture/>
                            </div>
                            <LinesView lines=over_count id="many-chart" height=HEIGHT_PX/>
                        </div>
                        <div>
                            <div class="row"><TakePicture name="tokens" label="chart over tokens" picture=token_picture/></div>
                            <LinesView lines=over_tokens id="tokens-chart" height=HEIGHT_PX/>
                        </div>
                    </div>
                    <p class="foot">
                        "The axes of the paper\u{2019}s Fig. 5, 6, 9 and 10 for the scenario on the left: requests at its rate and length, \
                         and a single request with more or fewer tokens. What the paper calls latency behaves like makespan: the \
                         time until all requests are finished."
                    </p>
                    <details class="fold">
                        <summary><Icon glyph=Glyph::Right/>"All of it as a table"</summary>
                        <TableView table=table id="many-table"/>
                    </details>
                </Section>
    }
}
