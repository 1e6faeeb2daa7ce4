//! What would help most: every change to the fleet solved anew by the workers, the most useful first, each to be tried in one
//! step.
//!
//! Small fleets are worked out unasked; larger ones wait for a press, because every row is a search of its own.

use super::table::TakeTable;
use crate::ui::state::{Kind, Round, Shown, State};
use crate::ui::views::section::{Fold, Section, WhileOpen};
use engine::scenario::Goal;
use engine::units::TimeFormat;
use gloo::timers::callback::Timeout;
use job::cold_start_gains::Effect as Outcome;
use job::cold_start_gains::{
    Ask, Gain, Known, LEAST_PCT, MOST_PCT, USUAL_PCT, Verdict, What, asks, changes, checked_share,
    improvements, is_quick, prepared,
};
use job::cold_start_more::{self, Told};
use leptos::prelude::*;
use report::cold_start::gains::{base, foot, sooner, subject, table, unit_of, values};
use std::sync::Arc;

/// Rows that stand there before somebody asks for all.
pub(super) const FIRST_ROWS: usize = 6;
/// A round that takes longer than this says how far it is [ms].
const SLOW_AFTER_MS: u32 = 300;

/// The block's own state. Cheap to copy.
#[derive(Clone, Copy)]
struct Helping {
    state: State,
    /// By how much resources are improved [%].
    by: RwSignal<f64>,
    /// The answer for which somebody pressed the button.
    wanted: RwSignal<Option<Arc<Shown>>>,
    /// Whether a round has taken its time.
    is_slow: RwSignal<bool>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

/// What is on show.
#[derive(Clone)]
struct Found {
    shown: Arc<Shown>,
    before: Known,
    gains: Vec<Gain>,
    by: f64,
}

/// Whether a round is about this answer and this share.
fn is_about(round: &Round, shown: &Arc<Shown>, by: f64) -> bool {
    let asked = |ask: &cold_start_more::Ask| matches!(ask, cold_start_more::Ask::Gains(ask) if ask.by_pct == by);
    round.is_of(shown) && round.asks.iter().all(asked)
}

impl Helping {
    /// The answer whose changes are to be worked out: the newest, once its search has ended.
    fn answer(self) -> Option<Arc<Shown>> {
        let is_searching =
            |seen: &Option<crate::ui::state::Seen>| seen.is_some_and(|s| s.is_running);
        let shown = self.state.settled.get()?;
        (!self.state.hunting.seen.with(is_searching)).then_some(shown)
    }

    /// Whether it is worked out at all: unasked where that is quick, else when somebody has pressed the button.
    fn is_wanted(self, shown: &Arc<Shown>) -> bool {
        let asked = |wanted: &Option<Arc<Shown>>| {
            wanted
                .as_ref()
                .is_some_and(|wanted| Arc::ptr_eq(wanted, shown))
        };
        let goal = shown
            .scenario
            .decode
            .map(|decode| decode.goal)
            .unwrap_or_default();
        let count = changes(&shown.scenario).len();
        is_quick(&shown.problem, goal, count) || self.wanted.with(asked)
    }

    /// The changes of an answer, those that need no solve answered.
    fn prepared(self) -> Option<Found> {
        let (shown, by) = (self.answer()?, self.by.get());
        self.is_wanted(&shown).then(|| Found {
            before: Known::of(&shown.answer),
            gains: prepared(&shown.scenario, &shown.answer, by),
            by,
            shown,
        })
    }

    /// Asks for the changes of an answer that are not answered yet.
    fn ask(self, found: &Found) {
        let shown = &found.shown;
        let is_newest = self
            .state
            .scenario
            .with_untracked(|now| Arc::ptr_eq(now, &shown.scenario));
        let asks: Vec<Ask> = asks(&shown.scenario, &shown.answer, found.by, &found.gains);
        if !is_newest || asks.is_empty() {
            return;
        }
        self.is_slow.set(false);
        let timer = Timeout::new(SLOW_AFTER_MS, move || self.is_slow.set(true));
        self.timer.set_value(Some(timer));
        let asks = asks.into_iter().map(cold_start_more::Ask::Gains).collect();
        self.state.ask_more(Kind::Gains, shown, asks);
    }

