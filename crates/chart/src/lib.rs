//! Charts as marks, and one painter for canvas and SVG.
//!
//! A chart is a pure function from data to a [`Picture`]: a list of [`Mark`]s in logical pixels, each
//! naming the *role* of its colour ([`Ink`]) and never a colour. [`paint`] puts a picture on any of
//! plotters' backends, so that the page's canvas, the exported SVG and the tests see the same marks.
//! Beside its picture a chart returns hits: what a pointer, a key and the table need to speak about.
//!
//! Three spaces, and every function that leaves one says from where to where (`px_from_s`):
//!
//! | space | unit | known to |
//! |---|---|---|
//! | data | seconds, bytes, tokens, percent | the charts |
//! | logical pixels | CSS px, y downwards, origin at the picture's upper left | marks and hits |
//! | backend units | a fraction of a device pixel | [`Surface`] alone |
//!
//! There is no browser here and no font: the width of a text is estimated ([`text_width`]).
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod card;
mod dispatch;
mod drawing;
mod front;
mod gantt;
mod geometry;
mod heads;
mod ink;
mod interaction;
mod legend;
mod lines;
mod mark;
mod network;
mod operators;
mod painter;
mod paper;
pub mod prepared;
mod requests;
mod rows;
mod scale;
mod sheet;
mod steps;

pub use card::place;
pub use dispatch::{
    ChartHandover, RaceStart, ScarceSide, ShareCurve, Shares, SpreadChart, TokenLine, WaitCurve,
    WaitPoint, WaitsChart, Writer, layout_shares, layout_spread, layout_tokens, layout_waits,
    tokens_legend,
};
pub use drawing::ChartSpec;
pub use front::{FrontCurve, Interpolation, TradeOffChart, TradeOffPoint, layout_front};
pub use gantt::{
    Gantt, GanttPhase, GanttRow, GanttStack, NeighbourKey, NextLoad, SCROLLS_FROM, Stages,
    TimeView, describe, layout, layout_stacked,
};
pub use heads::{
    BlockMove, DeviceRow, HeadIndex, HeadMap, HeadMarks, HeadSpan, HostedBlock, LEAST_TOKENS,
    MovedBlock, PhaseTimes, RangeBar, RangeChart, RangeRole, RangeRow, TimesIndex, TimesMarks,
    TokenTimes, head_map_legend, interval_begin, layout_ranges, range_bars, times_legend,
};
pub use ink::{Ink, InkTheme, MissingToken, Palette};
pub use interaction::{
    ChartHandle, ChartLayout, HitTarget, InteractiveChart, MarkDescriber, MarkWords,
};
pub use legend::{LegendKey, legend, swatch};
pub use lines::{
    LineChart, LineStyle, PointsDescriber, Series, SeriesRole, layout_lines, layout_lines_styled,
};
pub use mark::{Anchor, Edge, Mark, MarkForm, MarkShape, Picture, Rect, Slant, text_width};
pub use network::{
    CutAxis, CutPlace, HopBox, TierBox, TierDiagram, TierDiagramParts, layout_network,
    network_legend,
};
pub use operators::{
    ArenaPicture, ArenaTensor, GraphInput, GraphLayout, GraphOp, GraphPicture, GraphView,
    MemoryChart, MemoryLine, OpState, SlicePart, SlicePicture, SliceStep, StepParts,
    find_operators, first_view, graph_legend, layout_arena, layout_graph, layout_memory,
    layout_slices, place_graph, slices_legend,
};
pub use painter::{PaintError, Surface, paint, svg};
pub use prepared::{InteractiveKind, LAYOUTERS, LayouterFn, Pane, PreparedChart};
pub use requests::{NodeRow, PassBar, RequestIndex, RequestRun, RunDescriber, requests_legend};
pub use scale::{LogScale, ParameterScale, TimeFormat, TimeScale, ValueScale};
pub use sheet::{
    heads_sheet, lines_sheet, network_sheet, nothing, requests_sheet, sheet, spots_sheet,
    strategies_sheet, timeline_sheet,
};

#[cfg(test)]
mod tests {
    mod grey;
    pub(super) mod kit;
    pub(super) mod sample;
}
