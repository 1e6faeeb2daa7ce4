//! Names of undo steps of dispatch: the change between two scenarios in a few words.

use super::{Device, FirstToken, Goal, Measured, Prompts, Replies, Scenario, Side, presets};
use crate::scenario::fields::NumberFields;
use crate::scenario::steps::{self, number};
use crate::units::percent;

/// A scenario, and a number for each of its devices that stays with it through moves.
pub type Version<'a> = (&'a Scenario, &'a [u32]);

/// The difference in a few words: "budget 20 to 35 %", "Xiaomi 14 prefill 79.9 to 60 tok/s".
///
/// # Complexity
/// O(devices² + bins).
#[must_use]
pub fn difference((old, old_ids): Version, (new, new_ids): Version) -> String {
    let is_other = steps::are_others(old_ids, new_ids);
    let is_preset = || presets::all().iter().any(|p| p.scenario == *new);
    if old.title != new.title || (is_other && is_preset()) {
        return format!("opened \u{201c}{}\u{201d}", new.title);
    }
    if is_other {
        return format!("other devices, {} of them", new.devices.len());
    }
    let mut changes = of_the_rest(old, new);
    let (before, after) = ((&*old.devices, old_ids), (&*new.devices, new_ids));
    changes.extend(steps::rows(before, after, |device| &device.name, of_device));
    if old_ids.len() == new_ids.len() && old_ids != new_ids && changes.is_empty() {
        return "moved a device".to_owned();
    }
    steps::summed_up(changes)
}

fn of_the_rest(old: &Scenario, new: &Scenario) -> Vec<String> {
    let mut changes = Vec::new();
    of_server(old, new, &mut changes);
    changes.extend(old.changes(new));
    changes.extend(old.handover.changes(&new.handover));
    changes.extend(old.runs.changes(&new.runs));
    if old.scarce != new.scarce {
        let words = match new.scarce {
            Side::Dearer => "the more expensive side is scarce",
            Side::Device => "the device is scarce",
            Side::Server => "the server is scarce",
        };
        changes.push(words.to_owned());
    }
    if old.goal != new.goal {
        changes.push(match (old.goal, new.goal) {
            (Goal::MeanUnder(before), Goal::MeanUnder(after)) => {
                number("mean_under", before, after)
            }
            (_, Goal::MeanKeptTail) => "goal: mean, tail kept".to_owned(),
            (_, Goal::MeanUnder(cap)) => format!("goal: mean, P99 under {cap} s"),
            (_, Goal::Mean) => "goal: mean".to_owned(),
            (_, Goal::Tail) => "goal: tail".to_owned(),
        });
    }
    if old.prompts != new.prompts {
        changes.push(match &new.prompts {
            Prompts::LogNormal { .. } => "a different law of prompt lengths".to_owned(),
            Prompts::Alike(tokens) => format!("prompts of {tokens} tokens"),
            Prompts::Measured(measured) => log_words("prompts", measured),
        });
    }
    if old.replies != new.replies {
        changes.push(match (old.replies, new.replies) {
            (Replies::Alike(before), Replies::Alike(after)) => {
                number("reply_tokens", before, after)
            }
            (_, Replies::Alike(tokens)) => format!("replies of {tokens} tokens"),
            (_, Replies::Exponential { mean_tokens, .. }) => {
                format!("replies of {mean_tokens} tokens on average")
            }
        });
    }
    let mut said = |is_other: bool, words: &str| {
        if is_other {
            changes.push(words.to_owned());
        }
    };
    let (a, b) = (old.handover, new.handover);
    let way = if b.on {
        "with hand-over"
    } else {
        "without hand-over"
    };
    said(a.on != b.on, way);
    said(
        a.server_start != b.server_start,
        "a different estimate of the server\u{2019}s start",
    );
    said(a.guard != b.guard, "slow targets");
    said(old.stochastic != new.stochastic, "stochastic routing");
    said(old.charge != new.charge, "cost of a cancelled prefill");
    said(old.runs.arrivals != new.runs.arrivals, "arrivals");
    said(old.runs.busy != new.runs.busy, "busy devices");
    changes
}

fn of_server(old: &Scenario, new: &Scenario, changes: &mut Vec<String>) {
    let (a, b) = (&old.server, &new.server);
    if a.name != b.name {
        changes.push(format!("server {} to {}", a.name, b.name));
        return;
    }
    changes.extend(a.changes(b));
    if a.first_token != b.first_token {
        let (before, after) = (a.first_token.fields(), b.first_token.fields());
        if before.len() == after.len() && !before.is_empty() {
            let changed = before
                .iter()
                .zip(&after)
                .filter(|(old, new)| old.1 != new.1);
            changes.extend(changed.map(|(old, new)| number(old.0, old.1, new.1)));
        } else {
            changes.push(match &b.first_token {
                FirstToken::LogNormal { .. } => "first tokens log-normal".to_owned(),
                FirstToken::Bursty { .. } => "first tokens with bursts".to_owned(),
                FirstToken::Measured(measured) => log_words("first tokens", measured),
            });
        }
    }
}

fn log_words(what: &str, measured: &Measured) -> String {
    format!(
        "{what} of {}, {} samples",
        measured.name,
        measured.samples()
    )
}

fn of_device(old: &Device, new: &Device) -> Vec<String> {
    let mut changes = Vec::new();
    if old.name != new.name {
        changes.push(format!("renamed {} to {}", old.name, new.name));
    }
    let name = &new.name;
    if old.off != new.off {
        let way = if new.off { "off" } else { "on" };
        changes.push(format!("switched {name} {way}"));
    }
    let changed = old.changes(new).into_iter();
    changes.extend(changed.map(|change| format!("{name} {change}")));
    if old.own_budget != new.own_budget {
        changes.push(match new.own_budget {
            Some(budget) => format!("{name} budget {}", percent(100.0 * budget, 0)),
            None => format!("{name} without a budget of its own"),
        });
    }
    changes
}
