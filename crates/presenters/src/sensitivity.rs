//! Sensitivity of any question, as text and as a table.

use super::cold_start::gains::{alternatives, as_table, from_to};
use document::list;
use document::{Cell, Table};
use engine::scenario::Any;
use engine::scenario::levers::LeverChange;
use engine::scenario::world::{FieldOwner, row_name};
use engine::units::InOrder;
use engine::units::{MINUS, NARROW, TimeFormat, rounded, seconds};
use planner::measure::{Headline, Reading, Unit, led};
use planner::sensitivity::{SensitivityEffect, SensitivityReport, SensitivityRow};
use serde::Serialize;

/// Decimals of a number that a reader sees.
const DECIMALS: usize = 4;

/// A value of the number that answers are led by, with its unit.
#[must_use]
pub fn format_value(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Seconds => seconds(value),
        Unit::PerSecond => {
            let number = rounded(value, 4).to_string();
            format!("{}{NARROW}/s", number.replace('-', &MINUS.to_string()))
        }
    }
}

/// How all values of a list are written: times in the unit of the longest.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    unit: Unit,
    time: TimeFormat,
}

impl Figures {
    /// Of a list.
    #[must_use]
    pub fn of(helps: &SensitivityReport) -> Self {
        let after = helps.gains.iter().filter_map(value_after);
        let before = helps.before.as_ref().and_then(|before| before.value);
        Self {
            unit: helps.headline.unit,
            time: TimeFormat::of_largest(after.chain(before).fold(0.0, f64::max)),
        }
    }

    /// A value with its unit.
    #[must_use]
    pub fn with_unit(self, value: f64) -> String {
        match self.unit {
            Unit::Seconds if value < 0.0 => format!("{MINUS}{}", self.time.with_unit(-value)),
            Unit::Seconds => self.time.with_unit(value),
            unit => format_value(unit, value),
        }
    }
}

/// Returns the objective after a change, if there is an answer.
#[must_use]
pub fn value_after(gain: &SensitivityRow) -> Option<f64> {
    gain.after.as_ref()?.as_ref().ok()?.value
}

/// The machine that a change is about; none of the network.
fn machine(helps: &SensitivityReport, gain: &SensitivityRow) -> Option<String> {
    let at = gain.change.row()?;
    Some(row_name(&helps.view.row_names(), at))
}

/// Names the improved quantity, for sentences: `compute`, `own link rate`.
fn noun(gain: &SensitivityRow) -> String {
    let noun = gain.change.number.map_or("", |(field, _)| field.noun);
    match gain.change.kind {
        LeverChange::Number(spot) if matches!(spot.owner, FieldOwner::Link(_)) => {
            format!("own {noun}")
        }
        _ => noun.to_owned(),
    }
}

/// Names a change: `D1 compute`, `One more like D1`, `Without D1`, `Network: latency`.
#[must_use]
pub fn subject(helps: &SensitivityReport, gain: &SensitivityRow) -> String {
    let names = helps.view.row_names();
    let noun = gain.change.number.map_or("", |(field, _)| field.noun);
    match gain.change.kind {
        LeverChange::Another(at) => format!("One more like {}", row_name(&names, at)),
        LeverChange::Without(at) => format!("Without {}", row_name(&names, at)),
        LeverChange::Number(spot) => spot.owner.label(&names, noun),
    }
}

/// Formats a change of a number: `165 to 206.25 TFLOPS`.
#[must_use]
pub fn values(gain: &SensitivityRow) -> Option<String> {
    let (from, to) = gain.values?;
    let (field, _) = gain.change.number?;
    Some(from_to(from, to, field.unit))
}

/// By how much a change makes the number better, or what it does else.
#[must_use]
pub fn better_by(helps: &SensitivityReport, gain: &SensitivityRow, figures: Figures) -> String {
    match helps.effect(gain) {
        SensitivityEffect::Moves(by) => figures.with_unit(by),
        SensitivityEffect::Answers => "then it fits".to_owned(),
        SensitivityEffect::AnswersNot => "does not fit".to_owned(),
        _ => "\u{2013}".to_owned(),
    }
}

