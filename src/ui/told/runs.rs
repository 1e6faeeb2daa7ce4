//! How far what is asked for without being pressed is, section by section, and how it is ended and taken up again.

use super::{Lies, Teller, ToTell, Told, Wish};
use leptos::prelude::*;
use story::{Name, Section, When};

/// How far what is asked for soon is in a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The section.
    pub(super) of: Name,
    /// How many pieces were asked for and have ended, those of what is whole by now.
    pub(super) ended: usize,
    /// How many more have come.
    came: usize,
    /// How much of others is done, in pieces.
    pub(super) partly: f64,
    /// How many there are.
    pub(super) all: usize,
}

impl Run {
    /// How many pieces are done.
    pub const fn done(&self) -> usize {
        self.ended + self.came
    }

    /// Whether there is more to do.
    pub const fn is_open(&self) -> bool {
        self.done() < self.all
    }
}

/// How far what is asked for soon is, in the section that it is for.
#[component]
pub fn Runs(id: Name) -> impl IntoView {
    let told = expect_context::<Told>();
    let run = Memo::new(move |_| {
        let run = told
            .runs
            .with(|runs| runs.iter().find(|run| run.of == id).copied());
        let run = run.filter(Run::is_open)?;
        let is_on = told.is_running.get();
        // What is one piece shows no progress.
        let is_short = is_on && (run.all == 1 || !told.is_slow.get());
        (!is_short).then(|| (run.done(), run.all, is_on))
    });
    let is_on = Memo::new(move |_| run.get().map(|(.., is_on)| is_on));
    let done = move || run.get().map(|(done, ..)| done.to_string());
    let words = move || {
        run.get().map(|(done, all, is_on)| match is_on {
            true => format!("{done} of {all} computed"),
            false => format!("{done} of {all} computed, then cancelled."),
        })
    };
    move || {
        let is_on = is_on.get()?;
        let all = move || run.get().map(|(_, all, _)| all.to_string());
        let bar = is_on.then(|| view! { <progress max=all value=done></progress> });
        let button = match is_on {
            true => view! {
                <button class="btn small" id=format!("{id}-cancel") on:click=move |_| told.end()>"Cancel"</button>
            }
            .into_any(),
            false => view! {
                <button class="btn small" id=format!("{id}-resume") on:click=move |_| told.wish(Wish::Again)>"Compute the rest"</button>
            }
            .into_any(),
        };
        Some(view! {
            <div class="search" id=format!("{id}-progress")>
                {bar}
                <span class="foot">{words}</span>
                {button}
            </div>
        })
    }
}

impl<S: ToTell, D: Lies<S>> Teller<S, D> {
    /// Counts how far what is asked for soon is. What has come stays counted.
    pub(super) fn count_runs(&self) {
        let before = self.told.runs.get_untracked();
        let run = |section: &Section| {
            let soon = section.more.iter().filter(|more| more.when == When::Soon);
            let open: usize = soon.map(|more| more.pieces.len().max(1)).sum();
            let ended = before.iter().find(|run| run.of == section.id);
            let ended = ended.map_or(0, |run| run.ended);
            let (came, partly) = self.came_for(section.id);
            Run {
                of: section.id,
                ended,
                came,
                partly,
                all: ended + open,
            }
        };
        let counted = self.told.sections.with_untracked(|all| {
            let all = all.iter().map(run);
            all.filter(|run| run.all > 0).collect::<Vec<Run>>()
        });
        if counted != before {
            self.told.runs.set(counted);
        }
    }

    /// The same where some of it has come or is further.
    pub(super) fn count_on(&self) {
        self.count_runs();
        if self.told.is_running.get_untracked() {
            let runs = self.told.runs;
            let is_open = runs.with_untracked(|runs| runs.iter().any(Run::is_open));
            self.told.is_running.set(is_open);
        }
    }
}
