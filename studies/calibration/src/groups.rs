//! Groups of measurements that are fitted together: a class, and its generations of chips.

use crate::measurements::Measurement;
use engine::hardware::calibration::CalibrationClass;

/// The class and the generation of a measurement. Processors have one generation: more do not predict better.
#[must_use]
pub fn group_of(row: &Measurement) -> Option<(CalibrationClass, &str)> {
    // Cards of one generation that are alike in hosts or in speed.
    let generation = match row.generation.as_str() {
        "turing-notensor" => "turing",
        "pascal-p100" => "pascal",
        "ampere-a100" => "hopper",
        other => other,
    };
    Some(match row.class.as_str() {
        "NVIDIA desktop/workstation GPU" => (CalibrationClass::NvidiaDesktop, generation),
        "NVIDIA datacentre GPU" => (CalibrationClass::NvidiaDatacentre, generation),
        "NVIDIA laptop GPU" | "board GPU" => (CalibrationClass::NvidiaLaptop, generation),
        "AMD GPU" => (CalibrationClass::AmdCard, generation),
        "AMD integrated GPU" => (CalibrationClass::AmdBuiltIn, generation),
        "Apple GPU" => (CalibrationClass::AppleGpu, generation),
        "desktop CPU" => (CalibrationClass::DesktopCpu, "all"),
        "laptop CPU" => (CalibrationClass::LaptopCpu, "all"),
        "server/HEDT CPU" => (CalibrationClass::ServerCpu, "all"),
        "board CPU" => (CalibrationClass::BoardCpu, "all"),
        "Apple CPU" => (CalibrationClass::AppleCpu, "all"),
        _ => return None,
    })
}
