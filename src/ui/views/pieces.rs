//! Rounds of asks about the scenario of all questions as it lies on the desk, whichever question is open: what workers have told
//! piece by piece, how far they are, and how to end them.

use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Questions;
use engine::scenario::world::World;
use job::measure::{Measure, Piece, Reading, Several};
use leptos::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The groups of all rounds count from here, one for each ask; those of questions must not meet them.
static NEXT_GROUP: AtomicU32 = AtomicU32::new(1 << 28);

/// The scenario of all questions with what is on the desk now, opening on the question that is open.
pub fn world_now(questions: Questions) -> World {
    let question = questions.shell.question.get_untracked();
    questions.topic(question).desk().take_over();
    world_seen(questions)
}

/// The same as it was last taken over.
fn world_seen(questions: Questions) -> World {
    let mut world = questions.shell.common.world();
    world.question = questions.shell.question.get_untracked();
    world
}

/// Hands the scenario of all questions on, now and after every change; `edited` tells of those on the desk. Only these are taken over
/// here: that changes what is seen, and must not come back as a change to take over.
pub fn follow_world(
    questions: Questions,
    edited: Signal<()>,
    is_wanted: impl Fn() -> bool + Copy + 'static,
    hand: impl Fn(World) + Copy + 'static,
) {
    Effect::new(move |_| {
        edited.track();
        if is_wanted() {
            hand(world_now(questions));
        }
    });
    Effect::new(move |_| {
        questions.shell.common.view.track();
        if is_wanted() {
            hand(world_seen(questions));
        }
    });
}

/// A round.
pub struct Round<P: Piece> {
    /// The scenario that it is about.
    pub world: Arc<World>,
    /// What was asked.
    pub asks: Vec<P>,
    /// What was told, each at the place of its ask; a fault where it could not be found out.
    pub told: Vec<Option<Result<P::Told, String>>>,
    /// Whether the user ended it.
    pub is_cancelled: bool,
}

impl<P: Piece> Round<P> {
    /// How many of its asks have their answer or their fault.
    fn done(&self) -> usize {
        self.told.iter().flatten().count()
    }
}

/// The newest round of one kind. Cheap to copy.
pub struct Pieces<P: Piece> {
    questions: Questions,
    /// The round, while what it is about is on the desk.
    pub round: RwSignal<Option<Round<P>>>,
    /// The group of its first ask; the others count on from it.
    group: StoredValue<u32>,
}

impl<P: Piece> Clone for Pieces<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Piece> Copy for Pieces<P> {}

impl<P: Piece> Pieces<P> {
    /// No round yet. One that is about another scenario than `edited` tells of is dropped, and nobody waits for it once the view
    /// is gone.
    pub fn open(questions: Questions, edited: Signal<()>) -> Self {
        let pieces = Self {
            questions,
            round: RwSignal::new(None),
            group: StoredValue::new(NEXT_GROUP.load(Ordering::Relaxed)),
        };
        let is_wanted = move || pieces.round.with_untracked(Option::is_some);
        follow_world(questions, edited, is_wanted, move |now| {
            let is_other =
                |round: &Option<Round<P>>| round.as_ref().is_some_and(|round| *round.world != now);
            if pieces.round.with_untracked(is_other) {
                pieces.end();
                pieces.round.set(None);
            }
        });
        on_cleanup(move || {
            if let Some(first) = pieces.group.try_get_value() {
                let count = pieces
                    .round
                    .try_with_untracked(count_of)
                    .unwrap_or_default();
                cancel(questions, first, count);
            }
        });
        pieces
    }

    /// Begins a round about what is on the desk, in place of the one before.
    pub fn begin(self, world: Arc<World>, asks: Vec<P>) {
        self.end();
        let first = NEXT_GROUP.fetch_add(asks.len() as u32, Ordering::Relaxed);
        self.group.set_value(first);
        self.round.set(Some(Round {
            world: world.clone(),
            told: asks.iter().map(|_| None).collect(),
            asks,
            is_cancelled: false,
        }));
        self.send(first, 0);
    }

