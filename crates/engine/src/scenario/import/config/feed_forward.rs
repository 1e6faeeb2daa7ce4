//! The feed-forward network of every block: its width, its experts, and which blocks have them.

use super::block::{Experts, FeedForward};
use super::family::{self, Family};
use super::file::{ConfigFile, value_text};
use super::kinds::{BlockKind, Network};
use crate::scenario::import::facts::{
    BLOCKS, FieldValue, ImportFacts, MissingPolicy, RequestedFact,
};
use serde_json::Value;
use std::collections::BTreeSet;

const D_FF: RequestedFact = ("d_ff", "Feed-forward width");

/// The class, the sizes and the kinds of blocks that networks depend on.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) family: &'a Family,
    pub(super) model_type: &'a str,
    pub(super) d: Option<f64>,
    pub(super) kinds: &'a [BlockKind],
    /// The width that the class has where the file has none.
    pub(super) default_width: Option<f64>,
}

/// Reads it; `None` where something is asked.
pub(super) fn read(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    context: Context,
) -> Option<Vec<FeedForward>> {
    let layers = context.kinds.len();
    let experts = experts(config, facts, context);
    let has_experts = |at: usize| match (&experts, context.kinds[at].network) {
        (Some((_, at_blocks)), Network::Usual) => at_blocks[at],
        (Some(_), Network::Experts) => true,
        _ => false,
    };
    let is_dense = |at: usize| {
        let kind = context.kinds[at].network;
        kind == Network::Dense || kind == Network::Usual && !has_experts(at)
    };
    let is_asked = facts
        .list
        .iter()
        .any(|fact| fact.field == "experts" && fact.question().is_some());
    if context
        .kinds
        .iter()
        .any(|kind| kind.network == Network::Experts)
        && experts.is_none()
        && !is_asked
    {
        let wanted = ("experts", "Experts");
        facts.number(wanted, FieldValue::Nothing, MissingPolicy::Question);
        return None;
    }
    let widths = if (0..layers).any(is_dense) {
        widths(config, facts, context, experts.is_some())?
    } else {
        vec![0; layers]
    };
    if facts.is_open_for("experts")
        || facts.is_open_for("experts_used")
        || facts.is_open_for("expert_ff")
    {
        return None;
    }
    let each = (0..layers).map(|at| match &experts {
        Some((experts, _)) if has_experts(at) => FeedForward::Experts(*experts),
        _ if is_dense(at) => FeedForward::Dense(widths[at]),
        _ => FeedForward::None,
    });
    Some(each.collect())
}

/// The width of each dense network.
fn widths(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    context: Context,
    has_experts: bool,
) -> Option<Vec<u64>> {
    let layers = context.kinds.len();
    let without = match (context.d, context.family.widths) {
        (Some(d), Some(n)) => {
            MissingPolicy::Derived(n as f64 * d, format!("{n} \u{d7} hidden size"))
        }
        (Some(d), None) if config.get("multiple_of").is_some() => meta_width(config, d),
        _ => match context.default_width {
            Some(width) => {
                MissingPolicy::Assumed(width, "the class has it where the file has none".into())
            }
            None => MissingPolicy::Question,
        },
    };
    let keys = [
        "intermediate_size_mlp",
        "block_ff_dim",
        "intermediate_size",
        "n_inner",
        "ffn_dim",
        "ffn_hidden_size",
        "hidden_dim",
    ];
    // Only Llama 4 has two widths; there the dense blocks have the longer name.
    let keys = if has_experts { &keys[..] } else { &keys[1..] };
    let found = match context.model_type {
        // Without experts all that is left is what was shared beside them.
        "granitemoehybrid" => config.find(&["shared_intermediate_size"]),
        _ => config.find(keys),
    };
    let mut widths = facts.each(D_FF, found, without, layers)?;
    match context.model_type {
        // The two halves of the width that is written are the gate and what it gates.
        "recurrent_gemma" => widths.iter_mut().for_each(|width| *width /= 2),
        "lfm2" => {
            let times = config.number("block_ffn_dim_multiplier").unwrap_or(1.0);
            let whole = config.number("block_multiple_of").unwrap_or(256.0);
            if !config.flag("block_auto_adjust_ff_dim").unwrap_or(true) {
                return Some(widths);
            }
            if !(times > 0.0 && times <= 64.0 && (1.0..=65_536.0).contains(&whole)) {
                let question = format!(
                    "block_ffn_dim_multiplier must be a number from 0 to 64 and block_multiple_of one from 1 to 65536, \
                     they are {times} and {whole}. How wide is a feed-forward network?"
                );
                facts.list.retain(|fact| fact.field != D_FF.0);
                facts.add_question(D_FF, question);
                return None;
            }
            let whole = whole as u64;
            for width in &mut widths {
                let cut = libm::trunc(times * (2 * *width / 3) as f64) as u64;
                *width = cut.div_ceil(whole) * whole;
            }
        }
        _ => {}
    }
    if config.flag("use_double_wide_mlp") == Some(true) {
        let shared = config.number("num_kv_shared_layers").unwrap_or(0.0) as usize;
        let own = layers.saturating_sub(shared);
        widths[own..].iter_mut().for_each(|width| *width *= 2);
    }
    Some(widths)
}

