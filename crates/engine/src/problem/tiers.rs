//! Blocks on tiers: what each block costs on each tier, what it needs, what each tier holds.
//!
//! Source: Hyperion, sections III and IV: f_i, m_i, C_j, M_j and equations (4), (5), (10), (11). Tiers are visited in the
//! order given. Costs come as work over speed, f_i / C_j, or as one list of times a tier, because bandwidth and the
//! output head make costs that are no such quotient. Any unit will do as long as f / C is a time and m and M agree.

use super::Invalid;
use serde_json::Value;

/// Slack of the memory rule, in the unit of the file: `need <= have + 1e-9`.
pub const MEMORY_SLACK: f64 = 1e-9;

/// The instance. At least one block and one tier; every cost and speed above zero, every memory at least zero.
///
/// More tiers than blocks, or memory that nothing fits, is a valid problem without a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct TierPartition {
    /// Cost of each block: one list for all tiers (f), or one a tier.
    work: Vec<Vec<f64>>,
    /// Effective speed of each tier, C_j; 1 where a cost is a time already.
    speed: Vec<f64>,
    /// Additional time of each tier that holds any block [s].
    fixed: Vec<f64>,
    /// Memory of each block, m_i.
    need: Vec<f64>,
    /// Memory of each tier, M_j.
    memory: Vec<f64>,
    /// Nodes of each tier, K_j.
    replicas: Vec<u32>,
    /// Transfer from each tier to the next [s].
    hops: Vec<f64>,
    /// True if a tier may hold no block.
    empty_tiers: bool,
}

impl TierPartition {
    /// The paper's instance: work f and memory m of every block, speed C and memory M of every tier.
    ///
    /// # Errors
    /// Names the first field that is none, as `f[3]`, `C` or `M[0]`.
    pub fn new(f: &[f64], m: &[f64], c: &[f64], capacity: &[f64]) -> Result<Self, Invalid> {
        list("f", f, "block", positive)?;
        list("C", c, "tier", positive)?;
        Self::checked(vec![f.to_vec()], c.to_vec(), m, capacity)
    }

    /// An instance whose costs are times: `cost[j][i]` is what block i takes on tier j [s].
    ///
    /// # Errors
    /// As [`TierPartition::new`]; costs are called `cost[j][i]`.
    pub fn from_costs(cost: &[Vec<f64>], m: &[f64], capacity: &[f64]) -> Result<Self, Invalid> {
        if cost.is_empty() {
            return Err(empty("cost", "tier"));
        }
        for (j, row) in cost.iter().enumerate() {
            let path = format!("cost[{j}]");
            list(&path, row, "block", positive)?;
            same_length(&path, row.len(), cost[0].len(), "cost[0]")?;
        }
        Self::checked(cost.to_vec(), vec![1.0; cost.len()], m, capacity)
    }

    fn checked(
        work: Vec<Vec<f64>>,
        speed: Vec<f64>,
        m: &[f64],
        capacity: &[f64],
    ) -> Result<Self, Invalid> {
        same_length("m", m.len(), work[0].len(), "f")?;
        list("m", m, "block", not_negative)?;
        same_length("M", capacity.len(), speed.len(), "C")?;
        list("M", capacity, "tier", not_negative)?;
        let tiers = speed.len();
        let problem = Self {
            work,
            speed,
            fixed: vec![0.0; tiers],
            need: m.to_vec(),
            memory: capacity.to_vec(),
            replicas: vec![1; tiers],
            hops: vec![0.0; tiers - 1],
            empty_tiers: false,
        };
        problem.finite()?;
        Ok(problem)
    }

    /// Returns the problem with an additional time of every tier in use [s].
    ///
    /// # Errors
    /// A list of another length than the tiers, or a time below zero, is refused as `fixed[j]`.
    pub fn with_fixed(mut self, fixed: &[f64]) -> Result<Self, Invalid> {
        same_length("fixed", fixed.len(), self.tiers(), "C")?;
        list("fixed", fixed, "tier", not_negative)?;
        self.fixed = fixed.to_vec();
        self.finite()?;
        Ok(self)
    }

    /// Returns the problem with transfer times from each tier to the next [s]. They do not depend on the cuts.
    ///
    /// # Errors
    /// There is one fewer than tiers, each at least zero; otherwise `hops[j]` is refused.
    pub fn with_hops(mut self, hops: &[f64]) -> Result<Self, Invalid> {
        if hops.len() + 1 != self.tiers() {
            let allowed = format!(
                "a list of {} numbers, one fewer than there are tiers",
                self.tiers() - 1
            );
            return Err(Invalid::range("hops", hops, &allowed));
        }
        each("hops", hops, not_negative)?;
        self.hops = hops.to_vec();
        self.finite()?;
        Ok(self)
    }

    /// Returns the problem with the number of nodes of each tier.
    ///
    /// # Errors
    /// There is one number a tier, each at least 1; otherwise `K[j]` is refused.
    pub fn with_replicas(mut self, replicas: &[u32]) -> Result<Self, Invalid> {
        same_length("K", replicas.len(), self.tiers(), "C")?;
        if let Some(j) = replicas.iter().position(|k| *k == 0) {
            return Err(Invalid::range(
                format!("K[{j}]"),
                0,
                "a whole number, 1 or above",
            ));
        }
        self.replicas = replicas.to_vec();
        Ok(self)
    }

    /// Returns the problem with or without permission for tiers to hold no block.
    #[must_use]
    pub fn with_empty_tiers(mut self, allowed: bool) -> Self {
        self.empty_tiers = allowed;
        self
    }

