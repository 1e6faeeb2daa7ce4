//! Which blocks attend to everything, which within a window, and which keep a state instead.
//!
//! A file says so by a list, by indices, by an interval or by a pattern of letters, each class in its own words.

use super::family::{Family, OtherMixer, Windows};
use super::file::{ConfigFile, value_text};
use crate::scenario::import::facts::{
    BLOCKS, FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact,
};
use serde_json::Value;

const WINDOW: RequestedFact = ("window", "Attention window");
const WINDOW_BLOCKS: RequestedFact = ("window_blocks", "Blocks with the window");
/// Names of the length of a window.
const WINDOW_KEYS: [&str; 6] = [
    "sliding_window",
    "attention_chunk_size",
    "window_size",
    "attention_window_size",
    "sliding_window_size",
    "local_attention",
];

/// How a block mixes tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mixing {
    /// Attention to everything.
    Full,
    /// Attention within the window.
    Window,
    /// The recurrent part of the class, in the place of attention.
    Other,
    /// Attention, and beside it what the class has in its place.
    Both,
    /// Nothing.
    None,
}

/// The feed-forward network of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// As the rest of the file says.
    Usual,
    /// Without experts.
    Dense,
    /// With experts.
    Experts,
    /// None.
    None,
}

/// The parts of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockKind {
    pub(super) mixing: Mixing,
    pub(super) network: Network,
}

/// Attention to everything, and the usual network.
pub(super) const FULL: BlockKind = usual(Mixing::Full);

const fn usual(mixing: Mixing) -> BlockKind {
    BlockKind {
        mixing,
        network: Network::Usual,
    }
}

const fn alone(mixing: Mixing) -> BlockKind {
    BlockKind {
        mixing,
        network: Network::None,
    }
}

const fn network(network: Network) -> BlockKind {
    BlockKind {
        mixing: Mixing::None,
        network,
    }
}

/// The kinds of all blocks, and the length of the window.
pub(super) struct Kinds {
    pub(super) blocks: Vec<BlockKind>,
    pub(super) window: Option<u64>,
}

/// Reads them; `None` where something has to be asked first.
pub(super) fn read(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    model_type: &str,
    layers: usize,
    context: Option<f64>,
) -> Option<Kinds> {
    // What says which blocks have a window does not matter where there is none.
    // What says it in other words than the list does not matter either.
    let patterns = [
        "global_attn_every_n_layers",
        "full_attn_idxs",
        "full_attention_interval",
        "attn_layer_period",
        "attn_layer_offset",
        "attn_layer_indices",
        "attn_type_list",
        "max_window_layers",
        "sliding_window_pattern",
        "_sliding_window_pattern",
        "layer_switch",
        "no_rope_layers",
        "no_rope_layer_interval",
        "use_sliding_window",
    ];
    for key in patterns {
        let _ = config.get(key);
    }
    let listed = match listed(config, family, model_type, layers) {
        Ok(listed) => listed,
        Err(question) => {
            facts.add_question(BLOCKS, question);
            return None;
        }
    };
    if let Some((key, blocks)) = &listed {
        let others = count(blocks, |kind| {
            matches!(kind.mixing, Mixing::Other | Mixing::Both)
        });
        if others > 0 {
            if family.other_mixer == OtherMixer::Unknown {
                let question = format!(
                    "{others} of {layers} blocks are not attention blocks ({key}), and how they are built is not known here for this class. {ADVICE}."
                );
                facts.add_question(BLOCKS, question);
                return None;
            }
            let full = count(blocks, |kind| {
                !matches!(kind.mixing, Mixing::Other | Mixing::None)
            });
            facts.put(
                ("attention_blocks", "Blocks with attention"),
                format!("{full} of {layers}"),
                Origin::Read(key.clone()),
            );
        }
    }
    let is_windowed =
        |blocks: &[BlockKind]| count(blocks, |kind| kind.mixing == Mixing::Window) > 0;
    let has_windows = listed.as_ref().map(|(_, blocks)| is_windowed(blocks));
    let window = match window(config, facts, family, has_windows, context) {
        Ok(window) => window,
        Err(()) => return None,
    };
    let Some(window) = window else {
        let all = listed.map_or_else(|| vec![FULL; layers], |(_, blocks)| blocks);
        let blocks = all.into_iter().map(|kind| match kind.mixing {
            Mixing::Window => BlockKind {
                mixing: Mixing::Full,
                ..kind
            },
            _ => kind,
        });
        return Some(Kinds {
            blocks: blocks.collect(),
            window: None,
        });
    };
    let blocks = match listed {
        Some((_, blocks)) => blocks,
        None => by_pattern(config, facts, family, layers)?,
    };
    let n = count(&blocks, |kind| kind.mixing == Mixing::Window);
    facts.put(
        WINDOW_BLOCKS,
        format!("{n} of {layers}"),
        Origin::Derived("the list of blocks, the pattern, or all".into()),
    );
    Some(Kinds {
        blocks,
        window: Some(window),
    })
}

