//! A fleet without a machine that could work: what to do about it, in place of an answer. The same for every question.

use super::fleet::{self, FleetRows};
use crate::ui::questions::Questions;
use crate::ui::scenario_editor::ScenarioEditor;
use leptos::prelude::*;

/// View in place of an answer without machines.
#[component]
pub fn Empty<S: FleetRows>(
    editor: ScenarioEditor<S>,
    /// The question in words.
    question: &'static str,
    /// Purpose of adding a machine: "to see a timeline".
    aim: &'static str,
    /// Label of the button with the paper's scenario.
    papers: &'static str,
    /// The paper's scenario.
    scenario: fn() -> S,
) -> impl IntoView {
    let row = S::ROW;
    let lead = move || {
        if editor.scenario.with(|s| s.rows().is_empty()) {
            format!("Add a {row} {aim}.")
        } else {
            format!("Every {row} is switched off. Switch one on, or add another, {aim}.")
        }
    };
    view! {
        <section class="answer" id="empty" aria-live="polite">
            <p class="question">{question}</p>
            <h1>{format!("No {row}, no answer yet.")}</h1>
            <p class="lead">{lead}</p>
            <div class="row">
                <button class="btn primary" id=format!("first-{row}") on:click=move |_| fleet::add_copy(editor)>{format!("Add a {row}")}</button>
                <button class="btn" on:click=move |_| editor.replace(scenario())>{papers}</button>
                <Undo/>
            </div>
        </section>
    }
}

/// Takes the last step back.
#[component]
pub fn Undo() -> impl IntoView {
    let questions = expect_context::<Questions>();
    view! { <button class="btn" on:click=move |_| questions.step_back()>"Undo"</button> }
}
