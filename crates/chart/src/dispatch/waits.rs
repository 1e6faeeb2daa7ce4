//! How long the device waits, by the length of the prompt: steps over a histogram of prompts, with a band for "never".
//!
//! Where the server is the scarce side there is nothing to wait for: the same picture then has two heights, not asked and
//! asked at once.

use crate::ink::Ink;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, row,
};
use crate::lines::{SeriesRole, apart, marker_of, stroke_of};
use crate::mark::{Anchor, Mark, Rect, fit};
use crate::paper::{
    LabelPlacer, PlotArea, RIGHT_PX, SAMPLE_AIR_PX, SAMPLE_PX, SMALL_SIZE, name_px, named, painted,
    small, ticks_of,
};
use crate::scale::ValueScale;
use engine::units::InOrder;
use engine::units::{NARROW, count, percent, seconds};
use serde::{Deserialize, Serialize};

/// The scarce side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ScarceSide {
    /// The device: it starts after a wait, at once or never.
    #[default]
    Device,
    /// The server: it is asked at once or not.
    Server,
}

/// Waits by prompt length.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WaitsChart {
    /// Title.
    pub title: String,
    /// The side that waits.
    pub waiting: ScarceSide,
    /// Prompt lengths [tokens] and their weights, in any order.
    pub prompts: Vec<(f64, f64)>,
    /// The policies.
    pub curves: Vec<WaitCurve>,
}

/// The waits of one policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitCurve {
    /// Its name.
    pub name: String,
    /// How it looks.
    pub role: SeriesRole,
    /// Its waits, lengths ascending; each holds until the next length.
    pub points: Vec<WaitPoint>,
}

/// The wait at one length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WaitPoint {
    /// Prompt length [tokens].
    pub length: f64,
    /// How long the device waits [s], `None` for ever; where the server is scarce 0 is asked at once and `None` not asked.
    pub wait_s: Option<f64>,
    /// The second wait and its probability, 0 to 1, at a length where the policy randomises.
    pub other: Option<(Option<f64>, f64)>,
}

impl WaitCurve {
    /// Returns the point that applies at a length.
    fn at(&self, length: f64) -> Option<&WaitPoint> {
        let after = self.points.partition_point(|point| point.length <= length);
        self.points.get(after.checked_sub(1)?)
    }
}

/// The part of all prompts that is shown at least.
const SHOWN_SHARE: f64 = 0.99;
/// The highest bar of the histogram takes this part of the plot.
const BARS_SHARE: f64 = 0.62;
/// Above the plot without and with a band [px], and the band.
const TOP_PX: f64 = 20.0;
const BAND_PX: (f64, f64) = (18.0, 34.0);
const TOP_WITH_BAND_PX: f64 = 46.0;
/// Slimmer bars of the histogram are put together [px].
const BAR_PX: f64 = 3.0;
/// From name to name [px].
const NAME_PX: f64 = 16.0;

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WaitsDescriber {
    waits: WaitsChart,
    /// Lengths that can be pointed at, with their shares.
    lengths: Vec<(f64, f64)>,
}

/// A wait in text.
fn wait_words(wait: Option<f64>, waiting: ScarceSide) -> String {
    match (waiting, wait) {
        (ScarceSide::Device, None) => "never".into(),
        (ScarceSide::Device, Some(s)) if s <= 0.0 => "at once".into(),
        (ScarceSide::Device, Some(s)) => format!("after {}", seconds(s)),
        (ScarceSide::Server, None) => "not asked".into(),
        (ScarceSide::Server, Some(_)) => "asked at once".into(),
    }
}

