//! Answers after the first token on the command line: both forms, the front, and every field that can be wrong.

use super::{edgewise, evaluate, paper, small_with, solve};
use serde_json::{Value, json};

/// The small problem with an answer of nine tokens. At the mean context of 15 tokens a layer reads 15 kB of keys and values
/// and keeps 38 kB for two requests; a token is 100 kB, which takes 10 ms to hand over, and 2 ms besides.
pub(crate) fn small(goal: &str) -> String {
    let mut document: Value =
        serde_json::from_str(&small_with("{\"layers\"", "{\"layers\"")).expect("JSON");
    for layer in 0..2 {
        document["layers"][layer]["W_dec"] = 1e9.into();
        document["layers"][layer]["kv"] = 1e3.into();
    }
    document["devices"][0]["beta"] = 1e11.into();
    document["devices"][1]["beta"] = 5e10.into();
    let decode = r#"{"G":9,"t":10,"requests":2,"hop_s":0.002,"goal":GOAL}"#.replace("GOAL", goal);
    document["decode"] = serde_json::from_str(&decode).expect("JSON");
    document.to_string()
}

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().expect("a number") - expected).abs() <= 1e-12 * expected.abs()
}

pub(crate) const WHOLE: &str = "\"whole-answer\"";

#[test]
fn an_answer_worked_by_hand() {
    let answer = solve(&small(WHOLE)).answer();
    assert_eq!(answer["status"], "optimal");
    assert_eq!(answer["plan"], json!([[0, 1, 1], [1, 2, 2]]));
    assert!(close(&answer["T"], 2.35), "{answer}");
    let first = 1e9 / 1e11 + 15e3 / 1e11 + 0.002;
    let second = 2e9 / 5e10 + 15e3 / 5e10 + 0.012;
    let decode = &answer["decode"];
    for (field, expected) in [
        ("D", first + second),
        ("rate", 1.0 / second),
        ("rate_one_request", 1.0 / (first + second)),
        ("rate_requests", 1.0 / second),
        ("total", 2.35 + 9.0 * (first + second)),
        ("objective", 2.35 + 9.0 * (first + second)),
        ("kv_bytes", 76e3),
        ("answer_tokens", 9.0),
        ("requests", 2.0),
    ] {
        assert!(close(&decode[field], expected), "{field}: {decode}");
    }
    assert_eq!(answer["bound"], decode["objective"]);
    assert_eq!(answer["objective"], decode["objective"]);
    assert_eq!(answer["gap"], 0.0);
    assert_eq!(decode["goal"], "whole-answer");
    assert_eq!(decode["stages"][1]["binds"], "memory");
    assert!(close(&decode["stages"][1]["receive"], 0.012), "{decode}");
    assert!(
        close(&answer["timeline"][1]["mem"], 2.001e9 + 38e3),
        "{answer}"
    );
    // The same plan, scored alone.
    let mut document: Value = serde_json::from_str(&small(WHOLE)).expect("JSON");
    document["plan"] = answer["plan"].clone();
    let scored = evaluate(&document.to_string()).answer();
    assert_eq!(scored["decode"], *decode);
}

#[test]
fn a_rate_bends_the_plan_and_one_that_is_too_high_is_distinguished() {
    // 20 ms for a token are less than the second device takes for its layer, and than the first takes for both.
    let within = |rate: f64| small(&format!("\"throughput\",\"rate\":{rate}"));
    let alone = solve(&within(33.0)).answer();
    assert_eq!(alone["plan"], json!([[0, 1, 2]]));
    assert_eq!(alone["decode"]["least_rate"], 33.0);
    let never = solve(&within(50.0));
    assert_eq!(never.code, 3);
    let answer = never.json();
    assert_eq!(answer["infeasible"]["kind"], "rate");
    assert!(close(
        &answer["infeasible"]["greatest"],
        1.0 / (3e9 / 1e11 + 30e3 / 1e11)
    ));
    assert_eq!(
        answer["reason"],
        "no plan that fits reaches 50.0 tokens per second; the most is 33.3 tokens per second"
    );
    assert_eq!(answer.get("repairs"), None);
    // A method that knows nothing of rates has no plan where its own misses the one that is asked for.
    let dp = edgewise(&["solve", "cold-start", "--method", "dp"], within(33.0));
    assert_eq!(dp.code, 3);
    let reason =
        "this plan reaches 19.2 tokens per second, and 33.0 tokens per second are required";
    assert_eq!(dp.json()["reason"], reason);
    let dp = edgewise(&["solve", "cold-start", "--method", "dp"], within(19.0));
    assert_eq!(dp.answer()["status"], "feasible");
}

