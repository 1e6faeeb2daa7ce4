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
mod stopwatch;
mod suite;
mod switch;
mod workspace_copy;

use crate::mutant::Mutant;
use crate::plan::MutantPlan;
use crate::run::in_parallel;
use crate::stopwatch::Stopwatch;
use crate::suite::{MutantOutcome, Suite, Test};
use crate::workspace_copy::{FOLDER, Workplace};
use anyhow::{Context, Result, ensure};
use clap::Parser;
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// As many mutants the tests are known to catch; a removed file is noticed.
const AT_LEAST: usize = 109;

/// Set to a number N, only every N-th mutant is run, beginning with one that the commit decides, so that commits take
/// turns.
const STRIDE_VARIABLE: &str = "EDGEWISE_MUTANTS_PARTS";

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
    let only = if options.find {
        BTreeSet::new()
    } else {
        programs_of(&chosen)
    };
    let build = Stopwatch::start()?;
    let (plan, suite) = workplace.switched(&all, &only)?;
    let build = build.text()?;
    println!("the copy with all switches: {build}");
    for mutant in &all {
        if let Some(why) = plan.awkward.get(&mutant.number) {
            println!("{} is awkward, it is compiled apart: {why}", mutant.name);
        }
    }
    let survived = if options.find {
        let mut wanted = chosen;
        wanted.retain(|mutant| options.all || mutant.witness.is_none());
        find(&workplace, &wanted, &plan, &suite)?
    } else {
        let runs = Stopwatch::start()?;
        let outcomes = outcomes(&workplace, &all, &chosen, &plan, &suite)?;
        let survived = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, MutantOutcome::Survived))
            .count();
        let caught = outcomes.len() - survived;
        println!("build: {build}; runs: {}", runs.text()?);
        println!("mutants: {caught} caught, {survived} survived");
        survived
    };
    Ok(ExitCode::from(u8::from(survived > 0)))
}

/// The integration tests that the witnesses are in, or none if they are not all in such.
fn programs_of<'a>(mutants: &[&'a Mutant]) -> BTreeSet<&'a str> {
    let programs = mutants.iter().map(|mutant| {
        let program = mutant.witness.as_ref()?.program.as_str();
        (!program.contains(':')).then_some(program)
    });
    programs.collect::<Option<_>>().unwrap_or_default()
}

/// Runs the witnesses, and where one does not notice its mutant, all tests that reach it.
fn outcomes(
    workplace: &Workplace,
    all: &[Mutant],
    chosen: &[&Mutant],
    plan: &MutantPlan,
    suite: &Suite,
) -> Result<Vec<MutantOutcome>> {
    let witnesses: Vec<Test> = chosen
        .iter()
        .filter_map(|mutant| suite.find(mutant.witness.as_ref()?))
        .collect();
    suite.pass(&witnesses)?;
    println!("without any mutant {} witnesses pass", witnesses.len());

    let (mut awkward, switched) = apart(chosen, plan);
    let mut last_plan = None;
    let found = in_parallel(&switched, |mutant| {
        let outcome = suite.by_witness(mutant)?;
        if let Some(outcome) = &outcome {
            outcome.print(mutant);
        }
        Ok(outcome)
    })?;
    let missed: Vec<&Mutant> = switched
        .into_iter()
        .zip(&found)
        .filter_map(|(mutant, outcome)| outcome.is_none().then_some(mutant))
        .collect();
    let mut outcomes: Vec<MutantOutcome> = found.into_iter().flatten().collect();
    if !missed.is_empty() {
        println!(
            "{} have no witness or a stale one, all tests are tried",
            missed.len()
        );
        let (plan, suite) = workplace.switched(all, &BTreeSet::new())?;
        let (more, missed) = apart(&missed, &plan);
        outcomes.extend(in_parallel(&missed, |mutant| {
            let outcome = MutantOutcome::from_witness(suite.hunt(mutant.number)?);
            outcome.print(mutant);
            Ok(outcome)
        })?);
        awkward.extend(more);
        last_plan = Some(plan);
    }
    for mutant in awkward {
        let outcome = workplace.alone(mutant, last_plan.as_ref().unwrap_or(plan))?;
        outcome.print(mutant);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Looks for witnesses and writes them into the files of their mutants. How many were not found.
fn find(
    workplace: &Workplace,
    wanted: &[&Mutant],
    plan: &MutantPlan,
    suite: &Suite,
) -> Result<usize> {
    let (awkward, switched) = apart(wanted, plan);
    let mut found = in_parallel(&switched, |mutant| {
        let witness = suite.hunt(mutant.number)?;
        workplace.write(mutant, witness.as_ref())
    })?;
    for mutant in awkward {
        let outcome = workplace.alone(mutant, plan)?;
        found.push(workplace.write(mutant, outcome.witness())?);
    }
    Ok(found.iter().filter(|found| !**found).count())
}

/// Divides the mutants into those that need a build of their own and those that can be switched at run time.
fn apart<'a>(mutants: &[&'a Mutant], plan: &MutantPlan) -> (Vec<&'a Mutant>, Vec<&'a Mutant>) {
    mutants
        .iter()
        .partition(|mutant| plan.awkward.contains_key(&mutant.number))
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
    let parts = match env::var(STRIDE_VARIABLE) {
        Ok(parts) => parts
            .parse()
            .with_context(|| format!("{STRIDE_VARIABLE} is {parts}"))?,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_witnesses_are_in_is_compiled() {
        let mutant = |witness: &str| {
            let text = format!("file: a\n{witness}\n--- old\nx\n--- new\n--- end\n");
            Mutant::read("1", &text).expect("is well formed")
        };
        let native = mutant("witness: native a");
        let other = mutant("witness: other a");
        let lib = mutant("witness: lib:engine a");
        let none = mutant("");
        let programs = |mutants: &[&Mutant]| programs_of(mutants).len();
        assert_eq!(programs(&[&native, &native, &other]), 2);
        assert_eq!(programs(&[&native, &lib]), 0);
        assert_eq!(programs(&[&native, &none]), 0);
    }

    #[test]
    fn commits_take_turns() {
        assert_eq!(first_of("00000f", 24), 15);
        assert_eq!(first_of("000018", 24), 0);
        assert_eq!(first_of("", 24), 0);
    }
}
