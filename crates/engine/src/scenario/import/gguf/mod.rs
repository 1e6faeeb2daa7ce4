//! GGUF files: true bytes of every block from the list of tensors, the rest from the metadata.

mod contradict;
pub mod header;
mod meta;
mod purpose;
mod tensors;

use super::count::{BlockCount, BlockExperts, Counts, HeadCount};
use super::facts::{FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact};
use super::{Dense, FileKind, ImportedModel, UserAnswers, named};
use crate::model::precision::Precision;
use crate::scenario::{Dimensions, Model};
use crate::units::{bytes, count};
use header::{GgufTensor, GgufValue, Header, HeaderEnd};
use meta::{Meta, Per, windows};
use std::collections::BTreeMap;
use tensors::{Sum, add_up, check_parts, place, sizes};

const LAYERS: RequestedFact = ("layers", "Blocks");
const BLOCKS: RequestedFact = ("blocks", "Tensors of the blocks");

/// Reads the header of one file from its first bytes; `is_whole` if there are no more.
///
/// # Errors
/// As [`header::read`]; a whole file that should go on is broken.
pub fn read(first: &[u8], is_whole: bool) -> Result<Header, HeaderEnd> {
    header::read(first).map_err(|stop| match stop {
        HeaderEnd::More(needed) if is_whole => {
            let message = format!(
                "this GGUF file is cut short: it has {} bytes, and its header goes on to byte {needed} at least",
                first.len()
            );
            let code = crate::problem::Code::Syntax;
            HeaderEnd::Broken(crate::problem::Invalid::new(
                code,
                "",
                serde_json::Value::Null,
                message,
            ))
        }
        other => other,
    })
}

