//! What is gathered of pieces, as a state machine that knows neither page nor worker: pieces are found out one by one by all workers,
//! and whenever some have come a worker is asked what they come to. One such request of a gathering is under way at a time, so that a
//! worker has more to do than to add up, and what it says is never older than what was said before.

use super::ask::{Ask, Piece};
use std::collections::BTreeSet;
use std::sync::Arc;
use story::{Lasts, More, Name};

/// So many pieces that have come are kept; the longest sweep has half as many.
const MOST_PIECES: usize = 1024;

/// All that is being gathered, and pieces that have come.
#[derive(Debug, Default)]
pub struct Gatherings {
    all: Vec<Gathering>,
    /// The number of the next one. None is used twice: what comes for one that is not there is late.
    next: u32,
    /// Pieces that have come, and for which scenarios they hold.
    known: Vec<(String, Lasts, Piece)>,
    /// Pieces that are on their way.
    coming: BTreeSet<String>,
}

/// Something that is being gathered.
#[derive(Debug)]
struct Gathering {
    number: u32,
    /// The section that it is for.
    of: Name,
    more: More,
    /// What goes along with every piece.
    load: Arc<Piece>,
    /// What goes along where it is asked what they come to.
    kept: Arc<Piece>,
    /// What has come, each at its place; nothing where a piece was refused.
    came: Vec<Option<Found>>,
    /// How far each is that has not.
    partly: Vec<f64>,
    /// How many had come when it was last asked what they come to.
    told: usize,
    /// Whether that is under way.
    is_asked: bool,
}

/// A piece that was asked for: which gathering and place, its name, what goes along with it.
pub type OfPiece<'a> = (&'a (u32, u32), &'a str, &'a Piece);

/// A piece that has come; nothing where it is not to be had.
pub type Found = Option<Piece>;

/// What was said of what pieces come to.
#[derive(Debug)]
pub enum Summed {
    /// These were all of them.
    Whole(More),
    /// There are more; if some have come meanwhile, what is to be asked.
    Partly(Option<Ask>),
}

impl Gathering {
    fn count(&self) -> usize {
        self.came.iter().flatten().count()
    }

    /// How much of those that have not come is done, in pieces.
    fn partly(&self) -> f64 {
        let open = self.came.iter().zip(&self.partly);
        let open = open.filter(|(came, _)| came.is_none());
        open.map(|(_, share)| share).sum()
    }

    /// Where a piece belongs. With nothing that goes along, a piece of a name is the same for all that gather it. O(pieces).
    fn places(&self, (at, piece, load): OfPiece<'_>) -> Vec<usize> {
        let is_it = |place: usize| match load.is_empty() && self.load.is_empty() {
            true => self.more.pieces[place] == piece,
            false => (self.number, place as u32) == *at,
        };
        let open = (0..self.came.len()).filter(|place| self.came[*place].is_none());
        open.filter(|place| is_it(*place)).collect()
    }

    /// What is to be asked of the pieces that have come, if there are new ones and it is not being asked.
    fn sum(&mut self) -> Option<Ask> {
        let count = self.count();
        let is_early = self.more.whole && count < self.came.len();
        if self.is_asked || is_early || count == self.told {
            return None;
        }
        (self.is_asked, self.told) = (true, count);
        let came = self.came.iter().map(|piece| piece.clone().flatten());
        Some(Ask::Gathered(
            self.number,
            self.more.ask.clone(),
            self.kept.clone(),
            came.collect(),
        ))
    }
}

impl Gatherings {
    /// Begins to gather something for a section: the pieces to be asked for, and what those come to that are known.
    pub fn begin(&mut self, of: Name, mut more: More) -> (Vec<Ask>, Option<Ask>) {
        let load = Arc::new(Piece::from(std::mem::take(&mut more.load)));
        let kept = Arc::new(Piece::from(std::mem::take(&mut more.kept)));
        // With something that goes along, a piece may be another one each time.
        let is_kept = load.is_empty();
        let known = |piece: &String| self.known(piece).filter(|_| is_kept).map(Some);
        let came: Vec<Option<Found>> = more.pieces.iter().map(known).collect();
        let number = self.next;
        self.next += 1;
        let mut asks = Vec::new();
        for (at, piece) in (0..).zip(&more.pieces) {
            let is_open = came[at as usize].is_none();
            if is_open && (!is_kept || self.coming.insert(piece.clone())) {
                asks.push(Ask::Piece((number, at), piece.clone(), load.clone()));
            }
        }
        let mut gathering = Gathering {
            number,
            of,
            load,
            kept,
            partly: vec![0.0; came.len()],
            came,
            told: 0,
            is_asked: false,
            more,
        };
        let sum = gathering.sum();
        self.all.push(gathering);
        (asks, sum)
    }