#[test]
fn the_front_has_both_ends_and_the_way_between() {
    let ran = edgewise(&["solve", "cold-start-front"], small(WHOLE));
    let front = ran.answer();
    assert_eq!(front["status"], "optimal");
    assert_eq!(front["is_complete"], true);
    let points = front["points"].as_array().expect("a list");
    assert_eq!(points[0]["plan"], json!([[0, 1, 1], [1, 2, 2]]));
    assert_eq!(points[points.len() - 1]["plan"], json!([[0, 1, 2]]));
    assert_eq!(front["solves"].as_u64(), Some(points.len() as u64 + 1));
    assert_eq!(front["steady"]["plan"], json!([[0, 1, 2]]));
    let way = &front["consolidation"];
    // Device 0 is done with layer 1 after 2 s and then loads layer 2 for another two.
    assert_eq!(way["loads"][0]["layers"], json!([[2, 2]]));
    assert!(close(&way["loads"][0]["from"], 2.0) && close(&way["loads"][0]["to"], 4.0));
    let token = 0.01000015 + 0.002 + 0.0400003 + 0.012;
    let waited = (1.65_f64 / token).ceil();
    assert!(close(&way["switch"]["token"], waited), "{way}");
    assert!(
        close(&way["switch"]["bytes"], 2.0 * 1e3 * (10.0 + waited)),
        "{way}"
    );
    // No answer of nine tokens sees the switch.
    assert_eq!(way["consolidating"], way["cold_only"]);
}

#[test]
fn every_field_that_is_wrong_is_named() {
    let put = |path: &[&str], value: Value| {
        let mut document: Value = serde_json::from_str(&small(WHOLE)).expect("JSON");
        let mut at = &mut document;
        for key in path {
            at = match key.parse::<usize>() {
                Ok(index) => &mut at[index],
                Err(_) => &mut at[*key],
            };
        }
        *at = value;
        document.to_string()
    };
    for (path, value, named) in [
        (&["decode", "G"][..], json!(0), "decode.G"),
        (&["decode", "t"], json!(-1), "decode.t"),
        (&["decode", "requests"], json!(0.5), "decode.requests"),
        (&["decode", "hop_s"], json!(-1e-3), "decode.hop_s"),
        (&["decode", "goal"], json!("fast"), "decode.goal"),
        (&["layers", "1", "W_dec"], json!(0), "layers[1].W_dec"),
        (&["layers", "0", "kv"], json!(-1), "layers[0].kv"),
        (&["layers", "0", "window"], json!(0), "layers[0].window"),
        (&["devices", "1", "beta"], json!(0), "devices[1].beta"),
        (&["devices", "0", "c_dec"], json!(-2), "devices[0].c_dec"),
    ] {
        solve(&put(path, value)).refused("range", named);
    }
    for (path, named) in [
        (&["decode", "t"][..], "decode.t"),
        (&["layers", "1", "kv"], "layers[1].kv"),
        (&["layers", "0", "W_dec"], "layers[0].W_dec"),
        (&["devices", "1", "beta"], "devices[1].beta"),
    ] {
        solve(&put(path, Value::Null)).refused("missing", named);
    }
    solve(&small("\"throughput\"")).refused("missing", "decode.rate");
    let rate = solve(&small("\"throughput\",\"rate\":0"));
    rate.refused("range", "decode.rate");
    let rate = solve(&small("\"whole-answer\",\"rate\":1"));
    rate.refused("unknown", "decode.rate");
    let without = small_with("{\"layers\"", "{\"layers\"");
    let front = edgewise(&["solve", "cold-start-front"], without);
    front.refused("missing", "decode");
}

#[test]
fn the_form_with_a_model_takes_memory_rates_and_its_own_prompt() {
    let decode =
        r#","decode":{"G":200,"requests":1,"hop_s":0.002,"goal":"whole-answer"},"devices""#;
    let with = |text: &str| paper(text).replacen(",\"devices\"", decode, 1);
    solve(&with("\"t\":256")).refused("missing", "devices[0].beta_gb_s");
    let rated = with("\"t\":256").replace("\"pd_dbm\":25", "\"pd_dbm\":25,\"beta_gb_s\":200");
    let answer = solve(&rated).answer();
    assert_eq!(answer["status"], "optimal");
    // 26.4 GB at 200 GB/s: a token takes an eighth of a second and a bit, wherever the layers are.
    let token = answer["decode"]["D"].as_f64().expect("a number");
    assert!((0.132..0.16).contains(&token), "{token}");
    let prompt = rated.replace("\"G\":200", "\"G\":200,\"t\":256");
    solve(&prompt).refused("unknown", "decode.t");
    let slow = rated.replacen("\"beta_gb_s\":200", "\"beta_gb_s\":-1", 1);
    solve(&slow).refused("range", "devices[0].beta_gb_s");
    let rows = solve(&rated.replace("\"t\":256", "\"tokens\":[256,512]")).answer();
    assert_eq!(rows["rows"][0]["decode"], answer["decode"]);
    assert_eq!(rows["rows"][1]["decode"]["answer_tokens"], 200.0);
}
