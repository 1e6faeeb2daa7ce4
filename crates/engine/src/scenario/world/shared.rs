//! The contract by which a question's scenario is a view of the shared one: which parts are shared, and how they are exported and
//! imported.

use super::resolver::FactResolver;
use super::sheet::{Names, SharedFacts, SheetRow, read, shared_name};
use crate::problem::Invalid;
use crate::scenario::fields::{Field, NumberFields};
use crate::scenario::rows::Shift;
use crate::scenario::{Preset, Question};
use serde_json::{Map, Value};
use std::fmt::Write;

/// A type with a file format.
pub trait FileFormat: Clone + PartialEq {
    /// Reads it.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    fn of_file(text: &str) -> Result<Self, Invalid>;
    /// As a file has it: numbers read back to the same bits.
    fn to_file(&self) -> String;
}

impl<S: Shared + PartialEq> FileFormat for S {
    fn of_file(text: &str) -> Result<Self, Invalid> {
        Self::read(text)
    }

    fn to_file(&self) -> String {
        self.text()
    }
}

/// A scenario whose machines, network, model and request are shared with other questions.
pub trait Shared: Sized + Clone + 'static {
    /// A row of its fleet.
    type Row: NumberFields + Clone;
    /// Its question.
    const QUESTION: Question;
    /// Its parts that are shared, by where they stand, and what is there while nothing is known.
    const SHARED_PARTS: &'static [(&'static str, &'static str)];
    /// Numbers of a row that others know under another name.
    const ROW_NAMES: Names;
    /// The most rows it takes.
    const MOST_ROWS: usize;
    /// True if a row can be switched off.
    const CAN_SWITCH: bool = true;

    /// The scenario that the question opens with.
    fn opening() -> Self;
    /// Its settings for machines and a model that another question described.
    fn of_own_machines() -> Self {
        Self::opening()
    }
    /// Its presets, the paper's own first.
    fn presets() -> Vec<Preset<Self>>;
    /// A row without numbers.
    fn blank() -> Self::Row;
    /// Its fleet.
    fn rows(&self) -> &Vec<Self::Row>;
    /// Returns the rows.
    fn rows_mut(&mut self) -> &mut Vec<Self::Row>;
    /// Returns the name of a row, and true if it is off.
    fn named(row: &Self::Row) -> (&str, bool);
    /// Calls a row so.
    fn name(row: &mut Self::Row, name: &str, off: bool);
    /// Says what the scenario knows besides the numbers of its rows.
    fn write_facts(&self, sheet: &mut SharedFacts);
    /// Takes what it needs besides the numbers of its rows.
    fn read_facts(&mut self, ask: &mut FactResolver<'_>);
    /// Has what goes by the places of rows follow them.
    fn follow(&mut self, _shift: Shift) {}
    /// The scenario as a link carries it, where that is another.
    fn for_link(&self) -> Option<Self> {
        None
    }
    /// Numbers of a row that may be left out and are assumed where a rule has them: what a runtime reaches.
    fn assumed_terms(&self) -> &'static [&'static str] {
        &[]
    }
    /// Removes statements about shared numbers that are not among [`Self::SHARED_PARTS`].
    fn clear_shared(&mut self) {}
    /// Reads it from a scenario file of its own format.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    fn read(text: &str) -> Result<Self, Invalid>;
    /// Reads it from its JSON, whatever its numbers are.
    ///
    /// # Errors
    /// The text is not a scenario of the question.
    fn unchecked(text: &str) -> Result<Self, Invalid>;
    /// Returns the name on the page.
    fn title(&self) -> &str;
    /// The scenario as a file has it: numbers read back to the same bits.
    fn text(&self) -> String;
    /// Checks every field; there may be no row.
    ///
    /// # Errors
    /// The first field at fault.
    fn check(&self) -> Result<(), Invalid>;
}

/// The part of [`Shared`] that is alike where rows have a name and can be switched off: the name of the list, and what one is.
macro_rules! rows {
    ($rows:ident: $row:ty) => {
        type Row = $row;

        fn rows(&self) -> &Vec<$row> {
            &self.$rows
        }

        fn rows_mut(&mut self) -> &mut Vec<$row> {
            &mut self.$rows
        }

        fn named(row: &$row) -> (&str, bool) {
            (&row.name, row.off)
        }

        fn name(row: &mut $row, name: &str, off: bool) {
            name.clone_into(&mut row.name);
            row.off = off;
        }

        $crate::scenario::world::as_file!();

        fn check(&self) -> Result<(), $crate::problem::Invalid> {
            match self.is_empty() {
                true => self.validate_fields(),
                false => self.validate(),
            }
        }
    };
}
pub(in crate::scenario) use rows;

/// The part of [`Shared`] that is alike wherever a scenario has a title and a form as a file.
macro_rules! as_file {
    () => {
        fn presets() -> Vec<$crate::scenario::Preset<Self>> {
            presets::all()
        }

        fn read(text: &str) -> Result<Self, $crate::problem::Invalid> {
            Self::from_json(text)
        }

        fn title(&self) -> &str {
            &self.title
        }

        fn text(&self) -> String {
            self.to_json()
        }
    };
}
pub(in crate::scenario) use as_file;

/// A scenario as the world sees it, whichever question it is of.
pub trait SharedView {
    /// As [`Shared::title`].
    fn title(&self) -> &str;
    /// As [`Shared::text`].
    fn text(&self) -> String;
    /// Returns the shared facts that it states.
    fn sheet(&self) -> SharedFacts;
    /// The scenario without what is shared, as JSON.
    fn own_settings_json(&self) -> String;
    /// The numbers of its rows, each with the name by which all questions know it, and the most rows it takes.
    fn row_numbers(&self) -> RowNumbers;
}

