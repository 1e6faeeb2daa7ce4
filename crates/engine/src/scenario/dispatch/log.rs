//! Logs of a user's own requests: times to first token and prompt lengths, as CSV (commas, semicolons or tabs) or JSON
//! lines, one request a row.
//!
//! Nothing is guessed. Columns are known by their names; a table of one column needs none, because the place where it is
//! dropped says what it is. Every fault names its line. What was measured is kept as the samples themselves while they
//! are few enough for a link, and otherwise as a histogram that says what it changed.

use super::{LONGEST_PROMPT, MOST_BINS, Measured};
use crate::problem::{Code, Invalid};
use crate::scenario::fields;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most rows that are read.
pub const MOST_ROWS: usize = 1_000_000;
/// The most characters that are read.
pub const LONGEST: usize = 64_000_000;

/// Content of a column of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogColumn {
    /// Times to first token [s].
    FirstTokens,
    /// Prompt lengths [tokens].
    Prompts,
}

/// A log that was read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Log {
    /// Times to first token [s], in the order of the rows.
    pub first_tokens: Vec<f64>,
    /// Prompt lengths [tokens], in the order of the rows.
    pub prompts: Vec<f64>,
    /// Columns that were not used.
    pub unused: Vec<String>,
    /// True if the unit of times is not stated.
    #[serde(skip)]
    is_unsaid: bool,
}

/// A column's numbers: where they go, by how much they are multiplied, and whether its name says so.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Target {
    column: LogColumn,
    unit: f64,
    is_said: bool,
}

impl Target {
    /// A column whose name says its unit.
    const fn with_unit(column: LogColumn, unit: f64) -> Self {
        Self {
            column,
            unit,
            is_said: true,
        }
    }

    /// A column whose unit nothing says: the one that the log is asked for in.
    const fn unsaid(column: LogColumn) -> Self {
        Self {
            column,
            unit: 1.0,
            is_said: false,
        }
    }
}

/// First tokens of which more than half take longer than this [s] are none that anybody waited for.
const LONGEST_USUAL: f64 = 60.0;

/// The column of a name; its unit may be part of it.
fn target(name: &str) -> Option<Target> {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    Some(match plain.as_str() {
        "ttft" | "firsttoken" | "timetofirsttoken" => Target::unsaid(LogColumn::FirstTokens),
        "ttfts" | "ttftsec" | "ttftseconds" | "firsttokens" | "timetofirsttokens" | "latencys" => {
            Target::with_unit(LogColumn::FirstTokens, 1.0)
        }
        "ttftms" | "firsttokenms" | "timetofirsttokenms" => {
            Target::with_unit(LogColumn::FirstTokens, 1e-3)
        }
        "prompttokens" | "inputtokens" | "prompt" | "promptlength" | "promptlen"
        | "inputlength" | "inputlen" | "length" | "tokens" => {
            Target::with_unit(LogColumn::Prompts, 1.0)
        }
        _ => return None,
    })
}

impl LogColumn {
    /// The name that a table gives it.
    const fn name(self) -> &'static str {
        match self {
            Self::FirstTokens => "ttft",
            Self::Prompts => "prompt_tokens",
        }
    }

    /// Refuses what no request can have; `line` counts from 1.
    fn check(self, value: f64, row: usize, line: usize) -> Result<(), Invalid> {
        let (field, whole) = match self {
            Self::FirstTokens => ("first_token_s", false),
            Self::Prompts => ("least_tokens", true),
        };
        let range = fields::of(field).expect("both fields have ranges");
        if range.allows(value) && (!whole || libm::trunc(value) == value) {
            return Ok(());
        }
        Err(fault(
            self,
            row,
            line,
            &value.to_string(),
            &range.range_text(),
        ))
    }
}

fn fault(column: LogColumn, row: usize, line: usize, found: &str, allowed: &str) -> Invalid {
    let name = column.name();
    let shown: String = found.chars().take(40).collect();
    let message = format!("{name} in line {line} must be {allowed}, it is {shown}");
    Invalid::new(Code::Range, format!("rows[{row}].{name}"), shown, message)
}

