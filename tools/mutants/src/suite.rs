//! All tests that may notice a mutant: which there are, which switches each of them reaches, and which of them fails.

use crate::cargo::{self, Program};
use crate::mutant::{Mutant, Witness};
use crate::run::{self, RunOutcome, SwitchedOn, in_parallel, run};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// A run that takes longer has not ended.
const LIMIT: Duration = Duration::from_secs(600);

/// Tests of this module read the source, which in the copy is not that of the clone. What they notice is the switches.
const READS_THE_SOURCE: &str = "house";

/// How often a test has to fail before it is called a witness: some draw random numbers.
const TIMES: usize = 3;

/// The programs of tests and what is in them.
#[derive(Debug)]
pub struct Suite {
    programs: Vec<(Program, Vec<String>)>,
    /// Where outputs go.
    logs: PathBuf,
    /// Mutants that each test reaches, in the order in which tests are tried. Computed on first use.
    reached: OnceLock<Vec<Traced>>,
    /// Held while that is found out, so that it happens once.
    tracing: Mutex<()>,
}

/// A test of the suite.
pub type Test<'a> = (&'a Program, &'a str);

/// A test by its program's place, and what it reaches.
#[derive(Debug)]
struct Traced {
    program: usize,
    test: String,
    time: Duration,
    mutants: BTreeSet<u32>,
}

impl Suite {
    /// Lists the tests of these programs.
    pub fn new(programs: Vec<Program>, logs: PathBuf) -> Result<Self> {
        let mut listed = Vec::new();
        for program in programs {
            let mut tests = cargo::tests(&program)?;
            tests.retain(|test| test.split("::").all(|part| part != READS_THE_SOURCE));
            listed.push((program, tests));
        }
        ensure!(
            listed.iter().any(|(_, tests)| !tests.is_empty()),
            "the copy has no test"
        );
        Ok(Self {
            programs: listed,
            logs,
            reached: OnceLock::new(),
            tracing: Mutex::new(()),
        })
    }

    /// The test that a witness names; by its path alone if its program is called otherwise now.
    pub fn find(&self, witness: &Witness) -> Option<Test<'_>> {
        let of_that_path = || {
            self.programs.iter().filter_map(|(program, tests)| {
                let test = tests.iter().find(|test| **test == witness.test)?;
                Some((program, test.as_str()))
            })
        };
        of_that_path()
            .find(|(program, _)| program.name == witness.program)
            .or_else(|| of_that_path().next())
    }

    /// Fails unless all these tests pass with no mutant on.
    pub fn pass(&self, tests: &[Test]) -> Result<()> {
        let mut by_program: BTreeMap<&str, (&Program, BTreeSet<&str>)> = BTreeMap::new();
        for (program, test) in tests {
            let (_, tests) = by_program
                .entry(&program.name)
                .or_insert((program, BTreeSet::new()));
            tests.insert(test);
        }
        for (program, tests) in by_program.into_values() {
            let tests: Vec<&str> = tests.into_iter().collect();
            let log = self.logs.join(format!("off-{}.log", plain(&program.name)));
            let (outcome, _) = run(program, &tests, SwitchedOn::Off, LIMIT, &log)?;
            if outcome != RunOutcome::Passed {
                let text = fs::read_to_string(&log)?;
                let failed = run::failed(&text).join(", ");
                bail!("witnesses do not pass without any mutant, {outcome:?}: {failed}\n{text}");
            }
        }
        Ok(())
    }

    /// Returns the outcome of a mutant under its witness; `None` if the witness does not notice it, or if there is none.
    pub fn by_witness(&self, mutant: &Mutant) -> Result<Option<MutantOutcome>> {
        let Some((program, test)) = mutant.witness.as_ref().and_then(|named| self.find(named))
        else {
            return Ok(None);
        };
        let (outcome, time) = self.run((program, test), mutant.number, LIMIT)?;
        match outcome {
            RunOutcome::Failed => Ok(Some(MutantOutcome::Caught(witness(program, test), time))),
            RunOutcome::Passed => Ok(None),
            RunOutcome::TimedOut => bail!("{}: {test} did not end within ten minutes", mutant.name),
            RunOutcome::Broken => bail!("{}: {test} ended without a result", mutant.name),
        }
    }

    /// How a test ends with this mutant on, and after how long.
    fn run(&self, test: Test, mutant: u32, limit: Duration) -> Result<(RunOutcome, Duration)> {
        let log = self.logs.join(format!("on-{mutant}.log"));
        run(test.0, &[test.1], SwitchedOn::On(mutant), limit, &log)
    }

    /// Looks for a test that fails with this mutant on among those that reach it, fast ones first.
    pub fn hunt(&self, mutant: u32) -> Result<Option<Witness>> {
        let reached = self.reached()?;
        for traced in reached
            .iter()
            .filter(|traced| traced.mutants.contains(&mutant))
        {
            let (program, _) = &self.programs[traced.program];
            // What takes that much longer than without the mutant is no witness that anybody would wait for.
            let limit = (traced.time * 20).max(Duration::from_secs(20)).min(LIMIT);
            let fails = || {
                let test = (program, traced.test.as_str());
                Ok::<_, anyhow::Error>(self.run(test, mutant, limit)?.0 == RunOutcome::Failed)
            };
            let mut failed = 0;
            while failed < TIMES && fails()? {
                failed += 1;
            }
            if failed == TIMES {
                return Ok(Some(witness(program, &traced.test)));
            }
        }
        Ok(None)
    }

    /// The first test that fails when all are run; for a mutant that is on in all of them.
    pub fn first_failed(&self) -> Result<Option<Witness>> {
        for (program, tests) in &self.programs {
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            let log = self.logs.join(format!("all-{}.log", plain(&program.name)));
            match run(program, &tests, SwitchedOn::Off, LIMIT, &log)?.0 {
                RunOutcome::Passed => {}
                RunOutcome::Failed => {
                    let text = fs::read_to_string(&log)?;
                    let failed = run::failed(&text);
                    return Ok(failed.first().map(|test| witness(program, test)));
                }
                outcome => bail!("{}: {outcome:?}, see {}", program.name, log.display()),
            }
        }
        Ok(None)
    }

    /// Returns the mutants that each test reaches, from one run of each test: integration tests first, the fastest of them first.
    fn reached(&self) -> Result<&[Traced]> {
        let _alone = self.tracing.lock().expect("nobody panics while tracing");
        if let Some(reached) = self.reached.get() {
            return Ok(reached);
        }
        let mut tests = Vec::new();
        for (at, (_, names)) in self.programs.iter().enumerate() {
            tests.extend(names.iter().map(|name| (at, name)));
        }
        println!("tracing {} tests", tests.len());
        let traced = in_parallel(&tests, |(at, test)| self.traced(*at, test))?;
        let mut reached: Vec<Traced> = traced.into_iter().flatten().collect();
        // A witness in a library's own tests means that these have to be compiled.
        let is_inside = |traced: &Traced| self.programs[traced.program].0.name.contains(':');
        reached.sort_by_key(|traced| (is_inside(traced), traced.time));
        Ok(self.reached.get_or_init(|| reached))
    }

    /// Returns the mutants that a test reaches; `None` for a test that fails without any mutant and so proves nothing.
    fn traced(&self, at: usize, test: &str) -> Result<Option<Traced>> {
        let (program, _) = &self.programs[at];
        let path = self.logs.join(format!("trace-{at}-{}", plain(test)));
        match fs::remove_file(&path) {
            Err(fault) if fault.kind() != ErrorKind::NotFound => return Err(fault.into()),
            _ => {}
        }
        let log = path.with_extension("log");
        let (outcome, time) = run(program, &[test], SwitchedOn::Trace(&path), LIMIT, &log)?;
        if outcome != RunOutcome::Passed {
            println!(
                "{test} does not pass without any mutant: {outcome:?}, see {}",
                log.display()
            );
            return Ok(None);
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(fault) if fault.kind() == ErrorKind::NotFound => String::new(),
            Err(fault) => return Err(fault.into()),
        };
        let numbers = text.lines().map(str::parse).collect::<Result<_, _>>();
        for file in [&path, &log] {
            // A test that reaches nothing has left no trace.
            _ = fs::remove_file(file);
        }
        Ok(Some(Traced {
            program: at,
            test: test.to_owned(),
            time,
            mutants: numbers.with_context(|| format!("the trace of {test}"))?,
        }))
    }
}

