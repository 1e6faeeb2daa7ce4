//! The button in the bar, and the list of all scenarios that are kept.

use super::store::{Browser, now};
use super::{Gone, Workspace, with};
use crate::ui::questions::Questions;
use crate::ui::shell::Toast;
use crate::ui::views::dialog::Dialog;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::{address, download, files};
use engine::scenario::library::{self, Saved, SavedLine, Tab};
use leptos::html;
use leptos::prelude::*;
use protocol::names;
use wasm_bindgen::{JsCast, JsValue};

/// The name of the file of all scenarios.
const FILE: &str = "edgewise-scenarios.json";

/// The button, with the number of what is kept.
#[component]
pub fn Scenarios() -> impl IntoView {
    let workspace = with(Some);
    workspace.map(|workspace| {
        let count = Memo::new(move |_| {
            workspace.turn.track();
            library::ids(&Browser).len()
        });
        view! {
            <button
                class="btn scenarios"
                id="scenarios"
                aria-haspopup="dialog"
                aria-label=move || format!("Scenarios {} saved", count.get())
                title="Scenarios saved in this browser"
                on:click=move |_| workspace.show()
            >
                <Icon glyph=Glyph::Library/>
                <span>"Scenarios"</span>
                " "
                <b>{count}</b>
            </button>
        }
    })
}

/// The list, closed until the user opens it.
#[component]
pub fn ScenariosDialog() -> impl IntoView {
    let workspace = with(Some);
    workspace.map(|workspace| {
        view! {
            <Dialog id="workspace" title="Scenarios" open=workspace.open wide=true>
                <Body workspace=workspace/>
            </Dialog>
        }
    })
}

#[component]
fn Body(workspace: Workspace) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let lines = Memo::new(move |_| {
        workspace.turn.track();
        library::list(&Browser)
    });
    let choose = NodeRef::<html::Input>::new();
    let save = move |_| {
        let saved = download::text(FILE, "application/json", &library::export(&Browser));
        questions.shell.say_saved(FILE, &saved);
    };
    view! {
        <div class="dialog-body catalogue">
            <p class="hint">
                "Saved in this browser as you edit; a scenario that you only look at is not saved before you change it. \
                 \u{201c}Export all\u{201d} writes one file with all of them, which any browser can import."
            </p>
            <SaveAs workspace=workspace/>
            <StatusMessage workspace=workspace/>
            <Offered workspace=workspace/>
            <div class="scroll" tabindex="0" role="group" aria-label="Saved scenarios">
                <table class="data catalogue-rows" id="workspace-rows">
                    <thead>
                        <tr>
                            <th scope="col">"Name"</th>
                            <th scope="col">"Question"</th>
                            <th scope="col">"Last edited"</th>
                            <th scope="col"><span class="sr">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || lines.get().into_iter().map(|line| row(workspace, questions, line)).collect_view()}
                    </tbody>
                </table>
            </div>
        </div>
        <div class="dialog-foot">
            <span class="grow">
                {move || lines.with(Vec::is_empty).then_some("No scenarios yet.")}
            </span>
            <input
                type="file"
                id="workspace-file"
                hidden=true
                accept=".json"
                node_ref=choose
                on:change=move |event| {
                    if let Some(file) = files::chosen(&event) {
                        files::read(file, move |name, text| match text {
                            Ok(text) => workspace.offer.set(Some((name, library::import(&text)))),
                            Err(why) => workspace.said.set(Some((format!("{name}: {why}"), None))),
                        });
                    }
                }
            />
            <button class="btn small" id="workspace-import" on:click=move |_| {
                if let Some(input) = choose.get_untracked() {
                    input.unchecked_ref::<web_sys::HtmlElement>().click();
                }
            }>"Import a file"</button>
            <button class="btn small" id="workspace-export" disabled=move || lines.with(Vec::is_empty) on:click=save>
                "Export all"
            </button>
        </div>
    }
}

