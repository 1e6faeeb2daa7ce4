//! The lines of the picture: staircases, and what is seen of them where steps are narrower than pixels.

use super::{Frame, MemoryLine, is_size};
use crate::ink::Ink;
use crate::lines::{SeriesRole, stroke_of};
use crate::mark::{Mark, MarkShape, Rect};
use crate::paper::LabelPlacer;

/// Narrower steps are put together [px].
const STEP_PX: f64 = 1.5;
/// Narrower ones still are between two lines [px].
const CROWDED_STEP_PX: f64 = 0.45;
/// Under this a staircase is drawn with a thin line [px].
const THIN_STEP_PX: f64 = 5.0;
/// Others are put together to their most in bins so wide [px].
const BIN_PX: f64 = 4.0;

/// How many steps are put together to a pixel, or `None` where each is drawn.
pub(super) fn bin_steps(frame: &Frame, columns: usize) -> Option<usize> {
    (frame.step_px < STEP_PX && columns > 0)
        .then(|| libm::ceil(1.0 / frame.step_px).max(2.0) as usize)
}

/// Least and most in bins of `px`, with the middle of each bin [px].
fn bins(line: &MemoryLine, frame: &Frame, px: f64) -> Vec<(f64, f64, f64)> {
    let count = libm::ceil(frame.plot.w / px).max(1.0) as usize;
    let n = line.memory_b.len();
    let mut found = Vec::with_capacity(count);
    for bin in 0..count {
        // Columns of other orders may be fewer; the scale is of all.
        let edge = |at: usize| {
            let value = frame.x.value_from_px(frame.plot.x + at as f64 * px);
            libm::floor(value).max(0.0) as usize
        };
        let (from, to) = (edge(bin), edge(bin + 1).max(edge(bin) + 1).min(n));
        let held = line.memory_b.get(from..to).unwrap_or_default();
        let held = held.iter().filter(|held| is_size(held));
        let (low, high) = held.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), held| {
            (a.min(*held), b.max(*held))
        });
        if low <= high {
            let middle = frame.plot.x + (bin as f64 + 0.5) * px;
            found.push((middle.min(frame.plot.right()), low, high));
        }
    }
    found
}

/// Fills the area below our line, in runs of equal height.
pub(super) fn area(paper: &mut LabelPlacer, ours: &MemoryLine, frame: &Frame) {
    let foot = frame.plot.bottom();
    let mut under = |from: f64, to: f64, held: f64| {
        let y = frame.y_of(held);
        if to > from && y < foot {
            let rect = Rect::new(from, y, to - from, foot - y);
            paper.draw(Mark::fill(Ink::AccentSoft, rect));
        }
    };
    if frame.step_px < STEP_PX {
        for (middle, _, high) in bins(ours, frame, 1.0) {
            let to = (middle + 0.5).min(frame.plot.right());
            under(middle - 0.5, to, high);
        }
        return;
    }
    let x = |at: usize| frame.x.px_from_value(at as f64);
    let mut from = 0;
    for run in ours.memory_b.chunk_by(|a, b| a == b) {
        if is_size(&run[0]) {
            under(x(from), x(from + run.len()), run[0]);
        }
        from += run.len();
    }
}

/// The staircase of an order; where steps are narrower than can be drawn, the least and the most of each pixel for ours and
/// the most of a few for the others.
pub(super) fn line(
    paper: &mut LabelPlacer,
    (line, role): (&MemoryLine, SeriesRole),
    frame: &Frame,
) {
    let mut paths: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let is_ours = role == SeriesRole::Ours;
    if is_ours && frame.step_px < CROWDED_STEP_PX {
        // A line along the most and one along the least: the way between them would be all ink.
        let bins = bins(line, frame, BIN_PX / 2.0);
        let along = |(middle, low, high): &(f64, f64, f64), is_high: bool| {
            (*middle, frame.y_of(if is_high { *high } else { *low }))
        };
        paths = [false, true]
            .map(|is_high| bins.iter().map(|bin| along(bin, is_high)).collect())
            .to_vec();
    } else if frame.step_px < STEP_PX {
        let px = if is_ours { 1.0 } else { BIN_PX };
        let path = &mut paths[0];
        for (middle, low, high) in bins(line, frame, px) {
            let (low, high) = (frame.y_of(low), frame.y_of(high));
            if !is_ours {
                path.push((middle, high));
                continue;
            }
            // First the end that is nearer to where the line is.
            let is_low_first = path
                .last()
                .is_some_and(|(_, y)| (y - low).abs() < (y - high).abs());
            let (a, b) = if is_low_first {
                (low, high)
            } else {
                (high, low)
            };
            path.push((middle, a));
            if a != b {
                path.push((middle, b));
            }
        }
    } else {
        for (at, held) in line.memory_b.iter().enumerate() {
            if !is_size(held) {
                paths.push(Vec::new());
                continue;
            }
            let y = frame.y_of(*held);
            let x = |at: usize| frame.x.px_from_value(at as f64);
            let Some(path) = paths.last_mut() else {
                continue;
            };
            // A run of one height has two points.
            match path.last().copied() {
                Some((_, before)) if before == y => {
                    path.pop();
                }
                _ => path.push((x(at), y)),
            }
            path.push((x(at + 1), y));
        }
    }
    let is_thin = frame.step_px < THIN_STEP_PX;
    for path in paths.into_iter().filter(|path| path.len() > 1) {
        let mut mark = stroke_of(role, path);
        if let MarkShape::Line { width, .. } = &mut mark.shape
            && is_thin
        {
            *width = if is_ours { 1.5 } else { 1.0 };
        }
        paper.draw(mark);
    }
}
