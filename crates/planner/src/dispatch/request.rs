//! One request of a scenario, token by token.

use super::DispatchPlan;
use super::cost::server_start;
use engine::evaluate::migration::{ReaderTimeline, timeline};
use engine::plan::dispatch::{Scarce, Starts};
use engine::problem::Invalid;
use engine::problem::dispatch::ServerTimes;
use engine::problem::migration::{CaseNumbers, MigrationCase, Winner};
use engine::scenario::dispatch::Scenario;
use methods::dispatch::migration::decide;

/// A request: who starts, who comes first, and every token after that.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedRequest {
    /// The prompt [tokens].
    pub tokens: u32,
    /// The device, as listed.
    pub device: usize,
    /// Action of the policy at this length; the more likely one where it randomises.
    pub act: Starts,
    /// The probability of that act.
    pub probability: f64,
    /// When the server's first token comes or would come [s]; none where it is not asked.
    pub server_time: Option<f64>,
    /// When the device starts, and when its first token comes or would come [s]; none where it does not start.
    pub device_time: Option<(f64, f64)>,
    /// The side whose token comes first.
    pub winner: Winner,
    /// When [s].
    pub first_token: f64,
    /// The server's start in this request, also where a hand-over asks it later [s].
    pub server_start: f64,
    /// Time allowed for the first token of the target after a migration [s].
    pub allowed: f64,
    /// The tokens; times count from the first one.
    pub timeline: ReaderTimeline,
}

/// Follows a request with a prompt of `tokens` through our policy. The server starts as soon as the share `luck` of its
/// starts, whenever it is asked.
///
/// # Errors
/// Numbers that no request can have.
///
/// # Complexity
/// O(quantiles + reply).
pub fn request(
    scenario: &Scenario,
    planned: &DispatchPlan,
    tokens: u32,
    luck: f64,
) -> Result<FollowedRequest, Invalid> {
    let at = planned
        .prompts
        .partition_point(|(known, _)| *known < tokens);
    let at = at.min(planned.prompts.len().saturating_sub(1));
    let tokens = planned.prompts[at].0;
    let mixture = &planned.ours().policy.acts[at];
    let likelier = mixture.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (probability, act) = likelier.copied().unwrap_or((1.0, Starts::SERVER));
    let device = &scenario.devices[planned.device];
    let endpoint = device.endpoint();
    let times = ServerTimes::of_counts(&planned.first_tokens.values)?;
    let start = times.quantile(luck).unwrap_or_else(|| times.mean());
    let server_time = act.server.then_some(start);
    let device_time = act.device.and_then(|(_, wait)| {
        let starts = server_time.is_none_or(|time| time > wait);
        starts.then(|| (wait, wait + endpoint.first_token(tokens)))
    });
    // A tie is won by the side that is not scarce.
    let device_first = match (server_time, device_time) {
        (Some(server), Some((_, device))) => match planned.scarce {
            Scarce::Device => device < server,
            Scarce::Server => device <= server,
        },
        (None, Some(_)) => true,
        _ => false,
    };
    let winner = if device_first {
        Winner::Device
    } else {
        Winner::Server
    };
    let first_token = match (winner, device_time, server_time) {
        (Winner::Device, Some((_, time)), _) | (Winner::Server, _, Some(time)) => time,
        _ => start,
    };
    let estimate = server_start(scenario, &times);
    let reply = scenario.replies.expected();
    let case = MigrationCase::new(CaseNumbers {
        l: f64::from(tokens),
        n_out: reply,
        n_exp: reply,
        winner,
        r_dev: device.decode_tok_s,
        r_srv: scenario.server.decode_tok_s,
        r_c: scenario.reader_tok_s,
        k: 1.0 / device.prefill_tok_s,
        c: device.start_s,
        srv_ttft_est: estimate,
        srv_ttft_actual: start,
        net: scenario.handover.net_s,
        cost: planned.prices,
    })?;
    let moved = scenario.handover.on.then(|| decide(&case)).flatten();
    let allowed = match winner {
        Winner::Device => scenario.handover.net_s + estimate,
        Winner::Server => {
            let generated = moved.map_or(0.0, f64::from);
            let prefill = (f64::from(tokens) + generated) / device.prefill_tok_s;
            scenario.handover.net_s + prefill + device.start_s
        }
    };
    Ok(FollowedRequest {
        tokens,
        device: planned.device,
        act,
        probability,
        server_time,
        device_time,
        winner,
        first_token,
        server_start: start,
        allowed,
        timeline: timeline(&case, moved),
    })
}
