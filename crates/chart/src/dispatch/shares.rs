//! Time to first token: which share of the requests is answered by when, a line per policy, and where each has answered 99 in
//! 100.

use super::flags::{self, Callout};
use crate::ink::Ink;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use crate::lines::{SeriesRole, marker_of, stroke_of};
use crate::mark::{Anchor, Mark, Rect, text_width};
use crate::paper::{LabelPlacer, RIGHT_PX, SMALL_SIZE, key_rows, painted, small, ticks_of};
use crate::scale::ValueScale;
use engine::units::InOrder;
use engine::units::{NARROW, percent, seconds};
use serde::{Deserialize, Serialize};

/// Shares of requests over time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Shares {
    /// Title.
    pub title: String,
    /// The policies; about six can be distinguished.
    pub curves: Vec<ShareCurve>,
}

/// The law of one policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShareCurve {
    /// Its name.
    pub name: String,
    /// How it looks.
    pub role: SeriesRole,
    /// Times [s], ascending, each with the share that is answered by then, from 0 to 1.
    pub steps: Vec<(f64, f64)>,
    /// When 99 in 100 are answered [s].
    pub p99_s: Option<f64>,
}

impl ShareCurve {
    /// The share answered by a time.
    fn by(&self, time_s: f64) -> f64 {
        let after = self.steps.partition_point(|step| step.0 <= time_s);
        let step = after.checked_sub(1).and_then(|at| self.steps.get(at));
        step.map_or(0.0, |step| step.1)
    }
}

/// The height of a P99 marker.
const MARKED_SHARE: f64 = 0.99;
/// Behind the last P99 so much of it is shown as well.
const BEHIND: f64 = 1.17;
/// From place to place along the axis at least [px].
const PLACE_PX: f64 = 5.0;
/// A marker is caught within this distance [px].
const CATCH_PX: f64 = 12.0;
/// Width of the caption above the axis of shares, with air [px].
const CAPTION_PX: f64 = 44.0;
/// Height of a line of the key above the plot [px].
const TOP_PX: f64 = 18.0;

/// Describes the marks: times, and the P99 of policies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SharesDescriber {
    shares: Shares,
    times: Vec<f64>,
}

impl MarkDescriber for SharesDescriber {
    /// Places are numbered: first the policies, then the times.
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let of = hit.of;
        let curves = &self.shares.curves;
        if let Some(curve) = curves.get(of) {
            let p99 = seconds(curve.p99_s?);
            let rows = vec![row("P99", p99)];
            return Some(MarkWords::of(curve.name.clone(), ", ", Small::None, rows));
        }
        let time = *self.times.get(of - curves.len())?;
        let title = format!("Answered within {}", seconds(time));
        let row = |curve: &ShareCurve| (curve.name.clone(), percent(100.0 * curve.by(time), 1));
        let rows = curves.iter().map(row).collect();
        Some(MarkWords::of(title, ": ", Small::None, rows))
    }
}

/// Where the axis of time ends [s]: behind the last P99, or the last time where no policy has one.
fn end_of(shares: &Shares) -> f64 {
    let is_time = |s: &f64| s.is_finite() && *s > 0.0;
    let marked = shares.curves.iter().filter_map(|curve| curve.p99_s);
    let marked = marked.filter(is_time).fold(0.0, f64::max);
    if marked > 0.0 {
        return BEHIND * marked;
    }
    let last = shares.curves.iter().flat_map(|curve| curve.steps.last());
    let last = last.map(|step| step.0).filter(is_time).fold(0.0, f64::max);
    if last > 0.0 { 1.02 * last } else { 1.0 }
}

