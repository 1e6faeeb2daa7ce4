//! Names of graphs, goals and weight rules of operator graphs.

use document::counted;
use engine::graph::{Objective, Weights};
use engine::scenario::operators::{Choice, Scenario};

/// Returns the name of a scenario’s graph.
#[must_use]
pub fn graph_name(scenario: &Scenario) -> String {
    let named = |file: &str, own: &str| match (file, own) {
        ("", "") => "Own graph".to_owned(),
        ("", own) => own.to_owned(),
        (file, _) => file.to_owned(),
    };
    match &scenario.graph {
        Choice::Preset(name) => {
            let known = engine::graph::catalogue::MODELS.iter();
            let known = known.copied().find(|model| model.name == name);
            known.map_or_else(|| name.clone(), |model| model.title.to_owned())
        }
        Choice::Custom(custom) => named(&custom.source.file, &custom.graph.name),
        Choice::File(wanted) => named(&wanted.source.file, ""),
    }
}

/// Returns the name of a goal.
#[must_use]
pub const fn goal_name(goal: Objective) -> &'static str {
    match goal {
        Objective::Sum => "sum over steps",
        Objective::Peak => "peak",
        Objective::Table4 => "paper\u{2019}s table",
    }
}

/// Describes a goal in one line.
#[must_use]
pub const fn goal_about(goal: Objective) -> &'static str {
    match goal {
        Objective::Sum => "Bytes held while each operator runs, summed over all operators",
        Objective::Peak => {
            "The most bytes held at any step, which decides whether the graph fits. Ties go to the smaller sum"
        }
        Objective::Table4 => {
            "Counted as in Table 4: what an operator reads counts twice, and a tensor once for each later reader"
        }
    }
}

/// A number of operators: `71 operators`.
#[must_use]
pub fn operators(n: usize) -> String {
    counted(n, "operator", "operators")
}

/// Returns the name of a weight rule.
#[must_use]
pub const fn weights_name(rule: Weights) -> &'static str {
    match rule {
        Weights::PerOperator => "weights per operator",
        Weights::Resident => "all weights resident",
    }
}

/// Describes a weight rule in one line.
#[must_use]
pub const fn weights_about(rule: Weights) -> &'static str {
    match rule {
        Weights::PerOperator => {
            "Weights are held only while their operator runs, as the paper counts"
        }
        Weights::Resident => {
            "All weights stay in memory from the first step to the last. The paper\u{2019}s table and the split over devices know \
             only the paper\u{2019}s rule"
        }
    }
}
