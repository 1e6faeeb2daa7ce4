//! The state of the tiers question: its answer as it is told, and the paper’s measurements.

use crate::ui::desk::{Desk, Steps};
use crate::ui::jobs::{Asked, Asks};
use crate::ui::measuring::Measuring;
use crate::ui::questions::Opens;
use crate::ui::told::Teller;
use engine::scenario::tiers::{Scenario, presets};
use job::tiers::{Answer, Ask};
use job::tiers_published::{Figures, Measure, Measured};
use job::worker::Sent;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// The group of what is asked besides the answer, and that of the paper's measurements. Groups of two questions must not meet.
const MORE: u32 = 1 << 20;
const MEASURES: u32 = 4 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TiersState {
    /// Its answer.
    pub teller: Teller<Scenario>,
    /// The paper's measurements, those of which every case has been run.
    pub measured: RwSignal<Measured>,
    /// How far the others are that have been asked for.
    pub measuring: RwSignal<Vec<(Measure, Measuring)>>,
    /// Their cases so far.
    coming: StoredValue<Measured>,
}

impl Deref for TiersState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for TiersState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            teller: Teller::open(desk, MORE),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(Vec::new()),
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

impl TiersState {
    /// Runs what is missing of one of the paper's measurements; it goes on while the scenario is edited.
    pub fn measure(&self, measure: Measure) {
        let is_going = |all: &Vec<(Measure, Measuring)>| all.iter().any(|(of, _)| *of == measure);
        if self.measuring.with_untracked(is_going) {
            return;
        }
        let cases = measure.cases().into_iter().enumerate();
        let asks: Vec<Ask> = self.coming.with_value(|known| {
            cases
                .filter(|(_, case)| known.of(case).is_none())
                .map(|(at, _)| Ask::Measure { measure, at })
                .collect()
        });
        if asks.is_empty() {
            return self.publish(measure);
        }
        self.measuring
            .update(|all| all.push((measure, Measuring::of(asks.len()))));
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// A case has come, or was refused.
    fn measured_one(&self, ask: &Ask, figures: Option<Figures>) {
        let Ask::Measure { measure, at } = ask else {
            return;
        };
        if let Some((case, figures)) = measure.cases().into_iter().nth(*at).zip(figures) {
            self.coming.update_value(|known| known.add(case, figures));
        }
        let mut is_last = false;
        self.measuring.update(|all| {
            if let Some((_, going)) = all.iter_mut().find(|(of, _)| of == measure) {
                going.one_came();
                is_last = !going.is_going();
            }
            all.retain(|(_, going)| going.is_going());
        });
        if is_last {
            self.publish(*measure);
        }
    }

    /// Shows a measurement if all of it is there: whoever shows it hears of it once.
    fn publish(&self, measure: Measure) {
        let known = self
            .coming
            .with_value(|known| known.has(measure).then(|| known.clone()));
        if let Some(known) = known {
            self.measured.set(known);
        }
    }

    /// Ends them; what has come is kept, and shown when the rest is there.
    pub fn end_measures(&self) {
        if self.measuring.with_untracked(|all| !all.is_empty()) {
            self.measuring.set(Vec::new());
            self.with_solver(|solver| solver.cancel(MEASURES));
        }
    }
}

impl Asks<Ask> for TiersState {
    fn answered(&self, job: &Asked<Ask>, answer: Answer, _millis: f64) {
        if let Answer::Measured(figures) = answer {
            self.measured_one(&job.ask, Some(figures));
        }
    }

    fn refused(&self, job: &Asked<Ask>, _why: String) {
        self.measured_one(&job.ask, None);
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.measured_one(&job.ask, None);
        "It failed again on a run of requests, so that run was left out. Nothing else is lost."
            .to_owned()
    }
}
