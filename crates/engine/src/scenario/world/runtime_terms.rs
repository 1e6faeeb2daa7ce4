//! Defaults for what a runtime reaches on a machine, and for the rates of tokens that follow from it: the terms of its class and
//! generation, fitted to published runs ([`crate::hardware::calibration`]).

use super::fact::{FactOrigin, Given, WorldFact, find_fact};
use super::guess::{Guess, about, guess};
use super::model_rules::{answer, fits, layers, layers_of, model_name, prompt, weights};
use super::{World, WorldMachine};
use crate::hardware::calibration::{self, Accuracy, GenerationTerms, HOSTS, OF_EXPERTS};
use crate::hardware::{self, machines};
use crate::scenario::Device;
use crate::scenario::decode::LayersOfToken;
use crate::scenario::fields::NumberFields;
use crate::scenario::prefill::prompt_rate;
use crate::units::rounded;

/// A machine with what its runtime reaches, and of each assumed term its key and the guess.
pub(super) fn with_terms(
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
pub(super) fn prefill_rate(
    world: &World,
    machine: &WorldMachine,
    value: &dyn Fn(&str) -> f64,
) -> Guess {
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
pub(super) fn operation_rate(
    world: &World,
    machine: &WorldMachine,
    value: &dyn Fn(&str) -> f64,
) -> Guess {
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
pub(super) fn decode_rate(
    world: &World,
    machine: &WorldMachine,
    value: &dyn Fn(&str) -> f64,
) -> Guess {
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

/// The part of the reason of an assumed time per layer that is about the host.
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
