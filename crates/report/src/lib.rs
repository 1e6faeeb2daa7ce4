//! Answers in words and tables, for the page and the command line alike. What is said is read off the
//! scored timeline, never off a template alone.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod assumed;
pub mod bring;
pub mod cold_decode;
pub mod cold_front;
pub mod cold_start;
pub mod cold_start_charts;
pub mod cold_start_figures;
pub mod cold_start_spread;
pub mod cold_start_told;
pub mod dispatch;
pub mod flags;
pub mod gains;
pub mod glossary;
pub mod heads;
pub mod helps;
pub mod inputs;
pub mod operators;
pub mod published;
pub mod ranges;
pub mod reasons;
pub mod repairs;
pub mod rules;
pub mod strategies;
pub mod table;
pub mod tiers;
pub mod trace;
