//! The words of the project are those of the field: no string, help text or document has a phrase that readers stumbled over, and no
//! identifier or comment has a word that only its author understands. `docs/vocabulary.md` has the words to use.

use engine::problem::HeuristicReading;
use engine::scenario::tiers::presets::PROFILES;
use std::collections::BTreeSet;
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

/// Words of identifiers, in lower case, that say nothing to an engineer from outside.
const PRIVATE_WORDS: [&str; 17] = [
    "anew", "asunder", "deaf", "desk", "errand", "fate", "heard", "hears", "lies", "nobody",
    "nought", "purse", "somebody", "teller", "told", "unheard", "whoever",
];

/// Phrases of comments, in lower case, that say nothing to an engineer from outside.
const PRIVATE_PHRASES: [&str; 13] = [
    " anew", "asunder", "errand", "for good", "hears of", "is told", "are told", "nobody",
    "nought", "purse", "reckon", "somebody", "whoever",
];

/// A source file, taken apart.
#[derive(Debug, Default, PartialEq)]
struct SourceText {
    /// The texts between quotes, continued lines joined.
    strings: Vec<String>,
    /// The text of each comment line.
    comments: Vec<String>,
    /// Everything else.
    code: String,
}

impl SourceText {
    fn of(source: &str) -> Self {
        let mut letters = source.chars().peekable();
        let mut found = Self::default();
        let mut before = ' ';
        while let Some(letter) = letters.next() {
            match letter {
                '/' if letters.peek() == Some(&'/') => {
                    let line = letters.by_ref().take_while(|c| *c != '\n');
                    found.comments.push(line.collect());
                    found.code.push('\n');
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
                            ('\\', Some(_)) => {
                                text.extend(['\\', letters.next().unwrap_or(' ')]);
                            }
                            _ => text.push(letter),
                        }
                    }
                    found.strings.push(text);
                }
                _ => found.code.push(letter),
            }
            before = letter;
        }
        found
    }

    /// Identifiers with a private word in them, each once.
    fn private_identifiers(&self) -> BTreeSet<&str> {
        let identifiers = self.code.split(|c: char| !c.is_alphanumeric() && c != '_');
        identifiers
            .filter(|name| words_of(name).any(|word| PRIVATE_WORDS.contains(&&*word)))
            .collect()
    }

    /// Comments with a private phrase in them.
    fn private_comments(&self) -> impl Iterator<Item = &str> {
        let has_phrase = |text: &str| PRIVATE_PHRASES.iter().any(|phrase| text.contains(phrase));
        self.comments
            .iter()
            .map(String::as_str)
            .filter(move |text| has_phrase(&text.to_lowercase()))
    }
}

/// The words of an identifier in lower case: `WorkerTask` and `worker_task` have two.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        if letter != '_' {
            words
                .last_mut()
                .expect("one at least")
                .extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words.into_iter()
}

/// The texts between quotes, without those of the test module at the end.
fn strings(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next();
    SourceText::of(code.unwrap_or_default()).strings
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
    let folders = [
        "src",
        "crates/engine/src",
        "crates/presenters/src",
        "crates/chart/src",
        "crates/planner/src",
        "crates/methods/src",
    ];
    let sources = folders.into_iter().flat_map(|folder| files(folder, ".rs"));
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
fn identifiers_and_comments_have_no_private_words() {
    let sources = ["src", "crates", "tools"]
        .into_iter()
        .flat_map(|folder| files(folder, ".rs"));
    let mut faults = Vec::new();
    for (path, source) in sources {
        let text = SourceText::of(&source);
        faults.extend(
            text.private_identifiers()
                .iter()
                .map(|name| format!("{path}: {name}")),
        );
        faults.extend(
            text.private_comments()
                .map(|comment| format!("{path}: //{comment}")),
        );
    }
    assert!(
        faults.is_empty(),
        "docs/vocabulary.md has better words:\n{}",
        faults.join("\n")
    );
}

#[test]
fn planted_private_words_are_found() {
    let source =
        "/// Whoever asks.\nfn tellTold(heard_b: u8) { \"told\" } // fine\nstruct ToldYou;\n";
    let text = SourceText::of(source);
    assert_eq!(
        text.private_identifiers(),
        BTreeSet::from(["ToldYou", "heard_b", "tellTold"])
    );
    assert_eq!(
        text.private_comments().collect::<Vec<_>>(),
        ["// Whoever asks."]
    );
    assert!(
        SourceText::of("fn unfold(shoulder: Tolerance) {} // the answer")
            .private_identifiers()
            .is_empty()
    );
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
