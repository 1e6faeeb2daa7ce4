//! The form of the prediction, and its robust fit.
//!
//! Seconds per token: max(bytes / (share × memory rate), work / (compute share × peak)) + layers × time per layer, the form of
//! the engine's evaluator. Terms are fitted as logarithms. Those of a generation are its class plus a deviation, which is drawn
//! to zero; those of a class are drawn to the mean of all machines, so that a class of few rows has moderate terms. A run on a
//! machine that was busy, or on a host whose launches are slow, must not decide: the loss grows linearly beyond
//! [`LOSS_SCALE`].

use crate::measurements::Measurement;
use libm::{exp, log, sqrt};

/// Error of the logarithm of a rate beyond which the loss is linear.
const LOSS_SCALE: f64 = 0.08;
/// Terms of a fit: share of the memory rate, time per layer, share of the peak.
const TERMS: usize = 3;
/// Logarithms that classes are drawn to, and how strongly: the standard deviation. Chosen once, from the middle of the classes.
const CLASS_PRIOR: [(f64, f64); TERMS] = [
    (-0.1393, 0.3), // a share of 0.87
    (-8.294, 0.7),  // 250 microseconds
    (-1.897, 0.5),  // a share of 0.15
];
/// Standard deviations of a generation from its class.
const GENERATION_PRIOR: [f64; TERMS] = [0.1, 0.5, 0.5];
/// Steps of the fit; it converges in about twenty.
const STEPS: usize = 60;

/// Terms of one generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedTerms {
    /// Share of the memory rate that decoding reaches.
    pub memory_share: f64,
    /// Time of each layer and token [s].
    pub layer: f64,
    /// Share of the FP32 peak that decoding reaches; `None` where arithmetic is never what a token waits for.
    pub compute_share: Option<f64>,
}

impl FittedTerms {
    /// Predicted time of one token [s].
    #[must_use]
    pub fn token(&self, row: &Measurement) -> f64 {
        let memory = row.bytes / (self.memory_share * row.memory_rate);
        let compute = self
            .compute_share
            .map_or(0.0, |share| row.work / (share * row.peak));
        memory.max(compute) + row.layers * self.layer
    }

    /// Predicted rate over the measured one.
    #[must_use]
    pub fn ratio(&self, row: &Measurement) -> f64 {
        1.0 / (self.token(row) * row.decode)
    }
}

/// A fit of one class.
#[derive(Debug, Clone)]
pub struct ClassFit {
    has_compute: bool,
    /// Logarithms: those of the class, then the deviations of each generation.
    values: Vec<f64>,
}

impl ClassFit {
    /// Terms of the generation with this index, or of the class where it is unknown.
    #[must_use]
    pub fn terms(&self, generation: Option<usize>) -> FittedTerms {
        terms(&self.values, self.has_compute, generation)
    }
}

fn terms(values: &[f64], has_compute: bool, generation: Option<usize>) -> FittedTerms {
    let of = |term: usize| {
        let own = generation.map_or(0.0, |at| values[(at + 1) * TERMS + term]);
        exp(values[term] + own)
    };
    FittedTerms {
        memory_share: of(0),
        layer: of(1),
        compute_share: has_compute.then(|| of(2)),
    }
}

/// A measurement in a fit: its generation, and its weight.
#[derive(Debug, Clone, Copy)]
pub struct FitRow<'a> {
    /// The measurement.
    pub row: &'a Measurement,
    /// Index of its generation.
    pub generation: usize,
    /// Weight: several rows of one accelerator and model count less each.
    pub weight: f64,
}

/// Fits a class with so many generations.
///
/// # Complexity
/// O(steps × rows × terms²).
#[must_use]
pub fn fit(rows: &[FitRow<'_>], generations: usize, has_compute: bool) -> ClassFit {
    let count = TERMS * (generations + 1);
    let mut values = vec![0.0; count];
    for (value, (prior, _)) in values.iter_mut().zip(CLASS_PRIOR) {
        *value = prior;
    }
    let error = |values: &[f64], one: &FitRow<'_>| {
        log(terms(values, has_compute, Some(one.generation)).ratio(one.row))
    };
    // Deviations from the priors, in standard deviations.
    let pull = |at: usize, value: f64| match at {
        at if at < TERMS => (value - CLASS_PRIOR[at].0) / CLASS_PRIOR[at].1,
        at => value / GENERATION_PRIOR[at % TERMS],
    };
    let pull_slope = |at: usize| match at {
        at if at < TERMS => 1.0 / CLASS_PRIOR[at].1,
        at => 1.0 / GENERATION_PRIOR[at % TERMS],
    };
    let loss = |values: &[f64]| {
        let of_rows = rows.iter().map(|one| {
            let z = error(values, one) / LOSS_SCALE;
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
        for one in rows {
            let now = error(&values, one);
            let z = now / LOSS_SCALE;
            let weight = one.weight / (LOSS_SCALE * LOSS_SCALE * sqrt(1.0 + z * z));
            let own = (one.generation + 1) * TERMS;
            let mut slopes = [0.0; TERMS];
            for (term, slope) in slopes.iter_mut().enumerate() {
                let mut moved = values.clone();
                moved[term] += 1e-6;
                *slope = (error(&moved, one) - now) / 1e-6;
            }
            let places: Vec<(usize, f64)> = (0..TERMS)
                .flat_map(|term| [(term, slopes[term]), (own + term, slopes[term])])
                .collect();
            for (at, slope) in &places {
                for (other, other_slope) in &places {
                    normal[*at][*other] += weight * slope * other_slope;
                }
                normal[*at][count] -= weight * slope * now;
            }
        }
        for at in 0..count {
            let slope = pull_slope(at);
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
    ClassFit {
        has_compute,
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

    fn row(accelerator: usize, size: f64, rate: f64, truth: &FittedTerms) -> Measurement {
        let mut row = Measurement {
            accelerator: format!("card {accelerator}"),
            model: "a model",
            class: String::new(),
            generation: String::new(),
            decode: 1.0,
            memory_rate: rate,
            peak: 1e13,
            bytes: size,
            work: 2.0 * size,
            layers: 32.0,
        };
        row.decode = 1.0 / truth.token(&row);
        row
    }

    #[test]
    fn a_fit_finds_the_terms_that_made_the_rows_in_spite_of_outliers() {
        let truth = FittedTerms {
            memory_share: 0.8,
            layer: 2e-4,
            compute_share: None,
        };
        let mut rows: Vec<Measurement> = (0..20)
            .flat_map(|at| {
                let rate = 2e11 + 4e10 * at as f64;
                [1e9, 5e9, 9e9].map(|size| row(at, size, rate, &truth))
            })
            .collect();
        for slow in rows.iter_mut().step_by(7) {
            slow.decode *= 0.4;
        }
        let of = |row| FitRow {
            row,
            generation: 0,
            weight: 1.0,
        };
        let rows: Vec<FitRow<'_>> = rows.iter().map(of).collect();
        let found = fit(&rows, 1, false).terms(Some(0));
        assert!((found.memory_share / 0.8 - 1.0).abs() < 0.03, "{found:?}");
        assert!((found.layer / 2e-4 - 1.0).abs() < 0.06, "{found:?}");
    }

    #[test]
    fn equations_are_solved() {
        let found = solve(vec![vec![0.0, 2.0, 4.0], vec![3.0, 1.0, 5.0]]);
        let found = found.expect("one solution");
        assert!((found[0] - 1.0).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12);
        assert_eq!(solve(vec![vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]]), None);
    }
}
