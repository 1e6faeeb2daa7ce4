//! The laws behind an answer as pictures, and logs of one's own in their place.

use super::DispatchState;
use super::state::Reading;
use crate::ui::files;
use crate::ui::views::held::ChartView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use chart::{Drawn, Spread, View, layout_spread, spots_sheet};
use engine::scenario::dispatch::log::Column;
use leptos::prelude::*;
use report::dispatch::{charts, first_token_words, law, law_words, prompt_words};
use std::sync::Arc;

/// Height of the histograms [px].
const HEIGHT_PX: f64 = 230.0;

/// Both laws as histograms.
#[component]
pub fn Laws() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let one = move |pick: fn(&super::state::Shown) -> Spread| {
        state
            .shown
            .with(|shown| shown.as_deref().map(pick))
            .unwrap_or_default()
    };
    let of_times = move || one(|shown| charts::first_tokens(&shown.planned.first_tokens));
    let of_prompts = move || one(|shown| charts::prompts(&shown.planned.prompt_law));
    let draw_times = Callback::new(move |(w, _): (f64, View)| {
        Drawn(Arc::new(layout_spread(&of_times(), w, HEIGHT_PX)))
    });
    let draw_prompts = Callback::new(move |(w, _): (f64, View)| {
        Drawn(Arc::new(layout_spread(&of_prompts(), w, HEIGHT_PX)))
    });
    let sheet = move |spread: Spread, width: f64| {
        let title = spread.title.clone();
        (!spread.samples.is_empty()).then(|| {
            spots_sheet(&title, width, |w| {
                layout_spread(&spread, w, HEIGHT_PX).picture
            })
        })
    };
    let times_picture = Callback::new(move |width| sheet(untrack(of_times), width));
    let prompts_picture = Callback::new(move |width| sheet(untrack(of_prompts), width));
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| law(&s.planned)))
    });
    let note = move || {
        let shown = state.shown.get()?;
        Some(law_words(&shown.scenario, &shown.planned))
    };
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    move || {
        is_there.get().then(|| view! {
            <Section id="laws" title="First tokens and prompts" fold=Fold::Folded holds="the distributions behind the answer">
                <div class="pair">
                    <div>
                        <div class="head">
                            <h3>"Server\u{2019}s first token"</h3>
                            <div class="tools"><TakePicture name="law-times" label="distribution of first tokens" picture=times_picture/></div>
                        </div>
                        <p class="over">{move || state.scenario.with(|s| first_token_words(s))}</p>
                        <ChartView draw=draw_times id="law-times-chart" kind="histogram"/>
                    </div>
                    <div>
                        <div class="head">
                            <h3>"Prompts"</h3>
                            <div class="tools"><TakePicture name="law-prompts" label="distribution of prompts" picture=prompts_picture/></div>
                        </div>
                        <p class="over">{move || state.scenario.with(|s| prompt_words(s))}</p>
                        <ChartView draw=draw_prompts id="law-prompts-chart" kind="histogram"/>
                    </div>
                </div>
                <p class="foot" id="law-note">{note}</p>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"In figures"<span></span></summary>
                    <TableView table=table id="law-table"/>
                </details>
            </Section>
        })
    }
}

/// A place for a log: a file that is dropped or chosen, or text that is pasted.
#[component]
pub fn DropLog(
    /// What a table of one column without a name holds.
    bare: Column,
) -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let pasted = RwSignal::new(String::new());
    let (id, what) = match bare {
        Column::FirstTokens => ("log-times", "times to first token, in seconds"),
        Column::Prompts => ("log-prompts", "prompt lengths, in tokens"),
    };
    let take = move |name: String, text: Result<String, String>| match text {
        Ok(text) => state.import(name, text, bare),
        Err(why) => state
            .reading
            .set(Reading::Refused(format!("{name}: {why}"))),
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
            state
                .reading
                .set(Reading::Refused("Nothing was pasted yet.".to_owned()));
        } else {
            state.import("pasted".to_owned(), text, bare);
        }
    };
    let said = move || {
        match state.reading.get() {
        Reading::Idle => ().into_any(),
        Reading::Busy(name) => {
            view! { <p class="foot" role="status">{format!("Reading {name}.")}</p> }.into_any()
        }
        Reading::Taken(words) => view! { <p class="foot" role="status">{words}</p> }.into_any(),
        Reading::Refused(why) => view! {
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
