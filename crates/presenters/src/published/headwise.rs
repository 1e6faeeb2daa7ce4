//! Published figures of the paper on attention heads beside ours, which are computed from [`HeadsMeasurements`] runs. A figure is missing
//! until its measure has run.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! section V. The paper shows figures and states ranges, so most claims are statements that hold or do not. Its model
//! leaves open how long proj and ffn compute, so every claim is asked under more than one [`Reading`]; the reason
//! says what the others give.
//!
//! Complexity: O(seeds log seeds) a claim; the runs themselves are [`planner::heads_published`]'s.

use super::{Figure, PublishedClaim};
use crate::heads::rule_name;
use document::{Cell, Table};
use engine::papers::{HEADWISE, PaperRow};
use engine::problem::head_sizes::HeadLayer;
use engine::units::percent;
use planner::head_placement::Variant;
use planner::heads_published::{EDGE_SHARD, HeadsMeasurements, ModelSize, RESOURCE_AWARE, Reading};
use planner::heads_run::{Init, Strategy};

const LOAD_AWARE: Strategy = Strategy::Algorithm1 {
    variant: Variant::LoadAware,
};

/// How far behind the best, in words: "19 % (62 % with a tenth of the ffn, …)".
fn behind(measured: &HeadsMeasurements, strategy: Strategy) -> String {
    let share = |reading: Reading| {
        let ratio = measured.ratio(reading, ModelSize::Small, strategy)?;
        Some(percent(100.0 * (ratio - 1.0), 0))
    };
    let others: Vec<String> = Reading::ALL[1..]
        .iter()
        .filter_map(|reading| Some(format!("{} with {}", share(*reading)?, reading.name())))
        .collect();
    let first = share(Reading::Full).unwrap_or_default();
    match others.is_empty() {
        true => format!("{first} behind on average."),
        false => format!("{first} behind on average; {}.", others.join(", ")),
    }
}

/// Seconds under each reading, in words.
fn seconds_text(measured: &HeadsMeasurements, strategy: Strategy) -> String {
    let each: Vec<String> = Reading::ALL
        .iter()
        .filter_map(|reading| {
            let seconds = measured.seconds(*reading, ModelSize::Medium, strategy)?;
            Some(format!("{seconds:.0} s with {}", reading.name()))
        })
        .collect();
    format!("{}: {}.", rule_name(strategy), each.join(", "))
}

/// The claims, in the order of the paper.
#[must_use]
pub fn claims(measured: &HeadsMeasurements) -> Vec<PublishedClaim> {
    let mut claims: Vec<PublishedClaim> = HEADWISE
        .group("small")
        .map(|row| small(measured, row))
        .collect();
    claims.extend(HEADWISE.group("medium").map(|row| medium(measured, row)));
    claims.push(speed_up(measured));
    claims.extend(memory());
    claims
}

/// A rule on small networks: whether it is as far behind the best as is stated.
fn small(measured: &HeadsMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let ratio = |strategy| measured.ratio(Reading::Full, ModelSize::Small, strategy);
    let strategy = match row.name() {
        "greedy" => Strategy::Greedy,
        "round-robin" => Strategy::RoundRobin,
        "static" => Strategy::Static {
            init: Init::Algorithm1(Variant::WithMigration),
        },
        "dynamic" => Strategy::Dynamic,
        _ => RESOURCE_AWARE,
    };
    let is_ours = strategy == RESOURCE_AWARE;
    let [low, high] = row.numbers();
    let ours = ratio(strategy).map(|ratio| {
        let behind = 100.0 * (ratio - 1.0);
        // The range of the paper's own rule is taken to half a point, that of the others as it stands.
        let slack = if is_ours { 0.5 } else { 1e-9 };
        (low - slack..high + slack).contains(&behind)
    });
    let dynamic = ratio(Strategy::Dynamic).map_or(String::new(), |ratio| {
        let share = percent(100.0 * (ratio - 1.0), 0);
        format!(
            " The score looks at one block alone, so that all heads choose the fastest device: keeping the whole layer on \
             one device is {share} behind, too."
        )
    });
    let load_aware = ratio(LOAD_AWARE).map_or(String::new(), |ratio| {
        let share = percent(100.0 * (ratio - 1.0), 1);
        format!(" A score that sees the load already placed is {share} behind.")
    });
    let more = match is_ours {
        true => format!("{dynamic}{load_aware}"),
        false => String::new(),
    };
    let reason = format!("{}{more}", behind(measured, strategy));
    PublishedClaim::stated(row, ours.map(|holds| (holds, reason)))
}

/// A rule on 25 devices: whether it needs so many seconds.
fn medium(measured: &HeadsMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let four = Strategy::Galaxy { devices: 4 };
    let strategy = match row.name() {
        "edge-shard" => EDGE_SHARD[0],
        "galaxy" => four,
        _ => RESOURCE_AWARE,
    };
    let holds = |seconds: f64| match row.published.split(' ').next() {
        Some("below") => seconds < row.at(0),
        Some("above") => seconds > row.at(0),
        _ => (row.at(0)..=row.at(1)).contains(&seconds),
    };
    let seconds = measured.seconds(Reading::Full, ModelSize::Medium, strategy);
    let takes = |strategy| seconds_text(measured, strategy);
    let reason = || match row.name() {
        "edge-shard" => format!(
            "{} An arbitrary device gives more: {}",
            takes(EDGE_SHARD[0]),
            takes(EDGE_SHARD[1])
        ),
        "galaxy" => format!(
            "{} {} It splits proj and ffn, which no placement of whole blocks does.",
            takes(four),
            takes(Strategy::Galaxy { devices: 2 })
        ),
        _ => format!(
            "{} {} {}{}",
            takes(RESOURCE_AWARE),
            takes(LOAD_AWARE),
            takes(Strategy::Exact),
            least()
        ),
    };
    PublishedClaim::stated(row, seconds.map(|seconds| (holds(seconds), reason())))
}

