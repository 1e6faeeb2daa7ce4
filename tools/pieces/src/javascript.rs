//! The JavaScript of a program that is in pieces: what wasm-bindgen has written, and what loads the pieces, in one file. It asks
//! `globalThis.edgewise.piece(name)` for a piece, which answers with the compiled module; `boot.js` has that.

use anyhow::{Result, ensure};

/// Where the loaders ask a host for a file, and how such a file ends.
const FETCH: (&str, &str) = ("fetch(new URL(\"./", ".wasm\", import.meta.url))");
const INSTANTIATE: &str = "WebAssembly.instantiateStreaming(src, imports)";

/// Both as one module.
///
/// # Errors
/// Where one of them is not as the tools write it.
pub fn joined(bound: &str, split: &str) -> Result<String> {
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

    let mut loads = Vec::new();
    for line in split.lines() {
        let export = line.strip_prefix("export const ");
        if let Some((name, _)) = export.and_then(|rest| rest.split_once(' ')) {
            loads.push(name);
        }
        if line.starts_with("import ") {
            continue; // of what stands in the same file now
        }
        let line = line.replacen("export const ", "const ", 1);
        let line = match line.split_once(FETCH.0) {
            Some((before, rest)) => {
                let Some((piece, after)) = rest.split_once(FETCH.1) else {
                    anyhow::bail!("a piece is fetched in another way: {line}");
                };
                format!("{before}globalThis.edgewise.piece(\"{piece}\"){after}")
            }
            None => line.replace(INSTANTIATE, "WebAssembly.instantiate(await src, imports)"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    ensure!(!loads.is_empty(), "there is no loader");
    ensure!(
        !text.contains("instantiateStreaming(src"),
        "a piece is instantiated in another way"
    );
    text.push_str(&format!("const loaders = {{ {} }};\n", loads.join(", ")));
    for name in names {
        text.push_str(&format!("const {name} = loaders;\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::joined;

    const BOUND: &str = "import * as import1 from \"./__wasm_split.js\"\nfunction initSync() {}\nexport { initSync };\n";
    const SPLIT: &str = "import { initSync } from \"./app.js\";\n\
        const __chunk_8 = makeLoad(() => {\n    const src = fetch(new URL(\"./chunk_8.wasm\", import.meta.url));\n    \
        return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n}\n, []);\n\
        export const __wasm_split_load_tiers = wrapAsyncCb(makeLoad(f, [__chunk_8]));\n";

    #[test]
    fn both_become_one_module_that_asks_for_pieces() {
        let text = joined(BOUND, SPLIT).expect("as the tools write it");
        assert!(!text.contains("import "), "{text}");
        assert!(
            text.contains("globalThis.edgewise.piece(\"chunk_8\")"),
            "{text}"
        );
        assert!(
            text.contains("WebAssembly.instantiate(await src, imports)"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "const loaders = { __wasm_split_load_tiers };\nconst import1 = loaders;\n"
            )
        );
    }

    #[test]
    fn a_program_without_pieces_is_refused() {
        assert!(joined("function initSync() {}", SPLIT).is_err());
        assert!(joined(BOUND, "const a = 1;").is_err());
    }
}
