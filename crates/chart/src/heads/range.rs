//! A mean with its range as one small bar per row, to be in a table.

use crate::ink::Ink;
use crate::mark::{Anchor, Edge, Mark, MarkShape, Picture, Rect, fit, text_width};
use serde::{Deserialize, Serialize};

/// Which row a bar belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RangeRole {
    /// Our plan: filled.
    Ours,
    /// One to compare with: pale with an edge.
    Other,
    /// One that does something else and is not compared: a dashed edge.
    Apart,
}

/// A value over some draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RangeBar {
    /// The least of the draws.
    pub least: f64,
    /// Their mean: the length of the bar.
    pub mean: f64,
    /// The most of the draws.
    pub most: f64,
    /// Which row it is.
    pub role: RangeRole,
    /// The words at its end: `638`.
    pub label: String,
}

/// Values over draws, a row each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RangeChart {
    /// Titles of the names, of the bars, and of the figures beside them.
    pub heads: [String; 3],
    /// The rows, ours first.
    pub rows: Vec<RangeRow>,
}

/// A value over draws by its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RangeRow {
    /// Its name.
    pub name: String,
    /// Note after it: `2 failed`.
    pub note: String,
    /// Its bar.
    pub bar: RangeBar,
    /// Text for screen readers.
    pub aria_label: String,
    /// Figures beside it.
    pub figures: Vec<String>,
}

/// Height of one bar's picture, and of the bar in it [px].
const HEIGHT_PX: f64 = 18.0;
const BAR_PX: f64 = 11.0;
/// Height of the ends of a range [px].
const CAP_PX: f64 = 7.0;
/// From a bar to its words [px], and their size.
const AIR_PX: f64 = 6.0;
const TEXT_SIZE: f64 = 12.0;
/// Ranges slimmer than this are no range [px].
const LEAST_RANGE_PX: f64 = 2.0;

/// A picture for each bar, all on one axis from zero, so that they can be in the rows of a table `width_px` wide. A
/// value that is not finite has no bar.
#[must_use]
pub fn range_bars(bars: &[RangeBar], width_px: f64) -> Vec<Picture> {
    let width = if width_px > 40.0 { width_px } else { 40.0 };
    let words = |bar: &RangeBar| text_width(&bar.label, TEXT_SIZE, bar.role == RangeRole::Ours);
    let widest = bars.iter().map(words).fold(0.0, f64::max).min(width / 2.0);
    let room = width - widest - AIR_PX - 2.0;
    let ends = bars.iter().flat_map(|bar| [bar.mean, bar.most]);
    let most = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
    let px = |value: f64| {
        if most > 0.0 {
            room * value.max(0.0) / most
        } else {
            0.0
        }
    };
    bars.iter().map(|bar| one(bar, width, &px)).collect()
}

/// The bars under one another, each behind its name.
#[must_use]
pub fn layout_ranges(ranges: &RangeChart, width_px: f64) -> Picture {
    let rows = &ranges.rows;
    let names = rows
        .iter()
        .map(|row| text_width(&row.name, TEXT_SIZE, row.bar.role == RangeRole::Ours));
    let names = names.fold(0.0, f64::max).min(width_px / 2.0) + 2.0 * AIR_PX;
    let bars: Vec<RangeBar> = rows.iter().map(|row| row.bar.clone()).collect();
    let row = |(RangeRow { name, bar, .. }, drawn): (&RangeRow, Picture)| {
        let is_ours = bar.role == RangeRole::Ours;
        let at = (0.0, HEIGHT_PX / 2.0 + 4.2);
        let words = fit(name, names - AIR_PX, TEXT_SIZE);
        let name = Mark::text(Ink::Text, TEXT_SIZE, Anchor::Start, at, words);
        let name = if is_ours { name.strong() } else { name };
        let bar = drawn.marks.into_iter().map(|mark| mark.moved((names, 0.0)));
        Picture {
            width: width_px,
            height: HEIGHT_PX,
            title: String::new(),
            marks: std::iter::once(name).chain(bar).collect(),
        }
    };
    let drawn = rows
        .iter()
        .zip(range_bars(&bars, width_px - names))
        .map(row);
    let all = drawn.reduce(|above, next| above.above(next, AIR_PX));
    let labels: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row.name, row.bar.label))
        .collect();
    Picture {
        title: format!("Mean with least and most: {}.", labels.join("; ")),
        ..all.unwrap_or(Picture {
            width: width_px,
            height: 0.0,
            title: String::new(),
            marks: Vec::new(),
        })
    }
}

