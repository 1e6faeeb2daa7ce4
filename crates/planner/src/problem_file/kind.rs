//! The kinds of problem, by the names that the command line and the service have for them.

/// A kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// [`super::cold_start`].
    ColdStart,
    /// [`super::cold_start_front`].
    ColdStartFront,
    /// [`super::head_placement`].
    HeadPlacement,
    /// [`super::head_placement_run`].
    HeadPlacementRun,
    /// [`super::dispatch`].
    Dispatch,
    /// [`super::tiers_partition`].
    TiersPartition,
    /// [`super::tiers_schedule`].
    TiersSchedule,
    /// [`super::tiers_simulate`].
    TiersSimulate,
    /// [`super::migration`].
    Migration,
    /// [`super::operator_order`].
    OperatorOrder,
    /// [`super::operator_partition`].
    OperatorPartition,
}

impl ProblemKind {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::ColdStart,
        Self::ColdStartFront,
        Self::HeadPlacement,
        Self::HeadPlacementRun,
        Self::Dispatch,
        Self::TiersPartition,
        Self::TiersSchedule,
        Self::TiersSimulate,
        Self::Migration,
        Self::OperatorOrder,
        Self::OperatorPartition,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ColdStart => "cold-start",
            Self::ColdStartFront => "cold-start-front",
            Self::HeadPlacement => "head-placement",
            Self::HeadPlacementRun => "head-placement-run",
            Self::Dispatch => "dispatch",
            Self::TiersPartition => "tiers-partition",
            Self::TiersSchedule => "tiers-schedule",
            Self::TiersSimulate => "tiers-simulate",
            Self::Migration => "migration",
            Self::OperatorOrder => "operator-order",
            Self::OperatorPartition => "operator-partition",
        }
    }

    /// Describes the problem in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::ColdStart => {
                "Contiguous layers on devices around a wireless access point, weights not yet loaded"
            }
            Self::ColdStartFront => {
                "The same including the following tokens: the trade-off between the first answer and the token rate"
            }
            Self::HeadPlacement => {
                "Attention heads, projection and FFN of a decoder layer on devices"
            }
            Self::HeadPlacementRun => "The same over many intervals, while an answer grows",
            Self::Dispatch => "Which prompts go to a device, to the server, or to both, and when",
            Self::TiersPartition => {
                "Contiguous blocks on tiers in a fixed order, minimising the largest load"
            }
            Self::TiersSchedule => "Which node of a tier runs a task",
            Self::TiersSimulate => "Requests through tiers of nodes, pass by pass",
            Self::Migration => "One answer that may move between device and server",
            Self::OperatorOrder => {
                "The order in which the operators of a graph run; takes ONNX files too"
            }
            Self::OperatorPartition => {
                "How every operator of a graph is cut over devices; takes ONNX files too"
            }
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
