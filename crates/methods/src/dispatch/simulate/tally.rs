//! Statistics of a policy's requests, in constant memory.

use engine::sim::QuantileSketch;
use serde::{Deserialize, Serialize};

/// Figures of a policy. Times in seconds, money in millionths of a USD a request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Figures {
    /// Requests that are over.
    pub requests: f64,
    /// Mean time to the first token.
    pub mean: f64,
    /// Its standard error, as of independent requests.
    pub error: f64,
    /// Half of the requests have their first token by then.
    pub p50: f64,
    /// 99 % of them.
    pub p99: f64,
    /// Share of prompt tokens that devices processed, cancelled prompts counted in full.
    pub device_share: f64,
    /// Share of prompt tokens that the server processed.
    pub server_share: f64,
    /// Share of requests that only the server started.
    pub server_only: f64,
    /// Share of requests that only a device started.
    pub device_only: f64,
    /// Share of requests that both started, and the device came first.
    pub device_wins: f64,
    /// Share of requests that both started, and the server came first.
    pub server_wins: f64,
    /// Cost of a request.
    pub cost: f64,
    /// The standard error of that.
    pub cost_error: f64,
    /// Prompts that the server prefilled first, and what it prefilled after hand-overs.
    pub server_prefill: f64,
    /// Tokens that the server generated.
    pub server_decode: f64,
    /// Prefill tokens on devices.
    pub device_prefill: f64,
    /// Decode tokens on devices.
    pub device_decode: f64,
    /// Prefills that lost the race.
    pub lost_prefill: f64,
    /// Share of requests that changed ends.
    pub moved: f64,
    /// Of those, the ones that left the server.
    pub moved_to_device: f64,
    /// Share of requests that would have moved to a device, had it not been busy.
    pub held_back: f64,
    /// Mean of the tokens B of a hand-over; none without one.
    pub buffer_mean: Option<f64>,
    /// Buffer that 99 % of migrations do not exceed.
    pub buffer_p99: Option<f64>,
    /// Tokens a request that came later than wanted.
    pub late: f64,
    /// Late tokens in requests that migrated; 0 without one.
    pub late_of_moved: f64,
    /// The longest that a token was awaited.
    pub max_stall: f64,
    /// 99 % of the gaps between shown tokens are at most this.
    pub tbt_p99: f64,
    /// Share of requests that stood in line for a device.
    pub waited: f64,
    /// Share of requests for which a model was loaded.
    pub loaded: f64,
}

/// Money of one request by part.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Money {
    pub server_prefill: f64,
    pub server_decode: f64,
    pub device_prefill: f64,
    pub device_decode: f64,
    pub lost_prefill: f64,
}

/// Counts and sums.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningTotals {
    pub ttft: QuantileSketch,
    pub tokens: f64,
    pub device_tokens: f64,
    pub server_tokens: f64,
    pub server_only: f64,
    pub device_only: f64,
    pub device_wins: f64,
    pub server_wins: f64,
    money: Money,
    cost: f64,
    cost_squares: f64,
    pub moved: f64,
    pub moved_to_device: f64,
    pub blocked_share: f64,
    pub buffers: QuantileSketch,
    pub late: f64,
    pub late_of_moved: f64,
    pub max_stall: f64,
    /// Gaps as long as the reader's own, and longer ones.
    pub at_pace: f64,
    pub gaps: QuantileSketch,
    pub waited: f64,
    pub loaded: f64,
}

impl RunningTotals {
    #[inline]
    pub fn pay(&mut self, money: &Money) {
        let all = &mut self.money;
        all.server_prefill += money.server_prefill;
        all.server_decode += money.server_decode;
        all.device_prefill += money.device_prefill;
        all.device_decode += money.device_decode;
        all.lost_prefill += money.lost_prefill;
        let cost = money.server_prefill
            + money.server_decode
            + money.device_prefill
            + money.device_decode
            + money.lost_prefill;
        self.cost += cost;
        self.cost_squares += cost * cost;
    }

    /// Everything as figures; `reader` is the pace of reading [tokens/s].
    pub fn figures(&self, reader: f64) -> Figures {
        let requests = self.ttft.count();
        let share = |part: f64| if requests > 0.0 { part / requests } else { 0.0 };
        let of_tokens = |part: f64| {
            if self.tokens > 0.0 {
                part / self.tokens
            } else {
                0.0
            }
        };
        let cost = share(self.cost);
        let variance = (share(self.cost_squares) - cost * cost).max(0.0);
        let some = self.moved > 0.0;
        Figures {
            requests,
            mean: self.ttft.mean(),
            error: self.ttft.error(),
            p50: self.ttft.quantile(0.5),
            p99: self.ttft.quantile(0.99),
            device_share: of_tokens(self.device_tokens),
            server_share: of_tokens(self.server_tokens),
            server_only: share(self.server_only),
            device_only: share(self.device_only),
            device_wins: share(self.device_wins),
            server_wins: share(self.server_wins),
            cost,
            cost_error: libm::sqrt(share(variance)),
            server_prefill: share(self.money.server_prefill),
            server_decode: share(self.money.server_decode),
            device_prefill: share(self.money.device_prefill),
            device_decode: share(self.money.device_decode),
            lost_prefill: share(self.money.lost_prefill),
            moved: share(self.moved),
            moved_to_device: share(self.moved_to_device),
            held_back: share(self.blocked_share),
            buffer_mean: some.then(|| self.buffers.mean()),
            buffer_p99: some.then(|| self.buffers.quantile(0.99)),
            late: share(self.late),
            late_of_moved: if some {
                self.late_of_moved / self.moved
            } else {
                0.0
            },
            max_stall: self.max_stall,
            tbt_p99: self.tbt_p99(reader),
            waited: share(self.waited),
            loaded: share(self.loaded),
        }
    }

    fn tbt_p99(&self, reader: f64) -> f64 {
        let all = self.at_pace + self.gaps.count();
        if all == 0.0 {
            return 0.0;
        }
        // No gap is shorter than the reader's own.
        let beyond = 0.99 * all - self.at_pace;
        if beyond <= 0.0 {
            1.0 / reader
        } else {
            self.gaps.quantile(beyond / self.gaps.count())
        }
    }
}
