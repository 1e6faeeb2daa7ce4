//! Tables of operators cut over devices: who makes what, what each device does, and other makers of splits.

use super::mebi;
use super::split::{SplitPiece, SplitSummary, gap, maker_about, maker_name};
use document::{Cell, Table, TableColumn};
use engine::scenario::operators::MOST_DEVICES;
use engine::units::InOrder;
use planner::operators::{Cut, DeviceChange, DeviceVariant, Maker, Splits};

/// Keys of the columns of devices: how much each makes, and what it holds meanwhile.
const KEYS: [(&str, &str); MOST_DEVICES] = [
    ("device_1", "held_1_bytes"),
    ("device_2", "held_2_bytes"),
    ("device_3", "held_3_bytes"),
    ("device_4", "held_4_bytes"),
    ("device_5", "held_5_bytes"),
    ("device_6", "held_6_bytes"),
    ("device_7", "held_7_bytes"),
    ("device_8", "held_8_bytes"),
    ("device_9", "held_9_bytes"),
    ("device_10", "held_10_bytes"),
    ("device_11", "held_11_bytes"),
    ("device_12", "held_12_bytes"),
];

/// Returns the slices of each device, step by step.
///
/// # Complexity
/// O(operators × devices).
#[must_use]
pub fn split_table(summary: &SplitSummary<'_>) -> Table {
    let names = summary.names();
    let mut columns = vec![
        TableColumn::new("step", "step", ""),
        TableColumn::new("operator", "operator", ""),
        TableColumn::new("name", "name", ""),
        TableColumn::new("dim", "cut along", ""),
        TableColumn::new("marks", "cut at", ""),
    ];
    let keys = || KEYS.iter().zip(&names);
    columns.extend(keys().map(|((made, _), name)| TableColumn::new(made, name.clone(), "")));
    columns.extend([
        TableColumn::new("sent_bytes", "sent", "B"),
        TableColumn::new("comm_ms", "receiving", "ms"),
        TableColumn::new("compute_ms", "computing", "ms"),
        TableColumn::new("ms", "time", "ms"),
    ]);
    columns.extend(
        keys().map(|((_, held), name)| TableColumn::new(held, format!("{name} holds"), "B")),
    );
    let score = summary.cut.score.as_ref();
    let row = |(step, piece): (usize, SplitPiece)| {
        let marks: Vec<String> = piece.marks.iter().map(u32::to_string).collect();
        let made = piece.marks.windows(2).map(|ends| ends[1] - ends[0]);
        let mut cells = vec![
            Cell::count(step + 1),
            Cell::count(piece.op),
            Cell::text(piece.name),
            Cell::text(piece.dim.name()),
            Cell::text(marks.join(" ")),
        ];
        cells.extend(made.map(|made| Cell::count(made as usize)));
        cells.extend([
            Cell::Number(piece.sent_b, 0),
            Cell::Number(piece.comm_ms, 3),
            Cell::Number(piece.ms - piece.comm_ms, 3),
            Cell::Number(piece.ms, 3),
        ]);
        let held = score.and_then(|score| score.mem.get(piece.op));
        cells.extend((0..names.len()).map(|k| {
            let held = held.and_then(|held| held.get(k));
            Cell::maybe(held.copied(), 0)
        }));
        cells
    };
    Table {
        name: "split",
        title: format!("Slices per device, {}", maker_name(summary.cut.maker)),
        columns,
        rows: summary
            .operator_slices()
            .into_iter()
            .enumerate()
            .map(row)
            .collect(),
    }
}

/// Number of the slowest operators that are listed.
pub const LONGEST: usize = 10;

/// The steps that take longest, the slowest first, of equals the earlier.
#[must_use]
pub fn longest(pieces: &[SplitPiece]) -> Vec<usize> {
    let mut longest: Vec<usize> = (0..pieces.len()).collect();
    longest.in_order_by(|a, b| pieces[*b].ms.total_cmp(&pieces[*a].ms).then(a.cmp(b)));
    longest.truncate(LONGEST);
    longest
}

