//! Tables of an answer about an operator graph: the order, what it holds step by step, where its tensors lie, and the
//! orders that it is compared with.

use super::{about, goal_name, mebi, method_name, value};
use document::{Cell, Table, TableColumn};
use engine::graph::{Graph, Objective};
use engine::plan::Arena;
use planner::operator_order::{Drawn, Figures, Method};
use planner::operators::{Ordered, Plan, SearchedOrder};

fn bytes(b: u64) -> Cell {
    Cell::Number(b as f64, 0)
}

fn columns(all: &[(&'static str, &str, &'static str)]) -> Vec<TableColumn> {
    let column =
        |(key, head, unit): &(&'static str, &str, &'static str)| TableColumn::new(key, *head, unit);
    all.iter().map(column).collect()
}

/// An order with what each step holds.
#[must_use]
pub fn order_table(graph: &Graph, ordered: &Ordered) -> Table {
    let row = |(step, v): (usize, &u32)| {
        let v = *v as usize;
        let op = graph.op(v);
        let reads: Vec<String> = graph
            .src(v)
            .iter()
            .map(|t| graph.tensor_name(*t as usize))
            .collect();
        vec![
            Cell::count(step + 1),
            Cell::count(v),
            Cell::text(graph.op_name(v)),
            Cell::text(op.kind.name()),
            Cell::text(reads.join(" ")),
            bytes(ordered.trace.interval[step] - graph.resident()),
            bytes(graph.resident_weights(v)),
            bytes(op.out),
            Cell::text(if ordered.trace.in_place[step] {
                "yes"
            } else {
                "no"
            }),
            bytes(ordered.trace.running[step]),
            bytes(ordered.trace.table4[step]),
        ]
    };
    Table {
        name: "order",
        title: format!(
            "The order, {}",
            method_name(ordered.method).to_ascii_lowercase()
        ),
        columns: columns(&[
            ("step", "step", ""),
            ("operator", "operator", ""),
            ("name", "name", ""),
            ("kind", "kind", ""),
            ("reads", "reads", ""),
            ("kept_bytes", "kept", "B"),
            ("weights_bytes", "weights", "B"),
            ("output_bytes", "output", "B"),
            ("in_place", "in place", ""),
            ("running_bytes", "while running", "B"),
            ("table4_bytes", "as in Table 4", "B"),
        ]),
        rows: ordered.order.iter().enumerate().map(row).collect(),
    }
}

/// How every order is made.
#[must_use]
pub fn method_table() -> Table {
    let methods = [
        Method::Exact,
        Method::Btsearch,
        Method::Greedy,
        Method::Peft,
        Method::Random,
        Method::File,
    ];
    let row = |method| vec![Cell::text(method_name(method)), Cell::text(about(method))];
    Table::new(
        "methods",
        "How the orders are made",
        &[("order", "order", ""), ("about", "how it is made", "")],
        methods.into_iter().map(row).collect(),
    )
}

/// Keys of a method's columns: while running and between steps.
const fn keys(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::Exact => ("exact_running", "exact_between"),
        Method::Btsearch => ("btsearch_running", "btsearch_between"),
        Method::Greedy => ("greedy_running", "greedy_between"),
        Method::Peft => ("peft_running", "peft_between"),
        Method::Random => ("random_running", "random_between"),
        Method::File => ("file_running", "file_between"),
    }
}

/// Returns the memory of each step under several orders, while it runs and after it.
#[must_use]
pub fn trace_table(graph: &Graph, orders: &[&Ordered]) -> Table {
    let mut all = vec![TableColumn::new("step", "step", "")];
    for ordered in orders {
        let (running, between) = keys(ordered.method);
        let name = method_name(ordered.method);
        all.push(TableColumn::new(running, format!("{name}, running"), "B"));
        all.push(TableColumn::new(between, format!("{name}, after"), "B"));
    }
    let row = |step: usize| {
        let mut cells = vec![Cell::count(step + 1)];
        for ordered in orders {
            cells.push(bytes(ordered.trace.running[step]));
            cells.push(bytes(ordered.trace.interval[step + 1]));
        }
        cells
    };
    Table {
        name: "trace",
        title: "What is held, step by step".to_owned(),
        columns: all,
        rows: (0..graph.len()).map(row).collect(),
    }
}

