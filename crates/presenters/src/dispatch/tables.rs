//! The tables of an answer about device and server: waits, rules, costs, budgets, devices, laws, runs, predictions.

use super::{about, device_name, is_over_budget, rule_name, used};
use chart::{TokenLine, Writer};
use document::{Cell, Table, TableColumn};
use engine::plan::dispatch::Scarce;
use engine::scenario::dispatch::Scenario;
use engine::sim::Spread;
use planner::dispatch::{
    BudgetSweep, DispatchPlan, PolicyRun, Predicted, Rule, RunRule, Zones, waits_of,
};

fn table(
    name: &'static str,
    title: &str,
    columns: &[(&'static str, &str, &'static str)],
    rows: Vec<Vec<Cell>>,
) -> Table {
    let columns = columns.iter();
    Table {
        name,
        title: title.to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, *head, unit))
            .collect(),
        rows,
    }
}

fn share(value: f64) -> Cell {
    Cell::Number(100.0 * value, 1)
}

/// Returns the action of every policy by prompt length.
#[must_use]
pub fn waits(scenario: &Scenario, planned: &DispatchPlan) -> Table {
    let ours = waits_of(planned, planned.ours());
    let disco = planned.scored(Rule::Disco);
    let disco = disco.map(|scored| waits_of(planned, scored));
    let device = scenario.devices.get(planned.device);
    let wait = |wait: Option<f64>| match (planned.scarce, wait) {
        (Scarce::Device, Some(wait)) => Cell::Number(wait, 3),
        (Scarce::Device, None) => Cell::text("never"),
        (Scarce::Server, Some(_)) => Cell::text("used"),
        (Scarce::Server, None) => Cell::text("not used"),
    };
    let rows = planned.prompts.iter().enumerate().map(|(at, (tokens, p))| {
        let first = device.map(|d| d.endpoint().first_token(*tokens));
        let (other, probability) = match ours[at].other {
            Some((other, probability)) => (wait(other), Cell::Number(100.0 * probability, 2)),
            None => (Cell::Missing, Cell::Missing),
        };
        vec![
            Cell::count(*tokens as usize),
            Cell::Number(100.0 * p, 3),
            Cell::maybe(first, 3),
            wait(ours[at].wait),
            other,
            probability,
            disco
                .as_ref()
                .map_or(Cell::Missing, |all| wait(all[at].wait)),
        ]
    });
    let (ours_head, disco_head) = match planned.scarce {
        Scarce::Device => ("Edgewise waits", "DiSCo-D waits"),
        Scarce::Server => ("Edgewise", "DiSCo-S"),
    };
    let unit = match planned.scarce {
        Scarce::Device => "s",
        Scarce::Server => "",
    };
    let columns = [
        ("tokens", "prompt", "tokens"),
        ("share_pct", "share of prompts", "%"),
        ("device_first_token_s", "device alone", "s"),
        ("wait", ours_head, unit),
        ("other", "at random, instead", unit),
        ("other_pct", "in this share of cases", "%"),
        ("disco", disco_head, unit),
    ];
    table("waits", "Every prompt length", &columns, rows.collect())
}

/// Every policy beside ours.
#[must_use]
pub fn comparison(planned: &DispatchPlan) -> Table {
    let ours = planned.ours();
    let rows = planned.policies.iter().map(|scored| {
        let o = &scored.outcome;
        let is_ours = scored.rule == Rule::Edgewise;
        let is_over = is_over_budget(planned, scored);
        let sooner = o.mean - ours.outcome.mean;
        let (by, of) = match (is_ours, is_over) {
            (true, _) => (Cell::Missing, Cell::Missing),
            (_, true) => (Cell::text("over budget"), Cell::Missing),
            _ => (
                Cell::Number(sooner, 3),
                Cell::Number(100.0 * sooner / o.mean, 1),
            ),
        };
        vec![
            Cell::text(rule_name(scored.rule, planned.scarce)),
            Cell::Number(o.mean, 3),
            Cell::Number(o.p99, 3),
            share(used(planned, scored)),
            by,
            of,
        ]
    });
    let columns = [
        ("rule", "rule", ""),
        ("mean_s", "mean", "s"),
        ("p99_s", "P99", "s"),
        ("budget_pct", "budget used", "%"),
        ("sooner_s", "Edgewise faster by", "s"),
        ("sooner_pct", "Edgewise faster by", "%"),
    ];
    table(
        "comparison",
        "Compared with other rules",
        &columns,
        rows.collect(),
    )
}

/// Describes every rule.
#[must_use]
pub fn rules(planned: &DispatchPlan) -> Table {
    let rows = Rule::ALL.into_iter().map(|rule| {
        let texts = [rule_name, about].map(|words| Cell::text(words(rule, planned.scarce)));
        texts.to_vec()
    });
    let columns = [("rule", "rule", ""), ("does", "what it does", "")];
    table("rules", "What the rules do", &columns, rows.collect())
}

