//! Defaults for numbers that are not given: each rule states its reason and the likely range.
//!
//! Here are machines and networks; [`super::model_rules`] has models and requests, [`super::runtime_terms`] what runtimes reach.
//!
//! A rule rests on what is known, or on rules that are before it: peak compute and memory rate first, then what follows from
//! them, then rates of tokens, which also need the model.

use super::fact::find_fact;
use super::guess::{Guess, about, guess};
use super::model_rules::{layers, model_name, prompt, weights};
use super::runtime_terms::{decode_rate, operation_rate, prefill_rate, with_terms};
use super::{World, WorldMachine};
use crate::hardware::machines::{self, of_any_machine};
use crate::network::{self, catalog::CHANNELS, links};
use crate::scenario::fields::NumberFields;
use crate::scenario::{Channel, Device};
use crate::units::rounded;

/// Utilisation at long prompts where nothing better is known: of all machines.
const UTILISATION: f64 = 0.5;
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

/// A machine as costs take it, with everything assumed that is not known.
pub(super) fn device_of(world: &World, machine: &WorldMachine) -> Device {
    let value = |key: &str| match find_fact(&machine.facts, key) {
        Some(fact) => fact.value,
        None => self::machine(world, machine, key).value,
    };
    with_terms(machine, &value).0
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
