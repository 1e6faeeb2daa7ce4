//! Where everything in a run stands: the rows, their lanes, the axis, and what of it is drawn at this distance.

use super::hits::{RequestHit, RequestPart, Spoken, marked};
use super::index::{Lasts, NodeIndex, Pass, RequestIndex, Spans, Stay};
use super::{RequestChart, View};
use crate::gantt::SCROLLS_FROM;
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Picture, Rect, Shape, cut, fit, text_width};
use crate::scale::{TimeFormat, TimeScale};
use engine::units::InOrder;
use engine::units::{NARROW, count};
use std::ops::Range;

/// Below this width [px] names go above their bars, or where there are many rows, are cut to a gutter.
const PHONE_PX: f64 = 560.0;
/// Narrower ground is taken for this wide [px].
const LEAST_PX: f64 = 200.0;
/// Most rows that are roomy.
const ROOMY_ROWS: usize = 6;
/// Height of a roomy row and of others [px]. Rows with more lanes than fit grow, but not in a chart that scrolls.
const ROOMY_PX: f64 = 50.0;
const DENSE_PX: f64 = 28.0;
/// From lane to lane at least and at most [px], and the same in roomy rows.
const LANE_PX: (f64, f64) = (12.0, 19.0);
const ROOMY_LANE_PX: (f64, f64) = (15.0, 22.0);
/// Height of the strip of stays beyond the lanes [px], and in a chart that scrolls.
const BEYOND_PX: (f64, f64) = (12.0, 6.0);
/// Air above and below the bars of a row, together [px].
const ROW_AIR_PX: f64 = 4.0;
/// Lower bars have no number [px].
const NUMBERED_PX: f64 = 10.0;
/// Height of a name above its bars [px].
const HEAD_PX: f64 = 18.0;
/// Height of the axis [px].
const AXIS_PX: f64 = 24.0;
/// Below the last row [px], and right of the plot.
const FOOT_PX: f64 = 4.0;
const RIGHT_PX: f64 = 2.0;
/// Size of a name, of a number on a bar, of captions [px].
const NAME_SIZE: f64 = 13.0;
const NUMBER_SIZE: f64 = 10.0;
const SMALL_SIZE: f64 = 11.0;
/// Where a name starts, right of its shade [px].
const NAME_X: f64 = 16.0;
/// Most characters of a name.
const NAME_CHARS: usize = 14;
/// Passes are drawn one by one where they are this wide on average [px], and no more than so many are seen.
const PASS_PX: f64 = 3.0;
const MOST_PASSES: usize = 6_000;
/// Marks of all rows together, and least marks of a row.
const MOST_MARKS: usize = 14_000;
const LEAST_MARKS: usize = 120;
/// Slimmer bars have no foot and no line [px].
const FOOTED_PX: f64 = 8.0;
/// Air round a number [px].
const AIR_PX: f64 = 3.0;
/// Slimmer bars merge [px].
const MERGED_PX: f64 = 1.0;
/// Least width of a step of a profile [px].
const STEP_PX: f64 = 3.0;

/// The measures of one chart.
struct Frame {
    width: f64,
    phone: bool,
    /// Names above bars.
    above: bool,
    roomy: bool,
    /// Height of the strip of stays beyond the lanes [px].
    beyond: f64,
    scale: TimeScale,
    format: TimeFormat,
    /// Upper edge of each row, and at the end where the last one ends [px].
    tops: Vec<f64>,
    is_passes: bool,
    /// Most marks of a row.
    budget: usize,
}

