//! The figures of an operator that is kept: bytes, weights, kernel, operations.

use super::model::{ABSENT, OnnxModel, OnnxNode};
use super::quantised::{self, QuantisedPairs};
use super::shapes::KnownShapes;
use super::sources::{GIVEN, NO_PRODUCER, Sources, TensorOrigin};
use super::window::SlidingWindow;
use super::{operators, tensor};
use crate::graph::{Kernel, OpDocument, OperatorKind};
use crate::problem::{Code, Invalid};
use std::collections::BTreeSet;

/// Bits of an activation that is not quantised: all count as float32.
const ACTIVATION: u64 = 32;

/// Facts about a node's surroundings.
pub(super) struct Context<'a> {
    pub(super) model: &'a OnnxModel,
    pub(super) sources: &'a Sources,
    pub(super) known_shapes: &'a KnownShapes,
    pub(super) pairs: &'a QuantisedPairs,
}

/// The operator that a node becomes.
///
/// # Errors
/// Names the node whose shape follows from nothing, or what is wrong with this one.
pub(super) fn operator(
    context: &Context,
    i: usize,
    node: &OnnxNode,
    kind: &OperatorKind,
    list: &[i64],
) -> Result<OpDocument, Invalid> {
    let first = node.outputs.first().copied().unwrap_or(ABSENT);
    if first == ABSENT {
        return Err(node.fault(i, "has no output"));
    }
    let shape = context.shape(first)?;
    if let Some(axis) = shape.iter().position(|n| *n == 0) {
        return Err(node.fault(
            i,
            &format!("produces nothing: axis {axis} of its output has the length 0"),
        ));
    }
    let bits = node.bits.filter(|bits| *bits < ACTIVATION);
    let bits = bits.or_else(|| context.pairs.bits(context.model, first));
    let out = tensor::bytes(shape, bits.unwrap_or(ACTIVATION));
    let out = out.ok_or_else(|| {
        node.fault(
            i,
            &format!("produces a tensor that is too large: {shape:?} elements"),
        )
    })?;
    let elements = elements(shape);
    let (kernel, flops) = match kind {
        OperatorKind::Conv | OperatorKind::Pool => context.window(i, node, elements)?,
        OperatorKind::Gemm => (Kernel::default(), 2.0 * elements * context.inner(i, node)?),
        _ => (Kernel::default(), elements),
    };
    let name = match node.name.is_empty() {
        true => context.model.names[first as usize].to_string(),
        false => node.name.clone(),
    };
    Ok(OpDocument {
        name,
        kind: kind.name().to_owned(),
        ins: list.to_vec(),
        out,
        w: context.weights(i, node)?,
        shape: shape.to_vec(),
        hin: kernel.hin,
        k: kernel.k,
        s: kernel.s,
        p: kernel.p,
        d: kernel.d,
        flops,
        full: context.full(node, kind, shape.len()),
    })
}

fn elements(shape: &[u64]) -> f64 {
    shape.iter().map(|n| *n as f64).product()
}

