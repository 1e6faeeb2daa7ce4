//! How many bytes a weight takes, as `quantization_config` has it.

use super::facts::{Else, Facts, Found, Origin, Wanted};
use serde_json::{Map, Value};

/// Bytes of one weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bytes {
    /// Of a matrix of a block, with its share of scales.
    pub matrix: f64,
    /// Of a matrix of an expert.
    pub expert: f64,
    /// Of gains, biases, routers, embedding and head.
    pub rest: f64,
    /// Whether everything is stored alike.
    pub is_plain: bool,
}

const BITS: Wanted = ("weight_bits", "Bits of a weight");

/// Bytes of a value of this type, if it is one.
fn of_type(name: &str) -> Option<f64> {
    Some(match name.trim_start_matches("torch.") {
        "bfloat16" | "float16" | "half" => 2.0,
        "float32" | "float" => 4.0,
        "float64" | "double" => 8.0,
        "float8_e4m3fn" | "float8_e5m2" | "int8" => 1.0,
        _ => return None,
    })
}

/// A number of an object under any of these names; `prefix` is where the object stands.
fn number(object: &Map<String, Value>, prefix: &str, keys: &[&str]) -> Found {
    for key in keys {
        match object.get(*key) {
            None | Some(Value::Null) => {}
            Some(value) => {
                let path = format!("{prefix}{key}");
                return match value.as_f64() {
                    Some(number) => Found::Number(path, number),
                    None => Found::Odd(path, super::config::told(value)),
                };
            }
        }
    }
    Found::Nothing
}

/// Reads the type of the values.
fn base(objects: &[&Map<String, Value>], facts: &mut Facts) -> f64 {
    let wanted = ("value_type", "Type of a value");
    for key in ["torch_dtype", "dtype"] {
        let found = objects.iter().find_map(|object| object.get(key));
        match found {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) => {
                if let Some(bytes) = of_type(name) {
                    facts.put(wanted, name.clone(), Origin::Read(key.to_owned()));
                    return bytes;
                }
                let short: String = name.chars().take(20).collect();
                let why = format!("{key} is \u{201c}{short}\u{201d}, which is no type known here");
                facts.put(wanted, "16 bits", Origin::Assumed(why));
                return 2.0;
            }
            Some(other) => {
                let why = format!("{key} is {}, which is no type", super::config::told(other));
                facts.put(wanted, "16 bits", Origin::Assumed(why));
                return 2.0;
            }
        }
    }
    let why = "the file names no type".to_owned();
    facts.put(wanted, "16 bits", Origin::Assumed(why));
    2.0
}

