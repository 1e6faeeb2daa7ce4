//! Groups of measurements that are fitted together: the machines of a maker, by class and by generation of chips.

use crate::measurements::Measurement;
use engine::hardware::calibration::CalibrationClass;

/// The only generation of a class.
pub const ALL: &str = "all";

/// Classes whose machines are fitted together, because their chips or their runtime are alike.
pub const MAKERS: [&[CalibrationClass]; 4] = [
    &[
        CalibrationClass::NvidiaDesktop,
        CalibrationClass::NvidiaDatacentre,
        CalibrationClass::NvidiaLaptop,
        CalibrationClass::Jetson,
    ],
    &[CalibrationClass::AmdCard, CalibrationClass::AmdBuiltIn],
    &[CalibrationClass::AppleGpu],
    &[
        CalibrationClass::DesktopCpu,
        CalibrationClass::LaptopCpu,
        CalibrationClass::ServerCpu,
        CalibrationClass::BoardCpu,
        CalibrationClass::AppleCpu,
    ],
];

/// The class of a measurement; `None` of hardware that no class has.
#[must_use]
pub fn class_of(row: &Measurement) -> Option<CalibrationClass> {
    Some(match row.class.as_str() {
        "NVIDIA desktop/workstation GPU" => CalibrationClass::NvidiaDesktop,
        "NVIDIA datacentre GPU" => CalibrationClass::NvidiaDatacentre,
        "NVIDIA laptop GPU" => CalibrationClass::NvidiaLaptop,
        "board GPU" => CalibrationClass::Jetson,
        "AMD GPU" => CalibrationClass::AmdCard,
        "AMD integrated GPU" => CalibrationClass::AmdBuiltIn,
        "Apple GPU" => CalibrationClass::AppleGpu,
        "desktop CPU" => CalibrationClass::DesktopCpu,
        "laptop CPU" => CalibrationClass::LaptopCpu,
        "server/HEDT CPU" => CalibrationClass::ServerCpu,
        "board CPU" => CalibrationClass::BoardCpu,
        "Apple CPU" => CalibrationClass::AppleCpu,
        _ => return None,
    })
}

/// The generation of a measurement by which prompts are fitted.
#[must_use]
pub fn generation_of(row: &Measurement) -> &str {
    match (row.class.as_str(), row.generation.as_str()) {
        ("Apple CPU", _) => ALL,
        // Chips of one generation that are alike in hosts or in speed.
        (_, "turing-notensor") => "turing",
        (_, "pascal-p100") => "pascal",
        (_, "ampere-a100") => "hopper",
        (_, "avx512c") => "avx512",
        (_, other) => other,
    }
}

/// The generation by which tokens are fitted. Processors have one: more do not predict better.
#[must_use]
pub fn decode_generation_of(row: &Measurement) -> &str {
    match class_of(row) {
        Some(class) if class.has_compute_term() => ALL,
        _ => generation_of(row),
    }
}
