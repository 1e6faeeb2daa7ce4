//! A pasted table as numbers in the units of the schema, or all that is wrong with it.

use super::commas::{self, Commas};
use super::head::{self, PasteColumn};
use super::rows::{self, RawRow, Separator};
use crate::scenario::Span;
use crate::scenario::fields;
use crate::scenario::world::Given;
use crate::units::count;

/// The most faults that are listed; the others are counted.
pub(super) const MOST_FAULTS: usize = 5;
/// As much of a cell as a message repeats.
const LONGEST_SHOWN: usize = 24;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridFault {
    /// Its line in the text, from 1; none where the whole table is meant.
    pub row: Option<usize>,
    /// Its column, by the name the table or the schema has for it.
    pub column: Option<String>,
    /// A whole sentence for people, with row and column in it.
    pub message: String,
}

/// Why a table was not read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refused {
    /// The first faults, from the top.
    pub faults: Vec<GridFault>,
    /// How many more there are.
    pub more: usize,
}

impl Refused {
    /// A fault of the whole table.
    #[must_use]
    pub fn of_table(message: String) -> Self {
        let mut refused = Self::default();
        refused.add(None, None, message);
        refused
    }

    /// Too many rows, or none.
    pub(super) fn count(rows: usize, most: usize, what: &str) -> Self {
        Self::of_table(match rows {
            0 => format!("This table has no rows under its header; it needs 1 to {most} {what}."),
            _ => format!(
                "This table has {} rows; at most {most} {what} are taken.",
                count(rows as f64)
            ),
        })
    }

    pub(super) fn add(&mut self, row: Option<usize>, column: Option<&str>, message: String) {
        if self.faults.len() == MOST_FAULTS {
            self.more += 1;
            return;
        }
        self.faults.push(GridFault {
            row,
            column: column.map(str::to_owned),
            message,
        });
    }

    /// Returns the result of reading, unless there is a fault.
    pub(super) fn or<T>(self, read: T) -> Result<T, Self> {
        if self.faults.is_empty() {
            Ok(read)
        } else {
            Err(self)
        }
    }
}

/// A row that was read: one number a column of the kind of table, and its name.
pub(super) struct GridRow {
    pub text: Option<String>,
    pub numbers: Vec<Option<Given>>,
}

/// A table that was read.
pub(super) struct Grid {
    pub rows: Vec<GridRow>,
    /// Keys of the columns that it does not have.
    pub absent: Vec<&'static str>,
    pub notes: Vec<String>,
}

/// A column of the text: which one it is, the unit in its head, what a message calls it.
struct Place {
    column: usize,
    unit: Option<String>,
    shown: String,
}

impl Grid {
    /// Reads a text as a table with some of `columns`, of at most `most` rows.
    pub(super) fn read(
        text: &str,
        columns: &[PasteColumn],
        most: usize,
        what: &str,
    ) -> Result<Self, Refused> {
        let (separator, mut raw) = rows::split(text, most, what)?;
        let has_head = raw.first().is_some_and(is_head);
        let mut notes = Vec::new();
        let first = if has_head {
            raw.remove(0)
        } else {
            raw.first().cloned().unwrap_or_default()
        };
        let data = raw.len();
        if data == 0 || data > most {
            return Err(Refused::count(data, most, what));
        }
        let width = first.filled();
        for row in &mut raw {
            row.cells.truncate(width.max(row.filled()));
        }
        let places = if has_head {
            by_head(&first, columns, &mut notes)?
        } else {
            let count = columns.iter().take_while(|c| c.has_place).count();
            by_order(&first, &columns[..count])?
        };
        let said = notes_of_columns(separator, has_head, &places, columns);
        notes.insert(0, said);
        let absent = columns.iter().enumerate();
        let absent = absent.filter(|(at, _)| !places.iter().flatten().any(|p| p.column == *at));
        let absent = absent.map(|(_, column)| column.key).collect();

        let mut refused = Refused::default();
        let numbers = raw.iter().flat_map(|row| {
            let cells = row.cells.iter().zip(&places);
            cells.filter_map(|(cell, place)| {
                let place = place.as_ref()?;
                (!columns[place.column].is_text).then_some(cell.as_str())
            })
        });
        let habit = commas::habit(numbers);
        let mut read = Vec::with_capacity(raw.len());
        for row in &raw {
            let line = row.line;
            if row.cells.len() != width {
                let before = if has_head {
                    "the header"
                } else {
                    "the first row"
                };
                let hint = if separator == Separator::Comma && row.cells.len() > width {
                    " If commas are decimal marks here, separate the columns by tabs or semicolons."
                } else {
                    ""
                };
                let message = format!(
                    "Row {line} has {}, {before} has {width}.{hint}",
                    cells_words(row.cells.len())
                );
                refused.add(Some(line), None, message);
                continue;
            }
            read.push(read_row(row, &places, columns, habit, &mut refused));
        }
        refused.or(Self {
            rows: read,
            absent,
            notes,
        })
    }
}

