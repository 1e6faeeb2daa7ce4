//! Packs: pieces that are wanted together, as sections of one WebAssembly module that holds nothing else. A browser compiles it
//! as it arrives, hosts know its type, and a piece is taken out by its name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use wasm_encoder::{CustomSection, Module};

/// How the name of what a question's solvers need for its first answer ends.
const FIRST: &str = "_first";
/// How the name of what a question shows beside its answer and below it ends.
const BELOW: &str = "_below";
/// The pack of what several questions show there.
const BELOW_ALL: &str = "below";
/// How the name of what a question's solvers need after its first answer ends.
const LATER: &str = "_more";
/// How the name of what no question needs ends.
const BESIDES: &str = "_besides";
/// How the name of what some visits need before any question ends.
const WHOLE: &str = "_whole";
/// The pack of what most questions need for their first answer.
const COMMON: &str = "common";
/// The pack of what the solvers of several questions need later.
const REST: &str = "rest";
/// So many questions are most of them.
const MOST: usize = 3;

/// Pieces that are always loaded together: they are in the same packs, and the same side of the page needs them.
#[derive(Debug, PartialEq)]
pub struct Part {
    /// Its name in packs.
    pub name: String,
    /// The packs that it is in.
    pub packs: BTreeSet<String>,
    /// What it is made of.
    pub pieces: Vec<String>,
    /// The places where the program was cut that need something of it.
    pub cuts: BTreeSet<String>,
}

/// The sides of the page that need a piece: what is seen, the workers.
type Sides = (bool, bool);

/// All parts, for pieces that are needed so: by each place where the program was cut, its pieces.
///
/// What a question needs for its first answer is in its own pack or in the common one; a piece that two questions need for it is in
/// both of theirs. What some visits need before any question finds in its own pack all that is needed for first answers and not
/// common.
pub fn parts(needed: &HashMap<String, Vec<String>>) -> Vec<Part> {
    let mut by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (cut, pieces) in needed {
        for piece in pieces {
            by.entry(piece).or_default().insert(cut);
        }
    }
    let mut parts: BTreeMap<(BTreeSet<String>, Sides), Part> = BTreeMap::new();
    for (piece, cuts) in by {
        let packs: BTreeSet<String> = packs(&cuts);
        let is_solver = |cut: &str| [FIRST, LATER, BESIDES].iter().any(|end| cut.ends_with(end));
        let solvers = cuts.iter().filter(|cut| is_solver(cut)).count();
        let sides = (solvers < cuts.len(), solvers > 0);
        let name = (parts.len() + 1).to_string();
        let part = parts.entry((packs.clone(), sides)).or_insert(Part {
            name,
            packs,
            pieces: Vec::new(),
            cuts: BTreeSet::new(),
        });
        part.pieces.push(piece.to_owned());
        part.cuts.extend(cuts.into_iter().map(str::to_owned));
    }
    parts.into_values().collect()
}

/// The packs that a piece belongs in that is needed by these.
fn packs(cuts: &BTreeSet<&str>) -> BTreeSet<String> {
    let others = [BELOW, LATER, BESIDES, WHOLE];
    let is_question = |cut: &&&str| !others.iter().any(|end| cut.ends_with(end));
    let first: BTreeSet<&str> = cuts
        .iter()
        .filter(is_question)
        .map(|cut| cut.strip_suffix(FIRST).unwrap_or(cut))
        .collect();
    let of = |end: &str| -> Vec<&str> {
        let all = cuts.iter().filter(|cut| cut.ends_with(end));
        all.copied().collect()
    };
    let one = |pack: &str| BTreeSet::from([pack.to_owned()]);
    match (first.len(), &of(BELOW)[..], &of(LATER)[..]) {
        (MOST.., ..) => one(COMMON),
        (1.., ..) => {
            let all = first.into_iter().chain(of(WHOLE));
            all.map(str::to_owned).collect()
        }
        (0, [cut], _) | (0, [], [cut]) => one(cut),
        (0, [_, _, ..], _) => one(BELOW_ALL),
        (0, [], []) if cuts.len() == 1 => cuts.iter().map(|cut| (*cut).to_owned()).collect(),
        _ => one(REST),
    }
}

/// The file of a pack.
pub fn file(pieces: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut module = Module::new();
    for (name, bytes) in pieces {
        module.section(&CustomSection {
            name: (*name).into(),
            data: bytes.as_slice().into(),
        });
    }
    module.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_finds_all_for_its_first_answer_in_its_own_pack_and_the_common_one() {
        let needed: [(&str, &[&str]); 12] = [
            ("a", &["all", "ab", "a", "both"]),
            ("a_first", &["both"]),
            ("b", &["all", "ab"]),
            ("b_first", &["b", "ab"]),
            ("c", &["all", "c"]),
            ("a_more", &["all", "later", "a2"]),
            ("b_more", &["later", "b2"]),
            ("c_more", &["c", "c2", "c3"]),
            ("a_below", &["all", "form", "a3", "a2"]),
            ("b_below", &["form", "b3"]),
            ("file_besides", &["f", "c"]),
            ("links_whole", &["all", "ab", "c", "l", "form"]),
        ];
        let owned = |all: &[&str]| all.iter().map(|piece| (*piece).to_owned()).collect();
        let needed = needed.map(|(cut, all)| (cut.to_owned(), owned(all)));
        let parts = parts(&needed.into());
        let told: Vec<String> = parts
            .iter()
            .map(|part| {
                let packs: Vec<&str> = part.packs.iter().map(String::as_str).collect();
                format!("{}: {}", packs.join(" "), part.pieces.join(" "))
            })
            .collect();
        assert_eq!(
            told,
            [
                "a: a",
                "a: both",
                "a b links_whole: ab",
                "a_below: a3",
                "a_below: a2",
                "b: b",
                "b_below: b3",
                "b_more: b2",
                "below: form",
                "c links_whole: c",
                "c_more: c2 c3",
                "common: all",
                "file_besides: f",
                "links_whole: l",
                "rest: later",
            ]
        );
        let whole = parts
            .iter()
            .filter(|part| part.cuts.contains("links_whole"));
        let names: Vec<&str> = whole
            .flat_map(|part| &part.pieces)
            .map(String::as_str)
            .collect();
        assert_eq!(names, ["ab", "form", "c", "all", "l"]);
        let distinct: BTreeSet<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(distinct.len(), parts.len());
    }

    #[test]
    fn a_pack_is_a_module_with_a_section_for_each_piece() {
        let bytes = file(&[("one", vec![1, 2, 3])]);
        assert_eq!(
            bytes,
            [b"\0asm\x01\0\0\0".as_slice(), b"\0\x07\x03one\x01\x02\x03"].concat()
        );
    }
}
