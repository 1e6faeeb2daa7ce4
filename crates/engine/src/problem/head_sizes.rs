//! Demands of the blocks of one decoder layer while it generates: memory, operations, and data sent between blocks.
//!
//! Source: Kafetzis, Khalili, Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! Table I. The blocks are h attention heads, each with its own K/V cache, the output projection and the feed-forward
//! network. After token n the sequence is L = L0 + n tokens long; d = D/h is the width of a head.
//!
//! Three things are wrong with Table I, and every view of its numbers has to say so. Its head row already holds Q, K and V
//! of all L tokens, and the cache row then adds n D b *per head*: h times too wide, one tensor instead of two, the prompt
//! left out. Its operations are those of a full pass over all L tokens, as if nothing were cached, so the model pays for the
//! cache and does not use it. And proj and ffn have no weights. [`Memory::Table`] and [`Operations::Table`] are the
//! published model all the same; [`Memory::Physical`] with [`Operations::Cached`] is what a machine would need.

use super::Invalid;
use crate::model::precision::{Precision, Stored};
use serde::{Deserialize, Serialize};

/// The most heads of a layer; the largest models have some hundred.
pub const MOST_HEADS: u32 = 65_536;

/// How memory is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// Table I as printed.
    #[default]
    Table,
    /// Table I without its cache row.
    NoCache,
    /// A true cache (K and V of all tokens, of the head's own width) and the weights of proj and ffn.
    Physical,
}

/// How operations are counted, and with them what is sent: a step with a cache sends one token, not the sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operations {
    /// Table I: a full pass over all L tokens.
    #[default]
    Table,
    /// Table I with 0.8 L D^2 for the ffn, as in the authors' simulator.
    Ffn08,
    /// One token with a cache.
    Cached,
}

/// Which times add up to the delay of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Delay {
    /// Heads, transfer to the ffn, and the computation of proj and ffn.
    #[default]
    Full,
    /// Equation (6) as printed: proj and ffn compute in no time.
    Eq6,
}

/// Data that the controller sends to a device with heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// Embeddings, L D b.
    #[default]
    Embed,
    /// Token numbers of 4 bytes.
    Ids,
    /// Nothing.
    None,
}

/// A layer as problem files write it: the paper's letters and the names of the presets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct LayerForm {
    /// Attention heads; whole, from 1 to 65536.
    pub h: u32,
    /// Width of the model, a multiple of `h`; 1 or above.
    pub D: u32,
    /// Bytes a value [B]; above 0.
    pub b: f64,
    /// Tokens of the prompt [tokens]; 0 or above.
    pub L0: u32,
    /// How memory is counted.
    #[serde(default)]
    pub mem: Memory,
    /// How operations are counted.
    #[serde(default)]
    pub flops: Operations,
    /// Which times add up.
    #[serde(default)]
    pub delay: Delay,
    /// Data that the controller sends.
    #[serde(default)]
    pub inp: Input,
}

/// Memory of a block by part [B].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BlockMemory {
    /// Weights.
    pub weights: f64,
    /// Keys and values.
    pub cache: f64,
    /// Outputs of the prompt's tokens.
    pub buffers: f64,
}

impl BlockMemory {
    /// All parts.
    #[must_use]
    pub fn sum(self) -> f64 {
        self.cache + self.weights + self.buffers
    }
}

/// A decoder layer as models have it: heads in groups that share keys and values, and a feed-forward of any width, with experts or
/// without. A group is placed as one block, since its query heads read the same cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupedLayer {
    /// Groups: heads of keys and values.
    pub groups: u32,
    /// Query heads of a group.
    pub queries: f64,
    /// Hidden size, D.
    pub width: f64,
    /// Width of a head, d.
    pub head_width: f64,
    /// Weights of attention [B]; queries, keys, values and output share them by their sizes.
    pub attention_bytes: f64,
    /// All other weights, those of every expert among them [B].
    pub ffn_bytes: f64,
    /// Operations outside attention on one token: those of the experts that it uses.
    pub ffn_operations: f64,
    /// Keys and values of one token, of all groups [B].
    pub kv_bytes: f64,
    /// Tokens that a token attends to at most; `None` for all.
    pub window: Option<f64>,
    /// Bytes of a value that is sent, b.
    pub value_bytes: f64,
}

