//! From a scenario to numbers: the distribution of prompts and of first tokens, the devices, prices, the law of replies.

use super::{Device, FirstToken, Prompts, Replies, Scenario, Side};
use crate::plan::dispatch::Scarce;
use crate::problem::Invalid;
use crate::problem::dispatch::{self, DispatchProblem, ServerTimes};
use crate::problem::migration::Prices;
use crate::sim::law::{BurstyLaw, LogNormal, exponential_whole};

/// Quantiles that stand for a law of first tokens.
pub const QUANTILES: usize = 1000;

impl FirstToken {
    /// Values with weights, ascending.
    ///
    /// # Complexity
    /// O(quantiles).
    #[must_use]
    pub fn values(&self, quantiles: usize) -> Vec<(f64, f64)> {
        let alike = |samples: Vec<f64>| samples.into_iter().map(|t| (t, 1.0)).collect();
        match self {
            Self::LogNormal { log_mean, log_sd } => alike(
                LogNormal {
                    log_mean: *log_mean,
                    log_sd: *log_sd,
                }
                .samples(quantiles),
            ),
            Self::Bursty {
                log_mean,
                log_sd,
                burst_share,
                burst_times,
                burst_sd,
            } => alike(
                BurstyLaw {
                    body: LogNormal {
                        log_mean: *log_mean,
                        log_sd: *log_sd,
                    },
                    burst: LogNormal {
                        log_mean: log_mean + libm::log(*burst_times),
                        log_sd: *burst_sd,
                    },
                    share: *burst_share,
                }
                .samples(quantiles),
            ),
            Self::Measured(measured) => measured.bins.clone(),
        }
    }
}

impl Prompts {
    /// Lengths with weights, ascending.
    ///
    /// # Complexity
    /// O(longest).
    #[must_use]
    pub fn weights(&self) -> Vec<(u32, f64)> {
        // Whole numbers in range, as checked.
        match self {
            Self::LogNormal {
                log_mean,
                log_sd,
                least_tokens,
                most_tokens,
            } => LogNormal {
                log_mean: *log_mean,
                log_sd: *log_sd,
            }
            .integer_weights(*least_tokens as u32, *most_tokens as u32),
            Self::Alike(tokens) => vec![(*tokens as u32, 1.0)],
            Self::Measured(measured) => measured
                .bins
                .iter()
                .map(|(tokens, count)| (*tokens as u32, *count))
                .collect(),
        }
    }
}

impl Replies {
    /// Lengths with weights, ascending.
    #[must_use]
    pub fn weights(&self) -> Vec<(u32, f64)> {
        match *self {
            Self::Alike(tokens) => vec![(tokens as u32, 1.0)],
            Self::Exponential {
                mean_tokens,
                reply_tokens,
            } => exponential_whole(mean_tokens, reply_tokens as u32),
        }
    }

    /// The length that a hand-over counts on: the cut, for nothing better is known when an answer begins.
    #[must_use]
    pub const fn expected(&self) -> f64 {
        match self {
            Self::Alike(tokens) => *tokens,
            Self::Exponential { reply_tokens, .. } => *reply_tokens,
        }
    }
}

impl Device {
    /// As the methods take it.
    #[must_use]
    pub const fn endpoint(&self) -> dispatch::DispatchDevice {
        dispatch::DispatchDevice {
            prefill_rate: self.prefill_tok_s,
            constant: self.start_s,
        }
    }
}

impl Scenario {
    /// The place of the device of the policies: of those that are on the one with the earliest first tokens by itself, the first
    /// of equals.
    #[must_use]
    pub fn device(&self) -> usize {
        self.devices_in_order().first().map_or(0, |(at, _)| *at)
    }

    /// The devices that are on, each with its place in the list: that of the policies first, the others in the order of the list.
    ///
    /// # Complexity
    /// O(devices + prompt lengths).
    #[must_use]
    pub fn devices_in_order(&self) -> Vec<(usize, &Device)> {
        let mut on: Vec<(usize, &Device)> = self.switched_on().collect();
        if on.len() < 2 {
            return on;
        }
        let weights = self.prompts.weights();
        let (tokens, all) = (weights.iter()).fold((0.0, 0.0), |(tokens, all), (n, weight)| {
            (tokens + f64::from(*n) * weight, all + weight)
        });
        let mean_prompt = tokens / all;
        let first_token = |device: &Device| device.start_s + mean_prompt / device.prefill_tok_s;
        let best = (0..on.len())
            .min_by(|a, b| first_token(on[*a].1).total_cmp(&first_token(on[*b].1)))
            .unwrap_or_default();
        on[..=best].rotate_right(1);
        on
    }

    /// Prices of a device and the server [USD per 10^6 tokens]; a device's is energy, λ times its work a token.
    #[must_use]
    pub fn prices(&self, device: &Device) -> Prices {
        Prices {
            dev_p: self.energy_usd * device.prefill_gflop,
            dev_d: self.energy_usd * device.decode_gflop,
            srv_p: self.server.input_usd,
            srv_d: self.server.output_usd,
        }
    }

    /// Which side is scarce; `dearer` is what Algorithm 1 says.
    #[must_use]
    pub const fn scarce(&self, dearer: Scarce) -> Scarce {
        match self.scarce {
            Side::Dearer => dearer,
            Side::Device => Scarce::Device,
            Side::Server => Scarce::Server,
        }
    }

    /// The instance: every device that is on, as [`Self::devices_in_order`] has them.
    ///
    /// # Errors
    /// The first field at fault.
    ///
    /// # Complexity
    /// O(quantiles + longest prompt).
    pub fn problem(&self) -> Result<DispatchProblem, Invalid> {
        let times = ServerTimes::of_counts(&self.server.first_token.values(QUANTILES))
            .map_err(|fault| fault.within("server.first_token"))?;
        let prompts = dispatch::PromptLengths::new(&self.prompts.weights())
            .map_err(|fault| fault.within("prompts"))?;
        let devices = self.devices_in_order().into_iter();
        let devices = devices.map(|(_, d)| d.endpoint()).collect();
        DispatchProblem::new(prompts, times, devices, self.budget, self.tail_share)
    }
}
