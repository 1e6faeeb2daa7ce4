//! Where tensors come from: constants, or lists of operators and inputs behind transparent nodes.

use super::model::{ABSENT, OnnxModel, OnnxNode};
use crate::problem::{Code, Invalid};
use std::rc::Rc;

/// The most entries of all lists of sources, however large the file: lists double where a transparent node reads one
/// tensor twice, and every operator that is kept has a copy of its own.
const MOST_ENTRIES: usize = 4_000_000;
/// Entries that any file may have.
const FREE_ENTRIES: usize = 1 << 16;
/// Entries for each operand in the file beyond those.
const ENTRIES_OF_OPERAND: usize = 256;
/// The tensor has no producer.
pub(super) const NO_PRODUCER: u32 = u32::MAX;
/// The graph is given the tensor, or the file holds it.
pub(super) const GIVEN: u32 = u32::MAX - 1;

/// Origin of a tensor.
#[derive(Debug, Clone)]
pub(super) enum TensorOrigin {
    /// On nothing that changes.
    Constant,
    /// On operators, and as -1-i on inputs, in order and as often as they are met.
    Data(Rc<[i64]>),
}

/// Makers and origins of all tensors.
pub(super) struct Sources {
    /// The node that makes each tensor.
    pub(super) makers: Vec<u32>,
    origins: Vec<Option<TensorOrigin>>,
    /// Entries of all lists so far, and the most that this file may have.
    entries: usize,
    most: usize,
}

impl Sources {
    /// Finds who makes each tensor.
    ///
    /// # Errors
    /// A tensor that is made twice.
    pub(super) fn new(model: &OnnxModel) -> Result<Self, Invalid> {
        let count = model.names.len();
        let mut makers = vec![NO_PRODUCER; count];
        for tensor in model.initializers.keys() {
            makers[*tensor as usize] = GIVEN;
        }
        for (i, tensor) in model.inputs.iter().enumerate() {
            let is_held = model.initializers.contains_key(tensor);
            if makers[*tensor as usize] != NO_PRODUCER && !is_held {
                let name = &*model.names[*tensor as usize];
                let message = format!("inputs[{i}] \"{name}\" is there twice");
                return Err(Invalid::new(
                    Code::Range,
                    format!("inputs[{i}]"),
                    name,
                    message,
                ));
            }
            makers[*tensor as usize] = GIVEN;
        }
        for (i, node) in model.nodes.iter().enumerate() {
            for tensor in node.outputs.iter().filter(|tensor| **tensor != ABSENT) {
                let maker = &mut makers[*tensor as usize];
                if *maker != NO_PRODUCER {
                    let name = &model.names[*tensor as usize];
                    let by = match *maker {
                        GIVEN => "an input or initializer of that name is there too".to_owned(),
                        other => format!(
                            "{} produces it too",
                            model.nodes[other as usize].label(other as usize)
                        ),
                    };
                    return Err(node.fault(i, &format!("produces \"{name}\", but {by}")));
                }
                *maker = i as u32;
            }
        }
        Ok(Self {
            makers,
            origins: vec![None; count],
            entries: 0,
            most: MOST_ENTRIES.min(FREE_ENTRIES + ENTRIES_OF_OPERAND * model.operands()),
        })
    }

    /// Says where a tensor comes from.
    pub(super) fn set(&mut self, tensor: u32, origin: TensorOrigin) {
        if tensor != ABSENT {
            self.origins[tensor as usize] = Some(origin);
        }
    }

    /// Where a tensor comes from that is known by now.
    pub(super) fn origin(&self, tensor: u32) -> Option<&TensorOrigin> {
        self.origins.get(tensor as usize)?.as_ref()
    }

    /// Returns true if a tensor depends on an input.
    pub(super) fn is_data(&self, tensor: u32) -> bool {
        self.list(tensor).is_some()
    }

    /// The sources of a tensor, if it depends on an input.
    pub(super) fn list(&self, tensor: u32) -> Option<&Rc<[i64]>> {
        match self.origin(tensor)? {
            TensorOrigin::Data(list) => Some(list),
            TensorOrigin::Constant => None,
        }
    }

    /// Refuses a node that reads what is not there by then.
    pub(super) fn check(&self, model: &OnnxModel, i: usize) -> Result<(), Invalid> {
        let node = &model.nodes[i];
        for tensor in node.inputs.iter().filter(|tensor| **tensor != ABSENT) {
            if self.origins[*tensor as usize].is_some() {
                continue;
            }
            let name = &model.names[*tensor as usize];
            let maker = self.makers[*tensor as usize];
            if maker == NO_PRODUCER {
                return Err(node.fault(i, &format!("reads \"{name}\", which no node produces")));
            }
            let other = model.nodes[maker as usize].label(maker as usize);
            let what = if self.depends(model, maker, i as u32) {
                format!(
                    "reads \"{name}\", which depends on its own output: the graph has a cycle over {other}"
                )
            } else {
                format!(
                    "reads \"{name}\" before {other} produces it: nodes must be listed in an order in which they can run"
                )
            };
            return Err(node.fault(i, &what));
        }
        Ok(())
    }

    /// Returns true if the output of one node depends on another. O(nodes and operands).
    fn depends(&self, model: &OnnxModel, node: u32, on: u32) -> bool {
        let mut seen = vec![false; model.nodes.len()];
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if node == on {
                return true;
            }
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            for tensor in &model.nodes[node as usize].inputs {
                match self.makers.get(*tensor as usize) {
                    None | Some(&(NO_PRODUCER | GIVEN)) => {}
                    Some(maker) => open.push(*maker),
                }
            }
        }
        false
    }

    /// The sources of what a node reads, in order and as often as it does; none if it reads no data.
    pub(super) fn of(&mut self, i: usize, node: &OnnxNode) -> Result<Option<Rc<[i64]>>, Invalid> {
        let read = node.inputs.iter().filter_map(|tensor| self.list(*tensor));
        let lists: Vec<Rc<[i64]>> = read.cloned().collect();
        if lists.len() < 2 {
            return Ok(lists.into_iter().next());
        }
        self.spend(lists.iter().map(|list| list.len()).sum(), i, node)?;
        let all: Vec<i64> = lists.iter().flat_map(|list| list.iter().copied()).collect();
        Ok(Some(all.into()))
    }

    /// Counts a list of so many entries before it is copied.
    ///
    /// # Errors
    /// More entries than a file of this size may have.
    pub(super) fn spend(
        &mut self,
        entries: usize,
        i: usize,
        node: &OnnxNode,
    ) -> Result<(), Invalid> {
        let sum = self.entries.saturating_add(entries);
        if sum > self.most {
            let what = format!(
                "lists {entries} sources, {sum} with all nodes before it, and a file of this size may list {}: \
                 nodes that pass their inputs through repeat the sources each time they read a tensor",
                self.most
            );
            return Err(node.fault(i, &what));
        }
        self.entries = sum;
        Ok(())
    }
}
