//! Names of machines as benchmarks and systems report them: the maker, the clock and other words that do not identify.

use super::{CatalogMachine, MachineClass};

/// Words that do not tell one machine from another.
const COMMON: &[&str] = &[
    "nvidia",
    "geforce",
    "amd",
    "intel",
    "apple",
    "radeon",
    "cpu",
    "gpu",
    "gen",
    "generation",
    "graphics",
    "processor",
    "with",
    "design",
    "edition",
    "workstation",
    "model",
    "b",
    "rev",
    "sxm",
    "hbm3",
];

/// The words that identify a machine, sorted, without capitals: `11th Gen Intel Core i5-1135G7 @ 2.40GHz (tigerlake)` is `core
/// i5-1135g7`, and so is `Core i5-1135G7`. Sizes of memory are left out unless they count. `None` where nothing is left that
/// identifies.
pub(super) fn identity(name: &str, has_size: bool) -> Option<String> {
    let lower = name.to_lowercase();
    let lower = lower
        .replace("-pcie-", " pcie ")
        .replace("-sxm2-", " sxm2 ");
    // A processor's built-in graphics, and its clock.
    let end = ["@", " with radeon", " w/"];
    let end = end.iter().filter_map(|mark| lower.find(mark)).min();
    let mut words: Vec<&str> = Vec::new();
    let mut cores = None;
    let mut is_inside = false;
    let split = |c: char| c.is_whitespace() || c == ',';
    for word in lower[..end.unwrap_or(lower.len())].split(split) {
        let begins = word.starts_with('(');
        is_inside |= begins;
        if is_inside {
            is_inside = !word.ends_with(')');
            continue;
        }
        let word = word.split('(').next().unwrap_or(word);
        let is_size = word.strip_suffix("gb").is_some_and(is_number);
        let is_count = word.strip_suffix("th").is_some_and(is_number);
        let is_revision = matches!(word, "1.0" | "1.1");
        // Intel's processors without graphics are as fast as those with.
        let word = match word.strip_suffix("kf") {
            Some(_) => word.trim_end_matches('f'),
            None => word,
        };
        if let Some(count) = word
            .rsplit('+')
            .next()
            .and_then(|last| last.strip_suffix("gpu"))
            && is_number(count)
        {
            cores = Some(format!("{count}-core"));
        } else if word.ends_with("-core") || word.ends_with("-cores") {
            cores = Some(word.to_owned());
        } else if !(word.is_empty() || is_count || is_revision || COMMON.contains(&word))
            && (has_size || !is_size)
        {
            words.push(word);
        }
    }
    // Of Apple's chips the product does not count, and the cores of the graphics do.
    let is_chip = |word: &&str| {
        word.strip_prefix('m')
            .is_some_and(|n| n.len() == 1 && is_number(n))
    };
    if let Some(at) = words.iter().position(is_chip) {
        words.drain(..at);
        words.extend(cores.as_deref());
    }
    // A short name may be anything without its maker.
    if words.len() == 1 && words[0].len() <= 3 && lower.contains("nvidia") {
        words.push("nvidia");
    }
    words.sort_unstable();
    (!words.is_empty()).then(|| words.join(" "))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The identities of a row of the catalogue: with the size of its memory, and without.
pub(super) fn of_machine(machine: &CatalogMachine) -> impl Iterator<Item = String> {
    let name = match machine.class {
        MachineClass::Mac => format!("{} {}", machine.name, machine.also),
        _ if machine.also.starts_with("NVIDIA") => format!("NVIDIA {}", machine.name),
        _ => machine.name.to_owned(),
    };
    [true, false]
        .into_iter()
        .filter_map(move |has_size| identity(&name, has_size))
}
