//! Defaults for numbers that are not given: each rule states its reason and the likely range.
//!
//! A rule rests on what is known, or on rules that are before it: peak compute and memory rate first, then what follows from
//! them, then rates of tokens, which also need the model.

use super::fact::{FactOrigin, Given, WorldFact, find_fact};
use super::{World, WorldMachine};
use crate::hardware::calibration::{self, Accuracy, GenerationTerms, HOSTS, OF_EXPERTS};
use crate::hardware::machines;
use crate::hardware::{self, machines::of_any_machine};
use crate::model::catalog as models;
use crate::model::precision::{BYTES_16, Precision};
use crate::network::{self, catalog::CHANNELS, links};
use crate::scenario::decode::LayersOfToken;
use crate::scenario::fields::NumberFields;
use crate::scenario::prefill::prompt_rate;
use crate::scenario::{Channel, Device, Dimensions, Model};
use crate::units::rounded;

/// Default, its likely range, and the reason.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Guess {
    pub value: f64,
    pub range: Option<(f64, f64)>,
    pub why: String,
}

/// Utilisation at long prompts where nothing better is known: of all machines.
const UTILISATION: f64 = 0.5;
/// The model that is taken where none is given.
const ANY_MODEL: &str = "Qwen3-4B";
fn guess(value: f64, range: Option<(f64, f64)>, why: impl Into<String>) -> Guess {
    Guess {
        value,
        range,
        why: why.into(),
    }
}

/// A number that follows from others: to three digits, because it is known no better.
fn about(value: f64, [low, high]: [f64; 2], why: &str) -> Guess {
    let [low, value, high] = [low * value, value, high * value].map(|n| rounded(n, 3));
    guess(value, Some((low, high)), why)
}

