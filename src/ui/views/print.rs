//! The page on paper: what is made when a print begins and gone after it, so that nothing of it costs anything while the user works.

use crate::ui::address;
use crate::ui::scenario_editor::{EditableScenario, ScenarioEditor};
use gloo::events::EventListener;
use leptos::prelude::*;

/// True while a print is being made.
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

    /// Returns true if one is being made; tracked.
    pub fn is_on(self) -> bool {
        self.0.get()
    }
}

/// Lines printed above the page: the scenario, since a printed page has no panel, and its link.
#[component]
pub fn OnPaper<S: EditableScenario>(
    /// The scenario editor.
    editor: ScenarioEditor<S>,
    /// The scenario in a line.
    words: fn(&S) -> String,
) -> impl IntoView {
    let printing = expect_context::<Printing>();
    let head = move || {
        view! {
            <div class="on-paper" id="print-sheet">
                <p><b>{editor.scenario.with(|scenario| words(scenario))}</b></p>
                <p class="full-link">{address::with_page(&editor.fragment().unwrap_or_default())}</p>
            </div>
        }
    };
    move || printing.is_on().then(head)
}
