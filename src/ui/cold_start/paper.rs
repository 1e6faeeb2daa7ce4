//! A cold start on paper: what scenario it is, the link that opens it, and the timeline as drawing and as table.

use super::ColdStartState;
use crate::ui::address;
use crate::ui::told::Printed;
use crate::ui::views::print::Printing;
use engine::scenario::Scenario;
use leptos::prelude::*;

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
pub fn Head() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let printing = expect_context::<Printing>();
    let head = move || {
        let scenario = state.scenario.get();
        view! {
            <div class="on-paper" id="print-sheet">
                <p><b>{in_words(&scenario)}</b></p>
                <p class="full-link">{address::with_page(&state.fragment())}</p>
            </div>
        }
    };
    move || printing.is_on().then(head)
}

/// The timeline as a drawing and as a table, in place of the picture of the screen.
#[component]
pub fn Drawing() -> impl IntoView {
    let printing = expect_context::<Printing>();
    move || printing.is_on().then(|| view! { <Printed of="picture"/> })
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
