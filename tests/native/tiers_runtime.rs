//! Tiers of machines that people own: one cost of a pass with cold start, and models by their blocks.

use crate::cases::cases;
use crate::cli::{edgewise, file};
use crate::instances::Draw;
use crate::token_costs::alone;
use engine::model::cost::{BlockCost, Experts};
use engine::scenario::import::{self, UserAnswers};
use engine::scenario::tiers::{Goal, Mode, Placed, Scenario, Tier, TierBlocks, TierModel, presets};
use engine::scenario::world::{Assumed, Owner, World};
use engine::scenario::{
    Any, BlockModel, BlockRun, Memory, Model, Question, Scenario as ColdStart, levers,
};
use planner::tiers::{plan, planned};
use presenters::tiers::sections::summary;
use serde_json::{Value, json};

/// The tiers that a world shows.
fn tiers_of(any: Any) -> Scenario {
    let view = World::of(&any).view(Question::Tiers).expect("tiers");
    match view.scenario {
        Any::Tiers(scenario) => *scenario,
        other => panic!("{:?}", other.question()),
    }
}

/// A mixture of experts whose first block is dense and which has a window in every third.
fn mixture() -> BlockModel {
    let block = |repeat: f64, window: Option<f64>, experts: bool| BlockRun {
        repeat,
        weight_bytes: if experts { 3.3e8 } else { 0.9e8 },
        token_flop: if experts { 1.1e8 } else { 1.8e8 },
        pair_flop: 16_384.0,
        window,
        kv_bytes: Some(2048.0),
        experts: experts.then_some(64.0),
        experts_used: experts.then_some(4.0),
        expert_bytes: experts.then_some(4.8e6),
        ..BlockRun::default()
    };
    BlockModel {
        name: "Made of blocks".into(),
        token_bytes: 4096.0,
        blocks: vec![
            block(1.0, None, false),
            block(5.0, Some(128.0), true),
            block(10.0, None, true),
        ],
    }
}

/// Gives the only machine so much memory [GB].
fn with_room(scenario: &mut ColdStart, memory: f64) {
    let device = &mut scenario.devices[0];
    device.m_gb = memory;
    device.ranges.remove("m_gb");
}

/// One machine has the same rates in both questions, for dense models and others; the output head is no part of a cold start's
/// prompt.
#[test]
fn tiers_and_cold_start_count_one_cost_of_a_pass() {
    for machine in [
        "RTX 4090",
        "Mac mini M4 16GB",
        "Ryzen 7 5800X",
        "Raspberry Pi 5 16GB",
    ] {
        for is_dense in [true, false] {
            let mut scenario = alone(machine, "Llama-3.2-3B", 700.0);
            scenario.memory = Some(Memory::USUAL);
            if !is_dense {
                scenario.model = Model::Blocks(mixture());
                scenario.memory = Some(Memory {
                    embedding_bytes: Some(1e8),
                    head_bytes: Some(1e8),
                    vocabulary: Some(24_414.0),
                    ..Memory::USUAL
                });
            }
            with_room(&mut scenario, 30.0);
            let path = file("tiers-and-cold.json", scenario.to_json());
            let of = |question: &str| {
                let ran = edgewise(
                    &["run", &path, "--question", question, "--format", "json"],
                    "",
                );
                assert_eq!(ran.code, 0, "{machine} {question}: {ran:?}");
                ran.json()["summary"].clone()
            };
            let (cold, tiers) = (of("cold-start"), of("tiers"));
            let ratio = |key: &str| {
                let number = |of: &Value| of[key].as_f64().expect(key);
                number(&tiers) / number(&cold)
            };
            let (decode, prefill) = (ratio("decode_tok_s"), ratio("prefill_tok_s"));
            assert!((0.999..1.001).contains(&decode), "{machine}: {decode}");
            assert!((0.7..1.001).contains(&prefill), "{machine}: {prefill}");
            assert_eq!(tiers["calibration"], cold["calibration"], "{machine}");
            assert!(!cold["calibration"].is_null(), "{machine}");
            let part = |of: &Value, key: &str| of["memory"][0][key].as_f64().expect("bytes");
            let off = |key: &str| part(&tiers, key) / part(&cold, key) - 1.0;
            // Tiers count the gains of norms.
            let weights = off("weights_b");
            assert!((0.0..1e-3).contains(&weights), "{machine}: {weights}");
            for key in ["embedding_head_b", "cache_b", "buffers_b"] {
                let off = off(key);
                assert!(off.abs() < 1e-9, "{machine}, {key}: {off}");
            }
        }
    }
}

