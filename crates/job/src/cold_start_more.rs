//! What can be found out about a cold start besides its plan: what is asked, what is told, and the one function between.
//!
//! Every ask stands on its own, so that the page can share them out among its workers in any order.

use super::cold_start_front::{Front, front};
use super::cold_start_gains::{self, Known};
use super::cold_start_rules::{Rules, of_plan};
use super::cold_start_shorter::{Shorter, shorter};
use super::cold_start_spread;
use super::worker::{Errand, Listener, Sent};
use engine::plan::Pipeline;
use engine::problem::Invalid;
use engine::scenario::Scenario;
use engine::solve::Event;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Something to find out about a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// What a change to the fleet does.
    Gains(cold_start_gains::Ask),
    /// What the rules of other tools come to, beside the plan that is known.
    Rules {
        /// Our plan.
        plan: Option<Pipeline>,
    },
    /// The front between the first answer and the rate after it, with the steady plan and the way there.
    Front,
    /// How short a prompt or an answer would have to be where nothing fits.
    Shorter,
    /// Ranges in the place of points.
    Spread(cold_start_spread::Ask),
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// What is known of the plan after a change.
    Gains(Known),
    /// What the rules come to.
    Rules(Box<Rules>),
    /// The front.
    Front(Box<Front>),
    /// What would fit if it were shorter.
    Shorter(Vec<Shorter>),
    /// Ranges in the place of points.
    Spread(cold_start_spread::Told),
}

impl Errand for Ask {
    type Scenario = Sent<Scenario>;
    type Answer = Told;
    const KIND: &'static str = "cold_start_more";

    fn answer(
        &self,
        scenario: &Sent<Scenario>,
        heard: &mut Listener<'_, Told>,
    ) -> Result<Told, Invalid> {
        answer(scenario, self, &mut |done, of| {
            heard(done, of, &mut || None);
        })
    }
}

/// Finds out what is asked; `progress` hears how many steps are done, and of how many.
///
/// # Errors
/// A scenario that cannot be answered.
pub fn answer(
    scenario: &Scenario,
    ask: &Ask,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Told, Invalid> {
    let mut listen = |event: Event<'_, Pipeline>| {
        if let Event::Step { done, of } = event {
            progress(done, of);
        }
        ControlFlow::Continue(())
    };
    let limits = cold_start_gains::limits();
    match ask {
        Ask::Gains(ask) => {
            let known = cold_start_gains::tell(scenario, ask, &limits, &mut listen)?;
            Ok(Told::Gains(known))
        }
        Ask::Rules { plan } => {
            let rules = of_plan(&scenario.problem()?, plan.as_ref());
            Ok(Told::Rules(Box::new(rules)))
        }
        Ask::Front => {
            let mut heard = |solves: u32| {
                progress(u64::from(solves), None);
                ControlFlow::Continue(())
            };
            let front = front(scenario, &limits, &mut heard)?;
            Ok(Told::Front(Box::new(front)))
        }
        Ask::Shorter => Ok(Told::Shorter(shorter(scenario, &limits, &mut listen)?)),
        Ask::Spread(ask) => cold_start_spread::answer(scenario, ask, progress).map(Told::Spread),
    }
}
