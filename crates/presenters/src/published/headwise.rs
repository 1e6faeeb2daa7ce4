//! Published figures of the paper on attention heads beside ours, which are computed from [`HeadsMeasurements`] runs. A figure is missing
//! until its measure has run.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! section V. The paper shows figures and states ranges. Its model leaves open how long proj and ffn compute, and the text how
//! it averages, so every claim is asked under more than one [`Reading`]; the agreement is of all of them and the reason says
//! under which it holds.
//!
//! Complexity: O(seeds log seeds) a claim; the runs themselves are [`planner::heads_published`]'s.

use super::{Figure, NamedFigure, PublishedClaim, Range};
use crate::heads::rule_name;
use document::{Cell, Table};
use engine::papers::{HEADWISE, PaperRow};
use engine::problem::head_sizes::HeadLayer;
use engine::units::percent;
use planner::head_placement::Variant;
use planner::heads_published::{
    Average, EDGE_SHARD, HeadsMeasurements, ModelSize, RESOURCE_AWARE, Reading,
};
use planner::heads_run::{Init, Strategy};

const LOAD_AWARE: Strategy = Strategy::Algorithm1 {
    variant: Variant::LoadAware,
};

/// The paper's Algorithm 1: with moves in its score, and word for word.
const VARIANTS: [Strategy; 2] = [
    RESOURCE_AWARE,
    Strategy::Algorithm1 {
        variant: Variant::Published,
    },
];

/// The strategy of a row, by the end of its key.
fn strategy_of(row: &PaperRow) -> Strategy {
    match row.name() {
        "greedy" => Strategy::Greedy,
        "round-robin" => Strategy::RoundRobin,
        "static" => Strategy::Static {
            init: Init::Algorithm1(Variant::WithMigration),
        },
        "dynamic" => Strategy::Dynamic,
        "edge-shard" => EDGE_SHARD[0],
        "galaxy" => Strategy::Galaxy { devices: 4 },
        _ => RESOURCE_AWARE,
    }
}

/// The strategies that a row may mean; the first is what its figure is.
fn meant(row: &PaperRow) -> Vec<Strategy> {
    match strategy_of(row) {
        RESOURCE_AWARE => VARIANTS.to_vec(),
        first @ Strategy::EdgeShard { .. } => vec![first, EDGE_SHARD[1]],
        first @ Strategy::Galaxy { .. } => vec![first, Strategy::Galaxy { devices: 2 }],
        other => vec![other],
    }
}

/// Figures under the paper's own Table I, the one that is shown first, and under what changes it: other operations, equation
/// (6) alone, a score that sees the load. A true cache is no reading of the paper.
#[derive(Default)]
struct ByReading {
    own: Vec<NamedFigure>,
    others: Vec<NamedFigure>,
}

impl ByReading {
    fn of(row: &PaperRow, figures: impl Fn(Reading, Strategy) -> Vec<NamedFigure>) -> Self {
        let mut all = Self::default();
        let strategies = meant(row);
        let is_algorithm = strategies.first() == Some(&RESOURCE_AWARE);
        for reading in [Reading::Full, Reading::Ffn08, Reading::Eq6] {
            for strategy in &strategies {
                let found = figures(reading, *strategy);
                match reading {
                    Reading::Full => all.own.extend(found),
                    _ => all.others.extend(found),
                }
            }
            if is_algorithm {
                all.others.extend(figures(reading, LOAD_AWARE));
            }
        }
        all
    }

    /// Compares a row with the first of its own readings; the agreement is of all of them.
    fn compare(&self, row: &'static PaperRow, reason: String) -> PublishedClaim {
        let first = self.own.first().map(|(_, figure)| *figure);
        let rest = self.own.get(1..).unwrap_or_default();
        PublishedClaim::compare(row, first.map(|figure| (figure, reason)))
            .with_readings(rest, &self.others)
    }
}

/// How far behind the best the strategies of a row are [%], by mean and by median.
fn behind_best(measured: &HeadsMeasurements, row: &'static PaperRow) -> ByReading {
    ByReading::of(row, |reading, strategy| {
        let of = |average: Average| {
            let ratio = measured.average(average, reading, ModelSize::Small, strategy)?;
            let name = format!(
                "{} with {}, {}",
                rule_name(strategy),
                reading.name(),
                average.name()
            );
            Some((name, Figure::Percent(100.0 * (ratio - 1.0), 1)))
        };
        let averages = [Average::MeanRatio, Average::MedianRatio].into_iter();
        averages.filter_map(of).collect()
    })
}

/// How far behind the best on average, in words: "19 % (62 % with a tenth of the ffn, …)".
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
    let group = |group, claim: fn(&HeadsMeasurements, &'static PaperRow) -> PublishedClaim| {
        HEADWISE.group(group).map(move |row| claim(measured, row))
    };
    let mut claims: Vec<PublishedClaim> = group("small", small).collect();
    claims.extend(group("behind", behind_algorithm));
    claims.extend(group("medium", medium));
    claims.push(speed_up(measured));
    claims.extend(memory());
    claims
}

