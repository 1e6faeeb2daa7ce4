//! A graph laid out in pixels: edges, marks, captions, and the window of a graph that is too long for the picture.

use super::captions::captions;
use super::curve::{bezier, bow, inside};
use super::strip::{STRIP_PX, WORDS_PX, strip};
use super::{GraphDescriber, GraphLayout, GraphOp, GraphPicture, OpState, place_graph};
use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::interaction::{
    AxisUnit, ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, RowHits,
    ScrollLanes,
};
use crate::legend::{self, entries};
use crate::mark::{Anchor, Mark, MarkShape, Picture, Rect, text_width};
use crate::operators::{NAME_CHARS, PHONE_PX, short};
use crate::paper::{LabelPlacer, SMALL_SIZE, TEXT_SIZE, small};
use crate::scale::TimeScale;
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
/// Layers that are narrower are drawn several together, without edges [px].
const FAR_PX: f64 = 3.0;
/// And so are more operators than this, if they are seen at once.
const MOST_MARKS: usize = 6_000;
/// Wider layers have boxes with the operators’ names; height of a box, and most of its width [px].
const BOXED_LAYER_PX: f64 = 84.0;
const BOX_PX: (f64, f64) = (168.0, 19.0);
/// Places are caught so far from their mark [px].
const CATCH_PX: f64 = 9.0;

/// The measures of one chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GraphFrame {
    /// The layers that are shown, from one to the other; a view can begin within one.
    pub from: f64,
    pub to: f64,
    /// True if the view does not show the whole graph.
    pub is_window: bool,
    /// True if operators are too small to be distinguished.
    is_far: bool,
    /// True if operators are boxes with names.
    is_boxed: bool,
    pub(super) layer_px: f64,
    lane_px: f64,
    /// Width and height of a mark.
    pub(super) mark_px: (f64, f64),
    /// Where layers can stand [px].
    pub(super) plot: Rect,
    /// The lane at the upper edge of the plot.
    top_lane: f64,
}

/// The layers that a graph is first shown with, round an operator: all of a small graph, a window of a large one.
#[must_use]
pub fn first_view(layout: &GraphLayout, op: Option<usize>, width_px: f64) -> TimeView {
    let layers = layout.layers().max(1);
    let room = width_px - 2.0 * ASIDE_PX;
    let window_px = if width_px < PHONE_PX {
        WINDOW_LAYER_PX.1
    } else {
        WINDOW_LAYER_PX.0
    };
    let least = if layout.len() <= MOST_WHOLE {
        LEAST_LAYER_PX
    } else {
        window_px
    };
    let shown = if room / layers as f64 >= least {
        layers
    } else {
        let shown = libm::floor(room / window_px) as usize;
        shown.clamp(1, layers)
    };
    let from = op.and_then(|op| layout.layer(op)).unwrap_or(0);
    let from = from.saturating_sub(shown / 2).min(layers - shown);
    TimeView {
        from_s: from as f64,
        to_s: (from + shown) as f64,
    }
}

impl GraphFrame {
    fn new(picture: &GraphPicture, layout: &GraphLayout, width: f64) -> Self {
        let layers = layout.layers().max(1) as f64;
        let pick = |(wide, phone): (f64, f64)| if width < PHONE_PX { phone } else { wide };
        let room = width - 2.0 * ASIDE_PX;
        let first = || first_view(layout, picture.running(), width);
        let view = picture.view.map_or_else(first, |view| view.layers);
        let is_window = view.span_s() < layers;
        // Of a few layers each is as wide as it needs to be, unless they were asked for.
        let asked = picture.view.is_some() && is_window;
        let most = if asked { f64::INFINITY } else { MOST_LAYER_PX };
        let layer_px = (room / view.span_s()).min(most);
        let high = layout.lanes.1 - layout.lanes.0;
        let fit_px = pick(LANE_PX).min(LANES_PX / high.max(1.0));
        // What is looked at from nearer is larger both ways.
        let nearer = if asked { layers / view.span_s() } else { 1.0 };
        let lane_px = (fit_px * nearer).min(pick(LANE_PX));
        let is_boxed = asked && layer_px >= BOXED_LAYER_PX && lane_px > BOX_PX.1;
        let mark_px = if is_boxed {
            ((0.8 * layer_px).min(BOX_PX.0), BOX_PX.1)
        } else {
            let px = MARK_PX.min(0.72 * layer_px).min(lane_px - 2.0);
            (px.max(LEAST_MARK_PX), px.max(LEAST_MARK_PX))
        };
        // Arcs over what is in the way need room above the highest lane.
        let top = TOP_PX.max(0.9 * fit_px + 2.0);
        let plot = Rect::new(ASIDE_PX, top, layer_px * view.span_s(), high * fit_px);
        let seen_lanes = plot.h / lane_px;
        let middle = picture.view.map_or(0.0, |view| view.lane);
        let top_lane = (middle - seen_lanes / 2.0)
            .min(layout.lanes.1 - seen_lanes)
            .max(layout.lanes.0);
        let mut frame = Self {
            from: view.from_s,
            to: view.to_s,
            is_window,
            is_far: false,
            is_boxed,
            layer_px,
            lane_px,
            mark_px,
            plot,
            top_lane,
        };
        let seen = layout.members.get(frame.visible_layers(layout.layers()));
        let seen: usize = seen.unwrap_or_default().iter().map(Vec::len).sum();
        frame.is_far = picture.view.is_some() && (layer_px < FAR_PX || seen > MOST_MARKS);
        if frame.is_far {
            frame.mark_px = (FAR_PX, FAR_PX);
        }
        frame
    }