/// Describes the least time of a single block: the FFN is one block, and no device of the range computes faster than 50 G
/// operations/s.
fn least() -> String {
    let layer = HeadLayer::new(Reading::Full.layer()).ok();
    let work: Option<f64> = layer.map(|layer| {
        (1..=1000)
            .map(|n| layer.sizes(n))
            .map(|sizes| sizes.b_ffn + sizes.b_proj)
            .sum()
    });
    work.map_or(String::new(), |work| {
        let fastest = 50e9;
        format!(
            " With Table I proj and ffn alone compute for {:.0} s on the fastest device there is.",
            work / fastest
        )
    })
}

/// The largest factor that is claimed, beside EdgeShard on the device it would choose itself.
fn speed_up(measured: &HeadsMeasurements) -> PublishedClaim {
    let factor = |reading: Reading, shard: Strategy, ours: Strategy| {
        let shard = measured.seconds(reading, ModelSize::Medium, shard)?;
        Some(shard / measured.seconds(reading, ModelSize::Medium, ours)?)
    };
    let nearest: Vec<String> = Reading::ALL
        .iter()
        .filter_map(|reading| {
            let factor = factor(*reading, EDGE_SHARD[1], LOAD_AWARE)?;
            Some(format!("{factor:.1} with {}", reading.name()))
        })
        .collect();
    let reason = match nearest.is_empty() {
        true => String::new(),
        false => format!(
            "On equal terms, EdgeShard on the fastest device. Nearest: EdgeShard on an arbitrary device beside the score \
             that sees the load, {}.",
            nearest.join(", ")
        ),
    };
    let ours = factor(Reading::Full, EDGE_SHARD[0], RESOURCE_AWARE);
    let ours = ours.map(|ours| (Figure::Quantity(ours, 2, "times"), reason));
    PublishedClaim::compare(HEADWISE.row("speed-up"), ours)
}

/// Memory of all devices together after 100 tokens, which needs no run: one copy of each block, wherever it is.
fn memory() -> [PublishedClaim; 2] {
    let layer = HeadLayer::new(Reading::Full.layer()).ok();
    let total = |n: u32| layer.map(|layer| layer.sizes(n).all_memory(layer.form().h));
    let gb = total(100).map(|bytes| bytes / 1e9);
    let heads: Option<f64> = layer.map(|layer| {
        let each = (1..=100).map(|n| layer.sizes(n).m_head);
        each.sum::<f64>() * f64::from(layer.form().h)
    });
    let accumulated = heads.map_or(String::new(), |bytes| {
        format!(
            "Heads that are never released but reserved anew for each of the 100 tokens would come to {:.2} GiB.",
            bytes / 1024_f64.powi(3)
        )
    });
    let others = HEADWISE.row("memory/others");
    [
        PublishedClaim::compare(
            HEADWISE.row("memory/resource-aware"),
            gb.map(|gb| (Figure::Quantity(gb, 3, "GB"), accumulated)),
        ),
        PublishedClaim::stated(others, gb.map(|gb| (gb > others.at(0), String::new()))),
    ]
}

/// Every strategy under every reading: seconds over the networks of a size, and how many times the exact one's.
#[must_use]
pub fn table(measured: &HeadsMeasurements, size: ModelSize) -> Table {
    let decimals = match size {
        ModelSize::Small => 2,
        ModelSize::Medium => 0,
    };
    let mut rows = Vec::new();
    for reading in Reading::ALL {
        let Some(all) = measured.of(reading, size) else {
            continue;
        };
        for (at, strategy) in all.strategies().iter().enumerate() {
            let seconds = all.seconds(at);
            let ratio = all.ratio(at, 0);
            let peak = all.peak_memory(at).map(|peak| peak.spread.mean / 1e6);
            let moves = all.moves(at).map(|moves| moves.spread.mean);
            rows.push(vec![
                Cell::text(reading.name()),
                Cell::text(rule_name(*strategy)),
                Cell::maybe(ratio.map(|ratio| ratio.spread.mean), 3),
                Cell::maybe(ratio.map(|ratio| ratio.median), 3),
                Cell::maybe(seconds.map(|seconds| seconds.spread.mean), decimals),
                Cell::maybe(seconds.map(|seconds| seconds.spread.min), decimals),
                Cell::maybe(seconds.map(|seconds| seconds.spread.max), decimals),
                Cell::maybe(peak, 1),
                Cell::maybe(moves, 0),
                Cell::Number(all.seeds().len() as f64, 0),
            ]);
        }
    }
    let columns = [
        ("reading", "model", ""),
        ("strategy", "strategy", ""),
        ("ratio_mean", "× optimum, mean", ""),
        ("ratio_median", "× optimum, median", ""),
        ("mean_s", "mean", "s"),
        ("min_s", "least", "s"),
        ("max_s", "most", "s"),
        ("peak_mb", "most memory on a device", "MB"),
        ("moves", "blocks moved", ""),
        ("networks", "networks", ""),
    ];
    let (name, title) = match size {
        ModelSize::Small => ("heads_small_networks", "Three to five devices, 4 tokens"),
        ModelSize::Medium => ("heads_medium_networks", "25 devices, 1000 tokens"),
    };
    Table::new(name, title, &columns, rows)
}

/// Notes that belong to these figures everywhere.
pub const NOTES: [&str; 1] = [
    "The paper's Table I counts a full pass over all tokens at every step, as if nothing were cached, and a cache as wide as \
     the model for every head; its equation (6) leaves out the time in which proj and ffn compute. Networks are drawn \
     here from the ranges it gives, twenty of each size; its own are not published.",
];
