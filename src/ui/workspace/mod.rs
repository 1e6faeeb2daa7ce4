//! The workspace: named scenarios that the browser keeps, what is on the desks among them, as it is edited. What becomes of a
//! scenario that two tabs write, [`engine::scenario::shelf`] decides; here are the browser and the words.

mod dialog;
mod store;

pub use dialog::Scenarios;

use super::address;
use super::shell::{Banner, Shell};
use engine::problem::Invalid;
use engine::scenario::shelf::{self, Import, Saved, Tab};
use engine::scenario::{Any, Question, link};
use gloo::events::EventListener;
use leptos::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;
use store::{Browser, now};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent, StorageEvent};

/// What a tab asks the others: which scenarios they have open.
const WHICH: &str = "?";

/// A scenario that was deleted: its id, name and text.
type Gone = (String, String, String);

/// A file that was chosen: its name, and what it holds.
type Offer = (String, Result<Import, Invalid>);

/// The workspace of this tab. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Workspace {
    shell: Shell,
    tab: StoredValue<Tab>,
    channel: StoredValue<Option<BroadcastChannel>, LocalStorage>,
    /// Whether it was said that the browser keeps nothing.
    refused: StoredValue<bool>,
    /// How often something that is kept may have changed.
    turn: RwSignal<u32>,
    /// What other tabs have open.
    elsewhere: RwSignal<BTreeSet<String>>,
    /// Whether the dialog is on show.
    open: RwSignal<bool>,
    /// What was done last, and what can be brought back.
    said: RwSignal<Option<(String, Option<Gone>)>>,
    offer: RwSignal<Option<Offer>>,
}

thread_local! {
    static WORKSPACE: Cell<Option<Workspace>> = const { Cell::new(None) };
}

/// Does something with the workspace, once there is one.
fn with<T: Default>(act: impl FnOnce(Workspace) -> T) -> T {
    WORKSPACE.get().map(act).unwrap_or_default()
}

impl Workspace {
    /// Takes over what an earlier version kept, and listens to other tabs.
    pub fn open(shell: Shell) {
        shelf::take_over(&mut Browser, &now().time);
        let workspace = Self {
            shell,
            tab: StoredValue::new(Tab::default()),
            channel: StoredValue::new_local(BroadcastChannel::new("edgewise.workspace").ok()),
            refused: StoredValue::new(false),
            turn: RwSignal::new(0),
            elsewhere: RwSignal::new(BTreeSet::new()),
            open: RwSignal::new(false),
            said: RwSignal::new(None),
            offer: RwSignal::new(None),
        };
        WORKSPACE.set(Some(workspace));
        EventListener::new(&window(), "storage", move |event| {
            let event: &StorageEvent = event.unchecked_ref();
            if let (Some(key), Some(text)) = (event.key(), event.new_value()) {
                let heard = workspace.change(|tab| tab.hear(&mut Browser, &key, &text, &now()));
                if let Some(saved) = heard {
                    workspace.mark_all();
                    workspace.tell(saved);
                }
            }
            workspace.turn();
        })
        .forget(); // as long as the page lives
        workspace.channel.with_value(|channel| {
            let Some(channel) = channel else { return };
            EventListener::new(channel, "message", move |event| {
                let event: &MessageEvent = event.unchecked_ref();
                let said = event.data().as_string().unwrap_or_default();
                if said == WHICH {
                    let ids = workspace
                        .tab
                        .with_value(|tab| tab.all().collect::<Vec<_>>().join(" "));
                    workspace.call(&ids);
                } else {
                    let ids = said.split(' ').map(str::to_owned);
                    workspace.elsewhere.update(|known| known.extend(ids));
                }
            })
            .forget(); // as long as the page lives
        });
    }

    /// Says something to all other tabs.
    fn call(self, words: &str) {
        self.channel.with_value(|channel| {
            if let Some(channel) = channel {
                let _ = channel.post_message(&JsValue::from_str(words)); // marks in a list, no more
            }
        });
    }

    fn turn(self) {
        self.turn.update(|turn| *turn = turn.wrapping_add(1));
    }

    fn change<T>(self, change: impl FnOnce(&mut Tab) -> T) -> T {
        let mut done = None;
        self.tab.update_value(|tab| done = Some(change(tab)));
        done.expect("a value that is there is updated at once")
    }

