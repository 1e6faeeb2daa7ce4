//! The state of the device-or-server question: its answer as it is told, the paper’s figures, and logs that are read.

use crate::ui::desk::{Desk, Steps};
use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Opens;
use crate::ui::shell::Toast;
use crate::ui::told::Teller;
use engine::scenario::dispatch::log::Column;
use engine::scenario::dispatch::{FirstToken, Prompts, Scenario, presets};
use job::dispatch::{Answer, Ask, Imported};
use job::dispatch_published::Measured;
use job::worker::Sent;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// Groups of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 11 << 20;
const MEASURES: u32 = 5 << 20;
const LOGS: u32 = 6 << 20;

/// What is going on with a log that was pasted or dropped.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Reading {
    /// Nothing.
    #[default]
    Idle,
    /// It is being read.
    Busy(String),
    /// It was refused.
    Refused(String),
    /// It was read: what was taken from it.
    Taken(String),
}

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct DispatchState {
    /// Its answer.
    pub teller: Teller<Scenario>,
    /// The paper's figures as ours, as far as they have been reckoned.
    pub measured: RwSignal<Measured>,
    /// How many pieces of them are still to come.
    pub measuring: RwSignal<usize>,
    /// What goes on with a log.
    pub reading: RwSignal<Reading>,
}

impl Deref for DispatchState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for DispatchState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            teller: Teller::open(desk, MORE),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(0),
            reading: RwSignal::new(Reading::Idle),
        };
        Effect::new(move |_| {
            if state.question.get() != desk.question() {
                state.end_measures();
            }
        });
        state
    }
}

impl DispatchState {
    /// Reads a log in the solver: a large one takes a while.
    pub fn import(&self, name: String, text: String, bare: Column) {
        self.reading.set(Reading::Busy(name.clone()));
        let scenario = self.scenario.get_untracked();
        let asks = vec![Ask::Import { name, text, bare }];
        self.with_solver(|solver| solver.points(*self, LOGS, &Sent(scenario), asks));
    }

    fn imported(&self, imported: Imported) {
        let words = report::dispatch::imported_words(&imported);
        let done = self.edit("", |s| {
            if let Some((measured, _)) = &imported.first_tokens {
                s.server.first_token = FirstToken::Measured(measured.clone());
            }
            if let Some((measured, _)) = &imported.prompts {
                s.prompts = Prompts::Measured(measured.clone());
            }
        });
        match done {
            Ok(()) => {
                self.toast.set(Some(Toast {
                    text: words.clone(),
                    undo: true,
                }));
                self.reading.set(Reading::Taken(words));
            }
            Err(fault) => self.reading.set(Reading::Refused(fault.to_string())),
        }
    }

    /// Reckons the paper's figures once everything about the scenario is known.
    pub fn measure_once(&self) {
        let is_new = self.measured.with_untracked(|m| *m == Measured::default());
        if is_new && self.measuring.get_untracked() == 0 {
            self.measure();
        }
    }

    /// Reckons the paper's figures, piece by piece; they go on while the scenario is edited.
    pub fn measure(&self) {
        let asks: Vec<Ask> = Measured::pieces().into_iter().map(Ask::Measure).collect();
        self.measured.set(Measured::default());
        self.measuring.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// Ends that.
    pub fn end_measures(&self) {
        if self.measuring.get_untracked() > 0 {
            self.measuring.set(0);
            self.with_solver(|solver| solver.cancel(MEASURES));
        }
    }
}

impl Asks<Ask> for DispatchState {
    fn answered(&self, _job: &Asked<Ask>, answer: Answer, _millis: f64) {
        match answer {
            Answer::Imported(imported) => self.imported(imported),
            Answer::Measured(piece) if self.measuring.get_untracked() > 0 => {
                self.measured.update(|all| all.add(piece));
                self.measuring.update(|open| *open -= 1);
            }
            _ => {}
        }
    }

    fn refused(&self, job: &Asked<Ask>, why: String) {
        match &job.ask {
            Ask::Import { .. } => self.reading.set(Reading::Refused(why)),
            _ => self.measuring.update(|open| *open = open.saturating_sub(1)),
        }
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, "the solver stopped at this twice".to_owned());
        "It stopped again, so that one thing was left out. Nothing else is lost.".to_owned()
    }
}