    /// The same with what the workers have told so far.
    fn told(self, mut found: Found) -> Found {
        let newest = self.state.more.of(Kind::Gains).newest;
        newest.with(|round| {
            if !is_about(round, &found.shown, found.by) {
                return;
            }
            let open = found
                .gains
                .iter_mut()
                .filter(|gain| gain.effect == Outcome::Asked);
            for (gain, told) in open.zip(&round.told) {
                match told {
                    Some(Ok(told)) => {
                        if let Told::Gains(after) = **told {
                            gain.answered(&found.before, after);
                        }
                    }
                    Some(Err(_)) => gain.effect = Outcome::LeftOut,
                    None => {}
                }
            }
        });
        found
    }

    /// Makes a change to the scenario on the desk: what was solved, as one step to undo.
    fn try_out(self, shown: &Arc<Shown>, gain: &Gain, by: f64) {
        let state = self.state;
        if !state
            .scenario
            .with_untracked(|now| Arc::ptr_eq(now, &shown.scenario))
        {
            return;
        }
        let Ok(edited) = gain.change.applied(&shown.scenario, by) else {
            return;
        };
        let done = match (gain.change.what, edited.scenario.devices.last()) {
            (What::Another, Some(device)) => state.insert(usize::MAX, device.clone(), None, |_| ()),
            _ => state.edit("", |scenario| *scenario = edited.scenario.clone()),
        };
        match done {
            Ok(()) => state.say(format!("Tried: {}.", subject(&shown.scenario, gain))),
            Err(fault) => state.say(format!("Not changed: {fault}.")),
        }
    }
}

/// The block; it is not there before a first answer.
#[component]
pub fn Gains() -> impl IntoView {
    let helping = Helping {
        state: expect_context::<State>(),
        by: RwSignal::new(USUAL_PCT),
        wanted: RwSignal::new(None),
        is_slow: RwSignal::new(false),
        timer: StoredValue::new_local(None),
    };
    let (state, newest) = (helping.state, helping.state.more.of(Kind::Gains).newest);
    let prepared = Memo::new_with_compare(move |_| helping.prepared().map(Arc::new), |_, _| true);
    let ask = Callback::new(move |()| {
        let Some(found) = prepared.get() else {
            return;
        };
        let is_known = newest.with_untracked(|round| is_about(round, &found.shown, found.by));
        if !is_known {
            helping.ask(&found);
        }
    });
    let found = Memo::new_with_compare(
        move |_| {
            prepared
                .get()
                .map(|found| Arc::new(helping.told((*found).clone())))
        },
        |_, _| true,
    );
    let all = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let of = |f: Arc<Found>| table(&f.shown.scenario, &f.before, &f.gains);
        Arc::new(found.get().map(of).unwrap_or_default())
    });
    let waits = move || {
        let shown = helping.answer()?;
        (!helping.is_wanted(&shown)).then(|| {
            let count = changes(&shown.scenario).len();
            let press = move |_| helping.wanted.set(Some(shown.clone()));
            view! {
                <div class="search">
                    <span>{format!("{count} changes, each a search of its own.")}</span>
                    <button class="btn small" id="gains-start" on:click=press>"Compute"</button>
                </div>
            }
        })
    };
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    move || {
        is_there.get().then(|| {
            view! {
                <Section id="gains" title="What would help most" fold=Fold::Open holds="each number improved, one at a time" tools={move || view! { <Share by=helping.by/> }}>
                    <WhileOpen run=ask/>
                    {waits}
                    <Progress helping=helping prepared=prepared/>
                    {move || found.get().map(|found| list(helping, found, all))}
                    <div hidden=move || found.with(Option::is_none)>
                        <TakeTable table=table id="gains"/>
                    </div>
                </Section>
            }
        })
    }
}

