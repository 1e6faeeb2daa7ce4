//! Gives every file a name that changes with its content: `boot.js` becomes `boot-<16 digits of its SHA-256>.js`, and
//! files that name it are rewritten. So a host may keep all of them for ever, and a new page never meets an old worker.
//!
//! A file is renamed before the files that refer to it, so that a name covers the file and all that it refers to.

use crate::files::ending;
use crate::{BuildFiles, FIXED_NAMES, PAGE, digest};
use anyhow::{Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};

/// Digits of the digest in a name.
const DIGITS: usize = 16;

/// Gives all files their names. A build that has them already gets the ones that fit its content now.
///
/// # Errors
/// When the page or a file that it names is missing, when nothing names a file, when files name each other, and when a
/// style sheet names a file that is not there.
pub fn stamp(files: &mut BuildFiles) -> Result<()> {
    let page = files.text(PAGE)?;
    if let Some(missing) = referenced_files(page).find(|name| !files.0.contains_key(*name)) {
        bail!("{PAGE} names {missing}, which is missing");
    }
    for name in files.0.keys().filter(|name| ending(name) == "css") {
        let is_there = |url: &&str| {
            url.starts_with(['#']) || url.starts_with("data:") || files.0.contains_key(*url)
        };
        if let Some(url) = urls(files.text(name)?).find(|url| !is_there(url)) {
            bail!("{name} names {url}, which is missing");
        }
    }
    let named = named(files);
    let reached = reached(&named);
    if let Some(idle) = files
        .0
        .keys()
        .find(|name| !FIXED_NAMES.contains(&name.as_str()) && !reached.contains(name.as_str()))
    {
        bail!("nothing names {idle}: it is never loaded");
    }
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting: BTreeSet<&String> = named
        .keys()
        .filter(|name| !FIXED_NAMES.contains(&name.as_str()))
        .collect();
    while !waiting.is_empty() {
        let ready: Vec<&String> = waiting
            .iter()
            .copied()
            .filter(|name| {
                named[*name]
                    .iter()
                    .all(|used| FIXED_NAMES.contains(&used.as_str()) || names.contains_key(used))
            })
            .collect();
        ensure!(
            !ready.is_empty(),
            "these name each other, so that none can be named by its content: {waiting:?}"
        );
        for name in ready {
            rename_in(files, name, &named[name], &names);
            names.insert(name.clone(), stamped(name, &files.0[name]));
            waiting.remove(name);
        }
    }
    for name in FIXED_NAMES.iter().filter(|name| named.contains_key(**name)) {
        rename_in(files, name, &named[*name], &names);
    }
    for (old, new) in &names {
        if let Some(bytes) = files.0.remove(old) {
            files.0.insert(new.clone(), bytes);
        }
    }
    Ok(())
}

/// The name of a file with the digest of its content, in the place of one that it has already.
fn stamped(name: &str, bytes: &[u8]) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_digest =
        |part: &str| part.len() == DIGITS && part.bytes().all(|b| b.is_ascii_hexdigit());
    let stem = match stem.rsplit_once('-') {
        Some((stem, part)) if is_digest(part) => stem,
        _ => stem,
    };
    format!("{stem}-{}.{ending}", digest(bytes))
}

/// Of every file, the others that it names.
fn named(files: &BuildFiles) -> BTreeMap<String, BTreeSet<String>> {
    let names_in = |name: &String| {
        let text = files.text(name).unwrap_or_default();
        // A list of all files says nothing of who needs them, and is written again.
        let is_list = *name == crate::SERVICE;
        let others = files.0.keys().filter(|other| *other != name && !is_list);
        others
            .filter(|other| places(text, other).next().is_some())
            .cloned()
            .collect()
    };
    files
        .0
        .keys()
        .map(|name| (name.clone(), names_in(name)))
        .collect()
}

/// Returns the files that the page loads, directly or indirectly.
fn reached(named: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![PAGE];
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(named[name].iter().map(String::as_str));
        }
    }
    reached
}

fn rename_in(
    files: &mut BuildFiles,
    name: &str,
    used: &BTreeSet<String>,
    names: &BTreeMap<String, String>,
) {
    let Ok(text) = files.text(name) else {
        return; // a program, which names nothing
    };
    let mut text = text.to_owned();
    for old in used {
        if let Some(new) = names.get(old) {
            let found: Vec<usize> = places(&text, old).collect();
            for at in found.into_iter().rev() {
                text.replace_range(at..at + old.len(), new);
            }
        }
    }
    files.put(name, text);
}

