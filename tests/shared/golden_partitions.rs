//! Partitions that must be the same to the last bit on every machine, in `tests/data/golden_partitions.json`, a case a
//! line: the exact answer by either objective, HypSplit-DP's, and the front.

use super::golden::compared;
use super::instances::Draw;
use super::tier_partitions::{Make, numbers};
use engine::hardware::catalog::KNOWN_DEVICES;
use engine::model::catalog::find;
use engine::problem::TierPartition;
use engine::problem::tier_costs::{FULL_MODEL, Passes, R16, REQUEST, T2, TierCosts, TierNode};
use engine::solve::NoProgress;
use planner::tiers_partition::{Method, Objective, TiersPartitionOptions, answer, front};

/// The file.
pub const FILE: &str = include_str!("../data/golden_partitions.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for name in ["Llama-3-8B", "Phi-3-medium-4k"] {
        let model = find(name).expect("a model of the catalogue").into();
        for profile in [R16, T2] {
            let costs = TierCosts::dense(&model, &profile, &REQUEST);
            let problem = costs
                .partition(&jetsons(), &[Passes::default(); 2], FULL_MODEL)
                .expect("a valid problem");
            lines.push(line(&format!("{name}, {}", profile.name), &problem));
        }
    }
    for (seed, make) in (0..36_u64).zip(Make::ALL.into_iter().cycle()) {
        let mut draw = Draw::new(seed);
        let (tiers, blocks) = (draw.whole(1, 6), draw.whole(1, 24));
        let problem = numbers(make, &mut draw, tiers, blocks)
            .problem()
            .with_empty_tiers(draw.one_in(3));
        let name = format!("seed {seed}, {make:?}, {tiers} tiers, {blocks} blocks");
        lines.push(line(&name, &problem));
    }
    lines
}

/// Nano, NX and AGX.
fn jetsons() -> Vec<TierNode> {
    ["Nano", "NX", "AGX"]
        .iter()
        .filter_map(|short| KNOWN_DEVICES.iter().find(|known| known.short == *short))
        .filter_map(|known| {
            Some(TierNode {
                tops: known.tops?,
                bandwidth_gb_s: known.bandwidth_gb_s?,
                usable_gb: known.usable_gb?,
                ..TierNode::default()
            })
        })
        .collect()
}

/// One case. Numbers are printed so that they read back to the same bits.
fn line(name: &str, problem: &TierPartition) -> String {
    let of = |method, objective| {
        let options = TiersPartitionOptions {
            method,
            objective,
            ..TiersPartitionOptions::default()
        };
        let answer = answer(problem, &options, &mut NoProgress);
        serde_json::to_string(&answer).expect("plain data serialises")
    };
    let points: Vec<(f64, f64, Vec<usize>)> = front(problem, 20)
        .into_iter()
        .map(|point| (point.bottleneck, point.sum, point.cuts))
        .collect();
    // Put together by hand: the order of fields in a map depends on how the JSON library was built.
    format!(
        r#"{{"case":{name:?},"max":{},"sum":{},"hypsplit":{},"front":{}}}"#,
        of(Method::Exact, Objective::Max),
        of(Method::Exact, Objective::Sum),
        of(Method::HypSplit, Objective::Max),
        serde_json::to_string(&points).expect("plain data serialises"),
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
