//! Answers about device and server for the page and `edgewise run`: our policy with the policies beside it, all budgets at
//! once, simulated runs, predictions, logs, and one request token by token.
//!
//! Every policy is scored by the referee, by enumeration over prompts and first tokens, whatever made it.

mod cost;
mod document;
mod goal;
mod request;
mod runs;

pub use cost::Cost;
pub use document::{Document, document};
pub use request::{FollowedRequest, request};

use engine::evaluate::dispatch::{Outcome, outcome};
use engine::plan::dispatch::{Policy, Scarce, Starts};
use engine::problem::Invalid;
use engine::problem::dispatch::DispatchProblem;
use engine::problem::migration::Prices;
use engine::scenario::dispatch::log::{self, Compacted, LogColumn};
use engine::scenario::dispatch::{Goal, Measured, Scenario, Stochastic};
use engine::sim::law::{Fit, fit};
use engine::sim::pearson;
use engine::units::InOrder;
use methods::dispatch::baseline::{RandomPolicy, all_device, all_server, stochastic};
use methods::dispatch::classify::classify;
use methods::dispatch::devices;
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;

/// Points of a curve that is shown: more than a chart has room for.
const MOST_POINTS: usize = 400;
/// Budgets of a sweep: 0, 0.05 and so on to 1.
const STEPS: u32 = 20;

/// A request about a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchRequest {
    /// Our policy, and those beside it.
    Plan,
    /// Every budget.
    Sweep,
    /// Simulated requests.
    Run {
        /// The seed.
        seed: u64,
    },
    /// How well a first token can be predicted.
    Predict,
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchResult {
    /// Our policy, and those beside it.
    Plan(Box<DispatchPlan>),
    /// Every budget.
    Sweep(BudgetSweep),
    /// Simulated requests.
    Run(PolicyRun),
    /// How well first tokens can be foretold.
    Predicted(Predicted),
}

/// Simulated requests under every policy, all with the same draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyRun {
    /// The seed.
    pub seed: u64,
    /// The policies.
    pub rules: Vec<RunRule>,
}

/// A policy in a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RunRule {
    /// Which.
    pub rule: Rule,
    /// Mean time to the first token [s].
    pub mean: f64,
    /// Its 99th percentile [s].
    pub p99: f64,
    /// Share of prompt tokens that the scarce side processed.
    pub share: f64,
    /// Cost of a request, in the mean [micro-USD].
    pub cost: f64,
    /// Share of requests that were handed over.
    pub moved: f64,
    /// Tokens that came late, a request.
    pub late: f64,
    /// 99th percentile of the time between tokens [s].
    pub tbt_p99: f64,
}

/// How well first tokens can be foretold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// Samples of the trace.
    pub samples: usize,
    /// The predictors.
    pub rows: Vec<PredictedBy>,
}

/// A predictor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredictedBy {
    /// Its name.
    pub name: String,
    /// Mean absolute error, as a share of the value.
    pub mape: f64,
    /// Mean absolute error [s].
    pub mae: f64,
}

/// A policy that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Ours, for the goal.
    Edgewise,
    /// Algorithm 2 or 3, deterministic.
    Disco,
    /// DiSCo with the choice at one prompt length randomised, so that the budget is met exactly.
    DiscoExact,
    /// The scarce side at random.
    Stochastic,
    /// The server alone.
    AllServer,
    /// The device alone.
    AllDevice,
}

impl Rule {
    /// All, ours first.
    pub const ALL: [Self; 6] = [
        Self::Edgewise,
        Self::Disco,
        Self::DiscoExact,
        Self::Stochastic,
        Self::AllServer,
        Self::AllDevice,
    ];
}

/// A policy with what it comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredPolicy {
    /// Which.
    pub rule: Rule,
    /// Wait of each side by prompt length.
    pub policy: Policy,
    /// Score of the policy; its curve is thinned out.
    pub outcome: Outcome,
    /// Mean cost of a request.
    pub cost: Cost,
}

/// A law as a picture needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LawFit {
    /// Values with weights, ascending.
    pub values: Vec<(f64, f64)>,
    /// Mean.
    pub mean: f64,
    /// The middle.
    pub median: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The log-normal law through it.
    pub fit: Option<Fit>,
}

