//! A policy on its way through requests: who starts, who wins, what a hand-over does, and the bill.

use super::requests::SimulatedRequest;
use super::setting::{Contender, RunSettings};
use super::tally::{Figures, Money, RunningTotals};
use engine::plan::dispatch::{Scarce, Starts};
use engine::problem::dispatch_terms::{Charging, Terms};
use engine::problem::migration::{Migration, SLACK};

/// A policy, with what follows from it worked out beforehand.
#[derive(Debug)]
pub(super) struct Contest<'a> {
    terms: &'a Terms,
    pub scarce: Scarce,
    /// The acts of all lengths, one after the other, each with the share of coins up to it; and where each length begins.
    acts: Vec<(f64, RaceStarts)>,
    begins: Vec<usize>,
    /// Prompt tokens by length.
    tokens: Vec<f64>,
    rates: Vec<f64>,
    from_server: Vec<Option<(usize, PlannedMove)>>,
    from_device: Vec<Vec<Option<PlannedMove>>>,
    pub tally: RunningTotals,
}

/// Starts of a request on server and devices.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaceStarts {
    pub server: bool,
    pub device: Option<Wait>,
}

/// A device that may start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub device: usize,
    /// It starts this long after the request [s] if no token has come.
    pub wait: f64,
    /// It has its first token so long after it starts [s].
    pub first_token_s: f64,
}

/// A hand-over.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedMove {
    /// Tokens before it.
    pub after: u32,
    /// When the source stops, from the first token on [s].
    pub from: f64,
    /// How long it takes [s]; to a server, without the server's own time.
    pub duration_s: f64,
    /// Tokens a second of the source.
    pub source: f64,
    /// Tokens a second of the target.
    pub target: f64,
    /// Tokens B.
    pub buffer: f64,
}

impl PlannedMove {
    fn new(migration: &Migration, l: f64, after: u32, takes: f64) -> Self {
        let tokens = f64::from(after);
        Self {
            after,
            from: (tokens - 1.0) / migration.source.rate,
            duration_s: takes,
            source: migration.source.rate,
            target: migration.target.rate,
            buffer: migration.buffer(l, tokens),
        }
    }
}

/// The endpoint that came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Winning {
    Server,
    Device(usize),
}

/// How a race went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Raced {
    pub first: Winning,
    /// The time to the first token [s].
    pub ttft: f64,
    pub server_started: bool,
    /// The device that started, and how much of the prompt it is charged if it lost.
    pub device_started: Option<(usize, f64)>,
}

impl<'a> Contest<'a> {
    pub fn new(setting: &'a RunSettings, contender: &Contender) -> Self {
        let (problem, terms) = (&setting.problem, &setting.terms);
        let devices = problem.devices();
        let lengths = problem.prompts().lengths();
        let mut acts = Vec::new();
        let mut begins = Vec::with_capacity(lengths.len());
        for (length, mixture) in lengths.iter().zip(&contender.policy.acts) {
            begins.push(acts.len());
            let mut sum = 0.0;
            for (probability, Starts { server, device }) in mixture {
                sum += probability;
                let device = device.map(|(m, wait)| Wait {
                    device: m,
                    wait,
                    first_token_s: devices[m].first_token(*length),
                });
                let server = *server;
                acts.push((sum, RaceStarts { server, device }));
            }
            // Whatever is left over by rounding belongs to the last.
            if let Some(last) = acts.last_mut() {
                last.0 = f64::INFINITY;
            }
        }
        let tokens: Vec<f64> = lengths.iter().map(|l| f64::from(*l)).collect();
        let moves = &contender.moves;
        let from_server = moves.from_server.iter().zip(&tokens).map(|(to, l)| {
            to.map(|(m, g)| {
                let migration = terms.to_device(m, devices[m].prefill_rate, devices[m].constant);
                let takes = migration.handover(*l, f64::from(g));
                (m, PlannedMove::new(&migration, *l, g, takes))
            })
        });
        let from_device = moves.from_device.iter().enumerate().map(|(m, list)| {
            let migration = terms.to_server(m);
            let to = list.iter().zip(&tokens);
            to.map(|(g, l)| g.map(|g| PlannedMove::new(&migration, *l, g, terms.net)))
                .collect()
        });
        Self {
            terms,
            scarce: contender.scarce,
            acts,
            begins,
            from_server: from_server.collect(),
            from_device: from_device.collect(),
            tokens,
            rates: devices.iter().map(|device| device.prefill_rate).collect(),
            tally: RunningTotals::default(),
        }
    }

