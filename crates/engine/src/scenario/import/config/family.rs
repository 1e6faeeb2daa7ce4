//! Properties of the class behind a `model_type` that its `config.json` does not state: gains, biases, gates, tied weights,
//! windows of blocks. From the public model code of the `transformers` library. A test counts every class of that library with its
//! default configuration; those that follow the code of a model alone, beside its weights, are `arctic`, `baichuan`, `bailing_moe`,
//! `internlm2`, `kimi_k2`, the older names of MiniMax, `minicpm`, `nemotron-nas`, `step3_text`, and the older names of Falcon.

/// Gains on queries and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QkNorm {
    /// None.
    None,
    /// One for the width of a head, shared by all heads.
    Head,
    /// One for the width of a head, with a bias.
    HeadWithBias,
    /// One for each head.
    EachHead,
    /// One for all heads together.
    Full,
}

/// A gate on what attention gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputGate {
    /// None.
    None,
    /// In the matrix of the queries, which is twice as wide.
    InQuery,
    /// A matrix with one value for every query head.
    PerHead,
    /// A matrix with one value for every value of a head.
    PerElement,
}

/// The bias of a router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RouterBias {
    /// None.
    None,
    /// A parameter.
    Learned,
    /// Adjusted while the model is trained: in the file, but no parameter of `transformers`.
    Adjusted,
}

/// Recurrent parts that stand in the place of attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OtherMixer {
    /// Not known.
    Unknown,
    /// Gated delta network, its projections in one matrix for queries, keys, values and gate.
    GatedDelta,
    /// Gated delta network with a matrix for each projection.
    SplitDelta,
    /// Kimi delta attention.
    KimiDelta,
    /// Lightning attention.
    Lightning,
    /// The gated linear recurrence of Griffin.
    Griffin,
    /// A selective state space with a state for every channel.
    Mamba,
    /// A selective state space with heads.
    Mamba2,
    /// A short convolution with gates.
    ShortConvolution,
}

/// Which blocks have the window, where the file lists no layer types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Windows {
    /// All of them.
    All,
    /// All but every n-th.
    ButEvery(u64),
    /// Only if `use_sliding_window`, and then from `max_window_layers` on.
    IfConfigured,
}

/// A family of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    /// Its `model_type`s.
    names: &'static [&'static str],
    /// Vectors of the hidden size that the norms of a block have.
    pub norms: u64,
    /// Vectors of the hidden size behind the last block.
    pub last_norm: u64,
    /// Gains on queries and keys.
    pub qk_norm: QkNorm,
    /// Biases of queries, keys and values unless the file says otherwise.
    pub qkv_bias: bool,
    /// The bias of the output projection, likewise.
    pub out_bias: bool,
    /// True if the output projection has no bias, whatever the file states about attention.
    pub out_plain: bool,
    /// Biases of the feed-forward, likewise.
    pub ffn_bias: bool,
    /// True if the feed-forward network has a gate: three matrices, not two.
    pub gated: bool,
    /// True if embedding and head share weights unless the file states otherwise.
    pub tied: bool,
    /// Which blocks have a window.
    pub windows: Windows,
    /// Rows of a table of positions beyond the longest context; none for most.
    pub positions: Option<u64>,
    /// True if the output head has a bias.
    pub head_bias: bool,
    /// Vectors of the hidden size that a norm behind the embedding has.
    pub embedding_norm: u64,
    /// The bias of the router.
    pub router_bias: RouterBias,
    /// A gate on what attention gives.
    pub output_gate: OutputGate,
    /// True if every query head has a number of its own beside the tokens, in blocks with a window and in those without.
    pub sinks: [bool; 2],
    /// The name of a feed-forward network in the files of the class.
    pub feed_forward: &'static str,
    /// Weights of an activation function that is learned.
    pub activation_weights: u64,
    /// The recurrent part of blocks without attention.
    pub other_mixer: OtherMixer,
    /// True for an encoder: no cache.
    pub encoder: bool,
    /// True if a pooler follows the last block.
    pub has_pooler: bool,
    /// Feed-forward widths per hidden size where the file has no width.
    pub widths: Option<u64>,
    /// True if the class is known.
    pub is_known: bool,
}

