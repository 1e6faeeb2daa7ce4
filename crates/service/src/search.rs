//! A request that is a verb of the command line: what it asks for, whether it is taken, how its answer goes out.

use crate::body::{self, Reservation};
use crate::cache::{AnswerKey, key};
use crate::lines;
use crate::pool::stopping;
use crate::problem::Problem;
use crate::routes::{
    CSV, EVALUATED, EVENTS, HTML, JSON, JSON_LINES, MARKDOWN, Route, RouteVerb, SOLVED, TEXT,
};
use crate::service::ServiceState;
use crate::task::{Course, SolveTask, TaskAnswer};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use engine::scenario::Question;
use futures_util::stream::unfold;
use hyper::body::{Frame, SizeHint};
use planner::problem_file::ProblemKind;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Says that an answer was kept from an earlier request.
const CACHE: &str = "edgewise-cache";
/// The exit status that the command line ends with.
const EXIT: &str = "edgewise-exit";
/// Header with the notes that the command line prints to standard error.
const NOTE: &str = "edgewise-note";
/// The most notes of an answer, and the most bytes of one.
const NOTES: (usize, usize) = (16, 300);
/// How long a request waits for a place in the queue before it is refused.
const BUSY: Duration = Duration::from_millis(200);
/// Time between two signs of life to a client that waits for events.
const ALIVE: Duration = Duration::from_secs(15);

/// Answers a request.
pub(crate) async fn answer(
    service: Arc<ServiceState>,
    route: &'static Route,
    verb: RouteVerb,
    word: Option<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    is_known(verb, word.as_deref().unwrap_or_default())?;
    let mut options = body::options(route, head.uri.query().unwrap_or_default())?;
    let form = form(route, &head.headers)?;
    if route.options.contains(&"format") && !options.iter().any(|(name, _)| name == "format") {
        let format = match form {
            TEXT => "text",
            MARKDOWN => "md",
            HTML => "html",
            CSV => "csv",
            _ => "json",
        };
        options.push(("format".to_owned(), format.to_owned()));
    }
    let media = body::media(&head.headers, route.request_types)?;
    let place = admitted(&service).await?;
    // Slow uploads take no place from complete ones.
    let place = (media == JSON_LINES).then_some(place);
    let mut task = SolveTask {
        verb,
        word,
        options,
        is_line: media == JSON_LINES,
        input: Vec::new(),
        files: Vec::new(),
        wants_progress: form == EVENTS,
    };
    if let Some(place) = place {
        return Ok(lines::answer(service, task, body, place));
    }
    let mut held = service.memory_budget.reservation();
    let request = (&head.headers, body);
    body::read(request, media, &mut task, service.limits.body, &mut held).await?;
    let key = key(&service.build, &task);
    if is_had(&head.headers, &key) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag(&key))]).into_response());
    }
    let place = admitted(&service).await?;
    if form == EVENTS {
        return Ok(events(service, task, key, (place, held)));
    }
    let (answer, is_kept) = find(&service, &task, &key, |_| ()).await?;
    let media = media_of(&answer, &task);
    drop((task, place));
    respond(&service, answer, is_kept, &key, media)
}

/// The answer to a task, kept from an earlier one or searched now.
async fn find(
    service: &Arc<ServiceState>,
    task: &SolveTask,
    key: &AnswerKey,
    on_progress: impl FnMut(Course),
) -> Result<(Arc<TaskAnswer>, bool), Problem> {
    if let Some(kept) = service.cache.get(key) {
        service.metrics.hit();
        return Ok((kept, true));
    }
    let answer = Arc::new(service.pool.answer(task, on_progress).await?);
    if !answer.is_cut {
        service.cache.put(key, answer.clone());
    }
    Ok((answer, false))
}

fn respond(
    service: &ServiceState,
    answer: Arc<TaskAnswer>,
    is_kept: bool,
    key: &AnswerKey,
    media: HeaderValue,
) -> Result<Response, Problem> {
    if answer.out.is_empty() || answer.fault.is_some() {
        return Err(refusal(service, &answer));
    }
    let mut held = service.memory_budget.reservation();
    held.reserve(answer.out.len())?;
    let body = Body::new(Outgoing::new(answer.clone(), held));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    if media.as_bytes().starts_with(HTML.as_bytes()) {
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(REPORT_CSP),
        );
    }
    headers.insert(header::CONTENT_TYPE, media);
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    headers.insert(EXIT, HeaderValue::from(u16::from(answer.code)));
    // What a clock has cut is not the answer to the question alone.
    if !answer.is_cut {
        headers.insert(header::ETAG, tag(key));
    }
    let kept = if is_kept { "hit" } else { "miss" };
    headers.insert(CACHE, HeaderValue::from_static(kept));
    for note in answer.notes.iter().take(NOTES.0) {
        let bytes = note.as_bytes();
        if let Ok(note) = HeaderValue::from_bytes(&bytes[..bytes.len().min(NOTES.1)]) {
            headers.append(NOTE, note);
        }
    }
    Ok(response)
}

