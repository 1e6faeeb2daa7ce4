//! `edgewise-paint FOLDER`: puts the default answers into the `index.html` of a folder.

use anyhow::{Context, Result};
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<()> {
    let folder = env::args_os().nth(1);
    let folder = PathBuf::from(folder.context("usage: edgewise-paint FOLDER")?);
    let file = folder.join("index.html");
    let page = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    fs::write(&file, paint::paint(&page)?).with_context(|| file.display().to_string())
}
