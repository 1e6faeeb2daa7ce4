//! Every number that bounds the service: what it is when nothing is said, and what it may be.

/// A number with its range, for the help and for the check of arguments.
#[derive(Debug, Clone, Copy)]
pub struct LimitRange {
    /// Default.
    pub usual: u64,
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

/// Searches at once, each in a process of its own; the number of processors when nothing is said.
pub const THREADS: LimitRange = range(2, 1, 1024);
/// Requests that wait while all processes are busy.
pub const QUEUE: LimitRange = range(64, 0, 100_000);
/// Seconds that a search may take.
pub const TIME: LimitRange = range(60, 1, 86_400);
/// Megabytes that a search may take.
pub const MEMORY: LimitRange = range(1_000, 64, 1_000_000);
/// Bytes of a request's body, or of a line of a stream.
pub const BODY: LimitRange = range(32_000_000, 1_000, 1_000_000_000);
/// Connections at once.
pub const CONNECTIONS: LimitRange = range(1_024, 1, 65_536);
/// Megabytes of answers that are kept for the next who asks the same.
pub const CACHE: LimitRange = range(64, 0, 100_000);

/// Bytes of an answer: larger ones are for the command line.
pub const ANSWER: usize = 64 << 20;
/// Bodies and answers that the process holds at once, in bodies of the largest size.
pub const BODIES: u64 = 4;
/// Seconds in which the head of a request has to arrive, and in which a connection may be idle.
pub const HEAD_SECONDS: u64 = 10;
/// Seconds without a byte of a body, or without the other side taking a byte of the answer.
pub const STALL_SECONDS: u64 = 30;
/// Bytes of a body that have to come in a second, from the moment on when [`STALL_SECONDS`] have passed; a stream may be slower.
pub const SLOWEST: usize = 1_000;
/// Seconds in which running searches give their best answer once the service stops.
pub const STOP_SECONDS: u64 = 4;

const fn range(usual: u64, least: u64, most: u64) -> LimitRange {
    LimitRange { usual, least, most }
}

/// Limits that the service was started with.
#[derive(Debug, Clone)]
pub struct ServiceLimits {
    /// Searches at once.
    pub threads: usize,
    /// Requests that wait.
    pub queue: usize,
    /// Seconds of a search.
    pub seconds: f64,
    /// Megabytes of a search.
    pub memory: u64,
    /// Bytes of a body.
    pub body: usize,
    /// Connections at once.
    pub connections: usize,
    /// Megabytes of kept answers.
    pub cache: usize,
}
