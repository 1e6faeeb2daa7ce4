//! Deferred queries of a cold start: answers over prompt lengths, sensitivity, the front of first answer and rate, rules of other
//! tools, shorter prompts that fit, draws from ranges. Each search is a subtask, so that all workers share them.

use super::charts::{self, sweep};
use super::listings::{
    Points, by_length, fitting, front_plans, helping, loading, numbers, other_rules, to_measure,
};
use super::rules::{SAME_REFEREE, about, other_objectives, title};
use super::spread::{basis, goal, plans_table, summary, times_table, worst};
use super::tell::Known;
use super::{front, gains};
use chart::{Drawing, Spread as Histogram};
use engine::problem::Invalid;
use engine::scenario::{Goal, Ranges, Scenario};
use engine::units::percent;
use job::Status;
use job::cold_start::{Answer, planned, summary as summed};
use job::cold_start_front::{Front, front as find_front};
use job::cold_start_gains::{
    self as improved, Effect, Gain, Known as Before, Verdict, changes, checked_share, is_quick,
    limits, prepared,
};
use job::cold_start_rules::{Rule, rules};
use job::cold_start_shorter::shorter;
use job::cold_start_spread::{self as drawing, Drawn, LEAST_DRAWS, MOST_DRAWS, Told};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use story::{Block, Chart, Fill, Hand, Lasts, Later, Name, Section, Sentence, When};
use tell::{Piece, packed, read, unpacked, written};

/// A front of more devices is made only when it is asked for: it takes a search for every plan on it.
const QUICK_DEVICES: usize = 8;
/// With fewer steps of the program than this for all draws they are solved without being asked for.
const IN_PASSING: f64 = 3e9;

/// A query.
#[derive(Serialize, Deserialize)]
pub enum More {
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
    /// So many draws of a seed.
    Spread(u32, u32),
    /// The search goes on.
    Hunt,
}

/// A subtask.
#[derive(Serialize, Deserialize)]
pub enum Part {
    /// The first answer at a prompt length.
    At(f64),
    /// Effect of a change.
    Gain(improved::Ask),
    /// Some draws.
    Draw(drawing::Ask),
    /// A share of a search.
    Share(u32, u32),
    /// Nothing: it is found out with the story.
    Rules,
}

/// The first answer at a prompt length as a piece.
#[must_use]
pub fn at(tokens: f64) -> String {
    written(&Part::At(tokens))
}

/// A share of a search as a piece.
#[must_use]
pub fn share(at: u32, of: u32) -> String {
    written(&Part::Share(at, of))
}

