//! Own rows in the browser: kept on this device only, under one key.

use engine::scenario::catalogue::Own;
use gloo::events::EventListener;
use leptos::prelude::*;

/// Where they are kept.
const KEY: &str = "edgewise.catalogue";

/// Loads the user's own rows; none if the browser stores nothing.
pub fn load() -> Own {
    let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    kept.map(|text| Own::read(&text)).unwrap_or_default()
}

/// Keeps all rows, and says whether the browser did.
pub fn save(own: &Own) -> bool {
    storage().is_some_and(|storage| storage.set_item(KEY, &own.to_json()).is_ok())
}

/// Hears of rows that another tab keeps.
pub fn follow(own: RwSignal<Own>) {
    EventListener::new(&window(), "storage", move |_| {
        let kept = load();
        if own.with_untracked(|own| *own != kept) {
            own.set(kept);
        }
    })
    .forget();
}

/// Asked for each time: a browser may refuse it at any time.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
