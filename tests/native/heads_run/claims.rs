//! What the paper publishes beside what is computed here: missing before the runs, judged after them, and the table.

use planner::heads_published::{
    HeadsMeasure, HeadsMeasurements, ModelSize, RESOURCE_AWARE, Reading, SEEDS,
};
use planner::heads_run::Strategy;
use presenters::heads::rule_name as name;
use presenters::published::headwise::{NOTES, claims, table};
use presenters::published::{Agreement, Figure, PublishedClaim};
use std::ops::ControlFlow;

/// Takes the first `most` networks of a measure in.
fn measure(measured: &mut HeadsMeasurements, reading: Reading, size: ModelSize, most: usize) {
    let measure = HeadsMeasure { reading, size };
    for part in measure.network_runs().into_iter().take(most) {
        let runs = measure.run(part, &mut |_| ControlFlow::Continue(()));
        measured.add(
            measure,
            part,
            runs.expect("valid").expect("nobody stops it"),
        );
    }
}

#[track_caller]
fn find<'a>(claims: &'a [PublishedClaim], words: &str) -> &'a PublishedClaim {
    let found = claims.iter().find(|claim| claim.name.contains(words));
    found.unwrap_or_else(|| panic!("no claim says {words:?}"))
}

#[test]
fn before_any_run_only_what_needs_none_is_known() {
    let all = claims(&HeadsMeasurements::default());
    let known: Vec<&PublishedClaim> = all
        .iter()
        .filter(|claim| claim.ours != Figure::Missing)
        .collect();
    assert_eq!(known.len(), 2, "total memory");
    assert!(all.len() > 9);
    for claim in &all {
        let missing = claim.ours == Figure::Missing;
        assert_eq!(
            missing,
            claim.agreement == Agreement::NotRun,
            "{}",
            claim.name
        );
        assert!(!missing || claim.reason.is_empty(), "{claim:?}");
    }
    let memory = find(&all, "Total memory of resource-aware");
    let Figure::Quantity(ours, 3, "GB") = memory.ours else {
        panic!("{memory:?}");
    };
    assert!((ours - 0.087).abs() < 0.0005, "{ours}");
    assert!(memory.reason.contains("6.18 GiB"), "{}", memory.reason);
    assert_eq!(memory.agreement, Agreement::NotReproduced);
    assert_eq!(find(&all, "above 7 GB").agreement, Agreement::NotReproduced);
    assert!(
        table(&HeadsMeasurements::default(), ModelSize::Small)
            .rows
            .is_empty()
    );
    assert!(NOTES[0].contains("Table I"));
}

