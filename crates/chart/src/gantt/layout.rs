//! Where everything in a timeline stands: the frame, the axis, the lines between rows.
//!
//! Three forms, chosen by room alone: rows of 50 px with heads of two lines; rows of 28 px when there are
//! more than six; and below 560 px of width, heads above their bars.

use super::hits::{self, PhaseSpan, Stages};
use super::{Gantt, TimeView, describe, row};
use crate::ink::Ink;
use crate::interaction::{AxisUnit, InteractiveChart};
use crate::mark::{Anchor, Mark, Picture, Rect, cut, text_width};
use crate::rows::{
    self, AXIS_PX, FOOT_PX, MAX_SPACIOUS_ROWS, NAME_CHARS, NAME_SIZE, NAME_X, PHONE_PX, RIGHT_PX,
    SMALL_SIZE, TimeAxis,
};
use crate::scale::{TimeFormat, TimeScale};

/// From this many rows a chart scrolls inside the page, under its axis.
pub const SCROLLS_FROM: usize = 24;
/// No tick is nearer to the label of the answer [px].
const END_ROOM_PX: f64 = 66.0;

/// Size of text on and beside bars [px].
pub(super) const TEXT_SIZE: f64 = 12.0;
/// Length of a memory meter [px], and where its text starts from its left end.
pub(super) const METER_PX: f64 = 40.0;
pub(super) const METER_TEXT_X: f64 = METER_PX + 6.0;

/// The measures of one chart: everything that rows need to know of their surroundings.
pub(super) struct GanttFrame {
    /// Rows of 28 px.
    pub dense: bool,
    /// Heads above bars.
    pub phone: bool,
    /// Height of a bar [px].
    pub bar: f64,
    /// Height of the head above a bar [px].
    pub head: f64,
    /// From row to row [px].
    pub pitch: f64,
    /// Where the layers are in a head [px].
    pub layers_x: f64,
    /// Where the memory meter is in a head [px].
    pub meter_x: f64,
    /// Left end of the plot [px].
    pub left: f64,
    /// The time axis.
    pub scale: TimeScale,
    /// How times are printed.
    pub format: TimeFormat,
    /// The answer [s].
    pub total_s: f64,
}

impl GanttFrame {
    fn new(gantt: &Gantt, width_px: f64, view: TimeView, stack: Option<GanttStack>) -> Self {
        let dense = stack.is_some() || gantt.rows.len() > MAX_SPACIOUS_ROWS;
        let phone = width_px < PHONE_PX;
        let widest = |width: &dyn Fn(&super::GanttRow) -> f64| {
            gantt.rows.iter().map(width).fold(0.0, f64::max)
        };
        let name = rows::widest(gantt.rows.iter().map(|row| row.device.as_str()));
        let layers_size = if dense { SMALL_SIZE } else { TEXT_SIZE };
        let layers =
            widest(&|r| text_width(&hits::layers(r.timing.s, r.timing.e), layers_size, false));
        let memory = widest(&|r| METER_TEXT_X + text_width(&row::memory(r), SMALL_SIZE, false));

        // Long names push the columns after them to the right, the same way in every row.
        let layers_x = (NAME_X + name + 7.0).max(if dense { 46.0 } else { 40.0 });
        let (left, meter_x) = match (phone, dense) {
            (true, true) => (rows::gutter(name), 0.0),
            (true, false) => (0.0, (layers_x + layers + 14.0).max(126.0)),
            (false, true) => ((layers_x + layers + 8.0).max(132.0), 0.0),
            (false, false) => ((layers_x + layers.max(memory) + 8.0).max(158.0), layers_x),
        };
        let left = left.max(stack.map_or(0.0, |stack| stack.left_px));
        let right = (width_px - RIGHT_PX).max(left + 1.0);
        Self {
            dense,
            phone,
            bar: if dense { 18.0 } else { 28.0 },
            head: if phone && !dense { 20.0 } else { 0.0 },
            pitch: match (phone, dense) {
                (_, true) => 28.0,
                (true, false) => 62.0,
                (false, false) => 50.0,
            },
            layers_x,
            meter_x,
            left,
            scale: TimeScale::new((view.from_s, view.to_s), (left, right)),
            format: TimeFormat::of_largest(gantt.total_s),
            total_s: gantt.total_s,
        }
    }

