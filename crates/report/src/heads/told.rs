//! What is told about attention heads on devices, section by section.

use super::{against, comparison, layer_words, table_notes, words};
use engine::scenario::heads::Scenario;
use job::heads::Planned;
use job::heads_run::Comparison;
use story::{Block, Section};

/// What is known of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The plan of every interval.
    pub planned: &'a Planned,
    /// All rules on every draw.
    pub drawn: Option<&'a Comparison>,
}

/// The scenario in a line.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![format!(
        "{}, {} tokens in, {} out",
        layer_words(scenario),
        scenario.prompt_tokens,
        scenario.new_tokens
    )]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &Known<'_>) -> Vec<Section> {
    let words = words(known.scenario, known.planned, true);
    let notes = table_notes(known.scenario).into_iter();
    let notes = notes.map(|note| format!("Note: {note}"));
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(words))
        .and(notes);
    let mut all = vec![answer];
    if let Some(drawn) = known.drawn.filter(|drawn| !drawn.seeds().is_empty()) {
        let section = Section::new("comparison", "Compared with other rules");
        all.push(
            section
                .and(against(known.scenario, drawn))
                .with(comparison(drawn)),
        );
    }
    all
}