impl MarkDescriber for WaitsDescriber {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let (length, share) = *self.lengths.get(hit.of)?;
        let title = format!("Prompt of {} tokens", count(length));
        let mut rows = Vec::new();
        for curve in &self.waits.curves {
            let Some(point) = curve.at(length) else {
                continue;
            };
            let wait_text = |wait| wait_words(wait, self.waits.waiting);
            let words = match point.other {
                Some((other, p)) if p > 0.0 && p < 1.0 => {
                    let part = |p: f64| percent(100.0 * p, 0);
                    format!(
                        "{} ({}), {} ({})",
                        wait_text(point.wait_s),
                        part(1.0 - p),
                        wait_text(other),
                        part(p)
                    )
                }
                Some((other, p)) if p >= 1.0 => wait_text(other),
                _ => wait_text(point.wait_s),
            };
            rows.push((curve.name.clone(), words));
        }
        rows.push(row("Share of prompts", percent(100.0 * share, 1)));
        let all: Vec<String> = rows.iter().map(|(a, b)| format!("{a}: {b}")).collect();
        Some(MarkWords {
            aria_label: format!("{title}. {}", all.join(", ")),
            title,
            rows,
            notes: Vec::new(),
        })
    }
}

/// Prompts with shares that add up to one, lengths ascending; and every length at which a policy changes.
fn lengths_of(waits: &WaitsChart) -> Vec<(f64, f64)> {
    let is_length = |length: f64| length.is_finite() && length >= 0.0;
    let mut all: Vec<(f64, f64)> = waits
        .prompts
        .iter()
        .filter(|(length, weight)| is_length(*length) && *weight > 0.0 && weight.is_finite())
        .copied()
        .collect();
    let sum: f64 = all.iter().map(|one| one.1).sum();
    for one in &mut all {
        one.1 /= sum;
    }
    let points = waits.curves.iter().flat_map(|curve| &curve.points);
    all.extend(
        points
            .filter(|p| is_length(p.length))
            .map(|p| (p.length, 0.0)),
    );
    all.in_order_by(|a, b| a.0.total_cmp(&b.0));
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    all
}

/// Where the axis of lengths ends: at the length that most prompts do not pass, or behind the last change of a policy.
fn end_of(waits: &WaitsChart, lengths: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    let usual = lengths.iter().find(|(_, share)| {
        sum += share;
        sum >= SHOWN_SHARE
    });
    let longest = lengths.last().map_or(1.0, |last| last.0);
    let usual = usual.map_or(longest, |one| one.0);
    let key = |p: &WaitPoint| (p.wait_s.map(f64::to_bits), p.other.is_some());
    let last_change = waits.curves.iter().filter_map(|curve| {
        let pairs = curve.points.windows(2).rev();
        let changed = pairs
            .into_iter()
            .find(|pair| key(&pair[0]) != key(&pair[1]));
        changed.map(|pair| pair[1].length)
    });
    // A little behind a change, so that it is seen what comes after it.
    let last_change = last_change.fold(0.0, f64::max) * 1.12 + 1.0;
    usual.max(last_change).min(longest + 1.0).max(2.0)
}

/// The measures of one chart.
struct Frame {
    plot: Rect,
    x: ValueScale,
    y: ValueScale,
    /// The height of "never" [px].
    never: f64,
    end: f64,
}

impl Frame {
    fn y_of(&self, wait: Option<f64>, waiting: ScarceSide) -> f64 {
        match (waiting, wait) {
            (_, None) => self.never,
            (ScarceSide::Server, Some(_)) => self.plot.bottom(),
            (ScarceSide::Device, Some(s)) => self.y.px_from_value(s.max(0.0)),
        }
    }

    /// The steps of a curve [px], each with the length it is for.
    fn steps(&self, curve: &WaitCurve, waiting: ScarceSide) -> Vec<(f64, f64)> {
        let points: Vec<&WaitPoint> = curve
            .points
            .iter()
            .filter(|p| p.length <= self.end)
            .collect();
        let mut path: Vec<(f64, f64)> = Vec::new();
        for (at, point) in points.iter().enumerate() {
            let edge = match at.checked_sub(1).and_then(|before| points.get(before)) {
                Some(before) => (before.length + point.length) / 2.0,
                None => (point.length - 0.5).max(0.0),
            };
            let (x, y) = (
                self.x.px_from_value(edge.min(self.end)),
                self.y_of(point.wait_s, waiting),
            );
            match path.last().copied() {
                Some((_, before)) if before == y => {}
                Some((_, before)) => path.extend([(x, before), (x, y)]),
                None => path.push((x, y)),
            }
        }
        if let Some((_, y)) = path.last().copied() {
            path.push((self.plot.right(), y));
        }
        path
    }
}

