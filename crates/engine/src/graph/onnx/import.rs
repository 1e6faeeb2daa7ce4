//! The walk over the nodes.

use super::model::{ABSENT, OnnxModel, OnnxNode};
use super::operator_figures::{self, Context};
use super::operators;
use super::quantised::QuantisedPairs;
use super::shapes::{self, KnownShapes, Reads};
use super::sources::{Sources, TensorOrigin};
use super::symbols::Symbols;
use super::{Dim, ImportedOnnx, Options, tensor, values};
use crate::graph::{Document, Graph, MOST_INPUTS, MOST_OPS, OpDocument, OperatorKind};
use crate::problem::{Code, Invalid};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

/// The most kinds of unknown operators that the notes name.
const MOST_NOTES: usize = 20;

/// The most axes of all shapes, and small numbers of all constants, that nodes make.
const MOST_INFERRED: usize = 8_000_000;

/// Says which lengths the file leaves open and no option gives, with a proposal for those whose names tell what they are.
fn note_of_open(dims: &[Dim]) -> Option<String> {
    let open: Vec<&str> = dims
        .iter()
        .filter(|dim| !dim.given)
        .map(|dim| dim.name.as_str())
        .collect();
    if open.is_empty() {
        return None;
    }
    let shown: Vec<&str> = open.iter().take(MOST_NOTES).copied().collect();
    let more = open.len() - shown.len();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let proposals = shown
        .iter()
        .filter_map(|name| Some(format!("{name}={}", proposal(name)?)));
    let proposals: Vec<String> = proposals.collect();
    let how = if proposals.is_empty() {
        "Set them to what you run".to_owned()
    } else {
        format!("Set them to what you run, such as {}", proposals.join(", "))
    };
    Some(format!(
        "lengths that the file leaves open count as 1: {}{more}. {how} (--dim NAME=LENGTH on the command line)",
        shown.join(", ")
    ))
}

/// A usual length by the name of an axis.
fn proposal(name: &str) -> Option<u64> {
    let name = name.to_ascii_lowercase();
    let is_one_of = |names: &[&str]| names.contains(&name.as_str());
    let has = |part: &str| name.contains(part);
    match () {
        () if has("batch") || is_one_of(&["n", "bs", "b"]) => Some(1),
        () if has("height") || has("width") || is_one_of(&["h", "w", "x", "y"]) => Some(224),
        () if has("seq") || has("len") || has("token") || has("time") || is_one_of(&["s", "t"]) => {
            Some(128)
        }
        () if has("chan") || name == "c" => Some(3),
        () => None,
    }
}

/// Reads an ONNX file.
///
/// # Errors
/// Names the place in the file, or the node, and what is wrong with it: bytes that are no ONNX model, control flow,
/// tensors that nothing makes, nodes out of order, a shape that is needed and follows from nothing, more of anything
/// than is read.
///
/// # Complexity
/// Time and memory are linear in what the file holds beside weights: lists of sources have a most for each operand.
pub fn import<R: Read + Seek>(
    reader: R,
    name: &str,
    options: &Options,
) -> Result<ImportedOnnx, Invalid> {
    let symbols = Symbols::new(options)?;
    let model = OnnxModel::read(reader)?;
    let mut walk = Walk::new(&model, symbols, options)?;
    walk.inputs()?;
    for (i, node) in model.nodes.iter().enumerate() {
        walk.node(i, node)?;
    }
    walk.finish(name)
}

struct Walk<'a> {
    model: &'a OnnxModel,
    symbols: Symbols<'a>,
    sources: Sources,
    known_shapes: KnownShapes,
    pairs: QuantisedPairs,
    is_gemm_kept: bool,
    inputs: Vec<u64>,
    ops: Vec<OpDocument>,
    /// Axes and small numbers that nodes have made.
    inferred: usize,
    /// Unknown operators: how many, and the first.
    unknown: BTreeMap<String, (usize, String)>,
    /// Nodes that compute with shapes: how many, and the first.
    sized: (usize, String),
    /// Operators whose weights are computed: how many, and the first.
    weightless: (usize, String),
}

