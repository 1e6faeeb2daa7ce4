//! A store: something there is so much of, memory for instance, that tasks reserve and give back. It keeps its own
//! account: the most that was ever reserved, and the mean over time.
//!
//! Complexity: O(1) for everything.

/// A reservation fits if it is at most so much larger than what is free: the rounding of a sum is no shortage.
const SLACK: f64 = 1e-9;

/// So much of something, some of it reserved. All amounts in one unit, times in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReservableResource {
    size: f64,
    reserved: f64,
    holders: u32,
    peak: f64,
    area: f64,
    since: f64,
}

impl ReservableResource {
    /// An empty store; `size` may be infinite.
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self {
            size,
            reserved: 0.0,
            holders: 0,
            peak: 0.0,
            area: 0.0,
            since: 0.0,
        }
    }

    /// Returns true if this much is free.
    #[must_use]
    #[inline]
    pub fn fits(&self, need: f64) -> bool {
        need <= self.size - self.reserved + SLACK
    }

    /// Reserves so much from `now` on, whether it fits or not.
    #[inline]
    pub fn reserve(&mut self, now: f64, need: f64) {
        self.pass(now);
        self.reserved += need;
        self.holders += 1;
        self.peak = self.peak.max(self.reserved);
    }

    /// Gives back what was reserved.
    #[inline]
    pub fn give_back(&mut self, now: f64, need: f64) {
        self.pass(now);
        self.holders -= 1;
        // What an empty store holds is known exactly: roundings do not add up over a long run.
        self.reserved = if self.holders == 0 {
            0.0
        } else {
            self.reserved - need
        };
    }

    /// The most that was ever reserved.
    #[must_use]
    pub fn peak(&self) -> f64 {
        self.peak
    }

    /// The mean of what is reserved from time 0 until now, times the time: the area under the curve.
    #[must_use]
    pub fn area(&self, now: f64) -> f64 {
        self.area + self.reserved * (now - self.since)
    }

    fn pass(&mut self, now: f64) {
        self.area += self.reserved * (now - self.since);
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_knows_what_is_free_its_peak_and_its_mean() {
        let mut store = ReservableResource::new(3.0);
        assert!(store.fits(3.0) && !store.fits(3.1));
        store.reserve(1.0, 2.0);
        assert!(store.fits(1.0) && !store.fits(1.1));
        store.reserve(2.0, 1.0);
        store.give_back(4.0, 2.0);
        assert!(store.fits(2.0) && !store.fits(2.1));
        store.give_back(6.0, 1.0);
        assert_eq!((store.peak(), store.area(10.0)), (3.0, 2.0 + 6.0 + 2.0));
    }

    #[test]
    fn released_capacity_is_free_again_after_any_number_of_rounds() {
        let mut store = ReservableResource::new(0.3);
        for round in 0..1000 {
            let now = f64::from(round);
            for _ in 0..3 {
                assert!(store.fits(0.1));
                store.reserve(now, 0.1);
            }
            assert!(!store.fits(0.1));
            for _ in 0..3 {
                store.give_back(now + 0.5, 0.1);
            }
        }
        assert!(ReservableResource::new(f64::INFINITY).fits(1e300));
    }
}
