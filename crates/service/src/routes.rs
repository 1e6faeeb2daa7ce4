//! The routes of the service as data, from which the router and the API description are made.

use planner::problem_file::ProblemKind;

/// The work that a request leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteWork {
    /// A verb of the command line, answered in a process of its own.
    Search(RouteVerb),
    /// A verb that takes a moment, answered at once.
    Look(RouteVerb),
    /// A request about the service itself.
    Own(ServiceInfo),
}

/// A verb of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum RouteVerb {
    /// `solve KIND`.
    Solve,
    /// `evaluate KIND`.
    Evaluate,
    /// `run -`.
    Run,
    /// `gains -`.
    Gains,
    /// `spread -`.
    Spread,
    /// `published QUESTION`.
    Published,
    /// `model FILE`.
    Model,
    /// `presets`, and `presets NAME`.
    Presets,
}

impl RouteVerb {
    /// The parts that a form for it may have.
    #[must_use]
    pub const fn form_fields(self) -> &'static [&'static str] {
        match self {
            Self::Run => &["document", "file", "onnx", "model"],
            Self::Gains => &["document", "file", "model"],
            Self::Model => &["file"],
            _ => &["document", "file"],
        }
    }

    /// The verb as it is on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Evaluate => "evaluate",
            Self::Run => "run",
            Self::Gains => "gains",
            Self::Spread => "spread",
            Self::Published => "published",
            Self::Model => "model",
            Self::Presets => "presets",
        }
    }
}

/// A request about the service itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceInfo {
    /// The version and the build.
    Version,
    /// Liveness: the process runs.
    Health,
    /// Readiness: the service accepts requests.
    Ready,
    /// Figures for Prometheus.
    Metrics,
}

/// One route.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path, with `{kind}`, `{question}` or `{name}` where something varies.
    pub path: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The work.
    pub work: RouteWork,
    /// The media types that a body may have; none where there is no body.
    pub request_types: &'static [&'static str],
    /// The media types that an answer may have; problems are `application/problem+json` everywhere.
    pub response_types: &'static [&'static str],
    /// The options that may be in the query: flags of the verb without their dashes, as in `?method=dp`.
    pub options: &'static [&'static str],
}

impl Route {
    /// Returns true if a request may come without a body.
    #[must_use]
    pub const fn goes_without_body(&self) -> bool {
        matches!(self.work, RouteWork::Search(RouteVerb::Published))
    }
}

/// One JSON document.
pub const JSON: &str = "application/json";
/// One JSON document a line.
pub const JSON_LINES: &str = "application/x-ndjson";
/// Progress, then the answer.
pub const EVENTS: &str = "text/event-stream";
/// Plain text.
pub const TEXT: &str = "text/plain";
/// A page that needs nothing else.
pub const HTML: &str = "text/html";
/// Text with marks.
pub const MARKDOWN: &str = "text/markdown";
/// A table.
pub const CSV: &str = "text/csv";
/// Figures.
pub const OPEN_METRICS: &str = "application/openmetrics-text";
/// A file: an ONNX graph or the head of a GGUF file.
pub const FILE: &str = "application/octet-stream";
/// A document with the file that it names.
pub const FORM_DATA: &str = "multipart/form-data";
/// A fault (RFC 9457).
pub const PROBLEM: &str = "application/problem+json";

/// The kinds that `{kind}` stands for in a path of `solve`.
pub const SOLVED: [ProblemKind; 11] = ProblemKind::ALL;
/// The kinds that `{kind}` stands for in a path of `evaluate`.
pub const EVALUATED: [ProblemKind; 5] = [
    ProblemKind::ColdStart,
    ProblemKind::HeadPlacement,
    ProblemKind::TiersPartition,
    ProblemKind::OperatorOrder,
    ProblemKind::OperatorPartition,
];

