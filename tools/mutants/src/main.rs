//! Breaks a copy of the source in one place at a time; the tests must notice every time.
//!
//! Every file `tests/mutants/NAME.mutant` is one mutant; [`mutant`] says how they are written. All of them are put into
//! one copy of the clone, where an environment variable switches one of them on, so the copy is compiled once. A mutant
//! names its witness, the test that is known to notice it: that alone is run, with the mutant on and with none. If it
//! passes with the mutant on, all tests that reach the mutant are tried; the mutant survives if they pass, too.
//!
//! Only a failing test counts as noticing. A run that does not end or that ends without a result is neither.

mod cargo;
mod copy;
mod mutant;
mod plan;
mod run;
mod runtime;
mod suite;
mod switch;

use crate::cargo::{Build, Cargo};
use crate::mutant::{Mutant, Witness};
use crate::plan::Plan;
use crate::run::{Outcome, in_parallel};
use crate::suite::{LIMIT, Suite, Test};
use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// As many mutants the tests are known to catch; a removed file is noticed.
const AT_LEAST: usize = 109;

/// Set to a number N, only every N-th mutant is run, beginning with one that the commit decides, so that commits take
/// turns.
const PARTS: &str = "EDGEWISE_MUTANTS_PARTS";

/// Where the mutants are.
const FOLDER: &str = "tests/mutants";

