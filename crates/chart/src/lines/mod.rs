//! A sweep as lines: one parameter on an axis (of doublings where it spans many), one value from 0, a line per
//! plan.
//!
//! Each series has its own colour, dash and marker, and its name is at the end of its line. A point that
//! is not computed yet, or has no answer, is a gap; nothing is drawn across it.

mod curves;
mod layout;

pub(super) use curves::apart;

pub use layout::{layout_lines, layout_lines_styled};

use super::gantt::TimeView;
use super::ink::Ink;
use super::mark::{Mark, MarkForm};
use crate::interaction::{HitTarget, HitTest, MarkDescriber, MarkWords, RowHits, row};
use serde::{Deserialize, Serialize};

/// Which line a series is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SeriesRole {
    /// Our plan: solid and strong.
    Ours,
    /// First of those compared with.
    A,
    /// Second.
    B,
    /// Third.
    C,
    /// Fourth, in grey.
    D,
    /// Further series, from 0, in grey: dashes, markers and names tell them apart.
    More(u8),
}

/// Dashes and markers of the series beyond the fourth [px].
const MORE: [(&[f64], MarkForm); 6] = [
    (&[10.0, 3.0], MarkForm::Circle),
    (&[4.0, 2.0], MarkForm::Square),
    (&[6.0, 2.0, 1.5, 2.0], MarkForm::Triangle),
    (&[14.0, 4.0], MarkForm::Diamond),
    (&[3.0, 5.0], MarkForm::Circle),
    (&[1.5, 1.5], MarkForm::Square),
];

impl SeriesRole {
    /// Colour, width [px], dash [px] and marker.
    pub(super) const fn look(self) -> (Ink, f64, &'static [f64], MarkForm) {
        match self {
            Self::Ours => (Ink::SeriesOurs, 2.5, &[], MarkForm::Dot),
            Self::A => (Ink::SeriesA, 1.5, &[5.0, 3.0], MarkForm::Circle),
            Self::B => (Ink::SeriesB, 1.5, &[2.0, 2.0], MarkForm::Square),
            Self::C => (Ink::SeriesC, 1.5, &[8.0, 3.0, 2.0, 3.0], MarkForm::Triangle),
            Self::D => (Ink::Text3, 1.5, &[1.5, 3.0], MarkForm::Diamond),
            Self::More(n) => {
                let (dash, form) = MORE[n as usize % MORE.len()];
                let ink = if n % 2 == 0 {
                    Ink::HandOver
                } else {
                    Ink::Text2
                };
                (ink, 1.5, dash, form)
            }
        }
    }
}

/// A line as a series draws it, through places [px].
pub(super) fn stroke_of(role: SeriesRole, points: Vec<(f64, f64)>) -> Mark {
    let (ink, width, dash, _) = role.look();
    Mark::path(ink, width, dash, points)
}

/// A marker as a series has it, at a place [px].
pub(super) fn marker_of(role: SeriesRole, at: (f64, f64)) -> Mark {
    let (ink, .., form) = role.look();
    Mark::point(ink, form, at)
}

/// A short piece of a line with its marker, from a place [px] to the right: for a legend.
pub(super) fn sample_of(role: SeriesRole, (x, y): (f64, f64), length_px: f64) -> [Mark; 2] {
    [
        stroke_of(role, vec![(x, y), (x + length_px, y)]),
        marker_of(role, (x + length_px / 2.0, y)),
    ]
}

/// How lines are drawn where it is not as usual: from point to point on straight values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LineStyle {
    /// A value holds until the next point: for what changes in steps.
    pub steps: bool,
    /// Values above zero on an axis of doublings: for ratios. Others are gaps.
    pub log: bool,
    /// The parameter is straight however much it spans: for tokens.
    pub even: bool,
    /// Of more points than pixels what can be seen is drawn, and points to be pointed at are a few pixels apart.
    pub thinned: bool,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name, at its end.
    pub name: String,
    /// How it looks.
    pub role: SeriesRole,
    /// Parameter, ascending, and value; `None` is a gap.
    pub points: Vec<(f64, Option<f64>)>,
}

/// A sweep.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LineChart {
    /// Title.
    pub title: String,
    /// Parameter, with its unit if it has one; "log scale" is added for a logarithmic axis.
    pub x_title: String,
    /// Quantity that is drawn.
    pub y_title: String,
    /// Unit of the values, `s` or `%`.
    pub y_unit: String,
    /// Decimals of a value in text; the axis has its own.
    pub decimals: usize,
    /// The parameter of the scenario on screen.
    pub now: Option<f64>,
    /// A parameter beyond which things are different, and what it is called: `full`.
    pub limit: Option<(f64, String)>,
    /// The lines.
    pub series: Vec<Series>,
    /// How they are drawn.
    pub style: LineStyle,
}

