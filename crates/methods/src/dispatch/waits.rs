//! Algorithm 2: how long the device waits for the server, by prompt length, where the device is scarce.
//!
//! Source: DiSCo (arXiv 2502.11417), Algorithm 2. A share alpha of the budget goes to a wait that every length has, for the
//! tail of the server's times; with the rest the shortest prompts start at once, and one length in between waits so long that
//! the budget is spent. Two differences: costs are shares of prompt tokens, as the budget is, and the residual equation is
//! the right one ([`Residual`]).

use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::{DispatchProblem, ServerTimes};

/// Tolerance of the budget in comparisons with the cost of a length.
const SLACK: f64 = 1e-12;

/// How the wait of the residual length follows from what is left of the budget, A, and what the length would cost, C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Residual {
    /// 1 - F(w) = a + A/q: the wait for the tail has paid the share a already.
    #[default]
    Corrected,
    /// F(w) = A/C, the line as printed: it spends most when nothing is left.
    Published,
    /// 1 - F(w) = A/C: the right way round, but what the tail has paid is forgotten.
    Increment,
}

impl Residual {
    /// All readings.
    pub const ALL: [Self; 3] = [Self::Corrected, Self::Published, Self::Increment];

    /// The name of a reading.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Corrected => "corrected",
            Self::Published => "published",
            Self::Increment => "increment",
        }
    }
}

/// One randomised wait, so that the budget is met to the last token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// The length it belongs to, as an index of the prompts; `None` is all of them.
    pub length: Option<usize>,
    /// The wait that starts no more than the budget allows [s]; `None` is never.
    pub wait: Option<f64>,
    /// The next smaller one, w' [s], which starts too much.
    pub earlier: f64,
    /// The probability of w'.
    pub rho: f64,
}

/// Result of Algorithm 2. A wait of `None` is never.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceWaits {
    /// The wait for the tail [s].
    pub w_tail: Option<f64>,
    /// The share of requests that this wait lets through, a.
    pub a_eff: f64,
    /// The length that waits in between, as an index of the prompts.
    pub residual: Option<usize>,
    /// The wait of every length, ascending [s]: 0 … 0, one in between, `w_tail`. It never spends more than the budget.
    pub waits: Vec<Option<f64>>,
    /// Mixture that spends the budget in full.
    pub blend: Option<Blend>,
}

impl DeviceWaits {
    /// The policy without chance.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy::of(self.waits.iter().map(|wait| Starts::race(0, *wait)))
    }

    /// The policy that meets the budget by chance at one length, or at all where the budget is below alpha.
    #[must_use]
    pub fn exact(&self) -> Policy {
        let mut policy = self.policy();
        if let Some(blend) = &self.blend {
            let earlier = (blend.rho, Starts::race(0, Some(blend.earlier)));
            let later = (1.0 - blend.rho, Starts::race(0, blend.wait));
            let both = [earlier, later];
            let mixture = both.into_iter().filter(|(share, _)| *share > 0.0);
            let mixture: Vec<(f64, Starts)> = mixture.collect();
            match blend.length {
                Some(length) => policy.acts[length] = mixture,
                None => policy.acts.fill(mixture),
            }
        }
        policy
    }
}

/// Distribution of the server's times for Algorithm 2: sorted, or as unsorted samples.
pub(super) trait ServerLaw {
    /// The smallest time with F >= u; `None` is never.
    fn quantile(&mut self, u: f64) -> Option<f64>;
    /// P(T_s > wait).
    fn tail(&mut self, wait: f64) -> f64;
    /// The next smaller time, or 0.
    fn before(&mut self, wait: Option<f64>) -> f64;
}

impl ServerLaw for &ServerTimes {
    fn quantile(&mut self, u: f64) -> Option<f64> {
        ServerTimes::quantile(self, u)
    }

    fn tail(&mut self, wait: f64) -> f64 {
        ServerTimes::tail(self, wait)
    }

    fn before(&mut self, wait: Option<f64>) -> f64 {
        ServerTimes::before(self, wait)
    }
}

/// Algorithm 2 for the first device, with a reading of its residual line.
///
/// # Complexity
/// O(L + log n) for L lengths and n times.
#[must_use]
pub fn waits(problem: &DispatchProblem, residual: Residual) -> DeviceWaits {
    let q = problem.prompts().q();
    let shares = (problem.budget(), problem.alpha());
    algorithm2(q, shares, residual, &mut problem.times())
}

/// Runs Algorithm 2 for token shares `q`, budget and alpha, and a distribution of the server's times.
pub(super) fn algorithm2(
    q: &[f64],
    (b, alpha): (f64, f64),
    residual: Residual,
    law: &mut impl ServerLaw,
) -> DeviceWaits {
    if b <= 0.0 {
        return DeviceWaits {
            w_tail: None,
            a_eff: 0.0,
            residual: None,
            waits: vec![None; q.len()],
            blend: None,
        };
    }
    let w_tail = law.quantile(1.0 - alpha.min(b));
    let a = w_tail.map_or(0.0, |wait| law.tail(wait));
    let mut found = DeviceWaits {
        w_tail,
        a_eff: a,
        residual: None,
        waits: vec![w_tail; q.len()],
        blend: None,
    };
    if b <= alpha {
        found.blend = (residual == Residual::Corrected).then(|| blend(law, None, b));
        return found;
    }
    let mut left = b - a;
    for (i, share) in q.iter().enumerate() {
        let cost = share * (1.0 - a);
        if left + SLACK >= cost {
            found.waits[i] = Some(0.0);
            left = (left - cost).max(0.0);
            continue;
        }
        let wait = law.quantile(match residual {
            Residual::Corrected => 1.0 - a - left / share,
            Residual::Published => left / cost,
            Residual::Increment => 1.0 - left / cost,
        });
        found.residual = Some(i);
        found.waits[i] = match (wait, w_tail) {
            (Some(wait), Some(most)) => Some(wait.min(most)),
            (wait, most) => wait.or(most),
        };
        found.blend =
            (residual == Residual::Corrected).then(|| blend(law, Some(i), a + left / share));
        break;
    }
    found
}

/// Two neighbouring waits that together start the device with probability `target`.
fn blend(law: &mut impl ServerLaw, length: Option<usize>, target: f64) -> Blend {
    let wait = law.quantile(1.0 - target);
    let earlier = law.before(wait);
    let least = wait.map_or(0.0, |wait| law.tail(wait));
    let most = law.tail(earlier);
    let rho = if most > least {
        ((target - least) / (most - least)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Blend {
        length,
        wait,
        earlier,
        rho,
    }
}