/// Breaks a copy of the source in one place at a time; the tests must notice every time.
#[derive(Debug, Parser)]
#[command(name = "mutants")]
struct Options {
    /// Only the mutants whose names begin so.
    begins: Vec<String>,
    /// Look for a witness of each mutant that names none, and write it into the mutant's file.
    #[arg(long)]
    find: bool,
    /// With --find: look for witnesses of mutants that name one, too.
    #[arg(long, requires = "find")]
    all: bool,
    /// The repository.
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

fn main() -> ExitCode {
    match mutants() {
        Ok(code) => code,
        Err(fault) => {
            // Without a backtrace, whatever the environment asks for.
            eprintln!("error: {fault:#}");
            ExitCode::FAILURE
        }
    }
}

/// Does what was asked for.
fn mutants() -> Result<ExitCode> {
    let options = Options::parse();
    let root = options.root.canonicalize()?;
    let all = mutant::read_all(&root.join(FOLDER))?;
    ensure!(
        all.len() >= AT_LEAST,
        "{FOLDER} holds {} mutants, {AT_LEAST} are expected",
        all.len()
    );
    let chosen = chosen(&all, &options, &root)?;
    let workplace = Workplace::new(&root)?;
    let build = Stopwatch::start()?;
    let (plan, suite) = workplace.switched(&all)?;
    let build = build.told()?;
    println!("the copy with all switches: {build}");
    for (number, why) in &plan.awkward {
        let name = all.iter().find(|mutant| mutant.number == *number);
        let name = name.map_or("", |mutant| &mutant.name);
        println!("{name} is awkward and compiled by itself: {why}");
    }

    let runs = Stopwatch::start()?;
    if options.find {
        let mut wanted = chosen;
        wanted.retain(|mutant| options.all || mutant.witness.is_none());
        let missed = find(&workplace, &wanted, &plan, &suite)?;
        println!("witnesses: {missed} not found; {}", runs.told()?);
        return Ok(ExitCode::from(u8::from(missed > 0)));
    }
    let witnesses: Vec<Test> = chosen
        .iter()
        .filter_map(|mutant| suite.find(mutant.witness.as_ref()?))
        .collect();
    suite.pass(&witnesses)?;
    let off = runs.seconds();
    println!(
        "without any mutant {} witnesses pass, {off:.1} s",
        witnesses.len()
    );

    let (awkward, switched) = apart(&chosen, &plan);
    let mut fates = in_parallel(&switched, |mutant| {
        let fate = fate(&suite, mutant, false)?;
        fate.tell(mutant);
        Ok(fate)
    })?;
    let runs = runs.told()?;
    let alone = Stopwatch::start()?;
    for mutant in &awkward {
        let fate = workplace.alone(mutant, &plan)?;
        fate.tell(mutant);
        fates.push(fate);
    }
    if !awkward.is_empty() {
        println!("awkward mutants: {}", alone.told()?);
    }
    let survived = fates.iter().filter(|fate| fate.survived()).count();
    let caught = fates.len() - survived;
    println!("build: {build}; runs: {runs}");
    println!("mutants: {caught} caught, {survived} survived");
    Ok(ExitCode::from(u8::from(survived > 0)))
}

/// The mutants that were asked for.
fn chosen<'a>(all: &'a [Mutant], options: &Options, root: &Path) -> Result<Vec<&'a Mutant>> {
    if !options.begins.is_empty() {
        let mut chosen = Vec::new();
        for begin in &options.begins {
            let before = chosen.len();
            chosen.extend(all.iter().filter(|mutant| mutant.name.starts_with(begin)));
            ensure!(chosen.len() > before, "no mutant is named {begin}");
        }
        return Ok(chosen);
    }
    let parts = match env::var(PARTS) {
        Ok(parts) => parts
            .parse()
            .with_context(|| format!("{PARTS} is {parts}"))?,
        Err(_) => 1,
    };
    if parts <= 1 {
        return Ok(all.iter().collect());
    }
    let output = Command::new("git")
        .args(["rev-parse", "--short=6", "HEAD"])
        .current_dir(root)
        .output();
    let commit = output.map_or(String::new(), |output| {
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    let first = first_of(commit.trim(), parts);
    let chosen: Vec<&Mutant> = all.iter().skip(first).step_by(parts).collect();
    println!(
        "one part of {}: {} of {} mutants, every other is compiled",
        parts,
        chosen.len(),
        all.len()
    );
    Ok(chosen)
}

/// The first mutant of the part whose turn it is at a commit.
fn first_of(commit: &str, parts: usize) -> usize {
    let digits = commit.get(..6).unwrap_or("0");
    usize::from_str_radix(digits, 16).unwrap_or(0) % parts
}

/// The folders that the copy and its builds are in.
struct Workplace {
    root: PathBuf,
    cargo: Cargo,
    logs: PathBuf,
}

impl Workplace {
    fn new(root: &Path) -> Result<Self> {
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

    /// Makes the copy with switches for all mutants and compiles its tests. A mutant that does not compile there is
    /// awkward.
    fn switched(&self, all: &[Mutant]) -> Result<(Plan, Suite)> {
        let mut awkward = BTreeMap::new();
        loop {
            let plan = Plan::new(&self.root, all, &awkward)?;
            copy::sync(&self.root, &self.cargo.copy, &plan.files)?;
            let (text, places, all_placed) = match self.cargo.build()? {
                Build::Done(programs) => {
                    let suite = Suite::new(programs, self.logs.clone())?;
                    return Ok((plan, suite));
                }
                Build::Failed {
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

    /// Compiles the copy with this one mutant in place of the switches of its file.
    fn alone(&self, mutant: &Mutant, plan: &Plan) -> Result<Fate> {
        let path = Path::new(&mutant.file);
        let mut source = fs::read_to_string(self.root.join(path))?;
        source = mutant.applied(&source)?;
        if path.ends_with("src/lib.rs") {
            source.push_str(runtime::DECLARATION);
        }
        let mut files = plan.files.clone();
        files.insert(path.to_owned(), source);
        copy::sync(&self.root, &self.cargo.copy, &files)?;
        let fate = match self.cargo.build()? {
            Build::Done(programs) => fate(&Suite::new(programs, self.logs.clone())?, mutant, true),
            Build::Failed { text, .. } => bail!("{} does not compile\n{text}", mutant.name),
        };
        copy::sync(&self.root, &self.cargo.copy, &plan.files)?;
        fate
    }

    /// Writes a witness into the file of its mutant; whether there is one.
    fn write(&self, mutant: &Mutant, witness: Option<&Witness>) -> Result<bool> {
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

/// What became of a mutant.
enum Fate {
    /// Its witness noticed it.
    Caught(Witness, Duration),
    /// Its witness did not, or there is none; another test did.
    CaughtByAnother(Witness),
    /// Nobody noticed.
    Survived,
}

impl Fate {
    fn survived(&self) -> bool {
        matches!(self, Self::Survived)
    }

    fn tell(&self, mutant: &Mutant) {
        let name = &mutant.name;
        match (self, &mutant.witness) {
            (Self::Caught(witness, time), _) => {
                println!("{name}: caught by {witness}, {:.1} s", time.as_secs_f64());
            }
            (Self::CaughtByAnother(witness), Some(old)) => {
                println!(
                    "{name}: its witness is stale ({old}); caught by another, write this:\nwitness: {witness}"
                );
            }
            (Self::CaughtByAnother(witness), None) => {
                println!("{name}: names no witness; caught, write this:\nwitness: {witness}");
            }
            (Self::Survived, _) => println!("{name}: SURVIVED, every test that reaches it passes"),
        }
    }
}

/// Runs a mutant's witness, and if that does not notice, all other tests that can. An awkward mutant is there all the
/// time, so any test can.
fn fate(suite: &Suite, mutant: &Mutant, is_awkward: bool) -> Result<Fate> {
    let test = mutant.witness.as_ref().and_then(|named| suite.find(named));
    if let Some((program, test)) = test {
        let (outcome, time) = suite.run((program, test), mutant.number, LIMIT)?;
        match outcome {
            Outcome::Failed => {
                let witness = Witness {
                    program: program.name.clone(),
                    test: test.to_owned(),
                };
                return Ok(Fate::Caught(witness, time));
            }
            Outcome::Passed => {}
            Outcome::TimedOut => bail!("{}: {test} did not end within ten minutes", mutant.name),
            Outcome::Broken => bail!("{}: {test} ended without a result", mutant.name),
        }
    }
    let found = if is_awkward {
        suite.first_failed()?
    } else {
        suite.hunt(mutant.number)?
    };
    Ok(found.map_or(Fate::Survived, Fate::CaughtByAnother))
}

/// Looks for witnesses and writes them into the files of their mutants. How many were not found.
fn find(workplace: &Workplace, wanted: &[&Mutant], plan: &Plan, suite: &Suite) -> Result<usize> {
    suite.trace()?;
    let (awkward, switched) = apart(wanted, plan);
    let mut found = in_parallel(&switched, |mutant| {
        let witness = suite.hunt(mutant.number)?;
        workplace.write(mutant, witness.as_ref())
    })?;
    for mutant in awkward {
        let witness = match workplace.alone(mutant, plan)? {
            Fate::Caught(witness, _) | Fate::CaughtByAnother(witness) => Some(witness),
            Fate::Survived => None,
        };
        found.push(workplace.write(mutant, witness.as_ref())?);
    }
    Ok(found.iter().filter(|found| !**found).count())
}

/// Those that are awkward, and those that can be switched.
fn apart<'a>(mutants: &[&'a Mutant], plan: &Plan) -> (Vec<&'a Mutant>, Vec<&'a Mutant>) {
    mutants
        .iter()
        .partition(|mutant| plan.awkward.contains_key(&mutant.number))
}

/// Wall time, and the time on all cores of the programs that were started and have ended.
struct Stopwatch {
    started: Instant,
    cores: f64,
}

impl Stopwatch {
    fn start() -> Result<Self> {
        Ok(Self {
            started: Instant::now(),
            cores: cores_seconds()?,
        })
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn told(&self) -> Result<String> {
        let cores = cores_seconds()? - self.cores;
        Ok(format!("{:.0} s, {cores:.0} s of CPU", self.seconds()))
    }
}

/// What ended children have computed so far [s].
fn cores_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the time of children")?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_take_turns() {
        assert_eq!(first_of("00000f", 24), 15);
        assert_eq!(first_of("000018", 24), 0);
        assert_eq!(first_of("", 24), 0);
    }
}
