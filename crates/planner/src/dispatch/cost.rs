//! Cost of a policy, with and without migration.

use engine::evaluate::dispatch_cost::{Bill, bill};
use engine::plan::dispatch::{Policy, Scarce};
use engine::plan::moves::Moves;
use engine::problem::Invalid;
use engine::problem::dispatch::{DispatchProblem, ServerTimes};
use engine::problem::dispatch_terms::{Charging, Outputs, Terms};
use engine::problem::migration::End;
use engine::scenario::dispatch::{Charge, Estimate, Scenario};
use methods::dispatch::migration::moves;
use serde::{Deserialize, Serialize};

/// The cost of a request, in the mean [micro-USD].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Cost {
    /// With hand-overs where they save money; the same as without where the scenario has none.
    pub with: f64,
    /// Without.
    pub without: f64,
    /// The parts of what is paid.
    pub bill: Bill,
}

/// Cost model of a scenario, the same for every policy.
pub(super) struct PolicyCosts {
    terms: Terms,
    moves: Moves,
    stays: Moves,
    is_on: bool,
}

/// The time that the server is taken to need for its first token [s].
pub(super) fn server_start(scenario: &Scenario, times: &ServerTimes) -> f64 {
    match scenario.handover.server_start {
        Estimate::Mean => times.mean(),
        // The largest quantile of the page is below 1, so there is one.
        Estimate::Quantile(q) => times.quantile(q).unwrap_or_else(|| times.mean()),
    }
}

/// The terms of a scenario.
///
/// # Errors
/// The first field at fault.
pub(super) fn terms(scenario: &Scenario, problem: &DispatchProblem) -> Result<Terms, Invalid> {
    let on = scenario.devices_in_order().into_iter();
    let devices = on.map(|(_, device)| {
        let prices = scenario.prices(device);
        End {
            rate: device.decode_tok_s,
            prefill: prices.dev_p,
            decode: prices.dev_d,
        }
    });
    let server = End {
        rate: scenario.server.decode_tok_s,
        prefill: scenario.server.input_usd,
        decode: scenario.server.output_usd,
    };
    Terms {
        devices: devices.collect(),
        server,
        reader: scenario.reader_tok_s,
        net: scenario.handover.net_s,
        expected: scenario.replies.expected(),
        estimate: server_start(scenario, problem.times()),
        extra: 0.0,
        guard: scenario.handover.guard,
        charging: match scenario.charge {
            Charge::Full => Charging::Full,
            Charge::ProRata => Charging::ProRata,
        },
        outputs: Outputs::new(&scenario.replies.weights())?,
    }
    .checked()
}

impl PolicyCosts {
    /// Builds the cost model of a scenario.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn new(scenario: &Scenario, problem: &DispatchProblem) -> Result<Self, Invalid> {
        let terms = terms(scenario, problem)?;
        let lengths = problem.prompts().lengths().len();
        let stays = Moves::none(lengths, problem.devices().len());
        Ok(Self {
            moves: if scenario.handover.on {
                moves(problem, &terms)
            } else {
                stays.clone()
            },
            is_on: scenario.handover.on,
            terms,
            stays,
        })
    }

    /// Returns the terms of the cost model.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Which requests change ends.
    pub const fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The cost of a policy.
    ///
    /// # Complexity
    /// As [`bill`], twice.
    pub fn of(&self, problem: &DispatchProblem, policy: &Policy, scarce: Scarce) -> Cost {
        let without = bill(problem, policy, scarce, &self.terms, &self.stays);
        let with = if self.is_on {
            bill(problem, policy, scarce, &self.terms, &self.moves)
        } else {
            without
        };
        Cost {
            with: with.total,
            without: without.total,
            bill: with,
        }
    }
}
