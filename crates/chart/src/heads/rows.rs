//! Drawing of a row: cells with their numbers, ticks where heads come and go, and the strip of projection and FFN.

use super::axis::Bins;
use super::hits::{HeadHit, HeadPart};
use super::index::{HeadCell, HeadIndex, events_in, overlap};
use super::layout::HeadsFrame;
use super::{BlockMove, MovedBlock, key};
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect, text_width};
use engine::units::InOrder;
use engine::units::count;

/// Size of the number on a cell [px].
const NUMBER_SIZE: f64 = 11.0;
/// Least width of a bin of a strip [px].
const BIN_PX: f64 = 6.0;
/// Air left and right of a number on a cell [px].
const AIR_PX: f64 = 6.0;
/// Left and right of a tick no number stands [px].
const CLEAR_PX: f64 = 4.0;

impl HeadIndex {
    /// The cells of a row that are seen, slim neighbours as one, and one before and one after them.
    pub(super) fn cells(&self, frame: &HeadsFrame, (row, device): (usize, usize)) -> Vec<HeadHit> {
        let all = &self.data.rows[device].cells;
        let (from, to) = frame.scale.span_s();
        let first = all.partition_point(|cell| cell.to as f64 <= from);
        let end = all
            .partition_point(|cell| (cell.from as f64) - 1.0 < to)
            .max(first);
        let (y, h) = frame.bar(row);
        let least = frame.merged();
        let hit = |rect, cells: &[HeadCell]| HeadHit {
            rect,
            row,
            device,
            meaning: part_of(cells),
            from: cells.first().map_or(1, |cell| cell.from),
            to: cells.last().map_or(1, |cell| cell.to),
        };
        let mut items = Vec::new();
        if let Some(before) = first.checked_sub(1) {
            items.push(hit(None, &all[before..first]));
        }
        let mut start = first;
        while start < end {
            // As many as it takes to be wide enough; one that is wide is alone.
            let Some((a, mut b)) = frame.visible_span(all[start].from, all[start].to) else {
                start += 1;
                continue;
            };
            let mut after = start + 1;
            while b - a < least && after < end {
                let Some((_, right)) = frame.visible_span(all[after].from, all[after].to) else {
                    break;
                };
                if right - b >= least {
                    break;
                }
                b = right;
                after += 1;
            }
            let rect = Rect::new(a, y, (b - a).max(1.0), h);
            items.push(hit(Some(rect), &all[start..after]));
            start = after;
        }
        if end < all.len() {
            items.push(hit(None, &all[end..=end]));
        }
        items
    }

    /// The heads that come to a row and leave it, those of one place as one.
    pub(super) fn ticks(&self, frame: &HeadsFrame, (row, device): (usize, usize)) -> Vec<HeadHit> {
        let events = &self.data.rows[device].heads;
        let (from, to) = frame.scale.span_s();
        let token = |s: f64| s.clamp(0.0, self.data.tokens as f64) as usize;
        let seen = events_in(
            events,
            token(libm::ceil(from)) + 1,
            token(libm::floor(to)) + 1,
        );
        let (y, h) = frame.bar(row);
        let px = |token: usize| frame.scale.px_from_s(token as f64 - 1.0);
        let mut items = Vec::new();
        let mut start = seen.start;
        while start < seen.end {
            let first = events[start].token;
            let x = px(first);
            let is_here = |token: usize| token == first || px(token) - x < frame.merged() + 1.0;
            let own = events[start..seen.end].iter();
            let end = start + own.take_while(|event| is_here(event.token)).count();
            let last = events[end - 1].token;
            let middle = (x + px(last)) / 2.0;
            let own = &events[start..end];
            let of = |number: usize| &self.data.moves[number];
            items.push(HeadHit {
                rect: Some(Rect::new(middle - 2.0, y - 1.0, 4.0, h + 2.0)),
                row,
                device,
                meaning: HeadPart::Moves {
                    arrive: own.iter().filter(|event| event.arrives).count(),
                    leave: own.iter().filter(|event| !event.arrives).count(),
                    bytes: own.iter().map(|event| of(event.number).bytes).sum(),
                    seconds: own.iter().map(|event| of(event.number).seconds).sum(),
                    events: (start, end),
                },
                from: first,
                to: last,
            });
            start = end;
        }
        items
    }

