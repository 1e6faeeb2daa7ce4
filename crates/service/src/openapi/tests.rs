//! The document against the routes, the parsers, the solvers, and files that must not pass.

use super::schemas::{answer_name, problem_name, reference, scenario_name, scored_fields};
use super::{document, examples, operations, page};
use crate::routes::ROUTES;
use crate::task::TaskAnswer;
use engine::problem::Invalid;
use engine::scenario::{Any, Question};
use jsonschema::Validator;
use planner::problem_file::ProblemKind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| document(&[], |_, _| TaskAnswer::default()));

/// Checks values against a named schema.
fn validator(name: &str) -> Validator {
    let mut root = reference(name);
    root["components"] = DOCUMENT["components"].clone();
    jsonschema::validator_for(&root).expect("the schema is one")
}

#[track_caller]
fn assert_valid(name: &str, value: &Value) {
    let validator = validator(name);
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{name}: {}", faults.join("\n"));
}

/// Every kind, to be solved and to be scored.
fn kinds() -> impl Iterator<Item = (ProblemKind, bool)> {
    let both = |kind| [(kind, false), (kind, true)];
    let has = |(kind, scored): &(ProblemKind, bool)| !scored || !scored_fields(*kind).is_empty();
    ProblemKind::ALL.into_iter().flat_map(both).filter(has)
}

#[test]
fn every_route_is_in_the_document_and_every_operation_is_a_route() {
    let written: BTreeSet<(String, String)> = DOCUMENT["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods");
            methods
                .keys()
                .map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let mut wanted = BTreeSet::new();
    for route in ROUTES {
        let scored = route.path.contains("/evaluate/");
        match route.path.split_once("{kind}") {
            None => _ = wanted.insert((route.method.to_owned(), route.path.to_owned())),
            Some((before, _)) => {
                let kinds = kinds().filter(|(_, of)| *of == scored);
                wanted.extend(kinds.map(|(kind, _)| {
                    (route.method.to_owned(), format!("{before}{}", kind.name()))
                }));
            }
        }
    }
    assert_eq!(written, wanted);
}

#[test]
fn names_are_unique_and_references_lead_somewhere() {
    let mut ids = BTreeSet::new();
    for methods in DOCUMENT["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            assert!(
                ids.insert(operation["operationId"].to_string()),
                "{operation}"
            );
        }
    }
    let schemas = DOCUMENT["components"]["schemas"]
        .as_object()
        .expect("schemas");
    for name in schemas.keys() {
        // A digit at the end means that two types have one name.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        assert!(name.chars().all(is_plain), "{name}");
        assert!(!name.ends_with(|c: char| c.is_ascii_digit()), "{name}");
    }
    let text = DOCUMENT.to_string();
    for target in text.split("\"$ref\":\"").skip(1) {
        let target = target.split('"').next().expect("a target");
        assert!(
            DOCUMENT.pointer(target.trim_start_matches('#')).is_some(),
            "{target}"
        );
    }
}

#[test]
fn examples_and_the_answers_to_them_are_valid() {
    for (kind, scored) in kinds() {
        let problems = examples::problems(kind, scored);
        let answers = examples::answers(kind, scored);
        for (problem, answer) in problems.iter().zip(&answers) {
            assert_valid(&problem_name(kind, scored), problem);
            assert_valid(&answer_name(kind, scored), answer);
        }
    }
    for question in Question::ALL {
        for scenario in examples::scenarios(question) {
            assert_valid(&scenario_name(question), &scenario);
        }
    }
}

#[test]
fn malformed_input_of_the_parser_is_not_valid() {
    for (kind, scored) in kinds() {
        let validator = validator(&problem_name(kind, scored));
        for problem in examples::problems(kind, scored) {
            let mut stray = problem.clone();
            stray["stray"] = json!(1);
            assert!(
                !validator.is_valid(&stray),
                "{} with a stray field",
                kind.name()
            );
            for field in problem
                .as_object()
                .expect("an object")
                .keys()
                .filter(|key| *key != "id")
            {
                for wrong in [json!({"of": "another type"}), json!(true)] {
                    let mut document = problem.clone();
                    document[field] = wrong;
                    let refused = examples::answer(kind, scored, &document.to_string()).is_err();
                    let valid = validator.is_valid(&document);
                    assert_eq!(
                        refused,
                        !valid,
                        "{} with {field} of another type",
                        kind.name()
                    );
                }
            }
        }
    }
    for hostile in [
        json!(null),
        json!([]),
        json!("text"),
        json!({}),
        json!({"format": 3}),
    ] {
        for (kind, scored) in kinds() {
            assert!(
                !validator(&problem_name(kind, scored)).is_valid(&hostile),
                "{hostile}"
            );
        }
        for question in Question::ALL {
            assert!(
                !validator(&scenario_name(question)).is_valid(&hostile),
                "{hostile}"
            );
        }
    }
}

