//! The wire format of a head-placement scenario, version 1. Every field is written, in this order; unknown fields are
//! refused, missing ones too.

use crate::model::Transformer;
use crate::model::precision::{BYTES_16, Precision, Stored, of_cache};
use crate::problem::head_sizes::{Delay, GroupedLayer, Input, Memory, Operations};
use crate::problem::{Code, Invalid};
use crate::scenario::Question;
use crate::scenario::blocks::{BlockModel, BlockRun, check_all_or_none};
use crate::scenario::fields::{self, NumberFields, numbers};
use crate::scenario::schema::{check_head, read};
use crate::sim::Background;
use serde::{Deserialize, Serialize};

/// The version of the format that this program reads and writes.
pub const FORMAT: u32 = 1;
/// The most heads × devices × intervals of a run: what a browser plans in a few minutes at worst.
pub const MOST_WORK: f64 = 20_000_000.0;
/// The most rows of a recorded background that a link carries.
pub const MOST_RECORDED: usize = 6_000;

/// Everything a person can set for the head-placement question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Version of this format.
    pub format: u32,
    /// The question, always [`Question::HeadPlacement`].
    pub question: Question,
    /// Name of the scenario on the page.
    pub title: String,
    /// The decoder layer.
    pub model: HeadModel,
    /// Prompt [tokens], L0.
    pub prompt_tokens: f64,
    /// Answer [tokens], N.
    pub new_tokens: f64,
    /// Tokens for which a placement stays, λ.
    pub interval_tokens: f64,
    /// How demands and delays are counted.
    pub demands: Demands,
    /// The device that holds the input, as listed, from 0.
    pub controller: usize,
    /// The devices.
    pub devices: Vec<HeadDevice>,
    /// The links between them.
    pub links: Links,
    /// Background load of the devices, drawn by seed.
    pub background: Background,
    /// Recorded free memory and compute of the devices, instead of the drawn background load.
    pub recorded: Option<Vec<Recorded>>,
    /// For how many intervals a move is taken to pay: 1 is the paper’s own rule.
    pub ahead: f64,
    /// Which runs a comparison is made of.
    pub draws: Draws,
}

/// A decoder layer with heads of one width.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeadModel {
    /// Its name.
    pub name: String,
    /// Attention heads, h.
    pub heads: f64,
    /// Hidden size, D; a multiple of the heads.
    pub width: f64,
    /// Bytes of one value, b: of activations, and of weights and cache unless they say otherwise.
    pub value_bytes: f64,
    /// How weights are stored where demands are physical; left out for b bytes each. The paper’s own demands have b alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Precision>,
    /// How keys and values are stored; as the weights.
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
    /// How many such layers the model has; left out where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<f64>,
    /// Heads of keys and values, a divisor of the heads; left out of the paper's layer, in which every head has its own. Then each
    /// is placed with the query heads that share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h_k: Option<f64>,
    /// Width of a head; beside `h_k`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d_head: Option<f64>,
    /// Width of a gated feed-forward of three matrices; beside `h_k`, of a layer without `block`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d_ff: Option<f64>,
    /// Weights, work and cache as a file has them, with experts or a window; beside `h_k`, in the place of `d_ff`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<BlockRun>,
}

/// How demands and delays are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Demands {
    /// Memory of blocks.
    pub memory: Memory,
    /// Operations of blocks.
    pub operations: Operations,
    /// Which parts a token's delay has.
    pub delay: Delay,
    /// Data that the controller sends to devices with heads.
    pub input: Input,
}

