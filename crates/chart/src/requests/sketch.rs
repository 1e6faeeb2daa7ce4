//! Level of detail of a row: single passes, stays with narrow neighbours merged, or a profile.

use super::hits::{RequestHit, RequestPart};
use super::index::{HasSpan, NodeIndex, PassSpan, RowSpans, Stay};
use super::layout::{FOOTED_PX, MERGED_PX, RequestsFrame};
use crate::mark::Rect;
use engine::units::InOrder;
use std::ops::Range;

/// Least width of a step of a profile [px].
const STEP_PX: f64 = 3.0;

/// Marks of a row, in order of time.
pub(super) struct RowSketch {
    pub(super) items: Vec<RequestHit>,
    /// Most requests at once, where the row is a profile.
    pub(super) most: Option<usize>,
}

/// Decides what of a row is drawn, and where.
pub(super) fn sketch(frame: &RequestsFrame, at: usize, row: &NodeIndex) -> RowSketch {
    let mut items = if frame.is_passes {
        passes(frame, at, row)
    } else {
        let seen: usize = row
            .lanes
            .iter()
            .map(|lane| touching(frame, lane).len())
            .sum();
        // A row of slim bars takes a mark each; more than a row may have would merge in any case.
        let found = (seen <= 8 * frame.budget).then(|| stays(frame, at, row));
        match found.filter(|items| cost(items) <= frame.budget) {
            Some(items) => items,
            None => {
                return RowSketch {
                    items: profile(frame, at, row),
                    most: Some(row.most),
                };
            }
        }
    };
    let key = |hit: &RequestHit| (hit.from_s, hit.rect.map_or(0.0, |rect| rect.y));
    items.in_order_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    RowSketch { items, most: None }
}

/// How many marks some stays take, at most.
fn cost(items: &[RequestHit]) -> usize {
    let of = |hit: &RequestHit| match hit.rect {
        Some(rect) if rect.w >= FOOTED_PX => 4,
        Some(_) => 1,
        None => 0,
    };
    items.iter().map(of).sum()
}

fn touching<T: HasSpan>(frame: &RequestsFrame, spans: &RowSpans<T>) -> Range<usize> {
    let (from, to) = frame.scale.span_s();
    spans.touching(from, to)
}

fn pass_item(frame: &RequestsFrame, at: usize, lanes: usize, pass: &PassSpan) -> RequestHit {
    let seen = frame.scale.seen_px(pass.from, pass.to);
    let rect = seen.zip(pass.lane).map(|((a, b), lane)| {
        let (y, h) = frame.lane(at, lane, lanes, 0.0);
        Rect::new(a, y, (b - a).max(1.0), h)
    });
    RequestHit {
        rect,
        row: at,
        task: Some(pass.task),
        meaning: RequestPart::Pass {
            pass: pass.pass,
            waited_s: pass.from - pass.ready,
            overlapping: pass.unlaned_passes,
        },
        from_s: pass.from,
        to_s: pass.to,
    }
}

/// The passes that are seen, and one before and one after them.
fn passes(frame: &RequestsFrame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
    let range = touching(frame, &row.passes);
    let from = range.start.saturating_sub(1);
    let to = (range.end + 1).min(row.passes.all.len());
    let all = row.passes.all[from..to].iter();
    let own = all.filter(|pass| pass.lane.is_some());
    own.map(|pass| pass_item(frame, at, row.pass_lanes, pass))
        .collect()
}

fn stay_item(frame: &RequestsFrame, at: usize, (y, h): (f64, f64), stay: &Stay) -> RequestHit {
    let seen = frame.scale.seen_px(stay.from, stay.to);
    RequestHit {
        rect: seen.map(|(a, b)| Rect::new(a, y, (b - a).max(1.0), h)),
        row: at,
        task: Some(stay.task),
        meaning: RequestPart::Stay {
            worked_s: stay.worked,
            passes: stay.passes,
            prefill_to_s: stay.prefill_to,
        },
        from_s: stay.from,
        to_s: stay.to,
    }
}

