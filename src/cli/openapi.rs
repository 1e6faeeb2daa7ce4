//! `openapi`: the document that describes the service; and the flags that may stand in its queries.

use super::args::Args;
use super::console::Console;
use super::solve::OPTIONS;
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, CommandFactory};
use job::problem_file::Kind;
use service::openapi::{Flag, Holds, document};
use std::any::TypeId;
use std::io;

/// Prints the document, indented.
pub fn print(con: &Console<'_>) -> io::Result<u8> {
    let text = serde_json::to_string_pretty(&document(&flags(), super::serve::of_task))?;
    con.print_text(&(text + "\n"))?;
    Ok(super::ANSWERED)
}

/// All flags of all verbs, with what their help says.
pub fn flags() -> Vec<Flag> {
    let command = Args::command();
    let verbs = command.get_subcommands();
    let of_verb = |verb: &clap::Command| {
        let name = verb.get_name().to_owned();
        let flags = verb.get_arguments().filter_map(|arg| flag(&name, arg));
        flags.collect::<Vec<Flag>>()
    };
    verbs.flat_map(of_verb).collect()
}

fn flag(verb: &str, arg: &Arg) -> Option<Flag> {
    let about = arg.get_help().map(ToString::to_string);
    Some(Flag {
        verb: verb.to_owned(),
        name: arg.get_long()?.to_owned(),
        about: about.unwrap_or_default(),
        holds: holds(arg),
        repeats: matches!(arg.get_action(), ArgAction::Append),
        only: only(arg.get_long()?),
    })
}

/// The kinds of problem that have a flag; none where all do.
fn only(name: &str) -> &'static [Kind] {
    let of = |(flag, _): &&(&str, &[Kind])| flag.strip_prefix("--") == Some(name);
    OPTIONS.iter().find(of).map_or(&[], |(_, kinds)| *kinds)
}

fn holds(arg: &Arg) -> Holds {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Holds::Switch;
    }
    let words: Vec<String> = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    if !words.is_empty() {
        return Holds::OneOf(words);
    }
    let parser: &ValueParser = arg.get_value_parser();
    let is = |known: TypeId| parser.type_id() == known;
    if is(TypeId::of::<f64>()) {
        Holds::Number
    } else if is(TypeId::of::<u32>()) || is(TypeId::of::<u64>()) {
        Holds::Whole
    } else {
        Holds::Text
    }
}
