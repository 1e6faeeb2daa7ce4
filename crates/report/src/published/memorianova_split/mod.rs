//! What MemoriaNova publishes about splits of operators, as data, beside the same computed here, model by model.
//!
//! Source: Zhang et al., ACM TACO 22(1), article 3, Tables 1, 6, 7 and 8, Fig. 7, 10 and 11. Figures 7, 10 and 11 are drawn
//! without numbers, so that only what the text says of them can be compared. The times of operators behind Table 8 are not
//! published; ours are the fitted profile, and latencies stand beside one another to compare methods, not seconds.
//!
//! Complexity: O(models); what is beside them is [`job::operators`]'s.

mod claims;

pub use claims::claims;

use super::Agreement;
use engine::graph::catalogue;
use job::operators::{FIG_11, ISLANDS, MOST_DEVICES, Methods, SCALED, SIZE, SplitCase};
use story::{Cell, Column, Table};

/// The paper.
pub const SOURCE: &str = "R. Zhang et al., MemoriaNova, ACM TACO 22(1), article 3, 2025, Tables 1, 6, 7 and 8, Fig. 7, 10 and 11";

/// Bytes of a MiB, which the paper writes MB.
const MIB: f64 = 1_048_576.0;
/// The convolutional models stand before the language models.
const CONVOLUTIONAL: usize = 8;

/// What is printed of a model in Tables 6 and 7.
struct Row {
    /// lg K along height, channels and length.
    space: [f64; 3],
    /// Time to find a plan: DeepThings, CoEdge, GenEFlow [s].
    seconds: [f64; 3],
}

const fn row(space: [f64; 3], seconds: [f64; 3]) -> Row {
    Row { space, seconds }
}

/// Tables 6 and 7, in the order of the catalogue.
const ROWS: [Row; 11] = [
    row([142.0, 74.9, 0.0], [1.05, 9.95, 6371.59]),
    row([351.0, 576.0, 0.0], [1.28, 9.97, 20123.58]),
    row([601.0, 1100.0, 0.0], [2.26, 9.97, 21380.50]),
    row([352.0, 394.0, 0.0], [1.43, 8.55, 12351.91]),
    row([246.0, 117.0, 0.0], [1.02, 7.65, 12442.12]),
    row([537.0, 728.0, 0.0], [0.99, 7.33, 38615.78]),
    row([647.9, 409.76, 0.0], [2.43, 10.50, 18248.82]),
    row([256.0, 647.0, 0.0], [1.90, 9.93, 25876.56]),
    row([0.0, 0.0, 2318.1], [1.99, 50.03, 131_025.18]),
    row([0.0, 0.0, 2522.2], [1.05, 48.41, 108_210.81]),
    row([0.0, 0.0, 4125.9], [5.98, 60.02, 232_352.55]),
];

/// An entry of Table 8.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Entry {
    /// A cross: it does not run.
    No,
    /// A dash: no better than with less memory.
    Same,
    /// A latency [ms].
    Ms(f64),
}

use Entry::{Ms, No, Same};

/// A row of Table 8: the limit of each device [MB]; Local, DeepThings, CoEdge, GenEFlow.
type Limited = (f64, [Entry; 4]);

/// Table 8, the eight convolutional models in the order of the catalogue. The rows of the language models are left out:
/// GPT-2 is printed twice with different marks, some crosses and dashes are a 5, and BERT and Qwen2 are quicker than GPT-2,
/// which no time of operators gives.
const TABLE_8: [[Limited; 4]; CONVOLUTIONAL] = [
    [
        (10.0, [No, No, Ms(242.48), Ms(217.26)]),
        (20.0, [No, No, Same, Same]),
        (30.0, [No, Ms(277.23), Same, Same]),
        (40.0, [Ms(311.80), Same, Same, Same]),
    ],
    [
        (5.0, [No, No, No, Ms(315.54)]),
        (10.0, [No, Ms(370.83), Ms(329.04), Same]),
        (15.0, [No, Same, Same, Same]),
        (20.0, [Ms(435.98), Same, Same, Same]),
    ],
    [
        (5.0, [No, No, Ms(304.52), Same]),
        (7.0, [No, No, Ms(296.12), Ms(301.60)]),
        (10.0, [No, Ms(361.52), Same, Same]),
        (15.0, [Ms(397.52), Same, Same, Same]),
    ],
    [
        (0.5, [No, No, Ms(52.52), Ms(31.38)]),
        (1.0, [No, No, Same, Same]),
        (1.5, [No, Ms(49.62), Same, Same]),
        (2.0, [Ms(46.10), Same, Same, Same]),
    ],
    [
        (2.5, [No, No, Ms(72.08), Ms(72.78)]),
        (5.0, [No, No, Same, Ms(72.37)]),
        (7.5, [No, Ms(74.18), Same, Same]),
        (10.0, [Ms(74.23), Same, Same, Same]),
    ],
    [
        (5.0, [No, No, Ms(305.96), Ms(218.38)]),
        (10.0, [No, No, Same, Ms(214.40)]),
        (15.0, [No, Ms(211.80), Same, Same]),
        (20.0, [Ms(210.18), Same, Same, Same]),
    ],
    [
        (2.0, [No, No, Ms(105.40), Same]),
        (3.0, [No, No, Ms(113.81), Ms(103.99)]),
        (5.0, [No, Ms(136.63), Same, Same]),
        (7.0, [Ms(140.03), Same, Same, Same]),
    ],
    [
        (10.0, [No, No, No, Ms(512.33)]),
        (20.0, [No, Ms(565.79), Ms(592.79), Same]),
        (30.0, [No, Same, Same, Same]),
        (40.0, [Ms(651.06), Same, Same, Same]),
    ],
];

