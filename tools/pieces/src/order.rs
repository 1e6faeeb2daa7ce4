//! Orders the functions of a module so that it compresses well: similar functions are placed next to each other. The compression of web
//! hosts finds repetitions within 32 kB only, and generic functions are compiled to many similar copies.

use std::collections::{HashMap, VecDeque};

/// Distance within which repetitions are counted [bytes].
const WINDOW: usize = 30_000;
/// Length of the byte sequences that are compared.
const RUN: usize = 6;
/// Added to the number of runs of a function, so that very short functions do not win every comparison.
const FEW: f64 = 4.0;

/// Returns the indices of the functions in their order: next is always the function with the largest share of its runs in the window
/// before it.
///
/// # Complexity
/// O(F² + Σ over runs of (times that it enters the window · functions that have it)) for F functions.
pub fn order_by_similarity(bodies: &[&[u8]]) -> Vec<u32> {
    let (ids, holders) = runs(bodies);
    let mut shared = vec![0u32; bodies.len()];
    let mut inside = vec![0u32; holders.len()];
    let mut left: Vec<u32> = (0..bodies.len() as u32).collect();
    let mut window: VecDeque<u32> = VecDeque::new();
    let mut held = 0;
    let mut order = Vec::with_capacity(bodies.len());
    // The longest function comes first; of several, the first.
    let mut next = (0..bodies.len()).rev().max_by_key(|at| bodies[*at].len());
    while let Some(at) = next {
        left.retain(|other| *other != at as u32);
        order.push(at as u32);
        for run in &ids[at] {
            inside[*run as usize] += 1;
            if inside[*run as usize] == 1 {
                for holder in &holders[*run as usize] {
                    shared[*holder as usize] += 1;
                }
            }
        }
        window.push_back(at as u32);
        held += bodies[at].len();
        while held > WINDOW && window.len() > 1 {
            let Some(gone) = window.pop_front() else {
                break;
            };
            held -= bodies[gone as usize].len();
            for run in &ids[gone as usize] {
                inside[*run as usize] -= 1;
                if inside[*run as usize] == 0 {
                    for holder in &holders[*run as usize] {
                        shared[*holder as usize] -= 1;
                    }
                }
            }
        }
        let part = |at: &u32| {
            let at = *at as usize;
            f64::from(shared[at]) / (ids[at].len() as f64 + FEW)
        };
        let best = left.iter().rev().max_by(|a, b| part(a).total_cmp(&part(b)));
        next = best.map(|at| *at as usize);
    }
    order
}

/// Returns the numbers of the runs of each function, each once, and for each run the functions that have it.
fn runs(bodies: &[&[u8]]) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let (mut ids, mut holders) = (vec![Vec::new(); bodies.len()], Vec::<Vec<u32>>::new());
    for ((at, body), ids) in (0..).zip(bodies).zip(&mut ids) {
        for run in body.windows(RUN) {
            let run = run
                .iter()
                .fold(0, |all, byte| (all << 8) | u64::from(*byte));
            let number = *numbers.entry(run).or_insert(holders.len() as u32);
            if number as usize == holders.len() {
                holders.push(Vec::new());
            }
            let all = &mut holders[number as usize];
            if all.last() != Some(&at) {
                all.push(at);
                ids.push(number);
            }
        }
    }
    (ids, holders)
}

/// Where each function of a module goes, by its number: those that are imported stay before the others.
#[derive(Default)]
pub struct Places {
    imported: u32,
    to: Vec<u32>,
}

impl Places {
    /// Of functions in this order.
    pub fn of(imported: u32, order: &[u32]) -> Self {
        let mut to = vec![0; order.len()];
        for (place, at) in (imported..).zip(order) {
            to[*at as usize] = place;
        }
        Self { imported, to }
    }

    /// The number of a function from now on.
    pub fn of_function(&self, index: u32) -> u32 {
        let own = index.checked_sub(self.imported);
        let place = own.and_then(|own| self.to.get(own as usize));
        place.copied().unwrap_or(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_functions_are_adjacent_and_none_is_lost() {
        let far = |seed: u8| -> Vec<u8> {
            (0..400u32)
                .map(|at| (at * 7919 + u32::from(seed) * 104_729).to_le_bytes()[1] ^ seed)
                .collect()
        };
        let (one, other) = (far(1), far(2));
        let mut near = one.clone();
        near[200] = 0;
        let mut nearby = other.clone();
        nearby[100] = 1;
        let bodies = [&one[..], &other[..], &near[..], &nearby[..], &[][..]];
        let order = order_by_similarity(&bodies);
        assert_eq!(order, [0, 2, 1, 3, 4]);
        assert!(order_by_similarity(&[]).is_empty());
    }

    #[test]
    fn imported_functions_keep_their_numbers() {
        let places = Places::of(3, &[2, 0, 1]);
        let all: Vec<u32> = (0..6).map(|at| places.of_function(at)).collect();
        assert_eq!(all, [0, 1, 2, 4, 5, 3]);
    }
}
