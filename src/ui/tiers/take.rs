//! What can be taken away: the command that gives the same answer, files, print.

use super::TiersState;
use super::state::Shown;
use crate::job::tiers::Documented;
use crate::report::table::Table;
use crate::report::tiers::{comparison, front, stages};
use crate::scenario::link;
use crate::ui::download;
use crate::ui::views::icons::{Glyph, Icon};
use leptos::prelude::*;

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
    let command = Memo::new(move |_| {
        state
            .scenario
            .with(|scenario| format!("edgewise run '{}'", link::encode_tiers(scenario)))
    });
    let is_known = Memo::new(move |_| state.shown.with(Option::is_some));
    let has_plan = Memo::new(move |_| {
        let shown = state.shown.get();
        shown.is_some_and(|shown| shown.planned.plan.is_some())
    });
    let button = move |group: &'static str, (id, what, ending, label, make): &'static File| {
        let needs_plan = !matches!(*what, "scenario" | "plan");
        view! {
            <button
                class="btn small"
                id=*id
                aria-label=format!("Save {}: {label}", group.to_lowercase())
                disabled=move || !is_known.get() || (needs_plan && !has_plan.get())
                on:click=move |_| {
                    if let Some(shown) = state.shown.get_untracked() {
                        state.save(what, ending, &make(&shown));
                    }
                }
            >
                {*label}
            </button>
        }
    };
    let groups = FILES
        .iter()
        .map(|(title, files)| {
            let buttons = files.iter().map(|file| button(title, file)).collect_view();
            view! {
                <dt>{*title}</dt>
                <dd><span class="item">{buttons}</span></dd>
            }
        })
        .collect_view();
    let checked = move || {
        let shown = state.shown.get()?;
        let plan = shown.planned.plan.as_ref()?;
        let fit = plan.stages.iter().filter(|stage| stage.mem_ok).count();
        Some(format!(
            "Every split is scored again, block by block, before it is shown: {fit} of {} stages fit. Asked and answered \
             in {:.1}\u{202f}ms.",
            plan.stages.len(),
            shown.millis
        ))
    };
    view! {
        <section class="block take" id="take">
            <div class="head"><h2>"Take it with you"</h2></div>
            <div class="cmd">
                <code id="command">{move || command.get()}</code>
                <button
                    class="btn quiet small icon"
                    aria-label="Copy the command"
                    on:click=move |_| {
                        download::copy(&command.get_untracked(), move |copied| state.say_copied("Command", copied));
                    }
                >
                    <Icon glyph=Glyph::Copy/>
                </button>
            </div>
            <dl class="files">{groups}</dl>
            <div class="row">
                <button
                    class="btn small"
                    on:click=|_| {
                        // A browser that does not print says so itself.
                        let _ = window().print();
                    }
                >
                    "Print"
                </button>
            </div>
            <p class="foot">{checked}</p>
        </section>
    }
}
