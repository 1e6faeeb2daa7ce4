//! Properties of the class behind a `model_type` that its `config.json` does not state: gains, biases, gates, tied weights,
//! windows of blocks. From the public model code of the `transformers` library. Tests hold models of these classes to published
//! parameter counts, except those that follow the code alone: `mistral`, `granite`, `baichuan`, `codegen`, `glm`, `glm4`,
//! `qwen2_moe`, `qwen2_vl`, `qwen2_vl_text`, `qwen2_5_vl`, `qwen2_5_vl_text`, `qwen2_5_omni_text`, `qwen3_vl_text`,
//! `qwen3_vl_moe_text`, `qwen3_omni_moe_text`, `gemma`, `smollm3`, `cohere2`, `RefinedWeb`, `RefinedWebModel` and `xlm-roberta`.

/// Gains on queries and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QkNorm {
    /// None.
    None,
    /// One for the width of a head, shared by all heads.
    Head,
    /// One for all heads together.
    Full,
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
    /// True if the router has a bias for every expert.
    pub router_bias: bool,
    /// True for an encoder: no cache, a table of token types, a pooler after the last block.
    pub encoder: bool,
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
    router_bias: false,
    encoder: false,
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
        names: &["deepseek_v3", "kimi_k2"],
        router_bias: true,
        ..LLAMA
    },
    Family {
        names: &["llama4_text"],
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
        names: &["glm4"],
        norms: 4,
        out_plain: true,
        ..LLAMA
    },
    Family {
        names: &["glm4_moe"],
        out_plain: true,
        router_bias: true,
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
        names: &["olmo2", "olmoe"],
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
        router_bias: true,
        windows: Windows::ButEvery(2),
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
        ..LLAMA
    })
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
