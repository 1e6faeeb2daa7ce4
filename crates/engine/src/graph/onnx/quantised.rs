//! Quantised operators, and pairs of QuantizeLinear and DequantizeLinear: what runs on few bits counts with them.
//!
//! Source: ONNX’s operators and ONNX Runtime’s contributed ones. A runtime for quantised graphs folds the pairs (QDQ) into the
//! operators between them, so that only quantised tensors are ever stored.

use super::model::{ABSENT, Attribute, OnnxModel, OnnxNode};
use super::sources::{GIVEN, NO_PRODUCER};
use std::collections::{BTreeMap, BTreeSet};

/// How many nodes behind each other are looked through.
const DEEPEST: usize = 8;
const MICROSOFT: &str = "com.microsoft";

/// Gives a quantised operator the name and the order of operands that the float one has: data, weights, bias; scales and zero points
/// behind them.
pub(super) fn rewrite(node: &mut OnnxNode) {
    let is_of_microsoft = node.domain == MICROSOFT;
    if !node.domain.is_empty() && !is_of_microsoft {
        return;
    }
    let is_last = node.int("channels_last").unwrap_or_default() != 0;
    let (op, first, bits): (&str, &[usize], u64) = match (is_of_microsoft, node.op.as_str()) {
        (false, "QLinearConv") => ("Conv", &[0, 3, 8], 8),
        (false, "ConvInteger") => ("Conv", &[0, 1, usize::MAX], 32),
        (false, "QLinearMatMul") => ("MatMul", &[0, 3], 8),
        (false, "MatMulInteger") | (true, "MatMulIntegerToFloat") => ("MatMul", &[0, 1], 32),
        (true, "QGemm") => (
            "Gemm",
            &[0, 3, 6],
            if node.inputs.len() > 7 { 8 } else { 32 },
        ),
        (true, "FusedConv") => ("Conv", &[0, 1, 2], 32),
        (true, "FusedGemm") => ("Gemm", &[0, 1, 2], 32),
        (true, "QLinearAdd") => ("Add", &[0, 3], 8),
        (true, "QLinearAveragePool") if !is_last => ("AveragePool", &[0], 8),
        (true, "QLinearGlobalAveragePool") if !is_last => ("GlobalAveragePool", &[0], 8),
        (true, "MatMulNBits") => ("MatMulNBits", &[0, 1], 32),
        _ => return,
    };
    let operand = |at: usize| node.inputs.get(at).copied().unwrap_or(ABSENT);
    let mut inputs: Vec<u32> = first.iter().map(|at| operand(*at)).collect();
    let others = (0..node.inputs.len()).filter(|at| !first.contains(at));
    inputs.extend(others.map(operand));
    op.clone_into(&mut node.op);
    node.domain.clear();
    node.inputs = inputs;
    node.bits = Some(bits);
}

/// The pairs of a file.
#[derive(Debug, Default)]
pub(super) struct QuantisedPairs {
    /// The nodes that read each tensor, where the file has a QuantizeLinear.
    readers: BTreeMap<u32, Vec<u32>>,
    outputs: BTreeSet<u32>,
    /// Nodes of both kinds.
    pub(super) count: usize,
}

fn is_called(node: &OnnxNode, op: &str) -> bool {
    node.op == op && (node.domain.is_empty() || node.domain == MICROSOFT)
}

/// Operators of one operand that a runtime folds into the one before.
const FOLDED: [&str; 7] = [
    "Relu",
    "Clip",
    "LeakyRelu",
    "Sigmoid",
    "HardSwish",
    "HardSigmoid",
    "Identity",
];

impl QuantisedPairs {
    /// Finds them. O(operands).
    pub(super) fn of(model: &OnnxModel) -> Self {
        let is_half = |node: &&OnnxNode| {
            is_called(node, "QuantizeLinear") || is_called(node, "DequantizeLinear")
        };
        let count = model.nodes.iter().filter(is_half).count();
        if count == 0 {
            return Self::default();
        }
        let mut readers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, node) in (0..).zip(&model.nodes) {
            for tensor in node.inputs.iter().filter(|tensor| **tensor != ABSENT) {
                readers.entry(*tensor).or_default().push(at);
            }
        }
        Self {
            readers,
            outputs: model.outputs.iter().copied().collect(),
            count,
        }
    }

    /// Bits of an element of a tensor that is stored quantised, because all that reads it quantises it.
    pub(super) fn bits(&self, model: &OnnxModel, tensor: u32) -> Option<u64> {
        self.bits_behind(model, tensor, DEEPEST)
    }

    fn bits_behind(&self, model: &OnnxModel, tensor: u32, depth: usize) -> Option<u64> {
        if depth == 0 || self.outputs.contains(&tensor) {
            return None;
        }
        let of_reader = |at: &u32| {
            let node = model.nodes.get(*at as usize)?;
            if node.inputs.first() != Some(&tensor) {
                return None;
            }
            if is_called(node, "QuantizeLinear") {
                return Some(quantised_bits(model, node));
            }
            let is_folded = node.domain.is_empty() && FOLDED.contains(&node.op.as_str());
            let next = node.outputs.first().copied().filter(|_| is_folded)?;
            self.bits_behind(model, next, depth - 1)
        };
        let readers = self.readers.get(&tensor)?;
        let bits: Option<Vec<u64>> = readers.iter().map(of_reader).collect();
        bits?.into_iter().max()
    }
}

/// Bits of an element that a QuantizeLinear makes: those of its zero point, or as it says.
fn quantised_bits(model: &OnnxModel, node: &OnnxNode) -> u64 {
    let of_zero = || model.initializers.get(node.inputs.get(2)?)?.element_bits();
    let said = node.int("output_dtype").and_then(super::tensor::bits);
    said.or_else(of_zero).unwrap_or(8)
}

/// Bytes of a constant that a node reads: of an initializer, of a Constant, or of what stands before a DequantizeLinear, a Transpose and
/// the like. `None` where none of these makes it.
pub(super) fn constant_bytes(model: &OnnxModel, makers: &[u32], tensor: u32) -> Option<u64> {
    let mut tensor = tensor;
    for _ in 0..DEEPEST {
        if let Some(constant) = model.initializers.get(&tensor) {
            return constant.bytes().ok().flatten();
        }
        let maker = *makers.get(tensor as usize)?;
        if maker == GIVEN || maker == NO_PRODUCER {
            return None;
        }
        let node = model.nodes.get(maker as usize)?;
        if is_called(node, "Constant") {
            return match node.attribute("value") {
                Some(Attribute::Tensor(constant)) => constant.bytes().ok().flatten(),
                _ => None,
            };
        }
        let moves = [
            "DequantizeLinear",
            "Transpose",
            "Reshape",
            "Squeeze",
            "Unsqueeze",
            "Identity",
            "Cast",
        ];
        if !moves.iter().any(|op| is_called(node, op)) {
            return None;
        }
        tensor = *node.inputs.first()?;
    }
    None
}