/// Several devices, each with a budget of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Several {
    /// The places of the devices in the scenario's list.
    pub places: Vec<usize>,
    /// Score of the policy.
    pub outcome: Outcome,
    /// Budget of each.
    pub budgets: Vec<f64>,
    /// Share of prompt tokens that each processes.
    pub shares: Vec<f64>,
    /// Price of each budget: seconds of mean for a unit of it.
    pub prices: Vec<f64>,
    /// No choice of one device and one wait a length has a lower mean [s].
    pub bound: f64,
}

/// Our policy with those beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatchPlan {
    /// The scarce side.
    pub scarce: Scarce,
    /// The dearer side, by Algorithm 1.
    pub dearer: Scarce,
    /// Prices of the device of the policies and of the server [USD per 10^6 tokens].
    pub prices: Prices,
    /// Share of prompt tokens that the scarce side may process.
    pub budget: f64,
    /// The place of that device in the scenario's list.
    pub device: usize,
    /// Prompt lengths [tokens] with their shares, ascending.
    pub prompts: Vec<(u32, f64)>,
    /// The policies, in the order of [`Rule::ALL`].
    pub policies: Vec<ScoredPolicy>,
    /// No policy under the budget does better than this in the goal [s].
    pub bound: f64,
    /// Value of the goal for our policy [s].
    pub value: f64,
    /// The limit of P99 that ours keeps [s].
    pub cap: Option<f64>,
    /// True if no policy keeps the limit. Ours then has the least P99.
    pub missed: bool,
    /// The wait for the tail of Algorithm 2 [s].
    pub w_tail: Option<f64>,
    /// The prompt length of Algorithm 2 between at once and the tail's wait, or of Algorithm 3 below its threshold [tokens].
    pub between: Option<u32>,
    /// Share of the budget that Algorithm 2 spends with its residual wait as printed.
    pub printed_share: Option<f64>,
    /// All devices together, where several are on and the device is scarce.
    pub several: Option<Several>,
    /// The server's first tokens.
    pub first_tokens: LawFit,
    /// The prompts.
    pub prompt_law: LawFit,
}

impl DispatchPlan {
    /// Ours.
    #[must_use]
    pub fn ours(&self) -> &ScoredPolicy {
        &self.policies[0]
    }

    /// A policy, if it is there.
    #[must_use]
    pub fn scored(&self, rule: Rule) -> Option<&ScoredPolicy> {
        self.policies.iter().find(|scored| scored.rule == rule)
    }

    /// How far ours may be from the best, of the best.
    #[must_use]
    pub fn gap(&self) -> f64 {
        if self.value <= self.bound {
            return 0.0;
        }
        (self.value - self.bound) / self.bound.max(f64::MIN_POSITIVE)
    }

    /// A prompt length at which the policy does something: the longest that starts the scarce side at once where there is
    /// one, or else the length in the middle.
    #[must_use]
    pub fn example_prompt(&self) -> u32 {
        let zones = zones(self, self.ours());
        let middle = self.prompt_law.median as u32;
        match self.scarce {
            Scarce::Device => zones.at_once_to.unwrap_or(middle).min(middle),
            Scarce::Server => middle,
        }
    }
}

/// Action of a policy at a prompt length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaitAt {
    /// The length [tokens].
    pub tokens: u32,
    /// The likelier wait before the scarce side starts [s]; none is never.
    pub wait: Option<f64>,
    /// The other one with its probability.
    pub other: Option<(Option<f64>, f64)>,
}

/// Returns the wait of the scarce side by prompt length.
#[must_use]
pub fn waits_of(planned: &DispatchPlan, scored: &ScoredPolicy) -> Vec<WaitAt> {
    let lengths: Vec<u32> = planned.prompts.iter().map(|(tokens, _)| *tokens).collect();
    waits_by_length(&lengths, &scored.policy, planned.scarce)
}

