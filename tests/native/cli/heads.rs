//! `solve` and `evaluate head-placement`: answers, methods, options, faults by name, a stream.

use super::{Ran, edgewise};
use serde_json::{Value, json};

/// Two heads on two devices, worked out by hand: heads, proj and ffn need 40, 8 and 32 bytes, and 56, 32 and 256
/// operations; all on device 0 takes 4 s, and the moves there from device 1 8 s.
pub(crate) const TINY: &str = r#"{"model":{"h":2,"D":4,"b":1,"L0":1,"mem":"table","flops":"table","delay":"full","inp":"embed"},"n":1,"n_prev":0,"tokens":1,"controller":0,"M":[1000,1000],"C":[100,50],"R":[[0,10],[10,0]],"prev":null,"t_tok":null}"#;

fn solve(document: &str, options: &[&str]) -> Ran {
    let arguments = [&["solve", "head-placement"], options].concat();
    edgewise(&arguments, document)
}

fn evaluate(document: &str) -> Ran {
    edgewise(&["evaluate", "head-placement"], document)
}

/// The document with another value, or a new field; `/` leads into the model.
fn with(field: &str, value: Value) -> String {
    let mut document: Value = serde_json::from_str(TINY).expect("JSON");
    match field.strip_prefix("model/") {
        Some(field) => document["model"][field] = value,
        None => document[field] = value,
    }
    document.to_string()
}

#[test]
fn an_answer_has_the_fields_of_its_form() {
    let answer = solve(&with("id", json!("a")), &[]).answer();
    assert_eq!(
        (&answer["id"], &answer["status"]),
        (&json!("a"), &json!("optimal"))
    );
    assert_eq!(answer["placement"], json!([0, 0, 0, 0]));
    assert_eq!(
        (&answer["J"], &answer["D_T"], &answer["D_mig"]),
        (&json!(4.0), &json!(4.0), &json!(0.0))
    );
    assert_eq!(answer["memory_use"], json!([120.0, 0.0]));
    let sizes = json!({
        "m_head": 40.0, "m_proj": 8.0, "m_ffn": 32.0, "b_head": 56.0, "b_proj": 32.0, "b_ffn": 256.0,
        "w_in": 8.0, "w_hp": 4.0, "w_pf": 8.0
    });
    assert_eq!(answer["sizes"], sizes);
    assert_eq!(
        (&answer["bound"], &answer["gap"]),
        (&json!(4.0), &json!(0.0))
    );
    // Presets and controller may be left out; a weight counts tokens, and moves add up.
    let short = r#"{"model":{"h":2,"D":4,"b":1,"L0":1},"n":1,"n_prev":0,"tokens":3,"M":[1000,1000],"C":[100,50],"R":[[0,10],[10,0]],"prev":[1,1,1,1]}"#;
    let moved = solve(short, &[]).answer();
    let number = |field: &str| moved[field].as_f64().expect("a number");
    assert_eq!(number("J"), 3.0 * number("D_T") + number("D_mig"));
    assert_eq!((number("J"), number("D_mig")), (20.0, 8.0));
}

