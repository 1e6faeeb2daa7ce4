//! Costs of an instance as the counting solver sees them: plain numbers, any of which may be infinite.
//!
//! All heads are alike, so with proj on p and ffn on f only the number c_j of heads on each device matters, and for moves how
//! many went from where to where: J = K(p,f) + w max_j T_j(c_j) + sum of cost\[s,k\] x\[s,k\], with T_j(c) = a_j + c u_j(p) for
//! c >= 1. Pricing memory, chaining layers and a longer horizon change these numbers and nothing else.

use engine::plan::{HeadSplit, Placement};
use engine::problem::head_sizes::Delay;
use engine::problem::heads::{HeadPlacement, SLACK, compute_time};

/// The costs. Tables are row by row; V is the number of devices.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadCosts {
    /// Number of heads, h: the sum of `supply`.
    pub heads: usize,
    /// Number of devices, V.
    pub devices: usize,
    /// Weight of the slowest device, w.
    pub weight: f64,
    /// Cost of device j for hosting any head, a_j [s].
    pub start: Vec<f64>,
    /// Cost of device j for each head if proj is on p, u_j(p) [s], at `[p * V + j]`.
    pub per_head: Vec<f64>,
    /// Cost of proj on p and ffn on f, moves and weight included, K(p,f) [s], at `[p * V + f]`.
    pub pair: Vec<f64>,
    /// Memory of each device [B], slack included.
    pub memory: Vec<f64>,
    /// Memory of a head [B], above 0.
    pub m_head: f64,
    /// Memory of proj [B].
    pub m_proj: f64,
    /// Memory of ffn [B].
    pub m_ffn: f64,
    /// How many heads come from each source: a device of the previous placement, or one source of all heads.
    pub supply: Vec<usize>,
    /// Additional cost of a head from source s on device k [s], at `[s * V + k]`.
    pub cost: Vec<f64>,
    /// The device of each source, where there is a previous placement.
    pub home: Vec<Option<usize>>,
    /// The source of each head.
    pub source: Vec<usize>,
}

/// How many heads are where: an answer in counts.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadCounts {
    /// The device of proj, p.
    pub proj: usize,
    /// The device of ffn, f.
    pub ffn: usize,
    /// How many heads of source s device k hosts, at `[s * V + k]`.
    pub flow: Vec<usize>,
    /// How many heads each device hosts.
    pub heads_on: Vec<usize>,
    /// The objective as the solver adds it up [s].
    pub value: f64,
}

impl HeadCosts {
    /// The costs of an instance.
    ///
    /// # Complexity
    /// O(V^2 + h).
    #[must_use]
    pub fn of(problem: &HeadPlacement) -> Self {
        Self::after(problem, None)
    }

    /// The costs of an instance where the layer was split before, or where it was not and the problem's own previous
    /// placement holds.
    ///
    /// # Complexity
    /// O(V^2 + h); after a split over G devices O(G V^2) for the columns that move.
    #[must_use]
    pub fn after(problem: &HeadPlacement, before: Option<&HeadSplit>) -> Self {
        let (devices, heads) = (problem.devices(), problem.heads());
        let (sizes, links, compute) = (problem.sizes(), problem.links(), problem.compute());
        let weight = problem.tokens();
        let controller = problem.controller();
        let runs = |work: f64, j: usize| match problem.layer().delay() {
            Delay::Full => compute_time(work, compute[j]),
            Delay::Eq6 => 0.0,
        };
        let prev = problem.prev();
        let moved = |bytes: f64, block: usize, to: usize| match (before, prev) {
            (Some(split), _) => {
                let each = split.devices.iter().zip(&split.share);
                each.map(|(from, share)| links.transfer(share * bytes, *from, to))
                    .sum()
            }
            (None, Some(prev)) => links.transfer(bytes, prev[block], to),
            (None, None) => 0.0,
        };
        let were = match before {
            Some(split) => Some(&split.on[..]),
            None => prev.map(|prev| &prev[..heads]),
        };
        let before = problem.before();
        let mut per_head = Vec::with_capacity(devices * devices);
        let mut pair = Vec::with_capacity(devices * devices);
        let moved_f: Vec<f64> = (0..devices)
            .map(|f| moved(before.m_ffn, heads + 1, f))
            .collect();
        for p in 0..devices {
            let proj = runs(sizes.b_proj, p);
            let moved_p = moved(before.m_proj, heads, p);
            for (j, speed) in compute.iter().enumerate() {
                let head = compute_time(sizes.b_head, *speed);
                per_head.push(head + links.transfer(sizes.w_hp, j, p));
                let delay = proj + links.transfer(sizes.w_pf, p, j) + runs(sizes.b_ffn, j);
                pair.push(weight * delay + (moved_p + moved_f[j]));
            }
        }
        let mut costs = Self {
            heads,
            devices,
            weight,
            start: (0..devices)
                .map(|j| links.transfer(sizes.w_in, controller, j))
                .collect(),
            per_head,
            pair,
            memory: problem.memory().iter().map(|m| m * (1.0 + SLACK)).collect(),
            m_head: sizes.m_head,
            m_proj: sizes.m_proj,
            m_ffn: sizes.m_ffn,
            supply: Vec::new(),
            cost: Vec::new(),
            home: Vec::new(),
            source: vec![0; heads],
        };
        match were {
            None => {
                costs.supply.push(heads);
                costs.home.push(None);
                costs.cost.resize(devices, 0.0);
            }
            Some(were) => {
                let mut of_device = vec![usize::MAX; devices];
                for (head, &from) in were.iter().enumerate() {
                    if of_device[from] == usize::MAX {
                        of_device[from] = costs.supply.len();
                        costs.supply.push(0);
                        costs.home.push(Some(from));
                        let to = (0..devices).map(|k| links.transfer(before.m_head, from, k));
                        costs.cost.extend(to);
                    }
                    costs.source[head] = of_device[from];
                    costs.supply[of_device[from]] += 1;
                }
            }
        }
        costs
    }

