//! A graph that has been checked, with what every method asks of it.

use super::text::{Document, OpDocument};
use super::{Kernel, Op, OperatorKind, Weights};
use crate::problem::{Code, Invalid};
use serde_json::Value;

/// The most operators of a graph.
pub const MOST_OPS: usize = 100_000;
/// The most inputs of a graph.
pub const MOST_INPUTS: usize = 10_000;
/// The most operands of all operators together.
pub const MOST_EDGES: usize = 2_000_000;
/// The most bytes that any sum over a graph may come to: 2^62, so that no sum of them leaves 64 bits.
pub const MOST_BYTES: u64 = 1 << 62;
/// The largest number of a document that JSON programs agree on: 2^53.
const MOST_EXACT: u64 = 1 << 53;
/// The longest name [characters].
const LONGEST_NAME: usize = 1000;
/// The most axes of a tensor.
const MOST_AXES: usize = 64;

/// Lists of numbers, one a row, in one piece of memory.
#[derive(Debug, Clone, PartialEq, Default)]
struct Rows {
    from: Vec<u32>,
    all: Vec<u32>,
}

impl Rows {
    fn with(rows: usize) -> Self {
        let mut from = Vec::with_capacity(rows + 1);
        from.push(0);
        Self {
            from,
            all: Vec::new(),
        }
    }

    fn close(&mut self) {
        self.from.push(self.all.len() as u32);
    }

    fn row(&self, at: usize) -> &[u32] {
        &self.all[self.from[at] as usize..self.from[at + 1] as usize]
    }
}

/// An operator graph: at least one operator, each after those that it reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    name: String,
    ops: Vec<Op>,
    /// Bytes of each input.
    inputs: Vec<u64>,
    ins: Rows,
    src: Rows,
    full: Rows,
    consumers: Rows,
    is_output: Vec<bool>,
    /// How long weights are in memory.
    pub(super) rule: Weights,
    /// Weights that always are there [bytes].
    pub(super) resident: u64,
}

impl Graph {
    /// Checks a document.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed: an operand that stands later (a cycle, or no topological
    /// order), one that no operator makes, sizes whose sums leave 64 bits.
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn new(document: Document) -> Result<Self, Invalid> {
        let Document {
            name,
            inputs,
            outputs,
            ops,
        } = document;
        text("name", &name)?;
        let n = ops.len();
        if n == 0 || n > MOST_OPS {
            let message = format!("ops must be a list of 1 to {MOST_OPS} operators, it has {n}");
            return Err(Invalid::new(Code::Range, "ops", n, message));
        }
        if inputs.len() > MOST_INPUTS {
            let count = inputs.len();
            let message = format!("inputs must be a list of at most {MOST_INPUTS}, it has {count}");
            return Err(Invalid::new(Code::Range, "inputs", count, message));
        }
        for (i, bytes) in inputs.iter().enumerate() {
            exact(&format!("inputs[{i}]"), *bytes, 0)?;
        }
        let operands: usize = ops.iter().map(|op| op.ins.len() + op.full.len()).sum();
        if operands > MOST_EDGES {
            let message =
                format!("ops must read at most {MOST_EDGES} operands in all, they read {operands}");
            return Err(Invalid::new(Code::Range, "ops", operands, message));
        }
        let mut graph = Self {
            name,
            ops: Vec::with_capacity(n),
            inputs,
            ins: Rows::with(n),
            src: Rows::with(n),
            full: Rows::with(n),
            consumers: Rows::default(),
            is_output: vec![false; n],
            rule: Weights::default(),
            resident: 0,
        };
        // Which operator has seen a tensor last, so that a repetition is known without a search.
        let mut seen = vec![u32::MAX; n + graph.inputs.len()];
        for (v, op) in ops.into_iter().enumerate() {
            graph.add_operator(v, op, n, &mut seen)?;
        }
        graph.index_readers();
        for (at, v) in outputs.into_iter().enumerate() {
            let path = format!("outputs[{at}]");
            let found = graph.is_output.get_mut(v as usize);
            let allowed = || format!("the number of one of the {n} operators, counted from 0");
            *found.ok_or_else(|| Invalid::range(path, v, &allowed()))? = true;
        }
        graph.sums()?;
        Ok(graph)
    }

