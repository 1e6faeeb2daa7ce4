//! How quantities are printed, in one place, so that the page, the command line and the exports agree.
//!
//! A narrow no-break space stands between number and unit; the decimal mark is always a point.

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
    // The limits stand at the rounded value, so that 9.9996 s is not printed as "10.000 s".
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

/// Bytes with a decimal prefix and three significant digits: `9.91 GB`.
#[must_use]
pub fn bytes(b: f64) -> String {
    prefixed(b, &["B", "kB", "MB", "GB", "TB", "PB"])
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

/// A percentage with `decimals` decimals, `<0.1 %` rather than a nought that is none.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(plain(rate_mbit(1_720.993e6)), "1721 Mbit/s");
        assert_eq!(plain(rate_mbit(54.04e6)), "54.0 Mbit/s");
        assert_eq!(plain(tflops(8.0781e12)), "8.08 TFLOPS");
        assert_eq!(plain(percent(8.8186, 1)), "8.8 %");
        assert_eq!(plain(percent(0.02, 1)), "<0.1 %");
        assert_eq!(plain(percent(-3.25, 1)), "\u{2212}3.2 %");
        assert_eq!(plain(count(1_234_567.0)), "1 234 567");
        assert_eq!(count(8192.0), "8192");
    }
}
