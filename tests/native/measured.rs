//! Published measurements of single machines and clusters beside what is predicted for them: `docs/measurements.md`.

use crate::golden_file::is_to_be_written;
use crate::token_costs::{alone, answer};
use engine::hardware::calibration::OF_EXPERTS;
use engine::model::precision::Precision;
use engine::scenario::{BlockModel, BlockRun, Dimensions, Memory, Model, Scenario};
use std::fmt::Write;
use std::fs;

/// A published row.
struct Measured {
    /// True if it was measured with every layer split over all machines, which no plan here does.
    is_split: bool,
    machines: &'static str,
    model: &'static str,
    source: &'static str,
    scenario: Scenario,
    /// Rate of a prompt of the scenario's length [token/s].
    prefill: Option<f64>,
    /// Rate of generation [token/s].
    decode: f64,
}

/// A dense model: layers, hidden size, query and key heads, width of a head, feed-forward width.
fn dense(name: &str, dims: [f64; 6], weights: Option<Precision>) -> Model {
    let [layers, d_model, h_q, h_k, d_head, d_ff] = dims;
    Model::Dimensions(Dimensions {
        name: name.to_owned(),
        layers,
        d_model,
        h_q,
        h_k,
        d_head,
        d_ff,
        weights,
        cache: None,
    })
}

/// A mixture of experts in q4_K_M or MXFP4: blocks, hidden size, query and key heads, width of a head, width of an expert,
/// experts, experts of a token; bytes of a weight of attention and of experts.
fn experts(name: &str, dims: [f64; 8], [attention, expert]: [f64; 2]) -> Model {
    let [layers, d, heads, keys, width, ff, count, used] = dims;
    let shared = 2.0 * d * width * (heads + keys) + d * count;
    let one = 3.0 * d * ff;
    let expert_bytes = expert * one;
    Model::Blocks(BlockModel {
        name: name.to_owned(),
        token_bytes: 2.0 * d,
        blocks: vec![BlockRun {
            repeat: layers,
            weight_bytes: attention * shared + count * expert_bytes,
            token_flop: 2.0 * (shared + used * one),
            pair_flop: 4.0 * heads * width,
            window: None,
            kv_bytes: Some(4.0 * keys * width),
            experts: Some(count),
            experts_used: Some(used),
            expert_bytes: Some(expert_bytes),
            ..BlockRun::default()
        }],
    })
}

/// A scenario with a model of its own, whose output head takes so many bytes.
fn with_model(machine: &str, model: Model, head_bytes: f64, prompt: f64) -> Scenario {
    let mut scenario = alone(machine, "Llama-3.1-8B", prompt);
    scenario.model = model;
    scenario.memory = Some(Memory {
        usable_pct: 100.0,
        context_tokens: prompt + 128.0,
        embedding_bytes: Some(head_bytes),
        head_bytes: Some(head_bytes),
        ..Memory::USUAL
    });
    scenario
}

/// The scenario with so many such machines behind a wired link.
fn several(mut scenario: Scenario, count: usize) -> Scenario {
    let device = scenario.devices[0].clone();
    scenario.devices = (1..=count)
        .map(|at| {
            let mut device = device.clone();
            if at > 1 {
                device.name = format!("{} ({at})", device.name);
            }
            device
        })
        .collect();
    // About 5 Gbit/s between machines that are 5 m apart.
    (scenario.channel.mu, scenario.channel.B_mhz) = (0.5, 905.0);
    if let Some(decode) = &mut scenario.decode {
        decode.hop_ms = 0.2;
    }
    scenario
}

/// Bytes of a weight in q4_K_M, as the catalogue counts them, and of MXFP4 with its scales.
const Q4_K_M: f64 = 4.83 / 8.0;
const MXFP4: f64 = 4.25 / 8.0;

