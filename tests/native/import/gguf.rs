//! GGUF headers: true bytes of every block, files cut anywhere, counts that claim the moon.

use super::{answered, asked, fact, none};
use crate::cases::cases;
use crate::gguf_files::{File, Meta, qwen3};
use engine::model::ggml;
use engine::model::precision::Precision;
use engine::scenario::Model;
use engine::scenario::import::gguf::header::{HeaderEnd, LARGEST};
use engine::scenario::import::gguf::{describe, read};
use engine::scenario::import::{ImportedModel, Origin};
use engine::scenario::tiers::TierModel;
use engine::sim::Draw;

const QWEN3_8B: [u32; 7] = [36, 4096, 32, 8, 128, 12288, 151_936];
const SMALL: [u32; 7] = [4, 256, 8, 2, 64, 512, 1000];

#[track_caller]
fn brought(file: &File) -> ImportedModel {
    let header = read(&file.bytes(), true).unwrap_or_else(|stop| panic!("{stop:?}"));
    describe(&[header], "folder/small.gguf", &none())
}

fn is_broken(stop: &HeaderEnd) -> bool {
    matches!(stop, HeaderEnd::Broken(_))
}

#[test]
fn a_file_in_16_bits_has_the_parameters_of_its_config() {
    let brought = brought(&qwen3(QWEN3_8B, |_, _| 30));
    let counts = brought.counts.as_ref().expect("nothing is missing");
    assert_eq!(counts.parameters, 8_190_735_360);
    assert_eq!(counts.blocks.len(), 1);
    assert_eq!(counts.blocks[0].parameters, 192_946_432);
    assert_eq!(counts.kv_token_bytes, 147_456.0);
    // Gains have 32 bits in GGUF files.
    assert_eq!(
        counts.blocks[0].weight_bytes,
        2.0 * 192_937_984.0 + 4.0 * 8448.0
    );
    let Ok(Model::Blocks(model)) = brought.planned() else {
        panic!("a file has blocks");
    };
    assert_eq!(model.name, "Made Qwen3");
    assert_eq!(model.token_bytes, 8192.0);
    let entry = engine::model::catalog::find("Qwen3-8B").expect("a published row");
    let (work, activation, _) = entry.dims.block(512.0);
    let layer = model.layers_at(512.0)[7];
    assert_eq!((layer.work, layer.activation), (work, activation));
    let Ok(TierModel::Blocks(tiers)) = brought.tier_model() else {
        panic!("a file has blocks for tiers as well");
    };
    assert_eq!((tiers.body(), tiers.vocabulary), (model, 151_936.0));
    assert!(!tiers.tied_embeddings);
}

#[test]
fn the_kind_of_a_file_is_known_to_all_questions() {
    let of = |kind: Option<u32>| {
        let file = qwen3(SMALL, |_, _| 12);
        let file = match kind {
            Some(kind) => file.with("general.file_type", Meta::U32(kind)),
            None => file,
        };
        brought(&file)
    };
    let mixed = of(Some(15));
    let storage = mixed.storage().expect("the file says it");
    assert_eq!(storage.precision, Precision::Q4KM);
    assert_eq!(
        storage.origin,
        engine::scenario::world::FactOrigin::File("folder/small.gguf".into())
    );
    for (kind, precision) in [
        (0, Precision::Fp32),
        (7, Precision::Q8_0),
        (18, Precision::Q6K),
        (32, Precision::Bf16),
    ] {
        assert_eq!(of(Some(kind)).weights, Some(precision), "{kind}");
    }
    // Kinds without a row, and files that do not say it.
    assert_eq!(of(Some(31)).weights, None);
    assert_eq!(of(None).storage(), None);
}

