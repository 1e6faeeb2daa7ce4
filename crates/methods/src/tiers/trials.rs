//! Repetitions of a run with several seeds, and comparison of candidates on common seeds: simulation in the loop.
//!
//! Source: none in the paper, which chooses its cut by the largest stage time alone and never asks its own scheduler.
//! Candidates see the same arrivals (common random numbers), so that their differences are not the luck of one of
//! them. Successive halving (Jamieson and Talwalkar, 2016) gives every candidate a short run, and the better half a
//! run twice as long, until few are left; they get all tasks and all seeds. A short run is the beginning of the long
//! one. Halving may drop a candidate whose trouble is only seen in long runs, so it is a heuristic; all of them with
//! all seeds is the safe and slower way.
//!
//! Complexity: of c candidates with all seeds c·s runs, s seeds; by halving about log2(c) runs of all tasks for
//! each of the c, and s for those that are left. A step of [`Limits`] is an event of any run.

use crate::tiers::simulate::{RunMetrics, events, metrics, simulate};
use engine::problem::{Invalid, MOST_TASKS, PerOne, TaskNumbers, TierRun, TierRunNumbers};
use engine::sim::{RecordWindow, Spread, poisson};
use engine::solve::{Limits, NoProgress, Progress, SearchEvent, StopReason};
use engine::units::InOrder;
use std::ops::ControlFlow;

/// Requests that come at random.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// How many come in a second, on average.
    pub rate: f64,
    /// How many come in all.
    pub tasks: usize,
    /// Tokens that each generates.
    pub out_tokens: u32,
    /// Memory that each request reserves on every tier, or on each tier.
    pub memory: PerOne,
}

impl Workload {
    /// The tasks of a seed. O(tasks).
    ///
    /// # Errors
    /// [`Invalid`] at `rate` or `tasks`.
    pub fn draw(&self, seed: u64) -> Result<Vec<TaskNumbers>, Invalid> {
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(Invalid::range("rate", self.rate, "a finite number above 0"));
        }
        if !(1..=MOST_TASKS).contains(&self.tasks) {
            let allowed = format!("a whole number from 1 to {MOST_TASKS}");
            return Err(Invalid::range("tasks", self.tasks, &allowed));
        }
        let arrivals = poisson(self.rate, self.tasks, seed);
        let task = |arrival| TaskNumbers {
            arrival,
            out_tokens: f64::from(self.out_tokens),
            memory: self.memory.clone(),
        };
        Ok(arrivals.into_iter().map(task).collect())
    }

    /// A network under this load with the luck of a seed; the tasks of `network` are replaced.
    ///
    /// # Errors
    /// [`Invalid`] as [`Workload::draw`] and [`TierRun::new`].
    pub fn run_of(&self, network: &TierRunNumbers, seed: u64) -> Result<TierRun, Invalid> {
        let numbers = TierRunNumbers {
            tasks: self.draw(seed)?,
            ..network.clone()
        };
        TierRun::new(&numbers)
    }
}

/// A network under one load with several seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Trials {
    /// The figures of each run, in the order of the seeds.
    pub runs: Vec<RunMetrics>,
    /// Mean latency over the seeds [s].
    pub latency: Spread,
    /// Makespan over the seeds [s].
    pub makespan: Spread,
}

/// Why trials have no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failed {
    /// The network or its load is none.
    #[error("{0}")]
    Invalid(#[from] Invalid),
    /// A limit came first.
    #[error("stopped before the last run was done")]
    Stopped(StopReason),
    /// There is no seed, or no candidate.
    #[error("there is nothing to run")]
    Nothing,
}

/// Runs a network under a load once for every seed; a seed is also that of the random scheduler.
///
/// # Errors
/// [`Failed`]; the listener receives every event as of one long run.
pub fn trials(
    network: &TierRunNumbers,
    load: &Workload,
    seeds: &[u64],
    progress: &mut impl Progress<()>,
) -> Result<Trials, Failed> {
    let mut count = Count::new(progress, None);
    let runs = seeds
        .iter()
        .map(|seed| one(network, load, *seed, &mut count))
        .collect::<Result<Vec<_>, _>>()?;
    of_runs(runs)
}

fn of_runs(runs: Vec<RunMetrics>) -> Result<Trials, Failed> {
    let over = |figure: fn(&RunMetrics) -> f64| {
        Spread::of(&runs.iter().map(figure).collect::<Vec<_>>()).ok_or(Failed::Nothing)
    };
    Ok(Trials {
        latency: over(|run| run.latency.mean)?,
        makespan: over(|run| run.makespan)?,
        runs,
    })
}

