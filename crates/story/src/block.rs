//! What a story is made of.

use super::quantity::Quantity;
use super::sentence::Sentence;
use super::table::Table;
use super::{Input, input};
use chart::Drawing;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// How far a claim goes, for the mark beside the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Proved.
    Good,
    /// A plan without a proof.
    Open,
    /// No plan.
    Bad,
}

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Words {
    /// "Optimal, proven" and its kin.
    pub proof: String,
    /// How far the claim goes.
    pub tone: Tone,
    /// One sentence with the figure.
    pub headline: Sentence,
    /// What the plan is and how it compares.
    pub lead: Sentence,
    /// What sets the pace, with the numbers of this plan.
    pub reason: Sentence,
}

/// One of the parts of a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// How much of it.
    #[cfg_attr(feature = "schema", schemars(with = "super::quantity::Form"))]
    #[serde(flatten)]
    pub quantity: Quantity,
    /// The role of its colour, as the style sheet names it: `dev d1`, `k-transfer`.
    #[serde(skip)]
    pub class: String,
}

/// The figures under a headline: a whole with its parts, and others.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// What the parts add up to, where they are parts of something.
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::quantity::Form>"))]
    pub whole: Option<Quantity>,
    /// The parts in order.
    pub parts: Vec<Part>,
    /// Figures that the words of the answer hold: they have a formula like any other, and need no cell of their own.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::quantity::Form>"))]
    pub said: Vec<Quantity>,
    /// Figures beside them.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::quantity::Form>"))]
    pub others: Vec<Quantity>,
}

impl Figures {
    /// All of them: the whole, its parts, those that are said, the others.
    pub fn all(&self) -> impl Iterator<Item = &Quantity> {
        let parts = self.parts.iter().map(|part| &part.quantity);
        let shown = self.whole.iter().chain(parts);
        shown.chain(&self.said).chain(&self.others)
    }
}

/// A chart with the table behind it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chart {
    /// Its name in file names.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// Its data, to be drawn; files have the table.
    #[serde(skip)]
    pub drawing: Arc<Drawing>,
    /// The same as numbers, where there is such a table.
    pub table: Option<Table>,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// The answer itself.
    Answer(Words),
    /// A paragraph.
    Say(Sentence),
    /// Small print.
    Note(String),
    /// Figures.
    Figures(Figures),
    /// A table.
    Table(Table),
    /// A chart.
    Chart(Chart),
    /// Text as a program takes it, such as a command.
    Code(String),
}

/// Blocks under a title.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section {
    /// Its name for programs and links.
    pub id: &'static str,
    /// Its title.
    pub title: String,
    /// Whether it is for those who ask for it: the page folds it, a text only names it.
    pub folded: bool,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section without blocks.
    #[must_use]
    pub fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self {
            id,
            title: title.into(),
            folded: false,
            blocks: Vec::new(),
        }
    }

    /// The same for those who ask for it.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    /// The same with one more block.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }

    /// The same with more blocks.
    #[must_use]
    pub fn and<B: Into<Block>>(mut self, blocks: impl IntoIterator<Item = B>) -> Self {
        self.blocks.extend(blocks.into_iter().map(Into::into));
        self
    }
}

/// A paper that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paper {
    /// Authors, title, where it appeared.
    pub line: String,
    /// The same as a BibTeX entry.
    pub bibtex: String,
}

/// All that is said of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Story {
    /// The question, by its name in links and files.
    pub question: String,
    /// The question in words.
    pub asks: String,
    /// The scenario's name.
    pub title: String,
    /// The scenario in a few lines: model, request, machines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    pub sections: Vec<Section>,
    /// What went in.
    pub inputs: Vec<Input>,
    /// What it rests on.
    pub papers: Vec<Paper>,
    /// The link that opens the scenario.
    pub link: String,
}

impl Story {
    /// Every figure, in order.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        let figures = blocks.filter_map(|block| match block {
            Block::Figures(figures) => Some(figures),
            _ => None,
        });
        figures.flat_map(Figures::all)
    }

    /// The answer in words, if there is one.
    #[must_use]
    pub fn words(&self) -> Option<&Words> {
        let mut blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.find_map(|block| match block {
            Block::Answer(words) => Some(words),
            _ => None,
        })
    }

    /// Every table, in order; those behind charts are the charts’.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Every chart, in order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
    }

    /// The inputs that go into a quantity, alike ones of several owners together.
    #[must_use]
    pub fn inputs_of(&self, quantity: &Quantity) -> Vec<String> {
        let formula = quantity.formula.as_ref();
        formula.map_or_else(Vec::new, |formula| {
            input::told(&self.inputs, &formula.inputs)
        })
    }
}

macro_rules! into_block {
    ($($case:ident: $from:ty;)*) => {
        $(impl From<$from> for Block {
            fn from(block: $from) -> Self {
                Self::$case(block)
            }
        })*
    };
}

into_block! {
    Answer: Words;
    Say: Sentence;
    Note: String;
    Figures: Figures;
    Table: Table;
    Chart: Chart;
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Sentence {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sentence".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}
