//! Comparison of several answers, as an answer view of its own.

use super::block::{Chart, Section, Story};
use super::quantity::Quantity;
use super::sentence::{Sentence, counted, list};
use super::table::{Cell, Table};
use super::{Input, Unit};
use chart::ChartSpec;

/// The most answers that are compared at once.
pub const MOST: usize = 3;

/// Names of the compared answers, in order.
pub const NAMES: [&str; MOST] = ["A", "B", "C"];

/// Relative differences below this are what rounding leaves: the numbers count as the same.
const SAME: f64 = 1e-12;

/// The differences between two or three answers: inputs, quantities with difference and ratio to the first, charts on common
/// axes. `link` opens all of them side by side.
///
/// # Complexity
/// O(inputs² + quantities²) in the number of each, which are tens to hundreds.
#[must_use]
pub fn compared(all: &[&Story], link: String) -> Story {
    let named: Vec<(&str, &Story)> = NAMES.into_iter().zip(all.iter().copied()).collect();
    let mut sections = vec![Section::new("answers", "Answers").and(headlines(&named))];
    let inputs = inputs(&named);
    let inputs_section = Section::new("inputs-differ", "Inputs that differ");
    sections.push(match inputs.rows.is_empty() {
        true => inputs_section
            .with(Sentence::default().plain("None: the scenarios hold the same numbers.")),
        false => inputs_section.with(inputs),
    });
    let quantities = quantities(&named);
    let quantities_section = Section::new("quantities-differ", "Quantities");
    sections.push(match quantities.rows.is_empty() {
        true => quantities_section
            .with(Sentence::default().plain("The answers have no quantity in common.")),
        false => quantities_section.with(quantities),
    });
    let charts: Vec<Chart> = charts(&named);
    if !charts.is_empty() {
        sections.push(Section::new("charts-differ", "Charts on common axes").and(charts));
    }
    let of = |part: fn(&Story) -> &str| {
        all.first()
            .map(|story| part(story).to_owned())
            .unwrap_or_default()
    };
    let titles: Vec<&str> = all.iter().map(|story| story.title.as_str()).collect();
    Story {
        columns: Vec::new(),
        question: of(|story| &story.question),
        question_text: "What differs?".to_owned(),
        title: format!("{} compared", list(&titles)),
        about: named
            .iter()
            .map(|(name, story)| format!("{name}: {}, {}", story.title, story.about.join(" ")))
            .collect(),
        sections,
        inputs: Vec::new(),
        papers: all
            .first()
            .map(|story| story.papers.clone())
            .unwrap_or_default(),
        link,
    }
}

/// The headlines.
fn headlines(named: &[(&str, &Story)]) -> Vec<Sentence> {
    let each = named
        .iter()
        .filter_map(|(name, story)| Some((name, story.verdict()?)));
    let sentences = each.map(|(name, words)| {
        let said = Sentence::default().plain(format!("{name}: "));
        said.followed(words.headline.clone())
            .plain(format!(" ({})", words.proof))
    });
    sentences.collect()
}

/// A row for every input that is not the same in all.
fn inputs(named: &[(&str, &Story)]) -> Table {
    // Names may be given twice: the n-th of one name is the n-th of the other.
    let keyed = |story: &Story| {
        let mut found: Vec<(String, String, usize)> = Vec::new();
        for input in &story.inputs {
            let nth = found
                .iter()
                .filter(|(of, key, _)| *of == input.of && *key == input.key)
                .count();
            found.push((input.of.clone(), input.key.clone(), nth));
        }
        found
    };
    let keys: Vec<_> = named.iter().map(|(_, story)| keyed(story)).collect();
    let mut order: Vec<&(String, String, usize)> = Vec::new();
    for key in keys.iter().flatten() {
        if !order.contains(&key) {
            order.push(key);
        }
    }
    let found = |n: usize, key: &(String, String, usize)| -> Option<&Input> {
        let at = keys[n].iter().position(|other| other == key)?;
        named[n].1.inputs.get(at)
    };
    let row = |key: &(String, String, usize)| {
        let values: Vec<Option<&Input>> = (0..named.len()).map(|n| found(n, key)).collect();
        let first = values[0].map(|input| &input.value);
        if values
            .iter()
            .all(|input| input.map(|input| &input.value) == first)
        {
            return None;
        }
        let known = values.iter().flatten().next()?;
        let cells = values
            .iter()
            .map(|input| input.map_or(Cell::Missing, |input| Cell::text(input.value.clone())));
        let head = [Cell::text(known.what.clone()), Cell::text(known.of.clone())];
        Some(head.into_iter().chain(cells).collect())
    };
    let mut columns = vec![("what", "input", ""), ("of", "of", "")];
    columns.extend(named.iter().map(|(name, _)| match *name {
        "A" => ("a", "A", ""),
        "B" => ("b", "B", ""),
        _ => ("c", "C", ""),
    }));
    let rows: Vec<Vec<Cell>> = order.into_iter().filter_map(row).collect();
    let title = counted(rows.len(), "input differs", "inputs differ");
    Table::new("inputs", title, &columns, rows)
}

