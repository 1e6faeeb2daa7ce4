//! Where everything in a sweep stands: its axes, their labels, the line of the current value.

use super::{LineChart, LineStyle, Point, PointsDescriber, Series, SeriesRole, curves};
use crate::ink::Ink;
use crate::interaction::{
    AxisUnit, ChartLayout, CurrentValue, InteractiveChart, VerticalNavigation,
};
use crate::mark::{Anchor, Mark, Picture, Rect, fit, text_width};
use crate::scale::{LogScale, ParameterScale, Ticks, ValueScale};
use engine::units::{MINUS, NARROW, count};

/// Above the plot [px].
pub(super) const TOP_PX: f64 = 20.0;
/// Below the plot [px].
const FOOT_PX: f64 = 34.0;
/// From the value axis to the first point [px].
const INSET_PX: f64 = 14.0;
/// Size of a series' name [px].
pub(super) const TEXT_SIZE: f64 = 12.0;
/// Size of captions and ticks [px].
const SMALL_SIZE: f64 = 11.0;

/// From point to point at least where they are thinned [px].
const THINNED_PX: f64 = 4.0;
/// Between ticks of the value axis at least [px].
const VALUE_PX: f64 = 24.0;

/// Returns true if a value is on the axis: above zero on a logarithmic one.
pub(super) fn is_drawn(y: f64, style: LineStyle) -> bool {
    y.is_finite() && (!style.log || y > 0.0)
}

/// The values that are there to be drawn.
fn values(lines: &LineChart, style: LineStyle) -> impl Iterator<Item = (f64, f64)> {
    let all = lines.series.iter().flat_map(|series| &series.points);
    all.filter_map(move |(x, y)| y.filter(|y| is_drawn(*y, style)).map(|y| (*x, y)))
}