impl Demands {
    /// True if they are those of a machine: real caches and weights, and a step that uses its cache.
    #[must_use]
    pub fn is_physical(self) -> bool {
        (self.memory, self.operations) == (Memory::Physical, Operations::Cached)
    }
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeadDevice {
    /// Its name.
    pub name: String,
    /// True if it is switched off: it keeps its numbers and its place, and no plan may use it.
    pub off: bool,
    /// Compute [10^9 operations/s], an operation being a multiplication with its addition.
    pub compute_gops: f64,
    /// Memory [GB].
    pub memory_gb: f64,
}

/// The rate of one pair of devices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(into = "(usize, usize, f64)", from = "(usize, usize, f64)")]
pub struct OwnRate {
    /// From this device, as listed.
    pub from: usize,
    /// To this one. Behind it in the list: both ways, unless the way back has a rate of its own.
    pub to: usize,
    /// The rate [Gbit/s]; 0 where there is no link.
    pub gbit_s: f64,
}

impl From<(usize, usize, f64)> for OwnRate {
    fn from((from, to, gbit_s): (usize, usize, f64)) -> Self {
        Self { from, to, gbit_s }
    }
}

impl From<OwnRate> for (usize, usize, f64) {
    fn from(own: OwnRate) -> Self {
        (own.from, own.to, own.gbit_s)
    }
}

/// A row of a record: from this token on, from 1, this device, as listed, from 0, has so much compute free [10^9
/// operations/s] and so much memory [GB].
pub type Recorded = (u32, usize, f64, f64);

/// Links from each device to each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// The rate of every pair without one of its own [Gbit/s].
    pub gbit_s: f64,
    /// Rates of single pairs, ascending.
    pub own: Vec<OwnRate>,
}

/// Which runs a comparison is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Draws {
    /// How many.
    pub seeds: f64,
    /// The first seed: that of the run shown.
    pub first_seed: f64,
    /// True to draw devices and links as well, from the paper’s ranges, as many devices as are on.
    pub networks: bool,
}

numbers!(HeadModel: heads, width, value_bytes, [layers], [h_k], [d_head], [d_ff]);

impl HeadModel {
    /// How it is stored, as far as that is said.
    #[must_use]
    pub const fn stored(&self) -> Stored {
        Stored {
            weights: self.weights,
            cache: self.cache,
        }
    }

    /// The layer of a model by blocks: the kind that most of its blocks are, of as many the one with the larger cache. `None` where
    /// its heads are not known.
    #[must_use]
    pub fn of_blocks(model: &BlockModel) -> Option<Self> {
        let count = |run: &BlockRun| -> f64 {
            let like = |other: &&BlockRun| {
                BlockRun {
                    repeat: run.repeat,
                    ..**other
                } == *run
            };
            model
                .blocks
                .iter()
                .filter(like)
                .map(|other| other.repeat)
                .sum()
        };
        let reach = |run: &BlockRun| run.window.unwrap_or(f64::INFINITY);
        let order = |a: &&BlockRun, b: &&BlockRun| {
            let by_count = count(b).total_cmp(&count(a));
            by_count.then(reach(b).total_cmp(&reach(a)))
        };
        let run = model.blocks.iter().min_by(order)?;
        let heads = run.heads()?;
        Some(Self {
            name: model.name.clone(),
            heads: heads.h_q,
            width: model.token_bytes / BYTES_16,
            value_bytes: BYTES_16,
            layers: Some(model.count() as f64),
            h_k: Some(heads.h_k),
            d_head: Some(heads.d_head),
            block: Some(BlockRun {
                repeat: 1.0,
                ..*run
            }),
            ..Self::default()
        })
    }

    /// A model of such blocks alone, if the layer is one of a file.
    #[must_use]
    pub fn body(&self) -> Option<BlockModel> {
        let run = self.block?;
        Some(BlockModel {
            name: self.name.clone(),
            token_bytes: BYTES_16 * self.width,
            blocks: vec![BlockRun {
                repeat: self.layers.unwrap_or(1.0),
                ..run
            }],
        })
    }

    /// How many heads a plan places: those with keys and values of their own.
    #[must_use]
    pub fn placed_heads(&self) -> f64 {
        self.h_k.unwrap_or(self.heads)
    }

    /// Width of a head.
    #[must_use]
    pub fn head_width(&self) -> f64 {
        self.d_head.unwrap_or(self.width / self.heads)
    }

