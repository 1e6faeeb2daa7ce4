//! A map sorted once, so that a view of it costs what is seen and not what there is.

use super::{BlockMove, DeviceRow, HeadMap, HostedBlock, MovedBlock};
use engine::units::InOrder;
use std::ops::Range;
use std::sync::Arc;

/// A map of heads, sorted for being looked at.
///
/// # Complexity
/// O(n log n) in the spans, runs and moves to make; see [`HeadIndex::layout`] for what a view costs. A copy and
/// [`HeadIndex::scrubbed`] share what was sorted.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadIndex {
    pub(super) data: Arc<Sorted>,
    /// The token under the scrub line.
    pub(super) at: Option<usize>,
}

/// Content of a map, sorted for lookup.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sorted {
    pub note_title: String,
    pub devices: Vec<DeviceRow>,
    pub tokens: usize,
    /// For how many tokens a placement stays, at least 1.
    pub interval: usize,
    /// Most heads on one device at once.
    pub most: usize,
    pub rows: Vec<DeviceIndex>,
    /// Moves that say something, in order of their tokens.
    pub moves: Vec<BlockMove>,
    /// How many of them move heads.
    pub head_moves: usize,
}

/// Content of a device's row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct DeviceIndex {
    /// From the first token to the last, without gaps.
    pub cells: Vec<HeadCell>,
    /// Disjoint and in order.
    pub projection: Vec<(usize, usize)>,
    /// Disjoint and in order.
    pub ffn: Vec<(usize, usize)>,
    /// Heads that come and go, in order.
    pub heads: Vec<HeadEvent>,
    /// Projection and FFN as they come and go, in order.
    pub blocks: Vec<HeadEvent>,
}

/// A run of tokens with one number of heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadCell {
    /// First token.
    pub from: usize,
    /// Last token.
    pub to: usize,
    pub heads: usize,
}

/// A move as one of its two devices sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadEvent {
    /// The first token that is computed after it.
    pub token: usize,
    pub arrives: bool,
    /// Its place in [`Sorted::moves`].
    pub number: usize,
}

impl DeviceIndex {
    /// Returns true if projection or FFN are ever on this device.
    pub fn has_strip(&self) -> bool {
        !self.projection.is_empty() || !self.ffn.is_empty()
    }
}

/// The tokens from `from` to `to` that are in sorted disjoint runs.
pub(super) fn overlap(runs: &[(usize, usize)], from: usize, to: usize) -> usize {
    let first = runs.partition_point(|run| run.1 < from);
    let seen = runs[first..].iter().take_while(|run| run.0 <= to);
    seen.map(|(a, b)| (to.min(*b) + 1).saturating_sub(from.max(*a)))
        .sum()
}

/// The events that come before the tokens from `from` to `to` are computed.
pub(super) fn events_in(events: &[HeadEvent], from: usize, to: usize) -> Range<usize> {
    let first = events.partition_point(|event| event.token < from);
    first..first.max(events.partition_point(|event| event.token <= to))
}

impl HeadIndex {
    /// Sorts a map.
    #[must_use]
    pub fn of(map: &HeadMap) -> Self {
        let (n, tokens) = (map.devices.len(), map.tokens);
        let mut rows = vec![DeviceIndex::default(); n];
        let mut spans: Vec<Vec<HeadCell>> = vec![Vec::new(); n];
        for span in &map.spans {
            if let Some(own) = spans.get_mut(span.device) {
                own.push(HeadCell {
                    from: span.from,
                    to: span.to,
                    heads: span.heads,
                });
            }
        }
        for (row, spans) in rows.iter_mut().zip(spans) {
            row.cells = without_gaps(spans, tokens);
        }
        for (runs, of) in [(&map.projection, Which::Projection), (&map.ffn, Which::Ffn)] {
            for (device, own) in by_device(runs, n, tokens).into_iter().enumerate() {
                match of {
                    Which::Projection => rows[device].projection = own,
                    Which::Ffn => rows[device].ffn = own,
                }
            }
        }
        let says = |one: &&BlockMove| {
            one.from < n && one.to < n && one.from != one.to && (1..=tokens).contains(&one.token)
        };
        let mut moves: Vec<BlockMove> = map.moves.iter().filter(says).copied().collect();
        moves.in_order_of(|one| (one.token, one.from, one.to, one.block));
        for (number, one) in moves.iter().enumerate() {
            for (device, arrives) in [(one.from, false), (one.to, true)] {
                let event = HeadEvent {
                    token: one.token,
                    arrives,
                    number,
                };
                match one.block {
                    MovedBlock::Head(_) => rows[device].heads.push(event),
                    MovedBlock::Projection | MovedBlock::Ffn => rows[device].blocks.push(event),
                }
            }
        }
        let cells = rows.iter().flat_map(|row| &row.cells);
        let most = cells.map(|cell| cell.heads).max().unwrap_or(0);
        let is_head = |one: &&BlockMove| matches!(one.block, MovedBlock::Head(_));
        let data = Sorted {
            note_title: map.note_title.clone(),
            devices: map.devices.clone(),
            tokens,
            interval: map.interval.max(1),
            most,
            head_moves: moves.iter().filter(is_head).count(),
            rows,
            moves,
        };
        Self {
            data: Arc::new(data),
            at: map.at,
        }
        .scrubbed(map.at)
    }

