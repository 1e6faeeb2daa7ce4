//! The blocks that an answer view is made of: figures, tables, charts, paragraphs. Begin with [`Block`] and [`Section`].

use super::claims::Claims;
use super::control::ControlGroup;
use super::deferred::{DeferredQuery, DeferredSlot};
use super::listing::RichTable;
use super::quantity::{Quantity, Unit};
use super::sentence::Sentence;
use super::steps::Walk;
use super::table::{Cell, Table};
use super::wire::{Name, name, two_forms};
use super::{Input, input};
use chart::ChartSpec;
use engine::units::{self, TimeFormat};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

/// How far a claim goes, for the mark beside the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Words"))]
pub struct Verdict {
    /// "Optimal, proven" and its kin.
    pub proof: String,
    /// How far the claim goes.
    pub tone: Tone,
    /// One sentence with the figure.
    pub headline: Sentence,
    /// The plan in a sentence, compared with the alternatives.
    #[serde(rename = "lead")]
    pub summary: Sentence,
    /// The bottleneck, with the numbers of this plan.
    pub reason: Sentence,
}

/// One of the parts of a whole; files have its quantity alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct FigurePart {
    /// How much of it.
    pub quantity: Quantity,
    /// The role of its colour, as the style sheet names it: `dev d1`, `k-transfer`.
    pub class: String,
}

impl FigurePart {
    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&self.quantity, to)
    }
}

two_forms!(FigurePart);

/// The figures under a headline: a whole with its parts, and others.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Figures {
    /// The sum of the items, where they are parts of a whole.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(with = "Option<super::quantity::Form>")
    )]
    #[serde(rename = "whole")]
    pub total: Option<Quantity>,
    /// The parts in order.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(with = "Vec<super::quantity::Form>")
    )]
    #[serde(rename = "parts")]
    pub shares: Vec<FigurePart>,
    /// Figures that the words of the answer hold: they have a formula like any other, and need no cell of their own.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(with = "Vec<super::quantity::Form>")
    )]
    #[serde(rename = "said")]
    pub quantities: Vec<Quantity>,
    /// Figures beside them.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(with = "Vec<super::quantity::Form>")
    )]
    #[serde(rename = "others")]
    pub other_quantities: Vec<Quantity>,
}

/// A part as it is on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureShare {
    /// How much, in the unit of the whole where that is a time.
    pub text: String,
    /// Line below the value: the note, otherwise the share in words.
    pub note: String,
    /// Its share of the whole \[%\].
    pub percent: f64,
}

impl Figures {
    /// The parts as they are on a page, in order, and all of them in a sentence for who does not see their bar.
    ///
    /// # Complexity
    /// O(parts).
    #[must_use]
    pub fn shares(&self) -> (Vec<FigureShare>, String) {
        let parts = self.shares.iter().map(|part| &part.quantity);
        let sum: f64 = parts.clone().map(|part| part.value).sum();
        let total = self.total.as_ref().map_or(sum, |whole| whole.value);
        let unit = TimeFormat::of_largest(total);
        let percent = |one: &Quantity| 100.0 * one.value / total.max(f64::MIN_POSITIVE);
        let said = |one: &Quantity| units::percent(percent(one), 1);
        let of = match &self.total {
            None => "all".to_owned(),
            Some(whole) if whole.unit == Unit::Seconds => units::seconds(total),
            Some(whole) => whole.text(),
        };
        let named: Vec<String> = parts
            .clone()
            .map(|one| format!("{} {}", said(one), one.name))
            .collect();
        let share = |one: &Quantity| FigureShare {
            text: match one.unit {
                Unit::Seconds => unit.with_unit(one.value),
                _ => one.text(),
            },
            note: match one.note.as_str() {
                "" => said(one),
                note => note.to_owned(),
            },
            percent: percent(one),
        };
        let label = format!("Of {of}: {}", named.join(", "));
        (parts.map(share).collect(), label)
    }