impl<'a> Walk<'a> {
    fn new(model: &'a OnnxModel, symbols: Symbols<'a>, options: &Options) -> Result<Self, Invalid> {
        let count = model.names.len();
        let is_conv = |node: &OnnxNode| node.domain.is_empty() && operators::is_conv(&node.op);
        let mut walk = Self {
            model,
            symbols,
            sources: Sources::new(model)?,
            known_shapes: KnownShapes {
                shapes: vec![None; count],
                ints: vec![None; count],
                floats: vec![None; count],
            },
            pairs: QuantisedPairs::of(model),
            is_gemm_kept: options.classifier || !model.nodes.iter().any(is_conv),
            inputs: Vec::new(),
            ops: Vec::new(),
            inferred: 0,
            unknown: BTreeMap::new(),
            sized: Default::default(),
            weightless: Default::default(),
        };
        for (tensor, constant) in &model.initializers {
            let at = *tensor as usize;
            walk.sources.set(*tensor, TensorOrigin::Constant);
            walk.known_shapes.shapes[at] = constant.shape().map(Into::into);
            walk.known_shapes.ints[at] = constant.ints.as_deref().map(Into::into);
            walk.known_shapes.floats[at] = constant.floats.as_deref().map(Into::into);
        }
        Ok(walk)
    }

    /// Inputs of the graph that are no initializers.
    fn inputs(&mut self) -> Result<(), Invalid> {
        for (i, tensor) in self.model.inputs.iter().enumerate() {
            if self.model.initializers.contains_key(tensor) {
                continue;
            }
            let name = &*self.model.names[*tensor as usize];
            let path = format!("inputs[{i}]");
            let fault = |what: &str| {
                let message = format!("{path} \"{name}\" {what}");
                Invalid::new(Code::Range, path.clone(), name, message)
            };
            if self.inputs.len() == MOST_INPUTS {
                return Err(fault(&format!(
                    "is one too many: at most {MOST_INPUTS} inputs are read"
                )));
            }
            let known = self.model.types.get(tensor);
            let axes = known.and_then(|known| known.axes.as_ref());
            let axes = axes.ok_or_else(|| fault("is not a tensor with a shape"))?;
            let shape = self.symbols.shape(axes, None, name);
            let element = known.map_or(0, |known| known.element);
            let bits = tensor::bits(element).ok_or_else(|| {
                fault(&match element {
                    8 => "holds texts: inputs of text are not supported".to_owned(),
                    0 => "has elements of no type".to_owned(),
                    _ => format!("has elements of type {element}, whose size is not known"),
                })
            })?;
            let bits = self.pairs.bits(self.model, *tensor).unwrap_or(bits);
            let bytes = tensor::bytes(&shape, bits);
            let bytes = bytes.ok_or_else(|| fault(&format!("is too large: {shape:?} elements")))?;
            self.sources.set(
                *tensor,
                TensorOrigin::Data([-1 - self.inputs.len() as i64].into()),
            );
            self.known_shapes.shapes[*tensor as usize] = Some(shape.into());
            self.inputs.push(bytes);
        }
        Ok(())
    }

    fn node(&mut self, i: usize, node: &OnnxNode) -> Result<(), Invalid> {
        self.sources.check(self.model, i)?;
        self.shapes(i, node)?;
        let origin = match self.sources.of(i, node)? {
            None => TensorOrigin::Constant,
            Some(list) => match self.kind(node) {
                Some(kind) => self.record_operator(i, node, kind, &list)?,
                None => {
                    self.notice(i, node);
                    TensorOrigin::Data(list)
                }
            },
        };
        for tensor in &node.outputs {
            self.sources.set(*tensor, origin.clone());
        }
        Ok(())
    }

