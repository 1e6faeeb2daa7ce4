//! `model`: what a `config.json` or a GGUF file says of its model; and the model of `run --model`, and how `run` loads it.

use super::args::{ImportArgs, LoadingArgs, ModelArgs, ModelFormat};
use super::console::{Console, cannot};
use super::{ANSWERED, BAD_INPUT};
use engine::model::precision::Stored;
use engine::problem::{Code, Invalid};
use engine::scenario::import::gguf::header::{Header, HeaderEnd, LARGEST};
use engine::scenario::import::weights::{LENGTH_BYTES, WeightFiles, header_length, is_index};
use engine::scenario::import::{self, ImportedModel, UserAnswers, gguf};
use engine::scenario::{Any, FileAccess, Loading, WeightSource, open};
use protocol::import::{document, text};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// First read of a file [B]; doubled while the header goes on.
const FIRST: u64 = 1 << 20;
/// The longest `config.json` that is read [B].
const LONGEST_CONFIG: u64 = 16_000_000;

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
            let advice = "; answer with --set FIELD=VALUE";
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
        match con.folder(file)? {
            Some(inside) => all.extend(files_of_model(file, inside)?),
            None => all.push(file.clone()),
        }
    }
    let Some(first) = all.first() else {
        return Err(Invalid::new(Code::Option, "", "", "a file is needed"));
    };
    let name = first.display().to_string();
    if is_gguf(con, first)? {
        let parts = all.iter().map(|file| header(con, file));
        let parts = parts.collect::<Result<Vec<Header>, _>>()?;
        return Ok(gguf::describe(&parts, &name, answers));
    }
    let mut config = None;
    let mut weights = WeightFiles::default();
    for file in &all {
        let named = |fault: Invalid| {
            let message = format!("{}: {}", file.display(), fault.message);
            Invalid { message, ..fault }
        };
        if has_ending(file, "safetensors") {
            let header = safetensors_header(con, file).map_err(named)?;
            weights.add_header(&header).map_err(named)?;
            continue;
        }
        let text = json(con, file)?;
        match serde_json::from_str(&text) {
            Ok(read) if is_index(&read) => weights.add_index(&read).map_err(named)?,
            _ if config.is_none() => config = Some((text, file)),
            _ => {
                let message = "several files must be the parts of one GGUF file, or one config.json with its index or safetensors files";
                return Err(Invalid::new(Code::Option, "", name, message));
            }
        }
    }
    let Some((text, file)) = config else {
        let message = format!(
            "{name} says what is stored and not what is computed: give the config.json beside it as well"
        );
        return Err(Invalid::new(Code::Missing, "config.json", name, message));
    };
    let name = file.display().to_string();
    import::config_with_weights(&text, &name, answers, &weights)
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

/// The text of a config or an index.
fn json(con: &Console<'_>, path: &Path) -> Result<String, Invalid> {
    let mut bytes = Vec::new();
    fill(con.open(path)?.take(LONGEST_CONFIG + 1), &mut bytes, path)?;
    if bytes.len() as u64 > LONGEST_CONFIG {
        let name = path.display().to_string();
        let message =
            format!("{name} is not a config.json: it has more than {LONGEST_CONFIG} bytes");
        return Err(Invalid::new(Code::Io, "", name, message));
    }
    Ok(open::text_of(&bytes))
}

/// The header of a safetensors file.
fn safetensors_header(con: &Console<'_>, path: &Path) -> Result<String, Invalid> {
    let mut file = con.open(path)?;
    let mut first = Vec::new();
    fill((&mut file).take(LENGTH_BYTES as u64), &mut first, path)?;
    let mut length = [0; LENGTH_BYTES];
    let found = first.len();
    if found == LENGTH_BYTES {
        length.copy_from_slice(&first);
    }
    let length = header_length(length)?;
    let mut bytes = Vec::new();
    fill((&mut file).take(length), &mut bytes, path)?;
    if (bytes.len() as u64) < length {
        let message = format!(
            "this safetensors file is cut short: its header has {length} bytes, and {} are here",
            bytes.len()
        );
        return Err(Invalid::new(Code::Syntax, "", bytes.len(), message));
    }
    String::from_utf8(bytes).map_err(|_| {
        let message = "the header of this safetensors file is not UTF-8 text";
        Invalid::new(Code::Syntax, "", "", message)
    })
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn fill(mut from: impl Read, bytes: &mut Vec<u8>, path: &Path) -> Result<(), Invalid> {
    let read = from.read_to_end(bytes);
    read.map(|_| ()).map_err(|fault| cannot(path, &fault))
}

/// Returns true if a file is called or begins like a GGUF file.
fn is_gguf(con: &Console<'_>, path: &Path) -> Result<bool, Invalid> {
    let mut magic = Vec::new();
    fill(con.open(path)?.take(4), &mut magic, path)?;
    Ok(magic == b"GGUF" || has_ending(path, "gguf"))
}

fn header(con: &Console<'_>, path: &Path) -> Result<Header, Invalid> {
    let mut file = con.open(path)?;
    let mut bytes = Vec::new();
    let mut wanted = FIRST;
    loop {
        fill(
            (&mut file).take(wanted - bytes.len() as u64),
            &mut bytes,
            path,
        )?;
        let is_whole = (bytes.len() as u64) < wanted;
        match gguf::read(&bytes, is_whole) {
            Ok(header) => return Ok(header),
            Err(HeaderEnd::Broken(fault)) => {
                let message = format!("{}: {}", path.display(), fault.message);
                return Err(Invalid { message, ..fault });
            }
            Err(HeaderEnd::More(needed)) => wanted = needed.max(2 * wanted).min(LARGEST + 1),
        }
    }
}