#[test]
fn blocks_of_a_mixed_file_have_their_own_bytes() {
    // Down projections in 6 bits in every other block, as mixed files have them; all else in 4 bits.
    let file = qwen3(SMALL, |block, name| match name {
        "ffn_down" if block % 2 == 0 => 14,
        _ => 12,
    });
    let brought = brought(&file);
    let counts = brought.counts.as_ref().expect("nothing is missing");
    let attention = 256 * (2 * 512 + 2 * 128);
    let (q4, q6) = (|n: u64| n / 256 * 144, |n: u64| n / 256 * 210);
    let gains = 4 * (2 * 256 + 2 * 64);
    let light = q4(attention) + 3 * q4(256 * 512) + gains;
    let heavy = q4(attention) + 2 * q4(256 * 512) + q6(256 * 512) + gains;
    let sizes: Vec<f64> = counts
        .blocks
        .iter()
        .map(|block| block.weight_bytes)
        .collect();
    assert_eq!(sizes, [heavy, light, heavy, light].map(|n| n as f64));
    assert!(
        brought
            .notes
            .iter()
            .any(|note| note.contains("Blocks are not equal"))
    );
    assert_eq!(counts.outside_bytes, (2 * q4(256 * 1000) + 4 * 256) as f64);
    assert_eq!(
        fact(&brought, "types").0,
        "F32 \u{d7} 17, Q4_K \u{d7} 28, Q6_K \u{d7} 2"
    );
}

#[test]
fn every_type_has_its_size() {
    // Bits of a weight, scales included, as the project's own tables print them.
    for (kind, bits) in [
        (0, 32.0),
        (1, 16.0),
        (2, 4.5),
        (3, 5.0),
        (6, 5.5),
        (7, 6.0),
        (8, 8.5),
        (9, 9.0),
        (10, 2.625),
        (11, 3.4375),
        (12, 4.5),
        (13, 5.5),
        (14, 6.5625),
        (15, 9.125),
        (16, 2.0625),
        (17, 2.3125),
        (18, 3.0625),
        (19, 1.5625),
        (20, 4.5),
        (21, 3.4375),
        (22, 2.5625),
        (23, 4.25),
        (24, 8.0),
        (25, 16.0),
        (26, 32.0),
        (27, 64.0),
        (28, 64.0),
        (29, 1.75),
        (30, 16.0),
        (34, 1.6875),
        (35, 2.0625),
        (39, 4.25),
    ] {
        let bytes = ggml::bytes(kind, 2560).expect("it is known");
        assert_eq!(bytes as f64 * 8.0 / 2560.0, bits, "{}", ggml::name(kind));
    }
    assert_eq!(ggml::bytes(99, 1), None);
    assert_eq!(ggml::bytes(8, u64::MAX), None);
}

#[test]
fn experts_windows_and_lists_by_block_are_read() {
    let mut file = qwen3(SMALL, |_, _| 12)
        .with("general.architecture", Meta::Text("gpt-oss"))
        .with("gpt-oss.block_count", Meta::U32(4))
        .with("gpt-oss.embedding_length", Meta::U32(256))
        .with("gpt-oss.attention.head_count", Meta::U32(8))
        .with(
            "gpt-oss.attention.head_count_kv",
            Meta::List(vec![2, 4, 2, 0]),
        )
        .with("gpt-oss.attention.key_length", Meta::U32(64))
        .with("gpt-oss.attention.sliding_window", Meta::U32(128))
        .with("gpt-oss.expert_count", Meta::U32(32))
        .with("gpt-oss.expert_used_count", Meta::U32(4));
    for (block, heads) in [2, 4, 2, 0].into_iter().enumerate() {
        let name = format!("blk.{block}.ffn_down_exps.weight");
        file.tensor(name, &[512, 256, 32], 39);
        for name in ["attn_k", "attn_v"] {
            let name = format!("blk.{block}.{name}.weight");
            let matrix = file.tensors.iter_mut().find(|tensor| tensor.0 == name);
            matrix.expect("it was made").1[1] = 64 * heads;
        }
    }
    let brought = brought(&file);
    assert_eq!(asked(&brought), [""; 0]);
    let blocks = brought
        .counts
        .as_ref()
        .expect("nothing is missing")
        .blocks
        .clone();
    let kept: Vec<f64> = blocks.iter().map(|block| block.kv_token_bytes).collect();
    assert_eq!(kept, [512.0, 1024.0, 512.0, 0.0]);
    let windows: Vec<Option<u64>> = blocks.iter().map(|block| block.window).collect();
    assert_eq!(windows, [Some(128), None, Some(128), None]);
    let dense = 256 * (2 * 512 + 2 * 128) + 3 * 256 * 512;
    assert_eq!(blocks[0].active, dense + 4 * 512 * 256);
    assert_eq!(
        blocks[0].parameters,
        dense + 32 * 512 * 256 + 2 * 256 + 2 * 64
    );
    assert_eq!(fact(&brought, "h_k").0, "0 to 4, by block");
    assert!(
        brought
            .notes
            .iter()
            .any(|note| note.contains("1 of 4 blocks have no attention"))
    );
    let wrong = file.with("gpt-oss.attention.head_count_kv", Meta::List(vec![2, 4]));
    let wrong = read(&wrong.bytes(), true).expect("the header is whole");
    let wrong = describe(&[wrong], "", &none());
    assert_eq!(asked(&wrong), ["h_k"]);
}

