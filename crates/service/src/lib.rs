//! The web service: the command line's answers over HTTP, native only.
//!
//! The service computes nothing. [`routes`] says which request becomes which verb of the command line.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod openapi;
pub mod routes;