/// Keeps what is on the page under a name of its own.
#[component]
fn SaveAs(workspace: Workspace) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let name = RwSignal::new(String::new());
    let save = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let said = name.with_untracked(|typed| {
            let name = library::name_of(typed).map_err(|fault| format!("The {fault}."))?;
            let link = questions.link()?;
            let question = questions.shell.question.get_untracked();
            let fragment = &link[link.find('#').unwrap_or_default()..];
            let saved =
                workspace.change(|tab| tab.save_as(&mut Browser, question, fragment, name, &now()));
            workspace.mark();
            workspace.turn();
            Ok::<_, String>(match saved {
                Saved::Refused => NOT_KEPT.to_owned(),
                _ => {
                    let name = workspace.tab.with_value(|tab| tab.name().to_owned());
                    format!("Saved as \u{201c}{name}\u{201d}, which you are editing now.")
                }
            })
        });
        if said.is_ok() {
            name.set(String::new());
        }
        let (Ok(said) | Err(said)) = said;
        workspace.said.set(Some((said, None)));
    };
    view! {
        <form class="catalogue-tools" on:submit=save>
            <label class="find-rows">
                <span>"Name"</span>
                <input
                    id="workspace-name"
                    data-first=""
                    autocomplete="off"
                    prop:value=move || name.get()
                    on:input=move |event| name.set(event_target_value(&event))
                />
            </label>
            <button class="btn small" id="workspace-save">"Save the current scenario"</button>
        </form>
    }
}

/// Shown if the browser refuses.
const NOT_KEPT: &str = "Not saved: this browser\u{2019}s storage is full or switched off.";

/// Message about the last action.
#[component]
fn StatusMessage(workspace: Workspace) -> impl IntoView {
    let back = move |_| {
        if let Some((_, Some((id, name, text)))) = workspace.said.get_untracked() {
            let is_back = library::restore(&mut Browser, &id, &text, &now());
            workspace.mark_kept();
            let said = match is_back {
                true => format!("\u{201c}{name}\u{201d} is back."),
                false => NOT_KEPT.to_owned(),
            };
            workspace.done(said);
        }
    };
    view! {
        <div class="said" id="workspace-said" role="status">
            {move || workspace.said.get().map(|(said, gone)| view! {
                <p>
                    {said}
                    {gone.is_some().then(|| view! { <button class="btn small" on:click=back>"Undo"</button> })}
                </p>
            })}
        </div>
    }
}

/// Content of a chosen file: scenarios that can be added, and errors of the others.
#[component]
fn Offered(workspace: Workspace) -> impl IntoView {
    let add = move |_| {
        if let Some((_, Ok(import))) = workspace.offer.get_untracked() {
            let count = library::import_entries(&mut Browser, &import.entries, now);
            let rest = match count == import.entries.len() {
                true => "",
                false => NOT_KEPT,
            };
            workspace.offer.set(None);
            workspace.done(format!("{} added. {rest}", scenarios(count)));
        }
    };
    move || {
        workspace.offer.get().map(|(file, import)| {
            let (entries, faults) = match import {
                Ok(import) => (import.entries, import.faults),
                Err(fault) => (Vec::new(), vec![fault]),
            };
            let holds = match entries.len() {
                0 => format!("{file}: nothing can be added."),
                count => format!("{file}: {} can be added:", scenarios(count)),
            };
            let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
            view! {
                <section class="broken" id="workspace-offer" aria-label="File to import">
                    <p role="status">{holds}" "{names.join(", ")}</p>
                    <ul class="faults">
                        {faults.into_iter().map(|fault| view! { <li>{fault.message}"."</li> }).collect_view()}
                    </ul>
                    <span class="acts">
                        {(!names.is_empty()).then(|| view! {
                            <button class="btn small" id="workspace-add" on:click=add>"Add"</button>
                        })}
                        <button class="btn quiet small" on:click=move |_| workspace.offer.set(None)>"Cancel"</button>
                    </span>
                </section>
            }
        })
    }
}

fn scenarios(count: usize) -> String {
    match count {
        1 => "1 scenario".to_owned(),
        many => format!("{many} scenarios"),
    }
}

