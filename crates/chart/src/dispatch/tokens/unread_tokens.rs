//! The tokens that lie ready: written and not yet read.

use super::TokenLine;
use super::draw::TokensFrame;
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect};
use crate::paper::{LabelPlacer, small};
use engine::units::count;

/// The tokens that lie ready: an area in steps, and the line that a hand-over waits for.
pub(super) fn ready(paper: &mut LabelPlacer, line: &TokenLine, frame: &TokensFrame) {
    let (y, h) = frame.rows[2];
    let foot = y + h;
    let columns = columns(line, frame);
    let most = columns.iter().map(|column| column.1).max().unwrap_or(0);
    let needed = line
        .handover
        .map(|handover| handover.needed)
        .filter(|n| *n > 0);
    // Values far beyond the need of a hand-over are written, not drawn.
    let cap = match needed {
        Some(needed) if most as f64 > 3.8 * needed as f64 => (2.9 * needed as f64).max(4.0),
        _ => (most.max(needed.unwrap_or(0)).max(1)) as f64 * 1.08,
    };
    let y_of = |ready: f64| foot - ready.min(cap) / cap * h;
    let cut = columns.iter().position(|column| column.1 as f64 > cap);
    let drawn = &columns[..cut.map_or(columns.len(), |cut| cut + 1)];
    let mut top: Vec<(f64, f64)> = Vec::new();
    let mut at = 0;
    while at < drawn.len() {
        let same = drawn[at..]
            .iter()
            .take_while(|column| column.1 == drawn[at].1)
            .count();
        let (a, b) = (drawn[at].0, drawn[at + same - 1].0 + 1.0);
        let edge = y_of(drawn[at].1 as f64);
        if drawn[at].1 > 0 {
            let rect = Rect::new(a, edge, (b - a).min(frame.right - a), foot - edge);
            paper.draw(Mark::fill(Ink::LoadFill, rect));
        }
        top.extend([(a, edge), (b.min(frame.right), edge)]);
        at += same;
    }
    if top.len() > 1 {
        paper.draw(Mark::path(Ink::LoadEdge, 1.0, &[], top));
    }
    paper.draw(Mark::line(
        Ink::LineStrong,
        1.0,
        (frame.left, foot),
        (frame.right, foot),
    ));
    let end = cut.map(|cut| columns[cut].0);
    if let (Some(needed), Some(handover)) = (needed, line.handover) {
        let first = line.available_s.first().copied().unwrap_or(0.0);
        let until = line.available_s.get(handover.after).copied();
        let until = until.filter(|s| s.is_finite()).unwrap_or(handover.at_s);
        let (a, b) = (
            frame.px(first.max(frame.from)),
            frame.px(until.min(frame.until)),
        );
        let level = y_of(needed as f64);
        if b > frame.left {
            paper.draw(Mark::path(
                Ink::Text3,
                1.0,
                &[3.0, 3.0],
                vec![(a.min(b), level), (b, level)],
            ));
        }
        let x = frame.px(handover.at_s);
        let words = [
            format!("buffer of {}: enough to hand over", count(needed as f64)),
            format!("{} needed", count(needed as f64)),
        ];
        let spots = [
            (Anchor::Start, x + 6.0),
            (Anchor::End, x - 6.0),
            (Anchor::Start, a + 4.0),
        ];
        let offers = words.iter().flat_map(|text| {
            spots.map(|(anchor, x)| {
                small(anchor, (x, level - 5.0), &**text).with_halo(Ink::Background)
            })
        });
        let inside = |mark: &Mark| {
            mark.text_box()
                .is_none_or(|b| b.x >= frame.left && b.right() <= frame.right)
        };
        paper.offer_one(offers.filter(inside));
    }
    if let Some(x) = end {
        let all = (0..line.count()).map(|token| line.ready(line.available_s[token]));
        let all = all.max().unwrap_or(0);
        let words = [
            format!("then up to {} ahead of the reader", count(all as f64)),
            format!("then up to {}", count(all as f64)),
            format!("to {}", count(all as f64)),
        ];
        let places = words.iter().flat_map(|text| {
            let right = small(Anchor::Start, (x + 8.0, y + 10.0), &**text);
            let left = small(Anchor::End, (x - 6.0, y + 10.0), &**text);
            [right, left.with_halo(Ink::Background)]
        });
        let inside = |mark: &Mark| {
            mark.text_box()
                .is_none_or(|b| b.x >= frame.left && b.right() <= frame.right)
        };
        paper.offer_one(places.filter(inside));
    }
}

/// For each pixel of the plot the most tokens that lie ready in it.
fn columns(line: &TokenLine, frame: &TokensFrame) -> Vec<(f64, usize)> {
    let n = line.count();
    let (mut written, mut shown) = (0_usize, 0_usize);
    let mut found = Vec::new();
    // What lay ready before the view is counted in a column of its own, which is not drawn.
    let mut x = frame.left - if frame.from > 0.0 { 1.0 } else { 0.0 };
    while x < frame.right {
        let to = frame.x.value_from_px(x + 1.0);
        let mut most = written.saturating_sub(shown);
        loop {
            let next = line.available_s[..n]
                .get(written)
                .copied()
                .unwrap_or(f64::INFINITY);
            let read = line.shown_s[..n]
                .get(shown)
                .copied()
                .unwrap_or(f64::INFINITY);
            // A token that is shown when it is written was never ready.
            if next.min(read) > to || next.min(read).is_nan() {
                break;
            }
            if read <= next + super::HAIR_S && shown < written {
                shown += 1;
            } else if next <= read {
                written += 1;
                if read <= next + super::HAIR_S {
                    shown += 1;
                }
            } else {
                shown += 1;
            }
            most = most.max(written.saturating_sub(shown));
        }
        if x >= frame.left {
            found.push((x, most));
        }
        x += 1.0;
    }
    found
}
