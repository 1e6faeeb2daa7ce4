//! The state of the head-placement question: its answer as it is told, and the paper’s comparisons.

use crate::ui::desk::{Desk, Steps};
use crate::ui::jobs::{Asked, Asks};
use crate::ui::measuring::Measuring;
use crate::ui::questions::Opens;
use crate::ui::told::Teller;
use engine::plan::HeadRunSummary;
use engine::scenario::heads::{Scenario, presets};
use job::heads::{Answer, Ask};
use job::heads_published::{Measure, Measured, Reading, Size};
use job::worker::Sent;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// Groups of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 2 << 20;
const MEASURES: u32 = 3 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct HeadsState {
    /// Its answer.
    pub teller: Teller<Scenario>,
    /// The paper's comparisons, those of which all networks have been run.
    pub measured: RwSignal<Measured>,
    /// How far the next ones are.
    pub measuring: RwSignal<Measuring>,
    /// Their networks so far: shown once they are all there, for a mean of half of them is none.
    coming: StoredValue<Measured>,
}

impl Deref for HeadsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for HeadsState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            teller: Teller::open(desk, MORE),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(Measuring::default()),
            coming: StoredValue::new(Measured::default()),
        };
        Effect::new(move |_| {
            if state.question.get() != desk.question() {
                state.end_measures();
            }
        });
        state
    }
}

impl HeadsState {
    /// Runs the paper's comparisons of a size, under every reading; they go on while the scenario is edited.
    pub fn measure(&self, size: Size) {
        let measures = Reading::ALL.map(|reading| Measure { reading, size });
        let asks: Vec<Ask> = measures
            .into_iter()
            .filter(|m| {
                self.measured
                    .with_untracked(|known| known.of(m.reading, size).is_none())
            })
            .flat_map(|m| m.parts().into_iter().map(move |part| Ask::Measure(m, part)))
            .collect();
        if asks.is_empty() || self.measuring.get_untracked().is_going() {
            return;
        }
        // What was left over by a network that was refused is asked for again.
        self.coming.set_value(Measured::default());
        self.measuring.set(Measuring::of(asks.len()));
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// Ends them; what has come of a reading that is not whole goes.
    pub fn end_measures(&self) {
        if !self.measuring.get_untracked().is_going() {
            return;
        }
        self.measuring.set(Measuring::default());
        self.with_solver(|solver| solver.cancel(MEASURES));
        self.coming.set_value(Measured::default());
    }

    fn measured_one(&self, job: &Asked<Ask>, sums: Vec<HeadRunSummary>) {
        if let Ask::Measure(measure, part) = job.ask
            && self.measuring.get_untracked().is_going()
        {
            self.coming.update_value(|coming| {
                coming.add(measure, part, sums);
                // Whoever shows them hears of a reading once, not of each of its networks.
                self.measured
                    .maybe_update(|all| coming.pass_on(measure, all));
            });
            self.measuring.update(Measuring::one_came);
        }
    }
}

impl Asks<Ask> for HeadsState {
    fn answered(&self, job: &Asked<Ask>, answer: Answer, _millis: f64) {
        if let Answer::Measured(sums) = answer {
            self.measured_one(job, sums);
        }
    }

    fn refused(&self, _job: &Asked<Ask>, _why: String) {
        self.measuring.update(Measuring::one_came);
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, String::new());
        "It failed again on a network, so that network was left out. Nothing else is lost."
            .to_owned()
    }
}
