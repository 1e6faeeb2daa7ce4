//! Terms of prompts and tokens by class and generation of machine, fitted to published measurements.
//!
//! Source: LocalScore runs (llamafile of spring 2025, Q4_K_M); `studies/calibration` fits them and writes the table,
//! `docs/calibration.md` has the errors. The machines of the catalogue are found by class and by the words of their rows.

mod kin;
mod table;

use super::machines::{self, CatalogMachine, MachineClass};
use crate::units::rounded;

/// A class of machines that were measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CalibrationClass {
    /// Graphics cards of NVIDIA for desktops and workstations.
    NvidiaDesktop,
    /// Data-centre cards of NVIDIA.
    NvidiaDatacentre,
    /// Graphics chips of NVIDIA in laptops.
    NvidiaLaptop,
    /// Jetsons of NVIDIA.
    Jetson,
    /// Graphics cards of AMD.
    AmdCard,
    /// Graphics built into processors of AMD.
    AmdBuiltIn,
    /// Graphics of Apple's chips.
    AppleGpu,
    /// Processors of desktops.
    DesktopCpu,
    /// Processors of laptops.
    LaptopCpu,
    /// Processors of servers and workstations.
    ServerCpu,
    /// Processors of single-board computers.
    BoardCpu,
    /// Processors of Apple's chips.
    AppleCpu,
}

impl CalibrationClass {
    /// All classes, in the order of the tables.
    pub const ALL: [Self; 12] = [
        Self::NvidiaDesktop,
        Self::NvidiaDatacentre,
        Self::NvidiaLaptop,
        Self::Jetson,
        Self::AmdCard,
        Self::AmdBuiltIn,
        Self::AppleGpu,
        Self::DesktopCpu,
        Self::LaptopCpu,
        Self::ServerCpu,
        Self::BoardCpu,
        Self::AppleCpu,
    ];

    /// Returns the noun of several such machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NvidiaDesktop => "NVIDIA desktop and workstation cards",
            Self::NvidiaDatacentre => "NVIDIA data-centre cards",
            Self::NvidiaLaptop => "NVIDIA laptop chips",
            Self::Jetson => "Jetsons",
            Self::AmdCard => "AMD graphics cards",
            Self::AmdBuiltIn => "AMD built-in graphics",
            Self::AppleGpu => "Apple GPUs",
            Self::DesktopCpu => "desktop processors",
            Self::LaptopCpu => "laptop processors",
            Self::ServerCpu => "server processors",
            Self::BoardCpu => "board processors",
            Self::AppleCpu => "Apple processors without their GPU",
        }
    }

    /// True if a layer waits for the host to launch its kernels.
    #[must_use]
    pub const fn waits_for_host(self) -> bool {
        matches!(self, Self::NvidiaDesktop | Self::NvidiaDatacentre)
    }

    /// True if a token's arithmetic can take longer than reading: processors have a low peak, and unpack weights themselves.
    #[must_use]
    pub const fn has_compute_term(self) -> bool {
        matches!(
            self,
            Self::DesktopCpu | Self::LaptopCpu | Self::ServerCpu | Self::BoardCpu | Self::AppleCpu
        )
    }
}

/// Terms of the cost of a generated token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecodeTerms {
    /// Share of the memory rate that is reached.
    pub memory_share: f64,
    /// Fixed time of each layer and token [us], whatever the host.
    pub layer_us: f64,
    /// Fixed time of each layer and token on a usual host [us]; `None` for classes whose hosts were not compared.
    pub usual_host_us: Option<f64>,
    /// Share of the FP32 peak that is reached; `None` where arithmetic is never what a token waits for.
    pub compute_share: Option<f64>,
}

/// Tokens of a prompt that are computed together.
pub const BATCH_TOKENS: f64 = 512.0;
/// Share of the memory rate at which a batch reads its weights.
pub const PREFILL_READ_SHARE: f64 = 0.8;

/// Terms of the cost of a prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillTerms {
    /// Share of the FP32 peak that is reached, attention apart; above one where prompts are multiplied in int8.
    pub share: f64,
    /// Fixed time of each layer and batch of [`BATCH_TOKENS`] [us].
    pub batch_us: f64,
    /// Share of that rate that attention reaches.
    pub attention_share: f64,
}

/// Terms of one generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationTerms {
    /// Name of the generation; "all" for a class with one, empty for one that was not measured.
    pub generation: &'static str,
    /// Of tokens.
    pub decode: DecodeTerms,
    /// Of prompts.
    pub prefill: PrefillTerms,
}

