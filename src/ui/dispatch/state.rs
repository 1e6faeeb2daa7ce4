//! The state of the device-or-server question: a desk, our policy for the scenario on it with the policies beside it, and
//! what was found out besides.

use crate::ui::desk::Desk;
use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Opens;
use crate::ui::shell::{Busy, Toast};
use crate::ui::solver::Solver;
use engine::scenario::dispatch::log::Column;
use engine::scenario::dispatch::{FirstToken, Prompts, Scenario, presets};
use gloo::timers::callback::Timeout;
use job::dispatch::{Answer, Ask, Imported, Planned, Predicted, Run, Sweep};
use job::dispatch_published::Measured;
use job::worker::Sent;
use leptos::prelude::*;
use report::dispatch::words;
use report::tell::for_file;
use std::ops::Deref;
use std::sync::Arc;
use story::Words;

/// The sweep begins so long after the policy [ms]: while the budget is dragged, only the policy follows.
const BEGIN_AFTER_MS: u32 = 150;
/// Groups of what is asked besides; those of the questions must not meet.
const FIRST_GROUP: u32 = 4 << 20;
const MEASURES: u32 = 5 << 20;
const LOGS: u32 = 6 << 20;

/// An answer with the scenario it belongs to.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The answer.
    pub planned: Planned,
    /// The same in words.
    pub words: Words,
    /// From asking to answer [ms].
    pub millis: f64,
}

/// What was found out besides.
#[derive(Debug, Clone, Default)]
pub struct Besides {
    /// The scenario it belongs to.
    pub of: Option<Arc<Scenario>>,
    /// All budgets.
    pub sweep: Option<Arc<Sweep>>,
    /// Simulated runs, as they come.
    pub runs: Vec<Run>,
    /// Runs that are still to come.
    pub running: usize,
    /// How well first tokens can be foretold, once that was asked for.
    pub predicted: Option<Predicted>,
    /// Whether it was.
    pub is_predicting: bool,
    /// What was refused or could not be found out.
    pub faults: Vec<String>,
}

/// What is going on with a log that was pasted or dropped.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Reading {
    /// Nothing.
    #[default]
    Idle,
    /// It is being read.
    Busy(String),
    /// It was refused.
    Refused(String),
    /// It was read: what was taken from it.
    Taken(String),
}

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct DispatchState {
    desk: Desk<Scenario>,
    /// The answer on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// What was found out besides.
    pub besides: RwSignal<Besides>,
    /// The paper's figures as ours, as far as they have been reckoned.
    pub measured: RwSignal<Measured>,
    /// How many pieces of them are still to come.
    pub measuring: RwSignal<usize>,
    /// The prompt length that is looked at [tokens].
    pub prompt: RwSignal<Option<u32>>,
    /// The share of server answers that begin sooner than the one that is looked at.
    pub luck: RwSignal<f64>,
    /// What goes on with a log.
    pub reading: RwSignal<Reading>,
    group: StoredValue<u32>,
    begin: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Deref for DispatchState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl Opens for DispatchState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            desk,
            shown: RwSignal::new(None),
            besides: RwSignal::new(Besides::default()),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(0),
            prompt: RwSignal::new(None),
            luck: RwSignal::new(0.5),
            reading: RwSignal::new(Reading::Idle),
            group: StoredValue::new(FIRST_GROUP),
            begin: StoredValue::new_local(None),
        };
        desk.keep_planned(
            move |is_open| {
                state.end_asks();
                if !is_open {
                    state.end_measures();
                }
            },
            move |solver, scenario| solver.plan(state, Sent(scenario), Ask::Plan),
        );
        desk.name_files(move || state.shown.with(|shown| shown.as_deref().map(file_stem)));
        state
    }
}

impl DispatchState {
    /// Ends the search, and what was to follow.
    pub fn stop(&self) {
        self.end_asks();
        self.end_measures();
        self.with_solver(Solver::stop);
        self.busy.set(Busy::GivenUp);
    }

    fn is_newest(&self, scenario: &Arc<Scenario>) -> bool {
        self.scenario
            .with_untracked(|now| Arc::ptr_eq(now, scenario))
    }

