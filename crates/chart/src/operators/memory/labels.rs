//! The words of the picture: names of the orders, the limit, our peak and the chosen step.

use super::{Frame, MemoryChart, MemoryLine, is_size};
use crate::ink::Ink;
use crate::lines::{SeriesRole, apart, stroke_of};
use crate::mark::{Anchor, Mark, MarkShape, Rect, fit, text_width};
use crate::operators::{NAME_CHARS, PHONE_PX, column};
use crate::paper::{LabelPlacer, SAMPLE_AIR_PX, SAMPLE_PX, SMALL_SIZE, TEXT_SIZE, name_px};
use engine::units::InOrder;
use engine::units::binary_bytes;

/// A row of names above the plot [px].
const KEY_PX: f64 = 16.0;
/// From name to name at the line ends [px].
const NAME_GAP_PX: f64 = 15.0;

/// The room for names beside the plot [px]; `None` where they are above it.
pub(super) fn names_px(names: &[(SeriesRole, String)], width: f64) -> Option<f64> {
    let wide = names.iter().map(|(role, name)| name_px(*role, name));
    let room = wide.fold(0.0, f64::max) + SAMPLE_PX + SAMPLE_AIR_PX + 10.0;
    (width >= PHONE_PX && names.len() <= 6 && room <= 0.2 * width).then_some(room)
}

/// Names with samples of their lines in rows above the plot; how high these are [px].
pub(super) fn key(paper: &mut LabelPlacer, names: &[(SeriesRole, String)]) -> f64 {
    let (mut x, mut y) = (0.0, 0.0);
    for (role, name) in names {
        let room = paper.width - SAMPLE_PX - SAMPLE_AIR_PX - 2.0;
        let name = fit(name, room / 1.1, TEXT_SIZE);
        let wide = SAMPLE_PX + SAMPLE_AIR_PX + name_px(*role, &name);
        if x > 0.0 && x + wide > paper.width - 2.0 {
            (x, y) = (0.0, y + KEY_PX);
        }
        sampled(paper, (*role, &name), (x, y + 12.0));
        x += wide + 14.0;
    }
    if names.is_empty() {
        0.0
    } else {
        y + KEY_PX + 2.0
    }
}

/// A name after a sample of its line, on a base line [px].
fn sampled(paper: &mut LabelPlacer, (role, name): (SeriesRole, &str), (x, base): (f64, f64)) {
    let at = (x + SAMPLE_PX + SAMPLE_AIR_PX, base);
    let (ink, ..) = role.look();
    let text = Mark::text(ink, TEXT_SIZE, Anchor::Start, at, name);
    let text = match role {
        SeriesRole::Ours => text.strong(),
        _ => text,
    };
    if paper.offer(text) {
        let points = vec![(x, base - 4.0), (x + SAMPLE_PX, base - 4.0)];
        paper.draw(stroke_of(role, points));
    }
}

/// Names at the right of the plot, near where their lines end, moved apart.
pub(super) fn ends(
    paper: &mut LabelPlacer,
    memory: &MemoryChart,
    names: &[(SeriesRole, String)],
    frame: &Frame,
) {
    let plot = &frame.plot;
    let end = |line: &MemoryLine| {
        let last = line.memory_b.iter().rfind(|held| is_size(held));
        last.map_or(plot.bottom(), |held| frame.y_of(*held))
    };
    let mut all: Vec<(usize, f64)> = memory.orders.iter().map(end).enumerate().collect();
    all.in_order_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let wanted: Vec<f64> = all.iter().map(|end| end.1 + 4.0).collect();
    let placed = apart(&wanted, NAME_GAP_PX, (plot.y + 10.0, plot.bottom() + 2.0));
    for ((at, _), base) in all.into_iter().zip(placed) {
        let (role, name) = &names[at];
        sampled(paper, (*role, name), (plot.right() + 7.0, base));
    }
}

/// The limit, as a line where it is near and in words where it is far above all that is held.
pub(super) fn limits(paper: &mut LabelPlacer, limit: Option<f64>, is_drawn: bool, frame: &Frame) {
    let Some(limit) = limit else {
        return;
    };
    let plot = &frame.plot;
    let words = format!("limit {}", binary_bytes(limit));
    let text = |anchor, at, words: &str| {
        Mark::text(Ink::BadText, SMALL_SIZE, anchor, at, words).with_halo(Ink::Background)
    };
    if !is_drawn {
        let at = (plot.right(), plot.y - 13.0);
        let full = format!("{words}, far above the plot");
        if !paper.offer(text(Anchor::End, at, &full)) {
            let at = (plot.right() - 4.0, plot.y + 8.0);
            paper.offer(text(Anchor::End, at, &full));
        }
        return;
    }
    let y = frame.y_of(limit);
    paper.draw(Mark::path(
        Ink::BadMark,
        1.5,
        &[6.0, 3.0],
        vec![(plot.x, y), (plot.right(), y)],
    ));
    let (left, right) = (plot.x + 4.0, plot.right());
    paper.offer_one([
        text(Anchor::End, (right, y - 6.0), &words),
        text(Anchor::Start, (left, y - 6.0), &words),
        text(Anchor::End, (right, y + 14.0), &words),
    ]);
}

