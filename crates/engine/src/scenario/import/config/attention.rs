//! Attention of every block: heads and their widths, latent vectors, caches that blocks share.

use super::block::{Heads, Keys, Latent};
use super::family::Family;
use super::file::{ConfigFile, value_text};
use super::kinds::{ADVICE, Kinds, Mixing};
use super::variant;
use crate::scenario::import::facts::{
    BLOCKS, FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact,
};
use serde_json::Value;

const H_Q: RequestedFact = ("h_q", "Query heads");
const H_K: RequestedFact = ("h_k", "Key/value heads");
const D_HEAD: RequestedFact = ("d_head", "Head width");

/// How a model attends.
pub(super) enum Attention {
    /// No block attends.
    None,
    /// With heads, one entry for each block.
    Heads(Vec<Heads>),
    /// With a latent vector.
    Latent(Latent),
}

/// The class and the sizes that attention depends on.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) family: &'a Family,
    pub(super) model_type: &'a str,
    pub(super) layers: usize,
    pub(super) d: Option<f64>,
    pub(super) class_has: &'a dyn Fn(&str, MissingPolicy) -> MissingPolicy,
}

/// Query heads, key/value heads and the width of a head as far as they are the same in all blocks.
pub(super) fn usual(attention: &Attention) -> [u64; 3] {
    match attention {
        Attention::None => [0; 3],
        Attention::Heads(heads) => heads
            .first()
            .map_or([0; 3], |heads| [heads.h_q, heads.h_k, heads.d_head]),
        Attention::Latent(latent) => [latent.heads, latent.heads, latent.nope + latent.rope],
    }
}

/// Reads it; `None` where something is asked.
pub(super) fn read(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    kinds: Option<&Kinds>,
    context: Context,
) -> Option<Attention> {
    let attends = |kinds: &Kinds| {
        let with_heads = |mixing| !matches!(mixing, Mixing::None | Mixing::Other);
        kinds.blocks.iter().any(|kind| with_heads(kind.mixing))
    };
    if kinds.is_some_and(|kinds| !attends(kinds)) {
        return Some(Attention::None);
    }
    let (family, layers) = (context.family, context.layers);
    let names = [
        "num_attention_heads_per_layer",
        "num_query_heads",
        "num_attention_heads",
        "n_head",
        "n_heads",
    ];
    let h_q = facts.each(
        H_Q,
        config.find(&names),
        (context.class_has)("h_q", MissingPolicy::Question),
        layers,
    );
    let _ = config.get("num_attention_heads"); // stands beside the list of each block
    let h_k = key_heads(config, facts, context, h_q.as_deref());
    if config.get("kv_lora_rank").is_some() || facts.is_given("kv_rank") {
        return latent(config, facts, h_q.as_ref()?.first().copied()?);
    }
    let first = h_q.as_ref().and_then(|list| list.first()).copied();
    let quotient = match (context.d, first) {
        (Some(d), Some(h)) if h > 0 && libm::fmod(d, h as f64) == 0.0 => {
            MissingPolicy::Derived(d / h as f64, "hidden size / query heads".into())
        }
        _ => MissingPolicy::Question,
    };
    let found = config.find(&["head_dim", "attention_head_dim", "kv_channels"]);
    let d_head = facts.each(
        D_HEAD,
        found,
        (context.class_has)("d_head", quotient),
        layers,
    );
    let value = facts.each(
        ("value_head", "Width of a value"),
        config.find(&["v_head_dim"]),
        MissingPolicy::None,
        layers,
    );
    let q_rank = facts.number(
        ("q_rank", "Rank of queries"),
        config.find(&["share_q_dim"]),
        MissingPolicy::None,
    );
    let (h_q, h_k, d_head, kinds) = (h_q?, h_k?, d_head?, kinds?);
    let mut heads: Vec<Heads> = (0..layers)
        .map(|at| Heads {
            h_q: h_q[at],
            h_k: h_k[at],
            d_head: d_head[at],
            value: value.as_ref().map_or(d_head[at], |value| value[at]),
            keys: Keys::Own,
            q_rank: q_rank.unwrap_or(0.0) as u64,
            has_sinks: family.sinks[usize::from(kinds.blocks[at].mixing != Mixing::Window)],
        })
        .collect();
    other_heads(config, facts, context.model_type, kinds, &mut heads)?;
    single_heads(config, facts, &mut heads)?;
    share_caches(config, facts, &mut heads)?;
    mark_image_blocks(config, facts, context.model_type, &mut heads)?;
    Some(Attention::Heads(heads))
}

