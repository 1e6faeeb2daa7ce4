//! Documents in, answers out: one, or one a line while they come. The same for every kind of problem.

use super::args::InputArgs;
use super::console::Console;
use super::{ANSWERED, BAD_INPUT, exit_code};
use engine::problem::{Code, Invalid};
use planner::problem_file::{self, Answered};
use std::io::{self, BufRead, BufReader};

/// Answers the one document of an input, or each of its lines.
pub(super) fn each<A: Answered>(
    con: &Console<'_>,
    input: &InputArgs,
    answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    if input.jsonl {
        stream(con, input, answer)
    } else {
        one(con, input, answer)
    }
}

fn one<A: Answered>(
    con: &Console<'_>,
    input: &InputArgs,
    mut answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    match con
        .read_input(input.file.as_deref())
        .and_then(|text| answer(&text))
    {
        Ok(output) => {
            con.print_json(&output)?;
            Ok(exit_code(output.status()))
        }
        Err(fault) => con.write_fault(&fault, true),
    }
}

/// A bad line is answered in its place, and the stream goes on.
fn stream<A: Answered>(
    con: &Console<'_>,
    input: &InputArgs,
    mut answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    let file = input.file.as_deref().map(|path| con.open(path));
    let mut file = match file.transpose() {
        Ok(file) => file.map(BufReader::new),
        Err(fault) => return con.write_fault(&fault, true),
    };
    let mut code = ANSWERED;
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        match con.read_line(
            file.as_mut().map(|file| file as &mut dyn BufRead),
            &mut line,
        ) {
            Ok(0) => return Ok(code),
            Ok(_) => number += 1,
            Err(fault) => {
                let message = format!("the input cannot be read further: {fault}");
                return con.write_fault(
                    &Invalid::new(Code::Io, "", serde_json::Value::Null, message),
                    true,
                );
            }
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let not_text = || {
            Invalid::new(
                Code::Syntax,
                "",
                serde_json::Value::Null,
                "the line is not UTF-8 text",
            )
        };
        let text = std::str::from_utf8(&line).ok();
        match text.ok_or_else(not_text).and_then(&mut answer) {
            Ok(output) => con.print_json(&output)?,
            Err(fault) => {
                code = BAD_INPUT;
                con.note(&format!("line {number}: {}", fault.message));
                let id = text.map(problem_file::id_of).unwrap_or_default();
                con.print_json(&serde_json::json!({ "id": id, "error": fault }))?;
            }
        }
    }
}
