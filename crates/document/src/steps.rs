//! Single steps of an order of operators, in words: what runs, what is held, what is freed, and the operator itself. All of it is
//! read off the data of the chart that shows the graph, so that a page can tell any step of an answer that it was sent.

use super::block::Block;
use super::quantity::millis;
use super::{Cell, Control, Sentence, Table, TableColumn, counted, list};
use chart::{GraphOp, GraphPicture, SlicePart, SlicePicture};
use engine::units::{InOrder, binary_bytes, count, memory};
use serde::{Deserialize, Serialize};

/// A chart with a selected step: a page walks through the steps and describes each, other formats describe the marked one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Walk {
    /// Control of the step, from 0; other charts with the same control show it as well.
    #[serde(rename = "dial")]
    pub control: Control,
    /// The chart, and the description of the step that it marks.
    pub blocks: Vec<Block>,
}

/// The most tensors that are named one by one.
const MOST_NAMED: usize = 3;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepSummary {
    /// The step, from 0.
    pub step: usize,
    /// The operator that runs.
    pub op: usize,
    /// Tensors that are there before it, ascending.
    pub live_tensors: Vec<u32>,
    /// Their bytes.
    pub live_b: u64,
    /// Bytes of the weights that are in memory while it runs.
    pub weights: u64,
    /// True if all weights are in memory from the first step to the last.
    pub is_resident: bool,
    /// Bytes of its output, 0 where it overwrites an operand.
    pub new: u64,
    /// The operand that it overwrites.
    pub overwrites: Option<u32>,
    /// Tensors that no operator reads any more, ascending.
    pub freed: Vec<u32>,
    /// Bytes of the tensors held after it.
    pub after: u64,
}

/// A tensor: the output of an operator, or behind those an input of the graph.
#[derive(Clone, Copy)]
struct Tensor<'a> {
    name: &'a str,
    bytes: f64,
    /// The step that makes it; none makes an input.
    from: Option<usize>,
    /// The last step that holds it.
    to: Option<usize>,
    is_output: bool,
}

fn tensor(graph: &GraphPicture, t: usize) -> Option<Tensor<'_>> {
    if let Some(op) = graph.ops.get(t) {
        return Some(Tensor {
            name: &op.name,
            bytes: op.out,
            from: Some(op.step),
            to: Some(op.until),
            is_output: op.is_output,
        });
    }
    let input = graph.inputs.get(t - graph.ops.len())?;
    Some(Tensor {
        name: &input.name,
        bytes: input.bytes,
        from: None,
        to: input.until,
        is_output: false,
    })
}

/// Returns the name of a tensor for display.
#[must_use]
pub fn tensor_name(graph: &GraphPicture, t: usize) -> &str {
    tensor(graph, t).map_or("", |tensor| tensor.name)
}

/// The size of a tensor [bytes].
#[must_use]
pub fn tensor_bytes(graph: &GraphPicture, t: usize) -> u64 {
    tensor(graph, t).map_or(0, |tensor| tensor.bytes as u64)
}

impl StepSummary {
    /// A step of a graph; `None` where there is no such step.
    ///
    /// # Complexity
    /// O(tensors).
    #[must_use]
    pub fn of(graph: &GraphPicture, step: usize) -> Option<Self> {
        let v = graph.ops.iter().position(|op| op.step == step)?;
        let op = &graph.ops[v];
        let mut held = Vec::new();
        let mut freed = Vec::new();
        for t in 0..graph.ops.len() + graph.inputs.len() {
            let Some((own, to)) = tensor(graph, t).and_then(|own| Some((own, own.to?))) else {
                continue;
            };
            if own.from.is_none_or(|from| from < step) && step <= to {
                held.push(t as u32);
            }
            if to == step && !own.is_output {
                freed.push(t as u32);
            }
        }
        let bytes = |all: &[u32]| {
            let all = all.iter().map(|t| tensor_bytes(graph, *t as usize));
            all.sum::<u64>()
        };
        let overwritten = |t: &u32| {
            let own = tensor(graph, *t as usize);
            own.is_some_and(|own| own.to == Some(step) && !own.is_output && own.bytes >= op.out)
        };
        let overwrites = op.preds.iter().copied().find(overwritten);
        let (kept, out) = (bytes(&held), op.out as u64);
        Some(Self {
            step,
            op: v,
            live_b: kept,
            weights: graph.resident.unwrap_or(op.weights) as u64,
            is_resident: graph.resident.is_some(),
            new: if op.in_place { 0 } else { out },
            overwrites: overwrites.filter(|_| op.in_place),
            after: kept + out - bytes(&freed),
            live_tensors: held,
            freed,
        })
    }

