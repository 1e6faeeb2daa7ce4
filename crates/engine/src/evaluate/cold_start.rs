//! Timing and memory of a cold-start pipeline.
//!
//! Source: CSGO, equations (13)-(24). Two identities hold for every timeline and are tested:
//! T = sum of (stall + comm + comp), and T = max over n of (load_n + everything from n on).

use crate::plan::{Stage, StageTiming};
use crate::problem::{ColdStart, LoadOrder, StageSums};

/// A scored plan.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredStages {
    /// Time to the first answer T [s]. Equation (23).
    pub total: f64,
    /// One row per stage, in running order.
    pub timeline: Vec<StageTiming>,
    /// True if every stage fits its device.
    pub mem_ok: bool,
    /// Energy of reading all weights from disk [J]: weights times energy per byte, over the stages. `None` unless it is known for
    /// every device in use.
    pub load_j: Option<f64>,
}

/// A plan that is none for this problem: equations (13)-(16) broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStages {
    /// No stages at all.
    #[error("a plan needs at least one stage")]
    Empty,
    /// A device that the problem does not have.
    #[error("there is no device {device}; devices count from 0 to {last}")]
    NoSuchDevice {
        /// The stage.
        stage: usize,
        /// The device it names.
        device: usize,
        /// The last device there is.
        last: usize,
    },
    /// A device that runs two stages.
    #[error("device {device} already runs stage {earlier}; a device runs one stage")]
    DeviceTwice {
        /// The later stage.
        stage: usize,
        /// The device.
        device: usize,
        /// The earlier stage.
        earlier: usize,
    },
    /// A stage that does not begin where the one before ended, or is empty, or leaves the model.
    #[error("layers must run from {expected} to at most {layers}, they run from {first} to {last}")]
    Layers {
        /// The stage.
        stage: usize,
        /// First layer it should have.
        expected: usize,
        /// First layer it has.
        first: usize,
        /// Last layer it has.
        last: usize,
        /// Number of layers of the model.
        layers: usize,
    },
    /// The last stage ends before the last layer.
    #[error("the last stage must end at layer {layers}, it ends at {last}")]
    Unfinished {
        /// The last stage.
        stage: usize,
        /// Last layer it has.
        last: usize,
        /// Number of layers of the model.
        layers: usize,
    },
}

impl InvalidStages {
    /// The stage at fault, counted from 0.
    #[must_use]
    pub fn stage(&self) -> Option<usize> {
        match *self {
            Self::Empty => None,
            Self::NoSuchDevice { stage, .. }
            | Self::DeviceTwice { stage, .. }
            | Self::Layers { stage, .. }
            | Self::Unfinished { stage, .. } => Some(stage),
        }
    }
}

/// Scores `plan`, whether its stages fit their memories or not.
///
/// # Errors
/// [`InvalidStages`] when it is no plan for this problem: a device twice, a gap, a wrong end.
///
/// # Complexity
/// O(L + K) time for L layers and K devices.
pub fn score(problem: &ColdStart, plan: &[Stage]) -> Result<ScoredStages, InvalidStages> {
    check(problem, plan)?;
    let mut timeline: Vec<StageTiming> = Vec::with_capacity(plan.len());
    for stage in plan {
        let sums = StageSums::of(&problem.layers()[stage.first - 1..stage.last]);
        let load = problem.load_time(stage.device, &sums); // (19)
        let comp = problem.pass_time(stage.device, &sums); // (21)
        let (comm, before) = match timeline.last() {
            None => (0.0, 0.0),
            Some(previous) => {
                let handed_over = problem.layers()[stage.first - 2].activation;
                (
                    problem
                        .hop(previous.device, stage.device, handed_over)
                        .get(),
                    previous.finish,
                ) // (20)
            }
        };
        let start = load.max(before); // (17)
        timeline.push(StageTiming {
            device: stage.device,
            s: stage.first,
            e: stage.last,
            load,
            load_from: 0.0,
            start,
            comm,
            comp,
            finish: start + comm + comp,    // (18)
            wait: (before - load).max(0.0), // (24)
            stall: (load - before).max(0.0),
            idle_after: 0.0,
            mem: problem.in_memory(stage.device, &sums), // (22)
            mem_ok: problem.fits(stage.device, sums.need()),
            load_j: problem
                .disk_energy(stage.device)
                .map(|per_byte| sums.weights * per_byte.get()),
        });
    }
    let total = timeline.last().map_or(0.0, |last| last.finish); // (23)
    if problem.load_order() == LoadOrder::BeforeAll {
        show_loads_first(problem, &mut timeline, total);
    }
    for row in &mut timeline {
        row.idle_after = total - row.finish;
    }
    let mem_ok = timeline.iter().all(|row| row.mem_ok);
    let load_j = timeline.iter().map(|row| row.load_j).sum();
    Ok(ScoredStages {
        total,
        timeline,
        mem_ok,
        load_j,
    })
}

/// Puts the loads of a plan whose weights come one after the other before its computations, as it runs: those of the first stage come
/// last, so that T is its load and all work, as in every timeline. In which order they come does not matter to T, which is the same
/// sum; the last row ends at it, whatever the rounding of the rows.
fn show_loads_first(problem: &ColdStart, timeline: &mut [StageTiming], total: f64) {
    let (mut loaded, last) = (0.0, timeline.len() - 1);
    for n in (1..=last).chain([0]) {
        let row = &mut timeline[n];
        let sums = StageSums::of(&problem.layers()[row.s - 1..row.e]);
        row.load_from = loaded;
        loaded += problem.waiting_time(row.device, &sums);
        row.load = loaded;
        row.comp = problem.compute_time(row.device, &sums);
    }
    let mut before = loaded;
    for (n, row) in timeline.iter_mut().enumerate() {
        row.start = before;
        row.finish = if n == last {
            total
        } else {
            before + row.comm + row.comp
        };
        row.wait = before - row.load;
        row.stall = if n == 0 { loaded } else { 0.0 };
        before = row.finish;
    }
}

/// Equations (13)-(16): distinct devices, every layer once, in order.
fn check(problem: &ColdStart, plan: &[Stage]) -> Result<(), InvalidStages> {
    let layers = problem.layers().len();
    let mut runs: Vec<Option<usize>> = vec![None; problem.machines().len()];
    let mut expected = 1;
    for (
        stage,
        &Stage {
            device,
            first,
            last,
        },
    ) in plan.iter().enumerate()
    {
        let Some(seat) = runs.get_mut(device) else {
            return Err(InvalidStages::NoSuchDevice {
                stage,
                device,
                last: problem.machines().len() - 1,
            });
        };
        if let Some(earlier) = seat.replace(stage) {
            return Err(InvalidStages::DeviceTwice {
                stage,
                device,
                earlier,
            });
        }
        if first != expected || last < first || last > layers {
            return Err(InvalidStages::Layers {
                stage,
                expected,
                first,
                last,
                layers,
            });
        }
        expected = last + 1;
    }
    match plan.last() {
        None => Err(InvalidStages::Empty),
        Some(end) if end.last != layers => Err(InvalidStages::Unfinished {
            stage: plan.len() - 1,
            last: end.last,
            layers,
        }),
        Some(_) => Ok(()),
    }
}