    /// Upper edge of a row [px].
    pub fn row_y(&self, row: usize) -> f64 {
        AXIS_PX + row as f64 * self.pitch
    }

    /// Upper edge of a row's bar [px].
    pub fn bar_y(&self, row: usize) -> f64 {
        self.row_y(row) + self.head + if self.dense { 3.0 } else { 6.0 }
    }

    /// A device's name as it is in a row head.
    pub fn name(&self, device: &str) -> String {
        let name = cut(device, NAME_CHARS);
        if self.phone && self.dense {
            crate::mark::fit(&name, self.left - NAME_X - 4.0, NAME_SIZE)
        } else {
            name
        }
    }
}

/// Common layout of timelines below one another: low rows, and one left edge of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GanttStack {
    left_px: f64,
}

impl GanttStack {
    /// The common measures of timelines on `width_px`.
    #[must_use]
    pub fn of<'a>(gantts: impl IntoIterator<Item = &'a Gantt>, width_px: f64) -> Self {
        let none = Self { left_px: 0.0 };
        let lefts = gantts
            .into_iter()
            .map(|gantt| GanttFrame::new(gantt, width_px, TimeView::full(gantt), Some(none)).left);
        Self {
            left_px: lefts.fold(0.0, f64::max),
        }
    }
}

/// Lays a timeline out on `width_px`, showing the span of `view`.
///
/// # Complexity
/// O(rows): a row has at most six phases and the axis at most a dozen ticks.
#[must_use]
pub fn layout(gantt: &Gantt, width_px: f64, view: TimeView) -> InteractiveChart<Stages> {
    chart_layout(
        gantt,
        GanttFrame::new(gantt, width_px, view, None),
        width_px,
    )
}

/// Lays out one of several timelines under one another: in all of them equal times are at equal places.
#[must_use]
pub fn layout_stacked(
    gantt: &Gantt,
    width_px: f64,
    view: TimeView,
    stack: GanttStack,
) -> InteractiveChart<Stages> {
    chart_layout(
        gantt,
        GanttFrame::new(gantt, width_px, view, Some(stack)),
        width_px,
    )
}

fn chart_layout(gantt: &Gantt, frame: GanttFrame, width_px: f64) -> InteractiveChart<Stages> {
    let n_rows = gantt.rows.len();
    let height = frame.row_y(n_rows.max(1)) + FOOT_PX;
    let mut marks = Vec::with_capacity(16 + 24 * n_rows);
    let mut found: Vec<PhaseSpan> = Vec::with_capacity(6 * n_rows);

    axis(&frame, width_px, height, &mut marks);
    let mut above = rows::alone(width_px, "Time axis");
    axis(&frame, width_px, AXIS_PX, &mut above.marks);
    links(&frame, gantt, &mut marks);
    for (n, row) in gantt.rows.iter().enumerate() {
        let first = found.len();
        hits::of_row(gantt, n, &mut found);
        row::head(&frame, n, row, &mut marks);
        row::bars(&frame, n, row, (first, &mut found[first..]), &mut marks);
    }
    if n_rows == 0 {
        let at = (frame.left + 8.0, frame.bar_y(0) + 18.0);
        marks.push(rows::nothing(at, "Add a device to see a timeline."));
    }
    if n_rows > 0 && frame.total_s > 0.0 && frame.scale.shows(frame.total_s) {
        let x = frame.scale.px_from_s(frame.total_s);
        let end = |foot| Mark::line(Ink::Accent, 1.5, (x, AXIS_PX - 5.0), (x, foot));
        marks.push(end(height));
        above.marks.push(end(AXIS_PX));
    }

    let band = |n| Rect::new(0.0, frame.row_y(n) - 1.0, width_px, frame.pitch);
    let picture = Picture::of((width_px, height), describe(gantt), marks);
    let stages = Stages {
        gantt: gantt.clone(),
        spans: found,
    };
    let bands = (0..n_rows).map(band).collect();
    let axis = (frame.scale, AxisUnit::Time);
    rows::layout_rows((picture, above), axis, (stages.rows(), bands), stages)
}

