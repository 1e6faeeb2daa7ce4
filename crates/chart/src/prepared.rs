//! A drawing ready for the hand: what is worked out of its data once is kept, so that another width or another view lays out
//! only what is seen.

use super::dispatch::{layout_shares, layout_spread, layout_tokens, layout_waits, tokens_legend};
use super::drawing::ChartSpec;
use super::front::layout_front;
use super::gantt::{SCROLLS_FROM, TimeView, layout};
use super::heads::{HeadIndex, LEAST_TOKENS, TimesIndex, head_map_legend, times_legend};
use super::interaction::ChartHandle;
use super::lines::{LineChart, layout_lines};
use super::mark::Picture;
use super::network::layout_network;
use super::operators::{
    graph_legend, layout_arena, layout_graph, layout_memory, layout_slices, slices_legend,
};
use super::requests::RequestIndex;
use std::sync::Arc;

/// Height of a plot with two axes on the page [px], and of one with the names of more lines beside it than these.
const PLOT_PX: f64 = 270.0;
const TALL_PLOT_PX: f64 = 320.0;
const MOST_NAMES: usize = 8;
/// Height of a plot over steps on the page [px], and the fewest of them that a hand zooms to.
const STEPS_PX: f64 = 290.0;
const LEAST_STEPS: f64 = 3.0;
/// Height of the times of tokens on the page [px].
const TIMES_PX: f64 = 168.0;
/// Width of a legend that is beside nothing [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;

/// A drawing, and the data that its layout computes once.
pub struct PreparedChart {
    drawing: Arc<ChartSpec>,
    held: Box<dyn ChartLayouter>,
}

/// Prepares drawings of some kinds; `None` for others. A program links only the functions that it passes.
pub type LayouterFn = fn(&ChartSpec) -> Option<Box<dyn ChartLayouter>>;

/// The functions for all kinds of drawings.
pub const LAYOUTERS: [LayouterFn; 11] = [
    timeline, lines, network, front, waits, requests, heads, request, memory, graph, steps,
];

/// Data prepared from a drawing once, and its layout.
pub trait ChartLayouter: Send + Sync {
    /// As [`PreparedChart::is_tall`].
    fn is_tall(&self, _drawing: &ChartSpec, _pane: usize) -> bool {
        false
    }

    /// As [`PreparedChart::legend`].
    fn legend(&self, _drawing: &ChartSpec, _pane: usize, _width_px: f64) -> Option<Picture> {
        None
    }

    /// As [`PreparedChart::describe_at`].
    fn descriptions_at(&self, _at: f64) -> Vec<String> {
        Vec::new()
    }

    /// As [`PreparedChart::layout`].
    fn layout(
        &self,
        drawing: &ChartSpec,
        pane: usize,
        width_px: f64,
        seen: TimeView,
        at: Option<f64>,
    ) -> Option<ChartHandle>;
}

/// One of the charts of a drawing. As a rule there is one; some have several under one another, over one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// The name of its element, where it is not called after the drawing.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
}

const ALONE: [Pane; 1] = [Pane { id: "", title: "" }];
const HEADS: [Pane; 2] = [
    Pane {
        id: "heads-map",
        title: "",
    },
    Pane {
        id: "token-times",
        title: "Time per token",
    },
];

/// A drawing that can be held: which views a page has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InteractiveKind {
    /// Name for screen readers.
    pub name: &'static str,
    /// Its class on the page.
    pub class: &'static str,
    /// Name of the chain that the key C follows; empty if there is none.
    pub chain: &'static str,
    /// True if it has an axis to zoom.
    pub zooms: bool,
}

impl ChartSpec {
    /// Returns its kind as an interactive chart; `None` for a static picture.
    #[must_use]
    pub const fn kind(&self) -> Option<InteractiveKind> {
        let (name, class, chain, zooms) = match self {
            Self::Timeline(_) => ("timeline", "gantt", "the chain of waiting", true),
            Self::Lines(lines) => ("line chart", "lines", "", lines.style.even),
            Self::Front(_) => ("chart of compromises", "spots", "", false),
            Self::Network(_) => ("network of tiers", "reach", "the slowest tier", false),
            Self::Requests(_) => ("timeline", "gantt", "a request", true),
            Self::Heads(..) => ("timeline", "gantt", "", true),
            Self::Waits(_) => ("step chart", "spots", "", false),
            Self::Shares(_) => ("step chart", "spots", "", false),
            Self::Spread(_) => ("chart of samples", "spots", "", false),
            Self::Tokens(_) => ("timeline", "spots", "", true),
            Self::Memory(_) | Self::Slices(_) => ("step chart", "spots", "", true),
            Self::Arena(_) => ("memory map", "spots", "", true),
            Self::Graph(..) => ("graph of operators", "spots", "", false),
            Self::Timelines(_) | Self::Ranges(_) | Self::Several(_) => {
                return None;
            }
        };
        Some(InteractiveKind {
            name,
            class,
            chain,
            zooms,
        })
    }

