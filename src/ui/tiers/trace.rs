//! Arrivals of one's own: a table pasted or dropped, a time a line.

use super::TiersState;
use crate::scenario::tiers::{MOST_REQUESTS, Requests};
use crate::sim::{TraceRow, read_trace};
use crate::ui::files;
use leptos::prelude::*;

/// A place to paste or choose a trace.
#[component]
pub fn PasteTrace() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let text = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let take = move |typed: &str| {
        let read = read_trace(typed).map_err(|fault| fault.to_string()).and_then(|rows| {
            // What a request reserves follows from the model and its tokens here.
            if let Some(at) = rows.iter().position(|row| row.mem != 0.0) {
                let row = at + 1;
                return Err(format!(
                    "row {row} reserves memory of its own, which the page reckons from the model; `edgewise solve \
                     tiers-simulate` takes it"
                ));
            }
            let pair = |row: TraceRow| (row.arrival, f64::from(row.out_tokens));
            Ok(rows.into_iter().map(pair).collect::<Vec<_>>())
        });
        let done = read.and_then(|rows| {
            let edited = state.edit("", |s| s.load.requests = Requests::Trace(rows));
            edited.map_err(|fault| fault.message)
        });
        match done {
            Ok(()) => {
                fault.set(None);
                text.set(String::new());
            }
            Err(why) => fault.set(Some(why)),
        }
    };
    let chosen = move |event: web_sys::Event| {
        if let Some(file) = files::chosen(&event) {
            files::read(file, move |name, read| match read {
                Ok(content) => take(&content),
                Err(why) => fault.set(Some(format!("{name}: {why}"))),
            });
        }
    };
    view! {
        <div class="wide trace">
            <label>
                <span>"A trace: arrival in seconds and tokens out, a request a line" <small>{format!(" up to {MOST_REQUESTS}")}</small></span>
                <textarea
                    id="trace-text"
                    rows="3"
                    spellcheck="false"
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
            </label>
            <div class="row">
                <button
                    class="btn small"
                    id="trace-take"
                    disabled=move || text.with(|text| text.trim().is_empty())
                    on:click=move |_| take(&text.get_untracked())
                >
                    "Use the trace"
                </button>
                <label class="btn small file">
                    "From a file"
                    <input type="file" class="sr" accept=".csv,.tsv,.txt" on:change=chosen/>
                </label>
            </div>
            {move || fault.get().map(|fault| view! { <p class="fault" id="trace-fault" role="alert">{fault}"."</p> })}
        </div>
    }
}
