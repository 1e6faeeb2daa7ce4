//! What can be taken away: the command that gives the same answer, files, print.

use super::TiersState;
use super::state::Shown;
use crate::ui::views::take_away::{FileKind, SaveFile, TakeAway};
use job::tiers::Documented;
use leptos::prelude::*;
use report::tiers::{comparison, front, stages};
use story::Table;

/// A file to save: id, what it is called in its name, its ending, the words on its button, its content.
type File = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    fn(&Shown) -> String,
);

const FILES: [(&str, &[File]); 4] = [
    (
        "Scenario",
        &[("save-scenario", "scenario", "json", "JSON", |shown| {
            shown.scenario.to_json()
        })],
    ),
    ("Plan", &[("save-plan", "plan", "json", "JSON", plan)]),
    (
        "Stages",
        &[
            ("save-stages", "stages", "csv", "CSV", |shown| {
                stages_of(shown).to_csv()
            }),
            ("save-stages-json", "stages", "json", "JSON", |shown| {
                stages_of(shown).to_json()
            }),
        ],
    ),
    (
        "Comparison and front",
        &[
            (
                "save-comparison",
                "comparison",
                "csv",
                "Comparison, CSV",
                |shown| comparison(&shown.scenario, &shown.planned).to_csv(),
            ),
            ("save-front", "front", "csv", "Front, CSV", |shown| {
                front(&shown.planned).to_csv()
            }),
        ],
    ),
];

fn plan(shown: &Shown) -> String {
    let document = Documented {
        scenario: &shown.scenario,
        answer: &shown.planned,
    };
    serde_json::to_string(&document).expect("an answer is words and numbers")
}

fn stages_of(shown: &Shown) -> Table {
    let plan = shown.planned.plan.as_ref();
    plan.map_or_else(Table::default, |plan| stages(&shown.scenario, plan))
}

/// The export block.
#[component]
pub fn Take() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let command = Signal::derive(move || state.common.command());
    let is_known = Memo::new(move |_| state.shown.with(Option::is_some));
    let has_plan = Memo::new(move |_| {
        let shown = state.shown.get();
        shown.is_some_and(|shown| shown.planned.plan.is_some())
    });
    let button = move |group: &'static str, (id, what, ending, label, make): &'static File| {
        let needs_plan = !matches!(*what, "scenario" | "plan");
        let is_ready = Signal::derive(move || is_known.get() && (!needs_plan || has_plan.get()));
        let make = Callback::new(move |()| state.shown.get_untracked().map(|shown| make(&shown)));
        let file = FileKind {
            id,
            what,
            ending,
            label,
        };
        view! { <SaveFile file=file of=group is_ready=is_ready make=make/> }
    };
    let groups = move || {
        FILES
            .iter()
            .map(|(title, files)| {
                let buttons = files.iter().map(|file| button(title, file)).collect_view();
                view! {
                    <dt>{*title}</dt>
                    <dd><span class="item">{buttons}</span></dd>
                }
            })
            .collect_view()
    };
    let checked = Signal::derive(move || {
        let shown = state.shown.get()?;
        let plan = shown.planned.plan.as_ref()?;
        let fit = plan.stages.iter().filter(|stage| stage.mem_ok).count();
        Some(format!(
            "Every split is scored again, block by block, before it is shown: {fit} of {} stages fit. Computed \
             in {:.1}\u{202f}ms.",
            plan.stages.len(),
            shown.millis
        ))
    });
    view! { <TakeAway command=command foot=checked>{groups()}</TakeAway> }
}
