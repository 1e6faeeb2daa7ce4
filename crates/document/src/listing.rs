//! A table as a reader looks through it: rows with small print, bars or a strip in their cells, and a change to make in a row. Who
//! takes it away, and every other form of an answer, has its numbers as a plain table.

use super::block::Choice;
use super::table::Table;
use super::wire::{Name, name, two_forms};
use serde::{Deserialize, Serialize, Serializer};

/// A table with more in its cells than numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct RichTable {
    /// The rows as numbers, for export.
    pub table: Table,
    /// Its name in the page.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Its class in the style sheet.
    #[serde(deserialize_with = "name")]
    pub class: Name,
    /// Accessible name.
    pub title: String,
    /// True if the title is shown above the table.
    pub is_titled: bool,
    /// Its heads, each with the class of its column: `n` over numbers.
    pub heads: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<RichRow>,
    /// The button that shows the rows which are kept back at first.
    pub all: String,
    /// How the ids of the buttons begin that take its numbers away; none without.
    #[serde(deserialize_with = "name")]
    pub take: Name,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RichRow {
    /// Cells, one for each head but the last, which is above the actions.
    pub cells: Vec<RichCell>,
    /// Its class in the style sheet: `ours`, `unfit`, `now`.
    #[serde(deserialize_with = "name")]
    pub class: Name,
    /// Action of the row.
    pub act: Option<RowAction>,
    /// True if the row is shown only when all are.
    pub is_kept_back: bool,
}

/// Action of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RowAction {
    /// A change of the scenario, the words on its button, and what it is for a screen reader.
    Change {
        /// The change.
        choice: Choice,
        /// Accessible label, and the message once it is done.
        label: String,
        /// True for the action to suggest first.
        is_first: bool,
        /// True if the scenario already is as the action makes it.
        is_done: bool,
    },
    /// The flags of the plan of this name.
    Flags(String),
    /// Sets a control to show the subject of the row: which control, its value, and the action in words for a screen reader.
    Look(#[serde(deserialize_with = "name")] Name, f64, String),
}

/// Content of a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RichCell {
    /// Words.
    pub text: String,
    /// Small print under them.
    pub small: Vec<String>,
    /// More words beside them, less loud.
    pub aside: String,
    /// Words that stand out behind them.
    pub tags: Vec<String>,
    /// All digits of a figure.
    pub exact: String,
    /// True for the header of the row.
    pub is_head: bool,
    /// True for emphasis.
    pub is_strong: bool,
    /// Graphic in the cell.
    pub drawn: CellGraphic,
}

/// Graphic in a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum CellGraphic {
    /// No action.
    #[default]
    Nothing,
    /// Parts of a bar before the words, by their colours, in percent of the cell.
    Bar(Vec<(String, f64)>),
    /// Waterfall over the whole cell, without text: names and values.
    Fall(Vec<(String, f64)>),
    /// A strip of parts, by their colours, their weights and their labels.
    Strip(Vec<(String, f64, String)>),
    /// A command to copy, and what that is for a screen reader; the words are what to know of it.
    Command(String, String),
}

impl RichCell {
    /// Words.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The head of a row.
    #[must_use]
    pub fn head(text: impl Into<String>) -> Self {
        Self {
            is_head: true,
            ..Self::of(text)
        }
    }

    /// A figure with all its digits.
    #[must_use]
    pub fn exact(text: impl Into<String>, exact: String) -> Self {
        Self {
            exact,
            ..Self::of(text)
        }
    }

    /// Returns the cell with small print.
    #[must_use]
    pub fn with(mut self, small: impl IntoIterator<Item = String>) -> Self {
        self.small.extend(small);
        self
    }

    /// Returns the cell with a graphic.
    #[must_use]
    pub fn drawn(self, drawn: CellGraphic) -> Self {
        Self { drawn, ..self }
    }
}

impl RichRow {
    /// A row of cells.
    #[must_use]
    pub fn of(cells: Vec<RichCell>) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }

    /// Returns the row with an action.
    #[must_use]
    pub fn acting(self, act: Option<RowAction>) -> Self {
        Self { act, ..self }
    }

    /// Returns the row with a CSS class.
    #[must_use]
    pub fn classed(self, class: Name) -> Self {
        Self { class, ..self }
    }
}

impl RichTable {
    /// A listing of rows under heads.
    #[must_use]
    pub fn new(
        (id, class): (Name, Name),
        title: impl Into<String>,
        heads: &[(&str, &str)],
        rows: Vec<RichRow>,
    ) -> Self {
        let head = |(words, class): &(&str, &str)| ((*words).to_owned(), (*class).to_owned());
        Self {
            id,
            class,
            title: title.into(),
            heads: heads.iter().map(head).collect(),
            rows,
            ..Self::default()
        }
    }

    /// Returns the table with its numbers for export.
    #[must_use]
    pub fn with_table(self, table: Table) -> Self {
        Self { table, ..self }
    }

    /// Returns the table with export buttons, whose ids begin with `take`.
    #[must_use]
    pub fn with_export(self, take: Name) -> Self {
        Self { take, ..self }
    }

    /// Returns the table with its title shown.
    #[must_use]
    pub fn titled(self) -> Self {
        Self {
            is_titled: true,
            ..self
        }
    }

    /// Its numbers, where there are any of its own.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        Some(&self.table).filter(|table| !table.columns.is_empty())
    }

    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&self.table, to)
    }
}

two_forms!(RichTable);
