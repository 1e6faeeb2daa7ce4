//! Sums over the list of tensors: bytes by type, and parameters block by block.

use super::BLOCKS;
use super::header::{GgufTensor, GgufValue, Header};
use crate::model::ggml;
use crate::scenario::import::UserAnswers;
use crate::scenario::import::count::{EndCount, Ends};
use crate::scenario::import::facts::{Fact, ImportFacts, Origin};
use std::collections::BTreeMap;

/// The block of a tensor and its name in it.
pub(super) fn place(name: &str) -> Option<(usize, &str)> {
    let (block, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    Some((block.parse().ok()?, rest))
}

/// The embedding, and the output head where it is a matrix of its own.
const EMBEDDING: &str = "token_embd.weight";
pub(super) const HEAD: &str = "output.weight";

/// Projections to attention heads and behind them.
const PROJECTIONS: [&str; 5] = ["attn_q.", "attn_k.", "attn_v.", "attn_qkv.", "attn_output."];

/// Tables of positions are no parameters.
fn is_table(name: &str) -> bool {
    name.starts_with("rope_f")
}

/// Sums of the tensors of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) parameters: u64,
    pub(super) active: u64,
    pub(super) bytes: f64,
    /// Of these, bytes of experts.
    pub(super) expert_bytes: f64,
    /// Likewise of the projections to attention heads and behind them.
    pub(super) attention_bytes: f64,
    pub(super) attends: bool,
    pub(super) joint: bool,
    pub(super) recurs: bool,
    pub(super) gated: bool,
}

/// Use of a tensor type in a file.
struct Used {
    /// Tensors of it.
    count: usize,
    /// Where the first of them stands.
    first: usize,
    /// Bits of a weight by where the tensor behind one of it begins, scales included.
    by_place: Option<f64>,
}

/// The types of a file, each with its tensors.
fn kinds(tensors: &[&GgufTensor]) -> BTreeMap<u32, Used> {
    let mut kinds: BTreeMap<u32, Used> = BTreeMap::new();
    for (at, tensor) in tensors.iter().enumerate() {
        let used = kinds.entry(tensor.kind).or_insert(Used {
            count: 0,
            first: at,
            by_place: None,
        });
        used.count += 1;
        used.by_place = used.by_place.or_else(|| {
            let bytes = tensors.get(at + 1)?.offset.checked_sub(tensor.offset)?;
            let bits = 8.0 * bytes as f64 / tensor.weights().max(1) as f64;
            (0.5..=64.0).contains(&bits).then_some(bits)
        });
    }
    kinds
}

/// Types that are listed one by one, and asked for one by one.
const LISTED: usize = 40;

/// Bytes of every tensor; asks for types that are not known.
pub(super) fn sizes(
    tensors: &[&GgufTensor],
    facts: &mut ImportFacts,
    answers: &UserAnswers,
    notes: &mut Vec<String>,
) -> Vec<f64> {
    let kinds = kinds(tensors);
    let mut listed: Vec<String> = kinds
        .iter()
        .take(LISTED)
        .map(|(kind, used)| format!("{} \u{d7} {}", ggml::name(*kind), used.count))
        .collect();
    if kinds.len() > LISTED {
        listed.push(format!("and {} more types", kinds.len() - LISTED));
    }
    if !listed.is_empty() {
        facts.put(
            ("types", "Types of tensors"),
            listed.join(", "),
            Origin::Read("the list of tensors".into()),
        );
    }
    let mut bits: BTreeMap<u32, f64> = BTreeMap::new();
    let unknown = || kinds.iter().filter(|(kind, _)| !ggml::is_known(**kind));
    for (kind, used) in unknown().take(LISTED) {
        let field = format!("bits_of_type_{kind}");
        let given = answers
            .get(&field)
            .copied()
            .filter(|bits| *bits > 0.0 && *bits <= 64.0);
        let mut fact = Fact {
            field,
            label: "Bits of a weight of an unknown type",
            value: serde_json::Value::Null,
            origin: Origin::Given,
        };
        if let Some(given) = given {
            bits.insert(*kind, given);
            fact.value = given.into();
        } else {
            let by_place = used
                .by_place
                .map(|bits| format!(" By where the next tensor begins it is about {bits:.3}."))
                .unwrap_or_default();
            let example: String = tensors[used.first].name.chars().take(60).collect();
            fact.origin = Origin::Missing(format!(
                "The tensor type {kind} of {example} ({} in all) is not known here. How many bits does a weight have, scales included?{by_place}",
                used.count
            ));
        }
        facts.list.push(fact);
    }
    if unknown().nth(LISTED).is_some() {
        let all = unknown().count();
        facts.add_question(
            BLOCKS,
            format!("The file has {all} types of tensors that are not known here; at most {LISTED} are asked for. Is it damaged?"),
        );
    }
    let odd = tensors.iter().find(|t| {
        let row = t.dims.first().copied().unwrap_or(1);
        let whole =
            ggml::bytes(t.kind, row).map(|bytes| bytes.saturating_mul(t.weights() / row.max(1)));
        whole.is_some_and(|bytes| Some(bytes) != ggml::bytes(t.kind, t.weights()))
    });
    if let Some(odd) = odd {
        let short: String = odd.name.chars().take(60).collect();
        notes.push(format!(
            "The rows of {short} are not whole blocks of {}, so its size is slightly uncertain.",
            ggml::name(odd.kind)
        ));
    }
    let size = |t: &&GgufTensor| match ggml::bytes(t.kind, t.weights()) {
        Some(bytes) => bytes as f64,
        None => bits
            .get(&t.kind)
            .map_or(0.0, |bits| t.weights() as f64 * bits / 8.0),
    };
    tensors.iter().map(size).collect()
}

