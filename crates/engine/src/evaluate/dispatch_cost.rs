//! Evaluator of the cost of a policy of device or server and of the effects of migration on readers: exact expectations over
//! prompt lengths, the server's times and output lengths.
//!
//! Source: DiSCo (arXiv:2502.11417), sections 4.1 and 4.3, equation (8). The server's prompt is charged in full once it is
//! sent, and so is a device's once it is started, unless a cancelled one is charged pro rata. The time that the server takes
//! in a hand-over is drawn again. All figures are per request unless they say otherwise.
//!
//! A reader's delays depend on nothing but where and when a request moves and how long the hand-over takes. A token that is
//! late for one time of the server is late for every longer one, so each token has one threshold; the reader's gaps are
//! the longer of source's and reader's up to the hand-over, one of its own where the target is first awaited, and the
//! longer of target's and reader's behind it.
//!
//! Complexity: O(A log n + D) for A acts, n times and D prompt lengths, and O(n + N log n) more for every different hand-over
//! to the server after at most N tokens; O(A n) more where cancelled prefills are charged pro rata.

use crate::evaluate::dispatch::SHARE_SLACK;
use crate::plan::dispatch::{ActMixture, Policy, Scarce};
use crate::plan::moves::Moves;
use crate::problem::dispatch::{DispatchProblem, ServerTimes};
use crate::problem::dispatch_terms::{Charging, Terms};
use crate::problem::migration::{Migration, SLACK};
use serde::{Deserialize, Serialize};

/// The expected bill of a request, and what its reader sees. Money in millionths of a USD.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Bill {
    /// All of it.
    pub total: f64,
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
    /// Share of requests that change ends.
    pub moved: f64,
    /// Of those, the ones that leave the server.
    pub moved_to_device: f64,
    /// Mean of the tokens B that a reader takes while a hand-over is expected to last, over requests that change ends; none
    /// if none does.
    pub buffer_mean: Option<f64>,
    /// Buffer that 99 % of migrations do not exceed.
    pub buffer_p99: Option<f64>,
    /// Tokens that come later than the reader wants them.
    pub late: f64,
    /// Late tokens in a request that migrates; 0 if none does.
    pub late_of_moved: f64,
    /// The longest that a token can be awaited [s].
    pub max_stall: f64,
    /// 99 % of the gaps between shown tokens of all requests are at most this [s]; 0 if no answer has two.
    pub tbt_p99: f64,
}

/// Adds up the bill of a policy with these hand-overs.
///
/// # Panics
/// When policy, moves or terms are those of another instance.
#[must_use]
pub fn bill(
    problem: &DispatchProblem,
    policy: &Policy,
    scarce: Scarce,
    terms: &Terms,
    moves: &Moves,
) -> Bill {
    let mut sum = Sum::new(terms);
    let (prompts, devices) = (problem.prompts(), problem.devices());
    let mut by_group: Vec<(usize, u32, f64)> = Vec::new();
    for (i, mixture) in policy.acts.iter().enumerate() {
        let length = prompts.lengths()[i];
        let won = sum.races(problem, mixture, scarce, i);
        let l = f64::from(length);
        if won.server > 0.0 {
            match moves.from_server[i] {
                None => sum.stays(won.server, None),
                Some((m, g)) => {
                    let (rate, constant) = (devices[m].prefill_rate, devices[m].constant);
                    let migration = terms.to_device(m, rate, constant);
                    sum.moves(won.server, l, g, &migration, Some(m));
                    let takes = migration.handover(l, f64::from(g));
                    sum.reads(won.server, g, &migration, &HandoverTime::Fixed(takes));
                }
            }
        }
        for (m, share) in won.devices {
            match moves.from_device[m][i] {
                None => sum.stays(share, Some(m)),
                Some(g) => {
                    sum.moves(share, l, g, &terms.to_server(m), None);
                    // What readers see does not depend on the prompt.
                    let known = by_group.iter_mut().find(|row| (row.0, row.1) == (m, g));
                    match known {
                        Some(row) => row.2 += share,
                        None => by_group.push((m, g, share)),
                    }
                }
            }
        }
    }
    for (m, g, share) in by_group {
        let migration = terms.to_server(m);
        sum.reads(share, g, &migration, &HandoverTime::Drawn(problem.times()));
    }
    sum.finish()
}

/// How long a hand-over takes: what it is known to, or the server's time and `net`.
enum HandoverTime<'a> {
    Fixed(f64),
    Drawn(&'a ServerTimes),
}

impl HandoverTime<'_> {
    /// The longest that it can take [s].
    fn longest(&self, net: f64) -> f64 {
        match self {
            Self::Fixed(takes) => *takes,
            Self::Drawn(times) => times.values().last().map_or(net, |value| value + net),
        }
    }
}

/// Shares of requests by who came first.
struct Won {
    server: f64,
    /// Device by device, each once.
    devices: Vec<(usize, f64)>,
}

/// Sums so far.
struct Sum<'a> {
    terms: &'a Terms,
    bill: Bill,
    late_of_moved: f64,
    /// Weights of the reader's own gap, and gaps with theirs.
    at_pace: f64,
    gaps: Vec<(f64, f64)>,
    /// Tokens B with their weights.
    buffers: Vec<(f64, f64)>,
}

