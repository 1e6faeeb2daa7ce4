//! Deferred content of an answer view: slots, the queries that fill them, and the patches that result.

use super::block::{Block, Section};
use super::table::Cell;
use super::wire::{Name, name};
use chart::ChartSpec;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A place for what is still to be found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Later"))]
pub struct DeferredSlot {
    /// Its name, by which it is filled.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// The button that asks for it, where it has to be asked for, and what is said meanwhile.
    pub button: Option<(String, String)>,
    /// Content; empty until it is computed.
    pub blocks: Vec<Block>,
}

/// A query to run later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeferredQuery {
    /// When it is asked for.
    pub when: Trigger,
    /// The query, serialized by the presenter.
    pub query: String,
    /// Names of the subtasks whose results the query aggregates; empty for a query that is not split.
    pub subtasks: Vec<String>,
    /// True if subtask results are aggregated only once all have completed.
    pub needs_all: bool,
    /// Context of every subtask, serialized by the presenter.
    #[serde(with = "serde_bytes")]
    pub load: Vec<u8>,
    /// Context of the aggregation.
    #[serde(with = "serde_bytes")]
    pub context: Vec<u8>,
    /// Beginning of the error message, before the reason: "HEFT has no runs".
    pub refused: String,
    /// For which scenarios what is found out holds.
    pub cache_scope: CacheScope,
}

/// For which scenarios something holds that was found out for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CacheScope {
    /// For that one.
    #[default]
    Once,
    /// For equivalent scenarios, as the presenter decides.
    Equivalent,
    /// For all: it is not about the scenario.
    Always,
}

/// When more of a story is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trigger {
    /// At once, as if the button of a place had been pressed: the answer itself is still being looked for.
    Now(#[serde(deserialize_with = "name")] Name),
    /// As soon as the answer rests.
    Idle,
    /// Once the section is open.
    Opened,
    /// Once the button of a place is pressed.
    Pressed(#[serde(deserialize_with = "name")] Name),
}

/// A patch: content and the place that it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Patch {
    /// A value of a line of a chart.
    Point {
        /// The chart.
        #[serde(deserialize_with = "name")]
        chart: Name,
        /// Which line, and which of its points.
        at: (u32, u32),
        /// The value.
        y: Option<f64>,
    },
    /// A row of a table.
    Row {
        /// The table.
        #[serde(deserialize_with = "name")]
        table: Name,
        /// Its number.
        at: u32,
        /// Cells of the row.
        cells: Vec<Cell>,
    },
    /// The data of a chart; what it marks as the scenario’s own stays.
    Drawn {
        /// The chart.
        #[serde(deserialize_with = "name")]
        chart: Name,
        /// Its data.
        drawing: Arc<ChartSpec>,
    },
    /// Content of a slot.
    Place {
        /// The place.
        #[serde(deserialize_with = "name")]
        id: Name,
        /// Blocks of the slot.
        blocks: Vec<Block>,
    },
    /// Replaces a section.
    Section(Section),
}

impl Trigger {
    /// The place whose button asks for it, or ends it.
    #[must_use]
    pub const fn place(self) -> Option<Name> {
        match self {
            Self::Now(place) | Self::Pressed(place) => Some(place),
            Self::Idle | Self::Opened => None,
        }
    }
}

impl Section {
    /// Returns the section with a query.
    #[must_use]
    pub fn with_query(self, when: Trigger, ask: String, refused: impl Into<String>) -> Self {
        self.with_split_query(when, ask, Vec::new(), refused)
    }

    /// Returns the section with a query that is split into subtasks.
    #[must_use]
    pub fn with_split_query(
        mut self,
        when: Trigger,
        ask: String,
        pieces: Vec<String>,
        refused: impl Into<String>,
    ) -> Self {
        self.more.push(DeferredQuery {
            when,
            query: ask,
            subtasks: pieces,
            needs_all: false,
            load: Vec::new(),
            context: Vec::new(),
            refused: refused.into(),
            cache_scope: CacheScope::Once,
        });
        self
    }

