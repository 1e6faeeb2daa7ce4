//! Where everything in the timeline of a request stands.

use super::hit_targets::spots;
use super::unread_tokens::ready;
use super::{ChartHandover, RaceStart, TokenLine, TokensDescriber, Writer};
use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::interaction::{AxisUnit, ChartLayout, InteractiveChart, MarkDescriber};
use crate::mark::{Anchor, Mark, MarkShape, Rect, Slant, fit, text_width};
use crate::paper::{LabelPlacer, SMALL_SIZE, TEXT_SIZE, small};
use crate::scale::{TimeFormat, ValueScale};
use engine::units::{NARROW, count};

/// Below this width [px] names are above their rows.
const PHONE_PX: f64 = 560.0;
/// Width of the gutter of names [px].
const GUTTER_PX: f64 = 150.0;
/// Height of the axis, of a name above its row, and between rows [px].
const AXIS_PX: f64 = 24.0;
const HEAD_PX: f64 = 17.0;
const GAP_PX: f64 = 14.0;
/// Heights of the rows: device, server, ready, reader [px].
const ROWS_PX: [f64; 4] = [24.0, 24.0, 54.0, 24.0];
/// Height of a tick in its row [px], and its greatest width.
pub(super) const TICK_PX: f64 = 18.0;
const TICK_WIDE_PX: f64 = 2.5;
/// Closer ticks are one bar [px].
const SOLID_PX: f64 = 2.4;
/// A tick of the reader takes at least this where the chart chooses its span itself [px].
const READ_PX: f64 = 4.0;
/// Shorter pauses of the reader are not drawn [px].
const PAUSE_PX: f64 = 4.0;

/// The measures of one chart.
pub(super) struct TokensFrame {
    phone: bool,
    pub left: f64,
    pub right: f64,
    pub from: f64,
    pub until: f64,
    pub x: ValueScale,
    /// Upper edge and height of each row [px].
    pub rows: [(f64, f64); 4],
}

impl TokensFrame {
    pub fn px(&self, s: f64) -> f64 {
        self.x.px_from_value(s)
    }

    pub fn sees(&self, s: f64) -> bool {
        (self.from..=self.until * (1.0 + 1e-9)).contains(&s)
    }

    pub const fn row_of(writer: Writer) -> usize {
        match writer {
            Writer::Device => 0,
            Writer::Server => 1,
        }
    }
}

/// A tick or a bar of tokens: the server’s has a gap in its middle, so that it is known without its colour.
pub(super) fn written_by(writer: Writer, rect: Rect) -> impl Iterator<Item = Mark> {
    const GAP: f64 = 4.0;
    let half = (rect.h - GAP) / 2.0;
    let lower = Rect::new(rect.x, rect.bottom() - half, rect.w, half);
    let (first, second) = match writer {
        Writer::Device => (Mark::fill(Ink::ComputeFill, rect), None),
        Writer::Server => {
            let upper = Rect { h: half, ..rect };
            let fill = |rect| Mark::fill(Ink::MeterFill, rect);
            (fill(upper), Some(fill(lower)))
        }
    };
    std::iter::once(first).chain(second)
}

/// How far it is worth seeing [s]: past the hand-over and what comes of it, or all that is written, but no further than
/// ticks of the reader can be distinguished; and the first late token in any case.
fn until_of(line: &TokenLine, plot_px: f64, phone: bool) -> f64 {
    let (end, written) = (line.end_s(), line.written_s());
    let after = line.handover.and_then(|h| line.available_s.get(h.after));
    let wanted = match after {
        Some(first) => {
            let read = line.shown_s.get(line.handover.map_or(0, |h| h.after));
            let seen = (3.2 * first).max(1.6 * read.copied().unwrap_or(0.0));
            (1.6 * written).min(seen) * if phone { 0.67 } else { 1.0 }
        }
        None => 1.15 * written,
    };
    let first = line.available_s.first().copied().unwrap_or(0.0);
    let legible = (plot_px / READ_PX / line.reader_rate).max(2.0 * first);
    let late = (0..line.count()).find(|token| line.late_s(*token).is_some());
    let late = late.map_or(0.0, |token| 1.15 * line.shown_s[token]);
    let until = wanted
        .min(if legible.is_finite() { legible } else { wanted })
        .max(late);
    if !(until.is_finite() && until > 0.0) {
        return if end > 0.0 { end } else { 1.0 };
    }
    // Up to the next tick, or to the end if that is near.
    let step = ValueScale::new((0.0, until), (0.0, plot_px))
        .ticks(0, 48.0)
        .step;
    let until = libm::ceil(until / step - 1e-9) * step;
    if until > 0.96 * end { end } else { until }
}

