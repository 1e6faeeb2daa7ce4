//! The state of the tiers question: a desk, the plan for the scenario on it, and the runs of requests through it.

use crate::ui::desk::Desk;
use crate::ui::jobs::{Asked, Asks};
use crate::ui::measuring::Measuring;
use crate::ui::questions::Opens;
use crate::ui::shell::{Busy, for_file};
use crate::ui::solver::Solver;
use engine::scenario::tiers::{Placed, Requests, Scenario, Scheduler, presets};
use gloo::timers::callback::Timeout;
use job::tiers::{Answer, Ask, Plan, Planned, Runs, RunsAsk, Timeline, UnderLoad, Who};
use job::tiers_published::{Figures, Measure, Measured};
use job::worker::Sent;
use leptos::prelude::*;
use report::tiers::{split_words, words};
use std::ops::Deref;
use std::sync::Arc;
use story::Words;

/// Runs begin so long after the last plan [ms]: while a number is dragged, only the plan follows.
const BEGIN_AFTER_MS: u32 = 150;
/// Rates of the sweep, as shares of the rate at which the plan is full.
const SHARES: [f64; 10] = [0.15, 0.28, 0.4, 0.55, 0.7, 0.8, 0.88, 0.95, 1.02, 1.1];

/// The group of the paper's measurements.
const MEASURES: u32 = 4 << 20;

/// A plan with the scenario it belongs to.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The plan and what it is compared with.
    pub planned: Planned,
    /// The same in words.
    pub words: Words,
    /// From asking to answer [ms].
    pub millis: f64,
}

/// A line of the sweep over load.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Whose it is.
    pub placed: Vec<Placed>,
    /// Who chooses the nodes.
    pub scheduler: Scheduler,
    /// Runs at the rates of the sweep; what has not come is missing.
    pub runs: Vec<Option<Arc<Runs>>>,
    /// Why it has none.
    pub fault: Option<String>,
}

/// Runs of requests through the plan on show.
#[derive(Debug, Clone, Default)]
pub struct Load {
    /// The scenario they belong to.
    pub of: Option<Arc<Scenario>>,
    /// The rates of the sweep [1/s].
    pub rates: Vec<f64>,
    /// Its lines: ours first.
    pub series: Vec<Series>,
    /// The rate at which the busiest tier of the plan is full [1/s].
    pub full_at: Option<f64>,
    /// The same requests in other numbers and lengths.
    pub many: Vec<(RunsAsk, Option<Arc<Runs>>)>,
    /// The scenario\u{2019}s own requests through the plan.
    pub own: Option<Arc<Runs>>,
    /// The same pass by pass, for one seed.
    pub timeline: Option<Arc<Timeline>>,
    timeline_asked: bool,
    /// The split that is soonest under these requests, once it has been asked for.
    pub best: Option<Arc<UnderLoad>>,
    /// Whether it has been asked for.
    pub is_searching: bool,
    /// Why there are none.
    pub fault: Option<String>,
}

impl Series {
    /// A run of it, at another rate than the scenario’s own if one is given [1/s].
    fn ask(&self, rate: Option<f64>) -> RunsAsk {
        RunsAsk {
            placed: self.placed.clone(),
            rate,
            count: None,
            scheduler: self.scheduler,
            out_tokens: None,
            link_mbit_s: None,
        }
    }
}