    /// Returns true if it has an axis to zoom.
    #[must_use]
    pub fn zooms(&self) -> bool {
        let is_held = self.kind().is_some_and(|kind| kind.zooms);
        is_held || matches!(self, Self::Timelines(_))
    }

    /// Its charts.
    #[must_use]
    pub const fn panes(&self) -> &'static [Pane] {
        match self {
            Self::Heads(..) => &HEADS,
            _ => &ALONE,
        }
    }

    /// The least of an axis that counts which a hand zooms to.
    #[must_use]
    pub const fn least_seen(&self) -> Option<f64> {
        match self {
            Self::Heads(..) => Some(LEAST_TOKENS),
            Self::Memory(_) | Self::Arena(_) | Self::Slices(_) => Some(LEAST_STEPS),
            Self::Lines(lines) if lines.style.even => Some(LEAST_TOKENS),
            _ => None,
        }
    }

    /// The end of the axis that is zoomed along [s, or steps]; 0 without one.
    #[must_use]
    pub fn end(&self) -> f64 {
        match self {
            Self::Heads(map, _) => map.tokens as f64,
            Self::Memory(memory) => memory.columns() as f64,
            Self::Arena(arena) => arena.steps as f64,
            Self::Slices(slices) => slices.steps.len() as f64,
            Self::Lines(lines) if lines.style.even => {
                let ends = lines.series.iter().filter_map(|line| line.points.last());
                ends.map(|(x, _)| *x).fold(1.0, f64::max)
            }
            Self::Timeline(gantt) => TimeView::full(gantt).to_s,
            Self::Timelines(all) => {
                let ends = all.iter().map(|(_, gantt)| TimeView::full(gantt).to_s);
                ends.fold(0.0, f64::max)
            }
            Self::Requests(run) => run.end_s,
            Self::Tokens(line) => line.end_s(),
            _ => 0.0,
        }
    }

    /// Returns the end of the initial view of the axis, if it is not all of it [s].
    #[must_use]
    pub fn first_seen(&self, width_px: f64) -> Option<f64> {
        match self {
            Self::Tokens(line) => Some(line.worth_seeing_s(width_px)),
            _ => None,
        }
    }
}

impl PreparedChart {
    /// Works out what is needed once; nothing where none of `layouters` holds it.
    ///
    /// # Complexity
    /// O(n log n) in the marks of rows over time, else nothing.
    #[must_use]
    pub fn of(drawing: Arc<ChartSpec>, layouters: &[LayouterFn]) -> Option<Self> {
        let held = layouters.iter().find_map(|prepare| prepare(&drawing))?;
        Some(Self { drawing, held })
    }

    /// Returns true if one of its charts has so many rows that they scroll under their axis.
    #[must_use]
    pub fn is_tall(&self, pane: usize) -> bool {
        self.held.is_tall(&self.drawing, pane)
    }

    /// Returns the legend of one of its charts, at most `width_px` wide.
    #[must_use]
    pub fn legend(&self, pane: usize, width_px: f64) -> Option<Picture> {
        self.held.legend(&self.drawing, pane, width_px)
    }

    /// Describes a place on its axis, in sentences.
    #[must_use]
    pub fn describe_at(&self, at: f64) -> Vec<String> {
        self.held.descriptions_at(at)
    }

    /// One of its charts `width_px` wide, showing the span of `seen` where it has an axis to zoom along, with its line at a place
    /// of that axis where it is given one; `None` for a chart that it does not have.
    #[must_use]
    pub fn layout(
        &self,
        pane: usize,
        width_px: f64,
        seen: TimeView,
        at: Option<f64>,
    ) -> Option<ChartHandle> {
        self.held.layout(&self.drawing, pane, width_px, seen, at)
    }
}

/// Lays out a drawing of one kind; nothing where it is of another.
type LayoutFn = fn(&ChartSpec, f64, TimeView, Option<f64>) -> Option<ChartHandle>;

/// Of a drawing of which nothing is worked out before.
struct Plain {
    layout: LayoutFn,
    legend: fn(&ChartSpec) -> Option<Picture>,
}

impl Plain {
    /// One without a legend, where the drawing is of its kind.
    fn of(is_it: bool, lay: LayoutFn) -> Option<Box<dyn ChartLayouter>> {
        Self::with_legend(is_it, lay, |_| None)
    }

