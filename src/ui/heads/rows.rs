//! The fleet: a row a device, in which every number can be edited, and devices can be added, copied, moved, made the
//! controller, switched off and removed. Links follow their devices.

use super::HeadsState;
use crate::ui::desk::OwnRow;
use crate::ui::views::field::{Binding, Instead, NumberInput, faults_of};
use crate::ui::views::gradual::gradually;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::row_menu::{self, RowMenu};
use engine::problem::Invalid;
use engine::scenario::fields::{self, MOST_DEVICES};
use engine::scenario::heads::{HeadDevice, Scenario, presets};
use engine::units::bytes;
use leptos::prelude::*;
use report::heads::device_name;
use std::sync::Arc;

/// A number of a device.
struct Column {
    field: &'static str,
    head: &'static str,
    unit: &'static str,
    get: fn(&HeadDevice) -> f64,
    set: fn(&mut HeadDevice, f64),
}

/// The columns on show, before the link and the heads.
const COLUMNS: [Column; 2] = [
    Column {
        field: "compute_gops",
        head: "Compute",
        unit: "Gop/s",
        get: |d| d.compute_gops,
        set: |d, v| d.compute_gops = v,
    },
    Column {
        field: "memory_gb",
        head: "Memory",
        unit: "GB",
        get: |d| d.memory_gb,
        set: |d, v| d.memory_gb = v,
    },
];

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let size = move || {
        state.scenario.with(|s| {
            let memory: f64 = s.switched_on().map(|(_, d)| d.memory_gb * 1e9).sum();
            let count = s.switched_on().count();
            let noun = if count == 1 { "device" } else { "devices" };
            format!("{count} {noun}, {}", bytes(memory))
        })
    };
    let controller = Memo::new(move |_| state.scenario.with(|s| device_name(s, s.controller)));
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
            <table class="fleet dense" id="fleet">
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Place"</span></th>
                        <th class="c-name">"Device"</th>
                        {COLUMNS.iter().map(|c| view! { <th>{c.head}<span>{c.unit}</span></th> }).collect_view()}
                        <th>{move || format!("To {}", controller.get())}<span>"Gbit/s"</span></th>
                        <th>"Heads"<span>{move || format!("at {}", state.looked_at())}</span></th>
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row id=id/>
                </For>
            </table>
            <div class="under">
                <label class="drawn">
                    "Draw a fleet of "
                    <select
                        class="small"
                        id="draw-fleet"
                        aria-label="Replace the fleet by one drawn from the paper\u{2019}s ranges"
                        prop:value=""
                        on:change=move |event| {
                            let select: web_sys::HtmlSelectElement = event_target(&event);
                            let chosen = event_target_value(&event).parse::<usize>();
                            select.set_value("");
                            if let Ok(count) = chosen {
                                draw(state, count);
                            }
                        }
                    >
                        <option value="" selected>"Choose a size"</option>
                        {[3, 5, 10, 25, 40]
                            .map(|count| view! { <option value=count.to_string()>{format!("{count} devices")}</option> })
                            .collect_view()}
                    </select>
                </label>
            </div>
        </section>
    }
}

/// Puts another fleet of the paper's ranges in the place of this one, by the scenario's first seed.
fn draw(state: HeadsState, count: usize) {
    let mut next = (*state.scenario.get_untracked()).clone();
    let seed = next.draws.first_seed as u64;
    (next.devices, next.links) = presets::drawn(count, seed);
    next.controller = 0;
    next.recorded = None;
    next.title = format!("{count} devices from the paper\u{2019}s ranges, seed {seed}");
    state.replace(next);
}

/// Adds a copy of the last device, or the first of the paper.
pub fn add_copy(state: HeadsState) {
    let at = state.scenario.with_untracked(|s| s.devices.len());
    let like = at.checked_sub(1);
    insert(state, at, like);
}

fn insert(state: HeadsState, at: usize, like: Option<usize>) {
    let copied = |s: &Arc<Scenario>| like.and_then(|like| s.devices.get(like).cloned());
    let device = state.scenario.with_untracked(copied);
    let device = device.or_else(|| presets::paper().devices.into_iter().next());
    let Some(mut device) = device else {
        return;
    };
    let taken: Vec<String> = state
        .scenario
        .with_untracked(|s| s.devices.iter().map(|d| d.name.clone()).collect());
    let free = (1..)
        .map(|n| format!("D{n}"))
        .find(|name| !taken.contains(name));
    device.name = free.unwrap_or_default();
    device.off = false;
    let done = state.insert_with(at, device, |s| {
        s.links.inserted(at, like);
        if s.devices.len() > 1 && s.controller >= at {
            s.controller += 1;
        }
        renumber(s, &|listed| Some(listed + usize::from(listed >= at)));
    });
    say_fault(state, "added", done);
}

/// Gives the rows of a record the new places of their devices; those of a device that is gone go with it.
fn renumber(s: &mut Scenario, now: &dyn Fn(usize) -> Option<usize>) {
    if let Some(rows) = s.recorded.take() {
        let rows: Vec<_> = rows
            .into_iter()
            .filter_map(|(token, device, compute, memory)| {
                Some((token, now(device)?, compute, memory))
            })
            .collect();
        s.recorded = (!rows.is_empty()).then_some(rows);
    }
}

fn remove(state: HeadsState, at: usize) {
    state.remove_with(at, |s| {
        s.links.removed(at);
        renumber(s, &|listed| match listed.cmp(&at) {
            std::cmp::Ordering::Less => Some(listed),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(listed - 1),
        });
        if s.controller > at {
            s.controller -= 1;
        } else if s.controller == at {
            choose_controller(s);
        }
    });
}

