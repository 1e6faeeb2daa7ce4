//! Divides the programs of a build, page and worker, into pieces that are loaded when they are needed.
//!
//! What Cargo has linked is cut at the functions marked `#[wasm_split]` by the library of that name, which finds out what each of
//! them alone needs and what several share; wasm-bindgen then writes the JavaScript around what is left. Pieces that are wanted
//! together travel together, as sections of one file: a [`pack`]. [`javascript`] says where each is.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod compact;
mod javascript;
mod order;
mod pack;

use anyhow::{Context, Result, ensure};
use pack::Packs;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The programs of the page, and the profiles that Cargo builds them in when the page is to be hosted.
const PROGRAMS: [(&str, &str); 2] = [("app", "web"), ("worker", "worker")];
/// The profile of both while the page is written.
const SERVED: &str = "serve";
/// The target of both.
const TARGET: &str = "wasm32-unknown-unknown";
/// What `boot.js` has where the table of packs belongs.
const PLACE: &str = "/* packs */ {}";

/// A build that is to be divided.
#[derive(Debug)]
pub struct Build {
    /// Where its files are.
    pub staging: PathBuf,
    /// Where Cargo has put what it linked.
    pub target: PathBuf,
    /// Whether it is the one to be hosted.
    pub is_release: bool,
}

impl Build {
    /// What Trunk says of the build that its hook is run for.
    ///
    /// # Errors
    /// What it does not say.
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

/// Divides both programs of a build, and has `boot.js` know what there is.
///
/// # Errors
/// What is missing, or is not as expected.
pub fn divide_build(build: &Build) -> Result<()> {
    let mut tables = Map::new();
    for (program, hosted) in PROGRAMS {
        let profile = if build.is_release { hosted } else { SERVED };
        let linked = build.target.join(TARGET).join(profile).join(program);
        let write = if build.is_release {
            compact::ordered
        } else {
            compact::compact
        };
        let table = divide(
            program,
            &linked.with_extension("wasm"),
            &build.staging,
            write,
        );
        let table = table.with_context(|| format!("dividing the {program}"))?;
        tables.insert(program.to_owned(), table);
    }
    let boot = build.staging.join("boot.js");
    let text = fs::read_to_string(&boot).context("boot.js")?;
    ensure!(text.contains(PLACE), "boot.js has no place for packs");
    let table = serde_json::to_string(&tables)?;
    fs::write(&boot, text.replace(PLACE, &table))?;
    Ok(())
}

/// Divides one program, with `write` for every module of it; answers which pack each of its pieces is in.
fn divide(
    program: &str,
    linked: &Path,
    staging: &Path,
    write: fn(&[u8]) -> Result<Vec<u8>>,
) -> Result<Value> {
    let room = staging.join(format!("{program}-pieces"));
    fs::create_dir_all(&room)?;
    let wasm = fs::read(linked).with_context(|| linked.display().to_string())?;
    let main = room.join(format!("{program}.wasm"));
    let glue = format!("./{program}.js");
    let mut options = wasm_split_cli_support::Options::new(&wasm);
    options.output_dir = &room;
    options.main_out_path = &main;
    options.main_module = &glue;
    options.target.web();
    let found = wasm_split_cli_support::transform(options);
    let found = found.map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    bind(program, &main, staging)?;
    let bound = staging.join(format!("{program}_bg.wasm"));
    fs::write(&bound, write(&fs::read(&bound)?)?)?;

    let split = fs::read_to_string(room.join("__wasm_split.js"))?;
    let script = staging.join(format!("{program}.js"));
    let bound = fs::read_to_string(&script)?;
    fs::write(&script, javascript::joined(&bound, &split)?)?;

    let packs = Packs::of(&found.prefetch_map);
    for (pack, pieces) in packs.all() {
        let read = |piece: &String| write(&fs::read(room.join(piece).with_extension("wasm"))?);
        let bytes: Vec<Vec<u8>> = pieces.iter().map(read).collect::<Result<_>>()?;
        let names = pieces.iter().map(String::as_str);
        let pieces: Vec<(&str, Vec<u8>)> = names.zip(bytes).collect();
        fs::write(
            staging.join(format!("{program}_{pack}.wasm")),
            pack::file(&pieces),
        )?;
    }
    fs::remove_dir_all(&room)?;
    let file = |pack: &str| format!("{program}_{pack}.wasm");
    let places = packs.places();
    let places = places.map(|(piece, packs)| {
        let packs: Vec<String> = packs.iter().map(|pack| file(pack)).collect();
        (piece.clone(), json!(packs))
    });
    Ok(Value::Object(places.collect()))
}

/// Writes the JavaScript around a program.
fn bind(program: &str, main: &Path, staging: &Path) -> Result<()> {
    let mut tool = Command::new("wasm-bindgen");
    tool.args(["--target", "web", "--keep-lld-exports", "--no-typescript"]);
    tool.args(["--remove-name-section", "--remove-producers-section"]);
    tool.arg("--out-dir")
        .arg(staging)
        .args(["--out-name", program])
        .arg(main);
    let status = tool.status().context("wasm-bindgen")?;
    ensure!(status.success(), "wasm-bindgen failed: {status}");
    Ok(())
}
