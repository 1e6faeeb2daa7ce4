//! The answer view: an answer as the page holds it, without the problem and the plan behind it.

use super::flags::LayerMap;
use document::{Name, Section, Verdict, wire};
use serde::{Deserialize, Serialize};

/// An answer as the page holds it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AnswerView {
    /// The scenario in a few lines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    pub sections: Vec<Section>,
    /// The main quantity with its unit: "24.3 s".
    pub figure: String,
    /// Title of the browser tab.
    pub tab: String,
    /// Beginning of the names of downloaded files.
    pub stem: String,
    /// A sentence on how the answer was checked.
    pub checked: String,
    /// Downloadable files, in named groups.
    pub files: Vec<(String, Vec<FileSpec>)>,
    /// Layer maps for the flags of other runtimes, by the name of the plan; the answer’s plan first.
    pub chains: Vec<(String, LayerMap)>,
    /// Hints for fields of the editor, by name.
    pub hints: Vec<(String, String)>,
    /// Opaque state of the presenter, which later requests about this view send back.
    #[serde(with = "serde_bytes")]
    pub presenter_state: Vec<u8>,
}

/// A downloadable file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSpec {
    /// Id in the page.
    #[serde(deserialize_with = "wire::name")]
    pub id: Name,
    /// Part of the file name that names the content: `plan`.
    #[serde(deserialize_with = "wire::name")]
    pub content_name: Name,
    /// Extension of the file name.
    #[serde(deserialize_with = "wire::name")]
    pub ending: Name,
    /// Label of its button.
    #[serde(deserialize_with = "wire::name")]
    pub label: Name,
    /// Source of the content.
    pub source: FileSource,
}

impl FileSpec {
    /// Returns the file of the scenario itself.
    #[must_use]
    pub const fn scenario() -> Self {
        Self {
            id: "save-scenario",
            content_name: "scenario",
            ending: "json",
            label: "JSON",
            source: FileSource::Scenario,
        }
    }

    /// Returns the file of the chart called `what`, as an SVG image.
    #[must_use]
    pub const fn picture(id: Name, what: Name) -> Self {
        let holds = FileSource::Picture(what);
        Self {
            id,
            content_name: what,
            ending: "svg",
            label: "SVG",
            source: holds,
        }
    }

    /// Returns a JSON file that the worker writes.
    #[must_use]
    pub const fn from_worker(id: Name, what: Name) -> Self {
        Self::written(id, what, "json", "JSON")
    }

    /// Returns a file that the worker writes in another format.
    #[must_use]
    pub const fn written(id: Name, what: Name, ending: Name, label: Name) -> Self {
        Self {
            id,
            content_name: what,
            ending,
            label,
            source: FileSource::Worker,
        }
    }

    /// Returns a JSON file that the worker writes from the results of `pieces` that have completed.
    #[must_use]
    pub fn from_subtasks(id: Name, what: Name, pieces: Vec<String>) -> Self {
        let holds = FileSource::Subtasks(pieces);
        Self {
            source: holds,
            ..Self::from_worker(id, what)
        }
    }

    /// Returns the file of the table called `what`.
    #[must_use]
    pub const fn table(id: Name, what: Name, ending: Name, label: Name) -> Self {
        let holds = FileSource::Table(what);
        Self {
            id,
            content_name: what,
            ending,
            label,
            source: holds,
        }
    }
}

/// Source of a file's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileSource {
    /// The scenario.
    Scenario,
    /// A table of the answer view.
    Table(#[serde(deserialize_with = "wire::name")] Name),
    /// A chart of the answer view, as an image.
    Picture(#[serde(deserialize_with = "wire::name")] Name),
    /// Written by the worker on request.
    Worker,
    /// Written by the worker from the results of these subtasks that have completed.
    Subtasks(Vec<String>),
}

impl AnswerView {
    /// Returns the section with an id.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// Returns the hint for a field; empty if there is none.
    #[must_use]
    pub fn hint(&self, name: &str) -> String {
        let hint = self.hints.iter().find(|(of, _)| of == name);
        hint.map_or_else(String::new, |(_, words)| words.clone())
    }

    /// Returns the verdict of the answer.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.sections.iter().find_map(Section::verdict)
    }
}