/// Describes the model of a file, or of all parts of a split one; `file` is its name.
///
/// # Complexity
/// O(tensors + metadata).
#[must_use]
pub fn describe(parts: &[Header], file: &str, answers: &UserAnswers) -> ImportedModel {
    let empty = BTreeMap::new();
    let main = parts
        .iter()
        .find(|part| part.meta.contains_key("general.architecture"));
    let all = main.or(parts.first()).map_or(&empty, |part| &part.meta);
    let mut facts = ImportFacts::new(answers);
    let mut notes = Vec::new();
    let prefix = match all.get("general.architecture") {
        Some(GgufValue::Text(name)) => {
            facts.put(
                ("architecture", "Architecture"),
                name.clone(),
                Origin::Read("general.architecture".into()),
            );
            name.clone()
        }
        _ => {
            let key = all.keys().find_map(|key| key.strip_suffix(".block_count"));
            let name = key.unwrap_or("unknown").to_owned();
            facts.put(
                ("architecture", "Architecture"),
                name.clone(),
                Origin::Assumed("the file has no general.architecture".into()),
            );
            name
        }
    };
    let meta = Meta { all, prefix };
    let mut tensors: Vec<&GgufTensor> = parts.iter().flat_map(|part| &part.tensors).collect();
    if let Some(question) = purpose::refusal(all, &tensors) {
        facts.add_question(BLOCKS, question);
        return ImportedModel::open(FileKind::Gguf, stem(file), facts.list, notes, file);
    }
    let more = drop_more_predictions(&meta, &mut tensors, &mut notes);
    let find = |name: &str| tensors.iter().find(|t| t.name == name).copied();
    let embedding = find("token_embd.weight");

    let highest = tensors
        .iter()
        .filter_map(|t| place(&t.name))
        .map(|(block, _)| block)
        .max();
    let without = highest.map_or(MissingPolicy::Question, |n| {
        MissingPolicy::Derived(n.saturating_add(1) as f64, "the tensors named blk.".into())
    });
    let stated = match meta.find("block_count") {
        FieldValue::Number(key, n) if more > 0.0 => FieldValue::Number(key, n - more),
        found => found,
    };
    let layers = facts.number(LAYERS, stated, without);
    let width = embedding.and_then(|t| t.dims.first());
    let without = width.map_or(MissingPolicy::Question, |n| {
        MissingPolicy::Derived(*n as f64, "the rows of token_embd".into())
    });
    let d_model = facts.number(
        ("d_model", "Hidden size"),
        meta.find("embedding_length"),
        without,
    );
    let h_q = meta.per(
        &mut facts,
        ("h_q", "Query heads"),
        "attention.head_count",
        layers,
        MissingPolicy::Question,
    );
    // No heads is how a file says that no block attends.
    let attends = h_q.as_ref().is_none_or(|per| per.largest() > 0.0);
    let most_heads = h_q.as_ref().map(Per::largest);
    let without = match most_heads {
        Some(_) if !attends => MissingPolicy::None,
        Some(h) => MissingPolicy::Derived(h, "as many as query heads".into()),
        None => MissingPolicy::Question,
    };
    let h_k = meta.per(
        &mut facts,
        ("h_k", "Key/value heads"),
        "attention.head_count_kv",
        layers,
        without,
    );
    let latent = facts
        .number(
            ("kv_rank", "Rank of the latent cache"),
            meta.find("attention.kv_lora_rank"),
            MissingPolicy::None,
        )
        .filter(|rank| *rank > 0.0);
    let key_end =
        if latent.is_some() && meta.find("attention.key_length_mla") != FieldValue::Nothing {
            "_mla"
        } else {
            ""
        };
    let without = match (d_model, most_heads) {
        (Some(d), Some(h)) if h > 0.0 && libm::fmod(d, h) == 0.0 => {
            MissingPolicy::Derived(d / h, "hidden size / query heads".into())
        }
        _ if !attends => MissingPolicy::None,
        _ => MissingPolicy::Question,
    };
    let d_head = facts.number(
        ("d_head", "Head width"),
        meta.find(&format!("attention.key_length{key_end}")),
        without,
    );
    let without = d_head.map_or(MissingPolicy::None, |width| {
        MissingPolicy::Derived(width, "as wide as a key".into())
    });
    let d_value = facts.number(
        ("value_head", "Width of a value"),
        meta.find(&format!("attention.value_length{key_end}")),
        without,
    );
    let d_ff = meta.per(
        &mut facts,
        ("d_ff", "Feed-forward width"),
        "feed_forward_length",
        layers,
        MissingPolicy::None,
    );
    let tokens = match all.get("tokenizer.ggml.tokens") {
        Some(GgufValue::Skipped(n)) => Some(*n as f64),
        Some(GgufValue::Numbers(list)) => Some(list.len() as f64),
        _ => None,
    };
    let without = match (tokens, embedding.and_then(|t| t.dims.get(1))) {
        (_, Some(rows)) => MissingPolicy::Derived(*rows as f64, "the rows of token_embd".into()),
        (Some(n), None) => MissingPolicy::Derived(n, "the list of tokens".into()),
        _ => MissingPolicy::None,
    };
    let vocabulary = facts.number(
        ("vocabulary", "Vocabulary"),
        meta.find("vocab_size"),
        without,
    );
    facts.number(
        ("context", "Longest context"),
        meta.find("context_length"),
        MissingPolicy::None,
    );
    let experts = facts
        .number(
            ("experts", "Experts"),
            meta.find("expert_count"),
            MissingPolicy::None,
        )
        .filter(|n| *n > 0.0);
    let used = experts.and_then(|_| {
        facts.number(
            ("experts_used", "Experts per token"),
            meta.find("expert_used_count"),
            MissingPolicy::Question,
        )
    });
    if let (Some(of), Some(n)) = (experts, used)
        && n > of
    {
        facts.list.retain(|fact| fact.field != "experts_used");
        facts.add_question(
            ("experts_used", "Experts per token"),
            format!("{n} of {of} experts cannot be used. How many are used per token?"),
        );
    }
    let tied = find(tensors::HEAD).is_none();
    let how = if tied {
        "the file has no output.weight"
    } else {
        "the file has an output.weight"
    };
    facts.put(
        ("tied_embeddings", "Embedding and head are one"),
        tied,
        Origin::Derived(how.into()),
    );
    let windows = windows(&meta, &mut facts, layers);

    let sizes = sizes(&tensors, &mut facts, answers, &mut notes);
    let n = layers.unwrap_or(0.0) as usize;
    let (mut sums, ends) = add_up(&tensors, &sizes, n, experts.zip(used));
    // Phi-3 has gate and up in one matrix.
    let double = d_ff
        .as_ref()
        .and_then(Per::single)
        .map(|width| 2 * width as u64);
    for tensor in &tensors {
        if let Some((block, "ffn_up.weight")) = place(&tensor.name)
            && let Some(sum) = sums.get_mut(block)
        {
            sum.gated |= tensor.dims.get(1).copied() == double;
        }
    }
    let is_empty = |at: usize| {
        let is_zero = |per: Option<&Per>| per.is_some_and(|per| per.at(at) == 0.0);
        is_zero(h_q.as_ref()) && is_zero(d_ff.as_ref())
    };
    check_parts(parts, &sums, &is_empty, &mut facts);
    let is_encoder = all.get(&meta.key("attention.causal")) == Some(&GgufValue::Flag(false));
    let own_caches = {
        let wanted = ("shared_caches", "Blocks without a cache of their own");
        let found = meta.find("attention.shared_kv_layers");
        let shared = facts
            .number(wanted, found, MissingPolicy::None)
            .unwrap_or(0.0);
        sums.len().saturating_sub(shared as usize)
    };
    let short_heads = {
        let mut width = |wanted: RequestedFact, end: &str| {
            facts.number(wanted, meta.find(end), MissingPolicy::None)
        };
        let key = width(
            ("window_d_head", "Head width with the window"),
            "attention.key_length_swa",
        );
        let value = width(
            ("window_value", "Width of a value with the window"),
            "attention.value_length_swa",
        );
        key.map(|key| (key, value.unwrap_or(key)))
    };
    let widths = |at: usize| {
        let is_short = windows
            .as_ref()
            .is_some_and(|w| w.get(at).copied().flatten().is_some());
        short_heads.filter(|_| is_short).or(d_head.zip(d_value))
    };
    let said = contradict::Metadata {
        layers,
        d_model,
        vocabulary,
        h_q: h_q.as_ref(),
        h_k: h_k.as_ref(),
        widths: &widths,
        d_ff: d_ff.as_ref(),
        experts,
        sums: &sums,
    };
    contradict::check(&tensors, &said, &mut facts);
    let given = match all.get("general.name") {
        Some(GgufValue::Text(name)) if !name.trim().is_empty() => name.clone(),
        _ => stem(file),
    };
    let rope = match meta.find("rope.dimension_count") {
        FieldValue::Number(_, n) => n,
        _ => 0.0,
    };
    let block = |at: usize, sum: &Sum| {
        let heads = h_q.as_ref().map_or(0.0, |per| per.at(at));
        let kv = h_k.as_ref().map_or(0.0, |per| per.at(at));
        let (key, value) = widths(at).unwrap_or_default();
        let attends = heads > 0.0 && kv > 0.0 && (sum.attends || sum.joint && !sum.recurs);
        let kept = match latent {
            Some(rank) => rank + rope,
            None => kv * (key + value),
        };
        let of = |value: f64| if attends { value } else { 0.0 };
        let are_equal = latent.is_none() && key == value && libm::fmod(heads, kv) == 0.0;
        let keeps = !is_encoder && at < own_caches;
        let own_heads = (attends && keeps && !sum.recurs && are_equal && sum.attention_bytes > 0.0)
            .then_some(HeadCount {
                h_q: heads as u64,
                h_k: kv as u64,
                d_head: key as u64,
                bytes: sum.attention_bytes,
            });
        BlockCount {
            repeat: 1,
            parameters: sum.parameters,
            active: sum.active,
            weight_bytes: sum.bytes,
            pair_flop: of(2.0 * heads * (key + value)),
            kv_token_bytes: if keeps { of(2.0 * kept) } else { 0.0 },
            state_bytes: 0.0,
            window: windows
                .as_ref()
                .and_then(|w| w.get(at).copied().flatten())
                .filter(|_| attends),
            experts: experts
                .zip(used)
                .filter(|_| sum.expert_bytes > 0.0)
                .map(|(count, used)| BlockExperts {
                    count: count as u64,
                    used: used as u64,
                    bytes_each: sum.expert_bytes / count,
                }),
            heads: own_heads,
        }
    };
    let blocks = sums.iter().enumerate().map(|(at, sum)| block(at, sum));
    let each: Vec<BlockCount> = blocks.filter(|block| block.weight_bytes > 0.0).collect();
    if each.len() < sums.len() {
        let empty = sums.len() - each.len();
        notes.push(format!(
            "{empty} of {} blocks have no tensors by design and are left out.",
            sums.len()
        ));
    }
    let is_open = facts.is_open();
    let counts = (!is_open).then(|| Counts::new(&each, &ends));
    let made = counts
        .as_ref()
        .zip(d_model)
        .map(|(counts, d)| named(&given, |name| Model::Blocks(counts.model(name, d, 2.0))));
    if let Some(counts) = &counts {
        add_notes(
            counts,
            &sums,
            &each,
            (experts, used),
            latent.map(|rank| (rank, rope)),
            &mut notes,
        );
    }
    if let Some(Err(fault)) = made.as_ref().map(Model::validate) {
        facts.add_question(BLOCKS, format!("{fault}."));
    }
    if is_encoder {
        notes.push(
            "An encoder (attention.causal is false): it keeps no cache and generates no tokens."
                .to_owned(),
        );
    }
    if own_caches < sums.len() {
        notes.push(format!(
            "{} of {} blocks use the keys and values of earlier blocks and keep none.",
            sums.len() - own_caches,
            sums.len()
        ));
    }
    let is_dense = experts.is_none()
        && !is_encoder
        && own_caches == sums.len()
        && short_heads.is_none()
        && latent.is_none()
        && d_head == d_value
        && sums.iter().all(|s| s.gated && !s.recurs);
    let dims = || {
        Some(Dimensions {
            name: made.as_ref()?.name().to_owned(),
            layers: layers?,
            d_model: d_model?,
            h_q: h_q.as_ref()?.single()?,
            h_k: h_k.as_ref()?.single()?,
            d_head: d_head?,
            d_ff: d_ff.as_ref()?.single()?,
            weights: None,
            cache: None,
        })
    };
    let dense = dims()
        .zip(vocabulary)
        .filter(|_| is_dense)
        .map(|(dims, vocabulary)| Dense {
            dims,
            vocabulary,
            tied,
        });
    let is_open = facts.is_open();
    let weights = match all.get("general.file_type") {
        Some(GgufValue::Number(kind)) => Precision::of_gguf(*kind),
        _ => None,
    };
    ImportedModel {
        kind: FileKind::Gguf,
        name: made.as_ref().map_or(given, |model| model.name().to_owned()),
        facts: facts.list,
        notes,
        counts,
        model: made.filter(|_| !is_open),
        file: file.to_owned(),
        weights,
        dense,
    }
}

