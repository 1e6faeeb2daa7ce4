//! Finishes a build of the page: what happens to the files that Trunk has put together before they are hosted.
//!
//! `tools/pieces` divides its programs and `tools/paint` puts answers into the page. From there on a build is held in memory as
//! [`BuildFiles`] and goes through steps, each of which leaves a whole build: [`styles`] puts the style sheets into one, [`stamp`] names
//! every file by its content, [`offline`] lists the files for the service worker, [`press`] puts compressed ones beside
//! them. `main.rs` has the order.

pub mod compress;
mod files;
pub mod fingerprint;
pub mod offline;
pub mod styles;

pub use files::BuildFiles;

use sha2::{Digest, Sha256};

/// The page itself.
pub const PAGE: &str = "index.html";
/// The service worker.
pub const SERVICE: &str = "service.js";
/// Files that a browser knows by their address alone: they keep their names, and a host has them asked for again.
pub const FIXED_NAMES: [&str; 2] = [PAGE, SERVICE];

/// The first 16 digits of the SHA-256 of some bytes.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let all = Sha256::digest(bytes);
    all.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
