//! The model of the scenario: one of the catalogue, any transformer by its dimensions, or a table of layers.

use super::ColdStartState;
use crate::ui::answer_view::table_later;
use crate::ui::questions::Questions;
use crate::ui::views::catalogue::OpenCatalogue;
use crate::ui::views::form::{Object, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::import::ImportButton;
use crate::ui::views::paste::{Paste, TableKind};
use crate::ui::views::precision::{StoredAs, put_in};
use engine::model::catalog::{MODELS, find};
use engine::scenario::catalogue::CatalogueKind;
use engine::scenario::import::ImportedModel;
use engine::scenario::{FIXED_TABLE, Model, Scenario, fields, presets};
use leptos::prelude::*;
use protocol::table::layers;
use std::sync::Arc;

/// The dimensions of a model.
const DIMENSIONS: [(&str, &str); 6] = [
    ("layers", ""),
    ("d_model", ""),
    ("h_q", ""),
    ("h_k", ""),
    ("d_head", ""),
    ("d_ff", ""),
];

/// Returns the entry of the list for a model that is not in the catalogue.
fn own_kind(model: &Model) -> &'static str {
    match model {
        Model::Table(_) => "Table of layers",
        Model::Blocks(_) => "Blocks of a file",
        Model::Dimensions(_) => "Custom dimensions",
    }
}

/// The catalogue's name for this model, if it is one of the catalogue and unchanged.
fn known_name(model: &Model) -> Option<&'static str> {
    find(model.name())
        .filter(|entry| {
            let dims = model.dimensions();
            dims.is_some_and(|dims| dims.transformer() == entry.dims)
        })
        .map(|entry| entry.name)
}