/// How far what is said of a change goes.
#[must_use]
pub fn standing(helps: &SensitivityReport, gain: &SensitivityRow) -> &'static str {
    match helps.effect(gain) {
        SensitivityEffect::Moves(_) if helps.is_proved(gain) => "proved",
        SensitivityEffect::Moves(_) => "best found",
        SensitivityEffect::Answers => "then it fits",
        SensitivityEffect::AnswersNot => "does not fit",
        SensitivityEffect::Neither => "does not fit either way",
        SensitivityEffect::Cannot => "not possible",
        SensitivityEffect::Fails => "not solved",
        SensitivityEffect::Pending => "not computed",
    }
}

/// States the objective without a change.
#[must_use]
pub fn base(helps: &SensitivityReport) -> Option<String> {
    let before = helps.before.as_ref()?;
    let what = helps.headline.name;
    Some(match (before.value, &before.why) {
        (Some(value), _) => format!(
            "{what} without a change: {}.",
            format_value(helps.headline.unit, value)
        ),
        (None, Some(why)) => format!("{what} without a change: none, {why}."),
        (None, None) => format!("{what} without a change: none."),
    })
}

/// Returns the notes below the list, one sentence for each line: changes without effect, harmful ones, impossible ones, and the
/// value of each machine.
#[must_use]
pub fn foot(helps: &SensitivityReport) -> Vec<String> {
    let unit = helps.headline.unit;
    let is_loss = |gain: &&SensitivityRow| matches!(gain.change.kind, LeverChange::Without(_));
    let (losses, changes): (Vec<&SensitivityRow>, Vec<&SensitivityRow>) =
        helps.in_order().into_iter().partition(is_loss);
    let that = |wanted: &dyn Fn(SensitivityEffect) -> bool| -> Vec<&SensitivityRow> {
        let all = changes.iter().copied();
        all.filter(|gain| wanted(helps.effect(gain))).collect()
    };
    let mut lines = Vec::new();
    let useless = that(&|effect| {
        matches!(effect, SensitivityEffect::Neither) || effect == SensitivityEffect::Moves(0.0)
    });
    if !useless.is_empty() {
        lines.push(format!("No effect: {}.", by_kind(helps, &useless)));
    }
    let harmful = that(&|effect| matches!(effect, SensitivityEffect::Moves(by) if by < 0.0));
    if !harmful.is_empty() {
        lines.push(format!("Worse: {}.", by_kind(helps, &harmful)));
    }
    let unfit = that(&|effect| effect == SensitivityEffect::AnswersNot);
    if !unfit.is_empty() {
        lines.push(format!("Does not fit with: {}.", by_kind(helps, &unfit)));
    }
    for gain in &helps.gains {
        let why = match (&gain.obstacle, &gain.after) {
            (Some(obstacle), _) => obstacle.to_string(),
            (None, Some(Err(fault))) => fault.clone(),
            _ => continue,
        };
        lines.push(format!("Not tried: {}: {why}.", subject(helps, gain)));
    }
    let names = |gains: &[&SensitivityRow]| -> Vec<String> {
        let names = gains.iter().filter_map(|gain| machine(helps, gain));
        names.collect()
    };
    let lost = |wanted: &dyn Fn(SensitivityEffect) -> bool| -> Vec<&SensitivityRow> {
        let all = losses.iter().copied();
        all.filter(|gain| wanted(helps.effect(gain))).collect()
    };
    let missed = lost(&|effect| effect == SensitivityEffect::AnswersNot);
    if !missed.is_empty() {
        lines.push(format!(
            "Without {} it does not fit.",
            alternatives(&names(&missed))
        ));
    }
    let moved = lost(&|effect| matches!(effect, SensitivityEffect::Moves(by) if by != 0.0));
    if !moved.is_empty() {
        let each = moved.iter().map(|gain| {
            let name = machine(helps, gain).unwrap_or_default();
            match helps.effect(gain) {
                SensitivityEffect::Moves(by) if by < 0.0 => {
                    format!("{name} {} worse", format_value(unit, -by))
                }
                SensitivityEffect::Moves(by) => format!("{name} {} better", format_value(unit, by)),
                _ => name,
            }
        });
        let each: Vec<String> = each.collect();
        lines.push(format!("Without one machine: {}.", each.join(", ")));
    }
    let same = lost(&|effect| effect == SensitivityEffect::Moves(0.0));
    if !same.is_empty() {
        lines.push(format!(
            "Without {} it stays the same.",
            alternatives(&names(&same))
        ));
    }
    let led = led(&helps.view.scenario);
    let notes = [led.note(), led.note_of_machines()];
    lines.extend(notes.into_iter().flatten().map(str::to_owned));
    lines
}

