//! `model`: what a `config.json` or a GGUF file says of its model; and the model of `run --model`, and how `run` loads it.

use super::args::{ImportArgs, LoadingArgs, ModelArgs, ModelFormat};
use super::console::{Console, cannot};
use super::{ANSWERED, BAD_INPUT};
use engine::model::precision::Stored;
use engine::problem::{Code, Invalid};
use engine::scenario::import::files::{FIRST_READ, FileContent, ModelFiles, next_read};
use engine::scenario::import::gguf::header::HeaderEnd;
use engine::scenario::import::{ImportedModel, UserAnswers};
use engine::scenario::{Any, FileAccess, Loading, WeightSource};
use protocol::import::{document, text};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Says what a file holds.
pub fn model(con: &Console<'_>, args: &ModelArgs) -> io::Result<u8> {
    let is_json = args.format == ModelFormat::Json;
    let brought = match read(con, &args.file, &args.answers()) {
        Ok(brought) => brought,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    if is_json {
        con.print_json(&document(&brought))?;
    } else {
        con.print_text(&text(&brought))?;
    }
    match brought.planned() {
        Ok(_) => Ok(ANSWERED),
        Err(fault) => {
            let mut open = brought
                .facts
                .iter()
                .filter(|fact| fact.question().is_some());
            let advice = match open.any(engine::scenario::import::Fact::can_be_answered) {
                true => "; answer with --set FIELD=VALUE",
                false => "",
            };
            con.note(&format!("{}{advice}", fault.message));
            Ok(BAD_INPUT)
        }
    }
}

/// Puts a model in the place of a scenario's; what a person should know goes to standard error.
///
/// # Errors
/// The file is invalid, or the question cannot plan such a model.
pub fn put(con: &Console<'_>, any: Any, args: &ImportArgs) -> Result<Any, Invalid> {
    let Some(file) = &args.model else {
        if args.set.is_empty() {
            return Ok(any);
        }
        let message = "--set needs --model: it gives values that a model file leaves open";
        return Err(Invalid::new(Code::Option, "", "", message));
    };
    let answers = args.set.iter().cloned().collect();
    let brought = read(con, std::slice::from_ref(file), &answers)?;
    let any = match any {
        Any::ColdStart(mut scenario) => {
            let weights = brought.weights;
            let cache = None;
            scenario.model = brought.planned()?.with_stored(Stored { weights, cache });
            // A model that the user has is meant to run.
            scenario.memory = Some(brought.memory(scenario.memory));
            Any::ColdStart(scenario)
        }
        Any::Tiers(mut scenario) => {
            scenario.model = brought.tier_model()?;
            scenario.cost.weights = brought.weights.unwrap_or(scenario.cost.weights);
            // A split was made for other blocks.
            scenario.split = None;
            scenario.validate()?;
            Any::Tiers(scenario)
        }
        Any::HeadPlacement(mut scenario) => {
            scenario.model = brought.head_model()?;
            scenario.validate()?;
            Any::HeadPlacement(scenario)
        }
        Any::Dispatch(_) | Any::Operators(_) => {
            let message = "--model is only for cold start, tiers and head placement";
            return Err(Invalid::new(Code::Option, "", "", message));
        }
    };
    for fact in brought.facts.iter().filter(|fact| fact.is_assumed()) {
        let (label, shown, why) = (fact.label, fact.display_value(), fact.origin.description());
        con.note(&format!("{label} {shown}, {why}"));
    }
    for note in &brought.notes {
        con.note(note);
    }
    Ok(any)
}

/// Puts what is said of loading in the place of what a scenario says.
///
/// # Errors
/// A number out of range, a host that is no device, options that contradict each other, another question than cold start.
pub fn put_loading(any: Any, args: &LoadingArgs) -> Result<Any, Invalid> {
    let is_said = args.weights_from.is_some()
        || args.host.is_some()
        || args.file_cache.is_some()
        || args.mmap
        || args.stream;
    match any {
        any if !is_said => Ok(any),
        Any::ColdStart(mut scenario) => {
            let before = scenario.loading.take();
            let mut loading = match (args.weights_from, before) {
                (Some(from), _) => Loading::of(from),
                (None, Some(before)) => before,
                (None, None) => Loading::of(WeightSource::Disk),
            };
            if let Some(host) = &args.host {
                let mut devices = scenario.devices.iter();
                let at = devices.position(|device| device.name == *host);
                loading.host = Some(at.ok_or_else(|| {
                    let names = scenario.devices.iter().map(|device| device.name.as_str());
                    let names: Vec<&str> = names.collect();
                    let allowed = format!("the name of a device: {}", names.join(", "));
                    Invalid::range("--host", host.as_str(), &allowed)
                })?);
            }
            loading.cached_pct = args.file_cache.unwrap_or(loading.cached_pct);
            if args.mmap {
                loading.access = FileAccess::Mmap;
            }
            loading.streams |= args.stream;
            scenario.loading = Some(loading);
            scenario.validate()?;
            Ok(Any::ColdStart(scenario))
        }
        _ => {
            let message =
                "--weights-from, --host, --file-cache, --mmap and --stream are only for cold start";
            Err(Invalid::new(Code::Option, "", "", message))
        }
    }
}

/// Reads a config with the files of weights beside it, or all parts of a GGUF file; of files of weights no more than their headers.
/// A folder stands for its files of these kinds.
fn read(
    con: &Console<'_>,
    files: &[PathBuf],
    answers: &UserAnswers,
) -> Result<ImportedModel, Invalid> {
    let mut all = Vec::new();
    for file in files {
        let folder = if is_input(file) {
            None
        } else {
            con.folder(file)?
        };
        match folder {
            Some(inside) => all.extend(files_of_model(file, inside)?),
            None => all.push(file.clone()),
        }
    }
    let mut model = ModelFiles::default();
    for path in &all {
        let content = content(con, path)?;
        let added = model.add(&path.display().to_string(), content);
        added.map_err(|fault| of_file(path, fault))?;
    }
    model.describe(answers)
}

/// Of the files in a folder, those that describe a model: its config, index and safetensors files; or GGUF files.
fn files_of_model(folder: &Path, inside: Vec<PathBuf>) -> Result<Vec<PathBuf>, Invalid> {
    let is_called =
        |path: &&PathBuf, name: &str| path.file_name().is_some_and(|found| found == name);
    let of_ending = |ending: &str| -> Vec<PathBuf> {
        let found = inside.iter().filter(|path| has_ending(path, ending));
        found.cloned().collect()
    };
    let Some(config) = inside.iter().find(|path| is_called(path, "config.json")) else {
        let parts = of_ending("gguf");
        if !parts.is_empty() {
            return Ok(parts);
        }
        let shown = folder.display().to_string();
        let message = format!("the folder {shown} has no config.json and no GGUF file");
        return Err(Invalid::new(Code::Missing, "config.json", shown, message));
    };
    let mut files = vec![config.clone()];
    let is_index = |path: &&PathBuf| is_called(path, "model.safetensors.index.json");
    files.extend(inside.iter().find(is_index).cloned());
    // Beside what transformers reads there may be the same weights in another form, or adapters.
    let weights = of_ending("safetensors");
    let is_main = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("model")
    };
    let main: Vec<PathBuf> = weights.iter().filter(is_main).cloned().collect();
    files.extend(if main.is_empty() { weights } else { main });
    Ok(files)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn fill(mut from: impl Read, bytes: &mut Vec<u8>, path: &Path) -> Result<(), Invalid> {
    let read = from.read_to_end(bytes);
    read.map(|_| ()).map_err(|fault| cannot(path, &fault))
}

/// True for `-`, the standard input.
pub fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file, and of it no more than its header takes.
fn content(con: &Console<'_>, path: &Path) -> Result<FileContent, Invalid> {
    let name = path.display().to_string();
    let mut file: Box<dyn Read + '_> = match is_input(path) {
        true => Box::new(con.standard_input()),
        false => Box::new(con.open(path)?),
    };
    let mut bytes = Vec::new();
    let mut wanted = FIRST_READ;
    loop {
        fill(
            (&mut file).take(wanted - bytes.len() as u64),
            &mut bytes,
            path,
        )?;
        let is_whole = (bytes.len() as u64) < wanted;
        match FileContent::read(&name, &bytes, is_whole) {
            Ok(content) => return Ok(content),
            Err(HeaderEnd::Broken(fault)) => return Err(of_file(path, fault)),
            Err(HeaderEnd::More(needed)) => wanted = next_read(wanted, needed),
        }
    }
}

/// The fault of a file, with its name.
fn of_file(path: &Path, fault: Invalid) -> Invalid {
    let message = format!("{}: {}", path.display(), fault.message);
    Invalid { message, ..fault }
}
