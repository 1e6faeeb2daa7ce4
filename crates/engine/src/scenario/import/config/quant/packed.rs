//! `quantization_config` as the tools that write it do: GPTQ, AWQ, AutoRound, bitsandbytes, fp8, compressed tensors, ModelOpt, HQQ,
//! torchao, Quark, BitNet, EXL2.

use super::rules::ModuleRules;
use super::{BITS, Quantisation, ask_again, is_given, number, short};
use crate::model::precision::Precision;
use crate::scenario::import::config::file::value_text;
use crate::scenario::import::facts::{FieldValue, ImportFacts, MissingPolicy, Origin};
use serde_json::{Map, Value};

const PREFIX: &str = "quantization_config.";

type Object = Map<String, Value>;

/// Bits and scales of weights in a part of the file.
#[derive(Clone, Copy, Default)]
struct Weights {
    bits: Option<f64>,
    /// Weights under one scale.
    group: Option<f64>,
}

fn numbers(object: &Object) -> Weights {
    let get = |keys: &[&str]| keys.iter().find_map(|key| object.get(*key)?.as_f64());
    Weights {
        bits: get(&["bits", "num_bits", "nbits", "w_bit", "weight_bits"]),
        group: get(&["group_size", "q_group_size"]).filter(|n| (1.0..=1e9).contains(n)),
    }
}

/// The file as it is read, and how it is called.
struct Packed<'a> {
    config: &'a Object,
    method: &'a str,
    is_nvfp4: bool,
}

/// Bytes of a weight, and how they come about.
fn scaled(bits: f64, scale: Option<(f64, f64)>, without: &str) -> (f64, String) {
    match scale {
        Some((bytes, of)) => (
            bits / 8.0 + bytes / of,
            format!("a scale of {bytes} bytes for every {of} weights"),
        ),
        None => (bits / 8.0, without.to_owned()),
    }
}

impl<'a> Packed<'a> {
    fn text(&self, key: &str) -> &'a str {
        self.config
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn is_true(&self, key: &str) -> bool {
        self.config.get(key).and_then(Value::as_bool) == Some(true)
    }

    fn says(&self, what: &str) -> bool {
        let named = [self.method, self.text("quant_algo"), self.text("format")];
        named
            .iter()
            .any(|name| name.to_ascii_lowercase().contains(what))
    }

    /// Bytes of a weight of a matrix with these bits, scales included.
    fn bytes(&self, bits: f64, group: Option<f64>) -> (f64, String) {
        let rows = "scales of whole rows, which are left out";
        match self.method {
            _ if self.is_nvfp4 => scaled(bits, Some((1.0, 16.0)), rows),
            "mxfp4" => scaled(bits, Some((1.0, 32.0)), rows),
            _ if self.says("mxfp4") => scaled(bits, Some((1.0, 32.0)), rows),
            "fp8" => {
                let area = block_of(self.config);
                scaled(
                    bits,
                    area.map(|of| (4.0, of)),
                    "one scale per matrix, which is left out",
                )
            }
            "bitnet" => scaled(bits, None, "one scale per matrix, which is left out"),
            "exl2" | "exl3" => scaled(bits, None, "scales among them, as its bits are counted"),
            "bitsandbytes" if bits == 4.0 && self.is_true("bnb_4bit_use_double_quant") => (
                bits / 8.0 + 1.0 / 64.0 + 4.0 / 16_384.0,
                "a scale of one byte for every 64 weights, and 4 bytes for every 256 scales"
                    .to_owned(),
            ),
            "bitsandbytes" if bits == 4.0 => scaled(bits, Some((4.0, 64.0)), rows),
            "gptq" | "awq" => match group {
                Some(of) => {
                    let bytes = 2.0 + bits / 8.0;
                    (
                        bits / 8.0 + bytes / of,
                        format!("a scale and a zero, {bytes} bytes, for every {of} weights"),
                    )
                }
                None => scaled(bits, None, rows),
            },
            "hqq" => scaled(bits, group.map(|of| (4.0, of)), rows),
            // The scale of a microscaling format is a power of two.
            "quark" if bits == 4.0 && group == Some(32.0) => scaled(bits, Some((1.0, 32.0)), rows),
            _ => scaled(bits, group.map(|of| (2.0, of)), rows),
        }
    }

