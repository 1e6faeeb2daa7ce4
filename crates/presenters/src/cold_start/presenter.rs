//! The answer about a cold start as the page has it.

use super::queries::{self, ColdStartQuery, front_of};
use super::sections;
use super::strategies::strategies;
use super::trace::trace;
use super::{listings, search_progress};
use crate::chains;
use crate::presenting::{
    AggregateResult, AnswerPresenter, PartialProgress, for_file, presenter_state, solved,
};
use crate::published::reproductions;
use crate::published::sections::ColdStarts;
use document::{Block, Patch, Section, counted};
use engine::plan::Stage;
use engine::problem::{ColdStart, HeuristicReading, Invalid};
use engine::scenario::Scenario;
use engine::units::seconds;
use planner::Documented;
use planner::cold_start::{Answer, first};
use planner::cold_start_front::Front;
use planner::cold_start_rules::rules;
use protocol::flags::LayerMap;
use protocol::{AnswerView, FileSpec, SubtaskResult, read, written};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Results for a scenario so far.
#[derive(Debug, Clone, Copy)]
pub struct ColdStartResults<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its problem.
    pub problem: &'a ColdStart,
    /// The best answer so far.
    pub answer: &'a Answer,
    /// True if a search went on after the first one.
    pub is_searched: bool,
}

/// The part of an answer that the page sends back with later requests.
#[derive(Debug, Serialize, Deserialize)]
struct PresenterState {
    answer: Answer,
    is_searched: bool,
}

impl PresenterState {
    fn of(
        scenario: &Scenario,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Rc<Self>, Invalid> {
        solved(scenario, || {
            let answer = first(scenario, on_progress)?;
            Ok(Self {
                answer,
                is_searched: false,
            })
        })
    }

    /// The answer that something is asked of.
    fn from_request(scenario: &Scenario) -> Result<Rc<Self>, Invalid> {
        let state = presenter_state();
        match serde_json::from_slice(&state) {
            Ok(found) => Ok(Rc::new(found)),
            Err(_) => Self::of(scenario, &mut |_, _| ()),
        }
    }

    fn results<'a>(
        &'a self,
        scenario: &'a Scenario,
        problem: &'a ColdStart,
    ) -> ColdStartResults<'a> {
        ColdStartResults {
            scenario,
            problem,
            answer: &self.answer,
            is_searched: self.is_searched,
        }
    }
}

impl AnswerPresenter for Scenario {
    fn summarize(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let on_progress = &mut |done, of| on_progress(done, of, &mut || None);
        let (problem, found) = (self.problem()?, PresenterState::of(self, on_progress)?);
        let known = found.results(self, &problem);
        Ok(leading(&known, search_progress::search_section(&known)))
    }

    fn present(&self, _: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let (problem, found) = (self.problem()?, PresenterState::from_request(self)?);
        let known = found.results(self, &problem);
        Ok(full_view(
            &known,
            search_progress::search_section(&known),
            false,
        ))
    }

    fn more(
        &self,
        ask: &str,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        let (problem, found) = (self.problem()?, PresenterState::from_request(self)?);
        queries::subtask_result(&found.results(self, &problem), &read(ask)?, on_progress)
    }

    fn run_subtask(
        &self,
        piece: &str,
        load: &[u8],
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        match queries::parse_subtask(piece) {
            Ok(part) => queries::run_subtask(self, part, load, on_progress),
            Err(_) => {
                reproductions::run_subtask::<ColdStarts>(&Some(self.clone()), piece, on_progress)
            }
        }
    }

    fn aggregate(
        &self,
        ask: &str,
        kept: &[u8],
        results: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        if reproductions::is_of::<ColdStarts>(ask) {
            let own = HeuristicReading::ALL
                .iter()
                .position(|reading| *reading == self.heuristic);
            let marked = own.map(|row| (row, "Your reading is marked."));
            return reproductions::aggregate::<ColdStarts>(&Some(self.clone()), results, marked);
        }
        let (problem, found) = (self.problem()?, PresenterState::from_request(self)?);
        let known = found.results(self, &problem);
        let story = |telling| AggregateResult::Story(Box::new(telling));
        match read(ask)? {
            ColdStartQuery::Hunt => {
                let (answer, section) = search_progress::aggregate(&known, kept, results)?;
                let known = ColdStartResults {
                    answer: &answer,
                    is_searched: true,
                    ..known
                };
                Ok(story(full_view(&known, Some(section), false)))
            }
            ColdStartQuery::Rules => Ok(story(full_view(&known, None, true))),
            ask => queries::aggregate(&known, &ask, results).map(AggregateResult::Fills),
        }
    }

