//! A stretch of operators, each of which reads the one before, cut again all at once.
//!
//! Each operator of the stretch gets some cuts to choose from: its own, and a few changes that are the same for the whole
//! stretch - a mark moved by the same share of the length, other devices, another dimension, the cut of one of them for all.
//! Since the time of an operator depends on its own cut and that of the one before, while all others stay, the best choice
//! for the whole stretch is found by dynamic programming, operator by operator. Where an operator reads two of the stretch,
//! the second one is taken as it was; users of the result have it computed in full.

use super::SplitWalk;
use super::library::{Library, moved, scaled};
use engine::plan::Dim;
use engine::sim::Draw;

/// The most operators of a stretch.
const LONGEST: usize = 14;
/// Changes to choose from, besides leaving an operator as it is.
const CHANGES: usize = 7;

/// A stretch with what there is to choose from.
#[derive(Debug, Clone)]
pub struct Stretch {
    width: usize,
    path: Vec<usize>,
    /// For each operator of the path `CHANGES + 1` cuts.
    dims: Vec<Dim>,
    marks: Vec<u32>,
    /// For each of them the least time up to there, and the choice before.
    least: Vec<(f64, usize)>,
    chosen: Vec<usize>,
}

/// A change to the whole stretch.
enum Change {
    /// This mark by this share of the length.
    Shift(usize, f64),
    /// The row of the library at this share of all rows, along this dimension of those there are.
    Row(f64, usize),
    /// Like the operator at this place.
    Like(usize),
    /// Another dimension in the same places.
    OtherDimension,
    /// A mark of each by its own few rows.
    Each,
}

