//! Several devices, each with a budget of its own: which device follows the server, and when, so that the mean time to the
//! first token is least.
//!
//! Device times are known, so a second device for the same request can only cost: one device and one wait a length, or a
//! mixture. With a price for each device's tokens every length chooses for itself, the best wait out of the hulls of
//! [`super::optimum`], and prices are all that lengths share. The linear program over all randomised policies has one row a
//! device; it is solved by the simplex method over mixtures of whole policies, where prices propose the next policy to take
//! in. When they propose nothing better the mixture is optimal and the prices prove it; each proposal also gives a bound, so
//! that a search that is cut off can say how far it may be from the best.

use super::optimum::{NEVER, Vertex, each_wait, push};
use crate::plan::dispatch::{Act, Policy};
use crate::problem::dispatch::Problem;

/// Proposals at most.
const MOST_PROPOSALS: usize = 2_000;
/// A proposal that is worth no more than this share of the server's mean is none.
const NOTHING: f64 = 1e-13;
/// A number in a column of at most this is none.
const PIVOT: f64 = 1e-12;

/// The best mixture that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The policy.
    pub policy: Policy,
    /// Its mean time to the first token [s].
    pub mean: f64,
    /// What no policy under the same budgets falls below [s].
    pub bound: f64,
    /// Share of prompt tokens that each device processes.
    pub shares: Vec<f64>,
    /// The price of each device's budget [s a unit of it].
    pub prices: Vec<f64>,
}

impl Found {
    /// How far the mean may be from the least, as a share of it: 0 to rounding when the search ended by itself.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.mean - self.bound).max(0.0) / self.mean
    }
}

/// A whole policy as a column of the linear program: for every length a device and a vertex of its hull, or neither.
#[derive(Debug, Clone)]
struct Column {
    choice: Vec<Option<(usize, f64)>>,
    gain: f64,
    /// What it takes of every budget.
    cost: Vec<f64>,
}

/// What stands in the basis: a policy, or what is left of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basic {
    Slack(usize),
    Policy(usize),
}

struct Program<'a> {
    problem: &'a Problem,
    /// By length, then by device.
    hulls: Vec<Vec<Vec<Vertex>>>,
    budgets: &'a [f64],
    columns: Vec<Column>,
}

impl<'a> Program<'a> {
    fn new(problem: &'a Problem, budgets: &'a [f64]) -> Self {
        let hull = |d: f64| {
            let mut hull = vec![NEVER];
            each_wait(problem.times(), d, |point| {
                if point.gain > 0.0 {
                    push(&mut hull, point);
                }
            });
            hull
        };
        let lengths = problem.prompts().lengths().iter();
        let devices = problem.devices();
        let hulls = lengths.map(|length| {
            let firsts = devices.iter().map(|device| device.first_token(*length));
            firsts.map(hull).collect()
        });
        let hulls: Vec<Vec<Vec<Vertex>>> = hulls.collect();
        let nobody = Column {
            choice: vec![None; hulls.len()],
            gain: 0.0,
            cost: vec![0.0; devices.len()],
        };
        Self {
            problem,
            hulls,
            budgets,
            columns: vec![nobody],
        }
    }

    /// The policy that is worth most at these prices.
    fn propose(&self, prices: &[f64]) -> Column {
        let prompts = self.problem.prompts();
        let mut column = Column {
            choice: Vec::with_capacity(self.hulls.len()),
            gain: 0.0,
            cost: vec![0.0; prices.len()],
        };
        for (i, hulls) in self.hulls.iter().enumerate() {
            let (p, q) = (prompts.p()[i], prompts.q()[i]);
            let mut best = (0.0, None);
            for (m, hull) in hulls.iter().enumerate() {
                let price = prices[m] * q;
                // Worth rises along a hull while its slope is above the price.
                let steep = |pair: &[Vertex]| {
                    p * (pair[1].gain - pair[0].gain) > price * (pair[1].start - pair[0].start)
                };
                let pairs = hull.windows(2).take_while(|pair| steep(pair));
                let vertex = hull[pairs.count()];
                let worth = p * vertex.gain - price * vertex.start;
                if worth > best.0 {
                    best = (worth, Some((m, vertex)));
                }
            }
            if let Some((m, vertex)) = best.1 {
                column.gain += p * vertex.gain;
                column.cost[m] += q * vertex.start;
            }
            column
                .choice
                .push(best.1.map(|(m, vertex)| (m, vertex.wait)));
        }
        column
    }

    /// The column of what stands in the basis: a row for every budget, and one for the mixture.
    fn entries(&self, basic: Basic) -> Vec<f64> {
        let rows = self.budgets.len() + 1;
        match basic {
            Basic::Slack(m) => (0..rows).map(|row| f64::from(u8::from(row == m))).collect(),
            Basic::Policy(k) => {
                let mut entries = self.columns[k].cost.clone();
                entries.push(1.0);
                entries
            }
        }
    }

    fn gain(&self, basic: Basic) -> f64 {
        match basic {
            Basic::Slack(_) => 0.0,
            Basic::Policy(k) => self.columns[k].gain,
        }
    }

