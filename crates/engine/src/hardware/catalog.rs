//! Published devices, one row each, with the place the numbers come from.

use super::DeviceHardware;

/// A catalogue row.
#[derive(Debug, Clone, Copy)]
pub struct CatalogDevice {
    /// Name in its source.
    pub name: &'static str,
    /// Its numbers.
    pub device: DeviceHardware,
    /// Where they were read.
    pub source: &'static str,
}

const fn row(name: &'static str, n: [f64; 7]) -> CatalogDevice {
    let [
        peak_tflops,
        util_limit,
        util_rate,
        disk_mb_s,
        memory_gb,
        uplink_dbm,
        distance_m,
    ] = n;
    let device = DeviceHardware {
        peak_tflops,
        util_limit,
        util_rate,
        disk_mb_s,
        memory_gb,
        uplink_dbm,
        downlink_dbm: 25.0,
        distance_m,
    };
    CatalogDevice {
        name,
        device,
        source: "CSGO, Table 1",
    }
}

/// All devices. Columns: peak [TFLOPS], a, b [1/token], disk [MB/s], memory [GB], uplink power [dBm],
/// distance to the access point [m]. The downlink power is 25 dBm for all.
pub const DEVICES: &[CatalogDevice] = &[
    row("Device 1", [165.0, 0.4, 5.1e-4, 5000.0, 20.0, 20.0, 1.0]),
    row("Device 2", [70.0, 0.7, 8.7e-4, 4000.0, 10.0, 18.0, 3.0]),
    row("Device 3", [30.0, 0.8, 1.1e-3, 3000.0, 8.0, 15.0, 5.0]),
    row("Device 4", [20.0, 0.8, 1.8e-3, 2000.0, 8.0, 15.0, 7.0]),
];

/// A device of another paper. What no source gives is missing; nothing is made up for it.
#[derive(Debug, Clone, Copy)]
pub struct KnownDevice {
    /// Name in its source.
    pub name: &'static str,
    /// A short name for rows and pictures.
    pub short: &'static str,
    /// Its memory as sold [GB]; an operating system needs some of it.
    pub memory_gb: f64,
    /// Memory that an operating system without a desktop leaves [GB].
    pub usable_gb: Option<f64>,
    /// Memory rate [GB/s].
    pub bandwidth_gb_s: Option<f64>,
    /// Compute as its data sheet says it [TOPS]: int8 with sparsity. Dense fp16 is at most a quarter.
    pub tops: Option<f64>,
    /// Nameplate power [W]: an upper bound.
    pub power_w: Option<f64>,
    /// Note of the source.
    pub note: &'static str,
    /// Where it was read.
    pub source: &'static str,
}

/// A Jetson of Hyperion's Table I. Columns: memory [GB], usable memory [GB], memory rate [GB/s], TOPS, power [W].
const fn jetson(
    name: &'static str,
    short: &'static str,
    numbers: [f64; 5],
    note: &'static str,
) -> KnownDevice {
    let [memory_gb, usable_gb, bandwidth_gb_s, tops, power_w] = numbers;
    KnownDevice {
        name,
        short,
        memory_gb,
        usable_gb: Some(usable_gb),
        bandwidth_gb_s: Some(bandwidth_gb_s),
        tops: Some(tops),
        power_w: Some(power_w),
        note,
        source: "Hyperion, Table I; memory rate from the data sheet",
    }
}

/// A device of MemoriaNova's Table 3, of which only the memory is given.
const fn pi(name: &'static str, memory_gb: f64, note: &'static str) -> KnownDevice {
    KnownDevice {
        name,
        short: name,
        memory_gb,
        usable_gb: None,
        bandwidth_gb_s: None,
        tops: None,
        power_w: None,
        note,
        source: "MemoriaNova, Table 3",
    }
}

/// Devices of the other papers.
pub const KNOWN_DEVICES: &[KnownDevice] = &[
    jetson(
        "Jetson Orin Nano 8GB",
        "Nano",
        [8.0, 5.2, 68.0, 67.0, 25.0],
        "67 TOPS (int8, sparse): dense fp16 is at most a quarter, 16.75 TFLOPS. About 5.2 GB are usable.",
    ),
    jetson(
        "Jetson Orin Nano 8GB, Super mode",
        "Nano Super",
        [8.0, 5.2, 102.0, 67.0, 25.0],
        "The mode for which 67 TOPS are advertised; its memory is 1.5 times as fast.",
    ),
    jetson(
        "Jetson Orin NX 16GB",
        "NX",
        [16.0, 13.0, 102.4, 157.0, 40.0],
        "157 TOPS (int8, sparse, GPU and DLA); about 77 of them are the GPU's.",
    ),
    jetson(
        "Jetson AGX Orin 32GB",
        "AGX",
        [32.0, 28.0, 204.8, 200.0, 40.0],
        "200 TOPS (int8, sparse, GPU and DLA); about 108 of them are the GPU's.",
    ),
    pi(
        "PC, 8 cores at 2.5 GHz",
        32.0,
        "Time factor 0.24 of a Raspberry Pi 3.",
    ),
    pi(
        "Jetson TX2",
        8.0,
        "GPU at 1.12 GHz, 6 cores at 1.4 GHz; time factor 0.50 of a Raspberry Pi 3.",
    ),
    pi(
        "Raspberry Pi 4",
        4.0,
        "4 cores at 1.5 GHz; time factor 0.80 of a Raspberry Pi 3.",
    ),
    pi("Raspberry Pi 3", 1.0, "4 cores at 1.2 GHz; time factor 1."),
];
