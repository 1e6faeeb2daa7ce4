//! Messages between the service and its solver processes: frames over pipes, each a length of four bytes and the content.

use crate::routes::RouteVerb;
use engine::problem::Invalid;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// A verb of the command line with all that it needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SolveTask {
    /// The verb.
    pub verb: RouteVerb,
    /// The kind of problem, the question, or the name of a preset.
    pub word: Option<String>,
    /// Options by their names without dashes.
    pub options: Vec<(String, String)>,
    /// True if the input is one line of a stream.
    pub is_line: bool,
    /// Standard input.
    #[serde(with = "serde_bytes")]
    pub input: Vec<u8>,
    /// The files that may be opened.
    pub files: Vec<TaskAttachment>,
    /// True if the client wants progress.
    pub wants_progress: bool,
}

/// A file that came with a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TaskAttachment {
    /// Use of the attachment: `file`, `onnx` or `model`.
    pub field: String,
    /// Its name.
    pub name: String,
    /// Content.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// Result of a verb.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TaskAnswer {
    /// The exit status.
    pub code: u8,
    /// Standard output.
    #[serde(with = "serde_bytes")]
    pub out: Vec<u8>,
    /// Standard error, a line each.
    pub notes: Vec<String>,
    /// The fault as JSON, if the input has one.
    pub fault: Option<String>,
    /// True if the options could not be parsed.
    pub is_unread: bool,
    /// True if a time limit ended a search, so that a repetition may give another answer.
    pub is_cut: bool,
}

impl TaskAnswer {
    /// The fault of the input.
    #[must_use]
    pub fn fault(&self) -> Option<Invalid> {
        serde_json::from_str(self.fault.as_deref()?).ok()
    }
}

/// How far a search is, in the unit of its objective.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The best value so far.
    pub best: Option<f64>,
    /// No value can be better.
    pub bound: Option<f64>,
    /// Steps done.
    pub done: u64,
    /// Of how many.
    pub of: Option<u64>,
}

/// A message to a solver process.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker<T> {
    /// Answer this [`SolveTask`], within so many seconds.
    Ask(T, f64),
    /// Answer with what there is by now.
    Stop,
}

/// A message from a solver process.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// How far it is.
    Course(Course),
    /// The answer.
    Done(TaskAnswer),
}

/// A message as a frame.
pub(crate) fn frame(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    bytes = postcard::to_extend(message, bytes).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len() - 4).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// The message of a frame without its length.
pub(crate) fn message<M: DeserializeOwned>(bytes: &[u8]) -> io::Result<M> {
    postcard::from_bytes(bytes).map_err(io::Error::other)
}

/// Reads a frame; `None` at the end.
pub(crate) fn read<M: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<M>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(fault) if fault.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    from.read_exact(&mut bytes)?;
    message(&bytes).map(Some)
}

/// Writes a frame.
pub(crate) fn write(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    to.write_all(&frame(message)?)?;
    to.flush()
}
