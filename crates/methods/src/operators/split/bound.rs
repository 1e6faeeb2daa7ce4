//! Lower bounds of the latency of any split.
//!
//! Operators run one after the other, so the least times of single operators add up to a bound. For one operator, along one
//! dimension, over m devices that take part:
//!
//! 1. *Which m.* A part with what it receives takes a faster device no longer than a slower one. Exchanging the two never
//!    makes an operator longer, so it is enough to look at the m fastest devices, for each m.
//! 2. *Whole rows.* Within T a device of factor c makes at most ⌊L (T/c - base) / slope⌋ of the L rows or channels; what it
//!    must receive at least comes off T. If the m together do not come to L rows, T is too short.
//! 3. *Broadcast.* Along channels or entries of a vector, everything read goes to each of m ≥ 2 devices.
//! 4. *Rows at the seams.* Along rows, let h be the fewest rows of an operand that the makers of two neighbouring parts both
//!    need, over all places for the seam (all of them where the operand is needed whole). Needs move down an operand in
//!    step with the parts, so the m needs together are at least (m - 1) h rows more than their union, and what devices hold
//!    beforehand is disjoint: at least (m - 1) h rows are sent. Of an operand cut by channels a device lacks the share
//!    (1 - f) of its need, and the f add up to at most 1, so that again at least all needs less the largest of them are
//!    sent. Every byte received takes time from making rows, least on the slowest device: were rows divisible, at most
//!    Σ L (T/c - base) / slope less L / (slope × rate × the largest c) for each byte of it could be made.
//!
//! T is bisected; the bound is the last T that was too short. Memory enters by the number of parts that are allowed.

use super::SplitTask;
use engine::evaluate::slices::SliceClass;
use engine::plan::Dim;

/// Longer operators are not searched for their narrowest seam: none is assumed there.
const MOST_SEAMS: u32 = 1 << 14;
/// Halvings of the interval that holds the least time.
const HALVINGS: usize = 60;
/// How much of a row rounding may hide.
const ROUNDING: f64 = 1e-9;

/// The bound [ms].
///
/// # Complexity
/// O(operators × devices² + rows of all operators × operands).
#[must_use]
pub fn bound(task: &SplitTask<'_>) -> f64 {
    bound_until(task, || true)
}

/// Computes the bound. Once `goes_on` returns false, the remaining operators count with their compute time only.
///
/// # Complexity
/// As [`bound`] at most.
pub fn bound_until(task: &SplitTask<'_>, mut goes_on: impl FnMut() -> bool) -> f64 {
    let factors = fastest(task);
    let n = task.slices.graph().len();
    let each = (0..n).map(|v| match goes_on() {
        true => operator_bound(task, v),
        false => plain_operator_bound(task, &factors, v),
    });
    each.sum()
}

/// Computes the bound from compute times alone, with rows that can be divided at will: section 10.2 of the method's spec, for
/// comparison [ms].
///
/// # Complexity
/// O(operators × devices).
#[must_use]
pub fn plain_bound(task: &SplitTask<'_>) -> f64 {
    let factors = fastest(task);
    let n = task.slices.graph().len();
    (0..n)
        .map(|v| plain_operator_bound(task, &factors, v))
        .sum()
}

/// The least time of one operator from computing alone [ms].
fn plain_operator_bound(task: &SplitTask<'_>, fastest: &[f64], v: usize) -> f64 {
    let (base, slope) = task.slices.times(v);
    let mut speed = 0.0;
    let times = (1u32..).zip(fastest).map(|(m, factor)| {
        speed += 1.0 / factor;
        (slope + f64::from(m) * base) / speed
    });
    times.fold(f64::INFINITY, f64::min) + task.slices.fleet().least_launch()
}

/// Factors of the devices, fastest first.
fn fastest(task: &SplitTask<'_>) -> Vec<f64> {
    let mut factors = task.slices.fleet().factors().to_vec();
    factors.sort_by(f64::total_cmp);
    factors
}

