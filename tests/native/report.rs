//! Reports hold what the answer holds: tables and traces read back to the same numbers, reasons add up and
//! come true when a number is changed.

use crate::instances::{Draw, Instance, Kind, instance};
use document::{Cell, Table, TableColumn};
use engine::plan::StageTiming;
use engine::problem::{ColdStart, HeuristicReading};
use engine::scenario::presets;
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{Answer, ColdStartMethod, answer, evaluate};
use presenters::cold_start::figures::figures;
use presenters::cold_start::reasons::{PacePart, advice, levers, shares};
use presenters::cold_start::tables as table;
use presenters::cold_start::trace::trace;
use serde_json::Value;

fn answered(problem: &ColdStart) -> Answer {
    answer(
        problem,
        ColdStartMethod::Exact,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    )
}

fn paper() -> (ColdStart, Answer) {
    let problem = presets::paper().problem().expect("the paper's is valid");
    let answer = answered(&problem);
    (problem, answer)
}

/// Random instances that have a plan, with it.
fn planned(seed: u64, rounds: usize) -> Vec<(Instance, Vec<StageTiming>, Answer)> {
    let mut draw = Draw::new(seed);
    let mut made = Vec::new();
    for _ in 0..rounds {
        for kind in Kind::ALL {
            let (devices, layers) = (draw.whole(1, 5), draw.whole(1, 12));
            let instance = instance(kind, &mut draw, devices, layers);
            let answer = answered(&instance.problem());
            if let Some(timeline) = answer.timeline.clone() {
                made.push((instance, timeline, answer));
            }
        }
    }
    assert!(made.len() > 3 * rounds, "only {} plans", made.len());
    made
}

fn total(timeline: &[StageTiming]) -> f64 {
    timeline.last().expect("a plan has stages").finish
}

/// Reads a table's CSV and JSON back and compares every cell with the table, numbers to the bit.
fn assert_reads_back(table: &Table) {
    let csv = table.to_csv();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().expect("a head").clone();
    let expected: Vec<String> = table.columns.iter().map(TableColumn::with_unit).collect();
    assert_eq!(heads.iter().collect::<Vec<_>>(), expected);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let json: Value = serde_json::from_str(&table.to_json()).expect("JSON");
    assert_eq!(json["table"], table.name);
    let objects = json["rows"].as_array().expect("rows");
    assert_eq!(
        (rows.len(), objects.len()),
        (table.rows.len(), table.rows.len())
    );
    for ((cells, row), object) in table.rows.iter().zip(&rows).zip(objects) {
        assert_eq!(cells.len(), table.columns.len());
        for ((cell, column), text) in cells.iter().zip(&table.columns).zip(row) {
            let value = &object[column.key];
            match cell {
                Cell::Number(number, _) => {
                    let read: f64 = text.parse().expect("a number");
                    assert_eq!(read.to_bits(), number.to_bits(), "{text}");
                    let read = value.as_f64().expect("a number");
                    assert_eq!(read.to_bits(), number.to_bits(), "{value}");
                }
                Cell::Text(words) => {
                    assert_eq!(text.trim_start_matches('\''), words);
                    assert_eq!(value, words);
                }
                Cell::Missing => assert_eq!((text, value), ("", &Value::Null)),
            }
        }
    }
    let keys: std::collections::BTreeSet<_> = table.columns.iter().map(|c| c.key).collect();
    assert_eq!(keys.len(), table.columns.len(), "keys are told apart");
}

#[test]
fn tables_read_back_to_the_same_bits() {
    for (instance, timeline, answer) in planned(1, 20) {
        let problem = instance.problem();
        assert_reads_back(&table::timeline(&problem, &answer));
        assert_reads_back(&table::comparison(&problem, &answer));
        let x = TableColumn::new("tokens", "prompt length", "tokens");
        let answers = [(256.0, Some(&answer)), (512.0, None)];
        assert_reads_back(&table::sweep(&problem, x, 0, answers));
        assert_reads_back(&presenters::cold_start::reasons::table(&problem, &timeline));
    }
}

/// The spans of a thread: name, beginning and end in nanoseconds.
type Span = (String, i64, i64);

fn spans(trace: &Value, thread: usize) -> Vec<Span> {
    let events = trace["traceEvents"].as_array().expect("events");
    let of_thread = events
        .iter()
        .filter(|event| event["ph"] == "X" && event["tid"] == thread && event["pid"] == 1);
    let ns = |value: &Value| {
        let exact = 1e3 * value.as_f64().expect("a time");
        assert!(
            (exact - exact.round()).abs() < 1e-3,
            "{value} is no nanosecond"
        );
        exact.round() as i64
    };
    of_thread
        .map(|event| {
            let name = event["name"].as_str().expect("a name").to_owned();
            let begin = ns(&event["ts"]);
            (name, begin, begin + ns(&event["dur"]))
        })
        .collect()
}

