//! Ranges in the place of points: the statistics against cases that can be integrated, the same draws however they are
//! shared out, and ranges as part of a scenario.

mod analytic;
mod draws;
mod parity;
mod spans;
mod worth;

use engine::plan::{Pipeline, Stage};
use engine::scenario::ranges::{Place, Span};
use engine::scenario::{LayerRow, LayerTable, Model, Scenario, presets};

/// One layer of 4 GB, and two devices of the same make that differ in their disk: the plan is one of the two devices, and
/// it takes 4000 / r seconds and what the computation takes.
pub(crate) fn one_layer(first_mb_s: f64, second_mb_s: f64) -> Scenario {
    let mut scenario = presets::paper();
    scenario.model = Model::Table(LayerTable {
        name: "one layer".into(),
        layers: vec![LayerRow {
            W: 1e11,
            A: 1e6,
            P: 4e9,
        }],
    });
    scenario.devices.truncate(2);
    scenario.devices[1] = scenario.devices[0].clone();
    scenario.devices[1].name = "D2".into();
    scenario.devices[0].r_mb_s = first_mb_s;
    scenario.devices[1].r_mb_s = second_mb_s;
    scenario
}

/// The whole model on one device.
pub(crate) fn all_on(device: usize, layers: usize) -> Pipeline {
    vec![Stage::from((device, 1, layers))]
}

pub(crate) fn span(low: f64, high: f64) -> Option<Span> {
    Some(Span { low, high })
}

/// The paper's four devices with ranges on six numbers.
pub(crate) fn paper_with_ranges() -> Scenario {
    let mut scenario = presets::paper();
    scenario.set_span(&Place::shared("prompt_tokens"), span(200.0, 400.0));
    scenario.set_span(&Place::shared("channel.mu"), span(0.25, 0.5));
    scenario.set_span(&Place::of_device(2, "r_mb_s"), span(2000.0, 3600.0));
    scenario.set_span(&Place::of_device(2, "c_peak_tflops"), span(20.0, 36.0));
    scenario.set_span(&Place::of_device(0, "r_mb_s"), span(4000.0, 6000.0));
    scenario.set_span(&Place::of_device(0, "d_m"), span(1.0, 5.0));
    scenario
}
