//! The fleet of device or server: what is its own about the table. The first device that is on is the one of the policies; those
//! behind it share the requests where budgets of their own allow.

use super::DispatchState;
use crate::ui::desk::OwnRow;
use crate::ui::views::fleet::{FleetTable, Own, Rows, add};
use engine::scenario::dispatch::{Device, Scenario, profiles};
use engine::scenario::fields::MOST_DEVICES;
use leptos::prelude::*;

impl Rows for Scenario {
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

    fn instead(&self, key: &str) -> Option<f64> {
        (key == "own_budget").then_some(self.budget)
    }

    fn lacks(&self, at: usize, key: &str) -> Option<&'static str> {
        let is_first = self
            .switched_on()
            .next()
            .is_some_and(|(first, _)| first == at);
        (key == "own_budget" && is_first)
            .then_some("The slider under the charts sets the budget of the first device")
    }
}

/// The table with its tools.
#[component]
pub fn Fleet() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let own = Own {
        mark: used_mark,
        ..Own::default()
    };
    view! {
        <FleetTable desk=*state own=own>
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
                            add(*state, at, device, None);
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
