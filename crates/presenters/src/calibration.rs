//! How far predictions for machines of a class were off, said beside the rates that are predicted.

use document::Sentence;
use engine::hardware::calibration::{ClassCalibration, OF_EXPERTS, PredictedMachine};
use engine::units::{percent, tokens_a_second};

/// How far predictions were off for the classes of these machines, of those whose terms are those of the fit. `alone` is the rate of a single machine [token/s], around which the range is said.
#[must_use]
pub fn accuracy<'a>(
    machines: impl Iterator<Item = PredictedMachine<'a>>,
    alone: Option<f64>,
    has_experts: bool,
) -> Vec<Sentence> {
    let mut classes: Vec<&ClassCalibration> = Vec::new();
    for class in machines.filter_map(|machine| machine.calibration()) {
        if !classes.iter().any(|known| known.class == class.class) {
            classes.push(class);
        }
    }
    let of_experts = has_experts.then(|| {
        let [low, high] = OF_EXPERTS.range;
        Sentence::default().plain(format!(
            "The model is a mixture of experts, of which few runs are published: measured rates lay between {low} and {high} times the \
             prediction."
        ))
    });
    let sentences = classes.iter().map(|class| of_class(class, alone));
    sentences.chain(of_experts).collect()
}

fn of_class(class: &ClassCalibration, alone: Option<f64>) -> Sentence {
    let [low, high] = class.decode.range;
    let here = alone.map_or_else(String::new, |rate| {
        let [low, high] = [low * rate, high * rate].map(tokens_a_second);
        format!(": here {low} to {high}")
    });
    Sentence::default().plain(format!(
        "Rates predicted for {} that were not in the fit were off by {} in the median, and by more than {} in one of ten, \
         those of prompts by {} and {}. Measured rates lay between {low} and {high} times the prediction{here}.",
        class.class.name(),
        percent(100.0 * class.decode.median_error, 0),
        percent(100.0 * class.decode.p90_error, 0),
        percent(100.0 * class.prefill.median_error, 0),
        percent(100.0 * class.prefill.p90_error, 0),
    ))
}
