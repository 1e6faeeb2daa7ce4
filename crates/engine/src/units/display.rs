//! How quantities are printed, in one place, so that the page, the command line and the exports agree.
//!
//! A narrow no-break space is between number and unit; the decimal mark is always a point.

/// Narrow no-break space: between a number and its unit.
pub const NARROW: char = '\u{202f}';
/// The sign of a negative number in running text.
pub const MINUS: char = '\u{2212}';

/// Seconds: three decimals below 10 s, two below 100 s, one below 1000 s, then minutes; milliseconds with
/// three significant digits below 0.1 s.
///
/// ```
/// assert_eq!(edgewise::units::seconds(2.56199), "2.562\u{202f}s");
/// assert_eq!(edgewise::units::seconds(0.0203), "20.3\u{202f}ms");
/// assert_eq!(edgewise::units::seconds(1032.0), "17\u{202f}min 12\u{202f}s");
/// ```
#[must_use]
pub fn seconds(s: f64) -> String {
    if !s.is_finite() {
        return "never".into();
    }
    let size = s.abs();
    // The limits are at the rounded value, so that 9.9996 s is not printed as "10.000 s".
    if size == 0.0 {
        format!("0{NARROW}s")
    } else if size < 0.099_95 {
        format!("{}{NARROW}ms", significant(s * 1e3, 3))
    } else if size < 9.9995 {
        format!("{s:.3}{NARROW}s")
    } else if size < 99.995 {
        format!("{s:.2}{NARROW}s")
    } else if size < 999.95 {
        format!("{s:.1}{NARROW}s")
    } else {
        let whole = libm::round(s);
        let minutes = libm::trunc(whole / 60.0);
        if minutes >= 600.0 {
            return format!("{}{NARROW}h", significant(s / 3600.0, 3));
        }
        format!(
            "{minutes}{NARROW}min {}{NARROW}s",
            libm::fabs(whole - 60.0 * minutes)
        )
    }
}

/// A rate of tokens with three significant digits: `12.4 tokens per second`.
///
/// ```
/// assert_eq!(edgewise::units::tokens_a_second(12.44), "12.4 tokens per second");
/// ```
#[must_use]
pub fn tokens_a_second(rate: f64) -> String {
    let digits = if rate.is_finite() && rate < 999.5 {
        significant(rate, 3)
    } else {
        count(libm::round(rate))
    };
    format!("{digits} tokens per second")
}

/// Bytes with a decimal prefix and three significant digits: `9.91 GB`.
#[must_use]
pub fn bytes(b: f64) -> String {
    prefixed(b, &["B", "kB", "MB", "GB", "TB", "PB"])
}

/// Energy with a decimal prefix and three significant digits: `26.4 J`.
#[must_use]
pub fn energy(j: f64) -> String {
    prefixed(j, &["J", "kJ", "MJ", "GJ"])
}

/// Bytes with a binary prefix and three significant digits, for memory counted as MemoriaNova does: 1 MiB = 2^20 bytes.
///
/// ```
/// assert_eq!(edgewise::units::binary_bytes(4_014_080.0), "3.83\u{202f}MiB");
/// assert_eq!(edgewise::units::binary_bytes(1023.0), "1023\u{202f}B");
/// ```
#[must_use]
pub fn binary_bytes(b: f64) -> String {
    let unit = BinaryUnit::of_largest(b);
    let value = b / unit.bytes();
    // Three digits are less than there are in 1023 of a unit.
    if value.abs() >= 999.5 || unit == BinaryUnit::Byte {
        return format!("{value:.0}{NARROW}{}", unit.name());
    }
    format!("{}{NARROW}{}", significant(value, 3), unit.name())
}

/// The unit of all sizes of one chart or table, so that they compare at sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryUnit {
    /// Bytes.
    Byte,
    /// 2^10 bytes.
    Kibi,
    /// 2^20 bytes.
    Mebi,
    /// 2^30 bytes.
    Gibi,
    /// 2^40 bytes.
    Tebi,
}

impl BinaryUnit {
    /// The largest unit of which there is at least one in so many bytes; bytes where that is less than 1 KiB or no number.
    #[must_use]
    pub fn of_largest(bytes: f64) -> Self {
        let fits = |unit: &Self| bytes.is_finite() && bytes.abs() >= unit.bytes();
        [Self::Tebi, Self::Gibi, Self::Mebi, Self::Kibi]
            .into_iter()
            .find(fits)
            .unwrap_or(Self::Byte)
    }

