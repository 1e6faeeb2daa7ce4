//! The house rules, checked by a program: arrows between rooms point one way, every file says what it is for,
//! the browser stays in the page and the machine in the command line.
//!
//! The checker is a function from files to faults, so that planted faults show that it can find some.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The rooms from the ground up: a room uses only rooms before it.
const FLOORS: [&str; 18] = [
    "units", "model", "hardware", "network", "problem", "graph", "sim", "plan", "scenario",
    "evaluate", "solve", "pool", "methods", "job", "report", "plot", "ui", "cli",
];

/// The longest file that one still reads as a whole.
const MOST_LINES: usize = 800;

/// Words that may stand only in some places.
const PLACES: &[(&[&str], &[&str], &str)] = &[
    (
        &["web_sys", "js_sys", "leptos", "gloo", "wasm_bindgen"],
        &["src/ui/", "src/bin/app.rs", "src/bin/worker.rs"],
        "only the page knows the browser",
    ),
    (
        &["clap", "std::fs", "std::env"],
        &["src/cli/"],
        "only the command line knows the machine",
    ),
    (
        &["std::process"],
        &["src/cli/", "src/bin/edgewise.rs"],
        "only the command line knows the machine",
    ),
    (
        &["cfg(target_arch", "cfg(not(target_arch"],
        &["src/lib.rs", "src/ui/", "src/bin/"],
        "the core is the same everywhere",
    ),
    (
        &["Instant", "SystemTime"],
        &["src/cli/"],
        "only the command line has a clock",
    ),
    (
        &["HashMap", "HashSet"],
        &["src/ui/"],
        "their order changes from run to run",
    ),
    (
        &[".unwrap()"],
        &[],
        "say with expect why it holds, or return the fault",
    ),
    (
        &["super::super"],
        &[],
        "name the room: crate::room, so that arrows can be read",
    ),
];

/// A source file: its path from the root with slashes, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// `src/methods/cold_start/dp.rs` stands in `["methods", "cold_start"]`, `src/lib.rs` in no room.
    fn room(&self) -> Vec<&str> {
        let inside = self.path.strip_prefix("src/").unwrap_or_default();
        let mut parts: Vec<&str> = inside.split('/').collect();
        parts.pop();
        if parts.first() == Some(&"bin") {
            parts.clear();
        }
        parts
    }

    /// Whether all of it is tests: a `tests` folder or file beside the code.
    fn is_test(&self) -> bool {
        !self.path.starts_with("src/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
    }

    /// Numbered lines of code: without comments, without the declaration of a test module in another file,
    /// and without the test module at the end.
    fn code(&self) -> Vec<(usize, &str)> {
        let mut lines = (1..).zip(self.text.lines()).peekable();
        let mut code = Vec::new();
        while let Some((number, line)) = lines.next() {
            if line == TESTS_ONLY {
                if lines.next_if(|(_, next)| *next == "mod tests;").is_some() {
                    continue;
                }
                break;
            }
            if !line.trim_start().starts_with("//") {
                code.push((number, line));
            }
        }
        code
    }
}

/// What stands above a test module.
const TESTS_ONLY: &str = "#[cfg(test)]";

/// Every rule that one file can break.
fn faults_of(file: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    let path = &file.path;
    if !file.text.starts_with("//! ") {
        faults.push(format!("{path}: opens without saying what it is for"));
    }
    let lines = file.text.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{path}: {lines} lines, {MOST_LINES} are readable"));
    }
    if file.is_test() {
        return faults;
    }
    faults.extend(test_code_before_the_end(file));
    let here = file.room();
    if let Some(room) = here.first()
        && !FLOORS.contains(room)
    {
        faults.push(format!("{path}: the room {room} is not on the plan"));
    }
    for (number, line) in file.code() {
        for used in line.split("crate::").skip(1) {
            if let Some(why) = forbidden_use(&here, used) {
                faults.push(format!("{path}:{number}: {why}: {}", line.trim()));
            }
        }
        for (words, places, why) in PLACES {
            let allowed = places.iter().any(|place| path.starts_with(place));
            if !allowed && words.iter().any(|word| holds_word(line, word)) {
                faults.push(format!("{path}:{number}: {why}: {}", line.trim()));
            }
        }
    }
    faults
}

