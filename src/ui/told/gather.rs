//! What is gathered of pieces: they are found out one by one by all workers, and whenever some have come the worker is asked what
//! they come to. One such request is under way at a time, so that a worker has more to do than to add up.

use super::Teller;
use crate::ui::desk::Document;
use job::worker::Sent;
use leptos::prelude::*;
use report::tell::{Ask, Piece, Tell, Tells};
use std::sync::Arc;
use story::{More, Name, When};

/// Something that is being gathered.
pub struct Gathering {
    /// Its number: pieces of another one are late.
    number: u32,
    more: More,
    load: Arc<Piece>,
    /// What has come, each at its place; nothing where a piece was refused.
    came: Vec<Option<Option<Piece>>>,
    /// How many had come when it was last asked what they come to.
    told: usize,
    /// Whether that is under way.
    is_asked: bool,
}

impl Gathering {
    fn count(&self) -> usize {
        self.came.iter().flatten().count()
    }
}

impl<S: Document + Tells> Teller<S> {
    /// Asks for the pieces of something.
    pub(super) fn gather(&self, mut more: More) {
        let load = Arc::new(Piece::from(std::mem::take(&mut more.load)));
        let pieces = std::mem::take(&mut more.pieces);
        let number = self.gathering.with_value(|all| {
            let last = all.iter().map(|one| one.number).max();
            last.map_or(0, |last| last + 1)
        });
        let asks: Vec<Ask> = (0..)
            .zip(&pieces)
            .map(|(at, piece)| Ask::Piece((number, at), piece.clone(), load.clone()))
            .collect();
        self.gathering.update_value(|all| {
            all.push(Gathering {
                number,
                more,
                load,
                came: pieces.iter().map(|_| None).collect(),
                told: 0,
                is_asked: false,
            });
        });
        self.ask(asks);
    }

    /// A piece has come, or is not to be had.
    pub(super) fn piece_came(&self, (number, at): (u32, u32), piece: Option<Piece>) {
        let found = self.gathering.try_update_value(|all| {
            let one = all.iter_mut().find(|one| one.number == number)?;
            *one.came.get_mut(at as usize)? = Some(piece);
            let share = one.count() as f64 / one.came.len() as f64;
            Some((one.more.when, share))
        });
        let Some((when, share)) = found.flatten() else {
            return;
        };
        match when {
            When::Soon => self.one_more_run(),
            When::Now(place) | When::Pressed(place) => self.so_far(place, Some(share)),
            When::Opened => {}
        }
        self.add_up(number);
    }

    /// A piece is refused: what it is one of.
    pub(super) fn piece_refused(&self, at: (u32, u32)) -> Option<(Name, More)> {
        let ask = self.gathering.with_value(|all| {
            let one = all.iter().find(|one| one.number == at.0);
            one.map(|one| one.more.ask.clone())
        })?;
        let of = self.asked_in(&ask);
        self.piece_came(at, None);
        of
    }

    /// What the pieces come to was told; what it was, if these were all of them.
    pub(super) fn was_gathered(&self, ask: &str) -> Option<More> {
        let found = self.gathering.try_update_value(|all| {
            let one = all.iter_mut().find(|one| one.more.ask == ask)?;
            one.is_asked = false;
            Some((one.number, one.told == one.came.len()))
        });
        let (number, is_whole) = found.flatten()?;
        if !is_whole {
            self.add_up(number);
            return None;
        }
        self.end_gathering(number);
        self.came(ask).map(|(_, more)| more)
    }

    /// What they come to is not to be had.
    pub(super) fn not_gathered(&self, ask: &str) -> Option<(Name, More)> {
        let number = self.gathering.with_value(|all| {
            let one = all.iter().find(|one| one.more.ask == ask);
            one.map(|one| one.number)
        })?;
        self.end_gathering(number);
        self.came(ask)
    }

    fn end_gathering(&self, number: u32) {
        self.gathering
            .update_value(|all| all.retain(|one| one.number != number));
    }

    /// Asks what the pieces come to, if there are new ones and it is not being asked.
    fn add_up(&self, number: u32) {
        let asked = self.gathering.try_update_value(|all| {
            let one = all.iter_mut().find(|one| one.number == number)?;
            let count = one.count();
            let is_early = one.more.whole && count < one.came.len();
            if one.is_asked || is_early || count == one.told {
                return None;
            }
            (one.is_asked, one.told) = (true, count);
            let came = one.came.iter().map(|piece| piece.clone().flatten());
            Some(Ask::Gathered(
                one.more.ask.clone(),
                one.load.clone(),
                came.collect(),
            ))
        });
        if let (Some(ask), Some(of)) = (asked.flatten(), self.of.get_untracked()) {
            let group = self.group.get_value();
            self.with_solver(|solver| solver.ahead(*self, group, Sent(of), Tell::of(ask)));
        }
    }
}
