//! The fleet: a row a device, in which every number can be edited, and devices can be added, copied, moved, switched off
//! and removed. The first that is on is the device of the policies; those behind it share the requests where budgets of
//! their own allow.

use super::DispatchState;
use crate::ui::desk::OwnRow;
use crate::ui::views::field::{Binding, Instead, NumberInput, faults_of};
use crate::ui::views::gradual::gradually;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::row_menu::{self, RowMenu};
use engine::problem::Invalid;
use engine::scenario::dispatch::{Device, Scenario, profiles};
use engine::scenario::fields::{self, MOST_DEVICES};
use leptos::prelude::*;
use report::dispatch::device_name;
use std::sync::Arc;

/// A number of a device.
struct Column {
    field: &'static str,
    head: &'static str,
    unit: &'static str,
    get: fn(&Device) -> f64,
    set: fn(&mut Device, f64),
}

/// The columns of the first line.
const COLUMNS: [Column; 2] = [
    Column {
        field: "prefill_tok_s",
        head: "Prefill",
        unit: "tok/s",
        get: |d| d.prefill_tok_s,
        set: |d, v| d.prefill_tok_s = v,
    },
    Column {
        field: "decode_tok_s",
        head: "Decode",
        unit: "tok/s",
        get: |d| d.decode_tok_s,
        set: |d, v| d.decode_tok_s = v,
    },
];

/// The fields of the second line.
const MORE: [Column; 3] = [
    Column {
        field: "start_s",
        head: "Start",
        unit: "s",
        get: |d| d.start_s,
        set: |d, v| d.start_s = v,
    },
    Column {
        field: "prefill_gflop",
        head: "Prefill work",
        unit: "GFLOP",
        get: |d| d.prefill_gflop,
        set: |d, v| d.prefill_gflop = v,
    },
    Column {
        field: "decode_gflop",
        head: "Decode work",
        unit: "GFLOP",
        get: |d| d.decode_gflop,
        set: |d, v| d.decode_gflop = v,
    },
];

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let size = move || {
        state.scenario.with(|s| {
            let count = s.switched_on().count();
            let noun = if count == 1 { "device" } else { "devices" };
            format!("{count} {noun} on, 1 server")
        })
    };
    let is_full = move || state.ids.with(|ids| ids.len() >= MOST_DEVICES);
    let rows = gradually(state.ids);
    view! {
        <section aria-labelledby="fleet-h">
            <div class="head">
                <h2 id="fleet-h">"Fleet"</h2>
                <span class="count" id="fleet-count">{size}</span>
                <button class="btn small" id="add-device" disabled=is_full on:click=move |_| add_copy(state)>
                    <Icon glyph=Glyph::Plus/>
                    "Device"
                </button>
            </div>
            <table class="fleet dense dispatch-fleet" id="fleet">
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Place"</span></th>
                        <th class="c-name">"Device"</th>
                        {COLUMNS.iter().map(|c| view! { <th>{c.head}<span>{c.unit}</span></th> }).collect_view()}
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row id=id/>
                </For>
            </table>
            <div class="under">
                <label class="drawn">
                    "From the paper "
                    <select
                        class="small"
                        id="add-profile"
                        aria-label="Add a device of the paper"
                        prop:value=""
                        on:change=move |event| {
                            let select: web_sys::HtmlSelectElement = event_target(&event);
                            let chosen = event_target_value(&event);
                            select.set_value("");
                            let mut all = profiles::devices().into_iter();
                            if let Some(device) = all.find(|d| d.name == chosen) {
                                let at = state.scenario.with_untracked(|s| s.devices.len());
                                say_fault(state, "added", state.insert(at, device));
                            }
                        }
                    >
                        <option value="" selected>"Choose a device"</option>
                        {profiles::devices()
                            .into_iter()
                            .map(|device| view! { <option value=device.name.clone()>{device.name.clone()}</option> })
                            .collect_view()}
                    </select>
                </label>
            </div>
        </section>
    }
}

/// Adds a copy of the last device, or the first of the paper.
pub fn add_copy(state: DispatchState) {
    let at = state.scenario.with_untracked(|s| s.devices.len());
    insert(state, at, at.checked_sub(1));
}

fn insert(state: DispatchState, at: usize, like: Option<usize>) {
    let known = like.and_then(|like| {
        state
            .scenario
            .with_untracked(|s| s.devices.get(like).cloned())
    });
    let first = || profiles::devices().into_iter().next_back();
    if let Some(mut device) = known.or_else(first) {
        device.off = false;
        say_fault(state, "added", state.insert(at, device));
    }
}

fn switch(state: DispatchState, at: usize) {
    let done = state.edit("", |s| {
        if let Some(device) = s.devices.get_mut(at) {
            device.off = !device.off;
        }
    });
    say_fault(state, "switched", done);
}

fn say_fault(state: DispatchState, what: &str, done: Result<(), Invalid>) {
    if let Err(fault) = done {
        state.say(format!("Not {what}: {fault}."));
    }
}

