//! Which fields an object has: how each is read and written. What is done with all numbers of an object is done here.

use super::Field;
use crate::problem::Invalid;

/// A number of an object.
#[derive(Debug)]
pub struct Number<T: 'static> {
    /// Field.
    pub field: &'static Field,
    /// Reads it; `None` where it is left out.
    pub get: fn(&T) -> Option<f64>,
    /// Writes it, or leaves it out where it may be.
    pub set: fn(&mut T, Option<f64>),
    /// True if it may be left out.
    pub is_optional: bool,
}

/// An object with numbers that a person can edit.
pub trait NumberFields: Sized + 'static {
    /// Its numbers, in file order.
    const NUMBERS: &'static [Number<Self>];

    /// The numbers that are there, in file order.
    fn numbers(&self) -> impl Iterator<Item = (&'static Field, f64)> {
        let all = Self::NUMBERS.iter();
        all.filter_map(|number| Some((number.field, (number.get)(self)?)))
    }

    /// Checks every number that is there; `owner` is where the object stands (`devices[2]`).
    ///
    /// # Errors
    /// The first out of range.
    fn check_numbers(&self, owner: &str) -> Result<(), Invalid> {
        let mut all = self.numbers();
        all.try_for_each(|(field, value)| field.check(owner, value))
    }

    /// Returns the number with this key, if the object has it.
    fn number(key: &str) -> Option<&'static Number<Self>> {
        Self::NUMBERS.iter().find(|number| number.field.key == key)
    }

    /// Changes a number that is there; whether there is one.
    fn set_number(&mut self, key: &str, value: f64) -> bool {
        let number = Self::number(key).filter(|number| (number.get)(self).is_some());
        number
            .map(|number| (number.set)(self, Some(value)))
            .is_some()
    }

    /// The numbers that are there before and after and differ, in words: `memory 20 to 24 GB`.
    fn changes(&self, new: &Self) -> Vec<String> {
        let changed = |number: &Number<Self>| {
            let (old, new) = ((number.get)(self)?, (number.get)(new)?);
            (old != new).then(|| number.field.change(old, new))
        };
        Self::NUMBERS.iter().filter_map(changed).collect()
    }
}

/// The field with this name, when the program is compiled: a name without a row does not compile.
pub const fn named(key: &str) -> &'static Field {
    let mut at = 0;
    while at < super::FIELDS.len() {
        let name = super::FIELDS[at].key.as_bytes();
        let key = key.as_bytes();
        let mut same = 0;
        while same < name.len() && same < key.len() && name[same] == key[same] {
            same += 1;
        }
        if same == name.len() && same == key.len() {
            return &super::FIELDS[at];
        }
        at += 1;
    }
    panic!("this name has no row in the table of fields")
}

/// Says which numbers a type has: fields of the struct by the names that they have in files, in brackets those that may be left
/// out.
macro_rules! numbers {
    ($owner:ty: $($item:tt),+ $(,)?) => {
        impl $crate::scenario::fields::NumberFields for $owner {
            const NUMBERS: &'static [$crate::scenario::fields::Number<Self>] =
                &[$($crate::scenario::fields::numbers!(@ $owner, $item)),+];
        }
    };
    (@ $owner:ty, [$name:ident]) => {
        $crate::scenario::fields::Number {
            field: const { $crate::scenario::fields::named(stringify!($name)) },
            get: |object: &$owner| object.$name,
            set: |object: &mut $owner, value| object.$name = value,
            is_optional: true,
        }
    };
    (@ $owner:ty, $name:ident) => {
        $crate::scenario::fields::Number {
            field: const { $crate::scenario::fields::named(stringify!($name)) },
            get: |object: &$owner| Some(object.$name),
            set: |object: &mut $owner, value| {
                if let Some(value) = value {
                    object.$name = value;
                }
            },
            is_optional: false,
        }
    };
}
pub(in crate::scenario) use numbers;
