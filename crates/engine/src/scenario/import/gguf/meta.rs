//! The metadata of a file under the prefix of its architecture: numbers, numbers by block, and the windows of attention.

use super::header::GgufValue;
use crate::scenario::import::facts::{
    FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact,
};
use std::collections::BTreeMap;

const WINDOW: RequestedFact = ("window", "Attention window");

/// A value for all blocks, or one for each block.
pub(super) enum Per {
    One(f64),
    Each(Vec<f64>),
}

impl Per {
    pub(super) fn at(&self, block: usize) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values.get(block).copied().unwrap_or(0.0),
        }
    }

    pub(super) fn largest(&self) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values.iter().copied().fold(0.0, f64::max),
        }
    }

    pub(super) fn single(&self) -> Option<f64> {
        match self {
            Self::One(value) => Some(*value),
            Self::Each(_) => None,
        }
    }
}

/// The metadata under the prefix of the architecture.
pub(super) struct Meta<'a> {
    pub(super) all: &'a BTreeMap<String, GgufValue>,
    pub(super) prefix: String,
}

impl Meta<'_> {
    pub(super) fn key(&self, end: &str) -> String {
        format!("{}.{end}", self.prefix)
    }

    pub(super) fn find(&self, end: &str) -> FieldValue {
        let key = self.key(end);
        match self.all.get(&key) {
            None => FieldValue::Nothing,
            Some(GgufValue::Number(number)) => FieldValue::Number(key, *number),
            Some(other) => FieldValue::Unusual(key, value_text(other)),
        }
    }

    /// A number, or one for every block. Lists with the same number throughout are one.
    pub(super) fn per(
        &self,
        facts: &mut ImportFacts,
        wanted: RequestedFact,
        end: &str,
        layers: Option<f64>,
        without: MissingPolicy,
    ) -> Option<Per> {
        let key = self.key(end);
        if let Some(GgufValue::Number(0.0)) = self.all.get(&key) {
            facts.put(wanted, 0, Origin::Read(key));
            return Some(Per::One(0.0));
        }
        let Some(GgufValue::Numbers(list)) = self.all.get(&key) else {
            return facts.number(wanted, self.find(end), without).map(Per::One);
        };
        let first = list.first().copied().unwrap_or(0.0);
        if !list.is_empty() && list.iter().all(|n| *n == first) && first > 0.0 {
            return facts
                .number(wanted, FieldValue::Number(key, first), without)
                .map(Per::One);
        }
        if layers.is_some_and(|n| n != list.len() as f64) {
            facts.add_question(
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
            facts.add_question(
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

fn value_text(value: &GgufValue) -> String {
    match value {
        GgufValue::Number(n) => n.to_string(),
        GgufValue::Flag(b) => b.to_string(),
        GgufValue::Text(text) => format!(
            "the text \u{201c}{}\u{201d}",
            text.chars().take(30).collect::<String>()
        ),
        GgufValue::Numbers(list) => format!("a list of {}", list.len()),
        GgufValue::Skipped(n) => format!("a list of {n}"),
    }
}

/// The window of every block; `None` where it is asked for.
pub(super) fn windows(
    meta: &Meta,
    facts: &mut ImportFacts,
    layers: Option<f64>,
) -> Option<Vec<Option<u64>>> {
    let n = layers? as usize;
    let none = Some(vec![None; n]);
    let found = meta.find("attention.sliding_window");
    if matches!(found, FieldValue::Nothing | FieldValue::Number(_, 0.0)) {
        return none;
    }
    let window = facts.number(WINDOW, found, MissingPolicy::None)? as u64;
    let which = ("window_blocks", "Blocks with the window");
    let key = "attention.sliding_window_pattern";
    let is_short: Vec<bool> = match meta.all.get(&meta.key(key)) {
        Some(GgufValue::Numbers(list)) if list.len() == n => {
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
            let without = known.map_or(MissingPolicy::None, |n| {
                MissingPolicy::Assumed(n, "as always in this architecture".into())
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