/// Lays waits out on `width_px` by `height_px`.
///
/// # Complexity
/// O(n log n) in the lengths.
#[must_use]
pub fn layout_waits(
    waits: &WaitsChart,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, height_px);
    let lengths = lengths_of(waits);
    let end = end_of(waits, &lengths);
    let is_server = waits.waiting == ScarceSide::Server;
    let seen = || {
        let all = waits.curves.iter().flat_map(|curve| &curve.points);
        all.filter(|point| point.length <= end)
    };
    let all_waits = seen().flat_map(|p| [Some(p.wait_s), p.other.map(|other| other.0)]);
    let all_waits: Vec<Option<f64>> = all_waits.flatten().collect();
    let has_never = is_server || all_waits.contains(&None);
    let most = all_waits.iter().flatten().copied();
    let most = most.filter(|s| s.is_finite()).fold(0.0, f64::max);
    let top = if has_never { TOP_WITH_BAND_PX } else { TOP_PX };
    let foot = paper.foot(top);
    // A server starts at once or not: its axis has no figures.
    let (most, words): (f64, &[&str]) = match (is_server, has_never) {
        (true, _) => (0.0, &["at once", "not"]),
        (false, true) => (most, &["never"]),
        (false, false) => (most, &[]),
    };
    let ends = (PlotArea::up_to(most, 1.06), 28.0);
    let ground = PlotArea::new(paper.width, (top, foot), ends, words, RIGHT_PX);
    let plot = ground.plot;
    let frame = Frame {
        x: ValueScale::new((0.0, end), (plot.x, plot.right())),
        y: ground.y,
        never: if has_never {
            (BAND_PX.0 + BAND_PX.1) / 2.0
        } else {
            top
        },
        end,
        plot,
    };
    axes(&mut paper, waits, &frame, (has_never, &ground));
    bars(&mut paper, &lengths, &frame);
    let roles: Vec<SeriesRole> = waits.curves.iter().map(|curve| curve.role).collect();
    for n in painted(&roles) {
        curve(&mut paper, &waits.curves[n], waits.waiting, &frame);
    }
    names(&mut paper, waits, &frame);
    lots(&mut paper, waits, &frame);
    caption(&mut paper, (waits, &lengths), &frame);
    if waits.curves.iter().all(|curve| curve.points.is_empty()) {
        let at = (plot.x + 12.0, plot.y + plot.h / 2.0);
        paper.offer(small(Anchor::Start, at, "No policy is computed yet."));
    }
    let spots = lengths
        .iter()
        .enumerate()
        .filter(|(_, (length, _))| *length <= end);
    let first = waits.curves.first();
    let spot = |(at, (length, _)): (usize, &(f64, f64))| {
        let wait = first.and_then(|curve| curve.at(*length));
        let y = wait.map_or(foot, |point| frame.y_of(point.wait_s, waits.waiting));
        HitTarget::round((frame.x.px_from_value(*length), y), 0, at)
    };
    let mut rows = RowHits::default();
    let band = Rect::new(plot.x, 0.0, plot.w, foot);
    rows.row(
        band,
        HitTest::Column(f64::INFINITY),
        spots.map(spot).collect(),
    );
    let names: Vec<&str> = waits
        .curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    let title = format!("{}: {}.", waits.title, names.join(", "));
    ChartLayout::spots(
        Rect::new(
            plot.x,
            BAND_PX.0.min(plot.y),
            plot.w,
            foot - BAND_PX.0.min(plot.y),
        ),
        rows,
    )
    .with_describer(
        paper.picture(title),
        WaitsDescriber {
            waits: waits.clone(),
            lengths,
        },
    )
}

