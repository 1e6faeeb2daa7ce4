//! Bad input: the field at fault is named, once for people and once for programs, and nothing crashes.

use super::{Ran, SMALL, edgewise, evaluate, file, paper, small_and, small_with, solve};
use serde_json::Value;

/// A refusal: exit status 2, one line for people, and the fault as JSON.
#[track_caller]
fn assert_refused(ran: &Ran, code: &str, path: &str) -> Value {
    ran.refused(code, path);
    let document = ran.json();
    let fault = &document["error"];
    assert_eq!(
        fault.as_object().map(serde_json::Map::len),
        Some(4),
        "{fault}"
    );
    fault["value"].clone()
}

#[test]
fn a_missing_field_is_named() {
    for (old, path) in [
        (
            "\"layers\":[{\"W\":1e12,\"A\":1e6,\"P\":1e9},{\"W\":1e12,\"A\":1e6,\"P\":2e9}],",
            "layers",
        ),
        ("\"A\":1e6,\"P\":2e9", "layers[1].A"),
        ("\"c\":1e12,", "devices[0].c"),
        (",\"m\":4e9", "devices[0].m"),
    ] {
        let new = if path.ends_with('A') { "\"P\":2e9" } else { "" };
        assert_refused(&solve(&small_with(old, new)), "missing", path);
    }
    assert_refused(&solve("{}"), "missing", "layers");
    assert_refused(&solve(&paper("\"id\":1")), "missing", "t");
    let no_link = paper("\"t\":1").replace("\"link\"", "\"id\"");
    assert_refused(&solve(&no_link), "missing", "link");
    let part = paper("\"t\":1").replace("\"zeta\":3,", "");
    assert_refused(&solve(&part), "missing", "link.zeta");
}

#[test]
fn an_unknown_field_is_named_with_its_value() {
    let value = assert_refused(&solve(&small_and("\"seed\":7")), "unknown", "seed");
    assert_eq!(value, 7);
    let stray = small_with("\"r\":1e9", "\"r\":1e9,\"q\":\"z\"");
    assert_eq!(
        assert_refused(&solve(&stray), "unknown", "devices[0].q"),
        "z"
    );
    let stray = paper("\"t\":1").replace("\"mu\":0.5", "\"mu\":0.5,\"mv\":2");
    assert_refused(&solve(&stray), "unknown", "link.mv");
    // The low form has no prompt length, the high form no layers of its own.
    assert_refused(&solve(&small_and("\"t\":256")), "unknown", "t");
    assert_refused(&solve(&paper("\"t\":1,\"plans\":[]")), "unknown", "plans");
}

#[test]
fn a_value_of_the_wrong_type_is_named_and_shown() {
    for (new, value) in [
        ("\"1e9\"", Value::from("1e9")),
        ("true", Value::from(true)),
        ("null", Value::Null),
        ("[1]", serde_json::json!([1])),
    ] {
        let document = small_with("\"r\":1e9", &format!("\"r\":{new}"));
        assert_eq!(
            assert_refused(&solve(&document), "type", "devices[0].r"),
            value
        );
    }
    assert_refused(&solve("[]"), "type", "");
    assert_refused(&solve("7"), "type", "");
    assert_refused(
        &solve(&small_with("\"name\":\"fast\"", "\"name\":3")),
        "type",
        "devices[1].name",
    );
    assert_refused(&solve("{\"layers\":{},\"devices\":[]}"), "type", "layers");
    assert_refused(&solve(&paper("\"t\":\"256\"")), "type", "t");
    assert_refused(&solve(&paper("\"tokens\":256")), "type", "tokens");
    assert_refused(
        &solve(&paper("\"tokens\":[256,false]")),
        "type",
        "tokens[1]",
    );
}

#[test]
fn a_number_outside_its_range_is_named_and_shown() {
    for (old, field) in [
        ("\"c\":1e12", "c"),
        ("\"r\":1e9", "r"),
        ("\"bu\":80e6", "bu"),
        ("\"bd\":160e6", "bd"),
    ] {
        for bad in [0.0, -1.5] {
            let document = small_with(old, &format!("\"{field}\":{bad}"));
            let path = format!("devices[0].{field}");
            assert_eq!(assert_refused(&solve(&document), "range", &path), bad);
        }
    }
    for (old, new, path) in [
        ("\"W\":1e12", "\"W\":0", "layers[0].W"),
        ("\"W\":1e12", "\"W\":-1", "layers[0].W"),
        ("\"A\":1e6", "\"A\":-1", "layers[0].A"),
        ("\"P\":2e9", "\"P\":0", "layers[1].P"),
        ("\"m\":4e9", "\"m\":-1", "devices[0].m"),
        ("\"r\":1e9", "\"c_peak\":0,\"r\":1e9", "devices[0].c_peak"),
    ] {
        assert_refused(&solve(&small_with(old, new)), "range", path);
    }
    // Zero is a fine output and a fine memory.
    let zero = small_with("\"A\":1e6", "\"A\":0").replacen("\"m\":4e9", "\"m\":0", 1);
    assert_eq!(solve(&zero).code, 0);
}

