//! Rules of the source that a program can check: dependencies between modules point one way, every file says what it is for,
//! the browser stays in the page and the machine in the command line.
//!
//! The checker is a function from files to faults, so that planted faults show that it can find some.

use engine::scenario::Question;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The crates, and which of the project's own each one may use. Cargo refuses anything that a crate does not declare,
/// and that it declares no more than this is checked here.
const CRATES: [(&str, &[&str]); 15] = [
    ("crates/engine", &[]),
    ("crates/methods", &["engine"]),
    ("crates/planner", &["engine", "methods"]),
    ("crates/chart", &["engine"]),
    ("crates/document", &["engine", "chart"]),
    ("crates/protocol", &["engine", "document"]),
    (
        "crates/presenters",
        &[
            "engine", "methods", "planner", "chart", "document", "protocol",
        ],
    ),
    ("crates/worker", &["engine", "presenters", "protocol"]),
    ("crates/app", &["edgewise", "worker"]),
    (
        "crates/service",
        &["engine", "planner", "presenters", "document", "protocol"],
    ),
    (
        "tools/paint",
        &["engine", "chart", "presenters", "document", "protocol"],
    ),
    ("studies/calibration", &["engine"]),
    ("tools/pieces", &[]),
    ("tools/finish", &["pieces"]),
    (
        ".",
        &[
            "engine",
            "planner",
            "presenters",
            "chart",
            "service",
            "document",
            "protocol",
        ],
    ),
];

/// The modules of the engine in order: a module uses only modules before it.
const ENGINE_MODULES: [&str; 13] = [
    "units", "papers", "model", "hardware", "network", "problem", "graph", "sim", "plan",
    "scenario", "evaluate", "solve", "pool",
];

/// The longest file that one still reads as a whole.
const MOST_LINES: usize = 800;

/// Words that may stand only in some places.
const RESTRICTED_WORDS: &[(&[&str], &[&str], &str)] = &[
    (
        &["web_sys", "js_sys", "leptos", "gloo", "wasm_bindgen"],
        &["src/ui/", "crates/app/", "crates/worker/"],
        "only the page and its worker know the browser",
    ),
    (
        &["clap", "std::fs", "std::env"],
        &["src/cli/"],
        "only the command line knows the machine",
    ),
    (
        &["std::process"],
        &["src/cli/", "src/bin/edgewise.rs", "crates/service/"],
        "only the command line and the service know the machine",
    ),
    (
        &["axum", "hyper", "tokio", "nix"],
        &["crates/service/"],
        "only the service knows the network",
    ),
    (
        &["cfg(target_arch", "cfg(not(target_arch"],
        &[
            "src/lib.rs",
            "src/ui/",
            "src/bin/",
            "crates/app/",
            "crates/worker/",
            // JSON Schemas, which only the service needs.
            "crates/engine/src/model/precision.rs",
            "crates/engine/src/problem/json.rs",
            "crates/document/src/block.rs",
            "crates/document/src/table.rs",
            // The page loads what a question needs with the question.
            "crates/engine/src/scenario/questions.rs",
        ],
        "the core is the same everywhere",
    ),
    (
        &["Instant", "SystemTime"],
        &["src/cli/", "crates/service/"],
        "only the command line and the service have a clock",
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
        "name the module: crate::module, so that dependencies can be read",
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

    /// The crate that the file belongs to, and where in it: `crates/engine/src/sim/laws.rs` is in
    /// `("crates/engine", "sim")`, `src/ui/theme.rs` in `(".", "ui")`, `src/lib.rs` in `(".", "")`.
    fn place(&self) -> (&str, &str) {
        let (home, inside) = self.path.split_once("src/").unwrap_or_default();
        let home = home.strip_suffix('/').unwrap_or(".");
        // A file next to lib.rs is a module of its own.
        let module = inside.split_once('/').map_or_else(
            || {
                inside
                    .strip_suffix(".rs")
                    .filter(|name| !matches!(*name, "lib" | "main"))
            },
            |(module, _)| Some(module),
        );
        (home, module.unwrap_or_default())
    }

    /// Whether all of it is tests: a `tests` folder or file beside the code.
    fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
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

/// The attribute of a test module.
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
    let (home, module) = file.place();
    if home == "crates/engine" && !module.is_empty() && !ENGINE_MODULES.contains(&module) {
        faults.push(format!("{path}: the module {module} is not in the list"));
    }
    for (number, line) in file.code() {
        for used in line.split("crate::").skip(1) {
            if let Some(why) = forbidden_use(home, module, used) {
                faults.push(format!("{path}:{number}: {why}: {}", line.trim()));
            }
        }
        for (words, places, why) in RESTRICTED_WORDS {
            let allowed = places.iter().any(|place| path.starts_with(place));
            if !allowed && words.iter().any(|word| holds_word(line, word)) {
                faults.push(format!("{path}:{number}: {why}: {}", line.trim()));
            }
        }
    }
    faults
}

/// Returns the rule that `crate::` followed by `used` breaks in the module `here` of the crate `home`.
fn forbidden_use(home: &str, here: &str, used: &str) -> Option<&'static str> {
    let there = used
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    if there.is_empty() && matches!(home, "crates/engine" | "crates/methods" | ".") {
        return Some("write one use line per module");
    }
    let position = |module: &str| ENGINE_MODULES.iter().position(|known| *known == module);
    match home {
        "crates/engine" if position(there) > position(here) && !here.is_empty() => {
            Some("a module uses only modules before it")
        }
        "crates/methods" if here != there && !here.is_empty() => {
            Some("methods never use one another")
        }
        "." if (here, there) == ("ui", "cli") || (here, there) == ("cli", "ui") => {
            Some("page and command line know nothing of each other")
        }
        _ => None,
    }
}

