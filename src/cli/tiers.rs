//! `run` for the tiers question.

use super::answer_format::{AnswerFormatter, SeenBy, json};
use document::{Section, Table};
use engine::problem::Invalid;
use engine::scenario::tiers::Scenario;
use planner::Status;
use planner::tiers::{
    self, Documented, Planned, Runs, RunsAsk, TierTimeline, TiersRequest, TiersResult, WithLoad,
};
use presenters::chains;
use presenters::tiers::{sections, stages};
use protocol::flags::LayerMap;
use std::cell::OnceCell;

/// The plan, and the scenario’s own requests through it once they are asked for.
struct Answered<'s> {
    scenario: &'s Scenario,
    planned: Planned,
    load: OnceCell<Option<Result<Runs, Invalid>>>,
}

/// Answers a scenario.
///
/// # Errors
/// The scenario is invalid.
pub fn answered(scenario: &Scenario) -> Result<impl AnswerFormatter + use<'_>, Invalid> {
    Ok(Answered {
        scenario,
        planned: tiers::planned(scenario)?,
        load: OnceCell::new(),
    })
}

impl Answered<'_> {
    /// Simulates requests through the plan, if it fits.
    fn simulate(&self, ask: fn(RunsAsk) -> TiersRequest) -> Option<Result<TiersResult, Invalid>> {
        let plan = self.planned.plan.as_ref().filter(|plan| plan.mem_ok)?;
        let runs = RunsAsk {
            placed: plan.placed.clone(),
            rate: None,
            count: None,
            scheduler: self.scenario.load.scheduler,
            out_tokens: None,
            link_mbit_s: None,
        };
        Some(tiers::answer(self.scenario, &ask(runs), &mut |_, _| ()))
    }

    fn load(&self) -> Option<Result<&Runs, &Invalid>> {
        let found = self
            .load
            .get_or_init(|| match self.simulate(TiersRequest::Runs)? {
                Ok(TiersResult::Runs(runs)) => Some(Ok(runs)),
                Ok(_) => None,
                Err(fault) => Some(Err(fault)),
            });
        found.as_ref().map(Result::as_ref)
    }

    fn timeline(&self) -> Option<TierTimeline> {
        match self.simulate(TiersRequest::Timeline)? {
            Ok(TiersResult::Timeline(timeline)) => Some(timeline),
            _ => None,
        }
    }
}

impl AnswerFormatter for Answered<'_> {
    fn status(&self) -> Status {
        self.planned.status
    }

    fn about(&self) -> Vec<String> {
        sections::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let timeline = self.timeline();
        Ok(sections::sections(&sections::TiersFacts {
            scenario: self.scenario,
            planned: &self.planned,
            load: self.load(),
            timeline: timeline.as_ref(),
        }))
    }

    fn table(&self) -> Table {
        let plan = self.planned.plan.as_ref();
        plan.map_or_else(Table::default, |plan| stages(self.scenario, plan))
    }

    fn document(&self, _: SeenBy<'_>) -> Result<Vec<u8>, Invalid> {
        Ok(json(&WithLoad {
            plan: Documented::new(self.scenario, &self.planned),
            load: self.load().and_then(Result::ok),
            load_fault: self.load().and_then(Result::err),
        }))
    }

    fn chain(&self) -> Option<Option<Result<LayerMap, Invalid>>> {
        let plan = self.planned.plan.as_ref();
        Some(plan.map(|plan| chains::of_tiers(self.scenario, plan)))
    }
}
