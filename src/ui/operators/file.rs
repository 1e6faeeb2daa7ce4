//! A file on the page: how one is opened, what was read of it, what is going on with it, and the one that a link needs.

use super::OperatorsState;
use super::reading::{FileReading, source_of};
use crate::ui::files;
use crate::ui::questions::Questions;
use crate::ui::views::empty::Undo;
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::operators::{Choice, Source, presets};
use engine::units::percent;
use gloo::timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;
use protocol::names::operators::operators;
use wasm_bindgen::JsCast;

/// The longest length of a dimension, as the schema has it.
const MOST_LENGTH: u64 = 1 << 40;
/// A file that is dragged over the page is taken to have gone after so long without a sign of it [ms].
const GONE_AFTER_MS: u32 = 250;

/// A button that opens a file; one can also be dropped anywhere on the question.
#[component]
pub fn OpenOnnx(
    /// Id of the button; the input has it with `-file` behind.
    id: &'static str,
    class: &'static str,
    words: &'static str,
) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let questions = expect_context::<Questions>();
    let choose = NodeRef::<leptos::html::Input>::new();
    view! {
        <input
            type="file"
            id=format!("{id}-file")
            hidden=true
            accept=".onnx,.json"
            node_ref=choose
            on:change=move |event| {
                if let Some(file) = files::chosen(&event) {
                    state.sheet.set(false);
                    files::open_when_loaded(questions, vec![file]);
                }
            }
        />
        <button class=class id=id on:click=move |_| {
            if let Some(input) = choose.get_untracked() {
                input.unchecked_ref::<web_sys::HtmlElement>().click();
            }
        }>
            {words}
        </button>
    }
}

/// Settings of the graph's file: lengths of symbolic dimensions, the classifier; and notes of the reader.
#[component]
pub fn FileFields() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let source = Memo::new(move |_| state.scenario.with(|s| source_of(s).cloned()));
    let is_wanted = Memo::new(move |_| state.scenario.with(|s| s.is_empty()));
    let fault = RwSignal::new(None::<String>);
    // Another graph has no share in what was wrong with the one before.
    Effect::new(move |_| {
        source.track();
        fault.set(None);
    });
    move || {
        let source = source.get()?;
        if is_wanted.get() {
            return None;
        }
        // All that the file leaves open while it has been read here, else those that were given.
        let read = state.said_of(&source);
        let dims: Vec<(String, u64)> = match &read {
            Some(read) => {
                let dims = read.dims.iter();
                dims.map(|dim| (dim.name.clone(), dim.value)).collect()
            }
            None => source.dims.clone(),
        };
        let has_dims = !dims.is_empty();
        let fields = dims
            .into_iter()
            .enumerate()
            .map(|(at, (name, length))| view! { <Dimension at=at name=name length=length fault=fault/> })
            .collect_view();
        let classifier = source.classifier;
        let count = move |event: web_sys::Event| {
            let on = event_target_checked(&event);
            if let Err(why) = state.read_again(|source| source.classifier = on) {
                fault.set(Some(format!("{why}.")));
                let input: web_sys::HtmlInputElement = event_target(&event);
                input.set_checked(!on);
            }
        };
        Some(view! {
            <div class="file-fields" id="file-fields">
                {has_dims.then(|| view! {
                    <p class="hint">"Dimensions that the file leaves open."</p>
                    <div class="grid-fields">{fields}</div>
                })}
                <label class="check">
                    <input type="checkbox" id="classifier" prop:checked=classifier on:change=count/>
                    "Count the classifier (Gemm)"
                </label>
                {move || fault.get().map(|why| view! { <p class="fault" id="file-fault" role="alert">{why}</p> })}
                <Notes source=source.clone()/>
            </div>
        })
    }
}

/// One length that a file leaves open.
#[component]
fn Dimension(
    at: usize,
    name: String,
    length: u64,
    fault: RwSignal<Option<String>>,
) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let label = name.clone();
    let set = move |event: web_sys::Event| {
        let typed = event_target_value(&event);
        let parsed = typed.trim().parse::<u64>().ok();
        let Some(next) = parsed.filter(|n| (1..=MOST_LENGTH).contains(n)) else {
            let said: String = typed.trim().chars().take(24).collect();
            return fault.set(Some(format!(
                "{name} must be a whole number from 1 to {MOST_LENGTH}; it is \u{201c}{said}\u{201d}. The answer still uses {length}."
            )));
        };
        let done = state.read_again(|source: &mut Source| {
            let known = source.dims.iter_mut().find(|dim| dim.0 == name);
            match known {
                Some(dim) => dim.1 = next,
                None => source.dims.push((name.clone(), next)),
            }
        });
        fault.set(
            done.err()
                .map(|why| format!("{why}. The answer still uses {length}.")),
        );
    };
    view! {
        <label>
            <span>{label}</span>
            <input id=format!("dim-{at}") inputmode="numeric" autocomplete="off" prop:value=length.to_string() on:change=set/>
        </label>
    }
}

