//! Shapes of tensors: what the file says, and where it says nothing what follows from the operators.

use super::model::{ABSENT, Attribute, OnnxNode};
use super::operators;
use super::tensor::OnnxTensor;
use super::window::SlidingWindow;
use std::rc::Rc;

/// The largest length that is inferred: 2^53.
const MOST: u64 = 1 << 53;

/// Shapes and small numbers of all tensors, as far as they are known.
pub(super) struct KnownShapes {
    /// Shapes, by tensor.
    pub(super) shapes: Vec<Option<Rc<[u64]>>>,
    /// Small whole numbers, by tensor.
    pub(super) ints: Vec<Option<Rc<[i64]>>>,
    /// Small numbers, by tensor.
    pub(super) floats: Vec<Option<Rc<[f32]>>>,
}

/// A node with what is known of its operands.
pub(super) struct Reads<'a> {
    pub(super) node: &'a OnnxNode,
    pub(super) known_shapes: &'a KnownShapes,
}

impl Reads<'_> {
    pub(super) fn op(&self) -> &str {
        &self.node.op
    }

    pub(super) fn count(&self) -> usize {
        self.node.inputs.len()
    }

    fn tensor_at(&self, i: usize) -> Option<usize> {
        let tensor = self.node.inputs.get(i).filter(|t| **t != ABSENT);
        tensor.map(|t| *t as usize)
    }

    pub(super) fn shape(&self, i: usize) -> Option<&[u64]> {
        self.known_shapes.shapes[self.tensor_at(i)?].as_deref()
    }

    pub(super) fn ints(&self, i: usize) -> Option<&[i64]> {
        self.known_shapes.ints[self.tensor_at(i)?].as_deref()
    }

    pub(super) fn floats(&self, i: usize) -> Option<&[f32]> {
        self.known_shapes.floats[self.tensor_at(i)?].as_deref()
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        self.node.int(name)
    }

    pub(super) fn list(&self, name: &str) -> Option<&[i64]> {
        self.node.ints(name)
    }

    pub(super) fn tensor(&self, name: &str) -> Option<&OnnxTensor> {
        match self.node.attribute(name)? {
            Attribute::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Whole numbers that are in an attribute, or in newer files in an operand; `Some(None)` where there are none.
    fn either(&self, name: &str, i: usize) -> Option<Option<&[i64]>> {
        match (self.list(name), self.tensor_at(i)) {
            (Some(list), _) => Some(Some(list)),
            (None, Some(_)) => self.ints(i).map(Some),
            (None, None) => Some(None),
        }
    }

    /// Start, count and step of a Slice along each axis.
    pub(super) fn cuts(&self, shape: &[u64]) -> Option<Vec<(i64, i64, i64)>> {
        let whole = |n: &u64| i64::try_from(*n).ok().map(|n| (0, n, 1));
        let mut cuts = shape.iter().map(whole).collect::<Option<Vec<_>>>()?;
        let (starts, ends) = (self.either("starts", 1)??, self.either("ends", 2)??);
        let (axes, steps) = (self.either("axes", 3)?, self.either("steps", 4)?);
        for (i, (start, end)) in starts.iter().zip(ends).enumerate() {
            let axis = match axes {
                Some(axes) => place(*axes.get(i)?, shape.len())?,
                None => i,
            };
            let step = steps.map_or(Some(1), |steps| steps.get(i).copied())?;
            let cut = cuts.get_mut(axis)?;
            let n = i64::try_from(*shape.get(axis)?).ok()?;
            let at = |at: i64| if at < 0 { at.saturating_add(n) } else { at };
            *cut = match step {
                1.. => {
                    let (start, end) = (at(*start).clamp(0, n), at(*end).clamp(0, n));
                    (
                        start,
                        (end - start)
                            .max(0)
                            .unsigned_abs()
                            .div_ceil(step.unsigned_abs()) as i64,
                        step,
                    )
                }
                0 => return None,
                _ => {
                    let (start, end) = (at(*start).clamp(-1, n - 1), at(*end).clamp(-1, n - 1));
                    (
                        start,
                        (start - end)
                            .max(0)
                            .unsigned_abs()
                            .div_ceil(step.unsigned_abs()) as i64,
                        step,
                    )
                }
            };
        }
        Some(cuts)
    }
}

/// An axis counted from the front.
pub(super) fn place(axis: i64, axes: usize) -> Option<usize> {
    let axis = if axis < 0 {
        axis.checked_add(axes as i64)?
    } else {
        axis
    };
    usize::try_from(axis).ok().filter(|axis| *axis < axes)
}

fn product(lengths: &[u64]) -> Option<u64> {
    lengths.iter().try_fold(1u64, |all, n| all.checked_mul(*n))
}

/// The shape of operands that are stretched to one another.
fn stretched(left: &[u64], right: &[u64]) -> Option<Vec<u64>> {
    let axes = left.len().max(right.len());
    let at = |shape: &[u64], i: usize| (i + shape.len()).checked_sub(axes).map_or(1, |i| shape[i]);
    let one = |i| match (at(left, i), at(right, i)) {
        (1, n) | (n, 1) => Some(n),
        (a, b) => (a == b).then_some(a),
    };
    (0..axes).map(one).collect()
}

/// Shapes of a node's outputs, as far as they follow from what it reads.
pub(super) fn of(reads: &Reads) -> Option<Vec<Vec<u64>>> {
    let op = reads.op();
    let one = |shape: Option<Vec<u64>>| shape.map(|shape| vec![shape]);
    let found = match op {
        "Conv" | "ConvTranspose" => one(convolved(reads)),
        "MaxPool" | "AveragePool" | "LpPool" => {
            let input = reads.shape(0)?;
            let window = SlidingWindow::new(reads.node, input, None).ok()?;
            let shape = [input.get(..2)?, &window.out].concat();
            Some(vec![shape; reads.node.outputs.len().min(2)])
        }
        "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
            let input = reads.shape(0)?;
            let mut shape = input.get(..2)?.to_vec();
            shape.resize(input.len(), 1);
            one(Some(shape))
        }
        "MatMul" => one(multiplied(reads)),
        "MatMulNBits" => {
            // Its weights are packed; how many columns they make, an attribute says.
            let mut shape = reads.shape(0)?.to_vec();
            *shape.last_mut()? = u64::try_from(reads.int("N")?).ok()?;
            one(Some(shape))
        }
        "Gemm" => {
            let (a, b) = (reads.shape(0)?, reads.shape(1)?);
            let row = usize::from(reads.int("transA").unwrap_or_default() != 0);
            let column = usize::from(reads.int("transB").unwrap_or_default() == 0);
            one(Some(vec![*a.get(row)?, *b.get(column)?]))
        }
        "Split" => split(reads),
        "SkipLayerNormalization" => {
            // Result, two statistics of each row, and the sum of what was read.
            let shape = reads.shape(0)?.to_vec();
            let mut rows = shape.clone();
            *rows.last_mut()? = 1;
            Some(vec![shape.clone(), rows.clone(), rows, shape])
        }
        _ if operators::preserves_shape(op) => {
            let shape = reads.shape(0)?;
            Some(vec![shape.to_vec(); reads.node.outputs.len().min(1)])
        }
        _ if operators::stretches(op) => {
            let mut shape = reads.shape(0)?.to_vec();
            for i in 1..reads.count() {
                shape = stretched(&shape, reads.shape(i)?)?;
            }
            one(Some(shape))
        }
        _ if op.starts_with("Reduce") || op == "ArgMax" || op == "ArgMin" => one(reduced(reads)),
        _ => one(moved(reads)),
    }?;
    let is_small = |shape: &Vec<u64>| {
        shape.len() <= super::model::MOST_AXES && shape.iter().all(|n| *n <= MOST)
    };
    found.iter().all(is_small).then_some(found)
}

