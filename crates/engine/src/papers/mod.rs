//! The five papers: what each reports, row by row, and how it is cited. The rows are as printed in a file per paper, a
//! table with comments; entries for BibTeX are in `papers.bib`. Tests, claims and methods read the same rows, so a published
//! figure stands nowhere else.
//!
//! A file is read once, when it is first asked for. Nothing here fails at run time: a file with a fault has no rows, and a
//! test names the file, the line and the column of it.
//!
//! Complexity: O(rows) to read a file and to find a row.

use serde::Deserialize;
use std::sync::LazyLock;

/// Kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperRowKind {
    /// Numbers, as printed.
    Numbers,
    /// A statement, with its bounds where it has any: `yes`, `6 to 78`, `below 200`, `above 7`.
    Statement,
    /// A statement about cases that are counted elsewhere: `all`, `counted`.
    Cases,
}

/// A row of a paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperRow {
    /// Key: a group, then the subject, separated by slashes.
    pub key: String,
    /// Claim in words.
    pub claim: String,
    /// The figure as printed; several numbers are separated by ` / `.
    pub published: String,
    /// The unit of the numbers; empty for a statement without any.
    pub unit: String,
    /// Section, table or figure.
    pub source: String,
    /// Why ours differs, where that is always so; may be empty.
    pub note: String,
    #[serde(skip)]
    numbers: Vec<Option<f64>>,
}

/// Stands for a row that a file does not have.
static NO_ROW: PaperRow = PaperRow {
    key: String::new(),
    claim: String::new(),
    published: String::new(),
    unit: String::new(),
    source: String::new(),
    note: String::new(),
    numbers: Vec::new(),
};

impl PaperRow {
    /// Returns its kind.
    #[must_use]
    pub fn kind(&self) -> PaperRowKind {
        match self.published.as_str() {
            "all" | "counted" => PaperRowKind::Cases,
            "yes" => PaperRowKind::Statement,
            words if words.contains(" to ") || is_bound(words) => PaperRowKind::Statement,
            _ => PaperRowKind::Numbers,
        }
    }

    /// The number at a place; NaN where none is printed.
    #[must_use]
    pub fn at(&self, place: usize) -> f64 {
        self.number(place).unwrap_or(f64::NAN)
    }

    /// The number at a place, if one is printed.
    #[must_use]
    pub fn number(&self, place: usize) -> Option<f64> {
        self.numbers.get(place).copied().flatten()
    }

    /// Returns the ends of a stated range; infinite where it is open.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        match self.published.split(' ').next() {
            Some("below") => (f64::NEG_INFINITY, self.at(0)),
            Some("above") => (self.at(0), f64::INFINITY),
            _ => (self.at(0), self.at(1)),
        }
    }

    /// Returns the first N numbers in order; NaN where none is printed.
    #[must_use]
    pub fn numbers<const N: usize>(&self) -> [f64; N] {
        std::array::from_fn(|place| self.at(place))
    }

    /// Returns the first N whole numbers in order; 0 where none is printed.
    #[must_use]
    pub fn wholes<const N: usize>(&self) -> [usize; N] {
        self.numbers().map(|number| number as usize)
    }

    /// How many places it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns true if it has no numbers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns the printed text of a value.
    #[must_use]
    pub fn printed(&self, place: usize) -> &str {
        self.published.split(" / ").nth(place).unwrap_or_default()
    }

    /// The most decimals that a number of it is printed with.
    #[must_use]
    pub fn decimals(&self) -> usize {
        let each = self.published.split(' ');
        let each = each.filter_map(|word| word.split_once('.'));
        each.map(|(_, decimals)| decimals.len()).max().unwrap_or(0)
    }

    /// The part of its key behind the last slash.
    #[must_use]
    pub fn name(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or_default()
    }
}

fn is_bound(words: &str) -> bool {
    words.starts_with("below ") || words.starts_with("above ")
}

