//! Prompt lengths of a sweep: from, to, how many and how they are spaced, or a list of one's own.

use super::fields;
use serde::{Deserialize, Serialize};

/// The fewest and the most lengths of a sweep.
pub const COUNT: (usize, usize) = (2, 256);
/// As much of what was typed as a message repeats.
const LONGEST_SHOWN: usize = 24;

/// How lengths are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Each the same factor above the one before.
    Factors,
    /// Each the same step above the one before.
    Steps,
    /// As listed.
    Listed,
}

/// Prompt lengths of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepLengths {
    /// How they are spaced.
    pub spacing: Spacing,
    /// The first [tokens].
    pub from: f64,
    /// The last [tokens].
    pub to: f64,
    /// How many.
    pub count: usize,
    /// The list, ascending [tokens]; it counts where lengths are listed.
    pub list: Vec<f64>,
}

impl Default for SweepLengths {
    /// The six lengths of the paper: doublings from 256 to 8192.
    fn default() -> Self {
        let from = 256.0;
        Self {
            spacing: Spacing::Factors,
            from,
            to: 8192.0,
            count: 6,
            list: (0..6).map(|k| from * f64::from(1 << k)).collect(),
        }
    }
}

/// Typed text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedLengths {
    /// The first length.
    pub from: String,
    /// The last.
    pub to: String,
    /// How many.
    pub count: String,
    /// The list.
    pub list: String,
}

/// An error of the typed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LengthsFault {
    /// The field: `from`, `to`, `count` or `list`.
    pub field: &'static str,
    /// A sentence that names the field, what is allowed and what it says.
    pub sentence: String,
}

impl LengthsFault {
    fn new(field: &'static str, allowed: &str, typed: &str) -> Self {
        let said: String = typed.trim().chars().take(LONGEST_SHOWN).collect();
        let name = match field {
            "from" => "From",
            "to" => "To",
            "count" => "Lengths",
            _ => "Own list",
        };
        let sentence = format!("{name} {allowed}, it is \u{201c}{said}\u{201d}.");
        Self { field, sentence }
    }
}

impl SweepLengths {
    /// The lengths [tokens]: whole, ascending, as many as asked for.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        if self.spacing == Spacing::Listed {
            return self.list.clone();
        }
        let last = self.count.saturating_sub(1).max(1) as f64;
        let doublings = libm::log2(self.to / self.from);
        let mut values = Vec::with_capacity(self.count);
        for k in 0..self.count {
            let share = k as f64 / last;
            let exact = match self.spacing {
                Spacing::Steps => self.from + (self.to - self.from) * share,
                Spacing::Factors | Spacing::Listed => self.from * libm::exp2(doublings * share),
            };
            // Whole numbers close together would coincide: each keeps room for those before and behind.
            let least = self.from + k as f64;
            let most = self.to - (last - k as f64);
            let least = values.last().map_or(least, |before| before + 1.0);
            values.push(libm::round(exact).min(most).max(least));
        }
        values
    }

    /// Reads what was typed; what the spacing has no use for stays as it is in `self`.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn read(&self, spacing: Spacing, typed: &TypedLengths) -> Result<Self, LengthsFault> {
        let mut read = Self {
            spacing,
            ..self.clone()
        };
        if spacing == Spacing::Listed {
            read.list = listed(&typed.list)?;
            return Ok(read);
        }
        let tokens = |field, text: &str| {
            fields::parse("prompt_tokens", text).map_err(|why| LengthsFault::new(field, &why, text))
        };
        read.from = tokens("from", &typed.from)?;
        read.to = tokens("to", &typed.to)?;
        if read.to <= read.from {
            let allowed = format!("must be more than {} tokens, the first length", read.from);
            return Err(LengthsFault::new("to", &allowed, &typed.to));
        }
        let wrong = |allowed: String| LengthsFault::new("count", &allowed, &typed.count);
        let (fewest, most) = COUNT;
        let count = typed.count.trim().parse::<usize>().ok();
        let Some(count) = count.filter(|count| (fewest..=most).contains(count)) else {
            return Err(wrong(format!(
                "must be a whole number from {fewest} to {most}"
            )));
        };
        let room = read.to - read.from + 1.0;
        if count as f64 > room {
            return Err(wrong(format!(
                "must be at most {room}: there are no more whole numbers from {} to {}",
                read.from, read.to
            )));
        }
        read.count = count;
        Ok(read)
    }

    /// Returns the lengths as a user would type them.
    #[must_use]
    pub fn typed(&self) -> TypedLengths {
        let list: Vec<String> = self.list.iter().map(f64::to_string).collect();
        TypedLengths {
            from: self.from.to_string(),
            to: self.to.to_string(),
            count: self.count.to_string(),
            list: list.join(", "),
        }
    }

    /// Itself, if it could have been typed: what is kept between visits may come from anywhere.
    #[must_use]
    pub fn checked(self) -> Option<Self> {
        let typed = self.typed();
        [Spacing::Listed, Spacing::Factors]
            .into_iter()
            .all(|spacing| self.read(spacing, &typed).is_ok())
            .then_some(self)
    }
}

