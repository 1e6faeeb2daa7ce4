//! Answers of all questions on the command line, and the formats in which it prints them.

use super::args::{AnswerArgs, Format};
use super::console::Console;
use super::exit_code;
use chart::{InkTheme, Palette};
use document::{Section, Story, Table};
use engine::problem::{Code, Invalid};
use engine::scenario::world::{QuestionView, World};
use planner::Status;
use protocol::flags::LayerMap;
use serde::Serialize;
use std::io;

/// The colours of pictures, which are those of the page.
const TOKENS: &str = include_str!("../../style/tokens.css");

/// An answer to a question.
pub trait AnswerFormatter {
    /// Returns the status that decides the exit code.
    fn status(&self) -> Status;

    /// The scenario in a few lines.
    fn about(&self) -> Vec<String>;

    /// The whole document.
    ///
    /// # Errors
    /// A section cannot be computed.
    fn sections(&self) -> Result<Vec<Section>, Invalid>;

    /// The table that CSV holds.
    fn table(&self) -> Table;

    /// The answer as a JSON object. What the scenario assumes decides whether its rates are predictions.
    ///
    /// # Errors
    /// A part of the answer cannot be computed.
    fn document(&self, seen: SeenBy<'_>) -> Result<Vec<u8>, Invalid>;

    /// Which layers are where, for the flags of other runtimes; nothing where the question has no such map.
    fn chain(&self) -> Option<Option<Result<LayerMap, Invalid>>> {
        None
    }

    /// The timeline for trace viewers, likewise.
    fn trace(&self) -> Option<serde_json::Value> {
        None
    }
}

/// The scenario of all questions, and what the question sees of it.
pub type SeenBy<'a> = (&'a World, &'a QuestionView);

/// A document as bytes; what is written has no keys that JSON cannot hold.
pub fn json(document: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(document).expect("answers are JSON")
}

/// The story of an answer.
///
/// # Errors
/// A section cannot be computed.
pub fn story(
    answer: &dyn AnswerFormatter,
    world: &World,
    view: &QuestionView,
    link: &str,
) -> Result<Story, Invalid> {
    let whole = protocol::AnswerDocument {
        about: answer.about(),
        sections: answer.sections()?,
    };
    Ok(whole.story(world, view, link.to_owned()))
}

/// Prints an answer in the form that was asked for; the exit status.
pub fn print(
    con: &Console<'_>,
    answer: &dyn AnswerFormatter,
    (world, view): (&World, &QuestionView),
    link: &str,
    args: &AnswerArgs,
) -> io::Result<u8> {
    let refused = |fault: Invalid| con.write_fault(&fault, args.format == Format::Json);
    let whole = || story(answer, world, view, link);
    let of_story = |shown: &dyn Fn(&Story) -> String| match whole() {
        Ok(story) => con
            .print_text(&shown(&story))
            .map(|()| exit_code(Some(answer.status()))),
        Err(fault) => refused(fault),
    };
    if let Some(name) = &args.explain {
        let explained = match whole() {
            Ok(story) => story.explained(name, con.width()),
            Err(fault) => return refused(fault),
        };
        return match explained {
            Ok(text) => con
                .print_text(&text)
                .map(|()| exit_code(Some(answer.status()))),
            Err(known) => refused(unknown(name, &known)),
        };
    }
    match args.format {
        Format::Text => of_story(&|story| story.to_text(con.width())),
        Format::Md => of_story(&Story::to_markdown),
        Format::Html => of_story(&|story| story.to_html(&colours())),
        Format::Json => match answer.document((world, view)) {
            Ok(document) => {
                con.print_bytes(&document)?;
                con.print_text("\n")?;
                Ok(exit_code(Some(answer.status())))
            }
            Err(fault) => refused(fault),
        },
        Format::Story => of_story(&|story| json_line(story)),
        Format::Csv => {
            con.print_text(&answer.table().to_csv())?;
            Ok(exit_code(Some(answer.status())))
        }
        Format::Flags => match answer.chain() {
            Some(chain) => super::flags::print(con, chain, args.tool, answer.status()),
            None => no_such_format(con, "flags", "cold starts and tiers"),
        },
        Format::Trace => match answer.trace() {
            Some(trace) => {
                con.print_json(&trace)?;
                Ok(exit_code(Some(answer.status())))
            }
            None => no_such_format(con, "trace", "cold starts"),
        },
    }
}

/// The colours of pictures on paper.
pub fn colours() -> Palette {
    Palette::from_tokens(TOKENS, InkTheme::Light).expect("the style sheet has every colour")
}

fn json_line(story: &Story) -> String {
    serde_json::to_string(story).expect("stories are JSON") + "\n"
}

fn unknown(name: &str, known: &[String]) -> Invalid {
    let allowed = match known {
        [] => "this answer has none".to_owned(),
        known => format!("this answer has {}", known.join(", ")),
    };
    let shown: String = name.chars().take(60).collect();
    let message =
        format!("--explain takes the name of a quantity and there is no {shown:?}: {allowed}");
    Invalid::new(Code::Option, "explain", shown, message)
}

/// Refuses a form of answer that a question does not have.
fn no_such_format(con: &Console<'_>, name: &str, owners: &str) -> io::Result<u8> {
    let message = format!(
        "the format {name} is only for {owners}; for this question use text, md, html, json or csv"
    );
    con.write_fault(&Invalid::new(Code::Option, "format", name, message), false)
}
