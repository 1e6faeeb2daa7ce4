//! Cuts worth trying for an operator, and splits worth starting from.

use super::baseline::{CoEdge, coedge};
use super::{Task, Walk, marks, proportional};
use engine::plan::{Dim, Partition};

/// Up to so many devices every subset of them is looked at.
const ALL_SUBSETS: usize = 6;
/// Up to so many devices the baseline that looks at every subset is run for a start.
const COEDGE: usize = 10;

/// Subsets of the devices worth a split, as bit masks, each once: all of few devices; of many the fastest m for every m,
/// each alone, all but one, and neighbours up to a third of them.
///
/// # Complexity
/// O(devices²) of many, 2^devices of few.
#[must_use]
pub fn subsets(factors: &[f64]) -> Vec<u64> {
    let n = factors.len();
    let everybody = u64::MAX >> (64 - n);
    if n <= ALL_SUBSETS {
        return (1..=everybody).collect();
    }
    let mut fastest: Vec<usize> = (0..n).collect();
    fastest.sort_by(|a, b| factors[*a].total_cmp(&factors[*b]).then(a.cmp(b)));
    let mut found = vec![everybody];
    let mut mask = 0;
    for k in fastest {
        mask |= 1 << k;
        found.push(mask);
    }
    for k in 0..n {
        found.push(1 << k);
        found.push(everybody & !(1 << k));
        for width in 2..=n / 3 {
            if k + width <= n {
                found.push((u64::MAX >> (64 - width)) << k);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Proportional splits of operators of one length over subsets of the devices, those that differ.
#[derive(Debug, Clone)]
pub struct Rows {
    width: usize,
    marks: Vec<u32>,
}

impl Rows {
    /// For one length.
    #[must_use]
    pub fn new(length: u32, factors: &[f64], subsets: &[u64]) -> Self {
        let width = factors.len() + 1;
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(subsets.len());
        for among in subsets {
            let mut row = vec![0; width];
            marks(length, factors, *among, &mut row);
            rows.push(row);
        }
        rows.sort_unstable();
        rows.dedup();
        Self {
            width,
            marks: rows.concat(),
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.marks.len() / self.width
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, at: usize) -> &[u32] {
        &self.marks[at * self.width..(at + 1) * self.width]
    }
}

/// For every operator and each of its dimensions that it may be cut along: the rows of [`Rows`].
#[derive(Debug, Clone)]
pub struct Library {
    lengths: Vec<(u32, Rows)>,
    /// By operator: dimension and place of its length.
    of: Vec<Vec<(Dim, usize)>>,
}

impl Library {
    /// For a task.
    ///
    /// # Complexity
    /// O(operators + lengths × subsets × devices).
    #[must_use]
    pub fn new(task: &Task<'_>) -> Self {
        let factors = task.slices.fleet().factors();
        let subsets = subsets(factors);
        let mut lengths: Vec<(u32, Rows)> = Vec::new();
        let mut of = Vec::with_capacity(task.slices.graph().len());
        for v in 0..task.slices.graph().len() {
            let dims: Vec<Dim> = match &task.fixed {
                Some(dims) => vec![dims[v]],
                None => task.slices.choices(v).collect(),
            };
            let mut places = Vec::with_capacity(dims.len());
            for dim in dims {
                let length = task.slices.length(v, dim);
                let known = lengths.iter().position(|(known, _)| *known == length);
                let at = known.unwrap_or_else(|| {
                    lengths.push((length, Rows::new(length, factors, &subsets)));
                    lengths.len() - 1
                });
                places.push((dim, at));
            }
            of.push(places);
        }
        Self { lengths, of }
    }

    /// Along what operator v may be cut, with proportional splits along it.
    pub fn of(&self, v: usize) -> impl Iterator<Item = (Dim, &Rows)> {
        self.of[v]
            .iter()
            .map(|(dim, at)| (*dim, &self.lengths[*at].1))
    }

    /// The dimension number `at` of operator v, and its rows.
    #[must_use]
    pub fn pick(&self, v: usize, at: usize) -> (Dim, &Rows) {
        let (dim, place) = self.of[v][at];
        (dim, &self.lengths[place].1)
    }

    /// How many dimensions operator v may be cut along.
    #[must_use]
    pub fn choices(&self, v: usize) -> usize {
        self.of[v].len()
    }

    /// The same dimension as another operator's if v may be cut along that, else by height or length.
    #[must_use]
    pub fn like(&self, v: usize, dim: Dim) -> Dim {
        let same = self.of[v].iter().find(|(own, _)| *own == dim);
        same.unwrap_or(&self.of[v][0]).0
    }
}

/// Marks in the same places of another length.
pub fn scaled(from: &[u32], length: u32, to: &mut [u32]) {
    let of = u64::from(from.last().copied().unwrap_or(1)).max(1);
    for (mark, to) in from.iter().zip(to) {
        *to = ((u64::from(*mark) * u64::from(length) * 2 + of) / (2 * of)) as u32;
    }
}

/// Moves a mark by so many rows, no further than its neighbours stand.
pub fn moved(row: &mut [u32], mark: usize, by: i64) {
    let to = i64::from(row[mark]) + by;
    row[mark] = to.clamp(i64::from(row[mark - 1]), i64::from(row[mark + 1])) as u32;
}

/// Splits that are known before any search: proportional over every subset in [`subsets`] - over one device among them -
/// along the dimensions of the task and, where they are free, with all convolutions by height; and the best subset for
/// each operator in turn. In this order.
///
/// # Complexity
/// O(subsets × operators × devices), and what the baseline takes.
#[must_use]
pub fn seeds(task: &Task<'_>) -> Vec<Partition> {
    let subsets = subsets(task.slices.fleet().factors());
    let mut dims = vec![task.dims()];
    let by_height = task.slices.by_height();
    if task.fixed.is_none() && dims[0] != by_height {
        dims.push(by_height);
    }
    let mut plans = Vec::new();
    for dims in dims {
        for among in subsets.iter().rev() {
            plans.push(proportional(task, dims.clone(), *among));
        }
    }
    plans
}

/// The baseline's plan, if it is one of this task: it cuts every convolution by height, and few devices.
#[must_use]
pub fn subset_by_subset(task: &Task<'_>) -> Option<CoEdge> {
    let by_height = task.slices.by_height();
    let fits = task.fixed.as_ref().is_none_or(|dims| *dims == by_height);
    if !fits || task.slices.devices() > COEDGE {
        return None;
    }
    coedge(task).ok()
}

/// The best of the splits known before any search.
///
/// # Complexity
/// As [`seeds`], each of them scored.
#[must_use]
pub fn start<'t, 'a>(task: &'t Task<'a>) -> Walk<'t, 'a> {
    let seeds = seeds(task);
    let mut walk = Walk::new(task, seeds[0].clone());
    let mut best = (walk.violation(), walk.latency(), seeds[0].clone());
    let others = seeds
        .into_iter()
        .skip(1)
        .chain(subset_by_subset(task).map(|found| found.plan));
    for plan in others {
        walk.jump(&plan);
        if (walk.violation(), walk.latency()) < (best.0, best.1) {
            best = (walk.violation(), walk.latency(), plan);
        }
    }
    walk.jump(&best.2);
    walk
}
