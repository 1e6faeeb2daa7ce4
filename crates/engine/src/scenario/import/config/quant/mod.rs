//! How many bytes a weight takes, as `quantization_config` has it, or `quantization` as MLX writes it.

mod packed;
mod rules;

use super::tensor::{BlockTensor, Role};
use crate::model::precision::Precision;
use crate::scenario::import::facts::{
    Fact, FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact,
};
use rules::ModuleRules;
use serde_json::{Map, Value};

/// How the weights of a file are stored.
#[derive(Debug, Clone)]
pub(super) struct Quantisation {
    /// Of a matrix of a block, with its share of scales.
    pub matrix: f64,
    /// Of a matrix of an expert.
    pub expert: f64,
    /// Of the matrix of a router.
    pub router: f64,
    /// Of the embedding.
    pub embedding: f64,
    /// Of the output head.
    pub head: f64,
    /// Of gains and biases.
    pub gain_and_bias: f64,
    /// True if all tensors have one type.
    pub is_plain: bool,
    /// The precision of the matrices, where the file says it with one name.
    pub stored: Option<Precision>,
    /// Modules that are stored unlike the rest.
    rules: ModuleRules,
}

impl Quantisation {
    /// Bytes of a weight of this tensor of a block.
    ///
    /// # Complexity
    /// O(patterns) where modules differ.
    pub(super) fn of_weight(&self, block: usize, tensor: &BlockTensor) -> f64 {
        let usual = match tensor.role {
            Role::Matrix | Role::Image => self.matrix,
            Role::Expert => self.expert,
            Role::Router => self.router,
            Role::Vector | Role::Buffer => return self.gain_and_bias,
        };
        if self.rules.is_empty() {
            return usual;
        }
        self.rules.bytes_of(block, tensor).unwrap_or(usual)
    }

    /// Asks where modules that the file stores unlike the rest are none of the blocks’.
    ///
    /// # Complexity
    /// O(modules × patterns).
    pub(super) fn check(
        &self,
        blocks: impl Iterator<Item = Vec<BlockTensor>>,
        facts: &mut ImportFacts,
    ) {
        if self.rules.is_empty() {
            return;
        }
        let unused = self.rules.unused(blocks);
        if let Some(example) = unused.first() {
            ask_again(
                facts,
                format!(
                    "The file stores {} modules such as {} unlike the rest, and they are none of these blocks by any name that is known here. \
                     How many bits does a weight of the blocks have on average, without scales?",
                    unused.len(),
                    short(example)
                ),
            );
        }
    }
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
                    None => FieldValue::Unusual(path, super::file::value_text(value)),
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
                    super::file::value_text(other)
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
pub(super) fn read(objects: &[&Map<String, Value>], facts: &mut ImportFacts) -> Quantisation {
    let rest = base(objects, facts);
    let plain = Quantisation {
        matrix: rest,
        expert: rest,
        router: rest,
        embedding: rest,
        head: rest,
        gain_and_bias: rest,
        is_plain: true,
        rules: ModuleRules::default(),
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
            Quantisation {
                matrix,
                expert: matrix,
                is_plain: matrix == rest,
                stored: plain.stored.filter(|_| matrix == rest),
                ..plain
            }
        }
        Some(("quantization", Value::Object(config))) => mlx(config, plain, facts),
        Some((_, Value::Object(config))) => packed::read(config, plain, facts),
        Some((key, other)) => {
            let what = super::file::value_text(other);
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

/// Returns true if a person said how many bits a weight has.
fn is_given(facts: &ImportFacts) -> bool {
    let given = |fact: &Fact| fact.field == BITS.0 && fact.origin == Origin::Given;
    facts.list.iter().any(given)
}

/// A fact in place of the one that is there: a question.
fn ask_again(facts: &mut ImportFacts, question: String) {
    if !is_given(facts) {
        facts.list.retain(|fact| fact.field != BITS.0);
        facts.add_question(BITS, question);
    }
}

/// As MLX stores a model: every matrix, embedding, head and routers among them, in groups of one row.
///
/// Source: the `quantize` of mlx and its modes; a module whose bits differ is in the object under its own name.
fn mlx(config: &Map<String, Value>, plain: Quantisation, facts: &mut ImportFacts) -> Quantisation {
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
    let (mut router, mut embedding, mut head) = (matrix, matrix, matrix);
    let mut rules = ModuleRules::default();
    for (name, own) in config {
        let is_router = name.ends_with(".gate") || name.ends_with(".router");
        let bytes = match own {
            Value::Object(own) => {
                let get = |key: &str, or: f64| own.get(key).and_then(Value::as_f64).unwrap_or(or);
                of(get("bits", bits), get("group_size", size).max(1.0))
            }
            Value::Bool(false) => plain.gain_and_bias,
            _ => continue,
        };
        if is_router {
            router = bytes;
        } else if name.ends_with("embed_tokens") || name.ends_with("wte") {
            embedding = bytes;
        } else if name.ends_with("lm_head") {
            head = bytes;
        } else if let Err(fault) = rules.add_path(name, bytes) {
            ask_again(
                facts,
                format!(
                    "quantization: {fault}. How many bits does a weight have on average, without scales?"
                ),
            );
        }
    }
    if is_given(facts) {
        rules = ModuleRules::default();
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
    Quantisation {
        matrix,
        expert: matrix,
        router,
        embedding,
        head,
        gain_and_bias: plain.gain_and_bias,
        is_plain: false,
        stored: None,
        rules,
    }
}
