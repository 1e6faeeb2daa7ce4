//! Published operator splits of the MemoriaNova paper beside ours, model by model.
//!
//! Source: Zhang et al., ACM TACO 22(1), article 3, Tables 1, 6, 7 and 8, Fig. 7, 10 and 11. Figures 7, 10 and 11 are drawn
//! without numbers, so that only what the text says of them can be compared. The times of operators behind Table 8 are not
//! published; ours are the fitted profile, and latencies are beside one another to compare methods, not seconds.
//!
//! Complexity: O(models); what is beside them is [`planner::operators`]'s.

mod claims;

pub use claims::claims;

use super::Agreement;
use super::memorianova::{CONVOLUTIONAL, MIB, place, row};
use document::{Cell, Table};
use engine::graph::catalogue;
use engine::papers::{MEMORIANOVA, PaperRow};
use engine::units::percent;
use planner::operators::{FIG_11, ISLANDS, MOST_DEVICES, Methods, SCALED, SIZE, SplitCase};

/// The limits of Table 8 of a model, each row with what a device holds at most [MB]; Local, DeepThings, CoEdge, GenEFlow. The
/// eight convolutional models alone: of the language models GPT-2 is printed twice with different marks, some crosses and dashes
/// are a 5, and BERT and Qwen2 are quicker than GPT-2, which no time of operators gives.
fn limits(model: usize) -> impl DoubleEndedIterator<Item = (f64, &'static PaperRow)> {
    let name = catalogue::MODELS.get(model).map_or("", |model| model.name);
    let rows = MEMORIANOVA.group("table-8");
    let rows: Vec<_> = rows
        .filter(|row| row.key.split('/').nth(1) == Some(name))
        .filter_map(|row| Some((row.name().parse().ok()?, row)))
        .collect();
    rows.into_iter()
}

/// The latency that a method comes to with the most memory, as printed: the last number of its column [ms].
fn printed(model: usize, method: usize) -> Option<f64> {
    limits(model).rev().find_map(|(_, row)| row.number(method))
}

/// The largest limit at which one device is too small, and the least at which it is not [MB].
fn bracket(model: usize) -> Option<(f64, f64)> {
    let mut fails = 0.0;
    for (limit, row) in limits(model) {
        if row.printed(0) != "x" {
            return Some((fails, limit));
        }
        fails = limit;
    }
    None
}

fn find(cases: &[SplitCase], at: usize) -> Option<&SplitCase> {
    cases.iter().find(|case| case.at == at)
}

fn named<'c>(cases: &'c [SplitCase], name: &str) -> Option<&'c SplitCase> {
    find(cases, place(name)?)
}

fn agreement(holds: Option<bool>) -> Cell {
    let agreement = holds.map(|holds| Agreement::of_statement(Some(holds)));
    Cell::text(agreement.unwrap_or(Agreement::NotRun).text())
}

/// Returns true if a size of the search space equals the printed one to its last digit; the paper rounds up and down.
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
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let case = find(cases, at);
        let published: [f64; 3] = row("table-6", at).numbers();
        let mut cells = vec![Cell::text(model.title)];
        for (of, printed) in published.iter().enumerate() {
            cells.push(Cell::maybe(Some(*printed), 1));
            cells.push(Cell::maybe(case.map(|case| case.space[of]), 1));
        }
        let same = case.map(|case| {
            let mut pairs = published.iter().zip(case.space);
            pairs.all(|(published, ours)| same_space(*published, ours))
        });
        cells.push(agreement(same));
        cells
    });
    let columns = [
        ("graph", "Graph", ""),
        ("fmh_published", "Height, published", ""),
        ("fmh_ours", "Height, ours", ""),
        ("cout_published", "Channels, published", ""),
        ("cout_ours", "Channels, ours", ""),
        ("len_published", "Length, published", ""),
        ("len_ours", "Length, ours", ""),
        ("agreement", "All three", ""),
    ];
    let title = "Table 6: natural logarithm of the number of splits over four devices";
    Table::new("table-6", title, &columns, rows.collect())
}