#[test]
fn a_model_or_link_without_physics_is_blamed_on_its_field() {
    let with = |old: &str, new: &str| {
        let document = paper("\"t\":256");
        assert!(document.contains(old));
        solve(&document.replacen(old, new, 1))
    };
    for (old, new, path) in [
        ("\"layers\":40", "\"layers\":0", "model.layers"),
        ("\"layers\":40", "\"layers\":2.5", "model.layers"),
        ("\"layers\":40", "\"layers\":1e9", "model.layers"),
        ("\"layers\":40", "\"layers\":1e300", "model.layers"),
        ("\"h_q\":40", "\"h_q\":-40", "model.h_q"),
        ("\"d_model\":5120", "\"d_model\":0", "model"),
        ("\"t\":256", "\"t\":0", "t"),
        ("\"t\":256", "\"t\":-1", "t"),
        (
            "\"c_peak_tflops\":165",
            "\"c_peak_tflops\":0",
            "devices[0].c_peak_tflops",
        ),
        ("\"r_mb_s\":5000", "\"r_mb_s\":-1", "devices[0].r_mb_s"),
        ("\"m_gb\":20", "\"m_gb\":-1", "devices[0].m_gb"),
        ("\"a\":0.4", "\"a\":0", "devices[0].a"),
        ("\"b\":5.1e-4", "\"b\":0", "devices[0].b"),
        ("\"d_m\":1", "\"d_m\":0", "devices[0].d_m"),
        ("\"mu\":0.5", "\"mu\":0", "link.mu"),
        ("\"pu_dbm\":20", "\"pu_dbm\":-3000", "devices[0].pu_dbm"),
        ("\"pu_dbm\":20", "\"pu_dbm\":1e6", "devices[0].pu_dbm"),
        ("\"pd_dbm\":25", "\"pd_dbm\":1e6", "devices[0].pd_dbm"),
        ("\"zeta\":3", "\"zeta\":-1e300", "link.zeta"),
        ("\"d_m\":1,", "\"d_m\":1e300,", "devices[0].d_m"),
        ("\"r_mb_s\":5000", "\"r_mb_s\":1e305", "devices[0].r_mb_s"),
        ("\"m_gb\":20", "\"m_gb\":1e305", "devices[0].m_gb"),
        (
            "\"c_peak_tflops\":165",
            "\"c_peak_tflops\":1e305",
            "devices[0].c_peak_tflops",
        ),
    ] {
        assert_refused(&with(old, new), "range", path);
    }
    let loud = with("\"pd_dbm\":25", "\"pd_dbm\":1e6");
    assert_eq!(
        loud.complaint(),
        "devices[0].pd_dbm must give a downlink rate above 0 and finite; it is 1000000, which gives inf bit/s"
    );
}

#[test]
fn numbers_that_json_does_not_have_are_refused_at_their_field() {
    for bad in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "1.",
        "+1",
    ] {
        let document = small_with("\"r\":1e9", &format!("\"r\":{bad}"));
        assert_refused(&solve(&document), "syntax", "devices[0].r");
    }
    // This one ends after the zero, where the next key or the end of the device is due.
    let document = small_with("\"r\":1e9", "\"r\":0x10");
    assert_refused(&solve(&document), "syntax", "devices[0]");
}

#[test]
fn empty_lists_are_refused() {
    let empty = "{\"layers\":[],\"devices\":[{\"c\":1,\"r\":1,\"bu\":1,\"bd\":1,\"m\":1}]}";
    assert_refused(&solve(empty), "range", "layers");
    let empty = "{\"layers\":[{\"W\":1,\"A\":1,\"P\":1}],\"devices\":[]}";
    assert_refused(&solve(empty), "range", "devices");
    assert_refused(&solve(&paper("\"tokens\":[]")), "range", "tokens");
    assert_refused(&solve(&paper("\"tokens\":[1,0]")), "range", "tokens[1]");
}

#[test]
fn a_prompt_length_and_a_list_of_them_do_not_go_together() {
    assert_refused(
        &solve(&paper("\"t\":1,\"tokens\":[1]")),
        "unknown",
        "tokens",
    );
}

#[test]
fn text_behind_the_document_and_a_document_cut_short_are_refused() {
    assert_refused(&solve(&format!("{SMALL} x")), "syntax", "");
    assert_refused(&solve(&format!("{SMALL}{SMALL}")), "syntax", "");
    assert_refused(&solve(""), "syntax", "");
    for end in 1..SMALL.len() {
        let ran = solve_within(&SMALL[..end]);
        assert_eq!(ran["error"]["code"], "syntax", "{end}: {ran}");
    }
    assert_eq!(solve(&format!("\n {SMALL} \n")).code, 0);
}

