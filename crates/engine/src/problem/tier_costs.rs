//! From a model, a request and machines to times: stages of a pipeline of tiers, links, and the partition problem.
//!
//! Source: Hyperion, sections III and V, with what the paper leaves open. Two ways to a block's time on a node: FLOPS,
//! the paper's formula, and roofline, the slower of arithmetic and memory. Table I's TOPS are int8 with sparsity, so
//! dense fp16 is a quarter of them; on such machines a prompt of 64 tokens is still bound by memory, and a request
//! costs as many equal passes as it puts out tokens. A request has one prefill pass and G - 1 decode passes; all
//! decode passes are timed at the mean context P + G / 2. A third way is not the paper's: what runtimes were measured to reach
//! on each machine, which cold start counts as well. Everything is O(runs of equal blocks) but the problem, which is O(T N).

use super::cold_decode::mean_context;
use super::{Invalid, TierDecoder, TierPartition};
use crate::hardware::prompt::{PromptMachine, PromptWork};
use crate::model::cost::{BlockCost, DecoderCost};
use crate::model::precision::{BYTES_16, Precision};
use std::ops::Range;

/// How a block's time comes about. Efficiencies are shares of the peak that are reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CostMode {
    /// FLOP / (efficiency TOPS 10^12): the paper's formula, which takes TOPS for FLOP/s.
    Flops {
        /// eta_f.
        efficiency: f64,
    },
    /// The slower of FLOP / (compute TOPS / 4 10^12) and bytes / (memory rate).
    Roofline {
        /// eta_c.
        compute: f64,
        /// eta_b.
        memory: f64,
    },
    /// The terms of each node's runtime.
    Runtime {
        /// Share of TOPS / 4 where a node has no rate of its own, and the most that prompts of 16-bit weights reach.
        compute: f64,
        /// Tokens of a request for which a node keeps room in its cache; fewer than prompt and answer count as these.
        context: f64,
    },
}

/// A calibrated reading of the paper's measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierProfile {
    /// Its name.
    pub name: &'static str,
    /// How times come about.
    pub mode: CostMode,
    /// How weights are stored.
    pub precision: Precision,
    /// How keys and values are stored.
    pub cache: Precision,
    /// Additional time of every pass through a stage [s]: calls, kernel launches.
    pub overhead: f64,
    /// Delay of a request before it enters the first tier [s per 10^9 parameters].
    pub setup: f64,
    /// Description.
    pub about: &'static str,
}

/// Physically plausible, nothing fitted beyond one efficiency: the default.
pub const R16: TierProfile = TierProfile {
    name: "R16",
    mode: CostMode::Roofline {
        compute: 0.5,
        memory: 0.6,
    },
    precision: Precision::Fp16,
    cache: Precision::Fp16,
    overhead: 0.0,
    setup: 0.0,
    about: "fp16 at 60% of the memory rate",
};

/// Fits both latencies of Table II.
pub const T2: TierProfile = TierProfile {
    name: "T2",
    mode: CostMode::Roofline {
        compute: 0.5,
        memory: 0.51,
    },
    precision: Precision::Int8,
    cache: Precision::Fp16,
    overhead: 0.0272,
    setup: 0.0,
    about: "int8 with 27.2 ms per stage: fits both latencies of Table II",
};

/// Fits the four end points of Fig. 9 within 9%.
pub const F9: TierProfile = TierProfile {
    name: "F9",
    mode: CostMode::Roofline {
        compute: 0.5,
        memory: 0.75,
    },
    precision: Precision::Int8,
    cache: Precision::Fp16,
    overhead: 0.0,
    setup: 1.65,
    about: "int8 with a set-up of 1.65 s per 10^9 parameters: fits Fig. 9 within 9%",
};

/// The paper's formula, with the efficiency that fits Llama-3-8B.
pub const PF_LLAMA: TierProfile =
    paper_formula(7.75e-4, "the paper's formula, fitted to Llama-3-8B");

/// The paper's formula, with the efficiency that fits Phi-3-medium.
pub const PF_PHI: TierProfile =
    paper_formula(9.75e-4, "the paper's formula, fitted to Phi-3-medium");

