//! The devices that operators are cut over: one row per device, in which every number can be edited, and devices can be added,
//! copied, moved and removed; the link that all of them have.

use crate::ui::operators::OperatorsState;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::fleet::{FleetRows, FleetTable, OwnColumns, add, say_fault};
use crate::ui::views::form::{OneOf, Pick, bound, choice};
use engine::problem::partition::Link;
use engine::scenario::operators::{Board, MOST_DEVICES, Scenario, presets};
use leptos::prelude::*;

/// Value at which a drag of a missing limit starts [MiB].
const FIRST_LIMIT_MIB: f64 = 50.0;

impl FleetRows for Scenario {
    const CLASS: &'static str = "dense boards";
    const LEAST: usize = 1;
    const CAN_BE_OFF: bool = false;
    const MOST: usize = MOST_DEVICES;
    const COLUMNS: &'static [&'static str] = &["factor", "limit_mib"];

    fn size(&self) -> String {
        let count = self.split.devices.len();
        let noun = if count == 1 { "device" } else { "devices" };
        let limits = self.split.devices.iter().map(|board| board.limit_mib);
        match limits.sum::<Option<f64>>() {
            Some(mib) => format!("{count} {noun}, {} MiB", (mib * 100.0).round() / 100.0),
            None => format!("{count} {noun}"),
        }
    }

    fn rename(row: &mut Board, name: String) {
        row.name = name;
    }

    fn off(_: &mut Board) -> Option<&mut bool> {
        None
    }

    fn first() -> Option<Board> {
        None
    }

    fn fallback_value(&self, key: &str) -> Option<f64> {
        (key == "limit_mib").then_some(FIRST_LIMIT_MIB)
    }
}

/// The table with its tools, and the link that all devices have.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
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
        <FleetTable editor=*state own=OwnColumns::default()>
            <Pick id="add-hardware" label="Add hardware" accessible_label="Add a device of the paper\u{2019}s hardware"
                options=hardware() choose=Callback::new(move |at| add_hardware(state, at))/>
            <Pick id="configuration" label="Factors of Fig. 11" accessible_label="Use the factors of a configuration of Fig. 11"
                options=configurations() choose=Callback::new(move |at| configure(state, at))/>
        </FleetTable>
        <div class="form link-fields">
            <label class="lab" for="field-mbps">"Link"</label>
            <div class="with-choice">
                <span class="num">
                    <NumberInput binding=mbps called=Signal::derive(|| "Link rate".to_owned())/>
                    <span class="unit">"Mbit/s"</span>
                </span>
                <OneOf label="Which link has this rate" id="link" words=vec!["Each device", "Shared"] now=link choose=choose/>
                <Fault key="mbps".to_owned()/>
            </div>
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
        op_us: None,
    };
    add(*state, at, board, None);
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
    say_fault(*state, "changed", done);
}