fn waits_by_length(lengths: &[u32], policy: &Policy, scarce: Scarce) -> Vec<WaitAt> {
    let wait_of = |act: &Starts| match scarce {
        Scarce::Device => act.device.map(|(_, wait)| wait),
        Scarce::Server => act.server.then_some(0.0),
    };
    let rows = lengths.iter().zip(&policy.acts);
    rows.map(|(tokens, mixture)| {
        let mut waits: Vec<(f64, Option<f64>)> = Vec::with_capacity(2);
        for (probability, act) in mixture {
            let wait = wait_of(act);
            match waits.iter_mut().find(|(_, known)| *known == wait) {
                Some((sum, _)) => *sum += probability,
                None => waits.push((*probability, wait)),
            }
        }
        waits.in_order_by(|a, b| b.0.total_cmp(&a.0));
        WaitAt {
            tokens: *tokens,
            wait: waits.first().and_then(|(_, wait)| *wait),
            other: waits.get(1).map(|(p, wait)| (*wait, *p)),
        }
    })
    .collect()
}

/// Which lengths start at once, wait, or never start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Zones {
    /// The shortest prompt [tokens].
    pub first: u32,
    /// The longest.
    pub last: u32,
    /// At once up to this length.
    pub at_once_to: Option<u32>,
    /// Never from this length on.
    pub never_from: Option<u32>,
    /// The first and the last length of those between: they wait, or are randomised, or take turns.
    pub between: Option<(u32, u32)>,
    /// The least and the largest wait of those that wait [s].
    pub waits: Option<(f64, f64)>,
}

/// The zones of a policy.
#[must_use]
pub fn zones(planned: &DispatchPlan, scored: &ScoredPolicy) -> Zones {
    zones_of(&waits_of(planned, scored))
}

fn zones_of(waits: &[WaitAt]) -> Zones {
    let at_once = |at: &&WaitAt| at.wait == Some(0.0) && at.other.is_none();
    let never = |at: &&WaitAt| at.wait.is_none() && at.other.is_none();
    let at_once_to = waits.iter().take_while(at_once).last();
    let never_from = waits.iter().rev().take_while(never).last();
    let after = at_once_to.map_or(0, |at| at.tokens);
    let before = never_from.map_or(u32::MAX, |at| at.tokens);
    let mut rest = waits
        .iter()
        .map(|at| at.tokens)
        .filter(|tokens| *tokens > after && *tokens < before);
    let between = rest.next();
    let between = between.map(|first| (first, rest.next_back().unwrap_or(first)));
    let positive = waits
        .iter()
        .flat_map(|at| [at.wait, at.other.and_then(|(wait, _)| wait)])
        .flatten()
        .filter(|wait| *wait > 0.0);
    let range = positive.fold(None, |range: Option<(f64, f64)>, wait| {
        Some(range.map_or((wait, wait), |(a, b)| (a.min(wait), b.max(wait))))
    });
    Zones {
        first: waits.first().map_or(0, |at| at.tokens),
        last: waits.last().map_or(0, |at| at.tokens),
        at_once_to: at_once_to.map(|at| at.tokens),
        never_from: never_from.map(|at| at.tokens),
        between,
        waits: range,
    }
}

/// All budgets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BudgetSweep {
    /// The scarce side.
    pub scarce: Scarce,
    /// The budgets, ascending.
    pub points: Vec<SweepPoint>,
}

impl BudgetSweep {
    /// All budgets, of which nothing else is known yet.
    #[must_use]
    pub fn unknown(scarce: Scarce) -> Self {
        let points = budgets().map(|budget| SweepPoint {
            budget,
            rules: Vec::new(),
            zones: Zones::default(),
        });
        Self {
            scarce,
            points: points.collect(),
        }
    }
}

/// The budgets of a sweep, ascending.
fn budgets() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS))
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// The budget.
    pub budget: f64,
    /// Values of the rules that take a budget.
    pub rules: Vec<SweepRule>,
    /// Actions of our policy.
    pub zones: Zones,
}

/// A policy at a budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SweepRule {
    /// Which.
    pub rule: Rule,
    /// Mean time to the first token [s].
    pub mean: f64,
    /// Its 99th percentile [s].
    pub p99: f64,
    /// Cost of a request, hand-over included [micro-USD].
    pub with: f64,
    /// Without hand-over.
    pub without: f64,
}