    /// Finds the shapes of a node's outputs, and their numbers if they are small.
    fn shapes(&mut self, i: usize, node: &OnnxNode) -> Result<(), Invalid> {
        let reads = Reads {
            node,
            known_shapes: &self.known_shapes,
        };
        let is_plain = node.domain.is_empty() || operators::kind(node).is_some();
        let inferred = is_plain
            .then(|| shapes::of(&reads))
            .flatten()
            .unwrap_or_default();
        let mut found = Vec::with_capacity(node.outputs.len());
        for (o, tensor) in node.outputs.iter().enumerate() {
            if *tensor == ABSENT {
                found.push(None);
                continue;
            }
            let inferred = inferred.get(o).map(Vec::as_slice);
            let axes = self
                .model
                .types
                .get(tensor)
                .and_then(|known| known.axes.as_ref());
            let name = &self.model.names[*tensor as usize];
            found.push(match axes {
                Some(axes) => Some(self.symbols.shape(axes, inferred, name)),
                None => inferred.map(<[u64]>::to_vec),
            });
        }
        let first = found.first().and_then(Option::as_deref);
        let reads = Reads {
            node,
            known_shapes: &self.known_shapes,
        };
        let ints = is_plain.then(|| values::of(&reads, first)).flatten();
        let floats = reads
            .tensor("value")
            .and_then(|tensor| tensor.floats.clone());
        let axes: usize = found.iter().flatten().map(Vec::len).sum();
        self.inferred += axes + ints.as_ref().map_or(0, Vec::len);
        if self.inferred > MOST_INFERRED {
            let what = format!(
                "is where shapes and small constants come to more than {MOST_INFERRED} numbers"
            );
            return Err(node.fault(i, &what));
        }
        for (tensor, shape) in node.outputs.iter().zip(found) {
            if *tensor != ABSENT {
                self.known_shapes.shapes[*tensor as usize] = shape.map(Into::into);
            }
        }
        if let Some(tensor) = node.outputs.first().filter(|tensor| **tensor != ABSENT) {
            self.known_shapes.ints[*tensor as usize] = ints.map(Into::into);
            self.known_shapes.floats[*tensor as usize] = floats.map(Into::into);
        }
        Ok(())
    }

    /// Returns the kind of a node that reads data, if it is kept.
    fn kind(&self, node: &OnnxNode) -> Option<OperatorKind> {
        let kind = operators::kind(node)?;
        let is_kept = match node.op.as_str() {
            "Gemm" => self.is_gemm_kept,
            "Add" | "Sum" => {
                let mut data = node
                    .inputs
                    .iter()
                    .filter(|tensor| self.sources.is_data(**tensor));
                match (data.next(), data.next()) {
                    (Some(_), Some(_)) => true,
                    (Some(one), None) => {
                        let maker = self.sources.makers[*one as usize] as usize;
                        // An input of the graph has no maker.
                        self.model.nodes.get(maker).is_some_and(|maker| {
                            let behind = ["Gather", "Add", "Mul", "ReduceMean"];
                            maker.domain.is_empty() && behind.contains(&maker.op.as_str())
                        })
                    }
                    _ => false,
                }
            }
            _ => true,
        };
        is_kept.then_some(kind)
    }

    fn record_operator(
        &mut self,
        i: usize,
        node: &OnnxNode,
        kind: OperatorKind,
        list: &[i64],
    ) -> Result<TensorOrigin, Invalid> {
        if self.ops.len() == MOST_OPS {
            let what = format!("is one too many: at most {MOST_OPS} operators are kept");
            return Err(node.fault(i, &what));
        }
        // The operator has the list, and once more what it needs whole.
        self.sources.spend(2 * list.len(), i, node)?;
        let context = Context {
            model: self.model,
            sources: &self.sources,
            known_shapes: &self.known_shapes,
            pairs: &self.pairs,
        };
        let op = operator_figures::operator(&context, i, node, &kind, list)?;
        if context.computes_weights(node, &kind) {
            self.weightless.0 += 1;
            if self.weightless.0 == 1 {
                self.weightless.1 = node.label(i);
            }
        }
        self.ops.push(op);
        Ok(TensorOrigin::Data([self.ops.len() as i64 - 1].into()))
    }