fn witness(program: &Program, test: &str) -> Witness {
    Witness {
        program: program.name.clone(),
        test: test.to_owned(),
    }
}

/// Outcome of a mutant.
#[derive(Debug)]
pub enum MutantOutcome {
    /// Its witness noticed it.
    Caught(Witness, Duration),
    /// Its witness did not, or there is none; another test did.
    CaughtByAnother(Witness),
    /// No test noticed it.
    Survived,
}

impl MutantOutcome {
    /// Creates the outcome of a mutant whose witness did not notice it, with the test that did.
    pub fn from_witness(witness: Option<Witness>) -> Self {
        witness.map_or(Self::Survived, Self::CaughtByAnother)
    }

    /// The test that noticed.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Caught(witness, _) | Self::CaughtByAnother(witness) => Some(witness),
            Self::Survived => None,
        }
    }

    /// Says it.
    pub fn print(&self, mutant: &Mutant) {
        let name = &mutant.name;
        match (self, &mutant.witness) {
            (Self::Caught(witness, time), _) => {
                println!("{name}: caught by {witness}, {:.1} s", time.as_secs_f64());
            }
            (Self::CaughtByAnother(witness), Some(old)) => {
                println!(
                    "{name}: its witness is stale ({old}); another test notices it, write:\nwitness: {witness}"
                );
            }
            (Self::CaughtByAnother(witness), None) => {
                println!("{name}: names no witness; a test notices it, write:\nwitness: {witness}");
            }
            (Self::Survived, _) => println!("{name}: SURVIVED, every test that reaches it passes"),
        }
    }
}

/// A name as that of a file.
fn plain(name: &str) -> String {
    name.replace([':', '/'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> Suite {
        let program = |name: &str| Program {
            name: name.to_owned(),
            file: PathBuf::from(name),
            folder: PathBuf::new(),
        };
        let tests = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Suite {
            programs: vec![
                (program("lib:core"), tests(&["a::x", "b::y"])),
                (program("native"), tests(&["a::x", "c::z"])),
            ],
            logs: PathBuf::new(),
            reached: OnceLock::new(),
            tracing: Mutex::new(()),
        }
    }

    #[test]
    fn a_witness_is_found_in_its_program_or_by_its_path() {
        let suite = suite();
        let found = |program: &str, test: &str| {
            let witness = Witness {
                program: program.to_owned(),
                test: test.to_owned(),
            };
            suite
                .find(&witness)
                .map(|(program, test)| (program.name.clone(), test.to_owned()))
        };
        let is = |program: &str, test: &str| Some((program.to_owned(), test.to_owned()));
        assert_eq!(found("native", "a::x"), is("native", "a::x"));
        assert_eq!(found("lib:edgewise", "b::y"), is("lib:core", "b::y"));
        assert_eq!(found("native", "b::y"), is("lib:core", "b::y"));
        assert_eq!(found("native", "b"), None);
    }
}
