//! Tiers as a network with the blocks of a model on them, and under it one decode pass to scale.
//!
//! A tier is a box with one cell a block, all blocks equally wide, and behind it the outlines of its further nodes.
//! Between tiers is a hop in amber, and room for the handle of the cut. Which tier is slowest, and which does not
//! fit, is shown by shape and in words. On a phone there is one tier a row and the cuts are between the rows.

mod facts;
mod layout;
mod pass;

pub use layout::layout_network;

use super::ink::Ink;
use super::legend::{self, entries};
use super::mark::{Mark, Picture, Rect};
use crate::interaction::{
    ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits,
};
use serde::{Deserialize, Serialize};

/// Tiers in the order in which a token passes them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TierDiagram {
    /// The tiers; drawn are at most six well, more are drawn all the same.
    pub tiers: Vec<TierBox>,
    /// The hop after each tier but the last.
    pub hops: Vec<HopBox>,
    /// The tier with the slowest pass, by place in [`TierDiagram::tiers`].
    pub slowest: Option<usize>,
    /// One decode pass with its hops and its way back [s].
    pub total_s: f64,
    /// The token's way back to the first tier [s].
    pub return_s: f64,
}

/// A tier: equal nodes that hold the same blocks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TierBox {
    /// Its name, in full.
    pub name: String,
    /// Its place in the fleet, from 0: its shade.
    pub shade: usize,
    /// How many nodes it has.
    pub nodes: usize,
    /// First block, from 1.
    pub first: usize,
    /// Last block, inclusive; less than `first` where it has none.
    pub last: usize,
    /// How many blocks would fit; `None` where nothing limits them.
    pub block_capacity: Option<usize>,
    /// True if it holds the embedding, before its blocks.
    pub embedding: bool,
    /// True if it holds the head, after its blocks.
    pub head: bool,
    /// One decode pass, the head included [s].
    pub pass_s: f64,
    /// One prefill, the head included [s].
    pub prefill_s: f64,
    /// The head's part of a decode pass [s].
    pub head_s: f64,
    /// Memory in use on a node [GB].
    pub memory_gb: f64,
    /// Memory of a node that can be used [GB].
    pub room_gb: f64,
    /// True if its blocks fit.
    pub fits: bool,
    /// Arrivals at which it is full [requests/s]; not finite where it never is.
    pub full_at: f64,
}

impl TierBox {
    /// How many blocks it has.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        (self.last + 1).saturating_sub(self.first)
    }
}

/// The way from one tier to the next.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct HopBox {
    /// Handing over a prompt [s].
    pub prefill_s: f64,
    /// Handing over one token [s].
    pub decode_s: f64,
}

/// Which way a cut is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutAxis {
    /// Tiers are side by side: left and right move the cut.
    Across,
    /// Tiers are under one another: the cut is between two rows and is changed by a block at a time, or by a
    /// drag along the row.
    Down,
}

/// Where the handle of a cut belongs. The picture leaves the place free and draws no handle, so that an exported
/// picture has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutPlace {
    /// Middle of the handle [px].
    pub x: f64,
    /// Middle of the handle [px].
    pub y: f64,
    /// Length of the cut's line through that middle [px]: upright where tiers are side by side, level where they
    /// are under one another.
    pub h: f64,
    /// The tier before the cut, by place in [`TierDiagram::tiers`].
    pub before: usize,
    /// How far a drag goes for one block [px], at least 1.
    pub px_per_block: f64,
    /// Which way the cut is moved.
    pub axis: CutAxis,
}

/// Meaning of a mark; numbers are indices into [`TierDiagram::tiers`] and [`TierDiagram::hops`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkPart {
    /// A tier, as a box.
    Tier(usize),
    /// The embedding in its box.
    Embedding(usize),
    /// The blocks in its box.
    Blocks(usize),
    /// The head in its box.
    Head(usize),
    /// The hop after a tier.
    Hop(usize),
    /// A tier's part of the pass to scale, without the head.
    Pass(usize),
    /// The head's part of the pass to scale.
    PassHead(usize),
    /// A hop in the pass to scale.
    PassHop(usize),
    /// The token's way back, in the pass to scale.
    Return,
}

/// Marks that are highlighted together: a tier with all its parts, a hop with its part of the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HighlightGroup {
    Tier(usize),
    Hop(usize),
    Return,
}

impl NetworkPart {
    const fn highlight_group(self) -> HighlightGroup {
        match self {
            Self::Tier(at)
            | Self::Embedding(at)
            | Self::Blocks(at)
            | Self::Head(at)
            | Self::Pass(at)
            | Self::PassHead(at) => HighlightGroup::Tier(at),
            Self::Hop(at) | Self::PassHop(at) => HighlightGroup::Hop(at),
            Self::Return => HighlightGroup::Return,
        }
    }

