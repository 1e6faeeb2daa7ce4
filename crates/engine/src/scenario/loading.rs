//! How the devices get their weights: from their own disks, as in the paper, from a host over the network, or not at all.
//!
//! Exact for every way: each is a price for a byte of each device, and the searches know what every possible stage costs
//! ([`crate::problem::LoadCost`]). What a host sends goes through its uplink one stage after the other, and nothing is computed before
//! the last byte is there; so does llama.cpp over RPC.

use super::fields::{NumberFields, numbers};
use super::rows::Shift;
use super::{Device, Scenario};
use crate::problem::{Code, ColdStart, Invalid, LoadCost, LoadOrder};
use serde::{Deserialize, Serialize};

/// Where weights come from, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Loading {
    /// Where weights come from.
    pub from: WeightSource,
    /// Place of the device that has the file, from 0; for the two sources with a host. Left out for a machine that holds no layers, as
    /// the client of llama.cpp's RPC without a GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<usize>,
    /// Rate at which such a machine reads its file [MB/s]; left out where that is not what limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_mb_s: Option<f64>,
    /// How files are read.
    #[serde(default, skip_serializing_if = "FileAccess::is_ahead")]
    pub access: FileAccess,
    /// How much of a file the system still has in memory [%]: it is read at the memory rate, where that is known.
    #[serde(default, skip_serializing_if = "crate::plan::is_zero")]
    pub cached_pct: f64,
    /// Rate at which a host hashes what a cache may have [MB/s]; left out for [`HASH_MB_S`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_mb_s: Option<f64>,
    /// True if a device may have more weights than memory: what has no room is read from its disk in every pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub streams: bool,
}

numbers!(Loading: cached_pct, [host_mb_s], [hash_mb_s]);

/// Where the weights of a stage come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeightSource {
    /// The device's own disk, while the others load theirs.
    Disk,
    /// A host that sends every device its layers, as llama.cpp does at its first start over RPC.
    Host,
    /// The device's own cache of what a host sent before: the host reads and hashes all of it once more, and sends the hashes.
    HostCache,
    /// Memory: the model has been loaded.
    Memory,
}

impl WeightSource {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Disk, Self::Host, Self::HostCache, Self::Memory];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Host => "host",
            Self::HostCache => "host-cache",
            Self::Memory => "memory",
        }
    }

    /// Returns true if a host has the file.
    #[must_use]
    pub const fn has_host(self) -> bool {
        matches!(self, Self::Host | Self::HostCache)
    }
}

/// How a device reads its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FileAccess {
    /// All of it from the beginning, while others load and compute.
    #[default]
    Read,
    /// Mapped into memory, each layer when it is computed first. llama.cpp maps files too, but has the system read them ahead.
    Mmap,
}

impl FileAccess {
    /// Returns true if it is read ahead.
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
    fn is_ahead(&self) -> bool {
        *self == Self::Read
    }
}

/// Rate of hashing [MB/s]. Source: ggml-org/llama.cpp, pull request 12620: a model of 32 billion parameters took 103.8 s over a network of
/// 1 Gbit/s, which carries 941, and 25.0 s where all was cached. Its bytes are not stated and are not needed: the same ones go through
/// the link and through the hash (FNV-1a, byte by byte), 4.15 times faster.
pub const HASH_MB_S: f64 = 490.0;

impl Loading {
    /// From this source, read ahead, nothing cached.
    #[must_use]
    pub const fn of(from: WeightSource) -> Self {
        Self {
            from,
            host: None,
            host_mb_s: None,
            access: FileAccess::Read,
            cached_pct: 0.0,
            hash_mb_s: None,
            streams: false,
        }
    }

    /// The paper's own way: own disks, nothing cached, all in memory.
    pub const PAPER: Self = Self::of(WeightSource::Disk);

    /// Returns true if the paper's own way is meant.
    #[must_use]
    pub fn is_of_paper(&self) -> bool {
        *self == Self::PAPER
    }

