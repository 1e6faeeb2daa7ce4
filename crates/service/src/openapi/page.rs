//! The document as a page: one file of HTML and one of style, no script, nothing from elsewhere.

use super::bounds;
use maud::{DOCTYPE, Markup, html};
use serde_json::{Map, Value};

/// The style of the page.
pub const STYLE: &str = include_str!("page.css");

/// The page. Links are relative, so that it works below any path.
#[must_use]
pub fn page(document: &Value) -> Markup {
    let info = &document["info"];
    let schemas = document["components"]["schemas"].as_object();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Edgewise: the service" }
                link rel="stylesheet" href="style.css";
            }
            body {
                header {
                    h1 { "Edgewise: the service" }
                    p { (prose(text(&info["description"]))) }
                    p {
                        "Version " (text(&info["version"])) ". For programs: "
                        a href="v1/openapi.json" { "openapi.json" } "."
                    }
                }
                main {
                    nav aria-label="Operations" { (contents(document)) }
                    h2 { "Operations" }
                    @for (path, method, operation) in operations(document) {
                        (shown_operation(path, method, operation, document))
                    }
                    h2 { "Schemas" }
                    p {
                        "A name with a dot is a part of what stands before the dot. Fields marked with an asterisk must be there."
                    }
                    @for (name, schema) in schemas.into_iter().flatten() {
                        (shown_schema(name, schema))
                    }
                    h2 { "Faults" }
                    (faults(&document["components"]["responses"]))
                }
            }
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A text with its `code` set as code.
fn prose(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// The operations by tag, each a link.
fn contents(document: &Value) -> Markup {
    let mut tags: Vec<&str> = Vec::new();
    for (.., operation) in operations(document) {
        let tag = text(&operation["tags"][0]);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    html! {
        @for tag in tags {
            h2 { (tag) }
            ul {
                @for (path, method, operation) in operations(document).filter(|(.., o)| text(&o["tags"][0]) == tag) {
                    li { a href={ "#" (text(&operation["operationId"])) } { code { (method.to_uppercase()) " " (path) } } }
                }
            }
        }
    }
}

fn shown_operation(path: &str, method: &str, operation: &Value, document: &Value) -> Markup {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    html! {
        section id=(text(&operation["operationId"])) {
            h3 { span.method { (method.to_uppercase()) } " " code { (path) } }
            p { (prose(text(&operation["description"]))) }
            pre { code { (curl(path, method, operation)) } }
            (forms("Takes", &operation["requestBody"]["content"], document))
            (forms("Gives", &operation["responses"]["200"]["content"], document))
            @if operation["parameters"][0].is_object() {
                details {
                    summary { "Parameters" }
                    table {
                        thead { tr { th { "Name" } th { "Value" } th { "Meaning" } } }
                        tbody {
                            @for parameter in parameters {
                                tr {
                                    td { code { (text(&parameter["name"])) } @if parameter["in"] == "path" { " *" } }
                                    td data-label="Value" { (kind(&parameter["schema"])) }
                                    td { (prose(text(&parameter["description"]))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A line for a shell.
fn curl(path: &str, method: &str, operation: &Value) -> String {
    let path = path
        .replace("{name}", "csgo-paper")
        .replace("{question}", "cold-start");
    let address = format!("http://127.0.0.1:8080{path}");
    if method == "get" {
        return format!("curl {address}");
    }
    if operation["requestBody"]["required"] == false {
        return format!("curl -X POST {address}");
    }
    let takes_json = operation["requestBody"]["content"]["application/json"].is_object();
    let file = if takes_json { "problem.json" } else { "file" };
    format!("curl {address} -H 'Content-Type: application/json' --data-binary @{file}")
}

/// The media types of a body, with what each holds and the first example of it.
fn forms(title: &str, content: &Value, document: &Value) -> Markup {
    let Some(content) = content.as_object().filter(|content| !content.is_empty()) else {
        return html! {};
    };
    let example = content
        .get("application/json")
        .and_then(|form| form["schema"]["$ref"].as_str())
        .and_then(|target| document.pointer(target.trim_start_matches('#')))
        .map(|schema| &schema["examples"][0])
        .filter(|example| example.is_object());
    html! {
        dl {
            dt { (title) }
            @for (media, form) in content {
                dd {
                    code { (media) } ": "
                    @match form["schema"]["description"].as_str() {
                        Some(words) => (prose(words)),
                        None => (kind(&form["schema"])),
                    }
                }
            }
        }
        @if let Some(example) = example {
            details { summary { (title) ", for example" } pre { code { (pretty(example)) } } }
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A link to a named schema.
fn link(target: &str) -> Markup {
    let name = target.rsplit('/').next().unwrap_or_default();
    html! { a href={ "#" (name) } { code { (name) } } }
}

/// Describes the type of a value in a few words.
fn kind(schema: &Value) -> Markup {
    if let Some(target) = schema["$ref"].as_str() {
        return link(target);
    }
    if let Some(one) = schema.get("const") {
        return html! { code { (one.to_string()) } };
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(branches) = schema[keyword].as_array() {
            let branches: Vec<&Value> = branches
                .iter()
                .filter(|one| one["required"].is_null() || one["type"].is_string())
                .collect();
            return html! {
                @for (i, branch) in branches.iter().enumerate() {
                    @if i > 0 { " or " }
                    (kind(branch))
                }
            };
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        return html! {
            @for (i, word) in words.iter().enumerate() {
                @if i > 0 { ", " }
                code { (word.to_string()) }
            }
        };
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().map(text).collect(),
        _ => return html! { "anything" },
    };
    html! {
        @for (i, name) in types.iter().enumerate() {
            @if i > 0 { " or " }
            @match *name {
                "integer" => "whole number",
                "string" => "text",
                "boolean" => { code { "true" } " or " code { "false" } }
                "array" if schema["items"].is_object() => { "list of " (kind(&schema["items"])) }
                "array" => "list",
                other => (other),
            }
        }
    }
}

/// Describes the range of a number: "above 0", "1 to 1000".
fn range(schema: &Value) -> String {
    if schema["items"].is_object() {
        return range(&schema["items"]);
    }
    if let Some(branches) = schema["anyOf"].as_array() {
        let mut ranges = branches.iter().map(range);
        return ranges.find(|range| !range.is_empty()).unwrap_or_default();
    }
    let of = |keyword: &str| schema.get(keyword).map(Value::to_string);
    match (
        of("minimum"),
        of("maximum"),
        of("exclusiveMinimum"),
        of("exclusiveMaximum"),
    ) {
        (Some(least), Some(most), ..) => format!("{least} to {most}"),
        (Some(least), None, ..) => format!("{least} or above"),
        (_, _, Some(above), Some(below)) => format!("above {above}, below {below}"),
        (_, _, Some(above), None) => format!("above {above}"),
        _ => String::new(),
    }
}

fn shown_schema(name: &str, schema: &Value) -> Markup {
    html! {
        section.schema id=(name) {
            h3 { code { (name) } }
            (body(schema))
        }
    }
}

/// Description, alternatives and fields of a schema.
fn body(schema: &Value) -> Markup {
    let alternatives = ["oneOf", "anyOf"]
        .into_iter()
        .flat_map(|keyword| schema[keyword].as_array());
    let words = text(&schema["description"]);
    html! {
        @if !words.is_empty() { p { (prose(words)) } }
        @if let Some(fields) = schema["properties"].as_object() { (fields_of(fields, &schema["required"])) }
        @else if schema["oneOf"].is_null() && schema["anyOf"].is_null() { p { (kind(schema)) } }
        @for all in alternatives {
            ul {
                @for one in all {
                    li {
                        @if one["properties"].is_object() { (body(one)) }
                        @else if let Some(needed) = one["required"].as_array().filter(|_| one["type"].is_null()) {
                            "with " @for field in needed { code { (text(field)) } }
                        }
                        @else { (kind(one)) " " (prose(text(&one["description"]))) }
                    }
                }
            }
        }
    }
}

fn fields_of(fields: &Map<String, Value>, required: &Value) -> Markup {
    let is_required = |name: &str| {
        required
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == name))
    };
    html! {
        table {
            thead { tr { th { "Field" } th { "Value" } th { "Unit" } th { "Allowed" } th { "Example" } th { "Meaning" } } }
            tbody {
                @for (name, field) in fields {
                    tr {
                        td { code { (name) } @if is_required(name) { " *" } }
                        td data-label="Value" { (kind(field)) }
                        td data-label="Unit" { (text(&field[bounds::UNIT])) }
                        td data-label="Allowed" { (range(field)) }
                        td data-label="Example" {
                            @if let Some(example) = field["examples"].get(0) { code { (example.to_string()) } }
                        }
                        td { (prose(text(&field["description"]))) }
                    }
                }
            }
        }
    }
}

fn faults(responses: &Value) -> Markup {
    html! {
        p { "Every fault is a document of the type " code { "application/problem+json" } ", a " (link("/Problem")) "." }
        dl {
            @for (status, response) in responses.as_object().into_iter().flatten() {
                dt { (status) }
                dd { (prose(text(&response["description"]))) }
            }
        }
    }
}