fn one<P: Progress<()>>(
    network: &TierRunNumbers,
    load: &Workload,
    seed: u64,
    count: &mut Count<'_, P>,
) -> Result<RunMetrics, Failed> {
    let problem = load.run_of(network, seed)?;
    let limits = Limits {
        seed,
        ..Limits::default()
    };
    let outcome =
        simulate(&problem, RecordWindow::none(), &limits, count).map_err(Failed::Stopped)?;
    count.before += events(&problem);
    count.pause()?;
    Ok(metrics(&problem, &outcome))
}

/// Reports many runs to the listener as one.
struct Count<'a, P> {
    progress: &'a mut P,
    before: u64,
    of: Option<u64>,
}

impl<'a, P: Progress<()>> Count<'a, P> {
    fn new(progress: &'a mut P, of: Option<u64>) -> Self {
        Self {
            progress,
            before: 0,
            of,
        }
    }

    fn pause(&mut self) -> Result<(), Failed> {
        match self.report(0) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Failed::Stopped(StopReason::Cancelled)),
        }
    }

    fn report(&mut self, done: u64) -> ControlFlow<()> {
        let done = self.before + done;
        let of = self.of.map(|of| of.max(done));
        self.progress.report(SearchEvent::Step { done, of })
    }
}

impl<P: Progress<()>> Progress<()> for Count<'_, P> {
    fn report(&mut self, event: SearchEvent<'_, ()>) -> ControlFlow<()> {
        match event {
            SearchEvent::Step { done, .. } => self.report(done),
            SearchEvent::Incumbent { .. } | SearchEvent::Bound(_) => ControlFlow::Continue(()),
        }
    }
}

/// How candidates are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoadSearch {
    /// Every candidate with all tasks and all seeds.
    #[default]
    All,
    /// Successive halving on the first seed down to so many, which then get all seeds.
    Halving {
        /// How many candidates get all seeds, at least 1.
        keep: usize,
    },
}

/// The candidates that were run with all tasks and all seeds, the least mean latency first, ties by index:
/// (index of the candidate, its trials).
pub type Ranking = Vec<(usize, Trials)>;

/// Compares networks under one load, each on the same seeds. The networks usually are the cuts of one model.
///
/// # Errors
/// [`Failed`]: one that is no network, none at all, or a listener that ended it.
pub fn compare(
    networks: &[TierRunNumbers],
    load: &Workload,
    seeds: &[u64],
    search: LoadSearch,
    progress: &mut impl Progress<()>,
) -> Result<Ranking, Failed> {
    let (Some(some), Some(first_seed)) = (networks.first(), seeds.first()) else {
        return Err(Failed::Nothing);
    };
    let mut left: Vec<usize> = (0..networks.len()).collect();
    let mut ladder: Vec<(usize, usize)> = Vec::new(); // (tasks, how many stay)
    if let LoadSearch::Halving { keep } = search {
        let keep = keep.max(1);
        let mut many = networks.len();
        while many > keep {
            many = many.div_ceil(2).max(keep);
            ladder.push((0, many));
        }
        let rounds = ladder.len();
        for (round, (tasks, _)) in ladder.iter_mut().enumerate() {
            *tasks = (load.tasks >> (rounds - 1 - round).min(63)).max(1);
        }
    }
    let whole = events(&load.run_of(some, *first_seed)?) as f64;
    let mut rungs = 0.0;
    let mut many = networks.len();
    for (tasks, stay) in &ladder {
        rungs += many as f64 * *tasks as f64 / load.tasks as f64;
        many = *stay;
    }
    let expected = whole * (rungs + (many * seeds.len()) as f64);
    let mut count = Count::new(progress, Some(expected as u64));
    for (tasks, stay) in ladder {
        let short = Workload {
            tasks,
            ..load.clone()
        };
        let mut scored = left
            .iter()
            .map(|at| {
                let run = one(&networks[*at], &short, *first_seed, &mut count)?;
                Ok((run.latency.mean, *at))
            })
            .collect::<Result<Vec<_>, Failed>>()?;
        scored.in_order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        left = scored.into_iter().take(stay).map(|(_, at)| at).collect();
    }
    left.sort_unstable();
    let mut ranking = left
        .into_iter()
        .map(|at| {
            let runs = seeds
                .iter()
                .map(|seed| one(&networks[at], load, *seed, &mut count))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((at, of_runs(runs)?))
        })
        .collect::<Result<Ranking, Failed>>()?;
    ranking.in_order_by(|a, b| a.1.latency.mean.total_cmp(&b.1.latency.mean));
    Ok(ranking)
}

/// As [`trials`], without a listener.
///
/// # Errors
/// [`Failed`], but never by a listener.
pub fn quiet(network: &TierRunNumbers, load: &Workload, seeds: &[u64]) -> Result<Trials, Failed> {
    trials(network, load, seeds, &mut NoProgress)
}
