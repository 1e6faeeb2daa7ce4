//! Sensitivity of a cold start, as text and as a table.

use document::list;
use document::{Cell, Table, TableColumn};
use engine::scenario::{Scenario, fields};
use engine::units::InOrder;
use engine::units::{MINUS, NARROW, TimeFormat, count, seconds};
use planner::Status;
use planner::cold_start_gains::{
    ColdStartGain, GainEffect, GainVerdict, Known, ResourceChange, improvements, losses,
};
use planner::cold_start_rules::Rules;
use planner::cold_start_shorter::{Length, Shorter};
use serde::Serialize;

/// Decimals of a time in seconds that a reader sees.
const S: usize = 4;

/// The name of a device by its place in the fleet, or its place where it has none.
#[must_use]
pub fn name_at(scenario: &Scenario, place: usize) -> String {
    let name = scenario.devices.get(place).map(|device| device.name.trim());
    match name {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("D{}", place + 1),
    }
}

/// Returns the name and unit of a length that would have to be shorter.
#[must_use]
pub const fn shorter_name(what: Length) -> &'static str {
    match what {
        Length::Prompt => "Prompt, tokens",
        Length::Answer => "Answer, tokens",
        Length::Requests => "Requests at once",
    }
}

/// Describes, in a sentence each, the largest prompt, answer or number of requests that fits.
#[must_use]
pub fn shorter_words(shorter: &[Shorter]) -> Vec<String> {
    let word = |s: &Shorter| {
        let (to, from) = (count(s.to), count(s.from));
        let what = match s.what {
            Length::Prompt => format!("A prompt of {to} tokens instead of {from} fits"),
            Length::Answer => format!("An answer of {to} tokens instead of {from} fits"),
            Length::Requests => format!("{to} at once instead of {from} fit"),
        };
        match s.T {
            Some(total) => format!("{what}: first answer then in {}.", seconds(total)),
            None => format!("{what}."),
        }
    };
    shorter.iter().map(word).collect()
}

/// Names a change: `D1 compute`, `One more like D1`, `Without D1`.
#[must_use]
pub fn subject(scenario: &Scenario, gain: &ColdStartGain) -> String {
    let name = name_at(scenario, gain.change.device);
    match gain.change.what {
        ResourceChange::More(resource) => format!("{name} {}", resource.name()),
        ResourceChange::Another => format!("One more like {name}"),
        ResourceChange::Without => format!("Without {name}"),
    }
}

/// The values of the field that is edited: `165 to 206.25 TFLOPS`; nothing where no field is.
#[must_use]
pub fn values(gain: &ColdStartGain) -> Option<String> {
    let (from, to) = gain.values?;
    let ResourceChange::More(resource) = gain.change.what else {
        return None;
    };
    let unit = fields::of(resource.field()).map_or("", |range| range.unit);
    Some(from_to(from, to, unit))
}

/// Formats a change of a number with its unit: `165 to 206.25 TFLOPS`.
pub(crate) fn from_to(from: f64, to: f64, unit: &str) -> String {
    let signed = |value: f64| value.to_string().replace('-', &MINUS.to_string());
    let saving = format!("{} to {}{NARROW}{unit}", signed(from), signed(to));
    saving.trim_end_matches(NARROW).to_owned()
}

/// Returns one word for whether the time that a change saves is proven, found or unknown.
#[must_use]
pub fn standing(gain: &ColdStartGain) -> &'static str {
    match gain.effect {
        GainEffect::Moves {
            least,
            most: Some(most),
            ..
        } if least == most => "proved",
        GainEffect::Moves { .. } => "best found",
        GainEffect::Fits
            if gain
                .after
                .is_some_and(|after| after.status == Status::Optimal) =>
        {
            "then it fits, proved"
        }
        GainEffect::Fits => "then it fits, best found",
        GainEffect::FitsNot => "does not fit, proved",
        GainEffect::Open => "no plan found, none ruled out",
        GainEffect::Cannot => "not possible",
        GainEffect::LeftOut => "left out: the solver stopped at it twice",
        GainEffect::Pending => "not computed",
    }
}