/// Against all splits there are, each timed block by block.
#[test]
fn blocks_that_differ_are_split_exactly() {
    let mut draw = Draw::new(271);
    let mut split = 0;
    for round in 0..cases(150) {
        let runs = draw.below(3) + 1;
        let run = |draw: &mut Draw| {
            let has_experts = draw.one_in(2);
            BlockRun {
                repeat: (draw.below(3) + 1) as f64,
                weight_bytes: draw.between(1e8, 5e8),
                token_flop: draw.between(1e8, 1e9),
                pair_flop: draw.between(1e3, 1e5),
                window: draw.one_in(3).then_some(64.0),
                kv_bytes: Some(draw.between(0.0, 8192.0)),
                experts: has_experts.then_some(8.0),
                experts_used: has_experts.then_some(2.0),
                expert_bytes: has_experts.then_some(1e7),
                ..BlockRun::default()
            }
        };
        let body = BlockModel {
            name: "Drawn".into(),
            token_bytes: 4096.0,
            blocks: (0..runs).map(|_| run(&mut draw)).collect(),
        };
        let tier = |draw: &mut Draw, name: &str| Tier {
            name: name.into(),
            nodes: (draw.below(3) + 1) as f64,
            tops: draw.between(1.0, 100.0),
            bandwidth_gb_s: draw.between(10.0, 400.0),
            memory_gb: 64.0,
            usable_gb: draw.between(0.5, 4.0),
            power_w: 10.0,
            memory_share: Some(draw.between(0.3, 1.0)),
            layer_us: Some(draw.between(0.0, 3000.0)),
            prefill_tflops: draw.one_in(2).then_some(1.0),
            batch_us: Some(draw.between(0.0, 3000.0)),
            ..Tier::default()
        };
        let goals = Goal::ALL;
        let scenario = Scenario {
            model: TierModel::Blocks(TierBlocks::of(&body, 32_000.0, false)),
            tiers: (0..draw.below(2) + 2)
                .map(|at| tier(&mut draw, &format!("T{at}")))
                .collect(),
            goal: goals[draw.below(3)],
            cost: presets::RUNTIME,
            ..presets::paper()
        };
        let found = planned(&scenario).expect("a valid scenario").best;
        let blocks = scenario.blocks();
        let mut best: Option<f64> = None;
        for at in 1..blocks {
            for to in at..blocks {
                let counts = match scenario.tiers.len() {
                    2 if to == at => vec![at, blocks - at],
                    3 if to > at => vec![at, to - at, blocks - to],
                    _ => continue,
                };
                let placed = counts.iter().enumerate();
                let placed: Vec<Placed> = placed
                    .map(|(tier, blocks)| Placed {
                        tier,
                        blocks: *blocks,
                    })
                    .collect();
                let (value, fits) = by_hand(&scenario, &placed);
                let scored = plan(&scenario, &placed).expect("a plan");
                assert_eq!(scored.mem_ok, fits, "round {round}");
                assert!((scored.value / value - 1.0).abs() < 1e-9, "round {round}");
                if fits && best.is_none_or(|best| value < best) {
                    best = Some(value);
                }
            }
        }
        match (found, best) {
            (Some(found), Some(best)) => {
                split += 1;
                assert!((found.value / best - 1.0).abs() < 1e-9, "round {round}");
            }
            (None, None) => {}
            other => panic!("round {round}: {other:?}"),
        }
    }
    assert!(split > cases(150) / 4, "{split}");
}

