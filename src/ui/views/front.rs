//! First answer against steady rate: every plan that is worth having, from the soonest to the fastest. A press on one makes
//! it the plan of the scenario.

use super::answer::Spoken;
use super::held::ChartView;
use super::picture_files::TakePicture;
use super::table::TakeTable;
use crate::ui::state::{Kind, Shown, State};
use crate::ui::views::section::{Fold, Section};
use chart::{Drawn, Front as Picture, View, layout_front, spots_sheet};
use engine::plan::Consolidation;
use engine::scenario::{Goal, Ranges, Scenario};
use engine::units::{NARROW, seconds};
use job::cold_start_front::Front;
use job::cold_start_more::{Ask, Told};
use leptos::prelude::*;
use report::cold_start::charts;
use report::cold_start::front::{table, words};
use report::cold_start::tables::route;
use std::sync::Arc;
use story::Cell;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 300.0;
/// A front of more devices is made only when it is asked for: it takes a search for every plan on it.
const QUICK_DEVICES: usize = 8;

/// Whether two scenarios have the same front: the goal is a place on it.
fn have_one_front(a: &Scenario, b: &Scenario) -> bool {
    let without_goal = |s: &Scenario| {
        let mut s = s.clone();
        s.title.clear();
        s.ranges = Ranges::new();
        if let Some(decode) = &mut s.decode {
            (decode.goal, decode.least_tok_s) = (Goal::FirstAnswer, None);
        }
        s
    };
    without_goal(a) == without_goal(b)
}

/// The front that belongs to the answer on show, if it is known.
pub fn front_of(state: State, shown: &Shown) -> Option<Arc<Told>> {
    shown.scenario.decode?;
    state.more.of(Kind::Front).newest.with(|round| {
        let of = round.of.as_ref()?;
        let told = round.told.first()?.as_ref()?.as_ref().ok()?;
        have_one_front(&of.scenario, &shown.scenario).then(|| told.clone())
    })
}

/// The way from the soonest plan to the steady one, if it is known for the answer on show.
pub fn way_of(state: State, shown: &Shown) -> Option<Consolidation> {
    of_front(&*front_of(state, shown)?)?.consolidation.clone()
}

/// The front among what was told.
pub fn of_front(told: &Told) -> Option<&Front> {
    match told {
        Told::Front(front) => Some(front),
        _ => None,
    }
}

/// The block; nothing where only the first answer counts.
#[component]
pub fn FrontView() -> impl IntoView {
    let state = expect_context::<State>();
    let is_asked = Memo::new(move |_| state.scenario.with(|s| s.decode.is_some()));
    // It is asked for once answers have paused, unless the one that is there still holds.
    Effect::new(move |_| {
        let Some(shown) = state.settled.get() else {
            return;
        };
        let is_quick = shown.problem.machines().len() <= QUICK_DEVICES;
        if is_quick && shown.scenario.decode.is_some() {
            ask_once(state, &shown);
        }
    });
    move || is_asked.get().then(|| view! { <Block/> })
}

/// Asks for the front of an answer, unless it is known or on its way.
fn ask_once(state: State, shown: &Arc<Shown>) {
    let is_there = state.more.of(Kind::Front).newest.with_untracked(|round| {
        let same = |of: &Arc<Shown>| have_one_front(&of.scenario, &shown.scenario);
        round.of.as_ref().is_some_and(same) && !round.is_cancelled
    });
    if !is_there {
        state.ask_more(Kind::Front, shown, vec![Ask::Front]);
    }
}

#[component]
fn Block() -> impl IntoView {
    let state = expect_context::<State>();
    let round = state.more.of(Kind::Front).newest;
    let found = Memo::new(move |_| {
        let shown = state.settled.get()?;
        let told = front_of(state, &shown)?;
        Some(Known { shown, told })
    });
    let is_running = Memo::new(move |_| round.with(|round| round.is_running()));
    let fault = move || {
        let why = round.with(|round| round.told.first()?.as_ref()?.as_ref().err().cloned());
        why.map(
            |why| view! { <p class="fault">{format!("The front could not be found: {why}.")}</p> },
        )
    };
    let begin = move |_| {
        if let Some(shown) = state.settled.get_untracked() {
            ask_once(state, &shown);
        }
    };
    let drawn = move || found.with(|found| found.as_ref().and_then(Known::picture));
    let draw = Callback::new(move |(width, _): (f64, View)| {
        let chart = layout_front(&drawn().unwrap_or_default(), width, HEIGHT_PX);
        Drawn(Arc::new(chart))
    });
    let take = Callback::new(move |at: f64| load(state, found.get_untracked(), at as usize));
    let picture = Callback::new(move |width| {
        let front = untrack(drawn)?;
        let title = front.title.clone();
        Some(spots_sheet(&title, width, |w| {
            layout_front(&front, w, HEIGHT_PX).picture
        }))
    });
    let numbers = Memo::new(move |_| {
        found.with(|found| {
            let table = found
                .as_ref()
                .and_then(|known| Some(table(&known.shown.problem, known.front()?)));
            Arc::new(table.unwrap_or_default())
        })
    });
    let is_there = Memo::new(move |_| found.with(Option::is_some));
    view! {
        <Section
            id="front"
            title=charts::FRONT_TITLE
            fold=Fold::Open
            holds="every plan that is worth having"
            tools={move || view! { {move || is_there.get().then(|| view! {
                        <TakePicture name="front" label="first answer against steady rate" picture=picture/>
                    })} }}
        >
            {fault}
            {move || match (is_there.get(), is_running.get()) {
                (true, _) => view! {
                    <ChartView draw=draw id="cold-front" kind="chart" on_pick=take
                        pick_words="Click or press Enter to use this plan."/>
                    <Sentences found=found/>
                    <Plans found=found/>
                    <TakeTable table=numbers id="front-table"/>
                }.into_any(),
                (false, true) => view! {
                    <div class="search">
                        <p class="foot" role="status">"Finding plans between the fastest first answer and the highest rate."</p>
                        <button class="btn" id="front-stop" on:click=move |_| state.cancel_more(Kind::Front)>"Stop"</button>
                    </div>
                }.into_any(),
                (false, false) => view! {
                    <p class="foot">
                        "Every plan between the fastest first answer and the highest steady rate, one search each. "
                        <button class="btn small" id="front-begin" on:click=begin>"Find them"</button>
                    </p>
                }.into_any(),
            }}
        </Section>
    }
}

