//! How many bytes a weight takes, as `quantization_config` has it, or `quantization` as MLX writes it.

use super::facts::{Fact, FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact};
use crate::model::precision::Precision;
use serde_json::{Map, Value};

/// Bytes of one weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bytes {
    /// Of a matrix of a block, with its share of scales.
    pub matrix: f64,
    /// Of a matrix of an expert.
    pub expert: f64,
    /// Of the matrix of a router.
    pub router: f64,
    /// Of embedding and head.
    pub ends: f64,
    /// Of gains and biases.
    pub gain_and_bias: f64,
    /// True if all tensors have one type.
    pub is_plain: bool,
    /// The precision of the matrices, where the file says it with one name.
    pub stored: Option<Precision>,
}

const BITS: RequestedFact = ("weight_bits", "Bits per weight");

/// Bytes of a value of this type, if it is one.
fn of_type(name: &str) -> Option<f64> {
    match name.trim_start_matches("torch.") {
        "float64" | "double" => Some(8.0),
        _ => Some(Precision::of_torch(name)?.bytes()),
    }
}

/// A number of an object under any of these names; `prefix` is where the object stands.
fn number(object: &Map<String, Value>, prefix: &str, keys: &[&str]) -> FieldValue {
    for key in keys {
        match object.get(*key) {
            None | Some(Value::Null) => {}
            Some(value) => {
                let path = format!("{prefix}{key}");
                return match value.as_f64() {
                    Some(number) => FieldValue::Number(path, number),
                    None => FieldValue::Unusual(path, super::config::value_text(value)),
                };
            }
        }
    }
    FieldValue::Nothing
}

/// Reads the type of the values.
fn base(objects: &[&Map<String, Value>], facts: &mut ImportFacts) -> f64 {
    let wanted = ("value_type", "Value type");
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
                let why = format!("{key} is \u{201c}{short}\u{201d}, which is not a known type");
                facts.put(wanted, "16 bits", Origin::Assumed(why));
                return 2.0;
            }
            Some(other) => {
                let why = format!(
                    "{key} is {}, which is not a type",
                    super::config::value_text(other)
                );
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
pub(super) fn read(objects: &[&Map<String, Value>], facts: &mut ImportFacts) -> Bytes {
    let rest = base(objects, facts);
    let plain = Bytes {
        matrix: rest,
        expert: rest,
        router: rest,
        ends: rest,
        gain_and_bias: rest,
        is_plain: true,
        stored: objects.iter().find_map(|object| {
            let name = object.get("torch_dtype").or(object.get("dtype"))?;
            Precision::of_torch(name.as_str()?)
        }),
    };
    // MLX writes its own field, and a copy of it under the other's name.
    let find = |key: &'static str| {
        let found = objects.iter().find_map(|object| object.get(key));
        found
            .filter(|value| !value.is_null())
            .map(|value| (key, value))
    };
    match find("quantization").or_else(|| find("quantization_config")) {
        None => {
            // A person may ask what a quantised copy would be.
            let bits = facts.number(
                BITS,
                FieldValue::Nothing,
                MissingPolicy::Derived(8.0 * rest, "the value type".into()),
            );
            let matrix = bits.map_or(rest, |bits| bits / 8.0);
            Bytes {
                matrix,
                expert: matrix,
                is_plain: matrix == rest,
                stored: plain.stored.filter(|_| matrix == rest),
                ..plain
            }
        }
        Some(("quantization", Value::Object(config))) => mlx(config, plain, facts),
        Some((_, Value::Object(config))) => packed(config, plain, facts),
        Some((key, other)) => {
            let what = super::config::value_text(other);
            facts.add_question(
                BITS,
                format!("{key} must be an object, it is {what}. How many bits does a weight have?"),
            );
            plain
        }
    }
}

/// A name of a file's own, as a question shows it.
fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// A fact in place of the one that is there: a question.
fn ask_again(facts: &mut ImportFacts, question: String) {
    let given = |fact: &Fact| fact.field == BITS.0 && fact.origin == Origin::Given;
    if !facts.list.iter().any(given) {
        facts.list.retain(|fact| fact.field != BITS.0);
        facts.add_question(BITS, question);
    }
}

