//! A graph laid out in pixels: edges, marks, captions, and the window of a graph that is too long for the picture.

use super::captions::captions;
use super::curve::{bezier, bow, clipped};
use super::strip::{STRIP_PX, WORDS_PX, strip};
use super::{GraphLayout, GraphPicture, GraphTold, OpState, place_graph};
use crate::ink::Ink;
use crate::legend::{self, entries};
use crate::mark::{Anchor, Edge, Mark, Picture, Rect, Shape, text_width};
use crate::operators::{NAME_CHARS, PHONE_PX, short};
use crate::paper::{Paper, TEXT_SIZE, small};
use crate::spot::{Catch, Spot, SpotChart, Spots, Told};
use engine::units::{BinaryUnit, count};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Size of a mark, and the least [px].
const MARK_PX: f64 = 12.0;
const LEAST_MARK_PX: f64 = 2.0;
/// From layer to layer at most; at least where all of a small graph is shown; and in a window, on a phone [px].
const MOST_LAYER_PX: f64 = 58.0;
const LEAST_LAYER_PX: f64 = 9.0;
const WINDOW_LAYER_PX: (f64, f64) = (24.0, 19.0);
/// From lane to lane at most, and on a phone [px].
const LANE_PX: (f64, f64) = (28.0, 23.0);
/// All lanes at most [px].
const LANES_PX: f64 = 400.0;
/// Of more operators only a window is shown, unless their layers are few.
const MOST_WHOLE: usize = 200;
/// More edges are drawn as straight lines.
const MOST_CURVES: usize = 2_000;
/// Left and right of the graph [px].
const ASIDE_PX: f64 = 4.0;
/// Above the highest lane: the words of what runs [px].
const TOP_PX: f64 = 26.0;
/// Captions of groups of layers [px].
const CAPTION_PX: f64 = 18.0;
/// Places are caught so far from their mark [px].
const CATCH_PX: f64 = 9.0;

/// The measures of one chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    /// The layers that are shown: the first, and the first that is not.
    pub from: usize,
    pub to: usize,
    /// Whether that is not all.
    pub is_window: bool,
    pub(super) layer_px: f64,
    lane_px: f64,
    pub(super) mark_px: f64,
    /// Where layers can stand [px].
    pub(super) plot: Rect,
    /// The lane at the upper edge of the plot.
    top_lane: f64,
}

impl Frame {
    fn new(picture: &GraphPicture, layout: &GraphLayout, width: f64) -> Self {
        let layers = layout.layers().max(1);
        let is_phone = width < PHONE_PX;
        let pick = |(wide, phone): (f64, f64)| if is_phone { phone } else { wide };
        let room = width - 2.0 * ASIDE_PX;
        let least = if layout.len() <= MOST_WHOLE {
            LEAST_LAYER_PX
        } else {
            pick(WINDOW_LAYER_PX)
        };
        let fit = room / layers as f64;
        let (shown, is_window) = if fit >= least {
            (layers, false)
        } else {
            let shown = libm::floor(room / pick(WINDOW_LAYER_PX)) as usize;
            (shown.clamp(1, layers), true)
        };
        let running = picture.running().and_then(|op| layout.layer(op));
        let from = running.unwrap_or(0).saturating_sub(shown / 2);
        let from = from.min(layers - shown);
        let layer_px = (room / shown as f64).min(MOST_LAYER_PX);
        let high = layout.lanes.1 - layout.lanes.0;
        let lane_px = pick(LANE_PX).min(LANES_PX / high.max(1.0));
        let mark_px = MARK_PX
            .min(0.72 * layer_px)
            .min(lane_px - 2.0)
            .max(LEAST_MARK_PX);
        // Arcs over what stands in the way need room above the highest lane.
        let top = TOP_PX.max(0.9 * lane_px + 2.0);
        Self {
            from,
            to: from + shown,
            is_window,
            layer_px,
            lane_px,
            mark_px,
            plot: Rect::new(ASIDE_PX, top, layer_px * shown as f64, high * lane_px),
            top_lane: layout.lanes.0,
        }
    }

    /// The middle of an operator [px].
    fn place(&self, layout: &GraphLayout, op: usize) -> (f64, f64) {
        let layer = f64::from(layout.layer[op]) - self.from as f64;
        (
            self.plot.x + (layer + 0.5) * self.layer_px,
            self.plot.y + (layout.lane[op] - self.top_lane) * self.lane_px,
        )
    }

    pub(super) fn shows(&self, layer: u32) -> bool {
        (self.from..self.to).contains(&(layer as usize))
    }

