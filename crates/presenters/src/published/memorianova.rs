//! Published orders of the MemoriaNova paper beside ours, model by model.
//!
//! Source: Zhang et al., ACM TACO 22(1), article 3, Tables 2, 4 and 5. Table 4 counts otherwise than the text
//! ([`engine::evaluate::operators`]) and its figures are cut, not rounded, to two decimals of 2^20 bytes; they are compared
//! as they are printed. Nothing is fitted: graphs whose export the paper does not describe come out as they do.
//!
//! Complexity: O(models); what is beside them is [`planner::operators`]'s.

use super::{Agreement, Figure, PublishedClaim};
use document::{Cell, Table};
use engine::evaluate::operators::trace;
use engine::graph::{Graph, catalogue};
use engine::papers::{MEMORIANOVA, PaperRow};
use engine::scenario::operators::presets::table_2 as small_graph;
use engine::units::percent;
use planner::operators::OrderCase;

/// Bytes of a MiB, which the paper writes MB.
pub(super) const MIB: f64 = 1_048_576.0;
/// The convolutional models are before the language models.
pub(super) const CONVOLUTIONAL: usize = 8;

/// The row of a table of the paper about a model, by its place in the catalogue.
pub(super) fn row(table: &str, at: usize) -> &'static PaperRow {
    let name = catalogue::MODELS.get(at).map_or("", |model| model.name);
    MEMORIANOVA.row(&format!("{table}/{name}"))
}

/// The place of a model in the catalogue.
pub(super) fn place(name: &str) -> Option<usize> {
    catalogue::MODELS
        .iter()
        .position(|model| model.name == name)
}

/// The least sum of a model and that of Greedy, as Table 4 prints them.
fn sums(at: usize) -> [f64; 2] {
    row("table-4", at).numbers()
}

/// Branches pruned and orders searched, where Table 5 has the model.
fn counters(at: usize) -> Option<(u64, u64)> {
    let row = row("table-5", at);
    Some((row.number(0)? as u64, row.number(1)? as u64))
}

/// Bytes as Table 4 prints them: MB of 2^20, cut to two decimals.
fn cut(bytes: f64) -> f64 {
    libm::floor(bytes / MIB * 100.0) / 100.0
}

/// Returns true if a value rounds to the printed one.
fn same(published: f64, bytes: u64) -> bool {
    libm::fabs(cut(bytes as f64) - published) < 0.005
}

fn find(cases: &[OrderCase], at: usize) -> Option<&OrderCase> {
    cases.iter().find(|case| case.at == at)
}

fn number(value: Option<f64>) -> Cell {
    Cell::maybe(value, 2)
}

fn integer_cell(value: Option<u64>) -> Cell {
    Cell::maybe(value.map(|value| value as f64), 0)
}

/// Table 4 beside ours; a model that has not been computed yet has no figures of ours.
#[must_use]
pub fn table_4(cases: &[OrderCase]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let case = find(cases, at);
        let published = row("table-4", at);
        let ours = |of: fn(&OrderCase) -> f64| number(case.map(|case| cut(of(case))));
        let agreement = case.map(|case| {
            let [btsearch, greedy] = sums(at);
            let both = same(btsearch, case.table4) && same(greedy, case.greedy);
            Agreement::of_statement(Some(both))
        });
        vec![
            Cell::text(model.title),
            number(published.number(0)),
            ours(|case| case.table4 as f64),
            number(published.number(1)),
            ours(|case| case.greedy as f64),
            number(published.number(2)),
            ours(|case| case.peft as f64),
            number(published.number(3)),
            ours(|case| case.random.table4.mean),
            Cell::text(agreement.unwrap_or(Agreement::NotRun).text()),
        ]
    });
    let columns = [
        ("graph", "Graph", ""),
        ("btsearch_published", "BTSearch, published", "MiB"),
        ("btsearch_ours", "least, ours", "MiB"),
        ("greedy_published", "Greedy, published", "MiB"),
        ("greedy_ours", "Greedy, ours", "MiB"),
        ("peft_published", "PEFT, published", "MiB"),
        ("peft_ours", "PEFT, ours", "MiB"),
        ("random_published", "Random, published", "MiB"),
        ("random_ours", "Random, ours", "MiB"),
        ("agreement", "BTSearch and Greedy", ""),
    ];
    let title = "Table 4: the sum as counted in the paper\u{2019}s table";
    Table::new("table-4", title, &columns, rows.collect())
}