/// The width that a `params.json` of Meta means: two thirds of four hidden sizes, times a factor, in whole steps.
fn meta_width(config: &ConfigFile, d: f64) -> MissingPolicy {
    let times = config.number("ffn_dim_multiplier").unwrap_or(1.0);
    let step = config.number("multiple_of").unwrap_or(256.0);
    if !(times > 0.0 && times <= 64.0 && (1.0..=65_536.0).contains(&step)) {
        return MissingPolicy::Question;
    }
    let wide = libm::trunc(times * libm::trunc(8.0 * d / 3.0));
    let width = libm::ceil(wide / step) * step;
    MissingPolicy::Derived(width, "multiple_of and ffn_dim_multiplier".into())
}

/// The experts of a block, and which blocks have them where the kind of the block does not say it.
fn experts(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    context: Context,
) -> Option<(Experts, Vec<bool>)> {
    let model_type = context.model_type;
    let found = config.find(&[
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "moe_num_experts",
        "ffn_config.moe_num_experts",
        "moe.num_experts",
    ]);
    let class = |field: &str, or: MissingPolicy| match family::default_of(model_type, field) {
        Some(value) => MissingPolicy::Assumed(
            value,
            format!("the class of {model_type} has it where the file has none"),
        ),
        None => or,
    };
    let is_off = config.flag("enable_moe_block") == Some(false);
    if is_off || matches!(found, FieldValue::Number(_, n) if n == 0.0 || n == 1.0) {
        for key in USED
            .iter()
            .chain(&WIDTHS)
            .chain(&SHARED_WIDTHS)
            .chain(&SHARED_COUNTS)
        {
            let _ = config.get(key);
        }
        return None;
    }
    let count = facts.number(
        ("experts", "Experts"),
        found,
        class("experts", MissingPolicy::None),
    )?;
    let used = facts.number(
        ("experts_used", "Experts per token"),
        config.find(&USED),
        class("experts_used", MissingPolicy::Question),
    );
    if let Some(used) = used
        && used > count
    {
        facts.list.retain(|fact| fact.field != "experts_used");
        facts.add_question(
            ("experts_used", "Experts per token"),
            format!("{used} of {count} experts cannot be used. How many are used per token?"),
        );
    }
    let own = match config.find(&WIDTHS) {
        FieldValue::Nothing => config.find(&["intermediate_size", "hidden_dim"]),
        own => own,
    };
    let width = facts.number(
        ("expert_ff", "Width of an expert"),
        own,
        MissingPolicy::Question,
    );
    let (shared, has_shared_gate) = shared(config, facts, model_type, width);
    let latent = facts.number(
        ("expert_latent", "Width of what experts take and give"),
        config.find(&["moe_latent_size"]),
        MissingPolicy::None,
    );
    let d = context.d.unwrap_or(0.0) as u64;
    let dense = match model_type {
        // The network beside the experts is as wide as the model.
        "arctic" if config.flag("use_residual").unwrap_or(true) => {
            let _ = config.get("parallel_attn_mlp_res");
            d
        }
        _ if config.flag("enable_moe_block") == Some(true) => {
            let found = config.find(&["intermediate_size"]);
            facts.number(D_FF, found, MissingPolicy::Question)? as u64
        }
        _ => 0,
    };
    let at = placed(config, facts, model_type, context.kinds.len())?;
    Some((
        Experts {
            count: count as u64,
            used: used? as u64,
            width: width? as u64,
            shared,
            has_shared_gate,
            dense,
            latent: latent.unwrap_or(0.0) as u64,
        },
        at,
    ))
}

const USED: [&str; 10] = [
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_top_k",
    "moe_topk",
    "moe_k",
    "num_selected_experts",
    "top_k_experts",
    "ffn_config.moe_top_k",
    "moe.num_experts_per_tok",
];
const WIDTHS: [&str; 6] = [
    "moe_intermediate_size",
    "expert_intermediate_size",
    "moe_ffn_hidden_size",
    "expert_ffn_hidden_size",
    "ffn_config.ffn_hidden_size",
    "moe.expert_hidden_dim",
];
const SHARED_WIDTHS: [&str; 4] = [
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
];
const SHARED_COUNTS: [&str; 5] = [
    "n_shared_experts",
    "num_shared_experts",
    "moe_num_shared_experts",
    "num_shared_expert",
    "moe.num_shared_experts",
];