    /// Checks the numbers, and that a host is one of the devices.
    ///
    /// # Errors
    /// The first field out of range, missing, or of no use with this source.
    pub(super) fn validate(&self, devices: &[Device]) -> Result<(), Invalid> {
        self.check_numbers("loading")?;
        let from = self.from.name();
        match self.host {
            Some(at) if !self.from.has_host() => {
                let message =
                    format!("loading.host is of no use with from {from:?}: no host sends weights");
                return Err(Invalid::new(Code::Unknown, "loading.host", at, message));
            }
            Some(at) if at >= devices.len() => {
                let allowed = format!("the place of a device, 0 to {}", devices.len() - 1);
                return Err(Invalid::range("loading.host", at, &allowed));
            }
            _ => {}
        }
        if self.access == FileAccess::Mmap && self.from != WeightSource::Disk {
            let message = format!(
                "loading.access must be \"read\" with from {from:?}: only a device\u{2019}s own file can be mapped"
            );
            return Err(Invalid::new(Code::Range, "loading.access", "mmap", message));
        }
        let is_outside = self.from.has_host() && self.host.is_none();
        for (key, value, is_used, why) in [
            (
                "hash_mb_s",
                self.hash_mb_s,
                self.from == WeightSource::HostCache,
                "nothing is hashed",
            ),
            (
                "host_mb_s",
                self.host_mb_s,
                is_outside,
                "no machine outside the plan has the file",
            ),
        ] {
            if value.is_some() && !is_used {
                let path = format!("loading.{key}");
                let message = format!("{path} is of no use here: {why}");
                return Err(Invalid::new(Code::Unknown, path, value, message));
            }
        }
        Ok(())
    }

    /// Follows rows that are inserted, moved or removed.
    pub(super) fn follow(&mut self, shift: Shift) {
        self.host = self.host.and_then(|at| shift.place_of(at));
    }
}

impl Scenario {
    /// The device that has the file for all, where it is one of the scenario's.
    #[must_use]
    pub fn loading_host(&self) -> Option<&Device> {
        self.devices.get(self.loading.as_ref()?.host?)
    }

    /// The problem with weights that arrive as the scenario says; everything in memory is known before.
    pub(super) fn with_loading(&self, problem: ColdStart) -> ColdStart {
        let Some(loading) = &self.loading else {
            return problem;
        };
        let cached = loading.cached_pct / 100.0;
        let of_cache: Vec<f64> = self
            .switched_on()
            .map(|(_, device)| {
                device
                    .bandwidth_gb_s
                    .map_or(0.0, |rate| cached / (1e9 * rate))
            })
            .collect();
        let disk = |k: usize| (1.0 - cached) / problem.machines()[k].disk.get() + of_cache[k];
        // The host as the problem counts machines; one that is switched off is no part of it.
        let host = loading
            .host
            .and_then(|at| self.switched_on().position(|(place, _)| place == at));
        let reads = match (host, self.loading_host()) {
            (Some(host), _) => disk(host),
            (None, known) => {
                let rate = known.map(|device| device.r_mb_s).or(loading.host_mb_s);
                rate.map_or(0.0, |rate| (1.0 - cached) / (1e6 * rate))
            }
        };
        let hash = 1.0 / (1e6 * loading.hash_mb_s.unwrap_or(HASH_MB_S));
        let machines = 0..problem.machines().len();
        let costs = |of: &dyn Fn(usize) -> LoadCost| machines.clone().map(of).collect();
        let waiting = |waiting: f64| LoadCost {
            ahead: 0.0,
            waiting,
        };
        // A host reads its disk while it sends. The link of one outside the plan is like that of the device to which it sends.
        let sent = |k: usize| match host {
            Some(host) => problem.transfer(host, k, 1e9) / 1e9,
            None => problem.transfer(k, k, 1e9) / 1e9,
        };
        let with = match (loading.from, loading.access) {
            _ if loading.is_of_paper() => problem,
            (WeightSource::Disk, FileAccess::Read) => {
                let ahead = |k| LoadCost {
                    ahead: disk(k),
                    waiting: 0.0,
                };
                let costs = costs(&ahead);
                problem.with_loading(costs, LoadOrder::Beside)
            }
            (WeightSource::Disk, FileAccess::Mmap) => {
                let costs = costs(&|k| waiting(disk(k)));
                problem.with_loading(costs, LoadOrder::OnDemand)
            }
            (WeightSource::Host, _) => {
                let costs = costs(&|k| match Some(k) == host {
                    true => waiting(reads),
                    false => waiting(reads.max(sent(k))),
                });
                problem.with_loading(costs, LoadOrder::BeforeAll)
            }
            (WeightSource::HostCache, _) => {
                let costs = costs(&|k| match Some(k) == host {
                    true => waiting(reads),
                    false => waiting(reads.max(hash) + disk(k)),
                });
                problem.with_loading(costs, LoadOrder::BeforeAll)
            }
            (WeightSource::Memory, _) => {
                let costs = costs(&|_| LoadCost::default());
                problem.with_loading(costs, LoadOrder::Beside)
            }
        };
        match loading.streams {
            true => with.with_streaming(),
            false => with,
        }
    }
}
