//! Packs: pieces that are wanted together, as sections of one WebAssembly module that holds nothing else. A browser compiles it
//! as it arrives, hosts know its type, and a piece is taken out by its name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use wasm_encoder::{CustomSection, Module};

/// How the name of what a question's solvers need for its first answer ends.
const FIRST: &str = "_first";
/// How the name of what a question needs after its first answer ends.
const LATER: &str = "_more";
/// How the name of what no question needs ends.
const BESIDES: &str = "_besides";
/// How the name of what some visits need before any question ends.
const WHOLE: &str = "_whole";
/// The pack of what most questions need for their first answer.
const COMMON: &str = "common";
/// The pack of what several questions need later.
const REST: &str = "rest";
/// So many questions are most of them.
const MOST: usize = 3;

/// Which pieces are in which pack. What a question needs for its first answer is in its own pack or in the common one; a piece
/// that two questions need for it is in both of theirs. What some visits need before any
/// question finds in its own pack all that is not common.
#[derive(Debug, PartialEq)]
pub struct Packs(BTreeMap<String, BTreeSet<String>>);

impl Packs {
    /// The packs for pieces that are needed so: by each place where the program was cut, its pieces.
    pub fn of(needed: &HashMap<String, Vec<String>>) -> Self {
        let mut by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (cut, pieces) in needed {
            for piece in pieces {
                by.entry(piece).or_default().insert(cut);
            }
        }
        let is_question = |cut: &str| ![LATER, BESIDES, WHOLE].iter().any(|end| cut.ends_with(end));
        let mut packs = Self(BTreeMap::new());
        for (piece, cuts) in by {
            let first: BTreeSet<&str> = cuts
                .iter()
                .filter(|cut| is_question(cut))
                .map(|cut| cut.strip_suffix(FIRST).unwrap_or(cut))
                .collect();
            let later: BTreeSet<&str> = cuts
                .iter()
                .filter_map(|cut| cut.strip_suffix(LATER))
                .collect();
            match (first.len(), later.len()) {
                (MOST.., _) => packs.put(COMMON, piece),
                (1.., _) => {
                    let whole = cuts.iter().filter(|cut| cut.ends_with(WHOLE));
                    let all = first.iter().chain(whole);
                    all.for_each(|pack| packs.put(pack, piece));
                }
                (0, 1) => later
                    .iter()
                    .for_each(|cut| packs.put(&format!("{cut}{LATER}"), piece)),
                (0, 0) if cuts.len() == 1 => cuts.iter().for_each(|cut| packs.put(cut, piece)),
                _ => packs.put(REST, piece),
            }
        }
        packs
    }

    fn put(&mut self, pack: &str, piece: &str) {
        self.0
            .entry(pack.to_owned())
            .or_default()
            .insert(piece.to_owned());
    }

    /// Every pack with its pieces.
    pub fn all(&self) -> impl Iterator<Item = (&String, &BTreeSet<String>)> {
        self.0.iter()
    }

    /// Every piece with the packs that it is in.
    pub fn places(&self) -> impl Iterator<Item = (String, Vec<&str>)> {
        let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (pack, pieces) in &self.0 {
            for piece in pieces {
                places.entry(piece.clone()).or_default().push(pack);
            }
        }
        places.into_iter()
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

    fn packs(needed: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        let owned = |all: &[&str]| all.iter().map(|piece| (*piece).to_owned()).collect();
        let needed = needed
            .iter()
            .map(|(cut, all)| ((*cut).to_owned(), owned(all)));
        let packs = Packs::of(&needed.collect());
        packs
            .0
            .into_iter()
            .map(|(pack, all)| (pack, all.into_iter().collect()))
            .collect()
    }

    #[test]
    fn a_question_finds_all_for_its_first_answer_in_its_own_pack_and_the_common_one() {
        let found = packs(&[
            ("a", &["all", "ab", "a"]),
            ("b", &["all", "ab"]),
            ("b_first", &["b", "ab"]),
            ("c", &["all", "c"]),
            ("a_more", &["all", "later", "a2"]),
            ("b_more", &["later", "b2"]),
            ("c_more", &["c", "c2"]),
            ("file_besides", &["f", "c"]),
            ("links_whole", &["all", "ab", "c", "l"]),
        ]);
        let named = |pack: &str, all: &[&str]| {
            (
                pack.to_owned(),
                all.iter()
                    .map(|piece| (*piece).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            found,
            [
                named("a", &["a", "ab"]),
                named("a_more", &["a2"]),
                named("b", &["ab", "b"]),
                named("b_more", &["b2"]),
                named("c", &["c"]),
                named("c_more", &["c2"]),
                named("common", &["all"]),
                named("file_besides", &["f"]),
                named("links_whole", &["ab", "c", "l"]),
                named("rest", &["later"]),
            ]
        );
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
