//! Device or server: hand-overs, what policies cost, and the simulator of requests.

mod bill;
mod migration;
mod parity;
mod predict;
mod published;
mod simulate;
