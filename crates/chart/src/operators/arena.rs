//! Tensor addresses: a rectangle each, as long as it is held and as high as it is large; or, without a place, a bar each.

use super::{NAME_CHARS, column, cursor, nothing_yet, over_steps, short, steps_axis, steps_scale};
use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits, Small,
    row,
};
use crate::mark::{Anchor, Edge, Mark, MarkShape, Picture, Rect, text_width};
use crate::paper::{FOOT_PX, LabelPlacer, PlotArea, RIGHT_PX, SMALL_SIZE, small};
use crate::scale::ValueScale;
use engine::units::InOrder;
use engine::units::{BinaryUnit, binary_bytes, count};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Tensors over the steps. Pictures of other steps share them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ArenaPicture {
    /// The tensors. Where none has an offset, their lifetimes are shown without a place.
    pub tensors: Arc<Vec<ArenaTensor>>,
    /// How many steps there are.
    pub steps: usize,
    /// The size of the piece of memory that holds all [bytes].
    pub size: f64,
    /// No such piece can be smaller than this [bytes].
    pub bound: f64,
    /// The chosen step, from 0.
    pub step: Option<usize>,
    /// The steps that are seen, counted from 0; all of them where it is `None`.
    pub view: Option<TimeView>,
}

/// A tensor.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ArenaTensor {
    /// Its name.
    pub name: String,
    /// Its size [bytes].
    pub bytes: f64,
    /// Where it begins [bytes].
    pub offset: Option<f64>,
    /// First step during which it is held, from 0.
    pub from: usize,
    /// Last step during which it is held, from 0.
    pub to: usize,
    /// The tensor that it overwrites.
    pub in_place_of: Option<String>,
}

impl ArenaTensor {
    fn is_live(&self, step: usize) -> bool {
        (self.from..=self.to).contains(&step)
    }
}

/// Above the plot [px].
const TOP_PX: f64 = 24.0;
/// Rows of lifetimes: at most so high, at least, and all of them together at most [px].
const ROW_PX: f64 = 15.0;
const LEAST_ROW_PX: f64 = 2.0;
const ROWS_PX: f64 = 580.0;
/// Lower rows have no name [px].
const NAMED_ROW_PX: f64 = 12.5;
/// Smaller rectangles have no edge, since they would be nothing else [px].
const EDGED_PX: f64 = 3.0;
/// A place is caught so far from its rectangle [px].
const CATCH_PX: f64 = 6.0;
/// Sizes are the same within this [bytes].
const SAME: f64 = 0.5;

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ArenaDescriber {
    picture: ArenaPicture,
    unit: BinaryUnit,
}

fn is_size(bytes: f64) -> bool {
    bytes.is_finite() && bytes >= 0.0
}

impl MarkDescriber for ArenaDescriber {
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        picture.marks.extend(laid.hits[at].framed(at));
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let of = hit.of;
        let tensor = self.picture.tensors.get(of)?;
        let bytes_text = |bytes: f64| {
            if is_size(bytes) {
                self.unit.format(bytes)
            } else {
                "–".into()
            }
        };
        let mut rows = vec![row("Size", bytes_text(tensor.bytes))];
        if let Some(offset) = tensor.offset {
            rows.push(row("Address", bytes_text(offset)));
        }
        let step = |step: usize| count(step as f64 + 1.0);
        let held = if tensor.to > tensor.from {
            format!("step {} to {}", step(tensor.from), step(tensor.to))
        } else {
            format!("step {}", step(tensor.from))
        };
        rows.push(row("Held", held));
        if let Some(source) = &tensor.in_place_of {
            rows.push(row("Overwrites", source));
        }
        let title = if tensor.name.is_empty() {
            format!("Tensor {}", count(of as f64 + 1.0))
        } else {
            tensor.name.clone()
        };
        Some(MarkWords::of(title, ", ", Small::Names, rows))
    }
}

