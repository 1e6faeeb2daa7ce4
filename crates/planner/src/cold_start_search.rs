//! A search for a cold start that is shared out among the workers of a page.
//!
//! The search ([`AnytimeSearch`]) only decides what comes next, and goes along from round to round; workers find prices and extend labels,
//! piece by piece. A piece carries everything that it takes, so it can be done by any worker, and again when one fails. What a
//! worker keeps between pieces, the table of the relaxation, it only keeps to save time.

use super::Status;
use super::cold_start::Answer;
use engine::evaluate::score;
use engine::problem::{Code, ColdStart, Invalid, cold_decode};
use engine::scenario::Scenario;
use engine::solve::Ended;
use methods::cold_start::search::costs::StageCosts;
use methods::cold_start::search::extend::extend;
pub use methods::cold_start::search::extend::{Extended, LevelShare};
use methods::cold_start::search::frontier::{Goal, LabelFrontier, split_front};
use methods::cold_start::search::relax::{Prices, Relaxation};
pub use methods::cold_start::search::search_state::{AnytimeSearch, SearchTask};
use methods::cold_start::search::tune::{Tuned, tune};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Sets of devices that a first answer looks at before the search is shared out: about half a second. The points of a sweep
/// look at no more.
pub const FIRST_STEPS: u64 = 24_000;
/// The most labels that a page keeps: 120 MB, and a level of them once more in every worker.
const MOST_LABELS: usize = 10_000_000;

/// A piece of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchSubtask {
    /// Prices are to be found.
    Tune {
        /// Weights to begin with.
        weights: Vec<f64>,
        /// Expected sum of the prices.
        money: f64,
        /// For plans faster than this [s].
        ceiling: f64,
        /// Rounds.
        rounds: u32,
    },
    /// Shares of a level are to be extended.
    Extend {
        /// Prices of the relaxation.
        prices: Prices,
        /// Ceiling of the relaxation [s].
        pass_ceiling: f64,
        /// Plans as slow as this [s] are not asked for.
        ceiling: f64,
        /// The labels.
        level: ByteBuf,
    },
}

/// Result of a subtask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// Prices.
    Tuned(Box<Tuned>),
    /// A share of a level.
    Extended {
        /// The labels, and the slack of each behind them.
        labels: ByteBuf,
        /// The best whole plan.
        goal: Option<Goal>,
        /// Sets that were looked at.
        sets: f64,
    },
}

impl Done {
    /// A share of a level, read back; `None` if it is none.
    #[must_use]
    pub fn extended(&self) -> Option<Extended> {
        let Self::Extended { labels, goal, sets } = self else {
            return None;
        };
        let mut bytes = labels.as_slice();
        let labels = LabelFrontier::from_bytes(&mut bytes)?;
        let slack = split_front(&mut bytes, labels.len(), f32::from_le_bytes)?;
        Some(Extended {
            labels,
            slack,
            goal: *goal,
            sets: *sets as u64,
        })
    }
}

/// The task of a search as a piece, and into how many shares it falls.
///
/// # Errors
/// How the search ended, when it is over.
pub fn next_subtask(hunt: &AnytimeSearch, workers: usize) -> Result<(SearchSubtask, u32), Ended> {
    match hunt.task() {
        SearchTask::Over(ended) => Err(ended),
        SearchTask::Tune {
            weights,
            money,
            ceiling,
            rounds,
        } => Ok((
            SearchSubtask::Tune {
                weights: weights.to_vec(),
                money,
                ceiling,
                rounds,
            },
            1,
        )),
        SearchTask::Extend {
            pass,
            ceiling,
            level,
            shares,
        } => Ok((
            SearchSubtask::Extend {
                prices: pass.prices.clone(),
                pass_ceiling: pass.ceiling,
                ceiling,
                level: ByteBuf::from(level.to_bytes()),
            },
            // Each takes the whole level along. More than one for each worker, so that they end together.
            shares.min(2 * workers as u32),
        )),
    }
}

/// State that a worker keeps between subtasks.
struct CachedSearch {
    problem: ColdStart,
    costs: StageCosts,
    relaxation: Option<Relaxation>,
}

thread_local! {
    static CACHE: RefCell<Option<CachedSearch>> = const { RefCell::new(None) };
}