/// Where a text names a file as a whole: `app.js` is not named by `my-app.js` or by `app.json`.
fn places<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_open =
        |byte: Option<&u8>| byte.is_none_or(|b| !b.is_ascii_alphanumeric() && !b"_.-".contains(b));
    let found = text.match_indices(name).map(|(at, _)| at);
    found.filter(move |at| {
        let bytes = text.as_bytes();
        is_open(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && is_open(bytes.get(at + name.len()))
    })
}

/// Files beside the page that it names in quotes: `"./app.js"`.
fn referenced_files(page: &str) -> impl Iterator<Item = &str> {
    let rest = page.split("\"./").skip(1);
    rest.filter_map(|rest| rest.split(['"', '#', '?']).next())
        .filter(|name| !name.is_empty())
}

/// Returns the addresses in `url()` of a style sheet.
fn urls(style: &str) -> impl Iterator<Item = &str> {
    let rest = style.split("url(").skip(1);
    rest.filter_map(|rest| rest.split(')').next())
        .map(|url| url.trim_matches(['"', '\'', ' ']).trim_start_matches("./"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(files: &[(&str, &str)]) -> BuildFiles {
        let mut built = BuildFiles::default();
        for (name, text) in files {
            built.put(name, (*text).to_owned());
        }
        built
    }

    /// A build in which everything is named; the program of the solver only by the app.
    fn whole() -> BuildFiles {
        build(&[
            (
                "index.html",
                "<link href=\"./look.css\"><script src=\"./boot.js\" data-app=\"./app.js\">",
            ),
            ("app.js", "import './chunk_1.wasm'; // not my-look.css"),
            ("chunk_1.wasm", "code"),
            ("boot.js", "start()"),
            (
                "look.css",
                "a { mask: url(#m) } b { background: url('mark.svg') }",
            ),
            ("mark.svg", "<svg/>"),
            ("service.js", "serve()"),
        ])
    }

    fn fault(files: &mut BuildFiles) -> String {
        stamp(files).expect_err("a fault").to_string()
    }

    #[test]
    fn every_name_says_what_is_in_the_file_and_references_follow() -> Result<()> {
        let mut files = whole();
        stamp(&mut files)?;
        assert_eq!(files.0.len(), 7);
        for (name, bytes) in files
            .0
            .iter()
            .filter(|(name, _)| !FIXED_NAMES.contains(&name.as_str()))
        {
            assert!(name.contains(&format!("-{}.", digest(bytes))), "{name}");
        }
        let chunk = format!("chunk_1-{}.wasm", digest(b"code"));
        let app = format!("import './{chunk}'; // not my-look.css");
        let app_name = format!("app-{}.js", digest(app.as_bytes()));
        assert_eq!(files.text(&app_name)?, app);
        assert!(
            files
                .text(PAGE)?
                .contains(&format!("data-app=\"./{app_name}\""))
        );
        assert!(files.0.contains_key("service.js"));
        Ok(())
    }

    #[test]
    fn a_build_that_has_changed_is_stamped_again_and_only_what_depends_on_it_moves() -> Result<()> {
        let mut files = whole();
        stamp(&mut files)?;
        let before = files.clone();
        stamp(&mut files)?;
        assert_eq!(files, before);
        let mark = format!("mark-{}.svg", digest(b"<svg/>"));
        files.put(&mark, "<svg><g/></svg>".to_owned());
        stamp(&mut files)?;
        let kept = files
            .0
            .keys()
            .filter(|name| before.0.contains_key(*name))
            .count();
        assert_eq!(
            kept,
            7 - 2,
            "the mark and the style that names it have new names"
        );
        Ok(())
    }

    #[test]
    fn missing_or_unreferenced_files_are_refused() {
        for (name, said) in [
            ("index.html", "index.html is missing"),
            ("boot.js", "index.html names boot.js, which is missing"),
            ("mark.svg", "look.css names mark.svg, which is missing"),
        ] {
            let mut files = whole();
            files.0.remove(name);
            assert_eq!(fault(&mut files), said);
        }
        let mut files = whole();
        files.put("chunk_2.wasm", "code".to_owned());
        assert_eq!(
            fault(&mut files),
            "nothing names chunk_2.wasm: it is never loaded"
        );
    }

    #[test]
    fn files_that_name_each_other_are_refused() {
        let mut files = whole();
        files.put("boot.js", "import './app.js'".to_owned());
        files.put("app.js", "import './boot.js'; './chunk_1.wasm'".to_owned());
        let said = fault(&mut files);
        assert!(said.ends_with("{\"app.js\", \"boot.js\"}"), "{said}");
    }
}