    /// Bits and group of the weights of most matrices.
    fn usual(&self) -> (FieldValue, Option<f64>) {
        let config = self.config;
        let at = |path: &str, found: Weights| {
            let bits = found
                .bits
                .map(|bits| FieldValue::Number(format!("{PREFIX}{path}"), bits));
            (bits.unwrap_or(FieldValue::Nothing), found.group)
        };
        if let Some(group) = self.groups().first() {
            let weights = &group.weights;
            let found = number(
                weights,
                &format!("{PREFIX}config_groups.weights."),
                &["num_bits"],
            );
            return (found, numbers(weights).group);
        }
        for key in ["load_in_4bit", "load_in_8bit"] {
            if self.is_true(key) {
                let bits = if key == "load_in_4bit" { 4.0 } else { 8.0 };
                return (FieldValue::Number(format!("{PREFIX}{key}"), bits), None);
            }
        }
        let inside = |outer: &str, inner: &str| config.get(outer)?.get(inner)?.as_object();
        if let Some(object) = inside("quant_config", "weight_quant_params") {
            return at("quant_config.weight_quant_params.nbits", numbers(object));
        }
        if let Some(object) = inside("global_quant_config", "weight") {
            return at("global_quant_config.weight.dtype", of_dtype(object));
        }
        if let Some(kind) = config.get("quant_type") {
            let settings = config.get("quant_type_kwargs").and_then(Value::as_object);
            let found = of_torchao(kind);
            let group = found
                .group
                .or_else(|| settings.and_then(|settings| numbers(settings).group));
            return at("quant_type", Weights { group, ..found });
        }
        let keys = ["bits", "w_bit", "nbits", "num_bits", "weight_bits"];
        let found = number(config, PREFIX, &keys);
        let group = number(config, PREFIX, &["group_size", "q_group_size"]);
        let group = match group {
            FieldValue::Number(_, size) if (1.0..=1e9).contains(&size) => Some(size),
            _ => None,
        };
        (found, group)
    }

    fn groups(&self) -> Vec<Group<'a>> {
        let groups = self.config.get("config_groups").and_then(Value::as_object);
        let groups = groups.into_iter().flat_map(Map::values);
        groups.filter_map(Group::of).collect()
    }
}

/// A group of compressed tensors.
struct Group<'a> {
    weights: &'a Object,
    targets: Vec<&'a str>,
}

impl<'a> Group<'a> {
    fn of(group: &'a Value) -> Option<Self> {
        let targets = group.get("targets").and_then(Value::as_array);
        Some(Self {
            weights: group.get("weights")?.as_object()?,
            targets: targets
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        })
    }

    /// Returns true if it is for all linear layers.
    fn is_for_all(&self) -> bool {
        self.targets.is_empty() || self.targets.contains(&"Linear")
    }
}

/// Weights of a type as Quark names it.
fn of_dtype(object: &Object) -> Weights {
    let name = object
        .get("dtype")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let bits = match () {
        () if name.contains("fp4") || name.contains("int4") => Some(4.0),
        () if name.contains("fp6") => Some(6.0),
        () if name.contains("fp8") || name.contains("int8") => Some(8.0),
        () if name.contains("int2") => Some(2.0),
        () if name.contains("int3") => Some(3.0),
        () => None,
    };
    Weights {
        bits,
        ..numbers(object)
    }
}

/// Weights as torchao names them: a word, or the type of a settings object with its numbers. Nothing where modules have settings of their
/// own.
fn of_torchao(kind: &Value) -> Weights {
    let object = kind.as_object().filter(|object| object.len() == 1);
    let inner = object.and_then(|object| object.values().next());
    let name = match kind.as_str() {
        Some(word) => word,
        None => inner
            .and_then(|inner| inner.get("_type"))
            .and_then(Value::as_str)
            .unwrap_or_default(),
    };
    let name = name.to_ascii_lowercase();
    let bits = match () {
        () if name.contains("int4") || name.contains("uint4") => Some(4.0),
        () if name.contains("int8") || name.contains("float8") || name.contains("fp8") => Some(8.0),
        () => None,
    };
    let data = inner
        .and_then(|inner| inner.get("_data"))
        .and_then(Value::as_object);
    let group = data.and_then(|data| numbers(data).group);
    Weights { bits, group }
}

/// Weights under one scale of an fp8 file.
fn block_of(config: &Object) -> Option<f64> {
    let sides = config.get("weight_block_size")?.as_array()?;
    let sides: Option<Vec<f64>> = sides.iter().map(Value::as_f64).collect();
    let sides = sides.filter(|sides| sides.len() == 2)?;
    let area = sides[0] * sides[1];
    (1.0..=1e9).contains(&area).then_some(area)
}

