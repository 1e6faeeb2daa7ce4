//! The places of a request's timeline, and the key to its marks.

use super::draw::{TICK_PX, TokensFrame, hatched, written_by};
use super::{TokenMark, TokensDescriber, Writer};
use crate::ink::Ink;
use crate::interaction::{HitTarget, HitTest, RowHits};
use crate::legend::{self, entries};
use crate::mark::{Mark, Picture, Rect};

/// A place is caught within this distance along its row [px].
const CATCH_PX: f64 = 10.0;

/// The places of all rows.
pub(super) fn spots(describer: &TokensDescriber, frame: &TokensFrame) -> RowHits {
    let line = &describer.line;
    let n = line.count();
    let mut rows: [Vec<HitTarget>; 4] = Default::default();
    let tick = |x: f64, row: usize| {
        let (y, h) = frame.rows[row];
        Rect::new(x - 1.5, y + (h - TICK_PX) / 2.0, 3.0, TICK_PX)
    };
    for token in 0..n {
        let (written, shown) = (line.available_s[token], line.shown_s[token]);
        if frame.sees(written) {
            let row = TokensFrame::row_of(line.writers[token]);
            let rect = tick(frame.px(written), row);
            rows[row].push(HitTarget::at(
                rect,
                row,
                TokensDescriber::number(token, TokenMark::Written),
            ));
        }
        if frame.sees(shown) {
            let x = frame.px(shown);
            rows[3].push(HitTarget::at(
                tick(x, 3),
                3,
                TokensDescriber::number(token, TokenMark::Read),
            ));
            let (y, h) = frame.rows[2];
            let rect = Rect::new(x - 1.5, y, 3.0, h);
            rows[2].push(HitTarget::at(
                rect,
                2,
                TokensDescriber::number(token, TokenMark::Ready),
            ));
        }
    }
    for (at, start) in line.starts.iter().enumerate() {
        if !(start.to_s > start.from_s.max(frame.from)
            && start.from_s >= 0.0
            && start.from_s < frame.until)
        {
            continue;
        }
        let row = TokensFrame::row_of(start.by);
        let (y, h) = frame.rows[row];
        let (a, b) = (
            frame.px(start.from_s.max(frame.from)),
            frame.px(start.to_s.min(frame.until)),
        );
        let rect = Rect::new(a, y, (b - a).max(1.0), h);
        rows[row].push(HitTarget::at(rect, row, describer.start_number(at)));
    }
    let mut spots = RowHits::default();
    for (row, own) in rows.into_iter().enumerate() {
        let (y, h) = frame.rows[row];
        let band = Rect::new(0.0, y - 5.0, frame.right + 8.0, h + 10.0);
        spots.row(band, HitTest::Column(CATCH_PX), own);
    }
    spots
}

/// The key to the marks of a request in lines of at most `width_px`.
#[must_use]
pub fn tokens_legend(width_px: f64) -> Picture {
    let rect = Rect::new(0.0, 0.0, legend::W, legend::H);
    let bars = |writer| {
        let bar = |x: f64| written_by(writer, Rect::new(x, 0.0, 2.5, 12.0));
        [1.0, 6.5, 12.0]
            .into_iter()
            .flat_map(bar)
            .collect::<Vec<_>>()
    };
    let late = Mark::path(
        Ink::StallEdge,
        3.0,
        &[4.0, 2.0],
        vec![(8.0, 0.0), (8.0, 12.0)],
    );
    let all = [
        (bars(Writer::Device), "Device\u{2019}s tokens"),
        (bars(Writer::Server), "Server\u{2019}s tokens"),
        (hatched(rect, false), "Starts"),
        (hatched(rect, true), "Stopped"),
        (
            vec![Mark::bar(Ink::LoadFill, Ink::LoadEdge, rect)],
            "Written, not yet read",
        ),
        (vec![late], "Late"),
    ];
    let all = all
        .into_iter()
        .map(|(marks, word)| (marks, word.to_owned()));
    entries(all, width_px)
}