#[test]
fn a_field_that_has_to_be_there_holds_something() {
    for (kind, field, other) in [
        (ProblemKind::HeadPlacement, "placement", "split"),
        (ProblemKind::OperatorPartition, "graph", "onnx"),
    ] {
        let validator = validator(&problem_name(kind, true));
        let problem = &examples::problems(kind, true)[0];
        let mut empty = problem.clone();
        empty[field] = Value::Null;
        empty[other] = Value::Null;
        assert!(examples::answer(kind, true, &empty.to_string()).is_err());
        assert!(
            !validator.is_valid(&empty),
            "{} without {field}",
            kind.name()
        );
    }
    // What 32 bits hold is said, where no narrower bound is.
    let numbers = &DOCUMENT["components"]["schemas"]["OperatorOrderProblem"]["properties"];
    assert_eq!(numbers["outputs"]["items"]["maximum"], u32::MAX);
}

#[test]
fn the_document_says_whether_there_is_a_token_and_where_the_service_is() {
    let mut document = DOCUMENT.clone();
    for (has_token, wanted) in [(true, json!([{ "token": [] }])), (false, json!([]))] {
        operations::decide(&mut document, has_token);
        assert_eq!(document["paths"]["/api/v1/run"]["post"]["security"], wanted);
        assert_eq!(document["paths"]["/healthz"]["get"]["security"], json!([]));
    }
    let parts = &DOCUMENT["paths"]["/api/v1/gains"]["post"]["requestBody"]["content"];
    let parts = &parts["multipart/form-data"]["schema"]["properties"];
    assert!(parts["model"].is_object() && parts["onnx"].is_null());
}

/// A number within a document, with its schema.
struct Leaf {
    pointer: String,
    schema: Value,
}

/// The numbers of a document, found along the schema that it belongs to.
fn leaves(schema: &Value, value: &Value, pointer: &str, found: &mut Vec<Leaf>) {
    if let Some(target) = schema["$ref"].as_str() {
        let target = DOCUMENT
            .pointer(target.trim_start_matches('#'))
            .expect("a schema");
        return leaves(target, value, pointer, found);
    }
    let named = DOCUMENT["components"]["schemas"]
        .as_object()
        .expect("schemas");
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema[keyword].as_array().into_iter().flatten();
        for branch in branches.filter(|branch| examples::fits(named, branch, value)) {
            leaves(branch, value, pointer, found);
        }
    }
    if value.is_number() && (schema["type"].is_string() || schema["type"].is_array()) {
        found.push(Leaf {
            pointer: pointer.to_owned(),
            schema: schema.clone(),
        });
    }
    for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
        leaves(inner, &value[field], &format!("{pointer}/{field}"), found);
    }
    for (i, value) in value.as_array().into_iter().flatten().enumerate() {
        leaves(&schema["items"], value, &format!("{pointer}/{i}"), found);
    }
}

/// A place as faults name it: `/devices/0/r` is `devices[0].r`.
fn path(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1);
    steps.fold(String::new(), |path, step| match step.parse::<usize>() {
        Ok(i) => format!("{path}[{i}]"),
        Err(_) if path.is_empty() => step.to_owned(),
        Err(_) => format!("{path}.{step}"),
    })
}

/// Fields of which more is asked than a bound: what other fields of the document leave them.
const DEPENDENT: [(&str, &[&str]); 9] = [
    ("HeadPlacement", &["D", "R", "n", "n_prev", "width", "busy"]),
    ("Dispatch", &["least_tokens"]),
    ("TiersPartition", &["p"]),
    ("TiersSimulate", &["to", "decode_slope"]),
    ("TiersScenario", &["usable_gb", "split"]),
    ("OperatorOrder", &["order", "ins", "outputs"]),
    ("OperatorPartition", &["order", "ins", "X"]),
    // Rows that can be cut are fewer than rows that can be put in order.
    ("OperatorPartition", &["hin", "k", "s", "p"]),
    ("OperatorsScenario", &["ins"]),
];

fn is_dependent(name: &str, pointer: &str) -> bool {
    let is_field = |step: &&str| step.parse::<usize>().is_err();
    let field = pointer.rsplit('/').find(is_field).unwrap_or_default();
    let holds = |(of, fields): &(&str, &[&str])| name.starts_with(of) && fields.contains(&field);
    DEPENDENT.iter().any(holds)
}

