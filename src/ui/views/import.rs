//! "Bring your model": the text of a config.json, or the header of a GGUF file, becomes the scenario's model. What was read
//! stands field by field with where it comes from; what is missing is asked beside its field.

use super::dialog::Dialog;
use crate::ui::files;
use crate::ui::files::Dropped;
use crate::ui::lazy_bundle::{self, LazyBundleState};
use crate::ui::questions::Questions;
use crate::ui::shell::Toast;
use engine::problem::Invalid;
use engine::scenario::import::gguf::header::{Header, HeaderEnd, LARGEST};
use engine::scenario::import::{self, Fact, ImportedModel, UserAnswers, gguf};
use engine::scenario::world::FactOrigin;
use leptos::prelude::*;
use protocol::import::{kind, origin, summary, sums};
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// First read of a file [B]; doubled while its header goes on.
const FIRST: u64 = 1 << 20;

/// How a model becomes that of a scenario.
type PutIn = Callback<ImportedModel, Result<(), Invalid>>;

/// State of an import; it outlives the dialog. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ImportDialog {
    questions: Questions,
    /// Makes it the model of the scenario.
    put_in: PutIn,
    open: RwSignal<bool>,
    /// The text of a config.json.
    text: RwSignal<String>,
    /// The file that it or the headers come from.
    file: RwSignal<String>,
    /// Headers of GGUF files: one, or the parts of a split one.
    parts: RwSignal<Vec<Header>>,
    /// Answers as they were typed.
    typed: RwSignal<BTreeMap<String, String>>,
    /// Why a file was not read.
    trouble: RwSignal<Option<String>>,
    /// Counts files, so that the last one wins.
    turn: RwSignal<u32>,
}

impl ImportDialog {
    fn answers(self) -> UserAnswers {
        self.typed.with(|typed| {
            let parsed = typed
                .iter()
                .map(|(field, text)| (field, text.trim().parse::<f64>()));
            parsed
                .filter_map(|(field, number)| Some((field.clone(), number.ok()?)))
                .collect()
        })
    }

    /// Returns the imported model; `None` while there is none.
    fn read(self) -> Option<Result<ImportedModel, String>> {
        let (answers, file) = (self.answers(), self.file.get());
        if self.parts.with(|parts| !parts.is_empty()) {
            let brought = self
                .parts
                .with(|parts| gguf::describe(parts, &file, &answers));
            return Some(Ok(brought));
        }
        self.text.with(|text| {
            let is_blank = text.trim().is_empty();
            let read = || import::config(text, &file, &answers);
            (!is_blank).then(|| read().map_err(|fault| format!("{fault}.")))
        })
    }

    /// Takes the text of a config.json over; `file` is empty where it was typed.
    fn put(self, text: String, file: String) {
        self.turn.update(|turn| *turn += 1);
        self.trouble.set(None);
        self.parts.set(Vec::new());
        // Answers to another text are none to this one.
        self.typed.set(BTreeMap::new());
        self.file.set(file);
        self.text.set(text);
    }

    /// Takes a header over: beside other parts of the same split file, else alone.
    fn put_header(self, header: Header, file: String) {
        let count = |header: &Header| header.meta.get("split.count").cloned();
        let number = |header: &Header| header.meta.get("split.no").cloned();
        self.trouble.set(None);
        self.text.set(String::new());
        let is_part = self.parts.with_untracked(|parts| {
            let fits =
                |known: &Header| count(known) == count(&header) && number(known) != number(&header);
            count(&header).is_some() && !parts.is_empty() && parts.iter().all(fits)
        });
        if is_part {
            self.parts.update(|parts| parts.push(header));
            return;
        }
        self.typed.set(BTreeMap::new());
        self.file.set(file);
        self.parts.set(vec![header]);
    }

    /// Reads a file that was chosen or dropped; of a GGUF file no more than its header.
    fn read_file(self, file: File) {
        let turn = self.turn.get_untracked() + 1;
        self.turn.set(turn);
        self.trouble.set(None);
        leptos::task::spawn_local(async move {
            let name = file.name();
            let first = bytes_of(&file, 4).await.unwrap_or_default();
            let is_last = move || self.turn.get_untracked() == turn;
            if first == b"GGUF" || name.to_lowercase().ends_with(".gguf") {
                let header = header_of(&file).await;
                if is_last() {
                    match header {
                        Ok(header) => self.put_header(header, name),
                        Err(why) => self.trouble.set(Some(format!("{name}: {why}"))),
                    }
                }
            } else {
                files::read(file, move |name, read| match read {
                    _ if !is_last() => {}
                    Ok(text) => self.put(text, name),
                    Err(why) => self.trouble.set(Some(format!("{name}: {why}"))),
                });
            }
        });
    }