fn convolved(reads: &Reads) -> Option<Vec<u64>> {
    let (input, weight) = (reads.shape(0)?, reads.shape(1)?);
    let window = SlidingWindow::new(reads.node, input, Some(weight)).ok()?;
    let channels = match reads.op() {
        "Conv" => *weight.first()?,
        _ => weight
            .get(1)?
            .checked_mul(u64::try_from(reads.int("group").unwrap_or(1)).ok()?)?,
    };
    Some([&[*input.first()?, channels], window.out.as_slice()].concat())
}

fn multiplied(reads: &Reads) -> Option<Vec<u64>> {
    let (mut a, mut b) = (reads.shape(0)?.to_vec(), reads.shape(1)?.to_vec());
    let (is_row, is_column) = (a.len() == 1, b.len() == 1);
    if is_row {
        a.insert(0, 1);
    }
    if is_column {
        b.push(1);
    }
    let rows = a.len().checked_sub(2)?;
    let columns = b.len().checked_sub(2)?;
    let mut shape = stretched(&a[..rows], &b[..columns])?;
    if !is_row {
        shape.push(a[rows]);
    }
    if !is_column {
        shape.push(b[columns + 1]);
    }
    (a[rows + 1] == b[columns]).then_some(shape)
}

fn split(reads: &Reads) -> Option<Vec<Vec<u64>>> {
    let shape = reads.shape(0)?;
    let axis = place(reads.int("axis").unwrap_or_default(), shape.len())?;
    let parts = reads.node.outputs.len();
    let lengths: Vec<u64> = match reads.either("split", 1)? {
        Some(list) if list.len() == parts => list
            .iter()
            .map(|n| u64::try_from(*n).ok())
            .collect::<Option<_>>()?,
        Some(_) => return None,
        None => {
            let each = shape[axis].div_ceil(parts as u64);
            let length = |i| each.min(shape[axis].saturating_sub(i * each));
            (0..parts as u64).map(length).collect()
        }
    };
    let with = |n| {
        let mut shape = shape.to_vec();
        shape[axis] = n;
        shape
    };
    Some(lengths.into_iter().map(with).collect())
}

