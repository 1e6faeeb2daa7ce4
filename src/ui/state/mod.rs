//! What the user chose, and what is known about it. The scenario is the one truth: the address, the worker
//! and every view follow from it.

mod edits;
mod news;
mod published;
mod sweeping;

pub use published::{PaperAnswers, is_paper};
pub use sweeping::{Points, Run, Sweeping};

use super::address;
use super::solver::Solver;
use crate::job::cold_start::Answer;
use crate::problem::ColdStart;
use crate::report::cold_start::Words;
use crate::scenario::link::LinkError;
use crate::scenario::{Scenario, presets};
use edits::Step;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// What the solver does just now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Busy {
    /// Nothing, or nothing worth saying.
    Idle,
    /// A search that has gone on for longer than a blink; its share done where known.
    Searching(Option<f64>),
    /// No answer will come for this scenario.
    GivenUp,
}

/// A notice above the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// What happened.
    pub title: String,
    /// What it means.
    pub text: String,
    /// Whether it interrupts.
    pub alert: bool,
    /// Details to copy, if any.
    pub details: Option<String>,
}

/// A short notice that goes away by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// What happened.
    pub text: String,
    /// Whether it offers to undo.
    pub undo: bool,
}

/// The page's state. Cheap to copy: a handful of signals.
#[derive(Clone, Copy)]
pub struct State {
    /// The scenario; always one that can be answered.
    pub scenario: RwSignal<Arc<Scenario>>,
    /// One number a device, which stays with it through moves; rows are keyed by it.
    pub ids: RwSignal<Vec<u32>>,
    /// The answer on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// The same once answers have paused, for the parts of the page that stand further down: while a number is
    /// being dragged, the answer and its picture follow, and nothing else takes time from them.
    pub settled: RwSignal<Option<Arc<Shown>>>,
    /// Answers over prompt length.
    pub sweep: Sweeping,
    /// Answers to the paper's own scenario.
    pub paper: RwSignal<PaperAnswers>,
    /// Fields that hold something that is no answerable number, by field, with the sentence to show.
    pub faults: RwSignal<BTreeMap<String, String>>,
    /// What the solver does.
    pub busy: RwSignal<Busy>,
    /// The notice above the answer.
    pub banner: RwSignal<Option<Banner>>,
    /// The passing notice.
    pub toast: RwSignal<Option<Toast>>,
    /// Whether the scenario sheet is open (small screens).
    pub sheet: RwSignal<bool>,
    /// How often the whole scenario was replaced: what was typed before belongs to another one.
    pub replaced: RwSignal<u32>,
    undo: RwSignal<Vec<Step>>,
    redo: RwSignal<Vec<Step>>,
    next_id: StoredValue<u32>,
    last_failure: StoredValue<f64>,
    solver: StoredValue<Option<Solver>, LocalStorage>,
    asking_paper: StoredValue<Option<Timeout>, LocalStorage>,
}

impl State {
    /// Opens the scenario of the address, else the one worked on last, else the paper's.
    pub fn open() -> Self {
        let opened = address::open();
        let scenario = opened.scenario;
        let instead = match opened.is_kept {
            true => format!("You see your last scenario instead: {}.", scenario.title),
            false => "You see the paper\u{2019}s four devices instead.".into(),
        };
        let count = scenario.devices.len() as u32;
        let state = Self {
            scenario: RwSignal::new(Arc::new(scenario)),
            ids: RwSignal::new((0..count).collect()),
            shown: RwSignal::new(None),
            settled: RwSignal::new(None),
            sweep: Sweeping::open(),
            paper: RwSignal::new(PaperAnswers::default()),
            faults: RwSignal::new(BTreeMap::new()),
            busy: RwSignal::new(Busy::Idle),
            banner: RwSignal::new(opened.fault.map(|fault| broken(&fault, &instead))),
            toast: RwSignal::new(None),
            sheet: RwSignal::new(false),
            replaced: RwSignal::new(0),
            undo: RwSignal::new(Vec::new()),
            redo: RwSignal::new(Vec::new()),
            next_id: StoredValue::new(count),
            last_failure: StoredValue::new(f64::NEG_INFINITY),
            solver: StoredValue::new_local(None),
            asking_paper: StoredValue::new_local(None),
        };
        let solver = Solver::new(move |news| state.hear(news));
        state.solver.set_value(Some(solver));
        Effect::new(move |_| {
            let scenario = state.scenario.get();
            state.pause_sweep();
            state.solver.with_value(|solver| {
                if let Some(solver) = solver.as_ref().filter(|_| !scenario.is_empty()) {
                    solver.plan(scenario);
                }
            });
        });
        state.settle();
        address::follow(move |link| match link {
            Ok(scenario) => state.visit(scenario),
            Err(fault) => state.banner.set(Some(broken(
                &fault,
                "Your scenario is still here, unchanged.",
            ))),
        });
        state
    }

    /// Opens the scenario where it is a sheet or a drawer; on a wide screen it is always there.
    pub fn open_sheet(&self) {
        self.sheet.set(is_narrow());
    }

    /// Says something in passing.
    pub fn say(&self, text: impl Into<String>) {
        self.toast.set(Some(Toast {
            text: text.into(),
            undo: false,
        }));
    }

    /// Follows the answer from a distance.
    fn settle(self) {
        let timer = StoredValue::new_local(None::<Timeout>);
        Effect::new(move |_| {
            let shown = self.shown.get();
            let settle = Timeout::new(SETTLED_MS, move || self.settled.set(shown));
            timer.set_value(Some(settle));
        });
    }

    /// Ends the search, and the sweep with it.
    pub fn stop(&self) {
        self.cancel_sweep();
        self.solver.with_value(|solver| {
            if let Some(solver) = solver {
                solver.stop();
            }
        });
        self.busy.set(Busy::GivenUp);
    }
}

fn broken(fault: &LinkError, instead: &str) -> Banner {
    Banner {
        title: fault.to_string(),
        text: format!("Nothing was taken from it. {instead}"),
        alert: true,
        details: None,
    }
}

/// Whether the scenario is a sheet or a drawer: the limit is that of `style/layout.css`.
pub fn is_narrow() -> bool {
    window()
        .match_media("(max-width: 1179px)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}

/// The preset that a scenario is, untouched.
pub fn preset_of(scenario: &Scenario) -> Option<&'static str> {
    presets::all()
        .into_iter()
        .find(|preset| preset.scenario == *scenario)
        .map(|preset| preset.name)
}
