//! `compare`: what differs between two or three scenarios and their answers.

use super::answer_format::{self, colours, story};
use super::args::{Compare, CompareFormat};
use super::console::Console;
use super::run::{answered, open_world, question_view};
use super::{ANSWERED, exit_code};
use document::compare::compared;
use document::{Story, Table};
use engine::problem::{Code, Invalid};
use engine::scenario::link;
use engine::scenario::world::World;
use planner::Status;
use std::io;

/// Answers every scenario and prints the differences.
pub fn run(con: &Console<'_>, args: &Compare) -> io::Result<u8> {
    let refused = |fault: Invalid| con.write_fault(&fault, args.format == CompareFormat::Json);
    let answer = opened(con, &args.sources).and_then(|worlds| {
        let question = args.question.unwrap_or(worlds[0].question);
        let mut stories: Vec<(Story, Status)> = Vec::new();
        for world in &worlds {
            stories.push(one(con, world, question)?);
        }
        let all: Vec<&Story> = stories.iter().map(|(story, _)| story).collect();
        let differences = compared(&all, link::encode_compared(&worlds));
        let code = stories
            .iter()
            .map(|(_, status)| exit_code(Some(*status)))
            .max();
        Ok((differences, code.unwrap_or(ANSWERED)))
    });
    let (story, code) = match answer {
        Ok(answer) => answer,
        Err(fault) => return refused(fault),
    };
    match args.format {
        CompareFormat::Text => con.print_text(&story.to_text(con.width()))?,
        CompareFormat::Md => con.print_text(&story.to_markdown())?,
        CompareFormat::Html => con.print_text(&story.to_html(&colours()))?,
        CompareFormat::Json => con.print_json(&story)?,
        CompareFormat::Csv => con.print_text(&quantities(&story).to_csv())?,
    }
    Ok(code)
}

/// The scenarios: one link that holds all of them, or two or three sources.
fn opened(con: &Console<'_>, sources: &[String]) -> Result<Vec<World>, Invalid> {
    if let [only] = sources
        && let Some(all) = link::open_compared(only)
    {
        return all.map_err(|fault| {
            let shown: String = only.chars().take(60).collect();
            Invalid::new(Code::Link, "", shown, fault.to_string())
        });
    }
    if sources.len() < 2 {
        let message = "compare takes two or three scenarios, or one link that compares some";
        return Err(Invalid::new(Code::Option, "", "", message));
    }
    sources
        .iter()
        .map(|source| open_world(con, source))
        .collect()
}

fn one(
    con: &Console<'_>,
    world: &World,
    question: engine::scenario::Question,
) -> Result<(Story, Status), Invalid> {
    let any = question_view(con, world, Some(question))?;
    let (world, view) = super::run::with_answer(con, world.clone(), &any, None)?;
    let answer = answered(con, &view.scenario, None)?;
    let answer: &dyn answer_format::AnswerFormatter = &*answer;
    let story = story(answer, &world, &view, &link::encode(&world))?;
    Ok((story, answer.status()))
}

/// The table of quantities; empty where the answers have none in common.
fn quantities(story: &Story) -> Table {
    let mut tables = story.tables();
    tables
        .find(|table| table.name == "quantities")
        .cloned()
        .unwrap_or_default()
}