impl GroupedLayer {
    /// Bytes of attention weights for each query head, or for keys or values of a group: queries and output have columns for each query
    /// head, keys and values for each group.
    fn bytes_of_projection(&self) -> f64 {
        self.attention_bytes / (f64::from(self.groups) * (2.0 * self.queries + 2.0))
    }

    /// Tokens that are kept of a sequence.
    fn kept(&self, long: f64) -> f64 {
        self.window.map_or(long, |window| long.min(window))
    }

    /// Memory of a group, of proj and of ffn by part. O(1).
    fn memory(&self, long: f64) -> [BlockMemory; 3] {
        let (groups, one) = (f64::from(self.groups), self.bytes_of_projection());
        // A gated feed-forward has three matrices.
        let inner = self.ffn_operations / (3.0 * self.width);
        [
            BlockMemory {
                weights: (self.queries + 2.0) * one,
                cache: self.kept(long) * self.kv_bytes / groups,
                buffers: 0.0,
            },
            BlockMemory {
                weights: groups * self.queries * one,
                cache: 0.0,
                buffers: long * self.width * self.value_bytes,
            },
            BlockMemory {
                weights: self.ffn_bytes,
                cache: 0.0,
                buffers: long * inner * self.value_bytes,
            },
        ]
    }

    /// Demands of a step with a cache when the sequence is `long` tokens long. O(1).
    fn sizes(&self, long: f64, input: Input) -> Sizes {
        let Self {
            width,
            head_width,
            queries,
            value_bytes,
            ..
        } = *self;
        let (groups, kept) = (f64::from(self.groups), self.kept(long));
        let [m_head, m_proj, m_ffn] = self.memory(long).map(BlockMemory::sum);
        Sizes {
            m_head,
            m_proj,
            m_ffn,
            b_head: (queries + 2.0) * width * head_width + 2.0 * kept * queries * head_width,
            b_proj: groups * queries * head_width * width,
            b_ffn: self.ffn_operations,
            w_in: match input {
                Input::Embed => width * value_bytes,
                Input::Ids => 4.0,
                Input::None => 0.0,
            },
            w_hp: queries * head_width * value_bytes,
            w_pf: width * value_bytes,
        }
    }
}

/// A decoder layer: at least one head, h divides D, all sizes finite at any token. Cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadLayer {
    form: LayerForm,
    /// Bytes of a weight [B], where memory is counted as [`Memory::Physical`].
    weight: f64,
    /// Bytes of a value of keys and values [B], likewise.
    kept: f64,
    /// The layer as its model has it, in the place of the form's.
    grouped: Option<GroupedLayer>,
}

/// Demands of the blocks at one token. Bytes, operations (multiply-accumulates, as in the paper), bytes for each token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Sizes {
    /// Memory of a head with its cache [B].
    pub m_head: f64,
    /// Memory of proj [B].
    pub m_proj: f64,
    /// Memory of ffn [B].
    pub m_ffn: f64,
    /// Operations of a head.
    pub b_head: f64,
    /// Operations of proj.
    pub b_proj: f64,
    /// Operations of ffn.
    pub b_ffn: f64,
    /// Controller to each device that hosts a head, W_in [B].
    pub w_in: f64,
    /// One head to proj, W_hp [B].
    pub w_hp: f64,
    /// proj to ffn, W_pf [B].
    pub w_pf: f64,
}

