//! The questions of the page side by side: which one is open, and what the bar, the keys and the notices ask of it
//! whichever it is.

use super::address::{self, Visit};
use super::desk::{Desk, Document};
use super::dispatch::DispatchState;
use super::heads::HeadsState;
use super::operators::OperatorsState;
use super::shell::{Banner, Busy, Shell};
use super::solver::{Job, News, Solver};
use super::state::State;
use super::tiers::TiersState;
use super::workspace::{self, Workspace};
use engine::pool::Fate;
use engine::scenario::link::LinkError;
use engine::scenario::{Any, Question};
use job::worker::{Answered, Reply};
use leptos::prelude::*;

/// A failure so soon after another counts as the same trouble [ms].
const AGAIN_WITHIN_MS: f64 = 60_000.0;

/// Does the same on the desk of a question, whichever it is.
macro_rules! on_desk {
    ($questions:expr, $question:expr, $desk:ident => $do:expr) => {
        match $question {
            Question::ColdStart => {
                let $desk = &*$questions.cold;
                $do
            }
            Question::HeadPlacement => {
                let $desk = &*$questions.heads;
                $do
            }
            Question::Dispatch => {
                let $desk = &*$questions.dispatch;
                $do
            }
            Question::Tiers => {
                let $desk = &*$questions.tiers;
                $do
            }
            Question::Operators => {
                let $desk = &*$questions.operators;
                $do
            }
        }
    };
}

/// All questions. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Questions {
    /// What they share.
    pub shell: Shell,
    /// Cold start.
    pub cold: State,
    /// Attention heads on devices.
    pub heads: HeadsState,
    /// Device or server.
    pub dispatch: DispatchState,
    /// Blocks over tiers.
    pub tiers: TiersState,
    /// Operator graphs.
    pub operators: OperatorsState,
    last_failure: StoredValue<f64>,
}

impl Questions {
    /// Opens what the address asks for, else what was worked on last, else the papers' scenarios.
    pub fn open() -> Self {
        let visit = address::visited();
        let question = match &visit {
            Visit::Scenario(any) => any.question(),
            Visit::Question(question) => *question,
            Visit::Nothing => Question::ColdStart,
            Visit::Fault(_) => address::question_named().unwrap_or(Question::ColdStart),
        };
        let shell = Shell::open(question);
        Workspace::open(shell);
        let linked = match &visit {
            Visit::Scenario(any) => Some(any.clone()),
            _ => None,
        };
        let questions = Self {
            shell,
            cold: State::open(first(shell, linked.clone())),
            heads: HeadsState::open(first(shell, linked.clone())),
            dispatch: DispatchState::open(first(shell, linked.clone())),
            tiers: TiersState::open(first(shell, linked.clone())),
            operators: OperatorsState::open(first(shell, linked)),
            last_failure: StoredValue::new(f64::NEG_INFINITY),
        };
        if let Visit::Fault(fault) = &visit {
            let instead = match workspace::find(question, None) {
                Some(kept) => format!("Your last scenario is shown instead: {}.", kept.title()),
                None => match question {
                    Question::ColdStart => {
                        "The paper\u{2019}s four devices are shown instead.".into()
                    }
                    Question::HeadPlacement => {
                        "The paper\u{2019}s 25 devices are shown instead.".into()
                    }
                    Question::Dispatch => "LLaMA-3.1-70b and a Xiaomi 14 are shown instead.".into(),
                    Question::Tiers => "The paper\u{2019}s three tiers are shown instead.".into(),
                    Question::Operators => "GoogLeNet is shown instead.".into(),
                },
            };
            shell.banner.set(Some(broken(fault, &instead)));
        }
        let solver = Solver::new(move |news| questions.hear(news));
        shell.solver.set_value(Some(solver));
        if matches!(visit, Visit::Question(_)) {
            questions.show_address();
        }
        address::follow(move |visit| questions.follow(visit));
        questions
    }

    /// Goes where another link of the same tab leads.
    fn follow(&self, visit: Visit) {
        match visit {
            // Back to where the visit began: the page without a link is the first question.
            Visit::Nothing => self.shell.go(Question::ColdStart),
            Visit::Question(question) => {
                self.shell.go(question);
                self.show_address();
            }
            Visit::Scenario(any) => {
                self.shell.go(any.question());
                match any {
                    Any::ColdStart(scenario) => self.cold.visit(*scenario),
                    Any::HeadPlacement(scenario) => self.heads.visit(*scenario),
                    Any::Dispatch(scenario) => self.dispatch.visit(*scenario),
                    Any::Tiers(scenario) => self.tiers.visit(*scenario),
                    Any::Operators(scenario) => self.operators.visit(*scenario),
                }
            }
            Visit::Fault(fault) => self.shell.banner.set(Some(broken(
                &fault,
                "Your scenario is still here, unchanged.",
            ))),
        }
    }

    /// The address shows the scenario of the question that is open.
    pub(super) fn show_address(&self) {
        let question = self.shell.question.get_untracked();
        let fragment =
            on_desk!(self, question, desk => desk.scenario.with_untracked(|s| s.fragment()));
        address::show(&fragment);
    }