fn axes(
    paper: &mut LabelPlacer,
    waits: &WaitsChart,
    frame: &Frame,
    (has_never, ground): (bool, &PlotArea),
) {
    let plot = &frame.plot;
    if has_never {
        let band = Rect::new(plot.x, BAND_PX.0, plot.w, BAND_PX.1 - BAND_PX.0);
        paper.draw(Mark::fill(Ink::Band, band));
    }
    let at_band = (plot.x - 7.0, frame.never + 4.0);
    if waits.waiting == ScarceSide::Server {
        paper.offer(small(Anchor::Start, (0.0, 10.0), "Server asked"));
        paper.offer(small(Anchor::End, at_band, "not"));
        let foot = plot.bottom();
        paper.draw(Mark::line(
            Ink::LineStrong,
            1.0,
            (plot.x, foot),
            (plot.right(), foot),
        ));
        paper.offer(small(Anchor::End, (plot.x - 7.0, foot + 4.0), "at once"));
    } else {
        paper.offer(small(Anchor::Start, (0.0, 10.0), "Wait, s"));
        if has_never {
            paper.offer(small(Anchor::End, at_band, "never"));
        }
        paper.value_axis(ground);
    }
    let ticks = ticks_of(&frame.x, 36.0);
    paper.parameter_axis(&ticks, plot, "Prompt tokens");
}

/// The histogram of prompts, on the ground of everything.
fn bars(paper: &mut LabelPlacer, lengths: &[(f64, f64)], frame: &Frame) {
    let px = frame.plot.w / frame.end;
    let run = libm::ceil(BAR_PX / px).max(1.0);
    // Whole lengths are in the middle of their bar.
    let bin = |length: f64| libm::floor((length + 0.5) / run);
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (length, share) in lengths.iter().filter(|(length, _)| *length <= frame.end) {
        match found.last_mut() {
            Some(last) if last.0 == bin(*length) => last.1 += share,
            _ => found.push((bin(*length), *share)),
        }
    }
    let most = found.iter().map(|one| one.1).fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    let (left, right) = (frame.plot.x, frame.plot.right());
    let bars = found.into_iter().filter(|(_, share)| *share > 0.0);
    for (bin, share) in bars {
        let from = frame.x.px_from_value(bin * run - 0.5).max(left);
        let to = frame.x.px_from_value((bin + 1.0) * run - 0.5).min(right);
        let air = 0.08 * (to - from);
        let high = frame.plot.h * BARS_SHARE * share / most;
        let w = (to - from - 2.0 * air).max(1.0);
        let x = (from + air).min(right - w);
        let rect = Rect::new(x, frame.plot.bottom() - high, w, high);
        paper.draw(Mark::fill(Ink::MeterTrack, rect));
    }
}

fn curve(paper: &mut LabelPlacer, curve: &WaitCurve, waiting: ScarceSide, frame: &Frame) {
    let path = frame.steps(curve, waiting);
    if path.len() > 1 {
        paper.draw(stroke_of(curve.role, path));
    }
    // A length that is drawn by lot has two heights, and a dotted way between them.
    for point in curve
        .points
        .iter()
        .filter(|point| point.length <= frame.end)
    {
        let Some((other, p)) = point.other else {
            continue;
        };
        if p > 0.0 {
            let x = frame.x.px_from_value(point.length);
            let (a, b) = (
                frame.y_of(point.wait_s, waiting),
                frame.y_of(other, waiting),
            );
            let (ink, ..) = curve.role.look();
            paper.draw(Mark::path(
                ink,
                1.0,
                &[1.5, 2.5],
                vec![(x, a.min(b)), (x, a.max(b))],
            ));
            paper.draw(marker_of(curve.role, (x, b)));
        }
    }
}