/// The operators that take longest.
#[must_use]
pub fn slowest_table(pieces: &[SplitPiece]) -> Table {
    let row = |step: usize| {
        let piece = &pieces[step];
        let made = piece
            .marks
            .windows(2)
            .map(|ends| (ends[1] - ends[0]).to_string());
        vec![
            Cell::count(step + 1),
            Cell::text(piece.name.clone()),
            Cell::text(piece.dim.name()),
            Cell::text(made.collect::<Vec<_>>().join(" ")),
            Cell::Number(piece.ms, 3),
            Cell::Number(piece.comm_ms, 3),
            Cell::Number(piece.sent_b / 1024.0, 1),
        ]
    };
    Table::new(
        "slowest",
        "Slowest operators",
        &[
            ("step", "step", ""),
            ("operator", "operator", ""),
            ("dim", "cut", ""),
            ("made", "rows or channels of each device", ""),
            ("ms", "time", "ms"),
            ("comm_ms", "receiving", "ms"),
            ("sent_kib", "sent", "KiB"),
        ],
        longest(pieces).into_iter().map(row).collect(),
    )
}

/// How every split is made.
#[must_use]
pub fn maker_table() -> Table {
    let makers = [
        Maker::Best,
        Maker::Ga,
        Maker::Coedge,
        Maker::Deepthings,
        Maker::Proportional,
        Maker::Local,
    ];
    let row = |maker| {
        vec![
            Cell::text(maker_name(maker)),
            Cell::text(maker_about(maker)),
        ]
    };
    Table::new(
        "makers",
        "How the cuts are made",
        &[("maker", "made by", ""), ("about", "how it is made", "")],
        makers.into_iter().map(row).collect(),
    )
}

/// Returns the totals of each device.
///
/// # Complexity
/// O((operators + operands) × devices).
#[must_use]
pub fn device_table(summary: &SplitSummary<'_>, alone_ms: &[f64]) -> Table {
    let all = summary.cut.latency_ms.max(1e-9);
    let row = |device: super::split::DeviceTotals| {
        let busy = device.compute_ms + device.comm_ms;
        vec![
            Cell::text(device.name),
            Cell::Number(device.factor, 2),
            Cell::Number(mebi(device.peak), 2),
            Cell::maybe(device.limit.map(mebi), 2),
            Cell::maybe(
                device
                    .limit
                    .map(|limit| 100.0 * device.peak / limit.max(1.0)),
                1,
            ),
            Cell::Number(mebi(device.received), 2),
            Cell::Number(device.comm_ms, 2),
            Cell::Number(device.compute_ms, 2),
            Cell::Number(100.0 * busy / all, 1),
            Cell::maybe(device.alone_ms, 1),
        ]
    };
    Table {
        name: "devices",
        title: "What each device does".to_owned(),
        columns: vec![
            TableColumn::new("device", "device", ""),
            TableColumn::new("factor", "time factor", ""),
            TableColumn::new("peak_mib", "peak memory", "MiB"),
            TableColumn::new("limit_mib", "limit", "MiB"),
            TableColumn::new("of_limit", "share of limit", "%"),
            TableColumn::new("received_mib", "receives", "MiB"),
            TableColumn::new("comm_ms", "receiving", "ms"),
            TableColumn::new("compute_ms", "computing", "ms"),
            TableColumn::new("busy", "busy", "%"),
            TableColumn::new("alone_ms", "alone", "ms"),
        ],
        rows: summary.devices(alone_ms).into_iter().map(row).collect(),
    }
}