    /// Prepares a chart with a legend, if the drawing is of its kind.
    fn with_legend(
        is_it: bool,
        lay: LayoutFn,
        legend: fn(&ChartSpec) -> Option<Picture>,
    ) -> Option<Box<dyn ChartLayouter>> {
        is_it.then(|| -> Box<dyn ChartLayouter> {
            Box::new(Self {
                layout: lay,
                legend,
            })
        })
    }
}

impl ChartLayouter for Plain {
    fn is_tall(&self, drawing: &ChartSpec, _: usize) -> bool {
        matches!(drawing, ChartSpec::Timeline(gantt) if gantt.rows.len() >= SCROLLS_FROM)
    }

    fn legend(&self, drawing: &ChartSpec, _: usize, _: f64) -> Option<Picture> {
        (self.legend)(drawing)
    }

    fn layout(
        &self,
        drawing: &ChartSpec,
        _: usize,
        width_px: f64,
        seen: TimeView,
        at: Option<f64>,
    ) -> Option<ChartHandle> {
        (self.layout)(drawing, width_px, seen, at)
    }
}

/// Stages over time.
#[must_use]
pub fn timeline(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Timeline(_));
    Plain::of(is_it, |drawing, width, seen, _| match drawing {
        ChartSpec::Timeline(gantt) => Some(ChartHandle::of(layout(gantt, width, seen))),
        _ => None,
    })
}

/// Lines over a parameter.
#[must_use]
pub fn lines(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Lines(_));
    Plain::of(is_it, |drawing, width, seen, at| match drawing {
        ChartSpec::Lines(lines) => {
            let lines = lines_seen(lines, drawing.end(), seen, at);
            let height = match lines.series.len() {
                0..=MOST_NAMES => PLOT_PX,
                _ => TALL_PLOT_PX,
            };
            Some(ChartHandle::of(layout_lines(&lines, width, height)))
        }
        _ => None,
    })
}

/// Lines as far as they are seen.
fn lines_seen(lines: &LineChart, end: f64, seen: TimeView, at: Option<f64>) -> LineChart {
    let lines = LineChart {
        now: at.or(lines.now),
        ..lines.clone()
    };
    let is_zoomed = lines.style.even && seen != TimeView::until(end);
    match is_zoomed {
        true => lines.within(seen),
        false => lines,
    }
}

/// Blocks on tiers.
#[must_use]
pub fn network(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Network(_));
    Plain::of(is_it, |drawing, width, _, _| match drawing {
        ChartSpec::Network(network) => Some(ChartHandle::of(layout_network(network, width))),
        _ => None,
    })
}

/// Compromises between two goals.
#[must_use]
pub fn front(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Front(_));
    Plain::of(is_it, |drawing, width, _, _| match drawing {
        ChartSpec::Front(front) => Some(ChartHandle::of(layout_front(front, width, PLOT_PX))),
        _ => None,
    })
}

/// How long the device waits, and shares of requests by time.
#[must_use]
pub fn waits(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Waits(_) | ChartSpec::Shares(_));
    Plain::of(is_it, |drawing, width, _, _| match drawing {
        ChartSpec::Waits(waits) => Some(ChartHandle::of(layout_waits(waits, width, PLOT_PX))),
        ChartSpec::Shares(shares) => Some(ChartHandle::of(layout_shares(shares, width, PLOT_PX))),
        _ => None,
    })
}

/// One request token by token, and runs beside what was predicted.
#[must_use]
pub fn request(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Tokens(_) | ChartSpec::Spread(_));
    let lay: LayoutFn = |drawing, width, seen, _| match drawing {
        ChartSpec::Tokens(line) => Some(ChartHandle::of(layout_tokens(line, width, Some(seen)))),
        ChartSpec::Spread(spread) => Some(ChartHandle::of(layout_spread(spread, width, PLOT_PX))),
        _ => None,
    };
    Plain::with_legend(is_it, lay, |drawing| match drawing {
        ChartSpec::Tokens(_) => Some(tokens_legend(LEGEND_PX)),
        _ => None,
    })
}

/// Prepares a chart of memory, step by step.
#[must_use]
pub fn memory(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Memory(_));
    Plain::of(is_it, |drawing, width, seen, at| {
        match drawing.looked_at(at, Some(seen)) {
            ChartSpec::Memory(memory) => {
                Some(ChartHandle::of(layout_memory(&memory, width, STEPS_PX)))
            }
            _ => None,
        }
    })
}

