//! The course of the search: which pass comes next, what a pass proves, when it is over.
//!
//! A pass looks for plans faster than its ceiling, level by level, and keeps the labels with the most slack where there
//! are more than its width. What it drops has a bound, too, so every pass proves something: no plan is faster than the
//! least of its best plan, its ceiling and the bounds of what it dropped. A pass that drops nothing is exact.
//! First the ceiling is halfway between the bound and the best plan, where a pass is cheap and proves much, then at the
//! best plan itself; then everything again with four times the width. The last pass drops nothing and proves the best plan.
//!
//! The search state only decides; [`AnytimeSearch::task`] returns the next task and the caller runs it, on one
//! thread, on several, or on the workers of a page. Levels are extended in shares that do not depend on how many there
//! are to do them, and a better plan changes the ceiling only between levels, so the result does not depend on it either.

use super::costs::StageCosts;
use super::extend::Extended;
use super::frontier::{Goal, LabelFrontier, NO_DEVICE};
use super::relax::Prices;
use super::tune::{self, Tuned};
use engine::plan::{Pipeline, Stage};
use engine::solve::{Ended, StopReason};
use serde::{Deserialize, Serialize};

/// The next task.
#[derive(Debug)]
pub enum SearchTask<'a> {
    /// Find prices.
    Tune {
        /// Weights to begin with.
        weights: &'a [f64],
        /// Approximate sum of the prices.
        money: f64,
        /// For plans faster than this [s].
        ceiling: f64,
        /// Rounds.
        rounds: u32,
    },
    /// Extend all shares of a level.
    Extend {
        /// The pass: prices and ceiling of its relaxation.
        pass: &'a SearchPass,
        /// Plans as slow as this [s] are not asked for.
        ceiling: f64,
        /// The labels.
        level: &'a LabelFrontier,
        /// How many shares there are.
        shares: u32,
    },
    /// No work is left: the search has ended.
    Over(Ended),
}

/// A pass of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPass {
    /// Prices of its relaxation.
    pub prices: Prices,
    /// Ceiling of its relaxation [s].
    pub ceiling: f64,
    /// The most labels of a level.
    width: usize,
}

/// State of the search.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SearchState {
    /// Passes begun.
    pub passes: u32,
    /// Stages of the plans that the pass is at.
    pub level: u32,
    /// Labels of the pass.
    pub labels: u64,
    /// Labels of all passes.
    pub all_labels: u64,
    /// Sets of devices that were looked at, in all passes.
    pub sets: u64,
    /// The most labels a level of this pass may keep.
    pub width: u64,
}

/// The search. Written down it leaves out what stages cost, which follows from the problem: [`AnytimeSearch::with`] puts that back.
#[derive(Debug, Serialize, Deserialize)]
pub struct AnytimeSearch {
    #[serde(skip)]
    costs: StageCosts,
    best: Option<(Pipeline, f64)>,
    bound: f64,
    /// A time that no plan needs [s].
    longest: f64,
    weights: Vec<f64>,
    greedy: Vec<u8>,
    most_labels: usize,
    width: usize,
    /// Number of passes of this width that aimed below the best plan; decides whether the next one does.
    aims: u32,
    is_aiming: bool,
    phase: Phase,
    tally: SearchState,
}

#[derive(Debug, Serialize, Deserialize)]
enum Phase {
    Tune { ceiling: f64 },
    Pass(Box<Running>),
    Over(Ended),
}

/// A pass on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Running {
    pass: SearchPass,
    /// Labels by level, to read a plan back.
    levels: Vec<LabelFrontier>,
    /// Plans as slow as this are not asked for: the ceiling, or the best plan that was found.
    ceiling: f64,
    /// The least bound of what was dropped.
    dropped: f64,
    labels: usize,
    has_found: bool,
}

