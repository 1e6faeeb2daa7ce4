//! Files that are cut short, damaged, enormous or something else: a clear refusal, in bounded time and memory.

use super::onnx::file;
use super::written::{File, bytes, int, ints, number, text, varint};
use crate::cases::cases;
use engine::graph::onnx::{Options, import};
use engine::problem::{Code, Invalid};
use std::io::{Cursor, Read, Result, Seek, SeekFrom};

const MODELS: [&str; 12] = [
    "vgg13",
    "resnet50",
    "inceptionv3",
    "inceptionv3_224",
    "mobilenetv3",
    "squeezenet",
    "efficientnet_b0",
    "googlenet",
    "regnet",
    "gpt2",
    "bert",
    "qwen2",
];

fn fault(bytes: &[u8]) -> Invalid {
    import(Cursor::new(bytes), "hostile", &Options::default()).expect_err("the file is refused")
}

/// A generator of Lehmer: enough to choose bytes.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn a_file_cut_short_anywhere_is_refused_with_its_place() {
    for name in MODELS {
        let whole = file(name);
        let step = whole.len() / 60;
        for length in (0..40).chain((40..whole.len()).step_by(step)) {
            // The graph is one field, so whatever is cut from it shows, except behind its end.
            if let Err(fault) = import(Cursor::new(&whole[..length]), name, &Options::default()) {
                assert_eq!(fault.code, Code::Syntax, "{name} to byte {length}: {fault}");
                assert!(
                    fault.message.contains("cut short") || length == 0,
                    "{fault}"
                );
            } else {
                assert!(length + 32 > whole.len(), "{name} to byte {length}");
            }
        }
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let mut state = 3;
    let mut refused = 0;
    for name in MODELS {
        let whole = file(name);
        for _ in 0..cases(100) {
            let mut damaged = whole.clone();
            for _ in 0..=next(&mut state) % 4 {
                let at = next(&mut state) % damaged.len();
                damaged[at] = next(&mut state) as u8;
            }
            if let Err(fault) = import(Cursor::new(damaged), name, &Options::default()) {
                refused += 1;
                assert!(
                    !fault.message.is_empty() && fault.message.len() < 5000,
                    "{fault}"
                );
            }
        }
    }
    assert!(refused > 250, "{refused} of 1200 were refused");
}

#[test]
fn bytes_put_in_or_taken_out_never_panic() {
    let mut state = 7;
    for name in MODELS {
        let whole = file(name);
        for _ in 0..cases(100) {
            let mut damaged = whole.clone();
            let at = next(&mut state) % (damaged.len() - 8);
            match next(&mut state) % 3 {
                0 => drop(damaged.drain(at..at + next(&mut state) % 8)),
                1 => drop(damaged.splice(at..at, [255, 255, 255, 255, 255, 255, 255, 255, 127])),
                _ => damaged[at..at + 4].copy_from_slice(&[255; 4]),
            }
            let _ = import(Cursor::new(damaged), name, &Options::default());
        }
    }
}

#[test]
fn noise_is_refused() {
    let mut state = 11;
    for length in 0..2000 {
        let noise: Vec<u8> = (0..length).map(|_| next(&mut state) as u8).collect();
        fault(&noise);
    }
}

#[test]
fn files_of_another_kind_are_named() {
    let mut safetensors = 20u64.to_le_bytes().to_vec();
    safetensors.extend(b"{\"a\":1}               ");
    for (head, wanted) in [
        (&b""[..], "is empty"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"<!doctype html>", "web page"),
        (b"{\"ops\":[]}", "JSON"),
        (b"GGUF\x03", "GGUF"),
        (b"\x89HDF\r\n", "HDF5"),
        (b"\x1c\0\0\0TFL3", "TensorFlow Lite"),
        (b"\x1c\0\0\0ORTM", "ONNX Runtime"),
        (&safetensors, "safetensors"),
    ] {
        let fault = fault(head);
        assert_eq!(fault.code, Code::Syntax);
        assert!(fault.message.contains(wanted), "{fault}");
    }
    assert!(fault(&number(1, 8)).message.contains("no graph"));
    assert!(
        fault(&[number(1, 8), bytes(7, &[])].concat())
            .message
            .contains("no operator")
    );
}

#[test]
fn wrong_lengths_are_found_at_their_offset() {
    let mut huge = vec![8, 8, 7 << 3 | 2];
    huge.extend(varint(u64::MAX));
    let damage = fault(&huge);
    assert!(
        damage.message.contains("at byte 2") && damage.message.contains("0 are left"),
        "{damage}"
    );
    // A node that is longer than the graph that it is in.
    let graph = [vec![1 << 3 | 2], varint(100), vec![0; 5]].concat();
    let inside = fault(&[number(1, 8), bytes(7, &graph), vec![0; 200]].concat());
    assert!(
        inside
            .message
            .contains("a field of 100 bytes where 5 are left"),
        "{inside}"
    );
    let endless = fault(&[number(1, 8), vec![7 << 3], vec![255; 20]].concat());
    assert_eq!(endless.code, Code::Syntax);
}

