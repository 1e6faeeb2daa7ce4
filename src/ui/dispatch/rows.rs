//! The fleet of device or server: what is its own about the table. The fastest device that is on is the one of the policies; those
//! behind it share the requests where budgets of their own allow.

use super::DispatchState;
use crate::ui::scenario_editor::OwnRow;
use crate::ui::views::fleet::{FleetRows, FleetTable, OwnColumns, add};
use crate::ui::views::form::Pick;
use engine::scenario::dispatch::{Device, Scenario, profiles};
use engine::scenario::fields::MOST_DEVICES;
use leptos::prelude::*;

impl FleetRows for Scenario {
    const CLASS: &'static str = "dense dispatch-fleet";
    const MOST: usize = MOST_DEVICES;
    const COLUMNS: &'static [&'static str] = &["prefill_tok_s", "decode_tok_s"];
    const IS_OPEN: bool = true;

    fn size(&self) -> String {
        let count = self.switched_on().count();
        let noun = if count == 1 { "device" } else { "devices" };
        format!("{count} {noun} on, 1 server")
    }

    fn rename(row: &mut Device, name: String) {
        row.name = name;
    }

    fn off(row: &mut Device) -> Option<&mut bool> {
        Some(&mut row.off)
    }

    fn first() -> Option<Device> {
        profiles::devices().into_iter().next_back()
    }

    fn fallback_value(&self, key: &str) -> Option<f64> {
        (key == "own_budget").then_some(self.budget)
    }

    fn lacks(&self, at: usize, key: &str) -> Option<&'static str> {
        (key == "own_budget" && self.device() == at)
            .then_some("The slider under the charts sets the budget of the fastest device")
    }
}

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let own = OwnColumns {
        mark: used_mark,
        ..OwnColumns::default()
    };
    let options = profiles::devices()
        .into_iter()
        .map(|device| device.name)
        .collect();
    let choose = Callback::new(move |at: usize| {
        if let Some(device) = profiles::devices().into_iter().nth(at) {
            let end = state.scenario.with_untracked(|s| s.devices.len());
            add(*state, end, device, None);
        }
    });
    view! {
        <FleetTable editor=*state own=own>
            <Pick id="add-profile" label="From the paper" accessible_label="Add a device of the paper" options=options choose=choose/>
        </FleetTable>
    }
}

/// Says which device the policies use.
fn used_mark(own: OwnRow<Scenario>) -> AnyView {
    let state = expect_context::<DispatchState>();
    let is_first = Memo::new(move |_| {
        let first = state
            .scenario
            .with(|s| s.switched_on().next().map(|(at, _)| at));
        first.is_some() && first == state.position(own.id)
    });
    let mark = move || {
        is_first
            .get()
            .then(|| view! { <span class="ctrl" title="The device of the policies">"used"</span> })
    };
    mark.into_any()
}
