//! Flags to paste: what is printed for a runtime, read back by that runtime's own rule, is the layer map that went in.

mod command_line;
mod importers;
mod names;

use engine::plan::Stage;
use engine::scenario::{presets, tiers};
use engine::sim::Draw;
use importers::{Map, after, commands, llama_split, of_counts};
use planner::tiers::planned;
use presenters::chains;
use protocol::flags::{ChainPart, Flags, LayerMap, PathForm, Tool, all_flags, flags};

/// How many random layer maps each exporter is read back for.
const SPLITS: u64 = 6000;

fn chain(model: &str, counts: &[usize], devices: &[(&str, usize)]) -> LayerMap {
    let mut next = 1;
    let parts = counts.iter().zip(devices).map(|(count, (name, device))| {
        let first = next;
        next += count;
        ChainPart {
            name: (*name).to_owned(),
            device: *device,
            first,
            last: next - 1,
        }
    });
    let parts = parts.collect();
    LayerMap::new(model, counts.iter().sum(), parts).expect("a layer map")
}

/// Layers on up to so many stages, none empty; every third map is of a large model, every seventh on one device.
fn random_counts(seed: u64, most_stages: usize) -> Vec<usize> {
    let mut draw = Draw::new(seed, 11);
    let most_layers = if seed.is_multiple_of(3) { 1000 } else { 100 };
    let stages = if seed.is_multiple_of(7) {
        1
    } else {
        1 + draw.integer_below(most_stages)
    };
    let layers = stages + draw.integer_below(most_layers - stages + 1);
    let mut cuts: Vec<usize> = Vec::new();
    while cuts.len() + 1 < stages {
        let cut = 1 + draw.integer_below(layers - 1);
        if let Err(at) = cuts.binary_search(&cut) {
            cuts.insert(at, cut);
        }
    }
    cuts.push(layers);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(&cuts).map(|(from, to)| to - from).collect()
}

/// A random layer map; its devices are anybody's, in any order.
fn random_chain(seed: u64, most_stages: usize) -> (Vec<usize>, LayerMap) {
    let counts = random_counts(seed, most_stages);
    let devices: Vec<(&str, usize)> = (0..counts.len())
        .map(|at| ("phone", counts.len() - at))
        .collect();
    let chain = chain("Qwen3-14B", &counts, &devices);
    (counts, chain)
}

fn exported(tool: Tool, chain: &LayerMap) -> Flags {
    flags(tool, chain).unwrap_or_else(|reason| panic!("{}: {reason}", tool.name()))
}

/// Reads every map back.
fn read_back(tool: Tool, most_stages: usize, import: impl Fn(&str, usize) -> Map) {
    for seed in 0..SPLITS {
        let (counts, chain) = random_chain(seed, most_stages);
        let text = exported(tool, &chain).text;
        assert_eq!(
            import(&text, chain.layers()),
            of_counts(&counts),
            "{counts:?}: {text}"
        );
    }
}

#[test]
fn llama_cpp_places_the_layers_as_planned_and_the_output_on_the_last_device() {
    for seed in 0..SPLITS {
        let (counts, chain) = random_chain(seed, 16);
        let text = exported(Tool::LlamaCpp, &chain).text;
        let (map, output) = importers::llama_cpp(&text, chain.layers());
        assert_eq!(map, of_counts(&counts), "{text}");
        assert_eq!(output, counts.len() - 1, "{text}");
    }
}

#[test]
fn plain_counts_are_wrong_for_llama_cpp_every_time() {
    let mut tried = 0;
    for seed in 0..SPLITS {
        let counts = random_counts(seed, 16);
        if counts.len() < 2 {
            continue;
        }
        tried += 1;
        let layers: usize = counts.iter().sum();
        let shares: Vec<f32> = counts.iter().map(|count| *count as f32).collect();
        let map = llama_split(&shares, layers, layers + 1);
        let want: Vec<Option<usize>> = of_counts(&counts).into_iter().map(Some).collect();
        assert_ne!(map[..layers], want, "{counts:?}");
        // The layer that should be the second device's first is the first device's.
        assert_eq!(map[counts[0]], Some(0), "{counts:?}");
    }
    assert!(tried > 4000);
    // Qwen3-8B, 10 and 26 wanted: 11 and 25 for plain counts.
    let plain = llama_split(&[10.0, 26.0], 36, 99);
    assert_eq!(
        plain[..36]
            .iter()
            .filter(|device| **device == Some(0))
            .count(),
        11
    );
    let chain = chain("Qwen3-8B", &[10, 26], &[("a", 0), ("b", 1)]);
    let text = exported(Tool::LlamaCpp, &chain).text;
    assert!(text.contains(" -ts 10,27 -ngl 99 "), "{text}");
}

#[test]
fn vllm_and_sglang_partition_the_layers_as_planned() {
    read_back(Tool::Vllm, 16, |text, layers| {
        importers::pipeline_server(
            text,
            layers,
            "VLLM_PP_LAYER_PARTITION",
            "--pipeline-parallel-size",
        )
    });
    read_back(Tool::Sglang, 16, |text, layers| {
        importers::pipeline_server(text, layers, "SGLANG_PP_LAYER_PARTITION", "--pp-size")
    });
}