impl<'a> Sum<'a> {
    fn new(terms: &'a Terms) -> Self {
        Self {
            terms,
            bill: Bill::default(),
            late_of_moved: 0.0,
            at_pace: 0.0,
            gaps: Vec::new(),
            buffers: Vec::new(),
        }
    }

    /// Adds the winners of the requests of one length, and the cost of the prompts.
    fn races(
        &mut self,
        problem: &DispatchProblem,
        mixture: &ActMixture,
        scarce: Scarce,
        i: usize,
    ) -> Won {
        let (length, p) = (problem.prompts().lengths()[i], problem.prompts().p()[i]);
        let l = f64::from(length);
        let times = problem.times();
        let server_price = self.terms.server.prefill;
        let mut won = Won {
            server: 0.0,
            devices: Vec::new(),
        };
        for (probability, act) in mixture {
            let share = p * probability;
            let Some((m, wait)) = act.device else {
                won.server += share;
                self.bill.server_prefill += share * server_price * l;
                continue;
            };
            let device = &problem.devices()[m];
            let price = self.terms.devices[m].prefill;
            let cut = wait + device.first_token(length);
            let wins = match (act.server, scarce) {
                (false, _) => 0,
                (true, Scarce::Device) => times.until(cut),
                (true, Scarce::Server) => times.values().partition_point(|value| *value < cut),
            };
            let device_wins = share * times.tail_at(wins);
            let server_wins = if wins == 0 { 0.0 } else { share - device_wins };
            won.server += server_wins;
            match won.devices.iter_mut().find(|(known, _)| *known == m) {
                Some((_, sum)) => *sum += device_wins,
                None => won.devices.push((m, device_wins)),
            }
            self.bill.server_prefill += server_wins * server_price * l;
            self.bill.device_prefill += device_wins * price * l;
            if !act.server {
                continue;
            }
            self.bill.lost_prefill += device_wins * server_price * l;
            let started = times.until(wait);
            self.bill.lost_prefill += match self.terms.charging {
                Charging::Full => {
                    let cancelled = times.tail_at(started.min(wins)) - times.tail_at(wins);
                    share * cancelled * price * l
                }
                Charging::ProRata => {
                    let cancelled = started.min(wins)..wins;
                    let atoms = times.values()[cancelled.clone()].iter();
                    let done = |v: &f64| libm::floor((v - wait) * device.prefill_rate).min(l);
                    let tokens: f64 = atoms
                        .zip(&times.weights()[cancelled])
                        .map(|(v, weight)| weight * done(v))
                        .sum();
                    share * tokens / times.total() * price
                }
            };
        }
        won.devices.retain(|(_, share)| *share > 0.0);
        won
    }

    /// Requests that end where they began: on the server, or on a device.
    fn stays(&mut self, share: f64, device: Option<usize>) {
        let outputs = &self.terms.outputs;
        let end = device.map_or(self.terms.server, |m| self.terms.devices[m]);
        let decode = share * end.decode * outputs.mean();
        match device {
            None => self.bill.server_decode += decode,
            Some(_) => self.bill.device_decode += decode,
        }
        let late = self.source(share, end.rate, outputs.longest());
        self.bill.late += late;
    }

    /// The money of requests that move after `g` tokens: to a device, or to the server.
    fn moves(&mut self, share: f64, l: f64, g: u32, migration: &Migration, to: Option<usize>) {
        let outputs = &self.terms.outputs;
        let (tokens, moved) = (f64::from(g), share * outputs.more(g));
        let before = share * migration.source.decode * outputs.least(g);
        let again = moved * migration.target.prefill * (l + tokens);
        let after = share * migration.target.decode * (outputs.mean() - outputs.least(g));
        let bill = &mut self.bill;
        match to {
            Some(_) => {
                bill.server_decode += before;
                bill.device_prefill += again;
                bill.device_decode += after;
                bill.moved_to_device += moved;
            }
            None => {
                bill.device_decode += before;
                bill.server_prefill += again;
                bill.server_decode += after;
            }
        }
        bill.moved += moved;
        if moved > 0.0 {
            self.buffers.push((migration.buffer(l, tokens), moved));
        }
    }

    /// Tokens before number `until` that one end emits from the start: their gaps, and how many are late.
    fn source(&mut self, share: f64, rate: f64, until: u32) -> f64 {
        let (outputs, reader) = (&self.terms.outputs, self.terms.reader);
        let gaps = share * (outputs.least(until) - outputs.least(1));
        if rate >= reader {
            self.at_pace += gaps;
            return 0.0;
        }
        self.gaps.push((1.0 / rate, gaps));
        let stall = f64::from(until - 1) / rate - f64::from(until - 1) / reader;
        self.bill.max_stall = self.bill.max_stall.max(stall);
        let first = first_late(rate, reader, until);
        share * (outputs.least(until) - outputs.least(first))
    }

