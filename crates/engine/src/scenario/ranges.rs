//! What the page accepts in each field. Problem files take whatever the method can take; a page is kinder
//! when it catches a slip of the finger. The same table serves forms, links and scenario files.

use crate::problem::{Code, Invalid};

pub use super::nudge::{dragged, stepped};
pub use super::typed::{parse, takes_unit, units_of};

/// What a field may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Least value allowed.
    pub min: f64,
    /// Greatest value allowed.
    pub max: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// Unit, empty for a pure number.
    pub unit: &'static str,
}

/// The most layers of a scenario's model.
pub const MOST_LAYERS: usize = 1000;
/// The most devices of a scenario.
pub const MOST_DEVICES: usize = 64;
/// The most characters of a device's or model's name.
pub const LONGEST_NAME: usize = 40;
/// The most characters of a scenario's title.
pub const LONGEST_TITLE: usize = 120;

/// The range of a field, by its name in the schema.
#[must_use]
pub fn of(field: &str) -> Option<Range> {
    let (min, max, whole, unit) = match field {
        "layers" => (1.0, MOST_LAYERS as f64, true, ""),
        "d_model" => (1.0, 262_144.0, true, ""),
        "h_q" | "h_k" => (1.0, 1024.0, true, ""),
        "d_head" => (1.0, 8192.0, true, ""),
        "d_ff" => (1.0, 1_048_576.0, true, ""),
        // A layer of a table. A work below one is a number that has lost its unit.
        "W" => (1.0, 1e24, false, "FLOP"),
        "A" => (0.0, 1e15, false, "B"),
        "P" => (1.0, 1e15, false, "B"),
        // A run of blocks as a file has them.
        "repeat" => (1.0, MOST_LAYERS as f64, true, ""),
        "weight_bytes" => (1.0, 1e15, false, "B"),
        "token_bytes" => (0.0, 1e9, false, "B"),
        "token_flop" => (1.0, 1e18, false, "FLOP"),
        "pair_flop" => (0.0, 1e12, false, "FLOP"),
        "window" => (1.0, 1e9, true, "tokens"),
        "kv_bytes" => (0.0, 1e9, false, "B"),
        // Memory as it is when a plan runs.
        "usable_pct" => (1.0, 100.0, false, "%"),
        "context_tokens" => (1.0, 100_000_000.0, true, "tokens"),
        "embedding_bytes" | "head_bytes" => (0.0, 1e15, false, "B"),
        // What follows the first answer.
        "answer_tokens" => (1.0, 1_000_000.0, true, "tokens"),
        "hop_ms" => (0.0, 100_000.0, false, "ms"),
        "least_tok_s" => (1e-6, 1e9, false, "tok/s"),
        "prompt_tokens" => (1.0, 1_000_000.0, true, "tokens"),
        "mu" => (0.001, 1.0, false, ""),
        "B_mhz" => (0.01, 10_000.0, false, "MHz"),
        "N0_dbm_hz" => (-220.0, -50.0, false, "dBm/Hz"),
        "d0_m" => (0.01, 1000.0, false, "m"),
        "zeta" => (0.0, 10.0, false, ""),
        "beta0_db" => (-150.0, 0.0, false, "dB"),
        "c_peak_tflops" => (0.0001, 100_000.0, false, "TFLOPS"),
        "a" => (0.0001, 1.0, false, ""),
        "b" => (1e-7, 10.0, false, "per token"),
        "r_mb_s" => (0.01, 1_000_000.0, false, "MB/s"),
        "m_gb" => (0.0, 100_000.0, false, "GB"),
        "pu_dbm" | "pd_dbm" => (-60.0, 80.0, false, "dBm"),
        "d_m" => (0.01, 100_000.0, false, "m"),
        "vocabulary" => (1.0, 10_000_000.0, true, "tokens"),
        "out_tokens" => (1.0, 100_000.0, true, "tokens"),
        "eta_c" | "eta_b" | "eta_f" => (1e-6, 1.0, false, ""),
        "overhead_ms" | "latency_ms" => (0.0, 1_000_000.0, false, "ms"),
        "setup_s_per_gparam" => (0.0, 10_000.0, false, "s"),
        "wire_bytes" => (0.125, 64.0, false, "B"),
        "rate_mbit_s" => (0.001, 10_000_000.0, false, "Mbit/s"),
        "nodes" => (1.0, 64.0, true, ""),
        "tops" => (0.0001, 1_000_000.0, false, "TOPS"),
        "bandwidth_gb_s" => (0.001, 100_000.0, false, "GB/s"),
        "memory_gb" | "usable_gb" => (0.0, 100_000.0, false, "GB"),
        "power_w" => (0.0, 100_000.0, false, "W"),
        "rate_per_s" => (0.0001, 10_000.0, false, "requests/s"),
        "count" => (1.0, super::tiers::MOST_REQUESTS, true, "requests"),
        "seeds" => (1.0, 50.0, true, ""),
        "seed" | "first_seed" => (0.0, 4_294_967_295.0, true, ""),
        "batch" => (1.0, 256.0, true, "passes"),
        "heads" => (1.0, 1024.0, true, ""),
        "width" => (1.0, 262_144.0, true, ""),
        "value_bytes" => (0.125, 64.0, false, "B"),
        "new_tokens" | "interval_tokens" => (1.0, 10_000.0, true, "tokens"),
        "compute_gops" => (0.0, 10_000_000.0, false, "Gop/s"),
        "gbit_s" => (0.0, 100_000.0, false, "Gbit/s"),
        "ahead" => (1.0, 1000.0, false, "intervals"),
        "input_usd" | "output_usd" => (0.0, 100_000.0, false, "$ per 10\u{2076} tokens"),
        "energy_usd" => (0.0, 1_000_000.0, false, "$ per 10\u{2076} GFLOP"),
        "prefill_tok_s" | "decode_tok_s" => (0.001, 10_000_000.0, false, "tok/s"),
        "reader_tok_s" => (0.1, 1000.0, false, "tok/s"),
        "start_s" | "net_s" => (0.0, 3600.0, false, "s"),
        "prefill_gflop" | "decode_gflop" => (0.0, 1_000_000.0, false, "GFLOP"),
        "budget" | "own_budget" => (0.0, 1.0, false, ""),
        "tail_share" => (0.0001, 0.9999, false, ""),
        "quantile" => (0.01, 0.9999, false, ""),
        "log_mean" => (-10.0, 10.0, false, ""),
        "log_sd" | "burst_sd" => (0.001, 3.0, false, ""),
        "burst_share" => (0.0, 1.0, false, ""),
        "burst_times" => (1.0, 1000.0, false, ""),
        "first_token_s" => (1e-6, 100_000.0, false, "s"),
        "mean_under" => (1e-6, 100_000.0, false, "s"),
        "least_tokens" | "most_tokens" | "alike" | "reply_tokens" => {
            (1.0, super::dispatch::LONGEST_PROMPT, true, "tokens")
        }
        "mean_tokens" => (0.1, super::dispatch::LONGEST_PROMPT, false, "tokens"),
        "requests" => (1.0, 1_000_000.0, true, ""),
        "poisson" => (0.001, 1_000_000.0, false, "s"),
        "correlation" => (0.0, 0.999, false, ""),
        "most" | "begins" | "ends" | "idle" | "busy" | "memory" => (0.0, 1.0, false, ""),
        "limit_mib" => (0.0, 1_000_000_000.0, false, "MiB"),
        "orders" => (1.0, 1000.0, true, ""),
        "align_bytes" => (1.0, 4096.0, true, "B"),
        "factor" => (0.001, 1000.0, false, ""),
        "mbps" => (0.001, 10_000_000.0, false, "Mbit/s"),
        "op_ms" => (0.0, 1_000_000.0, false, "ms"),
        "gflops" => (0.0001, 10_000_000.0, false, "GFLOP/s"),
        "gbs" => (0.0001, 100_000.0, false, "GB/s"),
        "moves" => (1000.0, 100_000_000.0, true, ""),
        "islands" => (1.0, 16.0, true, ""),
        "population" => (4.0, 1_000_000.0, true, ""),
        "generations" => (1.0, 100_000.0, true, ""),
        "patience" => (1.0, 100_000.0, true, ""),
        _ => return None,
    };
    Some(Range {
        min,
        max,
        whole,
        unit,
    })
}