/// Grid, tick labels and the answer as the last tick.
fn axis(frame: &GanttFrame, width_px: f64, height: f64, marks: &mut Vec<Mark>) {
    let scale = &frame.scale;
    let end =
        (frame.total_s > 0.0 && scale.shows(frame.total_s)).then(|| scale.px_from_s(frame.total_s));
    // The label of the answer is left of its line, so it needs more room on that side.
    let meets = |x: f64, half: f64, end: f64| x > end - END_ROOM_PX && x < end + half + 6.0;
    let axis = TimeAxis {
        scale,
        format: frame.format,
        phone: frame.phone,
        ticks: (36.0, usize::from(end.is_some())),
        // On a phone the unit is at the answer, or where that is out of sight, at the last tick.
        has_unit: end.is_none(),
        hides: &|x, half, _| end.is_some_and(|end| meets(x, half, end)) || x + half > width_px,
    };
    axis.draw(height, marks);
    if let Some(x) = end {
        let text = frame.format.with_unit(frame.total_s);
        let fits = x - text_width(&text, TEXT_SIZE, true) >= frame.left;
        let anchor = if fits { Anchor::End } else { Anchor::Start };
        marks.push(Mark::text(Ink::Accent, TEXT_SIZE, anchor, (x, 12.0), text).strong());
    }
}

