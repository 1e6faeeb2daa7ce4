//! The predictions of an answer in one form for every question that generates tokens, so that scripts can check them.

use crate::cold_start::Answer;
use crate::dispatch::DispatchPlan;
use crate::heads::{AllLayers, HeadsPlan, all_layers};
use crate::tiers::Planned;
use engine::hardware::calibration::{Accuracy, OF_EXPERTS, PredictedMachine};
use engine::plan::StageTiming;
use engine::problem::head_sizes::BlockMemory;
use engine::problem::{ColdStart, LoadOrder, StageSums};
use engine::scenario::heads::HeadDevice;
use engine::scenario::world::{QuestionView, World};
use engine::scenario::{Device, Scenario, dispatch, heads, tiers};
use serde::Serialize;

/// Predictions of an answer; null where the question does not model it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct RunSummary {
    /// True if there is a plan whose every part fits its machine.
    pub fits: bool,
    /// Until the last machine has its weights [s].
    pub load_s: Option<f64>,
    /// Until the first token, loading included [s].
    pub first_token_s: Option<f64>,
    /// Rate of the prompt once everything is loaded [token/s].
    pub prefill_tok_s: Option<f64>,
    /// Rate of the tokens after the first one, of one request [token/s].
    pub decode_tok_s: Option<f64>,
    /// Memory of each machine of the plan.
    pub memory: Vec<MachineMemory>,
    /// How far predictions of generation were off, for the machine of the plan of which least is known; null where the terms of one of
    /// them are not those of a class: nothing like it was measured, or they were given.
    pub calibration: Option<CalibrationError>,
}

/// Memory of one machine by part [B].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct MachineMemory {
    /// Its name.
    pub machine: String,
    /// Weights of its blocks.
    pub weights_b: f64,
    /// Embedding and output head, where they stand on it and are counted.
    pub embedding_head_b: f64,
    /// Keys and values for which there is room.
    pub cache_b: f64,
    /// The largest output between blocks, and the runtime's buffer of logits on the machine of the last.
    pub buffers_b: f64,
    /// What it has.
    pub usable_b: f64,
}

/// How far predictions of a class of machines were off that were not part of the fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct CalibrationError {
    /// Median of |predicted / measured - 1| of the rate.
    pub median_error: f64,
    /// Published runs that the class rests on.
    pub rows: u32,
}

impl CalibrationError {
    /// The largest error of these machines; `None` if one of them is not predicted by the terms of a class.
    fn of<'a>(
        machines: impl Iterator<Item = PredictedMachine<'a>>,
        has_experts: bool,
    ) -> Option<Self> {
        let of_machine = |machine: PredictedMachine<'a>| {
            Some((machine.calibration()?.rows, machine.accuracy()?))
        };
        Self::worst(machines.map(of_machine), has_experts)
    }

    /// The largest error of the machines of a view that are on, where it predicts this rate of all of them.
    #[must_use]
    pub fn of_rate(world: &World, view: &QuestionView, rate: &str) -> Option<Self> {
        let is_on = |id: &&u32| {
            let machine = world.machines.iter().find(|machine| machine.id == **id);
            machine.is_some_and(|machine| !machine.off)
        };
        let shown = view.rows.iter().filter(is_on);
        let of_machine = |id: &u32| {
            let class = world.calibration_of(view, *id, rate)?;
            Some((class.rows, class.decode))
        };
        Self::worst(shown.map(of_machine), world.model.has_experts())
    }

    /// The largest of these errors, each with the runs that it rests on; `None` if one is not known.
    fn worst(
        machines: impl Iterator<Item = Option<(u32, Accuracy)>>,
        has_experts: bool,
    ) -> Option<Self> {
        let each = machines.map(|found| {
            let (rows, accuracy) = found?;
            let median_error = accuracy.median_error;
            Some(Self { median_error, rows })
        });
        let each: Vec<Self> = each.collect::<Option<_>>()?;
        let by_error = |a: &Self, b: &Self| a.median_error.total_cmp(&b.median_error);
        let worst = each.into_iter().max_by(by_error)?;
        // The classes were fitted to dense models.
        let of_experts = Self {
            median_error: OF_EXPERTS.median_error,
            rows: OF_EXPERTS.rows,
        };
        Some(if has_experts { of_experts } else { worst })
    }
}

