//! `model`: what a `config.json` or a GGUF file says of its model; and the model of `run --model`, and how `run` loads it.

use super::args::{ImportArgs, LoadingArgs, ModelArgs, ModelFormat};
use super::console::{Console, cannot};
use super::{ANSWERED, BAD_INPUT};
use engine::model::precision::Stored;
use engine::problem::{Code, Invalid};
use engine::scenario::import::gguf::header::{Header, HeaderEnd, LARGEST};
use engine::scenario::import::{self, ImportedModel, UserAnswers, gguf};
use engine::scenario::{Any, FileAccess, Loading, WeightSource, open};
use protocol::import::{document, text};
use std::io::{self, Read};
use std::path::Path;

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

/// Reads a config or all parts of a GGUF file, and of each no more than its header.
fn read(
    con: &Console<'_>,
    files: &[std::path::PathBuf],
    answers: &UserAnswers,
) -> Result<ImportedModel, Invalid> {
    let first = files.first().map(std::path::PathBuf::as_path);
    let Some(first) = first else {
        return Err(Invalid::new(Code::Option, "", "", "a file is needed"));
    };
    let name = first.display().to_string();
    if !is_gguf(con, first)? {
        if files.len() > 1 {
            let message =
                "several files must be the parts of one GGUF file; give a single config.json";
            return Err(Invalid::new(Code::Option, "", name, message));
        }
        let mut bytes = Vec::new();
        let file = con.open(first)?.take(LONGEST_CONFIG + 1);
        fill(file, &mut bytes, first)?;
        if bytes.len() as u64 > LONGEST_CONFIG {
            let message =
                format!("{name} is not a config.json: it has more than {LONGEST_CONFIG} bytes");
            return Err(Invalid::new(Code::Io, "", name, message));
        }
        return import::config(&open::text_of(&bytes), &name, answers);
    }
    let parts = files
        .iter()
        .map(|file| header(con, file))
        .collect::<Result<Vec<Header>, _>>()?;
    Ok(gguf::describe(&parts, &name, answers))
}

fn fill(mut from: impl Read, bytes: &mut Vec<u8>, path: &Path) -> Result<(), Invalid> {
    let read = from.read_to_end(bytes);
    read.map(|_| ()).map_err(|fault| cannot(path, &fault))
}

/// Returns true if a file is called or begins like a GGUF file.
fn is_gguf(con: &Console<'_>, path: &Path) -> Result<bool, Invalid> {
    let mut magic = Vec::new();
    fill(con.open(path)?.take(4), &mut magic, path)?;
    let ending = path.extension();
    Ok(magic == b"GGUF" || ending.is_some_and(|ending| ending.eq_ignore_ascii_case("gguf")))
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
