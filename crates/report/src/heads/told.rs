//! What is told about attention heads on devices, section by section.

use super::{against, comparison, device_name, layer_words, parts, table_notes, words};
use engine::scenario::heads::Scenario;
use engine::units::{bytes, seconds};
use job::heads::Planned;
use job::heads_run::Comparison;
use story::{Block, Figures, Part, Quantity, Section, Unit};

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

/// The role of each part’s colour.
const CLASSES: [&str; 4] = ["k-heads", "k-compute", "k-transfer", "k-moving"];
/// Their names for programs.
const KEYS: [&str; 4] = ["heads", "blocks", "transfer", "moving"];

/// The figures under the headline; `None` where no token was answered.
#[must_use]
pub fn figures(scenario: &Scenario, planned: &Planned) -> Option<Figures> {
    let elapsed = &planned.times.elapsed;
    let first = elapsed.first().copied()?;
    let peak = |at: &usize| planned.devices[*at].peak_memory;
    let fullest = (0..planned.devices.len()).max_by(|a, b| peak(a).total_cmp(&peak(b)))?;
    let of_all: f64 = planned.devices.iter().map(|used| used.peak_memory).sum();
    let last = match elapsed.as_slice() {
        [.., before, last] => last - before,
        _ => first,
    };
    let parts = parts(planned).into_iter().zip(KEYS).zip(CLASSES);
    let parts = parts.map(|(((name, time), key), class)| Part {
        quantity: Quantity::new(key, name, time, Unit::Seconds),
        class: class.to_owned(),
    });
    let parts: Vec<Part> = parts.collect();
    let total = parts.iter().map(|part| part.quantity.value).sum();
    let holder = device_name(scenario, planned.places[fullest]);
    Some(Figures {
        whole: Some(Quantity::new("total", "All tokens", total, Unit::Seconds)),
        parts,
        others: vec![
            Quantity::new(
                "memory",
                "Most memory on one device",
                peak(&fullest),
                Unit::Bytes,
            )
            .noted(format!("{holder}; all devices {}", bytes(of_all))),
            Quantity::new("last_token", "Last token", last, Unit::Seconds)
                .noted(format!("the first: {}", seconds(first))),
        ],
    })
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
