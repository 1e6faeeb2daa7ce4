//! One room per paper. Methods never use one another; page and command line reach them only through
//! [`crate::job`].

pub mod cold_start;
pub mod dispatch;
pub mod heads;
pub mod operators;
pub mod tiers;
