//! Published figures of a paper beside ours: the rows of [`engine::papers`], each with our value, the degree of agreement
//! computed from the two, and the reason of a difference. This module knows no paper; each has a file that says how our values
//! are computed.
//!
//! One rule gives the agreement of every row of every paper:
//!
//! * **Percentages**: agree if ours rounds to the published digits; up to one point apart "within 1 point"; up to
//!   [`MOST_POINTS`] "… points off"; further apart "not reproduced". **Other quantities** likewise, "… % apart" up to
//!   [`MOST_PERCENT`].
//! * **A stated range or bound** ("40 to 60 %", "below 200 s") and one figure of ours: agree if ours, rounded as published,
//!   lies in it; otherwise not reproduced.
//! * **A stated range and a range of ours** ("6 to 78 % over all cases"): their ends are compared as figures. Where only one
//!   end is near, or none and the ranges overlap, in part; ranges apart are not reproduced. A stated figure beside a range of
//!   ours is compared with both ends.
//! * **Statements and counts of cases**: agree if they hold here in all cases, in part if in some.
//! * **Several figures in a row, or several readings of what the paper leaves open**: as the one that is furthest apart where
//!   all are near; in part where some are near; not reproduced where none is. A reading that changes the paper's own model can
//!   only turn "not reproduced" into "in part", and is named.

mod cold_start;
pub mod disco;
pub mod headwise;
pub mod hyperion;
pub mod hyperion_runs;
pub mod memorianova;
pub mod memorianova_split;
pub mod reproductions;
pub mod section;
pub mod sections;

pub use cold_start::{LENGTHS, TRIED, TriedReading, claims, notes, readings, tried_table};

use document::claims::ClaimSide;
use document::{Cell, Tone};
use engine::papers::{PaperRow, PaperRowKind};
use engine::units::{NARROW, percent};

/// How far a computed figure agrees with a published one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// It rounds to the published digits, or says the same.
    Agrees,
    /// At most one point of percent apart.
    WithinOnePoint,
    /// Difference in percentage points.
    Off(f64),
    /// Difference in percent of the published figure.
    Apart(f64),
    /// Some figures or cases agree, others do not.
    InPart,
    /// More than five points or fifteen percent apart, or the contrary.
    NotReproduced,
    /// The paper does not say enough to compare, or one of the two is missing.
    NotComparable,
    /// Ours has not been computed yet.
    NotRun,
}

/// Further apart than this many points a figure counts as not reproduced.
const MOST_POINTS: f64 = 5.0;

/// Readings that a reason names, at most.
const MOST_NAMED: usize = 2;

/// Largest difference of figures that are no percentages, in percent of the published value.
const MOST_PERCENT: f64 = 15.0;

impl Agreement {
    /// Of two percentages; `decimals` are those that were published.
    #[must_use]
    pub fn of_percent(published: f64, decimals: usize, ours: Option<f64>) -> Self {
        let Some(ours) = ours.filter(|ours| ours.is_finite()) else {
            return Self::NotComparable;
        };
        let apart = (ours - published).abs();
        let half = 0.5 * libm::pow(10.0, -(decimals as f64));
        match apart {
            d if d <= half => Self::Agrees,
            d if d <= 1.0 => Self::WithinOnePoint,
            d if d <= MOST_POINTS => Self::Off(d),
            _ => Self::NotReproduced,
        }
    }

    /// Of two quantities; `decimals` are those that were published.
    #[must_use]
    pub fn of_relative(published: f64, decimals: usize, ours: Option<f64>) -> Self {
        let Some(ours) = ours.filter(|ours| ours.is_finite()) else {
            return Self::NotComparable;
        };
        let apart = (ours - published).abs();
        let half = 0.5 * libm::pow(10.0, -(decimals as f64));
        let relative = 100.0 * apart / published.abs();
        if apart <= half {
            Self::Agrees
        } else if relative <= MOST_PERCENT {
            Self::Apart(relative)
        } else {
            Self::NotReproduced
        }
    }