impl ArenaPicture {
    /// The picture in one sentence.
    fn describe(&self, is_placed: bool) -> String {
        let tensors = count(self.tensors.len() as f64);
        let steps = count(self.steps as f64);
        if !(is_placed && is_size(self.size) && is_size(self.bound)) {
            return format!("Lifetimes of {tensors} tensors over {steps} steps.");
        }
        let size = binary_bytes(self.size);
        let bound = if (self.size - self.bound).abs() < SAME {
            "the minimum".into()
        } else {
            format!("at least {} is needed", binary_bytes(self.bound))
        };
        format!("Arena of {size} for {tensors} tensors over {steps} steps; {bound}.")
    }

    /// Tensors that can be drawn, with their last step inside the axis.
    fn drawn(&self, steps: usize) -> Vec<usize> {
        let is_there = |at: &usize| {
            let tensor = &self.tensors[*at];
            is_size(tensor.bytes) && tensor.from <= tensor.to && tensor.from < steps
        };
        let mut all: Vec<usize> = (0..self.tensors.len()).filter(is_there).collect();
        all.in_order_of(|at| (self.tensors[*at].from, self.tensors[*at].to, *at));
        all
    }
}

/// Lays tensors out on `width_px`. With places the picture is `height_px` high; lifetimes alone take the height that their
/// rows need, up to about 640.
///
/// # Complexity
/// O(n log n) in the tensors.
#[must_use]
pub fn layout_arena(
    picture: &ArenaPicture,
    width_px: f64,
    height_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let last = picture.tensors.iter().map(|tensor| tensor.to + 1).max();
    // A tensor cannot stretch the axis; without a count of steps it has to be found from them.
    let steps = if picture.steps > 0 {
        picture.steps
    } else {
        last.unwrap_or(1).min(1_000_000)
    };
    let has_place = |tensor: &ArenaTensor| tensor.offset.is_some_and(is_size);
    let is_placed = picture.tensors.iter().any(has_place);
    let mut paper = LabelPlacer::new(width_px, height_px);
    let all = picture.drawn(steps);
    let largest = picture
        .tensors
        .iter()
        .map(|t| t.bytes)
        .filter(|b| is_size(*b));
    let largest = largest.fold(0.0, f64::max);
    let (spots, plot, x, unit) = if is_placed {
        let unit = BinaryUnit::of_largest(picture.size.max(largest));
        let (spots, plot, x) = placed(&mut paper, picture, (&all, steps), unit);
        (spots, plot, x, unit)
    } else {
        let unit = BinaryUnit::of_largest(largest);
        let (spots, plot, x) = lifetimes(&mut paper, picture, (&all, steps));
        (spots, plot, x, unit)
    };
    if all.is_empty() {
        nothing_yet(&mut paper, &plot, "No tensor is held yet.");
    }
    let mut rows = RowHits::default();
    let area = Rect::new(0.0, 0.0, paper.width, plot.bottom() + CATCH_PX);
    rows.row(area, HitTest::Inside(CATCH_PX), spots);
    let laid = ChartLayout::spots(plot, rows);
    over_steps(laid, x, &plot).with_describer(
        paper.picture(picture.describe(is_placed)),
        ArenaDescriber {
            picture: picture.clone(),
            unit,
        },
    )
}

/// Where a tensor stands across, and how wide it is [px]; `None` out of view.
fn across(x: &ValueScale, tensor: &ArenaTensor, steps: usize, plot: &Rect) -> Option<(f64, f64)> {
    let from = x.px_from_value(tensor.from as f64).max(plot.x);
    let to = x.px_from_value((tensor.to + 1).min(steps) as f64);
    let w = (to.min(plot.right()) - from).max(1.0);
    (to > plot.x && from < plot.right()).then(|| (from.min(plot.right() - w), w))
}

fn hit_target(rect: Rect, picture: &ArenaPicture, of: usize) -> HitTarget {
    HitTarget {
        pick: Some(picture.tensors[of].from as f64),
        ..HitTarget::at(rect, 0, of)
    }
}