/// The plan that most follow: two gains, a gate, no biases.
const LLAMA: Family = Family {
    names: &[
        "llama",
        "mistral",
        "mixtral",
        "phi3",
        "granite",
        "granitemoe",
        "granitemoeshared",
        "internlm2",
        "baichuan",
        "deepseek_v2",
        "mllama_text_model",
    ],
    norms: 2,
    last_norm: 1,
    qk_norm: QkNorm::None,
    qkv_bias: false,
    out_bias: false,
    out_plain: false,
    ffn_bias: false,
    gated: true,
    tied: false,
    windows: Windows::All,
    positions: None,
    head_bias: false,
    embedding_norm: 0,
    router_bias: RouterBias::None,
    output_gate: OutputGate::None,
    sinks: [false, false],
    feed_forward: "mlp",
    activation_weights: 0,
    other_mixer: OtherMixer::Unknown,
    encoder: false,
    has_pooler: false,
    widths: None,
    is_known: true,
};

/// Norms with bias, biases everywhere, two matrices in the feed-forward.
const PLAIN: Family = Family {
    names: &["gpt_neox"],
    norms: 4,
    last_norm: 2,
    qkv_bias: true,
    out_bias: true,
    ffn_bias: true,
    gated: false,
    ..LLAMA
};

/// Biases and norms as in GPT-J: none in attention, one norm for both halves of a block.
const PARALLEL: Family = Family {
    names: &["gptj", "codegen"],
    norms: 2,
    qkv_bias: false,
    out_bias: false,
    head_bias: true,
    widths: Some(4),
    ..PLAIN
};

