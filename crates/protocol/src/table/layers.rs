//! The table of a model's layers.

use document::{Cell, Table, TableColumn};
use engine::problem::LayerNumbers;
use engine::scenario::Model;

/// A model's layers as numbers, one row each. Pasted again they are the same layers to the bit.
#[must_use]
pub fn layers(model: &Model, tokens: f64) -> Table {
    let rows = model.layers_at(tokens).into_iter().enumerate();
    let row = |(at, layer): (usize, LayerNumbers)| {
        let numbers = [layer.work, layer.activation, layer.weights];
        let numbers = numbers.map(|n| Cell::Number(n, 0));
        [Cell::count(at + 1)].into_iter().chain(numbers).collect()
    };
    Table {
        name: "layers",
        title: format!("Layers of {}", model.name()),
        columns: vec![
            TableColumn::new("layer", "layer", ""),
            TableColumn::new("W", "W", "FLOP"),
            TableColumn::new("A", "A", "B"),
            TableColumn::new("P", "P", "B"),
        ],
        rows: rows.map(row).collect(),
    }
}
