//! `run` and `presets`: scenarios by link and by file, in three forms of answer.

use super::{Ran, SMALL, edgewise, file, solve};
use engine::problem::ColdStart;
use engine::scenario::{Scenario, dispatch, heads, link, operators, presets, tiers};
use planner::cold_start_decode::goal_name;
use serde_json::{Value, json};

fn run(source: &str, format: &str) -> Ran {
    edgewise(&["run", source, "--format", format], "")
}

/// A problem as a document of bare numbers.
fn as_document(problem: &ColdStart) -> String {
    let mut layers: Vec<Value> = problem
        .layers()
        .iter()
        .map(|l| json!({"W": l.work.get(), "A": l.activation.get(), "P": l.weights.get()}))
        .collect();
    let mut devices: Vec<Value> = problem
        .machines()
        .iter()
        .map(|m| {
            json!({
                "name": m.name, "c": m.compute.get(), "c_peak": m.peak.get(), "r": m.disk.get(),
                "bu": m.up.get(), "bd": m.down.get(), "m": m.memory.get(),
            })
        })
        .collect();
    let Some(terms) = problem.decode() else {
        return json!({"layers": layers, "devices": devices}).to_string();
    };
    for (layer, token) in layers.iter_mut().zip(terms.layers()) {
        layer["W_dec"] = token.work.get().into();
        layer["P_dec"] = token.weights.get().into();
        layer["kv"] = token.kv.get().into();
    }
    for (device, token) in devices.iter_mut().zip(terms.machines()) {
        device["beta"] = token.bandwidth.get().into();
        device["c_dec"] = token.compute.get().into();
        device["layer_s"] = token.layer_overhead.get().into();
        device["token_s"] = token.token_overhead.get().into();
    }
    let decode = json!({
        "G": terms.answer(), "t": terms.prompt(), "requests": terms.requests(), "hop_s": terms.hop().get(),
        "goal": goal_name(terms.goal()),
    });
    json!({"layers": layers, "devices": devices, "decode": decode}).to_string()
}

#[test]
fn a_link_a_file_and_standard_input_give_the_answer_of_solve_with_its_scenario() {
    for preset in presets::all() {
        let scenario = preset.scenario;
        let fragment = link::of(&scenario);
        let path = file(&format!("{}.json", preset.name), scenario.to_json());
        let by_link = run(&fragment, "json");
        let mut document = by_link.json();
        let fields = document.as_object_mut().expect("an answer is an object");
        let kept = fields.remove("scenario");
        let summary = fields.remove("summary").expect("every answer has one");
        assert_eq!(summary["first_token_s"], fields["T"], "{}", preset.name);
        let written: Value = serde_json::from_str(&scenario.to_json()).expect("JSON");
        assert_eq!(kept, Some(written), "{}", preset.name);
        let problem = scenario.problem().expect("presets are valid");
        let solved = solve(&as_document(&problem));
        assert_eq!(document, solved.json(), "{}", preset.name);
        assert_eq!(by_link.code, solved.code, "{}", preset.name);

        let address = format!("https://example.org/planner/{fragment}");
        for again in [run(&path, "json"), run(&address, "json")] {
            assert_eq!(again.out, by_link.out, "{}", preset.name);
        }
        let piped = edgewise(&["run", "-", "--format", "json"], scenario.to_json());
        assert_eq!(piped.out, by_link.out, "{}", preset.name);
        let piped = edgewise(&["run", "-", "--format", "json"], format!("{address}\n"));
        assert_eq!(piped.out, by_link.out, "{}", preset.name);
    }
}