/// Lays a sweep out on `width_px` by `height_px`.
///
/// # Complexity
/// O(n log n) in the number of points, for the labels of the parameter.
#[must_use]
pub fn layout_lines(
    lines: &LineChart,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<PointsDescriber> {
    layout_lines_styled(lines, lines.style, width_px, height_px)
}

/// The value axis from zero, or below it where values are, and its ticks.
fn straight(lines: &LineChart, style: LineStyle, foot: f64) -> (ParameterScale, Ticks) {
    let (low, high) = values(lines, style).fold((0.0, 0.0), |(low, high): (f64, f64), (_, y)| {
        (low.min(y), high.max(y))
    });
    let span = if high > low { high - low } else { 1.0 };
    // A tenth of air towards the side where the values end; the zero stays where it is.
    let air = |edge: f64| if edge == 0.0 { 0.0 } else { 0.1 * span };
    let (from, to) = (
        low - air(low),
        if high > low { high + air(high) } else { 1.0 },
    );
    let scale = ValueScale::new((from, to), (foot, TOP_PX));
    let ticks = scale.ticks(0, VALUE_PX);
    (ParameterScale::Straight(scale), ticks)
}

/// The value axis on which each doubling takes the same way, and its ticks: 1, 2, 5 and so on where it spans much, else
/// as round as on a straight one.
fn doublings(lines: &LineChart, style: LineStyle, foot: f64) -> (ParameterScale, Ticks) {
    let ends = (f64::INFINITY, 0.0);
    let (low, high) = values(lines, style).fold(ends, |(low, high): (f64, f64), (_, y)| {
        (low.min(y), high.max(y))
    });
    let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
    // A twentieth of air on both sides of what there is.
    let air = libm::pow(high / low, 0.05).max(1.02);
    let (from, to) = (low / air, high * air);
    let scale = LogScale::new((from, to), (foot, TOP_PX));
    let mut ticks = ValueScale::new((from, to), (foot, TOP_PX)).ticks(0, VALUE_PX);
    if to >= MANY_STEPS * from {
        let (first, last) = (
            libm::floor(libm::log10(from)) as i32,
            libm::ceil(libm::log10(to)) as i32,
        );
        let steps = (first..=last).flat_map(|power| {
            let power = libm::pow(10.0, f64::from(power));
            [1.0, 2.0, 5.0].map(|step| step * power)
        });
        ticks.values = steps.filter(|v| (from..=to).contains(v)).collect();
        let least = ticks.values.first().copied().unwrap_or(1.0);
        let power = libm::floor(libm::log10(least) + 1e-9) as i32;
        ticks.decimals = usize::try_from(-power).unwrap_or(0);
    }
    let mut free = f64::INFINITY;
    ticks.values.retain(|value| {
        let y = scale.px_from_value(*value);
        let fits = y <= free;
        if fits {
            free = y - 0.75 * VALUE_PX;
        }
        fits
    });
    (ParameterScale::Log(scale), ticks)
}

/// From this factor on an axis of doublings has the ticks 1, 2, 5 and so on.
const MANY_STEPS: f64 = 6.0;

/// The parameters that have points to be pointed at: all, or so many that they can be distinguished, and the last.
fn pointed(scale: &ParameterScale, xs: &[f64], style: LineStyle) -> Vec<f64> {
    if !style.thinned {
        return xs.to_vec();
    }
    let mut kept: Vec<f64> = Vec::new();
    let mut free = f64::NEG_INFINITY;
    for x in xs {
        let px = scale.px_from_value(*x);
        if px >= free {
            kept.push(*x);
            free = px + THINNED_PX;
        }
    }
    if let (Some(last), Some(end)) = (kept.last_mut(), xs.last()) {
        *last = *end;
    }
    kept
}

/// Lays lines out on `width_px` by `height_px` in a style.
///
/// # Complexity
/// O(n log n) in the number of points, for the labels of the parameter.
#[must_use]
pub fn layout_lines_styled(
    lines: &LineChart,
    style: LineStyle,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<PointsDescriber> {
    let foot = (height_px - FOOT_PX).max(TOP_PX + 1.0);
    let (y_scale, y_ticks) = if style.log {
        doublings(lines, style, foot)
    } else {
        straight(lines, style, foot)
    };

    let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
    let y_label = |v: &f64| text_width(&y_ticks.label(*v), SMALL_SIZE, false);
    let left = (widest(&mut y_ticks.values.iter().map(y_label)) + 8.0).max(24.0);
    let name = |s: &Series| {
        let name = name_of(s, width_px);
        text_width(&name, TEXT_SIZE, s.role == SeriesRole::Ours)
    };
    let right = width_px - widest(&mut lines.series.iter().map(name)) - 14.0;
    let right = right.max(left + INSET_PX + 1.0);

    let mut xs: Vec<f64> = lines
        .series
        .iter()
        .flat_map(|s| &s.points)
        .map(|p| p.0)
        .collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let ends = (xs.first().copied(), xs.last().copied());
    let ends = (ends.0.unwrap_or(1.0), ends.1.unwrap_or(2.0));
    let x_scale = if style.even {
        ParameterScale::straight(ends, (left + INSET_PX, right))
    } else {
        ParameterScale::new(ends, (left + INSET_PX, right))
    };

    let mut marks = Vec::new();
    y_axis(
        (lines, style),
        &y_scale,
        &y_ticks,
        (left, right),
        &mut marks,
    );
    x_axis(lines, &x_scale, &xs, (right, height_px, foot), &mut marks);
    let kept = pointed(&x_scale, &xs, style);
    let hits = hits((lines, style), &kept, &x_scale, &y_scale);
    if hits.is_empty() {
        let at = (left + INSET_PX, (TOP_PX + foot) / 2.0);
        let text = "Nothing is computed yet.";
        marks.push(Mark::text(Ink::Text3, 13.0, Anchor::Start, at, text));
    }
    limit(lines, &x_scale, (right, foot), &mut marks);
    cursor(lines, &x_scale, (right, foot), &mut marks);
    if style.thinned {
        curves::thinned((lines, style), &hits, (&x_scale, &y_scale), &mut marks);
    } else {
        curves::curves((lines, style), &hits, &mut marks);
    }
    curves::names(lines, &hits, (right, width_px, foot), &mut marks);
    let title = describe(lines);
    let picture = Picture::of((width_px, height_px), title, marks);
    let plot = Rect::new(left, TOP_PX, right - left, foot - TOP_PX);
    let series = lines.series.iter().map(|series| Series {
        name: series.name.clone(),
        role: series.role,
        points: Vec::new(),
    });
    let head = LineChart {
        x_title: lines.x_title.clone(),
        y_unit: lines.y_unit.clone(),
        decimals: lines.decimals,
        series: series.collect(),
        ..LineChart::default()
    };
    let points = PointsDescriber { head, all: hits };
    let px = lines.now.map(|now| x_scale.px_from_value(now));
    let dial = CurrentValue {
        now: lines.now,
        px: px.filter(|x| (left..=right + 1.0).contains(x)),
        scale: x_scale,
    };
    let laid = ChartLayout {
        upwards: VerticalNavigation::Column,
        air: 2.0,
        current_value: Some(dial),
        ..ChartLayout::of(plot, points.rows())
    };
    let laid = match x_scale {
        ParameterScale::Straight(scale) => {
            let name = AxisUnit::Parameter(lines.x_title.clone());
            laid.along(scale, (plot.bottom() + 2.0, f64::INFINITY), name)
        }
        ParameterScale::Log(_) => laid,
    };
    laid.with_describer(picture, points)
}

/// A series' name at the end of its line: a third of the picture at most.
pub(super) fn name_of(series: &Series, width_px: f64) -> String {
    fit(&series.name, width_px / 3.0, TEXT_SIZE)
}

fn describe(lines: &LineChart) -> String {
    let names: Vec<&str> = lines.series.iter().map(|s| s.name.as_str()).collect();
    format!("{}: {}.", lines.title, names.join(", "))
}

fn y_axis(
    (lines, style): (&LineChart, LineStyle),
    scale: &ParameterScale,
    ticks: &Ticks,
    (left, right): (f64, f64),
    marks: &mut Vec<Mark>,
) {
    let mut title = lines.y_title.clone();
    let log = if style.log { "log scale" } else { "" };
    for part in [lines.y_unit.as_str(), log] {
        if !part.is_empty() {
            title.push_str(", ");
            title.push_str(part);
        }
    }
    let caption = |at, anchor, text: String| Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text);
    marks.push(caption((0.0, 10.0), Anchor::Start, title));
    for value in &ticks.values {
        let y = scale.px_from_value(*value);
        let ink = Ink::grid(*value);
        marks.push(Mark::line(ink, 1.0, (left, y), (right, y)));
        let at = (left - 7.0, y + 4.0);
        marks.push(caption(at, Anchor::End, ticks.label(*value)));
    }
}

fn x_axis(
    lines: &LineChart,
    scale: &ParameterScale,
    xs: &[f64],
    (right, height, foot): (f64, f64, f64),
    marks: &mut Vec<Mark>,
) {
    let caption = |at, anchor, text: String| Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text);
    for x in labelled(scale, xs) {
        let at = (scale.px_from_value(x), foot + 16.0);
        marks.push(caption(at, Anchor::Middle, label(x)));
    }
    let title = if scale.is_log() {
        format!("{}, log scale", lines.x_title)
    } else {
        lines.x_title.clone()
    };
    marks.push(caption((right, height - 2.0), Anchor::End, title));
}