/// How many blocks a list or a pattern has, where the file does not state their number.
pub(super) fn listed_blocks(config: &ConfigFile) -> MissingPolicy {
    let derived =
        |n: usize, key: &str| MissingPolicy::Derived(n as f64, format!("what {key} lists"));
    for key in ["layers_block_type", "layer_types"] {
        if let Some(list) = config.list(key).filter(|list| !list.is_empty()) {
            return derived(list.len(), key);
        }
    }
    let key = "hybrid_override_pattern";
    match config.text(key) {
        Some(letters) => derived(letters.chars().count(), key),
        None => MissingPolicy::Question,
    }
}

/// Advice for a config.json that does not describe the blocks.
pub(super) const ADVICE: &str =
    "Bring the GGUF file of this model, which lists every tensor, or paste its layers as a table";

fn count(blocks: &[BlockKind], is: impl Fn(&BlockKind) -> bool) -> usize {
    blocks.iter().filter(|kind| is(kind)).count()
}

/// The kind that a word of a list stands for.
fn of_word(word: &str, family: &Family) -> Option<BlockKind> {
    // Of Nemotron-H each block is one part.
    let is_single = family.feed_forward == "mixer";
    let of = |mixing| {
        if is_single {
            alone(mixing)
        } else {
            usual(mixing)
        }
    };
    Some(match word {
        "full_attention" | "attention" | "global_attention" | "global" | "full"
        | "indexed_attention" => of(Mixing::Full),
        "sliding_attention" | "chunked_attention" | "local_attention" | "local" | "sliding" => {
            of(Mixing::Window)
        }
        "linear_attention" | "mamba" | "mamba2" | "recurrent" | "conv" | "linear" => {
            of(Mixing::Other)
        }
        "hybrid" => of(Mixing::Both),
        "mlp" if is_single => network(Network::Dense),
        "moe" if is_single => network(Network::Experts),
        _ => return None,
    })
}

type Listed = Option<(String, Vec<BlockKind>)>;

