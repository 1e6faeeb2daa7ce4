//! The middleware of all requests: host, origin and token are checked, and the answer is logged.

use crate::openapi::DOCUMENT;
use crate::problem::Problem;
use crate::service::ServiceState;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Instant;

/// Content security policy of answers other than the page: style sheets of the API description only.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request in, and counts it.
pub(crate) async fn admit(
    State(service): State<Arc<ServiceState>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let route = route(&request);
    let mut response = match check(&service, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    let status = response.status().as_u16();
    service.metrics.request(route, status, begun.elapsed());
    response
}

/// The route as the table has it: few names, however many paths are asked for.
fn route(request: &Request) -> &'static str {
    let matched = request.extensions().get::<MatchedPath>();
    let matched = matched.map_or("", MatchedPath::as_str);
    let known = crate::routes::ROUTES
        .iter()
        .find(|route| route.path == matched);
    known.map_or("other", |route| route.path)
}

fn check(service: &ServiceState, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let path = request.uri().path();
    let guarded = path.starts_with("/api/v1/") && path != DOCUMENT || path == "/metrics";
    if let Some(token) = &service.token {
        return match guarded {
            true => bears(headers, token),
            false => Ok(()),
        };
    }
    let host = authority(headers.get(header::HOST));
    // A page elsewhere whose name is made to point here asks under its own name.
    if service.listen.ip().is_loopback() && !host.as_ref().is_some_and(is_here) {
        let detail = "Host must be localhost or a loopback address: the service listens on this machine only";
        let wrong = StatusCode::MISDIRECTED_REQUEST;
        return Err(Problem::new(wrong, "host", "Host", detail));
    }
    if *request.method() == Method::POST && !is_welcome(service, headers, host.as_ref()) {
        let detail = "Origin must be this service's own, or one that --allow-origin names";
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "origin",
            "Origin",
            detail,
        ));
    }
    Ok(())
}

/// Returns true if the request has the token. Compares hashes in constant time.
fn bears(headers: &HeaderMap, token: &blake3::Hash) -> Result<(), Problem> {
    let given = headers.get(header::AUTHORIZATION);
    let given = given.and_then(|given| given.to_str().ok());
    let given = given.and_then(|given| given.split_once(' '));
    let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let given = given.map(|(_, given)| blake3::hash(given.trim().as_bytes()));
    if given.as_ref() == Some(token) {
        return Ok(());
    }
    let detail = "Authorization must be Bearer and the token of this service";
    Err(Problem::new(
        StatusCode::UNAUTHORIZED,
        "token",
        "Authorization",
        detail,
    ))
}

fn authority(value: Option<&HeaderValue>) -> Option<Authority> {
    value?.to_str().ok()?.parse().ok()
}

fn is_here(host: &Authority) -> bool {
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    let address: Option<std::net::IpAddr> = name.parse().ok();
    name.eq_ignore_ascii_case("localhost") || address.is_some_and(|address| address.is_loopback())
}

/// Returns true if the request does not come from a page, or from a page of the service or of an allowed origin.
fn is_welcome(service: &ServiceState, headers: &HeaderMap, host: Option<&Authority>) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let origin = origin.to_str().unwrap_or_default();
    let own = origin.split_once("://").map(|(_, rest)| rest);
    service.origins.iter().any(|known| known == origin)
        || own.is_some_and(|own| host.is_some_and(|host| host.as_str() == own))
}
