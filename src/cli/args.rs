//! Arguments of the command line. Doc comments are shown as help.

use super::names;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args as Group, Command, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use engine::model::precision::Precision;
use engine::network::Relay;
use engine::problem::HeuristicReading;
use engine::scenario::import::UserAnswers;
use engine::scenario::{Question, WeightSource};
use planner::cold_start_gains::{LEAST_PCT, MOST_PCT, USUAL_PCT, checked_share};
use planner::cold_start_spread::{DRAWS, LEAST_DRAWS, MOST_DRAWS};
use planner::head_placement::Variant;
use planner::operator_partition::FirstPopulation;
use planner::problem_file::ProblemKind;
use protocol::flags::Tool;
use service::limits::{BODY, CACHE, CONNECTIONS, LimitRange, MEMORY, QUEUE, THREADS, TIME};
use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::PathBuf;

/// How should a neural network be cut, placed, ordered and scheduled on the machines you have?
#[derive(Debug, Parser)]
#[command(name = "edgewise", version)]
pub struct Args {
    /// The verb.
    #[command(subcommand)]
    pub verb: CliVerb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum CliVerb {
    /// Find a plan for a problem file.
    Solve(Solve),
    /// Score the plan that a problem file gives; search nothing.
    Evaluate(Evaluate),
    /// Plan a model on machines of the catalogue: both by name, in one line.
    Plan(PlanArgs),
    /// List the machines of the catalogue, or those with these words.
    Machines(ListArgs),
    /// List the models of the catalogue, or those with these words.
    Models(ListArgs),
    /// Answer a scenario: a link from the page, a scenario file, or the name of a preset.
    Run(RunArgs),
    /// Compare two or three scenarios: the inputs that differ, and what that does to the answers.
    Compare(Compare),
    /// Say what would help most: each resource of each device improved, one device added, one removed, each solved again.
    Gains(Gains),
    /// Draw a scenario's numbers from their ranges: how far its answer varies, and which range matters most. Of a cold start also
    /// how often its plan stays the fastest, how far behind it is at worst, and how each number is measured.
    Spread(SpreadArgs),
    /// Print every figure that the paper of a question publishes beside ours: how far they agree, and why they differ.
    Published(Published),
    /// Show what a config.json or a GGUF file contains: dimensions, parameters, bytes, what was read and what was assumed.
    Model(ModelArgs),
    /// Read a table of machines as people have them (Markdown, CSV, spec sheets, what nvidia-smi prints, names alone), or what llama-bench
    /// prints, or iperf3 and fio as JSON. Shows what was read and what was not used.
    Fleet(FleetArgs),
    /// Print the link of a scenario: a scenario file, the name of a preset, a link, or - for standard input.
    Link(LinkArgs),
    /// List the built-in scenarios, or print one.
    Presets {
        /// Which one to print, as a scenario file.
        name: Option<String>,
        /// Form of the list.
        #[arg(long, value_enum, default_value_t = ModelFormat::Text)]
        format: ModelFormat,
    },
    /// Answer the other verbs over HTTP, and show the page.
    Serve(Serve),
    /// Search for a service in another process.
    #[command(hide = true)]
    ServeWorker(ServeWorker),
    /// Print the OpenAPI document of the service.
    Openapi,
    /// Print a script with which a shell completes verbs and options.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Arguments of `fleet`.
#[derive(Debug, Group)]
pub struct FleetArgs {
    /// The file, or - for standard input.
    pub file: PathBuf,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = ModelFormat::Text)]
    pub format: ModelFormat,
    /// Print a scenario with these machines in the place of its own, or with what was measured: a preset, a scenario file or a link.
    #[arg(long, value_name = "SCENARIO")]
    pub into: Option<String>,
    /// The machine of the scenario that was measured, where the tool does not name it.
    #[arg(long, value_name = "NAME", requires = "into")]
    pub machine: Option<String>,
}

