//! The figures of an answer about an operator graph: what the step of the peak is made of, the sum over steps, the arena, the split
//! over devices.

use super::{SplitSummary, charts, gap, limit_words};
use document::steps::{StepSummary, formula};
use document::{FigurePart, Figures, Formula, Quantity, Unit, counted};
use engine::graph::{Graph, Objective, Weights};
use engine::plan::Arena;
use engine::scenario::operators::Scenario;
use engine::units::InOrder;
use engine::units::{NARROW, memory, percent, seconds};
use planner::Status;
use planner::operators::{Ordered, Plan, Splits};

/// The fields that a graph comes from, and how long its weights are in memory.
const GRAPH: [&str; 3] = ["preset", "file", "weights"];
/// The fields that set the time of a split.
const TIMES: [&str; 8] = [
    "factor", "op_us", "mbps", "link", "op_ms", "gflops", "gbs", "dims",
];
/// The most tensors of a step that are added up one by one.
const MOST_ADDED: usize = 4;
/// Note if all weights stay in memory.
const RESIDENT: &str =
    "Ours: all weights stay in memory, where the paper holds them only while their operator runs";

/// Returns the main figures: the peak and its parts, and the extent of the search; empty if no order fits. `took` is the time of
/// the search [s], if it is to be shown.
#[must_use]
pub fn figures(
    scenario: &Scenario,
    graph: &Graph,
    plan: &Plan,
    took: Option<f64>,
) -> Option<Figures> {
    let ours = plan.ours.as_ref()?;
    let step_summary = StepSummary::of(&charts::steps(graph, ours), ours.trace.peak_step())?;
    let mut others = vec![peak(scenario, ours, &step_summary), sum(graph, ours)];
    others.extend((scenario.objective == Objective::Table4).then(|| table4(graph, ours)));
    others.push(states(plan, took));
    Some(Figures {
        quantities: Vec::new(),
        total: None,
        shares: memory_parts(graph, &step_summary),
        other_quantities: others,
    })
}

fn share(step_summary: &StepSummary, bytes: u64) -> String {
    percent(
        100.0 * bytes as f64 / step_summary.running().max(1) as f64,
        1,
    )
}

/// The parts of what a step holds.
fn memory_parts(graph: &Graph, step_summary: &StepSummary) -> Vec<FigurePart> {
    let part = |key: &str, name: &str, class: &str, bytes: u64, note: String, formula: Formula| {
        let quantity = Quantity::new(key, name, bytes as f64, Unit::Memory);
        FigurePart {
            quantity: quantity.with_note(note).by(formula),
            class: class.to_owned(),
        }
    };
    let weights = match step_summary.weights {
        0 => "none".to_owned(),
        bytes => share(step_summary, bytes),
    };
    let new = match step_summary.overwrites {
        Some(_) => "written in place".to_owned(),
        None => share(step_summary, step_summary.new),
    };
    let kept = share(step_summary, step_summary.live_b);
    vec![
        part(
            "kept",
            "Kept",
            "k-kept",
            step_summary.live_b,
            kept,
            of_kept(graph, step_summary),
        ),
        part(
            "new_output",
            "New output",
            "k-new",
            step_summary.new,
            new,
            of_new(graph, step_summary),
        ),
        part(
            "weights",
            "Weights",
            "k-weights",
            step_summary.weights,
            weights,
            of_weights(graph, step_summary),
        ),
    ]
}

fn of_kept(graph: &Graph, step_summary: &StepSummary) -> Formula {
    let bytes = step_summary
        .live_tensors
        .iter()
        .map(|t| graph.bytes(*t as usize) as f64);
    let mut added: Vec<f64> = bytes.collect();
    added.in_order_by(|a, b| b.total_cmp(a));
    let (mut filled, mut rounded) =
        Formula::summed(&added, step_summary.live_b as f64, Unit::Memory);
    if added.len() > MOST_ADDED {
        let tensors = counted(added.len(), "tensor", "tensors");
        filled = format!("{tensors} = {}", memory(step_summary.live_b as f64));
        rounded = false;
    }
    let formula = Formula::new(
        "Mi = \u{3a3} bytes of the tensors that are still read, and of outputs of the graph",
        filled,
        "MemoriaNova, section 2.2 and Table 2: the interval stage before the operator",
        &GRAPH,
    );
    Formula { rounded, ..formula }
}