fn place(id: Name, blocks: impl IntoIterator<Item = Block>) -> Fill {
    Fill::Place {
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
    Block::Later(Later {
        id,
        button: None,
        blocks,
    })
}

fn button(id: Name, ask: &str, meanwhile: &str) -> Block {
    Block::Later(Later {
        id,
        button: Some((ask.to_owned(), meanwhile.to_owned())),
        blocks: Vec::new(),
    })
}

/// A piece as it was asked for.
///
/// # Errors
/// The name was not written by this build.
pub fn part(piece: &str) -> Result<Part, Invalid> {
    read(piece)
}

/// Finds out a piece.
///
/// # Errors
/// A scenario that cannot be answered; what no story of this build asks.
pub fn piece(
    scenario: &Scenario,
    part: Part,
    load: &[u8],
    heard: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    match part {
        Part::At(tokens) => {
            let answer = planned(scenario, tokens, heard)?;
            Ok(serde_json::to_vec(&answer).expect("an answer is plain data"))
        }
        Part::Gain(ask) => {
            let mut listen = heard_by(heard);
            improved::tell(scenario, &ask, &limits(), &mut listen).map(|known| packed(&known))
        }
        Part::Draw(ask) => match drawing::answer(scenario, &ask, heard)? {
            Told::Drawn(drawn) => Ok(packed(&drawn)),
            Told::Weighed(_) => unreachable!("only draws are pieces"),
        },
        Part::Rules => Ok(Vec::new()),
        Part::Share(at, of) => super::hunting::extend(scenario, load, (at, of), heard),
    }
}

/// Passes the steps of a search on.
fn heard_by(
    heard: &mut dyn FnMut(u64, Option<u64>),
) -> impl FnMut(engine::solve::Event<'_, engine::plan::Pipeline>) -> ControlFlow<()> {
    move |event| {
        if let engine::solve::Event::Step { done, of } = event {
            heard(done, of);
        }
        ControlFlow::Continue(())
    }
}

/// Decodes the result of a subtask; `None` if it is missing or was refused.
fn come<T: serde::de::DeserializeOwned>(piece: Option<&Option<Piece>>) -> Option<T> {
    unpacked(piece?.as_ref()?).ok()
}

/// The first answer over prompt length; `known` are the answers that have come.
#[must_use]
pub fn over_lengths(known: &Known<'_>, lengths: &[f64]) -> Section {
    let scenario = known.scenario;
    let fixed = scenario.model.is_table().then(|| {
        holding(
            "sweep-fixed",
            vec![engine::scenario::FIXED_TABLE.to_owned().into()],
        )
    });
    let nothing: Vec<(f64, Option<&Answer>)> = lengths.iter().map(|t| (*t, None)).collect();
    let ways = [
        ("First answer", "sweep", false),
        ("Gain", "sweep-gain", true),
    ];
    let ways = ways.map(|(name, id, gain)| {
        let lines = sweep(gain, scenario.prompt_tokens, &nothing);
        let chart = Chart::new(id, lines.title.clone(), Drawing::Lines(lines)).held(Hand::Sets {
            step: "sweep".into(),
            pointer: "/prompt_tokens".into(),
            per: 1.0,
        });
        (name.to_owned(), vec![chart.into()])
    });
    let plans = by_length(scenario, known.problem, &nothing);
    let figures = numbers(scenario, known.problem, &nothing);
    let pieces = lengths.iter().map(|tokens| at(*tokens));
    Section::new("sweep", "Over prompt length")
        .and(fixed)
        .with(Block::Beside(vec![
            vec![Block::Ways("Show".into(), ways.into())],
            vec![holding("sweep-plans", vec![plans.into()])],
        ]))
        .with(Block::Fold(
            "Every length as a table".into(),
            vec![
                NUMBERS.to_owned().into(),
                holding("sweep-numbers", vec![figures.into()]),
            ],
        ))
        .with(empty("sweep-summary"))
        .gathering(
            When::Soon,
            written(&More::Sweep(lengths.to_vec())),
            pieces.collect(),
            "A length was left out",
        )
        .lasting(Lasts::Alike)
}

const NUMBERS: &str = "First answer in seconds; in brackets the gain over that plan in percent, where that plan fits. In strength \
                       order: the best cuts for devices that run strongest first, as in single, even and heuristic. \u{2264}: the \
                       search was cut short, and a plan may be faster.";

fn swept(known: &Known<'_>, lengths: &[f64], pieces: &[Option<Piece>]) -> Vec<Fill> {
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
    let drawn = [("sweep", false), ("sweep-gain", true)].map(|(chart, gain)| Fill::Drawn {
        chart,
        drawing: Arc::new(Drawing::Lines(sweep(gain, scenario.prompt_tokens, &points))),
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
fn gained(points: &Points<'_>) -> Option<String> {
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
pub fn what_helps(known: &Known<'_>, by: f64) -> Result<Section, Invalid> {
    let by = checked_share(by)?;
    let (scenario, answer) = (known.scenario, known.answer);
    let found = prepared(scenario, answer, by);
    let asks = improved::asks(scenario, answer, by, &found);
    let goal = scenario.decode.map(|decode| decode.goal);
    let count = changes(scenario).len();
    let pieces = asks.into_iter().map(|ask| written(&Part::Gain(ask)));
    let (pieces, ask) = (pieces.collect(), written(&More::Gains(by)));
    let section = gains_section();
    let refused = "A change was left out";
    Ok(
        match is_quick(known.problem, goal.unwrap_or_default(), count) {
            true => section
                .with(holding("gains-found", changed(known, &found, by)))
                .gathering(When::Soon, ask, pieces, refused),
            false => section
                .with(format!("{count} changes, each a search of its own."))
                .with(button("gains-start", "Compute", "Computing"))
                .with(empty("gains-found"))
                .gathering(When::Pressed("gains-start"), ask, pieces, refused),
        },
    )
}

/// The section of what would help, still empty.
#[must_use]
pub fn gains_section() -> Section {
    Section::new("gains", "What would help most").holding("each number improved, one at a time")
}

fn gained_by(known: &Known<'_>, by: f64, pieces: &[Option<Piece>]) -> Vec<Gain> {
    let before = Before::of(known.answer);
    let mut all = prepared(known.scenario, known.answer, by);
    let open = all.iter_mut().filter(|gain| gain.effect == Effect::Asked);
    for (at, gain) in open.enumerate() {
        if let Some(after) = come::<Before>(pieces.get(at)) {
            gain.answered(&before, after);
        }
    }
    all
}

/// The changes as far as they are known, with what is to be said of the rest.
fn changed(known: &Known<'_>, found: &[Gain], by: f64) -> Vec<Block> {
    let (scenario, before) = (known.scenario, Before::of(known.answer));
    let mut said = vec![EACH_CHANGE.to_owned()];
    said.extend(gains::base(known.answer));
    said.extend(gains::foot(scenario, found));
    let is_open = found.iter().any(|gain| gain.effect == Effect::Asked);
    let helps = found.iter().any(|gain| gain.verdict() == Verdict::Helps);
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
pub fn steady(known: &Known<'_>, found: Option<&Front>) -> Option<Section> {
    known.scenario.decode?;
    let section =
        Section::new("front", charts::FRONT_TITLE).holding("every plan that is worth having");
    if let Some(found) = found {
        return Some(front_found(known, section, found));
    }
    let ask = written(&More::Front);
    let refused = "The front could not be found";
    Some(match known.problem.machines().len() <= QUICK_DEVICES {
        true => section
            .with("Finding plans between the fastest first answer and the highest rate.".to_owned())
            .later(When::Soon, ask, refused),
        false => section
            .with("Every plan between the fastest first answer and the highest steady rate, one search each.".to_owned())
            .with(button("front-begin", "Find them", "Finding them"))
            .later(When::Pressed("front-begin"), ask, refused),
    })
}

fn front_found(known: &Known<'_>, section: Section, found: &Front) -> Section {
    let Known {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let takes =
        (0..found.points.len()).filter_map(|at| Some((at as f64, loading(scenario, found, at)?)));
    let drawn = charts::front(problem, answer, found);
    let chart = Chart::new("front", charts::FRONT_TITLE, Drawing::Front(drawn))
        .held(Hand::Takes(takes.collect()));
    let said = front::words(problem, found).into_iter().map(Block::from);
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
pub fn others(known: &Known<'_>, are_known: bool) -> Section {
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
            section.gathering(
                When::Opened,
                written(&More::Rules),
                vec![written(&Part::Rules)],
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
pub fn repairs(known: &Known<'_>) -> Option<Section> {
    (known.answer.status == Status::Infeasible)
        .then(|| repaired(known, &[]).later(When::Soon, written(&More::Shorter), ""))
}

fn repaired(known: &Known<'_>, found: &[job::cold_start_shorter::Shorter]) -> Section {
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
pub fn drawn(known: &Known<'_>, count: u32, seed: u32) -> Section {
    let section = spread_section();
    let (scenario, plan) = (known.scenario, known.answer.plan.as_ref());
    let inputs = scenario.spanned().len();
    let Some(plan) = plan.filter(|_| inputs > 0) else {
        return section;
    };
    let count = count.clamp(LEAST_DRAWS, MOST_DRAWS);
    let asks = drawing::asks(scenario, plan, count, seed);
    let pieces = asks.into_iter().map(|ask| written(&Part::Draw(ask)));
    let (pieces, ask) = (pieces.collect(), written(&More::Spread(count, seed)));
    let devices = known.problem.machines().len() as f64;
    let layers = known.problem.layers().len() as f64;
    let each = devices * devices * layers * layers * libm::exp2(devices);
    let is_quick = each * f64::from(count + drawing::corners(inputs)) <= IN_PASSING;
    let refused = "Some draws could not be solved";
    match is_quick {
        true => section
            .with(empty("spread-found"))
            .gathering(When::Soon, ask, pieces, refused),
        false => section
            .with(button("spread-draw", "Draw", "Drawing"))
            .with(empty("spread-found"))
            .gathering(When::Pressed("spread-draw"), ask, pieces, refused),
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
    known: &Known<'_>,
    (count, seed): (u32, u32),
    pieces: &[Option<Piece>],
) -> Result<Vec<Fill>, Invalid> {
    let Known {
        scenario, problem, ..
    } = *known;
    let Some(plan) = known.answer.plan.as_ref() else {
        return Ok(Vec::new());
    };
    let (mut draws, mut corners) = (Vec::new(), Vec::new());
    let asks = drawing::asks(scenario, plan, count, seed);
    for (at, ask) in asks.iter().enumerate() {
        let (list, from, to) = match ask {
            drawing::Ask::Draws { from, to, .. } => (&mut draws, *from, *to),
            drawing::Ask::Corners { from, to, .. } => (&mut corners, *from, *to),
            drawing::Ask::Weigh { .. } => continue,
        };
        let found: Option<Vec<Drawn>> = come(pieces.get(at));
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
            let known: Vec<&Drawn> = draws.iter().flatten().collect();
            let ends: Vec<&Drawn> = corners.iter().flatten().collect();
            let ask = drawing::weigh(plan, seed, &known, &ends);
            match drawing::answer(scenario, &ask, &mut |_, _| ())? {
                Told::Weighed(weighed) => Some(weighed),
                Told::Drawn(_) => None,
            }
        }
        false => None,
    };
    let found = drawing::sum_up(scenario, plan, seed, &draws, &corners, weighed.as_deref())?;
    let goal = goal(scenario);
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
        Drawing::Spread(histogram),
    );
    let mut blocks = vec![
        holding("spread-said", vec![summary(scenario, &found).into()]),
        chart.into(),
        Block::Say(Sentence::default().strong("What to measure")),
        to_measure(scenario, &found).into(),
        Block::Say(Sentence::default().strong("Plans that were the fastest in some draw")),
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
pub fn gathered(
    known: &Known<'_>,
    ask: &More,
    pieces: &[Option<Piece>],
) -> Result<Vec<Fill>, Invalid> {
    match ask {
        More::Sweep(lengths) => Ok(swept(known, lengths, pieces)),
        More::Gains(by) => {
            let found = gained_by(known, *by, pieces);
            Ok(vec![place("gains-found", changed(known, &found, *by))])
        }
        More::Spread(count, seed) => spread(known, (*count, *seed), pieces),
        More::Front | More::Rules | More::Shorter | More::Hunt => {
            Err(Invalid::range("ask", written(ask), "one of fills"))
        }
    }
}

/// Finds out what is in one piece.
///
/// # Errors
/// As [`gathered`].
pub fn found(
    known: &Known<'_>,
    ask: &More,
    heard: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<Fill>, Invalid> {
    match ask {
        More::Front => {
            let mut listen = |solves: u32| {
                heard(u64::from(solves), None);
                ControlFlow::Continue(())
            };
            let found = find_front(known.scenario, &limits(), &mut listen)?;
            let way = found.consolidation.as_ref();
            let gantt = charts::gantt(known.problem, known.answer, way);
            let drawn = Fill::Drawn {
                chart: "timeline",
                drawing: Arc::new(Drawing::Timeline(gantt)),
            };
            let section = steady(known, Some(&found)).map(Fill::Section);
            keep_front(known.scenario, found);
            Ok(section.into_iter().chain([drawn]).collect())
        }
        More::Shorter => {
            let found = shorter(known.scenario, &limits(), &mut heard_by(heard))?;
            Ok(vec![Fill::Section(repaired(known, &found))])
        }
        More::Sweep(_) | More::Gains(_) | More::Rules | More::Spread(..) | More::Hunt => {
            Err(Invalid::range("ask", written(ask), "one of a single piece"))
        }
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
