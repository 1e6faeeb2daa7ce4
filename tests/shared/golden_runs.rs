//! Runs of requests through tiers that must be the same to the last bit on every machine, in
//! `tests/data/golden_runs.json`, a case a line: random ones in every mode with every scheduler, the paper's network under
//! random arrivals, and what the formulas say of it.

use super::golden::compared;
use super::instances::Draw;
use super::tier_runs::{built, paper, random};
use engine::problem::{Mode, Scheduler, TierRun};
use engine::sim::{RecordWindow, poisson};
use engine::solve::{Limits, NoProgress};
use planner::tiers_run::{Power, estimate, of_run, run, saturation};

/// The file.
pub const FILE: &str = include_str!("../data/golden_runs.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    let mut draw = Draw::new(5);
    for seed in 0..3_u64 {
        for mode in Mode::ALL {
            for scheduler in Scheduler::ALL {
                let problem = built(&random(&mut draw, mode, scheduler));
                let name = format!("{} with {}, seed {seed}", mode.name(), scheduler.name());
                lines.push(line(&name, &problem, seed));
            }
        }
    }
    for mode in Mode::ALL {
        for rate in [0.02, 0.2, 0.3] {
            let problem = built(&paper(mode, &poisson(rate, 25, 7)));
            let name = format!("the paper's network at {rate}/s, {}", mode.name());
            lines.push(line(&name, &problem, 7));
        }
    }
    let problem = built(&paper(Mode::Request, &[0.0]));
    for rate in [0.01, 0.1, 0.15, 0.2] {
        let estimate = serde_json::to_string(&estimate(&problem, rate, 128));
        let limit = saturation(&problem, 128);
        lines.push(format!(
            r#"{{"case":"formula at {rate}/s","saturation":{limit},"estimate":{}}}"#,
            estimate.expect("plain data serialises")
        ));
    }
    lines
}

/// One case. Numbers are printed so that they read back to the same bits.
fn line(name: &str, problem: &TierRun, seed: u64) -> String {
    let limits = Limits {
        seed,
        ..Limits::default()
    };
    let ran = run::<()>(problem, RecordWindow::all(24), &limits, &mut NoProgress)
        .expect("nothing limits it");
    let power = Power {
        active: 25.0,
        idle: 5.0,
    };
    let powers = vec![power; problem.tiers().len()];
    let json = |part: Result<String, _>| part.expect("plain data serialises");
    // Put together by hand: the order of fields in a map depends on how the JSON library was built.
    format!(
        r#"{{"case":{name:?},"answer":{},"energy":{},"timeline":{}}}"#,
        json(serde_json::to_string(&ran.answer())),
        json(serde_json::to_string(&of_run(&ran.outcome, &powers))),
        json(serde_json::to_string(&ran.outcome.timeline)),
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
