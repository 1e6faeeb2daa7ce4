//! The files `tests/mutants/NAME.mutant`: what they say, and how a witness is written into them.
//!
//! ```text
//! # What is broken, in one line.
//! file: src/evaluate/cold_start.rs
//! witness: native cold_start::laws::a_plan_is_scored_again
//! --- old
//! the exact text to replace: one or more whole lines, or a part of one line
//! --- new
//! the text that takes its place; may be empty
//! --- end
//! ```
//!
//! The old text must occur exactly once in the file. The line breaks next to the three markers do not belong to the
//! texts. The number that the name begins with is the mutant's own.

use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Numbers are smaller than this; the switch keeps a bit for each of them.
pub const NUMBERS: u32 = 4096;

/// One way to break the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    /// The name of its file, without the ending.
    pub name: String,
    /// The number that the name begins with.
    pub number: u32,
    /// The file it breaks, from the root of the repository.
    pub file: String,
    /// The test that is known to notice it.
    pub witness: Option<Witness>,
    /// The text that it replaces.
    pub old: String,
    /// The text that takes its place.
    pub new: String,
}

/// A test by the program it is in and its path there: `native cold_start::laws::x`, `lib:edgewise units::tests::y`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Witness {
    /// The program: the name of an integration test, or `lib:` or `bin:` and a name.
    pub program: String,
    /// The test's path.
    pub test: String,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.program, self.test)
    }
}

impl Witness {
    fn read(text: &str) -> Result<Self> {
        let mut words = text.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(program), Some(test), None) => Ok(Self {
                program: program.to_owned(),
                test: test.to_owned(),
            }),
            _ => bail!("a witness is a program and the path of a test, not {text:?}"),
        }
    }
}

impl Mutant {
    /// Reads the text of the file `NAME.mutant`.
    pub fn read(name: &str, text: &str) -> Result<Self> {
        let digits = name
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(name.len());
        let number: u32 = name[..digits]
            .parse()
            .ok()
            .filter(|number| (1..NUMBERS).contains(number))
            .with_context(|| format!("{name}: the name begins with no number below {NUMBERS}"))?;
        let (head, _) = text
            .split_once("--- old\n")
            .with_context(|| format!("{name}: has no line '--- old'"))?;
        let field = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(key));
            line.map(str::trim)
        };
        ensure!(
            text.lines().any(|line| line == "--- end"),
            "{name}: has no line '--- end'"
        );
        Ok(Self {
            name: name.to_owned(),
            number,
            file: field("file:")
                .filter(|file| !file.is_empty())
                .with_context(|| format!("{name}: names no file of the source"))?
                .to_owned(),
            witness: field("witness:")
                .map(Witness::read)
                .transpose()
                .with_context(|| name.to_owned())?,
            old: section(text, "old"),
            new: section(text, "new"),
        })
    }

    /// Where the old text is in the source; fails unless it occurs exactly once.
    pub fn place(&self, source: &str) -> Result<Range<usize>> {
        let mut found = source.match_indices(&self.old);
        match (found.next(), found.next()) {
            (Some((at, _)), None) if !self.old.is_empty() => Ok(at..at + self.old.len()),
            _ => bail!(
                "{} no longer applies: its old text does not occur exactly once in {}",
                self.name,
                self.file
            ),
        }
    }

    /// The source with the old text replaced.
    pub fn applied(&self, source: &str) -> Result<String> {
        let place = self.place(source)?;
        Ok([&source[..place.start], &self.new, &source[place.end..]].concat())
    }
}

/// The text between `--- name` and the next marker, without line breaks at its end.
fn section(text: &str, name: &str) -> String {
    let begin = format!("--- {name}");
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != begin)
        .skip(1)
        .take_while(|line| !matches!(*line, "--- old" | "--- new" | "--- end"))
        .collect();
    lines.join("\n").trim_end_matches('\n').to_owned()
}

