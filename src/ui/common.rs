//! The shared scenario on the page. The editor of the open question holds a view of it; what was changed there
//! comes back here before anything else looks: another question, the address, a file.

use engine::problem::Invalid;
use engine::scenario::world::{QuestionView, World};
use engine::scenario::{Any, Question, link};
use leptos::prelude::*;
use std::sync::OnceLock;

/// Writer of links, once it is loaded. No first answer needs it, and every view that edits a scenario loads it.
static WRITER: OnceLock<fn(&World) -> String> = OnceLock::new();

/// Has links be written from now on.
pub fn learn_links() {
    let _ = WRITER.set(link::encode); // it may have been learnt before
}

/// The scenario of all questions, and how the open one sees it. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Common {
    world: StoredValue<World>,
    /// How the question that is open sees it, as last taken over or opened.
    pub view: RwSignal<QuestionView>,
    /// The fragment of its link as it was last written; empty before.
    link: RwSignal<String>,
}

impl Common {
    /// A scenario, and how its question sees it.
    pub fn open(world: World, view: QuestionView) -> Self {
        Self {
            link: RwSignal::default(),
            world: StoredValue::new(world),
            view: RwSignal::new(view),
        }
    }

    /// The scenario as it was last taken over.
    pub fn world(&self) -> World {
        self.world.get_value()
    }

    /// Does something with the scenario as it was last taken over.
    pub fn with<T>(&self, read: impl FnOnce(&World) -> T) -> T {
        self.world.with_value(read)
    }

    /// Another scenario, which is seen so.
    pub fn set(&self, world: World, view: QuestionView) {
        self.world.set_value(world);
        self.view.set(view);
    }

    /// How a question sees it.
    ///
    /// # Errors
    /// The question cannot take the scenario.
    pub fn view_of(&self, question: Question) -> Result<QuestionView, Invalid> {
        self.world.with_value(|world| world.view(question))
    }

    /// Reads the editor of the open question; a row is the machine of its id.
    pub fn absorb(&self, scenario: Any, ids: &[u32]) {
        let view = self.view.get_untracked();
        if view.scenario == scenario && view.rows == ids {
            return;
        }
        let mut seen = None;
        self.world
            .update_value(|world| seen = world.absorb(&view, &scenario, ids).ok());
        // The content of the editor is valid, since it was checked there, and can be viewed; else it is the view itself.
        self.view.set(seen.unwrap_or(QuestionView {
            scenario,
            rows: ids.to_vec(),
            ..view
        }));
    }

    /// The fragment of its link, with the `#`; nothing before [`learn_links`].
    pub fn fragment(&self) -> Option<String> {
        let write = WRITER.get()?;
        let question = self.view.with_untracked(|view| view.scenario.question());
        self.world.update_value(|world| world.question = question);
        let fragment = self.world.with_value(write);
        if self.link.with_untracked(|before| *before != fragment) {
            self.link.set(fragment.clone());
        }
        Some(fragment)
    }

    /// Returns the command that gives the same answer.
    pub fn command(&self) -> String {
        self.link.with(|link| format!("edgewise run '{link}'"))
    }
}
