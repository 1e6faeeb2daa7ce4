//! Files of weights beside a `config.json`: the headers of safetensors files, which have the bytes of every tensor, or the index of
//! a model in several files, which has their names and the sum.
//!
//! The config says what is computed; how many bytes are stored, these files say. Of a safetensors file only the header is read.
//! Source: the format as its makers describe it (huggingface/safetensors, README), and the index that transformers writes.

use super::count::{BlockCount, Counts, EndCount, Ends};
use super::facts::{ImportFacts, RequestedFact};
use crate::problem::{Code, Invalid};
use crate::units::bytes;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The longest header that is read [B]: what the format allows.
const LONGEST_HEADER: u64 = 100_000_000;

/// The length of a header stands before it, in so many bytes.
pub const LENGTH_BYTES: usize = 8;

/// Weights as files have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WeightFiles {
    /// Bytes of each tensor that a header lists, by its name.
    tensors: BTreeMap<String, f64>,
    /// The names and the sum of an index.
    index: Option<WeightIndex>,
}

#[derive(Debug, Clone, PartialEq)]
struct WeightIndex {
    names: Vec<String>,
    total: f64,
}

/// The length of a safetensors header, from the first bytes of the file.
///
/// # Errors
/// A length of 0, or one that the format does not allow.
pub fn header_length(first: [u8; LENGTH_BYTES]) -> Result<u64, Invalid> {
    let length = u64::from_le_bytes(first);
    if (2..=LONGEST_HEADER).contains(&length) {
        return Ok(length);
    }
    let message = format!(
        "this is not a safetensors file: its first {LENGTH_BYTES} bytes are the length of its header, from 2 to {LONGEST_HEADER}, \
         and here are {length}"
    );
    Err(Invalid::new(Code::Syntax, "", length, message))
}

/// Returns true if a file is an index: it has a map of weights.
#[must_use]
pub fn is_index(file: &Value) -> bool {
    file.get("weight_map").is_some()
}

fn wrong(field: &str, found: &Value, allowed: &str) -> Invalid {
    let found = super::config::file::value_text(found);
    let message = format!("{field} must be {allowed}, it is {found}");
    Invalid::new(Code::Type, field, Value::Null, message)
}

fn in_two_files(name: &str) -> Invalid {
    let short: String = name.chars().take(60).collect();
    let message = format!("{short} is in another of these files as well");
    Invalid::new(Code::Range, short, Value::Null, message)
}

impl WeightFiles {
    /// Takes the header of a safetensors file.
    ///
    /// # Errors
    /// No JSON object, a tensor without the place of its bytes, or one that another file has as well.
    pub fn add_header(&mut self, header: &str) -> Result<(), Invalid> {
        let read: Map<String, Value> =
            serde_json::from_str(header.trim_end()).map_err(|fault| {
                let message =
                    format!("the header of this safetensors file is not a JSON object: {fault}");
                Invalid::new(Code::Syntax, "", Value::Null, message)
            })?;
        for (name, tensor) in read {
            if name == "__metadata__" {
                continue;
            }
            let place = tensor.get("data_offsets");
            let end = |at: usize| place.and_then(|place| place.get(at)?.as_u64());
            let (Some(first), Some(end)) = (end(0), end(1)) else {
                let short: String = name.chars().take(60).collect();
                let field = format!("{short}.data_offsets");
                let allowed = "two whole numbers, where its bytes begin and end";
                return Err(wrong(&field, place.unwrap_or(&Value::Null), allowed));
            };
            let length = end.checked_sub(first).ok_or_else(|| {
                let short: String = name.chars().take(60).collect();
                let message = format!("{short} ends at {end}, before it begins at {first}");
                Invalid::new(Code::Range, short, end, message)
            })?;
            if self.tensors.contains_key(&name) {
                return Err(in_two_files(&name));
            }
            self.tensors.insert(name, length as f64);
        }
        Ok(())
    }

    /// Takes what other files have.
    ///
    /// # Errors
    /// A tensor is in both; then nothing is taken.
    pub(super) fn join(&mut self, more: Self) -> Result<(), Invalid> {
        let is_known = |name: &&String| self.tensors.contains_key(*name);
        if let Some(name) = more.tensors.keys().find(is_known) {
            return Err(in_two_files(name));
        }
        self.tensors.extend(more.tensors);
        self.index = more.index.or(self.index.take());
        Ok(())
    }

    /// Takes an index.
    ///
    /// # Errors
    /// It lacks its map of weights, or a total size above 0.
    pub fn add_index(&mut self, index: &Value) -> Result<(), Invalid> {
        let found = index.get("weight_map").unwrap_or(&Value::Null);
        let Some(map) = found.as_object() else {
            let allowed = "an object of tensors and the files that they are in";
            return Err(wrong("weight_map", found, allowed));
        };
        let found = index.pointer("/metadata/total_size");
        let total = found.and_then(Value::as_f64).filter(|total| *total > 0.0);
        let Some(total) = total else {
            let found = found.unwrap_or(&Value::Null);
            return Err(wrong("metadata.total_size", found, "a number above 0"));
        };
        let names = map.keys().cloned().collect();
        self.index = Some(WeightIndex { names, total });
        Ok(())
    }

