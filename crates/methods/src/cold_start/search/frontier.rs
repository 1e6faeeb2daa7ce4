//! Labels of one level of the search: what is known of plans with so many stages.
//!
//! A label says: layers 1..=j are done at this time, by exactly the devices of a set, the last stage on d. Labels are in
//! rows by (set, d), rows in order of the set, then of d; in a row j rises. Columns are kept apart, about ten bytes a label.

use serde::{Deserialize, Serialize};

/// Labels of a level.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LabelFrontier {
    /// The sets that occur, ascending.
    pub sets: Vec<u32>,
    /// For each set the end of its rows.
    pub set_ends: Vec<u32>,
    /// For each row its last device; [`NO_DEVICE`] before the first stage.
    pub last: Vec<u8>,
    /// For each row the end of its labels.
    pub row_ends: Vec<u32>,
    /// For each label the layers that are done.
    pub done: Vec<u16>,
    /// For each label when they are [s].
    pub finish: Vec<f64>,
}

/// The device before the first stage.
pub const NO_DEVICE: u8 = u8::MAX;

/// A whole plan, as a label: the last stage ends at the last layer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Goal {
    /// Its T [s].
    pub total: f64,
    /// Its devices.
    pub set: u32,
    /// The device of its last stage.
    pub last: u8,
}

impl LabelFrontier {
    /// The one label before the first stage.
    #[must_use]
    pub fn first() -> Self {
        Self {
            sets: vec![0],
            set_ends: vec![1],
            last: vec![NO_DEVICE],
            row_ends: vec![1],
            done: vec![0],
            finish: vec![0.0],
        }
    }

    /// Returns true if these can be labels of a problem of this size. O(labels).
    #[must_use]
    pub fn belongs_to(&self, devices: usize, layers: usize) -> bool {
        let everybody = u32::MAX >> (32 - devices as u32);
        let is_device = |last: &u8| *last == NO_DEVICE || usize::from(*last) < devices;
        let has_rows = (0..self.sets.len()).all(|at| !self.rows(at).is_empty());
        has_rows
            && self.sets.iter().all(|set| set & !everybody == 0)
            && self.last.iter().all(is_device)
            && self.done.iter().all(|done| usize::from(*done) < layers)
    }

    /// Number of labels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// The rows of a set, by its place in `sets`.
    #[must_use]
    pub fn rows(&self, at: usize) -> std::ops::Range<usize> {
        let begin = at.checked_sub(1).map_or(0, |before| self.set_ends[before]);
        begin as usize..self.set_ends[at] as usize
    }

    /// The labels of a row.
    #[must_use]
    pub fn labels(&self, row: usize) -> std::ops::Range<usize> {
        let begin = row.checked_sub(1).map_or(0, |before| self.row_ends[before]);
        begin as usize..self.row_ends[row] as usize
    }

    /// Ends the row of labels that were pushed since the last one, if there are any.
    pub fn end_row(&mut self, last: u8) {
        let end = self.done.len() as u32;
        if self.row_ends.last().copied().unwrap_or(0) < end {
            self.last.push(last);
            self.row_ends.push(end);
        }
    }

    /// Ends the set of rows that were ended since the last one, if there are any.
    pub fn end_set(&mut self, set: u32) {
        let end = self.last.len() as u32;
        if self.set_ends.last().copied().unwrap_or(0) < end {
            self.sets.push(set);
            self.set_ends.push(end);
        }
    }

    /// Adds the labels of later sets.
    pub fn append(&mut self, later: &Self) {
        let (rows, labels) = (self.last.len() as u32, self.done.len() as u32);
        self.sets.extend_from_slice(&later.sets);
        self.set_ends
            .extend(later.set_ends.iter().map(|end| end + rows));
        self.last.extend_from_slice(&later.last);
        self.row_ends
            .extend(later.row_ends.iter().map(|end| end + labels));
        self.done.extend_from_slice(&later.done);
        self.finish.extend_from_slice(&later.finish);
    }

    /// The labels that pass, by their place.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(usize) -> bool) -> Self {
        let mut kept = Self::default();
        for (at, set) in self.sets.iter().enumerate() {
            for row in self.rows(at) {
                for label in self.labels(row).filter(|label| keep(*label)) {
                    kept.done.push(self.done[label]);
                    kept.finish.push(self.finish[label]);
                }
                kept.end_row(self.last[row]);
            }
            kept.end_set(*set);
        }
        kept
    }
}

/// Columns as bytes, to be handed to another process: lengths first, then one column after the other.
impl LabelFrontier {
    /// Writes the labels down.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.sets.len(), self.last.len(), self.done.len()];
        let size = 12 + counts[0] * 8 + counts[1] * 5 + counts[2] * 10;
        let mut bytes = Vec::with_capacity(size);
        for count in counts {
            bytes.extend_from_slice(&(count as u32).to_le_bytes());
        }
        let words = [&self.sets, &self.set_ends, &self.row_ends];
        for word in words.into_iter().flatten() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.last);
        for done in &self.done {
            bytes.extend_from_slice(&done.to_le_bytes());
        }
        for finish in &self.finish {
            bytes.extend_from_slice(&finish.to_le_bytes());
        }
        bytes
    }

    /// Reads labels that [`Self::to_bytes`] wrote from the front of `bytes`; `None` if they are none.
    pub fn from_bytes(bytes: &mut &[u8]) -> Option<Self> {
        let mut count = || split_front(bytes, 1, u32::from_le_bytes).map(|count| count[0] as usize);
        let (sets, rows, labels) = (count()?, count()?, count()?);
        let read = Self {
            sets: split_front(bytes, sets, u32::from_le_bytes)?,
            set_ends: split_front(bytes, sets, u32::from_le_bytes)?,
            row_ends: split_front(bytes, rows, u32::from_le_bytes)?,
            last: split_front(bytes, rows, u8::from_le_bytes)?,
            done: split_front(bytes, labels, u16::from_le_bytes)?,
            finish: split_front(bytes, labels, f64::from_le_bytes)?,
        };
        let ends_at = |ends: &[u32], count: usize| {
            ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == count
        };
        let is_whole = ends_at(&read.set_ends, rows) && ends_at(&read.row_ends, labels);
        is_whole.then_some(read)
    }
}

/// Takes so many numbers off the front; `None` if there are not as many.
pub fn split_front<T, const N: usize>(
    bytes: &mut &[u8],
    count: usize,
    read: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let (column, rest) = bytes.split_at_checked(count.checked_mul(N)?)?;
    *bytes = rest;
    let (numbers, _) = column.as_chunks::<N>();
    Some(numbers.iter().map(|number| read(*number)).collect())
}
