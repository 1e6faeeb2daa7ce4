//! The operations of the document, out of the table of routes.

use super::computed_examples;
use super::schemas::{answer_name, camel, problem_name, reference, run_name, scenario_name};
use crate::routes::{
    CSV, EVALUATED, EVENTS, FILE, FORM_DATA, JSON, JSON_LINES, PROBLEM, ROUTES, Route, RouteVerb,
    RouteWork, SOLVED, ServiceInfo, TEXT,
};
use engine::scenario::Question;
use planner::problem_file::ProblemKind;
use serde_json::{Map, Value, json};

/// A flag of the command line that may be in the query.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagSpec {
    /// The verb that it belongs to.
    pub verb: String,
    /// Its name without dashes.
    pub name: String,
    /// Description, as in the help.
    pub about: String,
    /// Type of its value.
    pub value_type: FlagValue,
    /// True if it may be repeated.
    pub repeats: bool,
    /// The kinds of problem that have it; none: all that the verb takes.
    pub only: &'static [ProblemKind],
    /// Allowed names by kind of problem, for kinds that have it; empty if it does not depend on the kind.
    pub named: Vec<(ProblemKind, Vec<&'static str>)>,
}

/// Type of a flag's value.
#[derive(Debug, Clone, PartialEq)]
pub enum FlagValue {
    /// None: the option is present or absent.
    Switch,
    /// A whole number from the one to the other.
    Whole(u64, u64),
    /// A number from the one to the other.
    Number(f64, f64),
    /// One of these words.
    OneOf(Vec<String>),
    /// A text that matches an expression, any if that is empty.
    Text(&'static str),
}

impl FlagValue {
    fn schema(&self) -> Value {
        match self {
            Self::Switch => json!({ "type": "boolean" }),
            Self::Whole(least, most) => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            Self::Number(least, f64::MAX) => json!({ "type": "number", "minimum": least }),
            Self::Number(least, most) => {
                json!({ "type": "number", "minimum": least, "maximum": most })
            }
            Self::OneOf(words) => json!({ "enum": words }),
            Self::Text("") => json!({ "type": "string" }),
            Self::Text(pattern) => json!({ "type": "string", "pattern": pattern }),
        }
    }
}

/// All paths, with the kinds of problem written out: each has a schema of its own.
#[must_use]
pub fn paths(flags: &[FlagSpec]) -> Map<String, Value> {
    let mut paths = Map::new();
    for route in ROUTES {
        for kind in kinds(route) {
            let path = match kind {
                Some(kind) => route.path.replace("{kind}", kind.name()),
                None => route.path.to_owned(),
            };
            let method = route.method.to_lowercase();
            let operation = operation(route, kind, flags);
            let methods = paths.entry(path).or_insert_with(|| json!({}));
            methods[method] = operation;
        }
    }
    paths
}

/// The kinds that a path is written out for; one `None` where it has no kind in it.
fn kinds(route: &Route) -> Vec<Option<ProblemKind>> {
    match route.work {
        RouteWork::Search(RouteVerb::Solve) => SOLVED.into_iter().map(Some).collect(),
        RouteWork::Search(RouteVerb::Evaluate) => EVALUATED.into_iter().map(Some).collect(),
        _ => vec![None],
    }
}

fn operation(route: &Route, kind: Option<ProblemKind>, flags: &[FlagSpec]) -> Value {
    let mut about = kind.map_or(route.summary.to_owned(), |kind| {
        format!("{} {}.", route.summary, kind.about())
    });
    if route.goes_without_body() {
        about += " The body may be empty. For `cold-start` it may hold a scenario, whose figures then stand beside the paper\u{2019}s; \
                  the figures of the other papers are the same for all scenarios, and a body is refused.";
    }
    let mut operation = json!({
        "operationId": id(route, kind),
        "summary": route.summary,
        "description": about,
        "tags": [tag(route)],
        "parameters": parameters(route, kind, flags),
        "security": security(route),
        "responses": responses(route, kind),
    });
    if !route.request_types.is_empty() {
        let content = |media: &&str| ((*media).to_owned(), form_schema(route, kind, media));
        let content: Map<String, Value> = route.request_types.iter().map(content).collect();
        operation["requestBody"] =
            json!({ "required": !route.goes_without_body(), "content": content });
    }
    operation
}

/// Returns the security requirement of a route. Health checks need no token; all other routes may need one.
fn security(route: &Route) -> Value {
    match route.work {
        RouteWork::Own(ServiceInfo::Health | ServiceInfo::Ready) => json!([]),
        _ => json!([{}, { "token": [] }]),
    }
}

/// Says in a document whether this service has a token or has none.
pub fn decide(document: &mut Value, has_token: bool) {
    let all = if has_token {
        json!([{ "token": [] }])
    } else {
        json!([])
    };
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, methods)| methods.as_object_mut().into_iter().flatten());
    for (_, operation) in operations {
        if operation["security"] != json!([]) {
            operation["security"] = all.clone();
        }
    }
}