fn is_head(row: &RawRow) -> bool {
    head::is_head(row.cells.iter().map(String::as_str))
}

fn cells_words(cells: usize) -> String {
    match cells {
        1 => "1 cell".to_owned(),
        many => format!("{many} cells"),
    }
}

/// Places of columns by their heads; what is not known is not used, and said.
fn by_head(
    head: &RawRow,
    columns: &[PasteColumn],
    notes: &mut Vec<String>,
) -> Result<Vec<Option<Place>>, Refused> {
    let mut refused = Refused::default();
    let mut places: Vec<Option<Place>> = Vec::new();
    let mut unused = Vec::new();
    for cell in &head.cells[..head.filled()] {
        let Some((column, unit)) = head::find(cell, columns) else {
            unused.push(format!("\u{201c}{}\u{201d}", short(cell)));
            places.push(None);
            continue;
        };
        let known = &columns[column];
        if let Some(other) = places.iter().flatten().find(|p| p.column == column) {
            let message = format!(
                "The headers \u{201c}{}\u{201d} and \u{201c}{}\u{201d} both mean {}.",
                other.shown,
                short(cell),
                known.noun
            );
            refused.add(Some(head.line), Some(cell), message);
        }
        if let Some(unit) = &unit
            && fields::spelled_unit(known.key, unit).is_none()
        {
            let units: Vec<&str> = fields::units_of(known.key).collect();
            let units = units.join(", ");
            let message = format!(
                "Column \u{201c}{}\u{201d}: \u{201c}{}\u{201d} is not a unit of {}; allowed are {units}.",
                short(cell),
                short(unit),
                known.noun
            );
            refused.add(Some(head.line), Some(cell), message);
        }
        let unit = unit.map(|unit| {
            let spelled = fields::spelled_unit(known.key, &unit);
            spelled.map_or(unit, str::to_owned)
        });
        places.push(Some(Place {
            column,
            unit,
            shown: short(cell),
        }));
    }
    let found = |at: usize| places.iter().flatten().any(|p| p.column == at);
    let missing = columns.iter().enumerate();
    let is_missing = |at: usize, c: &PasteColumn| c.is_needed && !c.may_be_empty && !found(at);
    for (_, column) in missing.filter(|(at, column)| is_missing(*at, column)) {
        let message = if unused.is_empty() {
            format!("There is no column for {} ({}).", column.key, column.noun)
        } else {
            format!(
                "There is no column for {} ({}), and {} is not a known header.",
                column.key,
                column.noun,
                unused.join(", ")
            )
        };
        refused.add(Some(head.line), Some(column.key), message);
    }
    if !unused.is_empty() {
        notes.push(format!("Not used: {}.", unused.join(", ")));
    }
    refused.or(places)
}

/// Places of columns without heads: their order, as many as there are.
fn by_order(first: &RawRow, columns: &[PasteColumn]) -> Result<Vec<Option<Place>>, Refused> {
    let width = first.filled();
    let needed = columns
        .iter()
        .rposition(|c| c.is_needed)
        .map_or(0, |at| at + 1);
    if width < needed || width > columns.len() {
        let names: Vec<&str> = columns.iter().map(|c| c.noun).collect();
        let how_many = if needed == columns.len() {
            needed.to_string()
        } else {
            format!("{needed} to {}", columns.len())
        };
        let message = format!(
            "Row {} has {}; without a header it must have {how_many}: {}.",
            first.line,
            cells_words(width),
            names.join(", ")
        );
        return Err(Refused::of_table(message));
    }
    let place = |(column, known): (usize, &PasteColumn)| {
        Some(Place {
            column,
            unit: None,
            shown: known.noun.to_owned(),
        })
    };
    Ok(columns.iter().enumerate().take(width).map(place).collect())
}

fn notes_of_columns(
    separator: Separator,
    has_head: bool,
    places: &[Option<Place>],
    columns: &[PasteColumn],
) -> String {
    let read: Vec<String> = places
        .iter()
        .flatten()
        .map(|place| {
            let column = &columns[place.column];
            let own = fields::of(column.key).map_or("", |range| range.unit);
            let unit = place.unit.as_deref().unwrap_or(own);
            match unit {
                "" => column.noun.to_owned(),
                rate if rate.starts_with("per ") => format!("{} {rate}", column.noun),
                unit => format!("{} in {unit}", column.noun),
            }
        })
        .collect();
    let how = if has_head {
        "by header"
    } else {
        "in this order, without a header"
    };
    format!(
        "Separated by {}, columns matched {how}: {}; a unit in a cell wins.",
        separator.description(),
        read.join(", ")
    )
}