/// A rectangle of a tensor: lit while it is held at the chosen step, strong at the step that makes it.
fn tensor_mark(rect: Rect, tensor: &ArenaTensor, step: Option<usize>) -> (Mark, Ink) {
    let is_held = step.is_some_and(|step| tensor.is_live(step));
    let is_made = step == Some(tensor.from);
    let (fill, edge, ink) = match (is_held, is_made) {
        (_, true) => (Ink::Accent, Ink::Accent, Ink::Background),
        (true, false) => (Ink::AccentSoft, Ink::Accent, Ink::Text),
        (false, false) => (Ink::MeterTrack, Ink::HandOver, Ink::Text2),
    };
    if rect.w < EDGED_PX || rect.h < EDGED_PX {
        let fill = if is_held { edge } else { Ink::HandOver };
        return (Mark::fill(fill, rect), ink);
    }
    let edge = Some(Edge {
        ink: edge,
        dash: &[],
    });
    (
        Mark::new(
            fill,
            MarkShape::Rect {
                rect,
                radius: 1.0,
                edge,
            },
        ),
        ink,
    )
}

/// Tensors at their addresses.
fn placed(
    paper: &mut LabelPlacer,
    picture: &ArenaPicture,
    (all, steps): (&[usize], usize),
    unit: BinaryUnit,
) -> (Vec<HitTarget>, Rect, ValueScale) {
    let size = |bytes: f64| if is_size(bytes) { bytes } else { 0.0 };
    let end = |at: &usize| {
        let tensor = &picture.tensors[*at];
        tensor
            .offset
            .filter(|o| is_size(*o))
            .map(|o| o + tensor.bytes)
    };
    let highest = all.iter().filter_map(end).fold(0.0, f64::max);
    let highest = highest.max(size(picture.size)).max(size(picture.bound)) / unit.bytes();
    let heights = (TOP_PX, paper.foot(TOP_PX));
    let ends = (PlotArea::up_to(highest, 1.06), 30.0);
    let ground = PlotArea::new(paper.width, heights, ends, &[], RIGHT_PX);
    let (plot, y) = (ground.plot, ground.y);
    let x = steps_scale(steps, picture.view, (plot.x, plot.right()));
    let caption = format!("Address, {}", unit.name());
    paper.offer(small(Anchor::Start, (0.0, 10.0), caption));
    let step = picture.step.filter(|step| *step < steps);
    if let Some(step) = step {
        cursor(paper, column(&x, step, 4.0, &plot));
    }
    paper.value_axis(&ground);
    steps_axis(paper, &x, (steps, 1), &plot, "Step");
    let mut spots = Vec::new();
    let mut words = Vec::new();
    // What is held at the chosen step is over the others, where one overwrites another.
    let is_lit = |at: &usize| step.is_some_and(|step| picture.tensors[*at].is_live(step));
    let (lit, other): (Vec<usize>, Vec<usize>) = all.iter().partition(|at| is_lit(at));
    for at in other.into_iter().chain(lit) {
        let tensor = &picture.tensors[at];
        let Some(offset) = tensor.offset.filter(|o| is_size(*o)) else {
            continue;
        };
        let Some((from, w)) = across(&x, tensor, steps, &plot) else {
            continue;
        };
        let top = y.px_from_value((offset + tensor.bytes) / unit.bytes());
        let under = y.px_from_value(offset / unit.bytes());
        // What has no size still has a place.
        let h = (under - top).max(1.0);
        let rect = Rect::new(from, under - h, w, h);
        let (mark, ink) = tensor_mark(rect, tensor, step);
        paper.draw(mark);
        words.push((rect, ink, at));
        spots.push(hit_target(rect, picture, at));
    }
    lines(paper, picture, &y, (&plot, unit));
    // The later are on top, so that their words come first.
    for (rect, ink, at) in words.into_iter().rev() {
        label(paper, rect, ink, &picture.tensors[at].name);
    }
    (spots, plot, x)
}

/// A name inside a rectangle, where there is room for it.
fn label(paper: &mut LabelPlacer, rect: Rect, ink: Ink, name: &str) {
    let words = short(name, NAME_CHARS);
    let wide = text_width(&words, SMALL_SIZE, false);
    if rect.h >= 15.0 && rect.w >= wide + 8.0 && !words.is_empty() {
        let at = (rect.x + 5.0, rect.y + rect.h / 2.0 + 4.0);
        paper.offer(Mark::text(ink, SMALL_SIZE, Anchor::Start, at, words));
    }
}