const fn paper_formula(efficiency: f64, about: &'static str) -> TierProfile {
    TierProfile {
        name: "PF",
        mode: CostMode::Flops { efficiency },
        precision: Precision::Fp16,
        cache: Precision::Fp16,
        overhead: 0.0,
        setup: 0.0,
        about,
    }
}

/// Rates and fixed times of the runtime of a node; of use for [`CostMode::Runtime`] alone. A term that is not known counts as none, a rate as
/// that of the data sheet.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RuntimeTerms {
    /// Compute rate on prompts, attention apart [TFLOPS].
    pub prefill_tflops: Option<f64>,
    /// Compute rate of attention on prompts [TFLOPS].
    pub attention_tflops: Option<f64>,
    /// Fixed time of each block and batch of a prompt [us].
    pub batch_us: Option<f64>,
    /// Share of the memory rate in decoding.
    pub memory_share: Option<f64>,
    /// Compute rate in decoding [TFLOPS].
    pub decode_tflops: Option<f64>,
    /// Fixed time of each block and token [us].
    pub layer_us: Option<f64>,
    /// Fixed time of each token outside the blocks, where the output head is [ms].
    pub token_ms: Option<f64>,
}

/// A node as its data sheet has it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TierNode {
    /// Compute as sold [TOPS].
    pub tops: f64,
    /// Memory rate [GB/s].
    pub bandwidth_gb_s: f64,
    /// Memory that is left for weights [GB].
    pub usable_gb: f64,
    /// Rates and fixed times of its runtime.
    pub terms: RuntimeTerms,
}

/// A request: P tokens in, G tokens out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierRequest {
    /// P.
    pub prompt: f64,
    /// G, at least 1.
    pub generated: f64,
}

/// The paper's request: 64 tokens in, 128 out.
pub const REQUEST: TierRequest = TierRequest {
    prompt: 64.0,
    generated: 128.0,
};

impl TierRequest {
    /// Passes after the first.
    fn decodes(&self) -> f64 {
        self.generated - 1.0
    }
}

/// The two kinds of pass, and what each takes [s].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Passes {
    /// The pass of the prompt.
    pub prefill: f64,
    /// One of the passes after it.
    pub decode: f64,
}

impl Passes {
    /// Returns the time of a whole request [s]: one prefill and G - 1 decodes.
    #[must_use]
    pub fn request(&self, request: &TierRequest) -> f64 {
        self.prefill + request.decodes() * self.decode
    }
}

/// Decode passes that a node serves together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batch {
    /// Time that each further pass adds: it reads its own cache [s].
    pub more: f64,
    /// Least time of each pass: its arithmetic [s].
    pub compute: f64,
}

/// Memory of a stage on a node with one request [B].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageMemory {
    /// Weights of its blocks.
    pub weights: f64,
    /// Embedding and output head, as far as they stand here.
    pub ends: f64,
    /// The runtime's buffer of logits, where the output head stands.
    pub logits: f64,
    /// Keys and values of the request.
    pub cache: f64,
    /// Intermediate values of the request's prompt: the widest within a block in the paper's readings, the output of a block in a
    /// runtime.
    pub prompt: f64,
}

impl StageMemory {
    /// Memory that is taken before a request arrives.
    #[must_use]
    pub fn standing(&self) -> f64 {
        self.weights + self.ends + self.logits
    }

    /// Memory that each request takes in addition.
    #[must_use]
    pub fn request(&self) -> f64 {
        self.cache + self.prompt
    }
}

/// A model on a kind of node, under a profile and for a request.
#[derive(Debug, Clone, PartialEq)]
pub struct TierCosts<'a> {
    /// The model.
    pub model: TierDecoder,
    /// The reading.
    pub profile: &'a TierProfile,
    /// The request.
    pub request: &'a TierRequest,
}

impl<'a> TierCosts<'a> {
    /// A dense decoder under a profile, stored as that says.
    #[must_use]
    pub fn dense(model: &DecoderCost, profile: &'a TierProfile, request: &'a TierRequest) -> Self {
        Self {
            model: TierDecoder::dense(model, profile.precision, profile.cache),
            profile,
            request,
        }
    }

