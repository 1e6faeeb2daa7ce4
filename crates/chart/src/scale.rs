//! From data to pixels and back, round ticks, and one way to print the times of one chart.
//!
//! A scale knows the *visible* part of its data, so a chart that is zoomed in differs from one that is not
//! by its scale alone.

pub use engine::units::TimeFormat;
use engine::units::{MINUS, count};

/// A straight scale from a value to px.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueScale {
    from: f64,
    to: f64,
    px_at_from: f64,
    px_at_to: f64,
}

impl ValueScale {
    /// The scale that shows `from` at one pixel and `to` at another. A span of nothing is shown as one of 1.
    #[must_use]
    pub fn new((from, to): (f64, f64), (px_at_from, px_at_to): (f64, f64)) -> Self {
        let from = if from.is_finite() { from } else { 0.0 };
        let to = if to.is_finite() && to > from {
            to
        } else {
            from + 1.0
        };
        Self {
            from,
            to,
            px_at_from,
            px_at_to,
        }
    }

    /// Pixel of a value [px].
    #[must_use]
    pub fn px_from_value(&self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        self.px_at_from + share * (self.px_at_to - self.px_at_from)
    }

    /// Value at a pixel.
    #[must_use]
    pub fn value_from_px(&self, px: f64) -> f64 {
        let share = (px - self.px_at_from) / (self.px_at_to - self.px_at_from);
        self.from + share * (self.to - self.from)
    }

    /// Round values inside the visible part, 5 to 8 of them where 1-2-5 steps allow it, at least
    /// `least_px` apart. `already` counts labels that are on the axis anyway.
    #[must_use]
    pub fn ticks(&self, already: usize, least_px: f64) -> Ticks {
        let span = self.to - self.from;
        let px_per_unit = ((self.px_at_to - self.px_at_from) / span).abs();
        let lowest = libm::floor(libm::log10(span)) as i32 - 2;
        let mut best: Option<(usize, Ticks)> = None;
        for exponent in lowest..lowest + 4 {
            for mantissa in [1, 2, 5] {
                let ticks = Ticks::between(self.from, self.to, mantissa, exponent);
                let n = ticks.values.len() + already;
                let off = 5_usize.saturating_sub(n) + n.saturating_sub(8);
                let crowded = ticks.step * px_per_unit < least_px;
                if !crowded && best.as_ref().is_none_or(|(least, _)| off < *least) {
                    best = Some((off, ticks));
                }
            }
        }
        best.map_or_else(
            || Ticks {
                values: vec![self.from],
                step: span,
                decimals: 0,
            },
            |(_, ticks)| ticks,
        )
    }
}

/// Round values on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// The values, ascending.
    pub values: Vec<f64>,
    /// From one to the next.
    pub step: f64,
    /// Decimals that tell them apart.
    pub decimals: usize,
}

impl Ticks {
    fn between(from: f64, to: f64, mantissa: i64, exponent: i32) -> Self {
        // Whole multiples first and one division last: 3 * 0.1 is not 0.3, but 3 / 10 is.
        let power = libm::pow(10.0, f64::from(exponent.abs()));
        let value = |k: i64| {
            let whole = (k * mantissa) as f64;
            if exponent < 0 {
                whole / power
            } else {
                whole * power
            }
        };
        let step = value(1);
        // A hair of room, so that a span which is a whole number of steps keeps its last tick.
        let (first, last) = (
            libm::ceil(from / step - 1e-9) as i64,
            libm::floor(to / step + 1e-9) as i64,
        );
        let last = last.min(first.saturating_add(500));
        Self {
            values: (first..=last).map(value).collect(),
            step,
            decimals: usize::try_from(-exponent).unwrap_or(0),
        }
    }

    /// A tick as it is printed, without a unit.
    #[must_use]
    pub fn label(&self, value: f64) -> String {
        let text = if self.decimals == 0 {
            count(value)
        } else {
            format!("{value:.*}", self.decimals)
        };
        text.replace('-', &MINUS.to_string())
    }
}

/// The time axis of a Gantt: seconds to px, for the visible span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeScale(ValueScale);

impl From<ValueScale> for TimeScale {
    fn from(scale: ValueScale) -> Self {
        Self(scale)
    }
}

impl TimeScale {
    /// Shows the span from `from_s` to `to_s` [s] between two pixels.
    #[must_use]
    pub fn new(span_s: (f64, f64), px: (f64, f64)) -> Self {
        Self(ValueScale::new(span_s, px))
    }

    /// Pixel of a time [px], also outside the visible span.
    #[must_use]
    pub fn px_from_s(&self, s: f64) -> f64 {
        self.0.px_from_value(s)
    }

    /// Time at a pixel [s].
    #[must_use]
    pub fn s_from_px(&self, px: f64) -> f64 {
        self.0.value_from_px(px)
    }

    /// The visible span [s].
    #[must_use]
    pub fn span_s(&self) -> (f64, f64) {
        (self.0.from, self.0.to)
    }

