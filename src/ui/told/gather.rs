//! What is gathered of pieces: they are found out one by one by all workers, and whenever some have come the worker is asked what
//! they come to. One such request is under way at a time, so that a worker has more to do than to add up.

use super::{Lies, Teller, ToTell};
use leptos::prelude::*;
use std::sync::Arc;
use story::{Lasts, More, Name, When};
use tell::worker::Sent;
use tell::{Ask, Holds, Piece};

/// So many pieces that have come are kept; the longest sweep has half as many.
const MOST_PIECES: usize = 1024;

/// Something that is being gathered.
pub struct Gathering {
    /// Its number: pieces of another one are late.
    number: u32,
    /// The section that it is for.
    of: Name,
    more: More,
    /// What goes along where it is asked what they come to.
    kept: Arc<Piece>,
    /// Whether what has come is not asked for again.
    is_kept: bool,
    /// What has come, each at its place; nothing where a piece was refused.
    came: Vec<Option<Option<Piece>>>,
    /// How far each is that has not.
    partly: Vec<f64>,
    /// How many had come when it was last asked what they come to.
    told: usize,
    /// Whether that is under way.
    is_asked: bool,
}

impl Gathering {
    /// The section that it is for.
    pub const fn of(&self) -> Name {
        self.of
    }

    fn count(&self) -> usize {
        self.came.iter().flatten().count()
    }

    /// How much of those that have not come is done, in pieces.
    fn partly(&self) -> f64 {
        let open = self.came.iter().zip(&self.partly);
        let open = open.filter(|(came, _)| came.is_none());
        open.map(|(_, share)| share).sum()
    }
}

impl<S: ToTell, D: Lies<S>> Teller<S, D> {
    /// Asks for the pieces of something.
    pub(super) fn gather(&self, of: Name, mut more: More) {
        let load = Arc::new(Piece::from(std::mem::take(&mut more.load)));
        let kept = Arc::new(Piece::from(std::mem::take(&mut more.kept)));
        // What has come before is not asked for again; with something that goes along it may be another one each time.
        let is_kept = load.is_empty();
        let known = |piece: &String| self.piece(piece).filter(|_| is_kept).map(Some);
        let came: Vec<Option<Option<Piece>>> = more.pieces.iter().map(known).collect();
        let number = self.gathering.with_value(|all| {
            let last = all.iter().map(|one| one.number).max();
            last.map_or(0, |last| last + 1)
        });
        let open = (0..).zip(more.pieces.iter().zip(&came));
        let open = open.filter(|(_, (_, came))| came.is_none());
        let asks: Vec<Ask> = open
            .map(|(at, (piece, _))| Ask::Piece((number, at), piece.clone(), load.clone()))
            .collect();
        self.gathering.update_value(|all| {
            all.push(Gathering {
                number,
                of,
                more,
                partly: vec![0.0; came.len()],
                kept,
                is_kept,
                came,
                told: 0,
                is_asked: false,
            });
        });
        self.ask(asks);
        self.add_up(number);
    }

    /// What is being gathered that holds for all scenarios.
    pub(super) fn going_on(&self) -> Vec<String> {
        self.gathering.with_value(|all| {
            let lasting = all.iter().filter(|one| one.more.lasts == Lasts::Always);
            lasting.map(|one| one.more.ask.clone()).collect()
        })
    }

    /// How many pieces have come of what is gathered for a section without being asked for, and how much of others is done.
    pub(super) fn came_for(&self, section: Name) -> (usize, f64) {
        self.gathering.with_value(|all| {
            let is_it = |one: &&Gathering| one.of == section && one.more.when.place().is_none();
            let soon: Vec<&Gathering> = all.iter().filter(is_it).collect();
            let came = soon.iter().map(|one| one.count()).sum();
            (came, soon.iter().map(|one| one.partly()).sum())
        })
    }

    /// A piece that has come.
    fn piece(&self, piece: &str) -> Option<Piece> {
        self.pieces.with_value(|all| {
            let known = all.iter().find(|(known, ..)| known == piece);
            known.map(|(.., found)| found.clone())
        })
    }

    /// What is asked for a file: one that is written of pieces takes along those that have come.
    pub(super) fn file(&self, what: &str) -> Ask {
        let pieces = self.told.of(|told| {
            let mut files = told.files.iter().flat_map(|(_, files)| files);
            files.find_map(|file| match &file.holds {
                Holds::Gathered(pieces) if file.what == what => Some(pieces.clone()),
                _ => None,
            })
        });
        let what = what.to_owned();
        match pieces.flatten() {
            Some(pieces) => Ask::FileOf(what, pieces.iter().map(|one| self.piece(one)).collect()),
            None => Ask::File(what),
        }
    }

    /// A piece has come, or is not to be had.
    pub(super) fn piece_came(&self, (number, at): (u32, u32), piece: Option<Piece>) {
        let found = self.gathering.try_update_value(|all| {
            let one = all.iter_mut().find(|one| one.number == number)?;
            let lasts = one.more.lasts;
            let kept = one.more.pieces.get(at as usize).cloned();
            let kept = kept.zip(piece.clone()).filter(|_| one.is_kept);
            let kept = kept.map(|(piece, found)| (piece, lasts, found));
            *one.came.get_mut(at as usize)? = Some(piece);
            Some(kept)
        });
        let Some(kept) = found.flatten() else {
            return;
        };
        self.pieces.update_value(|all| {
            all.extend(kept);
            let too_many = all.len().saturating_sub(MOST_PIECES);
            all.drain(..too_many);
        });
        self.say_how_far(number);
        self.add_up(number);
    }

    /// A piece is so far.
    pub(super) fn piece_reached(&self, (number, at): (u32, u32), share: Option<f64>) {
        self.gathering.update_value(|all| {
            let one = all.iter_mut().find(|one| one.number == number);
            let one = one.and_then(|one| one.partly.get_mut(at as usize));
            if let Some((partly, share)) = one.zip(share) {
                *partly = share;
            }
        });
        self.say_how_far(number);
    }

    fn say_how_far(&self, number: u32) {
        let found = self.gathering.with_value(|all| {
            let one = all.iter().find(|one| one.number == number)?;
            let share = (one.count() as f64 + one.partly()) / one.came.len().max(1) as f64;
            Some((
                one.more.when.place().unwrap_or(one.of),
                one.more.when,
                share,
            ))
        });
        match found {
            Some((_, When::Soon, _)) => self.count_runs(),
            Some((place, _, share)) => self.so_far(place, Some(share)),
            None => {}
        }
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
                one.kept.clone(),
                came.collect(),
            ))
        });
        if let (Some(ask), Some(of)) = (asked.flatten(), self.of.get_untracked()) {
            let group = self.group.get_value();
            self.with_solver(|solver| solver.ahead(*self, group, Sent(of), self.asked_of(ask)));
        }
    }
}
