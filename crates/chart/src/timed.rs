//! What a hand on a chart over time needs of it, whatever the chart shows: where marks are, what lies beside them, what
//! is said of them. A chart over tokens is one as well: its axis counts tokens where others count seconds, and token t
//! takes the span from t - 1 to t.

use super::gantt::{Step, View};
use super::mark::{Mark, Picture, Rect};
use super::scale::{TimeFormat, TimeScale};
use std::sync::Arc;

/// Where a mark stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// What is seen of it [px]; nothing where it lies outside the view.
    pub rect: Option<Rect>,
    /// Its row.
    pub row: usize,
    /// Its beginning [s, or tokens].
    pub from_s: f64,
    /// Its end [s, or tokens].
    pub to_s: f64,
}

/// A chart over time, laid out.
pub trait Timed: Send + Sync {
    /// What to paint.
    fn picture(&self) -> &Picture;
    /// The axis on a ground of its own, for rows that scroll under it.
    fn axis(&self) -> &Picture;
    /// The axis, of seconds or of tokens.
    fn scale(&self) -> &TimeScale;
    /// The band of each row [px].
    fn bands(&self) -> &[Rect];
    /// How many marks can be reached.
    fn count(&self) -> usize;
    /// Where a mark stands; `None` where there is none.
    fn place(&self, hit: usize) -> Option<Place>;
    /// The mark at a point [px].
    fn at(&self, x: f64, y: f64) -> Option<usize>;
    /// Where a step of the keyboard leads.
    fn beside(&self, hit: usize, step: Step) -> Option<usize>;
    /// The mark that stands in this chart at a place of another view of the same data: charts of much data have marks for
    /// what is seen alone, so that numbers of marks change with the view.
    fn again(&self, place: &Place) -> Option<usize> {
        (0..self.count()).find(|at| {
            self.place(*at).is_some_and(|here| {
                (here.row, here.from_s, here.to_s) == (place.row, place.from_s, place.to_s)
            })
        })
    }
    /// The shortest span that a hand can zoom to [s, or tokens].
    fn least_span(&self) -> f64 {
        let (left, right) = self.scale().ends_px();
        View::least_s(right - left)
    }
    /// A span of the axis in words; `end` is where the axis ends.
    fn told_span(&self, view: View, end: f64) -> String {
        TimeFormat::of_largest(end).spoken_span(view.from_s, view.to_s)
    }
    /// What is said of a mark.
    fn spoken(&self, hit: usize) -> Option<&str>;
    /// The picture with all that belongs to a mark lit.
    fn lit_by(&self, hit: usize) -> Picture;
    /// The ring round a selected mark.
    fn ring_of(&self, hit: usize) -> Option<Mark>;
}

/// A chart over time that can be compared: equal where it is the same one.
#[derive(Clone)]
pub struct Drawn(pub Arc<dyn Timed>);

impl PartialEq for Drawn {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for Drawn {
    type Target = dyn Timed;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Timed for super::Chart {
    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn axis(&self) -> &Picture {
        &self.axis
    }

    fn scale(&self) -> &TimeScale {
        &self.scale
    }

    fn bands(&self) -> &[Rect] {
        &self.bands
    }

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.hits.get(hit).map(|hit| Place {
            rect: hit.rect,
            row: hit.row,
            from_s: hit.from_s,
            to_s: hit.to_s,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    fn spoken(&self, hit: usize) -> Option<&str> {
        self.hits.get(hit).map(|hit| hit.words.spoken.as_str())
    }

    fn lit_by(&self, hit: usize) -> Picture {
        match self.hits.get(hit) {
            Some(hit) => self.lit(hit.row),
            None => self.picture.clone(),
        }
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.ring(hit)
    }
}
