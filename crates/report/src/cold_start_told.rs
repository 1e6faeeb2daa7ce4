//! What is told about cold starts, section by section.

use crate::cold_start::{memory_words, words};
use crate::flags::{self, Chain};
use crate::rules;
use crate::table::{comparison, timeline, tokens};
use engine::problem::ColdStart;
use engine::scenario::Scenario;
use engine::units::{seconds, tokens_a_second};
use job::cold_start::Answer;
use job::cold_start_decode::DecodeAnswer;
use job::cold_start_rules;
use story::{Block, Section, Sentence, counted};

/// What is known of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its problem.
    pub problem: &'a ColdStart,
    /// The plan and what it is compared with.
    pub answer: &'a Answer,
}

/// The scenario in a line.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![format!(
        "{}, {} tokens, {}",
        scenario.model.shown_name(),
        scenario.prompt_tokens,
        counted(scenario.switched_on().count(), "device", "devices")
    )]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &Known<'_>) -> Vec<Section> {
    let Known {
        scenario,
        problem,
        answer,
    } = *known;
    let words = words(problem, answer);
    let first = Section::new("answer", "Answer")
        .with(Block::Answer(words))
        .with(memory_words(scenario));
    let mut all = vec![first];
    if answer.timeline.is_some() {
        all.push(Section::new("picture", "Stages in time").with(timeline(problem, answer)));
    }
    all.extend(answer.decode.as_ref().map(|decode| {
        let section = Section::new("decode", "The tokens after the first one");
        section.with(tokens(problem, decode)).with(decoding(decode))
    }));
    let compared = Section::new("comparison", "Compared with simple splits");
    all.push(compared.with(comparison(problem, answer)));
    let found = cold_start_rules::rules(problem, answer);
    let others = Section::new("rules", "What other tools would do");
    all.push(
        others
            .with(rules::table(problem, &found))
            .with(rules::other_objectives(&found)),
    );
    let plan = answer.plan.as_ref();
    let chain = plan.and_then(|plan| Chain::of_cold_start(scenario, problem, plan, true).ok());
    all.extend(chain.map(|chain| flags::section(&chain)));
    all
}

/// How fast tokens come.
fn decoding(decode: &DecodeAnswer) -> Sentence {
    let full = match decode.stages.len() {
        1 => String::new(),
        _ => format!(
            "; {} when the pipeline is full",
            tokens_a_second(decode.rate)
        ),
    };
    let under_way = match decode.requests > 1.0 {
        true => {
            let rate = tokens_a_second(decode.rate_requests);
            format!(", {rate} with {} answers at once", decode.requests)
        }
        false => String::new(),
    };
    Sentence::default().plain(format!(
        "One token every {}: {}{full}{under_way}.",
        seconds(decode.D),
        tokens_a_second(decode.rate_one_request),
    ))
}
