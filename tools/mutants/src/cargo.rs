//! Builds the copy's tests.

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Message, MetadataCommand, Package, TargetKind};
use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// This tool, which breaks others.
const OURSELVES: &str = "edgewise-mutants";

/// The package whose loops take most of the tests' time.
const SOLVERS: &str = "edgewise-methods";

/// Where the copy is and where its builds go.
#[derive(Debug)]
pub struct Cargo {
    /// The copy.
    pub copy: PathBuf,
    /// Its finished programs.
    pub out: PathBuf,
    /// Folder of build artifacts: that of the clone, so that libraries are compiled only once.
    pub between: PathBuf,
}

/// A program of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name in a witness: that of an integration test, or `lib:` or `bin:` and a name.
    pub name: String,
    /// The file to start.
    pub file: PathBuf,
    /// The folder of its package, where cargo starts it.
    pub folder: PathBuf,
}

/// Result of a build.
#[derive(Debug)]
pub enum BuildResult {
    /// The programs.
    Done(Vec<Program>),
    /// It does not compile.
    Failed {
        /// Message of the compiler.
        text: String,
        /// The file, from the root, and the line of every error that has a place.
        places: Vec<(PathBuf, usize)>,
        /// True if every error has a place.
        all_placed: bool,
    },
}

impl Cargo {
    /// Compiles the tests that a plain `cargo test` runs, which need no browser: of them these integration tests, or all
    /// for none or if one of these is not there.
    pub fn build(&self, only: &BTreeSet<&str>) -> Result<BuildResult> {
        let metadata = MetadataCommand::new()
            .current_dir(&self.copy)
            .no_deps()
            .exec()
            .context("the packages of the copy")?;
        let mut command = Command::new(cargo());
        command
            .current_dir(&self.copy)
            .env("CARGO_TARGET_DIR", &self.out)
            .env("CARGO_BUILD_BUILD_DIR", &self.between)
            .args(["test", "--no-run", "--message-format=json"])
            .args(["--config", "profile.dev.incremental=false"]);
        // All packages whatever is built of them, so that libraries have the same features every time.
        let packages = metadata.workspace_default_packages();
        for package in &packages {
            arguments(package, &mut command);
        }
        let is_there = |test: &&str| {
            let mut targets = packages.iter().flat_map(|package| &package.targets);
            targets.any(|target| target.is_test() && target.name == **test)
        };
        if only.iter().all(is_there) {
            for test in only {
                command.args(["--test", test]);
            }
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cargo cannot be started")?;
        let output = child.stdout.take().context("cargo has an output")?;
        let mut programs = Vec::new();
        let (mut text, mut places, mut all_placed) = (String::new(), Vec::new(), true);
        for message in Message::parse_stream(BufReader::new(output)) {
            match message? {
                Message::CompilerArtifact(artifact) if artifact.profile.test => {
                    if let Some(file) = artifact.executable {
                        programs.push(Program {
                            name: name(&artifact.target.kind, &artifact.target.name),
                            file: file.into(),
                            folder: folder(artifact.manifest_path.as_std_path()),
                        });
                    }
                }
                Message::CompilerMessage(said) if said.message.level == DiagnosticLevel::Error => {
                    let fault = said.message;
                    let before = places.len();
                    for span in fault.spans.iter().filter(|span| span.is_primary) {
                        places.push((PathBuf::from(&span.file_name), span.line_start));
                    }
                    // The last line only counts the errors.
                    all_placed &= places.len() > before || fault.message.starts_with("aborting");
                    text.push_str(&fault.rendered.unwrap_or(fault.message));
                }
                _ => {}
            }
        }
        if child.wait()?.success() {
            programs.sort_by(|a, b| a.name.cmp(&b.name));
            return Ok(BuildResult::Done(programs));
        }
        ensure!(!text.is_empty(), "cargo failed");
        Ok(BuildResult::Failed {
            text,
            places,
            all_placed,
        })
    }
}

/// The cargo that started this program, or any.
fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn folder(manifest: &Path) -> PathBuf {
    manifest.parent().unwrap_or(Path::new("")).to_owned()
}

fn name(kinds: &[TargetKind], name: &str) -> String {
    if kinds.contains(&TargetKind::Test) {
        name.to_owned()
    } else if kinds.contains(&TargetKind::Bin) {
        format!("bin:{name}")
    } else {
        format!("lib:{name}")
    }
}

/// Adds a package to what is built.
fn arguments(package: &Package, command: &mut Command) {
    if *package.name == OURSELVES {
        return;
    }
    command.args(["--package", &package.name]);
    // By name and version alone cargo would take the copy's programs for those of the clone, and the clone's next
    // test would run them. An odd number of units identifies them; they are never debugged.
    // A witness is short, so a quick build is worth more than a quick program, but for what searches.
    let level = if *package.name == SOLVERS { 1 } else { 0 };
    let level = format!("opt-level={level}");
    let settings = ["codegen-units=17", "debug=0", &level];
    for setting in settings {
        let setting = format!("profile.dev.package.{}.{setting}", package.name);
        command.args(["--config", &setting]);
    }
}

/// The tests of a program, without those that are ignored.
pub fn tests(program: &Program) -> Result<Vec<String>> {
    let listed = |more: &[&str]| {
        let output = Command::new(&program.file)
            .args(["--list", "--format", "terse"])
            .args(more)
            .current_dir(&program.folder)
            .output()
            .with_context(|| format!("{} cannot be started", program.file.display()))?;
        if !output.status.success() {
            bail!("{} does not list its tests", program.file.display());
        }
        let text = String::from_utf8(output.stdout)?;
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok::<_, anyhow::Error>(names.map(str::to_owned).collect::<Vec<_>>())
    };
    let ignored = listed(&["--ignored"])?;
    let mut tests = listed(&[])?;
    tests.retain(|test| !ignored.contains(test));
    Ok(tests)
}