    /// Returns the map with its line at another token; without a line if there is no such token.
    #[must_use]
    pub fn scrubbed(&self, at: Option<usize>) -> Self {
        Self {
            data: self.data.clone(),
            at: at.filter(|at| (1..=self.data.tokens).contains(at)),
        }
    }
}

impl HeadIndex {
    /// Where projection and FFN are at a token, and how many blocks move before the interval that it belongs to; `None` where
    /// there is no such token.
    #[must_use]
    pub fn sentence(&self, token: usize) -> Option<String> {
        let data = &self.data;
        let holder = |runs: fn(&DeviceIndex) -> &[(usize, usize)]| {
            let holds = |row: &DeviceIndex| overlap(runs(row), token, token) > 0;
            let device = data.rows.iter().position(holds)?;
            data.devices.get(device).map(|device| device.name.as_str())
        };
        let (projection, ffn) = (holder(|row| &row.projection)?, holder(|row| &row.ffn)?);
        let seat = match projection == ffn {
            true => format!("Projection and FFN on {ffn}"),
            false => format!("Projection on {projection}, FFN on {ffn}"),
        };
        let before = match interval_begin(token, data.interval) {
            begin if begin == token => "it".to_owned(),
            begin => format!("token {begin}, where its interval began"),
        };
        let moved = match data.moves_at(token).len() {
            0 => format!("Nothing moves before {before}."),
            1 => format!("1 block moves before {before}."),
            n => format!("{n} blocks move before {before}."),
        };
        Some(format!("{seat}. {moved}"))
    }
}

/// The first token of the interval that a token belongs to, both from 1; a placement stays for `interval` tokens.
#[must_use]
pub fn interval_begin(token: usize, interval: usize) -> usize {
    let before = token.saturating_sub(1);
    before - before % interval.max(1) + 1
}

impl Sorted {
    /// The moves that a token's interval began with, by their place. O(log n).
    pub fn moves_at(&self, token: usize) -> Range<usize> {
        let begin = interval_begin(token, self.interval);
        let end = begin.saturating_add(self.interval);
        let first = self.moves.partition_point(|one| one.token < begin);
        first..first.max(self.moves.partition_point(|one| one.token < end))
    }
}

/// Which of the two blocks that follow the heads.
#[derive(Clone, Copy)]
enum Which {
    Projection,
    Ffn,
}

/// Spans of one device as cells from the first token to the last: where none is, there is no head; of two that
/// overlap the later one begins after the earlier; neighbours with one number are one.
fn without_gaps(mut spans: Vec<HeadCell>, tokens: usize) -> Vec<HeadCell> {
    spans.in_order_of(|span| (span.from, span.to));
    let mut cells: Vec<HeadCell> = Vec::new();
    let mut add = |cell: HeadCell| match cells.last_mut() {
        Some(last) if last.heads == cell.heads => last.to = cell.to,
        _ => cells.push(cell),
    };
    let mut next = 1;
    for span in spans {
        let (from, to) = (span.from.max(next), span.to.min(tokens));
        if from > to {
            continue;
        }
        if from > next {
            add(HeadCell {
                from: next,
                to: from - 1,
                heads: 0,
            });
        }
        add(HeadCell {
            from,
            to,
            heads: span.heads,
        });
        next = to + 1;
    }
    if next <= tokens {
        add(HeadCell {
            from: next,
            to: tokens,
            heads: 0,
        });
    }
    cells
}

/// The runs of each device, in order and disjoint.
fn by_device(runs: &[HostedBlock], devices: usize, tokens: usize) -> Vec<Vec<(usize, usize)>> {
    let mut sorted: Vec<&HostedBlock> = runs.iter().filter(|run| run.device < devices).collect();
    sorted.in_order_of(|run| (run.device, run.from, run.to));
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new(); devices];
    for run in sorted {
        let own = &mut all[run.device];
        let next = own.last().map_or(1, |last| last.1 + 1);
        let (from, to) = (run.from.max(next), run.to.min(tokens));
        if from > to {
            continue;
        }
        match own.last_mut() {
            Some(last) if last.1 + 1 == from => last.1 = to,
            _ => own.push((from, to)),
        }
    }
    all
}
