//! Ranges in the place of points, in words and tables: what the draws of [`planner::cold_start_spread`] come to.

pub mod measure;

use super::goal_of;
use super::tables::route;
use document::Sentence;
use document::{Cell, Table, TableColumn};
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use engine::scenario::ranges::SpanInput;
use engine::units::InOrder;
use engine::units::{NARROW, percent, rounded, seconds};
use measure::measure;
use planner::cold_start_spread::{InputRow, MOST_CORNER_INPUTS, PlanRow, Spread, inputs};
use serde::Serialize;

/// Plans that are listed.
const MOST_LISTED: usize = 5;
/// Decimals of a time in seconds that a reader sees.
const S: usize = 4;

/// Summarises the draws in a few sentences: times, how often the plan stays fastest, the largest loss, the number most worth
/// measuring.
#[must_use]
pub fn summary(scenario: &Scenario, spread: &Spread) -> Sentence {
    let (low, high) = (spread.time_at(0.05), spread.time_at(0.95));
    let (Some(low), Some(high), true) = (low, high, spread.draws > 0) else {
        let text = match spread.draws {
            0 => "No draw has been solved yet.",
            _ => {
                "This plan fits in no draw: its devices do not hold their parts, it falls short of the rate that was asked for, or a link has no rate."
            }
        };
        return Sentence::default().plain(text);
    };
    let of = match spread.unfit + spread.broken {
        0 => "of cases",
        _ => "of cases in which it fits",
    };
    let mut said = Sentence::default().plain(format!("{} in ", goal_of(scenario)));
    said = if seconds(low) == seconds(high) {
        said.strong(seconds(low)).plain(" in every draw; ")
    } else {
        said.strong(between(low, high))
            .plain(format!(" in 90{NARROW}% {of}; "))
    };
    said = said
        .plain("this plan stays the fastest in ")
        .followed(stays(spread));
    said = match &spread.worst {
        Some(worst) if worst.regret > 1e-9 * worst.best => said
            .plain("; the worst found is ")
            .strong(seconds(worst.regret))
            .plain(" behind the best plan. "),
        Some(_) => said.plain("; no draw found it behind another plan. "),
        None => said.plain(". "),
    };
    said.followed(losses(spread))
        .followed(advice(scenario, spread))
}

/// `2.41 to 3.02 s`: the unit once where both have the same.
fn between(low: f64, high: f64) -> String {
    let (low, high) = (seconds(low), seconds(high));
    let unit = |text: &str| text.split(NARROW).nth(1).map(str::to_owned);
    match low.split_once(NARROW) {
        Some((number, _)) if unit(&low) == unit(&high) && low.matches(NARROW).count() == 1 => {
            format!("{number} to {high}")
        }
        _ => format!("{low} to {high}"),
    }
}

/// `83 % (77 to 88 %)`.
fn stays(spread: &Spread) -> Sentence {
    let share = 100.0 * spread.stays as f64 / spread.draws as f64;
    let said = Sentence::default().strong(percent(share, 0));
    match spread.stays_between {
        Some((low, high)) => said.plain(format!(
            " ({:.0} to {})",
            100.0 * low,
            percent(100.0 * high, 0)
        )),
        None => said,
    }
}

/// Draws in which the plan has no time, and those whose search was not finished.
fn losses(spread: &Spread) -> Sentence {
    let share = |count: usize| percent(100.0 * count as f64 / spread.draws as f64, 1);
    let mut said = Sentence::default();
    if spread.unfit > 0 {
        said = said
            .plain("It does not fit in ")
            .strong(share(spread.unfit))
            .plain(match spread.impossible {
                0 => " of the draws, where others do. ".to_owned(),
                all if all == spread.unfit => " of the draws, nor does any other plan. ".to_owned(),
                some => format!(
                    " of the draws, nor does any other plan in {}. ",
                    share(some)
                ),
            });
    }
    if spread.broken > 0 {
        said = said
            .plain("A link has no rate in ")
            .strong(share(spread.broken))
            .plain(" of the draws. ");
    }
    if spread.unproved > 0 {
        said = said.plain(format!(
            "In {} of the draws the search was not finished: a plan may be faster there than the one found. ",
            share(spread.unproved)
        ));
    }
    said
}