#[test]
fn every_method_says_what_it_is_and_how_far_from_the_best() {
    let document = with("C", json!([50, 100]));
    let best = solve(&document, &[]).answer()["J"].clone();
    for (options, placement) in [
        (&["--method", "exact"][..], None),
        (&["--method", "algorithm1"], Some(json!([1, 1, 1, 1]))),
        (
            &["--method", "algorithm1", "--variant", "published"],
            Some(json!([1, 1, 1, 1])),
        ),
        (&["--method", "algorithm1", "--variant", "load_aware"], None),
        (&["--method", "greedy"], Some(json!([0, 0, 0, 0]))),
        (&["--method", "round-robin"], Some(json!([0, 1, 0, 1]))),
        (&["--method", "static"], Some(json!([1, 1, 1, 1]))),
        (
            &["--method", "static", "--variant", "published"],
            Some(json!([1, 1, 1, 1])),
        ),
        (&["--method", "dynamic"], Some(json!([1, 1, 1, 1]))),
        (&["--method", "edgeshard"], Some(json!([1, 1, 1, 1]))),
    ] {
        let answer = solve(&document, options).answer();
        let exact = options[1] == "exact";
        assert_eq!(answer["status"], if exact { "optimal" } else { "feasible" });
        if let Some(placement) = placement {
            assert_eq!(answer["placement"], placement, "{options:?}");
        }
        assert_eq!(answer["bound"], best, "{options:?}");
        assert!(answer["gap"].as_f64() >= Some(0.0));
        assert!(answer["J"].as_f64() >= best.as_f64());
    }
    // What is there stays, and a group that splits the layer has no placement.
    let stays = with("prev", json!([0, 1, 0, 1]));
    let kept = solve(&stays, &["--method", "static"]).answer();
    assert_eq!(
        (&kept["placement"], &kept["D_mig"]),
        (&json!([0, 1, 0, 1]), &json!(0.0))
    );
    let split = solve(TINY, &["--method", "galaxy"]).answer();
    assert_eq!(
        (&split["placement"], &split["status"]),
        (&Value::Null, &json!("feasible"))
    );
    assert_eq!(
        (&split["bound"], &split["group"]["heads"]),
        (&Value::Null, &json!([1, 1]))
    );
    assert!((split["D_T"].as_f64().expect("a number") - 5.44).abs() < 1e-12);
    assert_eq!(split["memory_use"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_infeasible_problem_has_a_cause_a_repair_and_exit_status_3() {
    let small = with("M", json!([60, 59]));
    for method in [
        "exact",
        "algorithm1",
        "greedy",
        "round-robin",
        "static",
        "dynamic",
        "edgeshard",
    ] {
        let ran = solve(&small, &["--method", method]);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{method}");
        let answer = ran.json();
        assert_eq!(answer["status"], "infeasible");
        assert_eq!(answer["infeasible"]["kind"], "total-memory");
        assert_eq!(
            answer["infeasible"]["repairs"][0],
            json!({"device": 0, "memory": 72.0, "more": 12.0})
        );
        for field in [
            "J",
            "D_T",
            "D_mig",
            "placement",
            "memory_use",
            "bound",
            "gap",
        ] {
            assert_eq!(answer[field], Value::Null, "{field}");
        }
        assert!(answer["reason"].as_str().is_some_and(|why| why.len() > 30));
    }
    for (document, kind) in [
        (with("C", json!([0, 0])), "compute"),
        (with("M", json!([31, 31])), "block"),
        (with("M", json!([71, 71])), "packing"),
    ] {
        let ran = solve(&document, &[]);
        assert_eq!(
            (ran.code, &ran.json()["infeasible"]["kind"]),
            (3, &json!(kind))
        );
    }
}

#[test]
fn a_method_that_finds_nothing_says_so_where_a_placement_exists() {
    let ran = solve(&with("t_tok", json!(0.1)), &["--method", "algorithm1"]);
    let answer = ran.json();
    assert_eq!((ran.code, &answer["status"]), (3, &json!("infeasible")));
    assert_eq!(
        (answer.get("infeasible"), &answer["J"]),
        (None, &Value::Null)
    );
    let told = |ran: &Ran, words: &str| {
        let answer = ran.json();
        assert_eq!(
            (ran.code, &answer["placement"]),
            (3, &Value::Null),
            "{ran:?}"
        );
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(reason.contains(words), "{reason}");
    };
    told(&ran, "block 3");
    // Round robin does not know that device 1 computes nothing.
    told(
        &solve(&with("C", json!([100, 0])), &["--method", "round-robin"]),
        "never finish a token",
    );
    let apart = with("R", json!([[0, 10], [0, 0]])).replace("\"prev\":null", "\"prev\":[1,1,1,1]");
    told(
        &solve(&apart, &["--method", "greedy"]),
        "never finish its moves",
    );
    let full = with("M", json!([119, 1000])).replace("\"prev\":null", "\"prev\":[0,0,0,0]");
    told(
        &solve(&full, &["--method", "static"]),
        "device 0 does not fit",
    );
    told(
        &solve(&with("M", json!([1000, 53])), &["--method", "galaxy"]),
        "device 1 does not fit",
    );
    for method in ["exact", "algorithm1"] {
        let ran = solve(TINY, &["--method", method, "--time-limit", "0"]);
        assert_eq!(
            (ran.code, &ran.json()["status"]),
            (4, &json!("stopped")),
            "{method}"
        );
    }
}

#[test]
fn given_placements_are_scored() {
    let moved =
        with("placement", json!([0, 1, 0, 1])).replace("\"prev\":null", "\"prev\":[0,0,0,0]");
    let answer = evaluate(&moved).answer();
    let near = |field: &str, wanted: f64| {
        let found = answer[field].as_f64().expect("a number");
        assert!((found - wanted).abs() < 1e-12, "{field}: {found}");
    };
    near("D_T", 8.56);
    near("D_mig", 4.6);
    near("J", 13.16);
    assert_eq!(answer["memory_ok"], true);
    assert_eq!(answer["memory_use"], json!([48.0, 72.0]));
    assert_eq!(
        (
            answer.get("status"),
            answer["moves"].as_array().map(Vec::len)
        ),
        (None, Some(2))
    );
    assert_eq!(
        answer["moves"][0],
        json!({"block": 1, "from": 0, "to": 1, "bytes": 30.0, "seconds": 3.0})
    );
    // Too little memory is scored all the same, and for ever is null.
    let full = evaluate(&moved.replace("[1000,1000]", "[47,1000]")).answer();
    assert_eq!(
        (&full["memory_ok"], &full["D_T"]),
        (&json!(false), &answer["D_T"])
    );
    let apart = evaluate(&moved.replace("[10,0]]", "[0,0]]")).answer();
    assert_eq!(
        (&apart["J"], &apart["D_T"], &apart["D_mig"]),
        (&Value::Null, &Value::Null, &answer["D_mig"])
    );
    for (placement, path) in [
        (json!([0, 0, 0]), "placement"),
        (json!([0, 0, 0, 0, 0]), "placement"),
        (json!([0, 2, 0, 0]), "placement[1]"),
    ] {
        evaluate(&with("placement", placement)).refused("plan", path);
    }
    evaluate(TINY).refused("missing", "placement");
    solve(&with("placement", json!([0, 0, 0, 0])), &[]).refused("unknown", "placement");
}

/// Over quick links a split is best: it is scored as it was solved, and a plan is a placement or a split.
#[test]
fn plans_that_split_the_layer_are_solved_and_scored() {
    let quick = with("R", json!([[0, 1000], [1000, 0]]));
    let solved = solve(&quick, &["--method", "exact-split"]).answer();
    assert_eq!(
        (&solved["status"], &solved["placement"]),
        (&json!("optimal"), &Value::Null)
    );
    assert_eq!(solved["bound"], solved["J"]);
    let galaxy = solve(&quick, &["--method", "galaxy"]).answer();
    let whole = solve(&quick, &["--method", "exact"]).answer();
    assert!(solved["J"].as_f64() <= galaxy["J"].as_f64());
    assert!(solved["J"].as_f64() < whole["J"].as_f64());
    assert_eq!(solved["group"]["devices"], json!([0, 1]));
    let given = |group: &Value| {
        let mut document: Value = serde_json::from_str(&quick).expect("JSON");
        document["split"] = group.clone();
        document.to_string()
    };
    for answer in [&solved, &galaxy] {
        let scored = evaluate(&given(&answer["group"])).answer();
        assert_eq!(
            (&scored["J"], &scored["D_T"], &scored["memory_use"]),
            (&answer["J"], &answer["D_T"], &answer["memory_use"])
        );
    }
    let mut other = solved["group"].clone();
    other["heads"] = json!([0, 2]);
    evaluate(&given(&other)).refused("range", "split.heads");
    other = solved["group"].clone();
    other["share"] = json!([0.5, 0.6]);
    evaluate(&given(&other)).refused("plan", "split.share");
    solve(&given(&solved["group"]), &[]).refused("unknown", "split");
    // Over slow links whole blocks are best, and that is what comes.
    let slow = solve(TINY, &["--method", "exact-split"]).answer();
    let best = solve(TINY, &["--method", "exact"]).answer();
    assert_eq!(
        (&slow["placement"], &slow["J"]),
        (&best["placement"], &best["J"])
    );
    let none = solve(&with("M", json!([10, 10])), &["--method", "exact-split"]);
    assert_eq!(
        (none.code, &none.json()["status"]),
        (3, &json!("infeasible"))
    );
}

#[test]
fn a_field_at_fault_is_named() {
    for (field, value, code, path) in [
        ("model/h", json!(0), "range", "model.h"),
        ("model/h", json!(3), "range", "model.D"),
        ("model/h", json!(2.5), "type", "model.h"),
        ("model/D", json!(-4), "type", "model.D"),
        ("model/b", json!(0), "range", "model.b"),
        ("model/b", json!(1e300), "range", "model.b"),
        ("model/mem", json!("real"), "range", "model.mem"),
        ("model/flops", json!("full"), "range", "model.flops"),
        ("model/delay", json!("Full"), "range", "model.delay"),
        ("model/inp", json!(1), "type", "model.inp"),
        ("model/layers", json!(1), "unknown", "model.layers"),
        (
            "model",
            json!([2, 4, 1, 1, "table", "table", "full", "embed"]),
            "type",
            "model",
        ),
        ("n", json!(-1), "type", "n"),
        ("n_prev", json!(2), "range", "n_prev"),
        ("tokens", json!(0), "range", "tokens"),
        ("tokens", json!("1"), "type", "tokens"),
        ("controller", json!(2), "range", "controller"),
        ("M", json!([1000]), "range", "M"),
        ("M", json!([1000, -1]), "range", "M[1]"),
        ("C", json!([100, 50, 1]), "range", "C"),
        ("C", json!([100, true]), "type", "C[1]"),
        ("R", json!([]), "range", "R"),
        ("R", json!([[0, 10]]), "range", "R[0]"),
        ("R", json!([[0, 10], [10]]), "range", "R[1]"),
        ("R", json!([[0, -10], [10, 0]]), "range", "R[0][1]"),
        ("prev", json!([0, 0, 0]), "range", "prev"),
        ("prev", json!([0, 0, 0, 2]), "range", "prev[3]"),
        ("prev", json!([0, 0, 0, -1]), "type", "prev[3]"),
        ("t_tok", json!(0), "range", "t_tok"),
        ("w", json!(1), "unknown", "w"),
    ] {
        solve(&with(field, value), &[]).refused(code, path);
    }
    // Nothing of these is a fault: a diagonal of anything, no link, no memory, no compute, a prompt of nothing.
    for (field, value) in [
        ("R", json!([[-1, 10], [10, 7]])),
        ("R", json!([[0, 0], [0, 0]])),
        ("M", json!([1000, 0])),
        ("C", json!([100, 0])),
        ("model/L0", json!(0)),
    ] {
        assert_eq!(solve(&with(field, value), &[]).code, 0, "{field}");
    }
    let document: Value = serde_json::from_str(TINY).expect("JSON");
    for field in ["model", "n", "n_prev", "tokens", "M", "C", "R"] {
        let mut short = document.clone();
        short.as_object_mut().expect("an object").remove(field);
        solve(&short.to_string(), &[]).refused("missing", field);
    }
    let far = TINY.replace("[100,50]", "[100,1e999]");
    solve(&far, &[]).refused("syntax", "C[1]");
    solve(&TINY[..30], &[]).refused("syntax", "model");
}

#[test]
fn options_that_do_not_belong_are_refused_with_those_that_do() {
    for (options, told) in [
        (&["--method", "dp"][..], "algorithm1"),
        (
            &["--method", "algorithm1", "--variant", "best"],
            "with_migration",
        ),
        (&["--variant", "published"], "algorithm1"),
        (&["--method", "greedy", "--variant", "published"], "static"),
        (&["--eps", "1"], "tiers-partition"),
        (&["--relay", "slower-hop"], "cold-start"),
    ] {
        let ran = solve(TINY, options);
        ran.refused("option", "");
        assert!(ran.complaint().contains(told), "{ran:?}");
    }
    let ran = edgewise(
        &["solve", "tiers-partition", "--variant", "published"],
        "{}",
    );
    assert!(ran.complaint().contains("head-placement"), "{ran:?}");
}

#[test]
fn documents_are_answered_line_by_line() {
    let bad = with("C", json!([1, -1])).replacen('{', "{\"id\":2,", 1);
    let input = [
        with("id", json!(1)),
        bad,
        "{".to_owned(),
        with("M", json!([0, 0])),
    ];
    let ran = solve(&input.join("\n"), &["--jsonl"]);
    assert_eq!(ran.code, 2);
    let lines = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let answers: Vec<Value> = lines.collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(
        (&answers[0]["id"], &answers[0]["J"]),
        (&json!(1), &json!(4.0))
    );
    assert_eq!(
        (&answers[1]["id"], &answers[1]["error"]["path"]),
        (&json!(2), &json!("C[1]"))
    );
    assert_eq!(answers[2]["error"]["code"], "syntax");
    assert_eq!(answers[3]["status"], "infeasible");
}

#[test]
fn a_network_of_the_papers_size_is_answered_at_once() {
    let devices = 25;
    let rate = |j: usize, k: usize| 1.25e8 * (1.0 + ((j * 7 + k * 3) % 10) as f64);
    let rates: Vec<Vec<f64>> = (0..devices)
        .map(|j| (0..devices).map(|k| rate(j, k)).collect())
        .collect();
    let document = json!({
        "model": {"h": 32, "D": 2048, "b": 4, "L0": 64, "mem": "table", "flops": "table", "delay": "full", "inp": "embed"},
        "n": 1000, "n_prev": 999, "tokens": 1, "controller": 0, "M": vec![4e9; devices],
        "C": (0..devices).map(|j| 5e9 + 1.5e9 * j as f64).collect::<Vec<f64>>(),
        "R": rates, "prev": vec![3; 34], "t_tok": null
    });
    let document = document.to_string();
    let exact = solve(&document, &[]).answer();
    assert_eq!(exact["status"], "optimal");
    for variant in ["published", "with_migration", "load_aware"] {
        let options = ["--method", "algorithm1", "--variant", variant];
        let answer = solve(&document, &options).answer();
        assert!(answer["J"].as_f64() >= exact["J"].as_f64(), "{variant}");
        assert_eq!(answer["bound"], exact["J"]);
    }
}
