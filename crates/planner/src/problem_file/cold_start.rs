//! Problem files of a cold start, in two forms: bare numbers (`layers`, `devices`), or a model, a prompt length and
//! devices behind a wireless link (`model`, `t` or `tokens`, `link`, `devices`). Integers are numbers,
//! booleans and strings are not; unknown fields are refused by name. Both take a `decode` beside, [`super::cold_decode`].

use super::cold_decode::{DecodeDevice, DecodePart};
use super::{Answered, Output};
use crate::Status;
use crate::cold_start::{Answer, ColdStartMethod, Evaluation, Summary, answer, evaluate, summary};
use engine::hardware;
use engine::model::Transformer;
use engine::network::Relay;
use engine::plan::{Pipeline, Stage};
use engine::problem::{
    Code, ColdStart, HeuristicReading, Invalid, LayerNumbers, MOST_LAYERS, MachineNumbers,
    PhysicalDevice, json,
};
use engine::scenario::{Channel, ChannelPart};
use engine::solve::{Limits, Progress};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Options that a problem file does not carry.
#[derive(Debug, Clone, Copy, Default)]
pub struct ColdStartOptions {
    /// Method that makes the plan.
    pub method: ColdStartMethod,
    /// How the heuristic baseline is read.
    pub heuristic: HeuristicReading,
    /// How a transfer crosses the access point.
    pub relay: Relay,
    /// How far a search may go.
    pub limits: Limits,
}

/// A cold start in bare numbers.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Low {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The layers in order.
    layers: Vec<LowLayer>,
    /// The devices.
    devices: Vec<LowDevice>,
    /// A plan to be scored, `[[device, first, last], …]` in running order.
    plan: Option<Vec<Stage>>,
    /// The tokens that follow the first one.
    decode: Option<DecodePart>,
}

/// A layer in bare numbers.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct LowLayer {
    /// Arithmetic of one forward pass [FLOP]; above 0.
    W: f64,
    /// Output that the next layer needs [B]; 0 or above.
    A: f64,
    /// Parameters [B]; above 0.
    P: f64,
    /// With `decode`: arithmetic of one token [FLOP]; above 0.
    pub(super) W_dec: Option<f64>,
    /// With `decode`: parameters that one token reads, for a mixture of experts [B]; from 0 to P, all of them if left out.
    pub(super) P_dec: Option<f64>,
    /// With `decode`: keys and values of one token [B]; 0 or above.
    pub(super) kv: Option<f64>,
    /// With `decode`: the most tokens whose keys and values are kept [tokens]; above 0.
    pub(super) window: Option<f64>,
}

/// A device in bare numbers.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LowDevice {
    /// A label.
    #[serde(default)]
    name: String,
    /// Compute rate that is reached [FLOP/s]; above 0.
    c: f64,
    /// Peak compute rate, for readings of the heuristic baseline that use it [FLOP/s]; above 0.
    c_peak: Option<f64>,
    /// Rate at which weights are read from disk [B/s]; above 0.
    r: f64,
    /// Rate to the access point [bit/s]; above 0.
    bu: f64,
    /// Rate from the access point [bit/s]; above 0.
    bd: f64,
    /// Memory [B]; 0 or above.
    m: f64,
    /// Energy of reading a byte from disk, for the answer’s `load_energy_j` [J/B]; 0 or above.
    j_per_b: Option<f64>,
    /// With `decode`: memory bandwidth [B/s]; above 0.
    pub(super) beta: Option<f64>,
    /// With `decode`: compute rate on one token [FLOP/s]; above 0.
    pub(super) c_dec: Option<f64>,
    /// With `decode`: fixed time of each layer and token [s]; 0 or above.
    pub(super) layer_s: Option<f64>,
    /// With `decode`: time of each token after the last layer, on the device that has it [s]; 0 or above.
    pub(super) token_s: Option<f64>,
}

/// A cold start with a model, one or several prompt lengths, and devices behind a wireless link.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    schemars(extend("oneOf" = [{"required": ["t"]}, {"required": ["tokens"]}]))
)]
#[serde(deny_unknown_fields)]
pub struct High {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The model.
    model: HighModel,
    /// Prompt length [tokens]; above 0.
    t: Option<f64>,
    /// Several prompt lengths, each answered in a row of its own [tokens]; each above 0.
    tokens: Option<Vec<f64>>,
    /// The channel that all devices share.
    link: Channel,
    /// The devices.
    devices: Vec<HighDevice>,
    /// A plan to be scored, `[[device, first, last], …]` in running order.
    plan: Option<Vec<Stage>>,
    /// The tokens that follow the first one; its `t` is that of the document.
    decode: Option<DecodePart>,
}

