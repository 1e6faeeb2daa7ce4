//! Own rows in the browser: kept on this device only, under one key.

use engine::scenario::catalogue::OwnRows;
use gloo::events::EventListener;
use leptos::prelude::*;

/// Where they are kept.
const KEY: &str = "edgewise.catalogue";

/// Loads the user's own rows; none if the browser stores nothing.
pub fn load() -> OwnRows {
    let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    kept.map(|text| OwnRows::read(&text)).unwrap_or_default()
}

/// Keeps all rows, and says whether the browser did.
pub fn save(own: &OwnRows) -> bool {
    storage().is_some_and(|storage| storage.set_item(KEY, &own.to_json()).is_ok())
}

/// Is notified of rows that another tab stores.
pub fn follow(own: RwSignal<OwnRows>) {
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
