//! One row: its numbers, what follows from them, what is wrong with them.

use super::menu::Menu;
use super::{FleetRows, OwnColumns, RowPart, duplicate, is_off, more, number, remove};
use crate::ui::scenario_editor::{OwnRow, ScenarioEditor};
use crate::ui::views::field::{Binding, Fallback, NumberInput, faults_of};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::terms::Explained;
use engine::scenario::fields::Number;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// The most letters of a label beside its unit: four of these are side by side on a phone.
const LONGEST_LABEL: usize = 13;

/// The input of a number, or a dash with the reason where the row does not have it.
fn input<S: FleetRows>(
    own: OwnRow<S>,
    editor: ScenarioEditor<S>,
    key: &'static str,
    built: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    let lacks = Memo::new(move |_| {
        let at = editor.position(own.id)?;
        editor.scenario.with(|s| s.lacks(at, key))
    });
    move || match lacks.get() {
        Some(why) => view! { <span class="none" title=why>"\u{2013}"</span> }.into_any(),
        None => built(),
    }
}

/// A number of the row.
fn number_input<S: FleetRows>(
    editor: ScenarioEditor<S>,
    own: OwnRow<S>,
    name: Memo<String>,
    number: &'static Number<S::Row>,
) -> impl IntoView {
    let key = number.field.key;
    input(own, editor, key, move || {
        let binding = own.number(number);
        let called = Signal::derive(move || format!("{} {}", name.get(), number.field.noun));
        let has_instead = editor
            .scenario
            .with_untracked(|s| s.fallback_value(key).is_some());
        let clear = Box::new(move |s: &mut S| own.change(s, |row| (number.set)(row, None)));
        let shared = Signal::derive(move || {
            editor
                .scenario
                .with(|s| s.fallback_value(key).unwrap_or_default())
        });
        let bound = match (number.is_optional, has_instead) {
            (false, _) => binding.on(editor),
            (true, true) => binding.or(editor, Fallback { clear, shared }),
            (true, false) => binding.or_unknown(editor, clear),
        };
        view! { <NumberInput binding=bound called=called/> }.into_any()
    })
}

/// A number that the row may have instead of a shared one.
fn part_input<S: FleetRows>(
    editor: ScenarioEditor<S>,
    own: OwnRow<S>,
    name: Memo<String>,
    part: &RowPart<S>,
) -> impl IntoView + use<S> {
    let part = part.clone();
    input(own, editor, part.field.key, move || {
        let (get, set, clear) = (part.get.clone(), part.set.clone(), part.set.clone());
        let (field, shared) = (part.field, part.shared);
        let place = move || untrack(|| editor.position(own.id));
        let binding = Binding {
            key: own.key(&part.key),
            field: field.key,
            get: Box::new(move |s: &S| get(s, editor.position(own.id)?)),
            set: Box::new(move |s: &mut S, value| {
                if let Some(at) = place() {
                    set(s, at, Some(value));
                }
            }),
        };
        let instead = Fallback {
            clear: Box::new(move |s: &mut S| {
                if let Some(at) = place() {
                    clear(s, at, None);
                }
            }),
            shared: Signal::derive(move || editor.scenario.with(|s| shared(s, field))),
        };
        let called = Signal::derive(move || format!("{} own {}", name.get(), field.noun));
        view! { <NumberInput binding=binding.or(editor, instead) called=called/> }.into_any()
    })
}