/// A transformer of identical blocks.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HighModel {
    /// A label; of no consequence.
    #[serde(default, rename = "name")]
    _name: String,
    /// Number of blocks; whole, from 1 to 10000000.
    layers: f64,
    /// Hidden size; 0 or above.
    d_model: f64,
    /// Query heads; 0 or above.
    h_q: f64,
    /// Key/value heads; 0 or above.
    h_k: f64,
    /// Width of a head; 0 or above.
    d_head: f64,
    /// Feed-forward width; 0 or above.
    d_ff: f64,
}

/// A device with the figures of a data sheet, behind the link.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct HighDevice {
    /// A label.
    #[serde(default)]
    name: String,
    /// Peak compute [TFLOPS]; above 0.
    c_peak_tflops: f64,
    /// Utilisation that long prompts approach; above 0.
    a: f64,
    /// How soon it is approached [1/token]; above 0.
    b: f64,
    /// Disk read rate [MB/s]; above 0.
    r_mb_s: f64,
    /// Memory [GB]; 0 or above.
    m_gb: f64,
    /// Uplink power [dBm].
    pu_dbm: f64,
    /// Downlink power [dBm].
    pd_dbm: f64,
    /// Distance to the access point [m]; above 0.
    d_m: f64,
    /// Its own share of the Shannon rate; above 0.
    mu: Option<f64>,
    /// Its own bandwidth [MHz]; above 0.
    B_mhz: Option<f64>,
    /// Its own noise density [dBm/Hz].
    N0_dbm_hz: Option<f64>,
    /// Its own reference distance [m]; above 0.
    d0_m: Option<f64>,
    /// Its own path-loss exponent.
    zeta: Option<f64>,
    /// Its own gain at the reference distance [dB].
    beta0_db: Option<f64>,
    /// With `decode`: memory bandwidth [GB/s]; above 0.
    beta_gb_s: Option<f64>,
    /// With `decode`: fixed time of each layer and token [s]; 0 or above.
    layer_s: Option<f64>,
    /// With `decode`: time of each token after the last layer, on the device that has it [s]; 0 or above.
    token_s: Option<f64>,
    /// Energy of reading from disk, for the answer’s `load_energy_j` [J/GB]; 0 or above.
    disk_j_per_gb: Option<f64>,
}

/// A document, read and validated.
pub(super) struct Document {
    pub(super) id: Option<Value>,
    pub(super) problems: Problems,
    pub(super) plan: Option<Vec<Stage>>,
}

pub(super) enum Problems {
    One(ColdStart),
    /// One a prompt length, each made when its turn comes: a model may have ten million layers.
    Many(ProblemLengths),
}

/// A document with several prompt lengths, each of which was found valid.
pub(super) struct ProblemLengths {
    tokens: Vec<f64>,
    model: Transformer,
    devices: Vec<PhysicalDevice>,
    relay: Relay,
    decode: Option<DecodePart>,
    decode_devices: Vec<DecodeDevice>,
    energies: Vec<Option<f64>>,
}

impl ProblemLengths {
    /// Calls `answer` for each prompt length in order. Only one problem is in memory at a time.
    ///
    /// # Errors
    /// The first that `answer` gives.
    pub(super) fn rows<R>(
        &self,
        mut answer: impl FnMut(f64, &ColdStart) -> Result<R, Invalid>,
    ) -> Result<Vec<R>, Invalid> {
        let row = |(i, t): (usize, &f64)| answer(*t, &self.problem(*t, &format!("tokens[{i}]"))?);
        self.tokens.iter().enumerate().map(row).collect()
    }

    fn problem(&self, t: f64, path: &str) -> Result<ColdStart, Invalid> {
        let problem = ColdStart::from_physics(&self.model, t, path, &self.devices, self.relay)?
            .with_disk_energy("disk_j_per_gb", 1e9, &self.energies)?;
        match &self.decode {
            Some(part) => problem.with_decode(&part.high(&self.model, t, &self.decode_devices)?),
            None => Ok(problem),
        }
    }
}

/// Result of a problem file: one answer, or one for each prompt length.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Solved {
    /// To one prompt length.
    One(Box<Answer>),
    /// To several.
    Rows {
        /// The answers in the order of `tokens`.
        rows: Vec<SolvedRow>,
        /// Summary over all prompt lengths.
        summary: Summary,
    },
}

/// The answer to one of several prompt lengths.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct SolvedRow {
    /// Prompt length [tokens].
    t: f64,
    #[serde(flatten)]
    answer: Answer,
}

/// Score of the plan of a problem file, at one prompt length or at several.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Scored {
    /// At one.
    One(Evaluation),
    /// At several.
    Rows {
        /// The figures in the order of `tokens`.
        rows: Vec<ScoredRow>,
    },
}

/// The figures at one of several prompt lengths.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct ScoredRow {
    /// Prompt length [tokens].
    t: f64,
    #[serde(flatten)]
    evaluation: Evaluation,
}

