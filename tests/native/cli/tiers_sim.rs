//! `solve tiers-schedule` and `solve tiers-simulate`: answers, options, and what is refused by name.

use super::{Ran, edgewise, file};
use serde_json::{Value, json};

/// Two tiers and two tasks, worked by hand.
pub(crate) const RUN: &str = r#"{"mode":"token","scheduler":"hypsched","tiers":[{"nodes":1,"prefill":1,"decode":0.25},{"nodes":2,"prefill":1.5,"decode":0.5}],"hop_prefill":[0.25],"hop_decode":[0.125],"return_delay":0.0625,"tasks":[{"arrival":0,"out_tokens":3},{"arrival":0.5,"out_tokens":2}]}"#;

pub(crate) const DECISION: &str = r#"{"nodes":[{"capacity":10,"mem_avail":1,"available":true,"running":5,"queued":[20]},{"capacity":10,"mem_avail":1,"available":true,"running":12,"queued":[]},{"capacity":10,"mem_avail":1,"available":true,"running":1,"queued":[9,9]}],"workload":30,"mem_req":0.5,"t":2.5}"#;

fn simulate(document: &str) -> Ran {
    edgewise(&["solve", "tiers-simulate"], document)
}

fn schedule(document: &str) -> Ran {
    edgewise(&["solve", "tiers-schedule"], document)
}

#[track_caller]
fn with(document: &str, old: &str, new: &str) -> String {
    assert!(document.contains(old), "{old}");
    document.replacen(old, new, 1)
}

#[test]
fn a_decision_names_the_node_and_its_completion_time() {
    let answer = schedule(DECISION).answer();
    assert_eq!(
        answer,
        json!({"status":"optimal","node":1,"completion":6.7})
    );
    let ran = schedule(&DECISION.replace("\"available\":true", "\"available\":false"));
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    let none = ran.json();
    assert_eq!(
        (&none["status"], &none["node"], &none["completion"]),
        (&json!("infeasible"), &Value::Null, &Value::Null)
    );
    assert!(none["reason"].is_string());
    let full = with(DECISION, "\"mem_req\":0.5", "\"mem_req\":2");
    assert_eq!(schedule(&full).code, 3);
    let with_id = with(DECISION, "{\"nodes\"", "{\"id\":\"x\",\"nodes\"");
    assert_eq!(schedule(&with_id).answer()["id"], "x");
}

#[test]
fn a_bad_decision_is_refused_by_name() {
    for (old, new, code, path) in [
        (
            "\"capacity\":10",
            "\"capacity\":0",
            "range",
            "nodes[0].capacity",
        ),
        (
            "\"running\":12",
            "\"running\":-1",
            "range",
            "nodes[1].running",
        ),
        ("[9,9]", "[9,-9]", "range", "nodes[2].queued[1]"),
        ("[9,9]", "9", "type", "nodes[2].queued"),
        (
            "\"available\":true",
            "\"available\":1",
            "type",
            "nodes[0].available",
        ),
        ("\"workload\":30", "\"workload\":-30", "range", "workload"),
        ("\"mem_req\":0.5", "\"mem_req\":-0.5", "range", "mem_req"),
        ("\"workload\":30,", "", "missing", "workload"),
        ("\"t\":2.5", "\"t\":2.5,\"u\":1", "unknown", "u"),
    ] {
        schedule(&with(DECISION, old, new)).refused(code, path);
    }
    let empty = r#"{"nodes":[],"workload":1,"mem_req":0,"t":0}"#;
    schedule(empty).refused("range", "nodes");
    let huge = r#"{"nodes":[{"capacity":1e-300,"mem_avail":1,"available":true,"running":1e300,"queued":[]}],"workload":1,"mem_req":0,"t":0}"#;
    schedule(huge).refused("range", "nodes[0]");
}

