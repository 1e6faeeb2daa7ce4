//! Small files written by hand: shapes that are inferred, lengths that are open, and every rule of section 2.

use super::written::{File, graph, int, ints, number, text};
use engine::graph::onnx::{Dim, ImportedOnnx, Options, import};
use engine::graph::{Graph, Kernel};
use engine::problem::{Code, Invalid};
use std::io::Cursor;

fn with(file: &File, options: &Options) -> Result<ImportedOnnx, Invalid> {
    import(Cursor::new(file.bytes()), "made", options)
}

fn read(file: &File) -> ImportedOnnx {
    with(file, &Options::default()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn refused(file: &File) -> Invalid {
    with(file, &Options::default()).expect_err("the file is refused")
}

/// A file with one input, whose last tensor is `y` and is made by MatMul: the shape that it gets.
fn last_shape(file: File, last: &str) -> Vec<u64> {
    let file = file
        .node("GlobalAveragePool", "end", last, "end", &[])
        .open_output("end");
    let graph = read(&file).graph;
    let op = graph.op(graph.len() - 1);
    // A global pooling keeps batch, channels and the number of axes, and reads every element once.
    let (front, all) = (&op.shape[..2], op.flops);
    [front, &[op.kernel.hin, all as u64]].concat()
}

fn image() -> File {
    File::default().input("x", 1, "1 3 17 20")
}

#[test]
fn a_convolution_gets_its_shape_kernel_weights_and_operations() {
    let file = image()
        .weight("w", 10, &[8, 3, 5, 3])
        .weight("b", 1, &[8])
        .node(
            "Conv",
            "c",
            "x w b",
            "y",
            &[
                ints("strides", &[2, 1]),
                ints("pads", &[1, 0, 2, 0]),
                ints("dilations", &[2, 1]),
            ],
        )
        .open_output("y");
    let graph = read(&file).graph;
    let op = graph.op(0);
    // (17 + 1 + 2 - 9) / 2 + 1 = 6 rows, 20 - 3 + 1 = 18 columns.
    assert_eq!(op.shape, [1, 8, 6, 18]);
    assert_eq!((op.out, op.w), (8 * 6 * 18 * 4, 8 * 3 * 5 * 3 * 2 + 8 * 4));
    assert_eq!(
        op.kernel,
        Kernel {
            hin: 17,
            k: 5,
            s: 2,
            p: 1,
            d: 2
        }
    );
    assert_eq!(op.flops, (2 * 8 * 6 * 18 * 3 * 5 * 3) as f64);
    assert_eq!(
        (graph.inputs(), graph.bytes(1), op.name.as_str()),
        (1, 3 * 17 * 20 * 4, "c")
    );
}

#[test]
fn padding_that_keeps_the_size_is_split_as_the_file_says() {
    for (pad, begin) in [("SAME_UPPER", 1), ("SAME_LOWER", 2), ("VALID", 0)] {
        let file = image()
            .weight("w", 1, &[8, 3, 4, 4])
            .node("Conv", "c", "x w", "y", &[text("auto_pad", pad)])
            .open_output("y");
        let graph = read(&file).graph;
        let same = if begin == 0 {
            [1, 8, 14, 17]
        } else {
            [1, 8, 17, 20]
        };
        assert_eq!(
            (graph.op(0).kernel.p, graph.op(0).shape.as_slice()),
            (begin, &same[..]),
            "{pad}"
        );
    }
}

#[test]
fn poolings_round_down_or_up() {
    for (ceil, rows, columns) in [(0, 8, 9), (1, 8, 10)] {
        let rest = [
            ints("kernel_shape", &[3, 3]),
            ints("strides", &[2, 2]),
            int("ceil_mode", ceil),
        ];
        let file = image()
            .node("MaxPool", "", "x", "y", &rest)
            .open_output("y");
        let graph = read(&file).graph;
        assert_eq!(graph.op(0).shape, [1, 3, rows, columns]);
        assert_eq!(graph.op(0).flops, (3 * rows * columns * 9) as f64);
        assert_eq!(
            graph.op(0).name,
            "y",
            "a node without a name is called after its output"
        );
    }
    // Rounded up, a window may not start behind the input: 4 rows, stride 3 and kernel 1 with one row before them.
    let rest = [
        ints("kernel_shape", &[1, 1]),
        ints("strides", &[3, 3]),
        int("ceil_mode", 1),
    ];
    let file = File::default()
        .input("x", 1, "1 1 5 7")
        .node("MaxPool", "", "x", "y", &rest)
        .open_output("y");
    assert_eq!(read(&file).graph.op(0).shape, [1, 1, 2, 3]);
}

#[test]
fn a_convolution_turned_round_needs_all_that_it_reads() {
    let file = image()
        .weight("w", 1, &[3, 4, 3, 3])
        .node(
            "ConvTranspose",
            "t",
            "x w",
            "y",
            &[
                ints("strides", &[2, 2]),
                ints("pads", &[1, 1, 1, 1]),
                ints("output_padding", &[1, 0]),
                int("group", 1),
            ],
        )
        .open_output("y");
    let graph = read(&file).graph;
    assert_eq!(graph.op(0).shape, [1, 4, 34, 39]);
    assert_eq!(graph.full(0), graph.src(0));
    assert_eq!(graph.op(0).flops, (2 * 4 * 34 * 39 * 3 * 9) as f64);
}

#[test]
fn transparent_nodes_hand_shapes_on() {
    let shapes: [(File, [u64; 4]); 17] = [
        (image().node("Relu", "", "x", "y", &[]), [1, 3, 17, 1020]),
        (
            image().node("Concat", "", "x x x", "y", &[int("axis", 1)]),
            [1, 9, 17, 3060],
        ),
        (
            image()
                .list("to", &[0, -1, 5, 4])
                .node("Reshape", "", "x to", "y", &[]),
            [1, 51, 5, 1020],
        ),
        (
            image().node("Transpose", "", "x", "y", &[ints("perm", &[0, 2, 3, 1])]),
            [1, 17, 20, 1020],
        ),
        (
            image()
                .node("Flatten", "", "x", "z", &[int("axis", 2)])
                .node("Unsqueeze", "", "z", "y", &[ints("axes", &[0, 3])]),
            [1, 3, 340, 1020],
        ),
        (
            image()
                .list("a", &[2])
                .list("e", &[-3])
                .list("s", &[1])
                .node("Slice", "", "x s e a", "y", &[]),
            [1, 3, 13, 780],
        ),
        (
            image()
                .list("a", &[2])
                .list("e", &[-99])
                .list("s", &[-1])
                .list("t", &[-2])
                .node("Slice", "", "x s e a t", "y", &[]),
            [1, 3, 9, 540],
        ),
        (
            image()
                .list("n", &[5, 12])
                .node("Split", "", "x n", "z y", &[int("axis", -2)]),
            [1, 3, 12, 720],
        ),
        (
            image()
                .list("i", &[4, 4])
                .node("Gather", "", "x i", "y", &[int("axis", 2)]),
            [1, 3, 2, 120],
        ),
        (
            image().node("ReduceMean", "", "x", "y", &[ints("axes", &[-1])]),
            [1, 3, 17, 51],
        ),
        (
            image()
                .list("p", &[0, 0, 1, 0, 0, 0, 2, -3])
                .node("Pad", "", "x p", "y", &[]),
            [1, 3, 20, 1020],
        ),
        (
            image()
                .list("n", &[1, 1, 1, 2])
                .node("Tile", "", "x n", "y", &[]),
            [1, 3, 17, 2040],
        ),
        (
            image()
                .floats("f", &[1.0, 1.0, 2.0, 0.5])
                .node("Resize", "", "x - f", "y", &[]),
            [1, 3, 34, 1020],
        ),
        (
            image()
                .list("n", &[1, 3, 8, 8])
                .node("Resize", "", "x - - n", "y", &[]),
            [1, 3, 8, 192],
        ),
        (
            image()
                .weight("w", 1, &[4, 1, 1, 20])
                .node("Mul", "", "x w", "y", &[]),
            [4, 3, 17, 4080],
        ),
        (
            image()
                .node("Shape", "", "x", "s", &[])
                .list("last", &[3])
                .node("Gather", "", "s last", "n", &[])
                .list("front", &[1, 3, -1])
                .node("Concat", "", "front n", "to", &[int("axis", 0)])
                .node("Reshape", "", "x to", "y", &[]),
            [1, 3, 17, 1020],
        ),
        (
            image()
                .list("n", &[1, 3, 1, 1, 1])
                .node("Unsqueeze", "", "x", "z", &[ints("axes", &[2])])
                .node("Expand", "", "z n", "w", &[])
                .node("Squeeze", "", "w", "y", &[ints("axes", &[2])]),
            [1, 3, 17, 1020],
        ),
    ];
    for (at, (file, wanted)) in shapes.into_iter().enumerate() {
        assert_eq!(last_shape(file, "y"), wanted, "case {at}");
    }
}

#[test]
fn products_of_matrices_stretch_their_batches() {
    for (a, b, c, inner) in [
        ("2 1 5 7", "3 7 4", &[2, 3, 5, 4][..], 7),
        ("7", "3 7 4", &[3, 4], 7),
        ("5 7", "7", &[5], 7),
    ] {
        let file = File::default()
            .input("a", 1, a)
            .input("b", 1, b)
            .node("MatMul", "m", "a b", "y", &[])
            .open_output("y");
        let graph = read(&file).graph;
        assert_eq!(graph.op(0).shape, c, "{a} times {b}");
        let elements: u64 = c.iter().product();
        assert_eq!(graph.op(0).flops, (2 * elements * inner) as f64);
        // Of the right operand everything is needed.
        assert_eq!(graph.full(0), [2]);
    }
    let file = File::default()
        .input("a", 1, "7 5")
        .weight("b", 1, &[4, 7])
        .node(
            "Gemm",
            "g",
            "a b",
            "y",
            &[int("transA", 1), int("transB", 1)],
        )
        .open_output("y");
    let graph = read(&file).graph;
    assert_eq!(
        (graph.op(0).shape.as_slice(), graph.op(0).flops),
        (&[5, 4][..], 280.0)
    );
    assert!(graph.full(0).is_empty());
}

#[test]
fn a_classifier_is_kept_without_convolutions_or_when_it_is_asked_for() {
    let file = image()
        .weight("w", 1, &[8, 3, 1, 1])
        .weight("m", 1, &[8, 10])
        .node("Conv", "c", "x w", "y", &[])
        .node("GlobalAveragePool", "p", "y", "q", &[])
        .node("Flatten", "", "q", "f", &[])
        .node("Gemm", "g", "f m", "z", &[])
        .open_output("z");
    assert_eq!(read(&file).graph.len(), 2);
    assert!(read(&file).graph.is_output(1));
    let options = Options {
        classifier: true,
        ..Options::default()
    };
    let graph = with(&file, &options).expect("the file is read").graph;
    assert_eq!(
        (graph.len(), graph.op(2).shape.as_slice()),
        (3, &[1, 10][..])
    );
}

#[test]
fn sums_are_kept_where_the_rule_says_so() {
    let file = File::default()
        .input("x", 1, "4 6")
        .input("i", 7, "3")
        .weight("b", 1, &[6])
        .node("Add", "bias of an input", "x b", "t0", &[])
        .node("Relu", "", "t0", "t1", &[])
        .node("Add", "bias behind Relu", "t1 b", "t2", &[])
        .node("Mul", "", "t2 b", "t3", &[])
        .node("Add", "behind Mul", "b t3", "t4", &[])
        .node("Add", "behind Add", "t4 b", "t5", &[])
        .node("Gather", "", "b i", "t6", &[])
        .weight("c", 1, &[3])
        .node("Add", "behind Gather", "t6 c", "t7", &[])
        .node("ReduceMean", "", "t5", "t8", &[ints("axes", &[-1])])
        .node("Sum", "behind ReduceMean", "t8 b", "t9", &[])
        .node("Add", "two", "t5 t5", "t10", &[])
        .node("Add", "behind transparent Add", "t2 b", "t11", &[])
        .open_output("t10");
    let graph = read(&file).graph;
    let names: Vec<&str> = graph.ops().iter().map(|op| op.name.as_str()).collect();
    let kept = [
        "behind Mul",
        "behind Add",
        "behind Gather",
        "behind ReduceMean",
        "two",
        "behind transparent Add",
    ];
    assert_eq!(names, kept);
    // Three indices of 8 bytes; a sum of a tensor with itself reads it twice.
    assert_eq!(
        (graph.bytes(7), graph.ins(4), graph.src(4)),
        (24, &[1, 1][..], &[1][..])
    );
    // The weights of a sum are what it adds.
    assert_eq!((graph.op(0).w, graph.op(4).w), (24, 0));
}

#[test]
fn a_sigmoid_product_lists_its_source_twice_and_a_hard_swish_once() {
    let file = image()
        .weight("w", 1, &[3, 3, 1, 1])
        .node("Conv", "a", "x w", "a", &[])
        .node("Sigmoid", "", "a", "s", &[])
        .node("Mul", "", "a s", "m", &[])
        .node("Conv", "b", "m w", "b", &[])
        .node("HardSwish", "", "b", "h", &[])
        .node("Conv", "c", "h w", "c", &[])
        .node("Concat", "", "a h c a", "j", &[int("axis", 1)])
        .weight("v", 1, &[2, 12, 1, 1])
        .node("Conv", "d", "j v", "d", &[])
        .open_output("d");
    let graph = read(&file).graph;
    assert_eq!(
        [graph.ins(1), graph.ins(2), graph.ins(3)],
        [&[0, 0][..], &[1], &[0, 1, 2, 0]]
    );
}

#[test]
fn normalisations_of_either_maker_are_kept() {
    let file = File::default()
        .input("x", 1, "1 5 8")
        .weight("g", 1, &[8])
        .node("LayerNormalization", "a", "x g g", "a", &[])
        .node(
            "com.microsoft.SkipLayerNormalization",
            "b",
            "a x g",
            "b - - sum",
            &[],
        )
        .node("com.example.LayerNormalization", "c", "b g", "c", &[])
        .node("Add", "d", "sum c", "d", &[])
        .shape("c", "1 5 8")
        .open_output("d");
    let ImportedOnnx { graph, notes, .. } = read(&file);
    let names: Vec<&str> = graph.ops().iter().map(|op| op.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "d"]);
    assert_eq!(
        (graph.ins(1), graph.ins(2), graph.op(0).w),
        (&[0, 3][..], &[1, 1][..], 32)
    );
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].contains("com.example.LayerNormalization: 1 (first: nodes[2] \"c\""),
        "{notes:?}"
    );
}