/// The longest search of GenEFlow in Table 7 [h].
fn most_hours() -> f64 {
    let hours = MEMORIANOVA.group("table-7").map(|row| row.at(2) / 3600.0);
    hours.fold(0.0, f64::max)
}

/// Table 7 as it is printed, with the hours that its seconds make.
#[must_use]
pub fn table_7() -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let [deepthings, coedge, geneflow] = row("table-7", at).numbers();
        vec![
            Cell::text(model.title),
            Cell::Number(deepthings, 2),
            Cell::Number(coedge, 2),
            Cell::Number(geneflow, 2),
            Cell::Number(geneflow / 3600.0, 1),
        ]
    });
    let columns = [
        ("graph", "Graph", ""),
        ("deepthings", "DeepThings", "s"),
        ("coedge", "CoEdge", "s"),
        ("geneflow", "GenEFlow", "s"),
        ("geneflow_hours", "GenEFlow", "h"),
    ];
    let title = "Table 7, published: search time of each method";
    Table::new("table-7", title, &columns, rows.collect())
}

/// Latencies of the methods: the paper's with the most memory of Table 8, ours with 5000 MiB each.
#[must_use]
pub fn latencies(cases: &[SplitCase]) -> Table {
    let rows = catalogue::MODELS.iter().enumerate().map(|(at, model)| {
        let methods = find(cases, at).map(|case| case.methods);
        let ours = |of: fn(&Methods) -> f64| Cell::maybe(methods.as_ref().map(of), 1);
        let theirs = |method: usize| Cell::maybe(printed(at, method), 1);
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
    let columns = [
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
    ];
    let title = "Latency over the four devices of Table 3, without memory limits";
    Table::new("split-latency", title, &columns, rows.collect())
}

/// Returns the memory that one device needs: the limits between which Table 8 has it, the peak as Table 4 counts it, and the peak
/// actually held.
#[must_use]
pub fn thresholds(cases: &[SplitCase]) -> Table {
    let rows = (0..CONVOLUTIONAL).map(|at| {
        let case = find(cases, at);
        let bracket = bracket(at);
        vec![
            Cell::text(catalogue::MODELS[at].title),
            Cell::maybe(bracket.map(|(fails, _)| fails), 1),
            Cell::maybe(bracket.map(|(_, runs)| runs), 1),
            Cell::maybe(case.map(|case| case.table4_peak as f64 / MIB), 2),
            Cell::maybe(case.map(|case| case.peak as f64 / MIB), 2),
            agreement(
                case.zip(bracket)
                    .map(|(case, bracket)| is_within(case, bracket)),
            ),
        ]
    });
    let columns = [
        ("graph", "Graph", ""),
        ("fails", "too little, published", "MiB"),
        ("runs", "enough, published", "MiB"),
        ("table4", "as in Table 4, ours", "MiB"),
        ("held", "held, ours", "MiB"),
        ("agreement", "Table 4\u{2019}s count", ""),
    ];
    let title = "Table 8: the memory that one device needs to run the model";
    Table::new("table-8-local", title, &columns, rows.collect())
}

fn is_within(case: &SplitCase, (fails, runs): (f64, f64)) -> bool {
    let counted = case.table4_peak as f64 / MIB;
    fails < counted && counted <= runs
}

/// Table 8 as it is printed.
#[must_use]
pub fn table_8() -> Table {
    let mut rows = Vec::new();
    for (at, model) in catalogue::MODELS.iter().enumerate() {
        for (limit, row) in limits(at) {
            let mut cells = vec![Cell::text(model.title), Cell::Number(limit, 1)];
            cells.extend((0..row.len()).map(|method| match row.printed(method) {
                "x" => Cell::text("\u{d7}"),
                "-" => Cell::text("-"),
                _ => Cell::maybe(row.number(method), 2),
            }));
            rows.push(cells);
        }
    }
    let columns = [
        ("graph", "Graph", ""),
        ("limit", "Each device", "MiB"),
        ("local", "Local", "ms"),
        ("deepthings", "DeepThings", "ms"),
        ("coedge", "CoEdge", "ms"),
        ("geneflow", "GenEFlow", "ms"),
    ];
    let title =
        "Table 8, published: latency under memory limits (\u{d7}: does not run, -: no better)";
    Table::new("table-8", title, &columns, rows)
}

/// Our figures in place of Fig. 10: latency over 1 to 8 devices of factor 0.5.
#[must_use]
pub fn fig_10(cases: &[SplitCase]) -> Table {
    let rows = (0..MOST_DEVICES).map(|at| {
        let mut cells = vec![Cell::Number((at + 1) as f64, 0)];
        for name in SCALED {
            let case = named(cases, name);
            cells.push(Cell::maybe(
                case.and_then(|case| case.devices_own.get(at).copied()),
                1,
            ));
            cells.push(Cell::maybe(
                case.and_then(|case| case.devices_shared.get(at).copied()),
                1,
            ));
            cells.push(Cell::maybe(
                case.and_then(|case| case.devices_all.get(at).copied()),
                1,
            ));
        }
        cells
    });
    let columns = [
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
    ];
    let title = "Fig. 10 here: latency by the number of devices, any of which may stay idle; on one shared link; and with all at work";
    Table::new("fig-10", title, &columns, rows.collect())
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
            cells.push(Cell::maybe(
                named(cases, name).and_then(|case| case.mixes.get(at).copied()),
                1,
            ));
        }
        cells
    });
    let columns = [
        ("configuration", "Configuration", ""),
        ("factors", "Factors", ""),
        ("vgg13", "VGG13", "ms"),
        ("resnet50", "ResNet50", "ms"),
        ("mobilenetv3", "MobileNetV3", "ms"),
        ("efficientnet_b0", "EfficientNet-b0", "ms"),
    ];
    let title = "Fig. 11 here: latency by mix of devices, each searched separately";
    Table::new("fig-11", title, &columns, rows.collect())
}