    /// Time of `flops` and `bytes` on a node [s].
    #[must_use]
    pub fn time(&self, node: &TierNode, flops: f64, bytes: f64) -> f64 {
        self.arithmetic(node, flops).max(self.reading(node, bytes))
    }

    /// Time of `flops` alone [s].
    fn arithmetic(&self, node: &TierNode, flops: f64) -> f64 {
        let of_sheet = |share: f64| share * (node.tops / 4.0) * 1e12;
        match self.profile.mode {
            CostMode::Flops { efficiency } => flops / (efficiency * node.tops * 1e12),
            CostMode::Roofline { compute, .. } => flops / of_sheet(compute),
            CostMode::Runtime { compute, .. } => {
                let own = node.terms.decode_tflops.map(|tflops| 1e12 * tflops);
                flops / own.unwrap_or(of_sheet(compute))
            }
        }
    }

    /// Time of reading `bytes` alone [s]; the paper's formula knows none.
    fn reading(&self, node: &TierNode, bytes: f64) -> f64 {
        let share = match self.profile.mode {
            CostMode::Flops { .. } => return 0.0,
            CostMode::Roofline { memory, .. } => memory,
            CostMode::Runtime { .. } => node.terms.memory_share.unwrap_or(1.0),
        };
        bytes / (share * node.bandwidth_gb_s * 1e9)
    }

    /// Tokens that a decode pass attends to in a block, on average: P + G / 2, at most a window. A runtime's passes are counted one
    /// by one.
    fn context(&self, block: &BlockCost) -> f64 {
        let TierRequest { prompt, generated } = *self.request;
        match self.profile.mode {
            CostMode::Runtime { .. } => {
                mean_context(prompt, (generated - 1.0).max(1.0), block.window)
            }
            CostMode::Flops { .. } | CostMode::Roofline { .. } => {
                block.kept(prompt + generated / 2.0)
            }
        }
    }

    /// Embedding and output head [B]: on the tiers of the first and the last block.
    #[must_use]
    pub fn ends(&self) -> [f64; 2] {
        [self.model.embedding, self.model.head]
    }

    /// Tokens of a request for which there is room in the cache.
    #[must_use]
    pub fn reserved_tokens(&self) -> f64 {
        let tokens = self.request.prompt + self.request.generated;
        match self.profile.mode {
            CostMode::Runtime { context, .. } => context.max(tokens),
            CostMode::Flops { .. } | CostMode::Roofline { .. } => tokens,
        }
    }

    /// Memory of a stage of a range of blocks, from 0, with one request.
    #[must_use]
    pub fn memory(&self, blocks: &Range<usize>) -> StageMemory {
        let model = &self.model;
        let is_runtime = matches!(self.profile.mode, CostMode::Runtime { .. });
        let is_last = blocks.end == model.blocks();
        let embedding = if blocks.start == 0 {
            model.embedding
        } else {
            0.0
        };
        let head = if is_last { model.head } else { 0.0 };
        let of_token = if is_runtime {
            model.width * BYTES_16
        } else {
            model.workspace
        };
        StageMemory {
            weights: model.sum(blocks, |block| block.weights),
            ends: embedding + head,
            logits: if is_runtime && is_last {
                model.logits
            } else {
                0.0
            },
            cache: model.cache(blocks, self.reserved_tokens()),
            prompt: self.request.prompt * of_token,
        }
    }

    /// Memory of a block that a split counts [B]: its weights, and with a runtime its keys and values of a request.
    #[must_use]
    pub fn block_memory(&self, block: &BlockCost) -> f64 {
        match self.profile.mode {
            CostMode::Flops { .. } | CostMode::Roofline { .. } => block.weights,
            CostMode::Runtime { .. } => {
                block.weights + block.kept(self.reserved_tokens()) * block.cache
            }
        }
    }

    /// The largest of these [B].
    #[must_use]
    pub fn largest_block(&self) -> f64 {
        let blocks = self.model.runs.iter();
        let blocks = blocks.map(|(_, block)| self.block_memory(block));
        blocks.fold(0.0, f64::max)
    }