/// Names at the right ends of their lines, moved apart, each after a sample of its line.
fn names(paper: &mut LabelPlacer, waits: &WaitsChart, frame: &Frame) {
    let plot = &frame.plot;
    let mut ends: Vec<(usize, f64, String)> = Vec::new();
    for (n, curve) in waits.curves.iter().enumerate() {
        let Some(last) = curve.points.iter().rfind(|point| point.length <= frame.end) else {
            continue;
        };
        let y = frame.y_of(last.wait_s, waits.waiting);
        // Above the line; under the band of "never", which is at the upper edge.
        let base = if last.wait_s.is_none() {
            y + 24.0
        } else {
            y - 6.0
        };
        let words = match (waits.waiting, last.wait_s) {
            (ScarceSide::Device, Some(s)) if s > 0.0 => {
                format!("{}, {s:.2}{NARROW}s", curve.name)
            }
            _ => curve.name.clone(),
        };
        ends.push((n, base, words));
    }
    ends.in_order_by(|a, b| a.1.total_cmp(&b.1));
    let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
    let highest = BAND_PX.1.min(plot.y) + 12.0;
    let placed = apart(&wanted, NAME_PX, (highest, plot.bottom() - 5.0));
    for ((n, _, words), base) in ends.into_iter().zip(placed) {
        let role = waits.curves[n].role;
        let words = fit(&words, 0.6 * plot.w, crate::paper::TEXT_SIZE);
        let wide = name_px(role, &words);
        let at = plot.right() - wide - SAMPLE_AIR_PX - SAMPLE_PX;
        if paper.offer(named(role, Anchor::End, (plot.right(), base), &words)) {
            let ground = Rect::new(at - 2.0, base - 9.0, SAMPLE_PX + 3.0, 10.0);
            paper.draw(Mark::fill(Ink::Background, ground));
            paper.reserve(ground);
            paper.draw(stroke_of(
                role,
                vec![(at, base - 4.0), (at + SAMPLE_PX, base - 4.0)],
            ));
        }
    }
}

/// Draws the probability at a length where the policy randomises, beside the line between both waits.
fn lots(paper: &mut LabelPlacer, waits: &WaitsChart, frame: &Frame) {
    if waits.waiting == ScarceSide::Device {
        return;
    }
    for curve in &waits.curves {
        for point in curve
            .points
            .iter()
            .filter(|point| point.length <= frame.end)
        {
            let Some((other, p)) = point.other.filter(|(_, p)| *p > 0.0 && *p < 1.0) else {
                continue;
            };
            let asked = if other.is_some() { p } else { 1.0 - p };
            let words = format!(
                "{} at {} tokens",
                percent(100.0 * asked, 0),
                count(point.length)
            );
            let x = frame.x.px_from_value(point.length);
            let y = frame.plot.y + 0.4 * frame.plot.h;
            let places = [(Anchor::End, -7.0), (Anchor::Start, 7.0)].into_iter();
            let places = places
                .flat_map(|(anchor, dx)| [0.0, 18.0, 36.0].map(|dy| (anchor, (x + dx, y + dy))));
            paper.offer_one(places.map(|(anchor, at)| {
                Mark::text(curve.role.look().0, SMALL_SIZE, anchor, at, &*words)
                    .with_halo(Ink::Background)
            }));
        }
    }
}

/// Labels the bars, above their right slope, where there is space.
fn caption(paper: &mut LabelPlacer, (waits, lengths): (&WaitsChart, &[(f64, f64)]), frame: &Frame) {
    if !lengths.iter().any(|(_, share)| *share > 0.0) {
        return;
    }
    // Not over the upright parts of lines, which it would cut.
    for curve in &waits.curves {
        for pair in frame.steps(curve, waits.waiting).windows(2) {
            let ((x, a), (_, b)) = (pair[0], pair[1]);
            if x == pair[1].0 {
                paper.reserve(Rect::new(x - 1.0, a.min(b), 2.0, (a - b).abs()));
            }
        }
    }
    let foot = frame.plot.bottom();
    let places = [
        (0.26, 0.40),
        (0.34, 0.30),
        (0.45, 0.22),
        (0.55, 0.16),
        (0.05, 0.70),
    ];
    paper.offer_one(places.map(|(right, up)| {
        let at = (
            frame.plot.x + right * frame.plot.w,
            foot - up * frame.plot.h,
        );
        small(Anchor::Start, at, "prompts by length").with_halo(Ink::Background)
    }));
}
