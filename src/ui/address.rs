//! The address bar: the scenario lives in the fragment and survives a reload. A fragment that is a question's name alone,
//! `#tiers`, opens that question as it was left. What is written here, [`workspace`] keeps.
//!
//! A link that cannot be opened takes nothing away: what was on the page stays. Looking at another person's link does not
//! overwrite the scenario worked on last; only an edit does.

use super::lazy_bundle::{self, LazyBundle};
use super::{start, workspace};
use engine::scenario::Question;
use engine::scenario::link::{self, LinkError};
use engine::scenario::world::World;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsValue;

/// Writing waits this long after the last edit [ms]: browsers limit how often an address may change.
const WRITE_AFTER_MS: u32 = 300;

/// Pending address, made when it is written.
struct Writing {
    fragment: Box<dyn Fn() -> Option<String>>,
    _timer: Timeout,
}

thread_local! {
    static WRITING: RefCell<Option<Writing>> = const { RefCell::new(None) };
    /// The fragment that was last read or shown. The address may already hold another one.
    static LAST_FRAGMENT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Content of a fragment.
pub enum Visit {
    /// No fragment.
    Nothing,
    /// All questions.
    Start,
    /// A question, as it was left.
    Question(Question),
    /// A scenario.
    Scenario(Box<World>),
    /// Scenarios to be compared.
    Compare(Vec<World>),
    /// A link that cannot be opened.
    Fault(LinkError),
    /// A link that cannot be read, because the reader could not be loaded.
    Unread,
}

/// Parses the current address. The reader of links is needed for a fragment that is more than a name.
pub fn visited(later: Option<&'static LazyBundle>) -> Visit {
    let fragment = fragment();
    LAST_FRAGMENT.replace(fragment.clone());
    let read = || later.map_or(Visit::Unread, |later| (later.opened)(&fragment));
    named(&fragment).unwrap_or_else(read)
}

/// Parses a fragment that is a name.
fn named(fragment: &str) -> Option<Visit> {
    match fragment.trim_start_matches('#') {
        "" => Some(Visit::Nothing),
        start::NAME => Some(Visit::Start),
        name => Question::find(name).map(Visit::Question),
    }
}

/// Parses any other fragment.
pub fn opened(fragment: &str) -> Visit {
    match link::open_compared(fragment) {
        Some(Ok(worlds)) => return Visit::Compare(worlds),
        Some(Err(fault)) => return Visit::Fault(fault),
        None => {}
    }
    match link::open(fragment) {
        Ok(world) => Visit::Scenario(Box::new(world)),
        Err(fault) => Visit::Fault(fault),
    }
}

/// Returns true if the address only names a question.
pub fn is_name() -> bool {
    matches!(named(&fragment()), Some(Visit::Question(_)))
}

/// The question that a fragment names before its scenario, however damaged that is.
pub fn question_named() -> Option<Question> {
    let fragment = fragment();
    let name = fragment.trim_start_matches('#').split('/').next()?;
    Question::find(name)
}

/// Calls `visit` with every other link that is opened in the same tab; what waits to be written is written when
/// the page goes away.
pub fn follow(visit: impl Fn(Visit) + Clone + 'static) {
    let listener = EventListener::new(&window(), "hashchange", move |_| {
        // An edit just before is kept, but the address is the new link's.
        flush();
        let asked = fragment();
        if named(&asked).is_some() {
            return visit(visited(None));
        }
        let visit = visit.clone();
        leptos::task::spawn_local(async move {
            let later = lazy_bundle::load().await.ok();
            // The user may have gone elsewhere meanwhile.
            if fragment() == asked {
                visit(visited(later));
            }
        });
    });
    listener.forget(); // as long as the page lives
    EventListener::new(&window(), "pagehide", |_| write_now()).forget();
}

/// Writes the address and keeps the scenario, soon.
pub fn schedule_write(fragment: Box<dyn Fn() -> Option<String>>) {
    let writing = Writing {
        fragment,
        _timer: Timeout::new(WRITE_AFTER_MS, write_now),
    };
    WRITING.with(|slot| slot.replace(Some(writing)));
}

/// Keeps what still waits to be written, if anything does, and leaves the address as it is.
pub fn flush() {
    if let Some(fragment) = written() {
        workspace::save(&fragment);
    }
}

/// Takes the pending address, if it can be made by now.
fn written() -> Option<String> {
    let writing = WRITING.with(RefCell::take)?;
    let fragment = (writing.fragment)();
    if fragment.is_none() {
        schedule_write(writing.fragment);
    }
    fragment
}

/// Writes what still waits to be written, if anything does.
fn write_now() {
    if let Some(fragment) = written() {
        workspace::save(&fragment);
        show(&fragment);
    }
}

/// Shows a link at once, before it is shared, and says which it is; what waits to be written is kept.
pub fn write(fragment: &str) -> String {
    flush();
    show(fragment);
    with_page(fragment)
}

/// Shows a link in the address without keeping it. A link that was pressed just now and is not yet read is followed, not
/// overwritten.
pub fn show(fragment: &str) {
    if LAST_FRAGMENT.with_borrow(|known| *known != self::fragment()) {
        return;
    }
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(fragment));
        LAST_FRAGMENT.replace(self::fragment());
    }
}

/// A fragment with the page before it.
pub fn with_page(fragment: &str) -> String {
    let here = window().location().href().unwrap_or_default();
    let page = here.split('#').next().unwrap_or_default();
    format!("{page}{fragment}")
}

/// Returns the fragment behind the address of the page, with the `#`.
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}