/// The latency that a method comes to with the most memory, as printed: the last number of its column [ms].
fn printed(model: usize, method: usize) -> Option<f64> {
    let column = TABLE_8.get(model)?.iter().rev();
    let numbers = column.filter_map(|(_, entries)| match entries[method] {
        Ms(ms) => Some(ms),
        _ => None,
    });
    numbers.into_iter().next()
}

/// The largest limit at which one device is too small, and the least at which it is not [MB].
fn bracket(model: usize) -> Option<(f64, f64)> {
    let rows = TABLE_8.get(model)?;
    let runs = rows.iter().position(|(_, entries)| entries[0] != No)?;
    let fails = runs.checked_sub(1).map_or(0.0, |before| rows[before].0);
    Some((fails, rows[runs].0))
}

fn find(cases: &[SplitCase], at: usize) -> Option<&SplitCase> {
    cases.iter().find(|case| case.at == at)
}

fn named<'c>(cases: &'c [SplitCase], name: &str) -> Option<&'c SplitCase> {
    let at = catalogue::MODELS
        .iter()
        .position(|model| model.name == name);
    find(cases, at?)
}

fn number(value: Option<f64>, decimals: usize) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, decimals))
}

fn agreement(holds: Option<bool>) -> Cell {
    let agreement = holds.map(|holds| Agreement::of_statement(Some(holds)));
    Cell::text(agreement.unwrap_or(Agreement::NotRun).words())
}

