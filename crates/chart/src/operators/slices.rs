//! Slices of operators: for each step a column with each device's share in its shade, and below it the time of the step,
//! receiving and computing.

use super::{
    NAME_CHARS, PHONE_PX, column, nothing_yet, over_steps, seen_steps, short, steps_axis,
    steps_scale,
};
use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use crate::legend::{self, entries};
use crate::mark::{Anchor, Mark, MarkForm, Picture, Rect, text_width};
use crate::paper::{FOOT_PX, LabelPlacer, PlotArea, RIGHT_PX, SMALL_SIZE, small};
use crate::scale::ValueScale;
use engine::units::{BinaryUnit, NARROW, count};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Operators cut over devices. Those that draw it again with another step share its steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SlicePicture {
    /// Names of the devices.
    pub devices: Arc<Vec<String>>,
    /// How much each may hold [bytes], where that is limited.
    pub limits: Arc<Vec<Option<f64>>>,
    /// The operators in their order.
    pub steps: Arc<Vec<SliceStep>>,
    /// The chosen step, from 0.
    pub step: Option<usize>,
    /// The steps that are seen, counted from 0; all of them where it is `None`.
    pub view: Option<TimeView>,
}

/// One operator cut over the devices.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SliceStep {
    /// Name of the operator.
    pub name: String,
    /// Along what it is cut, as files say it: `cout`.
    pub dim: String,
    /// Dimension of the split: `rows`, `channels`, `entries`.
    pub unit: String,
    /// True for channels, where every device needs the whole input.
    pub by_channels: bool,
    /// Where it is cut: one mark more than there are devices, from 0 to its length.
    pub marks: Vec<u32>,
    /// How much of its time the slowest device receives [ms].
    pub comm_ms: f64,
    /// How much of it that device computes [ms].
    pub compute_ms: f64,
    /// Bytes sent for it.
    pub sent_b: f64,
    /// Work of each device.
    pub device_parts: Vec<SlicePart>,
}

/// Work of one device for one operator.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SlicePart {
    /// Bytes received.
    pub received: f64,
    /// How long that takes [ms].
    pub comm_ms: f64,
    /// How long it computes [ms].
    pub compute_ms: f64,
    /// Memory held meanwhile [bytes].
    pub memory_b: f64,
}

/// Height of the shares [px].
const SHARES_PX: f64 = 88.0;
/// Height of the times [px].
const TIMES_PX: f64 = 70.0;
/// Above a plot: its caption [px].
const TOP_PX: f64 = 22.0;
/// Under the shares: the marks of what is cut by channels [px].
const CHANNELS_PX: f64 = 14.0;
/// Wider columns are apart, and have edges [px].
const EDGED_PX: f64 = 6.0;
/// Narrower steps are put together to columns of this width [px].
const LEAST_PX: f64 = 1.0;

/// Describes the marks, one for each step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SlicesDescriber {
    picture: SlicePicture,
}

impl SliceStep {
    /// The share of a device.
    fn share(&self, device: usize) -> f64 {
        let length = self.marks.last().copied().unwrap_or_default();
        match self.marks.get(device..=device + 1) {
            Some([from, to]) if length > 0 => f64::from(to - from) / f64::from(length),
            _ => 0.0,
        }
    }

    fn ms(&self) -> f64 {
        self.comm_ms + self.compute_ms
    }
}

/// `0.62 ms`.
fn millis(ms: f64) -> String {
    let decimals = if ms >= 100.0 { 1 } else { 3 };
    format!("{ms:.decimals$}{NARROW}ms")
}

impl MarkDescriber for SlicesDescriber {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let at = hit.of;
        let step = self.picture.steps.get(at)?;
        let title = format!("Step {}, {}", count(at as f64 + 1.0), step.name);
        let length = step.marks.last().copied().unwrap_or_default();
        let cut = format!("{} {}", count(f64::from(length)), step.unit);
        let mut rows = vec![row("Cut into", cut)];
        let parts = step.marks.windows(2).zip(self.picture.devices.iter());
        for (ends, name) in parts {
            let held = match (ends[0], ends[1]) {
                (from, to) if from == to => "nothing".to_owned(),
                (from, to) => format!("{from} to {} ({})", to - 1, to - from),
            };
            rows.push(row(name, held));
        }
        let sent = BinaryUnit::of_largest(step.sent_b).format(step.sent_b);
        rows.push(row("Sent", sent));
        rows.push(row("Receiving", millis(step.comm_ms)));
        rows.push(row("Computing", millis(step.compute_ms)));
        Some(MarkWords::of(title, ": ", Small::None, rows))
    }
}

