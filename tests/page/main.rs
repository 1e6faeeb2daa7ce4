//! The built page in a real browser, driven as a person would.
//!
//! `./dev test page` runs this against `dist/`. A test opens a [`scene::Scene`]: a static host of its own under
//! a sub-path, and as many visitors as it needs, each in a browser that has never been there.
#![cfg(not(target_arch = "wasm32"))]

mod accessible;
mod bring;
mod browser;
mod catalogue;
mod chrome;
mod dispatch;
mod documents;
mod drawer;
mod driver;
mod editing;
mod first;
mod flags;
mod front;
mod gains;
mod heads;
mod helps;
mod host;
mod hunt;
mod input;
mod installed;
mod links;
mod looks;
mod models;
mod offline;
mod opening;
mod operators;
mod operators_graph;
mod operators_split;
mod page;
mod paper;
mod paste;
mod pictures;
mod pool;
mod print;
mod published;
mod reasons;
mod scene;
mod sections;
mod service;
mod spread;
mod stories;
mod sweep;
mod taking;
mod terms;
mod tiers;
mod tiers_runs;
mod tiers_taking;
mod timeline;
mod timeline_hand;
mod timing;
mod visitor;
mod workspace;
mod world;

#[path = "../shared/gguf_files.rs"]
mod gguf_files;