    /// All of them: the whole, its parts, those that are said, the others.
    pub fn all(&self) -> impl Iterator<Item = &Quantity> {
        let parts = self.shares.iter().map(|part| &part.quantity);
        let shown = self.total.iter().chain(parts);
        shown.chain(&self.quantities).chain(&self.other_quantities)
    }
}

/// A chart with the table behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Chart {
    /// Its name in file names.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Title.
    pub title: String,
    /// Its data, to be drawn; files have the table.
    pub drawing: Arc<ChartSpec>,
    /// The data as a table, for charts that have one.
    pub table: Option<Table>,
    /// Interaction that changes the scenario or the view.
    pub interaction: ChartInteraction,
}

/// A chart as files have it.
#[derive(Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Chart"))]
pub(crate) struct ChartForm<'a> {
    /// Its name in file names.
    id: &'a str,
    /// Title.
    title: &'a str,
    /// The data as a table, for charts that have one.
    table: Option<&'a Table>,
}

impl Chart {
    /// A chart that nothing can be changed in, without a table.
    #[must_use]
    pub fn new(id: Name, title: impl Into<String>, drawing: ChartSpec) -> Self {
        Self {
            id,
            title: title.into(),
            drawing: Arc::new(drawing),
            table: None,
            interaction: ChartInteraction::Looks,
        }
    }

    /// Returns the chart with its data as a table.
    #[must_use]
    pub fn with_table(mut self, table: Table) -> Self {
        self.table = Some(table);
        self
    }

    /// Returns the chart with an interaction.
    #[must_use]
    pub fn with_interaction(mut self, hand: ChartInteraction) -> Self {
        self.interaction = hand;
        self
    }

    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let form = ChartForm {
            id: self.id,
            title: &self.title,
            table: self.table.as_ref(),
        };
        Serialize::serialize(&form, to)
    }
}

two_forms!(Chart);

/// Interaction of a chart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum ChartInteraction {
    /// A press does nothing; the chart is only looked at.
    #[default]
    Looks,
    /// A press on a mark does what belongs to the nearest of these places along the axis.
    AppliesEdits(Vec<(f64, Edit)>),
    /// A press, or a drag of the current value, sets a number of the scenario.
    Sets {
        /// As [`Edit::step`].
        step: String,
        /// The number, as [`Edit::sets`] names it.
        pointer: String,
        /// How much of the axis is one of it: 100 where the axis is in percent.
        per: f64,
    },
    /// A click on the axis, or a drag of the current value, sets a control; the chart has its line where that
    /// stands. Charts that turn the same one show the same span.
    SetsControl(#[serde(deserialize_with = "name")] Name),
    /// Cuts between tiers are moved.
    Cuts {
        /// The list of counts that they set, as [`Edit::sets`] names it.
        pointer: String,
        /// How long it is.
        of: usize,
        /// The place in it of each tier in the picture.
        places: Vec<usize>,
    },
}

/// A change of the scenario that an answer offers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Edit {
    /// Changes with the same word in a row are one step to undo; none joins an empty one.
    pub step: String,
    /// Values to set: places in the question’s scenario file (JSON Pointer, RFC 6901), and the JSON to put there.
    pub sets: Vec<(String, String)>,
}

impl Edit {
    /// A change of one place.
    #[must_use]
    pub fn of(pointer: impl Into<String>, json: impl Into<String>) -> Self {
        Self {
            step: String::new(),
            sets: vec![(pointer.into(), json.into())],
        }
    }

    /// Returns the edit as a part of the undo step `step`.
    #[must_use]
    pub fn within(mut self, step: impl Into<String>) -> Self {
        self.step = step.into();
        self
    }
}

