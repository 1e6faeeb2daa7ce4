//! Content of a file: nodes, initializers, shapes. Nothing is computed here.

use super::functions::OnnxFunction;
use super::quantised;
use super::reader::{ProtoReader, ProtoValue};
use super::tensor::{self, OnnxTensor};
use crate::problem::{Code, Invalid};
use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::rc::Rc;

/// An operand that is left out.
pub(super) const ABSENT: u32 = u32::MAX;
/// The most nodes.
pub(super) const MOST_NODES: usize = 200_000;
/// The most initializers, and the most shapes.
const MOST_TENSORS: usize = 500_000;
/// The most operands and results of one node.
pub(super) const MOST_OPERANDS: usize = 10_000;
/// The most operands and results of all nodes.
pub(super) const MOST_EDGES: usize = 2_000_000;
/// The most attributes of a node.
const MOST_ATTRIBUTES: usize = 100;
/// The most axes of a tensor.
pub(super) const MOST_AXES: usize = 64;
/// The most axes of all shapes.
const MOST_ALL_AXES: usize = 8_000_000;
/// The most numbers that are kept of all constants; the values of those behind are unknown.
const MOST_VALUES: usize = 1 << 20;
/// The most numbers of all attributes: none is left out, for a stride that is not read would count as 1.
const MOST_LISTED: usize = 1 << 20;
/// The longest text of an attribute [bytes].
const LONGEST_TEXT: usize = 40;

/// Marks an entry that occurs once.
const ONCE: usize = usize::MAX;

/// An attribute, as far as any rule asks for it.
#[derive(Debug, Clone)]
pub(super) enum Attribute {
    /// A whole number.
    Int(i64),
    /// Whole numbers.
    Ints(Vec<i64>),
    /// A short text.
    Text(String),
    /// A tensor.
    Tensor(OnnxTensor),
    /// A single float, whose value no one asks for.
    Float,
}

/// A node.
#[derive(Debug, Default, Clone)]
pub(super) struct OnnxNode {
    /// Its name, often empty.
    pub(super) name: String,
    /// Its operator.
    pub(super) op: String,
    /// Whose operator it is; empty for ONNX itself.
    pub(super) domain: String,
    /// Tensors that it reads.
    pub(super) inputs: Vec<u32>,
    /// Tensors that it makes.
    pub(super) outputs: Vec<u32>,
    /// Bits of an element of what it makes, where the operator says so.
    pub(super) bits: Option<u64>,
    attributes: Vec<(String, Attribute)>,
}

impl OnnxNode {
    /// A node that hands a tensor on.
    pub(super) fn identity(from: u32, to: u32) -> Self {
        Self {
            op: "Identity".to_owned(),
            inputs: vec![from],
            outputs: vec![to],
            ..Self::default()
        }
    }

    /// A whole number by its name.
    pub(super) fn int(&self, name: &str) -> Option<i64> {
        match self.attribute(name)? {
            Attribute::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whole numbers by their name.
    pub(super) fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attribute(name)? {
            Attribute::Ints(values) => Some(values),
            _ => None,
        }
    }

    /// A short text by its name.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.attribute(name)? {
            Attribute::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An attribute by its name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, attribute)| attribute)
    }

    /// How messages name node i.
    pub(super) fn label(&self, i: usize) -> String {
        let of = if self.domain.is_empty() { "" } else { "." };
        let (name, domain, op) = (&self.name, &self.domain, &self.op);
        match name.is_empty() {
            true => format!("nodes[{i}] ({domain}{of}{op})"),
            false => format!("nodes[{i}] \"{name}\" ({domain}{of}{op})"),
        }
    }

    /// A fault of node i.
    pub(super) fn fault(&self, i: usize, what: &str) -> Invalid {
        let message = format!("{} {what}", self.label(i));
        Invalid::new(
            Code::Range,
            format!("nodes[{i}]"),
            self.op.as_str(),
            message,
        )
    }
}

/// The length of an axis, as the file has it.
#[derive(Debug, Clone)]
pub(super) enum OnnxAxis {
    /// A number.
    Given(u64),
    /// A name for it.
    Named(String),
    /// Nothing.
    Missing,
}

/// Type of a tensor in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Type {
    /// Number of its element type; 0 where there is none.
    pub(super) element: i64,
    /// Its shape, where there is one.
    pub(super) axes: Option<Vec<OnnxAxis>>,
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct OnnxModel {
    numbers: BTreeMap<Rc<str>, u32>,
    /// Names of tensors, by number.
    pub(super) names: Vec<Rc<str>>,
    /// The nodes, in the file's order.
    pub(super) nodes: Vec<OnnxNode>,
    /// Constants that the file holds, by tensor.
    pub(super) initializers: BTreeMap<u32, OnnxTensor>,
    /// Inputs of the graph.
    pub(super) inputs: Vec<u32>,
    /// Outputs of the graph.
    pub(super) outputs: Vec<u32>,
    /// Types, by tensor.
    pub(super) types: BTreeMap<u32, Type>,
    pub(super) functions: BTreeMap<(String, String), OnnxFunction>,
    pub(super) edges: usize,
    axes: usize,
    values: usize,
    listed: usize,
}

