//! What an answer says of the tokens after the first one: beside the headline, the comparison and the reason.

use super::Sentence;
use engine::plan::{Binds, StageDecode};
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::{bytes, count, seconds, tokens_a_second};
use job::cold_start::Answer;
use job::cold_start_decode::DecodeAnswer;

/// "First answer in 2.562 s", or "Whole answer of 200 tokens in 14.2 s".
#[must_use]
pub fn headline(answer: &Answer, first: f64) -> Sentence {
    match &answer.decode {
        Some(decode) if decode.goal == "whole-answer" => Sentence::default()
            .plain(format!(
                "Whole answer of {} in ",
                tokens(decode.answer_tokens)
            ))
            .strong(seconds(decode.total)),
        _ => Sentence::default()
            .plain("First answer in ")
            .strong(seconds(first)),
    }
}

/// The comparison, and what comes after the first answer.
#[must_use]
pub fn lead(answer: &Answer, lead: Sentence) -> Sentence {
    let (Some(decode), Some(first)) = (&answer.decode, answer.T) else {
        return lead;
    };
    let after = match decode.goal.as_str() {
        "whole-answer" => format!(
            " The first answer comes in {}, then {} from token to token.",
            seconds(first),
            seconds(decode.D)
        ),
        "throughput" => format!(
            " A full pipeline lets {} pass, {} were asked for; {} take {} in all.",
            tokens_a_second(decode.rate),
            tokens_a_second(decode.least_rate.unwrap_or_default()),
            tokens(decode.answer_tokens),
            seconds(decode.total)
        ),
        _ => format!(
            " Then {} from token to token: {} take {} in all.",
            seconds(decode.D),
            tokens(decode.answer_tokens),
            seconds(decode.total)
        ),
    };
    lead.plain(after)
}

/// What sets the pace, of the first answer and of the tokens after it.
#[must_use]
pub fn reason(problem: &ColdStart, answer: &Answer, reason: Sentence) -> Sentence {
    let Some(decode) = &answer.decode else {
        return reason;
    };
    let Some(slowest) = slowest(decode) else {
        return reason;
    };
    let name = device_name(problem, slowest.device);
    let hops: f64 = decode.stages.iter().map(|stage| stage.receive).sum();
    let opening = if hops > 0.5 * decode.D {
        format!(
            " Of a token\u{2019}s {}, {} are hops.",
            seconds(decode.D),
            seconds(hops)
        )
    } else {
        match slowest.binds {
            Binds::Memory => format!(
                " A token waits longest for {name}, whose memory takes {} to read {}.",
                seconds(slowest.memory),
                bytes(slowest.weights + slowest.kv_read)
            ),
            Binds::Compute => format!(
                " A token waits longest for {name}, which computes for {}.",
                seconds(slowest.compute)
            ),
        }
    };
    let many = if decode.requests > 1.0 {
        format!(
            " {} answers at once get {}, one alone {}.",
            count(decode.requests),
            tokens_a_second(decode.rate_requests),
            tokens_a_second(decode.rate_one_request)
        )
    } else {
        String::new()
    };
    reason.plain(opening).plain(many)
}

/// The stage that works longest on a token, the first of equals.
fn slowest(decode: &DecodeAnswer) -> Option<&StageDecode> {
    let work = |stage: &StageDecode| stage.compute.max(stage.memory);
    decode.stages.iter().reduce(|longest, stage| {
        if work(stage) > work(longest) {
            stage
        } else {
            longest
        }
    })
}

/// "200 tokens".
fn tokens(count_of: f64) -> String {
    if count_of == 1.0 {
        "1 token".to_owned()
    } else {
        format!("{} tokens", count(count_of))
    }
}

#[cfg(test)]
mod tests {
    use crate::cold_start::words;
    use engine::scenario::{Goal, presets};
    use engine::solve::{Deaf, Limits};
    use job::cold_start::{Method, answer};

    /// Headline, lead and reason of the Jetsons with this goal.
    fn told(goal: Goal, least: Option<f64>) -> [String; 3] {
        let mut scenario = presets::home();
        let decode = scenario.decode.as_mut().expect("an answer to plan for");
        (decode.goal, decode.least_tok_s) = (goal, least);
        let problem = scenario.problem().expect("presets are valid");
        let answer = answer(
            &problem,
            Method::Exact,
            scenario.heuristic,
            &Limits::default(),
            &mut Deaf,
        );
        let words = words(&problem, &answer);
        [words.headline, words.lead, words.reason]
            .map(|part| part.to_string().replace(['\u{202f}', '\u{a0}'], " "))
    }

    #[test]
    fn every_goal_has_its_words() {
        let [headline, lead, reason] = told(Goal::FirstAnswer, None);
        assert!(headline.starts_with("First answer in "), "{headline}");
        assert!(
            lead.contains("from token to token: 200 tokens take "),
            "{lead}"
        );
        assert!(reason.contains("A token waits longest for "), "{reason}");
        let [headline, lead, _] = told(Goal::WholeAnswer, None);
        assert!(
            headline.starts_with("Whole answer of 200 tokens in "),
            "{headline}"
        );
        assert!(lead.contains("The first answer comes in "), "{lead}");
        let [headline, lead, _] = told(Goal::Throughput, Some(12.0));
        assert!(headline.starts_with("First answer in "), "{headline}");
        assert!(
            lead.contains("12.0 tokens a second were asked for"),
            "{lead}"
        );
        let [headline, lead, _] = told(Goal::Throughput, Some(1e6));
        assert_eq!(headline, "No plan lets 1 000 000 tokens a second pass.");
        assert!(
            lead.starts_with("The most that any plan lets pass is "),
            "{lead}"
        );
    }
}
