//! A drawing ready for the hand: what is worked out of its data once is kept, so that another width or another view lays out
//! only what is seen.

use super::dispatch::{layout_shares, layout_spread, layout_tokens, layout_waits};
use super::drawing::Drawing;
use super::front::layout_front;
use super::gantt::{SCROLLS_FROM, View, layout};
use super::held::{Drawn, HeldLines};
use super::lines::layout_lines;
use super::network::layout_network;
use super::operators::{layout_arena, layout_graph, layout_memory, layout_slices};
use super::requests::RequestIndex;
use std::sync::Arc;

/// Height of a plot with two axes on the page [px].
const PLOT_PX: f64 = 270.0;

/// A drawing with what is worked out of it once.
pub struct Ready {
    drawing: Arc<Drawing>,
    index: Index,
}

enum Index {
    None,
    Requests(RequestIndex),
}

/// A drawing that can be held: which views a page has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// What it is called for a screen reader.
    pub name: &'static str,
    /// Its class on the page.
    pub class: &'static str,
    /// What the key C follows; empty where it follows nothing.
    pub chain: &'static str,
    /// Whether it has an axis to zoom along.
    pub zooms: bool,
}

impl Drawing {
    /// What it is as a chart in the hand; `None` for what is looked at as a picture.
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        let (name, class, chain, zooms) = match self {
            Self::Timeline(_) => ("timeline", "gantt", "the chain of waiting", true),
            Self::Lines(_) => ("line chart", "lines", "", false),
            Self::Front(_) => ("chart of compromises", "spots", "", false),
            Self::Network(_) => ("network of tiers", "reach", "the slowest tier", false),
            Self::Requests(_) => ("timeline", "gantt", "a request", true),
            Self::Waits(_) => ("step chart", "spots", "", false),
            Self::Shares(_) => ("step chart", "spots", "", false),
            Self::Spread(_) => ("chart of samples", "spots", "", false),
            Self::Tokens(_) => ("timeline", "spots", "", true),
            Self::Memory(_) => ("step chart", "spots", "", false),
            Self::Arena(_) => ("map of memory", "spots", "", false),
            Self::Slices(_) => ("chart of steps", "spots", "", false),
            Self::Graph(..) => ("graph of operators", "spots", "", false),
            Self::Timelines(_) | Self::Heads(..) | Self::Ranges(_) | Self::Several(_) => {
                return None;
            }
        };
        Some(Kind {
            name,
            class,
            chain,
            zooms,
        })
    }

    /// The end of the axis that is zoomed along [s, or steps]; 0 without one.
    #[must_use]
    pub fn end(&self) -> f64 {
        match self {
            Self::Timeline(gantt) => View::whole(gantt).to_s,
            Self::Requests(run) => run.end_s,
            Self::Tokens(line) => line.end_s(),
            _ => 0.0,
        }
    }

    /// What is worth seeing of that axis at first, where it is not all of it [s].
    #[must_use]
    pub fn first_seen(&self, width_px: f64) -> Option<f64> {
        match self {
            Self::Tokens(line) => Some(line.worth_seeing_s(width_px)),
            _ => None,
        }
    }

    /// Whether it has so many rows that they scroll under their axis.
    #[must_use]
    pub fn is_tall(&self) -> bool {
        match self {
            Self::Timeline(gantt) => gantt.rows.len() >= SCROLLS_FROM,
            Self::Requests(run) => run.nodes.len() >= SCROLLS_FROM,
            _ => false,
        }
    }
}

impl Ready {
    /// Works out what is needed once.
    ///
    /// # Complexity
    /// O(n log n) in the marks of rows over time, else nothing.
    #[must_use]
    pub fn of(drawing: Arc<Drawing>) -> Self {
        let index = match &*drawing {
            Drawing::Requests(run) => Index::Requests(RequestIndex::of(run)),
            _ => Index::None,
        };
        Self { drawing, index }
    }

    /// The chart `width_px` wide, showing the span of `seen` where it has an axis to zoom along; `None` for what is looked at
    /// as a picture.
    #[must_use]
    pub fn lay(&self, width_px: f64, seen: View) -> Option<Drawn> {
        let spots = |chart| Drawn(Arc::new(chart));
        Some(match (&*self.drawing, &self.index) {
            (_, Index::Requests(index)) => Drawn(Arc::new(index.layout(width_px, seen))),
            (Drawing::Timeline(gantt), _) => Drawn(Arc::new(layout(gantt, width_px, seen))),
            (Drawing::Lines(lines), _) => {
                let chart = layout_lines(lines, width_px, PLOT_PX);
                Drawn(Arc::new(HeldLines::of(chart, Arc::new(lines.clone()))))
            }
            (Drawing::Network(network), _) => Drawn(Arc::new(layout_network(network, width_px))),
            (Drawing::Front(front), _) => spots(layout_front(front, width_px, PLOT_PX)),
            (Drawing::Waits(waits), _) => spots(layout_waits(waits, width_px, PLOT_PX)),
            (Drawing::Shares(shares), _) => spots(layout_shares(shares, width_px, PLOT_PX)),
            (Drawing::Spread(spread), _) => spots(layout_spread(spread, width_px, PLOT_PX)),
            (Drawing::Tokens(line), _) => spots(layout_tokens(line, width_px, Some(seen))),
            (Drawing::Memory(memory), _) => spots(layout_memory(memory, width_px, PLOT_PX)),
            (Drawing::Arena(arena), _) => spots(layout_arena(arena, width_px, PLOT_PX)),
            (Drawing::Slices(slices), _) => spots(layout_slices(slices, width_px)),
            (Drawing::Graph(graph, layout), _) => spots(layout_graph(graph, layout, width_px)),
            (
                Drawing::Requests(_)
                | Drawing::Timelines(_)
                | Drawing::Heads(..)
                | Drawing::Ranges(_)
                | Drawing::Several(_),
                _,
            ) => return None,
        })
    }
}