/// Returns the memory that the same models actually hold: our own figures, of which the paper has none.
#[must_use]
pub fn memory_table(cases: &[OrderCase]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let case = find(cases, at);
        let ours = |of: fn(&OrderCase) -> f64| number(case.map(|case| of(case) / MIB));
        let less = case.map(|case| 100.0 * (1.0 - case.sum as f64 / case.random.sum.mean));
        vec![
            Cell::text(model.title),
            ours(|case| case.sum as f64),
            ours(|case| case.greedy_sum as f64),
            ours(|case| case.random.sum.mean),
            number(less),
            ours(|case| case.peak as f64),
            ours(|case| case.greedy_peak as f64),
            ours(|case| case.random.peak.most as f64),
        ]
    });
    let columns = [
        ("graph", "Graph", ""),
        ("sum_least", "Sum, least", "MiB"),
        ("sum_greedy", "Sum, Greedy", "MiB"),
        ("sum_random", "Sum, Random", "MiB"),
        ("less_than_random", "Least under Random", "%"),
        ("peak_least", "Peak, least", "MiB"),
        ("peak_greedy", "Peak, Greedy", "MiB"),
        ("peak_random", "Peak, worst Random", "MiB"),
    ];
    let title = "Memory that the same graphs actually hold";
    Table::new("held", title, &columns, rows.collect())
}

/// Table 5 beside ours: how the paper's search gets on, and how many sets there are to look at.
#[must_use]
pub fn table_5(cases: &[OrderCase]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate();
    let rows = rows.filter_map(|(at, model)| {
        let counters = counters(at)?;
        let case = find(cases, at);
        let ours = case.and_then(|case| case.search);
        let agreement = match (case, ours) {
            (None, _) => Agreement::NotRun,
            (Some(_), None) => Agreement::NotComparable,
            (Some(_), Some(found)) => Agreement::of_statement(Some(found == counters)),
        };
        Some(vec![
            Cell::text(model.title),
            integer_cell(case.map(|case| u64::from(case.ops))),
            integer_cell(Some(counters.0)),
            integer_cell(ours.map(|found| found.0)),
            integer_cell(Some(counters.1)),
            integer_cell(ours.map(|found| found.1)),
            integer_cell(case.map(|case| case.lattice.0)),
            integer_cell(case.map(|case| case.lattice.1)),
            Cell::text(agreement.text()),
        ])
    });
    let columns = [
        ("graph", "Graph", ""),
        ("operators", "Operators", ""),
        ("pruned_published", "Pruned, published", ""),
        ("pruned_ours", "Pruned, ours", ""),
        ("searched_published", "Searched, published", ""),
        ("searched_ours", "Searched, ours", ""),
        ("states", "Different states", ""),
        ("transitions", "Transitions", ""),
        ("agreement", "Pruned and searched", ""),
    ];
    let title = "Table 5: branches of the paper\u{2019}s search";
    Table::new("table-5", title, &columns, rows.collect())
}

/// A row of Table 2: its order, its nine stages from Mi1 to Mi5 as printed, and as they come out here [KB, rounded].
struct Stages {
    order: Vec<u32>,
    published: [u64; 9],
    ours: [u64; 9],
}

/// Table 2; interval and execution stages in turn.
fn stages_of_table_2() -> Vec<Stages> {
    let Ok(graph) = Graph::new(small_graph()) else {
        return Vec::new();
    };
    let kilo = |bytes: u64| (bytes + 512) / 1024;
    let of = |row: &'static PaperRow| {
        let order: Result<Vec<u32>, _> = row.name().split('-').map(str::parse).collect();
        let order = order.ok()?;
        let trace = trace(&graph, &order).ok()?;
        let stage = |at: usize| match at % 2 {
            0 => trace.interval[at / 2],
            _ => trace.running[at / 2],
        };
        Some(Stages {
            order,
            published: row.numbers().map(|kilo| kilo as u64),
            ours: std::array::from_fn(|at| kilo(stage(at))),
        })
    };
    MEMORIANOVA.group("table-2").filter_map(of).collect()
}

