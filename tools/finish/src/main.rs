//! Trunk's hook after a build: finishes what is in its staging folder, before that becomes `dist/`.

use anyhow::{Context, Result, anyhow, ensure};
use finish::{BuildFiles, PAGE, compress, fingerprint, offline, styles};
use pieces::Build;
use std::env;
use std::path::Path;
use std::process::Command;
use std::thread;

fn main() -> Result<()> {
    let build = Build::of_hook()?;
    // A page that is served while it is written does without the default answers: they take every solver, built for this machine.
    // Browsers do not keep it either, so that every reload shows the latest.
    let is_fresh = env::var_os("EDGEWISE_FRESH").is_some();
    let page = build.staging.join(PAGE);
    thread::scope(|scope| {
        let painter = (!is_fresh).then(|| scope.spawn(|| paint(&page)));
        pieces::divide_build(&build)?;
        let painted = painter.map(thread::ScopedJoinHandle::join).transpose();
        painted
            .map_err(|_| anyhow!("the painter has panicked"))?
            .unwrap_or(Ok(()))
    })?;
    let mut files = BuildFiles::read(&build.staging)?;
    styles::join(&mut files)?;
    fingerprint::stamp(&mut files)?;
    if !is_fresh {
        offline::list(&mut files)?;
    }
    if build.is_release {
        compress::press(&mut files)?;
    }
    files.write(&build.staging)
}

/// Puts the default answers into a page. In a program of its own, which a build without them does not wait for.
fn paint(page: &Path) -> Result<()> {
    let cargo = env::var_os("CARGO").context("CARGO is not set: run this by `cargo run`")?;
    let ended = Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--locked",
            "--package",
            "edgewise-paint",
            "--",
        ])
        .arg(page)
        .status()
        .context("cargo could not be started")?;
    ensure!(ended.success(), "edgewise-paint failed: {ended}");
    Ok(())
}