/// The least time of one operator, whatever the others are cut like [ms].
///
/// # Complexity
/// O(devices² + rows × operands).
#[must_use]
pub fn operator_bound(task: &SplitTask<'_>, v: usize) -> f64 {
    let slices = &task.slices;
    let factors = fastest(task);
    let most = task.rules[v].most.clamp(1.0, factors.len() as f64) as usize;
    let mut least = f64::INFINITY;
    let dims: Vec<Dim> = match &task.fixed {
        Some(dims) => vec![dims[v]],
        None => slices.choices(v).collect(),
    };
    for dim in dims {
        let times = Times::new(task, v, dim);
        let alone = factors[0] * (times.base + times.slope) + times.launch;
        least = least.min(alone);
        let parts = most.min(times.length as usize);
        for m in 2..=parts {
            least = least.min(times.least(&factors[..m], least));
        }
    }
    least
}

/// Times of one operator on two or more devices.
struct Times {
    length: u32,
    base: f64,
    slope: f64,
    /// Least time of a part that no rate explains [ms].
    launch: f64,
    /// Least time for receiving on each device [ms].
    each_ms: f64,
    /// Least bytes received for each seam between two parts.
    seams: f64,
    /// Of a link [bytes/ms].
    rate: f64,
}

impl Times {
    fn new(task: &SplitTask<'_>, v: usize, dim: Dim) -> Self {
        let slices = &task.slices;
        let (base, slope) = slices.times(v);
        let rate = slices.fleet().bytes_per_ms();
        let graph = slices.graph();
        let length = slices.length(v, dim);
        let mut times = Self {
            length,
            base,
            slope,
            launch: slices.fleet().least_launch(),
            each_ms: 0.0,
            seams: 0.0,
            rate,
        };
        if slices.class(v, dim) != SliceClass::Row {
            let read = graph.src(v).iter().map(|t| *t as usize);
            let read: u64 = (read.filter(|t| *t < graph.len()))
                .map(|t| graph.bytes(t))
                .sum();
            times.each_ms = read as f64 / rate;
            return times;
        }
        times.seams = seams(task, v, dim).iter().sum();
        times
    }

    /// Returns true if all these devices can finish within T.
    fn is_enough(&self, factors: &[f64], t: f64) -> bool {
        let length = f64::from(self.length);
        let (mut whole, mut divided) = (0.0, 0.0);
        for factor in factors {
            let left = (t - self.each_ms - self.launch) / factor - self.base;
            let rows = left * length / self.slope;
            // All of them take part: each makes at least one row.
            if rows + ROUNDING < 1.0 {
                return false;
            }
            whole += libm::floor(rows + ROUNDING).min(length);
            divided += rows;
        }
        let slowest = factors.last().copied().unwrap_or(1.0);
        // What all of them together receive at least [ms on one link].
        let all_ms = (factors.len() - 1) as f64 * self.seams / self.rate;
        let lost = all_ms * length / (self.slope * slowest);
        whole >= length && divided - lost + ROUNDING >= length
    }

    /// The least time, or `known` if it is no less.
    fn least(&self, factors: &[f64], known: f64) -> f64 {
        let (mut short, mut enough) = (0.0, known);
        if self.slope <= 0.0 || !self.is_enough(factors, enough) {
            return known;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + enough);
            if self.is_enough(factors, middle) {
                enough = middle;
            } else {
                short = middle;
            }
        }
        short
    }
}

/// Returns the least bytes of each operand of v sent for a seam between two parts.
fn seams(task: &SplitTask<'_>, v: usize, dim: Dim) -> Vec<f64> {
    let slices = &task.slices;
    let graph = slices.graph();
    let length = slices.length(v, dim);
    let mut least = vec![i64::MAX; slices.needs(v, dim, (0, length)).count()];
    if !(2..=MOST_SEAMS).contains(&length) {
        return Vec::new();
    }
    for seam in 1..length {
        let above = slices.needs(v, dim, (0, seam));
        let below = slices.needs(v, dim, (seam, length));
        for ((least, above), below) in least.iter_mut().zip(above).zip(below) {
            *least = (*least).min(i64::from(above.1.1) - i64::from(below.1.0));
        }
    }
    let operands = slices.needs(v, dim, (0, length)).zip(least);
    let bytes = operands.map(|((u, _), least)| {
        let rows = match graph.op(u).shape[..] {
            [.., rows, _] => rows,
            _ => 1,
        };
        graph.bytes(u) as f64 * least.max(0) as f64 / rows as f64
    });
    bytes.collect()
}
