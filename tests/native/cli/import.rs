//! `model` and `run --model`: what people bring, on the command line.

use super::{edgewise, file};
use crate::gguf_files::{File, Meta, qwen3};
use engine::scenario::world::FactOrigin;
use engine::scenario::{heads, link, presets, tiers};
use serde_json::json;

const QWEN: &str = include_str!("../../data/configs/qwen3-8b.json");

#[test]
fn a_config_is_shown_field_by_field() {
    let path = file("bring-qwen3-8b.json", QWEN);
    let ran = edgewise(&["model", &path], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for part in [
        "read from hidden_size",
        "read from head_dim",
        "8\u{202f}190\u{202f}735\u{202f}360",
        "192\u{202f}946\u{202f}432",
        "147\u{202f}456\u{202f}B",
    ] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    let document = edgewise(&["model", &path, "--format", "json"], "").answer();
    assert_eq!(document["counts"]["parameters"], json!(8_190_735_360_u64));
    assert_eq!(document["counts"]["kv_token_bytes"], json!(147_456.0));
    assert_eq!(document["questions"], json!([]));
    let head = json!({"field": "d_head", "label": "Head width", "value": 128, "origin": "read", "from": "head_dim"});
    assert!(
        document["facts"]
            .as_array()
            .expect("a list")
            .contains(&head)
    );
    assert_eq!(document["model"]["d_head"], json!(128.0));
}

#[test]
fn missing_numbers_of_a_file_are_asked_for_and_can_be_answered() {
    let path = file(
        "bring-open.json",
        QWEN.replace("\"hidden_size\": 4096,", ""),
    );
    let ran = edgewise(&["model", &path], "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.complaint().contains("d_model") && ran.complaint().contains("--set"),
        "{ran:?}"
    );
    assert!(
        ran.out.contains("read from num_hidden_layers"),
        "what was understood is shown"
    );
    let told = edgewise(&["model", &path, "--set", "d_model=4096"], "");
    assert_eq!((told.code, told.err.as_str()), (0, ""), "{told:?}");
    assert!(told.out.contains("your answer"));
    for (arguments, part) in [
        (&["model"][..], "FILE"),
        (&["model", "no-such-file.json"], "cannot be read"),
        (
            &["model", &path, "--set", "d_model"],
            "must have the form FIELD=VALUE",
        ),
        (&["model", &path, &path], "parts of one GGUF file"),
        (&["run", "nothing", "--set", "a=1"], "nothing"),
    ] {
        let ran = edgewise(arguments, "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn a_gguf_file_is_read_by_its_header_whole_or_in_parts() {
    let whole = qwen3([4, 256, 8, 2, 64, 512, 1000], |_, _| 12);
    // A header longer than the first piece that is read.
    let long = whole
        .clone()
        .with("tokenizer.ggml.merges", Meta::Words(150_000));
    let path = file("bring-long.gguf", long.bytes());
    let ran = edgewise(&["model", &path, "--format", "json"], "");
    let document = ran.answer();
    assert_eq!(document["kind"], "gguf");
    assert_eq!(document["model"]["blocks"][0]["repeat"], json!(4.0));
    let half = whole.tensors.len() / 2;
    let part = |no: u16| {
        let (from, to) = if no == 0 {
            (0, half)
        } else {
            (half, whole.tensors.len())
        };
        let part = File {
            meta: if no == 0 {
                whole.meta.clone()
            } else {
                Vec::new()
            },
            tensors: whole.tensors[from..to].to_vec(),
        };
        let part = part
            .with("split.no", Meta::U16(no))
            .with("split.count", Meta::U16(2));
        file(&format!("bring-{no}-of-2.gguf"), part.bytes())
    };
    let (first, second) = (part(0), part(1));
    let alone = edgewise(&["model", &first], "");
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("part 1 of 2"), "{alone:?}");
    let both = edgewise(&["model", &first, &second, "--format", "json"], "").answer();
    assert_eq!(both["counts"], document["counts"]);
    let bytes = long.bytes();
    let cut = file("bring-cut.gguf", &bytes[..bytes.len() / 2]);
    let ran = edgewise(&["model", &cut], "");
    assert_eq!(ran.code, 2);
    assert!(ran.complaint().contains("cut short"), "{ran:?}");
}

#[test]
fn a_model_takes_the_place_of_the_scenarios() {
    let config = file("bring-for-run.json", QWEN);
    let paper = file("bring-paper.json", presets::paper().to_json());
    let ran = edgewise(&["run", &paper, "--model", &config, "--format", "json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let document = ran.json();
    assert_eq!(document["scenario"]["model"]["d_model"], json!(4096.0));
    assert_eq!(document["scenario"]["model"]["layers"], json!(36.0));
    assert!(
        ran.err.contains("Keys and values count as 16 bits each"),
        "{ran:?}"
    );
    // The link at the end knows which file its numbers are from.
    let ran = edgewise(&["run", &paper, "--model", &config], "");
    let fragment = ran.out.trim_end().rsplit('#').next().unwrap_or_default();
    let world = link::open(&format!("#{fragment}")).expect("a link");
    let from = FactOrigin::File("bring-for-run.json".to_owned());
    assert_eq!(world.model.facts["d_ff"].origin, from);
    let blocks = qwen3([40, 4096, 32, 8, 128, 12288, 151_936], |_, _| 12);
    let blocks = file("bring-for-run.gguf", blocks.bytes());
    let ran = edgewise(&["run", &paper, "--model", &blocks, "--format", "json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        ran.json()["scenario"]["model"]["blocks"][0]["repeat"],
        json!(40.0)
    );
    let preset = &tiers::presets::all()[0];
    let over = file("bring-tiers.json", preset.scenario.to_json());
    let ran = edgewise(&["run", &over, "--model", &config, "--format", "json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let document = ran.json();
    assert_eq!(
        document["scenario"]["model"]["vocabulary"],
        json!(151_936.0)
    );
    assert_eq!(document["scenario"]["cost"]["weights"], json!("bf16"));
    let experts = QWEN.replace(
        "\"head_dim\"",
        "\"num_experts\": 8, \"num_experts_per_tok\": 2, \"head_dim\"",
    );
    let experts = file("bring-experts.json", experts);
    let ran = edgewise(&["run", &over, "--model", &experts, "--format", "json"], "");
    assert_eq!(ran.code, 3, "90 GB do not fit");
    assert_eq!(
        ran.json()["scenario"]["model"]["blocks"][0]["experts"],
        json!(8.0)
    );
    let heads = file("bring-heads.json", heads::presets::physical().to_json());
    let ran = edgewise(
        &["run", &heads, "--model", &experts, "--format", "json"],
        "",
    );
    let layer = ran.json()["scenario"]["model"].clone();
    assert_eq!(layer["block"]["experts"], json!(8.0));
    assert_eq!(layer["h_k"], json!(8.0));
}