#[test]
fn a_run_has_exactly_the_fields_that_are_promised() {
    let answer = simulate(RUN).answer();
    let mut keys: Vec<&str> = answer
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "busy",
            "completion",
            "events",
            "first_token",
            "latency",
            "makespan",
            "mean_latency",
            "memory_mean",
            "memory_peak",
            "path",
            "tpot",
            "ttft",
            "util",
        ]
    );
    assert_eq!(answer["completion"], json!([4.6875, 4.9375]));
    assert_eq!(answer["first_token"], json!([2.8125, 3.8125]));
    assert_eq!(answer["path"], json!([[0, 0], [0, 1]]));
    assert_eq!(answer["busy"], json!([[2.75], [2.5, 2.0]]));
    assert_eq!(answer["util"], json!([2.75 / 4.9375, 4.5 / 2.0 / 4.9375]));
    assert_eq!(
        (&answer["mean_latency"], &answer["makespan"]),
        (&json!(4.5625), &json!(4.9375))
    );
    for (mode, completion) in [("hold", 7.75), ("request", 5.25), ("serial", 8.4375)] {
        let answer = simulate(&RUN.replace("token\"", &format!("{mode}\""))).answer();
        assert_eq!(answer["completion"], json!([4.6875, completion]), "{mode}");
        assert_eq!(answer["first_token"].is_null(), mode == "request");
        assert_eq!(answer["ttft"].is_null(), mode == "request");
    }
}

#[test]
fn tasks_may_come_in_any_order_and_reserve_memory_per_tier() {
    let swapped = with(
        RUN,
        r#"[{"arrival":0,"out_tokens":3},{"arrival":0.5,"out_tokens":2}]"#,
        r#"[{"arrival":0.5,"out_tokens":2},{"arrival":0,"out_tokens":3}]"#,
    );
    assert_eq!(
        simulate(&swapped).answer()["completion"],
        json!([4.9375, 4.6875])
    );
    // Room for one task at a time on the only node of tier 0: B waits for the last pass of A there, at 4 s.
    let tight = with(RUN, "\"nodes\":1", "\"mem_free\":1.5,\"nodes\":1");
    let tight = with(&tight, "\"out_tokens\":3", "\"out_tokens\":3,\"mem\":1");
    let tight = with(&tight, "\"out_tokens\":2", "\"out_tokens\":2,\"mem\":[1,0]");
    let answer = simulate(&tight).answer();
    assert_eq!(
        answer["first_token"],
        json!([2.8125, 4.0 + 1.0 + 0.25 + 1.5 + 0.0625])
    );
    assert_eq!(answer["memory_peak"], json!([[1.0], [1.0, 0.0]]));
    // With the second node of tier 1 down both tasks share the first.
    let down = with(
        RUN,
        "\"tasks\"",
        "\"down\":[{\"tier\":1,\"node\":1,\"from\":0,\"to\":9}],\"tasks\"",
    );
    assert_eq!(simulate(&down).answer()["path"], json!([[0, 0], [0, 0]]));
}

#[test]
fn the_seed_feeds_the_random_scheduler_and_nothing_else() {
    let random = RUN.replace("hypsched", "random");
    let paths = |document: &str, seed: &str| {
        edgewise(&["solve", "tiers-simulate", "--seed", seed], document).answer()["path"].clone()
    };
    let seeds: Vec<String> = (0..12).map(|seed: u32| seed.to_string()).collect();
    let all: Vec<Value> = seeds.iter().map(|seed| paths(&random, seed)).collect();
    assert!(all.iter().any(|path| *path != all[0]));
    assert_eq!(paths(&random, "3"), all[3]);
    assert_eq!(paths(RUN, "3"), paths(RUN, "4"));
}