/// The first device that is on holds the input, where the one before cannot.
fn choose_controller(s: &mut Scenario) {
    let first = s.switched_on().next().map_or(0, |(at, _)| at);
    s.controller = first;
}

fn shift(state: HeadsState, from: usize, to: usize) {
    state.move_with(from, to, |s| {
        let now = |listed: usize| {
            if listed == from {
                to
            } else if from < listed && listed <= to {
                listed - 1
            } else if to <= listed && listed < from {
                listed + 1
            } else {
                listed
            }
        };
        s.links.moved(now);
        s.controller = now(s.controller);
        renumber(s, &|listed| Some(now(listed)));
    });
}

fn switch(state: HeadsState, at: usize) {
    let done = state.edit("", |s| {
        if let Some(device) = s.devices.get_mut(at) {
            device.off = !device.off;
        }
        if s.devices.get(s.controller).is_none_or(|d| d.off) {
            choose_controller(s);
        }
    });
    say_fault(state, "switched", done);
}

fn say_fault(state: HeadsState, what: &str, done: Result<(), Invalid>) {
    if let Err(fault) = done {
        state.say(format!("Not {what}: {fault}."));
    }
}

/// The rate between the device and the controller, both ways.
fn link(state: HeadsState, own: OwnRow<Scenario>) -> (Binding<Scenario>, Instead<Scenario>) {
    let set = move |s: &mut Scenario, value: Option<f64>| {
        let at = untrack(|| state.position(own.id));
        if let Some(at) = at.filter(|at| *at != s.controller) {
            s.links.set(at, s.controller, value);
        }
    };
    let binding = Binding {
        key: own.key("link gbit_s"),
        field: "gbit_s",
        get: Box::new(move |s: &Scenario| {
            let at = state.position(own.id)?;
            s.links.own_rate(at, s.controller)
        }),
        set: Box::new(move |s: &mut Scenario, value| set(s, Some(value))),
    };
    let instead = Instead {
        clear: Box::new(move |s: &mut Scenario| set(s, None)),
        shared: Signal::derive(move || state.scenario.with(|s| s.links.gbit_s)),
    };
    (binding, instead)
}

#[component]
fn Row(id: u32) -> impl IntoView {
    let state = expect_context::<HeadsState>();
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
    let is_controller =
        Memo::new(move |_| state.scenario.with(|s| place.get() == Some(s.controller)));
    let cell = move |column: &'static Column| {
        let noun = fields::noun(column.field);
        let spoken = Signal::derive(move || format!("{} {noun}, {}", name.get(), column.unit));
        view! {
            <td data-l=column.unit>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </td>
        }
    };
    let to_controller = move || {
        if is_controller.get() {
            return view! { <span class="none" title="Nothing is sent within the device">"\u{2013}"</span> }.into_any();
        }
        let (binding, instead) = link(state, own);
        let spoken = Signal::derive(move || {
            format!(
                "{} link to the controller, Gbit/s or empty for the shared rate",
                name.get()
            )
        });
        view! { <NumberInput binding=binding.or(*state, instead) spoken=spoken/> }.into_any()
    };
    let heads = Memo::new(move |_| {
        let shown = state.shown.get()?;
        let at = place.get()?;
        let device = shown
            .planned
            .places
            .iter()
            .position(|listed| *listed == at)?;
        let token = state.looked_at();
        let segment = shown.planned.segment(token)?;
        Some(segment.layout.heads_on(shown.planned.places.len())[device])
    });
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = state.edit("", |s| own.change(s, |row| row.name = typed));
    });
    let names = COLUMNS.iter().map(|c| own.key(c.field));
    let names = names.chain([own.key("link gbit_s")]).collect();
    let (has_fault, faults) = faults_of(own.key(""), names);
    view! {
        <tbody class="device" class:off=move || is_off.get()>
            <tr class="vals">
                <td class="g-grip"></td>
                <NameCell noun="device" place=place name=name is_off=is_off rename=rename>
                    {move || is_controller.get().then(|| view! { <span class="ctrl" title="Holds the input">"ctrl"</span> })}
                </NameCell>
                {COLUMNS.iter().map(cell).collect_view()}
                <td data-l="Gbit/s">{to_controller}</td>
                <td class="heads-count" data-l="Heads">
                    {move || heads.get().map_or_else(|| "\u{2013}".to_owned(), |n| n.to_string())}
                </td>
                <td class="g-menu"><Menu id=id/></td>
            </tr>
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan="7">{faults}</td>
            </tr>
        </tbody>
    }
}

#[component]
fn Menu(id: u32) -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let holder = NodeRef::<leptos::html::Details>::new();
    let place = move || state.position(id).unwrap_or_default();
    let name = move || state.scenario.with(|s| device_name(s, place()));
    let act = move |action: fn(HeadsState, usize)| {
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
    let is_controller = move || state.scenario.with(|s| s.controller == place());
    let last = move || place() + 1 == state.ids.with(Vec::len);
    let label = Signal::derive(move || {
        format!(
            "{}: duplicate, move, controller, switch off, remove",
            name()
        )
    });
    let list = move || {
        view! {
            <button on:click=move |_| act(|state, at| insert(state, at + 1, Some(at)))>"Duplicate"</button>
            <button disabled=move || place() == 0 on:click=move |_| act(|state, at| shift(state, at, at.saturating_sub(1)))>"Move up"</button>
            <button disabled=last on:click=move |_| act(|state, at| shift(state, at, at + 1))>"Move down"</button>
            <button disabled=move || is_controller() || is_off() on:click=move |_| act(|state, at| {
                say_fault(state, "changed", state.edit("", |s| s.controller = at));
            })>"Make it the controller"</button>
            <button on:click=move |_| act(switch)>{move || if is_off() { "Switch on" } else { "Switch off" }}</button>
            <button class="bad" on:click=move |_| act(remove)>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}
