//! Single steps of an order: what runs, what is held, what is freed.

use super::named;
use engine::evaluate::operators::{Lifetime, Trace, lifetimes};
use engine::graph::{Graph, Weights};
use engine::problem::Invalid;
use engine::units::memory;
use story::{Sentence, counted};

/// An order step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps<'a> {
    graph: &'a Graph,
    order: &'a [u32],
    trace: &'a Trace,
    lives: Vec<Lifetime>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepTold {
    /// The step, from 0.
    pub step: usize,
    /// The operator that runs.
    pub op: usize,
    /// Tensors that are there before it, ascending.
    pub held: Vec<u32>,
    /// Their bytes.
    pub kept: u64,
    /// Bytes of the weights that lie in memory while it runs.
    pub weights: u64,
    /// Whether those are all weights, from the first step to the last.
    pub is_resident: bool,
    /// Bytes of its output, 0 where it overwrites an operand.
    pub new: u64,
    /// The operand that it overwrites.
    pub overwrites: Option<u32>,
    /// Tensors that nobody reads any more, ascending.
    pub freed: Vec<u32>,
    /// Bytes of the tensors held after it.
    pub after: u64,
}

impl StepTold {
    /// Bytes held while it runs.
    #[must_use]
    pub const fn running(&self) -> u64 {
        self.kept + self.weights + self.new
    }
}

impl<'a> Steps<'a> {
    /// An order with what the referee says of it.
    ///
    /// # Errors
    /// What is no order of the graph.
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn of(graph: &'a Graph, order: &'a [u32], trace: &'a Trace) -> Result<Self, Invalid> {
        let lives = lifetimes(graph, order)?;
        Ok(Self {
            graph,
            order,
            trace,
            lives,
        })
    }

    /// A step; past the end it is the last.
    ///
    /// # Complexity
    /// O(tensors).
    #[must_use]
    pub fn at(&self, step: usize) -> StepTold {
        let step = step.min(self.order.len() - 1); // a graph has at least one operator
        let v = self.order[step] as usize;
        let op = self.graph.op(v);
        let n = self.graph.len();
        let alive = |life: &&Lifetime| {
            let begun = (life.from as usize) < step || life.tensor as usize >= n;
            begun && step <= life.to as usize && life.tensor as usize != v
        };
        let held: Vec<u32> = self.lives.iter().filter(alive).map(|l| l.tensor).collect();
        let is_output = |t: usize| t < n && self.graph.is_output(t);
        let ends = |life: &&Lifetime| life.to as usize == step && !is_output(life.tensor as usize);
        let freed = self.lives.iter().filter(ends).map(|l| l.tensor).collect();
        let in_place = self.trace.in_place[step];
        let overwrites = self.graph.src(v).iter().copied().find(|t| {
            let ends = |life: &Lifetime| life.tensor == *t && life.to as usize == step;
            let t = *t as usize;
            in_place
                && !is_output(t)
                && self.graph.bytes(t) >= op.out
                && self.lives.iter().any(ends)
        });
        StepTold {
            step,
            op: v,
            held,
            kept: self.trace.interval[step] - self.graph.resident(),
            weights: self.graph.weights_beside(v),
            is_resident: self.graph.weights_rule() == Weights::Resident,
            new: if in_place { 0 } else { op.out },
            overwrites,
            freed,
            after: self.trace.interval[step + 1] - self.graph.resident(),
        }
    }
}

/// A step in words.
#[must_use]
pub fn step_words(graph: &Graph, told: &StepTold) -> Sentence {
    let op = graph.op(told.op);
    let sentence = Sentence::default()
        .plain(format!("Step {} of {}: ", told.step + 1, graph.len()))
        .strong(graph.op_name(told.op))
        .plain(format!(" ({}) runs in ", op.kind.name()))
        .strong(memory(told.running() as f64))
        .plain(".");
    let sentence = match told.held.as_slice() {
        [] if told.is_resident => sentence.plain(" No tensor is held."),
        [] => sentence.plain(" Nothing else is held."),
        held => sentence.plain(format!(
            " Held: {}, {} in all.",
            named(graph, held),
            memory(told.kept as f64)
        )),
    };
    let sentence = match told.weights {
        all if all > 0 && told.is_resident => {
            sentence.plain(format!(" All weights take {}.", memory(all as f64)))
        }
        _ => sentence,
    };
    let sentence = match told.overwrites {
        Some(t) => sentence.plain(format!(
            " Its output overwrites {}.",
            graph.tensor_name(t as usize)
        )),
        None => sentence,
    };
    match told.freed.as_slice() {
        [] => sentence.plain(format!(
            " Nothing is freed; {} remain.",
            memory(told.after as f64)
        )),
        freed => {
            let bytes: u64 = freed.iter().map(|t| graph.bytes(*t as usize)).sum();
            sentence.plain(format!(
                " Freed: {}, {} in all; {} remain.",
                named(graph, freed),
                memory(bytes as f64),
                memory(told.after as f64)
            ))
        }
    }
}

/// How a step's bytes add up: the formula in symbols, and with its numbers.
#[must_use]
pub fn formula(told: &StepTold) -> (String, String) {
    // Resident weights are part of Mi.
    let symbols = match (told.overwrites, told.is_resident) {
        (Some(_), false) => "Me = Mi + w, written in place",
        (None, false) => "Me = Mi + w + out",
        (Some(_), true) => "Me = Mi, written in place",
        (None, true) => "Me = Mi + out",
    };
    let bytes = |b: u64| memory(b as f64);
    let mut parts = vec![
        format!(
            "{} kept in {}",
            bytes(told.kept),
            counted(told.held.len(), "tensor", "tensors")
        ),
        if told.is_resident {
            format!("{} of all weights", bytes(told.weights))
        } else {
            format!("{} of weights", bytes(told.weights))
        },
    ];
    if told.overwrites.is_none() {
        parts.push(format!("{} of output", bytes(told.new)));
    }
    let filled = format!("{} = {}", parts.join(" + "), bytes(told.running()));
    (symbols.to_owned(), filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::evaluate::operators::trace;
    use engine::scenario::operators::presets::table_2;

    #[test]
    fn every_step_of_table_2_adds_up_to_what_the_referee_says() {
        let graph = Graph::new(table_2()).expect("a graph");
        for order in [[0, 1, 2, 3], [0, 2, 1, 3], [2, 0, 1, 3]] {
            let trace = trace(&graph, &order).expect("an order");
            let steps = Steps::of(&graph, &order, &trace).expect("an order");
            for step in 0..4 {
                let told = steps.at(step);
                assert_eq!(told.running(), trace.running[step]);
                let held: u64 = told.held.iter().map(|t| graph.bytes(*t as usize)).sum();
                assert_eq!(held, told.kept);
                let freed: u64 = told.freed.iter().map(|t| graph.bytes(*t as usize)).sum();
                assert_eq!(told.kept + graph.op(told.op).out - freed, told.after);
            }
        }
    }

    #[test]
    fn a_sum_names_what_it_overwrites() {
        let graph = Graph::new(table_2()).expect("a graph");
        let order = [0, 1, 2, 3];
        let trace = trace(&graph, &order).expect("an order");
        let steps = Steps::of(&graph, &order, &trace).expect("an order");
        let told = steps.at(3);
        assert_eq!(told.overwrites, Some(1));
        let words = step_words(&graph, &told).to_string();
        assert!(words.contains("Its output overwrites Conv2."), "{words}");
        let (symbols, filled) = formula(&told);
        assert_eq!(symbols, "Me = Mi + w, written in place");
        assert!(filled.contains("kept in 2 tensors"), "{filled}");
    }
}
