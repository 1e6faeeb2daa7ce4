//! One interval of a run: the strategy's placement, what happens without one, the moves, the tokens.

use super::setting::{Due, RunSetting};
use super::strategy::{Forecast, Init, Strategy};
use crate::heads::ahead::horizon;
use crate::heads::algorithm1::{self, Variant};
use crate::heads::baseline;
use crate::heads::exact::HeadSolver;
use crate::heads::galaxy;
use crate::heads::{Infeasible, solve, split};
use engine::evaluate::heads::ScoredHeads;
use engine::evaluate::heads_split::{LayoutShape, score_layout};
use engine::plan::{
    HeadDeviceUse, HeadGap, HeadMove, HeadRun, HeadSegment, HeadSplit, Layout, Placement, Remedy,
    TokenTime, WithoutPlan,
};
use engine::problem::Invalid;
use engine::problem::heads::HeadPlacement;
use engine::sim::Free;
use engine::solve::{NoPlan, NoProgress};

/// Budget of Algorithm 1 where its limit on compute is taken away [s].
const NO_BUDGET: f64 = 1e9;

/// Largest number of evaluations of [`Strategy::ExactSplit`] in an interval: some ten milliseconds, many times the need of 25
/// devices.
const MOST_LOOKS: u64 = 10_000_000;

/// Takes a run through its intervals, whatever the source of free resources.
#[derive(Debug)]
pub struct Stepper {
    setting: RunSetting,
    strategy: Strategy,
    held: Option<Layout>,
    /// The last token so far.
    n: u32,
    steps: u32,
    gaps_every: Option<u32>,
    solver: HeadSolver,
    splitter: split::SplitSolver,
    run: HeadRun,
    /// The problem of the interval that could not be begun.
    failed: Option<HeadPlacement>,
}

/// An interval that was stepped through.
#[derive(Debug)]
pub struct Stepped {
    /// Its problem, with the placement that was in force before.
    pub problem: HeadPlacement,
    /// The split that was in force before, where the layer was split.
    pub before: Option<HeadSplit>,
    /// Current layout; `None` once the run has failed.
    pub layout: Option<Layout>,
    /// Score of the layout by the evaluator.
    pub scored: Option<ScoredHeads>,
    /// Fallback where the strategy had no placement.
    pub remedy: Option<Remedy>,
    /// True if an exact strategy was complete, so that its choice is proven.
    pub complete: bool,
}

impl Stepper {
    /// Before the first interval. Of `setting` nothing is used that says what is free or how many tokens come.
    ///
    /// # Errors
    /// [`Invalid`] as [`Strategy::check`].
    pub fn new(setting: RunSetting, strategy: Strategy) -> Result<Self, Invalid> {
        strategy.check()?;
        let run = HeadRun {
            devices: vec![HeadDeviceUse::default(); setting.devices()],
            ..HeadRun::default()
        };
        Ok(Self {
            setting,
            strategy,
            held: None,
            n: 0,
            steps: 0,
            gaps_every: None,
            solver: HeadSolver::new(),
            splitter: split::SplitSolver::new(),
            run,
            failed: None,
        })
    }

    /// Compares with the best placement in every `every`-th interval: those whose number, from 1, it divides.
    pub fn gaps_every(&mut self, every: u32) {
        self.gaps_every = Some(every.max(1));
    }

    /// The strategy.
    #[must_use]
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns the run so far.
    #[must_use]
    pub fn run(&self) -> &HeadRun {
        &self.run
    }

    /// The problem of the interval that could not be begun, where the run failed.
    #[must_use]
    pub fn failed(&self) -> Option<&HeadPlacement> {
        self.failed.as_ref()
    }

    /// Why no method could have begun the interval at which the run failed, with the least repair. `None` if it has not
    /// failed, or failed although a placement exists: then only the strategy had none.
    #[must_use]
    pub fn proof(&self) -> Option<Infeasible> {
        match solve(self.failed.as_ref()?, &mut NoProgress) {
            Err(NoPlan::Infeasible(proof)) => Some(proof),
            Ok(_) | Err(NoPlan::Stopped(_)) => None,
        }
    }

    /// Returns the run.
    #[must_use]
    pub fn into_run(self) -> HeadRun {
        self.run
    }

