//! One room per paper. Methods never use one another; page and command line reach them only through
//! [`job`].
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod cold_start;
pub mod dispatch;
pub mod heads;
pub mod operators;
pub mod tiers;