    /// Takes in operator v of n.
    fn add_operator(
        &mut self,
        v: usize,
        op: OpDocument,
        n: usize,
        seen: &mut [u32],
    ) -> Result<(), Invalid> {
        let at = |field: &str| format!("ops[{v}].{field}");
        text(&at("name"), &op.name)?;
        if op.kind.is_empty() || op.kind.chars().count() > 40 {
            return Err(Invalid::range(
                at("kind"),
                op.kind,
                "a text of 1 to 40 characters",
            ));
        }
        for (i, signed) in op.ins.iter().enumerate() {
            let t = self.tensor(*signed, v, n, || at(&format!("ins[{i}]")))?;
            self.ins.all.push(t);
            if seen[t as usize] != v as u32 {
                seen[t as usize] = v as u32;
                self.src.all.push(t);
            }
        }
        for (i, signed) in op.full.iter().enumerate() {
            let path = || at(&format!("full[{i}]"));
            let t = self.tensor(*signed, v, n, path)?;
            if seen[t as usize] != v as u32 {
                return Err(Invalid::range(path(), *signed, "one of the operator's ins"));
            }
            self.full.all.push(t);
        }
        self.ins.close();
        self.src.close();
        self.full.close();
        exact(&at("out"), op.out, 0)?;
        exact(&at("w"), op.w, 0)?;
        if op.shape.len() > MOST_AXES {
            let axes = op.shape.len();
            let message =
                format!("ops[{v}].shape must have at most {MOST_AXES} axes, it has {axes}");
            return Err(Invalid::new(Code::Range, at("shape"), axes, message));
        }
        for (axis, length) in op.shape.iter().enumerate() {
            exact(&at(&format!("shape[{axis}]")), *length, 1)?;
        }
        let OpDocument {
            hin, k, s, p, d, ..
        } = op;
        for (field, value, least) in [
            ("hin", hin, 1),
            ("k", k, 1),
            ("s", s, 1),
            ("p", p, 0),
            ("d", d, 1),
        ] {
            // Rows are multiplied with one another.
            let most = u64::from(u32::MAX);
            if value < least || value > most {
                let allowed = format!("a whole number from {least} to {most}");
                return Err(Invalid::range(at(field), value, &allowed));
            }
        }
        if !(op.flops >= 0.0 && op.flops <= 1e30) {
            return Err(Invalid::range(
                at("flops"),
                op.flops,
                "a number from 0 to 1e30",
            ));
        }
        self.ops.push(Op {
            name: op.name,
            kind: OperatorKind::of(&op.kind),
            out: op.out,
            w: op.w,
            shape: op.shape,
            kernel: Kernel { hin, k, s, p, d },
            flops: op.flops,
        });
        Ok(())
    }

    /// The tensor that operator v of n names.
    fn tensor(
        &self,
        signed: i64,
        v: usize,
        n: usize,
        path: impl Fn() -> String,
    ) -> Result<u32, Invalid> {
        let count = self.inputs.len();
        if let Ok(u) = usize::try_from(signed) {
            if u < v {
                return Ok(u as u32);
            }
            let allowed = if u < n {
                format!(
                    "an operator before {v}, because operators are listed in an order in which they can run"
                )
            } else {
                format!("one of the {n} operators or, from -1 down, one of the {count} inputs")
            };
            return Err(Invalid::range(path(), signed, &allowed));
        }
        let input = usize::try_from(-1 - signed).ok().filter(|i| *i < count);
        input.map(|i| (n + i) as u32).ok_or_else(|| {
            let allowed = match count {
                0 => "an operator: the graph has no inputs".to_owned(),
                _ => format!("an operator, or an input from -1 to -{count}"),
            };
            Invalid::range(path(), signed, &allowed)
        })
    }

    /// Finds who reads each tensor.
    fn index_readers(&mut self) {
        let (n, tensors) = (self.ops.len(), self.tensors());
        let mut from = vec![0u32; tensors + 1];
        for t in &self.src.all {
            from[*t as usize + 1] += 1;
        }
        for t in 0..tensors {
            from[t + 1] += from[t];
        }
        let mut next = from.clone();
        let mut all = vec![0; self.src.all.len()];
        for v in 0..n {
            for t in self.src.row(v) {
                let place = &mut next[*t as usize];
                all[*place as usize] = v as u32;
                *place += 1;
            }
        }
        self.consumers = Rows { from, all };
        for v in 0..n {
            self.is_output[v] = self.consumers(v).is_empty();
        }
    }

