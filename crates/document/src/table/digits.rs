//! How many digits the numbers of a column need, so that small ones are more than zeros and rows differ.

use super::Cell;
use std::collections::BTreeMap;

/// Numbers below this are what rounding leaves of zero: they are printed as they are.
const NOTHING: f64 = 1e-7;
/// Numbers of a column that differ by more than this share of the larger must not read the same.
const APART: f64 = 1e-3;
/// The most significant digits that a column is raised to.
const MOST: i32 = 4;

/// Raises the decimals of the numbers of a column: two significant digits for each, or as many up to four as it takes that no two
/// read the same that differ by more than a thousandth. Counts, which have no decimals, stay. O(n log n).
pub(super) fn distinguish<'a>(column: impl Iterator<Item = &'a mut Cell>) {
    let mut cells: Vec<(f64, &mut usize)> = column
        .filter_map(|cell| match cell {
            Cell::Number(number, decimals) if *decimals > 0 && number.is_finite() => {
                Some((*number, decimals))
            }
            _ => None,
        })
        .collect();
    for digits in 2..=MOST {
        let mut alike: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for (number, decimals) in &mut cells {
            **decimals = decimals_for(*number, digits, **decimals);
            let read = format!("{number:.*}", **decimals);
            let range = alike.entry(read).or_insert((*number, *number));
            *range = (range.0.min(*number), range.1.max(*number));
        }
        let hides = |(least, most): &(f64, f64)| {
            let size = f64::max(most.abs(), least.abs());
            size >= NOTHING && most - least > APART * size
        };
        if !alike.values().any(hides) {
            return;
        }
    }
}

/// Decimals with which a number has so many significant digits, at least those that it has.
fn decimals_for(number: f64, digits: i32, decimals: usize) -> usize {
    let size = number.abs();
    if size < NOTHING {
        return decimals;
    }
    // Below this the number has fewer digits; what rounds up to it has them.
    let least = (1..digits).fold(1.0, |ten, _| 10.0 * ten) - 0.05;
    let (mut decimals, mut scaled) = (decimals, size);
    for _ in 0..decimals {
        scaled *= 10.0;
    }
    while scaled < least {
        scaled *= 10.0;
        decimals += 1;
    }
    decimals
}
