//! Samples in bins of equal factors, with the log-normal law that was fitted to them over it and quantiles marked; or, where
//! they spread little, in bins of equal width.
//!
//! A bar's height is the share of the samples for each doubling, so that bars of different widths compare and the law is
//! the same scale: its density over log2 of the value.

use super::flags::{self, Callout};
use crate::ink::Ink;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use crate::lines::{SeriesRole, stroke_of};
use crate::mark::{Anchor, Mark, Rect, text_width};
use crate::paper::{LabelPlacer, PlotArea, RIGHT_PX, SMALL_SIZE, small};
use crate::scale::{LogScale, ValueScale};
use engine::sim::law::normal_cdf;
use engine::units::InOrder;
use engine::units::{NARROW, count, percent};
use serde::{Deserialize, Serialize};

/// Samples and the law fitted to them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SpreadChart {
    /// Title.
    pub title: String,
    /// Title of the axis: `Time to first token, s`.
    pub x_title: String,
    /// Unit of a value in text: `s`, `tokens`.
    pub unit: String,
    /// Decimals of a value in text.
    pub decimals: usize,
    /// True if values are whole numbers, so that no bar is narrower than one.
    pub is_whole: bool,
    /// True for a linear axis on which a bar's height is its share of the samples: for values of one magnitude. No distribution
    /// is drawn then.
    pub is_even: bool,
    /// Values above 0 with their weights, in any order.
    pub samples: Vec<(f64, f64)>,
    /// The fitted law: mean and standard deviation of the logarithm.
    pub fit: Option<(f64, f64)>,
    /// Quantiles to be marked: `median`, `P99`.
    pub quantiles: Vec<(String, f64)>,
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bin {
    from: f64,
    to: f64,
    share: f64,
}

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpreadDescriber {
    spread: SpreadChart,
    bins: Vec<Bin>,
}

/// The least and the most bars.
const BARS: (f64, f64) = (8.0, 40.0);
/// Slimmest bar with its air [px].
const BAR_PX: f64 = 6.0;
/// Places on the fitted line.
const FIT_STEPS: usize = 120;
/// Returns the probability of a log-normal distribution between two values.
fn law_share((mu, sigma): (f64, f64), from: f64, to: f64) -> f64 {
    let z = |value: f64| (libm::log(value) - mu) / sigma;
    normal_cdf(z(to)) - if from > 0.0 { normal_cdf(z(from)) } else { 0.0 }
}

impl MarkDescriber for SpreadDescriber {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let bin = self.bins.get(hit.of)?;
        let spread = &self.spread;
        let value = |v: f64| format!("{v:.*}", spread.decimals);
        let span = if spread.is_whole {
            // The whole numbers in the bar.
            let (a, b) = (libm::ceil(bin.from), libm::ceil(bin.to) - 1.0);
            if b > a {
                format!("{} to {}", count(a), count(b))
            } else {
                count(a)
            }
        } else {
            format!("{} to {}", value(bin.from), value(bin.to))
        };
        let unit = match spread.unit.as_str() {
            "" => String::new(),
            unit => format!("{NARROW}{unit}"),
        };
        let title = format!("{span}{unit}");
        let mut rows = vec![row("Samples", percent(100.0 * bin.share, 1))];
        if let Some(fit) = spread.fit.filter(|fit| fit.0.is_finite() && fit.1 > 0.0) {
            let share = law_share(fit, bin.from, bin.to);
            rows.push(row("Fitted law", percent(100.0 * share, 1)));
        }
        // All of it is spoken in small letters but for the span.
        Some(MarkWords::of(title, ": ", Small::All, rows))
    }
}

/// The axis of values.
enum Axis {
    Even(ValueScale),
    Log(LogScale),
}

impl Axis {
    fn new(is_even: bool, ends: (f64, f64), px: (f64, f64)) -> Self {
        if is_even {
            Self::Even(ValueScale::new(ends, px))
        } else {
            Self::Log(LogScale::new(ends, px))
        }
    }

    const fn is_even(&self) -> bool {
        matches!(self, Self::Even(_))
    }

    fn px_from_value(&self, value: f64) -> f64 {
        match self {
            Self::Even(scale) => scale.px_from_value(value),
            Self::Log(scale) => scale.px_from_value(value),
        }
    }

    fn value_from_px(&self, px: f64) -> f64 {
        match self {
            Self::Even(scale) => scale.value_from_px(px),
            Self::Log(scale) => scale.value_from_px(px),
        }
    }
}