    /// The next interval; `later` are those that follow it, for strategies that know them. After a failure nothing
    /// happens any more.
    ///
    /// # Errors
    /// [`Invalid`] as [`HeadPlacement::new`]: resources that are none, or a last token that is not after the one before.
    pub fn step(&mut self, due: &Due, later: &[Due]) -> Result<Stepped, Invalid> {
        if due.n <= self.n {
            let allowed = format!("a whole number above {}, the token before", self.n);
            return Err(Invalid::range("n", due.n, &allowed));
        }
        let prev = self.held.as_ref().and_then(Layout::placement).cloned();
        let before = self.held.as_ref().and_then(Layout::split).cloned();
        let problem = self.setting.problem(self.n, due, prev)?;
        if self.run.failed_at.is_some() {
            return Ok(Stepped {
                problem,
                before,
                layout: None,
                scored: None,
                remedy: Some(Remedy::Failed),
                complete: true,
            });
        }
        let (held, remedy) = self.next_layout(&problem, before.as_ref(), later)?;
        if let Some(remedy) = remedy {
            self.run.without_plan.push(WithoutPlan { n: due.n, remedy });
        }
        let complete = self.run.unproved.last() != Some(&due.n);
        let Some(layout) = held else {
            self.run.failed_at = Some(due.n);
            self.failed = Some(problem.clone());
            return Ok(Stepped {
                problem,
                before,
                layout: None,
                scored: None,
                remedy,
                complete,
            });
        };
        let scored = score_layout(&problem, before.as_ref(), &layout)?;
        if before.is_none() && layout.split().is_none() {
            self.compare(&problem, &scored);
        }
        self.tokens(&problem, &layout, &scored);
        self.held = Some(layout.clone());
        self.n = due.n;
        self.steps += 1;
        Ok(Stepped {
            problem,
            before,
            layout: Some(layout),
            scored: Some(scored),
            remedy,
            complete,
        })
    }

    /// Returns the layout of an interval, with the fallback if the strategy had none; `None` if the run has failed.
    fn next_layout(
        &mut self,
        problem: &HeadPlacement,
        before: Option<&HeadSplit>,
        later: &[Due],
    ) -> Result<(Option<Layout>, Option<Remedy>), Invalid> {
        if self.strategy.is_fixed()
            && let Some(held) = &self.held
        {
            return Ok(match score_layout(problem, before, held)?.d_t.is_finite() {
                true => (Some(held.clone()), None),
                false => (None, Some(Remedy::Failed)),
            });
        }
        let stands = |layout: &Layout| {
            score_layout(problem, before, layout).is_ok_and(|scored| scored.feasible)
        };
        let chosen = match self.strategy {
            Strategy::Galaxy { devices } => Some(Layout::Split(galaxy::group(problem, devices))),
            Strategy::ExactSplit => self.exact_split(problem, before),
            _ => self.chosen(problem, later)?.map(Layout::Blocks),
        };
        if let Some(layout) = chosen.filter(stands) {
            return Ok((Some(layout), None));
        }
        let fits = |placement: &Placement| stands(&Layout::Blocks(placement.clone()));
        if let Some(prev) = problem.prev().map(<[usize]>::to_vec).filter(fits) {
            return Ok((Some(Layout::Blocks(prev)), Some(Remedy::Kept)));
        }
        if self.strategy.is_of_heads() {
            let variant = match self.strategy {
                Strategy::Algorithm1 { variant } => variant,
                _ => Variant::default(),
            };
            let unlimited = problem.clone().with_t_tok(Some(NO_BUDGET))?;
            if let Some(placement) = algorithm1::solve(&unlimited, variant, &mut NoProgress)
                .ok()
                .filter(fits)
            {
                let layout = Layout::Blocks(placement);
                return Ok((Some(layout), Some(Remedy::WithoutBudget)));
            }
        }
        Ok((None, Some(Remedy::Failed)))
    }

    /// The best plan that may split the layer; whether it is proved is noted.
    fn exact_split(
        &mut self,
        problem: &HeadPlacement,
        before: Option<&HeadSplit>,
    ) -> Option<Layout> {
        let search = self
            .splitter
            .search(problem, before, &mut |looks| looks < MOST_LOOKS);
        if !search.complete {
            self.run.unproved.push(problem.interval().n);
        }
        search.best.map(|(layout, _)| layout)
    }

