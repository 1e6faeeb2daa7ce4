//! The page: a Leptos single-page app, in the browser only.
//!
//! [`desk`] holds what the user chose (the scenario is the one truth, the address mirrors it), [`solver`] talks to the worker,
//! [`told`] shows what it tells, [`views`] draw. Nothing here computes a plan.

mod address;
mod canvas;
mod cold_start;
mod common;
mod desk;
mod dispatch;
mod download;
mod files;
mod first;
mod heads;
mod history;
mod jobs;
mod later;
mod news;
mod operators;
mod pins;
mod questions;
mod shell;
mod solver;
mod start;
mod theme;
mod tiers;
mod told;
mod topics;
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
    first::stay(&root);
    wasm_bindgen_futures::spawn_local(async move {
        // Where a default answer is on show, its question alone is needed.
        let needed = match first::is_answer() {
            true => topics::open(address::question_named().unwrap_or(questions::FIRST))
                .await
                .map(|_| None),
            false => later::load().await.map(Some),
        };
        match needed {
            Ok(later) => {
                let root = wasm_bindgen::JsCast::unchecked_into(root);
                let page = move || view! { <views::Page later=later/> };
                leptos::mount::mount_to(root, page).forget();
            }
            Err(fault) => first::fail(&fault.to_string()),
        }
    });
}