/// A number of a machine.
///
/// # Complexity
/// O(1), but O(catalogue) where the median of all machines is taken and O(layers) for rates of tokens.
pub(super) fn machine(world: &World, machine: &WorldMachine, key: &str) -> Guess {
    let given = |key: &str| Some(find_fact(&machine.facts, key)?.value);
    if let Some(value) = of_given_rate(world, key) {
        return guess(
            value,
            None,
            "every link has the rate that is given for the network",
        );
    }
    if let Some(row) = machines::named(&machine.name)
        && let Some((_, fact)) = row.facts().into_iter().find(|(name, _)| *name == key)
        // A machine with more usable memory than its row is sold with has other memory.
        && (key != "memory_gb" || given("m_gb").is_none_or(|usable| usable <= fact.value))
    {
        let why = format!("{}: {}", row.name, fact.origin.description());
        return guess(fact.value, fact.range, why);
    }
    let value = |key: &str| given(key).unwrap_or_else(|| self::machine(world, machine, key).value);
    match key {
        "c_peak_tflops" => {
            let work = || given("prefill_gflop").or_else(|| given("decode_gflop"));
            if let Some(tops) = given("tops") {
                let why = "a quarter of its TOPS, which count int8 with sparsity";
                return about(tops / 4.0, [0.5, 2.0], why);
            }
            if let Some(gops) = given("compute_gops") {
                let why = "two FLOP for each of its multiply-adds, at a utilisation of 0.5";
                return about(2e-3 * gops / UTILISATION, [0.5, 2.0], why);
            }
            if let (Some(rate), Some(gflop)) = (given("prefill_tok_s"), work()) {
                let why = "its prefill rate times the work of a token, at a utilisation of 0.5";
                return about(1e-3 * rate * gflop / UTILISATION, [0.5, 2.0], why);
            }
            if let (Some(factor), Some(pi)) = (given("factor"), pi_3()) {
                return about(
                    pi / factor,
                    [0.5, 2.0],
                    "a Raspberry Pi 3 divided by its time factor",
                );
            }
            of_catalogue(key)
        }
        "b" => match (given("c_peak_tflops"), given("bandwidth_gb_s")) {
            (Some(compute), Some(rate)) => {
                let fact = machines::rate_of_utilisation(compute, rate);
                let [low, high] = [1.0 / 2.5, 8.0 / 3.0];
                about(fact.value, [low, high], fact.origin.description())
            }
            _ => of_any(key),
        },
        "bandwidth_gb_s" => match (given("decode_tok_s"), given("decode_gflop")) {
            // A weight is multiplied and added: of two bytes, as many bytes as FLOP.
            (Some(rate), Some(gflop)) => {
                let weights = weights(world);
                let each = match weights.is_16_bits() {
                    true => "two bytes per weight".to_owned(),
                    false => format!(
                        "{} bytes per weight ({})",
                        weights.rounded_bytes(),
                        weights.name()
                    ),
                };
                let why = format!("what its decode rate reads, at {each}");
                about(rate * gflop * weights.share(), [0.5, 2.0], &why)
            }
            _ => match (given("c_peak_tflops"), given("b")) {
                (Some(compute), Some(b)) => {
                    let why = "from how soon its utilisation rises (rate b)";
                    about(8e3 * compute * b, [0.375, 2.5], why)
                }
                _ => of_catalogue(key),
            },
        },
        "m_gb" => match given("memory_gb") {
            Some(sold) => {
                let why = "three quarters of its memory, the rest is the system\u{2019}s";
                about(0.75 * sold, [0.67, 1.26], why)
            }
            None => of_catalogue(key),
        },
        "memory_gb" => match given("m_gb") {
            Some(usable) => {
                let why = "its usable memory plus a third for the system";
                about(usable / 0.75, [0.79, 1.5], why)
            }
            None => of_catalogue(key),
        },
        "tops" => {
            let why = "four times its dense FP16 rate, as int8 with sparsity counts";
            about(4.0 * value("c_peak_tflops"), [0.5, 2.0], why)
        }
        "nodes" => guess(1.0, None, "one machine per row"),
        "compute_gops" => operation_rate(world, machine, &value),
        "factor" => {
            let pi = pi_3().unwrap_or(1.0);
            about(
                pi / value("c_peak_tflops"),
                [0.5, 2.0],
                "by its peak compute beside a Raspberry Pi 3",
            )
        }
        "prefill_tok_s" => prefill_rate(world, machine, &value),
        "decode_tok_s" => decode_rate(world, machine, &value),
        "start_s" => guess(0.0, None, "the model stays in memory"),
        "prefill_gflop" => {
            let tokens = prompt(world);
            let work = rounded(1e-9 * layers(world, tokens).0 / tokens, 3);
            guess(
                work,
                None,
                format!("work of {} for each prompt token", model_name(world)),
            )
        }
        "decode_gflop" => {
            let work = rounded(1e-9 * layers(world, 1.0).0, 3);
            guess(
                work,
                None,
                format!("work of {} for one token", model_name(world)),
            )
        }
        "r_mb_s" | "power_w" => of_catalogue(key),
        _ => of_any(key),
    }
}