fn reduced(reads: &Reads) -> Option<Vec<u64>> {
    let shape = reads.shape(0)?;
    let axes = match reads.op() {
        "ArgMax" | "ArgMin" => vec![reads.int("axis").unwrap_or_default()],
        _ => reads.either("axes", 1)?.unwrap_or_default().to_vec(),
    };
    let is_nothing = axes.is_empty() && reads.int("noop_with_empty_axes").unwrap_or_default() != 0;
    let mut is_gone = vec![axes.is_empty() && !is_nothing; shape.len()];
    for axis in axes {
        is_gone[place(axis, shape.len())?] = true;
    }
    let keeps = reads.int("keepdims").unwrap_or(1) != 0;
    let lengths = shape.iter().zip(is_gone);
    Some(match keeps {
        true => lengths.map(|(n, gone)| if gone { 1 } else { *n }).collect(),
        false => lengths.filter(|(_, gone)| !gone).map(|(n, _)| *n).collect(),
    })
}

/// Shapes of operators that only move elements.
fn moved(reads: &Reads) -> Option<Vec<u64>> {
    let op = reads.op();
    if op == "Constant" {
        return match (reads.tensor("value"), reads.list("value_ints")) {
            (Some(tensor), _) => tensor.shape(),
            (None, Some(list)) => Some(vec![list.len() as u64]),
            (None, None) => (reads.int("value_int").is_some()
                || reads.node.attribute("value_float").is_some())
            .then(Vec::new),
        };
    }
    if op == "ConstantOfShape" {
        return lengths(reads.ints(0)?);
    }
    let shape = reads.shape(0)?;
    let axis = |missing| place(reads.int("axis").unwrap_or(missing), shape.len());
    match op {
        "Shape" => {
            let end = reads.int("end").unwrap_or(i64::MAX);
            let n = shape.len() as i64;
            let at = |at: i64| (if at < 0 { at.saturating_add(n) } else { at }).clamp(0, n);
            let start = at(reads.int("start").unwrap_or_default());
            Some(vec![(at(end) - start).max(0).unsigned_abs()])
        }
        "Size" => Some(Vec::new()),
        "Concat" => {
            let axis = axis(1)?;
            let mut whole = shape.to_vec();
            for i in 1..reads.count() {
                let next = reads.shape(i).filter(|next| next.len() == whole.len())?;
                whole[axis] = whole[axis].checked_add(next[axis])?;
            }
            Some(whole)
        }
        "Reshape" => reshaped(reads, shape),
        "Flatten" => {
            let axis = reads.int("axis").unwrap_or(1);
            let axis = if axis < 0 {
                axis.checked_add(shape.len() as i64)?
            } else {
                axis
            };
            let (front, back) = shape.split_at_checked(usize::try_from(axis).ok()?)?;
            Some(vec![product(front)?, product(back)?])
        }
        "Transpose" => match reads.list("perm") {
            None => Some(shape.iter().rev().copied().collect()),
            Some(perm) if perm.len() == shape.len() => perm
                .iter()
                .map(|axis| Some(shape[place(*axis, shape.len())?]))
                .collect(),
            Some(_) => None,
        },
        "Squeeze" => {
            let gone = match reads.either("axes", 1)? {
                Some(axes) => axes
                    .iter()
                    .map(|axis| place(*axis, shape.len()))
                    .collect::<Option<Vec<_>>>()?,
                None => (0..shape.len()).filter(|i| shape[*i] == 1).collect(),
            };
            let stays = (0..shape.len()).filter(|i| !gone.contains(i));
            Some(stays.map(|i| shape[i]).collect())
        }
        "Unsqueeze" => {
            let axes = reads.either("axes", 1)??;
            let whole = shape.len() + axes.len();
            let new = axes
                .iter()
                .map(|axis| place(*axis, whole))
                .collect::<Option<Vec<_>>>()?;
            let mut old = shape.iter();
            let next = |i| {
                if new.contains(&i) {
                    Some(1)
                } else {
                    old.next().copied()
                }
            };
            (0..whole).map(next).collect()
        }
        "Slice" => {
            let cuts = reads.cuts(shape)?;
            Some(
                cuts.into_iter()
                    .map(|(_, count, _)| count.unsigned_abs())
                    .collect(),
            )
        }
        "Gather" => {
            let axis = axis(0)?;
            Some([&shape[..axis], reads.shape(1)?, &shape[axis + 1..]].concat())
        }
        "GatherElements" => Some(reads.shape(1)?.to_vec()),
        "Pad" => {
            let pads = reads.either("pads", 1)??;
            let axes = reads.either("axes", 3)?;
            let count = axes.map_or(shape.len(), <[i64]>::len);
            if pads.len() != 2 * count {
                return None;
            }
            let mut whole = shape.to_vec();
            for i in 0..count {
                let axis = axes.map_or(Some(i), |axes| place(axes[i], shape.len()))?;
                let more = pads[i].checked_add(pads[count + i])?;
                whole[axis] = whole[axis].checked_add_signed(more)?;
            }
            Some(whole)
        }
        "Expand" => stretched(shape, &lengths(reads.ints(1)?)?),
        "Tile" => {
            let times = lengths(reads.ints(1)?)?;
            let pairs = shape.iter().zip(&times);
            (times.len() == shape.len()).then_some(())?;
            pairs.map(|(n, times)| n.checked_mul(*times)).collect()
        }
        "Resize" | "Upsample" => resized(reads, shape),
        "DepthToSpace" | "SpaceToDepth" => {
            let block = u64::try_from(reads.int("blocksize")?)
                .ok()
                .filter(|n| (1..=1 << 15).contains(n))?;
            let [batch, channels, height, width] = *shape else {
                return None;
            };
            Some(match op {
                "DepthToSpace" => vec![
                    batch,
                    channels / (block * block),
                    height.checked_mul(block)?,
                    width.checked_mul(block)?,
                ],
                _ => vec![
                    batch,
                    channels.checked_mul(block * block)?,
                    height / block,
                    width / block,
                ],
            })
        }
        _ => None,
    }
}

