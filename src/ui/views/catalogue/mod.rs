//! The catalogue on the page: a dialog with published devices, links and models and with rows of one's own, all with
//! their sources. Own rows stay in this browser.

mod form;
mod rows;
mod store;

use super::dialog::Dialog;
use super::tools::{change_cold, left_out};
use crate::ui::questions::Questions;
use crate::ui::shell::{Banner, Shell};
use engine::problem::Invalid;
use engine::scenario::catalogue::{CatalogueKind, CatalogueRow, OwnRows};
use form::Form;
use leptos::prelude::*;
use rows::Rows;

/// A row being filled in. It outlives the dialog, so that what was typed is there when it opens again.
#[derive(Debug, Clone)]
struct Draft {
    row: CatalogueRow,
    /// The own row that it will replace.
    place: Option<usize>,
    /// Name, source and numbers as typed.
    texts: Vec<String>,
}

/// A row that was deleted, and its place.
type Gone = (usize, CatalogueRow);

/// The dialog's state; one for the page.
#[derive(Clone, Copy)]
pub struct Catalogue {
    open: RwSignal<bool>,
    kind: RwSignal<CatalogueKind>,
    query: RwSignal<String>,
    draft: RwSignal<Option<Draft>>,
    /// A row that was left unfinished when something else was asked for.
    parked: RwSignal<Option<Draft>>,
    own: RwSignal<OwnRows>,
    /// Message about the last action, and the own row that can be restored.
    said: RwSignal<Option<(String, Option<Gone>)>>,
}

impl Catalogue {
    /// Closed, with no rows of one's own.
    pub fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            kind: RwSignal::new(CatalogueKind::Device),
            query: RwSignal::new(String::new()),
            draft: RwSignal::new(None),
            parked: RwSignal::new(None),
            own: RwSignal::new(OwnRows::default()),
            said: RwSignal::new(None),
        }
    }

    /// Reads the own rows; what cannot be read is said at once, and kept.
    fn read(self, shell: Shell) {
        let own = store::load();
        if let Some(first) = own.broken.first()
            && shell.banner.with_untracked(Option::is_none)
        {
            let title = match own.broken.len() {
                1 => "One of your catalogue rows cannot be read.".to_owned(),
                many => format!("{many} of your catalogue rows cannot be read."),
            };
            let details: Vec<&str> = own.broken.iter().map(|b| b.raw.as_str()).collect();
            shell.banner.set(Some(Banner {
                title,
                text: format!(
                    "{}. The others are in use, and nothing was deleted.",
                    first.why
                ),
                alert: false,
                details: Some(details.join("\n")),
            }));
        }
        self.own.set(own);
        store::follow(self.own);
    }

    /// Opens the dialog at the rows of a kind.
    pub fn show(self, kind: CatalogueKind) {
        self.park();
        self.kind.set(kind);
        self.said.set(None);
        self.open.set(true);
    }

    /// Opens the dialog to keep a row as one's own.
    pub fn open_save_dialog(self, row: CatalogueRow) {
        self.park();
        self.fill_in(row, None);
        self.said.set(None);
        self.open.set(true);
    }

    /// Lays an unfinished row aside: opening the catalogue shows its rows, and nothing that was typed is lost.
    fn park(self) {
        if let Some(draft) = self.draft.get_untracked() {
            self.parked.set(Some(draft));
            self.draft.set(None);
        }
    }

    /// Begins to fill in a row; with a place it replaces the own row there.
    fn fill_in(self, row: CatalogueRow, place: Option<usize>) {
        self.kind.set(row.kind);
        let mut texts = vec![row.name.clone(), row.source.clone()];
        texts.extend(row.numbers.iter().map(f64::to_string));
        self.draft.set(Some(Draft { row, place, texts }));
    }

    /// Changes the own rows and keeps them.
    fn change(self, said: String, gone: Option<Gone>, change: impl FnOnce(&mut OwnRows)) {
        self.own.update(change);
        let kept = self.own.with_untracked(store::save);
        let rest = if kept {
            ""
        } else {
            " This browser keeps nothing, so it lasts until the page is closed."
        };
        self.said.set(Some((format!("{said}{rest}"), gone)));
    }

    /// Puts a row into the scenario of all questions. A machine that people own keeps its name, a paper's device is numbered.
    fn apply_row(self, questions: Questions, row: &CatalogueRow, is_own: bool) {
        let done = match row.kind {
            CatalogueKind::Device => row.device().map(|device| {
                let first = questions.shell.free_ids();
                let mut name = String::new();
                let edited = questions.change(|world| {
                    name = world.add_device(&device, first, is_own || row.is_machine());
                });
                let ranges = match row.ranges.len() {
                    0 => String::new(),
                    count => format!("; {count} of its numbers are ranges"),
                };
                let left = questions
                    .shell
                    .common
                    .view
                    .with_untracked(|view| view.left_out);
                let left = left_out(left).map_or_else(String::new, |left| format!(" {left}"));
                let done = format!("{} is in the fleet as {name}{ranges}.{left}", row.name);
                outcome_text(edited, done)
            }),
            CatalogueKind::Link => row.channel().map(|channel| {
                let edited = change_cold(questions, |s, _| s.channel = channel);
                outcome_text(edited, format!("All devices share {}.", row.name))
            }),
            CatalogueKind::Model => row.model().map(|model| {
                let edited = change_cold(questions, |s, _| {
                    s.model = model.with_stored(s.model.stored().unwrap_or_default());
                });
                outcome_text(edited, format!("The model is {}.", row.name))
            }),
        };
        if let Some(done) = done {
            self.said.set(Some((done, None)));
        }
    }
}

fn outcome_text(edited: Result<(), Invalid>, done: String) -> String {
    match edited {
        Ok(()) => done,
        Err(fault) => format!("Not imported: {fault}."),
    }
}

/// The dialog, closed until the user opens it.
#[component]
pub fn CatalogueDialog() -> impl IntoView {
    let catalogue = expect_context::<Catalogue>();
    catalogue.read(expect_context());
    let is_form = Memo::new(move |_| catalogue.draft.with(Option::is_some));
    let title = Signal::derive(move || {
        let own = catalogue
            .draft
            .with(|draft| draft.as_ref().map(|draft| (draft.row.kind, draft.place)));
        match own {
            None => "Catalogue".to_owned(),
            Some((kind, None)) => format!("A {} of your own", kind.name()),
            Some((kind, Some(_))) => format!("Your {}", kind.name()),
        }
    });
    view! {
        <Dialog id="catalogue" title=title open=catalogue.open wide=true>
            {move || if is_form.get() {
                view! { <Form/> }.into_any()
            } else {
                view! { <Rows/> }.into_any()
            }}
        </Dialog>
    }
}

/// A button that opens the catalogue.
#[component]
pub fn OpenCatalogue(id: &'static str, kind: CatalogueKind, label: &'static str) -> impl IntoView {
    let catalogue = expect_context::<Catalogue>();
    let questions = expect_context::<Questions>();
    view! {
        <button class="btn quiet small" id=id aria-haspopup="dialog" on:click=move |_| {
            questions.take_over();
            catalogue.show(kind);
        }>
            {label}
        </button>
    }
}
