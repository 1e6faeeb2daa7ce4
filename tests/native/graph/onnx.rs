//! The models of section 2 come out with their counts, their sums and the properties that the text tells of.

use engine::graph::onnx::{ImportedOnnx, Options, import};
use engine::graph::{Graph, Kernel, OperatorKind};
use std::io::Cursor;

/// The bytes of a model file.
pub fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/models/{name}.onnx", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

pub fn model(name: &str) -> ImportedOnnx {
    let read = import(Cursor::new(file(name)), name, &Options::default());
    read.unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// Model, operators, bytes of all outputs, bytes of all weights, operands.
/// The bytes and operands were computed by a program in another language that shares nothing with this one.
const FIGURES: [(&str, usize, u64, u64, usize); 12] = [
    ("vgg13", 16, 55_193_600, 37_619_968, 16),
    ("resnet50", 71, 67_344_384, 93_925_888, 87),
    ("inceptionv3", 108, 46_722_304, 87_073_408, 227),
    ("inceptionv3_224", 108, 24_012_992, 87_073_408, 227),
    ("mobilenetv3", 68, 5_887_360, 3_683_808, 83),
    ("squeezenet", 30, 19_601_344, 4_993_696, 38),
    ("efficientnet_b0", 107, 27_869_552, 15_946_160, 197),
    ("googlenet", 71, 18_578_624, 22_370_496, 152),
    ("regnet", 94, 127_655_936, 208_695_808, 116),
    ("gpt2", 159, 95_171_072, 340_540_516, 306),
    ("bert", 173, 76_692_992, 342_964_324, 308),
    ("qwen2", 421, 444_101_120, 5_240_783_076, 841),
];

#[test]
fn every_model_has_the_operators_and_bytes_of_an_independent_count() {
    for (name, ops, out, w, operands) in FIGURES {
        let ImportedOnnx {
            graph, dims, notes, ..
        } = model(name);
        let sum = |of: fn(&engine::graph::Op) -> u64| graph.ops().iter().map(of).sum::<u64>();
        let read: usize = (0..graph.len()).map(|v| graph.ins(v).len()).sum();
        let found = (name, graph.len(), sum(|op| op.out), sum(|op| op.w), read);
        assert_eq!(found, (name, ops, out, w, operands));
        assert_eq!((dims, notes), (vec![], vec![]), "{name}");
    }
}

/// The operator whose name ends so.
fn find(graph: &Graph, end: &str) -> usize {
    let found = graph.ops().iter().position(|op| op.name.ends_with(end));
    found.unwrap_or_else(|| panic!("an operator is called …{end}"))
}

fn names<'a>(graph: &'a Graph, tensors: &[u32]) -> Vec<&'a str> {
    let name = |t: &u32| graph.op(*t as usize).name.as_str();
    tensors.iter().map(name).collect()
}

#[test]
fn a_sigmoid_product_occurs_twice_in_efficientnet_and_a_hard_swish_once_in_mobilenet() {
    let efficient = model("efficientnet_b0").graph;
    let depthwise = find(&efficient, "/features.1.0/block/block.0/block.0.0/Conv");
    let stem = depthwise as u32 - 1;
    assert_eq!(efficient.ins(depthwise), [stem, stem]);
    let mobile = model("mobilenetv3").graph;
    assert_eq!(mobile.ins(1), [0]);
}

#[test]
fn a_squeeze_excite_product_reads_the_depthwise_and_the_last_squeeze_convolution() {
    let graph = model("mobilenetv3").graph;
    let project = find(&graph, "/features.1/block/block.2/block.2.0/Conv");
    let read = names(&graph, graph.ins(project));
    assert!(
        read[0].ends_with("block.1/fc2/Conv") && read[1].ends_with("block.0.0/Conv"),
        "{read:?}"
    );
    assert_eq!(read.len(), 2);
    let graph = model("efficientnet_b0").graph;
    let project = find(&graph, "/features.1.0/block/block.2/block.2.0/Conv");
    // The last squeeze convolution once, behind a sigmoid; the depthwise one twice.
    let read = names(&graph, graph.ins(project));
    assert!(
        read[0].ends_with("fc2/Conv") && read[1] == read[2] && read.len() == 3,
        "{read:?}"
    );
}