/// The kinds as lists, indices and intervals of the file have them; `None` where there is nothing of the kind.
fn listed(
    config: &ConfigFile,
    family: &Family,
    model_type: &str,
    layers: usize,
) -> Result<Listed, String> {
    for key in ["layer_types", "layers_block_type"] {
        let Some(list) = config.list(key).filter(|list| !list.is_empty()) else {
            continue;
        };
        if list.len() != layers {
            return Err(format!(
                "{key} lists {} blocks, the model has {layers}. Which is right?",
                list.len()
            ));
        }
        let kinds = list.iter().map(|word| of_value(key, word, family));
        let kinds: Vec<BlockKind> = kinds.collect::<Result<_, _>>()?;
        return Ok(Some((key.to_owned(), kinds)));
    }
    for key in ["block_types", "_block_types"] {
        if let Some(list) = config.list(key).filter(|list| !list.is_empty()) {
            let kinds = list.iter().map(|word| of_value(key, word, family));
            let kinds: Vec<BlockKind> = kinds.collect::<Result<_, _>>()?;
            let all = kinds.into_iter().cycle().take(layers);
            // Attention of these blocks is within a window.
            let all = all.map(|kind| match kind.mixing {
                Mixing::Full if config.get("attention_window_size").is_some() => {
                    usual(Mixing::Window)
                }
                _ => kind,
            });
            return Ok(Some((key.to_owned(), all.collect())));
        }
    }
    if let Some(key) = ["hybrid_override_pattern", "hybrid_pattern"]
        .into_iter()
        .find(|key| config.text(key).is_some())
    {
        let letters = config.text(key).unwrap_or_default();
        let kinds = letters.chars().map(|letter| match letter {
            'M' => Ok(alone(Mixing::Other)),
            '*' => Ok(alone(Mixing::Full)),
            '-' => Ok(network(Network::Dense)),
            'E' => Ok(network(Network::Experts)),
            other => Err(format!(
                "{key} has the letter \u{201c}{other}\u{201d}, which is not known here. {ADVICE}."
            )),
        });
        let kinds: Vec<BlockKind> = kinds.collect::<Result<_, _>>()?;
        return exactly(key, kinds, layers);
    }
    if let Some(letters) = config
        .text("sliding_window_pattern")
        .filter(|text| !text.is_empty())
    {
        let key = "sliding_window_pattern";
        let kinds = letters.chars().map(|letter| match letter {
            'L' => Ok(usual(Mixing::Window)),
            'G' => Ok(FULL),
            other => Err(format!(
                "{key} has the letter \u{201c}{other}\u{201d}, which is not known here. {ADVICE}."
            )),
        });
        let kinds: Vec<BlockKind> = kinds.collect::<Result<_, _>>()?;
        let mut all: Vec<BlockKind> = kinds.into_iter().cycle().take(layers).collect();
        // The last block attends to everything.
        if let Some(last) = all.last_mut() {
            *last = FULL;
        }
        return Ok(Some((key.to_owned(), all)));
    }
    let by = |key: &str, is_first: Mixing, is_second: Mixing, first: &dyn Fn(usize) -> bool| {
        let kinds = (0..layers).map(|at| usual(if first(at) { is_first } else { is_second }));
        Ok(Some((key.to_owned(), kinds.collect())))
    };
    for (key, base) in [
        ("full_attn_idxs", 0),
        ("attn_layer_indices", 0),
        ("linear_attn_config.full_attn_layers", 1),
    ] {
        if let Some(list) = config.list(key) {
            let places = places(key, list, layers, base)?;
            if base == 1 {
                let others = config
                    .list("linear_attn_config.kda_layers")
                    .map_or(0, <[Value]>::len);
                if others + list.len() != layers {
                    return Err(format!(
                        "linear_attn_config lists {} and {others} blocks, the model has {layers}. Which is right?",
                        list.len()
                    ));
                }
            }
            return by(key, Mixing::Full, Mixing::Other, &|at| places.contains(&at));
        }
    }
    for (key, one, zero) in [
        ("attn_type_list", Mixing::Full, Mixing::Other),
        ("hybrid_layer_pattern", Mixing::Window, Mixing::Full),
    ] {
        if let Some(list) = config.list(key) {
            let flags: Option<Vec<bool>> = list
                .iter()
                .map(|flag| Some(flag.as_f64()? != 0.0))
                .collect();
            let Some(flags) = flags.filter(|flags| flags.len() == layers) else {
                return Err(format!(
                    "{key} must have 0 or 1 for each of {layers} blocks, it is {}. Which blocks are of which kind?",
                    value_text(&Value::Array(list.to_vec()))
                ));
            };
            return by(key, one, zero, &|at| flags[at]);
        }
    }
    let number = |key: &str| config.number(key).filter(|n| *n >= 1.0).map(|n| n as usize);
    if let Some(every) = number("full_attention_interval") {
        let key = "full_attention_interval";
        return by(key, Mixing::Full, Mixing::Other, &|at| {
            (at + 1).is_multiple_of(every)
        });
    }
    if let Some(every) = number("attn_layer_period") {
        let offset = config.number("attn_layer_offset").unwrap_or(0.0) as usize;
        let key = "attn_layer_period";
        return by(key, Mixing::Full, Mixing::Other, &|at| at % every == offset);
    }
    if let Some(every) = number("global_attn_every_n_layers") {
        let key = "global_attn_every_n_layers";
        return by(key, Mixing::Full, Mixing::Window, &|at| at % every == 0);
    }
    let same = |kind: BlockKind| Ok(Some(("the class".to_owned(), vec![kind; layers])));
    match model_type {
        "mamba" | "mamba2" | "falcon_mamba" => same(alone(Mixing::Other)),
        "falcon_h1" => same(usual(Mixing::Both)),
        "bamba" => same(usual(Mixing::Other)),
        _ => match SIGNS.iter().find(|key| {
            config
                .get(key)
                .is_some_and(|value| value.as_f64() != Some(0.0))
        }) {
            Some(sign) if family.other_mixer == OtherMixer::Unknown => Err(format!(
                "Some blocks are not attention blocks ({sign}), and which ones config.json does not say in a way that is known here. {ADVICE}."
            )),
            _ => Ok(None),
        },
    }
}

/// Keys of blocks with a state.
const SIGNS: [&str; 7] = [
    "ssm_cfg",
    "mamba_d_ssm",
    "mamba_d_state",
    "state_size",
    "ssm_state_size",
    "linear_num_value_heads",
    "linear_attn_config",
];

fn exactly(key: &str, kinds: Vec<BlockKind>, layers: usize) -> Result<Listed, String> {
    if kinds.len() == layers {
        return Ok(Some((key.to_owned(), kinds)));
    }
    Err(format!(
        "{key} describes {} blocks, the model has {layers}. Which is right?",
        kinds.len()
    ))
}

