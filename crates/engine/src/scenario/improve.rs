//! One change to a fleet, to ask what it is worth: a resource of a device improved by a share, a device left out, one more
//! like it.
//!
//! Each change is an edit of fields that a person can set, so that what was solved is what the editor opens afterwards.
//! Rates have no field of their own: a faster uplink is more power of the device's sender, a faster downlink more power of the
//! access point towards it, because only these change one direction of one device; efficiency and bandwidth would change
//! both. The power comes from the rate formula solved for it, with the channel from which the device receives, its own values put in.
//! A value that no field takes is an [`Obstacle`] with the number that would be needed; nothing is cut to what is allowed.

use super::fields::{self, NumberFields};
use super::levers::{better, check_change, improved};
use super::rows::free_name;
use super::world::COMPUTE_TERMS;
use super::{Device, Scenario};
use crate::network;
use crate::units::rounded;
use serde::{Deserialize, Serialize};

/// By how much a resource may be improved [%].
pub const LEAST_PCT: f64 = 1.0;
/// Largest improvement [%].
pub const MOST_PCT: f64 = 900.0;
/// Default improvement [%].
pub const USUAL_PCT: f64 = 25.0;

/// Resource of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// Peak compute.
    Compute,
    /// Disk read rate.
    Disk,
    /// Memory.
    Memory,
    /// Rate towards the access point.
    Uplink,
    /// Rate from the access point.
    Downlink,
    /// Nearness to the access point: the distance is divided.
    Distance,
    /// Memory bandwidth, which only the tokens after the first answer need.
    Bandwidth,
}

impl Resource {
    /// All resources, in the order in which ties are listed.
    pub const ALL: [Self; 7] = [
        Self::Compute,
        Self::Disk,
        Self::Memory,
        Self::Uplink,
        Self::Downlink,
        Self::Distance,
        Self::Bandwidth,
    ];

    /// Its name in files and sentences.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Disk => "disk",
            Self::Memory => "memory",
            Self::Uplink => "uplink",
            Self::Downlink => "downlink",
            Self::Distance => "distance",
            Self::Bandwidth => "memory rate",
        }
    }

    /// The field that is edited.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Compute => "c_peak_tflops",
            Self::Disk => "r_mb_s",
            Self::Memory => "m_gb",
            Self::Uplink => "pu_dbm",
            Self::Downlink => "pd_dbm",
            Self::Distance => "d_m",
            Self::Bandwidth => "bandwidth_gb_s",
        }
    }
}

/// Change of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceChange {
    /// More of a resource.
    More(Resource),
    /// One more device like it, at the end of the fleet.
    Another,
    /// The device is switched off.
    Without,
}

/// A change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColdStartChange {
    /// The device, by its place in the fleet, from 0.
    pub device: usize,
    /// Change.
    pub what: ResourceChange,
}

/// A changed scenario, and the number that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The scenario.
    pub scenario: Scenario,
    /// Value of the field before and after; of changes to a resource.
    pub values: Option<(f64, f64)>,
}

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle {
    /// The field does not take the value that would be needed.
    Range {
        /// The field.
        field: &'static str,
        /// Current value.
        from: f64,
        /// Value that would be needed.
        needed: f64,
    },
    /// There is nothing that a share could be added to.
    Nothing {
        /// The field.
        field: &'static str,
        /// Current value.
        from: f64,
    },
    /// It is the only device that is on.
    OnlyOne,
    /// The fleet is as large as it may be.
    Full,
    /// The scenario is none afterwards, for a reason of its own.
    Refused(String),
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Range { field, needed, .. } => {
                let noun = fields::noun(field);
                let (allowed, unit) = fields::of(field).map_or((String::new(), ""), |range| {
                    (range.range_text(), range.unit)
                });
                if needed.is_finite() {
                    write!(f, "needs a {noun} of {needed} {unit}; allowed is {allowed}")
                } else {
                    write!(f, "no {noun} gives that; allowed is {allowed}")
                }
            }
            Self::Nothing { field, from } => {
                let unit = fields::of(field).map_or("", |range| range.unit);
                let noun = fields::noun(field);
                write!(
                    f,
                    "a {noun} of {from} {unit} stays the same when it grows by a percentage"
                )
            }
            Self::OnlyOne => write!(f, "it is the only device switched on"),
            Self::Full => write!(f, "a fleet has at most {} devices", fields::MOST_DEVICES),
            Self::Refused(why) => write!(f, "{why}"),
        }
    }
}

