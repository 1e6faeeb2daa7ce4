//! Answers about attention heads for the page and `edgewise run`: our own run token by token, what other rules make of
//! the same draw, all of them on further draws, and our run with one number changed.
//!
//! Every run is scored by the referee, whatever planned it; all rules of a draw meet the same background.

use super::Listener as ProgressListener;
use super::head_placement;
use super::heads_compared::{Compared, PlanClass};
use super::heads_run::{Comparison, StepAnswer, Total};
use crate::summary::{CalibrationError, RunSummary};
use engine::plan::{
    HeadDeviceUse, HeadGap, HeadMove, HeadRun, HeadRunSummary, HeadSegment, Layout, Placement,
    WithoutPlan, segment_at,
};
use engine::problem::Invalid;
use engine::problem::head_sizes::BlockMemory;
use engine::problem::heads::Interval;
use engine::scenario::heads::{DrawnNetwork, HeadDevice, Scenario};
use engine::units::InOrder;
use methods::heads::layers::{self, LayerStack};
use methods::heads::run::HeadRunner;
pub use methods::heads::run::{RunSetting, Strategy};
pub use methods::heads::{Cause, Infeasible};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Points of a line over tokens: more than a chart has room for.
const MOST_POINTS: usize = 400;
/// Steps of a run at which a rule is compared with the true optimum.
const MOST_GAPS: u32 = 1000;

/// A request about a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadsRequest {
    /// Our run on the devices of the list, with the background of the first draw.
    Plan,
    /// Another rule under the same.
    Track(Strategy),
    /// All rules on a draw of the comparison, which may have devices and links of its own.
    Draw {
        /// Its seed.
        seed: u64,
    },
    /// Our run as in the plan, with something changed.
    Instead(HeadsVariant),
    /// Several layers together at a token of the plan, none of them placed before.
    Layers {
        /// How many.
        layers: u32,
        /// The token, from 1.
        token: u32,
    },
}

/// A change to a scenario whose worth is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadsVariant {
    /// A device, as listed, computes so many times as fast.
    Compute {
        /// The device.
        device: usize,
        /// How many times.
        times: f64,
    },
    /// All links are so many times as fast.
    Links {
        /// How many times.
        times: f64,
    },
    /// All devices have so many times the memory.
    Memory {
        /// How many times.
        times: f64,
    },
    /// Without a device, as listed.
    Without {
        /// The device.
        device: usize,
    },
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadsResult {
    /// Our run, or as much of it as is known yet.
    Plan(Box<HeadsPlan>),
    /// Another rule.
    Track(Track),
    /// A draw.
    Draw(HeadsDraw),
    /// With something changed.
    Instead(HeadRunSummary),
    /// Several layers together.
    Layers(Layers),
}

/// A plan for several layers, and what is known of the best one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// How many layers.
    pub layers: u32,
    /// At which token.
    pub token: u32,
    /// A placement a layer; none where nothing was found.
    pub placements: Vec<Placement>,
    /// Time of the token by the evaluator [s].
    pub seconds: Option<f64>,
    /// No plan takes less [s]; none where the bound itself proves that there is no plan.
    pub bound: Option<f64>,
}

/// The most layers of a scenario that are placed together.
pub const MOST_LAYERS: u32 = 128;
/// Prices of memory that are tried for the bound.
const ROUNDS: u32 = 24;

/// A run token by token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadsPlan {
    /// How many tokens it is to have.
    pub tokens: u32,
    /// The place of each device of the plan in the scenario's list.
    pub places: Vec<usize>,
    /// The parts of every token's time.
    pub times: TokenSeconds,
    /// Which block is where, and how long.
    pub segments: Vec<HeadSegment>,
    /// Every move.
    pub moves: Vec<HeadMove>,
    /// Intervals for which there was no plan, and what was done instead.
    pub without_plan: Vec<WithoutPlan>,
    /// The token at which it came to an end for want of any placement.
    pub failed_at: Option<u32>,
    /// Why there is none, proved, and the least memory that would do; devices count as in `places`.
    pub proof: Option<Infeasible>,
    /// Use of each device.
    pub devices: Vec<HeadDeviceUse>,
    /// The sums.
    pub summary: HeadRunSummary,
}

/// The parts of every token's time [s], and memory [B]: a list each, one entry a token.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TokenSeconds {
    /// Input, heads and their outputs.
    pub head_stage: Vec<f64>,
    /// Projection.
    pub proj: Vec<f64>,
    /// From projection to FFN.
    pub transfer: Vec<f64>,
    /// FFN.
    pub ffn: Vec<f64>,
    /// Moves before the token.
    pub moving: Vec<f64>,
    /// All that and all tokens before.
    pub elapsed: Vec<f64>,
    /// The largest memory of any device [B].
    pub peak_memory: Vec<f64>,
}

