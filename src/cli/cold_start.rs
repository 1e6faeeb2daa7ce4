//! `run` for the cold-start question.

use super::console::Console;
use super::told::{AnswerFormatter, json};
use engine::problem::{ColdStart, Invalid};
use engine::scenario::Scenario;
use engine::scenario::lengths::SweepLengths;
use engine::solve::{Limits, NoProgress, SearchEvent};
use job::cold_start::{Answer, ColdStartMethod, answer, answer_alone};
use job::cold_start_front::front_of;
use job::cold_start_gains::{USUAL_PCT, changes, gains, is_quick, limits};
use job::cold_start_shorter::shorter;
use job::{Documented, Status};
use report::chains;
use report::cold_start::tables::timeline;
use report::cold_start::told;
use report::cold_start::trace::trace;
use std::ops::ControlFlow;
use std::time::Duration;
use story::{Section, Table};
use tell::flags::LayerMap;

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
/// The scenario is invalid.
pub fn answered<'s>(
    con: &Console<'_>,
    scenario: &'s Scenario,
) -> Result<impl AnswerFormatter + use<'s>, Invalid> {
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
    let mut patience = |event: SearchEvent<'_, _>| watch.hear(event);
    answer(
        problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &Limits::default(),
        &mut patience,
    )
}

impl AnswerFormatter for Answered<'_> {
    fn status(&self) -> Status {
        self.answer.status
    }

    fn about(&self) -> Vec<String> {
        told::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let (scenario, problem, answer) = (self.scenario, &self.problem, &self.answer);
        let mut known = told::ColdStartFacts {
            scenario,
            problem,
            answer,
            front: None,
            shorter: &[],
            gains: None,
            sweep: &[],
        };
        // What takes a search of its own is told where all of them are done in about a second.
        let goal = scenario.decode.map(|decode| decode.goal);
        let count = changes(scenario).len();
        if !is_quick(problem, goal.unwrap_or_default(), count) {
            return Ok(told::sections(&known));
        }
        let (limits, reading) = (limits(), scenario.heuristic);
        let front = scenario.decode.and_then(|_| {
            let mut heard = |_| ControlFlow::Continue(());
            front_of(problem, reading, &limits, &mut heard).ok()
        });
        let shorter = match answer.status {
            Status::Infeasible => shorter(scenario, &limits, &mut NoProgress)?,
            _ => Vec::new(),
        };
        let gains = gains(scenario, answer, USUAL_PCT, &limits, &mut NoProgress)?;
        let at = |tokens: f64| {
            let problem = scenario.problem_at(tokens).ok()?;
            let solved = answer_alone(
                &problem,
                ColdStartMethod::Exact,
                reading,
                &limits,
                &mut NoProgress,
            );
            Some(solved)
        };
        let lengths = answer
            .plan
            .iter()
            .flat_map(|_| SweepLengths::default().list);
        let sweep: Vec<_> = lengths.map(|tokens| (tokens, at(tokens))).collect();
        let sweep: Vec<_> = sweep
            .iter()
            .map(|(at, found)| (*at, found.as_ref()))
            .collect();
        known.front = front.as_ref();
        known.shorter = &shorter;
        known.gains = Some(&gains);
        known.sweep = &sweep;
        Ok(told::sections(&known))
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

    fn chain(&self) -> Option<Option<Result<LayerMap, Invalid>>> {
        let plan = self.answer.plan.as_ref();
        Some(plan.map(|plan| chains::of_cold_start(self.scenario, &self.problem, plan, true)))
    }

    fn trace(&self) -> Option<serde_json::Value> {
        serde_json::to_value(trace(&self.problem, &self.answer)).ok()
    }
}
