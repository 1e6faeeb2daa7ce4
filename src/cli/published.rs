//! `published`: every figure that a paper publishes, beside ours. The pieces are the worker’s, one after the other.

use super::args::{Published, PublishedFormat};
use super::console::{Console, Watch};
use super::run::open_source;
use super::told::colours;
use super::{ANSWERED, STOPPED};
use engine::graph::catalogue;
use engine::problem::{Code, ColdStart, Invalid};
use engine::scenario::{self, Any, Question, Scenario, presets};
use engine::solve::Event;
use job::cold_start::Answer;
use job::heads_published::{self, Measure, Reading, Size};
use job::worker::{Errand, Sent};
use job::{cold_start, dispatch, dispatch_published, operators, tiers, tiers_published};
use report::published::LENGTHS;
use report::published::section::{Document, Shown};
use report::published::sections::{self, ColdStarts, is_paper};
use std::io;
use std::sync::Arc;

/// Prints them.
pub fn run(con: &Console<'_>, args: &Published) -> io::Result<u8> {
    let is_json = args.format == PublishedFormat::Json;
    let scenario = match opened(con, args) {
        Ok(scenario) => scenario,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    let mut pieces = Pieces::new(con);
    let found = match args.question {
        Question::ColdStart => cold_start(&mut pieces, scenario.as_ref()),
        Question::HeadPlacement => head_placement(&mut pieces),
        Question::Dispatch => device_or_server(&mut pieces),
        Question::Tiers => over_tiers(&mut pieces),
        Question::Operators => graphs(&mut pieces),
    };
    let sections = match found {
        Ok(sections) => sections,
        Err(Ended::Refused(fault)) => return con.write_fault(&fault, is_json),
        Err(Ended::Cut) => {
            let (done, of) = (pieces.done, pieces.of);
            con.note(&format!(
                "the time was over after {done} of {of} computations"
            ));
            return Ok(STOPPED);
        }
    };
    let document = Document::new(args.question, scenario.as_ref(), sections);
    match args.format {
        PublishedFormat::Json => con.print_json(&document)?,
        PublishedFormat::Md => con.print_text(&document.story().to_markdown())?,
        PublishedFormat::Html => con.print_text(&document.story().to_html(&colours()))?,
        PublishedFormat::Csv => con.print_text(&document.csv())?,
        PublishedFormat::Text => con.print_text(&document.text())?,
    }
    Ok(ANSWERED)
}

/// The scenario whose figures stand beside the paper’s, if one was given that is not the paper’s own.
fn opened(con: &Console<'_>, args: &Published) -> Result<Option<Scenario>, Invalid> {
    let Some(source) = &args.source else {
        return Ok(None);
    };
    let asked = args.question;
    let refused =
        |name: &str, message: String| Invalid::new(Code::Option, "question", name, message);
    if asked != Question::ColdStart {
        let name = asked.name();
        let message = format!(
            "published takes a scenario for cold-start only: the figures of {name} are the same for all scenarios"
        );
        return Err(refused(name, message));
    }
    match open_source(con, source)? {
        Any::ColdStart(scenario) => Ok(Some(*scenario).filter(|scenario| !is_paper(scenario))),
        other => {
            let name = other.question().name();
            let message = format!(
                "published cold-start takes a cold-start scenario; this is a scenario of {name}"
            );
            Err(refused(name, message))
        }
    }
}

/// Why there are no figures.
enum Ended {
    /// A scenario cannot be answered.
    Refused(Invalid),
    /// A clock or a listener has ended it.
    Cut,
}

impl From<Invalid> for Ended {
    fn from(fault: Invalid) -> Self {
        Self::Refused(fault)
    }
}

/// The worker’s errands, run here one after the other; whoever listens hears of each, and may end them between two.
struct Pieces<'c> {
    watch: Watch<'c>,
    done: u64,
    of: u64,
}

impl<'c> Pieces<'c> {
    fn new(con: &'c Console<'_>) -> Self {
        Self {
            watch: con.watch(None),
            done: 0,
            of: 0,
        }
    }

    /// Answers asks in order, handing each answer over with what was asked for it.
    fn each<K, E: Errand>(
        &mut self,
        scenario: &E::Scenario,
        asks: Vec<(K, E)>,
        mut take: impl FnMut(K, E::Answer),
    ) -> Result<(), Ended> {
        for (key, ask) in asks {
            if self.look().is_break() {
                return Err(Ended::Cut);
            }
            // A piece cannot be ended; who listens hears all the same that it goes on.
            let answer = ask.answer(scenario, &mut |_, _, _| {
                let _ = self.look();
            });
            self.done += 1;
            take(key, answer?);
        }
        Ok(())
    }