/// A change with what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Choice {
    /// Its name in the page.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Label.
    pub words: String,
    /// Edit that it makes.
    pub edit: Edit,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// The answer itself.
    Answer(Verdict),
    /// A paragraph.
    #[serde(rename = "say")]
    Paragraph(Sentence),
    /// Small print.
    Note(String),
    /// Figures.
    Figures(Figures),
    /// A table.
    Table(Table),
    /// A table with a row that stands out, such as that of what is open.
    Marked(Table, usize),
    /// Published figures beside ours.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "Table"))]
    Claims(Claims),
    /// A table with more in its cells than numbers.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "Table"))]
    Listing(RichTable),
    /// A chart.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "ChartForm"))]
    Chart(Chart),
    /// Text as a program takes it, such as a command.
    Code(String),
    /// Changes to try, after a few words.
    Try(String, Vec<Choice>),
    /// Words and what they mean.
    Terms(Vec<(String, String)>),
    /// Alternatives of which the page shows one at a time, as tabs: label of the group, then name and blocks of each.
    #[serde(rename = "ways")]
    Tabs(String, Vec<(String, Vec<Block>)>),
    /// Blocks behind a disclosure: its label, the blocks.
    Fold(String, Vec<Block>),
    /// Side by side where there is room for it.
    #[serde(rename = "beside")]
    Columns(Vec<Vec<Block>>),
    /// Settings of what a place shows, which are no part of the scenario.
    #[serde(rename = "dials")]
    Controls(ControlGroup),
    /// A chart whose steps are looked at.
    Walk(Walk),
    /// A place for what is still to be found out.
    #[serde(rename = "later")]
    Deferred(DeferredSlot),
}

/// Blocks under a title.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Section {
    /// Its name for programs and links.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Its title.
    pub title: String,
    /// True if the section is collapsed: the page shows its title, a text only names it.
    pub folded: bool,
    /// Teaser beside the title while the section is collapsed.
    pub teaser: String,
    /// Content.
    pub blocks: Vec<Block>,
    /// Queries whose results belong in the section.
    pub more: Vec<DeferredQuery>,
}

/// Returns true if blocks say something where pictures cannot be drawn: notes beside a picture without a table say nothing.
pub(crate) fn has_text(blocks: &[Block]) -> bool {
    let is_picture = |block: &Block| matches!(block, Block::Chart(chart) if chart.table.is_none());
    let is_beside = |block: &Block| is_picture(block) || matches!(block, Block::Note(_));
    !(blocks.iter().any(is_picture) && blocks.iter().all(is_beside))
}

impl Section {
    /// A section without blocks.
    #[must_use]
    pub fn new(id: Name, title: impl Into<String>) -> Self {
        Self {
            id,
            title: title.into(),
            folded: false,
            teaser: String::new(),
            blocks: Vec::new(),
            more: Vec::new(),
        }
    }

    /// Returns the section collapsed.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    /// Returns the section with a teaser.
    #[must_use]
    pub fn holding(mut self, words: impl Into<String>) -> Self {
        self.teaser = words.into();
        self
    }

    /// Returns the section with one more block.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }

    /// Returns the section with more blocks.
    #[must_use]
    pub fn and<B: Into<Block>>(mut self, blocks: impl IntoIterator<Item = B>) -> Self {
        self.blocks.extend(blocks.into_iter().map(Into::into));
        self
    }

    /// Every block, those within others as well.
    pub fn all_blocks(&self) -> impl Iterator<Item = &Block> {
        let mut all = Vec::new();
        flat(&self.blocks, &mut all);
        all.into_iter()
    }

    /// Every table, those behind charts as well.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        self.all_blocks().filter_map(|block| match block {
            Block::Table(table) | Block::Marked(table, _) => Some(table),
            Block::Listing(listing) => listing.table(),
            Block::Chart(chart) => chart.table.as_ref(),
            _ => None,
        })
    }

    /// The answer in words, if it is here.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.blocks.iter().find_map(|block| match block {
            Block::Answer(words) => Some(words),
            _ => None,
        })
    }

    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let form = SectionForm {
            id: self.id,
            title: &self.title,
            folded: self.folded,
            blocks: &self.blocks,
        };
        Serialize::serialize(&form, to)
    }
}

