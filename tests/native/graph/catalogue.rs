//! The catalogue of graphs is what the import makes of the model files, under names that a person can read.
//!
//! To write it again after a change that is meant to move it:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native graph::catalogue`

use super::onnx::model;
use crate::golden_file;
use engine::graph::catalogue::{MODELS, graph};
use engine::graph::{Document, Graph};
use std::collections::BTreeSet;

/// Operators of one layer, in the order of the nodes.
const BERT: [&str; 14] = [
    "query",
    "key",
    "value",
    "scores",
    "context",
    "output",
    "attention sum",
    "attention norm variance",
    "attention norm shift",
    "up",
    "down",
    "feed-forward sum",
    "feed-forward norm variance",
    "feed-forward norm shift",
];
const GPT2: [&str; 13] = [
    "attention norm variance",
    "attention norm shift",
    "query key value",
    "scores",
    "context",
    "output",
    "attention sum",
    "feed-forward norm variance",
    "feed-forward norm shift",
    "up",
    "activation",
    "down",
    "feed-forward sum",
];
const QWEN2: [&str; 15] = [
    "attention norm variance",
    "query",
    "key",
    "value",
    "query rotation",
    "key rotation",
    "scores",
    "context",
    "output",
    "attention sum",
    "feed-forward norm variance",
    "gate",
    "up",
    "down",
    "feed-forward sum",
];

/// Names by the place in the network, for files whose nodes are only numbered.
fn numbered(before: &[&str], layer: &[&str], layers: usize, after: &[&str]) -> Vec<String> {
    let whole = |list: &[&str]| {
        list.iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let inside =
        (1..=layers).flat_map(|i| layer.iter().map(move |name| format!("layer {i} {name}")));
    [whole(before), inside.collect(), whole(after)].concat()
}

/// `/features/features.1/block/block.0/block.0.0/Conv` is `features.1.block.0.0`, the name of the module in PyTorch:
/// parents that their child repeats go, and so does the operator, if the module is one.
fn module(name: &str) -> String {
    let parts: Vec<&str> = name.trim_start_matches('/').split('/').collect();
    let (op, scopes) = parts.split_last().expect("a text has a part");
    let repeats = |i: usize| {
        let next = scopes
            .get(i + 1)
            .and_then(|next| next.strip_prefix(scopes[i]));
        next.is_some_and(|rest| rest.starts_with(['.', '-']))
    };
    let kept: Vec<&str> = (0..scopes.len())
        .filter(|i| !repeats(*i))
        .map(|i| scopes[i])
        .collect();
    let scope = kept.join(".");
    let last = scopes.last().copied().unwrap_or_default();
    let is_pooling =
        last.contains("pool") && !last.contains("branch") || last.starts_with("features.");
    if scope.is_empty() {
        op.to_lowercase()
    } else if *op == "Conv" || (op.ends_with("Pool") && is_pooling) {
        scope
    } else {
        format!("{scope}.{}", op.to_lowercase())
    }
}

/// Returns the document for the catalogue: the imported graph with readable names.
fn made(name: &str) -> Document {
    let mut document = model(name).graph.document();
    let names = match name {
        "bert" => numbered(
            &[
                "token types",
                "positions",
                "embedding norm variance",
                "embedding norm shift",
            ],
            &BERT,
            12,
            &["pooler"],
        ),
        "gpt2" => numbered(
            &["positions"],
            &GPT2,
            12,
            &["final norm variance", "final norm shift"],
        ),
        "qwen2" => numbered(&[], &QWEN2, 28, &["final norm variance"]),
        _ => document.ops.iter().map(|op| module(&op.name)).collect(),
    };
    assert_eq!(names.len(), document.ops.len(), "{name}");
    for (op, name) in document.ops.iter_mut().zip(names) {
        op.name = name;
    }
    document
}

#[test]
fn the_catalogue_is_the_import_to_the_byte() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/engine/src/graph/catalogue/models"
    );
    let writes = golden_file::is_to_be_written();
    for entry in MODELS {
        let text = serde_json::to_string(&made(entry.name)).expect("a graph can be written");
        let path = format!("{folder}/{}.json", entry.name);
        if writes {
            std::fs::write(&path, text + "\n").expect("the catalogue can be written");
        } else {
            let found = std::fs::read_to_string(&path).expect("the catalogue can be read");
            assert!(
                found.trim_end() == text,
                "{path} is not what the import gives"
            );
        }
    }
    assert!(
        !writes,
        "{folder} is written; run the tests again without EDGEWISE_WRITE_GOLDEN"
    );
}

#[test]
fn the_catalogue_opens_and_differs_from_the_files_in_names_only() {
    for entry in MODELS {
        let graph: Graph = graph(entry.name).expect("the catalogue has its models");
        let mut plain = graph.document();
        let imported = model(entry.name).graph.document();
        for (op, file) in plain.ops.iter_mut().zip(&imported.ops) {
            op.name.clone_from(&file.name);
        }
        assert!(plain == imported, "{}", entry.name);
        assert!(!entry.title.is_empty() && !entry.about.is_empty());
    }
    assert_eq!(graph("no such model"), None);
}

#[test]
fn every_operator_of_a_model_has_a_name_of_its_own_that_is_short() {
    for entry in MODELS {
        let graph = graph(entry.name).expect("the catalogue has its models");
        let names: BTreeSet<&str> = graph.ops().iter().map(|op| op.name.as_str()).collect();
        assert_eq!(names.len(), graph.len(), "{}", entry.name);
        let longest = names
            .iter()
            .max_by_key(|name| name.len())
            .expect("a graph has operators");
        assert!(longest.len() <= 36, "{}: {longest}", entry.name);
    }
}

#[test]
fn names_that_were_made_up_fit_what_the_operators_are() {
    let bert = graph("bert").expect("BERT is there");
    let find = |graph: &Graph, name: &str| {
        let at = graph.ops().iter().position(|op| op.name == name);
        at.unwrap_or_else(|| panic!("{name} is there"))
    };
    // The scores read both the query and the key, whose transposed form they need as a whole.
    for model in ["bert", "qwen2"] {
        let graph = graph(model).expect("the model is there");
        let scores = find(&graph, "layer 3 scores");
        assert_eq!(graph.op(scores).shape, [1, 12, 128, 128]);
        let (query, key) = match model {
            "bert" => ("layer 3 query", "layer 3 key"),
            _ => ("layer 3 query rotation", "layer 3 key rotation"),
        };
        let read = [find(&graph, query) as u32, find(&graph, key) as u32];
        assert_eq!(graph.src(scores), read, "{model}");
        assert_eq!(graph.full(scores), &read[1..], "{model}");
    }
    assert_eq!(bert.op(find(&bert, "layer 12 up")).shape, [1, 128, 3072]);
    assert_eq!(bert.op(find(&bert, "pooler")).shape, [1, 768]);
    let gpt2 = graph("gpt2").expect("GPT-2 is there");
    assert_eq!(
        gpt2.op(find(&gpt2, "layer 1 query key value")).shape,
        [128, 2304]
    );
    assert_eq!(
        gpt2.op(find(&gpt2, "layer 12 activation")).shape,
        [1, 128, 3072]
    );
    let googlenet = graph("googlenet").expect("GoogLeNet is there");
    assert_eq!(
        googlenet
            .op(find(&googlenet, "inception4a.branch2.0.conv"))
            .kernel
            .k,
        1
    );
}
