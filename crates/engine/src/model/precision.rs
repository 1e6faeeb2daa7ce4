//! How weights and caches are stored: the one table of names, bytes, and where each number is from.
//!
//! A precision says what a number takes where it is: in a file, in memory, on the way from memory. Arithmetic is not faster for
//! it here, since runtimes unpack weights before they multiply. Source: the blocks of [`super::ggml`] where a name is one of its
//! types. llama.cpp's files of kinds such as `q4_K_M` mix types tensor by tensor; for those stands the mean over all weights of
//! Llama 3.1 8B as `tools/quantize/README.md` of llama.cpp has it, which differs a little from model to model.

use super::ggml;
use crate::units::rounded;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// How numbers of a model are stored, by its name in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub enum Precision {
    /// 32-bit floating point.
    #[serde(rename = "fp32")]
    Fp32,
    /// 16-bit floating point with the exponent of 32 bits.
    #[serde(rename = "bf16")]
    Bf16,
    /// 16-bit floating point.
    #[default]
    #[serde(rename = "fp16")]
    Fp16,
    /// ggml's 8 bits, with a scale for every 32.
    #[serde(rename = "q8_0")]
    Q8_0,
    /// 8-bit floating point.
    #[serde(rename = "fp8")]
    Fp8,
    /// 8-bit whole numbers.
    #[serde(rename = "int8")]
    Int8,
    /// ggml's 6 bits in blocks of 256.
    #[serde(rename = "q6_K")]
    Q6K,
    /// llama.cpp's mix around 5 bits.
    #[serde(rename = "q5_K_M")]
    Q5KM,
    /// ggml's 5 bits, with a scale for every 32.
    #[serde(rename = "q5_0")]
    Q5_0,
    /// llama.cpp's mix around 4 bits.
    #[serde(rename = "q4_K_M")]
    Q4KM,
    /// The smaller of the mixes around 4 bits.
    #[serde(rename = "q4_K_S")]
    Q4KS,
    /// ggml's 4 bits, with a scale for every 32.
    #[serde(rename = "q4_0")]
    Q4_0,
    /// 4-bit whole numbers, with a 16-bit scale for every 32.
    #[serde(rename = "int4")]
    Int4,
    /// 4-bit floating point, with a scale of one byte for every 16.
    #[serde(rename = "nvfp4")]
    Nvfp4,
    /// llama.cpp's mix around 4 bits by tables.
    #[serde(rename = "iq4_xs")]
    Iq4Xs,
    /// 4-bit floating point, with a scale of one byte for every 32.
    #[serde(rename = "mxfp4")]
    Mxfp4,
    /// llama.cpp's mix around 3 bits.
    #[serde(rename = "q3_K_M")]
    Q3KM,
    /// llama.cpp's mix around 2 bits.
    #[serde(rename = "q2_K")]
    Q2K,
}

/// Where the bytes of a number are from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Layout {
    /// Bytes per number.
    Each(f64),
    /// Whole numbers or floats of one byte; scales of whole matrices are left out.
    Byte,
    /// A ggml type: its name, then numbers per block and bytes per block.
    Blocks(&'static str, (u64, u64)),
    /// Bits per number, the mean over a model of llama.cpp.
    Mean(f64),
}

const fn blocks(name: &'static str) -> Layout {
    Layout::Blocks(name, ggml::block(name))
}

/// The bytes of a number that is never stored otherwise: norm gains, activations; and of weights and caches of which nothing is
/// said.
pub const BYTES_16: f64 = 2.0;

impl Precision {
    /// All of them, the largest first.
    pub const ALL: [Self; 18] = [
        Self::Fp32,
        Self::Bf16,
        Self::Fp16,
        Self::Q8_0,
        Self::Fp8,
        Self::Int8,
        Self::Q6K,
        Self::Q5KM,
        Self::Q5_0,
        Self::Q4KM,
        Self::Q4KS,
        Self::Q4_0,
        Self::Int4,
        Self::Nvfp4,
        Self::Iq4Xs,
        Self::Mxfp4,
        Self::Q3KM,
        Self::Q2K,
    ];

    /// Precisions in which runtimes keep keys and values.
    pub const OF_CACHE: [Self; 8] = [
        Self::Fp32,
        Self::Bf16,
        Self::Fp16,
        Self::Q8_0,
        Self::Fp8,
        Self::Int8,
        Self::Q5_0,
        Self::Q4_0,
    ];

