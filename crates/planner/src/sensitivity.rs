//! Sensitivity of any question: every improvement of a number of its machines and links, one more machine of each, each machine
//! left out. Every change is an edit of the shared scenario that is planned again and compared by the objective of the question
//! ([`super::measure`]).
//!
//! A change is asked for by its place in the list and answered by itself, so that a page shares them out among its workers.
//! Plans of many questions are made piece by piece, so nothing is taken for granted: more of something may do harm, and what is
//! said is what was solved.

use super::Status;
use super::cold_start_gains::checked_share;
use super::measure::{Headline, Reading, led, measured};
use engine::problem::{Code, Invalid};
use engine::scenario::improve::Obstacle;
use engine::scenario::levers::{Better, Changed, LeverChange, WorldChange, changes};
use engine::scenario::world::{QuestionView, World};
use engine::units::InOrder;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Differences below this share of the number are rounding, not gains.
const HAIR: f64 = 1e-9;

/// A request: the scenario to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SensitivityRequest {
    /// The scenario as it is.
    Before,
    /// With a change.
    Change {
        /// Its place in the list.
        at: usize,
        /// By how much numbers are improved [%].
        by_pct: f64,
    },
}

impl SensitivityRequest {
    /// How the question sees what is to be measured.
    fn view(self, world: &World) -> Result<QuestionView, Invalid> {
        match self {
            Self::Before => world.view(world.question),
            Self::Change { at, by_pct } => Ok(changed(world, at, by_pct)?.view),
        }
    }
}

/// A change with what it does.
#[derive(Debug, Clone)]
pub struct SensitivityRow {
    /// Its place in the list of all changes.
    pub at: usize,
    /// The change.
    pub change: WorldChange,
    /// Value of the number before and after.
    pub values: Option<(f64, f64)>,
    /// Why it cannot be made.
    pub obstacle: Option<Obstacle>,
    /// Objective after the change, or the reason why there is none.
    pub after: Option<Result<Reading, String>>,
}

/// Effect of a change on the objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SensitivityEffect {
    /// It gets better by so much, in its unit; worse where that is negative.
    Moves(f64),
    /// There was no answer, and now there is one.
    Answers,
    /// There is no answer afterwards.
    AnswersNot,
    /// There is none either way.
    Neither,
    /// The change cannot be made.
    Cannot,
    /// It could not be measured.
    Fails,
    /// It is not measured yet.
    Pending,
}

/// All changes to a scenario and what they do.
#[derive(Debug, Clone)]
pub struct SensitivityReport {
    /// How the question sees the scenario.
    pub view: QuestionView,
    /// By how much numbers are improved [%].
    pub by_pct: f64,
    /// Objective of the question.
    pub headline: Headline,
    /// Value without a change, once it is known.
    pub before: Option<Reading>,
    /// The changes, in order.
    pub gains: Vec<SensitivityRow>,
}

/// All changes to a scenario, nothing measured yet.
///
/// # Errors
/// The question cannot plan the scenario; the share is out of range; no machine of the question is on.
///
/// # Complexity
/// A few views for each change.
pub fn prepared(world: &World, by_pct: f64) -> Result<SensitivityReport, Invalid> {
    let by_pct = checked_share(by_pct)?;
    let view = world.view(world.question)?;
    let gain = |(at, change): (usize, WorldChange)| {
        let (values, obstacle) = match change.applied(world, &view, by_pct) {
            Ok(changed) => (changed.values, None),
            Err(obstacle) => (None, Some(obstacle)),
        };
        SensitivityRow {
            at,
            change,
            values,
            obstacle,
            after: None,
        }
    };
    let all = changes(world, &view);
    Ok(SensitivityReport {
        by_pct,
        headline: led(&view.scenario).headline(),
        before: None,
        gains: all.into_iter().enumerate().map(gain).collect(),
        view,
    })
}

/// The scenario with a change of the list.
///
/// # Errors
/// A place that is not in the list; a change that cannot be made.
pub fn changed(world: &World, at: usize, by_pct: f64) -> Result<Changed, Invalid> {
    let by_pct = checked_share(by_pct)?;
    let view = world.view(world.question)?;
    let all = changes(world, &view);
    let Some(change) = all.get(at) else {
        let allowed = format!("the place of a change, below {}", all.len());
        return Err(Invalid::range("at", at, &allowed));
    };
    change.applied(world, &view, by_pct).map_err(|obstacle| {
        let message = format!("the change cannot be made: {obstacle}");
        Invalid::new(Code::Range, "at", at, message)
    })
}

/// Measures what is asked.
///
/// # Errors
/// The question cannot plan the scenario; the change cannot be made.
///
/// # Complexity
/// One plan of the question.
pub fn measure_change(world: &World, ask: SensitivityRequest) -> Result<Reading, Invalid> {
    measured(&ask.view(world)?.scenario).reading()
}

