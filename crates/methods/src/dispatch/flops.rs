//! Cost of a token on a device: operations of one token through a decoder, and the price that follows.
//!
//! Source: DiSCo (arXiv 2502.11417), equations (9) to (11), Tables 6 and 7. As printed, attention is divided by the number of
//! heads, which the sum over heads takes back; without it, and with 10 L d more in the prefill, for which the paper gives no
//! reason, both tables come out for two of the three models. The row of BLOOM-560M follows from no formula (its shares add
//! up to 80 %), so the three published models carry the published figures. One multiply-add counts as one operation, and
//! dimensions are the paper's, not those of the released models.

use engine::papers::DISCO;
use std::sync::LazyLock;

/// Dimensions of a decoder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecoderShape {
    /// Layers, n.
    pub layers: f64,
    /// Width, d.
    pub width: f64,
    /// Attention heads, h.
    pub heads: f64,
    /// Width of the FFN, f.
    pub ffn: f64,
    /// Vocabulary, V.
    pub vocabulary: f64,
}

/// Phase of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlopPhase {
    /// A token of the prompt.
    Prefill,
    /// A token of the answer.
    Decode,
}

/// How attention is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttentionShape {
    /// As printed, divided by the number of heads.
    Printed,
    /// Without that division; the prefill has `extra` L d a layer on top, 10 in the paper's tables.
    Whole {
        /// The factor of L d.
        extra: f64,
    },
}

impl AttentionShape {
    /// The form that gives the paper's tables.
    pub const TABLES: Self = Self::Whole { extra: 10.0 };
}

/// Operations of one token, by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlopParts {
    /// Embedding, counted as a product with the whole vocabulary.
    pub embedding: f64,
    /// Attention of all layers.
    pub attention: f64,
    /// FFN of all layers.
    pub ffn: f64,
    /// LayerNorm of all layers.
    pub layer_norm: f64,
    /// Output over the vocabulary.
    pub output: f64,
}

impl FlopParts {
    /// All parts together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.embedding + self.attention + self.ffn + self.layer_norm + self.output
    }
}

/// Operations of one token with `length` tokens in all. Equations (9) to (11).
#[must_use]
pub fn per_token(
    decoder: &DecoderShape,
    length: f64,
    phase: FlopPhase,
    attention: AttentionShape,
) -> FlopParts {
    let DecoderShape {
        layers,
        width: d,
        heads,
        ffn,
        vocabulary,
    } = *decoder;
    let square = length * length * d;
    let line = length * d;
    let scores = match (attention, phase) {
        (AttentionShape::Printed, FlopPhase::Prefill) => square / heads + line,
        (AttentionShape::Printed, FlopPhase::Decode) => line / heads + line,
        (AttentionShape::Whole { extra }, FlopPhase::Prefill) => square + extra * line,
        (AttentionShape::Whole { .. }, FlopPhase::Decode) => 2.0 * line,
    };
    FlopParts {
        embedding: vocabulary * d,
        attention: layers * (4.0 * d * d + scores),
        ffn: 2.0 * layers * d * ffn,
        layer_norm: 8.0 * layers * d,
        output: vocabulary * d,
    }
}

/// A model of the paper, with its published operations a token [10^9].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFlops {
    /// Its name.
    pub name: &'static str,
    /// Its dimensions, the vocabulary inferred from Table 7.
    pub decoder: DecoderShape,
    /// Prefill with prompts of 32, 64 and 128 tokens. Table 6.
    pub prefill: [f64; 3],
    /// Decode, the same for all three. Table 6.
    pub decode: f64,
}

/// The prompt lengths of Table 6.
pub const LENGTHS: [f64; 3] = [32.0, 64.0, 128.0];

fn profile(name: &'static str, [width, heads, ffn, vocabulary]: [f64; 4]) -> ModelFlops {
    let [first, second, third, decode] = DISCO.row(&format!("operations/{name}")).numbers();
    ModelFlops {
        name,
        decoder: DecoderShape {
            layers: 24.0,
            width,
            heads,
            ffn,
            vocabulary,
        },
        prefill: [first, second, third],
        decode,
    }
}

/// The three models of the paper.
pub static PROFILES: LazyLock<[ModelFlops; 3]> = LazyLock::new(|| {
    [
        profile("BLOOM-1.1B", [1024.0, 16.0, 4096.0, 250_880.0]),
        profile("BLOOM-560M", [512.0, 8.0, 2048.0, 250_880.0]),
        profile("Qwen-0.5B", [768.0, 12.0, 2048.0, 151_936.0]),
    ]
});

impl ModelFlops {
    /// Operations of a prompt token [10^9] at a prompt length, between the published ones on a line, beyond them as there.
    #[must_use]
    pub fn prefill_at(&self, length: f64) -> f64 {
        let at = length.clamp(LENGTHS[0], LENGTHS[2]);
        let k = usize::from(at > LENGTHS[1]);
        let part = (at - LENGTHS[k]) / (LENGTHS[k + 1] - LENGTHS[k]);
        self.prefill[k] + part * (self.prefill[k + 1] - self.prefill[k])
    }

    /// The device's prices [prefill, decode] in USD per 10^6 tokens, where 10^15 operations are worth `worth` USD. The paper
    /// says per 10^6 operations, by which a token would cost hundreds of dollars.
    #[must_use]
    pub fn prices(&self, worth: f64, length: f64) -> [f64; 2] {
        [worth * self.prefill_at(length), worth * self.decode]
    }
}