#[test]
fn a_vllm_worker_is_headless_and_the_first_rank_is_not() {
    let chain = chain("m", &[3, 4, 5], &[("a", 2), ("b", 0), ("c", 1)]);
    let text = exported(Tool::Vllm, &chain).text;
    let headless: Vec<bool> = commands(&text)
        .iter()
        .map(|line| line.ends_with(" --headless"))
        .collect();
    assert_eq!(headless, [false, true, true]);
}

#[test]
fn prima_cpp_goes_round_once_with_the_windows_as_planned() {
    read_back(Tool::PrimaCpp, 32, importers::prima_cpp);
}

#[test]
fn pipe_edge_has_four_layers_a_block() {
    read_back(Tool::PipeEdge, 16, importers::pipe_edge);
    let even = chain("ViT-Base", &[6, 6], &[("a", 0), ("b", 1)]);
    let text = exported(Tool::PipeEdge, &even).text;
    // The README's own example.
    assert!(
        text.contains("python runtime.py 0 2 -pt 1,24,25,48 "),
        "{text}"
    );
}

#[test]
fn parallax_and_exo_exclude_the_end() {
    read_back(Tool::Parallax, 16, importers::parallax);
    read_back(Tool::Exo, 16, importers::exo);
    let halves = chain("Qwen3-0.6B", &[14, 14], &[("a", 0), ("b", 1)]);
    let text = exported(Tool::Parallax, &halves).text;
    // The quick start's own example.
    for part in [
        "--start-layer 0 --end-layer 14\n",
        "--start-layer 14 --end-layer 28\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn accelerate_places_every_module_and_a_tied_head_with_the_embedding() {
    for seed in 0..SPLITS {
        let (counts, chain) = random_chain(seed, 16);
        let last = counts.len() - 1;
        for (tied, head) in [(Some(true), 0), (Some(false), last), (None, last)] {
            if tied.is_some() && seed % 50 != 0 {
                continue;
            }
            let chain = chain.clone().with_tied(tied);
            let text = exported(Tool::Accelerate, &chain).text;
            let (map, others) = importers::accelerate(&text, chain.layers());
            assert_eq!(map, of_counts(&counts), "{text}");
            assert_eq!(others, [0, last, head], "{tied:?}: {text}");
        }
    }
}

#[test]
fn distributed_llama_takes_no_layer_map_and_says_why() {
    for (counts, also) in [
        (vec![3, 4, 5], "power of two"),
        (vec![3, 4], "a layer map"),
        (vec![9], "all layers"),
    ] {
        let names = ["a", "b", "c"];
        let devices: Vec<(&str, usize)> = names.into_iter().zip(0..).collect();
        let chain = chain("m", &counts, &devices);
        let reason = flags(Tool::DistributedLlama, &chain).expect_err("equal slices");
        assert!(
            reason.contains("equal slice") && reason.contains(also),
            "{reason}"
        );
        assert!(all_flags(&chain).contains(&format!("Not expressible: {reason}")));
    }
}

#[test]
fn more_devices_than_a_tool_takes_are_not_expressible() {
    for (tool, most) in [(Tool::LlamaCpp, 16), (Tool::PrimaCpp, 32)] {
        let devices: Vec<(&str, usize)> = (0..=most).map(|at| ("d", at)).collect();
        let fits = chain("m", &vec![1; most], &devices);
        assert!(flags(tool, &fits).is_ok());
        let reason = flags(tool, &chain("m", &vec![1; most + 1], &devices)).expect_err("too many");
        assert!(
            reason.contains(&format!("at most {most} devices")),
            "{reason}"
        );
    }
}

#[test]
fn every_tool_has_a_name_of_its_own_and_one_form() {
    let chain = chain("m", &[3, 4], &[("a", 0), ("b", 1)]);
    for tool in Tool::ALL {
        assert_eq!(Tool::find(tool.name()), Some(tool));
        if let Ok(flags) = flags(tool, &chain) {
            let is_json = serde_json::from_str::<serde_json::Value>(&flags.text).is_ok();
            assert_eq!(is_json, flags.form == PathForm::Json, "{}", tool.name());
            assert!(flags.text.ends_with('\n') && !flags.notes.is_empty());
        }
    }
    assert_eq!(Tool::find("ollama"), None);
}

#[test]
fn an_invalid_layer_map_is_refused() {
    let part = |device: usize, first: usize, last: usize| ChainPart {
        name: String::new(),
        device,
        first,
        last,
    };
    let new = |layers: usize, parts: Vec<ChainPart>| {
        LayerMap::new("m", layers, parts).map_err(|fault| fault.path)
    };
    assert!(new(4, vec![part(1, 1, 1), part(0, 2, 4)]).is_ok());
    for (at, layers, parts) in [
        (0, 4, vec![]),
        (0, 4, vec![part(0, 2, 4)]),
        (1, 4, vec![part(0, 1, 3)]),
        (0, 4, vec![part(0, 1, 5)]),
        (1, 4, vec![part(0, 1, 2), part(1, 2, 4)]),
        (1, 4, vec![part(0, 1, 2), part(1, 4, 4)]),
        (1, 4, vec![part(0, 1, 2), part(0, 3, 4)]),
        (1, 4, vec![part(0, 1, 2), part(1, 3, 2)]),
        (0, 0, vec![]),
    ] {
        assert_eq!(new(layers, parts), Err(format!("plan[{at}]")));
    }
}

#[test]
fn a_cold_start_plan_becomes_its_layer_map() {
    let scenario = presets::named("csgo-paper").expect("a preset").scenario;
    let problem = scenario.problem().expect("a problem");
    let stage = |device, first, last| Stage {
        device,
        first,
        last,
    };
    let plan = [
        stage(2, 1, 7),
        stage(3, 8, 12),
        stage(0, 13, 27),
        stage(1, 28, 40),
    ];
    let chain = chains::of_cold_start(&scenario, &problem, &plan, true).expect("a map");
    let text = exported(Tool::LlamaCpp, &chain).text;
    assert_eq!(
        importers::llama_cpp(&text, 40).0,
        of_counts(&[7, 5, 15, 13])
    );
    for (name, host) in [
        ("D4", "HOST2"),
        ("D1", "HOST3"),
        ("D2", "HOST4"),
        ("D3", "HOST1"),
    ] {
        assert!(text.contains(&format!("on {name}, {host}, ")), "{text}");
    }
    // Qwen3-14B has a head of its own: it is on the last device.
    let text = exported(Tool::Accelerate, &chain).text;
    assert_eq!(importers::accelerate(&text, 40).1, [0, 3, 3]);
    let unfit = chains::of_cold_start(&scenario, &problem, &plan, false).expect("a map");
    let notes = |chain: &LayerMap| exported(Tool::Vllm, chain).notes.join(" ");
    assert!(notes(&unfit).contains("does not fit") && !notes(&chain).contains("does not fit"));
    assert!(chains::of_cold_start(&scenario, &problem, &plan[..3], true).is_err());
}

#[test]
fn a_split_over_tiers_is_one_chain_of_nodes() {
    for preset in tiers::presets::all() {
        let scenario = preset.scenario;
        let answer = planned(&scenario).expect("a plan");
        let Some(plan) = answer.plan.filter(|plan| plan.mem_ok) else {
            continue;
        };
        let counts: Vec<usize> = plan.placed.iter().map(|placed| placed.blocks).collect();
        let chain = chains::of_tiers(&scenario, &plan).expect("a map");
        let flags = exported(Tool::Parallax, &chain);
        let map = importers::parallax(&flags.text, scenario.blocks());
        assert_eq!(map, of_counts(&counts), "{}", preset.name);
        let notes = flags.notes.join(" ");
        assert!(notes.contains("one node of each tier"), "{notes}");
        let first = &scenario.tiers[plan.placed[0].tier].name;
        assert!(
            flags
                .text
                .starts_with(&format!("# Stage 1 of {}, on {first}, ", counts.len()))
        );
    }
    // One node a tier: nothing to choose from, nothing to say.
    let mut scenario = tiers::presets::paper();
    for tier in &mut scenario.tiers {
        tier.nodes = 1.0;
    }
    let plan = planned(&scenario).expect("a plan").plan.expect("it fits");
    let chain = chains::of_tiers(&scenario, &plan).expect("a map");
    let notes = exported(Tool::Vllm, &chain).notes.join(" ");
    assert!(!notes.contains("dispatcher"), "{notes}");
}

#[test]
fn tied_embeddings_are_known_from_the_tiers_model() {
    let mut scenario = tiers::presets::paper();
    for tied in [false, true] {
        let dims = scenario.model.dimensions_mut();
        dims.expect("a dense model").tied_embeddings = tied;
        let plan = planned(&scenario).expect("a plan").plan.expect("it fits");
        let chain = chains::of_tiers(&scenario, &plan).expect("a map");
        let text = exported(Tool::Accelerate, &chain).text;
        let [_, norm, head] = importers::accelerate(&text, scenario.blocks()).1;
        assert_eq!(head, if tied { 0 } else { norm });
    }
}

#[test]
fn one_device_runs_alone() {
    let alone = chain("m", &[40], &[("phone", 4)]);
    let mut checked = 0;
    for tool in Tool::ALL {
        let Ok(flags) = flags(tool, &alone) else {
            continue;
        };
        if flags.form == PathForm::Shell {
            let lines = commands(&flags.text);
            assert_eq!(lines.len(), 1, "{}", tool.name());
            for flag in ["--rpc", "--master", "--next", "--addr", "--nnodes"] {
                assert_eq!(after(lines[0], flag), None, "{}", tool.name());
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 6, "tools with a command line");
}