const FAMILIES: &[Family] = &[
    LLAMA,
    Family {
        names: &[
            "deepseek_v3",
            "deepseek_v32",
            "kimi_k2",
            "kimi_linear",
            "axk1",
            "glm4_moe_lite",
            "glm_moe_dsa",
        ],
        router_bias: RouterBias::Adjusted,
        other_mixer: OtherMixer::KimiDelta,
        ..LLAMA
    },
    Family {
        names: &["llama4_text"],
        feed_forward: "feed_forward",
        windows: Windows::ButEvery(4),
        ..LLAMA
    },
    Family {
        names: &["glm"],
        qkv_bias: true,
        out_plain: true,
        ..LLAMA
    },
    Family {
        names: &["glm4", "glm_ocr_text"],
        norms: 4,
        out_plain: true,
        ..LLAMA
    },
    Family {
        names: &["glm4v_text"],
        norms: 4,
        qkv_bias: true,
        out_plain: true,
        ..LLAMA
    },
    Family {
        names: &["glm4_moe", "glm4v_moe_text"],
        out_plain: true,
        router_bias: RouterBias::Adjusted,
        ..LLAMA
    },
    Family {
        names: &["stablelm", "phimoe"],
        norms: 4,
        last_norm: 2,
        ..LLAMA
    },
    Family {
        names: &["olmo"],
        norms: 0,
        last_norm: 0,
        ..LLAMA
    },
    Family {
        names: &[
            "qwen2",
            "qwen2_moe",
            "qwen2_vl",
            "qwen2_vl_text",
            "qwen2_5_vl",
            "qwen2_5_vl_text",
            "qwen2_5_omni_text",
        ],
        qkv_bias: true,
        out_plain: true,
        windows: Windows::IfConfigured,
        ..LLAMA
    },
    Family {
        names: &[
            "qwen3",
            "qwen3_moe",
            "qwen3_vl_text",
            "qwen3_vl_moe_text",
            "qwen3_omni_moe_text",
        ],
        qk_norm: QkNorm::Head,
        windows: Windows::IfConfigured,
        ..LLAMA
    },
    Family {
        names: &["gemma", "smollm3", "minicpm"],
        tied: true,
        ..LLAMA
    },
    Family {
        names: &["gemma2"],
        norms: 4,
        tied: true,
        windows: Windows::ButEvery(2),
        ..LLAMA
    },
    Family {
        names: &["gemma3", "gemma3_text"],
        norms: 4,
        qk_norm: QkNorm::Head,
        tied: true,
        windows: Windows::ButEvery(6),
        ..LLAMA
    },
    Family {
        names: &["olmo2", "olmoe", "flex_olmo"],
        qk_norm: QkNorm::Full,
        ..LLAMA
    },
    Family {
        names: &["cohere"],
        norms: 1,
        tied: true,
        ..LLAMA
    },
    Family {
        names: &["cohere2"],
        norms: 1,
        tied: true,
        windows: Windows::ButEvery(4),
        ..LLAMA
    },
    Family {
        names: &["gpt_oss"],
        qkv_bias: true,
        out_bias: true,
        ffn_bias: true,
        router_bias: RouterBias::Learned,
        sinks: [true, true],
        windows: Windows::ButEvery(2),
        ..LLAMA
    },
    Family {
        names: &[
            "ministral",
            "ministral3",
            "cwm",
            "helium",
            "internlm3",
            "arctic",
            "bailing_moe",
            "step3_text",
            "nemotron-nas",
            "deci",
            "iquestcoder",
            "minicpm3",
            "youtu",
            "mistral4",
            "exaone",
            "aria_text",
        ],
        ..LLAMA
    },
    Family {
        names: &["arcee"],
        gated: false,
        ..LLAMA
    },
    Family {
        names: &["seed_oss"],
        qkv_bias: true,
        out_plain: true,
        ..LLAMA
    },
    Family {
        names: &["ernie4_5", "paddleocr_vl_text"],
        tied: true,
        ..LLAMA
    },
    Family {
        names: &["granite_swa", "granitemoe_swa"],
        sinks: [true, true],
        feed_forward: "block_sparse_moe",
        ..LLAMA
    },
    Family {
        names: &["hyperclovax"],
        norms: 4,
        ..LLAMA
    },
    Family {
        names: &["jais2"],
        norms: 4,
        last_norm: 2,
        qkv_bias: true,
        out_bias: true,
        ffn_bias: true,
        gated: false,
        ..LLAMA
    },
    Family {
        names: &["nanochat"],
        norms: 0,
        last_norm: 0,
        gated: false,
        ..LLAMA
    },
    Family {
        names: &["vaultgemma"],
        tied: true,
        windows: Windows::ButEvery(2),
        ..LLAMA
    },
    Family {
        names: &["bitnet"],
        ..LLAMA
    },
    Family {
        names: &["lfm3"],
        qk_norm: QkNorm::Head,
        tied: true,
        feed_forward: "feed_forward",
        other_mixer: OtherMixer::ShortConvolution,
        ..LLAMA
    },
    Family {
        names: &["mpt"],
        norms: 2,
        gated: false,
        tied: true,
        widths: Some(4),
        ..LLAMA
    },
    Family {
        names: &["persimmon"],
        ..PLAIN
    },
    Family {
        names: &["ernie4_5_moe"],
        tied: true,
        router_bias: RouterBias::Learned,
        ..LLAMA
    },
    Family {
        names: &["hunyuan_v1_dense", "hunyuan_v1_moe", "exaone4", "mellum"],
        qk_norm: QkNorm::Head,
        ..LLAMA
    },
    Family {
        names: &["dots1", "exaone_moe", "hy_v3"],
        qk_norm: QkNorm::Head,
        router_bias: RouterBias::Adjusted,
        ..LLAMA
    },
    Family {
        names: &["solar_open"],
        out_plain: true,
        router_bias: RouterBias::Adjusted,
        ..LLAMA
    },
    Family {
        names: &["afmoe"],
        norms: 4,
        qk_norm: QkNorm::Head,
        output_gate: OutputGate::PerElement,
        router_bias: RouterBias::Learned,
        ..LLAMA
    },
    Family {
        names: &["laguna"],
        qk_norm: QkNorm::Head,
        output_gate: OutputGate::PerHead,
        router_bias: RouterBias::Learned,
        ..LLAMA
    },
    Family {
        names: &["mimo_v2_flash"],
        out_plain: true,
        sinks: [true, false],
        router_bias: RouterBias::Adjusted,
        ..LLAMA
    },
    Family {
        names: &["minimax_m2"],
        qk_norm: QkNorm::Full,
        router_bias: RouterBias::Adjusted,
        feed_forward: "block_sparse_moe",
        ..LLAMA
    },
    Family {
        names: &[
            "minimax",
            "minimax_text_01",
            "minimax_m1",
            "MiniMaxText01",
            "MiniMaxM1",
        ],
        other_mixer: OtherMixer::Lightning,
        feed_forward: "block_sparse_moe",
        ..LLAMA
    },
    Family {
        names: &["qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"],
        qk_norm: QkNorm::Head,
        output_gate: OutputGate::InQuery,
        other_mixer: OtherMixer::GatedDelta,
        ..LLAMA
    },
    Family {
        names: &["olmo3", "olmo_hybrid"],
        qk_norm: QkNorm::Full,
        other_mixer: OtherMixer::SplitDelta,
        ..LLAMA
    },
    Family {
        names: &["lfm2", "lfm2_moe"],
        qk_norm: QkNorm::Head,
        tied: true,
        router_bias: RouterBias::Adjusted,
        feed_forward: "feed_forward",
        other_mixer: OtherMixer::ShortConvolution,
        ..LLAMA
    },
    Family {
        names: &["jamba"],
        feed_forward: "feed_forward",
        other_mixer: OtherMixer::Mamba,
        ..LLAMA
    },
    Family {
        names: &["bamba", "falcon_h1", "granitemoehybrid"],
        feed_forward: "feed_forward",
        other_mixer: OtherMixer::Mamba2,
        ..LLAMA
    },
    Family {
        names: &["nemotron_h"],
        gated: false,
        feed_forward: "mixer",
        router_bias: RouterBias::Adjusted,
        other_mixer: OtherMixer::Mamba2,
        ..LLAMA
    },
    Family {
        names: &["mamba2"],
        feed_forward: "mixer",
        other_mixer: OtherMixer::Mamba2,
        ..LLAMA
    },
    Family {
        names: &["mamba", "falcon_mamba"],
        tied: true,
        feed_forward: "mixer",
        other_mixer: OtherMixer::Mamba,
        ..LLAMA
    },
    Family {
        names: &["recurrent_gemma"],
        out_bias: true,
        ffn_bias: true,
        tied: true,
        other_mixer: OtherMixer::Griffin,
        ..LLAMA
    },
    Family {
        names: &["gemma3n_text", "gemma4_text", "gemma4_unified_text"],
        norms: 4,
        qk_norm: QkNorm::Head,
        tied: true,
        windows: Windows::ButEvery(6),
        ..LLAMA
    },
    Family {
        names: &["apertus"],
        qk_norm: QkNorm::Head,
        gated: false,
        activation_weights: 2,
        ..LLAMA
    },
    Family {
        names: &["nemotron"],
        norms: 4,
        last_norm: 2,
        gated: false,
        ..LLAMA
    },
    Family {
        names: &["dbrx"],
        feed_forward: "ffn",
        ..LLAMA
    },
    Family {
        names: &["modernbert"],
        encoder: true,
        tied: true,
        embedding_norm: 1,
        ..LLAMA
    },
    PLAIN,
    PARALLEL,
    Family {
        names: &["falcon", "RefinedWeb", "RefinedWebModel"],
        qkv_bias: false,
        out_bias: false,
        ffn_bias: false,
        tied: true,
        widths: Some(4),
        ..PLAIN
    },
    Family {
        names: &["bloom"],
        tied: true,
        embedding_norm: 2,
        widths: Some(4),
        ..PLAIN
    },
    Family {
        names: &["bert", "roberta", "xlm-roberta"],
        last_norm: 0,
        tied: true,
        positions: Some(0),
        embedding_norm: 2,
        encoder: true,
        has_pooler: true,
        ..PLAIN
    },
    Family {
        names: &["starcoder2"],
        tied: true,
        ..PLAIN
    },
    Family {
        names: &["phi"],
        norms: 2,
        head_bias: true,
        ..PLAIN
    },
    Family {
        names: &["gpt2", "gpt_bigcode"],
        tied: true,
        positions: Some(0),
        widths: Some(4),
        ..PLAIN
    },
    Family {
        names: &["opt"],
        tied: true,
        positions: Some(2),
        ..PLAIN
    },
];

