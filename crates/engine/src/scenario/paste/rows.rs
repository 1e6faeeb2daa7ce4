//! From text to rows of cells: which sign separates the columns, and how many rows there are.

use super::grid::Refused;
use super::head;

/// Separator of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Tab,
    Semicolon,
    Comma,
    Bar,
    Space,
}

impl Separator {
    /// In a note: "Columns apart by tabs".
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Tab => "tabs",
            Self::Semicolon => "semicolons",
            Self::Comma => "commas",
            Self::Bar => "bars, as in Markdown",
            Self::Space => "spaces",
        }
    }
}

/// A row that holds something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RawRow {
    /// Its line in the text, from 1.
    pub line: usize,
    /// Its cells, without spaces around them.
    pub cells: Vec<String>,
}

impl RawRow {
    /// How many cells it has, up to the last that is not empty.
    pub(super) fn filled(&self) -> usize {
        let last = self.cells.iter().rposition(|cell| !cell.is_empty());
        last.map_or(0, |at| at + 1)
    }
}

/// Lines that are looked at to find the separator.
const SAMPLE: usize = 50;

/// Splits a text. `most` is how many rows there may be without a head.
pub(super) fn split(
    text: &str,
    most: usize,
    what: &str,
) -> Result<(Separator, Vec<RawRow>), Refused> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > super::LONGEST {
        let megabytes = text.len() / 1_000_000;
        return Err(Refused::of_table(format!(
            "This text has {megabytes} million characters; a table here has at most {most} {what}."
        )));
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = || {
        let numbered = (1..).zip(text.split('\n'));
        numbered.filter(|(_, line): &(usize, &str)| !line.trim().is_empty() && !is_rule(line))
    };
    let strange = |c: char| (c.is_control() && c != '\t') || c == '\u{fffd}';
    if let Some((line, _)) = lines().find(|(_, line)| line.contains(strange)) {
        return Err(Refused::of_table(format!(
            "Line {line} has characters that do not occur in text. Save a spreadsheet as CSV first."
        )));
    }
    let count = lines().count();
    let sample: Vec<&str> = lines().map(|(_, line)| line).take(SAMPLE).collect();
    let Some(first) = sample.first() else {
        return Err(Refused::of_table("There is no table here yet.".into()));
    };
    let has_head = head::is_head(first.split([',', ';', '\t', ' ', '|']));
    let data = count - usize::from(has_head);
    if data > most || data == 0 {
        return Err(Refused::count(data, most, what));
    }
    let separator = find_separator(&sample, has_head)?;
    let rows = match separator {
        Separator::Space => lines()
            .map(|(line, text)| RawRow {
                line,
                cells: split_words(text),
            })
            .collect(),
        Separator::Bar => lines()
            .map(|(line, text)| RawRow {
                line,
                cells: split_bars(text),
            })
            .filter(|row| row.filled() > 0)
            .collect(),
        Separator::Tab => by_sign(&text, b'\t'),
        Separator::Semicolon => by_sign(&text, b';'),
        Separator::Comma => by_sign(&text, b','),
    };
    Ok((separator, rows))
}

fn by_sign(text: &str, sign: u8) -> Vec<RawRow> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(sign)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let rows = reader.records().filter_map(|record| {
        // Text in memory of rows of any length has nothing left to fail on.
        let record = record.ok()?;
        // A record begins where the one before ended, empty lines between them included.
        let (byte, line) = record.position().map(|p| (p.byte(), p.line()))?;
        let gap = text.as_bytes()[byte as usize..]
            .iter()
            .take_while(|b| **b == b'\n');
        let line = line as usize + gap.count();
        let cells = record.iter().map(str::to_owned).collect();
        let row = RawRow { line, cells };
        (row.filled() > 0).then_some(row)
    });
    rows.collect()
}

/// Returns true for the line under the heads of a Markdown table, and for lines of other tables.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_of_rule = |c: char| matches!(c, '|' | '-' | ':' | '+' | '=' | ' ');
    line.contains("--") && line.contains(['|', '+']) && line.chars().all(is_of_rule)
}

