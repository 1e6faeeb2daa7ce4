//! Published models, one row each, with the place the numbers come from.

use super::Transformer;

/// A catalogue row.
#[derive(Debug, Clone, Copy)]
pub struct CatalogModel {
    /// The name its makers gave it.
    pub name: &'static str,
    /// Its dimensions.
    pub dims: Transformer,
    /// Tokens it knows, V: rows of its embedding and columns of its output head.
    pub vocabulary: u32,
    /// Tokens of prompt and answer together for which it has positions (`max_position_embeddings`).
    pub context: u32,
    /// True if embedding and output head are one matrix.
    pub tied_embeddings: bool,
    /// Where the dimensions were read.
    pub source: &'static str,
}

const fn row(
    name: &'static str,
    [n_layers, d_model, h_q, h_k, d_head, d_ff]: [u32; 6],
    (vocabulary, context, tied_embeddings): (u32, u32, bool),
    source: &'static str,
) -> CatalogModel {
    let dims = Transformer {
        n_layers,
        d_model: d_model as f64,
        h_q: h_q as f64,
        h_k: h_k as f64,
        d_head: d_head as f64,
        d_ff: d_ff as f64,
    };
    CatalogModel {
        name,
        dims,
        vocabulary,
        context,
        tied_embeddings,
        source,
    }
}

/// All models, the paper's own first. Columns: blocks, hidden size, query heads, key/value heads, head width,
/// feed-forward width; then the vocabulary, the context and whether embedding and head are one. Weights are bf16.
pub const MODELS: &[CatalogModel] = &[
    row(
        "Qwen3-14B",
        [40, 5120, 40, 8, 128, 17408],
        (151_936, 40_960, false),
        "CSGO, section 5; config.json of Qwen/Qwen3-14B",
    ),
    row(
        "Qwen3-4B",
        [36, 2560, 32, 8, 128, 9728],
        (151_936, 40_960, true),
        "config.json of Qwen/Qwen3-4B",
    ),
    row(
        "Qwen3-8B",
        [36, 4096, 32, 8, 128, 12288],
        (151_936, 40_960, false),
        "config.json of Qwen/Qwen3-8B",
    ),
    row(
        "Qwen3-32B",
        [64, 5120, 64, 8, 128, 25600],
        (151_936, 40_960, false),
        "config.json of Qwen/Qwen3-32B",
    ),
    row(
        "Llama-3.2-3B",
        [28, 3072, 24, 8, 128, 8192],
        (128_256, 131_072, true),
        "config.json of meta-llama/Llama-3.2-3B",
    ),
    row(
        "Llama-3.2-1B",
        [16, 2048, 32, 8, 64, 8192],
        (128_256, 131_072, true),
        "config.json of meta-llama/Llama-3.2-1B",
    ),
    row(
        "Llama-3.1-8B",
        [32, 4096, 32, 8, 128, 14336],
        (128_256, 131_072, false),
        "config.json of meta-llama/Llama-3.1-8B",
    ),
    row(
        "Qwen2.5-14B",
        [48, 5120, 40, 8, 128, 13824],
        (152_064, 131_072, false),
        "config.json of Qwen/Qwen2.5-14B",
    ),
    row(
        "Phi-3-mini-4k",
        [32, 3072, 32, 32, 96, 8192],
        (32_064, 4_096, false),
        "config.json of microsoft/Phi-3-mini-4k-instruct",
    ),
    row(
        "Llama-3-8B",
        [32, 4096, 32, 8, 128, 14336],
        (128_256, 8_192, false),
        "Hyperion, Table I; config.json of meta-llama/Meta-Llama-3-8B",
    ),
    row(
        "Phi-3-medium-4k",
        [40, 5120, 40, 10, 128, 17920],
        (32_064, 4_096, false),
        "Hyperion, Table I; config.json of microsoft/Phi-3-medium-4k-instruct",
    ),
    row(
        "Llama-3.3-70B",
        [80, 8192, 64, 8, 128, 28672],
        (128_256, 131_072, false),
        "config.json of meta-llama/Llama-3.3-70B-Instruct",
    ),
    row(
        "Llama-3.1-405B",
        [126, 16384, 128, 8, 128, 53248],
        (128_256, 131_072, false),
        "config.json of meta-llama/Llama-3.1-405B",
    ),
];

/// The row with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static CatalogModel> {
    MODELS.iter().find(|entry| entry.name == name)
}