/// The family of a `model_type`; of one that is not known, gains as most have them, which are a thousandth of a block:
/// its feed-forward is asked for.
pub(super) fn of(model_type: &str) -> Family {
    let known = FAMILIES.iter().find(|f| f.names.contains(&model_type));
    known.copied().unwrap_or(Family {
        is_known: false,
        encoder: is_called_encoder(model_type),
        ..LLAMA
    })
}

/// Returns true if a name is that of the encoders that follow BERT.
fn is_called_encoder(model_type: &str) -> bool {
    let is_decoder = model_type.contains("decoder") || model_type.contains("generation");
    !is_decoder && (model_type.contains("bert") || model_type.contains("electra"))
}

/// Returns the default of a class for a field that its file leaves out.
pub(super) fn default_of(model_type: &str, field: &str) -> Option<f64> {
    let value = match (model_type, field) {
        ("gemma3_text" | "gemma3", "h_q") => 8.0,
        ("gemma3_text" | "gemma3" | "gemma2", "h_k") => 4.0,
        ("gemma3_text" | "gemma3" | "gemma2" | "gemma", "d_head") => 256.0,
        ("gemma3_text" | "gemma3", "vocabulary") => 262_208.0,
        ("mixtral", "experts") => 8.0,
        ("mixtral", "experts_used") => 2.0,
        ("gpt2", "layers" | "h_q") => 12.0,
        ("gpt2", "d_model") => 768.0,
        ("gpt2", "vocabulary") => 50_257.0,
        ("gpt2" | "opt", "context") => {
            if model_type == "opt" {
                2048.0
            } else {
                1024.0
            }
        }
        ("gpt_oss", "d_head") => 64.0,
        ("llama4_text", "d_head") => 128.0,
        ("gpt_bigcode", "context") => 1024.0,
        ("bert" | "roberta" | "xlm-roberta", "context") => 512.0,
        _ => return None,
    };
    Some(value)
}