impl Answered for Solved {
    /// Rows count as infeasible only when all are.
    fn status(&self) -> Option<Status> {
        match self {
            Self::One(answer) => Some(answer.status),
            Self::Rows { rows, .. } => {
                let first = rows.first().map(|row| row.answer.status);
                let alike = rows.iter().all(|row| Some(row.answer.status) == first);
                let planned = |s: Status| matches!(s, Status::Optimal | Status::Feasible);
                match first {
                    Some(status) if alike => Some(status),
                    _ if rows.iter().any(|row| planned(row.answer.status)) => {
                        Some(Status::Feasible)
                    }
                    _ => Some(Status::Stopped),
                }
            }
        }
    }
}

impl Answered for Scored {
    fn status(&self) -> Option<Status> {
        None
    }
}

/// Solves one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &ColdStartOptions,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Output<Solved>, Invalid> {
    let document = unplanned(text, options.relay)?;
    let mut one = |problem: &ColdStart| {
        answer(
            problem,
            options.method,
            options.heuristic,
            &options.limits,
            progress,
        )
    };
    let answer = match document.problems {
        Problems::One(problem) => Solved::One(Box::new(one(&problem))),
        Problems::Many(lengths) => {
            let rows: Vec<SolvedRow> = lengths.rows(|t, problem| {
                let answer = one(problem);
                Ok(SolvedRow { t, answer })
            })?;
            let summary = summary(rows.iter().map(|row| &row.answer));
            Solved::Rows { rows, summary }
        }
    };
    Ok(Output {
        id: document.id,
        answer,
    })
}

/// A document without a plan.
///
/// # Errors
/// As [`solve`].
pub(super) fn unplanned(text: &str, relay: Relay) -> Result<Document, Invalid> {
    let document = read(text, relay)?;
    if document.plan.is_some() {
        let message = "plan is not a field here: a given plan is scored by `evaluate`";
        return Err(Invalid::new(Code::Unknown, "plan", Value::Null, message));
    }
    Ok(document)
}

/// Scores the plan that a document gives.
///
/// # Errors
/// As [`solve`]; a plan that is none is bad input at `plan[i]`.
pub fn score(text: &str, options: &ColdStartOptions) -> Result<Output<Scored>, Invalid> {
    let document = read(text, options.relay)?;
    let Some(plan) = document.plan else {
        return Err(Invalid::new(
            Code::Missing,
            "plan",
            Value::Null,
            "plan is missing: `evaluate` scores a given plan",
        ));
    };
    let answer = match document.problems {
        Problems::One(problem) => Scored::One(evaluate(&problem, &plan)?),
        Problems::Many(lengths) => {
            let row = |t, problem: &ColdStart| {
                let evaluation = evaluate(problem, &plan)?;
                Ok(ScoredRow { t, evaluation })
            };
            Scored::Rows {
                rows: lengths.rows(row)?,
            }
        }
    };
    Ok(Output {
        id: document.id,
        answer,
    })
}

/// Which form a document has, by its keys alone: a guess from the values would blame the wrong fields.
fn is_high(text: &str) -> bool {
    type Keys = std::collections::BTreeMap<String, serde::de::IgnoredAny>;
    let keys: Keys = serde_json::from_str(json::unmarked(text)).unwrap_or_default();
    !keys.contains_key("layers")
        && ["model", "t", "tokens", "link"]
            .iter()
            .any(|key| keys.contains_key(*key))
}

fn read(text: &str, relay: Relay) -> Result<Document, Invalid> {
    if is_high(text) {
        high(
            json::read(text, &["", "model", "link", "devices[]", "decode"])?,
            relay,
        )
    } else {
        let objects = ["", "layers[]", "devices[]", "decode"];
        low(json::read(text, &objects)?, relay)
    }
}

fn low(document: Low, relay: Relay) -> Result<Document, Invalid> {
    let layers: Vec<LayerNumbers> = document
        .layers
        .iter()
        .map(|l| LayerNumbers {
            work: l.W,
            activation: l.A,
            weights: l.P,
        })
        .collect();
    let terms = document
        .decode
        .as_ref()
        .map(|part| part.low(&document.layers, &document.devices))
        .transpose()?;
    let energies: Vec<Option<f64>> = document.devices.iter().map(|d| d.j_per_b).collect();
    let devices: Vec<MachineNumbers> = document
        .devices
        .into_iter()
        .map(|d| MachineNumbers {
            name: d.name,
            compute: d.c,
            peak: d.c_peak,
            disk: d.r,
            up: d.bu,
            down: d.bd,
            memory: d.m,
        })
        .collect();
    let problem =
        ColdStart::new(&layers, &devices, relay)?.with_disk_energy("j_per_b", 1.0, &energies)?;
    let problem = match terms {
        Some(numbers) => problem.with_decode(&numbers)?,
        None => problem,
    };
    Ok(Document {
        id: document.id,
        problems: Problems::One(problem),
        plan: document.plan,
    })
}

