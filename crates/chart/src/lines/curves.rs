//! Draws the lines of a sweep, the marks of their points, and the names of the lines, which do not overlap.

use super::layout::{TEXT_SIZE, TOP_PX, is_drawn, name_of};
use super::{LineChart, LineStyle, Point, Series, SeriesRole};
use crate::mark::{Anchor, Mark};
use crate::scale::ParameterScale;
use engine::units::InOrder;

/// From name to name at the line ends, at least [px].
const NAME_GAP_PX: f64 = 14.0;

/// The series in the order in which they are painted, ours last and so on top.
fn painted(lines: &LineChart) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines.series.len()).collect();
    order.in_order_of(|n| std::cmp::Reverse(lines.series[*n].role));
    order
}

/// Draws lines and the marks of their points.
pub(super) fn curves(
    (lines, style): (&LineChart, LineStyle),
    hits: &[Point],
    marks: &mut Vec<Mark>,
) {
    for n in painted(lines) {
        let (ink, width, dash, form) = lines.series[n].role.look();
        let crowded = is_crowded(hits, n);
        let here = || hits.iter().enumerate().filter(|(_, hit)| hit.series == n);
        let mut run: Vec<(f64, f64)> = Vec::new();
        let mut end_run = |run: &mut Vec<(f64, f64)>| {
            let points = std::mem::take(run);
            if points.len() > 1 {
                marks.push(Mark::path(ink, width, dash, points));
            }
        };
        let mut next = 0;
        for (_, hit) in here() {
            if hit.point != next {
                end_run(&mut run);
            }
            step_to(&mut run, hit.at, style);
            next = hit.point + 1;
        }
        end_run(&mut run);
        for (number, hit) in here().filter(|(number, _)| marked(hits, *number, crowded)) {
            marks.push(Mark::point(ink, form, hit.at).of(number));
        }
    }
}

/// Adds a point to a line; in steps by way of the corner.
fn step_to(run: &mut Vec<(f64, f64)>, (x, y): (f64, f64), style: LineStyle) {
    if let (true, Some((_, before))) = (style.steps, run.last().copied()) {
        run.push((x, before));
    }
    run.push((x, y));
}

/// Draws lines that have more points than pixels: of each column of pixels only what is visible, and the marks of some points.
pub(super) fn thinned(
    (lines, style): (&LineChart, LineStyle),
    hits: &[Point],
    (x_scale, y_scale): (&ParameterScale, &ParameterScale),
    marks: &mut Vec<Mark>,
) {
    for n in painted(lines) {
        let (ink, width, dash, form) = lines.series[n].role.look();
        for run in visible_points(&lines.series[n], style, x_scale, y_scale) {
            let mut points = Vec::with_capacity(run.len());
            for at in run {
                step_to(&mut points, at, style);
            }
            if points.len() > 1 {
                marks.push(Mark::path(ink, width, dash, points));
            }
        }
        let mut before = None;
        for (number, hit) in hits.iter().enumerate().filter(|(_, hit)| hit.series == n) {
            let cell = libm::floor(hit.at.0 / SPARSE_PX) as i64;
            if before != Some(cell) {
                marks.push(Mark::point(ink, form, hit.at).of(number));
            }
            before = Some(cell);
        }
    }
}