/// Reads it; what is not said is asked.
pub(super) fn read(config: &Object, plain: Quantisation, facts: &mut ImportFacts) -> Quantisation {
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
    let method = text("quant_method");
    if !method.is_empty() {
        facts.put(
            ("quantisation", "Quantisation"),
            short(method),
            Origin::Read(format!("{PREFIX}quant_method")),
        );
    }
    let mut packed = Packed {
        config,
        method,
        is_nvfp4: false,
    };
    // Four bits of a floating number, a scale of one byte for sixteen.
    let is_nvfp4 = packed.says("nvfp4")
        || method == "modelopt_fp4"
        || packed.groups().first().is_some_and(|group| {
            let found = numbers(group.weights);
            let kind = group.weights.get("type").and_then(Value::as_str);
            kind == Some("float") && found.bits == Some(4.0) && found.group == Some(16.0)
        });
    packed.is_nvfp4 = is_nvfp4;
    let (found, group) = packed.usual();
    let without = match method {
        _ if is_nvfp4 => MissingPolicy::Derived(4.0, "nvfp4 has 4 bits per weight".into()),
        "mxfp4" => MissingPolicy::Derived(4.0, "mxfp4 has 4 bits per weight".into()),
        "fp8" | "fbgemm_fp8" => MissingPolicy::Derived(8.0, "fp8 has 8 bits per weight".into()),
        "bitnet" => MissingPolicy::Derived(2.0, "bitnet packs four weights into a byte".into()),
        _ if packed.says("fp8") => MissingPolicy::Derived(8.0, "fp8 has 8 bits per weight".into()),
        _ => MissingPolicy::Question,
    };
    let bits = facts.number(BITS, found, without);
    ask_about_unread(config, facts);
    name_cache(config, facts);
    let Some(bits) = bits else {
        return plain;
    };
    let only_experts = method == "mxfp4";
    let rest = plain.gain_and_bias;
    let (mut matrix, mut how) = packed.bytes(bits, group);
    let sparse = sparsity(config, facts);
    if let Some(note) = sparse {
        matrix = matrix / 2.0 + 1.0 / 8.0;
        how = format!("{how}; {note}");
    }
    let rules = if is_given(facts) || only_experts {
        ModuleRules::default()
    } else {
        match rules_of(&packed, (bits, group), rest) {
            Ok(rules) => rules,
            Err(fault) => {
                let question = format!(
                    "{PREFIX}{fault}. How many bits does a weight of the blocks have on average, without scales?"
                );
                ask_again(facts, question);
                ModuleRules::default()
            }
        }
    };
    let named = match method {
        _ if is_nvfp4 => Some(Precision::Nvfp4),
        _ if packed.says("mxfp4") => Some(Precision::Mxfp4),
        _ if packed.says("fp8") => Some(Precision::Fp8),
        _ if bits == 8.0 => Some(Precision::Int8),
        _ => Some(Precision::Int4),
    };
    facts.put(
        ("weight_bytes", "Bytes per weight"),
        matrix,
        Origin::Derived(format!("{bits} bits and {how}")),
    );
    // GPTQ may quantise the head as well, and EXL2 always does.
    let head_bits = config.get("head_bits").and_then(Value::as_f64);
    let head = match head_bits.filter(|bits| (1.0..=16.0).contains(bits)) {
        Some(bits) => bits / 8.0,
        None if packed.is_true("lm_head") => matrix,
        None => plain.head,
    };
    let kept = if head == plain.head {
        "embedding and head keep"
    } else {
        "and the embedding keep"
    };
    let (what, why) = if only_experts {
        (
            "experts",
            "experts alone are quantised; all else keeps its type".to_owned(),
        )
    } else if rules.is_empty() {
        (
            "matrices",
            format!(
                "matrices of the blocks are quantised; gains, biases, routers, {kept} their type"
            ),
        )
    } else {
        (
            "matrices, some unlike the rest",
            format!(
                "modules that the file names are stored as it says; gains, biases, routers, {kept} their type"
            ),
        )
    };
    facts.put(
        ("quantised", "What is quantised"),
        what,
        Origin::Assumed(why),
    );
    let is_even = rules.is_empty() && !only_experts;
    Quantisation {
        matrix: if only_experts { rest } else { matrix },
        expert: matrix,
        is_plain: false,
        // A name says it where it comes to as many bytes, but for scales of large blocks.
        stored: named.filter(|one| (one.bytes() - matrix).abs() <= 0.01 * matrix && is_even),
        rules,
        head,
        ..plain
    }
}