    /// Left and right end of the axis [px].
    #[must_use]
    pub fn ends_px(&self) -> (f64, f64) {
        (self.0.px_at_from, self.0.px_at_to)
    }

    /// Returns true if a time is visible, with a tolerance for rounding of sums.
    #[must_use]
    pub fn shows(&self, s: f64) -> bool {
        let hair = 1e-9 * (self.0.to - self.0.from);
        s >= self.0.from - hair && s <= self.0.to + hair
    }

    /// The visible part of a span [s] as left and right edge [px], or `None` where nothing of it is seen.
    #[must_use]
    pub fn seen_px(&self, from_s: f64, to_s: f64) -> Option<(f64, f64)> {
        if from_s.is_nan() || to_s.is_nan() || from_s > self.0.to || to_s < self.0.from {
            return None;
        }
        Some((
            self.px_from_s(from_s.max(self.0.from)),
            self.px_from_s(to_s.min(self.0.to)),
        ))
    }

    pub(super) fn ticks(&self, format: TimeFormat, already: usize, least_px: f64) -> Ticks {
        let shown = ValueScale {
            from: self.0.from * format.per_second(),
            to: self.0.to * format.per_second(),
            ..self.0
        };
        shown.ticks(already, least_px)
    }
}

/// A scale on which each doubling takes the same way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogScale(ValueScale);

impl LogScale {
    /// Shows `from` at one pixel and `to` at another; both above 0. One value alone is in the middle.
    #[must_use]
    pub fn new((from, to): (f64, f64), (left_px, right_px): (f64, f64)) -> Self {
        let least = f64::MIN_POSITIVE;
        let (from, to) = (libm::log2(from.max(least)), libm::log2(to.max(least)));
        let span = if to > from {
            (from, to)
        } else {
            (from - 0.5, from + 0.5)
        };
        Self(ValueScale::new(span, (left_px, right_px)))
    }

    /// Pixel of a value above 0 [px].
    #[must_use]
    pub fn px_from_value(&self, value: f64) -> f64 {
        self.0
            .px_from_value(libm::log2(value.max(f64::MIN_POSITIVE)))
    }

    /// Value at a pixel.
    #[must_use]
    pub fn value_from_px(&self, px: f64) -> f64 {
        libm::exp2(self.0.value_from_px(px))
    }
}

/// Above this factor from end to end an axis goes by doublings.
const LOG_ABOVE: f64 = 8.0;

/// The axis of a parameter: straight, or by doublings where it spans more than a factor of eight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterScale {
    /// Each unit takes the same way.
    Straight(ValueScale),
    /// Each doubling takes the same way.
    Log(LogScale),
}

impl ParameterScale {
    /// Shows `from` at one pixel and `to` at another. One value alone is in the middle.
    #[must_use]
    pub fn new((from, to): (f64, f64), px: (f64, f64)) -> Self {
        if from > 0.0 && to > LOG_ABOVE * from {
            return Self::Log(LogScale::new((from, to), px));
        }
        Self::straight((from, to), px)
    }

    /// Creates a linear scale, however large the range.
    #[must_use]
    pub fn straight((from, to): (f64, f64), px: (f64, f64)) -> Self {
        let span = if to > from {
            (from, to)
        } else {
            (from - 0.5, from + 0.5)
        };
        Self::Straight(ValueScale::new(span, px))
    }

    /// Returns true for a logarithmic scale.
    #[must_use]
    pub const fn is_log(&self) -> bool {
        matches!(self, Self::Log(_))
    }

    /// Pixel of a value [px].
    #[must_use]
    pub fn px_from_value(&self, value: f64) -> f64 {
        match self {
            Self::Straight(scale) => scale.px_from_value(value),
            Self::Log(scale) => scale.px_from_value(value),
        }
    }

    /// Value at a pixel.
    #[must_use]
    pub fn value_from_px(&self, px: f64) -> f64 {
        match self {
            Self::Straight(scale) => scale.value_from_px(px),
            Self::Log(scale) => scale.value_from_px(px),
        }
    }

