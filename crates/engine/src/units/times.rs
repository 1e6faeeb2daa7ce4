//! Times that are together: one unit and one count of decimals for all of them.

use super::{NARROW, count};

/// How the times that are together are printed: in one unit and with one count of decimals, taken from the
/// largest, so that figures in a chart or a table can be compared and added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeFormat {
    per_second: f64,
    decimals: usize,
    unit: &'static str,
    word: &'static str,
}

impl TimeFormat {
    /// The format for times the largest of which is `largest_s` [s].
    #[must_use]
    pub fn of_largest(largest_s: f64) -> Self {
        let size = largest_s.abs();
        if size > 0.0 && size < 0.099_95 {
            let ms = size * 1e3;
            // Three significant digits of the largest.
            let exponent = libm::floor(libm::log10(ms) + 1e-9);
            return Self {
                per_second: 1e3,
                decimals: (2.0 - exponent).clamp(0.0, 9.0) as usize,
                unit: "ms",
                word: "milliseconds",
            };
        }
        // The limits are at the rounded value, as everywhere else times are printed.
        let decimals = match size {
            s if s < 9.9995 => 3,
            s if s < 99.995 => 2,
            s if s < 999.95 => 1,
            _ => 0,
        };
        Self {
            per_second: 1.0,
            decimals,
            unit: "s",
            word: "seconds",
        }
    }

    /// How many of the printed unit make a second: 1 or 1000.
    #[must_use]
    pub const fn per_second(&self) -> f64 {
        self.per_second
    }

    /// How many decimals are printed.
    #[must_use]
    pub const fn decimals(&self) -> usize {
        self.decimals
    }

    /// The figure alone: `1.982`.
    #[must_use]
    pub fn figure(&self, s: f64) -> String {
        let value = s * self.per_second;
        if !value.is_finite() {
            "never".into()
        } else if self.decimals == 0 {
            count(value)
        } else {
            format!("{value:.*}", self.decimals)
        }
    }

    /// Figure and unit: `1.982 s`.
    #[must_use]
    pub fn with_unit(&self, s: f64) -> String {
        if !s.is_finite() {
            return "never".into();
        }
        format!("{}{NARROW}{}", self.figure(s), self.unit)
    }

    /// The sign of the unit, `s` or `ms`.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        self.unit
    }

    /// A time as it is spoken, `1.982 seconds`.
    #[must_use]
    pub fn spell_out(&self, s: f64) -> String {
        if !s.is_finite() {
            return "never".into();
        }
        format!("{} {}", self.bare(s), self.word)
    }

    /// A span as it is spoken: `0 to 1.982 seconds`.
    #[must_use]
    pub fn spell_out_span(&self, from_s: f64, to_s: f64) -> String {
        format!("{} to {}", self.bare(from_s), self.spell_out(to_s))
    }

    /// Seconds from a figure in the printed unit.
    #[must_use]
    pub fn s_from_figure(&self, figure: f64) -> f64 {
        figure / self.per_second
    }

    /// Formats a time without its unit; zero without decimals.
    fn bare(&self, s: f64) -> String {
        if s == 0.0 { "0".into() } else { self.figure(s) }
    }
}
