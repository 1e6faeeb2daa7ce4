//! How fast hosts launch the kernels of NVIDIA cards: the time of a layer that reading does not explain, run by run.

use crate::fit::{FitRow, TERMS};
use crate::report::ClassReport;
use crate::statistics::{Errors, quantile};
use std::collections::BTreeMap;

/// Time per layer besides reading, beyond which a host is slow [s]: there are hardly any runs between 0.2 and 0.4 ms.
pub const SLOW_LAYER: f64 = 3e-4;
/// Generations whose time per layer is that of the chip rather than of the host.
const SLOW_CHIPS: [&str; 1] = ["pascal"];

/// A run beside its prediction by a fit that has not seen its accelerator.
#[derive(Debug, Clone)]
pub struct HostRun {
    accelerator: String,
    model: &'static str,
    generation: String,
    /// Time of reading what a token needs, as predicted [s].
    reading: f64,
    layers: f64,
    /// Measured rate [token/s].
    decode: f64,
}

impl HostRun {
    /// The run of a row by these terms.
    #[must_use]
    pub fn of(one: &FitRow<'_>, terms: &[f64; TERMS]) -> Self {
        Self {
            accelerator: one.row.accelerator.clone(),
            model: one.row.model,
            generation: one.generation.to_owned(),
            reading: one.row.bytes / (terms[0] * one.row.memory_rate),
            layers: one.row.layers,
            decode: one.row.decode,
        }
    }

    /// Time of a layer that reading does not explain [s].
    fn layer(&self) -> f64 {
        (1.0 / self.decode - self.reading) / self.layers
    }

    fn is_slow(&self) -> bool {
        self.layer() > SLOW_LAYER
    }

    /// Predicted over measured rate with this time per layer.
    fn ratio(&self, layer: f64) -> f64 {
        1.0 / ((self.reading + self.layers * layer) * self.decode)
    }
}

/// How hosts differ.
#[derive(Debug)]
pub struct HostReport {
    /// Time per layer on usual hosts, by generation [s].
    pub usual: BTreeMap<String, f64>,
    /// Median of it over all runs on usual hosts [s].
    pub all_usual: f64,
    /// Median time per layer on slow hosts [s].
    pub slow: f64,
    /// Runs on slow hosts.
    pub slow_runs: usize,
    /// All runs.
    pub runs: usize,
    /// Errors where the host is known, over medians of accelerator, model and kind of host.
    pub known: Errors,
    /// Measured over predicted rate: four fifths of them.
    pub range: [f64; 2],
}

impl HostReport {
    /// The hosts of the classes whose tokens wait for them.
    #[must_use]
    pub fn of(classes: &[ClassReport]) -> Self {
        let classes = classes.iter().filter(|class| class.class.waits_for_host());
        let runs = classes.flat_map(ClassReport::runs);
        let is_fast_chip = |run: &&HostRun| !SLOW_CHIPS.contains(&run.generation.as_str());
        let runs: Vec<&HostRun> = runs.filter(is_fast_chip).collect();
        let median = |runs: &mut dyn Iterator<Item = &&HostRun>| {
            let layers: Vec<f64> = runs.map(|run| run.layer()).collect();
            quantile(&layers, 0.5).unwrap_or(0.0)
        };
        let mut usual: BTreeMap<String, f64> = BTreeMap::new();
        for run in &runs {
            let like = |other: &&&HostRun| other.generation == run.generation && !other.is_slow();
            let layer = median(&mut runs.iter().filter(like));
            usual.entry(run.generation.clone()).or_insert(layer);
        }
        let all_usual = median(&mut runs.iter().filter(|run| !run.is_slow()));
        let slow = median(&mut runs.iter().filter(|run| run.is_slow()));
        let factor = slow / all_usual;
        let mut ratios: BTreeMap<(&str, &str, bool), Vec<f64>> = BTreeMap::new();
        for run in &runs {
            let own = usual[&run.generation];
            let layer = if run.is_slow() { factor * own } else { own };
            let key = (run.accelerator.as_str(), run.model, run.is_slow());
            ratios.entry(key).or_default().push(run.ratio(layer));
        }
        let medians = ratios.values().filter_map(|all| quantile(all, 0.5));
        let medians: Vec<f64> = medians.collect();
        Self {
            slow_runs: runs.iter().filter(|run| run.is_slow()).count(),
            runs: runs.len(),
            known: Errors::of(&medians),
            range: [0.9, 0.1].map(|share| 1.0 / quantile(&medians, share).unwrap_or(1.0)),
            usual,
            all_usual,
            slow,
        }
    }

    /// How many times longer launches take on slow hosts than on usual ones.
    #[must_use]
    pub fn slow_factor(&self) -> f64 {
        self.slow / self.all_usual
    }
}
