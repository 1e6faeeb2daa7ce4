//! Functions that a file defines are inlined where they are called.

use super::written::{File, bytes, graph, number};
use engine::graph::onnx::{ImportedOnnx, Options, import};
use engine::problem::Invalid;
use std::io::Cursor;

/// A node of a function; operands and results are separated by blanks.
fn node(op: &str, reads: &str, makes: &str, rest: &[Vec<u8>]) -> Vec<u8> {
    let list = |field: u64, names: &str| -> Vec<u8> {
        names
            .split_whitespace()
            .flat_map(|name| bytes(field, name.as_bytes()))
            .collect()
    };
    let (domain, op) = op.rsplit_once('.').unwrap_or(("", op));
    let parts = [
        list(1, reads),
        list(2, makes),
        bytes(4, op.as_bytes()),
        rest.concat(),
        bytes(7, domain.as_bytes()),
    ];
    bytes(7, &parts.concat())
}

/// A function of the domain `own`.
fn function(name: &str, reads: &[&str], makes: &[&str], nodes: &[Vec<u8>]) -> Vec<u8> {
    let list = |field: u64, names: &[&str]| -> Vec<u8> {
        names
            .iter()
            .flat_map(|name| bytes(field, name.as_bytes()))
            .collect()
    };
    let parts = [
        bytes(1, name.as_bytes()),
        list(4, reads),
        list(5, makes),
        nodes.concat(),
        bytes(10, b"own"),
    ];
    bytes(25, &parts.concat())
}

fn read(file: &File, functions: &[Vec<u8>]) -> Result<ImportedOnnx, Invalid> {
    let whole = [file.bytes(), functions.concat()].concat();
    import(Cursor::new(whole), "made", &Options::default())
}

fn image() -> File {
    File::default()
        .input("x", 1, "1 3 17 20")
        .weight("w", 1, &[3, 3, 1, 1])
}

fn same(one: &ImportedOnnx, other: &ImportedOnnx) {
    let ops = |found: &ImportedOnnx| {
        let document = found.graph.document();
        let figures = document
            .ops
            .into_iter()
            .map(|op| (op.kind, op.ins, op.out, op.w, op.shape, op.flops.to_bits()));
        figures.collect::<Vec<_>>()
    };
    assert_eq!(ops(one), ops(other));
}

#[test]
fn a_function_stands_for_its_nodes() {
    let plain = image()
        .node("Conv", "", "x w", "a", &[])
        .node("Relu", "", "a", "b", &[])
        .node("Conv", "", "b w", "c", &[])
        .node("Relu", "", "c", "y", &[])
        .open_output("y");
    let plain = read(&plain, &[]).expect("it is read");
    // Names of the function are its own: `x` and `a` mean others in the graph.
    let block = function(
        "Block",
        &["a", "x"],
        &["y"],
        &[node("Conv", "a x", "t", &[]), node("Relu", "t", "y", &[])],
    );
    let called = image()
        .node("own.Block", "first", "x w", "a", &[])
        .node("own.Block", "second", "a w", "y", &[])
        .open_output("y");
    same(
        &read(&called, std::slice::from_ref(&block)).expect("it is inlined"),
        &plain,
    );
    // One function calls the other, and hands an input through.
    let pair = function(
        "Pair",
        &["a", "w"],
        &["y", "w"],
        &[
            node("own.Block", "a w", "t", &[]),
            node("own.Block", "t w", "y", &[]),
        ],
    );
    let nested = image()
        .node("own.Pair", "", "x w", "y v", &[])
        .open_output("y");
    same(
        &read(&nested, &[block, pair]).expect("it is inlined"),
        &plain,
    );
}

#[test]
fn what_a_function_hides_is_refused_with_the_node_that_calls_it() {
    let call = image()
        .node("own.Block", "b", "x", "y", &[])
        .open_output("y");
    let refused = |body: &[Vec<u8>]| {
        let function = function("Block", &["x"], &["y"], body);
        read(&call, &[function]).expect_err("it is refused").message
    };
    let flow = refused(&[node("If", "x", "y", &[graph("then_branch")])]);
    assert!(
        flow.contains("\"b\"") && flow.contains("control flow"),
        "{flow}"
    );
    let itself = refused(&[node("own.Block", "x", "y", &[])]);
    assert!(itself.contains("16 deep"), "{itself}");
    // An attribute of the name `pads` that the call has to give.
    let reference = [bytes(1, b"pads"), bytes(21, b"padding"), number(20, 7)].concat();
    let given = refused(&[node("Conv", "x x", "y", &[bytes(5, &reference)])]);
    assert!(given.contains("take attributes from the call"), "{given}");
    let doubling: Vec<Vec<u8>> = (0..16)
        .map(|at| {
            let next = format!("own.F{}", at + 1);
            let name = format!("F{at}");
            function(
                &name,
                &["x"],
                &["y"],
                &[node(&next, "x", "a", &[]), node(&next, "a", "y", &[])],
            )
        })
        .collect();
    let bomb = image().node("own.F0", "", "x", "y", &[]).open_output("y");
    assert!(
        read(&bomb, &doubling).is_err(),
        "65536 nodes of a domain that is not known make no operator"
    );
    // A function that is not called may hide what it likes.
    let unused = function(
        "Unused",
        &["x"],
        &["y"],
        &[node("Loop", "x", "y", &[graph("body")])],
    );
    let plain = image().node("Conv", "", "x w", "y", &[]).open_output("y");
    assert!(read(&plain, &[unused]).is_ok());
}
