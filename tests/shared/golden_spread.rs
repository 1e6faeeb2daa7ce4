//! Spreads over ranges that must be the same to the last bit on every machine; `tests/data/golden_spread.json` holds them, a
//! case a line.

use super::golden::compared;
use engine::scenario::ranges::Span;
use engine::scenario::{Scenario, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_spread::spread;
use std::ops::ControlFlow;

/// The file.
pub const FILE: &str = include_str!("../data/golden_spread.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    // All disks, all distances and the prompt; then memory, which makes some plans not fit.
    for (name, fields, percent) in [
        ("csgo-paper", &["r_mb_s", "prompt_tokens"][..], 20.0),
        ("csgo-paper", &["d_m", "zeta", "c_peak_tflops"], 40.0),
        ("random-5-3", &["m_gb", "mu", "a"], 30.0),
    ] {
        let mut scenario = presets::scenario_named(name).expect("a preset");
        for input in scenario.inputs() {
            if fields.contains(&input.place.field()) {
                let about = Span::about(input.place.field(), input.value, percent);
                scenario.set_span(&input.place, Some(about));
            }
        }
        lines.push(line(&format!("{name}: {}", fields.join(", ")), &scenario));
    }
    lines
}

fn line(name: &str, scenario: &Scenario) -> String {
    let problem = scenario.problem().expect("a problem");
    let (exact, limits) = (ColdStartMethod::Exact, Limits::default());
    let plan = answer(
        &problem,
        exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    )
    .plan;
    let plan = plan.expect("a plan");
    let found = spread(scenario, &plan, (60, 11), &mut |_, _| {
        ControlFlow::Continue(())
    })
    .expect("a spread");
    let json = |part: Result<String, _>| part.expect("plain data serialises");
    format!(
        r#"{{"case":{},"spread":{}}}"#,
        json(serde_json::to_string(name)),
        json(serde_json::to_string(&found)),
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
