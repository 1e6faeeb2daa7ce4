//! Meaning of the commas in a table's numbers: decimal marks, or separators of thousands. One table has one meaning; if no cell
//! decides, the user is asked.

/// The habit of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commas {
    /// There are none, or they are decimal marks.
    Decimal,
    /// They are between thousands.
    Thousands,
    /// All of them could be either.
    Unclear,
}

/// Evidence in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Nothing,
    Decimal,
    Thousands,
    Either,
}

/// The habit that the cells of a table show. Where they contradict each other, commas are decimal marks, and
/// the cells that cannot be read so are faults.
pub(super) fn habit<'a>(cells: impl Iterator<Item = &'a str>) -> Commas {
    let (mut decimal, mut thousands, mut either) = (false, false, false);
    for cell in cells {
        match sign(cell) {
            Sign::Nothing => {}
            Sign::Decimal => decimal = true,
            Sign::Thousands => thousands = true,
            Sign::Either => either = true,
        }
    }
    match (decimal, thousands) {
        (false, true) => Commas::Thousands,
        (false, false) if either => Commas::Unclear,
        _ => Commas::Decimal,
    }
}

/// Returns true if a cell is ambiguous.
pub(super) fn is_either(cell: &str) -> bool {
    sign(cell) == Sign::Either
}

fn sign(cell: &str) -> Sign {
    let number: &str = cell
        .trim_start_matches(['-', '+', '\u{2212}'])
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .next()
        .unwrap_or_default();
    let groups: Vec<&str> = number.split(',').collect();
    let [first, later @ .., last] = groups.as_slice() else {
        return Sign::Nothing;
    };
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_group = |text: &str| text.len() == 3 && !text.contains('.');
    match last.split_once('.') {
        Some((group, _)) if is_first && is_group(group) && later.iter().all(|g| is_group(g)) => {
            Sign::Thousands
        }
        // A point and then a comma, or a comma that is neither: the number is refused where it is read.
        Some(_) => Sign::Nothing,
        None if first.contains('.') => Sign::Nothing,
        None if !later.is_empty() => {
            if is_first && is_group(last) && later.iter().all(|g| is_group(g)) {
                Sign::Thousands
            } else {
                Sign::Nothing
            }
        }
        // "1,234e12" has no reason for a thousand.
        None if is_first && is_group(last) && !has_exponent(cell, number) => Sign::Either,
        None => Sign::Decimal,
    }
}

fn has_exponent(cell: &str, number: &str) -> bool {
    let rest = cell.split_once(number).map_or("", |(_, rest)| rest);
    let mut rest = rest.chars();
    let is_e = matches!(rest.next(), Some('e' | 'E'));
    is_e && rest
        .next()
        .is_some_and(|c| c.is_ascii_digit() || "+-\u{2212}".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_clear_number_decides_for_all() {
        for (cells, habit_is) in [
            (&["1", "2.5", ""][..], Commas::Decimal),
            (&["1,5", "1,500"], Commas::Decimal),
            (&["0,500", "1,500"], Commas::Decimal),
            (&["1,234e12", "1,500"], Commas::Decimal),
            (&["1,234,567", "1,500"], Commas::Thousands),
            (&["1,500.25", "1,500 MB"], Commas::Thousands),
            (&["1,500", "12,000"], Commas::Unclear),
            (&["1,500", "1500,0"], Commas::Decimal),
            (&["1,5", "1,234,567"], Commas::Decimal),
            (&["1,500 e"], Commas::Unclear),
        ] {
            assert_eq!(habit(cells.iter().copied()), habit_is, "{cells:?}");
        }
        assert!(is_either("-1,500 MB"));
        assert!(!is_either("1,50 MB"));
    }
}