    /// A piece that has come and is kept.
    #[must_use]
    pub fn known(&self, piece: &str) -> Found {
        let known = self.known.iter().find(|(known, ..)| known == piece);
        known.map(|(.., found)| found.clone())
    }

    /// A piece has come, or is not to be had: what is to be asked of those that have.
    pub fn came(&mut self, of: OfPiece<'_>, found: &Found) -> Vec<Ask> {
        let (_, piece, load) = of;
        let mut lasts = None;
        for one in &mut self.all {
            for place in one.places(of) {
                one.came[place] = Some(found.clone());
                lasts = Some(one.more.lasts);
            }
        }
        if load.is_empty() {
            self.coming.remove(piece);
            // One that nobody gathers any more may be wanted again for this scenario.
            let kept = found.clone();
            let kept = kept.map(|found| (piece.to_owned(), lasts.unwrap_or_default(), found));
            self.known.extend(kept);
            let too_many = self.known.len().saturating_sub(MOST_PIECES);
            self.known.drain(..too_many);
        }
        self.all.iter_mut().filter_map(Gathering::sum).collect()
    }

    /// A piece is so far.
    pub fn partly(&mut self, of: OfPiece<'_>, share: f64) {
        for one in &mut self.all {
            for place in one.places(of) {
                one.partly[place] = share;
            }
        }
    }

    /// All that is gathered, with the share of it that is done.
    pub fn reached(&self) -> impl Iterator<Item = (&More, f64)> {
        self.all.iter().map(|one| {
            let done = one.count() as f64 + one.partly();
            (&one.more, done / one.came.len().max(1) as f64)
        })
    }

    /// How many pieces have come of what is gathered for a section without a button, and how much of others is done.
    #[must_use]
    pub fn came_for(&self, section: Name) -> (usize, f64) {
        let is_it = |one: &&Gathering| one.of == section && one.more.when.place().is_none();
        let all = || self.all.iter().filter(is_it);
        let came = all().map(Gathering::count).sum();
        (came, all().map(Gathering::partly).sum())
    }

    /// Whether a number is that of something that is gathered.
    #[must_use]
    pub fn is_on(&self, number: u32) -> bool {
        self.all.iter().any(|one| one.number == number)
    }

    /// What the pieces come to was told; nothing where that is late.
    pub fn summed(&mut self, number: u32) -> Option<Summed> {
        let at = self.all.iter().position(|one| one.number == number)?;
        let one = &mut self.all[at];
        one.is_asked = false;
        Some(match one.told == one.came.len() {
            true => Summed::Whole(self.all.remove(at).more),
            false => Summed::Partly(one.sum()),
        })
    }

    /// Something is not gathered any more: what it was.
    pub fn drop(&mut self, number: u32) -> Option<More> {
        let at = self.all.iter().position(|one| one.number == number)?;
        Some(self.all.remove(at).more)
    }

    /// The asks of what is gathered that a piece is one of.
    #[must_use]
    pub fn asks_of(&self, of: OfPiece<'_>) -> Vec<String> {
        let is_in = |one: &&Gathering| !one.places(of).is_empty();
        let all = self.all.iter().filter(is_in);
        all.map(|one| one.more.ask.clone()).collect()
    }

    /// What is being gathered that holds for all scenarios.
    #[must_use]
    pub fn going_on(&self) -> Vec<String> {
        let all = self.all.iter();
        let lasting = all.filter(|one| one.more.lasts == Lasts::Always);
        lasting.map(|one| one.more.ask.clone()).collect()
    }

    /// Sections were told anew: what was gathered for them is not; pieces of it that are on their way may be wanted again.
    pub fn forget(&mut self, is_new: impl Fn(Name) -> bool) {
        self.all.retain(|one| !is_new(one.of));
    }

    /// Nothing more comes of all that was asked; pieces that have come stay.
    pub fn end(&mut self) {
        self.all.clear();
        self.coming.clear();
    }

    /// Another scenario: pieces that do not hold for it are forgotten.
    pub fn keep(&mut self, holds: impl Fn(Lasts) -> bool) {
        self.known.retain(|(_, lasts, _)| holds(*lasts));
    }
}
