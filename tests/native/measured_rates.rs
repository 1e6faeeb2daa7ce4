//! A rate that was measured on a machine of one's own, in the place of what its class reaches.

use crate::cli::{edgewise, file};
use crate::token_costs::alone;
use engine::hardware::calibration::of_name;
use engine::scenario::world::{FactOrigin, MeasuredKind, MeasuredRun, World, of_llama_bench};
use engine::scenario::{Any, Device, Model, Question};
use serde_json::json;

/// The device of a world with one machine, as cold start sees it.
fn device(world: &World) -> Device {
    let view = world.view(Question::ColdStart).expect("a cold start");
    match view.scenario {
        Any::ColdStart(scenario) => scenario.devices[0].clone(),
        other => panic!("{:?}", other.question()),
    }
}

/// The rate that is predicted for a world with one machine [token/s].
fn predicted(world: &World) -> f64 {
    let path = file("measured-rates.json", world.to_json());
    let ran = edgewise(
        &["run", &path, "--question", "cold-start", "--format", "json"],
        "",
    );
    let rate = &ran.json()["summary"]["decode_tok_s"];
    rate.as_f64().expect("a plan that generates")
}

fn near(found: f64, wanted: f64, share: f64) {
    assert!(
        (found / wanted - 1.0).abs() < share,
        "{found}, not {wanted}"
    );
}

#[test]
fn a_measured_rate_is_what_is_predicted_from_then_on() {
    for (machine, is_gpu) in [
        ("RTX 3060", true),
        ("Mac mini M4 16GB", true),
        ("RX 7900 XTX", true),
        ("Ryzen 7 5800X", false),
        ("Raspberry Pi 5 16GB", false),
        ("A box of which nothing is known", false),
    ] {
        let mut scenario = alone("RTX 3060", "Llama-3.2-3B", 64.0);
        if let Some(row) = engine::hardware::machines::find(machine) {
            scenario.devices = vec![engine::scenario::catalogue::machines::device(row)];
        }
        scenario.devices[0].name = machine.to_owned();
        let world = World::of(&scenario.into());
        let before = device(&world);
        let usual = predicted(&world);
        for factor in [0.5, 0.9, 1.1] {
            let mut world = world.clone();
            let run = world.measured_here(factor * usual, "stopwatch".into());
            world.measure(0, &run).expect(machine);
            near(predicted(&world), factor * usual, 1e-4);
            let after = device(&world);
            if is_gpu && factor < 1.0 {
                assert_ne!(after.layer_us, before.layer_us, "{machine}");
                assert_eq!(after.memory_share, before.memory_share, "{machine}");
            }
            if !is_gpu {
                assert_ne!(after.memory_share, before.memory_share, "{machine}");
                assert!(after.decode_tflops.is_some(), "{machine}");
            }
            // A prompt is another matter.
            assert_eq!(after.prefill_tflops, before.prefill_tflops, "{machine}");
            let from = FactOrigin::Measured("stopwatch".into());
            assert_eq!(
                world.machines[0].facts["layer_us"].origin, from,
                "{machine}"
            );
        }
    }
}

/// What is measured of one model holds for others, in every question.
#[test]
fn a_measured_rate_moves_other_models_and_questions() {
    let mut world = World::of(&alone("Ryzen 7 5800X", "Llama-3.1-8B", 64.0).into());
    let before = predicted(&world);
    let mut of_other = alone("Ryzen 7 5800X", "Llama-3.2-1B", 64.0);
    of_other.prompt_tokens = 64.0;
    let other = World::of(&of_other.into());
    let run = other.measured_here(1.1 * predicted(&other), "stopwatch".into());
    world.measure(0, &run).expect("a rate it can reach");
    let ratio = predicted(&world) / before;
    assert!((1.05..1.15).contains(&ratio), "{ratio}");
    let Any::Dispatch(dispatch) = world.view(Question::Dispatch).expect("a view").scenario else {
        panic!("not a dispatch")
    };
    near(dispatch.devices[0].decode_tok_s, predicted(&world), 0.01);
}

