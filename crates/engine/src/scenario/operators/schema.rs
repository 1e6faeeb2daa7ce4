//! The wire format of an operator-graph scenario, version 1. Every field is written, in this order, but those that are left
//! out where they say what is usual; unknown fields are refused, missing ones too.

use super::split::Split;
use crate::graph::{Document, Graph, Objective, Weights, catalogue};
use crate::problem::{Code, Invalid};
use crate::scenario::Question;
use crate::scenario::fields::{self, NumberFields, numbers};
use crate::scenario::link::checksum;
use crate::scenario::schema::{check_head, read};
use serde::{Deserialize, Serialize};

/// The version of the format that this program reads and writes.
pub const FORMAT: u32 = 1;
/// The most operators of a graph on the page; the command line takes more.
pub const MOST_PAGE_OPS: usize = 5_000;
/// The most JSON of a graph that travels in a link [bytes]. Packed it is an eighth or less, which every mail program and
/// chat carries; of a larger graph the link says which file is needed.
pub const LONGEST_IN_LINK: usize = 100_000;
/// The most symbolic dimensions of a file.
const MOST_DIMS: usize = 200;
/// The greatest length of a symbolic dimension.
const MOST_LENGTH: u64 = 1 << 40;
/// Bytes of a MiB.
const MIB: f64 = 1_048_576.0;

/// Everything a person can set for the operator-graph question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Version of this format.
    pub format: u32,
    /// The question, always [`Question::Operators`].
    pub question: Question,
    /// Name of the scenario on the page.
    pub title: String,
    /// The graph.
    pub graph: Choice,
    /// Objective of the order.
    pub objective: Objective,
    /// How long weights are in memory; left out where only while their operator runs, the paper's rule.
    #[serde(default, skip_serializing_if = "Weights::is_usual")]
    pub weights: Weights,
    /// The most that may be held while an operator runs [MiB]; `null` for no limit.
    pub limit_mib: Option<f64>,
    /// The random orders that ours is compared with.
    pub draws: Draws,
    /// Alignment of offsets in the arena [bytes].
    pub align_bytes: f64,
    /// How the operators are cut over devices.
    pub split: Split,
}

/// Which graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// One of the catalogue, by its name.
    Preset(String),
    /// One of the user's own, whole.
    Custom(Box<Custom>),
    /// One that is too large for a link: its file is asked for.
    File(Wanted),
}

/// A graph with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Custom {
    /// Where it comes from.
    pub source: Source,
    /// The graph.
    pub graph: Document,
}

/// A graph that is elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Where it comes from.
    pub source: Source,
    /// How many operators it has.
    pub ops: u32,
    /// CRC-32 of the graph's JSON, so that another file is noticed.
    pub digest: u32,
}

/// How a graph was read from a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the file; empty if there was none.
    pub file: String,
    /// Its symbolic dimensions with the lengths they were given.
    pub dims: Vec<(String, u64)>,
    /// True to count the classifier (Gemm) although there are convolutions.
    pub classifier: bool,
}

/// Random orders.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Draws {
    /// How many.
    pub orders: f64,
    /// The first seed.
    pub first_seed: f64,
}

numbers!(Scenario: [limit_mib], align_bytes);
numbers!(Draws: orders, first_seed);