/// The first pass keeps so many labels a level.
const FIRST_WIDTH: usize = 250;
/// Every widening multiplies by this.
const WIDER: usize = 4;
/// Passes of one width that aim below the best plan.
const MOST_AIMS: u32 = 4;
/// Closer to the bound than this, relative, no pass aims lower.
const CLOSE: f64 = 2e-3;
/// Labels of a share.
const SHARE_LABELS: usize = 4096;
/// The most shares of a level.
const MOST_SHARES: usize = 64;
/// Sum of the prices if no device is exact: fine enough, with a table that is filled in a moment.
const MONEY: f64 = 240.0;
/// The most steps to fill a table while prices are tuned.
const TUNING: f64 = 4e8;
/// The most steps to fill the table of a pass: some seconds.
const FILLING: f64 = 1e10;
/// The most cells of the table of a pass, four bytes each and twice while it is made.
const TABLE: f64 = 2e7;
/// A bound this close to the best plan, relative, is its proof: the bounds round by less.
const ROUNDING: f64 = 1e-12;

impl AnytimeSearch {
    /// A search from a plan that is known, if one is, and a time below which there is none.
    ///
    /// `ceiling` [s] is a time that no plan needs; `most_labels` are kept at most, ten bytes each.
    #[must_use]
    pub fn new(
        costs: StageCosts,
        best: Option<(Pipeline, f64)>,
        bound: f64,
        ceiling: f64,
        most_labels: usize,
    ) -> Self {
        let weights = tune::first(&costs);
        let mut hunt = Self {
            costs,
            best,
            bound,
            longest: ceiling,
            weights,
            greedy: Vec::new(),
            most_labels,
            width: FIRST_WIDTH.min(most_labels).max(1),
            aims: 0,
            is_aiming: true,
            phase: Phase::Over(Ended::Finished),
            tally: SearchState::default(),
        };
        hunt.begin(ceiling);
        hunt
    }

    /// Restores the search after it was stored.
    #[must_use]
    pub fn with(self, costs: StageCosts) -> Self {
        Self { costs, ..self }
    }

    /// Returns the costs of stages.
    #[must_use]
    pub fn costs(&self) -> &StageCosts {
        &self.costs
    }

    /// The best plan so far and its T [s].
    #[must_use]
    pub fn best(&self) -> Option<&(Pipeline, f64)> {
        self.best.as_ref()
    }

    /// No plan is faster than this [s].
    #[must_use]
    pub fn bound(&self) -> f64 {
        match &self.best {
            Some((_, total)) => self.bound.min(*total),
            None => self.bound,
        }
    }

    /// How far it is.
    #[must_use]
    pub fn tally(&self) -> SearchState {
        self.tally
    }

    /// Ends it where it is.
    pub fn stop(&mut self, stop: StopReason) {
        if !matches!(self.phase, Phase::Over(_)) {
            self.phase = Phase::Over(Ended::Stopped(stop));
        }
    }

