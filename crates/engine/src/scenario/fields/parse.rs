//! Reads what the user typed into a field: a number with a decimal point or comma, spaces between thousands, and
//! any unit of the field's own kind behind it. What a field holds is always in the unit of its range.

use super::kinds::Scale::{Level, Plus, Ratio, Shift};
use super::of;

/// Reads what the user typed into a field, in the field's own unit.
///
/// Levels that come from a power ("100 mW" in dBm) are kept to a ten-thousandth of a decibel. Prefixes of storage
/// rates and powers are read as written, because `mb` could be a bit or a byte and `M` is no `m`; elsewhere capitals
/// do not matter.
///
/// # Errors
/// A sentence that goes on from the field's name: "must be a number from …", with the units that are read when the
/// unit was the trouble.
pub fn parse(field: &str, typed: &str) -> Result<f64, String> {
    let range = of(field).expect("every number of the schema has a row");
    let refused = || format!("must be {}", range.range_text());
    let (digits, unit) = split(typed.trim());
    let (mantissa, exponent) = number(&digits).ok_or_else(refused)?;
    let known = range.kind.units;
    let scale = match range.kind.find(unit) {
        Some(scale) => scale,
        None if unit.is_empty() => Shift(0),
        None if known.is_empty() => return Err(format!("{} without a unit", refused())),
        None => {
            let own = known[0].0;
            let others = known.iter().map(|(name, _)| *name).skip(1);
            let others: Vec<&str> = others.filter(|name| *name != own).collect();
            return Err(match others.as_slice() {
                [] => format!("{} (the only unit accepted here is {own})", refused()),
                _ => format!(
                    "{} (other units accepted: {})",
                    refused(),
                    others.join(", ")
                ),
            });
        }
    };
    let shifted = |by: i32| format!("{mantissa}e{}", exponent.saturating_add(by)).parse::<f64>();
    let value = match scale {
        Shift(by) => shifted(by),
        Ratio(times, over) => shifted(0).map(|value| value * times / over),
        Plus(level) => shifted(0).map(|value| value + level),
        Level(by) => shifted(by).map(|mw| libm::round(10.0 * libm::log10(mw) * 1e4) / 1e4),
    };
    value
        .ok()
        .filter(|value| range.allows(*value))
        .ok_or_else(refused)
}

/// The units that a field takes, its own first.
pub fn units_of(field: &str) -> impl Iterator<Item = &'static str> {
    let units = of(field).map_or(&[][..], |field| field.kind.units);
    units.iter().map(|(name, _)| *name)
}

/// Returns true if a field accepts this unit.
#[must_use]
pub fn accepts_unit(field: &str, typed: &str) -> bool {
    of(field).is_some_and(|field| field.kind.find(typed).is_some())
}

/// The unit of a field that tables of others spell so: `MB/sec`, `GBps`, `Gbps`, `mb/s`. A unit in small letters throughout is that
/// of the field, since people write heads so; `Mb/s`, where the case of one letter makes a factor of eight, is none.
#[must_use]
pub fn spelled_unit(field: &str, typed: &str) -> Option<&'static str> {
    let own = of(field)?.kind;
    let known = |name: &str| {
        own.units
            .iter()
            .map(|(unit, _)| *unit)
            .find(|unit| *unit == name)
    };
    if own.find(typed).is_some() {
        return own
            .units
            .iter()
            .map(|(unit, _)| *unit)
            .find(|unit| unit.eq_ignore_ascii_case(typed));
    }
    let plain = typed
        .replace("/sec", "/s")
        .replace("/S", "/s")
        .replace("per second", "/s")
        .replace(' ', "");
    let bits = [
        "kbps",
        "Mbps",
        "Gbps",
        "mbps",
        "gbps",
        "Mbits/s",
        "Gbits/s",
        "Mbits/sec",
        "Gbits/sec",
    ];
    if bits.contains(&plain.as_str()) {
        let prefix = match plain.chars().next()? {
            'k' => "kbit/s",
            'm' | 'M' => "Mbit/s",
            _ => "Gbit/s",
        };
        return known(prefix);
    }
    let plain = match plain.strip_suffix("Bps") {
        Some(prefix) => format!("{prefix}B/s"),
        None => plain,
    };
    let is_small = plain.chars().all(|c| !c.is_ascii_uppercase());
    let units = || own.units.iter().map(|(unit, _)| *unit);
    known(&plain).or_else(|| {
        units().find(|unit| is_small && unit.eq_ignore_ascii_case(&plain) && !unit.contains("bit"))
    })
}

