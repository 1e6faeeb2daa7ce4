//! Where everything in a run stands: the rows, their lanes, the axis, and what of it is drawn at this distance.

use super::TimeView;
use super::draw::{draw, head};
use super::hits::RunDescriber;
use super::index::RequestIndex;
use super::sketch::sketch;
use crate::gantt::SCROLLS_FROM;
use crate::ink::Ink;
use crate::interaction::{AxisUnit, InteractiveChart};
use crate::mark::{Mark, Picture, Rect};
use crate::rows::{
    self, AXIS_PX, FOOT_PX, HEAD_PX, MAX_SPACIOUS_ROWS, NAME_X, PHONE_PX, RIGHT_PX, TimeAxis,
};
use crate::scale::{TimeFormat, TimeScale};
use engine::units::count;

/// Height of a roomy row and of others [px]. Rows with more lanes than fit grow, but not in a chart that scrolls.
const TALL_ROW_PX: f64 = 50.0;
const DENSE_PX: f64 = 28.0;
/// From lane to lane at least and at most [px], and the same in roomy rows.
const LANE_PX: (f64, f64) = (12.0, 19.0);
const TALL_LANE_PX: (f64, f64) = (15.0, 22.0);
/// Height of the strip of stays beyond the lanes [px], and in a chart that scrolls.
const BEYOND_PX: (f64, f64) = (12.0, 6.0);
/// Air above and below the bars of a row, together [px].
const ROW_AIR_PX: f64 = 4.0;
/// Size of a number on a bar [px].
pub(super) const NUMBER_SIZE: f64 = 10.0;
/// Passes are drawn one by one where they are this wide on average [px], and no more than so many are seen.
const PASS_PX: f64 = 3.0;
const MOST_PASSES: usize = 6_000;
/// Marks of all rows together, and least marks of a row.
const MOST_MARKS: usize = 14_000;
const LEAST_MARKS: usize = 120;
/// Slimmer bars have no foot and no line [px].
pub(super) const FOOTED_PX: f64 = 8.0;
/// Slimmer bars merge [px].
pub(super) const MERGED_PX: f64 = 1.0;

/// The measures of one chart.
pub(super) struct RequestsFrame {
    pub(super) width: f64,
    pub(super) phone: bool,
    /// Names above bars.
    pub(super) above: bool,
    pub(super) is_spacious: bool,
    /// Height of the strip of stays beyond the lanes [px].
    pub(super) beyond: f64,
    pub(super) scale: TimeScale,
    pub(super) format: TimeFormat,
    /// Upper edge of each row, and at the end where the last one ends [px].
    pub(super) tops: Vec<f64>,
    pub(super) is_passes: bool,
    /// Most marks of a row.
    pub(super) budget: usize,
}

impl RequestIndex {
    /// Lays the run out on `width_px`, showing the span of `view`.
    ///
    /// # Complexity
    /// O(rows log n + what is seen), n being the passes; at most about 16 000 marks.
    #[must_use]
    pub fn layout(&self, width_px: f64, view: TimeView) -> InteractiveChart<RunDescriber> {
        let frame = RequestsFrame::new(self, width_px, view);
        let n_rows = self.rows.len();
        let height = frame.tops[n_rows].max(AXIS_PX + DENSE_PX) + FOOT_PX;
        let mut marks = Vec::new();
        axis(self, &frame, height, &mut marks);
        let mut above = rows::alone(frame.width, "Time axis");
        axis(self, &frame, AXIS_PX, &mut above.marks);
        let (mut hits, mut ranges) = (Vec::new(), Vec::with_capacity(n_rows));
        for (at, row) in self.rows.iter().enumerate() {
            let first = hits.len();
            let sketch = sketch(&frame, at, row);
            head(self, &frame, (at, sketch.most), &mut marks);
            draw(self, &frame, first, &sketch, &mut marks);
            hits.extend(sketch.items);
            ranges.push(first..hits.len());
        }
        if n_rows == 0 {
            let at = (8.0, AXIS_PX + 18.0);
            marks.push(rows::nothing(at, "Add a tier to see requests."));
        }
        let band = |at: usize| {
            let (top, foot) = (frame.tops[at], frame.tops[at + 1]);
            Rect::new(0.0, top, frame.width, foot - top)
        };
        let picture = Picture::of((frame.width, height), self.describe(), marks);
        let run = RunDescriber {
            items: hits,
            nodes: self.nodes.clone(),
            is_passes: frame.is_passes,
        };
        let bands = (0..n_rows).map(band).collect();
        let axis = (frame.scale, AxisUnit::Time);
        rows::layout_rows((picture, above), axis, (run.rows(ranges), bands), run)
    }

    /// The run in one sentence, for those who do not see it.
    #[must_use]
    pub fn describe(&self) -> String {
        let plural = |n: usize, what: &str| {
            let s = if n == 1 { "" } else { "s" };
            format!("{} {what}{s}", count(n as f64))
        };
        let (requests, nodes) = (
            plural(self.tasks, "request"),
            plural(self.nodes.len(), "node"),
        );
        let done = TimeFormat::of_largest(self.end_s).spell_out(self.end_s);
        let marked = self
            .marked
            .map(|task| format!(", request {} is marked", task + 1));
        format!(
            "Timeline of {requests} on {nodes}, done after {done}{}.",
            marked.unwrap_or_default()
        )
    }
}

