//! Algorithm 3: from which prompt length on the server joins the device, where the server is scarce.
//!
//! Source: DiSCo (arXiv 2502.11417), Algorithm 3 and equation (3). Long prompts take the device longest, so the server is
//! spent on them. Lengths come in steps: the threshold stays on the side of the budget, and the length below it joins with
//! the probability theta that spends the rest.

use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::{DispatchProblem, PromptLengths};

/// Tolerance of the budget.
const SLACK: f64 = 1e-12;

/// Result of Algorithm 3. Lengths are indices of the prompts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The first length that both start for, l_th; `None` is infinite.
    pub from: Option<usize>,
    /// The share of prompt tokens that the server gets.
    pub share: f64,
    /// The longest length below the threshold.
    pub boundary: Option<usize>,
    /// The probability with which both start for that one too.
    pub theta: f64,
    lengths: usize,
}

/// Device and server, both from the start.
const BOTH: Starts = Starts {
    server: true,
    device: Some((0, 0.0)),
};

impl Threshold {
    /// The deterministic policy: its share of tokens is at most the budget.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let from = self.from.unwrap_or(self.lengths);
        Policy::of((0..self.lengths).map(|i| if i < from { Starts::device(0) } else { BOTH }))
    }

    /// The policy that spends the budget exactly, by starting both with probability theta at the boundary length.
    #[must_use]
    pub fn exact(&self) -> Policy {
        let mut policy = self.policy();
        if let Some(boundary) = self.boundary {
            let both = [(self.theta, BOTH), (1.0 - self.theta, Starts::device(0))];
            let mixture = both.into_iter().filter(|(share, _)| *share > 0.0);
            policy.acts[boundary] = mixture.collect();
        }
        policy
    }
}

/// Algorithm 3 for the first device.
///
/// # Complexity
/// O(L) for L lengths.
#[must_use]
pub fn threshold(problem: &DispatchProblem) -> Threshold {
    algorithm3(problem.prompts(), problem.budget())
}

/// Runs Algorithm 3 with lengths and budget alone: times do not matter.
#[must_use]
pub fn algorithm3(prompts: &PromptLengths, b: f64) -> Threshold {
    let q = prompts.q();
    let mut below = 0.0;
    let mut from = None;
    for (i, share) in q.iter().enumerate() {
        if below >= 1.0 - b - SLACK {
            from = Some(i);
            break;
        }
        below += share;
    }
    let share: f64 = q[from.unwrap_or(q.len())..].iter().sum();
    let boundary = from.unwrap_or(q.len()).checked_sub(1);
    let theta = boundary.map_or(0.0, |i| ((b - share) / q[i]).clamp(0.0, 1.0));
    Threshold {
        from,
        share,
        boundary,
        // Shares below the smallest number there is leave nothing to divide.
        theta: if theta.is_nan() { 0.0 } else { theta },
        lengths: q.len(),
    }
}