/// How far predictions were off for machines that were not part of the fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Median of |predicted / measured - 1| of the rate.
    pub median_error: f64,
    /// Nine of ten predictions were off by no more.
    pub p90_error: f64,
    /// Measured over predicted rate: four fifths of the runs lie between these, nine tenths in a class of fewer than 20
    /// accelerators; of fewer than 6, it is that of all machines.
    pub range: [f64; 2],
}

/// How hosts of NVIDIA cards differ in launching kernels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostAccuracy {
    /// How many times longer a layer's launches take on slow hosts than on usual ones.
    pub slow_factor: f64,
    /// Runs on slow hosts.
    pub slow_runs: u32,
    /// All runs.
    pub runs: u32,
    /// Of rates of generation where the host is known.
    pub known: Accuracy,
}

pub use table::HOSTS;

/// How far rates of generation of mixtures of experts were off, whatever the machine: the class of a machine says nothing of them.
pub const OF_EXPERTS: ExpertsAccuracy = ExpertsAccuracy {
    median_error: 0.47,
    rows: 3,
    range: [0.4, 2.0],
};

/// Accuracy of predictions for mixtures of experts; a test compares it with the rows of `docs/measurements.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpertsAccuracy {
    /// Median of |predicted / measured - 1| of the rate.
    pub median_error: f64,
    /// Published runs.
    pub rows: u32,
    /// Measured over predicted rate: all runs lie between these, about.
    pub range: [f64; 2],
}

/// A class with its terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassCalibration {
    /// The class.
    pub class: CalibrationClass,
    /// Rows that it rests on.
    pub rows: u32,
    /// Accelerators of these rows.
    pub accelerators: u32,
    /// Of rates of generation.
    pub decode: Accuracy,
    /// Of rates of prompts.
    pub prefill: Accuracy,
    /// Terms of a generation that was not measured.
    pub unknown: GenerationTerms,
    /// Terms of each generation.
    pub generations: &'static [GenerationTerms],
}

impl ClassCalibration {
    /// The calibration of a class; `None` if the table lacks it.
    #[must_use]
    pub fn of(class: CalibrationClass) -> Option<&'static Self> {
        table::CLASSES.iter().find(|row| row.class == class)
    }

    /// All classes of the table.
    #[must_use]
    pub fn all() -> &'static [Self] {
        table::CLASSES
    }

    /// The terms of a generation, or those of the class where it was not measured.
    #[must_use]
    pub fn terms(&self, generation: &str) -> &GenerationTerms {
        let mut all = self.generations.iter();
        all.find(|terms| terms.generation == generation)
            .unwrap_or(&self.unknown)
    }
}

/// Generations by the words of the catalogue's rows.
const GENERATIONS: &[(&str, &str)] = &[
    ("Pascal", "pascal"),
    ("Volta", "volta"),
    ("Turing", "turing"),
    ("Ampere", "ampere"),
    ("Ada", "ada"),
    ("Hopper", "hopper"),
    ("Blackwell", "blackwell"),
    ("RDNA 1", "rdna1"),
    ("RDNA 2", "rdna2"),
    ("RDNA 3", "rdna3"),
    ("RDNA 4", "rdna4"),
    ("Radeon 780M", "rdna3"),
    ("Cortex-A72", "a72"),
    ("Cortex-A76", "a76"),
    ("RK3588S", "a76"),
    ("M1", "m1"),
    ("M2", "m2"),
    ("M3", "m3"),
    ("M4", "m4"),
];

/// Generations of processors likewise.
const PROCESSORS: &[(&str, &str)] = &[
    ("AVX-512", "avx512"),
    ("AVX2", "avx2"),
    ("AVX", "avx1"),
    ("hybrid", "hybrid"),
    ("Zen 1", "zen1"),
    ("Zen 2", "zen2"),
    ("Zen 3", "zen3"),
    ("Zen 4", "zen4"),
    ("Zen 5", "zen5"),
];