/// A graph of operators.
#[must_use]
pub fn graph(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Graph(..));
    let lay: LayoutFn = |drawing, width, _, _| match drawing {
        ChartSpec::Graph(graph, layout) => {
            Some(ChartHandle::of(layout_graph(graph, layout, width)))
        }
        _ => None,
    };
    Plain::with_legend(is_it, lay, |_| Some(graph_legend(LEGEND_PX)))
}

/// Where tensors lie, and steps that are cut over devices.
#[must_use]
pub fn steps(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    let is_it = matches!(drawing, ChartSpec::Arena(_) | ChartSpec::Slices(_));
    let lay: LayoutFn = |drawing, width, seen, at| match drawing.looked_at(at, Some(seen)) {
        ChartSpec::Arena(arena) => Some(ChartHandle::of(layout_arena(&arena, width, STEPS_PX))),
        ChartSpec::Slices(slices) => Some(ChartHandle::of(layout_slices(&slices, width))),
        _ => None,
    };
    Plain::with_legend(is_it, lay, |drawing| match drawing {
        ChartSpec::Slices(slices) => Some(slices_legend(&slices.devices, LEGEND_PX)),
        _ => None,
    })
}

/// Requests over time.
#[must_use]
pub fn requests(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    match drawing {
        ChartSpec::Requests(run) => Some(Box::new(Requests(RequestIndex::of(run)))),
        _ => None,
    }
}

struct Requests(RequestIndex);

impl ChartLayouter for Requests {
    fn is_tall(&self, drawing: &ChartSpec, _: usize) -> bool {
        matches!(drawing, ChartSpec::Requests(run) if run.nodes.len() >= SCROLLS_FROM)
    }

    fn layout(
        &self,
        _: &ChartSpec,
        _: usize,
        width_px: f64,
        seen: TimeView,
        _: Option<f64>,
    ) -> Option<ChartHandle> {
        Some(ChartHandle::of(self.0.layout(width_px, seen)))
    }
}

/// Heads by device and token, over the time of each token.
#[must_use]
pub fn heads(drawing: &ChartSpec) -> Option<Box<dyn ChartLayouter>> {
    match drawing {
        ChartSpec::Heads(map, times) => Some(Box::new(Heads {
            map: HeadIndex::of(map),
            times: TimesIndex::of(times),
        })),
        _ => None,
    }
}

struct Heads {
    map: HeadIndex,
    times: TimesIndex,
}

impl ChartLayouter for Heads {
    fn is_tall(&self, _: &ChartSpec, pane: usize) -> bool {
        pane == 0 && self.map.is_tall()
    }

    fn legend(&self, _: &ChartSpec, pane: usize, width_px: f64) -> Option<Picture> {
        Some(match pane {
            0 => head_map_legend(&self.map, width_px),
            _ => times_legend(width_px),
        })
    }

    fn descriptions_at(&self, at: f64) -> Vec<String> {
        let token = at as usize;
        let said = [self.times.sentence(token), self.map.sentence(token)];
        said.into_iter().flatten().collect()
    }

    fn layout(
        &self,
        _: &ChartSpec,
        pane: usize,
        width_px: f64,
        seen: TimeView,
        at: Option<f64>,
    ) -> Option<ChartHandle> {
        let token = at.map(|at| at as usize);
        if pane == 0 {
            return Some(ChartHandle::of(
                self.map.scrubbed(token).layout(width_px, seen),
            ));
        }
        let ends = self.map.plot_px(width_px);
        let times = self.times.scrubbed(token);
        Some(ChartHandle::of(
            times.layout(width_px, TIMES_PX, ends, seen),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample;

    /// Each is held by one hand, which lays it out; a hand holds nothing of another kind.
    #[test]
    fn every_drawing_has_one_hand() {
        let (map, times) = sample::heads((5, 8), 20, 4, 3);
        let all = [
            ChartSpec::Lines(sample::sweep()),
            ChartSpec::Heads(map, times),
            ChartSpec::Lines(LineChart::default()),
        ];
        for drawing in all {
            let held = LAYOUTERS.iter().filter(|hand| hand(&drawing).is_some());
            assert_eq!(held.count(), 1, "{:?}", drawing.kind());
            let seen = TimeView::until(drawing.end());
            let panes = drawing.panes().len();
            let ready = PreparedChart::of(Arc::new(drawing), &LAYOUTERS).expect("a hand holds it");
            for pane in 0..panes {
                let drawn = ready.layout(pane, 640.0, seen, None).expect("a chart");
                assert_eq!(drawn.picture().width, 640.0);
            }
            assert!(
                PreparedChart::of(Arc::new(ChartSpec::Several(Vec::new())), &LAYOUTERS).is_none()
            );
        }
    }
}
