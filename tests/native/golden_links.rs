//! Links that were written once keep their meaning: each still opens as the scenario that it was, and the command line still
//! gives the answer that it gave.
//!
//! `tests/data/golden_links.json` has one a line: its name, the link, the scenario, and of each part of the answer of
//! `edgewise run --format json` the CRC-32; no answer where it takes long, or where a file is asked for. The links are frozen.
//! They are in other people's mails, so no test rewrites a line. What is new can be added, and nothing else:
//!
//! `EDGEWISE_ADD_LINKS=FILE cargo test --test native golden_links -- --ignored`, where each line of the file is a name, a tab
//! and a link or a scenario.
//!
//! A field of scenarios or answers that comes later is named in [`CAME_LATER`]. Where a number of an answer is meant to move,
//! the part is changed by hand in the lines that the test lists, and CHANGELOG.md says it under "Numbers changed".

use crate::cli::edgewise;
use engine::scenario::world::World;
use engine::scenario::{Any, Question, link};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const FILE: &str = include_str!("../data/golden_links.json");

/// Fields that the kept scenarios and answers cannot have yet, by path without places in lists: `devices[].off`.
const CAME_LATER: [&str; 0] = [];

/// What answers within this time is kept with its answer.
const SOON: Duration = Duration::from_secs(1);

/// A line of the file.
#[derive(Clone, Deserialize, Serialize)]
struct Kept {
    name: String,
    link: String,
    scenario: Value,
    answer: Option<BTreeMap<String, u32>>,
}

fn kept() -> Vec<Kept> {
    serde_json::from_str(FILE).expect("a list of links")
}

/// Every value of a document that holds no other, by its path.
fn leaves(document: &Value) -> BTreeMap<String, String> {
    fn walk(path: &str, value: &Value, all: &mut BTreeMap<String, String>) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (key, value) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    walk(&format!("{path}{dot}{key}"), value, all);
                }
            }
            Value::Array(values) if !values.is_empty() => {
                for (at, value) in values.iter().enumerate() {
                    walk(&format!("{path}[{at}]"), value, all);
                }
            }
            leaf => drop(all.insert(path.to_owned(), leaf.to_string())),
        }
    }
    let mut all = BTreeMap::new();
    walk("", document, &mut all);
    all.retain(|path, _| !came_later(path));
    all
}

