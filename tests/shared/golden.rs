//! Answers that must be the same to the last bit on every machine: what the command line says, the page says.
//!
//! `tests/data/golden.json` holds them, a case a line. The same function makes them natively and in a browser;
//! each compares with the file, so the two agree with one another.

use super::instances::{Draw, Kind, instance};
use engine::problem::{ColdStart, HeuristicReading};
use engine::scenario::{Goal, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{Answer, ColdStartMethod, answer};

/// The file.
pub const FILE: &str = include_str!("../data/golden.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for preset in presets::all() {
        let problem = preset.scenario.problem().expect("presets are valid");
        lines.push(line(preset.name, &problem, preset.scenario.heuristic));
    }
    for tokens in [256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0] {
        let problem = presets::paper().problem_at(tokens).expect("a valid length");
        let name = format!("csgo-paper at {tokens} tokens");
        lines.push(line(&name, &problem, HeuristicReading::Rate));
    }
    // Too many devices for the plain program: searched.
    for name in ["random-7-12", "random-3-11"] {
        let scenario = presets::scenario_named(name).expect("a random fleet");
        let problem = scenario.problem().expect("random fleets are valid");
        lines.push(line(name, &problem, scenario.heuristic));
    }
    // An answer after the first token: every goal beside that of the preset.
    for (goal, least) in [(Goal::FirstAnswer, None), (Goal::Throughput, Some(24.0))] {
        let mut scenario = presets::home();
        let decode = scenario.decode.as_mut().expect("an answer to plan for");
        (decode.goal, decode.least_tok_s) = (goal, least);
        let problem = scenario.problem().expect("presets are valid");
        let name = format!("home-decode, {}", goal.name());
        lines.push(line(&name, &problem, scenario.heuristic));
    }
    for (seed, kind) in (0..30_u64).zip(Kind::ALL.into_iter().cycle()) {
        let mut draw = Draw::new(seed);
        let (devices, layers) = (draw.whole(1, 6), draw.whole(1, 20));
        let problem = instance(kind, &mut draw, devices, layers).problem();
        let reading = HeuristicReading::ALL[draw.below(10)];
        let name = format!("seed {seed}, {kind:?}, {devices} devices, {layers} layers");
        lines.push(line(&name, &problem, reading));
    }
    lines
}

/// One case. Numbers are printed so that they read back to the same bits; T is written as bits, too.
fn line(name: &str, problem: &ColdStart, reading: HeuristicReading) -> String {
    let answer: Answer = answer(
        problem,
        ColdStartMethod::Exact,
        reading,
        &Limits::default(),
        &mut NoProgress,
    );
    let bits = answer.T.map(|total| format!("{:016x}", total.to_bits()));
    // Put together by hand: the order of fields in a map depends on how the JSON library was built.
    let json = |part: Result<String, _>| part.expect("plain data serialises");
    format!(
        r#"{{"case":{},"T_bits":{},"answer":{}}}"#,
        json(serde_json::to_string(name)),
        json(serde_json::to_string(&bits)),
        json(serde_json::to_string(&answer)),
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}

/// Where cases as they come out here and those of a file differ, a case a line: a sentence a case.
pub fn compared(made: &[String], file: &str) -> Vec<String> {
    let kept: Vec<&str> = file
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| line.trim_end_matches(','))
        .collect();
    let mut found: Vec<String> = made
        .iter()
        .zip(&kept)
        .filter(|(made, kept)| made != *kept)
        .map(|(made, kept)| format!("here: {made}\nfile: {kept}"))
        .collect();
    if made.len() != kept.len() {
        found.push(format!(
            "{} cases here, {} in the file",
            made.len(),
            kept.len()
        ));
    }
    found
}
