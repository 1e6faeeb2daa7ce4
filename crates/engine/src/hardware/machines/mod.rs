//! Machines that people own: one row each, every fact with the place it is from.
//!
//! Units. Compute is dense FP16 or BF16 in TFLOPS, or FP32 where a chip has nothing faster; the source says which, and
//! where a data sheet gives a rate with sparsity it has been divided. Rates are bytes per second in powers of ten. Memory is
//! the number on the box: memory chips hold 2^30 bytes where the box says GB, so that what is usable, in 10^9 bytes, can be a
//! little more than that number.
//!
//! Numbers without a source are assumed by the rules of the machine's [`MachineClass`], always with a range.

mod accelerators;
mod boards;
mod computers;
mod datacentre;
mod gpus;
mod names;
mod phones;
mod rules;

pub use rules::{MachineClass, of_any_machine, rate_of_utilisation};

use super::catalog::KnownDevice;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Where a fact is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactSource {
    /// A data sheet or a publication: which, and what its figure counts.
    Sheet(&'static str),
    /// A published measurement: what was measured, and how.
    Measured(&'static str),
    /// A rule: which.
    Assumed(&'static str),
}

impl FactSource {
    /// The source, the conditions or the rule.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Sheet(words) | Self::Measured(words) | Self::Assumed(words) => words,
        }
    }
}

/// A number and where it is from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MachineFact {
    /// The number.
    pub value: f64,
    /// Least and greatest value; `None` where a source gives one number. What is assumed always has them.
    pub range: Option<(f64, f64)>,
    /// Where it is from.
    pub origin: FactSource,
}

impl MachineFact {
    /// A number that is assumed: least, usual, greatest.
    const fn assumed([low, value, high]: [f64; 3], rule: &'static str) -> Self {
        Self {
            value,
            range: Some((low, high)),
            origin: FactSource::Assumed(rule),
        }
    }

    /// Returns true if it comes from a rule.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        matches!(self.origin, FactSource::Assumed(_))
    }
}

/// Where the numbers of a family of machines are from.
#[derive(Debug, Clone, Copy)]
struct Source {
    /// The publication, in a few words.
    sheet: &'static str,
    compute: FactSource,
    /// FP32 rate for each FLOP that `compute` counts.
    fp32_share: f64,
    memory: FactSource,
    rate: FactSource,
    power: FactSource,
}

impl Source {
    /// A data sheet that gives everything; `compute` says what its rate counts.
    const fn sheet(sheet: &'static str, compute: &'static str) -> Self {
        Self {
            sheet,
            compute: FactSource::Sheet(compute),
            fp32_share: 1.0,
            memory: FactSource::Sheet(sheet),
            rate: FactSource::Sheet(sheet),
            power: FactSource::Sheet(sheet),
        }
    }

    /// With a compute rate that is not of FP32: the FP32 rate is this share of it.
    const fn fp32(mut self, share: f64) -> Self {
        self.fp32_share = share;
        self
    }
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub struct CatalogMachine {
    /// Usual name, with the memory where there are several variants.
    pub name: &'static str,
    /// Parts, and other words that people search for.
    pub also: &'static str,
    /// Class.
    pub class: MachineClass,
    /// Compute [TFLOPS].
    compute: [f64; 3],
    /// Memory as sold [GB].
    memory_gb: f64,
    /// Memory rate [GB/s].
    rate: [f64; 3],
    /// Power under load, as far as a data sheet bounds it [W].
    power: [f64; 3],
    /// Its row in a paper's table, whose numbers are used.
    known: Option<&'static KnownDevice>,
    /// True if its memory belongs to a graphics card, although its class shares memory with the system.
    has_own_memory: bool,
    /// True if its numbers are not yet compared with the source.
    is_unchecked: bool,
    disk: Option<MachineFact>,
    source: &'static Source,
}

/// A row of numbers that are points: compute [TFLOPS], memory [GB], memory rate [GB/s], power [W].
const fn row(
    class: MachineClass,
    name: &'static str,
    also: &'static str,
    numbers: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    let [compute, memory_gb, rate, power] = numbers;
    CatalogMachine {
        name,
        also,
        class,
        compute: [compute; 3],
        memory_gb,
        rate: [rate; 3],
        power: [power; 3],
        known: None,
        has_own_memory: false,
        is_unchecked: false,
        disk: None,
        source,
    }
}

impl CatalogMachine {
    /// With a range of compute [TFLOPS].
    const fn compute(mut self, low: f64, high: f64) -> Self {
        self.compute = [low, self.compute[1], high];
        self
    }

    /// With a range of the memory rate [GB/s].
    const fn rate(mut self, low: f64, high: f64) -> Self {
        self.rate = [low, self.rate[1], high];
        self
    }

    /// With a range of the power [W].
    const fn power(mut self, low: f64, high: f64) -> Self {
        self.power = [low, self.power[1], high];
        self
    }

    /// With a disk of its own kind.
    const fn disk(mut self, disk: MachineFact) -> Self {
        self.disk = Some(disk);
        self
    }

    /// With the numbers of a paper's table, as far as it has them.
    const fn with_published(mut self, known: &'static KnownDevice) -> Self {
        self.memory_gb = known.memory_gb;
        if let Some(rate) = known.bandwidth_gb_s {
            self.rate = [rate; 3];
        }
        if let Some(power) = known.power_w {
            self.power = [power; 3];
        }
        self.known = Some(known);
        self
    }

