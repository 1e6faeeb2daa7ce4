//! Documents about splits line by line, and what of them is refused.

use super::edgewise;
use super::operator_partition::{evaluate, solve, table_2, with};
use serde_json::{Value, json};

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
fn an_invalid_split_problem_is_refused_by_field() {
    for (fields, path, part) in [
        (json!({"weights": "resident"}), "weights", "for a split"),
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
            "cannot be combined with profile",
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
        (json!({"onnx": "x.onnx"}), "onnx", "combined with graph"),
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
