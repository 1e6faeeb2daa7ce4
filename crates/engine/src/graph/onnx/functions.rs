//! Functions that a file defines: their nodes stand in the place of the nodes that call them.

use super::model::{
    ABSENT, Hidden, MOST_EDGES, MOST_NODES, MOST_OPERANDS, OnnxModel, OnnxNode, SUBGRAPH,
};
use super::reader::{ProtoReader, ProtoValue};
use crate::problem::Invalid;
use std::collections::BTreeMap;
use std::io::{Read, Seek};

/// The most functions.
const MOST_FUNCTIONS: usize = 10_000;
/// How deep functions may call each other.
const DEEPEST_CALL: usize = 16;

/// A function of the file.
#[derive(Debug, Default)]
pub(super) struct OnnxFunction {
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    nodes: Vec<OnnxNode>,
    /// A reason why it is not inlined, if there is one.
    hidden: Option<Hidden>,
}

impl OnnxModel {
    /// Reads a function.
    pub(super) fn function<R: Read + Seek>(
        &mut self,
        wire: &mut ProtoReader<R>,
        value: ProtoValue,
    ) -> Result<(), Invalid> {
        let i = self.functions.len();
        if i == MOST_FUNCTIONS {
            return Err(wire.too_many("functions", MOST_FUNCTIONS));
        }
        let (mut name, mut domain) = (String::new(), String::new());
        let mut function = OnnxFunction::default();
        let end = wire.end(value)?;
        wire.message("functions", i, end, |wire, field, value| {
            match field {
                1 => name = wire.name(value)?,
                4 | 5 => {
                    let tensor = wire.name(value)?;
                    let tensor = self.tensor(tensor);
                    let list = match field {
                        4 => &mut function.inputs,
                        _ => &mut function.outputs,
                    };
                    if list.len() == MOST_OPERANDS {
                        return Err(wire.too_many("operands", MOST_OPERANDS));
                    }
                    list.push(tensor);
                }
                7 => {
                    if function.nodes.len() == MOST_NODES {
                        return Err(wire.too_many("nodes", MOST_NODES));
                    }
                    let (node, hidden) = self.any_node(wire, value, function.nodes.len())?;
                    function.hidden = function.hidden.or(hidden);
                    function.nodes.push(node);
                }
                10 => domain = wire.name(value)?,
                _ => {}
            }
            Ok(())
        })?;
        if domain == "ai.onnx" {
            domain.clear();
        }
        self.functions.insert((domain, name), function);
        Ok(())
    }

    /// Puts the nodes of functions of the file in the place of the nodes that call them.
    pub(super) fn inline_functions(&mut self) -> Result<(), Invalid> {
        if self.functions.is_empty() {
            return Ok(());
        }
        let functions = std::mem::take(&mut self.functions);
        let mut calls = 0;
        for (i, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            self.inline(i, node, &functions, (0, &mut calls))?;
        }
        Ok(())
    }

    /// Adds a node, or the nodes of the function that it calls. `calls` counts all of them.
    fn inline(
        &mut self,
        i: usize,
        node: OnnxNode,
        functions: &BTreeMap<(String, String), OnnxFunction>,
        (depth, calls): (usize, &mut usize),
    ) -> Result<(), Invalid> {
        let Some(function) = functions.get(&(node.domain.clone(), node.op.clone())) else {
            if self.nodes.len() == MOST_NODES {
                let what =
                    format!("is one too many: with functions at most {MOST_NODES} nodes are read");
                return Err(node.fault(i, &what));
            }
            self.nodes.push(node);
            return Ok(());
        };
        match function.hidden {
            Some(Hidden::Graph) => {
                return Err(node.fault(i, &format!("calls a function that {SUBGRAPH}")));
            }
            Some(Hidden::Reference) => {
                let what = "calls a function of the file whose nodes take attributes from the call, which is not supported: export the model with \
                            its functions inlined";
                return Err(node.fault(i, what));
            }
            None => {}
        }
        if depth == DEEPEST_CALL {
            let what = format!("calls functions of the file more than {DEEPEST_CALL} deep");
            return Err(node.fault(i, &what));
        }
        *calls += 1;
        let call = *calls;
        let of_call = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(ABSENT);
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for (at, tensor) in function.inputs.iter().enumerate() {
            numbers.insert(*tensor, of_call(&node.inputs, at));
        }
        for (at, tensor) in function.outputs.iter().enumerate() {
            let out = of_call(&node.outputs, at);
            match numbers.get(tensor) {
                // What goes in comes out.
                Some(input) if out != ABSENT => {
                    self.nodes.push(OnnxNode::identity(*input, out));
                }
                None if out != ABSENT => {
                    numbers.insert(*tensor, out);
                }
                _ => {}
            }
        }
        for inner in &function.nodes {
            let mut inner = inner.clone();
            self.edges += inner.inputs.len() + inner.outputs.len();
            if self.edges > MOST_EDGES {
                let what = format!("is where functions come to more than {MOST_EDGES} operands");
                return Err(node.fault(i, &what));
            }
            for tensor in inner.inputs.iter_mut().chain(&mut inner.outputs) {
                if *tensor == ABSENT {
                    continue;
                }
                let known = numbers.get(tensor).copied();
                let number = match known {
                    Some(number) => number,
                    None => {
                        let name = format!("{}#{call}/{}", node.op, self.names[*tensor as usize]);
                        self.tensor(name)
                    }
                };
                numbers.insert(*tensor, number);
                *tensor = number;
            }
            if !node.name.is_empty() && !inner.name.is_empty() {
                inner.name = format!("{}/{}", node.name, inner.name);
            }
            self.inline(i, inner, functions, (depth + 1, &mut *calls))?;
        }
        Ok(())
    }
}
