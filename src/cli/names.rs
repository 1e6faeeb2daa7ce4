//! Machines, models, links and formats by the words that people type: the one that is meant, or those that may be.

use engine::hardware::machines::{self, CatalogMachine};
use engine::model::catalog::{CatalogModel, MODELS};
use engine::model::precision::Precision;
use engine::network::links::{KnownLink, LINKS};
use engine::problem::{Code, Invalid};
use engine::scenario::catalogue;
use engine::scenario::world::FactOrigin;

/// How many candidates a message lists.
const MOST_LISTED: usize = 8;
/// Names that are less alike than this are no candidates for a misspelt one.
const LEAST_ALIKE: f64 = 0.75;

/// The machine of the catalogue with this name, else the only one that has these words in its own name, else the one that
/// benchmarks report so.
///
/// # Errors
/// None, or several: then the candidates.
pub fn machine(words: &str) -> Result<&'static CatalogMachine, Invalid> {
    if let Some(machine) = machines::find(words) {
        return Ok(machine);
    }
    let has_name = |machine: &&CatalogMachine| holds_all(machine.name, words);
    let mut found: Vec<_> = machines::all().filter(has_name).collect();
    // `a100` is a word of "A100 80GB", and only a part of one of "RTX A1000".
    let is_whole = |machine: &&CatalogMachine| {
        let parts = || machine.name.split(|c: char| !c.is_alphanumeric());
        let mut words = words.split_whitespace();
        words.all(|word| parts().any(|part| part.eq_ignore_ascii_case(word)))
    };
    if found.iter().any(is_whole) {
        found.retain(is_whole);
    }
    match machines::named(words) {
        Some(machine) if found.is_empty() => Ok(machine),
        _ => {
            let names = || machines::all().map(|machine| machine.name);
            only("--machine", words, found, |machine| machine.name, names)
        }
    }
}

/// The machines with these words in their rows, best first, in the order of the catalogue.
pub fn matching_machines(words: &str) -> Vec<&'static CatalogMachine> {
    let mut found: Vec<_> = machines::all()
        .filter_map(|machine| {
            let row = catalogue::machines::row(machine);
            row.matches(words).then(|| (row.rank(words), machine))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, machine)| machine).collect()
}

/// The model of the catalogue with this name, else the only one with these words in its name.
///
/// # Errors
/// None, or several: then the candidates.
pub fn model(words: &str) -> Result<&'static CatalogModel, Invalid> {
    let is_named = |entry: &&CatalogModel| entry.name.eq_ignore_ascii_case(words.trim());
    if let Some(entry) = MODELS.iter().find(is_named) {
        return Ok(entry);
    }
    if let Some((_, name)) = repository(words) {
        return published_as(name).ok_or_else(|| {
            let message = format!(
                "{words} is not in the catalogue; its sizes are in https://huggingface.co/{words}/resolve/main/config.json: download that file and give \
                 it to --model, or the folder of the whole model"
            );
            Invalid::new(Code::Range, "--model", words, message)
        });
    }
    let names = || MODELS.iter().map(|entry| entry.name);
    only(
        "--model",
        words,
        matching_models(words),
        |entry| entry.name,
        names,
    )
}

/// Owner and name of a repository of models, as `Qwen/Qwen3-8B`.
fn repository(words: &str) -> Option<(&str, &str)> {
    let is_name = |name: &str| {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !name.is_empty() && !name.starts_with('.') && name.chars().all(is_sign)
    };
    let (owner, name) = words.trim().split_once('/')?;
    (is_name(owner) && is_name(name)).then_some((owner, name))
}

/// The row of a repository: models that were trained further have the sizes of what they were trained from.
fn published_as(name: &str) -> Option<&'static CatalogModel> {
    let name = name.strip_prefix("Meta-").unwrap_or(name);
    let trained = ["-Instruct", "-instruct", "-Base", "-Chat", "-it"];
    let plain = trained.iter().find_map(|end| name.strip_suffix(end));
    let is_named = |entry: &&CatalogModel| {
        let is = |name: &str| entry.name.eq_ignore_ascii_case(name);
        is(name) || plain.is_some_and(is)
    };
    MODELS.iter().find(is_named)
}

/// The models with these words in their name.
pub fn matching_models(words: &str) -> Vec<&'static CatalogModel> {
    let models = MODELS.iter();
    models
        .filter(|entry| holds_all(entry.name, words))
        .collect()
}

/// A rate and a latency, and where they are from.
pub struct Link {
    /// Throughput [Mbit/s].
    pub mbit_s: f64,
    /// Time on the way, one direction [ms]; `None` if nothing is said of it.
    pub latency_ms: Option<f64>,
    /// Where both are from.
    pub origin: FactOrigin,
}