#[test]
fn a_prompt_that_was_measured_sets_what_prompts_reach() {
    let mut world = World::of(&alone("RTX 3060", "Llama-3.1-8B", 512.0).into());
    let model = Model::from_dims(
        "Llama-3.1-8B",
        &engine::model::catalog::find("Llama-3.1-8B")
            .expect("a row")
            .dims,
    );
    let run = |tok_s: f64| MeasuredRun {
        model: model.clone().with_stored(engine::model::precision::Stored {
            weights: Some(engine::model::precision::Precision::Q4KM),
            cache: None,
        }),
        kind: MeasuredKind::Prefill { tokens: 512.0 },
        tok_s,
        source: "llama-bench".into(),
    };
    let before = device(&world);
    world.measure(0, &run(700.0)).expect("a rate it can reach");
    let path = file("measured-prompt.json", world.to_json());
    let ran = edgewise(&["run", &path, "--format", "json"], "");
    let rate = ran.json()["summary"]["prefill_tok_s"]
        .as_f64()
        .expect("a rate");
    near(rate, 700.0, 1e-3);
    assert_eq!(device(&world).layer_us, before.layer_us);
    // 5 GB of weights are not read in a millisecond.
    let fault = world.measure(0, &run(512_000.0)).expect_err("too fast");
    assert!(fault.message.contains("RTX 3060 can reach"), "{fault}");
}

#[test]
fn a_rate_that_cannot_be_is_refused() {
    let world = World::of(&alone("RTX 3060", "Llama-3.1-8B", 64.0).into());
    for rate in [0.0, -3.0, f64::NAN, f64::INFINITY, 1e9, 200.0] {
        let mut changed = world.clone();
        let run = changed.measured_here(rate, String::new());
        let fault = changed.measure(0, &run).expect_err("no such rate");
        assert_eq!(fault.path, "measured", "{rate}");
        assert_eq!(changed, world, "{rate}: nothing is changed");
    }
}

