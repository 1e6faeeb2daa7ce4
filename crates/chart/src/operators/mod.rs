//! Charts of operator graphs: what orders hold step by step ([`layout_memory`]), the graph itself with what has run at a step
//! ([`layout_graph`]), where tensors are in one piece of memory ([`layout_arena`]), and how operators are cut over devices
//! ([`layout_slices`]).
//!
//! All of them show one *chosen step*, and the layout of each is an [`InteractiveChart`](super::InteractiveChart): a press on
//! a hit target gives its step. Steps count from 0 in data and from 1 in words. Sizes are bytes in data; a chart prints
//! all of them in one binary unit.

mod arena;
mod graph;
mod memory;
mod slices;

pub use arena::{ArenaPicture, ArenaTensor, layout_arena};
pub use graph::{
    GraphInput, GraphLayout, GraphOp, GraphPicture, GraphView, OpState, find_operators, first_view,
    graph_legend, layout_graph, place_graph,
};
pub use memory::{MemoryChart, MemoryLine, StepParts, layout_memory};
pub use slices::{SlicePart, SlicePicture, SliceStep, layout_slices, slices_legend};

use super::gantt::TimeView;
use super::ink::Ink;
use super::mark::{Anchor, Mark, Rect, text_width};
use super::paper::{LabelPlacer, SMALL_SIZE, small};
use super::scale::ValueScale;
use crate::interaction::{AxisUnit, ChartLayout};
use engine::units::count;

/// Below this width names are above a plot and not beside it [px].
const PHONE_PX: f64 = 560.0;
/// Names of operators and tensors are cut at so many characters where they are in a picture.
const NAME_CHARS: usize = 24;

/// The end of a name, at most `n` characters of it, from the beginning of one of its parts where it has some: what distinguishes
/// operators of one graph apart comes last.
fn short(name: &str, n: usize) -> String {
    let count = name.chars().count();
    if count <= n {
        return name.to_owned();
    }
    let tail: String = name.chars().skip(count + 1 - n.max(1)).collect();
    match tail.split_once('/') {
        Some((_, rest)) if 2 * rest.chars().count() >= n => format!("…/{rest}"),
        _ => format!("…{tail}"),
    }
}

/// A scale whose columns are steps: step `k`, from 0, goes from `k` to `k + 1`; of all of them, or of those in view.
fn steps_scale(steps: usize, view: Option<TimeView>, (left, right): (f64, f64)) -> ValueScale {
    let all = TimeView::until(steps.max(1) as f64);
    let seen = view
        .and_then(|view| view.fitted_to(all.to_s))
        .unwrap_or(all);
    ValueScale::new((seen.from_s, seen.to_s), (left, right))
}

/// A chart over steps that a hand zooms along, with its figures under the plot.
fn over_steps(laid: ChartLayout, x: ValueScale, plot: &Rect) -> ChartLayout {
    let figures = (plot.bottom() + 2.0, plot.bottom() + super::paper::FOOT_PX);
    laid.along(x, figures, AxisUnit::Whole("steps"))
}

/// The steps that are seen at least in part: the first, and the first that is not.
fn seen_steps(x: &ValueScale, plot: &Rect, steps: usize) -> std::ops::Range<usize> {
    let from = libm::floor(x.value_from_px(plot.x) + 1e-6).max(0.0) as usize;
    let to = libm::ceil(x.value_from_px(plot.right()) - 1e-6).max(0.0) as usize;
    from.min(steps)..to.min(steps)
}

/// The column of a step on that scale, at least `least` wide and inside the scale [px]; `None` out of view.
fn column(x: &ValueScale, step: usize, least: f64, plot: &Rect) -> Option<Rect> {
    let (from, to) = (
        x.px_from_value(step as f64),
        x.px_from_value(step as f64 + 1.0),
    );
    if to <= plot.x + 1e-6 || from >= plot.right() - 1e-6 {
        return None;
    }
    let (from, to) = (from.max(plot.x), to.min(plot.right()));
    let w = (to - from).max(least).min(plot.w);
    let left = (f64::midpoint(from, to) - w / 2.0)
        .min(plot.right() - w)
        .max(plot.x);
    Some(Rect::new(left, plot.y, w, plot.h))
}

/// The band of the chosen step, on the ground of everything.
fn cursor(paper: &mut LabelPlacer, band: Option<Rect>) {
    let Some(band) = band else { return };
    paper.draw(Mark::fill(Ink::AccentSoft, band));
    paper.draw(Mark::frame(Ink::Accent, &[], band));
}

/// Figures of steps under a plot, each under the middle of its column, counted from `first`; the ends before the others.
fn steps_axis(
    paper: &mut LabelPlacer,
    x: &ValueScale,
    (steps, first): (usize, usize),
    plot: &Rect,
    title: &str,
) {
    let seen = seen_steps(x, plot, steps);
    let round = x
        .ticks(0, 46.0)
        .values
        .into_iter()
        .filter(|value| libm::floor(*value) == *value && *value >= 0.0);
    let round = round
        .map(|value| value as usize)
        .filter(|value| (first + seen.start..first + seen.end).contains(value));
    let ends = [first + seen.start, (first + seen.end).saturating_sub(1)];
    let base = plot.bottom() + 16.0;
    for value in ends.into_iter().chain(round) {
        let middle = x.px_from_value((value - first) as f64 + 0.5);
        let text = count(value as f64);
        let half = text_width(&text, SMALL_SIZE, false) / 2.0;
        let middle = middle.max(half).min(paper.width - half);
        paper.offer(small(Anchor::Middle, (middle, base), text));
    }
    let at = (plot.right(), plot.bottom() + super::paper::FOOT_PX - 4.0);
    paper.offer(small(Anchor::End, at, title));
}

/// A caption that says what nothing can be seen of.
fn nothing_yet(paper: &mut LabelPlacer, plot: &Rect, words: &str) {
    let at = (plot.x + 12.0, plot.y + plot.h / 2.0);
    paper.offer(small(Anchor::Start, at, words));
}

#[cfg(test)]
mod tests;