/// Until the last machine of a plan has its weights [s]. O(stages + layers).
#[must_use]
pub fn load_time(problem: &ColdStart, stages: &[StageTiming]) -> f64 {
    let loads = stages.iter().map(|stage| stage.load);
    loads.fold(0.0, f64::max) + read_on_demand(problem, stages)
}

/// Time in which weights are read while their layers are computed [s].
fn read_on_demand(problem: &ColdStart, stages: &[StageTiming]) -> f64 {
    let of_stage = |stage: &StageTiming| {
        let sums = StageSums::of(&problem.layers()[stage.s - 1..stage.e]);
        problem.waiting_time(stage.device, &sums)
    };
    match problem.load_order() {
        LoadOrder::OnDemand => stages.iter().map(of_stage).sum(),
        LoadOrder::Beside | LoadOrder::BeforeAll => 0.0,
    }
}

/// The least share of a time by which another is a gain.
pub const LEAST_GAIN: f64 = 0.01;

/// Returns true if saving `saved` of `before` [s] is a gain: less than a millisecond or a hundredth is within what no
/// prediction resolves.
#[must_use]
pub fn is_gain(saved: f64, before: f64) -> bool {
    saved >= 1e-3 && saved >= LEAST_GAIN * before
}

impl RunSummary {
    /// Of a cold start. `answer` counts devices as the problem does.
    #[must_use]
    pub fn of_cold_start(scenario: &Scenario, answer: &Answer) -> Self {
        let problem = scenario.problem().ok();
        let stages = answer.timeline.as_deref().unwrap_or_default();
        let work: f64 = stages.iter().map(|stage| stage.comm + stage.comp).sum();
        // Weights that are read while a layer is computed are no part of the prompt's rate.
        let on_demand = (problem.as_ref()).map_or(0.0, |problem| read_on_demand(problem, stages));
        let work = work - on_demand;
        let is_planned = answer.plan.is_some();
        let machines = problem.as_ref().filter(|_| is_planned);
        let memory = machines.map_or_else(Vec::new, |problem| {
            let one = |stage: &StageTiming| {
                cold_start_memory(scenario, problem, (stage.device, stage.s, stage.e))
            };
            stages.iter().map(one).collect()
        });
        let devices: Vec<&Device> = scenario.switched_on().map(|(_, device)| device).collect();
        let used = stages.iter().filter_map(|stage| devices.get(stage.device));
        let calibration = CalibrationError::of(
            used.map(|device| device.predicted()),
            scenario.model.has_experts(),
        );
        let decode = answer.decode.as_ref();
        Self {
            fits: is_planned && stages.iter().all(|stage| stage.mem_ok),
            load_s: (problem.as_ref())
                .filter(|_| is_planned)
                .map(|problem| load_time(problem, stages)),
            first_token_s: answer.T,
            prefill_tok_s: is_planned.then(|| scenario.prompt_tokens / work),
            decode_tok_s: decode.map(|decode| decode.rate_one_request),
            calibration: calibration.filter(|_| decode.is_some() && is_planned),
            memory,
        }
    }

    /// Of tiers. They start with everything loaded.
    #[must_use]
    pub fn of_tiers(scenario: &tiers::Scenario, planned: &Planned) -> Self {
        let plan = planned.plan.as_ref();
        let memory = |stage: &crate::tiers::Stage| {
            let blocks = stage.first - 1..stage.last;
            let memory = scenario.with_costs(|costs| costs.memory(&blocks));
            MachineMemory {
                machine: scenario.tiers[stage.tier].name.clone(),
                weights_b: memory.weights,
                embedding_head_b: memory.ends,
                cache_b: memory.cache,
                buffers_b: memory.logits + memory.prompt,
                usable_b: 1e9 * stage.room,
            }
        };
        let passes = plan.map(|plan| {
            let stages: f64 = plan.stages.iter().map(|stage| stage.prefill).sum();
            let hops: f64 = plan.hops.iter().map(|hop| hop.prefill).sum();
            stages + hops
        });
        let memory: Vec<MachineMemory> =
            plan.map_or_else(Vec::new, |plan| plan.stages.iter().map(memory).collect());
        let placed = plan.iter().flat_map(|plan| &plan.placed);
        let used = placed.map(|placed| scenario.tiers[placed.tier].predicted());
        let calibration = CalibrationError::of(used, scenario.model.has_experts());
        Self {
            fits: plan.is_some_and(|plan| plan.mem_ok),
            load_s: None,
            first_token_s: plan.map(|plan| plan.first_token),
            prefill_tok_s: passes.map(|seconds| scenario.prompt_tokens / seconds),
            decode_tok_s: plan.map(|plan| 1.0 / plan.per_token),
            calibration: calibration
                .filter(|_| plan.is_some() && scenario.cost.mode == tiers::Mode::Runtime),
            memory,
        }
    }