#[test]
fn names_and_lists_have_an_end() {
    let long = "n".repeat(1001);
    let image = || File::default().input("x", 1, "1 3 4 4");
    let fault_of = |file: File| fault(&file.bytes());
    let named = fault_of(image().node("Relu", &long, "x", "y", &[]));
    assert_eq!((named.code, named.path.as_str()), (Code::Range, "nodes[0]"));
    assert!(named.message.contains("1000 characters"), "{named}");
    let axes = fault_of(File::default().input("x", 1, &"1 ".repeat(65)));
    assert!(axes.message.contains("64 axes"), "{axes}");
    let wide = "x ".repeat(10_001);
    assert!(
        fault_of(image().node("Concat", "c", &wide, "y", &[]))
            .message
            .contains("10000 operands")
    );
    let many = vec![int("axis", 1); 101];
    assert!(
        fault_of(image().node("Concat", "c", "x", "y", &many))
            .message
            .contains("100 attributes")
    );
}

#[test]
fn lists_of_sources_that_double_and_double_are_stopped() {
    let mut file = File::default().input("x", 1, "1 3 4 4");
    for i in 0..60 {
        let (from, to) = (
            if i == 0 {
                "x".to_owned()
            } else {
                format!("t{i}")
            },
            format!("t{}", i + 1),
        );
        file = file.node("Mul", "", &format!("{from} {from}"), &to, &[]);
    }
    let fault = fault(&file.node("GlobalMaxPool", "p", "t60", "y", &[]).bytes());
    assert_eq!(fault.code, Code::Range);
    assert!(fault.message.contains("repeat the sources"), "{fault}");
}

/// A file whose tensor `t{doublings}` lists its input 2^doublings times.
fn doubled(doublings: usize) -> File {
    let file = File::default().input("t0", 1, "1 3 4 4");
    (0..doublings).fold(file, |file, i| {
        file.node(
            "Mul",
            "",
            &format!("t{i} t{i}"),
            &format!("t{}", i + 1),
            &[],
        )
    })
}

#[test]
fn operators_that_copy_a_long_list_are_stopped_before_they_do() {
    // The list itself is one that a file of this size may have; a copy for each operator is not.
    let pools = |file: File, count: usize, from: &str| {
        (0..count).fold(file, |file, i| {
            file.node("GlobalMaxPool", "", from, &format!("p{i}"), &[])
        })
    };
    let few = pools(doubled(12), 2, "t12").open_output("p0");
    let read = import(Cursor::new(few.bytes()), "few", &Options::default()).expect("it is short");
    assert_eq!(read.graph.ins(1).len(), 1 << 12);
    for file in [
        pools(doubled(12), 400, "t12"),
        pools(doubled(15), 4000, "t15"),
    ] {
        let bytes = file.open_output("p0").bytes();
        let fault = fault(&bytes);
        assert_eq!(fault.code, Code::Range);
        assert!(
            fault.path.starts_with("nodes[") && fault.message.contains("repeat the sources"),
            "{} bytes: {fault}",
            bytes.len()
        );
    }
    // Outputs that share a list look at it once.
    let mut shared = pools(doubled(14), 1, "t14").open_output("p0");
    for i in 0..3000 {
        shared = shared
            .node("Identity", "", "t14", &format!("o{i}"), &[])
            .open_output(&format!("o{i}"));
    }
    import(Cursor::new(shared.bytes()), "shared", &Options::default()).expect("it is short");
}

#[test]
fn attributes_beyond_what_is_read_are_refused_and_never_left_out() {
    let image = || {
        File::default()
            .input("x", 1, "1 3 8 8")
            .weight("w", 1, &[4, 3, 3, 3])
    };
    let conv = |file: File, attributes: &[Vec<u8>]| {
        file.node("Conv", "c", "x w", "y", attributes)
            .open_output("y")
    };
    let strided = conv(image(), &[ints("strides", &[2, 2])]);
    let read = import(Cursor::new(strided.bytes()), "s", &Options::default()).expect("a graph");
    assert_eq!(read.graph.op(0).kernel.s, 2);
    // A million numbers before it: the stride is read, or the file refused.
    let mut filled = image();
    for i in 0..1025 {
        let long = ints("shape", &[1; 1024]);
        filled = filled.node("Mystery", "", "x", &format!("m{i}"), &[long]);
    }
    let full = fault(&conv(filled, &[ints("strides", &[2, 2])]).bytes());
    assert!(
        full.message.contains("1048576 numbers of all attributes"),
        "{full}"
    );
    let long = fault(&conv(image(), &[ints("strides", &[2; 1025])]).bytes());
    assert_eq!(long.path, "nodes[0]");
    assert!(long.message.contains("1024 numbers in strides"), "{long}");
    let wordy = fault(&conv(image(), &[text("auto_pad", &"S".repeat(41))]).bytes());
    assert!(wordy.message.contains("40 bytes in auto_pad"), "{wordy}");
    let strange = conv(image(), &[text("auto_pad", "SAME")]).shape("y", "1 4 8 8");
    let strange = fault(&strange.bytes());
    assert!(
        strange
            .message
            .contains("auto_pad \"SAME\": NOTSET, SAME_UPPER"),
        "{strange}"
    );
}

