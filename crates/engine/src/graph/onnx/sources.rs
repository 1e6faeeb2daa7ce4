//! Where tensors come from: constants, or lists of operators and inputs behind transparent nodes.

use super::model::{ABSENT, Model, Node};
use crate::problem::{Code, Invalid};
use std::rc::Rc;

/// The most entries of all lists of sources: lists double where a transparent node reads one tensor twice.
const MOST_ENTRIES: usize = 4_000_000;
/// Nothing makes the tensor.
pub(super) const NOBODY: u32 = u32::MAX;
/// The graph is given the tensor, or the file holds it.
pub(super) const GIVEN: u32 = u32::MAX - 1;

/// What a tensor depends on.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// On nothing that changes.
    Constant,
    /// On operators, and as -1-i on inputs, in order and as often as they are met.
    Data(Rc<[i64]>),
}

/// Makers and origins of all tensors.
pub(super) struct Sources {
    /// The node that makes each tensor.
    pub(super) makers: Vec<u32>,
    origins: Vec<Option<Origin>>,
    entries: usize,
}

impl Sources {
    /// Finds who makes each tensor.
    ///
    /// # Errors
    /// A tensor that is made twice.
    pub(super) fn new(model: &Model) -> Result<Self, Invalid> {
        let count = model.names.len();
        let mut makers = vec![NOBODY; count];
        for tensor in model.initializers.keys() {
            makers[*tensor as usize] = GIVEN;
        }
        for (i, tensor) in model.inputs.iter().enumerate() {
            let is_held = model.initializers.contains_key(tensor);
            if makers[*tensor as usize] != NOBODY && !is_held {
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
                if *maker != NOBODY {
                    let name = &model.names[*tensor as usize];
                    let by = match *maker {
                        GIVEN => "an input or initializer of that name is there too".to_owned(),
                        other => format!(
                            "{} makes it too",
                            model.nodes[other as usize].label(other as usize)
                        ),
                    };
                    return Err(node.fault(i, &format!("makes \"{name}\", but {by}")));
                }
                *maker = i as u32;
            }
        }
        Ok(Self {
            makers,
            origins: vec![None; count],
            entries: 0,
        })
    }

    /// Says where a tensor comes from.
    pub(super) fn set(&mut self, tensor: u32, origin: Origin) {
        if tensor != ABSENT {
            self.origins[tensor as usize] = Some(origin);
        }
    }

    /// Where a tensor comes from that is known by now.
    pub(super) fn origin(&self, tensor: u32) -> Option<&Origin> {
        self.origins.get(tensor as usize)?.as_ref()
    }

    /// Whether a tensor depends on an input.
    pub(super) fn is_data(&self, tensor: u32) -> bool {
        matches!(self.origin(tensor), Some(Origin::Data(_)))
    }

    /// Refuses a node that reads what is not there by then.
    pub(super) fn check(&self, model: &Model, i: usize) -> Result<(), Invalid> {
        let node = &model.nodes[i];
        for tensor in node.inputs.iter().filter(|tensor| **tensor != ABSENT) {
            if self.origins[*tensor as usize].is_some() {
                continue;
            }
            let name = &model.names[*tensor as usize];
            let maker = self.makers[*tensor as usize];
            if maker == NOBODY {
                return Err(node.fault(i, &format!("reads \"{name}\", which nothing makes")));
            }
            let other = model.nodes[maker as usize].label(maker as usize);
            let what = if self.depends(model, maker, i as u32) {
                format!(
                    "reads \"{name}\", which depends on what it makes itself: the graph has a cycle over {other}"
                )
            } else {
                format!(
                    "reads \"{name}\" before {other} makes it: nodes have to stand in an order in which they can run"
                )
            };
            return Err(node.fault(i, &what));
        }
        Ok(())
    }

    /// Whether what one node makes depends on another. O(nodes and operands).
    fn depends(&self, model: &Model, node: u32, on: u32) -> bool {
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
                    None | Some(&(NOBODY | GIVEN)) => {}
                    Some(maker) => open.push(*maker),
                }
            }
        }
        false
    }

    /// The sources of what a node reads, in order and as often as it does; none if it reads no data.
    pub(super) fn of(&mut self, i: usize, node: &Node) -> Result<Option<Rc<[i64]>>, Invalid> {
        let lists = || {
            node.inputs
                .iter()
                .filter_map(|tensor| match self.origin(*tensor) {
                    Some(Origin::Data(list)) => Some(list),
                    _ => None,
                })
        };
        let count = lists().count();
        if count < 2 {
            return Ok(lists().next().cloned());
        }
        let entries: usize = lists().map(|list| list.len()).sum();
        if self.entries + entries > MOST_ENTRIES {
            let what = format!(
                "lists {entries} sources, and all nodes up to it more than {MOST_ENTRIES}: transparent nodes list theirs again and again"
            );
            return Err(node.fault(i, &what));
        }
        let all: Vec<i64> = lists().flat_map(|list| list.iter().copied()).collect();
        self.entries += entries;
        Ok(Some(all.into()))
    }
}
