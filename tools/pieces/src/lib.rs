//! Divides the program of a build, which page and workers run, into pieces that are loaded when they are needed.
//!
//! The splitting library cuts the linked program at the functions marked `#[wasm_split]` and finds the code that each of them
//! needs alone and the code that several share; wasm-bindgen then writes the JavaScript around the rest. Bundles that are needed
//! together are sections of one file, a [`pack`]. [`javascript`] says where each is.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod compact;
mod javascript;
mod join;
mod order;
mod pack;

use anyhow::{Context, Result, ensure};
use pack::PackPart;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The program.
const PROGRAM: &str = "app";
/// The profile that Cargo builds it in when the page is to be hosted.
const HOSTED: &str = "web";
/// Profile of builds for development.
const SERVED: &str = "serve";
/// Its target.
const TARGET: &str = "wasm32-unknown-unknown";
/// Text in `boot.js` that is replaced by the table of packs.
const PLACE: &str = "/* packs */ {}";

/// A build that is to be divided.
#[derive(Debug)]
pub struct Build {
    /// Where its files are.
    pub staging: PathBuf,
    /// Where Cargo has put what it linked.
    pub target: PathBuf,
    /// True for the build to be hosted.
    pub is_release: bool,
}

impl Build {
    /// Reads the variables that Trunk sets for its hook.
    ///
    /// # Errors
    /// A variable is missing or has an unknown value.
    pub fn of_hook() -> Result<Self> {
        let said = |name: &str| env::var(name).with_context(|| format!("{name} is set by Trunk"));
        let source = PathBuf::from(said("TRUNK_SOURCE_DIR")?);
        let target = env::var_os("CARGO_TARGET_DIR").map_or(source.join("target"), PathBuf::from);
        Ok(Self {
            staging: said("TRUNK_STAGING_DIR")?.into(),
            target,
            is_release: said("TRUNK_PROFILE")? == "release",
        })
    }
}

/// Divides the program of a build, and has `boot.js` know what there is.
///
/// # Errors
/// A file is missing, or is not as expected.
pub fn divide_build(build: &Build) -> Result<()> {
    let (profile, write): (_, Write) = match build.is_release {
        true => (HOSTED, compact::ordered),
        false => (SERVED, compact::compact),
    };
    let linked = build.target.join(TARGET).join(profile).join(PROGRAM);
    let table = divide(&linked.with_extension("wasm"), &build.staging, write)
        .context("dividing the program")?;
    let boot = build.staging.join("boot.js");
    let text = fs::read_to_string(&boot).context("boot.js")?;
    ensure!(text.contains(PLACE), "boot.js has no place for packs");
    let table = serde_json::to_string(&table)?;
    fs::write(&boot, text.replace(PLACE, &table))?;
    Ok(())
}

/// How a module is written again.
type Write = fn(&[u8]) -> Result<Vec<u8>>;

/// Divides what was linked, with `write` for every module of it; answers which packs each of its parts is in.
fn divide(linked: &Path, staging: &Path, write: Write) -> Result<Value> {
    let folder = staging.join("pieces");
    fs::create_dir_all(&folder)?;
    let wasm = fs::read(linked).with_context(|| linked.display().to_string())?;
    let main = folder.join(format!("{PROGRAM}.wasm"));
    let glue = format!("./{PROGRAM}.js");
    let mut options = wasm_split_cli_support::Options::new(&wasm);
    options.output_dir = &folder;
    options.main_out_path = &main;
    options.main_module = &glue;
    options.target.web();
    let found = wasm_split_cli_support::transform(options);
    let found = found.map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    bind(&main, staging)?;
    let parts = pack::pack_parts(&found.prefetch_map);
    let bound = staging.join(format!("{PROGRAM}_bg.wasm"));
    let rewrite_main =
        || fs::write(&bound, write(&fs::read(&bound)?)?).map_err(anyhow::Error::from);
    let (rewritten, modules) = rayon::join(rewrite_main, || join_parts(&parts, &folder, write));
    rewritten?;
    let split = fs::read_to_string(folder.join("__wasm_split.js"))?;
    let script = staging.join(format!("{PROGRAM}.js"));
    let bound = fs::read_to_string(&script)?;
    fs::write(&script, javascript::joined(&bound, &split, &parts)?)?;

    let mut packs: BTreeMap<&str, Vec<(&str, Vec<u8>)>> = BTreeMap::new();
    let mut places = Map::new();
    for (part, bytes) in parts.iter().zip(modules?) {
        for pack in &part.packs {
            let pack = packs.entry(pack).or_default();
            pack.push((&part.name, bytes.clone()));
        }
        let files = part.packs.iter().map(|pack| json!(file(pack)));
        places.insert(part.name.clone(), files.collect());
    }
    for (pack, parts) in packs {
        fs::write(staging.join(file(pack)), pack::file(&parts))?;
    }
    fs::remove_dir_all(&folder)?;
    Ok(Value::Object(places))
}

/// Joins the bundles of each part, which are in `folder`, into one module.
fn join_parts(parts: &[PackPart], folder: &Path, write: Write) -> Result<Vec<Vec<u8>>> {
    let read = |bundle: &String| Ok(fs::read(folder.join(bundle).with_extension("wasm"))?);
    let join = |part: &PackPart| {
        let bundles: Vec<Vec<u8>> = part.bundles.iter().map(read).collect::<Result<_>>()?;
        write(&join::joined(&bundles)?)
    };
    parts.par_iter().map(join).collect()
}

/// The file of a pack.
fn file(pack: &str) -> String {
    format!("{PROGRAM}_{pack}.wasm")
}

/// Writes the JavaScript around the program.
fn bind(main: &Path, staging: &Path) -> Result<()> {
    let mut tool = Command::new("wasm-bindgen");
    tool.args(["--target", "web", "--keep-lld-exports", "--no-typescript"]);
    tool.args(["--remove-name-section", "--remove-producers-section"]);
    tool.arg("--out-dir")
        .arg(staging)
        .args(["--out-name", PROGRAM])
        .arg(main);
    let status = tool.status().context("wasm-bindgen")?;
    ensure!(status.success(), "wasm-bindgen failed: {status}");
    Ok(())
}