impl OnnxModel {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the place in the file and what is wrong with it.
    ///
    /// # Complexity
    /// O(bytes that are no weights) time and memory.
    pub(super) fn read<R: Read + Seek>(reader: R) -> Result<Self, Invalid> {
        let mut wire = ProtoReader::new(reader)?;
        strange(&wire.head()?, wire.length())?;
        let mut model = Self::default();
        let mut graphs = 0;
        let end = wire.length();
        wire.message("file", ONCE, end, |wire, field, value| match field {
            7 => {
                graphs += 1;
                if graphs > 1 {
                    return Err(wire.too_many("graph", 1));
                }
                model.graph(wire, value)
            }
            25 => model.function(wire, value),
            _ => Ok(()),
        })?;
        if graphs == 0 {
            let message = "the file holds no graph: it is cut short or is not an ONNX model";
            return Err(Invalid::new(Code::Syntax, "graph", end, message));
        }
        model.inline_functions()?;
        model.nodes.iter_mut().for_each(quantised::rewrite);
        Ok(model)
    }

    fn graph<R: Read + Seek>(
        &mut self,
        wire: &mut ProtoReader<R>,
        value: ProtoValue,
    ) -> Result<(), Invalid> {
        let (mut initializers, mut types) = (0, [0; 3]);
        let end = wire.end(value)?;
        wire.message("graph", ONCE, end, |wire, field, value| match field {
            1 => self.node(wire, value),
            5 | 15 => {
                if initializers == MOST_TENSORS {
                    return Err(wire.too_many("initializers", MOST_TENSORS));
                }
                initializers += 1;
                let (name, tensor) = match field {
                    5 => tensor::read(wire, "initializers", initializers - 1, value)?,
                    _ => tensor::read_sparse(wire, initializers - 1, value)?,
                };
                self.initializer(name, tensor, initializers - 1)
            }
            11..=13 => {
                let kind = field as usize - 11;
                if types[kind] == MOST_TENSORS {
                    return Err(wire.too_many("shapes", MOST_TENSORS));
                }
                types[kind] += 1;
                self.type_of(wire, value, kind, types[kind] - 1)
            }
            _ => Ok(()),
        })
    }

    /// Operands and results of all nodes.
    pub(super) const fn operands(&self) -> usize {
        self.edges
    }

