//! Small whole numbers that nodes compute: targets of Reshape, axes, starts and ends.

use super::shapes::Reads;
use super::tensor::MOST_KEPT;

/// The numbers that a node computes, if they follow from the shapes and numbers that it reads.
pub(super) fn of(node: &Reads, shape: Option<&[u64]>) -> Option<Vec<i64>> {
    let found = match node.op() {
        "Constant" => constant(node)?,
        "Shape" => {
            let shape = node.shape(0)?;
            let axes = shape.len() as i64;
            let place = |name, missing| {
                let at = node.int(name).unwrap_or(missing);
                (if at < 0 { at.saturating_add(axes) } else { at }).clamp(0, axes) as usize
            };
            let (start, end) = (place("start", 0), place("end", axes));
            let lengths = shape.get(start..end).unwrap_or_default();
            lengths
                .iter()
                .map(|n| i64::try_from(*n).ok())
                .collect::<Option<_>>()?
        }
        "Size" => {
            let product = node
                .shape(0)?
                .iter()
                .try_fold(1u64, |all, n| all.checked_mul(*n))?;
            vec![i64::try_from(product).ok()?]
        }
        "Identity" | "Cast" | "Squeeze" | "Unsqueeze" | "Reshape" | "Flatten" => {
            node.ints(0)?.to_vec()
        }
        "Concat" => {
            let mut all = Vec::new();
            for i in 0..node.count() {
                all.extend_from_slice(node.ints(i)?);
                if all.len() > MOST_KEPT {
                    return None;
                }
            }
            all
        }
        "Gather" => {
            let (from, at) = (node.ints(0)?, node.ints(1)?);
            let is_list = node.shape(0)?.len() == 1;
            let count = from.len() as i64;
            let one = |at: &i64| {
                let at = if *at < 0 { at.checked_add(count)? } else { *at };
                from.get(usize::try_from(at).ok()?).copied()
            };
            at.iter()
                .filter(|_| is_list)
                .map(one)
                .collect::<Option<_>>()?
        }
        "Slice" => slice(node)?,
        "ConstantOfShape" => {
            let count = node
                .ints(0)?
                .iter()
                .try_fold(1u64, |all, n| all.checked_mul(u64::try_from(*n).ok()?))?;
            let count = usize::try_from(count)
                .ok()
                .filter(|count| *count <= MOST_KEPT)?;
            let fill = match node.tensor("value") {
                Some(tensor) => *tensor.ints.as_ref()?.first()?,
                None => 0,
            };
            vec![fill; count]
        }
        "Where" => {
            let (which, yes, no) = (node.ints(0)?, node.ints(1)?, node.ints(2)?);
            let count = which.len().max(yes.len()).max(no.len());
            let at =
                |list: &[i64], i: usize| list.get(if list.len() == 1 { 0 } else { i }).copied();
            let one = |i| {
                if at(which, i)? != 0 {
                    at(yes, i)
                } else {
                    at(no, i)
                }
            };
            (0..count).map(one).collect::<Option<_>>()?
        }
        op => {
            let (left, right) = (node.ints(0)?, node.ints(1)?);
            if node.count() != 2 {
                return None;
            }
            let count = left.len().max(right.len());
            let at =
                |list: &[i64], i: usize| list.get(if list.len() == 1 { 0 } else { i }).copied();
            let one = |i| {
                let (a, b) = (at(left, i)?, at(right, i)?);
                match op {
                    "Add" => a.checked_add(b),
                    "Sub" => a.checked_sub(b),
                    "Mul" => a.checked_mul(b),
                    "Div" => a.checked_div(b),
                    "Mod" => a.checked_rem_euclid(b),
                    "Min" => Some(a.min(b)),
                    "Max" => Some(a.max(b)),
                    "Equal" => Some(i64::from(a == b)),
                    _ => None,
                }
            };
            (0..count).map(one).collect::<Option<_>>()?
        }
    };
    // What disagrees with the shape was not understood.
    let count = shape?.iter().try_fold(1u64, |all, n| all.checked_mul(*n))?;
    (found.len() as u64 == count && found.len() <= MOST_KEPT).then_some(found)
}

fn constant(node: &Reads) -> Option<Vec<i64>> {
    if let Some(tensor) = node.tensor("value") {
        return tensor.ints.clone();
    }
    if let Some(value) = node.int("value_int") {
        return Some(vec![value]);
    }
    node.list("value_ints").map(<[i64]>::to_vec)
}

fn slice(node: &Reads) -> Option<Vec<i64>> {
    let from = node.ints(0)?;
    let (start, count, step) = *node.cuts(&[from.len() as u64])?.first()?;
    let one = |i| from.get(usize::try_from(start + i * step).ok()?).copied();
    (0..count).map(one).collect()
}