/// Crates of the project that a manifest names as dependencies, those of its tests left out.
fn crates_used(manifest: &str) -> Vec<&str> {
    let sections = manifest.split("\n[").filter(|section| {
        let title = section.lines().next().unwrap_or_default();
        title.ends_with("dependencies]")
            && !title.contains("dev-dependencies")
            && !title.starts_with("workspace")
    });
    let names = sections.flat_map(|section| section.lines().skip(1));
    names
        .filter_map(|line| line.strip_suffix(".workspace = true"))
        .filter(|name| {
            CRATES
                .iter()
                .any(|(home, _)| home.ends_with(&format!("/{name}")))
                || *name == "edgewise" // at home in the root
        })
        .collect()
}

/// The rules for code stop at `#[cfg(test)]`, so nothing but the test module may follow it.
fn test_code_before_the_end(file: &Source) -> Option<String> {
    let inline = file.text.replace("#[cfg(test)]\nmod tests;\n", "");
    let (_, rest) = inline.split_once(TESTS_ONLY)?;
    let is_last = rest.starts_with("\nmod tests {\n") && rest.find("\n}") == Some(rest.len() - 3);
    (!is_last).then(|| format!("{}: code stands behind {TESTS_ONLY}", file.path))
}

/// Whether `word` is in `line` with nothing wordlike next to it: `gloo`, but not `gloomy`.
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

/// Rooms that are in one list but not, or in another order, in the other.
fn modules_differ(what: &str, found: &[String]) -> Option<String> {
    (found != ENGINE_MODULES)
        .then(|| format!("{what} has the modules {found:?}, the list has {ENGINE_MODULES:?}"))
}

/// The modules of the table in `lib.rs`: lines like "//! | [`units`] | …".
fn modules_of_table(lib: &str) -> Vec<String> {
    lib.lines()
        .filter_map(|line| line.strip_prefix("//! | "))
        .filter_map(|row| row.split('`').nth(1))
        .map(str::to_owned)
        .collect()
}