    /// The number of a tensor.
    pub(super) fn tensor(&mut self, name: String) -> u32 {
        if name.is_empty() {
            return ABSENT;
        }
        if let Some(number) = self.numbers.get(name.as_str()) {
            return *number;
        }
        let (name, number): (Rc<str>, u32) = (name.into(), self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    fn initializer(
        &mut self,
        name: String,
        mut tensor: OnnxTensor,
        i: usize,
    ) -> Result<(), Invalid> {
        let path = format!("initializers[{i}]");
        tensor.bytes().map_err(|what| {
            let message = format!("{path} \"{name}\" {what}");
            Invalid::new(Code::Range, path.clone(), tensor.shape_text(), message)
        })?;
        self.spend(&mut tensor);
        let number = self.tensor(name);
        if number == ABSENT {
            return Ok(());
        }
        if self.initializers.insert(number, tensor).is_some() {
            let name = &self.names[number as usize];
            let message = format!("{path} \"{name}\" is there twice");
            return Err(Invalid::new(Code::Range, path, &**name, message));
        }
        Ok(())
    }

    /// Lets a constant keep its numbers as long as there is room for them.
    fn spend(&mut self, tensor: &mut OnnxTensor) {
        self.values += tensor.ints.as_ref().map_or(0, Vec::len);
        if self.values > MOST_VALUES {
            tensor.ints = None;
        }
    }

    fn node<R: Read + Seek>(
        &mut self,
        wire: &mut ProtoReader<R>,
        value: ProtoValue,
    ) -> Result<(), Invalid> {
        let i = self.nodes.len();
        if i == MOST_NODES {
            return Err(wire.too_many("nodes", MOST_NODES));
        }
        let (node, hidden) = self.any_node(wire, value, i)?;
        if let Some(Hidden::Graph) = hidden {
            return Err(node.fault(i, SUBGRAPH));
        }
        self.nodes.push(node);
        Ok(())
    }

    /// A node of the graph or of a function, and what it hides.
    pub(super) fn any_node<R: Read + Seek>(
        &mut self,
        wire: &mut ProtoReader<R>,
        value: ProtoValue,
        i: usize,
    ) -> Result<(OnnxNode, Option<Hidden>), Invalid> {
        let (mut node, mut hidden, mut attributes) = (OnnxNode::default(), None, 0);
        let end = wire.end(value)?;
        wire.message("nodes", i, end, |wire, field, value| {
            match field {
                1 | 2 => {
                    let name = wire.name(value)?;
                    let tensor = self.tensor(name);
                    let list = match field {
                        1 => &mut node.inputs,
                        _ => &mut node.outputs,
                    };
                    if list.len() == MOST_OPERANDS {
                        return Err(wire.too_many("operands", MOST_OPERANDS));
                    }
                    list.push(tensor);
                    self.edges += 1;
                    if self.edges > MOST_EDGES {
                        return Err(wire.too_many("operands of all nodes", MOST_EDGES));
                    }
                }
                3 => node.name = wire.name(value)?,
                4 => node.op = wire.name(value)?,
                5 => {
                    if attributes == MOST_ATTRIBUTES {
                        return Err(wire.too_many("attributes", MOST_ATTRIBUTES));
                    }
                    attributes += 1;
                    let read = attribute(wire, value, attributes - 1, &mut hidden)?;
                    if let Some((name, mut attribute)) = read {
                        match &mut attribute {
                            Attribute::Tensor(tensor) => self.spend(tensor),
                            Attribute::Ints(ints) => self.listed += ints.len(),
                            _ => {}
                        }
                        if self.listed > MOST_LISTED {
                            return Err(wire.too_many("numbers of all attributes", MOST_LISTED));
                        }
                        node.attributes.push((name, attribute));
                    }
                }
                7 => node.domain = wire.name(value)?,
                _ => {}
            }
            Ok(())
        })?;
        if node.domain == "ai.onnx" {
            node.domain.clear();
        }
        if node.domain.is_empty() && CONTROL.contains(&node.op.as_str()) {
            hidden = Some(Hidden::Graph);
        }
        Ok((node, hidden))
    }

    /// Reads an input (kind 0), an output (1) or a shape in between (2).
    fn type_of<R: Read + Seek>(
        &mut self,
        wire: &mut ProtoReader<R>,
        value: ProtoValue,
        kind: usize,
        i: usize,
    ) -> Result<(), Invalid> {
        let (mut name, mut read) = (String::new(), Type::default());
        let place = ["inputs", "outputs", "value_info"][kind];
        let end = wire.end(value)?;
        wire.message(place, i, end, |wire, field, value| match field {
            1 => {
                name = wire.name(value)?;
                Ok(())
            }
            2 => {
                let end = wire.end(value)?;
                wire.message("type", ONCE, end, |wire, field, value| match field {
                    1 => tensor_type(wire, value, &mut read),
                    _ => Ok(()),
                })
            }
            _ => Ok(()),
        })?;
        self.axes += read.axes.as_ref().map_or(0, Vec::len);
        if self.axes > MOST_ALL_AXES {
            return Err(wire.too_many("axes of all shapes", MOST_ALL_AXES));
        }
        let number = self.tensor(name);
        if number == ABSENT {
            return Ok(());
        }
        match kind {
            0 => self.inputs.push(number),
            1 => self.outputs.push(number),
            _ => {}
        }
        let known = self.types.entry(number).or_default();
        if known.axes.is_none() {
            *known = read;
        }
        Ok(())
    }
}

/// A part of a node that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    /// It holds a graph.
    Graph,
    /// An attribute that some rule asks for is that of the call.
    Reference,
}

/// Why a node with a graph is refused.
pub(super) const SUBGRAPH: &str = "contains a subgraph; control flow (If, Loop, Scan) is not supported: export the model without it";

/// Operators that hold graphs.
const CONTROL: [&str; 3] = ["If", "Loop", "Scan"];

/// Files that are often taken for ONNX.
fn strange(head: &[u8], length: u64) -> Result<(), Invalid> {
    let first = |n: usize| head.get(..n).unwrap_or_default();
    let announced = head
        .first_chunk::<8>()
        .map(|eight| u64::from_le_bytes(*eight));
    let what = if head.is_empty() {
        "is empty"
    } else if first(4) == b"PK\x03\x04" {
        "is a zip archive, perhaps a PyTorch checkpoint; unpack or export it as .onnx"
    } else if first(1) == b"<" {
        "is a web page"
    } else if first(1) == b"{" || first(1) == b"[" {
        "is JSON, not a binary ONNX model"
    } else if first(4) == b"GGUF" {
        "is a GGUF file, which holds weights but no graph"
    } else if first(4) == b"\x89HDF" {
        "is an HDF5 file, perhaps of Keras"
    } else if head.get(4..8) == Some(b"TFL3") {
        "is a TensorFlow Lite model"
    } else if head.get(4..8) == Some(b"ORTM") {
        "is an ONNX Runtime model (.ort), not .onnx"
    } else if head.get(8) == Some(&b'{') && announced.is_some_and(|bytes| bytes < length) {
        "is a safetensors file, which holds weights but no graph"
    } else {
        return Ok(());
    };
    let message = format!("the file is not an ONNX model: it {what}");
    Err(Invalid::new(Code::Syntax, "", length, message))
}

fn tensor_type<R: Read + Seek>(
    wire: &mut ProtoReader<R>,
    value: ProtoValue,
    read: &mut Type,
) -> Result<(), Invalid> {
    let end = wire.end(value)?;
    wire.message("tensor_type", ONCE, end, |wire, field, value| match field {
        1 => {
            read.element = wire.int(value)?;
            Ok(())
        }
        2 => {
            let mut axes = Vec::new();
            let end = wire.end(value)?;
            wire.message("shape", ONCE, end, |wire, field, value| {
                if field != 1 {
                    return Ok(());
                }
                if axes.len() == MOST_AXES {
                    return Err(wire.too_many("axes", MOST_AXES));
                }
                let mut axis = OnnxAxis::Missing;
                let end = wire.end(value)?;
                wire.message("dim", axes.len(), end, |wire, field, value| {
                    match field {
                        1 => {
                            axis = u64::try_from(wire.int(value)?)
                                .map_or(OnnxAxis::Missing, OnnxAxis::Given)
                        }
                        2 => {
                            let name = wire.name(value)?;
                            if !name.is_empty() {
                                axis = OnnxAxis::Named(name);
                            }
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
                axes.push(axis);
                Ok(())
            })?;
            read.axes = Some(axes);
            Ok(())
        }
        _ => Ok(()),
    })
}

/// Attributes that some rule asks for.
const READ_ATTRIBUTES: [&str; 31] = [
    "N",
    "allowzero",
    "auto_pad",
    "axes",
    "axis",
    "blocksize",
    "ceil_mode",
    "channels_last",
    "dilations",
    "end",
    "ends",
    "group",
    "keepdims",
    "kernel_shape",
    "noop_with_empty_axes",
    "output_dtype",
    "output_padding",
    "output_shape",
    "pads",
    "perm",
    "shape",
    "split",
    "start",
    "starts",
    "strides",
    "transA",
    "transB",
    "value",
    "value_float",
    "value_int",
    "value_ints",
];

/// Reads an attribute, if it is one that is asked for.
///
/// # Errors
/// A list or a text that is too long to be read: what is in its place when it is missing would be another value.
fn attribute<R: Read + Seek>(
    wire: &mut ProtoReader<R>,
    value: ProtoValue,
    i: usize,
    hidden: &mut Option<Hidden>,
) -> Result<Option<(String, Attribute)>, Invalid> {
    let (mut name, mut found) = (String::new(), None);
    let (mut ints, mut fit, mut kind, mut is_long) = (Vec::new(), true, 0, false);
    let mut is_reference = false;
    let end = wire.end(value)?;
    wire.message("attributes", i, end, |wire, field, value| {
        match field {
            1 => name = wire.name(value)?,
            2 => found = Some(Attribute::Float),
            3 => found = Some(Attribute::Int(wire.int(value)?)),
            4 => {
                let bytes = wire.bytes(value, LONGEST_TEXT)?;
                is_long = bytes.is_none();
                let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                found = text.map(Attribute::Text);
            }
            5 => {
                found = Some(Attribute::Tensor(
                    tensor::read(wire, "tensor", ONCE, value)?.1,
                ))
            }
            8 => fit &= wire.ints(value, tensor::MOST_KEPT, &mut ints)?,
            6 | 11 => *hidden = Some(Hidden::Graph),
            21 => is_reference = true,
            20 => kind = wire.int(value)?,
            _ => {}
        }
        Ok(())
    })?;
    if !READ_ATTRIBUTES.contains(&name.as_str()) {
        return Ok(None);
    }
    if is_reference {
        *hidden = hidden.or(Some(Hidden::Reference));
    }
    if !fit {
        // Of a constant only the values are unknown then.
        return match name.as_str() {
            "value_ints" => Ok(None),
            _ => Err(wire.too_many(&format!("numbers in {name}"), tensor::MOST_KEPT)),
        };
    }
    if is_long {
        return Err(wire.too_many(&format!("bytes in {name}"), LONGEST_TEXT));
    }
    // Type 7 is a list of whole numbers, and an empty one leaves no other trace.
    let list = kind == 7 || !ints.is_empty();
    let attribute = if list {
        Some(Attribute::Ints(ints))
    } else {
        found
    };
    Ok(attribute.map(|attribute| (name, attribute)))
}
