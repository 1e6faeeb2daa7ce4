//! Names of undo steps of tiers: the change between two scenarios in a few words.

use super::{Order, Requests, Scenario, Scheduler, Tier, presets};
use crate::scenario::fields::NumberFields;
use crate::scenario::steps::{self, number};

/// A scenario, and a number for each of its tiers that stays with it through moves.
pub type Side<'a> = (&'a Scenario, &'a [u32]);

/// The difference in a few words: "NX nodes 3 to 4", "added Tier 4", "link rate 1000 to 100 Mbit/s".
///
/// # Complexity
/// O(tiers²), for at most six tiers.
#[must_use]
pub fn difference((old, old_ids): Side, (new, new_ids): Side) -> String {
    let is_other = steps::are_others(old_ids, new_ids);
    let is_preset = presets::all().iter().any(|p| p.scenario == *new);
    if old.title != new.title || (is_other && is_preset) {
        return format!("opened \u{201c}{}\u{201d}", new.title);
    }
    if is_other {
        return format!("other tiers, {} of them", new.tiers.len());
    }
    let mut changes = of_the_rest(old, new);
    let (before, after) = ((&*old.tiers, old_ids), (&*new.tiers, new_ids));
    changes.extend(steps::rows(before, after, |tier| &tier.name, of_tier));
    let is_moved = old_ids.len() == new_ids.len() && old_ids != new_ids && changes.is_empty();
    if is_moved {
        return "moved a tier".to_owned();
    }
    // Tiers that come, go or change take the split along.
    if changes.is_empty() && old.split != new.split {
        return match &new.split {
            Some(split) => format!("split {}", split_words(split)),
            None => "split found again".to_owned(),
        };
    }
    steps::summed_up(changes)
}

/// `5 / 9 / 18`.
fn split_words(split: &[f64]) -> String {
    let parts: Vec<String> = split.iter().map(f64::to_string).collect();
    parts.join(" / ")
}

fn of_the_rest(old: &Scenario, new: &Scenario) -> Vec<String> {
    let mut changes = Vec::new();
    let model = match (old.model.dimensions(), new.model.dimensions()) {
        (Some(old), Some(new)) => old.changes(new),
        _ if old.model == new.model => Vec::new(),
        _ => vec!["blocks".to_owned()],
    };
    let (before, after) = (old.model.name(), new.model.name());
    match model.as_slice() {
        [] if before == after => {}
        [one] if after == before || after.starts_with("Custom") => {
            changes.push(format!("model {one}"));
        }
        _ => changes.push(format!("model {before} to {after}")),
    }
    changes.extend(old.changes(new));
    let cost = old.cost.changes(&new.cost);
    let is_profile = presets::PROFILES
        .iter()
        .any(|profile| profile.cost == new.cost);
    if cost.len() > 1 && is_profile {
        changes.push("another profile".to_owned());
    } else {
        changes.extend(cost);
        if old.cost.mode != new.cost.mode {
            changes.push("another cost of a block".to_owned());
        }
        changes.extend(steps::stored(old.cost.stored(), new.cost.stored()));
        if old.cost.blocks_only != new.cost.blocks_only {
            let way = if new.cost.blocks_only {
                "left out"
            } else {
                "counted"
            };
            changes.push(format!("embedding and head {way}"));
        }
    }
    changes.extend(old.link.changes(&new.link));
    if old.goal != new.goal {
        changes.push(format!("goal {} to {}", old.goal.name(), new.goal.name()));
    }
    if old.order != new.order {
        changes.push(
            match new.order {
                Order::Listed => "all tiers, in the order listed",
                Order::Skip => "tiers may be left out",
                Order::Any => "tiers in any order",
            }
            .to_owned(),
        );
    }
    if old.load != new.load {
        changes.push(of_load(old, new));
    }
    changes
}

fn of_load(old: &Scenario, new: &Scenario) -> String {
    let (old, new) = (&old.load, &new.load);
    match (&old.requests, &new.requests) {
        (
            Requests::Poisson {
                rate_per_s: before,
                count: had,
            },
            Requests::Poisson {
                rate_per_s: after,
                count: have,
            },
        ) => {
            if before != after {
                return number("rate_per_s", *before, *after);
            }
            if had != have {
                return number("count", *had, *have);
            }
        }
        (_, Requests::Trace(rows)) if old.requests != new.requests => {
            return format!("a trace of {} requests", rows.len());
        }
        _ if old.requests != new.requests => return "requests at random".to_owned(),
        _ => {}
    }
    if old.scheduler != new.scheduler {
        return match new.scheduler {
            Scheduler::Hypsched => "nodes chosen by HypSched-RT",
            Scheduler::RoundRobin => "nodes in round-robin order",
            Scheduler::Random => "nodes at random",
        }
        .to_owned();
    }
    let changed = old.changes(new).into_iter().next();
    changed.unwrap_or_else(|| "requests".to_owned())
}

fn of_tier(old: &Tier, new: &Tier) -> Vec<String> {
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
    if old.link != new.link {
        changes.push(match new.link {
            Some(_) => format!("own link of {name}"),
            None => format!("link of {name} shared again"),
        });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [u32; 3] = [0, 1, 2];

    fn words(change: impl FnOnce(&mut Scenario)) -> String {
        let (old, mut new) = (presets::paper(), presets::paper());
        change(&mut new);
        difference((&old, &IDS), (&new, &IDS))
    }

    #[test]
    fn one_change_is_named() {
        assert_eq!(words(|s| s.tiers[1].nodes = 4.0), "NX nodes 3 to 4");
        assert_eq!(
            words(|s| s.link.rate_mbit_s = 100.0),
            "link rate 1000 to 100 Mbit/s"
        );
        assert_eq!(
            words(|s| s.split = Some(vec![1.0, 1.0, 30.0])),
            "split 1 / 1 / 30"
        );
        assert_eq!(
            words(|s| s.cost.weights = super::super::Precision::Int4),
            "weights in int4"
        );
        assert_eq!(words(|s| s.load.batch = 4.0), "batch 1 to 4 passes");
        assert_eq!(words(|_| ()), "no change");
        let phi = presets::named("hyperion-phi")
            .expect("a preset")
            .scenario
            .model;
        assert_eq!(
            words(|s| s.model = phi),
            "model Llama-3-8B to Phi-3-medium-4k"
        );
    }

    #[test]
    fn tiers_come_and_go() {
        let old = presets::paper();
        let mut new = old.clone();
        new.tiers.pop();
        assert_eq!(difference((&old, &IDS), (&new, &IDS[..2])), "removed AGX");
        assert_eq!(difference((&new, &IDS[..2]), (&old, &IDS)), "added AGX");
        let other = presets::named("hyperion-two").expect("a preset").scenario;
        assert_eq!(
            difference((&old, &IDS), (&other, &[7, 8])),
            "opened \u{201c}Two tiers\u{201d}"
        );
    }
}
