//! The wire format of a device-or-server scenario, version 1. Every field is written, in this order; unknown fields are
//! refused, missing ones too.

use crate::problem::{Code, Invalid};
use crate::scenario::Question;
use crate::scenario::fields::{self, NumberFields, numbers};
use crate::scenario::schema::{check_head, read};
use serde::{Deserialize, Serialize};

/// The version of the format that this program reads and writes.
pub const FORMAT: u32 = 1;
/// The most bins of a measured distribution: what a link carries of a log, however long it was.
pub const MOST_BINS: usize = 512;
/// The longest prompt [tokens].
pub const LONGEST_PROMPT: f64 = 4096.0;

/// Everything a person can set for the device-or-server question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Version of this format.
    pub format: u32,
    /// The question, always [`Question::Dispatch`].
    pub question: Question,
    /// Name of the scenario on the page.
    pub title: String,
    /// The server.
    pub server: Server,
    /// The devices; the first that is on is the one of the paper's policies.
    pub devices: Vec<Device>,
    /// Price of energy [USD per 10^6 GFLOP], λ.
    pub energy_usd: f64,
    /// Which side has the budget.
    pub scarce: Side,
    /// Share of all prompt tokens that the scarce side may process, b.
    pub budget: f64,
    /// Share of the budget's time that the paper's tail wait lets through, α.
    pub tail_share: f64,
    /// Goal of Edgewise's own policy.
    pub goal: Goal,
    /// How long prompts are.
    pub prompts: Prompts,
    /// How long answers are.
    pub replies: Replies,
    /// How fast the answer is read [token/s], r_c.
    pub reader_tok_s: f64,
    /// Moving an answer from one side to the other.
    pub handover: Handover,
    /// How stochastic routing is read.
    pub stochastic: Stochastic,
    /// Charge for a cancelled prefill on the device.
    pub charge: Charge,
    /// The requests of simulated runs.
    pub runs: Runs,
}

/// A server behind a network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Price of a prompt [USD per 10^6 tokens].
    pub input_usd: f64,
    /// Price of an answer [USD per 10^6 tokens].
    pub output_usd: f64,
    /// Decode rate [token/s].
    pub decode_tok_s: f64,
    /// When its first token comes.
    pub first_token: FirstToken,
}

/// The distribution of a server's time to first token [s].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FirstToken {
    /// Log-normal.
    LogNormal {
        /// Mean of its logarithm.
        log_mean: f64,
        /// Standard deviation of its logarithm.
        log_sd: f64,
    },
    /// Log-normal with bursts that are several times as slow.
    Bursty {
        /// Mean of the logarithm outside of bursts.
        log_mean: f64,
        /// Standard deviation of the logarithm outside of bursts.
        log_sd: f64,
        /// Share of requests that meet a burst.
        burst_share: f64,
        /// How many times as slow they are in the median.
        burst_times: f64,
        /// Standard deviation of the logarithm within bursts.
        burst_sd: f64,
    },
    /// Measured.
    Measured(Measured),
}

/// A log as a histogram.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Where it comes from.
    pub name: String,
    /// Values, ascending, each with how many samples stand for it.
    pub bins: Vec<(f64, f64)>,
    /// True if the bins are the samples themselves and not sums of neighbouring ones.
    pub exact: bool,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// True if it is switched off: it keeps its numbers and its place, and no plan may use it.
    pub off: bool,
    /// Prefill rate [token/s].
    pub prefill_tok_s: f64,
    /// Decode rate [token/s].
    pub decode_tok_s: f64,
    /// Time of a first token besides its prompt [s]: waking up, loading the model.
    pub start_s: f64,
    /// Work of a prompt token [GFLOP].
    pub prefill_gflop: f64,
    /// Work of a generated token [GFLOP].
    pub decode_gflop: f64,
    /// Share of all prompt tokens that this device may process where it is behind others; none is the shared budget,
    /// which is also that of the first device.
    pub own_budget: Option<f64>,
}

/// Which side has the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The dearer one, by Algorithm 1.
    Dearer,
    /// The device.
    Device,
    /// The server.
    Server,
}

/// Goal of Edgewise's own policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// The mean, with P99 no later than the paper's policy has it.
    MeanKeptTail,
    /// The mean, with P99 no later than this [s].
    MeanUnder(f64),
    /// The mean alone.
    Mean,
    /// P99 alone.
    Tail,
}

