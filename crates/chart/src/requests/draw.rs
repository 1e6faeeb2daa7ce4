//! How a row is drawn: its name, its stays and passes, and what is beyond its lanes.

use super::hits::{RequestHit, RequestPart, marked};
use super::index::RequestIndex;
use super::layout::{FOOTED_PX, MERGED_PX, NUMBER_SIZE, RequestsFrame};
use super::sketch::RowSketch;
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect, cut, fit, text_width};
use crate::rows::{NAME_CHARS, NAME_SIZE, NAME_X, SMALL_SIZE};

/// Lower bars have no number [px].
const NUMBERED_PX: f64 = 10.0;

/// Air round a number [px].
const AIR_PX: f64 = 3.0;

/// Shade and name, a line where a tier begins, and how high a profile goes.
pub(super) fn head(
    index: &RequestIndex,
    frame: &RequestsFrame,
    (at, most): (usize, Option<usize>),
    marks: &mut Vec<Mark>,
) {
    let node = &index.nodes[at];
    let (top, foot) = (frame.tops[at], frame.tops[at + 1]);
    if at > 0 && index.nodes[at - 1].tier != node.tier {
        marks.push(Mark::line(Ink::Line, 1.0, (0.0, top), (frame.width, top)));
    }
    let (left, _) = frame.scale.ends_px();
    let in_gutter = !frame.above;
    let base = match (in_gutter, most) {
        (false, _) => top + 14.0,
        (true, None) => (top + foot) / 2.0 + 4.5,
        (true, Some(_)) => (top + foot) / 2.0 - 2.0,
    };
    marks.push(Mark::shade(node.shade, (0.0, base - 9.5)));
    let name = cut(&node.name, NAME_CHARS);
    let room = if in_gutter {
        left - NAME_X - 4.0
    } else {
        0.6 * frame.width
    };
    let name = fit(&name, room, NAME_SIZE);
    marks.push(Mark::text(
        Ink::Text,
        NAME_SIZE,
        Anchor::Start,
        (NAME_X, base),
        name,
    ));
    if let Some(most) = most {
        let text = format!("up to {most}");
        let (at, anchor, fits) = if in_gutter {
            let fits = NAME_X + text_width(&text, SMALL_SIZE, false) < left - 2.0;
            ((NAME_X, base + 12.0), Anchor::Start, fits)
        } else {
            ((frame.width, base), Anchor::End, true)
        };
        if fits {
            marks.push(Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text));
        }
    }
}

/// Draws a row; its first hit is number `first` of the chart.
pub(super) fn draw(
    index: &RequestIndex,
    frame: &RequestsFrame,
    first: usize,
    sketch: &RowSketch,
    marks: &mut Vec<Mark>,
) {
    for (number, hit) in sketch.items.iter().enumerate() {
        let Some(rect) = hit.rect else { continue };
        let from = marks.len();
        let is_marked = index.marked.is_some() && hit.task == index.marked;
        match hit.meaning {
            RequestPart::Stay { .. } if rect.w <= MERGED_PX => {
                marks.push(Mark::fill(Ink::HandOver, rect));
            }
            RequestPart::Stay {
                worked_s,
                prefill_to_s,
                ..
            } => {
                stay(frame, hit, rect, (worked_s, prefill_to_s), is_marked, marks);
            }
            RequestPart::Pass { pass, .. } => {
                pass_bar(hit.task.unwrap_or(0), pass, rect, is_marked, marks);
            }
            RequestPart::Many { .. } => marks.push(Mark::fill(Ink::HandOver, rect)),
            RequestPart::Occupied { .. } => marks.push(Mark::fill(Ink::HandOver, rect)),
            RequestPart::Beyond { most } => beyond(most, rect, marks),
        }
        if is_marked {
            marks.extend(marked(rect));
        }
        for mark in &mut marks[from..] {
            mark.hit = Some(first + number);
        }
    }
}

/// A stay: light, with the prefill as a dark foot, a line as long as the node worked on it, and its number.
fn stay(
    frame: &RequestsFrame,
    hit: &RequestHit,
    rect: Rect,
    (worked_s, prefill_to_s): (f64, Option<f64>),
    strong: bool,
    marks: &mut Vec<Mark>,
) {
    marks.push(Mark::bar(Ink::MeterTrack, Ink::HandOver, rect));
    if rect.w < FOOTED_PX {
        return;
    }
    let end = rect.right() - 1.0;
    let line = frame.scale.seen_px(hit.from_s, hit.from_s + worked_s);
    if let Some((a, b)) = line
        .map(|(a, b)| (a.max(rect.x + 1.0), b.min(end)))
        .filter(|(a, b)| b > a)
    {
        let served = Rect::new(a, rect.bottom() - 2.0, b - a, 2.0);
        marks.push(Mark::fill(Ink::ComputeEdge, served));
    }
    let prefill = prefill_to_s.and_then(|to| frame.scale.seen_px(hit.from_s, to));
    let mut foot_end = rect.x;
    if let Some((_, b)) = prefill {
        foot_end = b.max(rect.x + 3.0).min(end);
        let foot = Rect::new(rect.x, rect.y, foot_end - rect.x, rect.h);
        marks.push(Mark::bar(Ink::ComputeFill, Ink::ComputeEdge, foot));
    }
    let Some(task) = hit.task.filter(|_| rect.h >= NUMBERED_PX) else {
        return;
    };
    let text = (task + 1).to_string();
    let w = text_width(&text, NUMBER_SIZE, strong) + 2.0 * AIR_PX;
    let (x, ink) = if foot_end + w <= end {
        (foot_end, Ink::Text)
    } else if rect.x + w <= foot_end {
        (rect.x, Ink::ComputeInk)
    } else {
        return;
    };
    let base = rect.y + (rect.h - 2.0) / 2.0 + 3.6;
    let number = Mark::text(ink, NUMBER_SIZE, Anchor::Start, (x + AIR_PX, base), text);
    marks.push(if strong { number.strong() } else { number });
}

/// A pass: the prefill filled, a decode pass pale.
fn pass_bar(task: usize, pass: u32, rect: Rect, strong: bool, marks: &mut Vec<Mark>) {
    let (fill, ink) = if pass == 0 {
        (Ink::ComputeFill, Ink::ComputeInk)
    } else {
        (Ink::DecodeFill, Ink::Text)
    };
    marks.push(Mark::bar(fill, Ink::ComputeEdge, rect));
    let text = (task + 1).to_string();
    let size = if rect.h >= 14.0 {
        SMALL_SIZE
    } else {
        NUMBER_SIZE
    };
    let strong = strong || pass == 0;
    if rect.h >= NUMBERED_PX && text_width(&text, size, strong) + 2.0 * AIR_PX <= rect.w {
        let at = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0 + 4.0);
        let number = Mark::text(ink, size, Anchor::Middle, at, text);
        marks.push(if strong { number.strong() } else { number });
    }
}

/// Stays beyond the lanes: a strip, with how many more there are.
fn beyond(most: usize, rect: Rect, marks: &mut Vec<Mark>) {
    marks.push(Mark::bar(Ink::Band, Ink::HandOver, rect));
    if rect.h < NUMBERED_PX {
        return;
    }
    for text in [format!("+{most} at once"), format!("+{most}")] {
        if text_width(&text, NUMBER_SIZE, false) + 2.0 * AIR_PX <= rect.w {
            let at = (rect.x + AIR_PX, rect.y + rect.h / 2.0 + 3.5);
            marks.push(Mark::text(Ink::Text2, NUMBER_SIZE, Anchor::Start, at, text));
            return;
        }
    }
}
