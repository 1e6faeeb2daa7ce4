//! The page on paper: what scenario it is, the link that opens it, and the timeline as drawing and as table.
//! Made when a print begins and gone after it, so that nothing of it costs anything while somebody works.

use super::section::Section;
use super::table::TableView;
use super::timeline::picture_of;
use crate::ui::address;
use crate::ui::canvas::FONT;
use crate::ui::state::State;
use crate::ui::theme::Theme;
use chart::svg;
use engine::scenario::Scenario;
use gloo::events::EventListener;
use leptos::prelude::*;
use report::cold_start::tables as table;
use std::sync::Arc;

/// Width of the drawing [px]: it is scaled to 180 mm, which makes its smallest type 7 points.
const PICTURE_PX: f64 = 860.0;

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

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
pub fn Head() -> impl IntoView {
    let state = expect_context::<State>();
    let Printing(now) = expect_context();
    let head = move || {
        let scenario = state.scenario.get();
        view! {
            <div class="on-paper" id="print-sheet">
                <p><b>{in_words(&scenario)}</b></p>
                <p class="full-link">{address::with_page(&state.fragment())}</p>
            </div>
        }
    };
    move || now.get().then(head)
}

/// The timeline as a drawing and as a table, in place of the picture of the screen.
#[component]
pub fn Drawing() -> impl IntoView {
    let state = expect_context::<State>();
    let theme = expect_context::<Theme>();
    let Printing(now) = expect_context();
    let drawing = move || {
        let shown = state.shown.get()?;
        shown.answer.T?;
        let table = Arc::new(table::timeline(&shown.problem, &shown.answer));
        let drawing = svg(
            &picture_of(&shown, PICTURE_PX),
            &theme.palette().ok()?,
            FONT,
        );
        Some(view! {
            <Section id="print-drawing" title="Timeline" class="on-paper-drawing">
                <div inner_html=drawing.clone()></div>
                <TableView table=Signal::stored(table.clone()) id="print-timeline"/>
            </Section>
        })
    };
    move || now.get().then(drawing)
}

/// The scenario in a line: a printed page has no panel.
fn in_words(scenario: &Scenario) -> String {
    let devices: Vec<String> = scenario
        .devices
        .iter()
        .map(|d| {
            format!(
                "{} ({} TFLOPS, {} MB/s, {} GB, {} m)",
                d.name, d.c_peak_tflops, d.r_mb_s, d.m_gb, d.d_m
            )
        })
        .collect();
    format!(
        "{}: {}, {} tokens, on {}.",
        scenario.title,
        scenario.model.shown_name(),
        scenario.prompt_tokens,
        devices.join(", ")
    )
}