/// The goal's value of a placement, added up block by block, and whether it fits.
fn by_hand(scenario: &Scenario, placed: &[Placed]) -> (f64, bool) {
    let request = scenario.request();
    let (mut slowest, mut sum, mut fits, mut first) = (0.0_f64, 0.0, true, 0);
    scenario.with_costs(|costs| {
        let all: Vec<&BlockCost> = costs
            .model
            .runs
            .iter()
            .flat_map(|(count, block)| std::iter::repeat_n(block, *count))
            .collect();
        for (at, placed) in placed.iter().enumerate() {
            let tier = &scenario.tiers[placed.tier];
            let own = &all[first..first + placed.blocks];
            first += placed.blocks;
            let mut load: f64 = own
                .iter()
                .map(|block| costs.block(&tier.node(), block).request(&request))
                .sum();
            // Weights, the cache of a request for 4096 tokens, and what a block puts out of the prompt, at two bytes a value.
            let kept = |block: &&BlockCost| block.cache * block.window.unwrap_or(4096.0);
            let mut need: f64 = own.iter().map(|block| block.weights + kept(block)).sum();
            need += 2.0 * costs.model.width * request.prompt;
            let [embedding, head] = costs.ends();
            if at == 0 {
                need += embedding;
            }
            if first == all.len() {
                load += request.generated * costs.head(&tier.node());
                // Logits and hidden values of 512 tokens, of 32 bits.
                need += head + 4.0 * 512.0 * (32_000.0 + costs.model.width);
            }
            fits &= need <= 1e9 * tier.usable_gb * (1.0 + 1e-12);
            let shared = if scenario.goal == Goal::Rate {
                tier.nodes
            } else {
                1.0
            };
            slowest = slowest.max(load / shared);
            sum += load;
        }
    });
    if scenario.goal != Goal::Request {
        return (slowest, fits);
    }
    let order: Vec<usize> = placed.iter().map(|placed| placed.tier).collect();
    let hops = order[..order.len() - 1]
        .iter()
        .map(|j| scenario.hop(*j).request(&request));
    let back = request.generated * scenario.return_delay(&order);
    (sum + hops.sum::<f64>() + back, fits)
}

#[test]
fn a_block_counts_its_window_and_the_experts_that_are_read() {
    let block = BlockCost {
        weights: 1000.0,
        experts: Some(Experts {
            count: 8.0,
            used: 2.0,
            bytes: 100.0,
        }),
        token_flop: 10.0,
        pair_flop: 4.0,
        window: Some(3.0),
        cache: 2.0,
    };
    // 1 + 2 + 3 + 3 + 3 pairs.
    assert_eq!(block.prefill(5.0), 50.0 + 4.0 * 12.0);
    assert_eq!(block.prefill(2.0), 20.0 + 4.0 * 3.0);
    assert_eq!((block.kept(2.0), block.kept(9.0)), (2.0, 3.0));
    assert_eq!(block.weights_read(1.0), 400.0);
    let scenario = Scenario {
        model: TierModel::Blocks(TierBlocks::of(&mixture(), 1000.0, false)),
        ..presets::paper()
    };
    let tier = &scenario.tiers[0];
    let [alone, dense] = [1..2, 0..1]
        .map(|blocks| scenario.with_costs(|costs| costs.batch(&tier.node(), &blocks, false).more));
    // A second token of a batch reads other experts: 4 of 64, but for those that the first one read.
    let rate = 0.6 * tier.bandwidth_gb_s * 1e9;
    let experts = 4.8e6 * 64.0 * (60.0 / 64.0 - (60.0_f64 / 64.0).powi(2));
    let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-9, "{found}");
    near(alone, (experts + 128.0 * 2048.0) / rate);
    near(dense, 128.0 * 2048.0 / rate);
}

#[test]
fn a_brought_mixture_of_experts_is_planned_over_tiers() {
    let config = r#"{"model_type": "qwen3_moe", "hidden_size": 2048, "moe_intermediate_size": 768, "num_hidden_layers": 48,
        "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8,
        "vocab_size": 151936, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "intermediate_size": 6144}"#;
    let mut scenario = alone("RTX 4090", "Llama-3.1-8B", 512.0);
    with_room(&mut scenario, 80.0);
    let (scenario, config) = (
        file("brought-to-tiers.json", scenario.to_json()),
        file("brought-experts.json", config),
    );
    let ran = edgewise(
        &[
            "run",
            &scenario,
            "--model",
            &config,
            "--question",
            "tiers",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        !ran.err.contains("Vocabulary"),
        "the file says it: {}",
        ran.err
    );
    let document = ran.json();
    assert_eq!(
        document["scenario"]["model"]["vocabulary"],
        json!(151_936.0)
    );
    // Some 3.3 billion weights of 2 bytes for a token, of 30.5 billion in memory.
    let rate = document["summary"]["decode_tok_s"]
        .as_f64()
        .expect("a rate");
    let floor = 0.917 * 1008e9 / 6.7e9;
    assert!((0.4 * floor..floor).contains(&rate), "{rate} of {floor}");
    let ran = edgewise(
        &["run", &scenario, "--model", &config, "--question", "tiers"],
        "",
    );
    assert!(
        ran.out.contains("mixture of experts, of which 3 runs"),
        "{}",
        ran.out
    );
    assert!(
        !ran.out.contains("in the median, and by more than"),
        "the class was fitted to dense models: {}",
        ran.out
    );
    assert!(
        !ran.out.contains("(weights"),
        "blocks have their own bytes: {}",
        ran.out
    );
}

