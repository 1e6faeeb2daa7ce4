//! Sorting that is compiled once. The standard library's sort is compiled again for every element and every comparison,
//! some 4 kB each in the page; this one is for lists that people look at. Solvers sort by the library's own.

use std::cmp::Ordering;

/// Lists that can be put in order; what is equal keeps its order.
pub trait InOrder<T> {
    /// Sorts by a comparison.
    ///
    /// # Complexity
    /// O(n log n) comparisons, O(n) moves, n indices of memory.
    fn in_order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key, which is made for every comparison.
    fn in_order_of<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.in_order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> InOrder<T> for [T] {
    fn in_order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = order(self.len(), &|a, b| compare(&self[a], &self[b]));
        put(order, &mut |a, b| self.swap(a, b));
    }
}

/// The indices below `len` as a stable sort leaves them.
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Takes every element to its place, cycle by cycle: the one from `order[at]` belongs at `at`.
fn put(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let from = order[at];
            swap(at, from);
            order[at] = at;
            at = from;
        }
        order[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use super::InOrder;
    use std::cmp::Reverse;

    #[test]
    fn the_sort_equals_the_library_s_and_is_stable() {
        // Every list of six elements of four values, and its places.
        for number in 0..4_u32.pow(6) {
            let list: Vec<(u32, u32)> = (0..6).map(|at| (number / 4_u32.pow(at) % 4, at)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.in_order_of(|(value, _)| *value);
            theirs.sort_by_key(|(value, _)| *value);
            assert_eq!(ours, theirs);
            ours.in_order_by(|a, b| b.0.cmp(&a.0));
            theirs.sort_by_key(|(value, _)| Reverse(*value));
            assert_eq!(ours, theirs);
        }
    }
}
