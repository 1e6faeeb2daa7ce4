//! Memory of orders step by step: staircases over the steps, ours filled, with the limit, our peak and the selected step.

mod labels;
mod lines;

use super::{
    NAME_CHARS, column, cursor, nothing_yet, over_steps, seen_steps, short, steps_axis, steps_scale,
};
use crate::gantt::TimeView;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use crate::lines::SeriesRole;
use crate::mark::{Anchor, Rect};
use crate::paper::{LabelPlacer, PlotArea, RIGHT_PX, painted, small};
use crate::scale::ValueScale;
use engine::units::{BinaryUnit, binary_bytes, capital, count};
use labels::{ends, key, limits, marked, names_px};
use lines::{area, bin_steps, line};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Memory of orders. Copies with another step share the lines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MemoryChart {
    /// The orders, ours first; four can be distinguished at sight.
    pub orders: Arc<Vec<MemoryLine>>,
    /// How much there is room for [bytes].
    pub limit: Option<f64>,
    /// The chosen step, from 0.
    pub step: Option<usize>,
    /// True to show memory between steps rather than while operators run: one value more, before the first step.
    pub between: bool,
    /// The steps that are seen, counted from 0; all of them where it is `None`.
    pub view: Option<TimeView>,
}

/// Memory of one order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MemoryLine {
    /// Name of the order: `Exact`.
    pub name: String,
    /// Memory held [bytes]: while each operator runs, or between steps (before the first, after each).
    pub memory_b: Vec<f64>,
    /// Name of the operator of each step.
    pub ops: Vec<String>,
    /// Parts of a step's memory; only of our order, may be empty.
    pub step_parts: Vec<StepParts>,
}

/// Memory while one operator runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepParts {
    /// Kind of the operator: `Conv`.
    pub kind: String,
    /// Held before it [bytes].
    pub before: f64,
    /// Its weights [bytes].
    pub weights: f64,
    /// Its output [bytes].
    pub output: f64,
    /// True if its output overwrites an operand, so that it takes no further memory.
    pub in_place: bool,
}

/// Above the plot [px].
const TOP_PX: f64 = 24.0;
/// A limit is drawn up to this many times the most that is held; a higher one is only named.
const LIMIT_SHOWN: f64 = 1.7;

/// Describes the marks, one for each column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MemoryDescriber {
    memory: MemoryChart,
    unit: BinaryUnit,
}

impl MemoryChart {
    /// How many columns there are.
    pub(crate) fn columns(&self) -> usize {
        let all = self.orders.iter().map(|line| line.memory_b.len());
        all.max().unwrap_or_default()
    }

    /// The step that a column stands for: the one that ends with it where it is shown what is held between steps.
    fn step_of(&self, column: usize) -> usize {
        if self.between {
            column.saturating_sub(1)
        } else {
            column
        }
    }

    /// The column of the chosen step.
    fn chosen(&self) -> Option<usize> {
        let column = self.step? + usize::from(self.between);
        (column < self.columns()).then_some(column)
    }

    /// Returns the first maximum and its index, of values that are numbers.
    fn peak(line: &MemoryLine) -> Option<(usize, f64)> {
        let mut peak: Option<(usize, f64)> = None;
        for (at, held) in line.memory_b.iter().enumerate() {
            if is_size(held) && peak.is_none_or(|(_, most)| *held > most) {
                peak = Some((at, *held));
            }
        }
        peak
    }

    /// A column in words: `step 2, pool1`.
    fn name_of(&self, line: &MemoryLine, column: usize, chars: usize) -> String {
        let place = match (self.between, column) {
            (true, 0) => return "before the first step".into(),
            (true, column) => format!("after step {}", count(column as f64)),
            (false, column) => format!("step {}", count(column as f64 + 1.0)),
        };
        match line.ops.get(self.step_of(column)) {
            Some(op) if !op.is_empty() => format!("{place}, {}", short(op, chars)),
            _ => place,
        }
    }
}

