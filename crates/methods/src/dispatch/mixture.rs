//! The best mixture of whole policies under several budgets at once: the simplex method, with prices that propose policies.
//!
//! A policy has a gain and takes something of every budget, and mixtures are linear in both. The linear program has one row a
//! budget and more columns than one could list; the prices of a basis show which policy would gain most, and knowing the
//! policies proposes it. When nothing better is proposed the mixture is optimal and the prices prove it; each proposal also
//! gives a bound, so that a search that is cut off can say how far it may be from the best.

use engine::plan::dispatch::Policy;

/// Proposals at most.
const MOST_PROPOSALS: usize = 2_000;
/// A number in a column of at most this is none.
const PIVOT: f64 = 1e-12;

/// A policy as a column of the linear program.
#[derive(Debug, Clone)]
pub(super) struct MixtureColumn<P> {
    pub(super) plan: P,
    pub(super) gain: f64,
    /// Share of every budget that it uses.
    pub(super) cost: Vec<f64>,
}

/// The best mixture that was found.
#[derive(Debug, Clone)]
pub(super) struct PolicyMixture<P> {
    /// Policies with their shares, which add up to 1.
    pub(super) plans: Vec<(f64, P)>,
    pub(super) gain: f64,
    pub(super) cost: Vec<f64>,
    /// Upper bound of the gain of any mixture.
    pub(super) bound: f64,
    /// The price of each budget.
    pub(super) prices: Vec<f64>,
}

/// A basic variable: a policy, or the slack of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basic {
    Slack(usize),
    Policy(usize),
}

/// The column of what is in the basis: a row for every budget, and one for the mixture.
fn entries<P>(columns: &[MixtureColumn<P>], rows: usize, basic: Basic) -> Vec<f64> {
    match basic {
        Basic::Slack(m) => (0..rows).map(|row| f64::from(u8::from(row == m))).collect(),
        Basic::Policy(k) => {
            let mut entries = columns[k].cost.clone();
            entries.push(1.0);
            entries
        }
    }
}

fn gain<P>(columns: &[MixtureColumn<P>], basic: Basic) -> f64 {
    match basic {
        Basic::Slack(_) => 0.0,
        Basic::Policy(k) => columns[k].gain,
    }
}

