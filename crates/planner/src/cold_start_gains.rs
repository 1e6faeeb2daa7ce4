//! Sensitivity of a cold start: every resource of every device improved by a share, one more device of each kind, each device
//! left out. Every change is an edit of the scenario that is solved again.
//!
//! A change is asked for by itself ([`GainRequest`]) and answered by itself ([`tell`]), so that a page shares them out among its
//! workers. What a solve proves is kept apart from what it found: where either plan is only the best found, the effect is an
//! interval ([`GainEffect::Moves`]). An answer counts by [`Answer::objective`], the number that the scenario's goal makes least.

use super::Status;
use super::cold_start::{Answer, ColdStartMethod, Evaluation, answer_alone, evaluate};
use super::cold_start_search::FIRST_STEPS;
use engine::plan::{Pipeline, Stage};
use engine::problem::{Code, ColdStart, Invalid};
pub use engine::scenario::improve::{
    ColdStartChange, LEAST_PCT, MOST_PCT, Resource, ResourceChange, USUAL_PCT, changes,
};
use engine::scenario::{Goal, Scenario};
use engine::solve::{Limits, Progress, SearchEvent};
use engine::units::InOrder;
use methods::cold_start::program_steps;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Differences below this share of the objective are rounding, not gains.
const HAIR: f64 = 1e-9;
/// Steps of the exact program, all changes together, up to which a page works them out unasked: about a second.
const QUICK: f64 = 1e9;
/// How many times as long a whole answer takes, about.
const SEARCHED: f64 = 20.0;

/// A change to solve for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GainRequest {
    /// The change.
    pub change: ColdStartChange,
    /// By how much resources are improved [%].
    pub by_pct: f64,
    /// A plan of the scenario before the change, devices by their places in the fleet: an improvement leaves it possible,
    /// so the answer is never worse than it.
    pub known: Option<Pipeline>,
}

/// Status and value of the best plan: the result of an [`GainRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Known {
    /// Proof status.
    pub status: Status,
    /// Time to the first answer [s].
    pub T: Option<f64>,
    /// Value of the goal [s].
    pub objective: Option<f64>,
    /// No plan has less [s].
    pub bound: Option<f64>,
}

/// Effect of a change on the objective. Seconds are positive where the answer is sooner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GainEffect {
    /// Sooner or later by so much.
    Moves {
        /// Before less after, by the best plans found [s].
        saved: f64,
        /// The best plan there is gets sooner by at least so much [s]; as `saved` where both plans are proved.
        least: f64,
        /// And by at most so much [s]; unknown where there is no bound.
        most: Option<f64>,
    },
    /// No plan fitted before the change, and one does after it.
    Fits,
    /// No plan fits after the change.
    FitsNot,
    /// Neither a plan nor a proof.
    Open,
    /// The change cannot be made.
    Cannot,
    /// The solver failed at it twice.
    LeftOut,
    /// It is not answered yet.
    Pending,
}

/// A change with what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct ColdStartGain {
    /// The change.
    pub change: ColdStartChange,
    /// Value of the field before and after; of changes to a resource.
    pub values: Option<(f64, f64)>,
    /// Why it cannot be made.
    pub obstacle: Option<String>,
    /// The best plan after the change.
    pub after: Option<Known>,
    /// Effect on the objective.
    pub effect: GainEffect,
}

/// Category of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GainVerdict {
    /// The answer comes sooner, or at all.
    Helps,
    /// Proved: it does not.
    HelpsNot,
    /// Not known: no gain was found, and none was ruled out.
    Unsettled,
    /// The change cannot be made.
    Cannot,
}

impl Known {
    /// Extracts status and value from an answer.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        Self {
            status: answer.status,
            T: answer.T,
            objective: answer.objective,
            bound: answer.bound,
        }
    }

    /// No plan has less [s], as far as is proved.
    fn least(&self) -> Option<f64> {
        match self.status {
            Status::Optimal => self.objective,
            _ => self.bound,
        }
    }
}

