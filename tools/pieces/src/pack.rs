//! Packs: pieces that are wanted together, as sections of one WebAssembly module that holds nothing else. A browser compiles it
//! as it arrives, hosts know its type, and a piece is taken out by its name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use wasm_encoder::{CustomSection, Module};

/// How the name of what a question's solvers need for its first answer ends.
const FIRST: &str = "_first";
/// How the name of what a question shows beside its answer and below it ends.
const BELOW_SUFFIX: &str = "_below";
/// The pack of what several questions show there.
const BELOW_ALL: &str = "below";
/// How the name of what a question's solvers need after its first answer ends.
const LATER_SUFFIX: &str = "_more";
/// How the name of what no question needs ends.
const BESIDES: &str = "_besides";
/// How the name of what some visits need before any question ends.
const WHOLE_SUFFIX: &str = "_whole";
/// The pack of what most questions need for their first answer.
const COMMON: &str = "common";
/// The pack of what the solvers of several questions need later.
const SHARED_PACK: &str = "rest";
/// A bundle that this many questions need counts as needed by all.
const MOST: usize = 3;

/// Pieces that are always loaded together: they are in the same packs, and the same side of the page needs them.
#[derive(Debug, PartialEq)]
pub struct PackPart {
    /// Its name in packs.
    pub name: String,
    /// The packs that it is in.
    pub packs: BTreeSet<String>,
    /// Bundles in the pack.
    pub bundles: Vec<String>,
    /// The places where the program was cut that need something of it.
    pub cuts: BTreeSet<String>,
}

/// The sides of the page that need a piece: what is seen, the workers.
type Sides = (bool, bool);

/// All parts, for pieces that are needed so: by each place where the program was cut, its pieces.
///
/// A bundle is in as many packs as needed so that a function waits only for its own pack, the pack of what several of its kind
/// need, the one of its question and the common one. A question has one pack for its first answer, one for the views below it and
/// one for what its solvers need later. Code that some visits need before any question has its own pack with all but the common
/// code.
pub fn pack_parts(needed: &HashMap<String, Vec<String>>) -> Vec<PackPart> {
    let mut by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (cut, pieces) in needed {
        for piece in pieces {
            by.entry(piece).or_default().insert(cut);
        }
    }
    let mut parts: BTreeMap<(BTreeSet<String>, Sides), PackPart> = BTreeMap::new();
    for (piece, cuts) in by {
        let packs: BTreeSet<String> = packs(&cuts);
        let is_solver = |cut: &str| {
            [FIRST, LATER_SUFFIX, BESIDES]
                .iter()
                .any(|end| cut.ends_with(end))
        };
        let solvers = cuts.iter().filter(|cut| is_solver(cut)).count();
        let sides = (solvers < cuts.len(), solvers > 0);
        let name = (parts.len() + 1).to_string();
        let part = parts.entry((packs.clone(), sides)).or_insert(PackPart {
            name,
            packs,
            bundles: Vec::new(),
            cuts: BTreeSet::new(),
        });
        part.bundles.push(piece.to_owned());
        part.cuts.extend(cuts.into_iter().map(str::to_owned));
    }
    parts.into_values().collect()
}

/// The packs that a piece belongs in that is needed by these.
fn packs(cuts: &BTreeSet<&str>) -> BTreeSet<String> {
    let others = [BELOW_SUFFIX, LATER_SUFFIX, BESIDES, WHOLE_SUFFIX];
    let is_question = |cut: &&&str| !others.iter().any(|end| cut.ends_with(end));
    let first: BTreeSet<&str> = cuts
        .iter()
        .filter(is_question)
        .map(|cut| cut.strip_suffix(FIRST).unwrap_or(cut))
        .collect();
    if first.len() >= MOST {
        return BTreeSet::from([COMMON.to_owned()]);
    }
    // What a question has loaded for its first answer is there when the rest of it comes.
    let of = |end: &str| -> Vec<&str> {
        let all = cuts.iter().copied();
        let of = all.filter_map(|cut| Some((cut, cut.strip_suffix(end)?)));
        of.filter(|(_, question)| !first.contains(question))
            .map(|(cut, _)| cut)
            .collect()
    };
    let mut all: BTreeSet<&str> = first.clone();
    for (cuts, of_several) in [
        (of(BELOW_SUFFIX), BELOW_ALL),
        (of(LATER_SUFFIX), SHARED_PACK),
    ] {
        match cuts[..] {
            [] => {}
            [one] => all.extend([one]),
            _ => all.extend([of_several]),
        }
    }
    all.extend(of(WHOLE_SUFFIX));
    if all.is_empty() {
        all = match cuts.len() {
            1 => cuts.clone(),
            _ => BTreeSet::from([SHARED_PACK]),
        };
    }
    all.into_iter().map(str::to_owned).collect()
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
    fn every_bundle_needs_few_packs() {
        let needed: [(&str, &[&str]); 13] = [
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
            ("c_below", &["all", "form", "ab", "b"]),
            ("file_besides", &["f", "c"]),
            ("links_whole", &["all", "ab", "c", "l", "form"]),
        ];
        let owned = |all: &[&str]| all.iter().map(|piece| (*piece).to_owned()).collect();
        let needed = needed.map(|(cut, all)| (cut.to_owned(), owned(all)));
        let parts = pack_parts(&needed.into());
        let lines: Vec<String> = parts
            .iter()
            .map(|part| {
                let packs: Vec<&str> = part.packs.iter().map(String::as_str).collect();
                format!("{}: {}", packs.join(" "), part.bundles.join(" "))
            })
            .collect();
        assert_eq!(
            lines,
            [
                "a: a",
                "a: both",
                "a b c_below links_whole: ab",
                "a_below: a3",
                "a_below a_more: a2",
                "b c_below: b",
                "b_below: b3",
                "b_more: b2",
                "below links_whole: form",
                "c links_whole: c",
                "c_more: c2 c3",
                "common: all",
                "file_besides: f",
                "links_whole: l",
                "rest: later",
            ]
        );
        for (cut, of_its_kind) in [
            ("a", "a"),
            ("a_first", "a"),
            ("b", "b"),
            ("c", "c"),
            ("a_more", "rest"),
            ("b_more", "rest"),
            ("c_more", "rest"),
            ("a_below", "below"),
            ("b_below", "below"),
            ("c_below", "below"),
            ("links_whole", "links_whole"),
        ] {
            let question = cut.split('_').next().unwrap_or(cut);
            let waited = [question, cut, of_its_kind, "common"];
            for part in parts.iter().filter(|part| part.cuts.contains(cut)) {
                let is_there = part
                    .packs
                    .iter()
                    .any(|pack| waited.contains(&pack.as_str()));
                assert!(is_there, "{cut} waits for {part:?}");
            }
        }
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
