//! What is told about device and server, section by section.

use super::{
    bills, comparison, first_token_words, printed_words, prompt_words, reply_words, several,
    several_words, words,
};
use engine::scenario::dispatch::Scenario;
use engine::units::percent;
use job::dispatch::Planned;
use story::{Block, Section};

/// The scenario in a few lines.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![
        format!("Budget {}", percent(100.0 * scenario.budget, 1)),
        format!("{}, {}", scenario.server.name, first_token_words(scenario)),
        format!(
            "Prompts: {}. Replies: {}.",
            prompt_words(scenario),
            reply_words(scenario)
        ),
    ]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(scenario: &Scenario, planned: &Planned) -> Vec<Section> {
    let words = words(scenario, planned);
    let mut all = vec![
        Section::new("answer", "Answer").with(Block::Answer(words)),
        Section::new("comparison", "Compared with other rules").with(comparison(planned)),
        Section::new("costs", "Costs").with(bills(planned)),
    ];
    if let Some(sentence) = several_words(scenario, planned) {
        let section = Section::new("devices", "Devices").with(sentence);
        all.push(section.with(several(scenario, planned)));
    }
    if let Some(printed) = printed_words(scenario, planned) {
        all.push(Section::new("printed", "The paper\u{2019}s waits").with(printed));
    }
    all
}