impl Load {
    /// How much has come, and of how much.
    pub fn done(&self) -> (usize, usize) {
        let open = self.series.iter().filter(|line| line.fault.is_none());
        let all = open.clone().count() * self.rates.len();
        let has = open
            .flat_map(|line| &line.runs)
            .filter(|runs| runs.is_some());
        (has.count(), all)
    }
}

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TiersState {
    desk: Desk<Scenario>,
    /// The plan on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// Runs of requests.
    pub load: RwSignal<Load>,
    /// Whether runs are under way.
    pub running: RwSignal<bool>,
    /// The paper's measurements, those of which every case has been run.
    pub measured: RwSignal<Measured>,
    /// How far the others are that have been asked for.
    pub measuring: RwSignal<Vec<(Measure, Measuring)>>,
    /// Their cases so far.
    coming: StoredValue<Measured>,
    group: StoredValue<u32>,
    begin: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Deref for TiersState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl Opens for TiersState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            desk,
            shown: RwSignal::new(None),
            load: RwSignal::new(Load::default()),
            running: RwSignal::new(false),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(Vec::new()),
            coming: StoredValue::new(Measured::default()),
            // Groups of the two questions must not meet.
            group: StoredValue::new(1 << 20),
            begin: StoredValue::new_local(None),
        };
        desk.keep_planned(
            move |is_open| {
                state.end_runs();
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

impl TiersState {
    /// Ends the search, and the runs with it.
    pub fn stop(&self) {
        self.end_runs();
        self.end_measures();
        self.with_solver(Solver::stop);
        self.busy.set(Busy::GivenUp);
    }

    fn put(&self, job: &Asked<Ask>, change: impl FnOnce(&mut Load, Option<&RunsAsk>)) {
        let ask = match &job.ask {
            Ask::Runs(ask) | Ask::Timeline(ask) => Some(ask),
            Ask::Plan | Ask::UnderLoad | Ask::Measure { .. } => None,
        };
        let is_own = |load: &Load| {
            load.of
                .as_ref()
                .is_some_and(|of| Arc::ptr_eq(of, &job.scenario.0))
        };
        if self.load.with_untracked(is_own) {
            self.load.update(|load| change(load, ask));
            let (done, all) = self.load.with_untracked(Load::done);
            if done == all {
                self.running.set(false);
            }
        }
    }

    /// Sends requests through a plan once edits have paused.
    fn run_soon(&self, shown: Arc<Shown>) {
        let state = *self;
        let timer = Timeout::new(BEGIN_AFTER_MS, move || {
            let newest = state
                .scenario
                .with_untracked(|now| Arc::ptr_eq(now, &shown.scenario));
            if newest {
                state.run(&shown);
            }
        });
        self.begin.set_value(Some(timer));
    }

    fn run(&self, shown: &Shown) {
        let Some(plan) = shown.planned.plan.as_ref().filter(|plan| plan.mem_ok) else {
            return self.load.set(Load::default());
        };
        let scenario = &shown.scenario;
        let rates: Vec<f64> = SHARES
            .iter()
            .map(|share| rounded(share * plan.full_at))
            .collect();
        let own = scenario.load.scheduler;
        let mut series = vec![line("This split", plan, own, rates.len())];
        for who in [
            Who::Rate,
            Who::Request,
            Who::Gpipe,
            Who::GpipeRepaired,
            Who::Heft,
        ] {
            let other = shown.planned.others.iter().find(|other| other.who == who);
            let other = other
                .and_then(|other| other.plan.as_ref())
                .filter(|plan| plan.mem_ok);
            let is_new = |plan: &&Plan| series.iter().all(|line| line.placed != plan.placed);
            if let Some(other) = other.filter(is_new)
                && series.len() < 4
            {
                // Baselines as published: equal counts come with nodes in turn.
                let scheduler = match who {
                    Who::Gpipe | Who::GpipeRepaired => Scheduler::RoundRobin,
                    _ => own,
                };
                let name = match who {
                    Who::Gpipe | Who::GpipeRepaired => "GPipe".to_owned(),
                    Who::Heft => "HEFT".to_owned(),
                    _ => split_words(&other.placed),
                };
                series.push(line(&name, other, scheduler, rates.len()));
            }
        }
        let mut asks = vec![Ask::Runs(series[0].ask(None))];
        for line in &series {
            asks.extend(rates.iter().map(|rate| Ask::Runs(line.ask(Some(*rate)))));
        }
        self.end_runs();
        self.load.set(Load {
            of: Some(scenario.clone()),
            rates,
            full_at: Some(plan.full_at),
            series,
            ..Load::default()
        });
        self.running.set(true);
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(scenario.clone()), asks));
    }

    /// Asks for more of the runs that are there, as far as nobody has: what `more` makes of them and of the plan they go through.
    fn ask_besides(&self, more: impl FnOnce(&mut Load, &Shown) -> Vec<Ask>) {
        let Some(shown) = self.shown.get_untracked() else {
            return;
        };
        let is_own = |of: &Arc<Scenario>| Arc::ptr_eq(of, &shown.scenario);
        if !self
            .load
            .with_untracked(|load| load.of.as_ref().is_some_and(is_own))
        {
            return;
        }
        let mut asks = Vec::new();
        self.load.maybe_update(|load| {
            asks = more(load, &shown);
            !asks.is_empty()
        });
        let (group, of) = (self.group.get_value(), Sent(shown.scenario.clone()));
        self.with_solver(|solver| solver.points(*self, group, &of, asks));
    }

    /// Asks for the scenario’s own requests pass by pass.
    pub fn ask_timeline(&self) {
        self.ask_besides(|load, _| {
            if load.timeline_asked {
                return Vec::new();
            }
            load.timeline_asked = true;
            let ours = load.series.first();
            ours.map(|ours| Ask::Timeline(ours.ask(None)))
                .into_iter()
                .collect()
        });
    }

    /// Asks for the same requests in other numbers and lengths.
    pub fn ask_many(&self) {
        self.ask_besides(|load, shown| {
            let Some(ours) = load.series.first().filter(|_| load.many.is_empty()) else {
                return Vec::new();
            };
            let many = many(&shown.scenario, shown, ours);
            load.many = many.iter().cloned().map(|ask| (ask, None)).collect();
            many.into_iter().map(Ask::Runs).collect()
        });
    }

    /// Looks for the split that is soonest under the scenario’s own requests.
    pub fn search_under_load(&self) {
        let Some(scenario) = self.load.with_untracked(|load| load.of.clone()) else {
            return;
        };
        self.load.update(|load| load.is_searching = true);
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(scenario), [Ask::UnderLoad]));
    }

    /// Runs what is missing of one of the paper's measurements; it goes on while the scenario is edited.
    pub fn measure(&self, measure: Measure) {
        let is_going = |all: &Vec<(Measure, Measuring)>| all.iter().any(|(of, _)| *of == measure);
        if self.measuring.with_untracked(is_going) {
            return;
        }
        let cases = measure.cases().into_iter().enumerate();
        let asks: Vec<Ask> = self.coming.with_value(|known| {
            cases
                .filter(|(_, case)| known.of(case).is_none())
                .map(|(at, _)| Ask::Measure { measure, at })
                .collect()
        });
        if asks.is_empty() {
            return self.publish(measure);
        }
        self.measuring
            .update(|all| all.push((measure, Measuring::of(asks.len()))));
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// A case has come, or was refused.
    fn measured_one(&self, ask: &Ask, figures: Option<Figures>) {
        let Ask::Measure { measure, at } = ask else {
            return;
        };
        if let Some((case, figures)) = measure.cases().into_iter().nth(*at).zip(figures) {
            self.coming.update_value(|known| known.add(case, figures));
        }
        let mut is_last = false;
        self.measuring.update(|all| {
            if let Some((_, going)) = all.iter_mut().find(|(of, _)| of == measure) {
                going.one_came();
                is_last = !going.is_going();
            }
            all.retain(|(_, going)| going.is_going());
        });
        if is_last {
            self.publish(*measure);
        }
    }

    /// Shows a measurement if all of it is there: whoever shows it hears of it once.
    fn publish(&self, measure: Measure) {
        let known = self
            .coming
            .with_value(|known| known.has(measure).then(|| known.clone()));
        if let Some(known) = known {
            self.measured.set(known);
        }
    }

    /// Ends them; what has come is kept, and shown when the rest is there.
    pub fn end_measures(&self) {
        if self.measuring.with_untracked(|all| !all.is_empty()) {
            self.measuring.set(Vec::new());
            self.with_solver(|solver| solver.cancel(MEASURES));
        }
    }

    /// Goes on with runs that were cancelled.
    pub fn run_again(&self) {
        if let Some(shown) = self.shown.get_untracked() {
            self.run(&shown);
        }
    }

    /// Nothing more comes of the runs asked for last.
    pub fn end_runs(&self) {
        self.begin.set_value(None);
        self.running.set(false);
        if self.load.with_untracked(|load| load.is_searching) {
            self.load.update(|load| load.is_searching = false);
        }
        let group = self.group.get_value();
        self.group.set_value(group + 1);
        self.with_solver(|solver| solver.cancel(group));
    }
}