/// A machine with what its runtime reaches, and of each assumed term its key and the guess.
fn with_terms(
    machine: &WorldMachine,
    value: &dyn Fn(&str) -> f64,
) -> (Device, Vec<(&'static str, Guess)>) {
    let mut device = Device::from_hardware(&machine.name, &hardware::DeviceHardware::default());
    device.c_peak_tflops = value("c_peak_tflops");
    device.a = value("a");
    device.b = value("b");
    device.bandwidth_gb_s = Some(value("bandwidth_gb_s"));
    let known = [
        ("c_peak_tflops", device.c_peak_tflops),
        ("a", device.a),
        ("b", device.b),
    ]
    .map(|(key, value)| (key, Given::new(value, None)));
    let mut guesses = Vec::new();
    for key in RUNTIME_TERMS.iter().copied().chain(["token_ms"]) {
        let Some(number) = Device::number(key) else {
            continue;
        };
        let given = find_fact(&machine.facts, key).map(|fact| fact.value);
        let guess = match given {
            Some(_) => None,
            None => optional(machine, &known, key),
        };
        let assumed = guess.as_ref().map(|guess| guess.value);
        (number.set)(&mut device, given.or(assumed));
        guesses.extend(guess.map(|guess| (key, guess)));
    }
    (device, guesses)
}

/// A machine as costs take it, with everything assumed that is not known.
pub(super) fn device_of(world: &World, machine: &WorldMachine) -> Device {
    let value = |key: &str| match find_fact(&machine.facts, key) {
        Some(fact) => fact.value,
        None => self::machine(world, machine, key).value,
    };
    with_terms(machine, &value).0
}

/// The range of a rate around it, and why it is assumed: those of the term that decides it, or `range` where nothing is known of
/// that.
fn by_term(guesses: &[(&str, Guess)], key: &str, range: [f64; 2]) -> ([f64; 2], String) {
    let Some((_, guess)) = guesses.iter().find(|(known, _)| *known == key) else {
        return (range, String::new());
    };
    let around = |(low, high): (f64, f64)| [low / guess.value, high / guess.value];
    let range = guess.range.map_or(range, around);
    (range, format!("; {}", guess.why))
}

/// Likewise of rates of generation. Classes were fitted to dense models and say nothing of a mixture of experts.
fn decode_range(
    world: &World,
    machine: &WorldMachine,
    guesses: &[(&str, Guess)],
    token: Option<&LayersOfToken>,
) -> ([f64; 2], String) {
    if world.model.has_experts() {
        let [low, high] = OF_EXPERTS.range;
        let reason = format!(
            "; few runs of mixtures of experts are published, measured rates lay between {low} and {high} times the prediction"
        );
        return ([low, high], reason);
    }
    let ([low, high], reason) = by_term(guesses, "memory_share", [0.4, 1.0]);
    // Where the host is not known it may be a slow one.
    let slower = token.and_then(|token| {
        let (_, terms) = calibration::of_name(&machine.name)?;
        let is_assumed = guesses.iter().any(|(key, _)| *key == "layer_us");
        let is_known = find_fact(&machine.facts, "host_factor").is_some();
        let slow = terms.decode.slow_host_us()?;
        let more = 1e-6 * (slow - terms.decode.layer_us) * layers_of(world).layers_count() as f64;
        (is_assumed && !is_known).then(|| token.seconds / (token.seconds + more))
    });
    ([slower.map_or(low, |slower| low.min(slower)), high], reason)
}

/// The rate at which a machine computes a prompt: by the terms of its class, or by its utilisation.
fn prefill_rate(world: &World, machine: &WorldMachine, value: &dyn Fn(&str) -> f64) -> Guess {
    let (device, guesses) = with_terms(machine, value);
    let tokens = prompt(world);
    let rate = prompt_rate(&layers_of(world), &device, tokens);
    let rate =
        rate.unwrap_or_else(|| hardware::DeviceHardware::from(&device).effective_flops(tokens));
    let (range, reason) = by_term(&guesses, "prefill_tflops", [0.5, 2.0]);
    let why = format!(
        "compute for a prompt of {tokens} tokens of {}{}{reason}",
        model_name(world),
        fits(world, value("m_gb"))
    );
    about(rate * tokens / layers(world, tokens).0, range, &why)
}

/// The multiply-adds of a machine in decoding, which mostly waits for its memory: those of a token's layers over their time.
fn operation_rate(world: &World, machine: &WorldMachine, value: &dyn Fn(&str) -> f64) -> Guess {
    let (device, guesses) = with_terms(machine, value);
    let token = LayersOfToken::of(&layers_of(world), &device, prompt(world), answer(world));
    let (range, reason) = decode_range(world, machine, &guesses, token.as_ref().ok());
    match token {
        Ok(token) => {
            let why = format!(
                "one multiply-add for two FLOP of a token of {}, over the time that its layers take{reason}",
                model_name(world)
            );
            about(0.5e-9 * token.work / token.seconds, range, &why)
        }
        // A table of layers does not say what a token costs.
        Err(_) => {
            let why = "one multiply-add for two FLOP, at the utilisation of long prompts";
            about(500.0 * device.c_peak_tflops * device.a, [0.5, 2.0], why)
        }
    }
}

/// The rate at which a machine generates: by what a token reads and computes, with the terms of its class.
fn decode_rate(world: &World, machine: &WorldMachine, value: &dyn Fn(&str) -> f64) -> Guess {
    let (device, guesses) = with_terms(machine, value);
    let token = LayersOfToken::of(&layers_of(world), &device, prompt(world), answer(world));
    let (range, reason) = decode_range(world, machine, &guesses, token.as_ref().ok());
    let seconds = token
        .map(|token| token.seconds + token.rest)
        .unwrap_or_else(|_| {
            // A table of layers does not say what a token reads: all weights.
            layers(world, 1.0).1 / (1e9 * value("bandwidth_gb_s"))
        });
    let why = format!(
        "what a token of {}{} reads and computes{}{reason}",
        model_name(world),
        match weights(world) {
            weights if weights.is_16_bits() => String::new(),
            weights => format!(" in {}", weights.name()),
        },
        fits(world, value("m_gb")),
    );
    about(1.0 / seconds, range, &why)
}

/// Numbers that may be left out and have a rule: what a runtime reaches on prompts.
pub const PREFILL_TERMS: &[&str] = RUNTIME_TERMS.split_at(3).0;
/// Likewise on prompts and in decoding.
pub const RUNTIME_TERMS: &[&str] = &[
    "prefill_tflops",
    "attention_tflops",
    "batch_us",
    "memory_share",
    "decode_tflops",
    "layer_us",
];
/// Of these, rates that grow with the peak of a machine.
pub const COMPUTE_TERMS: [&str; 3] = ["prefill_tflops", "attention_tflops", "decode_tflops"];
/// Rates of a machine that hold for one model.
pub(super) const RATES_OF_MODEL: [&str; 3] = ["compute_gops", "prefill_tok_s", "decode_tok_s"];
/// Likewise in operator graphs.
pub const OPERATOR_TERMS: &[&str] = &["op_us"];
/// Operators of a decoder block: seven products of matrices, two norms, positions, attention, and the activation. A runtime spends
/// its fixed time of a layer on these.
const OPERATORS_OF_BLOCK: f64 = 12.0;
/// Share of the memory rate where nothing like the machine was measured: least, usual, greatest. In the span of the classes that
/// were measured, which a test compares.
const ANY_SHARE: [f64; 3] = [0.5, 0.75, 1.0];
/// Time per layer and token likewise [us].
const ANY_LAYER: [f64; 3] = [50.0, 200.0, 650.0];

/// A number of a machine that may be left out, for questions that assume it: what its runtime reaches. `known` are numbers of its
/// row. `None` where there is no rule for it.
pub(super) fn optional(
    machine: &WorldMachine,
    known: &[(&'static str, Given)],
    key: &str,
) -> Option<Guess> {
    if OPERATOR_TERMS.contains(&key) {
        return of_operator(machine);
    }
    if !RUNTIME_TERMS.contains(&key) {
        return None;
    }
    let Some((class, terms)) = calibration::of_name(&machine.name) else {
        return of_unmeasured(key);
    };
    let row = machines::named(&machine.name);
    let given = |name: &str| {
        let known = known.iter().find(|(key, _)| *key == name);
        let fact = || Some(find_fact(&machine.facts, name)?.value);
        known.map(|(_, given)| given.value).or_else(fact)
    };
    // FP32 peak, by which rates were fitted; a peak of one's own moves it along. Without a row it is that of a processor.
    let own_tops = own_tops(machine).filter(|_| known.iter().any(|(key, _)| *key == "tops"));
    let own_peak = own_tops
        .map(|tops| tops / 4.0)
        .or_else(|| given("c_peak_tflops"));
    let peak = match row {
        Some(row) => {
            let usual = row.fact("c_peak_tflops").value;
            let of_peak = || own_peak.unwrap_or(usual) / usual;
            let factor = own_tops.map_or_else(of_peak, |tops| tops / row.fact("tops").value);
            row.fp32_tflops() * factor
        }
        None => own_peak?,
    };
    let why = |accuracy: &Accuracy| {
        let of_class = match terms.generation {
            "" | "all" => class.class.name().to_owned(),
            generation => format!("{} ({generation})", class.class.name()),
        };
        format!(
            "fitted to {} published run{} on {of_class}; predictions for machines that were not in the fit were off by \
             {:.0}\u{a0}% in the median",
            class.rows,
            if class.rows == 1 { "" } else { "s" },
            100.0 * accuracy.median_error
        )
    };
    let of_decode = || why(&class.decode);
    if PREFILL_TERMS.contains(&key) {
        // A curve of one's own says what a prompt reaches, and so does any of a machine without a row.
        let row = row?;
        let is_own = |name: &str| given(name).is_some_and(|value| value != row.fact(name).value);
        if is_own("a") || is_own("b") {
            return None;
        }
        let rate = terms.prefill.share * peak;
        let [low, high] = class.prefill.range;
        let why = why(&class.prefill);
        return Some(match key {
            "prefill_tflops" => about(rate, [low, high], &why),
            "attention_tflops" => about(terms.prefill.attention_share * rate, [low, high], &why),
            _ => guess(terms.prefill.batch_us, None, why),
        });
    }
    match key {
        "memory_share" => {
            let share = terms.decode.memory_share;
            let around = |factor| rounded(f64::clamp(share * factor, 0.01, 1.2), 3);
            let [low, high] = class.decode.range.map(around);
            Some(guess(share, Some((low, high)), of_decode()))
        }
        "layer_us" => {
            let host = given("host_factor");
            let layer = terms.decode.layer_us_on(host);
            let of_host = of_host(terms, host);
            Some(guess(layer, None, of_decode() + &of_host))
        }
        _ => {
            let share = terms.decode.compute_share?;
            Some(about(share * peak, [0.5, 2.0], &of_decode()))
        }
    }
}

/// What an assumed time per layer says of the host.
fn of_host(terms: &GenerationTerms, host: Option<f64>) -> String {
    match (terms.decode.usual_host_us, host) {
        (None, None) => String::new(),
        (None, Some(_)) => "; hosts of such machines were not compared".to_owned(),
        (Some(usual), None) => format!(
            "; it is not known how fast the host launches kernels: {usual}\u{a0}µs on usual ones, {}\u{a0}µs on slow ones",
            terms.decode.layer_us_on(Some(HOSTS.slow_factor))
        ),
        (Some(usual), Some(factor)) => {
            format!("; {factor} times the {usual}\u{a0}µs of usual hosts")
        }
    }
}

/// TOPS that a person gave, which count int8 with sparsity.
fn own_tops(machine: &WorldMachine) -> Option<f64> {
    let tops = find_fact(&machine.facts, "tops")?;
    (tops.origin == FactOrigin::Given).then_some(tops.value)
}

/// Time of an operator that no rate explains: the fixed time of a layer, shared out among its operators. A time factor that was given
/// holds all that is known of the machine, and so does a machine of a class that was not measured.
fn of_operator(machine: &WorldMachine) -> Option<Guess> {
    let factor = find_fact(&machine.facts, "factor");
    let is_assumed = |fact: &WorldFact| matches!(fact.origin, FactOrigin::Assumed(_));
    if factor.is_some_and(|fact| !is_assumed(&fact)) {
        return None;
    }
    let (class, terms) = calibration::of_name(&machine.name)?;
    let why = format!(
        "a layer\u{2019}s fixed time on {}, over the {OPERATORS_OF_BLOCK} operators of a decoder block; how far that is off for other \
         graphs is not known",
        class.class.name()
    );
    let each = terms.decode.layer_us / OPERATORS_OF_BLOCK;
    Some(about(each, [0.5, 2.0], &why))
}

/// Assumption for a machine of which nothing like it was measured.
fn of_unmeasured(key: &str) -> Option<Guess> {
    let [low, usual, high] = match key {
        "memory_share" => ANY_SHARE,
        "layer_us" => ANY_LAYER,
        _ => return None,
    };
    let why = "nothing like it was measured: between the classes of machines that were";
    Some(guess(usual, Some((low, high)), why))
}

/// How weights are stored, where the model has no blocks of a file that say it themselves: 16 bits by default.
fn weights(world: &World) -> Precision {
    let said = world.model.stored().weights;
    let said = said.filter(|_| world.model.body.is_none());
    said.unwrap_or_default()
}

/// Returns a note if the model does not fit.
fn fits(world: &World, memory_gb: f64) -> &'static str {
    match layers(world, 1.0).1 > 1e9 * memory_gb {
        true => "; its weights do not fit this memory",
        false => "",
    }
}

/// Peak compute of a Raspberry Pi 3 [TFLOPS].
fn pi_3() -> Option<f64> {
    Some(
        machines::find("Raspberry Pi 3")?
            .fact("c_peak_tflops")
            .value,
    )
}

/// The median of all machines, in the range of all.
fn of_catalogue(key: &str) -> Guess {
    let facts = machines::all().filter_map(|machine| {
        let fact = machine.facts().into_iter().find(|(name, _)| *name == key);
        Some(fact?.1.value)
    });
    let mut values: Vec<f64> = facts.collect();
    values.sort_by(f64::total_cmp);
    let at = |at: usize| values.get(at).copied().unwrap_or_default();
    let range = (at(0), at(values.len().saturating_sub(1)));
    guess(
        at(values.len() / 2),
        Some(range),
        "the median of the catalogue\u{2019}s machines",
    )
}

/// Returns the default of any machine.
fn of_any(key: &str) -> Guess {
    let found = of_any_machine().into_iter().find(|(name, _)| *name == key);
    match found {
        Some((_, fact)) => guess(fact.value, fact.range, fact.origin.description()),
        None => of_catalogue(key),
    }
}

/// Returns true if any number of a model is known.
fn has_model(world: &World) -> bool {
    let model = &world.model;
    model.body.is_some() || !model.facts.is_empty() || !model.name.is_empty()
}

/// The name of the model, or of the one that is taken where none is given.
pub(super) fn model_name(world: &World) -> String {
    match has_model(world) {
        true => world.model.name.clone(),
        false => ANY_MODEL.to_owned(),
    }
}

/// Returns true if embedding and output head are one matrix: as known, as in the catalogue, otherwise false.
pub(super) fn is_tied(world: &World) -> bool {
    let row = || models::find(&model_name(world)).map(|row| row.tied_embeddings);
    world.model.tied.or_else(row).unwrap_or(false)
}

/// A number of the model.
pub(super) fn model(world: &World, key: &str) -> Guess {
    let facts = &world.model.facts;
    let given = |key: &str| Some(find_fact(facts, key)?.value);
    let value = |key: &str| given(key).unwrap_or_else(|| self::model(world, key).value);
    let name = model_name(world);
    // Where dimensions are given, or layers, a name alone says nothing.
    let is_own = world.model.body.is_some() || given("d_model").is_some();
    if let Some(row) = models::find(&name)
        && (!is_own
            || matches!(key, "vocabulary" | "layers")
            || given("d_model") == Some(row.dims.d_model))
    {
        let dims = &row.dims;
        let found = match key {
            "layers" => Some(f64::from(dims.n_layers)),
            "d_model" => Some(dims.d_model),
            "h_q" => Some(dims.h_q),
            "h_k" => Some(dims.h_k),
            "d_head" => Some(dims.d_head),
            "d_ff" => Some(dims.d_ff),
            "vocabulary" => Some(f64::from(row.vocabulary)),
            _ => None,
        };
        if let Some(found) = found {
            let why = match has_model(world) {
                true => format!("{}: {}", row.name, row.source),
                false => format!("no model is given, so {} of the catalogue", row.name),
            };
            return guess(found, None, why);
        }
    }
    let blocks = world.model.body.as_ref().and_then(Model::blocks);
    match key {
        "layers" => match &world.model.body {
            Some(body) => guess(
                body.layers_count() as f64,
                None,
                "as many as there are blocks",
            ),
            None => guess(
                32.0,
                Some((16.0, 80.0)),
                "as models of 7 billion parameters have",
            ),
        },
        "d_model" => match blocks {
            Some(blocks) => guess(
                blocks.token_bytes / BYTES_16,
                None,
                "what a token sends, at two bytes per value",
            ),
            None => guess(
                4096.0,
                Some((1024.0, 8192.0)),
                "as models of 7 billion parameters have",
            ),
        },
        "h_q" => {
            let heads = libm::floor(value("d_model") / 128.0).max(1.0);
            guess(heads, None, "heads of width 128")
        }
        "h_k" => {
            let cache = blocks.and_then(|blocks| blocks.blocks.first()?.kv_bytes);
            match cache {
                Some(bytes) => {
                    let heads = bytes / (2.0 * BYTES_16 * value("d_head"));
                    guess(
                        libm::round(heads).max(1.0),
                        None,
                        "what a token keeps, at two bytes per value",
                    )
                }
                None => guess(
                    value("h_q"),
                    None,
                    "each head has keys and values of its own",
                ),
            }
        }
        "d_head" => guess(
            value("d_model") / value("h_q"),
            None,
            "the hidden size divided by the heads",
        ),
        "d_ff" => match blocks.and_then(|blocks| blocks.blocks.first()) {
            Some(run) => {
                let (width, heads) = (value("d_model"), value("h_q") + value("h_k"));
                let rest = 0.5 * run.token_flop - 2.0 * width * heads * value("d_head");
                let gated = libm::round(rest / (3.0 * width)).max(1.0);
                guess(
                    gated,
                    None,
                    "what attention leaves of a block\u{2019}s work, in three matrices",
                )
            }
            None => guess(4.0 * value("d_model"), None, "four times the hidden size"),
        },
        "vocabulary" => guess(128_256.0, Some((32_000.0, 262_144.0)), "as Llama 3 has"),
        _ => guess(BYTES_16, None, "16 bits per value"),
    }
}

/// The model as cold start has it.
pub(super) fn layers_of(world: &World) -> Model {
    if let Some(body) = &world.model.body {
        return body.clone();
    }
    let value = |key: &str| match find_fact(&world.model.facts, key) {
        Some(fact) => fact.value,
        None => model(world, key).value,
    };
    let stored = world.model.stored();
    Model::Dimensions(Dimensions {
        name: model_name(world),
        layers: value("layers"),
        d_model: value("d_model"),
        h_q: value("h_q"),
        h_k: value("h_k"),
        d_head: value("d_head"),
        d_ff: value("d_ff"),
        weights: stored.weights,
        cache: stored.cache,
    })
}

/// Work [FLOP] of a prompt and weights [B] of all layers.
fn layers(world: &World, tokens: f64) -> (f64, f64) {
    let layers = layers_of(world).layers_at(tokens);
    let sum = layers.iter().fold((0.0, 0.0), |(work, bytes), layer| {
        (work + layer.work, bytes + layer.weights)
    });
    (sum.0.max(1.0), sum.1.max(1.0))
}

/// The radio as far as it is known, else CSGO's.
fn radio(world: &World) -> Channel {
    let mut channel = Channel::from(CHANNELS[0].channel);
    for number in Channel::NUMBERS {
        if let Some(fact) = find_fact(&world.network, number.field.key) {
            (number.set)(&mut channel, Some(fact.value));
        }
    }
    channel
}

/// A power [dBm] or distance [m] of a link whose rate is given: the bandwidth follows from it, so that every such link has that rate
/// in both directions. `None` where the radio is known, or the rate is not.
fn of_given_rate(world: &World, key: &str) -> Option<f64> {
    let is_known = |key: &str| find_fact(&world.network, key).is_some();
    let value = match key {
        "pu_dbm" | "pd_dbm" => 20.0,
        "d_m" => 5.0,
        _ => return None,
    };
    (is_known("rate_mbit_s") && !is_known("B_mhz")).then_some(value)
}

/// Power [dBm] and distance [m] of the first machine.
fn sender(world: &World) -> (f64, f64) {
    let first = world.machines.first();
    let value = |key: &str| {
        let given = first.and_then(|machine| find_fact(&machine.facts, key));
        let assumed = || of_given_rate(world, key).unwrap_or_else(|| of_any(key).value);
        given.map_or_else(assumed, |fact| fact.value)
    };
    (value("pu_dbm"), value("d_m"))
}

/// A number of the network.
pub(super) fn network(world: &World, key: &str) -> Guess {
    let (power, distance) = sender(world);
    let rate = find_fact(&world.network, "rate_mbit_s").map(|fact| fact.value);
    match (key, rate) {
        ("rate_mbit_s" | "gbit_s", _) if find_fact(&world.network, "B_mhz").is_some() => {
            let channel: network::Channel = radio(world).into();
            let unit = if key == "gbit_s" { 1e9 } else { 1e6 };
            let rate = channel.rate(power, distance) / unit;
            about(
                rate,
                [0.3, 1.5],
                "what the first machine sends over the radio",
            )
        }
        ("rate_mbit_s" | "gbit_s", _) => {
            let link = links::find("Ethernet, 1 Gbit/s").map_or(1000.0, |link| link.rate.value);
            let unit = if key == "gbit_s" { 1e-3 } else { 1.0 };
            about(link * unit, [0.01, 10.0], "Ethernet, 1 Gbit/s")
        }
        ("latency_ms", _) => guess(1.5, Some((0.05, 10.0)), "half of a usual ping over Wi-Fi"),
        ("B_mhz", Some(rate)) => {
            let why = format!("wide enough for the first machine to send {rate} Mbit/s");
            let bandwidth = bandwidth_for(world, 1e6 * rate, power, distance);
            guess(rounded(bandwidth, 6), None, why)
        }
        _ => {
            let channel = radio(world);
            let number = Channel::number(key);
            let value = number.and_then(|number| (number.get)(&channel));
            guess(value.unwrap_or_default(), None, "CSGO, Table 1")
        }
    }
}

/// The bandwidth [MHz] with which a sender reaches a rate [bit/s], by halving; the rate grows with the bandwidth.
fn bandwidth_for(world: &World, rate: f64, power: f64, distance: f64) -> f64 {
    let (mut low, mut high) = (0.01, 10_000.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let channel = Channel {
            B_mhz: middle,
            ..radio(world)
        };
        let reached = network::Channel::from(channel).rate(power, distance);
        if reached < rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A number of a request.
pub(super) fn request(key: &str) -> Guess {
    match key {
        "prompt_tokens" => guess(512.0, Some((16.0, 4096.0)), "a page of text"),
        _ => guess(128.0, Some((16.0, 1024.0)), "a short answer"),
    }
}

/// How long an answer is [tokens].
pub(super) fn answer(world: &World) -> f64 {
    match find_fact(&world.request, "answer_tokens") {
        Some(fact) => fact.value,
        None => request("answer_tokens").value,
    }
}

/// How long a prompt is [tokens].
pub(super) fn prompt(world: &World) -> f64 {
    match find_fact(&world.request, "prompt_tokens") {
        Some(fact) => fact.value,
        None => request("prompt_tokens").value,
    }
}
