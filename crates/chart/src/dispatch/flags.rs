//! Words on stems over a plot, in lanes so that no stem runs through another's words.

use crate::ink::Ink;
use crate::mark::{Anchor, Mark, text_width};
use crate::paper::{LabelPlacer, SMALL_SIZE, TEXT_SIZE};

/// From lane to lane [px].
pub(super) const LANE_PX: f64 = 15.0;
/// From a stem to its words [px].
const AIR_PX: f64 = 5.0;
/// Between words of one lane, and from words to another's stem, at least [px].
const APART_PX: f64 = 6.0;
/// More lanes leave no room for the plot.
const MOST_LANES: usize = 6;

/// Words at a place of the axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Callout {
    /// Where its stem stands [px].
    pub x: f64,
    /// Where its stem ends [px].
    pub foot: f64,
    pub text: String,
    pub ink: Ink,
    pub strong: bool,
    /// True for a caption, in small type.
    pub is_small: bool,
}

impl Callout {
    fn size(&self) -> f64 {
        if self.is_small { SMALL_SIZE } else { TEXT_SIZE }
    }

    fn span(&self, is_left: bool) -> (f64, f64) {
        let wide = text_width(&self.text, self.size(), self.strong);
        if is_left {
            (self.x - AIR_PX - wide, self.x - AIR_PX)
        } else {
            (self.x + AIR_PX, self.x + AIR_PX + wide)
        }
    }
}

/// The lane of each flag, counted upwards from the plot, and whether its words are left of its stem.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CalloutLanes {
    of: Vec<(usize, bool)>,
    pub count: usize,
    /// Where the words furthest to the left begin [px].
    pub from: f64,
}

impl CalloutLanes {
    /// Height of all lanes [px].
    pub fn height(&self) -> f64 {
        self.count as f64 * LANE_PX
    }
}

/// Puts flags in lanes between two edges [px]; `None` where that cannot be done without a stem through words.
///
/// A flag whose stem is in the words of another has to be in a lower lane than that, and flags whose words meet in
/// different ones.
///
/// # Complexity
/// O(n³), for a handful of flags.
pub(super) fn lanes(flags: &[Callout], (from, to): (f64, f64)) -> Option<CalloutLanes> {
    let left: Vec<bool> = flags.iter().map(|flag| flag.span(true).0 >= from).collect();
    let spans: Vec<(f64, f64)> = flags.iter().zip(&left).map(|(f, l)| f.span(*l)).collect();
    if spans.iter().any(|span| span.0 < from || span.1 > to) {
        return None;
    }
    // Whether flag b has to be in a lower lane than flag a. From the words to their own stem all is theirs.
    let is_under = |b: usize, a: usize| {
        let (own, stem) = (flags[a].x, flags[b].x);
        if own == stem && left[a] == left[b] {
            return b < a;
        }
        if left[a] {
            stem > spans[a].0 - APART_PX && stem < own
        } else {
            stem > own && stem < spans[a].1 + APART_PX
        }
    };
    let meet = |a: usize, b: usize| {
        spans[a].0 < spans[b].1 + APART_PX && spans[b].0 < spans[a].1 + APART_PX
    };
    let mut lane = vec![0_usize; flags.len()];
    for round in 0..=flags.len() {
        let mut moved = false;
        for a in 0..flags.len() {
            for b in (0..flags.len()).filter(|b| *b != a) {
                let under = is_under(b, a) || (meet(a, b) && !is_under(a, b) && b < a);
                if under && lane[a] <= lane[b] {
                    lane[a] = lane[b] + 1;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
        if round == flags.len() {
            return None;
        }
    }
    let count = lane.iter().max().map_or(0, |most| most + 1);
    (count <= MOST_LANES).then(|| CalloutLanes {
        of: lane.into_iter().zip(left).collect(),
        count,
        from: spans
            .iter()
            .map(|span| span.0)
            .fold(f64::INFINITY, f64::min),
    })
}

/// Draws flags in their lanes; the lowest of these ends at `foot` [px].
pub(super) fn draw(paper: &mut LabelPlacer, flags: &[Callout], lanes: &CalloutLanes, foot: f64) {
    for (flag, (lane, is_left)) in flags.iter().zip(&lanes.of) {
        let base = foot - *lane as f64 * LANE_PX - 4.0;
        let top = base - 0.8 * flag.size();
        paper.draw(Mark::line(
            Ink::HandOver,
            1.0,
            (flag.x, top),
            (flag.x, flag.foot),
        ));
        let (anchor, x) = if *is_left {
            (Anchor::End, flag.x - AIR_PX)
        } else {
            (Anchor::Start, flag.x + AIR_PX)
        };
        let text = Mark::text(flag.ink, flag.size(), anchor, (x, base), &*flag.text);
        paper.offer(if flag.strong { text.strong() } else { text });
    }
}
