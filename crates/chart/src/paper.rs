//! A picture in the making whose texts keep apart: each is offered, and is drawn only where nothing is written yet.

use crate::ink::Ink;
use crate::lines::{SeriesRole, marker_of, stroke_of};
use crate::mark::{Anchor, Mark, Picture, Rect, text_width};
use crate::scale::{Ticks, ValueScale};
use engine::units::InOrder;

/// Size of captions and ticks [px].
pub(super) const SMALL_SIZE: f64 = 11.0;
/// Size of names [px].
pub(super) const TEXT_SIZE: f64 = 12.0;
/// Below the plot [px].
pub(super) const FOOT_PX: f64 = 34.0;
/// Right of the plot [px].
pub(super) const RIGHT_PX: f64 = 8.0;
/// Narrower and lower ground is taken for this [px].
const LEAST_PX: (f64, f64) = (200.0, 120.0);
/// Between texts on one line at least [px].
const APART_PX: f64 = 4.0;
/// Length of a sample of a line [px], and its way to the words.
pub(super) const SAMPLE_PX: f64 = 18.0;
pub(super) const SAMPLE_AIR_PX: f64 = 5.0;

/// The ground of a plot with two axes: where it is, and the value axis left of it.
#[derive(Debug, Clone)]
pub(super) struct PlotArea {
    pub plot: Rect,
    pub y: ValueScale,
    pub ticks: Ticks,
}

impl PlotArea {
    /// A plot between `top` and `foot` [px] on a paper so wide. The value axis goes over `ends`, with a figure every `tick_px` at
    /// most; figures and `words` find room left of the plot, and `right_px` stay free at the right.
    pub fn new(
        width_px: f64,
        (top, foot): (f64, f64),
        (ends, tick_px): ((f64, f64), f64),
        words: &[&str],
        right_px: f64,
    ) -> Self {
        let y = ValueScale::new(ends, (foot, top));
        let ticks = y.ticks(0, tick_px);
        let figures = ticks.values.iter().map(|value| ticks.label(*value));
        let words = words.iter().map(|word| (*word).to_owned());
        let wide = |text: String| text_width(&text, SMALL_SIZE, false);
        let left = (figures.chain(words).map(wide).fold(0.0, f64::max) + 9.0).max(24.0);
        let right = (width_px - right_px).max(left + 20.0);
        Self {
            plot: Rect::new(left, top, right - left, foot - top),
            y,
            ticks,
        }
    }

    /// The ends of an axis that begins at 0 and has some air over the most.
    pub fn up_to(most: f64, air: f64) -> (f64, f64) {
        (0.0, if most > 0.0 { air * most } else { 1.0 })
    }
}

/// Marks and where the words among them stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelPlacer {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
    words: Vec<Rect>,
}