/// All routes under `/`, but for the page and the description.
pub const ROUTES: &[Route] = &[
    Route {
        method: "POST",
        path: "/api/v1/solve/{kind}",
        summary: "Find a plan for a problem file.",
        work: RouteWork::Search(RouteVerb::Solve),
        request_types: &[JSON, JSON_LINES, FILE, FORM_DATA],
        response_types: &[JSON, JSON_LINES, EVENTS],
        options: &[
            "method",
            "heuristic",
            "relay",
            "variant",
            "eps",
            "objective",
            "allow-empty",
            "islands",
            "population",
            "generations",
            "patience",
            "first",
            "weights",
            "max-events",
            "dim",
            "classifier",
            "seed",
            "time-limit",
            "memory-limit",
        ],
    },
    Route {
        method: "POST",
        path: "/api/v1/evaluate/{kind}",
        summary: "Score the plan that a problem file gives; search nothing.",
        work: RouteWork::Search(RouteVerb::Evaluate),
        request_types: &[JSON, JSON_LINES, FORM_DATA],
        response_types: &[JSON, JSON_LINES, EVENTS],
        options: &["relay", "allow-empty", "dim", "classifier"],
    },
    Route {
        method: "POST",
        path: "/api/v1/run",
        summary: "Answer a scenario: a scenario file or a link from the page.",
        work: RouteWork::Search(RouteVerb::Run),
        request_types: &[JSON, TEXT, FILE, FORM_DATA],
        response_types: &[JSON, TEXT, MARKDOWN, HTML, CSV, EVENTS],
        options: &[
            "question",
            "format",
            "explain",
            "tool",
            "dim",
            "classifier",
            "set",
        ],
    },
    Route {
        method: "POST",
        path: "/api/v1/gains",
        summary: "Say what would help most.",
        work: RouteWork::Search(RouteVerb::Gains),
        request_types: &[JSON, TEXT, FORM_DATA],
        response_types: &[JSON, TEXT, CSV, EVENTS],
        options: &["format", "by", "set"],
    },
    Route {
        method: "POST",
        path: "/api/v1/spread",
        summary: "Draw a scenario's numbers from their ranges.",
        work: RouteWork::Search(RouteVerb::Spread),
        request_types: &[JSON, TEXT],
        response_types: &[JSON, TEXT, CSV, EVENTS],
        options: &["format", "draws", "seed"],
    },
    Route {
        method: "POST",
        path: "/api/v1/published/{question}",
        summary: "Every figure that the paper of a question publishes, beside ours.",
        work: RouteWork::Search(RouteVerb::Published),
        request_types: &[JSON, TEXT],
        response_types: &[JSON, TEXT, MARKDOWN, HTML, CSV, EVENTS],
        options: &["format"],
    },
    Route {
        method: "POST",
        path: "/api/v1/model",
        summary: "Say what a config.json or the head of a GGUF file contains.",
        work: RouteWork::Search(RouteVerb::Model),
        request_types: &[JSON, FILE, FORM_DATA],
        response_types: &[JSON, TEXT],
        options: &["format", "set"],
    },
    Route {
        method: "GET",
        path: "/api/v1/presets",
        summary: "List the built-in scenarios.",
        work: RouteWork::Look(RouteVerb::Presets),
        request_types: &[],
        response_types: &[JSON],
        options: &[],
    },
    Route {
        method: "GET",
        path: "/api/v1/presets/{name}",
        summary: "One built-in scenario, as a scenario file.",
        work: RouteWork::Look(RouteVerb::Presets),
        request_types: &[],
        response_types: &[JSON],
        options: &[],
    },
    Route {
        method: "GET",
        path: "/api/v1/version",
        summary: "The version, and the hash of the program.",
        work: RouteWork::Own(ServiceInfo::Version),
        request_types: &[],
        response_types: &[JSON],
        options: &[],
    },
    Route {
        method: "GET",
        path: "/healthz",
        summary: "Whether the process is alive.",
        work: RouteWork::Own(ServiceInfo::Health),
        request_types: &[],
        response_types: &[TEXT],
        options: &[],
    },
    Route {
        method: "GET",
        path: "/readyz",
        summary: "Whether the service takes requests; 503 while it stops.",
        work: RouteWork::Own(ServiceInfo::Ready),
        request_types: &[],
        response_types: &[TEXT],
        options: &[],
    },
    Route {
        method: "GET",
        path: "/metrics",
        summary: "Figures for Prometheus.",
        work: RouteWork::Own(ServiceInfo::Metrics),
        request_types: &[],
        response_types: &[OPEN_METRICS],
        options: &[],
    },
];
