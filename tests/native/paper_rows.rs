//! What the papers report stands once: every row is compared with ours somewhere, and no test has its figures again.

use engine::papers::{CitedPaper, PaperRow};
use engine::scenario::Question;
use presenters::published::section::{Content, Shown};
use presenters::published::sections;
use protocol::papers::of;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Everything that is shown of a question's paper, with the runs that are soon made.
fn shown(question: Question) -> Vec<Shown> {
    match question {
        Question::ColdStart => vec![sections::COLD_START.build(&Default::default())],
        Question::HeadPlacement => vec![sections::HEADS.build(&Default::default())],
        Question::Dispatch => {
            let mut pieces = planner::dispatch_published::DispatchMeasurements::default();
            for piece in planner::dispatch_published::DispatchMeasurements::subtasks() {
                pieces.add(piece.run());
            }
            vec![sections::DISPATCH.build(&pieces)]
        }
        Question::Tiers => {
            let mut runs = planner::tiers_published::TierMeasurements::default();
            for measure in planner::tiers_published::TierMeasure::ALL {
                let seeds = &planner::tiers_published::SEEDS;
                runs.run(measure, seeds).expect("there are seeds");
            }
            vec![
                sections::TIERS.build(&()),
                sections::TIERS_RUNS.build(&runs),
            ]
        }
        Question::Operators => vec![
            sections::OPERATORS.build(&Vec::new()),
            sections::SPLITS.build(&Vec::new()),
        ],
    }
}

/// All numbers of the tables, and all words.
fn gather(value: &Value, numbers: &mut Vec<f64>, words: &mut String) {
    match value {
        Value::Number(number) => numbers.extend(number.as_f64()),
        Value::String(text) => *words += &format!("{text}\n"),
        Value::Array(all) => all.iter().for_each(|one| gather(one, numbers, words)),
        Value::Object(all) => all.values().for_each(|one| gather(one, numbers, words)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[test]
fn every_row_is_a_claim_or_is_in_a_table() {
    for question in Question::ALL {
        let paper: &CitedPaper = of(question);
        let sections = shown(question);
        let claims: Vec<(&str, &str)> = sections
            .iter()
            .flat_map(|section| &section.parts)
            .filter_map(|part| match &part.content {
                Content::Claims(claims) => Some(&claims.claims),
                Content::Table(_) => None,
            })
            .flatten()
            .map(|claim| (&*claim.name, &*claim.source))
            .collect();
        assert!(
            claims
                .iter()
                .all(|(name, source)| !name.is_empty() && !source.is_empty()),
            "a claim asks for a row that the file does not have: {claims:?}"
        );
        let (mut numbers, mut words) = (Vec::new(), String::new());
        gather(&json!(sections), &mut numbers, &mut words);
        let is_claimed =
            |row: &PaperRow| claims.contains(&(row.claim.as_str(), row.source.as_str()));
        let is_shown = |row: &PaperRow| {
            !row.is_empty()
                && (0..row.len()).all(|at| {
                    let in_words = || words.contains(row.printed(at));
                    row.number(at)
                        .is_none_or(|number| numbers.contains(&number) || in_words())
                })
        };
        for row in paper.rows() {
            assert!(
                is_claimed(row) || is_shown(row),
                "{}: {}",
                paper.name,
                row.key
            );
        }
        let cited = sections
            .iter()
            .any(|section| section.source.starts_with(paper.citation()));
        assert!(cited, "{}", paper.name);
    }
}

/// Files of tests below a folder, with their text.
fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a folder can be listed").path();
        let is_text = |kind| path.extension().is_some_and(|found| found == kind);
        if path.is_dir() {
            files(&path, found);
        } else if is_text("rs") || is_text("csv") {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path.display().to_string(), text));
        }
    }
}

/// Numbers with so many digits that they are nothing else, bare of what groups them.
fn telling(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '_');
    words
        .map(|word| word.trim_matches('.').replace('_', ""))
        .filter(|word| {
            let digits = word.trim_start_matches(['0', '.']).bytes();
            let digits = digits.filter(u8::is_ascii_digit).count();
            let is_round = word.ends_with(".0") || word.ends_with(".00");
            !is_round && (word.contains('.') && digits >= 4 || digits >= 6)
        })
}

#[test]
fn no_test_has_a_published_figure_again() {
    /// Ours as well: a gain over a baseline at 2048 tokens.
    const OURS: [&str; 1] = ["21.29"];
    let mut figures = Vec::new();
    for question in Question::ALL {
        figures.extend(
            of(question)
                .rows()
                .iter()
                .flat_map(|row| telling(&row.published)),
        );
    }
    assert!(figures.len() > 120, "{}", figures.len());
    let mut all = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        &mut all,
    );
    let again = all.iter().flat_map(|(path, text)| {
        let figures = &figures;
        let known = move |word: &String| figures.contains(word) && !OURS.contains(&word.as_str());
        telling(text)
            .filter(known)
            .map(move |word| format!("{path}: {word}"))
    });
    let again: Vec<String> = again.collect();
    assert!(again.is_empty(), "{}", again.join("\n"));
}