/// What a file says besides its blocks is known to tiers as well, when a cold start brought it.
#[test]
fn tiers_know_what_a_cold_start_knows_of_a_file() {
    let mut scenario = alone("RTX 4090", "Llama-3.1-8B", 512.0);
    scenario.model = Model::Blocks(mixture());
    scenario.memory = Some(Memory {
        vocabulary: Some(50_257.0),
        embedding_bytes: Some(3e8),
        head_bytes: Some(4e8),
        ..Memory::USUAL
    });
    let world = World::of(&scenario.clone().into());
    let view = world.view(Question::Tiers).expect("tiers");
    let Any::Tiers(tiers) = &view.scenario else {
        panic!("not tiers")
    };
    assert_eq!(tiers.decoder().head_flop, 2.0 * 50_257.0 * 2048.0);
    assert_eq!(tiers.decoder().embedding, 3e8);
    assert_eq!(tiers.decoder().head, 4e8);
    let of_model = |one: &&Assumed| one.owner == Owner::Model;
    assert_eq!(view.assumed.iter().filter(of_model).count(), 0);
    let Any::ColdStart(cold) = world
        .view(Question::ColdStart)
        .expect("a cold start")
        .scenario
    else {
        panic!("not a cold start")
    };
    assert_eq!((cold.model, cold.memory), (scenario.model, scenario.memory));
}

/// Numbers that a form allows, however odd, give a plan or a reason.
#[test]
fn blocks_of_nothing_are_planned_or_refused() {
    for (weights, flop, width) in [
        (0.0, 0.0, 0.0),
        (0.0, 1e9, 0.0),
        (1e9, 0.0, 4096.0),
        (0.0, 0.0, 4096.0),
    ] {
        let mut body = mixture();
        body.token_bytes = width;
        body.blocks.truncate(1);
        (body.blocks[0].weight_bytes, body.blocks[0].token_flop) = (weights, flop);
        for profile in presets::PROFILES {
            let scenario = Scenario {
                model: TierModel::Blocks(TierBlocks::of(&body, 1000.0, false)),
                cost: profile.cost,
                ..presets::paper()
            };
            let Ok(found) =
                Scenario::from_json(&scenario.to_json()).and_then(|read| planned(&read))
            else {
                continue;
            };
            if let Some(plan) = found.plan {
                let all = [plan.request, plan.first_token, plan.per_token, plan.energy];
                assert!(
                    all.iter().all(|one| one.is_finite()),
                    "{}: {all:?}",
                    profile.name
                );
            }
        }
    }
}

/// A model of blocks is known to all questions, and comes back as it was.
#[test]
fn blocks_pass_from_question_to_question() {
    let scenario = Scenario {
        model: TierModel::Blocks(TierBlocks {
            head_bytes: Some(7e8),
            ..TierBlocks::of(&mixture(), 50_000.0, true)
        }),
        ..presets::paper()
    };
    let text = scenario.to_json();
    assert_eq!(Scenario::from_json(&text).expect("the same"), scenario);
    let world = World::of(&scenario.clone().into());
    assert_eq!(
        world.view(Question::Tiers).expect("tiers").scenario,
        scenario.into()
    );
    let Any::ColdStart(cold) = world
        .view(Question::ColdStart)
        .expect("a cold start")
        .scenario
    else {
        panic!("not a cold start")
    };
    assert_eq!(cold.model, Model::Blocks(mixture()));
}