/// The field for the share.
#[component]
pub fn Share(by: RwSignal<f64>) -> impl IntoView {
    let typed = RwSignal::new(by.get_untracked().to_string());
    let fault = RwSignal::new(None::<String>);
    let is_bad = move || fault.with(Option::is_some);
    let number = move || {
        let text = typed.get_untracked();
        let number = text
            .trim()
            .trim_end_matches('%')
            .trim_end()
            .replace(',', ".");
        number.parse().ok().and_then(|by| checked_share(by).ok())
    };
    // What is wrong is said at once; the rows follow when the field is left.
    let judge = move |event: web_sys::Event| {
        typed.set(event_target_value(&event));
        let now = by.get_untracked();
        let why = || {
            format!(
                "The share must be a number from {LEAST_PCT} to {MOST_PCT} %. The rows still use {now} %."
            )
        };
        fault.set(number().is_none().then(why));
    };
    let read = move |_| {
        if let Some(share) = number() {
            typed.set(share.to_string());
            if share != by.get_untracked() {
                by.set(share);
            }
        }
    };
    view! {
        <div class="sweep-controls">
            <label class="number" for="gains-by">
                <span>"More by, %"</span>
                <input
                    id="gains-by"
                    inputmode="decimal"
                    autocomplete="off"
                    spellcheck="false"
                    class:bad=is_bad
                    aria-invalid=move || is_bad().then_some("true")
                    aria-describedby=move || is_bad().then_some("gains-by-fault")
                    prop:value=typed
                    on:input=judge
                    on:change=read
                />
            </label>
        </div>
        {move || fault.get().map(|fault| view! { <p class="fault" id="gains-by-fault" role="status">{fault}</p> })}
    }
}

/// How far the round is, when it takes its time, and how to end it or begin it again.
#[component]
fn Progress(helping: Helping, prepared: Memo<Option<Arc<Found>>>) -> impl IntoView {
    let newest = helping.state.more.of(Kind::Gains).newest;
    let about = move |round: &Round| {
        prepared.with(|found| {
            let is_about = |found: &Arc<Found>| is_about(round, &found.shown, found.by);
            found.as_ref().is_some_and(is_about)
        })
    };
    let done = move || newest.with(Round::done);
    let asked = move || newest.with(|round| round.asks.len());
    // The elements stay while figures change, so that the button keeps the focus.
    let is_running = Memo::new(move |_| {
        helping.is_slow.get() && newest.with(|round| about(round) && round.is_running())
    });
    let is_cancelled = Memo::new(move |_| {
        newest.with(|round| about(round) && round.is_cancelled && round.done() < round.asks.len())
    });
    let again = move |_| {
        if let Some(found) = prepared.get_untracked() {
            helping.ask(&found);
        }
    };
    view! {
        {move || is_running.get().then(|| view! {
            <div class="search" id="gains-progress">
                <progress
                    aria-label="Changes solved"
                    max=move || asked().to_string()
                    value=move || done().to_string()
                ></progress>
                <span>{move || format!("{} of {}", done(), asked())}</span>
                <button class="btn small" id="gains-cancel" on:click=move |_| helping.state.cancel_more(Kind::Gains)>
                    "Cancel"
                </button>
            </div>
        })}
        {move || is_cancelled.get().then(|| view! {
            <div class="search" id="gains-cancelled">
                <span>{move || format!("{} of {}, cancelled", done(), asked())}</span>
                <button class="btn small" id="gains-again" on:click=again>"Compute"</button>
            </div>
        })}
    }
}