/// Takes away the blocks that predict several tokens at once, which plain generation does not use; returns how many there are.
fn drop_more_predictions(
    meta: &Meta,
    tensors: &mut Vec<&GgufTensor>,
    notes: &mut Vec<String>,
) -> f64 {
    let (all, more) = match (meta.find("block_count"), meta.find("nextn_predict_layers")) {
        (FieldValue::Number(_, all), FieldValue::Number(_, more)) if more >= 1.0 && more < all => {
            (all, more)
        }
        _ => return 0.0,
    };
    let kept = all - more;
    tensors.retain(|tensor| place(&tensor.name).is_none_or(|(block, _)| (block as f64) < kept));
    notes.push(format!(
        "The last {more} of {all} blocks predict several tokens at once (nextn_predict_layers) and are not counted: plain generation does not use them."
    ));
    more
}

/// The name of a file without folders and ending.
fn stem(file: &str) -> String {
    let last = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.strip_suffix(".gguf").unwrap_or(last);
    if stem.is_empty() {
        "GGUF model".to_owned()
    } else {
        stem.to_owned()
    }
}

/// Adds the notes for the user.
fn add_notes(
    counts: &Counts,
    sums: &[Sum],
    each: &[BlockCount],
    (experts, used): (Option<f64>, Option<f64>),
    latent: Option<(f64, f64)>,
    notes: &mut Vec<String>,
) {
    if let (Some(experts), Some(used)) = (experts, used) {
        notes.push(format!("Mixture of experts: {experts} experts, {used} used per token. Weights of all experts are loaded, work counts {used}."));
    }
    if let Some((rank, rope)) = latent {
        notes.push(format!("Latent attention: a block keeps {rank} + {rope} values of a token, not its keys and values; work counts heads at their full width."));
    }
    let idle = each.iter().filter(|block| block.pair_flop == 0.0).count();
    if idle > 0 {
        notes.push(format!("{idle} of {} blocks have no attention: their work does not grow with the square of the prompt, and the state they keep is not counted.", each.len()));
    }
    let windowed = each.iter().filter(|block| block.window.is_some()).count();
    if windowed > 0 {
        notes.push(format!("{windowed} of {} blocks have a window: there a token attends to at most that many, and the cache stops growing, if the runtime honours it.", each.len()));
    }
    let (least, most) = sums.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), sum| {
        (a.min(sum.bytes), b.max(sum.bytes))
    });
    if least < most {
        notes.push(format!(
            "Blocks are not equal: from {} to {}. The split uses the true bytes of each.",
            bytes(least),
            bytes(most)
        ));
    }
    notes.push(format!(
        "Embedding, output head and the last norm, {} parameters, stay outside the plan of a cold start, and so does the cache, which counts at 16 bits per value.",
        count(counts.outside as f64)
    ));
}
