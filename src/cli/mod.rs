//! The command line: `edgewise solve | evaluate | run | gains | spread | model | presets`. Native only.
//!
//! Answers go to standard output, one JSON document each; faults go to standard error as one line for
//! people and, where the output is JSON, to standard output as JSON too. Exit status: 0 answered,
//! 3 infeasible, 4 stopped without a plan, 2 bad input, 1 a bug.

mod args;
mod bring;
mod dispatch;
mod flags;
mod gains;
mod heads;
mod onnx;
mod operators;
mod run;
mod solve;
mod spread;
mod stream;
mod tiers;

use clap::Parser;
use clap::error::ErrorKind;
use engine::problem::{Code, Invalid};
use engine::scenario::open;
use job::Status;
use std::io::{self, Write};
use std::process::ExitCode;

/// Answered with a plan.
const ANSWERED: u8 = 0;
/// Bad input.
const BAD_INPUT: u8 = 2;
/// Proved that no plan exists.
const INFEASIBLE: u8 = 3;
/// Stopped without a plan.
const STOPPED: u8 = 4;

/// Runs the program on its arguments.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let json = arguments
        .get(1)
        .is_some_and(|verb| verb == "solve" || verb == "evaluate");
    let args = match args::Args::try_parse_from(&arguments) {
        Ok(args) => args,
        Err(fault)
            if fault.use_stderr()
                && fault.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            // The first paragraph says what is wrong; how to use the program is a line of its own.
            let text = fault.to_string();
            let first: Vec<&str> = text
                .split("\n\n")
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            let line = first.join(" ");
            let message = line.strip_prefix("error: ").unwrap_or(&line);
            return refuse(
                &Invalid::new(Code::Option, "", serde_json::Value::Null, message),
                json,
            );
        }
        Err(fault) => fault.exit(),
    };
    let done = match args.verb {
        args::Verb::Solve(args) => solve::solve(&args),
        args::Verb::Evaluate(args) => solve::evaluate(&args),
        args::Verb::Run(args) => run::run(&args),
        args::Verb::Gains(args) => gains::run(&args),
        args::Verb::Spread(args) => spread::spread(&args),
        args::Verb::Model(args) => bring::model(&args),
        args::Verb::Presets { name } => run::presets(name.as_deref()),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // Whoever reads our output has gone: nothing is left to say.
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("edgewise: {fault}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The exit code of an answer.
fn exit_code(status: Option<Status>) -> u8 {
    match status {
        None | Some(Status::Optimal | Status::Feasible) => ANSWERED,
        Some(Status::Infeasible) => INFEASIBLE,
        Some(Status::Stopped) => STOPPED,
    }
}

/// Says what is wrong with an input.
fn refuse(fault: &Invalid, json: bool) -> ExitCode {
    match write_fault(fault, json) {
        Ok(code) => ExitCode::from(code),
        Err(_) => ExitCode::from(BAD_INPUT),
    }
}

/// Refuses a form of answer that a question does not have.
fn no_such_format(format: args::Format, instead: &str) -> io::Result<u8> {
    let (name, owners) = match format {
        args::Format::Flags => ("flags", "cold starts and tiers"),
        _ => ("trace", "cold starts"),
    };
    let message = format!("the format {name} is only for {owners}; {instead}");
    write_fault(&Invalid::new(Code::Option, "format", name, message), false)
}

fn write_fault(fault: &Invalid, json: bool) -> io::Result<u8> {
    eprintln!("edgewise: {}", one_line(&fault.message));
    if json {
        print_json(&serde_json::json!({ "error": fault }))?;
    }
    Ok(BAD_INPUT)
}

/// A message without line breaks or other characters that move a terminal's cursor.
fn one_line(message: &str) -> String {
    message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// One document on one line, flushed, so that a reader of a stream sees it at once.
fn print_json(value: &impl serde::Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Prints a text as it is.
fn print_text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Reads a file, or standard input when there is none, as text.
fn read_input(file: Option<&std::path::Path>) -> Result<String, Invalid> {
    let bytes = match file {
        Some(path) => std::fs::read(path),
        None => {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
        }
    };
    let place = file.map_or_else(
        || "standard input".to_owned(),
        |path| path.display().to_string(),
    );
    let bytes = bytes.map_err(|fault| {
        Invalid::new(
            Code::Io,
            "",
            place.as_str(),
            format!("{place} cannot be read: {fault}"),
        )
    })?;
    // Sixteen bits a character, as some editors write it.
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes[..] {
        return Ok(open::text_of(&bytes));
    }
    String::from_utf8(bytes).map_err(|_| {
        Invalid::new(
            Code::Syntax,
            "",
            serde_json::Value::Null,
            format!("{place} is not UTF-8 text"),
        )
    })
}
