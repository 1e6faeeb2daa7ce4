//! A range as the user types it for a number.

use super::Span;
use super::fields::{self, Field};
use crate::problem::{Code, Invalid};

impl Span {
    /// Reads a range that the user typed for a number: `1500 to 7000`, `1500-7000` or `20 %` of it to either side; nothing for an
    /// empty text.
    ///
    /// # Errors
    /// The text is not a range, or an end is not allowed for the field.
    pub fn typed(field: &'static Field, value: f64, typed: &str) -> Result<Option<Self>, Invalid> {
        let text = typed.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let refused = |why: String| {
            let shown: String = text.chars().take(40).collect();
            Invalid::new(
                Code::Range,
                field.key,
                shown,
                format!("{} {why}", field.noun),
            )
        };
        let allowed =
            || "must be a range like 10-20, or like 20 % of the value to either side".to_owned();
        if let Some(share) = text.strip_suffix('%') {
            let share = share.trim().trim_start_matches(['\u{b1}', '+']).trim();
            let percent: f64 = share.replace(',', ".").parse().unwrap_or(f64::NAN);
            if !(0.0..=100.0).contains(&percent) {
                return Err(refused(allowed()));
            }
            return Ok(Some(Self::about(field.key, value, percent)));
        }
        let ends = ends(text).ok_or_else(|| refused(allowed()))?;
        let span = Self::of_ends(field, ends).map_err(refused)?;
        if !span.contains(value) {
            return Err(refused(format!(
                "must have a range that holds its value, {value}"
            )));
        }
        Ok(Some(span))
    }
}

impl Span {
    /// Reads a range that the user typed in place of a number, `10 to 20` or `8-16 GiB`: the number in its middle, and its ends.
    /// `None` for anything else.
    #[must_use]
    pub fn in_place_of_number(field: &'static Field, typed: &str) -> Option<(f64, Self)> {
        let span = Self::of_ends(field, ends(typed.trim())?).ok()?;
        let middle = 0.5 * (span.low + span.high);
        let value = if field.allows(middle) {
            middle
        } else {
            libm::round(middle)
        };
        (span.low < span.high && field.allows(value)).then_some((value, span))
    }

    /// A unit that stands behind the second end alone is that of both.
    fn of_ends(field: &'static Field, (low, high): (&str, &str)) -> Result<Self, String> {
        let unit_of = |end: &str| {
            let at = end
                .rfind(|c: char| c.is_ascii_digit())
                .map_or(0, |at| at + 1);
            end[at..].trim().to_owned()
        };
        let end = |text: &str| fields::parse(field.key, text);
        let unit = unit_of(high);
        let is_shared = unit_of(low).is_empty() && fields::accepts_unit(field.key, &unit);
        let low = match is_shared {
            true => format!("{low} {unit}"),
            false => low.to_owned(),
        };
        Ok(Self::from((end(low.trim())?, end(high)?)))
    }
}

/// Both ends of a range as typed.
fn ends(text: &str) -> Option<(&str, &str)> {
    let at = text
        .split_once(" to ")
        .or_else(|| text.split_once('\u{2013}'));
    at.or_else(|| {
        // A dash after an exponent or at the beginning is a sign.
        let is_between = |at: &usize| {
            let before = text[..*at].trim_end();
            let mut last = before.chars().rev();
            match last.next() {
                None | Some('-') => false,
                Some('e' | 'E') => !last.next().is_some_and(|digit| digit.is_ascii_digit()),
                Some(_) => true,
            }
        };
        let mut dashes = text.match_indices('-').map(|(at, _)| at);
        let at = dashes.find(is_between)?;
        Some((&text[..at], &text[at + 1..]))
    })
}