    /// The tier it belongs to; a hop belongs to none.
    #[must_use]
    pub const fn tier(self) -> Option<usize> {
        match self.highlight_group() {
            HighlightGroup::Tier(at) => Some(at),
            HighlightGroup::Hop(_) | HighlightGroup::Return => None,
        }
    }

    /// Returns true for a part of the pass drawn to scale.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        matches!(
            self,
            Self::Pass(_) | Self::PassHead(_) | Self::PassHop(_) | Self::Return
        )
    }
}

/// Slimmer marks are caught as if they were this wide [px]: a hop may be three pixels.
const CATCH_PX: f64 = 9.0;

/// A part of the network with its place [px].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedDiagram {
    what: NetworkPart,
    rect: Rect,
}

/// Describes the marks, and has the places of the handles of cuts, one between each two tiers.
#[derive(Debug, Clone, PartialEq)]
pub struct TierDiagramParts {
    network: TierDiagram,
    /// The network in the order of a token's way, then the pass in the same order.
    all: Vec<PlacedDiagram>,
    cuts: Vec<CutPlace>,
}

impl TierDiagramParts {
    /// The network and the pass as a row each. Earlier and later follow the token, above and below go by what is seen there,
    /// the chain is the slowest tier.
    fn rows(&self) -> RowHits {
        let slowest = self.network.slowest.map(NetworkPart::Tier);
        let hit = |(of, PlacedDiagram { what, rect }): (usize, &PlacedDiagram)| {
            let tier = what.tier().and_then(|at| self.network.tiers.get(at));
            HitTarget {
                shade: tier.map(|tier| tier.shade),
                chain: Some(0),
                is_link: Some(*what) == slowest,
                ..HitTarget::at(*rect, 0, of)
            }
        };
        let first = self.all.iter().position(|part| part.what.is_pass());
        let first = first.unwrap_or(self.all.len());
        let mut hits = self.all.iter().enumerate().map(hit);
        let mut rows = RowHits::default();
        for n in [first, self.all.len() - first] {
            rows.add(HitTest::Smallest(CATCH_PX), hits.by_ref().take(n));
        }
        rows
    }
}

impl MarkDescriber for TierDiagramParts {
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        facts::facts(&self.network, self.all.get(hit.of)?.what)
    }

    /// All that belongs to a mark: a tier's ground and its part of the pass, or a hop and its.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let whole = self.all[at].what.highlight_group();
        let belongs = self
            .all
            .iter()
            .filter(|part| part.what.highlight_group() == whole);
        let ground = match whole {
            HighlightGroup::Tier(at) => laid.bands.get(at).copied(),
            HighlightGroup::Hop(_) | HighlightGroup::Return => {
                let mut own = belongs.clone().filter(|part| !part.what.is_pass());
                own.next().map(|part| part.rect)
            }
        };
        let ground = ground.map(|rect| Mark::fill(Ink::Band, rect));
        picture.marks.splice(0..0, ground);
        for PlacedDiagram { rect, .. } in belongs.filter(|part| part.what.is_pass()) {
            let rect = Rect::new(rect.x, rect.y - 3.0, rect.w, rect.h + 6.0);
            picture.marks.push(Mark::frame(Ink::Text, &[], rect));
        }
    }
}

impl InteractiveChart<TierDiagramParts> {
    /// Where the handles of the cuts belong.
    #[must_use]
    pub fn cuts(&self) -> &[CutPlace] {
        &self.describer.cuts
    }
}

/// The key to a network's marks in lines of at most `width_px`: its tiers, what is held beside blocks, and hops.
#[must_use]
pub fn network_legend(network: &TierDiagram, width_px: f64) -> Picture {
    let rect = Rect::new(0.0, 0.0, legend::W, legend::H);
    let tier = |tier: &TierBox| {
        let shade = Mark::bar(Ink::device(tier.shade), Ink::DevEdge, rect);
        (vec![shade], tier.name.clone())
    };
    let extra = vec![layout::boxed(
        Ink::Background,
        Ink::HandOver,
        &[2.0, 2.0],
        rect,
    )];
    // As in the pass it stands out over the tiers.
    let high = Rect::new(rect.x + 4.0, rect.y - 2.0, rect.w - 8.0, rect.h + 4.0);
    let hop = vec![Mark::bar(Ink::TransferFill, Ink::TransferEdge, high)];
    let line = vec![Mark::fill(Ink::Text, Rect::new(0.0, 5.0, legend::W, 3.0))];
    let mut all: Vec<_> = network.tiers.iter().map(tier).collect();
    if network.tiers.iter().any(|tier| tier.embedding || tier.head) {
        all.push((extra, "Embedding (E), head (H)".to_owned()));
    }
    all.push((hop, "Transfer".to_owned()));
    if network.slowest.is_some() {
        all.push((line, "Slowest tier".to_owned()));
    }
    entries(all, width_px)
}