/// Lays shares out on `width_px` by `height_px`.
///
/// # Complexity
/// O(n) in the steps; of those in one pixel's width the last is drawn.
#[must_use]
pub fn layout_shares(
    shares: &Shares,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, height_px);
    let end = end_of(shares);
    let figures = text_width(&percent(100.0, 0), SMALL_SIZE, false) + 9.0;
    let (left, right) = (figures, (paper.width - RIGHT_PX).max(figures + 20.0));
    let x = ValueScale::new((0.0, end), (left, right));
    let decimals = if end >= 0.5 { 2 } else { 3 };
    let marked: Vec<(usize, f64)> = {
        let of = |(n, curve): (usize, &ShareCurve)| Some((n, curve.p99_s?));
        let all = shares.curves.iter().enumerate().filter_map(of);
        let mut all: Vec<_> = all.filter(|(_, s)| s.is_finite() && *s >= 0.0).collect();
        all.in_order_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all
    };
    let mut flags: Vec<Callout> = marked
        .iter()
        .map(|(n, s)| {
            let curve = &shares.curves[*n];
            Callout {
                x: x.px_from_value(*s),
                foot: 0.0,
                text: format!("{} {s:.decimals$}", curve.name),
                ink: curve.role.look().0,
                strong: curve.role == SeriesRole::Ours,
                is_small: false,
            }
        })
        .collect();
    // Every policy is named: on stems if all have their P99 and the words find room, else in lines above.
    let lanes = flags::lanes(&flags, (0.0, paper.width - 1.0))
        .filter(|_| flags.len() == shares.curves.len())
        .filter(|lanes| lanes.height() < 0.45 * paper.height);
    paper.offer(small(Anchor::Start, (0.0, 10.0), "P99, s"));
    let top = match &lanes {
        Some(lanes) => {
            // Where words begin at the left edge, the caption has a line of its own.
            let caption = if lanes.from < CAPTION_PX { 14.0 } else { 0.0 };
            TOP_PX.max(lanes.height() + 12.0 + caption)
        }
        None => {
            let name = |curve: &ShareCurve| match curve.p99_s.filter(|s| s.is_finite()) {
                Some(s) => (curve.role, format!("{} {s:.decimals$}", curve.name)),
                None => (curve.role, curve.name.clone()),
            };
            let names: Vec<(SeriesRole, String)> = shares.curves.iter().map(name).collect();
            key_rows(&mut paper, &names, (0.0, TOP_PX - 4.0)) + 8.0
        }
    };
    let foot = paper.foot(top);
    let plot = Rect::new(left, top, right - left, foot - top);
    let y = ValueScale::new((0.0, 1.0), (foot, top));
    for quarter in 0..=4_u8 {
        let share = f64::from(quarter) / 4.0;
        let at = y.px_from_value(share);
        let ink = Ink::grid(share);
        paper.draw(Mark::line(ink, 1.0, (left, at), (right, at)));
        let text = format!("{:.0}{NARROW}%", 100.0 * share);
        paper.offer(small(Anchor::End, (left - 6.0, at + 4.0), text));
    }
    paper.parameter_axis(&ticks_of(&x, 34.0), &plot, "Seconds to first token");
    // Dotted ways down to the axis, under the lines.
    for flag in &mut flags {
        flag.foot = y.px_from_value(MARKED_SHARE);
        paper.draw(Mark::path(
            Ink::LineStrong,
            1.0,
            &[1.0, 3.0],
            vec![(flag.x, flag.foot), (flag.x, foot)],
        ));
    }
    let roles: Vec<SeriesRole> = shares.curves.iter().map(|curve| curve.role).collect();
    for n in painted(&roles) {
        let path = path(&shares.curves[n], (&x, &y), end);
        paper.draw(stroke_of(roles[n], path));
    }
    match &lanes {
        Some(lanes) => flags::draw(&mut paper, &flags, lanes, top - 5.0),
        // The words stand elsewhere, so that a short stem is enough to find the marker.
        None => {
            for flag in &flags {
                let (from, to) = ((flag.x, top - 6.0), (flag.x, flag.foot));
                paper.draw(Mark::line(Ink::HandOver, 1.0, from, to));
            }
        }
    }
    let mut markers = Vec::new();
    for ((n, _), flag) in marked.iter().zip(&flags).rev() {
        let at = (flag.x, flag.foot);
        paper.draw(marker_of(roles[*n], at));
        markers.push(HitTarget::round(at, 0, *n));
    }
    if shares.curves.iter().all(|curve| curve.steps.is_empty()) {
        let at = (left + 12.0, (top + foot) / 2.0);
        paper.offer(small(Anchor::Start, at, "No policy is computed yet."));
    }
    let times = times(&x, end, shares);
    let n = shares.curves.len();
    let ours = shares.curves.first();
    let spots = times.iter().enumerate().map(|(at, time)| {
        let share = ours.map_or(0.0, |curve| curve.by(*time));
        let place = (x.px_from_value(*time), y.px_from_value(share));
        HitTarget::round(place, 1, n + at)
    });
    let spots = spots.collect();
    let mut rows = RowHits::default();
    let high = y.px_from_value(MARKED_SHARE) + CATCH_PX;
    rows.row(
        Rect::new(0.0, 0.0, paper.width, high),
        HitTest::Near(CATCH_PX),
        markers,
    );
    rows.row(plot.grown(2.0), HitTest::Column(f64::INFINITY), spots);
    let names: Vec<&str> = shares
        .curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    let title = format!("{}: {}.", shares.title, names.join(", "));
    ChartLayout::spots(plot, rows).with_describer(
        paper.picture(title),
        SharesDescriber {
            shares: shares.clone(),
            times,
        },
    )
}

/// Times that can be pointed at: round ones, a few pixels apart.
fn times(x: &ValueScale, end: f64, shares: &Shares) -> Vec<f64> {
    if shares.curves.iter().all(|curve| curve.steps.is_empty()) {
        return Vec::new();
    }
    let px = (x.px_from_value(end) - x.px_from_value(0.0)) / end;
    let exponent = libm::floor(libm::log10(PLACE_PX / px));
    let power = libm::pow(10.0, libm::fabs(exponent));
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| {
        if exponent < 0.0 {
            step / power
        } else {
            step * power
        }
    });
    let step = steps.into_iter().find(|step| step * px >= PLACE_PX);
    let step = step.unwrap_or(end / 100.0);
    let count = libm::floor(end / step).clamp(0.0, 2000.0) as usize;
    (0..=count).map(|k| k as f64 * step).collect()
}

/// The steps of a law, of those in one pixel's width the last.
fn path(curve: &ShareCurve, (x, y): (&ValueScale, &ValueScale), end: f64) -> Vec<(f64, f64)> {
    let mut path = vec![(x.px_from_value(0.0), y.px_from_value(0.0))];
    let mut last = path[0];
    let mut steps = curve
        .steps
        .iter()
        .filter(|(s, share)| s.is_finite() && share.is_finite())
        .take_while(|(s, _)| *s <= end)
        .map(|(s, share)| {
            (
                x.px_from_value(s.max(0.0)),
                y.px_from_value(share.clamp(0.0, 1.0)),
            )
        })
        .peekable();
    while let Some(at) = steps.next() {
        let same_pixel =
            |next: &(f64, f64)| libm::floor(next.0) == libm::floor(at.0) && next.1 != at.1;
        if steps.peek().is_some_and(same_pixel) {
            continue;
        }
        if at.1 != last.1 {
            path.extend([(at.0, last.1), at]);
            last = at;
        }
    }
    path.push((x.px_from_value(end), last.1));
    path
}
