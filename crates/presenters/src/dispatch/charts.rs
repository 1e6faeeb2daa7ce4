//! An answer about device and server as charts: waits by prompt length, shares of requests over time, one request token by
//! token, every budget, the distributions behind it.

use super::{device_name, rule_name};
use chart::{
    ChartHandover, FrontCurve, Interpolation, LineChart, RaceStart, ScarceSide, Series, SeriesRole,
    ShareCurve, Shares, SpreadChart, TokenLine, TradeOffChart, TradeOffPoint, WaitCurve, WaitPoint,
    WaitsChart, Writer,
};
use engine::plan::dispatch::Scarce;
use engine::problem::migration::Winner;
use engine::scenario::dispatch::Scenario;
use engine::units::percent;
use planner::dispatch::{
    BudgetSweep, DispatchPlan, FollowedRequest, LawFit, Rule, ScoredPolicy, SweepPoint, waits_of,
};

/// The rules whose times are drawn, ours first.
const DRAWN_RULES: [Rule; 5] = [
    Rule::Edgewise,
    Rule::Disco,
    Rule::Stochastic,
    Rule::AllServer,
    Rule::AllDevice,
];

/// The rules that a budget changes.
const BUDGETED: [Rule; 3] = [Rule::Edgewise, Rule::Disco, Rule::Stochastic];

/// The colour of a rule, the same in every chart.
const fn role(rule: Rule) -> SeriesRole {
    match rule {
        Rule::Edgewise => SeriesRole::Ours,
        Rule::Disco => SeriesRole::A,
        Rule::Stochastic => SeriesRole::B,
        Rule::AllServer => SeriesRole::C,
        Rule::AllDevice => SeriesRole::D,
        Rule::DiscoExact => SeriesRole::More(0),
    }
}

/// How long the scarce side waits with each prompt length, by our rule and the paper's.
#[must_use]
pub fn waits(planned: &DispatchPlan) -> WaitsChart {
    let point = |at: planner::dispatch::WaitAt| WaitPoint {
        length: f64::from(at.tokens),
        wait_s: at.wait,
        other: at.other,
    };
    let curve = |scored: &ScoredPolicy| WaitCurve {
        name: rule_name(scored.rule, planned.scarce).to_owned(),
        role: role(scored.rule),
        points: waits_of(planned, scored).into_iter().map(point).collect(),
    };
    let prompts = planned.prompts.iter();
    let (title, waiting) = match planned.scarce {
        Scarce::Device => (
            "How long the device waits, by prompt length",
            ScarceSide::Device,
        ),
        Scarce::Server => (
            "Whether the server is asked, by prompt length",
            ScarceSide::Server,
        ),
    };
    WaitsChart {
        title: title.to_owned(),
        waiting,
        prompts: prompts
            .map(|(tokens, p)| (f64::from(*tokens), *p))
            .collect(),
        curves: [Rule::Edgewise, Rule::Disco]
            .into_iter()
            .filter_map(|rule| planned.scored(rule).map(curve))
            .collect(),
    }
}

/// The share of requests that have their first token by a time, rule by rule.
#[must_use]
pub fn shares(planned: &DispatchPlan) -> Shares {
    let curves = DRAWN_RULES
        .into_iter()
        .filter_map(|rule| planned.scored(rule));
    Shares {
        title: "Time to first token: share of requests answered by then".to_owned(),
        curves: curves
            .map(|scored| ShareCurve {
                name: rule_name(scored.rule, planned.scarce).to_owned(),
                role: role(scored.rule),
                steps: scored.outcome.curve.clone(),
                p99_s: Some(scored.outcome.p99),
            })
            .collect(),
    }
}

const fn writer(winner: Winner) -> Writer {
    match winner {
        Winner::Device => Writer::Device,
        Winner::Server => Writer::Server,
    }
}

const fn other(writer: Writer) -> Writer {
    match writer {
        Writer::Device => Writer::Server,
        Writer::Server => Writer::Device,
    }
}

/// One request: who writes, what is ready, what is read, and where it is handed over.
///
/// # Complexity
/// O(tokens of the reply).
#[must_use]
pub fn tokens(scenario: &Scenario, request: &FollowedRequest) -> TokenLine {
    let device = &scenario.devices[request.device];
    let first = request.first_token;
    let source = writer(request.winner);
    let moved = request.timeline.handover.as_ref();
    let count = request.timeline.available.len();
    let source_tokens = moved.map_or(count, |moved| moved.tokens as usize);
    let writers = (0..count).map(|at| {
        if at < source_tokens {
            source
        } else {
            other(source)
        }
    });
    let mut starts = Vec::new();
    let mut start = |by: Writer, from: f64, to: f64| {
        starts.push(RaceStart {
            by,
            from_s: from,
            to_s: to.min(first),
            is_stopped: by != source,
            planned_s: None,
        });
    };
    if let Some(time) = request.server_time {
        start(Writer::Server, 0.0, time);
    }
    if let Some((from, to)) = request.device_time {
        start(Writer::Device, from, to);
    }
    if let Some(moved) = moved {
        starts.push(RaceStart {
            by: other(source),
            from_s: first + moved.from,
            to_s: first + moved.first,
            is_stopped: false,
            planned_s: Some(request.allowed),
        });
    }
    TokenLine {
        title: format!(
            "One request, token by token: prompt of {} tokens",
            request.tokens
        ),
        device: device_name(scenario, request.device),
        server: scenario.server.name.clone(),
        device_rate: device.decode_tok_s,
        server_rate: scenario.server.decode_tok_s,
        reader_rate: scenario.reader_tok_s,
        available_s: request
            .timeline
            .available
            .iter()
            .map(|t| first + t)
            .collect(),
        shown_s: request
            .timeline
            .displayed
            .iter()
            .map(|t| first + t)
            .collect(),
        writers: writers.collect(),
        starts,
        handover: moved.map(|moved| ChartHandover {
            at_s: first + moved.from,
            after: moved.tokens as usize,
            needed: moved.buffer_tokens as usize,
        }),
    }
}