#[test]
fn behind_a_concatenation_every_branch_is_read() {
    let graph = model("googlenet").graph;
    let next = find(&graph, "/inception3b/branch1/conv/Conv");
    let read = names(&graph, graph.ins(next));
    let branches = [
        "branch1/conv",
        "branch2/branch2.1/conv",
        "branch3/branch3.1/conv",
        "branch4/branch4.1/conv",
    ];
    assert_eq!(read.len(), 4);
    for (name, branch) in read.iter().zip(branches) {
        assert!(
            name.contains("inception3a") && name.contains(branch),
            "{name}"
        );
    }
}

#[test]
fn the_fifty_layers_are_what_the_text_counts() {
    let graph = model("resnet50").graph;
    let of = |kind: &OperatorKind| graph.ops().iter().filter(|op| op.kind == *kind).count();
    assert_eq!(
        [
            of(&OperatorKind::Conv),
            of(&OperatorKind::Add),
            of(&OperatorKind::Pool),
            of(&OperatorKind::Gemm)
        ],
        [53, 16, 2, 0]
    );
    let kernel = |hin, k, s, p| Kernel { hin, k, s, p, d: 1 };
    assert_eq!(graph.op(0).kernel, kernel(224, 7, 2, 3));
    assert_eq!(graph.op(1).kernel, kernel(112, 3, 2, 1));
    let last = graph.op(70);
    // A global pooling reads every element once.
    assert_eq!(
        (last.kernel, last.flops),
        (kernel(7, 7, 1, 0), 2048.0 * 49.0)
    );
    assert_eq!(
        graph.op(0).flops,
        2.0 * (64 * 112 * 112) as f64 * (3 * 49) as f64
    );
    assert_eq!(graph.bytes(71), 3 * 224 * 224 * 4);
    // The classifier is no operator, so its pooling is the output.
    assert!(graph.is_output(70) && (0..70).all(|v| !graph.is_output(v)));
}

#[test]
fn tokens_count_eight_bytes() {
    for name in ["bert", "gpt2", "qwen2"] {
        let graph = model(name).graph;
        assert_eq!(
            (graph.inputs(), graph.bytes(graph.len())),
            (1, 128 * 8),
            "{name}"
        );
    }
}

/// The file without the shapes of tensors in between.
fn without_shapes(file: &[u8]) -> Vec<u8> {
    let varint = |at: usize| {
        let mut n = 0;
        for (i, byte) in file[at..].iter().enumerate() {
            n |= usize::from(byte & 127) << (7 * i);
            if *byte < 128 {
                return (n, at + i + 1);
            }
        }
        panic!("a number ends");
    };
    let fields = |mut at: usize, end: usize| {
        let mut found = Vec::new();
        while at < end {
            let (tag, behind) = varint(at);
            let (n, behind) = varint(behind);
            let inside = behind;
            let behind = if tag & 7 == 2 { behind + n } else { behind };
            found.push((tag >> 3, at, inside, behind));
            at = behind;
        }
        found
    };
    let graph = fields(0, file.len())
        .into_iter()
        .find(|(field, ..)| *field == 7);
    let (_, _, inside, end) = graph.expect("a model has a graph");
    let kept = fields(inside, end)
        .into_iter()
        .filter(|(field, ..)| *field != 13);
    let kept: Vec<u8> = kept
        .flat_map(|(_, from, _, to)| file[from..to].to_vec())
        .collect();
    super::written::bytes(7, &kept)
}

#[test]
fn models_without_their_shapes_come_out_the_same() {
    for (name, ..) in FIGURES {
        let bare = without_shapes(&file(name));
        let read = import(Cursor::new(bare), name, &Options::default());
        let read = read.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert!(read == model(name), "{name}");
    }
}
