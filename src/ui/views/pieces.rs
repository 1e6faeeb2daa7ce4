//! Rounds of asks about the scenario of all questions as it lies on the desk, whichever question is open: what workers have told
//! piece by piece, how far they are, and how to end them.

use crate::ui::jobs::{Asked, Asks};
use crate::ui::questions::Questions;
use engine::scenario::world::World;
use job::helps::Whole;
use job::worker::Errand;
use leptos::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The groups of all rounds count from here; those of questions must not meet them.
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
pub struct Round<E: Errand> {
    /// The scenario that it is about.
    pub world: Arc<World>,
    /// What was asked.
    pub asks: Vec<E>,
    /// What was told, each at the place of its ask; a fault where it could not be found out.
    pub told: Vec<Option<Result<E::Answer, String>>>,
    /// Whether the user ended it.
    pub is_cancelled: bool,
}

impl<E: Errand> Round<E> {
    /// How many of its asks have their answer or their fault.
    fn done(&self) -> usize {
        self.told.iter().flatten().count()
    }
}

/// The newest round of one kind. Cheap to copy.
pub struct Pieces<E: Errand + Send + Sync>
where
    E::Answer: Send + Sync,
{
    questions: Questions,
    /// The round, while what it is about is on the desk.
    pub round: RwSignal<Option<Round<E>>>,
    group: StoredValue<u32>,
}

impl<E: Errand + Send + Sync> Clone for Pieces<E>
where
    E::Answer: Send + Sync,
{
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Errand + Send + Sync> Copy for Pieces<E> where E::Answer: Send + Sync {}

impl<E: Errand<Scenario = Whole> + Send + Sync> Pieces<E>
where
    E::Answer: Send + Sync,
{
    /// No round yet. One that is about another scenario than `edited` tells of is dropped, and nobody waits for it once the view
    /// is gone.
    pub fn open(questions: Questions, edited: Signal<()>) -> Self {
        let pieces = Self {
            questions,
            round: RwSignal::new(None),
            group: StoredValue::new(NEXT_GROUP.fetch_add(1, Ordering::Relaxed)),
        };
        let is_wanted = move || pieces.round.with_untracked(Option::is_some);
        follow_world(questions, edited, is_wanted, move |now| {
            let is_other =
                |round: &Option<Round<E>>| round.as_ref().is_some_and(|round| *round.world != now);
            if pieces.round.with_untracked(is_other) {
                pieces.renew_group();
                pieces.round.set(None);
            }
        });
        on_cleanup(move || {
            if let Some(group) = pieces.group.try_get_value() {
                questions.shell.with_solver(|solver| solver.cancel(group));
            }
        });
        pieces
    }

    /// Begins a round about what is on the desk, in place of the one before.
    pub fn begin(self, world: Arc<World>, asks: Vec<E>) {
        let group = self.renew_group();
        self.round.set(Some(Round {
            world: world.clone(),
            told: asks.iter().map(|_| None).collect(),
            asks: asks.clone(),
            is_cancelled: false,
        }));
        let shell = self.questions.shell;
        shell.with_solver(|solver| solver.points(self, group, &Whole(world), asks));
    }

    /// The user has seen enough: what is known stays.
    pub fn cancel(self) {
        self.renew_group();
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

    fn renew_group(self) -> u32 {
        let shell = self.questions.shell;
        shell.with_solver(|solver| solver.cancel(self.group.get_value()));
        let next = NEXT_GROUP.fetch_add(1, Ordering::Relaxed);
        self.group.set_value(next);
        next
    }

    fn put(self, of: &Asked<E>, told: Result<E::Answer, String>) {
        if of.group.is_none() || of.group != self.group.try_get_value() {
            return;
        }
        self.round.update(|round| {
            let place = round.as_mut().and_then(|round| round.told.get_mut(of.at));
            if let Some(place) = place {
                *place = Some(told);
            }
        });
    }
}

impl<E: Errand<Scenario = Whole> + Send + Sync> Asks<E> for Pieces<E>
where
    E::Answer: Send + Sync,
{
    fn answered(&self, of: &Asked<E>, answer: E::Answer, _millis: f64) {
        self.put(of, Ok(answer));
    }

    fn refused(&self, of: &Asked<E>, why: String) {
        self.put(of, Err(why));
    }

    fn left_out(&self, of: &Asked<E>) -> String {
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
