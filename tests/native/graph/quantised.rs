//! Quantised graphs, lengths that a file leaves open, and inputs that are no numbers.

use super::written::{File, int, ints};
use engine::graph::onnx::{ImportedOnnx, Options, import};
use engine::problem::Invalid;
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

#[test]
fn quantised_operators_count_with_the_bits_that_they_store() {
    let scales = |file: File| {
        ["xs", "ws", "ys"]
            .into_iter()
            .fold(file, |file, name| file.weight(name, 1, &[]))
    };
    let zeros = |file: File| {
        ["xz", "wz", "yz"]
            .into_iter()
            .fold(file, |file, name| file.weight(name, 2, &[]))
    };
    let file = zeros(scales(File::default().input("x", 2, "1 3 32 32").weight(
        "w",
        3,
        &[8, 3, 3, 3],
    )))
    .node(
        "QLinearConv",
        "conv",
        "x xs xz w ws wz ys yz",
        "y",
        &[ints("pads", &[1, 1, 1, 1])],
    )
    .node(
        "QLinearMatMul",
        "product",
        "y ys yz m ws wz ys yz",
        "z",
        &[],
    )
    .weight("m", 3, &[32, 16])
    .open_output("z");
    let graph = read(&file).graph;
    let document = graph.document();
    assert_eq!(document.inputs, [3 * 32 * 32]);
    assert_eq!(
        (document.ops[0].out, document.ops[0].kind.as_str()),
        (8 * 32 * 32, "conv")
    );
    // The kernel, three scales in 32 bits and three zero points.
    assert_eq!(document.ops[0].w, 8 * 27 + 3 * 4 + 3);
    assert_eq!(
        (document.ops[1].out, document.ops[1].kind.as_str()),
        (8 * 32 * 16, "gemm")
    );
    let packed = File::default()
        .input("x", 1, "4 64")
        .weight("w", 2, &[128, 2, 16])
        .weight("s", 1, &[256])
        .node(
            "com.microsoft.MatMulNBits",
            "packed",
            "x w s",
            "y",
            &[int("K", 64), int("N", 128), int("bits", 4)],
        )
        .open_output("y");
    let document = read(&packed).graph.document();
    assert_eq!(document.ops[0].shape, [4, 128]);
    assert_eq!(document.ops[0].w, 128 * 2 * 16 + 256 * 4);
    assert_eq!(document.ops[0].flops, 2.0 * 4.0 * 128.0 * 64.0);
}

#[test]
fn pairs_of_quantise_and_dequantise_are_folded() {
    let parts = File::default()
        .input("x", 1, "1 3 32 32")
        .weight("s", 1, &[])
        .weight("z", 3, &[])
        .weight("w", 3, &[8, 3, 3, 3])
        .node("QuantizeLinear", "", "x s z", "xq", &[])
        .node("DequantizeLinear", "", "xq s z", "xd", &[])
        .node("DequantizeLinear", "", "w s z", "wd", &[])
        .node("Conv", "conv", "xd wd", "c", &[ints("pads", &[1, 1, 1, 1])])
        .node("Relu", "", "c", "r", &[])
        .node("QuantizeLinear", "", "r s z", "yq", &[]);
    let folded = parts
        .clone()
        .node("DequantizeLinear", "", "yq s z", "y", &[])
        .open_output("y");
    let found = read(&folded);
    let document = found.graph.document();
    assert_eq!(document.inputs, [3 * 32 * 32]);
    assert_eq!(
        (document.ops[0].out, document.ops[0].w),
        (8 * 32 * 32, 8 * 27)
    );
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.contains("They are folded")),
        "{:?}",
        found.notes
    );
    // An output of the graph is not quantised.
    let open = parts.open_output("r");
    assert_eq!(read(&open).graph.document().ops[0].out, 4 * 8 * 32 * 32);
}

#[test]
fn open_lengths_and_texts_are_said_in_words() {
    let file = image_of("batch 3 height width")
        .node("MaxPool", "p", "x", "y", &[ints("kernel_shape", &[1, 1])])
        .open_output("y");
    let notes = read(&file).notes.join("\n");
    assert!(notes.contains("count as 1: batch, height, width. Set them to what you run, such as batch=1, height=224, width=224"), "{notes}");
    let options = Options {
        dims: [("batch", 1), ("height", 8), ("width", 8)]
            .map(|(name, n)| (name.to_owned(), n))
            .into(),
        ..Options::default()
    };
    assert_eq!(with(&file, &options).expect("it is read").notes, [""; 0]);
    let text = File::default()
        .input("x", 8, "1")
        .node("Identity", "", "x", "y", &[])
        .open_output("y");
    assert!(
        refused(&text)
            .to_string()
            .contains("inputs of text are not supported"),
        "{}",
        refused(&text)
    );
    let strange = File::default()
        .input("x", 1, "1 4")
        .node("LSTM", "l", "x", "y", &[])
        .open_output("y");
    assert!(
        refused(&strange).to_string().contains("it has LSTM"),
        "{}",
        refused(&strange)
    );
}

fn image_of(lengths: &str) -> File {
    File::default().input("x", 1, lengths)
}
