//! Tests of the core on this machine, one module per promise.
#![cfg(not(target_arch = "wasm32"))]

mod budgets;
mod cli;
mod cold_decode;
mod cold_energy;
mod cold_families;
mod cold_hunt;
mod cold_memory;
mod cold_search;
mod cold_sections;
mod cold_spread;
mod data_table;
mod dispatch;
mod dispatch_dragged;
mod dispatch_published;
mod dispatch_runs;
mod dispatch_scenario;
mod documents_cold_heads;
mod documents_dispatch;
mod documents_operators;
mod english;
mod fields;
mod first_paint;
mod flags;
mod fleet_tables;
mod gains;
mod glossary;
mod golden_file;
mod golden_links;
mod graph;
mod heads;
mod heads_compared;
mod heads_layers;
mod heads_run;
mod heads_scenario;
mod heads_sections;
mod hosts;
mod import;
mod large;
mod laws;
mod link;
mod loading;
mod machines;
mod measured;
mod measured_rates;
mod openapi;
mod operators;
mod oracle;
mod paper_rows;
mod papers;
mod parity;
mod paste;
mod pool;
mod precision;
mod published;
mod published_subtasks;
mod random;
mod ranges;
mod report;
mod rules;
mod scatter_gather;
mod scenario_file;
mod sensitivity;
mod sentences;
mod service;
mod source_rules;
mod summaries;
mod tiers;
mod tiers_runtime;
mod tiers_scenario;
mod tiers_sim;
mod token_costs;
mod worker;
mod world;

#[path = "../shared/cases.rs"]
mod cases;
#[path = "../shared/cold_families.rs"]
mod cold_families_made;
#[path = "../shared/dispatch.rs"]
mod dispatch_made;
#[path = "../shared/dispatch_reference.rs"]
mod dispatch_reference;
#[path = "../shared/dispatch_runs.rs"]
mod dispatch_runs_made;
#[path = "../shared/document_checks.rs"]
mod document_checks;
#[path = "../shared/fleets.rs"]
mod fleets;
#[path = "../shared/gguf_files.rs"]
mod gguf_files;
#[path = "../shared/golden.rs"]
mod golden;
#[path = "../shared/golden_dispatch.rs"]
mod golden_dispatch;
#[path = "../shared/golden_dispatch_runs.rs"]
mod golden_dispatch_runs;
#[path = "../shared/golden_heads.rs"]
mod golden_heads;
#[path = "../shared/golden_operators.rs"]
mod golden_operators;
#[path = "../shared/golden_partitions.rs"]
mod golden_partitions;
#[path = "../shared/golden_runs.rs"]
mod golden_runs;
#[path = "../shared/golden_split.rs"]
mod golden_split;
#[path = "../shared/golden_spread.rs"]
mod golden_spread;
#[path = "../shared/heads.rs"]
mod heads_made;
#[path = "../shared/instances.rs"]
mod instances;
#[path = "../shared/operator_graphs.rs"]
mod operator_graphs;
#[path = "../shared/slow_slices.rs"]
mod slow_slices;
#[path = "../shared/split_graphs.rs"]
mod split_graphs;
#[path = "../shared/tier_partitions.rs"]
mod tier_partitions;
#[path = "../shared/tier_profiles.rs"]
mod tier_profiles;
#[path = "../shared/tier_reference.rs"]
mod tier_reference;
#[path = "../shared/tier_runs.rs"]
mod tier_runs;
#[path = "../shared/wire.rs"]
mod wire;
