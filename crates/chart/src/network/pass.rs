//! One decode pass to scale: the tiers one after another, with the hops between them and the token's way back.

use super::layout::{SMALL_SIZE, TEXT_SIZE, TierBoard, boxed};
use super::{NetworkPart, facts};
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect, text_width};
use engine::units::seconds;

/// Height of the bar [px].
const BAR_PX: f64 = 24.0;
/// A hop is at least this wide [px] and stands out of the bar by so much.
const HOP_PX: f64 = 3.0;
const OUT_PX: f64 = 2.0;
/// Air round a label in its part [px].
const LABEL_AIR: f64 = 4.0;

/// Draws the pass from `top` px on; answers where it ends [px].
pub(super) fn draw(board: &mut TierBoard, width: f64, top: f64) -> f64 {
    let network = board.network;
    let known = |s: f64| if s.is_finite() { s.max(0.0) } else { 0.0 };
    let hops = network
        .hops
        .iter()
        .take(network.tiers.len().saturating_sub(1));
    let parts: f64 = network
        .tiers
        .iter()
        .map(|tier| known(tier.pass_s))
        .sum::<f64>()
        + hops.map(|hop| known(hop.decode_s)).sum::<f64>()
        + known(network.return_s);
    let all = parts.max(known(network.total_s));
    let per_s = if all > 0.0 { width / all } else { 0.0 };
    let px = |s: f64| known(s) * per_s;

    let bar = Rect::new(0.0, captions(board, width, top), width, BAR_PX);
    board
        .marks
        .push(boxed(Ink::Background, Ink::LineStrong, &[], bar));
    let mut hops = Vec::new();
    let mut x = 0.0;
    for (at, tier) in network.tiers.iter().enumerate() {
        let head = px(tier.head_s).min(px(tier.pass_s));
        let own = Rect::new(x, bar.y, px(tier.pass_s) - head, BAR_PX);
        if own.w > 0.0 {
            segment(board, at, own);
        }
        if head > 0.0 {
            let rect = Rect::new(own.right(), bar.y, head, BAR_PX);
            let hit = board.hit(NetworkPart::PassHead(at), rect);
            board
                .marks
                .push(boxed(Ink::Background, Ink::HandOver, &[2.0, 2.0], rect).of(hit));
        }
        if board.is_slowest(at) {
            let line = Rect::new(
                x,
                bar.bottom() + OUT_PX + 1.0,
                px(tier.pass_s).max(1.0),
                3.0,
            );
            board.marks.push(Mark::fill(Ink::Text, line));
        }
        x = own.right() + head;
        if let (Some(hop), true) = (network.hops.get(at), at + 1 < network.tiers.len()) {
            let rect = hop_rect((x, px(hop.decode_s)), bar);
            hops.push((board.hit(NetworkPart::PassHop(at), rect), rect));
            x += px(hop.decode_s);
        }
    }
    if network.return_s > 0.0 {
        let rect = hop_rect((x, px(network.return_s)), bar);
        hops.push((board.hit(NetworkPart::Return, rect), rect));
    }
    // Hops go last, so that one of a few pixels is not covered by the tier after it.
    for (hit, rect) in &hops {
        board
            .marks
            .push(Mark::bar(Ink::TransferFill, Ink::TransferEdge, *rect).of(*hit));
    }
    let places: Vec<f64> = hops.iter().map(|(_, rect)| rect.x + rect.w / 2.0).collect();
    under(board, width, bar.bottom() + 19.0, &places);
    bar.bottom() + 26.0
}

/// Where a hop stands that begins at `x` and is `w` px long: widened about its middle, and inside the bar.
fn hop_rect((x, w): (f64, f64), bar: Rect) -> Rect {
    let wide = w.max(HOP_PX);
    let left = (x + w / 2.0 - wide / 2.0)
        .min(bar.right() - wide)
        .max(bar.x);
    Rect::new(left, bar.y - OUT_PX, wide, bar.h + 2.0 * OUT_PX)
}

/// Labels the bar with its parts and their sum. Returns the left edge of the bar [px].
fn captions(board: &mut TierBoard, width: f64, top: f64) -> f64 {
    let total_s = board.network.total_s;
    // In the unit of its parts, so that they can be added.
    let mut total = board.format.with_unit(total_s);
    if let Some(rate) = facts::tokens(total_s) {
        total = format!("{total}, {rate}");
    }
    let words = ["One decode pass, to scale", "One decode pass"];
    let room = width - text_width(&total, TEXT_SIZE, true) - 12.0;
    let first = top + 10.0;
    let title = words
        .into_iter()
        .find(|text| text_width(text, SMALL_SIZE, false) <= room);
    let total_base = if title.is_some() { first } else { first + 16.0 };
    let text = title.unwrap_or(words[1]);
    board.text(
        (0.0, first),
        SMALL_SIZE,
        Ink::Text3,
        false,
        Anchor::Start,
        text,
    );
    board.text(
        (width, total_base),
        TEXT_SIZE,
        Ink::Text,
        true,
        Anchor::End,
        total,
    );
    total_base + 10.0
}

fn segment(board: &mut TierBoard, at: usize, rect: Rect) {
    let tier = &board.network.tiers[at];
    let hit = board.hit(NetworkPart::Pass(at), rect);
    board
        .marks
        .push(Mark::bar(Ink::device(tier.shade), Ink::DevEdge, rect).of(hit));
    let takes = board.format.with_unit(tier.pass_s);
    let mut wordings = vec![takes.clone(), board.format.figure(tier.pass_s)];
    if tier.head_s > 0.0 {
        let head = board.format.figure(tier.head_s);
        wordings.insert(0, format!("{takes}, head {head}"));
    }
    let fits = |text: &String| text_width(text, TEXT_SIZE, false) + 2.0 * LABEL_AIR <= rect.w;
    if let Some(text) = wordings.into_iter().find(fits) {
        let ink = Ink::on_device(tier.shade);
        let at = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0 + 4.0);
        board
            .marks
            .push(Mark::text(ink, TEXT_SIZE, Anchor::Middle, at, text).of(hit));
    }
}

/// The hops' times under the bar where they do not meet, and at the end the way back.
fn under(board: &mut TierBoard, width: f64, base: f64, places: &[f64]) {
    let network = board.network;
    let size = |text: &str| text_width(text, SMALL_SIZE, false);
    let mut end = width;
    if let (Some(first), true) = (network.tiers.first(), network.tiers.len() > 1) {
        let takes = seconds(network.return_s);
        let wordings = [
            format!("then the token returns to {}, {takes}", first.name),
            format!("back to {}, {takes}", first.name),
            format!("back {takes}"),
        ];
        let fits = |text: &String| size(text) <= 0.4 * width;
        if let Some(text) = wordings.into_iter().find(fits) {
            end -= size(&text) + 10.0;
            board.text(
                (width, base),
                SMALL_SIZE,
                Ink::Text3,
                false,
                Anchor::End,
                text,
            );
        }
    }
    let mut from = 0.0;
    for (hop, x) in network.hops.iter().zip(places) {
        let (token, prompt) = (seconds(hop.decode_s), seconds(hop.prefill_s));
        for text in [format!("{token}; prefill {prompt}"), token] {
            let w = size(&text);
            let left = (x - w / 2.0).max(0.0);
            if left >= from && left + w <= end {
                board.text(
                    (left, base),
                    SMALL_SIZE,
                    Ink::Text3,
                    false,
                    Anchor::Start,
                    text,
                );
                from = left + w + 10.0;
                break;
            }
        }
    }
}
