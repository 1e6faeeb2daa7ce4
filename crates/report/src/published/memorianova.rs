//! What MemoriaNova publishes about orders of operators, as data, beside the same computed here, model by model.
//!
//! Source: Zhang et al., ACM TACO 22(1), article 3, Tables 2, 4 and 5. Table 4 counts otherwise than the text
//! ([`engine::evaluate::operators`]) and its figures are cut, not rounded, to two decimals of 2^20 bytes; they are compared
//! as they are printed. Nothing is fitted: graphs whose export the paper does not describe come out as they do.
//!
//! Complexity: O(models); what is beside them is [`job::operators`]'s.

use super::{Agreement, Claim, Figure};
use engine::evaluate::operators::trace;
use engine::graph::{Graph, catalogue};
use engine::scenario::operators::presets::table_2 as small_graph;
use engine::units::percent;
use job::operators::Case;
use story::{Cell, Column, Table};

/// The paper.
pub const SOURCE: &str =
    "R. Zhang et al., MemoriaNova, ACM TACO 22(1), article 3, 2025, Tables 2, 4 and 5";

/// Bytes of a MiB, which the paper writes MB.
const MIB: f64 = 1_048_576.0;
/// The convolutional models stand before the language models.
const CONVOLUTIONAL: usize = 8;

/// A row of Table 4 [MB] with the row of Table 5 that belongs to it.
struct Published {
    btsearch: f64,
    greedy: f64,
    peft: Option<f64>,
    random: Option<f64>,
    /// Branches pruned and orders searched.
    counters: Option<(u64, u64)>,
}

/// Tables 4 and 5, in the order of the catalogue.
const TABLES: [Published; 11] = [
    row(194.17, 194.17, Some((194.17, 194.17)), None),
    row(390.37, 390.37, Some((394.97, 395.35)), Some((20, 20))),
    row(
        437.22,
        460.07,
        Some((471.36, 483.10)),
        Some((1_387_509, 1529)),
    ),
    row(27.78, 27.78, Some((27.78, 27.78)), None),
    row(70.41, 70.41, Some((70.41, 70.41)), None),
    row(236.88, 236.88, Some((236.88, 236.88)), None),
    row(
        139.71,
        151.02,
        Some((156.27, 159.58)),
        Some((336_654, 2666)),
    ),
    row(692.86, 695.92, Some((698.51, 694.39)), Some((28, 3))),
    row(1000.88, 1000.88, None, Some((0, 1))),
    row(646.03, 673.03, Some((701.91, 703.91)), Some((11_021, 46))),
    row(
        19224.75,
        20179.93,
        Some((20481.18, 20590.18)),
        Some((496_743_478, 225)),
    ),
];

const fn row(
    btsearch: f64,
    greedy: f64,
    others: Option<(f64, f64)>,
    counters: Option<(u64, u64)>,
) -> Published {
    let (peft, random) = match others {
        Some((peft, random)) => (Some(peft), Some(random)),
        None => (None, None),
    };
    Published {
        btsearch,
        greedy,
        peft,
        random,
        counters,
    }
}

/// Bytes as Table 4 prints them: MB of 2^20, cut to two decimals.
fn cut(bytes: f64) -> f64 {
    libm::floor(bytes / MIB * 100.0) / 100.0
}

/// Whether a figure is the printed one.
fn same(published: f64, bytes: u64) -> bool {
    libm::fabs(cut(bytes as f64) - published) < 0.005
}

fn find(cases: &[Case], at: usize) -> Option<&Case> {
    cases.iter().find(|case| case.at == at)
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, 2))
}

fn whole(value: Option<u64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value as f64, 0))
}