/// The edges of bars between two values, at equal factors or widths; between whole numbers at the least one apart.
fn edges((least, most): (f64, f64), bars: f64, (is_whole, is_even): (bool, bool)) -> Vec<f64> {
    let step = libm::log(most / least) / bars;
    let mut edges: Vec<f64> = Vec::new();
    for k in 0..=bars as usize {
        let edge = if is_even {
            least + (most - least) * k as f64 / bars
        } else {
            least * libm::exp(step * k as f64)
        };
        let edge = if is_whole {
            libm::round(edge - 0.5) + 0.5
        } else {
            edge
        };
        if edges.last().is_none_or(|last| edge > *last) {
            edges.push(edge);
        }
    }
    edges
}

/// Samples in bars, and whether there are any.
fn bins_of(spread: &SpreadChart, width: f64) -> Vec<Bin> {
    let is_sample = |(v, w): &(f64, f64)| v.is_finite() && *v > 0.0 && w.is_finite() && *w > 0.0;
    let mut all: Vec<(f64, f64)> = spread
        .samples
        .iter()
        .filter(|s| is_sample(s))
        .copied()
        .collect();
    all.in_order_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(first), Some(last)) = (all.first().copied(), all.last().copied()) else {
        return Vec::new();
    };
    let sum: f64 = all.iter().map(|s| s.1).sum();
    let (least, most) = if spread.is_whole {
        ((first.0 - 0.5).max(0.5), last.0 + 0.5)
    } else if last.0 > first.0 {
        (first.0 * (1.0 - 1e-9), last.0 * (1.0 + 1e-9))
    } else {
        (first.0 / 1.05, first.0 * 1.05)
    };
    let bars = libm::ceil(libm::sqrt(all.len() as f64) * 1.2);
    let bars = bars.clamp(BARS.0, BARS.1).min((width / BAR_PX).max(4.0));
    let kind = (spread.is_whole, spread.is_even);
    let edges = edges((least, most), libm::floor(bars), kind);
    let mut bins: Vec<Bin> = edges
        .windows(2)
        .map(|pair| Bin {
            from: pair[0],
            to: pair[1],
            share: 0.0,
        })
        .collect();
    for (value, weight) in all {
        let after = edges.partition_point(|edge| *edge <= value);
        let at = after.saturating_sub(1).min(bins.len().saturating_sub(1));
        if let Some(bin) = bins.get_mut(at) {
            bin.share += weight / sum;
        }
    }
    bins
}

/// Round values on an axis of equal factors: 1, 2, 5 and so on, or straight ones where it spans little.
fn ticks(scale: &Axis, (from, to): (f64, f64), px: (f64, f64)) -> Vec<(f64, String)> {
    if scale.is_even() || to < 4.0 * from {
        let ticks = ValueScale::new((from, to), px).ticks(0, 44.0);
        let of = |v: &f64| (scale.px_from_value(*v), ticks.label(*v));
        return ticks.values.iter().map(of).collect();
    }
    let (first, last) = (
        libm::floor(libm::log10(from)) as i32,
        libm::ceil(libm::log10(to)) as i32,
    );
    let mut found = Vec::new();
    for power in first..=last {
        let ten = libm::pow(10.0, f64::from(power.abs()));
        for step in [1.0, 2.0, 5.0] {
            let value = if power < 0 { step / ten } else { step * ten };
            if (from..=to).contains(&value) {
                let decimals = usize::try_from(-power).unwrap_or(0);
                let text = if decimals == 0 {
                    count(value)
                } else {
                    format!("{value:.decimals$}")
                };
                found.push((scale.px_from_value(value), text));
            }
        }
    }
    found
}

