//! The state of the head-placement question: a desk, our run for the scenario on it, and what other rules make of it.

use crate::ui::desk::Desk;
use crate::ui::jobs::{Asked, Asks};
use crate::ui::measuring::Measuring;
use crate::ui::questions::Opens;
use crate::ui::shell::Busy;
use crate::ui::solver::Solver;
use engine::plan::HeadRunSummary;
use engine::scenario::heads::{Scenario, presets};
use gloo::timers::callback::Timeout;
use job::heads::{self, Answer, Ask, Instead, Layers, Planned, Track, rules, seeds};
use job::heads_published::{Measure, Measured, Reading, Size};
use job::heads_run::Comparison;
use job::worker::Sent;
use leptos::prelude::*;
use report::heads::words;
use report::tell::for_file;
use std::ops::Deref;
use std::sync::Arc;
use story::Words;

/// Other rules begin so long after our run [ms]: while a number is dragged, only ours follows.
const BEGIN_AFTER_MS: u32 = 150;
/// The group of the paper's comparisons.
const MEASURES: u32 = 3 << 20;
/// A run that is done sooner is shown when it is whole [ms].
const SHOW_PARTS_AFTER_MS: f64 = 400.0;

/// A run with the scenario it belongs to.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The run, or as much of it as has come.
    pub planned: Planned,
    /// Whether it is all of it.
    pub is_whole: bool,
    /// The same in words.
    pub words: Words,
    /// From asking to answer [ms].
    pub millis: f64,
}

/// What other rules make of the scenario.
#[derive(Debug, Clone, Default)]
pub struct Others {
    /// The scenario they belong to.
    pub of: Option<Arc<Scenario>>,
    /// Every rule on the devices on show, without ours, as they come.
    pub tracks: Vec<Track>,
    /// All rules on each draw, as they come.
    pub drawn: Comparison,
    /// Our run with something changed.
    pub instead: Vec<(Instead, Option<HeadRunSummary>)>,
    /// Whether that has been asked for.
    is_changing: bool,
    /// Several layers together, once they have been asked for.
    pub layers: Option<Layers>,
    /// Whether they have.
    pub is_stacking: bool,
    /// How many answers were asked for.
    pub asked: usize,
    /// How many of them have come, refusals included.
    pub came: usize,
    /// What was refused or could not be found out.
    pub faults: Vec<String>,
}

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct HeadsState {
    desk: Desk<Scenario>,
    /// The run on show.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// What other rules make of it.
    pub others: RwSignal<Others>,
    /// The paper's comparisons, those of which all networks have been run.
    pub measured: RwSignal<Measured>,
    /// How far the next ones are.
    pub measuring: RwSignal<Measuring>,
    /// Their networks so far: shown once they are all there, for a mean of half of them is none.
    coming: StoredValue<Measured>,
    /// The token that is looked at, from 1; `None` for the last.
    pub token: RwSignal<Option<u32>>,
    /// When our run was asked for [ms].
    asked: StoredValue<f64>,
    group: StoredValue<u32>,
    begin: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Deref for HeadsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl Opens for HeadsState {
    type Scenario = Scenario;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            desk,
            shown: RwSignal::new(None),
            others: RwSignal::new(Others::default()),
            measured: RwSignal::new(Measured::default()),
            measuring: RwSignal::new(Measuring::default()),
            coming: StoredValue::new(Measured::default()),
            token: RwSignal::new(None),
            asked: StoredValue::new(0.0),
            // Groups of the questions must not meet.
            group: StoredValue::new(2 << 20),
            begin: StoredValue::new_local(None),
        };
        desk.keep_planned(
            move |is_open| {
                state.end_tracks();
                if !is_open {
                    state.end_measures();
                }
            },
            move |solver, scenario| {
                state.asked.set_value(js_sys::Date::now());
                solver.plan(state, Sent(scenario), Ask::Plan);
            },
        );
        desk.name_files(move || state.shown.with(|shown| shown.as_deref().map(file_stem)));
        state
    }
}

impl HeadsState {
    /// The token that is looked at, in the run on show.
    pub fn looked_at(&self) -> u32 {
        let last = self.shown.with(|shown| {
            let shown = shown.as_ref();
            shown.map_or(1, |shown| shown.planned.times.elapsed.len() as u32)
        });
        self.token
            .get()
            .map_or(last, |token| token.clamp(1, last.max(1)))
    }

    /// Ends the search, and what was to follow.
    pub fn stop(&self) {
        self.end_tracks();
        self.end_measures();
        self.with_solver(Solver::stop);
        self.busy.set(Busy::GivenUp);
    }

    /// Something made of the whole run on show and the others of the same scenario, once they have been asked for.
    pub fn with_compared<T>(&self, make: impl FnOnce(&Arc<Shown>, &Others) -> T) -> Option<T> {
        let shown = self.shown.get().filter(|shown| shown.is_whole)?;
        self.others
            .with(|others| others.is_of(&shown.scenario).then(|| make(&shown, others)))
    }

