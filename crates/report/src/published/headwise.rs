//! What the paper on attention heads publishes, as data, beside the same computed here from [`Measured`] runs. As long as a
//! measure has not been run, its figures are missing.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! section V. The paper shows figures and states ranges, so most claims are statements that hold or do not. Its model
//! leaves open how long proj and ffn compute, so every claim is asked under more than one [`Reading`]; the reason
//! says what the others give.
//!
//! Complexity: O(seeds log seeds) a claim; the runs themselves are [`job::heads_published`]'s.

use super::{Agreement, Claim, Figure};
use crate::heads::rule_name;
use engine::problem::head_sizes::HeadLayer;
use engine::units::percent;
use job::head_placement::Variant;
use job::heads_published::{EDGE_SHARD, Measured, RESOURCE_AWARE, Reading, Size};
use job::heads_run::{Init, Strategy};
use story::{Cell, Column, Table};

const SMALL: &str = "section V, small networks";
const MEDIUM: &str = "section V, 25 devices";

const LOAD_AWARE: Strategy = Strategy::Algorithm1 {
    variant: Variant::LoadAware,
};

/// A statement of the paper and the number that decides it here.
struct Statement {
    name: &'static str,
    source: &'static str,
    ours: Option<f64>,
    holds: fn(f64) -> bool,
    reason: String,
}

impl Statement {
    fn claim(self) -> Claim {
        let holds = self.ours.map(self.holds);
        Claim {
            name: self.name,
            source: self.source,
            published: Figure::Holds(true),
            ours: Figure::holds(holds),
            yours: Figure::Missing,
            agreement: holds.map_or(Agreement::NotRun, |holds| {
                Agreement::of_statement(Some(holds))
            }),
            reason: match self.ours {
                Some(_) => self.reason,
                None => String::new(),
            },
        }
    }
}

