//! Evaluator of operator splits over devices: latency, bytes sent, memory.
//!
//! Source: MemoriaNova, sections 3.2 to 3.4, equations (1) to (18), Algorithms 2 and 3. Operators run one after the other;
//! each device makes its part of each, after it has received what it needs and does not hold. A device keeps what it made,
//! nothing of what it received; an input of the graph is with every device from the start.
//!
//! [`Slices`] is the cost model and the referee in one: searches ask it for single operators ([`Slices::operator`]), and
//! every plan that is shown has passed through [`Slices::score`].
//!
//! # Where this departs from the paper
//!
//! * The printed rule "k1 < k2: cout" is turned round ([`rule`]): Table 6 has the convolutions with large kernels on cout.
//! * What a device receives of a tensor cut by rows is its need less what it holds; the printed maximum in case (iii) would
//!   count rows that no one asked for. Case (ii) lacks the division by the height.
//! * A broadcast reaches every device that takes part, from every operator read; with one device that takes part nothing is
//!   sent but what it does not hold.
//! * In (16) and (17) a part that is *not* empty counts as one.
//! * What a device holds in (18) is what it made of every live tensor, what it receives, its weights and its output.

mod costs;
mod live_memory;
mod rule;
mod score;

pub use costs::{Cost, SliceShare};
pub use live_memory::LiveMemory;
pub use rule::Rule;
pub use score::{Score, excess};

use crate::graph::{Graph, OperatorKind};
use crate::plan::{Dim, Marks, OperatorOrder};
use crate::problem::partition::{Fleet, TimeModel};
use crate::problem::{Code, Invalid};

/// The longest operator, and the largest kernel [rows or channels].
pub const MOST_LENGTH: u64 = 1 << 30;

/// Dimension of the parts of an operator (section 6 of the method's spec).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SliceClass {
    /// Rows of the output.
    Row,
    /// Channels of a convolution.
    Chan,
    /// Entries of a vector.
    Col,
}

/// An operator along one of the dimensions that it can be cut along.
#[derive(Debug, Clone, Copy)]
struct Side {
    dim: Dim,
    class: SliceClass,
    length: u32,
}

/// How rows of an operator depend on rows of what it reads.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// As of a window that slides: stride, padding, and rows from the first to the last of a window.
    Window { s: i64, p: i64, span: i64 },
    /// Equal rows.
    Same,
}

#[derive(Debug, Clone)]
struct OperatorPart {
    /// One side, or for a convolution height and channels.
    sides: [Side; 2],
    choices: usize,
    reach: Reach,
    /// Height that the rows in `reach` are rows of.
    reference: u32,
    /// Time of every part on a device of factor 1 [ms].
    base_ms: f64,
    /// Additional time of the whole [ms].
    slope_ms: f64,
}

/// A tensor that an operator reads from another.
#[derive(Debug, Clone, Copy)]
struct Source {
    u: u32,
    bytes: f64,
    rows: u32,
    /// True if all of it is needed, whatever rows are computed.
    is_complete: bool,
}

/// A graph over devices: the cost model of slicing.
#[derive(Debug, Clone)]
pub struct Slices<'a> {
    graph: &'a Graph,
    fleet: Fleet,
    parts: Vec<OperatorPart>,
    sources: Vec<Source>,
    from: Vec<u32>,
    gemm_weights: bool,
}

impl<'a> Slices<'a> {
    /// Prepares a graph for devices. `gemm_weights`: whether a device that makes rows of a product of matrices holds its
    /// weights; the paper's Table 1 says "None".
    ///
    /// # Errors
    /// A table of times of the wrong length, numbers out of range, operators longer than [`MOST_LENGTH`].
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn new(
        graph: &'a Graph,
        fleet: Fleet,
        times: &TimeModel,
        gemm_weights: bool,
    ) -> Result<Self, Invalid> {
        times.check(graph.len())?;
        let has_conv = graph.ops().iter().any(|op| op.kind == OperatorKind::Conv);
        let mut slices = Self {
            graph,
            fleet,
            parts: Vec::with_capacity(graph.len()),
            sources: Vec::new(),
            from: vec![0],
            gemm_weights,
        };
        for v in 0..graph.len() {
            slices.parts.push(operator_part(graph, v, has_conv, times)?);
            for t in graph.src(v) {
                let u = *t as usize;
                if u < graph.len() {
                    slices.sources.push(Source {
                        u: *t,
                        bytes: graph.bytes(u) as f64,
                        rows: rows(&graph.op(u).shape) as u32, // checked with operator u, which is before
                        is_complete: graph.full(v).contains(t),
                    });
                }
            }
            slices.from.push(slices.sources.len() as u32);
        }
        Ok(slices)
    }

