//! Documents in, answers out: one, or one a line while they come. The same for every kind of problem.

use super::args::Input;
use super::{ANSWERED, BAD_INPUT, exit_code, print_json, read_input, write_fault};
use engine::problem::{Code, Invalid};
use job::problem_file::{self, Answered};
use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// Answers the one document of an input, or each of its lines.
pub(super) fn each<A: Answered>(
    input: &Input,
    answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    if input.jsonl {
        stream(input, answer)
    } else {
        one(input, answer)
    }
}

fn one<A: Answered>(
    input: &Input,
    mut answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    match read_input(input.file.as_deref()).and_then(|text| answer(&text)) {
        Ok(output) => {
            print_json(&output)?;
            Ok(exit_code(output.status()))
        }
        Err(fault) => write_fault(&fault, true),
    }
}

/// A bad line is answered in its place, and the stream goes on.
fn stream<A: Answered>(
    input: &Input,
    mut answer: impl FnMut(&str) -> Result<A, Invalid>,
) -> io::Result<u8> {
    let mut lines: Box<dyn BufRead> = match &input.file {
        None => Box::new(io::stdin().lock()),
        Some(path) => match File::open(path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(fault) => {
                let place = path.display().to_string();
                let message = format!("{place} cannot be read: {fault}");
                return write_fault(&Invalid::new(Code::Io, "", place, message), true);
            }
        },
    };
    let mut code = ANSWERED;
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(code),
            Ok(_) => number += 1,
            Err(fault) => {
                let message = format!("the input cannot be read further: {fault}");
                return write_fault(
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
            Ok(output) => print_json(&output)?,
            Err(fault) => {
                code = BAD_INPUT;
                eprintln!(
                    "edgewise: line {number}: {}",
                    super::one_line(&fault.message)
                );
                let id = text.map(problem_file::id_of).unwrap_or_default();
                print_json(&serde_json::json!({ "id": id, "error": fault }))?;
            }
        }
    }
}
