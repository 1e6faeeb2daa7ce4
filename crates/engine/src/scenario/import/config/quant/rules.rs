//! Bytes of single modules where a file quantises them unlike the rest: by the path of the module, or by a pattern.

use crate::scenario::import::config::tensor::BlockTensor;
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// The most patterns that are tried on every module.
const MOST_PATTERNS: usize = 64;
/// The longest pattern [B].
const LONGEST_PATTERN: usize = 500;

/// Rules in the order of the file.
#[derive(Debug, Clone, Default)]
pub(in crate::scenario::import::config) struct ModuleRules {
    /// Bytes of a weight by path.
    paths: BTreeMap<String, f64>,
    patterns: Vec<(Regex, f64)>,
    /// Paths as the file writes them.
    written: BTreeMap<String, String>,
}

/// Parts of names that are no part of a text model’s blocks, or that are vectors.
const ASIDE: [&str; 14] = [
    "lm_head",
    "embed",
    "norm",
    "vision",
    "visual",
    "image",
    "audio",
    "mtp",
    "multi_modal",
    "projector",
    "bias",
    "wte",
    "wpe",
    "score",
];

/// A path without what stands before the blocks and behind the name.
fn plain_path(path: &str) -> &str {
    let path = path.trim_end_matches(['*', '$', '.']);
    let path = path.strip_suffix(".weight").unwrap_or(path);
    let mut rest = path.trim_start_matches(['*', '.']);
    for before in [
        "model.",
        "language_model.",
        "transformer.",
        "text_model.",
        "model.",
    ] {
        rest = rest.strip_prefix(before).unwrap_or(rest);
    }
    rest
}

impl ModuleRules {
    /// Adds a rule for modules that a path names, as lists of modules do. A path with an asterisk inside is a pattern.
    ///
    /// # Errors
    /// The pattern cannot be read.
    pub(super) fn add_path(&mut self, path: &str, bytes: f64) -> Result<(), String> {
        if let Some(pattern) = path.strip_prefix("re:") {
            return self.add_pattern(pattern, bytes);
        }
        let plain = plain_path(path);
        if plain.contains('*') {
            let parts: Vec<String> = plain.split('*').map(regex_lite::escape).collect();
            return self.add_pattern(&parts.join(".*"), bytes);
        }
        self.written
            .entry(plain.to_owned())
            .or_insert_with(|| path.to_owned());
        self.paths.entry(plain.to_owned()).or_insert(bytes);
        Ok(())
    }

    /// Adds a rule for modules whose path a pattern is found in.
    ///
    /// # Errors
    /// The pattern cannot be read, is longer than any that people write, or there are too many.
    pub(super) fn add_pattern(&mut self, pattern: &str, bytes: f64) -> Result<(), String> {
        let short: String = pattern.chars().take(60).collect();
        if pattern.len() > LONGEST_PATTERN {
            return Err(format!(
                "the pattern {short} has more than {LONGEST_PATTERN} bytes"
            ));
        }
        if self.patterns.len() >= MOST_PATTERNS {
            return Err(format!("there are more than {MOST_PATTERNS} patterns"));
        }
        let read =
            Regex::new(pattern).map_err(|_| format!("the pattern {short} cannot be read"))?;
        self.patterns.push((read, bytes));
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.patterns.is_empty()
    }

    /// Bytes of a weight of a module by the first rule that is for it.
    ///
    /// # Complexity
    /// O(parts of its path squared, and patterns).
    pub(super) fn bytes_of(&self, block: usize, tensor: &BlockTensor) -> Option<f64> {
        self.matching(block, tensor).map(|(_, bytes)| bytes)
    }

    /// The path or the pattern that is for a module, and its bytes.
    fn matching(&self, block: usize, tensor: &BlockTensor) -> Option<(&str, f64)> {
        let names = names_of(&tensor.name);
        let by_path = names.iter().find_map(|name| {
            // All experts are one here: a rule for a single one is for none.
            let name = name.replace(".experts.0", ".experts");
            self.by_path(&format!("layers.{block}.{name}"))
        });
        by_path.or_else(|| {
            names.iter().find_map(|name| {
                let path = format!("model.layers.{block}.{name}");
                let mut patterns = self.patterns.iter();
                let (pattern, bytes) = patterns.find(|(pattern, _)| pattern.is_match(&path))?;
                Some((pattern.as_str(), *bytes))
            })
        })
    }

    /// The rule for a path: the longest run of its parts that a rule names.
    fn by_path(&self, path: &str) -> Option<(&str, f64)> {
        if self.paths.is_empty() {
            return None;
        }
        let parts: Vec<&str> = path.split('.').collect();
        let mut runs = (1..=parts.len())
            .rev()
            .flat_map(|length| parts.windows(length));
        runs.find_map(|run| {
            let (key, bytes) = self.paths.get_key_value(&run.join("."))?;
            Some((key.as_str(), *bytes))
        })
    }

    /// Rules that name no module of these blocks and no part beside them, as the file writes them.
    ///
    /// # Complexity
    /// O(modules × patterns).
    pub(in crate::scenario::import::config) fn unused(
        &self,
        blocks: impl Iterator<Item = Vec<BlockTensor>>,
    ) -> Vec<String> {
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for (block, tensors) in blocks.enumerate() {
            // A list may name what is not quantised anyhow.
            let rules = tensors
                .iter()
                .filter_map(|tensor| self.matching(block, tensor));
            used.extend(rules.map(|(rule, _)| rule));
        }
        let is_aside = |name: &str| ASIDE.iter().any(|part| name.contains(part));
        let paths = self
            .paths
            .keys()
            .filter(|key| !used.contains(key.as_str()) && !is_aside(key));
        let paths = paths.map(|key| self.written[key].clone());
        let patterns = self.patterns.iter().map(|(pattern, _)| pattern.as_str());
        let patterns = patterns.filter(|pattern| !used.contains(pattern) && !is_aside(pattern));
        paths.chain(patterns.map(str::to_owned)).collect()
    }
}

/// The names that classes give a module: fused matrices, and the parts of a mixture of experts, go by several.
fn names_of(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    let also = [
        ("shared_expert.", "shared_experts."),
        ("self_attn.q_proj", "self_attn.qkv_proj"),
        ("self_attn.k_proj", "self_attn.qkv_proj"),
        ("self_attn.v_proj", "self_attn.qkv_proj"),
        (".gate_proj", ".gate_up_proj"),
        (".up_proj", ".gate_up_proj"),
        ("block_sparse_moe.", "mlp."),
        ("feed_forward.gate_proj", "feed_forward.w1"),
        ("feed_forward.up_proj", "feed_forward.w3"),
        ("feed_forward.down_proj", "feed_forward.w2"),
        (
            "block_sparse_moe.experts.0.gate_proj",
            "block_sparse_moe.experts.0.w1",
        ),
        (
            "block_sparse_moe.experts.0.up_proj",
            "block_sparse_moe.experts.0.w3",
        ),
        (
            "block_sparse_moe.experts.0.down_proj",
            "block_sparse_moe.experts.0.w2",
        ),
    ];
    if let Some(part) = name
        .strip_suffix(".gate")
        .filter(|part| !part.contains('.'))
    {
        names.push(format!("{part}.router"));
    }
    for (own, other) in also {
        if name.contains(own) {
            names.push(name.replacen(own, other, 1));
        }
    }
    names
}