/// Numbers by the name that all questions know them by, and how many rows may have them.
pub type RowNumbers = (Vec<(&'static str, &'static Field)>, usize);

impl<S: Shared> SharedView for S {
    fn title(&self) -> &str {
        Shared::title(self)
    }

    fn text(&self) -> String {
        Shared::text(self)
    }

    fn sheet(&self) -> SharedFacts {
        sheet(self)
    }

    fn own_settings_json(&self) -> String {
        settings_json(self)
    }

    fn row_numbers(&self) -> RowNumbers {
        let all = S::Row::NUMBERS.iter();
        let named = all.map(|number| (shared_name(number.field.key, S::ROW_NAMES), number.field));
        (named.collect(), S::MOST_ROWS)
    }
}

/// Returns the shared facts that a scenario states.
fn sheet<S: Shared>(scenario: &S) -> SharedFacts {
    let rows = scenario.rows().iter().map(|row| {
        let (name, off) = S::named(row);
        SheetRow {
            name: name.to_owned(),
            off,
            numbers: read(row, S::ROW_NAMES, None),
            link: None,
        }
    });
    let mut sheet = SharedFacts {
        machines: rows.collect(),
        ..SharedFacts::default()
    };
    scenario.write_facts(&mut sheet);
    sheet
}

/// Keys at the beginning of every scenario, which the shared scenario has once.
const HEAD: [&str; 3] = ["format", "question", "title"];

/// A scenario without what is shared, as JSON with its names in order.
pub(super) fn settings_json<S: Shared>(scenario: &S) -> String {
    let mut own = scenario.clone();
    own.clear_shared();
    let mut value: Value = parsed(&own.text());
    let parts = S::SHARED_PARTS.iter().map(|(path, _)| *path);
    for path in HEAD.into_iter().chain(parts) {
        if let Some((object, name)) = owner(&mut value, path) {
            object.remove(name);
        }
    }
    let mut text = String::new();
    in_order(&value, &mut text);
    text
}

/// A scenario from its own settings, with nothing known of what is shared.
///
/// # Errors
/// Settings that are not those of the question.
pub(super) fn from_settings<S: Shared>(settings: &str, title: &str) -> Result<S, Invalid> {
    let mut value: Value = parsed(settings);
    for (path, blank) in S::SHARED_PARTS {
        if let Some((object, name)) = owner(&mut value, path) {
            object.insert(name.to_owned(), parsed(blank));
        }
    }
    // Format and question are the program's own; the opening scenario has them.
    let Value::Object(own) = parsed(&S::opening().text()) else {
        return S::unchecked(settings);
    };
    if let Value::Object(object) = &mut value {
        let head = own
            .into_iter()
            .filter(|(name, _)| name != "title" && HEAD.contains(&name.as_str()));
        object.extend(head);
        object.insert("title".to_owned(), Value::from(title));
    }
    let place = format!("settings.{}", S::QUESTION.name());
    S::unchecked(&value.to_string()).map_err(|fault| fault.within(&place))
}

/// Has the rows of a scenario stand for other machines than before, and what goes by their places follow.
///
/// # Complexity
/// O(rows²) and a step of the question for each row that came, went or moved.
pub(super) fn line_up<S: Shared>(scenario: &mut S, mut before: Vec<u32>, now: &[u32]) {
    scenario.rows_mut().clear();
    scenario.rows_mut().resize(before.len(), S::blank());
    for at in (0..before.len()).rev() {
        if !now.contains(&before[at]) {
            before.remove(at);
            scenario.rows_mut().remove(at);
            scenario.follow(Shift::Removed(at));
        }
    }
    for (to, id) in now.iter().enumerate() {
        match before.iter().position(|other| other == id) {
            Some(from) if from == to => {}
            Some(from) => {
                let id = before.remove(from);
                before.insert(to, id);
                scenario.follow(Shift::Moved { from, to });
            }
            None => {
                before.insert(to, *id);
                scenario.rows_mut().insert(to, S::blank());
                scenario.follow(Shift::Inserted { at: to, like: None });
            }
        }
    }
}

/// JSON that this program wrote; anything else is none.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// The object in which a path ends, and the name in it.
fn owner<'a, 'b>(
    value: &'a mut Value,
    path: &'b str,
) -> Option<(&'a mut Map<String, Value>, &'b str)> {
    let (outer, name) = match path.rsplit_once('.') {
        Some((outer, name)) => (value.get_mut(outer)?, name),
        None => (value, path),
    };
    Some((outer.as_object_mut()?, name))
}

/// Writes JSON with the names of every object in order, however the library was built.
pub(super) fn in_order(value: &Value, text: &mut String) {
    let (open, close) = match value {
        Value::Object(_) => ('{', '}'),
        Value::Array(_) => ('[', ']'),
        plain => return write!(text, "{plain}").expect("a text takes any text"),
    };
    text.push(open);
    let gap = |at: usize, text: &mut String| {
        if at > 0 {
            text.push(',');
        }
    };
    match value {
        Value::Object(object) => {
            let mut names: Vec<&String> = object.keys().collect();
            names.sort_unstable();
            for (at, name) in names.into_iter().enumerate() {
                gap(at, text);
                write!(text, "{}:", Value::from(name.as_str())).expect("a text takes any text");
                in_order(&object[name], text);
            }
        }
        Value::Array(list) => {
            for (at, item) in list.iter().enumerate() {
                gap(at, text);
                in_order(item, text);
            }
        }
        _ => {}
    }
    text.push(close);
}
