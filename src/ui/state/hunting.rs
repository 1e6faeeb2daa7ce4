//! A search that goes on after the first answer: large fleets are searched by all workers together, and the best plan so
//! far stays on show with what is proved of it.
//!
//! The search itself is a state of the page ([`Hunt`]); workers do its pieces. When the user ends it, plan and bound stay.

use super::{Busy, Shown, State};
use crate::ui::jobs::{Asked, Asks};
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use engine::solve::{Ended, Stop};
use job::cold_start::Answer;
use job::cold_start_hunt::{Done, Extended, Hunt, Hunted, Share, answer_of, go_on, piece};
use job::worker::Sent;
use leptos::prelude::*;
use report::cold_start::words;
use std::sync::Arc;

/// The groups of its pieces begin here; no other group gets so far.
const FIRST_GROUP: u32 = 1 << 30;

/// What is said of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Whether it goes on.
    pub is_running: bool,
    /// Why it ended, if it has.
    pub ended: Option<Ended>,
    /// T of the best plan [s].
    pub best: Option<f64>,
    /// No plan is faster than this [s].
    pub bound: f64,
    /// Passes begun.
    pub passes: u32,
    /// Stages of the plans that the pass is at.
    pub level: u32,
    /// Labels of all passes.
    pub labels: u64,
    /// Workers that share it.
    pub workers: usize,
    /// Since it began [s].
    pub seconds: f64,
}

/// The search of the scenario on show. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Hunting {
    /// What is said of it; nothing where the first answer was the last.
    pub seen: RwSignal<Option<Seen>>,
    chase: StoredValue<Option<Chase>, LocalStorage>,
    group: StoredValue<u32>,
}

/// A search and whose it is.
struct Chase {
    scenario: Arc<Scenario>,
    problem: ColdStart,
    /// The first answer.
    answer: Answer,
    hunt: Hunt,
    /// Shares of the level that have come.
    shares: Vec<Option<Extended>>,
    began_ms: f64,
    /// T and bound of what is on show.
    told: (f64, f64),
}

impl Hunting {
    pub(super) fn open() -> Self {
        Self {
            seen: RwSignal::new(None),
            chase: StoredValue::new_local(None),
            group: StoredValue::new(FIRST_GROUP),
        }
    }
}

impl State {
    /// Searches on where the first answer proves too little; whether there is something to search for.
    pub(super) fn hunt_on(
        &self,
        scenario: &Arc<Scenario>,
        problem: &ColdStart,
        answer: &Answer,
    ) -> bool {
        let Some(hunt) = go_on(problem, answer) else {
            return false;
        };
        self.hunting.chase.set_value(Some(Chase {
            scenario: scenario.clone(),
            problem: problem.clone(),
            answer: answer.clone(),
            hunt,
            shares: Vec::new(),
            began_ms: js_sys::Date::now(),
            told: (
                answer.T.unwrap_or(f64::INFINITY),
                answer.bound.unwrap_or(0.0),
            ),
        }));
        self.next_piece();
        true
    }

    /// Nobody wants to know any more: another scenario, another question.
    pub(super) fn forget_hunt(&self) {
        self.cancel_pieces();
        self.hunting.chase.set_value(None);
        self.hunting.seen.set(None);
    }

    /// The user has seen enough: the best plan stays, with its bound.
    pub fn stop_hunt(&self) {
        self.cancel_pieces();
        self.hunting.chase.update_value(|chase| {
            if let Some(chase) = chase {
                chase.hunt.stop(Stop::Cancelled);
            }
        });
        self.next_piece();
    }

    fn cancel_pieces(&self) {
        let group = self.hunting.group.get_value();
        self.with_solver(|solver| solver.cancel(group));
        self.hunting.group.set_value(group + 1);
    }

