//! Settings of a run.

use engine::plan::dispatch::{Policy, Scarce};
use engine::plan::moves::Moves;
use engine::problem::Invalid;
use engine::problem::dispatch::DispatchProblem;
use engine::problem::dispatch_terms::Terms;
use engine::sim::law::BurstyLaw;
use serde_json::Value;
use std::sync::Arc;

/// The most requests of a run: their numbers are part of the order of events.
pub const MOST_REQUESTS: usize = 100_000_000;

/// When requests come.
#[derive(Debug, Clone, PartialEq)]
pub enum ArrivalProcess {
    /// At random, so many seconds apart on average.
    Poisson {
        /// Mean gap [s].
        gap: f64,
    },
    /// From people who come and go.
    Sessions,
    /// At these times [s], which never decrease.
    Trace(Arc<[f64]>),
}

/// Where the server's times come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeSource {
    /// The times of the instance.
    Same,
    /// This law: those of the instance are what policies were fitted to.
    Law(BurstyLaw),
}

/// A model that is not always in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cold {
    /// How long it takes to load [s].
    pub load: f64,
    /// How long it stays after its last use [s].
    pub idle: f64,
}

/// Everything but the policies.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Prompts, the server's times and devices.
    pub problem: DispatchProblem,
    /// Prices, rates and output lengths.
    pub terms: Terms,
    /// When requests come.
    pub arrivals: ArrivalProcess,
    /// Where the server's times come from.
    pub times: TimeSource,
    /// How the server's times follow one another: correlation of neighbours in the order of arrivals, from 0 to below 1.
    pub correlation: f64,
    /// True if devices serve one request at a time.
    pub queueing: bool,
    /// Settings of model loading; `None` if models are always loaded.
    pub cold: Option<Cold>,
}

/// A policy in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    /// Policy.
    pub policy: Policy,
    /// Whose first token counts as second in a tie.
    pub scarce: Scarce,
    /// Which requests change ends.
    pub moves: Moves,
}

impl RunSettings {
    /// A run as in the paper: requests that never meet, 30 s apart.
    #[must_use]
    pub fn plain(problem: DispatchProblem, terms: Terms) -> Self {
        Self {
            problem,
            terms,
            arrivals: ArrivalProcess::Poisson { gap: 30.0 },
            times: TimeSource::Same,
            correlation: 0.0,
            queueing: false,
            cold: None,
        }
    }

    /// Checks that policies, terms and instance are those of one another, and every number.
    ///
    /// # Errors
    /// Names the field at fault: `arrivals.gap`, `arrivals[i]`, `correlation`, `cold.load`, `cold.idle`, `terms.devices`,
    /// `policies`, `policies[i]`.
    pub fn check(&self, contenders: &[Contender]) -> Result<(), Invalid> {
        const NOT_NEGATIVE: &str = "a finite number, 0 or above";
        match &self.arrivals {
            ArrivalProcess::Poisson { gap } if !(gap.is_finite() && *gap > 0.0) => {
                let allowed = "a finite number above 0";
                return Err(Invalid::range("arrivals.gap", *gap, allowed));
            }
            ArrivalProcess::Trace(times) => {
                let mut before = 0.0;
                for (i, time) in times.iter().enumerate() {
                    if !(time.is_finite() && *time >= before) {
                        let allowed = "a time in seconds, not before the one above it";
                        return Err(Invalid::range(format!("arrivals[{i}]"), *time, allowed));
                    }
                    before = *time;
                }
            }
            ArrivalProcess::Poisson { .. } | ArrivalProcess::Sessions => {}
        }
        if !(0.0..1.0).contains(&self.correlation) {
            let allowed = "a number from 0 to below 1";
            return Err(Invalid::range("correlation", self.correlation, allowed));
        }
        if let Some(cold) = self.cold {
            for (path, value) in [("cold.load", cold.load), ("cold.idle", cold.idle)] {
                if !(value.is_finite() && value >= 0.0) {
                    return Err(Invalid::range(path, value, NOT_NEGATIVE));
                }
            }
        }
        let devices = self.problem.devices().len();
        if self.terms.devices.len() != devices {
            let allowed = format!("prices of {devices} devices");
            let found = self.terms.devices.len();
            return Err(Invalid::range("terms.devices", found, &allowed));
        }
        if contenders.is_empty() || contenders.len() > usize::from(u16::MAX) {
            let found = contenders.len();
            let allowed = "a list with at least one policy, and no more than 65535";
            return Err(Invalid::range("policies", found, allowed));
        }
        let lengths = self.problem.prompts().lengths().len();
        for (i, contender) in contenders.iter().enumerate() {
            let moves = &contender.moves;
            let acts = contender.policy.acts.iter().flatten();
            let known = |m: Option<usize>| m.is_none_or(|m| m < devices);
            let fits = contender.policy.acts.len() == lengths
                && contender.policy.acts.iter().all(|acts| !acts.is_empty())
                && moves.from_server.len() == lengths
                && moves.from_device.len() == devices
                && moves.from_device.iter().all(|list| list.len() == lengths)
                && moves.from_server.iter().all(|to| known(to.map(|to| to.0)))
                && acts
                    .clone()
                    .all(|(_, act)| known(act.device.map(|to| to.0)))
                && acts
                    .clone()
                    .all(|(_, act)| act.server || act.device.is_some());
            if !fits {
                let allowed = "a policy for these prompts and devices";
                let path = format!("policies[{i}]");
                return Err(Invalid::range(path, Value::Null, allowed));
            }
        }
        Ok(())
    }
}
