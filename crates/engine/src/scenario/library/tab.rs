//! A browser tab: the scenario in its editor, and what was stored of it. Decides what becomes of a scenario that two tabs write.

use super::{KeyValueStore, PREFIX, SavedEntry, WriteStamp, free, key, latest};
use crate::scenario::world::World;
use crate::scenario::{Question, link};
use std::collections::BTreeMap;

/// Result of saving a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// It is as it was found.
    Same,
    /// It is kept.
    Saved,
    /// Another tab has changed `from`, so this one is saved as a copy called `name`.
    SavedCopy {
        /// Former name.
        from: String,
        /// New name.
        name: String,
    },
    /// The store keeps nothing more.
    Refused,
}

/// A scenario that a tab has, or had, in its editor.
#[derive(Debug, Clone, Default)]
struct OpenedScenario {
    /// The scenario as it was last found or kept.
    link: String,
    /// Its name in the library; empty if it was never saved.
    name: String,
    /// The last write that this one goes back to without a gap.
    last_seen_write: String,
    /// True if this tab wrote `link`.
    wrote: bool,
    /// Id under which the work goes on.
    now: Option<String>,
}

/// A tab: the shared scenario in its editor.
#[derive(Debug, Clone, Default)]
pub struct Tab {
    open: String,
    known: BTreeMap<String, OpenedScenario>,
}

impl Tab {
    /// The id of the scenario in the editor; it may not be in the library yet.
    #[must_use]
    pub fn at(&self) -> &str {
        &self.open
    }

    /// The name of the scenario in the editor; empty if it is not in the library yet.
    #[must_use]
    pub fn name(&self) -> &str {
        let known = self.known.get(&self.open);
        known.map_or("", |known| &known.name)
    }

    /// The scenario with this id as this tab last found or kept it.
    #[must_use]
    pub fn link(&self, id: &str) -> &str {
        self.known.get(id).map_or("", |known| &known.link)
    }

    /// Returns true if the open scenario equals its saved version.
    pub fn has(&self, store: &impl KeyValueStore, id: &str) -> bool {
        let kept = store
            .get(&key(id))
            .and_then(|text| SavedEntry::read(&text).ok());
        self.open == id && kept.is_some_and(|entry| entry.link == self.link(id))
    }

    /// Opens a scenario that is not in the library: it becomes a new entry when it is changed.
    pub fn load(&mut self, link: &str, id: String) {
        let known = OpenedScenario {
            link: link.to_owned(),
            ..OpenedScenario::default()
        };
        self.known.insert(id.clone(), known);
        self.open = id;
    }

    /// Opens an entry of the library in the editor.
    ///
    /// # Errors
    /// Why it cannot be opened; the editor is then unchanged.
    pub fn open(&mut self, store: &impl KeyValueStore, id: &str) -> Result<World, String> {
        let text = store.get(&key(id)).ok_or("it is no longer there")?;
        let entry = SavedEntry::read(&text).map_err(|fault| fault.to_string())?;
        let world = link::open(&entry.link).map_err(|fault| fault.to_string())?;
        let known = OpenedScenario {
            link: entry.link,
            name: entry.name,
            last_seen_write: entry.revision,
            ..OpenedScenario::default()
        };
        self.known.insert(id.to_owned(), known);
        id.clone_into(&mut self.open);
        Ok(world)
    }

    /// Opens what this tab worked on last, which `last` names: an id, or the link of what was not in the library yet. Else
    /// it is what was changed last of all that is kept.
    pub fn resume(
        &mut self,
        store: &impl KeyValueStore,
        last: Option<&str>,
        id: String,
    ) -> Option<World> {
        let before = self.open.clone();
        if let Some(link) = last.filter(|last| last.starts_with('#')) {
            let world = link::open(link).ok()?;
            self.load(link, id);
            return Some(world);
        }
        let others = latest(store).into_iter().map(|(_, id)| id);
        let mut ids = last.map(str::to_owned).into_iter().chain(others);
        let world = ids.find_map(|id| self.open(store, &id).ok());
        if world.is_none() {
            self.open = before;
        }
        world
    }

    /// Opens the scenario of a link that the page was opened with: an equal entry of the library, else an unsaved scenario.
    /// `last` is as in [`Self::resume`].
    pub fn arrive(
        &mut self,
        store: &impl KeyValueStore,
        world: &World,
        link: &str,
        last: Option<&str>,
        id: String,
    ) {
        let before = self.open.clone();
        let found = latest(store).into_iter();
        // A link of an older format may be what was worked on last.
        let mut likely =
            found.filter(|(entry, id)| entry.link == link || Some(id.as_str()) == last);
        if likely.any(|(_, id)| self.open(store, &id).is_ok_and(|kept| kept == *world)) {
            return;
        }
        self.open = before;
        self.load(link, id);
    }