#[test]
fn what_blocks_lack_or_have_too_much_is_named() {
    let scenario = Scenario {
        model: TierModel::Blocks(TierBlocks::of(&mixture(), 50_000.0, false)),
        ..presets::paper()
    };
    let whole: Value = serde_json::from_str(&scenario.to_json()).expect("JSON");
    let fault = |change: &dyn Fn(&mut Value)| {
        let mut changed = whole.clone();
        change(&mut changed["model"]);
        Scenario::from_json(&changed.to_string()).expect_err("a fault")
    };
    let paths = [
        fault(&|m| m["d_ff"] = json!(1.0)).path,
        fault(&|m| drop(m.as_object_mut().expect("an object").remove("token_bytes"))).path,
        fault(&|m| {
            drop(
                m["blocks"][1]
                    .as_object_mut()
                    .expect("a block")
                    .remove("kv_bytes"),
            )
        })
        .path,
        fault(&|m| m["blocks"][1]["experts_used"] = json!(65.0)).path,
        fault(&|m| m["head_bytes"] = json!(-1.0)).path,
        fault(&|m| drop(m.as_object_mut().expect("an object").remove("blocks"))).path,
    ];
    assert_eq!(
        paths,
        [
            "model.d_ff",
            "model.token_bytes",
            "model.blocks[1].kv_bytes",
            "model.blocks[1].experts_used",
            "model.head_bytes",
            "model.token_bytes",
        ]
    );
}

/// The papers' tiers have no terms and no words on them; machines from elsewhere have both.
#[test]
fn papers_keep_their_costs_and_machines_of_ones_own_have_runtimes() {
    for preset in presets::all() {
        let text = preset.scenario.to_json();
        assert!(
            !text.contains("layer_us") && !text.contains("runtime"),
            "{}",
            preset.name
        );
        let shown = tiers_of(preset.scenario.clone().into());
        assert_eq!(shown, preset.scenario, "{}", preset.name);
    }
    let mut scenario = alone("RTX 3060", "Llama-3.2-3B", 512.0);
    let shown = tiers_of(scenario.clone().into());
    assert_eq!(shown.cost.mode, Mode::Runtime);
    let answer = planned(&shown).expect("a plan");
    let words = format!("{:?}", summary(&shown, &answer));
    assert!(words.contains("not in the fit"), "{words}");
    // A machine that nothing like was measured of has wide terms and no figure of their error.
    scenario.devices[0].name = "A box".into();
    let shown = tiers_of(scenario.into());
    assert_eq!(shown.tiers[0].memory_share, Some(0.75));
    let words = format!("{:?}", summary(&shown, &planned(&shown).expect("a plan")));
    assert!(!words.contains("not in the fit"), "{words}");
}

/// What a runtime reaches on prompts follows the compute of a tier, whether it is typed or asked for as an improvement.
#[test]
fn rates_of_a_runtime_follow_an_edit_of_the_tops() {
    let mut world = World::of(&alone("RTX 3060", "Llama-3.2-3B", 512.0).into());
    let view = world.view(Question::Tiers).expect("tiers");
    let Any::Tiers(before) = &view.scenario else {
        panic!("not tiers")
    };
    let rates = |tiers: &Scenario| {
        [
            tiers.tiers[0].prefill_tflops,
            tiers.tiers[0].attention_tflops,
        ]
    };
    let near = |after: &Scenario, factor: f64| {
        for (now, then) in rates(after).into_iter().zip(rates(before)) {
            let ratio = now.expect("a rate") / then.expect("a rate");
            assert!((ratio / factor - 1.0).abs() < 0.01, "{ratio}, not {factor}");
        }
    };
    let changes = levers::changes(&world, &view);
    let is_tops =
        |one: &&levers::WorldChange| one.number.is_some_and(|(field, _)| field.key == "tops");
    let change = changes
        .iter()
        .find(is_tops)
        .expect("a tier can compute more");
    let Any::Tiers(improved) = change
        .applied(&world, &view, 25.0)
        .expect("a change")
        .view
        .scenario
    else {
        panic!("not tiers")
    };
    near(&improved, 1.25);
    let mut after = before.clone();
    after.tiers[0].tops *= 2.0;
    let seen = world
        .absorb(&view, &Any::Tiers(after), &view.rows)
        .expect("a view");
    let Any::Tiers(edited) = &seen.scenario else {
        panic!("not tiers")
    };
    near(edited, 2.0);
    assert_eq!(edited.tiers[0].layer_us, before.tiers[0].layer_us);
}

/// An encoder generates nothing.
#[test]
fn an_encoder_is_refused_for_tiers_with_its_reason() {
    let config = json!({"hidden_size": 768, "intermediate_size": 3072, "model_type": "bert", "num_attention_heads": 12,
        "num_hidden_layers": 12, "vocab_size": 30522, "type_vocab_size": 2, "max_position_embeddings": 512});
    let brought = import::config(&config.to_string(), "config.json", &UserAnswers::new());
    let fault = brought
        .expect("a model")
        .tier_model()
        .expect_err("an encoder");
    assert!(fault.message.contains("generates no tokens"), "{fault}");
}
