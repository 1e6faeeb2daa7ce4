//! The description of the service, for programs (OpenAPI 3.1) and for people (a page). Both are made of the table of routes
//! and of the types that read requests and write answers; nothing is described by hand that they say.

mod bounds;
mod computed_examples;
mod examples;
mod operations;
mod page;
mod schemas;
#[cfg(test)]
mod tests;

pub use operations::{FlagSpec, FlagValue};

use crate::child::AnswerFn;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

/// Where the document stands.
pub const DOCUMENT: &str = "/api/v1/openapi.json";
/// Where the page stands.
pub const PAGE: &str = "/api/";
/// Where the style of the page stands.
const STYLE: &str = "/api/style.css";

/// The OpenAPI document. `flags` are those of the command line, by verb, and `answers` what it answers to examples.
///
/// # Complexity
/// About a second: the answers among the examples are searched for.
#[must_use]
pub fn document(flags: &[FlagSpec], answers: AnswerFn) -> Value {
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Edgewise",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT", "identifier": "MIT" },
            "description": "How to cut, place, order and schedule a neural network on the machines you have, and what it costs. \
                Answers are those of the command line. Units stand at every number as `x-unit`, SI unless a name says \
                otherwise; a number of an answer that is infinite is null. Options of the command line stand in the query. \
                Examples of answers to scenarios have long lists cut short.",
        },
        "servers": [{ "url": "/" }],
        "paths": operations::paths(flags),
        "components": {
            "schemas": schemas::Schemas::all(answers).0,
            "responses": operations::faults(),
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "Where the service has a file of tokens." },
            },
        },
    })
}

/// The page runs nothing and loads its style alone.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The paths of the description. It is made when it is first asked for.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(
    flags: &[FlagSpec],
    answers: AnswerFn,
    has_token: bool,
    prefix: &str,
) -> Router<S> {
    let (flags, prefix) = (flags.to_vec(), prefix.to_owned());
    let made = Arc::new(LazyLock::new(move || {
        let mut document = document(&flags, answers);
        operations::decide(&mut document, has_token);
        if !prefix.is_empty() {
            document["servers"] = json!([{ "url": prefix }]);
        }
        let page = page::page(&document).into_string();
        (document.to_string(), page)
    }));
    let same = Arc::clone(&made);
    Router::new()
        .route(
            DOCUMENT,
            get(async move || file("application/json", made.0.clone())),
        )
        .route(
            PAGE,
            get(async move || file("text/html; charset=utf-8", same.1.clone())),
        )
        .route(
            STYLE,
            get(async || file("text/css", page::STYLE.to_owned())),
        )
}

fn file(media: &'static str, text: String) -> impl IntoResponse {
    let head = [
        (CONTENT_TYPE, media),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    (head, text)
}