#[test]
fn unknown_operators_pass_through_with_a_note_and_computed_weights_are_reported() {
    let file = image()
        .weight("q", 3, &[3, 3, 1, 1])
        .weight("f", 1, &[])
        .node("Mul", "", "q f", "w", &[])
        .node("Zorro", "first", "x q", "y", &[])
        .node("Zorro", "second", "y q", "z", &[])
        .shape("z", "1 3 17 20")
        .node("Conv", "c", "z w", "o", &[])
        .open_output("o");
    let ImportedOnnx {
        graph,
        notes,
        nodes,
        ..
    } = read(&file);
    assert_eq!(
        (graph.len(), nodes, graph.ins(0), graph.op(0).w),
        (1, 4, &[1][..], 0)
    );
    assert!(
        notes[0].starts_with("nodes of type Zorro: 2 (first: nodes[1] \"first\""),
        "{notes:?}"
    );
    assert!(
        notes[0].contains("not counted") && notes[1].contains("initializers"),
        "{notes:?}"
    );
}

#[test]
fn open_lengths_are_listed_and_taken_from_options() {
    let file = File::default()
        .input("x", 1, "batch 3 ? width")
        .weight("w", 1, &[8, 3, 1, 1])
        .node("Conv", "c", "x w", "y", &[])
        .shape("y", "batch 8 something else")
        .open_output("y");
    let named = |name: &str, value, given| Dim {
        name: name.to_owned(),
        value,
        given,
    };
    let ImportedOnnx { graph, dims, .. } = read(&file);
    // What follows from the operators is not open.
    assert_eq!(
        dims,
        [
            named("batch", 1, false),
            named("x[2]", 1, false),
            named("width", 1, false)
        ]
    );
    assert_eq!(graph.op(0).shape, [1, 8, 1, 1]);
    let given = [("batch", 2), ("x[2]", 5), ("width", 7)].map(|(name, n)| (name.to_owned(), n));
    let mut options = Options {
        dims: given.into(),
        classifier: false,
    };
    let ImportedOnnx { graph, dims, .. } = with(&file, &options).expect("the lengths are known");
    assert_eq!(
        dims,
        [
            named("batch", 2, true),
            named("x[2]", 5, true),
            named("width", 7, true)
        ]
    );
    assert_eq!(
        (graph.op(0).shape.as_slice(), graph.bytes(1)),
        (&[2, 8, 5, 7][..], 2 * 3 * 5 * 7 * 4)
    );
    // A length of a tensor in between wins over what follows, if it is given.
    options.dims.insert("else".to_owned(), 9);
    let inside = with(&file, &options).expect("the length is known");
    assert_eq!(inside.graph.op(0).shape, [2, 8, 5, 9]);
    options.dims.insert("height".to_owned(), 9);
    let fault = with(&file, &options).expect_err("there is no such length");
    assert_eq!(
        (fault.code, fault.path.as_str()),
        (Code::Range, "dims.height")
    );
    assert!(fault.message.contains("batch, x[2], width"), "{fault}");
    options.dims = [("batch".to_owned(), 0)].into();
    assert_eq!(
        with(&file, &options)
            .expect_err("nothing is too little")
            .path,
        "dims.batch"
    );
}