/// What helps, the most useful first, and what is to be said of the rest.
fn list(helping: Helping, found: Arc<Found>, all: RwSignal<bool>) -> impl IntoView {
    let helps: Vec<Gain> = improvements(&found.gains)
        .into_iter()
        .filter(|gain| gain.verdict() == Verdict::Helps)
        .cloned()
        .collect();
    // A second device of any kind helps more than most things: the first stands for all until all are asked for.
    let mut copies = 0;
    let mut first: Vec<Gain> = helps.clone();
    first.retain(|gain| {
        copies += usize::from(gain.change.what == What::Another);
        gain.change.what != What::Another || copies == 1
    });
    first.truncate(FIRST_ROWS);
    let (count, more) = (helps.len(), helps.len() > first.len());
    let open = found.gains.iter().any(|gain| gain.effect == Outcome::Asked);
    let mut sentences: Vec<String> = base(&found.shown.answer).into_iter().collect();
    sentences.extend(foot(&found.shown.scenario, &found.gains));
    let sentences = sentences.join(" ");
    let goal = match found.shown.scenario.decode.map(|decode| decode.goal) {
        Some(Goal::WholeAnswer) => "Whole answer",
        _ => "First answer",
    };
    let head = view! {
        <thead>
            <tr>
                <th scope="col">"If you had"</th>
                <th scope="col" class="n">{goal}</th>
                <th scope="col" class="n">"Faster by"</th>
                <th scope="col"><span class="sr">"Try"</span></th>
            </tr>
        </thead>
    };
    let nothing = match (count, open) {
        (0, false) => {
            Some(view! { <p class="foot">"No change of this size makes the answer faster."</p> })
        }
        _ => None,
    };
    let (of, unit) = (found.clone(), unit_of(&found.before, &found.gains));
    let rows = move || {
        let list = if all.get() { &helps } else { &first };
        list.iter()
            .map(|gain| row(helping, &of, unit, gain))
            .collect_view()
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="What would help most" hidden=count == 0>
            <table class="data help" id="gains-list">{head}<tbody>{rows}</tbody></table>
        </div>
        {nothing}
        <AllRows all=all count=count more=more/>
        <p class="foot" id="gains-foot">
            "Each row is a full new plan with one change. More transmit power speeds up a link: the device\u{2019}s for its uplink, \
             the access point\u{2019}s for its downlink. "
            {sentences}
        </p>
    }
}

fn row(
    helping: Helping,
    found: &Arc<Found>,
    unit: TimeFormat,
    gain: &Gain,
) -> impl IntoView + use<> {
    let then = gain.after.and_then(|after| after.objective);
    let told = sooner(gain, unit);
    let (by, proved) = match told.split_once("; ") {
        Some((by, proved)) => (by.to_owned(), Some(proved.to_owned())),
        None => (told, None),
    };
    let (of, own) = (found.clone(), gain.clone());
    row_of(Tried {
        name: subject(&found.shown.scenario, gain),
        change: values(gain),
        then: then.map(|then| (unit.with_unit(then), format!("{then} s"))),
        better: by,
        standing: proved,
        press: Callback::new(move |()| helping.try_out(&of.shown, &own, of.by)),
    })
}

/// A change in the list.
pub(super) struct Tried {
    /// What is changed.
    pub name: String,
    /// What its number was and would be.
    pub change: Option<String>,
    /// What the answer comes to with it: as it is shown, and exactly.
    pub then: Option<(String, String)>,
    /// By how much that is better.
    pub better: String,
    /// How far that is known.
    pub standing: Option<String>,
    /// Makes the change.
    pub press: Callback<()>,
}

/// Its row.
pub(super) fn row_of(tried: Tried) -> impl IntoView + use<> {
    let Tried {
        name,
        change,
        then,
        better,
        standing,
        press,
    } = tried;
    let label = match &change {
        Some(change) => format!("Try: {name} {change}"),
        None => format!("Try: {name}"),
    };
    let (then, exact) = then.unzip();
    view! {
        <tr>
            <th scope="row">{name}{change.map(|change| view! { <small>{change}</small> })}</th>
            <td class="n" data-exact=exact>{then.unwrap_or_else(|| "\u{2013}".to_owned())}</td>
            <td class="n">{better}{standing.map(|words| view! { <small>{words}</small> })}</td>
            <td class="n"><button class="btn small" aria-label=label on:click=move |_| press.run(())>"Try"</button></td>
        </tr>
    }
}

/// Shows all changes that help, or the first of them again.
#[component]
pub(super) fn AllRows(
    /// Whether all are shown.
    all: RwSignal<bool>,
    /// How many there are.
    count: usize,
    /// Whether that is more than are shown at first.
    more: bool,
) -> impl IntoView {
    view! {
        <button
            class="btn quiet small"
            id="gains-all"
            hidden=!more
            aria-expanded=move || all.get().to_string()
            on:click=move |_| all.update(|all| *all = !*all)
        >
            {move || if all.get() { "Fewer rows".to_owned() } else { format!("All {count} that help") }}
        </button>
    }
}
