//! Published figures of the DiSCo paper beside ours, which are computed from [`DispatchMeasurements`] subtasks. A figure is missing until its
//! subtask has run.
//!
//! Source: DiSCo (arXiv 2502.11417), Tables 2, 3, 5, 6 and 7, sections 4 and 5. The traces behind its figures are not
//! public, and it leaves open how long prompts are, which share of the budget the tail has and what it counts in Table 3;
//! what is taken for them is said in [`planner::dispatch_published`], and every reason says what follows from it.
//!
//! Complexity: O(pieces) a claim; the pieces themselves are [`planner::dispatch_published`]'s.

mod formulas;
mod handover;
mod routing;

use super::PublishedClaim;
use document::{Cell, Table};
use engine::papers::{DISCO, PaperRow};
use engine::plan::dispatch::Scarce;
use formulas::{forecasts, operations};
use handover::{between_tokens, bytes, residual, saved, under_way, under_way_tail};
use methods::dispatch::flops::PROFILES;
use planner::dispatch_published::{DispatchMeasurements, Pair, SERVICES, STEPS};
use routing::{ranges, tail, tails, trends};

/// The place in [`SERVICES`] of the one that a row is of: its key ends with the name.
fn service(row: &PaperRow) -> usize {
    let found = SERVICES.iter().position(|known| known.name == row.name());
    found.unwrap_or_default()
}

/// Which end is scarce in a row: a part of its key.
fn scarce(row: &PaperRow) -> Scarce {
    match row.key.split('/').any(|part| part == "server") {
        true => Scarce::Server,
        false => Scarce::Device,
    }
}

/// The claims, in the order of the paper.
#[must_use]
pub fn claims(measured: &DispatchMeasurements) -> Vec<PublishedClaim> {
    let each = |group, claim: fn(&DispatchMeasurements, &'static PaperRow) -> PublishedClaim| {
        DISCO.group(group).map(move |row| claim(measured, row))
    };
    let mut claims: Vec<PublishedClaim> = tails().map(|row| tail(measured, row)).collect();
    claims.extend(trends(measured));
    claims.extend(ranges(measured));
    claims.push(saved(measured, Scarce::Device));
    claims.push(saved(measured, Scarce::Server));
    claims.extend(each("under-way", under_way));
    claims.extend(each("under-way-p99", under_way_tail));
    claims.extend(each("between-tokens", between_tokens));
    claims.extend(residual(measured));
    claims.extend(forecasts(measured));
    claims.extend(operations());
    claims.extend(bytes());
    claims
}

/// Every pair: gains over all budgets, and what hand-overs save at most.
#[must_use]
pub fn table(measured: &DispatchMeasurements) -> Table {
    let columns = [
        ("scarce", "scarce", ""),
        ("service", "service", ""),
        ("phone", "phone", ""),
        ("tail_published", "tail gain, published", "%"),
        ("tail", "tail gain, ours", "%"),
        ("mean", "mean gain, ours", "%"),
        ("saved", "most saved by hand-over", "%"),
        ("saved_at", "at a budget of", "%"),
    ];
    let mut rows = Vec::new();
    for (row, service, scarce) in tails() {
        for (phone, published) in row.numbers::<3>().into_iter().enumerate() {
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
    let title = format!("Gains over random routing, mean of {} budgets", STEPS + 1);
    Table::new("disco_pairs", title, &columns, rows)
}

/// Notes that belong to these figures everywhere.
pub const NOTES: [&str; 1] = [
    "The paper\u{2019}s traces are not public: first tokens are log-normal laws fitted to the moving averages of its Table 5, \
     prompts a law with the mean of Alpaca, answers 128 tokens. The tail\u{2019}s share of the budget, which it does not give, \
     is a tenth. Its times to fit a policy (Figure 9) depend on the machine: see the benchmark of this program.",
];