/// What a field is called in a sentence, without its unit: "disk", "gain at reference".
#[must_use]
pub fn noun(field: &str) -> &'static str {
    match field {
        "layers" => "layers",
        "d_model" => "hidden size",
        "h_q" => "query heads",
        "h_k" => "key/value heads",
        "d_head" => "head width",
        "d_ff" => "feed-forward width",
        "prompt_tokens" => "prompt",
        "W" => "work",
        "A" => "activation",
        "P" | "weight_bytes" => "weights",
        "repeat" => "equal blocks",
        "token_bytes" => "bytes per token",
        "token_flop" => "work per token",
        "pair_flop" => "work per pair of tokens",
        "window" => "window",
        "mu" => "efficiency",
        "B_mhz" => "bandwidth",
        "N0_dbm_hz" => "noise density",
        "d0_m" => "reference distance",
        "zeta" => "path loss exponent",
        "beta0_db" => "gain at reference",
        "c_peak_tflops" => "compute",
        "a" => "utilisation a",
        "b" => "utilisation rate b",
        "r_mb_s" => "disk",
        "m_gb" => "memory",
        "pu_dbm" => "uplink power",
        "pd_dbm" => "downlink power",
        "d_m" => "distance",
        "vocabulary" => "vocabulary",
        "out_tokens" => "answer",
        "eta_c" => "share of compute",
        "eta_b" => "share of the memory rate",
        "eta_f" => "share of the TOPS",
        "overhead_ms" => "overhead per pass",
        "latency_ms" => "latency",
        "setup_s_per_gparam" => "setup",
        "wire_bytes" => "bytes per value",
        "rate_mbit_s" => "link rate",
        "nodes" => "nodes",
        "tops" => "compute",
        "bandwidth_gb_s" => "memory rate",
        "memory_gb" => "memory",
        "usable_gb" => "usable memory",
        "power_w" => "power",
        "rate_per_s" => "arrivals",
        "count" => "requests",
        "seeds" => "seeds",
        "seed" => "seed",
        "first_seed" => "first seed",
        "batch" => "batch",
        "heads" => "heads",
        "width" => "hidden size",
        "value_bytes" => "bytes per value",
        "new_tokens" | "answer_tokens" => "answer",
        "hop_ms" => "latency per hop",
        "least_tok_s" => "minimum rate",
        "kv_bytes" => "cache per token",
        "usable_pct" => "usable share of memory",
        "context_tokens" => "context",
        "embedding_bytes" => "embedding",
        "head_bytes" => "output head",
        "interval_tokens" => "interval",
        "compute_gops" => "compute",
        "gbit_s" => "link rate",
        "ahead" => "intervals that a move must pay off in",
        "input_usd" => "price of a prompt",
        "output_usd" => "price of an answer",
        "energy_usd" => "price of energy",
        "prefill_tok_s" => "prefill",
        "decode_tok_s" => "decode",
        "reader_tok_s" => "reader",
        "start_s" => "start",
        "net_s" => "network",
        "prefill_gflop" => "work per prompt token",
        "decode_gflop" => "work per generated token",
        "budget" => "budget",
        "own_budget" => "own budget",
        "tail_share" => "share for the tail",
        "quantile" => "quantile",
        "log_mean" => "mean of the logarithm",
        "log_sd" => "spread of the logarithm",
        "burst_share" => "share of bursts",
        "burst_times" => "slowdown in bursts",
        "burst_sd" => "spread within bursts",
        "first_token_s" => "first token",
        "mean_under" => "P99 limit",
        "least_tokens" => "shortest prompt",
        "most_tokens" => "longest prompt",
        "alike" => "length",
        "reply_tokens" => "reply",
        "mean_tokens" => "mean reply",
        "requests" => "requests",
        "poisson" => "mean gap",
        "correlation" => "correlation",
        "most" => "largest share taken",
        "begins" => "chance that load starts",
        "ends" => "chance that load ends",
        "idle" => "share taken while idle",
        "busy" => "share taken while busy",
        "memory" => "memory taken by the load",
        "limit_mib" => "memory limit",
        "orders" => "random orders",
        "align_bytes" => "alignment",
        "factor" => "time factor",
        "mbps" => "link",
        "op_ms" => "fixed time",
        "gflops" => "speed",
        "gbs" => "memory rate",
        "moves" => "moves",
        "islands" => "islands",
        "population" => "plans per island",
        "generations" => "generations",
        "patience" => "generations without gain",
        _ => "number",
    }
}