/// The shade of a device with its edge.
fn shade(device: usize, rect: Rect, is_edged: bool) -> Mark {
    if is_edged {
        Mark::bar(Ink::device(device), Ink::DevEdge, rect)
    } else {
        Mark::fill(Ink::device(device), rect)
    }
}

/// Steps that are drawn as one column: the first, and the first that is not.
type Column = (usize, usize);

/// Lays it out on `width_px`; the height follows.
///
/// # Complexity
/// O(steps × devices).
#[must_use]
pub fn layout_slices(
    picture: &SlicePicture,
    width_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let height = TOP_PX + SHARES_PX + CHANNELS_PX + TOP_PX + TIMES_PX + FOOT_PX;
    let mut paper = LabelPlacer::new(width_px, height);
    let steps = &*picture.steps;
    let most = steps.iter().map(SliceStep::ms).fold(0.0, f64::max);
    let top = TOP_PX + SHARES_PX + CHANNELS_PX + TOP_PX;
    let foot = top + TIMES_PX;
    let sums = [
        format!("{:.1}{NARROW}ms", sum(steps, |step| step.comm_ms)),
        "receiving".to_owned(),
        format!("{:.1}{NARROW}ms", sum(steps, |step| step.compute_ms)),
        "computing".to_owned(),
    ];
    let beside = (paper.width >= PHONE_PX && !steps.is_empty()).then(|| {
        let wide = sums.iter().map(|text| text_width(text, SMALL_SIZE, false));
        wide.fold(0.0, f64::max) + 12.0
    });
    let ends = (PlotArea::up_to(most, 1.08), 26.0);
    let free = beside.unwrap_or(RIGHT_PX);
    let ground = PlotArea::new(paper.width, (top, foot), ends, &[], free);
    let (times, y) = (ground.plot, ground.y);
    let (left, right) = (times.x, times.right());
    let shares = Rect::new(left, TOP_PX, times.w, SHARES_PX);
    let x = steps_scale(steps.len(), picture.view, (left, right));
    let step_px = x.px_from_value(1.0) - x.px_from_value(0.0);
    let seen = seen_steps(&x, &shares, steps.len());
    let together = if step_px < LEAST_PX {
        libm::ceil(LEAST_PX / step_px) as usize
    } else {
        1
    };
    let columns: Vec<Column> = seen
        .clone()
        .step_by(together)
        .map(|from| (from, (from + together).min(seen.end)))
        .collect();
    let more = if together > 1 {
        format!(", {together} steps per column")
    } else {
        String::new()
    };
    let caption = |y: f64, text: String| small(Anchor::Start, (0.0, y), text);
    paper.offer(caption(
        TOP_PX - 9.0,
        format!("Share of the operator{more}"),
    ));
    paper.offer(caption(top - 9.0, format!("Time, ms{more}")));
    for (share, text) in [(0.0, "0"), (1.0, "1")] {
        let at = (left - 7.0, shares.bottom() - share * SHARES_PX + 4.0);
        paper.offer(small(Anchor::End, at, text));
    }
    if let Some(at) = picture.step.filter(|at| *at < steps.len()) {
        for plot in [&shares, &times] {
            if let Some(column) = column(&x, at, 4.0, plot) {
                paper.draw(Mark::fill(Ink::AccentSoft, column));
            }
        }
    }
    paper.value_axis(&ground);
    let is_edged = step_px >= EDGED_PX;
    let gap = if is_edged { 1.0 } else { 0.0 };
    for (from, to) in &columns {
        let px = (
            x.px_from_value(*from as f64).max(left) + gap / 2.0,
            x.px_from_value(*to as f64).min(right) - gap / 2.0,
        );
        let own = &steps[*from..*to];
        share_column(&mut paper, own, &picture.devices, (&shares, px), is_edged);
        time_column(&mut paper, own, &y, px, is_edged);
    }
    if steps.is_empty() {
        nothing_yet(&mut paper, &shares, "Nothing is cut yet.");
    } else {
        paper.draw(Mark::frame(Ink::DevEdge, &[], shares));
        steps_axis(&mut paper, &x, (steps.len(), 1), &times, "Step");
    }
    if let Some(at) = picture.step.filter(|at| *at < steps.len()) {
        for plot in [&shares, &times] {
            if let Some(rect) = column(&x, at, 4.0, plot).map(|column| column.grown(1.0)) {
                paper.draw(Mark::frame(Ink::Accent, &[], rect));
            }
        }
    }
    if beside.is_some() {
        for (at, text) in sums.into_iter().enumerate() {
            let base = top + 12.0 + 15.0 * at as f64;
            paper.offer(small(Anchor::Start, (right + 8.0, base), text));
        }
    }
    let spot = |at: usize| {
        let middle = x.px_from_value(at as f64 + 0.5);
        HitTarget {
            pick: Some(at as f64),
            ..HitTarget::round((middle, y.px_from_value(steps[at].ms())), 0, at)
        }
    };
    let mut rows = RowHits::default();
    rows.row(
        Rect::new(left, 0.0, right - left, foot + 18.0),
        HitTest::Column(f64::INFINITY),
        seen.map(spot).collect(),
    );
    let laid = ChartLayout::spots(Rect::new(left, TOP_PX, right - left, foot - TOP_PX), rows);
    over_steps(laid, x, &times).with_describer(
        paper.picture(describe(picture)),
        SlicesDescriber {
            picture: picture.clone(),
        },
    )
}

