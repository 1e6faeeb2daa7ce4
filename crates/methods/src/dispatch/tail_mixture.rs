//! A cap on the tail by a multiplier: the least mean among mixtures of policies of which each is the best for some price of
//! lateness.
//!
//! Mean and tail of a policy are a point in a plane, and what mixtures reach is convex. Two points on either side of the cap
//! define the price at which both are worth the same; the best policy at that price either is worth more, and takes the
//! place of one of the two, or proves that the line through them is the edge. Whatever is linear in a mixture can be capped
//! so: lateness, or a budget.

use engine::plan::dispatch::Policy;

/// Prices that are tried at most. Each but the last finds another corner; usually fewer than ten do.
const MOST_PRICES: usize = 200;
/// Tolerance of the cap.
const SLACK: f64 = 1e-12;

/// A policy as the search sees it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MixturePoint {
    pub(super) policy: Policy,
    /// Mean time to the first token [s].
    pub(super) mean: f64,
    /// Share of requests that are late.
    pub(super) tail: f64,
}

/// Result of the search.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meeting {
    pub(super) point: MixturePoint,
    /// Lower bound of the mean of any policy that meets the cap [s].
    pub(super) bound: f64,
    /// Price of lateness [s]; 0 if the cap does not bind.
    pub(super) price: f64,
}

/// The least mean with a tail of at most `room`. `inside` meets the cap; `best` gives the policy with the least
/// mean + mu x tail.
pub(super) fn meet(
    room: f64,
    inside: MixturePoint,
    mut best: impl FnMut(f64) -> MixturePoint,
) -> Meeting {
    let mut outside = best(0.0);
    let mut bound = outside.mean;
    if outside.tail <= room + SLACK {
        return Meeting {
            point: outside,
            bound,
            price: 0.0,
        };
    }
    let mut inside = inside;
    let mut price = 0.0;
    for _ in 0..MOST_PRICES {
        let mu = ((inside.mean - outside.mean) / (outside.tail - inside.tail)).max(0.0);
        let found = best(mu);
        price = mu;
        let worth = |point: &MixturePoint| point.mean + mu * point.tail;
        bound = bound.max(worth(&found) - mu * room);
        let line = worth(&inside).min(worth(&outside));
        if worth(&found) >= line - 1e-14 * line.abs() {
            break;
        }
        if found.tail <= room + SLACK {
            inside = found;
        } else {
            outside = found;
        }
    }
    let share = ((outside.tail - room) / (outside.tail - inside.tail)).clamp(0.0, 1.0);
    let mix = |outside: f64, inside: f64| outside + share * (inside - outside);
    Meeting {
        point: MixturePoint {
            policy: outside.policy.mixed(&inside.policy, share),
            mean: mix(outside.mean, inside.mean),
            tail: mix(outside.tail, inside.tail),
        },
        bound,
        price,
    }
}