/// Reads a log; `bare` says what a table of one column without a name holds.
///
/// # Errors
/// [`Invalid`] at `rows[i].ttft` and the like, `i` from 0 without the row of names; the message says the line.
///
/// # Complexity
/// O(length).
pub fn read(text: &str, bare: LogColumn) -> Result<Log, Invalid> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > LONGEST {
        let message = format!(
            "the log has {} characters, at most {LONGEST} are read",
            text.len()
        );
        return Err(Invalid::new(Code::Range, "", text.len(), message));
    }
    let log = match text.trim_start().chars().next() {
        Some('{') => json_lines(text)?,
        Some('[') => json_list(text, bare)?,
        _ => table(text, bare)?,
    };
    if log.first_tokens.is_empty() && log.prompts.is_empty() {
        let message = "the log has no row with a number in it";
        return Err(Invalid::new(Code::Range, "rows", 0, message));
    }
    log.unit_is_plain()?;
    Ok(log)
}

impl Log {
    fn push(&mut self, target: Target, value: f64) {
        match target.column {
            LogColumn::FirstTokens => {
                self.is_unsaid |= !target.is_said;
                self.first_tokens.push(target.unit * value);
            }
            LogColumn::Prompts => self.prompts.push(value),
        }
    }

    /// Asks for the unit of times that can hardly be seconds, where nothing says that they are.
    fn unit_is_plain(&self) -> Result<(), Invalid> {
        if !self.is_unsaid {
            return Ok(());
        }
        let mut sorted = self.first_tokens.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        if median <= LONGEST_USUAL {
            return Ok(());
        }
        let message = format!(
            "ttft has a median of {median}, and nothing says its unit: are these milliseconds? Name the column ttft_ms if they \
             are, or ttft_s if they are seconds"
        );
        Err(Invalid::new(Code::Range, "ttft", median, message))
    }
}

fn too_many(row: usize) -> Result<(), Invalid> {
    if row < MOST_ROWS {
        return Ok(());
    }
    let message = format!("the log has more than {MOST_ROWS} rows, the maximum; use a part of it");
    Err(Invalid::new(Code::Range, "rows", row + 1, message))
}

fn delimiter(line: &str) -> u8 {
    let most = [b',', b';', b'\t'];
    let count = |delimiter: u8| line.bytes().filter(|b| *b == delimiter).count();
    // The first of equals, so that a line without any is one column.
    let best = most.into_iter().rev().max_by_key(|d| count(*d));
    best.unwrap_or(b',')
}

fn table(text: &str, bare: LogColumn) -> Result<Log, Invalid> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(is_row).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .delimiter(delimiter(first))
        .from_reader(text.as_bytes());
    let mut log = Log::default();
    let mut targets: Option<Vec<Option<Target>>> = None;
    let mut record = csv::StringRecord::new();
    let mut row = 0;
    loop {
        let more = reader.read_record(&mut record).map_err(|error| {
            let message = format!("the table cannot be read: {error}");
            Invalid::new(Code::Syntax, "", "", message)
        })?;
        if !more {
            return Ok(log);
        }
        let line = record.position().map_or(0, |at| at.line() as usize);
        if record.iter().all(str::is_empty) {
            continue;
        }
        let Some(targets) = &targets else {
            let (found, is_head) = columns(&record, bare, line, &mut log)?;
            if !is_head {
                one_row(&mut log, &found, &record, row, line)?;
                row += 1;
            }
            targets = Some(found);
            continue;
        };
        too_many(row)?;
        if record.len() != targets.len() {
            let (has, had) = (record.len(), targets.len());
            let message = format!("line {line} has {has} columns where those before have {had}");
            return Err(Invalid::new(
                Code::Range,
                format!("rows[{row}]"),
                has,
                message,
            ));
        }
        one_row(&mut log, targets, &record, row, line)?;
        row += 1;
    }
}