/// Runs a share of a subtask; `on_progress` receives the number of sets visited.
///
/// # Errors
/// A scenario that poses no problem, or labels that are none.
pub fn done(
    scenario: &Scenario,
    piece: &SearchSubtask,
    share: LevelShare,
    on_progress: &mut dyn FnMut(u64),
) -> Result<Done, Invalid> {
    let problem = scenario.problem()?;
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    if !StageCosts::are_affordable(devices, layers) {
        let text = "this problem is too large to be searched in pieces";
        return Err(Invalid::new(Code::Range, "devices", devices, text));
    }
    CACHE.with_borrow_mut(|kept| {
        let kept = match kept {
            Some(kept) if kept.problem == problem => kept,
            other => other.insert(CachedSearch {
                costs: StageCosts::new(&problem),
                problem,
                relaxation: None,
            }),
        };
        match piece {
            SearchSubtask::Tune {
                weights,
                money,
                ceiling,
                rounds,
            } => {
                // Two tables at once would be one too many.
                kept.relaxation = None;
                if weights.len() != devices {
                    return Err(unreadable("weights"));
                }
                let mut keep_going = || {
                    on_progress(0);
                    ControlFlow::Continue(())
                };
                let tuned = tune(
                    &kept.costs,
                    weights,
                    *money,
                    *ceiling,
                    *rounds,
                    &mut keep_going,
                );
                let tuned = tuned.expect("nobody breaks off");
                Ok(Done::Tuned(Box::new(tuned)))
            }
            SearchSubtask::Extend {
                prices,
                pass_ceiling,
                ceiling,
                level,
            } => {
                let mut bytes = level.as_slice();
                let level = LabelFrontier::from_bytes(&mut bytes)
                    .filter(|level| level.belongs_to(devices, layers))
                    .ok_or_else(|| unreadable("level"))?;
                let is_device = |exact: &u8| usize::from(*exact) < devices;
                if prices.price.len() != devices || !prices.exact.iter().all(is_device) {
                    return Err(unreadable("prices"));
                }
                let relaxation = match &mut kept.relaxation {
                    Some(known) if known.prices == *prices && known.ceiling == *pass_ceiling => {
                        known
                    }
                    other => {
                        *other = None;
                        other.insert(Relaxation::new(&kept.costs, prices, *pass_ceiling))
                    }
                };
                let extended = extend(
                    &kept.costs,
                    relaxation,
                    *ceiling,
                    &level,
                    share,
                    &mut |sets| {
                        on_progress(sets);
                        ControlFlow::Continue(())
                    },
                );
                let extended = extended.unwrap_or_default();
                let mut labels = extended.labels.to_bytes();
                for slack in &extended.slack {
                    labels.extend_from_slice(&slack.to_le_bytes());
                }
                Ok(Done::Extended {
                    labels: ByteBuf::from(labels),
                    goal: extended.goal,
                    sets: extended.sets as f64,
                })
            }
        }
    })
}

fn unreadable(what: &str) -> Invalid {
    let text = format!("{what} of this piece do not belong to its problem");
    Invalid::new(Code::Plan, what, serde_json::Value::Null, text)
}

/// The search that goes on from an answer that does not prove its plan; `None` if there is none for this size, or for the
/// goal: whole answers are searched in one piece.
#[must_use]
pub fn go_on(problem: &ColdStart, answer: &Answer) -> Option<AnytimeSearch> {
    let is_open = matches!(answer.status, Status::Feasible | Status::Stopped)
        && problem.goal() != cold_decode::DecodeGoal::WholeAnswer;
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    if !is_open || !StageCosts::are_affordable(devices, layers) {
        return None;
    }
    let best = answer.plan.clone().zip(answer.T);
    let ceiling = answer.T.unwrap_or(problem.longest_conceivable());
    let bound = answer.bound.unwrap_or(0.0);
    Some(AnytimeSearch::new(
        StageCosts::new(problem),
        best,
        bound,
        ceiling,
        MOST_LABELS,
    ))
}

/// The answer as far as a search has come; `ended` once it has.
#[must_use]
pub fn answer_of(
    problem: &ColdStart,
    before: &Answer,
    hunt: &AnytimeSearch,
    ended: Option<Ended>,
) -> Answer {
    let mut answer = before.clone();
    answer.bound = Some(hunt.bound());
    if let Some((plan, _)) = hunt.best()
        && score(problem, plan).is_ok()
    {
        answer.status = match ended {
            Some(Ended::Optimal) => Status::Optimal,
            _ => Status::Feasible,
        };
        answer.replace_plan(problem, plan.clone(), Some(hunt.bound()));
        answer.gap = answer.gap.map(|gap| gap.max(0.0));
        answer.reason = None;
    } else if ended == Some(Ended::Finished) {
        let proof = methods::cold_start::no_plan(problem);
        answer.status = Status::Infeasible;
        answer.reason = Some(proof.to_string());
        answer.infeasible = Some(proof);
    }
    answer
}