    /// The same where nothing has been asked for: then there are no others.
    pub fn known(&self) -> Option<(Arc<Shown>, Others)> {
        let shown = self.shown.get_untracked().filter(|shown| shown.is_whole)?;
        let others = self
            .others
            .with_untracked(|others| others.is_of(&shown.scenario).then(|| others.clone()));
        let others = others.unwrap_or_else(|| Others::none_yet(&shown.scenario));
        Some((shown, others))
    }

    fn is_newest(&self, scenario: &Arc<Scenario>) -> bool {
        self.scenario
            .with_untracked(|now| Arc::ptr_eq(now, scenario))
    }

    fn show(&self, scenario: Arc<Scenario>, planned: Planned, is_whole: bool, millis: f64) {
        let words = words(&scenario, &planned, is_whole);
        self.shown.set(Some(Arc::new(Shown {
            scenario,
            planned,
            is_whole,
            words,
            millis,
        })));
    }

    fn put(&self, job: &Asked<Ask>, change: impl FnOnce(&mut Others)) {
        if self
            .others
            .with_untracked(|others| others.is_of(&job.scenario.0))
        {
            self.others.update(|others| {
                others.came = others.asked.min(others.came + 1);
                change(others);
            });
        }
    }

    /// Asks for other rules once edits have paused.
    fn go_on_soon(&self) {
        let state = *self;
        let timer = Timeout::new(BEGIN_AFTER_MS, move || state.go_on());
        self.begin.set_value(Some(timer));
    }

    /// Asks for other rules, other draws and changes.
    pub fn go_on(&self) {
        let Some(shown) = self.shown.get_untracked() else {
            return;
        };
        let scenario = &shown.scenario;
        if !shown.is_whole || !self.is_newest(scenario) {
            return;
        }
        self.end_tracks();
        let rules = rules(scenario);
        let mut asks: Vec<Ask> = rules[1..].iter().copied().map(Ask::Track).collect();
        // On the devices on show the first draw is our run with the tracks; on drawn ones it is a draw like the others.
        let is_known = usize::from(!scenario.draws.networks);
        asks.extend(
            seeds(scenario)
                .skip(is_known)
                .map(|seed| Ask::Draw { seed }),
        );
        let others = Others {
            asked: asks.len(),
            ..Others::none_yet(scenario)
        };
        self.others.set(others);
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(scenario.clone()), asks));
    }

    /// Asks for our run with something changed, unless that has been asked.
    pub fn ask_changes(&self) {
        let Some(shown) = self.shown.get_untracked() else {
            return;
        };
        let is_new = |others: &Others| others.is_of(&shown.scenario) && !others.is_changing;
        if !self.others.with_untracked(is_new) {
            return;
        }
        let instead = heads::worth_a_try(&shown.scenario, &shown.planned);
        let asks: Vec<Ask> = instead.iter().copied().map(Ask::Instead).collect();
        self.others.update(|others| {
            others.is_changing = true;
            others.asked += asks.len();
            others.instead = instead.into_iter().map(|change| (change, None)).collect();
        });
        let (group, of) = (self.group.get_value(), Sent(shown.scenario.clone()));
        self.with_solver(|solver| solver.points(*self, group, &of, asks));
    }

    /// Places several layers together at the token that is looked at.
    pub fn stack(&self, layers: u32) {
        let Some(scenario) = self.others.with_untracked(|others| others.of.clone()) else {
            return;
        };
        let token = untrack(|| self.looked_at());
        self.others.update(|others| {
            others.is_stacking = true;
            others.asked += 1;
        });
        let group = self.group.get_value();
        let asks = vec![Ask::Layers { layers, token }];
        self.with_solver(|solver| solver.points(*self, group, &Sent(scenario), asks));
    }

    /// Runs the paper's comparisons of a size, under every reading; they go on while the scenario is edited.
    pub fn measure(&self, size: Size) {
        let measures = Reading::ALL.map(|reading| Measure { reading, size });
        let asks: Vec<Ask> = measures
            .into_iter()
            .filter(|m| {
                self.measured
                    .with_untracked(|known| known.of(m.reading, size).is_none())
            })
            .flat_map(|m| m.parts().into_iter().map(move |part| Ask::Measure(m, part)))
            .collect();
        if asks.is_empty() || self.measuring.get_untracked().is_going() {
            return;
        }
        // What was left over by a network that was refused is asked for again.
        self.coming.set_value(Measured::default());
        self.measuring.set(Measuring::of(asks.len()));
        let any = Sent(Arc::new(presets::paper()));
        self.with_solver(|solver| solver.points(*self, MEASURES, &any, asks));
    }

    /// Ends them; what has come of a reading that is not whole goes.
    pub fn end_measures(&self) {
        if !self.measuring.get_untracked().is_going() {
            return;
        }
        self.measuring.set(Measuring::default());
        self.with_solver(|solver| solver.cancel(MEASURES));
        self.coming.set_value(Measured::default());
    }

    fn measured_one(&self, job: &Asked<Ask>, sums: Vec<HeadRunSummary>) {
        if let Ask::Measure(measure, part) = job.ask
            && self.measuring.get_untracked().is_going()
        {
            self.coming.update_value(|coming| {
                coming.add(measure, part, sums);
                // Whoever shows them hears of a reading once, not of each of its networks.
                self.measured
                    .maybe_update(|all| coming.pass_on(measure, all));
            });
            self.measuring.update(Measuring::one_came);
        }
    }

    /// Nothing more comes of what was asked last.
    pub fn end_tracks(&self) {
        self.begin.set_value(None);
        if self.others.with_untracked(Others::is_going) {
            self.others.update(|others| {
                others.asked = others.came;
                others.is_stacking = false;
            });
        }
        let group = self.group.get_value();
        self.group.set_value(group + 1);
        self.with_solver(|solver| solver.cancel(group));
    }
}