    /// The graph.
    #[must_use]
    pub const fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The devices.
    #[must_use]
    pub const fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// How many devices there are.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.fleet.devices()
    }

    /// Returns the graph over the same devices with other memory limits [bytes].
    #[must_use]
    pub fn with_limits(&self, limits: Vec<f64>) -> Self {
        Self {
            fleet: self.fleet.with_limits(limits),
            ..self.clone()
        }
    }

    /// Along what operator v can be cut: one dimension, or height and channels.
    pub fn choices(&self, v: usize) -> impl Iterator<Item = Dim> + '_ {
        let part = &self.parts[v];
        part.sides[..part.choices].iter().map(|side| side.dim)
    }

    /// Returns true if the dimension of operator v can be chosen: it is a convolution.
    #[must_use]
    pub fn is_free(&self, v: usize) -> bool {
        self.parts[v].choices > 1
    }

    /// How long operator v is along a dimension [rows, channels or entries].
    ///
    /// # Panics
    /// If it cannot be cut along that.
    #[must_use]
    pub fn length(&self, v: usize, dim: Dim) -> u32 {
        self.side(v, dim).length
    }

    /// Returns the dimension of its parts.
    ///
    /// # Panics
    /// If it cannot be cut along that.
    #[must_use]
    pub fn class(&self, v: usize, dim: Dim) -> SliceClass {
        self.side(v, dim).class
    }

    /// The lengths of all operators along these dimensions. O(operators).
    #[must_use]
    pub fn lengths(&self, dims: &[Dim]) -> Vec<u32> {
        let all = dims.iter().enumerate();
        all.map(|(v, dim)| self.length(v, *dim)).collect()
    }

    /// Every convolution by its height. O(operators).
    #[must_use]
    pub fn by_height(&self) -> Vec<Dim> {
        self.parts.iter().map(|part| part.sides[0].dim).collect()
    }

    /// Returns the times of operator v: that of every part, and the additional time of the whole [ms, at factor 1].
    #[must_use]
    pub fn times(&self, v: usize) -> (f64, f64) {
        (self.parts[v].base_ms, self.parts[v].slope_ms)
    }

    fn side(&self, v: usize, dim: Dim) -> &Side {
        let part = &self.parts[v];
        if part.sides[0].dim == dim {
            return &part.sides[0];
        }
        assert!(
            part.choices > 1 && part.sides[1].dim == dim,
            "operator {v} is not cut along {dim:?}"
        );
        &part.sides[1]
    }

    /// The operators that v reads from.
    fn sources(&self, v: usize) -> &[Source] {
        &self.sources[self.from[v] as usize..self.from[v + 1] as usize]
    }

    /// Checks a plan from outside: a dimension for each operator that it can be cut along.
    ///
    /// # Errors
    /// Names the first entry at fault, as `dims[4]`.
    pub fn check_dims(&self, dims: &[Dim]) -> Result<(), Invalid> {
        let n = self.parts.len();
        if dims.len() != n {
            let message = format!(
                "dims must have one entry for each of the {n} operators, it has {}",
                dims.len()
            );
            return Err(Invalid::new(Code::Plan, "dims", dims.len(), message));
        }
        for (v, dim) in dims.iter().enumerate() {
            if !self.choices(v).any(|choice| choice == *dim) {
                let known: Vec<&str> = self.choices(v).map(Dim::name).collect();
                let message = format!(
                    "dims[{v}] must be {} for {}, a {}, it is {}",
                    known.join(" or "),
                    self.graph.op_name(v),
                    self.graph.op(v).kind.name(),
                    dim.name()
                );
                return Err(Invalid::new(
                    Code::Plan,
                    format!("dims[{v}]"),
                    dim.name(),
                    message,
                ));
            }
        }
        Ok(())
    }

    /// Checks marks from outside, along dimensions that are known to be good: for each operator one more than there are
    /// devices, from 0 to its length, none below the one before.
    ///
    /// # Errors
    /// Names the first entry at fault, as `X[3][1]`.
    ///
    /// # Complexity
    /// O(operators × devices).
    pub fn read_cuts(&self, dims: &[Dim], rows: &[Vec<u64>]) -> Result<Marks, Invalid> {
        let (n, devices) = (self.parts.len(), self.devices());
        let wrong = |path: String, value: u64, message: String| {
            Invalid::new(Code::Plan, path, value, message)
        };
        if rows.len() != n {
            let count = rows.len();
            let message =
                format!("X must have one row for each of the {n} operators, it has {count}");
            return Err(wrong("X".to_owned(), count as u64, message));
        }
        let mut marks: Vec<Vec<u32>> = Vec::with_capacity(n);
        for (v, row) in rows.iter().enumerate() {
            let length = self.length(v, dims[v]);
            if row.len() != devices + 1 {
                let count = row.len();
                let message = format!(
                    "X[{v}] must have {} marks, one more than there are devices, it has {count}",
                    devices + 1
                );
                return Err(wrong(format!("X[{v}]"), count as u64, message));
            }
            for (at, mark) in row.iter().enumerate() {
                let before = if at == 0 { 0 } else { row[at - 1] };
                let allowed = match at {
                    0 => "0, where every operator begins".to_owned(),
                    _ if at == devices => {
                        format!("{length}, the length of the operator along its dimension")
                    }
                    _ => format!(
                        "a whole number from {before} to {length}, no less than the mark before"
                    ),
                };
                let fits = match at {
                    0 => *mark == 0,
                    _ if at == devices => *mark == u64::from(length),
                    _ => (before..=u64::from(length)).contains(mark),
                };
                if !fits {
                    let message = format!("X[{v}][{at}] must be {allowed}, it is {mark}");
                    return Err(wrong(format!("X[{v}][{at}]"), *mark, message));
                }
            }
            marks.push(row.iter().map(|mark| *mark as u32).collect());
        }
        Ok(Marks::from_rows(devices, marks.iter().map(Vec::as_slice)))
    }

    /// Replays a plan: the referee.
    ///
    /// # Errors
    /// An order that is none. `dims` and `cuts` fit the graph.
    ///
    /// # Complexity
    /// O((operators + operands) × devices).
    pub fn score(
        &self,
        order: &OperatorOrder,
        dims: &[Dim],
        cuts: &Marks,
    ) -> Result<Score, Invalid> {
        score::score(self, order, dims, cuts)
    }
}