fn rows() -> Vec<Measured> {
    let tiny = dense(
        "TinyLlama-1.1B",
        [22.0, 2048.0, 32.0, 4.0, 64.0, 5632.0],
        None,
    );
    let llama = dense(
        "Llama-3.1-405B",
        [126.0, 16_384.0, 128.0, 8.0, 128.0, 53_248.0],
        Some(Precision::Q4KM),
    );
    let oss = experts(
        "gpt-oss-20b",
        [24.0, 2880.0, 64.0, 8.0, 64.0, 2880.0, 32.0, 4.0],
        [2.0, MXFP4],
    );
    let qwen = experts(
        "Qwen3-30B-A3B",
        [48.0, 2048.0, 32.0, 4.0, 128.0, 768.0, 128.0, 8.0],
        [Q4_K_M; 2],
    );
    let large = experts(
        "Qwen3-VL-235B-A22B",
        [94.0, 4096.0, 64.0, 4.0, 128.0, 1536.0, 128.0, 8.0],
        [Q4_K_M; 2],
    );
    let head = Q4_K_M * 16_384.0 * 128_256.0;
    let llama = with_model("Framework Desktop 128GB", llama, head, 512.0);
    let orin = "Jetson Orin Nano 8GB, Super mode";
    let of = |machines, model, source, scenario, prefill, decode| Measured {
        is_split: false,
        machines,
        model,
        source,
        scenario,
        prefill,
        decode,
    };
    vec![
        of(
            "Raspberry Pi CM5 16GB",
            "Llama-3.2-3B, q4_K_M",
            "geerlingguy/beowulf-ai-cluster, issue 6",
            alone("Raspberry Pi 5 16GB", "Llama-3.2-3B", 512.0),
            Some(15.08),
            6.07,
        ),
        of(
            "Jetson Orin Nano Super 8GB",
            "Llama-3.2-1B, q4_K_M",
            "ID-Robots/clawbox, issue 273 (Ollama)",
            alone(orin, "Llama-3.2-1B", 512.0),
            None,
            45.0,
        ),
        of(
            "Jetson Orin Nano Super 8GB",
            "Llama-3.2-3B, q4_K_M",
            "ID-Robots/clawbox, issue 273 (Ollama)",
            alone(orin, "Llama-3.2-3B", 512.0),
            None,
            23.0,
        ),
        of(
            "RTX 2080 Ti",
            "Llama-3-8B, q4_K",
            "Lizonghang/prima.cpp, README (llama.cpp)",
            alone("RTX 2080 Ti", "Llama-3-8B", 512.0),
            None,
            1.0 / 0.015,
        ),
        of(
            "GTX 1660 6GB",
            "TinyLlama-1.1B, F16",
            "ggml-org/llama.cpp, discussion 8832",
            with_model("GTX 1660", tiny, 2.0 * 2048.0 * 32_000.0, 512.0),
            Some(315.0),
            74.8,
        ),
        of(
            "4 Framework Desktops 128GB, 5 Gbit/s",
            "Llama-3.1-405B, q4_K_M",
            "geerlingguy/beowulf-ai-cluster (llama.cpp RPC, Vulkan)",
            several(llama, 4),
            None,
            0.71,
        ),
        of(
            "RTX 4090",
            "gpt-oss-20b, MXFP4",
            "geerlingguy/ai-benchmarks, README",
            with_model("RTX 4090", oss, 2.0 * 2880.0 * 201_088.0, 512.0),
            None,
            279.65,
        ),
        of(
            "RTX 3090",
            "Qwen3-30B-A3B, q4_K_M",
            "LocalScore, one run",
            with_model("RTX 3090", qwen, Q4_K_M * 2048.0 * 151_936.0, 512.0),
            None,
            43.0,
        ),
        of(
            "2 DGX Sparks 128GB, 200 Gbit/s",
            "Qwen3-VL-235B-A22B, q4_K_M",
            "ggml-org/llama.cpp, discussion 15405 (RPC)",
            several(
                with_model(
                    "DGX Spark 128GB",
                    large,
                    Q4_K_M * 4096.0 * 151_936.0,
                    2048.0,
                ),
                2,
            ),
            Some(528.5),
            12.98,
        ),
        Measured {
            is_split: true,
            ..of(
                "10 Raspberry Pi CM5s 16GB, 1 Gbit/s",
                "Llama-3.3-70B, q4_K_M",
                "geerlingguy/beowulf-ai-cluster, issue 6",
                several(alone("Raspberry Pi 5 16GB", "Llama-3.3-70B", 512.0), 10),
                None,
                0.85,
            )
        },
        Measured {
            is_split: true,
            ..of(
                "4 Raspberry Pi 5s 8GB, 1 Gbit/s",
                "Llama-3-8B, Q40",
                "b4rtaz/distributed-llama, discussion 64",
                several(alone("Raspberry Pi 5 8GB", "Llama-3-8B", 512.0), 4),
                None,
                4.08,
            )
        },
    ]
}

/// Three digits.
fn three(value: f64) -> String {
    engine::units::rounded(value, 3).to_string()
}

/// Measured, predicted and their ratio.
fn cells(measured: Option<f64>, predicted: f64) -> String {
    match measured {
        Some(measured) => format!(
            "{} | {} | {:.2}",
            three(measured),
            three(predicted),
            predicted / measured
        ),
        None => format!("- | {} | -", three(predicted)),
    }
}

