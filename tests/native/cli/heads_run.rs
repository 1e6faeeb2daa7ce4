//! `solve head-placement-run`: step by step the answers of `head-placement`, totals, remedies, faults by name.

use super::{Ran, edgewise};
use serde_json::{Value, json};

/// Two heads on two devices, three tokens in two steps; the second device gets faster, then the first one nothing at all.
pub(crate) const RUN: &str = r#"{"model":{"h":2,"D":4,"b":1,"L0":1},"controller":0,"R":[[0,10],[10,0]],"steps":[{"n":1,"M":[1000,1000],"C":[100,50]},{"n":3,"M":[1000,1000],"C":[1,5000]}],"method":"exact"}"#;

fn solve(document: &str) -> Ran {
    edgewise(&["solve", "head-placement-run"], document)
}

/// The document after a change.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut document: Value = serde_json::from_str(RUN).expect("JSON");
    change(&mut document);
    document.to_string()
}

fn with(field: &str, value: Value) -> String {
    changed(|document| document[field] = value)
}

#[test]
fn every_step_is_the_answer_of_the_single_problem() {
    let methods = [
        json!({"method": "exact"}),
        json!({"method": "algorithm1"}),
        json!({"method": "algorithm1", "variant": "load_aware"}),
        json!({"method": "greedy"}),
        json!({"method": "round-robin"}),
        json!({"method": "static"}),
        json!({"method": "dynamic"}),
    ];
    for method in methods {
        let mut document: Value = serde_json::from_str(RUN).expect("JSON");
        for (key, value) in method.as_object().expect("fields") {
            document[key] = value.clone();
        }
        let answer = solve(&document.to_string()).answer();
        let steps = answer["steps"].as_array().expect("a list");
        assert_eq!(steps.len(), 2, "{method}");
        let (mut n_prev, mut prev) = (0, Value::Null);
        for (step, given) in steps
            .iter()
            .zip(document["steps"].as_array().expect("a list"))
        {
            let n = given["n"].as_u64().expect("a number");
            let single = json!({
                "model": document["model"], "n": n, "n_prev": n_prev, "tokens": n - n_prev,
                "controller": 0, "M": given["M"], "C": given["C"], "R": document["R"], "prev": prev,
            });
            let mut options = vec!["solve", "head-placement", "--method"];
            options.push(method["method"].as_str().expect("a name"));
            if let Some(variant) = method["variant"].as_str() {
                options.extend(["--variant", variant]);
            }
            let mut alone = edgewise(&options, single.to_string()).answer();
            alone["n"] = json!(n);
            assert_eq!(*step, alone, "{method} at {n}");
            (n_prev, prev) = (n, step["placement"].clone());
        }
        assert_eq!(answer["infeasible_steps"], json!(0));
        assert_eq!(answer["failed_at"], Value::Null);
        let moving: f64 = steps
            .iter()
            .map(|s| s["D_mig"].as_f64().expect("a number"))
            .sum();
        assert_eq!(answer["total"]["D_mig"], json!(moving), "{method}");
    }
}