    /// Buffers of a stage that a split counts [B]: none in the paper's readings, whose requests wait until there is room.
    #[must_use]
    pub fn buffers(&self, blocks: &Range<usize>) -> f64 {
        match self.profile.mode {
            CostMode::Flops { .. } | CostMode::Roofline { .. } => 0.0,
            CostMode::Runtime { .. } => {
                let memory = self.memory(blocks);
                memory.logits + memory.prompt
            }
        }
    }

    /// Returns the costs of decode passes of a stage that are served together. Weights that all read are read once; of a mixture
    /// of experts every further pass reads as many more as the second one is expected to, which is an upper bound.
    #[must_use]
    pub fn batch(&self, node: &TierNode, blocks: &Range<usize>, with_head: bool) -> Batch {
        let head = if with_head { self.model.head_flop } else { 0.0 };
        let more = |block: &BlockCost| {
            let experts = block.weights_read(2.0) - block.weights_read(1.0);
            self.context(block) * block.cache + experts
        };
        let work = self
            .model
            .sum(blocks, |block| block.decode(self.context(block)));
        Batch {
            more: self.reading(node, self.model.sum(blocks, more)),
            compute: self.arithmetic(node, work + head),
        }
    }

    /// One block [s].
    #[must_use]
    pub fn block(&self, node: &TierNode, block: &BlockCost) -> Passes {
        let context = self.context(block);
        let bytes = block.weights_read(1.0) + context * block.cache;
        let decode = self.time(node, block.decode(context), bytes);
        let fixed = match self.profile.mode {
            CostMode::Flops { .. } | CostMode::Roofline { .. } => 0.0,
            CostMode::Runtime { .. } => 1e-6 * node.terms.layer_us.unwrap_or(0.0),
        };
        Passes {
            prefill: self.prefill(node, block).unwrap_or_else(|| {
                let prompt = self.request.prompt;
                let bytes = block.weights_read(prompt) + block.kept(prompt) * block.cache;
                self.time(node, block.prefill(prompt), bytes) + fixed
            }),
            decode: decode + fixed,
        }
    }

    /// A prompt in one block by the terms of a runtime [s]; `None` where it has none of prompts.
    fn prefill(&self, node: &TierNode, block: &BlockCost) -> Option<f64> {
        let CostMode::Runtime { compute, .. } = self.profile.mode else {
            return None;
        };
        let terms = node.terms;
        let machine = PromptMachine {
            rate: 1e12 * terms.prefill_tflops?,
            wide_rate: compute * (node.tops / 4.0) * 1e12,
            attention_rate: terms.attention_tflops.map(|tflops| 1e12 * tflops),
            memory_rate: Some(1e9 * node.bandwidth_gb_s),
            batch: 1e-6 * terms.batch_us.unwrap_or(0.0),
        };
        let prompt = self.request.prompt;
        let work = PromptWork::default().with(1.0, block, prompt);
        Some(machine.seconds(&work, prompt))
    }

    /// The output head, once a pass [s].
    #[must_use]
    pub fn head(&self, node: &TierNode) -> f64 {
        let fixed = match self.profile.mode {
            CostMode::Flops { .. } | CostMode::Roofline { .. } => 0.0,
            CostMode::Runtime { .. } => 1e-3 * node.terms.token_ms.unwrap_or(0.0),
        };
        self.time(node, self.model.head_flop, self.model.head) + fixed
    }

    /// A stage of a range of blocks, the output head in it or not [s]. Without blocks and head it takes no time.
    #[must_use]
    pub fn stage(&self, node: &TierNode, blocks: &Range<usize>, with_head: bool) -> Passes {
        if blocks.is_empty() && !with_head {
            return Passes::default();
        }
        let head = if with_head { self.head(node) } else { 0.0 };
        let of = |pass: fn(&Passes) -> f64| {
            let blocks = self
                .model
                .sum(blocks, |block| pass(&self.block(node, block)));
            blocks + head + self.profile.overhead
        };
        Passes {
            prefill: of(|passes| passes.prefill),
            decode: of(|passes| passes.decode),
        }
    }

    /// Delay before a request enters the first tier [s].
    #[must_use]
    pub fn setup(&self) -> f64 {
        self.profile.setup * self.model.parameters / 1e9
    }