/// What is wrong with `crate::` and then `used`, seen from the room `here`.
fn forbidden_use(here: &[&str], used: &str) -> Option<&'static str> {
    let there: Vec<&str> = used
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let floor = |room: &str| FLOORS.iter().position(|known| *known == room);
    let Some(floor_there) = floor(there[0]) else {
        return Some("write one use line per room");
    };
    let floor_here = here.first().and_then(|room| floor(room))?;
    let beside = |a: &str, b: &str| here[0] == a && there[0] == b;
    if floor_there > floor_here || beside("cli", "ui") {
        return Some("a room uses only rooms below it");
    }
    if beside("ui", "methods") || beside("cli", "methods") {
        return Some("methods are reached through job");
    }
    // After `crate::methods::` comes the name of the method: words are split at both colons.
    if beside("methods", "methods") && here.get(1) != there.get(2) {
        return Some("methods never use one another");
    }
    None
}

/// The rules for code stop at `#[cfg(test)]`, so nothing but the test module may follow it.
fn test_code_before_the_end(file: &Source) -> Option<String> {
    let inline = file.text.replace("#[cfg(test)]\nmod tests;\n", "");
    let (_, rest) = inline.split_once(TESTS_ONLY)?;
    let is_last = rest.starts_with("\nmod tests {\n") && rest.find("\n}") == Some(rest.len() - 3);
    (!is_last).then(|| format!("{}: code stands behind {TESTS_ONLY}", file.path))
}

/// Whether `word` stands in `line` with nothing wordlike next to it: `gloo`, but not `gloomy`.
fn holds_word(line: &str, word: &str) -> bool {
    let wordlike = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let open = |edge: Option<char>, next: Option<char>| {
            !(edge.is_some_and(wordlike) && next.is_some_and(wordlike))
        };
        open(word.chars().next(), before) && open(word.chars().next_back(), after)
    })
}

/// Rooms that stand in one list but not, or in another order, in the other.
fn rooms_differ(what: &str, found: &[String]) -> Option<String> {
    (found != FLOORS).then(|| format!("{what} has the rooms {found:?}, the plan has {FLOORS:?}"))
}

/// The rooms of the table in `lib.rs`: lines like "//! | [`units`] | …".
fn rooms_of_table(lib: &str) -> Vec<String> {
    lib.lines()
        .filter_map(|line| line.strip_prefix("//! | "))
        .filter_map(|row| row.split('`').nth(1))
        .map(str::to_owned)
        .collect()
}

/// Rooms that a text about the house forgets: each has to stand there as `name` or `src/name`.
fn unlisted<'a>(text: &str, rooms: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let named = |room: &str| {
        [
            format!("`{room}`"),
            format!("`{room}/`"),
            format!("src/{room}"),
        ]
        .iter()
        .any(|form| text.contains(form))
    };
    rooms
        .into_iter()
        .filter(|room| !named(room))
        .map(str::to_owned)
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// All Rust files below `folder`.
fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("the folder is there") {
        let entry = entry.expect("a folder can be listed");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a file has a type").is_dir() {
            found.extend(sources(&path));
        } else if path.ends_with(".rs") {
            let text = read(&path);
            found.push(Source { path, text });
        }
    }
    found
}