/// Key/value heads of each block.
fn key_heads(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    context: Context,
    h_q: Option<&[u64]>,
) -> Option<Vec<u64>> {
    let is_even = h_q.is_some_and(|list| list.iter().all(|h| *h == list[0]));
    let shared = match h_q.and_then(|list| list.first()) {
        Some(h) if context.family.is_known && is_even => {
            MissingPolicy::Derived(*h as f64, "as many as query heads".into())
        }
        _ => MissingPolicy::Question,
    };
    let (found, without) = match variant::single_kv(config, context.model_type) {
        Some(one) => (FieldValue::Nothing, one),
        None => (
            config.find(&[
                "num_key_value_heads",
                "num_kv_heads",
                "n_head_kv",
                "n_kv_heads",
                "multi_query_group_num",
                "num_attention_groups",
                "attn_config.kv_n_heads",
            ]),
            (context.class_has)("h_k", shared),
        ),
    };
    let h_k = facts.each(H_K, found, without, context.layers)?;
    let pairs = h_q.into_iter().flatten().zip(&h_k);
    if let Some((q, k)) = pairs.clone().find(|(q, k)| !q.is_multiple_of(**k)) {
        let question =
            format!("{k} key/value heads do not divide {q} query heads. How many are there?");
        facts.list.retain(|fact| fact.field != H_K.0);
        facts.add_question(H_K, question);
        return None;
    }
    Some(h_k)
}

fn latent(config: &ConfigFile, facts: &mut ImportFacts, heads: u64) -> Option<Attention> {
    let is_full = |kind: &Value| kind.as_str() == Some("full");
    if let Some(other) = config
        .list("indexer_types")
        .and_then(|list| list.iter().find(|kind| !is_full(kind)))
    {
        let question = format!(
            "Some blocks share the indexer of another (indexer_types: {}), which is not read here. {ADVICE}.",
            value_text(other)
        );
        facts.add_question(BLOCKS, question);
        return None;
    }
    let mut number = |wanted: RequestedFact, key: &str, without: MissingPolicy| {
        facts.number(wanted, config.find(&[key]), without)
    };
    let kv_rank = number(
        ("kv_rank", "Rank of the latent cache"),
        "kv_lora_rank",
        MissingPolicy::Question,
    );
    let at_once = MissingPolicy::Assumed(0.0, "queries are projected at once".into());
    let q_rank = number(("q_rank", "Rank of queries"), "q_lora_rank", at_once);
    let rope = number(
        ("rope_head", "Width of a head with position"),
        "qk_rope_head_dim",
        MissingPolicy::Question,
    );
    let nope = number(
        ("nope_head", "Width of a head without position"),
        "qk_nope_head_dim",
        MissingPolicy::Question,
    );
    let value = number(
        ("value_head", "Width of a value"),
        "v_head_dim",
        MissingPolicy::Question,
    );
    let _ = (config.get("head_dim"), config.get("qk_head_dim"));
    let indexer = match config.get("index_n_heads") {
        None => None,
        Some(_) => {
            let heads = number(
                ("index_heads", "Heads of the indexer"),
                "index_n_heads",
                MissingPolicy::Question,
            );
            let width = number(
                ("index_width", "Width of a head of the indexer"),
                "index_head_dim",
                MissingPolicy::Question,
            );
            let _ = config.get("index_topk"); // how many tokens it chooses: neither weights nor cache
            Some((heads? as u64, width? as u64))
        }
    };
    let (rope, nope) = (rope? as u64, nope? as u64);
    facts.put(
        D_HEAD,
        nope + rope,
        Origin::Derived("qk_nope_head_dim + qk_rope_head_dim".into()),
    );
    Some(Attention::Latent(Latent {
        heads,
        q_rank: q_rank? as u64,
        kv_rank: kv_rank? as u64,
        rope,
        nope,
        value: value? as u64,
        indexer,
    }))
}

/// Heads of blocks with full attention, or of those with a window, where they are not those of the others.
fn other_heads(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    model_type: &str,
    kinds: &Kinds,
    heads: &mut [Heads],
) -> Option<()> {
    let mut number = |wanted: RequestedFact, key: &str| {
        let is_there = config.get(key).is_some();
        let value = facts.number(wanted, config.find(&[key]), MissingPolicy::None);
        match (is_there, value) {
            (true, None) => Err(()),
            (_, value) => Ok(value.map(|n| n as u64)),
        }
    };
    let full_width = number(
        ("global_d_head", "Head width with full attention"),
        "global_head_dim",
    );
    let keys_are_values = config.flag("attention_k_eq_v");
    let full_h_k = match keys_are_values {
        Some(false) => {
            let _ = config.get("num_global_key_value_heads");
            Ok(None)
        }
        _ => number(
            ("global_h_k", "Key/value heads with full attention"),
            "num_global_key_value_heads",
        ),
    };
    let window_h_q = number(
        ("window_h_q", "Query heads with the window"),
        "swa_num_attention_heads",
    );
    let window_h_k = number(
        ("window_h_k", "Key/value heads with the window"),
        "swa_num_key_value_heads",
    );
    let window_width = number(
        ("window_d_head", "Head width with the window"),
        "swa_head_dim",
    );
    let window_value = number(
        ("window_value", "Width of a value with the window"),
        "swa_v_head_dim",
    );
    // The class of MiMo has twice as many where its file says nothing.
    let window_h_k = match window_h_k {
        Ok(None) if model_type == "mimo_v2_flash" => Ok(heads.first().map(|heads| 2 * heads.h_k)),
        found => found,
    };
    let (full_width, full_h_k) = (full_width.ok()?, full_h_k.ok()?);
    let (window_h_q, window_h_k) = (window_h_q.ok()?, window_h_k.ok()?);
    let (window_width, window_value) = (window_width.ok()?, window_value.ok()?);
    for (heads, kind) in heads.iter_mut().zip(&kinds.blocks) {
        if kind.mixing == Mixing::Window {
            heads.h_q = window_h_q.unwrap_or(heads.h_q);
            heads.h_k = window_h_k.unwrap_or(heads.h_k);
            heads.d_head = window_width.unwrap_or(heads.d_head);
            heads.value = window_value.or(window_width).unwrap_or(heads.value);
        } else {
            heads.h_k = full_h_k.unwrap_or(heads.h_k);
            heads.d_head = full_width.unwrap_or(heads.d_head);
            heads.value = full_width.unwrap_or(heads.value);
            if keys_are_values == Some(true) {
                heads.keys = Keys::AreValues;
            }
        }
    }
    if let Some(odd) = heads
        .iter()
        .find(|heads| !heads.h_q.is_multiple_of(heads.h_k))
    {
        let question = format!(
            "{} key/value heads do not divide {} query heads. How many are there?",
            odd.h_k, odd.h_q
        );
        facts.add_question(BLOCKS, question);
        return None;
    }
    Some(())
}

