//! Which weights are in memory while a graph runs, and for how long.

use super::{Graph, MOST_BYTES};
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};

/// Which weights are in memory while an operator runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    /// Weights of the running operator only, loaded for it: the rule of MemoriaNova, section 2.2.
    #[default]
    PerOperator,
    /// All of them, from before the first step to after the last.
    Resident,
}

impl Weights {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::PerOperator, Self::Resident];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PerOperator => "per-operator",
            Self::Resident => "resident",
        }
    }

    /// Returns true for the paper's rule, which files leave out.
    // Serde asks by reference.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    #[must_use]
    pub const fn is_usual(&self) -> bool {
        matches!(self, Self::PerOperator)
    }
}

impl Graph {
    /// Returns the graph with another rule for weights in memory.
    ///
    /// # Errors
    /// Resident weights whose sum over all steps leaves 62 bits.
    ///
    /// # Complexity
    /// O(operators) where they are resident.
    pub fn with_weights(mut self, rule: Weights) -> Result<Self, Invalid> {
        let resident = match rule {
            Weights::PerOperator => 0,
            Weights::Resident => self.weights(),
        };
        let most = u128::from(resident) * self.len() as u128 + self.most_summed();
        if most > u128::from(MOST_BYTES) {
            let message = format!(
                "weights must be \"per-operator\" for this graph: {resident} bytes resident over {} steps exceed 62 bits",
                self.len()
            );
            return Err(Invalid::new(Code::Range, "weights", rule.name(), message));
        }
        (self.rule, self.resident) = (rule, resident);
        Ok(self)
    }

    /// How long weights are in memory.
    #[must_use]
    pub const fn weights_rule(&self) -> Weights {
        self.rule
    }

    /// Weights that are in memory from before the first step to after the last [bytes].
    #[must_use]
    pub const fn resident(&self) -> u64 {
        self.resident
    }

    /// Weights that are loaded for operator v and gone after it [bytes].
    #[must_use]
    pub fn loaded(&self, v: usize) -> u64 {
        match self.rule {
            Weights::PerOperator => self.op(v).w,
            Weights::Resident => 0,
        }
    }

    /// All weights that are in memory while operator v runs [bytes].
    #[must_use]
    pub fn resident_weights(&self, v: usize) -> u64 {
        self.resident + self.loaded(v)
    }
}