    /// Goes back, or forward, to the scenario that was in the editor before.
    pub fn go(&mut self, id: &str) {
        let mut id = id;
        while let Some(next) = self.known.get(id).and_then(|known| known.now.as_deref()) {
            id = next;
        }
        if self.known.contains_key(id) {
            self.open = id.to_owned();
        }
    }

    /// Saves the scenario in the editor, which opens on a question. `title` is its name if it has none yet.
    pub fn save(
        &mut self,
        store: &mut impl KeyValueStore,
        question: Question,
        link: &str,
        title: &str,
        now: &WriteStamp,
    ) -> Saved {
        let id = self.open.clone();
        let known = self.known.get(&id).cloned().unwrap_or_default();
        if known.link == link {
            return Saved::Same;
        }
        let kept = store.get(&key(&id));
        let mut entry = match kept.as_deref().map(SavedEntry::read) {
            Some(Ok(entry)) if entry.link == known.link || entry.link == link => entry,
            Some(other) => {
                let from = other.map_or(known.name, |entry| entry.name);
                return self.save_copy(store, question, &from, link, now);
            }
            None => {
                let title = match known.name.as_str() {
                    "" => title,
                    name => name,
                };
                SavedEntry::new(free(store, title, ""), question.name(), link, "")
            }
        };
        link.clone_into(&mut entry.link);
        question.name().clone_into(&mut entry.question);
        entry.edited.clone_from(&now.time);
        self.put(store, &id, entry, now)
    }

    /// Saves the scenario in the editor under another name, numbered if it is taken, and continues with that one.
    pub fn save_as(
        &mut self,
        store: &mut impl KeyValueStore,
        question: Question,
        link: &str,
        name: &str,
        now: &WriteStamp,
    ) -> Saved {
        let name = free(store, name, "");
        let entry = SavedEntry::new(name, question.name(), link, &now.time);
        let saved = self.put(store, &now.id, entry, now);
        if saved == Saved::Saved {
            self.move_on(now);
        }
        saved
    }

    /// Handles that another tab has written `text` under a key. If this overwrote a scenario of this tab, it is saved again.
    pub fn on_storage_event(
        &mut self,
        store: &mut impl KeyValueStore,
        key: &str,
        text: &str,
        now: &WriteStamp,
    ) -> Option<Saved> {
        let id = key.strip_prefix(PREFIX)?;
        let theirs = SavedEntry::read(text).ok()?;
        let known = self.known.get_mut(id)?;
        if theirs.over == known.last_seen_write {
            known.last_seen_write = theirs.revision;
            return None;
        }
        // What crossed this tab's own write may have lost.
        let kept = store.get(key).and_then(|text| SavedEntry::read(&text).ok());
        let is_safe = |entry: &SavedEntry| entry.link == known.link;
        if !known.wrote || is_safe(&theirs) || kept.as_ref().is_some_and(is_safe) {
            return None;
        }
        known.wrote = false;
        let link = known.link.clone();
        let question = Question::find(&theirs.question)?;
        if self.open == id {
            return Some(self.save_copy(store, question, &theirs.name, &link, now));
        }
        let name = free(store, &theirs.name, "");
        let copy = SavedEntry::new(name.clone(), &theirs.question, &link, &now.time);
        Some(match self.put(store, &now.id, copy, now) {
            Saved::Refused => Saved::Refused,
            _ => Saved::SavedCopy {
                from: theirs.name,
                name,
            },
        })
    }

    /// Saves the scenario in the editor as a copy, since another tab has changed the original.
    fn save_copy(
        &mut self,
        store: &mut impl KeyValueStore,
        question: Question,
        from: &str,
        link: &str,
        now: &WriteStamp,
    ) -> Saved {
        let name = free(store, from, "");
        match self.save_as(store, question, link, &name, now) {
            Saved::Refused => Saved::Refused,
            _ => Saved::SavedCopy {
                from: from.to_owned(),
                name,
            },
        }
    }

    fn put(
        &mut self,
        store: &mut impl KeyValueStore,
        id: &str,
        mut entry: SavedEntry,
        now: &WriteStamp,
    ) -> Saved {
        if !entry.write(store, id, now) {
            return Saved::Refused;
        }
        let known = OpenedScenario {
            link: entry.link,
            name: entry.name,
            last_seen_write: entry.revision,
            wrote: true,
            now: None,
        };
        self.known.insert(id.to_owned(), known);
        Saved::Saved
    }

    /// Continues the open scenario under a new id; later undo steps follow.
    fn move_on(&mut self, now: &WriteStamp) {
        let before = std::mem::replace(&mut self.open, now.id.clone());
        if let Some(known) = self.known.get_mut(&before) {
            known.now = Some(now.id.clone());
        }
    }
}
