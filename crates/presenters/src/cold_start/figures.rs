//! The figures of a cold start: what the first answer is made of, and what else counts, each with the paper's equation and the
//! numbers of this plan.

use super::TimeParts;
use document::{FigurePart, Figures, Formula, Quantity, Unit};
use engine::network::Relay;
use engine::plan::StageTiming;
use engine::problem::{ColdStart, LoadOrder, StageSums, device_name};
use engine::units::{MINUS, TimeFormat, bytes, count, percent, seconds, tokens_a_second};
use planner::cold_start::{Answer, BaselineAnswer, gain_pct};
use planner::cold_start_decode::DecodeAnswer;

/// Sizes that differ by less than this share are the same but for rounding.
const SAME: f64 = 1e-6;

/// The fields that a stage's load goes by.
const OF_LOADS: &[&str] = &[
    "r_mb_s",
    "layers",
    "repeat",
    "d_model",
    "h_q",
    "h_k",
    "d_head",
    "d_ff",
    "P",
    "weight_bytes",
    "weights",
];
/// Fields that a transfer time follows from.
const OF_TRANSFERS: &[&str] = &[
    "prompt_tokens",
    "A",
    "token_bytes",
    "relay",
    "mu",
    "B_mhz",
    "N0_dbm_hz",
    "d0_m",
    "zeta",
    "beta0_db",
    "pu_dbm",
    "pd_dbm",
    "d_m",
];
/// Fields that a compute time follows from.
const OF_COMPUTING: &[&str] = &[
    "c_peak_tflops",
    "a",
    "b",
    "prefill_tflops",
    "attention_tflops",
    "batch_us",
    "W",
    "token_flop",
    "pair_flop",
    "window",
];
/// Fields that the memory of a device follows from.
const OF_MEMORY: &[&str] = &[
    "m_gb",
    "usable_pct",
    "context_tokens",
    "embedding_bytes",
    "head_bytes",
    "embedding_weights",
    "head_weights",
    "vocabulary",
    "P",
    "weight_bytes",
    "weights",
    "cache",
];
/// Fields that the time of a token after the first one follows from.
const OF_TOKENS: &[&str] = &[
    "bandwidth_gb_s",
    "memory_share",
    "decode_tflops",
    "layer_us",
    "host_factor",
    "token_ms",
    "hop_ms",
    "answer_tokens",
    "requests",
    "kv_bytes",
];

/// The stage whose memory is fullest, the first of equals.
#[must_use]
pub fn tightest<'a>(problem: &ColdStart, timeline: &'a [StageTiming]) -> Option<&'a StageTiming> {
    let fill = |s: &StageTiming| s.mem / problem.machines()[s.device].memory.get();
    timeline
        .iter()
        .reduce(|best, next| if fill(next) > fill(best) { next } else { best })
}

/// The figures of the first answer; `None` without a plan.
#[must_use]
pub fn figures(problem: &ColdStart, answer: &Answer) -> Option<Figures> {
    let (timeline, total) = (answer.timeline.as_deref()?, answer.T?);
    let TimeParts { stall, comm, comp } = TimeParts::of(timeline);
    let whole = Formula::of_sum(
        "T = Σ stall + Σ transfer + Σ compute",
        (&[stall, comm, comp], total),
        "CSGO, equations (17), (18) and (23)",
        &[OF_LOADS, OF_TRANSFERS, OF_COMPUTING].concat(),
    );
    let whole = Quantity::new("first_answer", "First answer", total, Unit::Seconds).by(whole);
    let mut others: Vec<Quantity> = memory(problem, timeline).into_iter().collect();
    others.push(free(timeline));
    others.extend(gain(answer));
    Some(Figures {
        quantities: Vec::new(),
        total: Some(whole),
        shares: stage_parts(problem, timeline).into(),
        other_quantities: others,
    })
}

/// One summand a stage, in running order: the parts themselves, and their sum [s].
fn summed(timeline: &[StageTiming], part: fn(&StageTiming) -> f64) -> (Vec<f64>, f64) {
    let all: Vec<f64> = timeline.iter().map(part).collect();
    let sum = all.iter().sum();
    (all, sum)
}

