//! Ranges in the place of points: numbers that are only known to lie between two values, what that makes of the first answer
//! and of the plan, and which number is most worth measuring.
//!
//! Draws are solved by the pool, some at a time, and what they come to is shown as they arrive. Where a fleet is solved in
//! passing this begins by itself.

mod ranges;
mod result;

use crate::ui::state::{Kind, Round, Shown, State};
use crate::ui::views::section::{Fold, Section, WhileOpen};
use engine::plan::Pipeline;
use job::cold_start_more::{Ask, Told};
use job::cold_start_spread::{self as spread, DRAWS, Drawn, Weighed};
use leptos::prelude::*;
use std::sync::Arc;

/// Numbers of draws to choose from.
const COUNTS: [u32; 5] = [50, 200, 500, 1000, 2000];
/// With fewer steps of the program than this for all draws they are solved without being asked for.
const IN_PASSING: f64 = 3e9;

/// What is known of the draws for one answer.
#[derive(Debug, Clone)]
struct Known {
    of: Arc<Shown>,
    plan: Pipeline,
    seed: u32,
    drawn: Vec<Option<Drawn>>,
    corners: Vec<Option<Drawn>>,
    weighed: Option<Weighed>,
    fault: Option<String>,
}

impl Known {
    /// What the round of draws has told so far; `None` of another round.
    fn of(round: &Round) -> Option<Self> {
        let of = round.of.clone()?;
        let plan = of.answer.plan.clone()?;
        let mut known = Self {
            of,
            plan,
            seed: 0,
            drawn: Vec::new(),
            corners: Vec::new(),
            weighed: None,
            fault: None,
        };
        for (ask, told) in round.asks.iter().zip(&round.told) {
            let (list, from, to) = match ask {
                Ask::Spread(spread::Ask::Draws { seed, from, to, .. }) => {
                    known.seed = *seed;
                    (&mut known.drawn, *from, *to)
                }
                Ask::Spread(spread::Ask::Corners { from, to, .. }) => {
                    (&mut known.corners, *from, *to)
                }
                _ => return None,
            };
            list.resize(list.len().max(to as usize), None);
            match told {
                Some(Ok(told)) => {
                    if let Told::Spread(spread::Told::Drawn(found)) = &**told {
                        for (place, found) in list[from as usize..].iter_mut().zip(found) {
                            *place = Some(found.clone());
                        }
                    }
                }
                Some(Err(why)) => known.fault = Some(why.clone()),
                None => {}
            }
        }
        Some(known)
    }

    /// What they come to.
    fn spread(&self) -> Option<spread::Spread> {
        let scenario = &self.of.scenario;
        let lists = (&self.drawn, &self.corners);
        let weighed = self.weighed.as_ref();
        spread::sum_up(scenario, &self.plan, self.seed, lists.0, lists.1, weighed).ok()
    }
}

/// Everything of the block. Cheap to copy.
#[derive(Clone, Copy)]
struct Draws {
    state: State,
    known: RwSignal<Option<Arc<Known>>>,
    count: RwSignal<u32>,
    seed: RwSignal<u32>,
    spread: Memo<Option<Arc<spread::Spread>>>,
}

impl Draws {
    fn new(state: State) -> Self {
        let known = RwSignal::new(None::<Arc<Known>>);
        Self {
            state,
            known,
            count: RwSignal::new(DRAWS),
            seed: RwSignal::new(0),
            spread: Memo::new(move |_| known.get().and_then(|known| known.spread().map(Arc::new))),
        }
    }

    fn round(self) -> RwSignal<Round> {
        self.state.more.of(Kind::Spread).newest
    }

    /// Solves the draws of an answer.
    fn begin(self, shown: &Arc<Shown>) {
        let Some(plan) = &shown.answer.plan else {
            return;
        };
        let (count, seed) = (self.count.get_untracked(), self.seed.get_untracked());
        let asks = spread::asks(&shown.scenario, plan, count, seed);
        let asks = asks.into_iter().map(Ask::Spread).collect();
        self.state.ask_more(Kind::Spread, shown, asks);
    }

    /// Solves those of the answer on show.
    fn begin_now(self) {
        if let Some(shown) = self.state.settled.get_untracked() {
            self.begin(&shown);
        }
    }

    /// Takes what has come, and has the plans weighed once all draws are there.
    fn gather(self, round: &Round) {
        if let [Ask::Spread(spread::Ask::Weigh { .. })] = round.asks.as_slice() {
            if let Some(Some(told)) = round.told.first() {
                self.known.update(|known| {
                    let Some(known) = known.as_mut().map(Arc::make_mut) else {
                        return;
                    };
                    match told {
                        Ok(told) => {
                            if let Told::Spread(spread::Told::Weighed(found)) = &**told {
                                known.weighed = Some((**found).clone());
                            }
                        }
                        Err(why) => known.fault = Some(why.clone()),
                    }
                });
            }
            return;
        }
        let Some(known) = Known::of(round).filter(|_| round.done() > 0) else {
            return;
        };
        let is_whole = round.done() == round.asks.len() && known.fault.is_none();
        let ask = is_whole.then(|| {
            let drawn: Vec<&Drawn> = known.drawn.iter().flatten().collect();
            let corners: Vec<&Drawn> = known.corners.iter().flatten().collect();
            spread::weigh(&known.plan, known.seed, &drawn, &corners)
        });
        let shown = known.of.clone();
        self.known.set(Some(Arc::new(known)));
        if let Some(ask) = ask {
            let asks = vec![Ask::Spread(ask)];
            self.state.ask_more(Kind::Spread, &shown, asks);
        }
    }
}

