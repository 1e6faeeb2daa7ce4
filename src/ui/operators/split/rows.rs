//! The devices that operators are cut over: one row per device, in which every number can be edited, and devices can be added,
//! copied, moved and removed; the link that all of them have.

use crate::ui::desk::OwnRow;
use crate::ui::operators::OperatorsState;
use crate::ui::views::field::{Binding, Fault, Instead, NumberInput, faults_of};
use crate::ui::views::form::{OneOf, bound, choice};
use crate::ui::views::gradual::gradually;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::row_menu::{self, RowMenu};
use engine::problem::Invalid;
use engine::problem::partition::Link;
use engine::scenario::fields;
use engine::scenario::operators::{Board, MOST_DEVICES, Scenario, presets};
use leptos::prelude::*;
use report::operators::names;
use std::sync::Arc;

/// What holds where a device has no limit, to begin a drag from [MiB].
const FIRST_LIMIT_MIB: f64 = 50.0;

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let size = move || {
        state.scenario.with(|s| {
            let count = s.split.devices.len();
            let noun = if count == 1 { "device" } else { "devices" };
            let limits = s.split.devices.iter().map(|board| board.limit_mib);
            match limits.sum::<Option<f64>>() {
                Some(mib) => format!("{count} {noun}, {} MiB", (mib * 100.0).round() / 100.0),
                None => format!("{count} {noun}"),
            }
        })
    };
    let is_full = move || state.ids.with(|ids| ids.len() >= MOST_DEVICES);
    let rows = gradually(state.ids);
    let mbps = bound(
        *state,
        "mbps",
        "mbps",
        |s| s.split.mbps,
        |s, v| s.split.mbps = v,
    );
    let (link, choose) = choice(
        *state,
        vec![Link::Own, Link::Shared],
        |s| s.split.link,
        |s, link| s.split.link = link,
    );
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
            <table class="fleet dense boards" id="fleet">
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Place"</span></th>
                        <th class="c-name">"Device"</th>
                        <th>"Time"<span>"factor"</span></th>
                        <th>"Limit"<span>"MiB"</span></th>
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row id=id/>
                </For>
            </table>
            <div class="under picks">
                <Pick id="add-hardware" label="Add hardware" spoken="Add a device of the paper\u{2019}s hardware"
                    options=hardware() choose=Callback::new(move |at| add_hardware(state, at))/>
                <Pick id="configuration" label="Factors of Fig. 11" spoken="Use the factors of a configuration of Fig. 11"
                    options=configurations() choose=Callback::new(move |at| configure(state, at))/>
            </div>
            <div class="form link-fields">
                <label class="lab" for="field-mbps">"Link"</label>
                <div class="with-choice">
                    <span class="num">
                        <NumberInput binding=mbps spoken=Signal::derive(|| "Link rate, Mbit/s".to_owned())/>
                        <span class="unit">"Mbit/s"</span>
                    </span>
                    <OneOf label="Which link has this rate" id="link" words=vec!["Each device", "Shared"] now=link choose=choose/>
                    <Fault key="mbps".to_owned()/>
                </div>
            </div>
        </section>
    }
}

