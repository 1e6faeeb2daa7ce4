//! Changing a number without typing: by the arrow keys, or by dragging it sideways.

use super::of;
use super::parse::parse;
use crate::units::rounded;

/// Pixels of one step while dragging.
const PIXELS_A_STEP: f64 = 2.0;
/// Steps of a tenfold change, where a quantity spans decades.
const STEPS_A_DECADE: f64 = 100.0;

/// The next number up or down from the one shown: one unit of its last digit, times `scale`, kept in range.
/// `None` when nothing that can be counted on is shown.
#[must_use]
pub fn stepped(field: &str, shown: &str, up: bool, scale: f64) -> Option<String> {
    let number = parse(field, shown).ok()?;
    let range = of(field)?;
    let decimals = decimals(shown);
    let finer = i32::from(scale < 1.0 && !range.is_integer);
    let scale = if range.is_integer {
        scale.max(1.0)
    } else {
        scale
    };
    let step = scale * libm::exp10(-f64::from(decimals));
    let next = (if up { number + step } else { number - step }).clamp(range.min, range.max);
    let places = (decimals + finer).max(0) as usize;
    Some(format!("{next:.places$}"))
}

/// Where a drag of `pixels` to the right takes a number that began as `from`. `fine` is ten times slower.
///
/// Quantities that span decades change by the same factor everywhere, 2.3 % a step, and are kept to three significant
/// digits; others by one unit of the last digit that `from` shows. What has not left its step has not changed.
#[must_use]
pub fn dragged(field: &str, from: f64, pixels: f64, fine: bool) -> Option<f64> {
    let range = of(field)?;
    let pace = if fine { 0.1 } else { 1.0 };
    let steps = libm::trunc(pixels / PIXELS_A_STEP);
    if steps == 0.0 {
        return Some(from);
    }
    let next = if range.kind.spans_decades && from > 0.0 {
        let digits = if fine { 4 } else { 3 };
        significant(
            from * libm::exp10(steps * pace / STEPS_A_DECADE),
            digits,
            range.is_integer,
        )
    } else {
        let places = decimals(&from.to_string()) + i32::from(fine && !range.is_integer);
        let unit = libm::exp10(f64::from(places));
        let step = if range.is_integer { 1.0 } else { 1.0 / unit };
        let steps = if range.is_integer {
            libm::trunc(steps * pace)
        } else {
            steps
        };
        libm::round((from + steps * step) * unit) / unit
    };
    Some(next.clamp(range.min, range.max))
}

/// Digits behind the point.
fn decimals(shown: &str) -> i32 {
    let shown = shown.trim();
    let behind = shown.split_once(['.', ',']).map_or("", |(_, rest)| rest);
    behind.chars().take_while(char::is_ascii_digit).count() as i32
}

/// `value` with so many significant digits, or as a whole number.
fn significant(value: f64, digits: usize, whole: bool) -> f64 {
    let short = rounded(value, digits);
    if whole { libm::round(short) } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_moves_the_last_digit_shown() {
        let step = |shown, up, scale| stepped("m_gb", shown, up, scale);
        assert_eq!(step("20", true, 1.0).as_deref(), Some("21"));
        assert_eq!(step("20.50", false, 1.0).as_deref(), Some("20.49"));
        assert_eq!(step("20", true, 10.0).as_deref(), Some("30"));
        assert_eq!(step("20", true, 0.1).as_deref(), Some("20.1"));
        assert_eq!(step("0", false, 1.0).as_deref(), Some("0"));
        assert_eq!(step("many", true, 1.0), None);
        assert_eq!(
            stepped("layers", "40", true, 0.1).as_deref(),
            Some("41"),
            "there is no tenth of a layer"
        );
    }

    #[test]
    fn a_drag_is_logarithmic_for_what_spans_decades() {
        assert_eq!(dragged("r_mb_s", 5000.0, 200.0, false), Some(50_000.0));
        assert_eq!(dragged("r_mb_s", 5000.0, -200.0, false), Some(500.0));
        assert_eq!(dragged("r_mb_s", 5000.0, 2.0, false), Some(5120.0));
        assert_eq!(dragged("r_mb_s", 5000.0, 1.9, false), Some(5000.0));
        assert_eq!(dragged("r_mb_s", 5000.0, 2.0, true), Some(5012.0));
        assert_eq!(dragged("r_mb_s", 5000.0, 1e6, false), Some(1e6));
        assert_eq!(dragged("prompt_tokens", 16.0, 2.0, false), Some(16.0));
        assert_eq!(dragged("prompt_tokens", 256.0, 20.0, false), Some(322.0));
        // Nothing times anything stays nothing: from 0 the last digit moves.
        assert_eq!(dragged("m_gb", 0.0, 20.0, false), Some(10.0));
    }

    #[test]
    fn a_drag_moves_the_last_digit_of_all_else() {
        assert_eq!(dragged("beta0_db", -47.2, 20.0, false), Some(-46.2));
        assert_eq!(dragged("beta0_db", -47.2, 20.0, true), Some(-47.1));
        assert_eq!(dragged("mu", 0.5, -4.0, false), Some(0.3));
        assert_eq!(dragged("layers", 40.0, 8.0, false), Some(44.0));
        assert_eq!(dragged("layers", 40.0, 8.0, true), Some(40.0));
        assert_eq!(dragged("mu", 0.5, 5000.0, false), Some(1.0));
    }
}