#[test]
fn claims_about_small_networks_are_judged_by_all_of_them() {
    let mut measured = HeadsMeasurements::default();
    for reading in Reading::ALL {
        measure(&mut measured, reading, ModelSize::Small, 60);
    }
    let all = claims(&measured);
    let ours = find(&all, "15 to 20 %");
    // One variant is in the range, the one that is printed is not.
    assert_eq!(ours.agreement, Agreement::InPart, "{ours:?}");
    for words in ["19", "62", "145", "18", "1.2", "23.0"] {
        assert!(ours.reason.contains(words), "{words}: {}", ours.reason);
    }
    // Means of 90 % and 19 % behind are none of 40 to 60 %; the median of Round-Robin is, and a tenth of the ffn brings the
    // others there.
    for (words, reproduced) in [
        ("Greedy is 40 to 60 % behind", None),
        (
            "Round robin is 40 to 60 % behind",
            Some("Round-Robin with Table I, medians of ratios"),
        ),
        ("Static is", Some("Static with Table I, a tenth of the ffn")),
        ("Dynamic is", Some("with Table I, a tenth of the ffn")),
    ] {
        let claim = find(&all, words);
        let expected = match reproduced {
            Some(_) => Agreement::InPart,
            None => Agreement::NotReproduced,
        };
        assert_eq!(claim.agreement, expected, "{claim:?}");
        assert!(
            claim.reason.contains(reproduced.unwrap_or("%")),
            "{claim:?}"
        );
    }
    // Beside Algorithm 1 the average decides.
    let beside = find(&all, "Greedy is 40 to 60 % behind resource-aware");
    assert_eq!(
        beside.ours.text().replace('\u{202f}', " "),
        "39.3 to 59.0 %"
    );
    assert_eq!(beside.agreement.text(), "1.0 points off", "{beside:?}");
    assert_eq!(find(&all, "Galaxy needs").agreement, Agreement::NotRun);
    // What comes network by network is passed on when it is whole, and not before.
    let (mut coming, mut whole) = (HeadsMeasurements::default(), HeadsMeasurements::default());
    let first = HeadsMeasure {
        reading: Reading::Full,
        size: ModelSize::Small,
    };
    let mut passed = Vec::new();
    let of_first = measured.of(first.reading, first.size).expect("measured");
    for (part, runs) in first.network_runs().into_iter().zip(of_first.runs()) {
        coming.add(first, part, runs.clone());
        passed.push(coming.pass_on(first, &mut whole));
        assert_eq!(
            whole.of(first.reading, first.size).is_some(),
            passed[passed.len() - 1]
        );
    }
    assert_eq!(passed.iter().position(|passed| *passed), Some(59));
    assert_eq!(whole.of(first.reading, first.size), Some(of_first));
    assert_eq!(coming, HeadsMeasurements::default());
    let ratio = measured.ratio(Reading::Full, ModelSize::Small, RESOURCE_AWARE);
    assert!((ratio.expect("measured") - 1.192).abs() < 0.0006);
    assert_eq!(
        measured.seconds(Reading::Full, ModelSize::Medium, RESOURCE_AWARE),
        None
    );
    let table = table(&measured, ModelSize::Small);
    assert_eq!(table.rows.len(), 4 * 13);
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
    assert_eq!(table.rows[0][9].display_text(), "60");
    assert!(table.to_csv().lines().count() > 50);
    let text = serde_json::to_string(&measured).expect("numbers and words");
    assert_eq!(
        serde_json::from_str::<HeadsMeasurements>(&text).expect("it was"),
        measured
    );
}

#[test]
fn claims_about_medium_networks_come_with_every_reading_measured() {
    let measure_of = HeadsMeasure {
        reading: Reading::Full,
        size: ModelSize::Medium,
    };
    let parts = measure_of.network_runs();
    assert_eq!(parts.len() as u64, SEEDS);
    assert!(parts.iter().all(|part| part.devices == 25));
    let mut measured = HeadsMeasurements::default();
    measure(&mut measured, Reading::Full, ModelSize::Medium, 1);
    let first = claims(&measured);
    measure(&mut measured, Reading::Ffn08, ModelSize::Medium, 1);
    let all = claims(&measured);
    let ours = find(&all, "less than 200 s");
    let seconds = measured.seconds(Reading::Full, ModelSize::Medium, RESOURCE_AWARE);
    let seconds = seconds.expect("measured");
    assert_eq!(
        (ours.ours, ours.agreement),
        (Figure::Quantity(seconds, 0, "s"), Agreement::NotReproduced)
    );
    for words in [
        "1330 s with Table I",
        "with Table I, a tenth of the ffn",
        "for 426 s",
    ] {
        assert!(ours.reason.contains(words), "{words}: {}", ours.reason);
    }
    assert!(!find(&first, "less than 200 s").reason.contains("a tenth"));
    // Seed 1 is the slowest network: 1299 s or 1292 s are above 1000, and Galaxy on four devices needs 450.
    assert_eq!(find(&all, "EdgeShard needs").agreement, Agreement::Agrees);
    // On two devices it needs more, so that one reading holds and the other does not.
    assert_eq!(find(&all, "Galaxy needs").agreement, Agreement::InPart);
    let factor = find(&all, "times as fast");
    let Figure::Quantity(times, 2, "times") = factor.ours else {
        panic!("{factor:?}");
    };
    assert!((0.9..1.1).contains(&times), "{times}");
    assert!(
        factor.reason.contains("otherwise at most "),
        "{}",
        factor.reason
    );
    let stopped = measure_of.run(parts[0], &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped, Ok(None));
}

#[test]
fn every_strategy_has_a_name_of_its_own() {
    let measure = HeadsMeasure {
        reading: Reading::Full,
        size: ModelSize::Small,
    };
    let strategies: Vec<Strategy> = measure.strategies();
    let mut names: Vec<String> = strategies.iter().map(|one| name(*one)).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), strategies.len());
}
