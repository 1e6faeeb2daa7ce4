//! `solve dispatch`: answers, nulls, faults by name, a stream.

use super::{Ran, edgewise};
use serde_json::{Value, json};

/// Three lengths with a sixth, a third and a half of all tokens, ten samples, half of the tokens to spend: worked out by hand.
pub(crate) const THREE: &str = r#"{"lengths":[[30,1],[10,1],[20,1]],"ttft":[3,1,2,4,5,6,7,8,9,10],"b":0.5,"alpha":0.1,"prefill_rate":10,"device_const":0}"#;

fn solve(document: &str) -> Ran {
    edgewise(&["solve", "dispatch"], document)
}

#[track_caller]
fn with(old: &str, new: &str) -> String {
    assert!(THREE.contains(old), "{old}");
    THREE.replacen(old, new, 1)
}

#[track_caller]
fn is(value: &Value, wanted: f64) {
    let found = value
        .as_f64()
        .unwrap_or_else(|| panic!("a number, not {value}"));
    assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
}

fn names(value: &Value) -> Vec<&str> {
    let fields = value.as_object().expect("an object");
    let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn an_answer_has_all_policies() {
    let answer = solve(THREE).answer();
    assert_eq!(
        names(&answer),
        ["baselines", "disco_d", "disco_s", "optimal_d"]
    );
    let d = &answer["disco_d"];
    assert_eq!(
        names(d),
        [
            "W",
            "a_eff",
            "device_token_share",
            "exact",
            "mean_ttft",
            "p99_ttft",
            "residual_length",
            "w_tail"
        ]
    );
    is(&d["w_tail"], 9.0);
    is(&d["a_eff"], 0.1);
    assert_eq!(d["residual_length"], 20);
    assert_eq!(d["W"], json!([[10, 0.0], [20, 2.0], [30, 9.0]]));
    is(&d["device_token_share"], 1.0 / 6.0 + 0.8 / 3.0 + 0.05);
    // Length 10: 1 s. Length 20: 1, 2, 3 and seven times 4 s. Length 30 never saves anything: 5.5 s.
    is(&d["mean_ttft"], (1.0 + 3.4 + 5.5) / 3.0);
    is(&d["p99_ttft"], 10.0);
    let exact = &d["exact"];
    let fields = [
        "device_token_share",
        "mean_ttft",
        "p99_ttft",
        "rho",
        "w_prev",
    ];
    assert_eq!(names(exact), fields);
    is(&exact["rho"], 0.5);
    is(&exact["w_prev"], 1.0);
    is(&exact["device_token_share"], 0.5);
    // Half of the prompts of length 20 wait 1 s: 1, 2 and eight times 3 s.
    is(&exact["mean_ttft"], (1.0 + 0.5 * (3.4 + 2.7) + 5.5) / 3.0);
    let s = &answer["disco_s"];
    assert_eq!(
        names(s),
        [
            "boundary_length",
            "l_th",
            "mean_ttft",
            "p99_ttft",
            "randomised",
            "server_token_share",
            "theta"
        ]
    );
    assert_eq!(
        (&s["l_th"], &s["boundary_length"]),
        (&json!(30), &json!(20))
    );
    is(&s["server_token_share"], 0.5);
    is(&s["theta"], 0.0);
    is(&s["mean_ttft"], (1.0 + 2.0 + 2.7) / 3.0);
    is(&s["p99_ttft"], 3.0);
    assert_eq!(
        names(&s["randomised"]),
        ["mean_ttft", "p99_ttft", "server_token_share"]
    );
    is(&s["randomised"]["server_token_share"], 0.5);
    let lines = &answer["baselines"];
    assert_eq!(
        names(lines),
        ["all-device", "all-server", "stoch-d", "stoch-s"]
    );
    for (name, mean, p99) in [
        ("all-server", 5.5, 10.0),
        ("all-device", 2.0, 3.0),
        ("stoch-s", 3.75, 10.0),
        ("stoch-d", 3.75, 10.0),
    ] {
        assert_eq!(names(&lines[name]), ["mean", "p99"]);
        is(&lines[name]["mean"], mean);
        is(&lines[name]["p99"], p99);
    }
    // At once or never: length 10 saves 4.5 s for its sixth, length 20 E[(T - 2)+] = 3.6 s for its third.
    let best = &answer["optimal_d"];
    assert_eq!(names(best), ["device_token_share", "mean_ttft"]);
    is(&best["device_token_share"], 0.5);
    is(&best["mean_ttft"], 5.5 - (4.5 + 3.6) / 3.0);
}

#[test]
fn never_is_null() {
    let answer = solve(&with("\"b\":0.5", "\"b\":0")).answer();
    let d = &answer["disco_d"];
    assert_eq!((&d["w_tail"], &d["a_eff"]), (&Value::Null, &json!(0.0)));
    assert_eq!(d["W"], json!([[10, null], [20, null], [30, null]]));
    assert_eq!(d["residual_length"], Value::Null);
    assert_eq!(
        (&d["exact"]["w_prev"], &d["exact"]["rho"]),
        (&Value::Null, &json!(0.0))
    );
    assert_eq!(answer["disco_s"]["l_th"], Value::Null);
    assert_eq!(
        answer["optimal_d"],
        json!({"mean_ttft": 5.5, "device_token_share": 0.0})
    );
    let answer = solve(&with("\"b\":0.5", "\"b\":1")).answer();
    assert_eq!(answer["disco_s"]["l_th"], 10);
    assert_eq!(answer["disco_s"]["boundary_length"], Value::Null);
    assert_eq!(answer["disco_s"]["theta"], 0.0);
    assert_eq!(answer["disco_d"]["exact"]["w_prev"], Value::Null);
    is(&answer["disco_d"]["device_token_share"], 1.0);
    is(&answer["optimal_d"]["device_token_share"], 1.0);
}

#[test]
fn faults_are_named() {
    for (old, new, code, path) in [
        ("\"b\":0.5,", "", "missing", "b"),
        (",\"device_const\":0", "", "missing", "device_const"),
        ("\"b\":0.5", "\"b\":0.5,\"beta\":1", "unknown", "beta"),
        ("\"b\":0.5", "\"b\":1.5", "range", "b"),
        ("\"b\":0.5", "\"b\":-0.1", "range", "b"),
        ("\"b\":0.5", "\"b\":\"half\"", "type", "b"),
        ("\"b\":0.5", "\"b\":true", "type", "b"),
        ("\"alpha\":0.1", "\"alpha\":0", "range", "alpha"),
        ("\"alpha\":0.1", "\"alpha\":1", "range", "alpha"),
        (
            "\"prefill_rate\":10",
            "\"prefill_rate\":0",
            "range",
            "prefill_rate",
        ),
        (
            "\"prefill_rate\":10",
            "\"prefill_rate\":-1",
            "range",
            "prefill_rate",
        ),
        (
            "\"prefill_rate\":10",
            "\"prefill_rate\":1e-307",
            "range",
            "prefill_rate",
        ),
        (
            "\"device_const\":0",
            "\"device_const\":-1",
            "range",
            "device_const",
        ),
        ("[3,1,2,4,5,6,7,8,9,10]", "[]", "range", "ttft"),
        ("[3,1,2,4,", "[3,1,2,-4,", "range", "ttft[3]"),
        ("[3,1,2,4,", "[3,1,2,0,", "range", "ttft[3]"),
        ("[3,1,2,4,", "[3,1,2,null,", "type", "ttft[3]"),
        ("[3,1,2,4,", "[3,1,2,\"4\",", "type", "ttft[3]"),
        ("[3,1,2,4,", "[3,1,2,[4],", "type", "ttft[3]"),
        ("[3,1,2,4,", "[3,1,2,NaN,", "syntax", "ttft[3]"),
        ("[[30,1],[10,1],[20,1]]", "[]", "range", "lengths"),
        ("[20,1]", "[20,0]", "range", "lengths[2][1]"),
        ("[20,1]", "[20,-1]", "range", "lengths[2][1]"),
        ("[20,1]", "[0,1]", "range", "lengths[2][0]"),
        ("[20,1]", "[-20,1]", "range", "lengths[2][0]"),
        ("[20,1]", "[20.5,1]", "range", "lengths[2][0]"),
        ("[20,1]", "[20,\"1\"]", "type", "lengths[2][1]"),
        ("[20,1]", "[\"20\",1]", "type", "lengths[2][0]"),
        ("[20,1]", "[20]", "type", "lengths[2]"),
        ("[20,1]", "[20,1,1]", "type", "lengths[2]"),
        ("[20,1]", "20", "type", "lengths[2]"),
    ] {
        solve(&with(old, new)).refused(code, path);
    }
    assert_eq!(solve("[]").json()["error"]["path"], "");
    let ran = edgewise(&["solve", "dispatch", "--method", "exact"], THREE);
    assert_eq!(ran.json()["error"]["code"], "option");
    let ran = edgewise(&["evaluate", "dispatch"], THREE);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (2, &json!("option"))
    );
}

