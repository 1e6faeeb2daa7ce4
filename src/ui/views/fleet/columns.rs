//! The numbers of a device: which there are, what they are called, where they stand.

use engine::scenario::{Channel, ChannelPart, Device};

/// One number of a device.
pub struct Column {
    /// Name in the schema.
    pub field: &'static str,
    /// Head of its column, or label of its field.
    pub head: &'static str,
    /// Unit, empty for a pure number.
    pub unit: &'static str,
    /// Name in full, unit included.
    pub spoken: &'static str,
    /// Reads it.
    pub get: fn(&Device) -> f64,
    /// Writes it.
    pub set: fn(&mut Device, f64),
}

/// The numbers that matter most, one a column.
pub const COLUMNS: [Column; 4] = [
    Column {
        field: "c_peak_tflops",
        head: "Compute",
        unit: "TFLOPS",
        spoken: "compute, teraflops",
        get: |d| d.c_peak_tflops,
        set: |d, v| d.c_peak_tflops = v,
    },
    Column {
        field: "r_mb_s",
        head: "Disk",
        unit: "MB/s",
        spoken: "disk, megabytes per second",
        get: |d| d.r_mb_s,
        set: |d, v| d.r_mb_s = v,
    },
    Column {
        field: "m_gb",
        head: "Memory",
        unit: "GB",
        spoken: "memory, gigabytes",
        get: |d| d.m_gb,
        set: |d, v| d.m_gb = v,
    },
    Column {
        field: "d_m",
        head: "To AP",
        unit: "m",
        spoken: "distance to the access point, metres",
        get: |d| d.d_m,
        set: |d, v| d.d_m = v,
    },
];

/// The numbers that are shown when a row is opened.
pub const MORE: [Column; 4] = [
    Column {
        field: "a",
        head: "Utilisation a",
        unit: "",
        spoken: "utilisation that long prompts approach",
        get: |d| d.a,
        set: |d, v| d.a = v,
    },
    Column {
        field: "b",
        head: "Rate b",
        unit: "1/token",
        spoken: "utilisation rate, per token",
        get: |d| d.b,
        set: |d, v| d.b = v,
    },
    Column {
        field: "pu_dbm",
        head: "Uplink",
        unit: "dBm",
        spoken: "uplink power, dBm",
        get: |d| d.pu_dbm,
        set: |d, v| d.pu_dbm = v,
    },
    Column {
        field: "pd_dbm",
        head: "Downlink",
        unit: "dBm",
        spoken: "downlink power, dBm",
        get: |d| d.pd_dbm,
        set: |d, v| d.pd_dbm = v,
    },
];

/// One number of the link that a device may have of its own.
pub struct OwnColumn {
    /// Name in the schema.
    pub field: &'static str,
    /// Its label.
    pub head: &'static str,
    /// Unit, empty for a pure number.
    pub unit: &'static str,
    /// What all devices share.
    pub shared: fn(&Channel) -> f64,
    /// The device's own, if it has one.
    pub own: fn(&mut ChannelPart) -> &mut Option<f64>,
}

/// The link, number by number; the order is that of the shared link's fields.
pub const OWN: [OwnColumn; 6] = [
    OwnColumn {
        field: "B_mhz",
        head: "Bandwidth",
        unit: "MHz",
        shared: |c| c.B_mhz,
        own: |p| &mut p.B_mhz,
    },
    OwnColumn {
        field: "mu",
        head: "Efficiency",
        unit: "",
        shared: |c| c.mu,
        own: |p| &mut p.mu,
    },
    OwnColumn {
        field: "zeta",
        head: "Path loss",
        unit: "",
        shared: |c| c.zeta,
        own: |p| &mut p.zeta,
    },
    OwnColumn {
        field: "beta0_db",
        head: "Gain",
        unit: "dB",
        shared: |c| c.beta0_db,
        own: |p| &mut p.beta0_db,
    },
    OwnColumn {
        field: "d0_m",
        head: "Reference",
        unit: "m",
        shared: |c| c.d0_m,
        own: |p| &mut p.d0_m,
    },
    OwnColumn {
        field: "N0_dbm_hz",
        head: "Noise",
        unit: "dBm/Hz",
        shared: |c| c.N0_dbm_hz,
        own: |p| &mut p.N0_dbm_hz,
    },
];

impl OwnColumn {
    /// The device's own number.
    pub fn get(&self, device: &Device) -> Option<f64> {
        device.link.and_then(|mut part| *(self.own)(&mut part))
    }

    /// Gives the device a number of its own, or takes it away; a device without any has no link of its own.
    pub fn set(&self, device: &mut Device, value: Option<f64>) {
        let mut part = device.link.unwrap_or_default();
        *(self.own)(&mut part) = value;
        device.link = (part != ChannelPart::default()).then_some(part);
    }
}
