//! `run` for the cold-start question.

use super::console::Console;
use super::told::{Told, json};
use engine::problem::{ColdStart, Invalid};
use engine::scenario::Scenario;
use engine::solve::{Event, Limits};
use job::cold_start::{Answer, Method, answer};
use job::{Documented, Status};
use report::cold_start_told as told;
use report::flags::Chain;
use report::table::timeline;
use report::trace::trace;
use std::time::Duration;
use story::{Section, Table};

/// A large fleet is searched for no longer than this; its plan then has a bound. `solve` has no such limit.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A plan.
struct Answered<'s> {
    scenario: &'s Scenario,
    problem: ColdStart,
    answer: Answer,
}

/// Answers a scenario.
///
/// # Errors
/// What is wrong with it.
pub fn answered<'s>(
    con: &Console<'_>,
    scenario: &'s Scenario,
) -> Result<impl Told + use<'s>, Invalid> {
    let problem = scenario.problem()?;
    let answer = planned(con, scenario, &problem);
    Ok(Answered {
        scenario,
        problem,
        answer,
    })
}

/// The answer to a scenario, searched for as long as there is patience.
pub fn planned(con: &Console<'_>, scenario: &Scenario, problem: &ColdStart) -> Answer {
    let mut watch = con.watch(Some(PATIENCE));
    let mut patience = |event: Event<'_, _>| watch.hear(event);
    answer(
        problem,
        Method::Exact,
        scenario.heuristic,
        &Limits::default(),
        &mut patience,
    )
}

impl Told for Answered<'_> {
    fn status(&self) -> Status {
        self.answer.status
    }

    fn about(&self) -> Vec<String> {
        told::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        Ok(told::sections(&told::Known {
            scenario: self.scenario,
            problem: &self.problem,
            answer: &self.answer,
        }))
    }

    fn table(&self) -> Table {
        timeline(&self.problem, &self.answer)
    }

    fn document(&self) -> Result<Vec<u8>, Invalid> {
        Ok(json(&Documented {
            scenario: self.scenario,
            answer: &self.answer,
        }))
    }

    fn chain(&self) -> Option<Option<Result<Chain, Invalid>>> {
        let plan = self.answer.plan.as_ref();
        Some(plan.map(|plan| Chain::of_cold_start(self.scenario, &self.problem, plan, true)))
    }

    fn trace(&self) -> Option<serde_json::Value> {
        serde_json::to_value(trace(&self.problem, &self.answer)).ok()
    }
}