    /// With numbers that are not yet compared with the source.
    const fn unchecked(mut self) -> Self {
        self.is_unchecked = true;
        self
    }

    /// With memory that belongs to its graphics card.
    const fn own_memory(mut self) -> Self {
        self.has_own_memory = true;
        self
    }

    /// The publications that its numbers are from, in a few words.
    #[must_use]
    pub fn source(&self) -> String {
        let sheet = self.source.sheet;
        match self.known {
            Some(known) if known.source != sheet => format!("{sheet}; {}", known.source),
            _ if self.is_unchecked => format!("{sheet}, not yet compared"),
            _ => sheet.to_owned(),
        }
    }

    /// Its FP32 peak [TFLOPS], on which calibrated rates rest.
    #[must_use]
    pub fn fp32_tflops(&self) -> f64 {
        self.compute[1] * self.source.fp32_share
    }

    /// Returns the short name.
    #[must_use]
    pub fn short(&self) -> &'static str {
        self.known.map_or(self.name, |known| known.short)
    }

    /// Its facts by the names that scenarios have for them.
    #[must_use]
    pub fn facts(&self) -> [(&'static str, MachineFact); 12] {
        let given = |[low, value, high]: [f64; 3], origin| MachineFact {
            value,
            range: (low < high).then_some((low, high)),
            origin,
        };
        let source = self.source;
        let of_paper = |number: Option<f64>, else_from: FactSource| match (number, self.known) {
            (Some(_), Some(known)) => FactSource::Sheet(known.source),
            _ => else_from,
        };
        let known = |number: fn(&KnownDevice) -> Option<f64>| self.known.and_then(number);
        let compute = given(self.compute, source.compute);
        let rate_origin = of_paper(known(|k| k.bandwidth_gb_s), source.rate);
        let rate = given(self.rate, rate_origin);
        let rules = self.class.rules();
        let usable = match known(|k| k.usable_gb) {
            Some(usable) => given([usable; 3], of_paper(Some(usable), source.memory)),
            None => rules::usable(self.class, self.memory_gb, self.has_own_memory),
        };
        let tops = match known(|k| k.tops) {
            Some(tops) => given([tops; 3], of_paper(Some(tops), source.compute)),
            None => rules::tops(compute),
        };
        let sold = match source.memory {
            FactSource::Assumed(_) => [0.5, 1.0, 4.0].map(|share| share * self.memory_gb),
            _ => [self.memory_gb; 3],
        };
        let memory = given(sold, of_paper(known(|k| Some(k.memory_gb)), source.memory));
        let power = given(self.power, of_paper(known(|k| k.power_w), source.power));
        [
            ("c_peak_tflops", compute),
            ("a", rules.limit),
            ("b", rules::rate_of_utilisation(compute.value, rate.value)),
            ("r_mb_s", self.disk.unwrap_or(rules.disk)),
            ("m_gb", usable),
            ("pu_dbm", rules.sender),
            ("pd_dbm", rules::ACCESS_POINT),
            ("d_m", rules::DISTANCE),
            ("bandwidth_gb_s", rate),
            ("memory_gb", memory),
            ("tops", tops),
            ("power_w", power),
        ]
    }

    /// One of its facts.
    ///
    /// # Panics
    /// Where no fact has this name.
    #[must_use]
    pub fn fact(&self, field: &str) -> MachineFact {
        let found = self.facts().into_iter().find(|(name, _)| *name == field);
        found.expect("a fact of machines").1
    }
}

/// The machines, and how to find them.
struct Catalogue {
    rows: Vec<CatalogMachine>,
    /// Rows by the words that identify them.
    by_identity: BTreeMap<String, usize>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let groups = [
        phones::ROWS,
        boards::ROWS,
        computers::ROWS,
        gpus::ROWS,
        datacentre::ROWS,
    ];
    let mut rows: Vec<CatalogMachine> = groups.into_iter().flatten().copied().collect();
    rows.extend(accelerators::rows());
    rows.sort_by_key(|row| {
        MachineClass::ALL
            .iter()
            .position(|class| *class == row.class)
    });
    let mut by_identity = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        for identity in names::of_machine(row) {
            by_identity.entry(identity).or_insert(at);
        }
    }
    Catalogue { rows, by_identity }
});

/// All machines, class by class.
pub fn all() -> impl Iterator<Item = &'static CatalogMachine> {
    CATALOGUE.rows.iter()
}

/// The machine with this name; capitals do not matter.
#[must_use]
pub fn find(name: &str) -> Option<&'static CatalogMachine> {
    all().find(|machine| machine.name.eq_ignore_ascii_case(name.trim()))
}

/// The machine that a row of a fleet is named after: by its name or its short one, with or without the number of a copy, or by
/// the words that identify it in a name as benchmarks report it.
#[must_use]
pub fn named(name: &str) -> Option<&'static CatalogMachine> {
    let of = |name: &str| find(name).or_else(|| all().find(|machine| machine.short() == name));
    let base = || name.rsplit_once(" (").map(|(base, _)| base);
    let reported = || {
        let of = |has_size| CATALOGUE.by_identity.get(&names::identity(name, has_size)?);
        CATALOGUE.rows.get(*of(true).or_else(|| of(false))?)
    };
    of(name).or_else(|| of(base()?)).or_else(reported)
}
