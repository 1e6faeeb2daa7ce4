//! A plan that is to be carried out has room when it runs: for what a device keeps free, for the cache of its context, for the
//! embedding and the output head where they lie. The papers' presets keep their own rule.

use crate::gains::solved;
use engine::model::precision::{Precision, Stored};
use engine::plan::Stage;
use engine::scenario::import::{self, UserAnswers};
use engine::scenario::{BlockModel, BlockRun, Device, Memory, Model, Scenario, presets};
use planner::cold_start::{Status, evaluate};
use presenters::chains;
use presenters::cold_start::memory_words;
use protocol::flags::{Tool, flags};

/// The paper's fleet with its memory rule of machines that run.
fn running() -> Scenario {
    presets::paper().as_it_runs()
}

/// Qwen3-14B by its published numbers: bytes of a block and of the cache of a token in it, of the embedding and of the head.
const BLOCK: f64 = 660_602_880.0;
const CACHE: f64 = 2.0 * 2.0 * 8.0 * 128.0;
const END: f64 = 151_936.0 * 5120.0 * 2.0;
/// Logits and hidden values of 512 tokens in 32 bits, on the device of the last block.
const LOGITS: f64 = 4.0 * 512.0 * (151_936.0 + 5120.0);

#[test]
fn every_device_of_a_plan_holds_what_runs_on_it() {
    let scenario = running();
    for (context, prompt) in [(4096.0, 256.0), (16_384.0, 256.0), (4096.0, 8192.0)] {
        let mut scenario = scenario.clone();
        scenario.prompt_tokens = prompt;
        scenario.memory = Some(Memory {
            context_tokens: context,
            ..Memory::USUAL
        });
        let found = solved(&scenario);
        assert_eq!(found.status, Status::Optimal);
        let timeline = found.timeline.expect("a plan");
        // Never less than the prompt itself.
        let kept = context.max(prompt);
        for stage in &timeline {
            let blocks = (stage.e + 1 - stage.s) as f64;
            let ends = f64::from(u8::from(stage.s == 1)) + f64::from(u8::from(stage.e == 40));
            let logits = if stage.e == 40 { LOGITS } else { 0.0 };
            let outside = ends * END + logits + 2.0 * prompt * 5120.0;
            let need = blocks * (BLOCK + kept * CACHE) + outside;
            assert!((stage.mem - need).abs() < 1.0, "{stage:?}: {need}");
            let usable = 0.9 * 1e9 * scenario.devices[stage.device].m_gb;
            assert!(
                need <= usable * (1.0 + 1e-9),
                "{stage:?}: {need} of {usable}"
            );
        }
        assert!(found.T >= solved(&presets::paper()).T);
    }
}

#[test]
fn published_usable_memory_counts_else_nine_tenths() {
    let device = |name: &str, gb: f64| Device {
        name: name.to_owned(),
        m_gb: gb,
        ..presets::paper().devices[0].clone()
    };
    let memory = Memory::USUAL;
    for (name, gb, usable) in [
        ("Jetson Orin Nano 8GB", 8.0, 5.2),
        ("Jetson Orin Nano 8GB, Super mode", 8.0, 5.2),
        ("Jetson Orin NX 16GB", 16.0, 13.0),
        ("AGX", 28.0, 28.0),
        ("NX", 4.0, 4.0),
        ("my card", 8.0, 7.2),
    ] {
        let found = memory.usable_gb(&device(name, gb));
        assert!((found - usable).abs() < 1e-12, "{name}: {found}");
    }
}

#[test]
fn presets_keep_the_rule_of_their_papers_and_name_it() {
    for preset in presets::all() {
        assert_eq!(preset.scenario.memory, None, "{}", preset.name);
        assert!(!preset.scenario.to_json().contains("\"memory\""));
        assert!(memory_words(&preset.scenario).starts_with("Memory by the paper\u{2019}s rule"));
    }
    let words = memory_words(&running()).replace('\u{202f}', " ");
    assert!(
        words.contains(
            "a cache of 4096 tokens, embedding, output head and its buffer of logits, in 90 %"
        ),
        "{words}"
    );
}