    /// Returns the choice of the strategy itself.
    fn chosen(
        &mut self,
        problem: &HeadPlacement,
        later: &[Due],
    ) -> Result<Option<Placement>, Invalid> {
        Ok(match self.strategy {
            Strategy::Exact => self.exact(problem),
            Strategy::ExactAhead { intervals } => {
                let longer = problem.clone().with_tokens(intervals * problem.tokens())?;
                self.exact(&longer)
            }
            Strategy::Horizon {
                intervals,
                keep,
                forecast,
            } => {
                let problems = self.forecast(problem, later, intervals, forecast)?;
                let path = horizon(&problems, keep as usize, &mut self.solver);
                // A forecast without any path says nothing against this interval.
                match path {
                    Some(path) => path.placements.into_iter().next(),
                    None => self.exact(problem),
                }
            }
            Strategy::Algorithm1 { variant } => {
                algorithm1::solve(problem, variant, &mut NoProgress).ok()
            }
            Strategy::Greedy => baseline::greedy(problem).ok(),
            Strategy::RoundRobin => baseline::round_robin(problem).ok(),
            Strategy::Static { init } => match init {
                Init::Algorithm1(variant) => {
                    algorithm1::solve(problem, variant, &mut NoProgress).ok()
                }
                Init::Greedy => baseline::greedy(problem).ok(),
                Init::Exact => self.exact(problem),
            },
            Strategy::Dynamic => baseline::dynamic(problem).ok(),
            Strategy::EdgeShard { pick } => baseline::edgeshard(problem, pick).ok(),
            Strategy::Galaxy { .. } | Strategy::ExactSplit => None,
        })
    }

    fn exact(&mut self, problem: &HeadPlacement) -> Option<Placement> {
        self.solver.solve(problem).map(|found| found.placement)
    }

    /// This interval and those after it as a strategy that looks ahead sees them.
    fn forecast(
        &self,
        problem: &HeadPlacement,
        later: &[Due],
        intervals: u32,
        forecast: Forecast,
    ) -> Result<Vec<HeadPlacement>, Invalid> {
        let more = intervals.saturating_sub(1) as usize;
        let mut problems = vec![problem.clone()];
        let mut before = problem.interval().n;
        match forecast {
            Forecast::Known => {
                for due in later.iter().take(more) {
                    problems.push(self.setting.problem(before, due, None)?);
                    before = due.n;
                }
            }
            Forecast::Persist => {
                let (tokens, each) = (self.setting.tokens(), self.setting.each());
                for _ in 0..more {
                    if before >= tokens {
                        break;
                    }
                    let due = Due {
                        n: (before + each).min(tokens),
                        free: Free {
                            memory: problem.memory().to_vec(),
                            compute: problem.compute().to_vec(),
                        },
                    };
                    problems.push(self.setting.problem(before, &due, None)?);
                    before = due.n;
                }
            }
        }
        Ok(problems)
    }

    /// Notes how far from the best a placement is, where that is wanted and both can be compared.
    fn compare(&mut self, problem: &HeadPlacement, scored: &ScoredHeads) {
        let due = self
            .gaps_every
            .is_some_and(|every| (self.steps + 1).is_multiple_of(every));
        if due
            && scored.feasible
            && let Some(best) = self.solver.solve(problem)
        {
            self.run.gaps.push(HeadGap {
                n: problem.interval().n,
                ratio: match best.value > 0.0 {
                    true => scored.j / best.value,
                    false => 1.0,
                },
            });
        }
    }

    fn tokens(&mut self, problem: &HeadPlacement, layout: &Layout, scored: &ScoredHeads) {
        let interval = problem.interval();
        if !scored.memory_ok {
            self.run.violations.push(interval.n);
        }
        let token = interval.n_prev + 1;
        self.run
            .moves
            .extend(scored.moves.iter().map(|one| HeadMove {
                token,
                block: one.block,
                from: one.from,
                to: one.to,
                bytes: one.bytes,
                seconds: one.seconds,
            }));
        let form = LayoutShape::of(layout, problem.devices());
        for q in token..=interval.n {
            let sizes = problem.layer().sizes(q);
            let times = form.phases(problem, &sizes);
            let mut peak: f64 = 0.0;
            for (device, held, busy) in form.used(problem, &sizes) {
                peak = peak.max(held);
                let using = &mut self.run.devices[device];
                using.peak_memory = using.peak_memory.max(held);
                using.busy += busy;
            }
            let time = TokenTime {
                head_stage: times.head_stage,
                proj: times.proj,
                transfer: times.transfer,
                ffn: times.ffn,
                moving: if q == token { scored.d_mig } else { 0.0 },
                elapsed: 0.0,
                peak_memory: peak,
                total_memory: sizes.all_memory(problem.layer().form().h),
            };
            self.push(time);
        }
        self.stay(token, interval.n, layout);
    }

    fn push(&mut self, mut time: TokenTime) {
        time.elapsed = self.run.seconds() + time.moving + time.delay();
        self.run.tokens.push(time);
    }

    /// Lengthens the last segment, or begins one where the layer is somewhere else.
    fn stay(&mut self, from: u32, to: u32, layout: &Layout) {
        match self.run.segments.last_mut() {
            Some(last) if last.layout == *layout => last.to = to,
            _ => self.run.segments.push(HeadSegment {
                from,
                to,
                layout: layout.clone(),
            }),
        }
    }
}
