//! Answers about tiers for the page and `edgewise run`: the split with its stages in time, what it is compared with,
//! every compromise between throughput and latency, and runs of requests through it.
//!
//! Every plan is scored by the referee on the same problem, and its stages are timed by the same costs, whatever made
//! it. The output head always counts in the times of stages; whether the split looks at it, the scenario says.

use super::Status;
use crate::summary::RunSummary;
use engine::evaluate::tiers::score;
use engine::plan::{TierCuts, counts, cuts};
use engine::problem::{Invalid, TierPartition, tier_costs};
use engine::scenario::tiers::{Goal, Order, Placed, Scenario, Scheduler};
use engine::sim::{Spread, Summary, TimeSegment};
use engine::solve::{Limits, NoPlan};
use methods::tiers::partition::{self, Infeasible, Objective, baseline};
use serde::{Deserialize, Serialize};

/// The most blocks for which every compromise is listed.
const MOST_FRONT_BLOCKS: usize = 256;
/// The most points of a front.
const MOST_POINTS: usize = 400;

/// A request about a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum TiersRequest {
    /// The split, and all it is compared with.
    Plan,
    /// Requests through a placement, over several seeds.
    Runs(RunsAsk),
    /// One run, pass by pass.
    Timeline(RunsAsk),
    /// The split that is soonest under the scenario’s own requests, by simulation.
    UnderLoad,
}

/// Which requests go through which placement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunsAsk {
    /// The placement.
    pub placed: Vec<Placed>,
    /// Mean rate of arrivals [1/s]; `None` for the scenario's own, or its trace.
    pub rate: Option<f64>,
    /// How many requests; `None` for as many as the scenario has.
    pub count: Option<f64>,
    /// Rule that chooses a node.
    pub scheduler: Scheduler,
    /// Another length of the answers than the scenario’s [tokens].
    pub out_tokens: Option<f64>,
    /// Another rate of every link [Mbit/s].
    pub link_mbit_s: Option<f64>,
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum TiersResult {
    /// The split.
    Plan(Planned),
    /// Figures over several seeds.
    Runs(Runs),
    /// One run in time.
    Timeline(TierTimeline),
    /// The split that is soonest under load.
    UnderLoad(UnderLoad),
}

/// The split and all it is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Planned {
    /// Proof status.
    pub status: Status,
    /// The plan: the user's own split, or the best one.
    pub plan: Option<Plan>,
    /// The best one by the scenario's goal.
    pub best: Option<Plan>,
    /// Why there is no plan, in words.
    pub reason: Option<String>,
    /// The proof that there is no plan; tiers count as the scenario lists those that are on.
    pub infeasible: Option<Infeasible>,
    /// Plans of other rules for the same tiers.
    pub others: Vec<Other>,
    /// Every compromise between the slowest stage and a lone request, in the order of the plan's tiers.
    pub front: Vec<Compromise>,
    /// True if the front has more points than are listed, or was not computed.
    pub front_is_cut: bool,
}

/// A placement with all that it costs. Times in seconds, memory in GB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Plan {
    /// Tiers in use, in the order in which a request visits them.
    pub placed: Vec<Placed>,
    /// Load and timing of each stage.
    pub stages: Vec<Stage>,
    /// Transfer over each link: one fewer than stages.
    pub hops: Vec<Hop>,
    /// A token's way back to the first tier.
    pub return_delay: f64,
    /// A request's wait before it enters.
    pub setup: f64,
    /// The goal's value by the referee: the largest load, the same over nodes, or all loads together with links.
    pub value: f64,
    /// A lone request, from its arrival to its last token.
    pub request: f64,
    /// A lone request's first token.
    pub first_token: f64,
    /// Time between a lone request's tokens.
    pub per_token: f64,
    /// Requests a second at which the busiest tier is full.
    pub full_at: f64,
    /// The stage with the longest decode pass.
    pub slowest: usize,
    /// The stage that is full first.
    pub busiest: usize,
    /// Energy of a request on nodes that draw their nameplate power while they work, and nothing else: an upper bound
    /// of the work, without idling [J].
    pub energy: f64,
    /// True if every stage fits its nodes.
    pub mem_ok: bool,
}

