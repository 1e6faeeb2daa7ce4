//! One row of a timeline: its head, its bars, and labels where they fit.

use super::hits::{self, GanttPhase, PhaseSpan};
use super::layout::{GanttFrame, METER_PX, METER_TEXT_X, TEXT_SIZE};
use super::{GanttRow, TimeFormat};
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, MarkShape, Rect, Slant, text_width};
use crate::rows::{NAME_SIZE, NAME_X, SMALL_SIZE};
use engine::units::{NARROW, bytes};

/// Free time that is slimmer than this shows no dots [px].
const LEAST_FREE_PX: f64 = 7.0;
/// Beside a label, dots start at this width [px].
const LEAST_DOTTED_PX: f64 = 16.0;
/// Air between a label and the end of its bar [px].
const LABEL_AIR: f64 = 4.0;

/// Device, layers and memory, left of the bar or above it.
pub(super) fn head(frame: &GanttFrame, n: usize, row: &GanttRow, marks: &mut Vec<Mark>) {
    let above = frame.phone && !frame.dense;
    let base = match (above, frame.dense) {
        (true, _) => frame.row_y(n) + 14.0,
        (false, true) => frame.bar_y(n) + 13.0,
        (false, false) => frame.bar_y(n) + 11.0,
    };
    // Above a bar, hand-overs from the row before pass behind the words.
    let set = |mark: Mark| {
        if above {
            mark.with_halo(Ink::Background)
        } else {
            mark
        }
    };
    let text =
        |ink, size, x, y, text: String| set(Mark::text(ink, size, Anchor::Start, (x, y), text));

    marks.push(Mark::shade(row.shade, (0.0, base - 9.0)));
    let name = frame.name(&row.device);
    marks.push(text(Ink::Text, NAME_SIZE, NAME_X, base, name));
    if frame.phone && frame.dense {
        return;
    }
    let layers = hits::layers(row.timing.s, row.timing.e);
    let (ink, size) = if frame.dense {
        (Ink::Text3, SMALL_SIZE)
    } else {
        (Ink::Text2, TEXT_SIZE)
    };
    marks.push(text(ink, size, frame.layers_x, base, layers));
    if frame.dense {
        return;
    }
    let y = if above { base - 6.0 } else { base + 9.0 };
    let (fill, ink) = if row.timing.mem_ok {
        (Ink::MeterFill, Ink::Text3)
    } else {
        (Ink::BadMark, Ink::BadText)
    };
    let meter = |w| Rect::new(frame.meter_x, y, w, 4.0);
    marks.push(Mark::fill(Ink::MeterTrack, meter(METER_PX)));
    let share = row.timing.mem / row.capacity.get();
    if share > 0.0 {
        marks.push(Mark::fill(fill, meter(METER_PX * share.min(1.0))));
    }
    let x = frame.meter_x + METER_TEXT_X;
    marks.push(text(ink, SMALL_SIZE, x, y + 5.0, memory(row)));
}

/// `4.6 of 8 GB`, both in the unit of the capacity.
pub(super) fn memory(row: &GanttRow) -> String {
    let capacity = row.capacity.get();
    let (unit, size) = match capacity {
        c if c >= 999.5e9 => ("TB", 1e12),
        c if c >= 999.5e6 => ("GB", 1e9),
        _ => ("MB", 1e6),
    };
    let all = format!("{:.1}", capacity / size);
    let all = all.strip_suffix(".0").unwrap_or(&all);
    format!("{:.1} of {all}{NARROW}{unit}", row.timing.mem / size)
}

/// The bars of a row; the place of each goes into its hit. `hits` are the row's, the first of them being
/// number `first` of the chart.
pub(super) fn bars(
    frame: &GanttFrame,
    n: usize,
    row: &GanttRow,
    (first, hits): (usize, &mut [PhaseSpan]),
    marks: &mut Vec<Mark>,
) {
    // A transfer goes last, so that one of a single pixel is not covered by the bar after it.
    let order = [
        GanttPhase::Load,
        GanttPhase::Stall,
        GanttPhase::Wait,
        GanttPhase::Free,
        GanttPhase::Next,
        GanttPhase::Compute,
        GanttPhase::Transfer,
    ];
    for phase in order {
        let Some(at) = hits.iter().position(|hit| hit.phase == phase) else {
            continue;
        };
        let hit = &mut hits[at];
        let Some((a, b)) = frame.scale.seen_px(hit.from_s, hit.to_s) else {
            continue;
        };
        let rect = place(frame, n, phase, a, b);
        hit.rect = Some(rect);
        let start = marks.len();
        match phase {
            GanttPhase::Load => load(frame, row, rect, marks),
            GanttPhase::Stall => stall(rect, marks),
            GanttPhase::Wait => wait(rect, marks),
            GanttPhase::Transfer => {
                marks.push(Mark::bar(Ink::TransferFill, Ink::TransferEdge, rect))
            }
            GanttPhase::Compute => compute(frame.format, row.timing.comp, rect, marks),
            GanttPhase::Next => next(frame, row, rect, marks),
            GanttPhase::Free => free(frame, hit.to_s - hit.from_s, rect, marks),
        }
        for mark in &mut marks[start..] {
            mark.hit = Some(first + at);
        }
    }
}