/// A list from which something is taken; it shows nothing afterwards.
#[component]
fn Pick(
    id: &'static str,
    label: &'static str,
    spoken: &'static str,
    options: Vec<String>,
    choose: Callback<usize>,
) -> impl IntoView {
    view! {
        <div class="select small">
            <select
                id=id
                aria-label=spoken
                prop:value=""
                on:change=move |event| {
                    let select: web_sys::HtmlSelectElement = event_target(&event);
                    let chosen = event_target_value(&event).parse::<usize>();
                    select.set_value("");
                    if let Ok(at) = chosen {
                        choose.run(at);
                    }
                }
            >
                <option value="" selected>{label}</option>
                {options
                    .into_iter()
                    .enumerate()
                    .map(|(at, words)| view! { <option value=at.to_string()>{words}</option> })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
    }
}

fn hardware() -> Vec<String> {
    let all = presets::HARDWARE.iter();
    all.map(|(name, factor)| format!("{name}, factor {factor}"))
        .collect()
}

fn configurations() -> Vec<String> {
    let all = presets::CONFIGURATIONS.iter().enumerate();
    all.map(|(at, factors)| {
        let factors: Vec<String> = factors.iter().map(f64::to_string).collect();
        format!("{}: {}", at + 1, factors.join(", "))
    })
    .collect()
}

fn say_fault(state: OperatorsState, what: &str, done: Result<(), Invalid>) {
    if let Err(fault) = done {
        state.say(format!("Not {what}: {fault}."));
    }
}

/// A name that no device has yet: `D5`.
fn free_name(state: OperatorsState) -> String {
    let is_taken = |name: &String| {
        let same = |board: &Board| board.name == *name;
        state
            .scenario
            .with_untracked(|s| s.split.devices.iter().any(same))
    };
    let names = (1..).map(|n| format!("D{n}"));
    let mut free = names.skip_while(is_taken);
    free.next().unwrap_or_default()
}

/// Adds a copy of the last device.
fn add_copy(state: OperatorsState) {
    let at = state.scenario.with_untracked(|s| s.split.devices.len());
    insert(state, at, at.saturating_sub(1));
}

fn insert(state: OperatorsState, at: usize, like: usize) {
    let like = state
        .scenario
        .with_untracked(|s| s.split.devices.get(like).cloned());
    if let Some(like) = like {
        let name = free_name(state);
        say_fault(state, "added", state.insert(at, Board { name, ..like }));
    }
}

/// Adds a device of the paper's hardware, with as much memory as the last.
fn add_hardware(state: OperatorsState, which: usize) {
    let Some((name, factor)) = presets::HARDWARE.get(which) else {
        return;
    };
    let (at, limit_mib) = state.scenario.with_untracked(|s| {
        let last = s.split.devices.last();
        (
            s.split.devices.len(),
            last.and_then(|board| board.limit_mib),
        )
    });
    let board = Board {
        name: (*name).to_owned(),
        factor: *factor,
        limit_mib,
    };
    say_fault(state, "added", state.insert(at, board));
}

/// Takes the factors of a configuration of Fig. 11; the devices keep their names and limits, as far as there are four.
fn configure(state: OperatorsState, which: usize) {
    let Some(factors) = presets::CONFIGURATIONS.get(which) else {
        return;
    };
    let done = state.edit_whole(|s| {
        let devices = &mut s.split.devices;
        devices.truncate(factors.len());
        while let (true, Some(last)) = (devices.len() < factors.len(), devices.last().cloned()) {
            let name = format!("D{}", devices.len() + 1);
            devices.push(Board { name, ..last });
        }
        for (board, factor) in devices.iter_mut().zip(factors) {
            board.factor = *factor;
        }
    });
    say_fault(state, "changed", done);
}

/// The memory limit of a device, which may be left out.
fn limit(own: OwnRow<Scenario>) -> (Binding<Scenario>, Instead<Scenario>) {
    let binding = Binding {
        key: own.key("limit_mib"),
        field: "limit_mib",
        get: Box::new(move |s: &Scenario| own.read(s, |board| board.limit_mib).flatten()),
        set: Box::new(move |s: &mut Scenario, value| {
            own.change(s, |board| board.limit_mib = Some(value));
        }),
    };
    let instead = Instead {
        clear: Box::new(move |s: &mut Scenario| own.change(s, |board| board.limit_mib = None)),
        shared: Signal::derive(|| FIRST_LIMIT_MIB),
    };
    (binding, instead)
}

#[component]
fn Row(id: u32) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let own = OwnRow::of(*state, id);
    let place = Memo::new(move |_| state.position(id));
    let name = Memo::new(move |_| {
        let name = |s: &Arc<Scenario>| own.read(s, |board| board.name.clone());
        state.scenario.with(name).unwrap_or_default()
    });
    let is_off = Memo::new(|_| false);
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = state.edit("", |s| own.change(s, |board| board.name = typed));
    });
    let factor = own.number("factor", |board| board.factor, |board, v| board.factor = v);
    let factor_spoken =
        Signal::derive(move || format!("{} {}", name.get(), fields::noun("factor")));
    let (binding, instead) = limit(own);
    let limit_spoken =
        Signal::derive(move || format!("{} memory limit, MiB, or empty for none", name.get()));
    let keys = vec![own.key("factor"), own.key("limit_mib")];
    let (has_fault, faults) = faults_of(own.key(""), keys);
    view! {
        <tbody class="device">
            <tr class="vals">
                <td class="g-grip"></td>
                <NameCell noun="device" place=place name=name is_off=is_off rename=rename/>
                <td data-l="Factor"><NumberInput binding=factor.on(*state) spoken=factor_spoken/></td>
                <td data-l="MiB"><NumberInput binding=binding.or(*state, instead) spoken=limit_spoken/></td>
                <td class="g-menu"><Menu id=id/></td>
            </tr>
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan="5">{faults}</td>
            </tr>
        </tbody>
    }
}

#[component]
fn Menu(id: u32) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let holder = NodeRef::<leptos::html::Details>::new();
    let place = move || state.position(id).unwrap_or_default();
    let name = move || {
        let all = state.scenario.with(|s| names(s));
        all.into_iter().nth(place()).unwrap_or_default()
    };
    let act = move |action: fn(OperatorsState, usize)| {
        row_menu::close(holder);
        if let Some(at) = untrack(|| state.position(id)) {
            action(state, at);
        }
    };
    let last = move || place() + 1 == state.ids.with(Vec::len);
    let only = move || state.ids.with(Vec::len) < 2;
    let is_full = move || state.ids.with(|ids| ids.len() >= MOST_DEVICES);
    let label = Signal::derive(move || format!("{}: duplicate, move, remove", name()));
    let list = move || {
        view! {
            <button disabled=is_full on:click=move |_| act(|state, at| insert(state, at + 1, at))>"Duplicate"</button>
            <button disabled=move || place() == 0 on:click=move |_| act(|state, at| state.move_device(at, at.saturating_sub(1)))>"Move up"</button>
            <button disabled=last on:click=move |_| act(|state, at| state.move_device(at, at + 1))>"Move down"</button>
            <button class="bad" disabled=only on:click=move |_| act(|state, at| state.remove(at))>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}
