//! Blocks that a search has chosen one by one, as Nemotron-NAS and DeciLM list them in `block_configs`.
//!
//! Source: the `modeling_decilm.py` beside these models: a network as wide as `ffn_mult` says, in whole steps of 256; parts that are
//! left out or are one linear layer.

use super::block::{FeedForward, Heads, Keys, Mixer};
use super::file::ConfigFile;
use super::kinds::ADVICE;
use crate::scenario::import::facts::{BLOCKS, ImportFacts, Origin};
use serde_json::Value;

/// Sizes that are the same in all blocks.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) d: u64,
    pub(super) h_q: u64,
    pub(super) d_head: u64,
}

/// Mixers and feed-forward network of a block.
pub(super) type Parts = (Vec<Mixer>, FeedForward);

/// Reads them; `None` where something is asked.
///
/// # Complexity
/// O(blocks).
pub(super) fn read(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    sizes: Sizes,
    layers: usize,
) -> Option<Vec<Parts>> {
    let list = config.list("block_configs").unwrap_or_default();
    if list.len() != layers {
        let question = format!(
            "block_configs lists {} blocks, the model has {layers}. Which is right?",
            list.len()
        );
        facts.add_question(BLOCKS, question);
        return None;
    }
    let parts: Option<Vec<Parts>> = list.iter().map(|block| parts(block, sizes)).collect();
    let Some(parts) = parts else {
        let question = format!(
            "block_configs must give each block an attention with n_heads_in_group, no_op or replace_with_linear, and an ffn with \
             ffn_mult, no_op or replace_with_linear. {ADVICE}."
        );
        facts.add_question(BLOCKS, question);
        return None;
    };
    let attends = parts
        .iter()
        .filter(|(mixers, _)| mixers.iter().any(|m| matches!(m, Mixer::Heads(_))));
    facts.put(
        ("attention_blocks", "Blocks with attention"),
        format!("{} of {layers}", attends.count()),
        Origin::Read("block_configs".into()),
    );
    Some(parts)
}

fn parts(block: &Value, sizes: Sizes) -> Option<Parts> {
    let is = |part: &Value, key: &str| part.get(key).and_then(Value::as_bool) == Some(true);
    let attention = block.get("attention")?;
    let mixers = if is(attention, "no_op") {
        Vec::new()
    } else if is(attention, "replace_with_linear") {
        vec![Mixer::Linear]
    } else {
        let group = attention.get("n_heads_in_group")?.as_u64()?;
        if group == 0 || !sizes.h_q.is_multiple_of(group) {
            return None;
        }
        vec![Mixer::Heads(Heads {
            h_q: sizes.h_q,
            h_k: sizes.h_q / group,
            d_head: sizes.d_head,
            value: sizes.d_head,
            keys: Keys::Own,
            q_rank: 0,
            has_sinks: false,
        })]
    };
    let network = block.get("ffn")?;
    let network = if is(network, "no_op") {
        FeedForward::None
    } else if is(network, "replace_with_linear") {
        FeedForward::Linear
    } else {
        let times = network.get("ffn_mult")?.as_f64()?;
        if !(times > 0.0 && times <= 1024.0) {
            return None;
        }
        let width = libm::trunc(2.0 * times * sizes.d as f64 / 3.0) as u64;
        FeedForward::Dense(width.div_ceil(256) * 256)
    };
    Some((mixers, network))
}