    /// Its name in files and on the page, and where its bytes are from.
    const fn row(self) -> (&'static str, Layout) {
        match self {
            Self::Fp32 => ("fp32", Layout::Each(4.0)),
            Self::Bf16 => ("bf16", Layout::Each(2.0)),
            Self::Fp16 => ("fp16", Layout::Each(2.0)),
            Self::Q8_0 => ("q8_0", const { blocks("Q8_0") }),
            Self::Fp8 => ("fp8", Layout::Byte),
            Self::Int8 => ("int8", Layout::Byte),
            Self::Q6K => ("q6_K", const { blocks("Q6_K") }),
            Self::Q5KM => ("q5_K_M", Layout::Mean(5.7036)),
            Self::Q5_0 => ("q5_0", const { blocks("Q5_0") }),
            Self::Q4KM => ("q4_K_M", Layout::Mean(4.8944)),
            Self::Q4KS => ("q4_K_S", Layout::Mean(4.6672)),
            Self::Q4_0 => ("q4_0", const { blocks("Q4_0") }),
            // A scale of two bytes for every 32, as in ggml's blocks.
            Self::Int4 => ("int4", const { blocks("Q4_0") }),
            Self::Nvfp4 => ("nvfp4", const { blocks("NVFP4") }),
            Self::Iq4Xs => ("iq4_xs", Layout::Mean(4.4597)),
            Self::Mxfp4 => ("mxfp4", const { blocks("MXFP4") }),
            Self::Q3KM => ("q3_K_M", Layout::Mean(3.9960)),
            Self::Q2K => ("q2_K", Layout::Mean(3.1593)),
        }
    }

    /// Bytes of one number, its share of scales included, b.
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self.row().1 {
            Layout::Each(bytes) => bytes,
            Layout::Byte => 1.0,
            Layout::Blocks(_, (numbers, bytes)) => bytes as f64 / numbers as f64,
            Layout::Mean(bits) => bits / 8.0,
        }
    }

    /// Returns the ratio to two bytes for each number, the default.
    #[must_use]
    pub const fn share(self) -> f64 {
        self.bytes() / BYTES_16
    }

    /// The bytes as they are shown: `0.6118`.
    #[must_use]
    pub fn rounded_bytes(self) -> f64 {
        rounded(self.bytes(), 5)
    }

    /// Its name in files and on the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The one with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The one in which a PyTorch file has its values, by the name of the type.
    #[must_use]
    pub fn of_torch(name: &str) -> Option<Self> {
        Some(match name.trim_start_matches("torch.") {
            "bfloat16" => Self::Bf16,
            "float16" | "half" => Self::Fp16,
            "float32" | "float" => Self::Fp32,
            "float8_e4m3fn" | "float8_e5m2" => Self::Fp8,
            "int8" => Self::Int8,
            _ => return None,
        })
    }

    /// The kind of a GGUF file, by the number that its `general.file_type` has.
    ///
    /// Source: `llama_ftype` of llama.cpp.
    #[must_use]
    pub fn of_gguf(kind: f64) -> Option<Self> {
        const KINDS: [(f64, Precision); 13] = [
            (0.0, Precision::Fp32),
            (1.0, Precision::Fp16),
            (2.0, Precision::Q4_0),
            (7.0, Precision::Q8_0),
            (8.0, Precision::Q5_0),
            (10.0, Precision::Q2K),
            (12.0, Precision::Q3KM),
            (14.0, Precision::Q4KS),
            (15.0, Precision::Q4KM),
            (17.0, Precision::Q5KM),
            (18.0, Precision::Q6K),
            (30.0, Precision::Iq4Xs),
            (32.0, Precision::Bf16),
        ];
        let found = KINDS.iter().find(|(number, _)| *number == kind);
        found.map(|(_, precision)| *precision)
    }

    /// Returns true for two bytes for each number, the default.
    #[must_use]
    pub const fn is_16_bits(self) -> bool {
        matches!(self, Self::Bf16 | Self::Fp16)
    }

    /// Where the number of bytes is from, in words.
    #[must_use]
    pub fn source(self) -> String {
        match self.row().1 {
            Layout::Each(bytes) => format!("{bytes} bytes each"),
            Layout::Byte => "1 byte each; scales of whole matrices are left out".to_owned(),
            Layout::Blocks(name, (numbers, bytes)) => match self {
                Self::Int4 => {
                    format!("half a byte each and a 16-bit scale for every {numbers}")
                }
                _ => format!("blocks of {numbers} in {bytes} bytes (ggml {name})"),
            },
            Layout::Mean(bits) => format!(
                "{bits} bits on average over Llama 3.1 8B (llama.cpp, tools/quantize/README.md)"
            ),
        }
    }
}

/// How a model is stored, as far as that is said; where it is not, a number takes two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stored {
    /// Weights.
    pub weights: Option<Precision>,
    /// Keys and values.
    pub cache: Option<Precision>,
}

impl Stored {
    /// Weights and cache as they count.
    #[must_use]
    pub fn counted(self) -> [Precision; 2] {
        [self.weights, self.cache].map(Option::unwrap_or_default)
    }

