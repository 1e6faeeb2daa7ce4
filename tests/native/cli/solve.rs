//! `solve` and `evaluate` on good documents: both forms, every method, every exit status.

use super::{SMALL, edgewise, evaluate, file, paper, small_and, small_with, solve};
use engine::problem::HeuristicReading;
use serde_json::{Value, json};

/// The names of the fields, sorted: their order is no promise.
fn keys(object: &Value) -> Vec<&str> {
    let fields = object.as_object().expect("an object");
    let mut keys: Vec<&str> = fields.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().expect("a number") - expected).abs() <= 1e-12 * expected.abs()
}

#[test]
fn a_problem_worked_by_hand_gets_its_plan_its_timeline_and_its_baselines() {
    let answer = solve(SMALL).answer();
    assert_eq!(answer["status"], "optimal");
    assert_eq!(answer["plan"], json!([[0, 1, 1], [1, 2, 2]]));
    assert!(close(&answer["T"], 2.35), "{answer}");
    assert_eq!(answer["bound"], answer["T"]);
    assert_eq!(answer["gap"], 0.0);
    let row = &answer["timeline"][1];
    for (field, expected) in [
        ("device", 1.0),
        ("s", 2.0),
        ("e", 2.0),
        ("load", 2.0),
        ("start", 2.0),
        ("comm", 0.1),
        ("comp", 0.25),
        ("finish", 2.35),
        ("wait", 0.0),
        ("stall", 0.0),
        ("idle_after", 0.0),
        ("mem", 2.001e9),
    ] {
        assert!(close(&row[field], expected), "{field}: {row}");
    }
    assert_eq!(row["mem_ok"], true);
    assert!(
        close(&answer["timeline"][0]["idle_after"], 0.35),
        "{answer}"
    );
    // The faster device on its own loads for 3 s and computes for 0.5 s.
    assert!(close(&answer["baselines"]["single"]["T"], 3.5));
    assert_eq!(answer["baselines"]["single"]["plan"], json!([[1, 1, 2]]));
    // Strongest first: 1 s + 0.25 s, then device 0 from 2 s on: 0.1 s + 1 s.
    assert!(close(&answer["baselines"]["even"]["T"], 3.1));
    assert_eq!(answer["best_baseline"], "even");
    assert!(close(&answer["gain_vs_best_pct"], 100.0 * 0.75 / 3.1));
}

#[test]
fn an_answer_has_exactly_the_fields_that_are_promised() {
    let answer = solve(SMALL).answer();
    let promised = [
        "T",
        "baselines",
        "best_baseline",
        "bound",
        "gain_vs_best_pct",
        "gap",
        "objective",
        "ordered",
        "paper_reading",
        "plan",
        "status",
        "timeline",
    ];
    assert_eq!(keys(&answer), promised);
    assert_eq!(
        keys(&answer["timeline"][0]),
        [
            "comm",
            "comp",
            "device",
            "e",
            "finish",
            "idle_after",
            "load",
            "mem",
            "mem_ok",
            "s",
            "stall",
            "start",
            "wait"
        ]
    );
    assert_eq!(keys(&answer["baselines"]), ["even", "heuristic", "single"]);
    assert_eq!(keys(&answer["baselines"]["even"]), ["T", "mem_ok", "plan"]);
}

#[test]
fn a_store_and_forward_relay_adds_both_hops() {
    let relay = ["solve", "cold-start", "--relay", "store-and-forward"];
    assert!(close(&edgewise(&relay, SMALL).answer()["T"], 2.4));
}

#[test]
fn whole_numbers_are_numbers_and_an_id_of_any_kind_comes_back() {
    let whole = SMALL
        .replace("1e12", "1000000000000")
        .replace("4e9", "4000000000");
    assert_eq!(solve(&whole).answer(), solve(SMALL).answer());
    for id in [json!(7), json!("a"), json!(["x", {"y": 1.5}]), json!(false)] {
        let answer = solve(&small_and(&format!("\"id\":{id}"))).answer();
        assert_eq!(answer["id"], id);
        assert_eq!(answer["status"], "optimal");
    }
}

