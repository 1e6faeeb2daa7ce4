//! The default search: descent over a library of cuts, then annealing.
//!
//! # Why this search
//!
//! The time of an operator depends on its own cut and on those of what it reads. A move of one operator therefore costs two
//! or three evaluations of operators, whatever the size of the graph, where a genetic search pays for a whole plan; and a
//! plan is good when neighbours agree, which crossover at random places tears apart and a walk along the graph keeps. Taking
//! turns over the operators with every cut of a library ([`super::library`]) settles in a few sweeps where no single
//! operator can do better. What is left are moves that pay only together: several operators in a row changing their
//! devices or their dimension. Annealing gets there by passing through worse plans, and by moves that carry one operator's
//! new cut on to those that read it, or to those that run next, branches of a block among them. From the best plan of that,
//! stretches of operators are cut again by dynamic programming over a handful of changes ([`super::stretch`]), which finds
//! what single moves of a cold walk do not. Descents by single rows are before and after.
//!
//! Budgets are counts of moves: the same numbers give the same split on every machine. A chain goes on in pieces of a length
//! that does not depend on the problem, so that the caller can end it: the splits it starts from, then an operator of a
//! descent at a time, then moves. Chains of the search differ only by
//! their stream of random numbers and know nothing of each other, so that any number of them runs side by side.
//!
//! # Limits
//!
//! A violated limit costs a penalty, which grows while the walk is at splits that violate limits and falls slowly otherwise. Only
//! splits that keep every limit count as results; if there is none, the result is the split with the least violation.

use super::library::{Library, LibraryStart, moved, scaled};
use super::stretch::Stretch;
use super::{SplitTask, SplitWalk};
use engine::evaluate::operators::places;
use engine::plan::{Dim, Partition};
use engine::sim::Draw;
use std::sync::Arc;

/// Shifts of a mark [rows]; beside them an eighth of the length.
const SHIFTS: [u32; 4] = [1, 2, 4, 8];
/// The most operators that a cut is carried on to.
const MOST_PROPAGATED: usize = 6;
/// The most operators in a row that are cut like another.
const RUN: usize = 12;
/// The share of the moves that carry a cut on to readers.
const CARRIES: f64 = 0.25;
/// The share of the moves that cut the operators that run next alike.
const SPREADS: f64 = 0.1;
/// The most turns over all operators in a descent.
const SWEEPS: usize = 12;
/// First temperature, as a share of the mean time of an operator.
const HOT: f64 = 0.2;
/// Last temperature, as a share of the first.
const COLD: f64 = 3e-3;
/// The share of the moves that anneals; the rest cuts stretches again.
const ANNEALS: f64 = 0.7;
/// Evaluations of operators that count as a move.
const PER_MOVE: u64 = 3;
/// The weight of limits, in times of the whole plan, where nothing else counts.
const STRICT: f64 = 1e6;
/// Moves between two looks at the penalty.
const LOOK: u64 = 256;
/// Parts looked at in a piece: some hundredths of a second.
const SUBTASK_WORK: u64 = 1 << 22;

/// A chain of the search.
#[derive(Debug, Clone)]
pub struct Annealer<'t, 'a> {
    walk: SplitWalk<'t, 'a>,
    library: Arc<Library>,
    draw: Draw,
    best: Best,
    of: u64,
    moves: u64,
    hot: f64,
    temperature: f64,
    cooling: f64,
    penalty: f64,
    curve: Vec<(u64, f64)>,
    row: Vec<u32>,
    other: Vec<u32>,
    stretch: Stretch,
    /// Where each operator is in the order.
    places: Vec<u32>,
    /// Moves that anneal; the rest cuts whole stretches again.
    anneals: u64,
    phase: Phase,
}

/// Phase of a chain.
#[derive(Debug, Clone)]
enum Phase {
    /// It looks at the splits that are known before any search.
    Start(LibraryStart),
    /// It takes turns over the operators, and goes on to the next phase.
    Descent(Descent, Next),
    /// It anneals.
    Anneal,
    /// It cuts whole stretches again.
    Recut,
    /// It has come to its end.
    End,
}

/// Action after a descent.
#[derive(Debug, Clone, Copy)]
enum Next {
    Anneal,
    Recut,
    End,
}

/// Where a descent stands.
#[derive(Debug, Clone, Copy, Default)]
struct Descent {
    sweep: usize,
    v: usize,
    /// True if this sweep has improved anything.
    better: bool,
}

/// The best split so far.
#[derive(Debug, Clone)]
struct Best {
    plan: Partition,
    latency: f64,
    violation: f64,
}

