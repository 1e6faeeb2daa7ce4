//! Random fleets that have been made before, to compare with those that are made now.

use engine::scenario::presets;
use engine::scenario::random::{RandomSpread, Recipe};

/// What was made: one scenario a line.
const FILE: &str = include_str!("../data/fleets.json");

/// The recipes, each with the scenario it makes.
pub fn lines() -> Vec<String> {
    let recipe = |seed| {
        RandomSpread::ALL.map(|spread| Recipe {
            seed,
            count: 5,
            spread,
        })
    };
    let recipes = [0, 7, u32::MAX].into_iter().flat_map(recipe);
    recipes
        .map(|recipe| recipe.applied_to(&presets::paper()).to_json())
        .collect()
}

/// Where the fleets made now are not those of the file.
pub fn differences() -> Vec<String> {
    let body = FILE.trim_start_matches("[\n").trim_end_matches("\n]\n");
    let (kept, made): (Vec<&str>, _) = (body.split(",\n").collect(), lines());
    let mut found: Vec<String> = kept
        .iter()
        .zip(&made)
        .filter(|(kept, made)| kept != made)
        .map(|(kept, made)| format!("kept {kept}\nmade {made}"))
        .collect();
    if kept.len() != made.len() {
        found.push(format!("{} are kept, {} are made", kept.len(), made.len()));
    }
    found
}