impl Context<'_> {
    /// The shape of a tensor.
    ///
    /// # Errors
    /// Names the node that stopped the inference.
    fn shape(&self, tensor: u32) -> Result<&[u64], Invalid> {
        let known = self
            .known_shapes
            .shapes
            .get(tensor as usize)
            .and_then(Option::as_deref);
        known.ok_or_else(|| self.stopped(tensor))
    }

    /// The first node before a tensor without a shape all of whose operands have one.
    fn stopped(&self, mut tensor: u32) -> Invalid {
        loop {
            let maker = self.sources.makers[tensor as usize];
            if maker == GIVEN || maker == NO_PRODUCER {
                let name = &*self.model.names[tensor as usize];
                let message = format!("the shape of \"{name}\" is not in the file");
                return Invalid::new(Code::Missing, "initializers", name, message);
            }
            let node = &self.model.nodes[maker as usize];
            let is_open =
                |t: &&u32| **t != ABSENT && self.known_shapes.shapes[**t as usize].is_none();
            match node.inputs.iter().find(is_open) {
                Some(before) => tensor = *before,
                None => {
                    let what = "stops the import: its output's shape is not in the file and cannot be inferred";
                    return node.fault(maker as usize, what);
                }
            }
        }
    }

    /// Operand number o of a node.
    fn operand(&self, i: usize, node: &OnnxNode, o: usize) -> Result<&[u64], Invalid> {
        let tensor = node.inputs.get(o).filter(|tensor| **tensor != ABSENT);
        let tensor =
            tensor.ok_or_else(|| node.fault(i, &format!("has no operand {o}, counted from 0")))?;
        self.shape(*tensor)
    }

    /// Bytes of the initializers that a node reads, each once.
    fn weights(&self, i: usize, node: &OnnxNode) -> Result<u64, Invalid> {
        let mut sum = 0u64;
        for tensor in node.inputs.iter().collect::<BTreeSet<_>>() {
            let Some(constant) = self.model.initializers.get(tensor) else {
                let made = quantised::constant_bytes(self.model, &self.sources.makers, *tensor);
                sum = sum.saturating_add(made.unwrap_or_default());
                continue;
            };
            let name = &self.model.names[*tensor as usize];
            // Lengths have been checked when the file was read.
            let bytes = constant.bytes().ok().flatten();
            let bytes = bytes.ok_or_else(|| {
                node.fault(
                    i,
                    &format!("reads \"{name}\", whose elements are of a type without a size"),
                )
            })?;
            let more = sum.checked_add(bytes);
            sum = more.ok_or_else(|| node.fault(i, "reads initializers that are too large"))?;
        }
        Ok(sum)
    }

    /// Returns true if a node computes the matrix or the kernel that an operator reads.
    pub(super) fn computes_weights(&self, node: &OnnxNode, kind: &OperatorKind) -> bool {
        let weight = match kind {
            OperatorKind::Conv | OperatorKind::Gemm => node.inputs.get(1),
            _ => None,
        };
        weight.is_some_and(|tensor| {
            let is_constant = matches!(self.sources.origin(*tensor), Some(TensorOrigin::Constant));
            let is_counted =
                quantised::constant_bytes(self.model, &self.sources.makers, *tensor).is_some();
            is_constant && !is_counted
        })
    }

    /// Sources of which everything is needed, each once.
    fn full(&self, node: &OnnxNode, kind: &OperatorKind, axes: usize) -> Vec<i64> {
        let first = match kind {
            OperatorKind::Gemm => 1,
            OperatorKind::Conv if axes == 3 || node.op == "ConvTranspose" => 0,
            _ => return Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut full = Vec::new();
        for tensor in node.inputs.iter().skip(first) {
            if let Some(list) = self.sources.list(*tensor) {
                full.extend(list.iter().filter(|source| seen.insert(**source)));
            }
        }
        full
    }

    /// The length that a product of matrices sums over.
    fn inner(&self, i: usize, node: &OnnxNode) -> Result<f64, Invalid> {
        let shape = self.operand(i, node, 0)?;
        let is_turned = node.op == "Gemm" && node.int("transA").unwrap_or_default() != 0;
        let inner = if is_turned {
            shape.first()
        } else {
            shape.last()
        };
        inner
            .map(|n| *n as f64)
            .ok_or_else(|| node.fault(i, "multiplies a number, not a matrix"))
    }

    /// Kernel and operations of a convolution or a pooling, given the elements of its output.
    fn window(&self, i: usize, node: &OnnxNode, made: f64) -> Result<(Kernel, f64), Invalid> {
        let input = self.operand(i, node, 0)?;
        // The height is the last axis but one, if it is none of batch and channels.
        let height = input.len().checked_sub(2).filter(|axis| *axis >= 2);
        let rows = input.len().checked_sub(2).map_or(1, |axis| input[axis]);
        if node.op.starts_with("Global") {
            let k = height.map_or(1, |_| rows);
            let kernel = Kernel {
                hin: rows,
                k,
                ..Kernel::default()
            };
            return Ok((kernel, elements(input)));
        }
        let is_conv = operators::is_conv(&node.op);
        let weight = if is_conv {
            Some(self.operand(i, node, 1)?)
        } else {
            None
        };
        let window =
            SlidingWindow::new(node, input, weight).map_err(|what| node.fault(i, &what))?;
        let area = elements(&window.kernel);
        let flops = match weight {
            None => made * area,
            Some(_) => {
                let channels = input.get(1).copied().unwrap_or(1) as f64;
                let group = node.int("group").unwrap_or(1);
                if group < 1 {
                    return Err(node.fault(i, &format!("has {group} groups")));
                }
                2.0 * made * (channels / group as f64) * area
            }
        };
        let kernel = match height {
            None => Kernel {
                hin: rows,
                ..Kernel::default()
            },
            Some(axis) => {
                let p = window.before[axis - 2];
                let p = u64::try_from(p)
                    .map_err(|_| node.fault(i, &format!("cuts {} rows off its input", -p)))?;
                Kernel {
                    hin: rows,
                    k: window.kernel[axis - 2],
                    s: window.strides[axis - 2],
                    p,
                    d: window.dilations[axis - 2],
                }
            }
        };
        Ok((kernel, flops))
    }
}
