//! The web service: the command line's answers over HTTP, native only.
//!
//! The service computes nothing. [`routes`] says which request becomes which verb of the command line; a pool of
//! processes, each the command line again ([`child`]), carries the verbs out and gives back what they print.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod body;
mod cache;
pub mod child;
mod gate;
mod http;
pub mod limits;
mod lines;
mod metrics;
pub mod openapi;
mod page;
mod pool;
pub mod problem;
pub mod routes;
mod search;
mod server;
mod service;
pub mod task;

pub use server::serve;
pub use service::ServiceConfig;
