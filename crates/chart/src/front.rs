//! Trade-off chart: one line per method through its settings, such as cost against TTFT by budget, or cold start against steady
//! rate by plan. A press on a point selects its setting.

use super::ink::Ink;
use super::lines::{SeriesRole, marker_of, stroke_of};
use super::mark::{Anchor, Mark, Rect};
use super::paper::{
    LabelPlacer, PlotArea, RIGHT_PX, SMALL_SIZE, key_rows, painted, small, ticks_of,
};
use super::scale::ValueScale;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use engine::units::NARROW;
use serde::{Deserialize, Serialize};

/// Methods over their settings, in two measures.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TradeOffChart {
    /// Title.
    pub title: String,
    /// Quantity of the x axis, and its unit.
    pub x_title: String,
    /// Its unit.
    pub x_unit: String,
    /// Quantity of the y axis.
    pub y_title: String,
    /// Its unit.
    pub y_unit: String,
    /// Decimals of both in text.
    pub decimals: (usize, usize),
    /// The setting of the scenario on screen: its points are marked.
    pub now: Option<f64>,
    /// Label of the current setting: "now, 20 %".
    pub now_words: String,
    /// The methods.
    pub curves: Vec<FrontCurve>,
}

/// Interpolation between the points of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Interpolation {
    /// A line: settings between two points are near it.
    #[default]
    Line,
    /// Stairs, right and then up: between two points there is nothing, and the earlier one holds.
    Stairs,
    /// Points only: there is nothing between two of them.
    Apart,
}

/// A method over its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrontCurve {
    /// Its name.
    pub name: String,
    /// How it looks.
    pub role: SeriesRole,
    /// Interpolation between its points.
    pub joined: Interpolation,
    /// Its points, settings ascending.
    pub points: Vec<TradeOffPoint>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TradeOffPoint {
    /// Where it is to the right.
    pub x: f64,
    /// Where it is upwards.
    pub y: f64,
    /// The setting as a press takes it.
    pub pick: f64,
    /// Rows of the card before the two quantities.
    pub facts: Vec<(String, String)>,
}

/// A point is caught within this distance [px].
const CATCH_PX: f64 = 14.0;
/// Closer markers are left out [px].
const MARKER_PX: f64 = 7.0;
/// Settings are the same within this.
const SAME: f64 = 1e-9;

impl TradeOffChart {
    /// Points are numbered through, curve by curve.
    fn point(&self, of: usize) -> Option<(&FrontCurve, &TradeOffPoint)> {
        let mut left = of;
        for curve in &self.curves {
            match curve.points.get(left) {
                Some(point) => return Some((curve, point)),
                None => left -= curve.points.len(),
            }
        }
        None
    }
}

impl MarkDescriber for TradeOffChart {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let (curve, point) = self.point(hit.of)?;
        let with_unit = |v: f64, decimals: usize, unit: &str| {
            if unit.is_empty() {
                format!("{v:.decimals$}")
            } else {
                format!("{v:.decimals$}{NARROW}{unit}")
            }
        };
        let (x, y) = (
            with_unit(point.x, self.decimals.0, &self.x_unit),
            with_unit(point.y, self.decimals.1, &self.y_unit),
        );
        let mut rows = point.facts.clone();
        rows.extend([row(&self.y_title, y), row(&self.x_title, x)]);
        let name = curve.name.clone();
        Some(MarkWords::of(name, ", ", Small::All, rows))
    }
}

/// An axis that holds values with a little air, from zero where they are near it.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low > high {
        return (0.0, 1.0);
    }
    let wide = if high > low {
        high - low
    } else {
        high.abs().max(1.0)
    };
    // Zero is shown unless the values are far from it in proportion to what they span.
    let from = if low >= 0.0 && low < 1.5 * wide {
        0.0
    } else {
        low - 0.06 * wide
    };
    (from, high + 0.06 * wide)
}

/// The path that joins points.
fn joined(path: Vec<(f64, f64)>, how: Interpolation) -> Vec<(f64, f64)> {
    match how {
        Interpolation::Line => path,
        Interpolation::Apart => Vec::new(),
        Interpolation::Stairs => {
            let corners = path.windows(2).flat_map(|pair| {
                let ((_, y), next) = (pair[0], pair[1]);
                [(next.0, y), next]
            });
            path.first().copied().into_iter().chain(corners).collect()
        }
    }
}

fn is_point(point: &TradeOffPoint) -> bool {
    point.x.is_finite() && point.y.is_finite()
}

