//! A simulated run in time: one row per node, with the requests that it holds, and near enough its single passes.
//!
//! From afar a request's stay on a node is a light bar with its number; a dark foot at its start is the prefill, a
//! line along it the share of the stay that the node worked on it. Stays that overlap are in lanes, at most three,
//! and a strip with a count holds the rest. Near enough that passes are three pixels wide, the passes themselves are
//! drawn, prefill filled and decode pale. Where a row would need more marks than can be distinguished, it becomes a
//! profile of how many requests it holds.

mod draw;
mod hits;
mod index;
mod layout;
mod sketch;

pub use hits::RunDescriber;
pub use index::RequestIndex;

use super::gantt::TimeView;
use super::ink::Ink;
use super::legend::{self, entries};
use super::mark::{Mark, Picture, Rect};
use serde::{Deserialize, Serialize};

/// A simulated run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RequestRun {
    /// The nodes, tier by tier.
    pub nodes: Vec<NodeRow>,
    /// Passes, in any order; those of unknown nodes, or without a beginning and an end, are left out.
    pub passes: Vec<PassBar>,
    /// When each request arrives [s], by its number from 0.
    pub arrivals: Vec<f64>,
    /// When the last request is done [s]: where the axis ends.
    pub end_s: f64,
    /// A request that is marked throughout, by its number from 0.
    pub marked: Option<usize>,
}

/// A node: one row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeRow {
    /// Its name, in full: `Nano 1`.
    pub name: String,
    /// Its tier, from 0: a line is drawn between tiers.
    pub tier: usize,
    /// Its tier's place in the fleet, from 0: its shade.
    pub shade: usize,
}

/// A node working on one request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PassBar {
    /// The node, by place in [`RequestRun::nodes`].
    pub node: usize,
    /// The request, from 0; shown as a number from 1.
    pub task: usize,
    /// The pass, from 0: the first is the prefill, the others decode a token each.
    pub pass: u32,
    /// Begin [s].
    pub from: f64,
    /// End [s].
    pub to: f64,
}

/// The key to a run's marks in lines of at most `width_px`: for single passes, or for stays.
#[must_use]
pub fn requests_legend(is_passes: bool, width_px: f64) -> Picture {
    let rect = Rect::new(0.0, 0.0, legend::W, legend::H);
    let light = || Mark::bar(Ink::MeterTrack, Ink::HandOver, rect);
    let prefill = |w: f64| Mark::bar(Ink::ComputeFill, Ink::ComputeEdge, Rect { w, ..rect });
    let decode = Mark::bar(Ink::DecodeFill, Ink::ComputeEdge, rect);
    let served = Rect::new(1.0, 9.0, 9.0, 2.0);
    let arrival = Mark::line(Ink::Text2, 1.0, (8.0, 3.0), (8.0, 9.0));
    let mut all = if is_passes {
        vec![(vec![prefill(rect.w)], "Prefill"), (vec![decode], "Decode")]
    } else {
        let served = Mark::fill(Ink::ComputeEdge, served);
        vec![
            (vec![light()], "Request on a node, by number"),
            (vec![light(), prefill(5.0)], "Prefill"),
            (vec![light(), served], "Processed"),
        ]
    };
    all.push((vec![arrival], "Arrival"));
    let all = all
        .into_iter()
        .map(|(marks, word)| (marks, word.to_owned()));
    entries(all, width_px)
}

#[cfg(test)]
mod tests;
