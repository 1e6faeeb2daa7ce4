//! A split that changes a few operators at a time, and what it costs.
//!
//! The time of an operator depends on its own cut and on those of what it reads, so that a change costs as many evaluations
//! as operators are cut again or read one that is; memory is looked at again in the steps during which a changed tensor
//! lives, where a limit can be broken at all ([`super::limit_watch`]).

use super::{LimitWatch, SplitTask};
use engine::plan::{Dim, Partition};

/// A split on its way.
#[derive(Debug, Clone)]
pub struct SplitWalk<'t, 'a> {
    /// The task.
    pub task: &'t SplitTask<'a>,
    watch: LimitWatch,
    plan: Partition,
    ms: Vec<f64>,
    latency: f64,
    broken: Vec<f64>,
    violation: f64,
    /// Operators with a broken limit.
    broken_at: usize,
    /// Evaluations of single operators so far.
    evaluations: u64,
    /// Parts of operators and of live tensors looked at so far.
    effort: u64,
    /// State before the current change.
    was: Was,
    /// When each operator was last looked at, in changes.
    seen: Vec<u64>,
    change: u64,
}

/// Values that a change replaced.
#[derive(Debug, Clone, Default)]
struct Was {
    moved: Vec<(u32, Dim)>,
    marks: Vec<u32>,
    ms: Vec<(u32, f64)>,
    broken: Vec<(u32, f64)>,
    latency: f64,
    violation: f64,
    broken_at: usize,
}

impl<'t, 'a> SplitWalk<'t, 'a> {
    /// Begins with a plan.
    ///
    /// # Complexity
    /// O((operators + operands) × devices), and what [`LimitWatch::new`] takes.
    #[must_use]
    pub fn new(task: &'t SplitTask<'a>, plan: Partition) -> Self {
        let n = task.slices.graph().len();
        let mut walk = Self {
            task,
            watch: LimitWatch::new(task),
            plan,
            ms: vec![0.0; n],
            latency: 0.0,
            broken: vec![0.0; n],
            violation: 0.0,
            broken_at: 0,
            evaluations: 0,
            effort: 0,
            was: Was::default(),
            seen: vec![0; n],
            change: 0,
        };
        walk.refresh();
        walk
    }

    /// Goes on from another plan.
    ///
    /// # Complexity
    /// O((operators + operands) × devices).
    pub fn jump(&mut self, plan: &Partition) {
        self.plan.clone_from(plan);
        self.refresh();
    }

    /// Works everything out again.
    fn refresh(&mut self) {
        let (dims, cuts) = (&self.plan.dims, &self.plan.cuts);
        for v in 0..self.ms.len() {
            self.ms[v] = self.task.slices.operator(v, dims, cuts).ms;
            self.broken[v] = self.watch.broken(self.task, v, dims, cuts);
            self.effort += self.watch.effort(v);
        }
        self.evaluations += self.ms.len() as u64;
        self.effort += (self.ms.len() * cuts.devices()) as u64;
        self.broken_at = self.broken.iter().filter(|broken| **broken > 0.0).count();
        self.sum();
    }

    /// Adds up again, in the referee's order: sums of differences drift.
    pub fn sum(&mut self) {
        self.latency = self.ms.iter().sum();
        self.violation = self.broken.iter().sum();
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Partition {
        &self.plan
    }

    /// The time of operator v [ms].
    #[must_use]
    pub fn ms(&self, v: usize) -> f64 {
        self.ms[v]
    }

    /// Its time [ms].
    #[must_use]
    pub const fn latency(&self) -> f64 {
        self.latency
    }

    /// How far it breaks limits.
    #[must_use]
    pub const fn violation(&self) -> f64 {
        if self.broken_at == 0 {
            0.0
        } else {
            self.violation
        }
    }

    /// Returns true if it keeps every limit.
    #[must_use]
    pub const fn is_feasible(&self) -> bool {
        self.broken_at == 0
    }

    /// Returns true if there is a limit.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        !self.watch.is_idle()
    }

    /// Evaluations of single operators so far.
    #[must_use]
    pub const fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// How much has been looked at so far, in parts: a measure of time that is the same on every machine.
    #[must_use]
    pub const fn effort(&self) -> u64 {
        self.effort
    }