    /// The layers that are seen at least in part.
    pub(super) fn visible_layers(&self, layers: usize) -> std::ops::Range<usize> {
        let (from, to) = (libm::floor(self.from), libm::ceil(self.to));
        (from as usize).min(layers)..(to as usize).min(layers)
    }

    /// The middle of an operator [px].
    fn place(&self, layout: &GraphLayout, op: usize) -> (f64, f64) {
        let layer = f64::from(layout.layer[op]) - self.from;
        (
            self.plot.x + (layer + 0.5) * self.layer_px,
            self.plot.y + (layout.lane[op] - self.top_lane) * self.lane_px,
        )
    }

    /// The middle of an operator that is seen [px].
    fn visible_center(&self, layout: &GraphLayout, op: usize) -> Option<(f64, f64)> {
        let (x, y) = self.place(layout, op);
        (self.area().contains(x, y) && self.shows(layout.layer[op])).then_some((x, y))
    }

    /// Where marks and edges can be [px].
    fn area(&self) -> Rect {
        let Rect { x, y, w, h } = self.plot;
        Rect::new(x, y - 0.5 * LANE_PX.0, w, h + 0.5 * LANE_PX.0 + 1.0)
    }

    pub(super) fn shows(&self, layer: u32) -> bool {
        let middle = f64::from(layer) + 0.5;
        middle > self.from && middle < self.to
    }

    /// The parts of an edge that are seen.
    pub fn curves(
        &self,
        layout: &GraphLayout,
        (u, v): (usize, usize),
        is_straight: bool,
    ) -> Vec<Vec<(f64, f64)>> {
        let (from, to) = (layout.layer[u] as usize, layout.layer[v] as usize);
        if ((to + 1) as f64) < self.from || from as f64 >= self.to {
            return Vec::new();
        }
        let half = self.mark_px.0 / 2.0;
        let (x1, y1) = self.place(layout, u);
        let (x2, y2) = self.place(layout, v);
        let (x1, x2) = (x1 + half, x2 - half);
        let is_level = (y1 - y2).abs() < 0.5;
        // What runs along a lane goes round what is in it.
        let is_bowed = is_level && to > from + 1 && layout.is_in_way(layout.lane[u], from, to);
        let points = if is_straight || (is_level && !is_bowed) {
            vec![(x1, y1), (x2, y2)]
        } else if is_bowed {
            let up = (0.5 * self.lane_px + 1.5 * (to - from) as f64).min(0.85 * self.lane_px);
            let up = up.max(self.mark_px.1 / 2.0 + 1.0);
            bow((x1, y1), (x2, y2), up, self.layer_px)
        } else {
            let bend = ((x2 - x1) / 2.0).max(2.0);
            bezier((x1, y1), (x1 + bend, y1), (x2 - bend, y2), (x2, y2))
        };
        let mut paths = inside(&points, &self.area());
        paths.retain(|path| path.len() > 1);
        paths
    }

    /// Returns the range of vertical scrolling.
    fn lanes(&self, layout: &GraphLayout) -> ScrollLanes {
        let half = 0.5 * self.plot.h / self.lane_px;
        ScrollLanes {
            middle: self.top_lane + half,
            px: self.lane_px,
            ends: (layout.lanes.0 + half, layout.lanes.1 - half),
        }
    }

