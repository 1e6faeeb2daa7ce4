//! What the paper on device or server publishes, as data, beside the same computed here from [`Measured`] pieces. As long as a
//! piece has not been computed, its figures are missing.
//!
//! Source: DiSCo (arXiv 2502.11417), Tables 2, 3, 5, 6 and 7, sections 4 and 5. The traces behind its figures are not
//! public, and it leaves open how long prompts are, which share of the budget the tail has and what it counts in Table 3;
//! what is taken for them is said in [`job::dispatch_published`], and every reason says what follows from it.
//!
//! Complexity: O(pieces) a claim; the pieces themselves are [`job::dispatch_published`]'s.

mod formulas;
mod handover;
mod routing;

use super::Claim;
use engine::plan::dispatch::Scarce;
use formulas::{forecasts, operations};
use handover::{UNDER_WAY, between_tokens, bytes, residual, saved, under_way, under_way_tails};
use job::dispatch_published::{Measured, Pair, SERVICES, STEPS};
use methods::dispatch::flops::PROFILES;
use routing::{TAIL, ranges, tail, trends};
use story::{Cell, Column, Table};

const COSTS: &str = "section 5";

/// The claims, in the order of the paper.
#[must_use]
pub fn claims(measured: &Measured) -> Vec<Claim> {
    let mut claims: Vec<Claim> = TAIL.iter().map(|row| tail(measured, row)).collect();
    claims.extend(trends(measured));
    claims.extend(ranges(measured));
    claims.push(saved(measured, Scarce::Device));
    claims.push(saved(measured, Scarce::Server));
    claims.extend(UNDER_WAY.iter().map(|row| under_way(measured, row)));
    claims.extend(under_way_tails(measured));
    claims.extend(between_tokens(measured));
    claims.extend(residual(measured));
    claims.extend(forecasts(measured));
    claims.extend(operations());
    claims.extend(bytes());
    claims
}

/// Every pair: gains over all budgets, and what hand-overs save at most.
#[must_use]
pub fn table(measured: &Measured) -> Table {
    let columns = vec![
        Column::new("scarce", "scarce", ""),
        Column::new("service", "service", ""),
        Column::new("phone", "phone", ""),
        Column::new("tail_published", "tail gain, published", "%"),
        Column::new("tail", "tail gain, ours", "%"),
        Column::new("mean", "mean gain, ours", "%"),
        Column::new("saved", "most saved by hand-over", "%"),
        Column::new("saved_at", "at a budget of", "%"),
    ];
    let mut rows = Vec::new();
    for (_, service, scarce, published) in TAIL {
        for (phone, published) in published.into_iter().enumerate() {
            let pair = Pair {
                service,
                phone,
                scarce,
            };
            let gains = measured.gains(pair);
            let points = measured.pair(pair).unwrap_or(&[]);
            let best = points.iter().max_by(|a, b| a.saved.total_cmp(&b.saved));
            rows.push(vec![
                Cell::text(match scarce {
                    Scarce::Device => "device",
                    Scarce::Server => "server",
                }),
                Cell::text(SERVICES[service].name),
                Cell::text(PROFILES[phone].name),
                Cell::Number(published, 2),
                Cell::maybe(gains.map(|gains| 100.0 * gains.1), 2),
                Cell::maybe(gains.map(|gains| 100.0 * gains.0), 2),
                Cell::maybe(best.map(|best| 100.0 * best.saved), 1),
                Cell::maybe(best.map(|best| 100.0 * best.budget), 0),
            ]);
        }
    }
    Table {
        name: "disco_pairs",
        title: format!("Gains over random routing, mean of {} budgets", STEPS + 1),
        columns,
        rows,
    }
}

/// What has to be said wherever these figures are shown.
#[must_use]
pub const fn note() -> &'static str {
    "The paper\u{2019}s traces are not public: first tokens are log-normal laws fitted to the moving averages of its Table 5, \
     prompts a law with the mean of Alpaca, answers 128 tokens. The tail\u{2019}s share of the budget, which it does not give, \
     is a tenth. Its times to fit a policy (Figure 9) depend on the machine: see the benchmark of this program."
}
