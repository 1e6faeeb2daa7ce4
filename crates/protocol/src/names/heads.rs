//! Names of devices and models of head placement.

use document::Name;
use engine::problem::head_sizes::Memory;
use engine::scenario::heads::Scenario;
use engine::units::{NARROW, bytes};

/// Key of the token that controls and charts of head placement share.
pub const TOKEN: Name = "token";

/// The name of a device, or its place where it has none.
#[must_use]
pub fn device_name(scenario: &Scenario, device: usize) -> String {
    match scenario.devices.get(device).map(|d| d.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("Device {}", device + 1),
    }
}

/// "32 heads of width 64, 4 B per value (weights q4_K_M)", "8 KV heads of 4 query heads each, width 128 …": the layer in short.
#[must_use]
pub fn layer_words(scenario: &Scenario) -> String {
    let m = &scenario.model;
    let (each, placed) = (m.head_width(), m.placed_heads());
    let heads = if placed == m.heads {
        format!("{} heads of width {each}", m.heads)
    } else {
        let shared = m.heads / placed;
        format!("{placed} KV heads of width {each}, each with {shared} query heads")
    };
    let experts = m.block.and_then(|run| run.experts.zip(run.experts_used));
    let experts = experts.map_or_else(String::new, |(all, used)| {
        format!(", {used} of {all} experts per token")
    });
    let window = m.block.and_then(|run| run.window);
    let window = window.map_or_else(String::new, |tokens| format!(", window of {tokens} tokens"));
    let values = format!(
        "{heads}{experts}{window}, {}{NARROW}B per value",
        m.value_bytes
    );
    if let Some(run) = &m.block {
        return format!(
            "{values} (weights {} as in the file)",
            bytes(run.weight_bytes)
        );
    }
    match scenario.demands.memory {
        Memory::Physical => m.stored().of_model(&values),
        // They have no other bytes than those of values.
        Memory::Table | Memory::NoCache => values,
    }
}