    /// Memory in use on device `j` with so many heads, computed as the evaluator does [B].
    #[must_use]
    pub fn use_of(&self, j: usize, heads: usize, proj: usize, ffn: Option<usize>) -> f64 {
        let mut held = heads as f64 * self.m_head;
        if j == proj {
            held += self.m_proj;
        }
        if Some(j) == ffn {
            held += self.m_ffn;
        }
        held
    }

    /// The most heads that device `j` can hold beside proj and, where one is given, ffn; `None` if not even those fit.
    #[must_use]
    pub fn capacity(&self, j: usize, proj: usize, ffn: Option<usize>) -> Option<usize> {
        let fits = |heads: usize| self.use_of(j, heads, proj, ffn) <= self.memory[j];
        if !fits(0) {
            return None;
        }
        let free = self.memory[j] - self.use_of(j, 0, proj, ffn);
        // A quotient is rounded, so the rule itself has the last word. A float beyond all counts becomes the largest.
        let mut most = ((free / self.m_head) as usize).min(self.heads);
        while most > 0 && !fits(most) {
            most -= 1;
        }
        while most < self.heads && fits(most + 1) {
            most += 1;
        }
        Some(most)
    }

    /// T_j(c) with proj on `proj`.
    #[must_use]
    pub fn stage(&self, proj: usize, j: usize, heads: usize) -> f64 {
        if heads == 0 {
            0.0
        } else {
            self.start[j] + heads as f64 * self.per_head[proj * self.devices + j]
        }
    }

    /// The most heads, up to `most`, with which the time of device `j` is one that `within` takes: all times below some
    /// level are, so about `level`.
    #[must_use]
    pub(super) fn most_within(
        &self,
        proj: usize,
        j: usize,
        most: usize,
        within: impl Fn(f64) -> bool,
        level: f64,
    ) -> usize {
        let fits = |heads: usize| heads == 0 || within(self.stage(proj, j, heads));
        if fits(most) {
            return most;
        }
        // A quotient is rounded, so the comparison itself has the last word. What is no number becomes 0.
        let free = (level - self.start[j]) / self.per_head[proj * self.devices + j];
        let mut heads = (free as usize).min(most);
        while !fits(heads) {
            heads -= 1;
        }
        while heads < most && fits(heads + 1) {
            heads += 1;
        }
        heads
    }

    /// Returns true if the destination costs every head the same: there is one source, and no device costs more.
    #[must_use]
    pub(super) fn indifferent(&self) -> bool {
        let first = self.cost.first().copied().unwrap_or(0.0);
        let alike = self.cost.iter().all(|cost| *cost == first);
        self.supply.len() == 1 && first.is_finite() && alike
    }

    /// A placement with these counts: of each source the first heads stay at home, the others go to devices in order.
    ///
    /// # Complexity
    /// O(S V + h V).
    #[must_use]
    pub fn place(&self, counts: &HeadCounts) -> Placement {
        let mut left = counts.flow.clone();
        let mut placement = Vec::with_capacity(self.heads + 2);
        for &source in &self.source {
            let row = &mut left[source * self.devices..][..self.devices];
            let stays = self.home[source].filter(|home| row[*home] > 0);
            let goes = || row.iter().position(|heads| *heads > 0);
            let to = stays
                .or_else(goes)
                .expect("a row holds as many heads as its source has");
            row[to] -= 1;
            placement.push(to);
        }
        placement.push(counts.proj);
        placement.push(counts.ffn);
        placement
    }
}