/// A parameter as it is printed: whole numbers whole, others with at most three decimals.
pub(super) fn label(x: f64) -> String {
    if x == libm::round(x) {
        return count(x);
    }
    format!("{x:.3}").trim_end_matches('0').to_owned()
}

/// Which parameters get a label: all if they fit, else round ones: every so manieth doubling where the first is a
/// power of two, 1-2-5 steps elsewhere.
fn labelled(scale: &ParameterScale, xs: &[f64]) -> Vec<f64> {
    let fits = |some: &[f64]| {
        let half = |x: f64| text_width(&label(x), SMALL_SIZE, false) / 2.0;
        some.windows(2).all(|pair| {
            let gap = scale.px_from_value(pair[1]) - scale.px_from_value(pair[0]);
            gap >= half(pair[0]) + half(pair[1]) + 8.0
        })
    };
    let (Some(least), Some(most)) = (xs.first().copied(), xs.last().copied()) else {
        return Vec::new();
    };
    if fits(xs) {
        return xs.to_vec();
    }
    let candidates: Vec<Vec<f64>> = match scale {
        ParameterScale::Straight(scale) => {
            let steps = [32.0, 48.0, 64.0, 96.0, 144.0];
            steps.map(|px| scale.ticks(0, px).values).into()
        }
        ParameterScale::Log(_) if is_power_of_two(least) => {
            let (first, last) = (
                libm::log2(least) as i32,
                libm::floor(libm::log2(most)) as i32,
            );
            let every = |stride| (first..=last).step_by(stride);
            (1..=(last - first).max(1) as usize)
                .map(|stride| every(stride).map(|e| libm::exp2(f64::from(e))).collect())
                .collect()
        }
        ParameterScale::Log(_) => {
            let decades =
                libm::floor(libm::log10(least)) as i32..=libm::ceil(libm::log10(most)) as i32;
            let of = |steps: &[f64]| -> Vec<f64> {
                let all = decades.clone().flat_map(|e| {
                    steps
                        .iter()
                        .map(move |step| step * libm::pow(10.0, f64::from(e)))
                });
                all.filter(|x| (least..=most).contains(x)).collect()
            };
            vec![of(&[1.0, 2.0, 5.0]), of(&[1.0, 3.0]), of(&[1.0])]
        }
    };
    let fitting = candidates
        .into_iter()
        .find(|some| !some.is_empty() && fits(some));
    fitting.unwrap_or_else(|| vec![least])
}