#[test]
fn a_shape_that_follows_from_nothing_is_asked_of_the_node_that_stops() {
    let file = image()
        .node("NonZero", "culprit", "x", "z", &[])
        .node("Relu", "", "z", "r", &[])
        .node("MatMul", "victim", "r r", "y", &[])
        .open_output("y");
    let fault = refused(&file);
    assert_eq!((fault.code, fault.path.as_str()), (Code::Range, "nodes[0]"));
    assert!(
        fault.message.contains("\"culprit\" (NonZero)")
            && fault.message.contains("cannot be inferred"),
        "{fault}"
    );
    // Nobody needs this one.
    let file = image()
        .node("NonZero", "", "x", "z", &[])
        .node("GlobalMaxPool", "p", "x", "y", &[])
        .open_output("z");
    assert_eq!(read(&file).graph.len(), 1);
}

#[test]
fn nodes_that_hide_operators_are_refused_by_name() {
    for op in ["If", "Loop", "Scan"] {
        let fault = refused(&image().node(op, "branch", "x", "y", &[]).open_output("y"));
        assert!(
            fault
                .message
                .starts_with(&format!("nodes[0] \"branch\" ({op})")),
            "{fault}"
        );
    }
    let fault = refused(
        &image()
            .node("com.example.Map", "m", "x", "y", &[graph("body")])
            .open_output("y"),
    );
    assert!(fault.message.contains("com.example.Map"), "{fault}");
}