/// Bytes of a weight; what is not said is asked.
pub(super) fn read(objects: &[&Map<String, Value>], facts: &mut Facts) -> Bytes {
    let rest = base(objects, facts);
    let plain = Bytes {
        matrix: rest,
        expert: rest,
        rest,
        is_plain: true,
    };
    let key = "quantization_config";
    let found = objects.iter().find_map(|object| object.get(key));
    let config = match found {
        None | Some(Value::Null) => {
            // A person may ask what a quantised copy would be.
            let bits = facts.number(
                BITS,
                Found::Nothing,
                Else::Derived(8.0 * rest, "the type of a value".into()),
            );
            let matrix = bits.map_or(rest, |bits| bits / 8.0);
            return Bytes {
                matrix,
                expert: matrix,
                is_plain: matrix == rest,
                ..plain
            };
        }
        Some(Value::Object(config)) => config,
        Some(other) => {
            let what = super::config::told(other);
            facts.ask(
                BITS,
                format!("{key} must be an object, it is {what}. How many bits has a weight?"),
            );
            return plain;
        }
    };
    let method = config
        .get("quant_method")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !method.is_empty() {
        let short: String = method.chars().take(40).collect();
        facts.put(
            ("quantisation", "Quantisation"),
            short,
            Origin::Read(format!("{key}.quant_method")),
        );
    }
    let prefix = format!("{key}.");
    let is_true = |name: &str| config.get(name).and_then(Value::as_bool) == Some(true);
    // Of compressed tensors the first group of weights.
    let group = config.get("config_groups").and_then(Value::as_object);
    let weights = group
        .and_then(|groups| groups.values().next())
        .and_then(|group| group.get("weights"))
        .and_then(Value::as_object);
    let bits = match (weights, method) {
        (Some(weights), _) => number(
            weights,
            &format!("{prefix}config_groups.weights."),
            &["num_bits"],
        ),
        _ if is_true("load_in_4bit") => Found::Number(format!("{prefix}load_in_4bit"), 4.0),
        _ if is_true("load_in_8bit") => Found::Number(format!("{prefix}load_in_8bit"), 8.0),
        _ => number(
            config,
            &prefix,
            &["bits", "w_bit", "nbits", "num_bits", "weight_bits"],
        ),
    };
    let without = match method {
        "mxfp4" => Else::Derived(4.0, "mxfp4 has 4 bits a weight".into()),
        "fp8" | "fbgemm_fp8" => Else::Derived(8.0, "fp8 has 8 bits a weight".into()),
        _ => Else::Ask,
    };
    let Some(bits) = facts.number(BITS, bits, without) else {
        return plain;
    };
    let size = match weights {
        Some(weights) => number(
            weights,
            &format!("{prefix}config_groups.weights."),
            &["group_size"],
        ),
        None => number(config, &prefix, &["group_size", "q_group_size"]),
    };
    let size = match size {
        Found::Number(_, size) if (1.0..=1e9).contains(&size) => Some(size),
        _ => None,
    };
    let scale = |bytes: f64, of: f64| {
        (
            bytes / of,
            format!("a scale of {bytes} bytes for every {of} weights"),
        )
    };
    let (extra, how) = match method {
        "mxfp4" => scale(1.0, 32.0),
        "fp8" => match block_of(config) {
            Some(of) => scale(4.0, of),
            None => (0.0, "one scale a matrix, which is left out".to_owned()),
        },
        "bitsandbytes" if bits == 4.0 && is_true("bnb_4bit_use_double_quant") => (
            1.0 / 64.0 + 4.0 / 16_384.0,
            "a scale of one byte for every 64 weights, and 4 bytes for every 256 scales".to_owned(),
        ),
        "bitsandbytes" if bits == 4.0 => scale(4.0, 64.0),
        _ => match size {
            Some(of) if matches!(method, "gptq" | "awq") => {
                let bytes = 2.0 + bits / 8.0;
                (
                    bytes / of,
                    format!("a scale and a zero, {bytes} bytes, for every {of} weights"),
                )
            }
            Some(of) => scale(2.0, of),
            None => (0.0, "scales of whole rows, which are left out".to_owned()),
        },
    };
    let matrix = bits / 8.0 + extra;
    facts.put(
        ("weight_bytes", "Bytes of a weight"),
        matrix,
        Origin::Derived(format!("{bits} bits and {how}")),
    );
    let only_experts = method == "mxfp4";
    let why = if only_experts {
        "experts alone are quantised; all else keeps its type"
    } else {
        "matrices of the blocks are quantised; gains, biases, routers, embedding and head keep their type"
    };
    facts.put(
        ("quantised", "What is quantised"),
        if only_experts { "experts" } else { "matrices" },
        Origin::Assumed(why.into()),
    );
    Bytes {
        matrix: if only_experts { rest } else { matrix },
        expert: matrix,
        rest,
        is_plain: false,
    }
}

/// Weights under one scale of an fp8 file.
fn block_of(config: &Map<String, Value>) -> Option<f64> {
    let sides = config.get("weight_block_size")?.as_array()?;
    let area: f64 = sides
        .iter()
        .map(|side| side.as_f64().unwrap_or(0.0))
        .product();
    (sides.len() == 2 && (1.0..=1e9).contains(&area)).then_some(area)
}
