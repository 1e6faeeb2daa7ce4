//! The state of the operator-graph question: a desk, the order for the scenario on it, and what was found out besides.

use super::reading::{Read, Reading};
use super::split::SplitState;
use crate::ui::desk::Desk;
use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Opens;
use crate::ui::shell::Busy;
use crate::ui::solver::Solver;
use crate::ui::views::held::{Walk, Zoom};
use chart::View;
use engine::graph::{Graph, Objective, catalogue};
use engine::scenario::operators::{Scenario, presets};
use gloo::timers::callback::Timeout;
use job::operator_order::{Drawn, Method};
use job::operators::{Answer, Ask, Case, Ordered, Plan, Searched, SplitCase};
use job::worker::Sent;
use leptos::prelude::*;
use report::operators::{graph_name, words};
use report::tell::for_file;
use std::ops::Deref;
use std::sync::Arc;
use story::Words;
use web_sys::File;

/// What is asked besides begins so long after the order [ms]: while the limit is dragged, only the order follows.
const BEGIN_AFTER_MS: u32 = 150;
/// Groups of what is asked besides; those of the questions must not meet.
const FIRST_GROUP: u32 = 7 << 20;
const CASES: u32 = 8 << 20;
const SPLIT_CASES: u32 = CASES + 1;
const FIRST_FILE: u32 = 9 << 20;

/// An answer with the scenario it belongs to.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Its graph.
    pub graph: Arc<Graph>,
    /// The answer.
    pub plan: Plan,
    /// The same in words.
    pub words: Words,
    /// From asking to answer [ms].
    pub millis: f64,
}

impl Shown {
    /// All orders, ours first.
    pub fn orders(&self) -> impl Iterator<Item = &Ordered> {
        self.plan.ours.iter().chain(&self.plan.others)
    }

    /// The order whose steps are looked at: ours, or where there is none the first of the others.
    pub fn main(&self) -> Option<&Ordered> {
        self.orders().next()
    }
}

/// What was found out besides.
#[derive(Debug, Clone, Default)]
pub struct Besides {
    /// The scenario it belongs to.
    pub of: Option<Arc<Scenario>>,
    /// Random orders.
    pub drawn: Option<Drawn>,
    /// What the paper's search makes of it, once that was asked for.
    pub searched: Option<Searched>,
    /// Whether it searches, and its share done where known.
    pub searching: Option<Option<f64>>,
    /// What was refused or could not be found out.
    pub faults: Vec<String>,
}

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct OperatorsState {
    desk: Desk<Scenario>,
    /// The answer on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// What was found out besides.
    pub besides: RwSignal<Besides>,
    /// The paper's models as ours, as far as they have been computed, in their order.
    pub cases: RwSignal<Vec<Case>>,
    /// How many of them are still to come.
    pub measuring: RwSignal<usize>,
    /// The same about splits, once that was asked for.
    pub split_cases: RwSignal<Vec<SplitCase>>,
    /// How many of them are still to come.
    pub measuring_splits: RwSignal<usize>,
    /// The step that is looked at, from 0; the peak unless another was chosen.
    pub step: RwSignal<Option<usize>>,
    /// What is seen of the steps, in every chart over them.
    pub steps_seen: RwSignal<Option<View>>,
    /// Whether memory is shown between steps instead of while operators run.
    pub between: RwSignal<bool>,
    /// Orders that are hidden in the chart.
    pub hidden: RwSignal<Vec<Method>>,
    /// What goes on with a file.
    pub reading: RwSignal<Reading>,
    /// What the reader said of files, the last one last.
    pub read: RwSignal<Vec<Arc<Read>>>,
    /// The operators cut over devices.
    pub split: SplitState,
    pub(super) file: StoredValue<Option<File>, LocalStorage>,
    /// The file that is being read.
    pub(super) file_to_read: StoredValue<Option<File>, LocalStorage>,
    pub(super) file_group: StoredValue<u32>,
    group: StoredValue<u32>,
    begin: StoredValue<Option<Timeout>, LocalStorage>,
    /// Whether the scenario has stood still for a moment.
    has_paused: StoredValue<bool>,
}

impl Deref for OperatorsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl Opens for OperatorsState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            desk,
            shown: RwSignal::new(None),
            besides: RwSignal::new(Besides::default()),
            cases: RwSignal::new(Vec::new()),
            measuring: RwSignal::new(0),
            split_cases: RwSignal::new(Vec::new()),
            measuring_splits: RwSignal::new(0),
            step: RwSignal::new(None),
            steps_seen: RwSignal::new(None),
            between: RwSignal::new(false),
            hidden: RwSignal::new(Vec::new()),
            reading: RwSignal::new(Reading::Idle),
            read: RwSignal::new(Vec::new()),
            split: SplitState::new(),
            file: StoredValue::new_local(None),
            file_to_read: StoredValue::new_local(None),
            file_group: StoredValue::new(FIRST_FILE),
            group: StoredValue::new(FIRST_GROUP),
            begin: StoredValue::new_local(None),
            has_paused: StoredValue::new(false),
        };
        desk.keep_planned(
            move |is_open| {
                state.end_asks();
                if !is_open {
                    state.end_measures();
                    state.end_split_measures();
                    state.end_reading();
                }
            },
            move |solver, scenario| solver.plan(state, Sent(scenario), Ask::Plan),
        );
        desk.name_files(move || state.shown.with(|shown| shown.as_deref().map(file_stem)));
        state
    }
}

