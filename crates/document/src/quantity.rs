//! A number that a reader sees: with its unit, the formula it comes from and what went into it.

use super::wire::{Name, names, two_forms};
use engine::units::{self, NARROW, TimeFormat};
use serde::{Deserialize, Serialize, Serializer};

/// Unit of a quantity, which decides how it is formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A time \[s\].
    Seconds,
    /// A time \[ms\] that stays in milliseconds, however long it is.
    Milliseconds,
    /// An amount of data \[B\], in powers of ten.
    Bytes,
    /// An amount of memory \[B\], in powers of two.
    BinaryBytes,
    /// An amount of memory \[B\] whose parts and sum are compared: MiB with two decimals.
    Memory,
    /// Energy \[J\].
    Joules,
    /// A share of a whole, 1 for all of it; read in percent with one decimal.
    Share,
    /// A share that is read in whole percent.
    WholeShare,
    /// Requests a second.
    RequestsPerSecond,
    /// Tokens a second.
    TokensPerSecond,
    /// Millionths of a US dollar.
    MicroDollars,
    /// How many.
    Count,
}

impl Unit {
    /// Its sign, for programs and for numbers in full.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Bytes | Self::BinaryBytes | Self::Memory => "B",
            Self::Joules => "J",
            Self::RequestsPerSecond => "requests/s",
            Self::TokensPerSecond => "tokens/s",
            Self::MicroDollars => "micro-dollars",
            Self::Share | Self::WholeShare | Self::Count => "",
        }
    }

    /// A number of it as a reader sees it.
    #[must_use]
    pub fn format(self, value: f64) -> String {
        if !value.is_finite() {
            return "never".to_owned();
        }
        match self {
            Self::Seconds => units::seconds(value),
            Self::Milliseconds => millis(value),
            Self::Bytes => units::bytes(value),
            Self::BinaryBytes => units::binary_bytes(value),
            Self::Memory => units::memory(value),
            Self::Joules => units::energy(value),
            Self::Share => units::percent(100.0 * value, 1),
            Self::WholeShare => units::percent(100.0 * value, 0),
            Self::RequestsPerSecond => rate(value),
            Self::TokensPerSecond => units::tokens_a_second(value),
            Self::MicroDollars => money(value),
            Self::Count => units::count(value),
        }
    }
}

/// A number below this many of something has one digit more, so that three digits count.
const fn digits(size: f64) -> usize {
    match size {
        n if n >= 100.0 => 0,
        n if n >= 10.0 => 1,
        n if n >= 1.0 => 2,
        _ => 3,
    }
}

/// `0.215 requests/s`, with three digits that count.
#[must_use]
pub fn rate(per_second: f64) -> String {
    let digits = digits(per_second);
    format!("{per_second:.digits$}{NARROW}requests/s")
}

/// `12.4 µ$`, with three digits that count.
#[must_use]
pub fn money(micro: f64) -> String {
    let digits = digits(micro.abs());
    format!("{micro:.digits$}{NARROW}\u{b5}$")
}

/// A number of milliseconds with as many digits as say something: `63.1 ms`, `0.613 ms`.
#[must_use]
pub fn millis(ms: f64) -> String {
    let decimals = match ms {
        ms if ms >= 10.0 || ms == 0.0 => 1,
        ms if ms >= 1.0 => 2,
        _ => 3,
    };
    format!("{ms:.decimals$}{NARROW}ms")
}

/// Where a quantity comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Formula {
    /// In symbols or words: `T = Σ stall + Σ transfer + Σ compute`.
    pub symbols: String,
    /// With the numbers of this answer, rounded as they are shown elsewhere.
    pub filled: String,
    /// Paper and equation, or what else it rests on.
    pub source: String,
    /// True if the sum of the rounded parts differs from the rounded sum.
    pub rounded: bool,
    /// The fields that go into it, by the names that scenario files have for them.
    #[serde(deserialize_with = "names")]
    pub inputs: Vec<Name>,
}

