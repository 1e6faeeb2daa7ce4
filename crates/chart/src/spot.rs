//! A chart with spots: places that a pointer or a key can reach, what is said of them, and what a press on them sets.
//!
//! Questions whose charts differ only in what they show lay them all out to [`SpotChart`], which one view can hold.

use super::dispatch::{SharesTold, SpreadTold, TokensTold, WaitsTold};
use super::front::Front;
use super::gantt::{Step, View};
use super::heads::MarkWords;
use super::ink::Ink;
use super::mark::{Mark, Picture, Rect, Shape};
use super::operators::{ArenaTold, GraphTold, MemoryTold, SlicesTold};
use super::scale::{TimeFormat, TimeScale};
use engine::units::{InOrder, count};
use std::ops::Range;
use std::sync::Arc;

/// A place that can be pointed at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// What a ring goes round and a card stands off [px].
    pub rect: Rect,
    /// Its row, counted from the top.
    pub row: usize,
    /// What a press sets, where it sets something.
    pub pick: Option<f64>,
    /// Which of the chart's data it tells of.
    pub(super) of: usize,
}

impl Spot {
    /// A place round a point [px].
    pub(super) fn round((x, y): (f64, f64), row: usize, of: usize) -> Self {
        Self {
            rect: Rect::new(x, y, 0.0, 0.0).grown(4.0),
            row,
            pick: None,
            of,
        }
    }

    /// Its middle [px].
    pub(super) fn middle(&self) -> (f64, f64) {
        let rect = &self.rect;
        (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0)
    }

    /// How far left or right of it a place is [px].
    fn away_across(&self, x: f64) -> f64 {
        let rect = &self.rect;
        (rect.x - x).max(x - rect.right()).max(0.0)
    }

    /// How far from it a point is [px].
    fn away(&self, x: f64, y: f64) -> f64 {
        let rect = &self.rect;
        let down = (rect.y - y).max(y - rect.bottom()).max(0.0);
        libm::hypot(self.away_across(x), down)
    }
}

/// How a row of places is caught.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Catch {
    /// The nearest along the axis, anywhere in the band and at most so far off [px].
    Column(f64),
    /// The nearest in the plane, at most so far off [px].
    Near(f64),
    /// The one whose rectangle is nearest, at most so far off [px]; of several the smallest.
    Inside(f64),
}

/// Places in one row, from left to right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpotRow {
    /// Where it can be caught [px].
    pub band: Rect,
    pub catch: Catch,
    pub spots: Range<usize>,
}

/// The axis of a chart that can be zoomed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Along {
    /// What is seen of it.
    pub scale: TimeScale,
    /// Where its figures stand, and a span can be selected: from and to [px].
    pub figures: (f64, f64),
    /// What it counts, `steps`; empty where it is time.
    pub unit: &'static str,
}

impl Along {
    /// The shortest span that is shown of what is counted.
    const LEAST: f64 = 3.0;

    pub fn is_axis(&self, y: f64) -> bool {
        (self.figures.0..=self.figures.1).contains(&y)
    }

    pub fn least(&self) -> f64 {
        let (left, right) = self.scale.ends_px();
        if self.unit.is_empty() {
            return View::least_s(right - left);
        }
        Self::LEAST
    }

    /// `steps 3 to 20 of 71`.
    pub fn told(&self, view: View, end: f64) -> String {
        if self.unit.is_empty() {
            return TimeFormat::of_largest(end).spoken_span(view.from_s, view.to_s);
        }
        let from = libm::floor(view.from_s).max(0.0) + 1.0;
        let to = libm::ceil(view.to_s).max(from);
        let (from, to, all) = (count(from), count(to), count(end));
        format!("{} {from} to {to} of {all}", self.unit)
    }
}