    pub fn figures(&self) -> Figures {
        self.tally.figures(self.terms.reader)
    }

    /// Decides the starts of a request.
    #[inline]
    pub fn start(&self, request: &SimulatedRequest) -> RaceStarts {
        let mut at = self.begins[request.length];
        while self.acts[at].0 <= request.policy_draw {
            at += 1;
        }
        self.acts[at].1
    }

    /// A request that meets no other.
    #[inline]
    pub fn run(&mut self, request: &SimulatedRequest) {
        let start = self.start(request);
        let server = request.server;
        let raced = match start.device {
            None => self.server_alone(server),
            // The server's token at the very end of the wait comes before the device.
            Some(Wait { wait, .. }) if start.server && server <= wait => self.server_alone(server),
            Some(Wait {
                device,
                wait,
                first_token_s: takes,
            }) => {
                let there = wait + takes;
                let loses = start.server
                    && match self.scarce {
                        Scarce::Device => server <= there,
                        Scarce::Server => server < there,
                    };
                if loses {
                    let done = self.done(request.length, device, server - wait);
                    Raced {
                        first: Winning::Server,
                        ttft: server,
                        server_started: true,
                        device_started: Some((device, done)),
                    }
                } else {
                    Raced {
                        first: Winning::Device(device),
                        ttft: there,
                        server_started: start.server,
                        device_started: Some((device, 0.0)),
                    }
                }
            }
        };
        let planned = self.planned(request, raced.first);
        self.finish(request, &raced, planned);
    }

    /// A race without a device in it.
    pub fn server_alone(&self, ttft: f64) -> Raced {
        Raced {
            first: Winning::Server,
            ttft,
            server_started: true,
            device_started: None,
        }
    }

    /// Returns the tokens charged to a device that was cancelled after some time on a prompt [s].
    #[inline]
    pub fn done(&self, length: usize, device: usize, seconds: f64) -> f64 {
        let l = self.tokens[length];
        match self.terms.charging {
            Charging::Full => l,
            Charging::ProRata => libm::floor(seconds * self.rates[device]).clamp(0.0, l),
        }
    }

    /// The hand-over of a request that this end won, if its answer is long enough; `takes` is all of its time.
    #[inline]
    pub fn planned(&self, request: &SimulatedRequest, first: Winning) -> Option<PlannedMove> {
        let planned = match first {
            Winning::Server => self.from_server[request.length].map(|(_, planned)| planned),
            Winning::Device(m) => self.from_device[m][request.length].map(|planned| PlannedMove {
                duration_s: planned.duration_s + request.again,
                ..planned
            }),
        };
        planned.filter(|planned| planned.after < request.output)
    }

    /// The device that takes over from the server.
    pub fn target(&self, request: &SimulatedRequest) -> usize {
        self.from_server[request.length].map_or(0, |(m, _)| m)
    }