/// Second-to-last axis; 1 where there is none.
fn rows(shape: &[u64]) -> u64 {
    match shape {
        [.., rows, _] => *rows,
        _ => 1,
    }
}

fn operator_part(
    graph: &Graph,
    v: usize,
    has_conv: bool,
    times: &TimeModel,
) -> Result<OperatorPart, Invalid> {
    let op = graph.op(v);
    let of = |field: &str, value: u64, least: u64| {
        if (least..=MOST_LENGTH).contains(&value) {
            Ok(value as u32)
        } else {
            let allowed = format!("a whole number from {least} to {MOST_LENGTH} to be cut");
            Err(Invalid::range(format!("ops[{v}].{field}"), value, &allowed))
        }
    };
    let height = of("shape", rows(&op.shape), 0)?;
    let row = |dim| Side {
        dim,
        class: SliceClass::Row,
        length: height,
    };
    let last = op.shape.last().copied().unwrap_or(1);
    let is_map = op.shape.len() == 4 && has_conv;
    let (first, second) = match &op.kind {
        OperatorKind::Conv => {
            let channels = of("shape", op.shape.get(1).copied().unwrap_or(1), 0)?;
            let by_channels = Side {
                dim: Dim::Cout,
                class: SliceClass::Chan,
                length: channels,
            };
            (row(Dim::Fmh), Some(by_channels))
        }
        OperatorKind::Pool => (row(Dim::Fmh), None),
        OperatorKind::Add | OperatorKind::Norm | OperatorKind::Other(_) if is_map => {
            (row(Dim::Fmh), None)
        }
        _ if height > 1 => (row(Dim::Len), None),
        _ => {
            let by_entries = Side {
                dim: Dim::Len,
                class: SliceClass::Col,
                length: of("shape", last, 0)?,
            };
            (by_entries, None)
        }
    };
    let (reach, reference) = match &op.kind {
        OperatorKind::Conv | OperatorKind::Pool => {
            let kernel = &op.kernel;
            let k = i64::from(of("k", kernel.k, 1)?);
            let d = i64::from(of("d", kernel.d, 1)?);
            let reach = Reach::Window {
                s: i64::from(of("s", kernel.s, 1)?),
                p: i64::from(of("p", kernel.p, 0)?),
                span: (k - 1) * d + 1,
            };
            (reach, of("hin", kernel.hin, 1)?)
        }
        _ => (Reach::Same, first.length),
    };
    let (base_ms, slope_ms) = match times {
        TimeModel::Profile(profile) => (profile.op_ms, profile.whole_ms(op.flops, op.out + op.w)),
        TimeModel::Table(rows) => (rows[v][0], rows[v][1]),
    };
    Ok(OperatorPart {
        sides: [first, second.unwrap_or(first)],
        choices: 1 + usize::from(second.is_some()),
        reach,
        reference,
        base_ms,
        slope_ms,
    })
}