/// Table 2 beside ours.
#[must_use]
pub fn table_2() -> Table {
    let names = ["Conv1", "Conv2", "Conv3", "Sum"];
    let mut rows = Vec::new();
    for stages in stages_of_table_2() {
        let order: Vec<&str> = stages.order.iter().map(|v| names[*v as usize]).collect();
        for (who, stages) in [("published", stages.published), ("ours", stages.ours)] {
            let mut cells = vec![Cell::text(order.join(", ")), Cell::text(who)];
            cells.extend(stages.map(|stage| integer_cell(Some(stage))));
            rows.push(cells);
        }
    }
    let columns = [
        ("order", "Order", ""),
        ("who", "Figures", ""),
        ("mi1", "Mi1", "KiB"),
        ("me1", "Me1", "KiB"),
        ("mi2", "Mi2", "KiB"),
        ("me2", "Me2", "KiB"),
        ("mi3", "Mi3", "KiB"),
        ("me3", "Me3", "KiB"),
        ("mi4", "Mi4", "KiB"),
        ("me4", "Me4", "KiB"),
        ("mi5", "Mi5", "KiB"),
    ];
    let title = "Table 2: three orders of four operators";
    Table::new("table-2", title, &columns, rows)
}

/// How many of the sums that Table 4 prints of these models are ours, once all of them are computed.
fn met(cases: &[OrderCase], models: std::ops::Range<usize>) -> Option<usize> {
    let mut met = 0;
    for at in models {
        let case = find(cases, at)?;
        let pairs = sums(at).into_iter().zip([case.table4, case.greedy]);
        met += pairs
            .filter(|(published, ours)| same(*published, *ours))
            .count();
    }
    Some(met)
}

/// The claims about orders, in the order of the paper.
#[must_use]
pub fn claims(cases: &[OrderCase]) -> Vec<PublishedClaim> {
    let all = |key, of: usize, ours| PublishedClaim::of_cases(MEMORIANOVA.row(key), (of, of), ours);
    let stages = stages_of_table_2();
    let pairs = stages
        .iter()
        .flat_map(|row| row.published.iter().zip(&row.ours));
    let equal = pairs.clone().filter(|(a, b)| a == b).count();
    let differing = pairs.clone().find(|(a, b)| a != b);
    let differing = differing.map_or(String::new(), |(published, ours)| {
        format!(
            "The third order\u{2019}s first execution stage is printed as {published}; 588 + 6272 + 13.5 KiB is {ours}."
        )
    });
    let sums = |key, models: std::ops::Range<usize>| {
        let met = met(cases, models.clone());
        all(key, 2 * models.len(), met.map(|met| (met, String::new())))
    };
    let compared = (0..catalogue::MODELS.len()).filter_map(|at| Some((at, counters(at)?)));
    let same: Option<Vec<bool>> = compared
        .clone()
        .map(|(at, counters)| Some(find(cases, at)?.search == Some(counters)))
        .collect();
    let searched = same.map(|same| {
        let lattice = place("inceptionv3").and_then(|at| find(cases, at));
        let states = lattice.map_or(String::new(), |case| {
            format!(
                "Nearly all of them are repeated states: InceptionV3 has {} different ones. BERT and Qwen2 differ because their graphs do.",
                case.lattice.0
            )
        });
        (same.iter().filter(|same| **same).count(), states)
    });
    vec![
        all("order/stages", pairs.count(), Some((equal, differing))),
        sums("order/convolutional", 0..CONVOLUTIONAL),
        sums("order/language", CONVOLUTIONAL..catalogue::MODELS.len()),
        all("order/counters", compared.count(), searched),
        abstracted(cases),
    ]
}

/// The abstract's gain over random orders.
fn abstracted(cases: &[OrderCase]) -> PublishedClaim {
    let case = place("googlenet").and_then(|at| find(cases, at));
    let gain = |least: u64, random: f64| 100.0 * (1.0 - least as f64 / random);
    let ours = case.map(|case| {
        let reason = format!(
            "Counting what is actually held, the best order needs {} less than a random one, and its peak is {}.",
            percent(gain(case.sum, case.random.sum.mean), 1),
            match gain(case.peak, case.random.peak.most as f64) {
                less if less > 0.0 => format!("{} below the worst random one\u{2019}s", percent(less, 1)),
                _ => "the same".to_owned(),
            }
        );
        (Figure::Percent(gain(case.table4, case.random.table4.mean), 2), reason)
    });
    PublishedClaim::compare(MEMORIANOVA.row("order/abstract"), ours)
}

/// Notes beside the tables.
pub const NOTES: [&str; 2] = [
    "Truncated, not rounded, to two decimals of 2\u{b2}\u{2070} bytes, as in the paper. PEFT needs operator times and Random needs draws, neither of which is published; ours uses a fitted time for each operator and 60 random orders.",
    "InceptionV3 is at 299 \u{d7} 299, the only size that gives its figure; the paper states 224 for all models.",
];
