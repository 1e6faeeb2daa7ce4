//! The copy with all its switches: which files differ from the clone's, and what cannot be switched.

use crate::copy::crate_of;
use crate::mutant::Mutant;
use crate::runtime;
use crate::switch::{self, BlameRegion};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of the copy that the switches change.
#[derive(Debug, Default)]
pub struct MutantPlan {
    /// Their texts, by their paths from the root.
    pub files: BTreeMap<PathBuf, String>,
    /// Where the compiler may blame mutants, in each of them.
    regions: BTreeMap<PathBuf, Vec<BlameRegion>>,
    /// Mutants that cannot be switched, by number, and why.
    pub awkward: BTreeMap<u32, String>,
    /// Mutants whose function is const no longer.
    pub not_const: Vec<u32>,
}

impl MutantPlan {
    /// Puts a switch for every mutant into the files of the clone at `root`, but for those known to be awkward.
    pub fn new(root: &Path, mutants: &[Mutant], awkward: &BTreeMap<u32, String>) -> Result<Self> {
        let mut plan = Self {
            awkward: awkward.clone(),
            ..Self::default()
        };
        let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        for mutant in mutants {
            let of_file = by_file.entry(&mutant.file).or_default();
            if !awkward.contains_key(&mutant.number) {
                of_file.push(mutant);
            }
        }
        let mut roots = BTreeSet::new();
        for (file, mutants) in by_file {
            let path = PathBuf::from(file);
            let source = fs::read_to_string(root.join(file)).with_context(|| file.to_owned())?;
            let switched = switch::switched(&source, &mutants).with_context(|| file.to_owned())?;
            for (number, why) in switched.awkward {
                plan.awkward.insert(number, why.to_owned());
            }
            plan.not_const.extend(switched.not_const);
            if !switched.regions.is_empty() {
                roots.insert(crate_of(root, &path)?.join("src"));
                plan.files.insert(path.clone(), switched.text);
                plan.regions.insert(path, switched.regions);
            }
        }
        for folder in roots {
            let lib = folder.join("lib.rs");
            let text = match plan.files.remove(&lib) {
                Some(text) => text,
                None => fs::read_to_string(root.join(&lib))?,
            };
            plan.files.insert(lib, text + runtime::DECLARATION);
            plan.files
                .insert(folder.join("mutant_switch.rs"), runtime::MODULE.to_owned());
        }
        Ok(plan)
    }

    /// The mutants whose switch is on this line.
    pub fn blamed(&self, file: &Path, line: usize) -> BTreeSet<u32> {
        let regions = self.regions.get(file).into_iter().flatten();
        regions
            .filter(|region| region.lines.contains(&line))
            .flat_map(|region| region.mutants.iter().copied())
            .collect()
    }
}
