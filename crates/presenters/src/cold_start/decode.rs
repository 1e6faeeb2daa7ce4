//! The parts of an answer about the tokens after the first one: headline, comparison and reason.

use super::runs_on;
use document::Sentence;
use engine::plan::{Binds, Stage, StageDecode};
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::{bytes, count, seconds, tokens_a_second};
use planner::cold_start::{Answer, Status};
use planner::cold_start_decode::DecodeAnswer;
use planner::cold_start_whole_answer::Whole;

/// The way to give a whole answer that is faster than the plan shown, where that is the goal.
#[must_use]
pub fn moving(answer: &Answer) -> Option<&Whole> {
    let decode = answer.decode.as_ref()?;
    (decode.goal == "whole-answer")
        .then(|| faster_way(answer))
        .flatten()
}

/// The figure of the headline [s]: the best that is known for the goal; `None` without a plan.
#[must_use]
pub fn figure(answer: &Answer) -> Option<f64> {
    moving(answer).map_or(answer.objective, |whole| Some(whole.total))
}

/// A way to give a whole answer that is faster than the plan shown.
fn faster_way(answer: &Answer) -> Option<&Whole> {
    let total = answer.decode.as_ref()?.total;
    let whole = answer.whole.as_deref()?;
    (whole.total < total * (1.0 - 1e-9)).then_some(whole)
}

/// `moving to D1 alone after 17 tokens`, or `on D1 alone`.
fn transition_text(problem: &ColdStart, whole: &Whole) -> String {
    let plan = runs_on(problem, &whole.plan);
    let to = whole.consolidation.as_ref();
    match to.and_then(|to| Some((to, to.switch.as_ref()?))) {
        Some((to, switch)) => {
            let after = match switch.token {
                0.0 => "right after the first token".to_owned(),
                many => format!("after {}", tokens(many)),
            };
            let end = runs_on(problem, &to.steady);
            format!("starting on {plan} and moving to {end} {after}")
        }
        None => format!("on {plan}"),
    }
}

/// "First answer in 2.562 s, running D3 → D1.", or "Whole answer of 200 tokens in 14.2 s, on D1 alone.": the best that is known
/// for the goal, with the way to it.
#[must_use]
pub fn headline(problem: &ColdStart, answer: &Answer, plan: &[Stage], first: f64) -> Sentence {
    let route = match plan.len() {
        2..=4 => format!(", running {}.", runs_on(problem, plan)),
        _ => format!(", on {}.", runs_on(problem, plan)),
    };
    match &answer.decode {
        Some(decode) if decode.goal == "whole-answer" => {
            let opening = format!("Whole answer of {} in ", tokens(decode.answer_tokens));
            let route = match moving(answer) {
                Some(whole) => format!(", {}.", transition_text(problem, whole)),
                None => route,
            };
            let sentence = Sentence::default().plain(opening);
            let total = figure(answer).unwrap_or(decode.total);
            sentence.strong(seconds(total)).plain(route)
        }
        _ => Sentence::default()
            .plain("First answer in ")
            .strong(seconds(first))
            .plain(route),
    }
}

/// Describes a whole answer that moves from one plan to another: when it begins, and the time of staying on one plan.
#[must_use]
pub fn lead_of_moving(problem: &ColdStart, answer: &Answer) -> Option<Sentence> {
    let (whole, decode) = (moving(answer)?, answer.decode.as_ref()?);
    let plan = runs_on(problem, answer.plan.as_deref()?);
    let proof = match answer.status {
        Status::Optimal => "no single plan is faster",
        _ => "the best single plan found",
    };
    Some(Sentence::default().plain(format!(
        "The first token comes in {}. One plan from start to end takes {}, on {plan}: {proof}, and the timeline is that \
         plan\u{2019}s. The move is the best found, without a bound.",
        seconds(whole.T),
        seconds(decode.total),
    )))
}