#[test]
fn whole_numbers_may_be_written_as_decimals() {
    let plain = solve(THREE).answer();
    assert_eq!(solve(&with("[20,1]", "[20.0,1.0]")).answer(), plain);
    assert_eq!(
        solve(&with("[20,1]", "[20,0.25],[20,0.75]")).answer(),
        plain
    );
}

#[test]
fn a_stream_goes_on_behind_a_bad_line() {
    let good = with("{\"lengths\"", "{\"id\":\"a\",\"lengths\"");
    let bad = with("{\"lengths\"", "{\"id\":7,\"lengths\"").replacen("[3,1,", "[3,-1,", 1);
    let lines = format!("{good}\n{bad}\n\n{THREE}\n");
    let ran = edgewise(&["solve", "dispatch", "--jsonl"], lines);
    assert_eq!(ran.code, 2);
    let answers: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[1]["id"], 7);
    assert_eq!(answers[1]["error"]["path"], "ttft[1]");
    assert_eq!(answers[2]["disco_d"], answers[0]["disco_d"]);
    assert!(answers[2].get("id").is_none());
}

#[test]
fn a_hundred_thousand_samples_are_no_trouble_and_millions_are_refused() {
    let many = |n: usize| -> String {
        let samples: Vec<String> = (0..n).map(|k| format!("{}", 1 + k % 977)).collect();
        with(
            "[3,1,2,4,5,6,7,8,9,10]",
            &format!("[{}]", samples.join(",")),
        )
    };
    let answer = solve(&many(100_000)).answer();
    is(&answer["disco_d"]["exact"]["device_token_share"], 0.5);
    let ran = solve(&many(2_000_001));
    assert_eq!(ran.code, 2);
    let fault = &ran.json()["error"];
    assert_eq!(
        (&fault["code"], &fault["path"]),
        (&json!("range"), &json!("ttft"))
    );
}