    fn with_controls(&self, place: &str, at: &[f64]) -> Result<Vec<Patch>, Invalid> {
        let (problem, found) = (self.problem()?, PresenterState::from_request(self)?);
        let known = found.results(self, &problem);
        let section = match (place, at) {
            ("sweep", lengths) => queries::over_lengths(&known, lengths),
            ("gains", &[by]) => queries::what_helps(&known, by)?,
            ("spread", &[count, seed]) => queries::drawn(&known, count as u32, seed as u32),
            _ => return Err(Invalid::range("place", place, "sweep, gains or spread")),
        };
        Ok(vec![Patch::Section(section)])
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        let found = PresenterState::from_request(self)?;
        match name {
            "plan" => Ok(written(&Documented {
                scenario: self,
                answer: &found.answer,
            })),
            "trace" => Ok(trace(&self.problem()?, &found.answer).to_json()),
            _ => Err(Invalid::range("file", name, "plan or trace")),
        }
    }
}

/// Builds the summary; `hunt` is the section of a search that goes on.
fn leading(known: &ColdStartResults<'_>, hunt: Option<Section>) -> AnswerView {
    let ColdStartResults {
        scenario,
        problem,
        answer,
        is_searched,
    } = *known;
    let model = scenario.model.name();
    let devices = counted(problem.machines().len(), "device", "devices");
    let led = answer
        .objective
        .map_or_else(|| "Does not fit".to_owned(), seconds);
    let stem = answer.objective.map_or_else(
        || "no-plan".to_owned(),
        |total| format!("{:.0}ms", 1e3 * total),
    );
    let found = PresenterState {
        answer: answer.clone(),
        is_searched,
    };
    AnswerView {
        about: sections::about(scenario),
        sections: summary_sections(known, hunt),
        figure: answer
            .objective
            .map_or_else(|| "No plan".to_owned(), seconds),
        tab: format!("{led}: {model} cold start on {devices}"),
        stem: format!("edgewise-cold-start-{}-{stem}", for_file(model)),
        checked: checked(answer).unwrap_or_default(),
        hints: rate(answer),
        presenter_state: serde_json::to_vec(&found).expect("an answer is plain data"),
        ..AnswerView::default()
    }
}

/// All of the answer as the page has it.
fn full_view(
    known: &ColdStartResults<'_>,
    hunt: Option<Section>,
    are_rules_known: bool,
) -> AnswerView {
    let mut telling = leading(known, hunt);
    telling
        .sections
        .extend(detail_sections(known, are_rules_known));
    telling.files = files(known.answer);
    telling.chains = chains(known, are_rules_known);
    telling
}

/// Converts to the input of the sections that all forms of an answer share.
fn as_facts<'a>(
    known: &ColdStartResults<'a>,
    front: Option<&'a Front>,
) -> sections::ColdStartFacts<'a> {
    sections::ColdStartFacts {
        scenario: known.scenario,
        problem: known.problem,
        answer: known.answer,
        front,
        shorter: &[],
        gains: None,
        sweep: &[],
    }
}

/// The answer, the search that goes on, the picture.
fn summary_sections(known: &ColdStartResults<'_>, hunt: Option<Section>) -> Vec<Section> {
    let front = front_of(known.scenario);
    let mut all = sections::summary(&as_facts(known, front.as_deref()));
    let picture = all.iter_mut().find(|section| section.id == "picture");
    if let Some(picture) = picture.filter(|_| known.answer.T.is_none()) {
        picture.blocks = vec![listings::capacity_table(known.problem).into()];
    }
    all.splice(1..1, hunt);
    all
}

