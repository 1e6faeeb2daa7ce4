//! Examples: problem files kept here, the presets, and what the solvers make of the former.

use engine::scenario::{Question, presets};
use engine::solve::NoProgress;
use planner::problem_file as files;
use planner::problem_file::{Open, ProblemKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::schemas::scored_fields;
use engine::problem::{Code, Invalid};

/// Problem files of a kind, with what `evaluate` scores where the kind has it.
fn problem_files(kind: ProblemKind) -> Vec<Value> {
    let text = match kind {
        ProblemKind::ColdStart | ProblemKind::ColdStartFront => {
            include_str!("examples/cold-start.json")
        }
        ProblemKind::HeadPlacement => include_str!("examples/head-placement.json"),
        ProblemKind::HeadPlacementRun => include_str!("examples/head-placement-run.json"),
        ProblemKind::Dispatch => include_str!("examples/dispatch.json"),
        ProblemKind::TiersPartition => include_str!("examples/tiers-partition.json"),
        ProblemKind::TiersSchedule => include_str!("examples/tiers-schedule.json"),
        ProblemKind::TiersSimulate => include_str!("examples/tiers-simulate.json"),
        ProblemKind::Migration => include_str!("examples/migration.json"),
        ProblemKind::OperatorOrder => include_str!("examples/operator-order.json"),
        ProblemKind::OperatorPartition => include_str!("examples/operator-partition.json"),
    };
    let mut kept: Vec<Value> = serde_json::from_str(text).expect("examples are JSON");
    match kind {
        // What most want to send first.
        ProblemKind::ColdStart => {
            kept.insert(0, with_a_model());
            kept.push(with_several_lengths());
        }
        ProblemKind::ColdStartFront => {
            for document in &mut kept {
                remove_field(document, "plan");
            }
        }
        _ => {}
    }
    kept
}

/// The paper's scenario as a problem file.
fn with_a_model() -> Value {
    let paper = json!(presets::paper());
    let device = |device: &Value| {
        let mut device = device.clone();
        ["off", "link"]
            .into_iter()
            .for_each(|field| remove_field(&mut device, field));
        device
    };
    let devices: Vec<Value> = paper["devices"]
        .as_array()
        .into_iter()
        .flatten()
        .map(device)
        .collect();
    json!({
        "model": paper["model"],
        "t": paper["prompt_tokens"],
        "link": paper["channel"],
        "devices": devices,
        "plan": [[2, 1, 7], [3, 8, 12], [0, 13, 27], [1, 28, 40]],
    })
}

/// Returns the example of dispatch with several prompt lengths.
fn with_several_lengths() -> Value {
    let mut document = with_a_model();
    remove_field(&mut document, "t");
    document["tokens"] = json!([128, 512]);
    document
}

fn remove_field(document: &mut Value, field: &str) {
    if let Some(document) = document.as_object_mut() {
        document.remove(field);
    }
}

/// Problem files of a kind as `solve` takes them, or `evaluate`.
#[must_use]
pub fn problems(kind: ProblemKind, scored: bool) -> Vec<Value> {
    let mut all = problem_files(kind);
    if !scored {
        for field in scored_fields(kind) {
            all.iter_mut()
                .for_each(|document| remove_field(document, field));
        }
    }
    all
}

/// Returns the answers to the examples of a kind.
#[must_use]
pub fn answers(kind: ProblemKind, scored: bool) -> Vec<Value> {
    let all = problems(kind, scored);
    all.iter()
        .map(|document| answer(kind, scored, &document.to_string()))
        .map(|answer| answer.expect("the examples are valid"))
        .collect()
}

/// Returns the answer of the command line to a problem file without options.
///
/// # Errors
/// Names the field at fault.
pub fn answer(kind: ProblemKind, scored: bool, text: &str) -> Result<Value, Invalid> {
    fn to_value(answer: Result<impl Serialize, Invalid>) -> Result<Value, Invalid> {
        answer.map(|answer| json!(answer))
    }
    let refuse = &mut |_: &str| {
        Err(Invalid::new(
            Code::Io,
            "onnx",
            Value::Null,
            "no file is read here",
        ))
    };
    let open: Open<'_> = refuse;
    let progress = &mut NoProgress;
    match (kind, scored) {
        (ProblemKind::ColdStart, true) => to_value(files::cold_start::score(
            text,
            &files::cold_start::ColdStartOptions::default(),
        )),
        (ProblemKind::ColdStart, false) => to_value(files::cold_start::solve(
            text,
            &files::cold_start::ColdStartOptions::default(),
            progress,
        )),
        (ProblemKind::ColdStartFront, _) => {
            let go_on = &mut |_| std::ops::ControlFlow::Continue(());
            let options = files::cold_start::ColdStartOptions::default();
            to_value(files::cold_start_front::solve(text, &options, go_on))
        }
        (ProblemKind::HeadPlacement, true) => to_value(files::head_placement::score(text)),
        (ProblemKind::HeadPlacement, false) => {
            let options = files::head_placement::options(None, None)?;
            to_value(files::head_placement::solve(text, &options, progress))
        }
        (ProblemKind::HeadPlacementRun, _) => {
            to_value(files::head_placement_run::solve(text, progress))
        }
        (ProblemKind::Dispatch, _) => to_value(files::dispatch::solve(text)),
        (ProblemKind::TiersPartition, true) => to_value(files::tiers_partition::score(text, false)),
        (ProblemKind::TiersPartition, false) => {
            let options = files::tiers_partition::TiersPartitionOptions::default();
            to_value(files::tiers_partition::solve(
                text, &options, false, progress,
            ))
        }
        (ProblemKind::TiersSchedule, _) => to_value(files::tiers_schedule::solve(text)),
        (ProblemKind::TiersSimulate, _) => {
            let limits = engine::solve::Limits::default();
            to_value(files::tiers_simulate::solve(text, &limits, progress))
        }
        (ProblemKind::Migration, _) => to_value(files::migration::solve(text)),
        (ProblemKind::OperatorOrder, true) => to_value(files::operator_order::score(text, open)),
        (ProblemKind::OperatorOrder, false) => {
            let options = files::operator_order::OrderOptions::default();
            to_value(files::operator_order::solve(text, &options, progress))
        }
        (ProblemKind::OperatorPartition, true) => {
            to_value(files::operator_partition::score(text, open))
        }
        (ProblemKind::OperatorPartition, false) => {
            let options = files::operator_partition::PartitionOptions::default();
            to_value(files::operator_partition::solve(
                text, &options, open, progress,
            ))
        }
    }
}

/// Scenarios of a question: the one that it opens with, then all presets.
#[must_use]
pub fn scenarios(question: Question) -> Vec<Value> {
    use engine::scenario::{dispatch, heads, operators, tiers};
    let mut all = vec![
        serde_json::from_str(&question.kind().opening().to_json()).expect("a scenario is JSON"),
    ];
    match question {
        Question::ColdStart => all.extend(presets::all().iter().map(|p| json!(p.scenario))),
        Question::HeadPlacement => {
            all.extend(heads::presets::all().iter().map(|p| json!(p.scenario)))
        }
        Question::Dispatch => {
            all.extend(dispatch::presets::all().iter().map(|p| json!(p.scenario)))
        }
        Question::Tiers => all.extend(tiers::presets::all().iter().map(|p| json!(p.scenario))),
        Question::Operators => {
            all.extend(operators::presets::all().iter().map(|p| json!(p.scenario)))
        }
    }
    all
}

/// The longest example of a field [bytes of JSON].
const LONGEST: usize = 120;

/// Puts examples at every schema and field that one of some documents shows; the root is under the empty name.
pub fn spread(named: &mut Map<String, Value>, documents: &[Value]) {
    let mut found = Vec::new();
    for document in documents {
        visit(named, &place("", ""), &named[""], document, &mut found);
    }
    for (place, example) in found {
        let (name, pointer) = place;
        if let Some(Value::Object(schema)) = named
            .get_mut(&name)
            .and_then(|schema| schema.pointer_mut(&pointer))
        {
            schema.entry("examples").or_insert_with(|| json!([example]));
        }
    }
}

/// A schema by its name, and a pointer within it.
type Place = (String, String);

fn place(name: &str, pointer: &str) -> Place {
    (name.to_owned(), pointer.to_owned())
}

fn visit(
    named: &Map<String, Value>,
    at: &Place,
    schema: &Value,
    value: &Value,
    found: &mut Vec<(Place, Value)>,
) {
    let below = |step: &str| place(&at.0, &format!("{}/{step}", at.1));
    if let Some((name, target)) = target(named, schema) {
        let there = place(name, "");
        found.push((there.clone(), value.clone()));
        visit(named, &there, target, value, found);
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema[keyword].as_array().into_iter().flatten();
        for (i, branch) in branches
            .enumerate()
            .filter(|(_, branch)| fits(named, branch, value))
        {
            visit(
                named,
                &below(&format!("{keyword}/{i}")),
                branch,
                value,
                found,
            );
        }
    }
    for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
        let Some(value) = value.get(field).filter(|value| !value.is_null()) else {
            continue;
        };
        let there = below(&format!("properties/{field}"));
        if value.to_string().len() <= LONGEST {
            found.push((there.clone(), value.clone()));
        }
        visit(named, &there, inner, value, found);
    }
    for value in value
        .as_array()
        .into_iter()
        .flatten()
        .filter(|_| schema["items"].is_object())
    {
        visit(named, &below("items"), &schema["items"], value, found);
    }
}

/// The schema that one refers to, with its name.
fn target<'n>(named: &'n Map<String, Value>, schema: &'n Value) -> Option<(&'n str, &'n Value)> {
    let (_, name) = schema["$ref"].as_str()?.rsplit_once('/')?;
    Some((name, named.get(name)?))
}

/// Returns true if a value matches a branch of a schema, judged by its fields or its type.
pub(super) fn fits(named: &Map<String, Value>, schema: &Value, value: &Value) -> bool {
    let schema = target(named, schema).map_or(schema, |(_, schema)| schema);
    if let Some(one) = schema.get("const") {
        return one == value;
    }
    let name = match value {
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::Null => "null",
    };
    let is_of = |of: &Value| of == name || of == "integer" && name == "number";
    let is_right = match &schema["type"] {
        Value::Array(several) => several.iter().any(is_of),
        Value::Null => true,
        one => is_of(one),
    };
    let Value::Object(fields) = value else {
        return is_right && schema.get("properties").is_none();
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let known = |field: &String| !schema["properties"][field].is_null();
    required
        .filter_map(Value::as_str)
        .all(|field| fields.contains_key(field))
        && (schema["additionalProperties"] != json!(false) || fields.keys().all(known))
}