/// One tier of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Stage {
    /// The tier, as the scenario lists it.
    pub tier: usize,
    /// First block, from 1.
    pub first: usize,
    /// Last block.
    pub last: usize,
    /// The pass of a prompt.
    pub prefill: f64,
    /// A decode pass.
    pub decode: f64,
    /// Of every pass, the output head.
    pub head: f64,
    /// All passes of a request.
    pub load: f64,
    /// Weights on a node, with embedding and output head where they stand, and where the cost is that of runtimes with the cache of a
    /// request and buffers [GB].
    pub memory: f64,
    /// Memory of a node [GB].
    pub room: f64,
    /// True if the memory that the partition counts fits.
    pub mem_ok: bool,
    /// Requests a second at which all nodes of the tier are busy.
    pub full_at: f64,
}

/// Transfer over a link.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Hop {
    /// With a prompt.
    pub prefill: f64,
    /// With a token.
    pub decode: f64,
}

/// Method that makes a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TierRule {
    /// Ours, for the slowest stage.
    Bottleneck,
    /// Ours, for the rate of requests.
    Rate,
    /// Ours, for a lone request.
    Request,
    /// Ours, for a lone request, where tiers may be left out and change places behind the first.
    AnyOrder,
    /// HypSplit-DP as published.
    HypSplit,
    /// Equal counts.
    Gpipe,
    /// Equal counts with what overflows moved.
    GpipeRepaired,
    /// First fit.
    Heft,
    /// In proportion to memory.
    MemoryProportional,
}

impl TierRule {
    /// All rules, ours first.
    pub const ALL: [Self; 9] = [
        Self::Bottleneck,
        Self::Rate,
        Self::Request,
        Self::AnyOrder,
        Self::HypSplit,
        Self::Gpipe,
        Self::GpipeRepaired,
        Self::Heft,
        Self::MemoryProportional,
    ];
}

/// Plan of another rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Other {
    /// The rule.
    pub who: TierRule,
    /// Its plan; none where it finds none.
    pub plan: Option<Plan>,
}

/// A point of the front.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Compromise {
    /// Blocks on each tier of the plan's order.
    pub placed: Vec<Placed>,
    /// The slowest stage over all passes of a request [s].
    pub bottleneck: f64,
    /// A lone request [s].
    pub request: f64,
}

/// Figures over several seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Runs {
    /// Mean rate of arrivals [1/s]; `None` for a trace.
    pub rate: Option<f64>,
    /// Mean latency of each run: its mean and spread over the seeds [s].
    pub latency: Spread,
    /// Last completion less first arrival [s].
    pub makespan: Spread,
    /// Latency, each figure the mean of the runs' figures [s].
    pub quantiles: Summary,
    /// First token, likewise [s].
    pub first_token: Option<Summary>,
    /// Share of the time that the nodes of each stage are busy.
    pub utilisation: Vec<f64>,
    /// The most memory that tasks reserved on a node of each stage [GB].
    pub reserved: Vec<f64>,
    /// Latency by the queueing formula, and true where the formula holds.
    pub estimate: Option<(f64, bool)>,
}

/// The split with the least mean latency among those that were tried under load. A search by simulation proves
/// nothing: it says how many were tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnderLoad {
    /// The split.
    pub placed: Vec<Placed>,
    /// Its runs.
    pub runs: Runs,
    /// How many splits were tried.
    pub tried: usize,
}

/// One run in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TierTimeline {
    /// Every pass on every node, by node and begin.
    pub segments: Vec<TimeSegment>,
    /// Nodes of each stage.
    pub nodes: Vec<usize>,
    /// Arrivals [s].
    pub arrival: Vec<f64>,
    /// Completions [s].
    pub completion: Vec<f64>,
    /// First tokens [s].
    pub first_token: Vec<f64>,
    /// Passes that were not kept.
    pub left_out: u64,
}

/// A plan with the scenario it belongs to: what the page saves.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Documented<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its plan and what it is compared with; its fields are beside the scenario.
    #[serde(flatten)]
    pub answer: &'a Planned,
    /// Time to load, first token, rates and memory.
    pub summary: RunSummary,
}

