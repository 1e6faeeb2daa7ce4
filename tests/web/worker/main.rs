//! Tests that run where the page solves: in a worker. There the longest of them does not stop the browser from answering.
#![cfg(target_arch = "wasm32")]

mod messages;
mod parity;
mod random;
mod speed;

#[path = "../../shared/dispatch.rs"]
mod dispatch_made;
#[path = "../../shared/dispatch_runs.rs"]
mod dispatch_runs_made;
#[path = "../../shared/fleets.rs"]
mod fleets;
#[path = "../../shared/golden.rs"]
mod golden;
#[path = "../../shared/golden_dispatch.rs"]
mod golden_dispatch;
#[path = "../../shared/golden_dispatch_runs.rs"]
mod golden_dispatch_runs;
#[path = "../../shared/golden_heads.rs"]
mod golden_heads;
#[path = "../../shared/golden_operators.rs"]
mod golden_operators;
#[path = "../../shared/golden_partitions.rs"]
mod golden_partitions;
#[path = "../../shared/golden_runs.rs"]
mod golden_runs;
#[path = "../../shared/golden_split.rs"]
mod golden_split;
#[path = "../../shared/golden_spread.rs"]
mod golden_spread;
#[path = "../../shared/heads.rs"]
mod heads_made;
#[path = "../../shared/instances.rs"]
mod instances;
#[path = "../../shared/operator_graphs.rs"]
mod operator_graphs;
#[path = "../../shared/split_graphs.rs"]
mod split_graphs;
#[path = "../../shared/tier_partitions.rs"]
mod tier_partitions;
#[path = "../../shared/tier_runs.rs"]
mod tier_runs;
#[path = "../../../crates/worker/src/wire.rs"]
mod wire;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