impl Formula {
    /// A formula of an answer.
    #[must_use]
    pub fn new(
        symbols: impl Into<String>,
        filled: impl Into<String>,
        source: impl Into<String>,
        inputs: &[&'static str],
    ) -> Self {
        Self {
            symbols: symbols.into(),
            filled: filled.into(),
            source: source.into(),
            rounded: false,
            inputs: inputs.to_vec(),
        }
    }

    /// Times that add up: `1.20 + 3.40 = 4.60 s`, all in the unit of the sum, and whether what is read adds up differently.
    #[must_use]
    pub fn added(parts: &[f64], sum: f64) -> (String, bool) {
        let unit = TimeFormat::of_largest(sum);
        let number = |s: f64| match s {
            0.0 => "0".to_owned(),
            s => unit.figure(s),
        };
        let shown: Vec<String> = parts.iter().map(|part| number(*part)).collect();
        // The sum ends as it is read elsewhere: long ones in minutes or hours.
        let (in_unit, read) = (unit.with_unit(sum), units::seconds(sum));
        let end = match sum == 0.0 || in_unit == read {
            true => read,
            false => format!("{in_unit} = {read}"),
        };
        let filled = match shown.as_slice() {
            [_] => end,
            shown => format!("{} = {end}", shown.join(" + ")),
        };
        // Half of the last digit that is shown.
        let half = 0.5 * libm::pow(10.0, -(unit.decimals() as f64));
        let read = shown
            .iter()
            .filter_map(|part| part.replace(NARROW, "").parse::<f64>().ok());
        let read: f64 = read.sum();
        (filled, (read - sum * unit.per_second()).abs() > half)
    }

    /// Amounts that add up, each as a reader sees it: `3.06 MiB + 0.77 MiB = 3.83 MiB`, and whether what is read adds up
    /// differently.
    #[must_use]
    pub fn summed(parts: &[f64], sum: f64, unit: Unit) -> (String, bool) {
        let shown: Vec<String> = parts.iter().map(|part| unit.format(*part)).collect();
        let total = unit.format(sum);
        let read: f64 = shown
            .iter()
            .filter_map(|part| read(part))
            .map(|of| of.0)
            .sum();
        let differs = self::read(&total).is_some_and(|(sum, half)| (read - sum).abs() > half);
        let filled = match shown.as_slice() {
            [_] => total,
            _ => format!("{} = {total}", shown.join(" + ")),
        };
        (filled, differs)
    }

    /// Creates the formula of a sum in seconds, with its parts as they are shown.
    #[must_use]
    pub fn of_sum(
        symbols: impl Into<String>,
        (parts, sum): (&[f64], f64),
        source: impl Into<String>,
        inputs: &[&'static str],
    ) -> Self {
        let (filled, rounded) = Self::added(parts, sum);
        Self {
            rounded,
            ..Self::new(symbols, filled, source, inputs)
        }
    }
}

/// An amount as it is read, and half of its last digit, both in the base of its unit.
fn read(shown: &str) -> Option<(f64, f64)> {
    let signed = shown
        .rsplit_once(NARROW)
        .filter(|(_, sign)| !sign.starts_with(|c: char| c.is_ascii_digit()));
    let (number, sign) = signed.unwrap_or((shown, ""));
    let number = number.replace(NARROW, "");
    let base = match sign {
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        _ => 1.0,
    };
    let decimals = number.split_once('.').map_or(0, |(_, after)| after.len());
    let half = 0.5 * libm::pow(10.0, -(decimals as f64));
    number
        .parse()
        .ok()
        .map(|number: f64| (number * base, half * base))
}

/// Note on a formula whose rounded parts do not add up to its rounded sum.
pub const ROUNDED: &str = "Each part is rounded separately; the sum is computed before rounding.";

/// A number of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Quantity {
    /// Its name for programs, which never changes: `first_token`.
    pub key: String,
    /// Name: `First token`.
    pub name: String,
    /// The number, in its unit.
    pub value: f64,
    /// Unit.
    pub unit: Unit,
    /// Note beside the value; may be empty.
    pub note: String,
    /// Where it comes from.
    pub formula: Option<Formula>,
}

impl Quantity {
    /// A quantity without a note or a formula.
    #[must_use]
    pub fn new(key: impl Into<String>, name: impl Into<String>, value: f64, unit: Unit) -> Self {
        Self {
            key: key.into(),
            name: name.into(),
            value,
            unit,
            note: String::new(),
            formula: None,
        }
    }

