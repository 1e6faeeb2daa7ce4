//! What the user chose, and what is known about it. The scenario is the one truth: the address, the worker
//! and every view follow from it.

mod hunting;
mod more;
mod news;
mod published;
mod sweeping;
mod topic;

pub use super::desk::Desk;
pub use super::shell::Busy;
pub use hunting::{Hunting, Seen};
pub use more::{Kind, More, Round};
pub use published::PaperAnswers;
pub use sweeping::{Points, Run, Sweeping};

use super::files::Dropped;
use super::questions::Opens;
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use gloo::timers::callback::Timeout;
use job::cold_start::{Answer, Ask};
use job::worker::Sent;
use leptos::prelude::*;
use report::tell::for_file;
use std::ops::Deref;
use std::sync::Arc;
use story::Words;

/// Answers have paused when none has come for so long [ms].
const SETTLED_MS: u32 = 80;

/// An answer with the scenario it belongs to.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The problem it posed.
    pub problem: ColdStart,
    /// The answer.
    pub answer: Answer,
    /// The answer in words.
    pub words: Words,
    /// From asking to answer [ms].
    pub millis: f64,
}

/// The state of the cold-start question: a desk, and what follows from the scenario on it. Cheap to copy.
#[derive(Clone, Copy)]
pub struct State {
    desk: Desk<Scenario>,
    /// The answer on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// The same once answers have paused, for the parts of the page that stand further down: while a number is
    /// being dragged, the answer and its picture follow, and nothing else takes time from them.
    pub settled: RwSignal<Option<Arc<Shown>>>,
    /// Answers over prompt length.
    pub sweep: Sweeping,
    /// The search that goes on after the first answer.
    pub hunting: Hunting,
    /// What is found out besides the plan.
    pub more: More,
    /// The name of the plan whose flags are on show.
    pub flags_of: RwSignal<String>,
    /// Answers to the paper's own scenario.
    pub paper: RwSignal<PaperAnswers>,
    /// A model that fell on the page and waits to be looked at.
    pub brought: RwSignal<Option<Dropped>, LocalStorage>,
    asking_paper: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Deref for State {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl Opens for State {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            desk,
            shown: RwSignal::new(None),
            settled: RwSignal::new(None),
            sweep: Sweeping::open(),
            hunting: Hunting::open(),
            more: More::open(),
            flags_of: RwSignal::new(String::new()),
            paper: RwSignal::new(PaperAnswers::default()),
            brought: RwSignal::new_local(None),
            asking_paper: StoredValue::new_local(None),
        };
        desk.keep_planned(
            move |_| {
                state.pause_sweep();
                state.forget_hunt();
                state.end_more();
            },
            move |solver, scenario| {
                let tokens = scenario.prompt_tokens;
                solver.plan(state, Sent(scenario), Ask { tokens });
            },
        );
        desk.name_files(move || state.shown.with(|shown| shown.as_deref().map(file_stem)));
        state.settle();
        state
    }
}

impl State {
    /// Follows the answer from a distance.
    fn settle(self) {
        let timer = StoredValue::new_local(None::<Timeout>);
        Effect::new(move |_| {
            let shown = self.shown.get();
            // The first one is followed at once: what stands below it comes with it.
            if self.settled.with_untracked(Option::is_none) {
                return self.settled.set(shown);
            }
            let settle = Timeout::new(SETTLED_MS, move || self.settled.set(shown));
            timer.set_value(Some(settle));
        });
    }

    /// Ends the search, and the sweep with it.
    pub fn stop(&self) {
        self.cancel_sweep();
        self.end_more();
        self.with_solver(crate::ui::solver::Solver::stop);
        self.busy.set(Busy::GivenUp);
    }
}

/// `edgewise-cold-start-qwen3-14b-2562ms`.
fn file_stem(shown: &Shown) -> String {
    let model = for_file(shown.scenario.model.name());
    let figure = shown.answer.T.map_or_else(
        || "no-plan".to_owned(),
        |total| format!("{:.0}ms", 1e3 * total),
    );
    format!("edgewise-cold-start-{model}-{figure}")
}
