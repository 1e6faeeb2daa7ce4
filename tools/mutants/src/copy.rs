//! The copy of the clone. What does not change is not written, so that cargo finds its earlier builds again.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Entries of the clone's root that are not copied.
const LEFT_OUT: [&str; 3] = ["target", "dist", ".git"];

/// Makes `to` a copy of `from`, with these files in place of, or beside, the clone's own. Paths are from the root.
pub fn sync(from: &Path, to: &Path, instead: &BTreeMap<PathBuf, String>) -> Result<()> {
    let mut kept = BTreeSet::new();
    for entry in WalkDir::new(from).into_iter().filter_entry(is_copied) {
        let entry = entry?;
        let path = entry.path().strip_prefix(from)?.to_owned();
        if !entry.file_type().is_dir() && !instead.contains_key(&path) {
            let text = fs::read(entry.path()).with_context(|| path.display().to_string())?;
            write_if_new(&to.join(&path), &text)?;
            kept.insert(path);
        }
    }
    for (path, text) in instead {
        write_if_new(&to.join(path), text.as_bytes())?;
        kept.insert(path.clone());
    }
    for entry in WalkDir::new(to) {
        let entry = entry?;
        if !entry.file_type().is_dir() && !kept.contains(entry.path().strip_prefix(to)?) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Not what is built; a build folder elsewhere is recognised by cargo's tag.
fn is_copied(entry: &DirEntry) -> bool {
    let is_left_out = entry.depth() == 1 && LEFT_OUT.iter().any(|name| entry.file_name() == *name);
    !is_left_out && !entry.path().join("CACHEDIR.TAG").exists()
}

/// Writes a file unless it holds just this.
pub fn write_if_new(path: &Path, text: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(held) if held == text => return Ok(()),
        Ok(_) => {}
        Err(fault) if fault.kind() == ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
        }
        Err(fault) => return Err(fault).with_context(|| path.display().to_string()),
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// The folder of the crate that a file is of: the nearest above it with a `Cargo.toml`. Paths are from the root.
pub fn crate_of(root: &Path, file: &Path) -> Result<PathBuf> {
    let folder = file
        .ancestors()
        .skip(1)
        .find(|folder| root.join(folder).join("Cargo.toml").exists())
        .with_context(|| format!("{} is of no crate", file.display()))?;
    ensure!(
        root.join(folder).join("src/lib.rs").exists(),
        "the crate of {} is no library",
        file.display()
    );
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn a_copy_follows_its_source_and_what_is_the_same_stays() {
        let folder = env::temp_dir().join(format!("edgewise-copy-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        let put = |path: &str, text: &str| {
            write_if_new(&from.join(path), text.as_bytes()).expect("can be written");
        };
        let held = |path: &str| fs::read_to_string(to.join(path)).ok();
        let time = |path: &str| {
            let data = fs::metadata(to.join(path)).expect("is there");
            data.modified().expect("has a time")
        };
        for path in [
            "Cargo.toml",
            "src/lib.rs",
            "src/target/x.rs",
            "crates/a/Cargo.toml",
        ] {
            put(path, path);
        }
        for path in [
            ".git/x",
            "target/x",
            "dist/x",
            "built/CACHEDIR.TAG",
            "built/x",
        ] {
            put(path, path);
        }
        put("crates/a/src/lib.rs", "");
        let instead = BTreeMap::from([(PathBuf::from("src/lib.rs"), "other".to_owned())]);
        sync(&from, &to, &instead).expect("can be copied");
        assert_eq!(held("src/lib.rs").as_deref(), Some("other"));
        assert_eq!(held("src/target/x.rs").as_deref(), Some("src/target/x.rs"));
        for path in [".git/x", "target/x", "dist/x", "built/x"] {
            assert_eq!(held(path), None, "{path}");
        }

        let before = (time("Cargo.toml"), time("src/lib.rs"));
        fs::remove_file(from.join("src/target/x.rs")).expect("can be removed");
        put("crates/a/src/b/c.rs", "more");
        sync(&from, &to, &instead).expect("can be copied again");
        assert_eq!((time("Cargo.toml"), time("src/lib.rs")), before);
        assert_eq!(held("src/target/x.rs"), None);
        assert_eq!(held("crates/a/src/b/c.rs").as_deref(), Some("more"));

        let crate_of = |file: &str| crate_of(&from, Path::new(file)).ok();
        assert_eq!(crate_of("src/x.rs"), Some(PathBuf::new()));
        assert_eq!(crate_of("crates/a/src/b/c.rs"), Some("crates/a".into()));
        fs::remove_dir_all(&folder).expect("can be removed");
    }
}