/// A report runs nothing and fetches nothing.
const REPORT_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Returns the problem for an answer that is an error or a search that ran out of time.
fn refusal(service: &ServiceState, answer: &TaskAnswer) -> Problem {
    let unfit = StatusCode::UNPROCESSABLE_ENTITY;
    match answer.fault() {
        Some(fault) if answer.is_unread => Problem::of(StatusCode::BAD_REQUEST, fault),
        Some(fault) => fault.into(),
        None if answer.is_cut && service.is_stopping() => stopping(),
        None => {
            let code = if answer.is_cut { "time" } else { "plan" };
            Problem::new(unfit, code, "", answer.notes.join("; "))
        }
    }
}

/// Checks the word in the path of a verb that has one.
fn is_known(verb: RouteVerb, word: &str) -> Result<(), Problem> {
    let kinds = |kinds: &[ProblemKind]| kinds.iter().map(|kind| kind.name()).collect();
    let (path, what, names): (&str, &str, Vec<&str>) = match verb {
        RouteVerb::Solve => ("kind", "kind of problem", kinds(&SOLVED)),
        RouteVerb::Evaluate => ("kind", "kind of problem", kinds(&EVALUATED)),
        RouteVerb::Published => {
            let names = Question::ALL.map(Question::name);
            ("question", "question", names.to_vec())
        }
        _ => return Ok(()),
    };
    if names.contains(&word) {
        return Ok(());
    }
    let verb = verb.name();
    let detail = format!(
        "{word:?} is not a {what} for {verb}: the {path}s are {}",
        names.join(", ")
    );
    Err(Problem::new(StatusCode::NOT_FOUND, "unknown", path, detail).with(word))
}

/// A place among those who are answered or wait.
async fn admitted(service: &ServiceState) -> Result<OwnedSemaphorePermit, Problem> {
    if service.is_stopping() {
        return Err(stopping());
    }
    // Clients that ask again at once would have the machine do nothing but refuse them.
    let place = timeout(BUSY, service.places.clone().acquire_owned()).await;
    place.ok().and_then(Result::ok).ok_or_else(|| {
        let (threads, queue) = (service.limits.threads, service.limits.queue);
        let detail = format!(
            "{threads} searches run and {queue} requests wait, as many as this service takes"
        );
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", "", detail)
    })
}

/// The form of answer that a client takes first of those that the route gives.
fn form(route: &Route, headers: &HeaderMap) -> Result<&'static str, Problem> {
    let usual = route.response_types.first().copied().unwrap_or(JSON);
    let accept = headers.get_all(header::ACCEPT).iter();
    let accept: Vec<&str> = accept.filter_map(|one| one.to_str().ok()).collect();
    if accept.is_empty() {
        return Ok(usual);
    }
    let accept = accept.join(",");
    let mut wanted: Vec<(&str, f64)> = accept
        .split(',')
        .map(|one| {
            let mut parts = one.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
            (media, weight.unwrap_or(1.0))
        })
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let gives = |media: &str| {
        let whole = media.strip_suffix("/*");
        route
            .response_types
            .iter()
            .copied()
            .find(|given| match whole {
                Some("*") => true,
                Some(half) => given.split('/').next() == Some(half),
                None => given.eq_ignore_ascii_case(media),
            })
    };
    wanted
        .iter()
        .find_map(|(media, _)| gives(media))
        .ok_or_else(|| {
            let detail = format!(
                "Accept must have one of {}, it is {accept:?}",
                route.response_types.join(", ")
            );
            Problem::new(StatusCode::NOT_ACCEPTABLE, "type", "Accept", detail).with(accept)
        })
}

/// The media type of what the command line has written: JSON wherever it is, else what was asked for.
fn media_of(answer: &TaskAnswer, task: &SolveTask) -> HeaderValue {
    let asked = |name: &str| {
        let mut options = task.options.iter();
        let found = options.find(|(option, _)| option == name);
        found.map(|(_, value)| value.as_str())
    };
    let is_json = matches!(answer.out.first(), Some(b'{' | b'['));
    HeaderValue::from_static(match asked("format") {
        _ if is_json => JSON,
        _ if asked("explain").is_some() => PLAIN,
        Some("csv") => "text/csv; charset=utf-8",
        Some("md") => "text/markdown; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        _ => PLAIN,
    })
}