#[test]
fn a_file_is_read_as_standard_input_is() {
    let path = file("small.json", SMALL);
    let from_file = edgewise(&["solve", "cold-start", &path], "").answer();
    assert_eq!(from_file, solve(SMALL).answer());
}

#[test]
fn a_model_behind_a_link_gives_the_paper_s_answer() {
    let answer = solve(&paper("\"t\":256")).answer();
    assert_eq!(answer["status"], "optimal");
    assert!((answer["T"].as_f64().expect("a number") - 2.562).abs() < 5e-5);
    assert_eq!(
        answer["plan"],
        json!([[2, 1, 7], [3, 8, 12], [0, 13, 27], [1, 28, 40]])
    );
}

#[test]
fn a_device_may_override_any_value_of_the_link() {
    for (field, value) in [
        ("mu", "0.25"),
        ("B_mhz", "10"),
        ("N0_dbm_hz", "-120"),
        ("d0_m", "0.1"),
        ("zeta", "6"),
        ("beta0_db", "-100"),
    ] {
        let shared = paper("\"t\":2048");
        let own = shared.replace(
            "\"pd_dbm\":25}",
            &format!("\"pd_dbm\":25,\"{field}\":{value}}}"),
        );
        let moved = with_shared_link(&shared, field, value);
        let (own, moved) = (solve(&own).answer(), solve(&moved).answer());
        assert_eq!(own, moved, "{field}");
        assert_ne!(own, solve(&shared).answer(), "{field}");
    }
}

/// The document with another value in its shared link.
fn with_shared_link(document: &str, field: &str, value: &str) -> String {
    let mut document: Value = serde_json::from_str(document).expect("JSON");
    document["link"][field] = serde_json::from_str(value).expect("a number");
    document.to_string()
}

#[test]
fn several_prompt_lengths_give_a_row_each_and_a_summary() {
    let lengths = [256, 512, 1024, 2048, 4096, 8192];
    let answer = solve(&paper(&format!("\"tokens\":{lengths:?}"))).answer();
    assert_eq!(keys(&answer), ["rows", "summary"]);
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), lengths.len());
    for (row, length) in rows.iter().zip(lengths) {
        let mut alone = solve(&paper(&format!("\"t\":{length}"))).answer();
        alone["t"] = json!(f64::from(length));
        assert_eq!(*row, alone);
    }
    let paper = &answer["summary"]["paper_reading"];
    for (field, printed) in [
        ("gain_min_pct", 8.82),
        ("gain_max_pct", 58.20),
        ("gain_vs_best_mean_pct", 18.51),
    ] {
        let value = paper[field].as_f64().expect("a gain");
        assert!((value - printed).abs() < 0.005, "{field}: {value}");
    }
    // The whole model fits none of these devices, so no gain over one of them alone counts.
    let gains: Vec<f64> = rows
        .iter()
        .flat_map(|row| {
            let ours = row["T"].as_f64().expect("a plan");
            let gain = move |name: &str| {
                let base = &row["baselines"][name];
                let (total, fits) = (base["T"].as_f64()?, base["mem_ok"] == true);
                fits.then(|| 100.0 * (total - ours) / total)
            };
            assert_ne!(row["best_baseline"], "single");
            ["single", "even", "heuristic"].map(gain)
        })
        .flatten()
        .collect();
    assert_eq!(gains.len(), 12);
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(close(&answer["summary"]["gain_max_pct"], most));
    assert!(most < 58.0);
}