impl Asks<Ask> for HeadsState {
    fn part(&self, job: &Asked<Ask>, answer: Answer) {
        let waited = js_sys::Date::now() - self.asked.get_value();
        if let Answer::Plan(planned) = answer
            && self.is_newest(&job.scenario.0)
            && waited > SHOW_PARTS_AFTER_MS
        {
            self.show(job.scenario.0.clone(), *planned, false, waited);
        }
    }

    fn answered(&self, job: &Asked<Ask>, answer: Answer, millis: f64) {
        match answer {
            Answer::Plan(planned) => {
                let newest = self.is_newest(&job.scenario.0);
                self.show(job.scenario.0.clone(), *planned, true, millis);
                if newest {
                    self.busy.set(Busy::Idle);
                    self.go_on_soon();
                }
            }
            Answer::Track(track) => self.put(job, |others| {
                others.tracks.push(track);
                if let Some(shown) = self.shown.get_untracked() {
                    let of = others.of.as_ref();
                    let first =
                        of.and_then(|of| heads::first_draw(of, &shown.planned, &others.tracks));
                    if let Some(first) = first {
                        others.drawn.add(first.seed, first.sums);
                    }
                }
            }),
            Answer::Draw(drawn) => {
                self.put(job, |others| others.drawn.add(drawn.seed, drawn.sums));
            }
            Answer::Layers(layers) => self.put(job, |others| {
                others.is_stacking = false;
                others.layers = Some(layers);
            }),
            Answer::Measured(sums) => self.measured_one(job, sums),
            Answer::Instead(summary) => self.put(job, |others| {
                if let Ask::Instead(instead) = &job.ask {
                    let same = |(of, _): &&mut (Instead, _)| of == instead;
                    if let Some((_, slot)) = others.instead.iter_mut().find(same) {
                        *slot = Some(summary);
                    }
                }
            }),
        }
    }

    fn refused(&self, job: &Asked<Ask>, why: String) {
        if let Ask::Measure(..) = job.ask {
            return self.measuring.update(Measuring::one_came);
        }
        self.put(job, |others| match &job.ask {
            Ask::Layers { .. } => {
                others.is_stacking = false;
                others.faults.push(why);
            }
            // A change that leaves no scenario is a gap.
            Ask::Instead(instead) => others.instead.retain(|(of, _)| of != instead),
            _ => others.faults.push(why),
        });
    }

    fn left_out(&self, job: &Asked<Ask>) -> String {
        self.refused(job, "the solver failed twice on one of its runs".to_owned());
        "It failed again on a run of the comparison, so that run was left out. Nothing else is lost."
            .to_owned()
    }
}

impl Others {
    /// Of a scenario, before anything has been asked.
    fn none_yet(scenario: &Arc<Scenario>) -> Self {
        Self {
            of: Some(scenario.clone()),
            drawn: heads::comparison(scenario),
            ..Self::default()
        }
    }

    /// Whether they belong to this very scenario.
    fn is_of(&self, scenario: &Arc<Scenario>) -> bool {
        self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, scenario))
    }

    /// Whether answers are still to come.
    pub const fn is_going(&self) -> bool {
        self.came < self.asked
    }
}

/// `edgewise-heads-32-heads-width-2048-fp32-638s`.
fn file_stem(shown: &Shown) -> String {
    let model = for_file(&shown.scenario.model.name);
    let figure = match shown.planned.failed_at {
        Some(_) => "no-plan".to_owned(),
        None => format!("{:.0}ms", 1e3 * shown.planned.summary.seconds),
    };
    format!("edgewise-heads-{model}-{figure}")
}
