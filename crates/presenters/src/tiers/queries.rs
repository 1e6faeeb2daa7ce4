//! Deferred queries of tiers: requests through our split and others at several rates, numbers and lengths, pass by pass, and the
//! split that is fastest under them.
//!
//! A section starts with empty lines and tables; each completed run fills its points and its row.

use super::{charts, load, own_load, requests_table, split_words, tier_name, utilisation};
use chart::{ChartSpec, LineChart, Series, SeriesRole};
use document::quantity::rate;
use document::{
    Block, Cell, Chart, ChartInteraction, Choice, DeferredSlot, Edit, Name, Patch, Section, Table,
    Trigger,
};
use engine::problem::Invalid;
use engine::scenario::tiers::{Placed, Requests, Scenario, Scheduler};
use engine::units::{percent, seconds};
use planner::tiers::{
    Plan, Planned, Runs, RunsAsk, TierRule, TiersRequest, TiersResult, answer, plan,
};
use protocol::{read, three_digits, written};
use serde::{Deserialize, Serialize};

/// Rates of the sweep, as shares of the rate at which the plan is full.
const SHARES: [f64; 10] = [0.15, 0.28, 0.4, 0.55, 0.7, 0.8, 0.88, 0.95, 1.02, 1.1];
/// The most splits that are run.
const MOST_LINES: usize = 4;
/// Numbers of requests that are run: the paper’s Fig. 5 and 6 go to 14.
const COUNTS: [f64; 8] = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0];
/// Lengths of answers that are run [tokens]: the paper’s Fig. 9 and 10 go to 256.
const TOKENS: [f64; 5] = [32.0, 64.0, 128.0, 192.0, 256.0];
/// Link rates that are run [Mbit/s]: those of the paper, section V.
const LINKS: [f64; 2] = [1000.0, 100.0];

const ROLES: [SeriesRole; MOST_LINES] = [
    SeriesRole::Ours,
    SeriesRole::A,
    SeriesRole::B,
    SeriesRole::C,
];

/// The charts of the load: the whole request, and its first token.
const LOAD_CHARTS: Name = "load";
const FIRST: Name = "load-first";

/// A query.
#[derive(Serialize, Deserialize)]
enum More {
    /// The scenario’s own requests.
    OwnRequests(Vec<Placed>),
    /// A point of the sweep over rates.
    Rate {
        /// The requests.
        runs: RunsAsk,
        /// Name of the split.
        name: String,
        /// Its line, its point, how many lines and points there are.
        at: [u32; 4],
    },
    /// A point over numbers of requests, or lengths of answers.
    Many {
        /// The requests.
        runs: RunsAsk,
        /// Name of the strategy.
        name: String,
        /// Its line, its point, which link, the row of its table.
        at: [u32; 4],
        /// True for a chart over numbers of requests.
        over_count: bool,
    },
    /// The scenario’s own requests pass by pass.
    Timeline(Vec<Placed>),
    /// The split that is fastest.
    Fastest(Vec<Placed>),
}

/// A split that is run.
struct Line {
    name: String,
    placed: Vec<Placed>,
    scheduler: Scheduler,
}

impl Line {
    /// Its requests, at another rate than the scenario’s own if one is given [1/s].
    fn requests(&self, rate: Option<f64>) -> RunsAsk {
        RunsAsk {
            placed: self.placed.clone(),
            rate,
            count: None,
            scheduler: self.scheduler,
            out_tokens: None,
            link_mbit_s: None,
        }
    }
}

fn other(planned: &Planned, who: TierRule) -> Option<&Plan> {
    let other = planned.others.iter().find(|other| other.who == who)?;
    other.plan.as_ref().filter(|plan| plan.mem_ok)
}