impl Asks<Ask> for TiersState {
    fn answered(&self, job: &Asked<Ask>, answer: Answer, millis: f64) {
        match answer {
            Answer::Plan(planned) => {
                let scenario = job.scenario.0.clone();
                let newest = self
                    .scenario
                    .with_untracked(|now| Arc::ptr_eq(now, &scenario));
                let words = words(&scenario, &planned);
                let shown = Arc::new(Shown {
                    scenario,
                    planned,
                    words,
                    millis,
                });
                self.shown.set(Some(shown.clone()));
                if newest {
                    self.busy.set(Busy::Idle);
                    self.run_soon(shown);
                }
            }
            Answer::Runs(runs) => self.put(job, |load, ask| {
                let runs = Arc::new(runs);
                let Some(ask) = ask else {
                    return;
                };
                if let Some((_, slot)) = load.many.iter_mut().find(|(of, _)| of == ask) {
                    *slot = Some(runs);
                    return;
                }
                match ask.rate {
                    None => load.own = Some(runs),
                    Some(rate) => {
                        let at = load.rates.iter().position(|r| *r == rate);
                        let series = load
                            .series
                            .iter_mut()
                            .find(|s| s.placed == ask.placed && s.scheduler == ask.scheduler);
                        if let Some((at, series)) = at.zip(series) {
                            series.runs[at] = Some(runs);
                        }
                    }
                }
            }),
            Answer::UnderLoad(best) => self.put(job, |load, _| {
                load.best = Some(Arc::new(best));
                load.is_searching = false;
            }),
            Answer::Timeline(timeline) => {
                self.put(job, |load, _| load.timeline = Some(Arc::new(timeline)));
            }
            Answer::Measured(figures) => self.measured_one(&job.ask, Some(figures)),
        }
    }

