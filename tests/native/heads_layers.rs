//! Head placement of layers as models have them: heads that share keys and values, experts, windows, any feed-forward.

use crate::cli::{edgewise, file};
use crate::instances::Draw;
use crate::token_costs::alone;
use engine::hardware::calibration::OF_EXPERTS;
use engine::model::precision::Precision;
use engine::problem::head_sizes::{Delay, GroupedLayer, HeadLayer, Input};
use engine::problem::heads::{HeadPlacement, Interval, LinkRates};
use engine::scenario::link;
use engine::scenario::world::World;
use engine::scenario::{Any, BlockModel, BlockRun, Model, Question, Scenario, heads};
use engine::units::tokens_a_second;
use methods::heads::{brute, exact::HeadSolver};
use std::sync::Arc;

/// gpt-oss-20b as its file has it: half of the blocks have a window, experts are stored in 4 bits.
fn mixture() -> Model {
    let [d, heads, keys, width, experts, used] = [2880.0, 64.0, 8.0, 64.0, 32.0, 4.0];
    let attention = 2.0 * d * width * (heads + keys);
    let one = 3.0 * d * d;
    let block = |window| BlockRun {
        repeat: 1.0,
        weight_bytes: 2.0 * (attention + d * experts) + experts * one * 0.53125,
        token_flop: 2.0 * (attention + d * experts + used * one),
        pair_flop: 4.0 * heads * width,
        window,
        kv_bytes: Some(4.0 * keys * width),
        experts: Some(experts),
        experts_used: Some(used),
        expert_bytes: Some(one * 0.53125),
        h_q: Some(heads),
        h_k: Some(keys),
        d_head: Some(width),
        attention_bytes: Some(2.0 * attention),
    };
    Model::Blocks(BlockModel {
        name: "gpt-oss-20b".to_owned(),
        token_bytes: 2.0 * d,
        blocks: (0..24)
            .map(|at| block((at % 2 == 0).then_some(128.0)))
            .collect(),
    })
}

/// One machine with a model, which generates 32 tokens after 100.
fn with_model(machine: &str, model: Option<Model>) -> Scenario {
    let mut scenario = alone(machine, "Llama-3.1-8B", 100.0);
    if let Some(model) = model {
        scenario.model = model;
    }
    scenario.memory = None;
    if let Some(decode) = &mut scenario.decode {
        decode.answer_tokens = 32.0;
    }
    scenario
}

/// The layer of a world, as head placement sees it.
fn layer(world: &World) -> heads::Scenario {
    let view = world.view(Question::HeadPlacement).expect("a view");
    match view.scenario {
        Any::HeadPlacement(scenario) => *scenario,
        other => panic!("{:?}", other.question()),
    }
}

/// The answer of `run --format json` to a world.
fn answer(name: &str, world: &World, question: &str) -> serde_json::Value {
    let path = file(name, world.to_json());
    let ran = edgewise(
        &["run", &path, "--question", question, "--format", "json"],
        "",
    );
    ran.json()
}

#[test]
fn one_machine_generates_as_fast_as_in_a_cold_start() {
    for machine in [
        "RTX 4090",
        "Mac mini M4 16GB",
        "Ryzen 7 5800X",
        "Raspberry Pi 5 16GB",
    ] {
        let mut scenario = with_model(machine, None);
        // A model without a vocabulary has no output head, as in head placement.
        scenario.model.rename("A model".to_owned());
        let world = World::of(&scenario.into());
        let placed = answer("layers-heads.json", &world, "head-placement");
        let started = answer("layers-cold.json", &world, "cold-start");
        let stages = started["decode"]["stages"].as_array().expect("stages");
        let token = stages[0]["time"].as_f64().expect("the time of a token");
        let rate = placed["summary"]["decode_tok_s"].as_f64().expect("a rate");
        assert!(
            (rate * token - 1.0).abs() < 0.01,
            "{machine}: {rate} and {token} s"
        );
        let memory = &placed["summary"]["memory"][0];
        let weights = |answer: &serde_json::Value| answer["weights_b"].as_f64().expect("bytes");
        let all = weights(&started["summary"]["memory"][0]);
        assert!(
            (weights(memory) / all - 1.0).abs() < 1e-6,
            "{memory}, not {all}"
        );
        assert_eq!(
            memory["cache_b"].as_f64(),
            Some(132.0 * 32.0 * 4096.0),
            "{machine}"
        );
    }
}

