//! Where the time goes: what each stage adds to the answer, what each load alone would force, and which one
//! number is worth improving.
//!
//! Source: the two identities of CSGO's equations (17)-(23), both tested on every timeline:
//! T = Σ (stall + transfer + compute), and T = max over n of (load n + Σ over m ≥ n of (transfer + compute)).
//! The second says how much later each load could end, and how much less of any part is as much sooner.

use super::TimeParts;
use document::Sentence;
use document::{Cell, Table, TableColumn};
use engine::plan::StageTiming;
use engine::problem::device_name;
use engine::problem::{ColdStart, LoadOrder};
use engine::units::InOrder;
use engine::units::{TimeFormat, seconds};

/// A stage's part in the answer. All times in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaceShare {
    /// Index of the device, from 0.
    pub device: usize,
    /// How long the pipeline waits for its weights.
    pub stall: f64,
    /// Transfer into it.
    pub comm: f64,
    /// Its computation.
    pub comp: f64,
    /// All of these up to here: when the stage is done.
    pub sum: f64,
    /// Its load.
    pub load: f64,
    /// Its own transfer and computation, and those of every stage after it.
    pub after: f64,
    /// `load` + `after`: no sooner than this can the answer come, whatever the stages before do.
    pub forces: f64,
    /// T - `forces`: how much later its load could end. 0 where it binds.
    pub slack: f64,
    /// True if this load decides when the answer comes.
    pub binds: bool,
}

/// The part of a stage that one number speeds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacePart {
    /// Its load: the disk.
    Load,
    /// The transfer into it: the link.
    Transfer,
    /// Its computation: the compute rate.
    Compute,
}

/// Effect of a faster part, the plan unchanged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lever {
    /// The stage, from 0.
    pub stage: usize,
    /// Its part.
    pub pace_part: PacePart,
    /// Time of the part [s].
    pub time_s: f64,
    /// Less of it is as much sooner, up to this [s].
    pub at_most: f64,
    /// The stage whose load decides beyond that; `None` when all of the part can go.
    pub then: Option<usize>,
}

impl Lever {
    /// How much sooner the answer is when the part is twice as fast [s].
    #[must_use]
    pub fn doubled(&self) -> f64 {
        (0.5 * self.time_s).min(self.at_most)
    }
}

/// When all weights are there, where they come one stage after the other before the first layer is computed [s]; `None` where every
/// device loads for itself.
fn loads_before_all(timeline: &[StageTiming]) -> Option<f64> {
    let is_one_by_one = timeline.iter().any(|stage| stage.load_from > 0.0);
    let loads = timeline.iter().map(|stage| stage.load);
    is_one_by_one.then(|| loads.fold(0.0, f64::max))
}

/// The shares of a timeline's stages, in running order.
///
/// O(N) for N stages.
#[must_use]
pub fn shares(timeline: &[StageTiming]) -> Vec<PaceShare> {
    let total = timeline.last().map_or(0.0, |last| last.finish);
    // Differences of equal sums are not always zero; a billionth of the plan is no slack.
    let hair = 1e-9 * total;
    let mut shares: Vec<PaceShare> = Vec::with_capacity(timeline.len());
    let all_work: f64 = timeline.iter().map(|stage| stage.comm + stage.comp).sum();
    let all_loads = loads_before_all(timeline);
    let mut after = 0.0;
    for stage in timeline.iter().rev() {
        after += stage.comm + stage.comp;
        // Where all weights come before the first layer, any load holds up all work.
        let (load, after) = match all_loads {
            Some(all) => (all, all_work),
            None => (stage.load, after),
        };
        let forces = load + after;
        let slack = total - forces;
        shares.push(PaceShare {
            device: stage.device,
            stall: stage.stall,
            comm: stage.comm,
            comp: stage.comp,
            sum: 0.0,
            load,
            after,
            forces,
            slack: if slack > hair { slack } else { 0.0 },
            binds: slack <= hair,
        });
    }
    shares.reverse();
    let mut sum = 0.0;
    for share in &mut shares {
        sum += share.stall + share.comm + share.comp;
        share.sum = sum;
    }
    shares
}

/// Every part of which less brings the answer sooner, the plan unchanged: those that give most when they are
/// twice as fast come first, equal ones in running order.
///
/// O(N²) for N stages.
#[must_use]
pub fn levers(timeline: &[StageTiming]) -> Vec<Lever> {
    let total = timeline.last().map_or(0.0, |last| last.finish);
    let shares = shares(timeline);
    let mut levers = Vec::new();
    let all_loads = loads_before_all(timeline);
    for (stage, share) in shares.iter().enumerate() {
        for (part, takes) in [
            (PacePart::Load, share.load),
            (PacePart::Transfer, share.comm),
            (PacePart::Compute, share.comp),
        ] {
            // A load shortens one chain; a transfer or a computation every chain that runs through it.
            let untouched = |n: usize| match part {
                _ if all_loads.is_some() => false,
                PacePart::Load => n != stage,
                PacePart::Transfer | PacePart::Compute => n > stage,
            };
            let next = (0..shares.len())
                .filter(|n| untouched(*n))
                .max_by(|a, b| shares[*a].forces.total_cmp(&shares[*b].forces));
            let room = next.map_or(takes, |n| (total - shares[n].forces).max(0.0));
            let at_most = takes.min(room);
            let is_said = part == PacePart::Load && all_loads.is_some() && stage > 0;
            if at_most > 1e-9 * total && !is_said {
                levers.push(Lever {
                    stage,
                    pace_part: part,
                    time_s: takes,
                    at_most,
                    then: next.filter(|_| room < takes),
                });
            }
        }
    }
    levers.in_order_by(|a, b| b.doubled().total_cmp(&a.doubled()));
    levers
}