#[test]
fn an_unknown_type_is_named_and_asked_for() {
    let file = qwen3(SMALL, |_, name| if name == "ffn_up" { 99 } else { 12 });
    let header = read(&file.bytes(), true).expect("the header is whole");
    let open = describe(std::slice::from_ref(&header), "", &none());
    assert_eq!(asked(&open), ["bits_of_type_99"]);
    let question = open.questions().next().expect("it is asked").1;
    assert!(
        question.contains("blk.0.ffn_up.weight (4 in all)"),
        "{question}"
    );
    assert_eq!(
        fact(&open, "d_model").0,
        "256",
        "what was understood is shown"
    );
    assert!(open.model.is_none());
    let told = describe(&[header], "", &answered("bits_of_type_99", 4.5));
    let plain = brought(&qwen3(SMALL, |_, _| 12));
    assert_eq!(
        told.counts.expect("all is known").block_bytes,
        plain.counts.expect("all is known").block_bytes
    );
}

#[test]
fn parts_of_a_split_file_are_asked_for_and_put_together() {
    let whole = qwen3(SMALL, |_, _| 12);
    let half = whole.tensors.len() / 2;
    let part = |no: u16, from: usize, to: usize| {
        let mut file = File {
            meta: if no == 0 {
                whole.meta.clone()
            } else {
                Vec::new()
            },
            tensors: whole.tensors[from..to].to_vec(),
        };
        file = file
            .with("split.no", Meta::U16(no))
            .with("split.count", Meta::U16(2));
        read(&file.bytes(), true).expect("the header is whole")
    };
    let parts = [part(1, half, whole.tensors.len()), part(0, 0, half)];
    let first = describe(&parts[1..], "", &none());
    assert_eq!(asked(&first), ["blocks"]);
    let question = first.questions().next().expect("it is asked").1;
    assert!(
        question.contains("part 1 of 2") && question.contains("Add part 2"),
        "{question}"
    );
    let second = describe(&parts[..1], "", &none());
    assert!(asked(&second).contains(&"blocks"));
    let both = describe(&parts, "", &none());
    let plain = brought(&whole);
    assert_eq!(both.counts, plain.counts);
    let mut hole = whole.clone();
    hole.tensors
        .retain(|tensor| !tensor.0.starts_with("blk.2."));
    let hole = brought(&hole);
    assert_eq!(asked(&hole), ["blocks"]);
}

#[test]
fn every_prefix_asks_for_more_and_with_that_many_gets_further() {
    let bytes = qwen3(SMALL, |_, _| 12).bytes();
    let whole = read(&bytes, true).expect("the header is whole");
    for length in 0..bytes.len() {
        match read(&bytes[..length], false) {
            Err(HeaderEnd::More(needed)) => {
                assert!(
                    needed > length as u64 && needed <= bytes.len() as u64,
                    "{length}: {needed}"
                );
            }
            other => panic!("{length} bytes: {other:?}"),
        }
        let cut = read(&bytes[..length], true).expect_err("a file cut short is broken");
        assert!(matches!(&cut, HeaderEnd::Broken(why) if why.message.contains("cut short")));
    }
    // Weights behind the header change nothing.
    let longer = [bytes, vec![0xff; 1000]].concat();
    assert_eq!(read(&longer, false), Ok(whole));
}