impl RequestIndex {
    /// Lays the run out on `width_px`, showing the span of `view`.
    ///
    /// # Complexity
    /// O(rows log n + what is seen), n being the passes; at most about 16 000 marks.
    #[must_use]
    pub fn layout(&self, width_px: f64, view: View) -> RequestChart {
        let frame = Frame::new(self, width_px, view);
        let rows = self.rows.len();
        let height = frame.tops[rows].max(AXIS_PX + DENSE_PX) + FOOT_PX;
        let mut marks = Vec::new();
        axis(self, &frame, height, &mut marks);
        let mut above = Picture {
            width: frame.width,
            height: AXIS_PX,
            title: "Time axis".into(),
            marks: Vec::new(),
        };
        above.marks.push(above.ground());
        axis(self, &frame, AXIS_PX, &mut above.marks);
        let (mut hits, mut ranges) = (Vec::new(), Vec::with_capacity(rows));
        for (at, row) in self.rows.iter().enumerate() {
            let first = hits.len();
            let sketch = sketch(&frame, at, row);
            head(self, &frame, (at, sketch.most), &mut marks);
            draw(self, &frame, first, &sketch, &mut marks);
            hits.extend(sketch.items);
            ranges.push(first..hits.len());
        }
        if rows == 0 {
            let at = (8.0, AXIS_PX + 18.0);
            let text = "Add a tier to see requests.";
            marks.push(Mark::text(Ink::Text3, NAME_SIZE, Anchor::Start, at, text));
        }
        let band = |at: usize| {
            let (top, foot) = (frame.tops[at], frame.tops[at + 1]);
            Rect::new(0.0, top, frame.width, foot - top)
        };
        RequestChart {
            picture: Picture {
                width: frame.width,
                height,
                title: self.describe(),
                marks,
            },
            scale: frame.scale,
            axis: above,
            is_passes: frame.is_passes,
            spoken: Spoken::of(hits.len()),
            hits,
            bands: (0..rows).map(band).collect(),
            rows: ranges,
            nodes: self.nodes.clone(),
        }
    }

    /// The run in one sentence, for those who do not see it.
    #[must_use]
    pub fn describe(&self) -> String {
        let plural = |n: usize, what: &str| {
            let s = if n == 1 { "" } else { "s" };
            format!("{} {what}{s}", count(n as f64))
        };
        let (requests, nodes) = (
            plural(self.tasks, "request"),
            plural(self.nodes.len(), "node"),
        );
        let done = TimeFormat::of_largest(self.end_s).spoken(self.end_s);
        let marked = self
            .marked
            .map(|task| format!(", request {} is marked", task + 1));
        format!(
            "Timeline of {requests} on {nodes}, done after {done}{}.",
            marked.unwrap_or_default()
        )
    }
}

impl Frame {
    fn new(index: &RequestIndex, width_px: f64, view: View) -> Self {
        let width = if width_px > LEAST_PX {
            width_px
        } else {
            LEAST_PX
        };
        let rows = index.rows.len();
        let (phone, roomy) = (width < PHONE_PX, rows <= ROOMY_ROWS);
        let above = phone && roomy;
        let name = |name: &str| text_width(&cut(name, NAME_CHARS), NAME_SIZE, false);
        let widest = index
            .nodes
            .iter()
            .map(|node| name(&node.name))
            .fold(0.0, f64::max);
        let left = match (above, phone) {
            (true, _) => 0.0,
            (false, true) => (NAME_X + widest + 6.0).clamp(48.0, 104.0),
            (false, false) => (NAME_X + widest + 10.0).max(76.0),
        };
        let right = (width - RIGHT_PX).max(left + 1.0);
        let scale = TimeScale::new((view.from_s, view.to_s), (left, right));
        let scrolls = rows >= SCROLLS_FROM;
        let mut tops = vec![AXIS_PX];
        for row in &index.rows {
            let lanes = row.lanes.len().max(1) as f64;
            let (base, lane) = if roomy {
                (ROOMY_PX, ROOMY_LANE_PX.0)
            } else {
                (DENSE_PX, LANE_PX.0)
            };
            let strip = if row.beyond.all.is_empty() {
                0.0
            } else {
                BEYOND_PX.0
            };
            let grown = if scrolls {
                base
            } else {
                lanes * lane + strip + ROW_AIR_PX
            };
            let h = base.max(grown) + if above { HEAD_PX } else { 0.0 };
            tops.push(tops[tops.len() - 1] + h);
        }
        let (mut seen, mut lasting) = (0, 0.0);
        let (from, to) = scale.span_s();
        for row in &index.rows {
            let range = row.passes.touching(from, to);
            seen += range.len();
            lasting += row.passes.lasting(&range);
        }
        let px_per_s = (right - left) / (to - from);
        let mean_px = lasting * px_per_s / (seen.max(1) as f64);
        Self {
            width,
            phone,
            above,
            roomy,
            beyond: if scrolls { BEYOND_PX.1 } else { BEYOND_PX.0 },
            scale,
            format: TimeFormat::of_largest(index.end_s),
            tops,
            is_passes: seen > 0 && seen <= MOST_PASSES && mean_px >= PASS_PX,
            budget: (MOST_MARKS / rows.max(1)).max(LEAST_MARKS),
        }
    }