fn page(rows: &[(Measured, [f64; 2])]) -> String {
    let mut page = String::from(
        "# Predictions beside published measurements\n\nMade by `tests/native/measured.rs`; a test says when it is stale. None \
         of these rows was fitted: [calibration.md](calibration.md) says what was, and how far such predictions were off for each class \
         of machine.\n\nRates are in tokens per second: of a prompt of 512 tokens (2048 for the DGX Sparks), and of generation after it. \
         All numbers of a machine are those of the catalogue. The measured runtimes are of several years and makers; newer ones are faster \
         than the one that the terms were fitted to.\n\n\
         | machines | model | prompt: measured | predicted | ratio | generation: measured | predicted | ratio | source |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for (row, [prefill, decode]) in rows {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            row.machines,
            row.model,
            cells(row.prefill, *prefill),
            cells(Some(row.decode), *decode),
            row.source
        );
    }
    page.push_str(
        "\n* Raspberry Pi: the class rests on six runs of four boards; newer runtimes unpack weights faster on these cores.\n\
         * GTX 1660: weights of 16 bits, which no fitted run has; their prompts are taken to reach what the utilisation curve approaches.\n\
         * Mixtures of experts: what a token reads is counted, but their kernels are not those of dense models. Three rows are too few \
         to fit; take such rates with a factor of 2.8 either way.\n\
         * 10 and 4 Raspberry Pis: measured with every layer split over all machines, which read their shares at the same time. The plans \
         of a cold start are pipelines, in which one machine after the other reads for a token; head placement has such splits, of one layer.\n\
         \nNot compared: what the source does not state.\n\n\
         * Starts over llama.cpp\u{2019}s RPC. Its pull request 12620 has 103.8 s for a model of 32 billion parameters, and 25.0 s with a cache: \
         without its bytes, of which the rate of hashing needs none. Issue 9820 has 55.7 s for TinyDolphin 1.1B, where the rate of the link \
         is not stated. Issue 11474 has 1605 s for DeepSeek R1 over 100 Mbit/s, and 26291 has 429 s for Kimi K2.7 with caches: how much of \
         each went to the other machine is not stated.\n\
         * The start of Llama 3.3 70B on four RTX 5000 Ada (30 s from a server\u{2019}s disks, about 600 s from a microSD card): rates of these \
         disks.\n\
         * 674 ms a token for Llama 3 70B on four small machines (prima.cpp), 10 120 ms with llama.cpp: what their systems evict when memory \
         is short, on which such times depend.\n\
         * 42 tokens per second of TinyLlama on a GTX 1660 behind a network, where it generates 74.8 by itself: latency of that network.\n\
         * DeepSeek R1 671B on a cluster (20.2 tokens per second), and models of 2B and 3.8B on a Jetson: which machines and models.\n",
    );
    page
}

#[test]
fn measurements_are_beside_their_predictions() {
    let predicted: Vec<(Measured, [f64; 2])> = rows()
        .into_iter()
        .map(|row| {
            let summary = &answer(&row.scenario)["summary"];
            let rate = |key: &str| {
                let found = summary[key].as_f64();
                found.unwrap_or_else(|| panic!("{}: {summary}", row.machines))
            };
            let rates = [rate("prefill_tok_s"), rate("decode_tok_s")];
            (row, rates)
        })
        .collect();
    for (row, [_, decode]) in &predicted {
        let ratio = decode / row.decode;
        let has_experts = matches!(row.scenario.model, Model::Blocks(_));
        let allowed = if has_experts { 0.37..3.0 } else { 0.5..1.35 };
        let allowed = if row.is_split { 0.1..0.9 } else { allowed };
        assert!(allowed.contains(&ratio), "{}: {ratio}", row.machines);
    }
    let mixtures = predicted
        .iter()
        .filter(|(row, _)| row.scenario.model.has_experts());
    let mut ratios: Vec<f64> = mixtures
        .map(|(row, [_, decode])| decode / row.decode)
        .collect();
    ratios.sort_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs()));
    let median = (ratios[ratios.len() / 2] - 1.0).abs();
    assert_eq!(ratios.len(), OF_EXPERTS.rows as usize);
    assert!((median - OF_EXPERTS.median_error).abs() < 0.01, "{median}");
    let [low, high] = OF_EXPERTS.range;
    let within = ratios
        .iter()
        .all(|ratio| (0.85 * low..=1.15 * high).contains(&(1.0 / ratio)));
    assert!(within, "{ratios:?}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/measurements.md");
    let made = page(&predicted);
    if is_to_be_written() {
        fs::write(path, &made).expect("the documentation can be written");
    }
    assert!(
        fs::read_to_string(path).unwrap_or_default() == made,
        "docs/measurements.md is stale: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native measured"
    );
}
