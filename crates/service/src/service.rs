//! State that all requests share.

use crate::body::MemoryBudget;
use crate::cache::Cache;
use crate::child::AnswerFn;
use crate::limits::{BODIES, ServiceLimits};
use crate::metrics::ServiceMetrics;
use crate::openapi::FlagSpec;
use crate::pool::ProcessPool;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// Configuration of the service.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The path below which a proxy shows the service; empty, or as in `/tools/edgewise`.
    pub prefix: String,
    /// The numbers that bound it.
    pub limits: ServiceLimits,
    /// Token that clients have to send; `None` if they need none.
    pub token: Option<String>,
    /// Origins whose pages may ask.
    pub origins: Vec<String>,
    /// The program that searches, a path and its arguments.
    pub program: Vec<OsString>,
    /// Answers computed in this process, for work of a moment.
    pub answers: AnswerFn,
    /// The options of the command line, for the description.
    pub flags: Vec<FlagSpec>,
    /// The version of the program.
    pub version: &'static str,
    /// The program itself; its hash identifies the build.
    pub build: Vec<u8>,
}

/// State that all requests share.
pub(crate) struct ServiceState {
    pub(crate) limits: ServiceLimits,
    pub(crate) listen: SocketAddr,
    pub(crate) prefix: String,
    /// The hash of the token.
    pub(crate) token: Option<blake3::Hash>,
    pub(crate) origins: Vec<String>,
    pub(crate) answers: AnswerFn,
    pub(crate) flags: Vec<FlagSpec>,
    pub(crate) version: &'static str,
    pub(crate) build: String,
    pub(crate) pool: Arc<ProcessPool>,
    pub(crate) cache: Cache,
    pub(crate) metrics: Arc<ServiceMetrics>,
    pub(crate) memory_budget: MemoryBudget,
    pub(crate) places: Arc<Semaphore>,
    is_stopping: AtomicBool,
}

impl ServiceState {
    pub(crate) fn new(config: ServiceConfig) -> Arc<Self> {
        let limits = config.limits;
        let metrics = Arc::new(ServiceMetrics::new());
        Arc::new(Self {
            listen: config.listen,
            prefix: config.prefix,
            token: config.token.map(|token| blake3::hash(token.as_bytes())),
            origins: config.origins,
            answers: config.answers,
            flags: config.flags,
            version: config.version,
            build: blake3::hash(&config.build).to_hex()[..16].to_owned(),
            pool: ProcessPool::new(config.program, limits.clone(), metrics.clone()),
            cache: Cache::new(limits.cache.saturating_mul(1_000_000)),
            metrics,
            memory_budget: MemoryBudget::new(
                BODIES * (limits.body.max(crate::limits::ANSWER) as u64),
            ),
            places: Arc::new(Semaphore::new(limits.threads + limits.queue)),
            is_stopping: AtomicBool::new(false),
            limits,
        })
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Takes no more requests, and asks those under way for their best.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.pool.stop();
    }
}
