//! The published splits beside ours, under every reading of the machines' speeds that was tried.

use super::split;
use crate::data_table::records;
use document::{Cell, Claims};
use engine::problem::TierPartition;
use engine::problem::tier_costs::{FULL_MODEL, R16, REQUEST, TierCosts, TierNode};
use methods::tiers::partition::baseline;
use planner::tiers_published::{LLAMA, PHI};
use presenters::published::hyperion::{NOTES, best, readings, readings_table, regions, splits};
use presenters::published::{Agreement, Figure, claim_row};

#[test]
fn every_reading_gives_the_splits_that_are_written_down() {
    let data = include_str!("../../data/hyperion_splits.csv");
    let (_, rows) = records(data);
    let readings = readings();
    assert_eq!(rows.len(), readings.len());
    for (row, reading) in rows.iter().zip(readings) {
        assert_eq!(&row[0], reading.name);
        let speeds = [1, 2, 3].map(|at| row[at].parse::<f64>().expect("a speed"));
        for (speed, printed) in reading.speeds.iter().zip(speeds) {
            assert!((speed - printed).abs() < 1e-9, "{}", reading.name);
        }
        for (published, column) in [(LLAMA.split(), 4), (PHI.split(), 5)] {
            let found = best(published, reading.speeds).expect("a split");
            let counts: Vec<String> = found.counts.iter().map(usize::to_string).collect();
            assert_eq!(counts.join("/"), row[column], "{}", reading.name);
            if let Ok(printed) = row[column + 2].parse::<f64>() {
                let off = (found.published_worse_pct - printed).abs();
                assert!(off < 0.0501, "{}: {found:?}", reading.name);
            }
        }
    }
}

#[test]
fn neither_published_split_follows_from_the_tops() {
    let claims = splits();
    for (claim, (paper, ours)) in claims.iter().zip([(LLAMA, "5/12/15"), (PHI, "6/15/19")]) {
        assert_eq!(claim.published, Figure::split(&paper.split()));
        assert_eq!(
            (claim.ours.text(), claim.agreement),
            (ours.to_owned(), Agreement::NotReproduced)
        );
    }
    let plain = |text: &str| text.replace('\u{202f}', " ").replace('\u{2019}', "'");
    assert_eq!(
        plain(&claims[0].reason),
        "The published split's slowest tier takes 17.8 % longer than necessary. It is the best split for: memory rate."
    );
    assert!(
        claims[1].reason.contains("blend of TOPS"),
        "{}",
        claims[1].reason
    );
    let rows = claims.iter().map(claim_row).collect();
    let table = Claims::new("claims", "Splits", rows).table();
    assert_eq!(table.rows[0][3], Cell::text("5/12/15"));
    let rows = readings_table().rows;
    assert_eq!(rows.len(), 10);
    let last: Vec<[Cell; 2]> = rows[7..]
        .iter()
        .map(|row| [row[2].clone(), row[4].clone()])
        .collect();
    let pair = |llama: &str, phi: &str| [Cell::text(llama), Cell::text(phi)];
    assert_eq!(
        last,
        [
            pair("6/9/17", "7/11/22"),
            pair("5/9/18", "7/13/20"),
            pair("5/9/18", "6/11/23")
        ]
    );
    assert!(NOTES.iter().all(|text| text.len() > 100));
}

#[test]
fn no_one_set_of_speeds_gives_both() {
    let [llama, phi] = regions(0.005).map(|region| region.expect("somewhere it is best"));
    let near = |a: (f64, f64), b: (f64, f64)| {
        assert!(
            (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9,
            "{a:?}, printed {b:?}"
        );
    };
    near(llama.first, (0.25, 0.385));
    near(llama.second, (0.45, 0.555));
    near(phi.first, (0.335, 0.45));
    near(phi.second, (0.62, 0.75));
    assert!(llama.second.1 < phi.second.0, "the note says so");
}

#[test]
fn the_head_moves_a_block_from_the_last_tier_and_memory_alone_gives_the_same_as_its_rate() {
    let node = |tops, bandwidth_gb_s, usable_gb| TierNode {
        tops,
        bandwidth_gb_s,
        usable_gb,
        ..TierNode::default()
    };
    let nodes = [
        node(67.0, 68.0, 5.2),
        node(157.0, 102.4, 13.0),
        node(200.0, 204.8, 28.0),
    ];
    for (name, with_head, by_memory) in [
        ("Llama-3-8B", "6/9/17", "5/9/18"),
        ("Phi-3-medium-4k", "7/11/22", "6/11/23"),
    ] {
        let entry = engine::model::catalog::find(name).expect("a model");
        let model = entry.into();
        let costs = TierCosts::dense(&model, &R16, &REQUEST);
        let hops = [Default::default(); 2];
        let problem = costs.partition(&nodes, &hops, FULL_MODEL).expect("valid");
        let blocks = problem.blocks();
        let (cuts, _) = super::exact(&problem, Default::default()).expect("a partition");
        assert_eq!(split(&cuts, blocks), with_head, "{name}");
        let ones = vec![1.0; blocks];
        let shares = TierPartition::new(&ones, &ones, &[1.0; 3], &[8.0, 16.0, 32.0]);
        let cuts = baseline::memory_proportional(&shares.expect("valid"));
        assert_eq!(split(&cuts, blocks), by_memory, "{name}");
    }
}