    /// What was found out besides about the answer on show.
    pub fn with_besides<T>(&self, read: impl FnOnce(&Arc<Shown>, &Besides) -> T) -> Option<T> {
        let shown = self.shown.get()?;
        self.besides.with(|besides| {
            let of = besides.of.as_ref()?;
            Arc::ptr_eq(of, &shown.scenario).then(|| read(&shown, besides))
        })
    }

    fn put(&self, job: &Asked<Ask>, change: impl FnOnce(&mut Besides)) {
        let is_own = |besides: &Besides| {
            let of = besides.of.as_ref();
            of.is_some_and(|of| Arc::ptr_eq(of, &job.scenario.0))
        };
        if self.besides.with_untracked(is_own) {
            self.besides.update(change);
        }
    }

    /// Asks for all budgets once edits have paused.
    fn go_on_soon(&self) {
        let state = *self;
        let timer = Timeout::new(BEGIN_AFTER_MS, move || state.go_on());
        self.begin.set_value(Some(timer));
    }

    fn go_on(&self) {
        let Some(shown) = self.shown.get_untracked() else {
            return;
        };
        if !self.is_newest(&shown.scenario) || self.keep_sweep(&shown.scenario) {
            return;
        }
        self.end_asks();
        self.besides.set(Besides {
            of: Some(shown.scenario.clone()),
            ..Besides::default()
        });
        self.ask(vec![Ask::Sweep]);
    }

    /// Whether the sweep is there already: another budget alone is another point of the same curve.
    fn keep_sweep(&self, scenario: &Arc<Scenario>) -> bool {
        let is_same = |besides: &Besides| {
            let of = besides.of.as_deref();
            let is_it = |of: &Scenario| {
                let at_its_budget = Scenario {
                    budget: scenario.budget,
                    ..of.clone()
                };
                at_its_budget == **scenario
            };
            besides.sweep.is_some() && of.is_some_and(is_it)
        };
        let is_same = self.besides.with_untracked(is_same);
        if is_same {
            self.besides.update(|besides| {
                besides.of = Some(scenario.clone());
                besides.runs.clear();
            });
        }
        is_same
    }

    fn ask(&self, asks: Vec<Ask>) {
        let Some(of) = self.besides.with_untracked(|besides| besides.of.clone()) else {
            return;
        };
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(of), asks));
    }

    /// Simulates the requests of the scenario, a run a seed.
    pub fn simulate(&self) {
        let Some(of) = self.besides.with_untracked(|besides| besides.of.clone()) else {
            return;
        };
        let first = of.runs.first_seed as u64;
        let seeds: Vec<Ask> = (0..of.runs.seeds as u64)
            .map(|n| Ask::Run { seed: first + n })
            .collect();
        self.besides.update(|besides| {
            besides.runs.clear();
            besides.running = seeds.len();
            besides.faults.clear();
        });
        self.ask(seeds);
    }

    /// Ends the runs; those that came stay.
    pub fn end_runs(&self) {
        self.renew_group();
        self.besides.update(|besides| {
            besides.running = 0;
            besides.is_predicting = false;
        });
    }

    /// Asks how well first tokens can be foretold.
    pub fn predict(&self) {
        self.besides.update(|besides| {
            besides.is_predicting = true;
            besides.faults.clear();
        });
        self.ask(vec![Ask::Predict]);
    }

    /// Reads a log in the solver: a large one takes a while.
    pub fn import(&self, name: String, text: String, bare: Column) {
        self.reading.set(Reading::Busy(name.clone()));
        let scenario = self.scenario.get_untracked();
        let asks = vec![Ask::Import { name, text, bare }];
        self.with_solver(|solver| solver.points(*self, LOGS, &Sent(scenario), asks));
    }

    fn imported(&self, imported: Imported) {
        let words = report::dispatch::imported_words(&imported);
        let done = self.edit("", |s| {
            if let Some((measured, _)) = &imported.first_tokens {
                s.server.first_token = FirstToken::Measured(measured.clone());
            }
            if let Some((measured, _)) = &imported.prompts {
                s.prompts = Prompts::Measured(measured.clone());
            }
        });
        match done {
            Ok(()) => {
                self.toast.set(Some(Toast {
                    text: words.clone(),
                    undo: true,
                }));
                self.reading.set(Reading::Taken(words));
            }
            Err(fault) => self.reading.set(Reading::Refused(fault.to_string())),
        }
    }

    /// Reckons the paper's figures once everything about the scenario is known.
    pub fn measure_once(&self) {
        let is_new = self.measured.with_untracked(|m| *m == Measured::default());
        if is_new && self.measuring.get_untracked() == 0 {
            self.measure();
        }
    }

    /// Reckons the paper's figures, piece by piece; they go on while the scenario is edited.
    pub fn measure(&self) {
        let asks: Vec<Ask> = Measured::pieces().into_iter().map(Ask::Measure).collect();
        self.measured.set(Measured::default());
        self.measuring.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// Ends that.
    pub fn end_measures(&self) {
        if self.measuring.get_untracked() > 0 {
            self.measuring.set(0);
            self.with_solver(|solver| solver.cancel(MEASURES));
        }
    }

    fn renew_group(&self) {
        let group = self.group.get_value();
        self.group.set_value(group + 1);
        self.with_solver(|solver| solver.cancel(group));
    }

    /// Nothing more comes of what was asked last.
    pub fn end_asks(&self) {
        self.begin.set_value(None);
        self.renew_group();
        let is_open = |besides: &Besides| besides.running > 0 || besides.is_predicting;
        if self.besides.with_untracked(is_open) {
            self.besides.update(|besides| {
                besides.running = 0;
                besides.is_predicting = false;
            });
        }
    }

    /// Sets the budget: edits of one drag are one step to undo.
    pub fn set_budget(&self, budget: f64) {
        let budget = (1000.0 * budget).round() / 1000.0;
        let _ = self.edit("budget", |s| s.budget = budget.clamp(0.0, 1.0)); // always in range
        self.forgive("budget");
    }

    /// The prompt length that is looked at: a likely one unless another was chosen.
    pub fn looked_at(&self) -> u32 {
        let shown = self.shown.get();
        let telling = shown.map_or(12, |shown| shown.planned.telling_prompt());
        self.prompt.get().unwrap_or(telling)
    }
}