impl LabelPlacer {
    /// An empty one. What is no size is the least one.
    pub fn new(width_px: f64, height_px: f64) -> Self {
        let least = |px: f64, least: f64| if px > least { px } else { least };
        Self {
            width: least(width_px, LEAST_PX.0),
            height: least(height_px, LEAST_PX.1),
            marks: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Draws a mark that is no text.
    pub fn draw(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Returns true if a place for text is inside the picture and free.
    fn is_free(&self, place: &Rect) -> bool {
        let inside = place.x >= 0.0
            && place.right() <= self.width
            && place.y >= 0.0
            && place.bottom() <= self.height;
        let wide = Rect::new(
            place.x - APART_PX,
            place.y,
            place.w + 2.0 * APART_PX,
            place.h,
        );
        let meets = |other: &Rect| {
            wide.x < other.right()
                && other.x < wide.right()
                && wide.y < other.bottom()
                && other.y < wide.bottom()
        };
        inside && !self.words.iter().any(meets)
    }

    /// Cuts what has been drawn since there were `from` marks off at two edges [px].
    pub fn cut(&mut self, from: usize, (left, right): (f64, f64)) {
        let drawn = self.marks.split_off(from);
        let parts = drawn.into_iter().flat_map(|mark| mark.between(left, right));
        self.marks.extend(parts);
    }

    /// Draws a text if there is room; says whether it did.
    pub fn offer(&mut self, text: Mark) -> bool {
        let Some(place) = text.text_box().filter(|place| self.is_free(place)) else {
            return false;
        };
        self.words.push(place);
        self.marks.push(text);
        true
    }

    /// Draws the first of some texts for which there is room.
    pub fn offer_one(&mut self, texts: impl IntoIterator<Item = Mark>) -> bool {
        texts.into_iter().any(|text| self.offer(text))
    }

    /// Returns true if a place is free of text.
    pub fn has_room(&self, place: &Rect) -> bool {
        self.is_free(place)
    }

    /// Keeps a place free of words.
    pub fn reserve(&mut self, place: Rect) {
        self.words.push(place);
    }

    /// The finished picture.
    pub fn picture(self, title: String) -> Picture {
        Picture {
            width: self.width,
            height: self.height,
            title,
            marks: self.marks,
        }
    }

    /// Where a plot ends below that begins at `top` [px] and has figures and a caption under it.
    pub fn foot(&self, top: f64) -> f64 {
        (self.height - FOOT_PX).max(top + 20.0)
    }

    /// Lines and figures of a value axis left of the plot.
    pub fn value_axis(&mut self, PlotArea { plot, y, ticks }: &PlotArea) {
        for value in &ticks.values {
            let y = y.px_from_value(*value);
            let ink = Ink::grid(*value);
            self.draw(Mark::line(ink, 1.0, (plot.x, y), (plot.right(), y)));
            let at = (plot.x - 7.0, y + 4.0);
            self.offer(small(Anchor::End, at, ticks.label(*value)));
        }
    }

    /// Figures under the plot, and under them what they count.
    pub fn parameter_axis(&mut self, ticks: &[(f64, String)], plot: &Rect, title: &str) {
        let base = plot.bottom() + 16.0;
        for (x, text) in ticks {
            let half = text_width(text, SMALL_SIZE, false) / 2.0;
            let middle = x.max(half).min(self.width - half);
            self.offer(small(Anchor::Middle, (middle, base), text.clone()));
        }
        let at = (plot.right(), plot.bottom() + FOOT_PX - 4.0);
        self.offer(small(Anchor::End, at, title));
    }
}

/// A caption.
pub(super) fn small(anchor: Anchor, at: (f64, f64), text: impl Into<String>) -> Mark {
    Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text)
}

/// A name in the colour of its series.
pub(super) fn named(role: SeriesRole, anchor: Anchor, at: (f64, f64), text: &str) -> Mark {
    let (ink, ..) = role.look();
    let name = Mark::text(ink, TEXT_SIZE, anchor, at, text).with_halo(Ink::Background);
    match role {
        SeriesRole::Ours => name.strong(),
        _ => name,
    }
}

/// How wide a name is [px].
pub(super) fn name_px(role: SeriesRole, text: &str) -> f64 {
    text_width(text, TEXT_SIZE, role == SeriesRole::Ours)
}

/// Names with samples of their lines and their markers, in lines from `top`; where the last of them ends [px].
pub(super) fn key_rows(
    paper: &mut LabelPlacer,
    names: &[(SeriesRole, String)],
    (left, top): (f64, f64),
) -> f64 {
    let (mut x, mut y) = (left, top);
    for (role, name) in names {
        let room = paper.width - left - SAMPLE_PX - SAMPLE_AIR_PX - 2.0;
        let name = crate::mark::fit(name, room / 1.1, TEXT_SIZE);
        let wide = SAMPLE_PX + SAMPLE_AIR_PX + name_px(*role, &name);
        if x > left && x + wide > paper.width - 2.0 {
            (x, y) = (left, y + 16.0);
        }
        paper.draw(stroke_of(
            *role,
            vec![(x, y + 8.0), (x + SAMPLE_PX, y + 8.0)],
        ));
        paper.draw(marker_of(*role, (x + SAMPLE_PX / 2.0, y + 8.0)));
        let at = (x + SAMPLE_PX + SAMPLE_AIR_PX, y + 12.0);
        paper.offer(named(*role, Anchor::Start, at, &name));
        x += wide + 14.0;
    }
    if names.is_empty() { top } else { y + 16.0 }
}

/// Steps of lines, ours painted last and so on top.
pub(super) fn painted(roles: &[SeriesRole]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..roles.len()).collect();
    order.in_order_of(|n| std::cmp::Reverse(roles[*n]));
    order
}

/// A round number of ticks for the parameter, each with its words, at most so close [px].
pub(super) fn ticks_of(scale: &ValueScale, least_px: f64) -> Vec<(f64, String)> {
    let ticks = scale.ticks(0, least_px);
    let of = |value: &f64| (scale.px_from_value(*value), ticks.label(*value));
    ticks.values.iter().map(of).collect()
}
