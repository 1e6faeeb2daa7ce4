//! Facts of a model, each with its origin. A plan uses no number that is not in this list.

use crate::scenario::fields;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Answers of the user by field; they override the file.
pub type UserAnswers = BTreeMap<String, f64>;

/// How a fact was come by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(tag = "origin", content = "from", rename_all = "snake_case")]
pub enum Origin {
    /// It is in the file, in this field.
    Read(String),
    /// A person said so.
    Given,
    /// It follows from other facts.
    Derived(String),
    /// The file does not say; this is taken, for this reason.
    Assumed(String),
    /// It is not known, and a person has to say it: the question.
    Missing(String),
}

impl Origin {
    /// "read from hidden_size", "assumed: ...".
    #[must_use]
    pub fn description(&self) -> String {
        match self {
            Self::Read(field) => format!("read from {field}"),
            Self::Given => "your answer".to_owned(),
            Self::Derived(how) => format!("derived: {how}"),
            Self::Assumed(why) => format!("assumed: {why}"),
            Self::Missing(question) => question.clone(),
        }
    }
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Fact {
    /// Its name, by which a person answers.
    pub field: String,
    /// Label.
    pub label: &'static str,
    /// A number, a text or yes and no; null while it is missing.
    pub value: Value,
    /// How it was come by.
    #[serde(flatten)]
    pub origin: Origin,
}

impl Fact {
    /// The value as a person reads it.
    #[must_use]
    pub fn display_value(&self) -> String {
        match &self.value {
            Value::Null => "?".to_owned(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::String(text) => text.clone(),
            Value::Number(number) => match number.as_f64() {
                Some(n) if libm::trunc(n) == n => crate::units::count(n),
                _ => number.to_string(),
            },
            other => other.to_string(),
        }
    }

    /// Returns true if neither the file nor the user states it.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        matches!(self.origin, Origin::Assumed(_))
    }

    /// Returns true if a number answers it.
    #[must_use]
    pub fn can_be_answered(&self) -> bool {
        !matches!(self.field.as_str(), "blocks" | "window_blocks" | "unread")
    }

    /// Returns the question to the user, if it is missing.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        match &self.origin {
            Origin::Missing(question) => Some(question),
            _ => None,
        }
    }
}

/// Content of a field of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldValue {
    /// A number, and the field it is in.
    Number(String, f64),
    /// A list of numbers, mostly one for every block.
    Numbers(String, Vec<f64>),
    /// Another type of value: its description and what was expected.
    Unusual(String, String),
    /// Nothing.
    Nothing,
}

/// Reaction to a field that is missing.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MissingPolicy {
    /// Derive it from other facts: value and derivation.
    Derived(f64, String),
    /// Assume a value: value and reason.
    Assumed(f64, String),
    /// A person is asked.
    Question,
    /// A person is asked in these words.
    AskWith(String),
    /// The model simply has none.
    None,
}

/// A number that is wanted: its name and what it is called.
pub(super) type RequestedFact = (&'static str, &'static str);

/// Keys of a file that were not read.
pub(super) const UNREAD: RequestedFact = ("unread", "Not read");
/// The kind of the blocks.
pub(super) const BLOCKS: RequestedFact = ("blocks", "Kind of the blocks");

/// The least and the greatest value of a field; whole numbers all of them but `weight_bits`.
fn limits(field: &str) -> (f64, f64) {
    match field {
        "layers" | "d_model" | "h_q" | "h_k" | "d_head" | "d_ff" | "vocabulary" | "window" => {
            let range = fields::of(field).expect("these are fields of the schema");
            (range.min, range.max)
        }
        "tied_embeddings" => (0.0, 1.0),
        "ffn_matrices" => (2.0, 3.0),
        "weight_bits" => (0.5, 64.0),
        "experts" | "experts_used" => (0.0, 4096.0),
        "shared_experts" | "dense_first" | "window_every" | "dense_every" | "window_from"
        | "expert_first" | "shared_caches" => (0.0, 4096.0),
        "state_heads" | "state_key_heads" | "state_groups" | "state_kernel" => (1.0, 65_536.0),
        "state_width" | "state_size" | "state_key_width" | "state_inner" | "state_rank" => {
            (1.0, 1_048_576.0)
        }
        "global_h_k" | "global_d_head" | "window_d_head" | "window_value" | "window_h_q"
        | "window_h_k" | "index_heads" | "index_width" | "expert_latent" => (1.0, 65_536.0),
        "kv_rank" | "q_rank" | "rope_head" | "nope_head" | "value_head" | "token_types" => {
            (0.0, 65_536.0)
        }
        "embedding_width" | "weight_group" => (1.0, 1_048_576.0),
        "expert_ff" | "shared_ff" | "dense_ff" => (0.0, 1_048_576.0),
        _ => (0.0, 1e9),
    }
}

/// A number as a message shows it: not three hundred digits.
fn short(value: f64) -> String {
    if value.abs() >= 1e12 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// Facts as they are collected.
#[derive(Debug)]
pub(super) struct ImportFacts<'a> {
    /// The facts read so far.
    pub list: Vec<Fact>,
    answers: &'a UserAnswers,
}

impl<'a> ImportFacts<'a> {
    pub(super) fn new(answers: &'a UserAnswers) -> Self {
        Self {
            list: Vec::new(),
            answers,
        }
    }

    /// Adds a fact.
    pub(super) fn put(&mut self, wanted: RequestedFact, value: impl Into<Value>, origin: Origin) {
        self.list.push(Fact {
            field: wanted.0.to_owned(),
            label: wanted.1,
            value: value.into(),
            origin,
        });
    }

