//! The forms of the predictions, and their robust fit.
//!
//! Terms are fitted as logarithms: a value of the maker's machines, and deviations of the class, of the generation of chips,
//! and of the generation in that class. Each deviation is drawn to zero, and the value to the middle of all machines, so that a
//! class of few rows has the terms of its kin. A run on a machine that was busy, or on a host whose launches are slow, must not
//! decide: the loss grows linearly beyond [`LOSS_SCALE`].

use crate::measurements::{Measurement, PROMPTS};
use engine::hardware::calibration::{BATCH_TOKENS, CalibrationClass, PREFILL_READ_SHARE};
use libm::{ceil, exp, log, sqrt};
use std::collections::BTreeSet;

/// Error of the logarithm of a rate beyond which the loss is linear.
const LOSS_SCALE: f64 = 0.08;
/// Terms of a form.
pub const TERMS: usize = 3;
/// Levels of deviations: class, generation, generation in a class.
const LEVELS: usize = 3;
/// Steps of the fit; it converges in about twenty.
const STEPS: usize = 60;

/// Terms of a machine once a run was measured on it.
pub type AfterRun = fn(&[f64; TERMS], &Measurement) -> [f64; TERMS];

/// A form of predictions with its priors.
#[derive(Debug)]
pub struct Form {
    /// Predicted rate over the measured one, by the terms.
    pub ratio: fn(&[f64; TERMS], &Measurement) -> f64,
    /// Terms once a run was measured, by the rules of the engine; `None` where it has none.
    pub after: Option<AfterRun>,
    /// Logarithms that makers are drawn to, and how strongly: the standard deviation. Chosen once, from the middle of the classes.
    middle: [(f64, f64); TERMS],
    /// Standard deviations of a class, of a generation, and of a generation in a class.
    deviations: [[f64; TERMS]; LEVELS],
}

/// Generation: seconds per token are max(bytes / (share × memory rate), work / (compute share × peak)) + layers × time per
/// layer, the form of the engine's evaluator. Terms: share of the memory rate, time per layer [s], share of the FP32 peak.
pub static DECODE: Form = Form {
    ratio: decode_ratio,
    after: Some(after_on_processor),
    middle: DECODE_MIDDLE,
    deviations: DECODE_DEVIATIONS,
};

/// Generation on graphics chips, where arithmetic is never what a token waits for: the third term has no effect.
pub static DECODE_BY_MEMORY: Form = Form {
    ratio: |[share, layer, _], row| decode_ratio(&[*share, *layer, f64::INFINITY], row),
    after: Some(after_on_graphics),
    middle: DECODE_MIDDLE,
    deviations: DECODE_DEVIATIONS,
};

const DECODE_MIDDLE: [(f64, f64); TERMS] = [
    (-0.1393, 0.3), // a share of 0.87
    (-8.294, 0.7),  // 250 microseconds
    (-1.897, 0.5),  // a share of 0.15
];
const DECODE_DEVIATIONS: [[f64; TERMS]; LEVELS] =
    [[0.2, 0.5, 0.4], [0.1, 0.5, 0.5], [0.05, 0.3, 0.3]];

fn decode_ratio([share, layer, compute]: &[f64; TERMS], row: &Measurement) -> f64 {
    let memory = row.bytes / (share * row.memory_rate);
    let seconds = memory.max(row.work / (compute * row.peak)) + row.layers * layer;
    1.0 / (seconds * row.decode)
}

/// A measured run sets the time per layer; what is faster than that lets it be has none, and another share.
fn after_on_graphics([share, _, compute]: &[f64; TERMS], row: &Measurement) -> [f64; TERMS] {
    let seconds = 1.0 / row.decode;
    let reading = row.bytes / (share * row.memory_rate);
    match seconds >= reading {
        true => [*share, (seconds - reading) / row.layers, *compute],
        false => [share * reading / seconds, 0.0, *compute],
    }
}