#[test]
fn every_file_keeps_the_house_rules() {
    let files: Vec<Source> = ["src", "tests"].into_iter().flat_map(sources).collect();
    assert!(files.len() > 50, "only {} files were found", files.len());
    let faults: Vec<String> = files.iter().flat_map(faults_of).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_room_is_on_the_plan_in_the_front_door_and_in_the_architecture() {
    let rooms: BTreeSet<String> = sources("src")
        .iter()
        .filter_map(|file| file.room().first().map(|room| (*room).to_owned()))
        .collect();
    let plan: BTreeSet<String> = FLOORS.iter().map(|room| (*room).to_owned()).collect();
    assert_eq!(rooms, plan, "the folders of src and the plan");
    let lib = read("src/lib.rs");
    assert_eq!(
        rooms_differ("the table of src/lib.rs", &rooms_of_table(&lib)),
        None
    );
    let forgotten = unlisted(&read("ARCHITECTURE.md"), FLOORS);
    assert!(
        forgotten.is_empty(),
        "ARCHITECTURE.md forgets {forgotten:?}"
    );
}

/// The faults of one planted file, in one text.
fn planted(path: &str, line: &str) -> String {
    faults_of(&Source::new(path, &format!("//! A file.\n\n{line}\n"))).join("\n")
}

#[test]
fn the_checker_finds_arrows_that_point_up_or_sideways() {
    for (path, line, why) in [
        ("src/units/mod.rs", "use crate::plan::Stage;", "below it"),
        (
            "src/evaluate/x.rs",
            "use crate::methods::cold_start;",
            "below it",
        ),
        ("src/plot/x.rs", "let x = crate::ui::run();", "below it"),
        ("src/ui/x.rs", "use crate::cli::main;", "below it"),
        ("src/cli/x.rs", "use crate::ui::run;", "below it"),
        (
            "src/cli/x.rs",
            "use crate::methods::cold_start::solve;",
            "through job",
        ),
        (
            "src/methods/a/x.rs",
            "use crate::methods::b::solve;",
            "one another",
        ),
        (
            "src/methods/a/x.rs",
            "use crate::methods::{b, c};",
            "one another",
        ),
        ("src/job/x.rs", "use crate::{plan, units};", "one use line"),
        ("src/job/x.rs", "use super::super::cli;", "name the room"),
        ("src/lib.rs", "use crate::{plan, units};", "one use line"),
        ("src/attic/mod.rs", "", "not on the plan"),
    ] {
        let found = planted(path, line);
        assert!(found.contains(why), "{path}: {line}: found {found:?}");
    }
}

#[test]
fn the_checker_finds_words_in_the_wrong_room() {
    for (path, line) in [
        ("src/plot/x.rs", "use web_sys::Window;"),
        ("src/job/x.rs", "use leptos::prelude::*;"),
        ("src/bin/edgewise.rs", "use wasm_bindgen::JsValue;"),
        ("src/job/x.rs", "let text = std::fs::read(path);"),
        ("src/ui/x.rs", "use clap::Parser;"),
        ("src/solve/x.rs", "std::process::exit(1);"),
        ("src/solve/x.rs", "let now = Instant::now();"),
        ("src/units/x.rs", "#[cfg(target_arch = \"wasm32\")]"),
        ("src/units/x.rs", "#[cfg(not(target_arch = \"wasm32\"))]"),
        ("src/job/x.rs", "let seen = HashMap::new();"),
        ("src/ui/x.rs", "let x = y.unwrap();"),
    ] {
        assert_ne!(planted(path, line), "", "{path}: {line}");
    }
}

#[test]
fn the_checker_lets_pass_what_is_allowed() {
    for (path, line) in [
        ("src/ui/x.rs", "use web_sys::Window;"),
        ("src/ui/x.rs", "use crate::plot::Mark;"),
        ("src/cli/x.rs", "use std::fs::read; use clap::Parser;"),
        ("src/methods/a/x.rs", "use crate::methods::a::solve;"),
        ("src/methods/a/x.rs", "use crate::evaluate::score;"),
        ("src/job/x.rs", "// use crate::ui::run; is not for us"),
        ("src/job/x.rs", "/// As [`crate::cli`] has it."),
        (
            "src/job/x.rs",
            "#[cfg(test)]\nmod tests {\n    x.unwrap();\n}",
        ),
        ("src/job/x.rs", "#[cfg(test)]\nmod tests;\nmod other;"),
        ("src/job/tests/x.rs", "x.unwrap();"),
        ("src/job/x.rs", "let gloomy = x.unwrap_or(0);"),
        ("src/lib.rs", "#[cfg(target_arch = \"wasm32\")]"),
    ] {
        assert_eq!(planted(path, line), "", "{path}: {line}");
    }
}

#[test]
fn the_checker_finds_files_without_a_word_and_files_without_an_end() {
    let bare = Source::new("tests/native/x.rs", "use std::fs;\n");
    assert_eq!(faults_of(&bare).len(), 1);
    let long = |lines: usize| Source::new("tests/x.rs", &"//! A line.\n".repeat(lines));
    assert_eq!(faults_of(&long(MOST_LINES)).len(), 0);
    assert_eq!(faults_of(&long(MOST_LINES + 1)).len(), 1);
    let declared = "#[cfg(test)]\nmod tests;\nlet x = y.unwrap();";
    assert_ne!(planted("src/job/x.rs", declared), "");
    let behind = "#[cfg(test)]\nmod tests {\n}\nfn hidden() {\n    x.unwrap();\n}";
    assert_ne!(planted("src/job/x.rs", behind), "");
}

#[test]
fn the_checker_finds_rooms_that_nobody_lists() {
    let table = "//! | [`units`] | quantities |\n//! | `ui` | the page |\n";
    assert_eq!(rooms_of_table(table), ["units", "ui"]);
    assert!(rooms_differ("a table", &rooms_of_table(table)).is_some());
    let text = "The ground floor is `units`, then `src/plan/`.";
    assert_eq!(unlisted(text, ["units", "plan", "ui"]), ["ui"]);
}