    /// Counts with the bytes of these files, or `None` where they are those of the counts; says how both compare. Asks where blocks
    /// have no tensors, or where an output head is missing. `is_tied` says if that is the embedding; `None` of a model without one.
    ///
    /// # Complexity
    /// O(tensors + blocks).
    pub(super) fn settle(
        &self,
        counts: &Counts,
        is_tied: Option<bool>,
        facts: &mut ImportFacts,
        notes: &mut Vec<String>,
    ) -> Option<Counts> {
        let layers: usize = counts.blocks.iter().map(|block| block.repeat).sum();
        let mut stored = Stored::new(layers);
        match (&self.index, self.tensors.is_empty()) {
            (_, false) => self
                .tensors
                .iter()
                .for_each(|(name, bytes)| stored.add(name, *bytes)),
            (Some(index), true) => index.names.iter().for_each(|name| stored.add(name, 0.0)),
            (None, true) => return None,
        }
        if let (Some(index), false) = (&self.index, self.tensors.is_empty()) {
            let is_lacking = |name: &&String| !self.tensors.contains_key(*name);
            let lacking: Vec<&String> = index.names.iter().filter(is_lacking).collect();
            if let Some(first) = lacking.first() {
                let question = format!(
                    "The index has {} tensors that are in none of the safetensors files, {} first. Are all files here?",
                    lacking.len(),
                    first.chars().take(60).collect::<String>()
                );
                facts.add_question(BLOCKS, question);
                return None;
            }
        }
        if let Some(lacking) = stored.has_block.iter().position(|has| !has) {
            let here = stored.has_block.iter().filter(|has| **has).count();
            let question = format!(
                "The files of weights have tensors of {here} of {layers} blocks; block {lacking} has none. Are all files here, and \
                 of this model?"
            );
            facts.add_question(BLOCKS, question);
            return None;
        }
        if is_tied == Some(false) && !stored.has_head {
            let question = "The files of weights have no output head, and the config does not say that it is the embedding \
                            (tie_word_embeddings). Is it? 1 for yes.";
            facts.add_question(
                ("tied_embeddings", "Embedding and head are one"),
                question.to_owned(),
            );
            return None;
        }
        let counted = counts.block_bytes + counts.outside_bytes;
        if self.tensors.is_empty() {
            let total = self.index.as_ref().map_or(counted, |index| index.total);
            if stored.others > 0 {
                notes.push(format!(
                    "The index has {} tensors that are no part of these blocks, embedding or head, and one sum for all: its {} settle \
                     nothing. The safetensors files would.",
                    stored.others,
                    bytes(total)
                ));
                return None;
            }
            // Of an index, blocks have what the ends leave.
            let factor = (total - counts.outside_bytes) / counts.block_bytes;
            if !(factor.is_finite() && factor > 0.0) {
                let question = format!(
                    "The index says {} in all, less than the {} of embedding and head by the config. Are both of one model?",
                    bytes(total),
                    bytes(counts.outside_bytes)
                );
                facts.add_question(BLOCKS, question);
                return None;
            }
            return compare(total, counted, notes)
                .then(|| counts.scaled(&vec![factor; layers], &vec![0.0; layers], None));
        }
        if stored.other_bytes > 0.0 {
            notes.push(format!(
                "Not counted: {} of {} tensors that are no part of these blocks, embedding or head.",
                bytes(stored.other_bytes),
                stored.others
            ));
        }
        // What the config says is one matrix is loaded once, even where the files have it twice.
        let own_head = match is_tied {
            Some(true) => 0.0,
            Some(false) | None => stored.head_bytes,
        };
        let outside = stored.embedding_bytes + own_head + stored.norm_bytes;
        let total = stored.blocks.iter().sum::<f64>() + outside;
        if !compare(total, counted, notes) {
            return None;
        }
        let blocks = counts.each().zip(&stored.blocks);
        let factors: Vec<f64> = blocks
            .map(|(block, bytes)| bytes / block.weight_bytes)
            .collect();
        let head = match is_tied {
            Some(true) => stored.embedding_bytes,
            Some(false) | None => own_head,
        };
        let ends = [stored.embedding_bytes, head + stored.norm_bytes];
        Some(counts.scaled(&factors, &stored.expert_bytes, Some(ends)))
    }
}

const BLOCKS: RequestedFact = ("blocks", "Files of weights");

/// Says how the bytes of files and those of a config compare; true if they differ.
fn compare(total: f64, counted: f64, notes: &mut Vec<String>) -> bool {
    let differs = (total - counted).abs() > 1e-6 * counted;
    let shown = bytes(total);
    notes.push(match differs {
        false => format!("The files of weights hold {shown}, as the config has it."),
        true => format!(
            "The files of weights hold {shown}, where the config alone gives {}; those of the files count.",
            bytes(counted)
        ),
    });
    differs
}