/// A measured run scales memory rate and compute.
fn after_on_processor([share, layer, compute]: &[f64; TERMS], row: &Measurement) -> [f64; TERMS] {
    let seconds = 1.0 / row.decode;
    let moving = (row.bytes / (share * row.memory_rate)).max(row.work / (compute * row.peak));
    let fixed = row.layers * layer;
    let layer = if seconds > fixed { *layer } else { 0.0 };
    let factor = moving / (seconds - row.layers * layer);
    [factor * share, layer, factor * compute]
}

/// Prompts: the mean of the rates of the benchmark's prompts, each of which takes work / (share × peak) + attention /
/// (attention's share × share × peak) + batches × (weights / (0.8 × memory rate) + layers × time per layer). Terms: share of
/// the FP32 peak, time per layer and batch [s], attention's share.
pub static PREFILL: Form = Form {
    ratio: prefill_ratio,
    after: None,
    middle: [
        (0.0, 1.0),  // the FP32 peak
        (-6.9, 0.7), // a millisecond
        (-2.0, 0.7), // a share of 0.14
    ],
    deviations: [[0.3, 0.7, 0.4], [0.4, 0.5, 0.2], [0.2, 0.3, 0.1]],
};

fn prefill_ratio([share, layer, attention]: &[f64; TERMS], row: &Measurement) -> f64 {
    let rate = |tokens: f64| {
        let batches = ceil(tokens / BATCH_TOKENS);
        let seen = 0.5 * (tokens + tokens.min(BATCH_TOKENS));
        let work = row.prompt_work + row.pair_work * seen / attention;
        let batch = row.block_bytes / (PREFILL_READ_SHARE * row.memory_rate) + row.layers * layer;
        tokens / (tokens * work / (share * row.peak) + batches * batch)
    };
    let sum: f64 = PROMPTS.iter().map(|tokens| rate(*tokens)).sum();
    sum / PROMPTS.len() as f64 / row.prefill
}

/// The levels at which machines of one maker deviate: its classes, its generations, and their pairs.
#[derive(Debug, Clone)]
pub struct Groups {
    classes: Vec<CalibrationClass>,
    generations: Vec<String>,
    pairs: Vec<(CalibrationClass, String)>,
}

impl Groups {
    /// The groups that these pairs of class and generation are in.
    #[must_use]
    pub fn of(pairs: impl Iterator<Item = (CalibrationClass, String)>) -> Self {
        let pairs: BTreeSet<(CalibrationClass, String)> = pairs.collect();
        let classes: BTreeSet<CalibrationClass> = pairs.iter().map(|(class, _)| *class).collect();
        let generations: BTreeSet<String> = pairs.iter().map(|(_, name)| name.clone()).collect();
        Self {
            classes: classes.into_iter().collect(),
            generations: generations.into_iter().collect(),
            pairs: pairs.into_iter().collect(),
        }
    }

    /// How many there are, and the maker.
    fn count(&self) -> usize {
        1 + self.classes.len() + self.generations.len() + self.pairs.len()
    }

    /// The groups of a machine, the maker first; those that are not known are left out.
    fn places(&self, class: CalibrationClass, generation: Option<&str>) -> Vec<usize> {
        let own = self.classes.iter().position(|one| *one == class);
        let name = self
            .generations
            .iter()
            .position(|one| Some(one.as_str()) == generation);
        let is_pair = |(one, name): &(CalibrationClass, String)| {
            *one == class && Some(name.as_str()) == generation
        };
        let pair = self.pairs.iter().position(is_pair);
        let generations = 1 + self.classes.len();
        let pairs = generations + self.generations.len();
        let places = [
            Some(0),
            own.map(|at| 1 + at),
            name.map(|at| generations + at),
            pair.map(|at| pairs + at),
        ];
        places.into_iter().flatten().collect()
    }

    /// The level of a group; `None` of the maker.
    fn level(&self, group: usize) -> Option<usize> {
        let deviation = group.checked_sub(1)?;
        let generations = self.classes.len();
        Some(match deviation {
            at if at < generations => 0,
            at if at < generations + self.generations.len() => 1,
            _ => 2,
        })
    }
}

/// A fit of the machines of one maker.
#[derive(Debug, Clone)]
pub struct MakerFit {
    groups: Groups,
    /// Logarithms of each group's terms.
    values: Vec<f64>,
}