    fn policy(&self, shares: &[(usize, f64)]) -> Policy {
        let acts = (0..self.hulls.len()).map(|i| {
            let mut mixture: Vec<(f64, Act)> = Vec::new();
            for (k, share) in shares {
                let device = self.columns[*k].choice[i];
                let act = Act {
                    server: true,
                    device,
                };
                match mixture.iter_mut().find(|(_, known)| *known == act) {
                    Some((sum, _)) => *sum += share,
                    None => mixture.push((*share, act)),
                }
            }
            if let [(share, _)] = mixture.as_mut_slice() {
                *share = 1.0;
            }
            mixture
        });
        Policy {
            acts: acts.collect(),
        }
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

/// The least mean with at most the share `budgets[m]` of prompt tokens on device m; the problem's own budget is not looked at.
/// `None` when there is not one budget from 0 to 1 for every device.
///
/// # Complexity
/// O(n L M) for the hulls, then O(L M) and O(M^3) for every proposal, a few dozen for a handful of devices.
#[must_use]
pub fn solve(problem: &Problem, budgets: &[f64]) -> Option<Found> {
    let devices = problem.devices().len();
    if budgets.len() != devices || !budgets.iter().all(|b| (0.0..=1.0).contains(b)) {
        return None;
    }
    let all_server = problem.times().mean();
    let mut program = Program::new(problem, budgets);
    let mut right = budgets.to_vec();
    right.push(1.0);
    let mut basis: Vec<Basic> = (0..devices).map(Basic::Slack).collect();
    basis.push(Basic::Policy(0));
    let mut bound = f64::NEG_INFINITY;
    let mut prices = vec![0.0; devices];
    for _ in 0..MOST_PROPOSALS {
        let columns: Vec<Vec<f64>> = basis.iter().map(|basic| program.entries(*basic)).collect();
        let gains: Vec<f64> = basis.iter().map(|basic| program.gain(*basic)).collect();
        let Some(dual) = eliminate(columns.clone(), gains) else {
            break;
        };
        let worth = |basic: Basic, program: &Program<'_>| {
            let entries = program.entries(basic);
            let paid: f64 = entries.iter().zip(&dual).map(|(a, y)| a * y).sum();
            program.gain(basic) - paid
        };
        // What is known comes first: the best of slacks and earlier proposals, then a new proposal.
        let known = (0..devices).map(Basic::Slack);
        let known = known.chain((0..program.columns.len()).map(Basic::Policy));
        let mut enter = (NOTHING * all_server, None);
        for basic in known.filter(|basic| !basis.contains(basic)) {
            let worth = worth(basic, &program);
            if worth > enter.0 {
                enter = (worth, Some(basic));
            }
        }
        if enter.1.is_none() {
            prices = dual[..devices].iter().map(|price| price.max(0.0)).collect();
            let proposal = program.propose(&prices);
            let paid = |list: &[f64]| -> f64 { list.iter().zip(&prices).map(|(a, y)| a * y).sum() };
            let most = proposal.gain - paid(&proposal.cost) + paid(budgets);
            bound = bound.max(all_server - most);
            program.columns.push(proposal);
            let basic = Basic::Policy(program.columns.len() - 1);
            let worth = worth(basic, &program);
            if worth > enter.0 {
                enter = (worth, Some(basic));
            }
        }
        let Some(entering) = enter.1 else {
            break;
        };
        let rows = transposed(&columns);
        let (Some(values), Some(change)) = (
            eliminate(rows.clone(), right.clone()),
            eliminate(rows, program.entries(entering)),
        ) else {
            break;
        };
        let ratio = |row: usize| values[row].max(0.0) / change[row];
        let least = |best: Option<usize>, row: usize| match best {
            Some(best) if ratio(best) <= ratio(row) => Some(best),
            _ => Some(row),
        };
        let leaving = (0..=devices).filter(|row| change[*row] > PIVOT);
        let Some(leaving) = leaving.fold(None, least) else {
            break;
        };
        basis[leaving] = entering;
    }
    let columns: Vec<Vec<f64>> = basis.iter().map(|basic| program.entries(*basic)).collect();
    let values = eliminate(transposed(&columns), right)?;
    let chosen = basis
        .iter()
        .zip(&values)
        .filter_map(|(basic, value)| match basic {
            Basic::Policy(k) if *value > PIVOT => Some((*k, *value)),
            _ => None,
        });
    let chosen: Vec<(usize, f64)> = chosen.collect();
    let all: f64 = chosen.iter().map(|(_, share)| share).sum();
    let chosen: Vec<(usize, f64)> = chosen.iter().map(|(k, share)| (*k, share / all)).collect();
    let sum = |of: &dyn Fn(&Column) -> f64| -> f64 {
        let each = chosen
            .iter()
            .map(|(k, share)| share * of(&program.columns[*k]));
        each.sum()
    };
    Some(Found {
        policy: program.policy(&chosen),
        mean: all_server - sum(&|column| column.gain),
        bound,
        shares: (0..devices)
            .map(|m| sum(&|column| column.cost[m]))
            .collect(),
        prices,
    })
}
