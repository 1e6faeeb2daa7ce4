//! Answers that are pinned to be compared with the one shown: A, then B, and what is shown last. A link that compares brings
//! its own; a tab that is loaded again has its pins as they were, answered again.

use super::address;
use super::download;
use super::questions::Questions;
use super::workspace;
use document::Story;
use document::compare::{MOST, NAMES, compared};
use engine::scenario::link;
use engine::scenario::world::World;
use leptos::prelude::*;
use std::sync::Arc;

/// An answer that is pinned.
#[derive(Debug, PartialEq)]
pub struct Pinned {
    /// The answer.
    pub story: Story,
    /// Its scenario.
    pub world: World,
}

/// The pinned answers. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Pins {
    /// The questions that are asked.
    pub questions: Questions,
    /// Pinned answers, A first.
    pub all: RwSignal<Vec<Arc<Pinned>>>,
    /// Scenarios of a link that are opened one after the other and pinned, all but the last.
    waiting: RwSignal<Vec<World>>,
}

/// Restores the pins of the page, and stores them from now on.
pub fn follow() {
    expect_context::<Pins>().follow();
}

impl Pins {
    /// None yet; those of the link that the page was opened with [follow].
    pub fn new(questions: Questions) -> Self {
        Self {
            questions,
            all: RwSignal::new(Vec::new()),
            waiting: RwSignal::new(Vec::new()),
        }
    }

    /// Brings those of a link, and those that this tab had, and notes what is pinned.
    fn follow(self) {
        let (pins, questions) = (self, self.questions);
        Effect::new(move |_| {
            if let Some(worlds) = questions.to_compare.get() {
                questions.to_compare.set(None);
                pins.open_worlds(worlds);
            }
        });
        // The answer to a scenario of a link is pinned once it is there, and the next is opened.
        Effect::new(move |_| {
            if pins.waiting.with(Vec::is_empty) || questions.story().is_none() {
                return;
            }
            pins.pin();
            let mut rest = pins.waiting.get_untracked();
            questions.load(rest.remove(0), false);
            pins.waiting.set(rest);
        });
        // Those that this tab had, after the first answer.
        let noted = workspace::pinned().into_iter();
        let noted: Vec<World> = noted.filter_map(|one| link::open(&one).ok()).collect();
        let noted = StoredValue::new(noted);
        Effect::new(move |_| {
            if noted.with_value(Vec::is_empty) || questions.story().is_none() {
                return;
            }
            let mut worlds = noted.get_value();
            noted.set_value(Vec::new());
            let is_new = pins.all.with_untracked(Vec::is_empty) && !pins.is_bringing();
            if let Some(now) = questions.world_if_any().filter(|_| is_new) {
                worlds.push(now);
                pins.open_worlds(worlds);
            }
        });
        Effect::new(move |_| {
            let links: Vec<String> = pins
                .all
                .with(|all| all.iter().map(|pin| link::encode(&pin.world)).collect());
            // Until all have been restored, the stored ones stay.
            if !pins.is_bringing() && noted.with_value(Vec::is_empty) {
                workspace::set_pinned(&links);
            }
        });
    }

    fn is_bringing(&self) -> bool {
        self.waiting.with_untracked(|waiting| !waiting.is_empty())
    }

    fn open_worlds(&self, worlds: Vec<World>) {
        let mut worlds = worlds.into_iter();
        if let Some(first) = worlds.next() {
            self.all.set(Vec::new());
            self.questions.load(first, false);
            self.waiting.set(worlds.collect());
        }
    }

    /// Returns true if another answer can be pinned.
    pub fn has_room(&self) -> bool {
        self.all.with(|all| all.len() + 1 < MOST)
    }

    /// Pins the answer shown.
    pub fn pin(&self) {
        let now = untrack(|| self.questions.story().zip(self.questions.world_if_any()));
        match now {
            Some((story, world)) => self
                .all
                .update(|all| all.push(Arc::new(Pinned { story, world }))),
            None => self
                .questions
                .shell
                .announce("The answer is still being computed; pin it once it is there."),
        }
    }

    /// Takes a pin away.
    pub fn remove(&self, pin: &Arc<Pinned>) {
        self.all
            .update(|all| all.retain(|other| !Arc::ptr_eq(other, pin)));
    }

    /// Opens the scenario of a pin again.
    pub fn show(&self, pin: &Pinned) {
        self.questions.load(pin.world.clone(), true);
    }

    /// The pins of the open question, by what they are called.
    pub fn of_question(&self) -> Vec<(&'static str, Arc<Pinned>)> {
        let question = self.questions.shell.question.get();
        let mut all = self.all.get();
        all.retain(|pin| pin.story.question == question.name());
        NAMES.into_iter().zip(all).collect()
    }

    /// Lists the values of a quantity in the pinned answers: `A 2.562 s`.
    pub fn pinned_values(&self, key: &str) -> Option<String> {
        let noted = |(name, pin): &(&'static str, Arc<Pinned>)| {
            let found = pin.story.quantities().find(|one| one.key == key)?;
            Some(format!("{name} {}", found.text()))
        };
        let all: Vec<String> = self.of_question().iter().filter_map(noted).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Returns the comparison of the pinned answers and the shown one; `None` without a pin or an answer.
    pub fn differences(&self) -> Option<Story> {
        let pins = self.of_question();
        if pins.is_empty() {
            return None;
        }
        let now = self.questions.story()?;
        let all: Vec<&Story> = pins
            .iter()
            .map(|(_, pin)| &pin.story)
            .chain([&now])
            .collect();
        Some(compared(&all, String::new()))
    }

    /// The link that opens the pins and what is shown side by side.
    pub fn link(&self) -> Option<String> {
        let world = untrack(|| self.questions.world_if_any())?;
        let pins = untrack(|| self.of_question());
        let worlds: Vec<World> = pins
            .iter()
            .map(|(_, pin)| pin.world.clone())
            .chain([world])
            .collect();
        Some(address::with_page(&link::encode_compared(&worlds)))
    }

    /// Puts that link on the clipboard.
    pub fn copy_link(&self) {
        let shell = self.questions.shell;
        if let Some(link) = self.link() {
            download::copy(&link, move |copied| {
                shell.say_copied("Link to the comparison", copied)
            });
        }
    }
}
