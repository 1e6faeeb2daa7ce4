//! Orders of operators that must be the same to the last bit on every machine, in `tests/data/golden_operators.json`, a
//! case a line: every model and random graphs with the orders of all methods, the searches' counters and the arena; what
//! the command line answers; and operators as they are read from ONNX files.

use super::golden::compared;
use super::operator_graphs::{lanes, layered, small};
use engine::evaluate::operators::trace;
use engine::graph::onnx::{self, import};
use engine::graph::{Graph, Objective, catalogue};
use engine::solve::{Limits, NoProgress};
use methods::operators::arena::arena;
use methods::operators::order::{
    ExactOrder, SearchMemory, baseline, btsearch, solve, solve_within, value,
};
use planner::operator_order::{Method, OrderOptions};
use planner::problem_file::operator_order;
use std::io::Cursor;

/// The file.
pub const FILE: &str = include_str!("../data/golden_operators.json");

/// Files whose operators are compared: one with joins of many branches, one with computed shapes.
const FILES: [(&str, &[u8]); 2] = [
    ("googlenet", include_bytes!("../models/googlenet.onnx")),
    ("gpt2", include_bytes!("../models/gpt2.onnx")),
];

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        lines.push(line(model.name, &graph));
    }
    for seed in 0..12 {
        let graph = small(seed, 4 + seed as usize);
        lines.push(line(&format!("seed {seed}"), &graph));
    }
    for (seed, count, length, mixed) in [(1, 3, 9, true), (2, 2, 70, false)] {
        let graph = lanes(seed, count, length, mixed);
        let listed = if mixed {
            "step by step"
        } else {
            "lane by lane"
        };
        lines.push(line(
            &format!("{count} lanes of {length}, {listed}"),
            &graph,
        ));
    }
    for seed in 0..3 {
        let graph = layered(seed, 4, 6);
        lines.push(line(&format!("6 layers of 4, seed {seed}"), &graph));
    }
    for seed in 20..24 {
        let graph = small(seed, 9);
        for method in Method::ALL {
            lines.push(answered(&format!("seed {seed}"), &graph, method));
        }
    }
    for (name, file) in FILES {
        lines.push(read(name, file));
    }
    lines
}

/// A checksum of numbers.
fn checksum(numbers: impl Iterator<Item = u64>) -> u32 {
    let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
    crc32fast::hash(&bytes)
}

/// What an order comes to under the three accountings, and its checksum.
fn replayed(graph: &Graph, order: &[u32]) -> String {
    let trace = trace(graph, order).expect("every method answers with an order");
    let all = Objective::ALL.map(|objective| value(&trace, objective));
    let order = checksum(order.iter().map(|v| u64::from(*v)));
    format!("[{},{},{},{order}]", all[0], all[1], all[2])
}

/// A search: its order, the bound, sets and steps.
fn searched(graph: &Graph, found: &ExactOrder) -> String {
    format!(
        "[{},{},{},{}]",
        replayed(graph, &found.order),
        found.bound,
        found.states,
        found.transitions
    )
}

/// One graph. Put together by hand: the order of fields in a map depends on how the JSON library was built.
fn line(name: &str, graph: &Graph) -> String {
    let limits = Limits::default();
    let exact = Objective::ALL.map(|objective| {
        solve(graph, objective, None, &limits, &mut NoProgress).expect("there is no limit")
    });
    // So little room that all but the simplest graphs are searched with a beam.
    let room = SearchMemory {
        states: 40,
        memory: 1 << 20,
        beam: 800,
    };
    let beam = Objective::ALL.map(|objective| {
        let found = solve_within(graph, objective, None, room, &limits, &mut NoProgress);
        searched(graph, &found.expect("there is no limit"))
    });
    // Steps end the search at the same place on every machine.
    let limits = Limits {
        steps: Some(5_000),
        ..Limits::default()
    };
    let by_depth = Objective::ALL.map(|objective| {
        let found = btsearch::search(graph, objective, &limits, &mut NoProgress);
        format!(
            "[{},{},{},{},{}]",
            replayed(graph, &found.order),
            found.pruned,
            found.searched,
            found.states,
            found.transitions
        )
    });
    let [greedy, peft, random] = [
        baseline::greedy(graph),
        baseline::peft(graph),
        baseline::random(graph, 1),
    ]
    .map(|order| replayed(graph, &order));
    let arenas = exact.each_ref().map(|found| {
        let arena = arena(graph, &found.order, 16).expect("an order");
        let offsets = arena.offsets.iter().map(|at| at.unwrap_or(u64::MAX));
        let shared = arena.shared.len();
        format!(
            "[{},{},{shared},{}]",
            arena.size,
            arena.bound,
            checksum(offsets)
        )
    });
    format!(
        r#"{{"case":{name:?},"exact":[{}],"beam":[{}],"btsearch":[{}],"greedy":{greedy},"peft":{peft},"random":{random},"arena":[{}]}}"#,
        exact.map(|found| searched(graph, &found)).join(","),
        beam.join(","),
        by_depth.join(","),
        arenas.join(",")
    )
}

/// What `solve operator-order` answers, from the graph's own JSON.
fn answered(name: &str, graph: &Graph, method: Method) -> String {
    let text = serde_json::to_string(&graph.document()).expect("plain data serialises");
    let answers = Objective::ALL.map(|objective| {
        let options = OrderOptions {
            method,
            objective,
            limits: Limits::default(),
        };
        let answer = operator_order::solve(&text, &options, &mut NoProgress);
        let answer = answer.expect("a graph reads back as it was written");
        serde_json::to_string(&answer).expect("plain data serialises")
    });
    format!(
        r#"{{"case":{name:?},"method":"{}","answers":[{}]}}"#,
        method.name(),
        answers.join(",")
    )
}

/// The operators of an ONNX file: their checksum as JSON, with every byte and operation.
fn read(name: &str, file: &[u8]) -> String {
    let options = onnx::Options::default();
    let found = import(Cursor::new(file), name, &options).expect("the file is a model");
    let text = serde_json::to_string(&found.graph.document()).expect("plain data serialises");
    format!(
        r#"{{"file":{name:?},"operators":{},"nodes":{},"notes":{},"document":{}}}"#,
        found.graph.len(),
        found.nodes,
        found.notes.len(),
        crc32fast::hash(text.as_bytes())
    )
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