#[test]
fn a_bad_run_is_refused_by_name() {
    for (old, new, code, path) in [
        ("\"mode\":\"token\"", "\"mode\":\"tokens\"", "range", "mode"),
        ("\"mode\":\"token\",", "", "missing", "mode"),
        ("hypsched", "best", "range", "scheduler"),
        ("\"nodes\":1", "\"nodes\":0", "range", "tiers[0].nodes"),
        ("\"nodes\":1", "\"nodes\":1.5", "range", "tiers[0].nodes"),
        ("\"nodes\":1", "\"nodes\":1e9", "range", "tiers[0].nodes"),
        (
            "\"prefill\":1,",
            "\"prefill\":-1,",
            "range",
            "tiers[0].prefill",
        ),
        (
            "\"decode\":0.5",
            "\"decode\":-0.5",
            "range",
            "tiers[1].decode",
        ),
        (
            "\"decode\":0.25",
            "\"decode\":0.25,\"decode_slope\":-0.2",
            "",
            "",
        ),
        (
            "\"decode\":0.25",
            "\"decode\":0.25,\"decode_slope\":-0.3",
            "range",
            "tiers[0].decode_slope",
        ),
        (
            "\"nodes\":2",
            "\"nodes\":2,\"speed\":[1]",
            "range",
            "tiers[1].speed",
        ),
        (
            "\"nodes\":2",
            "\"nodes\":2,\"speed\":[1,0]",
            "range",
            "tiers[1].speed[1]",
        ),
        (
            "\"nodes\":2",
            "\"nodes\":2,\"mem_free\":[1]",
            "range",
            "tiers[1].mem_free",
        ),
        (
            "\"nodes\":2",
            "\"nodes\":2,\"mem_free\":\"all\"",
            "type",
            "tiers[1].mem_free",
        ),
        (
            "\"nodes\":2",
            "\"nodes\":2,\"mem_free\":[1,\"x\"]",
            "type",
            "tiers[1].mem_free[1]",
        ),
        ("[0.25]", "[]", "range", "hop_prefill"),
        ("[0.125]", "[-1]", "range", "hop_decode[0]"),
        (
            "\"return_delay\":0.0625",
            "\"return_delay\":-1",
            "range",
            "return_delay",
        ),
        (
            "\"arrival\":0.5",
            "\"arrival\":-0.5",
            "range",
            "tasks[1].arrival",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":0",
            "range",
            "tasks[1].out_tokens",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":2.5",
            "range",
            "tasks[1].out_tokens",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":true",
            "type",
            "tasks[1].out_tokens",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":2,\"mem\":-1",
            "range",
            "tasks[1].mem",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":2,\"mem\":[1]",
            "range",
            "tasks[1].mem",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":2,\"mem\":[1,-2]",
            "range",
            "tasks[1].mem[1]",
        ),
        (
            "\"out_tokens\":2",
            "\"out_tokens\":2,\"mem\":null",
            "type",
            "tasks[1].mem",
        ),
        ("\"mode\"", "\"batch\":0,\"mode\"", "range", "batch"),
        (
            "\"mode\":\"token\"",
            "\"batch\":2,\"mode\":\"hold\"",
            "range",
            "batch",
        ),
        ("\"mode\"", "\"order\":\"lifo\",\"mode\"", "range", "order"),
        ("\"mode\"", "\"seed\":1,\"mode\"", "unknown", "seed"),
        ("\"prefill\":1,", "\"prefill\":1e308,", "range", ""),
    ] {
        let ran = simulate(&with(RUN, old, new));
        if code.is_empty() {
            ran.answer();
        } else {
            ran.refused(code, path);
        }
    }
    let tasks = &RUN[RUN.find("\"tasks\"").expect("tasks")..];
    simulate(&with(RUN, tasks, "\"tasks\":[]}")).refused("range", "tasks");
    let tiers = &RUN[RUN.find("\"tiers\"").expect("tiers")..RUN.find("\"hop").expect("hops")];
    simulate(&with(RUN, tiers, "\"tiers\":[],")).refused("range", "tiers");
    simulate("[]").refused("type", "");
    let list = with(RUN, "{\"arrival\":0,\"out_tokens\":3}", "[0,3]");
    simulate(&list).refused("type", "tasks[0]");
}

#[test]
fn a_task_that_fits_no_node_of_a_tier_is_named() {
    let small = with(RUN, "\"nodes\":2", "\"nodes\":2,\"mem_free\":[1,2]");
    let fits = with(&small, "\"out_tokens\":2", "\"out_tokens\":2,\"mem\":2");
    simulate(&fits).answer();
    let one = with(&small, "\"out_tokens\":2", "\"out_tokens\":2,\"mem\":2.5");
    let ran = simulate(&one);
    let message = ran.refused("range", "tasks[1].mem");
    assert!(
        message.contains("task 1 fits no node") && message.contains("tiers[1]"),
        "{message}"
    );
    let each = with(
        &small,
        "\"out_tokens\":2",
        "\"out_tokens\":2,\"mem\":[9,2.5]",
    );
    simulate(&each).refused("range", "tasks[1].mem[1]");
    let negative = with(RUN, "\"nodes\":2", "\"nodes\":2,\"mem_free\":-1");
    simulate(&negative).refused("range", "tasks[0].mem");
}