    /// Adds a question.
    pub(super) fn add_question(&mut self, wanted: RequestedFact, question: impl Into<String>) {
        self.put(wanted, Value::Null, Origin::Missing(question.into()));
    }

    /// Returns the user's answer to a field, if it is a number in the range of the field.
    fn answer(&self, field: &str) -> Option<Result<f64, String>> {
        let given = *self.answers.get(field)?;
        Some(check(field, field, given))
    }

    /// A number: the answer of a person, else what the file has, else what is done without. What is wrong is asked for, never
    /// taken for something else.
    pub(super) fn number(
        &mut self,
        wanted: RequestedFact,
        found: FieldValue,
        without: MissingPolicy,
    ) -> Option<f64> {
        let (field, label) = wanted;
        let known = match (self.answer(field), found) {
            (Some(answer), _) => answer.map(|value| (value, Origin::Given)),
            (None, FieldValue::Number(key, value)) => {
                check(field, &key, value).map(|value| (value, Origin::Read(key)))
            }
            (None, FieldValue::Numbers(key, list)) => match list.as_slice() {
                [first, rest @ ..] if rest.iter().all(|other| other == first) => {
                    check(field, &key, *first).map(|value| (value, Origin::Read(key)))
                }
                _ => Err(format!(
                    "{key} has {} numbers that differ, and one is read here. Which one?",
                    list.len()
                )),
            },
            (None, FieldValue::Unusual(key, what)) => {
                let (least, most) = limits(field);
                Err(format!(
                    "{key} must be {}from {least} to {most}, it is {what}.",
                    kind_of(field)
                ))
            }
            (None, FieldValue::Nothing) => match without {
                MissingPolicy::Derived(value, how) => {
                    check(field, field, value).map(|value| (value, Origin::Derived(how)))
                }
                MissingPolicy::Assumed(value, why) => Ok((value, Origin::Assumed(why))),
                MissingPolicy::Question => Err(format!("The file does not say: {label}?")),
                MissingPolicy::AskWith(question) => Err(question),
                MissingPolicy::None => return None,
            },
        };
        match known {
            Ok((value, origin)) if field == "tied_embeddings" => {
                self.put(wanted, value > 0.5, origin);
                Some(value)
            }
            Ok((value, origin)) => {
                let number = if libm::trunc(value) == value {
                    Value::from(value as i64)
                } else {
                    Value::from(value)
                };
                self.put(wanted, number, origin);
                Some(value)
            }
            Err(question) => {
                self.add_question(wanted, question);
                None
            }
        }
    }

    /// A number for every block: one for all, or a list with one for each.
    pub(super) fn each(
        &mut self,
        wanted: RequestedFact,
        found: FieldValue,
        without: MissingPolicy,
        blocks: usize,
    ) -> Option<Vec<u64>> {
        let (field, _) = wanted;
        match found {
            FieldValue::Numbers(key, list)
                if self.answer(field).is_none()
                    && list.len() == blocks
                    && list.iter().any(|n| *n != list[0]) =>
            {
                let checked = list.iter().map(|n| check(field, &key, *n));
                let checked: Result<Vec<f64>, String> = checked.collect();
                match checked {
                    Ok(list) => {
                        let least = list.iter().copied().fold(f64::INFINITY, f64::min);
                        let most = list.iter().copied().fold(0.0, f64::max);
                        let range = format!("{least} to {most}, by block");
                        self.put(wanted, range, Origin::Read(key));
                        Some(list.into_iter().map(|n| n as u64).collect())
                    }
                    Err(question) => {
                        self.add_question(wanted, question);
                        None
                    }
                }
            }
            found => {
                let one = self.number(wanted, found, without)?;
                Some(vec![one as u64; blocks])
            }
        }
    }

    /// Asks whether something changes nothing, which an answer of 0 confirms.
    pub(super) fn confirm(&mut self, field: &str, question: String) {
        let is_confirmed = self.answers.get(field) == Some(&0.0);
        self.list.push(Fact {
            field: field.to_owned(),
            label: UNREAD.1,
            value: if is_confirmed {
                "changes nothing".into()
            } else {
                Value::Null
            },
            origin: if is_confirmed {
                Origin::Given
            } else {
                Origin::Missing(question)
            },
        });
    }

    /// Returns true if a person answered this field.
    pub(super) fn is_given(&self, field: &str) -> bool {
        self.answers.contains_key(field)
    }

    /// Returns true if the question of this field is open.
    pub(super) fn is_open_for(&self, field: &str) -> bool {
        let is_asked = |fact: &Fact| fact.field == field && fact.question().is_some();
        self.list.iter().any(is_asked)
    }

    /// Returns true if a question is open.
    pub(super) fn is_open(&self) -> bool {
        self.list.iter().any(|fact| fact.question().is_some())
    }
}

fn kind_of(field: &str) -> &'static str {
    match field {
        "weight_bits" => "a number ",
        "tied_embeddings" => "true or false, ",
        _ => "a whole number ",
    }
}

fn check(field: &str, key: &str, value: f64) -> Result<f64, String> {
    let (least, most) = limits(field);
    let is_whole = field == "weight_bits" || libm::trunc(value) == value;
    if value >= least && value <= most && is_whole {
        return Ok(value);
    }
    Err(format!(
        "{key} must be {}from {least} to {most}, it is {}.",
        kind_of(field),
        short(value)
    ))
}
