//! Splits under memory limits and time limits: what is left idle, what would do, what a stopped search answers.

use super::operator_partition::{solve, with};
use serde_json::{Value, json};

#[test]
fn more_devices_than_rows_are_left_idle() {
    let narrow = json!({"inputs": [96], "ops": [
        {"kind":"conv","ins":[-1],"out":128,"w":36,"shape":[1,2,4,4],"hin":4,"k":3,"p":1,"flops":1e9},
        {"kind":"pool","ins":[0],"out":8,"shape":[1,2,1,1],"hin":4,"k":4,"flops":1e9}]});
    let document =
        json!({"graph": narrow, "cflops": vec![1.0; 9], "limits": vec![1e6; 9], "mbps": 1e6});
    for method in [
        "best",
        "ga",
        "coedge",
        "deepthings",
        "proportional",
        "local",
    ] {
        let answer = solve(&document, &["--method", method]).answer();
        let Some(rows) = answer["X"].as_array() else {
            assert_eq!(method, "deepthings");
            continue;
        };
        for (row, length) in rows.iter().zip([4, 1]) {
            let marks: Vec<u64> = serde_json::from_value(row.clone()).expect("marks");
            assert_eq!(
                (marks.len(), marks[0], marks[9]),
                (10, 0, length),
                "{method}"
            );
            let active = marks.windows(2).filter(|ends| ends[0] < ends[1]).count() as u64;
            assert!((1..=length).contains(&active), "{method}: {marks:?}");
        }
    }
}

#[test]
fn limits_that_no_split_meets_are_answered_with_what_would_do() {
    let tight = with(&json!({"limits": [1e6, 1e6, 1e6], "dims": "free"}));
    for method in [
        "best",
        "ga",
        "coedge",
        "deepthings",
        "proportional",
        "local",
    ] {
        let ran = solve(&tight, &["--method", method]);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{method}: {ran:?}");
        let answer = ran.json();
        assert_eq!(answer["status"], "infeasible", "{method}");
        for field in [
            "X",
            "dims",
            "latency_ms",
            "comm_ms",
            "comm_bytes",
            "peak_bytes",
            "violation",
            "gap",
        ] {
            assert_eq!(answer[field], Value::Null, "{method}: {field}");
        }
        // All limits grow together; those that are named are met, and no smaller ones than the bound.
        let limits: Vec<f64> =
            serde_json::from_value(answer["least_limits"].clone()).expect("limits");
        let bound = answer["least_limits_bound"].clone();
        let bound: Vec<f64> = serde_json::from_value(bound).expect("limits");
        assert!(
            limits[0] == limits[1] && limits[1] == limits[2] && bound[0] <= limits[0],
            "{answer}"
        );
        assert!(limits[0] > 1e6 && limits[0] < 1e8, "{limits:?}");
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(
            reason.contains(&format!("{:.0} bytes", limits[0])),
            "{method}: {reason}"
        );
        if method == "best" {
            let enough = with(&json!({"limits": limits, "dims": "free"}));
            assert_eq!(solve(&enough, &[]).answer()["status"], "feasible");
        }
    }
}

#[test]
fn a_search_that_is_stopped_answers_with_what_it_has() {
    let now = ["--time-limit", "0"];
    for method in ["best", "ga"] {
        let flags = [&now[..], &["--method", method]].concat();
        let answer = solve(&with(&json!({"dims": "free"})), &flags).answer();
        assert_eq!(answer["status"], "feasible", "{method}");
    }
    let none = solve(&with(&json!({"limits": [1e6, 1e6, 1e6]})), &now);
    assert_eq!(
        none.json()["status"],
        "infeasible",
        "that much is proved: {none:?}"
    );
    let zero = solve(&with(&json!({"limits": [0, 1e9, 1e9]})), &now);
    assert_eq!(
        (zero.code, zero.json()["least_limits"].is_null()),
        (3, true),
        "{zero:?}"
    );
    let reason = zero.json()["reason"].clone();
    assert!(
        reason
            .as_str()
            .is_some_and(|reason| reason.contains("no multiple")),
        "{reason}"
    );
}

/// So many convolutions of lengths of their own, in branches that meet again.
fn wide(operators: usize) -> Value {
    let ops = (0..operators).map(|v| {
        // Every tensor is read by the next but sixty, so that no order is plain.
        let ins = if v < 60 { vec![-1] } else { vec![v as i64 - 60, v as i64 - 1 - v as i64 % 37] };
        let (height, channels) = (40 + v % 1500, 16 + v % 97);
        json!({"kind": "conv", "ins": ins, "out": 4 * channels * height * 56, "w": 1000 + v,
            "shape": [1, channels, height, 56], "hin": height, "k": 3, "p": 1, "flops": 1e7 + v as f64})
    });
    json!({"inputs": [1 << 20], "ops": ops.collect::<Vec<_>>()})
}

#[test]
fn a_time_limit_covers_all_that_is_looked_for() {
    for (limit, method) in [
        (5e9, "best"),
        (2e5, "best"),
        (5e9, "ga"),
        (2e5, "proportional"),
    ] {
        let document = json!({"graph": wide(3000), "cflops": (0..64).map(|k| 0.5 + f64::from(k) / 64.0).collect::<Vec<f64>>(),
            "limits": vec![limit; 64], "mbps": 2000.0});
        let begun = std::time::Instant::now();
        let ran = solve(&document, &["--method", method, "--time-limit", "1"]);
        let seconds = begun.elapsed().as_secs_f64();
        // Reading, checking and replaying are not searches; a machine under load is slower still.
        assert!(seconds < 20.0, "{method}: {seconds} s");
        let answer = ran.json();
        if limit > 1e9 {
            assert_eq!(answer["status"], "feasible", "{method}: {ran:?}");
            assert!(answer["bound"].as_f64() <= answer["latency_ms"].as_f64());
        } else {
            assert!(
                answer["X"].is_null() && answer["reason"].is_string(),
                "{method}"
            );
        }
    }
}
