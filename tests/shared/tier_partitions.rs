//! Seeded random partition problems. Only integers and exactly rounded operations are used, so that a seed gives the
//! same bits on this machine and in a browser.
#![allow(dead_code)] // Shared by three programs; none needs all of it.

use super::instances::Draw;
use engine::problem::TierPartition;

/// The kinds of problem that have to occur: each stresses another rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Make {
    /// Any costs, memory for everything everywhere.
    Roomy,
    /// Any costs, memory about the mean share of the blocks.
    Tight,
    /// All blocks alike, memory tight.
    Uniform,
    /// Small whole numbers, so that many loads are equal.
    Ties,
    /// A hidden partition fills its tiers exactly, its memories summed block by block.
    Full,
    /// Light blocks with a heavy one among them, in front of a small tier: traps for greed.
    Trap,
    /// Costs of their own on every tier.
    Matrix,
    /// The same, and a fixed time a tier in use.
    Fixed,
    /// Some tiers hold next to nothing.
    Small,
}

impl Make {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Roomy,
        Self::Tight,
        Self::Uniform,
        Self::Ties,
        Self::Full,
        Self::Trap,
        Self::Matrix,
        Self::Fixed,
        Self::Small,
    ];
}

/// Numbers of a problem before it is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// One list for all tiers, or one a tier.
    pub f: Vec<Vec<f64>>,
    pub m: Vec<f64>,
    pub c: Vec<f64>,
    pub capacity: Vec<f64>,
    pub fixed: Vec<f64>,
}

impl Numbers {
    /// The problem. Every one made here is valid.
    pub fn problem(&self) -> TierPartition {
        let made = match self.f.as_slice() {
            [shared] => TierPartition::new(shared, &self.m, &self.c, &self.capacity),
            own => TierPartition::from_costs(own, &self.m, &self.capacity),
        };
        let made = made.and_then(|problem| problem.with_fixed(&self.fixed));
        made.expect("generated problems are valid")
    }
}

/// A problem of a kind.
pub fn numbers(make: Make, draw: &mut Draw, tiers: usize, blocks: usize) -> Numbers {
    let list = |draw: &mut Draw, n: usize, low: f64, high: f64| -> Vec<f64> {
        (0..n).map(|_| draw.between(low, high)).collect()
    };
    let whole = |draw: &mut Draw, n: usize, most: usize| -> Vec<f64> {
        (0..n).map(|_| draw.whole(1, most) as f64).collect()
    };
    let mut f = vec![list(draw, blocks, 0.5, 5.0)];
    let mut m = list(draw, blocks, 0.2, 2.0);
    let mut c = list(draw, tiers, 0.5, 4.0);
    let mut fixed = vec![0.0; tiers];
    let total = |m: &[f64]| m.iter().sum::<f64>();
    let share = |draw: &mut Draw, m: &[f64], low: f64, high: f64| -> Vec<f64> {
        let mean = total(m) / tiers as f64;
        (0..tiers).map(|_| mean * draw.between(low, high)).collect()
    };
    let capacity = match make {
        Make::Roomy => vec![total(&m) * 1.01; tiers],
        Make::Tight => share(draw, &m, 0.7, 2.2),
        Make::Uniform => {
            f = vec![vec![draw.between(0.5, 5.0); blocks]];
            m = vec![draw.between(0.2, 2.0); blocks];
            share(draw, &m, 0.6, 2.0)
        }
        Make::Ties => {
            f = vec![whole(draw, blocks, 3)];
            m = whole(draw, blocks, 2);
            c = whole(draw, tiers, 3);
            let most = 2 * blocks / tiers + 1;
            whole(draw, tiers, most)
        }
        Make::Full => {
            let mut ends: Vec<usize> = (0..tiers - 1).map(|_| draw.whole(0, blocks)).collect();
            ends.sort_unstable();
            ends.push(blocks);
            let mut start = 0;
            let mut held = Vec::new();
            for end in ends {
                let end = end.max(start);
                held.push(m[start..end].iter().sum());
                start = end;
            }
            held
        }
        Make::Trap => {
            m = vec![1.0; blocks];
            let heavy = draw.below(blocks);
            m[heavy] = 5.0;
            (0..tiers)
                .map(|_| *[1.0, 5.0, 6.0].get(draw.below(3)).expect("three"))
                .collect()
        }
        Make::Matrix | Make::Fixed => {
            f = (0..tiers).map(|_| list(draw, blocks, 0.2, 6.0)).collect();
            c = vec![1.0; tiers];
            if make == Make::Fixed {
                fixed = list(draw, tiers, 0.0, 6.0);
            }
            if draw.one_in(2) {
                vec![total(&m) * 1.01; tiers]
            } else {
                share(draw, &m, 0.8, 2.5)
            }
        }
        Make::Small => {
            let mut capacity = share(draw, &m, 1.0, 3.0);
            let at = draw.below(tiers);
            capacity[at] = draw.between(0.0, 0.6);
            capacity
        }
    };
    Numbers {
        f,
        m,
        c,
        capacity,
        fixed,
    }
}