/// The number of the expert that a tensor of a block belongs to, where every expert has its own: `ffn_up.3.weight`.
pub(super) fn of_expert(rest: &str) -> Option<u32> {
    let (name, number) = rest.strip_suffix(".weight")?.rsplit_once('.')?;
    let is_part = matches!(name, "ffn_gate" | "ffn_up" | "ffn_down");
    number.parse().ok().filter(|_| is_part)
}

/// Sums the tensors of each block, and those outside. A file without an output head uses its embedding as one.
pub(super) fn add_up(
    tensors: &[&GgufTensor],
    sizes: &[f64],
    n: usize,
    experts: Option<(f64, f64)>,
) -> (Vec<Sum>, Ends) {
    let mut sums = vec![Sum::default(); n];
    let (mut embedding, mut head) = (Sum::default(), Sum::default());
    let mut shared = EndCount::default();
    let is_tied = !tensors.iter().any(|tensor| tensor.name == HEAD);
    for (tensor, bytes) in tensors.iter().zip(sizes) {
        let (sum, rest) = match place(&tensor.name) {
            Some((block, rest)) if block < n => (&mut sums[block], rest),
            _ => {
                let name = tensor.name.as_str();
                if is_tied && name == EMBEDDING {
                    shared = EndCount {
                        parameters: tensor.weights(),
                        bytes: *bytes,
                    };
                }
                let is_head = ["output", "cls"].iter().any(|part| name.starts_with(part));
                (if is_head { &mut head } else { &mut embedding }, name)
            }
        };
        sum.bytes += bytes;
        let is_expert = rest.contains("_exps.") || of_expert(rest).is_some();
        sum.expert_bytes += if is_expert { *bytes } else { 0.0 };
        let is_attention = PROJECTIONS.iter().any(|part| rest.starts_with(part));
        sum.attention_bytes += if is_attention { *bytes } else { 0.0 };
        let weights = tensor.weights();
        if is_table(rest) {
            continue;
        }
        sum.parameters = sum.parameters.saturating_add(weights);
        let is_matrix =
            tensor.dims.iter().filter(|n| **n > 1).count() >= 2 && rest.ends_with(".weight");
        if is_matrix && !rest.contains("norm") && !rest.contains("conv1d") {
            let active = match experts {
                Some((all, used)) if is_expert => (weights as f64 / all * used) as u64,
                _ => weights,
            };
            sum.active = sum.active.saturating_add(active);
        }
        sum.attends |= rest.starts_with("attn_q.")
            || rest.starts_with("attn_q_a.")
            || rest.starts_with("attn_kv_a");
        sum.joint |= rest.starts_with("attn_qkv.");
        sum.recurs |= rest.starts_with("ssm_")
            || rest.starts_with("shortconv")
            || rest.starts_with("time_mix");
        sum.gated |= rest.starts_with("ffn_gate.");
    }
    let end = |sum: &Sum, more: EndCount| EndCount {
        parameters: sum.parameters.saturating_add(more.parameters),
        bytes: sum.bytes + more.bytes,
    };
    let ends = Ends {
        embedding: end(&embedding, EndCount::default()),
        head: end(&head, shared),
        shared,
    };
    (sums, ends)
}

/// Asks for parts of a split file and for blocks without tensors, but for those that are empty by design.
pub(super) fn check_parts(
    parts: &[Header],
    sums: &[Sum],
    is_empty: &dyn Fn(usize) -> bool,
    facts: &mut ImportFacts,
) {
    let number = |part: &Header, key: &str| match part.meta.get(key) {
        Some(GgufValue::Number(n)) if *n >= 0.0 && *n <= 65_535.0 => Some(*n as usize),
        _ => None,
    };
    let all = parts
        .iter()
        .filter_map(|part| number(part, "split.count"))
        .max()
        .unwrap_or(1);
    let mut here: Vec<usize> = parts
        .iter()
        .map(|part| number(part, "split.no").unwrap_or(0))
        .collect();
    here.sort_unstable();
    here.dedup();
    let lacking: Vec<usize> = (0..sums.len())
        .filter(|at| sums[*at].parameters == 0 && !is_empty(*at))
        .collect();
    if all > 1 && here.len() < all {
        let words = |list: &[usize]| {
            let words: Vec<String> = list.iter().take(8).map(|n| (n + 1).to_string()).collect();
            let more = if list.len() > 8 { " and more" } else { "" };
            format!("{}{more}", words.join(", "))
        };
        let missing: Vec<usize> = (0..all).filter(|n| !here.contains(n)).collect();
        facts.add_question(
            BLOCKS,
            format!(
                "This is part {} of {all} of a split file: it holds {} of {} blocks. Add part {} as well.",
                words(&here),
                sums.len() - lacking.len(),
                sums.len(),
                words(&missing)
            ),
        );
    } else if let Some(first) = lacking.first() {
        let known = sums.len() - lacking.len();
        facts.add_question(
            BLOCKS,
            format!(
                "{known} of {} blocks have tensors; block {first} has none. Is the file whole?",
                sums.len()
            ),
        );
    }
}