/// Reads a cell of a table of others: as [`parse`], with units as [`spelled_unit`] knows them, and the kind of a memory behind it
/// (`24 GB GDDR6X`) left away.
///
/// # Errors
/// As [`parse`].
pub fn parse_cell(field: &str, typed: &str) -> Result<f64, String> {
    let read = parse(field, typed);
    if read.is_ok() {
        return read;
    }
    let (digits, rest) = split(typed.trim());
    let words = rest.split([' ', ',']).filter(|word| !word.is_empty());
    let unit: Vec<&str> = words.filter(|word| !is_memory_kind(word)).collect();
    match spelled_unit(field, &unit.join(" ")) {
        Some(unit) => parse(field, &format!("{digits} {unit}")),
        None => read,
    }
}

/// Returns true for the kind of a memory.
fn is_memory_kind(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    let kinds = [
        "GDDR", "HBM", "DDR", "LPDDR", "RAM", "VRAM", "SDRAM", "UNIFIED", "ECC",
    ];
    kinds.iter().any(|kind| word.starts_with(kind))
}

/// The number in front, without spaces, and the rest.
fn split(text: &str) -> (String, &str) {
    let mut digits = String::new();
    let mut rest = text.char_indices().peekable();
    while let Some((_, c)) = rest.peek().copied() {
        let follows = |text: &str| {
            let text = text.trim_start_matches(['-', '+']);
            text.starts_with(|c: char| c.is_ascii_digit())
        };
        match c {
            '0'..='9' | '.' | ',' => digits.push(c),
            '+' => digits.push('+'),
            '-' | '\u{2212}' => digits.push('-'),
            'e' | 'E' if rest.peek().is_some_and(|(at, _)| follows(&text[at + 1..])) => {
                digits.push('e');
            }
            c if c.is_whitespace() => {}
            _ => break,
        }
        rest.next();
    }
    let at = rest.peek().map_or(text.len(), |(at, _)| *at);
    // "5 1/token": the figure belongs to the unit.
    if let Some(rest) = text.trim_end().strip_suffix("1/token")
        && rest.ends_with(char::is_whitespace)
    {
        let digits = rest.chars().filter(|c| !c.is_whitespace()).collect();
        return (digits, "1/token");
    }
    (digits, text[at..].trim())
}