impl Stretch {
    /// For rows of so many marks.
    #[must_use]
    pub const fn new(width: usize) -> Self {
        Self {
            width,
            path: Vec::new(),
            dims: Vec::new(),
            marks: Vec::new(),
            least: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Picks a stretch and finds the best cuts for it.
    ///
    /// # Complexity
    /// O(operators of the stretch × changes²) evaluations of operators.
    pub fn choose(&mut self, walk: &mut SplitWalk<'_, '_>, library: &Library, draw: &mut Draw) {
        let graph = walk.task.slices.graph();
        self.path.clear();
        let mut v = draw.integer_below(graph.len());
        let most = 2 + draw.integer_below(LONGEST - 1);
        loop {
            self.path.push(v);
            let readers = graph.consumers(v);
            if self.path.len() == most || readers.is_empty() {
                break;
            }
            v = readers[draw.integer_below(readers.len())] as usize;
        }
        self.offer(walk, library, draw);
        self.weigh(walk);
    }

    /// Puts the choice into a change of the walk.
    pub fn apply(&self, walk: &mut SplitWalk<'_, '_>) {
        for (at, v) in self.path.iter().enumerate() {
            let choice = self.chosen[at];
            if choice > 0 {
                let (dim, marks) = self.cut(at, choice);
                walk.cut(*v, dim, marks);
            }
        }
    }

    fn cut(&self, at: usize, choice: usize) -> (Dim, &[u32]) {
        let place = at * (CHANGES + 1) + choice;
        let marks = &self.marks[place * self.width..(place + 1) * self.width];
        (self.dims[place], marks)
    }

    fn offer(&mut self, walk: &SplitWalk<'_, '_>, library: &Library, draw: &mut Draw) {
        let slices = &walk.task.slices;
        let inner = self.width - 2;
        let changes: [Change; CHANGES] = std::array::from_fn(|_| {
            let what = draw.unit();
            if what < 0.35 && inner > 0 {
                let shares = [0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.12];
                let share = shares[draw.integer_below(shares.len())];
                let sign = if draw.integer_below(2) == 0 {
                    1.0
                } else {
                    -1.0
                };
                Change::Shift(1 + draw.integer_below(inner), share * sign)
            } else if what < 0.6 {
                Change::Row(draw.unit(), draw.integer_below(2))
            } else if what < 0.75 {
                Change::Like(draw.integer_below(self.path.len()))
            } else if what < 0.85 {
                Change::OtherDimension
            } else {
                Change::Each
            }
        });
        self.dims.clear();
        self.marks.clear();
        let plan = walk.plan();
        for v in self.path.iter().copied() {
            self.dims.push(plan.dims[v]);
            self.marks.extend_from_slice(plan.cuts.of(v));
            for change in &changes {
                let from = self.marks.len();
                self.marks.extend_from_slice(plan.cuts.of(v));
                let row = &mut self.marks[from..];
                let mut dim = plan.dims[v];
                let length = f64::from(slices.length(v, dim));
                match change {
                    Change::Shift(mark, share) => {
                        let by = libm::ceil(libm::fabs(share * length));
                        let by = libm::copysign(by, *share) as i64;
                        moved(row, *mark, by);
                    }
                    Change::Row(share, choice) => {
                        let choice = (*choice).min(library.choices(v) - 1);
                        let (other, rows) = library.pick(v, choice);
                        dim = other;
                        let at = (share * rows.len() as f64) as usize;
                        row.copy_from_slice(rows.get(at));
                    }
                    Change::Like(at) => {
                        let other = self.path[*at];
                        dim = library.like(v, plan.dims[other]);
                        scaled(plan.cuts.of(other), slices.length(v, dim), row);
                    }
                    Change::OtherDimension => {
                        let other = library.of(v).find(|(other, _)| *other != dim);
                        if let Some((other, _)) = other {
                            dim = other;
                            scaled(plan.cuts.of(v), slices.length(v, dim), row);
                        }
                    }
                    Change::Each => {
                        if inner > 0 {
                            let by = [1, 2, 3, 5, -1, -2, -3, -5][draw.integer_below(8)];
                            moved(row, 1 + draw.integer_below(inner), by);
                        }
                    }
                }
                self.dims.push(dim);
            }
        }
    }

    /// The best choice for every operator of the stretch.
    fn weigh(&mut self, walk: &mut SplitWalk<'_, '_>) {
        const ALL: usize = CHANGES + 1;
        let graph = walk.task.slices.graph();
        self.least.clear();
        for (at, v) in self.path.iter().copied().enumerate() {
            let next = self.path.get(at + 1).copied();
            for choice in 0..ALL {
                let (dim, marks) = self.cut(at, choice);
                walk.place(v, dim, marks);
                // Readers beside the stretch; those further down the stretch take this operator as it was.
                let mut beside = 0.0;
                for reader in graph.consumers(v).iter().map(|reader| *reader as usize) {
                    if Some(reader) != next && !self.path.contains(&reader) {
                        beside += walk.peek(reader);
                    }
                }
                let mut least = (f64::INFINITY, 0);
                if at == 0 {
                    least = (walk.peek(v), 0);
                } else {
                    let before = self.path[at - 1];
                    for earlier in 0..ALL {
                        let known = self.least[(at - 1) * ALL + earlier].0;
                        if known >= least.0 {
                            continue; // its own time only adds to that
                        }
                        let (dim, marks) = self.cut(at - 1, earlier);
                        walk.place(before, dim, marks);
                        let ms = known + walk.peek(v);
                        if ms < least.0 {
                            least = (ms, earlier);
                        }
                    }
                    let (dim, marks) = self.cut(at - 1, 0);
                    walk.place(before, dim, marks);
                }
                self.least.push((least.0 + beside, least.1));
            }
            let (dim, marks) = self.cut(at, 0);
            walk.place(v, dim, marks);
        }
        let last = self.path.len() - 1;
        let ends = &self.least[last * ALL..];
        let mut choice = 0;
        for other in 1..ALL {
            if ends[other].0 < ends[choice].0 {
                choice = other;
            }
        }
        self.chosen.clear();
        self.chosen.resize(self.path.len(), 0);
        for at in (0..=last).rev() {
            self.chosen[at] = choice;
            choice = self.least[at * ALL + choice].1;
        }
    }
}