    fn look(&mut self) -> std::ops::ControlFlow<()> {
        self.watch.hear::<()>(Event::Step {
            done: self.done,
            of: Some(self.of),
        })
    }
}

fn cold_start(pieces: &mut Pieces<'_>, own: Option<&Scenario>) -> Result<Vec<Shown>, Ended> {
    let paper = presets::paper();
    let scenarios = 1 + u64::from(own.is_some());
    pieces.of = scenarios * LENGTHS.len() as u64;
    let known = ColdStarts {
        paper: at_lengths(pieces, &paper)?,
        yours: own.map(|own| at_lengths(pieces, own)).transpose()?,
    };
    Ok(vec![sections::COLD_START.shown(&known)])
}

/// A scenario at the paper’s prompt lengths, answered as points of a sweep are.
fn at_lengths(
    pieces: &mut Pieces<'_>,
    scenario: &Scenario,
) -> Result<Vec<(ColdStart, Answer)>, Ended> {
    let mut asks = Vec::new();
    for tokens in LENGTHS {
        asks.push((scenario.problem_at(tokens)?, cold_start::Ask { tokens }));
    }
    let mut known = Vec::new();
    let scenario = Sent(Arc::new(scenario.clone()));
    pieces.each(&scenario, asks, |problem, answer| {
        known.push((problem, answer));
    })?;
    Ok(known)
}

fn head_placement(pieces: &mut Pieces<'_>) -> Result<Vec<Shown>, Ended> {
    let measures = [Size::Small, Size::Medium].into_iter().flat_map(|size| {
        let measure = move |reading| Measure { reading, size };
        Reading::ALL.into_iter().map(measure)
    });
    let parts = |measure: Measure| measure.parts().into_iter().map(move |part| (measure, part));
    let all: Vec<_> = measures.flat_map(parts).collect();
    pieces.of = all.len() as u64;
    let mut known = heads_published::Measured::default();
    // What the worker does about `heads::Ask::Measure`; asked here, a network can be given up in its midst.
    for (measure, part) in all {
        let runs = measure.run(part, &mut |_| pieces.look())?;
        known.add(measure, part, runs.ok_or(Ended::Cut)?);
        pieces.done += 1;
    }
    Ok(vec![sections::HEADS.shown(&known)])
}

fn device_or_server(pieces: &mut Pieces<'_>) -> Result<Vec<Shown>, Ended> {
    let any = Sent(Arc::new(scenario::dispatch::presets::paper()));
    let all = dispatch_published::Measured::pieces().into_iter();
    let asks: Vec<_> = all
        .map(|piece| ((), dispatch::Ask::Measure(piece)))
        .collect();
    pieces.of = asks.len() as u64;
    let mut known = dispatch_published::Measured::default();
    pieces.each(&any, asks, |(), answer| {
        if let dispatch::Answer::Measured(found) = answer {
            known.add(found);
        }
    })?;
    Ok(vec![sections::DISPATCH.shown(&known)])
}

fn over_tiers(pieces: &mut Pieces<'_>) -> Result<Vec<Shown>, Ended> {
    let any = Sent(Arc::new(scenario::tiers::presets::paper()));
    // A case may belong to several measures, and is run once.
    let mut asks: Vec<(tiers_published::Case, tiers::Ask)> = Vec::new();
    for measure in tiers_published::Measure::ALL {
        for (at, case) in measure.cases().into_iter().enumerate() {
            if asks.iter().all(|(known, _)| *known != case) {
                asks.push((case, tiers::Ask::Measure { measure, at }));
            }
        }
    }
    pieces.of = asks.len() as u64;
    let mut known = tiers_published::Measured::default();
    pieces.each(&any, asks, |case, answer| {
        if let tiers::Answer::Measured(figures) = answer {
            known.add(case, figures);
        }
    })?;
    Ok(vec![
        sections::TIERS.shown(&()),
        sections::TIERS_RUNS.shown(&known),
    ])
}

fn graphs(pieces: &mut Pieces<'_>) -> Result<Vec<Shown>, Ended> {
    let any = Sent(Arc::new(scenario::operators::presets::paper()));
    let models = 0..catalogue::MODELS.len();
    pieces.of = 2 * models.len() as u64;
    let orders = models.clone().map(|at| operators::Ask::Published { at });
    let splits = models.map(|at| operators::Ask::PublishedSplit { at });
    let (mut cases, mut split_cases) = (Vec::new(), Vec::new());
    let asks = orders.chain(splits).map(|ask| ((), ask)).collect();
    pieces.each(&any, asks, |(), answer| match answer {
        operators::Answer::Published(case) => cases.push(*case),
        operators::Answer::PublishedSplit(case) => split_cases.push(*case),
        _ => {}
    })?;
    Ok(vec![
        sections::OPERATORS.shown(&cases),
        sections::SPLITS.shown(&split_cases),
    ])
}