    fn refused(&self, job: &Asked<Ask>, why: String) {
        if let Ask::Measure { .. } = job.ask {
            return self.measured_one(&job.ask, None);
        }
        self.put(job, |load, ask| {
            load.is_searching = false;
            // Of the runs in other numbers and lengths a fault is a gap.
            if load.many.iter().any(|(of, _)| Some(of) == ask) {
                return;
            }
            let of = ask.filter(|ask| ask.rate.is_some());
            let same = |line: &&mut Series| {
                of.is_some_and(|of| line.placed == of.placed && line.scheduler == of.scheduler)
            };
            match load.series.iter_mut().find(same) {
                Some(line) => line.fault = Some(why),
                None => load.fault = Some(why),
            }
        });
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, "the solver failed twice on one of its runs".to_owned());
        "It failed again on a run of requests, so that run was left out. Nothing else is lost."
            .to_owned()
    }
}

/// Numbers of requests that are run: the paper’s Fig. 5 and 6 go to 14.
pub const COUNTS: [f64; 8] = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0];
/// Lengths of answers that are run [tokens]: the paper’s Fig. 9 and 10 go to 256.
pub const TOKENS: [f64; 5] = [32.0, 64.0, 128.0, 192.0, 256.0];
/// Link rates that are run [Mbit/s]: those of the paper, section V.
pub const LINKS: [f64; 2] = [1000.0, 100.0];

/// Ours, HEFT and GPipe over numbers of requests and lengths of answers, at two link rates.
fn many(scenario: &Scenario, shown: &Shown, ours: &Series) -> Vec<RunsAsk> {
    let rate = scenario.load.requests.mean_rate();
    let mut asks = Vec::new();
    for (_, placed, scheduler) in strategies(shown, ours) {
        for link in LINKS {
            let ask = |count: f64, out_tokens: f64| RunsAsk {
                placed: placed.clone(),
                rate: Some(rate),
                count: Some(count),
                scheduler,
                out_tokens: Some(out_tokens),
                link_mbit_s: Some(link),
            };
            asks.extend(COUNTS.iter().map(|n| ask(*n, scenario.out_tokens)));
            asks.extend(TOKENS.iter().map(|tokens| ask(1.0, *tokens)));
        }
    }
    asks
}

/// The paper’s three strategies over the tiers of the plan: name, placement, who chooses the nodes.
pub fn strategies(shown: &Shown, ours: &Series) -> Vec<(&'static str, Vec<Placed>, Scheduler)> {
    let of = |who: Who| {
        let other = shown.planned.others.iter().find(|other| other.who == who);
        let plan = other
            .and_then(|other| other.plan.as_ref())
            .filter(|plan| plan.mem_ok);
        plan.map(|plan| plan.placed.clone())
    };
    let mut found = vec![("This split", ours.placed.clone(), ours.scheduler)];
    found.extend(of(Who::Heft).map(|placed| ("HEFT", placed, Scheduler::Hypsched)));
    found.extend(
        of(Who::Gpipe)
            .or_else(|| of(Who::GpipeRepaired))
            .map(|placed| ("GPipe", placed, Scheduler::RoundRobin)),
    );
    found
}

fn line(name: &str, plan: &Plan, scheduler: Scheduler, rates: usize) -> Series {
    Series {
        name: name.to_owned(),
        placed: plan.placed.clone(),
        scheduler,
        runs: vec![None; rates],
        fault: None,
    }
}

/// To three digits that count: a rate that a person could have typed.
pub fn rounded(rate: f64) -> f64 {
    let digits = 2.0 - libm::floor(libm::log10(rate.max(1e-12)));
    let scale = libm::exp10(digits);
    libm::round(rate * scale) / scale
}

/// `edgewise-tiers-llama-3-8b-24348ms`.
fn file_stem(shown: &Shown) -> String {
    let model = for_file(&shown.scenario.model.name);
    let figure = shown.planned.plan.as_ref().map_or_else(
        || "no-plan".to_owned(),
        |plan| format!("{:.0}ms", 1e3 * plan.request),
    );
    format!("edgewise-tiers-{model}-{figure}")
}

/// The scenario\u{2019}s own mean rate, where requests come at random.
pub fn own_rate(scenario: &Scenario) -> Option<f64> {
    match &scenario.load.requests {
        Requests::Poisson { rate_per_s, .. } => Some(*rate_per_s),
        Requests::Trace(_) => None,
    }
}
