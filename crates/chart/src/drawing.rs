//! The data of any chart, to be drawn at any width: alone with its legend, or several of one kind on common axes.

use super::dispatch::{
    Shares, SpreadChart, TokenLine, WaitsChart, layout_shares, layout_spread, layout_tokens,
    layout_waits, tokens_legend,
};
use super::front::{TradeOffChart, layout_front};
use super::gantt::{Gantt, TimeView};
use super::heads::{HeadMap, RangeChart, TokenTimes, layout_ranges};
use super::lines::LineChart;
use super::mark::Picture;
use super::network::TierDiagram;
use super::operators::{
    ArenaPicture, GraphLayout, GraphPicture, MemoryChart, SlicePicture, graph_legend, layout_arena,
    layout_graph, layout_memory, layout_slices, slices_legend,
};
use super::requests::RequestRun;
use super::sheet::{
    LINES_PX, WAITS_PX, heads_sheet, lines_sheet, network_sheet, nothing, requests_sheet, sheet,
    strategies_sheet, timeline_sheet,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The data of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ChartSpec {
    /// Stages over time.
    Timeline(Gantt),
    /// Several of them, each under its own words.
    Timelines(Vec<(String, Gantt)>),
    /// Lines over a parameter.
    Lines(LineChart),
    /// Blocks on tiers with a pass to scale.
    Network(TierDiagram),
    /// Requests over time.
    Requests(RequestRun),
    /// Heads by device and token, over the time of each token.
    Heads(HeadMap, TokenTimes),
    /// A value over draws, row by row under their names.
    Ranges(RangeChart),
    /// How long the device waits, by length of the prompt.
    Waits(WaitsChart),
    /// Shares of requests that have their first token by a time.
    Shares(Shares),
    /// One request token by token.
    Tokens(TokenLine),
    /// Runs beside the value that was predicted.
    Spread(SpreadChart),
    /// Memory of orders, step by step.
    Memory(MemoryChart),
    /// A graph of operators at a step.
    Graph(GraphPicture, Arc<GraphLayout>),
    /// Where tensors lie.
    Arena(ArenaPicture),
    /// Steps that are cut over devices.
    Slices(SlicePicture),
    /// Compromises between two goals.
    Front(TradeOffChart),
    /// Several of one kind under one another, each under its name.
    Several(Vec<(String, ChartSpec)>),
}

impl ChartSpec {
    /// The chart with its title over it and its legend under it, `width_px` wide in all.
    #[must_use]
    pub fn sheet(&self, title: &str, width_px: f64) -> Picture {
        let alone = |chart: &dyn Fn(f64) -> Picture| sheet(title, width_px, chart, nothing);
        let legend = |width: f64| self.legend(width).unwrap_or_else(|| nothing(width));
        let keyed = |chart: &dyn Fn(f64) -> Picture| sheet(title, width_px, chart, legend);
        match self {
            Self::Timeline(gantt) => timeline_sheet(title, gantt, TimeView::full(gantt), width_px),
            Self::Timelines(plans) => {
                let ends = plans.iter().map(|(_, gantt)| TimeView::full(gantt).to_s);
                strategies_sheet(
                    title,
                    plans,
                    TimeView::until(ends.fold(0.0, f64::max)),
                    width_px,
                )
            }
            Self::Lines(lines) => lines_sheet(lines, width_px),
            Self::Network(network) => network_sheet(title, network, width_px),
            Self::Requests(run) => requests_sheet(title, run, TimeView::until(run.end_s), width_px),
            Self::Heads(map, times) => {
                let view = TimeView::until(map.tokens as f64);
                heads_sheet(title, map, times, view, width_px)
            }
            Self::Ranges(rows) => alone(&|w| layout_ranges(rows, w)),
            Self::Waits(waits) => alone(&|w| layout_waits(waits, w, WAITS_PX).picture),
            Self::Shares(shares) => alone(&|w| layout_shares(shares, w, WAITS_PX).picture),
            Self::Tokens(line) => keyed(&|w| layout_tokens(line, w, None).picture),
            Self::Spread(spread) => alone(&|w| layout_spread(spread, w, WAITS_PX).picture),
            Self::Memory(memory) => alone(&|w| layout_memory(memory, w, WAITS_PX).picture),
            Self::Graph(graph, layout) => keyed(&|w| layout_graph(graph, layout, w).picture),
            Self::Arena(arena) => alone(&|w| layout_arena(arena, w, WAITS_PX).picture),
            Self::Slices(slices) => keyed(&|w| layout_slices(slices, w).picture),
            Self::Several(all) => several(title, all, width_px),
            Self::Front(front) => alone(&|w| layout_front(front, w, LINES_PX).picture),
        }
    }

    /// Other data; what this one marks as the scenario’s own stays.
    #[must_use]
    pub fn with_data(&self, data: &Self) -> Self {
        let mut all = data.clone();
        match (&mut all, self) {
            (Self::Lines(lines), Self::Lines(before)) => lines.now = before.now,
            (Self::Front(front), Self::Front(before)) => {
                front.now = before.now;
                front.now_words.clone_from(&before.now_words);
            }
            _ => {}
        }
        all
    }

    /// Returns the legend, `width_px` wide, if the picture does not label its colours and marks itself.
    #[must_use]
    pub fn legend(&self, width_px: f64) -> Option<Picture> {
        match self {
            Self::Tokens(_) => Some(tokens_legend(width_px)),
            Self::Graph(..) => Some(graph_legend(width_px)),
            Self::Slices(slices) => Some(slices_legend(&slices.devices, width_px)),
            _ => None,
        }
    }

    /// Charts of one kind, each under its name, on the same axes; `None` where they are of several kinds.
    ///
    /// Time rows share the span of the longest, lines become one chart with the series of all. Charts that have no axis of
    /// their own are under one another.
    #[must_use]
    pub fn together(all: Vec<(String, Self)>) -> Option<Self> {
        let (_, first) = all.first()?;
        let kind = std::mem::discriminant(first);
        if !all
            .iter()
            .all(|(_, one)| std::mem::discriminant(one) == kind)
        {
            return None;
        }
        Some(match first {
            Self::Timeline(_) => {
                let plans = all.into_iter().filter_map(|(name, one)| match one {
                    Self::Timeline(gantt) => Some((name, gantt)),
                    _ => None,
                });
                Self::Timelines(plans.collect())
            }
            Self::Lines(lines) => {
                let all = all.iter().filter_map(|(name, one)| match one {
                    Self::Lines(lines) => Some((name, lines)),
                    _ => None,
                });
                let title = lines.title.clone();
                Self::Lines(LineChart::merged(&title, &all.collect::<Vec<_>>()))
            }
            _ => Self::Several(all),
        })
    }
}

/// Charts of one kind under one another; runs share the span of the longest.
fn several(title: &str, all: &[(String, ChartSpec)], width_px: f64) -> Picture {
    let ends = all.iter().filter_map(|(_, one)| match one {
        ChartSpec::Requests(run) => Some(run.end_s),
        _ => None,
    });
    let until = ends.fold(0.0, f64::max);
    let drawn = |(name, one): &(String, ChartSpec)| match one {
        ChartSpec::Requests(run) => requests_sheet(name, run, TimeView::until(until), width_px),
        other => other.sheet(name, width_px),
    };
    let stacked = all
        .iter()
        .map(drawn)
        .reduce(|above, next| above.above(next, 8.0));
    let stacked = stacked.unwrap_or_else(|| nothing(width_px));
    Picture {
        title: title.to_owned(),
        ..stacked
    }
}