impl TokenLine {
    /// How far a chart of `width_px` shows it where nothing else is asked for [s].
    #[must_use]
    pub fn worth_seeing_s(&self, width_px: f64) -> f64 {
        let phone = width_px < PHONE_PX;
        let (left, right) = sides(width_px, phone);
        until_of(self, right - left, phone)
    }
}

/// Left and right edge of the rows [px].
fn sides(width: f64, phone: bool) -> (f64, f64) {
    if phone {
        (0.0, width - 2.0)
    } else {
        (GUTTER_PX, width - 8.0)
    }
}

/// Lays a request out on `width_px`: the span that is asked for, or as far as is worth seeing.
///
/// # Complexity
/// O(n) in the tokens; marks are at most about as many as the rows are pixels long.
#[must_use]
pub fn layout_tokens(
    line: &TokenLine,
    width_px: f64,
    seen: Option<TimeView>,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let mut paper = LabelPlacer::new(width_px, 0.0);
    let phone = paper.width < PHONE_PX;
    let (left, right) = sides(paper.width, phone);
    let is_span = |seen: &TimeView| seen.to_s.is_finite() && seen.to_s > seen.from_s.max(0.0);
    let seen = seen.filter(is_span);
    let seen = seen.unwrap_or_else(|| TimeView::until(until_of(line, right - left, phone)));
    let (from, until) = (seen.from_s.max(0.0), seen.to_s);
    let mut rows = [(0.0, 0.0); 4];
    let mut y = AXIS_PX;
    for (row, high) in rows.iter_mut().zip(ROWS_PX) {
        y += if phone { HEAD_PX } else { 0.0 };
        *row = (y, high);
        y += high + GAP_PX;
    }
    let height = y - GAP_PX + 4.0;
    paper.height = height;
    let frame = TokensFrame {
        phone,
        left,
        right,
        from,
        until,
        x: ValueScale::new((from, until), (left, right)),
        rows,
    };
    axis(&mut paper, line, &frame);
    heads(&mut paper, line, &frame);
    for start in &line.starts {
        self::start(&mut paper, start, &frame);
    }
    for writer in [Writer::Device, Writer::Server] {
        written(&mut paper, line, writer, &frame);
    }
    read(&mut paper, line, &frame);
    if let Some(handover) = &line.handover {
        self::handover(&mut paper, line, handover, &frame);
    }
    ready(&mut paper, line, &frame);
    done(&mut paper, line, &frame);
    if line.count() == 0 {
        let at = (left + 8.0, rows[0].0 + 16.0);
        paper.offer(small(Anchor::Start, at, "No token is computed yet."));
    }
    let describer = TokensDescriber { line: line.clone() };
    let spots = spots(&describer, &frame);
    ChartLayout::spots(
        Rect::new(left, AXIS_PX, right - left, height - AXIS_PX),
        spots,
    )
    .along(frame.x, (0.0, AXIS_PX - 6.0), AxisUnit::Time)
    .with_describer(paper.picture(line.describe()), describer)
}

/// The axis of time above the rows. Its last figure says how much of all is seen.
fn axis(paper: &mut LabelPlacer, line: &TokenLine, frame: &TokensFrame) {
    let ticks = frame.x.ticks(0, 48.0);
    let end = line.end_s();
    let last = ticks.label(frame.until);
    let is_all = frame.until >= end * (1.0 - 1e-9);
    let words = if is_all {
        format!("{:.*}{NARROW}s", ticks.decimals.max(1), frame.until)
    } else {
        let end = TimeFormat::of_largest(end).figure(end);
        let end = end.parse::<f64>().map_or(end, |s| format!("{s:.1}"));
        format!("{last}{NARROW}s of {end}")
    };
    paper.offer(small(Anchor::End, (frame.right, 11.0), words));
    for value in &ticks.values {
        let x = frame.px(*value);
        let ink = Ink::grid(*value);
        paper.draw(Mark::line(ink, 1.0, (x, AXIS_PX - 6.0), (x, paper.height)));
        let anchor = if *value == 0.0 {
            Anchor::Start
        } else {
            Anchor::Middle
        };
        paper.offer(small(anchor, (x, 11.0), ticks.label(*value)));
    }
}