/// Bytes of tensors by where they belong.
struct Stored {
    blocks: Vec<f64>,
    /// Of these, experts that not every token uses.
    expert_bytes: Vec<f64>,
    has_block: Vec<bool>,
    embedding_bytes: f64,
    head_bytes: f64,
    has_head: bool,
    /// The last norm.
    norm_bytes: f64,
    others: usize,
    other_bytes: f64,
}

/// Lists of blocks: in a name the number of the block follows one of these.
const LISTS: [&str; 5] = ["layers", "h", "blocks", "layer", "block"];
/// Parts of a name that are no part of a text model's blocks.
const ASIDE: [&str; 8] = [
    "vision",
    "visual",
    "audio",
    "image",
    "projector",
    "mtp",
    "talker",
    "code2wav",
];
const EMBEDDINGS: [&str; 7] = [
    "embed_tokens",
    "wte",
    "wpe",
    "word_embeddings",
    "embed_in",
    "tok_embeddings",
    "embeddings",
];
const HEADS: [&str; 4] = ["lm_head", "embed_out", "output", "score"];

impl Stored {
    fn new(layers: usize) -> Self {
        Self {
            blocks: vec![0.0; layers],
            expert_bytes: vec![0.0; layers],
            has_block: vec![false; layers],
            embedding_bytes: 0.0,
            head_bytes: 0.0,
            has_head: false,
            norm_bytes: 0.0,
            others: 0,
            other_bytes: 0.0,
        }
    }

    fn add(&mut self, name: &str, bytes: f64) {
        let parts: Vec<&str> = name.split('.').collect();
        let is_aside = parts
            .iter()
            .any(|part| ASIDE.iter().any(|aside| part.contains(aside)));
        let block = parts.windows(2).find_map(|pair| match pair {
            [list, number] if LISTS.contains(list) => number.parse::<usize>().ok(),
            _ => None,
        });
        let has = |names: &[&str]| parts.iter().any(|part| names.contains(part));
        let place = match block {
            _ if is_aside => None,
            Some(block) if block < self.blocks.len() => {
                self.has_block[block] = true;
                if has(&["experts"]) {
                    self.expert_bytes[block] += bytes;
                }
                Some(&mut self.blocks[block])
            }
            Some(_) => None,
            None if has(&HEADS) => {
                self.has_head = true;
                Some(&mut self.head_bytes)
            }
            None if has(&EMBEDDINGS) => Some(&mut self.embedding_bytes),
            None if parts
                .iter()
                .any(|part| part.contains("norm") || part.starts_with("ln_")) =>
            {
                Some(&mut self.norm_bytes)
            }
            None => None,
        };
        match place {
            Some(sum) => *sum += bytes,
            None => {
                self.others += 1;
                self.other_bytes += bytes;
            }
        }
    }
}

impl Counts {
    /// Each block, in order.
    fn each(&self) -> impl Iterator<Item = BlockCount> + '_ {
        let one = |block: &BlockCount| BlockCount {
            repeat: 1,
            ..*block
        };
        self.blocks
            .iter()
            .flat_map(move |block| std::iter::repeat_n(one(block), block.repeat))
    }

    /// The same model with other bytes. Each block has its weights, experts and heads multiplied by its factor; `expert_bytes` are those of
    /// all its experts where they are known, else 0; `ends` are the bytes of embedding and output head, if they change.
    fn scaled(&self, factors: &[f64], expert_bytes: &[f64], ends: Option<[f64; 2]>) -> Self {
        let of_blocks = factors.iter().zip(expert_bytes);
        let each = self
            .each()
            .zip(of_blocks)
            .map(|(mut block, (factor, of_experts))| {
                block.weight_bytes *= factor;
                if let Some(experts) = &mut block.experts {
                    if *of_experts > 0.0 {
                        experts.bytes_each = of_experts / experts.count as f64;
                    } else {
                        experts.bytes_each *= factor;
                    }
                }
                if let Some(heads) = &mut block.heads {
                    heads.bytes *= factor;
                }
                block
            });
        let each: Vec<BlockCount> = each.collect();
        let mut all = Ends {
            embedding: self.embedding,
            head: self.head,
            shared: EndCount {
                parameters: self
                    .embedding
                    .parameters
                    .saturating_add(self.head.parameters)
                    .saturating_sub(self.outside),
                bytes: (self.embedding.bytes + self.head.bytes - self.outside_bytes).max(0.0),
            },
        };
        if let Some([embedding, head]) = ends {
            all.embedding.bytes = embedding;
            all.head.bytes = head;
            all.shared.bytes = if all.shared.parameters > 0 {
                embedding
            } else {
                0.0
            };
        }
        Self::new(&each, &all)
    }
}