/// Names the number most worth measuring.
fn advice(scenario: &Scenario, spread: &Spread) -> Sentence {
    if !spread.is_weighed {
        return Sentence::default();
    }
    let all = inputs(scenario);
    let label = |at: usize| {
        all.get(at)
            .map_or_else(String::new, |input| input.label.clone())
    };
    let mut said = Sentence::default();
    let worth = |at: usize| spread.inputs[at].worth;
    let unknown = spread.always_fit() == 0;
    if let Some(at) = spread.most_fitting() {
        said = said
            .plain("Most worth measuring: ")
            .strong(label(at))
            .plain(format!(
                ", which decides {} of whether this plan fits. ",
                percent(100.0 * spread.inputs[at].decides_fit(), 0)
            ));
    }
    let is_second = spread.most_fitting().is_some();
    match (spread.most_worth(), spread.most_spread()) {
        (Some(at), _) => {
            let sooner = worth(at).map_or(0.0, |worth| worth.mean);
            said = said
                .plain(match is_second {
                    true => "For its time: ",
                    false => "Most worth measuring: ",
                })
                .strong(label(at))
                .plain(format!(
                    ". Knowing it before choosing a plan is worth {} on average.",
                    seconds(sooner)
                ));
        }
        (None, Some((at, share))) => {
            said = said
                .plain(if unknown {
                    "No plan found fits in every draw, so nothing can be said of what measuring one number is worth; "
                } else {
                    "Measuring one number alone does not change the plan; "
                })
                .strong(label(at))
                .plain(format!(
                    " explains {} of the spread.",
                    percent(100.0 * share, 0)
                ));
        }
        (None, None) if unknown => {
            said = said.plain(
                "No plan found fits in every draw, so nothing can be said of what measuring one number is worth.",
            );
        }
        (None, None) => {
            said = said.plain("Measuring one number alone changes nothing.");
        }
    }
    if let (Some(at), _) = spread.sturdiest()
        && at > 0
        && let (Some(ours), Some(other)) = (spread.plans[0].mean, spread.plans[at].mean)
    {
        said = said.plain(format!(
            " Another plan is faster on average, {} instead of {}: see the list.",
            seconds(other),
            seconds(ours)
        ));
    }
    said
}

/// A quantity with so many digits as its range has, and its unit: where the worst was found.
fn quantity_text(input: &SpanInput, number: f64) -> String {
    let shown = rounded(number, 4);
    let gap = if input.unit.is_empty() {
        ""
    } else {
        "\u{202f}"
    };
    format!("{} {shown}{gap}{}", input.label, input.unit)
}

/// Where the worst was found, and what would have been the plan there.
#[must_use]
pub fn worst(scenario: &Scenario, problem: &ColdStart, spread: &Spread) -> Option<String> {
    let worst = spread.worst.as_ref().filter(|w| w.regret > 1e-9 * w.best)?;
    let numbers = inputs(scenario);
    let numbers = numbers.iter().zip(&worst.numbers);
    let numbers: Vec<String> = numbers
        .map(|(input, number)| quantity_text(input, *number))
        .collect();
    let place = if worst.is_corner {
        "a corner of the ranges"
    } else {
        "a draw"
    };
    Some(format!(
        "The worst was found in {place}: {}. There this plan takes {}, and {} takes {}.",
        numbers.join(", "),
        seconds(worst.ours),
        route(problem, &worst.plan),
        seconds(worst.best)
    ))
}