/// Modules that a document does not mention as `name` or `src/name`.
fn unlisted<'a>(text: &str, modules: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let named = |module: &str| {
        [
            format!("`{module}`"),
            format!("`{module}/`"),
            format!("src/{module}"),
        ]
        .iter()
        .any(|form| text.contains(form))
    };
    modules
        .into_iter()
        .filter(|module| !named(module))
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
fn every_file_follows_the_rules() {
    let files: Vec<Source> = ["src", "crates", "tests"]
        .into_iter()
        .flat_map(sources)
        .collect();
    assert!(files.len() > 500, "only {} files were found", files.len());
    let faults: Vec<String> = files.iter().flat_map(faults_of).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A file that no module names is never compiled, and its tests are never run.
#[test]
fn every_file_of_tests_is_a_module_of_theirs() {
    for home in [
        "tests/native",
        "tests/page",
        "tests/web/window",
        "tests/web/worker",
    ] {
        let files = sources(home);
        for Source { path, .. } in &files {
            let (folder, name) = path.rsplit_once('/').expect("a folder");
            let (folder, name) = match name {
                "main.rs" => continue,
                "mod.rs" => folder.rsplit_once('/').expect("a folder"),
                _ => (folder, name.trim_end_matches(".rs")),
            };
            let names = ["main.rs", "mod.rs"].map(|file| format!("{folder}/{file}"));
            let above = files.iter().find(|file| names.contains(&file.path));
            let above = above.unwrap_or_else(|| panic!("{path}: no module is above it"));
            let word = format!("mod {name};");
            let lines = above.text.lines();
            let mut lines = lines.map(|line| line.trim_start_matches("pub(crate) "));
            assert!(lines.any(|line| line == word), "{path}");
        }
    }
}

#[test]
fn every_module_and_crate_is_in_the_crate_documentation_and_in_the_architecture() {
    let modules: BTreeSet<String> = sources("crates/engine/src")
        .iter()
        .map(|file| file.place().1.to_owned())
        .filter(|module| !module.is_empty())
        .collect();
    let plan: BTreeSet<String> = ENGINE_MODULES
        .iter()
        .map(|module| (*module).to_owned())
        .collect();
    assert_eq!(modules, plan, "the folders of the engine and the list");
    let lib = read("crates/engine/src/lib.rs");
    assert_eq!(
        modules_differ("the table of the engine", &modules_of_table(&lib)),
        None
    );
    let crates = CRATES
        .iter()
        .filter_map(|(home, _)| home.strip_prefix("crates/"));
    let forgotten = unlisted(
        &read("ARCHITECTURE.md"),
        ENGINE_MODULES.into_iter().chain(crates),
    );
    assert!(
        forgotten.is_empty(),
        "ARCHITECTURE.md forgets {forgotten:?}"
    );
}

#[test]
fn a_library_whose_tests_are_not_run_has_none() {
    for home in ["crates/planner", "."] {
        assert!(read(&format!("{home}/Cargo.toml")).contains("\ntest = false #"));
        for file in sources(&format!("{home}/src")) {
            assert!(!file.text.contains(TESTS_ONLY), "{}", file.path);
        }
    }
}

#[test]
fn every_crate_uses_only_the_crates_that_the_plan_gives_it() {
    let folders: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("the folder is there")
        .map(|entry| entry.expect("a folder can be listed").file_name())
        .map(|name| format!("crates/{}", name.to_string_lossy()))
        .collect();
    let planned: BTreeSet<String> = CRATES
        .iter()
        .filter(|(home, _)| home.starts_with("crates/"))
        .map(|(home, _)| (*home).to_owned())
        .collect();
    assert_eq!(folders, planned, "the folders of crates and the plan");
    for (home, allowed) in CRATES {
        let manifest = read(&format!("{home}/Cargo.toml"));
        for used in crates_used(&manifest) {
            assert!(
                allowed.contains(&used),
                "{home} uses {used}, which is not in the list"
            );
        }
    }
    let planted = "[package]\n\n[dependencies]\nlibm.workspace = true\nplanner.workspace = true\n\n\
                   [dev-dependencies]\nchart.workspace = true\n";
    assert_eq!(crates_used(planted), ["planner"]);
}

/// What is between the questions and the worker, and names none of them: a question is added without touching it.
const BETWEEN: [&str; 10] = [
    "crates/protocol/src/worker.rs",
    "crates/worker/src/blob.rs",
    "crates/worker/src/listen.rs",
    "crates/worker/src/wire.rs",
    "src/ui/address.rs",
    "src/ui/scenario_editor.rs",
    "src/ui/jobs.rs",
    "src/ui/questions.rs",
    "src/ui/shell.rs",
    "src/ui/solver.rs",
];

/// The words by which a question is named in code: its case, its name, and by the page's list of questions, its folder and
/// its state.
fn names_of_questions(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    for question in Question::ALL {
        names.push(format!("{question:?}"));
        names.push(question.name().replace('-', "_"));
    }
    for line in list.lines() {
        let used = line
            .strip_prefix("use super::")
            .and_then(|used| used.strip_suffix(';'));
        if let Some((folder, state)) = used.and_then(|used| used.split_once("::"))
            && state.ends_with("State")
        {
            names.push(format!("{folder}::"));
            names.push(state.to_owned());
        }
    }
    names
}

/// Lines of code that name a question.
fn named_questions(file: &Source, names: &[String]) -> Vec<String> {
    let names_one = |line: &str| names.iter().any(|name| holds_word(line, name));
    file.code()
        .into_iter()
        .filter(|(_, line)| names_one(line))
        .map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim()))
        .collect()
}

