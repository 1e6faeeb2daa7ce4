//! Tests that need the window of a page: its canvas and its address.
#![cfg(target_arch = "wasm32")]

mod canvas;
mod link;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
