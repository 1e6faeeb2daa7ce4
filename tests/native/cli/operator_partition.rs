//! `solve` and `evaluate operator-partition`: problem files, ONNX files, every method, what is refused.

use super::{Ran, edgewise, file};
use serde_json::{Value, json};

/// The four operators of Table 2 over three devices, without the braces of the document.
fn table_2() -> Value {
    let conv = |name: &str,
                ins: Value,
                out: u64,
                w: u64,
                shape: Value,
                hin: u64,
                s: u64,
                flops: f64| {
        json!({"name":name,"kind":"conv","ins":ins,"out":out << 10,"w":w,"shape":shape,"hin":hin,"k":3,"s":s,"p":1,"flops":flops})
    };
    let elements = |c: f64, h: f64| c * h * h;
    json!({
        "graph": {"name": "table 2", "inputs": [588 << 10], "ops": [
            conv("Conv1", json!([-1]), 12544, 6912, json!([1,64,224,224]), 224, 1, 2.0 * elements(64.0, 224.0) * 27.0),
            conv("Conv2", json!([0]), 6272, 288 << 10, json!([1,128,112,112]), 224, 2, 2.0 * elements(128.0, 112.0) * 576.0),
            conv("Conv3", json!([-1]), 6272, 13824, json!([1,128,112,112]), 224, 2, 2.0 * elements(128.0, 112.0) * 27.0),
            {"name":"Sum","kind":"add","ins":[1,2],"out":6272 << 10,"shape":[1,128,112,112],"flops":1_605_632.0}]},
        "profile": {"op_ms": 0.5, "gflops": 270.0, "gbs": 0.43},
        "cflops": [1.0, 1.0, 0.8],
        "limits": [52_428_800.0, 52_428_800.0, 52_428_800.0],
        "mbps": 2000.0,
        "dims": "rule",
        "order": [0, 1, 2, 3]
    })
}

/// The same with some fields in place of others; null takes one away.
pub(crate) fn with(fields: &Value) -> Value {
    let mut document = table_2();
    let all = document.as_object_mut().expect("an object");
    for (key, value) in fields.as_object().expect("an object") {
        if value.is_null() {
            all.remove(key);
        } else {
            all.insert(key.clone(), value.clone());
        }
    }
    document
}

fn solve(document: &Value, flags: &[&str]) -> Ran {
    let arguments = [&["solve", "operator-partition"], flags].concat();
    edgewise(&arguments, document.to_string())
}

fn evaluate(document: &Value) -> Ran {
    edgewise(&["evaluate", "operator-partition"], document.to_string())
}

#[track_caller]
fn close(found: &Value, known: f64, within: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - known).abs() <= within, "{found} is not {known}");
}