/// Returns the visible points of a series between its gaps: for each pixel column the first, lowest, highest and last point, in
/// order.
fn visible_points(
    series: &Series,
    style: LineStyle,
    x_scale: &ParameterScale,
    y_scale: &ParameterScale,
) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    let end_column = |column: &mut Vec<(f64, f64)>, run: &mut Vec<(f64, f64)>| {
        let y = |at: &usize| column[*at].1;
        let all = 0..column.len();
        let low = all.clone().min_by(|a, b| y(a).total_cmp(&y(b)));
        let high = all.clone().max_by(|a, b| y(a).total_cmp(&y(b)));
        let mut kept: Vec<usize> = [all.clone().next(), low, high, all.last()]
            .into_iter()
            .flatten()
            .collect();
        kept.sort_unstable();
        kept.dedup();
        run.extend(kept.into_iter().map(|at| column[at]));
        column.clear();
    };
    let mut run: Vec<(f64, f64)> = Vec::new();
    for (x, y) in &series.points {
        let Some(y) = y.filter(|y| is_drawn(*y, style)) else {
            end_column(&mut column, &mut run);
            runs.push(std::mem::take(&mut run));
            continue;
        };
        let at = (x_scale.px_from_value(*x), y_scale.px_from_value(y));
        if column
            .first()
            .is_some_and(|first| libm::floor(first.0) != libm::floor(at.0))
        {
            end_column(&mut column, &mut run);
        }
        column.push(at);
    }
    end_column(&mut column, &mut run);
    runs.push(run);
    runs
}

/// Closer than this, markers would merge into a band [px].
const MARKER_PX: f64 = 8.0;
/// From marker to marker where points are closer than that [px].
const SPARSE_PX: f64 = 36.0;

/// Returns true if the points of a series are too close for a marker each.
fn is_crowded(hits: &[Point], series: usize) -> bool {
    let mut own = hits.iter().filter(|hit| hit.series == series).peekable();
    let (mut gaps, mut first, mut last) = (0, f64::MAX, f64::MIN);
    while let Some(hit) = own.next() {
        first = first.min(hit.at.0);
        last = last.max(hit.at.0);
        gaps += usize::from(own.peek().is_some());
    }
    gaps > 0 && (last - first) / (gaps as f64) < MARKER_PX
}

/// Returns true if a point has a marker: each where there is space, else the first in every few pixels, and always one without a
/// line.
fn marked(hits: &[Point], number: usize, crowded: bool) -> bool {
    let here = &hits[number];
    let beside = |at: Option<usize>, step: usize| {
        let other = at.and_then(|at| hits.get(at));
        other.is_some_and(|other| {
            other.series == here.series && other.point.abs_diff(here.point) == step
        })
    };
    let alone = !beside(number.checked_sub(1), 1) && !beside(Some(number + 1), 1);
    let cell = |hit: &Point| libm::floor(hit.at.0 / SPARSE_PX) as i64;
    let first_in_cell = number
        .checked_sub(1)
        .and_then(|before| hits.get(before))
        .is_none_or(|before| before.series != here.series || cell(before) != cell(here));
    !crowded || alone || first_in_cell
}

/// The names at the line ends, moved apart.
pub(super) fn names(
    lines: &LineChart,
    hits: &[Point],
    (right, width_px, foot): (f64, f64, f64),
    marks: &mut Vec<Mark>,
) {
    let last = |n: usize| hits.iter().rfind(|hit| hit.series == n);
    let mut ends: Vec<(usize, f64)> = (0..lines.series.len())
        .filter_map(|n| Some((n, last(n)?.at.1)))
        .collect();
    ends.in_order_by(|a, b| a.1.total_cmp(&b.1));
    let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
    let placed = apart(&wanted, NAME_GAP_PX, (TOP_PX, foot));
    for ((n, _), y) in ends.into_iter().zip(placed) {
        let series = &lines.series[n];
        let (ink, ..) = series.role.look();
        let at = (right + 10.0, y + 4.0);
        let name = Mark::text(ink, TEXT_SIZE, Anchor::Start, at, name_of(series, width_px));
        marks.push(match series.role {
            SeriesRole::Ours => name.strong(),
            _ => name,
        });
    }
}