/// Holds the bounds of every number that a document shows against the parser: a value just outside is refused at its place,
/// one just inside is not, and a number without a bound is not refused for its size. How many bounds were tried.
fn hold_bounds(
    name: &str,
    example: &Value,
    parse: &dyn Fn(&str) -> Result<(), Invalid>,
    wrong: &mut Vec<String>,
) -> usize {
    let mut found = Vec::new();
    leaves(&reference(name), example, "", &mut found);
    // A variant may be left out of the place of a fault.
    let last = |path: &str| path.rsplit('.').next().map(str::to_owned);
    let refused = |leaf: &Leaf, value: &Value| {
        let mut document = example.clone();
        *document
            .pointer_mut(&leaf.pointer)
            .expect("a number is there") = value.clone();
        let fault = parse(&document.to_string()).err()?;
        (last(&fault.path) == last(&path(&leaf.pointer))).then_some(fault)
    };
    let mut tried = 0;
    for leaf in &found {
        let whole = leaf.schema["type"] == "integer" || leaf.schema["type"][0] == "integer";
        let bound = |keyword: &str| leaf.schema[keyword].as_f64();
        let beside = |bound: f64, up: bool| match (whole, up) {
            (true, true) => json!(bound as u64 + 1),
            (true, false) => json!(bound as i64 - 1),
            (false, true) => json!(bound.next_up()),
            (false, false) => json!(bound.next_down()),
        };
        let own = |bound: f64| {
            if whole {
                json!(bound as u64)
            } else {
                json!(bound)
            }
        };
        let mut cases = Vec::new();
        if let Some(least) = bound("minimum") {
            cases.push((beside(least, false), own(least)));
        }
        // Well within, because quotients of the smallest numbers leave 64 bits.
        if let Some(above) = bound("exclusiveMinimum") {
            cases.push((json!(above), json!(above + 1e-6)));
        }
        if let Some(most) = bound("maximum") {
            // A model of ten million layers is taken, and takes its time.
            let inside = if most == 1e7 { own(1.0) } else { own(most) };
            cases.push((beside(most, true), inside));
        }
        if let Some(below) = bound("exclusiveMaximum") {
            cases.push((json!(below), json!(below - 1e-6)));
        }
        let at = &leaf.pointer;
        for (outside, inside) in &cases {
            if refused(leaf, outside).is_none() {
                wrong.push(format!("{name}{at} may be {outside}, says the parser"));
            }
            let fault = refused(leaf, inside).filter(|_| !is_dependent(name, at));
            if let Some(fault) = fault {
                wrong.push(format!(
                    "{name}{at} may be {inside}, says the schema: {fault}"
                ));
            }
        }
        tried += cases.len();
        if cases.is_empty() && !is_dependent(name, at) {
            let sizes = match whole {
                true => vec![json!(-1), json!(0)],
                false => vec![json!(-1.0), json!(0.0), json!(1.5)],
            };
            let faults = sizes.iter().filter_map(|size| refused(leaf, size));
            wrong.extend(faults.map(|fault| format!("{name}{at} has no bound: {fault}")));
        }
    }
    tried
}

#[test]
fn the_bounds_of_problem_files_are_those_of_the_parser() {
    let mut wrong = Vec::new();
    for (kind, scored) in kinds() {
        let mut tried = 0;
        for problem in examples::problems(kind, scored) {
            let parse = |text: &str| examples::answer(kind, scored, text).map(drop);
            tried += hold_bounds(&problem_name(kind, scored), &problem, &parse, &mut wrong);
        }
        assert!(tried >= 5, "{}: {tried} bounds", kind.name());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_bounds_of_scenarios_are_those_of_the_parser() {
    let mut wrong = Vec::new();
    for question in Question::ALL {
        let mut tried = 0;
        for scenario in examples::scenarios(question) {
            let parse = |text: &str| Any::from_json(text).map(drop);
            tried += hold_bounds(&scenario_name(question), &scenario, &parse, &mut wrong);
        }
        assert!(tried >= 20, "{}: {tried} bounds", question.name());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_field_of_a_request_is_described_and_every_request_has_an_example() {
    let schemas = DOCUMENT["components"]["schemas"]
        .as_object()
        .expect("schemas");
    let requests = kinds().map(|(kind, scored)| problem_name(kind, scored));
    let requests: Vec<String> = requests.chain(Question::ALL.map(scenario_name)).collect();
    for (name, schema) in schemas {
        let root = name.split('.').next().unwrap_or_default();
        if !requests.iter().any(|request| request == root) {
            continue;
        }
        assert!(
            name != root || schema["examples"][0].is_object(),
            "{name} has no example"
        );
        for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
            assert!(inner["description"].is_string(), "{name}: {field}");
        }
    }
}

#[test]
fn the_page_shows_every_operation_and_schema_and_makes_no_other_request() {
    let page = page::page(&DOCUMENT).into_string();
    for target in page.split("href=\"").skip(1) {
        let target = target.split('"').next().expect("a target");
        match target.strip_prefix('#') {
            Some(id) => assert!(page.contains(&format!("id=\"{id}\"")), "{target}"),
            None => assert!(
                ["style.css", "v1/openapi.json"].contains(&target),
                "{target}"
            ),
        }
    }
    for methods in DOCUMENT["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            let id = operation["operationId"].as_str().expect("a name");
            assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
        }
    }
    for name in DOCUMENT["components"]["schemas"]
        .as_object()
        .expect("schemas")
        .keys()
    {
        assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
    }
    for word in ["<script", "style=", "src=", "onclick", "@import", "url("] {
        assert!(
            !page.contains(word) && !page::STYLE.contains(word),
            "{word}"
        );
    }
}
