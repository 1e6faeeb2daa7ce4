//! Examples of what verbs answer to scenarios and models: the program itself is asked when the document is made.

use super::examples;
use crate::child::{AnswerFn, ProgressSink};
use crate::problem::Problem;
use crate::routes::RouteVerb;
use crate::task::{SolveTask, TaskAttachment};
use engine::scenario::world::World;
use engine::scenario::{Question, heads, operators, presets};
use planner::problem_file::ProblemKind;
use serde_json::{Value, json};
use std::time::Duration;

/// A list with more entries is cut …
const LONG: usize = 8;
/// … to so many.
const MOST_ITEMS: usize = 3;

/// The story of a scenario, long lists cut.
pub fn example_answer(answers: AnswerFn, scenario: &Value) -> Option<Value> {
    run_example(answers, (RouteVerb::Run, "story"), None, scenario)
}

/// Returns the answer of a verb to an input, long lists shortened; `None` if it is not JSON.
pub fn ran(answers: AnswerFn, verb: RouteVerb, word: Option<&str>, input: &Value) -> Option<Value> {
    run_example(answers, (verb, "json"), word, input)
}

fn run_example(
    answers: AnswerFn,
    (verb, format): (RouteVerb, &str),
    word: Option<&str>,
    input: &Value,
) -> Option<Value> {
    let text = match input {
        Value::Null => Vec::new(),
        document => document.to_string().into_bytes(),
    };
    let is_file = verb == RouteVerb::Model;
    let file = |bytes| TaskAttachment {
        field: "file".to_owned(),
        name: "config.json".to_owned(),
        bytes,
    };
    let (input, files) = match is_file {
        true => (Vec::new(), vec![file(text)]),
        false => (text, Vec::new()),
    };
    let task = SolveTask {
        verb,
        word: word.map(str::to_owned),
        options: vec![("format".to_owned(), format.to_owned())],
        is_line: false,
        input,
        files,
        wants_progress: false,
    };
    let answer = answers(&task, &ProgressSink::without_listener(Duration::MAX));
    let mut answer: Value = serde_json::from_slice(&answer.out).ok()?;
    cut(&mut answer);
    Some(answer)
}

fn cut(value: &mut Value) {
    match value {
        Value::Array(all) => {
            if all.len() > LONG {
                all.truncate(MOST_ITEMS);
            }
            all.iter_mut().for_each(cut);
        }
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

/// A scenario of a question that is answered in a moment.
pub fn quick(question: Question) -> Value {
    let mut scenario = match question {
        Question::HeadPlacement => json!(heads::presets::named("heads-small").map(|p| p.scenario)),
        Question::Operators => {
            json!(operators::presets::named("operators-table2").map(|p| p.scenario))
        }
        _ => examples::scenarios(question).swap_remove(0),
    };
    if question == Question::Operators {
        let search = &mut scenario["split"]["search"];
        for (field, value) in [
            ("moves", 1000.0),
            ("population", 20.0),
            ("generations", 5.0),
        ] {
            search[field] = value.into();
        }
    }
    scenario
}

/// The paper’s cold start, two of whose numbers are known as ranges only.
pub fn with_ranges() -> Value {
    let mut scenario = json!(presets::paper());
    for (device, field, part) in [(0, "r_mb_s", 0.2), (1, "c_peak_tflops", 0.1)] {
        let device = &mut scenario["devices"][device];
        if let Some(value) = device[field].as_f64() {
            device["ranges"][field] = json!([value * (1.0 - part), value * (1.0 + part)]);
        }
    }
    scenario
}

/// The tiers' first preset as a scenario of all questions, one of whose numbers is known as a range only.
pub fn with_a_range() -> Value {
    let mut world = World::of(&Question::Tiers.kind().opening());
    if let Some(fact) = world.request.get_mut("prompt_tokens") {
        fact.range = Some((0.5 * fact.value, 2.0 * fact.value).into());
    }
    serde_json::from_str(&world.to_json()).unwrap_or_default()
}

/// A model as repositories have it.
pub fn config() -> Value {
    serde_json::from_str(include_str!("examples/config.json")).expect("the example is JSON")
}

/// A refusal.
pub fn problem() -> Value {
    let mut document = examples::problems(ProblemKind::ColdStart, false).swap_remove(0);
    document["t"] = json!(-1);
    let fault = examples::answer(ProblemKind::ColdStart, false, &document.to_string());
    fault.map_or_else(|fault| json!(Problem::from(fault)), |_| Value::Null)
}
