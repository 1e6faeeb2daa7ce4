//! The command line: `edgewise plan | machines | models | run | compare | gains | spread | published | model | fleet | link |
//! presets | solve |
//! evaluate | openapi | serve`. Native only.
//!
//! Answers go to standard output, one JSON document each; faults go to standard error as one line for
//! people and, where the output is JSON, to standard output as JSON too. Exit status: 0 answered,
//! 3 infeasible, 4 stopped without a plan, 2 bad input, 1 a bug.

mod answer_format;
mod args;
mod catalogue;
mod cold_start;
mod compare;
mod console;
mod dispatch;
mod flags;
mod fleet;
mod gains;
mod heads;
mod import;
mod link;
mod measured;
mod names;
mod onnx;
mod openapi;
mod operators;
mod plan;
mod published;
mod run;
mod serve;
mod solve;
mod spread;
mod stream;
mod tiers;

use args::{CliVerb, ModelFormat};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use console::{Console, LocalMachine};
use document::text::Width;
use engine::problem::{Code, Invalid};
use planner::Status;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, BufReader};
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
    let (mut input, mut out, mut notes) = (BufReader::new(io::stdin()), io::stdout(), io::stderr());
    let con = Console::new(&mut input, &mut out, &mut notes, &LocalMachine).within_width(width());
    let done = match parsed(&arguments) {
        Ok(args) => answer(&con, args.verb),
        Err(Refused::Help(help)) => help.exit(),
        Err(Refused::Fault(fault, json)) => con.write_fault(&fault, json),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // The reader of our output has gone: there is nothing left to write.
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(fault) => {
            con.note(&fault.to_string());
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The width of the terminal that answers go to; what is read by a file or a program is as wide as it is.
fn width() -> Width {
    let wide = terminal_size::terminal_size_of(io::stdout());
    wide.map_or(Width::ANY, |(wide, _)| Width::of(usize::from(wide.0)))
}

/// Arguments that are not carried out.
enum Refused {
    /// They ask for help.
    Help(clap::Error),
    /// Invalid arguments; true if the error is written as JSON as well.
    Fault(Invalid, bool),
}

fn parsed(arguments: &[OsString]) -> Result<args::Args, Refused> {
    args::Args::try_parse_from(arguments).map_err(|fault| {
        if !fault.use_stderr()
            || fault.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            return Refused::Help(fault);
        }
        // The first paragraph says what is wrong; how to use the program is a line of its own.
        let text = fault.to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = line.strip_prefix("error: ").unwrap_or(&line);
        let json = arguments
            .get(1)
            .is_some_and(|verb| verb == "solve" || verb == "evaluate");
        Refused::Fault(Invalid::new(Code::Option, "", Value::Null, message), json)
    })
}

/// Carries a verb out; the exit status.
fn answer(con: &Console<'_>, verb: CliVerb) -> io::Result<u8> {
    match verb {
        CliVerb::Solve(args) => solve::solve(con, &args),
        CliVerb::Evaluate(args) => solve::evaluate(con, &args),
        CliVerb::Plan(args) => plan::run(con, &args),
        CliVerb::Machines(args) => catalogue::machines(con, &args),
        CliVerb::Models(args) => catalogue::models(con, &args),
        CliVerb::Run(args) => run::run(con, &args),
        CliVerb::Compare(args) => compare::run(con, &args),
        CliVerb::Gains(args) => gains::run(con, &args),
        CliVerb::Spread(args) => spread::spread(con, &args),
        CliVerb::Published(args) => published::run(con, &args),
        CliVerb::Model(args) => import::model(con, &args),
        CliVerb::Fleet(args) => fleet::run(con, &args),
        CliVerb::Link(args) => link::run(con, &args),
        CliVerb::Presets { name, format } => {
            run::presets(con, name.as_deref(), format == ModelFormat::Json)
        }
        CliVerb::Serve(args) => serve::run(con, &args),
        CliVerb::ServeWorker(args) => serve::work(&args),
        CliVerb::Openapi => openapi::print(con),
        CliVerb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::Args::command(), "edgewise", &mut script);
            con.print_bytes(&script)?;
            Ok(ANSWERED)
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

/// A message without line breaks or other characters that move a terminal's cursor.
fn one_line(message: &str) -> String {
    message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