fn is_power_of_two(x: f64) -> bool {
    let exponent = libm::log2(x);
    exponent == libm::round(exponent)
}

fn hits(
    (lines, style): (&LineChart, LineStyle),
    kept: &[f64],
    x_scale: &ParameterScale,
    y_scale: &ParameterScale,
) -> Vec<Point> {
    let is_kept =
        |x: f64| !style.thinned || kept.binary_search_by(|other| other.total_cmp(&x)).is_ok();
    let mut found = Vec::new();
    for (number, series) in lines.series.iter().enumerate() {
        for (point, (x, y)) in series.points.iter().enumerate() {
            let Some(y) = y.filter(|y| is_drawn(*y, style) && is_kept(*x)) else {
                continue;
            };
            found.push(Point {
                at: (x_scale.px_from_value(*x), y_scale.px_from_value(y)),
                series: number,
                point,
                x: *x,
                y,
            });
        }
    }
    found
}

/// A value with its unit, as it is shown.
pub(super) fn value_text(lines: &LineChart, y: f64) -> String {
    let figure = format!("{y:.*}", lines.decimals).replace('-', &MINUS.to_string());
    if lines.y_unit.is_empty() {
        return figure;
    }
    format!("{figure}{NARROW}{}", lines.y_unit)
}

/// The line of [`LineChart::limit`], with its name at the foot, where no line of data ends.
fn limit(
    lines: &LineChart,
    scale: &ParameterScale,
    (right, foot): (f64, f64),
    marks: &mut Vec<Mark>,
) {
    let Some((at, name)) = &lines.limit else {
        return;
    };
    let x = scale.px_from_value(*at);
    if !(-1.0..=right + 1.0).contains(&x) || at.is_nan() {
        return;
    }
    marks.push(Mark::path(
        Ink::Text2,
        1.5,
        &[],
        vec![(x, TOP_PX - 4.0), (x, foot)],
    ));
    let label = Mark::text(
        Ink::Text2,
        SMALL_SIZE,
        Anchor::End,
        (x - 6.0, foot - 8.0),
        name,
    );
    marks.push(label.with_halo(Ink::Background));
}

