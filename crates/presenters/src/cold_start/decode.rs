//! The parts of an answer about the tokens after the first one: headline, comparison and reason.

use super::runs_on;
use document::Sentence;
use engine::plan::{Binds, StageDecode, StageTiming};
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::{bytes, capital, count, percent, seconds, tokens_a_second};
use planner::cold_start::Answer;
use planner::cold_start_decode::DecodeAnswer;
use planner::cold_start_whole_answer::Whole;
use planner::summary::{is_gain, load_time};

/// A way to give a whole answer that is faster than the plan shown, if that is a gain.
fn faster_way(answer: &Answer) -> Option<&Whole> {
    let total = answer.decode.as_ref()?.total;
    let whole = answer.whole.as_deref()?;
    is_gain(total - whole.total, total).then_some(whole)
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

/// "First answer in 2.562 s, running D3 → D1.", or, where an answer is planned for, "Fits on D1 alone: loads in 3.969 s, first
/// token in 4.750 s, then 7.63 tokens per second.", with the goal's own figure behind it.
#[must_use]
pub fn headline(
    problem: &ColdStart,
    answer: &Answer,
    timeline: &[StageTiming],
    first: f64,
) -> Sentence {
    let plan = answer.plan.as_deref().unwrap_or_default();
    let Some(decode) = &answer.decode else {
        let route = match plan.len() {
            2..=4 => format!(", running {}.", runs_on(problem, plan)),
            _ => format!(", on {}.", runs_on(problem, plan)),
        };
        return Sentence::default()
            .plain("First answer in ")
            .strong(seconds(first))
            .plain(route);
    };
    let begun = Sentence::default().plain(format!("Fits on {}: ", runs_on(problem, plan)));
    let loads = load_time(problem, timeline);
    let loaded = match loads > 0.0 {
        true => begun.plain("loads in ").strong(seconds(loads)).plain(", "),
        false => begun.plain("weights in memory, "),
    };
    let sentence = loaded
        .plain("first token in ")
        .strong(seconds(first))
        .plain(", then ")
        .strong(tokens_a_second(decode.rate_one_request));
    match decode.goal.as_str() {
        "whole-answer" => sentence
            .plain(format!("; all {} in ", tokens(decode.answer_tokens)))
            .strong(seconds(decode.total))
            .plain("."),
        "throughput" => sentence
            .plain("; full, the pipeline gives ")
            .strong(tokens_a_second(decode.rate))
            .plain("."),
        _ => sentence.plain("."),
    }
}

/// The comparison, and what comes after the first answer.
#[must_use]
pub fn summary_sentence(problem: &ColdStart, answer: &Answer, lead: Sentence) -> Sentence {
    let Some(decode) = &answer.decode else {
        return lead;
    };
    let moving = faster_way(answer).map_or_else(String::new, |whole| {
        let saved = decode.total - whole.total;
        format!(
            " {} takes {}, {} ({}) less: the best such way found, without a bound.",
            capital(&transition_text(problem, whole)),
            seconds(whole.total),
            seconds(saved),
            percent(100.0 * saved / decode.total, 1)
        )
    });
    let after = match decode.goal.as_str() {
        "whole-answer" => format!(
            " After the first token one comes every {}.",
            seconds(decode.D)
        ),
        "throughput" => format!(
            " {} were asked for; {} take {} in all.",
            tokens_a_second(decode.least_rate.unwrap_or_default()),
            tokens(decode.answer_tokens),
            seconds(decode.total)
        ),
        _ => format!(
            " Then one token every {}: {} take {} on this plan.",
            seconds(decode.D),
            tokens(decode.answer_tokens),
            seconds(decode.total)
        ),
    };
    let lead = lead.plain(after);
    match decode.goal.as_str() {
        "throughput" => lead,
        _ => lead.plain(moving),
    }
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
        let order = [
            "Fits on Nano → NX → AGX: ",
            "loads in ",
            "first token in ",
            "then 4.80 tokens per second.",
        ];
        let places = order.map(|words| headline.find(words).expect(words));
        assert!(places.is_sorted(), "{headline}");
        // The plan of the first answer is not the best for a whole one, and the sentence says what is.
        assert!(
            lead.contains(": 200 tokens take 44.08 s on this plan. Starting on ")
                && lead.contains(" takes 29.68 s, 14.40 s (32.7 %) less: "),
            "{lead}"
        );
        assert!(reason.contains("A token waits longest for "), "{reason}");
        let [headline, lead, _] = sentences(Goal::WholeAnswer, None);
        // The best single plan leads; what no runtime does is beside it, with its gain.
        assert!(
            headline.starts_with("Fits on AGX alone: ")
                && headline.ends_with("; all 200 tokens in 30.98 s."),
            "{headline}"
        );
        assert!(
            lead.contains(
                " and moving to AGX alone after 10 tokens takes 29.68 s, 1.302 s (4.2 %) less: "
            ),
            "{lead}"
        );
        let [headline, lead, _] = sentences(Goal::Throughput, Some(12.0));
        assert!(
            headline.contains("; full, the pipeline gives "),
            "{headline}"
        );
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