/// Arguments of `link`.
#[derive(Debug, Group)]
pub struct LinkArgs {
    /// The scenario.
    pub source: String,
    /// Print the plain form: the scenario's JSON, percent-encoded, which can be read and written by hand.
    #[arg(long)]
    pub plain: bool,
    /// The address of a page, which is put before the link.
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
}

/// Where problems come from.
#[derive(Debug, Group)]
pub struct InputArgs {
    /// The kind of problem.
    #[arg(value_parser = kinds())]
    pub kind: ProblemKind,
    /// The problem file; default: standard input.
    pub file: Option<PathBuf>,
    /// Read one document per line, write one answer per line.
    #[arg(long)]
    pub jsonl: bool,
    /// How a transfer crosses the access point; default: slower-hop. Only for cold-start.
    #[arg(long, value_enum)]
    pub relay: Option<RelayName>,
    /// Allow tiers without blocks. Only for tiers-partition.
    #[arg(long)]
    pub allow_empty: bool,
    /// How an ONNX file is read.
    #[command(flatten)]
    pub onnx: OnnxArgs,
}

/// How an ONNX file is read.
#[derive(Debug, Group)]
pub struct OnnxArgs {
    /// The length of a symbolic dimension of an ONNX file; default: 1. May be repeated. Only for operator graphs.
    #[arg(long = "dim", value_name = "NAME=LENGTH", value_parser = dim)]
    pub dims: Vec<(String, u64)>,
    /// Count the classifier (Gemm) of an ONNX file even if it has convolutions. Only for operator graphs.
    #[arg(long)]
    pub classifier: bool,
}

/// Arguments of `solve`.
#[derive(Debug, Group)]
pub struct Solve {
    /// Where problems come from.
    #[command(flatten)]
    pub input: InputArgs,
    /// The method that makes the plan; default: exact, or best for operator-partition. Each kind has its own methods; a wrong name lists them.
    #[arg(long)]
    pub method: Option<String>,
    /// How the heuristic baseline is interpreted; default: rate. Only for cold-start.
    #[arg(long, value_parser = named(HeuristicReading::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub heuristic: Option<HeuristicReading>,
    /// How Algorithm 1 scores devices (published, with_migration, load_aware); default: with_migration. Only for
    /// head-placement.
    #[arg(long, value_parser = named(Variant::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub variant: Option<Variant>,
    /// Tolerance of the method hypsplit, in the unit of f/C; default: 0.001. Only for tiers-partition.
    #[arg(long, value_parser = eps, allow_negative_numbers = true)]
    pub eps: Option<f64>,
    /// Quantity to minimise. For tiers-partition: max (the largest load, the default) or sum. For operator-order: sum (of the
    /// memory held, the default), peak or table4 (the sum as the paper's table counts it).
    #[arg(long)]
    pub objective: Option<String>,
    /// Which weights of an ONNX file are in memory: per-operator (those of the operator that runs) or resident (all, from the
    /// first step to the last); default: per-operator. Only for operator-order, where a document has the field `weights`.
    #[arg(long, value_name = "RULE")]
    pub weights: Option<String>,
    /// How large the paper's genetic search is. Only for operator-partition.
    #[command(flatten)]
    pub genetic: GeneticArgs,
    /// Stop searching after this many seconds and answer with the best plan so far.
    #[arg(long, value_name = "S", value_parser = time_limit, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Simulate at most this many events, two per token and tier; default: 1000000000. Only for tiers-simulate.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_events: Option<u64>,
    /// Seed of the random stream. Only the random scheduler of tiers-simulate, random orders of operators and
    /// the searches of operator-partition draw from it.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Threads to use; the answer is the same with any number. All kinds except cold-start and operator-partition use one.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Stop searching when it holds about this many megabytes, and answer with the best plan so far; default: 480. With
    /// --method dp: the largest table allowed; default: 2000. Only for cold-start.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub memory_limit: Option<u64>,
}

