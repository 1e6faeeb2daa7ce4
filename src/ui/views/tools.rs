//! Dialogs that add machines to the fleet of any question: catalogue, pasted table, random fleet. They edit the shared scenario,
//! so that a table has the same columns everywhere; missing numbers are assumed.

use super::catalogue::OpenCatalogue;
use super::paste::{Paste, TableKind};
use super::random::RandomFleet;
use crate::ui::questions::Questions;
use crate::ui::scenario_editor::EditableScenario;
use engine::problem::Invalid;
use engine::scenario::catalogue::CatalogueKind;
use engine::scenario::world::{Owner, QuestionView, World};
use engine::scenario::{Any, Question, Scenario};
use leptos::prelude::*;
use protocol::assumed::groups;

/// The buttons, with their dialogs.
#[component]
pub fn FleetTools() -> impl IntoView {
    view! {
        <OpenCatalogue id="from-catalogue" kind=CatalogueKind::Device label="From the catalogue"/>
        <Paste table=TableKind::Fleet/>
        <RandomFleet/>
    }
}

/// A button that opens a dialog about the scenario of all questions, which then knows what is shown.
#[component]
pub fn Opener(id: String, label: &'static str, open: RwSignal<bool>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    view! {
        <button class="btn quiet small" id=id aria-haspopup="dialog" on:click=move |_| {
            questions.take_over();
            open.set(true);
        }>
            {label}
        </button>
    }
}

/// The scenario as cold start sees it, if it can.
pub fn cold(world: &World) -> Option<Scenario> {
    match world.view(Question::ColdStart).ok()?.scenario {
        Any::ColdStart(scenario) => Some(*scenario),
        _ => None,
    }
}

/// Changes the scenario as cold start sees it, as one step to undo; ranges follow their numbers, and that is said.
///
/// # Errors
/// Cold start or the open question cannot take the scenario, which stays as it was.
pub fn change_cold(
    questions: Questions,
    change: impl FnOnce(&mut Scenario, &mut Vec<u32>),
) -> Result<(), Invalid> {
    let mut said = Vec::new();
    questions.change_as::<Scenario>(|scenario, rows| {
        let before = scenario.clone();
        change(scenario, rows);
        said = scenario.adjust_dependents(&before, &before);
        scenario.fits()
    })?;
    if !said.is_empty() {
        questions.shell.announce(said.join(" "));
    }
    Ok(())
}

/// How a question sees what is about to be the scenario.
///
/// # Errors
/// The question cannot take the scenario.
pub fn fits(world: &World, question: Question) -> Result<QuestionView, Invalid> {
    let view = world.view(question)?;
    if let Any::ColdStart(cold) = &view.scenario {
        cold.problem()?;
    }
    Ok(view)
}

/// Describes the assumptions of a question about machines, and counts the machines that it leaves out.
pub fn assumed_of_machines(world: &World, view: &QuestionView) -> Vec<String> {
    let mut view = view.clone();
    view.assumed
        .retain(|one| matches!(one.owner, Owner::Machine(_)));
    let all = groups(world, &view);
    let mut said: Vec<String> = all
        .iter()
        .map(|group| format!("Assumed: {}", group.sentence()))
        .collect();
    said.extend(left_out(view.left_out));
    said
}

/// How many machines a question leaves out, if any.
pub fn left_out(count: usize) -> Option<String> {
    let machines = document::counted(count, "machine", "machines");
    (count > 0).then(|| format!("{machines} left out: this question takes no more."))
}
