//! `run` for the cold-start question.

use super::answer_format::{AnswerFormatter, SeenBy, json};
use super::console::Console;
use document::{Section, Table};
use engine::problem::{ColdStart, Invalid};
use engine::scenario::Scenario;
use engine::scenario::lengths::SweepLengths;
use engine::solve::{Limits, NoProgress, SearchEvent};
use planner::cold_start::{Answer, ColdStartMethod, answer, answer_alone};
use planner::cold_start_front::front_of;
use planner::cold_start_gains::{USUAL_PCT, changes, gains, is_quick, limits};
use planner::cold_start_shorter::shorter;
use planner::{Documented, Status};
use presenters::chains;
use presenters::cold_start::sections;
use presenters::cold_start::tables::timeline;
use presenters::cold_start::trace::trace;
use protocol::flags::LayerMap;
use std::ops::ControlFlow;
use std::time::Duration;

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
    let mut patience = |event: SearchEvent<'_, _>| watch.on_event(event);
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
        sections::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let (scenario, problem, answer) = (self.scenario, &self.problem, &self.answer);
        let mut known = sections::ColdStartFacts {
            scenario,
            problem,
            answer,
            front: None,
            shorter: &[],
            gains: None,
            sweep: &[],
        };
        // Sections that need a search are printed where all such searches take about a second.
        let goal = scenario.decode.map(|decode| decode.goal);
        let count = changes(scenario).len();
        if !is_quick(problem, goal.unwrap_or_default(), count) {
            return Ok(sections::sections(&known));
        }
        let (limits, reading) = (limits(), scenario.heuristic);
        let front = scenario.decode.and_then(|_| {
            let mut on_progress = |_| ControlFlow::Continue(());
            front_of(problem, reading, &limits, &mut on_progress).ok()
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
        Ok(sections::sections(&known))
    }

    fn table(&self) -> Table {
        timeline(&self.problem, &self.answer)
    }

    fn document(&self, _: SeenBy<'_>) -> Result<Vec<u8>, Invalid> {
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