    /// Puts a scenario on the desk of its question, as one step to undo, and opens that question.
    pub fn replace(&self, any: Any) {
        self.shell.go(any.question());
        match any {
            Any::ColdStart(scenario) => self.cold.begin(*scenario),
            Any::HeadPlacement(scenario) => self.heads.begin(*scenario),
            Any::Dispatch(scenario) => self.dispatch.begin(*scenario),
            Any::Tiers(scenario) => self.tiers.begin(*scenario),
            Any::Operators(scenario) => self.operators.begin(*scenario),
        }
    }

    /// Takes the last step of the open question back.
    pub fn step_back(&self) {
        let question = self.shell.question.get_untracked();
        on_desk!(self, question, desk => desk.step_back());
    }

    /// Makes the last step that was taken back again.
    pub fn step_forward(&self) {
        let question = self.shell.question.get_untracked();
        on_desk!(self, question, desk => desk.step_forward());
    }

    /// What the last step of the open question changed.
    pub fn last_step(&self) -> Option<String> {
        on_desk!(self, self.shell.question.get(), desk => desk.last_step())
    }

    /// What the next step of the open question changes.
    pub fn next_step(&self) -> Option<String> {
        on_desk!(self, self.shell.question.get(), desk => desk.next_step())
    }

    /// The link of the open question's scenario, or why there is none.
    pub fn link(&self) -> Result<String, String> {
        let question = self.shell.question.get_untracked();
        on_desk!(self, question, desk => {
            if desk.scenario.with_untracked(|s| s.has_link()) {
                Ok(desk.link())
            } else {
                let row = match question {
                    Question::Tiers => "tier",
                    _ => "device",
                };
                Err(format!("A link needs at least one {row} that is on."))
            }
        })
    }

    fn hear(&self, news: News) {
        match news {
            News::Searching { share } => self.shell.busy.set(Busy::Searching(share)),
            News::Reached { job, share } => match job {
                Job::Operators(job) => self.operators.reached(&job, share),
                Job::Onnx(job) => self.operators.reading_reached(&job, share),
                _ => {}
            },
            News::Part { job, answer } => match (job, *answer) {
                (
                    Job::Heads(job),
                    Reply::Part {
                        answer: Answered::HeadPlacement(part),
                        ..
                    },
                ) => self.heads.part(job, *part),
                (
                    Job::Operators(job),
                    Reply::Part {
                        answer: Answered::Operators(part),
                        ..
                    },
                ) => self.operators.part(job, *part),
                _ => {}
            },
            News::Done {
                job,
                answer: reply,
                millis,
            } => self.answered(job, *reply, millis),
            News::Replaced { message, fate } => self.replaced(message, fate),
            News::Dead { message } => {
                self.cold.cancel_sweep();
                self.cold.stop_hunt();
                self.heads.end_tracks();
                self.dispatch.end_asks();
                self.tiers.end_runs();
                self.operators.end_asks();
                self.operators.end_reading();
                self.shell.busy.set(Busy::GivenUp);
                self.shell.banner.set(Some(Banner {
                    title: "The solver cannot be started.".into(),
                    text: "Your scenario is unchanged. Reloading the page may help; the command line gives the same answers."
                        .into(),
                    alert: true,
                    details: Some(message),
                }));
            }
        }
    }

