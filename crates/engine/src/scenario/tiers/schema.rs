//! The wire format of a tiers scenario, version 1. Every field is written, in this order; unknown fields are
//! refused, missing ones too.

pub use crate::model::precision::Precision;

use super::TierModel;
use crate::model::precision::{Stored, of_cache};
use crate::problem::{Code, Invalid};
use crate::scenario::Question;
use crate::scenario::fields::{self, NumberFields, numbers};
use crate::scenario::schema::{check_head, read};
use serde::{Deserialize, Serialize};

/// The version of the format that this program reads and writes.
pub const FORMAT: u32 = 1;
/// The most tiers of a scenario: order and skipping are enumerated.
pub const MOST_TIERS: usize = 6;
/// The most requests of one simulated run.
pub const MOST_REQUESTS: f64 = 20_000.0;

/// Everything a person can set for the tiers question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Version of this format.
    pub format: u32,
    /// The question, always [`Question::Tiers`].
    pub question: Question,
    /// Name of the scenario on the page.
    pub title: String,
    /// The model to run.
    pub model: TierModel,
    /// Prompt of a request [tokens], P.
    pub prompt_tokens: f64,
    /// Answer of a request [tokens], G.
    pub out_tokens: f64,
    /// Cost model of a pass.
    pub cost: Cost,
    /// The link between neighbouring tiers.
    pub link: Link,
    /// The tiers; a prompt enters at the first.
    pub tiers: Vec<Tier>,
    /// Goal.
    pub goal: Goal,
    /// In which order the tiers may be used.
    pub order: Order,
    /// Blocks on each tier, if the user has set them, none where it is switched off; each whole, 0 or above.
    pub split: Option<Vec<f64>>,
    /// The requests that arrive.
    pub load: Load,
}

/// Limiting resource of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The slower of arithmetic and memory.
    Roofline,
    /// Arithmetic alone, with TOPS taken for FLOPS: the paper's formula.
    Flops,
    /// What the runtime of each tier was measured to reach, as a cold start counts it.
    Runtime,
}

/// Cost model of a pass through a stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Limiting resource of a block.
    pub mode: Mode,
    /// How weights are kept.
    pub weights: Precision,
    /// How keys and values are kept; left out for 16 bits.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "of_cache"
    )]
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(schema_with = "crate::model::precision::cache_schema")
    )]
    pub cache: Option<Precision>,
    /// Share of dense fp16 arithmetic, a quarter of the TOPS, that is reached (roofline, and runtimes whose own rate is not known).
    pub eta_c: f64,
    /// Share of the memory rate that is reached (roofline).
    pub eta_b: f64,
    /// Share of the TOPS that is reached (arithmetic alone).
    pub eta_f: f64,
    /// Additional time of every pass of a stage [ms].
    pub overhead_ms: f64,
    /// Time before a request enters, for each billion parameters [s].
    pub setup_s_per_gparam: f64,
    /// Bytes of one value of an activation on the wire.
    pub wire_bytes: f64,
    /// Tokens for which a node keeps room in its cache for each request, prompt and answer included [tokens]; left out for those of the
    /// request. For the cost `runtime`, whose plans have room for one request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<f64>,
    /// True if the partition counts blocks only, as the paper’s does. The times shown include the output head all the same.
    pub blocks_only: bool,
}

/// A link from one tier to the next.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Rate [Mbit/s].
    pub rate_mbit_s: f64,
    /// Time on the way besides [ms]; the return of a token to the first tier takes as long.
    pub latency_ms: f64,
}

/// A tier of like nodes, each of which holds all blocks of the tier.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// Its name.
    pub name: String,
    /// True if it is switched off: it keeps its numbers and its place, and no plan may use it.
    pub off: bool,
    /// Nodes, K.
    pub nodes: f64,
    /// Compute of a node as its data sheet says it [TOPS].
    pub tops: f64,
    /// Memory rate of a node [GB/s].
    pub bandwidth_gb_s: f64,
    /// Memory of a node as sold [GB].
    pub memory_gb: f64,
    /// Memory that the operating system leaves [GB].
    pub usable_gb: f64,
    /// Power of a busy node [W].
    pub power_w: f64,
    /// Its own link to the next tier, or `null` for the shared one.
    pub link: Option<Link>,
    /// Compute rate on prompts, attention apart [TFLOPS]; left out where unknown. As all that follow, for the cost `runtime` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefill_tflops: Option<f64>,
    /// Compute rate of attention on prompts [TFLOPS]; left out for that of the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_tflops: Option<f64>,
    /// Fixed time of each block and batch of 512 prompt tokens [us]; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_us: Option<f64>,
    /// Share of the memory rate that decoding reaches; left out for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_share: Option<f64>,
    /// Compute rate in decoding [TFLOPS]; left out for the share of a quarter of the TOPS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode_tflops: Option<f64>,
    /// Fixed time of each block and token [us]; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_us: Option<f64>,
    /// How many times longer its host takes to launch the kernels of a block than a usual one: 1 for a usual host, about 5 for a slow
    /// one; left out where unknown. What is assumed as `layer_us` of NVIDIA cards follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_factor: Option<f64>,
    /// Fixed time of each token outside the blocks [ms]; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_ms: Option<f64>,
}

