//! Published devices, one row each, with the place the numbers come from.

use super::Device;

/// A catalogue row.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What its source calls it.
    pub name: &'static str,
    /// Its numbers.
    pub device: Device,
    /// Where they were read.
    pub source: &'static str,
}

const fn row(name: &'static str, n: [f64; 7]) -> Entry {
    let [
        peak_tflops,
        util_limit,
        util_rate,
        disk_mb_s,
        memory_gb,
        uplink_dbm,
        distance_m,
    ] = n;
    let device = Device {
        peak_tflops,
        util_limit,
        util_rate,
        disk_mb_s,
        memory_gb,
        uplink_dbm,
        downlink_dbm: 25.0,
        distance_m,
    };
    Entry {
        name,
        device,
        source: "CSGO, Table 1",
    }
}

/// All devices. Columns: peak [TFLOPS], a, b [1/token], disk [MB/s], memory [GB], uplink power [dBm],
/// distance to the access point [m]. The downlink power is 25 dBm for all.
pub const DEVICES: &[Entry] = &[
    row("Device 1", [165.0, 0.4, 5.1e-4, 5000.0, 20.0, 20.0, 1.0]),
    row("Device 2", [70.0, 0.7, 8.7e-4, 4000.0, 10.0, 18.0, 3.0]),
    row("Device 3", [30.0, 0.8, 1.1e-3, 3000.0, 8.0, 15.0, 5.0]),
    row("Device 4", [20.0, 0.8, 1.8e-3, 2000.0, 8.0, 15.0, 7.0]),
];

/// A device of which a source gives only the memory; nothing is made up for the rest.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// What its source calls it.
    pub name: &'static str,
    /// Its memory as sold [GB]; an operating system needs some of it.
    pub memory_gb: f64,
    /// What the source says besides, in its own terms.
    pub note: &'static str,
    /// Where it was read.
    pub source: &'static str,
}

/// Devices of the other papers.
pub const KNOWN: &[Known] = &[
    Known {
        name: "Jetson Orin Nano 8GB",
        memory_gb: 8.0,
        note: "67 TOPS (int8, sparse): dense fp16 is at most a quarter, 16.75 TFLOPS. About 5.2 GB are usable.",
        source: "Hyperion, Table I",
    },
    Known {
        name: "Jetson Orin NX 16GB",
        memory_gb: 16.0,
        note: "157 TOPS (int8, sparse, GPU and DLA); no dense fp16 figure is given.",
        source: "Hyperion, Table I",
    },
    Known {
        name: "Jetson AGX Orin 32GB",
        memory_gb: 32.0,
        note: "200 TOPS (int8, sparse, GPU and DLA); no dense fp16 figure is given.",
        source: "Hyperion, Table I",
    },
    Known {
        name: "PC, 8 cores at 2.5 GHz",
        memory_gb: 32.0,
        note: "Time factor 0.24 of a Raspberry Pi 3.",
        source: "MemoriaNova, Table 3",
    },
    Known {
        name: "Jetson TX2",
        memory_gb: 8.0,
        note: "GPU at 1.12 GHz, 6 cores at 1.4 GHz; time factor 0.50 of a Raspberry Pi 3.",
        source: "MemoriaNova, Table 3",
    },
    Known {
        name: "Raspberry Pi 4",
        memory_gb: 4.0,
        note: "4 cores at 1.5 GHz; time factor 0.80 of a Raspberry Pi 3.",
        source: "MemoriaNova, Table 3",
    },
    Known {
        name: "Raspberry Pi 3",
        memory_gb: 1.0,
        note: "4 cores at 1.2 GHz; time factor 1.",
        source: "MemoriaNova, Table 3",
    },
];
