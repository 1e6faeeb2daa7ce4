//! Fields: what there is to know about each number that a person can edit, one row each in the [`table`]. Ranges, units that
//! may be typed, steps and drags, names in sentences and heads of columns follow from the row, for forms, links and scenario
//! files alike. [`NumberFields`] says which fields an object has.
//!
//! Problem files take whatever the method can take; a page is kinder when it catches a slip of the finger.

pub mod kinds;
mod nudge;
mod numbers;
mod parse;
mod table;

pub use nudge::{dragged, stepped};
pub use numbers::{Number, NumberFields};
pub(super) use numbers::{named, numbers};
pub use parse::{accepts_unit, parse, parse_cell, spelled_unit, units_of};
pub use table::FIELDS;

use crate::problem::{Code, Invalid};
use crate::units::percent;
use kinds::FieldKind;

/// The most layers of a scenario's model.
pub const MOST_LAYERS: usize = 1000;
/// The most devices of a scenario.
pub const MOST_DEVICES: usize = 64;
/// The most characters of a device's or model's name.
pub const LONGEST_NAME: usize = 40;
/// The most characters of a scenario's title.
pub const LONGEST_TITLE: usize = 120;

/// A number that a person can edit.
#[derive(Debug)]
pub struct Field {
    /// Its name in files.
    pub key: &'static str,
    /// Noun in sentences, without the unit: "disk", "gain at reference".
    pub noun: &'static str,
    /// Head of its column, if that is not the noun.
    head: &'static str,
    /// Least value allowed.
    pub min: f64,
    /// Greatest value allowed.
    pub max: f64,
    /// True for whole numbers only.
    pub is_integer: bool,
    /// Unit, empty for a pure number.
    pub unit: &'static str,
    /// Properties that follow from its unit.
    pub kind: &'static FieldKind,
}

impl Field {
    const fn new(
        key: &'static str,
        noun: &'static str,
        (min, max): (f64, f64),
        kind: &'static FieldKind,
    ) -> Self {
        Self {
            key,
            noun,
            head: "",
            min,
            max,
            is_integer: false,
            unit: kind.unit,
            kind,
        }
    }

    const fn integer(mut self) -> Self {
        self.is_integer = true;
        self
    }

    const fn head(mut self, head: &'static str) -> Self {
        self.head = head;
        self
    }

    /// The range in words: "a whole number from 1 to 1000", "a number from 0.01 to 1000000 MB/s".
    #[must_use]
    pub fn range_text(&self) -> String {
        let kind = if self.is_integer {
            "a whole number"
        } else {
            "a number"
        };
        let gap = if self.unit.is_empty() { "" } else { " " };
        let max = if self.max > 1e9 {
            format!("{:e}", self.max)
        } else {
            self.max.to_string()
        };
        format!("{kind} from {} to {max}{gap}{}", self.min, self.unit)
    }

    /// Returns true if `value` is allowed.
    #[must_use]
    pub fn allows(&self, value: f64) -> bool {
        value >= self.min && value <= self.max && (!self.is_integer || libm::trunc(value) == value)
    }

    /// Checks one number; `owner` is where the field stands (`devices[2]`).
    ///
    /// # Errors
    /// Names the field, the value and the range.
    pub fn check(&self, owner: &str, value: f64) -> Result<(), Invalid> {
        if self.allows(value) {
            return Ok(());
        }
        Err(Invalid::range(self.key, value, &self.range_text()).within(owner))
    }

    /// Returns the head of its column: "Disk".
    #[must_use]
    pub fn title(&self) -> String {
        if !self.head.is_empty() {
            return self.head.to_owned();
        }
        let mut letters = self.noun.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }

    /// Returns the full name of the field of `name`: "D1 disk, megabytes per second".
    #[must_use]
    pub fn full_name(&self, name: &str) -> String {
        match self.kind.unit_words {
            "" => name.to_owned(),
            unit => format!("{name}, {unit}"),
        }
    }

    /// A change of it in words: `memory 20 to 24 GB`.
    #[must_use]
    pub fn change(&self, old: f64, new: f64) -> String {
        if self.kind.is_shown_in_percent {
            let [old, new] = [old, new].map(|share| percent(100.0 * share, 0));
            return format!("{} {old} to {new}", self.noun);
        }
        format!("{} {old} to {new} {}", self.noun, self.unit)
            .trim_end()
            .to_owned()
    }
}

/// The field with this name.
///
/// # Complexity
/// O(fields): about a hundred.
#[must_use]
pub fn of(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key == key)
}

/// Returns the noun of a field, without the unit.
#[must_use]
pub fn noun(key: &str) -> &'static str {
    of(key).map_or("number", |field| field.noun)
}

/// Checks one number; `owner` is where the field stands (`devices[2]`).
///
/// # Errors
/// Names the field, the value and the range.
pub fn check(owner: &str, key: &str, value: f64) -> Result<(), Invalid> {
    let field = of(key).expect("every number of the schema has a row");
    field.check(owner, value)
}

/// Checks one text: not too long, and nothing in it that moves a cursor.
///
/// # Errors
/// Names the field and what is allowed.
pub fn text(path: &str, value: &str, longest: usize) -> Result<(), Invalid> {
    let length = value.chars().count();
    if length <= longest && !value.chars().any(char::is_control) {
        return Ok(());
    }
    let short: String = value.chars().filter(|c| !c.is_control()).take(20).collect();
    let message =
        format!("{path} must be text of at most {longest} characters on one line, it has {length}");
    Err(Invalid::new(Code::Range, path, short, message))
}
