//! Evaluator of a migration: one request token by token as its reader sees it, and its cost.
//!
//! Source: DiSCo, section 4.3 and equation (8). The source emits token j at j/r_src; after a hand-over behind token g the
//! target's first comes t_m later, then one every 1/r_tgt. The reader wants token j at j/r_c and takes it when it is
//! there, no sooner than 1/r_c after the one before. The first token is shown at once. All output tokens are charged as
//! decoded, the first one too, and the target's prefill covers prompt and generated tokens.
//!
//! Complexity: O(N) time and memory for an answer of N tokens.

use crate::problem::migration::{MigrationCase, SLACK};

/// A hand-over in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MigrationReplay {
    /// Tokens that the source generates, g.
    pub tokens: u32,
    /// Tokens that the reader takes while the hand-over is expected to last, B.
    pub buffer: f64,
    /// Buffer as the whole number of tokens that was waited for.
    pub buffer_tokens: f64,
    /// When the source stops [s].
    pub from: f64,
    /// When the target begins its prefill [s].
    pub prefill_from: f64,
    /// When the target's first token is there [s].
    pub first: f64,
}

/// One request from its first token on. Lists have an entry a token.
#[derive(Debug, Clone, PartialEq)]
pub struct ReaderTimeline {
    /// When each token is there [s].
    pub available: Vec<f64>,
    /// When the reader takes it [s].
    pub displayed: Vec<f64>,
    /// The hand-over, if there is one.
    pub handover: Option<MigrationReplay>,
    /// Tokens that are there later than the reader wants them.
    pub late: u32,
    /// The longest that one of them is awaited [s]; 0 if none is.
    pub max_stall: f64,
    /// 99 % of the gaps between shown tokens are at most this [s]; 0 for a single token.
    pub tbt_p99: f64,
    /// Cost of the request, in millionths of a USD. A losing prefill comes on top.
    pub cost: f64,
    /// Cost without migration, in millionths of a USD.
    pub cost_without: f64,
}

impl ReaderTimeline {
    /// How many tokens wait for the reader, whenever that changes [s]: a step up for a token that is there, one down for
    /// one that is taken. O(N).
    #[must_use]
    pub fn buffered(&self) -> Vec<(f64, u32)> {
        let mut steps = Vec::with_capacity(2 * self.available.len());
        let (mut came, mut taken) = (0, 0);
        while taken < self.displayed.len() {
            // A token is there before it is taken.
            let arrives = self.available.get(came).copied();
            let time = match arrives {
                Some(time) if time <= self.displayed[taken] => {
                    came += 1;
                    time
                }
                _ => {
                    taken += 1;
                    self.displayed[taken - 1]
                }
            };
            steps.push((time, (came - taken) as u32));
        }
        steps
    }
}

/// Plays a request out. A hand-over that is not behind one of the tokens 1 to N - 1 does not take place.
#[must_use]
pub fn timeline(case: &MigrationCase, handover: Option<u32>) -> ReaderTimeline {
    let count = case.output();
    let migration = case.migration();
    let handover = handover.filter(|g| (1..count).contains(g));
    let span = handover.map(|g| {
        let (l, tokens) = (case.prompt(), f64::from(g));
        let from = (tokens - 1.0) / migration.source.rate;
        MigrationReplay {
            tokens: g,
            buffer: migration.buffer(l, tokens),
            buffer_tokens: migration.buffer_tokens(l, tokens),
            from,
            prefill_from: from + migration.net,
            first: from + case.handover(g),
        }
    });
    let arrives = |j: u32| match span {
        Some(span) if j >= span.tokens => {
            span.first + f64::from(j - span.tokens) / migration.target.rate
        }
        _ => f64::from(j) / migration.source.rate,
    };
    let available: Vec<f64> = (0..count).map(arrives).collect();
    let mut displayed: Vec<f64> = Vec::with_capacity(available.len());
    let (mut late, mut max_stall) = (0, 0.0_f64);
    for (j, there) in available.iter().enumerate() {
        let wanted = j as f64 / migration.reader;
        late += u32::from(*there > wanted + SLACK);
        max_stall = max_stall.max(there - wanted);
        let shown = displayed.last().map_or(0.0, |before| {
            f64::max(*there, before + 1.0 / migration.reader)
        });
        displayed.push(shown);
    }
    let gaps = displayed.windows(2).map(|pair| pair[1] - pair[0]).collect();
    ReaderTimeline {
        handover: span,
        late,
        max_stall,
        tbt_p99: lower_quantile(gaps, 0.99),
        cost: cost(case, handover),
        cost_without: cost(case, None),
        available,
        displayed,
    }
}

/// Returns the cost of a request with this migration or none, in millionths of a USD. Section 8.4.
fn cost(case: &MigrationCase, handover: Option<u32>) -> f64 {
    let (source, target) = (case.migration().source, case.migration().target);
    let (l, count) = (case.prompt(), f64::from(case.output()));
    match handover.map(f64::from) {
        None => source.prefill * l + source.decode * count,
        Some(g) => {
            source.prefill * l
                + source.decode * g
                + target.prefill * (l + g)
                + target.decode * (count - g)
        }
    }
}

/// The least value that a share of all values is at most: rank ceil(share n); 0 of none.
fn lower_quantile(mut values: Vec<f64>, share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let rank = libm::ceil(share * values.len() as f64 - SLACK) as usize;
    let at = rank.clamp(1, values.len()) - 1;
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}
