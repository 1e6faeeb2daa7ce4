//! Published figures of a paper beside figures computed here, claim by claim.

use super::block::Tone;
use super::table::{Cell, Table};
use super::wire::{Name, name, two_forms};
use engine::units::NARROW;
use serde::{Deserialize, Serialize, Serializer};

/// Claims of a paper beside ours; files have the table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Claims {
    /// Their name in the page.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Subject of the claims.
    pub title: String,
    /// Each of them.
    pub claims: Vec<ClaimRow>,
}

/// A claim beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimRow {
    /// Name of the figure: `Smallest gain`.
    pub name: String,
    /// Where: section and figure.
    pub source: String,
    /// Published value.
    pub published: ClaimSide,
    /// Value computed here for the scenario of the paper.
    pub ours: ClaimSide,
    /// Value for the user’s own scenario, if there is one.
    pub yours: ClaimSide,
    /// The unit of their numbers, empty where they have none.
    pub unit: String,
    /// How far published and ours agree, in words.
    pub agreement: String,
    /// Result of the comparison, where the two can be compared.
    pub tone: Option<Tone>,
    /// Why, in words; may be empty.
    pub reason: String,
}

/// One side of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimSide {
    /// The figure for readers, with its unit.
    pub words: String,
    /// As files have it.
    pub cell: Cell,
}

impl ClaimSide {
    fn cell(&self) -> Cell {
        match self.cell {
            Cell::Missing => Cell::Missing,
            _ => Cell::text(&*self.words),
        }
    }
}

impl Claims {
    /// Claims under a title.
    #[must_use]
    pub fn new(id: Name, title: impl Into<String>, claims: Vec<ClaimRow>) -> Self {
        Self {
            id,
            title: title.into(),
            claims,
        }
    }

    /// Returns true if any claim has a value for the user’s own scenario.
    #[must_use]
    pub fn has_yours(&self) -> bool {
        let mut all = self.claims.iter();
        all.any(|claim| claim.yours.cell != Cell::Missing)
    }

    /// The claims for files: numbers in full, their unit beside them.
    #[must_use]
    pub fn table(&self) -> Table {
        let columns = [
            ("claim", "claim", ""),
            ("source", "source", ""),
            ("published", "published", ""),
            ("ours", "ours", ""),
            ("unit", "unit", ""),
            ("your_scenario", "your scenario", ""),
            ("agreement", "agreement", ""),
            ("reason", "reason", ""),
        ];
        let row = |claim: &ClaimRow| {
            vec![
                Cell::text(&*claim.name),
                Cell::text(&*claim.source),
                claim.published.cell.clone(),
                claim.ours.cell.clone(),
                Cell::text(&*claim.unit),
                claim.yours.cell.clone(),
                Cell::text(&*claim.agreement),
                Cell::text(claim.reason.replace(NARROW, " ")),
            ]
        };
        let rows = self.claims.iter().map(row).collect();
        Table::new("published", &*self.title, &columns, rows)
    }

    /// The claims for readers: every figure in words.
    #[must_use]
    pub fn reader_table(&self) -> Table {
        let columns = [
            ("claim", "claim", ""),
            ("published", "published", ""),
            ("ours", "ours", ""),
            ("your_scenario", "your scenario", ""),
            ("agreement", "agreement", ""),
            ("source", "source", ""),
            ("reason", "reason", ""),
        ];
        let row = |claim: &ClaimRow| {
            vec![
                Cell::text(&*claim.name),
                claim.published.cell(),
                claim.ours.cell(),
                claim.yours.cell(),
                Cell::text(&*claim.agreement),
                Cell::text(&*claim.source),
                Cell::text(&*claim.reason),
            ]
        };
        let rows = self.claims.iter().map(row).collect();
        Table::new("published", &*self.title, &columns, rows)
    }

    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&self.table(), to)
    }
}

two_forms!(Claims);