    fn answered(&self, job: Job, reply: Reply, millis: f64) {
        match (job, reply) {
            (
                Job::ColdStart(job),
                Reply::Answered {
                    answer: Answered::ColdStart(answer),
                    ..
                },
            ) => {
                self.cold.answered(job, *answer, millis);
            }
            (
                Job::Hunt(job),
                Reply::Answered {
                    answer: Answered::ColdStartHunt(done),
                    ..
                },
            ) => {
                self.cold.hunted(&job, &done);
            }
            (
                Job::More(job),
                Reply::Answered {
                    answer: Answered::ColdStartMore(told),
                    ..
                },
            ) => {
                self.cold.told_more(&job, *told);
            }
            // A change may leave no scenario that can be answered; the plan stands all the same.
            (Job::More(job), Reply::Refused { fault, .. }) => {
                self.cold.not_told(&job, fault.to_string());
            }
            (
                Job::Tiers(job),
                Reply::Answered {
                    answer: Answered::Tiers(answer),
                    ..
                },
            ) => {
                self.tiers.answered(job, *answer, millis);
            }
            (
                Job::Heads(job),
                Reply::Answered {
                    answer: Answered::HeadPlacement(answer),
                    ..
                },
            ) => {
                self.heads.answered(job, *answer, millis);
            }
            (
                Job::Dispatch(job),
                Reply::Answered {
                    answer: Answered::Dispatch(answer),
                    ..
                },
            ) => {
                self.dispatch.answered(job, *answer, millis);
            }
            (
                Job::Operators(job),
                Reply::Answered {
                    answer: Answered::Operators(answer),
                    ..
                },
            ) => {
                self.operators.answered(job, *answer, millis);
            }
            (
                Job::Onnx(job),
                Reply::Answered {
                    answer: Answered::Imported(imported),
                    ..
                },
            ) => {
                self.operators.was_read(job, *imported);
            }
            // A file may hold no graph; what was on the desk stays.
            (Job::Onnx(job), Reply::Refused { fault, .. }) => {
                self.operators.not_read(&job, fault.to_string());
            }
            (Job::Operators(job), Reply::Refused { fault, .. }) if !job.is_plan() => {
                self.operators.refused(&job, fault.to_string());
            }
            // A log may be refused; the plan stands all the same.
            (Job::Dispatch(job), Reply::Refused { fault, .. }) if !job.is_plan() => {
                self.dispatch.refused(&job, fault.to_string());
            }
            // A change may leave no scenario that can be answered; the plan stands all the same.
            (Job::Heads(job), Reply::Refused { fault, .. }) if !job.is_plan() => {
                self.heads.refused(&job, fault.to_string());
            }
            // A request may fit no node; the plan stands all the same.
            (Job::Tiers(job), Reply::Refused { fault, .. }) if !job.is_plan() => {
                self.tiers.refused(&job, fault.to_string());
            }
            // The page checks a scenario before it asks, so this is a fault of ours; it is shown, not hidden.
            (job, Reply::Refused { fault, .. }) => {
                if job.is_plan() {
                    self.shell.busy.set(Busy::GivenUp);
                }
                if let Job::Hunt(_) = job {
                    self.cold.stop_hunt();
                }
                self.shell.banner.set(Some(Banner {
                    title: "This scenario was refused.".into(),
                    text: fault.to_string(),
                    alert: true,
                    details: None,
                }));
            }
            _ => {}
        }
    }

    /// A worker was replaced: what that means for what the user sees.
    fn replaced(&self, message: String, fate: Fate<Job>) {
        let now = js_sys::Date::now();
        let again = now - self.last_failure.get_value() < AGAIN_WITHIN_MS;
        self.last_failure.set_value(now);
        // A point of a sweep is no reason to interrupt anybody.
        let is_point = match &fate {
            Fate::Retried(job) | Fate::GivenUp(job) => !job.is_plan(),
            Fate::Idle => false,
        };
        let text = match fate {
            Fate::GivenUp(Job::ColdStart(job)) if !job.is_plan => self.cold.left_out(&job),
            Fate::GivenUp(Job::Hunt(_)) => self.cold.hunt_left_out(),
            Fate::GivenUp(Job::More(job)) => self.cold.more_left_out(&job),
            Fate::GivenUp(Job::Heads(job)) if !job.is_plan() => self.heads.left_out(&job),
            Fate::GivenUp(Job::Dispatch(job)) if !job.is_plan() => self.dispatch.left_out(&job),
            Fate::GivenUp(Job::Tiers(job)) if !job.is_plan() => self.tiers.left_out(&job),
            Fate::GivenUp(Job::Operators(job)) if !job.is_plan() => self.operators.left_out(&job),
            Fate::GivenUp(Job::Onnx(job)) => {
                self.operators
                    .not_read(&job, "the solver stopped twice at it".to_owned());
                format!(
                    "It stopped at {} again, so the file was not read. Your scenario and its plan are unchanged.",
                    job.name
                )
            }
            Fate::GivenUp(_) => {
                self.shell.busy.set(Busy::GivenUp);
                "It stopped again on this scenario, so this scenario is not solved. Nothing is lost."
                    .to_owned()
            }
            Fate::Idle => "Your scenario and its plan are unchanged.".to_owned(),
            Fate::Retried(Job::Onnx(_)) => {
                "Your scenario is unchanged; the file is read once more.".to_owned()
            }
            Fate::Retried(Job::Hunt(_)) => {
                "Your scenario and the best plan so far are unchanged; the search continues."
                    .to_owned()
            }
            Fate::Retried(_) if is_point => {
                "Your scenario and its plan are unchanged; the sweep continues.".to_owned()
            }
            Fate::Retried(_) if again => {
                "It stopped again. Nothing is lost; the plan is computed again.".to_owned()
            }
            Fate::Retried(_) => {
                "Your scenario is untouched; its plan is computed again.".to_owned()
            }
        };
        self.shell.banner.set(Some(Banner {
            title: "The solver stopped and was replaced.".into(),
            text,
            alert: !is_point,
            details: Some(message),
        }));
    }
}

/// The desk of a question at the beginning of a visit.
fn first<S: Document>(shell: Shell, linked: Option<Any>) -> Desk<S> {
    let found = workspace::find(S::QUESTION, linked).and_then(S::of);
    Desk::new(shell, found.unwrap_or_else(S::opening))
}

fn broken(fault: &LinkError, instead: &str) -> Banner {
    Banner {
        title: fault.to_string(),
        text: format!("Nothing from it was used. {instead}"),
        alert: true,
        details: None,
    }
}
