//! The page on paper: what is made when a print begins and gone after it, so that nothing of it costs anything while somebody works.

use gloo::events::EventListener;
use leptos::prelude::*;

/// Whether a print is being made.
#[derive(Clone, Copy)]
pub struct Printing(RwSignal<bool>);

impl Printing {
    /// Listens for prints.
    pub fn listen() -> Self {
        let now = RwSignal::new(false);
        for (event, begins) in [("beforeprint", true), ("afterprint", false)] {
            EventListener::new(&window(), event, move |_| now.set(begins)).forget(); // as long as the page lives
        }
        Self(now)
    }

    /// Whether one is being made, tracked.
    pub fn is_on(self) -> bool {
        self.0.get()
    }
}
