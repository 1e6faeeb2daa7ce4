//! What changed between two scenarios of the operator-graph question, in a few words: the names of the steps that can be
//! taken back.

use super::{Choice, Scenario};
use crate::graph::{Objective, catalogue};
use crate::scenario::steps::{number, numbers, summed_up};

/// The difference in a few words: "limit 8 to 4.5 MiB", "GoogLeNet to ResNet50".
///
/// # Complexity
/// O(size of the graphs).
#[must_use]
pub fn difference(old: &Scenario, new: &Scenario) -> String {
    if old.title != new.title {
        return format!("opened \u{201c}{}\u{201d}", new.title);
    }
    let mut changes = Vec::new();
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
    match (old.limit_mib, new.limit_mib) {
        (before, after) if before == after => {}
        (Some(before), Some(after)) => changes.push(number("limit_mib", before, after)),
        (None, Some(_)) => changes.push("a memory limit".to_owned()),
        (_, None) => changes.push("no memory limit".to_owned()),
    }
    let own = |s: &Scenario| {
        [
            ("orders", s.draws.orders),
            ("first_seed", s.draws.first_seed),
            ("align_bytes", s.align_bytes),
        ]
    };
    changes.extend(numbers(&own(old), &own(new)));
    summed_up(changes)
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