/// A rule's run as lines over tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// The rule.
    pub strategy: Strategy,
    /// The sums.
    pub summary: HeadRunSummary,
    /// The tokens of the points.
    pub at: Vec<u32>,
    /// Time until then [s].
    pub elapsed: Vec<f64>,
    /// The largest memory of any device then [B].
    pub peak_memory: Vec<f64>,
    /// How far from the optimum its choices were, given what it had chosen before.
    pub gaps: Vec<HeadGap>,
}

/// All rules on a draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadsDraw {
    /// Its seed.
    pub seed: u64,
    /// The sums of each rule, in the order of [`rules`].
    pub sums: Vec<HeadRunSummary>,
}

impl HeadsPlan {
    /// Where the layer was at a token, from 1. O(log segments).
    #[must_use]
    pub fn segment(&self, token: u32) -> Option<&HeadSegment> {
        segment_at(&self.segments, token)
    }
}

/// Our rule for a scenario.
#[must_use]
pub fn ours(scenario: &Scenario) -> Strategy {
    if scenario.ahead > 1.0 {
        Strategy::ExactAhead {
            intervals: scenario.ahead,
        }
    } else {
        Strategy::Exact
    }
}

/// All rules that a scenario is answered by, ours first, and last what splitting the layer as well would come to.
#[must_use]
pub fn rules(scenario: &Scenario) -> Vec<Strategy> {
    let ours = ours(scenario);
    let others = Strategy::usual().into_iter().filter(|rule| *rule != ours);
    std::iter::once(ours)
        .chain(others)
        .chain(std::iter::once(Strategy::ExactSplit))
        .collect()
}

/// The comparison of a scenario, without a draw yet.
#[must_use]
pub fn comparison(scenario: &Scenario) -> Comparison {
    Comparison::new(rules(scenario))
}

/// The seeds of a scenario's comparison, in order.
pub fn seeds(scenario: &Scenario) -> impl Iterator<Item = u64> + use<> {
    // Whole numbers in range, as checked.
    let (first, count) = (
        scenario.draws.first_seed as u64,
        scenario.draws.seeds as u64,
    );
    (0..count).map(move |n| first + n)
}

/// The setting of a scenario's runs on its own devices, with the background of a draw.
///
/// # Errors
/// The first field at fault.
pub fn setting(scenario: &Scenario, seed: u64) -> Result<RunSetting, Invalid> {
    on_network(scenario, scenario.network(seed)?)
}

/// The setting of a draw of the comparison: with devices and links of its own where the scenario says so.
fn draw_setting(scenario: &Scenario, seed: u64) -> Result<RunSetting, Invalid> {
    let network = if scenario.draws.networks {
        scenario.drawn_network(seed)?
    } else {
        scenario.network(seed)?
    };
    on_network(scenario, network)
}

fn on_network(scenario: &Scenario, network: DrawnNetwork) -> Result<RunSetting, Invalid> {
    RunSetting::new(
        scenario.layer()?,
        network.links,
        network.controller,
        network.supply,
        // Whole numbers in range, as checked.
        (scenario.new_tokens as u32, scenario.interval_tokens as u32),
        None,
    )
}

/// Our run and those of all other rules as the first draw, where devices and links are those of the scenario; `None` as long as
/// a rule is missing.
#[must_use]
pub fn first_draw(scenario: &Scenario, planned: &HeadsPlan, tracks: &[Track]) -> Option<HeadsDraw> {
    let seed = seeds(scenario)
        .next()
        .filter(|_| !scenario.draws.networks)?;
    let of_rule = |rule: &Strategy| {
        let track = tracks.iter().find(|track| track.strategy == *rule);
        track.map(|track| track.summary)
    };
    let others = rules(scenario);
    let sums: Option<Vec<HeadRunSummary>> = std::iter::once(Some(planned.summary))
        .chain(others[1..].iter().map(of_rule))
        .collect();
    Some(HeadsDraw { seed, sums: sums? })
}

