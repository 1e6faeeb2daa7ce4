//! The fleet of a cold start: what is its own about the table.

use super::ColdStartState;
use crate::ui::scenario_editor::OwnRow;
use crate::ui::views::catalogue::Catalogue;
use crate::ui::views::fleet::{FleetRows, FleetTable, OwnColumns, RowPart};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::catalogue::CatalogueRow;
use engine::scenario::fields::{self, MOST_DEVICES, NumberFields};
use engine::scenario::{Channel, ChannelPart, Device, Scenario, presets};
use engine::units::{NARROW, bytes, tflops};
use leptos::prelude::*;
use std::sync::Arc;

impl FleetRows for Scenario {
    const MOST: usize = MOST_DEVICES;
    const COLUMNS: &'static [&'static str] = &["c_peak_tflops", "r_mb_s", "m_gb", "d_m"];
    /// Fields that are edited with the goal and not in the table.
    const ELSEWHERE: &'static [&'static str] = &["bandwidth_gb_s"];
    const DETAILS_TITLE: &'static str = "Link of its own";

    fn size(&self) -> String {
        let total: f64 = self.switched_on().map(|(_, d)| d.m_gb * 1e9).sum();
        let (on, count) = (self.switched_on().count(), self.devices.len());
        let noun = if count == 1 { "device" } else { "devices" };
        let share = if on == count {
            String::new()
        } else {
            format!("{on} of ")
        };
        format!("{share}{count} {noun}, {}", bytes(total))
    }

    fn rename(row: &mut Device, name: String) {
        row.name = name;
    }

    fn off(row: &mut Device) -> Option<&mut bool> {
        Some(&mut row.off)
    }

    fn first() -> Option<Device> {
        presets::paper().devices.into_iter().next()
    }

    fn row_details() -> Vec<RowPart<Self>> {
        let part = |number: &'static fields::Number<ChannelPart>| RowPart {
            key: format!("link {}", number.field.key),
            field: number.field,
            head: Signal::derive(move || number.field.title()),
            get: Arc::new(move |s: &Self, at| {
                let link = s.devices.get(at)?.link;
                link.and_then(|link| (number.get)(&link))
            }),
            set: Arc::new(move |s: &mut Self, at, value| {
                if let Some(device) = s.devices.get_mut(at) {
                    let mut link = device.link.unwrap_or_default();
                    (number.set)(&mut link, value);
                    // A device without any number of its own has no link of its own.
                    device.link = (link != ChannelPart::default()).then_some(link);
                }
            }),
            shared: |s, field| {
                let number = Channel::number(field.key);
                let shared = number.and_then(|number| (number.get)(&s.channel));
                shared.unwrap_or_default()
            },
        };
        ChannelPart::NUMBERS.iter().map(part).collect()
    }

    fn derived(&self, at: usize) -> Option<String> {
        let device = self.devices.get(at)?;
        let hardware = engine::hardware::DeviceHardware::from(device);
        let own = device.link.unwrap_or_default();
        let channel: engine::network::Channel = self.channel.with(&own).into();
        let up = channel.rate(device.pu_dbm, device.d_m) / 1e6;
        let down = channel.rate(device.pd_dbm, device.d_m) / 1e6;
        let speed = tflops(hardware.effective_flops(self.prompt_tokens));
        let tokens = self.prompt_tokens;
        let own = if device.link.is_some() {
            ", own link"
        } else {
            ""
        };
        let spans = device.ranges.iter().map(|(key, span)| {
            let noun = fields::noun(key.rsplit('.').next().unwrap_or(key));
            format!(", {noun} {}", span.text(""))
        });
        let spans: String = spans.collect();
        Some(format!(
            "{speed} at {tokens} tokens   ↑{NARROW}{up:.0} ↓{NARROW}{down:.0} Mbit/s{own}{spans}"
        ))
    }
}

/// The table with its tools.
#[component]
pub fn Devices() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let own = OwnColumns {
        mark: link_mark,
        actions: save_row,
        ..OwnColumns::default()
    };
    view! {
        <FleetTable editor=*state own=own/>
    }
}

/// Says that a device has a link of its own.
fn link_mark(own: OwnRow<Scenario>) -> AnyView {
    let state = expect_context::<ColdStartState>();
    let has_link = Memo::new(move |_| {
        let has = |s: &Arc<Scenario>| own.read(s, |d| d.link.is_some());
        state.scenario.with(has).unwrap_or_default()
    });
    let mark = move || {
        has_link.get().then(|| {
            view! {
                <span class="own-mark" title="This device has a link of its own: see All numbers">
                    <Icon glyph=Glyph::Link/>
                    <span class="sr">"own link"</span>
                </span>
            }
        })
    };
    mark.into_any()
}

/// Keeps a device as a row of one's own.
fn save_row(own: OwnRow<Scenario>, close: Callback<()>) -> AnyView {
    let state = expect_context::<ColdStartState>();
    let catalogue = expect_context::<Catalogue>();
    let keep = move |_| {
        close.run(());
        let device = |s: &Arc<Scenario>| untrack(|| own.read(s, Device::clone));
        if let Some(device) = state.scenario.with_untracked(device) {
            catalogue.open_save_dialog(CatalogueRow::of_device(&device, ""));
        }
    };
    view! { <button on:click=keep>"Keep in catalogue"</button> }.into_any()
}