/// Cells of a line of a Markdown table, without signs of emphasis.
fn split_bars(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let cells = line
        .split('|')
        .map(|cell| cell.trim().trim_matches(['*', '`', '_']).trim());
    cells.map(str::to_owned).collect()
}

/// Words of a line; a unit in brackets belongs to the word before it.
fn split_words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match words.last_mut() {
            Some(last) if word.starts_with(['[', '(']) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.trim_matches('"').to_owned()),
        }
    }
    words
}

/// The sign between the columns. A head decides by itself; without one, commas may be decimal marks.
fn find_separator(sample: &[&str], has_head: bool) -> Result<Separator, Refused> {
    let first = sample[0];
    if first.contains('|') && sample.iter().all(|line| line.contains('|')) {
        return Ok(Separator::Bar);
    }
    if first.contains('\t') {
        return Ok(Separator::Tab);
    }
    if first.contains(';') {
        return Ok(Separator::Semicolon);
    }
    if !first.contains(',') {
        return Ok(Separator::Space);
    }
    if has_head {
        return Ok(Separator::Comma);
    }
    let with_spaces = sample.iter().all(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        cells.len() > 1
            && cells
                .iter()
                .all(|cell| !cell.starts_with(',') && !cell.ends_with(','))
    });
    let with_commas = sample
        .iter()
        .all(|line| line.contains(',') && line.split(',').all(|cell| is_grouped(cell.trim())));
    match (with_spaces, with_commas) {
        (true, false) => Ok(Separator::Space),
        (true, true) => Err(Refused::of_table(
            "The commas in this table may be decimal marks or separators. Separate the columns by tabs or semicolons, or add a header row."
                .into(),
        )),
        (false, _) => Ok(Separator::Comma),
    }
}

/// Returns true if spaces in a cell separate thousands or a unit or name, not two numbers.
pub(super) fn is_grouped(cell: &str) -> bool {
    let mut words = cell.split_whitespace();
    let Some(first) = words.next() else {
        return true;
    };
    let digits = |word: &str| word.chars().take_while(char::is_ascii_digit).count();
    let unsigned = first.trim_start_matches(['-', '+', '\u{2212}']);
    let mut number = unsigned.starts_with(|c: char| c.is_ascii_digit());
    let mut groups = digits(unsigned) == unsigned.len() && unsigned.len() <= 3;
    for word in words {
        let is_number = digits(word) > 0;
        if number && is_number {
            // "1/token" and the like begin with a digit and are no numbers.
            let rest = &word[digits(word)..];
            if rest.starts_with('/') {
                return true;
            }
            if !(groups && digits(word) == 3) {
                return false;
            }
            groups = rest.is_empty();
        } else {
            number = false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_between_thousands_are_distinguished_from_two_numbers() {
        for one in [
            "",
            "12",
            "1 000",
            "12 345 678",
            "1 000.5",
            "-1 000 MB",
            "3 GB",
            "D 1 b",
            "5 1/token",
        ] {
            assert!(is_grouped(one), "{one}");
        }
        for two in ["1 2", "1000 000", "12 34", "1 000.5 000", "5 2"] {
            assert!(!is_grouped(two), "{two}");
        }
    }

    #[test]
    fn the_separator_is_found_or_asked_for() {
        let found = |sample: &[&str]| {
            let has_head = head::is_head(sample[0].split([',', ';', '\t', ' ']));
            find_separator(sample, has_head)
        };
        for (sample, separator) in [
            (&["1\t2\t3"][..], Separator::Tab),
            (&["W,A;P"], Separator::Semicolon),
            (&["W,A,P", "1,2,3"], Separator::Comma),
            (&["W A P", "1,5 2,5 3,5"], Separator::Space),
            (&["1,5 2,5 3,5"], Separator::Space),
            (&["1,2,3", "4,5,6"], Separator::Comma),
            (&["1, 2, 3"], Separator::Comma),
            (&["1 000, 2 000, 3"], Separator::Comma),
            (&["1 2 3"], Separator::Space),
        ] {
            assert_eq!(found(sample), Ok(separator), "{sample:?}");
        }
        assert!(found(&["1,500 200,300"]).is_err());
    }
}