    /// Counts a request that is over: its race, its bill, and what its reader saw. The hand-over's `takes` is all of its time.
    #[inline]
    pub fn finish(
        &mut self,
        request: &SimulatedRequest,
        raced: &Raced,
        moved: Option<PlannedMove>,
    ) {
        let l = self.tokens[request.length];
        let tally = &mut self.tally;
        tally.ttft.add(raced.ttft);
        tally.tokens += l;
        tally.server_tokens += if raced.server_started { l } else { 0.0 };
        tally.device_tokens += raced.device_started.map_or(0.0, |_| l);
        let class = match (raced.server_started, raced.device_started, raced.first) {
            (true, None, _) => &mut tally.server_only,
            (false, _, _) => &mut tally.device_only,
            (true, Some(_), Winning::Device(_)) => &mut tally.device_wins,
            (true, Some(_), Winning::Server) => &mut tally.server_wins,
        };
        *class += 1.0;
        let mut money = self.prompts(l, raced);
        let (output, kept) = (f64::from(request.output), moved.map(|moved| moved.after));
        let kept = kept.map_or(output, f64::from);
        match raced.first {
            Winning::Server => {
                money.server_decode = self.terms.server.decode * kept;
                if moved.is_some() {
                    let end = self.terms.devices[self.target(request)];
                    money.device_prefill += end.prefill * (l + kept);
                    money.device_decode = end.decode * (output - kept);
                }
            }
            Winning::Device(m) => {
                money.device_decode = self.terms.devices[m].decode * kept;
                if moved.is_some() {
                    let end = self.terms.server;
                    money.server_prefill += end.prefill * (l + kept);
                    money.server_decode = end.decode * (output - kept);
                }
            }
        }
        self.tally.pay(&money);
        match moved {
            None => {
                let rate = match raced.first {
                    Winning::Server => self.terms.server.rate,
                    Winning::Device(m) => self.terms.devices[m].rate,
                };
                let late = self.steady(rate, request.output);
                self.tally.late += late;
            }
            Some(moved) => {
                self.tally.moved += 1.0;
                self.tally.moved_to_device += f64::from(u8::from(raced.first == Winning::Server));
                self.tally.buffers.add(moved.buffer);
                let late =
                    self.steady(moved.source, moved.after) + self.behind(&moved, request.output);
                self.tally.late += late;
                self.tally.late_of_moved += late;
            }
        }
    }

    /// Prompts of a race: what the winner's costs, and the loser's.
    #[inline]
    fn prompts(&self, l: f64, raced: &Raced) -> Money {
        let mut money = Money::default();
        let server = self.terms.server.prefill * l;
        match raced.first {
            Winning::Server => {
                money.server_prefill = server;
                if let Some((m, done)) = raced.device_started {
                    money.lost_prefill = self.terms.devices[m].prefill * done;
                }
            }
            Winning::Device(m) => {
                money.device_prefill = self.terms.devices[m].prefill * l;
                if raced.server_started {
                    money.lost_prefill = server;
                }
            }
        }
        money
    }

    /// The first `count` tokens of one end: their gaps, and how many of them are late.
    #[inline]
    fn steady(&mut self, rate: f64, count: u32) -> f64 {
        let reader = self.terms.reader;
        let gaps = f64::from(count - 1);
        if rate >= reader {
            self.tally.at_pace += gaps;
            return 0.0;
        }
        self.tally.gaps.add_many(1.0 / rate, gaps);
        let lateness = |j: u32| f64::from(j) / rate - f64::from(j) / reader;
        self.tally.max_stall = self.tally.max_stall.max(lateness(count - 1));
        f64::from(count - first(0, count, |j| lateness(j) > SLACK))
    }

    /// The tokens behind a hand-over: the same.
    #[inline]
    fn behind(&mut self, moved: &PlannedMove, count: u32) -> f64 {
        let (reader, g) = (self.terms.reader, moved.after);
        let tally = &mut self.tally;
        let there = |j: u32| moved.from + moved.duration_s + f64::from(j - g) / moved.target;
        let lateness = |j: u32| there(j) - f64::from(j) / reader;
        let keeps_up = moved.target >= reader;
        let worst = lateness(if keeps_up { g } else { count - 1 });
        tally.max_stall = tally.max_stall.max(worst).max(lateness(g));
        let late = if keeps_up {
            first(g, count, |j| lateness(j) <= SLACK) - g
        } else {
            count - first(g, count, |j| lateness(j) > SLACK)
        };
        // When the reader would take token j, had none been awaited since the hand-over.
        let shown = f64::from(g - 1) / moved.source.min(reader);
        let taken = |j: u32| shown + f64::from(j + 1 - g) / reader;
        let awaited = if keeps_up {
            if there(g) > taken(g) { g } else { count }
        } else {
            first(g, count, |j| there(j) > taken(j))
        };
        tally.at_pace += f64::from(awaited - g);
        if awaited < count {
            tally
                .gaps
                .add(there(awaited) - taken(awaited) + 1.0 / reader);
            let behind = f64::from(count - awaited - 1);
            if keeps_up {
                tally.at_pace += behind;
            } else {
                tally.gaps.add_many(1.0 / moved.target, behind);
            }
        }
        f64::from(late)
    }
}

/// The first of `from..until` of which `holds` is true, as it is of all behind it; `until` if there is none.
#[inline]
fn first(from: u32, until: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (from, until);
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
