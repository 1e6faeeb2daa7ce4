//! The description of the service against the command line: whatever it answers is as described, and so is what it was asked.

use crate::cli::{Ran, edgewise};
use jsonschema::Validator;
use serde_json::{Value, json};
use service::routes::{ROUTES, RouteWork};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

/// As the program prints it.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let printed = edgewise(&["openapi"], "");
    assert_eq!(printed.code, 0, "{}", printed.err);
    serde_json::from_str(&printed.out).expect("the document is JSON")
});
static VALIDATORS: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());

/// Holds a value against the schema of a body: that of a request or of an answer.
#[track_caller]
pub(crate) fn assert_as_described(what: &str, schema: &Value, value: &Value) {
    let mut kept = VALIDATORS.lock().unwrap_or_else(|kept| kept.into_inner());
    let validator = kept.entry(schema.to_string()).or_insert_with(|| {
        let mut root = schema.clone();
        root["components"] = DOCUMENT["components"].clone();
        Arc::new(jsonschema::validator_for(&root).expect("the schema is one"))
    });
    let validator = Arc::clone(validator);
    drop(kept);
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{what}: {}\n{value}", faults.join("\n"));
}

/// The operation that a verb is: `solve cold-start`, `run`.
fn operation(verb: &str, kind: Option<&str>) -> &'static Value {
    let path = match (verb, kind) {
        ("published", _) => "/api/v1/published/{question}".to_owned(),
        (_, Some(kind)) => format!("/api/v1/{verb}/{kind}"),
        (_, None) => format!("/api/v1/{verb}"),
    };
    &DOCUMENT["paths"][path]["post"]
}

/// Returns the operation whose response is the output of a run, and the kind of problem that the run reads. `None` if the output is not
/// described: text, JSON lines, an error.
fn described_operation<'a>(
    arguments: &[&'a str],
    code: i32,
) -> Option<(&'static Value, Option<&'a str>)> {
    let (verb, kind) = match arguments {
        [verb @ ("solve" | "evaluate"), kind, ..] => (*verb, Some(*kind)),
        [
            verb @ ("run" | "gains" | "spread" | "published" | "model"),
            ..,
        ] => (*verb, None),
        _ => return None,
    };
    let is_json = kind.is_some()
        || arguments
            .windows(2)
            .any(|pair| pair == ["--format", "json"]);
    let is_described = is_json && !arguments.contains(&"--jsonl") && matches!(code, 0 | 3 | 4);
    is_described.then(|| (operation(verb, kind), kind))
}

/// Holds a run of the command line against the description: its answer, and the problem file on standard input.
#[track_caller]
pub(crate) fn assert_run_as_described(arguments: &[&str], input: &[u8], ran: &Ran) {
    let Some((operation, kind)) = described_operation(arguments, ran.code) else {
        return;
    };
    let what = arguments.join(" ");
    let body = |holder: &Value| holder["content"]["application/json"]["schema"].clone();
    let answer: Value = serde_json::from_str(&ran.out).expect("the answer is JSON");
    assert_as_described(&what, &body(&operation["responses"]["200"]), &answer);
    let text = String::from_utf8_lossy(input);
    let text = text.trim_start_matches('\u{feff}');
    if let (Some(_), Ok(problem)) = (kind, serde_json::from_str(text)) {
        assert_as_described(&what, &body(&operation["requestBody"]), &problem);
    }
}

#[test]
fn every_answer_in_json_is_compared_with_its_schema() {
    let described: [&[&str]; 9] = [
        &["solve", "cold-start"],
        &["evaluate", "cold-start"],
        &["solve", "head-placement", "--method", "exact"],
        &["solve", "dispatch"],
        &["run", "--format", "json"],
        &["gains", "--format", "json"],
        &["spread", "--format", "json"],
        &["published", "tiers", "--format", "json"],
        &["model", "--format", "json"],
    ];
    for arguments in described {
        for code in [0, 3, 4] {
            let (operation, _) = described_operation(arguments, code).expect("a described run");
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            assert!(schema.is_object(), "{arguments:?}: {operation}");
        }
    }
    let not_described: [&[&str]; 3] = [&["run"], &["solve", "cold-start", "--jsonl"], &["--help"]];
    for arguments in not_described {
        assert_eq!(described_operation(arguments, 0), None, "{arguments:?}");
    }
    assert_eq!(described_operation(&["solve", "cold-start"], 2), None);
}

#[test]
#[should_panic(expected = "solve cold-start")]
fn an_answer_that_differs_from_its_schema_is_detected() {
    let mut ran = edgewise(&["solve", "cold-start"], crate::cli::SMALL);
    let mut answer = ran.json();
    answer["objective"] = json!("fast");
    ran.out = answer.to_string();
    assert_run_as_described(&["solve", "cold-start"], crate::cli::SMALL.as_bytes(), &ran);
}

