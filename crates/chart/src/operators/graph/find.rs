//! Operators by name.

use super::GraphOp;
use engine::units::InOrder;

/// The operators whose names hold some words, at most `most` of them, the best first: those that are called so, then those
/// whose names or whose parts of names begin so, then the others; equals by index. Small and capital letters are one.
///
/// # Complexity
/// O(names + hits log hits).
#[must_use]
pub fn find_operators(ops: &[GraphOp], words: &str, most: usize) -> Vec<usize> {
    let words = words.trim().to_ascii_lowercase();
    if words.is_empty() {
        return Vec::new();
    }
    let rank = |op: &GraphOp| {
        let name = op.name.to_ascii_lowercase();
        let part = |c: char| !c.is_alphanumeric();
        if name == words {
            Some(0)
        } else if name.starts_with(&words) {
            Some(1)
        } else if name.split(part).any(|part| part.starts_with(&words)) {
            Some(2)
        } else {
            name.contains(&words).then_some(3)
        }
    };
    let hits = ops.iter().enumerate();
    let mut hits: Vec<(u8, usize)> = hits.filter_map(|(at, op)| Some((rank(op)?, at))).collect();
    hits.in_order_of(|hit| *hit);
    hits.into_iter().take(most).map(|(_, at)| at).collect()
}
