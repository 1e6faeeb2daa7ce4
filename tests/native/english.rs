//! What a reader sees is written in the field's own English: no string, no help text and no document has a turn that
//! readers stumbled over.

use engine::problem::HeuristicReading;
use engine::scenario::tiers::presets::PROFILES;
use std::fs;
use std::path::Path;

/// Turns, in lower case, that read as if they were translated word by word.
const TURNS: [&str; 52] = [
    "reckon",
    "soonest",
    "nought",
    "thousand million",
    "row a layer",
    "row a device",
    "row a stage",
    "row a change",
    "asked and answered in",
    "hang on",
    "is not looked at",
    "gets by with",
    "was reached for no more",
    "lies in it at one step",
    "columns apart by",
    "by their heads",
    "goes first",
    "were put in",
    "tokens a second",
    "a request a line",
    "mhz a device instead",
    "bits a weight",
    "how many bits has",
    "what is right?",
    "which nothing makes",
    "makes it too",
    "not taken apart",
    "thrown away",
    "on their way",
    "are being run",
    "takes the point",
    "click or enter",
    "greatest rate",
    "fastest slowest",
    "aim at something else",
    "fault of theirs",
    "of them for the output",
    "guards the tail is",
    "earn the budget",
    "the answer comes",
    "rides on",
    "the time was up",
    "so many events",
    "must not stand beside",
    "largest load least",
    "alone would do",
    "is no option of",
    "is no onnx",
    "is no json",
    "memory is enough in all",
    "is really held",
    "such as is expected",
];

/// The texts between quotes, continued lines joined, without those of the test module at the end.
fn strings(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next();
    let mut letters = code.unwrap_or_default().chars().peekable();
    let mut found = Vec::new();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        match letter {
            '/' if letters.peek() == Some(&'/') => {
                letters.by_ref().find(|c| *c == '\n');
            }
            // A quote as a character, not the beginning of a text.
            '"' if before == '\'' => {}
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|c| *c != '"') {
                    match (letter, letters.peek()) {
                        ('\\', Some('\n')) => {
                            while letters.next_if(|c| c.is_whitespace()).is_some() {}
                        }
                        ('\\', Some(_)) => text.extend(['\\', letters.next().unwrap_or(' ')]),
                        _ => text.push(letter),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
        before = letter;
    }
    found
}

/// What the command line shows as help: the comments on its arguments.
fn help(source: &str) -> Vec<String> {
    let lines = source
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("/// "));
    vec![lines.collect::<Vec<_>>().join(" ")]
}

/// Every turn in a text, with its surroundings.
fn turns_in(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let found = TURNS.iter().filter(|turn| text.contains(*turn));
    found
        .map(|turn| {
            let at = text.find(turn).unwrap_or_default();
            let shown: String = text[at..].chars().take(60).collect();
            format!("\u{201c}{turn}\u{201d}: {shown}")
        })
        .collect()
}

/// All files below a folder with this ending, by their path from the root.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(folder)).expect("the folder is there") {
        let entry = entry.expect("a folder can be listed");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a file has a type").is_dir() {
            found.extend(files(&path, ending));
        } else if path.ends_with(ending) {
            let text = fs::read_to_string(entry.path()).expect("a source file is text");
            found.push((path, text));
        }
    }
    found
}

#[test]
fn no_string_that_is_shown_reads_like_a_translation() {
    let rooms = [
        "src",
        "crates/engine/src",
        "crates/report/src",
        "crates/chart/src",
        "crates/job/src",
        "crates/methods/src",
    ];
    let sources = rooms.into_iter().flat_map(|room| files(room, ".rs"));
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    let mut faults = Vec::new();
    for (path, source) in sources.filter(|(path, _)| !is_test(path)) {
        let mut texts = strings(&source);
        if path == "src/cli/args.rs" {
            texts.extend(help(&source));
        }
        let turns = texts.iter().flat_map(|text| turns_in(text));
        faults.extend(turns.map(|turn| format!("{path}: {turn}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_document_reads_like_a_translation() {
    let mut documents = files("docs", ".md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["README.md", "CHANGELOG.md", "ARCHITECTURE.md"] {
        let text = fs::read_to_string(root.join(name)).expect("the document is there");
        documents.push((name.to_owned(), text));
    }
    let faults: Vec<String> = documents
        .iter()
        .flat_map(|(path, text)| {
            let turns = turns_in(&text.replace('\n', " "));
            turns.into_iter().map(move |turn| format!("{path}: {turn}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_reader_of_strings_finds_planted_turns() {
    let source = "//! \"nought\"\nlet a = \"the soon\\\n    est \\\"plan\\\"\"; let b = '\"'; let c = \"fine\";\n";
    assert_eq!(strings(source), ["the soonest \\\"plan\\\"", "fine"]);
    assert_eq!(turns_in("The Soonest plan").len(), 1);
    assert_eq!(
        help("    /// Reckons\n    /// it.\n").join(""),
        "Reckons it."
    );
}

#[test]
fn menus_have_words_and_no_keys() {
    for reading in HeuristicReading::ALL {
        let words = reading.description();
        assert!(!words.contains('_') && words.contains(' '), "{words}");
    }
    for profile in PROFILES {
        assert!(
            profile
                .description()
                .starts_with(&format!("{}: ", profile.name))
        );
        assert!(
            profile.description().len() > 12,
            "{}",
            profile.description()
        );
    }
}