#[test]
fn totals_count_every_token_with_its_own_length() {
    let ran = solve(&with("id", json!(7)));
    let answer = ran.answer();
    assert_eq!(answer["id"], json!(7));
    // Token 1 on the first device alone: 112 + 32 + 256 operations at 100 a second. Then all moves to the second one, with
    // the sizes after token 1: 2 times 40, 8 and 32 bytes at 10 a second.
    assert_eq!(answer["steps"][0]["D_T"], json!(4.0));
    assert_eq!(answer["steps"][1]["placement"], json!([1, 1, 1, 1]));
    assert_eq!(answer["total"]["D_mig"], json!(12.0));
    assert_eq!(answer["total"]["migrations"], json!(4));
    // Token 2: L = 3, input 12 bytes, 2·90 + 48 + 384 operations at 5000 a second; token 3: 16 bytes, 2·128 + 64 + 512.
    let two = 1.2 + 612.0 / 5000.0;
    let three = 1.6 + 832.0 / 5000.0;
    let seconds = answer["total"]["seconds"].as_f64().expect("a number");
    assert!(
        (seconds - (4.0 + 12.0 + two + three)).abs() < 1e-9,
        "{seconds}"
    );
    let d_t = answer["steps"][1]["D_T"].as_f64().expect("a number");
    assert!((d_t - three).abs() < 1e-12, "planned for the last token");
    let form = ["id", "steps", "total", "infeasible_steps", "failed_at"];
    assert_eq!(
        answer.as_object().map(serde_json::Map::len),
        Some(form.len())
    );
    // In this order in the text: that of a map read back depends on how the JSON library was built.
    let places = form.map(|field| ran.out.rfind(&format!("\"{field}\":")));
    assert!(places[0].is_some() && places.is_sorted(), "{}", ran.out);
}