/// Seconds sooner or later, with what is proved of that: `0.214 s`, `0.214 s, 0.1 to 0.3 s proved`.
#[must_use]
pub fn sooner(gain: &ColdStartGain, unit: TimeFormat) -> String {
    let signed = |s: f64| {
        let sign = if s < 0.0 {
            MINUS.to_string()
        } else {
            String::new()
        };
        format!("{sign}{}", unit.with_unit(s.abs()))
    };
    let GainEffect::Moves { saved, least, most } = gain.effect else {
        return match gain.effect {
            GainEffect::Fits => "then it fits".to_owned(),
            GainEffect::FitsNot => "does not fit".to_owned(),
            _ => "\u{2013}".to_owned(),
        };
    };
    let saving = signed(saved);
    match most {
        Some(most) if least == most => saving,
        Some(most) if least.is_finite() => {
            format!("{saving}; proved: {} to {}", signed(least), signed(most))
        }
        Some(most) => format!("{saving}; proved: at most {}", signed(most)),
        None => format!("{saving}; proved: at least {}", signed(least)),
    }
}

/// The unit of all times of a list: that of the longest.
#[must_use]
pub fn unit_of(before: &Known, gains: &[ColdStartGain]) -> TimeFormat {
    let after = gains.iter().filter_map(|gain| gain.after?.objective);
    TimeFormat::of_largest(after.chain(before.objective).fold(0.0, f64::max))
}

/// Returns the notes below the list, one sentence for each line: changes that do not help, are unsettled or cannot be made, and
/// the value of each device.
#[must_use]
pub fn foot(scenario: &Scenario, before: &Known, gains: &[ColdStartGain]) -> Vec<String> {
    let unit = unit_of(before, gains);
    let better: Vec<&ColdStartGain> = improvements(gains);
    let helps = better.iter().any(|gain| is_shown(gain, unit));
    let of = |verdict: GainVerdict| -> Vec<&ColdStartGain> {
        let mut of: Vec<&ColdStartGain> = gains.iter().filter(|gain| !gain.is_loss()).collect();
        of.retain(|gain| gain.verdict() == verdict && gain.effect != GainEffect::Pending);
        of
    };
    let mut lines = Vec::new();
    let mut useless = of(GainVerdict::HelpsNot);
    useless.extend(
        of(GainVerdict::Helps)
            .into_iter()
            .filter(|gain| !is_shown(gain, unit)),
    );
    if !useless.is_empty() {
        let nothing = if helps {
            "None of the others helps"
        } else {
            "None of these helps"
        };
        lines.push(format!("{nothing}: {}.", by_kind(scenario, &useless)));
    }
    let (left_out, unsettled): (Vec<&ColdStartGain>, Vec<&ColdStartGain>) =
        of(GainVerdict::Unsettled)
            .into_iter()
            .partition(|gain| gain.effect == GainEffect::LeftOut);
    if !left_out.is_empty() {
        let these = by_kind(scenario, &left_out);
        lines.push(format!(
            "Left out, because the solver stopped at it twice: {these}."
        ));
    }
    if !unsettled.is_empty() {
        lines.push(format!(
            "No gain found and none ruled out within the steps of a search: {}.",
            by_kind(scenario, &unsettled)
        ));
    }
    for gain in of(GainVerdict::Cannot) {
        let why = gain.obstacle.as_deref().unwrap_or_default();
        lines.push(format!("Not tried: {}: {why}.", subject(scenario, gain)));
    }
    lines.extend(worth(scenario, gains));
    lines
}

/// Changes with their devices: `uplink of D1, D2 and D3; memory of D4; one more like D1`.
fn by_kind(scenario: &Scenario, gains: &[&ColdStartGain]) -> String {
    let mut kinds: Vec<(ResourceChange, Vec<String>)> = Vec::new();
    for gain in gains {
        let name = name_at(scenario, gain.change.device);
        match kinds.iter_mut().find(|(what, _)| *what == gain.change.what) {
            Some((_, names)) => names.push(name),
            None => kinds.push((gain.change.what, vec![name])),
        }
    }
    kinds.in_order_of(|(what, _)| *what);
    let devices = scenario.switched_on().count();
    let saving = kinds.iter().map(|(what, names)| {
        let all = match names.len() {
            1 => names[0].clone(),
            many if many == devices => "every device".to_owned(),
            _ => list(names),
        };
        match what {
            ResourceChange::More(resource) => format!("{} of {all}", resource.name()),
            ResourceChange::Another => format!("one more like {}", alternatives(names)),
            ResourceChange::Without => format!("without {}", alternatives(names)),
        }
    });
    saving.collect::<Vec<_>>().join("; ")
}

