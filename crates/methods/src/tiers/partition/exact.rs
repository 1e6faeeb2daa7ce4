//! The least largest load, exactly: bisection that needs no eps.
//!
//! A probe that succeeds at tau brings the upper end down to the largest load it really reached; one that fails brings
//! the lower end up to the smallest load it refused for its time. Both ends are loads of real spans, so the two meet
//! at the optimum after a few probes (some twelve at 200 blocks and 6 tiers), each O(T N) or, where greed is exact,
//! O(T log N). The paper's bisection instead halves down to an eps and returns its upper end.

use super::Objective;
use super::probe::{Probe, ProbeResult};
use super::spans::TierSpans;
use super::window::{NodeWindow, ROUNDING};
use engine::plan::TierCuts;

/// The best cuts and what was needed to find them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exact {
    /// p_1 .. p_{T-1}.
    pub(super) cuts: TierCuts,
    /// The objective's least value [s].
    pub(super) value: f64,
}

/// The least largest load and, of the partitions that reach it, one with the least sum; or the least sum and, of
/// those, one with the least largest load. `None` when no partition fits its memories.
///
/// # Complexity
/// O(T N) a probe, and O(T N) for the tie.
pub(super) fn solve(spans: &TierSpans, objective: Objective) -> Option<Exact> {
    match objective {
        Objective::Max => {
            let mut probe = Probe::new(spans);
            let (least, mut ends) = bottleneck(spans, &mut probe)?;
            let mut window = NodeWindow::new(spans);
            // Equal loads may differ by rounding, and must not be distinguished by it.
            if window.least_sum(least * (1.0 + ROUNDING)) {
                ends.clone_from(&window.ends);
            }
            ends.pop();
            Some(Exact {
                cuts: ends,
                value: least,
            })
        }
        Objective::Sum => {
            let mut window = NodeWindow::new(spans);
            let (value, _) = window.next_point(f64::INFINITY)?;
            let mut ends = window.ends.clone();
            ends.pop();
            Some(Exact { cuts: ends, value })
        }
    }
}

/// The least largest load [s] and the ends p_1 .. p_T of a partition that reaches it.
pub(super) fn bottleneck(spans: &TierSpans, probe: &mut Probe) -> Option<(f64, Vec<usize>)> {
    if probe.is_feasible(f64::INFINITY) != ProbeResult::Fits {
        return None;
    }
    let mut ends = probe.ends.clone();
    let mut high = spans.bottleneck(&ends);
    let mut low = spans.lower_bound();
    while low < high {
        let middle = low + (high - low) / 2.0;
        let tau = if middle < high { middle } else { low };
        match probe.is_feasible(tau) {
            ProbeResult::Fits => {
                high = spans.bottleneck(&probe.ends);
                ends.clone_from(&probe.ends);
            }
            ProbeResult::Fails { next } => low = next,
        }
    }
    Some((high, ends))
}
