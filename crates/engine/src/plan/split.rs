//! A layer split over a group of devices: whole heads dealt out, proj and ffn by columns. Plain data.

use serde::{Deserialize, Serialize};

/// Less than this of a block is nothing: what rounding leaves of shares that should add up.
const NOTHING: f64 = 1e-12;

/// Tensor parallelism over a group: every head is on one of its devices, and proj and ffn are split in one proportion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeadSplit {
    /// The group, ascending, which is the order of its ring.
    pub devices: Vec<usize>,
    /// Share of the columns of proj and of ffn of each of the group; together 1.
    pub share: Vec<f64>,
    /// The device of each head, one of the group.
    pub on: Vec<usize>,
}

impl HeadSplit {
    /// How many heads each of the group has. O(h log G).
    #[must_use]
    pub fn heads(&self) -> Vec<usize> {
        let mut heads = vec![0; self.devices.len()];
        for device in &self.on {
            if let Ok(at) = self.devices.binary_search(device) {
                heads[at] += 1;
            }
        }
        heads
    }

    /// Share of proj and of ffn on each of so many devices. O(V).
    #[must_use]
    pub fn columns(&self, devices: usize) -> Vec<f64> {
        let mut columns = vec![0.0; devices];
        for (device, share) in self.devices.iter().zip(&self.share) {
            columns[*device] = *share;
        }
        columns
    }
}

/// The columns of a block that change devices: from, to, and which share of the block. What a device may keep it keeps; what
/// devices have too much goes, in order of devices, to those that have too little, in order as well. O(V).
#[must_use]
pub fn column_moves(before: &[f64], after: &[f64]) -> Vec<(usize, usize, f64)> {
    let mut moves = Vec::new();
    let lack = |j: usize| (after[j] - before[j]).max(0.0);
    let mut to = 0;
    let mut room = after.first().map_or(0.0, |_| lack(0));
    for from in 0..before.len() {
        let mut left = (before[from] - after[from]).max(0.0);
        while left > NOTHING && to < after.len() {
            if room <= NOTHING {
                to += 1;
                room = if to < after.len() { lack(to) } else { 0.0 };
                continue;
            }
            let share = left.min(room);
            moves.push((from, to, share));
            left -= share;
            room -= share;
        }
    }
    moves
}
