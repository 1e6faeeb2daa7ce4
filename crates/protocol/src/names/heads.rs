//! Names of devices and models of head placement.

use document::Name;
use engine::problem::head_sizes::Memory;
use engine::scenario::heads::Scenario;
use engine::units::NARROW;

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

/// "32 heads of width 64, 4 B per value (weights q4_K_M)": the layer in short.
#[must_use]
pub fn layer_words(scenario: &Scenario) -> String {
    let m = &scenario.model;
    let each = m.width / m.heads;
    let values = format!(
        "{} heads of width {each}, {}{NARROW}B per value",
        m.heads, m.value_bytes
    );
    match scenario.demands.memory {
        Memory::Physical => m.stored().of_model(&values),
        // They have no other bytes than those of values.
        Memory::Table | Memory::NoCache => values,
    }
}