/// The numbers of a cell, in order; the word that is none.
fn numbers(published: &str) -> Result<Vec<Option<f64>>, String> {
    if ["yes", "all", "counted"].contains(&published) {
        return Ok(Vec::new());
    }
    let bare = match is_bound(published) {
        true => &published["below ".len()..],
        false => published,
    };
    let apart = if bare.contains(" to ") { " to " } else { " / " };
    let number = |word: &str| match (word, word.parse::<f64>()) {
        ("-" | "x", _) => Ok(None),
        (_, Ok(number)) if number.is_finite() => Ok(Some(number)),
        _ => Err(word.to_owned()),
    };
    bare.split(apart).map(number).collect()
}

/// A paper.
#[derive(Debug)]
pub struct CitedPaper {
    /// Name in code, of its file and of its entry in BibTeX.
    pub name: &'static str,
    text: &'static str,
    rows: LazyLock<Result<Vec<PaperRow>, String>>,
}

macro_rules! paper {
    ($(#[$words:meta])* $paper:ident, $name:literal) => {
        $(#[$words])*
        pub static $paper: CitedPaper = CitedPaper {
            name: $name,
            text: include_str!(concat!($name, ".csv")),
            rows: LazyLock::new(|| read(concat!($name, ".csv"), include_str!(concat!($name, ".csv")))),
        };
    };
}

paper!(
    /// Cold start.
    CSGO, "csgo"
);
paper!(
    /// Attention heads on devices.
    HEADWISE, "headwise"
);
paper!(
    /// Device or server.
    DISCO, "disco"
);
paper!(
    /// Requests through tiers.
    HYPERION, "hyperion"
);
paper!(
    /// Operator graphs.
    MEMORIANOVA, "memorianova"
);

/// All five, in the order of the questions.
pub static PAPERS: [&CitedPaper; 5] = [&CSGO, &HEADWISE, &DISCO, &HYPERION, &MEMORIANOVA];

static BIBTEX: &str = include_str!("papers.bib");

/// The entry of this program for BibTeX.
#[must_use]
pub fn own_bibtex() -> &'static str {
    entry("edgewise")
}

fn entry(name: &str) -> &'static str {
    let mut all = BIBTEX.split("\n\n").map(str::trim);
    let is_it = |entry: &&str| {
        let head = entry.split_once('{').map(|(_, rest)| rest);
        head.is_some_and(|head| head.split(',').next() == Some(name))
    };
    all.find(is_it).unwrap_or_default()
}

impl CitedPaper {
    /// Authors, title and where it appeared, in one line.
    #[must_use]
    pub fn citation(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    /// Its entry for BibTeX.
    #[must_use]
    pub fn bibtex(&self) -> &'static str {
        entry(self.name)
    }