#[test]
fn blocks_add_up_to_the_layer_of_the_model() {
    let world = World::of(&with_model("RTX 4090", None).into());
    let scenario = layer(&world);
    let model = &scenario.model;
    assert_eq!(
        (
            model.heads,
            model.h_k,
            model.d_head,
            model.d_ff,
            model.layers
        ),
        (32.0, Some(8.0), Some(128.0), Some(14336.0), Some(32.0))
    );
    let sizes = scenario.layer().expect("a layer").sizes(10);
    let values = 2.0 * 4096.0 * 128.0 * 40.0 + 3.0 * 4096.0 * 14336.0;
    let context = 110.0;
    // Two multiplications for each pair of tokens, head by head.
    let wanted = values + 2.0 * context * 32.0 * 128.0;
    assert!((sizes.all_operations(8) / wanted - 1.0).abs() < 1e-12);
    let dims = engine::model::catalog::find("Llama-3.1-8B")
        .expect("a row")
        .dims;
    let weights = Precision::Q4KM.block_bytes(&dims);
    let cache = context * 2.0 * 8.0 * 128.0 * 2.0;
    let buffers = context * 2.0 * (4096.0 + 14336.0);
    let wanted = weights + cache + buffers;
    assert!((sizes.all_memory(8) / wanted - 1.0).abs() < 1e-12);
    assert_eq!(sizes.w_hp, 4.0 * 128.0 * 2.0, "the query heads of a group");
}

#[test]
fn a_mixture_of_experts_keeps_all_and_computes_what_a_token_uses() {
    let world = World::of(&with_model("RTX 4090", Some(mixture())).into());
    let scenario = layer(&world);
    let run = scenario.model.block.expect("a block of the file");
    assert_eq!(
        run.window, None,
        "of as many kinds the one with the larger cache"
    );
    let sizes = scenario.layer().expect("a layer").sizes(0);
    let Model::Blocks(body) = mixture() else {
        unreachable!("it is made of blocks")
    };
    let block = body.blocks[1];
    let kept = 100.0 * 4.0 * 8.0 * 64.0;
    let inner = (0.5 * block.token_flop - 2.0 * 2880.0 * 64.0 * 72.0) / (3.0 * 2880.0);
    let wanted = block.weight_bytes + kept + 200.0 * (2880.0 + inner);
    assert!((sizes.all_memory(8) / wanted - 1.0).abs() < 1e-12);
    let wanted = 0.5 * (block.token_flop + 100.0 * block.pair_flop);
    assert!((sizes.all_operations(8) / wanted - 1.0).abs() < 1e-12);
    // What is seen is what a file of this question says.
    let again = World::of(&Any::from(layer(&world)));
    assert_eq!(layer(&again), scenario);
    let Some(Model::Blocks(model)) = &again.model.body else {
        panic!("a model by blocks")
    };
    assert_eq!(model.count(), 24);
}

#[test]
fn a_window_bounds_the_cache_of_a_layer() {
    let Model::Blocks(mut body) = mixture() else {
        unreachable!("it is made of blocks")
    };
    body.blocks.truncate(1);
    let mut scenario = layer(&World::of(
        &with_model("RTX 4090", Some(Model::Blocks(body))).into(),
    ));
    scenario.prompt_tokens = 1.0;
    let layer = scenario.layer().expect("a layer");
    let cache = |n: u32| layer.memory_parts(n).expect("parts")[0].cache;
    assert_eq!(
        cache(500),
        128.0 * 4.0 * 64.0,
        "128 tokens of a head of 64 values"
    );
    assert_eq!(cache(9), 10.0 * 4.0 * 64.0);
    assert_eq!(layer.sizes(500).b_head, layer.sizes(900).b_head);
}

