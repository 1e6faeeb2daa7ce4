//! GGUF files: true bytes of every block from the list of tensors, the rest from the metadata.

mod contradict;
pub mod header;
pub mod types;

use super::count::{BlockCount, Counts};
use super::facts::{Else, Fact, Facts, Found, Origin, Wanted};
use super::{Answers, Brought, Dense, FileKind, named};
use crate::scenario::{Dimensions, Model};
use crate::units::{bytes, count};
use header::{Header, Stop, Tensor, Value};
use std::collections::BTreeMap;

const LAYERS: Wanted = ("layers", "Blocks");
const BLOCKS: Wanted = ("blocks", "Tensors of the blocks");
const WINDOW: Wanted = ("window", "Attention window");

/// Reads the header of one file from its first bytes; `is_whole` if there are no more.
///
/// # Errors
/// As [`header::read`]; a whole file that should go on is broken.
pub fn read(first: &[u8], is_whole: bool) -> Result<Header, Stop> {
    header::read(first).map_err(|stop| match stop {
        Stop::More(needed) if is_whole => {
            let message = format!(
                "this GGUF file is cut short: it has {} bytes, and its header goes on to byte {needed} at least",
                first.len()
            );
            let code = crate::problem::Code::Syntax;
            Stop::Broken(crate::problem::Invalid::new(
                code,
                "",
                serde_json::Value::Null,
                message,
            ))
        }
        other => other,
    })
}

/// What one number for all blocks, or one a block, comes to.
enum Per {
    One(f64),
    Each(Vec<f64>),
}

impl Per {
    fn at(&self, block: usize) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values.get(block).copied().unwrap_or(0.0),
        }
    }

    fn largest(&self) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values.iter().copied().fold(0.0, f64::max),
        }
    }

    fn single(&self) -> Option<f64> {
        match self {
            Self::One(value) => Some(*value),
            Self::Each(_) => None,
        }
    }
}

/// The metadata under the prefix of the architecture.
struct Meta<'a> {
    all: &'a BTreeMap<String, Value>,
    prefix: String,
}

impl Meta<'_> {
    fn key(&self, end: &str) -> String {
        format!("{}.{end}", self.prefix)
    }

    fn find(&self, end: &str) -> Found {
        let key = self.key(end);
        match self.all.get(&key) {
            None => Found::Nothing,
            Some(Value::Number(number)) => Found::Number(key, *number),
            Some(other) => Found::Odd(key, told(other)),
        }
    }

    /// A number, or one for every block. Lists with the same number throughout are one.
    fn per(
        &self,
        facts: &mut Facts,
        wanted: Wanted,
        end: &str,
        layers: Option<f64>,
        without: Else,
    ) -> Option<Per> {
        let key = self.key(end);
        let Some(Value::Numbers(list)) = self.all.get(&key) else {
            return facts.number(wanted, self.find(end), without).map(Per::One);
        };
        let first = list.first().copied().unwrap_or(0.0);
        if !list.is_empty() && list.iter().all(|n| *n == first) {
            return facts
                .number(wanted, Found::Number(key, first), without)
                .map(Per::One);
        }
        if layers.is_some_and(|n| n != list.len() as f64) {
            facts.ask(
                wanted,
                format!(
                    "{key} lists {} blocks, the model has {}. Which is right?",
                    list.len(),
                    layers.unwrap_or(0.0)
                ),
            );
            return None;
        }
        if let Some(odd) = list
            .iter()
            .find(|n| !(0.0..=1_048_576.0).contains(*n) || libm::trunc(**n) != **n)
        {
            facts.ask(
                wanted,
                format!("{key} must be whole numbers from 0 to 1048576, one is {odd}."),
            );
            return None;
        }
        let (least, most) = list
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(a, b), n| (a.min(*n), b.max(*n)));
        facts.put(
            wanted,
            format!("{least} to {most}, by block"),
            Origin::Read(key),
        );
        Some(Per::Each(list.clone()))
    }
}

fn told(value: &Value) -> String {
    match value {
        Value::Number(n) => n.to_string(),
        Value::Flag(b) => b.to_string(),
        Value::Text(text) => format!(
            "the text \u{201c}{}\u{201d}",
            text.chars().take(30).collect::<String>()
        ),
        Value::Numbers(list) => format!("a list of {}", list.len()),
        Value::Skipped(n) => format!("a list of {n}"),
    }
}