    /// Its sign: `MiB`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Byte => "B",
            Self::Kibi => "KiB",
            Self::Mebi => "MiB",
            Self::Gibi => "GiB",
            Self::Tebi => "TiB",
        }
    }

    /// How many bytes it is.
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Byte => 1.0,
            Self::Kibi => 1024.0,
            Self::Mebi => 1_048_576.0,
            Self::Gibi => 1_073_741_824.0,
            Self::Tebi => 1_099_511_627_776.0,
        }
    }

    /// Bytes in this unit, without its sign: two decimals, none for bytes.
    #[must_use]
    pub fn plain(self, bytes: f64) -> String {
        let value = bytes / self.bytes();
        match self {
            Self::Byte => count(value),
            _ => format!("{value:.2}"),
        }
    }

    /// Bytes in this unit with its sign, one decimal from 100 on; what would be printed as zero and is none has a smaller
    /// unit.
    #[must_use]
    pub fn format(self, bytes: f64) -> String {
        if bytes > 0.0 && bytes < 0.005 * self.bytes() {
            return binary_bytes(bytes);
        }
        let value = bytes / self.bytes();
        if self != Self::Byte && value.abs() >= 99.995 {
            return format!("{value:.1}{NARROW}{}", self.name());
        }
        format!("{}{NARROW}{}", self.plain(bytes), self.name())
    }
}

/// Memory as headlines and tables have it: MiB with two decimals from a tenth of one on, so that parts and their sum
/// compare; KiB and bytes below, GiB from ten thousand MiB on.
///
/// ```
/// assert_eq!(edgewise::units::memory(4_014_080.0), "3.83\u{202f}MiB");
/// assert_eq!(edgewise::units::memory(13_824.0), "13.5\u{202f}KiB");
/// ```
#[must_use]
pub fn memory(b: f64) -> String {
    let mebi = b.abs() / BinaryUnit::Mebi.bytes();
    let unit = match b.abs() {
        size if size < 999.5 => BinaryUnit::Byte,
        _ if mebi < 0.0995 => {
            let kibi = significant(b / BinaryUnit::Kibi.bytes(), 3);
            return format!("{kibi}{NARROW}{}", BinaryUnit::Kibi.name());
        }
        _ if mebi < 9999.995 => BinaryUnit::Mebi,
        _ => BinaryUnit::Gibi,
    };
    format!("{}{NARROW}{}", unit.plain(b), unit.name())
}

/// Arithmetic with a decimal prefix and three significant digits: `183 GFLOP`.
#[must_use]
pub fn work(flop: f64) -> String {
    prefixed(
        flop,
        &["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"],
    )
}

/// A link rate in Mbit/s, whole above 100: `1721 Mbit/s`.
#[must_use]
pub fn rate_mbit(bits_per_second: f64) -> String {
    let mbit = bits_per_second / 1e6;
    let digits = if mbit.abs() >= 99.95 {
        format!("{mbit:.0}")
    } else {
        significant(mbit, 3)
    };
    format!("{digits}{NARROW}Mbit/s")
}

/// A compute rate in TFLOPS with three significant digits: `8.08 TFLOPS`.
#[must_use]
pub fn tflops(flops_per_second: f64) -> String {
    format!("{}{NARROW}TFLOPS", significant(flops_per_second / 1e12, 3))
}

/// A percentage with `decimals` decimals, `<0.1 %` rather than a zero that is none.
#[must_use]
pub fn percent(value: f64, decimals: usize) -> String {
    let least = 0.5 * libm::pow(10.0, -(decimals as f64));
    if value > 0.0 && value < least {
        return format!("<{:.*}{NARROW}%", decimals, 2.0 * least);
    }
    let sign = if value < 0.0 {
        MINUS.to_string()
    } else {
        String::new()
    };
    format!("{sign}{:.*}{NARROW}%", decimals, value.abs())
}

/// A whole number, with narrow spaces between thousands from 10 000 on.
#[must_use]
pub fn count(n: f64) -> String {
    let digits = format!("{n:.0}");
    if n.abs() < 9999.5 {
        return digits;
    }
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits.as_str()), |rest| ("\u{2212}", rest));
    let mut out = String::from(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(NARROW);
        }
        out.push(c);
    }
    out
}

fn prefixed(value: f64, units: &[&str]) -> String {
    let mut value = value;
    let mut unit = 0;
    while value.abs() >= 999.5 && unit + 1 < units.len() {
        value /= 1e3;
        unit += 1;
    }
    format!("{}{NARROW}{}", significant(value, 3), units[unit])
}

/// A number with so many significant digits, by way of its decimal form: the one that would be typed.
#[must_use]
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// `digits` significant digits without an exponent.
fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value:.0}");
    }
    // Let the formatter round first: 9.996 has one digit before the point only until it becomes 10.0.
    let scientific = format!("{:.*e}", digits - 1, value);
    let exponent: i32 = scientific
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let decimals = (digits as i32 - 1 - exponent).clamp(0, 12) as usize;
    format!("{value:.decimals$}")
}