/// Quantity drawn over the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByBudget {
    /// The mean time to the first token.
    Mean,
    /// Its 99th percentile.
    P99,
    /// Mean cost of a request.
    Cost,
}

impl ByBudget {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Mean, Self::P99, Self::Cost];

    /// Describes the quantity in a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Mean => "Mean first token at every budget, the same for each policy.",
            Self::P99 => "The time within which 99\u{202f}% of requests get their first token.",
            Self::Cost => "Cost per request, including prefill that loses the race and hand-overs.",
        }
    }

    fn of(self, point: &SweepPoint, rule: Rule) -> Option<f64> {
        let of = point.of(rule)?;
        Some(match self {
            Self::Mean => of.mean,
            Self::P99 => of.p99,
            Self::Cost => of.with,
        })
    }
}

/// A figure of every rule that has a budget, over the budget; `now` is that of the scenario.
#[must_use]
pub fn by_budget(swept: &BudgetSweep, what: ByBudget, now: f64) -> LineChart {
    let points = |rule| {
        swept
            .points
            .iter()
            .map(move |point| (100.0 * point.budget, what.of(point, rule)))
    };
    let series = BUDGETED.into_iter().map(|rule| Series {
        name: rule_name(rule, swept.scarce).to_owned(),
        role: role(rule),
        points: points(rule).collect(),
    });
    let (title, y_title, y_unit, decimals) = match what {
        ByBudget::P99 => (
            "P99 of the first token by budget",
            "P99 first token",
            "s",
            3,
        ),
        ByBudget::Cost => (
            "Cost per request by budget",
            "Cost per request",
            "\u{b5}$",
            1,
        ),
        ByBudget::Mean => ("Mean first token by budget", "Mean first token", "s", 3),
    };
    let whose = match swept.scarce {
        Scarce::Device => "Device budget, % of prompt tokens",
        Scarce::Server => "Server budget, % of prompt tokens",
    };
    LineChart {
        title: title.to_owned(),
        x_title: whose.to_owned(),
        y_title: y_title.to_owned(),
        y_unit: y_unit.to_owned(),
        decimals,
        now: Some(100.0 * now),
        limit: None,
        series: series.collect(),
        ..LineChart::default()
    }
}

/// Description of the chart of costs against times.
pub const FRONT_ABOUT: &str =
    "Every point is a budget: what a request costs with it, and how fast it is answered.";

/// Cost against mean time, a point for every budget.
#[must_use]
pub fn front(swept: &BudgetSweep, now: f64) -> TradeOffChart {
    let point = |rule: Rule, point: &SweepPoint| {
        let of = point.of(rule)?;
        Some(TradeOffPoint {
            x: of.with,
            y: of.mean,
            pick: point.budget,
            facts: vec![("Budget".to_owned(), percent(100.0 * point.budget, 0))],
        })
    };
    let curves = BUDGETED.into_iter().map(|rule| FrontCurve {
        name: rule_name(rule, swept.scarce).to_owned(),
        role: role(rule),
        joined: Interpolation::Line,
        points: swept
            .points
            .iter()
            .filter_map(|at| point(rule, at))
            .collect(),
    });
    TradeOffChart {
        title: "Cost per request and mean first token, budget by budget".to_owned(),
        x_title: "Cost per request, hand-over included".to_owned(),
        x_unit: "\u{b5}$".to_owned(),
        y_title: "Mean first token".to_owned(),
        y_unit: "s".to_owned(),
        decimals: (1, 3),
        curves: curves.collect(),
        now: Some(now),
        now_words: format!("now, {}", percent(100.0 * now, 0)),
    }
}

/// The server's first tokens as a histogram under their fitted law.
#[must_use]
pub fn first_tokens(law: &LawFit) -> SpreadChart {
    SpreadChart {
        title: "Time to first token of the server".to_owned(),
        x_title: "First token of the server".to_owned(),
        unit: "s".to_owned(),
        decimals: 3,
        is_whole: false,
        ..of_law(law)
    }
}

/// Prompt lengths likewise.
#[must_use]
pub fn prompts(law: &LawFit) -> SpreadChart {
    SpreadChart {
        title: "Prompt lengths".to_owned(),
        x_title: "Prompt length".to_owned(),
        unit: "tokens".to_owned(),
        decimals: 0,
        is_whole: true,
        ..of_law(law)
    }
}

fn of_law(law: &LawFit) -> SpreadChart {
    SpreadChart {
        samples: law.values.clone(),
        fit: law.fit.map(|fit| (fit.log_mean, fit.log_sd)),
        quantiles: vec![
            ("median".to_owned(), law.median),
            ("P99".to_owned(), law.p99),
        ],
        ..SpreadChart::default()
    }
}
