//! The rules of other tools, as text and as a table: what they do, which runtimes use them, what they optimise.

use super::is_whole;
use super::tables::route;
use document::list;
use document::{Cell, Table, TableColumn};
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::bytes;
use planner::cold_start_rules::{Measured, Overflow, Rule, RuleAnswer, Rules};

/// Decimals of a time in seconds that a reader sees.
const S: usize = 4;
/// Times that differ by less than this share differ by rounding alone.
const SAME: f64 = 1e-9;
/// Decimals of a ratio.
const TIMES: usize = 2;

/// Explanation of the figures of the rules.
pub const SAME_REFEREE: &str = "The same referee scores all. Slowest stage: transfer and computing of one prompt with all weights \
                                loaded, the interval between prompts in steady state.";

/// Returns the notes that the figures need, as far as they apply to these.
#[must_use]
pub fn other_objectives(rules: &Rules) -> String {
    let mut said = "These rules have other goals: that the model fits, or the throughput of a steady stream of prompts. Their \
                    engines also overlap loading, transfers and computing in ways that this formula does not."
        .to_owned();
    let Some(ours) = &rules.ours else {
        return said;
    };
    let measured = || rules.rules.iter().filter_map(|row| row.measured.as_ref());
    let fitting = || measured().filter(|other| other.fits());
    if fitting().any(|other| other.objective > ours.objective * (1.0 + SAME)) {
        said += " A later answer is the price of another goal, not a fault.";
    }
    if fitting().any(|other| other.T < ours.T * (1.0 - SAME)) {
        said += " Some have the earlier first answer, because this scenario has another goal.";
    }
    if fitting().any(|other| other.period < ours.period * (1.0 - SAME)) {
        said += " In a steady stream, rules with a shorter slowest stage than Edgewise have the higher throughput.";
    }
    said
}

/// Returns the name of a rule.
#[must_use]
pub const fn title(rule: Rule) -> &'static str {
    match rule {
        Rule::EqualSplit => "Equal split",
        Rule::ByMemory => "In proportion to memory",
        Rule::ByCompute => "In proportion to compute",
        Rule::Bottleneck => "Bottleneck-optimal",
    }
}

/// Describes a rule and the runtimes that use it by default.
#[must_use]
pub const fn about(rule: Rule) -> &'static str {
    match rule {
        Rule::EqualSplit => {
            "As many layers on each device, the left-over ones on the first. vLLM\u{2019}s pipeline splits evenly by default, \
             with the left-over layers in the middle stages."
        }
        Rule::ByMemory => {
            "Layers in proportion to memory, rounded by largest remainder. exo shares out by free memory, llama.cpp by the free \
             memory of its devices, by default."
        }
        Rule::ByCompute => {
            "Layers in proportion to effective compute at this prompt, rounded by largest remainder. Parallax fills its \
             pipelines by compute after it has chosen their devices."
        }
        Rule::Bottleneck => {
            "The slowest stage of a steady pipeline as quick as can be, exactly and within the memories; of such plans the one \
             that answers first. PipeEdge\u{2019}s scheduler aims at the slowest stage or link."
        }
    }
}

/// The rules by what they do, one row each.
#[must_use]
pub fn rules_table() -> Table {
    let row = |rule: Rule| vec![Cell::text(title(rule)), Cell::text(about(rule))];
    Table::new(
        "rules",
        "What the rules do, and who has them",
        &[("rule", "rule", ""), ("about", "what it does", "")],
        Rule::ALL.map(row).into(),
    )
}

/// Names the plan that a rule repeats: `the same plan as Even`.
#[must_use]
pub fn same_as(row: &RuleAnswer) -> Option<String> {
    let name = match row.same_as.as_deref()? {
        "edgewise" => "ours",
        "ordered" => "the best cuts in strength order",
        "single" => "everything on the strongest device",
        "even" => "Even above",
        "heuristic" => "Heuristic above",
        key => Rule::ALL
            .into_iter()
            .find(|rule| rule.key() == key)
            .map_or(key, |rule| title(rule)),
    };
    Some(format!("the same plan as {name}"))
}

/// Which devices a plan overflows, and by how much; nothing where it fits.
#[must_use]
pub fn overflow(problem: &ColdStart, measured: &Measured) -> Option<String> {
    let each = |o: &Overflow| {
        let name = device_name(problem, o.device);
        format!("{name} by {}", bytes(o.need - o.have))
    };
    let all: Vec<String> = measured.overflows.iter().map(each).collect();
    (!all.is_empty()).then(|| format!("overflows {}", list(&all)))
}

/// `1.41 ×`.
#[must_use]
pub fn times(ratio: f64) -> String {
    format!("{ratio:.TIMES$}\u{202f}×")
}

/// The rules, one row each, ours first.
#[must_use]
pub fn table(problem: &ColdStart, rules: &Rules) -> Table {
    let columns = [
        ("rule", "rule", ""),
        ("layers", "layers", ""),
        ("first_answer_s", "first answer", "s"),
        ("whole_answer_s", "whole answer", "s"),
        ("times_ours", "× Edgewise", ""),
        ("slowest_stage_s", "slowest stage", "s"),
        ("times_least", "× best", ""),
        ("fits", "fits its memory", ""),
        ("note", "note", ""),
    ];
    let has_whole = is_whole(problem);
    let columns = (columns.into_iter()).filter(|(key, ..)| has_whole || *key != "whole_answer_s");
    let cells = |name: &str, m: Option<&Measured>, ours, least, note: Option<String>| {
        let mut cells = vec![
            Cell::text(name),
            m.map_or(Cell::Missing, |m| Cell::Text(route(problem, &m.plan))),
            Cell::maybe(m.map(|m| m.T), S),
        ];
        cells.extend(has_whole.then(|| Cell::maybe(m.map(|m| m.objective), S)));
        cells.extend([
            Cell::maybe(ours, TIMES),
            Cell::maybe(m.map(|m| m.period), S),
            Cell::maybe(least, TIMES),
            m.map_or(Cell::Missing, |m| {
                Cell::text(if m.fits() { "yes" } else { "no" })
            }),
            note.map_or(Cell::Missing, Cell::Text),
        ]);
        cells
    };
    let ours = rules.ours.as_ref().map(|ours| {
        let least = rules.ours_times_least_period;
        cells("Edgewise", Some(ours), Some(1.0), least, None)
    });
    let others = rules.rules.iter().map(|row| {
        cells(
            title(row.rule),
            row.measured.as_ref(),
            row.times_ours,
            row.times_least_period,
            note(problem, row),
        )
    });
    Table {
        name: "other-rules",
        title: "What other rules would do on this fleet, by two objectives".to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .collect(),
        rows: ours.into_iter().chain(others).collect(),
    }
}

/// Returns the note of a row: the plan it repeats, the memory it exceeds, or why it is left out.
#[must_use]
pub fn note(problem: &ColdStart, row: &RuleAnswer) -> Option<String> {
    let overflow = row.measured.as_ref().and_then(|m| overflow(problem, m));
    let left_out = row.left_out.map(|reason| format!("left out: {reason}"));
    let all: Vec<String> = [same_as(row), overflow, left_out]
        .into_iter()
        .flatten()
        .collect();
    (!all.is_empty()).then(|| all.join("; "))
}