/// Rules for the modules that the file names. `rest` are the bytes of a weight that is not quantised.
fn rules_of(
    packed: &Packed,
    (bits, group): (f64, Option<f64>),
    rest: f64,
) -> Result<ModuleRules, String> {
    let config = packed.config;
    let mut rules = ModuleRules::default();
    let lists = [
        "ignore",
        "ignored_layers",
        "exclude_modules",
        "exclude",
        "modules_to_not_convert",
        "llm_int8_skip_modules",
        "skip_modules",
    ];
    let nested = config.get("quant_config").and_then(Value::as_object);
    for key in lists {
        let found = config.get(key).or_else(|| nested?.get(key));
        let names = match found {
            None | Some(Value::Null) => continue,
            Some(Value::Array(names)) => names,
            Some(other) => {
                return Err(format!(
                    "{key} must be a list of modules, it is {}",
                    value_text(other)
                ));
            }
        };
        for name in names {
            let Some(name) = name.as_str() else {
                return Err(format!(
                    "{key} must be a list of modules, one of them is {}",
                    value_text(name)
                ));
            };
            rules.add_path(name, rest)?;
        }
    }
    // As GPTQModel reads them: "-:" leaves a module as it was, "+:" or nothing gives it numbers of its own.
    if let Some(dynamic) = config.get("dynamic").and_then(Value::as_object) {
        for (pattern, own) in dynamic {
            if let Some(pattern) = pattern.strip_prefix("-:") {
                rules.add_pattern(pattern, rest)?;
                continue;
            }
            let pattern = pattern.strip_prefix("+:").unwrap_or(pattern);
            rules.add_pattern(pattern, own_bytes(packed, own, (bits, group), rest)?)?;
        }
    }
    for key in ["extra_config", "layer_quant_config", "quantized_layers"] {
        for (name, own) in config
            .get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let bytes = own_bytes(
                packed,
                own.get("weight").unwrap_or(own),
                (bits, group),
                rest,
            )?;
            // AutoRound writes names; one with signs of a pattern is one.
            if name.contains(['\\', '^', '$', '(', '[', '+']) || name.contains(".*") {
                rules.add_pattern(name, bytes)?;
            } else {
                rules.add_path(name, bytes)?;
            }
        }
    }
    let groups = packed.groups();
    for group in groups
        .iter()
        .skip(1)
        .chain(groups.first().filter(|first| !first.is_for_all()))
    {
        let found = numbers(group.weights);
        let bytes = packed.bytes(found.bits.unwrap_or(bits), found.group).0;
        if group.is_for_all() {
            return Err(format!(
                "config_groups has {} groups of different bits for the same layers",
                groups.len()
            ));
        }
        for target in &group.targets {
            rules.add_path(target, bytes)?;
        }
    }
    Ok(rules)
}

/// Bytes of a weight of a module with numbers of its own; without any it is as the rest.
fn own_bytes(
    packed: &Packed,
    own: &Value,
    (bits, group): (f64, Option<f64>),
    rest: f64,
) -> Result<f64, String> {
    let unknown = || {
        format!(
            "gives a module {}, which is not known here",
            value_text(own)
        )
    };
    let object = own.as_object().ok_or_else(unknown)?;
    let (found, named) = (numbers(object), of_dtype(object));
    let own_bits = found.bits.or(named.bits);
    if own_bits.is_none() && found.group.is_none() && !object.is_empty() {
        return Err(unknown());
    }
    Ok(match own_bits.unwrap_or(bits) {
        bits if bits >= 16.0 => rest,
        bits => packed.bytes(bits, found.group.or(group)).0,
    })
}

/// How sparse matrices are stored, where half of their weights are left out.
fn sparsity(config: &Object, facts: &mut ImportFacts) -> Option<&'static str> {
    let scheme = config
        .get("sparsity_config")?
        .as_object()
        .filter(|scheme| !scheme.is_empty())?;
    let format = scheme
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match format {
        "sparse-24-bitmask" => Some("half of the weights, and a bit for each that says which"),
        "dense" | "" => None,
        other => {
            ask_again(
                facts,
                format!(
                    "{PREFIX}sparsity_config.format is \u{201c}{}\u{201d}, which is not known here. How many bits does a weight have, those that are \
                     left out counted as well?",
                    short(other)
                ),
            );
            None
        }
    }
}