/// How the figures came about: what is assumed, and of how many draws they are.
#[must_use]
pub fn basis(spread: &Spread) -> String {
    let mut said = format!(
        "Each range is drawn uniformly between its ends, independently of the others. {} draws were solved",
        spread.draws
    );
    if spread.corners > 0 {
        said += &format!(", and all {} corners of the ranges", spread.corners);
        if let Some((least, most)) = spread.corner_times {
            said += &format!(", where this plan takes {}", between(least, most));
        }
        if spread.corners_unfit > 0 {
            said += &format!(" and does not fit in {}", spread.corners_unfit);
        }
    } else if spread.inputs.len() > MOST_CORNER_INPUTS {
        said += ", and no corner: there are too many";
    }
    if spread.is_weighed {
        said += &format!(
            "; times of this plan are over {} draws, in which the plans found were scored",
            spread.times_of
        );
        let (usable, all) = (
            spread.always_fit(),
            spread.plans.iter().filter(|p| p.fits.is_some()).count(),
        );
        if usable < all {
            said += &format!(
                "; what a number is worth is computed over the {usable} of these {all} plans that fit in all of them"
            );
        }
    }
    said += ". The worst found need not be the worst there is.";
    said
}

/// The numbers that carry a range: what each is worth, how much of the spread it explains, and how it is measured.
#[must_use]
pub fn inputs_table(scenario: &Scenario, spread: &Spread) -> Table {
    let columns = [
        ("input", "input", ""),
        ("value", "value", ""),
        ("low", "low", ""),
        ("high", "high", ""),
        ("unit", "unit", ""),
        ("worth_ms", "worth knowing", "ms"),
        ("worth_error_ms", "\u{b1}", "ms"),
        ("share_pct", "share of the spread", "%"),
        ("fit_share_pct", "share of whether it fits", "%"),
        ("on", "measured on", ""),
        ("command", "command", ""),
        ("then", "result", ""),
    ];
    let all = inputs(scenario);
    let rows = order(spread).into_iter().filter_map(|at| {
        let (input, row) = (all.get(at)?, spread.inputs.get(at)?);
        let span = input.span?;
        let how = measure(scenario, input);
        Some(vec![
            Cell::text(input.label.as_str()),
            Cell::Number(input.value, decimals(input.value)),
            Cell::Number(span.low, decimals(span.low)),
            Cell::Number(span.high, decimals(span.high)),
            Cell::text(input.unit),
            Cell::maybe(row.worth.map(|worth| 1e3 * worth.mean.max(0.0)), 2),
            Cell::maybe(row.worth.map(|worth| 2e3 * worth.error), 2),
            Cell::maybe(row.share.map(|share| 100.0 * share), 1),
            Cell::maybe(row.fit_share.map(|share| 100.0 * share), 1),
            Cell::text(how.on),
            Cell::text(how.command),
            Cell::text(how.then),
        ])
    });
    Table {
        name: "ranges",
        title: "Numbers with a range: what knowing each is worth, and how it is measured"
            .to_owned(),
        rows: rows.collect(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
    }
}

/// As many decimals as a number has.
fn decimals(value: f64) -> usize {
    let text = value.to_string();
    text.split_once('.').map_or(0, |(_, behind)| behind.len())
}

/// The inputs: first those that decide whether the plan fits, then by worth, and where that is nothing by their share of the
/// spread.
#[must_use]
pub fn order(spread: &Spread) -> Vec<usize> {
    let worth = |row: &InputRow| match row.worth {
        Some(worth) if worth.is_something(spread.at_values) => worth.mean,
        _ => 0.0,
    };
    let share = |row: &InputRow| row.share.unwrap_or(0.0);
    let mut order: Vec<usize> = (0..spread.inputs.len()).collect();
    order.in_order_by(|a, b| {
        let (a, b) = (&spread.inputs[*a], &spread.inputs[*b]);
        let by_fit = b.decides_fit().total_cmp(&a.decides_fit());
        let by_worth = by_fit.then(worth(b).total_cmp(&worth(a)));
        by_worth.then(share(b).total_cmp(&share(a)))
    });
    order
}

/// The plans that were best somewhere, the one shown first.
#[must_use]
pub fn plans_table(problem: &ColdStart, spread: &Spread) -> Table {
    let columns = [
        ("plan", "plan", ""),
        ("best_pct", "fastest in", "%"),
        ("fits_pct", "fits in", "%"),
        ("mean_s", "mean", "s"),
        ("worst_s", "worst found, behind by", "s"),
        ("remark", "remark", ""),
    ];
    let (mean, worst) = spread.sturdiest();
    let draws = spread.draws.max(1) as f64;
    let is_listed = |at: usize| at < MOST_LISTED || mean == Some(at) || worst == Some(at);
    let row = |(at, plan): (usize, &PlanRow)| {
        let mut remarks = Vec::new();
        if at == 0 {
            remarks.push("the plan on show");
        }
        if mean == Some(at) {
            remarks.push("lowest mean");
        }
        if worst == Some(at) {
            remarks.push("smallest worst case");
        }
        vec![
            Cell::text(route(problem, &plan.plan)),
            Cell::Number(100.0 * plan.best_in as f64 / draws, 1),
            Cell::maybe(plan.fits.map(|share| 100.0 * share), 1),
            Cell::maybe(plan.mean, S),
            Cell::maybe(plan.worst, S),
            Cell::text(remarks.join(", ")),
        ]
    };
    let rows = spread.plans.iter().enumerate();
    Table {
        name: "plans",
        title: "Plans that were the fastest in some draw".to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows: rows.filter(|(at, _)| is_listed(*at)).map(row).collect(),
    }
}

/// The distributions: within which time which share of the draws stay, of this plan and of the best plan of each draw.
#[must_use]
pub fn times_table(scenario: &Scenario, spread: &Spread) -> Table {
    let columns = [
        ("share_pct", "share of draws", "%"),
        ("plan_s", "this plan within", "s"),
        ("best_s", "best plan of each draw within", "s"),
    ];
    let count = spread.times.len().max(spread.best_times.len());
    let step = 100.0 / count.saturating_sub(1).max(1) as f64;
    let row = |at: usize| {
        vec![
            Cell::Number(step * at as f64, 1),
            Cell::maybe(spread.times.get(at).copied(), S),
            Cell::maybe(spread.best_times.get(at).copied(), S),
        ]
    };
    Table {
        name: "spread",
        title: format!("{} over the draws", goal_of(scenario)),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows: (0..count).map(row).collect(),
    }
}

/// Everything for a terminal.
#[must_use]
pub fn text(scenario: &Scenario, problem: &ColdStart, spread: &Spread) -> String {
    let mut lines = vec![summary(scenario, spread).to_string()];
    lines.extend(worst(scenario, problem, spread));
    lines.push(basis(spread));
    lines.push(String::new());
    let short = |mut table: Table, last: usize| {
        table.columns.truncate(last);
        table.rows.iter_mut().for_each(|row| row.truncate(last));
        table.to_text()
    };
    lines.push(short(inputs_table(scenario, spread), 9));
    lines.push(plans_table(problem, spread).to_text());
    let all = inputs(scenario);
    for at in order(spread) {
        if let Some(input) = all.get(at) {
            let how = measure(scenario, input);
            lines.push(format!("{}, on {}:", input.label, how.on));
            if !how.command.is_empty() {
                lines.push(format!("  {}", how.command));
            }
            lines.push(format!("  {}", how.then));
        }
    }
    lines.join("\n") + "\n"
}

/// A spread with its scenario: what `--format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Documented<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Seed of the draws.
    pub seed: u32,
    /// The numbers that carry a range, in the order of `inputs`.
    pub ranges: Vec<Named>,
    /// Aggregated draws; times in seconds.
    #[serde(flatten)]
    pub spread: &'a Spread,
}

/// A number that carries a range, and how it is measured.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Named {
    /// Where its range is in the scenario.
    pub path: String,
    /// Label.
    pub label: String,
    /// Its unit.
    pub unit: &'static str,
    /// Where the command runs.
    pub on: String,
    /// The command that measures it.
    pub command: String,
    /// How its result becomes the field.
    pub then: String,
}

impl<'a> Documented<'a> {
    /// A spread and the scenario it is of.
    #[must_use]
    pub fn of(scenario: &'a Scenario, spread: &'a Spread, seed: u32) -> Self {
        let named = |input: &SpanInput| {
            let how = measure(scenario, input);
            Named {
                path: input.place.path(),
                label: input.label.clone(),
                unit: input.unit,
                on: how.on,
                command: how.command,
                then: how.then,
            }
        };
        Self {
            ranges: inputs(scenario).iter().map(named).collect(),
            scenario,
            seed,
            spread,
        }
    }
}