two_forms!(Section);

/// A section as files have it.
#[derive(Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Section"))]
pub(crate) struct SectionForm<'a> {
    /// Its name for programs and links.
    id: &'a str,
    /// Its title.
    title: &'a str,
    /// True if the section is collapsed.
    folded: bool,
    /// Content.
    blocks: &'a [Block],
}

/// Blocks and all within them, in order.
fn flat<'a>(blocks: &'a [Block], all: &mut Vec<&'a Block>) {
    for block in blocks {
        all.push(block);
        match block {
            Block::Fold(_, blocks) => flat(blocks, all),
            Block::Deferred(later) => flat(&later.blocks, all),
            Block::Walk(walk) => flat(&walk.blocks, all),
            Block::Tabs(_, ways) => ways.iter().for_each(|(_, blocks)| flat(blocks, all)),
            Block::Columns(columns) => columns.iter().for_each(|blocks| flat(blocks, all)),
            _ => {}
        }
    }
}

/// A paper that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Paper {
    /// Authors, title, where it appeared.
    pub line: String,
    /// BibTeX entry.
    pub bibtex: String,
}

/// Where a column of a table comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Explained {
    /// The table that has it first, by its title.
    pub table: String,
    /// The column’s key.
    pub key: String,
    /// Its head with its unit.
    pub head: String,
    /// In symbols or words.
    pub symbols: String,
    /// Paper and equation, or what else it rests on.
    pub source: String,
}

impl Explained {
    /// Returns a table with one row per file.
    #[must_use]
    pub fn as_table(all: &[Self]) -> Table {
        let columns = [
            ("column", "column", ""),
            ("table", "table", ""),
            ("formula", "formula", ""),
            ("source", "source", ""),
        ];
        let row = |one: &Self| {
            let said = [&one.head, &one.table, &one.symbols, &one.source];
            said.map(Cell::text).into()
        };
        let rows = all.iter().map(row).collect();
        Table::new("columns", "Columns of the tables", &columns, rows)
    }
}

/// All that is said of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Story {
    /// The question, by its name in links and files.
    pub question: String,
    /// The question in words.
    #[serde(rename = "asks")]
    pub question_text: String,
    /// The scenario's name.
    pub title: String,
    /// The scenario in a few lines: model, request, machines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "Vec<SectionForm>"))]
    pub sections: Vec<Section>,
    /// Where the columns of its tables come from.
    pub columns: Vec<Explained>,
    /// Inputs with their sources.
    pub inputs: Vec<Input>,
    /// Papers that the method is from.
    pub papers: Vec<Paper>,
    /// The link that opens the scenario.
    pub link: String,
}

impl Story {
    /// Every figure, in order.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let blocks = self.sections.iter().flat_map(Section::all_blocks);
        let figures = blocks.filter_map(|block| match block {
            Block::Figures(figures) => Some(figures),
            _ => None,
        });
        figures.flat_map(Figures::all)
    }

    /// The answer in words, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.sections.iter().find_map(Section::verdict)
    }

    /// Every table, in order; those behind charts are the charts’.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        let blocks = self.sections.iter().flat_map(Section::all_blocks);
        blocks.filter_map(|block| match block {
            Block::Table(table) | Block::Marked(table, _) => Some(table),
            Block::Listing(listing) => listing.table(),
            _ => None,
        })
    }

    /// Every chart, in order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        let blocks = self.sections.iter().flat_map(Section::all_blocks);
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
            input::describe_inputs(&self.inputs, &formula.inputs)
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
    Answer: Verdict;
    Paragraph: Sentence;
    Note: String;
    Figures: Figures;
    Table: Table;
    Claims: Claims;
    Listing: RichTable;
    Chart: Chart;
}

#[cfg(not(target_arch = "wasm32"))]
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
