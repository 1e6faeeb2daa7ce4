//! Seeded random placement problems of attention heads. Only whole numbers and exactly rounded operations are used, so
//! that a seed gives the same bits on this machine and in a browser.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use super::instances::Draw;
use engine::problem::head_sizes::{Delay, HeadLayer, Input, LayerForm, Memory, Operations};
use engine::problem::heads::{HeadPlacement, Interval, LinkRates};
use std::sync::Arc;

/// A problem in its parts, to be changed before it is put together.
#[derive(Debug, Clone)]
pub struct Case {
    pub layer: LayerForm,
    pub rates: Vec<Vec<f64>>,
    pub interval: Interval,
}

impl Case {
    /// The problem.
    #[track_caller]
    pub fn problem(&self) -> HeadPlacement {
        let layer = HeadLayer::new(self.layer).expect("a valid layer");
        let links = LinkRates::new(&self.rates).expect("valid links");
        HeadPlacement::new(layer, Arc::new(links), self.interval.clone()).expect("valid")
    }

    /// What the whole layer needs at token n, and its largest block.
    pub fn needs(&self) -> (f64, f64) {
        let sizes = HeadLayer::new(self.layer)
            .expect("a valid layer")
            .sizes(self.interval.n);
        let largest = sizes.m_head.max(sizes.m_proj).max(sizes.m_ffn);
        (sizes.all_memory(self.layer.h), largest)
    }
}

/// Any preset.
pub fn presets(draw: &mut Draw, layer: LayerForm) -> LayerForm {
    let pick = |draw: &mut Draw, n: usize| draw.below(n);
    LayerForm {
        mem: [Memory::Table, Memory::NoCache, Memory::Physical][pick(draw, 3)],
        flops: [Operations::Table, Operations::Ffn08, Operations::Cached][pick(draw, 3)],
        delay: [Delay::Full, Delay::Eq6][pick(draw, 2)],
        inp: [Input::Embed, Input::Ids, Input::None][pick(draw, 3)],
        ..layer
    }
}

/// A few devices and heads: all placements can be tried.
pub fn small(draw: &mut Draw) -> Case {
    let heads = draw.whole(2, 5);
    // All placements of the largest are some ten thousand.
    let devices = draw.whole(2, if heads == 5 { 3 } else { 4 });
    sized(draw, devices, heads)
}

/// So many devices and heads, with everything that can be missing missing now and then, all in the range of seconds.
pub fn sized(draw: &mut Draw, devices: usize, heads: usize) -> Case {
    let layer = LayerForm {
        h: heads as u32,
        D: (heads * draw.whole(1, 6)) as u32,
        b: [0.5, 1.0, 2.0, 4.0][draw.below(4)],
        L0: draw.whole(0, 8) as u32,
        mem: Memory::Table,
        flops: Operations::Table,
        delay: Delay::Full,
        inp: Input::Embed,
    };
    let layer = presets(draw, layer);
    let tokens = [1, 1, 4][draw.below(3)];
    let n_prev = draw.whole(0, 12) as u32;
    let missing = draw.one_in(3);
    let rates = (0..devices)
        .map(|_| {
            let mut rate = |_| match missing && draw.one_in(4) {
                true => 0.0,
                false => draw.magnitude(0, 4),
            };
            (0..devices).map(&mut rate).collect()
        })
        .collect();
    let mut case = Case {
        layer,
        rates,
        interval: Interval {
            n: n_prev + tokens,
            n_prev,
            tokens: f64::from(tokens),
            controller: draw.below(devices),
            memory: Vec::new(),
            compute: Vec::new(),
            prev: None,
            t_tok: None,
        },
    };
    let idle = draw.one_in(4);
    for _ in 0..devices {
        let off = idle && draw.one_in(3);
        let speed = if off { 0.0 } else { draw.magnitude(1, 5) };
        case.interval.compute.push(speed);
    }
    let (all, largest) = case.needs();
    let tightness = draw.below(3);
    for _ in 0..devices {
        let memory = match tightness {
            0 => 2.0 * all,
            1 => draw.between(0.0, 2.2) * all / devices as f64,
            _ => [0.0, largest, all / devices as f64, all][draw.below(4)] * draw.between(0.6, 1.4),
        };
        case.interval.memory.push(memory);
    }
    if !draw.one_in(3) {
        let blocks = heads + 2;
        case.interval.prev = Some((0..blocks).map(|_| draw.below(devices)).collect());
    }
    case
}

/// A network as the paper samples them, but from even distributions: 2 to 8 GB, 5 to 50 GFLOPS, 1 to 10 Gbit/s, of
/// which a background load takes up to 30 %.
pub fn network(draw: &mut Draw, devices: usize, heads: u32, n: u32) -> Case {
    let mut rates = vec![vec![0.0; devices]; devices];
    for pair in 0..devices * devices {
        let (j, k) = (pair / devices, pair % devices);
        if j < k {
            let rate = draw.between(1.0, 10.0) * 1.25e8;
            rates[j][k] = rate;
            rates[k][j] = rate;
        }
    }
    let mut left = |low: f64, high: f64| {
        let list = (0..devices).map(|_| draw.between(low, high) * (1.0 - 0.3 * draw.unit()));
        list.collect::<Vec<f64>>()
    };
    let (memory, compute) = (left(2e9, 8e9), left(5e9, 50e9));
    Case {
        layer: LayerForm {
            h: heads,
            D: heads * 64,
            b: 4.0,
            L0: 64,
            mem: Memory::Table,
            flops: Operations::Table,
            delay: Delay::Full,
            inp: Input::Embed,
        },
        rates,
        interval: Interval {
            n,
            n_prev: n.saturating_sub(1),
            tokens: 1.0,
            controller: 0,
            memory,
            compute,
            prev: None,
            t_tok: None,
        },
    }
}
