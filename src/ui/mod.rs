//! The page: a Leptos single-page app, in the browser only.
//!
//! [`editor`] holds the user's scenario, which the address mirrors, [`solver`] talks to the worker,
//! [`answer_view`] shows its answers, [`views`] draw. Nothing here computes a plan.

mod address;
mod answer_view;
mod canvas;
mod cold_start;
mod common;
mod dispatch;
mod download;
mod files;
mod first_paint;
mod heads;
mod history;
mod jobs;
mod lazy_bundle;
mod operators;
mod pins;
mod questions;
mod scenario_editor;
mod shell;
mod solver;
mod start;
mod theme;
mod tiers;
mod topics;
mod update_notice;
mod views;
#[path = "../../crates/worker/src/wire.rs"]
mod wire;
mod workspace;

use leptos::prelude::*;

/// Starts the page: takes the place of the first paint, at once or when it has an answer.
///
/// # Panics
/// Never in a browser, where a document and the element to mount into exist.
pub fn run() {
    console_error_panic_hook::set_once();
    let root = document()
        .get_element_by_id("app")
        .expect("index.html has an element #app");
    first_paint::stay(&root);
    wasm_bindgen_futures::spawn_local(async move {
        // Where a default answer is shown, its question alone is needed.
        let needed = match first_paint::is_answer() {
            true => topics::open(address::question_named().unwrap_or(questions::FIRST))
                .await
                .map(|_| None),
            false => lazy_bundle::load().await.map(Some),
        };
        match needed {
            Ok(later) => {
                let root = wasm_bindgen::JsCast::unchecked_into(root);
                let page = move || view! { <views::Page later=later/> };
                leptos::mount::mount_to(root, page).forget();
            }
            Err(fault) => first_paint::fail(&fault.to_string()),
        }
    });
}