/// How large the paper's genetic search is. The paper has one population of 250000, 50 generations and a patience of 10:
/// `--islands 1 --population 250000`.
#[derive(Debug, Group)]
pub struct GeneticArgs {
    /// Islands of --method ga, each with its own population; default: 4. The paper has 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub islands: Option<u32>,
    /// Plans on each island of --method ga; default: 500. The paper has 250000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub population: Option<u32>,
    /// Maximum number of generations of --method ga; default: 50, as in the paper.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub generations: Option<u32>,
    /// Generations of --method ga without improvement after which an island stops; default: 10, as in the paper.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub patience: Option<u32>,
    /// The first plans of --method ga (known, random); default: known, which is the proportional splits over every subset
    /// of the devices, filled up with random plans.
    #[arg(long, value_parser = named(FirstPopulation::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub first: Option<FirstPopulation>,
}

/// Arguments of `evaluate`.
#[derive(Debug, Group)]
pub struct Evaluate {
    /// Where problems come from.
    #[command(flatten)]
    pub input: InputArgs,
}

/// Arguments of `run`.
#[derive(Debug, Group)]
pub struct RunArgs {
    /// A link from the page, a scenario file, the name of a preset, an ONNX file, or - for standard input.
    #[arg(value_name = "LINK-or-SCENARIO.json", allow_hyphen_values = true)]
    pub source: String,
    /// Another question about the same machines, model and request: cold-start, head-placement, dispatch, tiers or operators;
    /// default: the one that the scenario opens on. What has to be assumed for it is said.
    #[arg(long, value_parser = named(Question::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub question: Option<Question>,
    /// Form of the answer.
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// How an ONNX file is read.
    #[command(flatten)]
    pub onnx: OnnxArgs,
    /// The ONNX file for a link that only names its graph.
    #[arg(long = "onnx", value_name = "FILE")]
    pub onnx_file: Option<PathBuf>,
    /// A model from a file.
    #[command(flatten)]
    pub import: ImportArgs,
    /// How devices get their weights.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// Rates that were measured.
    #[command(flatten)]
    pub measured: MeasuredArgs,
}

/// The form of an answer.
#[derive(Debug, Group)]
pub struct AnswerArgs {
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The name of a quantity: prints its formula, the formula with the numbers of this answer, and the sources of its inputs.
    #[arg(long, value_name = "NAME")]
    pub explain: Option<String>,
    /// The runtime whose flags to write: llama.cpp, vllm, sglang, prima.cpp, exo, parallax, pipeedge, accelerate or
    /// distributed-llama; default: all of them. Only with --format flags.
    #[arg(long, value_parser = named(Tool::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub tool: Option<Tool>,
}

/// Arguments of `plan`.
#[derive(Debug, Group)]
pub struct PlanArgs {
    /// A machine of the catalogue, by its name or words of it, and how many of them; may be repeated. `edgewise machines` lists them.
    #[arg(long = "machine", value_name = "NAME[*COUNT]", required = true)]
    pub machines: Vec<String>,
    /// A model of the catalogue (`edgewise models` lists them), a config.json, a GGUF file, or the folder of a model.
    #[arg(long, value_name = "NAME|FILE")]
    pub model: String,
    /// A value that the file of --model leaves open, by the name that `edgewise model FILE` shows; may be repeated.
    #[arg(long, value_name = "FIELD=VALUE", value_parser = field, allow_hyphen_values = true)]
    pub set: Vec<(String, f64)>,
    /// How weights are stored, such as q4_K_M; default: 16 bits, and of a file as the file says.
    #[arg(long, value_name = "FORMAT", value_parser = precision)]
    pub weights: Option<Precision>,
    /// How keys and values are stored, such as q8_0; default: 16 bits.
    #[arg(long, value_name = "FORMAT", value_parser = precision)]
    pub cache: Option<Precision>,
    /// Tokens for which there is room in the cache; default: 4096, or prompt and answer if they are more.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub context: Option<u32>,
    /// Tokens of the prompt.
    #[arg(long, value_name = "TOKENS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub prompt: u32,
    /// Tokens that are generated.
    #[arg(long, value_name = "TOKENS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub answer: u32,
    /// The link between machines: its name, such as "gigabit Ethernet" or "Wi-Fi 6", or MBIT or MBIT,MS; default: Ethernet, 1 Gbit/s.
    #[arg(long, value_name = "NAME|MBIT[,MS]", allow_negative_numbers = true)]
    pub link: Option<String>,
    /// The question: cold-start (the default), head-placement, dispatch or tiers.
    #[arg(long, value_parser = named(Question::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub question: Option<Question>,
    /// Print the scenario and answer nothing: a file for `run`, in which every number can be changed.
    #[arg(long)]
    pub scenario_only: bool,
    /// Form of the answer.
    #[command(flatten)]
    pub answered: AnswerArgs,
    /// How devices get their weights.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// Rates that were measured.
    #[command(flatten)]
    pub measured: MeasuredArgs,
}