/// The stays that are seen, slim neighbours merged, and in each lane one before and one after them.
fn stays(frame: &RequestsFrame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
    let mut items: Vec<RequestHit> = Vec::new();
    let below = if row.beyond.all.is_empty() {
        0.0
    } else {
        frame.beyond
    };
    for (number, lane) in row.lanes.iter().enumerate() {
        let place = frame.lane(at, number, row.lanes.len(), below);
        let range = touching(frame, lane);
        let own = lane.all[range.clone()].iter();
        let own = own.map(|stay| stay_item(frame, at, place, stay));
        merge(own, &mut items);
        let outside = [range.start.checked_sub(1), Some(range.end)];
        let outside = outside
            .into_iter()
            .flatten()
            .filter_map(|n| lane.all.get(n));
        items.extend(outside.map(|stay| stay_item(frame, at, place, stay)));
    }
    let (_, foot) = frame.bar_span(at);
    let strip = row.beyond.all[touching(frame, &row.beyond)].iter();
    let strip = strip.filter_map(|beyond| {
        let (a, b) = frame.scale.seen_px(beyond.from, beyond.to)?;
        let rect = Rect::new(
            a,
            foot - frame.beyond - 1.0,
            (b - a).max(1.0),
            frame.beyond - 1.0,
        );
        Some(RequestHit {
            rect: Some(rect),
            row: at,
            task: None,
            meaning: RequestPart::Beyond { most: beyond.most },
            from_s: beyond.from,
            to_s: beyond.to,
        })
    });
    merge(strip, &mut items);
    items
}

/// Adds marks from left to right, slim ones that follow one another within a pixel as one.
fn merge(items: impl Iterator<Item = RequestHit>, out: &mut Vec<RequestHit>) {
    let mut run: Option<RequestHit> = None;
    for item in items {
        let Some(rect) = item.rect else {
            continue;
        };
        let is_slim = rect.w <= MERGED_PX;
        let joins = run.as_mut().filter(|run| {
            let end = run.rect.map_or(f64::NEG_INFINITY, |r| r.right());
            is_slim && rect.x <= end + MERGED_PX
        });
        if let Some(hit) = joins {
            hit.meaning = match (hit.meaning, item.meaning) {
                (RequestPart::Beyond { most }, RequestPart::Beyond { most: other }) => {
                    RequestPart::Beyond {
                        most: most.max(other),
                    }
                }
                (RequestPart::Many { count }, _) => RequestPart::Many { count: count + 1 },
                _ => RequestPart::Many { count: 2 },
            };
            hit.task = None;
            hit.to_s = hit.to_s.max(item.to_s);
            if let Some(whole) = &mut hit.rect {
                whole.w = rect.right() - whole.x;
            }
        } else {
            out.extend(run.take());
            if is_slim {
                run = Some(item);
            } else {
                out.push(item);
            }
        }
    }
    out.extend(run);
}

/// A row as a profile: how many requests it holds on average, in steps as high as that.
fn profile(frame: &RequestsFrame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
    let (left, right) = frame.scale.ends_px();
    let steps = ((right - left) / STEP_PX).floor();
    let steps = steps.min(frame.budget as f64 - 8.0).max(1.0) as usize;
    let (top, foot) = frame.bar_span(at);
    let (top, foot) = (top + 3.0, foot - 2.0);
    let edge = |k: usize| left + (right - left) * k as f64 / steps as f64;
    let (first_s, _) = frame.scale.span_s();
    let before = row.in_progress.partition_point(|(s, _)| *s <= first_s);
    let mut start = before.saturating_sub(1);
    let mut items: Vec<RequestHit> = Vec::new();
    for k in 0..steps {
        let (a, b) = (edge(k), edge(k + 1));
        let (from_s, to_s) = (frame.scale.s_from_px(a), frame.scale.s_from_px(b));
        let (most, mean, next) = row.in_progress_during(from_s, to_s, start);
        start = next;
        if most == 0 {
            continue;
        }
        // In whole pixels, so that steps that look alike become one.
        let h = libm::round((foot - top) * mean / row.most.max(1) as f64).max(1.0);
        if let Some(hit) = items.last_mut()
            && let (RequestPart::Occupied { most: m, mean: of }, Some(rect)) =
                (&mut hit.meaning, &mut hit.rect)
            && rect.h == h
            && rect.right() > a - 0.5
        {
            let (old, new) = (from_s - hit.from_s, to_s - from_s);
            (*m, *of) = (most.max(*m), (*of * old + mean * new) / (old + new));
            (rect.w, hit.to_s) = (b - rect.x, to_s);
            continue;
        }
        items.push(RequestHit {
            rect: Some(Rect::new(a, foot - h, b - a, h)),
            row: at,
            task: None,
            meaning: RequestPart::Occupied { most, mean },
            from_s,
            to_s,
        });
    }
    items
}