    /// Of head placement: the tokens of the first draw, moves included, through all layers of the model where their number is known, else
    /// through the one. What devices hold differs from token to token; it is that of the last one.
    #[must_use]
    pub fn of_heads(
        scenario: &heads::Scenario,
        planned: &HeadsPlan,
        calibration: Option<CalibrationError>,
    ) -> Self {
        let sum = &planned.summary;
        let is_whole = planned.failed_at.is_none() && sum.tokens > 0;
        let all_layers = all_layers(scenario, planned);
        Self {
            fits: is_whole
                && sum.violations == 0
                && all_layers.as_ref().is_none_or(AllLayers::fits),
            load_s: None,
            first_token_s: None,
            prefill_tok_s: None,
            decode_tok_s: all_layers
                .as_ref()
                .filter(|all| all.fits())
                .map(|all| f64::from(sum.tokens) / all.seconds),
            memory: all_layers.as_ref().map_or_else(Vec::new, heads_memory),
            calibration,
        }
    }

    /// Of device or server: the device of the policies, whose rates are given. What it holds is no part of the question.
    #[must_use]
    pub fn of_dispatch(
        scenario: &dispatch::Scenario,
        planned: &DispatchPlan,
        calibration: Option<CalibrationError>,
    ) -> Self {
        let device = scenario.devices.get(planned.device);
        Self {
            fits: device.is_some(),
            load_s: device.map(|device| device.start_s),
            first_token_s: Some(planned.ours().outcome.mean),
            prefill_tok_s: device.map(|device| device.prefill_tok_s),
            decode_tok_s: device.map(|device| device.decode_tok_s),
            memory: Vec::new(),
            calibration,
        }
    }
}

/// Memory of the devices that hold blocks at the last token.
fn heads_memory(all: &AllLayers) -> Vec<MachineMemory> {
    let row = |(device, memory): &(HeadDevice, BlockMemory)| MachineMemory {
        machine: device.name.clone(),
        weights_b: memory.weights,
        embedding_head_b: 0.0,
        cache_b: memory.cache,
        buffers_b: memory.buffers,
        usable_b: 1e9 * device.memory_gb,
    };
    all.memory.iter().map(row).collect()
}

/// Memory of a stage of layers on a device; layers count from 1.
fn cold_start_memory(
    scenario: &Scenario,
    problem: &ColdStart,
    (device, first, last): (usize, usize, usize),
) -> MachineMemory {
    let layers = &problem.layers()[first - 1..last];
    let sums = StageSums::of(layers);
    // Of weights that may be read again, those that have room are in memory.
    let weights = sums.weights - problem.streamed(device, &sums);
    let beside = match problem.streams() {
        true => sums.held,
        false => sums.held - sums.weights,
    };
    let as_it_runs = scenario.memory;
    let ends = as_it_runs.and_then(|memory| memory.ends(&scenario.model));
    let logits = as_it_runs.and_then(|memory| memory.logits_buffer(&scenario.model));
    let (embedding, head) = ends.unwrap_or_default();
    let has_last = last == problem.layers().len();
    let logits = logits.filter(|_| has_last).unwrap_or_default();
    let own = if first == 1 { embedding } else { 0.0 } + if has_last { head } else { 0.0 };
    let outputs = layers.iter().map(|layer| layer.activation.get());
    let machine = &problem.machines()[device];
    MachineMemory {
        machine: machine.name.clone(),
        weights_b: weights,
        embedding_head_b: own,
        cache_b: (beside - own - logits).max(0.0),
        buffers_b: outputs.fold(0.0, f64::max) + logits,
        usable_b: machine.memory.get(),
    }
}