/// Returns the costs of every policy.
#[must_use]
pub fn bills(planned: &DispatchPlan) -> Table {
    let rows = planned.policies.iter().map(|scored| {
        let cost = &scored.cost;
        let bill = &cost.bill;
        let less = 1.0 - cost.with / cost.without;
        vec![
            Cell::text(rule_name(scored.rule, planned.scarce)),
            Cell::Number(cost.without, 1),
            Cell::Number(cost.with, 1),
            if cost.without > 0.0 {
                share(less)
            } else {
                Cell::Missing
            },
            share(bill.moved),
            Cell::maybe(bill.buffer_mean, 2),
            Cell::maybe(bill.buffer_p99, 2),
            Cell::Number(bill.late, 3),
            Cell::Number(bill.tbt_p99, 3),
            Cell::Number(bill.server_prefill, 1),
            Cell::Number(bill.server_decode, 1),
            Cell::Number(bill.device_prefill, 1),
            Cell::Number(bill.device_decode, 1),
            Cell::Number(bill.lost_prefill, 1),
        ]
    });
    let micro = "\u{b5}$";
    let columns = [
        ("rule", "rule", ""),
        ("without_microusd", "without hand-over", micro),
        ("with_microusd", "with hand-over", micro),
        ("less_pct", "saved", "%"),
        ("moved_pct", "handed over", "%"),
        ("buffer_mean_tokens", "buffered, mean", "tokens"),
        ("buffer_p99_tokens", "buffered, P99", "tokens"),
        ("late_tokens", "late per request", "tokens"),
        ("tbt_p99_s", "time between tokens, P99", "s"),
        ("server_prefill_microusd", "server prefill", micro),
        ("server_decode_microusd", "server decode", micro),
        ("device_prefill_microusd", "device prefill", micro),
        ("device_decode_microusd", "device decode", micro),
        ("lost_prefill_microusd", "prefill that lost the race", micro),
    ];
    table("costs", "Cost per request", &columns, rows.collect())
}

/// The prompt lengths that neither start at once nor never start: `14`, `15 to 40`.
fn between(zones: &Zones) -> Cell {
    match zones.between {
        None => Cell::Missing,
        Some((first, last)) if first == last => Cell::text(first.to_string()),
        Some((first, last)) => Cell::text(format!("{first} to {last}")),
    }
}

/// Every budget.
#[must_use]
pub fn sweep(sweep: &BudgetSweep) -> Table {
    let rows = sweep.points.iter().map(|point| {
        let ours = point.of(Rule::Edgewise);
        let disco = point.of(Rule::Disco);
        let stochastic = point.of(Rule::Stochastic);
        let gain = ours.zip(stochastic);
        let gain = gain.map(|(ours, other)| 100.0 * (1.0 - ours.mean / other.mean));
        let tokens = |n: Option<u32>| n.map_or(Cell::Missing, |n| Cell::count(n as usize));
        vec![
            Cell::Number(100.0 * point.budget, 0),
            Cell::maybe(ours.map(|ours| ours.mean), 3),
            Cell::maybe(ours.map(|ours| ours.p99), 3),
            Cell::maybe(gain, 1),
            tokens(point.zones.at_once_to),
            between(&point.zones),
            tokens(point.zones.never_from),
            Cell::maybe(ours.map(|ours| ours.with), 1),
            Cell::maybe(disco.map(|d| d.mean), 3),
            Cell::maybe(disco.map(|d| d.p99), 3),
            Cell::maybe(stochastic.map(|d| d.mean), 3),
            Cell::maybe(stochastic.map(|d| d.p99), 3),
        ]
    });
    let columns = [
        ("budget_pct", "budget", "%"),
        ("mean_s", "mean", "s"),
        ("p99_s", "P99", "s"),
        ("gain_pct", "faster than stochastic by", "%"),
        ("at_once_to", "at once up to", "tokens"),
        ("between", "between them", "tokens"),
        ("never_from", "never from", "tokens"),
        ("cost_microusd", "cost per request", "\u{b5}$"),
        ("disco_mean_s", "DiSCo mean", "s"),
        ("disco_p99_s", "DiSCo P99", "s"),
        ("stochastic_mean_s", "stochastic mean", "s"),
        ("stochastic_p99_s", "stochastic P99", "s"),
    ];
    table("budgets", "Every budget", &columns, rows.collect())
}

/// One request, token by token.
#[must_use]
pub fn every_token(line: &TokenLine) -> Table {
    let columns = [
        ("token", "token", ""),
        ("by", "written by", ""),
        ("written_s", "written", "s"),
        ("read_s", "read", "s"),
    ];
    let tokens = line.available_s.iter().zip(&line.shown_s);
    let rows = tokens.zip(&line.writers).enumerate();
    let rows = rows.map(|(at, ((written, read), by))| {
        let by = match by {
            Writer::Device => &line.device,
            Writer::Server => &line.server,
        };
        vec![
            Cell::count(at + 1),
            Cell::text(&**by),
            Cell::Number(*written, 3),
            Cell::Number(*read, 3),
        ]
    });
    table("tokens", &line.title, &columns, rows.collect())
}