    /// Returns the next task.
    #[must_use]
    pub fn task(&self) -> SearchTask<'_> {
        match &self.phase {
            Phase::Over(ended) => SearchTask::Over(*ended),
            Phase::Tune { ceiling } => SearchTask::Tune {
                weights: &self.weights,
                money: self.money(MONEY, TUNING),
                ceiling: *ceiling,
                rounds: self.rounds(),
            },
            Phase::Pass(running) => {
                let level = running.level();
                SearchTask::Extend {
                    pass: &running.pass,
                    ceiling: running.ceiling,
                    level,
                    shares: level.len().div_ceil(SHARE_LABELS).clamp(1, MOST_SHARES) as u32,
                }
            }
        }
    }

    /// Prices were found.
    pub fn tuned(&mut self, tuned: Tuned) {
        let Phase::Tune { ceiling } = self.phase else {
            return;
        };
        self.weights = tuned.weights;
        self.greedy = tuned.greedy;
        if tuned.is_proved {
            self.bound = self.bound.max(ceiling);
            if self.best.is_none() {
                // Then the ceiling is a time that no plan needs.
                self.phase = Phase::Over(Ended::Finished);
                return;
            }
            return self.next(false);
        }
        let (exact, money) = self.memory();
        let prices = Prices {
            price: tune::integer_prices(&self.weights, money),
            exact: self.greedy.iter().copied().take(exact).collect(),
        };
        self.tally.passes += 1;
        self.tally.level = 0;
        self.tally.labels = 0;
        self.tally.width = self.width as u64;
        self.phase = Phase::Pass(Box::new(Running {
            pass: SearchPass {
                prices,
                ceiling,
                width: self.width,
            },
            levels: vec![LabelFrontier::first()],
            ceiling,
            dropped: f64::INFINITY,
            labels: 0,
            has_found: false,
        }));
    }

    /// All shares of a level were extended, in their order.
    pub fn extended(&mut self, shares: &[Extended]) {
        let Phase::Pass(running) = &mut self.phase else {
            return;
        };
        let mut next = LabelFrontier::default();
        let mut goal: Option<Goal> = None;
        for share in shares {
            next.append(&share.labels);
            self.tally.sets += share.sets;
            if let Some(found) = share.goal
                && goal.is_none_or(|best| found.total < best.total)
            {
                goal = Some(found);
            }
        }
        let (ceiling, width) = (running.ceiling, running.pass.width);
        if next.len() > width {
            let slack: Vec<f32> = shares
                .iter()
                .flat_map(|share| share.slack.iter().copied())
                .collect();
            let mut sorted = slack.clone();
            let at = sorted.len() - width;
            let (less, cut, _) = sorted.select_nth_unstable_by(at, f32::total_cmp);
            let cut = *cut;
            let most = less
                .iter()
                .copied()
                .filter(|slack| *slack < cut)
                .fold(f32::NEG_INFINITY, f32::max);
            if most > f32::NEG_INFINITY {
                // Rounded to 32 bits, a slack may be a little more than it seems.
                let most = f64::from(most) * (1.0 + 1e-6) + f64::from(f32::MIN_POSITIVE);
                let dropped = ceiling - most;
                running.dropped = running.dropped.min(dropped);
                next = next.filtered(|label| slack[label] >= cut);
            }
        }
        running.labels += next.len();
        self.tally.level += 1;
        self.tally.labels += next.len() as u64;
        self.tally.all_labels += next.len() as u64;
        if let Some(goal) = goal {
            running.ceiling = goal.total;
            running.has_found = true;
            if self
                .best
                .as_ref()
                .is_none_or(|(_, total)| goal.total < *total)
            {
                let plan = running.read_back(&self.costs, goal);
                self.best = Some((plan, goal.total));
            }
        }
        if next.is_empty() {
            self.finish_pass();
        } else if running.labels > self.most_labels {
            // What is not extended has not been proved: only what earlier passes proved holds.
            self.phase = Phase::Over(Ended::Stopped(StopReason::Size));
        } else {
            running.levels.push(next);
        }
    }

    /// A pass has come to its end.
    fn finish_pass(&mut self) {
        let Phase::Pass(running) = &self.phase else {
            return;
        };
        let proved = running.ceiling.min(running.dropped);
        let is_exact = running.dropped == f64::INFINITY;
        let has_found = running.has_found;
        self.bound = self.bound.max(proved);
        if is_exact && self.best.is_none() {
            self.phase = Phase::Over(Ended::Finished);
            return;
        }
        self.next(is_exact || has_found);
    }

    /// The next pass: after a success with the same width, otherwise with a higher aim or more width.
    fn next(&mut self, again: bool) {
        let was_aiming = self.is_aiming;
        if !again {
            if was_aiming && self.aims > 0 {
                self.is_aiming = false;
            } else if !was_aiming {
                self.widen();
            }
        }
        let ceiling = self.best.as_ref().map_or(self.longest, |(_, total)| *total);
        self.begin(ceiling);
    }

    fn widen(&mut self) {
        self.width = self.width.saturating_mul(WIDER);
        self.aims = 0;
        self.is_aiming = true;
    }

    /// Sets the ceiling of the next pass, or ends the search.
    fn begin(&mut self, ceiling: f64) {
        if let Some((_, total)) = &self.best
            && self.bound >= *total * (1.0 - ROUNDING)
        {
            self.bound = *total;
            self.phase = Phase::Over(Ended::Optimal);
            return;
        }
        if self.is_aiming {
            self.aims += 1;
            let gap = ceiling - self.bound;
            if self.aims > MOST_AIMS || gap <= CLOSE * ceiling || self.best.is_none() {
                self.is_aiming = false;
            }
        }
        let ceiling = if self.is_aiming {
            self.bound + (ceiling - self.bound) / 2.0
        } else {
            ceiling
        };
        self.phase = Phase::Tune { ceiling };
    }

    /// Rounds of tuning that suit the width.
    fn rounds(&self) -> u32 {
        match self.width {
            0..=999 => 8,
            1000..=15_999 => 10,
            _ => 16,
        }
    }

    /// How many devices are exact, and what all prices sum to: a wide pass deserves a better bound.
    fn memory(&self) -> (usize, f64) {
        let (exact, money) = match self.width {
            0..=15_999 => (0, MONEY),
            16_000..=63_999 => (3, 160.0),
            64_000..=255_999 => (4, 128.0),
            256_000..=999_999 => (5, 96.0),
            _ => (6, 80.0),
        };
        let mut exact = exact.min(self.costs.devices);
        // A large problem has so many stages that a table for it must have fewer states.
        let is_too_much = |exact: usize| {
            let states = money * f64::from(1_u32 << exact);
            let cells = states * (self.costs.devices * (self.costs.layers + 1)) as f64;
            cells > TABLE || states * self.costs.transitions > FILLING
        };
        while exact > 0 && is_too_much(exact) {
            exact -= 1;
        }
        (exact, self.money(money, FILLING))
    }

    /// At most this sum of prices, less where filling the table would take more than so many steps.
    fn money(&self, most: f64, work: f64) -> f64 {
        most.min(work / self.costs.transitions)
            .max(self.costs.devices as f64)
    }
}

