//! Tables as data: what the page shows in rows and columns, and what it and the command line write as CSV
//! and JSON. One table in every form, so that they cannot disagree.

mod digits;
#[cfg(not(target_arch = "wasm32"))]
mod schema;

use super::wire::{Name, name, two_forms};
use engine::units::{MINUS, count};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use std::cmp::Ordering;

/// A table of results.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Table {
    /// Its name in file names: `timeline`.
    #[serde(deserialize_with = "name")]
    pub name: Name,
    /// Title.
    pub title: String,
    /// The columns, each with a key of its own.
    pub columns: Vec<TableColumn>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// Its name in JSON: it never changes.
    #[serde(deserialize_with = "name")]
    pub key: Name,
    /// Its head, in lower case where it is no name.
    pub head: String,
    /// The unit of its numbers, empty where they have none.
    #[serde(deserialize_with = "name")]
    pub unit: Name,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number in the unit of its column, and how many decimals a reader sees. Files hold all of them.
    Number(f64, usize),
    /// The value is unknown.
    Missing,
}

impl TableColumn {
    /// A column of numbers with a unit, or of words without one.
    #[must_use]
    pub fn new(key: &'static str, head: impl Into<String>, unit: &'static str) -> Self {
        Self {
            key,
            head: head.into(),
            unit,
        }
    }

    /// `load [s]`, or the head alone.
    #[must_use]
    pub fn with_unit(&self) -> String {
        if self.unit.is_empty() {
            self.head.clone()
        } else {
            format!("{} [{}]", self.head, self.unit)
        }
    }
}

impl Cell {
    /// Words.
    #[must_use]
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// A count.
    #[must_use]
    pub fn count(n: usize) -> Self {
        Self::Number(n as f64, 0)
    }

    /// A number, or nothing where there is none.
    #[must_use]
    pub fn maybe(number: Option<f64>, decimals: usize) -> Self {
        number.map_or(Self::Missing, |number| Self::Number(number, decimals))
    }

    /// As a reader sees it: rounded, with a true minus sign.
    #[must_use]
    pub fn display_text(&self) -> String {
        match self {
            Self::Text(words) => words.clone(),
            Self::Number(number, _) if !number.is_finite() => "never".to_owned(),
            Self::Number(number, 0) => count(*number),
            Self::Number(number, decimals) => {
                // Zero has no sign: -0 + 0 is 0.
                format!("{:.decimals$}", number + 0.0).replace('-', &MINUS.to_string())
            }
            Self::Missing => "\u{2013}".to_owned(),
        }
    }

    /// As a file holds it: in full precision, nothing where there is no number.
    #[must_use]
    pub fn in_full(&self) -> String {
        match self {
            Self::Text(words) => words.clone(),
            Self::Number(number, _) if number.is_finite() => number.to_string(),
            Self::Number(..) | Self::Missing => String::new(),
        }
    }

    /// The order of two cells: numbers by size, then words by letter, what is missing last.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a, _), Self::Number(b, _)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Number(..) => 0,
            Self::Text(_) => 1,
            Self::Missing => 2,
        }
    }
}

impl Cell {
    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        /// Up to here a float holds every whole number.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Self::Text(words) => to.serialize_str(words),
            // A count is written as one: 7, not 7.0.
            Self::Number(n, 0)
                if *n >= 0.0 && *n < EXACT && libm::trunc(*n) == *n && n.is_sign_positive() =>
            {
                to.serialize_u64(*n as u64)
            }
            Self::Number(number, _) if number.is_finite() => to.serialize_f64(*number),
            Self::Number(..) | Self::Missing => to.serialize_none(),
        }
    }
}

two_forms!(Cell);

