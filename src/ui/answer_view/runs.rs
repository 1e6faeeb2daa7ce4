//! How far what is found out without a button is, section by section, and how it is ended and taken up again.

use super::{AnswerCommand, AnswerController, AnswerStore, Presentable, ScenarioStore};
use document::{DeferredQuery, Name, Section, Trigger};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

/// Time after which progress is shown [ms].
const SLOW_MS: u32 = 300;

/// How far what is found out for a section is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryProgress {
    /// The section.
    pub(super) of: Name,
    /// How many pieces were asked for and have ended, those of what is whole by now.
    pub(super) ended: usize,
    /// How many more have come.
    received: usize,
    /// How much of others is done, in pieces.
    pub(super) partial_subtasks: f64,
    /// How many there are.
    pub(super) all: usize,
    /// True while it runs.
    pub(super) is_on: bool,
    /// True if it was started once the answer had rested, not when the section was opened.
    pub(super) is_idle: bool,
}

impl QueryProgress {
    /// How many pieces are done.
    pub const fn done(&self) -> usize {
        self.ended + self.received
    }

    /// Returns true if it has not finished.
    pub const fn is_open(&self) -> bool {
        self.done() < self.all
    }
}

/// How far what is found out for a section is, in the section.
#[component]
pub fn Runs(id: Name) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let run = Memo::new(move |_| {
        let run = store
            .runs
            .with(|runs| runs.iter().find(|run| run.of == id).copied());
        let run = run.filter(QueryProgress::is_open)?;
        // What is one piece shows no progress.
        let is_short = run.is_on && (run.all == 1 || !store.is_slow.get());
        (!is_short).then(|| (run.done(), run.all, run.is_on))
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
                <button class="btn small" id=format!("{id}-cancel") on:click=move |_| store.end()>"Cancel"</button>
            }
            .into_any(),
            false => view! {
                <button class="btn small" id=format!("{id}-resume") on:click=move |_| store.command(AnswerCommand::Again(id))>"Compute the rest"</button>
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

/// Returns true if the progress of a query is counted in its section; one with a button shows it in its slot.
fn is_counted(more: &DeferredQuery) -> bool {
    match more.when {
        Trigger::Idle => true,
        Trigger::Opened => !more.subtasks.is_empty(),
        Trigger::Now(_) | Trigger::Pressed(_) => false,
    }
}

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    /// Counts how far what was asked for is. What has come stays counted, and what was ended.
    pub(super) fn count_runs(&self) {
        let before = self.answer.runs.get_untracked();
        let asked = self.running_queries.get_value();
        let run = |section: &Section| {
            let known = before.iter().find(|run| run.of == section.id);
            let counted = section.more.iter().filter(|more| {
                let was_asked = known.is_some() || asked.contains(&more.query);
                is_counted(more) && was_asked
            });
            let counted: Vec<&DeferredQuery> = counted.collect();
            let open: usize = counted.iter().map(|more| more.subtasks.len().max(1)).sum();
            let ended = known.map_or(0, |run| run.ended);
            let (received, partly) = self
                .scatter_gather
                .with_value(|all| all.section_progress(section.id));
            QueryProgress {
                of: section.id,
                ended,
                received,
                partial_subtasks: partly,
                all: ended + open,
                is_on: counted.iter().any(|more| asked.contains(&more.query)),
                is_idle: match counted.first() {
                    Some(more) => more.when == Trigger::Idle,
                    None => known.is_some_and(|run| run.is_idle),
                },
            }
        };
        let counted = self.answer.sections.with_untracked(|all| {
            let all = all.iter().map(run);
            all.filter(|run| run.all > 0)
                .collect::<Vec<QueryProgress>>()
        });
        if counted != before {
            self.answer.runs.set(counted);
        }
    }

    /// Starts the timer after which progress is shown.
    pub(super) fn begin_runs(&self) {
        let was_on = self.is_any_on();
        self.count_runs();
        if self.is_any_on() && !was_on {
            self.answer.is_slow.set(false);
            let is_slow = self.answer.is_slow;
            let slow = Timeout::new(SLOW_MS, move || is_slow.set(true));
            self.slow.set_value(Some(slow));
        }
    }

    /// Ends the display of all runs.
    pub(super) fn end_runs(&self) {
        if self.is_any_on() {
            let runs = self.answer.runs;
            runs.update(|runs| runs.iter_mut().for_each(|run| run.is_on = false));
        }
    }

    fn is_any_on(&self) -> bool {
        let runs = self.answer.runs;
        runs.with_untracked(|runs| runs.iter().any(|run| run.is_on))
    }
}
