//! One device: its numbers, what follows from them, what is wrong with them.

use super::columns::{COLUMNS, Column, MORE, OWN, OwnColumn};
use super::menu::Menu;
use super::{duplicate, remove};
use crate::ui::desk::OwnRow;
use crate::ui::state::State;
use crate::ui::views::field::{Binding, Instead, NumberInput, faults_of};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::terms::Explained;
use engine::scenario::{Scenario, fields};
use engine::units::{NARROW, tflops};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

fn own_key(own: OwnRow<Scenario>, column: &OwnColumn) -> String {
    own.key(&format!("link {}", column.field))
}

/// A number of the link that a device may have of its own.
fn own_binding(
    state: State,
    own: OwnRow<Scenario>,
    column: &'static OwnColumn,
) -> (Binding<Scenario>, Instead<Scenario>) {
    let binding = Binding {
        key: own_key(own, column),
        field: column.field,
        get: Box::new(move |s: &Scenario| own.read(s, |d| column.get(d)).flatten()),
        set: Box::new(move |s: &mut Scenario, value| own.change(s, |d| column.set(d, Some(value)))),
    };
    let instead = Instead {
        clear: Box::new(move |s: &mut Scenario| own.change(s, |d| column.set(d, None))),
        shared: Signal::derive(move || state.scenario.with(|s| (column.shared)(&s.channel))),
    };
    (binding, instead)
}

/// The row, or rows, of one device.
#[component]
pub fn Row(id: u32, dragged: RwSignal<Option<u32>>) -> impl IntoView {
    let state = expect_context::<State>();
    let own = OwnRow::of(*state, id);
    let open = RwSignal::new(false);
    let place = Memo::new(move |_| state.position(id));
    let name = Memo::new(move |_| {
        let name = |s: &std::sync::Arc<Scenario>| own.read(s, |d| d.name.clone());
        state.scenario.with(name).unwrap_or_default()
    });
    let has_link = Memo::new(move |_| {
        let has = |s: &std::sync::Arc<Scenario>| own.read(s, |d| d.link.is_some());
        state.scenario.with(has).unwrap_or_default()
    });
    let is_off = Memo::new(move |_| {
        let off = |s: &std::sync::Arc<Scenario>| own.read(s, |d| d.off);
        state.scenario.with(off).unwrap_or_default()
    });
    let cell = move |column: &'static Column| {
        let spoken = Signal::derive(move || format!("{} {}", name.get(), column.spoken));
        // Four of these stand side by side on a phone, so the longest head gives way to its unit.
        let label = match column.head {
            "Compute" => column.unit.to_owned(),
            head => format!("{head} {}", column.unit),
        };
        view! {
            <td data-l=label>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </td>
        }
    };
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = state.edit("", |s| own.change(s, |row| row.name = typed));
    });
    let shift = move |by: isize| {
        let Some(at) = place.get_untracked() else {
            return;
        };
        let focused = document().active_element();
        state.move_device(at, at.saturating_add_signed(by));
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
            "d" | "D" if command && !event.alt_key() => duplicate(state, at),
            "Delete" if !in_text => remove(state, at),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let drop_here = move |event: web_sys::DragEvent| {
        event.prevent_default();
        if let Some(moved) = dragged.get_untracked()
            && let (Some(from), Some(to)) =
                (untrack(|| state.position(moved)), place.get_untracked())
        {
            state.move_device(from, to);
        }
        dragged.set(None);
    };
    let numbers = COLUMNS.iter().chain(&MORE).map(|c| own.key(c.field));
    let names = numbers.chain(OWN.iter().map(|c| own_key(own, c)));
    let (has_fault, faults) = faults_of(own.key(""), names.collect());
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
                        <Icon glyph=Glyph::Grip/>
                    </span>
                </td>
                <NameCell noun="device" place=place name=name is_off=is_off rename=rename>
                    {move || has_link.get().then(|| view! {
                        <span class="own-mark" title="This device has a link of its own: see All numbers">
                            <Icon glyph=Glyph::Link/>
                            <span class="sr">"own link"</span>
                        </span>
                    })}
                </NameCell>
                {COLUMNS.iter().map(cell).collect_view()}
                <td class="g-menu">
                    <Menu id=id open=open/>
                </td>
            </tr>
            <tr class="derived">
                <td></td>
                <td colspan="6">{move || state.scenario.with(|s| derived(s, place.get()))}</td>
            </tr>
            {move || open.get().then(|| view! { <AllNumbers own=own name=name/> })}
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan="7">{faults}</td>
            </tr>
        </tbody>
    }
}

