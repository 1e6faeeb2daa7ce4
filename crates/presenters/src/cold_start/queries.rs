//! Deferred queries of a cold start: answers over prompt lengths, sensitivity, the front of first answer and rate, rules of other
//! tools, shorter prompts that fit, draws from ranges. Each search is a subtask, so that all workers share them.

use super::charts::{self, sweep};
use super::listings::{
    LengthPoints, by_length, fitting, front_plans, helping, loading, numbers, other_rules,
    to_measure,
};
use super::presenter::ColdStartResults;
use super::rules::{SAME_REFEREE, about, other_objectives, title};
use super::spread::{basis, plans_table, summary, times_table, worst};
use super::{front, gains};
use super::{goal_name, goal_of};
use chart::{ChartSpec, SpreadChart as Histogram};
use document::{
    Block, CacheScope, Chart, ChartInteraction, DeferredSlot, Name, Patch, Section, Sentence,
    Trigger,
};
use engine::problem::Invalid;
use engine::scenario::{Goal, Ranges, Scenario};
use engine::units::percent;
use planner::Status;
use planner::cold_start::{Answer, planned, summary as summed};
use planner::cold_start_front::{Front, front as find_front};
use planner::cold_start_gains::{
    self as improved, ColdStartGain, GainEffect, GainVerdict, Known as Before, changes,
    checked_share, is_quick, limits, prepared,
};
use planner::cold_start_rules::{Rule, rules};
use planner::cold_start_shorter::shorter;
use planner::cold_start_spread::{
    self as drawing, DrawResult, LEAST_DRAWS, MOST_DRAWS, SpreadResult,
};
use protocol::{SubtaskResult, packed, read, unpacked, written};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// A front of more devices is made only when it is asked for: it takes a search for every plan on it.
const QUICK_DEVICES: usize = 8;
/// With fewer steps of the program than this for all draws they are solved without being asked for.
const IN_PASSING: f64 = 3e9;

/// A query.
#[derive(Serialize, Deserialize)]
pub enum ColdStartQuery {
    /// The first answer at some prompt lengths.
    Sweep(Vec<f64>),
    /// Sensitivity to improvements of this size [%].
    Gains(f64),
    /// The front.
    Front,
    /// Rules of other tools.
    Rules,
    /// Shorter prompts and answers that fit.
    Shorter,
    /// Draws from ranges: number of draws, seed.
    Spread(u32, u32),
    /// The search goes on.
    Hunt,
}

/// A subtask.
#[derive(Serialize, Deserialize)]
pub enum ColdStartSubtask {
    /// The first answer at a prompt length.
    At(f64),
    /// Effect of a change.
    Gain(improved::GainRequest),
    /// Some draws.
    Draw(drawing::SpreadRequest),
    /// A share of a search.
    Share(u32, u32),
    /// Nothing: it is found out with the story.
    Rules,
}

/// The first answer at a prompt length as a piece.
#[must_use]
pub fn at(tokens: f64) -> String {
    written(&ColdStartSubtask::At(tokens))
}

/// A share of a search as a piece.
#[must_use]
pub fn share(at: u32, of: u32) -> String {
    written(&ColdStartSubtask::Share(at, of))
}

fn place(id: Name, blocks: impl IntoIterator<Item = Block>) -> Patch {
    Patch::Place {
        id,
        blocks: blocks.into_iter().collect(),
    }
}

/// An empty place.
#[must_use]
pub fn empty(id: Name) -> Block {
    holding(id, Vec::new())
}

/// A place that is filled.
#[must_use]
pub fn holding(id: Name, blocks: Vec<Block>) -> Block {
    Block::Deferred(DeferredSlot {
        id,
        button: None,
        blocks,
    })
}

fn button(id: Name, ask: &str, meanwhile: &str) -> Block {
    Block::Deferred(DeferredSlot {
        id,
        button: Some((ask.to_owned(), meanwhile.to_owned())),
        blocks: Vec::new(),
    })
}

/// A piece as it was asked for.
///
/// # Errors
/// The name was not written by this build.
pub fn parse_subtask(piece: &str) -> Result<ColdStartSubtask, Invalid> {
    read(piece)
}