    /// The part of an edge that is inside the window, or `None` where there is none.
    pub fn curve(
        &self,
        layout: &GraphLayout,
        (u, v): (usize, usize),
        is_straight: bool,
    ) -> Option<Vec<(f64, f64)>> {
        let (from, to) = (layout.layer[u] as usize, layout.layer[v] as usize);
        if to < self.from || from >= self.to {
            return None;
        }
        let half = self.mark_px / 2.0;
        let (x1, y1) = self.place(layout, u);
        let (x2, y2) = self.place(layout, v);
        let (x1, x2) = (x1 + half, x2 - half);
        let is_level = (y1 - y2).abs() < 0.5;
        // What runs along a lane goes round what stands in it.
        let is_bowed = is_level && to > from + 1 && layout.is_in_way(layout.lane[u], from, to);
        let points = if is_straight || (is_level && !is_bowed) {
            vec![(x1, y1), (x2, y2)]
        } else if is_bowed {
            let up = (0.5 * self.lane_px + 1.5 * (to - from) as f64).min(0.85 * self.lane_px);
            bow((x1, y1), (x2, y2), up.max(half + 1.0), self.layer_px)
        } else {
            let bend = ((x2 - x1) / 2.0).max(2.0);
            bezier((x1, y1), (x1 + bend, y1), (x2 - bend, y2), (x2, y2))
        };
        Some(clipped(&points, (self.plot.x, self.plot.right()))).filter(|path| path.len() > 1)
    }

    /// The rectangle of a mark.
    fn mark(&self, (x, y): (f64, f64)) -> Rect {
        Rect::new(x, y, 0.0, 0.0).grown(self.mark_px / 2.0)
    }
}

/// Lays a graph out on `width_px`; its height follows from its lanes, and does not change with the step.
///
/// # Complexity
/// O(operators + edges).
#[must_use]
pub fn layout_graph(picture: &GraphPicture, layout: &Arc<GraphLayout>, width_px: f64) -> SpotChart {
    let is_own = layout.len() == picture.ops.len();
    let layout = if is_own {
        layout.clone()
    } else {
        Arc::new(place_graph(&picture.ops))
    };
    let mut paper = Paper::new(width_px, 0.0);
    let frame = Frame::new(picture, &layout, paper.width);
    let captions = captions(&layout, &frame);
    let foot = frame.plot.bottom() + MARK_PX / 2.0 + 4.0;
    let under = if layout.groups.is_empty() {
        0.0
    } else {
        CAPTION_PX
    };
    let strip_px = if frame.is_window {
        STRIP_PX + WORDS_PX + 8.0
    } else {
        0.0
    };
    paper.height = foot + under + strip_px;
    let running = picture.running();
    edges(&mut paper, (picture, &layout), running, &frame);
    if let Some(op) = running.filter(|op| frame.shows(layout.layer[*op])) {
        let ring = frame.mark(frame.place(&layout, op)).grown(3.0);
        name_running(&mut paper, &picture.ops[op].name, picture.step, ring);
    }
    let spots = marks(&mut paper, (picture, &layout), &frame);
    if let Some(op) = running.filter(|op| frame.shows(layout.layer[*op])) {
        let place = frame.place(&layout, op);
        let rect = frame.mark(place).grown(3.0);
        let shape = Shape::Frame { rect, dash: &[] };
        paper.draw(Mark::new(Ink::Accent, shape));
    }
    for (x, words) in captions {
        paper.offer(small(Anchor::Start, (x, foot + 12.0), words));
    }
    let mut rows = Spots::default();
    let area = Rect::new(0.0, 0.0, paper.width, foot);
    let mut row = 0;
    for (_, mut own) in spots {
        own.iter_mut().for_each(|spot| spot.row = row);
        rows.row(area, Catch::Inside(CATCH_PX), own);
        row += 1;
    }
    let mut bins = Vec::new();
    if frame.is_window {
        let top = foot + under + 4.0;
        let (found, mut own) = strip(&mut paper, (picture, &layout), &frame, top);
        own.iter_mut().for_each(|spot| spot.row = row);
        bins = found;
        let band = Rect::new(0.0, top - 4.0, paper.width, STRIP_PX + WORDS_PX);
        rows.row(band, Catch::Column(f64::INFINITY), own);
    }
    if picture.ops.is_empty() {
        let at = (12.0, foot - 4.0);
        paper.offer(small(Anchor::Start, at, "The graph has no operators."));
    }
    let largest = picture
        .ops
        .iter()
        .map(|op| op.out)
        .filter(|b| b.is_finite());
    let unit = BinaryUnit::of_largest(largest.fold(0.0, f64::max));
    SpotChart {
        plot: Rect::new(0.0, 0.0, paper.width, foot),
        picture: paper.picture(picture.describe(layout.layers())),
        spots: rows.all,
        rows: rows.rows,
        told: Told::Graph(Arc::new(GraphTold {
            picture: picture.clone(),
            layout,
            frame,
            unit,
            bins,
        })),
    }
}