/// A rule on small networks: whether it is as far behind the best as is stated.
fn small(measured: &HeadsMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let strategy = strategy_of(row);
    let more = match strategy == RESOURCE_AWARE {
        true => {
            let share = |strategy: Strategy| {
                let ratio = measured.ratio(Reading::Full, ModelSize::Small, strategy);
                ratio.map_or(String::new(), |ratio| percent(100.0 * (ratio - 1.0), 1))
            };
            format!(
                " Word for word Algorithm 1 is {} behind; the first has the cost of moves in its score. The score looks at one \
                 block alone, so that all heads choose the fastest device: keeping the whole layer on one device is {} behind, \
                 too. A score that sees the load already placed is {} behind.",
                share(VARIANTS[1]),
                share(Strategy::Dynamic),
                share(LOAD_AWARE)
            )
        }
        false => String::new(),
    };
    let reason = format!("{}{more}", behind(measured, strategy));
    behind_best(measured, row).compare(row, reason)
}

/// A rule on small networks beside Algorithm 1, by each way of averaging, with Table I.
fn behind_algorithm(measured: &HeadsMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let shares = (Average::ALL.into_iter()).filter_map(|average| {
        let of = |strategy| measured.average(average, Reading::Full, ModelSize::Small, strategy);
        Some((
            average,
            100.0 * (of(strategy_of(row))? / of(RESOURCE_AWARE)? - 1.0),
        ))
    });
    let shares: Vec<(Average, f64)> = shares.collect();
    let ours = (!shares.is_empty()).then(|| {
        let each: Vec<String> = (shares.iter())
            .map(|(average, share)| format!("{} by {}", percent(*share, 1), average.name()))
            .collect();
        let reason = format!(
            "{}. The paper does not say how it averages.",
            each.join(", ")
        );
        let range = Range::of(shares.iter().map(|(_, share)| *share), 1, "%");
        (Figure::Range(range), reason)
    });
    PublishedClaim::compare(row, ours)
}

/// A rule on 25 devices: whether it needs so many seconds.
fn medium(measured: &HeadsMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let readings = ByReading::of(row, |reading, strategy| {
        let seconds = measured.seconds(reading, ModelSize::Medium, strategy);
        let named = seconds.map(|seconds| {
            let name = format!("{} with {}", rule_name(strategy), reading.name());
            (name, Figure::Quantity(seconds, 0, "s"))
        });
        named.into_iter().collect()
    });
    let mut said: Vec<String> = (meant(row).into_iter())
        .map(|strategy| seconds_text(measured, strategy))
        .collect();
    match strategy_of(row) {
        Strategy::Galaxy { .. } => {
            said.push(
                "It splits proj and ffn, which no placement of whole blocks does.".to_owned(),
            );
        }
        RESOURCE_AWARE => {
            said.push(seconds_text(measured, LOAD_AWARE));
            said.push(format!(
                "{}{}",
                seconds_text(measured, Strategy::Exact),
                least()
            ));
        }
        _ => (),
    }
    readings.compare(row, said.join(" "))
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
    let of = |shard: Strategy, ours: Strategy, reading: Reading| {
        let of = |strategy| measured.seconds(reading, ModelSize::Medium, strategy);
        let factor = of(shard)? / of(ours)?;
        let name = format!(
            "{} beside {} with {}",
            rule_name(shard),
            rule_name(ours),
            reading.name()
        );
        Some((name, factor))
    };
    let row = HEADWISE.row("speed-up");
    let shards = EDGE_SHARD.into_iter();
    let pairs = shards.flat_map(|shard| [RESOURCE_AWARE, LOAD_AWARE].map(|ours| (shard, ours)));
    let (mut all, mut largest) = (ByReading::default(), 0.0_f64);
    for (shard, ours) in pairs {
        for reading in [Reading::Full, Reading::Ffn08, Reading::Eq6] {
            let Some((name, factor)) = of(shard, ours, reading) else {
                continue;
            };
            largest = largest.max(factor);
            let named = (name, Figure::Quantity(factor, 2, "times"));
            match (ours, reading) {
                (RESOURCE_AWARE, Reading::Full) => all.own.push(named),
                _ => all.others.push(named),
            }
        }
    }
    let reason = format!(
        "On equal terms, EdgeShard on the fastest device; otherwise at most {largest:.1} times."
    );
    all.compare(row, reason)
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
    let claim = |key, reason| {
        let ours = gb.map(|gb| (Figure::Quantity(gb, 3, "GB"), reason));
        PublishedClaim::compare(HEADWISE.row(key), ours)
    };
    [
        claim("memory/resource-aware", accumulated),
        claim("memory/others", String::new()),
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