/// Where the mark of a phase stands that is seen from `a` to `b` [px].
fn place(frame: &GanttFrame, n: usize, phase: GanttPhase, a: f64, b: f64) -> Rect {
    let (y, bar) = (frame.bar_y(n), frame.bar);
    let w = b - a;
    match phase {
        GanttPhase::Stall => {
            let h = if frame.dense { 4.0 } else { 7.0 };
            Rect::new(a + 1.0, y + bar - h - 1.0, (w - 2.0).max(1.0), h)
        }
        GanttPhase::Next => {
            let air = if frame.dense { 5.0 } else { 7.0 };
            Rect::new(a + 1.0, y + air, (w - 2.0).max(1.0), bar - 2.0 * air)
        }
        GanttPhase::Free => {
            let air = if frame.dense { bar / 2.0 - 2.0 } else { 3.0 };
            Rect::new(a + 2.0, y + air, (w - 4.0).max(0.0), bar - 2.0 * air)
        }
        _ => Rect::new(a, y, w.max(1.0), bar),
    }
}

fn load(frame: &GanttFrame, row: &GanttRow, rect: Rect, marks: &mut Vec<Mark>) {
    let t = &row.timing;
    marks.push(Mark::bar(Ink::LoadFill, Ink::LoadEdge, rect));

    let stalls = t.stall > 0.0;
    let base = match (frame.dense, stalls) {
        (true, true) => frame.bar / 2.0 + 2.5,
        // Above the strip at the foot.
        (false, true) => 15.0,
        (_, false) => frame.bar / 2.0 + 4.0,
    };
    let y = rect.y + base;
    let air = if frame.dense { 6.0 } else { 8.0 };
    let width = |text: &str| text_width(text, TEXT_SIZE, false);
    let mut room = rect.w - 2.0 * air;

    let figure = frame.format.figure(t.load);
    if frame.scale.shows(t.load) && width(&figure) <= room {
        room -= width(&figure) + 2.0 * LABEL_AIR;
        let at = (rect.right() - air, y);
        marks.push(Mark::text(Ink::LoadInk, TEXT_SIZE, Anchor::End, at, figure));
    }
    if frame.dense {
        return;
    }
    let n = (t.e + 1).saturating_sub(t.s);
    let layers = if n == 1 { "layer" } else { "layers" };
    let long = format!("Load {n} {layers}, {}", bytes(row.weights.get()));
    let words = [long, format!("Load {n}")];
    if let Some(text) = words.into_iter().find(|text| width(text) <= room) {
        let at = (rect.x + air, y);
        marks.push(Mark::text(Ink::LoadInk, TEXT_SIZE, Anchor::Start, at, text));
    }
}

fn stall(rect: Rect, marks: &mut Vec<Mark>) {
    marks.push(Mark::fill(Ink::StallFill, rect));
    marks.push(Mark::hatch(Ink::StallEdge, Slant::Rising, (5.0, 1.4), rect));
}

fn wait(rect: Rect, marks: &mut Vec<Mark>) {
    marks.push(Mark::hatch(
        Ink::WaitEdge,
        Slant::Falling,
        (6.0, 1.0),
        rect.grown(-1.0),
    ));
    marks.push(Mark::frame(Ink::WaitEdge, &[2.0, 2.0], rect));
}

fn compute(format: TimeFormat, seconds: f64, rect: Rect, marks: &mut Vec<Mark>) {
    marks.push(Mark::bar(Ink::ComputeFill, Ink::ComputeEdge, rect));
    let figure = format.figure(seconds);
    if text_width(&figure, TEXT_SIZE, false) + 2.0 * LABEL_AIR <= rect.w {
        let at = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0 + 4.0);
        marks.push(Mark::text(
            Ink::ComputeInk,
            TEXT_SIZE,
            Anchor::Middle,
            at,
            figure,
        ));
    }
}

/// A load, lower than one that a device waits for, with a dashed edge.
fn next(frame: &GanttFrame, row: &GanttRow, rect: Rect, marks: &mut Vec<Mark>) {
    marks.push(Mark::fill(Ink::LoadFill, rect));
    marks.push(Mark::frame(Ink::LoadEdge, &[4.0, 2.0], rect));
    let Some(load) = row.next.as_ref().filter(|_| !frame.dense) else {
        return;
    };
    let text = format!("next {}", bytes(load.bytes));
    if text_width(&text, SMALL_SIZE, false) + 2.0 * LABEL_AIR <= rect.w {
        let at = (rect.x + 6.0, rect.y + rect.h / 2.0 + 4.0);
        marks.push(Mark::text(
            Ink::LoadInk,
            SMALL_SIZE,
            Anchor::Start,
            at,
            text,
        ));
    }
}