impl Asks<Ask> for DispatchState {
    fn answered(&self, job: &Asked<Ask>, answer: Answer, millis: f64) {
        match answer {
            Answer::Plan(planned) => {
                let newest = self.is_newest(&job.scenario.0);
                let words = words(&job.scenario, &planned);
                self.keep_sweep(&job.scenario.0);
                self.shown.set(Some(Arc::new(Shown {
                    scenario: job.scenario.0.clone(),
                    planned: *planned,
                    words,
                    millis,
                })));
                if newest {
                    self.busy.set(Busy::Idle);
                    self.go_on_soon();
                }
            }
            Answer::Sweep(sweep) => {
                self.put(job, |besides| besides.sweep = Some(Arc::new(sweep)));
            }
            Answer::Run(run) => self.put(job, |besides| {
                besides.running = besides.running.saturating_sub(1);
                let at = besides.runs.partition_point(|r| r.seed < run.seed);
                besides.runs.insert(at, run);
            }),
            Answer::Predicted(predicted) => self.put(job, |besides| {
                besides.is_predicting = false;
                besides.predicted = Some(predicted);
            }),
            Answer::Imported(imported) => self.imported(imported),
            Answer::Measured(piece) => {
                if self.measuring.get_untracked() > 0 {
                    self.measured.update(|all| all.add(piece));
                    self.measuring.update(|open| *open -= 1);
                }
            }
        }
    }

    fn refused(&self, job: &Asked<Ask>, why: String) {
        match &job.ask {
            Ask::Import { .. } => self.reading.set(Reading::Refused(why)),
            Ask::Measure(_) => self.measuring.update(|open| *open = open.saturating_sub(1)),
            Ask::Run { .. } => self.put(job, |besides| {
                besides.running = besides.running.saturating_sub(1);
                besides.faults.push(why);
            }),
            _ => self.put(job, |besides| {
                besides.is_predicting = false;
                besides.faults.push(why);
            }),
        }
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, "the solver stopped at this twice".to_owned());
        "It stopped again, so that one thing was left out. Nothing else is lost.".to_owned()
    }
}

/// `edgewise-dispatch-llama-3-1-70b-592ms`.
fn file_stem(shown: &Shown) -> String {
    let server = for_file(&shown.scenario.server.name);
    let millis = 1e3 * shown.planned.ours().outcome.mean;
    format!("edgewise-dispatch-{server}-{millis:.0}ms")
}