impl<'a> Documented<'a> {
    /// An answer beside its scenario.
    #[must_use]
    pub fn new(scenario: &'a Scenario, answer: &'a Planned) -> Self {
        Self {
            scenario,
            answer,
            summary: RunSummary::of_tiers(scenario, answer),
        }
    }
}

/// A plan with its scenario, and the scenario's own requests through it: what `edgewise run --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct WithLoad<'a> {
    /// The plan.
    #[serde(flatten)]
    pub plan: Documented<'a>,
    /// None where no plan fits, or where a request fits no node.
    pub load: Option<&'a Runs>,
    /// Why a request fits no node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_fault: Option<&'a Invalid>,
}

impl RunsAsk {
    /// The scenario with what this asks otherwise; `None` where that is nothing.
    fn applied_to(&self, scenario: &Scenario) -> Result<Option<Scenario>, Invalid> {
        if self.out_tokens.is_none() && self.link_mbit_s.is_none() {
            return Ok(None);
        }
        let mut changed = scenario.clone();
        changed.out_tokens = self.out_tokens.unwrap_or(scenario.out_tokens);
        if let Some(rate) = self.link_mbit_s {
            let own = changed
                .tiers
                .iter_mut()
                .filter_map(|tier| tier.link.as_mut());
            std::iter::once(&mut changed.link)
                .chain(own)
                .for_each(|link| link.rate_mbit_s = rate);
        }
        changed.validate()?;
        Ok(Some(changed))
    }
}

