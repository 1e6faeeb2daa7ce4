//! When the device starts, in words: every prompt length belongs to one clause, so that none is left out.

use super::share;
use document::Sentence;
use engine::units::seconds;
use planner::dispatch::WaitAt;

/// The most clauses that a sentence bears.
const MOST_CLAUSES: usize = 5;

/// Action at a prompt length.
#[derive(Debug, Clone, Copy, PartialEq)]
enum StartAction {
    AtOnce,
    /// It waits [s], from the least to the largest wait of a range of lengths.
    Waits(f64, f64),
    Never,
    /// One or the other, by chance.
    Mixed(WaitAt),
}

/// Neighbouring lengths at which the same happens.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    first: u32,
    last: u32,
    action: StartAction,
}

/// When the device starts, by prompt length.
pub(super) fn device_starts(device: &str, waits: &[WaitAt]) -> Sentence {
    let ranges = ranges(waits);
    let start = format!("{device} ");
    let clauses: Vec<String> = match ranges.as_slice() {
        [] => return Sentence::default(),
        [only] => vec![of_all(only.action)],
        [first, .., last] if ranges.len() > MOST_CLAUSES => vec![
            clause(first, Place::First),
            format!(
                "between {} and {} tokens it depends on the length",
                first.last + 1,
                last.first - 1
            ),
            clause(last, Place::Last),
        ],
        [first, middle @ .., last] => {
            let between = middle.iter().map(|range| clause(range, Place::Between));
            let mut all = vec![clause(first, Place::First)];
            all.extend(between);
            all.push(clause(last, Place::Last));
            all
        }
    };
    Sentence::default().plain(format!("{start}{}.", clauses.join("; ")))
}

fn ranges(waits: &[WaitAt]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for at in waits {
        let what = match (at.wait, at.other) {
            (_, Some(_)) => StartAction::Mixed(*at),
            (None, None) => StartAction::Never,
            (Some(wait), None) if wait > 0.0 => StartAction::Waits(wait, wait),
            (Some(_), None) => StartAction::AtOnce,
        };
        match (ranges.last_mut(), what) {
            (Some(range), StartAction::AtOnce | StartAction::Never) if range.action == what => {
                range.last = at.tokens;
            }
            (Some(range), StartAction::Waits(wait, _))
                if matches!(range.action, StartAction::Waits(..)) =>
            {
                if let StartAction::Waits(least, most) = &mut range.action {
                    (*least, *most) = (least.min(wait), most.max(wait));
                }
                range.last = at.tokens;
            }
            _ => ranges.push(Range {
                first: at.tokens,
                last: at.tokens,
                action: what,
            }),
        }
    }
    ranges
}

/// Where in the sentence a clause stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Between,
    Last,
}

/// One thing for every length.
fn of_all(what: StartAction) -> String {
    match what {
        StartAction::AtOnce => "starts at once with every prompt".to_owned(),
        StartAction::Never => "never starts".to_owned(),
        StartAction::Waits(least, most) => format!("waits {} before it starts", span(least, most)),
        StartAction::Mixed(at) => mixed(&at),
    }
}

fn clause(range: &Range, place: Place) -> String {
    let what = match range.action {
        StartAction::AtOnce => "starts at once".to_owned(),
        StartAction::Never => "never starts".to_owned(),
        StartAction::Waits(least, most) => format!("waits {}", span(least, most)),
        StartAction::Mixed(at) => mixed(&at),
    };
    let tokens = |n: u32| match n {
        1 => "1 token".to_owned(),
        n => format!("{n} tokens"),
    };
    match (place, range.first == range.last) {
        (Place::First, _) => format!("{what} for prompts of up to {}", tokens(range.last)),
        (Place::Between, true) => format!("at {} it {what}", tokens(range.first)),
        (Place::Between, false) => {
            format!("from {} to {} it {what}", range.first, tokens(range.last))
        }
        (Place::Last, _) => format!("from {} on it {what}", tokens(range.first)),
    }
}

fn span(least: f64, most: f64) -> String {
    if least == most {
        seconds(least)
    } else {
        format!("{} to {}", seconds(least), seconds(most))
    }
}

/// "starts at once in 37.2 % of cases and otherwise never".
fn mixed(at: &WaitAt) -> String {
    let Some((other, probability)) = at.other else {
        return String::new();
    };
    let starts = |wait: Option<f64>| match wait {
        Some(wait) if wait > 0.0 => format!("waits {}", seconds(wait)),
        Some(_) => "starts at once".to_owned(),
        None => "never starts".to_owned(),
    };
    let rest = match other {
        Some(wait) if wait > 0.0 => format!("waits {}", seconds(wait)),
        Some(_) => "starts at once".to_owned(),
        None => "does not start".to_owned(),
    };
    match at.wait {
        // The action comes first, even where it is the rarer one.
        None => format!(
            "{} in {} of cases and otherwise does not start",
            starts(other),
            share(probability)
        ),
        wait => format!(
            "{} in {} of cases and otherwise {rest}",
            starts(wait),
            share(1.0 - probability)
        ),
    }
}