/// The width of what all tokens go through beside the experts, and whether it has a gate.
fn shared(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    model_type: &str,
    width: Option<f64>,
) -> (u64, bool) {
    let by_width = facts.number(
        ("shared_ff", "Width of the shared expert"),
        config.find(&SHARED_WIDTHS),
        MissingPolicy::None,
    );
    let counts = config.find(&SHARED_COUNTS);
    if let Some(of) = by_width {
        let is_gated = config.get(SHARED_WIDTHS[0]).is_some() && model_type != "laguna";
        return (of as u64, is_gated && of > 0.0);
    }
    let without = if model_type == "llama4_text" {
        MissingPolicy::Assumed(1.0, "Llama 4 has one".into())
    } else {
        MissingPolicy::None
    };
    let n = facts.number(("shared_experts", "Shared experts"), counts, without);
    ((n.unwrap_or(0.0) * width.unwrap_or(0.0)) as u64, false)
}

/// Which blocks have experts.
fn placed(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    model_type: &str,
    layers: usize,
) -> Option<Vec<bool>> {
    match listed(config, layers) {
        Ok(Some(at)) => {
            // What says the same in other words.
            for key in DENSE_FIRST
                .iter()
                .chain(&STEPS)
                .chain(&["mlp_only_layers", "moe_layers"])
            {
                let _ = config.get(key);
            }
            return Some(at);
        }
        Ok(None) => {}
        Err(question) => {
            facts.add_question(BLOCKS, question);
            return None;
        }
    }
    let first = facts.number(
        ("dense_first", "Dense blocks first"),
        config.find(&DENSE_FIRST),
        MissingPolicy::None,
    );
    let first = first.unwrap_or(0.0);
    let last = config
        .number("moe_layer_end_index")
        .filter(|end| *end >= 0.0);
    let step = facts.number(
        ("dense_every", "Experts in every n-th block"),
        config.find(&STEPS),
        MissingPolicy::None,
    );
    let step = step.unwrap_or(1.0).max(1.0) as u64;
    // DeepSeek counts from the first block and Jamba from an offset, the others from one.
    let from = if let Some(offset) = config.number("expert_layer_offset") {
        step.saturating_sub(offset as u64)
    } else {
        u64::from(config.get("moe_layer_freq").is_none() || model_type == "arctic")
    };
    let dense = config
        .list("mlp_only_layers")
        .map(places)
        .unwrap_or_default();
    let at = (0..layers as u64).map(|at| {
        at as f64 >= first
            && last.is_none_or(|last| at as f64 <= last)
            && (at + from).is_multiple_of(step)
            && !dense.contains(&at)
    });
    Some(at.collect())
}

const DENSE_FIRST: [&str; 4] = [
    "first_k_dense_replace",
    "num_dense_layers",
    "moe_layer_start_index",
    "moe.first_k_dense_replace",
];
const STEPS: [&str; 6] = [
    "decoder_sparse_step",
    "interleave_moe_layer_step",
    "moe_layer_freq",
    "moe_layer_frequency",
    "moe_layer_interval",
    "expert_layer_period",
];

/// Blocks with experts as a list has them.
fn listed(config: &ConfigFile, layers: usize) -> Result<Option<Vec<bool>>, String> {
    let right_length = |key: &str, n: usize| {
        if n == layers {
            return Ok(());
        }
        Err(format!(
            "{key} lists {n} blocks, the model has {layers}. Which is right?"
        ))
    };
    if let Some(list) = config
        .list("mlp_layer_types")
        .filter(|list| !list.is_empty())
    {
        right_length("mlp_layer_types", list.len())?;
        let at = list.iter().map(|word| match word.as_str() {
            Some("sparse" | "moe") => Ok(true),
            Some("dense" | "mlp") => Ok(false),
            _ => Err(format!(
                "mlp_layer_types has {}, which is neither dense nor sparse. Which blocks have experts?",
                value_text(word)
            )),
        });
        return at.collect::<Result<_, _>>().map(Some);
    }
    if let Some(text) = config.text("moe_layers_enum") {
        let places: Option<BTreeSet<u64>> =
            text.split(',').map(|n| n.trim().parse().ok()).collect();
        let places = places.ok_or_else(|| {
            "moe_layers_enum must be numbers of blocks with commas between. Which blocks have experts?".to_owned()
        })?;
        return Ok(Some(
            (0..layers as u64).map(|at| places.contains(&at)).collect(),
        ));
    }
    // Llama 4 may list its blocks with experts.
    if let Some(list) = config.list("moe_layers") {
        let sparse = places(list);
        return Ok(Some(
            (0..layers as u64).map(|at| sparse.contains(&at)).collect(),
        ));
    }
    for key in ["moe_layer_freq", "is_moe_layer"] {
        if let Some(list) = config.list(key) {
            right_length(key, list.len())?;
            let is_on = |value: &Value| value.as_bool().unwrap_or(value.as_f64() > Some(0.0));
            return Ok(Some(list.iter().map(is_on).collect()));
        }
    }
    Ok(None)
}

/// The blocks that a list names.
fn places(list: &[Value]) -> BTreeSet<u64> {
    list.iter().filter_map(Value::as_u64).collect()
}
