//! Tests inside a browser, one module per promise.
#![cfg(target_arch = "wasm32")]

mod canvas;
mod link;
mod parity;
mod random;
mod worker;

#[path = "../shared/fleets.rs"]
mod fleets;
#[path = "../shared/golden.rs"]
mod golden;
#[path = "../shared/instances.rs"]
mod instances;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
