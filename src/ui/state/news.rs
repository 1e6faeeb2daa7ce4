//! What the solver says to the cold-start question.

use super::{Busy, Shown, State};
use crate::ui::solver::ColdStartJob;
use job::cold_start::Answer;
use leptos::prelude::*;
use report::cold_start::words;
use std::sync::Arc;

impl State {
    /// The solver failed at a point of the sweep twice: it is left out, and what is said of that.
    pub fn left_out(&self, job: &ColdStartJob) -> String {
        self.point_arrived(job, None);
        self.sweep.left_out_sentence()
    }

    /// An answer has come.
    pub fn answered(&self, job: ColdStartJob, answer: Answer, millis: f64) {
        self.keep_if_paper(&job, &answer);
        if !job.is_plan {
            return self.point_arrived(&job, Some(Arc::new(answer)));
        }
        let newest = self
            .scenario
            .with_untracked(|now| Arc::ptr_eq(now, &job.scenario));
        let Ok(problem) = job.scenario.problem() else {
            return;
        };
        let words = words(&problem, &answer);
        if newest {
            self.busy.set(Busy::Idle);
        }
        let shown = Arc::new(Shown {
            scenario: job.scenario,
            problem,
            answer,
            words,
            millis,
        });
        self.shown.set(Some(shown.clone()));
        // A large fleet is searched on; everything else waits for that, it would take the workers away.
        if newest && !self.hunt_on(&shown.scenario, &shown.problem, &shown.answer) {
            self.sweep_soon(shown.scenario.clone());
            self.ask_for_paper_soon();
        }
    }
}