impl SweepPoint {
    /// A policy, if it is there.
    #[must_use]
    pub fn of(&self, rule: Rule) -> Option<&SweepRule> {
        self.rules.iter().find(|of| of.rule == rule)
    }
}

/// Values read from a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportedLog {
    /// Times to first token.
    pub first_tokens: Option<(Measured, Compacted)>,
    /// Prompt lengths.
    pub prompts: Option<(Measured, Compacted)>,
    /// How prompt length and first token go together (Pearson), where a log has both.
    pub correlation: Option<f64>,
    /// Columns that were not used.
    pub unused: Vec<String>,
}

/// A prepared scenario: its instance and everything that does not depend on the budget. Callers that ask for one budget after
/// the other keeps it, and gets what each would be answered alone.
pub struct PolicyAndRate {
    scenario: Scenario,
    problem: DispatchProblem,
    device: usize,
    prices: Prices,
    dearer: Scarce,
    scarce: Scarce,
    costs: cost::PolicyCosts,
    solver: goal::GoalSolver,
    several: OnceCell<devices::DeviceHulls>,
    /// The server's first tokens, and the prompts.
    laws: OnceCell<[LawFit; 2]>,
}

impl PolicyAndRate {
    /// Makes a scenario ready.
    ///
    /// # Errors
    /// The first field at fault.
    ///
    /// # Complexity
    /// O(n + L) for n times and L prompt lengths; O(n L) where the goal is the mean alone.
    pub fn new(scenario: &Scenario) -> Result<Self, Invalid> {
        scenario.validate()?;
        let problem = scenario.problem()?;
        let device = scenario.device();
        let prices = scenario.prices(&scenario.devices[device]);
        let dearer = classify([prices.dev_p, prices.dev_d], [prices.srv_p, prices.srv_d]);
        let scarce = scenario.scarce(dearer);
        let costs = cost::PolicyCosts::new(scenario, &problem)?;
        let solver = goal::GoalSolver::new(scenario.goal, &problem, scarce);
        Ok(Self {
            scenario: scenario.clone(),
            problem,
            device,
            prices,
            dearer,
            scarce,
            costs,
            solver,
            several: OnceCell::new(),
            laws: OnceCell::new(),
        })
    }

    /// Goes on at another budget.
    ///
    /// # Errors
    /// A budget outside [0, 1].
    pub fn turn_to(&mut self, budget: f64) -> Result<(), Invalid> {
        self.problem = self.problem.with_budget(budget)?;
        self.scenario.budget = budget;
        Ok(())
    }

    fn chance(&self) -> RandomPolicy {
        match self.scenario.stochastic {
            Stochastic::Exclusive => RandomPolicy::Exclusive,
            Stochastic::Additive => RandomPolicy::Additive,
        }
    }

    fn disco(&self, problem: &DispatchProblem, exact: bool) -> Policy {
        match (self.scarce, exact) {
            (Scarce::Device, false) => waits(problem, Residual::Corrected).policy(),
            (Scarce::Device, true) => waits(problem, Residual::Corrected).exact(),
            (Scarce::Server, false) => threshold(problem).policy(),
            (Scarce::Server, true) => threshold(problem).exact(),
        }
    }

    /// A policy of the paper or a simple one.
    fn other(&self, rule: Rule, problem: &DispatchProblem) -> Policy {
        match rule {
            Rule::Edgewise | Rule::Disco => self.disco(problem, false),
            Rule::DiscoExact => self.disco(problem, true),
            Rule::Stochastic => stochastic(problem, self.scarce, self.chance()),
            Rule::AllServer => all_server(problem),
            Rule::AllDevice => all_device(problem),
        }
    }

    fn scored(&self, rule: Rule, policy: Policy) -> ScoredPolicy {
        let mut outcome = outcome(&self.problem, &policy, self.scarce);
        let cost = self.costs.of(&self.problem, &policy, self.scarce);
        outcome.curve = thinned(&outcome.curve, outcome.p99);
        ScoredPolicy {
            rule,
            policy,
            outcome,
            cost,
        }
    }