fn free(frame: &GanttFrame, seconds: f64, rect: Rect, marks: &mut Vec<Mark>) {
    if rect.w < LEAST_FREE_PX {
        return;
    }
    let format = frame.format;
    let text = format!("free {}", format.figure(seconds));
    let width = text_width(&text, SMALL_SIZE, false);
    let mut dotted = rect;
    if !frame.dense && width + 2.0 * LABEL_AIR + 4.0 <= rect.w {
        let at = (rect.x + 6.0, rect.y + rect.h / 2.0 + 4.0);
        let label = Mark::text(Ink::FreeInk, SMALL_SIZE, Anchor::Start, at, text);
        marks.push(label.with_halo(Ink::Background));
        dotted.x = at.0 + width + LABEL_AIR;
        dotted.w = rect.right() - dotted.x;
    }
    // A lone column of dots beside a label reads as a speck.
    if dotted.w < rect.w && dotted.w < LEAST_DOTTED_PX {
        return;
    }
    let dots = MarkShape::Dots {
        rect: dotted,
        spacing: 7.0,
        radius: 0.9,
    };
    marks.push(Mark::new(Ink::FreeDots, dots));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::kit::inked;
    use crate::tests::sample;
    use crate::{InteractiveChart, Stages, TimeView, layout};

    fn marks_of(chart: &InteractiveChart<Stages>, row: usize, phase: GanttPhase) -> Vec<&Mark> {
        let at = chart
            .describer
            .spans
            .iter()
            .position(|h| h.row == row && h.phase == phase);
        let of = |mark: &&Mark| mark.hit == at && at.is_some();
        chart.picture.marks.iter().filter(of).collect()
    }

    #[test]
    fn a_stall_is_in_the_foot_of_the_last_part_of_its_load() {
        let gantt = sample::paper();
        let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
        let place = |phase| {
            let hit = chart
                .describer
                .spans
                .iter()
                .find(|h| h.row == 2 && h.phase == phase);
            hit.and_then(|h| h.rect).expect("in sight")
        };
        let (load, stall) = (place(GanttPhase::Load), place(GanttPhase::Stall));
        assert!((load.right() - stall.right() - 1.0).abs() < 1e-9);
        assert_eq!(load.bottom() - stall.bottom(), 1.0);
        assert_eq!(stall.h, 7.0);
        let px_per_s = 808.0 / gantt.total_s;
        assert!((stall.w + 2.0 - 0.073215 * px_per_s).abs() < 1e-6);
        // Ground and hatch, and no text on it.
        let marks = marks_of(&chart, 2, GanttPhase::Stall);
        assert!(matches!(
            marks[1].shape,
            MarkShape::Hatch {
                slant: Slant::Rising,
                ..
            }
        ));
        assert_eq!(marks.len(), 2);
    }

    #[test]
    fn a_transfer_is_never_dropped() {
        let mut gantt = sample::paper();
        let t = &mut gantt.rows[3].timing;
        (t.comm, t.comp) = (1e-7, t.comm + t.comp - 1e-7);
        let chart = layout(&gantt, 358.0, TimeView::full(&gantt));
        let marks = marks_of(&chart, 3, GanttPhase::Transfer);
        let MarkShape::Rect { rect, .. } = marks[0].shape else {
            panic!("a transfer is a bar: {marks:?}");
        };
        assert_eq!(rect.w, 1.0);
        // And it is painted over the bar that follows it.
        let position = |ink| chart.picture.marks.iter().rposition(|m| m.ink == ink);
        assert!(position(Ink::TransferFill) > position(Ink::ComputeFill));
    }

    #[test]
    fn labels_give_way_where_there_is_no_space() {
        let words = |width| {
            let mut gantt = sample::paper();
            gantt.total_s = 12.0;
            let chart = layout(&gantt, width, TimeView::full(&gantt));
            let marks = marks_of(&chart, 0, GanttPhase::Load);
            let text = |mark: &&Mark| match &mark.shape {
                MarkShape::Text { text, .. } => Some(text.replace(NARROW, " ")),
                _ => None,
            };
            marks.iter().filter_map(text).collect::<Vec<_>>()
        };
        assert_eq!(words(1900.0), ["1.54", "Load 7 layers, 4.62 GB"]);
        assert_eq!(words(968.0), ["1.54", "Load 7"]);
        assert_eq!(words(600.0), ["1.54"]);
        assert_eq!(words(300.0), Vec::<String>::new());
    }

    #[test]
    fn memory_is_shown_in_the_unit_of_the_device() {
        let mut row = sample::paper().rows.remove(0);
        let plain = |row: &GanttRow| memory(row).replace(NARROW, " ");
        assert_eq!(plain(&row), "4.6 of 8 GB");
        row.timing.mem = 0.4e9;
        row.capacity = engine::units::Bytes::new(512e6).expect("a size");
        assert_eq!(plain(&row), "400.0 of 512 MB");
    }

    #[test]
    fn an_infeasible_row_is_marked() {
        let mut gantt = sample::paper();
        gantt.rows[1].timing.mem = 9e9;
        gantt.rows[1].timing.mem_ok = false;
        let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
        let bad: Vec<_> = inked(&chart.picture, Ink::BadMark).collect();
        assert_eq!(bad.len(), 1);
        assert!(matches!(bad[0].shape, MarkShape::Rect { rect, .. } if rect.w == METER_PX));
    }
}