/// How long prompts are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Prompts {
    /// Log-normal, in whole tokens.
    LogNormal {
        /// Mean of its logarithm.
        log_mean: f64,
        /// Standard deviation of its logarithm.
        log_sd: f64,
        /// No shorter than this [tokens].
        least_tokens: f64,
        /// No longer than this [tokens].
        most_tokens: f64,
    },
    /// All alike [tokens].
    Alike(f64),
    /// Measured.
    Measured(Measured),
}

/// How long answers are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Replies {
    /// All alike [tokens].
    Alike(f64),
    /// Exponential, cut off.
    Exponential {
        /// Mean before the cut [tokens].
        mean_tokens: f64,
        /// The cut [tokens].
        reply_tokens: f64,
    },
}

/// How an answer moves from one side to the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// True if answers may move.
    pub on: bool,
    /// How long the server is taken to need for its first token.
    pub server_start: Estimate,
    /// Additional time of every migration [s].
    pub net_s: f64,
    /// True to refuse a target that generates more slowly than the answer is read.
    pub guard: bool,
}

/// An estimate of a random time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Estimate {
    /// Its mean.
    Mean,
    /// This quantile.
    Quantile(f64),
}

/// How stochastic routing is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stochastic {
    /// One side or the other.
    Exclusive,
    /// The plentiful side always, the scarce one besides.
    Additive,
}

/// Charge for a cancelled prefill on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// All of it.
    Full,
    /// As much as was done.
    ProRata,
}

/// The requests of simulated runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Runs {
    /// Requests of a run.
    pub requests: f64,
    /// Runs.
    pub seeds: f64,
    /// The first seed.
    pub first_seed: f64,
    /// When requests come.
    pub arrivals: Arrivals,
    /// True if a device that still generates an answer delays the next request.
    pub busy: bool,
    /// How much the server's time follows that of the request before, on a logarithmic scale.
    pub correlation: f64,
}

/// When requests come.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// At random, so far apart on average [s].
    Poisson(f64),
    /// Ten users, each in sessions.
    Sessions,
}

numbers!(Device: prefill_tok_s, decode_tok_s, start_s, prefill_gflop, decode_gflop, [own_budget]);
numbers!(Server: input_usd, output_usd, decode_tok_s);
numbers!(Handover: net_s);
numbers!(Runs: requests, seeds, first_seed, correlation);
numbers!(Scenario: energy_usd, budget, tail_share, reader_tok_s);

impl FirstToken {
    /// The numbers with their field names; none where it was measured.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::LogNormal { log_mean, log_sd } => {
                vec![("log_mean", log_mean), ("log_sd", log_sd)]
            }
            Self::Bursty {
                log_mean,
                log_sd,
                burst_share,
                burst_times,
                burst_sd,
            } => vec![
                ("log_mean", log_mean),
                ("log_sd", log_sd),
                ("burst_share", burst_share),
                ("burst_times", burst_times),
                ("burst_sd", burst_sd),
            ],
            Self::Measured(_) => Vec::new(),
        }
    }

    /// Where its numbers are in a file.
    const fn path(&self) -> &'static str {
        match self {
            Self::LogNormal { .. } => "server.first_token.log_normal",
            Self::Bursty { .. } => "server.first_token.bursty",
            Self::Measured(_) => "server.first_token.measured",
        }
    }
}

impl Measured {
    /// How many samples there were.
    #[must_use]
    pub fn samples(&self) -> f64 {
        self.bins.iter().map(|(_, count)| count).sum()
    }

    fn validate(&self, path: &str, field: &str, whole: bool) -> Result<(), Invalid> {
        fields::text(&format!("{path}.name"), &self.name, fields::LONGEST_NAME)?;
        let at = format!("{path}.bins");
        let count = self.bins.len();
        if count == 0 || count > MOST_BINS {
            let message = format!("{at} must be a list of 1 to {MOST_BINS} bins, it has {count}");
            return Err(Invalid::new(Code::Range, at, count, message));
        }
        for (n, (value, samples)) in self.bins.iter().enumerate() {
            let place = |part: usize| format!("{path}.bins[{n}][{part}]");
            let range = fields::of(field).filter(|range| !range.allows(*value));
            if let Some(range) = range {
                return Err(Invalid::range(place(0), *value, &range.range_text()));
            }
            if whole && libm::trunc(*value) != *value {
                return Err(Invalid::range(place(0), *value, "a whole number"));
            }
            if n > 0 && *value <= self.bins[n - 1].0 {
                return Err(Invalid::range(place(0), *value, "more than the bin before"));
            }
            if !(*samples > 0.0 && *samples <= 1e12) {
                let allowed = "a number above 0 and up to 1e12";
                return Err(Invalid::range(place(1), *samples, allowed));
            }
        }
        Ok(())
    }
}