/// Arguments of `machines` and `models`.
#[derive(Debug, Group)]
pub struct ListArgs {
    /// Words of the rows to list; default: all.
    pub words: Vec<String>,
    /// Form of the list.
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

/// Forms of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table.
    Text,
    /// One document, one object per row.
    Json,
    /// The rows as CSV.
    Csv,
}

/// Rates that were measured on the machines of a scenario.
#[derive(Debug, Group)]
pub struct MeasuredArgs {
    /// A rate of generation that was measured on a machine of the scenario, in the place of what its class reaches: of the scenario's
    /// model (NAME=TOK_S), of a model of the catalogue (NAME=TOK_S,MODEL,WEIGHTS, 128 tokens after an empty prompt), or a file that
    /// llama-bench wrote with -o json (NAME=FILE). May be repeated.
    #[arg(long, value_name = "NAME=TOK_S", value_parser = measured)]
    pub measured: Vec<(String, String)>,
}

/// Arguments of `compare`.
#[derive(Debug, Group)]
pub struct Compare {
    /// Two or three scenarios, A first: links from the page or scenario files; or one link that compares some.
    #[arg(value_name = "LINK-or-SCENARIO.json", required = true, num_args = 1..=3)]
    pub sources: Vec<String>,
    /// The question that is asked about all of them; default: that of the first.
    #[arg(long, value_parser = named(Question::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub question: Option<Question>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub format: CompareFormat,
}

/// Forms of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// Inputs and quantities that differ, in the width of the terminal.
    Text,
    /// Text as Markdown.
    Md,
    /// One HTML file with charts on common axes.
    Html,
    /// One JSON document.
    Json,
    /// The quantities, one row each.
    Csv,
}

/// Arguments of `gains`.
#[derive(Debug, Group)]
pub struct Gains {
    /// A link from the page, a scenario file, or - for standard input.
    #[arg(value_name = "LINK-or-SCENARIO.json", allow_hyphen_values = true)]
    pub source: String,
    /// By how many percent a resource is improved; a distance is divided by the same factor.
    #[arg(long, value_name = "PCT", default_value_t = USUAL_PCT, value_parser = share, allow_negative_numbers = true)]
    pub by: f64,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = GainsFormat::Text)]
    pub format: GainsFormat,
    /// A model from a file.
    #[command(flatten)]
    pub import: ImportArgs,
    /// How devices get their weights.
    #[command(flatten)]
    pub loading: LoadingArgs,
    /// Rates that were measured.
    #[command(flatten)]
    pub measured: MeasuredArgs,
}

/// Forms of what would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GainsFormat {
    /// Text: the changes that help, and those that do not.
    Text,
    /// One document, one row per change.
    Json,
    /// The rows as CSV.
    Csv,
}