/// Goal of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The slowest stage, as the paper does.
    Bottleneck,
    /// The slowest stage with the nodes of a tier shared out: what limits the rate of requests.
    Rate,
    /// The time of a lone request: the sum of the stages.
    Request,
}

impl Goal {
    /// All goals, the paper's first.
    pub const ALL: [Self; 3] = [Self::Bottleneck, Self::Rate, Self::Request];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bottleneck => "bottleneck",
            Self::Rate => "rate",
            Self::Request => "request",
        }
    }
}

/// In which order tiers may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// All of them as they are listed, each with a block at least.
    Listed,
    /// In the listed order, without some of them; the first holds the prompt and stays.
    Skip,
    /// In any order, some left out; the first holds the prompt and stays the first.
    Any,
}

/// When requests arrive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Requests {
    /// At random, with a mean rate.
    Poisson {
        /// Mean rate [1/s].
        rate_per_s: f64,
        /// How many.
        count: f64,
    },
    /// As recorded: when each comes [s], ascending, and how many tokens it puts out.
    Trace(Vec<(f64, f64)>),
}

/// Rule that chooses a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scheduler {
    /// HypSched-RT.
    Hypsched,
    /// One after the other.
    RoundRobin,
    /// By lot.
    Random,
}

/// The requests that arrive, and how they are served.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// When they arrive.
    pub requests: Requests,
    /// Runs with other seeds, of which the mean and the spread are shown.
    pub seeds: f64,
    /// The first seed.
    pub first_seed: f64,
    /// Rule that chooses a node.
    pub scheduler: Scheduler,
    /// Decode passes that a node serves together at most.
    pub batch: f64,
}

impl Cost {
    /// How the model is stored.
    #[must_use]
    pub const fn stored(&self) -> Stored {
        Stored {
            weights: Some(self.weights),
            cache: self.cache,
        }
    }
}

numbers!(Cost: eta_c, eta_b, eta_f, overhead_ms, setup_s_per_gparam, wire_bytes, [context_tokens]);
numbers!(Link: rate_mbit_s, latency_ms);
numbers!(Tier: nodes, tops, bandwidth_gb_s, memory_gb, usable_gb, power_w, [prefill_tflops], [attention_tflops], [batch_us], [memory_share], [decode_tflops], [layer_us], [host_factor], [token_ms]);
numbers!(Load: seeds, first_seed, batch);
numbers!(Scenario: prompt_tokens, out_tokens);

