//! Rows of a fleet, of whatever question: how a copy is called, and what became of the rows, so that what goes by their places can
//! follow.

use super::fields::LONGEST_NAME;

/// A change of rows; indices count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// One has come to be at a place, as a copy of the one that stood at `like` before.
    Inserted {
        /// Its place.
        at: usize,
        /// The place of the other before.
        like: Option<usize>,
    },
    /// The one at this place is gone.
    Removed(usize),
    /// One has gone to another place.
    Moved {
        /// Its place before.
        from: usize,
        /// Its place now.
        to: usize,
    },
    /// One was switched on or off.
    Switched,
}

impl Shift {
    /// Where a row stands now, by its place before; `None` if it is gone.
    #[must_use]
    pub fn place_of(self, before: usize) -> Option<usize> {
        match self {
            Self::Inserted { at, .. } => Some(before + usize::from(before >= at)),
            Self::Removed(at) if before == at => None,
            Self::Removed(at) => Some(before - usize::from(before > at)),
            Self::Moved { from, to } if before == from => Some(to),
            Self::Moved { from, to } if from < before && before <= to => Some(before - 1),
            Self::Moved { from, to } if to <= before && before < from => Some(before + 1),
            Self::Moved { .. } | Self::Switched => Some(before),
        }
    }
}

/// The name of a row that is put beside rows of the names `taken`: its own where it is free, the next of D1, D2, … for one
/// of these or without a name, else its own with a number behind it.
#[must_use]
pub fn free_name(name: &str, taken: &[&str]) -> String {
    if !name.trim().is_empty() && !taken.contains(&name) {
        return name.to_owned();
    }
    let is_next = name.trim().is_empty() || name.strip_prefix('D').is_some_and(is_number);
    let next = |n: usize| match is_next {
        true => format!("D{n}"),
        false => numbered(name, n + 1),
    };
    let mut names = (1..=taken.len() + 1).map(next);
    let free = names.find(|name| !taken.contains(&name.as_str()));
    free.unwrap_or_default()
}

/// A name with the number of a copy behind it, no longer than names may be.
fn numbered(name: &str, n: usize) -> String {
    let number = format!(" ({n})");
    let room = LONGEST_NAME - number.len();
    let base: String = base(name).chars().take(room).collect();
    format!("{}{number}", base.trim_end())
}

/// A name without the number of a copy.
fn base(name: &str) -> &str {
    let numbered = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    match numbered {
        Some((base, number)) if is_number(number) => base,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_a_name_of_its_own() {
        for (name, taken, free) in [
            ("D1", &["D1", "D2"][..], "D3"),
            ("D7", &["D1", "D2"], "D7"),
            ("AGX", &["AGX"], "AGX (2)"),
            ("AGX (2)", &["AGX", "AGX (2)"], "AGX (3)"),
            ("Xiaomi 14", &["Xiaomi 14"], "Xiaomi 14 (2)"),
            ("", &["", "D1"], "D2"),
            ("Disk", &["Disk"], "Disk (2)"),
        ] {
            assert_eq!(free_name(name, taken), free, "{name} beside {taken:?}");
        }
    }

    #[test]
    fn places_are_those_of_a_list_that_is_changed() {
        let places =
            |shift: Shift| -> Vec<Option<usize>> { (0..4).map(|at| shift.place_of(at)).collect() };
        let of = |change: &dyn Fn(&mut Vec<usize>)| -> Vec<Option<usize>> {
            let mut list: Vec<usize> = (0..4).collect();
            change(&mut list);
            (0..4)
                .map(|row| list.iter().position(|other| *other == row))
                .collect()
        };
        for at in 0..4 {
            assert_eq!(
                places(Shift::Removed(at)),
                of(&|list| {
                    list.remove(at);
                })
            );
            let inserted = Shift::Inserted { at, like: None };
            assert_eq!(places(inserted), of(&|list| list.insert(at, 9)));
            for to in 0..4 {
                let moved = of(&|list| {
                    let row = list.remove(at);
                    list.insert(to, row);
                });
                assert_eq!(places(Shift::Moved { from: at, to }), moved);
            }
        }
    }
}
