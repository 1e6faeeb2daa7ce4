//! The numbers behind the chart, a row a length, and the files that hold all of them in full.

use super::point;
use crate::ui::state::State;
use crate::ui::views::table::TakeTable;
use engine::units::MINUS;
use job::cold_start::{Answer, BaselineAnswer, Status, gain_pct};
use leptos::prelude::*;
use report::cold_start::tables::sweep;
use std::sync::Arc;
use story::{Cell, Column, Table};

/// Heads of the columns behind the prompt length.
const HEADS: [&str; 7] = [
    "Edgewise",
    "Single, no memory limit",
    "Even",
    "Heuristic",
    "In strength order",
    "Best of these that fits",
    "Gain over it, %",
];

/// The numbers.
#[component]
pub fn Numbers() -> impl IntoView {
    let state = expect_context::<State>();
    let lengths = state.sweep.values;
    // Made when it is taken, not for every point that arrives.
    let table = Signal::derive(move || Arc::new(table(state)));
    view! {
        <p class="foot over">
            "First answer in seconds; in brackets the gain over that plan in percent, where that plan fits. In strength \
             order: the best cuts for devices that run strongest first, as in single, even and heuristic. \u{2264}: the \
             search was cut short, and a plan may be faster."
        </p>
        // It scrolls, and nothing in it takes the focus: so it does itself.
        <div class="scroll rows" tabindex="0" role="region" aria-label="First answer over prompt length, in numbers">
            <table class="data" id="sweep-table">
                <caption class="sr">"First answer over prompt length, in seconds"</caption>
                <thead>
                    <tr>
                        <th class="n">"Tokens"</th>
                        {HEADS.map(|head| view! { <th class="n">{head}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    <For each=move || (*lengths.get()).clone() key=|tokens| *tokens as u64 let:tokens>
                        {row(state, tokens)}
                    </For>
                </tbody>
            </table>
        </div>
        <TakeTable table=table id="sweep-table"/>
    }
}

fn row(state: State, tokens: f64) -> impl IntoView {
    let answer = point(state, tokens);
    let is_now = Memo::new(move |_| state.scenario.with(|s| s.prompt_tokens == tokens));
    let is_left_out =
        Memo::new(move |_| state.sweep.points.with(|points| points.is_left_out(tokens)));
    let texts = move || match answer.get().0 {
        Some(answer) => cells(&answer),
        None => {
            let mut cells = HEADS.map(|_| "\u{2013}".to_owned());
            if is_left_out.get() {
                cells[0] = "left out".to_owned();
            }
            cells
        }
    };
    let cells = move || {
        texts()
            .map(|text| view! { <td class="n">{text}</td> })
            .collect_view()
    };
    view! {
        <tr class:now=is_now>
            <td class="n">{tokens}</td>
            {cells}
        </tr>
    }
}

fn cells(answer: &Answer) -> [String; 7] {
    let total = answer.T;
    let timed = |of: &BaselineAnswer| {
        // Nothing is gained over a plan that cannot be run.
        let gain = total
            .filter(|_| of.mem_ok)
            .map(|total| format!(" ({})", signed(gain_pct(of.T, total))))
            .unwrap_or_default();
        format!("{:.4}{gain}", of.T)
    };
    let b = &answer.baselines;
    let ordered = answer.ordered.as_ref();
    [
        match (total, answer.status) {
            (None, _) => "does not fit".to_owned(),
            (Some(total), Status::Feasible) => format!("\u{2264}\u{202f}{total:.4}"),
            (Some(total), _) => format!("{total:.4}"),
        },
        timed(&b.single),
        timed(&b.even),
        timed(&b.heuristic),
        ordered.map_or_else(|| "\u{2013}".to_owned(), timed),
        answer.best_baseline.clone().unwrap_or_default(),
        answer.gain_vs_best_pct.map(signed).unwrap_or_default(),
    ]
}

/// A percentage with two decimals and a true minus sign.
fn signed(percentage: f64) -> String {
    format!("{percentage:.2}").replace('-', &MINUS.to_string())
}

/// The points that are drawn.
fn table(state: State) -> Table {
    let x = Column::new("prompt_tokens", "prompt tokens", "");
    let points = state.sweep.points.read_untracked();
    let Some(problem) = points.problem() else {
        return Table::default();
    };
    let lengths = state.sweep.values.get_untracked();
    let mut table = sweep(
        problem,
        x,
        0,
        lengths.iter().map(|t| (*t, points.at(*t).map(Arc::as_ref))),
    );
    for row in &mut table.rows {
        if let Some(Cell::Number(tokens, _)) = row.first()
            && points.is_left_out(*tokens)
        {
            row[1] = Cell::text("left out");
        }
    }
    table
}