/// Reads a list: whole numbers with commas, semicolons or spaces between.
fn listed(typed: &str) -> Result<Vec<f64>, LengthsFault> {
    let wrong = |allowed: &str, said: &str| LengthsFault::new("list", allowed, said);
    let parts = typed.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
    let mut list = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let tokens = fields::parse("prompt_tokens", part).map_err(|_| {
            let range = fields::of("prompt_tokens").map_or_else(String::new, |r| r.range_text());
            wrong(&format!("must hold lengths, each {range}"), part)
        })?;
        list.push(tokens);
    }
    list.sort_by(f64::total_cmp);
    list.dedup();
    let (fewest, most) = COUNT;
    if (fewest..=most).contains(&list.len()) {
        return Ok(list);
    }
    let allowed = format!(
        "must hold {fewest} to {most} different lengths and holds {}",
        list.len()
    );
    Err(wrong(&allowed, typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(from: &str, to: &str, count: &str, list: &str) -> TypedLengths {
        TypedLengths {
            from: from.into(),
            to: to.into(),
            count: count.into(),
            list: list.into(),
        }
    }

    fn read(spacing: Spacing, typed: &TypedLengths) -> Result<Vec<f64>, String> {
        let read = SweepLengths::default().read(spacing, typed);
        read.map(|lengths| lengths.values())
            .map_err(|fault| fault.sentence)
    }

    #[test]
    fn the_papers_lengths_come_first() {
        let six = [256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0];
        assert_eq!(SweepLengths::default().values(), six);
        assert_eq!(
            SweepLengths::default()
                .checked()
                .map(|lengths| lengths.list),
            Some(six.to_vec())
        );
    }

    #[test]
    fn a_sweep_has_the_requested_number_of_different_lengths_with_both_ends() {
        for (from, to, count) in [(1, 10, 10), (1, 4000, 256), (256, 8192, 64), (7, 8, 2)] {
            let typed = typed(&from.to_string(), &to.to_string(), &count.to_string(), "");
            for spacing in [Spacing::Factors, Spacing::Steps] {
                let values = read(spacing, &typed).expect("valid");
                assert_eq!(values.len(), count);
                assert!(
                    values.windows(2).all(|pair| pair[0] < pair[1]),
                    "{values:?}"
                );
                assert_eq!((values[0], values[count - 1]), (from.into(), to.into()));
                assert!(
                    values.iter().all(|value| value.fract() == 0.0),
                    "{values:?}"
                );
            }
        }
    }

    #[test]
    fn a_list_is_sorted_and_read_as_people_write_it() {
        for text in ["512, 256 1024", "256;512;1024;512", " 1024\n512\n256 "] {
            let values = read(Spacing::Listed, &typed("x", "", "", text));
            assert_eq!(values, Ok(vec![256.0, 512.0, 1024.0]), "{text}");
        }
    }

    #[test]
    fn faults_are_named_with_their_field() {
        let range = "a whole number from 1 to 1000000 tokens";
        for (spacing, typed, sentence) in [
            (
                Spacing::Steps,
                typed("many", "9", "2", ""),
                format!("From must be {range}, it is \u{201c}many\u{201d}."),
            ),
            (
                Spacing::Factors,
                typed("256", "256", "2", ""),
                "To must be more than 256 tokens, the first length, it is \u{201c}256\u{201d}.".into(),
            ),
            (
                Spacing::Factors,
                typed("256", "512", "1", ""),
                "Lengths must be a whole number from 2 to 256, it is \u{201c}1\u{201d}.".into(),
            ),
            (
                Spacing::Steps,
                typed("1", "3", "4", ""),
                "Lengths must be at most 3: there are no more whole numbers from 1 to 3, it is \u{201c}4\u{201d}."
                    .into(),
            ),
            (
                Spacing::Listed,
                typed("", "", "", "256, 1.5"),
                format!("Own list must hold lengths, each {range}, it is \u{201c}1.5\u{201d}."),
            ),
            (
                Spacing::Listed,
                typed("", "", "", "256 256"),
                "Own list must hold 2 to 256 different lengths and holds 1, it is \u{201c}256 256\u{201d}.".into(),
            ),
        ] {
            assert_eq!(read(spacing, &typed), Err(sentence));
        }
    }
}