    /// Returns the problem with another memory on one tier. An invalid memory counts as 0.
    ///
    /// # Panics
    /// When there is no such tier.
    #[must_use]
    pub fn with_memory(mut self, tier: usize, memory: f64) -> Self {
        self.memory[tier] = if memory.is_finite() {
            memory.max(0.0)
        } else {
            0.0
        };
        self
    }

    /// The problem whose largest load is the largest L_j / K_j of this one: a tier of K nodes counts K times as fast,
    /// while each of its nodes still holds all of its blocks.
    #[must_use]
    pub fn balanced_over_replicas(&self) -> Self {
        let mut balanced = self.clone();
        for (j, nodes) in self.replicas.iter().enumerate() {
            balanced.speed[j] *= f64::from(*nodes);
            balanced.fixed[j] /= f64::from(*nodes);
            balanced.replicas[j] = 1;
        }
        balanced
    }

    /// The problem of some of the tiers, in another order. Hops are left out: they belong to the old order.
    ///
    /// # Panics
    /// When there is no such tier, or none is named.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Self {
        assert!(!order.is_empty(), "a pipeline has a tier");
        let pick = |list: &[f64]| order.iter().map(|j| list[*j]).collect();
        Self {
            work: match self.work.as_slice() {
                [shared] => vec![shared.clone()],
                own => order.iter().map(|j| own[*j].clone()).collect(),
            },
            speed: pick(&self.speed),
            fixed: pick(&self.fixed),
            need: self.need.clone(),
            memory: pick(&self.memory),
            replicas: order.iter().map(|j| self.replicas[*j]).collect(),
            hops: vec![0.0; order.len() - 1],
            empty_tiers: self.empty_tiers,
        }
    }

    /// Number of blocks, N.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.need.len()
    }

    /// Number of tiers, T.
    #[must_use]
    pub fn tiers(&self) -> usize {
        self.speed.len()
    }

    /// Work of every block as tier `tier` sees it; divided by [`TierPartition::speed`] it is a time.
    #[must_use]
    pub fn work(&self, tier: usize) -> &[f64] {
        &self.work[tier.min(self.work.len() - 1)]
    }

    /// Returns true if all tiers share one list of work, f.
    #[must_use]
    pub fn shares_work(&self) -> bool {
        self.work.len() == 1
    }

    /// Speed of a tier, C_j.
    #[must_use]
    pub fn speed(&self, tier: usize) -> f64 {
        self.speed[tier]
    }

    /// Returns the additional time of a tier in use [s].
    #[must_use]
    pub fn fixed(&self, tier: usize) -> f64 {
        self.fixed[tier]
    }

    /// Memory of every block, m.
    #[must_use]
    pub fn need(&self) -> &[f64] {
        &self.need
    }

    /// Memory of every tier, M.
    #[must_use]
    pub fn memory(&self) -> &[f64] {
        &self.memory
    }

    /// Nodes of every tier, K.
    #[must_use]
    pub fn replicas(&self) -> &[u32] {
        &self.replicas
    }

    /// Transfer from each tier to the next [s].
    #[must_use]
    pub fn hops(&self) -> &[f64] {
        &self.hops
    }

    /// Returns true if a tier may hold no block.
    #[must_use]
    pub fn empty_tiers(&self) -> bool {
        self.empty_tiers
    }

    /// Returns true if a tier can hold this much: inclusive, with [`MEMORY_SLACK`].
    #[must_use]
    pub fn fits(&self, tier: usize, need: f64) -> bool {
        need <= self.memory[tier] + MEMORY_SLACK
    }

    /// Returns true if all blocks are equal in cost and memory.
    #[must_use]
    pub fn uniform(&self) -> bool {
        let alike = |list: &[f64]| list.iter().all(|x| *x == list[0]);
        self.work.iter().all(|list| alike(list)) && alike(&self.need)
    }

    /// Refuses sums that 64-bit numbers cannot hold.
    fn finite(&self) -> Result<(), Invalid> {
        let slowest = (0..self.tiers()).map(|j| {
            let work: f64 = self.work(j).iter().sum();
            self.fixed[j] + work / self.speed[j]
        });
        let all = slowest.sum::<f64>() + self.hops.iter().sum::<f64>();
        if (all + self.need.iter().sum::<f64>()).is_finite() {
            return Ok(());
        }
        let text = "the sums of this problem exceed what 64-bit numbers can hold";
        Err(Invalid::new(super::Code::Range, "", Value::Null, text))
    }
}

const POSITIVE: &str = "a finite number above 0";
const NOT_NEGATIVE: &str = "a finite number, 0 or above";

fn positive(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, POSITIVE))
}

fn not_negative(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, NOT_NEGATIVE))
}

fn empty(path: &str, what: &str) -> Invalid {
    let allowed = format!("a list with at least one {what}");
    Invalid::range(path, Vec::<f64>::new(), &allowed)
}

/// A list that is not empty and whose every number passes.
fn list(
    path: &str,
    values: &[f64],
    what: &str,
    check: fn(&str, f64) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    if values.is_empty() {
        return Err(empty(path, what));
    }
    each(path, values, check)
}

fn each(
    path: &str,
    values: &[f64],
    check: fn(&str, f64) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    // The name of a number is put together only for one that is refused.
    match values.iter().position(|value| check("", *value).is_err()) {
        Some(at) => check(&format!("{path}[{at}]"), values[at]),
        None => Ok(()),
    }
}

fn same_length(path: &str, found: usize, wanted: usize, other: &str) -> Result<(), Invalid> {
    if found == wanted {
        return Ok(());
    }
    let message = format!("{path} must be a list as long as {other}, {wanted}; it has {found}");
    Err(Invalid::new(super::Code::Range, path, found, message))
}