/// Describes the value of each device.
fn worth(scenario: &Scenario, gains: &[ColdStartGain]) -> Vec<String> {
    let losses = losses(gains);
    let names = |list: &[&ColdStartGain]| -> Vec<String> {
        let of = list
            .iter()
            .map(|gain| name_at(scenario, gain.change.device));
        of.collect()
    };
    let (unfit, rest): (Vec<&ColdStartGain>, Vec<&ColdStartGain>) = losses
        .into_iter()
        .filter(|gain| matches!(gain.effect, GainEffect::FitsNot | GainEffect::Moves { .. }))
        .partition(|gain| gain.effect == GainEffect::FitsNot);
    let fitted_before = rest.len() + unfit.len() > 0
        && gains
            .iter()
            .any(|gain| matches!(gain.effect, GainEffect::Moves { .. }));
    let mut lines = Vec::new();
    if fitted_before && !unfit.is_empty() {
        lines.push(format!(
            "Without {} the model does not fit.",
            alternatives(&names(&unfit))
        ));
    }
    let cost = |gain: &ColdStartGain| match gain.effect {
        GainEffect::Moves { saved, .. } => -saved,
        _ => 0.0,
    };
    let (free, dear): (Vec<&ColdStartGain>, Vec<&ColdStartGain>) =
        rest.into_iter().partition(|g| cost(g) <= 0.0);
    if !dear.is_empty() {
        let each: Vec<String> = dear
            .iter()
            .map(|gain| {
                let found = if standing(gain) == "proved" {
                    ""
                } else {
                    " (best found)"
                };
                let name = name_at(scenario, gain.change.device);
                format!("{name} {} slower{found}", seconds(cost(gain)))
            })
            .collect();
        lines.push(format!("Without one device: {}.", each.join(", ")));
    }
    if !free.is_empty() {
        lines.push(format!(
            "Without {} the answer is as fast.",
            alternatives(&names(&free))
        ));
    }
    lines
}

/// `D1`, `D1 or D2`, `D1, D2 or D3`.
pub(crate) fn alternatives(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// All changes, the most useful first, then what each device is worth.
#[must_use]
pub fn table(scenario: &Scenario, before: &Known, gains: &[ColdStartGain]) -> Table {
    let columns = [
        ("device", "device", ""),
        ("change", "change", ""),
        ("field", "field", ""),
        ("from", "from", ""),
        ("to", "to", ""),
        ("unit", "unit", ""),
        ("first_answer_before_s", "first answer before", "s"),
        ("first_answer_s", "first answer then", "s"),
        ("objective_before_s", "goal before", "s"),
        ("objective_s", "goal then", "s"),
        ("sooner_s", "faster by", "s"),
        ("at_least_s", "at least", "s"),
        ("at_most_s", "at most", "s"),
        ("status", "status", ""),
        ("note", "note", ""),
    ];
    let rows = in_order(gains).into_iter().map(|gain| {
        let row = Row::of(scenario, before, gain);
        let number = |value: Option<f64>| match value {
            Some(value) => Cell::text(value.to_string()),
            None => Cell::Missing,
        };
        vec![
            Cell::text(row.name),
            Cell::text(row.change),
            row.field.map_or(Cell::Missing, Cell::text),
            number(row.from),
            number(row.to),
            row.unit.map_or(Cell::Missing, Cell::text),
            Cell::maybe(row.T_before, S),
            Cell::maybe(row.T_after, S),
            Cell::maybe(row.objective_before, S),
            Cell::maybe(row.objective_after, S),
            Cell::maybe(row.saved_s, S),
            Cell::maybe(row.saved_at_least_s, S),
            Cell::maybe(row.saved_at_most_s, S),
            Cell::text(row.status),
            row.note.map_or(Cell::Missing, Cell::Text),
        ]
    });
    as_table(columns, rows.collect())
}

/// Returns true if a change is worth a row for readers: it makes an answer possible, or faster by what its digits show. What does
/// not help is said below the list.
#[must_use]
pub fn is_shown(gain: &ColdStartGain, unit: TimeFormat) -> bool {
    match gain.effect {
        GainEffect::Moves { saved, .. } if saved > 0.0 => {
            let shown = unit.figure(saved);
            shown.chars().any(|digit| ('1'..='9').contains(&digit))
        }
        GainEffect::Fits => true,
        _ => false,
    }
}

/// Returns the short table for readers: change, values before and after, time saved and its proof; only changes that do
/// something.
#[must_use]
pub fn in_short(scenario: &Scenario, before: &Known, gains: &[ColdStartGain]) -> Table {
    let unit = unit_of(before, gains);
    let shown = improvements(gains).into_iter();
    let shown = shown.filter(|gain| is_shown(gain, unit));
    let rows = shown.map(|gain| {
        vec![
            Cell::Text(subject(scenario, gain)),
            values(gain).map_or(Cell::Missing, Cell::Text),
            Cell::Text(sooner(gain, unit)),
            Cell::text(standing(gain)),
        ]
    });
    let columns = [
        ("change", "change", ""),
        ("values", "from, to", ""),
        ("sooner", "faster by", ""),
        ("standing", "known", ""),
    ];
    as_table(columns, rows.collect())
}

/// The table of what would help, whichever columns it has.
pub(crate) fn as_table<const N: usize>(
    columns: [(&'static str, impl Into<String>, &'static str); N],
    rows: Vec<Vec<Cell>>,
) -> Table {
    Table {
        name: "what-would-help",
        title: "What would help most: one change per row, each solved again".to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows,
    }
}

/// Improvements by their effect, then losses by theirs.
#[must_use]
pub fn in_order(gains: &[ColdStartGain]) -> Vec<&ColdStartGain> {
    improvements(gains)
        .into_iter()
        .chain(losses(gains))
        .collect()
}

/// The content of `--format json`: the changes that help, with the scenario.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// By how much resources are improved [%].
    pub by_pct: f64,
    /// Best plan of the unchanged scenario.
    pub before: Known,
    /// The changes, the most helpful first.
    pub gains: Vec<Row>,
    /// Shorter prompts and answers that fit, if the scenario does not.
    pub shorter: Vec<Shorter>,
    /// Plans by the rules of other tools for the unchanged fleet; devices by index in it.
    pub rules: Rules,
}