/// Table 4 beside ours; a model that has not been computed yet has no figures of ours.
#[must_use]
pub fn table_4(cases: &[Case]) -> Table {
    let rows = TABLES.iter().zip(catalogue::MODELS).enumerate();
    let rows = rows.map(|(at, (published, model))| {
        let case = find(cases, at);
        let ours = |of: fn(&Case) -> f64| number(case.map(|case| cut(of(case))));
        let agreement = case.map(|case| {
            let both = same(published.btsearch, case.table4) && same(published.greedy, case.greedy);
            Agreement::of_statement(Some(both))
        });
        vec![
            Cell::text(model.title),
            number(Some(published.btsearch)),
            ours(|case| case.table4 as f64),
            number(Some(published.greedy)),
            ours(|case| case.greedy as f64),
            number(published.peft),
            ours(|case| case.peft as f64),
            number(published.random),
            ours(|case| case.random.table4.mean),
            Cell::text(agreement.unwrap_or(Agreement::NotRun).words()),
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
    Table {
        name: "table-4",
        title: "Table 4: the sum as counted in the paper\u{2019}s table".to_owned(),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}

/// What the same models really hold: our own figures, of which the paper has none.
#[must_use]
pub fn held_table(cases: &[Case]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let case = find(cases, at);
        let ours = |of: fn(&Case) -> f64| number(case.map(|case| of(case) / MIB));
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
    Table {
        name: "held",
        title: "Memory that the same graphs actually hold".to_owned(),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}

/// Table 5 beside ours: how the paper's search gets on, and how many sets there are to look at.
#[must_use]
pub fn table_5(cases: &[Case]) -> Table {
    let rows = TABLES.iter().zip(catalogue::MODELS).enumerate();
    let rows = rows.filter_map(|(at, (published, model))| {
        let counters = published.counters?;
        let case = find(cases, at);
        let ours = case.and_then(|case| case.search);
        let agreement = match (case, ours) {
            (None, _) => Agreement::NotRun,
            (Some(_), None) => Agreement::NotComparable,
            (Some(_), Some(found)) => Agreement::of_statement(Some(found == counters)),
        };
        Some(vec![
            Cell::text(model.title),
            whole(case.map(|case| u64::from(case.ops))),
            whole(Some(counters.0)),
            whole(ours.map(|found| found.0)),
            whole(Some(counters.1)),
            whole(ours.map(|found| found.1)),
            whole(case.map(|case| case.lattice.0)),
            whole(case.map(|case| case.lattice.1)),
            Cell::text(agreement.words()),
        ])
    });
    let columns = [
        ("graph", "Graph"),
        ("operators", "Operators"),
        ("pruned_published", "Pruned, published"),
        ("pruned_ours", "Pruned, ours"),
        ("searched_published", "Searched, published"),
        ("searched_ours", "Searched, ours"),
        ("states", "Different states"),
        ("transitions", "Transitions"),
        ("agreement", "Pruned and searched"),
    ];
    Table {
        name: "table-5",
        title: "Table 5: branches of the paper\u{2019}s search".to_owned(),
        columns: columns.map(|(key, head)| Column::new(key, head, "")).into(),
        rows: rows.collect(),
    }
}

/// Table 2 as it is printed: an order, its nine stages from Mi1 to Mi5, and its peak [KB].
const TABLE_2: [([u32; 4], [u64; 9], u64); 3] = [
    (
        [0, 1, 2, 3],
        [588, 13139, 13132, 19692, 6860, 13146, 12544, 12544, 6272],
        19692,
    ),
    (
        [0, 2, 1, 3],
        [588, 13139, 13132, 19418, 18816, 25376, 12544, 12544, 6272],
        25376,
    ),
    (
        [2, 0, 1, 3],
        [588, 7329, 6860, 19411, 18816, 25376, 12544, 12544, 6272],
        25376,
    ),
];

/// The stages of Table 2, as they come out here: by order, interval and execution stages in turn [KB, rounded].
fn stages_of_table_2() -> Vec<[u64; 9]> {
    let Ok(graph) = Graph::new(small_graph()) else {
        return Vec::new();
    };
    let kilo = |bytes: u64| (bytes + 512) / 1024;
    let replayed = TABLE_2
        .iter()
        .filter_map(|(order, ..)| trace(&graph, order).ok());
    let of = |trace: engine::evaluate::operators::Trace| {
        let mut stages = [0; 9];
        for (at, stage) in stages.iter_mut().enumerate() {
            let list = if at % 2 == 0 {
                &trace.interval
            } else {
                &trace.running
            };
            *stage = kilo(list[at / 2]);
        }
        stages
    };
    replayed.map(of).collect()
}

/// Table 2 beside ours.
#[must_use]
pub fn table_2() -> Table {
    let names = ["Conv1", "Conv2", "Conv3", "Sum"];
    let mut rows = Vec::new();
    for ((order, published, _), ours) in TABLE_2.iter().zip(stages_of_table_2()) {
        let order: Vec<&str> = order.iter().map(|v| names[*v as usize]).collect();
        for (who, stages) in [("published", published), ("ours", &ours)] {
            let mut cells = vec![Cell::text(order.join(", ")), Cell::text(who)];
            cells.extend(stages.iter().map(|stage| whole(Some(*stage))));
            rows.push(cells);
        }
    }
    let stages = [
        "Mi1", "Me1", "Mi2", "Me2", "Mi3", "Me3", "Mi4", "Me4", "Mi5",
    ];
    let keys = [
        "mi1", "me1", "mi2", "me2", "mi3", "me3", "mi4", "me4", "mi5",
    ];
    let mut columns = vec![
        Column::new("order", "Order", ""),
        Column::new("who", "Figures", ""),
    ];
    let stages = keys.iter().zip(stages);
    columns.extend(stages.map(|(key, head)| Column::new(key, head, "KiB")));
    Table {
        name: "table-2",
        title: "Table 2: three orders of four operators".to_owned(),
        columns,
        rows,
    }
}

/// How many of so many printed figures are ours, of the models that are computed.
fn met(cases: &[Case], models: std::ops::Range<usize>) -> Option<(usize, usize)> {
    let mut found = (0, 0);
    for at in models {
        let case = find(cases, at)?;
        for (published, ours) in [
            (TABLES[at].btsearch, case.table4),
            (TABLES[at].greedy, case.greedy),
        ] {
            found.0 += usize::from(same(published, ours));
            found.1 += 1;
        }
    }
    Some(found)
}

fn counted(
    name: &'static str,
    source: &'static str,
    found: Option<(usize, usize)>,
    reason: impl Fn(usize, usize) -> String,
) -> Claim {
    let figure = found.map_or(Figure::Missing, |(met, of)| Figure::Cases(met, of));
    let published = found.map_or(Figure::Missing, |(_, of)| Figure::Cases(of, of));
    Claim {
        name,
        source,
        published,
        ours: figure,
        yours: Figure::Missing,
        agreement: found.map_or(Agreement::NotRun, |(met, of)| Agreement::of_cases(met, of)),
        reason: found.map_or(String::new(), |(met, of)| reason(met, of)),
    }
}

/// The claims about orders, in the order of the paper.
#[must_use]
pub fn claims(cases: &[Case]) -> Vec<Claim> {
    let stages = stages_of_table_2();
    let pairs = TABLE_2.iter().zip(&stages);
    let pairs = pairs.flat_map(|((_, published, _), ours)| published.iter().zip(ours));
    let equal = pairs.clone().filter(|(a, b)| a == b).count();
    let differing = pairs.clone().find(|(a, b)| a != b);
    let tables = counted(
        "Stages of Table 2",
        "Table 2",
        Some((equal, pairs.count())),
        |_, _| {
            differing.map_or(String::new(), |(published, ours)| {
                format!(
                    "The third order\u{2019}s first execution stage is printed as {published}; 588 + 6272 + 13.5 KiB is {ours}."
                )
            })
        },
    );
    let convolutional = counted(
        "BTSearch and Greedy, eight convolutional graphs",
        "Table 4",
        met(cases, 0..CONVOLUTIONAL),
        |_, _| {
            "Equal to the digit, with a count that the paper does not state: what an operator reads counts twice, and a tensor once for each later reader."
                .to_owned()
        },
    );
    let language = counted(
        "BTSearch and Greedy, three language models",
        "Table 4",
        met(cases, CONVOLUTIONAL..TABLES.len()),
        |_, _| {
            "The paper does not describe how these were exported, nor the size of Qwen2; ours are plain exports of GPT-2 small, BERT base and Qwen2-1.5B at 128 tokens."
                .to_owned()
        },
    );
    let compared = TABLES
        .iter()
        .enumerate()
        .filter_map(|(at, row)| Some((at, row.counters?)));
    let mut pairs = Some((0, 0));
    for (at, counters) in compared {
        pairs = pairs
            .zip(find(cases, at))
            .map(|((same, of), case)| (same + usize::from(case.search == Some(counters)), of + 1));
    }
    let counters = counted("Branches pruned and searched", "Table 5", pairs, |_, _| {
        let at = catalogue::MODELS
            .iter()
            .position(|model| model.name == "inceptionv3");
        let lattice = at.and_then(|at| find(cases, at)).map(|case| case.lattice.0);
        lattice.map_or(String::new(), |states| {
            format!(
                "Nearly all of them are repeated states: InceptionV3 has {states} different ones. BERT and Qwen2 differ because their graphs do."
            )
        })
    });
    vec![tables, convolutional, language, counters, abstracted(cases)]
}

/// The abstract's gain over random orders.
fn abstracted(cases: &[Case]) -> Claim {
    let at = catalogue::MODELS
        .iter()
        .position(|model| model.name == "googlenet");
    let case = at.and_then(|at| find(cases, at));
    let gain = |least: u64, random: f64| 100.0 * (1.0 - least as f64 / random);
    let ours = case.map(|case| gain(case.table4, case.random.table4.mean));
    let reason = case.map(|case| {
        format!(
            "Presumably GoogLeNet in Table 4, where it is 12.45 %. Counting what is actually held, the best order needs {} less than a random one, and the peak is the same.",
            percent(gain(case.sum, case.random.sum.mean), 1)
        )
    });
    Claim {
        name: "Less memory than Random, at most",
        source: "abstract",
        published: Figure::Percent(12.0, 0),
        ours: ours.map_or(Figure::Missing, |ours| Figure::Percent(ours, 2)),
        yours: Figure::Missing,
        agreement: match ours {
            None => Agreement::NotRun,
            ours => Agreement::of_percent(12.0, 0, ours),
        },
        reason: reason.unwrap_or_default(),
    }
}

/// What has to be said beside the tables.
#[must_use]
pub fn notes() -> Vec<&'static str> {
    vec![
        "Truncated, not rounded, to two decimals of 2\u{b2}\u{2070} bytes, as in the paper. PEFT needs operator times and Random needs draws, neither of which is published; ours uses a fitted time for each operator and 60 random orders.",
        "InceptionV3 is at 299 \u{d7} 299, the only size that gives its figure; the paper states 224 for all models.",
    ]
}
