//! A model that was brought, in a scenario: it is planned, it changes with the prompt, and it stays what it is in files,
//! links and the own catalogue.

use super::none;
use engine::scenario::catalogue::CatalogueRow;
use engine::scenario::catalogue::OwnRows;
use engine::scenario::{Any, BlockModel, BlockRun, Model, Scenario, import, link, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};

fn experts() -> Model {
    let text = serde_json::json!({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144,
        "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
        "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, "vocab_size": 151_936, "torch_dtype": "bfloat16",
        "tie_word_embeddings": false, "mlp_only_layers": [0]});
    let brought = import::config(&text.to_string(), "Qwen3-30B.json", &none());
    brought
        .expect("it is whole")
        .planned()
        .expect("nothing is missing")
}

fn scenario() -> Scenario {
    let mut scenario = presets::paper();
    scenario.model = experts();
    for device in &mut scenario.devices {
        device.m_gb *= 4.0;
    }
    scenario
}

#[test]
fn all_experts_fill_the_memory_and_a_few_take_the_time() {
    let scenario = scenario();
    let problem = scenario.problem().expect("it is valid");
    assert_eq!(problem.layers().len(), 48);
    let weights: f64 = problem
        .layers()
        .iter()
        .map(|layer| layer.weights.get())
        .sum();
    assert!((weights / 59.2e9 - 1.0).abs() < 0.02, "{weights}");
    let limits = Limits::default();
    let found = answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    );
    assert!(found.T.is_some());
    let twice = scenario
        .problem_at(2.0 * scenario.prompt_tokens)
        .expect("it is valid");
    assert!(twice.layers()[1].work.get() > 2.0 * problem.layers()[1].work.get());
    assert!(
        scenario.model.hint().contains("48 layers of"),
        "{}",
        scenario.model.hint()
    );
    assert!(!scenario.model.is_table(), "its work follows the prompt");
}

#[test]
fn files_links_and_rows_keep_it_to_the_bit() {
    let scenario = scenario();
    let text = scenario.to_json();
    assert_eq!(Scenario::from_json(&text), Ok(scenario.clone()));
    assert_eq!(
        link::decode(&link::of(&scenario)),
        Ok(Any::from(scenario.clone()))
    );
    let own = OwnRows {
        rows: vec![CatalogueRow::of_model(&scenario.model, "brought")],
        broken: Vec::new(),
    };
    let read = OwnRows::read(&own.to_json());
    assert_eq!(read, own);
    assert_eq!(read.rows[0].model(), Some(scenario.model));
}

#[test]
fn a_block_out_of_range_is_named() {
    let whole = scenario().to_json();
    for (from, to, path) in [
        ("\"repeat\":47.0", "\"repeat\":0", "model.blocks[1].repeat"),
        ("\"repeat\":47.0", "\"repeat\":1000", "model.blocks"),
        ("\"window\":null", "\"window\":0", "model.blocks[0].window"),
        (
            "\"token_bytes\":4096.0",
            "\"token_bytes\":-1",
            "model.token_bytes",
        ),
        ("\"token_bytes\":4096.0,", "", "model.token_bytes"),
        (
            "\"pair_flop\":",
            "\"pear_flop\":",
            "model.blocks[0].pear_flop",
        ),
        ("\"blocks\":[", "\"layers\":3,\"blocks\":[", "model.layers"),
        ("\"blocks\":[", "\"d_ff\":3,\"blocks\":[", "model.d_ff"),
    ] {
        assert!(whole.contains(from), "{from} in {whole}");
        let broken = whole.replacen(from, to, 1);
        let fault = Scenario::from_json(&broken).expect_err(path);
        assert_eq!(fault.path, path, "{fault}");
    }
    let mut none = scenario();
    none.model = Model::Blocks(BlockModel {
        name: "None".into(),
        token_bytes: 1.0,
        blocks: Vec::<BlockRun>::new(),
    });
    assert_eq!(none.validate().expect_err("no blocks").path, "model.blocks");
}