/// Arguments of `spread`.
#[derive(Debug, Group)]
pub struct SpreadArgs {
    /// A link from the page, a scenario file with ranges, or - for standard input.
    #[arg(value_name = "LINK-or-SCENARIO.json", allow_hyphen_values = true)]
    pub source: String,
    /// Number of draws to solve, 50 to 2000.
    #[arg(long, value_name = "N", default_value_t = DRAWS,
          value_parser = clap::value_parser!(u32).range(i64::from(LEAST_DRAWS)..=i64::from(MOST_DRAWS)))]
    pub draws: u32,
    /// Seed of the draws.
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = SpreadFormat::Text)]
    pub format: SpreadFormat,
    /// Rates that were measured.
    #[command(flatten)]
    pub measured: MeasuredArgs,
}

/// Forms of what draws come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SpreadFormat {
    /// Sentences, tables and commands.
    Text,
    /// One document that includes the scenario.
    Json,
    /// The numbers with a range, one row each.
    Csv,
}

/// Arguments of `published`.
#[derive(Debug, Group)]
pub struct Published {
    /// The question whose paper it is.
    #[arg(value_parser = questions())]
    pub question: Question,
    /// A scenario whose figures are beside the paper's: a link from the page, a scenario file, or - for standard input; default:
    /// none. Only for cold-start: the figures of the other papers are the same for all scenarios.
    #[arg(value_name = "LINK-or-SCENARIO.json", allow_hyphen_values = true)]
    pub source: Option<String>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = PublishedFormat::Text)]
    pub format: PublishedFormat,
}

/// Forms of published figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PublishedFormat {
    /// All tables, with what is said beside them.
    Text,
    /// Text as Markdown.
    Md,
    /// One HTML file, with a citation of the paper.
    Html,
    /// One JSON document, with numbers in full.
    Json,
    /// The claims, one row each.
    Csv,
}

/// A model of one's own in a scenario.
#[derive(Debug, Group)]
pub struct ImportArgs {
    /// A config.json, a GGUF file or the folder of a model, which replaces the scenario's. Only for cold start, tiers and head
    /// placement.
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// A value that the file of --model leaves open, by the name that `edgewise model FILE` shows; may be repeated.
    #[arg(long, value_name = "FIELD=VALUE", value_parser = field, allow_hyphen_values = true)]
    pub set: Vec<(String, f64)>,
}

/// How devices get their weights, in place of what the scenario says. Only for cold start.
#[derive(Debug, Group)]
pub struct LoadingArgs {
    /// Where weights come from: disk (each device's own), host (over the network), host-cache (own copies of what a host sent before;
    /// it still reads and hashes all) or memory.
    #[arg(long, value_name = "SOURCE", value_parser = named(WeightSource::ALL.map(|one| (one.name(), one))), hide_possible_values = true)]
    pub weights_from: Option<WeightSource>,
    /// The device that has the file; default: a machine that holds no layers. Only with --weights-from host or host-cache.
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// How much of the file the system still has in memory [%].
    #[arg(long, value_name = "PCT", allow_negative_numbers = true)]
    pub file_cache: Option<f64>,
    /// Map files into memory: each layer is read when it is computed first. Only from disk.
    #[arg(long)]
    pub mmap: bool,
    /// Let a device have more weights than memory: what has no room is read from its disk in every pass.
    #[arg(long)]
    pub stream: bool,
}

/// Arguments of `model`.
#[derive(Debug, Group)]
pub struct ModelArgs {
    /// A config.json, alone or with its index or safetensors files; a GGUF file or all parts of a split one; or the folder of a
    /// model.
    #[arg(required = true, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// A value that the file leaves open, or one that overrides it; may be repeated.
    #[arg(long, value_name = "FIELD=VALUE", value_parser = field, allow_hyphen_values = true)]
    pub set: Vec<(String, f64)>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = ModelFormat::Text)]
    pub format: ModelFormat,
}

impl ModelArgs {
    /// The answers by field.
    pub fn answers(&self) -> UserAnswers {
        self.set.iter().cloned().collect()
    }
}