fn high(document: High, relay: Relay) -> Result<Document, Invalid> {
    let m = &document.model;
    if !(m.layers >= 1.0 && m.layers <= MOST_LAYERS && libm::trunc(m.layers) == m.layers) {
        return Err(Invalid::range(
            "model.layers",
            m.layers,
            "a whole number from 1 to 10000000",
        ));
    }
    let model = Transformer {
        n_layers: m.layers as u32,
        d_model: m.d_model,
        h_q: m.h_q,
        h_k: m.h_k,
        d_head: m.d_head,
        d_ff: m.d_ff,
    };
    let own: Vec<ChannelPart> = document.devices.iter().map(HighDevice::channel).collect();
    let decode_devices = document.devices.iter().map(HighDevice::decode).collect();
    let energies = document.devices.iter().map(|d| d.disk_j_per_gb).collect();
    let devices: Vec<PhysicalDevice> = document
        .devices
        .into_iter()
        .enumerate()
        .map(|(place, device)| physical(place, device, &document.link))
        .collect();
    let lengths = |tokens: Vec<f64>| ProblemLengths {
        tokens,
        model,
        devices,
        relay,
        decode: document.decode,
        decode_devices,
        energies,
    };
    let shared = |fault: Invalid| of_link(fault, &own);
    let problems = match (document.t, document.tokens) {
        (Some(t), None) => Problems::One(lengths(vec![t]).problem(t, "t").map_err(shared)?),
        (None, Some(tokens)) if tokens.is_empty() => {
            return Err(Invalid::range(
                "tokens",
                tokens,
                "a list with at least one prompt length",
            ));
        }
        (None, Some(tokens)) => {
            let lengths = lengths(tokens);
            // Bad input is refused before any search; each problem is made again when its turn comes.
            lengths.rows(|_, _| Ok(())).map_err(shared)?;
            Problems::Many(lengths)
        }
        (None, None) => {
            let message = "t is missing: give a prompt length as t, or several as tokens";
            return Err(Invalid::new(Code::Missing, "t", Value::Null, message));
        }
        (Some(_), Some(tokens)) => {
            let message = "tokens cannot be combined with t: give one of the two";
            return Err(Invalid::new(Code::Unknown, "tokens", tokens, message));
        }
    };
    Ok(Document {
        id: document.id,
        problems,
        plan: document.plan,
    })
}

impl HighDevice {
    /// Returns what decoding needs.
    fn decode(&self) -> DecodeDevice {
        DecodeDevice {
            bandwidth_gb_s: self.beta_gb_s,
            compute: 1e12 * self.c_peak_tflops * self.a,
            layer_s: self.layer_s,
            token_s: self.token_s,
        }
    }

    /// Returns the fields of the channel itself.
    fn channel(&self) -> ChannelPart {
        ChannelPart {
            mu: self.mu,
            B_mhz: self.B_mhz,
            N0_dbm_hz: self.N0_dbm_hz,
            d0_m: self.d0_m,
            zeta: self.zeta,
            beta0_db: self.beta0_db,
        }
    }
}

/// A fault of a device's channel, named where it was typed: in `link`, unless the device has a value of its own.
fn of_link(fault: Invalid, own: &[ChannelPart]) -> Invalid {
    let typed = || {
        let (place, key) = fault.path.strip_prefix("devices[")?.split_once("].")?;
        let own = own.get(place.parse::<usize>().ok()?)?;
        let own = match key {
            "mu" => own.mu,
            "B_mhz" => own.B_mhz,
            "N0_dbm_hz" => own.N0_dbm_hz,
            "d0_m" => own.d0_m,
            "zeta" => own.zeta,
            "beta0_db" => own.beta0_db,
            _ => return None,
        };
        own.is_none().then(|| format!("link.{key}"))
    };
    let Some(path) = typed() else {
        return fault;
    };
    let message = fault.message.replacen(&fault.path, &path, 1);
    Invalid {
        path,
        message,
        ..fault
    }
}

fn physical(place: usize, d: HighDevice, shared: &Channel) -> PhysicalDevice {
    let own = d.channel();
    PhysicalDevice {
        place,
        name: d.name,
        hardware: hardware::DeviceHardware {
            peak_tflops: d.c_peak_tflops,
            util_limit: d.a,
            util_rate: d.b,
            disk_mb_s: d.r_mb_s,
            memory_gb: d.m_gb,
            uplink_dbm: d.pu_dbm,
            downlink_dbm: d.pd_dbm,
            distance_m: d.d_m,
        },
        channel: shared.with(&own).into(),
        compute: None,
    }
}