/// Finds out a piece.
///
/// # Errors
/// A scenario that cannot be answered; what no story of this build asks.
pub fn run_subtask(
    scenario: &Scenario,
    part: ColdStartSubtask,
    load: &[u8],
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    match part {
        ColdStartSubtask::At(tokens) => {
            let answer = planned(scenario, tokens, on_progress)?;
            Ok(serde_json::to_vec(&answer).expect("an answer is plain data"))
        }
        ColdStartSubtask::Gain(ask) => {
            let mut listen = forward_steps(on_progress);
            improved::measure_gain(scenario, &ask, &limits(), &mut listen)
                .map(|known| packed(&known))
        }
        ColdStartSubtask::Draw(ask) => match drawing::answer(scenario, &ask, on_progress)? {
            SpreadResult::Drawn(drawn) => Ok(packed(&drawn)),
            SpreadResult::Weighed(_) => unreachable!("only draws are pieces"),
        },
        ColdStartSubtask::Rules => Ok(Vec::new()),
        ColdStartSubtask::Share(at, of) => {
            super::search_progress::extend(scenario, load, (at, of), on_progress)
        }
    }
}

/// Passes the steps of a search on.
fn forward_steps(
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> impl FnMut(engine::solve::SearchEvent<'_, engine::plan::Pipeline>) -> ControlFlow<()> {
    move |event| {
        if let engine::solve::SearchEvent::Step { done, of } = event {
            on_progress(done, of);
        }
        ControlFlow::Continue(())
    }
}

/// Decodes the result of a subtask; `None` if it is missing or was refused.
fn decode_result<T: serde::de::DeserializeOwned>(
    piece: Option<&Option<SubtaskResult>>,
) -> Option<T> {
    unpacked(piece?.as_ref()?).ok()
}

/// The first answer over prompt length; `known` are the answers that have come.
#[must_use]
pub fn over_lengths(known: &ColdStartResults<'_>, lengths: &[f64]) -> Section {
    let scenario = known.scenario;
    let fixed = scenario.model.is_table().then(|| {
        holding(
            "sweep-fixed",
            vec![engine::scenario::FIXED_TABLE.to_owned().into()],
        )
    });
    let nothing: Vec<(f64, Option<&Answer>)> = lengths.iter().map(|t| (*t, None)).collect();
    let ways = [
        (goal_name(known.problem), "sweep", false),
        ("Gain", "sweep-gain", true),
    ];
    let ways = ways.map(|(name, id, gain)| {
        let lines = sweep(
            goal_name(known.problem),
            gain,
            scenario.prompt_tokens,
            &nothing,
        );
        let chart = Chart::new(id, lines.title.clone(), ChartSpec::Lines(lines)).with_interaction(
            ChartInteraction::Sets {
                step: "sweep".into(),
                pointer: "/prompt_tokens".into(),
                per: 1.0,
            },
        );
        (name.to_owned(), vec![chart.into()])
    });
    let plans = by_length(scenario, known.problem, &nothing);
    let figures = numbers(scenario, known.problem, &nothing);
    let pieces = lengths.iter().map(|tokens| at(*tokens));
    Section::new("sweep", "Over prompt length")
        .and(fixed)
        .with(Block::Columns(vec![
            vec![Block::Tabs("Show".into(), ways.into())],
            vec![holding("sweep-plans", vec![plans.into()])],
        ]))
        .with(Block::Fold(
            "Every length as a table".into(),
            vec![
                format!("{} {NUMBERS}", goal_name(known.problem)).into(),
                holding("sweep-numbers", vec![figures.into()]),
            ],
        ))
        .with(empty("sweep-summary"))
        .with_split_query(
            Trigger::Idle,
            written(&ColdStartQuery::Sweep(lengths.to_vec())),
            pieces.collect(),
            "A length was left out",
        )
        .lasting(CacheScope::Equivalent)
}

const NUMBERS: &str = "in seconds; in brackets the gain over that plan in percent, where that plan fits. In strength \
                       order: the best cuts for devices that run strongest first, as in single, even and heuristic. \u{2264}: the \
                       search was cut short, and a plan may be faster.";

fn swept(
    known: &ColdStartResults<'_>,
    lengths: &[f64],
    pieces: &[Option<SubtaskResult>],
) -> Vec<Patch> {
    let scenario = known.scenario;
    let of = |at: usize| -> Option<Answer> {
        // The answer of a long search is the point at its length: a point is not searched for as long.
        if lengths[at] == scenario.prompt_tokens && known.is_searched {
            return Some(known.answer.clone());
        }
        serde_json::from_slice(pieces.get(at)?.as_ref()?).ok()
    };
    let found: Vec<Option<Answer>> = (0..lengths.len()).map(of).collect();
    let points: Vec<(f64, Option<&Answer>)> = lengths
        .iter()
        .copied()
        .zip(found.iter().map(Option::as_ref))
        .collect();
    let drawn = [("sweep", false), ("sweep-gain", true)].map(|(chart, gain)| Patch::Drawn {
        chart,
        drawing: Arc::new(ChartSpec::Lines(sweep(
            goal_name(known.problem),
            gain,
            scenario.prompt_tokens,
            &points,
        ))),
    });
    let sum = gained(&points);
    drawn
        .into_iter()
        .chain([
            place(
                "sweep-plans",
                [by_length(scenario, known.problem, &points).into()],
            ),
            place(
                "sweep-numbers",
                [numbers(scenario, known.problem, &points).into()],
            ),
            place("sweep-summary", sum.map(Block::from)),
        ])
        .collect()
}

/// Describes the gain over all prompt lengths, once every one is answered.
fn gained(points: &LengthPoints<'_>) -> Option<String> {
    let found: Option<Vec<&Answer>> = points.iter().map(|(_, answer)| *answer).collect();
    let summary = summed(found?.into_iter());
    let (min, max) = summary.gain_min_pct.zip(summary.gain_max_pct)?;
    let mean = summary.gain_vs_best_mean_pct?;
    let [min, max, mean] = [min, max, mean].map(|gain| percent(gain, 2));
    Some(format!(
        "Gains over simple splits that fit: {min} at least, {max} at most, {mean} on average over the best of them at \
         each length."
    ))
}

/// Returns the section of sensitivity, once the changes are solved. For a large fleet it has a button.
///
/// # Errors
/// A share that is not allowed.
pub fn what_helps(known: &ColdStartResults<'_>, by: f64) -> Result<Section, Invalid> {
    let by = checked_share(by)?;
    let (scenario, answer) = (known.scenario, known.answer);
    let found = prepared(scenario, answer, by);
    let asks = improved::open_requests(scenario, answer, by, &found);
    let goal = scenario.decode.map(|decode| decode.goal);
    let count = changes(scenario).len();
    let pieces = asks
        .into_iter()
        .map(|ask| written(&ColdStartSubtask::Gain(ask)));
    let (pieces, ask) = (pieces.collect(), written(&ColdStartQuery::Gains(by)));
    let section = gains_section();
    let refused = "A change was left out";
    Ok(
        match is_quick(known.problem, goal.unwrap_or_default(), count) {
            true => section
                .with(holding("gains-found", changed(known, &found, by)))
                .with_split_query(Trigger::Idle, ask, pieces, refused),
            false => section
                .with(format!("{count} changes, each a search of its own."))
                .with(button("gains-start", "Compute", "Computing"))
                .with(empty("gains-found"))
                .with_split_query(Trigger::Pressed("gains-start"), ask, pieces, refused),
        },
    )
}

/// The section of what would help, still empty.
#[must_use]
pub fn gains_section() -> Section {
    Section::new("gains", "What would help most").holding("each number improved, one at a time")
}

fn gained_by(
    known: &ColdStartResults<'_>,
    by: f64,
    pieces: &[Option<SubtaskResult>],
) -> Vec<ColdStartGain> {
    let before = Before::of(known.answer);
    let mut all = prepared(known.scenario, known.answer, by);
    let open = all
        .iter_mut()
        .filter(|gain| gain.effect == GainEffect::Pending);
    for (at, gain) in open.enumerate() {
        if let Some(after) = decode_result::<Before>(pieces.get(at)) {
            gain.answered(&before, after);
        }
    }
    all
}

/// The changes as far as they are known, with what is to be said of the rest.
fn changed(known: &ColdStartResults<'_>, found: &[ColdStartGain], by: f64) -> Vec<Block> {
    let (scenario, before) = (known.scenario, Before::of(known.answer));
    let mut said = vec![EACH_CHANGE.to_owned()];
    said.extend(gains::foot(scenario, &before, found));
    let is_open = found.iter().any(|gain| gain.effect == GainEffect::Pending);
    let helps = found
        .iter()
        .any(|gain| gain.verdict() == GainVerdict::Helps);
    let nothing = (!is_open && !helps)
        .then(|| Block::Note("No change of this size makes the answer faster.".to_owned()));
    let list = helping(scenario, &before, found, by);
    std::iter::once(list.into())
        .chain(nothing)
        .chain([holding("gains-foot", vec![said.join(" ").into()])])
        .collect()
}

const EACH_CHANGE: &str = "Each row is a full new plan with one change. A link speeds up by more transmit power at its sender.";

/// The front between the first answer and the rate after it; nothing where only the first answer counts.
#[must_use]
pub fn steady(known: &ColdStartResults<'_>, found: Option<&Front>) -> Option<Section> {
    known.scenario.decode?;
    let section =
        Section::new("front", charts::FRONT_TITLE).holding("every plan that is worth having");
    if let Some(found) = found {
        return Some(front_found(known, section, found));
    }
    let ask = written(&ColdStartQuery::Front);
    let refused = "The front could not be found";
    Some(match known.problem.machines().len() <= QUICK_DEVICES {
        true => section
            .with("Finding plans between the fastest first answer and the highest rate.".to_owned())
            .with_query(Trigger::Idle, ask, refused),
        false => section
            .with("Every plan between the fastest first answer and the highest steady rate, one search each.".to_owned())
            .with(button("front-begin", "Find them", "Finding them"))
            .with_query(Trigger::Pressed("front-begin"), ask, refused),
    })
}

fn front_found(known: &ColdStartResults<'_>, section: Section, found: &Front) -> Section {
    let ColdStartResults {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let takes =
        (0..found.points.len()).filter_map(|at| Some((at as f64, loading(scenario, found, at)?)));
    let drawn = charts::front(problem, answer, found);
    let chart = Chart::new("front", charts::FRONT_TITLE, ChartSpec::Front(drawn))
        .with_interaction(ChartInteraction::AppliesEdits(takes.collect()));
    let said = front::front_sentences(problem, found)
        .into_iter()
        .map(Block::from);
    let section = match found.points.is_empty() {
        true => section,
        false => section.with(chart),
    };
    section
        .with(holding("front-words", said.collect()))
        .with(front_plans(scenario, problem, answer, found))
        .with(RATE.to_owned())
}

const RATE: &str = "Rate counts a pipeline that is always full, shared by the answers of several requests; a single answer takes \
                    \u{201c}time per token\u{201d} for each of its tokens. Whole answer is the first answer and all tokens after it.";

/// Returns the section of other tools' rules.
#[must_use]
pub fn other_rules_section(known: &ColdStartResults<'_>, are_known: bool) -> Section {
    let section = Section::new("rules", "What other tools would do")
        .folded()
        .holding("rules of other runtimes, scored by the same referee");
    let (section, said) = match are_known {
        true => {
            let found = rules(known.problem, known.answer);
            let said = format!("{SAME_REFEREE} {}", other_objectives(&found));
            (section.with(other_rules(known.problem, &found)), said)
        }
        false => (
            section.with_split_query(
                Trigger::Opened,
                written(&ColdStartQuery::Rules),
                vec![written(&ColdStartSubtask::Rules)],
                "",
            ),
            SAME_REFEREE.to_owned(),
        ),
    };
    let terms = Rule::ALL.map(|rule| (title(rule).to_owned(), about(rule).to_owned()));
    section.with(said).with(Block::Fold(
        "What the rules do, and who has them".into(),
        vec![Block::Terms(terms.into())],
    ))
}

/// Returns the section of repairs; `None` if there is a plan.
#[must_use]
pub fn repairs(known: &ColdStartResults<'_>) -> Option<Section> {
    (known.answer.status == Status::Infeasible).then(|| {
        repaired(known, &[]).with_query(Trigger::Idle, written(&ColdStartQuery::Shorter), "")
    })
}

fn repaired(
    known: &ColdStartResults<'_>,
    found: &[planner::cold_start_shorter::Shorter],
) -> Section {
    let section = Section::new("repairs", "Smallest repairs");
    let listed = fitting(known.scenario, known.problem, &known.answer.repairs, found);
    match listed {
        Some(listing) => section
            .with(listing)
            .with(super::repairs::EACH_REPAIR.to_owned()),
        None => section,
    }
}

/// Ranges in the place of points: what so many draws come to.
#[must_use]
pub fn drawn(known: &ColdStartResults<'_>, count: u32, seed: u32) -> Section {
    let section = spread_section();
    let (scenario, plan) = (known.scenario, known.answer.plan.as_ref());
    let inputs = scenario.spanned().len();
    let Some(plan) = plan.filter(|_| inputs > 0) else {
        return section;
    };
    let count = count.clamp(LEAST_DRAWS, MOST_DRAWS);
    let asks = drawing::spread_requests(scenario, plan, count, seed);
    let pieces = asks
        .into_iter()
        .map(|ask| written(&ColdStartSubtask::Draw(ask)));
    let (pieces, ask) = (
        pieces.collect(),
        written(&ColdStartQuery::Spread(count, seed)),
    );
    let devices = known.problem.machines().len() as f64;
    let layers = known.problem.layers().len() as f64;
    let each = devices * devices * layers * layers * libm::exp2(devices);
    let is_quick = each * f64::from(count + drawing::corners(inputs)) <= IN_PASSING;
    let refused = "Some draws could not be solved";
    match is_quick {
        true => section.with(empty("spread-found")).with_split_query(
            Trigger::Idle,
            ask,
            pieces,
            refused,
        ),
        false => section
            .with(button("spread-draw", "Draw", "Drawing"))
            .with(empty("spread-found"))
            .with_split_query(Trigger::Pressed("spread-draw"), ask, pieces, refused),
    }
}

/// The section of ranges, still empty.
#[must_use]
pub fn spread_section() -> Section {
    Section::new("spread", "Ranges instead of points")
        .folded()
        .holding("numbers that are only known roughly")
}

fn spread(
    known: &ColdStartResults<'_>,
    (count, seed): (u32, u32),
    pieces: &[Option<SubtaskResult>],
) -> Result<Vec<Patch>, Invalid> {
    let ColdStartResults {
        scenario, problem, ..
    } = *known;
    let Some(plan) = known.answer.plan.as_ref() else {
        return Ok(Vec::new());
    };
    let (mut draws, mut corners) = (Vec::new(), Vec::new());
    let asks = drawing::spread_requests(scenario, plan, count, seed);
    for (at, ask) in asks.iter().enumerate() {
        let (list, from, to) = match ask {
            drawing::SpreadRequest::Draws { from, to, .. } => (&mut draws, *from, *to),
            drawing::SpreadRequest::Corners { from, to, .. } => (&mut corners, *from, *to),
            drawing::SpreadRequest::Weigh { .. } => continue,
        };
        let found: Option<Vec<DrawResult>> = decode_result(pieces.get(at));
        let found = found.into_iter().flatten().map(Some);
        list.extend(
            found
                .chain(std::iter::repeat(None))
                .take((to - from) as usize),
        );
    }
    let all = draws.iter().chain(&corners).all(Option::is_some);
    let weighed = match all {
        true => {
            let known: Vec<&DrawResult> = draws.iter().flatten().collect();
            let ends: Vec<&DrawResult> = corners.iter().flatten().collect();
            let ask = drawing::weigh(plan, seed, &known, &ends);
            match drawing::answer(scenario, &ask, &mut |_, _| ())? {
                SpreadResult::Weighed(weighed) => Some(weighed),
                SpreadResult::Drawn(_) => None,
            }
        }
        false => None,
    };
    let found = drawing::sum_up(scenario, plan, seed, &draws, &corners, weighed.as_deref())?;
    let goal = goal_of(scenario);
    let mark = |name: &str, time: Option<f64>| time.map(|time| (name.to_owned(), time));
    let marks = [
        mark("5\u{202f}%", found.time_at(0.05)),
        mark("median", found.time_at(0.5)),
        mark("95\u{202f}%", found.time_at(0.95)),
        mark("as the numbers stand", Some(found.at_values)),
    ];
    let histogram = Histogram {
        title: format!("{goal} of this plan over the draws"),
        x_title: format!("{goal}, s"),
        unit: "s".to_owned(),
        decimals: 3,
        is_even: true,
        samples: found.times.iter().map(|time| (*time, 1.0)).collect(),
        quantiles: marks.into_iter().flatten().collect(),
        ..Histogram::default()
    };
    let chart = Chart::new(
        "spread",
        histogram.title.clone(),
        ChartSpec::Spread(histogram),
    );
    let mut blocks = vec![
        holding("spread-said", vec![summary(scenario, &found).into()]),
        chart.into(),
        Block::Paragraph(Sentence::default().strong("What to measure")),
        to_measure(scenario, &found).into(),
        Block::Paragraph(Sentence::default().strong("Plans that were the fastest in some draw")),
        plans_table(problem, &found).into(),
    ];
    blocks.extend(worst(scenario, problem, &found).map(Block::from));
    blocks.push(Block::Fold(
        "Times over the draws as a table".into(),
        vec![times_table(scenario, &found).into()],
    ));
    blocks.push(holding("spread-basis", vec![basis(&found).into()]));
    Ok(vec![place("spread-found", blocks)])
}

/// Aggregates subtask results to patches.
///
/// # Errors
/// The scenario is invalid; the query was not written by this build.
pub fn aggregate(
    known: &ColdStartResults<'_>,
    ask: &ColdStartQuery,
    pieces: &[Option<SubtaskResult>],
) -> Result<Vec<Patch>, Invalid> {
    match ask {
        ColdStartQuery::Sweep(lengths) => Ok(swept(known, lengths, pieces)),
        ColdStartQuery::Gains(by) => {
            let found = gained_by(known, *by, pieces);
            Ok(vec![place("gains-found", changed(known, &found, *by))])
        }
        ColdStartQuery::Spread(count, seed) => spread(known, (*count, *seed), pieces),
        ColdStartQuery::Front
        | ColdStartQuery::Rules
        | ColdStartQuery::Shorter
        | ColdStartQuery::Hunt => Err(Invalid::range("ask", written(ask), "one of fills")),
    }
}

/// Finds out what is in one piece.
///
/// # Errors
/// As [`gathered`].
pub fn subtask_result(
    known: &ColdStartResults<'_>,
    ask: &ColdStartQuery,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<Patch>, Invalid> {
    match ask {
        ColdStartQuery::Front => {
            let mut listen = |solves: u32| {
                on_progress(u64::from(solves), None);
                ControlFlow::Continue(())
            };
            let found = find_front(known.scenario, &limits(), &mut listen)?;
            let way = found.consolidation.as_ref();
            let gantt = charts::gantt(known.problem, known.answer, way);
            let drawn = Patch::Drawn {
                chart: "timeline",
                drawing: Arc::new(ChartSpec::Timeline(gantt)),
            };
            let section = steady(known, Some(&found)).map(Patch::Section);
            keep_front(known.scenario, found);
            Ok(section.into_iter().chain([drawn]).collect())
        }
        ColdStartQuery::Shorter => {
            let found = shorter(known.scenario, &limits(), &mut forward_steps(on_progress))?;
            Ok(vec![Patch::Section(repaired(known, &found))])
        }
        ColdStartQuery::Sweep(_)
        | ColdStartQuery::Gains(_)
        | ColdStartQuery::Rules
        | ColdStartQuery::Spread(..)
        | ColdStartQuery::Hunt => Err(Invalid::range("ask", written(ask), "one of a single piece")),
    }
}

thread_local! {
    /// The front that was found last, and the scenario that it is of: the goal is a place on it.
    static FRONT: RefCell<Option<(Scenario, Rc<Front>)>> = const { RefCell::new(None) };
}

/// The scenario without what its front does not depend on.
fn without_goal(scenario: &Scenario) -> Scenario {
    let mut s = scenario.clone();
    s.title.clear();
    s.ranges = Ranges::new();
    if let Some(decode) = &mut s.decode {
        (decode.goal, decode.least_tok_s) = (Goal::FirstAnswer, None);
    }
    s
}

fn keep_front(scenario: &Scenario, found: Front) {
    FRONT.set(Some((without_goal(scenario), Rc::new(found))));
}

/// The front of a scenario, if it was found last.
#[must_use]
pub fn front_of(scenario: &Scenario) -> Option<Rc<Front>> {
    scenario.decode?;
    FRONT.with_borrow(|last| {
        let (of, found) = last.as_ref()?;
        (*of == without_goal(scenario)).then(|| found.clone())
    })
}