impl HeadLayer {
    /// Checks a layer.
    ///
    /// # Errors
    /// `h` outside 1 ..= [`MOST_HEADS`], `D` below 1 or no multiple of h, `b` not above 0, or sizes beyond 64-bit numbers.
    pub fn new(form: LayerForm) -> Result<Self, Invalid> {
        if !(1..=MOST_HEADS).contains(&form.h) {
            let allowed = format!("a whole number from 1 to {MOST_HEADS}");
            return Err(Invalid::range("h", form.h, &allowed));
        }
        if form.D == 0 || !form.D.is_multiple_of(form.h) {
            let allowed = format!("a whole number above 0 that h = {} divides", form.h);
            return Err(Invalid::range("D", form.D, &allowed));
        }
        if !(form.b.is_finite() && form.b > 0.0) {
            return Err(Invalid::range("b", form.b, "a finite number above 0"));
        }
        let layer = Self {
            form,
            weight: form.b,
            kept: form.b,
            grouped: None,
        };
        if layer.is_finite() {
            return Ok(layer);
        }
        let allowed = "a number of bytes with which all sizes are finite";
        Err(Invalid::range("b", form.b, allowed))
    }

    /// Checks a layer as models have it, whose demands are physical and of a step with a cache: Table I knows no groups.
    ///
    /// # Errors
    /// No group or more than [`MOST_HEADS`]; a number that is not above 0, or sizes beyond 64-bit numbers.
    pub fn grouped(
        layer: GroupedLayer,
        prompt: u32,
        (delay, input): (Delay, Input),
    ) -> Result<Self, Invalid> {
        if !(1..=MOST_HEADS).contains(&layer.groups) {
            let allowed = format!("a whole number from 1 to {MOST_HEADS}");
            return Err(Invalid::range("h_k", layer.groups, &allowed));
        }
        let made = Self {
            form: LayerForm {
                h: layer.groups,
                D: layer.width as u32,
                b: layer.value_bytes,
                L0: prompt,
                mem: Memory::Physical,
                flops: Operations::Cached,
                delay,
                inp: input,
            },
            weight: layer.value_bytes,
            kept: layer.value_bytes,
            grouped: Some(layer),
        };
        let numbers = [
            ("queries", layer.queries),
            ("D", layer.width),
            ("head_width", layer.head_width),
            ("ffn_operations", layer.ffn_operations),
            ("b", layer.value_bytes),
        ];
        if let Some((key, value)) = numbers
            .iter()
            .find(|(_, value)| value.is_nan() || *value <= 0.0)
        {
            return Err(Invalid::range(*key, *value, "a finite number above 0"));
        }
        match made.is_finite() {
            true => Ok(made),
            false => {
                let allowed = "a number of bytes with which all sizes are finite";
                Err(Invalid::range("b", layer.value_bytes, allowed))
            }
        }
    }

    /// Every size grows with n, and only bytes of values can make one too large.
    fn is_finite(&self) -> bool {
        let most = self.sizes(u32::MAX);
        (most.all_memory(self.form.h) + most.w_pf * f64::from(self.form.h)).is_finite()
    }

    /// Returns the layer with weights and cache in other precisions; those not given keep b bytes. Without effect if memory is
    /// counted by Table I, which has b alone.
    #[must_use]
    pub fn stored(self, stored: Stored) -> Self {
        let bytes = |one: Option<Precision>| one.map_or(self.form.b, Precision::bytes);
        Self {
            weight: bytes(stored.weights),
            kept: bytes(stored.cache),
            ..self
        }
    }

    /// Returns the layer with another form of input.
    #[must_use]
    pub fn with_input(mut self, input: Input) -> Self {
        self.form.inp = input;
        self
    }

    /// The layer as problem files write it.
    #[must_use]
    pub fn form(&self) -> &LayerForm {
        &self.form
    }

    /// Number of heads, h.
    #[must_use]
    pub fn heads(&self) -> usize {
        self.form.h as usize
    }