fn row(workspace: Workspace, questions: Questions, line: SavedLine) -> impl IntoView {
    let SavedLine {
        id,
        name,
        question,
        edited,
        fault,
    } = line;
    let is_here = workspace.tab.with_value(|tab| tab.at() == id);
    let is_elsewhere = {
        let id = id.clone();
        move || workspace.elsewhere.with(|ids| ids.contains(&id))
    };
    let label = |verb: &str| format!("{verb} {name}");
    let (of_open, of_copy, of_name) = (id.clone(), id.clone(), id.clone());
    let before = name.clone();
    let gone = (id, name.clone());
    let delete = move |_| workspace.delete(&gone.0, &gone.1);
    let acts = fault.is_none().then(|| view! {
        <button
            class="btn small"
            aria-label=label("Open")
            on:click=move |_| workspace.open_kept(questions, &of_open)
        >"Open"</button>
        <button
            class="btn quiet small"
            aria-label=label("Duplicate")
            on:click=move |_| workspace.done(match library::duplicate(&mut Browser, &of_copy, &now()) {
                Some(name) => format!("Copied to \u{201c}{name}\u{201d}."),
                None => NOT_KEPT.to_owned(),
            })
        >"Duplicate"</button>
    });
    let shown = match fault {
        Some(fault) => view! { {name.clone()}<small>{fault}</small> }.into_any(),
        None => view! {
            <input
                class="kept-name"
                aria-label=label("Name of")
                autocomplete="off"
                prop:value=name.clone()
                on:change=move |event| {
                    if !workspace.rename(&of_name, &event_target_value(&event)) {
                        event_target::<web_sys::HtmlInputElement>(&event).set_value(&before);
                    }
                }
            />
        }
        .into_any(),
    };
    view! {
        <tr>
            <th scope="row">
                {shown}
                {is_here.then(|| view! { <span class="off-mark">"open now"</span> })}
                {move || is_elsewhere().then(|| view! { <span class="off-mark">"open in another tab"</span> })}
            </th>
            <td>{question.map(names::question)}</td>
            <td>{when(&edited)}</td>
            <td class="acts">
                {acts}
                <button class="btn quiet small" aria-label=label("Delete") on:click=delete>"Delete"</button>
            </td>
        </tr>
    }
}

/// A time where the person is: "31 Jan 2026, 12:00".
fn when(time: &str) -> String {
    if time.is_empty() {
        return String::new();
    }
    let options = js_sys::JSON::parse(r#"{"dateStyle":"medium","timeStyle":"short"}"#);
    let date = js_sys::Date::new(&JsValue::from_str(time));
    date.to_locale_string("en-GB", &options.unwrap_or_default())
        .into()
}

impl Workspace {
    /// Says what was done, and shows what is kept now.
    fn done(self, said: String) {
        self.said.set(Some((said, None)));
        self.turn();
    }

    /// Renames something that is kept, and says whether that was possible.
    fn rename(self, id: &str, typed: &str) -> bool {
        let renamed =
            library::name_of(typed).map(|name| library::rename(&mut Browser, id, name, &now()));
        let is_done = matches!(renamed, Ok(Some(_)));
        self.done(match renamed {
            Ok(Some(name)) => format!("Renamed to \u{201c}{name}\u{201d}."),
            Ok(None) => NOT_KEPT.to_owned(),
            Err(fault) => format!("The {fault}."),
        });
        is_done
    }

    fn delete(self, id: &str, name: &str) {
        if let Some(text) = library::delete(&mut Browser, id) {
            self.mark_kept();
            let gone: Gone = (id.to_owned(), name.to_owned(), text);
            self.said.set(Some((
                format!("Deleted \u{201c}{name}\u{201d}."),
                Some(gone),
            )));
            self.turn();
        }
    }

    /// Opens a saved scenario in the editor of its question, as a step that can be undone.
    fn open_kept(self, questions: Questions, id: &str) {
        address::flush();
        let world = match Tab::default().open(&Browser, id) {
            Ok(world) => world,
            Err(why) => return self.done(format!("Not opened: {why}.")),
        };
        // What another tab has changed since is another scenario.
        if !self.tab.with_value(|tab| tab.has(&Browser, id)) {
            questions.load(world, true);
            let _ = self.change(|tab| tab.open(&Browser, id)); // it was opened a moment ago
            questions.shell.toast.set(Some(Toast {
                text: "Opened.".to_owned(),
                undo: true,
            }));
        }
        self.mark();
        self.turn();
        self.open.set(false);
    }
}
