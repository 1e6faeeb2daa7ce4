//! What can be taken away: the command that gives the same answer, files, print.

use super::DispatchState;
use super::state::{Besides, Shown};
use crate::ui::views::take_away::{FileKind, SaveFile, TakeAway};
use job::dispatch::document;
use leptos::prelude::*;
use report::dispatch::{bills, comparison, runs, sweep, waits};
use std::sync::Arc;

/// What the files are made of.
type Known = (Arc<Shown>, Besides);
/// A file, and what makes it.
type File = (FileKind, fn(&Known) -> String);

const fn csv(id: &'static str, what: &'static str, make: fn(&Known) -> String) -> File {
    let (ending, label) = ("csv", "CSV");
    let kind = FileKind {
        id,
        what,
        ending,
        label,
    };
    (kind, make)
}

const fn json(id: &'static str, what: &'static str, make: fn(&Known) -> String) -> File {
    let (ending, label) = ("json", "JSON");
    let kind = FileKind {
        id,
        what,
        ending,
        label,
    };
    (kind, make)
}

const GROUPS: [(&str, &[File]); 6] = [
    (
        "Scenario",
        &[json("save-scenario", "scenario", |(shown, _)| {
            shown.scenario.to_json()
        })],
    ),
    (
        "Policies",
        &[json("save-policy", "policies", |(shown, _)| {
            document(&shown.scenario, &shown.planned)
                .map_or_else(|fault| fault.message, |document| document.to_json())
        })],
    ),
    (
        "Prompt lengths",
        &[
            csv("save-waits", "waits", |(shown, _)| {
                waits(&shown.scenario, &shown.planned).to_csv()
            }),
            json("save-waits-json", "waits", |(shown, _)| {
                waits(&shown.scenario, &shown.planned).to_json()
            }),
        ],
    ),
    (
        "Comparison",
        &[
            csv("save-comparison", "comparison", |(shown, _)| {
                comparison(&shown.planned).to_csv()
            }),
            csv("save-costs", "costs", |(shown, _)| {
                bills(&shown.planned).to_csv()
            }),
        ],
    ),
    (
        "Budgets",
        &[csv("save-budgets", "budgets", |(_, besides)| {
            let swept = besides.sweep.as_deref().map(sweep);
            swept.unwrap_or_default().to_csv()
        })],
    ),
    (
        "Runs",
        &[csv("save-runs", "runs", |(shown, besides)| {
            runs(&shown.planned, &besides.runs).to_csv()
        })],
    ),
];

/// The export block.
#[component]
pub fn Take() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let command = Signal::derive(move || state.common.command());
    let known = Callback::new(move |()| {
        let shown = state.shown.get_untracked()?;
        Some((shown, state.besides.get_untracked()))
    });
    let is_known = Signal::derive(move || state.shown.with(Option::is_some));
    let foot = Signal::derive(move || {
        let shown = state.shown.get();
        shown.map(|shown| {
            format!(
                "Every policy is scored again by a separate evaluator, over all prompt lengths and all first tokens. Computed in \
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
