//! Offers a newer version of the page that the browser has stored. `public/boot.js` reports it and switches to it; nothing
//! changes until the user accepts.

use gloo::events::EventListener;
use leptos::prelude::*;

/// A newer version is kept and waits.
const UPDATE: &str = "edgewise-update";
/// Show the newer version now.
const RELOAD: &str = "edgewise-reload";

/// True while a newer version is on offer.
#[derive(Clone, Copy)]
pub struct UpdateNotice(RwSignal<bool>);

impl UpdateNotice {
    /// Listens for newer versions.
    pub fn listen() -> Self {
        let waiting = RwSignal::new(false);
        // Said more than once, it is one offer: what is shown stays as it is.
        let offered = move |_: &web_sys::Event| {
            waiting.maybe_update(|is_waiting| !std::mem::replace(is_waiting, true));
        };
        EventListener::new(&window(), UPDATE, offered).forget(); // as long as the page lives
        Self(waiting)
    }

    /// Returns true if one is on offer; tracked.
    pub fn is_waiting(self) -> bool {
        self.0.get()
    }

    /// Goes on with this version; the other comes when the page is opened the next time.
    pub fn dismiss(self) {
        self.0.set(false);
    }

    /// Loads the page again in the version that waits.
    pub fn reload(self) {
        self.dismiss();
        if let Ok(event) = web_sys::Event::new(RELOAD) {
            let _ = window().dispatch_event(&event); // no one cancels it
        }
    }
}
