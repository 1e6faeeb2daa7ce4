//! The router, made of the table of routes.

use crate::gate;
use crate::openapi;
use crate::page;
use crate::pool::stopping;
use crate::problem::Problem;
use crate::routes::{JSON, OPEN_METRICS, ROUTES, Route, RouteVerb, RouteWork, ServiceInfo};
use crate::search;
use crate::service::ServiceState;
use crate::task::SolveTask;
use axum::Router;
use axum::extract::{RawPathParams, Request};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodFilter, get, on};
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::CorsLayer;

/// All that the service answers.
pub(crate) fn router(service: Arc<ServiceState>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let filter = match route.method {
            "POST" => MethodFilter::POST,
            _ => MethodFilter::GET,
        };
        let own = service.clone();
        let handler = move |params: RawPathParams, request: Request| async move {
            let word = params.iter().next().map(|(_, value)| value.to_owned());
            answer(own, route, word, request).await
        };
        router = router.route(route.path, on(filter, handler));
    }
    if !service.prefix.is_empty() {
        // Links are relative: without the last slash they would lead beside the page.
        let page = Redirect::permanent(&format!("{}/", service.prefix));
        router = router.route(&service.prefix, get(page));
    }
    let router: Router = router
        .merge(openapi::router(
            &service.flags,
            service.answers,
            service.token.is_some(),
            &service.prefix,
        ))
        .fallback(page::answer)
        .method_not_allowed_fallback(not_allowed);
    let cors = cors(&service.origins);
    router
        .layer(from_fn_with_state(service, gate::admit))
        .layer(cors)
}

/// Takes the prefix off an address that has it.
pub(crate) fn strip_prefix(prefix: &str, uri: &mut Uri) {
    let path = uri.path_and_query().map_or("", PathAndQuery::as_str);
    let rest = path
        .strip_prefix(prefix)
        .filter(|rest| rest.starts_with('/'));
    let Some(Ok(rest)) = rest.map(str::parse) else {
        return;
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(rest);
    if let Ok(stripped) = Uri::from_parts(parts) {
        *uri = stripped;
    }
}

async fn answer(
    service: Arc<ServiceState>,
    route: &'static Route,
    word: Option<String>,
    request: Request,
) -> Result<Response, Problem> {
    match route.work {
        RouteWork::Search(verb) => search::answer(service, route, verb, word, request).await,
        RouteWork::Look(verb) => look(&service, verb, word),
        RouteWork::Own(own) => service_info(&service, own),
    }
}

/// A verb that takes a moment.
fn look(
    service: &ServiceState,
    verb: RouteVerb,
    word: Option<String>,
) -> Result<Response, Problem> {
    let is_list = word.is_none();
    let format = is_list.then(|| ("format".to_owned(), "json".to_owned()));
    let task = SolveTask {
        verb,
        word,
        options: format.into_iter().collect(),
        is_line: false,
        input: Vec::new(),
        files: Vec::new(),
        wants_progress: false,
    };
    let sink = crate::child::ProgressSink::without_listener(Duration::ZERO);
    let answer = (service.answers)(&task, &sink);
    match answer.fault() {
        Some(fault) if !is_list => {
            let missing = StatusCode::NOT_FOUND;
            Err(Problem::new(missing, "unknown", "name", fault.message).with(*fault.value))
        }
        Some(fault) => Err(fault.into()),
        None => Ok(([(header::CONTENT_TYPE, JSON)], answer.out).into_response()),
    }
}

fn service_info(service: &ServiceState, own: ServiceInfo) -> Result<Response, Problem> {
    Ok(match own {
        ServiceInfo::Version => {
            let (version, build) = (service.version, &service.build);
            let text = serde_json::json!({ "version": version, "build": build }).to_string();
            ([(header::CONTENT_TYPE, JSON)], text + "\n").into_response()
        }
        ServiceInfo::Health => "ok\n".into_response(),
        ServiceInfo::Ready if service.is_stopping() => return Err(stopping()),
        ServiceInfo::Ready => "ready\n".into_response(),
        ServiceInfo::Metrics => {
            let media = format!("{OPEN_METRICS}; version=1.0.0; charset=utf-8");
            ([(header::CONTENT_TYPE, media)], service.metrics.text()).into_response()
        }
    })
}

async fn not_allowed(request: Request) -> Problem {
    let (method, path) = (request.method(), request.uri().path());
    let detail = format!("{path} does not take {method}");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "", detail).with(method.as_str())
}

fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|one| one.parse().ok()).collect();
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT,
            header::IF_NONE_MATCH,
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            named("edgewise-cache"),
            named("edgewise-exit"),
            named("edgewise-note"),
        ])
}
