//! How far predictions for machines of a class were off, said beside the rates that are predicted.

use document::Sentence;
use engine::hardware::calibration::{ClassCalibration, HOSTS, OF_EXPERTS, PredictedMachine};
use engine::scenario::fields::{self, Field};
use engine::units::{percent, tokens_a_second};

/// How far predictions were off for the classes of these machines, of those whose terms are those of the fit. `alone` is the rate of a
/// single machine [token/s], around which the range is said, and how many layers it has. The classes were fitted to dense models, so of
/// a mixture of experts only the runs of such models are said.
#[must_use]
pub fn accuracy<'a>(
    machines: impl Iterator<Item = PredictedMachine<'a>>,
    alone: Option<(f64, f64)>,
    has_experts: bool,
) -> Vec<Sentence> {
    let mut classes: Vec<(&ClassCalibration, PredictedMachine<'a>)> = Vec::new();
    for machine in machines {
        if let Some(class) = machine.calibration()
            && !classes.iter().any(|(known, _)| known.class == class.class)
        {
            classes.push((class, machine));
        }
    }
    if has_experts {
        return vec![of_experts(alone.filter(|_| !classes.is_empty()))];
    }
    let sentences = classes
        .iter()
        .map(|(class, machine)| of_class(class, machine, alone));
    sentences.collect()
}

fn of_experts(alone: Option<(f64, f64)>) -> Sentence {
    let [low, high] = OF_EXPERTS.range;
    Sentence::default().plain(format!(
        "The model is a mixture of experts, of which {} runs are published: measured rates lay between {low} and {high} times the \
         prediction{}.",
        OF_EXPERTS.rows,
        alone.map_or_else(String::new, |(rate, _)| around(low * rate, high * rate)),
    ))
}

/// The ends of a range of rates here.
fn around(low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(tokens_a_second);
    format!(": here {low} to {high}")
}

fn of_class(
    class: &ClassCalibration,
    machine: &PredictedMachine<'_>,
    alone: Option<(f64, f64)>,
) -> Sentence {
    let host = machine.unknown_host_us();
    let decode = machine.accuracy().unwrap_or(class.decode);
    let [low, high] = decode.range;
    let slow = host
        .zip(alone)
        .map(|([layer, slow], (rate, layers))| 1.0 / (1.0 / rate + 1e-6 * layers * (slow - layer)));
    let here = alone.map_or_else(String::new, |(rate, _)| {
        let least = slow.map_or(low * rate, |slow| slow.min(low * rate));
        around(least, high * rate)
    });
    let is_least = slow.is_none_or(|slow| alone.is_none_or(|(rate, _)| slow < low * rate));
    let of_host = match host.filter(|_| is_least) {
        Some(_) => format!(
            " The lower end is a host that launches kernels slowly, as {} of the runs on such cards had; \u{201c}{}\u{201d} \
             says which one a machine has.",
            percent(
                100.0 * f64::from(HOSTS.slow_runs) / f64::from(HOSTS.runs),
                0
            ),
            host_field(),
        ),
        None => String::new(),
    };
    Sentence::default().plain(format!(
        "Rates predicted for {} that were not in the fit were off by {} in the median, and by more than {} in one of ten, \
         those of prompts by {} and {}. Measured rates lay between {low} and {high} times the prediction{here}.{of_host}",
        class.class.name(),
        percent(100.0 * decode.median_error, 0),
        percent(100.0 * decode.p90_error, 0),
        percent(100.0 * class.prefill.median_error, 0),
        percent(100.0 * class.prefill.p90_error, 0),
    ))
}

/// Title of the field that says how fast a host launches kernels.
fn host_field() -> String {
    fields::of("host_factor")
        .map(Field::title)
        .unwrap_or_default()
}
