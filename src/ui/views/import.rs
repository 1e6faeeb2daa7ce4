//! "Bring your model": the text of a config.json, with the files of weights beside it, or the header of a GGUF file becomes the
//! scenario's model. What was read stands field by field with where it comes from; what is missing is asked beside its field.

use super::dialog::Dialog;
use crate::ui::files;
use crate::ui::files::Dropped;
use crate::ui::lazy_bundle::{self, LazyBundleState};
use crate::ui::questions::Questions;
use crate::ui::shell::Toast;
use engine::problem::Invalid;
use engine::scenario::import::files::{FIRST_READ, FileContent, ModelFiles, next_read};
use engine::scenario::import::gguf::header::HeaderEnd;
use engine::scenario::import::{self, Fact, ImportedModel, UserAnswers};
use engine::scenario::world::FactOrigin;
use leptos::prelude::*;
use protocol::import::{kind, origin, summary, sums};
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// How a model becomes that of a scenario.
type PutIn = Callback<ImportedModel, Result<(), Invalid>>;

/// State of an import; it outlives the dialog. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ImportDialog {
    questions: Questions,
    /// Makes it the model of the scenario.
    put_in: PutIn,
    open: RwSignal<bool>,
    /// The files of the model, and what was typed.
    files: RwSignal<ModelFiles>,
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
        let answers = self.answers();
        self.files.with(|files| {
            let read = || {
                files
                    .describe(&answers)
                    .map_err(|fault| format!("{fault}."))
            };
            (!files.is_empty()).then(read)
        })
    }

    /// Takes the text of a config.json as it is typed.
    fn type_text(self, text: &str) {
        self.turn.update(|turn| *turn += 1);
        self.trouble.set(None);
        // Answers to another text are none to this one.
        self.typed.set(BTreeMap::new());
        self.files.update(|files| files.set_text(text));
    }

    /// Takes the files of a model, beside those that are here already.
    fn join(self, more: ModelFiles) {
        let mut files = self.files.get_untracked();
        if let Err(fault) = files.join(more) {
            return self.trouble.set(Some(format!("{fault}.")));
        }
        let is_same = self.files.with_untracked(|before| {
            before.text() == files.text() && before.name() == files.name()
        });
        if !is_same {
            self.typed.set(BTreeMap::new());
        }
        self.files.set(files);
    }

    /// Reads files that were chosen or dropped together, of those with tensors no more than their headers.
    fn read_files(self, chosen: Vec<File>) {
        let turn = self.turn.get_untracked() + 1;
        self.turn.set(turn);
        self.trouble.set(None);
        leptos::task::spawn_local(async move {
            let mut files = ModelFiles::default();
            let mut fault = None;
            for file in chosen {
                let name = file.name();
                let content = content_of(&file).await;
                let added = content.and_then(|content| {
                    let added = files.add(&name, content);
                    added.map_err(|fault| format!("{fault}."))
                });
                if let Err(why) = added {
                    fault = Some(format!("{name}: {why}"));
                    break;
                }
            }
            if self.turn.get_untracked() != turn {
                return;
            }
            match fault {
                None => self.join(files),
                fault => self.trouble.set(fault),
            }
        });
    }

    /// The numbers of the model are from the file, if they are from one: part of the step that imported them.
    fn say_from_where(self) {
        let file = self.files.with_untracked(|files| files.name().to_owned());
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
                self.type_text("");
                self.files.set(ModelFiles::default());
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

/// Reads a file, and of it no more than its header takes.
async fn content_of(file: &File) -> Result<FileContent, String> {
    let mut wanted = FIRST_READ;
    loop {
        let bytes = bytes_of(file, wanted).await?;
        let is_whole = (bytes.len() as u64) < wanted || bytes.len() as f64 >= file.size();
        match FileContent::read(&file.name(), &bytes, is_whole) {
            Ok(content) => return Ok(content),
            Err(HeaderEnd::Broken(fault)) => return Err(format!("{fault}.")),
            Err(HeaderEnd::More(needed)) => wanted = next_read(wanted, needed),
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
        files: RwSignal::new(ModelFiles::default()),
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
        Dropped::Files(files) => dialog.read_files(files),
        Dropped::Config(file) => dialog.read_files(vec![file]),
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
            let dropped = files::all_dropped(&event);
            if !dropped.is_empty() {
                dialog.read_files(dropped);
            }
        }>
            <p class="hint" id="bring-intro">
                "A Hugging Face config.json, best with the safetensors files or their index beside it, or a GGUF file. Of files with weights only the header is read. Nothing leaves this browser."
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
                    placeholder="Paste a config.json here, or drop the files of a model."
                    prop:value=move || dialog.files.with(|files| files.text().to_owned())
                    on:input=move |event| dialog.type_text(&event_target_value(&event))
                ></textarea>
                <div class="row">
                    <input
                        type="file"
                        id="bring-file"
                        hidden=true
                        multiple=true
                        accept=".json,.gguf,.safetensors"
                        node_ref=choose
                        on:change=move |event| {
                            let chosen = files::all_chosen(&event);
                            if !chosen.is_empty() {
                                dialog.read_files(chosen);
                            }
                        }
                    />
                    <button class="btn small" on:click=move |_| {
                        if let Some(input) = choose.get_untracked() {
                            input.unchecked_ref::<web_sys::HtmlElement>().click();
                        }
                    }>"Choose files"</button>
                    {move || weights_beside(dialog)}
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

/// The files of weights beside a config, with a button that takes them away.
fn weights_beside(dialog: ImportDialog) -> Option<impl IntoView + use<>> {
    let names = dialog.files.with(|files| files.weight_names().to_vec());
    let (first, more) = names.split_first()?;
    let named = match more.len() {
        0 => first.clone(),
        more => format!("{first} and {more} more"),
    };
    Some(view! {
        <span class="hint" id="bring-weights" title=names.join("\n")>"Weights of " {named}</span>
        <button
            class="btn quiet small"
            id="bring-weights-remove"
            on:click=move |_| dialog.files.update(ModelFiles::remove_weights)
        >
            "Remove"
        </button>
    })
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
