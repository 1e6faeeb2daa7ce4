//! From a model, a request and machines to times: stages of a pipeline of tiers, links, and the partition problem.
//!
//! Source: Hyperion, sections III and V, with what the paper leaves open. Two ways to a block's time on a node: FLOPS,
//! the paper's formula, and roofline, the slower of arithmetic and memory. Table I's TOPS are int8 with sparsity, so
//! dense fp16 is a quarter of them; on such machines a prompt of 64 tokens is still bound by memory, and a request
//! costs as many equal passes as it puts out tokens. A request has one prefill pass and G - 1 decode passes; all
//! decode passes are timed at the mean context P + G / 2. Everything is O(1) but the problem, which is O(T N).

use super::{Invalid, TierPartition};
use crate::model::cost::DecoderCost;
use crate::model::precision::Precision;

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

/// A node as its data sheet has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierNode {
    /// Compute as sold [TOPS].
    pub tops: f64,
    /// Memory rate [GB/s].
    pub bandwidth_gb_s: f64,
    /// Memory that is left for weights [GB].
    pub usable_gb: f64,
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

/// A model on a kind of node, under a profile and for a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierCosts<'a> {
    /// The model.
    pub model: &'a DecoderCost,
    /// The reading.
    pub profile: &'a TierProfile,
    /// The request.
    pub request: &'a TierRequest,
}

impl TierCosts<'_> {
    /// Time of `flops` and `bytes` on a node [s].
    #[must_use]
    pub fn time(&self, node: &TierNode, flops: f64, bytes: f64) -> f64 {
        self.arithmetic(node, flops).max(self.reading(node, bytes))
    }

    /// Time of `flops` alone [s].
    fn arithmetic(&self, node: &TierNode, flops: f64) -> f64 {
        match self.profile.mode {
            CostMode::Flops { efficiency } => flops / (efficiency * node.tops * 1e12),
            CostMode::Roofline { compute, .. } => flops / (compute * (node.tops / 4.0) * 1e12),
        }
    }

    /// Time of reading `bytes` alone [s]; the paper's formula knows none.
    fn reading(&self, node: &TierNode, bytes: f64) -> f64 {
        match self.profile.mode {
            CostMode::Flops { .. } => 0.0,
            CostMode::Roofline { memory, .. } => bytes / (memory * node.bandwidth_gb_s * 1e9),
        }
    }

    /// Tokens that a decode pass attends to, on average: P + G / 2.
    fn context(&self) -> f64 {
        self.request.prompt + self.request.generated / 2.0
    }

    /// Keys and values of one token in one block [B].
    fn cache(&self) -> f64 {
        self.model.cache_bytes(self.profile.cache)
    }

    /// Embedding and output head [B]: on the tiers of the first and the last block.
    #[must_use]
    pub fn ends(&self) -> [f64; 2] {
        let precision = self.profile.precision;
        [
            self.model.embedding_bytes(precision),
            self.model.head_bytes(precision),
        ]
    }

    /// Returns the costs of decode passes of a stage that are served together. The weights are read once for all of them.
    #[must_use]
    pub fn batch(&self, node: &TierNode, blocks: usize, with_head: bool) -> Batch {
        let (blocks, context) = (blocks as f64, self.context());
        let head = if with_head { self.model.head() } else { 0.0 };
        Batch {
            more: self.reading(node, blocks * context * self.cache()),
            compute: self.arithmetic(node, blocks * self.model.decode(context) + head),
        }
    }

    /// One block [s].
    #[must_use]
    pub fn block(&self, node: &TierNode) -> Passes {
        let (model, request) = (self.model, self.request);
        let weights = model.block_bytes(self.profile.precision);
        let (prompt, context) = (request.prompt, self.context());
        let bytes = |tokens: f64| weights + tokens * self.cache();
        Passes {
            prefill: self.time(node, model.prefill(prompt), bytes(prompt)),
            decode: self.time(node, model.decode(context), bytes(context)),
        }
    }

    /// The output head, once a pass [s].
    #[must_use]
    pub fn head(&self, node: &TierNode) -> f64 {
        let bytes = self.model.head_bytes(self.profile.precision);
        self.time(node, self.model.head(), bytes)
    }

    /// A stage of `blocks` blocks, the output head in it or not [s]. Without blocks and head it takes no time.
    #[must_use]
    pub fn stage(&self, node: &TierNode, blocks: usize, with_head: bool) -> Passes {
        if blocks == 0 && !with_head {
            return Passes::default();
        }
        let one = self.block(node);
        let head = if with_head { self.head(node) } else { 0.0 };
        let of = |pass: f64| blocks as f64 * pass + head + self.profile.overhead;
        Passes {
            prefill: of(one.prefill),
            decode: of(one.decode),
        }
    }

    /// Delay before a request enters the first tier [s].
    #[must_use]
    pub fn setup(&self) -> f64 {
        self.profile.setup * self.model.parameters() / 1e9
    }

    /// The partition problem of a whole request: times in seconds a request, memory in GB.
    ///
    /// Embedding and output head are on the tiers of the first and the last block, in memory and, the head, in time.
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
        let blocks = self.model.dims.n_layers as usize;
        if blocks == 0 {
            return Err(Invalid::range("layers", 0, "at least one block"));
        }
        let generated = self.request.generated;
        let cost = |node: &TierNode| {
            let mut row = vec![self.block(node).request(self.request); blocks];
            if abstraction.head_time {
                row[blocks - 1] += generated * self.head(node);
            }
            row
        };
        let costs: Vec<Vec<f64>> = nodes.iter().map(cost).collect();
        let precision = self.profile.precision;
        let mut need = vec![self.model.block_bytes(precision) / 1e9; blocks];
        if abstraction.end_memory {
            let [embedding, head] = self.ends();
            need[0] += embedding / 1e9;
            need[blocks - 1] += head / 1e9;
        }
        let memory: Vec<f64> = nodes.iter().map(|node| node.usable_gb).collect();
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
    pub fn passes(&self, model: &DecoderCost, request: &TierRequest) -> Passes {
        let of = |tokens: f64| {
            8.0 * model.activation_bytes(tokens, self.bytes_per_value) / self.rate + self.latency
        };
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