impl OperatorsState {
    /// Ends the search, and what was to follow.
    pub fn stop(&self) {
        self.end_asks();
        self.end_measures();
        self.end_split_measures();
        self.end_reading();
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

    fn planned(&self, scenario: Arc<Scenario>, plan: Plan, millis: f64) {
        let newest = self.is_newest(&scenario);
        let before = self.shown.get_untracked();
        let same = before.filter(|shown| shown.scenario.graph == scenario.graph);
        let alike = same
            .as_ref()
            .filter(|shown| shown.scenario.weights == scenario.weights);
        let graph = match alike {
            Some(shown) => shown.graph.clone(),
            None => match scenario.graph() {
                Ok(graph) => Arc::new(graph),
                Err(_) => return, // the worker read the same one
            },
        };
        if same.is_none() {
            // Steps of another graph mean nothing here.
            self.step.set(None);
            self.steps_seen.set(None);
        }
        let words = words(&scenario, &graph, &plan);
        self.keep_besides(&scenario);
        let shown = Arc::new(Shown {
            scenario,
            graph,
            plan,
            words,
            millis,
        });
        self.shown.set(Some(shown.clone()));
        if newest {
            self.busy.set(Busy::Idle);
            // A quick split follows every edit; a better one is looked for once edits have paused.
            self.ask_splits(&shown);
            let state = *self;
            let timer = Timeout::new(BEGIN_AFTER_MS, move || state.go_on());
            self.begin.set_value(Some(timer));
        }
    }

    /// What holds for the new scenario as well goes over to it.
    fn keep_besides(&self, scenario: &Arc<Scenario>) {
        let before = self.besides.get_untracked();
        let Some(of) = &before.of else { return };
        let same_graph = of.graph == scenario.graph && of.weights == scenario.weights;
        let drawn = before
            .drawn
            .filter(|_| same_graph && of.draws == scenario.draws);
        let counts_alike =
            |a: Objective, b: Objective| (a == Objective::Table4) == (b == Objective::Table4);
        let searched = before
            .searched
            .filter(|_| same_graph && counts_alike(of.objective, scenario.objective));
        self.besides.set(Besides {
            of: Some(scenario.clone()),
            drawn,
            searched,
            ..Besides::default()
        });
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

    /// Asks for random orders and starts the search for a split once edits have paused.
    fn go_on(&self) {
        let Some(shown) = self.shown.get_untracked() else {
            return;
        };
        if !self.is_newest(&shown.scenario) {
            return;
        }
        let of = self.besides.with_untracked(|besides| besides.of.clone());
        if !of.is_some_and(|of| Arc::ptr_eq(&of, &shown.scenario)) {
            self.besides.set(Besides {
                of: Some(shown.scenario.clone()),
                ..Besides::default()
            });
        }
        if self
            .besides
            .with_untracked(|besides| besides.drawn.is_none())
        {
            self.ask(vec![Ask::Draws]);
        }
        self.has_paused.set_value(true);
        self.cut_on();
    }

    fn ask(&self, asks: Vec<Ask>) {
        let Some(of) = self.besides.with_untracked(|besides| besides.of.clone()) else {
            return;
        };
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(of), asks));
    }

    /// Asks for the paper's search.
    pub fn search(&self) {
        self.besides.update(|besides| {
            besides.searching = Some(None);
            besides.searched = None;
            besides.faults.clear();
        });
        self.ask(vec![Ask::Search]);
    }

    /// Ends it.
    pub fn end_search(&self) {
        self.renew_group();
        self.besides.update(|besides| besides.searching = None);
        if self
            .besides
            .with_untracked(|besides| besides.drawn.is_none())
        {
            self.ask(vec![Ask::Draws]);
        }
    }

    /// Computes the paper's models once everything about the scenario is known.
    pub fn measure_once(&self) {
        if self.cases.with_untracked(Vec::is_empty) && self.measuring.get_untracked() == 0 {
            self.measure();
        }
    }