fn of_new(graph: &Graph, step_summary: &StepSummary) -> Formula {
    let op = graph.op(step_summary.op);
    let shape: Vec<String> = op.shape.iter().map(u64::to_string).collect();
    let of_floats = op.shape.iter().try_fold(4u64, |all, n| all.checked_mul(*n));
    let filled = match step_summary.overwrites {
        Some(t) => format!(
            "written over {} = {}",
            graph.tensor_name(t as usize),
            memory(0.0)
        ),
        None if !shape.is_empty() && of_floats == Some(op.out) => format!(
            "{} \u{d7} 4 B = {}",
            shape.join(" \u{d7} "),
            memory(op.out as f64)
        ),
        None => memory(step_summary.new as f64),
    };
    Formula::new(
        "out = bytes of its output; 0 where it overwrites an operand",
        filled,
        "MemoriaNova, section 2.2 and Table 2: a sum is written over an operand that nobody reads any more",
        &GRAPH,
    )
}

fn of_weights(graph: &Graph, step_summary: &StepSummary) -> Formula {
    let shown = memory(step_summary.weights as f64);
    match step_summary.is_resident {
        true => Formula::new(
            "\u{3a3} w of all operators",
            format!(
                "{} = {shown}",
                counted(graph.len(), "operator", "operators")
            ),
            RESIDENT,
            &GRAPH,
        ),
        false => Formula::new(
            "w = bytes of the operator\u{2019}s weights",
            format!("{} = {shown}", graph.op_name(step_summary.op)),
            "MemoriaNova, section 2.2 and Table 2: the kernel is held while its operator runs",
            &GRAPH,
        ),
    }
}

fn peak(scenario: &Scenario, ours: &Ordered, step_summary: &StepSummary) -> Quantity {
    let (symbols, filled) = formula(step_summary);
    let added =
        [step_summary.live_b, step_summary.weights, step_summary.new].map(|bytes| bytes as f64);
    let (_, rounded) = Formula::summed(&added, ours.peak as f64, Unit::Memory);
    let note = limit_words(scenario, ours.peak).unwrap_or_else(|| "no limit".to_owned());
    let formula = Formula::new(
        format!("peak = max Me; {symbols}"),
        filled,
        "MemoriaNova, section 2.2 and Table 2: the largest execution stage",
        &GRAPH,
    );
    Quantity::new(
        "peak",
        format!("Peak, at step {}", step_summary.step + 1),
        ours.peak as f64,
        Unit::Memory,
    )
    .with_note(note)
    .by(Formula { rounded, ..formula })
}

/// `71 steps, 1.13 MiB on average = 80.39 MiB`.
fn over_steps(graph: &Graph, sum: u64) -> String {
    format!(
        "{}, {} on average = {}",
        counted(graph.len(), "step", "steps"),
        memory(sum as f64 / graph.len().max(1) as f64),
        memory(sum as f64)
    )
}

fn sum(graph: &Graph, ours: &Ordered) -> Quantity {
    let source = match graph.weights_rule() {
        Weights::PerOperator => "MemoriaNova, section 3.2: what its metric of an order adds up",
        Weights::Resident => RESIDENT,
    };
    Quantity::new("sum", "Sum over steps", ours.sum as f64, Unit::Memory)
        .with_note("while operators run")
        .by(Formula::new(
            "\u{3a3} Me over all steps",
            over_steps(graph, ours.sum),
            source,
            &GRAPH,
        ))
}

fn table4(graph: &Graph, ours: &Ordered) -> Quantity {
    Quantity::new(
        "table4",
        "As Table 4 counts",
        ours.table4 as f64,
        Unit::Memory,
    )
    .with_note("over all steps")
    .by(Formula::new(
        "\u{3a3} reads + out + w, and every tensor once more for each reader to come",
        over_steps(graph, ours.table4),
        "MemoriaNova, Table 4: the count that gives its figures, which is not the sum of Me",
        &GRAPH,
    ))
}

/// How many sets of operators the search looked at; no formula gives that.
fn states(plan: &Plan, took: Option<f64>) -> Quantity {
    let ended = match plan.status {
        Status::Optimal => "search complete",
        _ => "search incomplete",
    };
    let note = took.map_or_else(
        || ended.to_owned(),
        |took| format!("{}, {ended}", seconds(took)),
    );
    Quantity::new("states", "States searched", plan.states as f64, Unit::Count).with_note(note)
}