    /// "weights q4_K_M, cache q8_0": what does not take 16 bits, if anything.
    #[must_use]
    pub fn description(self) -> Option<String> {
        let [weights, cache] = self.counted();
        let parts = [("weights", weights), ("cache", cache)];
        let odd = parts.into_iter().filter(|(_, one)| !one.is_16_bits());
        let words: Vec<String> = odd
            .map(|(what, one)| format!("{what} {}", one.name()))
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The name of a model that is stored so: "Qwen3-14B (weights q4_K_M)", the name alone where all takes 16 bits.
    #[must_use]
    pub fn of_model(self, name: &str) -> String {
        match self.description() {
            Some(words) => format!("{name} ({words})"),
            None => name.to_owned(),
        }
    }
}

/// Reads a precision of keys and values, which runtimes keep in few of them; `null` is none.
///
/// # Errors
/// Another name.
pub fn of_cache<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Precision>, D::Error> {
    /// By name, so that a fault lists these alone.
    const NAMES: [&str; 8] = {
        let mut names = [""; 8];
        let mut at = 0;
        while at < names.len() {
            names[at] = Precision::OF_CACHE[at].name();
            at += 1;
        }
        names
    };
    let Some(name) = Option::<std::borrow::Cow<str>>::deserialize(reader)? else {
        return Ok(None);
    };
    let mut all = Precision::OF_CACHE.into_iter();
    match all.find(|one| one.name() == name) {
        Some(found) => Ok(Some(found)),
        None => Err(D::Error::unknown_variant(&name, &NAMES)),
    }
}

/// Schema of values that [`of_cache`] reads, for the description of the service.
#[cfg(not(target_arch = "wasm32"))]
pub fn cache_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names = Precision::OF_CACHE.iter().map(|one| Some(one.name()));
    let all: Vec<Option<&str>> = names.chain([None]).collect();
    schemars::json_schema!({ "enum": all })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the layouts as `ggml-common.h` declares them, written out: scales, minima and packed bits of a block.
    #[test]
    fn bytes_are_those_of_the_blocks() {
        let blocks = [
            (Precision::Q8_0, 32.0, 2.0 + 32.0),
            (Precision::Q6K, 256.0, 128.0 + 64.0 + 16.0 + 2.0),
            (Precision::Q5_0, 32.0, 2.0 + 4.0 + 16.0),
            (Precision::Q4_0, 32.0, 2.0 + 16.0),
            (Precision::Int4, 32.0, 2.0 + 16.0),
            (Precision::Nvfp4, 64.0, 4.0 + 32.0),
            (Precision::Mxfp4, 32.0, 1.0 + 16.0),
        ];
        for (precision, numbers, bytes) in blocks {
            assert_eq!(precision.bytes(), bytes / numbers, "{}", precision.name());
        }
        let means = [
            (Precision::Q5KM, 5.7036),
            (Precision::Q4KM, 4.8944),
            (Precision::Q4KS, 4.6672),
            (Precision::Iq4Xs, 4.4597),
            (Precision::Q3KM, 3.996),
            (Precision::Q2K, 3.1593),
        ];
        for (precision, bits) in means {
            assert_eq!(precision.bytes() * 8.0, bits, "{}", precision.name());
        }
        let plain = [
            (Precision::Fp32, 4.0),
            (Precision::Bf16, 2.0),
            (Precision::Fp16, 2.0),
            (Precision::Fp8, 1.0),
            (Precision::Int8, 1.0),
        ];
        for (precision, bytes) in plain {
            assert_eq!(precision.bytes(), bytes, "{}", precision.name());
        }
        assert_eq!(
            blocks.len() + means.len() + plain.len(),
            Precision::ALL.len()
        );
    }

    #[test]
    fn names_are_those_of_files_and_the_largest_comes_first() {
        for precision in Precision::ALL {
            let written = serde_json::to_string(&precision).expect("a name");
            assert_eq!(written, format!("\"{}\"", precision.name()));
            assert_eq!(Precision::find(precision.name()), Some(precision));
            assert!(!precision.source().is_empty());
        }
        let sizes = Precision::ALL.map(Precision::bytes);
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        let all = Precision::OF_CACHE.iter();
        assert!(all.clone().all(|one| Precision::ALL.contains(one)));
    }

    #[test]
    fn a_cache_in_something_else_is_refused_with_what_is_allowed() {
        let read = |text: &str| of_cache(&mut serde_json::Deserializer::from_str(text));
        assert_eq!(read("\"q8_0\"").expect("a cache"), Some(Precision::Q8_0));
        assert_eq!(read("null").expect("none"), None);
        for text in ["\"q4_K_M\"", "\"q9\"", "8"] {
            assert!(read(text).is_err(), "{text}");
        }
        let fault = read("\"q4_K_M\"").expect_err("no cache").to_string();
        assert!(
            fault.contains("`q4_0`") && !fault.contains("q6_K"),
            "{fault}"
        );
    }
}
