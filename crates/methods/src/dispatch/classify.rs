//! Algorithm 1: which endpoint is scarce, from prices.
//!
//! Source: DiSCo (arXiv 2502.11417), Algorithm 1. The paper's two conditions leave a tie uncovered; here it is the server's.

use engine::plan::dispatch::Scarce;

/// The device is scarce if its cheaper price is above the server's dearer one, the server otherwise. Prices are
/// `[prefill, decode]` in one unit, such as USD per 10^6 tokens, and the device's hold what energy is worth.
#[must_use]
pub fn classify(device: [f64; 2], server: [f64; 2]) -> Scarce {
    if device[0].min(device[1]) > server[0].max(server[1]) {
        Scarce::Device
    } else {
        Scarce::Server
    }
}
