//! Bodies of requests: read as they arrive, up to a limit, within a memory budget that all requests share.

use crate::limits::{SLOWEST, STALL_SECONDS};
use crate::problem::Problem;
use crate::routes::{FILE, FORM_DATA, JSON, Route, RouteVerb};
use crate::task::{SolveTask, TaskAttachment};
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

/// Unit of the memory budget [B]; permits are counted in these.
const BLOCK_BYTES: usize = 4096;

/// The bytes that all bodies and answers may take together.
#[derive(Debug, Clone)]
pub(crate) struct MemoryBudget(Arc<Semaphore>);

/// Bytes reserved from the memory budget; released on drop.
#[derive(Debug)]
pub(crate) struct Reservation {
    budget: MemoryBudget,
    permit: Option<OwnedSemaphorePermit>,
    /// Bytes paid for and not used.
    change: usize,
}

impl MemoryBudget {
    pub(crate) fn new(bytes: u64) -> Self {
        let coins = usize::try_from(bytes / BLOCK_BYTES as u64).unwrap_or(usize::MAX);
        Self(Arc::new(Semaphore::new(coins.min(Semaphore::MAX_PERMITS))))
    }

    /// An empty hand.
    pub(crate) fn reservation(&self) -> Reservation {
        Reservation {
            budget: self.clone(),
            permit: None,
            change: 0,
        }
    }
}

impl Reservation {
    /// Takes so many bytes more.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), Problem> {
        if let Some(left) = self.change.checked_sub(bytes) {
            self.change = left;
            return Ok(());
        }
        let missing = bytes - self.change;
        let coins = missing.div_ceil(BLOCK_BYTES);
        let count = u32::try_from(coins).unwrap_or(u32::MAX);
        let more = self.budget.0.clone().try_acquire_many_owned(count);
        let more = more.map_err(|_| {
            let detail =
                "other requests take all the memory that this service has for bodies and answers";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", "", detail)
        })?;
        match &mut self.permit {
            Some(permit) => permit.merge(more),
            None => self.permit = Some(more),
        }
        self.change = coins * BLOCK_BYTES - missing;
        Ok(())
    }
}

/// The body is longer than it may be.
pub(crate) fn too_long(what: &str, limit: usize) -> Problem {
    let detail = format!("{what} must have at most {limit} bytes, the limit of this service");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", "", detail).with(limit)
}

/// The pieces of a body, which must not stall.
#[derive(Debug)]
pub(crate) struct TimedBody(Body);

impl TimedBody {
    pub(crate) fn new(body: Body) -> Self {
        Self(body)
    }

    /// The next piece; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        let stall = Duration::from_secs(STALL_SECONDS);
        loop {
            let frame = timeout(stall, self.0.frame()).await.map_err(|_| {
                let detail = format!("no byte of the body came for {STALL_SECONDS} s");
                Problem::new(StatusCode::REQUEST_TIMEOUT, "io", "", detail)
            })?;
            let Some(frame) = frame else {
                return Ok(None);
            };
            let frame = frame.map_err(|fault| broken(&fault.to_string()))?;
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
    }
}

fn broken(why: &str) -> Problem {
    let detail = format!("the body cannot be read: {why}");
    Problem::new(StatusCode::BAD_REQUEST, "io", "", detail)
}

/// The media type of a body, one of those that the route takes; JSON where none is said.
pub(crate) fn media(headers: &HeaderMap, takes: &[&'static str]) -> Result<&'static str, Problem> {
    let Some(given) = headers.get(header::CONTENT_TYPE) else {
        return Ok(JSON);
    };
    let given = given.to_str().unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    let found = takes.iter().find(|one| one.eq_ignore_ascii_case(essence));
    found.copied().ok_or_else(|| {
        let detail = format!(
            "Content-Type must be one of {}, it is {essence:?}",
            takes.join(", ")
        );
        let unknown = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Problem::new(unknown, "type", "Content-Type", detail).with(essence)
    })
}

/// A whole body, at most `limit` bytes, paid for out of `held`.
async fn read_body(body: Body, limit: usize, held: &mut Reservation) -> Result<Vec<u8>, Problem> {
    let mut pieces = TimedBody::new(body);
    let (mut bytes, begun) = (Vec::new(), Instant::now());
    loop {
        let seconds = STALL_SECONDS + (bytes.len() / SLOWEST) as u64;
        let piece = timeout_at(begun + Duration::from_secs(seconds), pieces.next()).await;
        let piece = piece.unwrap_or_else(|_| {
            let detail = format!("the body must come at {SLOWEST} bytes per second or faster");
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "io", "", detail))
        })?;
        let Some(piece) = piece else {
            return Ok(bytes);
        };
        if piece.len() > limit - bytes.len() {
            return Err(too_long("the body", limit));
        }
        held.reserve(piece.len())?;
        bytes.extend_from_slice(&piece);
    }
}