/// Hand-overs from row to row, and the critical chain, under everything else in the rows.
fn links(frame: &GanttFrame, gantt: &Gantt, marks: &mut Vec<Mark>) {
    let (chain, last) = (gantt.critical_row(), gantt.rows.len().saturating_sub(1));
    for (n, row) in gantt.rows.iter().enumerate() {
        let (foot, finish) = (frame.bar_y(n) + frame.bar, row.timing.finish);
        let x = frame.scale.px_from_s(finish);
        if n < last && frame.scale.shows(finish) {
            let (ink, width) = if n >= chain {
                (Ink::Text, 2.0)
            } else {
                (Ink::HandOver, 1.0)
            };
            let next = frame.bar_y(n + 1);
            marks.push(Mark::line(ink, width, (x, foot), (x, next)));
        }
        if n >= chain {
            let from_s = if n == chain { 0.0 } else { row.timing.start };
            if let Some((a, b)) = frame.scale.seen_px(from_s, finish) {
                // One pixel further, to close the corner with the hand-over.
                let corner = f64::from(n < last && frame.scale.shows(finish));
                let y = foot + 2.0;
                marks.push(Mark::line(Ink::Text, 2.0, (a, y), (b + corner, y)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GanttPhase;
    use crate::mark::MarkShape;
    use crate::tests::kit::{has, texts, words_apart};
    use crate::tests::sample;

    fn whole(gantt: &Gantt, width_px: f64) -> InteractiveChart<Stages> {
        layout(gantt, width_px, TimeView::full(gantt))
    }

    #[test]
    fn no_text_runs_into_another_or_out_of_the_picture() {
        for gantt in [sample::paper(), sample::twelve(), sample::first_rows(1)] {
            for width in [968.0, 700.0, 560.0, 559.0, 358.0, 320.0] {
                let chart = whole(&gantt, width);
                words_apart(&chart.picture, "a plan");
                for mark in &chart.picture.marks {
                    if let Some(text) = mark.text_box() {
                        assert!(text.x >= 0.0 && text.right() <= width + 1.0, "{mark:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_axis_ends_with_the_answer() {
        let texts = texts(&whole(&sample::paper(), 968.0).picture);
        assert_eq!(texts[0], "Time, s");
        assert_eq!(texts[1..7], ["0.0", "0.5", "1.0", "1.5", "2.0", "2.562 s"]);
    }

    #[test]
    fn labels_of_the_standard_case() {
        has(
            &whole(&sample::paper(), 968.0).picture,
            &[
                "D1",
                "layers 13–27",
                "9.9 of 20 GB",
                "Load 15 layers, 9.91 GB",
                "1.982",
                "0.317",
                "free 0.818",
            ],
        );
    }

    #[test]
    fn bars_are_where_the_scale_says() {
        let chart = whole(&sample::paper(), 968.0);
        assert_eq!(chart.scale().expect("an axis").ends_px(), (158.0, 966.0));
        for hit in &chart.describer.spans {
            let rect = hit.rect.expect("all in sight");
            let (a, b) = (
                chart.scale().expect("an axis").px_from_s(hit.from_s),
                chart.scale().expect("an axis").px_from_s(hit.to_s),
            );
            // A stall is one pixel inside its load, the dots of free time two off both neighbours.
            let inside = match hit.phase {
                GanttPhase::Stall => 1.0,
                GanttPhase::Free => 2.0,
                _ => 0.0,
            };
            assert!((rect.x - a - inside).abs() < 1e-9, "{hit:?}");
            assert!((rect.right() - b + inside).abs() < 1e-9, "{hit:?}");
        }
    }

    #[test]
    fn the_chain_runs_from_the_critical_load_to_the_end() {
        let chart = whole(&sample::paper(), 968.0);
        let ink: Vec<_> = chart
            .picture
            .marks
            .iter()
            .filter_map(|m| match &m.shape {
                MarkShape::Line { points, width, .. } if *width == 2.0 && m.ink == Ink::Text => {
                    Some((points[0], points[1]))
                }
                _ => None,
            })
            .collect();
        // Under D1, the hand-over, under D2.
        assert_eq!(ink.len(), 3);
        assert_eq!(ink.iter().map(|l| l.0.0).fold(f64::MAX, f64::min), 158.0);
        assert_eq!(ink.iter().map(|l| l.1.0).fold(0.0, f64::max), 966.0);
    }

    #[test]
    fn forms_by_width() {
        let heights = |gantt: &Gantt, width| whole(gantt, width).picture.height;
        let (few, many) = (sample::paper(), sample::twelve());
        assert_eq!(heights(&few, 968.0), 24.0 + 4.0 * 50.0 + 4.0);
        assert_eq!(heights(&few, 358.0), 24.0 + 4.0 * 62.0 + 4.0);
        assert_eq!(heights(&many, 968.0), 24.0 + 12.0 * 28.0 + 4.0);
        assert_eq!(
            whole(&few, 358.0).scale().expect("an axis").ends_px().0,
            0.0
        );
        assert_eq!(
            whole(&many, 358.0).scale().expect("an axis").ends_px().0,
            48.0
        );
        let texts = texts(&whole(&many, 358.0).picture);
        assert!(!texts.iter().any(|t| t.starts_with("layer")));
    }

    #[test]
    fn long_names_are_cut_and_push_the_plot() {
        let mut gantt = sample::paper();
        gantt.rows[1].device = "The old computer in the living room".into();
        let chart = whole(&gantt, 968.0);
        assert!(texts(&chart.picture).contains(&"The old compu…".to_owned()));
        assert!(chart.scale().expect("an axis").ends_px().0 > 158.0);
        words_apart(&chart.picture, "a plan");
        words_apart(&whole(&gantt, 358.0).picture, "a plan");
    }

    #[test]
    fn odd_plans_do_not_break_it() {
        let empty = whole(&Gantt::default(), 968.0);
        assert!(texts(&empty.picture).contains(&"Add a device to see a timeline.".to_owned()));
        assert!(empty.describer.spans.is_empty());

        let mut still = sample::paper();
        still.total_s = 0.0;
        for row in &mut still.rows {
            let t = &mut row.timing;
            (t.load, t.start, t.comm, t.comp) = (0.0, 0.0, 0.0, 0.0);
            (t.finish, t.wait, t.stall, t.idle_after) = (0.0, 0.0, 0.0, 0.0);
        }
        let mut endless = sample::paper();
        endless.total_s = f64::INFINITY;
        endless.rows[3].timing.comm = f64::INFINITY;
        endless.rows[3].timing.finish = f64::INFINITY;
        let mut twenty = sample::twelve();
        twenty
            .rows
            .extend(sample::twelve().rows.into_iter().take(8));
        for gantt in [still, endless, twenty] {
            for width in [968.0, 358.0, 10.0, 0.0] {
                let chart = whole(&gantt, width);
                for hit in &chart.describer.spans {
                    let seen = hit.rect.is_none_or(|r| r.x.is_finite() && r.w >= 0.0);
                    assert!(seen, "{hit:?}");
                }
            }
        }
    }

    #[test]
    fn zoomed_in_nothing_leaves_the_plot_and_the_unit_stays() {
        let view = TimeView {
            from_s: 1.7,
            to_s: 1.95,
        };
        let chart = layout(&sample::paper(), 968.0, view);
        let (left, right) = chart.scale().expect("an axis").ends_px();
        for hit in chart.describer.spans.iter().filter_map(|hit| hit.rect) {
            assert!(
                hit.x >= left - 1e-9 && hit.right() <= right + 1.0,
                "{hit:?}"
            );
        }
        assert!(chart.describer.spans.iter().any(|hit| hit.rect.is_none()));
        let texts = texts(&chart.picture);
        assert!(texts.iter().any(|t| t.ends_with(" s")), "{texts:?}");
        assert!(!texts.contains(&"2.562 s".to_owned()));
    }

    #[test]
    fn stacked_charts_have_equal_times_at_equal_places() {
        let (mut few, many) = (sample::paper(), sample::twelve());
        few.rows[0].device = "The old computer".into();
        let view = TimeView::until(many.total_s);
        for width in [968.0, 358.0] {
            let stack = GanttStack::of([&few, &many], width);
            let charts = [&few, &many].map(|gantt| layout_stacked(gantt, width, view, stack));
            let places = charts
                .each_ref()
                .map(|chart| chart.scale().expect("an axis").px_from_s(1.5));
            assert_eq!(places[0], places[1]);
            for chart in &charts {
                words_apart(&chart.picture, "a plan");
            }
            assert_eq!(charts[0].picture.height, 24.0 + 4.0 * 28.0 + 4.0);
        }
    }

    #[test]
    fn the_axis_is_drawn_alone_for_rows_that_scroll() {
        let chart = whole(&sample::twelve(), 968.0);
        let axis = chart.axis().expect("an axis");
        assert_eq!((axis.width, axis.height), (968.0, AXIS_PX));
        let texts = |picture: &Picture| {
            let boxes = picture.marks.iter().filter_map(Mark::text_box);
            boxes.filter(|text| text.bottom() < AXIS_PX).count()
        };
        assert_eq!(texts(axis), texts(&chart.picture));
        assert!(texts(axis) > 5);
    }

    #[test]
    fn twenty_and_sixty_four_rows_keep_their_names_and_their_slimmest_bars() {
        for rows in [20, 64] {
            let mut gantt = sample::twelve();
            gantt.rows = (0..rows).map(|n| gantt.rows[n % 12].clone()).collect();
            for (n, row) in gantt.rows.iter_mut().enumerate() {
                row.device = format!("Device {}", n + 1);
                row.timing.comm = 1e-9;
            }
            for width in [968.0, 358.0] {
                let chart = whole(&gantt, width);
                let names = texts(&chart.picture)
                    .iter()
                    .filter(|t| t.starts_with("Device "))
                    .count();
                assert_eq!(names, rows, "{width}");
                words_apart(&chart.picture, "a plan");
                let slim = chart
                    .describer
                    .spans
                    .iter()
                    .filter(|hit| hit.phase == GanttPhase::Transfer);
                assert!(slim.clone().count() == rows);
                assert!(slim.filter_map(|hit| hit.rect).all(|rect| rect.w >= 1.0));
            }
        }
    }

    #[test]
    fn charts_can_share_an_axis() {
        let gantt = sample::paper();
        let view = TimeView {
            from_s: 0.0,
            to_s: 6.129,
        };
        let chart = layout(&gantt, 968.0, view);
        let end = chart
            .describer
            .spans
            .last()
            .and_then(|hit| hit.rect)
            .expect("seen");
        assert!((end.right() - chart.scale().expect("an axis").px_from_s(2.56199)).abs() < 1e-9);
        words_apart(&chart.picture, "a plan");
    }
}