    /// For which share of the tokens of each bin projection and FFN are on a device; nothing where they never are.
    pub(super) fn shares(&self, frame: &HeadsFrame, (row, device): (usize, usize)) -> Vec<HeadHit> {
        let own = &self.data.rows[device];
        let bins = Bins::of(&frame.scale, self.data.tokens, BIN_PX);
        let (y, h) = frame.strip(row);
        let mut items = Vec::new();
        for bin in bins.visible_tokens() {
            let (from, to) = bins.tokens(bin);
            let (projection, ffn) = (
                overlap(&own.projection, from, to),
                overlap(&own.ffn, from, to),
            );
            let Some((a, b)) = frame
                .visible_span(from, to)
                .filter(|_| projection + ffn > 0)
            else {
                continue;
            };
            let moved: Vec<&BlockMove> = own.blocks[events_in(&own.blocks, from, to)]
                .iter()
                .filter(|event| event.arrives)
                .map(|event| &self.data.moves[event.number])
                .collect();
            items.push(HeadHit {
                rect: Some(Rect::new(a, y, b - a, h)),
                row,
                device,
                meaning: HeadPart::Share {
                    projection,
                    ffn,
                    projection_arrives: count_of(&moved, MovedBlock::Projection),
                    ffn_arrives: count_of(&moved, MovedBlock::Ffn),
                    bytes: moved.iter().map(|one| one.bytes).sum(),
                    seconds: moved.iter().map(|one| one.seconds).sum(),
                },
                from,
                to,
            });
        }
        items
    }

    /// Draws the cells of a device, its ticks over them, and numbers where neither stands. Its first hit is number
    /// `first` of the chart.
    pub(super) fn draw_row(
        &self,
        frame: &HeadsFrame,
        (row, first): (usize, usize),
        hits: &[HeadHit],
        mut taken: Vec<(f64, f64)>,
        marks: &mut Vec<Mark>,
    ) {
        let (y, h) = frame.bar(row);
        let is_tick = |hit: &HeadHit| matches!(hit.meaning, HeadPart::Moves { .. });
        let ticks = hits
            .iter()
            .filter(|hit| is_tick(hit))
            .filter_map(|hit| hit.rect);
        taken.extend(ticks.map(|rect| (rect.x + 2.0 - CLEAR_PX, rect.x + 2.0 + CLEAR_PX)));
        taken.in_order_by(|a, b| a.0.total_cmp(&b.0));
        for (number, hit) in hits.iter().enumerate() {
            let Some(rect) = hit.rect else { continue };
            let from = marks.len();
            match hit.meaning {
                HeadPart::Held { heads: 0 } => {
                    let points = vec![(rect.x + 2.0, y + h / 2.0), (rect.right(), y + h / 2.0)];
                    marks.push(Mark::path(Ink::HandOver, 1.0, &[1.0, 5.0], points));
                }
                HeadPart::Held { heads } => {
                    cell(rect, heads, self.data.most, marks);
                    number_on(rect, heads, (self.data.most, h), &taken, marks);
                }
                HeadPart::Mixed { mean, .. } => {
                    let heads = libm::round(mean).max(1.0) as usize;
                    cell(rect, heads, self.data.most, marks);
                }
                _ => {}
            }
            for mark in &mut marks[from..] {
                mark.hit = Some(first + number);
            }
        }
        for (number, hit) in hits.iter().enumerate() {
            if let (Some(rect), HeadPart::Moves { arrive, .. }) = (hit.rect, hit.meaning) {
                let x = rect.x + 2.0;
                let top = if arrive > 0 { y - 1.0 } else { y + 0.6 * h };
                tick((x, top, y + h + 1.0), first + number, marks);
            }
        }
    }