    /// Computes the paper's models, one by one; they go on while the scenario is edited.
    pub fn measure(&self) {
        let asks: Vec<Ask> = (0..catalogue::MODELS.len())
            .map(|at| Ask::Published { at })
            .collect();
        self.cases.set(Vec::new());
        self.measuring.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, CASES, &any, asks));
    }

    /// Ends that.
    pub fn end_measures(&self) {
        if self.measuring.get_untracked() > 0 {
            self.measuring.set(0);
            self.with_solver(|solver| solver.cancel(CASES));
        }
    }

    /// Computes what the paper says of splits, model by model.
    pub fn measure_splits(&self) {
        let asks: Vec<Ask> = (0..catalogue::MODELS.len())
            .map(|at| Ask::PublishedSplit { at })
            .collect();
        self.split_cases.set(Vec::new());
        self.measuring_splits.set(asks.len());
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, SPLIT_CASES, &any, asks));
    }

    /// Ends that.
    pub fn end_split_measures(&self) {
        if self.measuring_splits.get_untracked() > 0 {
            self.measuring_splits.set(0);
            self.with_solver(|solver| solver.cancel(SPLIT_CASES));
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
        self.has_paused.set_value(false);
        self.renew_group();
        self.end_splits();
        if self
            .besides
            .with_untracked(|besides| besides.searching.is_some())
        {
            self.besides.update(|besides| besides.searching = None);
        }
    }

    /// The step that is looked at, from 0.
    pub fn looked_at(&self) -> usize {
        let last = self.last_step_of_order();
        let peak = self.shown.with(|shown| {
            let main = shown.as_deref().and_then(Shown::main);
            main.map_or(0, |ordered| ordered.trace.peak_step())
        });
        self.step.get().unwrap_or(peak).min(last)
    }

    /// The axis of steps, which all charts over them share.
    pub fn steps_zoom(&self) -> Zoom {
        let state = *self;
        let end = Signal::derive(move || state.last_step_of_order() as f64 + 1.0);
        let at = Signal::derive(move || state.looked_at() as f64);
        Zoom {
            view: self.steps_seen,
            ..Zoom::counted(end, 3.0, Some(at))
        }
    }

    /// Has keys walk through the steps; `at` is where the chosen one stands on the axis.
    pub fn walk(&self, at: Signal<f64>) -> Walk {
        let state = *self;
        Walk {
            now: Signal::derive(move || state.looked_at()),
            last: Signal::derive(move || state.last_step_of_order()),
            at,
        }
    }

    /// Whether the scenario has stood still for a moment.
    pub(super) fn has_paused(&self) -> bool {
        self.has_paused.get_value()
    }

    /// The last step of the order on show, from 0.
    pub fn last_step_of_order(&self) -> usize {
        self.shown
            .with(|shown| shown.as_ref().map_or(0, |shown| shown.graph.len() - 1))
    }
}

impl Asks<Ask> for OperatorsState {
    fn answered(&self, job: &Asked<Ask>, answer: Answer, millis: f64) {
        match answer {
            Answer::Plan(plan) => self.planned(job.scenario.0.clone(), *plan, millis),
            Answer::Search(searched) => self.put(job, |besides| {
                besides.searching = None;
                besides.searched = Some(searched);
            }),
            Answer::Draws(drawn) => self.put(job, |besides| besides.drawn = Some(drawn)),
            answer @ (Answer::Splits(_)
            | Answer::Chain(_)
            | Answer::Island(_)
            | Answer::Variant(_)) => {
                self.split_answered(job, answer, true);
            }
            Answer::Published(case) => {
                if self.measuring.get_untracked() > 0 {
                    self.cases.update(|cases| {
                        let at = cases.partition_point(|other| other.at < case.at);
                        cases.insert(at, *case);
                    });
                    self.measuring.update(|open| *open -= 1);
                }
            }
            Answer::PublishedSplit(case) => {
                if self.measuring_splits.get_untracked() > 0 {
                    self.split_cases.update(|cases| {
                        let at = cases.partition_point(|other| other.at < case.at);
                        cases.insert(at, *case);
                    });
                    self.measuring_splits.update(|open| *open -= 1);
                }
            }
        }
    }

    fn part(&self, job: &Asked<Ask>, answer: Answer) {
        self.split_answered(job, answer, false);
    }

    fn refused(&self, job: &Asked<Ask>, why: String) {
        if self.split_refused(job, &why) {
            return;
        }
        match job.ask {
            Ask::Published { .. } => self.measuring.update(|open| *open = open.saturating_sub(1)),
            Ask::PublishedSplit { .. } => {
                let measuring = self.measuring_splits;
                measuring.update(|open| *open = open.saturating_sub(1));
            }
            _ => self.put(job, |besides| {
                besides.searching = None;
                besides.faults.push(why);
            }),
        }
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, "the solver stopped twice at this".to_owned());
        "The solver stopped again, so this result is left out. Nothing else is lost.".to_owned()
    }

    fn reached(&self, job: &Asked<Ask>, share: Option<f64>) {
        if job.ask == Ask::Search {
            self.put(job, |besides| besides.searching = Some(share));
        }
    }
}

/// `edgewise-operators-googlenet-3920kib`.
fn file_stem(shown: &Shown) -> String {
    let graph = for_file(&graph_name(&shown.scenario));
    let peak = shown.main().map_or(0, |ordered| ordered.peak);
    format!("edgewise-operators-{graph}-{}kib", peak.div_ceil(1024))
}
