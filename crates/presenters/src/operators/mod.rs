//! Sentences of an answer about an operator graph: headline, lead, the step at the peak. Its tables are data, and [`tflm`] writes
//! the plan for a microcontroller runtime.

pub mod charts;
mod figures;
mod presenter;
pub mod sections;
mod split;
mod split_queries;
mod split_tables;
mod started_queries;
mod tables;
pub mod tflm;
mod weights;

pub use ::protocol::names::operators::{
    goal_about, goal_name, graph_name, operators, weights_about, weights_name,
};
pub use document::quantity::millis;
pub use split::{
    CapacitySummary, DeviceTotals, PartSummary, SplitPiece, SplitSummary, bound_words,
    capacity_summary, gap, maker_about, maker_name, names, split_words,
};
pub use split_tables::{
    Curve, curve_table, device_table, longest, maker_table, slowest_table, split_comparison,
    split_table, variant_table,
};
pub use tables::{arena_table, comparison, method_table, order_table, trace_table};

use document::steps::{StepSummary, named};
use document::{Sentence, counted, list};
use document::{Tone, Verdict};
use engine::graph::{Graph, Objective, OperatorKind, Weights};
use engine::plan::Arena;
use engine::scenario::operators::Scenario;
use engine::units::InOrder;
use engine::units::{count, memory, percent};
use planner::Status;
use planner::operator_order::{Drawn, Method};
use planner::operators::{Ordered, Plan, SearchedOrder};
use std::collections::BTreeMap;
use weights::{other_rule_words, weights_words};

/// Returns the name of a method.
#[must_use]
pub const fn method_name(method: Method) -> &'static str {
    match method {
        Method::Exact => "Exact",
        Method::Btsearch => "BTSearch",
        Method::Greedy => "Greedy",
        Method::Peft => "PEFT",
        Method::Random => "Random",
        Method::File => "As listed",
    }
}

/// Describes a method in one line.
#[must_use]
pub const fn about(method: Method) -> &'static str {
    match method {
        Method::Exact => {
            "the best of all orders: a shortest path over the sets of operators that can have run"
        }
        Method::Btsearch => {
            "the paper\u{2019}s search, depth first; a branch is pruned once the same set was reached at no greater cost"
        }
        Method::Greedy => "of the operators that can run, the one that reads most",
        Method::Peft => "of the operators that can run, the one with the longest remaining path",
        Method::Random => "any operator that can run, drawn by seed",
        Method::File => "the file\u{2019}s order, which a simple runtime takes as it is",
    }
}

/// The value of an order under a goal [bytes].
#[must_use]
pub const fn value(ordered: &Ordered, goal: Objective) -> u64 {
    match goal {
        Objective::Sum => ordered.sum,
        Objective::Peak => ordered.peak,
        Objective::Table4 => ordered.table4,
    }
}