/// The size of the arena and the least that any could have.
fn lines(
    paper: &mut LabelPlacer,
    picture: &ArenaPicture,
    y: &ValueScale,
    (plot, unit): (&Rect, BinaryUnit),
) {
    let mut line = |bytes: f64, ink: Ink, dash: &'static [f64]| {
        let at = y.px_from_value(bytes / unit.bytes());
        let points = vec![(plot.x, at), (plot.right(), at)];
        paper.draw(Mark::path(ink, 1.5, dash, points));
    };
    let is_least = (picture.size - picture.bound).abs() < SAME;
    let (size, bound) = (is_size(picture.size), is_size(picture.bound));
    if bound && !is_least {
        line(picture.bound, Ink::Text3, &[3.0, 3.0]);
    }
    if size {
        line(picture.size, Ink::Text, &[]);
    }
    // Words are over the plot, in the order of the lines from the top.
    let mut words = Vec::new();
    if size {
        let least = if is_least { ", the minimum" } else { "" };
        words.push((
            Ink::Text,
            format!("arena {}{least}", unit.format(picture.size)),
        ));
    }
    if bound && !is_least {
        words.push((
            Ink::Text3,
            format!("dashed: at least {}", unit.format(picture.bound)),
        ));
    }
    let mut right = plot.right();
    for (ink, text) in words {
        let mark = Mark::text(ink, SMALL_SIZE, Anchor::End, (right, 10.0), &*text);
        if paper.offer(mark) {
            right -= text_width(&text, SMALL_SIZE, false) + 14.0;
        }
    }
}

/// Tensors as bars, the earlier above, each as long as it is held.
fn lifetimes(
    paper: &mut LabelPlacer,
    picture: &ArenaPicture,
    (all, steps): (&[usize], usize),
) -> (Vec<HitTarget>, Rect, ValueScale) {
    let n = all.len().max(1) as f64;
    let row = (ROWS_PX / n).min(ROW_PX);
    let bar = (row - if row >= 4.0 { 1.5 } else { 0.0 }).max(LEAST_ROW_PX);
    let high = (row * n).max(40.0);
    paper.height = TOP_PX + high + LEAST_ROW_PX + FOOT_PX;
    let (left, right) = (4.0, paper.width - RIGHT_PX);
    let plot = Rect::new(left, TOP_PX, right - left, high + LEAST_ROW_PX);
    let x = steps_scale(steps, picture.view, (left, right));
    paper.offer(small(
        Anchor::Start,
        (0.0, 10.0),
        "Tensors, in order of creation",
    ));
    let step = picture.step.filter(|step| *step < steps);
    if let Some(step) = step {
        cursor(paper, column(&x, step, 4.0, &plot));
    }
    let foot = plot.bottom();
    paper.draw(Mark::line(
        Ink::LineStrong,
        1.0,
        (left, foot),
        (right, foot),
    ));
    steps_axis(paper, &x, (steps, 1), &plot, "Step");
    let mut spots = Vec::new();
    for (number, at) in all.iter().enumerate() {
        let tensor = &picture.tensors[*at];
        let Some((from, w)) = across(&x, tensor, steps, &plot) else {
            continue;
        };
        let top = plot.y + row * number as f64;
        let rect = Rect::new(from, top, w, bar);
        let (mark, _) = tensor_mark(rect, tensor, step);
        paper.draw(mark);
        spots.push(hit_target(rect, picture, *at));
        if row >= NAMED_ROW_PX {
            let words = short(&tensor.name, NAME_CHARS);
            let base = top + bar / 2.0 + 4.0;
            paper.offer_one([
                small(Anchor::Start, (rect.right() + 5.0, base), &*words),
                small(Anchor::End, (rect.x - 5.0, base), &*words),
            ]);
        }
    }
    (spots, plot, x)
}