/// Runs it. `progress` receives the steps done and in total.
///
/// # Errors
/// A field out of range.
///
/// # Complexity
/// For a plan O(orders · T N) with at most 326 orders, and O(T N) a point of the front; for runs O(events log tasks).
pub fn answer(
    scenario: &Scenario,
    ask: &TiersRequest,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<TiersResult, Invalid> {
    scenario.validate()?;
    let changed = match ask {
        TiersRequest::Runs(runs) | TiersRequest::Timeline(runs) => runs.applied_to(scenario)?,
        TiersRequest::Plan | TiersRequest::UnderLoad => None,
    };
    let scenario = changed.as_ref().unwrap_or(scenario);
    match ask {
        TiersRequest::Plan => planned(scenario).map(TiersResult::Plan),
        TiersRequest::Runs(runs) => {
            super::tiers_load::runs(scenario, runs, progress).map(TiersResult::Runs)
        }
        TiersRequest::Timeline(runs) => {
            super::tiers_load::timeline(scenario, runs, progress).map(TiersResult::Timeline)
        }
        TiersRequest::UnderLoad => {
            super::tiers_load::under_load(scenario, progress).map(TiersResult::UnderLoad)
        }
    }
}

/// The split of a valid scenario alone: what it is compared with is left out.
pub(super) fn split(scenario: &Scenario) -> Result<Planned, Invalid> {
    let listed: Vec<usize> = scenario.switched_on().map(|(j, _)| j).collect();
    let best = best_of(scenario, scenario.goal, &orders(&listed, scenario.order))?;
    let own = scenario.own_split();
    let own = own.map(|placed| plan(scenario, &placed)).transpose()?;
    let mut found = Planned {
        status: Status::Optimal,
        plan: None,
        best: None,
        reason: None,
        infeasible: None,
        others: Vec::new(),
        front: Vec::new(),
        front_is_cut: false,
    };
    match best {
        Ok(placed) => found.best = Some(plan(scenario, &placed)?),
        Err(proof) => {
            found.status = Status::Infeasible;
            found.reason = Some(in_words(scenario, &listed, &proof));
            found.infeasible = Some(proof);
        }
    }
    if let Some(own) = own {
        let best = found.best.as_ref().map(|best| best.value);
        found.status = match best {
            _ if !own.mem_ok => Status::Infeasible,
            Some(best) if own.value <= best * (1.0 + 1e-12) => Status::Optimal,
            _ => Status::Feasible,
        };
        found.plan = Some(own);
    } else {
        found.plan.clone_from(&found.best);
    }
    Ok(found)
}

/// The split of a valid scenario, and all it is compared with.
///
/// # Errors
/// A tier that does nothing in finite time.
pub fn planned(scenario: &Scenario) -> Result<Planned, Invalid> {
    let listed: Vec<usize> = scenario.switched_on().map(|(j, _)| j).collect();
    let mut found = split(scenario)?;
    found.others = other_methods(scenario, &listed)?;
    if let Some(plan) = &found.plan {
        let order: Vec<usize> = plan.placed.iter().map(|placed| placed.tier).collect();
        (found.front, found.front_is_cut) = front(scenario, &order)?;
    }
    Ok(found)
}

/// A placement with all that it costs.
///
/// # Errors
/// A tier that does nothing in finite time.
///
/// # Panics
/// When the placement is none of the scenario's: the tiers' blocks do not add up, or a tier is not there.
pub fn plan(scenario: &Scenario, placed: &[Placed]) -> Result<Plan, Invalid> {
    let order: Vec<usize> = placed.iter().map(|p| p.tier).collect();
    let blocks: Vec<usize> = placed.iter().map(|p| p.blocks).collect();
    let problem = scenario.partition_over(&order, scenario.goal)?;
    let scored = score(&problem, &cuts(&blocks)).expect("a placement has its blocks on its tiers");
    let return_delay = scenario.return_delay(&order);
    let request = scenario.request();
    let setup = scenario.setup();
    let hops: Vec<tier_costs::Passes> = order
        .split_last()
        .map_or(&[][..], |(_, before)| before)
        .iter()
        .map(|j| scenario.hop(*j))
        .collect();
    let mut first = 1;
    let stages: Vec<Stage> = scenario.with_costs(|costs| {
        let [first_end, last_end] = costs.ends().map(|bytes| bytes / 1e9);
        let stage = |(at, placed): (usize, &Placed)| {
            let tier = &scenario.tiers[placed.tier];
            let is_last = at + 1 == order.len();
            let begin = first;
            first += placed.blocks;
            let blocks = begin - 1..first - 1;
            let passes = costs.stage(&tier.node(), &blocks, is_last);
            let load = passes.request(&request);
            let embedding = if at == 0 { first_end } else { 0.0 };
            let head = if is_last { last_end } else { 0.0 };
            let of_blocks = costs
                .model
                .sum(&blocks, |block| costs.block_memory(block) / 1e9);
            Stage {
                tier: placed.tier,
                first: begin,
                last: begin + placed.blocks - 1,
                prefill: passes.prefill,
                decode: passes.decode,
                head: if is_last {
                    costs.head(&tier.node())
                } else {
                    0.0
                },
                load,
                memory: of_blocks + embedding + head + costs.buffers(&blocks) / 1e9,
                room: tier.usable_gb,
                mem_ok: scored.fits[at],
                full_at: tier.nodes / load,
            }
        };
        placed.iter().enumerate().map(stage).collect()
    });
    let passes: Vec<tier_costs::Passes> = stages
        .iter()
        .map(|s| tier_costs::Passes {
            prefill: s.prefill,
            decode: s.decode,
        })
        .collect();
    let alone = tier_costs::alone(&passes, &hops, return_delay, &request);
    let prefill = |list: &[tier_costs::Passes]| list.iter().map(|p| p.prefill).sum::<f64>();
    let decode = |list: &[tier_costs::Passes]| list.iter().map(|p| p.decode).sum::<f64>();
    let least = |by: fn(&Stage) -> f64| {
        (1..stages.len()).fold(0, |best, at| {
            if by(&stages[at]) < by(&stages[best]) {
                at
            } else {
                best
            }
        })
    };
    let (slowest, busiest) = (least(|s| -s.decode), least(|s| s.full_at));
    Ok(Plan {
        value: match scenario.goal {
            Goal::Bottleneck | Goal::Rate => scored.bottleneck,
            Goal::Request => scored.sum + scored.communication + request.generated * return_delay,
        },
        request: setup + alone,
        first_token: setup + prefill(&passes) + prefill(&hops) + return_delay,
        per_token: decode(&passes) + decode(&hops) + return_delay,
        energy: stages
            .iter()
            .map(|stage| stage.load * scenario.tiers[stage.tier].power_w)
            .sum(),
        full_at: stages[busiest].full_at,
        slowest,
        busiest,
        mem_ok: scored.mem_ok,
        placed: placed.to_vec(),
        hops: hops
            .iter()
            .map(|p| Hop {
                prefill: p.prefill,
                decode: p.decode,
            })
            .collect(),
        stages,
        return_delay,
        setup,
    })
}

/// The objective of a goal; the nodes of a tier are in the problem.
const fn objective(goal: Goal) -> Objective {
    match goal {
        Goal::Bottleneck | Goal::Rate => Objective::Max,
        Goal::Request => Objective::Sum,
    }
}

fn placed(order: &[usize], cuts: &TierCuts, blocks: usize) -> Vec<Placed> {
    let counts = counts(cuts, blocks);
    let pairs = order.iter().zip(counts);
    pairs
        .map(|(tier, blocks)| Placed {
            tier: *tier,
            blocks,
        })
        .collect()
}

/// The orders that a rule allows; the one that is listed comes first.
fn orders(listed: &[usize], rule: Order) -> Vec<Vec<usize>> {
    let Some((first, rest)) = listed.split_first() else {
        return Vec::new();
    };
    let mut orders = vec![listed.to_vec()];
    match rule {
        Order::Listed => {}
        Order::Skip => {
            // The full set is the listed order itself.
            for set in (0..(1_usize << rest.len()) - 1).rev() {
                let kept = rest.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                let kept = kept.map(|(_, tier)| *tier);
                orders.push(std::iter::once(*first).chain(kept).collect());
            }
        }
        Order::Any => {
            let mut open = vec![vec![*first]];
            while let Some(order) = open.pop() {
                for tier in rest.iter().rev().filter(|tier| !order.contains(tier)) {
                    let mut longer = order.clone();
                    longer.push(*tier);
                    open.push(longer);
                }
                if order != listed {
                    orders.push(order);
                }
            }
        }
    }
    orders
}

/// The best placement over some orders, or the proof that the listed one has none. Of equals the first in the list.
fn best_of(
    scenario: &Scenario,
    goal: Goal,
    orders: &[Vec<usize>],
) -> Result<Result<Vec<Placed>, Infeasible>, Invalid> {
    let blocks = scenario.blocks();
    let generated = scenario.out_tokens;
    let mut best: Option<(f64, Vec<Placed>)> = None;
    let mut proof = None;
    for order in orders {
        let problem = scenario.partition_over(order, goal)?;
        match partition::solve(&problem, objective(goal)) {
            Ok(solved) => {
                let links: f64 = problem.hops().iter().sum();
                let value = match goal {
                    Goal::Bottleneck | Goal::Rate => solved.claimed,
                    Goal::Request => {
                        solved.claimed + links + generated * scenario.return_delay(order)
                    }
                };
                if best.as_ref().is_none_or(|(least, _)| value < *least) {
                    best = Some((value, placed(order, &solved.plan, blocks)));
                }
            }
            Err(NoPlan::Infeasible(why)) => {
                proof.get_or_insert(why);
            }
            // Only beyond sizes that a scenario cannot have.
            Err(NoPlan::Stopped(_)) => {}
        }
    }
    Ok(match (best, proof) {
        (Some((_, placed)), _) => Ok(placed),
        (None, Some(proof)) => Err(proof),
        (None, None) => unreachable!("an order has a plan or a proof"),
    })
}

/// How a baseline splits.
type Rule = fn(&TierPartition) -> TierCuts;

fn other_methods(scenario: &Scenario, listed: &[usize]) -> Result<Vec<Other>, Invalid> {
    let blocks = scenario.blocks();
    let mut others = Vec::new();
    let mut add = |who: TierRule, found: Option<Vec<Placed>>| -> Result<(), Invalid> {
        let plan = found.map(|placed| plan(scenario, &placed)).transpose()?;
        others.push(Other { who, plan });
        Ok(())
    };
    let same = [listed.to_vec()];
    for (who, goal) in [
        (TierRule::Bottleneck, Goal::Bottleneck),
        (TierRule::Rate, Goal::Rate),
        (TierRule::Request, Goal::Request),
    ] {
        add(who, best_of(scenario, goal, &same)?.ok())?;
    }
    if listed.len() > 1 {
        let any = orders(listed, Order::Any);
        add(
            TierRule::AnyOrder,
            best_of(scenario, Goal::Request, &any)?.ok(),
        )?;
    }
    // The published method and the baselines know nothing of nodes, and their largest load is the paper's.
    let problem = scenario.partition_over(listed, Goal::Bottleneck)?;
    let eps = super::tiers_partition::EPS;
    let limits = Limits::default();
    let split = partition::hypsplit(&problem, eps, &limits, &mut engine::solve::NoProgress);
    add(
        TierRule::HypSplit,
        split.ok().map(|found| placed(listed, &found.cuts, blocks)),
    )?;
    let rules: [(TierRule, Rule); 4] = [
        (TierRule::Gpipe, baseline::gpipe),
        (TierRule::GpipeRepaired, baseline::gpipe_repaired),
        (TierRule::Heft, baseline::heft),
        (TierRule::MemoryProportional, baseline::memory_proportional),
    ];
    for (who, rule) in rules {
        let placed = placed(listed, &rule(&problem), blocks);
        // Fewer blocks than tiers, or a rule that leaves a tier empty: no pipeline of all tiers.
        let whole = placed.iter().all(|p| p.blocks > 0)
            && placed.iter().map(|p| p.blocks).sum::<usize>() == blocks;
        add(who, whole.then_some(placed))?;
    }
    Ok(others)
}

fn front(scenario: &Scenario, order: &[usize]) -> Result<(Vec<Compromise>, bool), Invalid> {
    let blocks = scenario.blocks();
    if blocks > MOST_FRONT_BLOCKS {
        return Ok((Vec::new(), true));
    }
    let problem = scenario.partition_over(order, Goal::Request)?;
    let points = partition::front(&problem, MOST_POINTS);
    let is_cut = points.len() == MOST_POINTS;
    let compromises = points.into_iter().map(|point| {
        let placed = placed(order, &point.cuts, blocks);
        let request = plan(scenario, &placed)?.request;
        Ok(Compromise {
            placed,
            bottleneck: point.bottleneck,
            request,
        })
    });
    Ok((compromises.collect::<Result<_, Invalid>>()?, is_cut))
}

/// The proof in words, with the tiers' names.
fn in_words(scenario: &Scenario, listed: &[usize], proof: &Infeasible) -> String {
    use partition::Cause;
    let name = |tier: usize| {
        listed
            .get(tier)
            .map_or("a tier", |j| scenario.tiers[*j].name.as_str())
    };
    let gb = |x: f64| engine::units::bytes(1e9 * x);
    match &proof.cause {
        Cause::TooManyTiers { tiers, blocks } => {
            format!("{tiers} tiers need at least one block each, and the model has {blocks}")
        }
        Cause::Tier { tier, need, have } => format!(
            "{} has {} for weights, {} too little for one block of {}",
            name(*tier),
            gb(*have),
            gb(need - have),
            gb(*need)
        ),
        Cause::Block { block, need, have } => format!(
            "block {block} needs {} and the largest node has {}, which is {} too little",
            gb(*need),
            gb(*have),
            gb(need - have)
        ),
        Cause::TotalMemory { need, have } => format!(
            "the blocks need {}; one node of every tier adds up to {}, which is {} too little",
            gb(*need),
            gb(*have),
            gb(need - have)
        ),
        Cause::Order { placed, .. } => format!(
            "in this order of tiers there is room for the first {placed} of {} blocks",
            scenario.blocks()
        ),
        Cause::Split { tier, need, have } => format!(
            "{} needs {} and has {}, which is {} too little",
            name(*tier),
            gb(*need),
            gb(*have),
            gb(need - have)
        ),
    }
}
