//! Migrations just before one token: arrows from device to device beside its line.
//!
//! An arrow leaves the line at the row it comes from, runs down or up a lane of its own and comes back to the line where
//! it ends, so that arrows that pass one another are not taken for one. What goes the same way is one arrow with a count.

use super::MovedBlock;
use super::hits::{HeadHit, HeadPart};
use super::index::HeadIndex;
use super::layout::HeadsFrame;
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, MarkForm, Rect, text_width};
use engine::units::InOrder;

/// From the line to the first lane, and from lane to lane [px].
const FIRST_PX: f64 = 13.0;
const LANE_PX: f64 = 8.0;
/// Most lanes; arrows beyond share the last.
const MOST_LANES: usize = 10;
/// Between arrows in one lane at least [px].
const GAP_PX: f64 = 6.0;
/// Distance of incoming and outgoing arrows from the middle of a row that has both [px].
const ARROW_OFFSET_PX: f64 = 4.5;
/// Size of a count, and the air before it [px].
const COUNT_SIZE: f64 = 11.0;
const COUNT_AIR_PX: f64 = 6.0;

/// An arrow from row to row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arrow {
    /// Migrations along it, by index in the moves.
    pub numbers: Vec<usize>,
    /// The rows it leads from and to.
    pub rows: (usize, usize),
    /// Where the line stands, and the lane [px].
    x: f64,
    lane_x: f64,
    /// Where it begins and ends [px].
    y: (f64, f64),
    label: Option<String>,
}

/// The arrows of some moves beside a line at `x` [px].
pub(super) fn of(index: &HeadIndex, frame: &HeadsFrame, numbers: &[usize], x: f64) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for number in numbers {
        let one = &index.data.moves[*number];
        let is_head = matches!(one.block, MovedBlock::Head(_));
        let rows = (
            frame.row_of(one.from, !is_head),
            frame.row_of(one.to, !is_head),
        );
        let (Some(from), Some(to)) = rows else {
            continue;
        };
        if let Some(same) = arrows.iter_mut().find(|arrow| arrow.rows == (from, to)) {
            same.numbers.push(*number);
            continue;
        }
        arrows.push(Arrow {
            numbers: vec![*number],
            rows: (from, to),
            x,
            lane_x: x,
            y: (frame.middle(from), frame.middle(to)),
            label: None,
        });
    }
    // Where one comes in and one goes out, they do so side by side.
    let (out, into): (Vec<usize>, Vec<usize>) = arrows.iter().map(|arrow| arrow.rows).unzip();
    for arrow in &mut arrows {
        if into.contains(&arrow.rows.0) {
            arrow.y.0 += ARROW_OFFSET_PX;
        }
        if out.contains(&arrow.rows.1) {
            arrow.y.1 -= ARROW_OFFSET_PX;
        }
    }
    // Short ones are inside long ones.
    arrows.in_order_by(|a, b| a.long().total_cmp(&b.long()).then(a.rows.cmp(&b.rows)));
    let mut lanes: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut chosen = Vec::with_capacity(arrows.len());
    for arrow in &arrows {
        let (top, foot) = arrow.ends();
        let free = |lane: &Vec<(f64, f64)>| {
            let mut others = lane.iter();
            others.all(|(a, b)| foot + GAP_PX <= *a || top >= *b + GAP_PX)
        };
        let lane = lanes.iter().position(free).unwrap_or(lanes.len());
        let lane = lane.min(MOST_LANES - 1);
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push((top, foot));
        chosen.push(lane);
    }
    for arrow in &mut arrows {
        let count = arrow.numbers.len();
        arrow.label = (count > 1).then(|| count.to_string());
    }
    let counts = arrows.iter().filter_map(|arrow| arrow.label.as_ref());
    let widest = counts.map(|text| COUNT_AIR_PX + text_width(text, COUNT_SIZE, true));
    let room = FIRST_PX + LANE_PX * lanes.len() as f64 + widest.fold(0.0, f64::max);
    let (_, right) = frame.scale.ends_px();
    let side = if x + room <= right { 1.0 } else { -1.0 };
    for (arrow, lane) in arrows.iter_mut().zip(chosen) {
        arrow.lane_x = x + side * (FIRST_PX + LANE_PX * lane as f64);
    }
    arrows
}