/// Words as they begin a sentence. Letters beyond ASCII stay: a micro sign is none to begin with.
#[must_use]
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_what_would_be_typed() {
        for (value, shown) in [
            (206.25, "206.25"),
            (3.0 / 1.25, "2.4"),
            (17.123_456_789, "17.1235"),
            (-0.000_123_456_78, "-0.000123457"),
            (0.0, "0"),
        ] {
            assert_eq!(rounded(value, 6).to_string(), shown);
        }
        assert_eq!(rounded(17.123, 1), 20.0);
        assert!(rounded(f64::NAN, 6).is_nan() && rounded(f64::INFINITY, 6).is_infinite());
    }

    #[test]
    fn seconds_change_form_at_the_rounded_limit() {
        let plain = |s: f64| seconds(s).replace(NARROW, " ");
        assert_eq!(plain(0.0), "0 s");
        assert_eq!(plain(0.000_001_5), "0.00150 ms");
        assert_eq!(plain(0.099_94), "99.9 ms");
        assert_eq!(plain(0.099_96), "0.100 s");
        assert_eq!(plain(9.999_4), "9.999 s");
        assert_eq!(plain(9.999_6), "10.00 s");
        assert_eq!(plain(638.2), "638.2 s");
        assert_eq!(plain(1032.0), "17 min 12 s");
        assert_eq!(plain(f64::INFINITY), "never");
    }

    #[test]
    fn sizes_and_rates() {
        let plain = |s: String| s.replace(NARROW, " ");
        assert_eq!(plain(bytes(660_602_880.0)), "661 MB");
        assert_eq!(plain(bytes(26.424e9)), "26.4 GB");
        assert_eq!(plain(bytes(0.0)), "0 B");
        assert_eq!(plain(memory(0.0)), "0 B");
        assert_eq!(plain(memory(999.0)), "999 B");
        assert_eq!(plain(memory(1000.0)), "0.977 KiB");
        assert_eq!(plain(memory(104_857.6)), "0.10 MiB");
        assert_eq!(plain(memory(6_488_976_261.0)), "6188.37 MiB");
        assert_eq!(plain(memory(10_737_418_240.0)), "10.00 GiB");
        assert_eq!(plain(rate_mbit(1_720.993e6)), "1721 Mbit/s");
        assert_eq!(plain(rate_mbit(54.04e6)), "54.0 Mbit/s");
        assert_eq!(plain(tflops(8.0781e12)), "8.08 TFLOPS");
        assert_eq!(plain(percent(8.8186, 1)), "8.8 %");
        assert_eq!(plain(percent(0.02, 1)), "<0.1 %");
        assert_eq!(plain(percent(-3.25, 1)), "\u{2212}3.2 %");
        assert_eq!(plain(count(1_234_567.0)), "1 234 567");
        assert_eq!(count(8192.0), "8192");
    }

    #[test]
    fn a_sentence_begins_with_a_capital() {
        for (words, begun) in [
            ("layers", "Layers"),
            ("P95", "P95"),
            ("\u{b5}s", "\u{b5}s"),
            ("", ""),
        ] {
            assert_eq!(capital(words), begun);
        }
    }

    #[test]
    fn binary_sizes_change_unit_at_two_to_the_tenth() {
        let plain = |s: String| s.replace(NARROW, " ");
        assert_eq!(plain(binary_bytes(0.0)), "0 B");
        assert_eq!(plain(binary_bytes(1.0)), "1 B");
        assert_eq!(plain(binary_bytes(1024.0)), "1.00 KiB");
        assert_eq!(plain(binary_bytes(1_048_575.0)), "1024 KiB");
        assert_eq!(plain(binary_bytes(20.5 * 1_048_576.0)), "20.5 MiB");
        assert_eq!(plain(binary_bytes(1.5 * 1_073_741_824.0)), "1.50 GiB");
        assert_eq!(plain(binary_bytes(f64::INFINITY)), "inf B");
        let unit = BinaryUnit::of_largest(4_014_080.0);
        assert_eq!(plain(unit.format(4_014_080.0)), "3.83 MiB");
        assert_eq!(plain(unit.format(0.0)), "0.00 MiB");
        assert_eq!(plain(unit.format(139.7 * 1_048_576.0)), "139.7 MiB");
        assert_eq!(unit.plain(139.7 * 1_048_576.0), "139.70");
        assert_eq!(plain(unit.format(4000.0)), "3.91 KiB");
        assert_eq!(plain(BinaryUnit::Byte.format(12.0)), "12 B");
        assert_eq!(BinaryUnit::of_largest(f64::NAN), BinaryUnit::Byte);
    }
}
