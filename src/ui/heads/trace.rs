//! A record of what the devices had free: a table pasted or dropped.

use super::HeadsState;
use crate::report::heads::device_name;
use crate::sim::read_free;
use crate::ui::files;
use leptos::prelude::*;

/// A place to paste or choose a record.
#[component]
pub fn PasteRecord() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let text = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let take = move |typed: &str| {
        let names: Vec<String> = state
            .scenario
            .with_untracked(|s| (0..s.devices.len()).map(|at| device_name(s, at)).collect());
        let read = read_free(typed, &names).map_err(|fault| fault.message);
        let done = read.and_then(|rows| {
            let rows = rows
                .into_iter()
                .map(|row| (row.token, row.device, row.compute_gops, row.memory_gb))
                .collect();
            let edited = state.edit("", |s| s.recorded = Some(rows));
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
                <span>"A record of what is free: token, device, compute_gops, memory_gb" <small>" from that token on"</small></span>
                <textarea
                    id="record-text"
                    rows="3"
                    spellcheck="false"
                    placeholder="token,device,compute_gops,memory_gb"
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
            </label>
            <div class="row">
                <button
                    class="btn small"
                    id="record-take"
                    disabled=move || text.with(|text| text.trim().is_empty())
                    on:click=move |_| take(&text.get_untracked())
                >
                    "Use the record"
                </button>
                <label class="btn small file">
                    "From a file"
                    <input type="file" class="sr" accept=".csv,.tsv,.txt" on:change=chosen/>
                </label>
            </div>
            {move || fault.get().map(|fault| view! { <p class="fault" id="record-fault" role="alert">{fault}"."</p> })}
        </div>
    }
}
