//! What the solver says, and the points of the sweep it is asked for.

use super::{Banner, Busy, Shown, State};
use crate::job::worker::Reply;
use crate::pool::Fate;
use crate::report::cold_start::words;
use crate::ui::solver::{Job, News};
use leptos::prelude::*;
use std::sync::Arc;

impl State {
    pub(super) fn hear(&self, news: News) {
        match news {
            News::Searching { share } => self.busy.set(Busy::Searching(share)),
            News::Done {
                job,
                answer,
                millis,
            } => self.answered(job, *answer, millis),
            News::Replaced { message, fate } => self.replaced(message, &fate),
            News::Dead { message } => {
                self.cancel_sweep();
                self.busy.set(Busy::GivenUp);
                self.banner.set(Some(Banner {
                    title: "The solver cannot be started.".into(),
                    text: "Your scenario is untouched. Reloading the page may help; the command line tool gives \
                           the same answers."
                        .into(),
                    alert: true,
                    details: Some(message),
                }));
            }
        }
    }

    /// A worker was replaced: what that means for what the user sees.
    fn replaced(&self, message: String, fate: &Fate<Job>) {
        let again = js_sys::Date::now() - self.last_failure.get_value() < 60_000.0;
        self.last_failure.set_value(js_sys::Date::now());
        let text = match fate {
            Fate::GivenUp(job) if !job.is_plan => {
                self.point_arrived(job, None);
                self.sweep.left_out_sentence()
            }
            Fate::GivenUp(_) => {
                self.busy.set(Busy::GivenUp);
                "It stopped again on this scenario, so it was left alone. Nothing is lost."
                    .to_owned()
            }
            Fate::Idle => "Your scenario and its plan are untouched.".to_owned(),
            Fate::Retried(job) if !job.is_plan => {
                "Your scenario and its plan are untouched; the sweep goes on.".to_owned()
            }
            Fate::Retried(_) if again => {
                "It stopped again. Nothing is lost; the plan is reckoned again.".to_owned()
            }
            Fate::Retried(_) => {
                "Your scenario is untouched; its plan is reckoned again.".to_owned()
            }
        };
        let is_point = match fate {
            Fate::Retried(job) | Fate::GivenUp(job) => !job.is_plan,
            Fate::Idle => false,
        };
        self.banner.set(Some(Banner {
            title: "The solver stopped and was replaced.".into(),
            text,
            // A point of a sweep is no reason to interrupt anybody.
            alert: !is_point,
            details: Some(message),
        }));
    }

    fn answered(&self, job: Job, reply: Reply, millis: f64) {
        if let Reply::Answered { answer, .. } = &reply {
            self.keep_if_paper(&job, answer);
        }
        match reply {
            Reply::Answered { answer, .. } if job.is_plan => {
                let newest = self
                    .scenario
                    .with_untracked(|now| Arc::ptr_eq(now, &job.scenario));
                let Ok(problem) = job.scenario.problem() else {
                    return;
                };
                let words = words(&problem, &answer);
                if newest {
                    self.busy.set(Busy::Idle);
                    self.sweep_soon(job.scenario.clone());
                    self.ask_for_paper_soon();
                }
                let shown = Shown {
                    scenario: job.scenario,
                    problem,
                    answer: *answer,
                    words,
                    millis,
                };
                self.shown.set(Some(Arc::new(shown)));
            }
            Reply::Answered { answer, .. } => self.point_arrived(&job, Some(Arc::new(*answer))),
            // The page checks a scenario before it asks, so this is a fault of ours; it is shown, not hidden.
            Reply::Refused { fault, .. } => self.banner.set(Some(Banner {
                title: "This scenario was refused.".into(),
                text: fault.to_string(),
                alert: true,
                details: None,
            })),
            Reply::Ready { .. } | Reply::Progress { .. } | Reply::Panic { .. } => {}
        }
    }
}
