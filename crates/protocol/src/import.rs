//! An imported model as text: the facts read from its file, and the sums that follow from them.

use engine::scenario::import::{BlockCount, Fact, FileKind, ImportedModel};
use engine::units::{NARROW, bytes, count};
use serde::Serialize;
use serde_json::{Value, json};

/// Largest number of runs of equal blocks that are listed one by one.
const LISTED: usize = 6;

/// Describes the source of a fact.
#[must_use]
pub fn origin(fact: &Fact) -> String {
    fact.origin.description()
}

/// Returns the name of the file format.
#[must_use]
pub const fn kind(brought: &ImportedModel) -> &'static str {
    match brought.kind {
        FileKind::Config => "config.json",
        FileKind::Gguf => "GGUF header",
    }
}

/// Formats a number of bytes in full and, from 10 000 on, in a larger unit as well.
fn sized(value: f64) -> String {
    if value < 9999.5 {
        return format!("{}{NARROW}B", count(value));
    }
    format!("{}{NARROW}B ({})", count(value), bytes(value))
}

fn of_blocks(blocks: &[BlockCount], text_of: impl Fn(&BlockCount) -> String) -> String {
    let mut words: Vec<String> = blocks
        .iter()
        .take(LISTED)
        .map(|block| match block.repeat {
            _ if blocks.len() == 1 => text_of(block),
            1 => text_of(block),
            n => format!("{n} \u{d7} {}", text_of(block)),
        })
        .collect();
    if blocks.len() > LISTED {
        words.push(format!("and {} more", blocks.len() - LISTED));
    }
    words.join(", ")
}

/// Returns the sums that follow from the facts, as labels and values; empty while a fact is missing.
#[must_use]
pub fn sums(brought: &ImportedModel) -> Vec<(&'static str, String)> {
    let Some(counts) = &brought.counts else {
        return Vec::new();
    };
    let of = |n: u64| count(n as f64);
    let mut rows = vec![
        ("Parameters", of(counts.parameters)),
        (
            "Parameters per block",
            of_blocks(&counts.blocks, |block| of(block.parameters)),
        ),
    ];
    if counts.blocks.iter().any(|b| b.active < b.parameters / 2) {
        rows.push(("Active per token", of(counts.active())));
    }
    rows.push((
        "Bytes per block",
        of_blocks(&counts.blocks, |block| sized(block.weight_bytes)),
    ));
    rows.push(("Bytes of all blocks", sized(counts.block_bytes)));
    rows.push((
        "Outside the blocks",
        format!(
            "{} parameters, {}",
            of(counts.outside),
            bytes(counts.outside_bytes)
        ),
    ));
    let windows = counts.blocks.iter().filter_map(|block| block.window);
    let capped = windows.max().map_or_else(String::new, |window| {
        format!(
            "; blocks with a sliding window keep at most {} tokens",
            of(window)
        )
    });
    rows.push((
        "Cache per token",
        format!("{}{capped}", sized(counts.kv_token_bytes)),
    ));
    if counts.state_bytes > 0.0 {
        rows.push(("State per sequence", sized(counts.state_bytes)));
    }
    rows
}

/// Returns one line for a status message: "36 blocks, 8 190 735 360 parameters".
#[must_use]
pub fn summary(brought: &ImportedModel) -> String {
    match (&brought.counts, &brought.model) {
        (Some(counts), Some(model)) => format!(
            "{}: {} blocks, {} parameters, {} of blocks",
            brought.name,
            model.layers_count(),
            count(counts.parameters as f64),
            bytes(counts.block_bytes)
        ),
        _ => match brought.questions().count() {
            1 => format!("{}: one question is open", brought.name),
            n => format!("{}: {n} questions are open", brought.name),
        },
    }
}

/// Returns facts, sums, notes and open questions as lines of text.
#[must_use]
pub fn text(brought: &ImportedModel) -> String {
    let mut lines = vec![
        format!("{} ({})", brought.name, kind(brought)),
        String::new(),
    ];
    for fact in &brought.facts {
        let (label, shown) = (fact.label, fact.display_value());
        lines.push(format!(
            "{:<18}{label:<32}{shown:>20}  {}",
            fact.field,
            origin(fact)
        ));
    }
    let sums = sums(brought);
    if !sums.is_empty() {
        lines.push(String::new());
        lines.extend(
            sums.iter()
                .map(|(label, value)| format!("{label:<24}{value}")),
        );
    }
    if !brought.notes.is_empty() {
        lines.push(String::new());
        lines.extend(brought.notes.iter().cloned());
    }
    let questions: Vec<String> = brought
        .questions()
        .map(|(field, question)| format!("{field}: {question}"))
        .collect();
    if !questions.is_empty() {
        lines.push(String::new());
        lines.extend(questions);
    }
    lines.join("\n") + "\n"
}

/// An imported model with open questions and derived numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    #[serde(flatten)]
    brought: &'a ImportedModel,
    /// Questions that the file leaves open.
    questions: Vec<OpenQuestion<'a>>,
    /// Parameters that a token uses; null while a fact is missing.
    active_parameters: Option<u64>,
}

/// A question that a file leaves open.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Asked"))]
pub struct OpenQuestion<'a> {
    /// The field.
    field: &'a str,
    /// The question.
    question: &'a str,
}

/// Returns the imported model as JSON, keys in alphabetical order.
#[must_use]
pub fn document(brought: &ImportedModel) -> Value {
    let asked = |(field, question)| OpenQuestion { field, question };
    json!(Document {
        brought,
        questions: brought.questions().map(asked).collect(),
        active_parameters: brought.counts.as_ref().map(|counts| counts.active()),
    })
}