/// Changes with their machines: `compute of D1 and D2; one more like D1; network latency`.
fn by_kind(helps: &SensitivityReport, gains: &[&SensitivityRow]) -> String {
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    let mut ordered = gains.to_vec();
    ordered.in_order_of(|gain| gain.at);
    for gain in ordered {
        let kind = match gain.change.kind {
            LeverChange::Another(_) => "one more like".to_owned(),
            LeverChange::Without(_) => "without".to_owned(),
            LeverChange::Number(_) if gain.change.row().is_some() => format!("{} of", noun(gain)),
            LeverChange::Number(_) => format!("network: {}", noun(gain)),
        };
        let name = machine(helps, gain);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.extend(name),
            None => kinds.push((kind, name.into_iter().collect())),
        }
    }
    let on = helps
        .view
        .row_names()
        .iter()
        .filter(|(_, off)| !off)
        .count();
    let items = kinds.iter().map(|(kind, names)| match names.len() {
        0 => kind.clone(),
        many if many == on && many > 1 => {
            let any = if kind.ends_with("like") {
                "any"
            } else {
                "every machine"
            };
            format!("{kind} {any}")
        }
        _ if kind.ends_with("of") => format!("{kind} {}", list(names)),
        _ => format!("{kind} {}", alternatives(names)),
    });
    items.collect::<Vec<_>>().join("; ")
}

/// All changes, the most helpful first, then what each machine is worth.
#[must_use]
pub fn table(helps: &SensitivityReport) -> Table {
    let Headline {
        name: what, unit, ..
    } = helps.headline;
    let columns = [
        ("machine", "machine".to_owned(), ""),
        ("change", "change".to_owned(), ""),
        ("field", "field".to_owned(), ""),
        ("from", "from".to_owned(), ""),
        ("to", "to".to_owned(), ""),
        ("unit", "unit".to_owned(), ""),
        ("before", format!("{what} before"), unit.symbol()),
        ("after", format!("{what} then"), unit.symbol()),
        ("better_by", "better by".to_owned(), unit.symbol()),
        ("status", "status".to_owned(), ""),
        ("note", "note".to_owned(), ""),
    ];
    let number = |value: Option<f64>| match value {
        Some(value) => Cell::text(value.to_string()),
        None => Cell::Missing,
    };
    let rows = rows(helps).into_iter().map(|row| {
        vec![
            row.name.map_or(Cell::Missing, Cell::Text),
            Cell::text(row.change),
            row.field.map_or(Cell::Missing, Cell::text),
            number(row.from),
            number(row.to),
            row.unit.map_or(Cell::Missing, Cell::text),
            Cell::maybe(row.before, DECIMALS),
            Cell::maybe(row.after, DECIMALS),
            Cell::maybe(row.better_by, DECIMALS),
            Cell::text(row.status),
            row.note.map_or(Cell::Missing, Cell::Text),
        ]
    });
    as_table(columns, rows.collect())
}

/// The content of `--format json` for all questions but cold start: the changes that help, with the scenario.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The scenario.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(with = "serde_json::Value"))]
    pub scenario: &'a Any,
    /// By how much numbers are improved [%].
    pub by_pct: f64,
    /// Objective that ranks the changes.
    pub what: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Objective without a change.
    pub before: Option<&'a Reading>,
    /// The changes, the most helpful first.
    pub gains: Vec<Row>,
}