/// How far behind the best, in words: "19 % (62 % with a tenth of the ffn, …)".
fn behind(measured: &Measured, strategy: Strategy) -> String {
    let share = |reading: Reading| {
        let ratio = measured.ratio(reading, Size::Small, strategy)?;
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
fn takes(measured: &Measured, strategy: Strategy) -> String {
    let each: Vec<String> = Reading::ALL
        .iter()
        .filter_map(|reading| {
            let seconds = measured.seconds(*reading, Size::Medium, strategy)?;
            Some(format!("{seconds:.0} s with {}", reading.name()))
        })
        .collect();
    format!("{}: {}.", rule_name(strategy), each.join(", "))
}

/// The claims, in the order of the paper.
#[must_use]
pub fn claims(measured: &Measured) -> Vec<Claim> {
    let mut claims: Vec<Claim> = small(measured).into_iter().map(Statement::claim).collect();
    claims.extend(medium(measured).into_iter().map(Statement::claim));
    claims.push(speed_up(measured));
    claims.extend(memory());
    claims
}

fn small(measured: &Measured) -> Vec<Statement> {
    let ratio = |strategy| measured.ratio(Reading::Full, Size::Small, strategy);
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
    let far = |ratio: f64| (1.4..=1.6).contains(&ratio);
    let baseline = |name, strategy: Strategy| Statement {
        name,
        source: SMALL,
        ours: ratio(strategy),
        holds: far,
        reason: behind(measured, strategy),
    };
    vec![
        Statement {
            name: "Resource-aware is 15 to 20 % behind the best",
            source: SMALL,
            ours: ratio(RESOURCE_AWARE),
            holds: |ratio| (1.145..1.205).contains(&ratio),
            reason: format!("{}{dynamic}{load_aware}", behind(measured, RESOURCE_AWARE)),
        },
        baseline("Greedy is 40 to 60 % behind", Strategy::Greedy),
        baseline("Round robin is 40 to 60 % behind", Strategy::RoundRobin),
        baseline(
            "Static is 40 to 60 % behind",
            Strategy::Static {
                init: Init::Algorithm1(Variant::WithMigration),
            },
        ),
        baseline("Dynamic is 40 to 60 % behind", Strategy::Dynamic),
    ]
}

fn medium(measured: &Measured) -> Vec<Statement> {
    let seconds = |strategy| measured.seconds(Reading::Full, Size::Medium, strategy);
    // The ffn is one block, and no device of the range computes faster than 50 G operations/s.
    let least = {
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
    };
    let galaxy = Strategy::Galaxy { devices: 4 };
    vec![
        Statement {
            name: "Resource-aware needs less than 200 s for 1000 tokens",
            source: MEDIUM,
            ours: seconds(RESOURCE_AWARE),
            holds: |seconds| seconds < 200.0,
            reason: format!(
                "{} {} {}{least}",
                takes(measured, RESOURCE_AWARE),
                takes(measured, LOAD_AWARE),
                takes(measured, Strategy::Exact)
            ),
        },
        Statement {
            name: "EdgeShard needs more than 1000 s",
            source: MEDIUM,
            ours: seconds(EDGE_SHARD[0]),
            holds: |seconds| seconds > 1000.0,
            reason: format!(
                "{} An arbitrary device gives more: {}",
                takes(measured, EDGE_SHARD[0]),
                takes(measured, EDGE_SHARD[1])
            ),
        },
        Statement {
            name: "Galaxy needs 400 to 600 s",
            source: MEDIUM,
            ours: seconds(galaxy),
            holds: |seconds| (400.0..=600.0).contains(&seconds),
            reason: format!(
                "{} {} It splits proj and ffn, which no placement of whole blocks does.",
                takes(measured, galaxy),
                takes(measured, Strategy::Galaxy { devices: 2 })
            ),
        },
    ]
}

/// The largest factor that is claimed, beside EdgeShard on the device it would choose itself.
fn speed_up(measured: &Measured) -> Claim {
    const PUBLISHED: f64 = 10.0;
    let factor = |reading: Reading, shard: Strategy, ours: Strategy| {
        let shard = measured.seconds(reading, Size::Medium, shard)?;
        Some(shard / measured.seconds(reading, Size::Medium, ours)?)
    };
    let ours = factor(Reading::Full, EDGE_SHARD[0], RESOURCE_AWARE);
    let nearest: Vec<String> = Reading::ALL
        .iter()
        .filter_map(|reading| {
            let factor = factor(*reading, EDGE_SHARD[1], LOAD_AWARE)?;
            Some(format!("{factor:.1} with {}", reading.name()))
        })
        .collect();
    Claim {
        name: "Up to 9 or 10 times as fast as EdgeShard",
        source: MEDIUM,
        published: Figure::Quantity(PUBLISHED, 0, "times"),
        ours: ours.map_or(Figure::Missing, |ours| Figure::Quantity(ours, 2, "times")),
        yours: Figure::Missing,
        agreement: ours.map_or(Agreement::NotRun, |ours| {
            Agreement::of_relative(PUBLISHED, 0, Some(ours))
        }),
        reason: match nearest.is_empty() {
            true => String::new(),
            false => format!(
                "On equal terms, EdgeShard on the fastest device. Nearest: EdgeShard on an arbitrary device beside the score \
                 that sees the load, {}.",
                nearest.join(", ")
            ),
        },
    }
}

/// Memory of all devices together after 100 tokens, which needs no run: one copy of each block, wherever it is.
fn memory() -> Vec<Claim> {
    let layer = HeadLayer::new(Reading::Full.layer()).ok();
    let total = |n: u32| layer.map(|layer| layer.sizes(n).all_memory(layer.form().h));
    let ours = total(100).map(|bytes| bytes / 1e9);
    let heads: Option<f64> = layer.map(|layer| {
        let each = (1..=100).map(|n| layer.sizes(n).m_head);
        each.sum::<f64>() * f64::from(layer.form().h)
    });
    let accumulated = heads.map_or(String::new(), |bytes| {
        format!(
            " Heads that are never released but reserved anew for each of the 100 tokens would come to {:.2} GiB.",
            bytes / 1024_f64.powi(3)
        )
    });
    let figure = |gb: Option<f64>| gb.map_or(Figure::Missing, |gb| Figure::Quantity(gb, 3, "GB"));
    let same = "It does not depend on the placement: each block exists once.";
    vec![
        Claim {
            name: "Total memory of resource-aware after 100 tokens",
            source: MEDIUM,
            published: Figure::Quantity(6.0, 0, "GB"),
            ours: figure(ours),
            yours: Figure::Missing,
            agreement: Agreement::of_relative(6.0, 0, ours),
            reason: format!("{same}{accumulated}"),
        },
        Claim {
            name: "Total memory of EdgeShard and Galaxy is above 7 GB",
            source: MEDIUM,
            published: Figure::Holds(true),
            ours: Figure::holds(ours.map(|gb| gb > 7.0)),
            yours: Figure::Missing,
            agreement: Agreement::of_statement(ours.map(|gb| gb > 7.0)),
            reason: same.to_owned(),
        },
    ]
}

/// Every strategy under every reading: seconds over the networks of a size, and how many times the exact one's.
#[must_use]
pub fn table(measured: &Measured, size: Size) -> Table {
    let mut columns = vec![
        Column::new("reading", "model", ""),
        Column::new("strategy", "strategy", ""),
    ];
    columns.extend([
        Column::new("ratio_mean", "× optimum, mean", ""),
        Column::new("ratio_median", "× optimum, median", ""),
        Column::new("mean_s", "mean", "s"),
        Column::new("min_s", "least", "s"),
        Column::new("max_s", "most", "s"),
        Column::new("peak_mb", "most memory on a device", "MB"),
        Column::new("moves", "blocks moved", ""),
        Column::new("networks", "networks", ""),
    ]);
    let decimals = match size {
        Size::Small => 2,
        Size::Medium => 0,
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
    Table {
        name: match size {
            Size::Small => "heads_small_networks",
            Size::Medium => "heads_medium_networks",
        },
        title: match size {
            Size::Small => "Three to five devices, 4 tokens".to_owned(),
            Size::Medium => "25 devices, 1000 tokens".to_owned(),
        },
        columns,
        rows,
    }
}

/// What has to be said wherever these figures are shown.
#[must_use]
pub const fn note() -> &'static str {
    "The paper's Table I counts a full pass over all tokens at every step, as if nothing were cached, and a cache as wide as \
     the model for every head; its equation (6) leaves out the time in which proj and ffn compute. Networks are drawn \
     here from the ranges it gives, twenty of each size; its own are not published."
}
