//! What stands under “Published beside ours”, as data: which tables, under which titles, in which order, with which words.
//! The page draws it as it becomes known, the command line prints it whole; what is in it stands in [`super::sections`].

use super::{Claim, table};
use engine::papers::Paper;
use engine::scenario::{Question, Scenario};
use serde::Serialize;
use std::sync::Arc;
use story::{Cell, Column, Story, Table};

/// A paper’s figures, or some of them, as a reader sees them; `K` is what they are made of.
#[derive(Debug)]
pub struct Section<K: 'static> {
    /// What the figures are of.
    pub about: fn(&K) -> &'static str,
    /// The tables in order, claims first.
    pub parts: &'static [Part<K>],
    /// What is said under them, a paragraph each.
    pub notes: fn(&K) -> Vec<String>,
    /// The paper.
    pub paper: &'static Paper,
    /// Where in it; empty where the paper is named by the section behind this one.
    pub places: &'static str,
}

/// One table of a section.
#[derive(Debug)]
pub struct Part<K: 'static> {
    /// Its name, for programs.
    pub id: &'static str,
    /// What it holds, in words.
    pub title: &'static str,
    /// How it is to be read; may be empty.
    pub about: &'static str,
    /// Whether the row of what is open on the page may be marked: its rows are the models, or the readings, in order.
    pub has_mark: bool,
    /// What makes it.
    pub make: Make<K>,
}

/// What makes a table out of what is known; nothing as long as it needs what is not known yet.
#[derive(Debug)]
pub enum Make<K: 'static> {
    /// Claims beside ours.
    Claims(fn(&K) -> Option<Vec<Claim>>),
    /// Any other table.
    Table(fn(&K) -> Option<Table>),
}

/// What has been made.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Claims beside ours.
    Claims(Arc<Vec<Claim>>),
    /// Any other table.
    Table(Arc<Table>),
}

impl<K> Part<K> {
    /// Claims under a title.
    pub(super) const fn claims(
        id: &'static str,
        title: &'static str,
        make: fn(&K) -> Option<Vec<Claim>>,
    ) -> Self {
        Self {
            id,
            title,
            about: "",
            has_mark: false,
            make: Make::Claims(make),
        }
    }

    /// Any other table under a title.
    pub(super) const fn table(
        id: &'static str,
        title: &'static str,
        make: fn(&K) -> Option<Table>,
    ) -> Self {
        Self {
            id,
            title,
            about: "",
            has_mark: false,
            make: Make::Table(make),
        }
    }

    /// The table out of what is known.
    #[must_use]
    pub fn made(&self, known: &K) -> Option<Content> {
        match self.make {
            Make::Claims(make) => make(known).map(|claims| Content::Claims(Arc::new(claims))),
            Make::Table(make) => make(known).map(|table| Content::Table(Arc::new(table))),
        }
    }
}

impl<K> Section<K> {
    /// The paper and where in it, in words; empty where they stand elsewhere.
    #[must_use]
    pub fn source(&self) -> String {
        match self.places {
            "" => String::new(),
            places => format!("{}, {places}", self.paper.citation()),
        }
    }

    /// The section out of what is known; tables that need more are left out.
    #[must_use]
    pub fn shown(&self, known: &K) -> Shown {
        let part = |part: &Part<K>| {
            Some(ShownPart {
                id: part.id,
                title: part.title,
                about: part.about,
                content: part.made(known)?,
            })
        };
        Shown {
            about: (self.about)(known),
            parts: self.parts.iter().filter_map(part).collect(),
            notes: (self.notes)(known),
            source: self.source(),
        }
    }
}

/// A section with its tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown {
    /// What the figures are of.
    pub about: &'static str,
    /// The tables in order, claims first.
    pub parts: Vec<ShownPart>,
    /// What is said under them, a paragraph each.
    pub notes: Vec<String>,
    /// The paper; empty where it stands in another section.
    pub source: String,
}

/// A table of a section.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(from = "PartForm", into = "PartForm")
)]
pub struct ShownPart {
    /// Its name, for programs.
    pub id: &'static str,
    /// What it holds, in words.
    pub title: &'static str,
    /// How it is to be read; may be empty.
    pub about: &'static str,
    /// The table.
    pub content: Content,
}

/// A table of a section, as files have it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PartForm {
    /// Its name among the tables of all sections.
    id: &'static str,
    /// How it is to be read; may be empty.
    about: &'static str,
    /// The table. One of claims has the name `published` and, in its rows, `claim`, `source`, `published`, `ours`, `unit`,
    /// `your_scenario`, `agreement` and `reason`.
    #[serde(flatten)]
    table: Arc<Table>,
}

