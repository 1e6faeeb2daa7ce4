//! A device as a person types it, with a channel, becomes the numbers of a cold start; a number that cannot be is blamed
//! on the field that was typed.

use super::cold_start::{MachineNumbers, PhysicalDevice, not_negative, positive};
use super::{Code, Invalid};
use crate::hardware::DeviceHardware;
use crate::network::Channel;

/// A typed field that a result follows from.
struct Typed {
    key: &'static str,
    value: f64,
    /// True if it has to be above 0.
    is_positive: bool,
    /// The result with an ordinary value in its place.
    healed: f64,
}

impl Typed {
    fn cannot_be(&self) -> bool {
        !self.value.is_finite() || self.is_positive && self.value <= 0.0
    }
}

fn can_be(rate: f64) -> bool {
    rate.is_finite() && rate > 0.0
}

/// Returns `rate` if it is finite and above 0. `fields` is called only if it is not.
///
/// # Errors
/// Names the first field whose own value is out of range, then the first field whose replacement by an ordinary value repairs
/// the rate, then the device at `path`.
fn derived(
    path: &str,
    rate: f64,
    what: &str,
    unit: &str,
    fields: impl FnOnce() -> Vec<Typed>,
) -> Result<f64, Invalid> {
    if can_be(rate) {
        return Ok(rate);
    }
    let fields = fields();
    let wrong = fields.iter().find(|field| field.cannot_be());
    let culprit = wrong.or_else(|| fields.iter().find(|field| can_be(field.healed)));
    let place = culprit.map_or_else(|| path.to_owned(), |field| format!("{path}.{}", field.key));
    let shown = culprit.map_or(rate, |field| field.value);
    let message = format!(
        "{place} must give {what} above 0 and finite; it is {}, which gives {rate} {unit}",
        number(shown)
    );
    Err(Invalid::new(Code::Range, place, shown, message))
}

/// A number as a message shows it: not three hundred digits.
fn number(value: f64) -> String {
    if value.abs() >= 1e15 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// Ordinary values, to find out which field makes a result impossible.
const POWER: f64 = 20.0;
const DISTANCE: f64 = 10.0;
const CHANNEL: Channel = Channel {
    efficiency: 0.5,
    bandwidth_mhz: 20.0,
    noise_dbm_hz: -174.0,
    reference_m: 1.0,
    path_loss: 3.0,
    gain_db: -30.0,
};

/// The fields that a rate of a link follows from.
fn link(channel: &Channel, key: &'static str, power: f64, distance: f64) -> Vec<Typed> {
    let field = |key, value, is_positive, healed| Typed {
        key,
        value,
        is_positive,
        healed,
    };
    let with = |change: fn(&mut Channel)| {
        let mut other = *channel;
        change(&mut other);
        other.rate(power, distance)
    };
    let c = channel;
    vec![
        field(
            "mu",
            c.efficiency,
            true,
            with(|c| c.efficiency = CHANNEL.efficiency),
        ),
        field(
            "B_mhz",
            c.bandwidth_mhz,
            true,
            with(|c| c.bandwidth_mhz = CHANNEL.bandwidth_mhz),
        ),
        field("d_m", distance, true, c.rate(power, DISTANCE)),
        field(
            "d0_m",
            c.reference_m,
            true,
            with(|c| c.reference_m = CHANNEL.reference_m),
        ),
        field(key, power, false, c.rate(POWER, distance)),
        field(
            "N0_dbm_hz",
            c.noise_dbm_hz,
            false,
            with(|c| c.noise_dbm_hz = CHANNEL.noise_dbm_hz),
        ),
        field(
            "zeta",
            c.path_loss,
            false,
            with(|c| c.path_loss = CHANNEL.path_loss),
        ),
        field(
            "beta0_db",
            c.gain_db,
            false,
            with(|c| c.gain_db = CHANNEL.gain_db),
        ),
    ]
}

/// Derives a device's rates and blames a rate that is none on the field that caused it.
pub(super) fn numbers(
    device: &PhysicalDevice,
    tokens: f64,
    path: &str,
) -> Result<MachineNumbers, Invalid> {
    let (hw, channel) = (&device.hardware, &device.channel);
    let place = |key: &str| format!("{path}.{key}");
    positive(&place("c_peak_tflops"), hw.peak_tflops)?;
    positive(&place("r_mb_s"), hw.disk_mb_s)?;
    not_negative(&place("m_gb"), hw.memory_gb)?;
    let scaled = |key: &'static str, value: f64, scale: f64, what: &str, unit: &str| {
        let only = || {
            vec![Typed {
                key,
                value,
                is_positive: true,
                healed: scale,
            }]
        };
        derived(path, value * scale, what, unit, only)
    };
    let with = |change: fn(&mut DeviceHardware)| {
        let mut other = *hw;
        change(&mut other);
        other.effective_flops(tokens)
    };
    let compute = |key, value, healed| Typed {
        key,
        value,
        is_positive: true,
        healed,
    };
    let usage = || {
        vec![
            compute("a", hw.util_limit, with(|hw| hw.util_limit = 0.5)),
            compute("b", hw.util_rate, with(|hw| hw.util_rate = 0.01)),
            compute(
                "c_peak_tflops",
                hw.peak_tflops,
                with(|hw| hw.peak_tflops = 1.0),
            ),
        ]
    };
    let rate = |key: &'static str, power: f64, what: &str| {
        let rate = channel.rate(power, hw.distance_m);
        derived(path, rate, what, "bit/s", || {
            link(channel, key, power, hw.distance_m)
        })
    };
    Ok(MachineNumbers {
        name: device.name.clone(),
        compute: derived(
            path,
            device.compute.unwrap_or_else(|| hw.effective_flops(tokens)),
            "an effective compute rate",
            "FLOP/s",
            usage,
        )?,
        peak: Some(scaled(
            "c_peak_tflops",
            hw.peak_tflops,
            1e12,
            "a compute rate",
            "FLOP/s",
        )?),
        disk: scaled("r_mb_s", hw.disk_mb_s, 1e6, "a rate of the disk", "B/s")?,
        up: rate("pu_dbm", hw.uplink_dbm, "an uplink rate")?,
        down: rate("pd_dbm", hw.downlink_dbm, "a downlink rate")?,
        // Zero makes the device unusable, which it may be.
        memory: if hw.memory_gb == 0.0 {
            0.0
        } else {
            scaled("m_gb", hw.memory_gb, 1e9, "a memory", "B")?
        },
    })
}