#[test]
fn code_between_questions_and_worker_names_no_question() {
    let list = read("src/ui/topics.rs");
    let names = names_of_questions(&list);
    assert!(names.len() >= 4 * Question::ALL.len(), "{names:?}");
    let listed = list.matches("State:").count();
    assert_eq!(listed, Question::ALL.len(), "a line a question");
    for path in BETWEEN {
        let found = named_questions(&Source::new(path, &read(path)), &names);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
    for planted in [
        "Question::Tiers => 1,",
        "use planner::cold_start::Answer;",
        "use super::heads::Shown;",
        "fn f(state: HeadsState) {}",
    ] {
        let file = Source::new("src/ui/solver.rs", planted);
        assert_eq!(named_questions(&file, &names).len(), 1, "{planted}");
    }
}

/// The command that runs the page's tests side by side finds those that measure time by the name of their module.
#[test]
fn page_tests_that_measure_time_are_in_one_module() {
    let timed: Vec<String> = sources("tests/page")
        .into_iter()
        .filter(|file| file.text.contains("Scene::timed()"))
        .map(|file| file.path)
        .collect();
    assert!(!timed.is_empty());
    let is_in_module = |path: &String| path.starts_with("tests/page/timing/");
    assert!(timed.iter().all(is_in_module), "{timed:?}");
    assert_eq!(read("tools/test.sh").matches(" timing:: ").count(), 2);
}

/// Schemas describe the HTTP service: the page would only grow by them. Features would build every crate twice.
#[test]
fn schemas_are_native_and_no_crate_has_features() {
    let native = "[target.'cfg(not(target_arch = \"wasm32\"))'.dependencies]";
    for (home, _) in CRATES {
        let manifest = read(&format!("{home}/Cargo.toml"));
        assert!(!manifest.contains("[features]"), "{home}");
        let section = manifest
            .split("\n[")
            .find(|section| section.contains("\nschemars."));
        let is_native = section.is_none_or(|section| format!("[{section}").starts_with(native));
        assert!(is_native || home == "crates/service", "{home}");
    }
}

/// The faults of one planted file, in one text.
fn planted(path: &str, line: &str) -> String {
    faults_of(&Source::new(path, &format!("//! A file.\n\n{line}\n"))).join("\n")
}

#[test]
fn the_checker_finds_arrows_that_point_up_or_sideways() {
    for (path, line, why) in [
        (
            "crates/engine/src/units/mod.rs",
            "use crate::plan::Stage;",
            "before it",
        ),
        (
            "crates/engine/src/plan/x.rs",
            "use crate::evaluate::score;",
            "before it",
        ),
        ("src/ui/x.rs", "use crate::cli::main;", "each other"),
        ("src/cli/x.rs", "use crate::ui::run;", "each other"),
        (
            "crates/methods/src/a/x.rs",
            "use crate::b::solve;",
            "one another",
        ),
        (
            "crates/methods/src/a/x.rs",
            "use crate::{b, c};",
            "one use line",
        ),
        (
            "crates/engine/src/solve/x.rs",
            "use crate::{plan, units};",
            "one use line",
        ),
        (
            "crates/planner/src/x/y.rs",
            "use super::super::z;",
            "name the module",
        ),
        ("src/lib.rs", "use crate::{ui, cli};", "one use line"),
        ("crates/engine/src/attic/mod.rs", "", "not in the list"),
    ] {
        let found = planted(path, line);
        assert!(found.contains(why), "{path}: {line}: found {found:?}");
    }
}

#[test]
fn the_checker_finds_words_in_the_wrong_module() {
    for (path, line) in [
        ("crates/chart/src/x.rs", "use web_sys::Window;"),
        ("crates/planner/src/x.rs", "use leptos::prelude::*;"),
        ("src/bin/edgewise.rs", "use wasm_bindgen::JsValue;"),
        ("crates/planner/src/x.rs", "let text = std::fs::read(path);"),
        ("src/ui/x.rs", "use clap::Parser;"),
        ("crates/engine/src/solve/x.rs", "std::process::exit(1);"),
        ("crates/engine/src/solve/x.rs", "let now = Instant::now();"),
        (
            "crates/engine/src/units/x.rs",
            "#[cfg(target_arch = \"wasm32\")]",
        ),
        (
            "crates/engine/src/units/x.rs",
            "#[cfg(not(target_arch = \"wasm32\"))]",
        ),
        ("crates/planner/src/x.rs", "let seen = HashMap::new();"),
        ("src/ui/x.rs", "let x = y.unwrap();"),
    ] {
        assert_ne!(planted(path, line), "", "{path}: {line}");
    }
}

#[test]
fn the_checker_lets_pass_what_is_allowed() {
    for (path, line) in [
        ("src/ui/x.rs", "use web_sys::Window;"),
        ("src/ui/x.rs", "use chart::Mark;"),
        ("src/cli/x.rs", "use std::fs::read; use clap::Parser;"),
        ("crates/methods/src/a/x.rs", "use crate::a::solve;"),
        ("crates/methods/src/a/x.rs", "use engine::evaluate::score;"),
        (
            "crates/engine/src/evaluate/x.rs",
            "use crate::units::Bytes;",
        ),
        (
            "crates/planner/src/x.rs",
            "// use web_sys::Window; is not for us",
        ),
        ("crates/planner/src/x.rs", "/// As [`crate::cli`] has it."),
        (
            "crates/planner/src/x.rs",
            "#[cfg(test)]\nmod tests {\n    x.unwrap();\n}",
        ),
        (
            "crates/planner/src/x.rs",
            "#[cfg(test)]\nmod tests;\nmod other;",
        ),
        ("crates/planner/src/tests/x.rs", "x.unwrap();"),
        ("crates/planner/src/x.rs", "let gloomy = x.unwrap_or(0);"),
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
    assert_ne!(planted("crates/planner/src/x.rs", declared), "");
    let behind = "#[cfg(test)]\nmod tests {\n}\nfn hidden() {\n    x.unwrap();\n}";
    assert_ne!(planted("crates/planner/src/x.rs", behind), "");
}

#[test]
fn the_checker_finds_modules_that_are_not_listed() {
    let table = "//! | [`units`] | quantities |\n//! | `ui` | the page |\n";
    assert_eq!(modules_of_table(table), ["units", "ui"]);
    assert!(modules_differ("a table", &modules_of_table(table)).is_some());
    let text = "First is `units`, then `src/plan/`.";
    assert_eq!(unlisted(text, ["units", "plan", "ui"]), ["ui"]);
}
