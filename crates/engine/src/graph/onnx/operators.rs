//! Treatment of each ONNX operator: kept, or transparent.

use super::model::OnnxNode;
use crate::graph::OperatorKind;

/// Returns true if an operator's output has the shape of its first input.
pub(super) fn preserves_shape(op: &str) -> bool {
    SHAPE_PRESERVING.contains(&op) || is_norm(op)
}

/// Returns true if operands are broadcast to one another.
pub(super) fn stretches(op: &str) -> bool {
    STRETCHED.contains(&op) || op == "Add" || op == "Sum"
}

/// Returns true if an operator slides a window or reduces a plane.
pub(super) fn is_conv(op: &str) -> bool {
    op == "Conv" || op == "ConvTranspose"
}

fn is_norm(op: &str) -> bool {
    NORMS.contains(&op)
}

/// Returns the kind of a node that is kept; sums and classifiers have conditions of their own.
pub(super) fn kind(node: &OnnxNode) -> Option<OperatorKind> {
    let op = node.op.as_str();
    // ONNX Runtime has normalisations of its own under Microsoft's name.
    if is_norm(op) && (node.domain.is_empty() || node.domain == "com.microsoft") {
        return Some(OperatorKind::Norm);
    }
    if !node.domain.is_empty() {
        return None;
    }
    match op {
        "Conv" | "ConvTranspose" => Some(OperatorKind::Conv),
        "MaxPool" | "AveragePool" | "GlobalAveragePool" | "GlobalMaxPool" | "LpPool" => {
            Some(OperatorKind::Pool)
        }
        "MatMul" | "Gemm" | "MatMulNBits" => Some(OperatorKind::Gemm),
        "Add" | "Sum" => Some(OperatorKind::Add),
        _ => None,
    }
}

/// Returns true if a transparent node is known to cost next to nothing, so that it needs no note.
pub(super) fn is_known(node: &OnnxNode) -> bool {
    let op = node.op.as_str();
    node.domain.is_empty()
        && (SHAPE_PRESERVING.contains(&op)
            || STRETCHED.contains(&op)
            || MOVING.contains(&op)
            || op.starts_with("Reduce")
            || op == "Gemm"
            || op == "Add"
            || op == "Sum")
}

const NORMS: [&str; 4] = [
    "LayerNormalization",
    "RMSNormalization",
    "SimplifiedLayerNormalization",
    "SkipLayerNormalization",
];

/// Element by element, or along an axis, without moving anything.
const SHAPE_PRESERVING: [&str; 58] = [
    "Abs",
    "Acos",
    "Asin",
    "Atan",
    "BatchNormalization",
    "BitwiseNot",
    "Cast",
    "CastLike",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "CumSum",
    "DequantizeLinear",
    "Dropout",
    "Elu",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "GroupNormalization",
    "HardSigmoid",
    "HardSwish",
    "Hardmax",
    "Identity",
    "InstanceNormalization",
    "IsInf",
    "IsNaN",
    "LRN",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "LpNormalization",
    "MeanVarianceNormalization",
    "Mish",
    "Neg",
    "Not",
    "PRelu",
    "QuantizeLinear",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softmax",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Trilu",
];

const STRETCHED: [&str; 23] = [
    "And",
    "BitShift",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Div",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Max",
    "Mean",
    "Min",
    "Mod",
    "Mul",
    "Or",
    "Pow",
    "Sub",
    "Where",
    "Xor",
    "Sum",
    "Add",
];

/// Operators that move, choose or make elements.
const MOVING: [&str; 35] = [
    "ArgMax",
    "ArgMin",
    "Compress",
    "Concat",
    "Constant",
    "ConstantOfShape",
    "DepthToSpace",
    "Expand",
    "EyeLike",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "NonZero",
    "OneHot",
    "Pad",
    "Range",
    "Reshape",
    "Resize",
    "ReverseSequence",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "Shape",
    "Size",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Tile",
    "TopK",
    "Transpose",
    "Unsqueeze",
    "Upsample",
    "GlobalLpPool",
];