/// Whether an answer has a plan, and numbers to draw.
fn can_be_drawn(shown: &Shown) -> bool {
    shown.answer.plan.is_some() && !shown.scenario.spanned().is_empty()
}

/// Whether so many draws of a fleet are solved in passing.
fn is_quick(shown: &Shown, draws: u32) -> bool {
    let devices = shown.problem.machines().len() as f64;
    let layers = shown.problem.layers().len() as f64;
    let corners = spread::corners(shown.scenario.spanned().len());
    let each = devices * devices * layers * layers * libm::exp2(devices);
    each * f64::from(draws + corners) <= IN_PASSING
}

/// The block.
#[component]
pub fn Spread() -> impl IntoView {
    let state = expect_context::<State>();
    let draws = Draws::new(state);
    let begin = Callback::new(move |()| {
        let (shown, count) = (state.settled.get(), draws.count.get());
        draws.seed.track();
        let Some(shown) = shown else { return };
        if !can_be_drawn(&shown) {
            draws.known.set(None);
        } else if is_quick(&shown, count) {
            draws.begin(&shown);
        }
    });
    Effect::new(move |_| {
        let round = draws.round().get();
        untrack(|| draws.gather(&round));
    });
    let has_plan = move || {
        let shown = state.shown.get();
        shown.is_some_and(|shown| shown.answer.plan.is_some())
    };
    view! {
        <Section
            id="spread"
            title="Ranges instead of points"
            class="spread"
            fold=Fold::Folded
            holds="numbers that are only known roughly"
            is_there=Signal::derive(has_plan)
            tools={move || view! { <result::Files draws=draws/> }}
        >
            <WhileOpen run=begin/>
            <ranges::Ranges/>
            <Progress draws=draws/>
            <result::Result draws=draws/>
        </Section>
    }
}

/// How many draws, how far they are, and how to begin or to end them.
#[component]
fn Progress(draws: Draws) -> impl IntoView {
    let state = draws.state;
    let can = Memo::new(move |_| {
        let shown = state.settled.get();
        shown.is_some_and(|shown| can_be_drawn(&shown))
    });
    let choose = move |event: web_sys::Event| {
        if let Ok(count) = event_target_value(&event).parse() {
            draws.count.set(count);
        }
    };
    let is_running = Memo::new(move |_| draws.round().with(Round::is_running));
    let far = Memo::new(move |_| draws.round().with(|r| (r.done(), r.asks.len())));
    // Whether what is on show is of the answer on show, in full.
    let is_done = Memo::new(move |_| {
        let (shown, known) = (state.settled.get(), draws.known.get());
        let same = shown.zip(known).is_some_and(|(shown, known)| {
            Arc::ptr_eq(&shown, &known.of) && known.weighed.is_some()
        });
        same && draws
            .known
            .with(|known| known.as_ref().map(|k| k.drawn.len() as u32) == Some(draws.count.get()))
    });
    let begin = move |_| draws.begin_now();
    let again = move |_| {
        draws.seed.update(|seed| *seed = seed.wrapping_add(1));
        let shown = state.settled.get_untracked();
        // What is solved in passing has begun by itself.
        if shown.is_some_and(|shown| !is_quick(&shown, draws.count.get_untracked())) {
            draws.begin_now();
        }
    };
    let button = move || {
        if is_running.get() {
            return view! {
                <span>{move || { let (done, all) = far.get(); format!("{done} of {all} parts") }}</span>
                <progress
                    aria-label="Draws solved"
                    max=move || far.get().1.to_string()
                    value=move || far.get().0.to_string()
                ></progress>
                <button class="btn small" id="spread-cancel" on:click=move |_| state.cancel_more(Kind::Spread)>
                    "Cancel"
                </button>
            }
            .into_any();
        }
        if is_done.get() {
            return view! {
                <button class="btn quiet small" id="spread-again" on:click=again>"Other draws"</button>
            }
            .into_any();
        }
        view! { <button class="btn small" id="spread-draw" on:click=begin>"Draw"</button> }
            .into_any()
    };
    move || {
        can.get().then(|| {
            view! {
                <div class="sweep-controls">
                    <label for="spread-count">
                        <span>"Draws"</span>
                        <select id="spread-count" on:change=choose>
                            {COUNTS.map(|count| {
                                let is_chosen = move || draws.count.get() == count;
                                view! { <option value=count.to_string() selected=is_chosen>{count}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                    <div class="sweep-run" id="spread-progress">{button}</div>
                </div>
            }
        })
    }
}
