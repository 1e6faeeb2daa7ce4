//! Sets of operators that have run: as a window of 64 operators behind the first that has not, which nearly every graph's
//! sets fit into, and as a bit for each operator of a segment, which they all do.

/// A set of operators of one segment, closed under predecessors.
pub trait Set: Clone + PartialEq {
    /// The set of all operators before `from`, for sets that will hold operators before `to`.
    fn all_before(from: usize, to: usize) -> Self;
    /// Returns true if an operator has run.
    fn has(&self, v: usize) -> bool;
    /// Makes `into` this set with one more operator; false if the form cannot hold it.
    fn with(&self, v: usize, into: &mut Self) -> bool;
    /// A hash, the same on every machine.
    fn hash(&self) -> u64;
    /// Bytes that a copy takes beside its own size.
    fn heap(&self) -> usize;
}

/// The first operator that has not run, and which of the 63 behind it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetWindow {
    lo: u32,
    mask: u64,
}

impl Set for SetWindow {
    fn all_before(from: usize, _: usize) -> Self {
        Self {
            lo: from as u32,
            mask: 0,
        }
    }

    fn has(&self, v: usize) -> bool {
        match v.checked_sub(self.lo as usize) {
            None => true,
            Some(at) => at < 64 && self.mask >> at & 1 == 1,
        }
    }

    fn with(&self, v: usize, into: &mut Self) -> bool {
        let at = v - self.lo as usize;
        if at >= 64 {
            return false;
        }
        let mask = self.mask | 1 << at;
        let done = mask.trailing_ones();
        *into = Self {
            lo: self.lo + done,
            mask: mask.checked_shr(done).unwrap_or(0),
        };
        true
    }

    fn hash(&self) -> u64 {
        mixed(self.mask ^ mixed(u64::from(self.lo)))
    }

    fn heap(&self) -> usize {
        0
    }
}

/// A bit for each operator of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wide {
    from: usize,
    words: Box<[u64]>,
}

impl Set for Wide {
    fn all_before(from: usize, to: usize) -> Self {
        Self {
            from,
            words: vec![0; (to - from).div_ceil(64)].into_boxed_slice(),
        }
    }

    fn has(&self, v: usize) -> bool {
        match v.checked_sub(self.from) {
            None => true,
            Some(at) => self
                .words
                .get(at / 64)
                .is_some_and(|word| word >> (at % 64) & 1 == 1),
        }
    }

    fn with(&self, v: usize, into: &mut Self) -> bool {
        into.from = self.from;
        into.words.copy_from_slice(&self.words);
        let at = v - self.from;
        into.words[at / 64] |= 1 << (at % 64);
        true
    }

    fn hash(&self) -> u64 {
        self.words.iter().fold(0, |hash, word| mixed(hash ^ word))
    }

    fn heap(&self) -> usize {
        self.words.len() * 8
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
const fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_hold_the_same_sets() {
        let (mut window, mut wide) = (SetWindow::all_before(10, 90), Wide::all_before(10, 90));
        for v in [11, 73, 10, 12, 14, 13, 15] {
            let (before, other) = (window, wide.clone());
            assert!(before.with(v, &mut window) && other.with(v, &mut wide));
            assert!((0..90).all(|u| window.has(u) == wide.has(u)), "after {v}");
        }
        assert!(!window.has(16) && window.has(73) && !window.has(74));
        let before = window;
        assert!(!before.with(80, &mut window), "beyond the window");
        // A window that is full moves on by all of it.
        let (mut full, mut next) = (SetWindow::all_before(0, 200), SetWindow::all_before(0, 200));
        for v in (1..64).chain([0]) {
            assert!(full.with(v, &mut next));
            full = next;
        }
        assert_eq!(full, SetWindow { lo: 64, mask: 0 });
    }
}