impl LineChart {
    /// The series of several sweeps in one, each under its sweep’s name: the first series of each in the order of the sweeps
    /// look like ours and those it is compared with, all others follow in greys.
    #[must_use]
    pub fn merged(title: &str, all: &[(&String, &Self)]) -> Self {
        const FIRST: [SeriesRole; 4] = [
            SeriesRole::Ours,
            SeriesRole::A,
            SeriesRole::B,
            SeriesRole::C,
        ];
        let mut grey = 0;
        let mut series = Vec::new();
        for (n, (name, lines)) in all.iter().enumerate() {
            for (at, one) in lines.series.iter().enumerate() {
                let role = match FIRST.get(n).filter(|_| at == 0) {
                    Some(role) => *role,
                    None => {
                        grey += 1;
                        SeriesRole::More(grey - 1)
                    }
                };
                series.push(Series {
                    name: format!("{name}: {}", one.name),
                    role,
                    points: one.points.clone(),
                });
            }
        }
        let first = all.first().map(|(_, lines)| (*lines).clone());
        Self {
            title: title.to_owned(),
            now: None,
            limit: None,
            series,
            ..first.unwrap_or_default()
        }
    }

    /// Returns the part in a view of the parameter.
    #[must_use]
    pub fn within(&self, view: TimeView) -> Self {
        let sees = |x: f64| (view.from_s..=view.to_s).contains(&x);
        let mut lines = self.clone();
        for series in &mut lines.series {
            series.points.retain(|(x, _)| sees(*x));
        }
        lines.now = lines.now.filter(|now| sees(*now));
        lines.limit = lines.limit.filter(|(at, _)| sees(*at));
        lines
    }

    /// Returns the series with each `size` points replaced by their mean, at the parameter of the last: for noisy values. Points
    /// without a value do not count; a group without any is a gap.
    #[must_use]
    pub fn averaged(&self, size: usize) -> Self {
        let mut lines = self.clone();
        for series in &mut lines.series {
            let means = series.points.chunks(size.max(1)).filter_map(|some| {
                let values = || some.iter().filter_map(|(_, y)| y.filter(|y| y.is_finite()));
                let count = values().count();
                let mean = (count > 0).then(|| values().sum::<f64>() / count as f64);
                some.last().map(|(x, _)| (*x, mean))
            });
            series.points = means.collect();
        }
        lines
    }
}

/// A point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    /// Where it stands [px].
    at: (f64, f64),
    /// Its series, by place in [`LineChart::series`].
    series: usize,
    /// Its place in [`Series::points`].
    point: usize,
    x: f64,
    y: f64,
}

/// Describes the points.
#[derive(Debug, Clone, PartialEq)]
pub struct PointsDescriber {
    /// The sweep without its points.
    head: LineChart,
    all: Vec<Point>,
}

/// A point is caught within this distance [px].
const CATCH_PX: f64 = 14.0;

impl PointsDescriber {
    /// The points of a sweep as marks.
    fn rows(&self) -> RowHits {
        let mut rows = RowHits::default();
        for series in 0..self.head.series.len() {
            let own = (0..)
                .zip(&self.all)
                .filter(|(_, point)| point.series == series);
            let hit = |(of, point): (usize, &Point)| HitTarget {
                from_s: point.x,
                to_s: point.x,
                pick: Some(point.x),
                ..HitTarget::round(point.at, series, of)
            };
            rows.add(HitTest::Near(CATCH_PX), own.map(hit));
        }
        rows
    }
}

impl MarkDescriber for PointsDescriber {
    /// Every series at its parameter, its own first.
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let (lines, here) = (&self.head, self.all.get(hit.of)?);
        let others = self
            .all
            .iter()
            .filter(|other| other.x == here.x && other.series != here.series);
        let named_value = |point: &Point| {
            row(
                &lines.series[point.series].name,
                layout::value_text(lines, point.y),
            )
        };
        let (name, value) = named_value(here);
        let x = layout::label(here.x);
        let what = lines.x_title.to_ascii_lowercase();
        let first = [row(&lines.x_title, &*x), row(&name, &*value)];
        Some(MarkWords {
            aria_label: format!("{name}, {x} {what}: {value}"),
            title: name,
            rows: first.into_iter().chain(others.map(named_value)).collect(),
            notes: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests;
