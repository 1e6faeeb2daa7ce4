//! The wireless star: every device talks to one access point, and a transfer goes up from one device and
//! down to another.
//!
//! Source: CSGO, equations (10)-(12) and (20). Powers in dBm and gains in dB are ratios of powers, so the
//! conversion is 10^(x/10). Transcendental functions come from `libm`, so that a browser and this machine
//! agree to the last bit.

pub mod catalog;
pub mod links;

/// Properties of the wireless channel, the same for every device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Channel {
    /// Share of the Shannon rate that is reached, mu.
    pub efficiency: f64,
    /// Bandwidth of each device [MHz], B. Each device has all of it; it is not split.
    pub bandwidth_mhz: f64,
    /// Noise density [dBm/Hz], N0.
    pub noise_dbm_hz: f64,
    /// Reference distance [m], d0.
    pub reference_m: f64,
    /// Path-loss exponent, zeta.
    pub path_loss: f64,
    /// Channel gain at the reference distance [dB], beta0.
    pub gain_db: f64,
}

impl Channel {
    /// Rate [bit/s] of a sender with `power_dbm` at `distance_m` from the access point, one direction.
    ///
    /// Equations (10)-(12). The result is whatever the formula gives, infinite or zero included: the caller
    /// validates it.
    #[must_use]
    pub fn rate(&self, power_dbm: f64, distance_m: f64) -> f64 {
        let gain =
            power_from_db(self.gain_db) * libm::pow(distance_m / self.reference_m, -self.path_loss); // (12)
        let bandwidth_hz = self.bandwidth_mhz * 1e6;
        let noise_w = power_from_db(self.noise_dbm_hz - 30.0) * bandwidth_hz;
        let signal_w = power_from_db(power_dbm - 30.0) * gain;
        self.efficiency * bandwidth_hz * libm::log2(1.0 + signal_w / noise_w) // (10), (11)
    }

    /// Power [dBm] with which a sender at `distance_m` from the access point reaches `rate` [bit/s]: (10)-(12) solved for it.
    ///
    /// From b = μB log2(1 + s) comes s = exp(y) - 1 with y = b ln 2 / (μB); everything else is a sum of decibels, which no
    /// rate overflows. The result is whatever the formula gives, infinite or no number included: the caller validates it.
    #[must_use]
    pub fn power_for(&self, rate: f64, distance_m: f64) -> f64 {
        let bandwidth_hz = self.bandwidth_mhz * 1e6;
        let y = rate * std::f64::consts::LN_2 / (self.efficiency * bandwidth_hz);
        // ln(exp(y) - 1), which neither cancels for small y nor overflows for large.
        let log_ratio = y + libm::log(-libm::expm1(-y));
        let ratio_db = 10.0 * log_ratio / std::f64::consts::LN_10;
        let gain_db =
            self.gain_db - 10.0 * self.path_loss * libm::log10(distance_m / self.reference_m); // (12)
        ratio_db - gain_db + self.noise_dbm_hz + 10.0 * libm::log10(bandwidth_hz)
    }
}

/// A ratio of powers from decibels.
fn power_from_db(db: f64) -> f64 {
    libm::pow(10.0, db / 10.0)
}

/// How the two halves of a transfer, up to the access point and down from it, add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relay {
    /// The access point passes bytes on while they arrive: the slower half decides. Equation (20).
    #[default]
    SlowerHop,
    /// The access point waits for the whole message: both halves add up. Not in the paper.
    StoreAndForward,
}