/// Notes beside the tables.
#[must_use]
pub fn notes(cases: &[SplitCase]) -> Vec<String> {
    let genetic = format!(
        "GenEFlow took the paper up to {:.1} hours, with 250 000 plans and 50 generations. GenEFlow, ours, is the same genetic \
         search along the dimensions of the paper\u{2019}s rule with {ISLANDS} islands of {} plans and all {} generations; \
         annealing is the default search here.",
        most_hours(),
        SIZE.population,
        SIZE.generations
    );
    let fitted = "The paper does not print how long operators take. Ours follow a profile fitted to the Local column of Table 8";
    let fitted = match fit(cases) {
        Some((root_mean_square, worst, model)) => format!(
            "{fitted}: {} off by root mean square, at most {} ({model}); compare methods with one another, not milliseconds.",
            percent(root_mean_square, 0),
            percent(worst, 0)
        ),
        None => format!("{fitted}; compare methods with one another, not milliseconds."),
    };
    let others = [
        "The rule \u{201c}k1 < k2: channels\u{201d} is printed the wrong way round twice; Table 6 and ours use k1 > k2.",
        "Table 8\u{2019}s rows of the language models are left out: GPT-2 appears there twice with different marks, and BERT \
         and Qwen2 are faster than it.",
    ];
    let others = others.into_iter().map(str::to_owned);
    std::iter::once(fitted)
        .chain(others)
        .chain([genetic])
        .collect()
}

/// How far the fitted profile is from the Local column [%]: the root mean square of the logarithms, the worst, and its model.
/// `None` until all of them are known.
fn fit(cases: &[SplitCase]) -> Option<(f64, f64, &'static str)> {
    let mut squares = 0.0;
    let (mut worst, mut worst_model) = (0.0, "");
    for (at, model) in catalogue::MODELS.iter().enumerate().take(CONVOLUTIONAL) {
        let ratio = find(cases, at)?.methods.local / printed(at, 0)?;
        let log = libm::log(ratio);
        squares += log * log / CONVOLUTIONAL as f64;
        let apart = 100.0 * libm::fabs(ratio - 1.0);
        if apart > worst {
            (worst, worst_model) = (apart, model.title);
        }
    }
    Some((100.0 * libm::sqrt(squares), worst, worst_model))
}
