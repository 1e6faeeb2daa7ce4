//! Every causal and image-text class of `transformers` with its default configuration: counted exactly, or asked about.
//!
//! `tests/data/model_classes/walk.py` has counted them on the meta device; `docs/models.md` is the comparison.

use super::none;
use crate::golden_file::is_to_be_written;
use engine::scenario::import;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;

const CLASSES: &str = include_str!("../../data/model_classes/classes.jsonl");

/// Classes that are counted and differ, with the reason.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "bert",
        "an encoder: the base model with its pooler is counted, the class has a head for tokens",
    ),
    ("roberta", "as BERT"),
    ("xlm-roberta", "as BERT"),
    (
        "deepseek_v32",
        "the values of its indexer are counted, which the library keeps apart from keys and values",
    ),
    ("glm_moe_dsa", "as DeepSeek-V3.2"),
];

struct Compared {
    class: String,
    /// Parameters of the library and here, values of the cache per token likewise.
    parameters: Option<[u64; 2]>,
    cache: [Option<f64>; 2],
    verdict: String,
}

fn compared(line: &str) -> Compared {
    let row: Value = serde_json::from_str(line).expect("a line is JSON");
    let class = row["model_type"]
        .as_str()
        .expect("a class has a name")
        .to_owned();
    let (Some(counted), Some(config)) = (row["parameters"].as_u64(), row.get("config")) else {
        let reason = row["reason"].as_str().unwrap_or_default();
        let reason: String = reason.split(':').next().unwrap_or_default().to_owned();
        return Compared {
            class,
            parameters: None,
            cache: [None; 2],
            verdict: format!("not built by the library ({reason})"),
        };
    };
    let brought = import::config(&config.to_string(), "config.json", &none());
    let brought = brought.expect("a configuration of the library is one");
    let cache = row["cache_values"].as_f64();
    let Some(counts) = &brought.counts else {
        let fields: Vec<&str> = brought
            .questions()
            .map(|(field, _)| field)
            .take(3)
            .collect();
        let parameters = None;
        return Compared {
            class,
            parameters,
            cache: [cache, None],
            verdict: format!("asked: {}", fields.join(", ")),
        };
    };
    let own = counts.kv_token_bytes / 2.0;
    let is_exact = counts.parameters == counted && cache.is_none_or(|cache| cache == own);
    Compared {
        class,
        parameters: Some([counted, counts.parameters]),
        cache: [cache, Some(own)],
        verdict: if is_exact { "exact" } else { "differs" }.to_owned(),
    }
}

fn rows() -> Vec<Compared> {
    CLASSES.lines().map(compared).collect()
}

/// No class is counted wrongly without a word.
#[test]
fn every_class_of_the_library_is_exact_or_asked_about() {
    let rows = rows();
    assert!(rows.len() > 200, "{}", rows.len());
    for row in &rows {
        let is_explained = EXPLAINED.iter().any(|(class, _)| *class == row.class);
        let differs = row.verdict == "differs";
        assert_eq!(
            differs, is_explained,
            "{}: {:?} {:?}",
            row.class, row.parameters, row.cache
        );
    }
    let exact = rows.iter().filter(|row| row.verdict == "exact").count();
    assert!(exact >= 120, "{exact}");
}

fn markdown() -> String {
    let rows = rows();
    let count = |begin: &str| {
        rows.iter()
            .filter(|row| row.verdict.starts_with(begin))
            .count()
    };
    let mut page = format!(
        "# Models that are read\n\nA `config.json` or `params.json`, a GGUF file, safetensors files beside a config: what is read, and what \
         is asked.\n\n* Sizes are read by the rules of the class that the file names. A key that is not read and may change how blocks are built \
         is asked about by its name; `--set KEY=0` says that it changes nothing.\n* A list with one number for every block is read block by \
         block: heads, widths, experts, windows, blocks with a state in the place of attention.\n* Blocks that keep a state of fixed size \
         have `state_bytes`: bytes per sequence, states in 32 bits and the inputs of convolutions in 16.\n* Parameters are those that \
         `transformers` counts. Corrections of routers are buffers there: they count as bytes and not as parameters.\n* Modules that a file \
         quantises unlike the rest (GPTQ `dynamic`, AutoRound `extra_config`, lists of modules that stay as they were, groups of compressed \
         tensors, MLX) are counted module by module. A rule that is for none of the blocks is asked about.\n* Encoders keep no cache. Pairs of \
         encoder and decoder are refused, and so are adapters and projectors.\n\n## Compared with transformers 5.24\n\nEvery causal and \
         image-text class with its default configuration, {} in all, counted by `tests/data/model_classes/walk.py` on the meta device: {} \
         exact, {} asked about, {} that differ and are explained, {} that the library does not build by its own defaults. The cache is the \
         growth from 3 to 4 tokens, in values.\n\n| class | parameters | here | cache | here | verdict |\n|---|---|---|---|---|---|\n",
        rows.len(),
        count("exact"),
        count("asked"),
        count("differs"),
        count("not built"),
    );
    let number = |value: Option<f64>| value.map_or_else(String::new, |n| n.to_string());
    for row in &rows {
        let [library, own] = row
            .parameters
            .map_or([None, None], |[a, b]| [Some(a as f64), Some(b as f64)]);
        let verdict = EXPLAINED
            .iter()
            .find(|(class, _)| *class == row.class)
            .map_or_else(|| row.verdict.clone(), |(_, why)| format!("differs: {why}"));
        let [cache, own_cache] = row.cache;
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {verdict} |",
            row.class,
            number(library),
            number(own),
            number(cache),
            number(own_cache)
        )
        .expect("a text takes any text");
    }
    page
}

#[test]
fn the_documentation_has_the_comparison() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/models.md");
    if is_to_be_written() {
        fs::write(path, markdown()).expect("the documentation can be written");
    }
    let documented = fs::read_to_string(path).unwrap_or_default();
    assert!(
        documented == markdown(),
        "docs/models.md is stale: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native classes"
    );
}