/// The comparison, and what comes after the first answer.
#[must_use]
pub fn summary_sentence(problem: &ColdStart, answer: &Answer, lead: Sentence) -> Sentence {
    let (Some(decode), Some(first)) = (&answer.decode, answer.T) else {
        return lead;
    };
    let after = match decode.goal.as_str() {
        "whole-answer" => format!(
            " The first token comes in {}, then one every {}.",
            seconds(first),
            seconds(decode.D)
        ),
        "throughput" => format!(
            " A full pipeline reaches {}, {} were asked for; {} take {} in all.",
            tokens_a_second(decode.rate),
            tokens_a_second(decode.least_rate.unwrap_or_default()),
            tokens(decode.answer_tokens),
            seconds(decode.total)
        ),
        _ => {
            let faster = faster_way(answer).map_or_else(String::new, |whole| {
                format!(
                    ", or {} {}",
                    seconds(whole.total),
                    transition_text(problem, whole)
                )
            });
            format!(
                " Then one token every {}: {} take {} on this plan{faster}.",
                seconds(decode.D),
                tokens(decode.answer_tokens),
                seconds(decode.total)
            )
        }
    };
    lead.plain(after)
}

/// Names the bottleneck of the first answer and that of the tokens after it.
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
        let fixed = if slowest.overhead > slowest.compute.max(slowest.memory) {
            format!(
                " Most of it, {}, are fixed times of its layers, of the output head and of sampling.",
                seconds(slowest.overhead)
            )
        } else {
            String::new()
        };
        let longest = match slowest.binds {
            Binds::Memory => format!(
                " A token waits longest for {name}, whose memory takes {} to read {}.",
                seconds(slowest.memory),
                bytes(slowest.weights + slowest.kv_read)
            ),
            Binds::Compute => format!(
                " A token waits longest for {name}, which computes for {}.",
                seconds(slowest.compute)
            ),
        };
        longest + &fixed
    };
    let again = if slowest.reread > 0.0 {
        let disk = problem.machines()[slowest.device].disk.get();
        format!(
            " {name} has no room for all of its weights: it reads {} again for every token, in {}.",
            bytes(slowest.reread * disk),
            seconds(slowest.reread)
        )
    } else {
        String::new()
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
    reason.plain(opening).plain(again).plain(many)
}

/// The stage that works longest on a token, the first of equals.
fn slowest(decode: &DecodeAnswer) -> Option<&StageDecode> {
    let work =
        |stage: &StageDecode| stage.compute.max(stage.memory) + stage.overhead + stage.reread;
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
    use super::super::verdict;
    use engine::scenario::{Goal, presets};
    use engine::solve::{Limits, NoProgress};
    use planner::cold_start::{ColdStartMethod, answer};

    /// Headline, lead and reason of the Jetsons with this goal.
    fn sentences(goal: Goal, least: Option<f64>) -> [String; 3] {
        let mut scenario = presets::home();
        let decode = scenario.decode.as_mut().expect("an answer to plan for");
        (decode.goal, decode.least_tok_s) = (goal, least);
        let problem = scenario.problem().expect("presets are valid");
        let answer = answer(
            &problem,
            ColdStartMethod::Exact,
            scenario.heuristic,
            &Limits::default(),
            &mut NoProgress,
        );
        let words = verdict(&problem, &answer);
        [words.headline, words.summary, words.reason]
            .map(|part| part.to_string().replace(['\u{202f}', '\u{a0}'], " "))
    }

    #[test]
    fn every_goal_has_its_words() {
        let [headline, lead, reason] = sentences(Goal::FirstAnswer, None);
        assert!(headline.starts_with("First answer in "), "{headline}");
        // The plan of the first answer is not the best for a whole one, and the sentence says what is.
        assert!(
            lead.contains(": 200 tokens take 44.08 s on this plan, or 29.68 s starting on "),
            "{lead}"
        );
        assert!(reason.contains("A token waits longest for "), "{reason}");
        let [headline, lead, _] = sentences(Goal::WholeAnswer, None);
        assert!(
            headline.starts_with("Whole answer of 200 tokens in 29.68 s, starting on ")
                && headline.ends_with(" and moving to AGX alone after 10 tokens."),
            "{headline}"
        );
        assert!(
            lead.contains(
                "One plan from start to end takes 30.98 s, on AGX alone: no single plan is faster"
            ),
            "{lead}"
        );
        let [headline, lead, _] = sentences(Goal::Throughput, Some(12.0));
        assert!(headline.starts_with("First answer in "), "{headline}");
        assert!(
            lead.contains("12.0 tokens per second were asked for"),
            "{lead}"
        );
        let [headline, lead, _] = sentences(Goal::Throughput, Some(1e6));
        assert_eq!(headline, "No plan reaches 1 000 000 tokens per second.");
        assert!(
            lead.starts_with("The most that any plan reaches is "),
            "{lead}"
        );
    }
}
