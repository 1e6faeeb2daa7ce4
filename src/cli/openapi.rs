//! `openapi`: the document that describes the service; and the flags that may be in its queries.

use super::args::Args;
use super::console::Console;
use super::solve::{OPTIONS, names};
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command, CommandFactory};
use planner::problem_file::ProblemKind;
use service::openapi::{FlagSpec, FlagValue, document};
use std::any::TypeId;
use std::io;

/// Prints the document, indented.
pub fn print(con: &Console<'_>) -> io::Result<u8> {
    let text = serde_json::to_string_pretty(&document(&flags(), super::serve::of_task))?;
    con.print_text(&(text + "\n"))?;
    Ok(super::ANSWERED)
}

/// All flags of all verbs, with what their help says.
pub fn flags() -> Vec<FlagSpec> {
    let command = Args::command();
    let verbs = command.get_subcommands();
    let of_verb = |verb: &clap::Command| {
        let name = verb.get_name().to_owned();
        let flags = verb.get_arguments().filter_map(|arg| flag(&name, arg));
        flags.collect::<Vec<FlagSpec>>()
    };
    verbs.flat_map(of_verb).collect()
}

fn flag(verb: &str, arg: &Arg) -> Option<FlagSpec> {
    let about = arg.get_help().map(ToString::to_string);
    Some(FlagSpec {
        verb: verb.to_owned(),
        name: arg.get_long()?.to_owned(),
        about: about.unwrap_or_default(),
        value_type: flag_value(arg),
        named: ProblemKind::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, names(&format!("--{}", arg.get_long()?), kind)?)))
            .collect(),
        repeats: matches!(arg.get_action(), ArgAction::Append),
        only: only(arg.get_long()?),
    })
}

/// The kinds of problem that have a flag; none where all do.
fn only(name: &str) -> &'static [ProblemKind] {
    let of = |(flag, _): &&(&str, &[ProblemKind])| flag.strip_prefix("--") == Some(name);
    OPTIONS.iter().find(of).map_or(&[], |(_, kinds)| *kinds)
}

fn flag_value(arg: &Arg) -> FlagValue {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return FlagValue::Switch;
    }
    let words: Vec<String> = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    if !words.is_empty() {
        return FlagValue::OneOf(words);
    }
    let parser: &ValueParser = arg.get_value_parser();
    let is = |known: TypeId| parser.type_id() == known;
    if is(TypeId::of::<f64>()) {
        // The bits of numbers from 0 on are in the order of the numbers.
        let (least, most) = bounds(arg, 1_f64.to_bits(), f64::MAX.to_bits(), &f64::from_bits);
        FlagValue::Number(f64::from_bits(least), f64::from_bits(most))
    } else if is(TypeId::of::<u32>()) || is(TypeId::of::<u64>()) {
        let (least, most) = bounds(arg, 1, u64::MAX, &|number| number);
        FlagValue::Whole(least, most)
    } else if is(TypeId::of::<(String, u64)>()) {
        FlagValue::Text("^[\\s\\S]+=0*[1-9][0-9]{0,18}$")
    } else if is(TypeId::of::<(String, f64)>()) {
        FlagValue::Text("^[^=]+=[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?$")
    } else {
        FlagValue::Text("")
    }
}

/// The least and the most that a flag takes, by asking its parser; `shown` is a number as it is on the command line.
///
/// # Complexity
/// Some hundred short command lines are read.
fn bounds<N: ToString>(arg: &Arg, one: u64, top: u64, shown: &dyn Fn(u64) -> N) -> (u64, u64) {
    let name = arg.get_long().unwrap_or_default();
    let command = Command::new("edgewise").arg(arg.clone());
    let takes = |number: u64| {
        let flag = format!("--{name}={}", shown(number).to_string());
        command
            .clone()
            .try_get_matches_from(["edgewise", &flag])
            .is_ok()
    };
    // Between a number that is taken and one beyond it.
    let edge = |inside: u64, outside: u64| {
        let (mut inside, mut outside) = (inside, outside);
        while inside.abs_diff(outside) > 1 {
            let middle = inside.midpoint(outside);
            match takes(middle) {
                true => inside = middle,
                false => outside = middle,
            }
        }
        inside
    };
    let steps = std::iter::successors(Some(one), |number| number.checked_add(number / 8 + 1));
    let within = steps
        .into_iter()
        .find(|number| takes(*number))
        .unwrap_or(one);
    let least = if takes(0) { 0 } else { edge(within, 0) };
    let most = if takes(top) { top } else { edge(within, top) };
    (least, most)
}