impl Range {
    /// The range in words: "a whole number from 1 to 1000", "a number from 0.01 to 1000000 MB/s".
    #[must_use]
    pub fn words(&self) -> String {
        let kind = if self.whole {
            "a whole number"
        } else {
            "a number"
        };
        let gap = if self.unit.is_empty() { "" } else { " " };
        let max = if self.max > 1e9 {
            format!("{:e}", self.max)
        } else {
            self.max.to_string()
        };
        format!("{kind} from {} to {max}{gap}{}", self.min, self.unit)
    }

    /// Whether `value` is allowed.
    #[must_use]
    pub fn allows(&self, value: f64) -> bool {
        value >= self.min && value <= self.max && (!self.whole || libm::trunc(value) == value)
    }
}

/// Checks one number; `owner` is where the field stands (`devices[2]`).
///
/// # Errors
/// Names the field, the value and the range.
pub fn check(owner: &str, field: &str, value: f64) -> Result<(), Invalid> {
    let range = of(field).expect("every number of the schema has a range");
    if range.allows(value) {
        return Ok(());
    }
    Err(Invalid::range(field, value, &range.words()).within(owner))
}

/// Checks one text: not too long, and nothing in it that moves a cursor.
///
/// # Errors
/// Names the field and what is allowed.
pub fn text(path: &str, value: &str, longest: usize) -> Result<(), Invalid> {
    let length = value.chars().count();
    if length <= longest && !value.chars().any(char::is_control) {
        return Ok(());
    }
    let short: String = value.chars().filter(|c| !c.is_control()).take(20).collect();
    let message =
        format!("{path} must be text of at most {longest} characters on one line, it has {length}");
    Err(Invalid::new(Code::Range, path, short, message))
}
