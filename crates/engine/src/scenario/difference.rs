//! Names of undo steps: the change between two scenarios in a few words.

use super::fields::{self, NumberFields};
use super::steps;
use super::{
    ChannelPart, Decode, Device, FileAccess, Goal, Loading, Memory, Model, Ranges, Scenario,
    WeightSource, presets,
};
use crate::network::Relay;

/// A scenario, and a number for each of its devices that stays with it through moves.
pub type Side<'a> = (&'a Scenario, &'a [u32]);

/// One change: the device it is about, if one, and the change in words.
struct Change<'a> {
    device: Option<&'a str>,
    description: String,
}

/// The difference in a few words: "D1 memory 24 to 20 GB", "added D5", "moved D2 to position 4", "3 changes to D1".
///
/// # Complexity
/// O(devices²), for at most 64 devices.
#[must_use]
pub fn difference(before: Side, after: Side) -> String {
    let ((old, old_ids), (new, new_ids)) = (before, after);
    // A fleet may be empty for a while; that is no other scenario.
    let replaced = !old_ids.is_empty()
        && !new_ids.is_empty()
        && !new_ids.iter().any(|id| old_ids.contains(id));
    let is_preset = || presets::all().iter().any(|p| p.scenario == *new);
    let rest = of_the_rest(old, new);
    if replaced && old.title == new.title && rest.is_empty() && !is_preset() {
        return format!("another fleet, {} devices", new.devices.len());
    }
    if old.title != new.title || replaced {
        return format!("opened \u{201c}{}\u{201d}", new.title);
    }
    let mut changes: Vec<Change> = rest
        .into_iter()
        .map(|words| Change {
            device: None,
            description: words,
        })
        .collect();
    let mut added = Vec::new();
    for (id, device) in new_ids.iter().zip(&new.devices) {
        match old_ids.iter().position(|other| other == id) {
            Some(at) => {
                let words = of_device(&old.devices[at], device);
                changes.extend(words.into_iter().map(|words| Change {
                    device: Some(&device.name),
                    description: words,
                }));
            }
            None => added.push(device.name.as_str()),
        }
    }
    let gone = old_ids.iter().zip(&old.devices);
    let gone: Vec<&str> = gone
        .filter(|(id, _)| !new_ids.contains(id))
        .map(|(_, device)| device.name.as_str())
        .collect();
    for (verb, names) in [("added", added), ("removed", gone)] {
        let words = match names.as_slice() {
            [] => continue,
            [name] => format!("{verb} {name}"),
            names => format!("{verb} {} devices", names.len()),
        };
        changes.push(Change {
            device: None,
            description: words,
        });
    }
    if let Some(at) = moved(old_ids, new_ids) {
        changes.push(Change {
            device: None,
            description: format!("moved {} to position {}", new.devices[at].name, at + 1),
        });
    }
    // It comes along with devices and models that the user imports; then those name the step.
    if changes.is_empty() {
        let words = of_memory(old.memory, new.memory).into_iter();
        changes.extend(words.map(|words| Change {
            device: None,
            description: words,
        }));
    }
    match changes.as_mut_slice() {
        [] => "no change".to_owned(),
        [change] => std::mem::take(&mut change.description),
        [first, rest @ ..] => {
            let count = rest.len() + 1;
            match first.device {
                Some(name) if rest.iter().all(|change| change.device == first.device) => {
                    format!("{count} changes to {name}")
                }
                _ => format!("{count} changes"),
            }
        }
    }
}

/// The place to which one device was moved, when both lists hold the same devices in another order.
fn moved(old: &[u32], new: &[u32]) -> Option<usize> {
    let same = old.len() == new.len() && new.iter().all(|id| old.contains(id));
    if !same || old == new {
        return None;
    }
    let without = |ids: &[u32], id: u32| -> Vec<u32> {
        ids.iter().copied().filter(|other| *other != id).collect()
    };
    // Two neighbours that change places: either one moved; the first that explains it all is named.
    let explains = |id: &u32| without(old, *id) == without(new, *id);
    let place = new.iter().position(explains);
    Some(place.unwrap_or_default())
}

