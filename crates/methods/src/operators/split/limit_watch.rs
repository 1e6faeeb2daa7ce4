//! Which limits a split can break at all, and by how much it does.
//!
//! A device holds of an operand, with what it receives of it, at most all of it: of rows held and rows needed none counts
//! twice, and of channels it receives what it lacks. So no device holds more in a step than one device that runs the whole
//! graph, and only steps that go beyond the smallest limit there need to be looked at. With limits as generous as the
//! paper's simulation those are few or none.

use super::SplitTask;
use engine::evaluate::operators::lifetimes;
use engine::evaluate::slices::excess;
use engine::plan::{Dim, Marks};

/// Room for the rounding of what is held, as a share of it.
const ROUNDING: f64 = 1e-9;

/// The limits that a split of a task can break.
#[derive(Debug, Clone)]
pub struct LimitWatch {
    /// By operator: what is live while it runs, if it is watched.
    live: Vec<Option<Vec<u32>>>,
    in_place: Vec<bool>,
    /// By operator: the most parts it may have.
    most: Vec<u32>,
    /// By operator: the operators whose limits its cut can break.
    touches: Vec<Vec<u32>>,
    is_idle: bool,
    devices: usize,
}

impl LimitWatch {
    /// Looks at a task.
    ///
    /// # Complexity
    /// O(operators × the longest life of a tensor).
    #[must_use]
    pub fn new(task: &SplitTask<'_>) -> Self {
        let graph = task.slices.graph();
        let (n, devices) = (graph.len(), task.slices.devices());
        let limits = task.slices.fleet().limits().iter();
        let least = limits.copied().fold(f64::INFINITY, f64::min);
        let mut watch = Self {
            live: vec![None; n],
            in_place: vec![false; n],
            most: Vec::with_capacity(n),
            touches: vec![Vec::new(); n],
            is_idle: true,
            devices,
        };
        for rule in &task.rules {
            watch.most.push(rule.most.min(devices as f64) as u32);
        }
        for (step, v) in task.order.iter().map(|v| *v as usize).enumerate() {
            watch.in_place[v] = task.trace.in_place[step];
            let most_held = task.trace.running[step] as f64 * (1.0 + ROUNDING);
            if most_held > least {
                watch.live[v] = Some(Vec::new());
            }
        }
        let lives = lifetimes(graph, &task.order).expect("the order of a task is one");
        for life in lives {
            let (t, from) = (life.tensor as usize, life.from as usize);
            let steps = &task.order[from..=life.to as usize];
            for (step, v) in (from..).zip(steps) {
                // An operator's own output is not live before it has run.
                if let Some(live) = &mut watch.live[*v as usize] {
                    if t >= n || step > from {
                        live.push(life.tensor);
                    }
                    if t < n {
                        watch.touches[t].push(*v);
                    }
                }
            }
        }
        for v in 0..n {
            let is_crowded = (watch.most[v] as usize) < devices;
            let has_itself = watch.live[v].is_some();
            if is_crowded && !has_itself {
                watch.touches[v].push(v as u32);
            }
            watch.is_idle &= watch.touches[v].is_empty();
        }
        watch
    }

    /// Returns true if no split can violate a limit.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// The operators whose limits depend on how v is cut.
    #[must_use]
    pub fn touched(&self, v: usize) -> &[u32] {
        &self.touches[v]
    }

    /// Parts of live tensors that [`LimitWatch::broken`] looks at for operator v. O(1).
    #[must_use]
    pub fn effort(&self, v: usize) -> u64 {
        let live = self.live[v].as_ref();
        live.map_or(1, |live| (live.len() * self.devices) as u64)
    }

    /// How far the limits of operator v are broken: parts beyond the most that it may have, and what devices hold beyond
    /// their memory as a share of it. 0 exactly if the referee says 0.
    ///
    /// # Complexity
    /// O((live tensors + operands) × devices).
    #[must_use]
    pub fn broken(&self, task: &SplitTask<'_>, v: usize, dims: &[Dim], cuts: &Marks) -> f64 {
        let parts = cuts.of(v).windows(2).filter(|ends| ends[0] < ends[1]);
        let parts = parts.count() as u32;
        let mut broken = f64::from(parts.saturating_sub(self.most[v]));
        if let Some(live) = &self.live[v] {
            for (k, limit) in task.slices.fleet().limits().iter().enumerate() {
                let held = task.slices.live_memory(live, k, dims, cuts)
                    + task
                        .slices
                        .operator_memory(v, k, self.in_place[v], dims, cuts);
                broken += excess(held, *limit);
            }
        }
        broken
    }
}