impl RequestsFrame {
    fn new(index: &RequestIndex, width_px: f64, view: TimeView) -> Self {
        let width = rows::ground(width_px);
        let rows = index.rows.len();
        let (phone, roomy) = (width < PHONE_PX, rows <= MAX_SPACIOUS_ROWS);
        let above = phone && roomy;
        let widest = rows::widest(index.nodes.iter().map(|node| node.name.as_str()));
        let left = match (above, phone) {
            (true, _) => 0.0,
            (false, true) => rows::gutter(widest),
            (false, false) => (NAME_X + widest + 10.0).max(76.0),
        };
        let right = (width - RIGHT_PX).max(left + 1.0);
        let scale = TimeScale::new((view.from_s, view.to_s), (left, right));
        let scrolls = rows >= SCROLLS_FROM;
        let mut tops = vec![AXIS_PX];
        for row in &index.rows {
            let lanes = row.lanes.len().max(1) as f64;
            let (base, lane) = if roomy {
                (TALL_ROW_PX, TALL_LANE_PX.0)
            } else {
                (DENSE_PX, LANE_PX.0)
            };
            let strip = if row.beyond.all.is_empty() {
                0.0
            } else {
                BEYOND_PX.0
            };
            let grown = if scrolls {
                base
            } else {
                lanes * lane + strip + ROW_AIR_PX
            };
            let h = base.max(grown) + if above { HEAD_PX } else { 0.0 };
            tops.push(tops[tops.len() - 1] + h);
        }
        let (mut seen, mut lasting) = (0, 0.0);
        let (from, to) = scale.span_s();
        for row in &index.rows {
            let range = row.passes.touching(from, to);
            seen += range.len();
            lasting += row.passes.lasting(&range);
        }
        let px_per_s = (right - left) / (to - from);
        let mean_px = lasting * px_per_s / (seen.max(1) as f64);
        Self {
            width,
            phone,
            above,
            is_spacious: roomy,
            beyond: if scrolls { BEYOND_PX.1 } else { BEYOND_PX.0 },
            scale,
            format: TimeFormat::of_largest(index.end_s),
            tops,
            is_passes: seen > 0 && seen <= MOST_PASSES && mean_px >= PASS_PX,
            budget: (MOST_MARKS / rows.max(1)).max(LEAST_MARKS),
        }
    }

    /// Where the bars of a row can be: from and to [px].
    pub(super) fn bar_span(&self, row: usize) -> (f64, f64) {
        let head = if self.above { HEAD_PX } else { 0.0 };
        (self.tops[row] + head, self.tops[row + 1])
    }

    /// Upper edge and height of a lane of so many in a row, given what is left free below the lanes [px].
    pub(super) fn lane(&self, row: usize, lane: usize, of: usize, below: f64) -> (f64, f64) {
        let (top, foot) = self.bar_span(row);
        let most = if self.is_spacious {
            TALL_LANE_PX.1
        } else {
            LANE_PX.1
        };
        let room = foot - top - ROW_AIR_PX - below;
        let step = (room / of.max(1) as f64).min(most);
        let first = top + ROW_AIR_PX / 2.0 + (room - step * of.max(1) as f64) / 2.0;
        (first + step * lane as f64, step - 1.0)
    }
}

/// Ticks, and the arrivals between them and the rows.
fn axis(index: &RequestIndex, frame: &RequestsFrame, height: f64, marks: &mut Vec<Mark>) {
    let scale = &frame.scale;
    let end = frame.width - if frame.phone { 12.0 } else { 0.0 };
    let axis = TimeAxis {
        scale,
        format: frame.format,
        phone: frame.phone,
        ticks: (if frame.phone { 48.0 } else { 36.0 }, 0),
        has_unit: true,
        hides: &|x, half, at_left| x + if at_left { 2.0 * half } else { half } > end,
    };
    axis.draw(height, marks);
    arrivals(index, frame, height, marks);
}

/// A short line at each arrival where they can be distinguished, and a dashed one down the rows at that of the marked
/// request.
fn arrivals(index: &RequestIndex, frame: &RequestsFrame, height: f64, marks: &mut Vec<Mark>) {
    let (from, to) = frame.scale.span_s();
    let first = index.arrivals.partition_point(|(s, _)| *s < from);
    let last = index.arrivals.partition_point(|(s, _)| *s <= to);
    let mut free = f64::NEG_INFINITY;
    for (s, task) in &index.arrivals[first..last.max(first)] {
        let x = frame.scale.px_from_s(*s);
        if index.marked == Some(*task) {
            marks.push(Mark::path(
                Ink::Text2,
                1.5,
                &[3.0, 3.0],
                vec![(x, AXIS_PX - 8.0), (x, height)],
            ));
        }
        if x >= free {
            marks.push(Mark::line(
                Ink::Text2,
                1.0,
                (x, AXIS_PX - 8.0),
                (x, AXIS_PX - 2.0),
            ));
            free = x + 3.0;
        }
    }
}
