//! The section “Published beside ours” as data: tables, titles, order, notes. Its content is in [`super::sections`]; it is laid
//! out as blocks once, for page and command line alike.

use super::{PublishedClaim, claim_row};
use document::text::Width;
use document::{Block, Claims, Name, Sentence, Story, Table};
use engine::papers::CitedPaper;
use engine::scenario::{Question, Scenario};
use serde::{Serialize, Serializer};

/// A paper’s figures, or some of them, as a reader sees them; `K` is what they are made of.
#[derive(Debug)]
pub struct TableSection<K: 'static> {
    /// Subject of the figures.
    pub about: fn(&K) -> &'static str,
    /// The tables in order, claims first.
    pub tables: &'static [TablePart<K>],
    /// Notes below them, one for each paragraph.
    pub notes: fn(&K) -> Vec<String>,
    /// The paper.
    pub paper: &'static CitedPaper,
    /// Where in it; empty where the paper is named by the section behind this one.
    pub places: &'static str,
}

/// One table of a section.
#[derive(Debug)]
pub struct TablePart<K: 'static> {
    /// Its name, for programs.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// How it is to be read; may be empty.
    pub about: &'static str,
    /// True if the row of the open scenario can be highlighted: the rows are the models, or the readings, in order.
    pub has_mark: bool,
    /// Builder of the content.
    pub make: Make<K>,
}

/// Builds a table from the results so far; `None` until those that it needs are known.
#[derive(Debug)]
pub enum Make<K: 'static> {
    /// Claims beside ours.
    Claims(fn(&K) -> Option<Vec<PublishedClaim>>),
    /// Any other table.
    Table(fn(&K) -> Option<Table>),
}

impl<K> TablePart<K> {
    /// Claims under a title.
    pub(super) const fn claims(
        id: &'static str,
        title: &'static str,
        make: fn(&K) -> Option<Vec<PublishedClaim>>,
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

    /// The part out of what is known.
    fn visible_part(&self, known: &K) -> Option<ShownPart> {
        let content = match self.make {
            Make::Claims(make) => {
                let claims = make(known)?.iter().map(claim_row).collect();
                Content::Claims(Claims::new(self.id, self.title, claims))
            }
            Make::Table(make) => Content::Table(make(known)?),
        };
        Some(ShownPart {
            id: self.id,
            title: self.title,
            about: self.about,
            has_mark: self.has_mark,
            content,
        })
    }
}

impl<K> TableSection<K> {
    /// The section out of what is known; tables that need more are left out.
    #[must_use]
    pub fn build(&self, known: &K) -> Shown {
        Shown {
            about: (self.about)(known),
            parts: (self.tables.iter())
                .filter_map(|part| part.visible_part(known))
                .collect(),
            notes: (self.notes)(known),
            source: match self.places {
                "" => String::new(),
                places => format!("{}, {places}", self.paper.citation()),
            },
        }
    }
}

/// A section with its tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Shown {
    /// Subject of the figures.
    pub about: &'static str,
    /// The tables in order, claims first.
    pub parts: Vec<ShownPart>,
    /// Notes below them, one for each paragraph.
    pub notes: Vec<String>,
    /// The paper; empty where it is in another section.
    pub source: String,
}

impl Shown {
    /// As blocks of a story: what the figures are of, the first table, what is said of it, the others for those who ask, where
    /// it is printed. `marked` is the row of what is open in tables that have it, and what is said of it.
    #[must_use]
    pub fn blocks(&self, marked: Option<(usize, &str)>) -> Vec<Block> {
        let mut all = vec![Block::Paragraph(Sentence::default().plain(self.about))];
        for (at, part) in self.parts.iter().enumerate() {
            let marked = marked.filter(|_| part.has_mark);
            let table = match (&part.content, marked) {
                (Content::Claims(claims), _) => Block::Claims(claims.clone()),
                (Content::Table(table), Some((row, _))) => Block::Marked(table.clone(), row),
                (Content::Table(table), None) => Block::Table(table.clone()),
            };
            if at == 0 {
                all.push(table);
                all.extend(self.notes.iter().cloned().map(Block::Note));
                continue;
            }
            let about = [part.about, marked.map_or("", |(_, words)| words)].join(" ");
            let about = (!part.about.is_empty()).then(|| about.trim().to_owned());
            let inner = about.map(Block::Note).into_iter().chain([table]);
            all.push(Block::Fold(part.title.to_owned(), inner.collect()));
        }
        let source = (!self.source.is_empty()).then(|| format!("{}.", self.source));
        all.extend(source.map(Block::Note));
        all
    }
}

/// The slot of a page’s section that is filled on request.
pub const PLACE: Name = "published-told";
/// Title of the section.
pub(super) const TITLE: &str = "Published beside ours";

/// A finished table.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Claims beside ours.
    Claims(Claims),
    /// Any other table.
    Table(Table),
}

/// A table of a section.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(from = "PartForm", into = "PartForm")
)]
pub struct ShownPart {
    /// Its name, for programs.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// How it is to be read; may be empty.
    pub about: &'static str,
    /// As [`TablePart::has_mark`].
    pub has_mark: bool,
    /// The table.
    pub content: Content,
}

/// A table of a section, as files have it.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct PartForm {
    /// Its name among the tables of all sections.
    id: &'static str,
    /// How it is to be read; may be empty.
    about: &'static str,
    /// The table. One of claims has the name `published` and, in its rows, `claim`, `source`, `published`, `ours`, `unit`,
    /// `your_scenario`, `agreement` and `reason`.
    #[serde(flatten)]
    table: Table,
}

impl Serialize for ShownPart {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let table = match &self.content {
            Content::Claims(claims) => claims.table(),
            Content::Table(table) => table.clone(),
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
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The question of the paper.
    pub question: &'static str,
    /// The scenario whose figures are beside the paper’s, where one was given.
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

    /// All claims as CSV, a row each, numbers in full. The other tables are in [`Self::text`] and in JSON.
    #[must_use]
    pub fn csv(&self) -> String {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        let claims = parts.filter_map(|part| match &part.content {
            Content::Claims(claims) => Some(&claims.claims),
            Content::Table(_) => None,
        });
        let all = claims.flatten().cloned().collect();
        Claims::new("published", TITLE, all).table().to_csv()
    }

    /// Returns the section as an answer view of its own.
    #[must_use]
    pub fn story(&self) -> Story {
        let asked = Question::find(self.question);
        let sections = self.sections.iter().enumerate().map(|(at, shown)| {
            // The first one is what is asked for; its title is above all.
            let (id, title) = match at {
                0 => ("published", "The paper\u{2019}s figures"),
                _ => ("published-more", "Further figures"),
            };
            document::Section::new(id, title).and(shown.blocks(None))
        });
        Story {
            columns: Vec::new(),
            question: self.question.to_owned(),
            question_text: asked.map_or("", Question::asks).to_owned(),
            title: TITLE.to_owned(),
            about: Vec::new(),
            sections: sections.collect(),
            inputs: Vec::new(),
            papers: asked.map(protocol::cited).into_iter().collect(),
            link: String::new(),
        }
    }

    /// Everything for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        self.story().to_text(Width::FULL)
    }
}
