//! Logs of one's own in the place of an assumed law.

use super::DispatchState;
use crate::ui::answer_view::ImportState;
use crate::ui::files;
use engine::scenario::dispatch::log::LogColumn;
use leptos::prelude::*;

/// A place for a log: a file that is dropped or chosen, or text that is pasted.
#[component]
pub fn DropLog(
    /// Meaning of the column in a table with a single column and no header.
    bare: LogColumn,
) -> impl IntoView {
    let store = expect_context::<DispatchState>().answer.answer;
    let pasted = RwSignal::new(String::new());
    let (id, what) = match bare {
        LogColumn::FirstTokens => ("log-times", "times to first token, in seconds"),
        LogColumn::Prompts => ("log-prompts", "prompt lengths, in tokens"),
    };
    let take = move |name: String, text: Result<String, String>| match text {
        Ok(text) => store.import_file(id, name, text),
        Err(why) => store
            .reading
            .set(ImportState::Refused(format!("{name}: {why}"))),
    };
    let drop = move |event: web_sys::DragEvent| {
        if let Some(file) = files::dropped(&event) {
            files::read_log(file, take);
        }
    };
    let choose = move |event: leptos::ev::Event| {
        if let Some(file) = files::chosen(&event) {
            files::read_log(file, take);
        }
    };
    let read = move |_| {
        let text = pasted.get_untracked();
        if text.trim().is_empty() {
            store
                .reading
                .set(ImportState::Refused("Nothing was pasted yet.".to_owned()));
        } else {
            store.import_file(id, "pasted".to_owned(), text);
        }
    };
    let said = move || {
        match store.reading.get() {
        ImportState::Idle => ().into_any(),
        ImportState::Busy(name) => {
            view! { <p class="foot" role="status">{format!("Reading {name}.")}</p> }.into_any()
        }
        ImportState::Applied(words) => view! { <p class="foot" role="status">{words}</p> }.into_any(),
        ImportState::Refused(why) => view! {
            <p class="fault log-fault" role="alert">{format!("Not imported: {}. Your scenario is unchanged.", why.trim_end_matches('.'))}</p>
        }
        .into_any(),
    }
    };
    view! {
        <div class="drop-log" id=id on:drop=drop on:dragover=move |event| {
            if files::are_dragged(&event) {
                event.prevent_default();
            }
        }>
            <label for=format!("{id}-text")>{format!("Your own log: {what}")}</label>
            <textarea
                id=format!("{id}-text")
                rows="3"
                spellcheck="false"
                placeholder="ttft,prompt_tokens"
                prop:value=move || pasted.get()
                on:input=move |event| pasted.set(event_target_value(&event))
            ></textarea>
            <div class="row">
                <button class="btn small" id=format!("{id}-read") on:click=read>"Use this"</button>
                <label class="btn quiet small">
                    "Open a file"
                    <input type="file" class="sr" id=format!("{id}-file") accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson" on:change=choose/>
                </label>
            </div>
            <p class="hint">
                "CSV or JSON lines, one request per row, with columns ttft (s), ttft_ms or prompt_tokens; or a single column. It stays in \
                 this browser; in a link a large log becomes a histogram."
            </p>
            {said}
        </div>
    }
}