/// Builds the details of the page: the shared sections, with actions in rows, and deferred queries.
fn detail_sections(known: &ColdStartResults<'_>, are_rules_known: bool) -> Vec<Section> {
    let ColdStartResults {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let front = front_of(scenario);
    let mut here: Vec<Section> = queries::repairs(known).into_iter().collect();
    for mut section in sections::details(&as_facts(known, front.as_deref())) {
        match section.id {
            "reasons" => section = reasons(known, section),
            "comparison" => {
                section.blocks[0] = listings::compared(problem, answer).into();
            }
            "decode" => section = section.folded().holding("stage by stage"),
            "strategies" => section = section.holding("every plan that is compared, on one axis"),
            // These are described differently.
            "repairs" | "front" | "rules" => continue,
            _ => {}
        }
        if section.id == "comparison" {
            here.extend(queries::steady(known, front.as_deref()));
            here.extend([section, queries::gains_section()]);
            let sweep = Section::new("sweep", "Over prompt length");
            here.extend(answer.T.map(|_| sweep));
        } else {
            here.push(section);
        }
    }
    here.push(queries::other_rules_section(known, are_rules_known));
    here.extend(answer.T.map(|_| queries::spread_section()));
    here.push(reproductions::section::<ColdStarts>(&Some(
        scenario.clone(),
    )));
    here
}

/// Builds the section of reasons: the parts that add up, beside the time that each load alone would force.
fn reasons(known: &ColdStartResults<'_>, section: Section) -> Section {
    let ColdStartResults {
        problem, answer, ..
    } = *known;
    let (Some(timeline), Some(total)) = (&answer.timeline, answer.T) else {
        return section;
    };
    let mut blocks = section.blocks.into_iter();
    let advice = blocks.next().into_iter().collect();
    let both = vec![
        vec![listings::sums(problem, timeline, total).into()],
        vec![listings::loads(problem, timeline, total).into()],
    ];
    Section::new(section.id, section.title)
        .holding("parts of the stages, and what each load alone would force")
        .with(queries::holding("advice", advice))
        .with(Block::Columns(both))
        .and(blocks.skip(1))
}

/// The rate to begin with where one is asked for: three digits, rounded down, so that the plan shown still reaches it.
fn rate(answer: &Answer) -> Vec<(String, String)> {
    let rate = answer.decode.as_ref().map(|decode| decode.rate);
    let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0);
    let hint = rate.map(|rate| {
        let unit = libm::pow(10.0, libm::floor(libm::log10(rate)) - 2.0);
        let short = libm::floor(rate / unit) * unit;
        ("rate".to_owned(), short.to_string())
    });
    hint.into_iter().collect()
}

fn checked(answer: &Answer) -> Option<String> {
    let stages = answer.timeline.as_ref()?;
    let fit = stages.iter().filter(|s| s.mem_ok).count();
    Some(format!(
        "Every plan is scored again, from the equations alone, before it is shown: {fit} of {} stages fit, the timeline adds up \
         to {:.4}\u{202f}s.",
        stages.len(),
        answer.T?
    ))
}

fn files(answer: &Answer) -> Vec<(String, Vec<FileSpec>)> {
    let both = |csv, json, what| {
        vec![
            FileSpec::table(csv, what, "csv", "CSV"),
            FileSpec::table(json, what, "json", "JSON"),
        ]
    };
    let mut plan = vec![FileSpec::from_worker("save-plan", "plan")];
    let mut groups = vec![("Scenario", vec![FileSpec::scenario()])];
    let comparison = both("save-comparison", "save-comparison-json", "comparison");
    if answer.T.is_some() {
        plan.push(FileSpec {
            label: "Chrome trace",
            ..FileSpec::from_worker("save-trace", "trace")
        });
        groups.extend([
            ("Plan", plan),
            (
                "Timeline",
                both("save-timeline", "save-timeline-json", "timeline"),
            ),
            (
                "Where the time goes",
                both("save-reasons", "save-reasons-json", "reasons"),
            ),
            ("Comparison", comparison),
            (
                "Picture",
                vec![FileSpec::picture("save-picture", "timeline")],
            ),
        ]);
    } else {
        groups.extend([("Plan", plan), ("Comparison", comparison)]);
    }
    let named = groups.into_iter();
    named
        .map(|(title, files)| (title.to_owned(), files))
        .collect()
}

/// The layer maps of the answer, of the simple splits beside it and, once they are known, of the rules of other tools.
fn chains(known: &ColdStartResults<'_>, are_rules_known: bool) -> Vec<(String, LayerMap)> {
    let ColdStartResults {
        scenario,
        problem,
        answer,
        ..
    } = *known;
    let of = |name: &str, plan: &[Stage], fits: bool| {
        let chain = chains::of_cold_start(scenario, problem, plan, fits);
        Some((name.to_owned(), chain.ok()?))
    };
    let simple = strategies(problem, answer);
    let simple = simple.iter().filter_map(|s| of(s.name, &s.plan, s.fits));
    let others = are_rules_known.then(|| rules(problem, answer).rules);
    let others = others.into_iter().flatten();
    let others = others.filter_map(|row| {
        let measured = row.measured.as_ref()?;
        of(
            super::rules::title(row.rule),
            &measured.plan,
            measured.fits(),
        )
    });
    simple.chain(others).collect()
}
