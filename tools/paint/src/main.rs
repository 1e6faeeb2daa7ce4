//! `edgewise-paint FILE` puts the default answers into the page in that file.

use anyhow::{Context, Result};
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<()> {
    let file = env::args_os()
        .nth(1)
        .context("usage: edgewise-paint FILE")?;
    let file = PathBuf::from(file);
    let page = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    fs::write(&file, paint::paint(&page)?).with_context(|| file.display().to_string())
}
