//! `run` for the head-placement question.

use super::told::{Told, json};
use engine::problem::Invalid;
use engine::scenario::heads::Scenario;
use job::Status;
use job::heads::{self, Answer, Ask, Planned, document};
use job::heads_run::Comparison;
use report::heads::{tokens, told};
use std::cell::OnceCell;
use story::{Section, Table};

/// The plan, and all rules on every draw once they are asked for.
struct Answered<'s> {
    scenario: &'s Scenario,
    planned: Planned,
    drawn: OnceCell<Comparison>,
}

/// Answers a scenario.
///
/// # Errors
/// What is wrong with it.
pub fn answered(scenario: &Scenario) -> Result<impl Told + use<'_>, Invalid> {
    let planned = match heads::answer(scenario, &Ask::Plan, &mut |_, _, _| ())? {
        Answer::Plan(planned) => *planned,
        other => unreachable!("the answer has no plan but {other:?}"),
    };
    Ok(Answered {
        scenario,
        planned,
        drawn: OnceCell::new(),
    })
}

impl Answered<'_> {
    /// All rules on every draw of the scenario; draws that cannot be made are left out.
    fn drawn(&self) -> &Comparison {
        self.drawn.get_or_init(|| {
            let mut all = heads::comparison(self.scenario);
            for seed in heads::seeds(self.scenario) {
                let answer = heads::answer(self.scenario, &Ask::Draw { seed }, &mut |_, _, _| ());
                if let Ok(Answer::Draw(drawn)) = answer {
                    all.add(drawn.seed, drawn.sums);
                }
            }
            all
        })
    }
}

impl Told for Answered<'_> {
    fn status(&self) -> Status {
        match self.planned.failed_at {
            Some(_) => Status::Infeasible,
            None => Status::Optimal,
        }
    }

    fn about(&self) -> Vec<String> {
        told::about(self.scenario)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        Ok(told::sections(&told::Known {
            scenario: self.scenario,
            planned: &self.planned,
            drawn: Some(self.drawn()),
        }))
    }

    fn table(&self) -> Table {
        tokens(&self.planned)
    }

    fn document(&self) -> Result<Vec<u8>, Invalid> {
        document(self.scenario, &self.planned, self.drawn()).map(|document| json(&document))
    }
}