    /// Says what became of a scenario, and has everything that shows it look again.
    fn tell(self, saved: Saved) {
        let (title, text) = match saved {
            Saved::Same => return,
            Saved::Kept => return self.turn(),
            Saved::Beside { from, name } => (
                format!("\u{201c}{from}\u{201d} was also changed in another tab."),
                format!(
                    "Nothing is lost: this tab continues with \u{201c}{name}\u{201d}, and \u{201c}{from}\u{201d} keeps the changes of the other tab."
                ),
            ),
            Saved::Refused if self.refused.get_value() => return,
            Saved::Refused => {
                self.refused.set_value(true);
                (
                    "Your changes are not saved in this browser.".to_owned(),
                    "Its storage is full or switched off. The page works as before; to keep a scenario, copy its link or save it as a file."
                        .to_owned(),
                )
            }
        };
        self.turn();
        self.shell.banner.set(Some(Banner {
            title,
            text,
            alert: true,
            details: None,
        }));
    }

    /// Notes for a reload what lies on the desk of a question.
    fn mark(self, question: Question) {
        self.tab.with_value(|tab| {
            let id = tab.at(question);
            let what = match shelf::holds(&Browser, &id) {
                true => &id,
                false => tab.link(&id),
            };
            store::set_last(question, what);
        });
    }

    /// Notes it of every desk whose scenario has been kept.
    fn mark_all(self) {
        let is_kept = |q: &Question| self.tab.with_value(|tab| !tab.name(*q).is_empty());
        Question::ALL
            .into_iter()
            .filter(is_kept)
            .for_each(|q| self.mark(q));
    }

    /// Opens the dialog, and asks other tabs what they have open.
    fn show(self) {
        address::settle();
        self.elsewhere.set(BTreeSet::new());
        self.call(WHICH);
        self.said.set(None);
        self.offer.set(None);
        self.open.set(true);
    }
}

/// What lies on the desk of a question when the page opens: what a link brought, else what was worked on last.
pub fn find(question: Question, linked: Option<Any>) -> Option<Any> {
    with(|workspace| {
        let (last, id) = (store::last(question), now().id);
        workspace.change(|tab| {
            if let Some(any) = linked.filter(|any| any.question() == question) {
                tab.arrive(&Browser, &any, &address::fragment(), last.as_deref(), id);
                return Some(any);
            }
            let found = tab.resume(&Browser, question, last.as_deref(), id.clone());
            if found.is_none() {
                tab.lay(question, "", id);
            }
            found
        })
    })
}

/// Keeps what lies on the desk of a question.
pub fn keep(question: Question, fragment: &str) {
    with(|workspace| {
        let title = link::decode(fragment).map(|any| any.title().to_owned());
        let title = title.unwrap_or_default();
        let saved =
            workspace.change(|tab| tab.save(&mut Browser, question, fragment, &title, &now()));
        if saved != Saved::Same {
            workspace.mark(question);
        }
        workspace.tell(saved);
    });
}

/// Something comes onto a desk that is not to be kept before it is changed.
pub fn lay(question: Question, fragment: &str) {
    address::settle();
    with(|workspace| workspace.change(|tab| tab.lay(question, fragment, now().id)));
}

/// What lies on a desk is what this tab works on, also after a reload.
pub fn mark(question: Question) {
    with(|workspace| workspace.mark(question));
}

/// What a desk's scenario is here, for [`go`].
pub fn at(question: Question) -> String {
    with(|workspace| workspace.tab.with_value(|tab| tab.at(question)))
}

/// A step back, or forward, leads to what lay on the desk before.
pub fn go(question: Question, id: &str) {
    if at(question) != id {
        address::settle();
        with(|workspace| {
            workspace.change(|tab| tab.go(question, id));
            workspace.mark(question);
            workspace.turn();
        });
    }
}

/// Whether a file holds scenarios of a workspace.
pub fn holds(text: &str) -> bool {
    shelf::import(text).is_ok()
}

/// Opens the dialog with what a file holds.
pub fn offer(name: &str, text: &str) {
    with(|workspace| {
        workspace.show();
        workspace
            .offer
            .set(Some((name.to_owned(), shelf::import(text))));
    });
}