/// The places of a scenario where an object stands, for [`read`].
pub(super) const OBJECTS: [&str; 12] = [
    "",
    "server",
    "server.first_token.log_normal",
    "server.first_token.bursty",
    "server.first_token.measured",
    "devices[]",
    "prompts.log_normal",
    "prompts.measured",
    "replies.exponential",
    "handover",
    "runs",
    "runs.arrivals",
];

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let scenario: Self = read(text, &OBJECTS, FORMAT)?;
        scenario.validate().map(|()| scenario)
    }

    /// The scenario as a file: every field, fixed order, numbers that read back to the same bits.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data with text keys always serialises")
    }

    /// The devices that a plan may use, each with its place in the list.
    pub fn switched_on(&self) -> impl Iterator<Item = (usize, &Device)> {
        self.devices.iter().enumerate().filter(|(_, d)| !d.off)
    }

    /// Returns true if there is no device that a plan could use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.switched_on().next().is_none()
    }

    /// Checks every field against the ranges of the page, and that there is a device.
    ///
    /// # Errors
    /// The first field out of range; no device, too many, or none that is on.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.validate_fields()?;
        if self.is_empty() {
            let count = self.devices.len();
            let message = match count {
                0 => "devices must be a list of at least one device, it is empty",
                _ => "devices must have at least one that is switched on, all are off",
            };
            return Err(Invalid::new(Code::Range, "devices", count, message));
        }
        Ok(())
    }

    /// Checks every field against the ranges of the page; there may be no device.
    ///
    /// # Errors
    /// The first field out of range.
    pub fn validate_fields(&self) -> Result<(), Invalid> {
        let head = (self.format, self.question, self.title.as_str());
        check_head(head, Question::Dispatch, &[FORMAT])?;
        fields::text("server.name", &self.server.name, fields::LONGEST_NAME)?;
        self.server.check_numbers("server")?;
        let path = self.server.first_token.path();
        for (key, value) in self.server.first_token.fields() {
            fields::check(path, key, value)?;
        }
        if let FirstToken::Measured(measured) = &self.server.first_token {
            measured.validate(path, "first_token_s", false)?;
        }
        let (count, most) = (self.devices.len(), fields::MOST_DEVICES);
        if count > most {
            let message = format!("devices must be a list of 1 to {most} devices, it has {count}");
            return Err(Invalid::new(Code::Range, "devices", count, message));
        }
        for (j, device) in self.devices.iter().enumerate() {
            let owner = format!("devices[{j}]");
            fields::text(&format!("{owner}.name"), &device.name, fields::LONGEST_NAME)?;
            device.check_numbers(&owner)?;
        }
        self.check_numbers("")?;
        if let Goal::MeanUnder(cap) = self.goal {
            fields::check("goal", "mean_under", cap)?;
        }
        self.validate_prompts()?;
        self.validate_replies()?;
        self.handover.check_numbers("handover")?;
        if let Estimate::Quantile(quantile) = self.handover.server_start {
            fields::check("handover.server_start", "quantile", quantile)?;
        }
        self.runs.check_numbers("runs")?;
        if let Arrivals::Poisson(gap) = self.runs.arrivals {
            fields::check("runs.arrivals", "poisson", gap)?;
        }
        Ok(())
    }

    fn validate_prompts(&self) -> Result<(), Invalid> {
        match &self.prompts {
            Prompts::LogNormal {
                log_mean,
                log_sd,
                least_tokens,
                most_tokens,
            } => {
                let path = "prompts.log_normal";
                fields::check(path, "log_mean", *log_mean)?;
                fields::check(path, "log_sd", *log_sd)?;
                fields::check(path, "least_tokens", *least_tokens)?;
                fields::check(path, "most_tokens", *most_tokens)?;
                if least_tokens > most_tokens {
                    let allowed = format!("no more than the {most_tokens} of most_tokens");
                    let at = "prompts.log_normal.least_tokens";
                    return Err(Invalid::range(at, *least_tokens, &allowed));
                }
                Ok(())
            }
            Prompts::Alike(tokens) => fields::check("prompts", "alike", *tokens),
            Prompts::Measured(measured) => {
                measured.validate("prompts.measured", "least_tokens", true)
            }
        }
    }

    fn validate_replies(&self) -> Result<(), Invalid> {
        match self.replies {
            Replies::Alike(tokens) => fields::check("replies", "alike", tokens),
            Replies::Exponential {
                mean_tokens,
                reply_tokens,
            } => {
                let path = "replies.exponential";
                fields::check(path, "mean_tokens", mean_tokens)?;
                fields::check(path, "reply_tokens", reply_tokens)
            }
        }
    }
}
