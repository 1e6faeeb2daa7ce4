//! ONNX files: read in the solver piece by piece, kept at hand for another reading, and what is wrong with them. A file
//! that is none changes nothing.

use super::OperatorsState;
use crate::ui::jobs::{OwnedTask, TaskOwner};
use crate::ui::shell::Toast;
use engine::graph::onnx::{Dim, Options};
use engine::scenario::fields::LONGEST_TITLE;
use engine::scenario::operators::{Choice, Scenario, Source};
use leptos::prelude::*;
use protocol::names::operators::operators;
use protocol::onnx::{ImportedGraph, OnnxTask};
use std::sync::Arc;
use web_sys::File;

/// State of reading a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum FileReading {
    /// No file is being read.
    #[default]
    Idle,
    /// It is being read; the share done where known.
    Busy(String, Option<f64>),
    /// It was refused, and why.
    Refused(String, String),
    /// It is not the one that the link needs.
    Other(Arc<(Source, ImportedGraph)>),
}

/// Result of reading a file, without the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadFile {
    /// The file, and how it was read.
    pub source: Source,
    /// The lengths that it leaves open.
    pub dims: Vec<Dim>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Its nodes.
    pub nodes: usize,
}

/// Most graphs that are kept for undo.
const MOST_READ: usize = 50;

/// The name of a file, as a scenario holds it.
fn name_of(file: &File) -> String {
    let name = file.name();
    let plain = name.chars().filter(|c| !c.is_control());
    plain.take(LONGEST_TITLE).collect()
}

/// Where the graph of a scenario comes from, if from a file.
pub fn source_of(scenario: &Scenario) -> Option<&Source> {
    let source = match &scenario.graph {
        Choice::Preset(_) => return None,
        Choice::Custom(custom) => &custom.source,
        Choice::File(wanted) => &wanted.source,
    };
    (!source.file.is_empty()).then_some(source)
}

impl OperatorsState {
    /// Reads a file. The lengths that its dimensions were given before, or that the link has, stay.
    pub fn open_onnx(&self, file: File) {
        let name = name_of(&file);
        let before = self.scenario.with_untracked(|scenario| {
            let source = source_of(scenario)?;
            (scenario.is_empty() || source.file == name).then(|| source.clone())
        });
        let source = Source {
            file: name,
            ..before.unwrap_or_default()
        };
        self.read(file, source);
    }

    /// Reads the file at hand once more in another way.
    ///
    /// # Errors
    /// The file is not available, in words.
    pub fn read_again(&self, change: impl FnOnce(&mut Source)) -> Result<(), String> {
        let source = self.scenario.with_untracked(|s| source_of(s).cloned());
        let mut source = source.unwrap_or_default();
        let file = self.file.with_value(|file| {
            let same = file.as_ref().filter(|file| name_of(file) == source.file);
            same.cloned()
        });
        let Some(file) = file else {
            return Err(format!(
                "This needs {} again. Open the file or drop it here",
                source.file
            ));
        };
        change(&mut source);
        self.read(file, source);
        Ok(())
    }

    fn read(&self, file: File, source: Source) {
        let group = self.file_group.get_value() + 1;
        self.file_group.set_value(group);
        self.reading
            .set(FileReading::Busy(source.file.clone(), None));
        let options = Options {
            dims: source.dims.iter().cloned().collect(),
            classifier: source.classifier,
        };
        let onnx = OnnxTask {
            name: source.file,
            options,
        };
        self.file_to_read.set_value(Some(file));
        self.with_solver(|solver| {
            solver.cancel(group - 1);
            solver.points(*self, group, &(), [onnx]);
        });
    }

    /// Returns the result of reading a file with these options.
    pub fn said_of(&self, source: &Source) -> Option<Arc<ReadFile>> {
        self.read.with(|all| {
            let found = all.iter().find(|read| read.source == *source);
            found.cloned()
        })
    }

    /// Ends the reading of a file.
    pub fn end_reading(&self) {
        let is_busy = |reading: &FileReading| matches!(reading, FileReading::Busy(..));
        if self.reading.with_untracked(is_busy) {
            self.reading.set(FileReading::Idle);
            let group = self.file_group.get_value();
            self.with_solver(|solver| solver.cancel(group));
        }
    }

    /// Opens an imported graph in the editor. If it replaces the link's graph or another reading of the same file, it keeps its
    /// title.
    pub fn load_graph(&self, found: Arc<(Source, ImportedGraph)>) {
        let (source, imported) = &*found;
        let name = source.file.clone();
        let said = format!(
            "{name}: {} of {} nodes.",
            operators(imported.graph.ops.len()),
            imported.nodes
        );
        let done = self.edit("", |scenario| {
            let is_same = source_of(scenario).is_some_and(|before| before.file == name);
            let title = scenario.title.clone();
            let mut next = scenario.with_graph(source.clone(), imported.graph.clone());
            if is_same {
                next.title = title;
            }
            *scenario = next;
        });
        match done {
            Ok(()) => {
                let read = Arc::new(ReadFile {
                    source: source.clone(),
                    dims: imported.dims.clone(),
                    notes: imported.notes.clone(),
                    nodes: imported.nodes,
                });
                self.read.update(|all| {
                    all.retain(|other| other.source != read.source);
                    all.push(read);
                    let most = all.len().saturating_sub(MOST_READ);
                    all.drain(..most);
                });
                self.reading.set(FileReading::Idle);
                self.toast.set(Some(Toast {
                    text: said,
                    undo: true,
                }));
            }
            Err(fault) => self
                .reading
                .set(FileReading::Refused(name, fault.to_string())),
        }
    }
}

impl TaskOwner<OnnxTask> for OperatorsState {
    const AGAIN: &'static str = "Your scenario is unchanged; the file is read once more.";

    /// There is one at a time: reading another file cancels the one before.
    fn file(&self, of: &OwnedTask<OnnxTask>) -> Option<File> {
        let is_newest = of.group == Some(self.file_group.get_value());
        self.file_to_read.get_value().filter(|_| is_newest)
    }

    fn reached(&self, of: &OwnedTask<OnnxTask>, share: Option<f64>) {
        self.reading
            .set(FileReading::Busy(of.task.name.clone(), share));
    }

    fn answered(&self, of: &OwnedTask<OnnxTask>, imported: ImportedGraph, _millis: f64) {
        // The others follow from these, and would not if they were given as well.
        let given = imported.dims.iter().filter(|dim| dim.given);
        let source = Source {
            file: of.task.name.clone(),
            dims: given.map(|dim| (dim.name.clone(), dim.value)).collect(),
            classifier: of.task.options.classifier,
        };
        self.file.set_value(self.file(of));
        let wanted = self
            .scenario
            .with_untracked(|s| s.is_wanted(&imported.graph));
        let found = Arc::new((source, imported));
        if wanted == Some(false) {
            self.reading.set(FileReading::Other(found));
        } else {
            self.load_graph(found);
        }
    }

    /// A file may hold no graph; the editor then keeps its content.
    fn refused(&self, of: &OwnedTask<OnnxTask>, why: String) {
        let name = of.task.name.clone();
        self.reading.set(FileReading::Refused(name, why));
    }

    fn left_out(&self, of: &OwnedTask<OnnxTask>) -> String {
        self.refused(of, "the solver stopped twice at it".to_owned());
        format!(
            "It stopped at {} again, so the file was not read. Your scenario and its plan are unchanged.",
            of.task.name
        )
    }
}