/// The list of models, what the model weighs, and its dimensions.
#[component]
pub fn ModelPicker() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let known = Memo::new(move |_| state.scenario.with(|s| known_name(&s.model)));
    let own = Memo::new(move |_| state.scenario.with(|s| own_kind(&s.model)));
    let is_table = Memo::new(move |_| state.scenario.with(|s| s.model.dimensions().is_none()));
    let hint = move || state.scenario.with(|s| s.model.hint());
    let stored = Signal::derive(move || {
        state
            .scenario
            .with(|s| s.model.stored().unwrap_or_default())
    });
    let store = move |stored| {
        let _ = state.edit("", |s| s.model = s.model.clone().with_stored(stored));
    };
    // The dimensions shown last, to go back to from a table.
    let last = RwSignal::new(presets::paper().model);
    Effect::new(move |_| {
        state.scenario.with(|s| {
            if s.model.dimensions().is_some() {
                last.set(s.model.clone());
            }
        })
    });
    view! {
        <label class="lab" for="model">"Model"</label>
        <div class="select">
            <select
                id="model"
                prop:value=move || known.get().unwrap_or_default()
                on:change=move |event| {
                    if let Some(entry) = find(&event_target_value(&event)) {
                        let _ = state.edit("", |s| {
                            let stored = s.model.stored().unwrap_or_default();
                            s.model = Model::from_dims(entry.name, &entry.dims).with_stored(stored);
                        });
                    }
                }
            >
                {move || known.get().is_none().then(|| view! { <option value="" selected>{own.get()}</option> })}
                {MODELS
                    .iter()
                    .map(|entry| view! {
                        <option value=entry.name selected=move || known.get() == Some(entry.name)>{entry.name}</option>
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint" id="model-hint">{hint}</p>
        {move || (!is_table.get()).then(|| view! { <StoredAs stored=stored set=store/> })}
        {move || if is_table.get() {
            view! { <Layers/> }.into_any()
        } else {
            view! { <DimensionFields/> }.into_any()
        }}
        <div class="model-tools">
            <OpenCatalogue id="model-catalogue" kind=CatalogueKind::Model label="From catalogue"/>
            <ImportModelButton/>
            <Paste table=TableKind::Layers/>
            {move || is_table.get().then(|| view! {
                <button class="btn quiet small" id="model-dimensions" on:click=move |_| back(state, last.get_untracked())>
                    "Back to dimensions"
                </button>
            })}
        </div>
    }
}

fn back(state: ColdStartState, model: Model) {
    let _ = state.edit_whole(|s| s.model = model); // it was valid when it was shown
}

/// The name of a model that is none of the catalogue's.
#[component]
fn Name() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let name = move || state.scenario.with(|s| s.model.name().to_owned());
    let rename = move |event: web_sys::Event| {
        let typed = event_target_value(&event).trim().to_owned();
        let taken = find(&typed).is_some();
        if taken {
            state.announce(format!(
                "{typed} is the name of a published model; this one keeps its name."
            ));
        } else {
            let _ = state.edit("model name", |s| s.model.rename(typed));
        }
        // What is not taken over is not left standing.
        let input: web_sys::HtmlInputElement = event_target(&event);
        input.set_value(&state.scenario.with_untracked(|s| s.model.name().to_owned()));
    };
    view! {
        <label class="wide">
            <span>"Name"</span>
            <input
                id="model-name"
                class="words"
                autocomplete="off"
                spellcheck="false"
                maxlength=fields::LONGEST_NAME
                prop:value=name
                on:change=rename
            />
        </label>
    }
}

/// A model that is a table or has the blocks of a file: what does not change with the prompt, its name, its rows.
#[component]
fn Layers() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let open = RwSignal::new(false);
    let is_fixed = Memo::new(move |_| state.scenario.with(|s| s.model.is_table()));
    let table = Memo::new(move |_| {
        state
            .scenario
            .with(|s| Arc::new(layers(&s.model, s.prompt_tokens)))
    });
    view! {
        {move || is_fixed.get().then(|| view! { <p class="hint" id="model-fixed">{FIXED_TABLE}</p> })}
        <details class="fold inner" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Layers"<span>{move || if is_fixed.get() { "pasted" } else { "stored as in its file" }}</span></summary>
            <div class="grid-fields"><Name/></div>
            {move || open.get().then(|| view! {
                <div class="layers">{table_later(table.into(), "layers", Signal::stored(None), false)}</div>
            })}
        </details>
    }
}

#[component]
fn DimensionFields() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let is_own = Memo::new(move |_| state.scenario.with(|s| known_name(&s.model).is_none()));
    let source = move || {
        let known = state.scenario.with(|s| known_name(&s.model));
        known
            .and_then(find)
            .map_or("your own dimensions", |entry| entry.source)
    };
    let model = Object {
        // A catalogue's name must not stand for other numbers.
        changed: |s: &mut Scenario, _| {
            if find(s.model.name()).is_some() && known_name(&s.model).is_none() {
                s.model.rename("Custom model".into());
            }
        },
        ..Object::new(
            "model",
            |s: &Scenario| s.model.dimensions(),
            |s| s.model.dimensions_mut(),
        )
    };
    view! {
        <details class="fold inner">
            <summary><Icon glyph=Glyph::Right/>"Dimensions"<span>{source}</span></summary>
            <div class="grid-fields">
                {move || is_own.get().then(|| view! { <Name/> })}
                {numbers(*state, model, &DIMENSIONS)}
            </div>
        </details>
    }
}

/// The button of the cold-start question, which also takes a file that fell anywhere on the page.
#[component]
pub fn ImportModelButton() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let questions = expect_context::<Questions>();
    let bring_in = Callback::new(move |brought: ImportedModel| {
        let model = brought.planned()?;
        put_in(questions, &brought, |scenario: &mut Scenario| {
            scenario.model = model;
            // A model that the user has is meant to run.
            scenario.memory = Some(brought.memory(scenario.memory));
        })
    });
    view! { <ImportButton put_in=bring_in waiting=state.dropped_model/> }
}
