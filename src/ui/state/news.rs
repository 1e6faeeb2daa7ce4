//! What the solver says to the cold-start question.

use super::{Busy, Shown, State};
use crate::ui::jobs::{Asked, Asks};
use job::cold_start::{Answer, Ask};
use leptos::prelude::*;
use report::cold_start::words;
use std::sync::Arc;

impl Asks<Ask> for State {
    const MAY_BE_REFUSED: bool = false;

    fn answered(&self, job: &Asked<Ask>, answer: Answer, millis: f64) {
        self.keep_if_paper(job, &answer);
        if !job.is_plan() {
            return self.point_arrived(job, Some(Arc::new(answer)));
        }
        let scenario = &job.scenario.0;
        let newest = self
            .scenario
            .with_untracked(|now| Arc::ptr_eq(now, scenario));
        let Ok(problem) = scenario.problem() else {
            return;
        };
        let words = words(&problem, &answer);
        if newest {
            self.busy.set(Busy::Idle);
        }
        let shown = Arc::new(Shown {
            scenario: scenario.clone(),
            problem,
            answer,
            words,
            millis,
        });
        self.shown.set(Some(shown.clone()));
        // A large fleet is searched on; everything else waits for that, it would take the workers away.
        if newest && !self.hunt_on(&shown.scenario, &shown.problem, &shown.answer) {
            self.sweep_soon(shown.scenario.clone());
        }
    }

    fn refused(&self, _job: &Asked<Ask>, _why: String) {}

    /// A point of the sweep is left out.
    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.point_arrived(job, None);
        self.sweep.left_out_sentence()
    }
}