/// A change as a row of a file. Times in seconds.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Row {
    /// The device, by its place in the fleet, from 0.
    pub device: usize,
    /// Its name.
    pub name: String,
    /// A resource, `another` or `without`.
    pub change: &'static str,
    /// The field that is edited.
    pub field: Option<&'static str>,
    /// Value before.
    pub from: Option<f64>,
    /// Value after.
    pub to: Option<f64>,
    /// The unit of both.
    pub unit: Option<&'static str>,
    /// T before.
    pub T_before: Option<f64>,
    /// T after.
    pub T_after: Option<f64>,
    /// Value of the goal before.
    pub objective_before: Option<f64>,
    /// Value of the goal after.
    pub objective_after: Option<f64>,
    /// How much sooner.
    pub saved_s: Option<f64>,
    /// How much sooner at least, as far as is proved.
    pub saved_at_least_s: Option<f64>,
    /// How much sooner at most.
    pub saved_at_most_s: Option<f64>,
    /// How far the claim goes, in words.
    pub status: &'static str,
    /// Why the change cannot be made.
    pub note: Option<String>,
}

impl Row {
    /// The row of a change.
    #[must_use]
    pub fn of(scenario: &Scenario, before: &Known, gain: &ColdStartGain) -> Self {
        let (change, field) = match gain.change.what {
            ResourceChange::More(resource) => (resource.name(), Some(resource.field())),
            ResourceChange::Another => ("another", None),
            ResourceChange::Without => ("without", Some("off")),
        };
        let resource = field.and_then(fields::of);
        let (saved, least, most) = match gain.effect {
            GainEffect::Moves { saved, least, most } => {
                (Some(saved), Some(least).filter(|l| l.is_finite()), most)
            }
            _ => (None, None, None),
        };
        Self {
            device: gain.change.device,
            name: name_at(scenario, gain.change.device),
            change,
            field,
            from: gain.values.map(|values| values.0),
            to: gain.values.map(|values| values.1),
            unit: resource.map(|range| range.unit),
            T_before: before.T,
            T_after: gain.after.and_then(|after| after.T),
            objective_before: before.objective,
            objective_after: gain.after.and_then(|after| after.objective),
            saved_s: saved,
            saved_at_least_s: least,
            saved_at_most_s: most,
            status: standing(gain),
            note: gain.obstacle.clone(),
        }
    }
}
