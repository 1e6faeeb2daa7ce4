//! Captions of groups of layers, from the names of the operators in them.

use super::draw::GraphFrame;
use super::{GraphLayout, GraphOp};
use crate::mark::{cut, text_width};
use crate::operators::NAME_CHARS;
use crate::paper::SMALL_SIZE;
use std::collections::{BTreeMap, BTreeSet};

/// Groups of operators, by the part of their names that says something, each with the first layer in which it has one.
pub(super) fn groups(ops: &[GraphOp], layer: &[u32]) -> Vec<(u32, String)> {
    let group = |op: &GraphOp, depth: usize| {
        let parts = op.name.split(['.', '/']).filter(|part| !part.is_empty());
        let parts: Vec<&str> = parts.collect();
        // The last part names the operator itself.
        (parts.len() > depth + 1).then(|| parts[..=depth].join("."))
    };
    // The deepest part that still names several operators each time.
    let depth = (0..4).rev().find(|depth| {
        let named: Vec<String> = ops.iter().filter_map(|op| group(op, *depth)).collect();
        let groups: BTreeSet<&String> = named.iter().collect();
        groups.len() > 1 && 2 * named.len() >= ops.len() && 6 * groups.len() < named.len()
    });
    let Some(depth) = depth else {
        return Vec::new();
    };
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    for (op, layer) in ops.iter().zip(layer) {
        if let Some(name) = group(op, depth) {
            let entry = first.entry(name).or_insert(*layer);
            *entry = (*layer).min(*entry);
        }
    }
    let mut all: Vec<(u32, String)> = first.into_iter().map(|(name, at)| (at, name)).collect();
    all.sort();
    all.into_iter()
        .map(|(at, name)| (at, cut(&last_of(&name), NAME_CHARS)))
        .collect()
}

/// The last part of a group's name; a bare number says nothing without what it counts.
fn last_of(name: &str) -> String {
    let end = name.rsplit('.').next().unwrap_or_default();
    if end.chars().all(|c| c.is_ascii_digit()) {
        let mut parts: Vec<&str> = name.rsplit('.').take(2).collect();
        parts.reverse();
        return parts.join(" ");
    }
    end.to_owned()
}

/// The groups that begin in the window, with the places of their captions [px]; none runs into the next.
pub(super) fn captions<'a>(layout: &'a GraphLayout, frame: &GraphFrame) -> Vec<(f64, &'a str)> {
    let mut right = f64::NEG_INFINITY;
    let mut placed = Vec::new();
    let seen = layout.groups.iter();
    for (layer, words) in seen.filter(|(layer, _)| frame.shows(*layer)) {
        let x = frame.plot.x + (f64::from(*layer) - frame.from + 0.5) * frame.layer_px
            - frame.mark_px.0 / 2.0;
        if x >= right {
            right = x + text_width(words, SMALL_SIZE, false) + 8.0;
            placed.push((x, words.as_str()));
        }
    }
    placed
}
