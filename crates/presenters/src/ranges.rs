//! Ranges in the place of points, for any question, in words and tables: what the draws of [`planner::ranges`] come to.

use super::sensitivity::format_value;
use document::Sentence;
use document::{Cell, Table, TableColumn};
use engine::scenario::Any;
use engine::units::{InOrder, NARROW, percent};
use planner::measure::{Reading, Unit, led};
use planner::ranges::{RangeInput, RangeSpread};
use serde::Serialize;

/// Decimals of a number that a reader sees.
const DECIMALS: usize = 4;
/// Shares of the spread below this are not worth a word.
const LEAST_SHARE: f64 = 0.01;

/// Names a number with a range: `D1 disk`.
#[must_use]
pub fn label(spread: &RangeSpread, input: &RangeInput) -> String {
    let (known, names) = (&input.number, spread.view.row_names());
    known.location.owner.label(&names, known.field.noun)
}

/// The numbers that carry a range, those first with which most of the spread goes; ties in their own order.
#[must_use]
pub fn order(spread: &RangeSpread) -> Vec<&RangeInput> {
    let mut all: Vec<(usize, &RangeInput)> = spread.inputs.iter().enumerate().collect();
    let share = |input: &RangeInput| input.share.unwrap_or(0.0);
    all.in_order_by(|a, b| share(b.1).total_cmp(&share(a.1)).then(a.0.cmp(&b.0)));
    all.into_iter().map(|(_, input)| input).collect()
}

/// Summarises the draws in a few sentences.
#[must_use]
pub fn summary(spread: &RangeSpread) -> Sentence {
    let unit = spread.headline.unit;
    let what = spread.headline.name;
    let (Some(median), Some(p5), Some(p95)) = (spread.median, spread.p5, spread.p95) else {
        return Sentence::default().plain(match spread.draws {
            0 => "No draw has been solved yet.",
            _ => "Nothing fits in any draw.",
        });
    };
    let mut said = Sentence::default().plain(format!("{what}: median "));
    said = said.strong(format_value(unit, median));
    said = if format_value(unit, p5) == format_value(unit, p95) {
        said.plain(format!(
            ", and 90{NARROW}% of draws agree to the digits shown. "
        ))
    } else {
        said.plain(", 90")
            .plain(format!("{NARROW}% of draws between "))
            .strong(format_value(unit, p5))
            .plain(" and ")
            .strong(format_value(unit, p95))
            .plain(". ")
    };
    if let Some(value) = spread.at_values.as_ref().and_then(|reading| reading.value) {
        said = said.plain(format!(
            "With the values as given: {}. ",
            format_value(unit, value)
        ));
    }
    if spread.unanswered > 0 {
        let share = 100.0 * spread.unanswered as f64 / spread.draws as f64;
        said = said
            .plain("Nothing fits in ")
            .strong(percent(share, 1))
            .plain(" of the draws. ");
    }
    let first = order(spread).into_iter().next();
    match first.and_then(|input| Some((input, input.share?))) {
        Some((input, share)) if share >= LEAST_SHARE => {
            said.strong(label(spread, input)).plain(format!(
                " explains about {} of the spread.",
                percent(100.0 * share, 0)
            ))
        }
        Some(_) if spread.quantiles.first() == spread.quantiles.last() => {
            said.plain("None of the ranges matters.")
        }
        _ => said,
    }
}

/// How the figures came about.
#[must_use]
pub fn basis(spread: &RangeSpread) -> String {
    let mut said = format!(
        "Each range is drawn uniformly between its ends, independently of the others; {} draws, each planned anew, as if its numbers \
         were known beforehand. Shares of the spread are estimates from these draws; 0 means that drawing the number again changed \
         nothing.",
        spread.draws
    );
    if let Some(note) = led(&spread.view.scenario).note() {
        said += " ";
        said += note;
    }
    said
}