#[test]
fn a_model_that_is_imported_counts_with_its_ends() {
    let text = include_str!("../data/configs/qwen3-8b.json");
    let brought = import::config(text, "", &UserAnswers::new()).expect("a model");
    let memory = brought.memory(None);
    // Embedding and head are two matrices here; the last norm is the rest. The model is stored as its user says, and they are too:
    // they come to the same as those of the catalogue's row.
    let row = engine::model::catalog::find("Qwen3-8B").expect("a row");
    for precision in [None, Some(Precision::Q4KM)] {
        let of_row = Stored {
            weights: precision,
            cache: None,
        };
        let named = Model::from_dims(row.name, &row.dims).with_stored(of_row);
        let model = brought.planned().expect("a model").with_stored(of_row);
        let (embedding, head) = memory.ends(&model).expect("known");
        let (of_embedding, of_head) = memory.ends(&named).expect("known");
        for (end, each) in [(embedding, of_embedding), (head, of_head)] {
            assert!((end - each).abs() < 1e-4 * each, "{end} {each}");
        }
    }
    // It equals a row of the catalogue, and has its name.
    let planned = brought.planned().expect("a model");
    assert_eq!(planned.name(), "Qwen3-8B");
    assert!(
        brought
            .notes
            .iter()
            .any(|note| note == "This is Qwen3-8B of the catalogue.")
    );
    let other = text.replace("12288", "12800");
    let other = import::config(&other, "qwen3-8b.json", &UserAnswers::new()).expect("read");
    assert_eq!(other.planned().expect("a model").name(), "qwen3-8b");
    let bytes = 151_936.0 * 4096.0 * 2.0;
    let memory = Memory {
        embedding_bytes: Some(bytes),
        head_bytes: Some(bytes),
        ..memory
    };
    let before = Memory {
        context_tokens: 512.0,
        ..Memory::USUAL
    };
    assert_eq!(brought.memory(Some(before)).context_tokens, 512.0);
    // A model of no catalogue has the ends that came with it.
    let mut scenario = presets::paper();
    scenario.model = Model::Blocks(BlockModel {
        name: "mine".to_owned(),
        token_bytes: 1e3,
        blocks: vec![BlockRun {
            repeat: 3.0,
            weight_bytes: 1e9,
            token_flop: 1e9,
            pair_flop: 0.0,
            window: Some(100.0),
            kv_bytes: Some(1e4),
            experts: None,
            experts_used: None,
            expert_bytes: None,
            ..BlockRun::default()
        }],
    });
    scenario.memory = Some(memory);
    let problem = scenario.problem().expect("valid");
    let held: Vec<f64> = problem.layers().iter().map(|l| l.resident.get()).collect();
    let block = 1e9 + 100.0 * 1e4;
    let (first, last) = (
        memory.embedding_bytes.expect("known"),
        memory.head_bytes.expect("known"),
    );
    // A hidden value takes two bytes on its way, so the model is 500 wide.
    let logits = 4.0 * 512.0 * (151_936.0 + 500.0);
    assert_eq!(held, [block + first, block, block + (last + logits)]);
}

#[test]
fn the_flags_say_what_is_used_of_what() {
    let plan = [
        Stage {
            device: 2,
            first: 1,
            last: 7,
        },
        Stage {
            device: 3,
            first: 8,
            last: 12,
        },
        Stage {
            device: 0,
            first: 13,
            last: 27,
        },
        Stage {
            device: 1,
            first: 28,
            last: 40,
        },
    ];
    let notes = |scenario: &Scenario, plan: &[Stage]| {
        let problem = scenario.problem().expect("valid");
        let chain = chains::of_cold_start(scenario, &problem, plan, true).expect("a map");
        let made = flags(Tool::LlamaCpp, &chain).expect("expressible");
        (made.text, made.notes.join(" ").replace('\u{202f}', " "))
    };
    // The paper's own plan: D2 would hold 13 blocks and the head in 9 of its 10 GB.
    let (text, said) = notes(&presets::paper(), &plan);
    assert!(text.contains("-c CTX"), "{text}");
    for part in [
        "D3 6.30 GB of 7.20 GB",
        "a cache of 4096 tokens, the embedding on the first device and the output head on the last",
        "The plan was made by the paper\u{2019}s rule",
        "Too little memory to run: D2 10.7 GB of 9.00 GB.",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let scenario = running();
    let own = solved(&scenario).plan.expect("a plan");
    let (text, said) = notes(&scenario, &own);
    assert!(text.contains("-c 4096"), "{text}");
    assert!(said.contains("Memory in use when the plan runs, of the usable memory: "));
    assert!(
        !said.contains("Too little memory") && !said.contains("the paper"),
        "{said}"
    );
    let problem = scenario.problem().expect("valid");
    assert!(evaluate(&problem, &own).expect("a plan").mem_ok);
    assert!(!evaluate(&problem, &plan).expect("a plan").mem_ok);
}

#[test]
fn a_share_or_a_context_out_of_range_is_refused_by_name() {
    for (memory, path) in [
        (
            Memory {
                usable_pct: 0.0,
                ..Memory::USUAL
            },
            "memory.usable_pct",
        ),
        (
            Memory {
                usable_pct: 101.0,
                ..Memory::USUAL
            },
            "memory.usable_pct",
        ),
        (
            Memory {
                context_tokens: 0.5,
                ..Memory::USUAL
            },
            "memory.context_tokens",
        ),
        (
            Memory {
                head_bytes: Some(-1.0),
                ..Memory::USUAL
            },
            "memory.head_bytes",
        ),
    ] {
        let mut scenario = presets::paper();
        scenario.memory = Some(memory);
        assert_eq!(scenario.validate().expect_err(path).path, path);
    }
}