/// Puts the body of a request into its task.
pub(crate) async fn read(
    request: (&HeaderMap, Body),
    media: &'static str,
    task: &mut SolveTask,
    limit: usize,
    held: &mut Reservation,
) -> Result<(), Problem> {
    let (headers, body) = request;
    let length = headers.get(header::CONTENT_LENGTH);
    let length: Option<u64> = length.and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length| length > limit as u64) {
        return Err(too_long("the body", limit));
    }
    let bytes = read_body(body, limit, held).await?;
    let file = |name: &str, bytes| TaskAttachment {
        field: "file".to_owned(),
        name: name.to_owned(),
        bytes,
    };
    match (media, task.verb) {
        (FORM_DATA, _) => return read_form(headers, bytes, task).await,
        (FILE, RouteVerb::Model) => task.files.push(file("model.gguf", bytes)),
        (FILE, _) => task.files.push(file("graph.onnx", bytes)),
        (_, RouteVerb::Model) => task.files.push(file("config.json", bytes)),
        _ => task.input = bytes,
    }
    Ok(())
}

/// The parts of a form: `document` is the problem or the scenario, everything else is a file with a name.
async fn read_form(
    headers: &HeaderMap,
    bytes: Vec<u8>,
    task: &mut SolveTask,
) -> Result<(), Problem> {
    let fault =
        |path: &str, detail: String| Problem::new(StatusCode::BAD_REQUEST, "syntax", path, detail);
    let form = headers.get(header::CONTENT_TYPE);
    let form = form.and_then(|form| form.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(form)
        .map_err(|why| fault("Content-Type", format!("the form has no boundary: {why}")))?;
    let stream = futures_util::stream::once(async move { Ok::<_, Infallible>(Bytes::from(bytes)) });
    let mut form = multer::Multipart::new(stream, boundary);
    let cannot = |why: multer::Error| fault("", format!("the form cannot be read: {why}"));
    while let Some(field) = form.next_field().await.map_err(cannot)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.file_name().map(str::to_owned);
        let bytes = field.bytes().await.map_err(cannot)?.to_vec();
        let known = task.verb.form_fields();
        match (name.as_str(), file) {
            (other, _) if !known.contains(&other) => {
                let known = known.join(", ");
                let detail = format!("{other:?} is not a part here: the parts are {known}");
                let refused = StatusCode::BAD_REQUEST;
                return Err(Problem::new(refused, "unknown", other, detail));
            }
            ("document", _) => task.input = bytes,
            (_, Some(file)) if is_plain(&file) => task.files.push(TaskAttachment {
                field: name,
                name: file,
                bytes,
            }),
            (_, file) => {
                let detail = format!(
                    "{name} must have a file name of letters, digits, spaces and ._+()-, at most 200, not beginning with a dash"
                );
                return Err(fault(&name, detail).with(file));
            }
        }
    }
    let count = task.files.len();
    if task.input.is_empty() && count > 1 && task.verb != RouteVerb::Model {
        let detail = format!("a form without the part document must have one file, it has {count}");
        return Err(fault("document", detail));
    }
    if task.input.is_empty() && task.files.is_empty() {
        let detail = format!(
            "a form must have one of the parts {}",
            task.verb.form_fields().join(", ")
        );
        return Err(fault("", detail));
    }
    Ok(())
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || " ._+()-".contains(c);
    (1..=200).contains(&name.len()) && !name.starts_with('-') && name.chars().all(plain)
}

/// The options of a query: those that the route has, each a flag of the command line.
pub(crate) fn options(route: &Route, query: &str) -> Result<Vec<(String, String)>, Problem> {
    let given = form_urlencoded::parse(query.as_bytes()).into_owned();
    given
        .map(
            |(name, value)| match route.options.contains(&name.as_str()) {
                true => Ok((name, value)),
                false => {
                    let known = route.options.join(", ");
                    let detail = format!("{name:?} is not an option here: the options are {known}");
                    let path = name.clone();
                    let unknown = Problem::new(StatusCode::BAD_REQUEST, "unknown", &path, detail);
                    Err(unknown.with(Value::from(value)))
                }
            },
        )
        .collect()
}