/// Returns variants that may help: twice the speed of the devices that run the FFN most, twice the rate of every link, twice the
/// memory, and the fleet without the busiest device.
#[must_use]
pub fn worth_a_try(scenario: &Scenario, planned: &HeadsPlan) -> Vec<HeadsVariant> {
    let hosts = ffn_first(planned);
    let listed = |at: &usize| planned.places.get(*at).copied();
    let twice = hosts.iter().filter_map(listed).take(3);
    let mut changes: Vec<HeadsVariant> = twice
        .map(|device| HeadsVariant::Compute { device, times: 2.0 })
        .collect();
    changes.push(HeadsVariant::Links { times: 2.0 });
    changes.push(HeadsVariant::Memory { times: 2.0 });
    let busiest = hosts.first().and_then(listed);
    changes.extend(
        busiest
            .filter(|at| *at != scenario.controller)
            .map(|device| HeadsVariant::Without { device }),
    );
    changes
}

/// The scenario with a change.
///
/// # Errors
/// A change that leaves no scenario.
pub fn changed(scenario: &Scenario, instead: HeadsVariant) -> Result<Scenario, Invalid> {
    let mut changed = scenario.clone();
    match instead {
        HeadsVariant::Compute { device, times } => {
            if let Some(device) = changed.devices.get_mut(device) {
                device.compute_gops *= times;
            }
        }
        HeadsVariant::Links { times } => {
            changed.links.gbit_s *= times;
            changed
                .links
                .own
                .iter_mut()
                .for_each(|own| own.gbit_s *= times);
        }
        HeadsVariant::Memory { times } => changed
            .devices
            .iter_mut()
            .for_each(|device| device.memory_gb *= times),
        HeadsVariant::Without { device } => {
            if let Some(device) = changed.devices.get_mut(device) {
                device.off = true;
            }
        }
    }
    changed.validate()?;
    Ok(changed)
}

/// Receives the number of intervals done and in total, and may request a partial answer.
pub type Listener<'a> = ProgressListener<'a, HeadsResult>;

/// Answers; `on_progress` is called after every interval with the number done, and may request a partial answer.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// As many intervals as the run has, each as its rule; a draw does that for every rule.
pub fn answer(
    scenario: &Scenario,
    ask: &HeadsRequest,
    on_progress: &mut Listener<'_>,
) -> Result<HeadsResult, Invalid> {
    scenario.validate()?;
    let first = scenario.draws.first_seed as u64;
    match ask {
        HeadsRequest::Plan => {
            let setting = setting(scenario, first)?;
            let places: Vec<usize> = scenario.switched_on().map(|(at, _)| at).collect();
            let mut runner = HeadRunner::new(&setting, ours(scenario))?;
            let part = |run: &HeadRun| {
                let part = planned(&places, setting.tokens(), run);
                Some(HeadsResult::Plan(Box::new(part)))
            };
            through(&mut runner, (0, intervals(&setting)), on_progress, &part)?;
            let mut whole = planned(&places, setting.tokens(), runner.run());
            whole.proof = whole.failed_at.and_then(|_| runner.proof());
            Ok(HeadsResult::Plan(Box::new(whole)))
        }
        HeadsRequest::Track(strategy) => {
            let setting = setting(scenario, first)?;
            let every = setting.intervals().div_ceil(MOST_GAPS);
            let mut runner = HeadRunner::new(&setting, *strategy)?.with_gaps(every.max(1));
            through(&mut runner, (0, intervals(&setting)), on_progress, &|_| {
                None
            })?;
            Ok(HeadsResult::Track(track(*strategy, runner.finish()?)))
        }
        HeadsRequest::Draw { seed } => {
            let setting = draw_setting(scenario, *seed)?;
            let rules = rules(scenario);
            let all = intervals(&setting) * rules.len() as u64;
            let (mut done, mut sums) = (0, Vec::with_capacity(rules.len()));
            for rule in rules {
                let mut runner = HeadRunner::new(&setting, rule)?;
                done = through(&mut runner, (done, all), on_progress, &|_| None)?;
                sums.push(runner.finish()?.summary());
            }
            Ok(HeadsResult::Draw(HeadsDraw { seed: *seed, sums }))
        }
        HeadsRequest::Layers { layers, token } => {
            let setting = setting(scenario, first)?;
            let problem = setting.problem_at(*token, None)?;
            let problem = problem.ok_or_else(|| {
                let allowed = format!("a token of the answer, 1 to {}", setting.tokens());
                Invalid::range("token", *token, &allowed)
            })?;
            let count = (*layers).clamp(1, MOST_LAYERS) as usize;
            let interval = Interval {
                tokens: 1.0,
                ..problem.interval().clone()
            };
            let links = problem.links().clone();
            let stack = LayerStack::new(*problem.layer(), links, interval, vec![None; count])?;
            let mut done = 0;
            let (plan, bound) = layers::solve(&stack, ROUNDS, &mut |_| {
                done += 1;
                on_progress(done, None, &mut || None);
                ControlFlow::Continue(())
            })?;
            let placements = plan.map(|plan| plan.placements).unwrap_or_default();
            let scored = match placements.is_empty() {
                true => None,
                false => Some(stack.score(&placements)?),
            };
            Ok(HeadsResult::Layers(Layers {
                layers: count as u32,
                token: *token,
                placements,
                seconds: scored.map(|scored| scored.d_t).filter(|s| s.is_finite()),
                bound: Some(bound.value).filter(|value| value.is_finite()),
            }))
        }
        HeadsRequest::Instead(instead) => {
            let other = changed(scenario, *instead)?;
            let setting = setting(&other, first)?;
            let mut runner = HeadRunner::new(&setting, ours(&other))?;
            through(&mut runner, (0, intervals(&setting)), on_progress, &|_| {
                None
            })?;
            Ok(HeadsResult::Instead(runner.finish()?.summary()))
        }
    }
}

