//! How a convolution or a pooling slides over its input.

use super::model::OnnxNode;

/// Geometry of a sliding window, an entry for each axis after batch and channels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SlidingWindow {
    /// Lengths of the kernel.
    pub(super) kernel: Vec<u64>,
    /// Strides.
    pub(super) strides: Vec<u64>,
    /// Padding before the first element; negative where elements are cut off.
    pub(super) before: Vec<i64>,
    /// Dilations.
    pub(super) dilations: Vec<u64>,
    /// Lengths of the output.
    pub(super) out: Vec<u64>,
}

/// The largest length, stride or padding that is taken: 2^30, so that their products stay within 64 bits.
const MOST: i64 = 1 << 30;

/// Rules for padding that ONNX has.
const AUTO_PADS: [&str; 4] = ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];

impl SlidingWindow {
    /// The window of a node over the last axes of its input.
    ///
    /// # Errors
    /// An attribute of the node is invalid; the text follows the node's name.
    pub(super) fn new(
        node: &OnnxNode,
        input: &[u64],
        weight: Option<&[u64]>,
    ) -> Result<Self, String> {
        let space: Vec<i64> = input
            .iter()
            .skip(2)
            .map(|n| length(*n))
            .collect::<Result<_, _>>()?;
        let axes = space.len();
        let list = |name: &str, count: usize, least: i64, missing: i64| {
            let Some(found) = node.ints(name) else {
                return Ok(vec![missing; count]);
            };
            if found.len() != count {
                let n = found.len();
                return Err(format!(
                    "has {n} {name} for an input of {axes} axes behind batch and channels"
                ));
            }
            match found.iter().find(|value| !(least..=MOST).contains(*value)) {
                Some(value) => Err(format!(
                    "has {value} among its {name}: from {least} to {MOST} is read"
                )),
                None => Ok(found.to_vec()),
            }
        };
        let kernel = match (node.ints("kernel_shape"), weight) {
            (Some(_), _) => list("kernel_shape", axes, 1, 1)?,
            (None, Some(weight)) if weight.len() == axes + 2 => weight[2..]
                .iter()
                .map(|n| length(*n))
                .collect::<Result<_, _>>()?,
            (None, _) => {
                return Err("has no kernel_shape, and its weights have no known shape".to_owned());
            }
        };
        let strides = list("strides", axes, 1, 1)?;
        let dilations = list("dilations", axes, 1, 1)?;
        let pads = list("pads", 2 * axes, -MOST, 0)?;
        let more = list("output_padding", axes, 0, 0)?;
        let wanted = node
            .ints("output_shape")
            .filter(|_| node.op == "ConvTranspose");
        let fixed = match node.text("auto_pad").unwrap_or_default() {
            "" => "NOTSET",
            known if AUTO_PADS.contains(&known) => known,
            other => {
                let known = AUTO_PADS.join(", ");
                return Err(format!("has the auto_pad {other:?}: {known} are read"));
            }
        };
        let (mut before, mut out) = (Vec::new(), Vec::new());
        for i in 0..axes {
            let reach = (kernel[i] - 1) * dilations[i] + 1;
            let (size, stride) = (space[i], strides[i]);
            let (first, last) = (pads[i], pads[axes + i]);
            let (pad, made) = if node.op == "ConvTranspose" {
                let all = stride * (size - 1) + more[i] + reach;
                // It may name batch and channels too: the last lengths count.
                let wanted = wanted.and_then(|list| list.iter().rev().nth(axes - 1 - i));
                let wanted = wanted.filter(|out| (1..=MOST).contains(*out));
                match (wanted, fixed) {
                    (Some(out), _) => (share((all - out).max(0), fixed), *out),
                    (None, "SAME_UPPER" | "SAME_LOWER") => {
                        (share((all - size * stride).max(0), fixed), size * stride)
                    }
                    (None, "VALID") => (0, all),
                    (None, _) => (first, all - first - last),
                }
            } else {
                match fixed {
                    "SAME_UPPER" | "SAME_LOWER" => {
                        let out = (size + stride - 1) / stride;
                        (
                            share(((out - 1) * stride + reach - size).max(0), fixed),
                            out,
                        )
                    }
                    "VALID" => (0, places(size - reach, stride, size, node)),
                    _ => (
                        first,
                        places(size + first + last - reach, stride, size + first, node),
                    ),
                }
            };
            if made < 1 {
                return Err(format!(
                    "has a kernel that reaches over {reach} of {size} elements"
                ));
            }
            before.push(pad);
            out.push(made.unsigned_abs());
        }
        let plain = |list: Vec<i64>| list.into_iter().map(i64::unsigned_abs).collect();
        Ok(Self {
            kernel: plain(kernel),
            strides: plain(strides),
            before,
            dilations: plain(dilations),
            out,
        })
    }
}

/// The part of a padding that is before the first element.
fn share(total: i64, fixed: &str) -> i64 {
    match fixed {
        "SAME_LOWER" => total - total / 2,
        _ => total / 2,
    }
}

/// Places of a window that may move by `free`; with `ceil_mode` one more, if it starts before `end`.
fn places(free: i64, stride: i64, end: i64, node: &OnnxNode) -> i64 {
    if free < 0 {
        return 0;
    }
    let down = free / stride + 1;
    let is_up = node.int("ceil_mode").unwrap_or_default() != 0;
    let fits = free % stride != 0 && down * stride < end;
    down + i64::from(is_up && fits)
}

fn length(n: u64) -> Result<i64, String> {
    let small = i64::try_from(n).ok().filter(|n| (1..=MOST).contains(n));
    small.ok_or_else(|| format!("reads an axis of length {n}: from 1 to {MOST} is read"))
}
