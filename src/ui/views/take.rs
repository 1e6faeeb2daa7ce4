//! What can be taken away: the command that gives the same answer, files, print.

use super::icons::{Glyph, Icon};
use super::timeline::picture_of;
use crate::job::Documented;
use crate::plot::svg;
use crate::report::reasons::table as reasons_table;
use crate::report::table::{self, Table};
use crate::report::trace::trace;
use crate::scenario::link;
use crate::ui::canvas::FONT;
use crate::ui::download;
use crate::ui::state::{Shown, State};
use crate::ui::theme::Theme;
use leptos::prelude::*;

/// Width of an exported picture [px]: legible on a page and in a slide.
const PICTURE_PX: f64 = 960.0;

/// A file to save.
struct File {
    id: &'static str,
    /// What it is called in its name: `plan`.
    what: &'static str,
    /// The ending of its name.
    ending: &'static str,
    /// The words on its button.
    label: &'static str,
    /// Whether there is one only beside a plan.
    needs_plan: bool,
    make: fn(&Shown, Theme) -> String,
}

/// Things of one kind, each with the files it comes in.
type Group = (&'static str, &'static [(&'static str, &'static [File])]);

/// Everything there is to save.
const GROUPS: [Group; 4] = [
    (
        "Scenario",
        &[(
            "",
            &[File {
                id: "save-scenario",
                what: "scenario",
                ending: "json",
                label: "JSON",
                needs_plan: false,
                make: |shown, _| shown.scenario.to_json(),
            }],
        )],
    ),
    (
        "Plan",
        &[(
            "",
            &[
                File {
                    id: "save-plan",
                    what: "plan",
                    ending: "json",
                    label: "JSON",
                    needs_plan: false,
                    make: plan,
                },
                File {
                    id: "save-trace",
                    what: "trace",
                    ending: "json",
                    label: "Chrome trace",
                    needs_plan: true,
                    make: |shown, _| trace(&shown.problem, &shown.answer).to_json(),
                },
            ],
        )],
    ),
    (
        "Tables",
        &[
            (
                "Timeline",
                &[
                    File {
                        id: "save-timeline",
                        what: "timeline",
                        ending: "csv",
                        label: "CSV",
                        needs_plan: true,
                        make: |shown, _| timeline(shown).to_csv(),
                    },
                    File {
                        id: "save-timeline-json",
                        what: "timeline",
                        ending: "json",
                        label: "JSON",
                        needs_plan: true,
                        make: |shown, _| timeline(shown).to_json(),
                    },
                ],
            ),
            (
                "Where the time goes",
                &[
                    File {
                        id: "save-reasons",
                        what: "reasons",
                        ending: "csv",
                        label: "CSV",
                        needs_plan: true,
                        make: |shown, _| reasons(shown).to_csv(),
                    },
                    File {
                        id: "save-reasons-json",
                        what: "reasons",
                        ending: "json",
                        label: "JSON",
                        needs_plan: true,
                        make: |shown, _| reasons(shown).to_json(),
                    },
                ],
            ),
            (
                "Simple splits",
                &[
                    File {
                        id: "save-comparison",
                        what: "comparison",
                        ending: "csv",
                        label: "CSV",
                        needs_plan: false,
                        make: |shown, _| comparison(shown).to_csv(),
                    },
                    File {
                        id: "save-comparison-json",
                        what: "comparison",
                        ending: "json",
                        label: "JSON",
                        needs_plan: false,
                        make: |shown, _| comparison(shown).to_json(),
                    },
                ],
            ),
        ],
    ),
    (
        "Pictures",
        &[(
            "Timeline",
            &[File {
                id: "save-picture",
                what: "timeline",
                ending: "svg",
                label: "SVG",
                needs_plan: true,
                make: picture,
            }],
        )],
    ),
];

fn plan(shown: &Shown, _: Theme) -> String {
    let document = Documented {
        scenario: &shown.scenario,
        answer: &shown.answer,
    };
    serde_json::to_string(&document).expect("an answer is words and numbers")
}

fn timeline(shown: &Shown) -> Table {
    table::timeline(&shown.problem, &shown.answer)
}

fn comparison(shown: &Shown) -> Table {
    table::comparison(&shown.problem, &shown.answer)
}

fn reasons(shown: &Shown) -> Table {
    reasons_table(
        &shown.problem,
        shown.answer.timeline.as_deref().unwrap_or_default(),
    )
}

fn picture(shown: &Shown, theme: Theme) -> String {
    let picture = picture_of(shown, PICTURE_PX);
    let palette = theme.palette();
    palette
        .map(|palette| svg(&picture, &palette, FONT))
        .unwrap_or_default()
}

/// The export block.
#[component]
pub fn Take() -> impl IntoView {
    let state = expect_context::<State>();
    let theme = expect_context::<Theme>();
    let command = Memo::new(move |_| {
        state
            .scenario
            .with(|scenario| format!("edgewise run '{}'", link::encode(scenario)))
    });
    // What there is to save: nothing yet, an answer, an answer with a plan.
    let level = Memo::new(move |_| {
        let shown = |s: &Option<_>| {
            s.as_ref()
                .map(|s: &std::sync::Arc<Shown>| s.answer.T.is_some())
        };
        state.shown.with(shown).map_or(0, |plan| 1 + u8::from(plan))
    });
    let button = move |group: &'static str, item: &'static str, file: &'static File| {
        let of = if item.is_empty() { group } else { item };
        view! {
            <button
                class="btn small"
                id=file.id
                aria-label=format!("Save {}: {}", of.to_lowercase(), file.label)
                disabled=move || level.get() < 1 + u8::from(file.needs_plan)
                on:click=move |_| {
                    if let Some(shown) = state.shown.get_untracked() {
                        state.save(file.what, file.ending, &(file.make)(&shown, theme));
                    }
                }
            >
                {file.label}
            </button>
        }
    };
    let group = move |(title, items): Group| {
        let items = items
            .iter()
            .map(|(item, files)| {
                let buttons = files
                    .iter()
                    .map(|file| button(title, item, file))
                    .collect_view();
                view! { <span class="item">{*item}{buttons}</span> }
            })
            .collect_view();
        view! {
            <dt>{title}</dt>
            <dd>{items}</dd>
        }
    };
    let checked = move || {
        state.shown.get().and_then(|shown| {
            let stages = shown.answer.timeline.as_ref()?;
            let fit = stages.iter().filter(|s| s.mem_ok).count();
            let total = shown.answer.T?;
            Some(format!(
                "Every plan is scored again, from the equations alone, before it is shown: {fit} of {} stages fit, the \
                 timeline adds up to {total:.4}\u{202f}s. Asked and answered in {:.1}\u{202f}ms.",
                stages.len(),
                shown.millis
            ))
        })
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
            <dl class="files">{GROUPS.map(group).collect_view()}</dl>
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