impl Running {
    fn level(&self) -> &LabelFrontier {
        self.levels.last().expect("a pass begins with a level")
    }

    /// The plan of a goal that the last level was extended to. Ties go to the first set, device and layer.
    fn read_back(&self, costs: &StageCosts, goal: Goal) -> Pipeline {
        let mut plan = Pipeline::new();
        let (mut set, mut last, mut end, mut value) =
            (goal.set, usize::from(goal.last), costs.layers, goal.total);
        for level in self.levels.iter().rev() {
            let rest = set & !(1 << last);
            let Ok(at) = level.sets.binary_search(&rest) else {
                break;
            };
            let found = level.rows(at).find_map(|row| {
                let before = level.last[row];
                level.labels(row).find_map(|label| {
                    let cut = usize::from(level.done[label]);
                    if cut >= end || end > costs.reach_after(before, last, cut) {
                        return None;
                    }
                    let (load, finish) = (costs.load(last, cut)[end], level.finish[label]);
                    let start = if load > finish { load } else { finish };
                    let hop = if before == NO_DEVICE {
                        0.0
                    } else {
                        costs.hops(usize::from(before), last)[cut]
                    };
                    (start + hop + costs.comp(last, cut)[end] == value)
                        .then_some((before, cut, finish))
                })
            });
            let Some((before, cut, finish)) = found else {
                break;
            };
            plan.push(Stage {
                device: last,
                first: cut + 1,
                last: end,
            });
            if before == NO_DEVICE {
                break;
            }
            (set, last, end, value) = (rest, usize::from(before), cut, finish);
        }
        plan.reverse();
        plan
    }
}
