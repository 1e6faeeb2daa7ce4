//! Cutting operators over devices: along what, and where.
//!
//! Source: MemoriaNova, section 3.4 (GenEFlow) and section 4.1.3 (its baselines).

mod anneal;
pub mod baseline;
mod bound;
pub mod ga;
pub mod library;
mod limit_factor;
mod limit_watch;
mod proportional;
mod search;
mod split_walk;
mod stretch;

pub use anneal::Annealer;
pub use bound::{bound, bound_until, operator_bound, plain_bound};
pub use limit_factor::{LimitFactor, factor, least_factor, least_room};
pub use limit_watch::LimitWatch;
pub use proportional::{marks, proportional};
pub use search::{Effort, ROUND, SplitResult, best, genetic};
pub use split_walk::SplitWalk;

use engine::evaluate::operators::{Trace, trace};
use engine::evaluate::slices::{Rule, Score, Slices};
use engine::graph::Weights;
use engine::plan::{Dim, OperatorOrder, Partition};
use engine::problem::Invalid;
use engine::problem::partition::Reading;

/// Along what operators are to be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimPolicy {
    /// The method chooses for every convolution.
    Free,
    /// By the paper's rule.
    Rule(Reading),
    /// As given, by operator; each can be cut along it.
    Given(Vec<Dim>),
}

/// A graph over devices in an order: what is to be split.
#[derive(Debug, Clone)]
pub struct SplitTask<'a> {
    /// The cost model.
    pub slices: Slices<'a>,
    /// The order in which operators run.
    pub order: OperatorOrder,
    /// Memory of the order on one device.
    pub trace: Trace,
    /// Dimension of every operator by the paper's rule, in its reading.
    pub rules: Vec<Rule>,
    /// Along what each operator has to be cut; `None` if the method chooses.
    pub fixed: Option<Vec<Dim>>,
    /// The requested dimensions.
    pub dim_policy: DimPolicy,
}

impl<'a> SplitTask<'a> {
    /// Prepares a split.
    ///
    /// # Errors
    /// A graph whose weights are resident, an order that is none, dimensions that do not fit.
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn new(slices: Slices<'a>, order: OperatorOrder, wish: DimPolicy) -> Result<Self, Invalid> {
        let rule = slices.graph().weights_rule();
        if rule != Weights::PerOperator {
            let allowed = "\"per-operator\" for a split over devices, which loads the weights of an operator only while it runs";
            return Err(Invalid::range("weights", rule.name(), allowed));
        }
        let trace = trace(slices.graph(), &order)?;
        let reading = match &wish {
            DimPolicy::Rule(reading) => *reading,
            _ => Reading::default(),
        };
        let rules = slices.rules(&order, &trace, reading);
        let fixed = match &wish {
            DimPolicy::Free => None,
            DimPolicy::Rule(_) => Some(rules.iter().map(|rule| rule.dim).collect()),
            DimPolicy::Given(dims) => {
                slices.check_dims(dims)?;
                Some(dims.clone())
            }
        };
        Ok(Self {
            slices,
            order,
            trace,
            rules,
            fixed,
            dim_policy: wish,
        })
    }

    /// Along what each operator is cut where nothing better is known: as fixed, else by the rule. O(operators).
    #[must_use]
    pub fn dims(&self) -> Vec<Dim> {
        match &self.fixed {
            Some(dims) => dims.clone(),
            None => self.rules.iter().map(|rule| rule.dim).collect(),
        }
    }

    /// The referee's word on a plan for this task.
    ///
    /// # Complexity
    /// As [`Slices::score`].
    #[must_use]
    pub fn score(&self, plan: &Partition) -> Score {
        self.slices
            .score(&self.order, &plan.dims, &plan.cuts)
            .expect("the order was checked when the task was made")
    }
}
