//! Bytes of a model by kind of matrix: files are not stored in one type throughout.
//!
//! llama.cpp gives the output head more bits than the rest, and its mixes (`q4_K_M` and the like) choose the type of a matrix by its
//! kind and its block. Formats that quantise linear layers only (fp8, int4 and the 4-bit floats) leave embedding and head at 16 bits;
//! int8 is taken throughout, as NNCF does and as Hyperion counts.
//!
//! Source: `llama-quant.cpp` of llama.cpp, for decoders without experts and without an importance matrix; its exceptions for single
//! architectures (Falcon, Llama of 80 blocks) are left out, they move a block by less than half a percent. The others: the
//! recipes of llm-compressor, `AutoAWQ` and `ModelOpt`, which quantise the linear layers of the blocks and ignore `lm_head`.

use super::Transformer;
use super::ggml;
use super::precision::{BYTES_16, Precision};

/// Matrices of a block whose type a mix chooses by itself; the others have the type of the mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matrix {
    /// Projection of the values.
    Value,
    /// Projection behind attention.
    Output,
    /// The last matrix of the feed-forward.
    Down,
}

/// Bytes of a weight in a type of ggml.
const fn of_type(name: &str) -> f64 {
    let (weights, bytes) = ggml::block(name);
    bytes as f64 / weights as f64
}

const Q2_K: f64 = of_type("Q2_K");
const Q3_K: f64 = of_type("Q3_K");
const Q4_K: f64 = of_type("Q4_K");
const Q5_K: f64 = of_type("Q5_K");
const Q6_K: f64 = of_type("Q6_K");
const IQ4_XS: f64 = of_type("IQ4_XS");

/// Query heads that share keys and values, from which mixes give the values more bits.
const MANY_SHARE: f64 = 4.0;

/// Blocks to which the mixes around 4 and 5 bits give more: the first and the last eighth, and every third between them.
const fn has_more_bits(block: u32, blocks: u32) -> bool {
    let eighth = blocks / 8;
    block < eighth || block >= 7 * blocks / 8 || (block - eighth) % 3 == 2
}

impl Precision {
    /// The type of most matrices of a mix [B per weight]; `None` for a precision that is one type throughout the blocks.
    const fn mix_base(self) -> Option<f64> {
        Some(match self {
            Self::Q5KM => Q5_K,
            Self::Q4KM | Self::Q4KS => Q4_K,
            Self::Iq4Xs => IQ4_XS,
            Self::Q3KM => Q3_K,
            Self::Q2K => Q2_K,
            _ => return None,
        })
    }

    /// Bytes of a weight of a matrix of block `block`, counted from 0.
    fn in_mix(self, base: f64, matrix: Matrix, block: u32, dims: &Transformer) -> f64 {
        let blocks = dims.n_layers;
        let share = dims.h_q >= MANY_SHARE * dims.h_k;
        let is_first = |part: u32| block < blocks / part;
        match (self, matrix) {
            (Self::Q5KM | Self::Q4KM, Matrix::Value | Matrix::Down)
                if has_more_bits(block, blocks) =>
            {
                Q6_K
            }
            (Self::Q4KS, Matrix::Value) if block < 4 => Q5_K,
            (Self::Q4KS | Self::Iq4Xs, Matrix::Down) if is_first(8) => Q5_K,
            (Self::Iq4Xs, Matrix::Value) if share => Q5_K,
            (Self::Q3KM, Matrix::Value) if block < 2 => Q5_K,
            (Self::Q3KM, Matrix::Down) if is_first(16) => Q5_K,
            (Self::Q3KM, _) | (Self::Q2K, Matrix::Value) if self == Self::Q3KM || share => Q4_K,
            (Self::Q2K, _) => Q3_K,
            _ => base,
        }
    }

