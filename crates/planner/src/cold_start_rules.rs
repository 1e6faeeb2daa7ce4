//! Plans by the rules of other tools for the same fleet, scored by the evaluator, beside ours.
//!
//! Two objectives are side by side. The scenario's goal is ours, and the rules are late at it; the period of a steady pipeline
//! is what a bottleneck rule aims at, and there our plan is the slower one.

use super::cold_start::{Answer, evaluate};
use engine::plan::Pipeline;
use engine::problem::ColdStart;
use methods::cold_start::rules::{NoRule, period, plan};
use serde::{Deserialize, Serialize};

pub use methods::cold_start::rules::Rule;

/// A stage that does not fit its device.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Overflow {
    /// The device, from 0.
    pub device: usize,
    /// Memory that the stage needs [B].
    pub need: f64,
    /// Memory of the device [B].
    pub have: f64,
}

/// A plan by both objectives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Measured {
    /// The plan.
    pub plan: Pipeline,
    /// Time to the first answer [s], whether every stage fits or not.
    pub T: f64,
    /// Value of the problem's goal [s]: T, or that of a whole answer.
    pub objective: f64,
    /// The slowest stage of a steady pipeline, transfer and computation [s].
    pub period: f64,
    /// The stages that do not fit, in running order.
    pub overflows: Vec<Overflow>,
}

impl Measured {
    /// Returns true if every stage fits its device.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.overflows.is_empty()
    }
}

/// Plan of a rule with its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct RuleAnswer {
    /// The rule.
    pub rule: Rule,
    /// Its plan; absent where the rule makes none.
    #[serde(flatten)]
    pub measured: Option<Measured>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub left_out: Option<NoRule>,
    /// The goal's value as a multiple of that of our plan.
    pub times_ours: Option<f64>,
    /// The period as a multiple of the least there is.
    pub times_least_period: Option<f64>,
    /// The plan that it repeats: `edgewise`, a baseline or a rule before it.
    pub same_as: Option<String>,
}

/// Plans of all rules, beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Rules {
    /// Our plan; absent where none fits or none was found.
    pub ours: Option<Measured>,
    /// Our period as a multiple of the least there is.
    pub ours_times_least_period: Option<f64>,
    /// The rules in their order.
    pub rules: Vec<RuleAnswer>,
}

impl Rules {
    /// Marks plans that are equal to ours, to a baseline of the answer, or to a rule before.
    #[must_use]
    pub fn mark_equals(mut self, answer: &Answer) -> Self {
        let ours = self.ours.as_ref().map(|ours| ("edgewise", &ours.plan));
        let ordered = answer.ordered.as_ref().map(|b| ("ordered", &b.plan));
        let baselines = answer.baselines.named();
        let mut known: Vec<(&str, Pipeline)> = ours
            .into_iter()
            .chain(ordered)
            .chain(baselines.map(|(name, b)| (name, &b.plan)))
            .map(|(name, plan)| (name, plan.clone()))
            .collect();
        for row in &mut self.rules {
            let Some(found) = &row.measured else {
                continue;
            };
            let same = known.iter().find(|(_, plan)| *plan == found.plan);
            row.same_as = same.map(|(name, _)| (*name).to_owned());
            known.push((row.rule.key(), found.plan.clone()));
        }
        self
    }

    /// Returns the plans with device n called `places[n]`, the index in a longer list of devices.
    #[must_use]
    pub fn with_devices_at(&self, places: &[usize]) -> Self {
        let mut moved = self.clone();
        let at = |device: &mut usize| *device = places.get(*device).copied().unwrap_or(*device);
        let all = moved.rules.iter_mut().filter_map(|r| r.measured.as_mut());
        for measured in all.chain(&mut moved.ours) {
            measured.plan.iter_mut().for_each(|s| at(&mut s.device));
            measured
                .overflows
                .iter_mut()
                .for_each(|o| at(&mut o.device));
        }
        moved
    }
}

/// Scores the plan of every rule beside that of `answer`.
///
/// # Complexity
/// As [`of_plan`].
#[must_use]
pub fn rules(problem: &ColdStart, answer: &Answer) -> Rules {
    of_plan(problem, answer.plan.as_ref()).mark_equals(answer)
}

/// Scores the plan of every rule beside our plan, if there is one.
///
/// # Complexity
/// O(K² L² 2^K) for the bottleneck, which is left out where that is more than a blink; O(L + K log K) for the others.
#[must_use]
pub fn of_plan(problem: &ColdStart, ours: Option<&Pipeline>) -> Rules {
    let ours = ours.and_then(|own| measured(problem, own));
    let row = |rule: Rule| {
        let (found, left_out) = match plan(problem, rule) {
            Ok(plan) => (measured(problem, &plan), None),
            Err(reason) => (None, Some(reason)),
        };
        RuleAnswer {
            rule,
            times_ours: found
                .as_ref()
                .zip(ours.as_ref())
                .map(|(a, b)| a.objective / b.objective),
            times_least_period: None,
            measured: found,
            left_out,
            same_as: None,
        }
    };
    let mut rows: Vec<RuleAnswer> = Rule::ALL.into_iter().map(row).collect();
    let bottleneck = rows.iter().find(|row| row.rule == Rule::Bottleneck);
    let least = bottleneck.and_then(|row| row.measured.as_ref().map(|m| m.period));
    let times = |m: &Measured| least.map(|least| m.period / least);
    for row in &mut rows {
        row.times_least_period = row.measured.as_ref().and_then(times);
    }
    Rules {
        ours_times_least_period: ours.as_ref().and_then(times),
        ours,
        rules: rows,
    }
}

/// A plan by both objectives; `None` if it is no plan for this problem.
fn measured(problem: &ColdStart, plan: &Pipeline) -> Option<Measured> {
    let scored = evaluate(problem, plan).ok()?;
    let unfit = scored.timeline.iter().filter(|stage| !stage.mem_ok);
    let overflows = unfit.map(|stage| Overflow {
        device: stage.device,
        need: stage.mem,
        have: problem.machines()[stage.device].memory.get(),
    });
    Some(Measured {
        plan: plan.clone(),
        T: scored.T,
        objective: scored.objective(),
        period: period(&scored.timeline),
        overflows: overflows.collect(),
    })
}
