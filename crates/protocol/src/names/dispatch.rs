//! Laws of device or server in a line each.

use engine::scenario::dispatch::{FirstToken, Prompts, Replies, Scenario, profiles};
use engine::units::{percent, seconds};

/// The prompts in a line.
#[must_use]
pub fn prompt_words(scenario: &Scenario) -> String {
    match &scenario.prompts {
        Prompts::LogNormal {
            least_tokens,
            most_tokens,
            ..
        } => {
            format!("Log-normal, {least_tokens} to {most_tokens} tokens, assumed")
        }
        Prompts::Alike(n) => format!("Every prompt has {n} tokens"),
        Prompts::Measured(measured) => {
            let exact = if measured.exact {
                ""
            } else {
                ", as a histogram"
            };
            format!("{}: {} prompts{exact}", measured.name, measured.samples())
        }
    }
}

/// The server's first tokens in a line.
#[must_use]
pub fn first_token_words(scenario: &Scenario) -> String {
    let quantile = |mu: f64, sd: f64, z: f64| seconds(libm::exp(mu + sd * z));
    // Of some servers the paper has prices alone, of others first tokens of another model of the family.
    let name = &scenario.server.name;
    let assumed = match profiles::law_source(name) {
        Some(model) if name.starts_with(model) => "assumed".to_owned(),
        Some(model) => format!("assumed, of {model} in Table 5; prices are of {name}"),
        None => "assumed, nothing is published of this server".to_owned(),
    };
    match &scenario.server.first_token {
        FirstToken::LogNormal { log_mean, log_sd } => format!(
            "first token: median {}, P99 {} ({assumed})",
            quantile(*log_mean, *log_sd, 0.0),
            quantile(*log_mean, *log_sd, 2.326_347_874_040_841)
        ),
        FirstToken::Bursty {
            log_mean,
            log_sd,
            burst_share,
            burst_times,
            ..
        } => format!(
            "first token: median {} outside bursts; {} come in bursts, {burst_times} times as slow ({assumed})",
            quantile(*log_mean, *log_sd, 0.0),
            percent(100.0 * burst_share, 1)
        ),
        FirstToken::Measured(measured) => {
            let exact = if measured.exact {
                ""
            } else {
                ", as a histogram"
            };
            format!(
                "{}: {} first tokens{exact}",
                measured.name,
                measured.samples()
            )
        }
    }
}

/// The replies in a line.
#[must_use]
pub fn reply_words(scenario: &Scenario) -> String {
    match scenario.replies {
        Replies::Alike(n) => format!("{n} tokens"),
        Replies::Exponential {
            mean_tokens,
            reply_tokens,
        } => format!("{mean_tokens} tokens on average, at most {reply_tokens}"),
    }
}
