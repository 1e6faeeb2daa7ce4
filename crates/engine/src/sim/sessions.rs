//! Arrivals of people who come and go: sessions of requests, with pauses in between.
//!
//! Source: an assumption in the manner of the DiffusionDB log (Wang and others, 2023), from which DiSCo (arXiv:2502.11417)
//! takes its arrivals. Ten users, the busiest sixteen times as busy as the quietest; within a session gaps are log-normal
//! around 30 s and sessions have eight requests on average, between sessions gaps are log-normal around an hour.

use super::law::LogNormal;
use super::{Draw, EventKey, EventQueue};

/// Users.
const USERS: u32 = 10;
/// From the quietest to the busiest: how many times as busy as the one in the middle.
const ACTIVITY: [f64; 2] = [0.25, 4.0];
/// Requests in a session, on average.
const REQUESTS: f64 = 8.0;

/// Arrival times [s] of all users together, in order, without end.
#[derive(Debug, Clone)]
pub struct Sessions {
    users: Vec<Draw>,
    queue: EventQueue,
    within: LogNormal,
    between: LogNormal,
}

impl Sessions {
    /// The arrivals of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut sessions = Self {
            // Stream 0 of the seed is for what requests are like.
            users: (0..USERS)
                .map(|user| Draw::new(seed, u64::from(user) + 1))
                .collect(),
            queue: EventQueue::default(),
            within: LogNormal {
                log_mean: libm::log(30.0),
                log_sd: 1.2,
            },
            between: LogNormal {
                log_mean: libm::log(3600.0),
                log_sd: 1.5,
            },
        };
        for user in 0..USERS {
            let first = sessions.gap(user, false);
            sessions.queue.put(EventKey::new(first, 0, user, 0), ());
        }
        sessions
    }

    /// Seconds to the next request of a user, in a session or before one.
    fn gap(&mut self, user: u32, within: bool) -> f64 {
        let law = if within { self.within } else { self.between };
        let place = f64::from(user) / f64::from(USERS - 1);
        let activity = ACTIVITY[0] * libm::pow(ACTIVITY[1] / ACTIVITY[0], place);
        law.quantile(self.users[user as usize].unit()) / activity
    }
}

impl Iterator for Sessions {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let (key, ()) = self.queue.pop()?;
        let (now, user) = (key.time(), key.first());
        let goes_on = self.users[user as usize].unit() >= 1.0 / REQUESTS;
        let next = now + self.gap(user, goes_on);
        self.queue.put(EventKey::new(next, 0, user, 0), ());
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_are_in_order_and_come_in_sessions() {
        let times: Vec<f64> = Sessions::new(5).take(20_000).collect();
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(times[..50], Sessions::new(5).take(50).collect::<Vec<_>>());
        assert_ne!(times[0], Sessions::new(6).next().expect("no end"));
        // Sessions: gaps vary far more than those of a Poisson stream, whose deviation is their mean.
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let square = gaps.iter().map(|gap| gap * gap).sum::<f64>() / gaps.len() as f64;
        assert!(square > 3.0 * mean * mean, "{mean}, {square}");
        let short = gaps.iter().filter(|gap| **gap < 30.0).count() as f64 / gaps.len() as f64;
        assert!((0.4..0.8).contains(&short), "{short}");
    }
}