    /// The partition problem of a whole request: times in seconds a request, memory in GB.
    ///
    /// Embedding and output head are on the tiers of the first and the last block, in memory and, the head, in time. A runtime has
    /// its buffers and the cache of one request besides.
    /// A tier's overhead counts where it holds a block.
    ///
    /// # Errors
    /// Names what comes out as no positive, finite number.
    pub fn partition(
        &self,
        nodes: &[TierNode],
        hops: &[Passes],
        abstraction: Abstraction,
    ) -> Result<TierPartition, Invalid> {
        let blocks = self.model.blocks();
        if blocks == 0 {
            return Err(Invalid::range("layers", 0, "at least one block"));
        }
        let generated = self.request.generated;
        let cost = |node: &TierNode| {
            let time = |block: &BlockCost| self.block(node, block).request(self.request);
            let mut row = self.model.each(time);
            if abstraction.head_time {
                row[blocks - 1] += generated * self.head(node);
            }
            row
        };
        let costs: Vec<Vec<f64>> = nodes.iter().map(cost).collect();
        let mut need = self.model.each(|block| self.block_memory(block) / 1e9);
        if abstraction.end_memory {
            let [embedding, head] = self.ends();
            need[0] += embedding / 1e9;
            need[blocks - 1] += head / 1e9;
        }
        let mut beside = 0.0;
        if let CostMode::Runtime { .. } = self.profile.mode {
            let whole = self.memory(&(0..blocks));
            need[blocks - 1] += whole.logits / 1e9;
            beside = whole.prompt / 1e9;
        }
        let room = |node: &TierNode| (node.usable_gb - beside).max(0.0);
        let memory: Vec<f64> = nodes.iter().map(room).collect();
        let hops: Vec<f64> = hops.iter().map(|hop| hop.request(self.request)).collect();
        TierPartition::from_costs(&costs, &need, &memory)?
            .with_fixed(&vec![generated * self.profile.overhead; nodes.len()])?
            .with_hops(&hops)
    }
}

/// Parts of a model that the paper leaves out; each flag says if it is counted here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abstraction {
    /// True if the output head takes time on the tier of the last block.
    pub head_time: bool,
    /// True if embedding and output head need memory.
    pub end_memory: bool,
}

/// Everything that a real model has.
pub const FULL_MODEL: Abstraction = Abstraction {
    head_time: true,
    end_memory: true,
};

/// The paper's own abstraction: blocks and nothing else.
pub const BLOCKS_ONLY: Abstraction = Abstraction {
    head_time: false,
    end_memory: false,
};

/// A link between neighbouring tiers. Nothing queues on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierLink {
    /// Rate, R [bit/s].
    pub rate: f64,
    /// Delay of every transfer [s].
    pub latency: f64,
    /// Bytes of a hidden value on the wire, e: 2 for fp16.
    pub bytes_per_value: f64,
}

impl TierLink {
    /// A link of so many bits a second, fp16 on the wire, without delay.
    #[must_use]
    pub const fn of_rate(rate: f64) -> Self {
        Self {
            rate,
            latency: 0.0,
            bytes_per_value: 2.0,
        }
    }

    /// B log2(1 + SINR) [bit/s], the SINR in decibels.
    #[must_use]
    pub fn shannon(bandwidth_hz: f64, sinr_db: f64) -> f64 {
        bandwidth_hz * libm::log2(1.0 + libm::pow(10.0, sinr_db / 10.0))
    }

    /// Transfer of a pass: P tokens for a prefill, one for a decode [s].
    #[must_use]
    pub fn passes(&self, width: f64, request: &TierRequest) -> Passes {
        let of =
            |tokens: f64| 8.0 * (tokens * width * self.bytes_per_value) / self.rate + self.latency;
        Passes {
            prefill: of(request.prompt),
            decode: of(1.0),
        }
    }
}

/// Time from arrival to the last token of a request that is alone [s]: all stages and hops of all passes, and the way
/// back of every token.
#[must_use]
pub fn alone(stages: &[Passes], hops: &[Passes], return_delay: f64, request: &TierRequest) -> f64 {
    let all = |passes: &[Passes]| passes.iter().map(|p| p.request(request)).sum::<f64>();
    all(stages) + all(hops) + request.generated * return_delay
}
