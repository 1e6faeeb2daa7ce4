//! Device or server as a view of the scenario of all questions.

use super::schema::OBJECTS;
use super::{Device, FORMAT, LONGEST_PROMPT, Prompts, Replies, Scenario, presets};
use crate::problem::Invalid;
use crate::scenario::schema::read as read_json;
use crate::scenario::world::{FactResolver, Given, Names, Shared, SharedFacts, rows};
use crate::scenario::{Question, fields};

impl Prompts {
    /// The mean length [tokens], rounded; `None` where it was measured.
    fn mean(&self) -> Option<f64> {
        let mean = match *self {
            Self::Alike(tokens) => tokens,
            Self::LogNormal {
                log_mean, log_sd, ..
            } => libm::exp(log_mean + 0.5 * log_sd * log_sd),
            Self::Measured(_) => return None,
        };
        Some(libm::round(mean).max(1.0))
    }

    /// Scales the distribution to another mean [tokens].
    fn around(&mut self, tokens: f64) {
        let tokens = tokens.clamp(1.0, LONGEST_PROMPT);
        match self {
            Self::Alike(all) => *all = tokens,
            Self::LogNormal {
                log_mean,
                log_sd,
                least_tokens,
                most_tokens,
            } => {
                *log_mean = libm::log(tokens) - 0.5 * *log_sd * *log_sd;
                *least_tokens = least_tokens.min(tokens);
                *most_tokens = most_tokens.max((4.0 * tokens).min(LONGEST_PROMPT));
            }
            Self::Measured(_) => {}
        }
    }
}

impl Replies {
    /// The mean length [tokens], rounded.
    fn mean(&self) -> f64 {
        let mean = match *self {
            Self::Alike(tokens) => tokens,
            Self::Exponential { mean_tokens, .. } => mean_tokens,
        };
        libm::round(mean).max(1.0)
    }

    /// Scales the distribution to another mean [tokens].
    fn around(&mut self, tokens: f64) {
        let tokens = tokens.clamp(1.0, LONGEST_PROMPT);
        match self {
            Self::Alike(all) => *all = tokens,
            Self::Exponential {
                mean_tokens,
                reply_tokens,
            } => {
                *mean_tokens = tokens;
                *reply_tokens = reply_tokens.max((4.0 * tokens).min(LONGEST_PROMPT));
            }
        }
    }
}

impl Shared for Scenario {
    rows!(devices: Device);
    const QUESTION: Question = Question::Dispatch;
    const SHARED_PARTS: &'static [(&'static str, &'static str)] = &[("devices", "[]")];
    const ROW_NAMES: Names = &[];
    const MOST_ROWS: usize = fields::MOST_DEVICES;

    fn opening() -> Self {
        presets::paper()
    }

    fn blank() -> Device {
        Device {
            name: String::new(),
            off: false,
            prefill_tok_s: 0.0,
            decode_tok_s: 0.0,
            start_s: 0.0,
            prefill_gflop: 0.0,
            decode_gflop: 0.0,
            own_budget: None,
        }
    }

    // Lengths are laws here; their means are what others know of them.
    fn write_facts(&self, sheet: &mut SharedFacts) {
        let prompt = self.prompts.mean().map(|mean| ("prompt_tokens", mean));
        let all = prompt
            .into_iter()
            .chain([("answer_tokens", self.replies.mean())]);
        let given = all.map(|(key, mean)| (key, Given::new(mean, None)));
        sheet.request = given.collect();
    }

    fn read_facts(&mut self, ask: &mut FactResolver<'_>) {
        if let Some(tokens) = ask.known_of_request("prompt_tokens")
            && self.prompts.mean() != Some(tokens)
        {
            self.prompts.around(tokens);
        }
        if let Some(tokens) = ask.known_of_request("answer_tokens")
            && self.replies.mean() != tokens
        {
            self.replies.around(tokens);
        }
    }

    fn unchecked(text: &str) -> Result<Self, Invalid> {
        read_json(text, &OBJECTS, FORMAT)
    }
}