#[test]
fn a_trace_holds_the_phases_of_the_timeline_and_its_events_nest() {
    // Random instances take any time; a trace is for those that somebody waits for.
    let of_a_kind = |total: f64| (1e-6..1e4).contains(&total);
    let mut seen = 0;
    for (instance, timeline, answer) in planned(2, 20) {
        if !of_a_kind(total(&timeline)) {
            continue;
        }
        seen += 1;
        let problem = instance.problem();
        let text = trace(&problem, &answer).to_json();
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read["displayTimeUnit"], "ms");
        for (n, stage) in timeline.iter().enumerate() {
            let ns = |s: f64| (s * 1e9).round() as i64;
            let arrived = stage.start + stage.comm;
            let end = stage.finish + stage.idle_after;
            let expected: Vec<Span> = [
                ("load", 0.0, stage.load),
                ("stall", stage.load - stage.stall, stage.load),
                ("wait", stage.load, stage.start),
                ("transfer", stage.start, arrived),
                ("compute", arrived, stage.finish),
                ("free", stage.finish, end),
            ]
            .into_iter()
            .map(|(name, from, to)| (name.to_owned(), ns(from), ns(to)))
            .filter(|(_, from, to)| to > from)
            .collect();
            let found = spans(&read, n + 1);
            assert_eq!(found, expected);
            for (at, (_, from, to)) in found.iter().enumerate() {
                for (_, a, b) in &found[at + 1..] {
                    let apart = a >= to || b <= from;
                    let inside = a >= from && b <= to;
                    assert!(apart || inside, "events overlap in part: {found:?}");
                }
            }
        }
    }
    assert!(seen > 20, "only {seen} plans");
}

#[test]
fn a_trace_names_its_threads_in_running_order() {
    let (problem, answer) = paper();
    let read: Value = serde_json::from_str(&trace(&problem, &answer).to_json()).expect("JSON");
    let events = read["traceEvents"].as_array().expect("events");
    let named = |what: &str, field: &str| -> Vec<Value> {
        let of_kind = events
            .iter()
            .filter(|e| e["ph"] == "M" && e["name"] == what);
        of_kind.map(|event| event["args"][field].clone()).collect()
    };
    assert_eq!(named("process_name", "name"), ["cold start"]);
    assert_eq!(
        named("thread_name", "name"),
        [
            "D3, layers 1-7",
            "D4, layers 8-12",
            "D1, layers 13-27",
            "D2, layers 28-40"
        ]
    );
    assert_eq!(named("thread_sort_index", "sort_index"), [1, 2, 3, 4]);
    let load = events
        .iter()
        .find(|event| event["name"] == "load" && event["tid"] == 3)
        .expect("a load");
    assert_eq!(load["args"]["bytes"], 15.0 * 660_602_880.0);
    assert_eq!(load["args"]["bytes_per_s"], 5e9);
    assert_eq!(load["args"]["layers"]["count"], 15);
}

#[test]
fn shares_add_up_to_the_answer_and_a_binding_load_has_no_slack() {
    for (_, timeline, _) in planned(3, 40) {
        let total = total(&timeline);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * total;
        let shares = shares(&timeline);
        assert!(close(shares[shares.len() - 1].sum, total));
        for (share, stage) in shares.iter().zip(&timeline) {
            assert!(close(share.sum, stage.finish));
            assert!(share.slack >= 0.0 && share.forces <= total * (1.0 + 1e-12));
            assert!(close(share.forces, share.load + share.after));
            assert_eq!(share.binds, share.slack == 0.0);
        }
        let forced = shares.iter().map(|share| share.forces).fold(0.0, f64::max);
        assert!(close(forced, total));
        assert!(shares.iter().any(|share| share.binds));
        // A load may end so much later, and not later, without moving the answer.
        for (n, share) in shares.iter().enumerate() {
            for (later, moved) in [
                (share.slack, 0.0),
                (share.slack + 0.01 * total, 0.01 * total),
            ] {
                let mut slower = timeline.clone();
                slower[n].load += later;
                assert!((rerun(&slower) - total - moved).abs() <= 1e-9 * total);
            }
        }
    }
}

/// T of a timeline whose parts have been changed: equations (17) and (18).
fn rerun(timeline: &[StageTiming]) -> f64 {
    let after = |before: f64, s: &StageTiming| s.load.max(before) + s.comm + s.comp;
    timeline.iter().fold(0.0, after)
}