/// The calibration of a machine of the catalogue and the terms of its generation; `None` if nothing like it was measured.
#[must_use]
pub fn of_machine(
    machine: &CatalogMachine,
) -> Option<(&'static ClassCalibration, &'static GenerationTerms)> {
    let cpu = match machine.class {
        MachineClass::DesktopCpu => Some(CalibrationClass::DesktopCpu),
        MachineClass::LaptopCpu => Some(CalibrationClass::LaptopCpu),
        MachineClass::ServerCpu => Some(CalibrationClass::ServerCpu),
        _ => None,
    };
    let words = || [machine.name, machine.also];
    let has = |word: &str| words().iter().any(|text| text.contains(word));
    let generations = if cpu.is_some() {
        PROCESSORS
    } else {
        GENERATIONS
    };
    let generation = generations.iter().find(|(word, _)| has(word));
    let generation = generation.map_or("", |(_, name)| *name);
    if let Some(class) = cpu {
        let calibration = ClassCalibration::of(class)?;
        return Some((calibration, calibration.terms(generation)));
    }
    let is_amd = generation.starts_with("rdna");
    let is_nvidia = !generation.is_empty() && !is_amd;
    let is_workstation = ["RTX", "Quadro"]
        .iter()
        .any(|word| machine.name.starts_with(word));
    let class = match machine.class {
        MachineClass::Mac => CalibrationClass::AppleGpu,
        MachineClass::Board => CalibrationClass::BoardCpu,
        MachineClass::Jetson => CalibrationClass::Jetson,
        MachineClass::DesktopGpu | MachineClass::DatacentreGpu if is_amd => {
            CalibrationClass::AmdCard
        }
        MachineClass::DesktopGpu if is_nvidia => CalibrationClass::NvidiaDesktop,
        MachineClass::DatacentreGpu if is_nvidia && is_workstation => {
            CalibrationClass::NvidiaDesktop
        }
        MachineClass::DatacentreGpu if is_nvidia => CalibrationClass::NvidiaDatacentre,
        MachineClass::Laptop | MachineClass::MiniPc if is_amd => CalibrationClass::AmdBuiltIn,
        MachineClass::Laptop if is_nvidia => CalibrationClass::NvidiaLaptop,
        _ => return None,
    };
    // The A100 was fitted with the cards of the next generation: their hosts are alike.
    let generation = match (class, generation) {
        (CalibrationClass::NvidiaDatacentre, "ampere") if machine.name.contains("A100") => "hopper",
        (_, generation) => generation,
    };
    let calibration = ClassCalibration::of(class)?;
    Some((calibration, calibration.terms(generation)))
}

/// A machine of a plan with the terms by which its tokens are predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictedMachine<'a> {
    /// Its name.
    pub name: &'a str,
    /// Share of the memory rate that is reached.
    pub memory_share: Option<f64>,
    /// Fixed time of each layer and token [us].
    pub layer_us: Option<f64>,
    /// How many times longer launches take on its host than on usual ones, where that is known.
    pub host_factor: Option<f64>,
}

impl DecodeTerms {
    /// Fixed time of each layer and token on a slow host [us]; `None` as of usual ones.
    #[must_use]
    pub fn slow_host_us(&self) -> Option<f64> {
        self.usual_host_us?;
        Some(self.layer_us_on(Some(HOSTS.slow_factor)))
    }

    /// Fixed time of each layer and token with such a host, `None` for any [us].
    #[must_use]
    pub fn layer_us_on(&self, host_factor: Option<f64>) -> f64 {
        let known = self.usual_host_us.zip(host_factor);
        known.map_or(self.layer_us, |(usual, factor)| rounded(usual * factor, 3))
    }
}

impl PredictedMachine<'_> {
    /// How far rates of generation were off for such machines; `None` as [`Self::calibration`].
    #[must_use]
    pub fn accuracy(&self) -> Option<Accuracy> {
        let class = self.calibration()?;
        let (_, terms) = of_name(self.name)?;
        let is_host_known = self.host_factor.is_some() && terms.decode.usual_host_us.is_some();
        Some(if is_host_known {
            HOSTS.known
        } else {
            class.decode
        })
    }

    /// Time per layer that is taken, and that of a slow host [us]; `None` where the host is known, or is not what a layer waits for.
    #[must_use]
    pub fn unknown_host_us(&self) -> Option<[f64; 2]> {
        let (_, terms) = of_name(self.name)?;
        let slow = terms.decode.slow_host_us()?;
        let is_unknown = self.host_factor.is_none() && slow > terms.decode.layer_us;
        is_unknown.then_some([terms.decode.layer_us, slow])
    }

    /// The calibration that predicts it; `None` where its terms are not those of a fit: they were measured, or given.
    #[must_use]
    pub fn calibration(&self) -> Option<&'static ClassCalibration> {
        let (class, terms) = of_name(self.name)?;
        let is_fitted = self.memory_share == Some(terms.decode.memory_share)
            && self.layer_us == Some(terms.decode.layer_us_on(self.host_factor));
        is_fitted.then_some(class)
    }
}

/// The calibration of a machine by the name that it has in a fleet: of its row in the catalogue, or of the class and generation
/// that its name tells. `None` if nothing like it was measured.
#[must_use]
pub fn of_name(name: &str) -> Option<(&'static ClassCalibration, &'static GenerationTerms)> {
    if let Some(row) = machines::named(name) {
        return of_machine(row);
    }
    let (class, generation) = kin::kin(name)?;
    let calibration = ClassCalibration::of(class)?;
    Some((calibration, calibration.terms(generation)))
}