/// Our peak and the chosen step: a dot and words each.
pub(super) fn marked(
    paper: &mut LabelPlacer,
    memory: &MemoryChart,
    peaks: &[Option<(usize, f64)>],
    frame: &Frame,
) {
    let Some(ours) = memory.orders.first() else {
        return;
    };
    let dot = |paper: &mut LabelPlacer, at: (f64, f64), ink: Ink| {
        let shape = MarkShape::Disc {
            at,
            radius: 4.5,
            edge: Some(ink),
        };
        paper.draw(Mark::new(Ink::Background, shape));
        paper.reserve(Rect::new(at.0, at.1, 0.0, 0.0).grown(4.5));
    };
    let held = |at: usize| ours.memory_b.get(at).copied().filter(is_size);
    let chosen = memory.chosen().and_then(|at| Some((at, held(at)?)));
    let sees = |at: usize| column(&frame.x, at, 0.0, &frame.plot).is_some();
    if let Some((at, held)) = peaks.first().copied().flatten().filter(|(at, _)| sees(*at)) {
        let place = (frame.middle_of(at), frame.y_of(held));
        dot(paper, place, Ink::Text);
        let size = frame.unit.format(held);
        let name = memory.name_of(ours, at, NAME_CHARS);
        let same = |(line, peak): (&MemoryLine, &Option<(usize, f64)>)| {
            peak.is_some_and(|(other, most)| {
                most == held && memory.name_of(line, other, NAME_CHARS) == name
            })
        };
        let in_all = peaks.len() > 1 && memory.orders.iter().zip(peaks).all(same);
        let at_place = if memory.between { "" } else { " at" };
        let full = format!("peak {size}{at_place} {name}");
        let place_only = memory.name_of(&MemoryLine::default(), at, 0);
        let mut words = vec![
            full.clone(),
            format!("peak {size}{at_place} {place_only}"),
            format!("peak {size}"),
        ];
        if in_all {
            words.insert(0, format!("{full}, in every order shown"));
        }
        fitting_text(
            paper,
            (&words, Ink::Text),
            (place, frame),
            &[-8.0, 12.0, 4.0],
        );
    }
    if let Some((at, held)) = chosen.filter(|(at, _)| sees(*at)) {
        let place = (frame.middle_of(at), frame.y_of(held));
        dot(paper, place, Ink::Accent);
        if peaks
            .first()
            .copied()
            .flatten()
            .is_some_and(|peak| peak.0 == at)
        {
            return;
        }
        let size = frame.unit.format(held);
        let name = memory.name_of(ours, at, NAME_CHARS);
        let place_only = memory.name_of(&MemoryLine::default(), at, 0);
        let words = [
            format!("{name}: {size}"),
            format!("{place_only}: {size}"),
            size,
        ];
        // Somewhere along the band, the free upper part first.
        let plot = &frame.plot;
        let ways = [0.34, 0.24, 0.14, 0.46, 0.58];
        let ways = ways.map(|share| plot.y + share * plot.h - place.1);
        fitting_text(paper, (&words, Ink::Accent), (place, frame), &ways);
    }
}

/// The first of some words that has room beside a place, right of it or left, at some heights relative to it [px].
fn fitting_text(
    paper: &mut LabelPlacer,
    (words, ink): (&[String], Ink),
    ((x, y), frame): ((f64, f64), &Frame),
    ways: &[f64],
) {
    let plot = &frame.plot;
    let aside = 10.0_f64.max(frame.step_px / 2.0 + 4.0).min(18.0);
    let text = |anchor, at, words: &String| {
        Mark::text(ink, TEXT_SIZE, anchor, at, &**words)
            .strong()
            .with_halo(Ink::Background)
    };
    for words in words {
        let wide = text_width(words, TEXT_SIZE, true);
        for way in ways {
            let base = (y + way).max(plot.y + 9.0).min(plot.bottom() - 6.0);
            let right = (x + aside + wide <= plot.right())
                .then(|| text(Anchor::Start, (x + aside, base), words));
            let left =
                (x - aside - wide >= plot.x).then(|| text(Anchor::End, (x - aside, base), words));
            // Their grounds must not cut into words above or below.
            let places = right.into_iter().chain(left);
            let airy = places.filter(|mark| {
                let place = mark.text_box();
                place.is_some_and(|r| paper.has_room(&Rect::new(r.x, r.y - 3.0, r.w, r.h + 7.0)))
            });
            let airy: Vec<Mark> = airy.collect();
            if paper.offer_one(airy) {
                return;
            }
        }
    }
}