#[test]
fn placements_of_grouped_layers_are_the_best_of_all() {
    let mut solver = HeadSolver::new();
    let (mut plans, mut none) = (0, 0);
    for seed in 0..crate::cases::cases(400) {
        let mut draw = Draw::new(90_000 + seed);
        let (devices, groups) = (draw.whole(2, 3), draw.whole(1, 4) as u32);
        let layer = GroupedLayer {
            groups,
            queries: draw.whole(1, 4) as f64,
            width: 16.0,
            head_width: draw.whole(2, 8) as f64,
            attention_bytes: draw.between(100.0, 900.0),
            ffn_bytes: draw.between(100.0, 3000.0),
            ffn_operations: draw.between(100.0, 900.0),
            kv_bytes: draw.between(8.0, 64.0),
            window: (draw.whole(0, 1) == 1).then_some(6.0),
            value_bytes: 2.0,
        };
        let layer = HeadLayer::grouped(layer, 4, (Delay::Full, Input::Embed)).expect("a layer");
        let mut rates = vec![vec![0.0; devices]; devices];
        for rate in rates.iter_mut().flatten() {
            *rate = draw.between(1.0, 40.0);
        }
        let links = Arc::new(LinkRates::new(&rates).expect("links"));
        let prev = (draw.whole(0, 1) == 1).then(|| {
            (0..groups + 2)
                .map(|_| draw.whole(0, devices - 1))
                .collect()
        });
        let interval = Interval {
            n: 5,
            n_prev: 4,
            tokens: 1.0,
            controller: 0,
            memory: (0..devices).map(|_| draw.between(300.0, 4000.0)).collect(),
            compute: (0..devices).map(|_| draw.between(5.0, 90.0)).collect(),
            prev,
            t_tok: None,
        };
        let problem = HeadPlacement::new(layer, links, interval).expect("a problem");
        match (solver.solve(&problem), brute::best(&problem)) {
            (Some(found), Some((_, best))) => {
                assert!((found.value / best - 1.0).abs() < 1e-9, "seed {seed}");
                plans += 1;
            }
            (None, None) => none += 1,
            (found, best) => panic!("seed {seed}: {found:?} and {best:?}"),
        }
    }
    assert!(plans > 100 && none > 50, "{plans} {none}");
}

#[test]
fn how_far_predictions_were_off_is_part_of_the_summary() {
    let of = |world: &World, question: &str| {
        let found = answer("layers-calibration.json", world, question);
        found["summary"]["calibration"].clone()
    };
    let world = World::of(&with_model("RTX 4090", None).into());
    let started = of(&world, "cold-start");
    assert!(started["rows"].as_f64() > Some(80.0), "{started}");
    for question in ["head-placement", "dispatch"] {
        assert_eq!(of(&world, question), started, "{question}");
    }
    // A rate that was measured is no prediction.
    let mut measured = world.clone();
    let run = measured.measured_here(100.0, "stopwatch".into());
    measured.measure(0, &run).expect("a rate that can be");
    for question in ["cold-start", "head-placement", "dispatch"] {
        assert!(of(&measured, question).is_null(), "{question}");
    }
    // No class says anything of mixtures of experts.
    let mixed = World::of(&with_model("RTX 4090", Some(mixture())).into());
    for question in ["cold-start", "head-placement", "dispatch"] {
        let found = of(&mixed, question);
        assert_eq!(found["rows"].as_f64(), Some(3.0), "{question}: {found}");
        assert_eq!(found["median_error"].as_f64(), Some(0.47), "{question}");
    }
}

/// `run --model` of head placement with a config.json; the machine generates with another model before.
fn with_config(config: &str) -> crate::cli::Ran {
    let world = World::of(&with_model("RTX 4090", None).into());
    let path = file("layers-of-file.json", world.to_json());
    let model = file("layers-config.json", config);
    let args = [
        "run",
        &path,
        "--question",
        "head-placement",
        "--model",
        &model,
        "--format",
        "json",
    ];
    edgewise(&args, "")
}