    /// No sum over all operators under any of the three accountings is more, where no weights are resident [bytes].
    pub(super) fn most_summed(&self) -> u128 {
        let held: u128 = (0..self.tensors()).map(|t| u128::from(self.bytes(t))).sum();
        let read: u128 = self
            .ins
            .all
            .iter()
            .map(|t| u128::from(self.bytes(*t as usize)))
            .sum();
        let own: u128 = self
            .ops
            .iter()
            .map(|op| u128::from(op.out) + u128::from(op.w))
            .sum();
        (held + 2 * read) * self.ops.len() as u128 + own
    }

    /// Refuses sizes whose sums leave 62 bits.
    fn sums(&self) -> Result<(), Invalid> {
        if self.most_summed() <= u128::from(MOST_BYTES) {
            return Ok(());
        }
        let largest = (0..self.ops.len()).max_by_key(|v| self.op(*v).out.max(self.op(*v).w));
        let largest = largest.unwrap_or_default();
        let op = self.op(largest);
        let (field, bytes) = if op.out >= op.w {
            ("out", op.out)
        } else {
            ("w", op.w)
        };
        let path = format!("ops[{largest}].{field}");
        let message = format!(
            "{path} is {bytes} bytes, the largest of {} operators whose sums would exceed 62 bits",
            self.ops.len()
        );
        Err(Invalid::new(Code::Range, path, bytes, message))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Operators, at least 1.
    // A graph is never empty, so there is nothing to ask.
    #[allow(clippy::len_without_is_empty)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Tensors: the outputs of the operators, then the inputs.
    #[must_use]
    pub fn tensors(&self) -> usize {
        self.ops.len() + self.inputs.len()
    }

    /// Weights of all operators together [bytes]. O(operators).
    #[must_use]
    pub fn weights(&self) -> u64 {
        self.ops.iter().map(|op| op.w).sum()
    }

    /// The operators.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Operator v.
    #[must_use]
    pub fn op(&self, v: usize) -> &Op {
        &self.ops[v]
    }

    /// Bytes of a tensor.
    #[must_use]
    pub fn bytes(&self, t: usize) -> u64 {
        let n = self.ops.len();
        if t < n {
            self.ops[t].out
        } else {
            self.inputs[t - n]
        }
    }

    /// The tensors that v reads, in order and as often as it does.
    #[must_use]
    pub fn ins(&self, v: usize) -> &[u32] {
        self.ins.row(v)
    }

    /// The tensors that v reads, each once, as first seen.
    #[must_use]
    pub fn src(&self, v: usize) -> &[u32] {
        self.src.row(v)
    }

    /// The tensors of which v always needs everything.
    #[must_use]
    pub fn full(&self, v: usize) -> &[u32] {
        self.full.row(v)
    }

    /// The operators that read a tensor, ascending, each once.
    #[must_use]
    pub fn consumers(&self, t: usize) -> &[u32] {
        self.consumers.row(t)
    }

    /// Returns true if the output of v is an output of the graph.
    #[must_use]
    pub fn is_output(&self, v: usize) -> bool {
        self.is_output[v]
    }

    /// Returns the name of a tensor.
    #[must_use]
    pub fn tensor_name(&self, t: usize) -> String {
        let n = self.ops.len();
        match t.checked_sub(n) {
            Some(_) if self.inputs.len() == 1 => "input".to_owned(),
            Some(i) => format!("input {}", i + 1),
            None if self.ops[t].name.is_empty() => format!("operator {}", t + 1),
            None => self.ops[t].name.clone(),
        }
    }

    /// Returns the name of an operator.
    #[must_use]
    pub fn op_name(&self, v: usize) -> String {
        self.tensor_name(v)
    }
}

fn text(path: &str, value: &str) -> Result<(), Invalid> {
    if value.chars().count() <= LONGEST_NAME {
        return Ok(());
    }
    let message = format!("{path} must have at most {LONGEST_NAME} characters, it has more");
    Err(Invalid::new(Code::Range, path, Value::Null, message))
}

fn exact(path: &str, value: u64, least: u64) -> Result<(), Invalid> {
    if (least..=MOST_EXACT).contains(&value) {
        return Ok(());
    }
    let allowed = format!("a whole number from {least} to {MOST_EXACT}");
    Err(Invalid::range(path, value, &allowed))
}