/// The size of the arena, what no arena can be smaller than, and the difference.
#[must_use]
pub fn of_arena(graph: &Graph, arena: &Arena) -> Figures {
    let gap = arena.size.saturating_sub(arena.bound);
    let ends = arena.offsets.iter().enumerate().filter_map(|(t, offset)| {
        let offset = (*offset)?;
        Some((offset + graph.bytes(t), offset, t))
    });
    let filled = match ends.max_by_key(|(end, _, t)| (*end, std::cmp::Reverse(*t))) {
        Some((_, offset, t)) => format!(
            "offset {} + {} of {} = {}",
            memory(offset as f64),
            memory(graph.bytes(t) as f64),
            graph.tensor_name(t),
            memory(arena.size as f64)
        ),
        None => memory(arena.size as f64),
    };
    const SOURCE: &str =
        "Ours: the paper counts bytes; here no two tensors that are held at one step overlap";
    const INPUTS: [&str; 3] = ["preset", "file", "align_bytes"];
    let quantity = |key: &str, name: &str, bytes: u64, note: String, formula: Formula| {
        let quantity = Quantity::new(key, name, bytes as f64, Unit::Memory);
        quantity.with_note(note).by(formula)
    };
    let [size, bound, apart] = [arena.size, arena.bound, gap].map(|bytes| memory(bytes as f64));
    let formulas = [
        Formula::new(
            "largest offset + bytes of a tensor",
            filled,
            SOURCE,
            &INPUTS,
        ),
        Formula::new(
            "largest \u{3a3} bytes of the tensors held at one step",
            format!("at its step = {bound}"),
            "Ours: tensors that are held at one step do not overlap, so no arena is smaller",
            &INPUTS,
        ),
        Formula::new(
            "size \u{2212} bound",
            format!("{size} \u{2212} {bound} = {apart}"),
            SOURCE,
            &INPUTS,
        ),
    ];
    let [of_size, of_bound, of_gap] = formulas;
    let aligned = format!("aligned to {}{}B", arena.align, NARROW);
    let share = percent(100.0 * gap as f64 / arena.size.max(1) as f64, 1);
    Figures {
        quantities: Vec::new(),
        other_quantities: vec![
            quantity("arena", "Size", arena.size, aligned, of_size),
            quantity(
                "arena_bound",
                "Bound",
                arena.bound,
                "live at one step".into(),
                of_bound,
            ),
            quantity("arena_gap", "Gap", gap, share, of_gap),
        ],
        ..Figures::default()
    }
}

/// How long a split takes, what no split is quicker than, and how far it is from that where it keeps the limits.
#[must_use]
pub fn of_split(step_summary: &SplitSummary<'_>, splits: &Splits) -> Figures {
    let cut = step_summary.cut;
    let (ms, bound) = (cut.latency_ms, splits.bound_ms);
    let shown = |ms: f64| Unit::Milliseconds.format(ms);
    let filled = match &cut.score {
        Some(score) => format!(
            "{} receiving + {} computing = {}",
            shown(score.comm_ms),
            shown(ms - score.comm_ms),
            shown(ms)
        ),
        None => shown(ms),
    };
    let rounded = cut.score.as_ref().is_some_and(|score| {
        let parts = [score.comm_ms, ms - score.comm_ms];
        Formula::summed(&parts, ms, Unit::Milliseconds).1
    });
    let note = match cut.is_feasible {
        true => "within all limits",
        false => "breaks a limit",
    };
    let time = Formula::new(
        "\u{3a3} over operators of the largest (receiving + computing) of a device",
        filled,
        "MemoriaNova, section 3.3.2, Algorithm 2",
        &TIMES,
    );
    let least = Formula::new(
        "\u{3a3} over operators of the least time of any cut",
        format!(
            "{} = {}",
            counted(step_summary.graph.len(), "operator", "operators"),
            shown(bound)
        ),
        "Ours: operators run one after the other, so that least times add up; each follows from whole rows and from what must be received",
        &TIMES,
    );
    let mut others = vec![
        Quantity::new("split_time", "All operators", ms, Unit::Milliseconds)
            .with_note(note)
            .by(Formula { rounded, ..time }),
        Quantity::new("split_bound", "Lower bound", bound, Unit::Milliseconds)
            .with_note(match step_summary.cut.is_feasible {
                true => "no split is faster",
                // A split that breaks a limit may be.
                false => "no split within the limits is faster",
            })
            .by(least),
    ];
    if cut.is_feasible {
        let apart = gap(ms, bound);
        let filled = format!(
            "({} \u{2212} {}) / {} = {}",
            shown(ms),
            shown(bound),
            shown(ms),
            Unit::Share.format(apart)
        );
        others.push(
            Quantity::new("split_gap", "Gap to the bound", apart, Unit::Share)
                .with_note("at most so far from the best")
                .by(Formula::new(
                    "(time \u{2212} bound) / time",
                    filled,
                    "Ours: time and bound as above",
                    &TIMES,
                )),
        );
    }
    Figures {
        quantities: Vec::new(),
        other_quantities: others,
        ..Figures::default()
    }
}