fn one(bar: &RangeBar, width: f64, px: &impl Fn(f64) -> f64) -> Picture {
    let mut marks = Vec::new();
    let middle = HEIGHT_PX / 2.0;
    let mut end = 0.0;
    if bar.mean.is_finite() {
        end = px(bar.mean).max(1.0);
        let rect = Rect::new(0.0, middle - BAR_PX / 2.0, end, BAR_PX);
        let edged = |fill, ink, dash| {
            let edge = Some(Edge { ink, dash });
            Mark::new(
                fill,
                MarkShape::Rect {
                    rect,
                    radius: if dash == [0.0; 0] { 1.5 } else { 0.0 },
                    edge,
                },
            )
        };
        marks.push(match bar.role {
            RangeRole::Ours => Mark::bar(Ink::SeriesOurs, Ink::SeriesOurs, rect),
            RangeRole::Other => edged(Ink::LineStrong, Ink::HandOver, &[]),
            RangeRole::Apart => edged(Ink::Background, Ink::HandOver, &[2.0, 2.0]),
        });
        let (least, most) = (px(bar.least), px(bar.most));
        if bar.least.is_finite() && bar.most.is_finite() && most - least >= LEAST_RANGE_PX {
            whisker((least, end, most), middle, bar.role, &mut marks);
            end = end.max(most);
        }
    }
    let is_ours = bar.role == RangeRole::Ours;
    let x = if end > 0.0 { end + AIR_PX } else { 0.0 };
    let ink = if is_ours { Ink::Text } else { Ink::Text2 };
    let label = fit(&bar.label, width - x, TEXT_SIZE);
    let text = Mark::text(ink, TEXT_SIZE, Anchor::Start, (x, middle + 4.2), label);
    marks.push(if is_ours { text.strong() } else { text });
    Picture {
        width,
        height: HEIGHT_PX,
        title: bar.label.clone(),
        marks,
    }
}

/// From the least to the most: over the bar in its ground's colour where that is dark, beyond it in grey.
fn whisker(
    (least, end, most): (f64, f64, f64),
    middle: f64,
    role: RangeRole,
    marks: &mut Vec<Mark>,
) {
    let on_bar = match role {
        RangeRole::Ours => Ink::Background,
        RangeRole::Other | RangeRole::Apart => Ink::MeterFill,
    };
    let (top, foot) = (middle - CAP_PX / 2.0, middle + CAP_PX / 2.0);
    let cap = |ink, x: f64| Mark::line(ink, 1.0, (x, top), (x, foot));
    let way = |ink, a: f64, b: f64| Mark::line(ink, 1.0, (a, middle), (b, middle));
    let inside = end.min(most);
    if least < inside {
        marks.push(way(on_bar, least, inside));
    }
    if most > end {
        marks.push(way(Ink::MeterFill, end.max(least), most));
    }
    for x in [least, most] {
        marks.push(cap(if x < end { on_bar } else { Ink::MeterFill }, x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(least: f64, mean: f64, most: f64, role: RangeRole) -> RangeBar {
        RangeBar {
            least,
            mean,
            most,
            role,
            label: format!("{mean:.0}"),
        }
    }

    fn rect(picture: &Picture) -> Rect {
        let of = |mark: &Mark| match mark.shape {
            MarkShape::Rect { rect, .. } => Some(rect),
            _ => None,
        };
        let found = picture.marks.iter().find_map(of);
        found.expect("a bar")
    }

    #[test]
    fn bars_share_an_axis_and_keep_their_words_inside() {
        let bars = [
            bar(522.0, 638.0, 961.0, RangeRole::Ours),
            bar(678.0, 961.0, 1623.0, RangeRole::Other),
            bar(353.0, 353.0, 353.0, RangeRole::Apart),
        ];
        for width in [320.0, 180.0, 110.0] {
            let all = range_bars(&bars, width);
            let per = rect(&all[0]).w / 638.0;
            for (bar, picture) in bars.iter().zip(&all) {
                assert!((rect(picture).w - per * bar.mean).abs() < 1e-9);
                assert_eq!((picture.width, picture.height), (width, 18.0));
                let words: Vec<Rect> = picture.marks.iter().filter_map(Mark::text_box).collect();
                assert_eq!(words.len(), 1);
                assert!(words[0].right() <= width, "{width}: {words:?}");
                assert!(words[0].x >= per * bar.most, "{words:?}");
            }
            // One draw has no range.
            let lines = |picture: &Picture| {
                let line = |mark: &&Mark| matches!(mark.shape, MarkShape::Line { .. });
                picture.marks.iter().filter(line).count()
            };
            assert_eq!([lines(&all[0]), lines(&all[2])], [4, 0]);
        }
    }

    #[test]
    fn odd_values_have_no_bar() {
        let odd = [
            bar(f64::NAN, f64::INFINITY, 3.0, RangeRole::Ours),
            bar(0.0, 0.0, 0.0, RangeRole::Other),
        ];
        for picture in range_bars(&odd, f64::NAN) {
            for mark in &picture.marks {
                if let Some(place) = mark.text_box() {
                    assert!(place.x.is_finite() && place.right() <= picture.width + 30.0);
                }
            }
        }
        assert!(range_bars(&[], 100.0).is_empty());
    }
}