    /// Returns the rows, in the order of its file.
    #[must_use]
    pub fn rows(&'static self) -> &'static [PaperRow] {
        self.rows.as_ref().map_or(&[], Vec::as_slice)
    }

    /// Returns the error of its file: file, line, column and reason.
    #[must_use]
    pub fn fault(&'static self) -> Option<&'static str> {
        self.rows.as_ref().err().map(String::as_str)
    }

    /// The row of a key. A row that is missing says nothing: its numbers are NaN.
    #[must_use]
    pub fn row(&'static self, key: &str) -> &'static PaperRow {
        let found = self.rows().iter().find(|row| row.key == key);
        found.unwrap_or(&NO_ROW)
    }

    /// The rows of a group, in order: those whose keys begin so, up to a slash.
    pub fn group(
        &'static self,
        group: &'static str,
    ) -> impl Iterator<Item = &'static PaperRow> + Clone {
        let belongs = move |key: &str| {
            let rest = key.strip_prefix(group);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.rows().iter().filter(move |row| belongs(&row.key))
    }
}

/// Reads the rows of a file.
///
/// # Errors
/// File, line and column of the first fault, and what it is.
pub fn read(file: &str, text: &str) -> Result<Vec<PaperRow>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let head = reader
        .headers()
        .map_err(|fault| format!("{file}: {fault}"))?;
    let head = head.clone();
    let mut rows: Vec<PaperRow> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|fault| format!("{file}: {fault}"))?;
        let line = record.position().map_or(0, csv::Position::line);
        let at = |column: &str, what: &str| format!("{file}, line {line}, column {column}: {what}");
        let mut row: PaperRow = record
            .deserialize(Some(&head))
            .map_err(|fault| format!("{file}: {fault}"))?;
        for (column, cell) in [
            ("key", &row.key),
            ("claim", &row.claim),
            ("source", &row.source),
        ] {
            if cell.trim().is_empty() {
                return Err(at(column, "nothing stands here"));
            }
        }
        if rows.iter().any(|other| other.key == row.key) {
            return Err(at("key", &format!("{} stands twice", row.key)));
        }
        row.numbers = numbers(&row.published)
            .map_err(|word| at("published", &format!("\"{word}\" is no number, - or x")))?;
        if row.unit.is_empty() != row.is_empty() {
            return Err(at(
                "unit",
                "numbers have a unit, statements without numbers none",
            ));
        }
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_every_row_has_a_source() {
        for paper in PAPERS {
            assert_eq!(paper.fault(), None);
            assert!(paper.rows().len() >= 6, "{}", paper.name);
            assert!(paper.rows().iter().all(|row| !row.source.is_empty()));
        }
    }

    #[test]
    fn every_paper_and_this_program_can_be_cited() {
        for paper in PAPERS {
            let title = paper.citation().split(": ").nth(1).expect("a title");
            let plain = paper.bibtex().replace(['{', '}'], "");
            assert!(plain.contains(title), "{title}: {plain}");
            let last = paper.citation().split(": ").next().expect("authors");
            let authors = last.split(", ").count();
            let line = plain.lines().nth(1).expect("a line of authors");
            assert_eq!(line.matches(" and ").count() + 1, authors, "{plain}");
            assert!(last.split(", ").all(|name| plain.contains(name)), "{plain}");
            assert!(paper.bibtex().ends_with('}'));
        }
        assert!(own_bibtex().starts_with("@software{edgewise,"));
    }

    #[test]
    fn a_fault_is_shown_with_file_line_and_column() {
        let head = "# Who: What\nkey,claim,published,unit,source,note\n";
        let read = |row: &str| read("x.csv", &format!("{head}a,A,1 / -,s,Table 1,\n{row}\n"));
        assert_eq!(read("b,B,0.50,%,Table 2,why").map(|rows| rows.len()), Ok(2));
        for (row, said) in [
            (
                "b,B,1 / two,s,Table 1,",
                "x.csv, line 4, column published: \"two\" is no number",
            ),
            ("b,B,1,s,,", "x.csv, line 4, column source"),
            ("b,,1,s,Table 1,", "line 4, column claim"),
            ("a,A,1,s,Table 1,", "line 4, column key: a stands twice"),
            ("b,B,1,,Table 1,", "line 4, column unit"),
            ("b,B,yes,s,Table 1,", "line 4, column unit"),
            ("b,B,1,s", "line: 4"),
        ] {
            let fault = read(row).expect_err(row);
            assert!(fault.contains(said), "{fault}");
        }
    }

    #[test]
    fn a_cell_is_read_as_it_is_printed() {
        let row = |published: &str| PaperRow {
            published: published.to_owned(),
            numbers: numbers(published).expect("a cell"),
            ..NO_ROW.clone()
        };
        let several = row("10.50 / x / -");
        assert_eq!(
            (several.kind(), several.decimals(), several.len()),
            (PaperRowKind::Numbers, 2, 3)
        );
        assert_eq!((several.number(0), several.number(1)), (Some(10.5), None));
        assert_eq!((several.printed(1), several.printed(2)), ("x", "-"));
        assert_eq!(row("5 / 9 / 18").wholes(), [5, 9, 18]);
        for (cell, kind, first) in [
            ("6 to 78", PaperRowKind::Statement, Some(6.0)),
            ("below 200", PaperRowKind::Statement, Some(200.0)),
            ("yes", PaperRowKind::Statement, None),
            ("all", PaperRowKind::Cases, None),
        ] {
            assert_eq!(
                (row(cell).kind(), row(cell).number(0)),
                (kind, first),
                "{cell}"
            );
        }
    }
}
