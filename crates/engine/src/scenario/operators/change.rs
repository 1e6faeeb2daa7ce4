//! Names of undo steps of operator graphs: the change between two scenarios in a few words.

use super::{Board, Choice, Dims, Scenario, Split};
use crate::graph::{Objective, Weights, catalogue};
use crate::problem::partition::Link;
use crate::scenario::fields::NumberFields;
use crate::scenario::steps::{self, summed_up};

/// A scenario, and a number for each of its devices that stays with it through moves.
pub type Side<'a> = (&'a Scenario, &'a [u32]);

/// The difference in a few words: "limit 8 to 4.5 MiB", "GoogLeNet to ResNet50", "D3 time factor 0.8 to 0.5".
///
/// # Complexity
/// O(size of the graphs + devices²), for at most a dozen devices.
#[must_use]
pub fn difference((old, old_ids): Side<'_>, (new, new_ids): Side<'_>) -> String {
    if old.title != new.title {
        return format!("opened \u{201c}{}\u{201d}", new.title);
    }
    let mut changes = Vec::new();
    let (before, after) = (&old.split, &new.split);
    if steps::are_others(old_ids, new_ids) && before.devices != after.devices {
        changes.push(format!("other devices, {} of them", after.devices.len()));
    } else {
        let rows = ((&*before.devices, old_ids), (&*after.devices, new_ids));
        changes.extend(steps::rows(rows.0, rows.1, |board| &board.name, of_board));
        if changes.is_empty() && old_ids.len() == new_ids.len() && before.devices != after.devices {
            changes.push("moved a device".to_owned());
        }
    }
    changes.extend(of_split(before, after));
    if old.graph != new.graph {
        changes.push(match (&old.graph, &new.graph) {
            (Choice::Custom(before), Choice::Custom(after))
                if before.source.dims != after.source.dims =>
            {
                let dims = after.source.dims.iter();
                let dims = dims.map(|(name, length)| format!("{name} = {length}"));
                dims.collect::<Vec<_>>().join(", ")
            }
            _ => format!("graph to {}", name_of(new)),
        });
    }
    if old.objective != new.objective {
        let goal = match new.objective {
            Objective::Sum => "sum over steps",
            Objective::Peak => "peak",
            Objective::Table4 => "the paper\u{2019}s table",
        };
        changes.push(format!("order by {goal}"));
    }
    if old.weights != new.weights {
        let words = match new.weights {
            Weights::PerOperator => "weights only while their operator runs",
            Weights::Resident => "all weights resident",
        };
        changes.push(words.to_owned());
    }
    match (old.limit_mib, new.limit_mib) {
        (before, after) if before == after => {}
        (Some(_), Some(_)) => {}
        (None, Some(_)) => changes.push("a memory limit".to_owned()),
        (_, None) => changes.push("no memory limit".to_owned()),
    }
    changes.extend(old.changes(new));
    changes.extend(old.draws.changes(&new.draws));
    summed_up(changes)
}

/// Describes the changes of one device.
fn of_board(old: &Board, new: &Board) -> Vec<String> {
    if old.name != new.name {
        return vec![format!("{} renamed to {}", old.name, new.name)];
    }
    let mut changes = old.changes(new);
    match (old.limit_mib, new.limit_mib) {
        (before, after) if before == after => {}
        (Some(_), Some(_)) => {}
        (None, Some(mib)) => changes.push(format!("memory limit {mib} MiB")),
        (_, None) => changes.push("no memory limit".to_owned()),
    }
    let named = changes.into_iter();
    named
        .map(|change| format!("{} {change}", new.name))
        .collect()
}

/// Describes the changes besides devices.
fn of_split(old: &Split, new: &Split) -> Vec<String> {
    let mut changes = old.changes(new);
    if old.link != new.link {
        let words = match new.link {
            Link::Own => "a link for each device",
            Link::Shared => "one link for all devices",
        };
        changes.push(words.to_owned());
    }
    if old.dims != new.dims {
        let words = match new.dims {
            Dims::Free => "cuts free",
            Dims::Rule => "cuts by the paper\u{2019}s rule",
            Dims::Printed => "cuts by the rule as printed",
        };
        changes.push(words.to_owned());
    }
    changes.extend(old.profile.changes(&new.profile));
    if old.table != new.table {
        let words = match new.table {
            Some(_) => "times as measured",
            None => "times by the formula",
        };
        changes.push(words.to_owned());
    }
    if old.gemm_weights != new.gemm_weights {
        let way = if new.gemm_weights {
            "counted"
        } else {
            "left out"
        };
        changes.push(format!("weights of products {way}"));
    }
    changes.extend(old.search.changes(&new.search));
    match (old.search.patience, new.search.patience) {
        (before, after) if before == after => {}
        (Some(_), Some(_)) => {}
        (None, Some(after)) => changes.push(format!("generations without gain to {after}")),
        (_, None) => changes.push("the usual generations without gain".to_owned()),
    }
    if old.search.random_start != new.search.random_start {
        let words = match new.search.random_start {
            true => "random first plans",
            false => "known plans among the first",
        };
        changes.push(words.to_owned());
    }
    changes
}

fn name_of(scenario: &Scenario) -> String {
    match &scenario.graph {
        Choice::Preset(name) => {
            let known = catalogue::MODELS.iter().find(|model| model.name == name);
            known.map_or_else(|| name.clone(), |model| model.title.to_owned())
        }
        Choice::Custom(custom) if custom.source.file.is_empty() => custom.graph.name.clone(),
        Choice::Custom(custom) => custom.source.file.clone(),
        Choice::File(wanted) => wanted.source.file.clone(),
    }
}