#[test]
fn remedies_failures_and_what_goes_on_without_memory() {
    // Nothing can be computed in time: Algorithm 1 goes without its limit, then stays.
    let hasty = changed(|document| {
        document["method"] = json!("greedy");
        document["t_tok"] = json!(1e-3);
        document["steps"][1]["C"] = json!([100, 50]);
    });
    let answer = solve(&hasty).answer();
    assert_eq!(answer["steps"][0]["remedy"], json!("without_budget"));
    assert_eq!(answer["steps"][1]["remedy"], json!("kept"));
    assert_eq!(answer["infeasible_steps"], json!(2));
    assert_eq!(answer["steps"][1]["status"], json!("feasible"));

    let full = |method: &str| {
        changed(|document| {
            document["method"] = json!(method);
            document["steps"][1]["M"] = json!([150, 0]);
            let third = json!({"n": 4, "M": [1000, 1000], "C": [1, 1]});
            document["steps"]
                .as_array_mut()
                .expect("a list")
                .push(third);
        })
    };
    for method in ["exact", "algorithm1", "round-robin", "dynamic"] {
        let ran = solve(&full(method));
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{method}");
        let answer = ran.json();
        assert_eq!(answer["failed_at"], json!(3), "{method}");
        let steps = answer["steps"].as_array().expect("a list");
        assert_eq!(steps.len(), 2, "{method}: it ends there");
        assert_eq!(steps[1]["status"], json!("infeasible"));
        assert_eq!(steps[1]["remedy"], json!("failed"));
        assert_eq!(
            (&steps[1]["J"], &steps[1]["placement"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(steps[1]["infeasible"]["kind"], json!("total-memory"));
        assert!(answer["total"]["seconds"].as_f64() > Some(0.0), "{method}");
        assert_eq!(answer["infeasible_steps"], json!(1));
    }
    for method in ["static", "edgeshard", "galaxy"] {
        let ran = solve(&full(method));
        let answer = ran.answer();
        let step = &answer["steps"][1];
        assert_eq!(
            (&answer["failed_at"], &step["status"]),
            (&Value::Null, &json!("infeasible"))
        );
        assert!(
            step["reason"]
                .as_str()
                .expect("a reason")
                .contains("does not fit"),
            "{step}"
        );
        assert!(
            step["D_T"].is_number() && step["memory_use"].is_array(),
            "{step}"
        );
        assert_eq!(answer["steps"].as_array().map(Vec::len), Some(3));
        assert_eq!(
            answer["infeasible_steps"],
            json!(0),
            "the method has a placement"
        );
    }
    let group = solve(&with("method", json!("galaxy"))).answer();
    assert_eq!(group["steps"][0]["group"]["devices"], json!([0, 1]));
    assert_eq!(
        group["steps"][1]["group"], group["steps"][0]["group"],
        "chosen once"
    );
    assert_eq!(group["steps"][1]["placement"], Value::Null);
    let quick = changed(|d| {
        d["method"] = json!("exact-split");
        d["R"] = json!([[0, 1000], [1000, 0]]);
        d["steps"][1]["C"] = json!([100, 60]);
    });
    let split = solve(&quick).answer();
    let best = solve(&quick.replace("exact-split", "exact")).answer();
    for step in split["steps"].as_array().expect("steps") {
        assert_eq!(
            (&step["status"], &step["group"]["devices"]),
            (&json!("optimal"), &json!([0, 1]))
        );
    }
    assert!(split["total"]["seconds"].as_f64() < best["total"]["seconds"].as_f64());
}

#[test]
fn a_bad_run_is_refused_by_name() {
    for (document, code, path) in [
        (with("steps", json!([])), "range", "steps"),
        (with("steps", json!(3)), "type", "steps"),
        (with("method", json!("best")), "range", "method"),
        (with("variant", json!("load_aware")), "unknown", "variant"),
        (with("controller", json!(2)), "range", "controller"),
        (with("t_tok", json!(0)), "range", "t_tok"),
        (with("R", json!([[0, 10], [10]])), "range", "R[1]"),
        (with("colour", json!(1)), "unknown", "colour"),
        (changed(|d| d["model"]["h"] = json!(3)), "range", "model.D"),
        (
            changed(|d| d["steps"][0]["n"] = json!(0)),
            "range",
            "steps[0].n",
        ),
        (
            changed(|d| d["steps"][1]["n"] = json!(1)),
            "range",
            "steps[1].n",
        ),
        (
            changed(|d| d["steps"][1]["n"] = json!(100_001)),
            "range",
            "steps[1].n",
        ),
        (
            changed(|d| d["steps"][1]["n"] = json!(2.5)),
            "type",
            "steps[1].n",
        ),
        (
            changed(|d| d["steps"][1]["M"][0] = json!(-1)),
            "range",
            "steps[1].M[0]",
        ),
        (
            changed(|d| d["steps"][1]["C"] = json!([1])),
            "range",
            "steps[1].C",
        ),
        (
            changed(|d| d["steps"][1]["x"] = json!(1)),
            "unknown",
            "steps[1].x",
        ),
        (
            changed(|d| d["steps"][0] = json!([1, [1], [1]])),
            "type",
            "steps[0]",
        ),
    ] {
        solve(&document).refused(code, path);
    }
    let missing = changed(|d| drop(d.as_object_mut().expect("an object").remove("method")));
    solve(&missing).refused("missing", "method");
    // A fault behind the step at which the run ends is one of the document all the same.
    let behind = changed(|d| {
        d["steps"][0]["M"] = json!([0, 0]);
        d["steps"][1]["C"] = json!([1, -1]);
    });
    solve(&behind).refused("range", "steps[1].C[1]");
}

#[test]
fn options_that_change_nothing_are_refused_and_a_stream_goes_on() {
    let options =
        |options: &[&str]| edgewise(&[&["solve", "head-placement-run"], options].concat(), RUN);
    let greedy = options(&["--method", "greedy"]);
    let complaint = greedy.refused("option", "");
    assert!(
        complaint.contains("documents name the method"),
        "{complaint}"
    );
    options(&["--variant", "published"]).refused("option", "");
    let ran = edgewise(&["evaluate", "head-placement-run"], RUN);
    ran.refused("option", "");
    let stopped = options(&["--time-limit", "0"]);
    assert_eq!((stopped.code, stopped.err.as_str()), (4, ""));
    assert_eq!(
        stopped.json(),
        json!({"steps": null, "total": null, "infeasible_steps": null, "failed_at": null})
    );
    let lines = format!(
        "{RUN}\n{}\n{RUN}\n",
        with("method", json!("static")).replace("100,50", "100,x")
    );
    let ran = edgewise(&["solve", "head-placement-run", "--jsonl"], lines);
    assert_eq!(ran.code, 2);
    let answers: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[1]["error"]["code"], json!("syntax"));
}