/// Notes of the reader, if this page has read the file.
#[component]
fn Notes(source: Source) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    move || {
        let read = state.said_of(&source)?;
        let notes = read.notes.clone();
        let is_short = notes.len() < 4;
        let summary = match notes.len() {
            0 => format!("{} nodes, no notes", read.nodes),
            1 => format!("{} nodes, one note", read.nodes),
            n => format!("{} nodes, {n} notes", read.nodes),
        };
        Some(view! {
            <details class="fold inner" id="file-notes" open=is_short>
                <summary><Icon glyph=Glyph::Right/>"What was read"<span>{summary}</span></summary>
                <ul class="file-notes">{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
            </details>
        })
    }
}

/// State of reading a file, above the answer.
#[component]
pub fn FileNotice() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let close = move |_| state.reading.set(FileReading::Idle);
    let content = move || {
        match state.reading.get() {
        FileReading::Idle => None,
        FileReading::Busy(name, share) => {
            let far = share.map(|share| format!(", {}", percent(100.0 * share, 0)));
            Some(view! {
                <div class="banner info" role="status">
                    <Icon glyph=Glyph::Edit/>
                    <p><b>{format!("{name} is being read{}.", far.unwrap_or_default())}</b>" It stays in this browser."</p>
                    <button class="btn small" id="stop-reading" on:click=move |_| state.end_reading()>"Cancel"</button>
                </div>
            }
            .into_any())
        }
        FileReading::Refused(name, why) => Some(view! {
            <div class="banner warn" role="alert">
                <Icon glyph=Glyph::Warn/>
                <p><b>{format!("{name} was not opened:")}</b>{format!(" {}. Your graph is still here, unchanged.", why.trim_end_matches('.'))}</p>
                <button class="btn quiet small icon" aria-label="Dismiss" on:click=close><Icon glyph=Glyph::Close/></button>
            </div>
        }
        .into_any()),
        FileReading::Other(found) => {
            let (source, imported) = &*found;
            let words = format!(
                " It has {}; the link was made from another file, or from this one with other dimensions.",
                operators(imported.graph.ops.len())
            );
            let title = format!("{} is not the graph that the link needs.", source.file);
            let found = found.clone();
            Some(view! {
                <div class="banner warn" role="alert">
                    <Icon glyph=Glyph::Warn/>
                    <p><b>{title}</b>{words}</p>
                    <button class="btn small" id="use-other" on:click=move |_| state.load_graph(found.clone())>"Use it anyway"</button>
                    <button class="btn quiet small icon" aria-label="Dismiss" on:click=close><Icon glyph=Glyph::Close/></button>
                </div>
            }
            .into_any())
        }
    }
    };
    view! { <div id="file-notice">{content}</div> }
}

/// Request for the file that a link refers to, in place of the answer.
#[component]
pub fn WantedFile() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let words = move || {
        state.scenario.with(|s| match &s.graph {
            Choice::File(wanted) => {
                let file = if wanted.source.file.is_empty() {
                    "a file".to_owned()
                } else {
                    wanted.source.file.clone()
                };
                Some((file, operators(wanted.ops as usize)))
            }
            Choice::Preset(_) | Choice::Custom(_) => None,
        })
    };
    let title = move || words().map(|(file, _)| format!("This link needs {file}."));
    let lead = move || {
        words().map(|(_, ops)| {
            format!(
                "Its graph has {ops}, too many for a link. Open the file, or drop it anywhere on this page. It is read in this browser and not sent anywhere. The goal, the limit and the rest of the scenario are those of the link."
            )
        })
    };
    view! {
        <section class="answer" id="wanted" aria-live="polite">
            <p class="question">{super::answer::QUESTION}</p>
            <h1>{title}</h1>
            <p class="lead">{lead}</p>
            <div class="row">
                <OpenOnnx id="open-wanted" class="btn primary" words="Open the file"/>
                <button class="btn" on:click=move |_| state.replace(presets::paper())>"GoogLeNet"</button>
                <Undo/>
            </div>
        </section>
    }
}

/// A sign over the page while a file is dragged over it.
#[component]
pub fn DropSign() -> impl IntoView {
    let (is_over, gone) = (
        RwSignal::new(false),
        StoredValue::new_local(None::<Timeout>),
    );
    let over = window_event_listener(ev::dragover, move |event| {
        if files::are_dragged(&event) {
            if !is_over.get_untracked() {
                is_over.set(true);
            }
            let timer = Timeout::new(GONE_AFTER_MS, move || {
                let _ = is_over.try_set(false); // the question may have been left
            });
            gone.set_value(Some(timer));
        }
    });
    on_cleanup(move || over.remove());
    move || {
        is_over.get().then(|| view! {
            <div class="drop-sign" aria-hidden="true"><p>"Drop an ONNX file: its graph is read in this browser and not sent anywhere."</p></div>
        })
    }
}