/// Runs to the end and answers how many intervals are done, those before it included; `so_far` makes a part of an answer
/// of as much as has been run.
fn through(
    runner: &mut HeadRunner,
    (before, all): (u64, u64),
    on_progress: &mut Listener<'_>,
    so_far: &dyn Fn(&HeadRun) -> Option<HeadsResult>,
) -> Result<u64, Invalid> {
    let mut done = before;
    while runner.advance()? {
        done += 1;
        let run = runner.run();
        on_progress(done, Some(all), &mut || so_far(run));
    }
    Ok(done)
}

/// The devices of a run, those first that ran the FFN for the most tokens; ties by index. Those that never did are left
/// out.
#[must_use]
pub fn ffn_first(planned: &HeadsPlan) -> Vec<usize> {
    let mut hosts = ffn_hosts(planned);
    hosts.in_order_of(|(device, tokens)| (std::cmp::Reverse(*tokens), *device));
    hosts.into_iter().map(|(device, _)| device).collect()
}

/// For how many tokens each device of a run had the FFN; those that never did are left out.
#[must_use]
pub fn ffn_hosts(planned: &HeadsPlan) -> Vec<(usize, usize)> {
    let mut tokens = vec![0; planned.places.len()];
    for segment in &planned.segments {
        let placement = segment.layout.placement();
        if let Some(device) = placement.and_then(|placement| placement.last()) {
            tokens[*device] += (segment.to + 1 - segment.from) as usize;
        }
    }
    let all = tokens.into_iter().enumerate();
    all.filter(|(_, tokens)| *tokens > 0).collect()
}

fn intervals(setting: &RunSetting) -> u64 {
    u64::from(setting.intervals())
}

fn planned(places: &[usize], tokens: u32, run: &HeadRun) -> HeadsPlan {
    let list = |part: fn(&engine::plan::TokenTime) -> f64| {
        run.tokens.iter().map(part).collect::<Vec<f64>>()
    };
    HeadsPlan {
        tokens,
        places: places.to_vec(),
        times: TokenSeconds {
            head_stage: list(|t| t.head_stage),
            proj: list(|t| t.proj),
            transfer: list(|t| t.transfer),
            ffn: list(|t| t.ffn),
            moving: list(|t| t.moving),
            elapsed: list(|t| t.elapsed),
            peak_memory: list(|t| t.peak_memory),
        },
        segments: run.segments.clone(),
        moves: run.moves.clone(),
        without_plan: run.without_plan.clone(),
        failed_at: run.failed_at,
        proof: None,
        devices: run.devices.clone(),
        summary: run.summary(),
    }
}

fn track(strategy: Strategy, run: HeadRun) -> Track {
    let count = run.tokens.len();
    let step = count.div_ceil(MOST_POINTS).max(1);
    let places: Vec<usize> = (0..count)
        .filter(|at| at % step == 0 || at + 1 == count)
        .collect();
    Track {
        strategy,
        summary: run.summary(),
        at: places.iter().map(|at| *at as u32 + 1).collect(),
        elapsed: places.iter().map(|at| run.tokens[*at].elapsed).collect(),
        peak_memory: places
            .iter()
            .map(|at| run.tokens[*at].peak_memory)
            .collect(),
        gaps: run.gaps,
    }
}

/// A run as `edgewise solve head-placement-run` answers it, with the scenario it belongs to and the rules beside it: what
/// `edgewise run --format json` prints and the page saves. Every placement is scored again.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The scenario.
    scenario: &'a Scenario,
    /// The plans among which a step whose status is `optimal` is the best.
    plan_class: PlanClass,
    /// All rules over all draws; none while draws are missing.
    comparison: Option<Compared>,
    /// The answer to each interval.
    steps: Vec<StepAnswer>,
    /// Totals of the run.
    total: Total,
    /// Intervals without a plan.
    infeasible_steps: u32,
    /// Last token of the interval at which the run failed; `null` where it did not.
    failed_at: Option<u32>,
    /// Time to load, first token, rates and memory.
    summary: RunSummary,
}