/// `solveColdStart`, `run`, `presetsName`, `publishedQuestion`.
fn id(route: &Route, kind: Option<ProblemKind>) -> String {
    let kind = kind.map_or(String::new(), |kind| camel(kind.name()));
    let words = route
        .path
        .trim_start_matches("/api/v1")
        .replace("/{kind}", "");
    let words: String = words.chars().filter(|c| !matches!(c, '{' | '}')).collect();
    let joined = camel(words.trim_matches('/').replace('/', "-").as_str()) + &kind;
    let (first, rest) = joined.split_at(1);
    first.to_lowercase() + rest
}

const fn tag(route: &Route) -> &'static str {
    match route.work {
        RouteWork::Search(RouteVerb::Solve) => "Problem files: find a plan",
        RouteWork::Search(RouteVerb::Evaluate) => "Problem files: score a plan",
        RouteWork::Search(_) | RouteWork::Look(_) => "Scenarios and models",
        RouteWork::Own(_) => "The service itself",
    }
}

fn parameters(route: &Route, kind: Option<ProblemKind>, flags: &[FlagSpec]) -> Vec<Value> {
    let mut parameters = Vec::new();
    if route.path.contains("{name}") {
        parameters.push(json!({
            "name": "name", "in": "path", "required": true,
            "description": "The name of a preset.",
            "schema": { "type": "string" }, "example": "csgo-paper",
        }));
    }
    if route.path.contains("{question}") {
        parameters.push(json!({
            "name": "question", "in": "path", "required": true,
            "description": "The question that the paper is about.",
            "schema": { "enum": Question::ALL.map(Question::name) }, "example": Question::ColdStart.name(),
        }));
    }
    let verb = match route.work {
        RouteWork::Search(verb) | RouteWork::Look(verb) => verb.name(),
        RouteWork::Own(_) => return parameters,
    };
    for option in route.options {
        let flag = flags
            .iter()
            .find(|flag| flag.verb == verb && flag.name == *option);
        let only = flag.map_or(&[][..], |flag| flag.only);
        if kind.is_some_and(|kind| !only.is_empty() && !only.contains(&kind)) {
            continue;
        }
        let mut schema = flag.map_or_else(
            || json!({ "type": "string" }),
            |flag| flag.value_type.schema(),
        );
        let named = flag.map_or(&[][..], |flag| &flag.named);
        if let Some(kind) = kind.filter(|_| !named.is_empty()) {
            let Some((_, names)) = named.iter().find(|(of, _)| *of == kind) else {
                continue;
            };
            schema = json!({ "enum": names });
        }
        if flag.is_some_and(|flag| flag.repeats) {
            schema = json!({ "type": "array", "items": schema });
        }
        parameters.push(json!({
            "name": option, "in": "query",
            "description": flag.map_or("", |flag| &flag.about),
            "schema": schema,
        }));
    }
    parameters
}

fn scenarios(named: impl Fn(Question) -> String) -> Vec<Value> {
    Question::ALL
        .map(|question| reference(&named(question)))
        .to_vec()
}

/// The schema of what a route reads in a form.
fn form_schema(route: &Route, kind: Option<ProblemKind>, media: &str) -> Value {
    let document = match (route.work, kind) {
        (RouteWork::Search(RouteVerb::Evaluate), Some(kind)) => {
            reference(&problem_name(kind, true))
        }
        (_, Some(kind)) => reference(&problem_name(kind, false)),
        (RouteWork::Search(RouteVerb::Run | RouteVerb::Gains | RouteVerb::Spread), None) => {
            json!({ "oneOf": scenarios(scenario_name) })
        }
        (RouteWork::Search(RouteVerb::Published), None) => {
            reference(&scenario_name(Question::ColdStart))
        }
        _ => {
            let words = "A `config.json` as model repositories have it.";
            json!({ "type": "object", "description": words, "examples": [computed_examples::config()] })
        }
    };
    let schema = match media {
        JSON => document,
        JSON_LINES => lines("One problem file a line; it is answered before the next one is read."),
        TEXT => {
            json!({ "type": "string", "minLength": 1, "description": "A link from the page." })
        }
        FILE => json!({ "description": file_words(route) }),
        FORM_DATA => {
            let file = json!({ "type": "string", "contentMediaType": FILE, "description": file_words(route) });
            let parts = match route.work {
                RouteWork::Search(verb) | RouteWork::Look(verb) => verb.form_fields(),
                RouteWork::Own(_) => &[],
            };
            let schema = |part: &&str| {
                if *part == "document" {
                    &document
                } else {
                    &file
                }
                .clone()
            };
            let properties: Map<_, _> = parts
                .iter()
                .map(|part| ((*part).to_owned(), schema(part)))
                .collect();
            json!({
                "type": "object",
                "description": "The document, and the files that it or an option names, each with its file name.",
                "properties": properties,
                "minProperties": 1,
                "additionalProperties": false,
            })
        }
        _ => json!({}),
    };
    json!({ "schema": schema })
}