/// Reads the columns from the first row. Returns true if it is a header.
fn columns(
    record: &csv::StringRecord,
    bare: LogColumn,
    line: usize,
    log: &mut Log,
) -> Result<(Vec<Option<Target>>, bool), Invalid> {
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let known: Vec<Option<Target>> = record.iter().map(target).collect();
    if known.iter().all(Option::is_none) {
        if record.len() == 1 {
            // A name that says nothing, or no name at all: the place says what it is.
            let one = vec![Some(Target::unsaid(bare))];
            return Ok((one, !is_number(&record[0])));
        }
        let message = format!(
            "line {line} has {} columns, and none is called ttft, ttft_ms or prompt_tokens",
            record.len()
        );
        return Err(Invalid::new(Code::Unknown, "", record.len(), message));
    }
    for column in [LogColumn::FirstTokens, LogColumn::Prompts] {
        let same = |target: &&Option<Target>| target.is_some_and(|t| t.column == column);
        if known.iter().filter(same).count() > 1 {
            let message = format!("two columns hold {}, only one is allowed", column.name());
            return Err(Invalid::new(Code::Unknown, column.name(), 2, message));
        }
    }
    let unused = record
        .iter()
        .zip(&known)
        .filter(|(_, known)| known.is_none());
    log.unused = unused
        .map(|(name, _)| name.chars().take(40).collect())
        .collect();
    Ok((known, true))
}

fn one_row(
    log: &mut Log,
    targets: &[Option<Target>],
    record: &csv::StringRecord,
    row: usize,
    line: usize,
) -> Result<(), Invalid> {
    for (cell, target) in record.iter().zip(targets) {
        let Some(target) = *target else {
            continue;
        };
        let column = target.column;
        let Ok(value) = cell.parse::<f64>() else {
            return Err(fault(column, row, line, &format!("{cell:?}"), "a number"));
        };
        column.check(target.unit * value, row, line)?;
        log.push(target, value);
    }
    Ok(())
}

fn json_lines(text: &str) -> Result<Log, Invalid> {
    let mut log = Log::default();
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    for (row, (line, words)) in lines.enumerate() {
        too_many(row)?;
        let value: Value = serde_json::from_str(words).map_err(|error| {
            let message = format!("line {line} is not JSON: {error}");
            Invalid::new(Code::Syntax, format!("rows[{row}]"), "", message)
        })?;
        one_object(&mut log, &value, row, line)?;
    }
    even(&log)
}

fn json_list(text: &str, bare: LogColumn) -> Result<Log, Invalid> {
    let list: Vec<Value> = serde_json::from_str(text).map_err(|error| {
        let message = format!("the list is not JSON: {error}");
        Invalid::new(Code::Syntax, "", "", message)
    })?;
    let mut log = Log::default();
    for (row, value) in list.iter().enumerate() {
        too_many(row)?;
        match value.as_f64() {
            Some(number) => {
                bare.check(number, row, row + 1)?;
                log.push(Target::unsaid(bare), number);
            }
            None => one_object(&mut log, value, row, row + 1)?,
        }
    }
    even(&log)
}

fn one_object(log: &mut Log, value: &Value, row: usize, line: usize) -> Result<(), Invalid> {
    let Some(object) = value.as_object() else {
        let message = format!("line {line} must be an object or a number");
        let shown: String = value.to_string().chars().take(40).collect();
        return Err(Invalid::new(
            Code::Type,
            format!("rows[{row}]"),
            shown,
            message,
        ));
    };
    let mut any = false;
    for (name, value) in object {
        let Some(target) = target(name) else {
            if row == 0 {
                log.unused.push(name.chars().take(40).collect());
            }
            continue;
        };
        let Some(number) = value.as_f64() else {
            let found = value.to_string();
            return Err(fault(target.column, row, line, &found, "a number"));
        };
        target.column.check(target.unit * number, row, line)?;
        log.push(target, number);
        any = true;
    }
    if any {
        return Ok(());
    }
    let message = format!("line {line} has neither ttft, ttft_ms nor prompt_tokens");
    Err(Invalid::new(
        Code::Missing,
        format!("rows[{row}]"),
        "",
        message,
    ))
}

/// Every row must have what the first one has.
fn even(log: &Log) -> Result<Log, Invalid> {
    let (a, b) = (log.first_tokens.len(), log.prompts.len());
    if a == 0 || b == 0 || a == b {
        return Ok(log.clone());
    }
    let message = format!("{a} rows have a ttft and {b} have prompt_tokens; every row needs both");
    Err(Invalid::new(Code::Missing, "rows", a.abs_diff(b), message))
}