/// Arguments of `serve`.
#[derive(Debug, Group)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one. Anywhere but on this machine's own addresses (127.0.0.1, ::1) a token or --open is
    /// needed.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The path below which a proxy shows the service, as in /tools/edgewise. The proxy may take it off its requests or leave it.
    #[arg(long, value_name = "PATH", value_parser = prefix)]
    pub prefix: Option<String>,
    /// Searches at once, each in a process of its own: 1 to 1024; the number of processors when left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(within(THREADS)))]
    pub threads: Option<u32>,
    /// Requests that wait while all processes are busy: 0 to 100000. Others are refused (429).
    #[arg(long, value_name = "N", default_value_t = QUEUE.usual, value_parser = clap::value_parser!(u64).range(QUEUE.least..=QUEUE.most))]
    pub queue: u64,
    /// Seconds that a search may take: 0.1 to 86400. It then answers with the best plan so far.
    #[arg(long, value_name = "S", default_value_t = TIME.usual as f64, value_parser = serve_seconds)]
    pub time_limit: f64,
    /// Megabytes that a search may take: 64 to 1000000. It is ended beyond that.
    #[arg(long, value_name = "MB", default_value_t = MEMORY.usual, value_parser = clap::value_parser!(u64).range(MEMORY.least..=MEMORY.most))]
    pub memory_limit: u64,
    /// Bytes of a request's body, or of a line of a stream: 1000 to 1000000000. Longer ones are refused (413).
    #[arg(long, value_name = "B", default_value_t = BODY.usual, value_parser = clap::value_parser!(u64).range(BODY.least..=BODY.most))]
    pub body_limit: u64,
    /// Connections at once: 1 to 65536. Others are refused (503).
    #[arg(long, value_name = "N", default_value_t = CONNECTIONS.usual, value_parser = clap::value_parser!(u64).range(CONNECTIONS.least..=CONNECTIONS.most))]
    pub connections: u64,
    /// Megabytes of answers that are kept for the next who asks the same: 0 to 100000.
    #[arg(long, value_name = "MB", default_value_t = CACHE.usual, value_parser = clap::value_parser!(u64).range(CACHE.least..=CACHE.most))]
    pub cache: u64,
    /// A file with the token, 16 characters or more, that every request under /api/ must bear (Authorization: Bearer).
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// An origin whose pages may ask, for example https://example.org; may be repeated.
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<String>,
    /// Answer other machines without a token.
    #[arg(long)]
    pub open: bool,
}

/// Arguments of `serve-worker`.
#[derive(Debug, Group)]
pub struct ServeWorker {
    /// Megabytes that a search may take.
    #[arg(long, value_name = "MB")]
    pub memory_limit: u64,
}

/// Forms of what is said of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelFormat {
    /// Plain text.
    Text,
    /// One document.
    Json,
}

/// Forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Sentences, figures and tables, in the width of the terminal.
    Text,
    /// Text as Markdown, with formulas, inputs and their sources.
    Md,
    /// One HTML file with charts, which opens anywhere without a network.
    Html,
    /// The answer object of `solve`, including the scenario.
    Json,
    /// The content of the text as one JSON document: sections, quantities with their formulas, tables, inputs with their sources.
    Story,
    /// The timeline, one row per stage.
    Csv,
    /// The timeline for chrome://tracing and Perfetto.
    Trace,
    /// The layer map as flags of runtimes, for cold starts and tiers; --tool chooses one.
    Flags,
}

/// How a transfer crosses the access point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RelayName {
    /// The slower half decides, as in the paper.
    SlowerHop,
    /// The two halves add up.
    StoreAndForward,
}

impl From<RelayName> for Relay {
    fn from(name: RelayName) -> Self {
        match name {
            RelayName::SlowerHop => Self::SlowerHop,
            RelayName::StoreAndForward => Self::StoreAndForward,
        }
    }
}

/// The kinds by name, each with what it is.
fn kinds() -> impl TypedValueParser<Value = ProblemKind> {
    let named = ProblemKind::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.about()));
    PossibleValuesParser::new(named)
        .try_map(|name| ProblemKind::find(&name).ok_or("is no kind of problem"))
}

