//! Requests one by one: drawn, dispatched by several policies at once, handed over, read and paid for.
//!
//! Source: DiSCo (arXiv:2502.11417), section 5. Requests are independent of one another there, and then every figure is an
//! expectation that [`engine::evaluate::dispatch`] and [`engine::evaluate::dispatch_cost`] know exactly; the simulator is a
//! second way to them. What it adds is what no enumeration knows: times that follow one another (first-order autoregression
//! of their normal scores, which leaves their law as it is), devices that serve one request at a time, models that have to
//! be loaded, and arrivals in sessions or from a log.
//!
//! **Draws.** One stream a seed, six numbers a request, in this order: arrival, prompt length, T_s, output length, the coin
//! of mixed policies, T_s of a hand-over. All policies see the same requests, and whatever else changes changes no draw.
//!
//! **A device that is busy** serves in the order in which requests ask for it, to the end of their decoding. A request in its
//! line leaves it when the server's token comes, and counts as not started. A hand-over to a busy device does not take
//! place. **A device whose model is not loaded**, since it was never used or not for a time, takes the load time longer.
//!
//! **Ties.** In one instant devices become free first, then of the two first tokens that of the endpoint that is not scarce,
//! then requests ask for devices, hand over, and arrive.
//!
//! Complexity: O(1) a request and policy on average, O(log r) with r requests under way where devices are busy or cold;
//! memory does not grow with the number of requests, but with those in line.

mod busy;
mod race;
mod requests;
mod setting;
mod tally;
mod trials;

pub use setting::{ArrivalProcess, Cold, Contender, MOST_REQUESTS, RunSettings, TimeSource};
pub use tally::Figures;
pub use trials::{Halves, Trial, halves, trials};

use busy::QueueingSimulation;
use engine::problem::Invalid;
use race::Contest;
use requests::RequestSource;

/// A run that can be continued piece by piece.
#[derive(Debug)]
pub struct DispatchRunner<'a> {
    requests: RequestSource<'a>,
    contests: Vec<Contest<'a>>,
    /// Where requests meet one another.
    busy: Option<QueueingSimulation<'a>>,
}

impl<'a> DispatchRunner<'a> {
    /// A run of `count` requests, or of as many as the log of arrivals has.
    ///
    /// # Errors
    /// As [`RunSettings::check`]; more than [`MOST_REQUESTS`] at `requests`.
    pub fn new(
        setting: &'a RunSettings,
        contenders: &'a [Contender],
        count: usize,
        seed: u64,
    ) -> Result<Self, Invalid> {
        setting.check(contenders)?;
        if count > MOST_REQUESTS {
            let allowed = format!("a whole number up to {MOST_REQUESTS}");
            return Err(Invalid::range("requests", count, &allowed));
        }
        let contests = contenders.iter().map(|one| Contest::new(setting, one));
        let meets = setting.queueing || setting.cold.is_some();
        Ok(Self {
            requests: RequestSource::new(setting, count, seed),
            contests: contests.collect(),
            busy: meets.then(|| QueueingSimulation::new(setting, contenders.len())),
        })
    }

    /// Lets so many more requests arrive, and whether there is more to come. After the last everything is played to its end.
    pub fn advance(&mut self, count: usize) -> bool {
        if let Some(busy) = &mut self.busy {
            return busy.advance(&mut self.requests, &mut self.contests, count);
        }
        for _ in 0..count {
            let Some(request) = self.requests.next() else {
                return false;
            };
            for contest in &mut self.contests {
                contest.run(&request);
            }
        }
        self.requests.left() > 0
    }

    /// How many requests have arrived.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.requests.made()
    }

    /// Figures of what is over so far, one a policy.
    #[must_use]
    pub fn figures(&self) -> Vec<Figures> {
        self.contests.iter().map(Contest::figures).collect()
    }
}
