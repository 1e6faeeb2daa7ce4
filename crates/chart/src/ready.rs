//! A drawing ready for the hand: what is worked out of its data once is kept, so that another width or another view lays out
//! only what is seen.

use super::dispatch::{layout_shares, layout_spread, layout_tokens, layout_waits};
use super::drawing::Drawing;
use super::front::layout_front;
use super::gantt::{SCROLLS_FROM, View, layout};
use super::heads::{HeadIndex, LEAST_TOKENS, TimesIndex, head_map_legend, times_legend};
use super::held::Drawn;
use super::lines::{Lines, layout_lines};
use super::mark::Picture;
use super::network::layout_network;
use super::operators::{layout_arena, layout_graph, layout_memory, layout_slices};
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
/// Width of a legend that stands beside nothing [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;

/// A drawing with what is worked out of it once.
pub struct Ready {
    drawing: Arc<Drawing>,
    index: Index,
}

enum Index {
    None,
    Requests(RequestIndex),
    Heads(HeadIndex, TimesIndex),
}

/// One of the charts of a drawing. As a rule there is one; some have several under one another, over one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// The name of its element, where it is not called after the drawing.
    pub id: &'static str,
    /// What stands over it.
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
        Some(Kind {
            name,
            class,
            chain,
            zooms,
        })
    }

    /// Whether it has an axis to zoom along.
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
            Self::Timeline(gantt) => View::whole(gantt).to_s,
            Self::Timelines(all) => {
                let ends = all.iter().map(|(_, gantt)| View::whole(gantt).to_s);
                ends.fold(0.0, f64::max)
            }
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
            Drawing::Heads(map, times) => Index::Heads(HeadIndex::of(map), TimesIndex::of(times)),
            _ => Index::None,
        };
        Self { drawing, index }
    }

    /// Whether one of its charts has so many rows that they scroll under their axis.
    #[must_use]
    pub fn is_tall(&self, pane: usize) -> bool {
        match (&*self.drawing, &self.index) {
            (_, Index::Heads(map, _)) => pane == 0 && map.is_tall(),
            (Drawing::Timeline(gantt), _) => gantt.rows.len() >= SCROLLS_FROM,
            (Drawing::Requests(run), _) => run.nodes.len() >= SCROLLS_FROM,
            _ => false,
        }
    }

    /// What colours and marks of one of its charts mean, at most `width_px` wide.
    #[must_use]
    pub fn legend(&self, pane: usize, width_px: f64) -> Option<Picture> {
        match &self.index {
            Index::Heads(map, _) if pane == 0 => Some(head_map_legend(map, width_px)),
            Index::Heads(..) => Some(times_legend(width_px)),
            _ => self.drawing.legend(LEGEND_PX),
        }
    }

    /// What is said of a place of its axis, in a sentence each.
    #[must_use]
    pub fn told(&self, at: f64) -> Vec<String> {
        let Index::Heads(map, times) = &self.index else {
            return Vec::new();
        };
        let token = at as usize;
        let said = [times.sentence(token), map.sentence(token)];
        said.into_iter().flatten().collect()
    }

    /// One of its charts `width_px` wide, showing the span of `seen` where it has an axis to zoom along, with its line at a place
    /// of that axis where it is given one; `None` for what is looked at as a picture.
    #[must_use]
    pub fn lay(&self, pane: usize, width_px: f64, seen: View, at: Option<f64>) -> Option<Drawn> {
        Some(match (&*self.drawing, &self.index) {
            (_, Index::Requests(index)) => Drawn::of(index.layout(width_px, seen)),
            (_, Index::Heads(map, times)) => {
                let token = at.map(|at| at as usize);
                if pane == 0 {
                    return Some(Drawn::of(map.scrubbed(token).layout(width_px, seen)));
                }
                let ends = map.plot_px(width_px);
                let times = times.scrubbed(token);
                Drawn::of(times.layout(width_px, TIMES_PX, ends, seen))
            }
            (Drawing::Timeline(gantt), _) => Drawn::of(layout(gantt, width_px, seen)),
            (Drawing::Lines(lines), _) => {
                let lines = self.seen(lines, seen, at);
                let height = match lines.series.len() {
                    0..=MOST_NAMES => PLOT_PX,
                    _ => TALL_PLOT_PX,
                };
                let chart = layout_lines(&lines, width_px, height);
                Drawn::of(chart)
            }
            (Drawing::Network(network), _) => Drawn::of(layout_network(network, width_px)),
            (Drawing::Front(front), _) => Drawn::of(layout_front(front, width_px, PLOT_PX)),
            (Drawing::Waits(waits), _) => Drawn::of(layout_waits(waits, width_px, PLOT_PX)),
            (Drawing::Shares(shares), _) => Drawn::of(layout_shares(shares, width_px, PLOT_PX)),
            (Drawing::Spread(spread), _) => Drawn::of(layout_spread(spread, width_px, PLOT_PX)),
            (Drawing::Tokens(line), _) => Drawn::of(layout_tokens(line, width_px, Some(seen))),
            (Drawing::Memory(_) | Drawing::Arena(_) | Drawing::Slices(_), _) => {
                match self.drawing.looked_at(at, Some(seen)) {
                    Drawing::Memory(memory) => {
                        Drawn::of(layout_memory(&memory, width_px, STEPS_PX))
                    }
                    Drawing::Arena(arena) => Drawn::of(layout_arena(&arena, width_px, STEPS_PX)),
                    Drawing::Slices(slices) => Drawn::of(layout_slices(&slices, width_px)),
                    _ => return None,
                }
            }
            (Drawing::Graph(graph, layout), _) => Drawn::of(layout_graph(graph, layout, width_px)),
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

    /// Lines as far as they are seen.
    fn seen(&self, lines: &Lines, seen: View, at: Option<f64>) -> Lines {
        let lines = Lines {
            now: at.or(lines.now),
            ..lines.clone()
        };
        let is_zoomed = lines.style.even && seen != View::until(self.drawing.end());
        match is_zoomed {
            true => lines.within(seen),
            false => lines,
        }
    }
}