/// The questions by name.
fn questions() -> impl TypedValueParser<Value = Question> {
    let named = Question::ALL.map(|question| PossibleValue::new(question.name()));
    PossibleValuesParser::new(named).try_map(|name| Question::find(&name).ok_or("is no question"))
}

fn within(range: LimitRange) -> std::ops::RangeInclusive<i64> {
    range.least as i64..=range.most as i64
}

fn serve_seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|s| (0.1..=TIME.most as f64).contains(s));
    seconds.ok_or_else(|| format!("must be a number of seconds from 0.1 to {}", TIME.most))
}

fn prefix(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    let is_step = |step: &str| {
        !step.is_empty() && step.chars().all(plain) && !step.trim_matches('.').is_empty()
    };
    let rest = text.strip_prefix('/');
    match rest.is_some_and(|rest| rest.split('/').all(is_step)) {
        true => Ok(text.to_owned()),
        false => Err("must be a path without a slash at its end, as in /tools/edgewise".to_owned()),
    }
}

fn origin(text: &str) -> Result<String, String> {
    let (scheme, host) = text.split_once("://").unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    let is_origin =
        matches!(scheme, "http" | "https") && !host.is_empty() && host.chars().all(plain);
    match is_origin {
        true => Ok(text.to_owned()),
        false => Err("must be a scheme and a host, as in https://example.org".to_owned()),
    }
}

/// Takes names, each of which stands for something, and lists them for the description of the service.
#[derive(Debug, Clone)]
struct Named<T>(Vec<(&'static str, T)>);

fn named<T, const N: usize>(all: [(&'static str, T); N]) -> Named<T> {
    Named(all.into())
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let all = self.0.clone();
        let find = move |given: &str| {
            let found = all.iter().find(|(name, _)| *name == given);
            found.map(|(_, one)| *one).ok_or_else(|| {
                let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
                format!("must be one of {}", names.join(", "))
            })
        };
        find.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            self.0.iter().map(|(name, _)| PossibleValue::new(name)),
        ))
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.and_then(|share| checked_share(share).ok());
    share.ok_or_else(|| format!("must be a number from {LEAST_PCT} to {MOST_PCT} %"))
}

fn time_limit(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|s| s.is_finite() && *s >= 0.0)
        .ok_or_else(|| "must be a number of seconds, 0 or above".to_owned())
}

fn dim(text: &str) -> Result<(String, u64), String> {
    let (name, length) = text.rsplit_once('=').unwrap_or_default();
    let length = length.parse().ok().filter(|length| *length > 0);
    let given = length.filter(|_| !name.is_empty());
    given
        .map(|length| (name.to_owned(), length))
        .ok_or_else(|| "must have the form NAME=LENGTH with a whole number, 1 or above".to_owned())
}

fn field(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or_default();
    let value: Option<f64> = value.parse().ok();
    let given = value.filter(|value| value.is_finite() && !name.is_empty());
    given
        .map(|value| (name.to_owned(), value))
        .ok_or_else(|| "must have the form FIELD=VALUE with a number".to_owned())
}

fn precision(text: &str) -> Result<Precision, String> {
    names::precision(text).ok_or_else(|| format!("must be one of {}", names::precisions()))
}

fn measured(text: &str) -> Result<(String, String), String> {
    let (name, what) = text.split_once('=').unwrap_or_default();
    match name.trim().is_empty() || what.trim().is_empty() {
        true => {
            Err("must have the form NAME=TOK_S, NAME=TOK_S,MODEL,WEIGHTS or NAME=FILE".to_owned())
        }
        false => Ok((name.trim().to_owned(), what.trim().to_owned())),
    }
}

fn eps(text: &str) -> Result<f64, String> {
    let eps: Option<f64> = text.parse().ok();
    eps.filter(|eps| eps.is_finite() && *eps >= 0.0)
        .ok_or_else(|| "must be a number, 0 or above".to_owned())
}