    /// Where the bars of a row can be: from and to [px].
    fn room(&self, row: usize) -> (f64, f64) {
        let head = if self.above { HEAD_PX } else { 0.0 };
        (self.tops[row] + head, self.tops[row + 1])
    }

    /// Upper edge and height of a lane of so many in a row, given what is left free below the lanes [px].
    fn lane(&self, row: usize, lane: usize, of: usize, below: f64) -> (f64, f64) {
        let (top, foot) = self.room(row);
        let most = if self.roomy {
            ROOMY_LANE_PX.1
        } else {
            LANE_PX.1
        };
        let room = foot - top - ROW_AIR_PX - below;
        let step = (room / of.max(1) as f64).min(most);
        let first = top + ROW_AIR_PX / 2.0 + (room - step * of.max(1) as f64) / 2.0;
        (first + step * lane as f64, step - 1.0)
    }
}

/// What is to be drawn in a row, in order of time.
struct Sketch {
    items: Vec<RequestHit>,
    /// Most requests at once, where the row is a profile.
    most: Option<usize>,
}

/// Decides what of a row is drawn, and where.
fn sketch(frame: &Frame, at: usize, row: &NodeIndex) -> Sketch {
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
                return Sketch {
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
    Sketch { items, most: None }
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

fn touching<T: Lasts>(frame: &Frame, spans: &Spans<T>) -> Range<usize> {
    let (from, to) = frame.scale.span_s();
    spans.touching(from, to)
}

fn pass_item(frame: &Frame, at: usize, lanes: usize, pass: &Pass) -> RequestHit {
    let seen = frame.scale.seen_px(pass.from, pass.to);
    let rect = seen.zip(pass.lane).map(|((a, b), lane)| {
        let (y, h) = frame.lane(at, lane, lanes, 0.0);
        Rect::new(a, y, (b - a).max(1.0), h)
    });
    RequestHit {
        rect,
        row: at,
        task: Some(pass.task),
        part: RequestPart::Pass {
            pass: pass.pass,
            waited_s: pass.from - pass.ready,
            beside: pass.beside,
        },
        from_s: pass.from,
        to_s: pass.to,
    }
}

/// The passes that are seen, and one before and one after them.
fn passes(frame: &Frame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
    let range = touching(frame, &row.passes);
    let from = range.start.saturating_sub(1);
    let to = (range.end + 1).min(row.passes.all.len());
    let all = row.passes.all[from..to].iter();
    let own = all.filter(|pass| pass.lane.is_some());
    own.map(|pass| pass_item(frame, at, row.pass_lanes, pass))
        .collect()
}

fn stay_item(frame: &Frame, at: usize, (y, h): (f64, f64), stay: &Stay) -> RequestHit {
    let seen = frame.scale.seen_px(stay.from, stay.to);
    RequestHit {
        rect: seen.map(|(a, b)| Rect::new(a, y, (b - a).max(1.0), h)),
        row: at,
        task: Some(stay.task),
        part: RequestPart::Stay {
            worked_s: stay.worked,
            passes: stay.passes,
            prefill_to_s: stay.prefill_to,
        },
        from_s: stay.from,
        to_s: stay.to,
    }
}

/// The stays that are seen, slim neighbours merged, and in each lane one before and one after them.
fn stays(frame: &Frame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
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
    let (_, foot) = frame.room(at);
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
            part: RequestPart::Beyond { most: beyond.most },
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
            hit.part = match (hit.part, item.part) {
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
fn profile(frame: &Frame, at: usize, row: &NodeIndex) -> Vec<RequestHit> {
    let (left, right) = frame.scale.ends_px();
    let steps = ((right - left) / STEP_PX).floor();
    let steps = steps.min(frame.budget as f64 - 8.0).max(1.0) as usize;
    let (top, foot) = frame.room(at);
    let (top, foot) = (top + 3.0, foot - 2.0);
    let edge = |k: usize| left + (right - left) * k as f64 / steps as f64;
    let (first_s, _) = frame.scale.span_s();
    let before = row.held.partition_point(|(s, _)| *s <= first_s);
    let mut start = before.saturating_sub(1);
    let mut items: Vec<RequestHit> = Vec::new();
    for k in 0..steps {
        let (a, b) = (edge(k), edge(k + 1));
        let (from_s, to_s) = (frame.scale.s_from_px(a), frame.scale.s_from_px(b));
        let (most, mean, next) = row.held_in(from_s, to_s, start);
        start = next;
        if most == 0 {
            continue;
        }
        // In whole pixels, so that steps that look alike become one.
        let h = libm::round((foot - top) * mean / row.most.max(1) as f64).max(1.0);
        if let Some(hit) = items.last_mut()
            && let (RequestPart::Held { most: m, mean: of }, Some(rect)) =
                (&mut hit.part, &mut hit.rect)
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
            part: RequestPart::Held { most, mean },
            from_s,
            to_s,
        });
    }
    items
}

/// Ticks, and the arrivals between them and the rows.
fn axis(index: &RequestIndex, frame: &Frame, height: f64, marks: &mut Vec<Mark>) {
    let scale = &frame.scale;
    let (left, _) = scale.ends_px();
    let ticks = scale.ticks(frame.format, 0, if frame.phone { 48.0 } else { 36.0 });
    let mut labels: Vec<(f64, String, bool)> = Vec::new();
    for figure in &ticks.values {
        let x = scale.px_from_s(frame.format.s_from_figure(*figure));
        let text = ticks.label(*figure);
        let half = text_width(&text, SMALL_SIZE, false) / 2.0;
        let at_left = x - half < left;
        let ends = if at_left { x + 2.0 * half } else { x + half };
        if ends > frame.width - if frame.phone { 12.0 } else { 0.0 } {
            continue;
        }
        let ink = if *figure == 0.0 {
            Ink::LineStrong
        } else {
            Ink::Line
        };
        marks.push(Mark::line(ink, 1.0, (x, AXIS_PX - 5.0), (x, height)));
        labels.push((x, text, at_left));
    }
    if frame.phone {
        if let Some((_, text, _)) = labels.last_mut() {
            text.push(NARROW);
            text.push_str(frame.format.unit());
        }
    } else {
        let title = format!("Time, {}", frame.format.unit());
        marks.push(Mark::text(
            Ink::Text3,
            SMALL_SIZE,
            Anchor::Start,
            (0.0, 11.0),
            title,
        ));
    }
    for (x, text, at_left) in labels {
        let anchor = if at_left {
            Anchor::Start
        } else {
            Anchor::Middle
        };
        marks.push(Mark::text(Ink::Text3, SMALL_SIZE, anchor, (x, 11.0), text));
    }
    arrivals(index, frame, height, marks);
}

/// A short line at each arrival where they can be told apart, and a dashed one down the rows at that of the marked
/// request.
fn arrivals(index: &RequestIndex, frame: &Frame, height: f64, marks: &mut Vec<Mark>) {
    let (from, to) = frame.scale.span_s();
    let first = index.arrivals.partition_point(|(s, _)| *s < from);
    let last = index.arrivals.partition_point(|(s, _)| *s <= to);
    let mut free = f64::NEG_INFINITY;
    for (s, task) in &index.arrivals[first..last.max(first)] {
        let x = frame.scale.px_from_s(*s);
        if index.marked == Some(*task) {
            let line = Shape::Line {
                points: vec![(x, AXIS_PX - 8.0), (x, height)],
                width: 1.5,
                dash: &[3.0, 3.0],
            };
            marks.push(Mark::new(Ink::Text2, line));
        }
        if x >= free {
            marks.push(Mark::line(
                Ink::Text2,
                1.0,
                (x, AXIS_PX - 8.0),
                (x, AXIS_PX - 2.0),
            ));
            free = x + 3.0;
        }
    }
}

/// Shade and name, a line where a tier begins, and how high a profile goes.
fn head(
    index: &RequestIndex,
    frame: &Frame,
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
    marks.push(Mark::new(
        Ink::device(node.shade),
        Shape::Rect {
            rect: Rect::new(0.0, base - 9.5, 10.0, 10.0),
            radius: 2.0,
            edge: None,
        },
    ));
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
fn draw(index: &RequestIndex, frame: &Frame, first: usize, sketch: &Sketch, marks: &mut Vec<Mark>) {
    for (number, hit) in sketch.items.iter().enumerate() {
        let Some(rect) = hit.rect else { continue };
        let from = marks.len();
        let is_marked = index.marked.is_some() && hit.task == index.marked;
        match hit.part {
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
            RequestPart::Held { .. } => marks.push(Mark::fill(Ink::HandOver, rect)),
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
    frame: &Frame,
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
