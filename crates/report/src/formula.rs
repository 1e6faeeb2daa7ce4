//! The formula behind each headline figure, with this plan's numbers in it and the paper's equation.

use super::cold_start::Parts;
use engine::network::Relay;
use engine::plan::StageTiming;
use engine::problem::ColdStart;
use engine::units::{MINUS, NARROW, TimeFormat, bytes, percent};
use job::cold_start::{Answer, gain_pct};

/// The figures that have a formula, by the names that the page and its tests use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Time to the first answer.
    Total,
    /// Waiting for weights.
    Stall,
    /// Transfer.
    Transfer,
    /// Compute.
    Compute,
    /// Tightest memory.
    Memory,
    /// Free after work.
    Free,
    /// Gain over the best simple split.
    Gain,
}

impl Figure {
    /// What it is called: `First answer`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Total => "First answer",
            Self::Stall => "Waiting for weights",
            Self::Transfer => "Transfer",
            Self::Compute => "Compute",
            Self::Memory => "Tightest memory",
            Self::Free => "Free after work",
            Self::Gain => "Gain over the best simple split",
        }
    }
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// In symbols.
    pub symbols: &'static str,
    /// With the numbers of this plan, rounded as they are shown elsewhere.
    pub filled: String,
    /// Where the paper has it.
    pub source: &'static str,
    /// Whether the rounded parts, added up, differ from the rounded sum.
    pub rounded: bool,
}

/// The stage whose memory is fullest, the first of equals.
#[must_use]
pub fn tightest<'a>(problem: &ColdStart, timeline: &'a [StageTiming]) -> Option<&'a StageTiming> {
    let fill = |s: &StageTiming| s.mem / problem.machines()[s.device].memory.get();
    timeline
        .iter()
        .reduce(|best, next| if fill(next) > fill(best) { next } else { best })
}

/// The formula of a figure; `None` without a plan, and of the gain where no simple split fits.
#[must_use]
pub fn formula(problem: &ColdStart, answer: &Answer, figure: Figure) -> Option<Formula> {
    let (timeline, total) = (answer.timeline.as_deref()?, answer.T?);
    let unit = TimeFormat::of_largest(total);
    let number = |s: f64| {
        if s == 0.0 {
            "0".to_owned()
        } else {
            unit.figure(s)
        }
    };
    let added = |parts: &[f64], sum: f64| {
        let shown: Vec<String> = parts.iter().map(|part| number(*part)).collect();
        let filled = match shown.as_slice() {
            [_] => unit.with_unit(sum),
            shown => format!("{} = {}", shown.join(" + "), unit.with_unit(sum)),
        };
        // Half of the last digit that is shown.
        let half = 0.5 * libm::pow(10.0, -(unit.decimals() as f64));
        let read: f64 = shown
            .iter()
            .filter_map(|part| part.replace(NARROW, "").parse::<f64>().ok())
            .sum();
        (filled, (read - sum * unit.per_second()).abs() > half)
    };
    // One summand a stage, in running order.
    let summed = |part: fn(&StageTiming) -> f64| {
        let parts: Vec<f64> = timeline.iter().map(part).collect();
        added(&parts, parts.iter().sum())
    };
    let (symbols, (filled, rounded), source) = match figure {
        Figure::Total => {
            let parts = Parts::of(timeline);
            (
                "T = Σ stall + Σ transfer + Σ compute",
                added(&[parts.stall, parts.comm, parts.comp], total),
                "equations (17), (18) and (23)",
            )
        }
        Figure::Stall => (
            "Σ stall, a stage\u{2019}s stall = max(0, its load \u{2212} finish of the stage before)",
            summed(|s| s.stall),
            "equations (17) and (19)",
        ),
        Figure::Transfer => (
            match problem.relay() {
                Relay::SlowerHop => "Σ transfer, a transfer = 8 × bytes / rate of its slower hop",
                Relay::StoreAndForward => {
                    "Σ transfer, a transfer = 8 × bytes / uplink + 8 × bytes / downlink"
                }
            },
            summed(|s| s.comm),
            "equation (20)",
        ),
        Figure::Compute => (
            "Σ compute, a stage\u{2019}s compute = FLOP of its layers / compute rate of its device",
            summed(|s| s.comp),
            "equation (21)",
        ),
        Figure::Memory => (
            "(largest output + weights) / memory",
            (fullest(problem, timeline)?, false),
            "equation (22)",
        ),
        Figure::Free => (
            "Σ (T \u{2212} finish) over the devices in use",
            summed(|s| s.idle_after),
            "equations (18) and (23)",
        ),
        Figure::Gain => {
            let (_, best) = answer.baselines.best()?;
            let (base, ours) = (best.objective(), answer.objective?);
            let unit = TimeFormat::of_largest(ours.max(base));
            let gain = percent(gain_pct(base, ours), 1);
            let [base, ours] = [base, ours].map(|time| unit.figure(time));
            (
                if answer
                    .decode
                    .as_ref()
                    .is_some_and(|d| d.goal == "whole-answer")
                {
                    "(T + G D of the split \u{2212} T \u{2212} G D) / (T + G D of the split)"
                } else {
                    "(T of the split \u{2212} T) / T of the split"
                },
                (format!("({base} {MINUS} {ours}) / {base} = {gain}"), false),
                "section 5.2, Fig. 3(b)",
            )
        }
    };
    Some(Formula {
        symbols,
        filled,
        source,
        rounded,
    })
}

/// The memory of the fullest device, filled in.
fn fullest(problem: &ColdStart, timeline: &[StageTiming]) -> Option<String> {
    let stage = tightest(problem, timeline)?;
    let layers = &problem.layers()[stage.s - 1..stage.e];
    let weights: f64 = layers.iter().map(|layer| layer.weights.get()).sum();
    let capacity = problem.machines()[stage.device].memory.get();
    Some(format!(
        "({} + {}) / {} = {}",
        bytes(stage.mem - weights),
        bytes(weights),
        bytes(capacity),
        percent(100.0 * stage.mem / capacity, 0)
    ))
}
