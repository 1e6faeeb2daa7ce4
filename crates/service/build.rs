//! Puts the page into the program: the files of `dist/`, each as it is and compressed.
//!
//! Only optimised programs hold the page, so that a build while one works waits for no compression; `EDGEWISE_PAGE`
//! names a folder for any other.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// As large a window as every browser takes.
const WINDOW: u32 = 22;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=EDGEWISE_PAGE");
    let variable = |name| env::var_os(name).map(PathBuf::from);
    let out = variable("OUT_DIR").ok_or_else(|| io::Error::other("cargo gives OUT_DIR"))?;
    let home = variable("CARGO_MANIFEST_DIR").unwrap_or_default();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // Brotli's and gzip's best, which take a minute in a program that is not optimised.
    let quality = if is_release { (11, 9) } else { (1, 1) };
    let page = variable("EDGEWISE_PAGE").or_else(|| is_release.then(|| home.join("../../dist")));
    let mut rows = String::new();
    if let Some(page) = page {
        println!("cargo:rerun-if-changed={}", page.display());
        let mut files = Vec::new();
        if page.is_dir() {
            list(&page, &mut files)?;
        }
        files.sort();
        for (at, file) in files.iter().enumerate() {
            rows += &row(&page, file, &out.join(format!("page-{at}")), quality)?;
        }
    }
    let text = format!("pub(super) static FILES: &[File] = &[\n{rows}];\n");
    fs::write(out.join("page.rs"), text)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// A row of the table; compressed files are written beside it.
fn row(page: &Path, file: &Path, out: &Path, quality: (u32, u32)) -> io::Result<String> {
    let bytes = fs::read(file)?;
    let name = file.strip_prefix(page).map_err(io::Error::other)?;
    let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
    let (brotli, gzip) = (out.with_extension("br"), out.with_extension("gz"));
    let kept = |path: &Path, packed: Vec<u8>| -> io::Result<String> {
        if packed.len() >= bytes.len() {
            return Ok("None".to_owned());
        }
        fs::write(path, packed)?;
        Ok(format!("Some(include_bytes!({path:?}))"))
    };
    let brotli = kept(&brotli, packed_brotli(&bytes, quality.0)?)?;
    let gzip = kept(&gzip, packed_gzip(&bytes, quality.1)?)?;
    let (name, plain) = (name.join("/"), file.canonicalize()?);
    let tag = &blake3::hash(&bytes).to_hex()[..16];
    Ok(format!(
        "    File {{ path: {name:?}, plain: include_bytes!({plain:?}), brotli: {brotli}, gzip: {gzip}, tag: {tag:?} }},\n"
    ))
}

fn packed_brotli(bytes: &[u8], quality: u32) -> io::Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, quality, WINDOW);
    writer.write_all(bytes)?;
    Ok(writer.into_inner())
}

fn packed_gzip(bytes: &[u8], quality: u32) -> io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(quality));
    writer.write_all(bytes)?;
    writer.finish()
}
