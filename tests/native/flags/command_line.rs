//! `edgewise run --format flags`.

use super::importers::{self, of_counts};
use crate::cli::{Ran, edgewise, file};
use engine::scenario::{dispatch, heads, link, presets, tiers};
use protocol::flags::Tool;

fn run(source: &str, more: &[&str]) -> Ran {
    let mut args = vec!["run", source, "--format", "flags"];
    args.extend(more);
    edgewise(&args, "")
}

fn cold_start() -> String {
    link::of(&presets::named("csgo-paper").expect("a preset").scenario)
}

#[test]
fn one_tool_s_text_is_self_contained_on_standard_output() {
    let ran = run(&cold_start(), &["--tool", "llama.cpp"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        importers::llama_cpp(&ran.out, 40).0,
        of_counts(&[7, 5, 15, 13])
    );
    assert!(
        ran.err.lines().all(|line| line.starts_with("edgewise: ")),
        "{ran:?}"
    );
    assert!(ran.err.contains("output layer"), "{ran:?}");
    let ran = run(&cold_start(), &["--tool", "accelerate"]);
    assert_eq!(
        importers::accelerate(&ran.out, 40).0,
        of_counts(&[7, 5, 15, 13])
    );
}

#[test]
fn without_a_tool_all_of_them_are_printed() {
    let tiers = tiers::presets::paper();
    for source in [cold_start(), link::of(&tiers)] {
        let ran = run(&source, &[]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        for tool in Tool::ALL {
            let heading = format!("## {}\n", tool.title());
            assert!(ran.out.contains(&heading), "{heading}");
        }
        assert!(
            ran.out.contains("Not expressible: distributed-llama"),
            "{ran:?}"
        );
    }
}

#[test]
fn unsupported_plans_are_refused_with_the_reason() {
    let ran = run(&cold_start(), &["--tool", "distributed-llama"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("equal slice"), "{ran:?}");
    let ran = run(&cold_start(), &["--tool", "ollama"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("llama.cpp, vllm"), "{ran:?}");
    let ran = edgewise(&["run", &cold_start(), "--tool", "vllm"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("--format flags"), "{ran:?}");
    let heads = &heads::presets::all()[0].scenario;
    let dispatch = &dispatch::presets::all()[0].scenario;
    for (name, json) in [
        ("flags-heads", heads.to_json()),
        ("flags-dispatch", dispatch.to_json()),
    ] {
        let ran = run(&file(&format!("{name}.json"), json), &[]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("cold starts and tiers"), "{ran:?}");
    }
}

#[test]
fn without_a_plan_there_are_no_flags() {
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let ran = run(&link::of(&too_big), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{ran:?}");
    assert!(ran.err.contains("no plan"), "{ran:?}");
}