fn sum(steps: &[SliceStep], of: fn(&SliceStep) -> f64) -> f64 {
    steps.iter().map(of).sum()
}

/// The shares of a column, their mean where it is several steps, and a mark under it if one of them is cut by channels.
fn share_column(
    paper: &mut LabelPlacer,
    own: &[SliceStep],
    devices: &[String],
    (plot, px): (&Rect, (f64, f64)),
    is_edged: bool,
) {
    let mut high = 0.0;
    for device in 0..devices.len() {
        let share = sum_of(own, |step| step.share(device)) / own.len() as f64;
        let (from, to) = (plot.y + high * plot.h, plot.y + (high + share) * plot.h);
        high += share;
        if to > from {
            let rect = Rect::new(px.0, from, px.1 - px.0, to - from);
            paper.draw(shade(device, rect, is_edged && to - from > 2.0));
        }
    }
    if own.iter().any(|step| step.by_channels) {
        let at = (
            f64::midpoint(px.0, px.1),
            plot.bottom() + CHANNELS_PX / 2.0 + 1.0,
        );
        let form = MarkForm::Triangle;
        paper.draw(Mark::point(Ink::Text2, form, at));
    }
}

fn sum_of(steps: &[SliceStep], of: impl Fn(&SliceStep) -> f64) -> f64 {
    steps.iter().map(of).sum()
}

/// The time of a column, of the longest where it is several steps.
fn time_column(
    paper: &mut LabelPlacer,
    own: &[SliceStep],
    y: &ValueScale,
    (from, to): (f64, f64),
    is_edged: bool,
) {
    let longest = own.iter().max_by(|a, b| a.ms().total_cmp(&b.ms()));
    let Some(step) = longest else { return };
    let (foot, middle, top) = (
        y.px_from_value(0.0),
        y.px_from_value(step.compute_ms),
        y.px_from_value(step.ms()),
    );
    let mut part = |(above, below): (f64, f64), fill: Ink, edge: Ink| {
        if below > above {
            let rect = Rect::new(from, above, to - from, below - above);
            paper.draw(if is_edged && below - above > 2.0 {
                Mark::bar(fill, edge, rect)
            } else {
                Mark::fill(fill, rect)
            });
        }
    };
    part((middle, foot), Ink::ComputeFill, Ink::ComputeEdge);
    part((top, middle), Ink::TransferFill, Ink::TransferEdge);
}

/// The picture in one sentence.
fn describe(picture: &SlicePicture) -> String {
    let steps = &*picture.steps;
    let by_channels = steps.iter().filter(|step| step.by_channels).count();
    format!(
        "{} operators cut over {}: {} together, {} of it receiving; {} cut by channels.",
        count(steps.len() as f64),
        picture.devices.join(", "),
        millis(sum(steps, SliceStep::ms)),
        millis(sum(steps, |step| step.comm_ms)),
        count(by_channels as f64),
    )
}

/// The shades of the devices and of the times.
#[must_use]
pub fn slices_legend(devices: &[String], width_px: f64) -> Picture {
    let swatch = Rect::new(0.0, 0.0, legend::W, legend::H);
    let shades = devices.iter().enumerate().map(|(device, name)| {
        let name = short(name, NAME_CHARS);
        (vec![shade(device, swatch, true)], name)
    });
    let bar = |fill, edge, words: &str| (vec![Mark::bar(fill, edge, swatch)], words.to_owned());
    let at = (legend::W / 2.0, legend::H / 2.0);
    let form = MarkForm::Triangle;
    let channels = vec![Mark::point(Ink::Text2, form, at)];
    let others = [
        bar(Ink::TransferFill, Ink::TransferEdge, "Receiving"),
        bar(Ink::ComputeFill, Ink::ComputeEdge, "Computing"),
        (channels, "Cut by channels".to_owned()),
    ];
    entries(shades.chain(others), width_px)
}