fn of_value(key: &str, word: &Value, family: &Family) -> Result<BlockKind, String> {
    let known = word.as_str().and_then(|word| of_word(word, family));
    known.ok_or_else(|| {
        format!(
            "Some blocks are of a kind that is not known here ({key}: {}). {ADVICE}.",
            value_text(word)
        )
    })
}

/// The blocks that a list names, counted from `base`.
fn places(key: &str, list: &[Value], layers: usize, base: usize) -> Result<Vec<usize>, String> {
    let place = |value: &Value| {
        let at = usize::try_from(value.as_u64()?).ok()?.checked_sub(base)?;
        (at < layers).then_some(at)
    };
    // A list that is longer than the model names some block twice.
    let short = (list.len() <= layers).then_some(list);
    let found: Option<Vec<usize>> = short.and_then(|list| list.iter().map(place).collect());
    found.ok_or_else(|| {
        format!(
            "{key} must list blocks from {base} to {}. Which blocks attend to everything?",
            (layers + base).saturating_sub(1)
        )
    })
}

/// The length of the window, or none; an error where it has to be asked.
fn window(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    is_listed: Option<bool>,
    context: Option<f64>,
) -> Result<Option<u64>, ()> {
    let found = config.find(&WINDOW_KEYS);
    let off = |facts: &mut ImportFacts, origin: Origin| facts.put(WINDOW, "none", origin);
    if found == FieldValue::Nothing {
        let is_null = config
            .inner
            .get("sliding_window")
            .is_some_and(Value::is_null);
        if is_null {
            off(facts, Origin::Read("sliding_window".into()));
        } else if is_listed == Some(true) {
            let asked = facts.number(WINDOW, found, MissingPolicy::Question);
            return asked.map(|window| Some(window as u64)).ok_or(());
        }
        return Ok(None);
    }
    match config.flag("use_sliding_window") {
        Some(false) => {
            off(facts, Origin::Read("use_sliding_window".into()));
            return Ok(None);
        }
        None if family.windows == Windows::IfConfigured && is_listed != Some(true) => {
            let why = "the file has no use_sliding_window, and this architecture has it off";
            off(facts, Origin::Assumed(why.into()));
            return Ok(None);
        }
        _ => {}
    }
    let window = facts.number(WINDOW, found, MissingPolicy::None).ok_or(())?;
    if context.is_some_and(|context| window >= context) {
        if let Some(fact) = facts.list.last_mut() {
            fact.origin = Origin::Derived(format!(
                "{window} tokens are the whole context, so it limits nothing"
            ));
            fact.value = "none".into();
        }
        return Ok(None);
    }
    Ok(Some(window as u64))
}

/// Windows where no list says which blocks have them.
fn by_pattern(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    layers: usize,
) -> Option<Vec<BlockKind>> {
    let is_chunked = config.get("attention_chunk_size").is_some();
    // Llama 4 leaves its list of positions empty where the pattern is its own; others use it without windows.
    let positions = config.list("no_rope_layers");
    if let Some(list) = positions.filter(|list| !list.is_empty() && is_chunked) {
        if list.len() != layers {
            let question = format!(
                "no_rope_layers lists {} blocks, the model has {layers}. Which blocks have the window?",
                list.len()
            );
            facts.add_question(WINDOW_BLOCKS, question);
            return None;
        }
        // Without positions: full attention.
        let kinds = list.iter().map(|has| match has.as_u64() {
            Some(0) => FULL,
            _ => usual(Mixing::Window),
        });
        return Some(kinds.collect());
    }
    let keys: &[&str] = if is_chunked {
        &["no_rope_layer_interval"]
    } else {
        &[
            "sliding_window_pattern",
            "_sliding_window_pattern",
            "layer_switch",
        ]
    };
    let without = match family.windows {
        Windows::ButEvery(n) => {
            MissingPolicy::Assumed(n as f64, "as always in this architecture".into())
        }
        Windows::All | Windows::IfConfigured => MissingPolicy::None,
    };
    let wanted = ("window_every", "Full attention in every n-th block");
    let every = facts.number(wanted, config.find(keys), without);
    let from = match family.windows {
        Windows::IfConfigured => facts.number(
            ("window_from", "First block with the window"),
            config.find(&["max_window_layers"]),
            MissingPolicy::Assumed(0.0, "the file does not say".into()),
        )?,
        Windows::All | Windows::ButEvery(_) => 0.0,
    };
    let is_full =
        |at: usize| every.is_some_and(|n| n >= 1.0 && (at + 1).is_multiple_of(n as usize));
    let kinds = (0..layers).map(|at| {
        let is_short = at as f64 >= from && !is_full(at);
        if is_short {
            usual(Mixing::Window)
        } else {
            FULL
        }
    });
    Some(kinds.collect())
}