    /// Bytes of the matrices of one block, the mean over all blocks.
    ///
    /// # Complexity
    /// O(blocks).
    #[must_use]
    pub fn block_bytes(self, dims: &Transformer) -> f64 {
        let (_, _, in_16_bits) = dims.block(1.0);
        let Some(base) = self.mix_base() else {
            return in_16_bits * self.share();
        };
        let matrices = [
            (Matrix::Value, dims.d_model * dims.h_k * dims.d_head),
            (Matrix::Output, dims.d_model * dims.h_q * dims.d_head),
            (Matrix::Down, dims.d_model * dims.d_ff),
        ];
        let more = |block: u32| -> f64 {
            let bytes = |(matrix, weights): &(Matrix, f64)| {
                weights * (self.in_mix(base, *matrix, block, dims) - base)
            };
            matrices.iter().map(bytes).sum()
        };
        let extra: f64 = (0..dims.n_layers).map(more).sum();
        in_16_bits / BYTES_16 * base + extra / f64::from(dims.n_layers.max(1))
    }

    /// Bytes of a weight of the output head.
    #[must_use]
    pub const fn head_bytes(self) -> f64 {
        match self {
            Self::Fp8 | Self::Int4 | Self::Nvfp4 | Self::Mxfp4 => BYTES_16,
            Self::Fp32 | Self::Bf16 | Self::Fp16 | Self::Q8_0 | Self::Int8 => self.bytes(),
            Self::Q6K
            | Self::Q5KM
            | Self::Q5_0
            | Self::Q4KM
            | Self::Q4KS
            | Self::Q4_0
            | Self::Iq4Xs
            | Self::Q3KM
            | Self::Q2K => Q6_K,
        }
    }

    /// Bytes of a weight of the embedding: of the head where they are one matrix.
    #[must_use]
    pub const fn embedding_bytes(self, is_head: bool) -> f64 {
        match (is_head, self.mix_base()) {
            (false, Some(base)) => base,
            (false, None) if self.head_bytes() == Q6_K => self.bytes(),
            _ => self.head_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::catalog;
    use crate::model::cost::DecoderCost;

    /// Bits of a weight over all of Llama 3.1 8B, as llama.cpp publishes them for its files.
    #[test]
    fn mixes_of_llama_3_1_8b_are_as_published() {
        let entry = catalog::find("Llama-3.1-8B").expect("of the catalogue");
        let cost = DecoderCost::from(entry);
        for (precision, published) in [
            (Precision::Q6K, 6.5633),
            (Precision::Q5KM, 5.7036),
            (Precision::Q4KM, 4.8944),
            (Precision::Q4KS, 4.6672),
            (Precision::Iq4Xs, 4.4597),
            (Precision::Q3KM, 3.9960),
            (Precision::Q2K, 3.1593),
        ] {
            let bits = 8.0 * cost.bytes(precision) / cost.parameters();
            let off = bits / published - 1.0;
            assert!(off.abs() < 1e-3, "{}: {bits} {published}", precision.name());
        }
    }

    /// Sizes of published files: without a head of its own, the embedding has the bits of a head.
    #[test]
    fn files_have_the_published_sizes() {
        for (name, precision, file) in [
            ("Qwen3-8B", Precision::Q4KM, 5.0278e9),
            ("Qwen3-14B", Precision::Q4KM, 9.0018e9),
            ("Qwen3-4B", Precision::Q4KM, 2.4973e9),
            ("Llama-3.2-3B", Precision::Q4KM, 2.0194e9),
            ("Llama-3.2-1B", Precision::Q4KM, 0.8077e9),
        ] {
            let entry = catalog::find(name).expect("of the catalogue");
            let bytes = DecoderCost::from(entry).bytes(precision);
            // A file has a tokenizer beside its weights: 5 to 8 MB.
            let off = (file - bytes) / file;
            assert!((-0.001..0.012).contains(&off), "{name}: {bytes} {file}");
        }
    }

    #[test]
    fn quantised_linear_layers_leave_embedding_and_head_at_16_bits() {
        for precision in [Precision::Fp8, Precision::Int4, Precision::Nvfp4] {
            assert_eq!(precision.head_bytes(), 2.0);
            assert_eq!(precision.embedding_bytes(false), 2.0);
        }
        assert_eq!(Precision::Q4_0.embedding_bytes(false), 18.0 / 32.0);
        assert_eq!(Precision::Q4_0.embedding_bytes(true), 210.0 / 256.0);
        assert_eq!(Precision::Q4KM.embedding_bytes(false), 144.0 / 256.0);
        assert_eq!(Precision::Q8_0.head_bytes(), 34.0 / 32.0);
        assert_eq!(Precision::Fp32.head_bytes(), 4.0);
    }
}