fn is_size(bytes: &f64) -> bool {
    bytes.is_finite() && *bytes >= 0.0
}

impl MarkDescriber for MemoryDescriber {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let column = hit.of;
        let memory = &self.memory;
        if column >= memory.columns() {
            return None;
        }
        let (ours, others) = memory.orders.split_first()?;
        let mut rows = Vec::new();
        let text = |bytes: f64| {
            if is_size(&bytes) {
                self.unit.format(bytes)
            } else {
                "–".into()
            }
        };
        let parts = ours.step_parts.get(memory.step_of(column));
        if let Some(parts) = parts.filter(|_| !memory.between) {
            if !parts.kind.is_empty() {
                rows.push(row("Operator", &parts.kind));
            }
            rows.push(row("Held before", text(parts.before)));
            rows.push(row("Weights", text(parts.weights)));
            let output = if parts.in_place {
                "in place".into()
            } else {
                text(parts.output)
            };
            rows.push(row("New output", output));
        }
        let sums = std::iter::once(ours).chain(others);
        for (at, line) in sums.enumerate() {
            let held = line.memory_b.get(column).copied().unwrap_or(f64::NAN);
            // Another order runs another operator at this step.
            let op = line.ops.get(memory.step_of(column));
            let same = op == ours.ops.get(memory.step_of(column));
            let value = match op {
                Some(op) if at > 0 && !same && !memory.between => {
                    format!("{}, {}", text(held), short(op, NAME_CHARS))
                }
                _ => text(held),
            };
            rows.push(row(&line.name, value));
        }
        let title = capital(&memory.name_of(ours, column, usize::MAX));
        Some(MarkWords::of(title, ": ", Small::None, rows))
    }
}

/// How the lines look, ours first.
fn role_of(at: usize) -> SeriesRole {
    match at {
        0 => SeriesRole::Ours,
        1 => SeriesRole::A,
        2 => SeriesRole::B,
        3 => SeriesRole::C,
        4 => SeriesRole::D,
        more => SeriesRole::More((more - 5).min(250) as u8),
    }
}

/// The measures of one chart.
struct Frame {
    plot: Rect,
    x: ValueScale,
    y: ValueScale,
    /// Width of a column [px].
    step_px: f64,
    unit: BinaryUnit,
}

impl Frame {
    fn y_of(&self, bytes: f64) -> f64 {
        self.y.px_from_value(bytes / self.unit.bytes())
    }

    fn middle_of(&self, column: usize) -> f64 {
        self.x.px_from_value(column as f64 + 0.5)
    }
}

