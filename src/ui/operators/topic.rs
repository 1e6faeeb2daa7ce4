//! The operator-graph question among the others.

use super::{Operators, OperatorsState};
use crate::ui::desk::{Fleet, Steps, document, owner_in};
use crate::ui::questions::Topic;
use engine::scenario::operators;
use leptos::prelude::*;

document!(Operators, operators, encode_operators, Self::validate;
fn step(before: (&Self, &[u32]), after: (&Self, &[u32])) -> String {
    operators::difference(before, after)
}

fn row_count(&self) -> usize {
    self.split.devices.len()
}

fn owner(key: &str) -> Option<u32> {
    owner_in(Self::ROW, key)
}

// A link without the graph says which file it needs.
fn has_link(&self) -> bool {
    true
});

impl Fleet for operators::Scenario {
    type Row = operators::Board;
    const ROW: &'static str = "device";

    fn rows(&self) -> &Vec<operators::Board> {
        &self.split.devices
    }

    fn rows_mut(&mut self) -> &mut Vec<operators::Board> {
        &mut self.split.devices
    }

    fn name_of(row: &operators::Board) -> &str {
        &row.name
    }

    fn has_other_model(&self, other: &Self) -> bool {
        self.graph != other.graph
    }
}

impl Topic for OperatorsState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Operator graph"
    }

    fn instead(&self) -> &'static str {
        "GoogLeNet is shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Operators/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_asks();
        self.end_reading();
    }
}