/// The bottleneck of a plan: the one analysis behind every sentence about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// The part that takes most of the time: waiting for weights, transfers or compute.
    pub pace_part: PacePart,
    /// The one number that helps most when it is doubled.
    pub lever: Option<Lever>,
    /// The best of the numbers that belong to `part`.
    pub of_part: Option<Lever>,
}

/// Finds the bottleneck of a plan; of equal parts the load comes first, then compute.
///
/// O(N²) for N stages.
#[must_use]
pub fn pace(timeline: &[StageTiming]) -> Pace {
    let parts = TimeParts::of(timeline);
    let part = if parts.stall >= parts.comm && parts.stall >= parts.comp {
        PacePart::Load
    } else if parts.comp >= parts.comm {
        PacePart::Compute
    } else {
        PacePart::Transfer
    };
    let levers = levers(timeline);
    Pace {
        pace_part: part,
        lever: levers.first().copied(),
        of_part: levers.iter().find(|lever| lever.pace_part == part).copied(),
    }
}

/// Which one number to improve, by how much at most, and what decides then. Empty without a plan.
#[must_use]
pub fn advice(problem: &ColdStart, timeline: &[StageTiming]) -> Sentence {
    let pace = pace(timeline);
    // Where a stage reads while it computes, its time is not that of one number.
    let is_apart = problem.load_order() != LoadOrder::OnDemand;
    let Some(lever) = pace.lever.filter(|_| is_apart) else {
        return Sentence::default();
    };
    let total = timeline.last().map_or(0.0, |last| last.finish);
    let unit = TimeFormat::of_largest(total);
    let name = |stage: usize| device_name(problem, timeline[stage].device);
    let own = name(lever.stage);
    let (number, less) = match lever.pace_part {
        PacePart::Load => match problem.load_order() {
            LoadOrder::BeforeAll => ("rate at which weights arrive".to_owned(), "Loading less"),
            LoadOrder::Beside | LoadOrder::OnDemand => {
                (format!("disk rate of {own}"), "Loading less")
            }
        },
        PacePart::Transfer => (
            format!("link from {} to {own}", name(lever.stage.saturating_sub(1))),
            "Sending less",
        ),
        PacePart::Compute => (format!("compute rate of {own}"), "Less compute"),
    };
    let limit = match lever.then {
        Some(then) => format!(
            " {less} there gains the same, up to {}; beyond that the load of {} decides.",
            unit.with_unit(lever.at_most),
            name(then)
        ),
        None => format!(
            " {less} there gains the same, all {} of it.",
            unit.with_unit(lever.time_s)
        ),
    };
    Sentence::default()
        .plain("Doubling the ")
        .strong(number)
        .plain(" helps this plan most: the answer is ")
        .strong(format!("{} faster", seconds(lever.doubled())))
        .plain(".")
        .plain(limit)
        .plain(why_another(&pace, unit))
}

/// Why a number helps most that does not belong to what takes most of the time; nothing where it does.
fn why_another(pace: &Pace, unit: TimeFormat) -> String {
    if pace
        .lever
        .is_none_or(|lever| lever.pace_part == pace.pace_part)
    {
        return String::new();
    }
    let (most, single) = match pace.pace_part {
        PacePart::Load => ("Waiting for weights takes", "disk"),
        PacePart::Transfer => ("Transfers take", "link"),
        PacePart::Compute => ("Computing takes", "processor"),
    };
    match pace.of_part {
        Some(lever) => format!(
            " {most} most of the time, but doubling a single {single} gains {} at most.",
            unit.with_unit(lever.doubled())
        ),
        None => format!(" {most} most of the time, but doubling a single {single} gains nothing."),
    }
}

/// Explanation of the two tables of reasons.
pub const TWO_WAYS: &str = "Two ways to the same first answer: the parts of the stages add up to it, and it is the maximum over \
                            stages of the load time plus all work after it. Slack is how much later a load could end. Another \
                            plan may gain more.";

/// The shares as a table.
#[must_use]
pub fn table(problem: &ColdStart, timeline: &[StageTiming]) -> Table {
    let columns = [
        ("device", "device", ""),
        ("stall_s", "waiting for weights", "s"),
        ("transfer_s", "transfer", "s"),
        ("compute_s", "compute", "s"),
        ("sum_s", "sum so far", "s"),
        ("load_s", "load", "s"),
        ("after_s", "work from here on", "s"),
        ("forces_s", "load and work", "s"),
        ("slack_s", "slack", "s"),
    ];
    let rows = shares(timeline).into_iter().map(|share| {
        let numbers = [
            share.stall,
            share.comm,
            share.comp,
            share.sum,
            share.load,
            share.after,
            share.forces,
            share.slack,
        ];
        let mut cells = vec![Cell::text(device_name(problem, share.device))];
        cells.extend(numbers.map(|number| Cell::Number(number, 4)));
        cells
    });
    Table {
        name: "reasons",
        title: "Where the time goes: what each stage adds, and the lower bound from each load"
            .to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}
