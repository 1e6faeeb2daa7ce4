//! The built page in a real browser, driven as a person would.
//!
//! `./dev test page` runs this against `dist/`. A test opens a [`scene::Scene`]: a static host of its own under
//! a sub-path, and as many visitors as it needs, each in a browser that has never been there.
#![cfg(not(target_arch = "wasm32"))]

mod accessible;
mod appearance;
mod browser;
mod catalogue;
mod chrome;
mod cold_front;
mod dispatch;
mod documents;
mod downloads;
mod drawer;
mod driver;
mod editing;
mod flags;
mod gains;
mod heads;
mod host;
mod import;
mod input;
mod installed;
mod links;
mod models;
mod offline;
mod opening;
mod operators;
mod operators_graph;
mod operators_split;
mod own_machines;
mod page;
mod paper;
mod paste;
mod pictures;
mod pool;
mod prerendered;
mod print;
mod published;
mod reasons;
mod reports;
mod scene;
mod search;
mod sections;
mod sensitivity;
mod service;
mod spread;
mod sweep;
mod terms;
mod tiers;
mod tiers_downloads;
mod tiers_runs;
mod timeline;
mod timeline_hand;
mod timing;
mod visitor;
mod workers;
mod workspace;
mod world;

#[path = "../shared/gguf_files.rs"]
mod gguf_files;
