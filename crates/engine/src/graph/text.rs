//! Graphs as JSON, the form of problem files: written with what differs from the defaults, read with every fault named.

use super::{Graph, Kernel};
use crate::problem::{Invalid, json};
use serde::{Deserialize, Serialize};

/// A graph as it is written down; [`Graph::new`] checks it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Bytes of each input of the graph.
    pub inputs: Vec<u64>,
    /// Operators whose outputs are asked for; those that no operator reads are, whether they are here or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<u32>,
    /// The operators, in a topological order.
    pub ops: Vec<OpDocument>,
}

/// An operator as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpDocument {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Inputs, in order and with repetitions: an operator, or -1-i for input i.
    pub ins: Vec<i64>,
    /// Its output [bytes]; from 0 to 9007199254740992.
    pub out: u64,
    /// Its weights [bytes]; from 0 to 9007199254740992.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub w: u64,
    /// Shape of its output; each from 1 to 9007199254740992.
    pub shape: Vec<u64>,
    /// Height of its input [rows]; from 1 to 4294967295.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub hin: u64,
    /// Height of its kernel [rows]; from 1 to 4294967295.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub k: u64,
    /// Its stride [rows]; from 1 to 4294967295.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub s: u64,
    /// Its padding before the first row [rows]; from 0 to 4294967295.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub p: u64,
    /// Its dilation [rows]; from 1 to 4294967295.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub d: u64,
    /// Its operations; from 0 to 1e30.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub flops: f64,
    /// Inputs that it always needs in full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub full: Vec<i64>,
}

/// The places of a graph where an object stands, for [`json::read`].
pub const OBJECTS: [&str; 2] = ["", "ops[]"];

impl Graph {
    /// Reads a graph.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    ///
    /// # Complexity
    /// O(length).
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        Self::new(json::read(text, &OBJECTS)?)
    }

    /// The graph as it is written down. O(size).
    #[must_use]
    pub fn document(&self) -> Document {
        let signed = |t: &u32| {
            let t = *t as usize;
            let input = t.checked_sub(self.len()).map(|i| -1 - i as i64);
            input.unwrap_or(t as i64)
        };
        let op = |v: usize| {
            let op = self.op(v);
            let Kernel { hin, k, s, p, d } = op.kernel;
            OpDocument {
                name: op.name.clone(),
                kind: op.kind.name().to_owned(),
                ins: self.ins(v).iter().map(signed).collect(),
                out: op.out,
                w: op.w,
                shape: op.shape.clone(),
                hin,
                k,
                s,
                p,
                d,
                flops: op.flops,
                full: self.full(v).iter().map(signed).collect(),
            }
        };
        let is_read = |v: &u32| !self.consumers(*v as usize).is_empty();
        let outputs = (0..self.len() as u32).filter(|v| self.is_output(*v as usize) && is_read(v));
        Document {
            name: self.name().to_owned(),
            inputs: (self.len()..self.tensors())
                .map(|t| self.bytes(t))
                .collect(),
            outputs: outputs.collect(),
            ops: (0..self.len()).map(op).collect(),
        }
    }
}

const fn one() -> u64 {
    1
}

// Serde asks by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_one(n: &u64) -> bool {
    *n == 1
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_nothing(n: &f64) -> bool {
    *n == 0.0
}