#[test]
fn a_model_file_brings_its_own_layer_and_rate() {
    let grouped = r#"{"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 5120, "intermediate_size": 25600,
        "num_hidden_layers": 64, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16", "max_position_embeddings": 40960}"#;
    let ran = with_config(grouped);
    let answer = ran.json();
    let model = &answer["scenario"]["model"];
    assert_eq!(model["h_k"].as_f64(), Some(8.0), "{}", ran.err);
    assert_eq!(
        model["d_head"].as_f64(),
        Some(128.0),
        "wider than the hidden size divided by the heads"
    );
    assert!(ran.err.contains("of a token of Qwen3-32B"), "{}", ran.err);
    assert!(!ran.err.contains("Llama"), "{}", ran.err);

    let latent = r#"{"architectures": ["DeepseekV2ForCausalLM"], "model_type": "deepseek_v2", "hidden_size": 2048,
        "intermediate_size": 10944, "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16,
        "kv_lora_rank": 512, "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "n_routed_experts": 64, "num_experts_per_tok": 6, "n_shared_experts": 2, "moe_intermediate_size": 1408,
        "first_k_dense_replace": 1, "moe_layer_freq": 1, "vocab_size": 102400, "tie_word_embeddings": false,
        "torch_dtype": "bfloat16", "max_position_embeddings": 163840}"#;
    let ran = with_config(latent);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("latent vector"), "{}", ran.err);
}

/// A link holds what it assumed, and rates of a model go with it.
#[test]
fn rates_that_a_link_holds_follow_another_model() {
    let mut world = World::of(&with_model("RTX 4090", None).into());
    world.question = Question::HeadPlacement;
    let mut world = link::open(&link::encode(&world)).expect("a link");
    let view = world.view(Question::HeadPlacement).expect("a view");
    let before = layer(&world).devices[0].compute_gops;
    let mut after = layer(&world);
    after.model = heads::HeadModel {
        block: None,
        name: "Another".to_owned(),
        d_ff: Some(3072.0),
        weights: None,
        ..after.model
    };
    world
        .absorb(&view, &after.into(), &view.rows)
        .expect("a view");
    let now = layer(&world).devices[0].compute_gops;
    assert!(now < 0.5 * before, "{now}, {before} in four bits");
}

#[test]
fn a_range_of_a_mixture_of_experts_is_that_of_such_runs() {
    let world = World::of(&with_model("RTX 4090", Some(mixture())).into());
    let rate = answer("layers-range.json", &world, "cold-start")["summary"]["decode_tok_s"].clone();
    let rate = rate.as_f64().expect("a rate");
    let path = file("layers-range-words.json", world.to_json());
    let said = edgewise(&["run", &path, "--format", "md"], "").out;
    let [low, high] = OF_EXPERTS.range.map(|end| tokens_a_second(end * rate));
    assert!(said.contains(&format!("here {low} to {high}")), "{said}");
    assert!(!said.contains("Rates predicted for"), "{said}");
}

#[test]
fn what_a_layer_may_not_be_is_said() {
    let scenario = layer(&World::of(&with_model("RTX 4090", Some(mixture())).into()));
    type Change = fn(&mut heads::Scenario);
    let cases: [(Change, &str); 6] = [
        (|s| s.model.h_k = Some(7.0), "model.h_k"),
        (|s| s.model.d_head = None, "model.d_head"),
        (|s| s.model.d_ff = Some(100.0), "model.d_ff"),
        (|s| s.model.heads = 32.0, "model.block.h_q"),
        (|s| s.demands = heads::presets::TABLE_1, "demands"),
        (
            |s| {
                if let Some(run) = &mut s.model.block {
                    run.token_flop = 1000.0;
                }
            },
            "model.block.token_flop",
        ),
    ];
    for (change, path) in cases {
        let mut changed = scenario.clone();
        change(&mut changed);
        let fault = changed.validate().expect_err(path);
        assert_eq!(fault.path, path, "{fault}");
        let text = changed.to_json();
        assert_eq!(
            heads::Scenario::from_json(&text).expect_err(path).path,
            path
        );
    }
    // Table I knows none of it, so a question that counts by it takes the paper's layer and says what it leaves out.
    let mut world = World::of(&Any::from(heads::presets::paper()));
    world.replace(&with_model("RTX 4090", Some(mixture())).into(), 0);
    let view = world.view(Question::HeadPlacement).expect("a view");
    let replaced: Vec<&str> = view.replaced.iter().map(|one| one.key).collect();
    assert!(
        replaced.contains(&"h_k") && replaced.contains(&"d_ff"),
        "{replaced:?}"
    );
}
