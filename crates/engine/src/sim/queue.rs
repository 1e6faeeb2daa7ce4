//! The event queue: the earliest event first, and among events of one instant an order that is part of the model.
//!
//! A [`EventKey`] is one 128-bit number: the bits of the time, which for numbers from 0 up are ordered as the numbers
//! are, then a class (what happens first in an instant), then two indices. One comparison of integers so decides
//! between any two events, and two runs can never order them differently.
//!
//! Complexity: O(log n) for putting in and taking out, n events waiting; no allocation once the queue has grown.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The place of an event among all others: by time, then class, then two indices, the lower first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventKey(u128);

impl EventKey {
    /// The place of an event at `time` [s], 0 or above and finite.
    #[must_use]
    #[inline]
    pub fn new(time: f64, class: u8, first: u32, second: u16) -> Self {
        debug_assert!(time >= 0.0 && time.is_finite(), "an event at {time}");
        // The sum turns -0 into 0, whose bits would otherwise come last.
        let moment = (time + 0.0).to_bits();
        let order = u64::from(class) << 56 | u64::from(first) << 24 | u64::from(second) << 8;
        Self(u128::from(moment) << 64 | u128::from(order))
    }

    /// When it happens [s].
    #[must_use]
    #[inline]
    pub fn time(self) -> f64 {
        f64::from_bits((self.0 >> 64) as u64)
    }

    /// Rank of the event among those of one instant.
    #[must_use]
    #[inline]
    pub fn class(self) -> u8 {
        (self.0 >> 56) as u8
    }

    /// The index that decides within a class.
    #[must_use]
    #[inline]
    pub fn first(self) -> u32 {
        (self.0 >> 24) as u32
    }

    /// The index that decides when all else is equal.
    #[must_use]
    #[inline]
    pub fn second(self) -> u16 {
        (self.0 >> 8) as u16
    }
}

/// Events that wait for their time. `E` is what an event carries besides its key; often nothing.
///
/// Keys have to differ: the order of two equal keys is not specified.
#[derive(Debug, Clone)]
pub struct EventQueue<E = ()> {
    heap: BinaryHeap<Waiting<E>>,
}

#[derive(Debug, Clone, Copy)]
struct Waiting<E> {
    key: EventKey,
    event: E,
}

// The standard heap has the greatest on top; here that is the earliest.
impl<E> Ord for Waiting<E> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<E> PartialOrd for Waiting<E> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Waiting<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Waiting<E> {}

impl<E> Default for EventQueue<E> {
    fn default() -> Self {
        Self {
            heap: BinaryHeap::new(),
        }
    }
}

impl<E> EventQueue<E> {
    /// An empty queue with room for `events`.
    #[must_use]
    pub fn with_room(events: usize) -> Self {
        Self {
            heap: BinaryHeap::with_capacity(events),
        }
    }

    /// Puts in an event. O(log n), and O(1) for one that is later than most.
    #[inline]
    pub fn put(&mut self, key: EventKey, event: E) {
        self.heap.push(Waiting { key, event });
    }

    /// Takes out the earliest event. O(log n).
    #[inline]
    pub fn pop(&mut self) -> Option<(EventKey, E)> {
        self.heap.pop().map(|waiting| (waiting.key, waiting.event))
    }

    /// The key of the earliest event.
    #[must_use]
    #[inline]
    pub fn next(&self) -> Option<EventKey> {
        self.heap.peek().map(|waiting| waiting.key)
    }

    /// How many events wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns true if no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gives_back_what_it_was_made_of_and_orders_by_it() {
        let key = EventKey::new(2.5, 2, 4_000_000_000, 65_000);
        assert_eq!(
            (key.time(), key.class(), key.first(), key.second()),
            (2.5, 2, 4_000_000_000, 65_000)
        );
        let ordered = [
            EventKey::new(-0.0, 0, 0, 0),
            EventKey::new(0.0, 0, 0, 1),
            EventKey::new(0.0, 0, 1, 0),
            EventKey::new(0.0, 1, 0, 0),
            EventKey::new(f64::MIN_POSITIVE, 0, 0, 0),
            EventKey::new(1.0, 0, 9, 0),
            EventKey::new(1.0, 2, 0, 0),
            EventKey::new(1.0 + f64::EPSILON, 0, 0, 0),
            EventKey::new(f64::MAX, 0, 0, 0),
        ];
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn events_come_out_in_the_order_of_their_keys_whatever_the_order_they_went_in() {
        let mut queue = EventQueue::default();
        for (task, time) in [3.0, 1.0, 2.0, 1.0, 0.0, 3.0].into_iter().enumerate() {
            queue.put(EventKey::new(time, 0, task as u32, 0), task);
        }
        assert_eq!((queue.len(), queue.is_empty()), (6, false));
        assert_eq!(queue.next().map(EventKey::time), Some(0.0));
        let order: Vec<usize> = std::iter::from_fn(|| queue.pop().map(|(_, task)| task)).collect();
        assert_eq!(order, [4, 1, 3, 2, 0, 5]);
    }
}
