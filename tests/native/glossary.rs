//! The glossary: the documentation and the page have one source, and no term that readers asked about is missing.

use crate::golden_file::is_to_be_written;
use protocol::glossary::{first, markdown};
use std::fs;

#[test]
fn the_documentation_has_the_glossary_of_the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/glossary.md");
    if is_to_be_written() {
        fs::write(path, markdown()).expect("the documentation can be written");
    }
    let documented = fs::read_to_string(path).expect("the documentation has a glossary");
    assert_eq!(documented, markdown());
}

#[test]
fn the_parts_of_an_answer_are_explained() {
    for text in [
        "gap",
        "Optimal, proven",
        "Best found, gap 3 %",
        "Table I",
        "DiSCo-D",
        "PEFT",
        "fmh",
        "cout",
        "Me = Mi + w + out",
        "R16",
        "T2",
        "To AP",
        "Utilisation a",
        "Rate b",
        "shadow price",
        "P99",
        "a steady rate",
        "Makespan",
    ] {
        assert!(first(text).is_some(), "{text}");
    }
}