impl<'t, 'a> Annealer<'t, 'a> {
    /// Chain number `chain` of a seed, to try so many moves.
    ///
    /// # Complexity
    /// As [`Library::new`] and [`SplitWalk::new`].
    #[must_use]
    pub fn new(task: &'t SplitTask<'a>, seed: u64, chain: u32, moves: u64) -> Self {
        Self::with(task, &Arc::new(Library::new(task)), seed, chain, moves)
    }

    /// Creates a chain that shares a library of the task with others.
    ///
    /// # Complexity
    /// As [`SplitWalk::new`].
    #[must_use]
    pub fn with(
        task: &'t SplitTask<'a>,
        library: &Arc<Library>,
        seed: u64,
        chain: u32,
        moves: u64,
    ) -> Self {
        let (walk, start) = LibraryStart::new(task);
        let width = task.slices.devices() + 1;
        let best = Best {
            plan: walk.plan().clone(),
            latency: walk.latency(),
            violation: walk.violation(),
        };
        let steps = (moves as f64 * ANNEALS / LOOK as f64).max(1.0);
        Self {
            library: library.clone(),
            draw: Draw::new(seed, u64::from(chain)),
            curve: Vec::new(),
            best,
            of: moves,
            moves: 0,
            hot: 0.0,
            temperature: 0.0,
            cooling: libm::exp(libm::log(COLD) / steps),
            penalty: 0.0,
            row: vec![0; width],
            other: vec![0; width],
            stretch: Stretch::new(width),
            places: places(task.slices.graph(), &task.order).expect("the order of a task is one"),
            anneals: (moves as f64 * ANNEALS) as u64,
            phase: Phase::Start(start),
            walk,
        }
    }

    /// Tries some more moves, or takes as long in another way; whether any are left.
    ///
    /// # Complexity
    /// At most that of a piece, and of what cannot be parted: a split to start from, an operator of a descent, a move.
    pub fn advance(&mut self, moves: u64) -> bool {
        let until = self.of.min(self.moves + moves);
        let enough = self.walk.effort() + SUBTASK_WORK;
        while self.walk.effort() < enough {
            match &mut self.phase {
                Phase::Start(start) => {
                    if !start.advance(&mut self.walk) {
                        self.begin();
                        continue;
                    }
                    let (plan, violation, latency) = start.best();
                    if (violation, latency) < (self.best.violation, self.best.latency) {
                        self.best.plan.clone_from(plan);
                        (self.best.violation, self.best.latency) = (violation, latency);
                    }
                }
                Phase::Descent(descent, next) => {
                    let (mut at, next) = (*descent, *next);
                    let goes_on = self.descend(&mut at);
                    self.phase = match (goes_on, next) {
                        (true, next) => Phase::Descent(at, next),
                        (false, Next::Anneal) => {
                            // From here on limits may be broken on the way.
                            self.penalty = 10.0 * self.best.latency.max(1e-9);
                            Phase::Anneal
                        }
                        (false, Next::Recut) => Phase::Recut,
                        (false, Next::End) => Phase::End,
                    };
                }
                Phase::Anneal | Phase::Recut if self.moves == self.of => {
                    self.descend_from_best(Next::End);
                }
                Phase::Anneal | Phase::Recut if self.moves >= until => break,
                Phase::Anneal if self.moves >= self.anneals => self.finish_annealing(),
                Phase::Anneal => self.anneal(),
                Phase::Recut => self.recut(),
                Phase::End => break,
            }
        }
        !matches!(self.phase, Phase::End)
    }

    /// The walk is at the best split to start from.
    fn begin(&mut self) {
        self.best.plan.clone_from(self.walk.plan());
        self.best.latency = self.walk.latency();
        self.best.violation = self.walk.violation();
        if self.best.violation == 0.0 {
            self.curve.push((0, self.best.latency));
        }
        self.hot = HOT * self.walk.latency() / self.places.len() as f64;
        self.temperature = self.hot;
        self.penalty = STRICT * self.walk.latency().max(1e-9);
        self.phase = Phase::Descent(Descent::default(), Next::Anneal);
    }

    /// Goes back to the best split, and descends from there.
    fn descend_from_best(&mut self, next: Next) {
        let best = self.best.plan.clone();
        self.walk.jump(&best);
        self.phase = Phase::Descent(Descent::default(), next);
    }

