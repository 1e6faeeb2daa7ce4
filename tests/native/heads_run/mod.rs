//! Runs of attention heads over tokens: every strategy, interval by interval, and what rests on them.

mod ahead;
mod claims;
mod laws;
mod layers;
mod published;
mod rules;

use engine::evaluate::heads::{HeadsShape, delay, memory_on, score};
use engine::plan::{HeadRun, Layout};
use engine::problem::head_sizes::{Delay, HeadLayer, Input, LayerForm, Memory, Operations};
use engine::problem::heads::LinkRates;
use engine::sim::{Background, FleetRanges, Free, FreeRow, Supply};
use methods::heads::run::{Ensemble, ResourceSource, RunSetting};
use std::sync::Arc;

/// The layer of the paper's figures: 32 heads, width 2048, a prompt of 64 tokens.
fn paper_layer() -> LayerForm {
    LayerForm {
        h: 32,
        D: 2048,
        b: 4.0,
        L0: 64,
        mem: Memory::Table,
        flops: Operations::Table,
        delay: Delay::Full,
        inp: Input::Embed,
    }
}

/// Networks drawn as the paper's, with a layer of any presets.
fn drawn(layer: LayerForm, devices: usize, tokens: u32) -> Ensemble {
    Ensemble {
        layer: HeadLayer::new(layer).expect("a valid layer"),
        source: ResourceSource::Drawn {
            devices,
            ranges: FleetRanges::default(),
        },
        background: Background::default(),
        controller: 0,
        tokens,
        each: 1,
        t_tok: None,
    }
}

/// Two heads of width 2, one byte a value, a prompt of one token.
fn tiny_layer() -> HeadLayer {
    let form = LayerForm {
        h: 2,
        D: 4,
        b: 1.0,
        L0: 1,
        ..paper_layer()
    };
    HeadLayer::new(form).expect("a valid layer")
}

/// A setting with the tiny layer, in bytes and operations a second.
#[derive(Debug, Clone)]
struct Tiny {
    memory: Vec<f64>,
    compute: Vec<f64>,
    rates: Vec<Vec<f64>>,
    controller: usize,
    tokens: u32,
    each: u32,
    t_tok: Option<f64>,
    /// From a token on, what a device has free: (token, device, compute, memory).
    rows: Vec<(u32, usize, f64, f64)>,
}

impl Tiny {
    /// All links carry 10 bytes a second.
    fn new(memory: &[f64], compute: &[f64], tokens: u32, each: u32) -> Self {
        Self {
            memory: memory.to_vec(),
            compute: compute.to_vec(),
            rates: vec![vec![10.0; memory.len()]; memory.len()],
            controller: 0,
            tokens,
            each,
            t_tok: None,
            rows: Vec::new(),
        }
    }

    fn setting(&self) -> RunSetting {
        let owned = Free {
            memory: self.memory.clone(),
            compute: self.compute.clone(),
        };
        let rows = self
            .rows
            .iter()
            .map(|&(token, device, compute, memory)| FreeRow {
                token,
                device,
                compute_gops: compute / 1e9,
                memory_gb: memory / 1e9,
            });
        RunSetting::new(
            tiny_layer(),
            Arc::new(LinkRates::new(&self.rates).expect("valid links")),
            self.controller,
            Supply::recorded(owned, rows.collect()).expect("valid rows"),
            (self.tokens, self.each),
            self.t_tok,
        )
        .expect("a valid setting")
    }
}

fn tiny(
    memory: &[f64],
    compute: &[f64],
    tokens: u32,
    each: u32,
    t_tok: Option<f64>,
    rows: &[(u32, usize, f64, f64)],
) -> RunSetting {
    Tiny {
        t_tok,
        rows: rows.to_vec(),
        ..Tiny::new(memory, compute, tokens, each)
    }
    .setting()
}

/// Computes a run again from its placements alone, token by token with the referee, and compares to the last bit. A layer
/// that is split into parts is not looked at.
#[track_caller]
fn replayed(setting: &RunSetting, run: &HeadRun) {
    let (mut elapsed, mut seen, mut moves) = (0.0, 0, 0);
    let mut prev: Option<Vec<usize>> = None;
    let mut peaks = vec![0.0_f64; setting.devices()];
    let mut before = 0;
    for due in setting.due() {
        let Some(segment) = run.at(due.n) else { break };
        let Layout::Blocks(placement) = &segment.layout else {
            return;
        };
        let problem = setting.problem(before, &due, prev).expect("valid");
        let scored = score(&problem, placement).expect("a placement");
        assert!(scored.j.is_finite(), "n = {}", due.n);
        assert_eq!(
            !scored.memory_ok,
            run.violations.contains(&due.n),
            "n = {}",
            due.n
        );
        let shape = HeadsShape::of(placement, setting.devices());
        for q in before + 1..=due.n {
            let token = &run.tokens[q as usize - 1];
            assert_eq!(run.at(q), Some(segment), "segments end with intervals");
            let sizes = setting.layer().sizes(q);
            let d_t = delay(&problem, &sizes, &shape);
            let moving = if q == before + 1 { scored.d_mig } else { 0.0 };
            assert_eq!(token.delay().to_bits(), d_t.to_bits(), "token {q}");
            assert_eq!(token.moving.to_bits(), moving.to_bits(), "token {q}");
            elapsed = elapsed + moving + d_t;
            assert_eq!(token.elapsed.to_bits(), elapsed.to_bits(), "token {q}");
            let held: Vec<f64> = (0..peaks.len())
                .map(|j| memory_on(&sizes, &shape, j))
                .collect();
            let most = held.iter().copied().fold(0.0, f64::max);
            assert_eq!(token.peak_memory, most, "token {q}");
            let all: f64 = held.iter().sum();
            assert!((token.total_memory - all).abs() <= 1e-9 * all, "token {q}");
            peaks
                .iter_mut()
                .zip(held)
                .for_each(|(peak, held)| *peak = peak.max(held));
            seen += 1;
        }
        for one in &scored.moves {
            let noted = &run.moves[moves];
            assert_eq!((noted.token, noted.block), (before + 1, one.block));
            assert_eq!((noted.from, noted.to), (one.from, one.to));
            assert_eq!((noted.bytes, noted.seconds), (one.bytes, one.seconds));
            moves += 1;
        }
        prev = Some(placement.clone());
        before = due.n;
    }
    assert_eq!((seen, moves), (run.tokens.len(), run.moves.len()));
    assert_eq!(run.seconds().to_bits(), elapsed.to_bits());
    let noted: Vec<f64> = run
        .devices
        .iter()
        .map(|device| device.peak_memory)
        .collect();
    assert_eq!(noted, peaks);
    let whole = run.tokens.len() == setting.tokens() as usize;
    assert_eq!(whole, run.failed_at.is_none());
    let mut next = 1;
    for segment in &run.segments {
        assert_eq!(segment.from, next);
        assert!(segment.to >= segment.from);
        next = segment.to + 1;
    }
    assert_eq!(next as usize, run.tokens.len() + 1);
}