/// Edges that are seen: those into what runs last and strong.
fn edges(
    paper: &mut Paper,
    (picture, layout): (&GraphPicture, &GraphLayout),
    running: Option<usize>,
    frame: &Frame,
) {
    let all = || {
        let own = layout.preds.iter().enumerate();
        own.flat_map(|(v, preds)| preds.iter().map(move |u| (*u as usize, v)))
            .filter(|(u, v)| {
                (layout.layer[*u] as usize) < frame.to && layout.layer[*v] as usize >= frame.from
            })
    };
    let is_many = all().count() > MOST_CURVES;
    let thick = |is_strong: bool| {
        if is_strong {
            (Ink::Accent, 1.5)
        } else {
            (Ink::LineStrong, 1.0)
        }
    };
    let is_operand = |v: usize| running == Some(v) && picture.step.is_some();
    for is_strong in [false, true] {
        for edge in all().filter(|(_, v)| is_operand(*v) == is_strong) {
            if let Some(points) = frame.curve(layout, edge, is_many) {
                let (ink, width) = thick(is_strong);
                let shape = Shape::Line {
                    points,
                    width,
                    dash: &[],
                };
                paper.draw(Mark::new(ink, shape));
            }
        }
    }
}

/// The operators that are seen, and their places by lane.
fn marks(
    paper: &mut Paper,
    (picture, layout): (&GraphPicture, &GraphLayout),
    frame: &Frame,
) -> BTreeMap<i64, Vec<Spot>> {
    let mut spots: BTreeMap<i64, Vec<Spot>> = BTreeMap::new();
    for layer in &layout.members[frame.from.min(layout.layers())..frame.to.min(layout.layers())] {
        // Where lanes are finer than pixels, one mark stands for all of a pixel, the most important of them.
        let mut drawn: BTreeMap<i64, (OpState, usize)> = BTreeMap::new();
        for op in layer.iter().map(|v| *v as usize) {
            let Some(state) = picture.state(op) else {
                continue;
            };
            let place = frame.place(layout, op);
            let rect = frame.mark(place);
            // Two of one layer are a lane apart, so that halves of lanes tell them apart.
            let row = libm::round(2.0 * layout.lane[op]) as i64;
            spots.entry(row).or_default().push(Spot {
                rect,
                row: 0,
                pick: Some(picture.ops[op].step as f64),
                of: op,
            });
            let pixel = libm::floor(place.1) as i64;
            let first = drawn.get(&pixel).is_none_or(|(other, _)| *other < state);
            if first {
                drawn.insert(pixel, (state, op));
            }
        }
        for (state, op) in drawn.into_values() {
            let rect = frame.mark(frame.place(layout, op));
            paper.draw(shape_of(state, picture.ops[op].is_pool, rect));
        }
    }
    spots
}

/// A mark: round or square, filled by its state.
fn shape_of(state: OpState, is_round: bool, rect: Rect) -> Mark {
    let (fill, edge) = state.look();
    if is_round && rect.w >= 4.0 {
        let shape = Shape::Disc {
            at: (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0),
            radius: rect.w / 2.0,
            edge: Some(edge),
        };
        return Mark::new(fill, shape);
    }
    if rect.w < 3.5 {
        return Mark::fill(if state == OpState::NotYet { edge } else { fill }, rect);
    }
    Mark::new(
        fill,
        Shape::Rect {
            rect,
            radius: 1.0,
            edge: Some(Edge {
                ink: edge,
                dash: &[],
            }),
        },
    )
}

/// What runs, in words over its mark.
fn name_running(paper: &mut Paper, name: &str, step: Option<usize>, ring: Rect) {
    let step = step.map_or(String::new(), |step| {
        format!("step {}", count(step as f64 + 1.0))
    });
    let full = match short(name, NAME_CHARS) {
        name if name.is_empty() => step,
        name => format!("{step}, {name}"),
    };
    let half = text_width(&full, TEXT_SIZE, true) / 2.0;
    let middle = ring.x + ring.w / 2.0;
    let middle = middle.max(half + 2.0).min(paper.width - half - 2.0);
    let text = |base: f64| {
        Mark::text(
            Ink::Accent,
            TEXT_SIZE,
            Anchor::Middle,
            (middle, base),
            &*full,
        )
        .strong()
        .with_halo(Ink::Background)
    };
    // On a line of its own over the whole graph, where no mark is.
    paper.offer(text(11.0));
    if ring.y > 18.0 {
        let line = Shape::Line {
            points: vec![
                (ring.x + ring.w / 2.0, 16.0),
                (ring.x + ring.w / 2.0, ring.y),
            ],
            width: 1.0,
            dash: &[1.5, 2.5],
        };
        paper.draw(Mark::new(Ink::Accent, line));
    }
}

/// The key to the marks of a graph in lines of at most `width_px`.
#[must_use]
pub fn graph_legend(width_px: f64) -> Picture {
    let at = |is_round: bool, state: OpState| {
        let rect = Rect::new((legend::W - MARK_PX) / 2.0, 0.0, MARK_PX, MARK_PX);
        vec![shape_of(state, is_round, rect)]
    };
    let states = OpState::ALL.map(|state| (at(false, state), state.words().to_owned()));
    let pool = (at(true, OpState::NotYet), "Round: pooling".to_owned());
    entries(states.into_iter().chain([pool]), width_px)
}