/// Counts the operators by kind: "57 convolutions, 14 pools", the most frequent first.
///
/// # Complexity
/// O(operators log operators).
#[must_use]
pub fn kinds(graph: &Graph) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for op in graph.ops() {
        *numbers.entry(op.kind.name()).or_default() += 1;
    }
    let mut sorted: Vec<(&str, usize)> = numbers.into_iter().collect();
    sorted.in_order_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let words = sorted.iter().map(|(name, n)| match OperatorKind::of(name) {
        OperatorKind::Conv => counted(*n, "convolution", "convolutions"),
        OperatorKind::Pool => counted(*n, "pool", "pools"),
        OperatorKind::Add => counted(*n, "sum", "sums"),
        OperatorKind::Gemm => counted(*n, "product", "products"),
        OperatorKind::Norm => counted(*n, "normalisation", "normalisations"),
        OperatorKind::Other(name) => format!("{} {name}", count(*n as f64)),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Puts an answer into words.
#[must_use]
pub fn verdict(scenario: &Scenario, graph: &Graph, plan: &Plan) -> Verdict {
    match &plan.ours {
        Some(ours) => planned(scenario, graph, plan, ours),
        None => unplanned(scenario, graph, plan),
    }
}

fn planned(scenario: &Scenario, graph: &Graph, plan: &Plan, ours: &Ordered) -> Verdict {
    let (proof, tone) = match (plan.status, plan.gap) {
        (Status::Optimal, _) => ("Order optimal, proven".to_owned(), Tone::Good),
        // A bound of zero says nothing.
        (_, Some(gap)) if gap < 0.9995 => (
            format!("Within {} of the bound", percent(100.0 * gap, 1)),
            Tone::Open,
        ),
        _ => ("Best found, no bound".to_owned(), Tone::Open),
    };
    let runs = Sentence::default()
        .plain(format!("{} runs in ", graph_name(scenario)))
        .strong(memory(ours.peak as f64));
    let headline = match scenario.objective {
        Objective::Peak => runs.plain("."),
        Objective::Sum => runs
            .plain(", with ")
            .strong(memory(ours.sum as f64))
            .plain(" summed over all steps."),
        Objective::Table4 => runs
            .plain("; Table 4 counts ")
            .strong(memory(ours.table4 as f64))
            .plain("."),
    };
    let headline = headline.followed(weights_words(graph));
    Verdict {
        proof,
        tone,
        headline,
        summary: lead_sentence(scenario, plan, ours).followed(other_rule_words(graph, ours)),
        reason: reason(graph, plan, ours),
    }
}

/// `10.01 MiB (11.1 %) less`, of two values of which the first is ours.
fn less(ours: u64, other: u64) -> String {
    let by = other as f64 - ours as f64;
    let share = percent(100.0 * (by / other.max(1) as f64).abs(), 1);
    let word = if by >= 0.0 { "less" } else { "more" };
    format!("{} ({share}) {word}", memory(by.abs()))
}

/// Whose order it is, as a sentence begins with it.
const fn owner_text(method: Method) -> &'static str {
    match method {
        Method::Exact => "ours",
        Method::Btsearch => "BTSearch\u{2019}s",
        Method::Greedy => "the greedy order",
        Method::Peft => "PEFT\u{2019}s",
        Method::Random => "a random order",
        Method::File => "the file\u{2019}s order",
    }
}

/// How ours compares with the orders that are known at once: each of them is named.
fn lead_sentence(scenario: &Scenario, plan: &Plan, ours: &Ordered) -> Sentence {
    let other = |method| plan.others.iter().find(|other| other.method == method);
    let listed = other(Method::File).or_else(|| plan.others.first());
    let Some(listed) = listed else {
        return Sentence::default();
    };
    let name = owner_text(listed.method);
    let alike = plan.others.iter().filter(|other| other.peak == ours.peak);
    let alike: Vec<String> = alike
        .map(|other| owner_text(other.method).to_owned())
        .collect();
    let peaks = if listed.peak == ours.peak {
        Sentence::default().plain(format!(
            "Its peak is the same as that of {}. ",
            list(&alike)
        ))
    } else {
        Sentence::default()
            .plain("Its peak is ")
            .strong(less(ours.peak, listed.peak))
            .plain(format!(" than that of {name}. "))
    };
    let goal = match scenario.objective {
        Objective::Table4 => Objective::Table4,
        Objective::Sum | Objective::Peak => Objective::Sum,
    };
    let held = match goal {
        Objective::Table4 => "By Table 4\u{2019}s count it holds ",
        _ => "Summed over all steps it holds ",
    };
    let (own, theirs) = (value(ours, goal), value(listed, goal));
    let sums = if own == theirs {
        Sentence::default().plain(format!("{held}as much as {name}."))
    } else {
        Sentence::default()
            .plain(held)
            .strong(less(own, theirs))
            .plain(format!(" than {name}."))
    };
    peaks.followed(sums)
}

/// Most operators that a sentence names one by one.
const MOST_NAMED: usize = 3;

/// Which step sets the peak, and whether another order could do with less.
fn reason(graph: &Graph, plan: &Plan, ours: &Ordered) -> Sentence {
    let steps = charts::steps(graph, ours);
    let Some(step_summary) = StepSummary::of(&steps, ours.trace.peak_step()) else {
        return Sentence::default(); // an order that the referee replayed has one
    };
    let mut clauses = Vec::new();
    if !step_summary.live_tensors.is_empty() {
        let verb = if step_summary.live_tensors.len() == 1 {
            "is"
        } else {
            "are"
        };
        clauses.push(format!(
            "{} {verb} kept",
            named(&steps, &step_summary.live_tensors)
        ));
    }
    if step_summary.weights > 0 {
        let whose = if step_summary.is_resident {
            "all"
        } else {
            "its"
        };
        clauses.push(format!(
            "{whose} weights take {}",
            memory(step_summary.weights as f64)
        ));
    }
    clauses.push(match step_summary.overwrites {
        Some(t) => format!("its output overwrites {}", graph.tensor_name(t as usize)),
        None => format!("its output takes {}", memory(step_summary.new as f64)),
    });
    let sentence = Sentence::default()
        .strong(format!("{} sets the peak.", graph.op_name(step_summary.op)))
        .plain(format!(
            " While it runs, as step {} of {}, {}.",
            step_summary.step + 1,
            graph.len(),
            list(&clauses)
        ));
    match (ours.peak == plan.least_peak, plan.least_peak_is_proved) {
        (true, true) => sentence.plain(" No order needs less."),
        (true, false) => sentence.plain(" No order that was found needs less."),
        (false, _) => sentence.plain(format!(
            " The order of least peak needs {}.",
            memory(plan.least_peak as f64)
        )),
    }
}

/// The least that an operator needs in any order: what it reads, weights, its output where nothing can be overwritten
/// [bytes].
fn alone(graph: &Graph, v: usize) -> u64 {
    let op = graph.op(v);
    let read = |t: &u32| graph.bytes(*t as usize);
    let may_overwrite = op.kind == OperatorKind::Add
        && graph
            .src(v)
            .iter()
            .any(|t| graph.bytes(*t as usize) >= op.out);
    let new = if may_overwrite { 0 } else { op.out };
    graph.src(v).iter().map(read).sum::<u64>() + graph.resident_weights(v) + new
}

/// Builds the verdict if no order keeps the limit, proven or as far as is known.
fn unplanned(scenario: &Scenario, graph: &Graph, plan: &Plan) -> Verdict {
    let limit = scenario.limit_bytes().unwrap_or_default();
    let is_proved = plan.status == Status::Infeasible;
    let (proof, tone) = if is_proved {
        ("Does not fit, proven".to_owned(), Tone::Bad)
    } else {
        ("None found, not proven".to_owned(), Tone::Open)
    };
    let over = plan.least_peak.saturating_sub(limit);
    let lead = Sentence::default()
        .plain(if plan.least_peak_is_proved {
            "The least that any order needs is "
        } else {
            "The least that was found needs "
        })
        .strong(memory(plan.least_peak as f64))
        .plain(format!(", {} more than the limit.", memory(over as f64)));
    let largest = (0..graph.len()).max_by_key(|v| (alone(graph, *v), std::cmp::Reverse(*v)));
    let largest = largest.filter(|v| alone(graph, *v) > limit);
    let reason = match largest {
        Some(_) if graph.resident() > limit => Sentence::default()
            .strong("The weights alone need more.")
            .plain(format!(
                " All of them stay in memory, {} in any order.",
                memory(graph.resident() as f64)
            )),
        Some(v) => Sentence::default()
            .strong(format!("{} alone needs more.", graph.op_name(v)))
            .plain(format!(
                " Its inputs, {} and output come to {} in any order.",
                match graph.weights_rule() {
                    Weights::PerOperator => "weights",
                    Weights::Resident => "all weights",
                },
                memory(alone(graph, v) as f64)
            )),
        None => Sentence::default()
            .strong("No operator alone is too large.")
            .plain(" The tensors that must be kept meanwhile are."),
    };
    Verdict {
        proof,
        tone,
        headline: Sentence::default()
            .plain(if is_proved {
                "No order fits into "
            } else {
                "No order was found that fits into "
            })
            .strong(memory(limit as f64))
            .plain(".")
            .followed(match graph.weights_rule() {
                Weights::PerOperator => Sentence::default(),
                Weights::Resident => weights_words(graph),
            }),
        summary: lead,
        reason,
    }
}

/// Ours against random orders, in a sentence.
#[must_use]
pub fn against_random(goal: Objective, ours: &Ordered, drawn: &Drawn) -> Sentence {
    let spread = match goal {
        Objective::Sum => &drawn.sum,
        Objective::Peak => &drawn.peak,
        Objective::Table4 => &drawn.table4,
    };
    let own = value(ours, goal) as f64;
    let by = spread.mean - own;
    let orders = counted(drawn.orders as usize, "random order", "random orders");
    let begin = Sentence::default().plain(format!("Over {orders} the {} is ", goal_name(goal)));
    let begin = begin.plain(format!(
        "{} on average, {} to {}; ",
        memory(spread.mean),
        memory(spread.least as f64),
        memory(spread.most as f64)
    ));
    if by.abs() < 0.5 {
        return begin.plain("the order shown is the same.");
    }
    let share = percent(100.0 * (by / spread.mean).abs(), 1);
    let word = if by > 0.0 { "less" } else { "more" };
    begin
        .plain("the order shown has ")
        .strong(format!("{} ({share}) {word}", memory(by.abs())))
        .plain(".")
}

/// Describes the paper's search in a sentence.
#[must_use]
pub fn search_words(searched: &SearchedOrder) -> String {
    let end = if searched.ended {
        "It ran to the end"
    } else {
        "It stopped at its step limit"
    };
    format!(
        "{end}: {} pruned, {} completed, {} met.",
        counted(searched.pruned as usize, "branch", "branches"),
        counted(searched.searched as usize, "order", "orders"),
        counted(
            searched.states as usize,
            "set of operators",
            "sets of operators"
        )
    )
}

/// Addresses of the tensors, in a sentence.
#[must_use]
pub fn arena_words(graph: &Graph, arena: &Arena) -> Sentence {
    let gap = arena.size.saturating_sub(arena.bound);
    let sentence = Sentence::default()
        .plain("One arena of ")
        .strong(memory(arena.size as f64))
        .plain(" holds every tensor at a fixed offset");
    let sentence = if gap == 0 {
        sentence.plain("; no smaller arena works: that much is live at one step.")
    } else {
        sentence.plain(format!(
            ", {} more than is live at any step ({}).",
            memory(gap as f64),
            percent(100.0 * gap as f64 / arena.size.max(1) as f64, 1)
        ))
    };
    let shared = arena.shared.len();
    if shared == 0 {
        return sentence;
    }
    let pairs: Vec<String> = arena
        .shared
        .iter()
        .take(MOST_NAMED)
        .map(|(output, source)| {
            let name = |t: &u32| graph.tensor_name(*t as usize);
            format!("{} over {}", name(output), name(source))
        })
        .collect();
    let rest = match shared.saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    sentence.plain(format!(
        " {} in place of an operand: {}{rest}.",
        counted(shared, "sum is written", "sums are written"),
        pairs.join(", ")
    ))
}

/// The share of the limit that the peak takes, in words; nothing without a limit.
#[must_use]
pub fn limit_words(scenario: &Scenario, peak: u64) -> Option<String> {
    let limit = scenario.limit_bytes()?;
    let share = percent(100.0 * peak as f64 / limit.max(1) as f64, 1);
    Some(format!("{share} of the limit"))
}

/// Bytes in MiB, as the page's fields have them.
#[must_use]
pub fn mebi(bytes: f64) -> f64 {
    bytes / 1_048_576.0
}

/// The smallest limit that works, as the field takes it: rounded up to a thousandth [MiB].
#[must_use]
pub fn least_limit(plan: &Plan) -> f64 {
    libm::ceil(mebi(plan.least_peak as f64) * 1000.0) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::operators::presets;
    use engine::units::NARROW;
    use planner::operators::{OperatorsRequest, OperatorsResult, answer};

    fn step_summary(scenario: &Scenario) -> (Graph, Plan, Verdict) {
        let graph = scenario.graph().expect("a graph");
        let Ok(OperatorsResult::Plan(plan)) =
            answer(scenario, &OperatorsRequest::Plan, &mut |_, _, _| ())
        else {
            panic!("a plan was asked for");
        };
        let words = verdict(scenario, &graph, &plan);
        (graph, *plan, words)
    }

    fn plain(sentence: &Sentence) -> String {
        sentence.to_string().replace(NARROW, " ")
    }

    #[test]
    fn googlenet_says_what_it_takes_and_why() {
        let scenario = presets::named("googlenet").expect("a preset").scenario;
        let (graph, plan, words) = step_summary(&scenario);
        assert_eq!(kinds(&graph), "57 convolutions, 14 pools");
        assert_eq!(
            plain(&words.headline),
            "GoogLeNet runs in 3.83 MiB, with 80.39 MiB summed over all steps. Weights (21.33 MiB in all) are held only while their operator \
             runs."
        );
        assert_eq!(words.proof, "Order optimal, proven");
        let (lead, reason) = (plain(&words.summary), plain(&words.reason));
        assert!(
            lead.starts_with(
                "Its peak is the same as that of the greedy order, PEFT\u{2019}s and the file\u{2019}s order."
            ),
            "{lead}"
        );
        assert!(
            lead.contains("Summed over all steps it holds 12.32 MiB (13.3 %) less than the file\u{2019}s order.")
                && lead.contains("With all weights resident this order peaks at "),
            "{lead}"
        );
        assert!(
            reason.contains("sets the peak. While it runs, as step 2 of 71,"),
            "{reason}"
        );
        assert!(reason.ends_with("No order needs less."), "{reason}");
        let drawn = planner::operator_order::draws(&graph, 60, 1);
        let ours = plan.ours.as_ref().expect("an order");
        let random = plain(&against_random(scenario.objective, ours, &drawn));
        assert!(
            random.starts_with("Over 60 random orders the sum over steps is 90."),
            "{random}"
        );
        let arena = arena_words(&graph, plan.arena.as_ref().expect("an arena"));
        assert!(plain(&arena).starts_with("One arena of 3.8"), "{arena}");
    }

    #[test]
    fn a_limit_that_nothing_keeps_is_explained() {
        let scenario = Scenario {
            limit_mib: Some(2.0),
            ..presets::named("googlenet").expect("a preset").scenario
        };
        let (_, plan, words) = step_summary(&scenario);
        assert_eq!(plain(&words.headline), "No order fits into 2.00 MiB.");
        assert_eq!(words.proof, "Does not fit, proven");
        assert_eq!(
            plain(&words.summary),
            "The least that any order needs is 3.83 MiB, 1.83 MiB more than the limit."
        );
        let reason = plain(&words.reason);
        assert!(
            reason.contains(" alone needs more. Its inputs,"),
            "{reason}"
        );
        // The limit that the page offers is one that works.
        let fits = Scenario {
            limit_mib: Some(least_limit(&plan)),
            ..scenario
        };
        assert_eq!(step_summary(&fits).1.status, Status::Optimal);
    }

    #[test]
    fn table_2_is_shown_with_its_tensors_by_name() {
        let scenario = presets::named("operators-table2")
            .expect("a preset")
            .scenario;
        let (graph, plan, words) = step_summary(&scenario);
        let ours = plan.ours.as_ref().expect("an order");
        assert_eq!(ours.peak, plan.least_peak);
        assert_eq!(kinds(&graph), "3 convolutions, 1 sum");
        let reason = plain(&words.reason);
        assert_eq!(
            reason,
            "Conv2 sets the peak. While it runs, as step 2 of 4, Conv1 (12.25 MiB) and input (0.57 MiB) are kept, its weights take \
             0.28 MiB and its output takes 6.12 MiB. No order needs less."
        );
        // Random orders peak higher: only those that were looked at are said to peak alike.
        let drawn = planner::operator_order::draws(&graph, 60, 1);
        assert!(drawn.peak.most > ours.peak);
        // Resident weights: 0.28 MiB of Conv2 run with Conv1's and Conv3's beside them.
        let resident = weights::other_peak(&graph, ours);
        assert_eq!(resident, ours.peak + graph.op(0).w + graph.op(2).w);
        let lead = plain(&words.summary);
        assert!(
            lead.starts_with("Its peak is the same as that of ") && !lead.contains("very order"),
            "{lead}"
        );
        let table = comparison(scenario.objective, &plan, None, None);
        assert_eq!(table.rows.len(), 1 + plan.others.len());
        let trace = trace_table(&graph, &[ours]);
        assert_eq!((trace.rows.len(), trace.columns.len()), (4, 3));
        assert_eq!(order_table(&graph, ours).rows.len(), 4);
        let arena = plan.arena.as_ref().expect("an arena");
        assert_eq!(arena_table(&graph, arena).rows.len(), 5);
    }
}
