//! Policies of device or server that must be the same to the last bit on every machine, in
//! `tests/data/golden_dispatch.json`, a case a line: what the command line answers, and the best policies for either
//! scarcity, for a cap on the tail and for several devices; small cases, and assumed services with a device of the paper.

use super::dispatch_made::{Case, alpaca, bursty, service, small};
use super::golden::compared;
use super::instances::Draw;
use engine::plan::dispatch::Policy;
use engine::problem::dispatch::DispatchDevice;
use methods::dispatch::{baseline, devices, fit, optimum, priced, server, tail_cap};
use planner::problem_file::dispatch;

/// The file.
pub const FILE: &str = include_str!("../data/golden_dispatch.json");

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..40 {
        let case = small(&mut Draw::new(seed));
        lines.push(line(&format!("seed {seed}"), &case, true));
    }
    for (name, samples) in [
        ("LLaMA-3-70b", service(-0.161, 0.426, 60)),
        ("DeepSeek-V2.5, bursty", bursty(0.396, 0.304, 60)),
    ] {
        let case = Case {
            lengths: alpaca(),
            samples,
            devices: vec![DispatchDevice {
                prefill_rate: 79.9,
                constant: 0.0,
            }],
            b: 0.3,
            alpha: 0.1,
        };
        lines.push(line(name, &case, false));
    }
    lines
}

/// What `solve dispatch` takes.
fn document(case: &Case) -> String {
    let lengths = case
        .lengths
        .iter()
        .map(|(l, weight)| format!("[{l},{weight:?}]"));
    let lengths: Vec<String> = lengths.collect();
    let device = case.devices[0];
    format!(
        r#"{{"lengths":[{}],"ttft":{:?},"b":{:?},"alpha":{:?},"prefill_rate":{:?},"device_const":{:?}}}"#,
        lengths.join(","),
        case.samples,
        case.b,
        case.alpha,
        device.prefill_rate,
        device.constant
    )
}

/// One case. Numbers are printed so that they read back to the same bits; policies only where they are `small`.
fn line(name: &str, case: &Case, small: bool) -> String {
    let problem = case.problem();
    let answer = dispatch::solve(&document(case)).expect("cases here are valid");
    let answer = serde_json::to_string(&answer).expect("plain data serialises");
    let text = |policy: &Policy| match small {
        true => serde_json::to_string(&policy.acts).expect("plain data serialises"),
        false => "[]".to_owned(),
    };
    let best = optimum::solve(&problem);
    let priced = priced::solve(&problem);
    let goal = tail_cap::recommended(&problem).expect("Algorithm 2 keeps its own cap");
    let least = tail_cap::least_tail(&problem, 0.99);
    let latest = tail_cap::least_cvar(&problem, 0.9);
    let server = server::solve(&problem);
    let short = server::least_tail(&problem, 0.99);
    let budgets: Vec<f64> = case.devices.iter().map(|_| 0.5 * case.b).collect();
    let several = devices::solve(&problem, &budgets).expect("a budget a device");
    let lengths: Vec<u32> = case.lengths.iter().map(|row| row.0).collect();
    let (_, fitted) = fit::device_scarce(&case.samples, &lengths, case.b, case.alpha)
        .expect("cases here are valid");
    let slope = baseline::slope(&problem);
    // Put together by hand: the order of fields in a map depends on how the JSON library was built.
    format!(
        r#"{{"case":{name:?},"answer":{answer},"best":[{:?},{:?},{}],"priced":[{:?},{:?}],"goal":[{:?},{:?},{:?},{}],"least":[{:?},{:?},{}],"cvar":[{:?},{:?}],"server":[{:?},{}],"short":[{:?},{}],"several":[{:?},{:?},{}],"fitted":{},"beta":{:?}}}"#,
        best.mean,
        best.price,
        text(&best.policy),
        priced.mean,
        priced.price,
        goal.tau,
        goal.mean,
        goal.bound,
        text(&goal.policy),
        least.tau,
        least.share,
        text(&least.policy),
        latest.cvar,
        latest.eta,
        server.mean,
        text(&server.policy),
        short.tau,
        text(&short.policy),
        several.mean,
        several.bound,
        text(&several.policy),
        serde_json::to_string(&fitted.waits).expect("plain data serialises"),
        slope.beta.unwrap_or_default()
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
