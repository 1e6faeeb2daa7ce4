//! `run` for the device-or-server question.

use super::answer_format::{AnswerFormatter, SeenBy, json};
use document::{Section, Table};
use engine::problem::Invalid;
use engine::scenario::dispatch::Scenario;
use planner::Status;
use planner::dispatch::{self, DispatchPlan, DispatchRequest, DispatchResult, document};
use planner::summary::CalibrationError;
use presenters::dispatch::{sections, waits};

/// Our policy beside the others.
struct Answered<'s> {
    scenario: &'s Scenario,
    planned: DispatchPlan,
}

/// Answers a scenario.
///
/// # Errors
/// The scenario is invalid.
pub fn answered(scenario: &Scenario) -> Result<impl AnswerFormatter + use<'_>, Invalid> {
    match dispatch::answer(scenario, &DispatchRequest::Plan, &mut |_, _| ())? {
        DispatchResult::Plan(planned) => Ok(Answered {
            scenario,
            planned: *planned,
        }),
        other => unreachable!("the answer has no plan but {other:?}"),
    }
}

impl AnswerFormatter for Answered<'_> {
    fn status(&self) -> Status {
        if self.planned.missed {
            Status::Infeasible
        } else {
            Status::Optimal
        }
    }

    fn about(&self) -> Vec<String> {
        sections::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let (scenario, planned) = (self.scenario, &self.planned);
        // The request that the page begins with.
        let request = dispatch::request(scenario, planned, planned.example_prompt(), 0.5)?;
        let sweep = match dispatch::answer(scenario, &DispatchRequest::Sweep, &mut |_, _| ())? {
            DispatchResult::Sweep(sweep) => Some(sweep),
            _ => None,
        };
        Ok(sections::sections(&sections::DispatchFacts {
            scenario,
            planned,
            request: Some(&request),
            sweep: sweep.as_ref(),
            runs: &[],
            predicted: None,
        }))
    }

    fn table(&self) -> Table {
        waits(self.scenario, &self.planned)
    }

    fn document(&self, (world, view): SeenBy<'_>) -> Result<Vec<u8>, Invalid> {
        let calibration = CalibrationError::of_rate(world, view, "decode_tok_s");
        document(self.scenario, &self.planned, calibration).map(|document| json(&document))
    }
}