impl SensitivityReport {
    /// Returns the requests, the unchanged scenario first; those after it follow the order of the gains.
    #[must_use]
    pub fn requests(&self) -> Vec<SensitivityRequest> {
        let by_pct = self.by_pct;
        let open = self.gains.iter().filter(|gain| gain.obstacle.is_none());
        let changes = open.map(|gain| SensitivityRequest::Change {
            at: gain.at,
            by_pct,
        });
        std::iter::once(SensitivityRequest::Before)
            .chain(changes)
            .collect()
    }

    /// Stores the reading of a request of [`Self::requests`].
    pub fn record(&mut self, ask: SensitivityRequest, new_reading: Result<Reading, String>) {
        match ask {
            SensitivityRequest::Before => self.before = new_reading.ok(),
            SensitivityRequest::Change { at, .. } => {
                if let Some(gain) = self.gains.get_mut(at) {
                    gain.after = Some(new_reading);
                }
            }
        }
    }

    /// Returns the effect of a change.
    #[must_use]
    pub fn effect(&self, gain: &SensitivityRow) -> SensitivityEffect {
        if gain.obstacle.is_some() {
            return SensitivityEffect::Cannot;
        }
        let (Some(before), Some(after)) = (&self.before, &gain.after) else {
            return SensitivityEffect::Pending;
        };
        let Ok(after) = after else {
            return SensitivityEffect::Fails;
        };
        match (before.value, after.value) {
            (Some(was), Some(is)) => {
                let by = match self.headline.better {
                    Better::Less => was - is,
                    Better::More => is - was,
                };
                SensitivityEffect::Moves(if by.abs() <= HAIR * was.abs() {
                    0.0
                } else {
                    by
                })
            }
            (None, Some(_)) => SensitivityEffect::Answers,
            (Some(_), None) => SensitivityEffect::AnswersNot,
            (None, None) => SensitivityEffect::Neither,
        }
    }

    /// Returns true if a change improves the objective.
    #[must_use]
    pub fn is_help(&self, gain: &SensitivityRow) -> bool {
        match self.effect(gain) {
            SensitivityEffect::Moves(by) => by > 0.0,
            SensitivityEffect::Answers => true,
            _ => false,
        }
    }

    /// Returns true if the values before and after a change are both proven optimal.
    #[must_use]
    pub fn is_proved(&self, gain: &SensitivityRow) -> bool {
        let is_best = |reading: &Reading| reading.status == Status::Optimal;
        let after = gain.after.as_ref().and_then(|after| after.as_ref().ok());
        self.before.as_ref().is_some_and(is_best) && after.is_some_and(is_best)
    }

    /// The changes, the one that helps most first: an answer where there was none counts most, the best of them first. Ties in
    /// their own order; machines left out come last, the one that is missed most first.
    #[must_use]
    pub fn in_order(&self) -> Vec<&SensitivityRow> {
        let is_loss = |gain: &SensitivityRow| matches!(gain.change.kind, LeverChange::Without(_));
        let key = |gain: &SensitivityRow| {
            let after = gain.after.as_ref().and_then(|after| after.as_ref().ok());
            let value = after.and_then(|after| after.value).unwrap_or(0.0);
            let (class, by) = match (is_loss(gain), self.effect(gain)) {
                (false, SensitivityEffect::Answers) => match self.headline.better {
                    Better::Less => (0, value),
                    Better::More => (0, -value),
                },
                (false, SensitivityEffect::Moves(by)) => (1, -by),
                (false, _) => (2, 0.0),
                (true, SensitivityEffect::AnswersNot) => (3, 0.0),
                (true, SensitivityEffect::Moves(by)) => (4, by),
                (true, _) => (5, 0.0),
            };
            (class, by, gain.at)
        };
        let mut all: Vec<&SensitivityRow> = self.gains.iter().collect();
        all.in_order_by(|a, b| {
            let (a, b) = (key(a), key(b));
            let by_class = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
            by_class.then(a.2.cmp(&b.2))
        });
        all
    }
}

/// Measures all changes one after the other; `on_progress` receives the number done and in total. If it cancels, the others stay
/// [`SensitivityEffect::Pending`].
///
/// # Errors
/// As [`prepared`]; what keeps the scenario as it is from being measured.
///
/// # Complexity
/// A plan for each change, and one.
pub fn helps(
    world: &World,
    by_pct: f64,
    on_progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<SensitivityReport, Invalid> {
    let mut found = prepared(world, by_pct)?;
    let asks = found.requests();
    let of = asks.len() as u64;
    for (done, ask) in (0..).zip(asks) {
        let new_reading = match (ask, measure_change(world, ask)) {
            (SensitivityRequest::Before, Err(fault)) => return Err(fault),
            (_, new_reading) => new_reading,
        };
        found.record(ask, new_reading.map_err(|fault| fault.message));
        if on_progress(done + 1, of).is_break() {
            break;
        }
    }
    Ok(found)
}
