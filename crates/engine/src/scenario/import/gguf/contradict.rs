//! Where the metadata of a GGUF file contradicts the shapes of its tensors: what is right is asked, never chosen.

use super::header::GgufTensor;
use super::meta::Per;
use super::tensors::{Sum, of_expert, place};
use crate::scenario::import::facts::{ImportFacts, Origin, RequestedFact};

/// Values in the metadata.
pub(super) struct Metadata<'a> {
    pub layers: Option<f64>,
    pub d_model: Option<f64>,
    pub vocabulary: Option<f64>,
    pub h_q: Option<&'a Per>,
    pub h_k: Option<&'a Per>,
    /// Width of a key and of a value in a block.
    pub widths: &'a dyn Fn(usize) -> Option<(f64, f64)>,
    pub d_ff: Option<&'a Per>,
    pub experts: Option<f64>,
    /// Sums of the tensors of each block.
    pub sums: &'a [Sum],
}

/// A contradiction: the field that is asked for, what the metadata says, what the tensor has or does.
struct Clash {
    wanted: RequestedFact,
    statement: String,
    has: String,
}

const LAYERS: RequestedFact = ("layers", "Blocks");
const D_MODEL: RequestedFact = ("d_model", "Hidden size");
const VOCABULARY: RequestedFact = ("vocabulary", "Vocabulary");
const H_Q: RequestedFact = ("h_q", "Query heads");
const H_K: RequestedFact = ("h_k", "Key/value heads");
const VALUE: RequestedFact = ("value_head", "Width of a value");
const D_FF: RequestedFact = ("d_ff", "Feed-forward width");
const EXPERTS: RequestedFact = ("experts", "Experts");

/// Asks for each field that a tensor contradicts; what a person answered stands.
///
/// # Complexity
/// O(tensors).
pub(super) fn check(tensors: &[&GgufTensor], said: &Metadata, facts: &mut ImportFacts) {
    let mut asked: Vec<&str> = Vec::new();
    for tensor in tensors {
        for clash in said.clashes(tensor) {
            let (field, _) = clash.wanted;
            let stands = |fact: &_| is_given(fact, field);
            if asked.contains(&field) || facts.list.iter().any(stands) {
                continue;
            }
            asked.push(field);
            facts.list.retain(|fact| fact.field != field);
            let name: String = tensor.name.chars().take(60).collect();
            facts.add_question(
                clash.wanted,
                format!(
                    "The metadata contradicts the tensors: {}, but {name} {}. Which is right?",
                    clash.statement, clash.has
                ),
            );
        }
    }
}

fn is_given(fact: &crate::scenario::import::Fact, field: &str) -> bool {
    fact.field == field && fact.origin == Origin::Given
}

impl Metadata<'_> {
    fn clashes(&self, tensor: &GgufTensor) -> Vec<Clash> {
        let mut found = Vec::new();
        let length = |axis: usize| tensor.dims.get(axis).map(|n| *n as f64);
        let mut differ =
            |wanted: RequestedFact, said: f64, words: String, axis: usize, what: &str| {
                if let Some(has) = length(axis).filter(|has| *has != said) {
                    let has = format!("has {has} {what}");
                    let said = words;
                    found.push(Clash {
                        wanted,
                        statement: said,
                        has,
                    });
                }
            };
        if tensor.name == "token_embd.weight" {
            if let Some(d) = self.d_model {
                differ(D_MODEL, d, format!("the hidden size is {d}"), 0, "columns");
            }
            if let Some(n) = self.vocabulary {
                let words = format!("the vocabulary has {n} tokens");
                differ(VOCABULARY, n, words, 1, "rows");
            }
            return found;
        }
        let Some((block, rest)) = place(&tensor.name) else {
            return found;
        };
        if let Some(layers) = self.layers.filter(|layers| block as f64 >= *layers) {
            found.push(Clash {
                wanted: LAYERS,
                statement: format!("there are {layers} blocks"),
                has: "lies beyond them".to_owned(),
            });
            return found;
        }
        let at = |per: Option<&Per>| per.map(|per| per.at(block));
        let heads = at(self.h_q).zip(at(self.h_k)).zip((self.widths)(block));
        match (rest, heads) {
            ("attn_q.weight", Some(((q, _), (key, _)))) => {
                // Twice as many rows: a gate is beside the queries.
                if length(1) != Some(2.0 * q * key) {
                    let words = format!("{q} query heads of width {key} make {}", q * key);
                    differ(H_Q, q * key, words, 1, "rows");
                }
            }
            ("attn_k.weight", Some(((_, kv), (key, _)))) => {
                let words = format!("{kv} key/value heads of width {key} make {}", kv * key);
                differ(H_K, kv * key, words, 1, "rows");
            }
            ("attn_v.weight", Some(((_, kv), (key, value)))) => {
                let words = format!("{kv} key/value heads of width {value} make {}", kv * value);
                let wanted = if key == value { H_K } else { VALUE };
                differ(wanted, kv * value, words, 1, "rows");
            }
            ("attn_qkv.weight", Some(((q, kv), (key, value))))
                if self.sums.get(block).is_some_and(|sum| !sum.recurs) =>
            {
                let rows = q * key + kv * (key + value);
                let words =
                    format!("{q} query and {kv} key/value heads of width {key} make {rows}");
                differ(H_K, rows, words, 1, "rows");
            }
            ("ffn_up.weight", _) => {
                // Twice as many rows: gate and up in one matrix.
                if let Some(f) = at(self.d_ff).filter(|f| length(1) != Some(2.0 * f)) {
                    let words = format!("the feed-forward is {f} wide");
                    differ(D_FF, f, words, 1, "rows");
                }
            }
            ("ffn_gate_exps.weight" | "ffn_up_exps.weight" | "ffn_down_exps.weight", _) => {
                let n = self.experts.unwrap_or(0.0);
                differ(EXPERTS, n, experts_said(n), 2, "experts");
            }
            _ => {
                let n = self.experts.unwrap_or(0.0);
                if let Some(number) = of_expert(rest).filter(|number| f64::from(*number) >= n) {
                    found.push(Clash {
                        wanted: EXPERTS,
                        statement: experts_said(n),
                        has: format!("belongs to expert {number}, counting from 0"),
                    });
                }
            }
        }
        found
    }
}

fn experts_said(n: f64) -> String {
    if n > 0.0 {
        format!("there are {n} experts")
    } else {
        "it names no experts".to_owned()
    }
}