/// Returns true if a path is that of a field that was added after the links were written, or is in one.
fn came_later(path: &str) -> bool {
    let mut plain = path.to_owned();
    plain.retain(|c| !c.is_ascii_digit());
    let within = |later: &&str| {
        let rest = plain.strip_prefix(*later);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    CAME_LATER.iter().any(within)
}

/// The answer of the command line to a link, part by part.
fn answered(link: &str) -> BTreeMap<String, u32> {
    let answer = edgewise(&["run", "-", "--format", "json"], link).json();
    let parts = answer.as_object().expect("an answer has parts");
    let parts = parts.iter().filter(|(part, _)| *part != "scenario");
    let sum = |(part, value): (&String, &Value)| {
        let leaves: Vec<String> = leaves(&serde_json::json!({ part: value }))
            .into_iter()
            .map(|(path, leaf)| format!("{path} {leaf}\n"))
            .collect();
        (!leaves.is_empty()).then(|| (part.clone(), crc32fast::hash(leaves.concat().as_bytes())))
    };
    parts.filter_map(sum).collect()
}

/// Where one map differs from what was kept, in words.
fn changes<T: PartialEq + std::fmt::Debug>(
    then: &BTreeMap<String, T>,
    now: &BTreeMap<String, T>,
) -> Vec<String> {
    let moved = then.iter().filter(|(key, was)| now.get(*key) != Some(was));
    let moved = moved.map(|(key, was)| format!("{key} was {was:?}, it is {:?}", now.get(key)));
    let new = now.keys().filter(|key| !then.contains_key(*key));
    moved
        .chain(new.map(|key| format!("{key} is new")))
        .collect()
}

/// Where a link no longer says what it said: a sentence each.
fn differences(kept: &Kept) -> Vec<String> {
    let name = &kept.name;
    let opened = match link::decode(&kept.link) {
        Ok(opened) => opened,
        Err(fault) => return vec![format!("{name} does not open: {fault}")],
    };
    let now: Value = serde_json::from_str(&opened.to_json()).expect("a scenario is JSON");
    let [mut then, mut now] = [&kept.scenario, &now].map(leaves);
    // The program writes the newest format, whatever it reads.
    for side in [&mut then, &mut now] {
        side.remove("format");
    }
    let mut found = changes(&then, &now);
    if let Some(answer) = &kept.answer {
        let parts = changes(answer, &answered(&kept.link)).into_iter();
        found.extend(parts.map(|part| format!("answer: {part}")));
    }
    found
        .into_iter()
        .map(|what| format!("{name}: {what}"))
        .collect()
}

#[test]
fn links_that_were_ever_written_open_and_are_answered_as_they_were() {
    let found: Vec<String> = kept().iter().flat_map(differences).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_link_that_says_something_else_is_found() {
    let all = kept();
    let paper = all.iter().find(|kept| kept.name == "csgo-paper");
    let paper = paper.expect("the first of the presets");
    assert_eq!(differences(paper), Vec::<String>::new());
    let with = |change: &dyn Fn(&mut Kept)| {
        let mut changed = paper.clone();
        change(&mut changed);
        differences(&changed)
    };
    // One bit of a number.
    let near = f64::from_bits(0.4_f64.to_bits() + 1);
    let found = with(&|kept| kept.scenario["devices"][0]["a"] = near.into());
    assert_eq!(
        found,
        ["csgo-paper: devices[0].a was \"0.4000000000000001\", it is Some(\"0.4\")"]
    );
    let found = with(&|kept| kept.scenario["memory"] = Value::Null);
    assert_eq!(found, ["csgo-paper: memory was \"null\", it is None"]);
    let found = with(&|kept| {
        let fields = kept.scenario.as_object_mut().expect("a scenario");
        fields.remove("relay");
    });
    assert_eq!(found, ["csgo-paper: relay is new"]);
    let found = with(&|kept| {
        let answer = kept.answer.as_mut().expect("it is answered at once");
        *answer.get_mut("T").expect("a plan") ^= 1;
    });
    assert!(
        found.len() == 1 && found[0].starts_with("csgo-paper: answer: T was "),
        "{found:?}"
    );
    let found = with(&|kept| kept.link.truncate(kept.link.len() - 1));
    assert!(
        found.len() == 1 && found[0].contains("does not open: "),
        "{found:?}"
    );
}

#[test]
fn every_format_every_preset_and_every_optional_part_was_kept() {
    let all = kept();
    let names: std::collections::BTreeSet<&str> = all.iter().map(|kept| &*kept.name).collect();
    assert_eq!(names.len(), all.len(), "each name once");
    let opening = |question: Question, format: u32| format!("#{}/{format}.", question.name());
    let cold = (1..=3).map(|format| opening(Question::ColdStart, format));
    let others = Question::ALL.into_iter().skip(1);
    for opening in cold.chain(others.map(|question| opening(question, 1))) {
        let links = all.iter().filter(|kept| kept.link.starts_with(&opening));
        let answered = links.filter(|kept| kept.answer.is_some()).count();
        assert!(answered >= 4, "{opening}: {answered} answered");
    }
    let listed = edgewise(&["presets", "--format", "json"], "").json();
    for preset in listed.as_array().expect("a list") {
        let name = preset["name"].as_str().expect("a name");
        assert!(names.contains(name), "{name}");
    }
    let mut paths: BTreeMap<String, usize> = BTreeMap::new();
    for kept in &all {
        let question = kept.scenario["question"].as_str().expect("a question");
        for (path, leaf) in leaves(&kept.scenario) {
            let mut path = format!("{question} {path}");
            path.retain(|c| !c.is_ascii_digit());
            if leaf != "null" {
                *paths.entry(path).or_default() += 1;
            }
        }
    }
    for part in OPTIONAL {
        let is_there = |path: &str| path.starts_with(part);
        assert!(paths.keys().any(|path| is_there(path)), "{part}");
    }
}

/// What a scenario may have besides, by question and path without digits.
const OPTIONAL: [&str; 38] = [
    "cold-start model.layers[].W",
    "cold-start model.blocks[].window",
    "cold-start model.blocks[].kv_bytes",
    "cold-start ranges.prompt_tokens",
    "cold-start ranges.channel.mu",
    "cold-start ranges.model.d_ff",
    "cold-start ranges.decode.answer_tokens",
    "cold-start devices[].ranges.r_mb_s",
    "cold-start devices[].ranges.link.mu",
    "cold-start devices[].bandwidth_gb_s",
    "cold-start devices[].link.mu",
    "cold-start devices[].link.B_mhz",
    "cold-start devices[].link.N_dbm_hz",
    "cold-start devices[].link.d_m",
    "cold-start devices[].link.zeta",
    "cold-start devices[].link.beta_db",
    "cold-start decode.least_tok_s",
    "cold-start memory.usable_pct",
    "cold-start memory.embedding_bytes",
    "cold-start memory.head_bytes",
    "head-placement recorded[][]",
    "head-placement links.own[][]",
    "head-placement background.bursty.busy[]",
    "dispatch server.first_token.measured.bins[][]",
    "dispatch server.first_token.bursty.burst_share",
    "dispatch prompts.measured.exact",
    "dispatch devices[].own_budget",
    "dispatch goal.mean_under",
    "tiers split[]",
    "tiers tiers[].link.rate_mbit_s",
    "tiers load.requests.trace[][]",
    "operators graph.custom.source.dims[][]",
    "operators graph.file.digest",
    "operators weights",
    "operators limit_mib",
    "operators split.table[][]",
    "operators split.search.patience",
    "operators split.search.random_start",
];

/// Writes anew what links say whose numbers were meant to move; the links themselves stay.
#[test]
#[ignore = "it writes: EDGEWISE_MOVED_LINKS names the links, separated by semicolons"]
fn moved_links_are_answered_anew() {
    let names = std::env::var("EDGEWISE_MOVED_LINKS").expect("EDGEWISE_MOVED_LINKS has names");
    let moved = |kept: Kept| {
        if !names.split(';').any(|name| name == kept.name) {
            return kept;
        }
        let opened = link::decode(&kept.link).expect("a link that was written opens");
        Kept {
            scenario: serde_json::from_str(&opened.to_json()).expect("a scenario is JSON"),
            answer: kept.answer.is_some().then(|| answered(&kept.link)),
            ..kept
        }
    };
    let lines: Vec<String> = kept()
        .into_iter()
        .map(|kept| serde_json::to_string(&moved(kept)).expect("plain data is JSON"))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden_links.json");
    std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n"))).expect("it can be written");
}

/// Adds links to the file; what is there stays as it is.
#[test]
#[ignore = "it writes: EDGEWISE_ADD_LINKS names the file whose links are added"]
fn links_are_added() {
    let source = std::env::var("EDGEWISE_ADD_LINKS").expect("EDGEWISE_ADD_LINKS names a file");
    let source = std::fs::read_to_string(source).expect("a file of names and links");
    let mut text = FILE.trim_end().trim_end_matches(']').trim_end().to_owned();
    let mut names: Vec<String> = kept().into_iter().map(|kept| kept.name).collect();
    for line in source.lines() {
        let (name, said) = line
            .split_once('\t')
            .expect("a name, a tab, a link or a scenario");
        assert!(!names.contains(&name.to_owned()), "{name} is kept already");
        names.push(name.to_owned());
        let link = match Any::from_json(said) {
            Ok(scenario) => link::encode(&World::of(&scenario)),
            Err(_) => said.to_owned(),
        };
        let opened = link::decode(&link).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let asks = matches!(&opened, Any::Operators(scenario) if scenario.is_empty());
        let began = Instant::now();
        let answer = (!asks).then(|| answered(&link));
        let line = serde_json::to_string(&Kept {
            name: name.to_owned(),
            scenario: serde_json::from_str(&opened.to_json()).expect("a scenario is JSON"),
            link,
            answer: answer.filter(|_| began.elapsed() < SOON),
        });
        let comma = if text.ends_with('}') { "," } else { "" };
        text.push_str(&format!("{comma}\n{}", line.expect("plain data is JSON")));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden_links.json");
    std::fs::write(path, text + "\n]\n").expect("the file can be written");
}
