//! What is asked of the solver, and who hears what comes of it. A job carries whoever asked, so that its answer goes back
//! there: nobody between needs to know what it is about.

use super::wire::{Js, Messages};
use engine::problem::Invalid;
use std::ops::Deref;
use std::rc::Rc;
use tell::worker::{Carried, Errand, Wire};
use web_sys::File;

/// Something asked of the solver.
#[derive(Debug, Clone)]
pub struct Asked<E: Errand> {
    /// What it is about.
    pub scenario: E::Scenario,
    /// What is to be found out.
    pub ask: E,
    /// The group that it was asked for in: a late answer is of another one. The plan has none.
    pub group: Option<u32>,
}

impl<E: Errand> Asked<E> {
    /// Whether this is the plan itself, for which the user waits.
    pub const fn is_plan(&self) -> bool {
        self.group.is_none()
    }
}

/// Whoever asks something of the solver, and what it makes of the answer.
pub trait Asks<E: Errand>: Copy + 'static {
    /// What is said when the solver failed at something besides the plan, and tries it once more.
    const AGAIN: &'static str =
        "Your scenario and its plan are unchanged; the computation continues.";

    /// Whether something besides the plan may be refused, so that the plan stands all the same. The page checks a scenario
    /// before it asks; what may not be refused and is, is a fault of ours, and shown.
    const MAY_BE_REFUSED: bool = true;

    /// An answer has come, so long after it was sent for [ms].
    fn answered(&self, of: &Asked<E>, answer: E::Answer, millis: f64);

    /// A part of an answer has come.
    fn part(&self, _of: &Asked<E>, _part: E::Answer) {}

    /// The solver is so far with something besides the plan.
    fn reached(&self, _of: &Asked<E>, _share: Option<f64>) {}

    /// Something besides the plan was refused.
    fn refused(&self, of: &Asked<E>, why: String);

    /// The solver failed at something besides the plan twice: what is said of that.
    fn left_out(&self, of: &Asked<E>) -> String;

    /// The file that goes with it. The browser hands its bytes out piece by piece, so that it can be read again.
    fn file(&self, _of: &Asked<E>) -> Option<File> {
        None
    }
}

/// What a worker says of a job: its answer, or why there is none.
pub type Said = Result<Js, Invalid>;

/// Something to solve.
#[derive(Clone)]
pub struct Job {
    /// Whether this is the plan itself, for which the user waits.
    pub is_plan: bool,
    body: Rc<dyn Body>,
}

impl Deref for Job {
    type Target = dyn Body;

    fn deref(&self) -> &Self::Target {
        &*self.body
    }
}

impl Job {
    /// Something asked by `by`.
    pub fn new<E: Errand>(by: impl Asks<E>, asked: Asked<E>) -> Self {
        Self {
            is_plan: asked.is_plan(),
            body: Rc::new(Posted { by, asked }),
        }
    }
}

/// What the solver and the notices know of a job.
pub trait Body {
    /// Its kind, as requests have it.
    fn kind(&self) -> &'static str;
    /// What it is about, on its way to a worker.
    ///
    /// # Errors
    /// Why it cannot go.
    fn scenario(&self) -> Result<Js, String>;
    /// Whether it belongs to a first answer.
    fn is_first(&self) -> bool;
    /// What is to be found out, on its way to a worker.
    ///
    /// # Errors
    /// Why it cannot go.
    fn ask(&self) -> Result<Js, String>;
    /// The file that goes with it.
    fn file(&self) -> Option<File>;
    /// Tells whoever asked how far it is.
    fn reached(&self, share: Option<f64>);
    /// Hands a part of the answer over; one that cannot be read is none.
    fn part(&self, part: Js);
    /// Hands the answer over.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn answered(&self, answer: Js, millis: f64) -> Result<(), String>;
    /// Tells whoever asked that it was refused; whether that is all there is to say.
    fn refused(&self, why: String) -> bool;
    /// What is said when it is given up; nothing of the plan.
    fn left_out(&self) -> String;
    /// What is said when it is tried once more.
    fn again(&self) -> &'static str;
}

struct Posted<E: Errand, A> {
    by: A,
    asked: Asked<E>,
}

impl<E: Errand, A: Asks<E>> Body for Posted<E, A> {
    fn kind(&self) -> &'static str {
        E::KIND
    }

    fn scenario(&self) -> Result<Js, String> {
        self.asked.scenario.send::<Messages>()
    }

    fn is_first(&self) -> bool {
        self.asked.ask.is_first()
    }

    fn ask(&self) -> Result<Js, String> {
        Messages::write(&self.asked.ask)
    }

    fn file(&self) -> Option<File> {
        self.by.file(&self.asked)
    }

    fn reached(&self, share: Option<f64>) {
        self.by.reached(&self.asked, share);
    }

    fn part(&self, part: Js) {
        if let Ok(part) = Messages::read(part) {
            self.by.part(&self.asked, part);
        }
    }

    fn answered(&self, answer: Js, millis: f64) -> Result<(), String> {
        let answer = Messages::read(answer)
            .map_err(|fault| format!("the solver sent an unreadable answer: {fault}"))?;
        self.by.answered(&self.asked, answer, millis);
        Ok(())
    }

    fn refused(&self, why: String) -> bool {
        self.by.refused(&self.asked, why);
        A::MAY_BE_REFUSED
    }

    fn left_out(&self) -> String {
        self.by.left_out(&self.asked)
    }

    fn again(&self) -> &'static str {
        A::AGAIN
    }
}
