//! The plans that an answer compares, ours first, each scored by the referee: one list for the comparison's table,
//! its timelines and its files. After ours come the best cuts in order of strength: what is between the two is gained
//! by the order, what is between them and the heuristic by the cuts.

use super::tables::{stage_cells, stage_columns};
use document::{Cell, Table, TableColumn};
use engine::plan::{Stage, StageTiming};
use engine::problem::ColdStart;
use engine::problem::device_name;
use planner::cold_start::{Answer, evaluate};

/// Explanation of the simple splits.
pub const SIMPLE_SPLITS: &str = "Heuristic: layers in proportion to the harmonic mean of load and compute rate, strongest device \
                                 first. Single ignores the memory limit.";

/// One way to cut, place and order the layers.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedPlan {
    /// Its name in files and on the page's elements; it never changes.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its plan.
    pub plan: Vec<Stage>,
    /// The plan in time.
    pub timeline: Vec<StageTiming>,
    /// Time to the first answer [s].
    pub total_s: f64,
    /// Value of the scenario's goal [s]: the first answer or the whole one.
    pub objective_s: f64,
    /// True if every stage fits its device.
    pub fits: bool,
}

impl ComparedPlan {
    /// Returns true for the answer itself.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.key == "edgewise"
    }

    /// `Edgewise`, or `Even, does not fit its memory`.
    #[must_use]
    pub fn title(&self) -> String {
        let note = if self.fits {
            ""
        } else {
            ", does not fit its memory"
        };
        format!("{}{note}", self.name)
    }
}

/// The strategies of an answer, in the order in which they are shown. What the referee refuses is left out.
///
/// # Complexity
/// O(L + K) for each of them.
#[must_use]
pub fn strategies(problem: &ColdStart, answer: &Answer) -> Vec<ComparedPlan> {
    let baselines = &answer.baselines;
    let plans = [
        ("edgewise", "Edgewise", answer.plan.as_ref()),
        (
            "ordered",
            "In strength order",
            answer.ordered.as_ref().map(|b| &b.plan),
        ),
        ("heuristic", "Heuristic", Some(&baselines.heuristic.plan)),
        ("even", "Even", Some(&baselines.even.plan)),
        (
            "single",
            "Single, no memory limit",
            Some(&baselines.single.plan),
        ),
    ];
    let scored = plans.into_iter().filter_map(|(key, name, plan)| {
        let plan = plan?;
        let scored = evaluate(problem, plan).ok()?;
        Some(ComparedPlan {
            key,
            name,
            plan: plan.clone(),
            objective_s: scored.objective(),
            timeline: scored.timeline,
            total_s: scored.T,
            fits: scored.mem_ok,
        })
    });
    scored.collect()
}

/// One row per strategy and stage: what its timeline shows, as numbers.
#[must_use]
pub fn stages(problem: &ColdStart, strategies: &[ComparedPlan]) -> Table {
    let rows = strategies.iter().flat_map(|strategy| {
        strategy.timeline.iter().map(|stage| {
            let mut cells = vec![Cell::text(strategy.name)];
            cells.extend(stage_cells(device_name(problem, stage.device), stage));
            cells.push(Cell::text(if stage.mem_ok { "yes" } else { "no" }));
            cells
        })
    });
    let mut columns = vec![TableColumn::new("strategy", "strategy", "")];
    columns.extend(stage_columns());
    columns.push(TableColumn::new("fits", "fits its memory", ""));
    Table {
        name: "strategies",
        title: "Strategies in time: one row per stage".to_owned(),
        columns,
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::presets;
    use engine::solve::{Limits, NoProgress};
    use planner::cold_start::{ColdStartMethod, answer};

    #[test]
    fn every_strategy_is_scored_and_its_stages_are_rows() {
        for preset in ["csgo-paper", "csgo-too-big"] {
            let scenario = presets::named(preset).expect("a preset").scenario;
            let problem = scenario.problem().expect("presets are valid");
            let limits = Limits::default();
            let method = ColdStartMethod::Exact;
            let answer = answer(
                &problem,
                method,
                scenario.heuristic,
                &limits,
                &mut NoProgress,
            );
            let strategies = strategies(&problem, &answer);
            let keys: Vec<&str> = strategies.iter().map(|strategy| strategy.key).collect();
            let simple = ["heuristic", "even", "single"];
            assert!(keys.ends_with(&simple), "{keys:?}");
            let found = usize::from(answer.T.is_some()) + usize::from(answer.ordered.is_some());
            assert_eq!(keys.len() - 3, found);
            for strategy in &strategies {
                let claimed = match strategy.key {
                    "edgewise" => answer.T.unwrap_or_default(),
                    "ordered" => answer.ordered.as_ref().map_or(f64::NAN, |b| b.T),
                    "heuristic" => answer.baselines.heuristic.T,
                    "even" => answer.baselines.even.T,
                    _ => answer.baselines.single.T,
                };
                assert_eq!(
                    strategy.total_s.to_bits(),
                    claimed.to_bits(),
                    "{}",
                    strategy.key
                );
            }
            let table = stages(&problem, &strategies);
            let stages: usize = strategies
                .iter()
                .map(|strategy| strategy.timeline.len())
                .sum();
            assert_eq!(table.rows.len(), stages);
            assert!(
                table
                    .rows
                    .iter()
                    .all(|row| row.len() == table.columns.len())
            );
        }
    }
}