#[test]
fn a_gain_is_over_a_plan_that_fits_and_the_paper_s_is_shown_next_to_it() {
    // One slow disk holds nothing of it, and the fast device alone does not fit: its time is out of reach.
    let document = SMALL.replace("4e9", "2.5e9");
    let answer = solve(&document).answer();
    for (name, baseline) in answer["baselines"].as_object().expect("three") {
        if answer["best_baseline"] == json!(name) {
            assert_eq!(baseline["mem_ok"], true);
            let base = baseline["T"].as_f64().expect("a time");
            let ours = answer["T"].as_f64().expect("a time");
            assert!(close(
                &answer["gain_vs_best_pct"],
                100.0 * (base - ours) / base
            ));
        }
    }
    assert_ne!(answer["best_baseline"], Value::Null);
    assert_eq!(answer["baselines"]["single"]["mem_ok"], false);
    let reading = &answer["paper_reading"];
    assert_eq!(keys(reading), ["best_baseline", "gain_vs_best_pct"]);
    // Where nothing else fits there is nothing to gain over, and the paper's reading may even be negative.
    let wide = r#"{"layers":[{"W":1e12,"A":0,"P":1e9},{"W":1e12,"A":0,"P":2e9}],
        "devices":[{"c":1e11,"r":1e9,"bu":1e9,"bd":1e9,"m":2.5e9},{"c":1e13,"r":1e10,"bu":1e9,"bd":1e9,"m":1.5e9}]}"#;
    let answer = solve(wide).answer();
    assert_eq!(answer["status"], "optimal");
    let paper = answer["paper_reading"]["gain_vs_best_pct"].as_f64();
    assert!(paper.is_some_and(|gain| gain < -100.0), "{answer}");
    let gain = answer["gain_vs_best_pct"].as_f64();
    assert!(gain.is_none_or(|gain| gain >= 0.0), "{answer}");
}

#[test]
fn the_bound_bounds_its_objective() {
    for document in [SMALL.to_owned(), paper("\"t\":256")] {
        for method in ["exact", "even", "heuristic"] {
            let ran = edgewise(&["solve", "cold-start", "--method", method], &document);
            let answer = ran.json();
            let number = |field: &str| answer[field].as_f64();
            let (Some(bound), Some(objective)) = (number("bound"), number("objective")) else {
                panic!("{method}: no bound or no objective in {answer}");
            };
            assert!(bound <= objective, "{answer}");
            assert_eq!(number("gap"), Some((objective - bound) / objective));
        }
    }
}

