//! The greys of numbers of heads, and the keys to the marks of a map and of the times under it.

use super::{HeadIndex, step_of_heads, steps_of_heads};
use crate::ink::Ink;
use crate::legend::{self, entries};
use crate::mark::{Mark, Picture, Rect};

/// Fill of a cell and ink of the number on it; none where there is no head.
pub(super) fn inks(heads: usize, most: usize) -> Option<(Ink, Ink)> {
    let (soft, strong) = (Ink::HeadsInk, Ink::HeadsInkStrong);
    let steps = [
        (Ink::Heads1, soft),
        (Ink::Heads2, soft),
        (Ink::Heads3, soft),
        (Ink::Heads4, strong),
        (Ink::Heads5, strong),
    ];
    step_of_heads(heads, most).map(|step| steps[step])
}

/// The key to the marks of a map in lines of at most `width_px`: which greys are which numbers, and the rest.
#[must_use]
pub fn head_map_legend(index: &HeadIndex, width_px: f64) -> Picture {
    let rect = Rect::new(0.0, 0.0, legend::W, legend::H);
    let steps = steps_of_heads(index.data.most);
    let count = steps.len();
    let mut all: Vec<(Vec<Mark>, String)> = Vec::new();
    for (at, (from, to)) in steps.into_iter().enumerate() {
        let Some((ink, _)) = inks(to, index.data.most) else {
            continue;
        };
        let cell = Mark::tile(ink, 1.5, rect);
        let mut word = if from == to {
            to.to_string()
        } else {
            format!("{from}–{to}")
        };
        if at + 1 == count {
            word.push_str(if to == 1 { " head" } else { " heads" });
        }
        all.push((vec![cell], word));
    }
    let tick = |top: f64| Mark::fill(Ink::TransferEdge, Rect::new(7.0, top, 2.0, 12.0 - top));
    if index.data.head_moves > 0 {
        all.push((vec![tick(0.0)], "Head arrives".into()));
        all.push((vec![tick(7.0)], "Head leaves".into()));
    }
    let rows = &index.data.rows;
    let bars = || {
        let bar = |x: f64, h: f64| Mark::fill(Ink::ComputeFill, Rect::new(x, 12.0 - h, 4.0, h));
        vec![bar(0.0, 5.0), bar(5.0, 11.0), bar(10.0, 8.0)]
    };
    let line = || Mark::fill(Ink::ComputeEdge, Rect::new(0.0, 4.0, 16.0, 2.0));
    let has_ffn = rows.iter().any(|row| !row.ffn.is_empty());
    let has_projection = rows.iter().any(|row| !row.projection.is_empty());
    let apart = rows.iter().any(|row| row.projection != row.ffn);
    if has_ffn && has_projection && !apart {
        all.push((bars(), "Projection, FFN here".into()));
    } else {
        all.extend(has_ffn.then(|| (bars(), "FFN here".into())));
        all.extend(has_projection.then(|| (vec![line()], "Projection here".into())));
    }
    entries(all, width_px)
}

/// The key to the times of tokens in lines of at most `width_px`.
#[must_use]
pub fn times_legend(width_px: f64) -> Picture {
    let rect = Rect::new(0.0, 0.0, legend::W, legend::H);
    let all = super::times::PHASES.map(|phase| (phase.marks(rect), phase.name().to_owned()));
    entries(all, width_px)
}
