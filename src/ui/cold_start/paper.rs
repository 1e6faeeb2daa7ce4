//! A cold start on paper: the scenario in a line, and the timeline as drawing and as table.

use crate::ui::lazy_bundle::lazy_view;
use crate::ui::views::print::Printing;
use engine::scenario::Scenario;
use leptos::prelude::*;

/// The timeline as a drawing and as a table, in place of the picture of the screen.
#[component]
pub fn Drawing() -> impl IntoView {
    let printing = expect_context::<Printing>();
    move || {
        printing
            .is_on()
            .then(|| lazy_view(|later| (later.printed)("picture")))
    }
}

/// The scenario in a line: a printed page has no panel.
pub fn in_words(scenario: &Scenario) -> String {
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
