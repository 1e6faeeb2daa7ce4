//! How long a part of the work takes.

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::time::Instant;

/// Wall time, and the time on all cores of the programs that were started and have ended.
pub struct Stopwatch {
    started: Instant,
    cores: f64,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Result<Self> {
        Ok(Self {
            started: Instant::now(),
            cores: cores_seconds()?,
        })
    }

    /// Both times in words.
    pub fn text(&self) -> Result<String> {
        let cores = cores_seconds()? - self.cores;
        Ok(format!(
            "{:.0} s, {cores:.0} s of CPU",
            self.started.elapsed().as_secs_f64()
        ))
    }
}

/// Returns the CPU time of ended child processes [s].
fn cores_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the time of children")?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
