//! Placements of attention heads that must be the same to the last bit on every machine, in
//! `tests/data/golden_heads.json`, a case a line: the answers of every method, small problems and a network of the
//! paper's size; and the page's presets under every rule, on drawn background and drawn networks.

use super::golden::compared;
use super::heads_made::{Case, network, small};
use super::instances::Draw;
use engine::scenario::heads::{Scenario, presets};
use engine::solve::NoProgress;
use planner::head_placement::{HeadPlacementOptions, Method, Variant, answer};
use planner::heads::{self, HeadsRequest};

/// The file.
pub const FILE: &str = include_str!("../data/golden_heads.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..20 {
        let case = small(&mut Draw::new(seed));
        lines.push(line(&format!("seed {seed}"), &case, &Method::ALL));
    }
    for seed in 0..3 {
        let mut draw = Draw::new(100 + seed);
        let mut case = network(&mut draw, 25, 32, 500);
        for from in ["nowhere", "anywhere"] {
            let methods = [Method::Exact, Method::Algorithm1, Method::Galaxy];
            let name = format!("25 devices, seed {seed}, from {from}");
            lines.push(line(&name, &case, &methods));
            let anywhere = (0..34).map(|_| draw.below(25));
            case.interval.prev = Some(anywhere.collect());
        }
    }
    for preset in presets::all() {
        let mut scenario = preset.scenario;
        scenario.new_tokens = scenario.new_tokens.min(25.0);
        for networks in [false, true] {
            scenario.draws.networks = networks;
            lines.push(drawn(preset.name, &scenario));
        }
    }
    lines
}

/// A scenario of the page: every rule on two draws, background and devices included.
fn drawn(name: &str, scenario: &Scenario) -> String {
    let sums = [1, 2].map(|seed| {
        let answer = heads::answer(scenario, &HeadsRequest::Draw { seed }, &mut |_, _, _| ());
        let answer = answer.expect("presets are valid");
        serde_json::to_string(&answer).expect("plain data serialises")
    });
    let anew = scenario.draws.networks;
    format!(
        r#"{{"preset":{name:?},"networks":{anew},"draws":[{}]}}"#,
        sums.join(",")
    )
}

/// One case. Numbers are printed so that they read back to the same bits.
fn line(name: &str, case: &Case, methods: &[Method]) -> String {
    let problem = case.problem();
    let mut answers = Vec::new();
    for &method in methods {
        let variants = match method {
            Method::Algorithm1 => &Variant::ALL[..],
            _ => &[Variant::WithMigration],
        };
        for &variant in variants {
            let options = HeadPlacementOptions { method, variant };
            let answer = answer(&problem, &options, &mut NoProgress);
            let text = serde_json::to_string(&answer).expect("plain data serialises");
            answers.push(format!(
                r#"{{"method":"{}","answer":{text}}}"#,
                method.name()
            ));
        }
    }
    // Put together by hand: the order of fields in a map depends on how the JSON library was built.
    format!(r#"{{"case":{name:?},"answers":[{}]}}"#, answers.join(","))
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