/// As MLX stores a model: every matrix, embedding, head and routers among them, in groups of one row.
///
/// Source: the `quantize` of mlx and its modes; a module whose bits differ is in the object under its own name.
fn mlx(config: &Map<String, Value>, plain: Bytes, facts: &mut ImportFacts) -> Bytes {
    let prefix = "quantization.";
    let mode = config.get("mode").and_then(Value::as_str);
    let mode = mode.unwrap_or("affine");
    // Bytes beside the weights of a group.
    let beside = match mode {
        "affine" => 2.0 * 2.0,
        "mxfp4" | "mxfp8" | "nvfp4" => 1.0,
        other => {
            let short: String = other.chars().filter(|c| !c.is_control()).take(20).collect();
            facts.add_question(
                BITS,
                format!("{prefix}mode is \u{201c}{short}\u{201d}, which is not known here. How many bits does a weight have, scales included?"),
            );
            return plain;
        }
    };
    facts.put(
        ("quantisation", "Quantisation"),
        format!("mlx {mode}"),
        Origin::Read(prefix.trim_end_matches('.').to_owned()),
    );
    let wanted = ("weight_group", "Weights under one scale");
    let size = facts.number(
        wanted,
        number(config, prefix, &["group_size"]),
        MissingPolicy::Question,
    );
    let bits = facts.number(
        BITS,
        number(config, prefix, &["bits"]),
        MissingPolicy::Question,
    );
    let (Some(size), Some(bits)) = (size, bits) else {
        return plain;
    };
    let of = |bits: f64, size: f64| bits / 8.0 + beside / size;
    let matrix = of(bits, size);
    let mut router = matrix;
    let mut others: Vec<&str> = Vec::new();
    for (name, own) in config {
        let is_router = name.ends_with(".gate") || name.ends_with(".router");
        match own {
            Value::Object(own) if is_router => {
                let get = |key: &str, or: f64| own.get(key).and_then(Value::as_f64).unwrap_or(or);
                router = of(get("bits", bits), get("group_size", size).max(1.0));
            }
            Value::Bool(false) if is_router => router = plain.gain_and_bias,
            Value::Object(_) | Value::Bool(_) => others.push(name),
            _ => {}
        }
    }
    if let Some(example) = others.iter().min() {
        let short = short(example);
        ask_again(
            facts,
            format!(
                "quantization gives {} modules such as {short} bits of their own. How many bits does a weight have on average, without scales?",
                others.len()
            ),
        );
    }
    facts.put(
        ("weight_bytes", "Bytes per weight"),
        matrix,
        Origin::Derived(format!(
            "{bits} bits and {beside} bytes of scale for every {size} weights"
        )),
    );
    facts.put(
        ("quantised", "What is quantised"),
        "matrices, embedding, head",
        Origin::Assumed("as mlx does it; gains and biases keep their type".into()),
    );
    Bytes {
        matrix,
        expert: matrix,
        router,
        ends: matrix,
        gain_and_bias: plain.gain_and_bias,
        is_plain: false,
        stored: None,
    }
}

/// The weights of a group of compressed tensors, their bits, and how many are under one scale.
type Group<'a> = (&'a Map<String, Value>, Option<f64>, Option<f64>);

fn of_group(group: &Value) -> Option<Group<'_>> {
    let weights = group.get("weights")?.as_object()?;
    let get = |key: &str| weights.get(key).and_then(Value::as_f64);
    Some((weights, get("num_bits"), get("group_size")))
}

/// Returns the parts of blocks that the file excludes from quantisation by name.
fn unquantised_parts(config: &Map<String, Value>) -> Vec<&str> {
    let lists = ["ignore", "exclude_modules", "modules_to_not_convert"];
    let names = lists.iter().filter_map(|key| config.get(*key)?.as_array());
    let harmless = |name: &str| {
        let ends = [
            "lm_head", "embed", "norm", "vision", "visual", "image", "audio", "mtp", "router",
        ];
        ends.iter().any(|part| name.contains(part))
            || name.contains("multi_modal")
            || name.trim_end_matches(['*', '$', '.']).ends_with("gate")
    };
    let names = names.flatten().filter_map(Value::as_str);
    names.filter(|name| !harmless(name)).collect()
}

