//! The state of the operator-graph question: its answer as it is told, the paper’s figures, and the file that a graph comes from.

use super::reading::{Read, Reading};
use crate::ui::desk::Desk;
use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Opens;
use crate::ui::told::Teller;
use engine::graph::catalogue;
use engine::scenario::Question;
use engine::scenario::operators::{Scenario, presets};
use job::operators::{Answer, Ask, Case, SplitCase};
use job::worker::Sent;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use web_sys::File;

/// Groups of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 7 << 20;
const CASES: u32 = 8 << 20;
const SPLIT_CASES: u32 = CASES + 1;
const FIRST_FILE: u32 = 9 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct OperatorsState {
    /// Its answer.
    pub teller: Teller<Scenario>,
    /// The paper's models as ours, as far as they have been computed, in their order.
    pub cases: RwSignal<Vec<Case>>,
    /// How many of them are still to come.
    pub measuring: RwSignal<usize>,
    /// The same about splits, once that was asked for.
    pub split_cases: RwSignal<Vec<SplitCase>>,
    /// How many of them are still to come.
    pub measuring_splits: RwSignal<usize>,
    /// What goes on with a file.
    pub reading: RwSignal<Reading>,
    /// What the reader said of files, the last one last.
    pub read: RwSignal<Vec<Arc<Read>>>,
    pub(super) file: StoredValue<Option<File>, LocalStorage>,
    /// The file that is being read.
    pub(super) file_to_read: StoredValue<Option<File>, LocalStorage>,
    pub(super) file_group: StoredValue<u32>,
}

impl Deref for OperatorsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for OperatorsState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            teller: Teller::open(desk, MORE),
            cases: RwSignal::new(Vec::new()),
            measuring: RwSignal::new(0),
            split_cases: RwSignal::new(Vec::new()),
            measuring_splits: RwSignal::new(0),
            reading: RwSignal::new(Reading::Idle),
            read: RwSignal::new(Vec::new()),
            file: StoredValue::new_local(None),
            file_to_read: StoredValue::new_local(None),
            file_group: StoredValue::new(FIRST_FILE),
        };
        Effect::new(move |_| {
            if state.question.get() != Question::Operators {
                state.end_measures();
                state.end_split_measures();
                state.end_reading();
            }
        });
        state
    }
}

impl OperatorsState {
    /// Computes the paper's models once everything about the scenario is known.
    pub fn measure_once(&self) {
        if self.cases.with_untracked(Vec::is_empty) && self.measuring.get_untracked() == 0 {
            self.measure();
        }
    }

    /// Computes the paper's models, one by one; they go on while the scenario is edited.
    pub fn measure(&self) {
        let asks: Vec<Ask> = (0..catalogue::MODELS.len())
            .map(|at| Ask::Published { at })
            .collect();
        self.cases.set(Vec::new());
        self.measuring.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, CASES, &any, asks));
    }

    /// Ends that.
    pub fn end_measures(&self) {
        if self.measuring.get_untracked() > 0 {
            self.measuring.set(0);
            self.with_solver(|solver| solver.cancel(CASES));
        }
    }

    /// Computes what the paper says of splits, model by model.
    pub fn measure_splits(&self) {
        let asks: Vec<Ask> = (0..catalogue::MODELS.len())
            .map(|at| Ask::PublishedSplit { at })
            .collect();
        self.split_cases.set(Vec::new());
        self.measuring_splits.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, SPLIT_CASES, &any, asks));
    }

    /// Ends that.
    pub fn end_split_measures(&self) {
        if self.measuring_splits.get_untracked() > 0 {
            self.measuring_splits.set(0);
            self.with_solver(|solver| solver.cancel(SPLIT_CASES));
        }
    }
}

impl Asks<Ask> for OperatorsState {
    fn answered(&self, _: &Asked<Ask>, answer: Answer, _: f64) {
        match answer {
            Answer::Published(case) if self.measuring.get_untracked() > 0 => {
                self.cases.update(|cases| {
                    let at = cases.partition_point(|other| other.at < case.at);
                    cases.insert(at, *case);
                });
                self.measuring.update(|open| *open -= 1);
            }
            Answer::PublishedSplit(case) if self.measuring_splits.get_untracked() > 0 => {
                self.split_cases.update(|cases| {
                    let at = cases.partition_point(|other| other.at < case.at);
                    cases.insert(at, *case);
                });
                self.measuring_splits.update(|open| *open -= 1);
            }
            _ => {}
        }
    }

    fn refused(&self, job: &Asked<Ask>, _: String) {
        let measuring = match job.ask {
            Ask::PublishedSplit { .. } => self.measuring_splits,
            _ => self.measuring,
        };
        measuring.update(|open| *open = open.saturating_sub(1));
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, String::new());
        "The solver stopped again, so this result is left out. Nothing else is lost.".to_owned()
    }
}
