//! Sections of a cold-start answer, in the order of the page.

use super::charts;
use super::figures::{figures, token_figures};
use super::front;
use super::gains;
use super::goal_name;
use super::reasons::{self, TWO_WAYS};
use super::repairs;
use super::rules::{self, SAME_REFEREE};
use super::strategies::{SIMPLE_SPLITS, stages, strategies};
use super::tables::{comparison, sweep, timeline, tokens};
use super::{loading_words, memory_words, verdict};
use crate::calibration;
use crate::chains;
use chart::ChartSpec;
use document::{Block, Chart, Section, Sentence, TableColumn, counted};
use engine::plan::{StageDecode, StageTiming};
use engine::problem::ColdStart;
use engine::scenario::{Device, Scenario};
use engine::units::{seconds, tokens_a_second};
use planner::cold_start::Answer;
use planner::cold_start_decode::DecodeAnswer;
use planner::cold_start_front::Front;
use planner::cold_start_gains::{ColdStartGain, Known as Before};
use planner::cold_start_rules;
use planner::cold_start_shorter::Shorter;
use protocol::flags;

/// Results for a scenario. Those that need searches of their own may be missing.
#[derive(Debug, Clone, Copy)]
pub struct ColdStartFacts<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its problem.
    pub problem: &'a ColdStart,
    /// The plan and what it is compared with.
    pub answer: &'a Answer,
    /// The front between first answer and rate.
    pub front: Option<&'a Front>,
    /// Where nothing fits: lengths with which something does.
    pub shorter: &'a [Shorter],
    /// Effects of changes to the fleet.
    pub gains: Option<&'a [ColdStartGain]>,
    /// Answers over prompt lengths, ascending.
    pub sweep: &'a [(f64, Option<&'a Answer>)],
}

/// The scenario in a line.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![format!(
        "{}, {} tokens, {}",
        scenario.model.shown_name(),
        scenario.prompt_tokens,
        counted(scenario.switched_on().count(), "device", "devices")
    )]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &ColdStartFacts<'_>) -> Vec<Section> {
    let mut all = summary(known);
    all.extend(details(known));
    all
}

