//! Layer maps: who runs which layers of a model, in running order.

use super::{host, plain};
use engine::model::catalog;
use engine::plan::{Stage, StageTiming};
use engine::problem::device_name;
use engine::problem::{Code, ColdStart, Invalid};
use engine::scenario::{Scenario, tiers};
use engine::units::{bytes, count};
use job::cold_start::evaluate;
use job::tiers::Plan;
use serde::{Deserialize, Serialize};
use story::list;

/// Who runs which layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What the user calls the device.
    pub name: String,
    /// Its index among the user's devices, from 0.
    pub device: usize,
    /// First layer, from 1.
    pub first: usize,
    /// Last layer, from 1, inclusive.
    pub last: usize,
}

impl Part {
    /// How many layers it runs: at least one.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.last + 1 - self.first
    }
}

/// A layer map: every layer of a model on one device, consecutive layers together, in running order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    model: String,
    layers: usize,
    parts: Vec<Part>,
    pub(super) tied: Option<bool>,
    /// Tokens of context that the plan has room for, where it counts them.
    pub(super) context: Option<u64>,
    pub(super) caveats: Vec<String>,
}

impl Chain {
    /// A layer map of a model with so many layers.
    ///
    /// # Errors
    /// A map that leaves a layer out, names one twice, has an empty stage or a device twice; `plan[i]` says where.
    ///
    /// # Complexity
    /// O(S²) for S stages.
    pub fn new(model: &str, layers: usize, parts: Vec<Part>) -> Result<Self, Invalid> {
        let fault = |at: usize, message: &str| {
            Err(Invalid::new(
                Code::Plan,
                format!("plan[{at}]"),
                at,
                format!("plan[{at}] {message}"),
            ))
        };
        let mut next = 1;
        for (at, part) in parts.iter().enumerate() {
            if part.first != next {
                return fault(at, "must begin where the stage before it ends");
            }
            if part.last < part.first || part.last > layers {
                return fault(at, "must hold at least one of the model\u{2019}s layers");
            }
            if parts[..at].iter().any(|other| other.device == part.device) {
                return fault(at, "must be on a device that no other stage has");
            }
            next = part.last + 1;
        }
        if next != layers + 1 || parts.is_empty() {
            return fault(parts.len(), "is missing: the last layers have no device");
        }
        Ok(Self {
            model: model.to_owned(),
            layers,
            parts,
            tied: None,
            context: None,
            caveats: Vec::new(),
        })
    }

    /// Says whether embedding and output head are one matrix; unknown otherwise.
    #[must_use]
    pub const fn with_tied(mut self, tied: Option<bool>) -> Self {
        self.tied = tied;
        self
    }

    /// Adds a note that holds whatever the tool.
    #[must_use]
    pub fn with_caveat(mut self, caveat: impl Into<String>) -> Self {
        self.caveats.push(caveat.into());
        self
    }

    /// A cold-start plan; `fits` says whether every stage fits its device.
    ///
    /// # Errors
    /// A plan that is no layer map.
    pub fn of_cold_start(
        scenario: &Scenario,
        problem: &ColdStart,
        plan: &[Stage],
        fits: bool,
    ) -> Result<Self, Invalid> {
        let part = |stage: &Stage| Part {
            name: device_name(problem, stage.device),
            device: stage.device,
            first: stage.first,
            last: stage.last,
        };
        let name = scenario.model.name();
        let parts = plan.iter().map(part).collect();
        let tied = catalog::find(name).map(|entry| entry.tied_embeddings);
        let mut chain = Self::new(name, problem.layers().len(), parts)?.with_tied(tied);
        if scenario.model.is_table() {
            chain = chain.with_caveat(
                "The model is a table of layers: the map holds where each row is one block of the model.",
            );
        }
        chain.context = scenario
            .memory
            .map(|memory| scenario.context(&memory, scenario.prompt_tokens) as u64);
        for said in in_memory(&chain, scenario, plan) {
            chain = chain.with_caveat(said);
        }
        Ok(if fits {
            chain
        } else {
            chain.with_caveat(UNFIT)
        })
    }