fn read_row(
    row: &RawRow,
    places: &[Option<Place>],
    columns: &[PasteColumn],
    habit: Commas,
    refused: &mut Refused,
) -> GridRow {
    let mut read = GridRow {
        text: None,
        numbers: vec![None; columns.len()],
    };
    for (at, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let column = &columns[place.column];
        let cell = row.cells.get(at).map_or("", String::as_str);
        if column.may_be_empty && is_unknown(cell) {
            continue;
        }
        let outcome = if column.is_text {
            text(cell).map(|text| read.text = Some(text))
        } else {
            number(cell, place, column, habit).map(|n| read.numbers[place.column] = Some(n))
        };
        if let Err(why) = outcome {
            let message = format!("Row {}, column {} {why}", row.line, place.shown);
            refused.add(Some(row.line), Some(&place.shown), message);
        }
    }
    read
}

/// A name. The apostrophe that keeps a spreadsheet from running it is not part of it.
fn text(cell: &str) -> Result<String, String> {
    let name = match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => cell,
    };
    let length = name.chars().count();
    if length > fields::LONGEST_NAME || name.chars().any(char::is_control) {
        let most = fields::LONGEST_NAME;
        return Err(format!(
            "must be a name of at most {most} characters on one line, it has {length}."
        ));
    }
    Ok(name.to_owned())
}

/// A number in the schema's unit, or what is wrong with it, to go on from "Row 7, column A".
fn number(cell: &str, place: &Place, column: &PasteColumn, habit: Commas) -> Result<Given, String> {
    let cell = without_about(cell);
    if cell.is_empty() {
        return Err(format!(
            "is empty; a number is needed, such as {}.",
            column.example
        ));
    }
    if habit == Commas::Unclear && commas::is_either(cell) {
        return Err(format!(
            "says \u{201c}{}\u{201d}: is that {} or {}? Write it without the comma.",
            short(cell),
            short(&cell.replacen(',', ".", 1)),
            short(&cell.replace(',', ""))
        ));
    }
    let digits = match habit {
        Commas::Thousands => cell.replace(',', ""),
        Commas::Decimal | Commas::Unclear => cell.to_owned(),
    };
    let has_unit = digits.ends_with(|c: char| c.is_alphabetic() || c == '%');
    let with_unit = match &place.unit {
        Some(unit) if !has_unit => format!("{digits} {unit}"),
        _ => digits,
    };
    // A range is the number in its middle, with its ends.
    if let Some(field) = fields::of(column.key).filter(|_| column.may_be_empty)
        && let Some((value, span)) = Span::in_place_of_number(field, &with_unit)
    {
        return Ok(Given::new(value, Some(span)));
    }
    let read = if rows::is_grouped(cell) {
        fields::parse_cell(column.key, &with_unit)
    } else {
        Err("must be one number".to_owned())
    };
    read.map(|value| Given::new(value, None)).map_err(|why| {
        format!(
            "{why}, such as {}; it is \u{201c}{}\u{201d}.",
            column.example,
            short(cell)
        )
    })
}

/// Returns true for the ways in which people leave a cell empty.
fn is_unknown(cell: &str) -> bool {
    let cell = cell.trim().to_lowercase();
    let ways = [
        "",
        "-",
        "\u{2013}",
        "\u{2014}",
        "?",
        "n/a",
        "na",
        "n.a.",
        "unknown",
        "tbd",
        "none",
        "[n/a]",
        "[not supported]",
    ];
    ways.contains(&cell.as_str())
}

/// A cell without the words that say that a number is about so.
fn without_about(cell: &str) -> &str {
    let cell = cell.trim();
    let begins = [
        "~", "\u{2248}", "ca.", "ca ", "about ", "approx.", "approx ", "around ",
    ];
    let stripped = begins.iter().find_map(|begin| {
        let head = cell.get(..begin.len())?;
        head.eq_ignore_ascii_case(begin)
            .then(|| &cell[begin.len()..])
    });
    stripped.unwrap_or(cell).trim()
}

/// The beginning of a cell, on one line.
fn short(cell: &str) -> String {
    let clean = cell.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = clean.take(LONGEST_SHOWN).collect();
    if cell.chars().nth(LONGEST_SHOWN).is_some() {
        shown.push('\u{2026}');
    }
    shown
}