impl Serialize for ShownPart {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let table = match &self.content {
            Content::Claims(claims) => Arc::new(table("published", self.title, claims)),
            Content::Table(table) => Arc::clone(table),
        };
        let form = PartForm {
            id: self.id,
            about: self.about,
            table,
        };
        form.serialize(to)
    }
}

/// Every published figure of a paper beside ours: what `edgewise published` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The question of the paper.
    pub question: &'static str,
    /// The scenario whose figures stand beside the paper’s, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<&'a Scenario>,
    /// The sections in the order of the page.
    pub sections: Vec<Shown>,
}

impl<'a> Document<'a> {
    /// The sections of a question.
    #[must_use]
    pub const fn new(
        question: Question,
        scenario: Option<&'a Scenario>,
        sections: Vec<Shown>,
    ) -> Self {
        Self {
            question: question.name(),
            scenario,
            sections,
        }
    }

    /// All claims, section by section.
    fn claims(&self) -> Vec<Claim> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        let of = |part: &ShownPart| match &part.content {
            Content::Claims(claims) => claims.to_vec(),
            Content::Table(_) => Vec::new(),
        };
        parts.flat_map(of).collect()
    }

    /// All claims as CSV, a row each, numbers in full. The other tables are in [`Self::text`] and in JSON.
    #[must_use]
    pub fn csv(&self) -> String {
        table("published", "Published beside ours", &self.claims()).to_csv()
    }

    /// The same as a story, for the forms that stories have.
    #[must_use]
    pub fn story(&self) -> Story {
        let asked = Question::find(self.question);
        let sections = self.sections.iter().enumerate().map(|(at, shown)| {
            // The first one is what is asked for; its title stands above all.
            let (id, title) = match at {
                0 => ("published", "The paper\u{2019}s figures"),
                _ => ("published-more", "Further figures"),
            };
            let mut section = story::Section::new(id, title).with(shown.about.to_owned());
            for part in &shown.parts {
                let table = match &part.content {
                    Content::Claims(claims) => worded(claims),
                    Content::Table(table) => Table::clone(table),
                };
                let table = Table {
                    title: part.title.to_owned(),
                    ..table
                };
                let about = (!part.about.is_empty()).then(|| part.about.to_owned());
                section = section.and(about).with(table);
            }
            let source = (!shown.source.is_empty()).then(|| format!("{}.", shown.source));
            section.and(shown.notes.iter().cloned()).and(source)
        });
        Story {
            columns: Vec::new(),
            question: self.question.to_owned(),
            asks: asked.map_or("", Question::asks).to_owned(),
            title: "Published beside ours".to_owned(),
            about: Vec::new(),
            sections: sections.collect(),
            inputs: Vec::new(),
            papers: asked.map(crate::cited).into_iter().collect(),
            link: String::new(),
        }
    }

    /// Everything for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut blocks = Vec::new();
        for section in &self.sections {
            blocks.push(section.about.to_owned() + "\n");
            for part in &section.parts {
                let table = match &part.content {
                    Content::Claims(claims) => worded(claims).to_text(),
                    Content::Table(table) => table.to_text(),
                };
                let about = match part.about {
                    "" => String::new(),
                    about => format!("{about}\n"),
                };
                blocks.push(format!("{}\n{about}{table}", part.title));
            }
            blocks.extend(section.notes.iter().map(|note| format!("{note}\n")));
            if !section.source.is_empty() {
                blocks.push(format!("{}.\n", section.source));
            }
        }
        blocks.join("\n")
    }
}

/// Claims with every figure in words, as the page has them.
fn worded(claims: &[Claim]) -> Table {
    let heads = [
        "claim",
        "published",
        "ours",
        "your scenario",
        "agreement",
        "source",
        "reason",
    ];
    let words = |figure: super::Figure| match figure {
        super::Figure::Missing => Cell::Missing,
        known => Cell::text(known.words()),
    };
    let rows = claims.iter().map(|claim| {
        vec![
            Cell::text(claim.name),
            words(claim.published),
            words(claim.ours),
            words(claim.yours),
            Cell::text(claim.agreement.words()),
            Cell::text(claim.source),
            Cell::text(claim.reason.clone()),
        ]
    });
    Table {
        name: "published",
        title: String::new(),
        columns: heads.map(|head| Column::new(head, head, "")).into(),
        rows: rows.collect(),
    }
}
