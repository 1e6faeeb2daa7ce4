//! Cuts worth trying for an operator, and splits worth starting from.

use super::baseline::{CoEdge, coedge};
use super::{SplitTask, SplitWalk, marks, proportional};
use engine::plan::{Dim, Partition};
use engine::units::InOrder;
use std::collections::BTreeMap;

/// Up to so many devices every subset of them is looked at.
const ALL_SUBSETS: usize = 6;
/// Up to so many devices the baseline that looks at every subset is run for a start.
const COEDGE: usize = 10;
/// The most marks of a library: with more lengths and devices than that it has fewer subsets.
const MOST_MARKS: usize = 1 << 24;

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
    let mut found = few_subsets(factors);
    for k in 0..n {
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

/// Of many devices the fastest m for every m, and each alone; not in order.
fn few_subsets(factors: &[f64]) -> Vec<u64> {
    let mut fastest: Vec<usize> = (0..factors.len()).collect();
    fastest.in_order_by(|a, b| factors[*a].total_cmp(&factors[*b]).then(a.cmp(b)));
    let mut mask = 0;
    let grown = fastest.into_iter().map(|k| {
        mask |= 1 << k;
        mask
    });
    let mut found: Vec<u64> = grown.collect();
    found.extend((0..factors.len()).map(|k| 1 << k));
    found
}

/// Proportional splits of operators of one length over subsets of the devices, those that differ.
#[derive(Debug, Clone)]
pub struct RowLibrary {
    width: usize,
    marks: Vec<u32>,
}

impl RowLibrary {
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

    /// Returns true if there is none.
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

/// For every operator and each of its dimensions that it may be cut along: the rows of [`RowLibrary`].
#[derive(Debug, Clone)]
pub struct Library {
    lengths: Vec<(u32, RowLibrary)>,
    /// By operator: dimension and place of its length.
    of: Vec<Vec<(Dim, usize)>>,
}

impl Library {
    /// For a task.
    ///
    /// # Complexity
    /// O(operators + lengths × subsets × devices).
    #[must_use]
    pub fn new(task: &SplitTask<'_>) -> Self {
        let factors = task.slices.fleet().factors();
        let mut places: BTreeMap<u32, usize> = BTreeMap::new();
        let of = (0..task.slices.graph().len()).map(|v| {
            let dims: Vec<Dim> = match &task.fixed {
                Some(dims) => vec![dims[v]],
                None => task.slices.choices(v).collect(),
            };
            let place = |dim: Dim| {
                let next = places.len();
                let length = task.slices.length(v, dim);
                (dim, *places.entry(length).or_insert(next))
            };
            dims.into_iter().map(place).collect()
        });
        let of = of.collect();
        let mut subsets = subsets(factors);
        if places.len() * subsets.len() * (factors.len() + 1) > MOST_MARKS {
            subsets = few_subsets(factors);
        }
        let mut lengths: Vec<(u32, usize)> = places.into_iter().collect();
        lengths.in_order_of(|(_, place)| *place);
        let rows = lengths
            .into_iter()
            .map(|(length, _)| (length, RowLibrary::new(length, factors, &subsets)));
        Self {
            lengths: rows.collect(),
            of,
        }
    }

    /// Along what operator v may be cut, with proportional splits along it.
    pub fn of(&self, v: usize) -> impl Iterator<Item = (Dim, &RowLibrary)> {
        self.of[v]
            .iter()
            .map(|(dim, at)| (*dim, &self.lengths[*at].1))
    }

    /// The dimension number `at` of operator v, and its rows.
    #[must_use]
    pub fn pick(&self, v: usize, at: usize) -> (Dim, &RowLibrary) {
        let (dim, place) = self.of[v][at];
        (dim, &self.lengths[place].1)
    }

    /// How many dimensions operator v may be cut along.
    #[must_use]
    pub fn choices(&self, v: usize) -> usize {
        self.of[v].len()
    }

    /// Returns the dimension of another operator if v may be cut along it, otherwise height or length.
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

/// Splits that are known before any search, made one by one: proportional over every subset in [`subsets`] - over one device
/// among them - along the dimensions of the task and, where they are free, with all convolutions by height.
#[derive(Debug, Clone)]
pub struct Seeds {
    dims: Vec<Vec<Dim>>,
    subsets: Vec<u64>,
}

impl Seeds {
    /// Of a task. O(subsets).
    #[must_use]
    pub fn new(task: &SplitTask<'_>) -> Self {
        let mut dims = vec![task.dims()];
        let by_height = task.slices.by_height();
        if task.fixed.is_none() && dims[0] != by_height {
            dims.push(by_height);
        }
        let mut subsets = subsets(task.slices.fleet().factors());
        subsets.reverse();
        Self { dims, subsets }
    }

    /// Split number `at`; `None` behind the last.
    ///
    /// # Complexity
    /// O(operators × devices).
    #[must_use]
    pub fn get(&self, task: &SplitTask<'_>, at: usize) -> Option<Partition> {
        let dims = self.dims.get(at / self.subsets.len())?;
        let among = self.subsets[at % self.subsets.len()];
        Some(proportional(task, dims.clone(), among))
    }
}

/// The splits that are known before any search, made as they are asked for: in proportion to speed over every subset in
/// [`subsets`], along each choice of dimensions.
///
/// # Complexity
/// O(subsets); O(operators × devices) for each split.
pub fn seeds(task: &SplitTask<'_>) -> impl Iterator<Item = Partition> {
    let seeds = Seeds::new(task);
    (0..).map_while(move |at| seeds.get(task, at))
}

/// The baseline's plan, if it is one of this task: it cuts every convolution by height, and few devices.
#[must_use]
pub fn subset_by_subset(task: &SplitTask<'_>) -> Option<CoEdge> {
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
pub fn start<'t, 'a>(task: &'t SplitTask<'a>) -> SplitWalk<'t, 'a> {
    let (mut walk, mut start) = LibraryStart::new(task);
    while start.advance(&mut walk) {}
    walk
}

/// The way to the best of the splits that are known before any search, split by split.
#[derive(Debug, Clone)]
pub struct LibraryStart {
    best: (f64, f64, Partition),
    seeds: Seeds,
    /// The next of the seeds; one behind the last is the baseline's plan.
    at: usize,
}

impl LibraryStart {
    /// A walk at the first split.
    ///
    /// # Complexity
    /// As [`SplitWalk::new`].
    #[must_use]
    pub fn new<'t, 'a>(task: &'t SplitTask<'a>) -> (SplitWalk<'t, 'a>, Self) {
        let seeds = Seeds::new(task);
        let first = seeds.get(task, 0).expect("some devices can take all");
        let walk = SplitWalk::new(task, first.clone());
        let best = (walk.violation(), walk.latency(), first);
        (walk, Self { best, seeds, at: 1 })
    }

    /// Moves the walk to the next split; behind the last one to the best of them, and there are no more.
    ///
    /// # Complexity
    /// As [`SplitWalk::jump`]; the last one takes what the baseline does.
    pub fn advance(&mut self, walk: &mut SplitWalk<'_, '_>) -> bool {
        let seed = self.seeds.get(walk.task, self.at);
        let is_last = seed.is_none();
        self.at += 1;
        let plan = seed.or_else(|| subset_by_subset(walk.task).map(|found| found.plan));
        if let Some(plan) = plan {
            walk.jump(&plan);
            if (walk.violation(), walk.latency()) < (self.best.0, self.best.1) {
                self.best = (walk.violation(), walk.latency(), plan);
            }
        }
        if is_last {
            walk.jump(&self.best.2);
        }
        !is_last
    }

    /// The best split so far, how far it breaks limits and its time [ms].
    #[must_use]
    pub const fn best(&self) -> (&Partition, f64, f64) {
        (&self.best.2, self.best.0, self.best.1)
    }
}