/// What a chart was made of, to speak of its places when asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Told {
    Waits(Arc<WaitsTold>),
    Shares(Arc<SharesTold>),
    Tokens(Arc<TokensTold>),
    Spread(Arc<SpreadTold>),
    Front(Arc<Front>),
    Memory(Arc<MemoryTold>),
    Graph(Arc<GraphTold>),
    Arena(Arc<ArenaTold>),
    Slices(Arc<SlicesTold>),
}

/// A chart laid out, with its places.
#[derive(Debug, Clone, PartialEq)]
pub struct SpotChart {
    /// What to paint.
    pub picture: Picture,
    /// Where data can be [px].
    pub plot: Rect,
    /// The places, row by row.
    pub spots: Vec<Spot>,
    pub(super) rows: Vec<SpotRow>,
    pub(super) told: Told,
    /// The axis that it can be zoomed along.
    pub(super) along: Option<Along>,
}

impl SpotChart {
    /// The place at a point [px], or `None` on empty ground.
    ///
    /// # Complexity
    /// O(rows log n), and O(n) in rows of single points.
    #[must_use]
    pub fn hit_at(&self, x: f64, y: f64) -> Option<usize> {
        let caught = || self.rows.iter().filter(|row| row.band.contains(x, y));
        let points = caught().filter_map(|row| match row.catch {
            Catch::Near(most) => Some((row.spots.clone(), most, false)),
            Catch::Inside(most) => Some((row.spots.clone(), most, true)),
            Catch::Column(_) => None,
        });
        let away = |at: usize, is_inside: bool| {
            let spot = &self.spots[at];
            if is_inside {
                let Rect { w, h, .. } = spot.rect;
                return (spot.away(x, y), w * h);
            }
            let (sx, sy) = spot.middle();
            (libm::hypot(sx - x, sy - y), 0.0)
        };
        let near = points
            .flat_map(|(spots, most, is_inside)| spots.map(move |at| (at, most, is_inside)))
            .map(|(at, most, is_inside)| (at, away(at, is_inside), most))
            .filter(|(_, (away, _), most)| away <= most)
            .min_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.1.1.total_cmp(&b.1.1)))
            .map(|(at, ..)| at);
        // A single point goes before the column that it stands in.
        near.or_else(|| {
            caught().find_map(|row| {
                let Catch::Column(most) = row.catch else {
                    return None;
                };
                let at = self.nearest(row, x)?;
                (self.spots[at].away_across(x) <= most).then_some(at)
            })
        })
    }

    /// The place of a row that is nearest along the axis [px].
    fn nearest(&self, row: &SpotRow, x: f64) -> Option<usize> {
        let spots = self.spots.get(row.spots.clone())?;
        let after = spots.partition_point(|spot| spot.middle().0 < x);
        let away = |at: usize| spots.get(at).map(|spot| (spot.middle().0 - x).abs());
        let before = after.checked_sub(1);
        let nearer = match (before.and_then(away), away(after)) {
            (Some(a), Some(b)) if a <= b => before?,
            (Some(_), None) => before?,
            (_, Some(_)) => after,
            (None, None) => return None,
        };
        Some(row.spots.start + nearer)
    }

    /// Where a step of the keyboard leads, or `None` at the border. Up and down lead to the nearest place of the next row that
    /// has any.
    #[must_use]
    pub fn neighbour(&self, hit: usize, step: Step) -> Option<usize> {
        let here = self.spots.get(hit)?;
        let own = self.rows.iter().position(|row| row.spots.contains(&hit))?;
        let spots = &self.rows[own].spots;
        let x = here.middle().0;
        match step {
            Step::Earlier => hit.checked_sub(1).filter(|at| spots.contains(at)),
            Step::Later => Some(hit + 1).filter(|at| spots.contains(at)),
            Step::First => Some(spots.start),
            Step::Last => spots.end.checked_sub(1),
            Step::Above => self.rows[..own]
                .iter()
                .rev()
                .find_map(|row| self.nearest(row, x))
                .or_else(|| self.beyond(own, hit, true)),
            Step::Below => self.rows[own + 1..]
                .iter()
                .find_map(|row| self.nearest(row, x))
                .or_else(|| self.beyond(own, hit, false)),
            Step::Chain => None,
        }
    }

    /// The place of the same row that is next above or below, where a row has places at several heights.
    fn beyond(&self, row: usize, hit: usize, is_up: bool) -> Option<usize> {
        let row = &self.rows[row];
        let Catch::Inside(_) = row.catch else {
            return None;
        };
        let (x, y) = self.spots[hit].middle();
        let far = |at: usize| {
            let (_, other) = self.spots[at].middle();
            let down = if is_up { y - other } else { other - y };
            (down > 0.0).then(|| (down + 2.0 * self.spots[at].away_across(x), at))
        };
        let all = row.spots.clone().filter_map(far);
        all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, at)| at)
    }

    /// What the card of a place says; `None` where there is no such place.
    #[must_use]
    pub fn words(&self, hit: usize) -> Option<MarkWords> {
        let of = self.spots.get(hit)?.of;
        match &self.told {
            Told::Waits(told) => told.words(of),
            Told::Shares(told) => told.words(of),
            Told::Tokens(told) => told.words(of),
            Told::Spread(told) => told.words(of),
            Told::Front(told) => told.words(of),
            Told::Memory(told) => told.words(of),
            Told::Graph(told) => told.words(of),
            Told::Arena(told) => told.words(of),
            Told::Slices(told) => told.words(of),
        }
    }

    /// The picture as it looks under a pointer: with a line through the place, or with all places of one thing marked.
    #[must_use]
    pub fn lit(&self, hit: usize) -> Picture {
        let mut picture = self.picture.clone();
        let Some(here) = self.spots.get(hit) else {
            return picture;
        };
        let framed = |at: usize, spot: &Spot| {
            let rect = spot.rect.grown(1.0);
            Mark::new(Ink::Text, Shape::Frame { rect, dash: &[] }).of(at)
        };
        match &self.told {
            Told::Tokens(told) => {
                let all = self.spots.iter().enumerate();
                let same = all.filter(|(_, spot)| told.is_same(spot.of, here.of));
                let frames = same.map(|(at, spot)| framed(at, spot));
                picture.marks.extend(frames);
                return picture;
            }
            Told::Graph(told) => {
                picture.marks.extend(told.lit(here.of));
                picture.marks.push(framed(hit, here));
                return picture;
            }
            Told::Arena(_) => {
                picture.marks.push(framed(hit, here));
                return picture;
            }
            _ => {}
        }
        let x = here.middle().0;
        let line = Mark::line(
            Ink::HandOver,
            1.0,
            (x, self.plot.y),
            (x, self.plot.bottom()),
        );
        picture.marks.insert(0, line);
        picture
    }

    /// The ring round a selected place.
    #[must_use]
    pub fn ring(&self, hit: usize) -> Option<Mark> {
        let rect = self.spots.get(hit)?.rect;
        Some(Mark::new(Ink::Focus, Shape::Ring { rect }).of(hit))
    }
}

/// Rows of places put one after another.
#[derive(Debug, Default)]
pub(super) struct Spots {
    pub all: Vec<Spot>,
    pub rows: Vec<SpotRow>,
}

impl Spots {
    /// Adds a row; its places are put in order along the axis.
    pub fn row(&mut self, band: Rect, catch: Catch, mut spots: Vec<Spot>) {
        let key = |spot: &Spot| match catch {
            // What is larger than a point is walked by where it begins.
            Catch::Inside(_) => (spot.rect.x, spot.rect.y),
            _ => (spot.middle().0, 0.0),
        };
        spots.in_order_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let from = self.all.len();
        self.all.extend(spots);
        self.rows.push(SpotRow {
            band,
            catch,
            spots: from..self.all.len(),
        });
    }
}