/// The row, or rows, of one machine.
#[component]
pub fn Row<S: FleetRows>(
    editor: ScenarioEditor<S>,
    id: u32,
    dragged: RwSignal<Option<u32>>,
    shown: StoredValue<OwnColumns<S>, LocalStorage>,
) -> impl IntoView {
    let own = OwnRow::of(editor, id);
    let open = RwSignal::new(S::IS_OPEN);
    let place = Memo::new(move |_| editor.position(id));
    let name = Memo::new(move |_| {
        let name = |s: &Arc<S>| own.read(s, |row| S::named(row).0.to_owned());
        editor.scenario.with(name).unwrap_or_default()
    });
    let is_off = Memo::new(move |_| {
        let off = |s: &Arc<S>| own.read(s, |row| is_off::<S>(row));
        editor.scenario.with(off).unwrap_or_default()
    });
    let cell = move |key: &&'static str| {
        let number = number::<S>(key);
        let (title, unit) = (number.field.title(), number.field.unit);
        let label = format!("{title} {unit}").trim_end().to_owned();
        let label = if label.len() > LONGEST_LABEL {
            unit.to_owned()
        } else {
            label
        };
        view! { <td data-l=label>{number_input(editor, own, name, number)}</td> }
    };
    let part_cell = move |part: RowPart<S>| {
        let unit = part.field.unit;
        view! { <td data-l=unit>{part_input(editor, own, name, &part)}</td> }
    };
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = editor.edit("", |s| own.change(s, |row| S::rename(row, typed)));
    });
    let shift = move |by: isize| {
        let Some(at) = place.get_untracked() else {
            return;
        };
        let focused = document().active_element();
        editor.move_row(at, at.saturating_add_signed(by));
        // A row that is moved in the page loses the focus, and the next key would go nowhere.
        request_animation_frame(move || {
            if let Some(element) = focused {
                let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        });
    };
    let keys = move |event: web_sys::KeyboardEvent| {
        let target = event
            .target()
            .and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let in_number = target
            .as_ref()
            .is_some_and(|t| t.matches("input[inputmode=decimal]").unwrap_or(false));
        let in_text = target.is_some_and(|t| t.tag_name() == "INPUT");
        let command = event.ctrl_key() || event.meta_key();
        let Some(at) = place.get_untracked() else {
            return;
        };
        match event.key().as_str() {
            // In a number, Alt alone is for a tenth of a step.
            "ArrowUp" if event.alt_key() && !command && (event.shift_key() || !in_number) => {
                shift(-1)
            }
            "ArrowDown" if event.alt_key() && !command && (event.shift_key() || !in_number) => {
                shift(1)
            }
            "d" | "D" if command && !event.alt_key() => duplicate(editor, at),
            "Delete" if !in_text => remove(editor, at),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let drop_here = move |event: web_sys::DragEvent| {
        event.prevent_default();
        if let Some(moved) = dragged.get_untracked()
            && let (Some(from), Some(to)) =
                (untrack(|| editor.position(moved)), place.get_untracked())
        {
            editor.move_row(from, to);
        }
        dragged.set(None);
    };
    let parts = S::part_columns(editor);
    let part_keys = parts.iter().map(|part| own.key(&part.key));
    let part_keys: Vec<String> = part_keys
        .chain(S::row_details().iter().map(|part| own.key(&part.key)))
        .collect();
    let more = more::<S>().map(|number| number.field.key);
    let numbers = S::COLUMNS
        .iter()
        .copied()
        .chain(more)
        .map(|key| own.key(key));
    let (has_fault, faults) = faults_of(own.key(""), numbers.chain(part_keys).collect());
    let further = shown.with_value(|shown| shown.columns.clone());
    // Columns beyond those that there are would take their share of the width.
    let columns = 3 + S::COLUMNS.len() + parts.len() + further.len();
    let span = (columns - 1).to_string();
    let further = further.into_iter().map(|column| {
        view! { <td class="shown" data-l=column.head>{(column.cell)(own)}</td> }
    });
    let derived = Memo::new(move |_| {
        let words = editor.scenario.with(|s| s.derived(place.get()?))?;
        Some(if is_off.get() {
            "Switched off: kept here, left out of every plan".to_owned()
        } else {
            words
        })
    });
    let is_derived = Memo::new(move |_| derived.with(Option::is_some));
    view! {
        <tbody
            class="device"
            class:dragged=move || dragged.get() == Some(id)
            class:off=move || is_off.get()
            on:keydown=keys
            on:dragover=|event| event.prevent_default()
            on:drop=drop_here
        >
            <tr class="vals">
                <td class="g-grip">
                    <span
                        class="grip"
                        draggable="true"
                        title="Drag to move; Alt+Shift+Up or Down on the keyboard"
                        on:dragstart=move |_| dragged.set(Some(id))
                        on:dragend=move |_| dragged.set(None)
                    >
                        <Icon glyph=Glyph::DragHandle/>
                    </span>
                </td>
                <NameCell noun=S::ROW place=place name=name is_off=is_off rename=rename>
                    {(shown.with_value(|shown| shown.mark))(own)}
                </NameCell>
                {S::COLUMNS.iter().map(cell).collect_view()}
                {parts.into_iter().map(part_cell).collect_view()}
                {further.collect_view()}
                <td class="g-menu">
                    <Menu editor=editor id=id name=name open=open shown=shown/>
                </td>
            </tr>
            {move || is_derived.get().then(|| view! {
                <tr class="derived">
                    <td></td>
                    <td colspan=span.clone()>{move || derived.get()}</td>
                </tr>
            })}
            {move || open.get().then(|| view! { <AllNumbers editor=editor own=own name=name/> })}
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan=columns.to_string()>{faults}</td>
            </tr>
        </tbody>
    }
}

/// The further numbers of a row, and those that it may have instead of shared ones.
#[component]
fn AllNumbers<S: FleetRows>(
    editor: ScenarioEditor<S>,
    own: OwnRow<S>,
    name: Memo<String>,
) -> impl IntoView {
    let field = move |number: &'static Number<S::Row>| {
        view! {
            <label>
                <span><Explained text=number.field.title()/>" "<small>{number.field.unit}</small></span>
                {number_input(editor, own, name, number)}
            </label>
        }
    };
    let part = move |part: RowPart<S>| {
        let (head, unit, noun) = (part.head, part.field.unit, part.field.noun);
        let (get, set, field, shared) =
            (part.get.clone(), part.set.clone(), part.field, part.shared);
        let shared = Signal::derive(move || editor.scenario.with(|s| shared(s, field)));
        let is_own = Memo::new(move |_| {
            let at = editor.position(own.id);
            at.is_some_and(|at| editor.scenario.with(|s| get(s, at).is_some()))
        });
        let clear = Callback::new(move |()| {
            // Without its own number a row is as one that never had it.
            if let Some(at) = untrack(|| editor.position(own.id)) {
                let _ = editor.edit("", |s| set(s, at, None));
            }
        });
        view! {
            <div class="own">
                <label>
                    <span>{move || head.get()}" "<small>{unit}</small></span>
                    {part_input(editor, own, name, &part)}
                </label>
                {move || if is_own.get() {
                    view! {
                        <button class="plain" on:click=move |_| clear.run(()) aria-label=move || format!("{}: {noun} shared again", name.get())>
                            {move || format!("Use shared {}", shared.get())}
                        </button>
                    }.into_any()
                } else {
                    view! { <small>{move || format!("Shared: {}", shared.get())}</small> }.into_any()
                }}
            </div>
        }
    };
    let parts = S::row_details();
    let parts = (!parts.is_empty()).then(|| {
        view! {
            <h3>{S::DETAILS_TITLE}" "<small>"empty: as all share it"</small></h3>
            <div class="more-fields">{parts.into_iter().map(part).collect_view()}</div>
        }
    });
    let span = (2 + S::COLUMNS.len() + S::part_columns(editor).len()).to_string();
    view! {
        <tr class="more">
            <td></td>
            <td colspan=span>
                <div class="more-fields">{more::<S>().map(field).collect_view()}</div>
                {parts}
            </td>
        </tr>
    }
}
