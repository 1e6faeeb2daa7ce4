//! The operator-graph question among the others.

use super::{Operators, OperatorsState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::operators;
use leptos::prelude::*;

document!(Operators, operators, |a, b| a.graph == b.graph;
// A link without the graph says which file it needs.
fn has_link(&self) -> bool {
    true
});

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
