//! The ten ways to read the paper's heuristic baseline, which leaves open on what common scale compute and
//! disk speed are averaged. CSGO, section 5.2; none of them is named there.

use serde::{Deserialize, Serialize};

/// A reading: the scale of the harmonic mean, and whether peak compute is in for the effective rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HeuristicReading {
    /// Both in layers per second: scale-free, and the only one with a physical meaning.
    #[default]
    Rate,
    /// As `rate`, from peak compute.
    RatePeak,
    /// Each divided by its largest.
    Max,
    /// As `max`, from peak compute.
    MaxPeak,
    /// Each divided by its sum.
    Sum,
    /// As `sum`, from peak compute.
    SumPeak,
    /// TFLOPS with GB/s, as the numbers stand.
    RawGb,
    /// As `raw_gb`, from peak compute.
    RawGbPeak,
    /// TFLOPS with MB/s, as the numbers stand.
    RawMb,
    /// As `raw_mb`, from peak compute.
    RawMbPeak,
}

impl HeuristicReading {
    /// All readings, in the order of the published table.
    pub const ALL: [Self; 10] = [
        Self::Rate,
        Self::RatePeak,
        Self::Max,
        Self::MaxPeak,
        Self::Sum,
        Self::SumPeak,
        Self::RawGb,
        Self::RawGbPeak,
        Self::RawMb,
        Self::RawMbPeak,
    ];

    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::RatePeak => "rate_peak",
            Self::Max => "max",
            Self::MaxPeak => "max_peak",
            Self::Sum => "sum",
            Self::SumPeak => "sum_peak",
            Self::RawGb => "raw_gb",
            Self::RawGbPeak => "raw_gb_peak",
            Self::RawMb => "raw_mb",
            Self::RawMbPeak => "raw_mb_peak",
        }
    }

    /// Returns the name for readers.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Rate => "layers per second",
            Self::RatePeak => "layers per second, peak compute",
            Self::Max => "share of the largest",
            Self::MaxPeak => "share of the largest, peak compute",
            Self::Sum => "share of the sum",
            Self::SumPeak => "share of the sum, peak compute",
            Self::RawGb => "TFLOPS with GB/s",
            Self::RawGbPeak => "TFLOPS with GB/s, peak compute",
            Self::RawMb => "TFLOPS with MB/s",
            Self::RawMbPeak => "TFLOPS with MB/s, peak compute",
        }
    }

    /// The reading with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reading| reading.name() == name)
    }

    /// Returns true if peak compute is used for the effective rate.
    #[must_use]
    pub const fn uses_peak(self) -> bool {
        matches!(
            self,
            Self::RatePeak | Self::MaxPeak | Self::SumPeak | Self::RawGbPeak | Self::RawMbPeak
        )
    }
}