/// Ours first, then those that split otherwise.
fn lines(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Vec<Line> {
    let own = scenario.load.scheduler;
    let mut all = vec![Line {
        name: "This split".to_owned(),
        placed: plan.placed.clone(),
        scheduler: own,
    }];
    let rules = [
        TierRule::Rate,
        TierRule::Request,
        TierRule::Gpipe,
        TierRule::GpipeRepaired,
        TierRule::Heft,
    ];
    for who in rules {
        let Some(plan) = other(planned, who) else {
            continue;
        };
        if all.len() == MOST_LINES || all.iter().any(|line| line.placed == plan.placed) {
            continue;
        }
        // Baselines as published: equal counts come with nodes in turn.
        let (name, scheduler) = match who {
            TierRule::Gpipe | TierRule::GpipeRepaired => {
                ("GPipe".to_owned(), Scheduler::RoundRobin)
            }
            TierRule::Heft => ("HEFT".to_owned(), own),
            _ => (split_words(&plan.placed), own),
        };
        all.push(Line {
            name,
            placed: plan.placed.clone(),
            scheduler,
        });
    }
    all
}

/// The paper’s three strategies over the tiers of the plan.
fn strategies(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Vec<Line> {
    let line = |name: &str, plan: &Plan, scheduler| Line {
        name: name.to_owned(),
        placed: plan.placed.clone(),
        scheduler,
    };
    let heft = other(planned, TierRule::Heft);
    let gpipe = other(planned, TierRule::Gpipe).or_else(|| other(planned, TierRule::GpipeRepaired));
    let mut all = vec![line("This split", plan, scenario.load.scheduler)];
    all.extend(heft.map(|plan| line("HEFT", plan, Scheduler::Hypsched)));
    all.extend(gpipe.map(|plan| line("GPipe", plan, Scheduler::RoundRobin)));
    all
}

/// The scenario’s own mean rate, where requests come at random.
fn own_rate(scenario: &Scenario) -> Option<f64> {
    match &scenario.load.requests {
        Requests::Poisson { rate_per_s, .. } => Some(*rate_per_s),
        Requests::Trace(_) => None,
    }
}

/// The placement as the scenario keeps a split of the user’s: blocks by tier as listed. `None` where tiers change places, which
/// a split by hand cannot say.
#[must_use]
pub fn as_split(scenario: &Scenario, placed: &[Placed]) -> Option<Edit> {
    let in_order = placed.windows(2).all(|pair| pair[0].tier < pair[1].tier);
    let mut split = vec![0; scenario.tiers.len()];
    for placed in placed {
        *split.get_mut(placed.tier)? = placed.blocks;
    }
    in_order.then(|| Edit::of("/split", written(&split)))
}

/// An empty line over some values of a parameter.
fn empty(name: impl Into<String>, role: SeriesRole, xs: &[f64]) -> Series {
    Series {
        name: name.into(),
        role,
        points: xs.iter().map(|x| (*x, None)).collect(),
    }
}

/// Latency over the rate of requests.
#[must_use]
pub fn over_rates(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Section {
    let lines = lines(scenario, planned, plan);
    let rates = SHARES.map(|share| three_digits(share * plan.full_at));
    let drawn = |id: Name, title: &str, y_title: &str| {
        let mut series: Vec<Series> = (lines.iter().zip(ROLES).enumerate())
            .map(|(at, (line, role))| match at {
                0 => empty("This split, mean", role, &rates),
                _ => empty(&*line.name, role, &rates),
            })
            .collect();
        series.push(empty("This split, P95", SeriesRole::D, &rates));
        let drawing = ChartSpec::Lines(LineChart {
            title: title.into(),
            x_title: "Requests per second".into(),
            y_title: y_title.into(),
            y_unit: "s".into(),
            decimals: 2,
            now: own_rate(scenario),
            limit: Some((plan.full_at, format!("saturates, {:.3}", plan.full_at))),
            series,
            ..LineChart::default()
        });
        let chart = Chart::new(id, title, drawing);
        match scenario.load.requests {
            Requests::Poisson { .. } => chart.with_interaction(ChartInteraction::Sets {
                step: "load rate".into(),
                pointer: "/load/requests/poisson/rate_per_s".into(),
                per: 1.0,
            }),
            Requests::Trace(_) => chart,
        }
    };
    let ways = [
        (
            "Whole request",
            drawn(LOAD_CHARTS, "Latency against load", "Whole request"),
        ),
        (
            "First token",
            drawn(FIRST, "First token against load", "First token"),
        ),
    ];
    let ways = ways.map(|(name, chart)| (name.to_owned(), vec![chart.into()]));
    let mut table = load(&[]);
    for line in &lines {
        table.rows.extend(rates.map(|rate| {
            let name = format!("{} ({})", line.name, split_words(&line.placed));
            let mut cells = vec![Cell::text(name), Cell::Number(rate, 3)];
            cells.resize(table.columns.len(), Cell::Missing);
            cells
        }));
    }
    let own = DeferredSlot {
        id: "own-load",
        button: None,
        blocks: Vec::new(),
    };
    let fastest = DeferredSlot {
        id: "under-load",
        button: Some((
            "Find the fastest split under this load".into(),
            "Searching by simulation".into(),
        )),
        blocks: Vec::new(),
    };
    let note = format!(
        "Simulated pass by pass: {} requests per run, {} seeds, the same for every split. The tier {} saturates at {}: beyond \
         that there is no steady average, and points depend on how many requests a run has. Click a point, or drag the line, \
         to set the rate.",
        scenario.load.requests.count(),
        scenario.load.seeds,
        tier_name(scenario, plan.stages[plan.busiest].tier),
        rate(plan.full_at)
    );
    let mut section = Section::new("load", "Latency against load")
        .with(Block::Columns(vec![
            vec![Block::Tabs("Show".into(), ways.into())],
            vec![Block::Deferred(own), Block::Deferred(fastest)],
        ]))
        .with(note)
        .with(Block::Fold(
            "All runs as a table".into(),
            vec![table.into()],
        ))
        .with_query(
            Trigger::Idle,
            written(&More::OwnRequests(plan.placed.clone())),
            "No runs",
        );
    for (line, of) in lines.iter().enumerate() {
        for (point, rate) in rates.iter().enumerate() {
            let at = [line, point, lines.len(), rates.len()].map(|n| n as u32);
            let more = More::Rate {
                runs: of.requests(Some(*rate)),
                name: of.name.clone(),
                at,
            };
            let refused = match line {
                0 => "No runs".to_owned(),
                _ => format!("{} has no runs", of.name),
            };
            section = section.with_query(Trigger::Idle, written(&more), refused);
        }
    }
    let fastest = written(&More::Fastest(plan.placed.clone()));
    section.with_query(Trigger::Pressed("under-load"), fastest, "No search")
}

/// The names of the three charts at each link rate: the mean and the makespan over numbers of requests, the mean over lengths.
const MANY: [[Name; 3]; LINKS.len()] = [
    ["many-mean", "many-makespan", "many-tokens"],
    ["many-slow-mean", "many-slow-makespan", "many-slow-tokens"],
];

/// The paper’s three strategies over the number of requests and the length of answers, at two link rates: the pictures of its
/// Fig. 5, 6, 9 and 10.
#[must_use]
pub fn over_counts(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Section {
    let strategies = strategies(scenario, planned, plan);
    let columns = [
        ("strategy", "strategy", ""),
        ("link_mbit_s", "link", "Mbit/s"),
        ("requests", "requests", ""),
        ("out_tokens", "tokens out", ""),
        ("mean_s", "mean latency", "s"),
        ("spread_s", "\u{b1} 95 % over seeds", "s"),
        ("makespan_s", "makespan", "s"),
    ];
    let title = "Three strategies over requests and tokens";
    let mut table = Table::new("strategies", title, &columns, Vec::new());
    let mut asked = Vec::new();
    let own = scenario.out_tokens;
    let rate = scenario.load.requests.mean_rate();
    let points =
        (COUNTS.iter().map(|n| (true, *n, own))).chain(TOKENS.iter().map(|n| (false, 1.0, *n)));
    let points: Vec<(bool, f64, f64)> = points.collect();
    for (line, of) in strategies.iter().enumerate() {
        for (link, mbit_s) in LINKS.iter().enumerate() {
            for (place, (over_count, count, tokens)) in points.iter().enumerate() {
                let point = if *over_count {
                    place
                } else {
                    place - COUNTS.len()
                };
                let at = [line, point, link, table.rows.len()].map(|n| n as u32);
                let mut cells = vec![
                    Cell::text(&*of.name),
                    Cell::Number(*mbit_s, 0),
                    Cell::Number(*count, 0),
                    Cell::Number(*tokens, 0),
                ];
                cells.resize(columns.len(), Cell::Missing);
                table.rows.push(cells);
                asked.push(More::Many {
                    runs: RunsAsk {
                        count: Some(*count),
                        out_tokens: Some(*tokens),
                        link_mbit_s: Some(*mbit_s),
                        ..of.requests(Some(rate))
                    },
                    name: of.name.clone(),
                    at,
                    over_count: *over_count,
                });
            }
        }
    }
    let drawn = |id: Name, title: &str, x_title: &str, y_title: &str, xs: &[f64], mbit_s: f64| {
        let series = strategies.iter().zip(ROLES);
        let series = series.map(|(line, role)| empty(&*line.name, role, xs));
        let title = format!("{title}, {mbit_s} Mbit/s");
        let drawing = ChartSpec::Lines(LineChart {
            title: title.clone(),
            x_title: x_title.into(),
            y_title: y_title.into(),
            y_unit: "s".into(),
            decimals: 2,
            now: None,
            limit: None,
            series: series.collect(),
            ..LineChart::default()
        });
        Block::from(Chart::new(id, title, drawing))
    };
    let of_link = |(mbit_s, [mean, makespan, tokens]): (&f64, [Name; 3])| {
        let over_count = "Latency by number of requests";
        let ways = [("Mean latency", mean), ("Makespan", makespan)].map(|(name, id)| {
            let chart = drawn(id, over_count, "Requests", name, &COUNTS, *mbit_s);
            (name.to_owned(), vec![chart])
        });
        let alone = "A single request by the length of its answer";
        let by_tokens = drawn(
            tokens,
            alone,
            "Tokens out",
            "Mean latency",
            &TOKENS,
            *mbit_s,
        );
        let both = Block::Columns(vec![
            vec![Block::Tabs("Show".into(), ways.into())],
            vec![by_tokens],
        ]);
        (format!("{mbit_s} Mbit/s"), vec![both])
    };
    let ways = LINKS.iter().zip(MANY).map(of_link).collect();
    let section = Section::new("many", "Requests and tokens")
        .folded()
        .holding("the paper\u{2019}s three strategies over both")
        .with(Block::Tabs("Links".into(), ways))
        .with(Block::Fold(
            "All runs as a table".into(),
            vec![table.into()],
        ));
    // A fault of such a run is a gap: the note of the load says which splits have none.
    let later =
        |section: Section, more: &More| section.with_query(Trigger::Opened, written(more), "");
    asked.iter().fold(section, later)
}

/// Requests over time, once the section is open.
#[must_use]
pub fn in_time(plan: &Plan) -> Section {
    let place = DeferredSlot {
        id: "requests",
        button: None,
        blocks: Vec::new(),
    };
    let ask = written(&More::Timeline(plan.placed.clone()));
    Section::new("requests", "Requests over time")
        .folded()
        .holding("pass by pass on every node")
        .with(Block::Deferred(place))
        .with_query(Trigger::Opened, ask, "No run")
}

/// Finds out what was asked.
///
/// # Errors
/// The requests are invalid; the query was not written by this build.
pub fn query_result(
    scenario: &Scenario,
    ask: &str,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<Patch>, Invalid> {
    let own = |placed: &[Placed]| RunsAsk {
        placed: placed.to_vec(),
        rate: None,
        count: None,
        scheduler: scenario.load.scheduler,
        out_tokens: None,
        link_mbit_s: None,
    };
    let mut asked = |ask: TiersRequest| answer(scenario, &ask, on_progress);
    let of_runs = |found: TiersResult| match found {
        TiersResult::Runs(runs) => runs,
        _ => unreachable!("runs are answered with runs"),
    };
    match read::<More>(ask)? {
        More::OwnRequests(placed) => {
            let runs = of_runs(asked(TiersRequest::Runs(own(&placed)))?);
            let plan = plan(scenario, &placed)?;
            let said = Block::from(own_load(scenario, &plan, &runs));
            let table = utilisation(scenario, &plan, &runs).map(Block::from);
            Ok(vec![Patch::Place {
                id: "own-load",
                blocks: std::iter::once(said).chain(table).collect(),
            }])
        }
        More::Rate { runs, name, at } => {
            let split = split_words(&runs.placed);
            let found = of_runs(asked(TiersRequest::Runs(runs))?);
            let [line, point, lines, points] = at;
            let first = found.first_token;
            let fill = |chart, line, y| Patch::Point {
                chart,
                at: (line, point),
                y,
            };
            let mut all = vec![
                fill(LOAD_CHARTS, line, Some(found.quantiles.mean)),
                fill(FIRST, line, first.map(|first| first.mean)),
            ];
            if line == 0 {
                all.push(fill(LOAD_CHARTS, lines, Some(found.quantiles.p95)));
                all.push(fill(FIRST, lines, first.map(|first| first.p95)));
            }
            let mut rows = load(&[(format!("{name} ({split})"), found)]).rows;
            all.extend(rows.pop().map(|cells| Patch::Row {
                table: "load",
                at: line * points + point,
                cells,
            }));
            Ok(all)
        }
        More::Many {
            runs,
            name,
            at,
            over_count,
        } => {
            let [line, point, link, row] = at;
            let cells = [runs.link_mbit_s, runs.count, runs.out_tokens];
            let cells = cells.map(|n| Cell::maybe(n, 0));
            let found = of_runs(asked(TiersRequest::Runs(runs))?);
            let [mean, makespan, tokens] = MANY[(link as usize).min(LINKS.len() - 1)];
            let fill = |chart, y| Patch::Point {
                chart,
                at: (line, point),
                y: Some(y),
            };
            let mut all = match over_count {
                true => vec![
                    fill(mean, found.latency.mean),
                    fill(makespan, found.makespan.mean),
                ],
                false => vec![fill(tokens, found.latency.mean)],
            };
            let figures = [
                Cell::Number(found.latency.mean, 2),
                Cell::maybe(found.latency.confidence, 2),
                Cell::Number(found.makespan.mean, 1),
            ];
            all.push(Patch::Row {
                table: "strategies",
                at: row,
                cells: std::iter::once(Cell::text(name))
                    .chain(cells)
                    .chain(figures)
                    .collect(),
            });
            Ok(all)
        }
        More::Timeline(placed) => {
            let TiersResult::Timeline(timeline) = asked(TiersRequest::Timeline(own(&placed)))?
            else {
                unreachable!("a timeline is answered with one");
            };
            let cut = match timeline.left_out {
                0 => String::new(),
                left_out => format!(" {left_out} later passes are not drawn."),
            };
            let note = format!(
                "{} requests, seed {}. A node serves passes one at a time in order of arrival; a request stays on its node, \
                 where its cache is.{cut}",
                timeline.arrival.len(),
                scenario.load.first_seed
            );
            let chart = charts::requests(scenario, &placed, &timeline).map(|run| {
                let chart = Chart::new("requests", "Requests over time", ChartSpec::Requests(run));
                Block::from(chart.with_table(requests_table(&timeline)))
            });
            Ok(vec![Patch::Place {
                id: "requests",
                blocks: chart.into_iter().chain([note.into()]).collect(),
            }])
        }
        More::Fastest(placed) => {
            let TiersResult::UnderLoad(best) = asked(TiersRequest::UnderLoad)? else {
                unreachable!("a search under load is answered with one");
            };
            let here = of_runs(asked(TiersRequest::Runs(own(&placed)))?);
            let blocks = fastest(scenario, &placed, &here, &best);
            Ok(vec![Patch::Place {
                id: "under-load",
                blocks,
            }])
        }
    }
}

/// Describes the result of the search under load, with an action that applies it.
fn fastest(
    scenario: &Scenario,
    placed: &[Placed],
    here: &Runs,
    best: &planner::tiers::UnderLoad,
) -> Vec<Block> {
    let sooner = here.latency.mean - best.runs.latency.mean;
    if best.placed == placed || sooner <= 0.0 {
        let none = format!(
            "Of {} splits tried with these requests, none is faster on average than this one.",
            best.tried
        );
        return vec![none.into()];
    }
    let found = format!(
        "Of {} splits tried with these requests, {} is the fastest: {} on average, {} ({}) faster. This is a search by \
         simulation, not a proof.",
        best.tried,
        split_words(&best.placed),
        seconds(best.runs.latency.mean),
        seconds(sooner),
        percent(100.0 * sooner / here.latency.mean, 1)
    );
    let edit = as_split(scenario, &best.placed);
    let choice = edit.map(|edit| {
        let choice = Choice {
            id: "under-load-take",
            words: "Use it".into(),
            edit,
        };
        Block::Try(String::new(), vec![choice])
    });
    std::iter::once(found.into()).chain(choice).collect()
}
