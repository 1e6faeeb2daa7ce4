//! Lists the files of the build for the service worker, which stores all of them, and gives the build a name.
//!
//! The name is a digest of everything: two builds that differ in anything have different ones. It is in the service
//! worker and in the page, which is how the worker knows that a page that it has fetched is of its own build.

use crate::{BuildFiles, FIXED_NAMES, PAGE, SERVICE, digest};
use anyhow::{Context, Result};

/// Text around the name of the build in the page.
const IN_PAGE: (&str, &str) = ("data-build=\"", "\"");
/// Text around the name of the build in the service worker.
const IN_SERVICE: (&str, &str) = ("\nconst BUILD = \"", "\";");
/// Text around the list of files in the service worker.
const LIST: (&str, &str) = ("\nconst FILES = [", "];");

/// Writes the list and the name of a build whose files have their names.
///
/// # Errors
/// When page or service worker are missing or have no place for them.
pub fn list(files: &mut BuildFiles) -> Result<()> {
    let names: Vec<&str> = files
        .0
        .keys()
        .map(String::as_str)
        .filter(|name| !FIXED_NAMES.contains(name))
        .collect();
    let names: String = names
        .iter()
        .map(|name| format!("\n  \"{name}\","))
        .collect();
    let service = put(files, SERVICE, LIST, &format!("{names}\n"))?;
    let service = put_in(&service, SERVICE, IN_SERVICE, "")?;
    let page = put(files, PAGE, IN_PAGE, "")?;
    let build = digest(format!("{page}\0{service}").as_bytes());
    files.put(SERVICE, put_in(&service, SERVICE, IN_SERVICE, &build)?);
    files.put(PAGE, put_in(&page, PAGE, IN_PAGE, &build)?);
    Ok(())
}

fn put(files: &BuildFiles, name: &str, around: (&str, &str), value: &str) -> Result<String> {
    put_in(files.text(name)?, name, around, value)
}

/// The text of a file with a value in the one place between two marks.
fn put_in(text: &str, name: &str, (before, after): (&str, &str), value: &str) -> Result<String> {
    let found = text
        .split_once(before)
        .and_then(|(head, rest)| Some((head, rest.split_once(after)?.1)));
    let (head, tail) =
        found.with_context(|| format!("{name} has no place for {}", before.trim()))?;
    Ok(format!("{head}{before}{value}{after}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole() -> BuildFiles {
        let mut files = BuildFiles::default();
        files.put(PAGE, "<html lang=\"en\" data-build=\"\">".to_owned());
        files.put(
            SERVICE,
            "// Serves.\nconst BUILD = \"\";\nconst FILES = [];\n".to_owned(),
        );
        files.put("look-00.css", "a".to_owned());
        files
    }

    fn build_of(files: &BuildFiles) -> String {
        let page = files.text(PAGE).expect("a page");
        let name = page.split('"').nth(3);
        name.expect("a name").to_owned()
    }

    #[test]
    fn page_and_worker_have_one_name_and_the_worker_has_the_list() -> Result<()> {
        let mut files = whole();
        list(&mut files)?;
        let build = build_of(&files);
        assert_eq!(build.len(), 16);
        let service = format!(
            "// Serves.\nconst BUILD = \"{build}\";\nconst FILES = [\n  \"look-00.css\",\n];\n"
        );
        assert_eq!(files.text(SERVICE)?, service);
        let before = files.clone();
        list(&mut files)?;
        assert_eq!(files, before, "written again, it is the same");
        Ok(())
    }

    #[test]
    fn a_changed_build_has_another_name() -> Result<()> {
        let mut first = whole();
        list(&mut first)?;
        for (name, old, new) in [(PAGE, "\"en\"", "\"de\""), (SERVICE, "Serves", "Keeps")] {
            let mut files = whole();
            files.put(name, files.text(name)?.replace(old, new));
            list(&mut files)?;
            assert_ne!(build_of(&files), build_of(&first), "{name}");
        }
        let mut files = whole();
        files.put("more-00.css", "b".to_owned());
        list(&mut files)?;
        assert_ne!(build_of(&files), build_of(&first));
        Ok(())
    }

    #[test]
    fn a_worker_without_a_place_for_the_list_is_refused() {
        let mut files = whole();
        files.put(SERVICE, "const BUILD = \"\";".to_owned());
        let said = list(&mut files).map_err(|fault| fault.to_string());
        assert_eq!(
            said,
            Err("service.js has no place for const FILES = [".to_owned())
        );
    }
}