    /// The layer as its model has it; `None` for the paper's.
    #[must_use]
    pub fn grouped(&self) -> Option<GroupedLayer> {
        let (groups, head_width) = (self.h_k?, self.d_head?);
        let value = |one: Option<Precision>| one.map_or(self.value_bytes, Precision::bytes);
        let attention = 2.0 * self.width * head_width * (self.heads + groups);
        let layer = GroupedLayer {
            groups: groups as u32,
            queries: self.heads / groups,
            width: self.width,
            head_width,
            attention_bytes: 0.0,
            ffn_bytes: 0.0,
            ffn_operations: 0.0,
            kv_bytes: 2.0 * groups * head_width * value(self.cache),
            window: None,
            value_bytes: self.value_bytes,
        };
        Some(match (&self.block, self.d_ff) {
            (Some(run), _) => GroupedLayer {
                attention_bytes: run.attention_bytes?,
                ffn_bytes: run.weight_bytes - run.attention_bytes?,
                ffn_operations: 0.5 * run.token_flop - attention,
                kv_bytes: run.kv_bytes.unwrap_or(layer.kv_bytes),
                window: run.window,
                ..layer
            },
            (None, width) => {
                let ffn = 3.0 * self.width * width?;
                let dims = Transformer {
                    n_layers: self.layers.unwrap_or(1.0) as u32,
                    d_model: self.width,
                    h_q: self.heads,
                    h_k: groups,
                    d_head: head_width,
                    d_ff: width?,
                };
                // Formats mix types, so a block has the bytes that it has everywhere, by the sizes of its parts.
                let values = attention + ffn;
                let bytes = self
                    .weights
                    .map_or(values * self.value_bytes, |one| one.block_bytes(&dims));
                GroupedLayer {
                    attention_bytes: bytes * attention / values,
                    ffn_bytes: bytes * ffn / values,
                    ffn_operations: ffn,
                    ..layer
                }
            }
        })
    }

    /// Checks that the numbers of a layer as its model has it belong together.
    fn validate(&self, demands: Demands) -> Result<(), Invalid> {
        self.check_numbers("model")?;
        let feed_forward = match &self.block {
            Some(run) => ("block", Some(run.repeat)),
            None => ("d_ff", self.d_ff),
        };
        let parts = [("h_k", self.h_k), ("d_head", self.d_head), feed_forward];
        let needs = "a layer as its model has it has h_k, d_head, and d_ff or block";
        check_all_or_none("model", &parts, needs)?;
        let Some(groups) = self.h_k else {
            let (heads, width) = (self.heads, self.width);
            if libm::fmod(width, heads) != 0.0 {
                let allowed = format!("a multiple of the {heads} heads");
                return Err(Invalid::range("model.width", width, &allowed));
            }
            return Ok(());
        };
        if libm::fmod(self.heads, groups) != 0.0 {
            let allowed = format!("a divisor of the {} heads", self.heads);
            return Err(Invalid::range("model.h_k", groups, &allowed));
        }
        if let Some(run) = &self.block {
            run.validate("model.block")?;
            let known = run
                .heads()
                .map(|heads| (heads.h_q, heads.h_k, heads.d_head));
            if known != Some((self.heads, groups, self.head_width())) {
                let allowed = "heads, h_k and d_head of the model, with attention_bytes";
                return Err(Invalid::range("model.block.h_q", run.h_q, allowed));
            }
            if self.d_ff.is_some() {
                let allowed = "left out beside block";
                return Err(Invalid::range("model.d_ff", self.d_ff, allowed));
            }
            let attention = 2.0 * self.width * self.head_width() * (self.heads + groups);
            if 0.5 * run.token_flop <= attention {
                let allowed = format!("more than the {} of attention", 2.0 * attention);
                return Err(Invalid::range(
                    "model.block.token_flop",
                    run.token_flop,
                    &allowed,
                ));
            }
        }
        if !demands.is_physical() {
            let message = "demands must be physical memory and the operations of a step with a cache for a layer as its model has it: \
                           the paper\u{2019}s Table I knows neither heads that share keys and values nor another feed-forward";
            return Err(Invalid::new(Code::Range, "demands", "table", message));
        }
        Ok(())
    }
}

numbers!(HeadDevice: compute_gops, memory_gb);
numbers!(Links: gbit_s);
numbers!(Draws: seeds, first_seed);
numbers!(Scenario: prompt_tokens, new_tokens, interval_tokens, ahead);

