//! Downloads of an answer, as its view lists them.

use super::{AnswerCommand, AnswerStore};
use crate::ui::canvas::FONT;
use crate::ui::shell::Shell;
use crate::ui::theme::ThemeState;
use crate::ui::views::exports::{ExportFile, SaveFile, TakeAway};
use ::chart::svg;
use document::{Block, Chart, Name, Section, Table};
use leptos::prelude::*;
use protocol::{FileSource, FileSpec};

/// Width of an exported picture [px]: legible on a page and in a slide.
const PICTURE_PX: f64 = 960.0;

/// The export block.
#[component]
pub fn ExportBlock(
    /// Additional arguments of the command.
    #[prop(optional, into)]
    with: Signal<String>,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let shell = expect_context::<Shell>();
    let theme = expect_context::<ThemeState>();
    let command = Signal::derive(move || format!("{}{}", shell.common.command(), with.get()));
    let checked = Signal::derive(move || {
        let checked = store.of(|answer_view| answer_view.checked.clone())?;
        let took = format!("Computed in {:.1}\u{202f}ms.", store.millis.get());
        Some(format!("{checked} {took}").trim().to_owned())
    });
    let listed = Memo::new(move |_| {
        store
            .of(|answer_view| answer_view.files.clone())
            .unwrap_or_default()
    });
    let groups = move || {
        let group = move |(title, files): (String, Vec<FileSpec>)| {
            let of = title.clone();
            let button = move |file: FileSpec| {
                // A table that is found out later has no file before.
                let holds = file.source.clone();
                let is_ready = Signal::derive(move || match holds {
                    FileSource::Table(name) => {
                        store.sections.with(|all| find_table(all, name).is_some())
                    }
                    FileSource::Picture(name) => {
                        store.sections.with(|all| drawn(all, name).is_some())
                    }
                    FileSource::Scenario | FileSource::Worker | FileSource::Subtasks(_) => true,
                });
                let make = Callback::new(move |()| match file.source {
                    FileSource::Scenario => {
                        store.command(AnswerCommand::Scenario);
                        None
                    }
                    FileSource::Table(name) => table(&store, name).map(|table| match file.ending {
                        "csv" => table.to_csv(),
                        _ => table.to_json(),
                    }),
                    FileSource::Picture(name) => store.sections.with_untracked(|all| {
                        let chart = drawn(all, name)?;
                        let picture = chart.drawing.sheet(&chart.title, PICTURE_PX);
                        Some(svg(&picture, &theme.palette().ok()?, FONT))
                    }),
                    FileSource::Worker | FileSource::Subtasks(_) => {
                        store.command(AnswerCommand::File(file.content_name));
                        None
                    }
                });
                let FileSpec {
                    id,
                    content_name,
                    ending,
                    label,
                    ..
                } = file;
                let kind = ExportFile {
                    id,
                    content_name,
                    ending,
                    label,
                };
                view! { <SaveFile file=kind of=of.clone() is_ready=is_ready make=make/> }
            };
            let buttons = files.into_iter().map(button).collect_view();
            view! {
                <dt>{title}</dt>
                <dd><span class="item">{buttons}</span></dd>
            }
        };
        listed.get().into_iter().map(group).collect_view()
    };
    view! { <TakeAway command=command foot=checked>{groups}</TakeAway> }
}

/// A table of the story by its name, behind a chart or not.
fn table(store: &AnswerStore, name: Name) -> Option<Table> {
    store
        .sections
        .with_untracked(|all| find_table(all, name).cloned())
}

fn find_table(all: &[Section], name: Name) -> Option<&Table> {
    let mut tables = all.iter().flat_map(Section::all_tables);
    tables.find(|table| table.name == name)
}

fn drawn(all: &[Section], name: Name) -> Option<&Chart> {
    let mut blocks = all.iter().flat_map(Section::all_blocks);
    blocks.find_map(|block| match block {
        Block::Chart(chart) if chart.id == name => Some(chart),
        _ => None,
    })
}

/// Saves a file that the worker has written.
pub fn save(store: &AnswerStore, shell: &Shell, what: &str, content: &[u8]) {
    let found = store.of(|answer_view| {
        let mut files = answer_view.files.iter().flat_map(|(_, files)| files);
        let is_asked =
            |holds: &FileSource| matches!(holds, FileSource::Worker | FileSource::Subtasks(_));
        let file = files.find(|file| file.content_name == what && is_asked(&file.source));
        file.map(|file| (file.content_name, file.ending))
    });
    if let Some((what, ending)) = found.flatten() {
        shell.save(what, ending, content);
    }
}