    /// A split over tiers. A tier is one stage however many nodes it has: the chain is one node of each.
    ///
    /// # Errors
    /// A split that is no layer map.
    pub fn of_tiers(scenario: &tiers::Scenario, plan: &Plan) -> Result<Self, Invalid> {
        let mut last = 0;
        let held = plan.placed.iter().filter(|placed| placed.blocks > 0);
        let parts = held.map(|placed| {
            let first = last + 1;
            last += placed.blocks;
            let name = scenario.tiers.get(placed.tier);
            Part {
                name: name.map_or_else(String::new, |tier| tier.name.clone()),
                device: placed.tier,
                first,
                last,
            }
        });
        let parts: Vec<Part> = parts.collect();
        let several = parts.iter().any(|part| {
            let tier = scenario.tiers.get(part.device);
            tier.is_some_and(|tier| tier.nodes > 1.0)
        });
        let tied = Some(scenario.model.tied_embeddings);
        let model = scenario.model.name.as_str();
        let mut chain = Self::new(model, scenario.blocks(), parts)?.with_tied(tied);
        if several {
            chain = chain.with_caveat(
                "The flags are for one chain: one node of each tier. Which node of a tier takes a request is the \
                 dispatcher\u{2019}s choice; start one chain for each set of nodes.",
            );
        }
        Ok(if plan.mem_ok {
            chain
        } else {
            chain.with_caveat(UNFIT)
        })
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// How many layers the model has.
    #[must_use]
    pub const fn layers(&self) -> usize {
        self.layers
    }

    /// Who runs which layers, in running order: at least one part.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The tokens of context, or what stands for them.
    pub(super) fn context_told(&self) -> String {
        self.context
            .map_or_else(|| "CTX".to_owned(), |tokens| tokens.to_string())
    }

    /// The number of layers of each stage, in running order.
    pub(super) fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(Part::count).collect()
    }

    /// The name of a stage's device as comments may hold it, or its place where nothing of it is left.
    pub(super) fn name_of(&self, stage: usize) -> String {
        let name = self.parts.get(stage).map(|part| plain(&part.name));
        let name = name.filter(|name| name.chars().any(char::is_alphanumeric));
        name.unwrap_or_else(|| format!("stage {}", stage + 1))
    }

    /// The model's name as comments may hold it.
    pub(super) fn model_name(&self) -> String {
        let name = plain(&self.model);
        if name.chars().any(char::is_alphanumeric) {
            name
        } else {
            "the model".to_owned()
        }
    }

    /// What a stage is, as a line of a comment: `stage 2 of 4, on D4, HOST2, layers 8 to 12`.
    pub(super) fn stage_line(&self, stage: usize) -> String {
        let part = &self.parts[stage];
        let layers = if part.count() == 1 {
            format!("layer {}", part.first)
        } else {
            format!("layers {} to {}", part.first, part.last)
        };
        format!(
            "# Stage {} of {}, on {}, {}, {layers}",
            stage + 1,
            self.parts.len(),
            self.name_of(stage),
            host(stage)
        )
    }
}

/// What of each device's memory is used when a cold-start plan runs, and where that is too much.
fn in_memory(chain: &Chain, scenario: &Scenario, plan: &[Stage]) -> Vec<String> {
    let run = scenario.as_it_runs();
    let problem = run.problem();
    let scored = problem
        .as_ref()
        .ok()
        .and_then(|p| evaluate(p, plan).ok().map(|scored| (p, scored)));
    let (Some((problem, scored)), Some(memory)) = (scored, run.memory) else {
        return Vec::new();
    };
    let row = |(stage, row): (usize, &StageTiming)| {
        let have = problem.machines()[row.device].memory.get();
        let (name, need) = (chain.name_of(stage), bytes(row.mem));
        (row.mem_ok, format!("{name} {need} of {}", bytes(have)))
    };
    let rows: Vec<(bool, String)> = scored.timeline.iter().enumerate().map(row).collect();
    let told = |wanted: fn(&bool) -> bool| -> Vec<String> {
        let rows = rows.iter().filter(|(fits, _)| wanted(fits));
        rows.map(|(_, words)| words.clone()).collect()
    };
    let context = count(run.context(&memory, run.prompt_tokens));
    let cache = match run.model.cache_of_layers() {
        Some(_) => format!("a cache of {context} tokens"),
        None => "no cache (its size is not known)".to_owned(),
    };
    let ends = match memory.ends(&run.model) {
        Some(_) => "the embedding on the first device and the output head on the last",
        None => "neither embedding nor output head (their sizes are not known)",
    };
    let rule = if scenario.memory.is_some() {
        ""
    } else {
        " The plan was made by the paper\u{2019}s rule, which counts the blocks and the largest output alone."
    };
    let mut said = vec![format!(
        "Memory in use when the plan runs, of the usable memory: {}. That is the weights, the largest output, {cache}, {ends}.{rule}",
        list(&told(|_| true))
    )];
    let over = told(|fits| !fits);
    if !over.is_empty() {
        said.push(format!(
            "Too little memory to run: {}. Let memory count all that runs (\u{201c}Memory counts\u{201d} on the page, \
             \u{201c}memory\u{201d} in a scenario file) for a plan that has room.",
            list(&over)
        ));
    }
    said
}

const UNFIT: &str = "This plan does not fit the memory of every device in it.";