    /// Returns the quantity with a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Returns the quantity with its formula.
    #[must_use]
    pub fn by(mut self, formula: Formula) -> Self {
        self.formula = Some(formula);
        self
    }

    /// As a reader sees it.
    #[must_use]
    pub fn text(&self) -> String {
        self.unit.format(self.value)
    }

    /// With all its digits: `24.348123 s`.
    #[must_use]
    pub fn exact(&self) -> String {
        format!("{} {}", self.value, self.unit.sign())
            .trim_end()
            .to_owned()
    }

    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let form = Form {
            key: &self.key,
            name: &self.name,
            value: Some(self.value).filter(|value| value.is_finite()),
            unit: self.unit,
            shown: self.text(),
            note: &self.note,
            formula: self.formula.as_ref(),
        };
        form.serialize(to)
    }
}

/// A quantity as files have it.
#[derive(Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct Form<'a> {
    /// Its name, which never changes.
    key: &'a str,
    /// Name.
    name: &'a str,
    /// The number, in the base unit; none where it is not finite.
    value: Option<f64>,
    /// Unit.
    unit: Unit,
    /// As a reader sees it.
    shown: String,
    /// Note beside the value; may be empty.
    note: &'a str,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<&'a Formula>,
}

two_forms!(Quantity);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_three_digits_that_count() {
        let read = |r: f64| rate(r).replace(NARROW, " ");
        assert_eq!(read(0.2149), "0.215 requests/s");
        assert_eq!(read(7.0), "7.00 requests/s");
        assert_eq!(read(128.4), "128 requests/s");
        assert_eq!(money(3.25), "3.25\u{202f}\u{b5}$");
    }

    #[test]
    fn amounts_add_up_each_in_its_own_unit() {
        let unit = Unit::Memory;
        let (filled, differs) = Formula::summed(&[3_211_264.0, 1024.0], 3_212_288.0, unit);
        assert_eq!(
            filled.replace(NARROW, " "),
            "3.06 MiB + 1.00 KiB = 3.06 MiB"
        );
        assert!(!differs);
        let third = 1_048_576.0 / 3.0;
        assert!(Formula::summed(&[third; 3], 3.0 * third, unit).1);
        let (filled, differs) = Formula::summed(&[3.44, 1.16], 4.6, Unit::MicroDollars);
        assert_eq!(
            filled.replace(NARROW, " "),
            "3.44 \u{b5}$ + 1.16 \u{b5}$ = 4.60 \u{b5}$"
        );
        assert!(!differs);
    }

    #[test]
    fn parts_that_are_rounded_say_when_their_sum_reads_differently() {
        assert_eq!(
            Formula::added(&[1.0, 2.0], 3.0).0.replace(NARROW, " "),
            "1.000 + 2.000 = 3.000 s"
        );
        assert!(!Formula::added(&[1.0, 2.0], 3.0).1);
        assert!(Formula::added(&[1.0004, 1.0004], 2.0008).1);
        let filled = |parts: &[f64], sum| Formula::added(parts, sum).0.replace(NARROW, " ");
        assert_eq!(filled(&[2.0], 2.0), "2.000 s");
        assert_eq!(filled(&[0.0, 0.0], 0.0), "0 + 0 = 0 s");
        assert_eq!(
            filled(&[1000.0, 32.0], 1032.0),
            "1000 + 32 = 1032 s = 17 min 12 s"
        );
    }
}