/// A figure of values with counts.
type Figure<'a> = &'a dyn Fn(&[(f64, f64)]) -> f64;

/// Changes that a histogram makes to samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Compacted {
    /// Samples.
    pub samples: usize,
    /// Different values among them.
    pub distinct: usize,
    /// Bins that stand for them.
    pub bins: usize,
    /// By how much the mean moved, of itself.
    pub mean_moved: f64,
    /// By how much the 99th percentile moved, of itself.
    pub p99_moved: f64,
}

/// The samples as a link carries them: themselves while there are at most [`MOST_BINS`] different ones, otherwise as many
/// bins of as many samples each, every one at its mean; prompt lengths stay whole.
///
/// # Complexity
/// O(n log n).
#[must_use]
pub fn compacted(name: &str, samples: &[f64], column: LogColumn) -> (Measured, Compacted) {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut distinct: Vec<(f64, f64)> = Vec::new();
    for value in &sorted {
        match distinct.last_mut().filter(|(last, _)| last == value) {
            Some((_, count)) => *count += 1.0,
            None => distinct.push((*value, 1.0)),
        }
    }
    let exact = distinct.len() <= MOST_BINS;
    let bins = if exact {
        distinct.clone()
    } else {
        equal_shares(&distinct, sorted.len() as f64, column)
    };
    let mean = |bins: &[(f64, f64)]| {
        let sum: f64 = bins.iter().map(|(value, count)| value * count).sum();
        sum / bins.iter().map(|(_, count)| count).sum::<f64>()
    };
    let p99 = |bins: &[(f64, f64)]| {
        let wanted = 0.99 * sorted.len() as f64 - 1e-9;
        let mut seen = 0.0;
        let at = bins.iter().find(|(_, count)| {
            seen += count;
            seen >= wanted
        });
        at.map_or(f64::NAN, |(value, _)| *value)
    };
    let moved = |figure: Figure<'_>| {
        let (before, after) = (figure(&distinct), figure(&bins));
        if before > 0.0 {
            after / before - 1.0
        } else {
            0.0
        }
    };
    let compacted = Compacted {
        samples: sorted.len(),
        distinct: distinct.len(),
        bins: bins.len(),
        mean_moved: moved(&mean),
        p99_moved: moved(&p99),
    };
    let name = name.chars().filter(|c| !c.is_control());
    let measured = Measured {
        name: name.take(fields::LONGEST_NAME).collect(),
        bins,
        exact,
    };
    (measured, compacted)
}

/// Bins of equal shares; the last hundredth of the samples has a fifth of the bins, because that is where P99 is.
fn equal_shares(distinct: &[(f64, f64)], all: f64, column: LogColumn) -> Vec<(f64, f64)> {
    const IN_THE_TAIL: f64 = (MOST_BINS / 5) as f64;
    const IN_THE_BODY: f64 = MOST_BINS as f64 - 2.0 - IN_THE_TAIL;
    let bin_of = |rank: f64| {
        let share = rank / all;
        if share < 0.99 {
            libm::floor(share / 0.99 * IN_THE_BODY)
        } else {
            IN_THE_BODY + libm::floor((share - 0.99) / 0.01 * IN_THE_TAIL)
        }
    };
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let mut sums: (f64, f64, f64) = (-1.0, 0.0, 0.0);
    let mut seen = 0.0;
    let mut close = |(_, sum, count): (f64, f64, f64)| {
        if count == 0.0 {
            return;
        }
        let mean = sum / count;
        let value = match column {
            LogColumn::FirstTokens => mean,
            LogColumn::Prompts => libm::round(mean).clamp(1.0, LONGEST_PROMPT),
        };
        match bins.last_mut().filter(|(last, _)| *last >= value) {
            Some((_, before)) => *before += count,
            None => bins.push((value, count)),
        }
    };
    for (value, count) in distinct {
        let bin = bin_of(seen + 0.5 * count);
        if bin != sums.0 {
            close(std::mem::replace(&mut sums, (bin, 0.0, 0.0)));
        }
        sums.1 += value * count;
        sums.2 += count;
        seen += count;
    }
    close(sums);
    bins
}
