//! `run` for the head-placement question.

use super::answer_format::{AnswerFormatter, SeenBy, json};
use document::{Section, Table};
use engine::plan::HeadRunSummary;
use engine::problem::Invalid;
use engine::scenario::heads::Scenario;
use planner::Status;
use planner::heads::{
    self, HeadsPlan, HeadsRequest, HeadsResult, HeadsVariant, Track, document, rules, setting,
    worth_a_try,
};
use planner::heads_run::Comparison;
use planner::summary::CalibrationError;
use presenters::heads::{sections, tokens};
use std::cell::OnceCell;

/// The plan; all rules on the first draw and on every draw once they are asked for.
struct Answered<'s> {
    scenario: &'s Scenario,
    planned: HeadsPlan,
    tracks: OnceCell<Vec<Track>>,
    drawn: OnceCell<Comparison>,
}

/// Answers a scenario.
///
/// # Errors
/// The scenario is invalid.
pub fn answered(scenario: &Scenario) -> Result<impl AnswerFormatter + use<'_>, Invalid> {
    let planned = match heads::answer(scenario, &HeadsRequest::Plan, &mut |_, _, _| ())? {
        HeadsResult::Plan(planned) => *planned,
        other => unreachable!("the answer has no plan but {other:?}"),
    };
    Ok(Answered {
        scenario,
        planned,
        tracks: OnceCell::new(),
        drawn: OnceCell::new(),
    })
}

impl Answered<'_> {
    fn answer(&self, ask: &HeadsRequest) -> Option<HeadsResult> {
        heads::answer(self.scenario, ask, &mut |_, _, _| ()).ok()
    }

    /// Every other rule over the tokens of the first draw.
    fn tracks(&self) -> &[Track] {
        self.tracks.get_or_init(|| {
            let others = rules(self.scenario).into_iter().skip(1);
            let track = |rule| match self.answer(&HeadsRequest::Track(rule))? {
                HeadsResult::Track(track) => Some(track),
                _ => None,
            };
            others.filter_map(track).collect()
        })
    }

    /// All rules on every draw of the scenario; draws that cannot be made are left out.
    fn drawn(&self) -> &Comparison {
        self.drawn.get_or_init(|| {
            let mut all = heads::comparison(self.scenario);
            for seed in heads::seeds(self.scenario) {
                let known = match all.seeds() {
                    [] => heads::first_draw(self.scenario, &self.planned, self.tracks()),
                    _ => None,
                };
                let drawn = known.or_else(|| match self.answer(&HeadsRequest::Draw { seed })? {
                    HeadsResult::Draw(drawn) => Some(drawn),
                    _ => None,
                });
                if let Some(drawn) = drawn {
                    all.add(drawn.seed, drawn.sums);
                }
            }
            all
        })
    }

    /// The plan with something changed; a change that leaves no scenario is left out.
    fn variants(&self) -> Vec<(HeadsVariant, Option<HeadRunSummary>)> {
        let found = worth_a_try(self.scenario, &self.planned).into_iter();
        let run = |instead| match self.answer(&HeadsRequest::Instead(instead))? {
            HeadsResult::Instead(summary) => Some((instead, Some(summary))),
            _ => None,
        };
        found.filter_map(run).collect()
    }
}

impl AnswerFormatter for Answered<'_> {
    fn status(&self) -> Status {
        match self.planned.failed_at {
            Some(_) => Status::Infeasible,
            None => Status::Optimal,
        }
    }

    fn about(&self) -> Vec<String> {
        sections::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let scenario = self.scenario;
        let setting = setting(scenario, scenario.draws.first_seed as u64)?;
        Ok(sections::sections(&sections::HeadsFacts {
            scenario,
            planned: &self.planned,
            setting: Some(&setting),
            drawn: Some(self.drawn()),
            tracks: self.tracks(),
            variants: &self.variants(),
            layers: None,
        }))
    }

    fn table(&self) -> Table {
        tokens(&self.planned)
    }

    fn document(&self, (world, view): SeenBy<'_>) -> Result<Vec<u8>, Invalid> {
        let calibration = CalibrationError::of_rate(world, view, "compute_gops");
        let document = document(self.scenario, &self.planned, self.drawn(), calibration)?;
        Ok(json(&document))
    }
}