/// So many devices and layers that no two are alike.
fn table_of(devices: usize, layers: usize) -> String {
    let layer = |l: usize| {
        format!(
            r#"{{"W":{}e10,"A":{}e4,"P":{}e7}}"#,
            l % 7 + 3,
            l % 5,
            l % 4 + 2
        )
    };
    let device = |k: usize| {
        let (c, r) = (k % 5 + 2, k % 3 + 1);
        format!(r#"{{"c":{c}e12,"r":{r}e9,"bu":{c}e8,"bd":2e8,"m":{r}e9}}"#)
    };
    let list = |count: usize, one: &dyn Fn(usize) -> String| {
        (0..count).map(one).collect::<Vec<_>>().join(",")
    };
    format!(
        r#"{{"layers":[{}],"devices":[{}]}}"#,
        list(layers, &layer),
        list(devices, &device)
    )
}

#[test]
fn the_paper_s_program_runs_where_its_table_fits_and_says_so_where_it_does_not() {
    let dp = |more: &[&str], document: &str| {
        edgewise(
            &[&["solve", "cold-start", "--method", "dp"], more].concat(),
            document,
        )
    };
    // More than the program is given when it is not asked for by name.
    let large = table_of(11, 30);
    let found = dp(&[], &large).answer();
    assert_eq!(found["status"], "optimal");
    let best = solve(&large).answer()["T"].as_f64().expect("a plan");
    assert!(close(&found["T"], best));
    // 11 2^11 31 numbers are 5.6 MB.
    let refused = dp(&["--memory-limit", "5"], &large);
    assert_eq!((refused.code, refused.err.as_str()), (4, ""), "{refused:?}");
    let answer = refused.json();
    assert_eq!(
        (&answer["status"], &answer["plan"]),
        (&json!("stopped"), &Value::Null)
    );
    let why = answer["reason"].as_str().expect("a reason");
    assert!(
        why.contains("5.59") && why.contains("--memory-limit"),
        "{why}"
    );
    assert_eq!(
        dp(&["--memory-limit", "6"], &large).answer()["T"],
        found["T"]
    );
    // Out of reach of any machine: refused at once, never a simple split in its place.
    for devices in [20, 45] {
        let answer = dp(&[], &table_of(devices, 100));
        assert_eq!(answer.code, 4);
        assert_eq!(answer.json()["T"], Value::Null);
    }
    // A limit of time leaves it without a plan.
    assert_eq!(dp(&["--time-limit", "0"], &large).code, 4);
}

#[test]
fn rows_are_infeasible_together_only_when_all_are() {
    // The activation of a very long prompt leaves no room for a block anywhere.
    let (short, long) = (256, 10_000_000);
    let mixed = solve(&paper(&format!("\"tokens\":[{short},{long}]")));
    assert_eq!((mixed.code, mixed.err.as_str()), (0, ""));
    let rows = mixed.json()["rows"].clone();
    assert_eq!(rows[0]["status"], "optimal");
    assert_eq!(rows[1]["status"], "infeasible");
    assert_eq!(rows[1]["T"], Value::Null);
    let all = solve(&paper(&format!("\"tokens\":[{long},{long}]")));
    assert_eq!((all.code, all.err.as_str()), (3, ""));
    assert_eq!(all.json()["summary"]["gain_min_pct"], Value::Null);
}

#[test]
fn an_infeasible_problem_has_a_reason_baselines_and_exit_status_3() {
    for (document, kind) in [
        (SMALL.replace("4e9", "2.5e9"), None),
        (SMALL.replace("4e9", "1.5e9"), Some("layer")),
        (SMALL.replace("\"m\":4e9", "\"m\":0"), Some("layer")),
        (
            SMALL
                .replace("1e9},", "2e9},")
                .replace("4e9}]", "1e9}]")
                .replace("4e9", "2.5e9"),
            Some("total-memory"),
        ),
    ] {
        let ran = solve(&document);
        let answer = ran.json();
        let Some(kind) = kind else {
            assert_eq!(answer["status"], "optimal", "{answer}");
            continue;
        };
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{answer}");
        assert_eq!(answer["status"], "infeasible");
        for field in ["T", "bound", "gap", "plan", "timeline", "gain_vs_best_pct"] {
            assert_eq!(answer[field], Value::Null, "{field}");
        }
        assert!(answer["reason"].as_str().is_some_and(|why| why.len() > 20));
        assert_eq!(answer["objective"], Value::Null);
        assert_eq!(answer["infeasible"]["kind"], kind);
        assert_eq!(answer["baselines"]["single"]["mem_ok"], false);
    }
}

#[test]
fn a_search_that_ends_without_plan_or_proof_has_exit_status_4() {
    // 42 devices are too many to be searched, and the quick attempt puts the small layer on the large device.
    let device = |memory: u32| format!(r#"{{"c":1e12,"r":1e9,"bu":1e9,"bd":1e9,"m":{memory}}}"#);
    let mut devices = vec![device(2), device(1)];
    devices.extend(vec![device(0); 40]);
    let document = format!(
        r#"{{"layers":[{{"W":1,"A":0,"P":1}},{{"W":1,"A":0,"P":2}}],"devices":[{}]}}"#,
        devices.join(",")
    );
    let ran = solve(&document);
    let answer = ran.json();
    assert_eq!(ran.code, 4, "{answer}");
    assert_eq!(answer["status"], "stopped");
    assert_eq!(answer["plan"], Value::Null);
    assert!(answer["reason"].as_str().is_some_and(|why| !why.is_empty()));
}

#[test]
fn a_time_limit_of_zero_still_gives_a_plan_but_no_proof() {
    let arguments = ["solve", "cold-start", "--time-limit", "0"];
    let answer = edgewise(&arguments, paper("\"t\":256")).answer();
    assert_eq!(answer["status"], "feasible");
    let number = |field: &str| answer[field].as_f64().expect("a number");
    let (total, bound) = (number("T"), number("bound"));
    assert!(bound > 0.0 && bound <= 2.562 && total >= 2.562);
    assert_eq!(number("gap"), (total - bound) / total);
    // Time enough: nothing changes.
    let arguments = ["solve", "cold-start", "--time-limit", "1e300"];
    let patient = edgewise(&arguments, paper("\"t\":256")).answer();
    assert_eq!(patient, solve(&paper("\"t\":256")).answer());
}

#[test]
fn each_method_gives_its_own_plan() {
    let whole = solve(SMALL).answer();
    for method in ["exact", "dp"] {
        let arguments = ["solve", "cold-start", "--method", method];
        assert_eq!(edgewise(&arguments, SMALL).answer(), whole);
    }
    for method in ["single", "even", "heuristic"] {
        let arguments = ["solve", "cold-start", "--method", method];
        let answer = edgewise(&arguments, SMALL).answer();
        assert_eq!(answer["status"], "feasible", "{method}");
        assert_eq!(answer["T"], whole["baselines"][method]["T"]);
        assert_eq!(answer["plan"], whole["baselines"][method]["plan"]);
        assert!(answer["bound"].as_f64() <= answer["T"].as_f64());
    }
}

#[test]
fn a_plan_that_does_not_fit_is_infeasible_in_every_method() {
    let cramped = SMALL.replace("4e9", "2.5e9");
    let run = |method: &str| edgewise(&["solve", "cold-start", "--method", method], &cramped);
    let single = run("single");
    assert_eq!((single.code, single.err.as_str()), (3, ""), "{single:?}");
    let single = single.json();
    assert_eq!(single["status"], "infeasible");
    assert_eq!(single["infeasible"]["kind"], "split");
    for field in ["T", "objective", "bound", "plan", "timeline"] {
        assert_eq!(single[field], Value::Null, "{field}");
    }
    assert!(close(&single["baselines"]["single"]["T"], 3.5));
    let document = small_with("4e9}]", "1.5e9}]");
    let even = edgewise(&["solve", "cold-start", "--method", "even"], document);
    assert_eq!(even.code, 0, "layer 1 goes to the fast device");
    let document = SMALL.replace("4e9}]", "0.5e9}]");
    let even = edgewise(&["solve", "cold-start", "--method", "even"], document);
    assert_eq!(even.code, 3);
    let answer = even.json();
    assert_eq!(answer["status"], "infeasible");
    assert_eq!(answer["infeasible"]["kind"], "split");
}

#[test]
fn each_reading_of_the_heuristic_has_a_name() {
    let mut latencies = Vec::new();
    for reading in HeuristicReading::ALL {
        let arguments = ["solve", "cold-start", "--heuristic", reading.name()];
        let answer = edgewise(&arguments, paper("\"t\":256")).answer();
        let rounded = answer["baselines"]["heuristic"]["T"].as_f64();
        latencies.push((rounded.expect("a time") * 1e3).round());
        let arguments = [&arguments[..], &["--method", "heuristic"]].concat();
        let alone = edgewise(&arguments, paper("\"t\":256")).answer();
        assert_eq!(alone["T"], answer["baselines"]["heuristic"]["T"]);
    }
    let printed = [
        2810.0, 2821.0, 2685.0, 3567.0, 2685.0, 3443.0, 2685.0, 2945.0, 2894.0, 3952.0,
    ];
    assert_eq!(latencies, printed);
}

#[test]
fn a_plan_that_solve_found_evaluates_to_the_same_bits() {
    for document in [SMALL.to_owned(), paper("\"t\":256"), paper("\"t\":8192")] {
        let solved = solve(&document).answer();
        let with_plan = document.replacen('{', &format!("{{\"plan\":{},", solved["plan"]), 1);
        let scored = evaluate(&with_plan).answer();
        let bits = |answer: &Value| answer["T"].as_f64().expect("a time").to_bits();
        assert_eq!(bits(&scored), bits(&solved));
        assert_eq!(scored["timeline"], solved["timeline"]);
        assert_eq!(scored["mem_ok"], true);
        assert_eq!(keys(&scored), ["T", "mem_ok", "timeline"]);
    }
}

#[test]
fn printed_numbers_read_back_to_the_same_bits() {
    use engine::solve::NoProgress;
    use planner::problem_file::cold_start as problem_file;
    let document = paper("\"t\":511.3");
    let here = problem_file::solve(
        &document,
        &problem_file::ColdStartOptions::default(),
        &mut NoProgress,
    );
    let here = serde_json::to_value(here.expect("a good document")).expect("JSON");
    let there = solve(&document).answer();
    let bits = |answer: &Value, field: &str| {
        let value = &answer["timeline"][2][field];
        value.as_f64().expect("a number").to_bits()
    };
    for field in ["load", "start", "comm", "comp", "finish", "mem"] {
        assert_eq!(bits(&here, field), bits(&there, field), "{field}");
    }
    assert_eq!(here, there);
}

#[test]
fn a_plan_that_overflows_a_memory_is_scored_and_flagged() {
    let document = small_and("\"plan\":[[1,1,2]]").replace("4e9", "2e9");
    let answer = evaluate(&document).answer();
    assert_eq!(answer["mem_ok"], false);
    assert_eq!(answer["timeline"][0]["mem_ok"], false);
    assert!(close(&answer["T"], 3.5));
}

#[test]
fn several_prompt_lengths_are_evaluated_row_by_row() {
    let document = paper("\"tokens\":[256,8192],\"plan\":[[0,1,27],[1,28,40]]");
    let answer = evaluate(&document).answer();
    assert_eq!(keys(&answer), ["rows"]);
    assert_eq!(answer["rows"][0]["t"], 256.0);
    assert_eq!(answer["rows"][1]["t"], 8192.0);
    assert!(answer["rows"][0]["T"].as_f64() < answer["rows"][1]["T"].as_f64());
}

#[test]
#[cfg(target_os = "linux")]
fn many_prompt_lengths_of_a_deep_model_are_taken_one_at_a_time() {
    // Forty problems of half a million layers at once would take over 700 MB.
    let tokens: Vec<String> = (1..=40).map(|t| t.to_string()).collect();
    let fields = format!("\"tokens\":[{}],\"plan\":[[0,1,500000]]", tokens.join(","));
    let text = paper(&fields).replacen("\"layers\":40", "\"layers\":500000", 1);
    let path = file("deep.json", text.as_bytes());
    let limited = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -v 400000; exec \"$0\" evaluate cold-start \"$1\"",
        ])
        .args([env!("CARGO_BIN_EXE_edgewise"), &path])
        .output()
        .expect("there is a shell");
    let out = String::from_utf8_lossy(&limited.stdout).into_owned();
    let err = String::from_utf8_lossy(&limited.stderr);
    assert!(limited.status.success(), "{err}");
    let answer: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(answer["rows"].as_array().map(Vec::len), Some(40));
}

#[test]
fn seed_and_threads_are_options_and_change_nothing_here() {
    let arguments = ["solve", "cold-start", "--seed", "17", "--threads", "2"];
    assert_eq!(edgewise(&arguments, SMALL).answer(), solve(SMALL).answer());
}
