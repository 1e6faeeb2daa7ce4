//! Names of undo steps of head placement: the change between two scenarios in a few words.

use super::{HeadDevice, Scenario, presets};
use crate::scenario::fields::NumberFields;
use crate::scenario::steps::{self, number};
use crate::sim::Background;

/// A scenario, and a number for each of its devices that stays with it through moves.
pub type Side<'a> = (&'a Scenario, &'a [u32]);

/// The difference in a few words: "D3 compute 20.4 to 24 Gop/s", "answer 1000 to 200 tokens".
///
/// # Complexity
/// O(devices² + pairs).
#[must_use]
pub fn difference((old, old_ids): Side, (new, new_ids): Side) -> String {
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
    // Devices that come, go or move take their links and the controller's place along.
    if old_ids == new_ids {
        if old.controller != new.controller {
            let name = new.devices.get(new.controller).map(|d| d.name.as_str());
            changes.push(format!("{} is the controller", name.unwrap_or_default()));
        }
        changes.extend(of_links(old, new));
    }
    steps::summed_up(changes)
}

fn of_the_rest(old: &Scenario, new: &Scenario) -> Vec<String> {
    let mut changes = Vec::new();
    let model = old.model.changes(&new.model);
    match model.as_slice() {
        [] if old.model.name == new.model.name => {
            changes.extend(steps::stored(old.model.stored(), new.model.stored()));
        }
        [one] => changes.push(format!("layer {one}")),
        _ => changes.push(format!("layer {} to {}", old.model.name, new.model.name)),
    }
    changes.extend(old.changes(new));
    changes.extend(old.draws.changes(&new.draws));
    if old.demands != new.demands {
        changes.push(
            match new.demands {
                presets::TABLE_1 => "demands by Table I",
                presets::PHYSICAL => "physical demands",
                _ => "different demands",
            }
            .to_owned(),
        );
    }
    if old.recorded != new.recorded {
        changes.push(match &new.recorded {
            Some(rows) => format!("a record of {} rows", rows.len()),
            None => "background redrawn".to_owned(),
        });
    }
    if old.background != new.background {
        changes.push(match (old.background, new.background) {
            (Background::Independent { most: before }, Background::Independent { most: after }) => {
                number("most", before, after)
            }
            (_, Background::Quiet) => "no background".to_owned(),
            (_, Background::Independent { .. }) => "background new for every interval".to_owned(),
            (_, Background::Bursty(_)) => "background in bursts".to_owned(),
        });
    }
    if old.draws.networks != new.draws.networks {
        changes.push(if new.draws.networks {
            "devices drawn again for every run".to_owned()
        } else {
            "these devices in every run".to_owned()
        });
    }
    changes
}

fn of_links(old: &Scenario, new: &Scenario) -> Vec<String> {
    if old.links == new.links {
        return Vec::new();
    }
    if old.links.own == new.links.own {
        return old.links.changes(&new.links);
    }
    let name = |at: usize| new.devices.get(at).map_or("?", |d| d.name.as_str());
    let other = |own: &&super::OwnRate| !old.links.own.contains(own);
    let gone = |own: &&super::OwnRate| !new.links.own.contains(own);
    let came: Vec<_> = new.links.own.iter().filter(other).collect();
    let went: Vec<_> = old.links.own.iter().filter(gone).collect();
    let one = came.first().or(went.first());
    match (one, came.len().max(went.len())) {
        (Some(own), 1) => vec![format!("link {} to {}", name(own.from), name(own.to))],
        _ => vec!["links".to_owned()],
    }
}

fn of_device(old: &HeadDevice, new: &HeadDevice) -> Vec<String> {
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
    changes
}