/// The places of a scenario where an object stands, for [`read`].
pub(super) const OBJECTS: [&str; 8] = [
    "",
    "model",
    "model.blocks[]",
    "cost",
    "link",
    "tiers[]",
    "tiers[].link",
    "load",
];

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let scenario: Self = read(text, &OBJECTS, FORMAT)?;
        scenario.validate().map(|()| scenario)
    }

    /// The scenario as a file: every field, fixed order, numbers that read back to the same bits.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data with text keys always serialises")
    }

    /// The tiers that a plan may use, each with its place in the list.
    pub fn switched_on(&self) -> impl Iterator<Item = (usize, &Tier)> {
        self.tiers.iter().enumerate().filter(|(_, tier)| !tier.off)
    }

    /// Returns true if there is no tier that a plan could use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.switched_on().next().is_none()
    }

    /// Checks every field against the ranges of the page, and that there is a tier.
    ///
    /// # Errors
    /// The first field out of range; no tier, too many, or none that is on.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.validate_fields()?;
        let count = self.tiers.len();
        if count == 0 || count > MOST_TIERS {
            let message =
                format!("tiers must be a list of 1 to {MOST_TIERS} tiers, it has {count}");
            return Err(Invalid::new(Code::Range, "tiers", count, message));
        }
        if self.is_empty() {
            let message = "tiers must have at least one that is switched on, all are off";
            return Err(Invalid::new(Code::Range, "tiers", count, message));
        }
        Ok(())
    }

    /// Checks every field against the ranges of the page; there may be no tier.
    ///
    /// # Errors
    /// The first field out of range.
    pub fn validate_fields(&self) -> Result<(), Invalid> {
        let head = (self.format, self.question, self.title.as_str());
        check_head(head, Question::Tiers, &[FORMAT])?;
        self.model.validate()?;
        self.check_numbers("")?;
        self.cost.check_numbers("cost")?;
        self.link.check_numbers("link")?;
        for (j, tier) in self.tiers.iter().enumerate() {
            let owner = format!("tiers[{j}]");
            fields::text(&format!("{owner}.name"), &tier.name, fields::LONGEST_NAME)?;
            tier.check_numbers(&owner)?;
            if tier.usable_gb > tier.memory_gb {
                let most = format!("at most the memory, {} GB", tier.memory_gb);
                return Err(Invalid::range(
                    format!("{owner}.usable_gb"),
                    tier.usable_gb,
                    &most,
                ));
            }
            if let Some(own) = tier.link {
                own.check_numbers(&format!("{owner}.link"))?;
            }
        }
        self.validate_split()?;
        self.load.validate()
    }

    fn validate_split(&self) -> Result<(), Invalid> {
        let Some(split) = &self.split else {
            return Ok(());
        };
        let (tiers, layers) = (self.tiers.len(), self.model.blocks() as f64);
        if split.len() != tiers {
            let message = format!(
                "split must have one number of blocks for each of the {tiers} tiers, it has {}",
                split.len()
            );
            return Err(Invalid::new(Code::Range, "split", split.len(), message));
        }
        for (j, (blocks, tier)) in split.iter().zip(&self.tiers).enumerate() {
            let most = if tier.off { 0.0 } else { layers };
            if !(*blocks >= 0.0 && *blocks <= most && libm::trunc(*blocks) == *blocks) {
                let allowed = format!("a whole number from 0 to {most}");
                return Err(Invalid::range(format!("split[{j}]"), *blocks, &allowed));
            }
        }
        let sum: f64 = split.iter().sum();
        if sum != layers {
            let message = format!(
                "split must add up to the {layers} blocks of the model, it adds up to {sum}"
            );
            return Err(Invalid::new(Code::Range, "split", sum, message));
        }
        Ok(())
    }
}

impl Requests {
    /// How many come in a second, on average. Requests that all come at once count as within a millisecond.
    #[must_use]
    pub fn mean_rate(&self) -> f64 {
        match self {
            Self::Poisson { rate_per_s, .. } => *rate_per_s,
            Self::Trace(rows) => {
                let span = rows.last().map_or(0.0, |(last, _)| *last);
                rows.len() as f64 / span.max(1e-3)
            }
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> f64 {
        match self {
            Self::Poisson { count, .. } => *count,
            Self::Trace(rows) => rows.len() as f64,
        }
    }
}

impl Load {
    fn validate(&self) -> Result<(), Invalid> {
        match &self.requests {
            Requests::Poisson { rate_per_s, count } => {
                fields::check("load.requests.poisson", "rate_per_s", *rate_per_s)?;
                fields::check("load.requests.poisson", "count", *count)?;
            }
            Requests::Trace(rows) => {
                if rows.is_empty() || rows.len() as f64 > MOST_REQUESTS {
                    let message = format!(
                        "load.requests.trace must be a list of 1 to {MOST_REQUESTS} arrivals, it has {}",
                        rows.len()
                    );
                    let path = "load.requests.trace";
                    return Err(Invalid::new(Code::Range, path, rows.len(), message));
                }
                let mut before = 0.0;
                for (i, (time, tokens)) in rows.iter().enumerate() {
                    let owner = format!("load.requests.trace[{i}]");
                    fields::check(&owner, "out_tokens", *tokens)?;
                    if !(*time >= before && *time <= 1e9) {
                        let path = format!("{owner}[0]");
                        let allowed =
                            format!("a time from {before} to 1000000000 s, none before the last");
                        return Err(Invalid::range(path, *time, &allowed));
                    }
                    before = *time;
                }
            }
        }
        self.check_numbers("load")
    }
}