/// Lays samples out on `width_px` by `height_px`.
///
/// # Complexity
/// O(n log n) in the samples.
#[must_use]
pub fn layout_spread(
    spread: &SpreadChart,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, height_px);
    let bins = bins_of(spread, paper.width - 40.0);
    let fit = spread
        .fit
        .filter(|(mu, sigma)| mu.is_finite() && sigma.is_finite() && *sigma > 0.0)
        .filter(|_| !spread.is_even);
    let ends = match (bins.first(), bins.last()) {
        (Some(first), Some(last)) => (first.from, last.to),
        // Without samples, the law alone.
        _ => fit.map_or((1.0, 10.0), |(mu, sigma)| {
            (libm::exp(mu - 3.0 * sigma), libm::exp(mu + 3.0 * sigma))
        }),
    };
    let doublings = |bin: &Bin| libm::log2(bin.to / bin.from);
    let density = |bin: &Bin| match spread.is_even {
        true => 100.0 * bin.share,
        false => 100.0 * bin.share / doublings(bin),
    };
    // The density over log2 x: the normal density over ln x, times ln 2.
    let law = |value: f64| {
        fit.map_or(0.0, |(mu, sigma)| {
            let z = (libm::log(value) - mu) / sigma;
            let peak = 100.0 * std::f64::consts::LN_2 / (sigma * libm::sqrt(std::f64::consts::TAU));
            peak * libm::exp(-0.5 * z * z)
        })
    };
    let mode = fit.map_or(0.0, |(mu, _)| law(libm::exp(mu).clamp(ends.0, ends.1)));
    let most = bins.iter().map(density).fold(mode, f64::max);
    let left = text_width("100", SMALL_SIZE, false) + 9.0;
    let right = (paper.width - RIGHT_PX).max(left + 20.0);
    let x = Axis::new(spread.is_even, ends, (left, right));
    let inside = |(_, v): &&(String, f64)| v.is_finite() && *v >= ends.0 && *v <= ends.1;
    let mut flags: Vec<Callout> = spread
        .quantiles
        .iter()
        .filter(inside)
        .map(|(name, v)| Callout {
            x: x.px_from_value(*v),
            foot: 0.0,
            text: format!("{name} {v:.*}", spread.decimals),
            ink: Ink::Text2,
            strong: false,
            is_small: true,
        })
        .collect();
    flags.in_order_by(|a, b| a.x.total_cmp(&b.x));
    let lanes = flags::lanes(&flags, (0.0, paper.width - 1.0));
    let caption = match spread.is_even {
        true => "Share of all, %",
        false => "Share per doubling, %",
    };
    paper.offer(small(Anchor::Start, (0.0, 10.0), caption));
    let top = 24.0 + lanes.as_ref().map_or(0.0, flags::CalloutLanes::height);
    let foot = paper.foot(top);
    let y = ValueScale::new(PlotArea::up_to(most, 1.06), (foot, top));
    let ground = PlotArea {
        plot: Rect::new(left, top, right - left, foot - top),
        ticks: y.ticks(0, 28.0),
        y,
    };
    paper.value_axis(&ground);
    let (plot, y) = (ground.plot, ground.y);
    let title = match spread.is_even {
        true => spread.x_title.clone(),
        false => format!("{}, log scale", spread.x_title),
    };
    paper.parameter_axis(&ticks(&x, ends, (left, right)), &plot, &title);
    let mut spots = Vec::new();
    for (at, bin) in bins.iter().enumerate() {
        let (a, b) = (x.px_from_value(bin.from), x.px_from_value(bin.to));
        let high = foot - y.px_from_value(density(bin));
        let air = if b - a > 4.0 { 0.5 } else { 0.0 };
        let rect = Rect::new(a + air, foot - high, (b - a - 2.0 * air).max(0.5), high);
        if bin.share > 0.0 {
            paper.draw(Mark::bar(Ink::MeterTrack, Ink::HandOver, rect).of(at));
        }
        spots.push(HitTarget::at(rect, 0, at));
    }
    if fit.is_some() {
        let step = |k: usize| {
            let px = left + (right - left) * k as f64 / FIT_STEPS as f64;
            (px, y.px_from_value(law(x.value_from_px(px))))
        };
        let points = (0..=FIT_STEPS).map(step).collect();
        paper.draw(stroke_of(SeriesRole::Ours, points));
    }
    for flag in &mut flags {
        flag.foot = foot;
    }
    match &lanes {
        Some(lanes) => flags::draw(&mut paper, &flags, lanes, top - 2.0),
        None => {
            for flag in &flags {
                paper.draw(Mark::line(
                    Ink::HandOver,
                    1.0,
                    (flag.x, top),
                    (flag.x, foot),
                ));
                let at = (flag.x, top - 4.0);
                paper.offer(Mark::text(
                    flag.ink,
                    SMALL_SIZE,
                    Anchor::Middle,
                    at,
                    &*flag.text,
                ));
            }
        }
    }
    if fit.is_some() {
        let name = crate::paper::named(
            SeriesRole::Ours,
            Anchor::End,
            (right, 10.0),
            "log-normal fit",
        );
        paper.offer(name);
    }
    if bins.is_empty() {
        let at = (left + 12.0, (top + foot) / 2.0);
        paper.offer(small(Anchor::Start, at, "No sample is there yet.").with_halo(Ink::Background));
    }
    let mut rows = RowHits::default();
    rows.row(plot, HitTest::Column(2.0), spots);
    ChartLayout::spots(plot, rows).with_describer(
        paper.picture(format!("{}.", spread.title)),
        SpreadDescriber {
            spread: spread.clone(),
            bins,
        },
    )
}
