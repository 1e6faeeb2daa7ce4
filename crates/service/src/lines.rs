//! Streams of problems: an answer line for each problem line, in order, while they come. Only a few lines are held.

use crate::body::{Reservation, TimedBody, too_long};
use crate::problem::Problem;
use crate::routes::JSON_LINES;
use crate::service::ServiceState;
use crate::task::SolveTask;
use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{StreamExt, unfold};
use planner::problem_file::id_of;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Answers a stream of lines.
pub(crate) fn answer(
    service: Arc<ServiceState>,
    task: SolveTask,
    body: Body,
    place: OwnedSemaphorePermit,
) -> Response {
    let task = Arc::new(task);
    let threads = service.limits.threads;
    let lines = Lines {
        chunks: TimedBody::new(body),
        rest: Vec::new(),
        searched: 0,
        limit: service.limits.body,
        reservation: service.memory_budget.reservation(),
        service: service.clone(),
        is_over: false,
    };
    let lines = unfold(lines, |mut lines| async move {
        let line = lines.next().await?;
        Some((line, lines))
    });
    let answers = lines
        .map(move |line| of_line(service.clone(), task.clone(), line))
        .buffered(threads)
        .map(move |answer| {
            let _ = &place; // kept until the stream ends
            Ok::<_, Infallible>(answer)
        });
    let headers = [
        (header::CONTENT_TYPE, JSON_LINES),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(answers)).into_response()
}

/// A line with its reservation of the memory budget, or why there is none.
type Line = Result<(Vec<u8>, Reservation), Problem>;

async fn of_line(service: Arc<ServiceState>, task: Arc<SolveTask>, line: Line) -> Vec<u8> {
    let (input, _held) = match line {
        Ok(line) => line,
        Err(problem) => return problem.line(&Value::Null),
    };
    let task = SolveTask {
        input,
        ..SolveTask::clone(&task)
    };
    match service.pool.answer(&task, |_| ()).await {
        Ok(answer) => answer.out,
        Err(failure) => {
            let text = std::str::from_utf8(&task.input).unwrap_or_default();
            Problem::from(failure).line(&id_of(text))
        }
    }
}

/// The lines of a body.
struct Lines {
    chunks: TimedBody,
    rest: Vec<u8>,
    /// Bytes of the rest that hold no line end.
    searched: usize,
    limit: usize,
    /// Memory reserved for the longest incomplete line so far.
    reservation: Reservation,
    service: Arc<ServiceState>,
    is_over: bool,
}

impl Lines {
    /// The next line that holds something; a line that is too long is left out to its end.
    async fn next(&mut self) -> Option<Line> {
        let mut is_skipped = false;
        loop {
            let new = &self.rest[self.searched..];
            let end = new.iter().position(|byte| *byte == b'\n');
            if let Some(end) = end.map(|at| self.searched + at) {
                let after = self.rest.split_off(end + 1);
                let line = std::mem::replace(&mut self.rest, after);
                self.searched = 0;
                if is_skipped || line.len() > self.limit {
                    return Some(Err(too_long("a line", self.limit)));
                }
                if !line.trim_ascii().is_empty() {
                    return Some(self.paid(line));
                }
                continue;
            }
            self.searched = self.rest.len();
            if self.rest.len() > self.limit {
                is_skipped = true;
                self.rest.clear();
                self.searched = 0;
            }
            if self.is_over {
                let line = std::mem::take(&mut self.rest);
                self.searched = 0;
                return match line.trim_ascii().is_empty() {
                    _ if is_skipped => Some(Err(too_long("a line", self.limit))),
                    true => None,
                    false => Some(self.paid(line)),
                };
            }
            if let Err(problem) = self.read_on().await {
                self.is_over = true;
                self.rest.clear();
                self.searched = 0;
                return Some(Err(problem));
            }
        }
    }

    async fn read_on(&mut self) -> Result<(), Problem> {
        match self.chunks.next().await? {
            None => self.is_over = true,
            Some(piece) => {
                let more = (self.rest.len() + piece.len()).saturating_sub(self.rest.capacity());
                self.reservation.reserve(more)?;
                self.rest.extend_from_slice(&piece);
            }
        }
        Ok(())
    }

    fn paid(&self, line: Vec<u8>) -> Line {
        let mut held = self.service.memory_budget.reservation();
        held.reserve(line.len())?;
        Ok((line, held))
    }
}