    /// The numbers of the model are from the file, if they are from one: part of the step that imported them.
    fn say_from_where(self) {
        let file = self.file.get_untracked();
        if !file.is_empty() {
            self.questions.take_over();
            let common = self.questions.shell.common;
            let mut world = common.world();
            world.model_is_from(&FactOrigin::File(file));
            common.set(world, common.view.get_untracked());
        }
    }

    fn apply(self, brought: &ImportedModel) {
        match self.put_in.run(brought.clone()) {
            Ok(()) => {
                self.say_from_where();
                self.open.set(false);
                self.put(String::new(), String::new());
                self.questions.shell.toast.set(Some(Toast {
                    text: format!("{}.", summary(brought)),
                    undo: true,
                }));
            }
            Err(fault) => self.trouble.set(Some(format!("{fault}."))),
        }
    }
}

/// The first bytes of a file.
async fn bytes_of(file: &File, length: u64) -> Result<Vec<u8>, String> {
    let cannot = |_| "the browser cannot read it.".to_owned();
    let blob = file
        .slice_with_f64_and_f64(0.0, length as f64)
        .map_err(cannot)?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(cannot)?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// The header of a GGUF file, of which no more is read than it takes.
async fn header_of(file: &File) -> Result<Header, String> {
    let mut wanted = FIRST;
    loop {
        let bytes = bytes_of(file, wanted).await?;
        let is_whole = (bytes.len() as u64) < wanted || bytes.len() as f64 >= file.size();
        match gguf::read(&bytes, is_whole) {
            Ok(header) => return Ok(header),
            Err(HeaderEnd::Broken(fault)) => return Err(format!("{fault}.")),
            Err(HeaderEnd::More(needed)) => wanted = needed.max(2 * wanted).min(LARGEST + 1),
        }
    }
}

/// The button and its dialog; `put_in` makes a model that of the scenario.
#[component]
pub fn ImportButton(
    put_in: PutIn,
    /// A file that fell on the page and waits.
    #[prop(optional)]
    waiting: Option<RwSignal<Option<Dropped>, LocalStorage>>,
) -> impl IntoView {
    let dialog = ImportDialog {
        questions: expect_context::<Questions>(),
        put_in,
        open: RwSignal::new(false),
        text: RwSignal::new(String::new()),
        file: RwSignal::new(String::new()),
        parts: RwSignal::new(Vec::new()),
        typed: RwSignal::new(BTreeMap::new()),
        trouble: RwSignal::new(None),
        turn: RwSignal::new(0),
    };
    let rest = expect_context::<LazyBundleState>();
    Effect::new(move |_| {
        let Some((place, waiting)) = waiting.and_then(|place| Some((place, place.get()?))) else {
            return;
        };
        if let Some(later) = rest.get() {
            place.set(None);
            dialog.open.set(true);
            (later.import_dropped)(dialog, waiting);
        }
    });
    view! {
        <button
            class="btn quiet small"
            id="bring-open"
            aria-haspopup="dialog"
            on:click=move |_| dialog.open.set(true)
        >
            "Bring your model"
        </button>
        <Dialog id="bring" title="Bring your model" open=dialog.open wide=true>
            {lazy_bundle::lazy_view(move |later| (later.import_view)(dialog))}
        </Dialog>
    }
}

/// Takes what fell on the page.
pub fn import_dropped(dialog: ImportDialog, dropped: Dropped) {
    match dropped {
        Dropped::File(file) => dialog.read_file(file),
        Dropped::Config(name, text) => dialog.put(text, name),
    }
}

/// Content of the dialog.
pub fn body(dialog: ImportDialog) -> AnyView {
    let read = Memo::new(move |_| dialog.read());
    let is_good =
        move || read.with(|read| matches!(read, Some(Ok(brought)) if brought.model.is_some()));
    let choose = NodeRef::<leptos::html::Input>::new();
    let status = move || {
        read.with(|read| match read {
            None => String::new(),
            Some(Ok(brought)) => format!("{}.", summary(brought)),
            Some(Err(_)) => "Nothing is changed.".to_owned(),
        })
    };
    view! {
        <div class="dialog-body" on:drop=move |event| {
            if let Some(file) = files::dropped(&event) {
                dialog.read_file(file);
            }
        }>
            <p class="hint" id="bring-intro">
                "The text of a Hugging Face config.json, or a GGUF file: of that only the header is read. Nothing leaves this browser."
            </p>
            <div class="pasted">
                <label class="sr" for="bring-text">"config.json"</label>
                <textarea
                    id="bring-text"
                    data-first="true"
                    rows="6"
                    wrap="off"
                    spellcheck="false"
                    autocomplete="off"
                    aria-describedby="bring-said"
                    placeholder="Paste a config.json here, or drop it or a GGUF file."
                    prop:value=move || dialog.text.get()
                    on:input=move |event| dialog.put(event_target_value(&event), String::new())
                ></textarea>
                <div class="row">
                    <input
                        type="file"
                        id="bring-file"
                        hidden=true
                        accept=".json,.gguf"
                        node_ref=choose
                        on:change=move |event| {
                            if let Some(file) = files::chosen(&event) {
                                dialog.read_file(file);
                            }
                        }
                    />
                    <button class="btn small" on:click=move |_| {
                        if let Some(input) = choose.get_untracked() {
                            input.unchecked_ref::<web_sys::HtmlElement>().click();
                        }
                    }>"Choose a file"</button>
                </div>
            </div>
            <div class="said" id="bring-said">
                {move || dialog.trouble.get().map(|why| view! { <p class="fault" role="alert">{why}</p> })}
                {move || read.with(|read| match read {
                    None => ().into_any(),
                    Some(Ok(brought)) => understood(dialog, brought).into_any(),
                    Some(Err(why)) => view! { <p class="fault">{why.clone()}</p> }.into_any(),
                })}
            </div>
        </div>
        <div class="dialog-foot">
            <p class="grow" role="status" id="bring-status">{status}</p>
            <button class="btn" on:click=move |_| dialog.open.set(false)>"Cancel"</button>
            <button
                class="btn primary"
                id="bring-apply"
                disabled=move || !is_good()
                on:click=move |_| {
                    if let Some(Ok(brought)) = read.get_untracked() {
                        dialog.apply(&brought);
                    }
                }
            >
                "Use this model"
            </button>
        </div>
    }
    .into_any()
}

/// Facts, sums and notes of an imported model.
fn understood(dialog: ImportDialog, brought: &ImportedModel) -> impl IntoView + use<> {
    let what = format!("{}, {}", brought.name, kind(brought));
    let facts: Vec<_> = brought
        .facts
        .iter()
        .map(|fact| line(dialog, fact))
        .collect();
    let sums: Vec<_> = sums(brought)
        .into_iter()
        .map(|(label, value)| {
            view! { <tr><th scope="row">{label}</th><td colspan="2">{value}</td></tr> }
        })
        .collect();
    let notes: Vec<_> = brought
        .notes
        .iter()
        .map(|note| view! { <p class="note">{note.clone()}</p> })
        .collect();
    view! {
        <div class="scroll">
            <table class="data brought" id="bring-facts">
                <caption class="sr">{what}</caption>
                <thead><tr><th scope="col">"Field"</th><th scope="col">"Value"</th><th scope="col">"How it is known"</th></tr></thead>
                <tbody>{facts}{sums}</tbody>
            </table>
        </div>
        {notes}
    }
}

/// One fact; a field to type in where a person is asked, or has answered.
fn line(dialog: ImportDialog, fact: &Fact) -> impl IntoView + use<> {
    let is_open = fact.question().is_some();
    let is_asked = fact.can_be_answered() && (is_open || fact.origin == import::Origin::Given);
    let field = fact.field.clone();
    let typed = dialog
        .typed
        .with_untracked(|typed| typed.get(&field).cloned().unwrap_or_default());
    let odd = is_open && !typed.trim().is_empty() && typed.trim().parse::<f64>().is_err();
    let said = if odd {
        format!("{} It must be a number.", origin(fact))
    } else {
        origin(fact)
    };
    let value = if is_asked {
        let id = format!("bring-set-{field}");
        let set = move |event: web_sys::Event| {
            let text = event_target_value(&event);
            dialog.typed.update(|typed| {
                if text.trim().is_empty() {
                    typed.remove(&field);
                } else {
                    typed.insert(field.clone(), text);
                }
            });
        };
        view! {
            <input
                id=id
                inputmode="decimal"
                autocomplete="off"
                aria-label=fact.label
                aria-invalid=is_open.then_some("true")
                prop:value=typed
                on:change=set
            />
        }
        .into_any()
    } else {
        view! { <span>{fact.display_value()}</span> }.into_any()
    };
    view! {
        <tr class:open=is_open>
            <th scope="row">{fact.label}</th>
            <td>{value}</td>
            <td class:fault=is_open>{said}</td>
        </tr>
    }
}