    /// Remembers a transparent node that a person should know of.
    fn notice(&mut self, i: usize, node: &OnnxNode) {
        if node.op == "Shape" && node.domain.is_empty() {
            self.sized.0 += 1;
            if self.sized.0 == 1 {
                self.sized.1 = node.label(i);
            }
        } else if !operators::is_known(node) {
            let op = match node.domain.as_str() {
                "" => node.op.clone(),
                domain => format!("{domain}.{}", node.op),
            };
            let found = self.unknown.entry(op).or_insert_with(|| (0, node.label(i)));
            found.0 += 1;
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (op, (count, first)) in self.unknown.iter().take(MOST_NOTES) {
            notes.push(format!(
                "nodes of type {op}: {count} (first: {first}). They pass their inputs through; what they cost is not counted"
            ));
        }
        let more = self.unknown.len().saturating_sub(MOST_NOTES);
        if more > 0 {
            notes.push(format!("{more} more types of nodes pass their inputs through; what they cost is not counted"));
        }
        if self.sized.0 > 0 {
            let (count, first) = &self.sized;
            notes.push(format!(
                "nodes of type Shape: {count} (first: {first}). What is computed from shapes counts as data, so operators list its sources once more"
            ));
        }
        if self.weightless.0 > 0 {
            let (count, first) = &self.weightless;
            notes.push(format!(
                "operators whose weights nodes compute: {count} (first: {first}). Only weights that are initializers or constants count"
            ));
        }
        if self.pairs.count > 0 {
            notes.push(format!(
                "nodes of type QuantizeLinear and DequantizeLinear: {}. They are folded: what stands between them counts with its quantised elements, weights too",
                self.pairs.count
            ));
        }
        notes
    }

    fn finish(self, name: &str) -> Result<ImportedOnnx, Invalid> {
        let mut outputs = vec![false; self.ops.len()];
        // Many outputs may share one list.
        let mut seen = BTreeSet::new();
        for (o, tensor) in self.model.outputs.iter().enumerate() {
            match self.sources.origin(*tensor) {
                None => {
                    let name = &*self.model.names[*tensor as usize];
                    let path = format!("outputs[{o}]");
                    let message = format!("{path} \"{name}\" is a tensor that no node produces");
                    return Err(Invalid::new(Code::Range, path, name, message));
                }
                Some(TensorOrigin::Constant) => {}
                Some(TensorOrigin::Data(list)) if !seen.insert(list.as_ptr()) => {}
                Some(TensorOrigin::Data(list)) => {
                    for source in list
                        .iter()
                        .filter_map(|source| usize::try_from(*source).ok())
                    {
                        outputs[source] = true;
                    }
                }
            }
        }
        let nodes = self.model.nodes.len();
        if self.ops.is_empty() {
            let types: Vec<&str> = self
                .unknown
                .keys()
                .take(MOST_NOTES)
                .map(String::as_str)
                .collect();
            let types = if types.is_empty() {
                String::new()
            } else {
                format!("; it has {}", types.join(", "))
            };
            let message = format!(
                "the graph has {nodes} nodes, but no operator that is kept: convolution, pooling, product of matrices, sum or normalisation{types}"
            );
            return Err(Invalid::new(Code::Range, "nodes", nodes, message));
        }
        let mut notes = self.notes();
        let dims = self.symbols.into_dims()?;
        notes.splice(0..0, note_of_open(&dims));
        let outputs = (0..).zip(outputs).filter(|(_, is)| *is).map(|(v, _)| v);
        let graph = Graph::new(Document {
            name: name.to_owned(),
            inputs: self.inputs,
            outputs: outputs.collect(),
            ops: self.ops,
        })?;
        Ok(ImportedOnnx {
            graph,
            dims,
            notes,
            nodes,
        })
    }
}