    /// Of several percentages.
    #[must_use]
    pub fn of_percents(published: &[f64], decimals: usize, ours: &[f64]) -> Self {
        let each = published.iter().zip(ours);
        Self::of_all(
            each.map(|(published, ours)| Self::of_percent(*published, decimals, Some(*ours))),
        )
    }

    /// Of several figures, or of one figure under several readings: as the one that is furthest apart where all are near, in
    /// part where some are.
    #[must_use]
    pub fn of_all(each: impl IntoIterator<Item = Self>) -> Self {
        let each: Vec<Self> = each.into_iter().collect();
        match each.iter().filter(|one| one.is_near()).count() {
            0 if each.is_empty() => Self::NotComparable,
            0 if each.contains(&Self::InPart) => Self::InPart,
            0 => Self::NotReproduced,
            n if n < each.len() => Self::InPart,
            _ => each
                .into_iter()
                .max_by(|a, b| a.distance().total_cmp(&b.distance()))
                .unwrap_or(Self::NotComparable),
        }
    }

    /// Returns true if ours is close enough to count.
    #[must_use]
    pub const fn is_near(self) -> bool {
        matches!(
            self,
            Self::Agrees | Self::WithinOnePoint | Self::Off(_) | Self::Apart(_)
        )
    }

    /// Orders figures that are near: the further apart, the larger.
    const fn distance(self) -> f64 {
        match self {
            Self::Off(points) => points,
            Self::Apart(share) => share,
            Self::WithinOnePoint => 1.0,
            _ => 0.0,
        }
    }

    /// Of a stated range, which may be open at one end, and what ours is: one figure, or a range over all cases.
    #[must_use]
    pub fn of_range(published: Range, ours: Range) -> Self {
        let half = 0.5 * libm::pow(10.0, -(published.decimals as f64));
        if ours.low.is_nan() || ours.high.is_nan() {
            return Self::NotComparable;
        }
        if ours.low == ours.high {
            let holds = ours.low >= published.low - half && ours.low <= published.high + half;
            return Self::of_statement(Some(holds));
        }
        let end = |stated: f64, ours: f64| match published.unit {
            "%" => Self::of_percent(stated, published.decimals, Some(ours)),
            _ => Self::of_relative(stated, published.decimals, Some(ours)),
        };
        let ends = [(published.low, ours.low), (published.high, ours.high)];
        let stated = ends.into_iter().filter(|(stated, _)| stated.is_finite());
        match Self::of_all(stated.map(|(stated, ours)| end(stated, ours))) {
            Self::NotReproduced if ours.low <= published.high && ours.high >= published.low => {
                Self::InPart
            }
            agreement => agreement,
        }
    }

    /// Of something that should hold in all of so many cases.
    #[must_use]
    pub const fn of_cases(holds: usize, cases: usize) -> Self {
        if holds == cases {
            Self::Agrees
        } else if holds > 0 {
            Self::InPart
        } else {
            Self::NotReproduced
        }
    }

    /// Of a published statement and whether it holds here.
    #[must_use]
    pub const fn of_statement(holds: Option<bool>) -> Self {
        match holds {
            Some(true) => Self::Agrees,
            Some(false) => Self::NotReproduced,
            None => Self::NotComparable,
        }
    }