#[test]
fn less_of_a_part_is_as_much_sooner_up_to_its_limit() {
    for (_, timeline, _) in planned(4, 40) {
        let total = total(&timeline);
        let levers = levers(&timeline);
        for (n, stage) in timeline.iter().enumerate() {
            for part in [PacePart::Load, PacePart::Transfer, PacePart::Compute] {
                let lever = levers.iter().find(|l| (l.stage, l.pace_part) == (n, part));
                let takes = match part {
                    PacePart::Load => stage.load,
                    PacePart::Transfer => stage.comm,
                    PacePart::Compute => stage.comp,
                };
                for share in [0.3, 0.5, 1.0] {
                    let mut faster = timeline.clone();
                    match part {
                        PacePart::Load => faster[n].load -= share * takes,
                        PacePart::Transfer => faster[n].comm -= share * takes,
                        PacePart::Compute => faster[n].comp -= share * takes,
                    }
                    let gained = total - rerun(&faster);
                    let promised = lever.map_or(0.0, |l| l.at_most.min(share * takes));
                    assert!(
                        (gained - promised).abs() <= 1e-8 * total,
                        "{gained} {promised}"
                    );
                }
            }
        }
    }
}

#[test]
fn twice_the_best_number_is_worth_what_is_promised_and_no_other_number_is_worth_more() {
    for (instance, timeline, answer) in planned(5, 30) {
        let plan = answer.plan.expect("a plan");
        let total = total(&timeline);
        let best = levers(&timeline)[0];
        // The link into a stage is the uplink before it and its own downlink, and no other hop uses either.
        let gained = |stage: usize, part: PacePart| {
            let mut made = instance.clone();
            let device = timeline[stage].device;
            match part {
                PacePart::Load => made.devices[device].disk *= 2.0,
                PacePart::Compute => made.devices[device].compute *= 2.0,
                PacePart::Transfer => {
                    made.devices[device].down *= 2.0;
                    made.devices[timeline[stage.max(1) - 1].device].up *= 2.0;
                }
            }
            total - evaluate(&made.problem(), &plan).expect("the same plan").T
        };
        let promised = best.doubled();
        assert!((gained(best.stage, best.pace_part) - promised).abs() <= 1e-9 * total);
        for stage in 0..timeline.len() {
            for part in [PacePart::Load, PacePart::Transfer, PacePart::Compute] {
                assert!(gained(stage, part) <= promised + 1e-9 * total);
            }
        }
    }
}

#[test]
fn the_papers_plan_says_what_to_improve() {
    let (problem, answer) = paper();
    let timeline = answer.timeline.expect("a plan");
    assert_eq!(
        plain(&advice(&problem, &timeline).to_string()),
        "Doubling the compute rate of D1 helps this plan most: the answer is 0.158 s faster. Less compute there gains \
         the same, up to 0.174 s; beyond that the load of D2 decides. Waiting for weights takes most of the time, but \
         doubling a single disk gains 0.073 s at most."
    );
    let binding: Vec<usize> = shares(&timeline)
        .iter()
        .filter(|share| share.binds)
        .map(|share| share.device)
        .collect();
    assert_eq!(binding, [0]);
}

#[test]
fn every_headline_figure_has_its_formula() {
    let (problem, answer) = paper();
    let known = figures(&problem, &answer).expect("a plan");
    let filled: Vec<(&str, String)> = known
        .all()
        .map(|one| {
            let formula = one.formula.as_ref().expect("a formula");
            (one.key.as_str(), plain(&formula.filled))
        })
        .collect();
    let filled: Vec<(&str, &str)> = filled
        .iter()
        .map(|(key, text)| (*key, text.as_str()))
        .collect();
    assert_eq!(
        filled,
        [
            ("first_answer", "1.615 + 0.058 + 0.890 = 2.562 s"),
            ("stall", "1.541 + 0 + 0.073 + 0 = 1.615 s"),
            ("transfer", "0 + 20.3 + 22.9 + 14.2 = 57.5 ms"),
            ("compute", "0.203 + 0.144 + 0.317 + 0.226 = 0.890 s"),
            ("memory", "(2.62 MB + 8.59 GB) / 10.0 GB = 86 %"),
            ("free", "0.818 + 0.653 + 0.241 + 0 = 1.712 s"),
            ("gain", "(2.810 − 2.562) / 2.810 = 8.8 %"),
        ]
    );
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let problem = too_big.problem().expect("valid");
    assert_eq!(figures(&problem, &answered(&problem)), None);
}

fn plain(text: &str) -> String {
    text.replace(['\u{202f}', '\u{a0}'], " ")
}