    /// Asks for the next piece, or puts the end on show.
    fn next_piece(&self) {
        let mut workers = 1;
        self.with_solver(|solver| workers = solver.workers());
        let group = self.hunting.group.get_value();
        let step = self.hunting.chase.try_update_value(|chase| {
            let chase = chase.as_mut()?;
            let next = piece(&chase.hunt, workers);
            let ended = next.as_ref().err().copied();
            let bound = chase.hunt.bound();
            let best = chase.hunt.best().map(|(_, total)| *total);
            let tally = chase.hunt.tally();
            let seen = Seen {
                is_running: ended.is_none(),
                ended,
                best,
                bound,
                passes: tally.passes,
                level: tally.level,
                labels: tally.all_labels,
                workers,
                seconds: 1e-3 * (js_sys::Date::now() - chase.began_ms),
            };
            let told = (best.unwrap_or(f64::INFINITY), bound);
            // Between the levels nothing but the plan and the bound is worth a new picture.
            let is_news = ended.is_some() || told.0 < chase.told.0 || told.1 > chase.told.1;
            chase.told = told;
            let answer =
                is_news.then(|| answer_of(&chase.problem, &chase.answer, &chase.hunt, ended));
            let shown =
                answer.map(|answer| (chase.scenario.clone(), chase.problem.clone(), answer));
            let jobs = next.ok().map(|(piece, shares)| {
                chase.shares = (0..shares).map(|_| None).collect();
                let hunted = Hunted {
                    scenario: Sent(chase.scenario.clone()),
                    piece: Arc::new(piece),
                };
                (hunted, shares)
            });
            Some((seen, shown, jobs))
        });
        let Some((seen, shown, jobs)) = step.flatten() else {
            return;
        };
        if let Some((scenario, problem, answer)) = shown {
            let words = words(&problem, &answer);
            self.shown.set(Some(Arc::new(Shown {
                scenario,
                problem,
                answer,
                words,
                millis: 1e3 * seen.seconds,
            })));
        }
        self.hunting.seen.set(Some(seen));
        match jobs {
            Some((hunted, of)) => {
                let shares = (0..of).map(|at| Share { at, of });
                self.with_solver(|solver| solver.points(*self, group, &hunted, shares));
            }
            None => self.hunt_is_over(),
        }
    }

    /// The rest of the page had to wait.
    fn hunt_is_over(&self) {
        let scenario = self.hunting.chase.try_update_value(Option::take).flatten();
        if let Some(chase) = scenario
            && self.busy.get_untracked() == Busy::Idle
        {
            self.sweep_soon(chase.scenario);
        }
    }

    /// Goes on with a search that the user ended.
    pub fn resume_hunt(&self) {
        if let Some(shown) = self.shown.get_untracked() {
            self.pause_sweep();
            self.hunt_on(&shown.scenario, &shown.problem, &shown.answer);
        }
    }
}

impl Asks<Share> for State {
    const AGAIN: &'static str =
        "Your scenario and the best plan so far are unchanged; the search continues.";
    const MAY_BE_REFUSED: bool = false;

    fn answered(&self, job: &Asked<Share>, done: Done, _millis: f64) {
        let is_complete = self.hunting.chase.try_update_value(|chase| {
            let chase = chase.as_mut()?;
            if !Arc::ptr_eq(&chase.scenario, &job.scenario.scenario.0)
                || job.group != Some(self.hunting.group.get_value())
            {
                return None;
            }
            match &done {
                Done::Tuned(tuned) => chase.hunt.tuned((**tuned).clone()),
                Done::Extended { .. } => {
                    *chase.shares.get_mut(job.ask.at as usize)? = done.extended();
                    if chase.shares.iter().any(Option::is_none) {
                        return None;
                    }
                    let shares: Vec<Extended> = chase.shares.drain(..).flatten().collect();
                    chase.hunt.extended(&shares);
                }
            }
            Some(())
        });
        if is_complete.flatten().is_some() {
            self.next_piece();
        }
    }

    fn refused(&self, _job: &Asked<Share>, _why: String) {
        self.stop_hunt();
    }

    /// What is known stays.
    fn left_out(&self, _job: &Asked<Share>) -> String {
        self.stop_hunt();
        "It stopped again at the same piece of the search, so the search was ended. The best plan so far stays.".to_owned()
    }
}
