//! The heads of a pasted table: which column is meant, and the unit that is beside its name.

use crate::scenario::fields::{self, Field};
use std::borrow::Cow;

/// A column that a table may have.
#[derive(Clone)]
pub(super) struct PasteColumn {
    /// Name in the schema; decides range and units.
    pub key: &'static str,
    /// Noun in messages.
    pub noun: &'static str,
    /// A cell as it should be.
    pub example: Cow<'static, str>,
    /// Heads that mean it besides its names in the table of fields, in lower case, letters and digits only.
    pub names: &'static [&'static str],
    /// True if it holds text.
    pub is_text: bool,
    /// True if a table without heads must have it, and one with heads unless it may be unknown.
    pub is_needed: bool,
    /// True if it has a position in a table without heads.
    pub has_place: bool,
    /// True if a cell may be empty, which means that the number is unknown.
    pub may_be_empty: bool,
}

impl PasteColumn {
    /// A column of numbers, which has to be there.
    pub(super) const fn number(
        key: &'static str,
        noun: &'static str,
        example: &'static str,
        names: &'static [&'static str],
    ) -> Self {
        Self {
            key,
            noun,
            example: Cow::Borrowed(example),
            names,
            is_text: false,
            is_needed: true,
            has_place: true,
            may_be_empty: false,
        }
    }

    /// A column of words, which may be missing.
    pub(super) const fn text(
        key: &'static str,
        noun: &'static str,
        names: &'static [&'static str],
    ) -> Self {
        Self {
            key,
            noun,
            example: Cow::Borrowed(""),
            names,
            is_text: true,
            is_needed: false,
            has_place: true,
            may_be_empty: false,
        }
    }

    /// A column of numbers that may be unknown, by its row in the table of fields.
    pub(super) fn unknown(field: &'static Field, names: &'static [&'static str]) -> Self {
        Self {
            key: field.key,
            noun: field.noun,
            example: format!("1 {}", field.unit).trim_end().to_owned().into(),
            names,
            is_text: false,
            is_needed: false,
            has_place: false,
            may_be_empty: true,
        }
    }

    /// Returns the column with numbers that may be unknown.
    pub(super) const fn or_unknown(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    /// Returns the column as one before which a table without heads may end.
    pub(super) const fn or_unknown_at_the_end(mut self) -> Self {
        self.is_needed = false;
        self.or_unknown()
    }

    fn is_named(&self, plain: &str) -> bool {
        let of_field = |field: &Field| {
            let names = [field.key, field.noun, &field.title()].map(self::plain);
            names.iter().any(|name| name == plain)
        };
        self.names.contains(&plain) || fields::of(self.key).is_some_and(of_field)
    }

    fn accepts_unit(&self, unit: &str) -> bool {
        !self.is_text && fields::spelled_unit(self.key, unit).is_some()
    }
}

/// Returns true if the cells of a first row are names: at least one, and none begins like a number.
pub(super) fn is_head<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let mut names = 0;
    for cell in cells {
        let cell = cell.trim().trim_start_matches('"');
        let cell = cell.trim_start_matches(['-', '+', '\u{2212}', '.', ',']);
        if cell.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        names += usize::from(cell.contains(char::is_alphabetic));
    }
    names > 0
}

/// Which of `columns` a head means, and the unit in it. "W [GFLOP]", "weights (MB)", "disk GB/s", "TFLOPS".
pub(super) fn find(head: &str, columns: &[PasteColumn]) -> Option<(usize, Option<String>)> {
    let named = |text: &str| {
        let plain = plain(text);
        columns.iter().position(|column| column.is_named(&plain))
    };
    // "compute TOPS" is no compute in FLOPS: of columns with one name, the unit decides.
    let with_unit = |text: &str, unit: &str| {
        let plain = plain(text);
        let is_it = |column: &PasteColumn| column.is_named(&plain) && column.accepts_unit(unit);
        columns.iter().position(is_it)
    };
    let bracket = head.find(['[', '(']);
    if let Some(at) = bracket {
        let unit = head[at + 1..].split([']', ')']).next().unwrap_or_default();
        let unit = unit.trim();
        let column = with_unit(&head[..at], unit).or_else(|| named(&head[..at]))?;
        let unit = (!unit.is_empty()).then(|| unit.to_owned());
        return Some((column, unit));
    }
    // "TFLOPS" alone is compute in teraflops, whatever else it is a name for.
    let by_unit = |column: &PasteColumn| column.has_place && column.accepts_unit(head.trim());
    let mut by_unit = (0..columns.len()).filter(|at| by_unit(&columns[*at]));
    if let (Some(column), None) = (by_unit.next(), by_unit.next())
        && named(head).is_none_or(|named| named == column)
    {
        return Some((column, Some(head.trim().to_owned())));
    }
    if let Some(column) = named(head) {
        return Some((column, None));
    }
    let (name, unit) = head.trim().rsplit_once([' ', '_', ','])?;
    Some((with_unit(name, unit)?, Some(unit.to_owned())))
}

/// Letters and digits in lower case.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