    /// Value at a pixel, rounded as far as the next pixel can be distinguished: the value of a pointer on the axis.
    #[must_use]
    pub fn round_value_from_px(&self, px: f64) -> f64 {
        let value = self.value_from_px(px);
        let apart = (self.value_from_px(px + 1.0) - value).abs();
        if !(value.is_finite() && apart > 0.0 && apart.is_finite()) {
            return value;
        }
        let exponent = libm::floor(libm::log10(apart));
        // Divided by a whole power of ten where the step is a fraction, so that no digit is added.
        let power = libm::pow(10.0, libm::fabs(exponent));
        if exponent < 0.0 {
            libm::round(value * power) / power
        } else {
            libm::round(value / power) * power
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::units::NARROW;

    #[test]
    fn values_survive_a_round_trip() {
        let scale = TimeScale::new((0.5, 2.5), (158.0, 966.0));
        assert_eq!(scale.px_from_s(0.5), 158.0);
        assert_eq!(scale.px_from_s(2.5), 966.0);
        for s in [0.0, 0.7, 1.982, 3.0] {
            assert!((scale.s_from_px(scale.px_from_s(s)) - s).abs() < 1e-12);
        }
        assert_eq!(scale.seen_px(0.0, 1.5), Some((158.0, 562.0)));
        assert_eq!(scale.seen_px(2.6, 3.0), None);
        let log = LogScale::new((256.0, 8192.0), (38.0, 538.0));
        assert!((log.px_from_value(512.0) - 138.0).abs() < 1e-9);
        assert!((log.value_from_px(238.0) - 1024.0).abs() < 1e-9);
        let one = LogScale::new((256.0, 256.0), (0.0, 100.0));
        assert_eq!(one.px_from_value(256.0), 50.0);
    }

    #[test]
    fn a_parameter_goes_by_doublings_where_it_spans_many() {
        let px = (38.0, 538.0);
        assert!(ParameterScale::new((256.0, 8192.0), px).is_log());
        for (from, to) in [(1000.0, 8000.0), (0.0, 100.0), (-1.0, 1.0), (7.0, 7.0)] {
            let scale = ParameterScale::new((from, to), px);
            assert!(!scale.is_log(), "{from} {to}");
            let middle = scale.px_from_value((from + to) / 2.0);
            assert!((middle - 288.0).abs() < 1e-9, "{from} {to}: {middle}");
        }
        // A pixel is worth 0.7 % here: whole tokens at the left, tens at the right.
        let tokens = ParameterScale::new((256.0, 8192.0), px);
        assert_eq!(tokens.round_value_from_px(38.0), 256.0);
        assert_eq!(tokens.round_value_from_px(538.0), 8190.0);
        let fine = ParameterScale::new((0.1, 0.2), px);
        assert_eq!(fine.round_value_from_px(288.0), 0.15);
    }

    #[test]
    fn a_span_of_nothing_is_no_division_by_it() {
        for (from, to) in [
            (0.0, 0.0),
            (1.0, 0.0),
            (0.0, f64::NAN),
            (0.0, f64::INFINITY),
        ] {
            let scale = TimeScale::new((from, to), (0.0, 100.0));
            assert_eq!(scale.px_from_s(from), 0.0);
            assert_eq!(scale.px_from_s(from + 1.0), 100.0);
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        let labels = |from: f64, to: f64, already| {
            let ticks = ValueScale::new((from, to), (0.0, 800.0)).ticks(already, 40.0);
            ticks
                .values
                .iter()
                .map(|v| ticks.label(*v))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            labels(0.0, 2.56199, 1),
            ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]
        );
        assert_eq!(labels(0.0, 13.4, 0), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(
            labels(0.0, 50_000.0, 0),
            [
                "0",
                "10\u{202f}000",
                "20\u{202f}000",
                "30\u{202f}000",
                "40\u{202f}000",
                "50\u{202f}000"
            ]
        );
        assert_eq!(
            labels(1.981, 1.984, 0),
            [
                "1.9810", "1.9815", "1.9820", "1.9825", "1.9830", "1.9835", "1.9840"
            ]
        );
        // Any span, from a microsecond to a day: 5 to 8 labels, or one off where 1-2-5 leaves no choice.
        for k in 1..2000 {
            let to = 1e-6 * libm::exp2(f64::from(k) * 0.0183);
            let n = labels(0.0, to, 1).len() + 1;
            assert!((5..=9).contains(&n), "{to}: {n}");
        }
    }

    #[test]
    fn crowded_ticks_are_thinned() {
        let ticks = ValueScale::new((0.0, 7.0), (0.0, 120.0)).ticks(0, 40.0);
        assert!(ticks.step * 120.0 / 7.0 >= 40.0);
        assert!(
            !ValueScale::new((0.0, 7.0), (0.0, 1.0))
                .ticks(0, 40.0)
                .values
                .is_empty()
        );
    }

    #[test]
    fn one_unit_per_chart() {
        let plain = |text: String| text.replace(NARROW, " ");
        let seconds = TimeFormat::of_largest(2.56199);
        assert_eq!(seconds.figure(0.020344), "0.020");
        assert_eq!(plain(seconds.with_unit(2.56199)), "2.562 s");
        assert_eq!(seconds.spell_out_span(0.0, 1.981809), "0 to 1.982 seconds");
        let short = TimeFormat::of_largest(0.0203);
        assert_eq!(plain(short.with_unit(0.0021)), "2.1 ms");
        assert_eq!(short.spell_out(0.0203), "20.3 milliseconds");
        assert_eq!(TimeFormat::of_largest(0.01).figure(0.01), "10.0");
        assert_eq!(TimeFormat::of_largest(45.0).figure(1.5), "1.50");
        assert_eq!(
            plain(TimeFormat::of_largest(12_345.0).with_unit(12_345.4)),
            "12 345 s"
        );
        assert_eq!(TimeFormat::of_largest(0.0).figure(0.0), "0.000");
        assert_eq!(seconds.with_unit(f64::INFINITY), "never");
    }
}