/// As `quantization_config` has it.
fn packed(config: &Map<String, Value>, plain: Bytes, facts: &mut ImportFacts) -> Bytes {
    let prefix = "quantization_config.";
    let rest = plain.gain_and_bias;
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
    let method = text("quant_method");
    if !method.is_empty() {
        let short: String = method.chars().take(40).collect();
        facts.put(
            ("quantisation", "Quantisation"),
            short,
            Origin::Read(format!("{prefix}quant_method")),
        );
    }
    let is_true = |name: &str| config.get(name).and_then(Value::as_bool) == Some(true);
    let groups = config.get("config_groups").and_then(Value::as_object);
    let groups: Vec<_> = groups
        .into_iter()
        .flat_map(Map::values)
        .filter_map(of_group)
        .collect();
    let weights = groups.first().copied();
    let says = |what: &str| {
        let named = [method, text("quant_algo"), text("format")];
        named
            .iter()
            .any(|name| name.to_ascii_lowercase().contains(what))
    };
    // Four bits of a floating number, a scale of one byte for sixteen.
    let is_nvfp4 = says("nvfp4")
        || method == "modelopt_fp4"
        || weights.is_some_and(|(weights, bits, size)| {
            let kind = weights.get("type").and_then(Value::as_str);
            kind == Some("float") && bits == Some(4.0) && size == Some(16.0)
        });
    let in_group = format!("{prefix}config_groups.weights.");
    let bits = match (weights, method) {
        (Some((weights, ..)), _) => number(weights, &in_group, &["num_bits"]),
        _ if is_true("load_in_4bit") => FieldValue::Number(format!("{prefix}load_in_4bit"), 4.0),
        _ if is_true("load_in_8bit") => FieldValue::Number(format!("{prefix}load_in_8bit"), 8.0),
        _ => number(
            config,
            prefix,
            &["bits", "w_bit", "nbits", "num_bits", "weight_bits"],
        ),
    };
    let without = match method {
        _ if is_nvfp4 => MissingPolicy::Derived(4.0, "nvfp4 has 4 bits per weight".into()),
        "mxfp4" => MissingPolicy::Derived(4.0, "mxfp4 has 4 bits per weight".into()),
        "fp8" | "fbgemm_fp8" => MissingPolicy::Derived(8.0, "fp8 has 8 bits per weight".into()),
        _ if text("quant_algo") == "FP8" => {
            MissingPolicy::Derived(8.0, "fp8 has 8 bits per weight".into())
        }
        _ => MissingPolicy::Question,
    };
    let bits = facts.number(BITS, bits, without);
    let only_experts = method == "mxfp4";
    if groups
        .iter()
        .any(|(_, bits, size)| Some((*bits, *size)) != weights.map(|(_, b, s)| (b, s)))
    {
        ask_again(
            facts,
            format!(
                "{prefix}config_groups has {} groups of different bits. How many bits does a weight have on average, without scales?",
                groups.len()
            ),
        );
    }
    let kept = unquantised_parts(config);
    if let Some(example) = kept.first().filter(|_| !only_experts) {
        let short = short(example);
        ask_again(
            facts,
            format!(
                "quantization_config leaves {} parts of the blocks as they were, such as {short}. How many bits does a weight of \
             the blocks have on average, without scales?",
                kept.len()
            ),
        );
    }
    let Some(bits) = bits else {
        return plain;
    };
    let size = match weights {
        Some((weights, ..)) => number(weights, &in_group, &["group_size"]),
        None => number(config, prefix, &["group_size", "q_group_size"]),
    };
    let size = match size {
        FieldValue::Number(_, size) if (1.0..=1e9).contains(&size) => Some(size),
        _ => None,
    };
    let scale = |bytes: f64, of: f64| {
        (
            bytes / of,
            format!("a scale of {bytes} bytes for every {of} weights"),
        )
    };
    let (extra, how) = match method {
        _ if is_nvfp4 => scale(1.0, 16.0),
        "mxfp4" => scale(1.0, 32.0),
        _ if says("mxfp4") => scale(1.0, 32.0),
        "fp8" => match block_of(config) {
            Some(of) => scale(4.0, of),
            None => (0.0, "one scale per matrix, which is left out".to_owned()),
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
    let named = match method {
        _ if is_nvfp4 => Some(Precision::Nvfp4),
        _ if says("mxfp4") => Some(Precision::Mxfp4),
        _ if says("fp8") => Some(Precision::Fp8),
        _ if bits == 8.0 => Some(Precision::Int8),
        _ => Some(Precision::Int4),
    };
    facts.put(
        ("weight_bytes", "Bytes per weight"),
        matrix,
        Origin::Derived(format!("{bits} bits and {how}")),
    );
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
        is_plain: false,
        // A name says it where it comes to as many bytes, but for scales of large blocks.
        stored: named.filter(|one| (one.bytes() - matrix).abs() <= 0.01 * matrix && !only_experts),
        ..plain
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