#[test]
fn the_command_line_takes_rates_and_files_of_llama_bench() {
    let scenario = alone("RTX 3060", "Llama-3.1-8B", 64.0).to_json();
    let scenario = file("measured-line.json", scenario);
    let run = |measured: &str| {
        edgewise(
            &["run", &scenario, "--measured", measured, "--format", "json"],
            "",
        )
    };
    let rate = |measured: &str| {
        let ran = run(measured);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()["summary"]["decode_tok_s"]
            .as_f64()
            .expect("a rate")
    };
    near(rate("RTX 3060=31.5"), 31.5, 1e-4);
    // The error of predictions without a measurement is no longer said.
    let calibration = |json: serde_json::Value| json["summary"]["calibration"].clone();
    assert!(calibration(run("RTX 3060=31.5").json()).is_null());
    let usual = edgewise(&["run", &scenario, "--format", "json"], "");
    assert!(!calibration(usual.json()).is_null());
    // 128 tokens after nothing are a shorter context than that of the scenario.
    near(rate("RTX 3060=48.9,Llama-3.1-8B,q4_K_M"), 48.9, 0.02);
    let tests = json!([
        {"model_type": "llama 8B Q4_K - Medium", "model_size": 4_912_898_304_u64, "n_prompt": 512, "n_gen": 0, "avg_ts": 811.2},
        {"model_type": "llama 8B Q4_K - Medium", "model_n_params": 8_030_261_248_u64, "n_prompt": 0, "n_gen": 128, "avg_ts": 48.9},
        {"model_type": "llama 8B Q4_K - Medium", "n_prompt": 512, "n_gen": 128, "avg_ts": 100.0},
    ]);
    let bench = file("measured-bench.json", tests.to_string());
    near(rate(&format!("RTX 3060={bench}")), 48.9, 0.02);
    let runs = of_llama_bench(&tests.to_string()).expect("two runs");
    assert_eq!(runs.len(), 2, "one that does both says nothing of either");
    let link = run(&format!("RTX 3060={bench}")).json();
    let device = &link["scenario"]["devices"][0];
    let (_, terms) = of_name("RTX 3060").expect("a class");
    assert_ne!(device["layer_us"].as_f64(), Some(terms.decode.layer_us));
    for (measured, said) in [
        ("RTX 306=5", "must be the name of a machine: RTX 3060"),
        ("RTX 3060=48,Llama-3.1-8B", "NAME=TOK_S,MODEL,WEIGHTS"),
        ("RTX 3060=48,Lama", "must be a model of the catalogue"),
        ("RTX 3060=48,Llama-3.1-8B,q9", "must be a format of these"),
        ("RTX 3060=480", "must be a rate that RTX 3060 can reach"),
        ("RTX 3060=no-such-file", "cannot be read"),
    ] {
        let ran = run(measured);
        assert_eq!(ran.code, 2, "{measured}: {ran:?}");
        assert!(
            ran.complaint().contains(said),
            "{measured}: {}",
            ran.complaint()
        );
    }
    // Where a rate does not count, that is said.
    let said = "does not move its generation here";
    assert!(!run("RTX 3060=31.5").err.contains(said));
    let paper = engine::scenario::tiers::presets::paper();
    let tiers = file("measured-tiers.json", paper.to_json());
    let ran = edgewise(&["run", &tiers, "--measured", "AGX=5"], "");
    assert!(ran.err.contains(said), "{}", ran.err);
    let ran = edgewise(&["run", &scenario, "--measured", "RTX 3060"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// What would help, and what ranges come to, are of the machine as it was measured.
#[test]
fn gains_and_spreads_take_what_was_measured() {
    let scenario = alone("RTX 3060", "Llama-3.1-8B", 64.0);
    let path = file("measured-gains.json", scenario.to_json());
    let before = |more: &[&str]| {
        let line = [&["gains", &path, "--format", "json"], more].concat();
        let ran = edgewise(&line, "");
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()["before"].clone()
    };
    let measured = ["--measured", "RTX 3060=31.5"];
    assert_ne!(before(&measured), before(&[]));
    for verb in ["gains", "spread"] {
        let ran = edgewise(&[verb, &path, "--measured", "RTX 306=5"], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        let said = ran.complaint();
        assert!(
            said.contains("must be the name of a machine: RTX 3060"),
            "{said}"
        );
    }
}

#[test]
fn tests_of_llama_bench_name_what_is_not_known() {
    let test = |model: &str| {
        let tests = json!([{"model_type": model, "n_prompt": 0, "n_gen": 128, "avg_ts": 48.9}]);
        of_llama_bench(&tests.to_string())
    };
    for (model, name, weights) in [
        ("llama 1B Q8_0", "Llama-3.2-1B", "q8_0"),
        ("llama 3B Q4_K - Small", "Llama-3.2-3B", "q4_K_S"),
        ("qwen3 8B F16", "Qwen3-8B", "fp16"),
        ("qwen2 14B Q4_K - Medium", "Qwen2.5-14B", "q4_K_M"),
        ("qwen3 4B Q6_K", "Qwen3-4B", "q6_K"),
    ] {
        let runs = test(model).expect(model);
        let Model::Dimensions(dims) = &runs[0].model else {
            panic!("{model}")
        };
        assert_eq!(dims.name, name);
        assert_eq!(dims.weights.map(|one| one.name()), Some(weights));
    }
    for model in [
        "llama",
        "llama 8B",
        "llama 8B Q4_K - Huge",
        "qwen3moe 30B.A3B Q4_K - Medium",
        "gemma3 4B Q4_0",
        "",
    ] {
        let fault = test(model).expect_err(model);
        assert_eq!(fault.path, "[0].model_type", "{model}");
    }
    for text in ["", "{}", "[]", "[1]", "[[]]", r#"[{"model_type": 3}]"#] {
        assert!(of_llama_bench(text).is_err(), "{text}");
    }
}
