//! An answer as the page has it.

use super::flags::Chain;
use serde::{Deserialize, Serialize};
use story::{Name, Section, Words, wire};

/// An answer as the page has it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Telling {
    /// The scenario in a few lines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    pub sections: Vec<Section>,
    /// The answer in a word or two: "24.3 s".
    pub figure: String,
    /// What the tab is called.
    pub tab: String,
    /// How names of files begin.
    pub stem: String,
    /// What was checked, in words.
    pub checked: String,
    /// Files that can be taken, in groups.
    pub files: Vec<(String, Vec<File>)>,
    /// Which layers are where, for the flags of other runtimes: of each plan by its name, the answer’s first.
    pub chains: Vec<(String, Chain)>,
    /// What the form says beside its fields, by a name.
    pub hints: Vec<(String, String)>,
    /// What whoever tells the story wants to know again when more is asked of it.
    #[serde(with = "serde_bytes")]
    pub noted: Vec<u8>,
}

/// A file that can be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name in the page.
    #[serde(deserialize_with = "wire::name")]
    pub id: Name,
    /// What it is called in its name: `plan`.
    #[serde(deserialize_with = "wire::name")]
    pub what: Name,
    /// The ending of its name.
    #[serde(deserialize_with = "wire::name")]
    pub ending: Name,
    /// The words on its button.
    #[serde(deserialize_with = "wire::name")]
    pub label: Name,
    /// What it holds.
    pub holds: Holds,
}

impl File {
    /// The scenario.
    #[must_use]
    pub const fn scenario() -> Self {
        Self {
            id: "save-scenario",
            what: "scenario",
            ending: "json",
            label: "JSON",
            holds: Holds::Scenario,
        }
    }

    /// A chart of the story as a picture, which its file is called after.
    #[must_use]
    pub const fn picture(id: Name, what: Name) -> Self {
        let holds = Holds::Picture(what);
        Self {
            id,
            what,
            ending: "svg",
            label: "SVG",
            holds,
        }
    }

    /// What the worker writes, as JSON.
    #[must_use]
    pub const fn asked(id: Name, what: Name) -> Self {
        Self::written(id, what, "json", "JSON")
    }

    /// What the worker writes, in another form.
    #[must_use]
    pub const fn written(id: Name, what: Name, ending: Name, label: Name) -> Self {
        Self {
            id,
            what,
            ending,
            label,
            holds: Holds::Asked,
        }
    }

    /// The same, of as many of some pieces as have come.
    #[must_use]
    pub fn gathered(id: Name, what: Name, pieces: Vec<String>) -> Self {
        let holds = Holds::Gathered(pieces);
        Self {
            holds,
            ..Self::asked(id, what)
        }
    }

    /// A table of the story, which its file is called after.
    #[must_use]
    pub const fn table(id: Name, what: Name, ending: Name, label: Name) -> Self {
        let holds = Holds::Table(what);
        Self {
            id,
            what,
            ending,
            label,
            holds,
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holds {
    /// The scenario.
    Scenario,
    /// A table of the story.
    Table(#[serde(deserialize_with = "wire::name")] Name),
    /// A chart of the story.
    Picture(#[serde(deserialize_with = "wire::name")] Name),
    /// What the worker writes.
    Asked,
    /// What it writes of these pieces, as far as they have come.
    Gathered(Vec<String>),
}

impl Telling {
    /// A section by its name.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// What the form says beside a field; nothing where nothing is to be said.
    #[must_use]
    pub fn hint(&self, name: &str) -> String {
        let hint = self.hints.iter().find(|(of, _)| of == name);
        hint.map_or_else(String::new, |(_, words)| words.clone())
    }

    /// The answer in words.
    #[must_use]
    pub fn words(&self) -> Option<&Words> {
        self.sections.iter().find_map(Section::words)
    }
}
