//! A row of one's own, filled in by hand: the same ranges and units as everywhere, said at the field.

use super::{Catalogue, Draft};
use crate::ui::questions::Questions;
use engine::scenario::catalogue::{CatalogueKind, CatalogueRow, LONGEST_SOURCE};
use engine::scenario::fields;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Number of text fields before the numbers: name and source.
const TEXTS: usize = 2;

/// The number in a field, or what is wrong with it.
fn number(field: &str, typed: &str) -> Result<f64, String> {
    if typed.trim().is_empty() {
        let range = fields::of(field).expect("every number of the schema has a range");
        return Err(format!("is missing: {}", range.range_text()));
    }
    fields::parse(field, typed)
}

/// Returns the error of a field; `None` if it is valid.
fn fault(draft: &Draft, at: usize) -> Option<String> {
    let typed = draft.texts.get(at)?;
    let said: String = typed.trim().chars().take(24).collect();
    match at {
        0 if typed.trim().is_empty() => Some("Name must not be empty.".to_owned()),
        0 => fields::text("Name", typed, fields::LONGEST_NAME)
            .err()
            .map(|fault| format!("{fault}.")),
        1 => fields::text("Source", typed, LONGEST_SOURCE)
            .err()
            .map(|fault| format!("{fault}.")),
        _ => {
            let field = *draft.row.kind.fields().get(at - TEXTS)?;
            let why = number(field, typed).err()?;
            let noun = fields::noun(field);
            let noun = noun[..1].to_uppercase() + &noun[1..];
            Some(match said.as_str() {
                "" => format!("{noun} {why}."),
                said => format!("{noun} {why}, it is \u{201c}{said}\u{201d}."),
            })
        }
    }
}

/// The row that the texts make, or the first place where something is wrong.
fn finished(draft: &Draft) -> Result<CatalogueRow, usize> {
    if let Some(at) = (0..draft.texts.len()).find(|at| fault(draft, *at).is_some()) {
        return Err(at);
    }
    let numbers = draft.texts.iter().skip(TEXTS).zip(draft.row.kind.fields());
    Ok(CatalogueRow {
        name: draft.texts[0].trim().to_owned(),
        source: draft.texts[1].trim().to_owned(),
        note: String::new(),
        numbers: numbers
            .filter_map(|(typed, field)| number(field, typed).ok())
            .collect(),
        ..draft.row.clone()
    })
}

fn field_id(at: usize) -> String {
    format!("own-{at}")
}

/// The form.
#[component]
pub fn Form() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let catalogue = expect_context::<Catalogue>();
    // What is missing is asked for once the user wants to keep the row; what is wrong is said at once.
    let tried = RwSignal::new(false);
    let kind = catalogue.draft.with_untracked(|draft| {
        let kind = draft.as_ref().map(|draft| draft.row.kind);
        kind.unwrap_or(CatalogueKind::Device)
    });
    let layers = catalogue.draft.with_untracked(|draft| {
        let draft = draft.as_ref()?;
        let table = draft.row.layers.as_ref().map(|table| table.layers.len());
        let blocks = draft.row.blocks.as_ref().map(|model| model.count());
        table
            .map(|n| format!("A model as a table of {n} layers."))
            .or_else(|| blocks.map(|n| format!("A model with the {n} blocks of a file.")))
    });
    let save = move |and_take: bool| {
        let Some(draft) = catalogue.draft.get_untracked() else {
            return;
        };
        match finished(&draft) {
            Ok(row) => {
                let kept = row.clone();
                catalogue.change(
                    format!("{} is kept in this browser.", row.name),
                    None,
                    |own| match draft.place.and_then(|place| own.rows.get_mut(place)) {
                        Some(old) => *old = kept,
                        None => own.rows.push(kept),
                    },
                );
                catalogue.draft.set(None);
                if and_take {
                    catalogue.apply_row(questions, &row, true);
                }
                focus_when_built("catalogue-search".to_owned());
            }
            Err(at) => {
                tried.set(true);
                focus_when_built(field_id(at));
            }
        }
    };
    let count = catalogue
        .draft
        .with_untracked(|draft| draft.as_ref().map_or(0, |draft| draft.texts.len()));
    let use_label = match kind {
        CatalogueKind::Device => "Keep and add to the fleet",
        CatalogueKind::Link | CatalogueKind::Model => "Keep and use",
    };
    view! {
        <form class="dialog-body" on:submit=move |event| { event.prevent_default(); save(false); }>
            <p class="foot">
                "It stays in this browser, on this device. Say where the numbers come from, so that you know later."
            </p>
            {layers.map(|layers| view! { <p>{layers}</p> })}
            <div class="own-form">{(0..count).map(|at| view! { <Entry at=at kind=kind tried=tried/> }).collect_view()}</div>
            <div class="own-form-acts">
                <button class="btn primary" id="own-keep" type="submit">"Keep"</button>
                <button class="btn" id="own-keep-use" type="button" on:click=move |_| save(true)>{use_label}</button>
                <button
                    class="btn quiet"
                    id="own-leave"
                    type="button"
                    on:click=move |_| {
                        catalogue.draft.set(None);
                        focus_when_built("catalogue-search".to_owned());
                    }
                >
                    "Back to the catalogue"
                </button>
            </div>
        </form>
    }
}

/// One line of the form.
#[component]
fn Entry(at: usize, kind: CatalogueKind, tried: RwSignal<bool>) -> impl IntoView {
    let catalogue = expect_context::<Catalogue>();
    let text = Memo::new(move |_| {
        catalogue.draft.with(|draft| {
            let texts = draft.as_ref().map(|draft| &draft.texts);
            texts
                .and_then(|texts| texts.get(at).cloned())
                .unwrap_or_default()
        })
    });
    let fault = Memo::new(move |_| {
        let waits = text.with(|text| text.trim().is_empty()) && !tried.get();
        catalogue.draft.with(|draft| {
            let draft = draft.as_ref().filter(|_| !waits)?;
            fault(draft, at)
        })
    });
    let (label, unit) = match at {
        0 => ("Name", ""),
        1 => ("Source", ""),
        _ => {
            let field = kind.fields()[at - TEXTS];
            let unit = fields::of(field).map_or("", |range| range.unit);
            (fields::noun(field), unit)
        }
    };
    let id = field_id(at);
    let fault_id = format!("{id}-fault");
    let described = fault_id.clone();
    view! {
        <label class:wide=at < TEXTS>
            <span>{label}" "<small>{unit}</small></span>
            <input
                id=id
                class:bad=move || fault.with(Option::is_some)
                autocomplete="off"
                spellcheck="false"
                data-first=(at == 0).then_some("")
                aria-invalid=move || fault.with(Option::is_some).then_some("true")
                aria-describedby=move || fault.with(Option::is_some).then(|| described.clone())
                prop:value=move || text.get()
                on:input=move |event| catalogue.draft.update(|draft| {
                    let typed = event_target_value(&event);
                    if let Some(text) = draft.as_mut().and_then(|draft| draft.texts.get_mut(at)) {
                        *text = typed;
                    }
                })
            />
            {move || fault.get().map(|fault| view! { <p class="fault" id=fault_id.clone()>{fault}</p> })}
        </label>
    }
}

/// The focus, once what is to have it is there.
fn focus_when_built(id: String) {
    request_animation_frame(move || {
        if let Some(element) = document().get_element_by_id(&id) {
            let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}
