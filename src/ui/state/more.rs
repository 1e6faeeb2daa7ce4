//! What the page finds out about the scenario on show besides its plan: rounds of asks that workers answer when no plan is
//! wanted, each round of one kind, with its progress and its end.

use super::{Shown, State};
use crate::ui::jobs::{Asked, Asks};
use job::cold_start_more::{Ask, Told};
use job::worker::Sent;
use leptos::prelude::*;
use std::sync::Arc;

/// The groups of all rounds begin here, those of a kind as far from one another as the second number says.
const FIRST_GROUP: u32 = 1 << 29;
const GROUPS: u32 = 1 << 24;

/// A kind of round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Cold start against steady rate.
    Front,
    /// What would help most.
    Gains,
    /// What other tools would do.
    Rules,
    /// Ranges instead of points.
    Spread,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Front, Self::Gains, Self::Rules, Self::Spread];
}

/// A round of asks about one answer on show.
#[derive(Debug, Clone, Default)]
pub struct Round {
    /// The answer it is about.
    pub of: Option<Arc<Shown>>,
    /// What was asked.
    pub asks: Vec<Ask>,
    /// What was told, each at the place of its ask; a fault where it could not be found out.
    pub told: Vec<Option<Result<Arc<Told>, String>>>,
    /// Whether the user ended it.
    pub is_cancelled: bool,
}

impl Round {
    /// Whether it is about this answer.
    pub fn is_of(&self, shown: &Arc<Shown>) -> bool {
        self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, shown))
    }

    /// How many of its asks have their answer or their fault.
    pub fn done(&self) -> usize {
        self.told.iter().flatten().count()
    }

    /// Whether answers are still to come.
    pub fn is_running(&self) -> bool {
        !self.is_cancelled && self.done() < self.asks.len()
    }
}

/// The rounds of one kind: the newest, and the group it was asked for in. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Rounds {
    /// The newest.
    pub newest: RwSignal<Round>,
    group: StoredValue<u32>,
}

/// All rounds, a place for every kind. Cheap to copy.
#[derive(Clone, Copy)]
pub struct More([Rounds; 4]);

impl More {
    pub(super) fn open() -> Self {
        Self(Kind::ALL.map(|kind| Rounds {
            newest: RwSignal::new(Round::default()),
            group: StoredValue::new(FIRST_GROUP + GROUPS * kind as u32),
        }))
    }

    /// The rounds of a kind.
    pub fn of(&self, kind: Kind) -> Rounds {
        self.0[kind as usize]
    }
}

impl State {
    /// Begins a round about the answer on show, in place of the one before.
    pub fn ask_more(&self, kind: Kind, shown: &Arc<Shown>, asks: Vec<Ask>) {
        let group = self.next_group(kind);
        self.more.of(kind).newest.set(Round {
            of: Some(shown.clone()),
            told: asks.iter().map(|_| None).collect(),
            asks: asks.clone(),
            is_cancelled: false,
        });
        let scenario = Sent(shown.scenario.clone());
        self.with_solver(|solver| solver.points(*self, group, &scenario, asks));
    }

    /// The user has seen enough of a round: what is known stays.
    pub fn cancel_more(&self, kind: Kind) {
        self.next_group(kind);
        let newest = self.more.of(kind).newest;
        newest.update(|round| round.is_cancelled = true);
    }

    /// Nobody waits for any round any more: another scenario, another question. What is known stays where it is.
    pub(super) fn end_more(&self) {
        for kind in Kind::ALL {
            self.next_group(kind);
            // A round that was cut off is asked for anew when its answer is on show again.
            let newest = self.more.of(kind).newest;
            if newest.with_untracked(Round::is_running) {
                newest.set(Round::default());
            }
        }
    }

    /// Puts what is known of an ask in its place, if its round is the newest of its kind.
    fn put_more(&self, of: &Asked<Ask>, told: Result<Arc<Told>, String>) {
        let all = Kind::ALL.map(|kind| self.more.of(kind));
        let is_own = |rounds: &Rounds| of.group == Some(rounds.group.get_value());
        let Some(rounds) = all.into_iter().find(is_own) else {
            return;
        };
        rounds.newest.update(|round| {
            if let Some(place) = round.told.get_mut(of.at) {
                *place = Some(told);
            }
        });
    }

    /// Ends the group of a kind and gives the next.
    fn next_group(&self, kind: Kind) -> u32 {
        let rounds = self.more.of(kind);
        let group = rounds.group.get_value();
        self.with_solver(|solver| solver.cancel(group));
        rounds.group.set_value(group + 1);
        group + 1
    }
}

impl Asks<Ask> for State {
    fn answered(&self, of: &Asked<Ask>, told: Told, _millis: f64) {
        self.put_more(of, Ok(Arc::new(told)));
    }

    fn refused(&self, of: &Asked<Ask>, why: String) {
        self.put_more(of, Err(why));
    }

    fn left_out(&self, of: &Asked<Ask>) -> String {
        self.refused(of, "the solver stopped at this twice".to_owned());
        "It stopped again, so that one thing was left out. Nothing else is lost.".to_owned()
    }
}
