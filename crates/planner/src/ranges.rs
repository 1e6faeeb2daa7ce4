//! Ranges in the place of points, for any question: what becomes of the number that its answer is led by ([`super::measure`]) when
//! facts are only known to be between two values.
//!
//! Every fact of the view that carries a range, typed or assumed by a rule, is drawn between its ends, uniformly and independently
//! of the others; whole numbers stay whole. A draw is a real scenario of all questions, and is planned again: the answer is the best
//! that could be had if the numbers were known before the plan is made. Draws come from one stream of a seed, in order: a draw is
//! the same however draws are shared out, and the first draws of a larger number are those of a smaller one.
//!
//! How much of the spread goes with a range is the share of the variance that it explains on its own (`sim`'s [`Strata`]). That is
//! an estimate, which chance moves by some percent. So each range is also drawn again by itself in the first draws: where that
//! changes no answer at all, its share is zero.

use super::cold_start_spread::{CHUNK, MOST_DRAWS, SOLVED, STRATA, thinned, units};
use super::measure::{Headline, Reading, led, measured};
use engine::problem::{Code, Invalid};
use engine::scenario::Span;
use engine::scenario::world::{LocatedField, QuestionView, World};
use engine::sim::{Draw, Strata, quantile};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Draws in which each range is drawn again by itself.
const ALONE: u32 = 20;
/// The stream of a seed from which these come.
const AGAIN: u64 = 73;
/// The most ranges of a scenario: a machine has some ten numbers.
const MOST_RANGES: usize = 1000;

/// A request: the draws to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RangesRequest {
    /// The answer to the numbers as they stand.
    Point,
    /// Draws `from..to` of a seed.
    Draws {
        /// The seed.
        seed: u32,
        /// The first of them, counted from 0.
        from: u32,
        /// Behind the last of them.
        to: u32,
    },
    /// The first draws of a seed, one number drawn again.
    Alone {
        /// The seed.
        seed: u32,
        /// The place of the number among those with a range.
        input: usize,
    },
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RangesResult {
    /// Without a draw.
    Point(Reading),
    /// The number of each draw, in order, where there is an answer.
    Drawn(Vec<Option<f64>>),
}

impl RangesRequest {
    /// The draws, each with a share from 0 to 1 for each of so many numbers.
    fn units(self, count: usize) -> Result<Vec<Vec<f64>>, Invalid> {
        Ok(match self {
            Self::Point => Vec::new(),
            Self::Draws { seed, from, to } => {
                if from > to || to > MOST_DRAWS {
                    let message = format!(
                        "draws must be counted from 0 to {MOST_DRAWS}, they are {from} to {to}"
                    );
                    return Err(Invalid::new(Code::Range, "draws", to, message));
                }
                units(seed, SOLVED, to as usize, count).split_off(from as usize)
            }
            Self::Alone { seed, input } => {
                if input >= count {
                    let allowed = format!("the place of a range, below {count}");
                    return Err(Invalid::range("input", input, &allowed));
                }
                let mut again = Draw::new(u64::from(seed), AGAIN + input as u64);
                let mut units = units(seed, SOLVED, ALONE as usize, count);
                for unit in &mut units {
                    unit[input] = again.unit();
                }
                units
            }
        })
    }
}

/// The numbers of a scenario that vary.
#[derive(Debug)]
pub struct RangeDraws {
    /// The world with all that is assumed as given.
    fixed: World,
    view: QuestionView,
    inputs: Vec<(LocatedField, Span)>,
}

impl RangeDraws {
    /// Of a scenario and the numbers that its question shows with a range.
    ///
    /// # Errors
    /// The question cannot plan the scenario.
    pub fn new(world: &World) -> Result<Self, Invalid> {
        let view = world.view(world.question)?;
        let inputs = inputs(world, &view);
        if inputs.len() > MOST_RANGES {
            let message = format!("there may be at most {MOST_RANGES} ranges");
            return Err(Invalid::new(Code::Range, "ranges", inputs.len(), message));
        }
        Ok(Self {
            fixed: world.fixed(&view),
            view,
            inputs,
        })
    }