fn model(name: &str) -> String {
    format!("{}/tests/models/{name}.onnx", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_worked_example_is_solved_and_evaluated() {
    let marks = json!([
        [0, 69, 138, 224],
        [0, 34, 69, 112],
        [0, 34, 69, 112],
        [0, 34, 69, 112]
    ]);
    let split = solve(&with(&json!({"id": 7})), &["--method", "proportional"]).answer();
    assert_eq!(
        (&split["id"], &split["status"]),
        (&json!(7), &json!("feasible"))
    );
    assert_eq!(split["X"], marks);
    assert_eq!(split["dims"], json!(["fmh", "fmh", "fmh", "fmh"]));
    assert_eq!(split["order"], json!([0, 1, 2, 3]));
    close(&split["latency_ms"], 28.3333, 5e-5);
    close(&split["comm_ms"], 0.458_752, 1e-9);
    assert_eq!(
        (&split["comm_bytes"], &split["violation"]),
        (&json!(172_032.0), &json!(0.0))
    );
    let bound = split["bound"].as_f64().expect("a bound");
    assert!(bound <= 28.3333);

    let given = evaluate(&with(&json!({"X": marks}))).answer();
    assert!(given.get("status").is_none());
    for field in [
        "X",
        "dims",
        "order",
        "latency_ms",
        "comm_ms",
        "comm_bytes",
        "peak_bytes",
        "violation",
    ] {
        assert_eq!(given[field], split[field], "{field}");
    }
    for (v, known) in [9.9045, 7.9815, 5.2779, 5.1694].into_iter().enumerate() {
        close(&given["op_ms"][v], known, 5e-5);
    }
    assert_eq!(
        given["mem"][1],
        json!([6644.0 * 1024.0, 6812.0 * 1024.0, 8156.0 * 1024.0])
    );
    assert_eq!(
        given["peak_bytes"], given["mem"][1],
        "the second operator holds the most"
    );
    assert_eq!(given["cv6"], json!([0.0, 0.0, 0.0, 0.0]));
    // What the operators cost does not hang on the place that they have in the order.
    let turned = evaluate(&with(&json!({"X": marks, "order": [2, 0, 1, 3]}))).answer();
    assert_eq!(
        (&turned["op_ms"], &turned["order"]),
        (&given["op_ms"], &json!([2, 0, 1, 3]))
    );
    assert_ne!(turned["mem"], given["mem"]);

    // By channels, as told or as the marks end; then products of matrices, shared links and the printed rule.
    let channels = json!([
        [0, 69, 138, 224],
        [0, 39, 79, 128],
        [0, 34, 69, 112],
        [0, 34, 69, 112]
    ]);
    for dims in [
        json!(["fmh", "cout", "fmh", "fmh"]),
        json!("free"),
        Value::Null,
    ] {
        let by_channels = evaluate(&with(&json!({"X": channels, "dims": dims}))).answer();
        close(&by_channels["latency_ms"], 85.1621, 5e-5);
        close(&by_channels["comm_bytes"], 17_102_400.0, 1e-6);
        assert_eq!(by_channels["dims"], json!(["fmh", "cout", "fmh", "fmh"]));
    }
    let shared = evaluate(&with(&json!({"X": marks, "link": "shared"}))).answer();
    close(&shared["op_ms"][1], 7.9815 + 57_344.0 / 250_000.0, 5e-5);
    let printed = with(&json!({"reading": "printed"}));
    let printed = solve(&printed, &["--method", "proportional"]).answer();
    assert_eq!(printed["dims"], json!(["cout", "cout", "cout", "fmh"]));
    let measured =
        with(&json!({"X": marks, "profile": null, "table": [[1, 0], [0, 0], [0, 0], [0, 224]]}));
    let measured = evaluate(&measured).answer();
    close(&measured["op_ms"][0], 1.0, 1e-12);
    close(&measured["op_ms"][3], 70.0, 1e-9);
    let fitted = evaluate(&with(&json!({"X": marks, "profile": null}))).answer();
    assert_eq!(
        fitted["op_ms"], given["op_ms"],
        "the profile that is taken when none is given"
    );
}

#[test]
fn every_method_answers_and_none_beats_the_bound() {
    let document = with(&json!({"dims": "free", "order": null}));
    let best = solve(&document, &[]).answer();
    for (method, more) in [
        ("best", None),
        ("ga", None),
        ("coedge", None),
        ("deepthings", Some("rows")),
        ("proportional", None),
        ("local", Some("per_device_ms")),
    ] {
        let answer = solve(&document, &["--method", method]).answer();
        assert_eq!(answer["status"], "feasible", "{method}");
        let latency = answer["latency_ms"].as_f64().expect("a latency");
        assert!(
            latency >= best["latency_ms"].as_f64().expect("a latency"),
            "{method}"
        );
        // Fused tiles do not wait for one another after every operator, as the bound has it.
        if method == "deepthings" {
            assert_eq!(
                (&answer["bound"], &answer["gap"]),
                (&Value::Null, &Value::Null)
            );
        } else {
            assert!(
                latency >= answer["bound"].as_f64().expect("a bound"),
                "{method}"
            );
            assert_eq!(answer["bound"], best["bound"], "{method}");
        }
        for field in ["rows", "per_device_ms"] {
            assert_eq!(
                answer.get(field).is_some(),
                more == Some(field),
                "{method}: {field}"
            );
        }
        assert!(
            answer.get("reason").is_none() && answer.get("least_limits").is_none(),
            "{method}"
        );
        // What is answered is what the referee says of it.
        if !matches!(method, "deepthings" | "local") {
            let mut given = document.clone();
            for field in ["X", "dims", "order"] {
                given[field] = answer[field].clone();
            }
            let score = evaluate(&given).answer();
            for field in [
                "latency_ms",
                "comm_ms",
                "comm_bytes",
                "peak_bytes",
                "violation",
            ] {
                assert_eq!(score[field], answer[field], "{method}: {field}");
            }
        }
    }
    let local = solve(&document, &["--method", "local"]).answer();
    let each: Vec<f64> = serde_json::from_value(local["per_device_ms"].clone()).expect("numbers");
    close(&local["latency_ms"], each.iter().sum::<f64>() / 3.0, 1e-9);
    assert_eq!(
        local["X"][0],
        json!([0, 0, 0, 224]),
        "the third device is the quickest"
    );
    let tiles = solve(&document, &["--method", "deepthings"]).answer();
    assert!(tiles["X"].is_null());
    // A tile of the sum needs rows of the tiles beside it, up to the input.
    assert_eq!(tiles["rows"][3], json!([[0, 37], [37, 75], [75, 112]]));
    assert_eq!(tiles["rows"][0], json!([[0, 74], [73, 150], [149, 224]]));

    let seeded = solve(&document, &["--seed", "3", "--threads", "2"]).answer();
    let again = solve(&document, &["--seed", "3"]).answer();
    assert_eq!(seeded, again, "the same with any number of threads");
}

#[test]
fn the_genetic_search_takes_its_size_from_options() {
    let mut document = json!({"cflops": [1.0, 1.0, 0.8, 0.8], "limits": vec![5e9; 4], "mbps": 2000.0, "dims": "rule"});
    document["onnx"] = json!(model("vgg13"));
    let latency = |flags: &[&str]| {
        let answer = solve(&document, &[&["--method", "ga"], flags].concat()).answer();
        answer["latency_ms"].as_f64().expect("a latency")
    };
    let even = solve(&document, &["--method", "proportional"]).answer();
    let even = even["latency_ms"].as_f64().expect("a latency");
    // The first population holds the proportional split, and ten generations do not beat it.
    let usual = latency(&[]);
    assert_eq!(usual, even);
    let said = [
        "--islands",
        "4",
        "--population",
        "500",
        "--generations",
        "50",
        "--patience",
        "10",
    ];
    assert_eq!(latency(&[&said[..], &["--first", "known"]].concat()), usual);
    // With more patience it does.
    let longer = [
        "--population",
        "200",
        "--generations",
        "400",
        "--patience",
        "400",
    ];
    assert!(latency(&longer) < even - 0.1, "{}", latency(&longer));
    let random = ["--first", "random", "--generations", "2"];
    assert!(latency(&random) > even, "nothing is known");
    for (flags, part) in [
        (
            &["--method", "best", "--patience", "3"][..],
            "options of --method ga",
        ),
        (&["--method", "ga", "--population", "1"], "--population"),
        (&["--method", "ga", "--first", "best"], "known, random"),
        (
            &["--method", "ga", "--population", "10000000"],
            "MB for this graph",
        ),
    ] {
        let ran = solve(&document, flags);
        assert_eq!(ran.code, 2, "{flags:?}: {ran:?}");
        assert!(ran.complaint().contains(part), "{flags:?}: {ran:?}");
    }
    let elsewhere = edgewise(&["solve", "operator-order", "--patience", "3"], "{}");
    assert!(
        elsewhere
            .complaint()
            .contains("--patience is not an option"),
        "{elsewhere:?}"
    );
}

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
fn the_bound_is_along_the_dimensions_that_a_method_cuts_along() {
    let devices = json!({"cflops": [1.0, 1.0, 0.8, 0.8], "limits": vec![5e9; 4], "mbps": 2000.0, "dims": "rule"});
    let mut document = devices;
    document["onnx"] = json!(model("vgg13"));
    let bound = |document: &Value, method: &str| {
        let answer = solve(document, &["--method", method]).answer();
        let latency = answer["latency_ms"].as_f64().expect("a latency");
        let bound = answer["bound"].as_f64().expect("a bound");
        assert!(bound <= latency, "{method}: {bound} of {latency}");
        let gap = answer["gap"].as_f64().expect("a gap");
        assert!(
            (gap - (latency - bound) / latency).abs() < 1e-12,
            "{method}"
        );
        bound
    };
    // CoEdge is quicker than anything along the dimensions of the rule, for it cuts all by height.
    let by_rule = bound(&document, "best");
    assert_eq!(bound(&document, "proportional"), by_rule);
    assert!(
        by_rule > 78.9 && bound(&document, "coedge") < 78.9,
        "{by_rule}"
    );
    document["dims"] = json!("free");
    assert!(bound(&document, "best") < 78.0);
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

#[test]
fn an_onnx_file_is_named_by_a_document_or_given_over_the_devices_of_the_paper() {
    let devices = json!({"cflops": [1.0, 1.0, 0.8, 0.8], "limits": vec![5e9; 4], "mbps": 2000.0, "dims": "rule"});
    let mut document = devices;
    document["onnx"] = json!(model("googlenet"));
    for (method, known) in [
        ("coedge", 64.9),
        ("proportional", 78.5),
        ("deepthings", 127.0),
        ("local", 127.7),
    ] {
        let answer = solve(&document, &["--method", method]).answer();
        close(&answer["latency_ms"], known, 0.05 + 1e-9);
    }
    // A path is seen from the folder of the document.
    std::fs::copy(model("squeezenet"), file("named.onnx", "")).expect("a copy");
    document["onnx"] = json!("named.onnx");
    let path = file("names.json", document.to_string());
    let arguments = ["solve", "operator-partition", &path, "--method", "coedge"];
    close(
        &edgewise(&arguments, "").answer()["latency_ms"],
        32.1,
        0.05 + 1e-9,
    );
    let fault = solve(&document, &[]);
    assert_eq!(
        (fault.code, fault.json()["error"]["path"].as_str()),
        (2, Some("onnx"))
    );
    assert!(
        fault.complaint().contains("named.onnx cannot be read"),
        "{fault:?}"
    );

    let path = model("googlenet");
    let alone = edgewise(
        &["solve", "operator-partition", &path, "--method", "coedge"],
        "",
    )
    .answer();
    assert_eq!(
        (&alone["status"], alone["X"][0].as_array().map(Vec::len)),
        (&json!("feasible"), Some(5))
    );
    let classified = [
        "solve",
        "operator-partition",
        &path,
        "--classifier",
        "--method",
        "local",
    ];
    assert_eq!(
        edgewise(&classified, "").answer()["X"]
            .as_array()
            .map(Vec::len),
        Some(72)
    );
    let ran = edgewise(&["evaluate", "operator-partition", &path], "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.complaint()
            .contains("holds a graph and nothing to score"),
        "{ran:?}"
    );
    let ran = solve(&table_2(), &["--classifier"]);
    assert!(ran.complaint().contains("the input is not one"), "{ran:?}");
}

#[test]
fn lines_are_answered_one_by_one() {
    let good = with(&json!({"id": "a"}));
    let lines = format!(
        "{good}\n{{\"id\":\"b\"}}\n{}\n",
        with(&json!({"id": "c", "limits": [1, 1, 1]}))
    );
    let ran = edgewise(
        &[
            "solve",
            "operator-partition",
            "--jsonl",
            "--method",
            "coedge",
        ],
        lines,
    );
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((ran.code, lines.len()), (2, 3));
    assert_eq!(
        (&lines[0]["id"], &lines[0]["status"]),
        (&json!("a"), &json!("feasible"))
    );
    assert_eq!(
        (&lines[1]["id"], &lines[1]["error"]["code"]),
        (&json!("b"), &json!("missing"))
    );
    assert_eq!(
        (&lines[2]["id"], &lines[2]["status"]),
        (&json!("c"), &json!("infeasible"))
    );
}

#[test]
fn what_cannot_be_cut_is_refused_where_it_goes_wrong() {
    for (fields, path, part) in [
        (json!({"mbps": 0}), "mbps", "above 0"),
        (json!({"mbps": -1}), "mbps", "above 0"),
        (json!({"mbps": "2000"}), "mbps", "a number"),
        (json!({"mbps": null}), "mbps", "missing"),
        (json!({"cflops": [1, 0, 1]}), "cflops[1]", "above 0"),
        (json!({"cflops": [1, 1, -0.8]}), "cflops[2]", "above 0"),
        (json!({"cflops": []}), "cflops", "1 to 64"),
        (json!({"cflops": vec![1; 65]}), "cflops", "1 to 64"),
        (json!({"cflops": [1, 1]}), "limits", "one for each factor"),
        (json!({"limits": [1e9, -1, 1e9]}), "limits[1]", "0 or above"),
        (json!({"limits": null}), "limits", "missing"),
        (
            json!({"profile": {"op_ms": 0.5, "gflops": 0, "gbs": 1}}),
            "profile.gflops",
            "above 0",
        ),
        (
            json!({"profile": {"op_ms": 0.5, "gbs": 1}}),
            "profile.gflops",
            "missing",
        ),
        (
            json!({"table": [[1, 1]]}),
            "table",
            "must not stand beside profile",
        ),
        (
            json!({"profile": null, "table": [[1, 1]]}),
            "table",
            "4 pairs",
        ),
        (
            json!({"profile": null, "table": [[1, 1], [1, -1], [1, 1], [1, 1]]}),
            "table[1][1]",
            "0 or above",
        ),
        // What would overflow is refused where it stands.
        (
            json!({"profile": {"op_ms": 1.7e308, "gflops": 1, "gbs": 1}}),
            "profile.op_ms",
            "at most 1e100",
        ),
        (
            json!({"profile": {"op_ms": 1, "gflops": 1e-300, "gbs": 1}}),
            "profile.gflops",
            "from 1e-100",
        ),
        (
            json!({"profile": null, "table": [[1, 1], [1e308, 1], [1, 1], [1, 1]]}),
            "table[1][0]",
            "at most 1e100",
        ),
        (json!({"mbps": 1e-320}), "mbps", "from 1e-100"),
        (json!({"cflops": [1, 1e200, 1]}), "cflops[1]", "to 1e100"),
        (json!({"order": [0, 1, 2]}), "order", "it has 3 entries"),
        (json!({"order": [1, 0, 2, 3]}), "order[0]", "0 comes later"),
        (
            json!({"order": [0, 0, 2, 3]}),
            "order[1]",
            "has not run yet",
        ),
        (
            json!({"order": [0, 1, 2, 4]}),
            "order[3]",
            "one of the 4 operators",
        ),
        (
            json!({"order": [0, 1, 2, -3]}),
            "order[3]",
            "a whole number",
        ),
        (json!({"dims": "best"}), "dims", "\"free\", \"rule\""),
        (json!({"dims": 4}), "dims", "\"free\", \"rule\""),
        (json!({"dims": ["fmh", "cout", "fmh"]}), "dims", "it has 3"),
        (
            json!({"dims": ["fmh", "cout", "fmh", "rows"]}),
            "dims[3]",
            "\"len\"",
        ),
        (
            json!({"dims": ["fmh", "cout", "len", "fmh"]}),
            "dims[2]",
            "fmh or cout",
        ),
        (
            json!({"dims": "free", "reading": "printed"}),
            "reading",
            "needs",
        ),
        (json!({"link": "radio"}), "link", "own"),
        (json!({"graph": null}), "graph", "missing"),
        (json!({"onnx": "x.onnx"}), "onnx", "beside graph"),
        (
            json!({"graph": {"inputs": [], "ops": []}}),
            "graph.ops",
            "1 to 100000",
        ),
        (
            json!({"graph": {"inputs": [1], "ops": [{"kind":"add","ins":[0],"out":1,"shape":[1]}]}}),
            "graph.ops[0].ins[0]",
            "operator before 0",
        ),
        (json!({"graph": []}), "graph", "an object"),
        (json!({"devices": 3}), "devices", "not a field here"),
        (json!({"X": [[0, 1, 2, 3]]}), "X", "scored by `evaluate`"),
    ] {
        let ran = solve(&with(&fields), &["--method", "coedge"]);
        let fault = ran.json()["error"].clone();
        assert_eq!(
            (ran.code, &fault["path"]),
            (2, &json!(path)),
            "{fields}: {ran:?}"
        );
        assert!(ran.complaint().contains(part), "{fields}: {ran:?}");
    }
    let wide = json!({"cflops": vec![1; 17], "limits": vec![1e9; 17]});
    let ran = solve(&with(&wide), &["--method", "coedge"]);
    assert_eq!(
        (ran.code, ran.json()["error"]["path"].as_str()),
        (2, Some("cflops"))
    );
    assert!(ran.complaint().contains("at most 16"), "{ran:?}");
    let ran = solve(&table_2(), &["--method", "exact"]);
    assert!(
        ran.complaint()
            .contains("best, ga, coedge, deepthings, proportional, local"),
        "{ran:?}"
    );

    let row = json!([0, 34, 69, 112]);
    for (x, path, part) in [
        (Value::Null, "X", "missing"),
        (json!([]), "X", "each of the 4 operators"),
        (json!([[0, 69, 138, 224], row, row]), "X", "it has 3"),
        (
            json!([[0, 69, 138, 224], row, row, row, row]),
            "X",
            "it has 5",
        ),
        (json!([[0, 69, 224], row, row, row]), "X[0]", "4 marks"),
        (
            json!([[1, 69, 138, 224], row, row, row]),
            "X[0][0]",
            "must be 0",
        ),
        (json!([[0, 69, 138, 223], row, row, row]), "X[0][3]", "224"),
        (
            json!([[0, 138, 69, 224], row, row, row]),
            "X[0][2]",
            "from 138",
        ),
        (
            json!([[0, 69, 225, 224], row, row, row]),
            "X[0][2]",
            "to 224",
        ),
        (
            json!([[0, 69.5, 138, 224], row, row, row]),
            "X[0][1]",
            "a whole number",
        ),
        (
            json!([[0, -1, 138, 224], row, row, row]),
            "X[0][1]",
            "a whole number",
        ),
        (json!(7), "X", "a list"),
    ] {
        let ran = evaluate(&with(&json!({"X": x})));
        let fault = ran.json()["error"].clone();
        assert_eq!(
            (ran.code, &fault["path"]),
            (2, &json!(path)),
            "{x}: {ran:?}"
        );
        assert!(ran.complaint().contains(part), "{x}: {ran:?}");
    }
}