/// A row for every quantity that at least two have: its values, and difference and ratio of each to the first.
fn quantities(named: &[(&str, &Story)]) -> Table {
    let all: Vec<Vec<&Quantity>> = named
        .iter()
        .map(|(_, story)| story.quantities().collect())
        .collect();
    let mut order: Vec<(&str, Unit)> = Vec::new();
    for one in all.iter().flatten() {
        if !order.contains(&(&one.key, one.unit)) {
            order.push((&one.key, one.unit));
        }
    }
    let mut columns = vec![("quantity", "quantity", ""), ("a", "A", "")];
    columns.extend([
        ("b", "B", ""),
        ("b_difference", "B \u{2212} A", ""),
        ("b_ratio", "B / A", ""),
    ]);
    if named.len() > 2 {
        columns.extend([
            ("c", "C", ""),
            ("c_difference", "C \u{2212} A", ""),
            ("c_ratio", "C / A", ""),
        ]);
    }
    let row = |(key, unit): (&str, Unit)| {
        let of = |n: usize| {
            all[n]
                .iter()
                .find(|one| one.key == key && one.unit == unit)
                .copied()
        };
        let found: Vec<Option<&Quantity>> = (0..named.len()).map(of).collect();
        if found.iter().flatten().count() < 2 {
            return None;
        }
        let name = found.iter().flatten().next()?.name.clone();
        let shown =
            |one: Option<&Quantity>| one.map_or(Cell::Missing, |one| Cell::text(one.text()));
        let mut cells = vec![Cell::text(name), shown(found[0])];
        for other in &found[1..] {
            cells.push(shown(*other));
            let both = found[0].zip(*other).map(|(a, b)| (a.value, b.value));
            let both = both.filter(|(a, b)| a.is_finite() && b.is_finite());
            cells.push(both.map_or(Cell::Missing, |(a, b)| Cell::text(difference(a, b, unit))));
            let ratio = both.filter(|(a, _)| *a != 0.0).map(|(a, b)| b / a);
            cells.push(Cell::maybe(ratio, 3));
        }
        Some(cells)
    };
    let rows = order.into_iter().filter_map(row).collect();
    Table::new("quantities", "Differences and ratios to A", &columns, rows)
}

fn difference(a: f64, b: f64, unit: Unit) -> String {
    let apart = b - a;
    if apart.abs() <= SAME * a.abs().max(b.abs()) {
        return "0".to_owned();
    }
    let sign = if apart < 0.0 { '\u{2212}' } else { '+' };
    format!("{sign}{}", unit.format(apart.abs()))
}

/// Charts that all have, each kind on common axes.
fn charts(named: &[(&str, &Story)]) -> Vec<Chart> {
    let Some((_, first)) = named.first() else {
        return Vec::new();
    };
    let together = |chart: &Chart| {
        let same = named.iter().map(|(name, story)| {
            let found = story.charts().find(|other| other.id == chart.id)?;
            Some(((*name).to_owned(), ChartSpec::clone(&found.drawing)))
        });
        let same = same.collect::<Option<Vec<_>>>()?;
        let drawing = ChartSpec::together(same)?;
        Some(Chart::new(chart.id, chart.title.clone(), drawing))
    };
    first.charts().filter_map(together).collect()
}
