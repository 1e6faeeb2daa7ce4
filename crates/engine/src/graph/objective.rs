//! Objective of an order of operators.

use serde::{Deserialize, Serialize};

/// Objective of an order. MemoriaNova, sections 2.2 and 4.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// Bytes held while each operator runs, summed over all operators.
    #[default]
    Sum,
    /// The most bytes held at any moment: what decides whether a model fits.
    Peak,
    /// The sum as the paper's Table 4 counts it: inputs of an operator twice, a tensor once for each of its readers
    /// still to come, inputs of the model only while they are read. Each operator's weights count once, however long they
    /// are in memory.
    Table4,
}

impl Objective {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sum, Self::Peak, Self::Table4];

    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Peak => "peak",
            Self::Table4 => "table4",
        }
    }

    /// The objective with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}