/// The places of a scenario where an object stands, for [`read`].
pub(super) const OBJECTS: [&str; 9] = [
    "",
    "model",
    "model.block",
    "demands",
    "devices[]",
    "links",
    "background.independent",
    "background.bursty",
    "draws",
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

    /// The devices that a plan may use, each with its place in the list.
    pub fn switched_on(&self) -> impl Iterator<Item = (usize, &HeadDevice)> {
        self.devices.iter().enumerate().filter(|(_, d)| !d.off)
    }

    /// Returns true if there is no device that a plan could use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.switched_on().next().is_none()
    }

    /// Checks every field against the ranges of the page, and that there is a device.
    ///
    /// # Errors
    /// The first field out of range; no device, too many, or none that is on.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.validate_fields()?;
        let (count, most) = (self.devices.len(), fields::MOST_DEVICES);
        if count == 0 || count > most {
            let message = format!("devices must be a list of 1 to {most} devices, it has {count}");
            return Err(Invalid::new(Code::Range, "devices", count, message));
        }
        if self.is_empty() {
            let message = "devices must have at least one that is switched on, all are off";
            return Err(Invalid::new(Code::Range, "devices", count, message));
        }
        match self.devices.get(self.controller) {
            Some(device) if !device.off => Ok(()),
            _ => {
                let message = format!(
                    "controller must be the number of a device that is on, counted from 0, it is {}",
                    self.controller
                );
                let at = self.controller;
                Err(Invalid::new(Code::Range, "controller", at, message))
            }
        }
    }

    /// Checks every field against the ranges of the page; there may be no device.
    ///
    /// # Errors
    /// The first field out of range.
    pub fn validate_fields(&self) -> Result<(), Invalid> {
        let head = (self.format, self.question, self.title.as_str());
        check_head(head, Question::HeadPlacement, &[FORMAT])?;
        fields::text("model.name", &self.model.name, fields::LONGEST_NAME)?;
        self.model.validate(self.demands)?;
        self.check_numbers("")?;
        for (j, device) in self.devices.iter().enumerate() {
            let owner = format!("devices[{j}]");
            fields::text(&format!("{owner}.name"), &device.name, fields::LONGEST_NAME)?;
            device.check_numbers(&owner)?;
        }
        self.links.validate(self.devices.len())?;
        self.background
            .check()
            .map_err(|fault| fault.within("background"))?;
        self.validate_recorded()?;
        self.draws.check_numbers("draws")?;
        let intervals = libm::ceil(self.new_tokens / self.interval_tokens);
        let heads = self.model.placed_heads();
        let work = heads * self.devices.len() as f64 * intervals;
        if work > MOST_WORK {
            let most = libm::floor(MOST_WORK / (heads * self.devices.len() as f64));
            let allowed = format!(
                "at most {most} intervals for {heads} heads on {} devices",
                self.devices.len()
            );
            return Err(Invalid::range("new_tokens", self.new_tokens, &allowed));
        }
        Ok(())
    }

    fn validate_recorded(&self) -> Result<(), Invalid> {
        let Some(rows) = &self.recorded else {
            return Ok(());
        };
        if rows.is_empty() || rows.len() > MOST_RECORDED {
            let message = format!(
                "recorded must be a list of 1 to {MOST_RECORDED} rows, it has {}",
                rows.len()
            );
            return Err(Invalid::new(Code::Range, "recorded", rows.len(), message));
        }
        let count = self.devices.len();
        for (at, (token, device, compute_gops, memory_gb)) in rows.iter().enumerate() {
            let part = |n: usize| format!("recorded[{at}][{n}]");
            if *token == 0 || (at > 0 && *token < rows[at - 1].0) {
                let allowed = "1 or above, and no less than in the row before";
                return Err(Invalid::range(part(0), *token, allowed));
            }
            if *device >= count {
                let allowed = format!("the number of one of the {count} devices, from 0");
                return Err(Invalid::range(part(1), *device, &allowed));
            }
            let numbers = [("compute_gops", compute_gops), ("memory_gb", memory_gb)];
            for (n, (field, value)) in (2..).zip(numbers) {
                let range = fields::of(field).filter(|range| !range.allows(*value));
                if let Some(range) = range {
                    return Err(Invalid::range(part(n), *value, &range.range_text()));
                }
            }
        }
        Ok(())
    }
}