impl ColdStartGain {
    /// Returns the category of the effect.
    #[must_use]
    pub fn verdict(&self) -> GainVerdict {
        match self.effect {
            GainEffect::Fits => GainVerdict::Helps,
            GainEffect::Moves { saved, .. } if saved > 0.0 => GainVerdict::Helps,
            GainEffect::Moves {
                most: Some(most), ..
            } if most <= 0.0 => GainVerdict::HelpsNot,
            GainEffect::FitsNot => GainVerdict::HelpsNot,
            GainEffect::Cannot => GainVerdict::Cannot,
            GainEffect::Moves { .. }
            | GainEffect::Open
            | GainEffect::LeftOut
            | GainEffect::Pending => GainVerdict::Unsettled,
        }
    }

    /// Returns true if the change leaves a device out.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        self.change.what == ResourceChange::Without
    }

    /// Takes an answer.
    pub fn answered(&mut self, before: &Known, after: Known) {
        self.effect = effect(before, &after, self.is_loss());
        self.after = Some(after);
    }
}

/// How the search of a change is limited: as a point of a sweep is.
#[must_use]
pub fn limits() -> Limits {
    Limits {
        steps: Some(FIRST_STEPS),
        ..Limits::default()
    }
}

/// Returns true if this number of changes is solved in about a second.
#[must_use]
pub fn is_quick(problem: &ColdStart, goal: Goal, changes: usize) -> bool {
    // One more device is one of the changes.
    let (devices, layers) = (problem.machines().len() + 1, problem.layers().len());
    // Whole answers are searched for, which takes longer than the program.
    let times = if goal == Goal::WholeAnswer {
        SEARCHED
    } else {
        1.0
    };
    times * program_steps(devices, layers) * changes as f64 <= QUICK
}

/// Checks the share by which resources are to be improved [%].
///
/// # Errors
/// A share that is no number or outside what is allowed.
pub fn checked_share(by_pct: f64) -> Result<f64, Invalid> {
    if (LEAST_PCT..=MOST_PCT).contains(&by_pct) {
        return Ok(by_pct);
    }
    let allowed = format!("a number from {LEAST_PCT} to {MOST_PCT} %");
    Err(Invalid::range("by", by_pct, &allowed))
}

/// A plan by the places of its devices in the fleet, as an [`GainRequest`] has it.
#[must_use]
pub fn in_places(scenario: &Scenario, plan: &Pipeline) -> Pipeline {
    let places: Vec<usize> = scenario.switched_on().map(|(place, _)| place).collect();
    let moved = |stage: &Stage| Stage {
        device: places.get(stage.device).copied().unwrap_or(usize::MAX),
        ..*stage
    };
    plan.iter().map(moved).collect()
}

/// A plan given by places, by the devices that are on; `None` where one of them is off.
fn on_machines(scenario: &Scenario, plan: &Pipeline) -> Option<Pipeline> {
    let places: Vec<usize> = scenario.switched_on().map(|(place, _)| place).collect();
    let moved = |stage: &Stage| {
        let device = places.iter().position(|place| *place == stage.device)?;
        Some(Stage { device, ..*stage })
    };
    plan.iter().map(moved).collect()
}

