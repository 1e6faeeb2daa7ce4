//! Devices: how fast they compute at a given prompt length, how fast they read weights, what they hold.
//!
//! Source: CSGO, equations (8) and (9), Table 1.

pub mod calibration;
pub mod catalog;
pub mod machines;
pub mod prompt;

/// A device as its data sheet and a short measurement describe it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DeviceHardware {
    /// Peak compute rate [TFLOPS], c*.
    pub peak_tflops: f64,
    /// Utilisation that long prompts approach, a.
    pub util_limit: f64,
    /// How soon it is approached [1/token], b.
    pub util_rate: f64,
    /// Disk read rate [MB/s], r.
    pub disk_mb_s: f64,
    /// Memory for weights and activations [GB], m.
    pub memory_gb: f64,
    /// Power of its own sender [dBm], P^u.
    pub uplink_dbm: f64,
    /// Power with which the access point sends to it [dBm], P^d.
    pub downlink_dbm: f64,
    /// Distance to the access point [m], d.
    pub distance_m: f64,
}

impl DeviceHardware {
    /// Share of the peak that a prompt of `tokens` tokens reaches, U(t). Equation (8).
    ///
    /// `expm1` keeps short prompts exact, where 1 - exp(-bt) would cancel.
    #[must_use]
    pub fn utilisation(&self, tokens: f64) -> f64 {
        -self.util_limit * libm::expm1(-self.util_rate * tokens)
    }

    /// Compute rate [FLOP/s] that a prompt of `tokens` tokens reaches. Equation (9).
    #[must_use]
    pub fn effective_flops(&self, tokens: f64) -> f64 {
        self.peak_tflops * 1e12 * self.utilisation(tokens)
    }

    /// Compute rate [FLOP/s] that long prompts approach: the limit of [`Self::effective_flops`].
    #[must_use]
    pub fn most_flops(&self) -> f64 {
        self.peak_tflops * 1e12 * self.util_limit
    }
}