/// The answer to a cold start, or that to another question.
fn either(name: &str) -> Value {
    json!({ "oneOf": [reference(name), reference(&format!("{name}OfOthers"))] })
}

fn file_words(route: &Route) -> &'static str {
    match route.work {
        RouteWork::Search(RouteVerb::Model | RouteVerb::Gains | RouteVerb::Spread) => {
            "The head of a GGUF file, or a `config.json`."
        }
        _ => "An ONNX file, or for a scenario the head of a GGUF file or a `config.json`.",
    }
}

fn lines(words: &str) -> Value {
    json!({ "type": "string", "description": words })
}

/// The schema of what a route writes in a form.
fn given(route: &Route, kind: Option<ProblemKind>, media: &str) -> Value {
    if media != JSON {
        return match media {
            JSON_LINES => lines("One answer a line, in the order of the problem files."),
            EVENTS => lines(
                "Events `progress` (best, bound, gap, share), then one `answer` or `problem`.",
            ),
            CSV => lines("A table with a head."),
            _ => json!({ "type": "string" }),
        };
    }
    match (route.work, kind) {
        (RouteWork::Search(RouteVerb::Evaluate), Some(kind)) => reference(&answer_name(kind, true)),
        (_, Some(kind)) => reference(&answer_name(kind, false)),
        (RouteWork::Search(RouteVerb::Run), None) => {
            let mut all = scenarios(run_name);
            all.push(reference("Story"));
            json!({ "oneOf": all })
        }
        (RouteWork::Search(RouteVerb::Gains), None) => either("Gains"),
        (RouteWork::Search(RouteVerb::Spread), None) => either("Spread"),
        (RouteWork::Search(RouteVerb::Published), None) => reference("Published"),
        (RouteWork::Search(RouteVerb::Model), None) => reference("Model"),
        (RouteWork::Look(_), None) if route.path.contains("{name}") => {
            json!({ "oneOf": scenarios(scenario_name) })
        }
        (RouteWork::Look(_), None) => json!({
            "type": "array", "items": {
                "type": "object", "required": ["name", "question", "about"],
                "properties": {
                    "name": { "type": "string" },
                    "question": { "enum": Question::ALL.map(Question::name) },
                    "about": { "type": "string" },
                },
            },
        }),
        (RouteWork::Own(ServiceInfo::Version), None) => json!({
            "type": "object", "required": ["version", "build"],
            "properties": { "version": { "type": "string" }, "build": { "type": "string" } },
        }),
        _ => json!({}),
    }
}

/// The faults by status, and whether only searches have them.
const FAULTS: [(&str, &str, bool); 14] = [
    ("400", "The body or an option cannot be read.", true),
    ("401", "The token is missing or wrong.", false),
    ("403", "The origin may not ask.", false),
    (
        "404",
        "There is no such route, kind, question or preset.",
        false,
    ),
    ("405", "The route takes another method.", false),
    (
        "406",
        "The route has no answer in the form that `Accept` asks for.",
        true,
    ),
    ("408", "The body stalled.", true),
    ("413", "The body is longer than the service takes.", true),
    ("415", "The route takes no body of this type.", true),
    ("421", "The request is for another host.", false),
    (
        "422",
        "The input is refused: `code`, `path`, `value` and the sentence say what and why.",
        true,
    ),
    (
        "429",
        "The queue is full; `Retry-After` says when to try again.",
        true,
    ),
    ("500", "A bug.", true),
    (
        "503",
        "The service is stopping, or the process of a search was killed.",
        false,
    ),
];

fn responses(route: &Route, kind: Option<ProblemKind>) -> Value {
    let content = |media: &&str| {
        (
            (*media).to_owned(),
            json!({ "schema": given(route, kind, media) }),
        )
    };
    let content: Map<String, Value> = route.response_types.iter().map(content).collect();
    let mut responses = json!({ "200": { "description": "The answer.", "content": content } });
    let searches = matches!(route.work, RouteWork::Search(_));
    for (status, _, only_searches) in FAULTS {
        if searches || !only_searches {
            responses[status] = json!({ "$ref": format!("#/components/responses/{status}") });
        }
    }
    responses["default"] = json!({ "$ref": "#/components/responses/default" });
    responses
}

/// The answers that are faults, by status.
#[must_use]
pub fn faults() -> Value {
    let fault = |words: &str| json!({ "description": words, "content": { PROBLEM: { "schema": reference("Problem") } } });
    let named = FAULTS.map(|(status, words, _)| (status.to_owned(), fault(words)));
    let mut all: Map<String, Value> = named.into_iter().collect();
    all.insert("default".into(), fault("Any other fault."));
    all.into()
}
