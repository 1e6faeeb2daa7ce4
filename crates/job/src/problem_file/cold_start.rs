//! Problem files of a cold start, in two forms: bare numbers (`layers`, `devices`), or a model, a prompt length and
//! devices behind a wireless link (`model`, `t` or `tokens`, `link`, `devices`). Integers are numbers,
//! booleans and strings are not; unknown fields are refused by name. Both take a `decode` beside, [`super::cold_decode`].

use super::Answered;
use super::cold_decode::DecodePart;
use crate::Status;
use crate::cold_start::{Answer, Evaluation, Method, Summary, answer, evaluate, summary};
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
pub struct Options {
    /// Who makes the plan.
    pub method: Method,
    /// How the heuristic baseline is read.
    pub heuristic: HeuristicReading,
    /// How a transfer crosses the access point.
    pub relay: Relay,
    /// How far a search may go.
    pub limits: Limits,
}

/// Bare numbers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Low {
    id: Option<Value>,
    layers: Vec<LowLayer>,
    devices: Vec<LowDevice>,
    plan: Option<Vec<Stage>>,
    decode: Option<DecodePart>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub(super) struct LowLayer {
    W: f64,
    A: f64,
    P: f64,
    /// With `decode`: arithmetic of one token [FLOP], keys and values of one token [B], tokens kept at most.
    pub(super) W_dec: Option<f64>,
    pub(super) kv: Option<f64>,
    pub(super) window: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LowDevice {
    #[serde(default)]
    name: String,
    c: f64,
    c_peak: Option<f64>,
    r: f64,
    bu: f64,
    bd: f64,
    m: f64,
    /// With `decode`: memory bandwidth [B/s], compute rate on one token [FLOP/s].
    pub(super) beta: Option<f64>,
    pub(super) c_dec: Option<f64>,
}

/// A model, a prompt length and devices behind a link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct High {
    id: Option<Value>,
    model: HighModel,
    t: Option<f64>,
    tokens: Option<Vec<f64>>,
    link: Channel,
    devices: Vec<HighDevice>,
    plan: Option<Vec<Stage>>,
    decode: Option<DecodePart>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HighModel {
    /// A label; allowed, and of no consequence.
    #[serde(default, rename = "name")]
    _name: String,
    layers: f64,
    d_model: f64,
    h_q: f64,
    h_k: f64,
    d_head: f64,
    d_ff: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct HighDevice {
    #[serde(default)]
    name: String,
    c_peak_tflops: f64,
    a: f64,
    b: f64,
    r_mb_s: f64,
    m_gb: f64,
    pu_dbm: f64,
    pd_dbm: f64,
    d_m: f64,
    mu: Option<f64>,
    B_mhz: Option<f64>,
    N0_dbm_hz: Option<f64>,
    d0_m: Option<f64>,
    zeta: Option<f64>,
    beta0_db: Option<f64>,
    /// With `decode`: memory bandwidth [GB/s].
    beta_gb_s: Option<f64>,
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
    Many(Lengths),
}

/// A document with several prompt lengths, each of which was found valid.
pub(super) struct Lengths {
    tokens: Vec<f64>,
    model: Transformer,
    devices: Vec<PhysicalDevice>,
    relay: Relay,
    decode: Option<DecodePart>,
    bandwidths: Vec<Option<f64>>,
}

impl Lengths {
    /// What `answer` makes of each prompt length in order; one problem at a time is in memory.
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
        let problem = ColdStart::from_physics(&self.model, t, path, &self.devices, self.relay)?;
        match &self.decode {
            Some(part) => problem.with_decode(&part.high(&self.model, t, &self.bandwidths)?),
            None => Ok(problem),
        }
    }
}

/// An answer with what the document adds to it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Body {
    Solved(Box<Answer>),
    SolvedRows {
        rows: Vec<SolvedRow>,
        summary: Summary,
    },
    Evaluated(Evaluation),
    EvaluatedRows {
        rows: Vec<EvaluatedRow>,
    },
}

#[derive(Debug, Serialize)]
struct SolvedRow {
    t: f64,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Debug, Serialize)]
struct EvaluatedRow {
    t: f64,
    #[serde(flatten)]
    evaluation: Evaluation,
}

/// A finished document: ready to print, with the status that decides the exit code.
#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    body: Body,
}

impl Answered for Output {
    /// Rows count as infeasible only when all are.
    fn status(&self) -> Option<Status> {
        match &self.body {
            Body::Solved(answer) => Some(answer.status),
            Body::SolvedRows { rows, .. } => {
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
            Body::Evaluated(_) | Body::EvaluatedRows { .. } => None,
        }
    }
}

/// Solves one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &Options,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Output, Invalid> {
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
    let body = match document.problems {
        Problems::One(problem) => Body::Solved(Box::new(one(&problem))),
        Problems::Many(lengths) => {
            let rows: Vec<SolvedRow> = lengths.rows(|t, problem| {
                let answer = one(problem);
                Ok(SolvedRow { t, answer })
            })?;
            let summary = summary(rows.iter().map(|row| &row.answer));
            Body::SolvedRows { rows, summary }
        }
    };
    Ok(Output {
        id: document.id,
        body,
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
pub fn score(text: &str, options: &Options) -> Result<Output, Invalid> {
    let document = read(text, options.relay)?;
    let Some(plan) = document.plan else {
        return Err(Invalid::new(
            Code::Missing,
            "plan",
            Value::Null,
            "plan is missing: `evaluate` scores a given plan",
        ));
    };
    let body = match document.problems {
        Problems::One(problem) => Body::Evaluated(evaluate(&problem, &plan)?),
        Problems::Many(lengths) => {
            let row = |t, problem: &ColdStart| {
                let evaluation = evaluate(problem, &plan)?;
                Ok(EvaluatedRow { t, evaluation })
            };
            Body::EvaluatedRows {
                rows: lengths.rows(row)?,
            }
        }
    };
    Ok(Output {
        id: document.id,
        body,
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
    let problem = ColdStart::new(&layers, &devices, relay)?;
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
    let own: Vec<ChannelPart> = document.devices.iter().map(HighDevice::own).collect();
    let bandwidths: Vec<Option<f64>> = document.devices.iter().map(|d| d.beta_gb_s).collect();
    let devices: Vec<PhysicalDevice> = document
        .devices
        .into_iter()
        .enumerate()
        .map(|(place, device)| physical(place, device, &document.link))
        .collect();
    let lengths = |tokens: Vec<f64>| Lengths {
        tokens,
        model,
        devices,
        relay,
        decode: document.decode,
        bandwidths,
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
    /// What it says of the channel itself.
    fn own(&self) -> ChannelPart {
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
    let own = d.own();
    PhysicalDevice {
        place,
        name: d.name,
        hardware: hardware::Device {
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
    }
}