/// A front with the answer on show.
#[derive(Clone)]
struct Known {
    shown: Arc<Shown>,
    told: Arc<Told>,
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shown, &other.shown) && Arc::ptr_eq(&self.told, &other.told)
    }
}

impl Known {
    fn front(&self) -> Option<&Front> {
        of_front(&self.told)
    }

    /// Whether a plan is the one on show.
    fn is_now(&self, at: usize) -> bool {
        let plan = self.front().and_then(|front| front.points.get(at));
        plan.is_some_and(|point| Some(&point.plan) == self.shown.answer.plan.as_ref())
    }

    fn picture(&self) -> Option<Picture> {
        let front = self.front()?;
        Some(charts::front(
            &self.shown.problem,
            &self.shown.answer,
            front,
        ))
    }
}

/// Makes a plan of the front the one of the scenario: its rate becomes the least that is asked for.
fn load(state: State, known: Option<Known>, at: usize) {
    let goal = known.as_ref().and_then(|known| {
        let front = known.front()?;
        let point = front.points.get(at)?;
        Some(if at == 0 {
            (Goal::FirstAnswer, None)
        } else {
            let below = front.points[at - 1].rate;
            (Goal::Throughput, Some(short_rate(point.rate, below)))
        })
    });
    let Some((goal, least)) = goal else {
        return;
    };
    let done = state.edit("", |s| {
        if let Some(decode) = &mut s.decode {
            (decode.goal, decode.least_tok_s) = (goal, least);
        }
    });
    if let Err(fault) = done {
        state.say(format!("Not changed: {fault}."));
    }
}

/// A rate with few digits that is reached by the plan of this rate and not by the one before it.
fn short_rate(own: f64, below: f64) -> f64 {
    (2..12)
        .map(|digits| {
            let unit = libm::pow(10.0, libm::floor(libm::log10(own)) - f64::from(digits));
            libm::floor(own / unit) * unit
        })
        .find(|short| *short > below && *short <= own)
        .unwrap_or(own * (1.0 - 1e-9))
}

#[component]
fn Sentences(found: Memo<Option<Known>>) -> impl IntoView {
    move || {
        found.with(|found| {
            let known = found.as_ref()?;
            let said = words(&known.shown.problem, known.front()?).into_iter();
            Some(
                said.map(|sentence| view! { <p class="reason front-words"><Spoken sentence=sentence/></p> })
                    .collect_view(),
            )
        })
    }
}

/// The plans as rows, each with a button that makes it the plan.
#[component]
fn Plans(found: Memo<Option<Known>>) -> impl IntoView {
    let state = expect_context::<State>();
    let row = move |known: &Known, at: usize| {
        let point = known.front()?.points.get(at)?;
        let short = route(&known.shown.problem, &point.plan);
        let is_now = known.is_now(at);
        let bound = (!point.proved).then(|| format!(" (bound {})", seconds(point.bound)));
        Some(view! {
            <tr class:now=is_now>
                <td class="n">{seconds(point.T)}{bound}</td>
                <td class="n">{format!("{}{NARROW}tok/s", Cell::Number(point.rate, 1).shown())}</td>
                <td class="n">{seconds(point.D)}</td>
                <td class="n">{seconds(point.total)}</td>
                <td>{short.clone()}</td>
                <td class="n">
                    <button class="btn small quiet" disabled=is_now aria-label=format!("Make {short} the plan")
                        on:click=move |_| load(state, found.get_untracked(), at)>"Load"</button>
                </td>
            </tr>
        })
    };
    let rows = move || {
        found.with(|found| {
            let known = found.as_ref()?;
            let count = known.front()?.points.len();
            Some((0..count).filter_map(|at| row(known, at)).collect_view())
        })
    };
    view! {
        <div class="scroll rows" tabindex="0" role="region" aria-label="Plans from the fastest first answer to the highest rate">
            <table class="data" id="front-plans">
                <caption class="sr">"Plans from the fastest first answer to the highest rate"</caption>
                <thead>
                    <tr>
                        <th class="n">"First answer"</th>
                        <th class="n">"Rate, full"</th>
                        <th class="n">"Time per token"</th>
                        <th class="n">"Whole answer"</th>
                        <th>"Layers by device, in running order"</th>
                        <th><span class="sr">"Load"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="foot">
            "Rate counts a pipeline that is always full, shared by the answers of several requests; a single answer takes \
             \u{201c}time per token\u{201d} for each of its tokens. Whole answer is the first answer and all tokens after it."
        </p>
    }
}