/// Where each tensor is, and when.
#[must_use]
pub fn arena_table(graph: &Graph, arena: &Arena) -> Table {
    let row = |t: usize| {
        let steps = arena.steps.get(t).copied().flatten();
        let over = arena
            .shared
            .iter()
            .find(|(output, _)| *output as usize == t);
        let number = |n: Option<u64>| n.map_or(Cell::Missing, bytes);
        let step = |n: Option<u32>| n.map_or(Cell::Missing, |n| Cell::count(n as usize + 1));
        vec![
            Cell::count(t),
            Cell::text(graph.tensor_name(t)),
            bytes(graph.bytes(t)),
            number(arena.offsets.get(t).copied().flatten()),
            step(steps.map(|(from, _)| from)),
            step(steps.map(|(_, to)| to)),
            over.map_or(Cell::Missing, |(_, source)| {
                Cell::text(graph.tensor_name(*source as usize))
            }),
        ]
    };
    Table {
        name: "arena",
        title: "Addresses of the tensors".to_owned(),
        columns: columns(&[
            ("tensor", "tensor", ""),
            ("name", "name", ""),
            ("bytes", "bytes", "B"),
            ("offset", "offset", "B"),
            ("from", "from step", ""),
            ("to", "to step", ""),
            ("over", "written over", ""),
        ]),
        rows: (0..graph.tensors()).map(row).collect(),
    }
}

/// How much less ours is than another value, in percent of the other.
fn less(ours: Option<u64>, other: f64) -> Cell {
    Cell::maybe(
        ours.filter(|_| other > 0.0)
            .map(|ours| 100.0 * (other - ours as f64) / other),
        1,
    )
}

/// Ours and the others under all three counts.
#[must_use]
pub fn comparison(
    goal: Objective,
    plan: &Plan,
    drawn: Option<&Drawn>,
    searched: Option<&SearchedOrder>,
) -> Table {
    let own = plan.ours.as_ref().map(|ours| value(ours, goal));
    let megabytes = |b: f64| Cell::Number(mebi(b), 2);
    let row =
        |name: String, (sum, peak, table4): (f64, f64, f64), of_goal: Cell, counters: [Cell; 3]| {
            let mut cells = vec![
                Cell::text(name),
                megabytes(sum),
                megabytes(peak),
                megabytes(table4),
                of_goal,
            ];
            cells.extend(counters);
            cells
        };
    let none = || [Cell::Missing, Cell::Missing, Cell::Missing];
    let of = |ordered: &Ordered| {
        (
            ordered.sum as f64,
            ordered.peak as f64,
            ordered.table4 as f64,
        )
    };
    let mut rows = Vec::new();
    if let Some(ours) = &plan.ours {
        let counters = [
            Cell::Number(plan.states as f64, 0),
            Cell::Missing,
            Cell::Missing,
        ];
        rows.push(row(
            "Edgewise, exact".to_owned(),
            of(ours),
            Cell::Missing,
            counters,
        ));
    }
    for other in &plan.others {
        let name = method_name(other.method).to_owned();
        let apart = less(own, value(other, goal) as f64);
        rows.push(row(name, of(other), apart, none()));
    }
    if let Some(drawn) = drawn {
        let mut add = |name: String, pick: fn(&Figures) -> f64| {
            let all = (pick(&drawn.sum), pick(&drawn.peak), pick(&drawn.table4));
            let of_goal = match goal {
                Objective::Sum => all.0,
                Objective::Peak => all.1,
                Objective::Table4 => all.2,
            };
            rows.push(row(name, all, less(own, of_goal), none()));
        };
        add(format!("Random, mean of {}", drawn.orders), |r| r.mean);
        add("Random, least".to_owned(), |r| r.least as f64);
        add("Random, most".to_owned(), |r| r.most as f64);
    }
    if let Some(searched) = searched {
        let counters = [
            Cell::Number(searched.states as f64, 0),
            Cell::Number(searched.pruned as f64, 0),
            Cell::Number(searched.searched as f64, 0),
        ];
        let apart = less(own, value(&searched.best, goal) as f64);
        let name = method_name(Method::Btsearch).to_owned();
        rows.push(row(name, of(&searched.best), apart, counters));
    }
    let less_by = format!("saved by Edgewise, {}", goal_name(goal));
    Table {
        name: "orders",
        title: "Edgewise and other orders".to_owned(),
        columns: columns(&[
            ("order", "order", ""),
            ("sum_mib", "sum over steps", "MiB"),
            ("peak_mib", "peak", "MiB"),
            ("table4_mib", "as in Table 4", "MiB"),
            ("less_by", &less_by, "%"),
            ("states", "states", ""),
            ("pruned", "pruned", ""),
            ("searched", "orders completed", ""),
        ]),
        rows,
    }
}