    /// Number of blocks, h + 2: heads from 0, then proj, then ffn.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.heads() + 2
    }

    /// Which times add up to the delay of a token.
    #[must_use]
    pub fn delay(&self) -> Delay {
        self.form.delay
    }

    /// Memory of a head, of proj and of ffn by part after token `n`; `None` for Table I, which has no parts. O(1).
    #[must_use]
    pub fn memory_parts(&self, n: u32) -> Option<[BlockMemory; 3]> {
        let long = f64::from(self.form.L0) + f64::from(n);
        match (&self.grouped, self.form.mem) {
            (Some(grouped), _) => Some(grouped.memory(long)),
            (None, Memory::Physical) => Some(self.physical(long)),
            (None, Memory::Table | Memory::NoCache) => None,
        }
    }

    /// Memory of the paper's layer with a true cache and weights.
    fn physical(&self, long: f64) -> [BlockMemory; 3] {
        let LayerForm { h, D, b, .. } = self.form;
        let width = f64::from(D);
        let own = width / f64::from(h);
        [
            BlockMemory {
                weights: 3.0 * width * own * self.weight,
                cache: 2.0 * long * own * self.kept,
                buffers: 0.0,
            },
            BlockMemory {
                weights: width * width * self.weight,
                cache: 0.0,
                buffers: long * width * b,
            },
            BlockMemory {
                weights: 8.0 * width * width * self.weight,
                cache: 0.0,
                buffers: 4.0 * long * width * b,
            },
        ]
    }

    /// Returns the demands of the blocks after token `n`. O(1).
    #[must_use]
    pub fn sizes(&self, n: u32) -> Sizes {
        let LayerForm { h, D, b, L0, .. } = self.form;
        if let Some(grouped) = &self.grouped {
            return grouped.sizes(f64::from(L0) + f64::from(n), self.form.inp);
        }
        let (n, width) = (f64::from(n), f64::from(D));
        let long = f64::from(L0) + n;
        let own = width / f64::from(h);
        let weights = 3.0 * width * own * b;
        let (m_head, m_proj, m_ffn) = match self.form.mem {
            Memory::Table => (
                3.0 * long * own * b + weights + n * width * b,
                long * width * b,
                4.0 * long * width * b,
            ),
            Memory::NoCache => (
                3.0 * long * own * b + weights,
                long * width * b,
                4.0 * long * width * b,
            ),
            Memory::Physical => self.physical(long).map(BlockMemory::sum).into(),
        };
        let square = width * width;
        let pass = 3.0 * long * width * own + long * long * own;
        let (b_head, b_proj, b_ffn) = match self.form.flops {
            Operations::Table => (pass, long * square, 8.0 * long * square),
            Operations::Ffn08 => (pass, long * square, 0.8 * long * square),
            Operations::Cached => (3.0 * width * own + 2.0 * long * own, square, 8.0 * square),
        };
        let sent = match self.form.flops {
            Operations::Table | Operations::Ffn08 => long,
            Operations::Cached => 1.0,
        };
        Sizes {
            m_head,
            m_proj,
            m_ffn,
            b_head,
            b_proj,
            b_ffn,
            w_in: match self.form.inp {
                Input::Embed => sent * width * b,
                Input::Ids => 4.0 * sent,
                Input::None => 0.0,
            },
            w_hp: sent * own * b,
            w_pf: sent * width * b,
        }
    }
}

impl Sizes {
    /// Memory of block `block` of a layer with so many heads [B].
    #[must_use]
    pub fn memory(&self, block: usize, heads: usize) -> f64 {
        of_block(block, heads, self.m_head, self.m_proj, self.m_ffn)
    }

    /// Operations of block `block` of a layer with so many heads.
    #[must_use]
    pub fn operations(&self, block: usize, heads: usize) -> f64 {
        of_block(block, heads, self.b_head, self.b_proj, self.b_ffn)
    }

    /// Memory of the whole layer [B]. It does not depend on the placement.
    #[must_use]
    pub fn all_memory(&self, heads: u32) -> f64 {
        f64::from(heads) * self.m_head + self.m_proj + self.m_ffn
    }

    /// Operations of the whole layer.
    #[must_use]
    pub fn all_operations(&self, heads: u32) -> f64 {
        f64::from(heads) * self.b_head + self.b_proj + self.b_ffn
    }
}

fn of_block(block: usize, heads: usize, head: f64, proj: f64, ffn: f64) -> f64 {
    if block < heads {
        head
    } else if block == heads {
        proj
    } else {
        ffn
    }
}
