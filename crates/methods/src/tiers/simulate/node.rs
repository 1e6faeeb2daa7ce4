//! A node while it runs: what it serves, what is still before it, how busy it was.

use engine::problem::RunTier;
use engine::sim::ReservableResource;

/// Index that stands for no task.
pub(super) const NONE: u32 = u32::MAX;

/// The state of a node.
#[derive(Debug, Clone)]
pub(super) struct NodeState {
    /// Task in service, the lowest of a batch.
    pub serving: u32,
    /// Task that holds the node, in hold mode.
    pub holder: u32,
    /// When the service ends [s].
    pub until: f64,
    /// Busy so far, the service under way included [s].
    pub busy: f64,
    /// Memory for tasks.
    pub memory: ReservableResource,
    /// Speed.
    pub speed: f64,
    /// Time of a prefill pass here [s].
    prefill: f64,
    /// Time of a decode pass here, where all take the same [s].
    decode: f64,
    /// Passes assigned to the node and not begun.
    ahead: Ahead,
}

/// Passes as counts, which are exact.
#[derive(Debug, Clone, Copy, Default)]
struct Ahead {
    prefills: u64,
    decodes: u64,
    /// Sum of q - 1 over the decode passes.
    growth: u128,
}

impl NodeState {
    pub fn new(tier: &RunTier, place: usize) -> Self {
        let speed = tier.speed[place];
        Self {
            serving: NONE,
            holder: NONE,
            until: 0.0,
            busy: 0.0,
            memory: ReservableResource::new(tier.memory[place]),
            speed,
            prefill: tier.prefill / speed,
            decode: tier.decode / speed,
            ahead: Ahead::default(),
        }
    }

    /// How long a pass takes here [s].
    #[inline]
    pub fn pass(&self, tier: &RunTier, pass: u32) -> f64 {
        if pass == 0 {
            self.prefill
        } else if tier.slope == 0.0 {
            self.decode
        } else {
            tier.pass(pass) / self.speed
        }
    }

    /// A task of so many tokens will be served here.
    pub fn assign(&mut self, out_tokens: u32) {
        let decodes = u128::from(out_tokens - 1);
        self.ahead.prefills += 1;
        self.ahead.decodes += u64::from(out_tokens - 1);
        self.ahead.growth += decodes * decodes.saturating_sub(1) / 2;
    }

    /// A pass has begun: it is ahead no more.
    #[inline]
    pub fn begin(&mut self, pass: u32) {
        match pass {
            0 => self.ahead.prefills -= 1,
            q => {
                self.ahead.decodes -= 1;
                self.ahead.growth -= u128::from(q - 1);
            }
        }
    }

    /// A task of so many tokens has begun as one job.
    pub fn begin_whole(&mut self, out_tokens: u32) {
        let decodes = u128::from(out_tokens - 1);
        self.ahead.prefills -= 1;
        self.ahead.decodes -= u64::from(out_tokens - 1);
        self.ahead.growth -= decodes * decodes.saturating_sub(1) / 2;
    }

    /// How long until the node would have finished a task of `whole` seconds at speed 1 that comes `now`, if waiting
    /// decode passes were served `batch` at a time [s]. Equation (21).
    #[inline]
    pub fn cost(&self, tier: &RunTier, now: f64, whole: f64, batch: u32) -> f64 {
        let mut waiting = self.ahead.prefills as f64 * tier.prefill;
        let mut decoding = self.ahead.decodes as f64 * tier.decode;
        if tier.slope != 0.0 {
            decoding += self.ahead.growth as f64 * tier.slope;
        }
        waiting += decoding / f64::from(batch);
        let rest = if self.serving == NONE {
            0.0
        } else {
            self.until - now
        };
        rest + (waiting + whole) / self.speed
    }
}
