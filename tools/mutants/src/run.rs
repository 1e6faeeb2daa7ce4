//! Runs tests with a mutant on, or with none.

use crate::cargo::Program;
use crate::runtime;
use anyhow::{Context, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// The mutants to switch on.
#[derive(Debug, Clone, Copy)]
pub enum SwitchedOn<'a> {
    /// No mutant is on.
    Off,
    /// The mutant of this number.
    On(u32),
    /// No mutant is on; the mutants that are reached are written to this file.
    Trace(&'a Path),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOutcome {
    /// Every test passed, as many as were asked for.
    Passed,
    /// A test failed.
    Failed,
    /// It took too long and was ended.
    TimedOut,
    /// It ended without a result.
    Broken,
}

/// Runs the tests of these paths together; what they print goes to the file `log`.
pub fn run(
    program: &Program,
    tests: &[&str],
    switch: SwitchedOn,
    limit: Duration,
    log: &Path,
) -> Result<(RunOutcome, Duration)> {
    let started = Instant::now();
    let output = File::create(log).with_context(|| log.display().to_string())?;
    let mut command = Command::new(&program.file);
    command
        .arg("--exact")
        .args(tests)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env_remove(runtime::ON)
        .env_remove(runtime::TRACE)
        // A backtrace takes longer than most tests.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stderr(output.try_clone()?)
        .stdout(output)
        // A group of its own, so that what a test has started can be ended with it.
        .process_group(0);
    match switch {
        SwitchedOn::Off => {}
        SwitchedOn::On(number) => _ = command.env(runtime::ON, number.to_string()),
        SwitchedOn::Trace(path) => _ = command.env(runtime::TRACE, path),
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("{} cannot be started", program.file.display()))?;
    if child.wait_timeout(limit)?.is_none() {
        killpg(Pid::from_raw(child.id().try_into()?), Signal::SIGKILL)?;
        child.wait()?;
        return Ok((RunOutcome::TimedOut, started.elapsed()));
    }
    let text = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    Ok((outcome(&text, tests.len()), started.elapsed()))
}

/// Returns the outcome of a test program with `tests` tests from its output.
fn outcome(text: &str, tests: usize) -> RunOutcome {
    let mut results = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "));
    match results.next_back() {
        Some(result) if result.starts_with("FAILED") => RunOutcome::Failed,
        Some(result) if result.starts_with(&format!("ok. {tests} passed;")) => RunOutcome::Passed,
        _ => RunOutcome::Broken,
    }
}

/// The tests that failed, by what their program printed.
pub fn failed(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
        .collect()
}

/// Does the work for each item, as many at a time as there are cores; the results in the order of the items. The first
/// fault ends it.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let taken = || {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    items.get(at).map(|item| (at, item))
                };
                while let Some((at, item)) = taken() {
                    let result = work(item);
                    if result.is_err() {
                        next.store(items.len(), Ordering::Relaxed);
                    }
                    results
                        .lock()
                        .expect("no worker panics while it holds the list")
                        .push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker is left");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn results_are_distinguished() {
        let result = |text: &str| format!("running 2 tests\n\ntest result: {text}\n\n");
        for (text, expected) in [
            (
                result("ok. 2 passed; 0 failed; 0 ignored"),
                RunOutcome::Passed,
            ),
            (result("FAILED. 1 passed; 1 failed"), RunOutcome::Failed),
            // A test that is not there any more proves nothing.
            (
                result("ok. 1 passed; 0 failed; 0 ignored"),
                RunOutcome::Broken,
            ),
            (
                "running 2 tests\nfatal runtime error".to_owned(),
                RunOutcome::Broken,
            ),
        ] {
            assert_eq!(outcome(&text, 2), expected, "{text}");
        }
        assert_eq!(failed("test a::b ... ok\ntest c ... FAILED\n"), ["c"]);
    }

    #[test]
    fn work_is_done_once_for_each_and_stays_in_order() {
        let items: Vec<u32> = (0..100).collect();
        let doubled = in_parallel(&items, |n| Ok(n * 2)).expect("nothing fails");
        assert_eq!(doubled, items.iter().map(|n| n * 2).collect::<Vec<_>>());
        let fault = in_parallel(
            &items,
            |n| if *n == 3 { anyhow::bail!("no") } else { Ok(()) },
        );
        assert!(fault.is_err());
    }

    #[test]
    fn a_run_that_does_not_end_is_ended_with_all_that_it_started() {
        let folder = std::env::temp_dir().join(format!("edgewise-run-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join("endless");
        fs::write(&file, "#!/bin/sh\nsleep 60 & echo $!\nwait\n").expect("can be written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("can be started");
        let program = Program {
            name: "endless".to_owned(),
            file,
            folder: folder.clone(),
        };
        let log = folder.join("log");
        let limit = Duration::from_millis(300);
        let (outcome, time) = run(&program, &["a"], SwitchedOn::Off, limit, &log).expect("starts");
        assert_eq!(outcome, RunOutcome::TimedOut);
        assert!(time < Duration::from_secs(30));
        let started = fs::read_to_string(&log).expect("the log is there");
        let started = Pid::from_raw(started.trim().parse().expect("is a number"));
        // It is deleted as soon as it is reported.
        let gone = (0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            let state = fs::read_to_string(format!("/proc/{started}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        });
        assert!(gone, "{started} goes on");
        fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
}
