//! Rows over one axis, as timelines have them: how wide and high they are by the room that there is, the axis over them and alone
//! for rows that scroll under it, and their band.

use super::ink::Ink;
use super::interaction::{AxisUnit, ChartLayout, InteractiveChart, MarkDescriber, RowHits};
use super::mark::{Anchor, Mark, Picture, Rect, cut, text_width};
use super::scale::{TimeFormat, TimeScale};
use engine::units::NARROW;

/// Below this width [px] names go above their rows, or where these are many, are cut to a gutter.
pub(super) const PHONE_PX: f64 = 560.0;
/// Narrower ground is taken for this wide [px].
const LEAST_PX: f64 = 200.0;
/// Most rows that are roomy.
pub(super) const MAX_SPACIOUS_ROWS: usize = 6;
/// Height of the axis [px].
pub(super) const AXIS_PX: f64 = 24.0;
/// Below the last row [px], and right of the plot.
pub(super) const FOOT_PX: f64 = 4.0;
pub(super) const RIGHT_PX: f64 = 2.0;
/// Size of a name, and of captions and ticks [px].
pub(super) const NAME_SIZE: f64 = 13.0;
pub(super) const SMALL_SIZE: f64 = 11.0;
/// Where a name starts, right of its shade [px], and most characters of it.
pub(super) const NAME_X: f64 = 16.0;
pub(super) const NAME_CHARS: usize = 14;
/// Height of a name above its row [px].
pub(super) const HEAD_PX: f64 = 18.0;

/// The width that rows are laid out on.
pub(super) fn ground(width_px: f64) -> f64 {
    if width_px > LEAST_PX {
        width_px
    } else {
        LEAST_PX
    }
}

/// The width of the longest of some names [px].
pub(super) fn widest<'a>(names: impl IntoIterator<Item = &'a str>) -> f64 {
    let wide = |name: &str| text_width(&cut(name, NAME_CHARS), NAME_SIZE, false);
    names.into_iter().map(wide).fold(0.0, f64::max)
}

/// The gutter of a phone beside names that are so wide [px].
pub(super) fn gutter(names: f64) -> f64 {
    (NAME_X + names + 6.0).clamp(48.0, 104.0)
}

/// Returns the text in place of rows.
pub(super) fn nothing(at: (f64, f64), words: &str) -> Mark {
    Mark::text(Ink::Text3, NAME_SIZE, Anchor::Start, at, words)
}

/// A caption in words that cannot run into others.
pub(super) fn caption(anchor: Anchor, at: (f64, f64), words: impl Into<String>) -> Mark {
    Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, words)
}

/// An axis on a ground of its own.
pub(super) fn alone(width: f64, title: &str) -> Picture {
    let mut axis = Picture::of((width, AXIS_PX), title.into(), Vec::new());
    axis.marks.push(axis.ground());
    axis
}

/// Rows laid out under their axis.
pub(super) fn layout_rows<S: MarkDescriber>(
    (picture, axis): (Picture, Picture),
    (scale, counts): (TimeScale, AxisUnit),
    (rows, bands): (RowHits, Vec<Rect>),
    said: S,
) -> InteractiveChart<S> {
    let laid = ChartLayout {
        bands,
        ..ChartLayout::of(Rect::default(), rows)
    };
    laid.under(scale, axis, counts)
        .with_describer(picture, said)
}

/// The axis of time over rows.
pub(super) struct TimeAxis<'a> {
    pub scale: &'a TimeScale,
    pub format: TimeFormat,
    pub phone: bool,
    /// From tick to tick at least [px], and how many labels are there anyway.
    pub ticks: (f64, usize),
    /// True if the last tick on a phone has the unit.
    pub has_unit: bool,
    /// Returns true if a tick has no space: its place, half the width of its label, and whether the label is right of it [px].
    pub hides: &'a dyn Fn(f64, f64, bool) -> bool,
}

impl TimeAxis<'_> {
    /// Lines of ticks down to `foot` [px], their labels, and what they count.
    pub fn draw(&self, foot: f64, marks: &mut Vec<Mark>) {
        let (left, _) = self.scale.ends_px();
        let ticks = self.scale.ticks(self.format, self.ticks.1, self.ticks.0);
        let mut labels: Vec<(f64, String, Anchor)> = Vec::new();
        for figure in &ticks.values {
            let x = self.scale.px_from_s(self.format.s_from_figure(*figure));
            let text = ticks.label(*figure);
            let half = text_width(&text, SMALL_SIZE, false) / 2.0;
            let at_left = x - half < left;
            if (self.hides)(x, half, at_left) {
                continue;
            }
            let line = Mark::line(Ink::grid(*figure), 1.0, (x, AXIS_PX - 5.0), (x, foot));
            marks.push(line);
            let anchor = if at_left {
                Anchor::Start
            } else {
                Anchor::Middle
            };
            labels.push((x, text, anchor));
        }
        // Where heads are left of the bars, there is room for the axis' own title.
        if !self.phone {
            let title = format!("Time, {}", self.format.unit());
            marks.push(caption(Anchor::Start, (0.0, 11.0), title));
        } else if let (true, Some((_, text, _))) = (self.has_unit, labels.last_mut()) {
            text.push(NARROW);
            text.push_str(self.format.unit());
        }
        let labels = labels.into_iter();
        marks.extend(labels.map(|(x, text, anchor)| caption(anchor, (x, 11.0), text)));
    }
}
