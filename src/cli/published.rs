//! `published`: every figure that a paper publishes, beside ours. The pieces are the worker’s, one after the other.

use super::answer_format::colours;
use super::args::{Published, PublishedFormat};
use super::console::{Console, SearchWatch};
use super::run::open_source;
use super::{ANSWERED, STOPPED};
use engine::graph::catalogue;
use engine::problem::{Code, Invalid};
use engine::scenario::{Any, Question, Scenario};
use engine::solve::SearchEvent;
use planner::operators::{OrderCase, SplitCase};
use planner::{dispatch_published, heads_published, tiers_published};
use presenters::published::reproductions::Reproduction;
use presenters::published::section::{Document, Shown};
use presenters::published::sections::{ColdStarts, is_paper};
use std::io;

/// Prints them.
pub fn run(con: &Console<'_>, args: &Published) -> io::Result<u8> {
    let is_json = args.format == PublishedFormat::Json;
    let scenario = match opened(con, args) {
        Ok(scenario) => scenario,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    let mut pieces = LocalSubtasks::new(con);
    let found = match args.question {
        Question::ColdStart => pieces.made::<ColdStarts>(&scenario),
        Question::HeadPlacement => pieces.made::<heads_published::HeadsMeasurements>(&()),
        Question::Dispatch => pieces.made::<dispatch_published::DispatchMeasurements>(&()),
        Question::Tiers => pieces.made::<tiers_published::TierMeasurements>(&()),
        Question::Operators => {
            pieces.of = 2 * catalogue::MODELS.len() as u64;
            let orders = pieces.made::<Vec<OrderCase>>(&());
            orders.and_then(|orders| {
                let splits = pieces.made::<Vec<SplitCase>>(&())?;
                Ok([orders, splits].concat())
            })
        }
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

/// The scenario whose figures are beside the paper’s, if one was given that is not the paper’s own.
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

/// The worker’s subtasks, run here one after the other; the listener is notified of each, and may cancel between two.
struct LocalSubtasks<'c> {
    watch: SearchWatch<'c>,
    done: u64,
    of: u64,
}

impl<'c> LocalSubtasks<'c> {
    fn new(con: &'c Console<'_>) -> Self {
        Self {
            watch: con.watch(None),
            done: 0,
            of: 0,
        }
    }

    /// Makes all pieces of a paper’s figures, and the sections of them.
    fn made<K: Reproduction>(&mut self, own: &K::OwnScenario) -> Result<Vec<Shown>, Ended> {
        let mut known = K::default();
        let all = K::subtasks(own);
        self.of = self.of.max(all.len() as u64);
        for piece in all {
            if self.look().is_break() {
                return Err(Ended::Cut);
            }
            let found = K::find(own, &piece, &mut |_, _| self.look())?;
            known.add(own, piece, found.ok_or(Ended::Cut)?);
            self.done += 1;
        }
        Ok(known.sections(own))
    }

    fn look(&mut self) -> std::ops::ControlFlow<()> {
        self.watch.on_event::<()>(SearchEvent::Step {
            done: self.done,
            of: Some(self.of),
        })
    }
}