    /// Our policy at the budget, and those beside it.
    ///
    /// # Errors
    /// The first field at fault.
    ///
    /// # Complexity
    /// Our own policy O(n L) for n times and L prompt lengths the first time, less at other budgets where P99 has a limit. Every
    /// policy to score O((n + L) log n), and O(n L) more where cancelled prefills are charged pro rata.
    pub fn plan(&mut self) -> Result<DispatchPlan, Invalid> {
        let found = self.solver.solve(&self.problem);
        let mut policies = vec![self.scored(Rule::Edgewise, found.policy)];
        for rule in &Rule::ALL[1..] {
            policies.push(self.scored(*rule, self.other(*rule, &self.problem)));
        }
        let lengths = self.problem.prompts().lengths();
        let (mut w_tail, mut printed_share) = (None, None);
        let between = match self.scarce {
            Scarce::Device => {
                let found = waits(&self.problem, Residual::Corrected);
                w_tail = found.w_tail;
                let printed = waits(&self.problem, Residual::Published);
                let printed = outcome(&self.problem, &printed.policy(), self.scarce);
                printed_share = Some(printed.device_share);
                found.residual.map(|at| lengths[at])
            }
            Scarce::Server => {
                let found = threshold(&self.problem);
                found.boundary.map(|at| lengths[at])
            }
        };
        let prompts: Vec<(u32, f64)> = lengths
            .iter()
            .copied()
            .zip(self.problem.prompts().p().iter().copied())
            .collect();
        let [first_tokens, prompt_law] = self.laws().clone();
        Ok(DispatchPlan {
            scarce: self.scarce,
            dearer: self.dearer,
            prices: self.prices,
            device: self.device,
            prompts,
            policies,
            bound: found.bound,
            value: found.value,
            cap: found.cap,
            missed: found.missed,
            budget: self.problem.budget(),
            w_tail,
            between,
            printed_share,
            several: self.several()?,
            first_tokens,
            prompt_law,
        })
    }

    /// Every budget; the one that it is at stays.
    ///
    /// # Errors
    /// The first field at fault.
    ///
    /// # Complexity
    /// As [`PolicyAndRate::plan`] for each.
    pub fn sweep(&mut self, on_progress: &mut Listener<'_>) -> Result<BudgetSweep, Invalid> {
        let mut points = Vec::with_capacity(STEPS as usize + 1);
        for (step, budget) in (0_u64..).zip(budgets()) {
            let problem = self.problem.with_budget(budget)?;
            let ours = self.solver.policy(&problem);
            let at = |rule: Rule, policy: &Policy| {
                let outcome = outcome(&problem, policy, self.scarce);
                let cost = self.costs.of(&problem, policy, self.scarce);
                SweepRule {
                    rule,
                    mean: outcome.mean,
                    p99: outcome.p99,
                    with: cost.with,
                    without: cost.without,
                }
            };
            let mut rules = vec![at(Rule::Edgewise, &ours)];
            for rule in [Rule::Disco, Rule::DiscoExact, Rule::Stochastic] {
                rules.push(at(rule, &self.other(rule, &problem)));
            }
            points.push(SweepPoint {
                budget,
                rules,
                zones: self.zones(&ours),
            });
            on_progress(step + 1, Some(u64::from(STEPS) + 1));
        }
        Ok(BudgetSweep {
            scarce: self.scarce,
            points,
        })
    }

    fn several(&self) -> Result<Option<Several>, Invalid> {
        goal::several(&self.scenario, &self.problem, self.scarce, &self.several)
    }

    fn laws(&self) -> &[LawFit; 2] {
        self.laws.get_or_init(|| {
            let (times, prompts) = (self.problem.times(), self.problem.prompts());
            let values = times.values().iter().copied();
            let tokens = prompts.lengths().iter().map(|tokens| f64::from(*tokens));
            [
                law(values.zip(times.weights().iter().copied()).collect()),
                law(tokens.zip(prompts.p().iter().copied()).collect()),
            ]
        })
    }

    fn zones(&self, policy: &Policy) -> Zones {
        let lengths = self.problem.prompts().lengths();
        zones_of(&waits_by_length(lengths, policy, self.scarce))
    }
}