/// Heads of single blocks, as `transformers` 5 writes what differs from the rest.
fn single_heads(config: &ConfigFile, facts: &mut ImportFacts, heads: &mut [Heads]) -> Option<()> {
    let Some(blocks) = config.get("per_layer_config").and_then(Value::as_object) else {
        return Some(());
    };
    let mut read = || {
        for (at, own) in blocks {
            let heads = heads.get_mut(at.parse::<usize>().ok()?)?;
            for (key, value) in own.as_object()? {
                let value = value.as_u64().filter(|n| (1..=65_536).contains(n));
                match key.as_str() {
                    "head_dim" => (heads.d_head, heads.value) = (value?, value?),
                    "num_key_value_heads" => heads.h_k = value?,
                    "num_attention_heads" => heads.h_q = value?,
                    "v_head_dim" => heads.value = value?,
                    _ => return None,
                }
            }
        }
        Some(())
    };
    let is_read = read().is_some()
        && heads
            .iter()
            .all(|heads| heads.h_q.is_multiple_of(heads.h_k));
    if is_read {
        facts.put(
            ("single_blocks", "Blocks with heads of their own"),
            format!("{} of {}", blocks.len(), heads.len()),
            Origin::Read("per_layer_config".into()),
        );
        return Some(());
    }
    let question = format!(
        "per_layer_config must give blocks of this model head_dim, v_head_dim, num_attention_heads or num_key_value_heads, and has something \
         else. {ADVICE}."
    );
    facts.add_question(BLOCKS, question);
    None
}

/// Blocks that use the keys and values of earlier ones.
fn share_caches(config: &ConfigFile, facts: &mut ImportFacts, heads: &mut [Heads]) -> Option<()> {
    // Hunyuan’s share of caches is off in every published file.
    let factor = config.number("cla_share_factor").unwrap_or(2.0);
    if config.flag("use_cla") == Some(true) {
        let question = format!(
            "use_cla is true: {factor} blocks share one cache, which is not read here. {ADVICE}."
        );
        facts.add_question(BLOCKS, question);
        return None;
    }
    let Some(found) = config.get("num_kv_shared_layers") else {
        return Some(());
    };
    let wanted = ("shared_caches", "Blocks without a cache of their own");
    let n = facts.number(
        wanted,
        config.find(&["num_kv_shared_layers"]),
        MissingPolicy::Question,
    )?;
    let own = heads
        .len()
        .checked_sub(n as usize)
        .filter(|own| *own > 0 || n == 0.0);
    let Some(own) = own else {
        facts.list.retain(|fact| fact.field != wanted.0);
        let question = format!(
            "num_kv_shared_layers is {}, and there are {} blocks. How many use the cache of an earlier block?",
            found.as_f64().unwrap_or(0.0),
            heads.len()
        );
        facts.add_question(wanted, question);
        return None;
    };
    for heads in &mut heads[own..] {
        heads.keys = Keys::Earlier;
    }
    Some(())
}

/// Blocks that attend to an image and not to the text.
fn mark_image_blocks(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    model_type: &str,
    heads: &mut [Heads],
) -> Option<()> {
    let list = config.get("cross_attention_layers");
    if list.is_none() && model_type != "mllama_text_model" {
        return Some(());
    }
    let marked = list.and_then(Value::as_array).map(|list| {
        list.iter().try_for_each(|at| {
            let at = usize::try_from(at.as_u64()?).ok()?;
            heads.get_mut(at)?.keys = Keys::Image;
            Some(())
        })
    });
    if marked.flatten().is_none() {
        facts.add_question(BLOCKS, format!("cross_attention_layers must list blocks of this model: which blocks attend to the image? {ADVICE}."));
        return None;
    }
    Some(())
}
