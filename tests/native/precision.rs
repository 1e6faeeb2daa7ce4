//! How weights and the cache are stored is known once: every question counts it as it must, against sums written out here.

use crate::cli::edgewise;
use engine::model::Transformer;
use engine::model::precision::{Precision, Stored};
use engine::problem::head_sizes::Memory as Counts;
use engine::scenario::world::{FactOrigin, QuestionView, Storage, World};
use engine::scenario::{Any, Decode, Dimensions, Memory, Model, Question, Scenario, presets};
use engine::scenario::{heads, link, tiers};

/// 4.8944 bits, the mean over a file of llama.cpp.
const Q4_K_M: f64 = 4.8944 / 8.0;
/// Most matrices of such a file, and its output head.
const Q4_K: f64 = 144.0 / 256.0;
const Q6_K: f64 = 210.0 / 256.0;
/// A block of 32 numbers in 34 bytes.
const Q8_0: f64 = 34.0 / 32.0;

fn near(found: f64, expected: f64) {
    let apart = (found - expected).abs();
    assert!(apart <= 1e-12 * expected.abs(), "{found}, not {expected}");
}

/// A block of such a file [B], where half of the blocks have more bits for the values and the last matrix of the feed-forward.
fn block_in_q4_k_m(model: &Transformer) -> f64 {
    let (_, _, in_16_bits) = model.block(1.0);
    let more = model.d_model * (model.h_k * model.d_head + model.d_ff);
    in_16_bits / 2.0 * Q4_K + more * (Q6_K - Q4_K) / 2.0
}

fn dims(scenario: &mut Scenario) -> &mut Dimensions {
    scenario.model.dimensions_mut().expect("dimensions")
}

/// The paper's scenario with tokens after the first and memory as it runs, in these precisions.
fn cold(weights: Option<Precision>, cache: Option<Precision>) -> Scenario {
    let mut scenario = presets::paper();
    scenario.decode = Some(Decode::USUAL);
    scenario.memory = Some(Memory::USUAL);
    for (at, device) in scenario.devices.iter_mut().enumerate() {
        device.bandwidth_gb_s = Some(100.0 + at as f64);
        device.m_gb = 64.0;
    }
    (dims(&mut scenario).weights, dims(&mut scenario).cache) = (weights, cache);
    scenario
}

#[test]
fn cold_start_counts_weights_and_cache_as_they_are_stored() {
    let plain = cold(None, None).problem().expect("a problem");
    let packed = cold(Some(Precision::Q4KM), Some(Precision::Q8_0));
    let problem = packed.problem().expect("a problem");
    let model = packed.model.dimensions().expect("dimensions").transformer();
    let parameters = 2.0 * model.d_model * model.d_head * (model.h_q + model.h_k)
        + 3.0 * model.d_model * model.d_ff;
    let of_token = 2.0 * model.h_k * model.d_head;
    let context = 4096.0;
    let end = 151_936.0 * model.d_model;
    for (at, (layer, before)) in problem.layers().iter().zip(plain.layers()).enumerate() {
        near(layer.weights.get(), block_in_q4_k_m(&model));
        near(before.weights.get(), parameters * 2.0);
        // What crosses a link and what is computed stay as they are.
        assert_eq!(layer.activation, before.activation);
        assert_eq!(layer.work, before.work);
        let held = |block: f64, [embedding, head]: [f64; 2], kept: f64| {
            let ends = match at {
                0 => end * embedding,
                39 => end * head + 4.0 * 512.0 * (151_936.0 + model.d_model),
                _ => 0.0,
            };
            block + context * of_token * kept + ends
        };
        let packed = held(block_in_q4_k_m(&model), [Q4_K, Q6_K], Q8_0);
        near(layer.resident.get(), packed);
        let wide = held(parameters * 2.0, [2.0, 2.0], 2.0);
        near(before.resident.get(), wide);
    }
    let token = |problem: &engine::problem::ColdStart| {
        let terms = problem.decode().expect("tokens");
        terms.layers()[0]
    };
    near(token(&problem).kv.get(), of_token * Q8_0);
    near(token(&plain).kv.get(), of_token * 2.0);
    assert_eq!(token(&problem).work, token(&plain).work);
    // Weights alone leave the cache alone.
    let weights = cold(Some(Precision::Q4KM), None).problem();
    assert_eq!(token(&weights.expect("a problem")).kv, token(&plain).kv);
    // Two bytes that somebody gave are the two bytes of nobody.
    let given = cold(Some(Precision::Bf16), Some(Precision::Fp16)).problem();
    assert_eq!(given.expect("a problem").layers(), plain.layers());
    assert!(
        packed.model.hint().ends_with("in q4_K_M"),
        "{}",
        packed.model.hint()
    );
}

