//! `plan`, `machines`, `models`: a scenario from names that people type, and what is said where a name is not enough.

use super::{edgewise, file};
use serde_json::{Value, json};

/// Two cards and a model by their names.
const LINE: [&str; 15] = [
    "plan",
    "--machine",
    "RTX 3060 12GB",
    "--machine",
    "raspberry pi 5 16gb*2",
    "--model",
    "llama-3.2-3b",
    "--weights",
    "Q4_K_M",
    "--link",
    "gigabit Ethernet",
    "--prompt",
    "300",
    "--answer",
    "100",
];

fn plan(more: &[&str]) -> Value {
    let ran = edgewise(&[&LINE, more, &["--format", "json"]].concat(), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.json()
}

#[test]
fn names_become_the_scenario_that_they_stand_for() {
    let answer = plan(&["--context", "8192"]);
    let scenario = &answer["scenario"];
    let names: Vec<&str> = scenario["devices"]
        .as_array()
        .expect("devices")
        .iter()
        .filter_map(|device| device["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["RTX 3060", "Raspberry Pi 5 16GB", "Raspberry Pi 5 16GB (2)"]
    );
    for (path, expected) in [
        ("/model/name", json!("Llama-3.2-3B")),
        ("/model/weights", json!("q4_K_M")),
        ("/prompt_tokens", json!(300.0)),
        ("/decode/answer_tokens", json!(100.0)),
        ("/decode/goal", json!("whole-answer")),
        ("/decode/hop_ms", json!(0.2)),
        ("/memory/context_tokens", json!(8192.0)),
    ] {
        assert_eq!(scenario.pointer(path), Some(&expected), "{path}");
    }
    let summary = &answer["summary"];
    assert_eq!(summary["fits"], json!(true));
    assert!(
        summary["decode_tok_s"]
            .as_f64()
            .is_some_and(|rate| rate > 1.0)
    );
    assert!(summary["calibration"]["median_error"].as_f64().is_some());
}

/// The printed scenario, run as a file, has the same answer.
#[test]
fn the_scenario_that_is_printed_has_the_same_answer() {
    for question in ["cold-start", "tiers", "head-placement", "dispatch"] {
        let more = ["--question", question];
        let printed = edgewise(&[&LINE[..], &more, &["--scenario-only"]].concat(), "");
        assert_eq!(printed.code, 0, "{printed:?}");
        let path = file(&format!("plan-{question}.json"), printed.out);
        let ran = edgewise(&["run", &path, "--format", "json"], "");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(ran.json(), plan(&more), "{question}");
    }
}

#[test]
fn what_is_assumed_is_said() {
    let ran = edgewise(
        &["plan", "--machine", "RTX 3060*2", "--model", "Qwen3-4B"],
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    for said in [
        "assumed: weights of 16 bits (--weights)",
        "assumed: Ethernet, 1 Gbit/s between machines (--link)",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let mut line = LINE.to_vec();
    line[10] = "500";
    let ran = edgewise(&line, "");
    assert!(
        ran.err
            .contains("assumed: a hop takes 2 ms (--link MBIT,MS)")
    );
    line[10] = "500,1.25";
    let answer = edgewise(&[&line[..], &["--format", "json"]].concat(), "").json();
    assert_eq!(
        answer.pointer("/scenario/decode/hop_ms"),
        Some(&json!(1.25))
    );
}

#[test]
fn a_name_that_is_not_one_row_lists_candidates() {
    for (option, text, parts) in [
        (
            "--machine",
            "raspberry pi 5",
            &["may be one of", "Raspberry Pi 5 8GB", "Raspberry Pi 5 16GB"][..],
        ),
        (
            "--machine",
            "RTX 40900",
            &["is called \"RTX 40900\"", "RTX 4090"],
        ),
        ("--machine", "RTX 3060*0", &["whole number of 1 to 64"]),
        (
            "--machine",
            "qqqqqq",
            &["nothing in the catalogue is called"],
        ),
        (
            "--model",
            "llama-3.1",
            &["may be one of", "Llama-3.1-8B", "Llama-3.1-405B"],
        ),
        ("--model", "Lalma-3.1-8B", &["the nearest are Llama-3.1-8B"]),
        (
            "--link",
            "ethernet",
            &["may be one of 4", "Ethernet, 100 Mbit/s"],
        ),
        ("--link", "gigabit tokenring", &["nothing in the catalogue"]),
        ("--link", "-3", &["a rate above 0 [Mbit/s]"]),
        ("--link", "100,x", &["a rate above 0 [Mbit/s]"]),
        ("--weights", "q4", &["must be one of", "q4_K_M"]),
        (
            "--context",
            "100",
            &["400 or more: prompt and answer have to fit"],
        ),
        ("--question", "operators", &["run FILE.onnx"]),
        ("--set", "layers=3", &["--set needs a file as --model"]),
    ] {
        let mut line: Vec<&str> = LINE.to_vec();
        match line.iter().position(|one| *one == option) {
            Some(at) => line[at + 1] = text,
            None => line.extend([option, text]),
        }
        let ran = edgewise(&line, "");
        assert_eq!(ran.code, 2, "{option} {text}: {ran:?}");
        assert_eq!(ran.out, "", "{option} {text}");
        for part in parts {
            assert!(
                ran.err.contains(part),
                "{option} {text}: {part}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn links_have_the_names_that_people_use() {
    for (text, mbit_s) in [
        ("gigabit ethernet", 941.0),
        ("1GbE", 941.0),
        ("2.5GbE", 2353.0),
        ("10 gigabit", 9410.0),
        ("100 Mbit/s ethernet", 94.0),
        ("wifi 6", 580.0),
        ("Thunderbolt 4", 15000.0),
        ("4g", 10.0),
        ("usb", 2500.0),
    ] {
        let mut line: Vec<&str> = LINE.to_vec();
        line[10] = text;
        line.push("--scenario-only");
        let ran = edgewise(&line, "");
        assert_eq!(ran.code, 0, "{text}: {ran:?}");
        let rate = ran.json().pointer("/network/rate_mbit_s").cloned();
        let rate = rate.expect("a rate");
        let rate = rate.get("value").unwrap_or(&rate).as_f64();
        assert_eq!(rate, Some(mbit_s), "{text}");
    }
}

#[test]
fn catalogues_are_listed_by_the_words_that_people_type() {
    let rows = |line: &[&str]| {
        let ran = edgewise(&[line, &["--format", "json"]].concat(), "");
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()["rows"].as_array().expect("rows").clone()
    };
    assert!(rows(&["machines"]).len() >= 300);
    let jetsons = rows(&["machines", "jetson", "orin"]);
    assert!(jetsons.len() > 2);
    for row in &jetsons {
        let name = row["name"].as_str().expect("a name");
        assert!(name.contains("Jetson") && name.contains("Orin"), "{name}");
        assert!(
            row["bandwidth_gb_s"]
                .as_f64()
                .is_some_and(|rate| rate > 10.0)
        );
    }
    let models = rows(&["models", "qwen3"]);
    assert!(models.iter().any(|row| row["name"] == json!("Qwen3-8B")));
    assert!(models.len() < rows(&["models"]).len());
    let text = edgewise(&["machines", "RTX", "4090"], "");
    assert!(
        text.out.contains("RTX 4090") && text.out.contains("GB/s"),
        "{}",
        text.out
    );
    let csv = edgewise(&["models", "--format", "csv"], "");
    assert!(
        csv.out.starts_with("model,blocks,hidden size"),
        "{}",
        csv.out
    );
    for (verb, words, near) in [
        ("machines", "RTX 40900", "the nearest are RTX 4090"),
        ("models", "Qwne3-8B", "the nearest are Qwen3-8B"),
    ] {
        let ran = edgewise(&[verb, words], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        let said = ran.complaint();
        assert!(said.contains("no row has all of the words"), "{said}");
        assert!(said.contains(near), "{said}");
    }
}

#[test]
fn presets_are_scenarios_by_their_names() {
    let printed = edgewise(&["presets", "home-decode"], "");
    let of =
        |source: &str, input: &str| edgewise(&["run", source, "--format", "json"], input).json();
    assert_eq!(of("home-decode", ""), of("-", &printed.out));
    for line in [["run", "home-decod"], ["presets", "home-decod"]] {
        let ran = edgewise(&line, "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("home-decode"), "{}", ran.err);
    }
}

#[test]
fn help_and_completions_work_as_people_expect() {
    let help = edgewise(&["help", "plan"], "");
    assert_eq!(help.code, 0, "{help:?}");
    assert!(
        help.out.contains("--machine <NAME[*COUNT]>"),
        "{}",
        help.out
    );
    for shell in ["bash", "zsh", "fish"] {
        let ran = edgewise(&["completions", shell], "");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains("scenario-only"), "{shell}");
    }
    assert_eq!(edgewise(&["completions", "csh"], "").code, 2);
}

/// A rate without a model was measured with the model of the file, and what the file says is not said again.
#[test]
fn a_file_says_how_it_is_stored_and_is_what_was_measured() {
    let config = include_str!("../../data/configs/qwen3-8b.json");
    let path = file("plan-model.json", config);
    let line = |more: &[&str]| {
        let line = ["plan", "--machine", "RTX 4090", "--model", &path];
        edgewise(&[&line, more, &["--format", "json"]].concat(), "")
    };
    let rate = |more: &[&str]| {
        let rate = &line(more).json()["summary"]["decode_tok_s"];
        rate.as_f64().expect("a rate")
    };
    let measured = rate(&["--measured", "RTX 4090=40"]);
    assert!((measured / 40.0 - 1.0).abs() < 1e-3, "{measured}");
    for option in ["--weights", "--cache"] {
        let ran = line(&[option, "q8_0"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.err.contains("are for models of the catalogue"),
            "{}",
            ran.err
        );
    }
}

/// A context that the model has no positions for cannot run; where none is said, it is no more than the model's.
#[test]
fn a_context_is_within_that_of_the_model() {
    let line = |model: &str, more: &[&str]| {
        let line = ["plan", "--machine", "RTX 4090", "--model", model];
        edgewise(&[&line, more, &["--scenario-only"]].concat(), "")
    };
    let over = line("Qwen3-8B", &["--context", "50000"]);
    assert_eq!(over.code, 2, "{over:?}");
    assert!(
        over.err.contains("--context") && over.err.contains("at most 40960 tokens"),
        "{}",
        over.err
    );
    let long = line("Llama-3-8B", &["--prompt", "8000", "--answer", "500"]);
    assert_eq!(long.code, 2, "{long:?}");
    assert!(
        long.err.contains("--prompt") && long.err.contains("Llama-3-8B has positions for no more"),
        "{}",
        long.err
    );
    assert_eq!(line("Llama-3-8B", &["--context", "8192"]).code, 0);
    // As the makers' own files have it, where they are here.
    for (name, config) in [
        ("Qwen3-8B", include_str!("../../data/configs/qwen3-8b.json")),
        (
            "Llama-3-8B",
            include_str!("../../data/configs/llama-3-8b.json"),
        ),
        (
            "Phi-3-mini-4k",
            include_str!("../../data/configs/phi-3-mini-4k.json"),
        ),
    ] {
        let config: serde_json::Value = serde_json::from_str(config).expect("a config");
        let known = engine::model::catalog::find(name).expect("a row");
        assert_eq!(config["max_position_embeddings"], known.context, "{name}");
    }
    let all = edgewise(&["models", "--format", "csv"], "").out;
    assert!(
        all.lines()
            .next()
            .is_some_and(|head| head.contains("context")),
        "{all}"
    );
}

#[test]
fn a_model_is_read_from_standard_input() {
    let config = include_str!("../../data/configs/qwen3-8b.json");
    let told = edgewise(&["model", "-"], config);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(told.out.contains("36"), "{}", told.out);
    let planned = edgewise(
        &[
            "plan",
            "--machine",
            "RTX 4090",
            "--model",
            "-",
            "--format",
            "json",
        ],
        config,
    );
    assert_eq!(planned.code, 0, "{planned:?}");
    let path = file("plan-input.json", config);
    let of_file = edgewise(
        &[
            "plan",
            "--machine",
            "RTX 4090",
            "--model",
            &path,
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(planned.json()["summary"], of_file.json()["summary"]);
}

#[test]
fn a_word_of_a_name_goes_before_a_part_of_one() {
    let ran = edgewise(&["plan", "--machine", "a100", "--model", "Qwen3-8B"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("A100") && !ran.err.contains("A1000"),
        "{}",
        ran.err
    );
}

#[test]
fn a_name_of_a_repository_is_a_row_or_says_where_its_sizes_are() {
    let rows = [
        ("Qwen/Qwen3-8B", "Qwen3-8B"),
        ("meta-llama/Meta-Llama-3-8B-Instruct", "Llama-3-8B"),
        ("microsoft/Phi-3-mini-4k-instruct", "Phi-3-mini-4k"),
    ];
    for (repository, row) in rows {
        let by_repository = [
            "plan",
            "--machine",
            "RTX 4090",
            "--model",
            repository,
            "--scenario-only",
        ];
        let scenario = edgewise(&by_repository, "");
        assert_eq!(scenario.code, 0, "{scenario:?}");
        assert!(
            scenario.out.contains(&format!("\"name\":\"{row}\"")),
            "{}",
            scenario.out
        );
    }
    let unknown = edgewise(
        &[
            "plan",
            "--machine",
            "RTX 4090",
            "--model",
            "Qwen/Qwen3-30B-A3B",
        ],
        "",
    );
    assert_eq!(unknown.code, 2);
    let place = "https://huggingface.co/Qwen/Qwen3-30B-A3B/resolve/main/config.json";
    assert!(unknown.err.contains(place), "{}", unknown.err);
}