    /// Sends one ask of a round, and the others after it: scenarios are made one ask at a time, so that the page stays live.
    fn send(self, first: u32, at: usize) {
        let is_gone = self.group.try_get_value() != Some(first);
        let asked = self.round.try_with_untracked(|round| {
            let round = round.as_ref().filter(|round| !round.is_cancelled)?;
            let ask = round.asks.get(at)?;
            Some((round.world.question, ask.scenarios(&round.world)))
        });
        let Some(Some((question, scenarios))) = asked.filter(|_| !is_gone) else {
            return;
        };
        match scenarios {
            Ok(scenarios) => {
                let all = Several::of(question, scenarios);
                let group = first + at as u32;
                let shell = self.questions.shell;
                shell.with_solver(|solver| solver.points(self, group, &all, [Measure]));
            }
            Err(fault) => self.put(at, Err(fault.message)),
        }
        set_timeout(move || self.send(first, at + 1), Duration::ZERO);
    }

    /// The user has seen enough: what is known stays.
    pub fn cancel(self) {
        self.end();
        self.round.update(|round| {
            if let Some(round) = round {
                round.is_cancelled = true;
            }
        });
    }

    /// How many pieces are done, of how many, while a round is going on.
    pub fn far(self) -> Option<(usize, usize)> {
        self.round.with(|round| {
            let round = round.as_ref().filter(|round| !round.is_cancelled)?;
            let (done, of) = (round.done(), round.asks.len());
            (done < of).then_some((done, of))
        })
    }

    /// Nobody waits for the round any more.
    fn end(self) {
        let count = self.round.with_untracked(count_of);
        cancel(self.questions, self.group.get_value(), count);
        self.group
            .set_value(NEXT_GROUP.fetch_add(1, Ordering::Relaxed));
    }

    /// The place of an ask in the round, if it is of this one.
    fn place(self, of: &Asked<Measure>) -> Option<usize> {
        let at = of.group?.checked_sub(self.group.try_get_value()?)? as usize;
        let count = self.round.try_with_untracked(count_of)?;
        (at < count).then_some(at)
    }

    fn put(self, at: usize, told: Result<P::Told, String>) {
        self.round.update(|round| {
            let place = round.as_mut().and_then(|round| round.told.get_mut(at));
            if let Some(place) = place {
                *place = Some(told);
            }
        });
    }
}

/// How many asks a round has.
fn count_of<P: Piece>(round: &Option<Round<P>>) -> usize {
    round.as_ref().map_or(0, |round| round.asks.len())
}

/// Ends what is asked for so many groups from the first.
fn cancel(questions: Questions, first: u32, count: usize) {
    questions.shell.with_solver(|solver| {
        for group in (first..).take(count) {
            solver.cancel(group);
        }
    });
}

impl<P: Piece> Asks<Measure> for Pieces<P> {
    fn answered(&self, of: &Asked<Measure>, readings: Vec<Result<Reading, String>>, _millis: f64) {
        let Some(at) = self.place(of) else {
            return;
        };
        let ask = self.round.with_untracked(|round| {
            let round = round.as_ref()?;
            round.asks.get(at).cloned()
        });
        if let Some(ask) = ask {
            self.put(at, ask.told(readings));
        }
    }

    fn refused(&self, of: &Asked<Measure>, why: String) {
        if let Some(at) = self.place(of) {
            self.put(at, Err(why));
        }
    }

    fn left_out(&self, of: &Asked<Measure>) -> String {
        self.refused(of, "the solver stopped at this twice".to_owned());
        "It stopped again, so that one thing was left out. Nothing else is lost.".to_owned()
    }
}

/// A button that begins a round, or how far it is and a button that ends it; ids begin with `id`.
#[component]
pub fn Go(
    /// Beginning of the ids.
    id: &'static str,
    /// What the button says.
    #[prop(into)]
    label: Signal<&'static str>,
    /// How far it is, while it is going on.
    far: Memo<Option<(usize, usize)>>,
    /// What the button does.
    #[prop(into)]
    begin: Callback<()>,
    /// How it is ended.
    #[prop(into)]
    cancel: Callback<()>,
) -> impl IntoView {
    // The elements stay while figures change, so that the button keeps the focus.
    let is_going = Memo::new(move |_| far.with(Option::is_some));
    let of = move || far.get().unwrap_or_default();
    move || {
        if is_going.get() {
            view! {
                <div class="search" id=format!("{id}-progress")>
                    <progress
                        aria-label="Parts solved"
                        max=move || of().1.to_string()
                        value=move || of().0.to_string()
                    ></progress>
                    <span>{move || { let (done, all) = of(); format!("{done} of {all}") }}</span>
                    <button class="btn small" id=format!("{id}-cancel") on:click=move |_| cancel.run(())>"Cancel"</button>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="search">
                    <button class="btn small" id=format!("{id}-start") on:click=move |_| begin.run(())>{label}</button>
                </div>
            }
            .into_any()
        }
    }
}
