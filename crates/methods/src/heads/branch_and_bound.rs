//! Branch and bound over single heads: what the counting solver replaces, kept for comparison.
//!
//! Devices for proj and ffn outside, heads one by one inside; a branch ends where memory does, or where its slowest device
//! and its moves so far are no better than the best. Heads that were on the same device before go to devices in order.

use super::costs::HeadCosts;
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;
use engine::units::InOrder;

/// The best placement and its objective [s], `None` if there is none, and how many branches were tried. It gives up after
/// `most` of them, with `Err`.
///
/// # Errors
/// The number of branches, where it is beyond `most`.
///
/// # Complexity
/// Exponential in h.
pub fn best(problem: &HeadPlacement, most: u64) -> Result<(Option<(Placement, f64)>, u64), u64> {
    let costs = HeadCosts::of(problem);
    let devices = costs.devices;
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for p in 0..devices {
        for f in 0..devices {
            let pair = costs.pair[p * devices + f];
            if pair.is_finite() && costs.capacity(p, p, Some(f)).is_some() {
                pairs.push((pair, p, f));
            }
        }
    }
    pairs.in_order_by(|a, b| a.0.total_cmp(&b.0));
    // Heads of one source follow one another.
    let mut order: Vec<usize> = (0..costs.heads).collect();
    order.in_order_of(|head| costs.source[*head]);
    let mut search = Search {
        costs: &costs,
        order,
        at: vec![0; costs.heads],
        held: vec![0; devices],
        room: vec![0; devices],
        best: f64::INFINITY,
        placement: None,
        tried: 0,
        most,
    };
    for (pair, p, f) in pairs {
        if pair >= search.best {
            break;
        }
        let room = (0..devices).map(|j| costs.capacity(j, p, Some(f)));
        let Some(room) = room.collect::<Option<Vec<usize>>>() else {
            // ffn, or proj, does not fit where it would have to.
            continue;
        };
        search.room = room;
        if !search.head(0, p, f, pair, 0.0) {
            return Err(search.tried);
        }
    }
    let best = search.best;
    Ok((
        search.placement.map(|placement| (placement, best)),
        search.tried,
    ))
}

struct Search<'a> {
    costs: &'a HeadCosts,
    order: Vec<usize>,
    at: Vec<usize>,
    held: Vec<usize>,
    room: Vec<usize>,
    best: f64,
    placement: Option<Placement>,
    tried: u64,
    most: u64,
}

impl Search<'_> {
    /// Places the heads from `next` on. `spent` is what is already spent, `level` the slowest device so far. `false` when
    /// there were too many branches.
    fn head(&mut self, next: usize, p: usize, f: usize, spent: f64, level: f64) -> bool {
        self.tried += 1;
        if self.tried > self.most {
            return false;
        }
        let costs = self.costs;
        if spent + costs.weight * level >= self.best {
            return true;
        }
        let Some(&head) = self.order.get(next) else {
            self.best = spent + costs.weight * level;
            let mut placement = self.at.clone();
            placement.extend([p, f]);
            self.placement = Some(placement);
            return true;
        };
        let source = costs.source[head];
        let before = next.checked_sub(1).map(|last| self.order[last]);
        let alike = before.filter(|last| costs.source[*last] == source);
        for j in alike.map_or(0, |last| self.at[last])..costs.devices {
            if self.held[j] == self.room[j] {
                continue;
            }
            self.held[j] += 1;
            self.at[head] = j;
            let spent = spent + costs.cost[source * costs.devices + j];
            let level = level.max(costs.stage(p, j, self.held[j]));
            let go_on = self.head(next + 1, p, f, spent, level);
            self.held[j] -= 1;
            if !go_on {
                return false;
            }
        }
        true
    }
}
