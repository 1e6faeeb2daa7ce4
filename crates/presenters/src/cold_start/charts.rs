//! An answer about a cold start as charts: stages in time, all plans in time, first answer against steady rate, first answer
//! over prompt length.

use super::strategies::ComparedPlan;
use super::tables::route;
use chart::{
    FrontCurve, Gantt, Interpolation, LineChart, NextLoad, Series, SeriesRole,
    TradeOffChart as Picture, TradeOffPoint,
};
use document::counted;
use engine::plan::{Consolidation, Pipeline};
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use engine::units::{TimeFormat, count, seconds};
use planner::cold_start::{Answer, BaselineAnswer, gain_pct};
use planner::cold_start_front::Front;

/// Returns the title of a chart: model, prompt, fleet.
#[must_use]
pub fn title(scenario: &Scenario, problem: &ColdStart) -> String {
    format!(
        "Cold start of {}, {} tokens, {}",
        scenario.model.name(),
        count(scenario.prompt_tokens),
        counted(problem.machines().len(), "device", "devices")
    )
}

/// The plan in time; no rows without one. Where a way to another plan is known and this is the plan that it begins with, what
/// devices read for the other one is in their rows.
#[must_use]
pub fn gantt(problem: &ColdStart, answer: &Answer, way: Option<&Consolidation>) -> Gantt {
    let mut gantt = Gantt::of(problem, answer.timeline.as_deref().unwrap_or_default());
    let way = way.filter(|way| way.switch.is_some() && answer.plan.as_ref() == Some(&way.cold));
    for load in way.into_iter().flat_map(|way| &way.loads) {
        let ranges: Vec<String> = load
            .layers
            .iter()
            .map(|(a, b)| format!("{a}\u{2013}{b}"))
            .collect();
        let mut rows = gantt.rows.iter_mut();
        if let Some(row) = rows.find(|row| row.timing.device == load.device) {
            row.next = Some(NextLoad {
                from: load.from,
                to: load.to,
                bytes: load.bytes,
                layers: ranges.join(", "),
            });
        }
    }
    gantt
}

/// Plans in time, each under its name and how long it takes, all in the unit of the longest.
#[must_use]
pub fn timelines(problem: &ColdStart, strategies: &[ComparedPlan]) -> Vec<(String, Gantt)> {
    let longest = strategies.iter().map(|one| one.total_s).fold(0.0, f64::max);
    let unit = TimeFormat::of_largest(longest);
    let plan = |one: &ComparedPlan| {
        let words = format!("{}: {}", one.title(), unit.with_unit(one.total_s));
        (words, Gantt::of(problem, &one.timeline))
    };
    strategies.iter().map(plan).collect()
}

/// Title of the chart of a front.
pub const FRONT_TITLE: &str = "First answer against steady rate";

/// The front with the plan shown, and the plan of the least time per token, where they are beside it.
#[must_use]
pub fn front(problem: &ColdStart, answer: &Answer, front: &Front) -> Picture {
    let facts = |plan: &Pipeline, token: f64, whole: f64| {
        vec![
            ("Plan".to_owned(), route(problem, plan)),
            ("Time per token".to_owned(), seconds(token)),
            ("Whole answer".to_owned(), seconds(whole)),
        ]
    };
    let points = front
        .points
        .iter()
        .enumerate()
        .map(|(at, point)| TradeOffPoint {
            x: point.T,
            y: point.rate,
            pick: at as f64,
            facts: facts(&point.plan, point.D, point.total),
        });
    let exact = if front.is_complete {
        "No plan is better in both"
    } else {
        "Best found"
    };
    let mut curves = vec![FrontCurve {
        name: exact.to_owned(),
        role: SeriesRole::Ours,
        joined: Interpolation::Stairs,
        points: points.collect(),
    }];
    // The plan of the least time from token to token, and the one shown, may lie off the front.
    let beside = |name: &str, role, (x, y), facts| FrontCurve {
        name: name.to_owned(),
        role,
        joined: Interpolation::Apart,
        points: vec![TradeOffPoint {
            x,
            y,
            pick: f64::NAN,
            facts,
        }],
    };
    let on_front = |plan: &Pipeline| front.points.iter().any(|p| p.plan == *plan);
    let steady = front.steady.as_ref();
    curves.extend(steady.filter(|s| !on_front(&s.plan)).map(|s| {
        let known = facts(&s.plan, s.D, s.total);
        beside("Lowest time per token", SeriesRole::A, (s.T, s.rate), known)
    }));
    if let (Some(plan), Some(total), Some(decode)) = (&answer.plan, answer.T, &answer.decode)
        && !on_front(plan)
        && steady.is_none_or(|steady| steady.plan != *plan)
    {
        let known = facts(plan, decode.D, decode.total);
        curves.push(beside(
            "Plan on show",
            SeriesRole::B,
            (total, decode.rate),
            known,
        ));
    }
    let now = front
        .points
        .iter()
        .position(|point| Some(&point.plan) == answer.plan.as_ref());
    Picture {
        title: FRONT_TITLE.to_owned(),
        x_title: "First answer".to_owned(),
        x_unit: "s".to_owned(),
        y_title: "Tokens per second, full pipeline".to_owned(),
        y_unit: "tok/s".to_owned(),
        decimals: (3, 2),
        now: now.map(|at| at as f64),
        now_words: "on show".to_owned(),
        curves,
    }
}

type Value = fn(&Answer) -> Option<f64>;

/// The plans of a sweep.
const PLANS: [(&str, SeriesRole, Value); 5] = [
    ("Edgewise", SeriesRole::Ours, |a| a.objective),
    ("Heuristic", SeriesRole::A, |a| {
        Some(a.baselines.heuristic.objective())
    }),
    ("Even", SeriesRole::B, |a| {
        Some(a.baselines.even.objective())
    }),
    ("Single, no memory limit", SeriesRole::C, |a| {
        Some(a.baselines.single.objective())
    }),
    ("In strength order", SeriesRole::D, |a| {
        a.ordered.as_ref().map(BaselineAnswer::objective)
    }),
];

/// The goal of five plans over prompt lengths, or the gain of ours over the other four; a length without an answer is a gap, and
/// `now` is the scenario's own.
#[must_use]
pub fn sweep(goal: &str, gain: bool, now: f64, points: &[(f64, Option<&Answer>)]) -> LineChart {
    let value = |of: Value, answer: Option<&Answer>| {
        let answer = answer?;
        match gain {
            true => Some(gain_pct(of(answer)?, answer.objective?)),
            false => of(answer),
        }
    };
    let series = PLANS
        .into_iter()
        .filter(|(_, role, _)| !(gain && *role == SeriesRole::Ours))
        .map(|(name, role, of)| Series {
            name: name.into(),
            role,
            points: points
                .iter()
                .map(|(tokens, answer)| (*tokens, value(of, *answer)))
                .collect(),
        });
    let (title, y_title, y_unit, decimals) = if gain {
        ("Gain against prompt length".to_owned(), "Gain over", "%", 2)
    } else {
        (format!("{goal} against prompt length"), goal, "s", 3)
    };
    LineChart {
        title,
        x_title: "Prompt tokens".into(),
        y_title: y_title.into(),
        y_unit: y_unit.into(),
        decimals,
        now: Some(now),
        limit: None,
        series: series.collect(),
        ..LineChart::default()
    }
}
