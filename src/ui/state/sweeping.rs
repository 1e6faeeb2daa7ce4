//! The sweep over prompt lengths: which lengths, which answers have come, and whether it runs.
//!
//! A sweep begins once edits have paused and its plan has come; a newer plan pauses it. Answers of workers come
//! faster than a page can be painted, so they are put on show a frame's worth at a time.

use super::{Busy, State};
use crate::ui::jobs::Asked;
use crate::ui::workspace;
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use engine::scenario::lengths::Lengths;
use gloo::timers::callback::Timeout;
use job::cold_start::{Answer, Ask};
use job::worker::Sent;
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where the lengths are kept between visits.
const KEPT: &str = "edgewise.sweep";
/// A sweep begins this long after the last answer [ms]: while a number is dragged, only the plan follows.
const BEGIN_AFTER_MS: u32 = 120;
/// A sweep that takes longer than this says how far it is [ms].
const SLOW_AFTER_MS: u32 = 300;
/// Answers are put on show this often [ms].
const SHOW_EVERY_MS: u32 = 40;

/// Whether a sweep runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// It does not, or has ended.
    Idle,
    /// It does, and for long enough to say how far it is if `slow`.
    Running {
        /// Whether it takes its time.
        slow: bool,
    },
    /// The user ended it before its end.
    Cancelled,
}

/// Answers over prompt length, and the scenario they belong to (its own length aside).
#[derive(Debug, Clone, Default)]
pub struct Points {
    of: Option<(Arc<Scenario>, Arc<ColdStart>)>,
    answers: BTreeMap<u64, Arc<Answer>>,
    left_out: BTreeSet<u64>,
}

impl Points {
    /// The answer at a prompt length, if it has arrived.
    pub fn at(&self, tokens: f64) -> Option<&Arc<Answer>> {
        self.answers.get(&(tokens as u64))
    }

    /// Whether the solver failed at this length twice.
    pub fn is_left_out(&self, tokens: f64) -> bool {
        self.left_out.contains(&(tokens as u64))
    }

    /// Whether the answers belong to `scenario`.
    pub fn is_of(&self, scenario: &Scenario) -> bool {
        let own = self.of.as_ref();
        own.is_some_and(|(own, _)| only_length_differs(own, scenario))
    }

    /// The problem of their scenario, at its own length: it knows the devices' names.
    pub fn problem(&self) -> Option<&Arc<ColdStart>> {
        self.of.as_ref().map(|(_, problem)| problem)
    }

    fn is_open(&self, tokens: f64) -> bool {
        self.at(tokens).is_none() && !self.is_left_out(tokens)
    }
}

/// Everything about the sweep. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Sweeping {
    /// The answers that are on show.
    pub points: RwSignal<Points>,
    /// What is swept.
    pub lengths: RwSignal<Arc<Lengths>>,
    /// The lengths of it [tokens].
    pub values: Memo<Arc<Vec<f64>>>,
    /// Whether it runs.
    pub run: RwSignal<Run>,
    group: StoredValue<u32>,
    waiting: StoredValue<Vec<(f64, Option<Arc<Answer>>)>>,
    begin: StoredValue<Option<Timeout>, LocalStorage>,
    slow: StoredValue<Option<Timeout>, LocalStorage>,
    show: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Sweeping {
    pub(super) fn open() -> Self {
        let kept = workspace::remembered(KEPT);
        let kept = kept.and_then(|text| serde_json::from_str(&text).ok());
        let kept = kept.and_then(Lengths::checked);
        let lengths = RwSignal::new(Arc::new(kept.unwrap_or_default()));
        Self {
            points: RwSignal::new(Points::default()),
            lengths,
            values: Memo::new(move |_| Arc::new(lengths.with(|lengths| lengths.values()))),
            run: RwSignal::new(Run::Idle),
            group: StoredValue::new(0),
            waiting: StoredValue::new(Vec::new()),
            begin: StoredValue::new_local(None),
            slow: StoredValue::new_local(None),
            show: StoredValue::new_local(None),
        }
    }

    /// How many lengths are answered, or left out because they cannot be.
    pub fn done(&self) -> usize {
        self.values.with(|values| {
            let is_done = |points: &Points| values.iter().filter(|t| !points.is_open(**t)).count();
            self.points.with(is_done)
        })
    }

    fn open_lengths(&self) -> Vec<f64> {
        self.values.with_untracked(|values| {
            let open = |points: &Points| {
                let open = values.iter().filter(|tokens| points.is_open(**tokens));
                open.copied().collect()
            };
            self.points.with_untracked(open)
        })
    }

    /// Puts the answers that have come on show.
    fn put_on_show(&self) {
        self.show.set_value(None);
        let waiting = self.waiting.try_update_value(std::mem::take);
        let waiting = waiting.unwrap_or_default();
        if waiting.is_empty() {
            return;
        }
        self.points.update(|points| {
            for (tokens, answer) in waiting {
                match answer {
                    Some(answer) => drop(points.answers.insert(tokens as u64, answer)),
                    None => drop(points.left_out.insert(tokens as u64)),
                }
            }
        });
        if self.open_lengths().is_empty() {
            self.run.set(Run::Idle);
        }
    }

    /// What became of the lengths at which the solver failed twice.
    pub(super) fn left_out_sentence(&self) -> String {
        let left_out = self.points.with_untracked(|points| points.left_out.clone());
        let list: Vec<String> = left_out.iter().map(u64::to_string).collect();
        let these = if list.len() == 1 {
            "that length was left out"
        } else {
            "those lengths were left out"
        };
        let list = list.join(", ");
        format!("It stopped again at {list} tokens, so {these} of the sweep. Nothing else is lost.")
    }
}