/// Solves an ask.
///
/// # Errors
/// A scenario that poses no problem, or a change that cannot be made.
///
/// # Complexity
/// One exact solve with at most one device more.
pub fn measure_gain(
    scenario: &Scenario,
    ask: &GainRequest,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Known, Invalid> {
    scenario.problem()?;
    let by_pct = checked_share(ask.by_pct)?;
    let edited = ask.change.applied(scenario, by_pct).map_err(|obstacle| {
        let path = format!("devices[{}]", ask.change.device);
        let message = format!("{path} cannot be changed that way: {obstacle}");
        Invalid::new(Code::Range, path, by_pct, message)
    })?;
    let edited = edited.scenario;
    let problem = edited.problem()?;
    let answer = answer_alone(
        &problem,
        ColdStartMethod::Exact,
        edited.heuristic,
        limits,
        progress,
    );
    let mut known = Known::of(&answer);
    if matches!(known.status, Status::Optimal | Status::Infeasible) {
        return Ok(known);
    }
    // What was possible before is possible still, unless its device is gone.
    let before = ask.known.as_ref();
    let before = before.and_then(|plan| on_machines(&edited, plan));
    let before = before.and_then(|plan| evaluate(&problem, &plan).ok());
    if let Some(before) = before.filter(Evaluation::is_plan)
        && known
            .objective
            .is_none_or(|found| before.objective() < found)
    {
        known.status = Status::Feasible;
        known.T = Some(before.T);
        known.objective = Some(before.objective());
    }
    Ok(known)
}

/// Returns the effect of a change from the best plans before and after.
fn effect(before: &Known, after: &Known, is_loss: bool) -> GainEffect {
    let (was, is) = match (before.objective, after.objective) {
        (Some(was), Some(is)) => (was, is),
        (None, Some(_)) => return GainEffect::Fits,
        (_, None) if after.status == Status::Infeasible => return GainEffect::FitsNot,
        (_, None) => return GainEffect::Open,
    };
    let settled = |seconds: f64| {
        if seconds.abs() <= HAIR * was {
            0.0
        } else {
            seconds
        }
    };
    let saved = settled(was - is);
    // The best plan before takes from `before.least` to `was`, the best after from `after.least` to `is`.
    let least = before.least().map(|low| settled(low - is));
    let most = after.least().map(|low| settled(was - low));
    if is_loss {
        // Without a device no plan is sooner: every plan without it was possible before.
        let most = most.map_or(0.0, |most| most.min(0.0));
        GainEffect::Moves {
            saved,
            least: least.unwrap_or(f64::NEG_INFINITY),
            most: Some(most),
        }
    } else {
        // With more of anything no plan is later.
        GainEffect::Moves {
            saved,
            least: least.map_or(0.0, |least| least.max(0.0)),
            most,
        }
    }
}

/// Every change to a scenario, in order, those that need no solve answered already. `answer` is that to the scenario.
///
/// # Complexity
/// O(n (K + L)) for n changes.
#[must_use]
pub fn prepared(scenario: &Scenario, answer: &Answer, by_pct: f64) -> Vec<ColdStartGain> {
    let before = Known::of(answer);
    let gain = |change: ColdStartChange| {
        let (values, obstacle) = match change.applied(scenario, by_pct) {
            Ok(edited) => (edited.values, None),
            Err(obstacle) => (None, Some(obstacle.to_string())),
        };
        let mut gain = ColdStartGain {
            change,
            values,
            effect: match obstacle {
                Some(_) => GainEffect::Cannot,
                None => GainEffect::Pending,
            },
            obstacle,
            after: None,
        };
        match settled(scenario, answer, change) {
            Some(_) if gain.effect == GainEffect::Cannot => {}
            Some(Settled::PlanStays) => gain.answered(&before, before),
            Some(Settled::NothingChanges) => {
                gain.answered(&before, before);
                if let GainEffect::Moves { least, most, .. } = &mut gain.effect {
                    (*least, *most) = (0.0, Some(0.0));
                }
            }
            None => {}
        }
        gain
    };
    changes(scenario).into_iter().map(gain).collect()
}

/// The asks of the changes that are not answered yet.
#[must_use]
pub fn open_requests(
    scenario: &Scenario,
    answer: &Answer,
    by_pct: f64,
    gains: &[ColdStartGain],
) -> Vec<GainRequest> {
    let known = answer.plan.as_ref().map(|plan| in_places(scenario, plan));
    let open = gains
        .iter()
        .filter(|gain| gain.effect == GainEffect::Pending);
    let ask = |gain: &ColdStartGain| GainRequest {
        change: gain.change,
        by_pct,
        known: known.clone(),
    };
    open.map(ask).collect()
}

/// Result of a change that needs no solve.
enum Settled {
    /// The plan shown stays possible, and no other gets possible.
    PlanStays,
    /// No change of the possible plans and their times, or no plan before and after.
    NothingChanges,
}

/// Returns the result of a change if it needs no solve.
///
/// There are three that do not. A device that the plan does not use can go: the plan stays, and every other plan was
/// possible before. Memory for all layers at once is enough for any stage. Where the memories are proved too small for any
/// plan, neither speed nor a device less changes that.
fn settled(scenario: &Scenario, answer: &Answer, change: ColdStartChange) -> Option<Settled> {
    let problem = scenario.problem().ok()?;
    let mut on = scenario.switched_on();
    let device = on.position(|(place, _)| place == change.device)?;
    // A rate that is asked for may be out of reach of plans that fit.
    let asks_for_rate = scenario.decode.is_some_and(|d| d.goal == Goal::Throughput);
    let fits_nowhere = answer.status == Status::Infeasible && !asks_for_rate;
    match change.what {
        ResourceChange::Without if answer.plan.is_some() => {
            let plan = answer.plan.as_ref()?;
            let is_used = plan.iter().any(|stage| stage.device == device);
            (!is_used).then_some(Settled::PlanStays)
        }
        ResourceChange::More(Resource::Memory) => {
            let all = Stage {
                device,
                first: 1,
                last: problem.layers().len(),
            };
            let need = evaluate(&problem, &[all]).ok()?.timeline.first()?.mem;
            let has = problem.machines()[device].memory.get();
            (need <= has).then_some(Settled::NothingChanges)
        }
        ResourceChange::Another => None,
        ResourceChange::Without | ResourceChange::More(_) => {
            fits_nowhere.then_some(Settled::NothingChanges)
        }
    }
}

/// The improvements, the one that does most first; ties in their own order.
#[must_use]
pub fn improvements(gains: &[ColdStartGain]) -> Vec<&ColdStartGain> {
    let mut list: Vec<&ColdStartGain> = gains.iter().filter(|gain| !gain.is_loss()).collect();
    // A plan where there was none counts most, the soonest of them first.
    let rank = |gain: &ColdStartGain| match gain.effect {
        GainEffect::Fits => (0, gain.after.and_then(|after| after.objective)),
        GainEffect::Moves { saved, .. } => (1, Some(-saved)),
        _ => (2, None),
    };
    list.in_order_by(|a, b| by_rank(rank(a), rank(b)).then(a.change.cmp(&b.change)));
    list
}

/// Returns the changes that leave out a device, the most valuable device first; ties by index.
#[must_use]
pub fn losses(gains: &[ColdStartGain]) -> Vec<&ColdStartGain> {
    let mut list: Vec<&ColdStartGain> = gains.iter().filter(|gain| gain.is_loss()).collect();
    let rank = |gain: &ColdStartGain| match gain.effect {
        GainEffect::FitsNot => (0, None),
        GainEffect::Moves { saved, .. } => (1, Some(saved)),
        _ => (2, None),
    };
    list.in_order_by(|a, b| by_rank(rank(a), rank(b)).then(a.change.cmp(&b.change)));
    list
}

fn by_rank(a: (u8, Option<f64>), b: (u8, Option<f64>)) -> Ordering {
    let value = |of: Option<f64>| of.unwrap_or(f64::INFINITY);
    a.0.cmp(&b.0).then(value(a.1).total_cmp(&value(b.1)))
}

/// All changes to a scenario, solved one after the other; `progress` receives how many are done. If it cancels, the change under way and
/// those behind it stay [`GainEffect::Pending`].
///
/// # Errors
/// A scenario that poses no problem, or a share that is not allowed.
///
/// # Complexity
/// n exact solves for n changes.
pub fn gains(
    scenario: &Scenario,
    answer: &Answer,
    by_pct: f64,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Vec<ColdStartGain>, Invalid> {
    let by_pct = checked_share(by_pct)?;
    scenario.problem()?;
    let before = Known::of(answer);
    let mut gains = prepared(scenario, answer, by_pct);
    let asks = open_requests(scenario, answer, by_pct, &gains);
    let open = gains
        .iter_mut()
        .filter(|gain| gain.effect == GainEffect::Pending);
    let of = Some(asks.len() as u64);
    for (done, (gain, ask)) in (0..).zip(open.zip(&asks)) {
        let mut is_over = progress.report(SearchEvent::Step { done, of }).is_break();
        if is_over {
            break;
        }
        let mut on_progress = |_: SearchEvent<'_, Pipeline>| {
            let next = progress.report(SearchEvent::Step { done, of });
            is_over |= next.is_break();
            next
        };
        let after = measure_gain(scenario, ask, limits, &mut on_progress)?;
        // A search that a clock has ended comes to something else each time.
        if is_over {
            break;
        }
        gain.answered(&before, after);
    }
    Ok(gains)
}
