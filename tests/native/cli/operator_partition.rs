//! `solve` and `evaluate operator-partition`: problem files, ONNX files, every method, what is refused.

use super::{Ran, edgewise, file};
use serde_json::{Value, json};

/// The four operators of Table 2 over three devices, without the braces of the document.
pub(super) fn table_2() -> Value {
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

pub(super) fn solve(document: &Value, flags: &[&str]) -> Ran {
    let arguments = [&["solve", "operator-partition"], flags].concat();
    edgewise(&arguments, document.to_string())
}

pub(super) fn evaluate(document: &Value) -> Ran {
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
