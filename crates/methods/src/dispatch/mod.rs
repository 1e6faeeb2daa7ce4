//! Device or server: which endpoint starts for a prompt, and when, if only a share of all prompt tokens may go to one of them.
//!
//! The server answers after a random time T_s, a device after T_d(l), which grows with the prompt length l. Where the device
//! is scarce, the server always starts and the device follows after a wait w(l) unless a token has come; where the server is
//! scarce, the device always starts and the server joins it for some lengths. The first token decides the race.
//!
//! Source: "DiSCo: Device-Server Collaborative LLM-Based Text Streaming Services" (arXiv 2502.11417), Algorithms 1 to 3:
//! [`classify`], [`waits`], [`threshold`]; its hand-overs from one endpoint to the other: [`migration`]. Ours are the best
//! policies under the same budget: the least mean ([`optimum`], [`server`]), the least P99 and the least mean under a cap on it
//! ([`capped`]), and one device of several ([`devices`]). Beside them stand [`simulate`], which draws and plays out
//! requests one by one, [`predict`] (Table 5), [`loading`] (Table 4) and [`wire`], what a hand-over sends.
//!
//! Differs from the paper: budgets are shares of prompt tokens throughout; the equation for the last, partly served length is
//! corrected, since the published one turns its budget around ([`waits::Residual`]); with samples in place of a continuous law
//! what the wait for the tail really lets through is counted, and one randomised wait meets a budget to the last token.
//! Try: `edgewise solve dispatch` with lengths [[10,1]], ttft [1,2,3,4], b 0.5, alpha 0.1, prefill_rate 10 and device_const 0;
//! expect w_tail = 4 s, W = 2 s and half of all tokens on the device.

pub mod baseline;
pub mod classify;
pub mod devices;
pub mod fit;
pub mod flops;
pub mod hulls;
pub mod loading;
pub mod migration;
mod mixture;
pub mod optimum;
pub mod predict;
pub mod priced;
pub mod recent;
pub mod server;
pub mod simulate;
pub mod tail_cap;
mod tail_mixture;
pub mod threshold;
pub mod transfer_size;
pub mod waits;
