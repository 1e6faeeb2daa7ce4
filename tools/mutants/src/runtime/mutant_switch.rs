//! Which mutant is on: this file is not compiled here, but in the copy of the source that has switches.

extern crate std;

use std::format;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

const NONE: u32 = 0;
const UNREAD: u32 = u32::MAX;
const TRACING: u32 = u32::MAX - 1;

/// The number of the mutant that is on, or one of the above.
static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);

/// The switches that have been reached already.
static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

/// Returns true if this mutant is on.
#[inline(always)]
pub(crate) fn on(mutant: u32) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen < TRACING {
        chosen == mutant
    } else {
        ask(mutant)
    }
}

#[cold]
#[inline(never)]
fn ask(mutant: u32) -> bool {
    if CHOSEN.load(Ordering::Relaxed) == UNREAD {
        let tracing = std::env::var_os("EDGEWISE_MUTANT_TRACE").is_some();
        let named = std::env::var("EDGEWISE_MUTANT").ok();
        let chosen = match named.and_then(|name| name.parse().ok()) {
            _ if tracing => TRACING,
            Some(chosen) => chosen,
            None => NONE,
        };
        CHOSEN.store(chosen, Ordering::Relaxed);
        return on(mutant);
    }
    let reached = &REACHED[mutant as usize];
    if !reached.load(Ordering::Relaxed) && !reached.swap(true, Ordering::Relaxed) {
        let path = std::env::var_os("EDGEWISE_MUTANT_TRACE").expect("it was there before");
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .expect("the trace can be written");
        file.write_all(format!("{mutant}\n").as_bytes())
            .expect("the trace can be written");
    }
    false
}
