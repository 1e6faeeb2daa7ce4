//! Figures for Prometheus.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: &'static str,
    status: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfRoute {
    route: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    outcome: &'static str,
}

/// Upper ends of the classes of durations [s].
const CLASSES: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0];

/// The figures.
#[derive(Debug)]
pub(crate) struct ServiceMetrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Family<OfRoute, Histogram>,
    searches: Family<Ended, Counter>,
    hits: Counter,
    /// Requests that wait for a process.
    pub(crate) waiting: Gauge,
    /// Searches that run.
    pub(crate) running: Gauge,
    /// Connections that are open.
    pub(crate) connections: Gauge,
}

impl ServiceMetrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("edgewise");
        let requests: Family<Request, Counter> = Family::default();
        let seconds: Family<OfRoute, Histogram> =
            Family::new_with_constructor(|| Histogram::new(CLASSES));
        let searches: Family<Ended, Counter> = Family::default();
        let hits = Counter::default();
        let (waiting, running, connections) =
            (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("requests", "Answered requests", requests.clone());
        let help = "Time until the head of the answer";
        registry.register("request_seconds", help, seconds.clone());
        registry.register("searches", "Searches by how they ended", searches.clone());
        registry.register("cache_hits", "Answers that were kept", hits.clone());
        registry.register("queue", "Requests that wait", waiting.clone());
        registry.register("running", "Searches that run", running.clone());
        registry.register("connections", "Open connections", connections.clone());
        Self {
            registry,
            requests,
            seconds,
            searches,
            hits,
            waiting,
            running,
            connections,
        }
    }

    pub(crate) fn request(&self, route: &'static str, status: u16, took: Duration) {
        let status = u32::from(status);
        self.requests
            .get_or_create(&Request { route, status })
            .inc();
        let took = took.as_secs_f64();
        self.seconds.get_or_create(&OfRoute { route }).observe(took);
    }

    pub(crate) fn search(&self, outcome: &'static str) {
        self.searches.get_or_create(&Ended { outcome }).inc();
    }

    pub(crate) fn hit(&self) {
        self.hits.inc();
    }

    /// All of them as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // A string takes all there is.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Counts one up while it is alive.
pub(crate) struct Counted(Gauge);

impl Counted {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