fn columns(columns: &[(&'static str, &'static str, &'static str)]) -> Vec<Column> {
    let each = columns.iter();
    each.map(|(key, head, unit)| Column::new(key, *head, unit))
        .collect()
}

/// Whether a size of the search space is the printed one, to its last digit; the paper rounds now up, now down.
fn same_space(published: f64, ours: f64) -> bool {
    let unit = if (100.0..=1500.0).contains(&published) {
        1.0
    } else {
        0.1
    };
    libm::fabs(published - ours) <= unit
}

/// Table 6 beside ours.
#[must_use]
pub fn table_6(cases: &[SplitCase]) -> Table {
    let rows = ROWS.iter().zip(catalogue::MODELS).enumerate();
    let rows = rows.map(|(at, (published, model))| {
        let case = find(cases, at);
        let mut cells = vec![Cell::text(model.title)];
        for (of, printed) in published.space.iter().enumerate() {
            cells.push(number(Some(*printed), 1));
            cells.push(number(case.map(|case| case.space[of]), 1));
        }
        let same = case.map(|case| {
            let mut pairs = published.space.iter().zip(case.space);
            pairs.all(|(published, ours)| same_space(*published, ours))
        });
        cells.push(agreement(same));
        cells
    });
    Table {
        name: "table-6",
        title: "Table 6: natural logarithm of the number of splits over four devices".to_owned(),
        columns: columns(&[
            ("graph", "Graph", ""),
            ("fmh_published", "Height, published", ""),
            ("fmh_ours", "Height, ours", ""),
            ("cout_published", "Channels, published", ""),
            ("cout_ours", "Channels, ours", ""),
            ("len_published", "Length, published", ""),
            ("len_ours", "Length, ours", ""),
            ("agreement", "All three", ""),
        ]),
        rows: rows.collect(),
    }
}

/// Table 7 as it is printed, with the hours that its seconds make.
#[must_use]
pub fn table_7() -> Table {
    let rows = ROWS.iter().zip(catalogue::MODELS);
    let rows = rows.map(|(published, model)| {
        let [deepthings, coedge, geneflow] = published.seconds;
        vec![
            Cell::text(model.title),
            Cell::Number(deepthings, 2),
            Cell::Number(coedge, 2),
            Cell::Number(geneflow, 2),
            Cell::Number(geneflow / 3600.0, 1),
        ]
    });
    Table {
        name: "table-7",
        title: "Table 7, published: search time of each method".to_owned(),
        columns: columns(&[
            ("graph", "Graph", ""),
            ("deepthings", "DeepThings", "s"),
            ("coedge", "CoEdge", "s"),
            ("geneflow", "GenEFlow", "s"),
            ("geneflow_hours", "GenEFlow", "h"),
        ]),
        rows: rows.collect(),
    }
}

/// Latencies of the methods: the paper's with the most memory of Table 8, ours with 5000 MiB each.
#[must_use]
pub fn latencies(cases: &[SplitCase]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let methods = find(cases, at).map(|case| case.methods);
        let ours = |of: fn(&Methods) -> f64| number(methods.as_ref().map(of), 1);
        let theirs = |method: usize| number(printed(at, method), 1);
        vec![
            Cell::text(model.title),
            theirs(0),
            ours(|methods| methods.local),
            theirs(1),
            ours(|methods| methods.deepthings),
            theirs(2),
            ours(|methods| methods.coedge),
            ours(|methods| methods.proportional),
            theirs(3),
            ours(|methods| methods.genetic),
            ours(|methods| methods.rule),
            ours(|methods| methods.free),
            ours(|methods| methods.bound),
        ]
    });
    Table {
        name: "split-latency",
        title: "Latency over the four devices of Table 3, without memory limits".to_owned(),
        columns: columns(&[
            ("graph", "Graph", ""),
            ("local_published", "Local, published", "ms"),
            ("local_ours", "Local, ours", "ms"),
            ("deepthings_published", "DeepThings, published", "ms"),
            ("deepthings_ours", "DeepThings, ours", "ms"),
            ("coedge_published", "CoEdge, published", "ms"),
            ("coedge_ours", "CoEdge, ours", "ms"),
            ("proportional_ours", "in proportion, ours", "ms"),
            ("geneflow_published", "GenEFlow, published", "ms"),
            ("geneflow_ours", "GenEFlow, ours", "ms"),
            ("rule_ours", "annealing, rule", "ms"),
            ("free_ours", "annealing, free", "ms"),
            ("bound_ours", "no split below", "ms"),
        ]),
        rows: rows.collect(),
    }
}

/// What one device needs: between which limits Table 8 has it, the most as Table 4 counts it, and what is actually held.
#[must_use]
pub fn thresholds(cases: &[SplitCase]) -> Table {
    let rows = (0..CONVOLUTIONAL).map(|at| {
        let case = find(cases, at);
        let bracket = bracket(at);
        vec![
            Cell::text(catalogue::MODELS[at].title),
            number(bracket.map(|(fails, _)| fails), 1),
            number(bracket.map(|(_, runs)| runs), 1),
            number(case.map(|case| case.table4_peak as f64 / MIB), 2),
            number(case.map(|case| case.peak as f64 / MIB), 2),
            agreement(
                case.zip(bracket)
                    .map(|(case, bracket)| is_within(case, bracket)),
            ),
        ]
    });
    Table {
        name: "table-8-local",
        title: "Table 8: the memory that one device needs to run the model".to_owned(),
        columns: columns(&[
            ("graph", "Graph", ""),
            ("fails", "too little, published", "MiB"),
            ("runs", "enough, published", "MiB"),
            ("table4", "as in Table 4, ours", "MiB"),
            ("held", "held, ours", "MiB"),
            ("agreement", "Table 4\u{2019}s count", ""),
        ]),
        rows: rows.collect(),
    }
}

fn is_within(case: &SplitCase, (fails, runs): (f64, f64)) -> bool {
    let counted = case.table4_peak as f64 / MIB;
    fails < counted && counted <= runs
}

/// Table 8 as it is printed.
#[must_use]
pub fn table_8() -> Table {
    let mut rows = Vec::new();
    for (model, limits) in catalogue::MODELS.iter().zip(TABLE_8) {
        for (limit, entries) in limits {
            let mut cells = vec![Cell::text(model.title), Cell::Number(limit, 1)];
            cells.extend(entries.map(|entry| match entry {
                No => Cell::text("\u{d7}"),
                Same => Cell::text("-"),
                Ms(ms) => Cell::Number(ms, 2),
            }));
            rows.push(cells);
        }
    }
    Table {
        name: "table-8",
        title:
            "Table 8, published: latency under memory limits (\u{d7}: does not run, -: no better)"
                .to_owned(),
        columns: columns(&[
            ("graph", "Graph", ""),
            ("limit", "Each device", "MiB"),
            ("local", "Local", "ms"),
            ("deepthings", "DeepThings", "ms"),
            ("coedge", "CoEdge", "ms"),
            ("geneflow", "GenEFlow", "ms"),
        ]),
        rows,
    }
}