/// Lays a front out on `width_px` by `height_px`.
///
/// # Complexity
/// O(n) in the points.
#[must_use]
pub fn layout_front(
    front: &TradeOffChart,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, height_px);
    let all = || {
        front
            .curves
            .iter()
            .flat_map(|c| &c.points)
            .filter(|p| is_point(p))
    };
    let name = |curve: &FrontCurve| (curve.role, curve.name.clone());
    let names: Vec<(SeriesRole, String)> = front.curves.iter().map(name).collect();
    let y_title = match front.y_unit.as_str() {
        "" => front.y_title.clone(),
        unit => format!("{}, {unit}", front.y_title),
    };
    let top = key_rows(&mut paper, &names, (0.0, 0.0)) + 20.0;
    paper.offer(small(Anchor::Start, (0.0, top - 9.0), y_title));
    let heights = (top, paper.foot(top));
    let ends = (span(all().map(|p| p.y)), 28.0);
    let ground = PlotArea::new(paper.width, heights, ends, &[], RIGHT_PX);
    let (plot, y) = (ground.plot, ground.y);
    let x = ValueScale::new(span(all().map(|p| p.x)), (plot.x, plot.right()));
    paper.value_axis(&ground);
    let x_title = match front.x_unit.as_str() {
        "" => front.x_title.clone(),
        unit => format!("{}, {unit}", front.x_title),
    };
    paper.parameter_axis(&ticks_of(&x, 52.0), &plot, &x_title);
    let at = |p: &TradeOffPoint| (x.px_from_value(p.x), y.px_from_value(p.y));
    let is_now = |p: &TradeOffPoint| {
        front
            .now
            .is_some_and(|now| (p.pick - now).abs() <= SAME * now.abs().max(1.0))
    };
    let roles: Vec<SeriesRole> = front.curves.iter().map(|curve| curve.role).collect();
    for n in painted(&roles) {
        let points: Vec<&TradeOffPoint> = front.curves[n]
            .points
            .iter()
            .filter(|p| is_point(p))
            .collect();
        let path: Vec<(f64, f64)> = points.iter().map(|p| at(p)).collect();
        let path = joined(path, front.curves[n].joined);
        if path.len() > 1 {
            paper.draw(stroke_of(roles[n], path));
        }
        let mut last: Option<(f64, f64)> = None;
        for point in &points {
            let place = at(point);
            let away = |other: (f64, f64)| libm::hypot(place.0 - other.0, place.1 - other.1);
            if last.is_none_or(|last| away(last) >= MARKER_PX) || is_now(point) {
                paper.draw(marker_of(roles[n], place));
                last = Some(place);
            }
        }
    }
    // The scenario on screen: a ring, and its setting beside it.
    for (curve, point) in front
        .curves
        .iter()
        .flat_map(|c| c.points.iter().map(move |p| (c, p)))
    {
        if !(is_point(point) && is_now(point)) {
            continue;
        }
        let (px, py) = at(point);
        paper.draw(Mark::frame(
            curve.role.look().0,
            &[],
            Rect::new(px, py, 0.0, 0.0).grown(7.0),
        ));
        if curve.role == SeriesRole::Ours {
            let words = &front.now_words;
            let places = [
                (Anchor::Start, 11.0, -8.0),
                (Anchor::End, -11.0, -8.0),
                (Anchor::Start, 11.0, 14.0),
                (Anchor::End, -11.0, 16.0),
            ];
            paper.offer_one(places.map(|(anchor, dx, dy)| {
                Mark::text(
                    Ink::Text2,
                    SMALL_SIZE,
                    anchor,
                    (px + dx, py + dy),
                    words.as_str(),
                )
                .with_halo(Ink::Background)
            }));
        }
    }
    if all().next().is_none() {
        let at = (plot.x + 12.0, plot.y + plot.h / 2.0);
        paper.offer(small(Anchor::Start, at, "Nothing is computed yet."));
    }
    let mut rows = RowHits::default();
    let mut number = 0;
    let mut near = Vec::new();
    for (row, curve) in front.curves.iter().enumerate() {
        let mut spots = Vec::new();
        for (of, point) in curve.points.iter().enumerate().filter(|(_, p)| is_point(p)) {
            let spot = HitTarget::round(at(point), row, number + of);
            let pick = Some(point.pick);
            spots.push(HitTarget { pick, ..spot });
        }
        number += curve.points.len();
        near.push(spots);
    }
    for spots in near {
        rows.row(plot.grown(CATCH_PX), HitTest::Near(CATCH_PX), spots);
    }
    let words: Vec<&str> = front
        .curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    let title = format!("{}: {}.", front.title, words.join(", "));
    ChartLayout::spots(plot, rows).with_describer(paper.picture(title), front.clone())
}