#[test]
fn tiers_count_weights_and_cache_as_they_are_stored() {
    let plain = tiers::presets::paper();
    let mut packed = plain.clone();
    packed.cost.weights = Precision::Q4KM;
    let dims = plain.model.dimensions().expect("a dense model");
    let decoder = dims.decoder();
    let (block, norms) = (decoder.block_weights(), 4.0 * dims.d_model);
    let need = |s: &tiers::Scenario| {
        let problem = s.partition_over(&[0, 1, 2], s.goal).expect("a problem");
        problem.need()[1]
    };
    near(need(&plain), (2.0 * block + norms) / 1e9);
    let in_q4_k_m = block_in_q4_k_m(&decoder.dims);
    near(need(&packed), (in_q4_k_m + norms) / 1e9);
    let node = plain.tiers[0].node();
    let passes = |s: &tiers::Scenario| {
        s.with_costs(|costs| {
            let (_, first) = &costs.model.runs[0];
            (
                costs.block(&node, first),
                costs.batch(&node, &(0..1), false),
            )
        })
    };
    let rate = 0.6 * node.bandwidth_gb_s * 1e9;
    let context = plain.prompt_tokens + plain.out_tokens / 2.0;
    let kept = context * 2.0 * dims.h_k * dims.d_head;
    let check = |s: &tiers::Scenario, weights: f64, value: f64| {
        let (block_time, batch) = passes(s);
        near(block_time.decode, (weights + norms + kept * value) / rate);
        near(batch.more, kept * value / rate);
    };
    check(&plain, 2.0 * block, 2.0);
    check(&packed, in_q4_k_m, 2.0);
    packed.cost.cache = Some(Precision::Q8_0);
    check(&packed, in_q4_k_m, Q8_0);
}

#[test]
fn heads_count_weights_and_cache_where_memory_is_physical() {
    let mut scenario = heads::presets::physical();
    assert_eq!(scenario.demands.memory, Counts::Physical);
    let (wide, count) = (scenario.model.width, scenario.model.heads);
    let own = wide / count;
    let value = scenario.model.value_bytes;
    let long = scenario.prompt_tokens + 7.0;
    let check = |scenario: &heads::Scenario, weight: f64, kept: f64| {
        let sizes = scenario.layer().expect("a layer").sizes(7);
        near(
            sizes.m_head,
            2.0 * long * own * kept + 3.0 * wide * own * weight,
        );
        near(sizes.m_proj, wide * wide * weight + long * wide * value);
        near(
            sizes.m_ffn,
            8.0 * wide * wide * weight + 4.0 * long * wide * value,
        );
        near(sizes.w_hp, own * value);
    };
    check(&scenario, value, value);
    scenario.model.weights = Some(Precision::Q4KM);
    check(&scenario, Q4_K_M, value);
    scenario.model.cache = Some(Precision::Q8_0);
    check(&scenario, Q4_K_M, Q8_0);
    // Table I has one number of bytes.
    scenario.demands.memory = Counts::Table;
    let mut plain = scenario.clone();
    (plain.model.weights, plain.model.cache) = (None, None);
    let sizes = |s: &heads::Scenario| s.layer().expect("a layer").sizes(7);
    assert_eq!(sizes(&scenario), sizes(&plain));
}

fn view(world: &World, question: Question) -> QuestionView {
    let view = world.view(question);
    view.unwrap_or_else(|fault| panic!("{}: {fault}", question.name()))
}

/// What device or server takes for the rates of the first machine: prefill and decode [tokens/s], and why the latter.
fn rates(world: &World) -> (f64, f64, String) {
    let view = view(world, Question::Dispatch);
    let one = |key: &str| {
        let mut all = view.assumed_of(world.machines[0].id);
        all.find(|one| one.key == key).expect("it is assumed")
    };
    let decode = one("decode_tok_s");
    (one("prefill_tok_s").value, decode.value, decode.why.clone())
}

