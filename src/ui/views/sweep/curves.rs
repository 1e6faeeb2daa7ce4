//! What the chart of the sweep draws: the first answer of five plans, or the gain of ours over the other four.

use crate::ui::state::Points;
use chart::{Lines, Series, SeriesRole};
use job::cold_start::{Answer, gain_pct};

type Value = fn(&Answer) -> Option<f64>;

const PLANS: [(&str, SeriesRole, Value); 5] = [
    ("Edgewise", SeriesRole::Ours, |a| a.T),
    ("Heuristic", SeriesRole::A, |a| {
        Some(a.baselines.heuristic.T)
    }),
    ("Even", SeriesRole::B, |a| Some(a.baselines.even.T)),
    ("Single, no memory limit", SeriesRole::C, |a| {
        Some(a.baselines.single.T)
    }),
    ("In strength order", SeriesRole::D, |a| {
        a.ordered.as_ref().map(|ordered| ordered.T)
    }),
];

/// The lines over these lengths, `now` being the scenario's own.
pub fn lines(gain: bool, now: f64, lengths: &[f64], points: &Points) -> Lines {
    let value = |of: Value, tokens: f64| {
        let answer = points.at(tokens)?;
        if gain {
            Some(gain_pct(of(answer)?, answer.T?))
        } else {
            of(answer)
        }
    };
    let series = PLANS
        .into_iter()
        .filter(|(_, role, _)| !(gain && *role == SeriesRole::Ours))
        .map(|(name, role, of)| Series {
            name: name.into(),
            role,
            points: lengths.iter().map(|t| (*t, value(of, *t))).collect(),
        });
    let (title, y_title, y_unit, decimals) = if gain {
        ("Gain against prompt length", "Gain over", "%", 2)
    } else {
        ("First answer against prompt length", "First answer", "s", 3)
    };
    Lines {
        title: title.into(),
        x_title: "Prompt tokens".into(),
        y_title: y_title.into(),
        y_unit: y_unit.into(),
        decimals,
        now: Some(now),
        limit: None,
        series: series.collect(),
    }
}