/// Ascending places moved as little as possible (in squares) so that neighbours are at least `gap` apart,
/// then as a whole into `from..to` where they fit.
pub(crate) fn apart(wanted: &[f64], gap: f64, (from, to): (f64, f64)) -> Vec<f64> {
    // With i * gap taken off place i, "at least gap apart" is "ascending", and the nearest ascending
    // sequence is found by pooling neighbours that are out of order into their mean.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (i, y) in wanted.iter().enumerate() {
        let mut pool = (y - i as f64 * gap, 1);
        while let Some((mean, n)) = pools.last().copied().filter(|last| last.0 > pool.0) {
            pools.pop();
            let all = n + pool.1;
            pool = ((mean * n as f64 + pool.0 * pool.1 as f64) / all as f64, all);
        }
        pools.push(pool);
    }
    let highest = to - (wanted.len().saturating_sub(1)) as f64 * gap;
    let means = pools
        .iter()
        .flat_map(|(mean, n)| std::iter::repeat_n(*mean, *n));
    let inside = means.map(|mean| mean.min(highest).max(from));
    inside
        .enumerate()
        .map(|(i, y)| y + i as f64 * gap)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::Ink;
    use crate::mark::MarkShape;
    use crate::tests::sample;
    use crate::{InteractiveChart, PointsDescriber, layout_lines};

    fn chart(lines: &LineChart) -> InteractiveChart<PointsDescriber> {
        layout_lines(lines, 480.0, 264.0)
    }

    fn polylines(chart: &InteractiveChart<PointsDescriber>, ink: Ink) -> Vec<usize> {
        let of = |mark: &Mark| match &mark.shape {
            MarkShape::Line { points, .. } if mark.ink == ink => Some(points.len()),
            _ => None,
        };
        chart.picture.marks.iter().filter_map(of).collect()
    }

    #[test]
    fn a_missing_point_is_a_gap() {
        let mut lines = sample::sweep();
        assert_eq!(polylines(&chart(&lines), Ink::SeriesA), [6]);
        lines.series[1].points[2].1 = None;
        lines.series[1].points[5].1 = Some(f64::INFINITY);
        let chart = chart(&lines);
        assert_eq!(polylines(&chart, Ink::SeriesA), [2, 2]);
        assert_eq!(
            chart
                .describer
                .all
                .iter()
                .filter(|hit| hit.series == 1)
                .count(),
            4
        );
    }

    #[test]
    fn markers_thin_out_where_points_are_many() {
        let markers = |chart: &InteractiveChart<PointsDescriber>| {
            let marks = chart.picture.marks.iter();
            marks
                .filter(|m| matches!(m.shape, MarkShape::Marker { .. }) && m.ink == Ink::SeriesOurs)
                .count()
        };
        let mut lines = sample::sweep();
        assert_eq!(markers(&chart(&lines)), 6);
        lines.series[0].points = (0..256)
            .map(|k| (256.0 + f64::from(k), (k != 100 && k != 102).then_some(2.0)))
            .collect();
        lines.series.truncate(1);
        let dense = chart(&lines);
        assert_eq!(dense.describer.all.len(), 254);
        assert!((8..16).contains(&markers(&dense)), "{}", markers(&dense));
        // The point between the two gaps has no line, so it keeps its marker.
        let alone = dense.describer.all.iter().position(|hit| hit.point == 101);
        assert!(dense.picture.marks.iter().any(|mark| mark.hit == alone));
    }

    #[test]
    fn names_move_apart_as_little_as_they_can() {
        assert_eq!(apart(&[10.0, 50.0], 14.0, (0.0, 100.0)), [10.0, 50.0]);
        assert_eq!(apart(&[40.0, 40.0], 14.0, (0.0, 100.0)), [33.0, 47.0]);
        assert_eq!(
            apart(&[0.0, 1.0, 90.0], 14.0, (5.0, 100.0)),
            [5.0, 19.0, 90.0]
        );
        assert_eq!(apart(&[98.0, 99.0], 14.0, (0.0, 100.0)), [86.0, 100.0]);
        assert_eq!(apart(&[], 14.0, (0.0, 100.0)), Vec::<f64>::new());
    }

    #[test]
    fn ours_is_drawn_last() {
        let chart = chart(&sample::sweep());
        let last = |ink| chart.picture.marks.iter().position(|m| m.ink == ink);
        assert!(last(Ink::SeriesOurs) > last(Ink::SeriesA));
        assert!(last(Ink::SeriesA) > last(Ink::SeriesC));
    }
}
