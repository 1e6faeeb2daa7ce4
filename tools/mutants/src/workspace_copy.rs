//! Where the copy is made and compiled.

use crate::cargo::{BuildResult, Cargo};
use crate::copy;
use crate::mutant::{self, Mutant, Witness};
use crate::plan::MutantPlan;
use crate::runtime;
use crate::suite::{MutantOutcome, Suite};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the mutants are, from the root of the clone.
pub const FOLDER: &str = "tests/mutants";

/// The folders that the copy and its builds are in.
pub struct Workplace {
    root: PathBuf,
    cargo: Cargo,
    logs: PathBuf,
}

impl Workplace {
    /// Folders for the clone at `root`.
    pub fn new(root: &Path) -> Result<Self> {
        let folder = |variable: &str, otherwise: PathBuf| {
            env::var_os(variable).map_or(otherwise, |named| root.join(named))
        };
        let target = folder("CARGO_TARGET_DIR", root.join("target"));
        let between = folder("CARGO_BUILD_BUILD_DIR", target.clone());
        let logs = target.join("mutants/logs");
        fs::create_dir_all(&logs)?;
        Ok(Self {
            root: root.to_owned(),
            cargo: Cargo {
                copy: target.join("mutants/copy"),
                out: target.join("mutants/out"),
                between,
            },
            logs,
        })
    }

    /// Makes the copy with switches for all mutants and compiles its tests: these integration tests, or all for none. A
    /// mutant that does not compile there is awkward.
    pub fn switched(&self, all: &[Mutant], only: &BTreeSet<&str>) -> Result<(MutantPlan, Suite)> {
        let mut awkward = BTreeMap::new();
        loop {
            let plan = MutantPlan::new(&self.root, all, &awkward)?;
            copy::sync(&self.root, &self.cargo.copy, &plan.files)?;
            let (text, places, all_placed) = match self.cargo.build(only)? {
                BuildResult::Done(programs) => {
                    let suite = Suite::new(programs, self.logs.clone())?;
                    return Ok((plan, suite));
                }
                BuildResult::Failed {
                    text,
                    places,
                    all_placed,
                } => (text, places, all_placed),
            };
            let before = awkward.len();
            let mut all_blamed = all_placed;
            for (file, line) in places {
                let blamed = plan.blamed(&file, line);
                all_blamed &= !blamed.is_empty();
                for number in blamed {
                    awkward.insert(
                        number,
                        format!("with its switch {}:{line} does not compile", file.display()),
                    );
                }
            }
            if !all_blamed {
                for number in &plan.not_const {
                    awkward.insert(*number, "its text is in a const fn".to_owned());
                }
            }
            if awkward.len() == before {
                bail!("the copy does not compile\n{text}");
            }
        }
    }

    /// Compiles every test of the copy with this one mutant in place of the switches of its file, and runs its witness,
    /// or all if that does not notice.
    pub fn alone(&self, mutant: &Mutant, plan: &MutantPlan) -> Result<MutantOutcome> {
        let path = Path::new(&mutant.file);
        let source = fs::read_to_string(self.root.join(path))?;
        let mut mutated = mutant.applied(&source)?;
        if path.ends_with("src/lib.rs") {
            mutated.push_str(runtime::DECLARATION);
        }
        let mut files = plan.files.clone();
        files.insert(path.to_owned(), mutated);
        copy::sync(&self.root, &self.cargo.copy, &files)?;
        let suite = match self.cargo.build(&BTreeSet::new())? {
            BuildResult::Done(programs) => Suite::new(programs, self.logs.clone())?,
            BuildResult::Failed { text, .. } => bail!("{} does not compile\n{text}", mutant.name),
        };
        let outcome = match suite.by_witness(mutant)? {
            Some(outcome) => outcome,
            None => MutantOutcome::from_witness(suite.first_failed()?),
        };
        copy::sync(&self.root, &self.cargo.copy, &plan.files)?;
        Ok(outcome)
    }

    /// Writes a witness into the file of its mutant; whether there is one.
    pub fn write(&self, mutant: &Mutant, witness: Option<&Witness>) -> Result<bool> {
        let Some(witness) = witness else {
            println!("{}: no test that reaches it fails", mutant.name);
            return Ok(false);
        };
        println!("{}: {witness}", mutant.name);
        let path = self
            .root
            .join(FOLDER)
            .join(format!("{}.mutant", mutant.name));
        let text = fs::read_to_string(&path)?;
        fs::write(&path, mutant::with_witness(&text, witness))?;
        Ok(true)
    }
}