/// Our figures in place of Fig. 10: latency over 1 to 8 devices of factor 0.5.
#[must_use]
pub fn fig_10(cases: &[SplitCase]) -> Table {
    let rows = (0..MOST_DEVICES).map(|at| {
        let mut cells = vec![Cell::Number((at + 1) as f64, 0)];
        for name in SCALED {
            let case = named(cases, name);
            cells.push(number(
                case.and_then(|case| case.devices_own.get(at).copied()),
                1,
            ));
            cells.push(number(
                case.and_then(|case| case.devices_shared.get(at).copied()),
                1,
            ));
            cells.push(number(
                case.and_then(|case| case.devices_all.get(at).copied()),
                1,
            ));
        }
        cells
    });
    Table {
        name: "fig-10",
        title: "Fig. 10 here: latency by the number of devices, any of which may stay idle; on one shared link; and with all at work"
            .to_owned(),
        columns: columns(&[
            ("devices", "Devices", ""),
            ("vgg13_own", "VGG13", "ms"),
            ("vgg13_shared", "VGG13, shared", "ms"),
            ("vgg13_all", "VGG13, shared, all", "ms"),
            ("resnet50_own", "ResNet50", "ms"),
            ("resnet50_shared", "ResNet50, shared", "ms"),
            ("resnet50_all", "ResNet50, shared, all", "ms"),
            ("mobilenetv3_own", "MobileNetV3", "ms"),
            ("mobilenetv3_shared", "MobileNetV3, shared", "ms"),
            ("mobilenetv3_all", "MobileNetV3, shared, all", "ms"),
            ("efficientnet_b0_own", "EfficientNet-b0", "ms"),
            ("efficientnet_b0_shared", "EfficientNet-b0, shared", "ms"),
            ("efficientnet_b0_all", "EfficientNet-b0, shared, all", "ms"),
        ]),
        rows: rows.collect(),
    }
}

/// Our figures in place of Fig. 11: latency over mixes of four devices.
#[must_use]
pub fn fig_11(cases: &[SplitCase]) -> Table {
    let rows = FIG_11.iter().enumerate().map(|(at, factors)| {
        let factors: Vec<String> = factors.iter().map(f64::to_string).collect();
        let mut cells = vec![
            Cell::Number((at + 1) as f64, 0),
            Cell::text(factors.join(", ")),
        ];
        for name in SCALED {
            cells.push(number(
                named(cases, name).and_then(|case| case.mixes.get(at).copied()),
                1,
            ));
        }
        cells
    });
    Table {
        name: "fig-11",
        title: "Fig. 11 here: latency by mix of devices, each searched separately".to_owned(),
        columns: columns(&[
            ("configuration", "Configuration", ""),
            ("factors", "Factors", ""),
            ("vgg13", "VGG13", "ms"),
            ("resnet50", "ResNet50", "ms"),
            ("mobilenetv3", "MobileNetV3", "ms"),
            ("efficientnet_b0", "EfficientNet-b0", "ms"),
        ]),
        rows: rows.collect(),
    }
}

/// What has to be said beside the tables.
#[must_use]
pub fn notes() -> Vec<String> {
    let genetic = format!(
        "GenEFlow took the paper up to 64.5 hours, with 250 000 plans and 50 generations. GenEFlow, ours, is the same genetic \
         search along the dimensions of the paper\u{2019}s rule with {ISLANDS} islands of {} plans and all {} generations; \
         annealing is the default search here.",
        SIZE.population, SIZE.generations
    );
    let others = [
        "The paper does not print how long operators take. Ours follow a profile fitted to the Local column of Table 8 within \
         18 %; compare methods with one another, not milliseconds.",
        "The rule \u{201c}k1 < k2: channels\u{201d} is printed the wrong way round twice; Table 6 and ours use k1 > k2.",
        "Table 8\u{2019}s rows of the language models are left out: GPT-2 appears there twice with different marks, and BERT \
         and Qwen2 are faster than it.",
    ];
    let others = others.into_iter().map(str::to_owned);
    others.chain([genetic]).collect()
}