/// All layers of the model, each placed as the planned one at the last token.
#[derive(Debug, Clone, PartialEq)]
pub struct AllLayers {
    /// How many.
    pub count: f64,
    /// Time of the run's tokens through all of them [s]; embedding and output head are no part of it.
    pub seconds: f64,
    /// Memory of the devices with blocks: weights and caches of all layers, and the buffers of one. Empty by the paper's Table I.
    pub memory: Vec<(HeadDevice, BlockMemory)>,
}

impl AllLayers {
    /// True if every device has memory for its part.
    #[must_use]
    pub fn fits(&self) -> bool {
        let mut all = self.memory.iter();
        all.all(|(device, memory)| memory.sum() <= 1e9 * device.memory_gb)
    }
}

/// The layers of the model, or the one where their number is not known. `None` for a run that did not come to its end.
///
/// # Complexity
/// O(blocks · devices).
#[must_use]
pub fn all_layers(scenario: &Scenario, planned: &HeadsPlan) -> Option<AllLayers> {
    let is_whole = planned.failed_at.is_none() && planned.summary.tokens > 0;
    let count = scenario.model.layers.unwrap_or(1.0);
    is_whole.then(|| AllLayers {
        count,
        seconds: count * planned.summary.seconds,
        memory: memory_of(scenario, planned, count).unwrap_or_default(),
    })
}

/// Memory of the devices with blocks at the last token. `None` where no blocks are placed, or memory is that of Table I, which has no
/// parts.
fn memory_of(
    scenario: &Scenario,
    planned: &HeadsPlan,
    layers: f64,
) -> Option<Vec<(HeadDevice, BlockMemory)>> {
    let last = planned.segments.last()?;
    let placement = last.layout.placement()?;
    let [head, proj, ffn] = scenario.layer().ok()?.memory_parts(last.to)?;
    let heads = placement.len().checked_sub(2)?;
    let on = |(at, listed): (usize, &usize)| {
        let mut sum = BlockMemory::default();
        for (block, device) in placement.iter().enumerate() {
            let one = match block.checked_sub(heads) {
                None => head,
                Some(0) => proj,
                Some(_) => ffn,
            };
            if *device == at {
                sum.weights += layers * one.weights;
                sum.cache += layers * one.cache;
                sum.buffers += one.buffers;
            }
        }
        (sum.sum() > 0.0).then(|| (scenario.devices[*listed].clone(), sum))
    };
    Some(planned.places.iter().enumerate().filter_map(on).collect())
}

/// The document of a run, with the draws of its comparison.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// O(V² + h) an interval.
pub fn document<'a>(
    scenario: &'a Scenario,
    planned: &HeadsPlan,
    drawn: &Comparison,
    calibration: Option<CalibrationError>,
) -> Result<Document<'a>, Invalid> {
    let setting = setting(scenario, scenario.draws.first_seed as u64)?;
    let is_exact = ours(scenario).is_exact();
    let mut steps = Vec::with_capacity(setting.intervals() as usize);
    let (mut before, mut prev) = (0, None);
    for due in setting.due() {
        if planned.failed_at.is_some_and(|n| due.n > n) {
            break;
        }
        let problem = setting.problem(before, &due, prev.clone())?;
        let layout = planned.segment(due.n).map(|segment| &segment.layout);
        let missed = planned.without_plan.iter().find(|w| w.n == due.n);
        let is_best = is_exact && missed.is_none();
        steps.push(StepAnswer {
            n: due.n,
            answer: head_placement::Answer::of_step(&problem, None, layout, is_best),
            remedy: missed.map(|w| w.remedy),
        });
        before = due.n;
        prev = layout.and_then(Layout::placement).cloned();
    }
    let sum = &planned.summary;
    Ok(Document {
        scenario,
        plan_class: PlanClass::WholeBlocks,
        comparison: Compared::of(scenario, drawn),
        steps,
        total: Total {
            seconds: sum.seconds,
            d_mig: sum.moving,
            migrations: sum.moves,
        },
        infeasible_steps: sum.without_plan,
        failed_at: planned.failed_at,
        summary: RunSummary::of_heads(scenario, planned, calibration),
    })
}

impl Document<'_> {
    /// The document as text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer is words and numbers")
    }
}