#[test]
fn small_constants_and_open_lengths_have_a_sum() {
    let list: Vec<i64> = (0..1024).collect();
    let mut file = File::default().input("x", 1, "1 3 4 4").list("t0", &list);
    for i in 0..8000 {
        file = file.node("Add", "", &format!("t{i} t0"), &format!("t{}", i + 1), &[]);
    }
    let constants = fault(&file.bytes());
    assert!(constants.message.contains("small constants"), "{constants}");
    let mut file =
        File::default()
            .input("x", 1, "1 3 4 4")
            .node("GlobalMaxPool", "", "x", "y", &[]);
    let open = "? ".repeat(60);
    for i in 0..200 {
        file = file
            .node("Mystery", "", "x", &format!("t{i}"), &[])
            .shape(&format!("t{i}"), &open);
    }
    let lengths = fault(&file.bytes());
    assert!(
        lengths.message.contains("more than 10000 lengths open"),
        "{lengths}"
    );
}

#[test]
fn a_hundred_thousand_transparent_nodes_are_read_and_too_many_are_not() {
    let whole = |nodes: usize| {
        let file = File::default().input("x", 1, "1 3 4 4");
        let mut file = file
            .node("GlobalMaxPool", "p", "x", "y", &[])
            .open_output("y");
        for i in 0..nodes {
            let from = if i == 0 {
                "x".to_owned()
            } else {
                format!("t{i}")
            };
            file = file.node("Relu", "", &from, &format!("t{}", i + 1), &[]);
        }
        file.bytes()
    };
    let read = import(Cursor::new(whole(100_000)), "long", &Options::default())
        .expect("it is not too long");
    assert_eq!((read.nodes, read.graph.len()), (100_001, 1));
    let fault = fault(&whole(200_000));
    assert_eq!(fault.code, Code::Range);
    assert!(fault.message.contains("200000 nodes"), "{fault}");
}

/// A file of pieces, some of which are only as long as they say and hold zeros.
struct Sparse {
    pieces: Vec<(Vec<u8>, u64)>,
    at: u64,
    read: u64,
}

impl Sparse {
    fn length(&self) -> u64 {
        self.pieces
            .iter()
            .map(|(bytes, hole)| bytes.len() as u64 + hole)
            .sum()
    }
}

impl Read for &mut Sparse {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let mut from = 0;
        for (bytes, hole) in &self.pieces {
            let (solid, end) = (from + bytes.len() as u64, from + bytes.len() as u64 + hole);
            if self.at < solid {
                let rest = &bytes[(self.at - from) as usize..];
                let n = rest.len().min(into.len());
                into[..n].copy_from_slice(&rest[..n]);
                self.at += n as u64;
                self.read += n as u64;
                return Ok(n);
            }
            if self.at < end {
                let n = (end - self.at).min(into.len() as u64);
                into[..n as usize].fill(0);
                self.at += n;
                self.read += n;
                return Ok(n as usize);
            }
            from = end;
        }
        Ok(0)
    }
}

impl Seek for &mut Sparse {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let length = self.length();
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => length.checked_add_signed(by).expect("a place in the file"),
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("a place in the file"),
        };
        Ok(self.at)
    }
}

#[test]
fn weights_of_gigabytes_are_sought_over() {
    const WEIGHTS: u64 = 50;
    const HOLE: u64 = 100 << 20;
    let mut graph = File::default().input("x", 1, "1 3 4 4");
    graph = graph
        .weight("w", 1, &[8, 3, 1, 1])
        .node("Conv", "c", "x w", "y", &[])
        .open_output("y");
    let mut pieces = vec![(graph.parts().to_vec(), 0)];
    for i in 0..WEIGHTS {
        let head = [
            number(1, HOLE as i64 / 4),
            number(2, 1),
            bytes(8, format!("big{i}").as_bytes()),
        ]
        .concat();
        let raw = [varint(9 << 3 | 2), varint(HOLE)].concat();
        let length = head.len() as u64 + raw.len() as u64 + HOLE;
        pieces.push((
            [varint(5 << 3 | 2), varint(length), head, raw].concat(),
            HOLE,
        ));
    }
    let inside: u64 = pieces
        .iter()
        .map(|(bytes, hole)| bytes.len() as u64 + hole)
        .sum();
    pieces.insert(
        0,
        (
            [number(1, 8), varint(7 << 3 | 2), varint(inside)].concat(),
            0,
        ),
    );
    let mut source = Sparse {
        pieces,
        at: 0,
        read: 0,
    };
    assert!(source.length() > 4 << 30);
    let read = import(&mut source, "large", &Options::default()).expect("the graph is small");
    assert_eq!((read.graph.len(), read.graph.op(0).w), (1, 96));
    assert!(
        source.read < (WEIGHTS + 4) * 64 * 1024,
        "{} bytes were read",
        source.read
    );
}