#[test]
fn rates_of_device_or_server_follow_the_weights() {
    let mut scenario = presets::paper();
    scenario.devices[0].bandwidth_gb_s = Some(100.0);
    let mut world = World::of(&scenario.into());
    let (prefill, decode, why) = rates(&world);
    world.model.weights = Some(Precision::Q4KM.into());
    world.model.cache = Some(Precision::Q8_0.into());
    let (same, faster, reason) = rates(&world);
    assert_eq!(prefill, same, "compute is no faster for it");
    let model = presets::paper().model;
    let parameters: f64 = model
        .layers_at(1.0)
        .iter()
        .map(|layer| layer.weights / 2.0)
        .sum();
    let digits = |rate: f64| engine::units::rounded(rate, 3);
    // Nothing like "D1" was measured: 75 % of its memory rate, and 0.2 ms a layer. A token reads the blocks and the output
    // head, and the keys and values of 256 tokens of the prompt and half of the answer of 128.
    let head = 151_936.0 * 5120.0;
    let cache = 40.0 * 2.0 * 8.0 * 128.0 * (256.0 + 129.0 / 2.0);
    let rate = |weights: f64, value: f64| {
        let bytes = weights + value * cache;
        digits(1.0 / (bytes / 75e9 + 40.0 * 0.2e-3))
    };
    assert_eq!(decode, rate(2.0 * (parameters + head), 2.0));
    let dims = model.dimensions().expect("dimensions").transformer();
    let blocks = 40.0 * block_in_q4_k_m(&dims);
    assert_eq!(faster, rate(blocks + Q6_K * head, Q8_0));
    assert!(
        why.starts_with("what a token of Qwen3-14B reads and computes"),
        "{why}"
    );
    // A link holds what was assumed; it follows another precision all the same.
    world.question = Question::Dispatch;
    let mut opened = link::open(&link::encode(&world)).expect("a link");
    assert_eq!(rates(&opened).1, faster);
    opened.store(Stored::default());
    assert_eq!(rates(&opened).1, decode);
    assert!(
        reason.starts_with("what a token of Qwen3-14B in q4_K_M reads and computes"),
        "{reason}"
    );
}

#[test]
fn a_decode_rate_says_what_is_read_at_the_bytes_of_the_weights() {
    let mut world = World::of(&engine::scenario::dispatch::presets::paper().into());
    let rate = |world: &World| {
        let view = view(world, Question::Tiers);
        let mut all = view.assumed_of(world.machines[0].id);
        all.find(|one| one.key == "bandwidth_gb_s")
            .cloned()
            .expect("it is assumed")
    };
    let before = rate(&world);
    assert_eq!(
        before.why,
        "what its decode rate reads, at two bytes per weight"
    );
    world.model.weights = Some(Precision::Q4_0.into());
    let after = rate(&world);
    let facts = &world.machines[0].facts;
    let read = facts["decode_tok_s"].value * facts["decode_gflop"].value;
    assert_eq!(after.value, engine::units::rounded(read * 0.5625 / 2.0, 3));
    assert_eq!(
        after.why,
        "what its decode rate reads, at 0.5625 bytes per weight (q4_0)"
    );
}

/// How a question's scenario says that the model is stored.
fn stored(any: &Any) -> Option<Stored> {
    match any {
        Any::ColdStart(s) => s.model.dimensions().map(Dimensions::stored),
        Any::HeadPlacement(s) => Some(s.model.stored()),
        Any::Tiers(s) => Some(s.cost.stored()),
        Any::Dispatch(_) | Any::Operators(_) => None,
    }
}

/// Has a question say that the model is stored so.
fn store(any: &mut Any, to: Stored) {
    match any {
        Any::ColdStart(s) => {
            let dims = s.model.dimensions_mut().expect("dimensions");
            (dims.weights, dims.cache) = (to.weights, to.cache);
        }
        Any::HeadPlacement(s) => (s.model.weights, s.model.cache) = (to.weights, to.cache),
        Any::Tiers(s) => {
            (s.cost.weights, s.cost.cache) = (to.weights.unwrap_or_default(), to.cache);
        }
        Any::Dispatch(_) | Any::Operators(_) => {}
    }
}