    /// The rectangle of a mark, as far as it is seen.
    fn mark(&self, (x, y): (f64, f64)) -> Rect {
        let (w, h) = self.mark_px;
        let left = (x - w / 2.0).max(self.plot.x);
        let right = (x + w / 2.0).min(self.plot.right()).max(left);
        Rect::new(left, y - h / 2.0, right - left, h)
    }
}

/// Lays a graph out on `width_px`; its height follows from its lanes, and does not change with the step.
///
/// # Complexity
/// O(operators + edges).
#[must_use]
pub fn layout_graph(
    picture: &GraphPicture,
    layout: &Arc<GraphLayout>,
    width_px: f64,
) -> InteractiveChart<impl MarkDescriber + use<>> {
    let is_own = layout.len() == picture.ops.len();
    let layout = if is_own {
        layout.clone()
    } else {
        Arc::new(place_graph(&picture.ops))
    };
    let mut paper = LabelPlacer::new(width_px, 0.0);
    let frame = GraphFrame::new(picture, &layout, paper.width);
    let captions = captions(&layout, &frame);
    let foot = frame.plot.bottom() + MARK_PX / 2.0 + 4.0;
    let under = if layout.groups.is_empty() {
        0.0
    } else {
        CAPTION_PX
    };
    // In the hand it stays, so that the chart is as high from near as from far.
    let has_strip = frame.is_window || picture.view.is_some();
    let strip_px = if has_strip {
        STRIP_PX + WORDS_PX + 8.0
    } else {
        0.0
    };
    paper.height = foot + under + strip_px;
    let running = picture.running();
    if !frame.is_far {
        edges(&mut paper, (picture, &layout), running, &frame);
    }
    let ringed = running.and_then(|op| Some((op, frame.visible_center(&layout, op)?)));
    if let Some((op, place)) = ringed {
        let ring = frame.mark(place).grown(3.0);
        name_running(&mut paper, &picture.ops[op].name, picture.step, ring);
    }
    let spots = marks(&mut paper, (picture, &layout), &frame);
    if let Some((_, place)) = ringed {
        let rect = frame.mark(place).grown(3.0);
        paper.draw(Mark::frame(Ink::Accent, &[], rect));
    }
    for (x, words) in captions {
        paper.offer(small(Anchor::Start, (x, foot + 12.0), words));
    }
    let mut rows = RowHits::default();
    let area = Rect::new(0.0, 0.0, paper.width, foot);
    let mut row = 0;
    for (_, mut own) in spots {
        own.iter_mut().for_each(|spot| spot.row = row);
        rows.row(area, HitTest::Inside(CATCH_PX), own);
        row += 1;
    }
    let mut bins = Vec::new();
    if has_strip {
        let top = foot + under + 4.0;
        let (found, mut own) = strip(&mut paper, (picture, &layout), &frame, top);
        own.iter_mut().for_each(|spot| spot.row = row);
        bins = found;
        let band_top = if frame.is_far { 0.0 } else { top - 4.0 };
        let band = Rect::new(
            0.0,
            band_top,
            paper.width,
            top + STRIP_PX + WORDS_PX - band_top,
        );
        rows.row(band, HitTest::Column(f64::INFINITY), own);
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
    let lanes = Some(frame.lanes(&layout));
    let ends = (frame.plot.x, frame.plot.right());
    let scale = TimeScale::new((frame.from, frame.to), ends);
    let laid = ChartLayout::spots(Rect::new(0.0, 0.0, paper.width, foot), rows);
    // The strip says where the view is; a press on it is one.
    let laid = laid.along(scale, (0.0, -1.0), AxisUnit::Whole("layers"));
    ChartLayout { lanes, ..laid }.with_describer(
        paper.picture(picture.describe(layout.layers())),
        GraphDescriber {
            picture: picture.clone(),
            layout,
            frame,
            unit,
            bins,
        },
    )
}

/// Edges that are seen: those into what runs last and strong.
fn edges(
    paper: &mut LabelPlacer,
    (picture, layout): (&GraphPicture, &GraphLayout),
    running: Option<usize>,
    frame: &GraphFrame,
) {
    let all = || {
        let own = layout.preds.iter().enumerate();
        own.flat_map(|(v, preds)| preds.iter().map(move |u| (*u as usize, v)))
            .filter(|(u, v)| {
                f64::from(layout.layer[*u]) < frame.to
                    && f64::from(layout.layer[*v] + 1) > frame.from
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
            for points in frame.curves(layout, edge, is_many) {
                let (ink, width) = thick(is_strong);
                paper.draw(Mark::path(ink, width, &[], points));
            }
        }
    }
}

/// The operators that are seen, and their places by lane.
fn marks(
    paper: &mut LabelPlacer,
    (picture, layout): (&GraphPicture, &GraphLayout),
    frame: &GraphFrame,
) -> BTreeMap<i64, Vec<HitTarget>> {
    let mut spots: BTreeMap<i64, Vec<HitTarget>> = BTreeMap::new();
    // From far off a mark stands for several layers.
    let together = if frame.is_far {
        libm::ceil(FAR_PX / frame.layer_px).max(1.0) as usize
    } else {
        1
    };
    for layers in layout.members[frame.visible_layers(layout.layers())].chunks(together) {
        // Where lanes are finer than pixels, one mark stands for all of a pixel, the most important of them.
        let mut drawn: BTreeMap<i64, (OpState, usize)> = BTreeMap::new();
        for op in layers.iter().flatten().map(|v| *v as usize) {
            let (Some(state), Some(place)) = (picture.state(op), frame.visible_center(layout, op))
            else {
                continue;
            };
            if !frame.is_far {
                // Two of one layer are a lane apart, so that halves of lanes tell them apart.
                let row = libm::round(2.0 * layout.lane[op]) as i64;
                spots.entry(row).or_default().push(HitTarget {
                    pick: Some(picture.ops[op].step as f64),
                    ..HitTarget::at(frame.mark(place), 0, op)
                });
            }
            let pixel = libm::floor(place.1) as i64;
            let first = drawn.get(&pixel).is_none_or(|(other, _)| *other < state);
            if first {
                drawn.insert(pixel, (state, op));
            }
        }
        for (state, op) in drawn.into_values() {
            let rect = frame.mark(frame.place(layout, op));
            let own = &picture.ops[op];
            paper.draw(shape_of(state, own.is_pool && !frame.is_boxed, rect));
            if frame.is_boxed {
                paper.draw(boxed(state, own, rect));
            }
        }
    }
    spots
}

/// The name of an operator, or what it is, inside its box.
fn boxed(state: OpState, op: &GraphOp, rect: Rect) -> Mark {
    let ink = match state {
        OpState::Live | OpState::Running => Ink::Background,
        OpState::Done | OpState::NotYet => Ink::Text,
    };
    let name = if op.name.is_empty() {
        &op.kind
    } else {
        &op.name
    };
    let most = libm::floor((rect.w - 8.0) / text_width("n", SMALL_SIZE, false)).max(1.0);
    let words = short(name, most as usize);
    let at = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0 + 4.0);
    Mark::text(ink, SMALL_SIZE, Anchor::Middle, at, words)
}

/// A mark: round or square, filled by its state.
fn shape_of(state: OpState, is_round: bool, rect: Rect) -> Mark {
    let (fill, edge) = state.look();
    if is_round && rect.w >= 4.0 {
        let shape = MarkShape::Disc {
            at: (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0),
            radius: rect.w / 2.0,
            edge: Some(edge),
        };
        return Mark::new(fill, shape);
    }
    if rect.w < 3.5 {
        return Mark::fill(if state == OpState::NotYet { edge } else { fill }, rect);
    }
    Mark::edged(fill, (edge, &[]), 1.0, rect)
}

/// Names the running operator, above its mark.
fn name_running(paper: &mut LabelPlacer, name: &str, step: Option<usize>, ring: Rect) {
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
        paper.draw(Mark::path(
            Ink::Accent,
            1.0,
            &[1.5, 2.5],
            vec![
                (ring.x + ring.w / 2.0, 16.0),
                (ring.x + ring.w / 2.0, ring.y),
            ],
        ));
    }
}

/// The key to the marks of a graph in lines of at most `width_px`.
#[must_use]
pub fn graph_legend(width_px: f64) -> Picture {
    let at = |is_round: bool, state: OpState| {
        let rect = Rect::new((legend::W - MARK_PX) / 2.0, 0.0, MARK_PX, MARK_PX);
        let mut marks = vec![shape_of(state, is_round, rect)];
        if state == OpState::Running {
            let rect = rect.grown(2.0);
            marks.push(Mark::frame(Ink::Accent, &[], rect));
        }
        marks
    };
    let states = OpState::ALL.map(|state| (at(false, state), state.words().to_owned()));
    let pool = (at(true, OpState::NotYet), "Round: pooling".to_owned());
    entries(states.into_iter().chain([pool]), width_px)
}