/// The answer and its picture.
pub(super) fn summary(known: &ColdStartFacts<'_>) -> Vec<Section> {
    let ColdStartFacts {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let off = answer.decode.as_ref().map(|decode| {
        let sentences = accuracy(scenario, decode).into_iter();
        let words: Vec<String> = sentences.map(|sentence| sentence.to_string()).collect();
        words.join(" ")
    });
    let notes = [
        off.unwrap_or_default(),
        loading_words(scenario),
        memory_words(scenario),
    ];
    let notes: Vec<&str> = notes
        .iter()
        .map(String::as_str)
        .filter(|words| !words.is_empty())
        .collect();
    let first = Section::new("answer", "Answer")
        .with(Block::Answer(verdict(problem, answer)))
        .with(notes.join(" "))
        .and(figures(problem, answer));
    let picture = match &answer.timeline {
        Some(_) => picture(known),
        None => Section::new("picture", "Room for layers").with(repairs::room_table(problem)),
    };
    vec![first, picture]
}

/// Returns the details.
pub(super) fn details(known: &ColdStartFacts<'_>) -> Vec<Section> {
    let ColdStartFacts {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let stages = answer.timeline.as_ref();
    let pace = stages.map(|stages| pace(problem, stages));
    let mut all: Vec<Section> = pace.into_iter().chain(smallest_repairs(known)).collect();
    let plan = answer.plan.as_ref();
    let chain = plan.and_then(|plan| chains::of_cold_start(scenario, problem, plan, true).ok());
    all.extend(chain.map(|chain| flags::section(&chain)));
    all.extend(answer.decode.as_ref().map(|decode| {
        Section::new("decode", "The tokens after the first one")
            .with(decoding(decode))
            .and(token_figures(answer))
            .with(tokens(problem, decode))
    }));
    all.extend(known.front.map(|front| steady(known, front)));
    all.push(
        Section::new("comparison", "Against simple splits")
            .with(comparison(problem, answer))
            .with(SIMPLE_SPLITS.to_owned()),
    );
    let gains = known.gains.filter(|found| !found.is_empty());
    all.extend(gains.map(|found| helps(known, found)));
    if !known.sweep.is_empty() {
        all.push(lengths(known));
    }
    all.extend([all_timelines(known), other_tools(problem, answer)]);
    all
}

/// The plan in time.
fn picture(known: &ColdStartFacts<'_>) -> Section {
    let ColdStartFacts {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let way = known.front.and_then(|front| front.consolidation.as_ref());
    Section::new("picture", "Timeline").with(
        Chart::new(
            "timeline",
            charts::title(scenario, problem),
            ChartSpec::Timeline(charts::gantt(problem, answer, way)),
        )
        .with_table(timeline(problem, answer)),
    )
}

/// Returns the section of the bottleneck.
fn pace(problem: &ColdStart, stages: &[StageTiming]) -> Section {
    Section::new("reasons", "Where the time goes")
        .with(reasons::advice(problem, stages))
        .with(reasons::table(problem, stages))
        .with(TWO_WAYS.to_owned())
}

/// Returns the section of repairs; `None` if there is a plan, or if none was searched.
fn smallest_repairs(known: &ColdStartFacts<'_>) -> Option<Section> {
    let found = repairs::table(known.problem, &known.answer.repairs, known.shorter);
    (!found.rows.is_empty()).then(|| {
        Section::new("repairs", "Smallest repairs")
            .with(found)
            .with(repairs::EACH_REPAIR.to_owned())
    })
}

/// Every plan between the first answer and the rate after it.
fn steady(known: &ColdStartFacts<'_>, front: &Front) -> Section {
    let problem = known.problem;
    let section = Section::new("front", charts::FRONT_TITLE);
    let section = match front.points.is_empty() {
        true => section,
        false => section.with(
            Chart::new(
                "front",
                charts::FRONT_TITLE.to_owned(),
                ChartSpec::Front(charts::front(problem, known.answer, front)),
            )
            .with_table(front::table(problem, front)),
        ),
    };
    section.and(front::front_sentences(problem, front))
}

/// All plans in time, on one axis.
fn all_timelines(known: &ColdStartFacts<'_>) -> Section {
    let found = strategies(known.problem, known.answer);
    let plans = charts::timelines(known.problem, &found);
    Section::new("strategies", "All timelines").folded().with(
        Chart::new(
            "strategies",
            charts::title(known.scenario, known.problem),
            ChartSpec::Timelines(plans),
        )
        .with_table(stages(known.problem, &found)),
    )
}

fn other_tools(problem: &ColdStart, answer: &Answer) -> Section {
    let found = cold_start_rules::rules(problem, answer);
    Section::new("rules", "What other tools would do")
        .folded()
        .with(rules::table(problem, &found))
        .with(format!(
            "{SAME_REFEREE} {}",
            rules::other_objectives(&found)
        ))
        .with(rules::rules_table())
}

fn helps(known: &ColdStartFacts<'_>, found: &[ColdStartGain]) -> Section {
    Section::new("gains", "What would help most")
        .with(gains::in_short(
            known.scenario,
            &Before::of(known.answer),
            found,
        ))
        .and(gains::foot(
            known.scenario,
            &Before::of(known.answer),
            found,
        ))
}

/// The first answer over prompt length.
fn lengths(known: &ColdStartFacts<'_>) -> Section {
    let points = known.sweep;
    let now = known.scenario.prompt_tokens;
    let chart = |id, gain| {
        let lines = charts::sweep(goal_name(known.problem), gain, now, points);
        Chart::new(id, lines.title.clone(), ChartSpec::Lines(lines))
    };
    let x = TableColumn::new("prompt_tokens", "prompt tokens", "");
    Section::new("sweep", "Over prompt length")
        .and([chart("sweep", false), chart("sweep-gain", true)])
        .with(sweep(known.problem, x, 0, points.iter().copied()))
}

/// How far predictions for the plan's devices were off.
fn accuracy(scenario: &Scenario, decode: &DecodeAnswer) -> Vec<Sentence> {
    let devices: Vec<&Device> = scenario.switched_on().map(|(_, device)| device).collect();
    let of_stage = |stage: &StageDecode| devices.get(stage.device).map(|device| device.predicted());
    let alone = (decode.stages.len() == 1).then(|| {
        let layers = scenario.model.layers_count() as f64;
        (decode.rate_one_request, layers)
    });
    calibration::accuracy(
        decode.stages.iter().filter_map(of_stage),
        alone,
        scenario.model.has_experts(),
    )
}

/// How fast tokens come.
fn decoding(decode: &DecodeAnswer) -> Sentence {
    let full = match decode.stages.len() {
        1 => String::new(),
        _ => format!(
            "; {} when the pipeline is full",
            tokens_a_second(decode.rate)
        ),
    };
    let under_way = match decode.requests > 1.0 {
        true => {
            let rate = tokens_a_second(decode.rate_requests);
            format!(", {rate} with {} answers at once", decode.requests)
        }
        false => String::new(),
    };
    Sentence::default().plain(format!(
        "One token every {}: {}{full}{under_way}.",
        seconds(decode.D),
        tokens_a_second(decode.rate_one_request),
    ))
}
