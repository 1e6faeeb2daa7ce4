//! Which rules of a comparison are ranked against ours, and which are another class of plans and only are beside it.

use super::heads::seeds;
use super::heads_run::{Comparison, Distribution, Strategy};
use engine::scenario::heads::Scenario;
use serde::Serialize;

/// Freedom of a plan with the blocks of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlanClass {
    /// Every head, projection and FFN is on one device each.
    WholeBlocks,
    /// Projection and FFN may also be split over devices, as Galaxy does.
    SplitBlocks,
}

impl PlanClass {
    /// The class of a rule.
    #[must_use]
    pub const fn of(rule: &Strategy) -> Self {
        if rule.splits_blocks() {
            Self::SplitBlocks
        } else {
            Self::WholeBlocks
        }
    }
}

/// The rule that ours is measured against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rival {
    /// Its place among the rules.
    pub at: usize,
    /// How much longer it takes than ours, each draw beside itself [s].
    pub extra_time_s: Distribution,
}

/// The fastest other rule of our class that came through every draw that ours did; nothing while draws are missing, or
/// where there is no such rule.
///
/// # Complexity
/// O(s log s) a rule for s draws.
#[must_use]
pub fn rival(scenario: &Scenario, drawn: &Comparison) -> Option<Rival> {
    fastest(scenario, drawn, |rule, ours| PlanClass::of(rule) == ours)
}

/// The fastest baseline of another class than ours that came through every draw that ours did; nothing as for [`rival`].
#[must_use]
pub fn apart(scenario: &Scenario, drawn: &Comparison) -> Option<Rival> {
    fastest(scenario, drawn, |rule, ours| {
        PlanClass::of(rule) != ours && !rule.is_exact()
    })
}

/// The best plans of the wider class, interval by interval, if they came through every draw that ours did; nothing as for
/// [`rival`].
#[must_use]
pub fn split_optimum(scenario: &Scenario, drawn: &Comparison) -> Option<Rival> {
    fastest(scenario, drawn, |rule, _| *rule == Strategy::ExactSplit)
}

/// In how many intervals of all draws a rule ran into its limit.
#[must_use]
pub fn unproved(drawn: &Comparison, rule: usize) -> u64 {
    let runs = drawn.runs().iter().filter_map(|runs| runs.get(rule));
    runs.map(|run| u64::from(run.unproved)).sum()
}

fn fastest(
    scenario: &Scenario,
    drawn: &Comparison,
    is_wanted: fn(&Strategy, PlanClass) -> bool,
) -> Option<Rival> {
    let count = drawn.seeds().len();
    let whole = count - drawn.failed(0);
    if whole == 0 || count < seeds(scenario).count() {
        return None;
    }
    let ours = PlanClass::of(drawn.strategies().first()?);
    let rules = drawn.strategies().iter().enumerate().skip(1);
    rules
        .filter(|(_, rule)| is_wanted(rule, ours))
        .filter_map(|(at, _)| {
            let later = drawn.difference(at, 0)?;
            Some(Rival {
                at,
                extra_time_s: later,
            })
        })
        .filter(|rival| rival.extra_time_s.spread.runs == whole)
        .min_by(|a, b| {
            a.extra_time_s
                .spread
                .mean
                .total_cmp(&b.extra_time_s.spread.mean)
        })
}

/// A comparison as documents hold it.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Compared {
    /// The seeds of the draws.
    draws: Vec<u64>,
    /// Describes which plans are ranked and why others are not.
    note: &'static str,
    /// The fastest other rule of our class, by its place in `rules`.
    next_best: Option<usize>,
    /// The best plans that may also split the layer, by their place in `rules`.
    split_optimum: Option<usize>,
    /// All rules, ours first.
    rules: Vec<ComparedRule>,
}

/// A rule of a comparison. Means are over the draws that it came through.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct ComparedRule {
    rule: Strategy,
    class: PlanClass,
    /// Mean time of a run over the draws [s].
    mean_s: Option<f64>,
    /// The shortest [s].
    min_s: Option<f64>,
    /// The longest [s].
    max_s: Option<f64>,
    /// Its time over ours, each draw beside itself.
    to_ours: Option<f64>,
    /// Draws in which it finds no plan.
    failed: usize,
    /// Intervals of all draws in which an exact rule ran into its limit.
    unproved: u64,
}

impl Compared {
    /// All rules over all draws; nothing while draws are missing.
    #[must_use]
    pub fn of(scenario: &Scenario, drawn: &Comparison) -> Option<Self> {
        let count = drawn.seeds().len();
        if count == 0 || count < seeds(scenario).count() {
            return None;
        }
        let rules = drawn.strategies().iter().enumerate().map(|(at, rule)| {
            let seconds = drawn.seconds(at).map(|seconds| seconds.spread);
            ComparedRule {
                rule: *rule,
                class: PlanClass::of(rule),
                mean_s: seconds.map(|s| s.mean),
                min_s: seconds.map(|s| s.min),
                max_s: seconds.map(|s| s.max),
                to_ours: drawn.ratio(at, 0).map(|ratio| ratio.spread.mean),
                failed: drawn.failed(at),
                unproved: unproved(drawn, at),
            }
        });
        Some(Self {
            draws: drawn.seeds().to_vec(),
            note: "next_best is the fastest other rule of the class whole-blocks. Rules of the class split-blocks divide \
                   projection and FFN over devices, which plans of whole blocks cannot, so they are not ranked. split_optimum \
                   is the best plan of either class in each interval, but for intervals that are unproved.",
            next_best: rival(scenario, drawn).map(|rival| rival.at),
            split_optimum: split_optimum(scenario, drawn).map(|rival| rival.at),
            rules: rules.collect(),
        })
    }
}
