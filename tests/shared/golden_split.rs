//! Splits that must be the same to the last bit on every machine, in `tests/data/golden_split.json`, a case a line: what the
//! default search, the paper's search and the bound make of models and of tiny graphs, with limits and without.

use super::golden::compared;
use super::split_graphs::{task, tiny};
use engine::evaluate::slices::Slices;
use engine::graph::catalogue;
use engine::plan::Partition;
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::solve::NoProgress;
use methods::operators::split::{
    DimPolicy, Effort, SplitResult, SplitTask, best, bound, ga, genetic, least_factor, least_room,
    plain_bound,
};

/// The file.
pub const FILE: &str = include_str!("../data/golden_split.json");

/// A checksum of a plan.
fn checksum(plan: &Partition) -> u32 {
    let text = serde_json::to_string(plan).expect("plain data serialises");
    crc32fast::hash(text.as_bytes())
}

fn told(found: &SplitResult) -> String {
    format!(
        "[{},\"{:016x}\",{},{},{}]",
        checksum(&found.plan),
        found.latency.to_bits(),
        found.is_feasible,
        found.tried,
        found.evaluations
    )
}

fn line(name: &str, task: &SplitTask<'_>) -> String {
    let effort = Effort {
        seed: 1,
        chains: 2,
        moves: 4_000,
    };
    let size = ga::GaSize {
        population: 24,
        generations: 22,
        ..ga::GaSize::default()
    };
    let ours = best(task, &effort, 1, &mut NoProgress);
    let theirs = genetic(task, size, 3, 1, &mut NoProgress);
    let room = if ours.is_feasible {
        "null".to_owned()
    } else {
        let effort = Effort {
            chains: 1,
            moves: 600,
            ..effort
        };
        let room = least_room(
            task,
            std::slice::from_ref(&ours.plan),
            &effort,
            &mut NoProgress,
        );
        room.map_or("false".to_owned(), |room| {
            format!(
                "[\"{:016x}\",\"{:016x}\",{}]",
                least_factor(task).to_bits(),
                room.factor.to_bits(),
                checksum(&room.plan)
            )
        })
    };
    format!(
        r#"{{"case":{name:?},"bound":["{:016x}","{:016x}"],"best":{},"ga":{},"room":{room}}}"#,
        bound(task).to_bits(),
        plain_bound(task).to_bits(),
        told(&ours),
        told(&theirs)
    )
}

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (name, limit) in [
        ("vgg13", f64::INFINITY),
        ("squeezenet", 3e6),
        ("googlenet", 2e6),
        ("mobilenetv3", 0.3e6),
        ("bert", f64::INFINITY),
    ] {
        let graph = catalogue::graph(name).expect("a model");
        for (wish, what) in [
            (DimPolicy::Free, "free"),
            (DimPolicy::Rule(Reading::MoreCopies), "rule"),
        ] {
            let fleet = Fleet::new(vec![1.0, 0.8, 0.5], vec![limit; 3], 2000.0, Link::Own);
            let times = TimeModel::Profile(Profile::FITTED);
            let slices = Slices::new(&graph, fleet.expect("devices"), &times, true);
            let order = (0..graph.len() as u32).collect();
            let task = SplitTask::new(slices.expect("a model"), order, wish).expect("an order");
            lines.push(line(&format!("{name}, {what}"), &task));
        }
    }
    for seed in 0..8 {
        let graph = tiny(seed, 5);
        let limits = [5_000.0 + 800.0 * seed as f64, 9_000.0, 4_000.0];
        let task = task(&graph, &[1.0, 0.5, 0.8], &limits, DimPolicy::Free);
        lines.push(line(&format!("seed {seed}"), &task));
    }
    lines
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
