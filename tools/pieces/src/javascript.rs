//! The JavaScript of the program: what wasm-bindgen has written, and what loads the parts, in one file. It asks
//! `globalThis.edgewise.piece(name)` for a part, which answers with the compiled module; `boot.js` has that.

use crate::pack::PackPart;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

/// Beginning of the loaders that the splitting library writes, one for each cut; the imports are before it.
const LOADS: &str = "function makeLoad(";
/// How the program calls what loads all for such a place.
const LOADER: &str = "__wasm_split_load_";

/// A part becomes a part of the running program once; one that could not be had is asked for again.
const PART_LOADER: &str = "const parts = {};
function part(name) {
    parts[name] ??= globalThis.edgewise.piece(name)
        .then((module) => WebAssembly.instantiate(module, getSharedImports()))
        .catch((fault) => { delete parts[name]; throw fault; });
    return parts[name];
}
const load = (...names) => wrapAsyncCb(() => Promise.all(names.map(part)));
";

/// All as one module.
///
/// # Errors
/// Where one of them is not as the tools write it.
pub fn joined(bound: &str, split: &str, parts: &[PackPart]) -> Result<String> {
    let mut names = Vec::new();
    let mut text = String::new();
    for line in bound.lines() {
        let import = line.strip_prefix("import * as ");
        match import.and_then(|rest| rest.split_once(" from \"./__wasm_split.js\"")) {
            Some((name, _)) => names.push(name),
            None => text.extend([line, "\n"]),
        }
    }
    ensure!(
        !names.is_empty(),
        "the program loads no piece: nothing in it is marked as one"
    );
    ensure!(
        !text.contains("__wasm_split.js\"\n") && !text.contains("\nimport "),
        "the program imports something else"
    );

    let (used, _) = split
        .split_once(LOADS)
        .context("pieces are loaded in another way")?;
    for function in ["function getSharedImports()", "function wrapAsyncCb("] {
        ensure!(used.contains(function), "there is no {function}");
    }
    let is_import = |line: &&str| !line.starts_with("import "); // of what is in the same file now
    used.lines()
        .filter(is_import)
        .for_each(|line| text.extend([line, "\n"]));
    text.push_str(PART_LOADER);
    // What is in one pack alone comes first: the packs that are loaded anyway are under way when others can be chosen from.
    let mut parts: Vec<&PackPart> = parts.iter().collect();
    parts.sort_by_key(|part| part.packs.len());
    let mut loads: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for part in parts {
        for cut in &part.cuts {
            let name = format!("{:?}", part.name);
            loads.entry(cut).or_default().push(name);
        }
    }
    text.push_str("const loaders = {\n");
    for (cut, parts) in loads {
        text.push_str(&format!("    {LOADER}{cut}: load({}),\n", parts.join(", ")));
    }
    text.push_str("};\n");
    for name in names {
        text.push_str(&format!("const {name} = loaders;\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::joined;
    use crate::pack::pack_parts;

    const BOUND: &str = "import * as import1 from \"./__wasm_split.js\"\nfunction initSync() {}\nexport { initSync };\n";
    const SPLIT: &str = "import { initSync } from \"./app.js\";\n\
        function getSharedImports() {\n}\nfunction wrapAsyncCb(callee) {\n}\nfunction makeLoad(fetcher, deps) {\n}\n\
        const __chunk_8 = makeLoad(() => {\n    const src = fetch(new URL(\"./chunk_8.wasm\", import.meta.url));\n}\n, []);\n\
        export const __wasm_split_load_tiers = wrapAsyncCb(makeLoad(f, [__chunk_8]));\n";

    #[test]
    fn the_script_is_one_module_that_loads_parts() {
        let needed = [("tiers".to_owned(), vec!["chunk_8".to_owned()])];
        let text =
            joined(BOUND, SPLIT, &pack_parts(&needed.into())).expect("as the tools write it");
        assert!(
            !text.contains("import ") && !text.contains("chunk_8"),
            "{text}"
        );
        assert!(
            text.contains("function wrapAsyncCb(callee) {\n}\nconst parts"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "const loaders = {\n    __wasm_split_load_tiers: load(\"1\"),\n};\nconst import1 = loaders;\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_program_without_pieces_is_refused() {
        assert!(joined("function initSync() {}", SPLIT, &[]).is_err());
        assert!(joined(BOUND, "const a = 1;", &[]).is_err());
    }
}
