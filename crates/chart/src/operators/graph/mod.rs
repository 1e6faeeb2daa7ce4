//! The graph, layered from left to right, with what has run, what is still held and what runs at the chosen step.
//!
//! A graph of many operators is shown as a window of layers round the chosen step, over a strip of all layers.

mod captions;
mod curve;
mod draw;
mod find;
mod place;
mod strip;

use crate::interaction::{ChartLayout, HitTarget, MarkDescriber, MarkWords, Small, row};
pub use draw::{first_view, graph_legend, layout_graph};
pub use find::find_operators;
pub use place::{GraphLayout, place_graph};

use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::mark::{Mark, Picture};
use draw::GraphFrame;
use engine::units::{BinaryUnit, count};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An operator.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GraphOp {
    /// Its name.
    pub name: String,
    /// Kind: `Conv`.
    pub kind: String,
    /// True for a pool, which is drawn round.
    pub is_pool: bool,
    /// The shape of its output in words: `64 × 56 × 56`; may be empty.
    pub shape: String,
    /// Its output [bytes].
    pub out: f64,
    /// Its weights [bytes].
    pub weights: f64,
    /// Inputs, in order: outputs of operators by index in [`GraphPicture::ops`], after them [`GraphPicture::inputs`].
    pub preds: Vec<u32>,
    /// The step at which it runs, from 0.
    pub step: usize,
    /// The last step during which its output is held, from 0.
    pub until: usize,
    /// True if its output is an output of the graph.
    pub is_output: bool,
    /// True if its output overwrites one of its inputs.
    pub in_place: bool,
}

/// An input of a graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GraphInput {
    /// Its name.
    pub name: String,
    /// Its size [bytes].
    pub bytes: f64,
    /// The last step during which it is held, from 0; `None` where no operator reads it.
    pub until: Option<usize>,
}

/// A graph at a step. Pictures of other steps share its operators.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GraphPicture {
    /// The operators.
    pub ops: Arc<Vec<GraphOp>>,
    /// The inputs.
    pub inputs: Arc<Vec<GraphInput>>,
    /// All weights, where they are in memory from the first step to the last [bytes].
    pub resident: Option<f64>,
    /// The chosen step, from 0; `None` before the first.
    pub step: Option<usize>,
    /// Visible part; `None` for a window around the selected step, or all of a small graph.
    pub view: Option<GraphView>,
}

/// Visible part of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GraphView {
    /// The layers, counted from 0.
    pub layers: TimeView,
    /// The lane in the middle, where not all of them are seen.
    pub lane: f64,
}

/// How far an operator is at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpState {
    /// It has run, and nothing reads its output any more.
    Done,
    /// It has not run.
    NotYet,
    /// It has run, and its output is held.
    Live,
    /// It runs.
    Running,
}

impl OpState {
    /// All states, in the order of a legend.
    const ALL: [Self; 4] = [Self::Done, Self::Live, Self::Running, Self::NotYet];

    const fn words(self) -> &'static str {
        match self {
            Self::Done => "Done",
            Self::Live => "Done, output still held",
            Self::Running => "Running",
            Self::NotYet => "Not yet",
        }
    }

    /// Fill and edge.
    const fn look(self) -> (Ink, Ink) {
        match self {
            Self::Done => (Ink::LineStrong, Ink::HandOver),
            Self::Live => (Ink::Text2, Ink::Text2),
            Self::Running => (Ink::Accent, Ink::Accent),
            Self::NotYet => (Ink::Background, Ink::HandOver),
        }
    }
}

impl GraphPicture {
    /// How far an operator is, or `None` where there is no such operator.
    #[must_use]
    pub fn state(&self, op: usize) -> Option<OpState> {
        let op = self.ops.get(op)?;
        Some(match self.step {
            Some(step) if op.step == step => OpState::Running,
            Some(step) if op.step < step && op.until >= step => OpState::Live,
            Some(step) if op.step < step => OpState::Done,
            _ => OpState::NotYet,
        })
    }

    /// The operator that runs.
    #[must_use]
    pub fn running(&self) -> Option<usize> {
        let step = self.step?;
        self.ops.iter().position(|op| op.step == step)
    }

    /// The picture in one sentence.
    fn describe(&self, layers: usize) -> String {
        let graph = format!(
            "Graph of {} operators in {} layers",
            count(self.ops.len() as f64),
            count(layers as f64)
        );
        let Some((running, step)) = self.running().zip(self.step) else {
            return format!("{graph}.");
        };
        let of = |state| {
            let all = (0..self.ops.len()).filter(|op| self.state(*op) == Some(state));
            all.count()
        };
        let held = of(OpState::Live);
        format!(
            "{graph}; step {} runs {}: {} done before it, {} of their outputs still held.",
            count(step as f64 + 1.0),
            self.ops[running].name,
            count((of(OpState::Done) + held) as f64),
            count(held as f64)
        )
    }
}

/// Describes the marks: the operators, then the places of the strip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GraphDescriber {
    picture: GraphPicture,
    layout: Arc<GraphLayout>,
    frame: GraphFrame,
    unit: BinaryUnit,
    bins: Vec<strip::Bin>,
}

impl MarkDescriber for GraphDescriber {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let of = hit.of;
        let ops = &self.picture.ops;
        let Some(op) = ops.get(of) else {
            return self.bins.get(of - ops.len()).map(strip::Bin::description);
        };
        let step = |step: usize| count(step as f64 + 1.0);
        let bytes = |bytes: f64| {
            if bytes.is_finite() && bytes >= 0.0 {
                self.unit.format(bytes)
            } else {
                "–".into()
            }
        };
        let mut rows: Vec<(String, String)> = Vec::new();
        for (name, value) in [("Operator", &op.kind), ("Shape", &op.shape)] {
            if !value.is_empty() {
                rows.push(row(name, value));
            }
        }
        rows.push(row("Output", bytes(op.out)));
        rows.push(row("Weights", bytes(op.weights)));
        rows.push(row("Runs at step", step(op.step)));
        rows.push(row("Output held until step", step(op.until)));
        if let Some(state) = self
            .picture
            .state(of)
            .filter(|_| self.picture.step.is_some())
        {
            rows.push(row(
                "At the chosen step",
                state.words().to_ascii_lowercase(),
            ));
        }
        let title = if op.name.is_empty() {
            format!("Operator {}", count(of as f64 + 1.0))
        } else {
            op.name.clone()
        };
        Some(MarkWords::of(title, ", ", Small::Names, rows))
    }

    /// Highlights the inputs and the readers of an operator.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let of = laid.hits[at].of;
        let preds = self.layout.preds.get(of).into_iter().flatten();
        let succs = self.layout.succs.get(of).into_iter().flatten();
        let into = preds.map(|u| (*u as usize, of));
        let out = succs.map(|v| (of, *v as usize));
        let curves = |edge| {
            let paths = self.frame.curves(&self.layout, edge, false);
            paths
                .into_iter()
                .map(|points| Mark::path(Ink::Text2, 1.5, &[], points))
        };
        picture.marks.extend(into.chain(out).flat_map(curves));
        picture.marks.extend(laid.hits[at].framed(at));
    }
}