fn stage_parts(problem: &ColdStart, timeline: &[StageTiming]) -> [FigurePart; 3] {
    let part = |(key, name, class): (&str, &str, &str), of, symbols: &str, source: &str, inputs| {
        let (all, sum) = summed(timeline, of);
        let formula = Formula::of_sum(symbols, (&all, sum), source, inputs);
        FigurePart {
            quantity: Quantity::new(key, name, sum, Unit::Seconds).by(formula),
            class: class.to_owned(),
        }
    };
    [
        part(
            ("stall", "Waiting for weights", "k-load"),
            |s| s.stall,
            match problem.load_order() {
                LoadOrder::BeforeAll => "Σ bytes of all stages × time for a byte to arrive",
                LoadOrder::Beside | LoadOrder::OnDemand => {
                    "Σ stall, a stage\u{2019}s stall = max(0, its load \u{2212} finish of the stage before)"
                }
            },
            match problem.load_order() {
                LoadOrder::BeforeAll => {
                    "Not in CSGO: all weights arrive before the first layer is computed"
                }
                LoadOrder::Beside | LoadOrder::OnDemand => "CSGO, equations (17) and (19)",
            },
            OF_LOADS,
        ),
        part(
            ("transfer", "Transfer", "k-transfer"),
            |s| s.comm,
            match problem.relay() {
                Relay::SlowerHop => "Σ transfer, a transfer = 8 × bytes / rate of its slower hop",
                Relay::StoreAndForward => {
                    "Σ transfer, a transfer = 8 × bytes / uplink + 8 × bytes / downlink"
                }
            },
            match problem.relay() {
                Relay::SlowerHop => "CSGO, equation (20)",
                Relay::StoreAndForward => {
                    "CSGO, equation (20) takes the slower hop alone; here both add up, as the scenario says"
                }
            },
            OF_TRANSFERS,
        ),
        part(
            ("compute", "Compute", "k-compute"),
            |s| s.comp,
            match problem.load_order() {
                LoadOrder::OnDemand => {
                    "Σ compute, a stage\u{2019}s compute = FLOP / compute rate + bytes / disk rate"
                }
                LoadOrder::Beside | LoadOrder::BeforeAll => {
                    "Σ compute, a stage\u{2019}s compute = FLOP of its layers / compute rate of its device"
                }
            },
            match problem.load_order() {
                LoadOrder::OnDemand => {
                    "CSGO, equation (21); beyond it, weights are read when a layer is computed first"
                }
                LoadOrder::Beside | LoadOrder::BeforeAll => "CSGO, equation (21)",
            },
            &[OF_COMPUTING, &["prompt_tokens"]].concat(),
        ),
    ]
}

/// How full the fullest device is.
fn memory(problem: &ColdStart, timeline: &[StageTiming]) -> Option<Quantity> {
    let stage = tightest(problem, timeline)?;
    let layers = &problem.layers()[stage.s - 1..stage.e];
    let sums = StageSums::of(layers);
    let capacity = problem.machines()[stage.device].memory.get();
    let fill = stage.mem / capacity;
    // Of weights that may be read again, those that have room are in memory.
    let weights = sums.weights - problem.streamed(stage.device, &sums);
    let rest = stage.mem - weights;
    let outputs = layers.iter().map(|layer| layer.activation.get());
    let symbols = match rest > outputs.fold(0.0, f64::max) * (1.0 + SAME) {
        true => "(largest output, cache and ends of the model + weights) / memory",
        false => "(largest output + weights) / memory",
    };
    let [rest, weights, held, room] = [rest, weights, stage.mem, capacity].map(bytes);
    let filled = format!(
        "({rest} + {weights}) / {room} = {}",
        percent(100.0 * fill, 0)
    );
    let where_ = format!("{}, {held} of {room}", device_name(problem, stage.device));
    Some(
        Quantity::new("memory", "Tightest memory", fill, Unit::WholeShare)
            .with_note(where_)
            .by(Formula::new(
                symbols,
                filled,
                "CSGO, equation (22)",
                OF_MEMORY,
            )),
    )
}

