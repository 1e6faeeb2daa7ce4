//! All layers of a graph in a low strip: how many operators are in each, which have run, and where the window is.

use super::draw::GraphFrame;
use super::{GraphLayout, GraphPicture, OpState};
use crate::ink::Ink;
use crate::interaction::{HitTarget, MarkWords, Small, row};
use crate::mark::{Anchor, Mark, Rect};
use crate::paper::{LabelPlacer, small};
use engine::units::count;

/// Height of the strip, and of the words under it [px].
pub(super) const STRIP_PX: f64 = 26.0;
pub(super) const WORDS_PX: f64 = 18.0;
/// Bars are at least so wide, with their air [px].
const BAR_PX: f64 = 3.0;

/// Layers that share a bar.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bin {
    /// First and last layer, from 0.
    pub layers: (usize, usize),
    /// How many operators.
    pub ops: usize,
    /// First and last step at which one of them runs.
    pub steps: (usize, usize),
    /// The step that a press takes: where the first operator of the middle layer runs.
    pub pick: usize,
}

/// `7`, or `7–9`, counted from 1.
fn range((from, to): (usize, usize), sign: &str) -> String {
    let one = |at: usize| count(at as f64 + 1.0);
    if from == to {
        one(from)
    } else {
        format!("{}{sign}{}", one(from), one(to))
    }
}

impl Bin {
    pub fn description(&self) -> MarkWords {
        let many = if self.layers.0 == self.layers.1 {
            ""
        } else {
            "s"
        };
        let title = format!("Layer{many} {}", range(self.layers, "–"));
        let rows = vec![
            row("Operators", count(self.ops as f64)),
            row("Runs at steps", range(self.steps, " to ")),
        ];
        MarkWords::of(title, ", ", Small::All, rows)
    }
}

/// Draws the strip from `top` [px] and gives its places; they are numbered behind the operators.
pub(super) fn strip(
    paper: &mut LabelPlacer,
    (picture, layout): (&GraphPicture, &GraphLayout),
    frame: &GraphFrame,
    top: f64,
) -> (Vec<Bin>, Vec<HitTarget>) {
    let layers = layout.layers();
    let (left, right) = (0.5, paper.width - 0.5);
    let px = (right - left) / layers as f64;
    let each = libm::ceil(BAR_PX / px).max(1.0) as usize;
    let x = |layer: usize| left + px * layer.min(layers) as f64;
    let ends = (left + px * frame.from, left + px * frame.to);
    let foot = top + STRIP_PX;
    let window = Rect::new(ends.0, top - 2.0, ends.1 - ends.0, STRIP_PX + 4.0);
    paper.draw(Mark::fill(Ink::AccentSoft, window));
    let most = layout.members.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let (mut bins, mut spots) = (Vec::new(), Vec::new());
    for from in (0..layers).step_by(each) {
        let to = (from + each).min(layers);
        let members = || {
            layout.members[from..to]
                .iter()
                .flatten()
                .map(|v| *v as usize)
        };
        let wide = layout.members[from..to].iter().map(Vec::len).max();
        let high = (STRIP_PX * wide.unwrap_or(0) as f64 / most).max(2.0);
        let all = members().count();
        let left_to_run = members()
            .filter(|v| picture.state(*v) == Some(OpState::NotYet))
            .count();
        let w = (x(to) - x(from)).max(1.0);
        let air = if w > 2.5 { 1.0 } else { 0.0 };
        let bar = Rect::new(x(from), foot - high, w - air, high);
        let done = high * (all - left_to_run) as f64 / all.max(1) as f64;
        if done < high {
            let rest = Rect {
                h: high - done,
                ..bar
            };
            paper.draw(Mark::fill(Ink::LineStrong, rest));
        }
        if done > 0.0 {
            let ran = Rect {
                y: foot - done,
                h: done,
                ..bar
            };
            paper.draw(Mark::fill(Ink::HandOver, ran));
        }
        if members().any(|v| picture.state(v) == Some(OpState::Running)) {
            let now = Rect {
                y: top,
                h: STRIP_PX,
                ..bar
            };
            paper.draw(Mark::fill(Ink::Accent, now));
        }
        let steps = || members().map(|v| picture.ops[v].step);
        let middle = layout.members[usize::midpoint(from, to - 1)].iter();
        let pick = middle.map(|v| picture.ops[*v as usize].step).min();
        let rect = Rect {
            y: top,
            h: STRIP_PX,
            ..bar
        };
        spots.push(HitTarget {
            pick: pick.map(|step| step as f64),
            ..HitTarget::at(rect, usize::MAX, picture.ops.len() + bins.len())
        });
        bins.push(Bin {
            layers: (from, to - 1),
            ops: all,
            steps: (steps().min().unwrap_or(0), steps().max().unwrap_or(0)),
            pick: pick.unwrap_or(0),
        });
    }
    let line = Mark::line(Ink::LineStrong, 1.0, (left, foot), (right, foot));
    paper.draw(line);
    paper.draw(Mark::frame(Ink::Accent, &[], window));
    let shown = frame.visible_layers(layers);
    let shown = range((shown.start, shown.end.saturating_sub(1)), "–");
    let base = foot + WORDS_PX - 4.0;
    let full = format!("layers {shown} of {}", count(layers as f64));
    let middle = (window.x + window.w / 2.0)
        .max(90.0)
        .min(paper.width - 90.0);
    paper.offer(small(Anchor::Middle, (middle, base), full));
    paper.offer(small(Anchor::Start, (0.0, base), "1"));
    let last = count(layers as f64);
    paper.offer(small(Anchor::End, (paper.width, base), last));
    (bins, spots)
}
