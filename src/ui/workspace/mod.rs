//! The workspace: named scenarios in the browser's storage, the edited one among them. What becomes of a
//! scenario that two tabs write, [`engine::scenario::shelf`] decides; here are the browser and the words.

mod dialog;
mod store;

pub use dialog::{Scenarios, ScenariosDialog};
pub use store::{pinned, remember, remembered, set_pinned};

use super::address;
use super::shell::{Banner, Shell};
use engine::problem::Invalid;
use engine::scenario::library::{self, Import, Saved, Tab};
use engine::scenario::world::World;
use gloo::events::EventListener;
use leptos::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;
use store::{Browser, now};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent, StorageEvent};

/// Message by which a tab asks the others which scenarios they have open.
const WHICH: &str = "?";

/// A scenario that was deleted: its id, name and text.
type Gone = (String, String, String);

/// A file that was chosen: its name, and what it holds.
type Offer = (String, Result<Import, Invalid>);

/// The workspace of this tab. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Workspace {
    /// The rest of the page, once it is there.
    shell: StoredValue<Option<Shell>>,
    tab: StoredValue<Tab>,
    channel: StoredValue<Option<BroadcastChannel>, LocalStorage>,
    /// True once the message was shown that the browser stores nothing.
    refused: StoredValue<bool>,
    /// How often something that is kept may have changed.
    turn: RwSignal<u32>,
    /// Scenarios that other tabs have open.
    elsewhere: RwSignal<BTreeSet<String>>,
    /// True while the dialog is open.
    open: RwSignal<bool>,
    /// Message about the last action, and the scenario that can be restored.
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
    /// Listens to other tabs.
    pub fn open() {
        let workspace = Self {
            shell: StoredValue::new(None),
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
                let received =
                    workspace.change(|tab| tab.on_storage_event(&mut Browser, &key, &text, &now()));
                if let Some(saved) = received {
                    workspace.mark_kept();
                    workspace.report_saved(saved);
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
                    workspace.tab.with_value(|tab| workspace.call(tab.at()));
                } else {
                    workspace.elsewhere.update(|known| known.extend([said]));
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
    fn report_saved(self, saved: Saved) {
        let (title, text) = match saved {
            Saved::Same => return,
            Saved::Saved => return self.turn(),
            Saved::SavedCopy { from, name } => (
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
        if let Some(shell) = self.shell.get_value() {
            shell.banner.set(Some(Banner {
                title,
                text,
                alert: true,
                details: None,
            }));
        }
    }

    /// Remembers for a reload which scenario is in the editor, if it has been saved or is to be.
    fn mark(self) {
        self.tab.with_value(|tab| {
            let id = tab.at();
            let what = match library::contains(&Browser, id) {
                true => id,
                false => tab.link(id),
            };
            store::set_last(what);
        });
    }

    /// Marks a scenario as saved that was saved before.
    fn mark_kept(self) {
        if self.tab.with_value(|tab| !tab.name().is_empty()) {
            self.mark();
        }
    }

    /// Opens the dialog, and asks other tabs what they have open.
    fn show(self) {
        address::flush();
        self.elsewhere.set(BTreeSet::new());
        self.call(WHICH);
        self.said.set(None);
        self.offer.set(None);
        self.open.set(true);
    }
}

/// Attaches the shell, which shows messages from then on.
pub fn attach(shell: Shell) {
    with(|workspace| workspace.shell.set_value(Some(shell)));
}

/// The editor holds no saved scenario.
pub fn detach() {
    with(|workspace| workspace.change(|tab| tab.load("", now().id)));
}

/// Returns the scenario that the page opens with: that of a link, or the one worked on last, perhaps in an earlier version.
pub fn find(linked: Option<World>) -> Option<World> {
    with(|workspace| {
        library::take_over(&mut Browser, &now().time);
        let (last, id) = (store::last(), now().id);
        workspace.change(|tab| {
            if let Some(world) = linked {
                tab.arrive(&Browser, &world, &address::fragment(), last.as_deref(), id);
                return Some(world);
            }
            let found = tab.resume(&Browser, last.as_deref(), id.clone());
            if found.is_none() {
                tab.load("", id);
            }
            found
        })
    })
}

/// Saves the scenario in the editor, whose fragment is this one.
pub fn save(fragment: &str) {
    with(|workspace| {
        let Some(shell) = workspace.shell.get_value() else {
            return; // nothing is there yet
        };
        let saved = shell.common.with(|world| {
            workspace.change(|tab| {
                tab.save(&mut Browser, world.question, fragment, &world.title, &now())
            })
        });
        if saved != Saved::Same {
            workspace.mark();
        }
        workspace.report_saved(saved);
    });
}

/// Loads a scenario that is not saved before it is changed.
pub fn load(fragment: &str) {
    address::flush();
    with(|workspace| workspace.change(|tab| tab.load(fragment, now().id)));
}

/// Makes the current scenario the one that this tab reopens after a reload.
pub fn mark() {
    with(Workspace::mark);
}

/// Returns the id of the current scenario, for [`go`].
pub fn at() -> String {
    with(|workspace| workspace.tab.with_value(|tab| tab.at().to_owned()))
}

/// A step back or forward leads to the scenario that was in the editor before.
pub fn go(id: &str) {
    if at() != id {
        address::flush();
        with(|workspace| {
            workspace.change(|tab| tab.go(id));
            workspace.mark();
            workspace.turn();
        });
    }
}

/// Returns true if a file holds scenarios of a workspace.
pub fn is_workspace_file(text: &str) -> bool {
    library::import(text).is_ok()
}

/// Opens the dialog with what a file holds.
pub fn offer(name: &str, text: &str) {
    with(|workspace| {
        workspace.show();
        workspace
            .offer
            .set(Some((name.to_owned(), library::import(text))));
    });
}