/// Changes to everything but the devices.
fn of_the_rest(old: &Scenario, new: &Scenario) -> Vec<String> {
    let mut changes = of_model(&old.model, &new.model);
    changes.extend(old.changes(new));
    let channel = old.channel.changes(&new.channel).into_iter();
    changes.extend(channel.map(|change| format!("Wi-Fi {change}")));
    if old.relay != new.relay {
        let words = match new.relay {
            Relay::SlowerHop => "the slower hop decides",
            Relay::StoreAndForward => "stores, then forwards",
        };
        changes.push(format!("access point: {words}"));
    }
    if old.heuristic != new.heuristic {
        let (old, new) = (old.heuristic.description(), new.heuristic.description());
        changes.push(format!("heuristic\u{2019}s scale {old} to {new}"));
    }
    changes.extend(of_decode(old.decode, new.decode));
    changes.extend(of_loading(old, new));
    changes.extend(of_spans("", &old.ranges, &new.ranges));
    changes
}

/// Changes to what follows the first answer.
fn of_decode(old: Option<Decode>, new: Option<Decode>) -> Vec<String> {
    let (old, new) = match (old, new) {
        (None, None) => return Vec::new(),
        (None, Some(_)) => return vec!["the tokens after the first answer count too".to_owned()],
        (Some(_), None) => return vec!["only the first answer counts".to_owned()],
        (Some(old), Some(new)) => (old, new),
    };
    let mut changes = old.changes(&new);
    if old.goal != new.goal {
        let goal = match new.goal {
            Goal::FirstAnswer => "the first answer",
            Goal::WholeAnswer => "the whole answer",
            Goal::Throughput => "a steady rate",
        };
        changes.push(format!("goal: {goal}"));
    }
    changes
}

/// Changes to what counts as memory.
fn of_memory(old: Option<Memory>, new: Option<Memory>) -> Vec<String> {
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(_)) => vec!["memory as it is when the plan runs".to_owned()],
        (Some(_), None) => vec!["memory by the paper\u{2019}s rule".to_owned()],
        (Some(old), Some(new)) => old.changes(&new),
    }
}

/// Changes to how weights arrive.
fn of_loading(old: &Scenario, new: &Scenario) -> Vec<String> {
    let host = new.loading_host();
    let host = host.map_or("another machine", |device| device.name.as_str());
    let paper = Loading::of(WeightSource::Disk);
    let [old, new] = [old, new].map(|one| one.loading.as_ref().unwrap_or(&paper));
    let mut changes = old.changes(new);
    if (old.from, old.host) != (new.from, new.host) {
        changes.push(match new.from {
            WeightSource::Disk => "weights from own disks".to_owned(),
            WeightSource::Host => format!("weights from {host} over the network"),
            WeightSource::HostCache => format!("weights from caches of what {host} sent"),
            WeightSource::Memory => "weights already in memory".to_owned(),
        });
    }
    if old.access != new.access {
        let words = match new.access {
            FileAccess::Read => "files read ahead",
            FileAccess::Mmap => "files mapped into memory",
        };
        changes.push(words.to_owned());
    }
    if old.streams != new.streams {
        let words = match new.streams {
            true => "weights may exceed memory",
            false => "weights have to fit memory",
        };
        changes.push(words.to_owned());
    }
    changes
}

/// Changes to ranges of inputs; `owner` is empty or a name with a space behind it.
fn of_spans(owner: &str, old: &Ranges, new: &Ranges) -> Vec<String> {
    let noun = |key: &str| {
        let field = key.rsplit('.').next().unwrap_or(key);
        format!("{owner}{}", fields::noun(field))
    };
    let gone = old.keys().filter(|key| !new.contains_key(*key));
    let gone = gone.map(|key| format!("{} without a range", noun(key)));
    let put = new.iter().filter(|(key, span)| old.get(*key) != Some(span));
    let put = put.map(|(key, span)| format!("{} {} to {}", noun(key), span.low, span.high));
    gone.chain(put).collect()
}