impl Table {
    /// A table with columns of key, head and unit.
    #[must_use]
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        columns: &[(&'static str, &str, &'static str)],
        rows: Vec<Vec<Cell>>,
    ) -> Self {
        let column = |(key, head, unit): &(&'static str, &str, &'static str)| {
            TableColumn::new(key, *head, unit)
        };
        Self {
            name,
            title: title.into(),
            columns: columns.iter().map(column).collect(),
            rows,
        }
    }

    /// The table as CSV (RFC 4180), heads first, numbers in full precision. A cell that a spreadsheet would run
    /// as a formula gets an apostrophe.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let cell = |cell: &Cell| match cell {
            Cell::Text(words) if words.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
                format!("'{words}")
            }
            other => other.in_full(),
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        let heads = self.columns.iter().map(TableColumn::with_unit).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect());
        for row in std::iter::once(heads).chain(rows) {
            let row: Vec<String> = row;
            writer
                .write_record(&row)
                .expect("writing to memory does not fail, and all rows are equally long");
        }
        let bytes = writer
            .into_inner()
            .expect("writing to memory does not fail");
        String::from_utf8(bytes).expect("cells are text")
    }

    /// The table as JSON: `{"table", "title", "columns": [{"key", "head", "unit"}], "rows": [{key: value}]}`,
    /// numbers in full precision, `null` where there is none.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("cells are words and finite numbers")
    }

    /// The table as a reader sees it: a column in which nothing is known is left out, and every number has the digits
    /// that it needs to differ from the others of its column. Files hold the table itself.
    #[must_use]
    pub fn for_readers(&self) -> Self {
        let known = |at: &usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(*at));
            self.rows.is_empty() || cells.any(|cell| *cell != Cell::Missing)
        };
        let kept: Vec<usize> = (0..self.columns.len()).filter(known).collect();
        let mut table = Self {
            name: self.name,
            title: self.title.clone(),
            columns: kept.iter().map(|at| self.columns[*at].clone()).collect(),
            rows: Vec::with_capacity(self.rows.len()),
        };
        for row in &self.rows {
            let cells = kept.iter().filter_map(|at| row.get(*at).cloned());
            table.rows.push(cells.collect());
        }
        for at in 0..kept.len() {
            digits::distinguish(table.rows.iter_mut().filter_map(|row| row.get_mut(at)));
        }
        table
    }

    /// The table for a clipboard: cells apart by tabs, numbers in full precision. Spreadsheets paste it as cells,
    /// and take no word for a formula that does not begin like one.
    #[must_use]
    pub fn to_tsv(&self) -> String {
        let line = |cells: Vec<String>| {
            let clean = cells
                .iter()
                .map(|cell| cell.replace(['\t', '\n', '\r'], " "));
            clean.collect::<Vec<_>>().join("\t") + "\n"
        };
        let cell = |cell: &Cell| match cell {
            Cell::Text(words) if words.starts_with(['=', '+', '-', '@']) => format!("'{words}"),
            other => other.in_full(),
        };
        let heads = line(self.columns.iter().map(TableColumn::with_unit).collect());
        let rows = self
            .rows
            .iter()
            .map(|row| line(row.iter().map(cell).collect()));
        std::iter::once(heads).chain(rows).collect()
    }
}

impl Table {
    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut table = to.serialize_struct("Table", 4)?;
        table.serialize_field("table", self.name)?;
        table.serialize_field("title", &self.title)?;
        table.serialize_field("columns", &self.columns)?;
        table.serialize_field("rows", &Rows(self))?;
        table.end()
    }
}

two_forms!(Table);