fn lengths(ints: &[i64]) -> Option<Vec<u64>> {
    ints.iter().map(|n| u64::try_from(*n).ok()).collect()
}

fn reshaped(reads: &Reads, shape: &[u64]) -> Option<Vec<u64>> {
    let wanted = reads.either("shape", 1)??;
    let keeps_zero = reads.int("allowzero").unwrap_or_default() != 0;
    let (mut whole, mut open) = (Vec::new(), None);
    for (i, n) in wanted.iter().enumerate() {
        whole.push(match n {
            -1 => {
                open = Some(i);
                1
            }
            0 if !keeps_zero => *shape.get(i)?,
            n => u64::try_from(*n).ok()?,
        });
    }
    let (all, rest) = (product(shape)?, product(&whole)?);
    if let Some(open) = open {
        whole[open] = all.checked_div(rest)?;
    }
    (product(&whole)? == all).then_some(whole)
}

fn resized(reads: &Reads, shape: &[u64]) -> Option<Vec<u64>> {
    // Sizes where they stand; else scales, the second operand of old files and the third of newer ones.
    if let Some(sizes) = reads.ints(3) {
        return lengths(sizes).filter(|sizes| sizes.len() == shape.len());
    }
    let at = if reads.count() == 2 { 1 } else { 2 };
    let scales = reads
        .floats(at)
        .filter(|scales| scales.len() == shape.len())?;
    let scaled = |(n, scale): (&u64, &f32)| {
        let length = libm::floor(*n as f64 * f64::from(*scale));
        (0.0..=MOST as f64)
            .contains(&length)
            .then_some(length as u64)
    };
    shape.iter().zip(scales).map(scaled).collect()
}