#[test]
fn a_device_that_is_off_is_counted_and_not_used() {
    let mut scenario = presets::paper();
    scenario.devices.insert(1, scenario.devices[2].clone());
    scenario.devices[1].off = true;
    let ran = run(&link::of(&scenario), "json").json();
    let on = run(&link::of(&presets::paper()), "json").json();
    let moved = |stage: &Value| {
        let device = stage[0].as_u64().expect("a device");
        json!([if device == 0 { 0 } else { device + 1 }, stage[1], stage[2]])
    };
    let plan: Vec<Value> = on["plan"]
        .as_array()
        .into_iter()
        .flatten()
        .map(moved)
        .collect();
    assert_eq!(ran["plan"], json!(plan));
    assert_eq!(ran["T"], on["T"]);
    for (a, b) in plan
        .iter()
        .zip(ran["timeline"].as_array().expect("a timeline"))
    {
        assert_eq!(a[0], b["device"]);
    }
    let single = &ran["baselines"]["single"]["plan"][0][0];
    assert_eq!(
        scenario.devices[single.as_u64().expect("a device") as usize].name,
        "D1"
    );
}

#[test]
fn text_is_for_people_and_ends_with_a_link_to_the_same_scenario() {
    let paper = presets::paper();
    let ran = edgewise(&["run", &link::of(&paper)], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for word in [
        "2.56",
        "Qwen3-14B",
        "256 tokens",
        "D1",
        "D4",
        "D3 7, D4 5, D1 15, D2 13",
        "Single",
        "Even",
    ] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
    let last = ran.out.lines().last().expect("a last line");
    assert_eq!(link::decode(last), Ok(paper.into()));
}

#[test]
fn a_scenario_without_a_plan_says_why_and_has_exit_status_3() {
    let preset = presets::named("csgo-too-big").expect("a preset");
    for format in ["text", "json", "csv"] {
        let ran = run(&link::of(&preset.scenario), format);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{format}");
    }
    let ran = run(&link::of(&preset.scenario), "text");
    assert!(ran.out.contains("GB"), "{}", ran.out);
}

#[test]
fn csv_is_the_timeline_in_full_precision() {
    let ran = run(&link::of(&presets::paper()), "csv");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let heads = reader.headers().expect("a head").clone();
    let json = run(&link::of(&presets::paper()), "json").json();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 4);
    for (n, row) in rows.iter().enumerate() {
        let stage = &json["timeline"][n];
        let number = |head: &str| -> f64 {
            let column = heads.iter().position(|h| h == head).expect(head);
            row[column].parse().expect("a number")
        };
        for (head, field) in [
            ("first layer", "s"),
            ("last layer", "e"),
            ("load [s]", "load"),
            ("stall [s]", "stall"),
            ("wait [s]", "wait"),
            ("start [s]", "start"),
            ("transfer [s]", "comm"),
            ("compute [s]", "comp"),
            ("finish [s]", "finish"),
            ("free after [s]", "idle_after"),
            ("memory [B]", "mem"),
        ] {
            assert_eq!(Some(number(head)), stage[field].as_f64(), "{head} of {n}");
        }
        assert_eq!(&row[0], ["D3", "D4", "D1", "D2"][n]);
    }
}

#[test]
fn a_name_that_a_spreadsheet_would_run_is_defused_and_quotes_stay_whole() {
    let mut scenario = presets::paper();
    scenario.devices[2].name = "=cmd|' /C calc'!A0".into();
    scenario.devices[3].name = "a \"quoted\", name".into();
    let ran = run(&link::of(&scenario), "csv");
    let rows: Vec<csv::StringRecord> = csv::Reader::from_reader(ran.out.as_bytes())
        .records()
        .map(|row| row.expect("a row"))
        .collect();
    assert_eq!(&rows[0][0], "'=cmd|' /C calc'!A0");
    assert_eq!(&rows[1][0], "a \"quoted\", name");
}