/// The block of a tensor and its name in it.
fn place(name: &str) -> Option<(usize, &str)> {
    let (block, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    Some((block.parse().ok()?, rest))
}

/// Tables of positions are no parameters.
fn is_table(name: &str) -> bool {
    name.starts_with("rope_f")
}

/// What the tensors of a block add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sum {
    parameters: u64,
    active: u64,
    bytes: f64,
    attends: bool,
    joint: bool,
    recurs: bool,
    gated: bool,
}

/// What a file, or all parts of a split one, holds; `file` is its name.
///
/// # Complexity
/// O(tensors + metadata).
#[must_use]
pub fn describe(parts: &[Header], file: &str, answers: &Answers) -> Brought {
    let empty = BTreeMap::new();
    let main = parts
        .iter()
        .find(|part| part.meta.contains_key("general.architecture"));
    let all = main.or(parts.first()).map_or(&empty, |part| &part.meta);
    let mut facts = Facts::new(answers);
    let mut notes = Vec::new();
    let prefix = match all.get("general.architecture") {
        Some(Value::Text(name)) => {
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
    let tensors: Vec<&Tensor> = parts.iter().flat_map(|part| &part.tensors).collect();
    let find = |name: &str| tensors.iter().find(|t| t.name == name).copied();
    let embedding = find("token_embd.weight");

    let highest = tensors
        .iter()
        .filter_map(|t| place(&t.name))
        .map(|(block, _)| block)
        .max();
    let without = highest.map_or(Else::Ask, |n| {
        Else::Derived(n.saturating_add(1) as f64, "the tensors named blk.".into())
    });
    let layers = facts.number(LAYERS, meta.find("block_count"), without);
    let width = embedding.and_then(|t| t.dims.first());
    let without = width.map_or(Else::Ask, |n| {
        Else::Derived(*n as f64, "the rows of token_embd".into())
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
        Else::Ask,
    );
    let most_heads = h_q.as_ref().map(Per::largest);
    let without = most_heads.map_or(Else::Ask, |h| {
        Else::Derived(h, "as many as query heads".into())
    });
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
            Else::None,
        )
        .filter(|rank| *rank > 0.0);
    let key_end = if latent.is_some() && meta.find("attention.key_length_mla") != Found::Nothing {
        "_mla"
    } else {
        ""
    };
    let without = match (d_model, most_heads) {
        (Some(d), Some(h)) if h > 0.0 && libm::fmod(d, h) == 0.0 => {
            Else::Derived(d / h, "hidden size / query heads".into())
        }
        _ => Else::Ask,
    };
    let d_head = facts.number(
        ("d_head", "Head width"),
        meta.find(&format!("attention.key_length{key_end}")),
        without,
    );
    let without = d_head.map_or(Else::None, |width| {
        Else::Derived(width, "as wide as a key".into())
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
        Else::None,
    );
    let tokens = match all.get("tokenizer.ggml.tokens") {
        Some(Value::Skipped(n)) => Some(*n as f64),
        Some(Value::Numbers(list)) => Some(list.len() as f64),
        _ => None,
    };
    let without = match (tokens, embedding.and_then(|t| t.dims.get(1))) {
        (_, Some(rows)) => Else::Derived(*rows as f64, "the rows of token_embd".into()),
        (Some(n), None) => Else::Derived(n, "the list of tokens".into()),
        _ => Else::None,
    };
    let vocabulary = facts.number(
        ("vocabulary", "Vocabulary"),
        meta.find("vocab_size"),
        without,
    );
    facts.number(
        ("context", "Longest context"),
        meta.find("context_length"),
        Else::None,
    );
    let experts = facts
        .number(
            ("experts", "Experts"),
            meta.find("expert_count"),
            Else::None,
        )
        .filter(|n| *n > 0.0);
    let used = experts.and_then(|_| {
        facts.number(
            ("experts_used", "Experts per token"),
            meta.find("expert_used_count"),
            Else::Ask,
        )
    });
    if let (Some(of), Some(n)) = (experts, used)
        && n > of
    {
        facts.list.retain(|fact| fact.field != "experts_used");
        facts.ask(
            ("experts_used", "Experts per token"),
            format!("{n} of {of} experts cannot be used. How many are used per token?"),
        );
    }
    let tied = find("output.weight").is_none();
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
    let (mut sums, outside) = add_up(&tensors, &sizes, n, experts.zip(used));
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
    check_parts(parts, &sums, &mut facts);
    let said = contradict::Said {
        layers,
        d_model,
        vocabulary,
        h_q: h_q.as_ref(),
        h_k: h_k.as_ref(),
        key: d_head,
        value: d_value,
        d_ff: d_ff.as_ref(),
        experts,
        sums: &sums,
    };
    contradict::check(&tensors, &said, &mut facts);
    let given = match all.get("general.name") {
        Some(Value::Text(name)) if !name.trim().is_empty() => name.clone(),
        _ => stem(file),
    };
    let rope = match meta.find("rope.dimension_count") {
        Found::Number(_, n) => n,
        _ => 0.0,
    };
    let block = |at: usize, sum: &Sum| {
        let heads = h_q.as_ref().map_or(0.0, |per| per.at(at));
        let kv = h_k.as_ref().map_or(0.0, |per| per.at(at));
        let (key, value) = (d_head.unwrap_or(0.0), d_value.unwrap_or(0.0));
        let attends = heads > 0.0 && kv > 0.0 && (sum.attends || sum.joint && !sum.recurs);
        let kept = match latent {
            Some(rank) => rank + rope,
            None => kv * (key + value),
        };
        let of = |value: f64| if attends { value } else { 0.0 };
        BlockCount {
            repeat: 1,
            parameters: sum.parameters,
            active: sum.active,
            weight_bytes: sum.bytes,
            pair_flop: of(2.0 * heads * (key + value)),
            kv_token_bytes: of(2.0 * kept),
            window: windows
                .as_ref()
                .and_then(|w| w.get(at).copied().flatten())
                .filter(|_| attends),
        }
    };
    let each: Vec<BlockCount> = sums
        .iter()
        .enumerate()
        .map(|(at, sum)| block(at, sum))
        .collect();
    let is_open = facts.is_open();
    let counts = (!is_open).then(|| Counts::new(&each, outside.parameters, outside.bytes));
    let made = counts
        .as_ref()
        .zip(d_model)
        .map(|(counts, d)| named(&given, |name| Model::Blocks(counts.model(name, d, 2.0))));
    if let Some(counts) = &counts {
        tell(
            counts,
            &sums,
            &each,
            (experts, used),
            latent.map(|rank| (rank, rope)),
            &mut notes,
        );
    }
    if let Some(Err(fault)) = made.as_ref().map(Model::validate) {
        facts.ask(BLOCKS, format!("{fault}."));
    }
    let is_dense = experts.is_none()
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
    Brought {
        kind: FileKind::Gguf,
        name: made.as_ref().map_or(given, |model| model.name().to_owned()),
        facts: facts.list,
        notes,
        counts,
        model: made.filter(|_| !is_open),
        dense,
    }
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

/// The window of every block; `None` where it is asked for.
fn windows(meta: &Meta, facts: &mut Facts, layers: Option<f64>) -> Option<Vec<Option<u64>>> {
    let n = layers? as usize;
    let none = Some(vec![None; n]);
    let found = meta.find("attention.sliding_window");
    if matches!(found, Found::Nothing | Found::Number(_, 0.0)) {
        return none;
    }
    let window = facts.number(WINDOW, found, Else::None)? as u64;
    let which = ("window_blocks", "Blocks with the window");
    let key = "attention.sliding_window_pattern";
    let is_short: Vec<bool> = match meta.all.get(&meta.key(key)) {
        Some(Value::Numbers(list)) if list.len() == n => {
            let short: Vec<bool> = list.iter().map(|flag| *flag != 0.0).collect();
            let many = short.iter().filter(|is| **is).count();
            facts.put(which, format!("{many} of {n}"), Origin::Read(meta.key(key)));
            short
        }
        _ => {
            let known = match meta.prefix.as_str() {
                "gemma2" | "gpt-oss" => Some(2.0),
                "gemma3" => Some(6.0),
                "cohere2" => Some(4.0),
                _ => None,
            };
            let without = known.map_or(Else::None, |n| {
                Else::Assumed(n, "as always in this architecture".into())
            });
            let every = facts.number(
                ("window_every", "Full attention in every n-th block"),
                meta.find(key),
                without,
            );
            if every.is_none() {
                facts.put(which, "all", Origin::Assumed("the file lists none".into()));
            }
            (0..n)
                .map(|i| {
                    !every
                        .is_some_and(|every| every >= 1.0 && (i + 1).is_multiple_of(every as usize))
                })
                .collect()
        }
    };
    Some(
        is_short
            .into_iter()
            .map(|is| is.then_some(window))
            .collect(),
    )
}

/// What is known of a type of tensors in a file.
struct Used {
    /// Tensors of it.
    count: usize,
    /// Where the first of them stands.
    first: usize,
    /// Bits of a weight by where the tensor behind one of it begins, scales included.
    by_place: Option<f64>,
}

/// The types of a file, each with its tensors.
fn kinds(tensors: &[&Tensor]) -> BTreeMap<u32, Used> {
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
fn sizes(
    tensors: &[&Tensor],
    facts: &mut Facts,
    answers: &Answers,
    notes: &mut Vec<String>,
) -> Vec<f64> {
    let kinds = kinds(tensors);
    let mut listed: Vec<String> = kinds
        .iter()
        .take(LISTED)
        .map(|(kind, used)| format!("{} \u{d7} {}", types::name(*kind), used.count))
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
    let unknown = || kinds.iter().filter(|(kind, _)| !types::is_known(**kind));
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
        facts.ask(
            BLOCKS,
            format!("The file has {all} types of tensors that are not known here; at most {LISTED} are asked for. Is it damaged?"),
        );
    }
    let odd = tensors.iter().find(|t| {
        let row = t.dims.first().copied().unwrap_or(1);
        let whole =
            types::bytes(t.kind, row).map(|bytes| bytes.saturating_mul(t.weights() / row.max(1)));
        whole.is_some_and(|bytes| Some(bytes) != types::bytes(t.kind, t.weights()))
    });
    if let Some(odd) = odd {
        let short: String = odd.name.chars().take(60).collect();
        notes.push(format!(
            "The rows of {short} are not whole blocks of {}, so its size is slightly uncertain.",
            types::name(odd.kind)
        ));
    }
    let size = |t: &&Tensor| match types::bytes(t.kind, t.weights()) {
        Some(bytes) => bytes as f64,
        None => bits
            .get(&t.kind)
            .map_or(0.0, |bits| t.weights() as f64 * bits / 8.0),
    };
    tensors.iter().map(size).collect()
}

/// The number of the expert that a tensor of a block belongs to, where every expert has its own: `ffn_up.3.weight`.
fn of_expert(rest: &str) -> Option<u32> {
    let (name, number) = rest.strip_suffix(".weight")?.rsplit_once('.')?;
    let is_part = matches!(name, "ffn_gate" | "ffn_up" | "ffn_down");
    number.parse().ok().filter(|_| is_part)
}

/// What the tensors of each block, and those outside, add up to.
fn add_up(
    tensors: &[&Tensor],
    sizes: &[f64],
    n: usize,
    experts: Option<(f64, f64)>,
) -> (Vec<Sum>, Sum) {
    let mut sums = vec![Sum::default(); n];
    let mut outside = Sum::default();
    for (tensor, bytes) in tensors.iter().zip(sizes) {
        let (sum, rest) = match place(&tensor.name) {
            Some((block, rest)) if block < n => (&mut sums[block], rest),
            _ => (&mut outside, tensor.name.as_str()),
        };
        sum.bytes += bytes;
        let weights = tensor.weights();
        if is_table(rest) {
            continue;
        }
        sum.parameters = sum.parameters.saturating_add(weights);
        let is_matrix =
            tensor.dims.iter().filter(|n| **n > 1).count() >= 2 && rest.ends_with(".weight");
        if is_matrix && !rest.contains("norm") && !rest.contains("conv1d") {
            let active = match experts {
                Some((all, used)) if rest.contains("_exps.") || of_expert(rest).is_some() => {
                    (weights as f64 / all * used) as u64
                }
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
    (sums, outside)
}

/// Asks for parts of a split file and for blocks without tensors.
fn check_parts(parts: &[Header], sums: &[Sum], facts: &mut Facts) {
    let number = |part: &Header, key: &str| match part.meta.get(key) {
        Some(Value::Number(n)) if *n >= 0.0 && *n <= 65_535.0 => Some(*n as usize),
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
        .filter(|at| sums[*at].parameters == 0)
        .collect();
    if all > 1 && here.len() < all {
        let words = |list: &[usize]| {
            let words: Vec<String> = list.iter().take(8).map(|n| (n + 1).to_string()).collect();
            let more = if list.len() > 8 { " and more" } else { "" };
            format!("{}{more}", words.join(", "))
        };
        let missing: Vec<usize> = (0..all).filter(|n| !here.contains(n)).collect();
        facts.ask(
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
        facts.ask(
            BLOCKS,
            format!(
                "{known} of {} blocks have tensors; block {first} has none. Is the file whole?",
                sums.len()
            ),
        );
    }
}

/// What a person should know.
fn tell(
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