/// All changes to a scenario's devices that are on, device by device. Memory bandwidth counts only where tokens after the
/// first answer are asked for, and can only be improved where it is known.
#[must_use]
pub fn changes(scenario: &Scenario) -> Vec<ColdStartChange> {
    let of_device = |(place, device): (usize, &Device)| {
        let has_rate = scenario.decode.is_some() && device.bandwidth_gb_s.is_some();
        let counts = move |resource: &Resource| *resource != Resource::Bandwidth || has_rate;
        let more = Resource::ALL
            .into_iter()
            .filter(counts)
            .map(ResourceChange::More);
        let whats = more.chain([ResourceChange::Another, ResourceChange::Without]);
        whats.map(move |what| ColdStartChange {
            device: place,
            what,
        })
    };
    scenario.switched_on().flat_map(of_device).collect()
}

impl ColdStartChange {
    /// The scenario with the change made; resources are improved by `by_pct` percent.
    ///
    /// New values have six significant digits, so that they can be read and typed.
    ///
    /// # Errors
    /// Why the change cannot be made.
    pub fn applied(self, scenario: &Scenario, by_pct: f64) -> Result<Edited, Obstacle> {
        let mut changed = scenario.clone();
        let Some(device) = changed.devices.get_mut(self.device) else {
            return Err(Obstacle::Refused("there is no such device".to_owned()));
        };
        let values = match self.what {
            ResourceChange::More(resource) => {
                let (from, to) = resource.improved(scenario, device, by_pct)?;
                resource.set(device, from, to);
                Some((from, to))
            }
            ResourceChange::Another => {
                if scenario.devices.len() >= fields::MOST_DEVICES {
                    return Err(Obstacle::Full);
                }
                let mut another = device.clone();
                another.off = false;
                let taken: Vec<&str> = scenario.devices.iter().map(|d| d.name.as_str()).collect();
                another.name = free_name("", &taken);
                changed.devices.push(another);
                None
            }
            ResourceChange::Without => {
                device.off = true;
                if changed.is_empty() {
                    return Err(Obstacle::OnlyOne);
                }
                None
            }
        };
        match changed.problem() {
            Ok(_) => Ok(Edited {
                scenario: changed,
                values,
            }),
            Err(fault) => Err(Obstacle::Refused(fault.message)),
        }
    }
}

impl Resource {
    /// The number of a device that is edited; 0 where it is not known.
    fn value(self, device: &Device) -> f64 {
        let number = Device::number(self.field());
        number
            .and_then(|number| (number.get)(device))
            .unwrap_or(0.0)
    }

    /// Puts another number in its place. What is known of it as a range only moves along: by the same factor, of powers in
    /// decibels by the same difference.
    fn set(self, device: &mut Device, from: f64, to: f64) {
        device.set_number(self.field(), to);
        let is_power = matches!(self, Self::Uplink | Self::Downlink);
        let moved = |end: f64| match is_power {
            true => rounded(end + (to - from), 6),
            false => rounded(end * (to / from), 6),
        };
        let mut keys = vec![self.field()];
        if self == Self::Compute {
            // What a runtime reaches of the peak grows with it.
            for key in COMPUTE_TERMS {
                if let Some(number) = Device::number(key)
                    && let Some(rate) = (number.get)(device)
                {
                    (number.set)(device, Some(moved(rate)));
                    keys.push(key);
                }
            }
        }
        for key in keys {
            let now = Device::number(key).and_then(|number| (number.get)(device));
            if let (Some(now), Some(span)) = (now, device.ranges.get_mut(key)) {
                // Rounding must not leave the number outside its range.
                span.low = moved(span.low).min(now);
                span.high = moved(span.high).max(now);
            }
        }
    }

    /// The number before and after.
    fn improved(
        self,
        scenario: &Scenario,
        device: &Device,
        by_pct: f64,
    ) -> Result<(f64, f64), Obstacle> {
        let field = self.field();
        let from = self.value(device);
        let row = fields::named(field);
        let to = match better(field) {
            Some(better) => improved(row, better, from, by_pct),
            // A power has no share; what is improved is the rate that it gives.
            None => {
                let factor = 1.0 + by_pct / 100.0;
                let own = device.link.unwrap_or_default();
                let channel = network::Channel::from(scenario.channel.with(&own));
                let rate = factor * channel.rate(from, device.d_m);
                rounded(channel.power_for(rate, device.d_m), 6)
            }
        };
        check_change(row, from, to)
    }
}