    /// Draws where projection and FFN are on a device.
    pub(super) fn draw_strip(
        &self,
        frame: &HeadsFrame,
        (row, first): (usize, usize),
        hits: &[HeadHit],
        marks: &mut Vec<Mark>,
    ) {
        let (y, h) = frame.strip(row);
        let (left, right) = frame.scale.ends_px();
        marks.push(Mark::fill(Ink::Band, Rect::new(left, y, right - left, h)));
        let foot = y + h;
        let mut ticks = Vec::new();
        for (number, hit) in hits.iter().enumerate() {
            let (
                Some(rect),
                HeadPart::Share {
                    projection,
                    ffn,
                    projection_arrives,
                    ffn_arrives,
                    ..
                },
            ) = (hit.rect, hit.meaning)
            else {
                continue;
            };
            let of = (hit.to - hit.from + 1) as f64;
            let air = if rect.w >= 4.0 { 0.5 } else { 0.0 };
            let (x, w) = (rect.x + air, rect.w - 2.0 * air);
            if ffn > 0 {
                let high = (h * ffn as f64 / of).max(1.0);
                let bar = Rect::new(x, foot - high, w, high);
                marks.push(Mark::fill(Ink::ComputeFill, bar).of(first + number));
            }
            if projection > 0 && projection != ffn {
                let high = (h * projection as f64 / of).max(2.0);
                let line = Rect::new(x, foot - high, w, 2.0);
                marks.push(Mark::fill(Ink::ComputeEdge, line).of(first + number));
            }
            if hit.from == hit.to && projection_arrives + ffn_arrives > 0 {
                ticks.push((rect.x, first + number));
            }
        }
        for (x, hit) in ticks {
            tick((x, y - 1.0, foot + 1.0), hit, marks);
        }
    }
}

/// How many of some moves are of a block.
fn count_of(moves: &[&BlockMove], block: MovedBlock) -> usize {
    moves.iter().filter(|one| one.block == block).count()
}

/// Returns the meaning of a cell that covers several runs of tokens.
fn part_of(cells: &[HeadCell]) -> HeadPart {
    if let [only] = cells {
        return HeadPart::Held { heads: only.heads };
    }
    let long = |cell: &HeadCell| (cell.to - cell.from + 1) as f64;
    let all: f64 = cells.iter().map(long).sum();
    let held: f64 = cells
        .iter()
        .map(|cell| long(cell) * cell.heads as f64)
        .sum();
    HeadPart::Mixed {
        least: cells.iter().map(|cell| cell.heads).min().unwrap_or(0),
        most: cells.iter().map(|cell| cell.heads).max().unwrap_or(0),
        mean: held / all,
        runs: cells.len(),
    }
}

/// A cell, a hair apart from its neighbours where it is wide enough.
fn cell(rect: Rect, heads: usize, most: usize, marks: &mut Vec<Mark>) {
    let air = if rect.w > 4.0 { 0.5 } else { 0.0 };
    let rect = Rect::new(rect.x + air, rect.y, rect.w - 2.0 * air, rect.h);
    let Some((fill, _)) = key::inks(heads, most) else {
        return;
    };
    marks.push(Mark::tile(fill, 1.5, rect));
}

/// The number of a cell, at its left or right of what is there.
fn number_on(
    rect: Rect,
    heads: usize,
    (most, h): (usize, f64),
    taken: &[(f64, f64)],
    marks: &mut Vec<Mark>,
) {
    let Some((_, ink)) = key::inks(heads, most) else {
        return;
    };
    let text = count(heads as f64);
    let w = text_width(&text, NUMBER_SIZE, false);
    let mut x = rect.x + AIR_PX;
    let first = taken.partition_point(|(_, to)| *to <= rect.x);
    for (from, to) in &taken[first.min(taken.len())..] {
        if *from >= x + w || *from >= rect.right() {
            break;
        }
        x = x.max(*to);
    }
    if x + w + CLEAR_PX <= rect.right() {
        let at = (x, rect.y + h / 2.0 + 4.0);
        marks.push(Mark::text(ink, NUMBER_SIZE, Anchor::Start, at, text));
    }
}

/// An amber line between two heights on a ground of its own, so that it is seen on each grey.
fn tick((x, top, foot): (f64, f64, f64), hit: usize, marks: &mut Vec<Mark>) {
    let line = |w: f64| Rect::new(x - w / 2.0, top, w, foot - top);
    marks.push(Mark::fill(Ink::Background, line(4.0)).of(hit));
    marks.push(Mark::fill(Ink::TransferEdge, line(2.0)).of(hit));
}