#[test]
fn graphs_that_are_none_are_refused_with_the_node() {
    let cases = [
        (
            image().node("Relu", "a", "nowhere", "y", &[]),
            "reads \"nowhere\", which no node produces",
        ),
        (
            image()
                .node("Add", "a", "x z", "y", &[])
                .node("Relu", "b", "y", "z", &[]),
            "cycle",
        ),
        (
            image()
                .node("Relu", "a", "y", "z", &[])
                .node("Relu", "b", "x", "y", &[]),
            "before nodes[1] \"b\" (Relu) produces it",
        ),
        (
            image()
                .node("Relu", "a", "x", "y", &[])
                .node("Relu", "b", "x", "y", &[]),
            "nodes[1] \"b\" (Relu) produces \"y\", but nodes[0]",
        ),
        (
            image().node("Relu", "a", "x", "x", &[]),
            "an input or initializer",
        ),
        (image().input("x", 1, "1"), "inputs[1] \"x\" is there twice"),
        (
            image().weight("w", 1, &[1]).weight("w", 1, &[1]),
            "initializers[1] \"w\" is there twice",
        ),
        (
            image()
                .node("GlobalMaxPool", "a", "x", "y", &[])
                .open_output("z"),
            "outputs[0] \"z\"",
        ),
        (
            image().node("Relu", "a", "x", "y", &[]),
            "no operator that is kept",
        ),
        (
            File::default().part(11, &super::written::bytes(1, b"x")),
            "inputs[0] \"x\" is not a tensor with a shape",
        ),
        (File::default().input("x", 8, "1"), "inputs of text"),
        (
            File::default().input("x", 1, "4294967296 4294967296 4"),
            "too large",
        ),
        (
            image().weight("w", 1, &[i64::MAX, 3]),
            "initializers[0] \"w\" is too large",
        ),
        (image().weight("w", 1, &[-2]), "length -2"),
        (
            image()
                .node("GlobalMaxPool", "a", "x", "y", &[])
                .shape("y", "1 3 0 1"),
            "axis 2",
        ),
        (
            image()
                .node(
                    "MaxPool",
                    "a",
                    "x",
                    "y",
                    &[ints("kernel_shape", &[2, 2]), ints("strides", &[0, 1])],
                )
                .shape("y", "1 3 9 9"),
            "0 among its strides",
        ),
        (
            image()
                .node("MaxPool", "a", "x", "y", &[ints("kernel_shape", &[2])])
                .shape("y", "1 3 9 9"),
            "1 kernel_shape",
        ),
        (
            image()
                .node("MaxPool", "a", "x", "y", &[])
                .shape("y", "1 3 9 9"),
            "no kernel_shape",
        ),
        (
            image()
                .node(
                    "MaxPool",
                    "a",
                    "x",
                    "y",
                    &[ints("kernel_shape", &[i64::MAX, 1])],
                )
                .shape("y", "1 3 9 9"),
            "among its kernel_shape",
        ),
    ];
    for (at, (file, wanted)) in cases.into_iter().enumerate() {
        let fault = refused(&file);
        assert!(fault.message.contains(wanted), "case {at}: {fault}");
    }
}

#[test]
fn an_initializer_among_the_inputs_is_a_constant() {
    let file = image()
        .input("w", 1, "8 3 1 1")
        .weight("w", 1, &[8, 3, 1, 1])
        .node("Conv", "c", "x w", "y", &[])
        .open_output("y");
    let graph: Graph = read(&file).graph;
    assert_eq!(
        (graph.inputs(), graph.ins(0), graph.op(0).w),
        (1, &[1][..], 96)
    );
}

#[test]
fn lists_packed_or_not_are_the_same() {
    let packed = [
        super::written::bytes(1, b"kernel_shape"),
        super::written::bytes(8, &[2, 2]),
        number(20, 7),
    ]
    .concat();
    let packed = super::written::bytes(5, &packed);
    let made = |rest| {
        image()
            .node("MaxPool", "p", "x", "y", &[rest])
            .open_output("y")
    };
    assert_eq!(
        read(&made(packed)),
        read(&made(ints("kernel_shape", &[2, 2])))
    );
}