/// Text for people.
const PLAIN: &str = "text/plain; charset=utf-8";

fn tag(key: &AnswerKey) -> HeaderValue {
    let tag = format!("\"{}\"", &key.to_hex()[..32]);
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static(""))
}

/// Returns true if the client already has the answer, by its entity tag.
fn is_had(headers: &HeaderMap, key: &AnswerKey) -> bool {
    let tag = tag(key);
    let given = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut given = given
        .filter_map(|one| one.to_str().ok())
        .flat_map(|one| one.split(','));
    given.any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
}

/// An answer that is being sent, with its share of the memory budget.
struct Outgoing {
    answer: Arc<TaskAnswer>,
    at: usize,
    _reservation: Reservation,
}

/// Bytes that are handed on at once.
const CHUNK_BYTES: usize = 64 << 10;

impl Outgoing {
    fn new(answer: Arc<TaskAnswer>, held: Reservation) -> Self {
        Self {
            answer,
            at: 0,
            _reservation: held,
        }
    }
}

impl hyper::body::Body for Outgoing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let rest = &self.answer.out[self.at..];
        if rest.is_empty() {
            return Poll::Ready(None);
        }
        let piece = Bytes::copy_from_slice(&rest[..rest.len().min(CHUNK_BYTES)]);
        self.at += piece.len();
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.at == self.answer.out.len()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact((self.answer.out.len() - self.at) as u64)
    }
}

/// Progress of a search, as an event.
#[derive(Serialize)]
struct Progress {
    best: Option<f64>,
    bound: Option<f64>,
    gap: Option<f64>,
    share: Option<f64>,
}

impl From<Course> for Progress {
    fn from(course: Course) -> Self {
        let Course {
            best,
            bound,
            done,
            of,
        } = course;
        let gap = best.zip(bound).map(|(best, bound)| (best - bound) / best);
        let share = of.filter(|of| *of > 0).map(|of| done as f64 / of as f64);
        Self {
            best,
            bound,
            gap: gap.filter(|gap| gap.is_finite()),
            share: share.map(|share| share.min(1.0)),
        }
    }
}

/// An event: its name and its lines.
fn event(name: &str, data: &[u8]) -> Vec<u8> {
    let mut text = format!("event: {name}\n").into_bytes();
    let data = data.strip_suffix(b"\n").unwrap_or(data);
    for line in data.split(|byte| *byte == b'\n') {
        text.extend_from_slice(b"data: ");
        text.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        text.push(b'\n');
    }
    text.push(b'\n');
    text
}

/// A search that ends when no one listens any more.
struct Followed(JoinHandle<()>);

impl Drop for Followed {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Sends the progress of a search, then its answer.
fn events(
    service: Arc<ServiceState>,
    task: SolveTask,
    key: AnswerKey,
    kept: (OwnedSemaphorePermit, Reservation),
) -> Response {
    let (events, progress) = mpsc::channel::<Vec<u8>>(4);
    let search = tokio::spawn(async move {
        let on_progress = |course: Course| {
            let data = serde_json::to_vec(&Progress::from(course)).unwrap_or_default();
            // A slow client misses some.
            let _ = events.try_send(event("progress", &data));
        };
        let found = find(&service, &task, &key, on_progress).await;
        let last = match &found {
            Ok((answer, _)) if answer.fault.is_none() && !answer.out.is_empty() => {
                event("answer", &answer.out)
            }
            Ok((answer, _)) => problem_event(&refusal(&service, answer)),
            Err(problem) => problem_event(problem),
        };
        let _ = events.send(last).await;
        drop(kept);
    });
    let stream = unfold(
        (progress, Followed(search)),
        |(mut progress, search)| async move {
            let piece = match timeout(ALIVE, progress.recv()).await {
                Ok(Some(piece)) => piece,
                Ok(None) => return None,
                Err(_) => b": alive\n\n".to_vec(),
            };
            Some((Ok::<_, Infallible>(piece), (progress, search)))
        },
    );
    let headers = [
        (header::CONTENT_TYPE, EVENTS),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(stream)).into_response()
}

fn problem_event(problem: &Problem) -> Vec<u8> {
    event("problem", &serde_json::to_vec(problem).unwrap_or_default())
}
