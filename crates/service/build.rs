//! Puts the page into the program: the files of `dist/`, and beside each what it is compressed to if that is there. The
//! build of the page has pressed them (`tools/finish`); a page that was built quickly is sent as it is.
//!
//! Only optimised programs hold the page; `EDGEWISE_PAGE` names a folder for any other.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Endings of compressed files.
const PRESSED: [&str; 2] = ["br", "gz"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=EDGEWISE_PAGE");
    let variable = |name| env::var_os(name).map(PathBuf::from);
    let out = variable("OUT_DIR").ok_or_else(|| io::Error::other("cargo gives OUT_DIR"))?;
    let home = variable("CARGO_MANIFEST_DIR").unwrap_or_default();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let page = variable("EDGEWISE_PAGE").or_else(|| is_release.then(|| home.join("../../dist")));
    let mut rows = String::new();
    if let Some(page) = page {
        println!("cargo:rerun-if-changed={}", page.display());
        let mut files = Vec::new();
        if page.is_dir() {
            list(&page, &mut files)?;
        }
        files.sort();
        for file in &files {
            rows += &row(&page, file)?;
        }
    }
    let text = format!("pub(super) static FILES: &[PageFile] = &[\n{rows}];\n");
    fs::write(out.join("page.rs"), text)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if !PRESSED
            .iter()
            .any(|ending| path.extension().is_some_and(|own| own == *ending))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// A row of the table.
fn row(page: &Path, file: &Path) -> io::Result<String> {
    let name = file.strip_prefix(page).map_err(io::Error::other)?;
    let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
    let (name, plain) = (name.join("/"), file.canonicalize()?);
    let pressed = PRESSED.map(|ending| {
        let mut path = plain.clone().into_os_string();
        path.push(format!(".{ending}"));
        let path = PathBuf::from(path);
        if path.is_file() {
            format!("Some(include_bytes!({path:?}))")
        } else {
            "None".to_owned()
        }
    });
    let [brotli, gzip] = pressed;
    let tag = &blake3::hash(&fs::read(file)?).to_hex()[..16];
    Ok(format!(
        "    PageFile {{ path: {name:?}, plain: include_bytes!({plain:?}), brotli: {brotli}, gzip: {gzip}, tag: {tag:?} }},\n"
    ))
}
