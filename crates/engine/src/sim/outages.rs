//! Outages: when a resource cannot be chosen. An outage lasts from its start, included, to its end, excluded;
//! outages that overlap or touch are one.
//!
//! Complexity: O(n log n) to sort n outages; a question costs O(1) on average while time only goes forward.

use crate::units::InOrder;

/// The outages of resources 0 to n - 1.
#[derive(Debug, Clone, Default)]
pub struct Outages {
    /// Of each resource, apart and in order.
    spans: Vec<Vec<(f64, f64)>>,
    /// The first span of each resource that has not ended.
    at: Vec<usize>,
}

impl Outages {
    /// Outages (resource, from, to) [s] in any order; one that ends when it starts, or before, is none.
    #[must_use]
    pub fn new(resources: usize, given: impl IntoIterator<Item = (usize, f64, f64)>) -> Self {
        let mut spans: Vec<Vec<(f64, f64)>> = vec![Vec::new(); resources];
        for (resource, from, to) in given {
            if from < to {
                spans[resource].push((from, to));
            }
        }
        for list in &mut spans {
            list.in_order_by(|a, b| a.0.total_cmp(&b.0));
            let mut apart: Vec<(f64, f64)> = Vec::with_capacity(list.len());
            for &(from, to) in list.iter() {
                match apart.last_mut() {
                    Some(last) if from <= last.1 => last.1 = last.1.max(to),
                    _ => apart.push((from, to)),
                }
            }
            *list = apart;
        }
        Self {
            at: vec![0; resources],
            spans,
        }
    }

    /// Returns true if a resource is out at `now`. Calls must not go back in time.
    #[inline]
    pub fn is_out(&mut self, resource: usize, now: f64) -> bool {
        let spans = &self.spans[resource];
        let at = &mut self.at[resource];
        while spans.get(*at).is_some_and(|span| span.1 <= now) {
            *at += 1;
        }
        spans.get(*at).is_some_and(|span| span.0 <= now)
    }

    /// When resources come back: (time [s], resource), the earliest first, those of one instant by index.
    #[must_use]
    pub fn returns(&self) -> Vec<(f64, usize)> {
        let ends = |(resource, spans): (usize, &Vec<(f64, f64)>)| {
            let ends: Vec<_> = spans.iter().map(|span| (span.1, resource)).collect();
            ends
        };
        let mut returns: Vec<(f64, usize)> = self.spans.iter().enumerate().flat_map(ends).collect();
        returns.in_order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        returns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_outages_are_one_and_the_end_is_not_part_of_it() {
        let given = [
            (1, 5.0, 6.0),
            (1, 1.0, 2.0),
            (1, 1.5, 3.0),
            (1, 3.0, 4.0),
            (0, 7.0, 7.0),
            (0, 9.0, 8.0),
            (2, 2.0, 4.0),
        ];
        let mut outages = Outages::new(3, given);
        assert_eq!(outages.returns(), [(4.0, 1), (4.0, 2), (6.0, 1)]);
        let times = [0.0, 1.0, 2.0, 3.9, 4.0, 4.5, 5.0, 5.9, 6.0, 9.0];
        let out: Vec<bool> = times.iter().map(|t| outages.is_out(1, *t)).collect();
        let expected = [
            false, true, true, true, false, false, true, true, false, false,
        ];
        assert_eq!(out, expected);
        assert!(!outages.is_out(0, 7.0) && !outages.is_out(0, 8.5));
    }
}