impl<'a> Document<'a> {
    /// The document of what was found.
    #[must_use]
    pub fn of(helps: &'a SensitivityReport) -> Self {
        Self {
            scenario: &helps.view.scenario,
            by_pct: helps.by_pct,
            what: helps.headline.name,
            unit: helps.headline.unit.symbol(),
            before: helps.before.as_ref(),
            gains: rows(helps),
        }
    }
}

/// A change as a row of a file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Row {
    /// The machine, by its place in the scenario, from 0; none of the network.
    pub machine: Option<usize>,
    /// Its name.
    pub name: Option<String>,
    /// Improved quantity, `another` or `without`.
    pub change: String,
    /// The field that is edited.
    pub field: Option<&'static str>,
    /// Value before.
    pub from: Option<f64>,
    /// Value after.
    pub to: Option<f64>,
    /// The unit of both.
    pub unit: Option<&'static str>,
    /// The number that changes are ranked by, before.
    pub before: Option<f64>,
    /// Objective after.
    pub after: Option<f64>,
    /// By how much it gets better.
    pub better_by: Option<f64>,
    /// How far the claim goes, in words.
    pub status: &'static str,
    /// Why the change cannot be made, or why there is no answer then.
    pub note: Option<String>,
}

fn rows(helps: &SensitivityReport) -> Vec<Row> {
    let row = |gain: &SensitivityRow| {
        let field = gain.change.number.map(|(field, _)| field);
        let after = gain.after.as_ref();
        let why = after.and_then(|after| match after {
            Ok(reading) => reading.why.clone(),
            Err(fault) => Some(fault.clone()),
        });
        Row {
            machine: gain.change.row(),
            name: machine(helps, gain),
            change: match gain.change.kind {
                LeverChange::Number(_) => noun(gain),
                LeverChange::Another(_) => "another".to_owned(),
                LeverChange::Without(_) => "without".to_owned(),
            },
            field: field.map(|field| field.key),
            from: gain.values.map(|values| values.0),
            to: gain.values.map(|values| values.1),
            unit: field.map(|field| field.unit),
            before: helps.before.as_ref().and_then(|before| before.value),
            after: value_after(gain),
            better_by: match helps.effect(gain) {
                SensitivityEffect::Moves(by) => Some(by),
                _ => None,
            },
            status: standing(helps, gain),
            note: gain.obstacle.as_ref().map(ToString::to_string).or(why),
        }
    };
    helps.in_order().into_iter().map(row).collect()
}

/// Sentences and a table for a terminal, without the link at its end.
#[must_use]
pub fn text(helps: &SensitivityReport) -> String {
    let title = helps.view.scenario.title();
    let mut lines = vec![format!(
        "{title}: what {} % more of a single resource would gain",
        helps.by_pct
    )];
    lines.extend(base(helps));
    lines.push(String::new());
    let figures = Figures::of(helps);
    let order = helps.in_order().into_iter();
    let is_gain = |gain: &&SensitivityRow| {
        !matches!(gain.change.kind, LeverChange::Without(_)) && helps.is_help(gain)
    };
    let helpful: Vec<&SensitivityRow> = order.filter(is_gain).collect();
    if !helpful.is_empty() {
        lines.push(format!(
            "{:<34}{:<32}{:>12}  {}",
            "change", "value", "then", "better by"
        ));
    }
    for gain in helpful {
        let then = value_after(gain);
        lines.push(format!(
            "{:<34}{:<32}{:>12}  {}",
            subject(helps, gain),
            values(gain).unwrap_or_default(),
            then.map_or_else(|| "\u{2013}".to_owned(), |then| figures.with_unit(then)),
            better_by(helps, gain, figures),
        ));
    }
    lines.push(String::new());
    lines.extend(foot(helps));
    lines.join("\n")
}
