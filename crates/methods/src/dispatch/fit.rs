//! Algorithms 2 and 3 from raw logs: samples and prompt lengths as they were measured, in no order.
//!
//! Algorithm 2 looks at a few order statistics of the samples, so nothing is sorted: each is selected, the second one among
//! what the first one left. Prompt lengths are small whole numbers and are counted. What comes out is bit for bit what the
//! sorted way gives.

use super::threshold::{Threshold, algorithm3};
use super::waits::{DeviceWaits, Residual, ServerLaw, algorithm2};
use engine::problem::Invalid;
use engine::problem::dispatch::{PROMPT_LENGTH_RULE, PromptLengths};

/// Tables of counts, so that equal lengths in a row do not wait for one another.
const TABLES: usize = 4;
/// The longest length that is counted in a table for sure; longer ones only where there are many of them.
const COUNTED: usize = 1 << 16;

/// Prompts from one length for every request. O(n + longest); O(n log n) if lengths are few and huge.
///
/// # Errors
/// An empty list, a length of 0 (`[i]`).
pub fn prompts(lengths: &[u32]) -> Result<PromptLengths, Invalid> {
    if let Some(i) = lengths.iter().position(|length| *length == 0) {
        return Err(Invalid::range(format!("[{i}]"), 0, PROMPT_LENGTH_RULE));
    }
    let longest = lengths.iter().max().map_or(0, |most| *most as usize);
    if longest > COUNTED.max(2 * lengths.len()) {
        let rows: Vec<(u32, f64)> = lengths.iter().map(|length| (*length, 1.0)).collect();
        return PromptLengths::new(&rows);
    }
    let width = longest + 1;
    let mut counts = vec![0_u32; TABLES * width];
    let mut chunks = lengths.chunks_exact(TABLES);
    for chunk in &mut chunks {
        for (table, length) in chunk.iter().enumerate() {
            counts[table * width + *length as usize] += 1;
        }
    }
    for length in chunks.remainder() {
        counts[*length as usize] += 1;
    }
    let count = |length: usize| -> u32 { (0..TABLES).map(|t| counts[t * width + length]).sum() };
    let rows = (1..width).map(|length| (length as u32, f64::from(count(length))));
    let rows: Vec<(u32, f64)> = rows.filter(|(_, count)| *count > 0.0).collect();
    PromptLengths::new(&rows)
}

/// Samples in no order. Numbers above zero are ordered as their bits are, and whole numbers are selected faster.
struct Unsorted {
    bits: Vec<u64>,
    /// Everything before this place is at most everything from it on.
    cut: usize,
}

impl Unsorted {
    fn new(samples: &[f64]) -> Result<Self, Invalid> {
        let good = |sample: &f64| sample.is_finite() && *sample > 0.0;
        if let Some(i) = samples.iter().position(|sample| !good(sample)) {
            let path = format!("[{i}]");
            return Err(Invalid::range(path, samples[i], "a finite number above 0"));
        }
        if samples.is_empty() {
            let none: Vec<f64> = Vec::new();
            return Err(Invalid::range("", none, "a list with at least one time"));
        }
        Ok(Self {
            bits: samples.iter().map(|sample| sample.to_bits()).collect(),
            cut: 0,
        })
    }
}

impl ServerLaw for Unsorted {
    fn quantile(&mut self, u: f64) -> Option<f64> {
        if u >= 1.0 - 1e-12 {
            return None;
        }
        let n = self.bits.len();
        let rank = (n as f64 * u - 1e-9).ceil().max(1.0) as usize;
        let k = rank.min(n) - 1;
        let (part, at) = if k < self.cut {
            (&mut self.bits[..self.cut], k)
        } else {
            (&mut self.bits[self.cut..], k - self.cut)
        };
        let (_, found, _) = part.select_nth_unstable(at);
        let found = f64::from_bits(*found);
        self.cut = k + 1;
        Some(found)
    }

    fn tail(&mut self, wait: f64) -> f64 {
        let wait = wait.to_bits();
        let later = self.bits.iter().filter(|bits| **bits > wait).count();
        later as f64 / self.bits.len() as f64
    }

    fn before(&mut self, wait: Option<f64>) -> f64 {
        let wait = wait.unwrap_or(f64::INFINITY).to_bits();
        let earlier = self.bits.iter().map(|bits| match *bits < wait {
            true => *bits,
            false => 0,
        });
        f64::from_bits(earlier.max().unwrap_or(0))
    }
}

/// Algorithm 2 from samples [s] and prompt lengths. Budget and alpha are those of a valid
/// [`DispatchProblem`](engine::problem::dispatch::DispatchProblem).
///
/// # Errors
/// An empty list (`ttft`, `lengths`), a sample that is not above 0 and finite (`ttft[i]`), a length of 0 (`lengths[i]`).
///
/// # Complexity
/// O(n) for n samples and lengths.
pub fn device_scarce(
    samples: &[f64],
    lengths: &[u32],
    b: f64,
    alpha: f64,
) -> Result<(PromptLengths, DeviceWaits), Invalid> {
    let mut law = Unsorted::new(samples).map_err(|fault| fault.within("ttft"))?;
    let prompts = prompts(lengths).map_err(|fault| fault.within("lengths"))?;
    let waits = algorithm2(prompts.q(), (b, alpha), Residual::Corrected, &mut law);
    Ok((prompts, waits))
}

/// Algorithm 3 from prompt lengths.
///
/// # Errors
/// An empty list, a length of 0 (`lengths[i]`).
///
/// # Complexity
/// O(n) for n lengths.
pub fn server_scarce(lengths: &[u32], b: f64) -> Result<(PromptLengths, Threshold), Invalid> {
    let prompts = prompts(lengths).map_err(|fault| fault.within("lengths"))?;
    let threshold = algorithm3(&prompts, b);
    Ok((prompts, threshold))
}