/// Names of the rows and a note to each.
fn heads(paper: &mut LabelPlacer, line: &TokenLine, frame: &TokensFrame) {
    let n = line.count();
    let by = |writer| line.writers[..n].iter().filter(|w| **w == writer).count();
    let rate = |rate: f64| {
        let text = format!("{rate:.2}");
        let short = text.trim_end_matches('0').trim_end_matches('.');
        format!("{short} tok/s")
    };
    let writes = |writer, of: f64| match by(writer) {
        0 => "nothing".to_owned(),
        n => format!("{} at {}", count(n as f64), rate(of)),
    };
    let first = line.writers.first();
    let source = match (
        first,
        line.handover,
        by(Writer::Device) * by(Writer::Server) > 0,
    ) {
        (Some(Writer::Device), Some(h), true) => {
            format!("first {} from the device", h.after)
        }
        (Some(Writer::Server), Some(h), true) => {
            format!("first {} from the server", h.after)
        }
        (Some(Writer::Device), ..) => "all from the device".into(),
        (Some(Writer::Server), ..) => "all from the server".into(),
        (None, ..) => String::new(),
    };
    let words = [
        (
            "Device writes".to_owned(),
            writes(Writer::Device, line.device_rate),
        ),
        (
            "Server writes".to_owned(),
            writes(Writer::Server, line.server_rate),
        ),
        ("Written, not yet read".to_owned(), "tokens".to_owned()),
        (format!("Reader, {}", rate(line.reader_rate)), source),
    ];
    for ((name, note), (y, _)) in words.into_iter().zip(frame.rows) {
        if frame.phone {
            let at = (0.0, y - 5.0);
            paper.offer(Mark::text(Ink::Text, TEXT_SIZE, Anchor::Start, at, &*name));
            paper.offer(small(Anchor::End, (frame.right, y - 5.0), note));
            continue;
        }
        let room = GUTTER_PX - 8.0;
        let name = fit(&name, room, TEXT_SIZE);
        paper.offer(Mark::text(
            Ink::Text,
            TEXT_SIZE,
            Anchor::Start,
            (0.0, y + 11.0),
            name,
        ));
        paper.offer(small(
            Anchor::Start,
            (0.0, y + 25.0),
            fit(&note, room, SMALL_SIZE),
        ));
    }
}

/// A start: solid where the device fills its own prompt in, hatched where one waits or was stopped.
fn start(paper: &mut LabelPlacer, start: &RaceStart, frame: &TokensFrame) {
    if !(start.from_s.is_finite()
        && start.to_s > start.from_s.max(frame.from)
        && start.from_s < frame.until)
    {
        return;
    }
    let (y, h) = frame.rows[TokensFrame::row_of(start.by)];
    let (a, b) = (
        frame.px(start.from_s.max(frame.from)),
        frame.px(start.to_s.min(frame.until)),
    );
    let rect = Rect::new(a + 0.5, y, (b - a - 1.0).max(1.0), h);
    let solid = start.by == Writer::Device && !start.is_stopped;
    if solid {
        paper.draw(Mark::bar(Ink::ComputeFill, Ink::ComputeEdge, rect));
    } else {
        hatched(rect, start.is_stopped)
            .into_iter()
            .for_each(|mark| paper.draw(mark));
    }
    let takes = start.to_s - start.from_s;
    let words = match (start.is_stopped, start.planned_s) {
        (true, _) => vec!["stopped".to_owned()],
        (false, Some(planned)) => vec![
            format!("starts: {takes:.2}{NARROW}s of {planned:.2}"),
            format!("{takes:.2}{NARROW}s of {planned:.2}"),
            format!("{takes:.2}{NARROW}s"),
        ],
        (false, None) => vec![
            format!("starts: {takes:.2}{NARROW}s"),
            format!("{takes:.2}{NARROW}s"),
        ],
    };
    let middle = ((a + b) / 2.0, y + 16.0);
    let fits = |text: &&String| text_width(text, SMALL_SIZE, false) + 12.0 <= b - a;
    if let Some(words) = words.iter().find(fits) {
        let (ink, ground) = if solid {
            (Ink::ComputeInk, Ink::ComputeFill)
        } else {
            (Ink::Text2, Ink::Background)
        };
        let text = Mark::text(ink, SMALL_SIZE, Anchor::Middle, middle, &**words);
        paper.offer(text.with_halo(ground));
    }
}

