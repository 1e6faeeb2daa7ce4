//! Trunk's hook after a build: finishes what stands in its staging folder, before that becomes `dist/`.

use anyhow::Result;
use finish::{Files, PAGE, offline, press, stamp, styles};
use pieces::Build;
use std::env;

fn main() -> Result<()> {
    let build = Build::of_hook()?;
    pieces::divide_build(&build)?;
    let mut files = Files::read(&build.staging)?;
    let painted = paint::paint(files.text(PAGE)?)?;
    files.put(PAGE, painted);
    styles::join(&mut files)?;
    stamp::stamp(&mut files)?;
    // A page that is looked at while it is written is not kept by browsers, so that every reload shows the latest.
    if env::var_os("EDGEWISE_FRESH").is_none() {
        offline::list(&mut files)?;
    }
    if build.is_release {
        press::press(&mut files)?;
    }
    files.write(&build.staging)
}
