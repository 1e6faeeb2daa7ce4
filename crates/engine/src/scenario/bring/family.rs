//! What the class behind a `model_type` has that its `config.json` does not say: gains, biases, gates, what is tied,
//! which blocks have a window. From the public model code of the `transformers` library; each is held to a published
//! parameter count in the tests.

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
    Asked,
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
    /// Biases of the feed-forward, likewise.
    pub ffn_bias: bool,
    /// Whether the feed-forward has a gate: three matrices, not two.
    pub gated: bool,
    /// Whether embedding and head are one where the file says nothing.
    pub tied: bool,
    /// Which blocks have a window.
    pub windows: Windows,
    /// Rows of a table of positions beyond the longest context; none for most.
    pub positions: Option<u64>,
    /// Whether the output head has a bias.
    pub head_bias: bool,
    /// Whether this program knows the class.
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
        "deepseek_v2",
        "deepseek_v3",
        "kimi_k2",
    ],
    norms: 2,
    last_norm: 1,
    qk_norm: QkNorm::None,
    qkv_bias: false,
    out_bias: false,
    ffn_bias: false,
    gated: true,
    tied: false,
    windows: Windows::All,
    positions: None,
    head_bias: false,
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

const FAMILIES: &[Family] = &[
    LLAMA,
    Family {
        names: &[
            "qwen2",
            "qwen2_moe",
            "qwen2_vl",
            "qwen2_vl_text",
            "qwen2_5_vl",
            "qwen2_5_vl_text",
        ],
        qkv_bias: true,
        windows: Windows::Asked,
        ..LLAMA
    },
    Family {
        names: &["qwen3", "qwen3_moe", "qwen3_vl_text", "qwen3_vl_moe_text"],
        qk_norm: QkNorm::Head,
        windows: Windows::Asked,
        ..LLAMA
    },
    Family {
        names: &["gemma", "smollm3"],
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
        names: &["olmo2"],
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
        windows: Windows::ButEvery(2),
        ..LLAMA
    },
    PLAIN,
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
        names: &["gpt2"],
        tied: true,
        positions: Some(0),
        ..PLAIN
    },
    Family {
        names: &["opt"],
        tied: true,
        positions: Some(2),
        ..PLAIN
    },
];

/// The family of a `model_type`; of one that is not known, what most have.
pub(super) fn of(model_type: &str) -> Family {
    let known = FAMILIES.iter().find(|f| f.names.contains(&model_type));
    known.copied().unwrap_or(Family {
        is_known: false,
        // A file of the library leaves the field out where its value is the library's own: tied.
        tied: true,
        ..LLAMA
    })
}

/// What a class has where its file leaves a field out.
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
        _ => return None,
    };
    Some(value)
}
