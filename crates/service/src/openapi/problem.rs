//! A fault as the service writes it (RFC 9457).

pub use crate::problem::Problem;
