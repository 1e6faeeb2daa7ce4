//! The fleet: a small table in which every cell can be edited, and rows can be added, copied, moved and
//! removed.

mod columns;
mod menu;
mod row;

use super::catalogue::OpenCatalogue;
use super::gradual::gradually;
use super::icons::{Glyph, Icon};
use super::paste::{FLEET, Paste};
use super::random::RandomFleet;
use super::terms::Explained;
use crate::ui::state::State;
use columns::COLUMNS;
use engine::scenario::catalogue::Kind;
use engine::scenario::{Device, Scenario, presets, ranges};
use engine::units::bytes;
use leptos::prelude::*;
use row::Row;
use wasm_bindgen::JsCast;

/// The table and the buttons around it.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<State>();
    let size = move || {
        state.scenario.with(|s| {
            let total: f64 = s.switched_on().map(|(_, d)| d.m_gb * 1e9).sum();
            let (on, count) = (s.switched_on().count(), s.devices.len());
            let noun = if count == 1 { "device" } else { "devices" };
            let share = if on == count {
                String::new()
            } else {
                format!("{on} of ")
            };
            format!("{share}{count} {noun}, {}", bytes(total))
        })
    };
    let dragged = RwSignal::new(None::<u32>);
    let rows = gradually(state.ids);
    view! {
        <section aria-labelledby="fleet-h">
            <div class="head">
                <h2 id="fleet-h">"Fleet"</h2>
                <span class="count" id="fleet-count">{size}</span>
                <button class="btn small" id="add-device" on:click=move |_| add_copy(state)>
                    <Icon glyph=Glyph::Plus/>
                    "Device"
                </button>
            </div>
            <table class="fleet" id="fleet" class:dense=move || state.ids.with(|ids| ids.len() > 6)>
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Move"</span></th>
                        <th class="c-name">"Device"</th>
                        {COLUMNS.iter().map(|c| view! { <th><Explained text=c.head/><span>{c.unit}</span></th> }).collect_view()}
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row id=id dragged=dragged/>
                </For>
            </table>
            <div class="under">
                <OpenCatalogue id="from-catalogue" kind=Kind::Device label="From catalogue"/>
                <Paste kind=&FLEET/>
                <RandomFleet/>
            </div>
        </section>
    }
}

/// Adds a copy of the last device, or the first of the paper to an empty fleet.
pub fn add_copy(state: State) {
    let last = state.scenario.with_untracked(|s| s.devices.last().cloned());
    // The first device of a fleet has nothing to copy: it is the first of the paper.
    let device = last.or_else(|| presets::paper().devices.into_iter().next());
    if let Some(mut device) = device {
        device.off = false;
        add(state, usize::MAX, device, false);
    }
}

/// Inserts a device and says under which name: its own if it keeps that, with a number where another has it, else the next of
/// D1, D2, …
pub fn add(state: State, at: usize, mut device: Device, keeps_name: bool) -> Option<String> {
    let taken: Vec<String> = state
        .scenario
        .with_untracked(|s| s.devices.iter().map(|d| d.name.clone()).collect());
    if !keeps_name || taken.contains(&device.name) {
        // A second one of a kind is told by a number behind its name, where there is room.
        let base = device.name.clone();
        let has_room = keeps_name && base.chars().count() + 3 <= ranges::LONGEST_NAME;
        let free = (if has_room { 2 } else { 1 }..)
            .map(|n| {
                if has_room {
                    format!("{base} {n}")
                } else {
                    format!("D{n}")
                }
            })
            .find(|name| !taken.contains(name));
        device.name = free.unwrap_or_default();
    }
    let name = device.name.clone();
    // Devices that somebody has are meant to run a plan.
    let also = |s: &mut Scenario| {
        if keeps_name {
            *s = s.as_it_runs();
        }
    };
    match state.insert_with(at, device, also) {
        Ok(()) => Some(name),
        Err(fault) => {
            state.say(format!("Not added: {fault}."));
            None
        }
    }
}

/// Puts a copy of a device behind it.
fn duplicate(state: State, at: usize) {
    let copied = state
        .scenario
        .with_untracked(|s| s.devices.get(at).cloned());
    let Some(device) = copied else {
        return;
    };
    let from = device.name.clone();
    if let Some(name) = add(state, at + 1, device, false) {
        state.say(format!("{name} is a copy of {from}."));
    }
}

/// Removes a device and leaves the focus on the menu of the one that takes its place.
fn remove(state: State, at: usize) {
    state.remove(at);
    request_animation_frame(move || {
        let last = state.ids.with_untracked(Vec::len);
        let place = (at + 1).min(last);
        let menu = format!("#fleet tbody:nth-of-type({place}) summary.menu");
        if let Some(menu) = document().query_selector(&menu).ok().flatten() {
            let _ = menu.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

/// Switches a device off, or on again.
fn switch(state: State, at: usize) {
    let done = state.edit("", |s| {
        if let Some(device) = s.devices.get_mut(at) {
            device.off = !device.off;
        }
    });
    if let Err(fault) = done {
        state.say(format!("Not switched: {fault}."));
    }
}