fn law(values: Vec<(f64, f64)>) -> LawFit {
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mean = values.iter().map(|(v, w)| v * w).sum::<f64>() / total;
    let quantile = |u: f64| {
        let mut seen = 0.0;
        let at = values.iter().find(|(_, weight)| {
            seen += weight;
            seen >= total * u - 1e-9 * total
        });
        at.or(values.last()).map_or(0.0, |(value, _)| *value)
    };
    LawFit {
        mean,
        median: quantile(0.5),
        p99: quantile(0.99),
        fit: fit(&values),
        values,
    }
}

/// A curve with at most so many points as a chart has room for; its ends and the 99th percentile stay.
fn thinned(curve: &[(f64, f64)], p99: f64) -> Vec<(f64, f64)> {
    if curve.len() <= MOST_POINTS {
        return curve.to_vec();
    }
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(MOST_POINTS + 2);
    let mut next = 0.0;
    for (at, (time, share)) in curve.iter().enumerate() {
        let is_end = at == 0 || at + 1 == curve.len() || *time == p99;
        if is_end || *share >= next {
            kept.push((*time, *share));
            next = share + 1.0 / MOST_POINTS as f64;
        }
    }
    kept
}

/// Returns the value of our policy in the goal [s], with all devices if several are on, and true if it is proven optimal.
pub(super) fn objective_value(scenario: &Scenario) -> Result<(f64, bool), Invalid> {
    let mut ready = PolicyAndRate::new(scenario)?;
    if scenario.goal != Goal::Tail
        && let Some(all) = ready.several()?
    {
        return Ok((all.outcome.mean, all.outcome.mean <= all.bound));
    }
    let found = ready.solver.solve(&ready.problem);
    // Scored as the page has it, which may differ from what the solver says in the last digit.
    let scored = outcome(&ready.problem, &found.policy, ready.scarce);
    let value = match scenario.goal {
        Goal::Tail => scored.p99,
        _ => scored.mean,
    };
    // Where no policy keeps the limit of P99, this one was not made for its mean.
    Ok((value, !found.missed && found.value <= found.bound))
}

/// Receives the amount done and the total.
pub type Listener<'a> = dyn FnMut(u64, Option<u64>) + 'a;

/// Answers; `on_progress` receives the progress.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// O(n L) for n times and L prompt lengths, for a plan once; for a sweep once, and as [`PolicyAndRate::plan`] a budget.
pub fn answer(
    scenario: &Scenario,
    ask: &DispatchRequest,
    on_progress: &mut Listener<'_>,
) -> Result<DispatchResult, Invalid> {
    match ask {
        DispatchRequest::Plan => Ok(DispatchResult::Plan(Box::new(
            PolicyAndRate::new(scenario)?.plan()?,
        ))),
        DispatchRequest::Sweep => Ok(DispatchResult::Sweep(
            PolicyAndRate::new(scenario)?.sweep(on_progress)?,
        )),
        DispatchRequest::Run { seed } => {
            let run = runs::run(&mut PolicyAndRate::new(scenario)?, *seed, on_progress)?;
            Ok(DispatchResult::Run(run))
        }
        DispatchRequest::Predict => Ok(DispatchResult::Predicted(runs::predict(
            &PolicyAndRate::new(scenario)?,
        )?)),
    }
}

/// Reads the log called `name`. `bare` is the meaning of the column in a table with a single column and no header.
///
/// # Errors
/// Its first row at fault.
///
/// # Complexity
/// O(rows log rows).
pub fn imported(name: &str, text: &str, bare: LogColumn) -> Result<ImportedLog, Invalid> {
    let log = log::read(text, bare)?;
    let pack = |samples: &[f64], column: LogColumn| {
        (!samples.is_empty()).then(|| log::compacted(name, samples, column))
    };
    let has_both = log.first_tokens.len() == log.prompts.len() && log.prompts.len() > 2;
    let pairs: Vec<(f64, f64)> = log
        .prompts
        .iter()
        .copied()
        .zip(log.first_tokens.iter().copied())
        .collect();
    Ok(ImportedLog {
        first_tokens: pack(&log.first_tokens, LogColumn::FirstTokens),
        prompts: pack(&log.prompts, LogColumn::Prompts),
        correlation: has_both.then(|| pearson(&pairs)).flatten(),
        unused: log.unused,
    })
}