    /// Annealing is over.
    fn finish_annealing(&mut self) {
        self.descend_from_best(Next::Recut);
        if self.best.violation > 0.0 {
            // Nothing else counts until a split keeps the limits.
            self.penalty = STRICT * self.best.latency.max(1e-9);
        }
    }

    /// One move.
    fn anneal(&mut self) {
        if self.moves.is_multiple_of(LOOK) {
            self.look();
        }
        self.moves += 1;
        self.walk.begin();
        self.propose();
        self.walk.update_costs();
        let dearer = self.walk.slower_by() + self.penalty * self.walk.worse_by();
        let stays =
            dearer <= 0.0 || self.draw.unit() < libm::exp(-dearer / self.temperature.max(1e-300));
        if stays {
            self.note();
        } else {
            self.walk.undo();
        }
    }

    /// The best split so far.
    #[must_use]
    pub const fn best(&self) -> &Partition {
        &self.best.plan
    }

    /// Its time [ms].
    #[must_use]
    pub const fn latency(&self) -> f64 {
        self.best.latency
    }

    /// How far it breaks limits; 0: not.
    #[must_use]
    pub const fn violation(&self) -> f64 {
        self.best.violation
    }

    /// Returns true if it keeps every limit.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.best.violation == 0.0
    }

    /// Moves tried.
    #[must_use]
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Evaluations of single operators so far.
    #[must_use]
    pub const fn evaluations(&self) -> u64 {
        self.walk.evaluations()
    }

    /// Moves tried, and the least time until then [ms].
    #[must_use]
    pub fn curve(&self) -> &[(u64, f64)] {
        &self.curve
    }

    /// Cools, and moves the penalty.
    fn look(&mut self) {
        self.temperature *= self.cooling;
        self.walk.sum();
        if self.walk.is_limited() {
            if self.walk.is_feasible() {
                self.penalty *= 0.95;
            } else {
                self.penalty *= 1.2;
            }
            self.penalty = self.penalty.clamp(self.hot, 1e12 * self.hot);
        }
    }

    /// Keeps what is better than everything before.
    fn note(&mut self) {
        let (violation, latency) = (self.walk.violation(), self.walk.latency());
        if violation < self.best.violation
            || (violation <= self.best.violation && latency < self.best.latency - 1e-12)
        {
            self.best.plan.clone_from(self.walk.plan());
            self.best.latency = latency;
            self.best.violation = violation;
            if violation == 0.0 {
                let is_news = (self.curve.last()).is_none_or(|(_, ms)| latency < ms * (1.0 - 1e-4));
                if is_news {
                    self.curve.push((self.moves, latency));
                }
            }
        }
    }

    /// One change.
    fn propose(&mut self) {
        let graph = self.walk.task.slices.graph();
        let v = self.draw.integer_below(graph.len());
        let what = self.draw.unit();
        let (old, marks) = (self.walk.plan().dims[v], self.walk.plan().cuts.of(v));
        let mut dim = old;
        self.row.copy_from_slice(marks);
        if what < 0.3 {
            let at = self.draw.integer_below(self.library.choices(v));
            let (choice, rows) = self.library.pick(v, at);
            dim = choice;
            self.row
                .copy_from_slice(rows.get(self.draw.integer_below(rows.len())));
        } else if what < 0.5 {
            let (sources, readers) = (graph.src(v), graph.consumers(v));
            let at = self.draw.integer_below(sources.len() + readers.len());
            let other = if at < sources.len() {
                sources[at] as usize
            } else {
                readers.get(at - sources.len()).map_or(v, |u| *u as usize)
            };
            if other < graph.len() && other != v {
                dim = self.library.like(v, self.walk.plan().dims[other]);
                let length = self.walk.task.slices.length(v, dim);
                scaled(self.walk.plan().cuts.of(other), length, &mut self.row);
            } else {
                shift(&mut self.draw, &mut self.row);
            }
        } else {
            shift(&mut self.draw, &mut self.row);
        }
        self.walk.cut(v, dim, &self.row);
        let farther = self.draw.unit();
        if farther < CARRIES {
            self.carry(v);
        } else if farther < CARRIES + SPREADS {
            self.spread(v);
        }
    }

    /// Cuts the operators that run next like v.
    fn spread(&mut self, v: usize) {
        let task = self.walk.task;
        let from = self.places[v] as usize + 1;
        let count = 1 + self.draw.integer_below(RUN);
        let turns = self.draw.integer_below(2) == 0;
        for next in task.order[from..].iter().take(count) {
            let next = *next as usize;
            let plan = self.walk.plan();
            let dim = if turns {
                self.library.like(next, plan.dims[v])
            } else {
                plan.dims[next]
            };
            scaled(
                plan.cuts.of(v),
                task.slices.length(next, dim),
                &mut self.other,
            );
            self.walk.cut(next, dim, &self.other);
        }
    }

    /// Cuts a stretch of operators again, the best of some cuts for each of them; counts as many moves as it takes time.
    fn recut(&mut self) {
        let before = self.walk.evaluations();
        (self.stretch).choose(&mut self.walk, &self.library, &mut self.draw);
        self.walk.begin();
        self.stretch.apply(&mut self.walk);
        self.walk.update_costs();
        let dearer = self.walk.slower_by() + self.penalty * self.walk.worse_by();
        if dearer <= 0.0 {
            self.note();
        } else {
            self.walk.undo();
        }
        let evaluations = self.walk.evaluations() - before;
        self.moves = self.of.min(self.moves + 1 + evaluations / PER_MOVE);
    }

    /// Carries the cut of v on along a random path.
    fn carry(&mut self, mut v: usize) {
        let graph = self.walk.task.slices.graph();
        for _ in 0..=self.draw.integer_below(MOST_PROPAGATED) {
            let readers = graph.consumers(v);
            if readers.is_empty() {
                return;
            }
            let next = readers[self.draw.integer_below(readers.len())] as usize;
            let dim = self.library.like(next, self.walk.plan().dims[v]);
            let length = self.walk.task.slices.length(next, dim);
            scaled(self.walk.plan().cuts.of(v), length, &mut self.other);
            self.walk.cut(next, dim, &self.other);
            v = next;
        }
    }

    /// Tries a cut; whether it stays.
    fn attempt(&mut self, v: usize, dim: Dim) -> bool {
        self.walk.begin();
        self.walk.cut(v, dim, &self.row);
        self.walk.update_costs();
        let dearer = self.walk.slower_by() + self.penalty * self.walk.worse_by();
        if dearer < -1e-12 {
            self.note();
            true
        } else {
            self.walk.undo();
            false
        }
    }

    /// Tries every cut of the library, those of neighbours, and shifts of single marks for the next operator, over and over
    /// until none helps; whether there is more to do.
    fn descend(&mut self, descent: &mut Descent) -> bool {
        let n = self.places.len();
        descent.better |= self.descend_at(descent.v);
        descent.v += 1;
        if descent.v < n {
            return true;
        }
        let goes_on = descent.better && descent.sweep + 1 < SWEEPS;
        if !goes_on {
            self.walk.sum();
            return false;
        }
        *descent = Descent {
            sweep: descent.sweep + 1,
            ..Descent::default()
        };
        true
    }

    /// The turn of one operator; whether anything got better.
    fn descend_at(&mut self, v: usize) -> bool {
        let graph = self.walk.task.slices.graph();
        let (n, width) = (graph.len(), self.row.len());
        let mut better = false;
        for at in 0..self.library.choices(v) {
            for row in 0..self.library.pick(v, at).1.len() {
                let (dim, rows) = self.library.pick(v, at);
                self.row.copy_from_slice(rows.get(row));
                better |= self.attempt(v, dim);
            }
        }
        let around = graph.src(v).iter().chain(graph.consumers(v));
        for other in around.map(|t| *t as usize).filter(|t| *t < n) {
            let dim = self.library.like(v, self.walk.plan().dims[other]);
            let length = self.walk.task.slices.length(v, dim);
            scaled(self.walk.plan().cuts.of(other), length, &mut self.row);
            better |= self.attempt(v, dim);
        }
        for mark in 1..width - 1 {
            for by in SHIFTS
                .iter()
                .flat_map(|by| [i64::from(*by), -i64::from(*by)])
            {
                let dim = self.walk.plan().dims[v];
                self.row.copy_from_slice(self.walk.plan().cuts.of(v));
                moved(&mut self.row, mark, by);
                better |= self.attempt(v, dim);
            }
        }
        better
    }
}

/// Moves a random mark by a random one of the shifts.
fn shift(draw: &mut Draw, row: &mut [u32]) {
    let inner = row.len() - 2;
    if inner == 0 {
        return;
    }
    let mark = 1 + draw.integer_below(inner);
    let length = row[inner + 1];
    let drawn = draw.integer_below(2 * SHIFTS.len() + 2);
    let by = SHIFTS.get(drawn / 2).copied().unwrap_or(length / 8).max(1);
    let by = i64::from(by);
    moved(row, mark, if drawn.is_multiple_of(2) { by } else { -by });
}