#[test]
fn a_precision_set_in_one_question_is_in_all() {
    let to = Stored {
        weights: Some(Precision::Q4KM),
        cache: Some(Precision::Q8_0),
    };
    for question in [
        Question::ColdStart,
        Question::HeadPlacement,
        Question::Tiers,
    ] {
        let mut world = World::of(&presets::paper().into());
        let before = view(&world, question);
        let mut after = before.scenario.clone();
        store(&mut after, to);
        let seen = world
            .absorb(&before, &after, &before.rows)
            .expect("it can be seen");
        let mut seen = seen.scenario;
        if let (Any::HeadPlacement(seen), Any::HeadPlacement(after)) = (&mut seen, &after) {
            for (now, shown) in seen.devices.iter_mut().zip(&after.devices) {
                assert!(
                    now.compute_gops > 1.5 * shown.compute_gops,
                    "fewer bytes for each operation"
                );
                now.compute_gops = shown.compute_gops;
            }
        }
        assert_eq!(seen, after, "{}", question.name());
        assert_eq!(world.model.stored(), to);
        for other in Question::ALL {
            let shown = view(&world, other);
            assert!(
                stored(&shown.scenario).is_none_or(|found| found == to),
                "{}",
                other.name()
            );
            // Nothing is absorbed where nothing changed, and links say it.
            world
                .absorb(&shown, &shown.scenario.clone(), &shown.rows.clone())
                .expect("the same");
            assert_eq!(world.model.stored(), to);
            let opened = link::decode(&link::encode(&world)).expect("a link");
            assert!(
                stored(&opened).is_none_or(|found| found == to),
                "{}",
                other.name()
            );
            assert_eq!(World::read(&world.to_json()).expect("a file"), world);
        }
        // Taken back where it was said, it is gone everywhere.
        let shown = view(&world, question);
        let mut back = shown.scenario.clone();
        store(&mut back, Stored::default());
        world
            .absorb(&shown, &back, &shown.rows.clone())
            .expect("16 bits");
        assert_eq!(world.model.stored(), Stored::default());
        let Any::Tiers(tiers) = view(&world, Question::Tiers).scenario else {
            panic!("not tiers")
        };
        assert_eq!(
            (tiers.cost.weights, tiers.cost.cache),
            (Precision::Fp16, None)
        );
    }
}