    /// Adds the delays that readers of requests see that migrate after `g` tokens.
    fn reads(&mut self, share: f64, g: u32, migration: &Migration, takes: &HandoverTime<'_>) {
        let (outputs, reader) = (&self.terms.outputs, self.terms.reader);
        let count = outputs.longest();
        let early = self.source(share, migration.source.rate, g.min(count));
        self.bill.late += early;
        let moved = share * outputs.more(g);
        if moved == 0.0 {
            return;
        }
        self.late_of_moved += moved * f64::from(g - first_late(migration.source.rate, reader, g));
        let from = f64::from(g - 1) / migration.source.rate;
        // When token j is there, less the time that the hand-over takes, and when it is wanted.
        let there = |j: u32| from + f64::from(j - g) / migration.target.rate;
        let wanted = |j: u32| f64::from(j) / reader;
        let longest = takes.longest(migration.net);
        for j in [g, count - 1] {
            self.bill.max_stall = self.bill.max_stall.max(longest + there(j) - wanted(j));
        }
        let late: f64 = match takes {
            HandoverTime::Fixed(takes) => {
                let is_late = |j: u32| takes + there(j) > wanted(j) + SLACK;
                let (from, to) = if migration.target.rate >= reader {
                    (g, first_from(g, count, |j| !is_late(j)))
                } else {
                    (first_from(g, count, is_late), count)
                };
                outputs.least(to) - outputs.least(from)
            }
            HandoverTime::Drawn(times) => {
                let threshold = |j: u32| wanted(j) + SLACK - there(j) - migration.net;
                let tokens = (g..count).map(|j| outputs.more(j) * times.tail(threshold(j)));
                tokens.sum()
            }
        };
        self.bill.late += share * late;
        self.late_of_moved += share * late;
        let shown = f64::from(g - 1) / migration.source.rate.min(reader);
        match takes {
            HandoverTime::Fixed(takes) => self.gaps_behind(share, g, migration, *takes, shown),
            HandoverTime::Drawn(times) => {
                let total = times.total();
                for (value, weight) in times.values().iter().zip(times.weights()) {
                    let share = share * weight / total;
                    self.gaps_behind(share, g, migration, value + migration.net, shown);
                }
            }
        }
    }

    /// The gaps from token `g` on, where token `g` - 1 was shown at `shown` and the hand-over takes so long.
    fn gaps_behind(&mut self, share: f64, g: u32, migration: &Migration, takes: f64, shown: f64) {
        let (outputs, reader) = (&self.terms.outputs, self.terms.reader);
        let count = outputs.longest();
        let pace = 1.0 / reader;
        let rate = migration.target.rate;
        let from = f64::from(g - 1) / migration.source.rate + takes;
        let there = |j: u32| from + f64::from(j - g) / rate;
        let taken = |j: u32| shown + f64::from(j - g + 1) / reader;
        // The first token that is awaited; behind it the target sets the pace, or the reader does.
        let awaited = if rate >= reader {
            if there(g) > taken(g) { g } else { count }
        } else {
            first_from(g, count, |j| there(j) > taken(j))
        };
        self.at_pace += share * (outputs.least(awaited) - outputs.least(g));
        if awaited == count {
            return;
        }
        let before = taken(awaited) - pace;
        let weight = share * outputs.more(awaited);
        self.gaps.push((there(awaited) - before, weight));
        let behind = share * (outputs.mean() - outputs.least(awaited + 1));
        if rate >= reader {
            self.at_pace += behind;
        } else {
            self.gaps.push((1.0 / rate, behind));
        }
    }

    fn finish(mut self) -> Bill {
        let bill = &mut self.bill;
        bill.total = bill.server_prefill
            + bill.server_decode
            + bill.device_prefill
            + bill.device_decode
            + bill.lost_prefill;
        if bill.moved > 0.0 {
            let tokens: f64 = self.buffers.iter().map(|(b, weight)| b * weight).sum();
            bill.buffer_mean = Some(tokens / bill.moved);
            bill.buffer_p99 = quantile(&mut self.buffers);
            bill.late_of_moved = self.late_of_moved / bill.moved;
        }
        self.gaps.push((1.0 / self.terms.reader, self.at_pace));
        bill.tbt_p99 = quantile(&mut self.gaps).unwrap_or(0.0);
        self.bill
    }
}

/// The first late token of those before `until` that one end emits from the start; `until` if none is. O(log N).
fn first_late(rate: f64, reader: f64, until: u32) -> u32 {
    first_from(0, until, |j| {
        f64::from(j) / rate - f64::from(j) / reader > SLACK
    })
}

/// The first of `from..until` of which `holds` is true, as it is of all behind it; `until` if there is none. O(log n).
fn first_from(from: u32, until: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (from, until.max(from));
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The least value that 99 % of the weight is at most; nothing where there is no weight. O(n log n).
fn quantile(rows: &mut [(f64, f64)]) -> Option<f64> {
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let total: f64 = rows.iter().map(|row| row.1).sum();
    let enough = total * (0.99 - SHARE_SLACK);
    let mut sum = 0.0;
    let at = rows.iter().find(|(_, weight)| {
        sum += weight;
        *weight > 0.0 && sum >= enough
    });
    at.map(|(value, _)| *value)
}