#[test]
fn golden_answers_are_as_described() {
    let golden = |name: &str| -> Vec<Value> {
        let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the file is there");
        serde_json::from_str(&text).expect("the file is JSON")
    };
    let named = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    for (file, keys, name) in [
        ("golden", &["answer"][..], "ColdStartAnswer"),
        (
            "golden_partitions",
            &["max", "sum", "hypsplit"],
            "TiersPartitionAnswer",
        ),
        ("golden_dispatch", &["answer"], "DispatchAnswer"),
        ("golden_runs", &["answer"], "TiersSimulateAnswer"),
    ] {
        for case in golden(file) {
            for answer in keys
                .iter()
                .map(|key| &case[*key])
                .filter(|answer| answer.is_object())
            {
                assert_as_described(&case["case"].to_string(), &named(name), answer);
            }
        }
    }
    for case in golden("golden_heads") {
        for one in case["answers"].as_array().into_iter().flatten() {
            let what = format!("{} {}", case["case"], one["method"]);
            assert_as_described(&what, &named("HeadPlacementAnswer"), &one["answer"]);
        }
    }
}

#[test]
fn every_answer_has_an_example_that_is_as_described() {
    let schemas = DOCUMENT["components"]["schemas"].as_object();
    let roots = schemas.into_iter().flatten();
    let roots = roots.filter(|(name, _)| !name.contains('.'));
    let mut shown = 0;
    for (name, schema) in roots {
        let examples = schema["examples"].as_array().into_iter().flatten();
        let mut count = 0;
        for example in examples {
            let named = json!({ "$ref": format!("#/components/schemas/{name}") });
            assert_as_described(name, &named, example);
            count += 1;
        }
        assert!(count > 0, "{name} has no example");
        shown += count;
    }
    assert!(shown > 50, "{shown} examples");
    // What the program answers to its own scenarios, long lists cut.
    let example = |name: &str| &DOCUMENT["components"]["schemas"][name]["examples"][0];
    let paper = edgewise(&["published", "cold-start", "--format", "json"], "").json();
    assert_eq!(
        example("Published")["sections"][0]["parts"][0],
        paper["sections"][0]["parts"][0]
    );
    assert_eq!(example("ColdStartRun")["status"], "optimal");
    assert_eq!(example("Spread")["draws"], 200);
    assert!(example("Gains")["gains"][0].is_object());
}

#[test]
fn the_program_prints_the_document_with_what_the_help_says_of_every_option() {
    let printed = &*DOCUMENT;
    for (path, methods) in printed["paths"].as_object().expect("paths") {
        for operation in methods.as_object().expect("methods").values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let words = parameter["description"].as_str().unwrap_or_default();
                assert!(!words.is_empty(), "{path}: {parameter}");
            }
        }
    }
    let has_options = |work| matches!(work, RouteWork::Search(_));
    assert!(
        ROUTES
            .iter()
            .any(|route| has_options(route.work) && !route.options.is_empty())
    );
    let option = |kind: &str, name: &str| {
        let operation = &printed["paths"][format!("/api/v1/solve/{kind}")]["post"];
        let all = operation["parameters"].as_array().expect("parameters");
        all.iter().find(|one| one["name"] == name).cloned()
    };
    let eps = option("tiers-partition", "eps").expect("an option of this kind");
    assert_eq!(eps["schema"], json!({ "type": "number", "minimum": 0.0 }));
    assert_eq!(option("migration", "eps"), None);
    // Bounds and names are those of the parser.
    let islands = option("operator-partition", "islands").expect("an option of this kind");
    let bounds = json!({ "type": "integer", "minimum": 1, "maximum": 64 });
    assert_eq!(islands["schema"], bounds);
    let by = &printed["paths"]["/api/v1/gains"]["post"]["parameters"];
    let by = by.as_array().expect("parameters");
    let by = by
        .iter()
        .find(|one| one["name"] == "by")
        .expect("an option");
    let bounds = json!({ "type": "number", "minimum": 1.0, "maximum": 900.0 });
    assert_eq!(by["schema"], bounds);
    for (kind, name) in [
        ("cold-start", "method"),
        ("cold-start", "heuristic"),
        ("tiers-partition", "objective"),
        ("operator-order", "weights"),
        ("operator-partition", "first"),
    ] {
        let names = option(kind, name).expect("an option of this kind")["schema"]["enum"].clone();
        let wrong = edgewise(&["solve", kind, &format!("--{name}=nonsense")], "{}");
        assert_eq!(wrong.code, 2);
        for name in names.as_array().expect("names") {
            let name = name.as_str().expect("a name");
            assert!(wrong.err.contains(name), "{name}: {}", wrong.err);
        }
    }
    assert_eq!(option("migration", "method"), None);
}
