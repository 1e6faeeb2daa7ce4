//! GGUF files out of the ordinary: experts in tensors of their own, metadata that contradicts tensors, types by the ten
//! thousand.

use super::{answered, asked, fact, none};
use crate::gguf_files::{File, Meta, qwen3};
use engine::scenario::import::gguf::{describe, read};
use engine::scenario::import::{ImportedModel, UserAnswers};
use std::time::{Duration, Instant};

#[track_caller]
fn with(file: &File, answers: &UserAnswers) -> ImportedModel {
    let header = read(&file.bytes(), true).unwrap_or_else(|stop| panic!("{stop:?}"));
    describe(&[header], "odd.gguf", answers)
}

/// Mixtral-8x7B as its first files had it: every expert a tensor of its own, or all in one.
fn mixtral(is_joined: bool) -> File {
    let mut file = File::default()
        .with("general.architecture", Meta::Text("llama"))
        .with("llama.block_count", Meta::U32(32))
        .with("llama.embedding_length", Meta::U32(4096))
        .with("llama.feed_forward_length", Meta::U32(14336))
        .with("llama.attention.head_count", Meta::U32(32))
        .with("llama.attention.head_count_kv", Meta::U32(8))
        .with("llama.expert_count", Meta::U32(8))
        .with("llama.expert_used_count", Meta::U32(2));
    let (d, f, vocabulary) = (4096, 14336, 32000);
    file.tensor("token_embd.weight", &[d, vocabulary], 1);
    file.tensor("output.weight", &[d, vocabulary], 1);
    file.tensor("output_norm.weight", &[d], 0);
    for block in 0..32 {
        let mut put = |name: String, dims: &[u64], kind: u32| {
            file.tensor(format!("blk.{block}.{name}.weight"), dims, kind);
        };
        for (name, rows) in [
            ("attn_q", d),
            ("attn_k", 1024),
            ("attn_v", 1024),
            ("attn_output", d),
        ] {
            put(name.into(), &[d, rows], 1);
        }
        put("attn_norm".into(), &[d], 0);
        put("ffn_norm".into(), &[d], 0);
        put("ffn_gate_inp".into(), &[d, 8], 0);
        for (name, from, to) in [("gate", d, f), ("up", d, f), ("down", f, d)] {
            if is_joined {
                put(format!("ffn_{name}_exps"), &[from, to, 8], 1);
            } else {
                (0..8).for_each(|expert| put(format!("ffn_{name}.{expert}"), &[from, to], 1));
            }
        }
    }
    file
}

#[test]
fn experts_in_tensors_of_their_own_are_experts() {
    let single = with(&mixtral(false), &none());
    let joined = with(&mixtral(true), &none());
    assert_eq!(asked(&single), [""; 0]);
    assert_eq!(single.counts, joined.counts);
    let counts = single.counts.expect("nothing is missing");
    assert_eq!(counts.parameters, 46_702_792_704, "as published");
    // Attention, the router and two experts of every block.
    let block = 4096 * (2 * 4096 + 2 * 1024) + 8 * 4096 + 2 * 3 * 4096 * 14336;
    assert_eq!(counts.blocks[0].active, block);
    assert_eq!(32 * block, 12_617_515_008);
    let mut silent = mixtral(false);
    silent.meta.retain(|(key, _)| !key.contains("expert"));
    assert_eq!(asked(&with(&silent, &none())), ["experts"]);
    let mut few = mixtral(true);
    few = few.with("llama.expert_count", Meta::U32(4));
    assert_eq!(asked(&with(&few, &none())), ["experts"]);
}

#[test]
fn metadata_that_contradicts_the_tensors_is_asked_about() {
    let small = || qwen3([4, 256, 8, 2, 64, 512, 1000], |_, _| 12);
    assert_eq!(asked(&with(&small(), &none())), [""; 0]);
    for (key, wrong, right, field) in [
        ("embedding_length", 512, 256, "d_model"),
        ("attention.head_count", 16, 8, "h_q"),
        ("attention.head_count_kv", 8, 2, "h_k"),
        ("attention.value_length", 32, 64, "value_head"),
        ("feed_forward_length", 1024, 512, "d_ff"),
        ("block_count", 3, 4, "layers"),
        ("vocab_size", 1200, 1000, "vocabulary"),
    ] {
        let file = small().with(&format!("qwen3.{key}"), Meta::U32(wrong));
        let open = with(&file, &none());
        assert_eq!(asked(&open), [field], "{key}");
        let question = open.questions().next().expect("it is asked").1;
        assert!(question.contains("contradicts"), "{question}");
        assert!(open.model.is_none() && open.counts.is_none());
        let told = with(&file, &answered(field, f64::from(right)));
        assert_eq!(asked(&told), [""; 0], "{key}");
        let plain = with(&small(), &none());
        assert_eq!(told.counts, plain.counts, "{key}");
    }
    // Queries with a gate beside them, gate and up in one: twice the rows is no contradiction.
    let mut file = small();
    for (name, dims, _) in &mut file.tensors {
        if name.ends_with("attn_q.weight") || name.ends_with("ffn_up.weight") {
            dims[1] *= 2;
        }
    }
    assert_eq!(asked(&with(&file, &none())), [""; 0]);
    // All three in one matrix.
    let mut joint = small();
    joint
        .tensors
        .retain(|(name, ..)| !name.contains("attn_k.") && !name.contains("attn_v."));
    for (name, dims, _) in &mut joint.tensors {
        if name.ends_with("attn_q.weight") {
            *name = name.replace("attn_q", "attn_qkv");
            dims[1] = 8 * 64 + 2 * 2 * 64;
        }
    }
    assert_eq!(asked(&with(&joint, &none())), [""; 0]);
    let wrong = joint.with("qwen3.attention.head_count_kv", Meta::U32(8));
    assert_eq!(asked(&with(&wrong, &none())), ["h_k"]);
}

#[test]
fn forty_thousand_unknown_types_take_a_moment_and_not_the_square_of_it() {
    let mut file = qwen3([4, 256, 8, 2, 64, 512, 1000], |_, _| 12);
    for at in 0..40_000 {
        file.tensor(format!("odd.{at}"), &[32], 1000 + at);
    }
    let header = read(&file.bytes(), true).expect("the header is whole");
    let start = Instant::now();
    let open = describe(&[header], "", &none());
    // Linear work is some hundredths of a second even unoptimised; a comparison of all with all is minutes.
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(asked(&open).len(), 41, "forty types and the rest of them");
    let last = open.questions().last().expect("it is asked").1;
    assert!(last.contains("40000 types of tensors"), "{last}");
    assert!(fact(&open, "types").0.ends_with("more types"));
}