    /// Bytes held while it runs.
    #[must_use]
    pub const fn running(&self) -> u64 {
        self.live_b + self.weights + self.new
    }
}

/// Tensors by name with their bytes, the largest first, the rest as a number.
#[must_use]
pub fn named(graph: &GraphPicture, tensors: &[u32]) -> String {
    let bytes = |t: &u32| tensor_bytes(graph, *t as usize);
    let mut largest = tensors.to_vec();
    largest.in_order_of(|t| (std::cmp::Reverse(bytes(t)), *t));
    let one = |t: &u32| {
        let name = tensor_name(graph, *t as usize);
        format!("{name} ({})", memory(bytes(t) as f64))
    };
    let mut words: Vec<String> = largest.iter().take(MOST_NAMED).map(one).collect();
    if let Some(rest) = largest.get(MOST_NAMED..).filter(|rest| !rest.is_empty()) {
        words.push(counted(rest.len(), "more", "more"));
    }
    list(&words)
}

/// A step in words.
#[must_use]
pub fn step_words(graph: &GraphPicture, description: &StepSummary) -> Sentence {
    let op = &graph.ops[description.op];
    let sentence = Sentence::default()
        .plain(format!(
            "Step {} of {}: ",
            description.step + 1,
            graph.ops.len()
        ))
        .strong(op.name.clone())
        .plain(format!(" ({}) runs in ", op.kind))
        .strong(memory(description.running() as f64))
        .plain(".");
    let sentence = match description.live_tensors.as_slice() {
        [] if description.is_resident => sentence.plain(" No tensor is held."),
        [] => sentence.plain(" Nothing else is held."),
        held => sentence.plain(format!(
            " Held: {}, {} in all.",
            named(graph, held),
            memory(description.live_b as f64)
        )),
    };
    let sentence = match description.weights {
        all if all > 0 && description.is_resident => {
            sentence.plain(format!(" All weights take {}.", memory(all as f64)))
        }
        _ => sentence,
    };
    let sentence = match description.overwrites {
        Some(t) => sentence.plain(format!(
            " Its output overwrites {}.",
            tensor_name(graph, t as usize)
        )),
        None => sentence,
    };
    match description.freed.as_slice() {
        [] => sentence.plain(format!(
            " Nothing is freed; {} remain.",
            memory(description.after as f64)
        )),
        freed => {
            let bytes = freed.iter().map(|t| tensor_bytes(graph, *t as usize));
            sentence.plain(format!(
                " Freed: {}, {} in all; {} remain.",
                named(graph, freed),
                memory(bytes.sum::<u64>() as f64),
                memory(description.after as f64)
            ))
        }
    }
}

/// How a step's bytes add up: the formula in symbols, and with its numbers.
#[must_use]
pub fn formula(description: &StepSummary) -> (String, String) {
    // Resident weights are part of Mi.
    let symbols = match (description.overwrites, description.is_resident) {
        (Some(_), false) => "Me = Mi + w, written in place",
        (None, false) => "Me = Mi + w + out",
        (Some(_), true) => "Me = Mi, written in place",
        (None, true) => "Me = Mi + out",
    };
    let bytes = |b: u64| memory(b as f64);
    let mut parts = vec![
        format!(
            "{} kept in {}",
            bytes(description.live_b),
            counted(description.live_tensors.len(), "tensor", "tensors")
        ),
        if description.is_resident {
            format!("{} of all weights", bytes(description.weights))
        } else {
            format!("{} of weights", bytes(description.weights))
        },
    ];
    if description.overwrites.is_none() {
        parts.push(format!("{} of output", bytes(description.new)));
    }
    let filled = format!("{} = {}", parts.join(" + "), bytes(description.running()));
    (symbols.to_owned(), filled)
}

/// A tensor that an operator reads, or an operator that reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Its name.
    pub name: String,
    /// The operator; none where it is an input of the graph.
    pub op: Option<usize>,
    /// Size of the tensor.
    pub bytes: String,
}