/// A model is another one, or one of its dimensions is.
fn of_model(old: &Model, new: &Model) -> Vec<String> {
    if old == new {
        return Vec::new();
    }
    let changed = match (old.dimensions(), new.dimensions()) {
        (Some(old), Some(new)) => old.changes(new),
        _ => Vec::new(),
    };
    let stored = match (old.dimensions(), new.dimensions()) {
        (Some(old), Some(new)) => steps::stored(old.stored(), new.stored()),
        _ => Vec::new(),
    };
    // A dimension changed by hand takes the name of the published model away; that is one change.
    match changed.as_slice() {
        [change] => vec![format!("model {change}")],
        [] if old.name() == new.name() && !stored.is_empty() => stored,
        [] if old.name() == new.name() => vec![format!("layers of {}", new.name())],
        _ if old.name() == new.name() => vec![format!("dimensions of {}", new.name())],
        _ => vec![format!("model {} to {}", old.name(), new.name())],
    }
}

/// Changes to one device, each with its name.
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
    let numbers = old.changes(new).into_iter();
    changes.extend(numbers.map(|change| format!("{name} {change}")));
    let came_or_went = Device::NUMBERS.iter().filter_map(|number| {
        let (noun, unit) = (number.field.noun, number.field.unit);
        match ((number.get)(old), (number.get)(new)) {
            (None, Some(new)) => Some(format!("{name} {noun} {new} {unit}")),
            (Some(_), None) => Some(format!("{name} {noun} unknown")),
            _ => None,
        }
    });
    changes.extend(came_or_went);
    changes.extend(of_spans(&format!("{name} "), &old.ranges, &new.ranges));
    let (before, after) = (old.link.unwrap_or_default(), new.link.unwrap_or_default());
    changes.extend(ChannelPart::NUMBERS.iter().filter_map(|number| {
        let (noun, unit) = (number.field.noun, number.field.unit);
        match ((number.get)(&before), (number.get)(&after)) {
            (None, Some(new)) => Some(format!("{name} own {noun} {new} {unit}").trim_end().into()),
            (Some(_), None) => Some(format!("{name} {noun} shared again")),
            (Some(old), Some(new)) if old != new => {
                Some(format!("{name} own {}", number.field.change(old, new)))
            }
            _ => None,
        }
    }));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::HeuristicReading;
    use crate::scenario::presets::{all, paper};

    const IDS: [u32; 4] = [0, 1, 2, 3];

    /// The words for a change to the paper's scenario that leaves its devices where they are.
    fn description(change: impl FnOnce(&mut Scenario)) -> String {
        let mut new = paper();
        change(&mut new);
        difference((&paper(), &IDS), (&new, &IDS))
    }

    #[test]
    fn one_number_is_named_with_both_values() {
        assert_eq!(
            description(|s| s.devices[0].m_gb = 24.0),
            "D1 memory 20 to 24 GB"
        );
        assert_eq!(
            description(|s| s.prompt_tokens = 512.0),
            "prompt 256 to 512 tokens"
        );
        assert_eq!(
            description(|s| s.channel.B_mhz = 80.0),
            "Wi-Fi bandwidth 160 to 80 MHz"
        );
        assert_eq!(
            description(|s| s.channel.mu = 0.25),
            "Wi-Fi efficiency 0.5 to 0.25"
        );
        assert_eq!(
            description(|s| s.devices[1].name = "NAS".into()),
            "renamed D2 to NAS"
        );
        assert_eq!(description(|s| s.devices[1].off = true), "switched D2 off");
        assert_eq!(description(|_| ()), "no change");
    }

    #[test]
    fn choices_are_named() {
        assert_eq!(
            description(|s| s.relay = Relay::StoreAndForward),
            "access point: stores, then forwards"
        );
        assert_eq!(
            description(|s| s.heuristic = HeuristicReading::ALL[1]),
            "heuristic\u{2019}s scale layers per second to layers per second, peak compute"
        );
        let too_big = all().remove(2).scenario.model;
        assert_eq!(
            description(|s| s.model = too_big),
            "model Qwen3-14B to Qwen3-32B"
        );
        assert_eq!(
            description(|s| {
                s.model.rename("Custom model".into());
                if let Some(dims) = s.model.dimensions_mut() {
                    dims.layers = 36.0;
                }
            }),
            "model layers 40 to 36"
        );
    }

    #[test]
    fn own_values_of_a_link_come_and_go() {
        let own = |mhz| {
            Some(ChannelPart {
                B_mhz: Some(mhz),
                ..ChannelPart::default()
            })
        };
        assert_eq!(
            description(|s| s.devices[2].link = own(80.0)),
            "D3 own bandwidth 80 MHz"
        );
        let (mut old, mut new) = (paper(), paper());
        old.devices[2].link = own(80.0);
        assert_eq!(
            difference((&old, &IDS), (&new, &IDS)),
            "D3 bandwidth shared again"
        );
        new.devices[2].link = own(40.0);
        assert_eq!(
            difference((&old, &IDS), (&new, &IDS)),
            "D3 own bandwidth 80 to 40 MHz"
        );
    }

    #[test]
    fn several_changes_are_counted() {
        assert_eq!(
            description(|s| {
                s.devices[1].m_gb = 1.0;
                s.devices[1].d_m = 9.0;
            }),
            "2 changes to D2"
        );
        assert_eq!(
            description(|s| {
                s.devices[1].m_gb = 1.0;
                s.prompt_tokens = 1.0;
            }),
            "2 changes"
        );
    }

    #[test]
    fn devices_come_go_and_move() {
        let paper = paper();
        let mut more = paper.clone();
        more.devices.insert(
            1,
            Device {
                name: "D5".into(),
                ..paper.devices[0].clone()
            },
        );
        let five = [0, 9, 1, 2, 3];
        assert_eq!(difference((&paper, &IDS), (&more, &five)), "added D5");
        assert_eq!(difference((&more, &five), (&paper, &IDS)), "removed D5");
        let mut turned = paper.clone();
        turned.devices.rotate_left(1);
        assert_eq!(
            difference((&paper, &IDS), (&turned, &[1, 2, 3, 0])),
            "moved D1 to position 4"
        );
        let mut fewer = paper.clone();
        fewer.devices.truncate(2);
        assert_eq!(
            difference((&paper, &IDS), (&fewer, &[0, 1])),
            "removed 2 devices"
        );
        fewer.devices.truncate(1);
        let mut none = paper.clone();
        none.devices.clear();
        assert_eq!(difference((&fewer, &[0]), (&none, &[])), "removed D1");
        assert_eq!(difference((&none, &[]), (&fewer, &[4])), "added D1");
    }

    #[test]
    fn another_scenario_is_opened() {
        let paper = paper();
        let long = all().remove(1).scenario;
        assert_eq!(
            difference((&paper, &IDS), (&long, &[7, 8, 9, 10])),
            "opened \u{201c}The paper's four devices, long prompt\u{201d}"
        );
        // The same title, but none of the devices that were there.
        assert_eq!(
            difference((&paper, &IDS), (&paper, &[7, 8, 9, 10])),
            "opened \u{201c}The paper's four devices\u{201d}"
        );
        let mut pasted = paper.clone();
        pasted.devices.truncate(3);
        assert_eq!(
            difference((&paper, &IDS), (&pasted, &[7, 8, 9])),
            "another fleet, 3 devices"
        );
    }
}
