//! Storage of the browser. Everything stays on this device. The browser may refuse at any time, so nothing is cached.

use engine::scenario::library::{KeyValueStore, WriteStamp};
use leptos::prelude::window;
use web_sys::Storage;

/// Storage that all tabs share.
pub struct Browser;

fn local() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

impl KeyValueStore for Browser {
    fn get(&self, key: &str) -> Option<String> {
        local()?.get_item(key).ok().flatten()
    }

    fn set(&mut self, key: &str, text: &str) -> bool {
        local().is_some_and(|storage| storage.set_item(key, text).is_ok())
    }

    fn remove(&mut self, key: &str) {
        if let Some(storage) = local() {
            let _ = storage.remove_item(key); // what cannot be removed is still listed
        }
    }

    fn keys(&self) -> Vec<String> {
        let Some(storage) = local() else {
            return Vec::new();
        };
        let count = storage.length().unwrap_or_default();
        (0..count)
            .filter_map(|at| storage.key(at).ok().flatten())
            .collect()
    }
}

/// A small thing that the browser keeps of how the page looks, if it does.
pub fn remembered(key: &str) -> Option<String> {
    Browser.get(key)
}

/// Has the browser keep it; a browser that does not shows the page as it is at first.
pub fn remember(key: &str, text: &str) {
    Browser.set(key, text);
}

/// A new id, and the time.
pub fn now() -> WriteStamp {
    let id = (js_sys::Math::random() * 2f64.powi(52)) as u64;
    WriteStamp {
        id: format!("{id:x}"),
        time: js_sys::Date::new_0().to_iso_string().into(),
    }
}

/// Where a tab notes what it works on.
const PLACE: &str = "edgewise.open";

/// Where a tab notes what it compares with.
const PINS: &str = "edgewise.pins";

/// Returns the scenario that this tab worked on last, also after a reload: an id, or the link of an unsaved one.
pub fn last() -> Option<String> {
    session_value(PLACE)
}

/// Notes what this tab works on; the address holds the scenario as well.
pub fn set_last(what: &str) {
    note(PLACE, what);
}

/// The links of the pins of this tab, also after a reload.
pub fn pinned() -> Vec<String> {
    let links = session_value(PINS).unwrap_or_default();
    links.lines().map(str::to_owned).collect()
}

/// Notes the links of the pins of this tab.
pub fn set_pinned(links: &[String]) {
    note(PINS, &links.join("\n"));
}

/// Returns a value that only this tab stores.
fn session_value(key: &str) -> Option<String> {
    let session = window().session_storage().ok().flatten()?;
    session.get_item(key).ok().flatten()
}

/// Has it kept as long as the tab is there; a browser that keeps nothing shows the page as it is at first.
fn note(key: &str, text: &str) {
    if let Ok(Some(session)) = window().session_storage() {
        let _ = session.set_item(key, text);
    }
}