/// The numbers that carry a range, most of the spread first.
#[must_use]
pub fn table(spread: &RangeSpread) -> Table {
    let columns = [
        ("input", "input", ""),
        ("value", "value", ""),
        ("low", "low", ""),
        ("high", "high", ""),
        ("unit", "unit", ""),
        ("share_pct", "share of the spread", "%"),
    ];
    let number = |value: f64| Cell::text(value.to_string());
    let rows = order(spread).into_iter().map(|input| {
        vec![
            Cell::text(label(spread, input)),
            number(input.number.value),
            number(input.span.low),
            number(input.span.high),
            Cell::text(input.number.field.unit),
            Cell::maybe(input.share.map(|share| 100.0 * share), 1),
        ]
    });
    Table {
        name: "ranges",
        title: "Numbers with a range, and how much of the spread each explains".to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}

/// The distribution: within which value which share of the draws stay.
#[must_use]
pub fn quantiles(spread: &RangeSpread) -> Table {
    let last = spread.quantiles.len().saturating_sub(1).max(1) as f64;
    let row = |(at, value): (usize, &f64)| {
        vec![
            Cell::Number(100.0 * at as f64 / last, 1),
            Cell::Number(*value, DECIMALS),
        ]
    };
    let what = spread.headline.name;
    Table {
        name: "draws",
        title: format!("{what} over the draws"),
        columns: vec![
            TableColumn::new("share_pct", "share of draws", "%"),
            TableColumn::new(
                "at_most",
                format!("{what} at most"),
                spread.headline.unit.symbol(),
            ),
        ],
        rows: spread.quantiles.iter().enumerate().map(row).collect(),
    }
}

/// Everything for a terminal.
#[must_use]
pub fn text(spread: &RangeSpread) -> String {
    let title = spread.view.scenario.title();
    let lines = [
        title.to_owned(),
        summary(spread).to_string(),
        basis(spread),
        String::new(),
        table(spread).to_text(),
    ];
    lines.join("\n")
}

/// A spread with its scenario: what `--format json` prints of a question that is no cold start.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The scenario with the values as given.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "serde_json::Value"))]
    pub scenario: &'a Any,
    /// Seed of the draws.
    pub seed: u32,
    /// Objective.
    pub what: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Value at the typed numbers.
    pub at_values: Option<&'a Reading>,
    /// How many draws there were.
    pub draws: usize,
    /// In how many of them nothing fits.
    pub unanswered: usize,
    /// The median over the others.
    pub median: Option<f64>,
    /// The 5th percentile.
    pub p5: Option<f64>,
    /// The 95th percentile.
    pub p95: Option<f64>,
    /// The number as quantiles at equal steps of their share, from least to greatest.
    pub quantiles: &'a [f64],
    /// The numbers that carry a range.
    pub ranges: Vec<Ranged>,
}

/// A number that carries a range.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Ranged {
    /// Label.
    pub label: String,
    /// Its field.
    pub field: &'static str,
    /// Its value.
    pub value: f64,
    /// The low end of its range.
    pub low: f64,
    /// The high end.
    pub high: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The share of the variance that it explains on its own.
    pub share: Option<f64>,
}

impl<'a> Document<'a> {
    /// The document of a spread.
    #[must_use]
    pub fn of(spread: &'a RangeSpread, seed: u32) -> Self {
        let ranged = |input: &RangeInput| Ranged {
            label: label(spread, input),
            field: input.number.field.key,
            value: input.number.value,
            low: input.span.low,
            high: input.span.high,
            unit: input.number.field.unit,
            share: input.share,
        };
        let unit: Unit = spread.headline.unit;
        Self {
            scenario: &spread.view.scenario,
            seed,
            what: spread.headline.name,
            unit: unit.symbol(),
            at_values: spread.at_values.as_ref(),
            draws: spread.draws,
            unanswered: spread.unanswered,
            median: spread.median,
            p5: spread.p5,
            p95: spread.p95,
            quantiles: &spread.quantiles,
            ranges: spread.inputs.iter().map(ranged).collect(),
        }
    }
}