/// Our split and others beside it, the bound last.
#[must_use]
pub fn split_comparison(ours: &Cut, splits: &Splits, ga: Option<&Cut>) -> Table {
    let own = ours.is_feasible.then_some(ours.latency_ms);
    let row = |(at, cut): (usize, &Cut)| {
        let score = cut.score.as_ref();
        let peak = score.map(|score| score.peak_bytes.iter().copied().fold(0.0, f64::max));
        let is_ours = at == 0;
        // Nothing is gained on a split that does not fit.
        let by = own.filter(|_| !is_ours && cut.is_feasible && cut.latency_ms > 0.0);
        vec![
            Cell::text(maker_name(if is_ours { Maker::Best } else { cut.maker })),
            Cell::Number(cut.latency_ms, 2),
            Cell::maybe(score.map(|score| score.comm_ms), 2),
            Cell::maybe(score.map(|score| mebi(score.comm_bytes)), 2),
            Cell::maybe(peak.map(mebi), 2),
            Cell::text(if cut.is_feasible { "yes" } else { "no" }),
            Cell::maybe(
                by.map(|own| 100.0 * (cut.latency_ms - own) / cut.latency_ms),
                1,
            ),
            // The bound is of splits that keep the limits.
            Cell::maybe(
                cut.is_feasible
                    .then(|| 100.0 * gap(cut.latency_ms, splits.bound_ms)),
                1,
            ),
        ]
    };
    let mut rows: Vec<Vec<Cell>> = std::iter::once(ours)
        .chain(ga)
        .chain(&splits.others)
        .enumerate()
        .map(row)
        .collect();
    let mut bound = vec![Cell::text("Lower bound"), Cell::Number(splits.bound_ms, 2)];
    bound.resize(8, Cell::Missing);
    rows.push(bound);
    Table {
        name: "splits",
        title: "Edgewise and other splits".to_owned(),
        columns: vec![
            TableColumn::new("maker", "made by", ""),
            TableColumn::new("ms", "time", "ms"),
            TableColumn::new("comm_ms", "receiving", "ms"),
            TableColumn::new("sent_mib", "sent", "MiB"),
            TableColumn::new("peak_mib", "most memory on a device", "MiB"),
            TableColumn::new("fits", "within limits", ""),
            TableColumn::new("sooner_by", "Edgewise faster by", "%"),
            TableColumn::new("gap", "gap to the bound", "%"),
        ],
        rows,
    }
}

/// How a piece of a search came nearer: its name, and the least time found until each of its moves or generations [ms].
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name: `Chain 1`.
    pub name: String,
    /// Moves or generations, and the least time until then [ms].
    pub points: Vec<(f64, f64)>,
}

/// Curves of a search.
///
/// # Complexity
/// O(points).
#[must_use]
pub fn curve_table(curves: &[Curve], is_ga: bool) -> Table {
    let (what, head) = if is_ga {
        ("island", "generations")
    } else {
        ("chain", "moves")
    };
    let rows = curves.iter().flat_map(|curve| {
        let row = |(x, ms): &(f64, f64)| {
            vec![
                Cell::text(curve.name.clone()),
                Cell::Number(*x, 0),
                Cell::Number(*ms, 3),
            ]
        };
        curve.points.iter().map(row)
    });
    Table {
        name: "search",
        title: format!("Best split so far over {head}"),
        columns: vec![
            TableColumn::new("by", what, ""),
            TableColumn::new("at", head, ""),
            TableColumn::new("ms", "best so far", "ms"),
        ],
        rows: rows.collect(),
    }
}

/// A change of the devices in words.
fn change_words(change: &DeviceChange) -> String {
    match change {
        DeviceChange::Devices(1) => "1 device".to_owned(),
        DeviceChange::Devices(count) => format!("{count} devices"),
        DeviceChange::LimitMib(Some(mib)) => format!("{mib} MiB each"),
        DeviceChange::LimitMib(None) => "no limit".to_owned(),
        DeviceChange::Factors(factors) => {
            let factors: Vec<String> = factors.iter().map(f64::to_string).collect();
            factors.join(", ")
        }
    }
}

/// Splits over other devices; a time that breaks a limit is missing.
#[must_use]
pub fn variant_table(variants: &[DeviceVariant]) -> Table {
    let fits = |ms: Option<f64>, fits: bool| Cell::maybe(ms.filter(|_| fits), 2);
    let row = |v: &DeviceVariant| {
        vec![
            Cell::text(change_words(&v.change)),
            fits(Some(v.best_ms), v.best_fits),
            fits(v.coedge_ms, v.coedge_fits),
            fits(Some(v.proportional_ms), v.proportional_fits),
            Cell::Number(v.bound_ms, 2),
        ]
    };
    Table {
        name: "devices-tried",
        title: "With other devices".to_owned(),
        columns: vec![
            TableColumn::new("devices", "devices", ""),
            TableColumn::new("edgewise_ms", "Edgewise, short search", "ms"),
            TableColumn::new("coedge_ms", "CoEdge", "ms"),
            TableColumn::new("proportional_ms", "Proportional", "ms"),
            TableColumn::new("bound_ms", "lower bound", "ms"),
        ],
        rows: variants.iter().map(row).collect(),
    }
}