    /// Creates the analysis if any number has a range.
    ///
    /// # Errors
    /// A scenario without ranges.
    fn of_some(world: &World) -> Result<Self, Invalid> {
        let drawing = Self::new(world)?;
        if drawing.inputs.is_empty() {
            return Err(no_ranges());
        }
        Ok(drawing)
    }

    /// How the question sees a draw, with a share from 0 to 1 for each number that varies.
    ///
    /// # Errors
    /// Numbers that do not go together.
    pub fn view(&self, unit: &[f64]) -> Result<QuestionView, Invalid> {
        let mut drawn = self.fixed.clone();
        for ((known, span), unit) in self.inputs.iter().zip(unit) {
            drawn.put(
                &self.view,
                known.location,
                span.at(*unit, known.field.is_integer),
                None,
            );
        }
        drawn.view(self.fixed.question)
    }
}

/// The numbers of a view that carry a range, in the order of [`World::spots`].
#[must_use]
pub fn inputs(world: &World, view: &QuestionView) -> Vec<(LocatedField, Span)> {
    let all = world.spots(view).into_iter();
    all.filter_map(|known| Some((known, known.range?)))
        .collect()
}

fn no_ranges() -> Invalid {
    let message = "ranges must hold at least one range of a number that this question uses: \
                   \"r_mb_s\": {\"value\": 3000, \"range\": [2500, 3500]} among the facts of a machine, or on the page under Ranges";
    Invalid::new(Code::Missing, "ranges", serde_json::json!({}), message)
}

/// Finds out what is asked.
///
/// # Errors
/// A scenario without ranges, or one that cannot be answered; draws or a number that there are not.
///
/// # Complexity
/// A view and a plan of the question for each draw.
pub fn measure_range(world: &World, ask: RangesRequest) -> Result<RangesResult, Invalid> {
    if ask == RangesRequest::Point {
        let view = world.view(world.question)?;
        return Ok(RangesResult::Point(measured(&view.scenario).reading()?));
    }
    let drawing = RangeDraws::of_some(world)?;
    // Of numbers that do not go together there is no answer.
    let drawn = |unit: &Vec<f64>| {
        let view = drawing.view(unit).ok()?;
        measured(&view.scenario).reading().ok()?.value
    };
    let units = ask.units(drawing.inputs.len())?;
    Ok(RangesResult::Drawn(units.iter().map(drawn).collect()))
}

/// The asks of so many draws, some at a time, then those for each range alone.
#[must_use]
pub fn range_requests(inputs: usize, draws: u32, seed: u32) -> Vec<RangesRequest> {
    chunked(inputs, draws, seed, CHUNK)
}

fn chunked(inputs: usize, draws: u32, seed: u32, chunk: u32) -> Vec<RangesRequest> {
    let begin = move |at: u32| at * chunk;
    let chunks = (0..draws.div_ceil(chunk)).map(move |at| RangesRequest::Draws {
        seed,
        from: begin(at),
        to: begin(at + 1).min(draws),
    });
    let alone = (0..inputs).map(|input| RangesRequest::Alone { seed, input });
    std::iter::once(RangesRequest::Point)
        .chain(chunks)
        .chain(alone)
        .collect()
}

/// Aggregated draws.
#[derive(Debug, Clone)]
pub struct RangeSpread {
    /// How the question sees the numbers as they stand.
    pub view: QuestionView,
    /// Objective of the question.
    pub headline: Headline,
    /// Value at the typed numbers, once it is known.
    pub at_values: Option<Reading>,
    /// Draws that are known.
    pub draws: usize,
    /// Draws without an answer.
    pub unanswered: usize,
    /// The number over the draws that have an answer, as quantiles at equal steps.
    pub quantiles: Vec<f64>,
    /// The median, the 5th and the 95th percentile.
    pub median: Option<f64>,
    /// The 5th percentile.
    pub p5: Option<f64>,
    /// The 95th percentile.
    pub p95: Option<f64>,
    /// The numbers that carry a range, and how much of the spread goes with each.
    pub inputs: Vec<RangeInput>,
}

