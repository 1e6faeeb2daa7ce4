//! `spread`: numbers that are only known to be in ranges, from a link or a file, in three forms of answer.

use super::{Ran, edgewise, file};
use crate::cold_spread::{paper_with_ranges, span};
use engine::scenario::ranges::Place;
use engine::scenario::world::World;
use engine::scenario::{Span, link, presets, tiers};
use serde_json::Value;

fn spread(source: &str, more: &[&str]) -> Ran {
    let arguments: Vec<&str> = ["spread", source].iter().chain(more).copied().collect();
    edgewise(&arguments, "")
}

#[test]
fn a_link_and_a_file_say_the_same_and_every_number_comes_with_its_command() {
    let scenario = paper_with_ranges();
    let by_link = spread(&link::of(&scenario), &["--draws", "60"]);
    assert_eq!((by_link.code, by_link.err.as_str()), (0, ""), "{by_link:?}");
    let path = file("spread.json", scenario.to_json());
    assert_eq!(spread(&path, &["--draws", "60"]).out, by_link.out);
    for said in [
        "First answer in ",
        "in 90\u{202f}% of cases; this plan stays the fastest in ",
        "Most worth measuring: D",
        "60 draws were solved, and all 64 corners of the ranges",
        "fio --name=load --filename=MODEL.gguf --readonly",
        "llama-tokenize -m MODEL.gguf -f PROMPT.txt --show-count",
        "iperf3 -c HOST -t 20",
        "the plan on show",
    ] {
        assert!(by_link.out.contains(said), "{said}: {}", by_link.out);
    }

    let document = spread(&path, &["--draws", "60", "--seed", "5", "--format", "json"]).answer();
    assert_eq!(document["draws"], 60);
    assert_eq!(document["seed"], 5);
    assert_eq!(document["corners"], 64);
    let written: Value = serde_json::from_str(&scenario.to_json()).expect("JSON");
    assert_eq!(document["scenario"], written);
    let ranges = document["ranges"].as_array().expect("a list");
    let paths: Vec<&str> = ranges.iter().filter_map(|r| r["path"].as_str()).collect();
    assert_eq!(paths.len(), 6);
    assert!(paths.contains(&"devices[2].ranges.r_mb_s") && paths.contains(&"ranges.channel.mu"));
    let inputs = document["inputs"].as_array().map(Vec::len);
    assert_eq!(inputs, Some(6));
    let stays = document["stays"].as_u64().expect("a count");
    let other = spread(&path, &["--draws", "60", "--seed", "6", "--format", "json"]).answer();
    assert!(stays <= 60 && other["mean_regret"] != document["mean_regret"]);

    let table = spread(&path, &["--draws", "60", "--format", "csv"]);
    assert_eq!(table.code, 0);
    let mut lines = table.out.lines();
    let head = lines.next().unwrap_or_default();
    assert!(
        head.starts_with("input,value,low,high,unit,worth knowing [ms]"),
        "{head}"
    );
    assert_eq!(lines.count(), 6);
}

#[test]
fn other_questions_are_drawn_in_the_same_three_forms() {
    let mut world = World::of(&tiers::presets::paper().into());
    let view = world.view(world.question).expect("a view");
    let all = world.spots(&view).into_iter();
    let mut rates = all.filter(|known| known.location.key == "bandwidth_gb_s");
    let known = rates.next_back();
    let known = known.expect("a memory rate");
    let range = Span::from((0.5 * known.value, 2.0 * known.value));
    world
        .put_range(&view, &known, Some(range))
        .expect("a range");
    let by_link = spread(&link::encode(&world), &["--draws", "60"]);
    assert_eq!((by_link.code, by_link.err.as_str()), (0, ""), "{by_link:?}");
    let path = file("spread-tiers.json", world.to_json());
    assert_eq!(spread(&path, &["--draws", "60"]).out, by_link.out);
    for said in [
        "Slowest stage: median ",
        "of draws between ",
        "memory rate explains about ",
        "60 draws, each planned anew",
    ] {
        assert!(by_link.out.contains(said), "{said}: {}", by_link.out);
    }
    let document = spread(&path, &["--draws", "60", "--seed", "5", "--format", "json"]).answer();
    assert_eq!(
        (&document["draws"], &document["seed"]),
        (&60.into(), &5.into())
    );
    assert_eq!(document["ranges"][0]["low"], 0.5 * known.value);
    let other = spread(&path, &["--draws", "60", "--seed", "6", "--format", "json"]).answer();
    assert_ne!(other["quantiles"], document["quantiles"]);
    let table = spread(&path, &["--draws", "60", "--format", "csv"]);
    assert_eq!((table.code, table.out.lines().count()), (0, 2));
}

#[test]
fn invalid_ranges_are_refused_with_the_reason() {
    let paper = spread(&link::of(&presets::paper()), &[]);
    assert_eq!((paper.code, paper.out.as_str()), (2, ""));
    assert!(
        paper
            .complaint()
            .starts_with("ranges must hold at least one range"),
        "{paper:?}"
    );

    let mut off = presets::paper();
    off.set_span(&Place::of_device(3, "r_mb_s"), span(1000.0, 3000.0));
    off.devices[3].off = true;
    let off = spread(&link::of(&off), &["--format", "json"]);
    assert_eq!(off.code, 2);
    assert!(
        off.complaint().contains("of a device that is not off"),
        "{off:?}"
    );
    assert_eq!(off.json()["error"]["path"], "ranges");

    let tiers = spread(&link::of(&tiers::presets::paper()), &[]);
    assert_eq!(tiers.code, 2);
    assert!(
        tiers
            .complaint()
            .starts_with("ranges must hold at least one range"),
        "{tiers:?}"
    );

    let link = link::of(&paper_with_ranges());
    for (option, value) in [
        ("--draws", "49"),
        ("--draws", "2001"),
        ("--seed", "-1"),
        ("--format", "trace"),
    ] {
        let ran = spread(&link, &[option, value]);
        assert_eq!(ran.code, 2, "{option} {value}");
        assert!(ran.complaint().contains(value), "{ran:?}");
    }

    // Nothing fits with the numbers as they stand.
    let mut small = paper_with_ranges();
    small
        .devices
        .iter_mut()
        .for_each(|device| device.m_gb = 1.0);
    let small = spread(&link::of(&small), &[]);
    assert_eq!(small.code, 3);
    assert!(
        small
            .complaint()
            .contains("there is no plan for the given numbers"),
        "{small:?}"
    );
}