/// The places of a scenario where an object stands, for [`read`].
pub(super) const OBJECTS: [&str; 12] = [
    "",
    "draws",
    "graph.custom",
    "graph.custom.source",
    "graph.custom.graph",
    "graph.custom.graph.ops[]",
    "graph.file",
    "graph.file.source",
    "split",
    "split.devices[]",
    "split.profile",
    "split.search",
];

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let scenario: Self = read(text, &OBJECTS, FORMAT)?;
        scenario.validate_fields().map(|()| scenario)
    }

    /// The scenario as a file: every field, fixed order, numbers that read back to the same bits.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data with text keys always serialises")
    }

    /// The graph, with its weights in memory as the scenario says.
    ///
    /// # Errors
    /// A graph that the catalogue does not have, one whose file is still asked for, one that is none.
    ///
    /// # Complexity
    /// O(size of the graph).
    pub fn graph(&self) -> Result<Graph, Invalid> {
        let graph = match &self.graph {
            Choice::Preset(name) => catalogue::graph(name).ok_or_else(|| unknown(name)),
            Choice::Custom(custom) => Graph::new(custom.graph.clone())
                .and_then(|graph| small(&graph).map(|()| graph))
                .map_err(|fault| fault.within("graph.custom.graph")),
            Choice::File(wanted) => {
                let file = &wanted.source.file;
                let message = format!(
                    "graph.file needs the file {file:?} with its {} operators, which no link carries",
                    wanted.ops
                );
                Err(Invalid::new(
                    Code::Missing,
                    "graph.file",
                    file.as_str(),
                    message,
                ))
            }
        };
        graph?.with_weights(self.weights)
    }

    /// The most that may be held while an operator runs [bytes].
    #[must_use]
    pub fn limit_bytes(&self) -> Option<u64> {
        self.limit_mib.map(|mib| libm::floor(mib * MIB) as u64)
    }

    /// Returns true if there is no graph yet: its file is asked for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self.graph, Choice::File(_))
    }

    /// The scenario as a link carries it: a large graph is replaced by what its file must be.
    ///
    /// # Complexity
    /// O(size of the graph).
    #[must_use]
    pub fn for_link(&self) -> Self {
        let Choice::Custom(custom) = &self.graph else {
            return self.clone();
        };
        let text = serde_json::to_string(&custom.graph).expect("plain data always serialises");
        if text.len() <= LONGEST_IN_LINK {
            return self.clone();
        }
        Self {
            graph: Choice::File(Wanted {
                source: custom.source.clone(),
                ops: custom.graph.ops.len() as u32,
                digest: checksum(text.as_bytes()),
            }),
            ..self.clone()
        }
    }

    /// Returns the scenario with a graph from a file; its title names the file.
    #[must_use]
    pub fn with_graph(&self, source: Source, graph: Document) -> Self {
        let named = if source.file.is_empty() {
            &graph.name
        } else {
            &source.file
        };
        let title: String = named.chars().take(fields::LONGEST_TITLE).collect();
        Self {
            title: if title.is_empty() {
                "Own graph".to_owned()
            } else {
                title
            },
            graph: Choice::Custom(Box::new(Custom { source, graph })),
            ..self.clone()
        }
    }

    /// Returns true if a graph is the one whose file is asked for; `None` if none is.
    ///
    /// # Complexity
    /// O(size of the graph).
    #[must_use]
    pub fn is_wanted(&self, graph: &Document) -> Option<bool> {
        let Choice::File(wanted) = &self.graph else {
            return None;
        };
        let text = serde_json::to_string(graph).expect("plain data always serialises");
        Some(checksum(text.as_bytes()) == wanted.digest)
    }

    /// Checks every field and that there is a graph.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.validate_fields()?;
        self.graph().map(drop)
    }

    /// Checks every field against the ranges of the page; the graph's file may still be asked for.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn validate_fields(&self) -> Result<(), Invalid> {
        let head = (self.format, self.question, self.title.as_str());
        check_head(head, Question::Operators, &[FORMAT])?;
        match &self.graph {
            Choice::Preset(name) => {
                let known = catalogue::MODELS.iter().any(|model| model.name == name);
                known.then_some(()).ok_or_else(|| unknown(name))?;
            }
            Choice::Custom(custom) => {
                custom.source.check("graph.custom.source")?;
                self.graph().map(drop)?;
            }
            Choice::File(wanted) => {
                wanted.source.check("graph.file.source")?;
                let ops = f64::from(wanted.ops);
                if ops < 1.0 || ops > MOST_PAGE_OPS as f64 {
                    let allowed = format!("a whole number from 1 to {MOST_PAGE_OPS}");
                    return Err(Invalid::range("graph.file.ops", wanted.ops, &allowed));
                }
            }
        }
        self.check_numbers("")?;
        self.draws.check_numbers("draws")?;
        self.split.check()
    }
}

impl Source {
    fn check(&self, owner: &str) -> Result<(), Invalid> {
        fields::text(&format!("{owner}.file"), &self.file, fields::LONGEST_TITLE)?;
        if self.dims.len() > MOST_DIMS {
            let count = self.dims.len();
            let message =
                format!("{owner}.dims must be a list of at most {MOST_DIMS}, it has {count}");
            return Err(Invalid::new(
                Code::Range,
                format!("{owner}.dims"),
                count,
                message,
            ));
        }
        for (at, (name, length)) in self.dims.iter().enumerate() {
            fields::text(
                &format!("{owner}.dims[{at}][0]"),
                name,
                fields::LONGEST_TITLE,
            )?;
            if *length == 0 || *length > MOST_LENGTH {
                let allowed = format!("a whole number from 1 to {MOST_LENGTH}");
                return Err(Invalid::range(
                    format!("{owner}.dims[{at}][1]"),
                    *length,
                    &allowed,
                ));
            }
        }
        Ok(())
    }
}

fn unknown(name: &str) -> Invalid {
    let known: Vec<&str> = catalogue::MODELS.iter().map(|model| model.name).collect();
    let shown: String = name.chars().take(40).collect();
    Invalid::range(
        "graph.preset",
        shown,
        &format!("one of {}", known.join(", ")),
    )
}

/// Refuses a graph that a page would choke on.
fn small(graph: &Graph) -> Result<(), Invalid> {
    let count = graph.len();
    if count <= MOST_PAGE_OPS {
        return Ok(());
    }
    let message = format!(
        "ops must have at most {MOST_PAGE_OPS} operators on the page, it has {count}: the command line takes more"
    );
    Err(Invalid::new(Code::Range, "ops", count, message))
}