/// Says which type the file wants for the cache.
fn name_cache(config: &Object, facts: &mut ImportFacts) {
    let scheme = config.get("kv_cache_scheme").and_then(Value::as_object);
    let bits = scheme.and_then(|scheme| scheme.get("num_bits")?.as_f64());
    let named = config.get("kv_cache_quant_algo").and_then(Value::as_str);
    let (shown, key) = match (bits, named) {
        (Some(bits), _) => (format!("{bits} bits"), "kv_cache_scheme"),
        (None, Some(name)) => (short(name), "kv_cache_quant_algo"),
        (None, None) => return,
    };
    facts.put(
        ("cache_type", "Cache as the file is made for"),
        format!("{shown}; counted here at 16 bits, unless the scenario says otherwise"),
        Origin::Read(format!("{PREFIX}{key}")),
    );
}

/// Keys that are read, and those that say how a file was made or is run.
const KNOWN: &[&str] = &[
    "quant_method",
    "bits",
    "w_bit",
    "nbits",
    "num_bits",
    "weight_bits",
    "group_size",
    "q_group_size",
    "config_groups",
    "ignore",
    "ignored_layers",
    "exclude_modules",
    "exclude",
    "modules_to_not_convert",
    "llm_int8_skip_modules",
    "skip_modules",
    "dynamic",
    "extra_config",
    "layer_quant_config",
    "quantized_layers",
    "quant_config",
    "quant_type",
    "global_quant_config",
    "weight_block_size",
    "sparsity_config",
    "kv_cache_scheme",
    "kv_cache_quant_algo",
    "quant_algo",
    "format",
    "load_in_4bit",
    "load_in_8bit",
    "bnb_4bit_use_double_quant",
    "lm_head",
    "head_bits",
    // How it was made.
    "desc_act",
    "sym",
    "zero_point",
    "version",
    "damp_percent",
    "damp_auto_increment",
    "static_groups",
    "true_sequential",
    "model_name_or_path",
    "model_file_base_name",
    "checkpoint_format",
    "meta",
    "pack_dtype",
    "backend",
    "dataset",
    "tokenizer",
    "block_name_to_quantize",
    "module_name_preceding_first_block",
    "batch_size",
    "pad_token_id",
    "model_seqlen",
    "cache_block_outputs",
    "modules_in_block_to_quantize",
    "packing_format",
    "autoround_version",
    "data_type",
    "iters",
    "nsamples",
    "seqlen",
    "low_gpu_mem_usage",
    "gradient_accumulate_steps",
    "enable_quanted_input",
    "enable_minmax_tuning",
    "enable_norm_bias_tuning",
    "to_quant_block_names",
    "amp",
    "lr",
    "minmax_lr",
    "scale_dtype",
    "act_bits",
    "act_data_type",
    "act_dynamic",
    "act_group_size",
    "act_sym",
    "quantization_status",
    "global_compression_ratio",
    "transform_config",
    "producer",
    "quantizer",
    "uri",
    "calibration",
    "hyb",
    "rotation_config",
    "offload_to_disk",
    "act_group_aware",
    "mse",
    "gptaq",
    "v2",
    "format_version",
    // How it is run.
    "activation_scheme",
    "activation_scale_ub",
    "fmt",
    "scale_fmt",
    "kv_cache_quant_config",
    "softmax_quant_spec",
    "quant_mode",
    "algo_config",
    "export",
    "do_fuse",
    "fuse_max_seq_len",
    "modules_to_fuse",
    "exllama_config",
    "use_exllama",
    "max_input_length",
    "use_cuda_fp16",
    "disable_exllama",
    "_load_in_4bit",
    "_load_in_8bit",
    "llm_int8_enable_fp32_cpu_offload",
    "llm_int8_has_fp16_weight",
    "llm_int8_threshold",
    "bnb_4bit_compute_dtype",
    "bnb_4bit_quant_storage",
    "bnb_4bit_quant_type",
    "quant_type_kwargs",
    "dequantize",
    "linear_class",
    "quantization_mode",
    "use_rms_norm",
    "rms_norm_eps",
    "weight_dtype",
    "act_dtype",
    "weight_scale_dtype",
    "compute_dtype",
    "use_bitblas",
    "autoround_format",
];

/// Asks about each key that is not known: it may change how weights are stored.
fn ask_about_unread(config: &Object, facts: &mut ImportFacts) {
    let is_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    let odd = config
        .iter()
        .filter(|(key, value)| !KNOWN.contains(&key.as_str()) && !is_nothing(value));
    for (key, value) in odd.take(10) {
        let path = format!("{PREFIX}{}", short(key));
        let question = format!(
            "{path} is {}, which is not read here. Does it leave the bytes of all weights as they are? 0 for yes; otherwise bring the safetensors \
             files beside the config, of which the headers are read.",
            value_text(value)
        );
        facts.confirm(&path, question);
    }
}