/// A budget of its own, which may be left out.
fn own_budget(
    state: DispatchState,
    own: OwnRow<Scenario>,
) -> (Binding<Scenario>, Instead<Scenario>) {
    let binding = Binding {
        key: own.key("own_budget"),
        field: "own_budget",
        get: Box::new(move |s: &Scenario| own.read(s, |d| d.own_budget).flatten()),
        set: Box::new(move |s: &mut Scenario, value| {
            own.change(s, |d| d.own_budget = Some(value));
        }),
    };
    let instead = Instead {
        clear: Box::new(move |s: &mut Scenario| own.change(s, |d| d.own_budget = None)),
        shared: Signal::derive(move || state.scenario.with(|s| s.budget)),
    };
    (binding, instead)
}

#[component]
fn Row(id: u32) -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let own = OwnRow::of(*state, id);
    let place = Memo::new(move |_| state.position(id));
    let name = Memo::new(move |_| {
        let name = |s: &Arc<Scenario>| own.read(s, |d| d.name.clone());
        state.scenario.with(name).unwrap_or_default()
    });
    let is_off = Memo::new(move |_| {
        let off = |s: &Arc<Scenario>| own.read(s, |d| d.off);
        state.scenario.with(off).unwrap_or_default()
    });
    let is_first = Memo::new(move |_| {
        let first = |s: &Arc<Scenario>| s.switched_on().next().map(|(at, _)| at);
        place.get().is_some() && state.scenario.with(first) == place.get()
    });
    let cell = move |column: &'static Column| {
        let noun = fields::noun(column.field);
        let spoken = Signal::derive(move || format!("{} {noun}, {}", name.get(), column.unit));
        view! {
            <td data-l=column.unit>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </td>
        }
    };
    let field = move |column: &'static Column| {
        let noun = fields::noun(column.field);
        let spoken = Signal::derive(move || format!("{} {noun}, {}", name.get(), column.unit));
        view! {
            <label>
                <span>{column.head}" "<small>{column.unit}</small></span>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </label>
        }
    };
    let budget = move || {
        if is_first.get() {
            let words = "The slider under the charts sets the budget of the first device";
            return view! { <span class="none" title=words>"\u{2013}"</span> }.into_any();
        }
        let (binding, instead) = own_budget(state, own);
        let spoken = Signal::derive(move || {
            format!(
                "{} own budget as a share, or empty for the shared one",
                name.get()
            )
        });
        view! { <NumberInput binding=binding.or(*state, instead) spoken=spoken/> }.into_any()
    };
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = state.edit("", |s| own.change(s, |row| row.name = typed));
    });
    let all = || COLUMNS.iter().chain(&MORE);
    let names = all().map(|c| own.key(c.field));
    let names = names.chain([own.key("own_budget")]).collect();
    let (has_fault, faults) = faults_of(own.key(""), names);
    view! {
        <tbody class="device" class:off=move || is_off.get()>
            <tr class="vals">
                <td class="g-grip"></td>
                <NameCell noun="device" place=place name=name is_off=is_off rename=rename>
                    {move || is_first.get().then(|| view! { <span class="ctrl" title="The device of the policies">"used"</span> })}
                </NameCell>
                {COLUMNS.iter().map(cell).collect_view()}
                <td class="g-menu"><Menu id=id/></td>
            </tr>
            <tr class="more">
                <td></td>
                <td colspan="4">
                    <div class="more-fields">
                        {MORE.iter().map(field).collect_view()}
                        <label><span>"Budget "<small>"share"</small></span>{budget}</label>
                    </div>
                </td>
            </tr>
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan="5">{faults}</td>
            </tr>
        </tbody>
    }
}

#[component]
fn Menu(id: u32) -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let holder = NodeRef::<leptos::html::Details>::new();
    let place = move || state.position(id).unwrap_or_default();
    let name = move || state.scenario.with(|s| device_name(s, place()));
    let act = move |action: fn(DispatchState, usize)| {
        row_menu::close(holder);
        if let Some(at) = untrack(|| state.position(id)) {
            action(state, at);
        }
    };
    let is_off = move || {
        state
            .scenario
            .with(|s| s.devices.get(place()).is_some_and(|d| d.off))
    };
    let last = move || place() + 1 == state.ids.with(Vec::len);
    let label = Signal::derive(move || format!("{}: duplicate, move, switch off, remove", name()));
    let list = move || {
        view! {
            <button on:click=move |_| act(|state, at| insert(state, at + 1, Some(at)))>"Duplicate"</button>
            <button disabled=move || place() == 0 on:click=move |_| act(|state, at| state.move_device(at, at.saturating_sub(1)))>"Move up"</button>
            <button disabled=last on:click=move |_| act(|state, at| state.move_device(at, at + 1))>"Move down"</button>
            <button on:click=move |_| act(switch)>{move || if is_off() { "Switch on" } else { "Switch off" }}</button>
            <button class="bad" on:click=move |_| act(|state, at| state.remove(at))>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}
