//! `solve operator-order`, and `run` on graphs: problem files, ONNX files, links that only name their file.

use super::{Ran, edgewise, file};
use crate::operator_graphs::op;
use engine::evaluate::operators::trace;
use engine::graph::{Document, Graph, Weights};
use engine::papers::MEMORIANOVA;
use engine::scenario::link;
use engine::scenario::operators::{Choice, Scenario, presets};
use serde_json::{Value, json};

/// Two ways of two from one tensor: four operators and their sum.
pub(crate) const SMALL: &str = r#"{"id":"small","name":"small","inputs":[100],"ops":[
    {"name":"a","kind":"conv","ins":[-1],"out":80,"w":5,"shape":[1,2,10]},
    {"name":"b","kind":"conv","ins":[0],"out":10,"shape":[1,1,10]},
    {"name":"c","kind":"conv","ins":[-1],"out":90,"w":1,"shape":[1,9,10]},
    {"name":"d","kind":"conv","ins":[2],"out":10,"shape":[1,1,10]},
    {"name":"e","kind":"add","ins":[1,3],"out":10,"shape":[1,1,10]}]}"#;

fn solve(document: &str, flags: &[&str]) -> Ran {
    edgewise(&[&["solve", "operator-order"], flags].concat(), document)
}

fn model(name: &str) -> String {
    format!("{}/tests/models/{name}.onnx", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn an_order_is_answered_with_all_three_counts() {
    let graph: Value = serde_json::from_str(SMALL).expect("JSON");
    let mut bare = graph.clone();
    bare.as_object_mut().expect("an object").remove("id");
    let checked = Graph::from_json(&bare.to_string()).expect("a graph");
    for (flags, status) in [
        (&[][..], "optimal"),
        (&["--objective", "peak"], "optimal"),
        (&["--objective", "table4"], "optimal"),
        (&["--method", "btsearch"], "optimal"),
        (&["--method", "greedy"], "feasible"),
        (&["--method", "peft"], "feasible"),
        (&["--method", "random", "--seed", "7"], "feasible"),
    ] {
        let answer = solve(SMALL, flags).answer();
        assert_eq!(answer["id"], "small");
        assert_eq!(answer["status"], status, "{flags:?}");
        let order: Vec<u32> = serde_json::from_value(answer["order"].clone()).expect("an order");
        let replayed = trace(&checked, &order).expect("an order");
        let counts = [replayed.sum(), replayed.peak(), replayed.table4_sum()];
        assert_eq!(
            json!(counts),
            json!([answer["sum"], answer["peak"], answer["table4"]])
        );
    }
    let exact = solve(SMALL, &[]).answer();
    assert_eq!(
        (exact["states"].as_u64(), exact["transitions"].as_u64()),
        (Some(10), Some(13))
    );
    assert_eq!(
        (&exact["bound"], &exact["gap"]),
        (&exact["sum"], &json!(0.0))
    );
    assert!(exact.get("pruned").is_none() && exact.get("draws").is_none());
    let searched = solve(SMALL, &["--method", "btsearch"]).answer();
    assert!(searched["pruned"].is_u64() && searched["searched"].is_u64());
    assert_eq!(searched["sum"], exact["sum"]);
    let drawn = solve(SMALL, &["--method", "random"]).answer();
    assert_eq!(drawn["draws"]["orders"], 60);
    assert_eq!(
        drawn["draws"]["sum"]["least"], exact["sum"],
        "60 draws of 6 orders"
    );
    let again = solve(SMALL, &["--method", "random", "--seed", "0"]).answer();
    assert_eq!(again, drawn);

    let lines = format!("{}\nnonsense\n{bare}\n", graph);
    let ran = edgewise(&["solve", "operator-order", "--jsonl"], lines);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((ran.code, lines.len()), (2, 3));
    assert_eq!(
        (&lines[0]["id"], &lines[0]["sum"]),
        (&json!("small"), &exact["sum"])
    );
    assert_eq!(lines[1]["error"]["code"], "syntax");
    assert_eq!(
        (lines[2].get("id"), &lines[2]["sum"]),
        (None, &exact["sum"])
    );
}

#[test]
fn all_weights_can_be_resident() {
    let with = |rule: &str, more: &str| {
        let field = format!(r#"{{"weights":"{rule}",{more}"#);
        SMALL.replacen('{', &field, 1)
    };
    let usual = solve(SMALL, &["--objective", "peak"]).answer();
    let answer = solve(&with("resident", ""), &["--objective", "peak"]).answer();
    assert_eq!(
        solve(&with("per-operator", ""), &["--objective", "peak"]).answer(),
        usual
    );
    assert!(usual.get("weights").is_none());
    assert_eq!(
        (&answer["weights"], &answer["status"]),
        (&json!("resident"), &json!("optimal"))
    );
    let order = answer["order"].to_string();
    let own = format!(r#""order":{order},"#);
    let scored = edgewise(&["evaluate", "operator-order"], with("resident", &own)).answer();
    let plain = edgewise(&["evaluate", "operator-order"], with("per-operator", &own)).answer();
    assert_eq!(
        (&scored["peak"], &scored["weights"]),
        (&answer["peak"], &json!("resident"))
    );
    assert_eq!(scored["table4"], plain["table4"]);
    let bytes = |held: &Value| held.as_u64().expect("bytes");
    for step in 0..5 {
        let between = bytes(&plain["interval"][step]) + 6; // bytes of weights in all
        assert_eq!(bytes(&scored["interval"][step]), between);
        assert!(bytes(&scored["running"][step]) >= between);
    }
    let path = model("googlenet");
    let flags = [
        "solve",
        "operator-order",
        &path,
        "--objective",
        "peak",
        "--weights",
    ];
    let loaded = edgewise(&[&flags[..], &["per-operator"]].concat(), "").answer();
    let stays = edgewise(&[&flags[..], &["resident"]].concat(), "").answer();
    assert!(
        bytes(&stays["peak"]) > bytes(&loaded["peak"]) + (16 << 20),
        "{stays}"
    );
    for (document, flags, part) in [
        (with("all", ""), &[][..], "resident"),
        (
            SMALL.to_owned(),
            &["--weights", "resident"],
            "field weights",
        ),
        (
            SMALL.to_owned(),
            &["--weights", "all"],
            "per-operator, resident",
        ),
    ] {
        let ran = solve(&document, flags);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.complaint().contains(part), "{ran:?}");
    }
    let scenario = Scenario {
        weights: Weights::Resident,
        ..presets::named("operators-table2")
            .expect("a preset")
            .scenario
    };
    let said = edgewise(&["run", &link::of(&scenario)], "").out;
    assert!(
        said.contains("All weights (") && said.contains(") stay in memory."),
        "{said}"
    );
    let refused = "No split over devices: weights must be \"per-operator\"";
    assert!(said.contains(refused), "{said}");
}

#[test]
fn an_invalid_graph_is_refused_at_its_fault() {
    for (old, new, path, part) in [
        (
            r#""ins":[2]"#,
            r#""ins":[3]"#,
            "ops[3].ins[0]",
            "an operator before 3",
        ),
        (
            r#""ins":[2]"#,
            r#""ins":[4]"#,
            "ops[3].ins[0]",
            "in which they can run",
        ),
        (
            r#""ins":[2]"#,
            r#""ins":[9]"#,
            "ops[3].ins[0]",
            "one of the 5 operators",
        ),
        (
            r#""ins":[2]"#,
            r#""ins":[-2]"#,
            "ops[3].ins[0]",
            "an input from -1 to -1",
        ),
        (
            r#""ins":[2]"#,
            r#""ins":[2.5]"#,
            "ops[3].ins[0]",
            "a whole number",
        ),
        (
            r#""ins":[2]"#,
            r#""ins":["c"]"#,
            "ops[3].ins[0]",
            "a whole number",
        ),
        (r#""ins":[2],"#, "", "ops[3].ins", "missing"),
        (r#""out":90,"#, "", "ops[2].out", "missing"),
        (r#""out":90"#, r#""out":-90"#, "ops[2].out", "0 or above"),
        (
            r#""out":90"#,
            r#""out":9e15"#,
            "ops[2].out",
            "a whole number",
        ),
        (
            r#""out":90"#,
            r#""out":18446744073709551615"#,
            "ops[2].out",
            "9007199254740992",
        ),
        (
            r#""out":90"#,
            r#""out":184467440737095516150"#,
            "ops[2].out",
            "",
        ),
        (r#","shape":[1,9,10]"#, "", "ops[2].shape", "missing"),
        (
            r#""shape":[1,9,10]"#,
            r#""shape":[0,9]"#,
            "ops[2].shape[0]",
            "from 1",
        ),
        (
            r#""name":"c","#,
            r#""name":"c","k":0,"#,
            "ops[2].k",
            "from 1",
        ),
        (
            r#""name":"c","#,
            r#""name":"c","flops":-1,"#,
            "ops[2].flops",
            "from 0",
        ),
        (
            r#""name":"c","#,
            r#""name":"c","full":[0],"#,
            "ops[2].full[0]",
            "one of the operator",
        ),
        (
            r#""name":"c","#,
            r#""name":"c","weight":3,"#,
            "ops[2].weight",
            "not a field here",
        ),
        (
            r#""inputs":[100]"#,
            r#""inputs":[100],"outputs":[5]"#,
            "outputs[0]",
            "one of the 5",
        ),
        (r#""inputs":[100],"#, "", "inputs", "missing"),
    ] {
        assert!(SMALL.contains(old), "{old}");
        let ran = solve(&SMALL.replacen(old, new, 1), &[]);
        assert_eq!(ran.code, 2, "{new}: {ran:?}");
        let fault = ran.json()["error"].clone();
        assert_eq!(fault["path"], path, "{new}: {fault}");
        let message = fault["message"].as_str().expect("a message");
        assert!(message.contains(part), "{new}: {message}");
        assert!(ran.complaint().contains(part), "{new}");
    }
    let none = solve(r#"{"inputs":[],"ops":[]}"#, &[]);
    assert!(
        none.complaint().contains("1 to 100000 operators"),
        "{none:?}"
    );
    // Each size is one that a file may have; their sum over all steps is not.
    let huge = op("conv", vec![-1], 1 << 52, 0);
    let document = Document {
        inputs: vec![1 << 52],
        ops: vec![huge; 2000],
        ..Document::default()
    };
    let ran = solve(&serde_json::to_string(&document).expect("JSON"), &[]);
    assert_eq!(ran.json()["error"]["path"], "ops[1999].out");
    assert!(ran.complaint().contains("62 bits"), "{ran:?}");
    for (flags, part) in [
        (
            &["--method", "hypsplit"][..],
            "exact, btsearch, greedy, peft, random",
        ),
        (&["--objective", "max"], "sum, peak, table4"),
        (&["--eps", "1"], "--eps is not an option of operator-order"),
        (&["--dim", "batch=1"], "the input is not one"),
        (&["--dim", "batch"], "must have the form NAME=LENGTH"),
        (&["--dim", "batch=0"], "must have the form NAME=LENGTH"),
    ] {
        let ran = solve(SMALL, flags);
        assert_eq!(ran.code, 2, "{flags:?}");
        assert!(ran.complaint().contains(part), "{flags:?}: {ran:?}");
    }
    let elsewhere = edgewise(&["solve", "tiers-schedule", "--classifier"], "{}");
    assert!(
        elsewhere
            .complaint()
            .contains("--classifier is not an option"),
        "{elsewhere:?}"
    );
}

#[test]
fn a_given_order_is_scored() {
    let evaluate =
        |document: &Value| edgewise(&["evaluate", "operator-order"], document.to_string());
    let mut document: Value = serde_json::from_str(SMALL).expect("JSON");
    for order in [[0, 1, 2, 3, 4], [0, 2, 1, 3, 4], [2, 3, 0, 1, 4]] {
        document["order"] = json!(order);
        let given = evaluate(&document).answer();
        let mut bare = document.clone();
        for field in ["id", "order"] {
            bare.as_object_mut().expect("an object").remove(field);
        }
        let graph = Graph::from_json(&bare.to_string()).expect("a graph");
        let replayed = trace(&graph, &order).expect("an order");
        assert_eq!(
            (&given["id"], &given["order"]),
            (&json!("small"), &json!(order))
        );
        assert_eq!(
            json!([given["sum"], given["peak"], given["table4"]]),
            json!([replayed.sum(), replayed.peak(), replayed.table4_sum()])
        );
        assert_eq!(given["running"], json!(replayed.running));
        assert_eq!(given["interval"], json!(replayed.interval));
        assert!(given.get("status").is_none());
    }
    // What was solved is scored alike, on a file that a document names too.
    let path = model("googlenet");
    let solved = edgewise(&["solve", "operator-order", &path], "").answer();
    let named = json!({"onnx": path, "order": solved["order"]});
    let scored = evaluate(&named).answer();
    for field in ["order", "sum", "peak", "table4"] {
        assert_eq!(scored[field], solved[field], "{field}");
    }
    for (order, path, part) in [
        (Value::Null, "order", "missing"),
        (json!([0, 1, 2, 3]), "order", "it has 4 entries"),
        (json!([1, 0, 2, 3, 4]), "order[0]", "0 comes later"),
        (json!([0, 1, 2, 3, 5]), "order[4]", "one of the 5 operators"),
    ] {
        document["order"] = order;
        let ran = evaluate(&document);
        assert_eq!((ran.code, &ran.json()["error"]["path"]), (2, &json!(path)));
        assert!(ran.complaint().contains(part), "{ran:?}");
    }
    document["order"] = json!([0, 1, 2, 3, 4]);
    let ran = solve(&document.to_string(), &[]);
    assert!(ran.complaint().contains("scored by `evaluate`"), "{ran:?}");
    let ran = edgewise(&["evaluate", "operator-order", &path], "");
    assert!(ran.complaint().contains("with \"order\""), "{ran:?}");
}

#[test]
fn an_onnx_file_is_a_problem_file_and_a_scenario() {
    let path = model("googlenet");
    let answer = edgewise(
        &["solve", "operator-order", &path, "--objective", "table4"],
        "",
    )
    .answer();
    assert_eq!(answer["status"], "optimal");
    let printed = answer["table4"].as_f64().expect("bytes") / 1_048_576.0;
    let published = MEMORIANOVA.row("table-4/googlenet").at(0);
    assert_eq!((printed * 100.0).floor(), (published * 100.0).round());
    assert_eq!(
        (answer["states"].as_u64(), answer["transitions"].as_u64()),
        (Some(486), Some(1223))
    );
    let classified = edgewise(&["solve", "operator-order", &path, "--classifier"], "").answer();
    assert_eq!(classified["order"].as_array().map(Vec::len), Some(72));

    let by_file = edgewise(&["run", &path, "--format", "json"], "").answer();
    assert_eq!(by_file["ours"]["order"].as_array().map(Vec::len), Some(71));
    let text = edgewise(&["run", &path], "");
    assert!(
        text.out.contains("3.83") && text.out.contains("Order optimal, proven"),
        "{text:?}"
    );
    let written = text.out.lines().last().expect("a link");
    let opened = edgewise(&["run", written, "--format", "json"], "").answer();
    assert_eq!(opened, by_file, "the link carries the graph");
    let csv = edgewise(&["run", &path, "--format", "csv"], "");
    assert_eq!(csv.out.lines().count(), 72);

    for (arguments, part) in [
        (vec!["run", &path, "--dim", "batch=2"], "batch"),
        (vec!["run", written, "--classifier"], "the input is not one"),
        (
            vec!["run", written, "--onnx", &path],
            "this one contains it",
        ),
        (
            vec!["run", &path, "--format", "trace"],
            "the format trace is only for cold starts",
        ),
        (
            vec!["solve", "operator-order", "none.onnx"],
            "none.onnx cannot be read",
        ),
    ] {
        let ran = edgewise(&arguments, "");
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.complaint().contains(part), "{arguments:?}: {ran:?}");
    }
    let broken = file("broken.onnx", b"<!DOCTYPE html>".as_slice());
    let ran = edgewise(&["solve", "operator-order", &broken], "");
    assert_eq!(
        (ran.code, ran.json()["error"]["code"].as_str()),
        (2, Some("syntax"))
    );
}

#[test]
fn a_link_that_names_its_file_takes_that_file_and_no_other() {
    let path = model("qwen2");
    let scenario = Scenario {
        limit_mib: Some(4000.0),
        ..presets::paper()
    };
    let graph = engine::graph::catalogue::graph("qwen2")
        .expect("a model")
        .document();
    let mut long = scenario.with_graph(
        engine::scenario::operators::Source {
            file: "qwen2.onnx".to_owned(),
            ..Default::default()
        },
        graph,
    );
    long.split.search.moves = 1000.0;
    // Names as exporters write them make a graph too long for a link.
    if let Choice::Custom(custom) = &mut long.graph {
        for op in &mut custom.graph.ops {
            op.name = format!("/model/{}/{}", "layers/".repeat(40), op.name);
        }
    }
    let wanted = link::of(&long);
    assert!(wanted.len() < 1000, "{wanted}");
    let missing = edgewise(&["run", &wanted], "");
    assert_eq!(missing.code, 2);
    assert!(
        missing
            .complaint()
            .contains("needs the file \"qwen2.onnx\""),
        "{missing:?}"
    );
    let other = edgewise(&["run", &wanted, "--onnx", &path], "");
    assert!(
        other.complaint().contains("is not the graph of the link"),
        "{other:?}"
    );

    // The digest of the very file is met.
    let path = model("vgg13");
    let imported = edgewise(&["run", &path, "--format", "json"], "").answer();
    let own: Scenario = serde_json::from_value(imported["scenario"].clone()).expect("a scenario");
    let Choice::Custom(custom) = &own.graph else {
        panic!("a graph of its own: {own:?}");
    };
    let text = serde_json::to_string(&custom.graph).expect("JSON");
    let mut asks = Scenario {
        graph: Choice::File(engine::scenario::operators::Wanted {
            source: custom.source.clone(),
            ops: custom.graph.ops.len() as u32,
            digest: crc32fast::hash(text.as_bytes()),
        }),
        ..own.clone()
    };
    // The order is compared, so the search for splits may be short.
    asks.split.search.moves = 1000.0;
    let answer = edgewise(
        &["run", &link::of(&asks), "--onnx", &path, "--format", "json"],
        "",
    );
    assert_eq!(answer.answer()["ours"], imported["ours"]);
}

#[test]
fn every_preset_runs_by_name_by_file_and_by_link() {
    let listed = edgewise(&["presets"], "").out;
    for preset in presets::all() {
        assert!(listed.contains(preset.name), "{}", preset.name);
        let printed = edgewise(&["presets", preset.name], "").out;
        assert_eq!(Scenario::from_json(&printed).as_ref(), Ok(&preset.scenario));
        // The whole search of a preset takes a second or two; that of one is seen by its name, below.
        let mut quick = preset.scenario;
        quick.split.search.moves = 1000.0;
        let path = file(&format!("{}.json", preset.name), quick.to_json());
        let by_file = edgewise(&["run", &path, "--format", "json"], "").answer();
        assert_eq!(by_file["status"], "optimal", "{}", preset.name);
        let by_link = edgewise(&["run", &link::of(&quick), "--format", "json"], "");
        assert_eq!(by_link.answer(), by_file);
    }
    let by_name = edgewise(&["presets", "operators-table2"], "").out;
    let whole = edgewise(
        &["run", &file("whole.json", by_name), "--format", "json"],
        "",
    )
    .answer();
    assert_eq!(whole["split"]["best"]["is_feasible"], true);
    // Four operators in 19692 KiB at the least: 19 MiB are too little, and what would do is said.
    let tight = Scenario {
        limit_mib: Some(19.0),
        ..presets::named("operators-table2")
            .expect("a preset")
            .scenario
    };
    let ran = edgewise(&["run", &link::of(&tight), "--format", "json"], "");
    assert_eq!(
        (ran.code, ran.json()["status"].as_str()),
        (3, Some("infeasible"))
    );
    assert_eq!(ran.json()["least_peak"], 20_164_608);
    let said = edgewise(&["run", &link::of(&tight)], "");
    assert!(said.out.contains("19.2"), "{said:?}");
}
