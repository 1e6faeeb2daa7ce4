//! The address bar and what the browser keeps: the scenario lives in the fragment and survives a reload.
//!
//! A link that cannot be opened takes nothing away: what was on the page stays. Looking at somebody's link does not overwrite the scenario worked on last; only an
//! edit does.

use crate::scenario::link::{self, LinkError};
use crate::scenario::{Scenario, presets};
use gloo::events::EventListener;
use gloo::storage::{LocalStorage, Storage};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// Where the scenario worked on last is kept, as a link.
const KEPT: &str = "edgewise.scenario";
/// Writing waits this long after the last edit [ms]: browsers limit how often an address may change.
const WRITE_AFTER_MS: u32 = 300;

thread_local! {
    /// What is to be written, and the timer that will.
    static WRITING: RefCell<Option<(Arc<Scenario>, Timeout)>> = const { RefCell::new(None) };
}

/// What a visit begins with.
pub struct Opened {
    /// The scenario.
    pub scenario: Scenario,
    /// Whether it is the one worked on last.
    pub is_kept: bool,
    /// Why the link of the address was not opened, if it was not.
    pub fault: Option<LinkError>,
}

/// Opens the fragment of the address, else what was kept, else the paper's scenario.
pub fn open() -> Opened {
    let fragment = fragment();
    let fault = match link::decode(&fragment) {
        Ok(scenario) => {
            return Opened {
                scenario,
                is_kept: false,
                fault: None,
            };
        }
        Err(_) if fragment.len() <= 1 => None,
        Err(fault) => Some(fault),
    };
    let kept = kept();
    Opened {
        is_kept: kept.is_some(),
        scenario: kept.unwrap_or_else(presets::paper),
        fault,
    }
}

/// Calls `visit` with every other link that is opened in the same tab; what waits to be written is written when
/// the page goes away.
pub fn follow(visit: impl Fn(Result<Scenario, LinkError>) + 'static) {
    let listener = EventListener::new(&window(), "hashchange", move |_| {
        // An edit just before is kept, but the address is the new link's.
        if let Some((edited, _)) = WRITING.with(RefCell::take) {
            keep(&link::encode(&edited));
        }
        let fragment = fragment();
        if fragment.len() > 1 {
            visit(link::decode(&fragment));
        }
    });
    listener.forget(); // as long as the page lives
    EventListener::new(&window(), "pagehide", |_| write_now()).forget();
}

/// Writes the scenario to the address and keeps it, soon. A scenario without a fleet is no link: the one before it
/// stays.
pub fn write_soon(scenario: Arc<Scenario>) {
    if scenario.is_empty() {
        return;
    }
    let timer = Timeout::new(WRITE_AFTER_MS, write_now);
    WRITING.with(|slot| slot.replace(Some((scenario, timer))));
}

/// Writes what still waits to be written, if anything does.
fn write_now() {
    if let Some((scenario, _)) = WRITING.with(RefCell::take) {
        write(&scenario);
    }
}

/// Writes at once, before a link is shared.
pub fn write(scenario: &Scenario) -> String {
    WRITING.with(|slot| slot.replace(None));
    let fragment = link::encode(scenario);
    keep(&fragment);
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment));
    }
    with_page(&fragment)
}

/// The link of a scenario, written nowhere.
pub fn link(scenario: &Scenario) -> String {
    with_page(&link::encode(scenario))
}

fn with_page(fragment: &str) -> String {
    let here = window().location().href().unwrap_or_default();
    let page = here.split('#').next().unwrap_or_default();
    format!("{page}{fragment}")
}

fn keep(fragment: &str) {
    // Private windows may refuse to keep anything; the address still holds the scenario.
    let _ = LocalStorage::set(KEPT, fragment);
}

fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

fn kept() -> Option<Scenario> {
    let fragment: String = LocalStorage::get(KEPT).ok()?;
    link::decode(&fragment).ok()
}