impl From<&KnownLink> for Link {
    fn from(link: &KnownLink) -> Self {
        Self {
            mbit_s: link.rate.value,
            latency_ms: Some(link.latency.value),
            origin: FactOrigin::Catalogue(format!(
                "{}: {}",
                link.name,
                link.rate.origin.description()
            )),
        }
    }
}

/// A link of the catalogue by its words, or `MBIT` or `MBIT,MS`.
///
/// # Errors
/// No such link, or several: then the candidates.
pub fn link(text: &str) -> Result<Link, Invalid> {
    let mut numbers = text.split(',').map(|part| part.trim().parse::<f64>());
    if let Some(Ok(mbit_s)) = numbers.next() {
        let latency_ms = numbers.next().transpose();
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        return match (latency_ms, numbers.next()) {
            (Ok(latency_ms), None)
                if is_positive(mbit_s)
                    && latency_ms.is_none_or(|ms| ms.is_finite() && ms >= 0.0) =>
            {
                Ok(Link {
                    mbit_s,
                    latency_ms,
                    origin: FactOrigin::Given,
                })
            }
            _ => {
                let allowed =
                    "MBIT or MBIT,MS: a rate above 0 [Mbit/s], and a latency of 0 or more [ms]";
                Err(Invalid::range("--link", text, allowed))
            }
        };
    }
    let words = link_words(text);
    let found = LINKS
        .iter()
        .filter(|link| holds_all(&link.name.to_lowercase(), &words));
    let names = || LINKS.iter().map(|link| link.name);
    only("--link", text, found.collect(), |link| link.name, names).map(Link::from)
}

/// Other words for links as the catalogue has them.
fn link_words(text: &str) -> String {
    let text = text
        .to_lowercase()
        .replace("wifi", "wi-fi")
        .replace("gigabit", "gbit/s");
    let mut words: Vec<String> = Vec::new();
    for word in text.split([' ', '-']).filter(|word| !word.is_empty()) {
        match word.strip_suffix("gbe") {
            Some(rate) => words.push(format!(
                "ethernet {} gbit/s",
                if rate.is_empty() { "1" } else { rate }
            )),
            None => words.push(word.to_owned()),
        }
    }
    // A rate without a number is one of these.
    if let Some(at) = words.iter().position(|word| word == "gbit/s") {
        let has_number = at > 0 && words[at - 1].parse::<f64>().is_ok();
        if !has_number {
            words.insert(at, "1".to_owned());
        }
    }
    words.join(" ").replace("wi fi", "wi-fi")
}

/// The format of weights or caches with this name. Ignores case.
pub fn precision(text: &str) -> Option<Precision> {
    let mut all = Precision::ALL.into_iter();
    all.find(|one| one.name().eq_ignore_ascii_case(text.trim()))
}

/// The names of all formats.
pub fn precisions() -> String {
    Precision::ALL.map(Precision::name).join(", ")
}

/// Returns true if every word is a part of the name; a number has to be a whole word of it. Ignores case.
fn holds_all(name: &str, words: &str) -> bool {
    let name = name.to_lowercase();
    let words = words.to_lowercase();
    let own: Vec<&str> = name
        .split([' ', ',', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    let holds = |word: &str| match word.parse::<f64>() {
        // A number is a word: 1 is not in 100.
        Ok(_) => own.contains(&word),
        Err(_) => name.contains(word),
    };
    words
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .all(holds)
}

/// The only one of those that were found.
fn only<T: Copy, N: Iterator<Item = &'static str>>(
    option: &str,
    words: &str,
    found: Vec<T>,
    name: impl Fn(T) -> &'static str,
    all: impl Fn() -> N,
) -> Result<T, Invalid> {
    let shown: String = words.chars().take(60).collect();
    let message = match &found[..] {
        [one] => return Ok(*one),
        [] => {
            let near = nearest("the nearest are", words, all());
            format!("{option}: nothing in the catalogue is called {shown:?}{near}")
        }
        several => {
            let names: Vec<&str> = several
                .iter()
                .take(MOST_LISTED)
                .map(|one| name(*one))
                .collect();
            let more = match several.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "{option}: {shown:?} may be one of {}: {}{more}",
                several.len(),
                names.join("; ")
            )
        }
    };
    Err(Invalid::new(Code::Option, option, shown, message))
}

/// The names that are most like a misspelt one, best first, as the end of a message; empty if none is like it.
pub fn nearest(begin: &str, words: &str, all: impl Iterator<Item = &'static str>) -> String {
    let words = words.to_lowercase();
    let mut alike: Vec<(f64, &str)> = all
        .map(|name| (strsim::jaro_winkler(&words, &name.to_lowercase()), name))
        .filter(|(alike, _)| *alike >= LEAST_ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    let names: Vec<&str> = alike.into_iter().take(3).map(|(_, name)| name).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; {begin} {}", names.join(", ")),
    }
}