/// A start that waits, or one that was stopped.
pub(super) fn hatched(rect: Rect, is_stopped: bool) -> Vec<Mark> {
    let (slant, spacing) = if is_stopped {
        (Slant::Rising, 8.0)
    } else {
        (Slant::Falling, 6.0)
    };
    let hatch = MarkShape::Hatch {
        rect: rect.grown(-1.0),
        slant,
        spacing,
        width: 1.0,
    };
    let dash = &[2.0, 2.0];
    vec![
        Mark::new(Ink::WaitEdge, hatch),
        Mark::frame(Ink::WaitEdge, dash, rect),
    ]
}

/// Tokens next to one another that are drawn in one way: first, last, and whether as one bar.
fn runs(xs: &[(usize, f64)]) -> Vec<(std::ops::Range<usize>, bool)> {
    let mut found: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
    let close = |at: usize| at + 1 < xs.len() && xs[at + 1].1 - xs[at].1 < SOLID_PX;
    let mut at = 0;
    while at < xs.len() {
        let from = at;
        let solid = close(at);
        while at + 1 < xs.len() && close(at) == solid && (solid || !close(at + 1)) {
            at += 1;
        }
        found.push((from..at + 1, solid && at > from));
        at += 1;
    }
    found
}

/// The tokens of one writer.
fn written(paper: &mut LabelPlacer, line: &TokenLine, writer: Writer, frame: &TokensFrame) {
    let (y, h) = frame.rows[TokensFrame::row_of(writer)];
    let own = (0..line.count()).filter(|token| line.writers[*token] == writer);
    let own = own.filter(|token| frame.sees(line.available_s[*token]));
    let xs: Vec<(usize, f64)> = own
        .map(|token| (token, frame.px(line.available_s[token])))
        .collect();
    ticks(paper, &xs, (y, h), TICK_WIDE_PX, &|_| writer);
    late(paper, line, &xs, (y, h));
}

/// Ticks, or bars where they would merge; `by` whom by token.
fn ticks(
    paper: &mut LabelPlacer,
    xs: &[(usize, f64)],
    (y, h): (f64, f64),
    most_wide: f64,
    by: &dyn Fn(usize) -> Writer,
) {
    let top = y + (h - TICK_PX) / 2.0;
    for (run, solid) in runs(xs) {
        let run = &xs[run];
        if solid {
            // One bar for each writer in the run.
            let mut from = 0;
            while from < run.len() {
                let own = by(run[from].0);
                let same = run[from..]
                    .iter()
                    .take_while(|one| by(one.0) == own)
                    .count();
                let (a, b) = (run[from].1, run[from + same - 1].1);
                let rect = Rect::new(a - 0.6, top, b - a + 1.2, TICK_PX);
                written_by(own, rect).for_each(|mark| paper.draw(mark));
                from += same;
            }
            continue;
        }
        for (n, (token, x)) in run.iter().enumerate() {
            let next = run.get(n + 1).map_or(f64::INFINITY, |next| next.1 - x);
            let before = n.checked_sub(1).map_or(f64::INFINITY, |n| x - run[n].1);
            let wide = (0.5 * next.min(before)).clamp(1.2, most_wide);
            let rect = Rect::new(x - wide / 2.0, top, wide, TICK_PX);
            written_by(by(*token), rect).for_each(|mark| paper.draw(mark));
        }
    }
}

/// Late tokens over the others: higher, in the colour of a stall, and broken.
fn late(paper: &mut LabelPlacer, line: &TokenLine, xs: &[(usize, f64)], (y, h): (f64, f64)) {
    let mut free = f64::NEG_INFINITY;
    for (_, x) in xs.iter().filter(|(token, _)| line.late_s(*token).is_some()) {
        // Late tokens that are close are one mark of a bar.
        if *x < free {
            continue;
        }
        free = x + 3.0;
        // As far as there is paper: in the first token of a long answer the mark is at its edge.
        let over = (2.5 - x).max(0.0);
        let ground = Rect::new(x - 2.5 + over, y, 5.0 - over, h);
        paper.draw(Mark::fill(Ink::Background, ground));
        paper.draw(Mark::path(
            Ink::StallEdge,
            3.0,
            &[4.0, 2.0],
            vec![(*x, y), (*x, y + h)],
        ));
    }
}