/// The rows as objects, keys in the order of the columns.
struct Rows<'a>(&'a Table);
struct Row<'a>(&'a [TableColumn], &'a [Cell]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut rows = to.serialize_seq(Some(self.0.rows.len()))?;
        for row in &self.0.rows {
            rows.serialize_element(&Row(&self.0.columns, row))?;
        }
        rows.end()
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut row = to.serialize_map(Some(self.0.len()))?;
        for (column, cell) in self.0.iter().zip(self.1) {
            row.serialize_entry(column.key, cell)?;
        }
        row.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        Table {
            name: "sample",
            title: "A sample".to_owned(),
            columns: vec![
                TableColumn::new("device", "device", ""),
                TableColumn::new("load_s", "load", "s"),
                TableColumn::new("layers", "layers", ""),
            ],
            rows: vec![
                vec![
                    Cell::text("=1+1, \"x\""),
                    Cell::Number(0.1 + 0.2, 3),
                    Cell::count(7),
                ],
                vec![Cell::text("D2"), Cell::Number(-1.25e-9, 3), Cell::Missing],
                vec![
                    Cell::text("D3"),
                    Cell::Number(f64::INFINITY, 3),
                    Cell::count(12_345),
                ],
            ],
        }
    }

    #[test]
    fn csv_holds_heads_with_units_and_numbers_in_full() {
        assert_eq!(
            sample().to_csv(),
            "device,load [s],layers\n\"'=1+1, \"\"x\"\"\",0.30000000000000004,7\nD2,-0.00000000125,\nD3,,12345\n"
        );
    }

    #[test]
    fn json_holds_one_object_a_row_with_keys_in_order() {
        assert_eq!(
            sample().to_json(),
            "{\"table\":\"sample\",\"title\":\"A sample\",\"columns\":[{\"key\":\"device\",\"head\":\"device\",\"unit\":\"\"},\
             {\"key\":\"load_s\",\"head\":\"load\",\"unit\":\"s\"},{\"key\":\"layers\",\"head\":\"layers\",\"unit\":\"\"}],\
             \"rows\":[{\"device\":\"=1+1, \\\"x\\\"\",\"load_s\":0.30000000000000004,\"layers\":7},\
             {\"device\":\"D2\",\"load_s\":-1.25e-9,\"layers\":null},{\"device\":\"D3\",\"load_s\":null,\"layers\":12345}]}"
        );
    }

    #[test]
    fn readers_see_rounded_numbers_and_a_true_minus() {
        let seen: Vec<String> = sample()
            .rows
            .concat()
            .iter()
            .map(Cell::display_text)
            .collect();
        assert_eq!(
            seen,
            [
                "=1+1, \"x\"",
                "0.300",
                "7",
                "D2",
                "\u{2212}0.000",
                "\u{2013}",
                "D3",
                "never",
                "12\u{202f}345"
            ]
        );
    }

    #[test]
    fn a_column_in_which_nothing_is_known_is_left_to_the_files() {
        let mut table = sample();
        for row in &mut table.rows {
            row[1] = Cell::Missing;
        }
        let heads = table
            .for_readers()
            .columns
            .into_iter()
            .map(|column| column.head);
        assert_eq!(heads.collect::<Vec<_>>(), ["device", "layers"]);
        assert!(table.to_csv().starts_with("device,load [s],layers\n"));
        assert!(table.to_json().contains("\"load_s\":null"));
        table.rows.clear();
        assert_eq!(table.for_readers().columns.len(), 3);
    }

    #[test]
    fn small_numbers_keep_two_digits_and_rows_differ_where_their_numbers_do() {
        let shown = |numbers: &[f64], decimals: usize| -> Vec<String> {
            let mut cells: Vec<Cell> = numbers.iter().map(|n| Cell::Number(*n, decimals)).collect();
            digits::distinguish(cells.iter_mut());
            cells.iter().map(Cell::display_text).collect()
        };
        assert_eq!(
            shown(&[0.0123, 0.0458, 127.04], 1),
            ["0.012", "0.046", "127.0"]
        );
        assert_eq!(shown(&[1.32, 1.34, 2.5], 1), ["1.32", "1.34", "2.50"]);
        // What differs by less than a hundredth may read the same, and so may what is nothing but rounding.
        assert_eq!(shown(&[5.141, 5.142], 1), ["5.1", "5.1"]);
        assert_eq!(
            shown(&[1e-17, 0.0, -1e-17], 3),
            ["0.000", "0.000", "\u{2212}0.000"]
        );
        assert_eq!(
            shown(&[f64::INFINITY, 0.04, 7.0], 1),
            ["never", "0.040", "7.0"]
        );
        assert_eq!(shown(&[3.0, 3.0, 12.0], 0), ["3", "3", "12"]);
    }

    #[test]
    fn cells_sort_by_size_and_what_is_missing_comes_last() {
        let mut cells = [
            Cell::Missing,
            Cell::Number(10.0, 0),
            Cell::text("b"),
            Cell::Number(9.0, 0),
            Cell::text("A"),
        ];
        cells.sort_by(Cell::order);
        let sorted: Vec<String> = cells.iter().map(Cell::display_text).collect();
        assert_eq!(sorted, ["9", "10", "A", "b", "\u{2013}"]);
    }

    #[test]
    fn a_clipboard_gets_tabs_and_no_formula() {
        let text = sample().to_tsv();
        assert!(
            text.starts_with("device\tload [s]\tlayers\n'=1+1, \"x\"\t0.30000000000000004\t7\n"),
            "{text}"
        );
    }
}