#[test]
fn presets_are_listed_and_printed_as_files_that_run() {
    let list = edgewise(&["presets"], "");
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    let others = heads::presets::all().len() + dispatch::presets::all().len();
    let graphs = operators::presets::all().len();
    let all = presets::all().len() + others + tiers::presets::all().len() + graphs;
    assert_eq!(list.out.lines().count(), all + 1);
    assert!(list.out.contains(presets::RANDOM_NAME), "{}", list.out);
    for preset in presets::all() {
        assert!(list.out.contains(preset.name), "{}", preset.name);
        let printed = edgewise(&["presets", preset.name], "");
        assert_eq!(printed.code, 0);
        assert_eq!(Scenario::from_json(&printed.out), Ok(preset.scenario));
    }
    for preset in tiers::presets::all() {
        assert!(list.out.contains(preset.name), "{}", preset.name);
        let printed = edgewise(&["presets", preset.name], "");
        assert_eq!(
            tiers::Scenario::from_json(&printed.out),
            Ok(preset.scenario)
        );
    }
    for preset in heads::presets::all() {
        assert!(list.out.contains(preset.name), "{}", preset.name);
        let printed = edgewise(&["presets", preset.name], "");
        assert_eq!(
            heads::Scenario::from_json(&printed.out),
            Ok(preset.scenario)
        );
    }
    let random = edgewise(&["presets", "random-7-5-wild"], "");
    assert_eq!(random.code, 0);
    assert_eq!(
        Scenario::from_json(&random.out).ok(),
        presets::scenario_named("random-7-5-wild")
    );
    let unknown = edgewise(&["presets", "nonsense"], "");
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.complaint().contains("csgo-paper"), "{unknown:?}");
}

#[test]
fn an_invalid_scenario_is_refused_with_a_way_out() {
    let problem_file = file("problem.json", SMALL);
    let ran = run(&problem_file, "json");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["path"], "format");
    assert!(ran.complaint().contains("edgewise solve"), "{ran:?}");

    let newer = presets::paper()
        .to_json()
        .replacen("\"format\":3", "\"format\":5", 1);
    let ran = run(&file("newer.json", newer), "json");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["code"], "link");
    assert!(ran.complaint().contains("newer"), "{ran:?}");

    let far = presets::paper()
        .to_json()
        .replacen("\"d_m\":1.0", "\"d_m\":-1", 1);
    let ran = run(&file("far.json", far), "json");
    assert_eq!(
        (ran.code, &ran.json()["error"]["path"]),
        (2, &json!("devices[0].d_m"))
    );

    for source in [
        "#cold-start/3.AAAA",
        "#cold-start/9.x",
        "#",
        "no-such-file.json",
    ] {
        let ran = run(source, "json");
        assert_eq!(ran.code, 2, "{source}");
        assert_eq!(ran.json()["error"]["message"], ran.complaint(), "{source}");
        let ran = run(source, "text");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{source}");
        ran.complaint();
    }
}

#[test]
fn the_program_shows_its_version_and_its_verbs() {
    let version = edgewise(&["--version"], "");
    let expected = format!("edgewise {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((version.code, version.out), (0, expected));
    let help = edgewise(&["--help"], "");
    assert_eq!(help.code, 0);
    for verb in ["solve", "evaluate", "run", "gains", "presets"] {
        assert!(help.out.contains(verb), "{verb}");
    }
    for bad in [&["frobnicate"][..], &["run"], &[]] {
        let ran = edgewise(bad, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{bad:?}");
    }
}

/// The link that a run ends with has the machines of all questions: what is assumed for one is not given in another.
#[test]
fn the_link_of_another_question_keeps_what_is_known() {
    let paper = edgewise(&["presets", "csgo-paper"], "").out;
    let own = edgewise(&["run", "-"], &paper);
    let link = |ran: &super::Ran| ran.out.lines().last().map(str::to_owned).expect("a link");
    for question in ["head-placement", "dispatch", "tiers"] {
        let asked = edgewise(&["run", "-", "--question", question], &paper);
        assert!(asked.err.contains("assumed: "), "{asked:?}");
        let link = link(&asked);
        assert!(link.starts_with(&format!("#{question}/4.")), "{link}");
        // Whoever opens it is told what is assumed, and sees the same.
        let opened = edgewise(&["run", &link], "");
        assert_eq!((&opened.out, &opened.err), (&asked.out, &asked.err));
        // And what was known is as it was.
        let back = edgewise(&["run", &link, "--question", "cold-start"], "");
        let answer = |ran: &super::Ran| -> Vec<String> {
            let lines = ran.out.lines().map(str::to_owned);
            lines.filter(|line| !line.starts_with('#')).collect()
        };
        assert_eq!(answer(&back), answer(&own));
        assert!(back.err.lines().all(|line| line.contains("assumed: ")));
    }
}
