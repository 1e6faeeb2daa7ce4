//! Which weights are in memory, in words: the rule that counts, and what the other would come to.

use document::Sentence;
use engine::graph::{Graph, Weights};
use engine::units::memory;
use planner::operators::Ordered;

/// How long weights are held, and what they come to; nothing where there are none.
pub(super) fn weights_words(graph: &Graph) -> Sentence {
    let all = memory(graph.weights() as f64);
    match graph.weights_rule() {
        _ if graph.weights() == 0 => Sentence::default(),
        Weights::PerOperator => Sentence::default().plain(format!(
            " Weights ({all} in all) are held only while their operator runs."
        )),
        Weights::Resident => {
            Sentence::default().plain(format!(" All weights ({all}) stay in memory."))
        }
    }
}

/// The most that an order holds under the other rule about weights [bytes].
pub(super) fn other_peak(graph: &Graph, ours: &Ordered) -> u64 {
    let steps = ours.order.iter().zip(&ours.trace.running);
    let other = steps.map(|(v, running)| {
        let v = *v as usize;
        let weights = match graph.weights_rule() {
            Weights::PerOperator => graph.weights(),
            Weights::Resident => graph.op(v).w,
        };
        running - graph.resident_weights(v) + weights
    });
    other.max().unwrap_or_default()
}

/// Describes the memory of the same order under the other weight rule; empty if there are no weights.
pub(super) fn other_rule_words(graph: &Graph, ours: &Ordered) -> Sentence {
    if graph.weights() == 0 {
        return Sentence::default();
    }
    let rule = match graph.weights_rule() {
        Weights::PerOperator => "all weights resident",
        Weights::Resident => "weights held only while their operator runs",
    };
    Sentence::default().plain(format!(
        " With {rule} this order peaks at {}.",
        memory(other_peak(graph, ours) as f64)
    ))
}