/// Several devices together.
#[must_use]
pub fn several(scenario: &Scenario, planned: &DispatchPlan) -> Table {
    let Some(found) = &planned.several else {
        return Table::default();
    };
    let rows = found.places.iter().enumerate().map(|(at, place)| {
        vec![
            Cell::text(device_name(scenario, *place)),
            share(found.budgets[at]),
            share(found.shares[at]),
            Cell::Number(found.prices[at], 3),
        ]
    });
    let columns = [
        ("device", "device", ""),
        ("budget_pct", "budget", "%"),
        ("used_pct", "used", "%"),
        ("price_s", "shadow price per unit of budget", "s"),
    ];
    table(
        "devices",
        "Devices with budgets of their own",
        &columns,
        rows.collect(),
    )
}

/// The distributions in figures.
#[must_use]
pub fn law(planned: &DispatchPlan) -> Table {
    let laws = [
        ("first token of the server, s", &planned.first_tokens),
        ("prompt, tokens", &planned.prompt_law),
    ];
    let rows = laws.iter().map(|(name, law)| {
        vec![
            Cell::text(*name),
            Cell::Number(law.mean, 3),
            Cell::Number(law.median, 3),
            Cell::Number(law.p99, 3),
            Cell::count(law.values.len()),
            Cell::maybe(law.fit.map(|fit| fit.log_mean), 4),
            Cell::maybe(law.fit.map(|fit| fit.log_sd), 4),
            Cell::maybe(law.fit.map(|fit| 100.0 * fit.distance), 2),
        ]
    });
    let columns = [
        ("law", "distribution of", ""),
        ("mean", "mean", ""),
        ("median", "median", ""),
        ("p99", "P99", ""),
        ("values", "distinct values", ""),
        ("fit_log_mean", "log-normal fit: mean of ln", ""),
        ("fit_log_sd", "standard deviation of ln", ""),
        ("fit_distance_pct", "largest distance of the fit", "%"),
    ];
    table("laws", "First tokens and prompts", &columns, rows.collect())
}

/// Simulated runs: the mean over them, and how far single ones are from it.
#[must_use]
pub fn runs(planned: &DispatchPlan, runs: &[PolicyRun]) -> Table {
    let over = |rule: Rule, figure: fn(&RunRule) -> f64| {
        let values: Vec<f64> = runs
            .iter()
            .filter_map(|run| run.rules.iter().find(|of| of.rule == rule).map(figure))
            .collect();
        Spread::of(&values)
    };
    let rows = Rule::ALL.into_iter().filter_map(|rule| {
        let exact = planned.scored(rule)?;
        let cell = |figure: fn(&RunRule) -> f64, decimals: usize| {
            Cell::maybe(over(rule, figure).map(|spread| spread.mean), decimals)
        };
        let mean = over(rule, |r| r.mean)?;
        Some(vec![
            Cell::text(rule_name(rule, planned.scarce)),
            Cell::Number(mean.mean, 4),
            Cell::Number(mean.max - mean.min, 4),
            Cell::Number(exact.outcome.mean, 4),
            cell(|r| r.p99, 3),
            Cell::Number(exact.outcome.p99, 3),
            cell(|r| 100.0 * r.share, 2),
            cell(|r| r.cost, 2),
            Cell::Number(exact.cost.with, 2),
            cell(|r| 100.0 * r.moved, 2),
            cell(|r| r.late, 4),
            cell(|r| r.tbt_p99, 3),
        ])
    });
    let micro = "\u{b5}$";
    let columns = [
        ("rule", "rule", ""),
        ("mean_s", "mean", "s"),
        ("mean_range_s", "range over runs", "s"),
        ("expected_mean_s", "expected", "s"),
        ("p99_s", "P99", "s"),
        ("expected_p99_s", "expected P99", "s"),
        ("budget_pct", "budget used", "%"),
        ("cost_microusd", "cost", micro),
        ("expected_cost_microusd", "expected cost", micro),
        ("moved_pct", "handed over", "%"),
        ("late_tokens", "late per request", "tokens"),
        ("tbt_p99_s", "time between tokens, P99", "s"),
    ];
    table("runs", "Simulated requests", &columns, rows.collect())
}

/// Errors of predictors.
#[must_use]
pub fn predictors(predicted: &Predicted) -> Table {
    let rows = predicted.rows.iter().map(|row| {
        vec![
            Cell::text(row.name.clone()),
            Cell::Number(100.0 * row.mape, 2),
            Cell::Number(row.mae, 4),
        ]
    });
    let columns = [
        ("predictor", "predictor", ""),
        ("mape_pct", "mean relative error", "%"),
        ("mae_s", "mean absolute error", "s"),
    ];
    table(
        "predictors",
        "Predictions of single first tokens",
        &columns,
        rows.collect(),
    )
}