#[test]
fn a_file_says_where_a_precision_is_from() {
    let mut world = World::of(&presets::paper().into());
    assert!(
        !world.to_json().contains("weights"),
        "left out where nobody said it"
    );
    world.model.cache = Some(Precision::Fp8.into());
    world.model.weights = Some(Storage {
        precision: Precision::Q6K,
        origin: FactOrigin::File("qwen3.gguf".into()),
    });
    let text = world.to_json();
    let named = r#""weights":{"value":"q6_K","from":{"file":"qwen3.gguf"}},"cache":"fp8""#;
    assert!(text.contains(named), "{text}");
    assert_eq!(World::read(&text).expect("a file"), world);
    let other = |to: &str| World::read(&text.replacen(named, to, 1));
    for (to, path, part) in [
        (r#""weights":"q9""#, "model.weights", "q5_K_M"),
        (r#""weights":4"#, "model.weights", "must be one of fp32"),
        (
            r#""weights":{"value":"q6_K","form":"given"}"#,
            "model.weights",
            "must be one of",
        ),
        (
            r#""weights":{"value":7}"#,
            "model.weights",
            "must be one of",
        ),
        (
            r#""weights":{"from":"given"}"#,
            "model.weights",
            "must be one of",
        ),
        (r#""cache":"q4_K_M""#, "model.cache", "q4_0"),
        (r#""cache":[]"#, "model.cache", "must be one of"),
        (r#""weight":"q6_K""#, "model.weight", "not a field"),
    ] {
        let fault = other(to).expect_err(to);
        assert_eq!(fault.path, path, "{fault}");
        assert!(fault.message.contains(part), "{fault}");
    }
    let long = format!(
        r#""weights":{{"value":"q6_K","from":{{"file":"{}"}}}}"#,
        "x".repeat(301)
    );
    assert_eq!(
        other(&long).expect_err("too long").path,
        "model.weights.from"
    );
}

#[test]
fn files_of_no_question_are_refused_by_path() {
    let refused = |any: &Any, from: &str, to: &str| {
        let text = any.to_json();
        assert!(text.contains(from), "{text}");
        World::read(&text.replacen(from, to, 1)).expect_err(to)
    };
    let cold: Any = presets::paper().into();
    let heads: Any = heads::presets::physical().into();
    let tiers: Any = tiers::presets::paper().into();
    for (any, from, to, path) in [
        (
            &cold,
            "\"d_ff\"",
            "\"weights\":\"q9\",\"d_ff\"",
            "model.weights",
        ),
        (
            &cold,
            "\"d_ff\"",
            "\"cache\":\"q2_K\",\"d_ff\"",
            "model.cache",
        ),
        (
            &heads,
            "\"value_bytes\"",
            "\"weights\":8,\"value_bytes\"",
            "model.weights",
        ),
        (
            &heads,
            "\"value_bytes\"",
            "\"cache\":\"\",\"value_bytes\"",
            "model.cache",
        ),
        (
            &tiers,
            "\"weights\":\"fp16\"",
            "\"weights\":\"q4\"",
            "cost.weights",
        ),
        (
            &tiers,
            "\"eta_c\"",
            "\"cache\":\"iq4_xs\",\"eta_c\"",
            "cost.cache",
        ),
    ] {
        let fault = refused(any, from, to);
        assert_eq!(fault.path, path, "{to}: {fault}");
    }
    // Layers that are given in bytes have their precision in them.
    for model in [
        r#"{"name":"x","layers":[{"W":1.0,"A":1.0,"P":1.0}],"weights":"q4_0"}"#,
        r#"{"name":"x","token_bytes":2.0,"blocks":[],"cache":"q4_0"}"#,
    ] {
        assert!(serde_json::from_str::<Model>(model).is_err(), "{model}");
    }
}

/// Files of before have the weights among the settings of tiers alone; they mean what they meant.
#[test]
fn a_file_of_before_keeps_the_weights_of_its_tiers() {
    let mut scenario = tiers::presets::paper();
    scenario.cost.weights = Precision::Int8;
    let world = World::of(&scenario.clone().into());
    assert_eq!(world.model.stored().weights, Some(Precision::Int8));
    let text = world.to_json();
    let (said, own) = (",\"weights\":\"int8\"}", "\"weights\":\"fp16\"");
    assert!(text.contains(said) && text.contains(own), "{text}");
    let before = text
        .replacen(own, "\"weights\":\"int8\"", 1)
        .replacen(said, "}", 1);
    let mut world = World::read(&before).expect("a file of before");
    assert_eq!(world.model.stored(), Stored::default());
    let shown = view(&world, Question::Tiers);
    assert_eq!(shown.scenario, Any::from(scenario.clone()));
    let opened = link::decode(&link::encode(&world)).expect("a link");
    assert_eq!(opened, shown.scenario);
    // With the first change it is known to all.
    scenario.out_tokens = 64.0;
    let seen = world
        .absorb(&shown, &scenario.clone().into(), &shown.rows)
        .expect("an edit");
    assert_eq!(seen.scenario, Any::from(scenario));
    let cold = view(&world, Question::ColdStart).scenario;
    assert_eq!(
        stored(&cold).and_then(|found| found.weights),
        Some(Precision::Int8)
    );
}

#[test]
fn a_model_by_the_bytes_of_its_file_keeps_them() {
    let mut scenario = presets::paper();
    scenario.model = Model::Table(engine::scenario::LayerTable {
        name: "Mine".into(),
        layers: vec![
            engine::scenario::LayerRow {
                W: 1e9,
                A: 1e4,
                P: 1e8
            };
            4
        ],
    });
    let mut world = World::of(&scenario.clone().into());
    world.model.weights = Some(Precision::Q4KM.into());
    let shown = view(&world, Question::ColdStart);
    assert_eq!(shown.scenario, Any::from(scenario.clone()));
    // Another model by its dimensions comes without it.
    scenario.model = presets::paper().model;
    let seen = world
        .absorb(&shown, &scenario.clone().into(), &shown.rows)
        .expect("dimensions");
    assert_eq!(seen.scenario, Any::from(scenario));
    assert_eq!(world.model.stored(), Stored::default());
}

/// The head of an answer in words names what does not take 16 bits.
#[test]
fn an_answer_in_words_names_the_precision() {
    let head = |any: Any| {
        let ran = edgewise(&["run", "-", "--format", "text"], any.to_json());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.out.lines().take(2).collect::<Vec<_>>().join("\n")
    };
    let mut cold = presets::paper();
    assert!(head(cold.clone().into()).contains("Qwen3-14B, 256 tokens"));
    dims(&mut cold).weights = Some(Precision::Q4KM);
    let said = head(cold.into());
    assert!(
        said.contains("Qwen3-14B (weights q4_K_M), 256 tokens"),
        "{said}"
    );
    let mut tiers = tiers::presets::paper();
    tiers.load.seeds = 1.0;
    tiers.cost.cache = Some(Precision::Q8_0);
    let said = head(tiers.into());
    assert!(
        said.contains("Llama-3-8B (cache q8_0), 64 tokens in"),
        "{said}"
    );
    let mut heads = heads::presets::physical();
    heads.model.weights = Some(Precision::Q4_0);
    let said = head(heads.into());
    assert!(said.contains("B per value (weights q4_0), "), "{said}");
}