/// Draws the line of the reader, and the pauses.
fn read(paper: &mut LabelPlacer, line: &TokenLine, frame: &TokensFrame) {
    let (y, h) = frame.rows[3];
    let seen = (0..line.count()).filter(|token| frame.sees(line.shown_s[*token]));
    let xs: Vec<(usize, f64)> = seen
        .map(|token| (token, frame.px(line.shown_s[token])))
        .collect();
    for (token, x) in &xs {
        let Some((from, _)) = line.pause_s(*token) else {
            continue;
        };
        let a = frame.px(from.max(frame.from));
        let rect = Rect::new(a, y + 3.0, x - a, h - 6.0);
        if rect.w < PAUSE_PX {
            continue;
        }
        paper.draw(Mark::edged(
            Ink::StallFill,
            (Ink::StallEdge, &[2.0, 2.0]),
            0.0,
            rect,
        ));
        paper.draw(Mark::hatch(Ink::StallEdge, Slant::Rising, (5.0, 1.0), rect));
    }
    ticks(paper, &xs, (y, h), 3.0, &|token| line.writers[token]);
    late(paper, line, &xs, (y, h));
}

/// The way from one row to the other, and when that is.
fn handover(
    paper: &mut LabelPlacer,
    line: &TokenLine,
    handover: &ChartHandover,
    frame: &TokensFrame,
) {
    if !frame.sees(handover.at_s) {
        return;
    }
    let source = line.writers.first().copied().unwrap_or(Writer::Device);
    let from = TokensFrame::row_of(source);
    let (down, x) = (source == Writer::Device, frame.px(handover.at_s));
    let (upper, lower) = (frame.rows[0], frame.rows[1]);
    let (top, foot) = (upper.0 + upper.1 + 2.0, lower.0 - 2.0);
    let x = x.min(frame.right - 5.0).max(frame.left + 5.0);
    let arrow = |paper: &mut LabelPlacer, tip: f64, tail: f64| {
        let back = if tip > tail { -4.0 } else { 4.0 };
        paper.draw(Mark::line(Ink::Text, 2.0, (x, tail), (x, tip)));
        for dx in [-3.5, 3.5] {
            paper.draw(Mark::path(
                Ink::Text,
                1.5,
                &[],
                vec![(x + dx, tip + back), (x, tip)],
            ));
        }
    };
    let way = Rect::new(x - 4.0, top, 8.0, foot - top);
    let clear = paper.has_room(&way);
    match (down, clear) {
        (true, true) => arrow(paper, foot, top),
        (false, true) => arrow(paper, top, foot),
        // Between rows stand words: a short piece under the upper row.
        (true, false) => arrow(paper, top + 9.0, top),
        (false, false) => arrow(paper, top, top + 9.0),
    }
    if clear {
        paper.reserve(way);
    }
    let at = format!(
        "at {:.2}{NARROW}s, after {}",
        handover.at_s,
        count(handover.after as f64)
    );
    let base = frame.rows[from].0 + 16.0;
    let words = [
        format!("hand-over {at}"),
        at,
        format!("{:.2}{NARROW}s", handover.at_s),
    ];
    let places = words.iter().flat_map(|text| {
        [(Anchor::Start, x + 8.0), (Anchor::End, x - 8.0)].map(|(anchor, x)| {
            Mark::text(Ink::Text, TEXT_SIZE, anchor, (x, base), &**text)
                .strong()
                .with_halo(Ink::Background)
        })
    });
    // Left of the way stand tokens: only where there is no room to the right.
    let left = |mark: &Mark| {
        mark.text_box()
            .is_none_or(|b| b.x >= frame.left && b.right() <= frame.right)
    };
    paper.offer_one(places.filter(left));
}

/// When all is written, beside the last token.
fn done(paper: &mut LabelPlacer, line: &TokenLine, frame: &TokensFrame) {
    let n = line.count();
    let Some(last) = n.checked_sub(1) else { return };
    let at = line.available_s[last];
    if !frame.sees(at) {
        return;
    }
    let row = TokensFrame::row_of(line.writers[last]);
    let place = (frame.px(at) + 8.0, frame.rows[row].0 + 16.0);
    let n = count(n as f64);
    let words = [
        format!("all {n} written at {at:.2}{NARROW}s"),
        format!("all {n} at {at:.2}{NARROW}s"),
        format!("{at:.2}{NARROW}s"),
    ];
    paper.offer_one(
        words
            .iter()
            .map(|text| small(Anchor::Start, place, &**text)),
    );
}