impl State {
    /// Sweeps `scenario` once edits have paused.
    pub(super) fn sweep_soon(&self, scenario: Arc<Scenario>) {
        let state = *self;
        let timer = Timeout::new(BEGIN_AFTER_MS, move || {
            if state.is_now(&scenario) {
                state.begin_sweep(&scenario);
            }
        });
        self.sweep.begin.set_value(Some(timer));
    }

    /// A newer plan is wanted: the sweep goes on after it.
    pub(super) fn pause_sweep(&self) {
        self.end_group();
        self.sweep.run.set(Run::Idle);
    }

    /// Ends the sweep; what has come stays.
    pub fn cancel_sweep(&self) {
        if matches!(self.sweep.run.get_untracked(), Run::Running { .. }) {
            self.end_group();
            self.sweep.run.set(Run::Cancelled);
        }
    }

    /// Goes on with a sweep that was cancelled.
    pub fn resume_sweep(&self) {
        let scenario = self.scenario.get_untracked();
        let is_answered = |shown: &Option<Arc<super::Shown>>| {
            shown
                .as_ref()
                .is_some_and(|shown| Arc::ptr_eq(&shown.scenario, &scenario))
        };
        // Otherwise it begins by itself when the plan has come.
        if self.busy.get_untracked() == Busy::Idle && self.shown.with_untracked(is_answered) {
            self.begin_sweep(&scenario);
        }
    }

    /// Sweeps other lengths from now on.
    pub fn sweep_lengths(&self, lengths: Lengths) {
        // A browser that keeps nothing shows the paper's next time.
        if let Ok(text) = serde_json::to_string(&lengths) {
            workspace::remember(KEPT, &text);
        }
        self.end_group();
        self.sweep.run.set(Run::Idle);
        self.sweep.lengths.set(Arc::new(lengths));
        self.resume_sweep();
    }

    /// An answer to a point of the sweep has come, or never will.
    pub(super) fn point_arrived(&self, job: &Asked<Ask>, answer: Option<Arc<Answer>>) {
        let sweep = self.sweep;
        if !sweep.points.with_untracked(|p| p.is_of(&job.scenario.0)) {
            return;
        }
        let is_given_up = answer.is_none();
        sweep
            .waiting
            .update_value(|waiting| waiting.push((job.ask.tokens, answer)));
        let open = sweep.open_lengths().len();
        let is_last = sweep.waiting.with_value(Vec::len) >= open;
        if is_last || is_given_up {
            return sweep.put_on_show();
        }
        if sweep.show.with_value(Option::is_none) {
            let timer = Timeout::new(SHOW_EVERY_MS, move || sweep.put_on_show());
            sweep.show.set_value(Some(timer));
        }
    }

    fn is_now(&self, scenario: &Arc<Scenario>) -> bool {
        self.scenario
            .with_untracked(|now| Arc::ptr_eq(now, scenario))
    }

    fn begin_sweep(&self, scenario: &Arc<Scenario>) {
        self.end_group();
        let sweep = self.sweep;
        if !sweep.points.with_untracked(|points| points.is_of(scenario)) {
            let problem = scenario.problem().ok();
            sweep.points.set(Points {
                of: problem.map(|problem| (scenario.clone(), Arc::new(problem))),
                ..Points::default()
            });
        }
        self.keep_searched(scenario);
        let open = sweep.open_lengths();
        if open.is_empty() {
            return sweep.run.set(Run::Idle);
        }
        sweep.run.set(Run::Running { slow: false });
        let slow = Timeout::new(SLOW_AFTER_MS, move || {
            if sweep.run.get_untracked() == (Run::Running { slow: false }) {
                sweep.run.set(Run::Running { slow: true });
            }
        });
        sweep.slow.set_value(Some(slow));
        sweep.group.update_value(|group| *group += 1);
        let group = sweep.group.get_value();
        let asks = open.into_iter().map(|tokens| Ask { tokens });
        self.with_solver(|solver| solver.points(*self, group, &Sent(scenario.clone()), asks));
    }

    /// The answer of a long search is the point at its length: a point of the sweep is not searched for as long.
    fn keep_searched(&self, scenario: &Arc<Scenario>) {
        let was_long = self.hunting.seen.with_untracked(Option::is_some);
        let Some(shown) = self.shown.get_untracked().filter(|_| was_long) else {
            return;
        };
        let tokens = scenario.prompt_tokens;
        let is_swept = |values: &Arc<Vec<f64>>| values.contains(&tokens);
        if Arc::ptr_eq(&shown.scenario, scenario) && self.sweep.values.with_untracked(is_swept) {
            let answer = Arc::new(shown.answer.clone());
            let points = self.sweep.points;
            points.update(|points| drop(points.answers.insert(tokens as u64, answer)));
        }
    }

    /// Nothing more comes of the points asked for last.
    fn end_group(&self) {
        let group = self.sweep.group.get_value();
        self.sweep.begin.set_value(None);
        self.sweep.slow.set_value(None);
        self.with_solver(|solver| solver.cancel(group));
        self.sweep.put_on_show();
    }
}

/// Whether two scenarios have the same sweep over prompt lengths.
fn only_length_differs(a: &Scenario, b: &Scenario) -> bool {
    let mut same_length = a.clone();
    same_length.prompt_tokens = b.prompt_tokens;
    same_length.title.clone_from(&b.title);
    same_length == *b
}
