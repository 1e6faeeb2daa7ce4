//! The fleet of head placement: what is its own about the table. Links, the controller and records follow their devices.

use super::HeadsState;
use crate::ui::scenario_editor::{OwnRow, ScenarioEditor};
use crate::ui::views::fleet::{FleetRows, FleetTable, OwnColumns, RowPart, ShownNumber, say_fault};
use crate::ui::views::form::Pick;
use chart::ChartSpec;
use document::{Block, Section};
use engine::scenario::fields::{MOST_DEVICES, NumberFields};
use engine::scenario::heads::{HeadDevice, Links, Scenario, presets};
use engine::units::bytes;
use leptos::prelude::*;
use protocol::names::heads::TOKEN;
use protocol::names::heads::device_name;
use std::sync::Arc;

/// The longest name of a controller that has room over its column.
const LONGEST_HEAD: usize = 10;

/// Sizes of fleets to be drawn.
const SIZES: [usize; 5] = [3, 5, 10, 25, 40];

impl FleetRows for Scenario {
    const CLASS: &'static str = "dense";
    const MOST: usize = MOST_DEVICES;
    const COLUMNS: &'static [&'static str] = &["compute_gops", "memory_gb"];

    fn size(&self) -> String {
        let memory: f64 = self.switched_on().map(|(_, d)| d.memory_gb * 1e9).sum();
        let count = self.switched_on().count();
        let noun = if count == 1 { "device" } else { "devices" };
        format!("{count} {noun}, {}", bytes(memory))
    }

    fn rename(row: &mut HeadDevice, name: String) {
        row.name = name;
    }

    fn off(row: &mut HeadDevice) -> Option<&mut bool> {
        Some(&mut row.off)
    }

    fn first() -> Option<HeadDevice> {
        presets::paper().devices.into_iter().next()
    }

    fn lacks(&self, at: usize, key: &str) -> Option<&'static str> {
        let is_to_itself = key == "gbit_s" && at == self.controller;
        is_to_itself.then_some("Nothing is sent within the device")
    }

    /// The rate between the device and the controller, both ways.
    fn part_columns(editor: ScenarioEditor<Self>) -> Vec<RowPart<Self>> {
        let controller = Memo::new(move |_| editor.scenario.with(|s| device_name(s, s.controller)));
        let rate = Links::NUMBERS.first();
        let part = rate.map(|rate| RowPart {
            key: format!("link {}", rate.field.key),
            field: rate.field,
            head: Signal::derive(move || {
                let name = controller.get();
                match name.chars().count() {
                    0..=LONGEST_HEAD => format!("To {name}"),
                    _ => "To controller".to_owned(),
                }
            }),
            get: Arc::new(|s: &Self, at| s.links.own_rate(at, s.controller)),
            set: Arc::new(|s: &mut Self, at, value| {
                if at != s.controller {
                    s.links.set(at, s.controller, value);
                }
            }),
            shared: |s, _| s.links.gbit_s,
        });
        part.into_iter().collect()
    }
}

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let token = state.answer.answer.control_value(TOKEN);
    let at = move || token.get().map(|token| format!("at {token}"));
    let own = OwnColumns {
        mark: controller_mark,
        columns: vec![ShownNumber {
            head: "Heads",
            unit: Signal::derive(move || at().unwrap_or_default()),
            cell: heads,
        }],
        actions: make_controller,
    };
    let options = SIZES.map(|count| format!("{count} devices")).into();
    let choose = Callback::new(move |at: usize| {
        if let Some(count) = SIZES.get(at) {
            draw(state, *count);
        }
    });
    view! {
        <FleetTable editor=*state own=own>
            <Pick id="draw-fleet" label="Draw from the paper\u{2019}s ranges" accessible_label="Replace the fleet by one drawn from the paper\u{2019}s ranges"
                options=options choose=choose/>
        </FleetTable>
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

fn is_controller(state: HeadsState, own: OwnRow<Scenario>) -> bool {
    state
        .scenario
        .with(|s| state.position(own.id) == Some(s.controller))
}

fn controller_mark(own: OwnRow<Scenario>) -> AnyView {
    let state = expect_context::<HeadsState>();
    let mark = move || {
        is_controller(state, own)
            .then(|| view! { <span class="ctrl" title="Holds the input">"ctrl"</span> })
    };
    mark.into_any()
}

/// How many heads the device has at the token that is looked at.
fn heads(own: OwnRow<Scenario>) -> AnyView {
    let state = expect_context::<HeadsState>();
    let store = state.answer.answer;
    let token = store.control_value(TOKEN);
    let heads = Memo::new(move |_| {
        let (at, token) = (state.position(own.id)?, token.get()?);
        store.sections.with(|all| {
            let mut blocks = all.iter().flat_map(Section::all_blocks);
            blocks.find_map(|block| match block {
                Block::Chart(chart) => match &*chart.drawing {
                    ChartSpec::Heads(map, _) => map.heads_on(at, token as usize),
                    _ => None,
                },
                _ => None,
            })
        })
    });
    let words = move || {
        heads
            .get()
            .map_or_else(|| "\u{2013}".to_owned(), |n| n.to_string())
    };
    words.into_any()
}

fn make_controller(own: OwnRow<Scenario>, close: Callback<()>) -> AnyView {
    let state = expect_context::<HeadsState>();
    let is_off = move || {
        let off = |s: &Arc<Scenario>| own.read(s, |device| device.off);
        state.scenario.with(off).unwrap_or_default()
    };
    let choose = move |_| {
        close.run(());
        if let Some(at) = untrack(|| state.position(own.id)) {
            say_fault(*state, "changed", state.edit("", |s| s.controller = at));
        }
    };
    view! {
        <button disabled=move || is_controller(state, own) || is_off() on:click=choose>"Make it the controller"</button>
    }
    .into_any()
}