    /// Compares a published figure with ours, which is of the same kind.
    #[must_use]
    pub fn between(published: Figure, ours: Figure) -> Self {
        match (published, ours) {
            (Figure::Percent(published, decimals), Figure::Percent(ours, _)) => {
                Self::of_percent(published, decimals, Some(ours))
            }
            (Figure::Percents(published, decimals), Figure::Percents(ours, _)) => {
                Self::of_percents(&published, decimals, &ours)
            }
            (Figure::Quantity(published, decimals, _), Figure::Quantity(ours, ..)) => {
                Self::of_relative(published, decimals, Some(ours))
            }
            // Where the paper has some of all cases, as many are enough and fewer are not.
            (Figure::Cases(published, all), Figure::Cases(ours, of)) => {
                let holds = if ours >= published { of } else { ours };
                match holds == of || published == all {
                    true => Self::of_cases(holds, of),
                    false => Self::NotReproduced,
                }
            }
            (Figure::Percent(..) | Figure::Quantity(..), Figure::Range(ours)) => {
                let ends = [ours.low, ours.high];
                Self::of_all(ends.map(|end| match published {
                    Figure::Percent(stated, decimals) => {
                        Self::of_percent(stated, decimals, Some(end))
                    }
                    Figure::Quantity(stated, decimals, _) => {
                        Self::of_relative(stated, decimals, Some(end))
                    }
                    _ => Self::NotComparable,
                }))
            }
            (Figure::Range(published), Figure::Range(ours)) => Self::of_range(published, ours),
            (Figure::Range(published), Figure::Percent(ours, _) | Figure::Quantity(ours, ..)) => {
                Self::of_range(
                    published,
                    Range {
                        low: ours,
                        high: ours,
                        ..published
                    },
                )
            }
            (Figure::Holds(published), Figure::Holds(ours)) => {
                Self::of_statement(Some(published == ours))
            }
            (Figure::Split(published), Figure::Split(ours)) => {
                Self::of_statement(Some(published == ours))
            }
            _ => Self::NotComparable,
        }
    }

    /// At a glance; nothing where the two cannot be compared.
    #[must_use]
    pub const fn tone(self) -> Option<Tone> {
        match self {
            Self::Agrees | Self::WithinOnePoint => Some(Tone::Good),
            Self::Off(_) | Self::Apart(_) | Self::InPart => Some(Tone::Open),
            Self::NotReproduced => Some(Tone::Bad),
            Self::NotComparable | Self::NotRun => None,
        }
    }

    /// In words.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Agrees => "Agrees".to_owned(),
            Self::WithinOnePoint => "Within 1 point".to_owned(),
            Self::Off(points) => format!("{points:.1} points off"),
            Self::Apart(share) => format!("{} apart", percent(share, 1)),
            Self::InPart => "In part".to_owned(),
            Self::NotReproduced => "Not reproduced".to_owned(),
            Self::NotComparable => "Not comparable".to_owned(),
            Self::NotRun => "Not run yet".to_owned(),
        }
    }
}

/// A range that a paper states, or that of ours over all cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Its lower end; minus infinity for "below".
    pub low: f64,
    /// Its upper end; infinity for "above".
    pub high: f64,
    /// Decimals of both.
    pub decimals: usize,
    /// Their unit.
    pub unit: &'static str,
}

impl Range {
    /// The least and the greatest of some values.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>, decimals: usize, unit: &'static str) -> Self {
        let ends = (values.into_iter()).fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| {
            (ends.0.min(value), ends.1.max(value))
        });
        Self {
            low: ends.0,
            high: ends.1,
            decimals,
            unit,
        }
    }

    /// In words, without its unit: `6 to 78`, `below 200`.
    #[must_use]
    pub fn bare(self) -> String {
        let Self {
            low,
            high,
            decimals,
            ..
        } = self;
        match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("{low:.decimals$} to {high:.decimals$}"),
            (false, true) => format!("below {high:.decimals$}"),
            (true, false) => format!("above {low:.decimals$}"),
            (false, false) => "any".to_owned(),
        }
    }
}

/// One side of a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// A percentage, and its decimals.
    Percent(f64, usize),
    /// Three percentages of one kind, and their decimals.
    Percents([f64; 3], usize),
    /// In how many of so many cases something holds.
    Cases(usize, usize),
    /// Any other quantity, its decimals and its unit.
    Quantity(f64, usize, &'static str),
    /// A range or a bound.
    Range(Range),
    /// Truth of a statement.
    Holds(bool),
    /// How many blocks each of up to six tiers holds; 0 behind the last.
    Split([u16; 6]),
    /// Not computed yet, or not defined.
    Missing,
}