/// The text of a mutant's file with this witness in it, in place of another one or below the name of the file.
pub fn with_witness(text: &str, witness: &Witness) -> String {
    let mut lines = Vec::new();
    let mut in_head = true;
    for line in text.lines() {
        in_head &= line != "--- old";
        if in_head && line.starts_with("witness:") {
            continue;
        }
        lines.push(line.to_owned());
        if in_head && line.starts_with("file:") {
            lines.push(format!("witness: {witness}"));
        }
    }
    lines.join("\n") + "\n"
}

/// All mutants of a folder, in the order of their names, which is that of the shell.
pub fn read_all(folder: &Path) -> Result<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "mutant") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            mutants.push(Mutant::read(&name, &text)?);
        }
    }
    mutants.sort_by(|a, b| a.name.cmp(&b.name));
    for (at, mutant) in mutants.iter().enumerate() {
        if let Some(other) = mutants[..at].iter().find(|m| m.number == mutant.number) {
            bail!("{} and {} have one number", other.name, mutant.name);
        }
    }
    Ok(mutants)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A sentence.\nfile: src/a.rs\n--- old\n  let x = 1;\n  let y = 2;\n--- new\n  let x = 2;\n--- end\n";

    #[test]
    fn a_file_is_read() {
        let mutant = Mutant::read("06-a-name", TEXT).expect("is well formed");
        assert_eq!((mutant.number, mutant.file.as_str()), (6, "src/a.rs"));
        assert_eq!(mutant.old, "  let x = 1;\n  let y = 2;");
        assert_eq!(mutant.new, "  let x = 2;");
        assert_eq!(mutant.witness, None);
    }

    #[test]
    fn missing_parts_of_a_mutant_are_named() {
        for (name, text, fault) in [
            ("a", TEXT.to_owned(), "no number"),
            ("4096-a", TEXT.to_owned(), "no number"),
            ("1-a", TEXT.replace("file:", "pile:"), "names no file"),
            ("1-a", TEXT.replace("--- old", "---"), "'--- old'"),
            ("1-a", TEXT.replace("--- end", ""), "'--- end'"),
            ("1-a", TEXT.replace("--- old", "witness: x\n--- old"), "1-a"),
        ] {
            let found = Mutant::read(name, &text).expect_err("is not well formed");
            assert!(found.to_string().contains(fault), "{found}");
        }
    }

    #[test]
    fn empty_texts_with_and_without_a_line_are_the_same() {
        for new in ["--- new\n\n", "--- new\n"] {
            let text = TEXT.replace("--- new\n  let x = 2;\n", new);
            assert_eq!(Mutant::read("1", &text).expect("is well formed").new, "");
        }
    }

    #[test]
    fn a_text_that_occurs_twice_or_never_does_not_apply() {
        let mutant = Mutant::read("1", "file: a\n--- old\nx\n--- new\ny\n--- end\n");
        let mutant = mutant.expect("is well formed");
        assert_eq!(mutant.applied("a x b").expect("occurs once"), "a y b");
        for source in ["a x b x", "a b"] {
            let fault = mutant.place(source).expect_err("does not occur once");
            assert!(fault.to_string().contains("no longer applies"), "{fault}");
        }
    }

    #[test]
    fn every_mutant_of_the_project_applies() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for mutant in
            read_all(&root.join(crate::workspace_copy::FOLDER)).expect("all are well formed")
        {
            let source = fs::read_to_string(root.join(&mutant.file)).expect(&mutant.file);
            mutant.place(&source).expect(&mutant.name);
        }
    }

    #[test]
    fn a_witness_is_written_and_read_again() {
        let witness = Witness::read("native a::b").expect("is a program and a test");
        let once = with_witness(TEXT, &witness);
        assert_eq!(
            Mutant::read("1", &once).expect("well formed").witness,
            Some(witness)
        );
        let other = Witness::read("lib:edgewise c::d").expect("is a program and a test");
        let twice = with_witness(&once, &other);
        assert_eq!(twice.matches("witness:").count(), 1);
        assert_eq!(twice.replace(&format!("witness: {other}\n"), ""), TEXT);
    }
}