/// A number that carries a range.
#[derive(Debug, Clone)]
pub struct RangeInput {
    /// The number.
    pub number: LocatedField,
    /// Its range.
    pub span: Span,
    /// The share of the variance that it explains on its own; nothing while that is not known.
    pub share: Option<f64>,
}

/// Combines the results, each at the index of its request; missing ones are left out.
///
/// # Errors
/// The question cannot plan the scenario.
///
/// # Complexity
/// O(draws log draws) for each range.
pub fn sum_up(
    world: &World,
    seed: u32,
    requests: &[RangesRequest],
    results: &[Option<RangesResult>],
) -> Result<RangeSpread, Invalid> {
    let drawing = RangeDraws::new(world)?;
    let count = drawing.inputs.len();
    let (mut at_values, mut values) = (None, Vec::new());
    let mut alone: Vec<Option<&Vec<Option<f64>>>> = vec![None; count];
    for (ask, results) in requests.iter().zip(results) {
        match (ask, results) {
            (RangesRequest::Point, Some(RangesResult::Point(reading))) => {
                at_values = Some(reading.clone())
            }
            (RangesRequest::Draws { from, .. }, Some(RangesResult::Drawn(drawn))) => {
                let places = (*from as usize..).zip(drawn);
                values.extend(places.map(|(at, value)| (at, *value)));
            }
            (RangesRequest::Alone { input, .. }, Some(RangesResult::Drawn(drawn))) => {
                if let Some(alone) = alone.get_mut(*input) {
                    *alone = Some(drawn);
                }
            }
            _ => {}
        }
    }
    let last = values.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    let units = units(seed, SOLVED, last, count);
    let answered: Vec<(usize, f64)> = values
        .iter()
        .filter_map(|(at, value)| Some((*at, (*value)?)))
        .collect();
    let own: Vec<f64> = answered.iter().map(|(_, value)| *value).collect();
    let share = |input: usize| {
        // Drawn again by itself it changed nothing: then chance alone could give it a share.
        let is_idle = alone[input].is_some_and(|again| {
            let first = values.iter().filter(|(at, _)| *at < again.len());
            let mut pairs =
                first.map(|(at, value)| (value.map(f64::to_bits), again[*at].map(f64::to_bits)));
            pairs.all(|(before, after)| before == after)
        });
        let is_constant = own
            .windows(2)
            .all(|pair| pair[0].to_bits() == pair[1].to_bits());
        if own.is_empty() || alone[input].is_none() {
            return None;
        }
        if is_idle || is_constant {
            return Some(0.0);
        }
        let column: Vec<f64> = answered.iter().map(|(at, _)| units[*at][input]).collect();
        Strata::of(&column, STRATA).variance_share(&own)
    };
    let shares: Vec<Option<f64>> = (0..count).map(share).collect();
    let mut sorted = own;
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| (!sorted.is_empty()).then(|| quantile(&sorted, share));
    let inputs = drawing.inputs.into_iter().zip(shares);
    Ok(RangeSpread {
        headline: led(&drawing.view.scenario).headline(),
        at_values,
        draws: values.len(),
        unanswered: values.len() - sorted.len(),
        median: at(0.5),
        p5: at(0.05),
        p95: at(0.95),
        quantiles: thinned(&sorted),
        inputs: inputs
            .map(|((known, span), share)| RangeInput {
                number: known,
                span,
                share,
            })
            .collect(),
        view: drawing.view,
    })
}

/// Runs all draws; `on_progress` receives the number done and in total. If it cancels, the spread is that of the draws
/// that are known.
///
/// # Errors
/// As [`tell`].
pub fn spread(
    world: &World,
    (draws, seed): (u32, u32),
    on_progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<RangeSpread, Invalid> {
    let inputs = RangeDraws::of_some(world)?.inputs.len();
    let requests = chunked(inputs, draws, seed, 1);
    let of = requests.len() as u64;
    let mut results = Vec::new();
    for (done, ask) in (0..).zip(&requests) {
        if on_progress(done, of).is_break() {
            break;
        }
        results.push(Some(measure_range(world, *ask)?));
    }
    sum_up(world, seed, &requests, &results)
}