#[test]
fn a_fault_of_the_text_is_said_with_its_line_and_column() {
    let whole = paper("\"t\":256");
    assert_eq!(solve(&whole).code, 0);
    for (old, new, part) in [
        ("\"pd_dbm\":25}]}", "\"pd_dbm\":25}],}", "trailing comma"),
        ("\"t\":256", "\"t\":NaN", "NaN is not a JSON value"),
        (
            "\"t\":256",
            "\"t\":-Infinity",
            "Infinity is not a JSON value",
        ),
        ("\"t\":256", "\"t\":", "a value is expected here"),
    ] {
        let broken = format!("\n{}", whole.replacen(old, new, 1));
        let ran = solve(&broken);
        assert_refused(&ran, "syntax", "");
        let said = ran.complaint();
        assert!(
            said.contains(part) && said.contains("(line 2, column "),
            "{said}"
        );
    }
    for end in 1..whole.len() {
        let ran = solve_within(&whole[..end]);
        assert_eq!(ran["error"]["code"], "syntax", "{end}: {ran}");
    }
    let cut = solve(&whole[..whole.len() - 1]);
    assert!(
        cut.complaint().contains("the text ends inside an object"),
        "{cut:?}"
    );
}

#[test]
fn a_mark_of_the_encoding_is_no_part_of_a_document() {
    for text in [
        SMALL.to_owned(),
        paper("\"t\":256"),
        paper("\"tokens\":[1,2]"),
    ] {
        let plain = solve(&text).answer();
        let marked = format!("\u{feff}{text}");
        assert_eq!(solve(&marked).answer(), plain);
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(edgewise(&["solve", "cold-start"], wide).answer(), plain);
        let line = text.replace('\n', " ");
        let ran = edgewise(
            &["solve", "cold-start", "--jsonl"],
            format!("\u{feff}{line}"),
        );
        assert_eq!(ran.answer(), plain);
    }
    let marked = format!("\u{feff}{}", small_and("\"id\":7,\"seed\":1"));
    let ran = edgewise(&["solve", "cold-start", "--jsonl"], marked);
    assert_eq!(ran.json()["id"], 7, "{ran:?}");
}

#[test]
fn a_long_name_is_cut_in_the_message() {
    let name = "x".repeat(10_000);
    let ran = solve(&small_and(&format!("\"{name}\":1")));
    assert!(ran.complaint().chars().count() < 400, "{ran:?}");
    let ran = solve(&small_and(&format!("\"plan\":[[0,1,\"{name}\"]]")));
    assert!(ran.complaint().chars().count() < 400, "{ran:?}");
    let ran = edgewise(&["solve", "cold-start", "--method", &name], SMALL);
    assert!(ran.complaint().chars().count() < 400, "{ran:?}");
}

/// The refusal of a document without starting a program for it.
fn solve_within(text: &str) -> Value {
    use planner::problem_file::cold_start::{ColdStartOptions, solve};
    let fault = solve(
        text,
        &ColdStartOptions::default(),
        &mut engine::solve::NoProgress,
    );
    serde_json::json!({ "error": fault.expect_err("a bad document") })
}

#[test]
fn a_field_given_twice_is_refused() {
    let twice = small_with("\"r\":1e9", "\"r\":1e9,\"r\":2e9");
    assert_refused(&solve(&twice), "syntax", "devices[0].r");
}

#[test]
fn a_document_nested_without_end_is_refused_in_time() {
    let deep = "[".repeat(1_000_000);
    for document in [
        deep.clone(),
        small_and(&format!("\"id\":{deep}")),
        format!("{{\"layers\":{deep}"),
    ] {
        let ran = solve(&document);
        assert_eq!(ran.code, 2);
        let code = ran.json()["error"]["code"].clone();
        assert!(code == "syntax" || code == "type", "{code}");
        ran.complaint();
    }
}

#[test]
fn numbers_whose_times_leave_64_bits_are_refused() {
    let huge = small_with("\"P\":1e9", "\"P\":1e300").replacen("\"r\":1e9", "\"r\":1e-300", 1);
    assert_refused(&solve(&huge), "range", "");
}

#[test]
fn invalid_text_and_missing_files_are_refused() {
    assert_refused(
        &edgewise(&["solve", "cold-start"], b"\xff\xfe\x00"),
        "syntax",
        "",
    );
    let missing = concat!(env!("CARGO_TARGET_TMPDIR"), "/no such file.json");
    let ran = edgewise(&["solve", "cold-start", missing], "");
    assert_eq!(assert_refused(&ran, "io", ""), missing);
    let ran = edgewise(&["solve", "cold-start", "--jsonl", missing], "");
    assert_refused(&ran, "io", "");
    let folder = env!("CARGO_TARGET_TMPDIR");
    assert_refused(&edgewise(&["evaluate", "cold-start", folder], ""), "io", "");
    let path = file("bytes.json", b"\xff\xfe\x00");
    assert_refused(&edgewise(&["solve", "cold-start", &path], ""), "syntax", "");
}