impl Figure {
    /// Returns the published value of a row; `None` for counts of cases, which are counted elsewhere.
    #[must_use]
    pub fn published(row: &'static PaperRow) -> Self {
        let decimals = row.decimals();
        match (row.kind(), row.unit.as_str(), row.len()) {
            (PaperRowKind::Statement, _, 0) => Self::Holds(true),
            (PaperRowKind::Statement, unit, _) => {
                let (low, high) = row.range();
                Self::Range(Range {
                    low,
                    high,
                    decimals,
                    unit,
                })
            }
            (PaperRowKind::Numbers, "blocks", _) => Self::split(&row.wholes::<6>()),
            (PaperRowKind::Numbers, "%", 3) => Self::Percents(row.numbers(), decimals),
            (PaperRowKind::Numbers, "%", 1) => Self::Percent(row.at(0), decimals),
            (PaperRowKind::Numbers, unit, 1) => Self::Quantity(row.at(0), decimals, unit),
            _ => Self::Missing,
        }
    }

    /// A percentage with two decimals, where there is one.
    #[must_use]
    pub fn percent(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, |value| Self::Percent(value, 2))
    }

    /// Returns the truth of a statement, if it is known.
    #[must_use]
    pub fn of_statement(value: Option<bool>) -> Self {
        value.map_or(Self::Missing, Self::Holds)
    }

    /// Blocks of up to six tiers, each with at least one.
    #[must_use]
    pub fn split(counts: &[usize]) -> Self {
        let mut split = [0; 6];
        for (kept, count) in split.iter_mut().zip(counts) {
            *kept = u16::try_from(*count).unwrap_or(u16::MAX);
        }
        Self::Split(split)
    }

    /// Returns true for percentages and quantities.
    #[must_use]
    pub const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Percent(..) | Self::Percents(..) | Self::Quantity(..)
        )
    }

    /// Returns the figure for readers.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Split(counts) => {
                let tiers = counts.iter().take_while(|count| **count > 0);
                let words: Vec<String> = tiers.map(u16::to_string).collect();
                words.join("/")
            }
            Self::Percent(value, decimals) => percent(value, decimals),
            Self::Percents([a, b, c], decimals) => {
                format!("{a:.decimals$} / {b:.decimals$} / {}", percent(c, decimals))
            }
            Self::Cases(holds, cases) => format!("{holds} of {cases}"),
            Self::Quantity(value, decimals, unit) => format!("{value:.decimals$}{NARROW}{unit}"),
            Self::Range(range) => format!("{}{NARROW}{}", range.bare(), range.unit),
            Self::Holds(true) => "yes".to_owned(),
            Self::Holds(false) => "no".to_owned(),
            Self::Missing => "\u{2013}".to_owned(),
        }
    }

    fn cell(self) -> Cell {
        match self {
            Self::Percent(value, decimals) | Self::Quantity(value, decimals, _) => {
                Cell::Number(value, decimals)
            }
            Self::Percents([a, b, c], decimals) => {
                Cell::text(format!("{a:.decimals$} / {b:.decimals$} / {c:.decimals$}"))
            }
            Self::Range(range) => Cell::text(range.bare()),
            Self::Holds(_) | Self::Split(_) | Self::Cases(..) => Cell::text(self.text()),
            Self::Missing => Cell::Missing,
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Self::Percent(..) | Self::Percents(..) => "%",
            Self::Quantity(_, _, unit) | Self::Range(Range { unit, .. }) => unit,
            Self::Holds(_) | Self::Split(_) | Self::Cases(..) | Self::Missing => "",
        }
    }
}

/// A figure under one reading of a paper, with the name of the reading.
pub type NamedFigure = (String, Figure);

/// A claim of a paper beside what is computed here, on the paper's own scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedClaim {
    /// Name of the figure: `Smallest gain`.
    pub name: &'static str,
    /// Where: section and figure.
    pub source: &'static str,
    /// Published value.
    pub published: Figure,
    /// Value computed here for the scenario of the paper.
    pub ours: Figure,
    /// Value for the user's own scenario, if there is one.
    pub yours: Figure,
    /// How far the two agree.
    pub agreement: Agreement,
    /// Why, in words; may be empty.
    pub reason: String,
}