/// Solves `rows` x = `right` by elimination with pivots; `None` if the rows are not independent.
fn eliminate(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for k in 0..n {
        let largest = |best: usize, row: usize| {
            if rows[row][k].abs() > rows[best][k].abs() {
                row
            } else {
                best
            }
        };
        let pivot = (k + 1..n).fold(k, largest);
        if rows[pivot][k].abs() < f64::MIN_POSITIVE {
            return None;
        }
        rows.swap(k, pivot);
        right.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        let above = &above[k];
        let right_above = right[k];
        for (row, right) in below.iter_mut().zip(&mut right[k + 1..]) {
            let factor = row[k] / above[k];
            if factor != 0.0 {
                for (entry, above) in row.iter_mut().zip(above).skip(k) {
                    *entry -= factor * above;
                }
                *right -= factor * right_above;
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
    Some(right)
}

fn transposed(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..columns.len())
        .map(|row| columns.iter().map(|column| column[row]).collect())
        .collect()
}

/// The mixture with the largest gain within `budgets`, from a policy that keeps them on. What gains no more than `nothing`
/// beyond what its budgets are worth does not come in. `propose` gives the policy that is worth most at given prices.
///
/// # Complexity
/// O(M^3) for every proposal with M budgets, besides the proposal itself.
pub(super) fn best_mixture<P: Clone>(
    budgets: &[f64],
    first: MixtureColumn<P>,
    nothing: f64,
    mut propose: impl FnMut(&[f64]) -> MixtureColumn<P>,
) -> PolicyMixture<P> {
    let rows = budgets.len() + 1;
    let mut right = budgets.to_vec();
    right.push(1.0);
    let mut columns = vec![first];
    let mut basis: Vec<Basic> = (0..budgets.len()).map(Basic::Slack).collect();
    basis.push(Basic::Policy(0));
    let mut shares = vec![(0, 1.0)];
    let mut bound = f64::INFINITY;
    let mut prices = vec![0.0; budgets.len()];
    for _ in 0..MOST_PROPOSALS {
        let table: Vec<Vec<f64>> = basis
            .iter()
            .map(|basic| entries(&columns, rows, *basic))
            .collect();
        let gains = basis.iter().map(|basic| gain(&columns, *basic)).collect();
        let by_row = transposed(&table);
        let (Some(dual), Some(values)) = (
            eliminate(table, gains),
            eliminate(by_row.clone(), right.clone()),
        ) else {
            break;
        };
        let positive = basis
            .iter()
            .zip(&values)
            .filter_map(|(basic, value)| match basic {
                Basic::Policy(k) if *value > PIVOT => Some((*k, *value)),
                _ => None,
            });
        shares = positive.collect();
        let worth = |basic: Basic, columns: &[MixtureColumn<P>]| {
            let entries = entries(columns, rows, basic);
            let paid: f64 = entries.iter().zip(&dual).map(|(a, y)| a * y).sum();
            gain(columns, basic) - paid
        };
        // What is known comes first: the best of slacks and earlier proposals, then a new proposal.
        let known = (0..budgets.len()).map(Basic::Slack);
        let known = known.chain((0..columns.len()).map(Basic::Policy));
        let mut enter = (nothing, None);
        for basic in known.filter(|basic| !basis.contains(basic)) {
            let worth = worth(basic, &columns);
            if worth > enter.0 {
                enter = (worth, Some(basic));
            }
        }
        if enter.1.is_none() {
            prices = dual[..budgets.len()]
                .iter()
                .map(|price| price.max(0.0))
                .collect();
            let proposal = propose(&prices);
            let paid = |list: &[f64]| -> f64 { list.iter().zip(&prices).map(|(a, y)| a * y).sum() };
            bound = bound.min(proposal.gain - paid(&proposal.cost) + paid(budgets));
            columns.push(proposal);
            let basic = Basic::Policy(columns.len() - 1);
            let worth = worth(basic, &columns);
            if worth > enter.0 {
                enter = (worth, Some(basic));
            }
        }
        let Some(entering) = enter.1 else {
            break;
        };
        let Some(change) = eliminate(by_row, entries(&columns, rows, entering)) else {
            break;
        };
        let ratio = |row: usize| values[row].max(0.0) / change[row];
        let least = |best: Option<usize>, row: usize| match best {
            Some(best) if ratio(best) <= ratio(row) => Some(best),
            _ => Some(row),
        };
        let leaving = (0..rows).filter(|row| change[*row] > PIVOT);
        let Some(leaving) = leaving.fold(None, least) else {
            break;
        };
        basis[leaving] = entering;
    }
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    let shares: Vec<(usize, f64)> = shares.iter().map(|(k, share)| (*k, share / all)).collect();
    let sum = |of: &dyn Fn(&MixtureColumn<P>) -> f64| -> f64 {
        let each = shares.iter().map(|(k, share)| share * of(&columns[*k]));
        each.sum()
    };
    PolicyMixture {
        gain: sum(&|column| column.gain),
        cost: (0..budgets.len())
            .map(|m| sum(&|column| column.cost[m]))
            .collect(),
        plans: shares
            .iter()
            .map(|(k, share)| (*share, columns[*k].plan.clone()))
            .collect(),
        bound,
        prices,
    }
}

impl<P> PolicyMixture<P> {
    /// One policy that mixes them for every length. O(L) for each.
    pub(super) fn policy(&self, of: impl Fn(&P) -> Policy) -> Policy {
        let mut sum = 0.0;
        let mut mixed = Policy { acts: Vec::new() };
        for (share, plan) in &self.plans {
            sum += share;
            mixed = match mixed.acts.is_empty() {
                true => of(plan),
                false => mixed.mixed(&of(plan), share / sum),
            };
        }
        mixed
    }
}
