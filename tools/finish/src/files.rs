//! A build as its files by name, read from a folder and written back.

use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Endings of files that are beside the one that they hold compressed.
const PRESSED: [&str; 2] = ["br", "gz"];

/// All files of a build, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildFiles(pub BTreeMap<String, Vec<u8>>);

impl BuildFiles {
    /// Reads a folder. What an earlier run has pressed is left out, since it is made again.
    ///
    /// # Errors
    /// When the folder cannot be read, holds a folder, or holds a file that is empty.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for name in names(folder)? {
            let path = folder.join(&name);
            ensure!(
                path.is_file(),
                "{name} is a folder: all files of a build stand side by side"
            );
            if PRESSED.contains(&ending(&name)) {
                continue;
            }
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            ensure!(!bytes.is_empty(), "{name} is empty");
            files.insert(name, bytes);
        }
        Ok(Self(files))
    }

    /// Makes a folder hold these files and no others.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            if fs::read(&path).is_ok_and(|there| there == *bytes) {
                continue;
            }
            fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        }
        for name in names(folder)?
            .iter()
            .filter(|name| !self.0.contains_key(*name))
        {
            fs::remove_file(folder.join(name)).with_context(|| name.clone())?;
        }
        Ok(())
    }

    /// The text of a file.
    ///
    /// # Errors
    /// When there is no such file, or it is no text.
    pub fn text(&self, name: &str) -> Result<&str> {
        let Some(bytes) = self.0.get(name) else {
            bail!("{name} is missing");
        };
        std::str::from_utf8(bytes).with_context(|| format!("{name} is no text"))
    }

    /// Puts a text in the place of a file, or adds one.
    pub fn put(&mut self, name: &str, text: String) {
        self.0.insert(name.to_owned(), text.into_bytes());
    }
}

fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    entries
        .map(|entry| {
            let name = entry?.file_name().into_string();
            name.map_err(|name| anyhow::anyhow!("{} is no text", name.display()))
        })
        .collect()
}

/// Returns the extension of a file name.
pub(crate) fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_what_was_written_and_nothing_else() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("edgewise-finish-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("old.js"), "1")?;
        fs::write(folder.join("old.js.br"), "1")?;
        assert_eq!(BuildFiles::read(&folder)?.0.len(), 1);
        let mut files = BuildFiles::default();
        files.put("new.js", "2".to_owned());
        files.write(&folder)?;
        assert_eq!(names(&folder)?, BTreeSet::from(["new.js".to_owned()]));
        assert_eq!(BuildFiles::read(&folder)?, files);
        fs::write(folder.join("none.css"), "")?;
        assert!(
            BuildFiles::read(&folder).is_err_and(|fault| fault.to_string() == "none.css is empty")
        );
        fs::remove_dir_all(&folder)?;
        Ok(())
    }
}