fn cursor(
    lines: &LineChart,
    scale: &ParameterScale,
    (right, foot): (f64, f64),
    marks: &mut Vec<Mark>,
) {
    let Some(now) = lines.now else { return };
    let x = scale.px_from_value(now);
    // A value outside the sweep has no place on its axis.
    if !(-1.0..=right + 1.0).contains(&x) || now.is_nan() {
        return;
    }
    marks.push(Mark::path(
        Ink::Text3,
        1.0,
        &[3.0, 3.0],
        vec![(x, TOP_PX - 4.0), (x, foot)],
    ));
    let text = format!("now, {}", label(now));
    let fits = x + 6.0 + text_width(&text, SMALL_SIZE, false) <= right;
    let (at, anchor) = if fits {
        (x + 6.0, Anchor::Start)
    } else {
        (x - 6.0, Anchor::End)
    };
    let at = (at, TOP_PX + 6.0);
    let label = Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text);
    marks.push(label.with_halo(Ink::Background));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::MarkShape;
    use crate::tests::kit::{boxes, has, texts, words_apart};
    use crate::tests::sample;

    fn chart(lines: &LineChart) -> InteractiveChart<PointsDescriber> {
        layout_lines(lines, 480.0, 264.0)
    }

    #[test]
    fn axes_say_what_they_are() {
        let chart = chart(&sample::sweep());
        has(
            &chart.picture,
            &[
                "First answer, s",
                "Prompt tokens, log scale",
                "0",
                "12",
                "256",
                "8192",
                "now, 256",
                "Edgewise",
            ],
        );
    }

    #[test]
    fn no_text_runs_into_another() {
        for width in [480.0, 358.0, 300.0] {
            let chart = layout_lines(&sample::sweep(), width, 264.0);
            words_apart(&chart.picture, &format!("{width}"));
            for a in boxes(&chart.picture) {
                assert!(a.x >= 0.0 && a.right() <= width + 1.0, "{a:?}");
            }
        }
    }

    #[test]
    fn doublings_are_equally_spaced() {
        let chart = chart(&sample::sweep());
        let xs: Vec<f64> = chart
            .describer
            .all
            .iter()
            .take(6)
            .map(|hit| hit.at.0)
            .collect();
        for pair in xs.windows(3) {
            assert!((pair[1] - pair[0] - (pair[2] - pair[1])).abs() < 1e-9);
        }
        assert!(
            (chart
                .current_value
                .as_ref()
                .expect("a dial")
                .scale
                .value_from_px(xs[3])
                - 2048.0)
                .abs()
                < 1e-6
        );
    }

    #[test]
    fn few_labels_where_there_are_many_points() {
        let mut lines = sample::sweep();
        let points = (0..40).map(|k| {
            (
                libm::round(256.0 * libm::exp2(f64::from(k) / 8.0)),
                Some(1.0),
            )
        });
        lines.series.truncate(1);
        lines.series[0].points = points.collect();
        let chart = chart(&lines);
        has(&chart.picture, &["512", "4096"]);
        assert!(texts(&chart.picture).len() < 20);
    }

    #[test]
    fn a_narrow_span_is_straight_and_a_wide_one_round() {
        let of = |xs: &mut dyn Iterator<Item = f64>| {
            let mut lines = sample::sweep();
            lines.x_title = "Disk, MB/s".into();
            lines.now = None;
            lines.series.truncate(1);
            lines.series[0].points = xs.map(|x| (x, Some(1.0 + x))).collect();
            chart(&lines)
        };
        let narrow = of(&mut (0..256).map(|k| 2000.0 + 10.0 * f64::from(k)));
        has(&narrow.picture, &["Disk, MB/s", "3000"]);
        let wide = of(&mut (0..256).map(|k| 100.0 * libm::exp2(f64::from(k) / 32.0)));
        has(&wide.picture, &["Disk, MB/s, log scale", "1000", "10 000"]);
    }

    #[test]
    fn gains_may_be_losses() {
        let mut lines = sample::sweep();
        lines.y_unit = "%".into();
        lines.series[0].points[0].1 = Some(-8.0);
        let chart = chart(&lines);
        assert!(
            texts(&chart.picture)
                .iter()
                .any(|t| t.starts_with('\u{2212}'))
        );
        assert!(
            chart
                .describer
                .all
                .iter()
                .all(|hit| hit.at.1 <= 264.0 - FOOT_PX)
        );
    }

    #[test]
    fn empty_and_small_charts_are_drawn() {
        let empty = chart(&LineChart::default());
        has(&empty.picture, &["Nothing is computed yet."]);
        let mut one = sample::sweep();
        one.series.truncate(1);
        one.series[0].points.truncate(1);
        let chart = chart(&one);
        assert!(chart.describer.all[0].at.0.is_finite() && chart.describer.all[0].at.1.is_finite());
        let line = |mark: &Mark| {
            mark.ink == Ink::SeriesOurs && matches!(mark.shape, MarkShape::Line { .. })
        };
        assert!(!chart.picture.marks.iter().any(line));
    }
}
