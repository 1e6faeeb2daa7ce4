//! Measured rates, each with the data sheet of its accelerator.

use engine::model::catalog::{self, CatalogModel};
use engine::model::cost::DecoderCost;
use engine::model::precision::Precision;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;

/// Mean number of tokens that a generated token attends to, over the nine tests of LocalScore [token].
const MEAN_CONTEXT: f64 = 1837.0;
/// The longest context of the nine tests [token]: a machine that has no room for it runs something else.
const LONGEST_CONTEXT: f64 = 4352.0;
/// Prompts of the nine tests of LocalScore [token].
pub const PROMPTS: [f64; 9] = [
    1024.0, 4096.0, 2048.0, 2048.0, 1024.0, 1280.0, 384.0, 64.0, 16.0,
];
/// The most FLOP in a cycle and core that a runtime makes use of: two units of 256 bits that multiply and add.
const WIDEST: f64 = 32.0;
/// Memory of the runtime itself [GB].
const RUNTIME_GB: f64 = 0.5;

/// One published median.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Name of the accelerator, as the benchmark reports it.
    pub accelerator: String,
    /// Name of the model in the catalogue.
    pub model: &'static str,
    /// Class of the accelerator.
    pub class: String,
    /// Generation of the chip.
    pub generation: String,
    /// Measured rate of generation [token/s].
    pub decode: f64,
    /// Measured rate of the prompt: the mean over [`PROMPTS`] [token/s].
    pub prefill: f64,
    /// Memory rate of the data sheet [B/s].
    pub memory_rate: f64,
    /// Peak of the data sheet in FP32 [FLOP/s].
    pub peak: f64,
    /// Weights, keys and values that one token reads [B].
    pub bytes: f64,
    /// Work of one token [FLOP].
    pub work: f64,
    /// Weights of all blocks [B].
    pub block_bytes: f64,
    /// Work of one token of a prompt without attention [FLOP].
    pub prompt_work: f64,
    /// Work of attention on one pair of tokens [FLOP].
    pub pair_work: f64,
    /// Layers of the model.
    pub layers: f64,
}

/// Why a row is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Excluded {
    /// The name does not say which hardware it is.
    UnknownHardware,
    /// The model and its cache do not fit the memory.
    DoesNotFit,
    /// Another model than the three of the benchmark.
    OtherModel,
}

impl Excluded {
    /// Returns the rule.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::UnknownHardware => "the name does not identify the hardware",
            Self::DoesNotFit => "weights and cache do not fit the memory",
            Self::OtherModel => "another model than the three of the benchmark",
        }
    }
}

/// All that was read.
#[derive(Debug)]
pub struct Measurements {
    /// The rows that are used, in the order of the file.
    pub rows: Vec<Measurement>,
    /// How many rows were left out, by rule.
    pub excluded: BTreeMap<Excluded, usize>,
}

#[derive(Deserialize)]
struct RunRow {
    accelerator: String,
    kind: String,
    memory: f64,
    memory_unit: String,
    model: String,
    decode_tok_s_median: f64,
    prefill_tok_s_median: f64,
}

/// A data sheet.
#[derive(Debug, Deserialize)]
pub struct SpecRow {
    /// Name of the accelerator, as the benchmark reports it.
    pub accelerator: String,
    class: String,
    /// Memory rate [GB/s].
    pub memory_gb_s: Option<f64>,
    /// FP32 peak [TFLOPS].
    pub peak_fp32_tflops: Option<f64>,
    generation: String,
    /// Of a processor, FP32 FLOP in a cycle and core.
    pub fp32_flop_per_cycle: Option<f64>,
}

/// The catalogue's name of a model of the benchmark.
fn model_of(name: &str) -> Option<&'static CatalogModel> {
    let name = match name {
        "Llama 3.2 1B Instruct" => "Llama-3.2-1B",
        "Meta Llama 3.1 8B Instruct" => "Llama-3.1-8B",
        "Qwen2.5 14B Instruct" => "Qwen2.5-14B",
        _ => return None,
    };
    catalog::find(name)
}

/// Share of the reported memory that a model can have.
fn usable_share(class: &str, memory_gb: f64) -> f64 {
    match class {
        "Apple GPU" if memory_gb > 32.0 => 0.75,
        "Apple GPU" => 0.70,
        class if class.contains("GPU") => 0.95,
        _ => 0.85,
    }
}

/// Share of a processor's FP32 peak that counts: units of 512 bits do not make it faster than two of 256.
#[must_use]
pub fn used_width(flop_per_cycle: f64) -> f64 {
    flop_per_cycle.min(WIDEST) / flop_per_cycle
}

/// Reads the data sheets.
///
/// # Errors
/// A file that is no CSV of the expected columns.
pub fn read_specs(specs: &str) -> Result<Vec<SpecRow>, csv::Error> {
    csv::Reader::from_reader(specs.as_bytes())
        .deserialize()
        .collect()
}

/// Reads and joins the two files.
///
/// # Errors
/// A file that is no CSV of the expected columns; a run whose accelerator has no data sheet; a unit other than GB.
pub fn read(runs: &str, specs: &str) -> Result<Measurements, Box<dyn Error>> {
    let specs = read_specs(specs)?;
    let mut all = Measurements {
        rows: Vec::new(),
        excluded: BTreeMap::new(),
    };
    for row in csv::Reader::from_reader(runs.as_bytes()).deserialize() {
        let row: RunRow = row?;
        if row.memory_unit != "GB" || !matches!(row.kind.as_str(), "CPU" | "GPU") {
            return Err(format!("{}: {} {}", row.accelerator, row.kind, row.memory_unit).into());
        }
        let spec = specs
            .iter()
            .find(|spec| spec.accelerator == row.accelerator)
            .ok_or_else(|| format!("{} has no data sheet", row.accelerator))?;
        match measurement(&row, spec) {
            Ok(found) => all.rows.push(found),
            Err(rule) => *all.excluded.entry(rule).or_default() += 1,
        }
    }
    Ok(all)
}

fn measurement(row: &RunRow, spec: &SpecRow) -> Result<Measurement, Excluded> {
    let model = model_of(&row.model).ok_or(Excluded::OtherModel)?;
    let (Some(rate), Some(peak)) = (spec.memory_gb_s, spec.peak_fp32_tflops) else {
        return Err(Excluded::UnknownHardware);
    };
    let cost = DecoderCost::from(model);
    let layers = f64::from(model.dims.n_layers);
    let block = cost.block(Precision::Q4KM, Precision::default());
    let cache = layers * block.cache;
    let resident = cost.bytes(Precision::Q4KM) + cache * LONGEST_CONTEXT + 1e9 * RUNTIME_GB;
    if resident > 1e9 * row.memory * usable_share(&spec.class, row.memory) {
        return Err(Excluded::DoesNotFit);
    }
    let block_bytes = layers * block.weights;
    let weights = block_bytes + cost.head_bytes(Precision::Q4KM);
    let prompt_work = layers * block.decode(0.0);
    Ok(Measurement {
        accelerator: row.accelerator.clone(),
        model: model.name,
        class: spec.class.clone(),
        generation: spec.generation.clone(),
        decode: row.decode_tok_s_median,
        prefill: row.prefill_tok_s_median,
        memory_rate: 1e9 * rate,
        peak: 1e12 * peak * spec.fp32_flop_per_cycle.map_or(1.0, used_width),
        bytes: weights + cache * MEAN_CONTEXT,
        work: layers * block.decode(MEAN_CONTEXT) + cost.head(),
        block_bytes,
        prompt_work,
        pair_work: layers * block.decode(1.0) - prompt_work,
        layers,
    })
}
