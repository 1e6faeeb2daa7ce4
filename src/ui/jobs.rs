//! Tasks for the solver, and the receivers of their results. A job carries its owner, so that nothing between knows its type.

use super::wire::{Js, Messages};
use engine::problem::Invalid;
use protocol::worker::{Codec, Payload, WorkerTask};
use std::ops::Deref;
use std::rc::Rc;
use web_sys::File;

/// A task for the solver.
#[derive(Debug, Clone)]
pub struct OwnedTask<E: WorkerTask> {
    /// The scenario.
    pub scenario: E::Scenario,
    /// The request.
    pub task: E,
    /// The group that it was asked for in: a late answer is of another one. The plan has none.
    pub group: Option<u32>,
}

impl<E: WorkerTask> OwnedTask<E> {
    /// Returns true for the plan itself, for which the user waits.
    pub const fn is_plan(&self) -> bool {
        self.group.is_none()
    }
}

/// Owner of a task: receives progress and results.
pub trait TaskOwner<E: WorkerTask>: Copy + 'static {
    /// Message when the solver failed at a task other than the plan and tries again.
    const AGAIN: &'static str =
        "Your scenario and its plan are unchanged; the computation continues.";

    /// True if a task other than the plan may be refused. The page validates scenarios before it sends them, so any other refusal
    /// is a fault of the program and is shown.
    const MAY_BE_REFUSED: bool = true;

    /// An answer has come, so long after it was sent for [ms].
    fn answered(&self, of: &OwnedTask<E>, answer: E::Answer, millis: f64);

    /// A part of an answer has come.
    fn on_partial(&self, _of: &OwnedTask<E>, _part: E::Answer) {}

    /// The solver is so far with something besides the plan.
    fn reached(&self, _of: &OwnedTask<E>, _share: Option<f64>) {}

    /// Called when a task other than the plan was refused.
    fn refused(&self, of: &OwnedTask<E>, why: String);

    /// The solver failed at something besides the plan twice: what is said of that.
    fn left_out(&self, of: &OwnedTask<E>) -> String;

    /// The file that goes with it. The browser hands its bytes out piece by piece, so that it can be read again.
    fn file(&self, _of: &OwnedTask<E>) -> Option<File> {
        None
    }
}

/// Result of a job, or the reason of a refusal.
pub type JobResult = Result<Js, Invalid>;

/// A task of any type.
#[derive(Clone)]
pub struct Job {
    /// True for the plan itself, for which the user waits.
    pub is_plan: bool,
    body: Rc<dyn ErasedTask>,
}

impl Deref for Job {
    type Target = dyn ErasedTask;

    fn deref(&self) -> &Self::Target {
        &*self.body
    }
}

impl Job {
    /// Creates a job owned by `by`.
    pub fn new<E: WorkerTask>(by: impl TaskOwner<E>, asked: OwnedTask<E>) -> Self {
        Self {
            is_plan: asked.is_plan(),
            body: Rc::new(PostedTask { by, task: asked }),
        }
    }
}

/// A task with its type erased.
pub trait ErasedTask {
    /// Its kind, as requests have it.
    fn kind(&self) -> &'static str;
    /// Encodes the scenario.
    ///
    /// # Errors
    /// Why it cannot go.
    fn scenario(&self) -> Result<Js, String>;
    /// Returns true if it belongs to a first answer.
    fn is_first(&self) -> bool;
    /// Encodes the request.
    ///
    /// # Errors
    /// Why it cannot go.
    fn encode_request(&self) -> Result<Js, String>;
    /// The file that goes with it.
    fn file(&self) -> Option<File>;
    /// Reports progress to the owner of the task.
    fn reached(&self, share: Option<f64>);
    /// Hands a part of the answer over; one that cannot be read is none.
    fn part(&self, part: Js);
    /// Hands the answer over.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn answered(&self, answer: Js, millis: f64) -> Result<(), String>;
    /// Reports to the owner that the task was refused; returns true if nothing more has to be reported.
    fn refused(&self, why: String) -> bool;
    /// Returns the message when the job is given up; empty for the plan.
    fn left_out(&self) -> String;
    /// Returns the message when the job is tried again.
    fn again(&self) -> &'static str;
}

struct PostedTask<E: WorkerTask, A> {
    by: A,
    task: OwnedTask<E>,
}

impl<E: WorkerTask, A: TaskOwner<E>> ErasedTask for PostedTask<E, A> {
    fn kind(&self) -> &'static str {
        E::KIND
    }

    fn scenario(&self) -> Result<Js, String> {
        self.task.scenario.send::<Messages>()
    }

    fn is_first(&self) -> bool {
        self.task.task.is_first()
    }

    fn encode_request(&self) -> Result<Js, String> {
        Messages::write(&self.task.task)
    }

    fn file(&self) -> Option<File> {
        self.by.file(&self.task)
    }

    fn reached(&self, share: Option<f64>) {
        self.by.reached(&self.task, share);
    }

    fn part(&self, part: Js) {
        if let Ok(part) = Messages::read(part) {
            self.by.on_partial(&self.task, part);
        }
    }

    fn answered(&self, answer: Js, millis: f64) -> Result<(), String> {
        let answer = Messages::read(answer)
            .map_err(|fault| format!("the solver sent an unreadable answer: {fault}"))?;
        self.by.answered(&self.task, answer, millis);
        Ok(())
    }

    fn refused(&self, why: String) -> bool {
        self.by.refused(&self.task, why);
        A::MAY_BE_REFUSED
    }

    fn left_out(&self) -> String {
        self.by.left_out(&self.task)
    }

    fn again(&self) -> &'static str {
        A::AGAIN
    }
}