/// How long devices are free for others before the first answer is there.
fn free(timeline: &[StageTiming]) -> Quantity {
    let (all, sum) = summed(timeline, |s| s.idle_after);
    Quantity::new("free", "Free after work", sum, Unit::Seconds)
        .with_note("over devices in use")
        .by(Formula::of_sum(
            "Σ (T \u{2212} finish) over the devices in use",
            (&all, sum),
            "CSGO, equations (18) and (23)",
            &[OF_LOADS, OF_TRANSFERS, OF_COMPUTING].concat(),
        ))
}

/// Returns the gain over the best simple split that fits; `None` if none does.
fn gain(answer: &Answer) -> Option<Quantity> {
    let (name, best) = answer.baselines.best()?;
    let (base, ours) = (BaselineAnswer::objective(best), answer.objective?);
    let unit = TimeFormat::of_largest(ours.max(base));
    let gain = gain_pct(base, ours);
    let whole = answer
        .decode
        .as_ref()
        .is_some_and(|decode| decode.goal == "whole-answer");
    let symbols = match whole {
        true => "(T + G D of the split \u{2212} T \u{2212} G D) / (T + G D of the split)",
        false => "(T of the split \u{2212} T) / T of the split",
    };
    let [a, b] = [base, ours].map(|time| unit.figure(time));
    let filled = format!("({a} {MINUS} {b}) / {a} = {}", percent(gain, 1));
    let name_of = match name {
        "single" => "one device alone",
        "even" => "the even split",
        _ => "the heuristic",
    };
    Some(
        Quantity::new(
            "gain",
            "Gain over the best simple split",
            gain / 100.0,
            Unit::Share,
        )
        .with_note(format!("{name_of}, {}", unit.with_unit(base)))
        .by(Formula::new(
            symbols,
            filled,
            "CSGO, section 5.2, Fig. 3(b)",
            &["heuristic"],
        )),
    )
}

/// Source of the model of tokens after the first one.
const BEYOND: &str = "Not in CSGO, which ends at the first answer: every token reads the weights that it is multiplied with once";

/// The figures of the tokens after the first one; `None` where no answer is planned for, or without a plan.
#[must_use]
pub fn token_figures(answer: &Answer) -> Option<Figures> {
    let (decode, first) = (answer.decode.as_ref()?, answer.T?);
    Some(Figures {
        quantities: Vec::new(),
        total: None,
        shares: Vec::new(),
        other_quantities: of_tokens(decode, first).into(),
    })
}

fn of_tokens(decode: &DecodeAnswer, first: f64) -> [Quantity; 3] {
    let times: Vec<f64> = decode.stages.iter().map(|stage| stage.time).collect();
    let busiest = times.iter().copied().fold(0.0, f64::max);
    let inputs = &[OF_TOKENS, OF_TRANSFERS, OF_COMPUTING].concat();
    let unit = TimeFormat::of_largest(decode.total);
    let whole = format!(
        "{} + {} × {} = {}",
        unit.with_unit(first),
        count(decode.answer_tokens),
        seconds(decode.D),
        seconds(decode.total)
    );
    let rate = tokens_a_second(decode.rate);
    [
        Quantity::new("per_token", "Time per token", decode.D, Unit::Seconds)
            .with_note(format!(
                "alone, {}",
                tokens_a_second(decode.rate_one_request)
            ))
            .by(Formula::of_sum(
                match decode.stages.iter().any(|stage| stage.reread > 0.0) {
                    true => "D = Σ stages (receive + max(compute, read memory) + read again from disk + fixed times of layers, head and sampling); the first stage receives the token that came out",
                    false => "D = Σ stages (receive + max(compute, read memory) + fixed times of layers, head and sampling); the first stage receives the token that came out",
                },
                (&times, decode.D),
                BEYOND,
                inputs,
            )),
        Quantity::new("rate", "Full pipeline", decode.rate, Unit::TokensPerSecond)
            .with_note(format!("the busiest stage takes {}", seconds(busiest)))
            .by(Formula::new(
                "1 / time of the busiest stage",
                format!("1 / {} = {rate}", seconds(busiest)),
                BEYOND,
                inputs,
            )),
        Quantity::new("whole_answer", "Whole answer", decode.total, Unit::Seconds)
            .with_note(format!("{} tokens on this plan", count(decode.answer_tokens)))
            .by(Formula::new("T + G × D", whole, BEYOND, inputs)),
    ]
}