/// Mantissa and exponent of a number, if it is one.
fn number(digits: &str) -> Option<(String, i32)> {
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let mut mantissa = mantissa.replace('\u{2212}', "-");
    // One comma and no point is a decimal comma; anything else with commas could mean two numbers.
    if mantissa.matches(',').count() == 1 && !mantissa.contains('.') {
        mantissa = mantissa.replace(',', ".");
    }
    mantissa.parse::<f64>().ok()?;
    // An exponent beyond 32 bits is a slip.
    let exponent = exponent.parse::<i32>().ok()?;
    mantissa
        .contains(|c: char| c.is_ascii_digit())
        .then_some((mantissa, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_people_type_them() {
        for (typed, value) in [
            ("5000", 5000.0),
            (" 5 000 MB/s ", 5000.0),
            ("5\u{202f}000", 5000.0),
            ("0,5", 0.5),
            ("5e3", 5000.0),
            ("5E+3", 5000.0),
            ("4.25", 4.25),
        ] {
            assert_eq!(parse("r_mb_s", typed), Ok(value), "{typed}");
        }
        assert_eq!(parse("N0_dbm_hz", "\u{2212}174 dBm/Hz"), Ok(-174.0));
        assert_eq!(parse("prompt_tokens", "256 tokens"), Ok(256.0));
    }

    #[test]
    fn converts_units_of_the_same_kind() {
        for (field, typed, value) in [
            ("B_mhz", "1.5 GHz", 1500.0),
            ("B_mhz", "160000kHz", 160.0),
            ("B_mhz", "80 mhz", 80.0),
            ("m_gb", "8 GiB", 8.589_934_592),
            ("m_gb", "512 MB", 0.512),
            ("m_gb", "16gb", 16.0),
            ("r_mb_s", "0.9 GB/s", 900.0),
            ("r_mb_s", "0,57 GB/s", 570.0),
            ("r_mb_s", "0.9 Gbit/s", 112.5),
            ("r_mb_s", "1 MiB/s", 1.048_576),
            ("c_peak_tflops", "500 GFLOPS", 0.5),
            ("c_peak_tflops", "1.2e3 GFLOP/s", 1.2),
            ("d_m", "3 km", 3000.0),
            ("d_m", "250 cm", 2.5),
            ("d_m", "7cm", 0.07),
            ("pu_dbm", "100 mW", 20.0),
            ("pu_dbm", "0.1 W", 20.0),
            ("pd_dbm", "-10 dBW", 20.0),
            ("pd_dbm", "150 mW", 21.7609),
            ("beta0_db", "-47,2 dB", -47.2),
            ("prompt_tokens", "4k", 4000.0),
            ("prompt_tokens", "8 Ki", 8192.0),
            ("P", "660.6 MB", 660.6e6),
            ("W", "170 GFLOP", 1.7e11),
            ("mu", "50 %", 0.5),
            ("b", "5.1e-4 1/token", 5.1e-4),
            ("b", "0.001 per token", 0.001),
            ("W", "183 GFLOPs", 1.83e11),
            ("A", "2,6 MB", 2.6e6),
            ("P", "12 bytes", 12.0),
        ] {
            assert_eq!(parse(field, typed), Ok(value), "{field}: {typed}");
        }
    }

    #[test]
    fn refuses_what_is_no_number_in_range_and_says_what_is() {
        let typed = [
            "",
            "fast",
            "0",
            "-3",
            "1,000,000",
            "1,000.5",
            "NaN",
            "inf",
            "1e999",
            "1e99999999999",
            "--1",
            "1..2",
            "\u{202e}7",
            "MB/s",
            ".",
        ];
        for typed in typed {
            assert_eq!(
                parse("r_mb_s", typed),
                Err("must be a number from 0.01 to 1000000 MB/s".to_owned()),
                "{typed}"
            );
        }
        assert!(parse("prompt_tokens", "12.5").is_err());
        assert!(parse("pu_dbm", "0 mW").is_err());
        assert!(parse("pu_dbm", "-1 mW").is_err());
    }

    #[test]
    fn refuses_a_unit_of_another_kind_and_names_those_it_reads() {
        assert_eq!(
            parse("m_gb", "8 GHz"),
            Err("must be a number from 0 to 100000 GB \
                 (other units accepted: B, kB, MB, TB, KiB, MiB, GiB, TiB)"
                .to_owned())
        );
        assert_eq!(
            parse("beta0_db", "-47 dBm"),
            Err(
                "must be a number from -150 to 0 dB (the only unit accepted here is dB)".to_owned()
            )
        );
        assert_eq!(
            parse("layers", "40 km"),
            Err("must be a whole number from 1 to 1000 without a unit".to_owned())
        );
        // A small b could be a bit, a capital M is a million.
        assert!(parse("r_mb_s", "900 Mb/s").is_err());
        assert!(parse("pu_dbm", "100 MW").is_err());
        for typed in ["0x10", "12 34x", "5000 kg"] {
            let fault = parse("r_mb_s", typed).expect_err("it has no such unit");
            assert!(fault.contains("0.01 to 1000000 MB/s"), "{fault}");
            assert!(fault.contains("GB/s") || typed == "0x10", "{fault}");
        }
    }
}