/// Returns kind, output and lifetime of an operator as labels and values.
#[must_use]
pub fn facts(graph: &GraphPicture, op: &GraphOp) -> Vec<(&'static str, String)> {
    let shape = match op.shape.as_str() {
        "" if op.out <= 8.0 => "one number",
        "" => "not in the file",
        shape => shape,
    };
    let mut output = binary_bytes(op.out);
    if op.in_place {
        output.push_str(", in place of what it reads");
    }
    let weights = match graph.resident {
        _ if op.weights == 0.0 => "none".to_owned(),
        None => format!("{}, loaded for this step", binary_bytes(op.weights)),
        Some(_) => format!("{}, held at every step", binary_bytes(op.weights)),
    };
    let at = |step: usize| count(step as f64 + 1.0);
    let (from, until) = (at(op.step), at(op.until));
    let held = match (op.until == op.step, op.is_output) {
        (_, true) => format!("from step {from} to the end: an output of the graph"),
        (true, false) => format!("at step {from} alone"),
        (false, false) => format!("from step {from} to {until}"),
    };
    vec![
        ("Kind", op.kind.clone()),
        ("Output shape", shape.to_owned()),
        ("Output", output),
        ("Held", held),
        ("Weights", weights),
    ]
}

/// Returns the tensors that an operator reads.
#[must_use]
pub fn reads(graph: &GraphPicture, op: &GraphOp) -> Vec<Neighbour> {
    let one = |t: &u32| {
        let t = *t as usize;
        Some(Neighbour {
            name: tensor(graph, t)?.name.to_owned(),
            op: (t < graph.ops.len()).then_some(t),
            bytes: binary_bytes(tensor_bytes(graph, t) as f64),
        })
    };
    op.preds.iter().filter_map(one).collect()
}

/// Returns the operators that read the output of operator `v`.
#[must_use]
pub fn readers(graph: &GraphPicture, v: usize) -> Vec<Neighbour> {
    let all = graph.ops.iter().enumerate();
    let all = all.filter(|(_, op)| op.preds.contains(&(v as u32)));
    all.map(|(u, op)| Neighbour {
        name: op.name.clone(),
        op: Some(u),
        bytes: binary_bytes(tensor_bytes(graph, v) as f64),
    })
    .collect()
}

/// A step of operators that are cut over devices, in words; `None` where there is no such step.
#[must_use]
pub fn slice_words(slices: &SlicePicture, at: usize) -> Option<String> {
    let step = slices.steps.get(at)?;
    let length = step.marks.last().copied().unwrap_or_default();
    Some(format!(
        "Step {} of {}: {}, cut along {} into {} {}; {}, of which {} receiving.",
        at + 1,
        slices.steps.len(),
        step.name,
        step.dim,
        count(f64::from(length)),
        step.unit,
        millis(step.comm_ms + step.compute_ms),
        millis(step.comm_ms),
    ))
}

/// Returns the table of what each device does at a step; empty if there is no such step.
#[must_use]
pub fn slice_table(slices: &SlicePicture, at: usize) -> Table {
    let Some(step) = slices.steps.get(at) else {
        return Table::default();
    };
    let row = |(device, part): (usize, &SlicePart)| {
        let ends = step.marks.get(device..=device + 1);
        let (from, to) = ends.map_or((0, 0), |ends| (ends[0], ends[1]));
        let limit = slices.limits.get(device).copied().flatten();
        vec![
            Cell::text(slices.devices.get(device).map_or("", String::as_str)),
            Cell::text(match to.checked_sub(1) {
                Some(last) if from < to => format!("{from} to {last}"),
                _ => "nothing".to_owned(),
            }),
            Cell::count((to - from) as usize),
            Cell::Number(part.received / 1024.0, 1),
            Cell::Number(part.comm_ms, 3),
            Cell::Number(part.compute_ms, 3),
            Cell::Number(part.memory_b / 1_048_576.0, 2),
            Cell::maybe(limit.map(|limit| 100.0 * part.memory_b / limit.max(1.0)), 0),
        ]
    };
    Table {
        name: "slice",
        title: format!("What each device does for {}", step.name),
        columns: vec![
            TableColumn::new("device", "device", ""),
            TableColumn::new("made", step.unit.clone(), ""),
            TableColumn::new("count", "of them", ""),
            TableColumn::new("received_kib", "receives", "KiB"),
            TableColumn::new("comm_ms", "receiving", "ms"),
            TableColumn::new("compute_ms", "computing", "ms"),
            TableColumn::new("held_mib", "holds", "MiB"),
            TableColumn::new("of_limit", "share of limit", "%"),
        ],
        rows: step.device_parts.iter().enumerate().map(row).collect(),
    }
}