#[test]
fn bad_options_are_refused_in_the_form_of_the_output() {
    for arguments in [
        &["solve", "cold-start", "--nonsense"][..],
        &["solve", "warm-start"],
        &["solve"],
        &["solve", "cold-start", "--method", "nonsense"],
        &["solve", "cold-start", "--heuristic", "nonsense"],
        &["solve", "cold-start", "--relay", "nonsense"],
        &["solve", "cold-start", "--time-limit", "soon"],
        &["solve", "cold-start", "--time-limit=-1"],
        &["solve", "cold-start", "--time-limit=NaN"],
        &["solve", "cold-start", "--threads", "0"],
        &["evaluate", "cold-start", "--method", "even"],
    ] {
        let ran = edgewise(arguments, SMALL);
        assert_refused(&ran, "option", "");
    }
    let ran = edgewise(&["solve", "cold-start", "--method", "nonsense"], SMALL);
    for name in ["nonsense", "exact", "dp", "single", "even", "heuristic"] {
        assert!(ran.complaint().contains(name), "{ran:?}");
    }
}

#[test]
fn a_plan_that_is_none_is_refused_at_its_stage() {
    let with = |plan: &str| evaluate(&small_and(&format!("\"plan\":{plan}")));
    for (plan, path) in [
        ("[]", "plan"),
        ("[[0,1,1],[0,2,2]]", "plan[1]"), // a device twice
        ("[[0,1,1]]", "plan[0]"),         // layer 2 left over
        ("[[0,2,2]]", "plan[0]"),         // layer 1 left out
        ("[[0,1,1],[1,1,2]]", "plan[1]"), // layer 1 twice
        ("[[0,1,3]]", "plan[0]"),         // no layer 3
        ("[[0,1,2],[1,3,2]]", "plan[1]"), // an empty stage
        ("[[0,2,1]]", "plan[0]"),         // backwards
        ("[[0,0,2]]", "plan[0]"),         // layers count from 1
        ("[[2,1,2]]", "plan[0]"),         // devices count from 0
        ("[[0,1,1],[7,2,2]]", "plan[1]"),
        ("[[0,1,18446744073709551615]]", "plan[0]"),
    ] {
        assert_refused(&with(plan), "plan", path);
    }
    for (plan, path) in [
        ("3", "plan"),
        ("[3]", "plan[0]"),
        ("[[0,1]]", "plan[0]"),
        ("[[0,1,2,3]]", "plan[0]"),
        ("[[-1,1,2]]", "plan[0][0]"),
        ("[[0,1.5,2]]", "plan[0][1]"),
        ("[[0,1,\"2\"]]", "plan[0][2]"),
    ] {
        assert_refused(&with(plan), "type", path);
    }
}

#[test]
fn a_plan_is_scored_by_evaluate_and_by_nothing_else() {
    assert_refused(&evaluate(SMALL), "missing", "plan");
    let given = small_and("\"plan\":[[0,1,2]]");
    assert_refused(&solve(&given), "unknown", "plan");
}

#[test]
fn a_message_stays_on_one_line_whatever_the_input_holds() {
    let name = "\\u001b[31m\\nred\\r".repeat(50);
    let document = small_with("\"r\":1e9", &format!("\"r\":\"{name}\""));
    let ran = solve(&document);
    assert_eq!(ran.code, 2);
    assert!(ran.complaint().chars().all(|c| !c.is_control()), "{ran:?}");
    assert!(ran.complaint().chars().count() < 300, "{ran:?}");
}

#[test]
fn a_list_does_not_pass_for_an_object() {
    let as_lists = [
        (
            "[null,[[1,1,1,null,null,null,null]],[[\"x\",1,null,1,1,1,9,null,null,null,null,null]],null,null]",
            "",
        ),
        (
            "{\"layers\":[[1,1,1,null,null,null,null]],\"devices\":[[\"x\",1,null,1,1,1,9,null,null,null,null,null]]}",
            "layers[0]",
        ),
    ];
    for (text, path) in as_lists {
        assert_refused(&solve(text), "type", path);
    }
    let link = "\"link\":[0.5,160,-174,1,3,-47.2]";
    let whole = paper("\"t\":256");
    let (before, rest) = whole
        .split_once("\"link\":{")
        .expect("the paper's form has a link");
    let (_, after) = rest.split_once('}').expect("which ends");
    assert_refused(&solve(&format!("{before}{link}{after}")), "type", "link");
}