/// The places of a row that the line and arrows beside it take, from and to [px].
pub(super) fn occupied_spans(arrows: &[Arrow], line: Option<f64>, row: usize) -> Vec<(f64, f64)> {
    let mut taken: Vec<(f64, f64)> = line.map(|x| (x - 4.0, x + 4.0)).into_iter().collect();
    for arrow in arrows {
        let (a, b) = arrow.rows;
        if (a.min(b)..=a.max(b)).contains(&row) {
            let label = arrow.label_box().map_or(arrow.lane_x, |label| {
                if arrow.lane_x > arrow.x {
                    label.right()
                } else {
                    label.x
                }
            });
            let (from, to) = (arrow.x.min(label), arrow.x.max(label));
            taken.push((from - 4.0, to + 4.0));
        }
    }
    taken
}

/// Draws arrows: their ground first, so that none cuts another.
pub(super) fn draw(arrows: &[Arrow], marks: &mut Vec<Mark>) {
    for (ink, width) in [(Ink::Background, 5.0), (Ink::TransferEdge, 2.0)] {
        for arrow in arrows {
            for points in arrow.strokes() {
                marks.push(Mark::path(ink, width, &[], points));
            }
        }
    }
    let mut placed: Vec<Rect> = Vec::new();
    for arrow in arrows {
        marks.push(Mark::point(
            Ink::TransferEdge,
            MarkForm::Dot,
            (arrow.x, arrow.y.0),
        ));
    }
    for arrow in arrows {
        let (Some(text), Some(place)) = (&arrow.label, arrow.label_box()) else {
            continue;
        };
        let meets = |other: &Rect| {
            place.x < other.right()
                && other.x < place.right()
                && place.y < other.bottom()
                && other.y < place.bottom()
        };
        if placed.iter().any(meets) {
            continue;
        }
        let at = (place.x, place.y + 0.78 * COUNT_SIZE);
        let text = Mark::text(Ink::Text, COUNT_SIZE, Anchor::Start, at, text.as_str());
        marks.push(text.strong().with_halo(Ink::Background));
        placed.push(place);
    }
}

impl Arrow {
    fn ends(&self) -> (f64, f64) {
        (self.y.0.min(self.y.1), self.y.0.max(self.y.1))
    }

    fn long(&self) -> f64 {
        (self.y.0 - self.y.1).abs()
    }

    /// The way from row to row, and the two strokes of its point.
    fn strokes(&self) -> [Vec<(f64, f64)>; 2] {
        let (from, to) = self.y;
        let side = if self.lane_x > self.x { 1.0 } else { -1.0 };
        let tip = self.x + 2.0 * side;
        let way = vec![
            (self.x, from),
            (self.lane_x, from),
            (self.lane_x, to),
            (tip + side, to),
        ];
        let wing = tip + 6.0 * side;
        let point = vec![(wing, to - 4.0), (tip, to), (wing, to + 4.0)];
        [way, point]
    }

    /// Returns true if it crosses a text.
    pub fn meets(&self, text: &Rect) -> bool {
        let (top, foot) = self.ends();
        let (left, right) = (self.x.min(self.lane_x), self.x.max(self.lane_x));
        let across = text.x < right + 3.0 && text.right() > left - 3.0;
        let at = |y: f64| across && text.y < y + 4.0 && text.bottom() > y - 4.0;
        let lane = text.x < self.lane_x + 3.0 && text.right() > self.lane_x - 3.0;
        let down = lane && text.y < foot && text.bottom() > top;
        let label = self.label_box().is_some_and(|label| {
            text.x < label.right()
                && label.x < text.right()
                && text.y < label.bottom()
                && label.y < text.bottom()
        });
        down || at(top) || at(foot) || label
    }

    fn label_box(&self) -> Option<Rect> {
        let w = text_width(self.label.as_ref()?, COUNT_SIZE, true);
        let middle = (self.y.0 + self.y.1) / 2.0;
        let x = if self.lane_x > self.x {
            self.lane_x + COUNT_AIR_PX
        } else {
            self.lane_x - COUNT_AIR_PX - w
        };
        Some(Rect::new(x, middle - COUNT_SIZE / 2.0, w, COUNT_SIZE))
    }

    /// Returns its hit target.
    pub fn hit(&self, index: &HeadIndex) -> HeadHit {
        let (top, foot) = self.ends();
        let moves = || self.numbers.iter().map(|number| &index.data.moves[*number]);
        let token = moves().next().map_or(1, |one| one.token);
        let device = moves().next().map_or(0, |one| one.to);
        HeadHit {
            rect: Some(Rect::new(self.lane_x - 3.0, top, 6.0, foot - top)),
            row: self.rows.1,
            device,
            meaning: HeadPart::Arrow {
                moves: (
                    self.numbers.iter().copied().min().unwrap_or(0),
                    self.numbers.iter().copied().max().unwrap_or(0) + 1,
                ),
            },
            from: token,
            to: token,
        }
    }
}
