//! What can be taken away: the command that gives the same answer, files, print.

use super::take_away::{FileKind, SaveFile, TakeAway};
use super::timeline::picture_of;
use crate::ui::canvas::FONT;
use crate::ui::state::{Shown, State};
use crate::ui::theme::Theme;
use chart::svg;
use job::Documented;
use leptos::prelude::*;
use report::cold_start::reasons::table as reasons_table;
use report::cold_start::tables as table;
use report::cold_start::trace::trace;
use story::Table;

/// Width of an exported picture [px]: legible on a page and in a slide.
const PICTURE_PX: f64 = 960.0;

/// A file to save.
struct File {
    kind: FileKind,
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
                kind: FileKind {
                    id: "save-scenario",
                    what: "scenario",
                    ending: "json",
                    label: "JSON",
                },
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
                    kind: FileKind {
                        id: "save-plan",
                        what: "plan",
                        ending: "json",
                        label: "JSON",
                    },
                    needs_plan: false,
                    make: plan,
                },
                File {
                    kind: FileKind {
                        id: "save-trace",
                        what: "trace",
                        ending: "json",
                        label: "Chrome trace",
                    },
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
                        kind: FileKind {
                            id: "save-timeline",
                            what: "timeline",
                            ending: "csv",
                            label: "CSV",
                        },
                        needs_plan: true,
                        make: |shown, _| timeline(shown).to_csv(),
                    },
                    File {
                        kind: FileKind {
                            id: "save-timeline-json",
                            what: "timeline",
                            ending: "json",
                            label: "JSON",
                        },
                        needs_plan: true,
                        make: |shown, _| timeline(shown).to_json(),
                    },
                ],
            ),
            (
                "Where the time goes",
                &[
                    File {
                        kind: FileKind {
                            id: "save-reasons",
                            what: "reasons",
                            ending: "csv",
                            label: "CSV",
                        },
                        needs_plan: true,
                        make: |shown, _| reasons(shown).to_csv(),
                    },
                    File {
                        kind: FileKind {
                            id: "save-reasons-json",
                            what: "reasons",
                            ending: "json",
                            label: "JSON",
                        },
                        needs_plan: true,
                        make: |shown, _| reasons(shown).to_json(),
                    },
                ],
            ),
            (
                "Simple splits",
                &[
                    File {
                        kind: FileKind {
                            id: "save-comparison",
                            what: "comparison",
                            ending: "csv",
                            label: "CSV",
                        },
                        needs_plan: false,
                        make: |shown, _| comparison(shown).to_csv(),
                    },
                    File {
                        kind: FileKind {
                            id: "save-comparison-json",
                            what: "comparison",
                            ending: "json",
                            label: "JSON",
                        },
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
                kind: FileKind {
                    id: "save-picture",
                    what: "timeline",
                    ending: "svg",
                    label: "SVG",
                },
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
    let command = Signal::derive(move || state.common.command());
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
        let is_ready = Signal::derive(move || level.get() > u8::from(file.needs_plan));
        let make = Callback::new(move |()| {
            let shown = state.shown.get_untracked();
            shown.map(|shown| (file.make)(&shown, theme))
        });
        view! { <SaveFile file=file.kind of=of is_ready=is_ready make=make/> }
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
    let checked = Signal::derive(move || {
        state.shown.get().and_then(|shown| {
            let stages = shown.answer.timeline.as_ref()?;
            let fit = stages.iter().filter(|s| s.mem_ok).count();
            let total = shown.answer.T?;
            Some(format!(
                "Every plan is scored again, from the equations alone, before it is shown: {fit} of {} stages fit, the \
                 timeline adds up to {total:.4}\u{202f}s. Computed in {:.1}\u{202f}ms.",
                stages.len(),
                shown.millis
            ))
        })
    });
    view! {
        <TakeAway command=command foot=checked>
            {GROUPS.map(group).collect_view()}
        </TakeAway>
    }
}