/// The further numbers of a device, and those of the link that it may have of its own.
#[component]
fn AllNumbers(own: OwnRow<Scenario>, name: Memo<String>) -> impl IntoView {
    let state = expect_context::<State>();
    let number = move |column: &'static Column| {
        let spoken = Signal::derive(move || format!("{} {}", name.get(), column.spoken));
        view! {
            <label>
                <span><Explained text=column.head/>" "<small>{column.unit}</small></span>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </label>
        }
    };
    let part = move |column: &'static OwnColumn| {
        let (binding, instead) = own_binding(state, own, column);
        let shared = instead.shared;
        let noun = fields::noun(column.field);
        let spoken = Signal::derive(move || {
            format!("{} own {noun}, {} or empty", name.get(), column.unit)
                .replace(",  or", ", a number or")
        });
        let is_own = Memo::new(move |_| {
            state
                .scenario
                .with(|s| own.read(s, |d| column.get(d)).flatten().is_some())
        });
        let clear = move |_| {
            // Without its own number a device is as one that never had it.
            let _ = state.edit("", |s| own.change(s, |d| column.set(d, None)));
        };
        view! {
            <div class="own">
                <label>
                    <span>{column.head}" "<small>{column.unit}</small></span>
                    <NumberInput binding=binding.or(*state, instead) spoken=spoken/>
                </label>
                {move || if is_own.get() {
                    view! {
                        <button class="plain" on:click=clear aria-label=move || format!("{}: {noun} shared again", name.get())>
                            {move || format!("Use shared {}", shared.get())}
                        </button>
                    }.into_any()
                } else {
                    view! { <small>{move || format!("Shared: {}", shared.get())}</small> }.into_any()
                }}
            </div>
        }
    };
    view! {
        <tr class="more">
            <td></td>
            <td colspan="6">
                <div class="more-fields">{MORE.iter().map(number).collect_view()}</div>
                <h3>"Link of its own "<small>"empty: as all share it"</small></h3>
                <div class="more-fields">{OWN.iter().map(part).collect_view()}</div>
            </td>
        </tr>
    }
}

/// What follows from a device's numbers.
fn derived(s: &Scenario, at: Option<usize>) -> Option<String> {
    let device = s.devices.get(at?)?;
    let hardware = engine::hardware::Device::from(device);
    let channel: engine::network::Channel = s.channel.with(&device.link.unwrap_or_default()).into();
    let up = channel.rate(device.pu_dbm, device.d_m) / 1e6;
    let down = channel.rate(device.pd_dbm, device.d_m) / 1e6;
    let speed = tflops(hardware.effective_flops(s.prompt_tokens));
    let tokens = s.prompt_tokens;
    if device.off {
        return Some("Switched off: kept here, left out of every plan".to_owned());
    }
    let own = if device.link.is_some() {
        ", own link"
    } else {
        ""
    };
    let spans: Vec<String> = device
        .ranges
        .iter()
        .map(|(key, span)| {
            let noun = fields::noun(key.rsplit('.').next().unwrap_or(key));
            format!(", {noun} {}", span.words(""))
        })
        .collect();
    let spans = spans.concat();
    Some(format!(
        "{speed} at {tokens} tokens   ↑{NARROW}{up:.0} ↓{NARROW}{down:.0} Mbit/s{own}{spans}"
    ))
}