    /// Gives the last query a context for its subtasks and one for the aggregation, which then runs once all have completed.
    #[must_use]
    pub fn with_context(mut self, load: Vec<u8>, kept: Vec<u8>) -> Self {
        if let Some(last) = self.more.last_mut() {
            (last.needs_all, last.load, last.context) = (true, load, kept);
        }
        self
    }

    /// Gives the last query a context for its subtasks.
    #[must_use]
    pub fn loaded(mut self, load: Vec<u8>) -> Self {
        if let Some(last) = self.more.last_mut() {
            last.load = load;
        }
        self
    }

    /// Sets for which scenarios results of the last query are valid.
    #[must_use]
    pub fn lasting(mut self, lasts: CacheScope) -> Self {
        if let Some(last) = self.more.last_mut() {
            last.cache_scope = lasts;
        }
        self
    }

    /// Returns true if the section has content beyond slots that no one has opened yet.
    #[must_use]
    pub fn is_found(&self) -> bool {
        let mut waits = false;
        let mut tells = false;
        for block in self.all_blocks() {
            waits |= matches!(block, Block::Deferred(later) if later.blocks.is_empty());
            tells |= matches!(
                block,
                Block::Answer(_)
                    | Block::Figures(_)
                    | Block::Table(_)
                    | Block::Marked(..)
                    | Block::Claims(_)
                    | Block::Listing(_)
                    | Block::Chart(_)
            );
        }
        tells || !waits && !self.blocks.is_empty()
    }

    /// Returns true if a query of the section starts without the user.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        let is_awaited =
            |more: &DeferredQuery| matches!(more.when, Trigger::Idle | Trigger::Now(_));
        self.more.iter().any(is_awaited)
    }

    /// Puts what was found out where it belongs; what has no place here is left alone.
    pub fn fill(&mut self, fill: &Patch) {
        match fill {
            Patch::Section(section) if section.id == self.id => self.clone_from(section),
            _ => self.blocks.iter_mut().for_each(|block| block.fill(fill)),
        }
    }
}

impl Block {
    /// As [`Section::fill`].
    pub fn fill(&mut self, fill: &Patch) {
        match (self, fill) {
            (Self::Tabs(_, ways), _) => {
                let blocks = ways.iter_mut().flat_map(|(_, blocks)| blocks);
                blocks.for_each(|block| block.fill(fill));
            }
            (Self::Walk(walk), _) => walk.blocks.iter_mut().for_each(|block| block.fill(fill)),
            (Self::Fold(_, blocks), _) => blocks.iter_mut().for_each(|block| block.fill(fill)),
            (Self::Columns(columns), _) => {
                let blocks = columns.iter_mut().flatten();
                blocks.for_each(|block| block.fill(fill));
            }
            (Self::Deferred(later), Patch::Place { id, blocks }) if later.id == *id => {
                later.blocks.clone_from(blocks);
            }
            (Self::Deferred(later), _) => {
                later.blocks.iter_mut().for_each(|block| block.fill(fill))
            }
            (Self::Chart(chart), Patch::Point { chart: id, at, y }) if chart.id == *id => {
                if let ChartSpec::Lines(lines) = Arc::make_mut(&mut chart.drawing) {
                    let line = lines.series.get_mut(at.0 as usize);
                    if let Some(point) = line.and_then(|line| line.points.get_mut(at.1 as usize)) {
                        point.1 = *y;
                    }
                }
            }
            (Self::Chart(chart), Patch::Drawn { chart: id, drawing }) if chart.id == *id => {
                chart.drawing = Arc::new(chart.drawing.with_data(drawing));
            }
            (
                Self::Table(table),
                Patch::Row {
                    table: id,
                    at,
                    cells,
                },
            ) if table.name == *id => {
                if let Some(row) = table.rows.get_mut(*at as usize) {
                    row.clone_from(cells);
                }
            }
            _ => {}
        }
    }
}
