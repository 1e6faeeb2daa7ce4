//! What the draws come to: in sentences, as a histogram, by number with the command that measures it, and by plan.

use super::Draws;
use crate::ui::download;
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::ChartView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::table::{TableView, TakeTable};
use chart::{Drawn, Spread as Histogram, View, layout_spread, spots_sheet};
use engine::units::{percent, seconds};
use leptos::prelude::*;
use report::cold_start::spread::measure::measure;
use report::cold_start::spread::{
    basis, goal, inputs_table, order, plans_table, summary, times_table, worst,
};
use std::sync::Arc;

/// Height of the histogram [px].
const HEIGHT_PX: f64 = 220.0;

/// The times of the plan on show over the draws.
fn histogram(draws: Draws) -> Histogram {
    let Some((known, spread)) = draws.known.get().zip(draws.spread.get()) else {
        return Histogram::default();
    };
    let goal = goal(&known.of.scenario);
    let mark = |name: &str, time: Option<f64>| time.map(|time| (name.to_owned(), time));
    let marks = [
        mark("5\u{202f}%", spread.time_at(0.05)),
        mark("median", spread.time_at(0.5)),
        mark("95\u{202f}%", spread.time_at(0.95)),
        mark("as the numbers stand", Some(spread.at_values)),
    ];
    Histogram {
        title: format!("{goal} of this plan over the draws"),
        x_title: format!("{goal}, s"),
        unit: "s".to_owned(),
        decimals: 3,
        is_whole: false,
        is_even: true,
        samples: spread.times.iter().map(|time| (*time, 1.0)).collect(),
        fit: None,
        quantiles: marks.into_iter().flatten().collect(),
    }
}

/// The picture as a file.
#[component]
pub fn Files(draws: Draws) -> impl IntoView {
    let picture = Callback::new(move |width: f64| {
        let chart = untrack(|| histogram(draws));
        let title = chart.title.clone();
        (!chart.samples.is_empty()).then(|| {
            spots_sheet(&title, width, |w| {
                layout_spread(&chart, w, HEIGHT_PX).picture
            })
        })
    });
    let is_there = Memo::new(move |_| draws.spread.with(Option::is_some));
    move || {
        is_there.get().then(|| view! { <TakePicture name="spread" label="histogram of first answers" picture=picture/> })
    }
}

/// All of it, as far as it is known.
#[component]
pub fn Result(draws: Draws) -> impl IntoView {
    let is_there = Memo::new(move |_| draws.spread.with(Option::is_some));
    move || is_there.get().then(|| view! { <Known draws=draws/> })
}

#[component]
fn Known(draws: Draws) -> impl IntoView {
    let both = move || draws.known.get().zip(draws.spread.get());
    let said = move || {
        let (known, spread) = both()?;
        Some(view! { <Spoken sentence=summary(&known.of.scenario, &spread)/> })
    };
    let worst_found = move || {
        let (known, spread) = both()?;
        worst(&known.of.scenario, &known.of.problem, &spread)
    };
    let fault = move || {
        let why = draws.known.get()?.fault.clone()?;
        Some(
            view! { <p class="fault" role="status">{format!("Some draws could not be solved: {why}.")}</p> },
        )
    };
    let is_stale = move || {
        let shown = draws.state.settled.get();
        let known = draws.known.get();
        shown
            .zip(known)
            .is_none_or(|(shown, known)| !Arc::ptr_eq(&shown, &known.of))
    };
    let draw = Callback::new(move |(width, _): (f64, View)| {
        let chart = layout_spread(&histogram(draws), width, HEIGHT_PX);
        Drawn(Arc::new(chart))
    });
    let plans = Memo::new(move |_| {
        Arc::new(both().map_or_else(Default::default, |(known, spread)| {
            plans_table(&known.of.problem, &spread)
        }))
    });
    let times = Memo::new(move |_| {
        Arc::new(both().map_or_else(Default::default, |(known, spread)| {
            times_table(&known.of.scenario, &spread)
        }))
    });
    view! {
        <div class="drawn" class:stale=is_stale>
            <p class="reason" id="spread-said">{said}</p>
            {fault}
            <ChartView draw=draw id="spread-chart" kind="histogram"/>
            <Inputs draws=draws/>
            <h3>"Plans that were the fastest in some draw"</h3>
            <TableView table=plans id="spread-plans"/>
            <p class="foot" id="spread-worst">{worst_found}</p>
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>"Times over the draws as a table"</summary>
                <TableView table=times id="spread-times"/>
            </details>
            <p class="foot" id="spread-basis">{move || draws.spread.get().map(|spread| basis(&spread))}</p>
        </div>
    }
}

/// The numbers with a range, most worth measuring first, each with its command.
#[component]
fn Inputs(draws: Draws) -> impl IntoView {
    let table = Signal::derive(move || {
        let both = draws.known.get().zip(draws.spread.get());
        Arc::new(both.map_or_else(Default::default, |(known, spread)| {
            inputs_table(&known.of.scenario, &spread)
        }))
    });
    let rows = move || {
        let (known, spread) = draws.known.get().zip(draws.spread.get())?;
        let scenario = &known.of.scenario;
        let inputs = scenario.spanned();
        let row = |at: usize| {
            let (input, row) = (inputs.get(at)?, spread.inputs.get(at)?);
            let how = measure(scenario, input);
            let worth = match row.worth {
                Some(worth) if worth.is_something(spread.at_values) => seconds(worth.mean),
                Some(_) => "nothing".to_owned(),
                None => "\u{2013}".to_owned(),
            };
            let share = row
                .share
                .map_or_else(|| "\u{2013}".to_owned(), |s| percent(100.0 * s, 1));
            let span = input.span?.words(input.unit);
            let command = how.command.clone();
            let state = draws.state;
            let copy = move |_| {
                download::copy(&command, move |copied| state.say_copied("Command", copied));
            };
            let label = input.label.clone();
            let paste = (!how.command.is_empty()).then(|| {
                view! {
                    <code>{how.command.clone()}</code>
                    <button class="btn quiet small" aria-label=format!("Copy the command that measures {label}") on:click=copy>
                        "Copy"
                    </button>
                }
            });
            Some(view! {
                <tr>
                    <th scope="row">{input.label.clone()}<small>{span}</small></th>
                    <td class="n">{worth}</td>
                    <td class="n">{share}</td>
                    <td class="how">
                        <div class="command">{paste}</div>
                        <small>{format!("On {}. {}", how.on, how.then)}</small>
                    </td>
                </tr>
            })
        };
        Some(order(&spread).into_iter().filter_map(row).collect_view())
    };
    view! {
        <h3>"What to measure"</h3>
        <div class="scroll" tabindex="0" role="region" aria-label="What to measure">
            <table class="data measures" id="spread-inputs">
                <caption class="sr">"Numbers with a range, most worth measuring first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Number"</th>
                        <th scope="col" class="n">"Worth knowing"</th>
                        <th scope="col" class="n">"Share of spread"</th>
                        <th scope="col">"How to measure it"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <TakeTable table=table id="spread-inputs"/>
    }
}