impl PublishedClaim {
    /// A row beside ours with what is to be said of it beyond the row's note; not run yet where there is nothing of ours.
    #[must_use]
    pub fn compare(row: &'static PaperRow, ours: Option<(Figure, String)>) -> Self {
        Self::of(row, Figure::published(row), ours)
    }

    /// A row about cases: in how many of how many the paper has it, and we.
    #[must_use]
    pub fn of_cases(
        row: &'static PaperRow,
        (published, all): (usize, usize),
        ours: Option<(usize, String)>,
    ) -> Self {
        let ours = ours.map(|(holds, reason)| (Figure::Cases(holds, all), reason));
        Self::of(row, Figure::Cases(published, all), ours)
    }

    /// A row about a statement, which holds here or does not.
    #[must_use]
    pub fn stated(row: &'static PaperRow, ours: Option<(bool, String)>) -> Self {
        Self::compare(
            row,
            ours.map(|(holds, reason)| (Figure::Holds(holds), reason)),
        )
    }

    /// The claim with other readings of what the paper leaves open: `own` of its own model, of which the agreement is, and
    /// `others`, which may reproduce in part what none of its own does. The reason names those that reproduce it where the
    /// first does not.
    #[must_use]
    pub fn with_readings(mut self, own: &[NamedFigure], others: &[NamedFigure]) -> Self {
        if self.agreement == Agreement::NotRun {
            return self;
        }
        let of = |(_, ours): &NamedFigure| Agreement::between(self.published, *ours);
        let all = std::iter::once(self.agreement).chain(own.iter().map(of));
        let agreement = Agreement::of_all(all);
        let near = own.iter().chain(others).filter(|one| of(one).is_near());
        let near: Vec<&str> = near.map(|(name, _)| name.as_str()).collect();
        if !self.agreement.is_near() && !near.is_empty() {
            let most = near.len().min(MOST_NAMED);
            let more = match near.len() - most {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let text = format!(" Reproduced by {}{more}.", near[..most].join("; "));
            self.reason.push_str(&text);
        }
        self.agreement = match agreement {
            Agreement::NotReproduced if !near.is_empty() => Agreement::InPart,
            agreement => agreement,
        };
        self
    }

    fn of(row: &'static PaperRow, published: Figure, ours: Option<(Figure, String)>) -> Self {
        let known = ours.map(|(ours, more)| {
            let said = [row.note.as_str(), more.as_str()];
            let said = said.into_iter().filter(|words| !words.is_empty());
            let reason = said.collect::<Vec<_>>().join(" ");
            (ours, Agreement::between(published, ours), reason)
        });
        let (ours, agreement, reason) =
            known.unwrap_or((Figure::Missing, Agreement::NotRun, String::new()));
        Self {
            name: &row.claim,
            source: &row.source,
            published,
            ours,
            yours: Figure::Missing,
            agreement,
            reason,
        }
    }
}

/// A claim as a story has it.
#[must_use]
pub fn claim_row(claim: &PublishedClaim) -> document::ClaimRow {
    let side = |figure: Figure| ClaimSide {
        words: figure.text(),
        cell: figure.cell(),
    };
    document::ClaimRow {
        name: claim.name.to_owned(),
        source: claim.source.to_owned(),
        published: side(claim.published),
        ours: side(claim.ours),
        yours: side(claim.yours),
        unit: claim.published.unit().to_owned(),
        agreement: claim.agreement.text(),
        tone: claim.agreement.tone(),
        reason: claim.reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_reckoned_from_the_numbers() {
        let of = |published, decimals, ours| Agreement::of_percent(published, decimals, ours);
        assert_eq!(of(8.0, 0, Some(8.4)), Agreement::Agrees);
        assert_eq!(of(8.0, 0, Some(8.82)), Agreement::WithinOnePoint);
        assert_eq!(of(12.34, 2, Some(12.344)), Agreement::Agrees);
        assert_eq!(of(12.34, 2, Some(12.09)), Agreement::WithinOnePoint);
        assert_eq!(of(12.34, 2, Some(13.42)).text(), "1.1 points off");
        assert_eq!(of(12.34, 2, Some(10.91)).text(), "1.4 points off");
        assert_eq!(of(50.0, 0, Some(58.2)), Agreement::NotReproduced);
        assert_eq!(of(50.0, 0, None), Agreement::NotComparable);
        assert_eq!(of(50.0, 0, Some(f64::NAN)), Agreement::NotComparable);
        let of = |published, ours| Agreement::of_relative(published, 1, Some(ours)).text();
        assert_eq!(of(25.0, 24.99), "Agrees");
        assert_eq!(of(25.0, 24.55).replace(NARROW, " "), "1.8 % apart");
        assert_eq!(of(40.0, 48.05), "Not reproduced");
        assert_eq!(Agreement::of_statement(Some(true)), Agreement::Agrees);
        assert_eq!(
            Agreement::of_statement(Some(false)),
            Agreement::NotReproduced
        );
        assert_eq!(Agreement::of_statement(None), Agreement::NotComparable);
        let of = |ours: [f64; 3]| Agreement::of_percents(&[10.0, 20.0, 30.0], 2, &ours).text();
        assert_eq!(of([10.0, 20.0, 30.0]), "Agrees");
        assert_eq!(of([10.0, 17.5, 30.0]), "2.5 points off");
        assert_eq!(of([10.0, 20.0, 50.0]), "In part");
        assert_eq!(of([20.0, 40.0, 60.0]), "Not reproduced");
        let stated = |low, high, ours: (f64, f64)| {
            let of = |(low, high)| Range {
                low,
                high,
                decimals: 0,
                unit: "%",
            };
            Agreement::of_range(of((low, high)), of(ours)).text()
        };
        assert_eq!(stated(15.0, 20.0, (19.2, 19.2)), "Agrees");
        assert_eq!(stated(15.0, 20.0, (20.4, 20.4)), "Agrees");
        assert_eq!(stated(15.0, 20.0, (23.0, 23.0)), "Not reproduced");
        assert_eq!(stated(f64::NEG_INFINITY, 200.0, (181.0, 181.0)), "Agrees");
        assert_eq!(
            stated(1000.0, f64::INFINITY, (864.0, 864.0)),
            "Not reproduced"
        );
        // A range that reaches neither end, or leaves it at one, holds in part.
        assert_eq!(stated(6.0, 78.0, (11.5, 64.6)), "In part");
        assert_eq!(stated(11.0, 52.0, (12.6, 65.4)), "In part");
        assert_eq!(stated(11.0, 52.0, (12.6, 50.0)), "2.0 points off");
        assert_eq!(stated(11.0, 52.0, (60.0, 70.0)), "Not reproduced");
        assert_eq!(stated(11.0, 52.0, (f64::NAN, 70.0)), "Not comparable");
        let row = engine::papers::HEADWISE.row("small/resource-aware");
        let percent = |value| ("a reading".to_owned(), Figure::Percent(value, 1));
        let read = |first: f64, own: &[f64], others: &[f64]| {
            let [own, others] =
                [own, others].map(|all| all.iter().copied().map(percent).collect::<Vec<_>>());
            PublishedClaim::compare(row, Some((percent(first).1, String::new())))
                .with_readings(&own, &others)
        };
        assert_eq!(read(19.2, &[17.0], &[62.0]).agreement, Agreement::Agrees);
        assert_eq!(read(19.2, &[23.0], &[]).agreement, Agreement::InPart);
        let other = read(62.0, &[70.0], &[17.0]);
        assert_eq!(other.agreement, Agreement::InPart);
        assert!(other.reason.ends_with("Reproduced by a reading."));
        assert_eq!(
            read(62.0, &[70.0], &[80.0]).agreement,
            Agreement::NotReproduced
        );
        let cases = [(4, "Agrees"), (2, "In part"), (0, "Not reproduced")];
        for (holds, words) in cases {
            assert_eq!(Agreement::of_cases(holds, 4).text(), words);
        }
    }
}
