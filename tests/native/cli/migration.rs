//! `solve migration`: answers, nulls, streams, and what is refused by name.

use super::{Ran, edgewise};
use serde_json::{Value, json};

pub(crate) const MOVES: &str = r#"{"l":19,"n_out":10,"n_exp":128,"winner":"device","r_dev":20,"r_srv":40,"r_c":5,"k":0.02,"c":0,"srv_ttft_est":0.4,"srv_ttft_actual":0.9,"net":0.1,"cost":{"dev_p":1,"dev_d":4,"srv_p":0.125,"srv_d":0.5}}"#;

fn solve(document: &str) -> Ran {
    edgewise(&["solve", "migration"], document)
}

#[track_caller]
fn with(old: &str, new: &str) -> String {
    assert!(MOVES.contains(old), "{old}");
    MOVES.replacen(old, new, 1)
}

#[test]
fn a_hand_over_is_shown_with_its_times_and_money() {
    let answer = solve(MOVES).answer();
    let fields = answer.as_object().expect("an object");
    let names = [
        "migrate",
        "handoff_tokens",
        "buffer_tokens",
        "buffer_real",
        "handoff_time",
        "target_first_token_time",
        "delayed_tokens",
        "max_stall",
        "tbt_p99",
        "total_cost",
        "cost_no_migration",
    ];
    assert_eq!(fields.len(), names.len(), "{answer}");
    assert!(names.iter().all(|name| fields.contains_key(*name)));
    assert_eq!(answer["migrate"], true);
    assert_eq!(answer["handoff_tokens"], 4);
    assert_eq!(answer["buffer_tokens"], 3);
    assert_eq!(answer["buffer_real"], 2.5);
    let is = |name: &str, value: f64| {
        let found = answer[name].as_f64().expect("a number");
        assert!((found - value).abs() < 1e-9, "{name}: {found}");
    };
    is("handoff_time", 0.15);
    is("target_first_token_time", 1.15);
    is("max_stall", 0.35);
    is("tbt_p99", 0.55);
    is("cost_no_migration", 59.0);
    is("total_cost", 19.0 + 16.0 + 23.0 * 0.125 + 3.0);
    assert_eq!(
        answer["delayed_tokens"], 2,
        "1.15 > 0.8, 1.175 > 1.0, 1.2 = 1.2"
    );
}

#[test]
fn without_a_hand_over_five_fields_are_null() {
    let answer = solve(&with("\"winner\":\"device\"", "\"winner\":\"server\"")).answer();
    assert_eq!(answer["migrate"], false);
    for name in [
        "handoff_tokens",
        "buffer_tokens",
        "buffer_real",
        "handoff_time",
        "target_first_token_time",
    ] {
        assert_eq!(answer[name], Value::Null, "{name}");
    }
    assert_eq!(answer["total_cost"], answer["cost_no_migration"]);
    assert_eq!(answer["total_cost"], 19.0 * 0.125 + 5.0);
    assert_eq!(answer["delayed_tokens"], 0);
    assert_eq!(answer["max_stall"], 0.0);
}

#[test]
fn lines_are_answered_one_by_one() {
    let wrong = with("\"r_c\":5", "\"id\":2,\"r_c\":0");
    let first = with("{\"l\"", "{\"id\":\"a\",\"l\"");
    let ran = edgewise(
        &["solve", "migration", "--jsonl"],
        format!("{first}\n{wrong}\n{MOVES}\n"),
    );
    assert_eq!(ran.code, 2);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (&lines[0]["id"], &lines[0]["migrate"]),
        (&json!("a"), &json!(true))
    );
    assert_eq!(
        (&lines[1]["id"], &lines[1]["error"]["path"]),
        (&json!(2), &json!("r_c"))
    );
    assert_eq!(lines[2]["handoff_tokens"], 4);
}

#[test]
fn faults_are_refused_by_name() {
    for (old, new, code, path) in [
        ("\"l\":19", "\"l\":-1", "range", "l"),
        ("\"l\":19", "\"l\":1.5", "range", "l"),
        ("\"l\":19", "\"l\":\"19\"", "type", "l"),
        ("\"n_out\":10", "\"n_out\":0", "range", "n_out"),
        ("\"n_out\":10", "\"n_out\":1000001", "range", "n_out"),
        ("\"n_exp\":128", "\"n_exp\":-1", "range", "n_exp"),
        (
            "\"winner\":\"device\"",
            "\"winner\":\"phone\"",
            "range",
            "winner",
        ),
        ("\"winner\":\"device\"", "\"winner\":1", "type", "winner"),
        ("\"r_dev\":20", "\"r_dev\":0", "range", "r_dev"),
        ("\"r_srv\":40", "\"r_srv\":-40", "range", "r_srv"),
        ("\"r_c\":5", "\"r_c\":null", "type", "r_c"),
        ("\"k\":0.02", "\"k\":-0.02", "range", "k"),
        ("\"c\":0", "\"c\":-1", "range", "c"),
        (
            "\"srv_ttft_est\":0.4",
            "\"srv_ttft_est\":-0.4",
            "range",
            "srv_ttft_est",
        ),
        (
            "\"srv_ttft_actual\":0.9",
            "\"srv_ttft_actual\":true",
            "type",
            "srv_ttft_actual",
        ),
        ("\"net\":0.1,", "", "missing", "net"),
        ("\"net\":0.1", "\"net\":1e999", "syntax", "net"),
        ("\"dev_p\":1", "\"dev_p\":-1", "range", "cost.dev_p"),
        ("\"dev_d\":4,", "", "missing", "cost.dev_d"),
        (
            "\"srv_p\":0.125",
            "\"srv_p\":\"0.125\"",
            "type",
            "cost.srv_p",
        ),
        (
            "\"srv_d\":0.5",
            "\"srv_d\":0.5,\"net\":1",
            "unknown",
            "cost.net",
        ),
        ("\"l\":19", "\"l\":19,\"guard\":true", "unknown", "guard"),
    ] {
        solve(&with(old, new)).refused(code, path);
    }
    let list = with(
        r#"{"dev_p":1,"dev_d":4,"srv_p":0.125,"srv_d":0.5}"#,
        "[1,4,0.125,0.5]",
    );
    assert_eq!(solve(&list).json()["error"]["path"], "cost");
}

#[test]
fn flags_that_would_change_nothing_are_refused() {
    let ran = edgewise(&["solve", "migration", "--method", "exact"], MOVES);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (2, &json!("option"))
    );
    let ran = edgewise(&["evaluate", "migration"], MOVES);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (2, &json!("option"))
    );
}