#[test]
fn thousands_of_changed_bytes_are_read_or_refused() {
    let bytes = qwen3(SMALL, |_, _| 12).bytes();
    let mut draw = Draw::new(7, 0);
    let mut read_well = 0;
    for _ in 0..cases(20_000) {
        let mut changed = bytes.clone();
        for _ in 0..=draw.integer_below(3) {
            let at = draw.integer_below(changed.len());
            changed[at] ^= 1 << draw.integer_below(8);
        }
        if let Ok(header) = read(&changed, true) {
            let brought = describe(&[header], "changed.gguf", &none());
            assert_eq!(
                brought.model.is_some(),
                brought.questions().next().is_none()
            );
            if let Some(model) = brought.model {
                let mut scenario = engine::scenario::presets::paper();
                scenario.model = model;
                assert_eq!(scenario.validate(), Ok(()));
                read_well += 1;
            }
        }
    }
    assert!(
        read_well > 1000,
        "{read_well} of the changed files could be used"
    );
}

#[test]
fn counts_that_no_header_can_hold_are_refused_at_once() {
    let head = |tensors: u64, keys: u64| {
        let mut out = b"GGUF".to_vec();
        out.extend(3_u32.to_le_bytes());
        out.extend(tensors.to_le_bytes());
        out.extend(keys.to_le_bytes());
        out
    };
    for claim in [1 << 60, u64::MAX, 1 << 40] {
        assert!(is_broken(
            &read(&head(claim, 0), false).expect_err("many tensors")
        ));
        assert!(is_broken(
            &read(&head(0, claim), false).expect_err("many keys")
        ));
        // A key, a text, a list of numbers, of texts and of lists, as long.
        let mut key = head(0, 1);
        key.extend(claim.to_le_bytes());
        assert!(is_broken(&read(&key, false).expect_err("a long key")));
        for kind in [8_u32, 0, 4, 6, 10, 12, 9] {
            let mut list = head(0, 1);
            list.extend(1_u64.to_le_bytes());
            list.push(b'k');
            if kind == 8 {
                let mut text = list.clone();
                text.extend(8_u32.to_le_bytes());
                text.extend(claim.to_le_bytes());
                assert!(is_broken(&read(&text, false).expect_err("a long text")));
            }
            list.extend(9_u32.to_le_bytes());
            list.extend(kind.to_le_bytes());
            list.extend(claim.to_le_bytes());
            assert!(is_broken(&read(&list, false).expect_err("a long list")));
        }
    }
    // What a header could hold, but these bytes do not, is no fault.
    assert!(matches!(read(&head(1000, 1000), false), Err(HeaderEnd::More(n)) if n < LARGEST));
    let mut axes = head(1, 0);
    axes.extend(1_u64.to_le_bytes());
    axes.push(b't');
    axes.extend(u32::MAX.to_le_bytes());
    assert!(is_broken(&read(&axes, false).expect_err("many axes")));
    let mut deep = head(0, 1);
    deep.extend(1_u64.to_le_bytes());
    deep.push(b'k');
    for _ in 0..cases(100) {
        deep.extend(9_u32.to_le_bytes());
        deep.extend(1_u64.to_le_bytes());
    }
    assert!(is_broken(&read(&deep, false).expect_err("lists in lists")));
}

#[test]
fn a_file_that_is_no_gguf_file_is_identified_by_its_content() {
    for (bytes, part) in [
        (b"PK\x03\x04 and more".to_vec(), "does not begin with GGUF"),
        (b"GGUF\x01\0\0\0 and more".to_vec(), "version 1"),
        (b"GGUF\0\0\0\x03 and more".to_vec(), "big-endian"),
        (b"GGUF\x09\0\0\0 and more".to_vec(), "version 9"),
        (b"GG".to_vec(), "cut short"),
    ] {
        match read(&bytes, true) {
            Err(HeaderEnd::Broken(why)) => assert!(why.message.contains(part), "{why}"),
            other => panic!("{part}: {other:?}"),
        }
    }
    let bare = brought(&File::default());
    assert!(asked(&bare).contains(&"layers"), "{:?}", bare.facts);
    assert_eq!(bare.name, "small");
    let lone = File::default().with("general.architecture", Meta::Text("clip"));
    assert!(brought(&lone).model.is_none());
    assert!(matches!(fact(&bare, "architecture").1, Origin::Assumed(_)));
}