impl MakerFit {
    /// The generations of the maker.
    pub fn generations(&self) -> impl Iterator<Item = &str> {
        self.groups.generations.iter().map(String::as_str)
    }

    /// Terms of a generation in a class, or of the class where the generation is unknown.
    #[must_use]
    pub fn terms(&self, class: CalibrationClass, generation: Option<&str>) -> [f64; TERMS] {
        terms(&self.values, &self.groups.places(class, generation))
    }
}

fn terms(values: &[f64], places: &[usize]) -> [f64; TERMS] {
    std::array::from_fn(|term| exp(places.iter().map(|at| values[at * TERMS + term]).sum()))
}

/// A measurement in a fit: its class and generation, and its weight.
#[derive(Debug, Clone, Copy)]
pub struct FitRow<'a> {
    /// The measurement.
    pub row: &'a Measurement,
    /// Its class.
    pub class: CalibrationClass,
    /// Its generation.
    pub generation: &'a str,
    /// Weight: several rows of one accelerator and model count less each.
    pub weight: f64,
}

/// Fits a form to the machines of one maker, from the terms of another fit or from the middle.
///
/// # Complexity
/// O(steps × (rows + terms³)).
#[must_use]
pub fn fit(
    form: &Form,
    groups: &Groups,
    rows: &[FitRow<'_>],
    begin: Option<&MakerFit>,
) -> MakerFit {
    let count = TERMS * groups.count();
    let mut values = vec![0.0; count];
    for (value, (middle, _)) in values.iter_mut().zip(form.middle) {
        *value = middle;
    }
    if let Some(begin) = begin {
        values.clone_from(&begin.values);
    }
    let rows: Vec<(&FitRow<'_>, Vec<usize>)> = rows
        .iter()
        .map(|one| (one, groups.places(one.class, Some(one.generation))))
        .collect();
    let error = |terms: &[f64; TERMS], one: &FitRow<'_>| log((form.ratio)(terms, one.row));
    // Where a value is drawn to, and its standard deviation.
    let prior = |at: usize| match groups.level(at / TERMS) {
        None => form.middle[at],
        Some(level) => (0.0, form.deviations[level][at % TERMS]),
    };
    let pull = |at: usize, value: f64| (value - prior(at).0) / prior(at).1;
    let loss = |values: &[f64]| {
        let of_rows = rows.iter().map(|(one, places)| {
            let z = error(&terms(values, places), one) / LOSS_SCALE;
            one.weight * 2.0 * (sqrt(1.0 + z * z) - 1.0)
        });
        let of_priors = values.iter().enumerate().map(|(at, value)| {
            let z = pull(at, *value);
            z * z
        });
        of_rows.sum::<f64>() + of_priors.sum::<f64>()
    };
    let mut damping = 1e-2;
    let mut best = loss(&values);
    for _ in 0..STEPS {
        let mut normal = vec![vec![0.0; count + 1]; count];
        for (one, groups) in &rows {
            let own = terms(&values, groups);
            let now = error(&own, one);
            let z = now / LOSS_SCALE;
            let weight = one.weight / (LOSS_SCALE * LOSS_SCALE * sqrt(1.0 + z * z));
            let slope = |term: usize| {
                let mut moved = own;
                moved[term] *= exp(1e-6);
                (error(&moved, one) - now) / 1e-6
            };
            let slopes: [f64; TERMS] = std::array::from_fn(slope);
            let of_group = |at: usize| (0..TERMS).map(move |term| (at * TERMS + term, term));
            let places = groups.iter().copied().flat_map(of_group);
            let places: Vec<(usize, f64)> = places.map(|(at, term)| (at, slopes[term])).collect();
            for (at, slope) in &places {
                for (other, other_slope) in &places {
                    normal[*at][*other] += weight * slope * other_slope;
                }
                normal[*at][count] -= weight * slope * now;
            }
        }
        for at in 0..count {
            let slope = 1.0 / prior(at).1;
            normal[at][at] += slope * slope;
            normal[at][count] -= slope * pull(at, values[at]);
        }
        for (at, row) in normal.iter_mut().enumerate() {
            row[at] *= 1.0 + damping;
        }
        let Some(step) = solve(normal) else { break };
        let next: Vec<f64> = values.iter().zip(&step).map(|(a, b)| a + b).collect();
        let value = loss(&next);
        if value < best {
            let gain = best - value;
            (values, best) = (next, value);
            damping = (damping / 4.0).max(1e-9);
            if gain < 1e-10 * best {
                break;
            }
        } else {
            damping *= 8.0;
            if damping > 1e9 {
                break;
            }
        }
    }
    MakerFit {
        groups: groups.clone(),
        values,
    }
}

/// Solves linear equations whose right side is the last column, by elimination; `None` if they have no single solution.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        if rows[at][at].abs() < 1e-300 {
            return None;
        }
        let (upper, lower) = rows.split_at_mut(at + 1);
        for row in lower {
            let factor = row[at] / upper[at][at];
            for (cell, above) in row.iter_mut().zip(&upper[at]).skip(at) {
                *cell -= factor * above;
            }
        }
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|k| rows[at][k] * solution[k]).sum();
        solution[at] = (rows[at][count] - known) / rows[at][at];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row whose rates are those of these terms.
    fn row(
        [size, layers]: [f64; 2],
        rate: f64,
        peak: f64,
        [decode, prefill]: [[f64; TERMS]; 2],
    ) -> Measurement {
        let mut row = Measurement {
            accelerator: "a card".to_owned(),
            model: "a model",
            class: String::new(),
            generation: String::new(),
            decode: 1.0,
            prefill: 1.0,
            memory_rate: rate,
            peak,
            bytes: size,
            work: 2.0 * size,
            block_bytes: 0.9 * size,
            prompt_work: 4.0 * size,
            pair_work: 2e5 * (layers / 16.0) * (layers / 16.0),
            layers,
        };
        row.decode = (DECODE_BY_MEMORY.ratio)(&decode, &row);
        row.prefill = (PREFILL.ratio)(&prefill, &row);
        row
    }

    #[test]
    fn a_fit_finds_the_terms_that_made_the_rows_in_spite_of_outliers() {
        let truth = [[0.8, 2e-4, 1.0], [2.0, 8e-4, 0.1]];
        let mut rows: Vec<Measurement> = (0..20)
            .flat_map(|at| {
                let rate = 2e11 + 4e10 * f64::from(at);
                let peak = 4e12 + 5e12 * f64::from(at % 7);
                [[1e9, 16.0], [5e9, 80.0], [9e9, 32.0]].map(|size| row(size, rate, peak, truth))
            })
            .collect();
        for slow in rows.iter_mut().step_by(7) {
            slow.decode *= 0.4;
            slow.prefill *= 0.5;
        }
        let class = CalibrationClass::NvidiaDesktop;
        let of = |row| FitRow {
            row,
            class,
            generation: "ada",
            weight: 1.0,
        };
        let groups = Groups::of([(class, "ada".to_owned())].into_iter());
        let found =
            |form, rows: &[FitRow<'_>]| fit(form, &groups, rows, None).terms(class, Some("ada"));
        let rows: Vec<FitRow<'_>> = rows.iter().map(of).collect();
        let near = |found: f64, truth: f64| (found / truth - 1.0).abs() < 0.12;
        let [share, layer, _] = found(&DECODE_BY_MEMORY, &rows);
        assert!(near(share, 0.8) && near(layer, 2e-4), "{share} {layer}");
        let [share, layer, attention] = found(&PREFILL, &rows);
        let is_near = near(share, 2.0) && near(layer, 8e-4) && near(attention, 0.1);
        assert!(is_near, "{share} {layer} {attention}");
    }

    #[test]
    fn equations_are_solved() {
        let found = solve(vec![vec![0.0, 2.0, 4.0], vec![3.0, 1.0, 5.0]]);
        let found = found.expect("one solution");
        assert!((found[0] - 1.0).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12);
        assert_eq!(solve(vec![vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]]), None);
    }
}
