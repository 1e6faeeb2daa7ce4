//! Requests as they are drawn: six numbers each, always in the same order.

use super::setting::{ArrivalProcess, RunSettings, TimeSource};
use engine::sim::law::{BurstyLaw, normal_cdf, normal_quantile};
use engine::sim::{Discrete, Draw, Sessions};

/// A request, the same for all policies.
#[derive(Debug, Clone, Copy)]
pub(super) struct SimulatedRequest {
    /// Its number, from 0.
    pub number: u32,
    /// When it comes [s].
    pub arrival: f64,
    /// Which prompt length, from 0.
    pub length: usize,
    /// The server's time to the first token [s].
    pub server: f64,
    /// Tokens of the answer.
    pub output: u32,
    /// The random number of mixed policies, from 0 to below 1.
    pub policy_draw: f64,
    /// The server's time in a hand-over [s].
    pub again: f64,
}

/// All requests of a run.
#[derive(Debug)]
pub(super) struct RequestSource<'a> {
    setting: &'a RunSettings,
    draw: Draw,
    sessions: Option<Sessions>,
    lengths: Discrete,
    times: Discrete,
    outputs: Discrete,
    /// The time of the last arrival, and its normal score.
    now: f64,
    score: Option<f64>,
    made: usize,
    count: usize,
}

impl<'a> RequestSource<'a> {
    pub fn new(setting: &'a RunSettings, count: usize, seed: u64) -> Self {
        let sessions = match setting.arrivals {
            ArrivalProcess::Sessions => Some(Sessions::new(seed)),
            ArrivalProcess::Poisson { .. } | ArrivalProcess::Trace(_) => None,
        };
        let count = match &setting.arrivals {
            ArrivalProcess::Trace(times) => count.min(times.len()),
            ArrivalProcess::Poisson { .. } | ArrivalProcess::Sessions => count,
        };
        let problem = &setting.problem;
        let outputs = setting.terms.outputs.rows();
        Self {
            setting,
            draw: Draw::new(seed, 0),
            sessions,
            lengths: Discrete::new(problem.prompts().p().iter().copied()),
            times: Discrete::new(problem.times().weights().iter().copied()),
            outputs: Discrete::new(outputs.iter().map(|row| row.1)),
            now: 0.0,
            score: None,
            made: 0,
            count,
        }
    }

    /// How many have been made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.count - self.made
    }

    /// A number from 0 to 1 as correlated with the one before as the setting says.
    fn follow(&mut self, u: f64) -> f64 {
        let rho = self.setting.correlation;
        if rho == 0.0 {
            return u;
        }
        let fresh = normal_quantile(u.max(f64::EPSILON));
        let score = match self.score {
            Some(before) => rho * before + libm::sqrt(1.0 - rho * rho) * fresh,
            None => fresh,
        };
        self.score = Some(score);
        normal_cdf(score)
    }

    #[inline]
    fn time(&self, u: f64) -> f64 {
        match self.setting.times {
            TimeSource::Same => self.setting.problem.times().values()[self.times.at(u)],
            TimeSource::Law(law) => drawn(&law, u),
        }
    }
}

/// A time of a law with bursts from one number: which of the two it comes from, and what is left of it.
fn drawn(law: &BurstyLaw, u: f64) -> f64 {
    let (part, u) = if u < 1.0 - law.share {
        (law.body, u / (1.0 - law.share))
    } else {
        (law.burst, (u - (1.0 - law.share)) / law.share)
    };
    // Neither end is a time.
    part.quantile(u.clamp(f64::EPSILON, 1.0 - f64::EPSILON))
}

impl Iterator for RequestSource<'_> {
    type Item = SimulatedRequest;

    #[inline]
    fn next(&mut self) -> Option<SimulatedRequest> {
        if self.made == self.count {
            return None;
        }
        let number = self.made;
        self.made += 1;
        let gap = self.draw.exponential(1.0);
        self.now = match &self.setting.arrivals {
            ArrivalProcess::Poisson { gap: mean } => self.now + gap * mean,
            ArrivalProcess::Sessions => {
                let next = self.sessions.as_mut().and_then(Iterator::next);
                next.unwrap_or(self.now)
            }
            ArrivalProcess::Trace(times) => times[number],
        };
        let length = self.lengths.at(self.draw.unit());
        let u = self.draw.unit();
        let u = self.follow(u);
        let server = self.time(u);
        let output = self.setting.terms.outputs.rows()[self.outputs.at(self.draw.unit())].0;
        let coin = self.draw.unit();
        let again = self.draw.unit();
        Some(SimulatedRequest {
            number: number as u32,
            arrival: self.now,
            length,
            server,
            output,
            policy_draw: coin,
            again: self.time(again),
        })
    }
}
