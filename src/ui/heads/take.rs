//! What can be taken away: the command that gives the same answer, files, print.

use super::HeadsState;
use super::state::{Others, Shown};
use crate::ui::views::take_away::{FileKind, SaveFile, TakeAway};
use job::heads::document;
use leptos::prelude::*;
use report::heads::{comparison, devices, gaps, moves, tokens};
use std::sync::Arc;
use story::Table;

/// What the files are made of.
type Known = (Arc<Shown>, Others);
/// A file, and what makes it.
type File = (FileKind, fn(&Known) -> String);

const fn csv(id: &'static str, what: &'static str, make: fn(&Known) -> String) -> File {
    let (ending, label) = ("csv", "CSV");
    (
        FileKind {
            id,
            what,
            ending,
            label,
        },
        make,
    )
}

const fn json(id: &'static str, what: &'static str, make: fn(&Known) -> String) -> File {
    let (ending, label) = ("json", "JSON");
    (
        FileKind {
            id,
            what,
            ending,
            label,
        },
        make,
    )
}

/// Every choice of every rule against the optimum.
const FILE_OF_GAPS: File = (
    FileKind {
        id: "save-gaps",
        what: "to-the-optimum",
        ending: "csv",
        label: "Choices compared with the optimum, CSV",
    },
    |(_, others)| gaps(&others.tracks).to_csv(),
);

const GROUPS: [(&str, &[File]); 6] = [
    (
        "Scenario",
        &[json("save-scenario", "scenario", |(shown, _)| {
            shown.scenario.to_json()
        })],
    ),
    (
        "Plan",
        &[json("save-plan", "plan", |(shown, others)| {
            document(&shown.scenario, &shown.planned, &others.drawn)
                .map_or_else(|fault| fault.message, |document| document.to_json())
        })],
    ),
    (
        "Tokens",
        &[
            csv("save-tokens", "tokens", |known| of_tokens(known).to_csv()),
            json("save-tokens-json", "tokens", |known| {
                of_tokens(known).to_json()
            }),
        ],
    ),
    (
        "Moves",
        &[
            csv("save-moves", "moves", |known| of_moves(known).to_csv()),
            json("save-moves-json", "moves", |known| {
                of_moves(known).to_json()
            }),
        ],
    ),
    (
        "Devices",
        &[csv("save-devices", "devices", |(shown, _)| {
            devices(&shown.scenario, &shown.planned).to_csv()
        })],
    ),
    (
        "Comparison",
        &[
            csv("save-comparison", "comparison", |known| {
                of_rules(known).to_csv()
            }),
            json("save-comparison-json", "comparison", |known| {
                of_rules(known).to_json()
            }),
            FILE_OF_GAPS,
        ],
    ),
];

fn of_tokens((shown, _): &Known) -> Table {
    tokens(&shown.planned)
}

fn of_moves((shown, _): &Known) -> Table {
    moves(&shown.scenario, &shown.planned)
}

fn of_rules((_, others): &Known) -> Table {
    comparison(&others.drawn)
}

/// The export block.
#[component]
pub fn Take() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let command = Signal::derive(move || state.common.command());
    let known = Callback::new(move |()| state.known());
    let is_known = Signal::derive(move || {
        state
            .shown
            .with(|shown| shown.as_ref().is_some_and(|shown| shown.is_whole))
    });
    let foot = Signal::derive(move || {
        let shown = state.shown.get().filter(|shown| shown.is_whole);
        shown.map(|shown| {
            format!(
                "Every placement is scored again, token by token, by a separate evaluator before it is shown. Computed in \
                 {:.1}\u{202f}ms.",
                shown.millis
            )
        })
    });
    let groups = move || {
        GROUPS
            .iter()
            .map(|(title, files)| {
                let buttons = files.iter().map(|(file, make)| {
                    let make = Callback::new(move |()| known.run(()).map(|known| make(&known)));
                    view! { <SaveFile file=*file of=*title is_ready=is_known make=make/> }
                });
                view! {
                    <dt>{*title}</dt>
                    <dd><span class="item">{buttons.collect_view()}</span></dd>
                }
            })
            .collect_view()
    };
    view! { <TakeAway command=command foot=foot>{groups()}</TakeAway> }
}