    /// Sets a cut without computing its cost; the caller restores the old one.
    pub fn place(&mut self, v: usize, dim: Dim, marks: &[u32]) {
        self.plan.dims[v] = dim;
        self.plan.cuts.of_mut(v).copy_from_slice(marks);
    }

    /// The time of operator v as cuts stand [ms].
    ///
    /// # Complexity
    /// O(operands × devices).
    pub fn peek(&mut self, v: usize) -> f64 {
        self.evaluations += 1;
        self.effort += self.plan.cuts.devices() as u64;
        (self.task.slices)
            .operator(v, &self.plan.dims, &self.plan.cuts)
            .ms
    }

    /// Begins a change.
    pub fn begin(&mut self) {
        self.was.moved.clear();
        self.was.marks.clear();
        self.was.ms.clear();
        self.was.broken.clear();
        self.was.latency = self.latency;
        self.was.violation = self.violation;
        self.was.broken_at = self.broken_at;
    }

    /// Cuts operator v again, as part of the change; `marks` fit the dimension.
    pub fn cut(&mut self, v: usize, dim: Dim, marks: &[u32]) {
        self.was.moved.push((v as u32, self.plan.dims[v]));
        self.was.marks.extend_from_slice(self.plan.cuts.of(v));
        self.plan.dims[v] = dim;
        self.plan.cuts.of_mut(v).copy_from_slice(marks);
    }

    /// Works out what the change costs.
    ///
    /// # Complexity
    /// O(operands of the operators concerned × devices).
    pub fn update_costs(&mut self) {
        self.change += 1;
        for at in 0..self.was.moved.len() {
            let v = self.was.moved[at].0 as usize;
            self.time(v);
            for reader in self.task.slices.graph().consumers(v) {
                self.time(*reader as usize);
            }
        }
        if self.watch.is_idle() {
            return;
        }
        self.change += 1;
        for at in 0..self.was.moved.len() {
            let v = self.was.moved[at].0 as usize;
            for place in 0..self.watch.touched(v).len() {
                let step = self.watch.touched(v)[place] as usize;
                self.weigh(step);
            }
        }
    }

    #[inline]
    fn time(&mut self, v: usize) {
        if self.seen[v] == self.change {
            return;
        }
        self.seen[v] = self.change;
        let cost = (self.task.slices).operator(v, &self.plan.dims, &self.plan.cuts);
        self.evaluations += 1;
        self.effort += self.plan.cuts.devices() as u64;
        self.was.ms.push((v as u32, self.ms[v]));
        self.latency += cost.ms - self.ms[v];
        self.ms[v] = cost.ms;
    }

    fn weigh(&mut self, v: usize) {
        if self.seen[v] == self.change {
            return;
        }
        self.seen[v] = self.change;
        let broken = (self.watch).broken(self.task, v, &self.plan.dims, &self.plan.cuts);
        self.effort += self.watch.effort(v);
        let before = self.broken[v];
        self.was.broken.push((v as u32, before));
        self.violation += broken - before;
        self.broken_at += usize::from(broken > 0.0);
        self.broken_at -= usize::from(before > 0.0);
        self.broken[v] = broken;
    }

    /// Takes the change back.
    pub fn undo(&mut self) {
        let width = self.plan.cuts.devices() + 1;
        // Backwards: an operator may have been cut twice.
        for (at, (v, dim)) in self.was.moved.iter().enumerate().rev() {
            let v = *v as usize;
            self.plan.dims[v] = *dim;
            let marks = &self.was.marks[at * width..(at + 1) * width];
            self.plan.cuts.of_mut(v).copy_from_slice(marks);
        }
        for (v, ms) in &self.was.ms {
            self.ms[*v as usize] = *ms;
        }
        for (v, broken) in &self.was.broken {
            self.broken[*v as usize] = *broken;
        }
        self.latency = self.was.latency;
        self.violation = self.was.violation;
        self.broken_at = self.was.broken_at;
    }

    /// Returns the additional time of the current change [ms].
    #[must_use]
    pub fn slower_by(&self) -> f64 {
        self.latency - self.was.latency
    }

    /// Returns the additional violation of the current change.
    #[must_use]
    pub fn worse_by(&self) -> f64 {
        self.violation - self.was.violation
    }
}