#[test]
fn outages_may_overlap_but_not_run_backwards_or_name_what_is_not_there() {
    let down = |list: &str| {
        simulate(&with(
            RUN,
            "\"tasks\"",
            &format!("\"down\":[{list}],\"tasks\""),
        ))
    };
    let overlapping = r#"{"tier":1,"node":0,"from":1,"to":5},{"tier":1,"node":0,"from":0,"to":3},{"tier":1,"node":0,"from":5,"to":5}"#;
    assert_eq!(down(overlapping).answer()["path"], json!([[0, 1], [0, 1]]));
    for (list, code, path) in [
        (
            r#"{"tier":2,"node":0,"from":0,"to":1}"#,
            "range",
            "down[0].tier",
        ),
        (
            r#"{"tier":1,"node":2,"from":0,"to":1}"#,
            "range",
            "down[0].node",
        ),
        (
            r#"{"tier":1,"node":-1,"from":0,"to":1}"#,
            "type",
            "down[0].node",
        ),
        (
            r#"{"tier":1,"node":0,"from":2,"to":1}"#,
            "range",
            "down[0].to",
        ),
        (r#"{"tier":1,"node":0,"from":0}"#, "missing", "down[0].to"),
    ] {
        down(list).refused(code, path);
    }
}

#[test]
fn more_tasks_than_the_limit_are_refused_with_the_limit() {
    let task = "{\"arrival\":0,\"out_tokens\":1},";
    let tasks = task.repeat(1_000_001);
    let old = &RUN[RUN.find("\"tasks\"").expect("tasks")..];
    // The file is refused at the first task too many: what is wrong behind it is never read.
    let ran = simulate(&with(RUN, old, &format!("\"tasks\":[{tasks} and no JSON")));
    assert_eq!(
        ran.refused("range", "tasks"),
        "tasks must hold at most 1000000 elements, it holds more"
    );
    assert_eq!(ran.json()["error"]["value"], Value::Null);
}

#[test]
fn a_time_limit_ends_a_long_run_without_an_answer() {
    let long = with(RUN, "\"out_tokens\":3", "\"out_tokens\":100000000");
    let ran = edgewise(&["solve", "tiers-simulate", "--time-limit", "0.05"], &long);
    assert_eq!((ran.code, ran.err.as_str()), (4, ""));
    let answer = ran.json();
    assert_eq!(answer["completion"], Value::Null);
    let reason = answer["reason"].as_str().expect("it says why");
    assert!(reason.contains("time limit"), "{reason}");
}

#[test]
fn a_run_beyond_the_limit_of_events_is_not_begun() {
    let long = with(RUN, "\"out_tokens\":3", "\"out_tokens\":1000000000");
    for (text, options, most) in [
        (
            long.as_str(),
            &["solve", "tiers-simulate"][..],
            "at most 1000000000 ",
        ),
        (
            RUN,
            &["solve", "tiers-simulate", "--max-events", "3"],
            "at most 3 ",
        ),
    ] {
        let ran = edgewise(options, text);
        assert_eq!((ran.code, ran.err.as_str()), (4, ""));
        let answer = ran.json();
        assert_eq!(answer["makespan"], Value::Null);
        let reason = answer["reason"].as_str().expect("it says why");
        assert!(
            reason.contains(most) && reason.contains("--max-events"),
            "{reason}"
        );
    }
    let enough = edgewise(&["solve", "tiers-simulate", "--max-events", "1000"], RUN);
    assert_eq!(enough.answer(), simulate(RUN).answer());
}

#[test]
fn options_of_other_kinds_are_refused() {
    for arguments in [
        &["solve", "tiers-simulate", "--method", "exact"][..],
        &["solve", "tiers-schedule", "--method", "exact"],
        &["solve", "tiers-simulate", "--relay", "slower-hop"],
        &["solve", "tiers-schedule", "--heuristic", "rate"],
        &["solve", "tiers-schedule", "--max-events", "7"],
        &["evaluate", "tiers-simulate"],
        &["evaluate", "tiers-schedule"],
    ] {
        edgewise(arguments, RUN).refused("option", "");
    }
}

#[test]
fn a_stream_answers_line_by_line() {
    let lines = format!(
        "{}\n{{\"id\":7}}\n{RUN}\n",
        with(RUN, "{\"mode\"", "{\"id\":1,\"mode\"")
    );
    let ran = edgewise(&["solve", "tiers-simulate", "--jsonl"], lines);
    assert_eq!(ran.code, 2);
    let answers: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (&answers[0]["id"], &answers[1]["id"]),
        (&json!(1), &json!(7))
    );
    assert_eq!(answers[1]["error"]["path"], "mode");
    assert_eq!(answers[2]["mean_latency"], 4.5625);
    let path = file("tiers_run.json", RUN);
    assert_eq!(
        edgewise(&["solve", "tiers-simulate", &path], "").answer()["events"],
        20
    );
}
