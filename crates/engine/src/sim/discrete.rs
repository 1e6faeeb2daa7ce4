//! Draws from a discrete law in constant time: the inverse of its distribution, with a table that says where to begin.
//!
//! Source: the method of guide tables, Chen and Asau (1974). One uniform number gives one index, and a larger number never a
//! smaller index, so that two runs on the same numbers stay in step.

/// A discrete law over indices 0, 1, 2, ….
#[derive(Debug, Clone, PartialEq)]
pub struct Discrete {
    /// Share of all indices up to each one; the last is 1.
    until: Vec<f64>,
    /// For each of as many equal parts of 0..1 the first index that it can mean.
    guide: Vec<u32>,
}

impl Discrete {
    /// The law with these weights: at least one, none below 0, their sum above.
    ///
    /// # Complexity
    /// O(n) time and memory.
    ///
    /// # Panics
    /// On an empty list.
    #[must_use]
    pub fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let mut until: Vec<f64> = weights
            .into_iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        until.iter_mut().for_each(|share| *share /= sum);
        // Indices behind the last with any weight share its place: nothing is above 1.
        let count = until.len();
        assert!(count > 0, "a law has an index");
        let mut guide = Vec::with_capacity(count);
        let mut index = 0;
        for part in 0..count {
            let from = part as f64 / count as f64;
            while index + 1 < count && until[index] <= from {
                index += 1;
            }
            guide.push(index as u32);
        }
        Self { until, guide }
    }

    /// The index of a number from 0 to below 1. O(1) on average.
    #[must_use]
    #[inline]
    pub fn at(&self, u: f64) -> usize {
        let part = (u * self.guide.len() as f64) as usize;
        let mut index = self.guide[part.min(self.guide.len() - 1)] as usize;
        while self.until[index] <= u && index + 1 < self.until.len() {
            index += 1;
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Draw;

    #[test]
    fn indices_are_those_of_a_search_from_the_start() {
        let mut draw = Draw::new(3, 0);
        for count in [1, 2, 3, 10, 1000] {
            let weights: Vec<f64> = (0..count)
                .map(|i| if i % 3 == 1 { 0.0 } else { draw.unit() + 0.01 })
                .collect();
            let law = Discrete::new(weights.iter().copied());
            let total: f64 = weights.iter().sum();
            for _ in 0..2000 {
                let u = draw.unit();
                let mut sum = 0.0;
                let plain = weights.iter().position(|weight| {
                    sum += weight;
                    sum / total > u
                });
                let plain = plain.unwrap_or(count - 1);
                assert_eq!(law.at(u), plain, "{u} of {count}");
                assert!(weights[plain] > 0.0);
            }
            assert_eq!(law.at(0.0), 0);
        }
    }

    #[test]
    fn a_law_has_its_frequencies() {
        let law = Discrete::new([1.0, 0.0, 3.0]);
        let mut draw = Draw::new(8, 0);
        let mut counts = [0; 3];
        (0..40_000).for_each(|_| counts[law.at(draw.unit())] += 1);
        assert_eq!(counts[1], 0);
        assert!((9700..10_300).contains(&counts[0]), "{counts:?}");
        assert_eq!(law.at(1.0), 2, "even where rounding gives a whole");
    }
}
