//! Arrivals of one's own: a table pasted or dropped, a time a line.

use super::TiersState;
use crate::ui::views::paste_table::PasteTable;
use engine::scenario::tiers::{MOST_REQUESTS, Requests};
use engine::sim::{TraceRow, read_trace};
use leptos::prelude::*;

/// A place to paste or choose a trace.
#[component]
pub fn PasteTrace() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let take = Callback::new(move |typed: String| {
        let rows = read_trace(&typed).map_err(|fault| fault.to_string())?;
        // What a request reserves follows from the model and its tokens here.
        if let Some(at) = rows.iter().position(|row| row.mem != 0.0) {
            let row = at + 1;
            return Err(format!(
                "row {row} reserves memory of its own, which the page computes from the model; `edgewise solve \
                 tiers-simulate` takes it"
            ));
        }
        let pair = |row: TraceRow| (row.arrival, f64::from(row.out_tokens));
        let rows = rows.into_iter().map(pair).collect();
        let edited = state.edit("", |s| s.load.requests = Requests::Trace(rows));
        edited.map_err(|fault| fault.message)
    });
    view! {
        <PasteTable
            name="trace"
            label="A trace: arrival in seconds and tokens out, one request per line"
            note=format!("up to {MOST_REQUESTS}")
            button="Use the trace"
            take=take
        />
    }
}