/// Lays what orders hold out on `width_px` by `height_px`.
///
/// # Complexity
/// O(orders × steps); of more steps than pixels the least and the most of each pixel is drawn.
#[must_use]
pub fn layout_memory(
    memory: &MemoryChart,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, height_px);
    let columns = memory.columns();
    let peaks: Vec<Option<(usize, f64)>> = memory.orders.iter().map(MemoryChart::peak).collect();
    let most = peaks
        .iter()
        .flatten()
        .map(|peak| peak.1)
        .fold(0.0, f64::max);
    let limit = memory.limit.filter(is_size);
    let shown_limit = limit.filter(|limit| *limit <= LIMIT_SHOWN * most || most <= 0.0);
    let unit = BinaryUnit::of_largest(most.max(shown_limit.unwrap_or(0.0)));
    let names: Vec<(SeriesRole, String)> = (0..)
        .zip(memory.orders.iter())
        .map(|(at, line)| (role_of(at), line.name.clone()))
        .collect();
    let beside = names_px(&names, paper.width);
    let top = match beside {
        Some(_) => TOP_PX,
        None => TOP_PX + key(&mut paper, &names),
    };
    let caption = if memory.between {
        format!("{} between steps", unit.name())
    } else {
        format!("{} while running", unit.name())
    };
    let highest = (most / unit.bytes()).max(shown_limit.unwrap_or(0.0) / unit.bytes());
    let heights = (top, paper.foot(top));
    let values = (PlotArea::up_to(highest, 1.1), 30.0);
    let ground = PlotArea::new(
        paper.width,
        heights,
        values,
        &[],
        beside.unwrap_or(RIGHT_PX),
    );
    let (plot, y) = (ground.plot, ground.y);
    let (left, right) = (plot.x, plot.right());
    let x = steps_scale(columns, memory.view, (left, right));
    let frame = Frame {
        step_px: x.px_from_value(1.0) - x.px_from_value(0.0),
        plot,
        x,
        y,
        unit,
    };
    let chosen = memory.chosen();
    if let Some(at) = chosen {
        cursor(&mut paper, column(&x, at, 4.0, &plot));
    }
    let caption = match bin_steps(&frame, columns) {
        Some(bin) => format!("{caption}, minimum and maximum of every {bin} steps"),
        None => caption,
    };
    paper.offer(small(Anchor::Start, (0.0, top - 13.0), caption));
    let (edges, before) = ((left, right), paper.marks.len());
    if let Some(ours) = memory.orders.first() {
        area(&mut paper, ours, &frame);
    }
    paper.cut(before, edges);
    paper.value_axis(&ground);
    let title = if memory.between { "After step" } else { "Step" };
    let first = usize::from(!memory.between);
    if columns > 0 {
        steps_axis(&mut paper, &x, (columns, first), &plot, title);
    } else {
        nothing_yet(&mut paper, &plot, "No order is computed yet.");
    }
    let roles: Vec<SeriesRole> = names.iter().map(|name| name.0).collect();
    let before = paper.marks.len();
    for at in painted(&roles) {
        line(&mut paper, (&memory.orders[at], roles[at]), &frame);
    }
    paper.cut(before, edges);
    limits(&mut paper, limit, shown_limit.is_some(), &frame);
    marked(&mut paper, memory, &peaks, &frame);
    if beside.is_some() {
        ends(&mut paper, memory, &names, &frame);
    }
    let ours = memory.orders.first();
    let spot = |at: usize| {
        let held = ours
            .and_then(|line| line.memory_b.get(at))
            .filter(|h| is_size(h));
        let y = held.map_or(plot.bottom(), |held| frame.y_of(*held));
        HitTarget {
            pick: Some(memory.step_of(at) as f64),
            ..HitTarget::round((frame.middle_of(at), y), 0, at)
        }
    };
    let mut rows = RowHits::default();
    rows.row(
        Rect::new(plot.x, 0.0, plot.w, plot.bottom() + 18.0),
        HitTest::Column(f64::INFINITY),
        seen_steps(&x, &plot, columns).map(spot).collect(),
    );
    let laid = ChartLayout::spots(plot, rows);
    over_steps(laid, x, &plot).with_describer(
        paper.picture(describe(memory, &peaks)),
        MemoryDescriber {
            memory: memory.clone(),
            unit,
        },
    )
}

/// The picture in one sentence.
fn describe(memory: &MemoryChart, peaks: &[Option<(usize, f64)>]) -> String {
    let what = if memory.between {
        "Memory held between steps"
    } else {
        "Memory over steps"
    };
    let peak = |(line, peak): (&MemoryLine, &Option<(usize, f64)>)| {
        let (at, held) = (*peak)?;
        let place = memory.name_of(line, at, NAME_CHARS);
        Some(format!(
            "{} at most {}, {place}",
            line.name,
            binary_bytes(held)
        ))
    };
    let all: Vec<String> = memory.orders.iter().zip(peaks).filter_map(peak).collect();
    match memory.limit.filter(is_size) {
        Some(limit) if !all.is_empty() => {
            format!(
                "{what}: {}; the limit is {}.",
                all.join("; "),
                binary_bytes(limit)
            )
        }
        _ => format!("{what}: {}.", all.join("; ")),
    }
}
